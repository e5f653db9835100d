/* The engine: one opaque object that owns the options, the game under way, the search with its
 * memory and the endgame tables. It prints nothing and formats nothing.
 *
 * Thread rule: every function taking an engine is called by one thread at a time (the owner), except
 * where it says "any thread". The callbacks of a search come from the search's own thread. An engine
 * that was created synchronous, and every engine of a build without threads, searches inside
 * kv_engine_go and calls back from there; it has nobody to stop it, so limits that would wait for a
 * stop do not wait.
 */
#ifndef KVERN_ENGINE_H
#define KVERN_ENGINE_H

#include "kvern/position.h"

/* ---- Scores, limits and reports of a search ---------------------------------------------------- */

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
    int64_t start_ns;    /* kv_engine_clock at the receipt of the command; time is counted from here */
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

/* ---- The engine --------------------------------------------------------------------------------- */

struct kv_engine;

/* How an engine differs from the usual one, which is all zeroes. */
struct kv_engine_config {
    bool synchronous;  /* search inside kv_engine_go */
    bool no_files;     /* options that name a file are refused */
    bool no_tables;    /* endgame tables are neither computed nor read */
    uint64_t node_cap; /* no search goes beyond so many nodes; 0 = no cap */
    /* Told in one line what went as nobody asked, such as a damaged table file; from any thread. May be
     * NULL. */
    void (*notice)(void *user, const char *line);
    void *notice_user;
};

/* KV_E_MEMORY. `config` may be NULL. The start position is set. */
KV_API int kv_engine_create(struct kv_engine **engine, const struct kv_engine_config *config);
/* Stops and waits for a search. NULL is allowed. */
KV_API void kv_engine_destroy(struct kv_engine *engine);

/* Nanoseconds on the clock that `kv_limits.start_ns` counts by. Any thread. */
KV_API int64_t kv_engine_clock(void);

/* ---- Options ------------------------------------------------------------------------------------ */

enum kv_option_type { KV_OPTION_CHECK, KV_OPTION_SPIN, KV_OPTION_COMBO, KV_OPTION_STRING, KV_OPTION_BUTTON };

enum { KV_OPTION_CHOICES_MAX = 16 };

/* One row of the option table, for listing and documentation. All texts are constant. */
struct kv_option {
    const char *name;
    enum kv_option_type type;
    char standard[24]; /* the default as text; "" for a button or an empty string */
    int64_t low, high; /* KV_OPTION_SPIN */
    const char *choices[KV_OPTION_CHOICES_MAX + 1]; /* KV_OPTION_COMBO; NULL-terminated */
    const char *help;                               /* one sentence */
};

/* The options of every engine: rows 0..count-1, house rules included. Any thread. */
KV_API int kv_option_count(void);
KV_API void kv_option_row(int row, struct kv_option *option);

/* The present value of a row as text ("" for a button), valid until that option changes. */
KV_API const char *kv_engine_option(struct kv_engine *engine, int row, char buffer[24]);

/* Sets an option by name (without case) from text. During a search a good value is kept back until
 * kv_engine_settle after its end (a rule: or to the next game begun); a bad one is refused at once.
 * A rule or variant that changes resets the game to the start position.
 * KV_E_NOT_FOUND, KV_E_SYNTAX, KV_E_RANGE, KV_E_IO or KV_E_MEMORY with a line; the old value stays. */
KV_API int kv_engine_set_option(struct kv_engine *engine, const char *name, size_t name_length,
                                const char *value, size_t value_length, struct kv_error *error);
/* Applies what was set during a search that is over; nothing while one runs. The first failure is
 * returned with its line, the others are applied nevertheless. Every function below that needs it
 * calls it by itself. */
KV_API int kv_engine_settle(struct kv_engine *engine, struct kv_error *error);

/* A line for the debug log, when the option of that name has opened one: `mark` ("<<", ">>") and the
 * text, one log line each line of the text. Any thread. */
KV_API void kv_engine_log(struct kv_engine *engine, const char *mark, const char *bytes, size_t length);

/* What front ends that talk about a search have to know, as set by the options. */
struct kv_engine_display {
    bool wdl;            /* UCI_ShowWDL */
    bool split_captures; /* Split Captures */
};
KV_API struct kv_engine_display kv_engine_display(const struct kv_engine *engine);

/* ---- The game ----------------------------------------------------------------------------------- */

/* The rules in force. */
KV_API const struct kv_rules *kv_engine_rules(const struct kv_engine *engine);
/* The game under way; NULL when none is set. Valid until the next change. */
KV_API const struct kv_game *kv_engine_game(const struct kv_engine *engine);
/* Makes a game at the start position under the rules in force, to be played on and then set. Rules set
 * during a search that is still running come into force here. KV_E_MEMORY. */
