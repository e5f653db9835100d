#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/random.h"
#include "board/movegen.h"
#include "builtin_support.h"
#include "tablebase/index.h"
#include "tablebase/tablebase.h"

/* Totals over the positions of a subspace up to symmetry. */
struct totals {
    uint64_t positions, win, draw, loss;
    int longest_win, longest_loss;
    uint64_t win_plies, loss_plies;
};

static void add(struct totals *totals, struct kv_value value)
{
    totals->positions++;
    if (value.outcome == 0) {
        totals->draw++;
    } else if (value.outcome > 0) {
        totals->win++;
        totals->win_plies += (uint64_t)value.plies;
        totals->longest_win = value.plies > totals->longest_win ? value.plies : totals->longest_win;
    } else {
        totals->loss++;
        totals->loss_plies += (uint64_t)value.plies;
        totals->longest_loss = value.plies > totals->longest_loss ? value.plies : totals->longest_loss;
    }
}

/* Every position once, up to symmetry; also by its distance into `by_plies` (may be NULL). */
static struct totals count_all(struct kv_tablebase *tablebase, int a, int b, uint64_t by_plies[256])
{
    struct kv_index index;
    struct totals totals = {0};
    assert_int_equal(kv_index_init(&index, kv_boards[0], 1u << a | 1u << b), KV_OK);
    for (uint64_t slot = 0; slot < kv_index_slots(&index, a, b); slot++) {
        struct kv_position position = {0};
        if (!kv_index_is_first(&index, a, b, slot))
            continue;
        kv_index_position(&index, a, b, slot, &position.stones[0], &position.stones[1]);
        struct kv_value value = probed(tablebase, &position);
        add(&totals, value);
        if (by_plies && value.outcome)
            by_plies[value.plies]++;
    }
    kv_index_finish(&index);
    return totals;
}

static void classic_totals_are_those_of_other_solvers(void **state)
{
    (void)state;
    /* Agreed on by two independent public solvers. */
    static const struct {
        int a, b;
        struct totals totals;
    } rows[] = {
        {3, 3, {169626, 140621, 269, 28736, 25, 26, 522727, 294800}},
        {3, 4, {760398, 102281, 658117, 0, 33, 0, 2438143, 0}},
        {4, 3, {760398, 75397, 681906, 3095, 1, 32, 75397, 81278}},
    };
    static const uint64_t three_three[27] = {0,    66472, 3125, 33775, 4700, 16651, 3998, 6619, 2496,
                                             4770, 2099,  2561, 2160,  3808, 2261,  2506, 2387, 1185,
                                             2116, 776,   2122, 1125,  1079, 346,   123,  27,   70};
    struct kv_rules rules;
    kv_rules_init(&rules, 0);
    struct kv_tablebase *tablebase = solved(&rules);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint64_t by_plies[256] = {0};
        struct totals totals = count_all(tablebase, rows[i].a, rows[i].b, by_plies);
        const struct totals *expected = &rows[i].totals;
        assert_int_equal(totals.positions, expected->positions);
        assert_int_equal(totals.win, expected->win);
        assert_int_equal(totals.draw, expected->draw);
        assert_int_equal(totals.loss, expected->loss);
        assert_int_equal(totals.longest_win, expected->longest_win);
        assert_int_equal(totals.longest_loss, expected->longest_loss);
        assert_int_equal(totals.win_plies, expected->win_plies);
        assert_int_equal(totals.loss_plies, expected->loss_plies);
        if (rows[i].a == rows[i].b)
            assert_memory_equal(by_plies, three_three, sizeof three_three);
    }
    kv_tablebase_destroy(tablebase);
}

/* What the rules say about a position when only its successors' values are known. */
static struct kv_value from_successors(struct kv_tablebase *tablebase, const struct kv_rules *rules,
                                       const struct kv_position *position)
{
    kv_move moves[KV_MOVES_MAX];
    int count = kv_moves(rules, position, moves), win = 1000, loss = 0;
    bool draw = false;
    for (int i = 0; i < count; i++) {
        struct kv_position next = *position;
        kv_position_play(rules, &next, moves[i]);
        struct kv_value value = {-1, 0};
        if (kv_popcount(next.stones[next.side]) >= 3)
            value = probed(tablebase, &next);
        if (value.outcome == 0)
            draw = true;
        else if (value.outcome < 0)
            win = value.plies + 1 < win ? value.plies + 1 : win;
        else
            loss = value.plies + 1 > loss ? value.plies + 1 : loss;
    }
    if (win < 1000)
        return (struct kv_value){1, (int16_t)win};
    return draw ? (struct kv_value){0, 0} : (struct kv_value){-1, (int16_t)loss};
}

