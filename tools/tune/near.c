#include "tune/near.h"

#include "eval/evaluate.h"

enum { PLIES = 100, FIRST_STONES = 1, NOISE = 31 };

/* Shares of a hundred. */
enum { KEEP_PLACING = 70, KEEP_MOVING = 25, WALK_PLACING = 90, WALK_MOVING = 30, WALK_NOISE = 70 };

/* Weights of the terms, as they once were set by hand. Those of the evaluator are fitted to such positions,
 * so the games that these come from must not depend on it. */
static const int placing_weights[KV_FEATURES] = {
    [KV_STONES] = 100,   [KV_MILLS] = 14,   [KV_READY] = 34,  [KV_SHUTTLES] = 20,
    [KV_OPEN_LINES] = 8, [KV_MOBILITY] = 5, [KV_LOCKED] = -6, [KV_CROSSES] = 9,
    [KV_TEES] = 4,       [KV_FLYING] = 0,   [KV_TEMPO] = 6,
};
static const int moving_weights[KV_FEATURES] = {
    [KV_STONES] = 100,    [KV_MILLS] = 22,   [KV_READY] = 44,   [KV_SHUTTLES] = 60,
    [KV_OPEN_LINES] = 10, [KV_MOBILITY] = 9, [KV_LOCKED] = -14, [KV_CROSSES] = 4,
    [KV_TEES] = 2,        [KV_FLYING] = 90,  [KV_TEMPO] = 8,
};

static int score_of(const struct kv_rules *rules, const struct kv_position *position)
{
    int own[KV_FEATURES], other[KV_FEATURES], phase = kv_phase(rules, position), score = 0;
    kv_features_of(rules, position, position->side, own);
    kv_features_of(rules, position, position->side ^ 1, other);
    for (int f = 0; f < KV_FEATURES; f++) {
        int weight = (placing_weights[f] * phase + moving_weights[f] * (1024 - phase)) / 1024;
        score += weight * (own[f] - other[f]);
    }
    return score;
}

static bool is_over(const struct kv_rules *rules, const struct kv_position *position)
{
    return kv_position_result(rules, position, NULL) != KV_ONGOING;
}

static bool happens(struct kv_random *random, int percent)
{
    return (int)kv_random_below(random, 100) < percent;
}

/* Half of the random moves are captures, where there are any. */
static kv_move random_move(struct kv_random *random, kv_move *moves, int count)
{
    if (happens(random, 50)) {
        int captures = 0;
        for (int i = 0; i < count; i++)
            if (kv_move_capture(moves[i]) != KV_NO_POINT) {
                kv_move move = moves[i];
                moves[i] = moves[captures];
                moves[captures++] = move;
            }
        count = captures ? captures : count;
    }
    return moves[kv_random_below(random, (uint32_t)count)];
}

static kv_move choose(const struct kv_rules *rules, struct kv_random *random,
                      const struct kv_position *position, int noise)
{
    kv_move moves[KV_MOVES_MAX], best_move = KV_MOVE_NONE;
    int count = kv_moves(rules, position, moves), best = INT32_MIN;
    if (happens(random, noise))
        return random_move(random, moves, count);
    for (int i = 0; i < count; i++) {
        struct kv_position next = *position;
        kv_position_play(rules, &next, moves[i]);
        int score = is_over(rules, &next) ? 2 * KV_EVAL_MAX : -score_of(rules, &next);
        score += (int)kv_random_below(random, NOISE);
        if (score > best) {
            best = score;
            best_move = moves[i];
        }
    }
    return best_move;
}

static struct kv_position walk(const struct kv_rules *rules, struct kv_random *random,
                               struct kv_position position)
{
    int plies = 1 + (int)kv_random_below(random, 5);
    for (int i = 0; i < plies && !is_over(rules, &position); i++)
        kv_position_play(rules, &position, choose(rules, random, &position, i == 0 ? 100 : WALK_NOISE));
    return position;
}

int tune_near_run(const struct kv_rules *rules, struct kv_random *random,
                  struct kv_position positions[TUNE_NEAR_MAX])
{
    static const uint8_t levels[] = {3, 10, 20, 35, 60};
    struct kv_position position;
    int noise = levels[kv_random_below(random, sizeof levels)], count = 0;
    int opening = (int)kv_random_below(random, 8);
    kv_position_start(rules, &position);
    for (int ply = 0; ply < PLIES && !is_over(rules, &position); ply++) {
        int hands = position.hand[0] + position.hand[1], placed = 2 * rules->stones - hands;
        bool placing = hands > 0;
        if (placed >= FIRST_STONES && happens(random, placing ? KEEP_PLACING : KEEP_MOVING))
            positions[count++] = position;
        if (placed >= FIRST_STONES && happens(random, placing ? WALK_PLACING : WALK_MOVING))
            positions[count++] = walk(rules, random, position);
        kv_position_play(rules, &position, choose(rules, random, &position, ply < opening ? 100 : noise));
    }
    return count;
}

_Static_assert(2 * PLIES <= TUNE_NEAR_MAX, "two positions a ply");
