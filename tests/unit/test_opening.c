/* The built-in opening: its values agree with each other, with facts from the tables of the whole game, with
 * what searches prove without it; and the search keeps them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/bits.h"
#include "base/clock.h"
#include "base/random.h"
#include "board/movegen.h"
#include "naive/bridge.h"
#include "search/search.h"
#include "tablebase/opening.h"

enum { STONES = 9, POINTS = 24, NAIVE_EVERY = 499 };

static struct kv_search *search;
static struct kv_tablebase *tables;
static struct kv_rules rules;

static int set_up(void **state)
{
    (void)state;
    kv_rules_init(&rules, 0);
    return kv_search_create(&search, 16) || kv_tablebase_create(&tables, &rules) ? -1 : 0;
}

static int tear_down(void **state)
{
    (void)state;
    kv_tablebase_destroy(tables);
    kv_search_destroy(search);
    return 0;
}

static int outcome_of(const struct kv_position *position)
{
    struct kv_value value;
    assert_true(kv_tablebase_knows_opening(tables, position));
    assert_int_equal(kv_tablebase_probe(tables, position, &value), KV_OK);
    assert_int_equal(value.plies, value.outcome == 0 ? 0 : -1);
    return value.outcome;
}

static struct kv_position after(const struct kv_position *position, kv_move move)
{
    struct kv_position next = *position;
    kv_position_play(&rules, &next, move);
    return next;
}

static struct kv_position position_after(const char *line)
{
    struct kv_position position;
    kv_move move;
    kv_position_start(&rules, &position);
    for (; *line; line += strcspn(line, " "), line += strspn(line, " ")) {
        assert_int_equal(kv_move_read(&rules, &position, line, strcspn(line, " "), &move, NULL), KV_OK);
        kv_position_play(&rules, &position, move);
    }
    return position;
}

/* ---- Every position --------------------------------------------------------------------------- */

/* The next larger set with as many points. */
static uint32_t next_set(uint32_t set)
{
    if (set == 0)
        return UINT32_MAX;
    uint32_t low = set & -set, carried = set + low;
    return (((carried ^ set) >> 2) / low) | carried;
}

static bool is_smallest_image(uint32_t set)
{
    const struct kv_board *board = kv_board_of(&rules);
    for (int s = 1; s < board->symmetries; s++)
        if (kv_symmetry_set(board, s, set) < set)
            return false;
    return true;
}

static int best_of(const struct kv_position *position)
{
    kv_move moves[KV_MOVES_MAX];
    int count = kv_moves(&rules, position, moves), best = KV_VALUE_NONE;
    for (int i = 0; i < count && best < 1; i++) {
        struct kv_position next = after(position, moves[i]);
        int value = -outcome_of(&next);
        best = value > best ? value : best;
    }
    return best;
}

/* The same by the naive rules. */
static int naive_best_of(const struct kv_position *position)
{
    static struct naive_turn turns[NAIVE_TURNS_MAX];
    struct naive_rules plain = bridge_rules(&rules);
    struct naive_position naive = bridge_position(&rules, position);
    int count = naive_turns(&plain, &naive, turns), best = KV_VALUE_NONE;
    for (int i = 0; i < count; i++) {
        const struct naive_position *found = &turns[i].after;
        struct kv_position next = {
            .hand = {(uint8_t)found->hand[0], (uint8_t)found->hand[1]},
            .side = (uint8_t)found->side,
        };
        for (unsigned p = 0; p < POINTS; p++)
            if (found->at[bridge_point(p)] != '*')
                next.stones[found->at[bridge_point(p)] == '@'] |= 1u << p;
        int value = -outcome_of(&next);
        best = value > best ? value : best;
    }
    return best;
}

/* All positions after `ply` placements with so many stones of the mover, up to its set's symmetries, and of
 * the other; their number. */
