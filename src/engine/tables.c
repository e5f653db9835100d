/* When endgame tables are made and which searches may use them.
 *
 * The built-in tables are computed when first wanted, in the background. So that the same command on
 * the same position always counts the same nodes, a search that no clock limits either waits for them
 * or does without them, by its root position alone. A search on a clock waits a little and then takes
 * what is there. The built-in opening is there as soon as the object is; a search that begins in it always
 * has it, waits for nothing and looks at no endgame, be it there or not.
 */
#include <stdio.h>
#include <string.h>

#include "base/bits.h"
#include "base/clock.h"
#include "engine/engine.h"
#include "tablebase/opening.h"

/* With hands empty and so few stones the covered endgames are near. */
enum { STONES_NEAR = 12 };

/* How long one look at the stop flag lasts. */
enum { SLICE_NS = 2000000 };

static bool tables_are_near(const struct kv_position *position)
{
    return position->hand[0] + position->hand[1] == 0 &&
           kv_popcount(position->stones[0] | position->stones[1]) <= STONES_NEAR;
}

static bool opening_is_on(const struct kv_game *game)
{
    return kv_opening_fits(&game->rules) && kv_opening_is_on(&game->position);
}

static void notify(void *user, const char *line)
{
    struct kv_engine *engine = user;
    if (engine->config.notice)
        engine->config.notice(engine->config.notice_user, line);
}

/* The path of the options, opened for the tables as they are; the number in use is told. */
static int open_files(struct kv_engine *engine, struct kv_error *error)
{
    const char *path = engine->values.tablebase_path;
    char line[160];
    int count = kv_tablebase_open(engine->tablebase, path, (size_t)engine->values.tablebase_cache, notify,
                                  engine, error);
    if (count < 0 && count != KV_E_RANGE)
        return count;
    engine->files_open = count > 0;
    if (count == KV_E_RANGE)
        snprintf(line, sizeof line, "TablebasePath: no tables are made for the rules in force");
    else
        snprintf(line, sizeof line, "TablebasePath: %d tables in use", count);
    if (path)
        notify(engine, line);
    return KV_OK;
}

/* A tablebase object for `rules`, without files. */
static int make_tables(struct kv_engine *engine, const struct kv_rules *rules)
{
    kv_tablebase_destroy(engine->tablebase);
    engine->tablebase = NULL;
    engine->files_open = false;
    engine->tablebase_rules = *rules;
    return kv_tablebase_create(&engine->tablebase, rules);
}

static bool has_tables(const struct kv_engine *engine, const struct kv_rules *rules)
{
    return engine->tablebase && memcmp(&engine->tablebase_rules, rules, sizeof *rules) == 0;
}

struct kv_tablebase *kv_engine_need_tables(struct kv_engine *engine, const struct kv_rules *rules)
{
    struct kv_error error = {""};
    if (engine->config.no_tables)
        return NULL;
    if (has_tables(engine, rules))
        return engine->tablebase;
    if (make_tables(engine, rules) != KV_OK)
        return NULL;
    if (engine->values.tablebase_path && open_files(engine, &error) != KV_OK)
        notify(engine, error.text);
    return engine->tablebase;
}

int kv_engine_open_tables(struct kv_engine *engine, struct kv_error *error)
{
    if (engine->config.no_tables || (!engine->tablebase && !engine->values.tablebase_path))
        return KV_OK;
    bool made = !has_tables(engine, &engine->rules);
    int status = made ? make_tables(engine, &engine->rules) : KV_OK;
    if (status)
        return kv_fail(error, status, "%s", kv_status_text(status));
    status = open_files(engine, error);
    if (status && made) {
        /* made anew at the next need, with the path that was good before */
        kv_tablebase_destroy(engine->tablebase);
        engine->tablebase = NULL;
    }
    return status;
}

void kv_engine_ready_tables(struct kv_engine *engine)
{
    if (engine->game_set && opening_is_on(&engine->game))
        kv_engine_need_tables(engine, &engine->rules);
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
    if (tables_are_near(position) || engine->values.tablebase_path ||
        (opening_is_on(&engine->searched) && !kv_search_is_weakened(&engine->settings)) ||
        (engine->tablebase && is_timed(&engine->limits, position->side)))
        kv_engine_need_tables(engine, &engine->searched.rules);
}

static bool has_one_move(const struct kv_game *game)
{
    kv_move moves[KV_MOVES_MAX];
    return kv_moves(&game->rules, &game->position, moves) == 1;
}

/* How much of its time a search on a clock waits: most of it where the root itself is in the tables, since
 * they answer better than any search. */
static int64_t patience_ms(const struct kv_engine *engine)
{
    const struct kv_limits *limits = &engine->limits;
    const struct kv_position *root = &engine->searched.position;
    bool answered = kv_tablebase_covers(engine->tablebase, root);
    if (limits->movetime_ms > 0)
        return answered ? limits->movetime_ms * 2 / 3 : limits->movetime_ms / 4;
    return limits->clock_ms[root->side] / (answered ? 25 : 50);
}

struct kv_tablebase *kv_engine_search_tables(struct kv_engine *engine)
{
    const struct kv_limits *limits = &engine->limits;
    int side = engine->searched.position.side;
    bool timed = is_timed(limits, side), near = tables_are_near(&engine->searched.position);
    if (!has_tables(engine, &engine->searched.rules) || kv_game_result(&engine->searched, NULL) != KV_ONGOING)
        return NULL;
    if (limits->has_clock[side] && has_one_move(&engine->searched))
        return engine->tablebase; /* it is played at once */
    if (kv_tablebase_in_opening(engine->tablebase, &engine->searched.position))
        return engine->tablebase;
    if (!near && !engine->files_open)
        return timed ? engine->tablebase : NULL;
    if (!near && timed)
        return engine->tablebase;
    kv_tablebase_want(engine->tablebase);
    int64_t deadline = INT64_MAX;
    if (timed) {
        deadline = limits->start_ns + patience_ms(engine) * 1000000;
    }
    wait_for_tables(engine, deadline);
    return engine->tablebase;
}
