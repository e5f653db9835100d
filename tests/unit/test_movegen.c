/* The engine's rules against the naive ones on positions reached by random play under every
 * combination of house rules: the moves, what they lead to, the result, and the rule state carried
 * along. The situations that programs tend to get wrong are counted, and each must have come up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/bits.h"
#include "base/random.h"
#include "naive/bridge.h"

enum { PLIES_MAX = 120 };

enum situation {
    S_POSITIONS,
    S_GAMES,
    S_FLYING,
    S_THREE_ON_BOARD_MORE_IN_HAND,
    S_THREE_WALKING, /* three stones under Flying=false */
    S_DOUBLE_MILL,
    S_TWO_TAKEN,
    S_ONE_OF_TWO_TAKEN, /* two mills, two stones due, but only one may be taken */
    S_ALL_IN_MILLS,
    S_PROTECTED, /* a capture with some stones protected and some not */
    S_NOTHING_TO_TAKE,
    S_LEFT_DUE,
    S_TWO_LEFT_DUE,
    S_BARRED,
    S_LAST_PLACEMENT_TAKES,
    S_FEW,
    S_FEW_WITH_STONES_IN_HAND,
    S_BLOCKED,
    S_BLOCKED_AFTER_PLACING,
    S_REPETITION,
    S_LIMIT,
    SITUATIONS
};

static const char *const situation_names[SITUATIONS] = {
    "positions",
    "games",
    "flying",
    "three on the board and more in hand",
    "three walking",
    "double mill",
    "two taken",
    "two due but one to take",
    "all in mills",
    "some protected",
    "nothing to take",
    "capture left due",
    "two left due",
    "mill barred",
    "last placement takes",
    "too few",
    "too few with stones in hand",
    "blocked",
    "blocked after placing",
    "repetition",
    "limit",
};

static long met[SITUATIONS];

struct walk {
    struct kv_game game;
    struct naive_rules rules;
    struct naive_position history[2 * PLIES_MAX + 8];
    int count;
    struct kv_random random;
};

static int order(const void *a, const void *b)
{
    return naive_compare(a, b);
}

static void assert_same(const struct walk *walk, const struct naive_position *expected)
{
    struct naive_position found = bridge_position(&walk->game.rules, &walk->game.position);
    if (naive_compare(&found, expected) != 0) {
        char text[KV_POSITION_TEXT_MAX];
        kv_position_write(&walk->game.rules, &walk->game.position, text);
        fail_msg("the positions differ: %s", text);
    }
}

/* The two lists of moves lead to the same set of positions. Fills `moves` and `turns` so that move i
 * and turn match[i] have the same result; returns their number. */
static int compare_moves(const struct kv_rules *rules, const struct kv_position *position,
                         const struct naive_rules *plain, const struct naive_position *naive,
                         kv_move moves[KV_MOVES_MAX], struct naive_turn *turns, int match[KV_MOVES_MAX])
{
    static struct naive_position ours[KV_MOVES_MAX], theirs[NAIVE_TURNS_MAX];
    int count = kv_moves(rules, position, moves), expected = naive_turns(plain, naive, turns);
    char text[KV_POSITION_TEXT_MAX];
    kv_position_write(rules, position, text);
    if (count != expected)
        fail_msg("%d moves, expected %d: %s", count, expected, text);
    assert_int_equal(kv_perft(rules, position, 1, true), expected);
    assert_int_equal(kv_perft(rules, position, 1, false), expected);
    for (int i = 0; i < count; i++) {
        struct kv_position next = *position;
        kv_position_play(rules, &next, moves[i]);
        ours[i] = bridge_position(rules, &next);
        theirs[i] = turns[i].after;
        match[i] = -1;
        for (int t = 0; t < expected && match[i] < 0; t++)
            if (naive_compare(&ours[i], &turns[t].after) == 0)
                match[i] = t;
        if (match[i] < 0) {
            char move[KV_MOVE_TEXT_MAX];
            fail_msg("%s leads nowhere legal: %s", kv_move_write(rules, moves[i], move), text);
        }
    }
    qsort(ours, (size_t)count, sizeof *ours, order);
    qsort(theirs, (size_t)count, sizeof *theirs, order);
    for (int i = 0; i < count; i++)
        assert_int_equal(naive_compare(&ours[i], &theirs[i]), 0);
    return count;
}

