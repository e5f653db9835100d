/* Moves in plain English: what they do about mills. */
#ifndef PUZZLE_EXPLAIN_H
#define PUZZLE_EXPLAIN_H

#include "base/buffer.h"
#include "kvern/position.h"

/* The points where `side` could close a mill if it were to move; captures due are forgotten. */
uint32_t puzzle_mill_threats(const struct kv_rules *rules, const struct kv_position *position, int side);

/* Adds what a legal, complete move does, as verbs that fit behind "White" or a move: "closes the mill
 * b6-d6-f6, takes a1 and stops Black's mill at d7". false, and nothing is added, when it does nothing
 * worth telling. */
bool puzzle_explain_move(const struct kv_rules *rules, const struct kv_position *before, kv_move move,
                         struct kv_buffer *out);

const char *puzzle_side_name(int side); /* "White", "Black" */

/* Adds the names of points: "d6", "d6 and b4", "d6, b4 and a1". */
void puzzle_list_points(const struct kv_rules *rules, uint32_t points, struct kv_buffer *out);

#endif
