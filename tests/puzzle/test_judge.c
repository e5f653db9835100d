/* Verdicts against the tables, where the judge may not use them, and against plain minimax. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "board/movegen.h"
#include "puzzle/canonical.h"
#include "puzzle/judge.h"

static struct kv_position random_position(struct kv_random *random, int white, int black, int hand)
{
    struct kv_position position = {.hand = {(uint8_t)hand, (uint8_t)hand}};
    for (int side = 0; side < 2; side++)
        for (int n = side ? black : white; n > 0;) {
            uint32_t bit = 1u << kv_random_below(random, 24);
            if ((position.stones[0] | position.stones[1]) & bit)
                continue;
            position.stones[side] |= bit;
            n--;
        }
    position.side = (uint8_t)kv_random_below(random, 2);
    return position;
}

/* ---- Against the tables ------------------------------------------------------------------------- */

static int expected_plies(int plies)
{
    return plies < 0 ? INT16_MAX : plies;
}

static void check_verdict(const struct puzzle_verdict *verdict, const struct kv_value *value)
{
    assert_true(verdict->low <= value->outcome && value->outcome <= verdict->high);
    if (value->outcome == 1)
        assert_true(verdict->no_win < expected_plies(value->plies));
    if (value->outcome == -1)
        assert_true(verdict->no_loss < expected_plies(value->plies));
    if (puzzle_is_settled(verdict) && verdict->low != 0 && verdict->plies >= 0)
        assert_int_equal(verdict->plies, value->plies);
    assert_int_equal(verdict->source == PUZZLE_UNKNOWN, verdict->low == -1 && verdict->high == 1);
}

static void check_line(const struct kv_rules *rules, const struct kv_position *start,
                       const struct puzzle_analysis *analysis)
{
    struct kv_position position = *start;
    for (int i = 0; i < analysis->line_length; i++) {
        kv_move moves[KV_MOVES_MAX];
        int count = kv_moves(rules, &position, moves), at = 0;
        while (at < count && moves[at] != analysis->line[i])
            at++;
        assert_in_range(at, 0, count - 1);
        kv_position_play(rules, &position, analysis->line[i]);
    }
    enum kv_result result = kv_position_result(rules, &position, NULL);
    assert_int_equal(analysis->line_ends, result != KV_ONGOING);
    if (analysis->line_ends && analysis->verdict.low != 0) {
        assert_int_equal(analysis->line_length, analysis->verdict.plies);
        bool white = (analysis->verdict.low == 1) == (start->side == KV_WHITE);
        assert_int_equal(result, white ? KV_WHITE_WINS : KV_BLACK_WINS);
    }
}

struct tally {
    int wins, draws, losses, open, lines;
};

static void compare_with_table(const char *rule, const char *choice, int positions, struct tally *tally)
{
    struct kv_rules rules;
    kv_rules_init(&rules, 0);
    if (rule)
        assert_int_equal(kv_rule_set(&rules, kv_rule_find(rule, strlen(rule)), choice, strlen(choice), NULL),
                         KV_OK);
    struct kv_tablebase *tablebase;
    struct puzzle_judge *judge;
    assert_int_equal(kv_tablebase_create(&tablebase, &rules), KV_OK);
    kv_tablebase_want(tablebase);
    assert_true(kv_tablebase_wait(tablebase, INT64_MAX));
    assert_int_equal(puzzle_judge_create(&judge, &rules, NULL, 8, NULL), KV_OK);
    struct kv_random random = {7};
    const struct puzzle_limits limits = {.plies = 7, .nodes = 8000};
    for (int i = 0; i < positions; i++) {
        int white = 3 + (i & 1), black = 3 + (white == 3 && i & 2 ? 1 : 0);
        struct kv_position position = random_position(&random, white, black, 0);
        if (kv_position_result(&rules, &position, NULL) != KV_ONGOING)
            continue;
        struct kv_value value;
        struct puzzle_analysis analysis;
        assert_int_equal(kv_tablebase_probe(tablebase, &position, &value), KV_OK);
        assert_int_equal(puzzle_judge_position(judge, &position, &limits, &analysis), KV_OK);
        check_verdict(&analysis.verdict, &value);
        check_line(&rules, &position, &analysis);
        tally->lines += analysis.line_ends;
        for (int m = 0; m < analysis.count; m++) {
            struct kv_position next = position;
            kv_position_play(&rules, &next, analysis.moves[m].move);
            if (kv_position_result(&rules, &next, NULL) == KV_ONGOING &&
                kv_tablebase_probe(tablebase, &next, &value) == KV_OK) {
                value.outcome = (int8_t)-value.outcome;
                value.plies = (int16_t)(value.plies + (value.outcome != 0));
                check_verdict(&analysis.moves[m].verdict, &value);
            }
        }
        if (!puzzle_is_settled(&analysis.verdict))
            tally->open++;
        else
            ++*(analysis.verdict.low > 0   ? &tally->wins
                : analysis.verdict.low < 0 ? &tally->losses
                                           : &tally->draws);
        puzzle_analysis_finish(&analysis);
    }
    puzzle_judge_destroy(judge);
    kv_tablebase_destroy(tablebase);
}

