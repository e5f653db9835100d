/* The tables derived from the list of mills, against the board as drawn. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/bits.h"
#include "board/board_tables.h"
#include "board/geometry.h"
#include "naive/naive.h"

static const struct kv_board *nine(void)
{
    struct kv_rules rules;
    kv_rules_init(&rules, 0);
    return kv_boards[rules.board];
}

static unsigned at(const char *name)
{
    const struct kv_board *board = nine();
    for (unsigned p = 0; p < 24; p++)
        if (strncmp(board->point_names[p], name, 2) == 0)
            return p;
    fail_msg("no point %s", name);
    return 0;
}

static uint32_t set(const char *names)
{
    uint32_t result = 0;
    for (; *names; names += names[2] ? 3 : 2)
        result |= 1u << at(names);
    return result;
}

static void the_board_has_its_numbers(void **state)
{
    (void)state;
    const struct kv_board *board = nine();
    assert_int_equal(board->points, 24);
    assert_int_equal(board->mills, 16);
    assert_int_equal(board->edges, 32);
    assert_int_equal(board->symmetries, 16);
    assert_int_equal(board->all, 0xffffff);
    assert_string_equal(board->point_names[0], "d5");
    assert_string_equal(board->point_names[7], "c5");
    assert_string_equal(board->point_names[8], "d6");
    assert_string_equal(board->point_names[16], "d7");
    assert_string_equal(board->point_names[23], "a7");
}

static void neighbours_are_those_of_the_drawing(void **state)
{
    (void)state;
    const struct kv_board *board = nine();
    static const char *const neighbours[24][2] = {
        {"a7", "d7 a4"},       {"d7", "a7 g7 d6"},    {"g7", "d7 g4"},       {"b6", "d6 b4"},
        {"d6", "d7 d5 b6 f6"}, {"f6", "d6 f4"},       {"c5", "d5 c4"},       {"d5", "c5 e5 d6"},
        {"e5", "d5 e4"},       {"a4", "a7 a1 b4"},    {"b4", "a4 c4 b6 b2"}, {"c4", "b4 c5 c3"},
        {"e4", "e5 e3 f4"},    {"f4", "e4 g4 f6 f2"}, {"g4", "g7 g1 f4"},    {"c3", "c4 d3"},
        {"d3", "c3 e3 d2"},    {"e3", "d3 e4"},       {"b2", "b4 d2"},       {"d2", "b2 f2 d3 d1"},
        {"f2", "d2 f4"},       {"a1", "a4 d1"},       {"d1", "a1 g1 d2"},    {"g1", "d1 g4"},
    };
    for (int i = 0; i < 24; i++)
        assert_int_equal(board->neighbours[at(neighbours[i][0])], set(neighbours[i][1]));
}

static void mills_and_their_tables_agree(void **state)
{
    (void)state;
    const struct kv_board *board = nine();
    for (int m = 0; m < NAIVE_MILLS; m++) {
        int found = 0;
        for (int k = 0; k < board->mills; k++)
            found += board->mill_points[k] == set(naive_mill_names[m]);
        assert_int_equal(found, 1);
    }
    for (int p = 0; p < 24; p++) {
        assert_int_equal(board->lines[p], 2);
        for (int i = 0; i < 2; i++) {
            uint32_t line = board->mill_points[board->line[p][i]];
            assert_true(line >> p & 1);
            assert_int_equal(board->partners[p][i], line & ~(1u << p));
        }
        assert_int_not_equal(board->line[p][0], board->line[p][1]);
        assert_int_equal(board->partners[p][2], UINT32_MAX);
    }
    for (int m = 0; m < board->mills; m++)
        for (int i = 0; i < 2; i++) /* in the order in which they lie */
            assert_true(board->neighbours[board->mill_order[m][i]] >> board->mill_order[m][i + 1] & 1);
}

static void symmetries_are_the_sixteen(void **state)
{
    (void)state;
    const struct kv_board *board = nine();
    bool quarter = false, mirror = false, inside_out = false;
    for (int s = 0; s < 16; s++) {
        const uint8_t *image = board->image[s];
        uint32_t hit = 0;
        for (int p = 0; p < 24; p++) {
            hit |= 1u << image[p];
            assert_int_equal(board->image[board->inverse[s]][image[p]], p);
            uint32_t moved = 0;
            for (uint32_t others = board->neighbours[p]; others;)
                moved |= 1u << image[kv_take(&others)];
            assert_int_equal(moved, board->neighbours[image[p]]);
        }
        assert_int_equal(hit, 0xffffff);
        for (int t = 0; t < s; t++)
            assert_memory_not_equal(image, board->image[t], 24);
        quarter |= image[at("a7")] == at("g7") && image[at("g7")] == at("g1") && image[at("b6")] == at("f6");
        mirror |= image[at("a7")] == at("g7") && image[at("g7")] == at("a7") && image[at("d5")] == at("d5");
        inside_out |=
            image[at("a7")] == at("c5") && image[at("c5")] == at("a7") && image[at("d6")] == at("d6");
    }
    for (int p = 0; p < 24; p++)
        assert_int_equal(board->image[0][p], p);
    assert_true(quarter && mirror && inside_out);
}

static void sets_are_mapped_point_by_point(void **state)
{
    (void)state;
    const struct kv_board *board = nine();
    for (int s = 0; s < 16; s++)
        for (uint32_t i = 1; i < 200; i++) {
            uint32_t points = i * 0x9e3779b9u & board->all, expected = 0;
            for (uint32_t rest = points; rest;)
                expected |= 1u << board->image[s][kv_take(&rest)];
            assert_int_equal(kv_symmetry_set(board, s, points), expected);
        }
}

static void closing_points_are_those_with_both_partners(void **state)
{
    (void)state;
    struct kv_rules rules;
    kv_rules_init(&rules, 0);
    for (uint32_t i = 0; i < 4000; i++) {
        uint32_t points = i * 0x9e3779b9u >> (i & 7) & 0xffffff, once = 0, twice = 0, found;
        for (int p = 0; p < 24; p++) {
            int lines = 0;
            for (int m = 0; m < NAIVE_MILLS; m++) {
                uint32_t mill = set(naive_mill_names[m]);
                lines += mill >> p & 1 && (mill & ~points & ~(1u << p)) == 0;
            }
            once |= (uint32_t)(lines >= 1) << p;
            twice |= (uint32_t)(lines >= 2) << p;
        }
        assert_int_equal(kv_closing(rules.board, points, &found), once);
        assert_int_equal(found, twice);
        assert_int_equal(kv_closing(rules.board, points, NULL), once);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_board_has_its_numbers),
        cmocka_unit_test(neighbours_are_those_of_the_drawing),
        cmocka_unit_test(mills_and_their_tables_agree),
        cmocka_unit_test(symmetries_are_the_sixteen),
        cmocka_unit_test(sets_are_mapped_point_by_point),
        cmocka_unit_test(closing_points_are_those_with_both_partners),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
