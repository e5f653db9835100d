/* Puzzle files: a position a line with what is expected of it.
 *
 *   POSITION bm d6 a1-a4; value win; dm 5; id "first"; c0 "a comment";
 *   {"fen": "POSITION", "bm": ["d6"], "value": "win", "plies": 5, "id": "first", "comment": "..."}
 *
 * Everything after the position is optional. Empty lines and lines that begin with '#' say nothing.
 */
#ifndef PUZZLE_ENTRY_H
#define PUZZLE_ENTRY_H

#include "base/buffer.h"
#include "base/span.h"
#include "kvern/position.h"

enum { PUZZLE_EXPECTED_MAX = 64, PUZZLE_ID_MAX = 128, PUZZLE_COMMENT_MAX = 512 };

struct puzzle_entry {
    struct kv_position position;
    kv_move expected[PUZZLE_EXPECTED_MAX];
    int expected_count;
    bool has_value;
    int value;                                           /* expected: 1, 0, -1 */
    int plies;                                           /* expected distance; -1 = none */
    char id[PUZZLE_ID_MAX], comment[PUZZLE_COMMENT_MAX]; /* "" = none; cut to fit */
};

/* Does the line hold nothing to read? */
bool puzzle_entry_is_blank(struct kv_span line);
/* Reads one line. KV_E_SYNTAX, KV_E_RANGE or KV_E_ILLEGAL with what is wrong; KV_E_MEMORY. */
int puzzle_entry_read(const struct kv_rules *rules, struct kv_span line, struct puzzle_entry *entry,
                      struct kv_error *error);
/* Adds the line, one of the two forms, with its newline. */
void puzzle_entry_write(const struct kv_rules *rules, const struct puzzle_entry *entry, bool json,
                        struct kv_buffer *out);

#endif
