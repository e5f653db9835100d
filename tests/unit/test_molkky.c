#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scoring/molkky.h"
#include "scoring/setup.h"

static struct kv_card_setup *setup_of(const char *words)
{
    struct kv_card_setup *setup = NULL;
    struct kv_error error = {0};
    if (kv_card_setup_read(&kv_molkky_module, kv_span_of(words), &setup, &error) != KV_OK)
        fail_msg("%s", error.text);
    return setup;
}

static struct kv_molkky *game_of(const struct kv_card_setup *setup)
{
    struct kv_molkky *game = kv_card_state_create(setup);
    assert_non_null(game);
    return game;
}

/* Games in which the first side reaches 50 with exactly its n-th throw, where a throw is an X or brings
 * 1 to 12; the other side throws 1 every time. */
static long count_wins(const struct kv_molkky *game, size_t size, int throws)
{
    long wins = 0;
    for (int points = 0; points <= 12; points++) {
        struct kv_molkky *next = malloc(size);
        assert_non_null(next);
        memcpy(next, game, size);
        int64_t values[3] = {0, points, 0}, one[3] = {0, 1, 0};
        struct kv_card_input input = {values, 3, 3}, other = {one, 3, 3};
        struct kv_card_outcome outcome = {0};
        kv_molkky_module.apply(next, &input, &outcome);
        if (throws == 1) {
            wins += next->over && next->sides[0].total == 50;
        } else if (!next->over) {
            kv_molkky_module.apply(next, &other, &outcome);
            wins += count_wins(next, size, throws - 1);
        }
        free(next);
    }
    return wins;
}

static void fifty_takes_five_throws_and_is_reached_in_so_many_ways(void **state)
{
    (void)state;
    struct kv_card_setup *setup = setup_of("A B");
    struct kv_molkky *game = game_of(setup);
    size_t size = kv_card_state_size(setup);
    for (int throws = 1; throws <= 4; throws++)
        assert_int_equal(count_wins(game, size, throws), 0);
    assert_int_equal(count_wins(game, size, 5), 1001);
    assert_int_equal(count_wins(game, size, 6), 67717);
    free(game);
    kv_card_setup_destroy(setup);
}

static void sets_of_pins_score_as_counted(void **state)
{
    (void)state;
    static const int expected[13] = {1, 1, 67, 221, 496, 793, 925, 793, 496, 221, 67, 13, 2};
    int count[13] = {1}; /* the empty set is a miss, which is written as such */
    struct kv_card_setup *setup = setup_of("A B");
    struct kv_molkky *game = game_of(setup);
    struct kv_card_input input = {0};
    for (unsigned set = 1; set < 1u << 12; set++) {
        char text[64] = "pins ";
        for (int pin = 12, n = 5; pin >= 1; pin--)
            if (set & 1u << (pin - 1))
                n += snprintf(text + n, sizeof text - (size_t)n, n > 5 ? ",%d" : "%d", pin);
        struct kv_error error = {0};
        assert_int_equal(kv_molkky_module.read(game, kv_span_of("throw"), kv_span_of(text), &input, &error),
                         KV_OK);
        count[input.values[1]]++;
    }
    assert_memory_equal(count, expected, sizeof count);
    free(input.values);
    free(game);
    kv_card_setup_destroy(setup);
}

/* Alone, with every hit the right one, h = ceil(needed / 12) hits win, each before three X:
 * (1 - q^(3 - x)) (1 - q^3)^(h - 1). The lowest pin that leaves h - 1 hits is needed - 12 (h - 1). */
static void chances_have_the_closed_form(void **state)
{
    (void)state;
    struct kv_molkky_chances chances;
    for (int percent = 1; percent <= 100; percent++) {
        double p = percent / 100.0, q = 1 - p;
        kv_molkky_solve(p, &chances);
        for (int total = 0; total < 50; total++)
            for (int x = 0; x < 3; x++) {
                int needed = 50 - total, hits = (needed + 11) / 12;
                double chance = (1 - pow(q, 3 - x)) * pow(1 - q * q * q, hits - 1);
                assert_true(fabs(chances.chance[total][x] - chance) < 1e-12 * chance + 1e-300);
                int target = percent < 100 ? needed - 12 * (hits - 1) : chances.target[total][x];
                assert_int_equal(chances.target[total][x], target);
            }
    }
}

