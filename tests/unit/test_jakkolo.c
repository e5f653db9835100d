#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "scoring/jakkolo.h"
#include "scoring/setup.h"

/* As the page says it: 20 for each complete set, and the face values of what is left over. */
static int64_t score_by_sets(const int64_t gates[4])
{
    static const int values[4] = {2, 3, 4, 1};
    int64_t left[4], score = 0;
    memcpy(left, gates, sizeof left);
    while (left[0] > 0 && left[1] > 0 && left[2] > 0 && left[3] > 0) {
        score += 20;
        for (int i = 0; i < 4; i++)
            left[i]--;
    }
    for (int i = 0; i < 4; i++)
        score += values[i] * left[i];
    return score;
}

static int64_t best_by_trial(const int64_t from[4], int64_t discs)
{
    int64_t best = 0;
    for (int64_t a = 0; a <= discs; a++)
        for (int64_t b = 0; a + b <= discs; b++)
            for (int64_t c = 0; a + b + c <= discs; c++)
                for (int64_t d = 0; a + b + c + d <= discs; d++) {
                    int64_t score =
                        score_by_sets((int64_t[4]){from[0] + a, from[1] + b, from[2] + c, from[3] + d});
                    best = score > best ? score : best;
                }
    return best;
}

static void worked_totals(void **state)
{
    (void)state;
    static const struct {
        int64_t gates[4], score;
    } cases[] = {
        {{1, 1, 1, 1}, 20},   {{3, 3, 3, 3}, 60},  {{7, 7, 9, 7}, 148}, {{7, 7, 10, 7}, 152},
        {{7, 7, 11, 7}, 156}, {{8, 8, 8, 8}, 160}, {{1, 2, 3, 4}, 34},  {{0, 0, 0, 0}, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(kv_jakkolo_score(cases[i].gates), cases[i].score);
}

static void the_formula_is_the_counting_of_sets(void **state)
{
    (void)state;
    int64_t g[4];
    for (g[0] = 0; g[0] <= 9; g[0]++)
        for (g[1] = 0; g[1] <= 9; g[1]++)
            for (g[2] = 0; g[2] <= 9; g[2]++)
                for (g[3] = 0; g[3] <= 9; g[3]++)
                    assert_int_equal(kv_jakkolo_score(g), score_by_sets(g));
}

static void the_best_of_every_number_of_discs(void **state)
{
    (void)state;
    static const int64_t nothing[4];
    for (int64_t discs = 0; discs <= 32; discs++) {
        int64_t best = kv_jakkolo_best(nothing, discs, NULL);
        assert_int_equal(best, 20 * (discs / 4) + 4 * (discs % 4));
        assert_int_equal(best, best_by_trial(nothing, discs));
    }
}

static void the_best_from_any_gates(void **state)
{
    (void)state;
    struct kv_random random = {7};
    for (int i = 0; i < 3000; i++) {
        int64_t from[4], to[4], discs = kv_random_below(&random, 15), used = 0;
        for (int g = 0; g < 4; g++)
            from[g] = kv_random_below(&random, 8);
        int64_t best = kv_jakkolo_best(from, discs, to);
        assert_int_equal(best, best_by_trial(from, discs));
        assert_int_equal(best, score_by_sets(to));
        for (int g = 0; g < 4; g++) {
            assert_true(to[g] >= from[g]);
            used += to[g] - from[g];
        }
        assert_int_equal(used, discs);
    }
    assert_int_equal(kv_jakkolo_best((int64_t[4]){4, 4, 5, 3}, 14, NULL), 148);
}

/* Plays every attempt at its best and compares the end with the ceilings of the bonus rules. */
static void the_ceilings_of_the_bonus_rules(void **state)
{
    (void)state;
    static const struct {
        const char *words, *inputs[4];
        int64_t total;
    } cases[] = {
        {"A", {"7 7 8 8", "1 1 0 0"}, 160},
        {"A", {"0 0 0 0", "7 7 9 7", "0 0 1 0"}, 152},
        {"A bonus=148", {"7 7 9 7", "0 0 2 0"}, 156},
        {"A bonus=148", {"7 7 9 7", "0 0 1 1"}, 153},
        {"A bonus=148", {"0 0 0 0", "7 7 9 7", "0 0 1 0"}, 152},
        {"A bonus=none", {"7 7 9 7"}, 148},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct kv_card_setup *setup = NULL;
        assert_int_equal(kv_card_setup_read(&kv_jakkolo_module, kv_span_of(cases[i].words), &setup, NULL),
                         KV_OK);
        struct kv_jakkolo *game = kv_card_state_create(setup);
        struct kv_card_input input = {0};
        for (int n = 0; n < 4 && cases[i].inputs[n]; n++) {
            struct kv_card_outcome outcome = {0};
            struct kv_error error = {0};
            assert_false(game->over);
            struct kv_span verb = kv_span_of(kv_jakkolo_module.expected(game));
            if (kv_jakkolo_module.read(game, verb, kv_span_of(cases[i].inputs[n]), &input, &error) != KV_OK)
                fail_msg("%s", error.text);
            kv_jakkolo_module.apply(game, &input, &outcome);
        }
        struct kv_card_standing standing = {0};
        kv_jakkolo_module.standing(game, 0, &standing);
        assert_true(game->over);
        assert_int_equal(standing.total, cases[i].total);
        free(input.values);
        free(game);
        kv_card_setup_destroy(setup);
    }
}

static void advice_after_an_attempt(void **state)
{
    (void)state;
    struct kv_card_setup *setup = NULL;
    assert_int_equal(kv_card_setup_read(&kv_jakkolo_module, kv_span_of("A games=2"), &setup, NULL), KV_OK);
    struct kv_jakkolo *game = kv_card_state_create(setup);
    memcpy(game->sides[0].gates, (int64_t[4]){4, 4, 5, 3}, sizeof game->sides[0].gates);
    game->attempt = 1;
    struct kv_buffer out = {0};
    assert_int_equal(kv_jakkolo_advice(game, kv_span_of(""), &out, NULL), KV_OK);
    assert_string_equal(out.data,
                        "advice A has 73 and 14 discs in hand\n"
                        "advice best total with the discs in hand: 148, gates 7 7 9 7, aim at 3 3 4 4\n"
                        "advice with all in now and 1 bonus: 152, gates 7 7 10 7\n"
                        "advice best total of the match: 312\n"
                        "advice gain of the next disc by gate: 2 3 4 11\n"
                        "advice set 4 needs 0 0 0 1\n"
                        "advice set 5 needs 1 1 0 2\n"
                        "advice set 6 needs 2 2 1 3\n"
                        "advice set 7 needs 3 3 2 4\n");
    kv_buffer_finish(&out);
    free(game);
    kv_card_setup_destroy(setup);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worked_totals),
        cmocka_unit_test(the_formula_is_the_counting_of_sets),
        cmocka_unit_test(the_best_of_every_number_of_discs),
        cmocka_unit_test(the_best_from_any_gates),
        cmocka_unit_test(the_ceilings_of_the_bonus_rules),
        cmocka_unit_test(advice_after_an_attempt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
