#include <math.h>

#include "eval/evaluate.h"
#include "eval/net.h"

int kv_evaluate(const struct kv_rules *rules, const struct kv_position *position)
{
    return kv_evaluate_for(rules, position);
}

int kv_evaluate_terms(const struct kv_rules *rules, const struct kv_position *position,
                      struct kv_eval_term terms[KV_EVAL_TERMS_MAX], int *score)
{
    int counts[2][KV_FEATURES], phase = kv_phase(rules, position), side = position->side, total = 0;
    kv_features_of(rules, position, 0, counts[0]);
    kv_features_of(rules, position, 1, counts[1]);
    for (int f = 0; f < KV_FEATURES; f++) {
        int weight = kv_weight_at((enum kv_feature)f, phase);
        terms[f] = (struct kv_eval_term){
            .name = kv_weights[f].name,
            .count = {counts[0][f], counts[1][f]},
            .weight = weight,
            .score = weight * (counts[side][f] - counts[side ^ 1][f]),
        };
        total += terms[f].score;
    }
    *score = total;
    return KV_FEATURES;
}

int kv_static_score(const struct kv_rules *rules, const struct kv_position *position)
{
    return kv_rules_are_classic(rules) ? kv_net_score(position) : kv_evaluate(rules, position);
}

void kv_expected_results(const struct kv_rules *rules, int score, int wdl[3])
{
    /* Where no network tells it, a guess: most games of this kind between equals are drawn, so a draw takes
     * what two shifted curves leave. */
    enum { MARGIN = 130, SLOPE = 45 };
    bool taught = kv_rules_are_classic(rules);
    double slope = taught ? KV_NET_CENTISTONES : SLOPE;
    double margin = taught ? KV_NET_MARGIN * KV_NET_CENTISTONES : MARGIN;
    double win = 1 / (1 + exp((margin - score) / slope)), loss = 1 / (1 + exp((margin + score) / slope));
    wdl[0] = (int)(1000 * win + 0.5);
    wdl[2] = (int)(1000 * loss + 0.5);
    wdl[1] = 1000 - wdl[0] - wdl[2];
}
