/* The benchmark: a fixed list of positions whose node total guards the search against changes nobody
 * meant. */
#include <string.h>

#include "base/clock.h"
#include "engine/engine.h"

enum { BENCH_HASH_MB = 16 };

struct row {
    const char *rules; /* pairs of name and value */
    const char *position;
};

static const struct row rows[] = {
    {"", "********/********/******** w p p 0 9 0 9 0 0 -1 -1 -1 -1 0 0 1 ids:nodes"},
    {"", "@*******/*O****@*/*****O** w p p 2 7 2 7 0 0 -1 -1 -1 -1 0 0 3 ids:nodes"},
    {"", "*O***@@@/**O*O***/*******@ w p p 3 5 4 5 0 0 -1 -1 -1 -1 0 0 5 ids:nodes"},
    {"", "*@****O@/***@O*@*/*OOO@*O* w p p 6 3 5 3 0 0 -1 -1 -1 -1 0 0 7 ids:nodes"},
    {"", "@*O*O*@*/O@***O@*/***OOO@@ b p p 7 1 6 2 0 0 -1 -1 -1 -1 0 0 8 ids:nodes"},
    {"", "@***O**O/@@*OO*O@/@@**O**@ b p p 6 0 7 1 0 0 -1 -1 -1 -1 0 0 9 ids:nodes"},
    {"", "O**@**O*/O@O@**O@/O**@@@OO w m s 8 0 7 0 0 0 -1 -1 -1 -1 0 0 10 ids:nodes"},
    {"", "***OOOOO/*****@@@/**O**@@@ w m s 6 0 6 0 0 0 -1 -1 -1 -1 0 0 12 ids:nodes"},
    {"", "@@****@*/@*****O*/@**O*O*O w m s 4 0 5 0 0 0 -1 -1 -1 -1 0 2 16 ids:nodes"},
    {"", "*@@@@@O*/***@**O*/*O***O*O w m s 5 0 6 0 0 0 -1 -1 -1 -1 0 3 21 ids:nodes"},
    {"", "*@*O*O**/OO*@@OOO/*O**@*** b m s 8 0 4 0 0 0 -1 -1 -1 -1 0 2 28 ids:nodes"},
    {"", "******O*/***O**O*/@@@*@*O@ w m s 4 0 5 0 0 0 -1 -1 -1 -1 0 2 36 ids:nodes"},
    {"", "********/******OO/@@@***O@ w m s 3 0 4 0 0 0 -1 -1 -1 -1 0 0 15 ids:nodes"},
    {"", "*****OOO/@@O**@@@/**O***** w m s 5 0 5 0 0 0 -1 -1 -1 -1 0 0 17 ids:nodes"},
    {"Flying false", "****O@@*/**O@O***/*@**O*O* w p p 5 4 4 4 0 0 -1 -1 -1 -1 0 0 6 ids:nodes"},
    {"MillProtection always", "O**@@@**/*OOOO***/@O@@**O* b p p 7 1 6 2 0 0 -1 -1 -1 -1 0 0 8 ids:nodes"},
    {"MillProtection never", "**O*@@O*/****@*OO/@@*@@@O* w m s 5 0 8 0 0 0 -1 -1 -1 -1 0 0 11 ids:nodes"},
    {"DoubleMill two", "*@@@O***/**O*O@**/**@@OOOO b m s 7 0 6 0 0 0 -1 -1 -1 -1 0 0 13 ids:nodes"},
    {"RecloseMill not-twice",
     "@@*****@/***O****/@@@OOO*@ w m s 4 0 7 0 0 0 -1 -1 -1 -1 4035225268321779712 0 16 ids:nodes"},
    {"RecloseMill not-at-once", "*@O*****/O@O@**O*/*@O**@@@ b m s 5 0 7 0 0 0 -1 -1 -1 -1 0 2 18 ids:nodes"},
    {"FirstMove black", "****@@**/O*******/O@@@*OO* b m s 4 0 5 0 0 0 -1 -1 -1 -1 0 2 21 ids:nodes"},
    {"DoubleMill two MillProtection never",
     "**@**O**/*@***@**/*O@*O@*@ b m s 3 0 6 0 0 0 -1 -1 -1 -1 0 3 23 ids:nodes"},
    {"NoCaptureLimit 40", "******O*/@O******/**O@@@** w m s 3 0 4 0 0 0 -1 -1 -1 -1 0 0 26 ids:nodes"},
};

static int set_rules(struct kv_rules *rules, struct kv_span words)
{
    kv_rules_init(rules, 0);
    for (;;) {
        struct kv_span name = kv_span_token(&words), value = kv_span_token(&words);
        if (value.length == 0)
            return KV_OK;
        int status = kv_rule_set(rules, kv_rule_find(name.at, name.length), value.at, value.length, NULL);
        if (status)
            return status;
    }
}

static void ignore(void *user, const struct kv_search_info *info)
{
    (void)user;
    (void)info;
}

static int search_row(struct kv_search *search, const struct row *row, int depth, uint64_t *nodes)
{
    struct kv_rules rules;
    struct kv_position position;
    struct kv_game game = {0};
    int status = set_rules(&rules, kv_span_of(row->rules));
    if (!status)
        status = kv_position_read(&rules, row->position, strlen(row->position), &position, NULL);
    if (!status)
        status = kv_game_init(&game, &rules);
    if (!status)
        status = kv_game_set(&game, &position);
    if (!status) {
        struct kv_limits limits = {.start_ns = kv_clock_ns(), .depth = depth};
        struct kv_search_settings settings = {.threads = 1, .multipv = 1, .skill = KV_SKILL_MAX};
        struct kv_search_result result;
        kv_search_clear(search);
        kv_search_arm(search, false);
        status = kv_search_run(search, &game, &limits, &settings, NULL, ignore, NULL, &result);
        *nodes = status ? 0 : result.nodes;
    }
    kv_game_finish(&game);
    return status;
}

int kv_engine_bench(int depth, void (*report)(void *user, const struct kv_bench_report *row), void *user,
                    struct kv_bench_total *total)
{
    enum { COUNT = sizeof rows / sizeof *rows };
    struct kv_search *search;
    struct kv_bench_total sum = {0};
    int64_t start = kv_clock_ns();
    int status = kv_search_create(&search, BENCH_HASH_MB);
    if (status)
        return status;
    for (int i = 0; i < COUNT && !status; i++) {
        struct kv_bench_report line = {i + 1, COUNT, rows[i].rules, rows[i].position, 0};
        status = search_row(search, &rows[i], depth, &line.nodes);
        sum.nodes += line.nodes;
        if (report && !status)
            report(user, &line);
    }
    kv_search_destroy(search);
    sum.time_ns = kv_clock_ns() - start;
    if (!status)
        *total = sum;
    return status;
}
