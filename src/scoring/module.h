/* What a game is to the shared core: one row of data and functions. A new game is a file with such a
 * row and one more name in kv_card_modules (scoring/setup.c).
 *
 * The state of a game is one flat block of bytes that owns nothing (it may point to the
 * setup), so a copy of the bytes is a copy of the game. `read` judges an input completely, in the
 * state as it is; after that `apply` cannot fail.
 */
#ifndef KV_SCORING_MODULE_H
#define KV_SCORING_MODULE_H

#include <cjson/cJSON.h>

#include "base/buffer.h"
#include "base/span.h"
#include "scoring/names.h"

enum { KV_CARD_OPTIONS = 3 };

/* A setting given to `new` as NAME=VALUE: one of `choices` ("x|imo|none"; the value is its place in
 * the list), or, when that is NULL, a whole number from low to high. */
struct kv_card_option {
    const char *name, *choices;
    int64_t low, high, initial;
    const char *summary;
};

/* A command that makes an entry in the log. The first of a module is the one people leave out. */
struct kv_card_verb {
    const char *name, *arguments, *summary;
};

struct kv_card_side {
    char *name;
    char **members; /* NULL for a single player */
    size_t member_count;
};

/* Who plays by which options: everything `new` says. Fixed for the life of a game. */
struct kv_card_setup {
    const struct kv_card_module *module;
    struct kv_card_side *sides;
    size_t side_count;
    struct kv_card_named *by_name; /* the sides, sorted by name */
    int64_t options[KV_CARD_OPTIONS];
};

/* One input, read and found legal: numbers whose meaning is the module's. */
struct kv_card_input {
    int64_t *values;
    size_t count, capacity;
};

/* What became of an input. */
struct kv_card_outcome {
    size_t side, member;     /* who made it; member 0 for a single player */
    size_t section, row;     /* where the sheet shows it, from 0 */
    int64_t points, total;   /* what it brought, and what the side then has in the section */
    bool miss;               /* brought nothing */
    bool section_over;       /* the round or game it belongs to ended with it */
    struct kv_buffer *notes; /* to be read aloud, one line each; NULL: nobody listens */
};

/* Who is to play. `side` and `member` mean nothing when the game is over. */
struct kv_card_turn {
    bool over;
    size_t side, member;
    int64_t shots; /* left in this turn; -1 where the game has no such count */
};

struct kv_card_standing {
    int64_t total;   /* of the match */
    int64_t key;     /* ranks the sides: a higher one is better, equal ones share a place */
    char remark[48]; /* the line under the total: "XX", "out", "debt 2" */
};

struct kv_card_module {
    const char *name;
    size_t least_sides;
    const char *section;                  /* what the parts of a match are called; NULL: it has none */
    const char *tally;                    /* what an outcome's total counts; NULL: the total of the match */
    const struct kv_card_option *options; /* up to a row without a name */
    const struct kv_card_verb *verbs;     /* likewise */

    size_t size, side_size; /* of a state without sides, and what each side adds */
    /* The state is all zero before. */
    void (*start)(void *state, const struct kv_card_setup *setup);

    /* The verb people leave out, as things stand. */
    const char *(*expected)(const void *state);
    /* `rest` is what followed the verb. */
    int (*read)(const void *state, struct kv_span verb, struct kv_span rest, struct kv_card_input *input,
                struct kv_error *error);
    /* The input as a line that `read` turns into the same input: "throw 12". */
    void (*write)(const struct kv_card_setup *setup, const struct kv_card_input *input,
                  struct kv_buffer *out);
    /* The input as people note it on the sheet: "12". */
    void (*mark)(const struct kv_card_setup *setup, const struct kv_card_input *input, struct kv_buffer *out);
    void (*apply)(void *state, const struct kv_card_input *input, struct kv_card_outcome *outcome);

    void (*turn)(const void *state, struct kv_card_turn *turn);
    void (*standing)(const void *state, size_t side, struct kv_card_standing *standing);
    /* What a row of a section is called; kv_card_label where it is only counted. */
    void (*label)(size_t row, struct kv_buffer *out);
    /* `rest` is what followed the word advice. The game is not over. */
    int (*advice)(const void *state, struct kv_span rest, struct kv_buffer *out, struct kv_error *error);
    /* Adds what only this game has: to the whole, and to one side. False when memory is short. */
    bool (*json)(const void *state, cJSON *game);
    bool (*json_side)(const void *state, size_t side, cJSON *object);
};

extern const struct kv_card_module kv_molkky_module, kv_palet_module, kv_jakkolo_module;

/* Empties `input` and makes room for `count` numbers. */
int kv_card_input_reserve(struct kv_card_input *input, size_t count, struct kv_error *error);

/* A fresh state; NULL when memory is short. The caller frees it. */
void *kv_card_state_create(const struct kv_card_setup *setup);

/* The bytes of a state. */
size_t kv_card_state_size(const struct kv_card_setup *setup);

/* Counts rows from 1. */
void kv_card_label(size_t row, struct kv_buffer *out);

/* The side of this name, or NULL. */
const struct kv_card_named *kv_card_side_find(const struct kv_card_setup *setup, struct kv_span name);

/* The member of `side` whose turn it is after the side has taken `turns` turns. */
size_t kv_card_member_at(const struct kv_card_setup *setup, size_t side, size_t turns);

#endif
