/* The commands of a game: one table of rows, the same for every module. */
#ifndef KV_SCORING_COMMAND_H
#define KV_SCORING_COMMAND_H

#include "scoring/card.h"

struct kv_card_session {
    const struct kv_card_module *module;
    struct kv_card *game; /* NULL before `new` or `load` */
    bool files;           /* load and save may touch files */
    bool bare;            /* a line that is no command is taken for the input that is due */
    bool announce;        /* new games write announcements */
};

/* Runs a line without the game's name in front. Adds the answer, without its last line "ok ...", to
 * `out` and sets `*changed` if the game is not what it was. On failure nothing has changed. */
int kv_card_command_run(struct kv_card_session *session, struct kv_span line, struct kv_buffer *out,
                        bool *changed, struct kv_error *error);

/* The rest of a line as a path: as it stands, blanks and all, or between quotes. */
struct kv_span kv_card_command_path(struct kv_span rest);

/* Puts a game in the place of the one there was; takes it over. */
void kv_card_session_set(struct kv_card_session *session, struct kv_card *game);

/* A line for each command of the module, each led by `prefix`. */
void kv_card_command_help(const struct kv_card_module *module, const char *prefix, struct kv_buffer *out);

#endif
