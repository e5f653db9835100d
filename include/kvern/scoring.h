/* Score keeping for molkky, palet and jakkolo: one text command in, one answer out.
 *
 * A `struct kv_scoring` holds one game of each. Nothing here prints or exits; answers go through a
 * callback. One thread at a time may use an object; different objects are independent.
 * The rules as kept, every command and the log format: src/scoring/RULES.md.
 */
#ifndef KVERN_SCORING_H
#define KVERN_SCORING_H

#include <stdio.h>

#include "kvern/base.h"

struct kv_scoring;

enum {
    KV_SCORING_FILES = 1, /* `load` and `save` may touch files; without it they answer an error */
};

/* Receives a piece of an answer: whole lines, each ending in a newline. The bytes are the caller's
 * only until the callback returns. */
typedef void kv_scoring_emit(void *user, const char *bytes, size_t length);

/* No game is under way in a new object. NULL when memory is short. `flags`: 0 or KV_SCORING_FILES. */
KV_API struct kv_scoring *kv_scoring_create(unsigned flags);

/* NULL is allowed. */
KV_API void kv_scoring_destroy(struct kv_scoring *scoring);

/* Whether `word` is the name of a game, hence a line that starts with it is for kv_scoring_command. */
KV_API bool kv_scoring_knows(const char *word, size_t length);

/* Runs one command line, "molkky throw 12"; any bytes and any length are allowed, a line end at the
 * end too. Emits the answer, whose last line is "GAME ok ..." or "GAME error ...", in one call.
 * Returns what the answer says: KV_OK, or the code of the error, after which nothing has changed. */
KV_API int kv_scoring_command(struct kv_scoring *scoring, const char *line, size_t length,
                              kv_scoring_emit *emit, void *user);

/* Replaces the game of this name by the one in a log (what `log` prints), held in memory.
 * On failure the game under way stays. */
KV_API int kv_scoring_read_log(struct kv_scoring *scoring, const char *game, const char *bytes, size_t length,
                               struct kv_error *error);

/* Emits one line for every command of every game, "molkky throw ...  what it does". */
KV_API void kv_scoring_help(kv_scoring_emit *emit, void *user);

/* The program for people at a table: reads commands from `in` with a prompt when it is a terminal,
 * writes to `out`, keeps `file` (NULL: none) up to date after every entry and resumes it when it is
 * there. While it runs SIGINT, SIGTERM and SIGHUP are its own. Returns an exit code: 0; or 1 when
 * the game is unknown, the file cannot be used, or the last entries could not be saved. */
KV_API int kv_scoring_table(const char *game, const char *file, FILE *in, FILE *out);

#endif
