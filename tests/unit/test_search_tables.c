/* The search with the built-in endgames at hand: it keeps every value they know, at any depth. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/random.h"
#include "search/search.h"

static struct kv_search *search;
static struct kv_tablebase *tables;
static struct kv_rules rules;

static int set_up(void **state)
{
    (void)state;
    kv_rules_init(&rules, 0);
    if (kv_search_create(&search, 4) || kv_tablebase_create(&tables, &rules))
        return -1;
    kv_tablebase_want(tables);
    return kv_tablebase_wait(tables, INT64_MAX) ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    kv_tablebase_destroy(tables);
    kv_search_destroy(search);
    return 0;
}

struct last_line {
    kv_move pv[KV_PLY_MAX];
    int length, score;
    uint64_t tbhits;
};

static void keep_line(void *user, const struct kv_search_info *info)
{
    struct last_line *line = user;
    if (info->multipv != 1)
        return;
    line->score = info->score;
    line->length = info->pv_length;
    line->tbhits = info->tbhits;
    memcpy(line->pv, info->pv, (size_t)info->pv_length * sizeof *line->pv);
}

static kv_move best_move(const struct kv_position *position, int depth, struct last_line *line)
{
    struct kv_game game;
    assert_int_equal(kv_game_init(&game, &rules), KV_OK);
    assert_int_equal(kv_game_set(&game, position), KV_OK);
    struct kv_limits limits = {.start_ns = kv_clock_ns(), .depth = depth};
    struct kv_search_settings settings = {.threads = 1, .multipv = 1, .skill = KV_SKILL_MAX};
    struct kv_search_result result;
    kv_search_arm(search, false);
    assert_int_equal(kv_search_run(search, &game, &limits, &settings, tables, keep_line, line, &result),
                     KV_OK);
    kv_game_finish(&game);
    return result.best;
}

static struct kv_value value_of(const struct kv_position *position)
{
    struct kv_value value;
    if (kv_position_result(&rules, position, NULL) != KV_ONGOING)
        return (struct kv_value){-1, 0};
    assert_int_equal(kv_tablebase_probe(tables, position, &value), KV_OK);
    return value;
}

static bool scatter(struct kv_random *random, int own, int other, struct kv_position *position)
{
    *position = (struct kv_position){.side = (uint8_t)kv_random_below(random, 2)};
    int side = position->side;
    for (int placed = 0; placed < own + other;) {
        uint32_t point = 1u << kv_random_below(random, 24);
        if ((position->stones[0] | position->stones[1]) & point)
            continue;
        position->stones[placed++ < own ? side : side ^ 1] |= point;
    }
    return kv_position_result(&rules, position, NULL) == KV_ONGOING;
}

/* In a drawn position with losing moves, the move chosen holds; the hardest have only one that does. */
static void draws_are_held(void **state)
{
    (void)state;
    struct kv_random random = {31};
    int only = 0, tried = 0;
    while (tried < 300 || only < 20) {
        struct kv_position position;
        if (!scatter(&random, 3 + (int)kv_random_below(&random, 2), 3 + (int)kv_random_below(&random, 2),
                     &position) ||
            !kv_tablebase_covers(tables, &position) || value_of(&position).outcome != 0)
            continue;
        kv_move moves[KV_MOVES_MAX];
        int count = kv_moves(&rules, &position, moves), holding = 0;
        for (int i = 0; i < count; i++) {
            struct kv_position next = position;
            kv_position_play(&rules, &next, moves[i]);
            holding += value_of(&next).outcome == 0;
        }
        if (holding == count)
            continue;
        tried++;
        only += holding == 1;
        struct last_line line;
        struct kv_position next = position;
        kv_position_play(&rules, &next, best_move(&position, 1 + tried % 5, &line));
        assert_int_equal(value_of(&next).outcome, 0);
    }
}

/* Won and lost positions: the score is the exact distance, the line goes to the very end. */
static void wins_are_exact(void **state)
{
    (void)state;
    struct kv_random random = {77};
    int longest = 0;
    for (int tried = 0; tried < 200;) {
        struct kv_position position;
        if (!scatter(&random, 3, 3, &position) || value_of(&position).outcome == 0)
            continue;
        tried++;
        struct kv_value value = value_of(&position);
        struct last_line line;
        kv_move best = best_move(&position, 1, &line);
        assert_int_equal(kv_score_mate_plies(line.score), value.outcome * value.plies);
        assert_int_equal(line.length, value.plies);
        assert_int_equal(line.pv[0], best);
        for (int i = 0; i < line.length; i++) {
            assert_int_equal(kv_position_result(&rules, &position, NULL), KV_ONGOING);
            kv_position_play(&rules, &position, line.pv[i]);
        }
        assert_int_not_equal(kv_position_result(&rules, &position, NULL), KV_ONGOING);
        longest = value.plies > longest ? value.plies : longest;
    }
    assert_true(longest >= 10);
}

/* From outside the tables the search reaches into them. */
static void positions_on_the_way_are_probed(void **state)
{
    (void)state;
    struct kv_random random = {8};
    struct kv_position position;
    struct last_line line;
    uint64_t hits = 0;
    for (int i = 0; i < 20; i++)
        if (scatter(&random, 5, 3, &position)) {
            best_move(&position, 5, &line);
            hits += line.tbhits;
        }
    assert_true(hits > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(draws_are_held),
        cmocka_unit_test(wins_are_exact),
        cmocka_unit_test(positions_on_the_way_are_probed),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down) != 0;
}
