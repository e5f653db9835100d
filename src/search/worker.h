/* What one search thread owns, and what all of them share. */
#ifndef KV_SEARCH_WORKER_H
#define KV_SEARCH_WORKER_H

#include <stdatomic.h>

#include "search/search.h"
#include "search/table.h"
#include "search/time.h"

/* A step of the line being searched. */
struct kv_frame {
    struct kv_position position;
    int ply;         /* turns since the root; mate distances count these */
    kv_move came_by; /* the move that led here; KV_MOVE_NONE at the root */
    uint64_t key;    /* in the hash table, of the image under `symmetry`; where the search needs it */
    int symmetry;
    kv_move killers[2];
    int pv_length;
    kv_move pv[KV_PLY_MAX + 1];
};

struct kv_root_move {
    kv_move move;
    int score;       /* of the last search that raised alpha; -KV_SCORE_NONE otherwise */
    int previous;    /* of the iteration before */
    uint64_t effort; /* nodes spent */
    int seldepth;
    int pv_length;
    kv_move pv[KV_PLY_MAX + 1];
};

/* What tables say of the root; a colour is that of the winner. */
enum kv_root_value { KV_ROOT_UNKNOWN, KV_ROOT_WHITE_WINS, KV_ROOT_BLACK_WINS, KV_ROOT_DRAWN };

/* `outcome` as in struct kv_value, for `side`. */
static inline enum kv_root_value kv_root_value_of(int outcome, int side)
{
    return outcome == 0                          ? KV_ROOT_DRAWN
           : (outcome > 0) == (side == KV_WHITE) ? KV_ROOT_WHITE_WINS
                                                 : KV_ROOT_BLACK_WINS;
}

/* The score of a win that tables know of without its distance: above every static score, below every
 * forced result in so many plies. */
enum { KV_SCORE_TABLE = 25000 };

/* Shared by the threads of one search. */
struct kv_shared {
    struct kv_table *table;
    struct kv_tablebase *tablebase; /* or NULL */
    const struct kv_rules *rules;
    const struct kv_limits *limits;
    struct kv_budget budget;
    atomic_bool *stop;
    atomic_bool *pondering;     /* no time limit while it is true */
    _Atomic int64_t *ponder_ns; /* time spent pondering, added to every moment of the budget */
    _Atomic uint64_t nodes;     /* of all threads, added up in steps */
    _Atomic uint64_t tbhits;
    bool opening_only;    /* of the tables, only the built-in opening is asked below the root */
    int canonical_stones; /* up to so many stones on the board the hash table knows positions by their
                             smallest image */
    enum kv_root_value root_value; /* positions below of the same value are searched on for chances */
    /* With several threads: the keys of positions being searched, so that two do not do the same work at
     * once (the idea of ABDADA, Weill 1996, as simplified by Hyatt's and others' engines). NULL with one. */
    _Atomic uint64_t *busy;
    kv_search_report report;
    void *user;
};

enum { KV_HISTORY_LIMIT = 16384, KV_BUSY_SLOTS = 1024, KV_BUSY_DEPTH = 4 };

struct kv_worker {
    struct kv_shared *shared;
    int number;      /* 0 = the one that reports */
    bool full_width; /* no reductions, no pruning: scores are those of plain minimax */
    bool stopped;
    uint64_t nodes, nodes_told, tbhits, tbhits_told;
    uint64_t node_cap; /* stop this worker at its own node count; 0 = none */
    uint64_t check_at; /* node count at which to look at the clock again */
    int seldepth;
    int root_depth, completed_depth;
    const struct kv_position *past; /* positions before the root that may come back, oldest first */
    int past_count;
    int16_t history[2][32][32]; /* by side, from (31 = hand) and to */
    kv_move replies[32][32];    /* the quiet move that last refuted a move from-to */
    struct kv_frame frames[KV_PLY_MAX + 4];
    struct kv_root_move *root_moves;
    int root_count;
    int pv_index; /* root moves before this one are settled in this iteration (MultiPV) */
};

/* The score of a root whose value is known, for `side` to move. */
static inline int kv_root_score(const struct kv_shared *shared, int side)
{
    return shared->root_value == KV_ROOT_DRAWN               ? 0
           : shared->root_value == kv_root_value_of(1, side) ? KV_SCORE_TABLE
                                                             : -KV_SCORE_TABLE;
}

/* Where it is noted that the position of `key` is being searched; NULL with one thread. */
static inline _Atomic uint64_t *kv_busy_slot(const struct kv_worker *worker, uint64_t key)
{
    return worker->shared->busy ? &worker->shared->busy[key % KV_BUSY_SLOTS] : NULL;
}

/* The value of the root within the window for root moves from pv_index on; the moves' scores and
 * lines are in root_moves. One instance for the classic rules, one for any. */
int kv_search_root_classic(struct kv_worker *worker, int alpha, int beta, int depth);
int kv_search_root_general(struct kv_worker *worker, int alpha, int beta, int depth);

/* Reports the root move about to be searched, once a search has gone on for some seconds. */
void kv_worker_current_move(const struct kv_worker *worker, kv_move move, int number);

/* Tells the shared counter and looks at the clock and limits; sets `stopped`. */
void kv_worker_check(struct kv_worker *worker);

/* Has `moment` of the budget come? Never while pondering. */
bool kv_shared_past(const struct kv_shared *shared, int64_t moment);

/* Reports a root move's line as line number `line` (1..). */
void kv_worker_report(struct kv_worker *worker, const struct kv_root_move *root, int line, int score,
                      enum kv_bound bound);

/* Iterative deepening: fills root_moves, best first, and sets `completed_depth`. Returns when a limit, a
 * proof or `stop` ends it. */
void kv_worker_iterate(struct kv_worker *worker, int max_depth, int multipv);

#endif
