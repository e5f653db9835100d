/* Running a search in a thread of its own. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "engine/engine.h"

/* Where nobody can say stop, a search without limits ends after so many nodes. */
enum { NODES_WITHOUT_STOP = 2000000 };

enum kv_search_phase kv_engine_phase(struct kv_engine *engine)
{
    kv_mutex_lock(&engine->mutex);
    enum kv_search_phase phase = engine->phase;
    kv_mutex_unlock(&engine->mutex);
    return phase;
}

static void enter_phase(struct kv_engine *engine, enum kv_search_phase phase)
{
    kv_mutex_lock(&engine->mutex);
    engine->phase = phase;
    kv_condition_signal_all(&engine->changed);
    kv_mutex_unlock(&engine->mutex);
}

int kv_engine_need_search(struct kv_engine *engine)
{
    if (!engine->search)
        return kv_search_create(&engine->search, (size_t)engine->values.hash);
    if (engine->clear_pending)
        kv_search_clear(engine->search);
    engine->clear_pending = false;
    return KV_OK;
}

int kv_engine_get_ready(struct kv_engine *engine)
{
    if (kv_engine_phase(engine) == KV_PHASE_SEARCHING)
        return KV_OK;
    kv_engine_wait(engine, INT64_MAX);
    kv_engine_ready_tables(engine);
    /* A table just made is empty; clearing it brings all of it into memory. */
    engine->clear_pending = engine->clear_pending || !engine->search;
    int status = kv_engine_need_search(engine);
    return status || !engine->clear_pending ? status : kv_engine_need_search(engine);
}

static void run_search(void *pointer)
{
    struct kv_engine *engine = pointer;
    struct kv_search_result result = {.best = KV_MOVE_NONE, .ponder = KV_MOVE_NONE};
    struct kv_tablebase *tablebase = kv_engine_search_tables(engine);
    int status = kv_search_run(engine->search, &engine->searched, &engine->limits, &engine->settings,
                               tablebase, engine->listener.report, engine->listener.user, &result);
    enter_phase(engine, KV_PHASE_ANSWERING);
    engine->listener.done(engine->listener.user, status, &result);
    enter_phase(engine, KV_PHASE_IDLE);
}

/* ---- Starting --------------------------------------------------------------------------------- */

static int skill_of(const struct kv_engine *engine)
{
    const struct kv_option_values *values = &engine->values;
    if (!values->limit_strength)
        return (int)values->skill;
    struct kv_option elo;
    kv_option_row(kv_option_find(kv_span_of("UCI_Elo")), &elo);
    int64_t above = values->elo - elo.low, range = elo.high - elo.low;
    return (int)((above * KV_SKILL_MAX + range / 2) / range);
}

static struct kv_search_settings settings_of(const struct kv_engine *engine)
{
    const struct kv_option_values *values = &engine->values;
    return (struct kv_search_settings){
        .threads = engine->config.synchronous ? 1 : (int)values->threads,
        .multipv = (int)values->multipv,
        .move_overhead_ms = (int)values->move_overhead,
        .skill = skill_of(engine),
        .seed = values->seed < 0 ? (uint64_t)kv_clock_ns() : (uint64_t)values->seed,
        .analyse = values->analyse != 0,
    };
}

static bool has_end(const struct kv_limits *limits, int side)
{
    return limits->depth > 0 || limits->nodes > 0 || limits->movetime_ms > 0 || limits->has_clock[side] ||
           limits->mate > 0;
}

static void bound_limits(const struct kv_engine *engine, struct kv_limits *limits)
{
    if (engine->config.node_cap > 0 && (limits->nodes == 0 || limits->nodes > engine->config.node_cap))
        limits->nodes = engine->config.node_cap;
    if (limits->mate > 0 && (limits->depth == 0 || limits->depth > limits->mate))
        limits->depth = limits->mate; /* deeper there is nothing left to prove */
    /* A finished game has nothing to wait for. */
    if (kv_game_result(&engine->searched, NULL) != KV_ONGOING)
        limits->infinite = limits->ponder = false;
    if (!engine->config.synchronous)
        return;
    limits->infinite = limits->ponder = false;
    if (!has_end(limits, engine->searched.position.side))
        limits->nodes = NODES_WITHOUT_STOP;
}

