/* The opening, built in: the result of every position of the first plies of the placing phase under the
 * classic rules. The values were computed with the tables of the whole game (RESULTS.md) and written by
 * `kvern-tb opening`; FORMAT.md describes the file.
 */
#ifndef KV_TABLEBASE_OPENING_H
#define KV_TABLEBASE_OPENING_H

#include "tablebase/subspace.h"
#include "tablebase/tablebase.h"

enum {
    KV_OPENING_PLIES = 8,    /* the last ply known; half of it is the most stones a side has then */
    KV_OPENING_HEAD = 8 + 4, /* bytes of the file's head: a name, and the number of subspaces */
    KV_OPENING_MAX = 64,     /* the most subspaces that a reader accepts */
};

extern const char kv_opening_magic[8];

struct kv_opening;

/* Unpacks what is built in; some milliseconds. KV_E_MEMORY, or KV_E_DAMAGED. */
int kv_opening_create(struct kv_opening **opening);
void kv_opening_destroy(struct kv_opening *opening); /* NULL is allowed */

/* Is the opening right under these rules? */
bool kv_opening_fits(const struct kv_rules *rules);
/* Is it early enough, by the stones in hand, for the opening to know it or what follows a capture that is
 * due? Endgames are out of reach from there. Rules that fit are taken for granted here and below. */
bool kv_opening_is_on(const struct kv_position *position);
/* Is it a position of the opening? */
bool kv_opening_covers(const struct kv_opening *opening, const struct kv_position *position);
/* KV_OK or KV_E_NOT_FOUND. A win or a loss comes without its distance. Any thread. */
int kv_opening_probe(const struct kv_opening *opening, const struct kv_position *position,
                     struct kv_value *value);

#endif
