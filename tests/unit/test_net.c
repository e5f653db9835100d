/* The network: its inputs, its arithmetic, and that it has learnt something. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/bits.h"
#include "base/random.h"
#include "board/geometry.h"
#include "eval/eval.h"
#include "eval/net.h"
#include "tablebase/tablebase.h"

extern const int16_t kv_net_numbers[];
extern const size_t kv_net_numbers_size;

/* A position after some random moves of the classic game; false when the game is over. */
static bool wander(struct kv_random *random, int plies, struct kv_position *position)
{
    struct kv_rules rules;
    kv_rules_init(&rules, 0);
    kv_position_start(&rules, position);
    for (int i = 0; i < plies && kv_position_result(&rules, position, NULL) == KV_ONGOING; i++) {
        kv_move moves[KV_MOVES_MAX];
        int count = kv_moves(&rules, position, moves);
        kv_position_play(&rules, position, moves[kv_random_below(random, (uint32_t)count)]);
    }
    return kv_position_result(&rules, position, NULL) == KV_ONGOING;
}

/* Who stands on a point, for the side to move: 0 nobody, 1 itself, 2 the other. */
static int holder(const struct kv_position *position, int point)
{
    return (int)(position->stones[position->side] >> point & 1) +
           2 * (int)(position->stones[position->side ^ 1] >> point & 1);
}

/* The inputs by the words of net.h, point by point. */
static void name_inputs(const struct kv_position *position, bool active[KV_NET_INPUTS])
{
    const struct kv_board *board = kv_boards[0];
    memset(active, 0, KV_NET_INPUTS);
    for (int m = 0; m < board->mills; m++) {
        int state = 0;
        for (int p = 0; p < 24; p++)
            if (board->mill_points[m] >> p & 1)
                state = state * 3 + holder(position, p);
        active[m * 27 + state] = true;
    }
    for (int p = 0; p < 24; p++) {
        int empty = 0;
        for (int q = 0; q < 24; q++)
            empty += (board->neighbours[p] >> q & 1) && holder(position, q) == 0;
        active[432 + p * 15 + holder(position, p) * 5 + empty] = true;
    }
    for (int i = 0; i < 2; i++) {
        int side = position->side ^ i, stones = kv_popcount(position->stones[side]);
        active[792 + 10 * i + position->hand[side]] = true;
        active[812 + 2 * i + (position->hand[side] == 0 && stones == 3)] = true;
    }
}

static int clamp(int number)
{
    return number < 0 ? 0 : number > 127 ? 127 : number;
}

static int plain_score(const struct kv_position *position)
{
    const int16_t *first = kv_net_numbers, *bias = first + KV_NET_INPUTS * KV_NET_FIRST;
    const int16_t *phase =
        bias + KV_NET_FIRST + kv_net_phase(position) * (KV_NET_SECOND * (KV_NET_FIRST + 2) + 1);
    bool active[KV_NET_INPUTS];
    int out[KV_NET_FIRST];
    name_inputs(position, active);
    for (int i = 0; i < KV_NET_FIRST; i++) {
        int sum = bias[i];
        for (int input = 0; input < KV_NET_INPUTS; input++)
            sum += active[input] ? first[input * KV_NET_FIRST + i] : 0;
        assert_in_range(sum + 32768, 0, 65535);
        out[i] = clamp(sum >> 2);
    }
    const int16_t *second_bias = phase + KV_NET_SECOND * KV_NET_FIRST, *result = second_bias + KV_NET_SECOND;
    int64_t sum = result[KV_NET_SECOND] * 127;
    for (int unit = 0; unit < KV_NET_SECOND; unit++) {
        int64_t second = second_bias[unit] * 127;
        for (int i = 0; i < KV_NET_FIRST; i++)
            second += phase[unit * KV_NET_FIRST + i] * out[i];
        sum += result[unit] * clamp((int)(second >> 6));
    }
    return (int)(sum / (256 * 127 / KV_NET_CENTISTONES));
}

static void scores_are_those_of_plain_arithmetic(void **state)
{
    (void)state;
    struct kv_random random = {3};
    bool phases[KV_NET_PHASES] = {false};
    int seen = 0;
    assert_int_equal(kv_net_numbers_size, KV_NET_SIZE);
    for (int game = 0; game < 4000; game++) {
        struct kv_position position;
        uint16_t inputs[KV_NET_ACTIVE];
        bool active[KV_NET_INPUTS];
        if (!wander(&random, game % 120, &position) || position.due)
            continue;
        kv_net_inputs(&position, inputs);
        name_inputs(&position, active);
        int count = 0;
        for (int i = 0; i < KV_NET_INPUTS; i++)
            count += active[i];
        assert_int_equal(count, KV_NET_ACTIVE);
        for (int i = 0; i < KV_NET_ACTIVE; i++)
            assert_true(active[inputs[i]]);
        assert_int_equal(kv_net_score(&position), plain_score(&position));
        assert_in_range(kv_net_score(&position) + KV_EVAL_MAX, 0, 2 * KV_EVAL_MAX);
        phases[kv_net_phase(&position)] = true;
        seen++;
    }
    assert_true(seen > 2000);
    for (int phase = 0; phase < KV_NET_PHASES; phase++)
        assert_true(phases[phase]);
}

/* The colours are the same to it. */
static void colours_do_not_matter(void **state)
{
    (void)state;
    struct kv_random random = {5};
    for (int game = 0; game < 500; game++) {
        struct kv_position position, other;
        wander(&random, game % 80, &position);
        kv_position_swap_colours(&position, &other);
        assert_int_equal(kv_net_score(&other), kv_net_score(&position));
    }
}

/* Three stones against three: of all endgames the one where everything is tactics. Tables that owe the
 * network nothing say how it ends. */
static void results_are_foreseen(void **state)
{
    (void)state;
    struct kv_rules rules;
    struct kv_random random = {9};
    struct kv_tablebase *tables;
    int right = 0, tried = 0;
    kv_rules_init(&rules, 0);
    assert_int_equal(kv_tablebase_create(&tables, &rules), KV_OK);
    kv_tablebase_want(tables);
    assert_true(kv_tablebase_wait(tables, INT64_MAX));
    while (tried < 3000) {
        struct kv_position position = {.side = KV_WHITE};
        struct kv_value value;
        for (int stones = 0; stones < 6;) {
            uint32_t point = 1u << kv_random_below(&random, 24);
            if ((position.stones[0] | position.stones[1]) & point)
                continue;
            position.stones[stones++ & 1] |= point;
        }
        assert_int_equal(kv_tablebase_probe(tables, &position, &value), KV_OK);
        if (value.outcome == 0)
            continue;
        right += (kv_net_score(&position) > 0) == (value.outcome > 0);
        tried++;
    }
    assert_true(right > 2550); /* always "won" would be right in 83 % */
    kv_tablebase_destroy(tables);
}

static void odds_add_up(void **state)
{
    (void)state;
    struct kv_rules rules;
    int before = -1;
    kv_rules_init(&rules, 0);
    for (int score = -2000; score <= 2000; score += 10) {
        int wdl[3];
        kv_expected_results(&rules, score, wdl);
        assert_int_equal(wdl[0] + wdl[1] + wdl[2], 1000);
        assert_true(wdl[0] >= before && wdl[0] >= 0 && wdl[1] >= 0 && wdl[2] >= 0);
        before = wdl[0];
    }
    assert_true(before > 990);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scores_are_those_of_plain_arithmetic),
        cmocka_unit_test(colours_do_not_matter),
        cmocka_unit_test(results_are_foreseen),
        cmocka_unit_test(odds_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
