/* Static scores. By terms: a sum of readable terms, each a feature count times a weight that
 * goes from its placing value to its moving value with the stones in hand. */
#ifndef KV_EVAL_EVAL_H
#define KV_EVAL_EVAL_H

#include "kvern/position.h"

enum { KV_EVAL_TERMS_MAX = 24 };

/* One term as `eval` shows it. */
struct kv_eval_term {
    const char *name; /* "closed mills" */
    int count[2];     /* the feature, by side */
    int weight;       /* hundredths of a stone for one, in this phase */
    int score;        /* for the side to move */
};

/* The score from the side to move's view, in hundredths of a stone, within +-KV_EVAL_MAX. Nothing may
 * be due. Symmetric under the board's symmetries and, negated, under exchange of the colours. */
enum { KV_EVAL_MAX = 20000 };
int kv_evaluate(const struct kv_rules *rules, const struct kv_position *position);

/* The same with its terms; returns their number, whose scores add up to `*score`. */
int kv_evaluate_terms(const struct kv_rules *rules, const struct kv_position *position,
                      struct kv_eval_term terms[KV_EVAL_TERMS_MAX], int *score);

/* The static score that the search uses: the network's in the classic game (net.h), else kv_evaluate's. */
int kv_static_score(const struct kv_rules *rules, const struct kv_position *position);

/* What share of games such a score of the search wins, draws and loses, in thousandths. In the
 * classic game these are the odds the network was taught. */
void kv_expected_results(const struct kv_rules *rules, int score, int wdl[3]);

#endif
