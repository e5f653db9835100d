/* The building of tables: order, memory, disk, progress. */
#include "tablebase/build.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/pages.h"
#include "board/movegen.h"
#include "tablebase/placing.h"
#include "tablebase/retro.h"
#include "tablebase/store.h"

enum { OVERHEAD = 64 << 20, TENTHS_OF_A_BYTE = 5 };

struct builder {
    const struct kv_build *build;
    struct kv_index index;
    struct kv_store store;
    struct kv_plan plan;
    struct kv_build_state state;
    int64_t start, step_start;
    struct kv_error *error;
};

/* Memory of a step: what it solves and what captures and placements lead to. */
struct room {
    uint8_t *values[2], *after[2][3];
    uint16_t *states[2];
    uint64_t value_bytes[2], after_bytes[2][3], state_bytes[2];
    int sides;
};

static uint64_t measure(const struct builder *builder, struct kv_subspace step, struct room *room)
{
    bool placing = kv_subspace_is_placing(step);
    uint64_t total = OVERHEAD;
    memset(room, 0, sizeof *room);
    room->sides = placing || step.mover == step.other ? 1 : 2;
    for (int s = 0; s < room->sides; s++) {
        struct kv_subspace side = s == 0 ? step : kv_subspace_turned(step), after;
        room->value_bytes[s] = kv_store_bytes(&builder->store, side);
        room->state_bytes[s] = placing ? 0 : 2 * kv_store_bytes(&builder->store, kv_subspace_turned(side));
        total += room->value_bytes[s] + room->state_bytes[s];
        for (int taken = placing ? 0 : 1; taken <= kv_subspace_most_taken(builder->build->rules); taken++)
            if (kv_subspace_after(side, taken, &after)) {
                room->after_bytes[s][taken] = kv_store_bytes(&builder->store, after);
                total += room->after_bytes[s][taken];
            }
    }
    return total;
}

static void give_back(struct room *room)
{
    for (int s = 0; s < 2; s++) {
        kv_pages_give(room->values[s], room->value_bytes[s]);
        kv_pages_give(room->states[s], room->state_bytes[s]);
        for (int taken = 0; taken < 3; taken++)
            kv_pages_give(room->after[s][taken], room->after_bytes[s][taken]);
    }
}

static void report(struct builder *builder, const char *doing)
{
    struct kv_build_state *state = &builder->state;
    int64_t now = kv_clock_ns();
    state->doing = doing;
    state->seconds = (double)(now - builder->start) / 1e9;
    state->step_seconds = (double)(now - builder->step_start) / 1e9;
    if (builder->build->report)
        builder->build->report(builder->build->user, state);
}

/* ---- Steps ------------------------------------------------------------------------------------ */

static int take_room(struct builder *builder, struct kv_subspace step, struct room *room)
{
    int status = KV_OK;
    for (int s = 0; s < room->sides && status == KV_OK; s++) {
        struct kv_subspace side = s == 0 ? step : kv_subspace_turned(step), after;
        for (int taken = 0; taken < 3 && status == KV_OK; taken++)
            if (room->after_bytes[s][taken] && kv_subspace_after(side, taken, &after))
                status = kv_store_load(&builder->store, KV_TABLE_DISTANCES, after, &room->after[s][taken],
                                       builder->error);
        if (status)
            return status;
        room->values[s] = kv_pages_take(room->value_bytes[s]);
        if (room->state_bytes[s])
            room->states[s] = kv_pages_take(room->state_bytes[s]);
        if (room->values[s] == NULL || (room->state_bytes[s] && room->states[s] == NULL))
            status = kv_fail(builder->error, KV_E_MEMORY, "out of memory");
    }
    return status;
}

static void level_done(void *user, const struct kv_retro *retro)
{
    struct builder *builder = user;
    builder->state.level = retro->level;
    report(builder, "propagating");
}

static int solve_moving(struct builder *builder, struct kv_subspace step, struct room *room)
{
    struct kv_retro retro;
    int status = kv_retro_init(&retro, &builder->index, builder->build->rules, step.mover, step.other);
    if (status)
        return kv_fail(builder->error, status, "out of memory");
    for (int s = 0; s < retro.sides; s++) {
        retro.side[s].job.values = room->values[s];
        retro.side[s].states = room->states[s];
        memcpy(retro.side[s].job.after, room->after[s], sizeof room->after[s]);
    }
    retro.cancel = builder->build->cancel;
    retro.progress = level_done;
    retro.user = builder;
    report(builder, "captures");
    status = kv_retro_run(&retro, builder->build->threads);
    kv_retro_finish(&retro);
    return status;
}

static int solve_placing(struct builder *builder, struct kv_subspace step, struct room *room)
{
    struct kv_placing placing = {
        .job =
            {
                .index = &builder->index,
                .rules = builder->build->rules,
                .mover = step.mover,
                .other = step.other,
                .arrived = step.mover + 1,
                .values = room->values[0],
                .after = {room->after[0][0], room->after[0][1], room->after[0][2]},
            },
        .cancel = builder->build->cancel,
    };
    report(builder, "placing");
    return kv_placing_run(&placing, builder->build->threads);
}

