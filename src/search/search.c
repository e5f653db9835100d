/* The owner of a search: hash table, threads, and the run from limits to move. */
#include "search/search.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/thread.h"
#include "search/root.h"
#include "search/skill.h"

/* Placing positions with at most so many stones are looked up by their smallest symmetric image. */
enum { CANONICAL_STONES = 9 };

struct kv_search {
    struct kv_table table;
    atomic_bool stop, pondering;
    _Atomic int64_t ponder_ns, armed_ns;
    struct kv_mutex lock; /* for those who wait in wait_for_stop */
    struct kv_condition changed;
};

int kv_search_create(struct kv_search **search, size_t hash_mb)
{
    struct kv_search *made = calloc(1, sizeof *made);
    if (!made)
        return KV_E_MEMORY;
    int status = kv_table_init(&made->table, hash_mb);
    if (status) {
        free(made);
        return status;
    }
    kv_mutex_init(&made->lock);
    kv_condition_init(&made->changed);
    *search = made;
    return KV_OK;
}

void kv_search_destroy(struct kv_search *search)
{
    if (!search)
        return;
    kv_table_finish(&search->table);
    kv_condition_finish(&search->changed);
    kv_mutex_finish(&search->lock);
    free(search);
}

int kv_search_set_hash(struct kv_search *search, size_t hash_mb)
{
    struct kv_table fresh;
    int status = kv_table_init(&fresh, hash_mb);
    if (status)
        return status;
    kv_table_finish(&search->table);
    search->table = fresh;
    return KV_OK;
}

void kv_search_clear(struct kv_search *search)
{
    kv_table_clear(&search->table);
}

void kv_search_arm(struct kv_search *search, bool ponder)
{
    atomic_store(&search->stop, false);
    atomic_store(&search->ponder_ns, 0);
    atomic_store(&search->armed_ns, kv_clock_ns());
    atomic_store(&search->pondering, ponder);
}

static void wake(struct kv_search *search)
{
    kv_mutex_lock(&search->lock);
    kv_condition_signal_all(&search->changed);
    kv_mutex_unlock(&search->lock);
}

void kv_search_stop(struct kv_search *search)
{
    atomic_store(&search->stop, true);
    wake(search);
}

void kv_search_ponderhit(struct kv_search *search)
{
    if (!atomic_load(&search->pondering))
        return;
    atomic_store(&search->ponder_ns, kv_clock_ns() - atomic_load(&search->armed_ns));
    atomic_store(&search->pondering, false);
    wake(search);
}

/* A search that may not end by itself waits here once it has nothing left to find out. */
static void wait_for_stop(struct kv_search *search, const struct kv_limits *limits)
{
    if (!kv_threads_exist())
        return; /* nobody could say stop */
    kv_mutex_lock(&search->lock);
    while (!atomic_load(&search->stop) && (limits->infinite || atomic_load(&search->pondering)))
        kv_condition_wait(&search->changed, &search->lock);
    kv_mutex_unlock(&search->lock);
}

/* ---- A run ------------------------------------------------------------------------------------ */

struct helper {
    struct kv_thread thread;
    struct kv_worker *worker;
    int max_depth;
    bool running;
};

struct run {
    struct kv_shared shared;
    struct kv_position *past;
    int past_count;
    struct kv_root_move *roots;
    int root_count;
    struct helper *helpers; /* [0] is the calling thread */
    int threads;
};

/* The positions before the current one that could still come back. */
static int collect_past(const struct kv_game *game, struct run *run)
{
    size_t first = game->count - 1;
    int reach = game->position.quiet;
    while (first > 0 && reach-- > 0)
        first--;
    size_t count = game->count - 1 - first;
    run->past = malloc((count + 1) * sizeof *run->past);
    if (!run->past)
        return KV_E_MEMORY;
    for (size_t i = first; i < game->count - 1; i++)
        if (game->positions[i].due == 0)
            run->past[run->past_count++] = game->positions[i];
    return KV_OK;
}