/* The rules do not know which way up the board lies or which colour is which. */
static void compare_images(const struct kv_rules *rules, const struct kv_position *position, int count)
{
    kv_move moves[KV_MOVES_MAX], image_moves[KV_MOVES_MAX];
    kv_moves(rules, position, moves);
    enum kv_reason reason, image_reason;
    enum kv_result result = kv_position_result(rules, position, &reason);
    for (int s = 0; s < 16; s++) {
        struct kv_position image;
        kv_position_transform(rules, position, s, &image);
        assert_int_equal(kv_moves(rules, &image, image_moves), count);
        assert_int_equal(kv_position_result(rules, &image, &image_reason), result);
        assert_int_equal(image_reason, reason);
        for (int i = 0; i < count; i++) {
            struct kv_position played = *position, then_image, image_played = image;
            kv_position_play(rules, &played, moves[i]);
            kv_position_transform(rules, &played, s, &then_image);
            kv_position_play(rules, &image_played, kv_move_transform(rules, moves[i], s));
            assert_true(kv_position_same(&then_image, &image_played));
        }
    }
    struct kv_position swapped;
    kv_position_swap_colours(position, &swapped);
    assert_int_equal(kv_moves(rules, &swapped, image_moves), count);
    enum kv_result mirrored = kv_position_result(rules, &swapped, &image_reason);
    assert_int_equal(image_reason, reason);
    assert_int_equal(mirrored, result == KV_WHITE_WINS   ? KV_BLACK_WINS
                               : result == KV_BLACK_WINS ? KV_WHITE_WINS
                                                         : result);
}

/* ---- Counting what came up ----------------------------------------------------------------------- */

static int stones_of(const struct naive_position *position, int side, bool in_mills_only)
{
    int count = 0;
    for (int p = 0; p < NAIVE_POINTS; p++)
        if (position->at[p] == (side == 0 ? 'O' : '@'))
            count += !in_mills_only || naive_in_mill(position, p);
    return count;
}

static void count_turns(const struct walk *walk, const struct naive_turn *turns, int count)
{
    const struct naive_position *now = &walk->history[walk->count - 1];
    int side = now->side, other = 1 - side, lone = stones_of(now, side, false);
    int victims = stones_of(now, other, false), sheltered = stones_of(now, other, true);
    met[S_POSITIONS]++;
    if (lone == 3 && now->due == 0) {
        met[S_THREE_ON_BOARD_MORE_IN_HAND] += now->hand[side] > 0;
        met[S_FLYING] += now->hand[side] == 0 && walk->rules.flying;
        met[S_THREE_WALKING] += now->hand[side] == 0 && !walk->rules.flying;
    }
    for (int i = 0; i < count; i++) {
        met[S_DOUBLE_MILL] += turns[i].closed == 2;
        met[S_TWO_TAKEN] += turns[i].taken == 2;
        met[S_ONE_OF_TWO_TAKEN] +=
            turns[i].closed == 2 && walk->rules.double_takes_two && turns[i].taken == 1;
        met[S_NOTHING_TO_TAKE] += turns[i].closed > 0 && turns[i].taken == 0;
        met[S_ALL_IN_MILLS] += turns[i].taken > 0 && victims == sheltered;
        met[S_PROTECTED] += turns[i].taken > 0 && sheltered > 0 && sheltered < victims;
        met[S_LAST_PLACEMENT_TAKES] +=
            turns[i].taken > 0 && turns[i].to >= 0 && now->hand[side] == 1 && now->hand[other] == 0;
    }
    if (walk->rules.reclose != NAIVE_ALLOWED && now->due == 0) {
        static struct naive_turn free_turns[NAIVE_TURNS_MAX];
        struct naive_rules free_rules = walk->rules;
        free_rules.reclose = NAIVE_ALLOWED;
        met[S_BARRED] += naive_turns(&free_rules, now, free_turns) > count;
    }
}

