/* A game as text: what `log` prints and files hold. The format is described in RULES.md. */
#ifndef KV_SCORING_RECORD_H
#define KV_SCORING_RECORD_H

#include "scoring/card.h"

/* Writes the whole record, end line included, into a buffer that holds nothing else. */
void kv_card_record_write(const struct kv_card *game, struct kv_buffer *out);

/* Adds the end line that fits the lines in `text`. */
void kv_card_record_seal(struct kv_buffer *text);

/* Reads a record of a game of this module by playing it; the new game is the caller's. A record that
 * was cut, or changed in any place, or holds an illegal entry, is refused. */
int kv_card_record_read(const struct kv_card_module *module, struct kv_span text, struct kv_card **game,
                        struct kv_error *error);

#endif
