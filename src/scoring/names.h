/* Names of sides and members, and the width of text on a screen. */
#ifndef KV_SCORING_NAMES_H
#define KV_SCORING_NAMES_H

#include "base/buffer.h"
#include "base/span.h"

enum {
    KV_CARD_NAME_BYTES = 400,  /* longest name, as UTF-8 */
    KV_CARD_NAME_COLUMNS = 80, /* and on a screen */
};

/* Reads one name off the front of `rest`: either bare, up to a blank or one of `" , =`, or between
 * double quotes, where "" stands for one of them. Writes a fresh string in Unicode normal form C,
 * which the caller frees, and whether it was quoted (may be NULL). A name is valid UTF-8, has
 * something to see, no control or direction characters and no blank at either end. */
int kv_card_name_read(struct kv_span *rest, char **name, bool *quoted, struct kv_error *error);

/* Writes `name` so that kv_card_name_read gives it back: in quotes if it needs them or `quote` is set. */
void kv_card_name_write(struct kv_buffer *out, const char *name, bool quote);

/* Columns that valid UTF-8 takes on a screen (East Asian wide characters count two, marks none). */
size_t kv_card_text_width(const char *text, size_t length);

/* Adds valid UTF-8 followed, or when `right` is set preceded, by blanks up to `width` columns. */
void kv_card_text_pad(struct kv_buffer *out, const char *text, size_t length, size_t width, bool right);

/* Adds arbitrary bytes with whatever is not valid UTF-8, or would control a terminal, shown as '?'. */
void kv_card_text_clean(struct kv_buffer *out, const char *text, size_t length);

/* Text in Unicode normal form C, fresh and terminated; KV_E_SYNTAX when it is not valid UTF-8. */
int kv_card_text_compose(struct kv_span text, char **composed, struct kv_error *error);

struct kv_card_named {
    const char *name;
    size_t side;
};

/* Sorts by name and returns one that stands twice, or NULL. */
const char *kv_card_names_sort(struct kv_card_named *names, size_t count);

/* Finds a name among sorted ones; NULL when it is not there. */
const struct kv_card_named *kv_card_names_find(const struct kv_card_named *names, size_t count,
                                               struct kv_span name);

#endif
