/* Ranks and classes of sets of points. */
#include "tablebase/index.h"

#include <stdlib.h>
#include <string.h>

enum { POINTS = 24 };

uint32_t kv_binomial(int n, int k)
{
    if (k < 0 || k > n)
        return 0;
    uint64_t result = 1;
    for (int i = 1; i <= k; i++)
        result = result * (uint64_t)(n - k + i) / (uint64_t)i;
    return (uint32_t)result;
}

uint32_t kv_unrank(int points, int count, uint32_t rank)
{
    uint32_t set = 0;
    for (int point = points - 1; count > 0; point--)
        if (kv_binomial(point, count) <= rank) {
            rank -= kv_binomial(point, count);
            set |= 1u << point;
            count--;
        }
    return set;
}

/* What the points of `half`, the first being number `first` of the board, add to the rank of a set
 * of which `before` points come earlier. */
static uint32_t share(uint32_t half, int first, int before)
{
    uint32_t rank = 0;
    for (; half; half &= half - 1)
        rank += kv_binomial(first + kv_lowest(half), ++before);
    return rank;
}

static int make_ranks(struct kv_index *index, int stones)
{
    uint32_t size = 1u << (POINTS - KV_INDEX_HALF);
    index->high[stones] = calloc(size, sizeof *index->high[stones]);
    if (index->high[stones] == NULL)
        return KV_E_MEMORY;
    for (uint32_t half = 0; half < size; half++)
        if (kv_popcount(half) <= stones)
            index->high[stones][half] = share(half, KV_INDEX_HALF, stones - kv_popcount(half));
    return KV_OK;
}

static uint16_t stabiliser_of(const struct kv_board *board, uint32_t set)
{
    uint16_t result = 0;
    for (int s = 0; s < board->symmetries; s++)
        if (kv_symmetry_set(board, s, set) == set)
            result |= (uint16_t)(1u << s);
    return result;
}

static int make_classes(struct kv_index *index, int stones)
{
    const struct kv_board *board = index->board;
    struct kv_classes *classes = &index->classes[stones];
    uint32_t total = kv_binomial(board->points, stones), set = (1u << stones) - 1;
    classes->entry = malloc(total * sizeof *classes->entry);
    uint32_t *sets = malloc(total * sizeof *sets);
    if (classes->entry == NULL || sets == NULL) {
        free(sets);
        return KV_E_MEMORY;
    }
    memset(classes->entry, 0xff, total * sizeof *classes->entry);
    for (uint32_t rank = 0; rank < total; rank++, set = stones ? kv_next_set(set) : 0) {
        if (classes->entry[rank] != UINT32_MAX)
            continue;
        for (int s = 0; s < board->symmetries; s++) {
            uint32_t image = kv_index_rank(index, stones, kv_symmetry_set(board, s, set));
            classes->entry[image] = classes->count << 4 | board->inverse[s];
        }
        sets[classes->count++] = set;
    }
    uint32_t *trimmed = realloc(sets, classes->count * sizeof *sets);
    classes->sets = trimmed ? trimmed : sets;
    classes->stabiliser = malloc(classes->count * sizeof *classes->stabiliser);
    if (classes->stabiliser == NULL)
        return KV_E_MEMORY;
    for (uint32_t c = 0; c < classes->count; c++)
        classes->stabiliser[c] = stabiliser_of(board, classes->sets[c]);
    return KV_OK;
}

int kv_index_init(struct kv_index *index, const struct kv_board *board, uint32_t used)
{
    memset(index, 0, sizeof *index);
    index->board = board;
    index->used = used;
    for (uint32_t half = 0; half < 1u << KV_INDEX_HALF; half++)
        index->low[half] = (uint16_t)share(half, 0, 0);
    for (int mover = 0; mover <= KV_INDEX_STONES_MAX; mover++)
        for (int other = 0; other <= KV_INDEX_STONES_MAX; other++)
            index->block[mover][other] = kv_binomial(board->points - mover, other);
    int status = KV_OK;
    for (int stones = 0; stones <= KV_INDEX_STONES_MAX && status == KV_OK; stones++)
        if (used >> stones & 1) {
            status = make_ranks(index, stones);
            if (status == KV_OK)
                status = make_classes(index, stones);
        }
    if (status)
        kv_index_finish(index);
    return status;
}

void kv_index_finish(struct kv_index *index)
{
    for (int stones = 0; stones <= KV_INDEX_STONES_MAX; stones++) {
        free(index->high[stones]);
        free(index->classes[stones].entry);
        free(index->classes[stones].sets);
        free(index->classes[stones].stabiliser);
    }
    memset(index, 0, sizeof *index);
}

void kv_index_position(const struct kv_index *index, int mover, int other, uint64_t slot, uint32_t *movers,
                       uint32_t *others)
{
    uint32_t block = kv_index_block(index, mover, other);
    *movers = index->classes[mover].sets[slot / block];
    uint32_t free_points = index->board->all & ~*movers;
    *others =
        kv_expand(kv_unrank(index->board->points - mover, other, (uint32_t)(slot % block)), free_points);
}

bool kv_index_is_smallest(const struct kv_index *index, int mover, int other, uint32_t block, uint32_t inside,
                          uint32_t others)
{
    uint32_t symmetries = index->classes[mover].stabiliser[block] & ~1u;
    while (symmetries)
        if (kv_index_inside(index, mover, block, kv_take(&symmetries), other, others) < inside)
            return false;
    return true;
}

bool kv_index_is_first(const struct kv_index *index, int mover, int other, uint64_t slot)
{
    uint32_t size = kv_index_block(index, mover, other), movers, others;
    kv_index_position(index, mover, other, slot, &movers, &others);
    return kv_index_is_smallest(index, mover, other, (uint32_t)(slot / size), (uint32_t)(slot % size),
                                others);
}

uint64_t kv_index_positions(const struct kv_index *index, int mover, int other)
{
    const struct kv_classes *classes = &index->classes[mover];
    uint32_t size = kv_index_block(index, mover, other);
    uint64_t positions = 0;
    for (uint32_t block = 0; block < classes->count; block++) {
        uint32_t free_points = index->board->all & ~classes->sets[block], set = (1u << other) - 1;
        if (classes->stabiliser[block] == 1) {
            positions += size;
            continue;
        }
        for (uint32_t inside = 0; inside < size; inside++, set = set ? kv_next_set(set) : 0)
            positions +=
                kv_index_is_smallest(index, mover, other, block, inside, kv_expand(set, free_points));
    }
    return positions;
}