static void chances_from_nothing_are_the_known_ones(void **state)
{
    (void)state;
    struct kv_molkky_chances chances;
    kv_molkky_solve(0.7, &chances);
    assert_true(fabs(chances.chance[0][0] - .872095813) < 5e-10);
    kv_molkky_solve(0.5, &chances);
    assert_true(fabs(chances.chance[0][0] - .512908936) < 5e-10);
    kv_molkky_solve(0, &chances);
    assert_true(chances.chance[0][0] == 0);
    assert_int_equal(chances.target[0][0], 1);
    kv_molkky_solve(1, &chances);
    assert_true(chances.chance[0][0] == 1);
}

/* Every entry of the table is what the best single step makes of the others. */
static void chances_are_a_fixed_point(void **state)
{
    (void)state;
    struct kv_molkky_chances c;
    kv_molkky_solve(0.35, &c);
    for (int total = 0; total < 50; total++)
        for (int x = 0; x < 3; x++) {
            double best = 0, at_target = 0;
            for (int pin = 1; pin <= 12; pin++) {
                int next = total + pin;
                double hit = next == 50 ? 1 : next > 50 ? c.chance[25][0] : c.chance[next][0];
                double value = 0.35 * hit + 0.65 * (x == 2 ? 0 : c.chance[total][x + 1]);
                best = fmax(best, value);
                if (pin == c.target[total][x])
                    at_target = value;
            }
            assert_true(fabs(best - c.chance[total][x]) < 1e-14);
            assert_true(fabs(best - at_target) < 1e-13);
        }
}

static const char *advice_of(const char *totals, const char *words, struct kv_buffer *out)
{
    static char text[1024];
    struct kv_card_setup *setup = setup_of("A B C");
    struct kv_molkky *game = game_of(setup);
    for (int side = 0; side < 3; side++) {
        game->sides[side].total = atoi(totals + 3 * side);
        game->sides[side].run = side;
    }
    struct kv_error error = {0};
    kv_buffer_clear(out);
    assert_int_equal(kv_molkky_advice(game, kv_span_of(words), out, &error), KV_OK);
    snprintf(text, sizeof text, "%s", out->data);
    free(game);
    kv_card_setup_destroy(setup);
    return text;
}

static void advice_says_what_wins_and_what_bursts(void **state)
{
    (void)state;
    struct kv_buffer out = {0};
    assert_string_equal(advice_of("38 37 49", "", &out), "advice A has 38 and needs 12\n"
                                                         "advice wins: pin 12, or any 12 pins\n"
                                                         "advice bursts: nothing\n"
                                                         "advice can win on the next throw: A, C\n"
                                                         "advice one X from out: C\n");
    assert_non_null(strstr(advice_of("37 00 00", "", &out), "wins: nothing on this throw\n"));
    assert_non_null(strstr(advice_of("39 00 00", "", &out), "bursts: 12\n"));
    assert_non_null(strstr(advice_of("40 00 00", "", &out), "bursts: 11 to 12\n"));
    assert_non_null(strstr(advice_of("49 00 00", "", &out), "wins: pin 1\nadvice bursts: 2 to 12\n"));
    assert_non_null(strstr(advice_of("37 00 00", "", &out), "next throw: nobody\n"));
    assert_non_null(strstr(advice_of("00 00 00", "p=0.7", &out),
                           "target: pin 2, chance of 50 before three X 0.872095813 at p=0.7\n"));
    assert_non_null(strstr(advice_of("43 00 00", "p=0.50", &out),
                           "target: pin 7, chance of 50 before three X 0.875000000 at p=0.50\n"));
    kv_buffer_finish(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fifty_takes_five_throws_and_is_reached_in_so_many_ways),
        cmocka_unit_test(sets_of_pins_score_as_counted),
        cmocka_unit_test(chances_have_the_closed_form),
        cmocka_unit_test(chances_from_nothing_are_the_known_ones),
        cmocka_unit_test(chances_are_a_fixed_point),
        cmocka_unit_test(advice_says_what_wins_and_what_bursts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
