/* Whole tables against those that other solvers found: tests/tablebase has the numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <inttypes.h>

#include "tablebase_support.h"

static const uint64_t plenty = UINT64_C(4) << 30;

/* A number, or a dash for none. */
static uint64_t field(char **line)
{
    char *word = strsep(line, "\t\n");
    assert_non_null(word);
    return strcmp(word, "-") == 0 ? 0 : strtoull(word, NULL, 10);
}

static int compare_rows(struct workshop *workshop, const char *name, bool hands, int columns)
{
    char path[400], buffer[400];
    const char *sources = getenv("KVERN_SOURCE");
    snprintf(path, sizeof path, "%s/tests/tablebase/%s", sources ? sources : ".", name);
    FILE *file = fopen(path, "r");
    int rows = 0;
    assert_non_null(file);
    assert_non_null(fgets(buffer, sizeof buffer, file));
    while (fgets(buffer, sizeof buffer, file)) {
        char *rest = buffer;
        uint64_t totals[8];
        struct kv_subspace subspace = {0};
        subspace.mover = (uint8_t)field(&rest);
        subspace.other = (uint8_t)field(&rest);
        subspace.hand_mover = hands ? (uint8_t)field(&rest) : 0;
        subspace.hand_other = hands ? (uint8_t)field(&rest) : 0;
        read_totals(workshop, subspace, totals);
        for (int column = 0; column < columns; column++)
            assert_int_equal(totals[column], field(&rest));
        rows++;
    }
    fclose(file);
    return rows;
}

static void build(struct workshop *workshop, int phases, int max_stones, bool all_hands)
{
    struct kv_error error;
    if (build_tables(workshop, phases, max_stones, all_hands, plenty, &error) != KV_OK)
        fail_msg("%s", error.text);
}

static void the_game_of_four_stones_is_that_of_other_solvers(void **state)
{
    (void)state;
    struct workshop workshop;
    struct kv_rules rules;
    kv_rules_init(&rules, 0);
    rules.stones = 4;
    open_workshop(&workshop, &rules, 2);
    build(&workshop, KV_PLAN_MOVING | KV_PLAN_PLACING, 18, true);
    assert_int_equal(compare_rows(&workshop, "placing-4-stones.tsv", true, 6), 28);
    verify_tables(&workshop, KV_PLAN_MOVING | KV_PLAN_PLACING, 18, true);
    close_workshop(&workshop);
}

static void moving_to_nine_stones_is_that_of_other_solvers(void **state)
{
    (void)state;
    struct workshop workshop;
    struct kv_rules rules;
    kv_rules_init(&rules, 0);
    open_workshop(&workshop, &rules, 2);
    build(&workshop, KV_PLAN_MOVING, 9, false);
    assert_int_equal(compare_rows(&workshop, "moving-small.tsv", false, 8), 10);
    close_workshop(&workshop);
}

static void house_rules_to_eight_stones_fit_their_successors(void **state)
{
    (void)state;
    for (int variant = 0; variant < 4; variant++) {
        struct workshop workshop;
        struct kv_rules rules;
        kv_rules_init(&rules, 0);
        rules.flying = variant % 2 == 0;
        rules.double_mill = KV_DOUBLE_TWO;
        rules.mill_protection = (uint8_t)(variant % 3);
        open_workshop(&workshop, &rules, 2);
        build(&workshop, KV_PLAN_MOVING, 8, false);
        verify_tables(&workshop, KV_PLAN_MOVING, 8, false);
        close_workshop(&workshop);
    }
}

/* What play can reach with nine stones a side, and how much it is. */
static void the_plan_has_every_subspace_that_play_can_reach(void **state)
{
    (void)state;
    struct kv_rules rules;
    struct kv_index index;
    struct kv_plan plan;
    struct kv_plan_limits limits = {KV_PLAN_MOVING, 18, false};
    uint64_t positions = 0;
    kv_rules_init(&rules, 0);
    assert_int_equal(kv_index_init(&index, kv_boards[0], (2u << 9) - 1), KV_OK);
    assert_int_equal(kv_plan_make(&plan, &rules, &limits), KV_OK);
    for (int i = 0; i < plan.count; i++)
        positions += kv_index_positions(&index, plan.steps[i].mover, plan.steps[i].other) *
                     (plan.steps[i].mover == plan.steps[i].other ? 1 : 2);
    assert_int_equal(plan.count, 28);
    assert_true(positions == UINT64_C(8904593601));
    kv_plan_finish(&plan);
    limits.phases = KV_PLAN_PLACING;
    assert_int_equal(kv_plan_make(&plan, &rules, &limits), KV_OK);
    for (int i = 0; i < plan.count; i++)
        positions += kv_index_positions(&index, plan.steps[i].mover, plan.steps[i].other);
    print_message("%d placing subspaces, %" PRIu64 " positions in all\n", plan.count, positions);
    assert_int_equal(plan.count, 269);
    assert_true(positions == UINT64_C(26743107774));
    kv_plan_finish(&plan);
    kv_index_finish(&index);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_plan_has_every_subspace_that_play_can_reach),
        cmocka_unit_test(the_game_of_four_stones_is_that_of_other_solvers),
        cmocka_unit_test(moving_to_nine_stones_is_that_of_other_solvers),
        cmocka_unit_test(house_rules_to_eight_stones_fit_their_successors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
