/* The inside of struct kv_engine, for the files of this room only. */
#ifndef KV_ENGINE_ENGINE_H
#define KV_ENGINE_ENGINE_H

#include <stdatomic.h>

#include "base/log.h"
#include "base/span.h"
#include "base/thread.h"
#include "kvern/engine.h"
#include "search/search.h"
#include "tablebase/tablebase.h"

/* The values of the options that are not rules. Numbers are all of one type so that the option table
 * can name a field by its offset. */
struct kv_option_values {
    int64_t hash, threads, multipv, ponder, move_overhead;
    int64_t show_wdl, analyse, limit_strength, elo, skill, seed, split_captures;
    int64_t tablebase_cache;
    char *tablebase_path, *debug_log; /* NULL = empty */
};

/* An option set during a search, in the order of arrival. */
struct kv_pending {
    struct kv_pending *next;
    int row;
    size_t length;
    char value[];
};

/* idle -> searching (kv_engine_go) -> answering (search over, `done` being called) -> idle */
enum kv_search_phase { KV_PHASE_IDLE, KV_PHASE_SEARCHING, KV_PHASE_ANSWERING };

struct kv_engine {
    struct kv_engine_config config;
    struct kv_log *log;

    /* the owner's thread only */
    struct kv_option_values values;
    uint32_t rules_chosen; /* rows of kv_rule_table set by hand: a change of variant keeps them */
    struct kv_pending *pending, **pending_end;
    bool clear_pending; /* empty the hash table before the next search */
    struct kv_rules rules;
    struct kv_game game;
    bool game_set;
    struct kv_thread thread;
    bool thread_started; /* and not joined */

    /* made when first needed; neither made anew nor destroyed during a search */
    struct kv_search *search;
    struct kv_tablebase *tablebase;
    struct kv_rules tablebase_rules;
    bool files_open; /* the tablebase reads files */

    /* what is being searched: written by the owner before the thread starts, then the thread's */
    struct kv_game searched;
    struct kv_limits limits;
    kv_move *root_moves;
    struct kv_search_settings settings;
    struct kv_listener listener;

    struct kv_mutex mutex; /* for the rest */
    struct kv_condition changed;
    enum kv_search_phase phase;
    atomic_bool stopping, pondering;
};

/* options.c: fills `values` with the defaults; frees its texts. */
void kv_options_init(struct kv_engine *engine);
void kv_options_finish(struct kv_engine *engine);
/* Applies a checked value now. */
int kv_option_apply(struct kv_engine *engine, int row, struct kv_span value, struct kv_error *error);
/* Is the value good? Changes nothing. */
int kv_option_check(const struct kv_engine *engine, int row, struct kv_span value, struct kv_error *error);
/* The row of that name (without case), or -1. */
int kv_option_find(struct kv_span name);
/* May this row be applied while a search runs? */
bool kv_option_is_at_once(int row);

/* Is this row a house rule or the variant? They touch nothing a search uses. */
bool kv_option_is_rule(int row);

/* engine.c: applies the rules set during a search that is still running. */
int kv_engine_settle_rules(struct kv_engine *engine);

/* game.c: new rules and the start position under them; nothing when they are the old ones. */
int kv_engine_change_rules(struct kv_engine *engine, const struct kv_rules *rules);

/* search.c: the search object, made at its first use. */
int kv_engine_need_search(struct kv_engine *engine);
enum kv_search_phase kv_engine_phase(struct kv_engine *engine);

/* tables.c: the tablebase of `rules`, made or made anew; NULL when memory is short. Idle only. */
struct kv_tablebase *kv_engine_need_tables(struct kv_engine *engine, const struct kv_rules *rules);
/* Uses the table files of the path in the options, or none, with the cache of the options. Idle only.
 * KV_E_NOT_FOUND, KV_E_IO, KV_E_MEMORY with a line; rules that no tables are made for are no failure. */
int kv_engine_open_tables(struct kv_engine *engine, struct kv_error *error);
/* Makes the built-in opening ready where the game is in it: some milliseconds. Idle only. */
void kv_engine_ready_tables(struct kv_engine *engine);
/* Starts computing tables early when a game comes near the positions they know. */
void kv_engine_foresee_tables(struct kv_engine *engine);
/* Makes sure of the tablebase object that kv_engine_search_tables will want. Idle only. */
void kv_engine_prepare_tables(struct kv_engine *engine);
/* The tables the search about to run may use, or NULL; waits as long as its limits allow. For the
 * search's thread. */
struct kv_tablebase *kv_engine_search_tables(struct kv_engine *engine);

#endif
