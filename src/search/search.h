/* The search: a game and limits in, reports on the way, a move out. It never prints.
 *
 * One `struct kv_search` owns the hash table and the worker threads' memory. kv_search_run is called
 * by one thread at a time and returns when the search is over; kv_search_stop and
 * kv_search_ponderhit may be called from any thread meanwhile.
 */
#ifndef KV_SEARCH_SEARCH_H
#define KV_SEARCH_SEARCH_H

#include "kvern/position.h"
#include "tablebase/tablebase.h"

/* Scores are seen from the side to move, in hundredths of a stone. A forced result in n plies is
 * KV_SCORE_WIN - n, or its negative when lost; anything at or above KV_SCORE_WIN_MIN is such a one. */
enum {
    KV_PLY_MAX = 256,
    KV_DEPTH_MAX = 127,
    KV_SCORE_WIN = 32000,
    KV_SCORE_WIN_MIN = KV_SCORE_WIN - 1000,
    KV_SCORE_NONE = 32700,
};

static inline bool kv_score_is_mate(int score)
{
    return score >= KV_SCORE_WIN_MIN || score <= -KV_SCORE_WIN_MIN;
}

/* Plies to the end of the game of a mate score, negative when the side to move loses. */
static inline int kv_score_mate_plies(int score)
{
    return score > 0 ? KV_SCORE_WIN - score : -(KV_SCORE_WIN + score);
}

struct kv_limits {
    int64_t start_ns;    /* kv_clock_ns at the receipt of the command; time is counted from here */
    int depth;           /* plies; 0 = no limit */
    uint64_t nodes;      /* 0 = no limit */
    int64_t movetime_ms; /* 0 = none */
    bool has_clock[2];   /* by side: the two below are set */
    int64_t clock_ms[2], increment_ms[2];
    int moves_to_go;       /* 0 = the rest of the game */
    int mate;              /* plies: stop when a win within so many is proven; 0 = none */
    bool infinite, ponder; /* do not return before stop (or ponderhit) */
    const kv_move *moves;  /* only these root moves (legal ones); NULL = all */
    int move_count;
};

struct kv_search_settings {
    int threads;          /* 1..KV_THREADS_MAX */
    int multipv;          /* 1.. */
    int move_overhead_ms; /* kept back from every time budget */
    int skill;            /* 0..20; 20 = full strength */
    uint64_t seed;        /* for weakened play */
    bool analyse;         /* no time saving, no weakening */
};

enum { KV_THREADS_MAX = 256, KV_SKILL_MAX = 20 };

enum kv_bound { KV_BOUND_EXACT, KV_BOUND_LOWER, KV_BOUND_UPPER };

/* One report. The pointer fields are valid during the call only. */
struct kv_search_info {
    int depth, seldepth;
    int multipv; /* 1.. ; 0 = this report is about `current_move` only */
    int score;
    enum kv_bound bound;
    int wdl[3]; /* expected win, draw, loss in thousandths */
    uint64_t nodes, tbhits;
    int64_t time_ns;
    int hashfull; /* thousandths */
    const kv_move *pv;
    int pv_length;
    kv_move current_move;
    int current_move_number;
};

typedef void (*kv_search_report)(void *user, const struct kv_search_info *info);

struct kv_search_result {
    kv_move best, ponder; /* KV_MOVE_NONE where there is none */
    int score;
    int depth; /* last complete iteration */
    uint64_t nodes;
};

struct kv_search;

/* KV_E_MEMORY. `hash_mb` >= 1. */
int kv_search_create(struct kv_search **search, size_t hash_mb);
void kv_search_destroy(struct kv_search *search); /* NULL is allowed; no search may be running */
/* A new empty hash table. On KV_E_MEMORY the old one stays. Not during a search. */
int kv_search_set_hash(struct kv_search *search, size_t hash_mb);
void kv_search_clear(struct kv_search *search); /* forget everything learnt; not during a search */

/* Runs a search in the calling thread, with settings->threads - 1 more. `tablebase` may be NULL.
 * The game must be ongoing; a finished one returns KV_MOVE_NONE at once after one report of depth 0.
 * KV_E_MEMORY when a worker cannot be made. */
int kv_search_run(struct kv_search *search, const struct kv_game *game, const struct kv_limits *limits,
                  const struct kv_search_settings *settings, struct kv_tablebase *tablebase,
                  kv_search_report report, void *user, struct kv_search_result *result);

/* Ask a running search to come to an end. kv_search_arm must be called before each run, by the
 * thread that may also stop it, so that a stop sent before the search has begun is not lost. */
void kv_search_arm(struct kv_search *search);
void kv_search_stop(struct kv_search *search);
void kv_search_ponderhit(struct kv_search *search); /* the pondered move was played: the clock runs */

#endif
