/* Statistics of matches against values worked out by hand: closed forms, or a calculation of another kind. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "kvern-match-stats.h"

static void near(double found, double expected, double slack)
{
    if (!(fabs(found - expected) <= slack))
        fail_msg("expected %.9f, found %.9f", expected, found);
}

static void elo_and_score_are_each_other_s_inverse(void **state)
{
    (void)state;
    near(match_elo_of_score(0.5), 0, 1e-12);
    assert_false(signbit(match_elo_of_score(0.5)));         /* not shown as -0.0 */
    near(match_elo_of_score(0.75), 190.848501887865, 1e-9); /* 400 log10 3 */
    near(match_elo_of_score(10.0 / 11), 400, 1e-9);         /* ten to one */
    near(match_score_of_elo(-400), 1.0 / 11, 1e-12);
    assert_true(isinf(match_elo_of_score(1)) && match_elo_of_score(1) > 0);
    assert_true(isinf(match_elo_of_score(0)) && match_elo_of_score(0) < 0);
    for (int elo = -800; elo <= 800; elo += 100)
        near(match_elo_of_score(match_score_of_elo(elo)), elo, 1e-9);
}

/* 40 wins, 40 draws, 20 losses: mean 0.6, variance 0.4 * 0.16 + 0.4 * 0.01 + 0.2 * 0.36 = 0.14, standard
 * error sqrt(0.0014). */
static void games_are_estimated(void **state)
{
    (void)state;
    struct match_tally tally = {.wins = 40, .draws = 40, .losses = 20};
    struct match_estimate e;
    assert_true(match_estimate(&tally, true, &e));
    near(e.score, 0.6, 1e-12);
    near(e.elo, 70.436503622, 1e-6); /* 400 log10 1.5 */
    near(e.elo_low, 18.546239994, 1e-6);
    near(e.elo_high, 125.651542177, 1e-6);
    near(e.nelo, 92.856066071, 1e-6);               /* 0.1 / sqrt(0.14) * 800 / ln 10 */
    near(e.nelo_high - e.nelo, 68.096123457, 1e-6); /* 1.96 / 10 * 800 / ln 10 */
    near(e.nelo - e.nelo_low, 68.096123457, 1e-6);
    near(e.los, 0.996236842, 1e-6); /* normal distribution at 0.1 / sqrt(0.0014) = 2.6726 */
}

/* 50 pairs: mean 28.5 / 50 = 0.57, variance 0.0626 by pairs. */
static void pairs_are_estimated(void **state)
{
    (void)state;
    struct match_tally tally = {.pairs = {2, 8, 20, 14, 6}};
    struct match_estimate e;
    assert_true(match_estimate(&tally, false, &e));
    near(e.score, 0.57, 1e-12);
    near(e.elo, 48.962560037, 1e-6);
    near(e.elo_low, 0.451245969, 1e-6);
    near(e.elo_high, 99.461549157, 1e-6);
    near(e.nelo, 68.733771354, 1e-6);
    near(e.nelo_high - e.nelo, 68.096123457, 1e-6);
    near(e.los, 0.976053520, 1e-6);
}

static void extremes_are_estimated(void **state)
{
    (void)state;
    struct match_tally nothing = {0}, won = {.wins = 4, .pairs = {0, 0, 0, 0, 2}};
    struct match_tally level = {.draws = 4, .pairs = {0, 0, 2, 0, 0}};
    struct match_estimate e;
    assert_false(match_estimate(&nothing, false, &e));
    assert_false(match_estimate(&nothing, true, &e));
    assert_true(match_estimate(&won, false, &e));
    assert_true(isinf(e.elo) && e.elo > 0 && e.los > 0.999);
    assert_true(match_estimate(&level, false, &e));
    near(e.elo, 0, 1e-12);
    near(e.nelo, 0, 1e-12);
    near(e.los, 0.5, 1e-12);
}

/* Three outcomes: the condition for the most likely distribution is a quadratic equation. For 0 Elo its root
 * gives (0.3, 0.4, 0.3), for 50 Elo (0.225653, 0.405769, 0.368579). */
static void ratio_of_games(void **state)
{
    (void)state;
    struct match_sprt sprt = {.on = true, .trinomial = true, .model = MATCH_LOGISTIC, .elo0 = 0, .elo1 = 50};
    struct match_tally tally = {.wins = 40, .draws = 40, .losses = 20};
    near(match_llr(&sprt, &tally), 3.111905954, 1e-6);
    /* turned round, everything is negative */
    struct match_sprt other = {
        .on = true, .trinomial = true, .model = MATCH_LOGISTIC, .elo0 = -50, .elo1 = 0};
    struct match_tally lost = {.wins = 20, .draws = 40, .losses = 40};
    near(match_llr(&other, &lost), -3.111905954, 1e-6);
}

