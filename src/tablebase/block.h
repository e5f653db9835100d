/* One block of positions with the same stones Y of the side not to move: what the passes of the
 * solvers share. The side to move, X, stands on some of the points that Y leaves free; those are
 * numbered 0, 1, …, and a set of them is called compressed. All positions that a turn of X can lead
 * to lie in few blocks of values by class of the side to move: that of Y where nothing is taken,
 * those of Y without one or two stones otherwise.
 *
 * A value is a byte: 0 = a draw (or not known yet), otherwise 1 + the number of plies to the end.
 * An even number of plies is a loss, an odd one a win, so that even bytes are wins.
 */
#ifndef KV_TABLEBASE_BLOCK_H
#define KV_TABLEBASE_BLOCK_H

#include <stdatomic.h>

#include "tablebase/index.h"

enum { KV_BYTE_DRAW = 0, KV_BYTE_LOST = 1, KV_BYTE_MAX = 254, KV_BYTE_UNKNOWN = 255 };

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

/* The best of several moves' values, one at a time. */
struct kv_best {
    uint8_t win, loss; /* shortest win and longest loss; UNKNOWN and 0 when there was none */
    bool draw;
};
static inline void kv_best_add(struct kv_best *best, uint8_t byte)
{
    if (byte == KV_BYTE_DRAW)
        best->draw = true;
    else if (kv_byte_is_win(byte))
        best->win = byte < best->win ? byte : best->win;
    else
        best->loss = byte > best->loss ? byte : best->loss;
}
static inline uint8_t kv_best_byte(const struct kv_best *best)
{
    return best->win != KV_BYTE_UNKNOWN ? best->win : best->draw ? KV_BYTE_DRAW : best->loss;
}

/* A subspace being solved, as the workers on its blocks see it. */
struct kv_block_job {
    const struct kv_index *index;
    const struct kv_rules *rules;
    int mover, other; /* stones on the board before the turn */
    int arrived;      /* the mover's after it: one more in the placing phase */
    uint8_t *values;  /* of this subspace, by class of the mover's stones */
    /* after[k]: values, by class of the other's stones, of the subspace where a turn leads that takes
     * k stones; NULL for k > 0 where that leaves the other too few to play on */
    const uint8_t *after[3];
    _Atomic uint64_t *marks; /* may be NULL: four words a block of `values`, bit v = it may hold byte v */
    _Atomic bool *overflow;  /* set when a distance did not fit a byte */
};

enum { KV_BLOCK_QUEUE = 128, KV_BLOCK_PAIRS = 66 };

/* Where a capture leads: the block of the stones that are left. */
struct kv_block_target {
    const uint8_t *values; /* NULL: too few are left */
    uint32_t free_points;  /* in the image under `symmetry` */
    int symmetry;
};

/* What one thread works with. */
struct kv_block_worker {
    const struct kv_block_job *job;
    const struct kv_board *board;
    uint32_t others, free_points; /* of the block */
    uint32_t takeable;            /* which of `others` a closed mill may take */
    uint32_t expand[3][256];      /* compressed sets' points byte by byte, where no instruction does it */
    struct kv_block_target one[KV_INDEX_STONES_MAX], two[KV_BLOCK_PAIRS];
    int ones, twos;
    uint8_t *captured[2]; /* by rank after the turn: its value when one mill, or two, were closed */
    struct {
        uint32_t movers, others, entry;
        uint8_t byte;
    } queue[KV_BLOCK_QUEUE]; /* decided positions on their way to their slots */
    int queued;
    int deepest; /* the largest byte decided */
};

/* `longest` is the largest number of sets of any block's compressed points. KV_E_MEMORY. */
int kv_block_worker_init(struct kv_block_worker *worker, const struct kv_board *board, uint32_t longest);
void kv_block_worker_finish(struct kv_block_worker *worker);

/* Begin a block of the job; kv_block_captures must follow before kv_block_capture is used. */
void kv_block_enter(struct kv_block_worker *worker, uint32_t block);
void kv_block_captures(struct kv_block_worker *worker);

/* The value of a turn after which the mover stands on `movers` (points of the board) having closed a
 * mill (`two`: two at once), with the best capture. Some stone can be taken. */
uint8_t kv_block_capture(struct kv_block_worker *worker, uint32_t movers, bool two);

/* A compressed set's points. */
static inline uint32_t kv_block_expand(const struct kv_block_worker *worker, uint32_t set)
{
#if defined(__BMI2__)
    return kv_expand(set, worker->free_points);
#else
    return worker->expand[0][set & 255] | worker->expand[1][set >> 8 & 255] | worker->expand[2][set >> 16];
#endif
}

/* Sends the value of a position of the block to its slots; they are written by the next flush. */
void kv_block_decide(struct kv_block_worker *worker, uint32_t compressed, int byte);
void kv_block_flush(struct kv_block_worker *worker);

#endif