static long check_all(int ply, int mover, int other)
{
    long count = 0;
    for (uint32_t own = (1u << mover) - 1; own < 1u << POINTS; own = next_set(own)) {
        if (!is_smallest_image(own))
            continue;
        for (uint32_t others = (1u << other) - 1; others < 1u << POINTS; others = next_set(others)) {
            if (own & others)
                continue;
            struct kv_position position = {.side = (uint8_t)(ply & 1), .ply = (uint16_t)ply};
            position.stones[ply & 1] = own;
            position.stones[~ply & 1] = others;
            position.hand[0] = (uint8_t)(STONES - (ply + 1) / 2);
            position.hand[1] = (uint8_t)(STONES - ply / 2);
            int value = outcome_of(&position);
            if (value != best_of(&position) ||
                (count % NAIVE_EVERY == 0 && value != naive_best_of(&position)))
                fail_msg("ply %d: %06x %06x", ply, own, others);
            count++;
        }
    }
    return count;
}

static bool is_known(int ply, int mover, int other)
{
    struct kv_position position = {
        .stones = {(1u << mover) - 1, ((1u << other) - 1) << mover},
        .hand = {(uint8_t)(STONES - ply / 2), (uint8_t)(STONES - (ply + 1) / 2)},
    };
    return kv_tablebase_knows_opening(tables, &position);
}

/* Every position has the value of its best move. All that moves lead to must be known. */
static void values_follow_from_moves(void **state)
{
    (void)state;
    long count = 0;
    for (int ply = 0; ply < KV_OPENING_PLIES; ply++) {
        assert_true(is_known(ply, ply / 2, (ply + 1) / 2));
        for (int mover = 0; mover <= ply / 2; mover++)
            for (int other = 0; other <= (ply + 1) / 2; other++)
                if (is_known(ply, mover, other))
                    count += check_all(ply, mover, other);
    }
    assert_true(count > 1000000);
}

/* ---- Facts from OPENING.md -------------------------------------------------------------------- */

static void two_stones_draw(void **state)
{
    (void)state;
    struct kv_position start = position_after("");
    kv_move first[KV_MOVES_MAX], second[KV_MOVES_MAX];
    assert_int_equal(outcome_of(&start), 0);
    assert_int_equal(kv_moves(&rules, &start, first), 24);
    for (int i = 0; i < 24; i++) {
        struct kv_position one = after(&start, first[i]);
        assert_int_equal(outcome_of(&one), 0);
        assert_int_equal(kv_moves(&rules, &one, second), 23);
        for (int k = 0; k < 23; k++) {
            struct kv_position two = after(&one, second[k]);
            assert_int_equal(outcome_of(&two), 0);
        }
    }
}

