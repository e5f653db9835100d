/* The tables of one directory under one set of rules, read through a cache of unpacked chunks. */
#ifndef KV_TABLEBASE_FOLDER_H
#define KV_TABLEBASE_FOLDER_H

#include "tablebase/index.h"
#include "tablebase/subspace.h"
#include "tablebase/tablebase.h"

struct kv_folder;

/* Opens every table of the directory that agrees with `rules`; those that are damaged or made for
 * other rules are named to `note` (may be NULL), one line each, and left out. `cache_mb` >= 1.
 * KV_E_NOT_FOUND or KV_E_IO when there is no such directory, KV_E_MEMORY. */
int kv_folder_open(struct kv_folder **folder, const struct kv_rules *rules, const char *path, size_t cache_mb,
                   kv_tablebase_note note, void *user, struct kv_error *error);
void kv_folder_close(struct kv_folder *folder); /* NULL is allowed */

int kv_folder_count(const struct kv_folder *folder); /* tables in use */
/* Is there a table of distances? */
bool kv_folder_has_distances(const struct kv_folder *folder, struct kv_subspace subspace);
bool kv_folder_covers(const struct kv_folder *folder, const struct kv_position *position);
/* KV_OK, KV_E_NOT_FOUND, or KV_E_DAMAGED: the table has just been named to `note` and is not used again.
 * Any thread. */
int kv_folder_probe(struct kv_folder *folder, const struct kv_position *position, struct kv_value *value);

#endif
