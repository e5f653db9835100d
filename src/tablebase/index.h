/* Where a position stands in a table: sets of points as ranks, and positions up to symmetry.
 *
 * A subspace holds the positions in which the side to move has `mover` stones and its opponent has
 * `other`. Its slots lie in blocks, one a class of the mover's stones (a class: sets that symmetries
 * carry into each other); inside a block the opponent's stones are ranked among the points that the
 * class's representative leaves free. A class that is symmetric in itself gives a position up to 16
 * slots in one block; all of them hold its value, and kv_index_is_first picks one for counting. So a
 * position is found with one look at a class table, one image and one rank, and no search for a
 * smallest image.
 *
 * Ranks are those of the combinatorial number system (D. H. Lehmer): the set p0 < p1 < … has rank
 * C(p0, 1) + C(p1, 2) + …, so ranks follow the sets as integers.
 */
#ifndef KV_TABLEBASE_INDEX_H
#define KV_TABLEBASE_INDEX_H

#include "base/bits.h"
#include "board/geometry.h"

enum {
    KV_INDEX_STONES_MAX = 12,
    KV_INDEX_HALF = 12, /* a set is ranked as two halves of twelve points */
};

/* The sets of `stones` points, up to the symmetries of the board. */
struct kv_classes {
    uint32_t count;       /* classes; numbered in the order of their representatives */
    uint32_t *entry;      /* by rank: class << 4 | number of a symmetry leading to the representative */
    uint32_t *sets;       /* by class: its representative, the smallest of its sets as an integer */
    uint16_t *stabiliser; /* by class: bit s when symmetry s keeps the representative as it is */
};

/* Constant once made; shared by any number of threads. */
struct kv_index {
    const struct kv_board *board;
    uint32_t used;                           /* bit n: sets of n points are known */
    uint16_t low[1 << KV_INDEX_HALF];        /* share of the points 0..11 in the rank */
    uint32_t *high[KV_INDEX_STONES_MAX + 1]; /* share of the others, by the size of the whole set */
    struct kv_classes classes[KV_INDEX_STONES_MAX + 1];
    uint32_t block[KV_INDEX_STONES_MAX + 1][KV_INDEX_STONES_MAX + 1]; /* see kv_index_block */
};

/* Makes the tables for sets of n points, for every bit n of `used` (0..12). KV_E_MEMORY leaves
 * nothing behind. kv_index_finish may be called on a zeroed index. */
int kv_index_init(struct kv_index *index, const struct kv_board *board, uint32_t used);
void kv_index_finish(struct kv_index *index);

/* C(n, k) for n <= 24; 0 when k > n or k < 0. */
uint32_t kv_binomial(int n, int k);

/* The rank of a set of `count` points; index->used must have bit `count`. */
static inline uint32_t kv_index_rank(const struct kv_index *index, int count, uint32_t set)
{
    return index->low[set & ((1u << KV_INDEX_HALF) - 1)] + index->high[count][set >> KV_INDEX_HALF];
}

/* Slots of a block, and of the whole subspace. */
static inline uint32_t kv_index_block(const struct kv_index *index, int mover, int other)
{
    return index->block[mover][other];
}
static inline uint64_t kv_index_slots(const struct kv_index *index, int mover, int other)
{
    return (uint64_t)index->classes[mover].count * kv_index_block(index, mover, other);
}

/* The slot of `other`'s stones inside the block of class `block` under symmetry `symmetry`. */
static inline uint32_t kv_index_inside(const struct kv_index *index, int mover, uint32_t block, int symmetry,
                                       int other, uint32_t others)
{
    uint32_t image = kv_symmetry_set(index->board, symmetry, others);
    uint32_t free_points = index->board->all & ~index->classes[mover].sets[block];
    return kv_index_rank(index, other, kv_compress(image, free_points));
}

/* The slot of a position: `movers` stand the `mover` stones of the side to move. */
static inline uint64_t kv_index_slot(const struct kv_index *index, int mover, int other, uint32_t movers,
                                     uint32_t others)
{
    uint32_t entry = index->classes[mover].entry[kv_index_rank(index, mover, movers)];
    return (uint64_t)(entry >> 4) * kv_index_block(index, mover, other) +
           kv_index_inside(index, mover, entry >> 4, (int)(entry & 15), other, others);
}

/* The position of a slot, and whether the slot is the smallest of its position: exactly one is. */
void kv_index_position(const struct kv_index *index, int mover, int other, uint64_t slot, uint32_t *movers,
                       uint32_t *others);
bool kv_index_is_first(const struct kv_index *index, int mover, int other, uint64_t slot);
/* The same for slot `inside` of the block of class `block`, whose position has the opponent's stones
 * `others` beside the class's representative. */
bool kv_index_is_smallest(const struct kv_index *index, int mover, int other, uint32_t block, uint32_t inside,
                          uint32_t others);

/* How many positions a subspace has up to symmetry. */
uint64_t kv_index_positions(const struct kv_index *index, int mover, int other);

/* The set of rank `rank` among the sets of `count` of `points` points. */
uint32_t kv_unrank(int points, int count, uint32_t rank);
/* The next set with as many points, as an integer (not for the empty set). */
static inline uint32_t kv_next_set(uint32_t set)
{
    uint32_t lowest = set & -set, ripple = set + lowest;
    return ripple | ((set ^ ripple) >> 2) / lowest;
}

#endif