static void count_result(const struct walk *walk, const char *result)
{
    const struct naive_position *now = &walk->history[walk->count - 1];
    bool in_hand = now->hand[0] + now->hand[1] > 0;
    met[S_FEW] += strstr(result, "few") != NULL;
    met[S_FEW_WITH_STONES_IN_HAND] += strstr(result, "few") && in_hand;
    met[S_BLOCKED] += strstr(result, "blocked") != NULL;
    met[S_BLOCKED_AFTER_PLACING] += strstr(result, "blocked") && walk->count > 1 &&
                                    now[-1].hand[0] + now[-1].hand[1] > now->hand[0] + now->hand[1];
    met[S_REPETITION] += strstr(result, "repetition") != NULL;
    met[S_LIMIT] += strstr(result, "limit") != NULL;
}

/* ---- Walking ------------------------------------------------------------------------------------ */

static bool blocks(const struct kv_game *game, kv_move move)
{
    struct kv_position next = game->position;
    enum kv_reason reason;
    kv_position_play(&game->rules, &next, move);
    kv_position_result(&game->rules, &next, &reason);
    return reason == KV_BLOCKED;
}

/* Prefers closing a mill, at times taking the last move back or blocking the opponent, so that mills,
 * repetitions and blockades are common. */
static int choose(struct walk *walk, const kv_move *moves, const struct naive_turn *turns, const int *match,
                  int count)
{
    uint32_t mood = kv_random_below(&walk->random, 10);
    int wanted[KV_MOVES_MAX], wishes = 0;
    kv_move own_last = walk->game.count > 2 ? walk->game.moves[walk->game.count - 3] : KV_MOVE_NONE;
    for (int i = 0; i < count; i++) {
        bool back = kv_move_from(moves[i]) != KV_NO_POINT && kv_move_from(moves[i]) == kv_move_to(own_last) &&
                    kv_move_to(moves[i]) == kv_move_from(own_last);
        if (mood < 5 ? turns[match[i]].closed > (mood < 3) : mood < 8 ? back : blocks(&walk->game, moves[i]))
            wanted[wishes++] = i;
    }
    if (wishes > 0)
        return wanted[kv_random_below(&walk->random, (uint32_t)wishes)];
    return (int)kv_random_below(&walk->random, (uint32_t)count);
}

static void advance(struct walk *walk, kv_move move, const struct naive_position *after)
{
    assert_int_equal(kv_game_play(&walk->game, move), KV_OK);
    walk->history[walk->count++] = *after;
    assert_same(walk, after);
}

/* One turn, in one piece or with its captures left out at first. */
static void play(struct walk *walk, kv_move move, const struct naive_turn *turn)
{
    if (turn->taken == 0 || turn->to < 0 || kv_random_below(&walk->random, 3) > 0) {
        advance(walk, move, &turn->after);
        return;
    }
    const struct naive_position *now = &walk->history[walk->count - 1];
    struct naive_position half = naive_half_turn(&walk->rules, now, turn);
    met[S_LEFT_DUE]++;
    met[S_TWO_LEFT_DUE] += half.due == 2;
    advance(walk, kv_move_make(kv_move_from(move), kv_move_to(move), KV_NO_POINT, KV_NO_POINT), &half);
}

static void walk_on(struct walk *walk)
{
    static struct naive_turn turns[NAIVE_TURNS_MAX];
    kv_move moves[KV_MOVES_MAX];
    int match[KV_MOVES_MAX];
    met[S_GAMES]++;
    for (int ply = 0; ply < PLIES_MAX; ply++) {
        const struct naive_position *now = &walk->history[walk->count - 1];
        int count =
            compare_moves(&walk->game.rules, &walk->game.position, &walk->rules, now, moves, turns, match);
        count_turns(walk, turns, count);
        if (ply % 16 == 5)
            compare_images(&walk->game.rules, &walk->game.position, count);
        enum kv_reason reason;
        enum kv_result result = kv_game_result(&walk->game, &reason);
        const char *expected = naive_result(&walk->rules, walk->history, walk->count);
        assert_string_equal(bridge_result(result, reason), expected);
        if (expected[0]) {
            count_result(walk, expected);
            break;
        }
        int chosen = choose(walk, moves, turns, match, count);
        play(walk, moves[chosen], &turns[match[chosen]]);
    }
}

static void start(struct walk *walk, const struct kv_rules *rules, const struct kv_position *position)
{
    assert_int_equal(kv_game_init(&walk->game, rules), KV_OK);
    if (position)
        assert_int_equal(kv_game_set(&walk->game, position), KV_OK);
    walk->rules = bridge_rules(rules);
    walk->history[0] = bridge_position(rules, &walk->game.position);
    walk->count = 1;
}

