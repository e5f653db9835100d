/* What reading and writing of records share. */
#ifndef KV_RECORD_NAMES_H
#define KV_RECORD_NAMES_H

#include "base/span.h"
#include "record/record.h"

enum { KV_TAG_NAME_MAX = 64, KV_TAGS_MAX = 200 };

/* What a note can hold: hundredths of a stone or moves, plies, milliseconds. */
enum { KV_NOTE_SCORE_MAX = 1000000, KV_NOTE_DEPTH_MAX = 1000, KV_NOTE_TIME_MAX = 999999999 };

/* Letters, digits and '_', at most KV_TAG_NAME_MAX of them. */
bool kv_record_is_tag_name(struct kv_span name);
/* Does this tag follow from a field of the record other than its tags? */
bool kv_record_is_derived_tag(struct kv_span name);

/* Adds a tag that is known to be good and new; a NUL byte in `value` becomes a blank. KV_E_MEMORY. */
int kv_record_append_tag(struct kv_record *record, struct kv_span name, struct kv_span value);

/* "1-0" and its like; false when it is none. */
bool kv_record_result_read(struct kv_span text, enum kv_result *result);

/* The variant by its own name or by a usual name of the game; as kv_variant_find otherwise. */
int kv_record_variant_find(struct kv_span name, struct kv_error *error);

/* An engine's note at the beginning of a comment: how many bytes it takes, 0 = there is none. */
size_t kv_record_note_read(struct kv_span text, struct kv_record_note *note);
/* The same within those limits. */
struct kv_record_note kv_record_note_clamp(const struct kv_record_note *note);
void kv_record_note_write(const struct kv_record_note *note, struct kv_buffer *out);
bool kv_record_note_is_empty(const struct kv_record_note *note);

/* How a move gets into a line: plays the next token's move. See moves.c. */
struct kv_record_cursor {
    const struct kv_rules *rules;
    struct kv_record_line *line;
    struct kv_position before, now; /* around the last move of the line */
    kv_move instead;                /* the move a variation replaces; KV_MOVE_NONE in a main line */
};

/* Reads `token` as the next move of the line, or as the capture its last move still owes. */
int kv_record_cursor_play(struct kv_record_cursor *cursor, struct kv_span token, struct kv_error *error);

/* One line of JSON. Errors name the element. */
int kv_record_read_json(struct kv_span text, const struct kv_rules *rules, struct kv_record *record,
                        size_t *error_at, struct kv_error *error);
/* One record as text; `*used` tells where it ended, or where reading should go on after a failure. */
int kv_record_read_text(struct kv_span text, const struct kv_rules *rules, struct kv_record *record,
                        size_t *used, size_t *error_at, struct kv_error *error);

#endif
