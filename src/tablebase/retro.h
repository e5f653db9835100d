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
 *
 * A value is a byte: 0 = a draw (or not known yet), otherwise 1 + the number of plies to the end.
 * An even number of plies is a loss, an odd one a win, so that even bytes are wins.
 */
#ifndef KV_TABLEBASE_RETRO_H
#define KV_TABLEBASE_RETRO_H

#include <stdatomic.h>

#include "tablebase/index.h"

enum { KV_BYTE_DRAW = 0, KV_BYTE_LOST = 1, KV_BYTE_MAX = 254 };

/* The byte of a position one ply before, as its mover sees it: a loss there is a win here. */
static inline uint8_t kv_byte_before(uint8_t after)
{
    return after == KV_BYTE_DRAW ? KV_BYTE_DRAW : (uint8_t)(after + 1);
}
static inline bool kv_byte_is_win(uint8_t byte)
{
    return byte != KV_BYTE_DRAW && (byte & 1) == 0;
}
static inline bool kv_byte_is_loss(uint8_t byte)
{
    return byte & 1;
}

/* One of the two subspaces. Sizes are filled in by kv_retro_init; the caller sets the rest. */
struct kv_retro_side {
    int mover, other;
    uint32_t value_blocks, value_block; /* blocks and slots a block, by class of the mover's stones */
    uint32_t state_blocks, state_block; /* the same by class of the other's stones */
    uint8_t *values;                    /* caller's: value_blocks * value_block bytes, all zero */
    uint16_t *states;                   /* caller's: state_blocks * state_block */
    /* caller's: after[k] the values of subspace (other - k)-mover, where a capture of k stones leads;
     * NULL where that leaves fewer than three */
    const uint8_t *after[3];
    uint32_t *sets;          /* the sets of `mover` of the points that are free, by rank */
    _Atomic uint64_t *marks; /* four words a value block: bit v when the block may hold byte v */
};

struct kv_retro_step;

struct kv_retro {
    const struct kv_index *index; /* with sets of a, b and the capture subspaces' stones */
    const struct kv_rules *rules;
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

/* Fills in sizes and allocates what is not the caller's, for subspaces a-b and b-a with a <= b.
 * KV_E_MEMORY leaves nothing behind. */
int kv_retro_init(struct kv_retro *retro, const struct kv_index *index, const struct kv_rules *rules, int a,
                  int b);
void kv_retro_finish(struct kv_retro *retro);

/* Solves with `threads` threads, the calling one included. KV_E_BUSY when cancelled, KV_E_RANGE when a
 * distance does not fit, KV_E_MEMORY; values are complete only after KV_OK. */
int kv_retro_run(struct kv_retro *retro, int threads);

#endif
