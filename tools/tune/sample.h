/* Labelled positions, made in numbered batches that several threads may work on. */
#ifndef TUNE_SAMPLE_H
#define TUNE_SAMPLE_H

#include "tablebase/index.h"
#include "tune/play.h"
#include "tune/set.h"

struct tune_sample {
    uint64_t key;
    struct kv_position position; /* canonical */
    struct kv_value value;
};

enum { TUNE_BATCH = 256, TUNE_BATCHES = 64 };

struct tune_batch {
    struct tune_sample samples[TUNE_BATCH];
    int count, missing, status; /* missing: positions that no table has */
};

/* What all threads share; constant while they work. */
struct tune_source {
    const struct tune_options *options;
    const struct tune_set *set;
    struct kv_index index;         /* uniform */
    struct kv_subspace *subspaces; /* uniform: those to draw from */
    int count;
};

/* Complains by itself. */
enum tune_exit tune_source_init(struct tune_source *source, const struct tune_set *set,
                                const struct tune_options *options);
void tune_source_finish(struct tune_source *source);

/* Fills batch number `number`: a game, or TUNE_BATCH positions drawn. Depends on the seed and the number
 * alone. `player` is the calling thread's own. batch->status becomes KV_OK or KV_E_MEMORY. */
void tune_source_fill(const struct tune_source *source, struct tune_player *player, uint64_t number,
                      struct tune_batch *batch);

/* Is a position within the phases asked for? */
bool tune_is_wanted(const struct tune_options *options, const struct kv_position *position);

#endif
