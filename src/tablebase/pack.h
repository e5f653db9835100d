/* Makes a small set of results from a set of distances, or writes the distances anew. */
#ifndef KV_TABLEBASE_PACK_H
#define KV_TABLEBASE_PACK_H

#include "tablebase/store.h"

/* One ply of search answers for a table whose successors all have theirs. Of the moving phase that is
 * the side with fewer stones of each pair, of the placing phase every other ply. */

/* Is `subspace` one that the small set leaves out? `whole` says what there is. */
bool kv_pack_leaves_out(const struct kv_store *whole, struct kv_subspace subspace);

/* Writes the results of `subspace` from the distances in `whole` to `small`, or all distances where `kind`
 * says so, unless they are there or left out: `*size` is then 0. Codes of kv_store_load and kv_store_save. */
int kv_pack_subspace(const struct kv_store *whole, const struct kv_store *small, enum kv_table_kind kind,
                     struct kv_subspace subspace, uint64_t *size, struct kv_error *error);

#endif