/* Copies everything the search needs, so that the owner may go on. */
static int prepare(struct kv_engine *engine, const struct kv_limits *limits)
{
    int status = kv_engine_need_search(engine);
    if (status)
        return status;
    kv_move *moves = NULL;
    if (limits->moves) {
        moves = malloc(((size_t)limits->move_count + 1) * sizeof *moves);
        if (!moves)
            return KV_E_MEMORY;
        memcpy(moves, limits->moves, (size_t)limits->move_count * sizeof *moves);
    }
    struct kv_game game;
    status = kv_game_copy(&game, &engine->game);
    if (status) {
        free(moves);
        return status;
    }
    kv_game_finish(&engine->searched);
    engine->searched = game;
    free(engine->root_moves);
    engine->root_moves = moves;
    engine->limits = *limits;
    engine->limits.moves = moves;
    bound_limits(engine, &engine->limits);
    engine->settings = settings_of(engine);
    kv_engine_prepare_tables(engine);
    return KV_OK;
}

int kv_engine_go(struct kv_engine *engine, const struct kv_limits *limits, const struct kv_listener *listener)
{
    if (kv_engine_phase(engine) == KV_PHASE_SEARCHING)
        return KV_E_BUSY;
    kv_engine_settle(engine, NULL);
    if (!engine->game_set)
        return KV_E_NOT_FOUND;
    if (engine->thread_started) {
        kv_thread_join(&engine->thread);
        engine->thread_started = false;
    }
    int status = prepare(engine, limits);
    if (status)
        return status;
    engine->listener = *listener;
    atomic_store(&engine->stopping, false);
    atomic_store(&engine->pondering, engine->limits.ponder);
    kv_search_arm(engine->search, engine->limits.ponder);
    enter_phase(engine, KV_PHASE_SEARCHING);
    if (engine->config.synchronous) {
        run_search(engine);
        return KV_OK;
    }
    status = kv_thread_start(&engine->thread, run_search, engine);
    if (status)
        enter_phase(engine, KV_PHASE_IDLE);
    else
        engine->thread_started = true;
    return status;
}

/* ---- While it runs ---------------------------------------------------------------------------- */

void kv_engine_stop(struct kv_engine *engine)
{
    kv_mutex_lock(&engine->mutex);
    if (engine->phase == KV_PHASE_SEARCHING) {
        atomic_store(&engine->stopping, true);
        kv_search_stop(engine->search);
    }
    kv_mutex_unlock(&engine->mutex);
}

void kv_engine_ponderhit(struct kv_engine *engine)
{
    kv_mutex_lock(&engine->mutex);
    if (engine->phase == KV_PHASE_SEARCHING && atomic_exchange(&engine->pondering, false))
        kv_search_ponderhit(engine->search);
    kv_mutex_unlock(&engine->mutex);
}

bool kv_engine_is_searching(struct kv_engine *engine)
{
    return kv_engine_phase(engine) == KV_PHASE_SEARCHING;
}

bool kv_engine_is_bounded(struct kv_engine *engine)
{
    kv_mutex_lock(&engine->mutex);
    const struct kv_limits *limits = &engine->limits;
    bool bounded = engine->phase != KV_PHASE_SEARCHING || atomic_load(&engine->stopping) ||
                   (!limits->infinite && !atomic_load(&engine->pondering) &&
                    has_end(limits, engine->searched.position.side));
    kv_mutex_unlock(&engine->mutex);
    return bounded;
}

bool kv_engine_wait(struct kv_engine *engine, int64_t deadline_ns)
{
    kv_mutex_lock(&engine->mutex);
    while (engine->phase != KV_PHASE_IDLE &&
           kv_condition_wait_until(&engine->changed, &engine->mutex, deadline_ns))
        ;
    bool idle = engine->phase == KV_PHASE_IDLE;
    kv_mutex_unlock(&engine->mutex);
    return idle;
}
