#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "board/movegen.h"
#include "tablebase/tablebase.h"

static struct kv_tablebase *solved(const struct kv_rules *rules)
{
    struct kv_tablebase *tablebase;
    assert_int_equal(kv_tablebase_create(&tablebase, rules), KV_OK);
    kv_tablebase_want(tablebase);
    assert_true(kv_tablebase_wait(tablebase, INT64_MAX));
    return tablebase;
}

static struct kv_value probed(struct kv_tablebase *tablebase, const struct kv_position *position)
{
    struct kv_value value;
    assert_int_equal(kv_tablebase_probe(tablebase, position, &value), KV_OK);
    return value;
}

/* ---- Brute force: three against three, no symmetry, no ranks -----------------------------------
 * Value iteration over pairs of sets numbered as they come. */

struct brute {
    const struct kv_rules *rules;
    uint32_t sets[2024];
    uint16_t *number;  /* by set */
    uint8_t *distance; /* by mover's number * 2024 + other's: plies + 1; 0 = not decided */
};

static uint8_t brute_value(const struct brute *brute, uint32_t movers, uint32_t others, int round)
{
    struct kv_position position = {.stones = {movers, others}};
    kv_move moves[KV_MOVES_MAX];
    int count = kv_moves(brute->rules, &position, moves);
    bool all_won = true;
    for (int i = 0; i < count; i++) {
        struct kv_position next = position;
        kv_position_play(brute->rules, &next, moves[i]);
        if (kv_popcount(next.stones[1]) < 3)
            return 2;
        int distance = brute->distance[brute->number[next.stones[1]] * 2024 + brute->number[next.stones[0]]];
        if (distance == 0 || distance > round)
            all_won = false;
        else if (distance & 1)
            return (uint8_t)(round + 1);
    }
    return all_won ? (uint8_t)(round + 1) : 0;
}

static void brute_force(struct brute *brute)
{
    int total = 0, changed = 1, quiet_rounds = 0;
    brute->number = calloc(1 << 24, sizeof *brute->number);
    brute->distance = calloc(2024 * 2024, 1);
    assert_true(brute->number && brute->distance);
    for (uint32_t a = 0; a < 24; a++)
        for (uint32_t b = 0; b < a; b++)
            for (uint32_t c = 0; c < b; c++) {
                brute->sets[total] = 1u << a | 1u << b | 1u << c;
                brute->number[brute->sets[total]] = (uint16_t)total;
                total++;
            }
    for (int round = 0; quiet_rounds < 2; round++) {
        changed = 0;
        for (int i = 0; i < total; i++)
            for (int j = 0; j < total; j++)
                if ((brute->sets[i] & brute->sets[j]) == 0 && brute->distance[i * 2024 + j] == 0) {
                    uint8_t value = brute_value(brute, brute->sets[i], brute->sets[j], round);
                    brute->distance[i * 2024 + j] = value;
                    changed += value > 0;
                }
        quiet_rounds = changed ? 0 : quiet_rounds + 1;
    }
}

static void check_brute_force(const struct kv_rules *rules)
{
    struct brute brute = {.rules = rules};
    struct kv_tablebase *tablebase = solved(rules);
    brute_force(&brute);
    for (int i = 0; i < 2024; i++)
        for (int j = 0; j < 2024; j++) {
            struct kv_position position = {.stones = {brute.sets[i], brute.sets[j]}};
            if (brute.sets[i] & brute.sets[j])
                continue;
            struct kv_value value = probed(tablebase, &position);
            int distance = brute.distance[i * 2024 + j];
            assert_int_equal(value.outcome, distance == 0 ? 0 : distance & 1 ? -1 : 1);
            assert_int_equal(value.plies, distance == 0 ? 0 : distance - 1);
        }
    free(brute.number);
    free(brute.distance);
    kv_tablebase_destroy(tablebase);
}

static void three_against_three_equals_brute_force(void **state)
{
    (void)state;
    struct kv_rules rules;
    kv_rules_init(&rules, 0);
    check_brute_force(&rules);
    rules.flying = false;
    rules.mill_protection = KV_PROTECT_ALWAYS;
    check_brute_force(&rules);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_against_three_equals_brute_force),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