/* With normalised Elo the maximum was looked for along the curve of all distributions (l, d, w) with
 * (mean - 1/2) / deviation = t: given the mean, d = 4 (m - m^2 - ((m - 1/2) / t)^2). */
static void ratio_of_games_by_normalised_elo(void **state)
{
    (void)state;
    struct match_sprt sprt = {
        .on = true, .trinomial = true, .model = MATCH_NORMALISED, .elo0 = 0, .elo1 = 50};
    struct match_tally tally = {.wins = 40, .draws = 40, .losses = 20};
    near(match_llr(&sprt, &tally), 2.690588812, 1e-5);
}

/* Only pairs of 0 and of 2 points: the most likely chance of 2 is the score of the hypothesis, so the ratio
 * is 30 ln(s1 / s0) + 20 ln((1 - s1) / (1 - s0)). The three empty cells count 0.001 each. */
static void ratio_of_pairs(void **state)
{
    (void)state;
    struct match_sprt sprt = {.on = true, .model = MATCH_LOGISTIC, .elo0 = -20, .elo1 = 30};
    struct match_tally tally = {.pairs = {20, 0, 0, 0, 30}};
    near(match_llr(&sprt, &tally), 1.335748435, 1e-3);
}

/* Close to its point the ratio is that of a normal distribution: N (s1 - s0) (2 mean - s0 - s1) / (2
 * variance) (Wald; Van den Bergh). */
static void ratio_of_many_pairs_is_nearly_normal(void **state)
{
    (void)state;
    struct match_tally tally = {.pairs = {500, 2000, 5000, 2100, 520}};
    double n = 10120, mean = (2000 * 0.25 + 5000 * 0.5 + 2100 * 0.75 + 520) / n, variance = 0;
    for (int i = 0; i < 5; i++)
        variance += (double)tally.pairs[i] / n * (i / 4.0 - mean) * (i / 4.0 - mean);
    struct match_sprt sprt = {.on = true, .model = MATCH_LOGISTIC, .elo0 = 0, .elo1 = 5};
    double s0 = 0.5, s1 = match_score_of_elo(5);
    near(match_llr(&sprt, &tally), n * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance), 0.02);
    /* the same in units of the deviation of a game */
    sprt.model = MATCH_NORMALISED;
    double pair = sqrt(variance), t1 = 5 / 347.43558552260146 * sqrt(2), t = (mean - 0.5) / pair;
    near(match_llr(&sprt, &tally), n * t1 * (2 * t - t1) / 2, 0.02);
}

static void bounds_decide(void **state)
{
    (void)state;
    struct match_sprt sprt = {.on = true, .elo1 = 10, .alpha = 0.02, .beta = 0.1, .model = MATCH_NORMALISED};
    double low, high;
    match_sprt_bounds(&sprt, &low, &high);
    near(low, -2.282382386, 1e-8); /* ln(0.1 / 0.98) */
    near(high, 3.806662490, 1e-8); /* ln(0.9 / 0.02) */
    struct match_tally few = {.pairs = {1, 2, 3, 2, 1}}, good = {.pairs = {50, 300, 800, 900, 300}};
    struct match_tally bad = {.pairs = {300, 900, 800, 300, 50}}, none = {0};
    assert_int_equal(match_verdict(&sprt, &few), MATCH_UNDECIDED);
    assert_int_equal(match_verdict(&sprt, &none), MATCH_UNDECIDED);
    assert_int_equal(match_verdict(&sprt, &good), MATCH_H1);
    assert_int_equal(match_verdict(&sprt, &bad), MATCH_H0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elo_and_score_are_each_other_s_inverse),
        cmocka_unit_test(games_are_estimated),
        cmocka_unit_test(pairs_are_estimated),
        cmocka_unit_test(extremes_are_estimated),
        cmocka_unit_test(ratio_of_games),
        cmocka_unit_test(ratio_of_games_by_normalised_elo),
        cmocka_unit_test(ratio_of_pairs),
        cmocka_unit_test(ratio_of_many_pairs_is_nearly_normal),
        cmocka_unit_test(bounds_decide),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
