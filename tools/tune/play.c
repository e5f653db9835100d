#include "tune/play.h"

#include "eval/eval.h"

enum { OPENING_PLIES = 8, ONE_RANDOM_IN = 20 };

int tune_player_init(struct tune_player *player, const struct kv_rules *rules, uint64_t nodes)
{
    *player = (struct tune_player){.rules = rules, .nodes = nodes};
    return kv_search_create(&player->search, 1);
}

void tune_player_finish(struct tune_player *player)
{
    kv_search_destroy(player->search);
    player->search = NULL;
}

/* How good a position is for the side that has just moved. */
static int score_after(const struct kv_rules *rules, const struct kv_position *position)
{
    enum kv_result result = kv_position_result(rules, position, NULL);
    if (result == KV_ONGOING)
        return -kv_evaluate(rules, position);
    return result == KV_DRAW ? 0 : KV_SCORE_WIN;
}

static kv_move best_at_sight(const struct tune_player *player, const struct kv_position *position,
                             const kv_move *moves, int count, struct kv_random *random)
{
    int best = 0, best_score = -2 * KV_SCORE_WIN;
    for (int i = 0; i < count; i++) {
        struct kv_position next = *position;
        kv_position_play(player->rules, &next, moves[i]);
        int score = score_after(player->rules, &next) + (int)kv_random_below(random, 16);
        if (score > best_score) {
            best_score = score;
            best = i;
        }
    }
    return moves[best];
}

static int choose(struct tune_player *player, const struct kv_game *game, bool at_random,
                  struct kv_random *random, kv_move *move)
{
    static const struct kv_search_settings settings = {.threads = 1, .multipv = 1, .skill = KV_SKILL_MAX};
    kv_move moves[KV_MOVES_MAX];
    int count = kv_moves(player->rules, &game->position, moves);
    *move = moves[0];
    if (count == 1)
        return KV_OK;
    if (at_random) {
        *move = moves[kv_random_below(random, (uint32_t)count)];
        return KV_OK;
    }
    if (player->nodes == 0) {
        *move = best_at_sight(player, &game->position, moves, count, random);
        return KV_OK;
    }
    struct kv_limits limits = {.nodes = player->nodes};
    struct kv_search_result result = {.best = KV_MOVE_NONE};
    kv_search_arm(player->search, false);
    int status = kv_search_run(player->search, game, &limits, &settings, NULL, NULL, NULL, &result);
    if (status == KV_OK && result.best != KV_MOVE_NONE)
        *move = result.best;
    return status;
}

int tune_player_run(struct tune_player *player, uint64_t seed, uint64_t number,
                    struct kv_position positions[TUNE_PLY_MAX])
{
    struct kv_random random = {kv_mix64(seed + 1) ^ kv_mix64(~number)};
    struct kv_game game;
    uint32_t opening = kv_random_below(&random, OPENING_PLIES + 1);
    int count = 0, status = kv_game_init(&game, player->rules);
    if (status)
        return status;
    kv_search_clear(player->search);
    while (status == KV_OK && count < TUNE_PLY_MAX && kv_game_result(&game, NULL) == KV_ONGOING) {
        kv_move move;
        positions[count++] = game.position;
        bool at_random = (uint32_t)count <= opening || kv_random_below(&random, ONE_RANDOM_IN) == 0;
        status = choose(player, &game, at_random, &random, &move);
        if (status == KV_OK)
            status = kv_game_play(&game, move);
    }
    kv_game_finish(&game);
    return status ? status : count;
}
