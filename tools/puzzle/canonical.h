/* One position for all its mirror images. */
#ifndef PUZZLE_CANONICAL_H
#define PUZZLE_CANONICAL_H

#include "kvern/position.h"

/* Writes the image that stands for `position` and all its images under the board's symmetries, without
 * what the value does not depend on (move number; quiet plies when no limit counts them). Equal
 * as bytes only if the game is the same from there on. Returns the symmetry that leads to the image. */
int puzzle_canonical(const struct kv_rules *rules, const struct kv_position *position,
                     struct kv_position *image);

/* The same with the colours exchanged where needed to have white to move: one image a puzzle. */
void puzzle_canonical_white(const struct kv_rules *rules, const struct kv_position *position,
                            struct kv_position *image);

uint64_t puzzle_hash(const struct kv_position *image);
bool puzzle_same(const struct kv_position *a, const struct kv_position *b);

#endif