/* Puts up to `stones` stones of `side` on empty points: anywhere, or (`lines`) on whole lines. */
static void put(struct kv_position *position, int side, uint32_t stones, bool lines, struct kv_random *random)
{
    while (stones > 0) {
        uint32_t wanted = 1u << kv_random_below(random, 24);
        if (lines) {
            /* one line of the naive list, in the engine's numbers */
            int mill = (int)kv_random_below(random, NAIVE_MILLS);
            wanted = 0;
            for (unsigned p = 0; p < 24; p++)
                for (int i = 0; i < 3; i++)
                    if (bridge_point(p) == naive_mill_point(mill, i))
                        wanted |= 1u << p;
            lines = kv_random_below(random, 8) > 0;
        }
        for (wanted &= ~(position->stones[0] | position->stones[1]); wanted && stones > 0; stones--)
            position->stones[side] |= 1u << kv_take(&wanted);
    }
}

/* White on four points, black on the empty points around them but for one or two, and about to place
 * its last stone or to move. Some have no room for all the black stones they need: white breathes. */
static struct kv_position hem_in(const struct kv_rules *rules, struct kv_random *random)
{
    struct kv_position position;
    kv_position_start(rules, &position);
    put(&position, KV_WHITE, 4, true, random);
    unsigned holes = 0;
    for (unsigned p = 0; p < 24; p++) {
        bool beside = false;
        for (unsigned o = 0; o < 24; o++)
            beside |=
                position.stones[KV_WHITE] >> o & 1 && naive_neighbours(bridge_point(p), bridge_point(o));
        if (!beside || position.stones[KV_WHITE] >> p & 1)
            continue;
        if (holes++ > 0 && kv_popcount(position.stones[KV_BLACK]) < 8)
            position.stones[KV_BLACK] |= 1u << p;
    }
    position.hand[KV_WHITE] = 0;
    position.hand[KV_BLACK] = kv_random_below(random, 2) == 0;
    position.side = KV_BLACK;
    return position;
}

/* Some stones of each colour, all counts from few to many, hands often empty. */
static struct kv_position scatter(const struct kv_rules *rules, struct kv_random *random)
{
    struct kv_position position;
    kv_position_start(rules, &position);
    bool in_hand = kv_random_below(random, 3) == 0, dense = kv_random_below(random, 3) == 0;
    for (int side = 0; side < 2; side++) {
        uint32_t low = dense ? 7 : in_hand ? 1 : 3, high = dense ? 9 : kv_random_below(random, 2) ? 9 : 4;
        uint32_t stones = low + kv_random_below(random, high - low + 1);
        position.hand[side] = (uint8_t)(in_hand ? kv_random_below(random, 10 - stones) : 0);
        put(&position, side, stones, kv_random_below(random, 2) == 0, random);
    }
    position.side = (uint8_t)kv_random_below(random, 2);
    return position;
}

static void walk_games(const struct kv_rules *rules, int games, uint64_t seed)
{
    static struct walk walk;
    for (int g = 0; g < games; g++) {
        walk.random = (struct kv_random){seed + (uint64_t)g};
        struct kv_position position = g % 6 == 5 ? hem_in(rules, &walk.random) : scatter(rules, &walk.random);
        start(&walk, rules, g % 3 == 0 ? NULL : &position);
        walk_on(&walk);
        kv_game_finish(&walk.game);
    }
}

/* ---- Tests -------------------------------------------------------------------------------------- */

static void classic_games_agree(void **state)
{
    (void)state;
    struct kv_rules rules;
    kv_rules_init(&rules, 0);
    assert_true(kv_rules_are_classic(&rules));
    walk_games(&rules, 120, 1);
    assert_true(met[S_POSITIONS] > 3000);
}

static void rules_number(int n, struct kv_rules *rules)
{
    kv_rules_init(rules, 0);
    rules->flying = n % 2 == 0;
    rules->mill_protection = (uint8_t)(n / 2 % 3);
    rules->double_mill = (uint8_t)(n / 6 % 2);
    rules->reclose_mill = (uint8_t)(n / 12 % 3);
}

