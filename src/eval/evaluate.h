/* The evaluator's body, for code that knows its rules at compile time. */
#ifndef KV_EVAL_EVALUATE_H
#define KV_EVAL_EVALUATE_H

#include "eval/eval.h"
#include "eval/weights.h"

/* Stones still to come, of those the game started with, in 1024ths. */
KV_INLINE int kv_phase(const struct kv_rules *rules, const struct kv_position *position)
{
    return (position->hand[0] + position->hand[1]) * 512 / rules->stones;
}

KV_INLINE int kv_weight_at(enum kv_feature feature, int phase)
{
    const struct kv_weight *weight = &kv_weights[feature];
    return (weight->placing * phase + weight->moving * (1024 - phase)) / 1024;
}

KV_INLINE int kv_evaluate_for(const struct kv_rules *rules, const struct kv_position *position)
{
    int own[KV_FEATURES], other[KV_FEATURES], phase = kv_phase(rules, position), score = 0;
    kv_features_of(rules, position, position->side, own);
    kv_features_of(rules, position, position->side ^ 1, other);
    for (int f = 0; f < KV_FEATURES; f++)
        score += kv_weight_at((enum kv_feature)f, phase) * (own[f] - other[f]);
    return score;
}

#endif