static int make_worker(struct run *run, int number)
{
    struct kv_worker *worker = calloc(1, sizeof *worker);
    if (!worker)
        return KV_E_MEMORY;
    run->helpers[number].worker = worker;
    worker->root_moves = malloc((size_t)run->root_count * sizeof *worker->root_moves);
    if (!worker->root_moves)
        return KV_E_MEMORY;
    memcpy(worker->root_moves, run->roots, (size_t)run->root_count * sizeof *worker->root_moves);
    worker->root_count = run->root_count;
    worker->shared = &run->shared;
    worker->number = number;
    worker->past = run->past;
    worker->past_count = run->past_count;
    for (int i = 0; i < 32; i++)
        for (int j = 0; j < 32; j++)
            worker->replies[i][j] = KV_MOVE_NONE;
    worker->frames[0].came_by = worker->frames[0].killers[0] = worker->frames[0].killers[1] = KV_MOVE_NONE;
    return KV_OK;
}

static int make_workers(struct run *run, const struct kv_position *root, int threads)
{
    run->helpers = calloc((size_t)threads, sizeof *run->helpers);
    if (!run->helpers)
        return KV_E_MEMORY;
    run->threads = threads;
    for (int i = 0; i < threads; i++) {
        int status = make_worker(run, i);
        if (status)
            return status;
        run->helpers[i].worker->frames[0].position = *root;
    }
    return KV_OK;
}

static void free_run(struct run *run)
{
    for (int i = 0; i < run->threads; i++)
        if (run->helpers[i].worker) {
            free(run->helpers[i].worker->root_moves);
            free(run->helpers[i].worker);
        }
    free(run->helpers);
    free(run->roots);
    free(run->past);
}

static void help(void *argument)
{
    struct helper *helper = argument;
    kv_worker_iterate(helper->worker, helper->max_depth, 1);
}

/* Helpers that cannot be started are done without. */
static void search_all(struct kv_search *search, struct run *run, int max_depth, int multipv)
{
    for (int i = 1; i < run->threads && kv_threads_exist(); i++) {
        struct helper *helper = &run->helpers[i];
        helper->max_depth = KV_DEPTH_MAX;
        helper->running = kv_thread_start(&helper->thread, help, helper) == KV_OK;
    }
    kv_worker_iterate(run->helpers[0].worker, max_depth, multipv);
    wait_for_stop(search, run->shared.limits);
    atomic_store(&search->stop, true);
    for (int i = 1; i < run->threads; i++)
        if (run->helpers[i].running)
            kv_thread_join(&run->helpers[i].thread);
}

static void report_finished(struct kv_search *search, const struct kv_game *game, enum kv_result result,
                            const struct kv_limits *limits, kv_search_report report, void *user)
{
    int winner = result == KV_WHITE_WINS ? KV_WHITE : KV_BLACK;
    struct kv_search_info info = {
        .multipv = 1,
        .score = result == KV_DRAW               ? 0
                 : winner == game->position.side ? KV_SCORE_WIN
                                                 : -KV_SCORE_WIN,
        .time_ns = kv_clock_ns() - limits->start_ns,
        .current_move = KV_MOVE_NONE,
    };
    info.wdl[info.score == 0 ? 1 : info.score > 0 ? 0 : 2] = 1000;
    if (report)
        report(user, &info);
    wait_for_stop(search, limits);
}

/* Deepest iteration and number of lines under these limits and settings. */
static void plan(const struct run *run, const struct kv_limits *limits,
                 const struct kv_search_settings *settings, bool weakened, int *depth, int *lines)
{
    *depth = limits->depth > 0 && limits->depth < KV_DEPTH_MAX ? limits->depth : KV_DEPTH_MAX;
    *lines = settings->multipv;
    if (weakened) {
        int most = kv_skill_depth(settings->skill);
        *depth = *depth < most ? *depth : most;
        *lines = run->root_count;
    }
    /* A single move needs no thought under a clock, only a score to show. */
    if (run->root_count == 1 && limits->has_clock[run->helpers[0].worker->frames[0].position.side] &&
        !limits->infinite && !limits->ponder)
        *depth = 1;
}