static void house_rules_agree_in_every_combination(void **state)
{
    (void)state;
    for (int n = 0; n < 36; n++) {
        struct kv_rules rules;
        rules_number(n, &rules);
        rules.first_move = n % 5 == 0 ? KV_BLACK : KV_WHITE;
        rules.repetition = (uint16_t)(n % 4 == 3 ? 2 : 3);
        rules.no_capture_limit = (uint16_t)(n % 3 == 1 ? 12 : 0);
        walk_games(&rules, 30, 1000 * (uint64_t)(n + 1));
    }
}

/* Positions that random play finds rarely. A double mill is only ever closed by a placement: a stone
 * that moves along a line leaves the line it closes, and three flying stones are too few for two. */
static void rare_positions_agree(void **state)
{
    (void)state;
    static const char *const texts[] = {
        /* d6 closes two mills; one, two and three black stones stand outside the mill a1-d1-g1 */
        "O****@**/*O*****O/O**@@@** w p p 4 1 4 0",
        "O****@**/*O****@O/O**@@@** w p p 4 1 5 0",
        "O****@@*/*O****@O/O**@@@** w p p 4 3 6 2",
        /* the same with no black stone outside it, and with two crossing mills that fall apart */
        "O*******/*O*****O/O**@@@** w p p 4 1 3 0",
        "O*******/*O*****O/O**@@@@@ w p p 4 2 5 1",
        /* the first capture leaves black with two, the second with one */
        "O****@**/*O*****O/O***@@** w p p 4 1 3 0",
        /* two captures due, and one of them */
        "O****@**/OO*****O/O**@@@** w p r 5 1 4 0 2 0",
        "O****@**/OO*****O/O**@@@** w p r 5 1 4 0 1 0",
        /* black's last placement on a1 leaves white without a move */
        "********/@*****@*/OO@***OO b p p 4 0 3 1",
    };
    static struct walk walk;
    for (int n = 0; n < 36; n++)
        for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
            for (uint64_t seed = 0; seed < 4; seed++) {
                struct kv_rules rules;
                rules_number(n, &rules);
                struct kv_position position;
                int status = kv_position_read(&rules, texts[i], strlen(texts[i]), &position, NULL);
                /* two captures can only be due where two may be taken */
                bool refused =
                    strstr(texts[i], " 2 0") && strstr(texts[i], " r ") &&
                    (rules.double_mill == KV_DOUBLE_ONE || rules.mill_protection == KV_PROTECT_ALWAYS);
                assert_int_equal(status, refused ? KV_E_SYNTAX : KV_OK);
                if (refused)
                    continue;
                walk.random = (struct kv_random){seed};
                start(&walk, &rules, &position);
                walk_on(&walk);
                kv_game_finish(&walk.game);
            }
}

static void every_situation_came_up(void **state)
{
    (void)state;
    for (int s = 0; s < SITUATIONS; s++) {
        print_message("%8ld %s\n", met[s], situation_names[s]);
        assert_true(met[s] >= 5);
    }
}

static void counted_played_and_naive_perft_agree(void **state)
{
    (void)state;
    struct kv_random random = {77};
    for (int n = 0; n < 36; n++) {
        struct kv_rules rules;
        rules_number(n, &rules);
        struct naive_rules plain = bridge_rules(&rules);
        for (int i = 0; i < 6; i++) {
            struct kv_position position = scatter(&rules, &random);
            struct naive_position naive = bridge_position(&rules, &position);
            long expected = naive_perft(&plain, &naive, 2);
            assert_int_equal(kv_perft(&rules, &position, 2, true), expected);
            assert_int_equal(kv_perft(&rules, &position, 2, false), expected);
            struct kv_position image;
            kv_position_transform(&rules, &position, 1 + n % 15, &image);
            assert_int_equal(kv_perft(&rules, &image, 2, true), expected);
            kv_position_swap_colours(&position, &image);
            assert_int_equal(kv_perft(&rules, &image, 2, true), expected);
            assert_int_equal(kv_perft(&rules, &position, 3, true), kv_perft(&rules, &position, 3, false));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classic_games_agree),
        cmocka_unit_test(house_rules_agree_in_every_combination),
        cmocka_unit_test(rare_positions_agree),
        cmocka_unit_test(every_situation_came_up),
        cmocka_unit_test(counted_played_and_naive_perft_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
