/* The hash table: what is known of a position, shared by all threads without locks.
 *
 * An entry is two 64-bit words, key ^ data and data. The key is a one-to-one image of the position,
 * so an entry never answers for another one; a word torn by two writers fails the comparison.
 */
#ifndef KV_SEARCH_TABLE_H
#define KV_SEARCH_TABLE_H

#include <stdatomic.h>
#include <stddef.h>

#include "kvern/position.h"

enum { KV_BUCKET = 4 };

struct kv_entry {
    _Atomic uint64_t check, data;
};

struct kv_table {
    struct kv_entry *entries;
    size_t buckets;      /* each of KV_BUCKET entries */
    size_t bytes;        /* of the mapping */
    unsigned generation; /* counts searches, modulo 64 */
};

/* What an entry says. Mate scores are stored as distances from the entry's own position. */
struct kv_known {
    kv_move move; /* KV_MOVE_NONE if none */
    int score;
    int depth;
    int bound; /* enum kv_bound */
};

int kv_table_init(struct kv_table *table, size_t megabytes); /* KV_E_MEMORY */
void kv_table_finish(struct kv_table *table);
void kv_table_clear(struct kv_table *table);
void kv_table_age(struct kv_table *table); /* a new search begins */
bool kv_table_probe(const struct kv_table *table, uint64_t key, struct kv_known *known);
void kv_table_store(struct kv_table *table, uint64_t key, const struct kv_known *known);
void kv_table_prefetch(const struct kv_table *table, uint64_t key);
int kv_table_full(const struct kv_table *table); /* thousandths of entries of this search, by sample */

#endif
