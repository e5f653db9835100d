/* The search: a game and limits in, reports on the way, a move out. It never prints.
 *
 * One `struct kv_search` owns the hash table and the worker threads' memory. kv_search_run is called
 * by one thread at a time and returns when the search is over; kv_search_stop and
 * kv_search_ponderhit may be called from any thread meanwhile.
 */
#ifndef KV_SEARCH_SEARCH_H
#define KV_SEARCH_SEARCH_H

#include "kvern/engine.h"
#include "tablebase/tablebase.h"

struct kv_search_settings {
    int threads;          /* 1..KV_THREADS_MAX */
    int multipv;          /* 1.. */
    int move_overhead_ms; /* kept back from every time budget */
    int skill;            /* 0..20; 20 = full strength */
    uint64_t seed;        /* for weakened play and for the choice among drawn openings; see kv_root_vary */
    bool analyse;         /* no time saving, no weakening */
    bool no_symmetry;     /* look up every position as it stands; for measuring what symmetry saves */
};

enum { KV_THREADS_MAX = 256, KV_SKILL_MAX = 20 };

/* Weakened play asks no tables. */
static inline bool kv_search_is_weakened(const struct kv_search_settings *settings)
{
    return settings->skill < KV_SKILL_MAX && !settings->analyse;
}

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
 * thread that may also stop it, so that a stop or ponderhit sent before the search has begun is not
 * lost; `ponder` as in the limits of that run. */
void kv_search_arm(struct kv_search *search, bool ponder);
void kv_search_stop(struct kv_search *search);
void kv_search_ponderhit(struct kv_search *search); /* the pondered move was played: the clock runs */

#endif
