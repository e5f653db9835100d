#include "kvern-match-stats.h"

#include <math.h>

/* 95 % of a normal distribution lie within so many standard deviations. */
static const double z95 = 1.959963984540054;
/* One unit of (score - 1/2) / deviation in normalised Elo: 800 / ln 10. */
static const double nelo_unit = 347.43558552260146;

double match_elo_of_score(double score)
{
    if (score <= 0)
        return -INFINITY;
    return score >= 1 ? INFINITY : 400 * log10(score / (1 - score));
}

double match_score_of_elo(double elo)
{
    return 1 / (1 + pow(10, -elo / 400));
}

/* A distribution of scores 0, 1/(n-1), ... 1. */
struct distribution {
    int n;
    double p[5];
    double count;
};

static double value(const struct distribution *d, int i)
{
    return (double)i / (d->n - 1);
}

static struct distribution observed(const struct match_tally *tally, bool trinomial, double zero)
{
    const long games[3] = {tally->losses, tally->draws, tally->wins};
    struct distribution d = {.n = trinomial ? 3 : 5};
    for (int i = 0; i < d.n; i++) {
        long count = trinomial ? games[i] : tally->pairs[i];
        d.p[i] = count > 0 ? (double)count : zero;
        d.count += d.p[i];
    }
    for (int i = 0; i < d.n && d.count > 0; i++)
        d.p[i] /= d.count;
    return d;
}

static void moments(const struct distribution *d, double *mean, double *variance)
{
    *mean = *variance = 0;
    for (int i = 0; i < d->n; i++)
        *mean += d->p[i] * value(d, i);
    for (int i = 0; i < d->n; i++)
        *variance += d->p[i] * (value(d, i) - *mean) * (value(d, i) - *mean);
}

bool match_estimate(const struct match_tally *tally, bool trinomial, struct match_estimate *estimate)
{
    struct distribution d = observed(tally, trinomial, 0);
    if (d.count <= 0)
        return false;
    double mean, variance;
    moments(&d, &mean, &variance);
    double error = sqrt(variance / d.count), games = trinomial ? d.count : 2 * d.count;
    double deviation = sqrt(trinomial ? variance : 2 * variance);
    struct match_estimate e = {
        .score = mean,
        .elo = match_elo_of_score(mean),
        .elo_low = match_elo_of_score(mean - z95 * error),
        .elo_high = match_elo_of_score(mean + z95 * error),
    };
    e.nelo = mean == 0.5 ? 0 : (mean - 0.5) / deviation * nelo_unit; /* infinite without variance */
    e.nelo_low = e.nelo - z95 / sqrt(games) * nelo_unit;
    e.nelo_high = e.nelo + z95 / sqrt(games) * nelo_unit;
    if (error > 0)
        e.los = erfc(-(mean - 0.5) / error / sqrt(2)) / 2;
    else
        e.los = mean > 0.5 ? 1 : mean < 0.5 ? 0 : 0.5;
    *estimate = e;
    return true;
}

/* ---- The likelihood ratio ---------------------------------------------------------------------- */

/* The root x of sum p_i g_i / (1 + x g_i) = 0 that leaves every 1 + x g_i positive. The sum falls in x, so
 * halving finds it. Without values on both sides of zero there is none. */
static double root(const struct distribution *d, const double g[5])
{
    double least = INFINITY, most = -INFINITY;
    for (int i = 0; i < d->n; i++) {
        least = fmin(least, g[i]);
        most = fmax(most, g[i]);
    }
    if (least >= 0 || most <= 0)
        return 0;
    double low = -1 / most, high = -1 / least;
    for (int step = 0; step < 200; step++) {
        double x = (low + high) / 2, sum = 0;
        for (int i = 0; i < d->n; i++)
            sum += d->p[i] * g[i] / (1 + x * g[i]);
        if (sum > 0)
            low = x;
        else
            high = x;
    }
    return (low + high) / 2;
}

/* The most likely distribution with mean `score`. */
static struct distribution with_mean(const struct distribution *d, double score)
{
    double g[5] = {0};
    for (int i = 0; i < d->n; i++)
        g[i] = value(d, i) - score;
    double x = root(d, g);
    struct distribution likely = *d;
    for (int i = 0; i < d->n; i++)
        likely.p[i] = d->p[i] / (1 + x * g[i]);
    return likely;
}

/* The most likely distribution with (mean - 1/2) / deviation = t, by repeated linearisation. */
static struct distribution with_t(const struct distribution *d, double t)
{
    struct distribution likely = *d;
    for (int i = 0; i < d->n; i++)
        likely.p[i] = 1.0 / d->n;
    for (int step = 0; step < 50; step++) {
        double mean, variance, change = 0, g[5] = {0};
        moments(&likely, &mean, &variance);
        double deviation = sqrt(variance);
        for (int i = 0; i < d->n; i++) {
            double z = (mean - value(d, i)) / deviation;
            g[i] = value(d, i) - 0.5 - t * deviation * (1 + z * z) / 2;
        }
        double x = root(d, g);
        for (int i = 0; i < d->n; i++) {
            double p = d->p[i] / (1 + x * g[i]);
            change = fmax(change, fabs(p - likely.p[i]));
            likely.p[i] = p;
        }
        if (change < 1e-10)
            break;
    }
    return likely;
}

double match_llr(const struct match_sprt *sprt, const struct match_tally *tally)
{
    struct distribution none = observed(tally, sprt->trinomial, 0);
    if (none.count <= 0)
        return 0;
    struct distribution d = observed(tally, sprt->trinomial, 1e-3), h[2];
    for (int i = 0; i < 2; i++) {
        double elo = i == 0 ? sprt->elo0 : sprt->elo1;
        if (sprt->model == MATCH_LOGISTIC)
            h[i] = with_mean(&d, match_score_of_elo(elo));
        else
            h[i] = with_t(&d, elo / nelo_unit * (sprt->trinomial ? 1 : sqrt(2)));
    }
    double sum = 0;
    for (int i = 0; i < d.n; i++)
        sum += d.p[i] * log(h[1].p[i] / h[0].p[i]);
    return d.count * sum;
}

void match_sprt_bounds(const struct match_sprt *sprt, double *low, double *high)
{
    *low = log(sprt->beta / (1 - sprt->alpha));
    *high = log((1 - sprt->beta) / sprt->alpha);
}

enum match_verdict match_verdict(const struct match_sprt *sprt, const struct match_tally *tally)
{
    double low, high, llr = match_llr(sprt, tally);
    match_sprt_bounds(sprt, &low, &high);
    if (!sprt->on || (llr > low && llr < high))
        return MATCH_UNDECIDED;
    return llr >= high ? MATCH_H1 : MATCH_H0;
}