static int save_room(struct builder *builder, struct kv_subspace step, struct room *room)
{
    int status = KV_OK;
    builder->state.file_bytes = 0;
    report(builder, "writing");
    for (int s = 0; s < room->sides && status == KV_OK; s++) {
        uint64_t size = 0;
        status = kv_store_save(&builder->store, KV_TABLE_DISTANCES, s == 0 ? step : kv_subspace_turned(step),
                               room->values[s], &size, builder->error);
        builder->state.file_bytes += size;
    }
    return status;
}

static int solve(struct builder *builder, struct kv_subspace step)
{
    struct room room;
    builder->step_start = kv_clock_ns();
    builder->state.step = step;
    builder->state.step_number++;
    builder->state.level = 0;
    builder->state.step_bytes = measure(builder, step, &room);
    builder->state.step_slots = room.value_bytes[0] + room.value_bytes[1];
    report(builder, "reading");
    int status = take_room(builder, step, &room);
    if (status == KV_OK) {
        status = kv_subspace_is_placing(step) ? solve_placing(builder, step, &room)
                                              : solve_moving(builder, step, &room);
        if (status == KV_E_RANGE)
            kv_fail(builder->error, status, "a distance of more than %d plies does not fit", KV_BYTE_MAX - 1);
        else if (status)
            kv_fail(builder->error, status, "%s", status == KV_E_BUSY ? "stopped" : kv_status_text(status));
    }
    if (status == KV_OK)
        status = save_room(builder, step, &room);
    give_back(&room);
    builder->state.done += status == KV_OK ? builder->state.step_slots : 0;
    if (status == KV_OK)
        report(builder, "finished");
    return status;
}

/* ---- The whole -------------------------------------------------------------------------------- */

static bool is_there(const struct builder *builder, struct kv_subspace step)
{
    return kv_store_has(&builder->store, KV_TABLE_DISTANCES, step) &&
           (kv_subspace_is_placing(step) ||
            kv_store_has(&builder->store, KV_TABLE_DISTANCES, kv_subspace_turned(step)));
}

static int too_small(const struct builder *builder, const char *what, uint64_t needed, const char *how,
                     uint64_t there)
{
    double unit = needed < 1 << 30 ? 1 << 20 : 1 << 30;
    return kv_fail(builder->error, KV_E_FULL, "may need %.1f %s of %s, %.1f are %s", (double)needed / unit,
                   unit < 1 << 30 ? "MiB" : "GiB", what, (double)there / unit, how);
}

/* Leaves in the plan what is still to do, and checks that memory and disk are enough for it. */
static int prepare(struct builder *builder)
{
    const struct kv_build *build = builder->build;
    struct kv_plan *plan = &builder->plan;
    uint64_t memory = 0;
    int left = 0;
    for (int i = 0; i < plan->count; i++) {
        struct room room;
        if (is_there(builder, plan->steps[i]))
            continue;
        uint64_t needed = measure(builder, plan->steps[i], &room);
        memory = needed > memory ? needed : memory;
        builder->state.total += room.value_bytes[0] + room.value_bytes[1];
        plan->steps[left++] = plan->steps[i];
    }
    plan->count = left;
    builder->state.step_count = left;
    if (memory > build->memory)
        return too_small(builder, "memory", memory, "allowed", build->memory);
    struct statvfs disk;
    uint64_t files = builder->state.total * TENTHS_OF_A_BYTE / 10;
    if (statvfs(build->path, &disk) != 0)
        return kv_fail(builder->error, KV_E_IO, "%s: %s", build->path, strerror(errno));
    uint64_t available = (uint64_t)disk.f_bavail * disk.f_frsize;
    if (files > available)
        return too_small(builder, "disk", files, "free", available);
    return KV_OK;
}

static int init_builder(struct builder *builder)
{
    const struct kv_build *build = builder->build;
    int status = kv_index_init(&builder->index, kv_board_of(build->rules), (2u << build->rules->stones) - 1);
    if (status == KV_OK)
        status = kv_plan_make(&builder->plan, build->rules, &build->limits);
    if (status)
        return kv_fail(builder->error, status, "out of memory");
    builder->store = (struct kv_store){
        .path = build->path,
        .rules = build->rules,
        .index = &builder->index,
        .threads = build->threads,
        .level = build->level,
        .cancel = build->cancel,
    };
    return prepare(builder);
}

int kv_build_run(const struct kv_build *build, struct kv_error *error)
{
    struct builder builder = {.build = build, .start = kv_clock_ns(), .error = error};
    char lock[4096];
    if (build->rules->reclose_mill != KV_RECLOSE_ALLOWED || build->rules->no_capture_limit)
        return kv_fail(error, KV_E_RANGE, "no tables can hold RecloseMill or NoCaptureLimit");
    snprintf(lock, sizeof lock, "%s/lock", build->path);
    int file = open(lock, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0)
        return kv_fail(error, KV_E_IO, "%s: %s", lock, strerror(errno));
    int status = KV_OK;
    if (flock(file, LOCK_EX | LOCK_NB) != 0)
        status = kv_fail(error, KV_E_BUSY, "%s: another build is at work in this directory", build->path);
    if (status == KV_OK)
        status = init_builder(&builder);
    for (int i = 0; i < builder.plan.count && status == KV_OK; i++)
        status = solve(&builder, builder.plan.steps[i]);
    kv_plan_finish(&builder.plan);
    kv_index_finish(&builder.index);
    close(file);
    return status;
}