static void fill_result(const struct run *run, const struct kv_search_settings *settings, bool weakened,
                        struct kv_search_result *result)
{
    const struct kv_worker *first = run->helpers[0].worker;
    const struct kv_root_move *best = &first->root_moves[0];
    if (weakened && first->completed_depth > 0)
        best += kv_skill_choose(first->root_moves, first->root_count, settings->skill, settings->seed,
                                &first->frames[0].position);
    *result = (struct kv_search_result){
        .best = best->move,
        .ponder = best->pv_length > 1 ? best->pv[1] : KV_MOVE_NONE,
        .score = best->score != -KV_SCORE_NONE ? best->score : best->previous,
        .depth = first->completed_depth,
        .nodes = atomic_load(&run->shared.nodes),
    };
    if (run->shared.root_value != KV_ROOT_UNKNOWN && !kv_score_is_mate(result->score))
        result->score = kv_root_score(&run->shared, first->frames[0].position.side);
}

/* What tables say of the root moves; where they leave a choice, chance may make it. */
static void ask_tables(struct run *run, const struct kv_game *game, const struct kv_search_settings *settings)
{
    struct kv_tablebase *tablebase = run->shared.tablebase;
    const struct kv_position *root = &game->position;
    const struct kv_limits *limits = run->shared.limits;
    run->root_count =
        kv_root_filter(tablebase, &game->rules, root, run->roots, run->root_count, &run->shared.root_value);
    /* Only where a move is to be played, not where somebody wants to know about all of them. */
    if (run->shared.root_value == KV_ROOT_DRAWN && root->hand[root->side] > 0 && settings->seed != 0 &&
        !settings->analyse && settings->multipv == 1 && !limits->moves && !limits->infinite)
        run->root_count =
            kv_root_vary(tablebase, &game->rules, root, run->roots, run->root_count, settings->seed);
}

int kv_search_run(struct kv_search *search, const struct kv_game *game, const struct kv_limits *limits,
                  const struct kv_search_settings *settings, struct kv_tablebase *tablebase,
                  kv_search_report report, void *user, struct kv_search_result *result)
{
    enum kv_result over = kv_game_result(game, NULL);
    if (over != KV_ONGOING) {
        report_finished(search, game, over, limits, report, user);
        *result = (struct kv_search_result){.best = KV_MOVE_NONE, .ponder = KV_MOVE_NONE};
        return KV_OK;
    }
    bool weakened = kv_search_is_weakened(settings);
    struct run run = {
        .shared =
            {
                .table = &search->table,
                .tablebase = weakened ? NULL : tablebase,
                .rules = &game->rules,
                .limits = limits,
                .budget = kv_budget_of(limits, game->position.side, settings->move_overhead_ms),
                .stop = &search->stop,
                .pondering = &search->pondering,
                .ponder_ns = &search->ponder_ns,
                .opening_only = tablebase && kv_tablebase_in_opening(tablebase, &game->position),
                .canonical_stones = settings->no_symmetry ? 0 : CANONICAL_STONES,
                .report = report,
                .user = user,
            },
    };
    int status = collect_past(game, &run);
    if (status == KV_OK)
        status = run.root_count = kv_root_list(&game->rules, &game->position, limits, &run.roots);
    if (status >= 0) {
        ask_tables(&run, game, settings);
        status = make_workers(&run, &game->position, weakened ? 1 : settings->threads);
    }
    _Atomic uint64_t busy[KV_BUSY_SLOTS];
    if (run.threads > 1) {
        for (int i = 0; i < KV_BUSY_SLOTS; i++)
            atomic_init(&busy[i], 0);
        run.shared.busy = busy;
    }
    if (status == KV_OK) {
        int depth, lines;
        plan(&run, limits, settings, weakened, &depth, &lines);
        kv_table_age(&search->table);
        search_all(search, &run, depth, lines);
        fill_result(&run, settings, weakened, result);
    }
    free_run(&run);
    return status;
}
