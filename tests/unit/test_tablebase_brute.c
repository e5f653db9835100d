#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "board/movegen.h"
#include "builtin_support.h"
#include "tablebase/tablebase.h"

/* ---- Brute force: no symmetry, no ranks ---------------------------------------------------------
 * Value iteration over pairs of sets numbered as they come, round after round: in round d what is won
 * or lost in d plies is found, from the moves of all positions that are not decided. */

enum { SETS_MAX = 10626 };

struct brute {
    const struct kv_rules *rules;
    int count[5];               /* sets of 3 and of 4 points */
    uint32_t sets[5][SETS_MAX]; /* by size and number */
    uint16_t *number;           /* by set */
    /* [a][b], by mover's number and other's: plies + 1; 0 = not decided */
    uint8_t *distance[5][5];
};

static uint8_t *entry(const struct brute *brute, uint32_t movers, uint32_t others)
{
    int a = kv_popcount(movers), b = kv_popcount(others);
    return &brute->distance[a][b]
                           [(size_t)brute->number[movers] * (size_t)brute->count[b] + brute->number[others]];
}

/* Is the position decided in `round` plies, when all shorter ones are known? Wins have odd numbers. */
static bool decided(const struct brute *brute, uint32_t movers, uint32_t others, int round)
{
    struct kv_position position = {.stones = {movers, others}};
    kv_move moves[KV_MOVES_MAX];
    int count = kv_moves(brute->rules, &position, moves);
    bool winning = round & 1;
    for (int i = 0; i < count; i++) {
        struct kv_position next = position;
        kv_position_play(brute->rules, &next, moves[i]);
        int distance = 1;
        if (kv_popcount(next.stones[1]) >= 3)
            distance = *entry(brute, next.stones[1], next.stones[0]);
        bool lost = distance > 0 && distance <= round && (distance & 1);
        bool won = distance > 0 && distance <= round && !(distance & 1);
        if (winning && lost)
            return true;
        if (!winning && !won)
            return false;
    }
    return !winning;
}

static long one_round(const struct brute *brute, int a, int b, int round)
{
    long changed = 0;
    for (int i = 0; i < brute->count[a]; i++)
        for (int j = 0; j < brute->count[b]; j++) {
            uint32_t movers = brute->sets[a][i], others = brute->sets[b][j];
            uint8_t *distance = &brute->distance[a][b][(size_t)i * (size_t)brute->count[b] + (size_t)j];
            if (movers & others || *distance || !decided(brute, movers, others, round))
                continue;
            *distance = (uint8_t)(round + 1);
            changed++;
        }
    return changed;
}

/* Captures from 3-4 and 4-3 lead to 3-3, which is solved with them. */
static void brute_force(struct brute *brute, int most)
{
    brute->number = calloc(1 << 24, sizeof *brute->number);
    assert_non_null(brute->number);
    for (uint32_t set = 7; set < 1u << 24; set++) {
        int size = kv_popcount(set);
        if (size < 3 || size > most)
            continue;
        brute->number[set] = (uint16_t)brute->count[size];
        brute->sets[size][brute->count[size]++] = set;
    }
    for (int a = 3; a <= most; a++)
        for (int b = 3; b <= most && a + b <= 7; b++) {
            brute->distance[a][b] = calloc((size_t)brute->count[a], (size_t)brute->count[b]);
            assert_non_null(brute->distance[a][b]);
        }
    for (int round = 0, quiet = 0; quiet < 3; round++) {
        long changed = 0;
        for (int a = 3; a <= most; a++)
            for (int b = 3; b <= most && a + b <= 7; b++)
                changed += one_round(brute, a, b, round);
        quiet = changed ? 0 : quiet + 1;
    }
}

static void compare(struct kv_tablebase *tablebase, const struct brute *brute, int a, int b)
{
    long compared = 0;
    for (int i = 0; i < brute->count[a]; i++)
        for (int j = 0; j < brute->count[b]; j++) {
            struct kv_position position = {.stones = {brute->sets[a][i], brute->sets[b][j]}};
            if (position.stones[0] & position.stones[1])
                continue;
            struct kv_value value = probed(tablebase, &position);
            int distance = *entry(brute, position.stones[0], position.stones[1]);
            int outcome = distance == 0 ? 0 : distance & 1 ? -1 : 1;
            if (value.outcome != outcome || value.plies != (distance ? distance - 1 : 0))
                fail_msg("%06x %06x: %d in %d, by force %d in %d", position.stones[0], position.stones[1],
                         value.outcome, value.plies, outcome, distance - 1);
            compared++;
        }
    print_message("%d-%d: %ld positions equal\n", a, b, compared);
}

static void check(const struct kv_rules *rules, int most)
{
    struct brute *brute = calloc(1, sizeof *brute);
    struct kv_tablebase *tablebase = solved(rules);
    assert_non_null(brute);
    brute->rules = rules;
    brute_force(brute, most);
    for (int a = 3; a <= most; a++)
        for (int b = 3; b <= most && a + b <= 7; b++) {
            compare(tablebase, brute, a, b);
            free(brute->distance[a][b]);
        }
    free(brute->number);
    free(brute);
    kv_tablebase_destroy(tablebase);
}

static void house_rules_with_three_stones_equal_brute_force(void **state)
{
    (void)state;
    struct kv_rules rules;
    kv_rules_init(&rules, 0);
    rules.flying = false;
    rules.mill_protection = KV_PROTECT_ALWAYS;
    check(&rules, 3);
    rules.flying = true;
    rules.mill_protection = KV_PROTECT_NEVER;
    check(&rules, 3);
}

static void classic_endgames_equal_brute_force(void **state)
{
    (void)state;
    struct kv_rules rules;
    kv_rules_init(&rules, 0);
    check(&rules, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(house_rules_with_three_stones_equal_brute_force),
        cmocka_unit_test(classic_endgames_equal_brute_force),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
