/* What is known of a position, and of all its moves. */
#ifndef PUZZLE_VERDICT_H
#define PUZZLE_VERDICT_H

#include "base/buffer.h"
#include "kvern/engine.h"

enum puzzle_source { PUZZLE_UNKNOWN, PUZZLE_BY_RULES, PUZZLE_BY_TABLE, PUZZLE_BY_PROOF };

/* The outcome (1 win, 0 draw, -1 loss) of the side to move lies within [low, high]. */
struct puzzle_verdict {
    int8_t low, high;
    uint8_t source; /* of the stronger bound; PUZZLE_UNKNOWN when low = -1 and high = 1 */
    int16_t plies;  /* exact distance to the end of a win or loss; 0 for a draw; -1 = not known */
    int16_t no_win; /* it is proven that the side cannot force a win within so many plies */
    int16_t no_loss;
};

static const struct puzzle_verdict puzzle_open_verdict = {-1, 1, PUZZLE_UNKNOWN, -1, 0, 0};

static inline bool puzzle_is_settled(const struct puzzle_verdict *verdict)
{
    return verdict->low == verdict->high;
}

/* Settled, and the distance of a win or loss known too. */
static inline bool puzzle_is_exact(const struct puzzle_verdict *verdict)
{
    return puzzle_is_settled(verdict) && (verdict->low == 0 || verdict->plies >= 0);
}

/* The same one ply later seen from the other side: of a position, for the side that moved into it.
 * `turned` says whether the side to move changed (a capture may still be due). */
struct puzzle_verdict puzzle_verdict_before(struct puzzle_verdict after, bool turned);

const char *puzzle_outcome_text(int outcome); /* "win", "draw", "loss" */
/* "win", "draw", "loss", "win or draw", "draw or loss", "open" */
const char *puzzle_verdict_text(const struct puzzle_verdict *verdict);
const char *puzzle_source_text(enum puzzle_source source); /* "rules", "table", "proof", "not proven" */
/* "win in 5 plies (proof)", "draw (table)", "no loss (proof), win not excluded", "not proven: no win within
 * 7 plies, no loss within 6" */
void puzzle_verdict_write(const struct puzzle_verdict *verdict, struct kv_buffer *out);

struct puzzle_move {
    kv_move move;
    struct puzzle_verdict verdict; /* for the side that makes the move, plies counted from before it */
};

enum puzzle_unique {
    PUZZLE_NOT_UNIQUE,    /* another move is as good, proven */
    PUZZLE_UNIQUE,        /* every other move is worse, proven */
    PUZZLE_UNIQUE_WITHIN, /* the only win within that many plies; another may win later */
    PUZZLE_UNIQUE_OPEN,   /* not proven either way */
};

struct puzzle_analysis {
    struct puzzle_verdict verdict;
    struct puzzle_move *moves; /* best first */
    int count;
    enum puzzle_unique unique; /* does exactly one move keep the value? */
    kv_move line[KV_PLY_MAX];  /* best play of both; for a win or loss to the end when it could be found */
    int line_length;
    bool line_ends; /* the line reaches the end of the game */
    uint64_t nodes;
    int64_t time_ns;
};

void puzzle_analysis_finish(struct puzzle_analysis *analysis);
/* How many moves are proven to win (1), draw (0), lose (-1). */
int puzzle_analysis_count(const struct puzzle_analysis *analysis, int outcome);
const char *puzzle_unique_text(enum puzzle_unique unique);

/* ---- Combining (used by the judge) -------------------------------------------------------------- */

/* The verdict of a position from those of all its moves, joined with what is known of it already. */
struct puzzle_verdict puzzle_verdict_combine(const struct puzzle_verdict *known,
                                             const struct puzzle_move *moves, int count);
/* Best first: proven better outcome, then shorter wins and longer losses; stable otherwise. */
void puzzle_moves_sort(struct puzzle_move *moves, int count);
enum puzzle_unique puzzle_unique_of(const struct puzzle_verdict *verdict, const struct puzzle_move *moves,
                                    int count);

#endif
