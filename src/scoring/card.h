/* The shared core: a game is its setup and its log, and its state is the replay of the log. */
#ifndef KV_SCORING_CARD_H
#define KV_SCORING_CARD_H

#include "scoring/log.h"
#include "scoring/module.h"

/* What replaying the log makes. */
struct kv_card_play {
    void *state;
    struct kv_card_log log;
    int64_t *scores; /* totals of every side at the end of each section that is over */
    size_t sections, score_capacity;
};

struct kv_card {
    const struct kv_card_module *module;
    struct kv_card_setup *setup;
    struct kv_card_play play;
    struct kv_card_log undone;  /* a stack: the last is what `redo` enters next */
    struct kv_card_input input; /* memory kept from entry to entry */
    struct kv_buffer notes;     /* announcements of the last change, when `announce` is set */
    bool announce;
};

/* Starts a game; the setup becomes the game's own on success. */
int kv_card_create(struct kv_card_setup *setup, struct kv_card **game, struct kv_error *error);
void kv_card_destroy(struct kv_card *game); /* NULL is allowed */

/* Reads and applies one input. On failure nothing has changed; so for all the following. */
int kv_card_enter(struct kv_card *game, struct kv_span verb, struct kv_span rest, struct kv_error *error);

/* Takes the last `count` (1 to all) entries back. */
int kv_card_undo(struct kv_card *game, size_t count, struct kv_error *error);

/* Enters again what was undone last, as long as nothing else was entered since. When memory runs out
 * half-way, what was entered stays. */
int kv_card_redo(struct kv_card *game, size_t count, struct kv_error *error);

/* Puts `value` (with or without its verb) in the place of entry `index` (from 0) and replays the rest. */
int kv_card_edit(struct kv_card *game, size_t index, struct kv_span value, struct kv_error *error);

/* The place of every side, from 1; equal standings share one. `places` has room for all sides. */
int kv_card_rank(const struct kv_card *game, size_t *places);

/* Whether a word is one of the module's verbs. */
const struct kv_card_verb *kv_card_verb_find(const struct kv_card_module *module, struct kv_span word);

#endif
