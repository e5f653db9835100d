/* The search with a small set of results, without distances; a set of distances is the judge. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/random.h"
#include "search/search.h"
#include "tablebase/pack.h"
#include "tablebase/tablebase.h"
#include "tablebase_support.h"

static struct workshop whole, small;
static struct kv_tablebase *judge, *tables;
static struct kv_search *search;
static struct kv_rules rules;

static int set_up(void **state)
{
    (void)state;
    struct kv_error error;
    kv_rules_init(&rules, 0);
    rules.stones = 4;
    open_workshop(&whole, &rules, 2);
    open_workshop(&small, &rules, 2);
    if (build_tables(&whole, KV_PLAN_MOVING | KV_PLAN_PLACING, 8, false, UINT64_C(1) << 30, &error) != KV_OK)
        fail_msg("%s", error.text);
    pack_all(&whole, &small);
    if (kv_tablebase_create(&judge, &rules) || kv_tablebase_create(&tables, &rules) ||
        kv_search_create(&search, 4))
        return -1;
    return kv_tablebase_open(judge, whole.path, 8, NULL, NULL, NULL) > 0 &&
                   kv_tablebase_open(tables, small.path, 8, NULL, NULL, NULL) > 0
               ? 0
               : -1;
}

static int tear_down(void **state)
{
    (void)state;
    kv_search_destroy(search);
    kv_tablebase_destroy(judge);
    kv_tablebase_destroy(tables);
    close_workshop(&whole);
    close_workshop(&small);
    return 0;
}

static struct kv_value value_of(const struct kv_position *position)
{
    struct kv_value value;
    if (kv_position_result(&rules, position, NULL) != KV_ONGOING)
        return (struct kv_value){-1, 0};
    assert_int_equal(kv_tablebase_probe(judge, position, &value), KV_OK);
    return value;
}

static struct kv_search_result think(struct kv_game *game, int depth)
{
    struct kv_limits limits = {.start_ns = kv_clock_ns(), .depth = depth};
    struct kv_search_settings settings = {.threads = 1, .multipv = 1, .skill = KV_SKILL_MAX};
    struct kv_search_result result;
    kv_search_arm(search, false);
    assert_int_equal(kv_search_run(search, game, &limits, &settings, tables, NULL, NULL, &result), KV_OK);
    return result;
}

static void begin(struct kv_game *game, const struct kv_position *position)
{
    assert_int_equal(kv_game_init(game, &rules), KV_OK);
    assert_int_equal(kv_game_set(game, position), KV_OK);
}

/* Every move keeps the value, in either phase, and the score tells it. */
static void no_value_is_thrown_away(void **state)
{
    (void)state;
    static const struct kv_subspace subspaces[] = {{3, 3, 0, 0}, {3, 4, 0, 0}, {4, 3, 0, 0}, {3, 4, 1, 0},
                                                   {3, 3, 1, 1}, {2, 3, 2, 1}, {2, 2, 2, 2}, {1, 1, 3, 3}};
    struct kv_random random = {12};
    int seen[3] = {0};
    for (int i = 0; i < 1200; i++) {
        struct kv_position position = random_position(&random, subspaces[i % 8]);
        struct kv_game game;
        if (kv_position_result(&rules, &position, NULL) != KV_ONGOING)
            continue;
        int outcome = value_of(&position).outcome;
        begin(&game, &position);
        struct kv_search_result result = think(&game, 1 + i % 4);
        kv_position_play(&rules, &position, result.best);
        assert_int_equal(value_of(&position).outcome, -outcome);
        assert_int_equal((result.score > 0) - (result.score < 0), outcome);
        assert_true(outcome == 0 || abs(result.score) == 25000 || kv_score_is_mate(result.score));
        kv_game_finish(&game);
        seen[outcome + 1]++;
    }
    assert_true(seen[0] > 20 && seen[1] > 100 && seen[2] > 100);
}

/* A win within reach of the search is brought home against the longest defence, though no distance is
 * known. */
static void wins_are_brought_home(void **state)
{
    (void)state;
    struct kv_random random = {3};
    for (int games = 0; games < 40;) {
        struct kv_position position = random_position(&random, (struct kv_subspace){3, 3, 0, 0});
        struct kv_game game;
        if (kv_position_result(&rules, &position, NULL) != KV_ONGOING || value_of(&position).outcome <= 0 ||
            value_of(&position).plies > 5)
            continue;
        games++;
        begin(&game, &position);
        for (int ply = 0; kv_game_result(&game, NULL) == KV_ONGOING; ply++) {
            kv_move moves[KV_MOVES_MAX], choice = KV_MOVE_NONE;
            assert_true(ply < 40);
            if (game.position.side == position.side)
                choice = think(&game, 9).best;
            else {
                int count = kv_moves(&rules, &game.position, moves), longest = -1;
                for (int i = 0; i < count; i++) {
                    struct kv_position next = game.position;
                    kv_position_play(&rules, &next, moves[i]);
                    struct kv_value value = value_of(&next);
                    assert_true(value.outcome > 0);
                    if (value.plies > longest) {
                        longest = value.plies;
                        choice = moves[i];
                    }
                }
            }
            assert_int_equal(kv_game_play(&game, choice), KV_OK);
        }
        assert_int_equal(kv_game_result(&game, NULL),
                         position.side == KV_WHITE ? KV_WHITE_WINS : KV_BLACK_WINS);
        kv_game_finish(&game);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_value_is_thrown_away),
        cmocka_unit_test(wins_are_brought_home),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down) != 0;
}