static uint32_t random_set(struct kv_random *random, int count, uint32_t free_points)
{
    uint32_t set = 0;
    while (kv_popcount(set) < count) {
        uint32_t bit = 1u << kv_random_below(random, 24);
        if (free_points & bit)
            set |= bit;
    }
    return set;
}

/* Where every value follows from those of the successors, all values are right: distances make wins
 * and losses well-founded, and whoever has a draw can keep it. */
static void check_sample(const struct kv_rules *rules, int samples, uint64_t seed)
{
    struct kv_tablebase *tablebase = solved(rules);
    struct kv_random random = {seed};
    for (int i = 0; i < samples; i++) {
        int a = 3 + (i % 3 == 1), b = 3 + (i % 3 == 2);
        struct kv_position position = {.side = (uint8_t)(i & 1)};
        uint32_t movers = random_set(&random, a, kv_boards[0]->all);
        position.stones[i & 1] = movers;
        position.stones[~i & 1] = random_set(&random, b, kv_boards[0]->all & ~movers);
        struct kv_value value = probed(tablebase, &position);
        struct kv_value expected = from_successors(tablebase, rules, &position);
        assert_int_equal(value.outcome, expected.outcome);
        assert_int_equal(value.plies, expected.plies);
    }
    kv_tablebase_destroy(tablebase);
}

static void every_house_rule_fits_its_successors(void **state)
{
    (void)state;
    for (int variant = 0; variant < 12; variant++) {
        struct kv_rules rules;
        kv_rules_init(&rules, 0);
        rules.flying = variant % 2 == 0;
        rules.mill_protection = (uint8_t)(variant / 2 % 3);
        rules.double_mill = (uint8_t)(variant / 6);
        check_sample(&rules, 8000, 77 + (uint64_t)variant);
    }
}

/* ---- The object ------------------------------------------------------------------------------- */

static void coverage_follows_rules_counts_and_hands(void **state)
{
    (void)state;
    struct kv_rules rules;
    kv_rules_init(&rules, 0);
    struct kv_tablebase *tablebase;
    struct kv_value value;
    struct kv_position position = {.stones = {0x7, 0x38}};
    assert_int_equal(kv_tablebase_create(&tablebase, &rules), KV_OK);
    assert_true(kv_tablebase_covers(tablebase, &position));
    assert_int_equal(kv_tablebase_probe(tablebase, &position, &value), KV_E_NOT_FOUND);
    assert_false(kv_tablebase_wait(tablebase, INT64_MAX)); /* nothing was wanted */
    position.stones[1] = 0x78;
    assert_true(kv_tablebase_covers(tablebase, &position));
    position.stones[0] = 0x80007;
    assert_false(kv_tablebase_covers(tablebase, &position));
    position.stones[0] = 0x3;
    assert_false(kv_tablebase_covers(tablebase, &position));
    position = (struct kv_position){.stones = {0x7, 0x38}, .hand = {1, 0}};
    assert_false(kv_tablebase_covers(tablebase, &position));
    position = (struct kv_position){.stones = {0x7, 0x38}, .due = 1};
    assert_false(kv_tablebase_covers(tablebase, &position));
    kv_tablebase_destroy(tablebase);

    position = (struct kv_position){.stones = {0x7, 0x78}};
    rules.stones = 3;
    tablebase = solved(&rules);
    assert_false(kv_tablebase_covers(tablebase, &position));
    assert_int_equal(kv_tablebase_probe(tablebase, &position, &value), KV_E_NOT_FOUND);
    position.stones[1] = 0x38;
    assert_int_equal(kv_tablebase_probe(tablebase, &position, &value), KV_OK);
    kv_tablebase_destroy(tablebase);
}