static void verdicts_agree_with_tables(void **state)
{
    (void)state;
    struct tally tally = {0};
    compare_with_table(NULL, NULL, 60, &tally);
    compare_with_table("DoubleMill", "two", 15, &tally);
    compare_with_table("Flying", "false", 40, &tally);
    compare_with_table("MillProtection", "always", 15, &tally);
    assert_true(tally.wins > 20);
    assert_true(tally.lines > 20);
    print_message("%d wins %d draws %d losses %d open, %d lines to the end\n", tally.wins, tally.draws,
                  tally.losses, tally.open, tally.lines);
}

/* ---- Against plain minimax ---------------------------------------------------------------------- */

static bool minimax_wins(const struct kv_rules *rules, const struct kv_position *position, int side,
                         int plies)
{
    enum kv_result result = kv_position_result(rules, position, NULL);
    if (result != KV_ONGOING)
        return result == (side == KV_WHITE ? KV_WHITE_WINS : KV_BLACK_WINS);
    if (plies == 0)
        return false;
    kv_move moves[KV_MOVES_MAX];
    int count = kv_moves(rules, position, moves);
    bool own = position->side == side;
    for (int i = 0; i < count; i++) {
        struct kv_position next = *position;
        kv_position_play(rules, &next, moves[i]);
        if (minimax_wins(rules, &next, side, plies - (next.side != position->side)) == own)
            return own;
    }
    return !own;
}

static void short_wins_agree_with_minimax(void **state)
{
    (void)state;
    struct kv_rules rules;
    kv_rules_init(&rules, 0);
    struct puzzle_judge *judge;
    assert_int_equal(puzzle_judge_create(&judge, &rules, NULL, 4, NULL), KV_OK);
    struct kv_random random = {11};
    const struct puzzle_limits limits = {.plies = 3, .nodes = 60000};
    int wins = 0;
    for (int i = 0; i < 60; i++) {
        struct kv_position position =
            i & 1 ? random_position(&random, 7, 4, 0) : random_position(&random, 5, 2, 1 + (i >> 1 & 1));
        position.side = KV_WHITE;
        if (kv_position_result(&rules, &position, NULL) != KV_ONGOING)
            continue;
        struct puzzle_analysis analysis;
        assert_int_equal(puzzle_judge_position(judge, &position, &limits, &analysis), KV_OK);
        bool win = minimax_wins(&rules, &position, KV_WHITE, 3);
        wins += win;
        if (win)
            assert_in_range(analysis.verdict.plies, 1, 3);
        else
            assert_false(analysis.verdict.low == 1 && analysis.verdict.plies >= 0 &&
                         analysis.verdict.plies <= 3);
        assert_int_equal(minimax_wins(&rules, &position, KV_WHITE, 1),
                         analysis.verdict.low == 1 && analysis.verdict.plies == 1);
        puzzle_analysis_finish(&analysis);
    }
    assert_true(wins > 3);
    puzzle_judge_destroy(judge);
}

/* ---- The small whole game ----------------------------------------------------------------------- */

/* With three stones a side the first player wins (in 23 plies): the second cannot hold. */
static void three_stones_from_the_empty_board(void **state)
{
    (void)state;
    struct kv_rules rules;
    kv_rules_init(&rules, 0);
    rules.stones = 3;
    struct kv_tablebase *tablebase;
    struct puzzle_judge *judge;
    assert_int_equal(kv_tablebase_create(&tablebase, &rules), KV_OK);
    kv_tablebase_want(tablebase);
    assert_true(kv_tablebase_wait(tablebase, INT64_MAX));
    assert_int_equal(puzzle_judge_create(&judge, &rules, tablebase, 16, NULL), KV_OK);
    struct kv_position start;
    struct puzzle_analysis analysis;
    kv_position_start(&rules, &start);
    const struct puzzle_limits limits = {.plies = 30, .nodes = 3000000, .value_only = true};
    assert_int_equal(puzzle_judge_position(judge, &start, &limits, &analysis), KV_OK);
    assert_int_equal(analysis.verdict.low, 1);
    assert_int_equal(analysis.verdict.plies, 23);
    assert_int_equal(analysis.line_length, 23);
    puzzle_analysis_finish(&analysis);
    puzzle_judge_destroy(judge);
    kv_tablebase_destroy(tablebase);
}

static void canonical_images_are_one(void **state)
{
    (void)state;
    struct kv_rules rules;
    kv_rules_init(&rules, 0);
    struct kv_random random = {3};
    for (int i = 0; i < 200; i++) {
        struct kv_position position = random_position(&random, 4, 5, 2), image, one, other;
        puzzle_canonical(&rules, &position, &one);
        kv_position_transform(&rules, &position, (int)kv_random_below(&random, 16), &image);
        puzzle_canonical(&rules, &image, &other);
        assert_memory_equal(&one, &other, sizeof one);
        kv_position_swap_colours(&image, &image);
        puzzle_canonical_white(&rules, &image, &other);
        puzzle_canonical_white(&rules, &position, &one);
        assert_memory_equal(&one, &other, sizeof one);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(canonical_images_are_one),
        cmocka_unit_test(verdicts_agree_with_tables),
        cmocka_unit_test(short_wins_agree_with_minimax),
        cmocka_unit_test(three_stones_from_the_empty_board),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
