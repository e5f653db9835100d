/* The statistics of a match between two players, seen by the first. */
#ifndef KVERN_MATCH_STATS_H
#define KVERN_MATCH_STATS_H

#include <stdbool.h>

/* Counts of results. Game pairs are counted by their points: 0, 1/2, 1, 3/2, 2. */
struct match_tally {
    long losses, draws, wins;
    long pairs[5];
};

/* Point estimates and 95 % bounds; infinite where the score is 0 or 1. */
struct match_estimate {
    double score; /* points a game */
    double elo, elo_low, elo_high;
    double nelo, nelo_low, nelo_high; /* normalised Elo */
    double los;                       /* likelihood of superiority */
};

/* From the pairs, or, `trinomial`, from single games. false when there is nothing to count.
 * Elo and bounds: the logistic curve on score +- 1.96 standard errors. Normalised Elo: (score - 1/2) /
 * (standard deviation of a game) * 800 / ln 10, its error 1 / sqrt(games) in the same unit (M. Van den
 * Bergh, "Normalized Elo", 2019). With pairs, the variance of a game is twice that of a pair's mean. */
bool match_estimate(const struct match_tally *tally, bool trinomial, struct match_estimate *estimate);

enum match_model { MATCH_LOGISTIC, MATCH_NORMALISED };

/* A sequential probability ratio test of Elo `elo1` against `elo0`. */
struct match_sprt {
    bool on, trinomial;
    enum match_model model; /* what kind of Elo the two are */
    double elo0, elo1, alpha, beta;
};

enum match_verdict { MATCH_UNDECIDED, MATCH_H0, MATCH_H1 };

/* The generalised log-likelihood ratio: multinomial, with the most likely distributions under both
 * hypotheses (M. Van den Bergh, "A practical introduction to the GSPRT", 2020; "Comments on normalized
 * Elo"). Counts of zero are taken as 0.001. */
double match_llr(const struct match_sprt *sprt, const struct match_tally *tally);
/* Wald's bounds, ln(beta / (1 - alpha)) and ln((1 - beta) / alpha). */
void match_sprt_bounds(const struct match_sprt *sprt, double *low, double *high);
enum match_verdict match_verdict(const struct match_sprt *sprt, const struct match_tally *tally);

double match_elo_of_score(double score);
double match_score_of_elo(double elo);

#endif
