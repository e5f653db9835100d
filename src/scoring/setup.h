/* Reading and writing what follows `new`: sides, teams, options. */
#ifndef KV_SCORING_SETUP_H
#define KV_SCORING_SETUP_H

#include "scoring/module.h"

/* Reads `A "Les As"=Ann,Bo foul=x`. On success `*setup` is the caller's, to be given to
 * kv_card_setup_destroy. An option of any module, written without quotes, is never taken for a team. */
int kv_card_setup_read(const struct kv_card_module *module, struct kv_span words,
                       struct kv_card_setup **setup, struct kv_error *error);

/* Writes what kv_card_setup_read gives back as the same setup, every option named. */
void kv_card_setup_write(const struct kv_card_setup *setup, struct kv_buffer *out);

/* Writes the value of an option as people type it. */
void kv_card_option_write(const struct kv_card_option *option, int64_t value, struct kv_buffer *out);

void kv_card_setup_destroy(struct kv_card_setup *setup);

/* The modules, in the order `help` shows them; ends with NULL. */
extern const struct kv_card_module *const kv_card_modules[];

/* NULL when there is no such game. */
const struct kv_card_module *kv_card_module_find(struct kv_span name);

#endif