static void rules_with_memory_are_not_covered(void **state)
{
    (void)state;
    struct kv_position position = {.stones = {0x7, 0x38}};
    for (int i = 0; i < 2; i++) {
        struct kv_rules rules;
        struct kv_tablebase *tablebase;
        kv_rules_init(&rules, 0);
        rules.reclose_mill = i == 0 ? KV_RECLOSE_NOT_TWICE : KV_RECLOSE_ALLOWED;
        rules.no_capture_limit = i == 0 ? 0 : 100;
        assert_int_equal(kv_tablebase_create(&tablebase, &rules), KV_OK);
        kv_tablebase_want(tablebase);
        assert_false(kv_tablebase_wait(tablebase, INT64_MAX));
        assert_false(kv_tablebase_covers(tablebase, &position));
        kv_tablebase_destroy(tablebase);
    }
}

static void destroying_while_computing_ends_it(void **state)
{
    (void)state;
    for (int i = 0; i < 12; i++) {
        struct kv_rules rules;
        struct kv_tablebase *tablebase;
        struct kv_value value;
        struct kv_position position = {.stones = {0x7, 0x38}};
        kv_rules_init(&rules, 0);
        assert_int_equal(kv_tablebase_create(&tablebase, &rules), KV_OK);
        kv_tablebase_want(tablebase);
        kv_tablebase_want(tablebase);
        int64_t until = kv_clock_ns() + i * 3000000;
        bool there = kv_tablebase_wait(tablebase, until);
        int status = kv_tablebase_probe(tablebase, &position, &value);
        assert_true(status == KV_OK || !there);
        kv_tablebase_destroy(tablebase);
    }
    kv_tablebase_destroy(NULL);
}

/* ---- The index -------------------------------------------------------------------------------- */

/* A slot leads to an image of its position, and the images of a position to slots of that image. */
static void slots_and_positions_undo_each_other(void **state)
{
    (void)state;
    struct kv_index index;
    struct kv_random random = {11};
    assert_int_equal(kv_index_init(&index, kv_boards[0], 1u << 0 | 1u << 3 | 1u << 8 | 1u << 9), KV_OK);
    static const int sizes[][2] = {{9, 9}, {9, 8}, {8, 9}, {3, 9}, {0, 3}, {3, 0}, {9, 0}};
    for (int i = 0; i < 7000; i++) {
        int a = sizes[i % 7][0], b = sizes[i % 7][1];
        uint32_t movers = random_set(&random, a, kv_boards[0]->all), back_movers, back_others;
        uint32_t others = random_set(&random, b, kv_boards[0]->all & ~movers);
        uint64_t slot = kv_index_slot(&index, a, b, movers, others);
        assert_true(slot < kv_index_slots(&index, a, b));
        kv_index_position(&index, a, b, slot, &back_movers, &back_others);
        assert_int_equal(back_movers & back_others, 0);
        bool image = false;
        int firsts = 0;
        for (int s = 0; s < 16; s++) {
            uint32_t image_movers = kv_symmetry_set(kv_boards[0], s, movers);
            uint32_t image_others = kv_symmetry_set(kv_boards[0], s, others);
            uint64_t of_image = kv_index_slot(&index, a, b, image_movers, image_others);
            image |= image_movers == back_movers && image_others == back_others;
            assert_int_equal(of_image / kv_index_block(&index, a, b), slot / kv_index_block(&index, a, b));
        }
        assert_true(image);
        uint32_t stabiliser = index.classes[a].stabiliser[slot / kv_index_block(&index, a, b)];
        uint64_t seen[16];
        int slots = 0;
        while (stabiliser) {
            uint64_t other = slot / kv_index_block(&index, a, b) * kv_index_block(&index, a, b) +
                             kv_index_inside(&index, a, (uint32_t)(slot / kv_index_block(&index, a, b)),
                                             kv_take(&stabiliser), b, back_others);
            bool known = false;
            for (int k = 0; k < slots; k++)
                known |= seen[k] == other;
            if (known)
                continue;
            seen[slots++] = other;
            firsts += kv_index_is_first(&index, a, b, other);
        }
        assert_int_equal(firsts, 1);
    }
    kv_index_finish(&index);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classic_totals_are_those_of_other_solvers),
        cmocka_unit_test(every_house_rule_fits_its_successors),
        cmocka_unit_test(coverage_follows_rules_counts_and_hands),
        cmocka_unit_test(rules_with_memory_are_not_covered),
        cmocka_unit_test(destroying_while_computing_ends_it),
        cmocka_unit_test(slots_and_positions_undo_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
