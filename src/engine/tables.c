/* When endgame tables are made and which searches may use them.
 *
 * The built-in tables are computed when first wanted, in the background. So that the same command on
 * the same position always counts the same nodes, a search that no clock limits either waits for them
 * or does without them, by its root position alone. A search on a clock waits a little and then takes
 * what is there.
 */
#include <string.h>

#include "base/bits.h"
#include "base/clock.h"
#include "engine/engine.h"

/* With hands empty and so few stones the covered endgames are near. */
enum { STONES_NEAR = 12 };

/* How long one look at the stop flag lasts. */
enum { SLICE_NS = 2000000 };

static bool tables_are_near(const struct kv_position *position)
{
    return position->hand[0] + position->hand[1] == 0 &&
           kv_popcount(position->stones[0] | position->stones[1]) <= STONES_NEAR;
}

struct kv_tablebase *kv_engine_need_tables(struct kv_engine *engine, const struct kv_rules *rules)
{
    if (engine->config.no_tables)
        return NULL;
    if (engine->tablebase && memcmp(&engine->tablebase_rules, rules, sizeof *rules) == 0)
        return engine->tablebase;
    kv_tablebase_destroy(engine->tablebase);
    engine->tablebase = NULL;
    if (kv_tablebase_create(&engine->tablebase, rules) != KV_OK)
        return NULL;
    engine->tablebase_rules = *rules;
    return engine->tablebase;
}

void kv_engine_foresee_tables(struct kv_engine *engine)
{
    if (engine->config.synchronous || kv_engine_phase(engine) == KV_PHASE_SEARCHING ||
        !tables_are_near(&engine->game.position))
        return;
    kv_engine_wait(engine, INT64_MAX);
    struct kv_tablebase *tablebase = kv_engine_need_tables(engine, &engine->rules);
    if (tablebase)
        kv_tablebase_want(tablebase);
}

/* Waits until the tables are there, the deadline has passed or the search is told to stop. */
static void wait_for_tables(struct kv_engine *engine, int64_t deadline_ns)
{
    for (int64_t now = kv_clock_ns(); now < deadline_ns && !atomic_load(&engine->stopping);
         now = kv_clock_ns()) {
        int64_t slice = deadline_ns - now < SLICE_NS ? deadline_ns : now + SLICE_NS;
        /* there they are, or nothing is on its way: these rules have no tables */
        if (kv_tablebase_wait(engine->tablebase, slice) || kv_clock_ns() < slice)
            return;
    }
}

static bool is_timed(const struct kv_limits *limits, int side)
{
    return !limits->infinite && (limits->movetime_ms > 0 || limits->has_clock[side]);
}

void kv_engine_prepare_tables(struct kv_engine *engine)
{
    const struct kv_position *position = &engine->searched.position;
    if (tables_are_near(position) || (engine->tablebase && is_timed(&engine->limits, position->side)))
        kv_engine_need_tables(engine, &engine->searched.rules);
}

struct kv_tablebase *kv_engine_search_tables(struct kv_engine *engine)
{
    const struct kv_limits *limits = &engine->limits;
    int side = engine->searched.position.side;
    bool timed = is_timed(limits, side);
    if (!engine->tablebase)
        return NULL;
    if (!tables_are_near(&engine->searched.position))
        return timed ? engine->tablebase : NULL;
    kv_tablebase_want(engine->tablebase);
    int64_t deadline = INT64_MAX;
    if (timed) {
        int64_t budget_ms = limits->movetime_ms > 0 ? limits->movetime_ms / 4 : limits->clock_ms[side] / 50;
        deadline = limits->start_ns + budget_ms * 1000000;
    }
    wait_for_tables(engine, deadline);
    return engine->tablebase;
}