static void the_third_stone_can_lose(void **state)
{
    (void)state;
    static const struct {
        const char *line, *losing;
    } rows[] = {
        {"b2 d5", "f2 b6"},
        {"b2 d6", "e3 f2 b6 g1"},
        {"b2 f6", ""},
        {"b4 f4", "c4 a4"},
        {"b4 a4", "c4"},
        {"a1 c5", ""},
        {"a1 d6", "e3 c3 f2 b6 g1 d1 a4 a7"},
        {"a1 d7", "d1"},
        {"a4 e4", "a1 a7"},
        {"a4 a1", "a7"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct kv_position position = position_after(rows[r].line);
        kv_move moves[KV_MOVES_MAX];
        int count = kv_moves(&rules, &position, moves);
        assert_int_equal(count, 22);
        for (int i = 0; i < count; i++) {
            char text[KV_MOVE_TEXT_MAX];
            struct kv_position next = after(&position, moves[i]);
            bool loses = strstr(rows[r].losing, kv_move_write(&rules, moves[i], text)) != NULL;
            assert_int_equal(-outcome_of(&next), loses ? -1 : 0);
        }
    }
}

/* ---- Which positions, which rules ------------------------------------------------------------- */

/* A position after so many random turns. */
static struct kv_position wander(struct kv_random *random, int plies)
{
    struct kv_position position = position_after("");
    for (int i = 0; i < plies; i++) {
        kv_move moves[KV_MOVES_MAX];
        int count = kv_moves(&rules, &position, moves);
        position = after(&position, moves[kv_random_below(random, (uint32_t)count)]);
    }
    return position;
}

static void images_are_equal(void **state)
{
    (void)state;
    struct kv_random random = {5};
    int decided = 0;
    for (int i = 0; i < 2000; i++) {
        struct kv_position position = wander(&random, i % (KV_OPENING_PLIES + 1)), image, swapped;
        int value = outcome_of(&position);
        decided += value != 0;
        for (int s = 0; s < kv_board_of(&rules)->symmetries; s++) {
            kv_position_transform(&rules, &position, s, &image);
            assert_int_equal(outcome_of(&image), value);
            kv_position_swap_colours(&image, &swapped);
            assert_int_equal(outcome_of(&swapped), value);
        }
    }
    assert_true(decided > 100);
}

static void only_classic_rules_have_it(void **state)
{
    (void)state;
    static const struct {
        const char *rule, *value;
        bool known;
    } rows[] = {
        {"Flying", "false", false},          {"MillProtection", "never", false},
        {"MillProtection", "always", false}, {"DoubleMill", "two", false},
        {"RecloseMill", "not-twice", false}, {"NoCaptureLimit", "100", false},
        {"Repetition", "0", true},           {"FirstMove", "black", true},
    };
    for (size_t r = 0; r <= sizeof rows / sizeof *rows; r++) {
        struct kv_rules other;
        struct kv_tablebase *tablebase;
        struct kv_position start;
        struct kv_value value;
        bool known = r < sizeof rows / sizeof *rows && rows[r].known;
        kv_rules_init(&other, 0);
        if (r == sizeof rows / sizeof *rows)
            other.stones = 10;
        else
            assert_int_equal(kv_rule_set(&other, kv_rule_find(rows[r].rule, strlen(rows[r].rule)),
                                         rows[r].value, strlen(rows[r].value), NULL),
                             KV_OK);
        kv_position_start(&other, &start);
        assert_int_equal(kv_tablebase_create(&tablebase, &other), KV_OK);
        assert_int_equal(kv_tablebase_knows_opening(tablebase, &start), known);
        assert_int_equal(kv_tablebase_in_opening(tablebase, &start), known);
        assert_int_equal(kv_tablebase_probe(tablebase, &start, &value), known ? KV_OK : KV_E_NOT_FOUND);
        kv_tablebase_destroy(tablebase);
    }
}

static void it_ends_after_eight_plies(void **state)
{
    (void)state;
    struct kv_random random = {6};
    for (int i = 0; i < 100; i++) {
        struct kv_position position = wander(&random, KV_OPENING_PLIES + 1);
        struct kv_value value;
        assert_false(kv_tablebase_covers(tables, &position));
        assert_false(kv_tablebase_in_opening(tables, &position));
        assert_int_equal(kv_tablebase_probe(tables, &position, &value), KV_E_NOT_FOUND);
    }
    struct kv_position due = position_after("a1 d6 a4 f6 a7");
    assert_int_equal(due.due, 1);
    assert_false(kv_tablebase_covers(tables, &due));
    assert_true(kv_tablebase_in_opening(tables, &due));
}

/* ---- Searching -------------------------------------------------------------------------------- */

static const struct kv_search_settings usual = {.threads = 1, .multipv = 1, .skill = KV_SKILL_MAX};

static struct kv_search_result run(const struct kv_position *position, struct kv_limits limits,
                                   struct kv_search_settings settings, struct kv_tablebase *tablebase)
{
    struct kv_game game;
    struct kv_search_result result;
    assert_int_equal(kv_game_init(&game, &rules), KV_OK);
    assert_int_equal(kv_game_set(&game, position), KV_OK);
    limits.start_ns = kv_clock_ns();
    kv_search_clear(search);
    kv_search_arm(search, false);
    assert_int_equal(kv_search_run(search, &game, &limits, &settings, tablebase, NULL, NULL, &result), KV_OK);
    kv_game_finish(&game);
    return result;
}

static void the_search_keeps_the_value(void **state)
{
    (void)state;
    struct kv_random random = {7};
    int decided = 0;
    for (int i = 0; i < 200; i++) {
        struct kv_position position = wander(&random, 2 + i % 6);
        struct kv_search_result result =
            run(&position, (struct kv_limits){.depth = 4 + i % 3}, usual, tables);
        struct kv_position next = after(&position, result.best);
        int value = outcome_of(&position);
        decided += value != 0;
        assert_int_equal(-outcome_of(&next), value);
        assert_int_equal((result.score > 0) - (result.score < 0), value);
    }
    assert_true(decided > 20);
}

/* Among moves that are asked for, the best of them; a capture that is due, too. */
static void limited_choices_keep_what_they_can(void **state)
{
    (void)state;
    struct kv_position position = position_after("a1 d6");
    kv_move moves[2];
    assert_int_equal(kv_move_read(&rules, &position, "a4", 2, &moves[0], NULL), KV_OK);
    assert_int_equal(kv_move_read(&rules, &position, "b2", 2, &moves[1], NULL), KV_OK);
    struct kv_limits limits = {.depth = 5, .moves = moves, .move_count = 2};
    assert_int_equal(run(&position, limits, usual, tables).best, moves[1]);
    limits.move_count = 1;
    struct kv_search_result result = run(&position, limits, usual, tables);
    assert_int_equal(result.best, moves[0]);
    assert_true(result.score < 0);

    struct kv_random random = {8};
    for (int tried = 0; tried < 50;) {
        position = wander(&random, 5 + (int)kv_random_below(&random, 3));
        kv_move all[KV_MOVES_MAX];
        int count = kv_moves(&rules, &position, all), best = -1, i = 0;
        while (i < count && kv_move_capture(all[i]) == KV_NO_POINT)
            i++;
        if (i == count)
            continue;
        tried++;
        kv_move half = kv_move_make(KV_NO_POINT, kv_move_to(all[i]), KV_NO_POINT, KV_NO_POINT);
        struct kv_position due = after(&position, half);
        assert_int_equal(due.due, 1);
        count = kv_moves(&rules, &due, all);
        for (i = 0; i < count; i++) {
            struct kv_position next = after(&due, all[i]);
            best = -outcome_of(&next) > best ? -outcome_of(&next) : best;
        }
        struct kv_position next = after(&due, run(&due, (struct kv_limits){.depth = 4}, usual, tables).best);
        assert_int_equal(-outcome_of(&next), best);
    }
}

/* What a search proves that knows nothing of the opening, to the end of the game, the opening says too. */
static void proofs_agree(void **state)
{
    (void)state;
    static const char *const won[] = {
        "*O***O*O/****O@**/*****@** w p p 4 5 2 5 0 0", "@*****O*/*OO*****/@@****O@ w p p 4 5 4 5 0 0",
        "*@@@***@/O**OO**O/******** w p p 4 5 4 5 0 0", "*@******/*O*OO***/O@@@**** w p p 4 5 4 5 0 0",
        "O****@@@/****O***/O***O*@* w p p 4 5 4 5 0 0",
    };
    int proved = 0;
    assert_int_equal(kv_search_set_hash(search, 64), KV_OK);
    for (size_t i = 0; i < sizeof won / sizeof *won; i++) {
        struct kv_position position;
        struct kv_error error;
        if (kv_position_read(&rules, won[i], strlen(won[i]), &position, &error))
            fail_msg("%s: %s", won[i], error.text);
        assert_int_equal(outcome_of(&position), 1);
        struct kv_limits limits = {.depth = 30, .nodes = 1500000};
        struct kv_search_result result = run(&position, limits, usual, NULL);
        proved += kv_score_is_mate(result.score);
        assert_false(kv_score_is_mate(result.score) && result.score < 0);
    }
    assert_true(proved >= 3);
    assert_int_equal(kv_search_set_hash(search, 16), KV_OK);
    struct kv_random random = {9};
    for (int i = 0; i < 100; i++) {
        struct kv_position position = wander(&random, KV_OPENING_PLIES);
        struct kv_search_result result = run(&position, (struct kv_limits){.nodes = 10000}, usual, NULL);
        if (kv_score_is_mate(result.score))
            assert_int_equal(outcome_of(&position), result.score > 0 ? 1 : -1);
    }
}

/* ---- Variety ---------------------------------------------------------------------------------- */

static kv_move choice(const struct kv_position *position, uint64_t seed)
{
    struct kv_search_settings settings = usual;
    settings.seed = seed;
    return run(position, (struct kv_limits){.depth = 2}, settings, tables).best;
}

static void seeds_vary_drawn_openings(void **state)
{
    (void)state;
    static const char *const lines[] = {"", "a1 d6", "a1 d6 d2", "b4 f4 b2 d6"};
    for (size_t l = 0; l < sizeof lines / sizeof *lines; l++) {
        struct kv_position position = position_after(lines[l]);
        kv_move seen[50];
        int different = 0;
        assert_int_equal(outcome_of(&position), 0);
        for (uint64_t seed = 1; seed <= 50; seed++) {
            kv_move move = choice(&position, seed);
            struct kv_position next = after(&position, move);
            assert_int_equal(outcome_of(&next), 0);
            assert_int_equal(choice(&position, seed), move);
            int i = 0;
            while (i < different && seen[i] != move)
                i++;
            if (i == different)
                seen[different++] = move;
        }
        assert_true(different >= 5);
    }
}

/* Moves after which more replies lose come up more often. After a1 the 23 replies weigh 65: one each, and one
 * for each third move that loses (OPENING.md has one of every two that are equal); d6 and its mirror image
 * f4 weigh nine each. */
static void traps_are_preferred(void **state)
{
    (void)state;
    enum { TRIED = 1300, EXPECTED = TRIED * 18 / 65 };
    struct kv_position position = position_after("a1");
    uint32_t d6 = position_after("a1 d6").stones[1], f4 = position_after("a1 f4").stones[1];
    int traps = 0;
    for (uint64_t seed = 1; seed <= TRIED; seed++) {
        struct kv_position next = after(&position, choice(&position, seed));
        traps += next.stones[1] == d6 || next.stones[1] == f4;
    }
    assert_in_range(traps, EXPECTED - 80, EXPECTED + 80);
}

/* Without a seed, in analysis and where several lines are wanted the choice is the search's. */
static void the_rest_is_left_to_the_search(void **state)
{
    (void)state;
    struct kv_position position = position_after("a1 d6");
    struct kv_limits limits = {.depth = 5};
    struct kv_search_result plain = run(&position, limits, usual, tables);
    for (uint64_t seed = 1; seed <= 8; seed++) {
        struct kv_search_settings settings = usual;
        settings.seed = seed;
        settings.analyse = true;
        struct kv_search_result other = run(&position, limits, settings, tables);
        assert_int_equal(other.best, plain.best);
        assert_int_equal(other.nodes, plain.nodes);
        settings.analyse = false;
        settings.multipv = 2;
        struct kv_search_result lines = run(&position, limits, settings, tables);
        settings.seed = 0;
        other = run(&position, limits, settings, tables);
        assert_int_equal(other.best, lines.best);
        assert_int_equal(other.nodes, lines.nodes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_follow_from_moves),
        cmocka_unit_test(two_stones_draw),
        cmocka_unit_test(the_third_stone_can_lose),
        cmocka_unit_test(images_are_equal),
        cmocka_unit_test(only_classic_rules_have_it),
        cmocka_unit_test(it_ends_after_eight_plies),
        cmocka_unit_test(the_search_keeps_the_value),
        cmocka_unit_test(limited_choices_keep_what_they_can),
        cmocka_unit_test(proofs_agree),
        cmocka_unit_test(seeds_vary_drawn_openings),
        cmocka_unit_test(traps_are_preferred),
        cmocka_unit_test(the_rest_is_left_to_the_search),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down) == 0 ? 0 : 1;
}
