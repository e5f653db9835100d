#include "tablebase/subspace.h"

int kv_subspace_most_taken(const struct kv_rules *rules)
{
    return rules->double_mill == KV_DOUBLE_TWO ? 2 : 1;
}

int kv_subspace_after(struct kv_subspace subspace, int taken, struct kv_subspace *after)
{
    static const int needed[3] = {0, 3, 5}; /* stones of the mover to close a mill, or two */
    bool places = subspace.hand_mover > 0;
    if (subspace.mover + places < needed[taken])
        return 0;
    if (taken > subspace.other || subspace.other + subspace.hand_other - taken < 3)
        return 0;
    *after = (struct kv_subspace){
        .mover = (uint8_t)(subspace.other - taken),
        .other = (uint8_t)(subspace.mover + places),
        .hand_mover = subspace.hand_other,
        .hand_other = (uint8_t)(subspace.hand_mover - places),
    };
    return 1;
}

int kv_subspace_compare(const void *left, const void *right)
{
    const struct kv_subspace *a = left, *b = right;
    int difference = a->hand_mover + a->hand_other - b->hand_mover - b->hand_other;
    if (difference == 0)
        difference = a->mover + a->other - b->mover - b->other;
    if (difference == 0)
        difference = a->mover - b->mover;
    return difference ? difference : a->hand_mover - b->hand_mover;
}
