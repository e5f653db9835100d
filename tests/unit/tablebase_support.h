/* Building tables in a directory of their own, for tests. */
#ifndef TABLEBASE_SUPPORT_H
#define TABLEBASE_SUPPORT_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/random.h"
#include "board/movegen.h"
#include "tablebase/build.h"
#include "tablebase/pack.h"
#include "tablebase/verify.h"

struct workshop {
    char path[64];
    struct kv_rules rules;
    struct kv_index index;
    struct kv_store store;
    _Atomic bool cancel;
    int reports_left; /* cancel after so many; negative = never */
};

static inline void open_workshop(struct workshop *workshop, const struct kv_rules *rules, int threads)
{
    memset(workshop, 0, sizeof *workshop);
    snprintf(workshop->path, sizeof workshop->path, "/tmp/kvern-tables-XXXXXX");
    assert_non_null(mkdtemp(workshop->path));
    workshop->rules = *rules;
    workshop->reports_left = -1;
    assert_int_equal(kv_index_init(&workshop->index, kv_boards[0], (2u << rules->stones) - 1), KV_OK);
    workshop->store = (struct kv_store){
        .path = workshop->path,
        .rules = &workshop->rules,
        .index = &workshop->index,
        .threads = threads,
        .level = 1,
    };
}

static inline void close_workshop(struct workshop *workshop)
{
    DIR *directory = opendir(workshop->path);
    char path[400];
    for (struct dirent *entry; directory && (entry = readdir(directory)) != NULL;) {
        snprintf(path, sizeof path, "%s/%s", workshop->path, entry->d_name);
        if (entry->d_name[0] != '.')
            assert_int_equal(unlink(path), 0);
    }
    closedir(directory);
    assert_int_equal(rmdir(workshop->path), 0);
    kv_index_finish(&workshop->index);
}

static inline void count_reports(void *user, const struct kv_build_state *state)
{
    struct workshop *workshop = user;
    assert_true(state->done <= state->total);
    if (workshop->reports_left > 0 && --workshop->reports_left == 0)
        atomic_store(&workshop->cancel, true);
}

static inline int build_tables(struct workshop *workshop, int phases, int max_stones, bool all_hands,
                               uint64_t memory, struct kv_error *error)
{
    struct kv_build build = {
        .path = workshop->path,
        .rules = &workshop->rules,
        .limits = {phases, max_stones, all_hands},
        .threads = workshop->store.threads,
        .level = workshop->store.level,
        .memory = memory,
        .cancel = &workshop->cancel,
        .report = count_reports,
        .user = workshop,
    };
    return kv_build_run(&build, error);
}

static inline void verify_tables(struct workshop *workshop, int phases, int max_stones, bool all_hands)
{
    struct kv_plan plan;
    struct kv_plan_limits limits = {phases, max_stones, all_hands};
    assert_int_equal(kv_plan_make(&plan, &workshop->rules, &limits), KV_OK);
    for (int i = 0; i < plan.count; i++) {
        struct kv_subspace ways[2] = {plan.steps[i], {plan.steps[i].other, plan.steps[i].mover, 0, 0}};
        bool pair = !kv_subspace_is_placing(ways[0]) && ways[0].mover != ways[0].other;
        for (int way = 0; way <= pair; way++) {
            struct kv_verify_result result;
            struct kv_error error;
            int status = kv_verify_subspace(&workshop->store, ways[way], 1, &result, &error);
            if (status)
                fail_msg("%s", error.text);
            assert_true(result.checked > 0);
            assert_int_equal(result.wrong, 0);
        }
    }
    kv_plan_finish(&plan);
}

/* The totals that the head of a table of distances states. */
static inline void read_totals(struct workshop *workshop, struct kv_subspace subspace, uint64_t totals[8])
{
    struct kv_table table;
    struct kv_error error;
    if (kv_store_open(&workshop->store, KV_TABLE_DISTANCES, subspace, &table, &error) != KV_OK)
        fail_msg("%s", error.text);
    memset(totals, 0, 8 * sizeof *totals);
    totals[0] = table.head.positions;
    for (unsigned byte = 0; byte < 256; byte++) {
        uint64_t count = table.head.counts[byte];
        int loss = byte & 1;
        totals[byte == 0 ? 2 : loss ? 3 : 1] += count;
        if (byte == 0 || count == 0)
            continue;
        totals[4 + loss] = byte - 1;
        totals[6 + loss] += count * (byte - 1);
    }
    kv_table_close(&table);
}

/* Packs every table; returns how many were written. */
static inline int pack_all(struct workshop *whole, struct workshop *small)
{
    struct kv_plan plan;
    struct kv_plan_limits limits = {KV_PLAN_MOVING | KV_PLAN_PLACING, 18, false};
    int written = 0;
    assert_int_equal(kv_plan_make(&plan, &whole->rules, &limits), KV_OK);
    for (int i = 0; i < 2 * plan.count; i++) {
        struct kv_subspace subspace = plan.steps[i / 2];
        struct kv_verify_result result;
        struct kv_error error;
        uint64_t size;
        if (i % 2 == 1 && (kv_subspace_is_placing(subspace) || subspace.mover == subspace.other))
            continue;
        subspace = i % 2 == 1 ? kv_subspace_turned(subspace) : subspace;
        if (kv_pack_subspace(&whole->store, &small->store, KV_TABLE_RESULTS, subspace, &size, &error) !=
            KV_OK)
            fail_msg("%s", error.text);
        written += size > 0;
        if (size == 0)
            continue;
        assert_int_equal(kv_verify_results(&small->store, &whole->store, subspace, &result, &error), KV_OK);
        assert_int_equal(result.wrong, 0);
    }
    kv_plan_finish(&plan);
    return written;
}

static inline struct kv_position random_position(struct kv_random *random, struct kv_subspace subspace)
{
    struct kv_position position = {.hand = {subspace.hand_mover, subspace.hand_other}};
    while (kv_popcount(position.stones[0]) < subspace.mover)
        position.stones[0] |= 1u << kv_random_below(random, 24);
    while (kv_popcount(position.stones[1]) < subspace.other)
        position.stones[1] |= 1u << kv_random_below(random, 24) & ~position.stones[0];
    return position;
}

#endif
