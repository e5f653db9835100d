/* Whole subspaces from files into memory and back; for the tool alone. */
#ifndef KV_TABLEBASE_STORE_H
#define KV_TABLEBASE_STORE_H

#include "tablebase/index.h"
#include "tablebase/table.h"

/* A directory of tables being made or checked. */
struct kv_store {
    const char *path;
    const struct kv_rules *rules;
    const struct kv_index *index;
    int threads;
    int level;                  /* of compression, as zstd counts */
    const _Atomic bool *cancel; /* may be NULL */
};

/* Bytes of memory that the values of a subspace take. */
uint64_t kv_store_bytes(const struct kv_store *store, struct kv_subspace subspace);

/* Takes the rules of a set, the number of stones apart, from the head of one of its files. False when it
 * cannot be read or its rules are none of this program's. */
bool kv_store_read_rules(const char *directory, const char *name, struct kv_rules *rules);

/* Opens a table after checking name, rules, and size against its head. Codes of kv_table_open. */
int kv_store_open(const struct kv_store *store, enum kv_table_kind kind, struct kv_subspace subspace,
                  struct kv_table *table, struct kv_error *error);

/* Is that table there, with head and list of chunks in order? */
bool kv_store_has(const struct kv_store *store, enum kv_table_kind kind, struct kv_subspace subspace);

/* Reads every value: distances as in block.h, or results 0 draw, 1 loss, 2 win; a byte a slot, to be
 * given back with kv_pages_give(bytes, kv_store_bytes()). */
int kv_store_load(const struct kv_store *store, enum kv_table_kind kind, struct kv_subspace subspace,
                  uint8_t **bytes, struct kv_error *error);

/* The results of `slots` distances, five to a byte as FORMAT.md has them; what is missing at the end counts
 * as draws. Returns how many bytes they are. */
size_t kv_store_pack(const uint8_t *values, uint64_t slots, uint8_t *bytes);

/* What the values of a subspace amount to. */
struct kv_tally {
    uint64_t positions, counts[256];    /* up to symmetry */
    uint64_t longest_win, longest_loss; /* smallest such slot, or KV_TABLE_NO_SLOT */
};
/* KV_E_MEMORY. */
int kv_store_tally(const struct kv_store *store, struct kv_subspace subspace, const uint8_t *values,
                   struct kv_tally *tally);

/* Writes a table of a subspace, of either kind, from its distances: aside, then renamed. The bytes of the
 * file do not depend on the number of threads. KV_E_IO, KV_E_MEMORY, KV_E_BUSY when cancelled: nothing
 * is left behind. `size` receives the bytes of the file. */
int kv_store_save(const struct kv_store *store, enum kv_table_kind kind, struct kv_subspace subspace,
                  const uint8_t *values, uint64_t *size, struct kv_error *error);

#endif
