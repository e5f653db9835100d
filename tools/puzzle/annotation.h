/* A game with the value of every move. */
#ifndef PUZZLE_ANNOTATION_H
#define PUZZLE_ANNOTATION_H

#include "puzzle/cli.h"
#include "record/record.h"

enum puzzle_fault {
    PUZZLE_NO_FAULT,
    PUZZLE_WIN_TO_DRAW, /* these three: proven before and after */
    PUZZLE_DRAW_TO_LOSS,
    PUZZLE_WIN_TO_LOSS,
    PUZZLE_WIN_LET_GO, /* a proven win before, nothing proven after */
    PUZZLE_SLOWER_WIN, /* still won, by a longer way */
    PUZZLE_DOUBTFUL,   /* the engine's opinion only */
    PUZZLE_FAULT_COUNT,
};

/* The engine's opinion of a position, in hundredths of a stone for the mover. */
struct puzzle_opinion {
    bool known;
    int score, depth;
    kv_move best;
};

struct puzzle_note {
    kv_move move;
    struct kv_position before, after;
    struct puzzle_verdict value_before, value_after; /* both for the side that moved */
    struct puzzle_opinion opinion_before, opinion_after;
    kv_move best; /* a better move, when there was a fault; else the best known or KV_MOVE_NONE */
    enum puzzle_fault fault;
    struct kv_buffer text; /* plain English; may be empty */
};

struct puzzle_annotation {
    const struct kv_rules *rules;
    const struct kv_record *record;
    struct puzzle_note *notes;
    size_t count;
    int faults[2][PUZZLE_FAULT_COUNT]; /* by side */
    uint64_t nodes;
    int64_t time_ns;
};

const char *puzzle_fault_text(enum puzzle_fault fault); /* "win thrown away: now a draw", ... */
const char *puzzle_fault_mark(enum puzzle_fault fault); /* "", "?", "??", "?!" */
const char *puzzle_fault_word(enum puzzle_fault fault); /* for machines: "none", "win-to-draw", ... */

/* Judges every position of the record's main line. An exit code; complains by itself. The annotation is
 * emptied with puzzle_annotation_finish. */
int puzzle_annotation_make(struct puzzle_cli *cli, uint64_t opinion_nodes, const struct kv_record *record,
                           struct puzzle_annotation *annotation);
void puzzle_annotation_finish(struct puzzle_annotation *annotation);

/* Writes the English of a note; called by puzzle_annotation_make when all values are there. `reply` is
 * what the other side should answer, or KV_MOVE_NONE. */
void puzzle_note_explain(const struct kv_rules *rules, struct puzzle_note *note, kv_move reply);

/* "1. " or "1. ... " by side and number of the turn. */
void puzzle_note_number(const struct puzzle_note *note, struct kv_buffer *out);
/* The value of a position as one short word with its source: "win in 5, table", "open, engine +0.35". */
void puzzle_note_value(const struct puzzle_verdict *verdict, const struct puzzle_opinion *opinion,
                       struct kv_buffer *out);

void puzzle_annotation_write_text(const struct puzzle_annotation *annotation, struct kv_buffer *out);
/* The record with comments, marks and better moves; KV_E_MEMORY. */
int puzzle_annotation_write_record(const struct puzzle_annotation *annotation, struct kv_record *record,
                                   struct kv_buffer *out);
void puzzle_annotation_write_json(const struct puzzle_annotation *annotation, struct kv_buffer *out);
void puzzle_annotation_write_html(const struct puzzle_annotation *annotation, struct kv_buffer *out);

#endif
