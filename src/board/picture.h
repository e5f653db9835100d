/* The board drawn with letters, for people. */
#ifndef KV_BOARD_PICTURE_H
#define KV_BOARD_PICTURE_H

#include "base/buffer.h"
#include "kvern/position.h"

/* Adds a line a rank with its number, highest first, and a line with the files: O white, @ black,
 * * empty, lines as - and |. */
void kv_picture(const struct kv_rules *rules, const struct kv_position *position, struct kv_buffer *out);

#endif
