/* A directory of tables, and what it says about positions and moves. */
#ifndef TUNE_SET_H
#define TUNE_SET_H

#include "tune/tune.h"

struct tune_set {
    struct kv_rules rules;
    struct kv_tablebase *tables;
    struct kv_subspace *subspaces; /* with a table of distances, fewest stones first */
    int count;
};

/* Opens what is there and finds out its rules. Complains by itself. */
enum tune_exit tune_set_open(struct tune_set *set, const struct tune_options *options);
void tune_set_close(struct tune_set *set); /* a zeroed one is allowed */

/* The value of a position for its side to move, a finished game included; false when no table has it. */
bool tune_set_value(const struct tune_set *set, const struct kv_position *position, struct kv_value *value);

/* A move with the value of what it leads to, for the side that moves. */
struct tune_move {
    kv_move move;
    struct kv_value value;
};

/* The legal moves of a position with nothing due. */
struct tune_moves {
    struct tune_move moves[KV_MOVES_MAX];
    int count, best, worst; /* outcomes */
};

/* All moves with their values; false when one of them is not known. */
bool tune_set_moves(const struct tune_set *set, const struct kv_position *position, struct tune_moves *moves);

/* Do the moves differ in outcome, so that value can be thrown away? */
static inline bool tune_is_critical(const struct tune_moves *moves)
{
    return moves->count > 0 && moves->best != moves->worst;
}

/* The image that stands for a position with nothing due and all its images under the symmetries of the
 * board and the exchange of the colours: white to move, no moves counted. Returns its key, which no other
 * position has. */
uint64_t tune_canonical(const struct kv_rules *rules, const struct kv_position *position,
                        struct kv_position *image);

/* A set of keys. Zero-initialise to start. */
struct tune_keys {
    uint64_t *slots; /* key + 1, or 0 */
    size_t count, capacity;
};
/* 1 when the key is new, 0 when it was there, KV_E_MEMORY. */
int tune_keys_add(struct tune_keys *keys, uint64_t key);
void tune_keys_finish(struct tune_keys *keys);

#endif
