/* Subspaces: positions with given numbers of stones, and where turns lead from them. */
#ifndef KV_TABLEBASE_SUBSPACE_H
#define KV_TABLEBASE_SUBSPACE_H

#include "base/bits.h"
#include "kvern/position.h"

/* Stones on the board and in hand of the side to move and of the other. */
struct kv_subspace {
    uint8_t mover, other, hand_mover, hand_other;
};

static inline struct kv_subspace kv_subspace_of(const struct kv_position *position)
{
    int side = position->side;
    return (struct kv_subspace){
        (uint8_t)kv_popcount(position->stones[side]),
        (uint8_t)kv_popcount(position->stones[side ^ 1]),
        position->hand[side],
        position->hand[side ^ 1],
    };
}

static inline bool kv_subspace_is_placing(struct kv_subspace subspace)
{
    return subspace.hand_mover + subspace.hand_other > 0;
}

/* With the other side to move. */
static inline struct kv_subspace kv_subspace_turned(struct kv_subspace subspace)
{
    return (struct kv_subspace){subspace.other, subspace.mover, subspace.hand_other, subspace.hand_mover};
}

/* Where a turn leads that takes `taken` (0..2) stones: 1 and the subspace, or 0 when it ends the game
 * or the mover has too few stones for it. */
int kv_subspace_after(struct kv_subspace subspace, int taken, struct kv_subspace *after);

/* An order for qsort: fewest stones in hand first, then fewest on the board. */
int kv_subspace_compare(const void *left, const void *right);

/* How many stones one turn may take at most. */
int kv_subspace_most_taken(const struct kv_rules *rules);

#endif
