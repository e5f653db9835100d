/* Game records: who played, by which rules, from which position, every move with its notes and
 * variations, and how it ended; as a value, as text with tags and as lines of JSON.
 *
 * A struct kv_record owns everything it points to. The functions below keep strings in a form that
 * both written forms can hold: control bytes become blanks, comments lose doubled and outer blanks and
 * write ')' for '}'. Different records may be used by different threads at once.
 */
#ifndef KV_RECORD_RECORD_H
#define KV_RECORD_RECORD_H

#include "base/buffer.h"
#include "kvern/position.h"

enum { KV_RECORD_NAGS_MAX = 8, KV_RECORD_NESTING_MAX = 16 };

struct kv_record_tag {
    char *name, *value;
};

struct kv_record_line;

/* What the player said about its move. */
struct kv_record_note {
    bool has_score;
    bool mate;       /* `score` counts moves to the end, negative when the mover loses */
    int score;       /* otherwise hundredths of a stone, seen by the mover */
    int depth;       /* 0 = not said */
    int64_t time_ms; /* spent on the move; -1 = not said. Written only with a score */
};

struct kv_record_move {
    kv_move move; /* a whole turn with its captures; at the end of a line they may be missing */
    struct kv_record_note note;
    uint8_t nags[KV_RECORD_NAGS_MAX]; /* $1 good, $2 mistake, ... */
    int nag_count;
    char *comment;                     /* NULL = none */
    struct kv_record_line *variations; /* lines played instead of this move */
    size_t variation_count;
};

struct kv_record_line {
    char *comment; /* before the first move; NULL = none */
    struct kv_record_move *moves;
    size_t count, capacity;
};

struct kv_record {
    struct kv_rules rules;
    struct kv_position start;
    struct kv_record_tag *tags; /* without Result, Variant, the rules, FEN and PlyCount: those follow
                                   from the other fields */
    size_t tag_count;
    enum kv_result result; /* KV_ONGOING is written "*" */
    struct kv_record_line line;
};

/* ---- Building ---------------------------------------------------------------------------------- */

/* A record without tags and moves from the start position. A zeroed record may be finished. */
void kv_record_init(struct kv_record *record, const struct kv_rules *rules);
void kv_record_finish(struct kv_record *record); /* frees; leaves it zeroed */

/* Sets a tag, replacing an older one of that name. KV_E_SYNTAX when `name` is no tag name (letters,
 * digits and '_', at most 64) or one of those that follow from other fields; KV_E_MEMORY. */
int kv_record_set_tag(struct kv_record *record, const char *name, const char *value);
const char *kv_record_tag(const struct kv_record *record, const char *name); /* NULL = not there */

/* Adds a move to the end of a line, without looking at the rules; its notes are empty.
 * `added` (may be NULL) is valid until the next addition. KV_E_MEMORY. */
int kv_record_add_move(struct kv_record_line *line, kv_move move, struct kv_record_move **added);
/* Adds a line, empty and without comment, that is played instead of `move`. KV_E_MEMORY. */
int kv_record_add_variation(struct kv_record_move *move, struct kv_record_line **added);
/* Adds to the comment of a move. The first one may begin with an engine's note, "+0.35/12 0.050s" or
 * "-M3/9", which then goes to `note`. KV_E_MEMORY. */
int kv_record_add_comment(struct kv_record_move *move, const char *text, size_t length);
/* Adds to the comment before a line. KV_E_MEMORY. */
int kv_record_add_line_comment(struct kv_record_line *line, const char *text, size_t length);
/* Adds a numeric annotation; nothing when it is there or KV_RECORD_NAGS_MAX are. */
void kv_record_add_nag(struct kv_record_move *move, uint8_t nag);

/* An uninitialised `game` becomes the first `plies` moves of the main line (all, if it has fewer).
 * KV_E_MEMORY; KV_E_ILLEGAL when a move is against the rules. */
int kv_record_replay(const struct kv_record *record, size_t plies, struct kv_game *game);

/* ---- Reading ----------------------------------------------------------------------------------- */

/* A place in a text with any number of records, in any mixture of the forms. Set `text` and `length`,
 * and the rest to zero; `text` is not copied. */
struct kv_record_reader {
    const char *text;
    size_t length;
    const struct kv_rules *rules; /* of records that name none; NULL = the classic game */
    size_t at;                    /* where the next record is looked for */
};

/* Reads the next record into `record`, which is not initialised before. KV_E_NOT_FOUND at the end of
 * the text. Otherwise a failure leaves `record` untouched, `error` begins with "line L, column C: ",
 * and the reader goes on with the record after the bad one. Lines and columns count from 1,
 * columns in bytes. KV_E_SYNTAX, KV_E_RANGE or KV_E_ILLEGAL for a bad record; KV_E_MEMORY.
 *
 * Read as text: tags; moves in any spelling of kv_move_read, their captures in the same token or
 * in the next ("a1-a4 xd6"), or as point numbers 1-24 counted by rows from the top left (5, 10-1x23);
 * move numbers, results, comments in braces or after ';', lines that begin with '%', variations,
 * "$n" and ! ? marks. Read as JSON: one object a line, as kv_record_write_json writes it. */
int kv_record_read(struct kv_record_reader *reader, struct kv_record *record, struct kv_error *error);

/* ---- Writing ----------------------------------------------------------------------------------- */

/* Tags, an empty line, moves in lines of at most 80 bytes where words allow it, an empty line. What
 * is written is read back as the same record, and writing that gives the same bytes again. The two
 * fail only by `out->failed`. */
void kv_record_write_text(const struct kv_record *record, struct kv_buffer *out);
/* One line of JSON; moves that have notes are objects instead of strings. */
void kv_record_write_json(const struct kv_record *record, struct kv_buffer *out);

const char *kv_record_result_text(enum kv_result result); /* "1-0", "0-1", "1/2-1/2", "*" */

#endif
