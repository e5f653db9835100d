/* Exact values for openings and adjudication. */
#ifndef KVERN_MATCH_TABLE_H
#define KVERN_MATCH_TABLE_H

#include "kvern/position.h"

struct match_table;

/* Computes the endgames that are known without files; waits until they are there. `path` (may be NULL) names
 * a directory of table files. A line says what failed: no tables there, or memory. */
int match_table_open(struct match_table **table, const struct kv_rules *rules, const char *path,
                     struct kv_error *error);
void match_table_close(struct match_table *table); /* NULL is allowed */

/* 1, 0 or -1 for the side to move; false when the value is not known. `table` may be NULL. Any thread. */
bool match_table_probe(struct match_table *table, const struct kv_position *position, int *outcome);
/* The same, but false in the built-in opening: a game that is known from its first move is still to be
 * played. */
bool match_table_ends(struct match_table *table, const struct kv_position *position, int *outcome);

#endif
