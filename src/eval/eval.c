#include "eval/evaluate.h"

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
