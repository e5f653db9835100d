/* The root moves of a search: which there are, and what tables say of them. */
#ifndef KV_SEARCH_ROOT_H
#define KV_SEARCH_ROOT_H

#include "search/worker.h"

/* Allocates the root moves for `position`, only those in `limits` where it names legal ones. Their
 * number, or KV_E_MEMORY. The caller frees `*roots`. */
int kv_root_list(const struct kv_rules *rules, const struct kv_position *position,
                 const struct kv_limits *limits, struct kv_root_move **roots);

/* Where the tables know every root move listed, keeps only those that keep the value (and of these, when it
 * is a win or a loss, the shortest or longest, as far as distances are known); `*value` tells what it is.
 * Returns the new number. */
int kv_root_filter(struct kv_tablebase *tablebase, const struct kv_rules *rules,
                   const struct kv_position *position, struct kv_root_move *roots, int count,
                   enum kv_root_value *value);

/* Draws one of the root moves, all of which keep a draw, and keeps that one: 1 is returned. A move weighs one
 * more than the opponent has replies that lose, as far as the tables know them. The same for the same
 * seed, position and moment of the game. */
int kv_root_vary(struct kv_tablebase *tablebase, const struct kv_rules *rules,
                 const struct kv_position *position, struct kv_root_move *roots, int count, uint64_t seed);

/* Lengthens a line that ends inside the tables to the end of the game, when it is won or lost. */
void kv_root_complete_line(struct kv_tablebase *tablebase, const struct kv_rules *rules,
                           const struct kv_position *position, struct kv_root_move *root);

#endif
