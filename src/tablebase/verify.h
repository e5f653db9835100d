/* Checks tables by looking forward: every value must follow from those of the position's successors,
 * as the rules of the board room list them. Shares with the solver only the files and their index. */
#ifndef KV_TABLEBASE_VERIFY_H
#define KV_TABLEBASE_VERIFY_H

#include "tablebase/store.h"

struct kv_verify_result {
    uint64_t checked;  /* positions compared with their successors */
    uint64_t slots;    /* compared with the other slots of their position, or with the other table */
    uint64_t wrong;    /* differences of any kind */
    uint64_t example;  /* a slot where one was found */
    bool tally_agrees; /* the counts in the heads are those of the slots */
};

/* Checks the distances of a subspace: checksums, every slot, and the fraction `share` (0..1] of the blocks
 * forward. KV_OK also when differences were found: see result->wrong. Otherwise the files needed
 * could not be read. */
int kv_verify_subspace(const struct kv_store *store, struct kv_subspace subspace, double share,
                       struct kv_verify_result *result, struct kv_error *error);

/* Checks a table of results against the distances of another directory: checksums, and every slot. */
int kv_verify_results(const struct kv_store *results, const struct kv_store *distances,
                      struct kv_subspace subspace, struct kv_verify_result *result, struct kv_error *error);

#endif
