/* Retrograde analysis of the two subspaces a-b and b-a of the moving phase: result and distance of
 * every position, from the values of the subspaces that captures lead to.
 *
 * How it goes. Let X be the stones of the side to move and Y the others. A quiet move of X leaves Y
 * alone, so all quiet moves from and into positions with the same Y stay among the sets X of the
 * points that Y leaves free: one block. Therefore a subspace is kept twice:
 *
 *     values   by class of X, a byte a slot: what is known, as a successor (X to move)
 *     states   by class of Y, 16 bits a slot: what is still open, as a predecessor (X to move)
 *
 * The successor of a quiet move of X is a position with Y to move; its value lies in the other
 * subspace's block of the class of Y. So propagation reads one block of values and changes one block
 * of states, both small enough for the first-level caches; only when a position is decided, one
 * write goes to a far place: its value. Blocks hold every arrangement of X, images under the
 * symmetries of Y included; moves and un-moves within a block are then one to one, and no care is
 * needed about counting moves between symmetric positions.
 */
#ifndef KV_TABLEBASE_RETRO_H
#define KV_TABLEBASE_RETRO_H

#include "tablebase/block.h"

/* One of the two subspaces. Made by kv_retro_init but for what is the caller's. */
struct kv_retro_side {
    /* caller's: job.values, value_blocks * value_block zeroes; job.after[1] and [2] */
    struct kv_block_job job;
    uint32_t value_blocks, value_block; /* blocks and slots a block, by class of the mover's stones */
    uint32_t state_blocks, state_block; /* the same by class of the other's stones */
    uint16_t *states;                   /* caller's: state_blocks * state_block, of any content */
    uint32_t *sets;                     /* the mover's compressed sets, by rank */
};

struct kv_retro {
    struct kv_retro_side side[2]; /* a-b and b-a */
    int sides;                    /* 1 when a == b */
    const _Atomic bool *cancel;   /* caller's, may be NULL: set it to make kv_retro_run return early */
    /* caller's, may be NULL: called by one thread between steps */
    void (*progress)(void *user, const struct kv_retro *retro);
    void *user;
    int level;             /* the value byte whose predecessors are being looked at; 0 = first pass */
    _Atomic int deepest;   /* the largest byte written so far */
    _Atomic bool overflow; /* a distance did not fit a byte */
    _Atomic uint32_t next; /* first block of the step in work that nobody has taken */
};

/* For subspaces a-b and b-a, a <= b; `index` knows sets of a and b stones and of those that captures
 * leave. KV_E_MEMORY leaves nothing behind. */
int kv_retro_init(struct kv_retro *retro, const struct kv_index *index, const struct kv_rules *rules, int a,
                  int b);
void kv_retro_finish(struct kv_retro *retro);

/* Solves with `threads` threads, the calling one included. KV_E_BUSY when cancelled, KV_E_RANGE when a
 * distance does not fit, KV_E_MEMORY; values are complete only after KV_OK. */
int kv_retro_run(struct kv_retro *retro, int threads);

#endif