KV_API int kv_engine_begin_game(struct kv_engine *engine, struct kv_game *game);
/* Takes over `game` (made under kv_engine_rules) and leaves it empty; KV_E_VERSION, and nothing
 * happens, when it was made under other rules. Allowed during a search, which goes on with its own
 * copy. */
KV_API int kv_engine_set_game(struct kv_engine *engine, struct kv_game *game);
/* No game is set until the next one comes. */
KV_API void kv_engine_unset_game(struct kv_engine *engine);
/* Forgets hash table and history and sets the start position. During a search the table is cleared
 * when it ends. KV_E_MEMORY. */
KV_API int kv_engine_new_game(struct kv_engine *engine);

/* ---- Searching ---------------------------------------------------------------------------------- */

/* Who hears of a search. Both are called from its thread and may take as long as they like. */
struct kv_listener {
    kv_search_report report;
    /* The search is over; called once for every kv_engine_go that returned KV_OK. `status` is KV_OK
     * or, when the search could not be made, the reason; `result` is valid in both cases. */
    void (*done)(void *user, int status, const struct kv_search_result *result);
    void *user;
};

/* Begins to search the game under way, by the options. Root moves are copied. A finished game calls
 * back at once with KV_MOVE_NONE after one report of depth 0.
 * KV_E_BUSY while another search runs, KV_E_NOT_FOUND when no game is set, KV_E_MEMORY. */
KV_API int kv_engine_go(struct kv_engine *engine, const struct kv_limits *limits,
                        const struct kv_listener *listener);
/* Does beforehand what would cost the next search time: makes the hash table and brings it into memory, and
 * unpacks the built-in opening where the game is in it.
 * Nothing during a search. Making a new game does it too. KV_E_MEMORY. */
KV_API int kv_engine_get_ready(struct kv_engine *engine);
KV_API void kv_engine_stop(struct kv_engine *engine);      /* any thread; nothing when none runs */
KV_API void kv_engine_ponderhit(struct kv_engine *engine); /* any thread; nothing unless pondering */

/* From kv_engine_go until `done` is called. Any thread. */
KV_API bool kv_engine_is_searching(struct kv_engine *engine);
/* Will the running search end by itself? False for one that waits for stop or ponderhit. Any thread. */
KV_API bool kv_engine_is_bounded(struct kv_engine *engine);
/* Waits until `done` has returned, at most to `deadline_ns` (INT64_MAX: for ever). True when no
 * search is under way. */
KV_API bool kv_engine_wait(struct kv_engine *engine, int64_t deadline_ns);

/* ---- What the engine knows ---------------------------------------------------------------------- */

enum { KV_TERMS_MAX = 24 };

/* One term of the static score. */
struct kv_term {
    const char *name; /* "closed mills" */
    int count[2];     /* the feature, by side */
    int weight;       /* hundredths of a stone for one, in this phase */
    int score;        /* for the side to move */
};

/* The static score of a position in which nothing is due, for its side to move, in hundredths of a
 * stone, and the terms that add up to it; returns their number. Any thread. */
KV_API int kv_engine_evaluate(const struct kv_rules *rules, const struct kv_position *position,
                              struct kv_term terms[KV_TERMS_MAX], int *score);

/* The static score that a search of the classic game uses, a network's, in the same unit, and what share of
 * games it expects to be won, drawn and lost, in thousandths. False under other rules, where searches use
 * the terms. Any thread. */
KV_API bool kv_engine_expect(const struct kv_rules *rules, const struct kv_position *position, int *score,
                             int wdl[3]);

/* The exact value of a position under the engine's rules: `outcome` 1, 0 or -1 for the side to move,
 * `plies` to the end under best play (0 for a draw, -1 where the tables do not say). Positions that
 * are decided or due captures are resolved. Waits, at most to `deadline_ns`, for tables being
 * computed. KV_E_NOT_FOUND when no table covers it; KV_E_BUSY when they were not ready in time or a
 * search under other rules uses them. */
KV_API int kv_engine_probe(struct kv_engine *engine, const struct kv_position *position, int64_t deadline_ns,
                           int *outcome, int *plies);

/* One position of the benchmark as it is finished. */
struct kv_bench_report {
    int number, count;
    const char *rules;    /* the rules that differ, "DoubleMill two"; "" for none */
    const char *position; /* its text */
    uint64_t nodes;
};
struct kv_bench_total {
    uint64_t nodes;
    int64_t time_ns;
};
/* The default depth of kv_engine_bench. */
enum { KV_BENCH_DEPTH = 11 };
/* Searches a fixed list of positions to a depth, one thread, 16 MB of hash, no tables: the same node
 * total on every machine. `report` may be NULL. KV_E_MEMORY. */
KV_API int kv_engine_bench(int depth, void (*report)(void *user, const struct kv_bench_report *row),
                           void *user, struct kv_bench_total *total);

#endif
