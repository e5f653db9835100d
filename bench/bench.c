/* The speed of everything that has to be fast, as one table: `kvern-bench [--json] [--seconds S] [NAME]`. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/random.h"
#include "board/movegen.h"
#include "eval/eval.h"
#include "eval/net.h"
#include "harness.h"
#include "search/search.h"
#include "tablebase/tablebase.h"
#include "yardstick.h"

enum { SAMPLE = 4096 };

static struct kv_rules classic, general;
static struct kv_position sample[SAMPLE];

struct perft_context {
    const struct kv_rules *rules;
    const char *text; /* NULL = the start */
    int depth;
    bool counted;
};

static void position_of(const char *text, struct kv_position *position)
{
    struct kv_error error;
    kv_position_start(&classic, position);
    if (text && kv_position_read(&classic, text, strlen(text), position, &error)) {
        fprintf(stderr, "kvern-bench: %s\n", error.text);
        exit(1);
    }
}

static uint64_t perft_work(void *context, uint64_t *checksum)
{
    const struct perft_context *perft = context;
    struct kv_position position;
    position_of(perft->text, &position);
    uint64_t leaves = kv_perft(perft->rules, &position, perft->depth, perft->counted);
    *checksum += leaves;
    return leaves;
}

static uint64_t yardstick_work(void *context, uint64_t *checksum)
{
    const struct perft_context *perft = context;
    struct kv_position position;
    position_of(perft->text, &position);
    int side = position.side;
    struct yardstick start = {position.stones[side], position.stones[side ^ 1], position.hand[side],
                              position.hand[side ^ 1]};
    uint64_t leaves = yardstick_perft(&start, perft->depth);
    *checksum += leaves;
    return leaves;
}

static uint64_t evaluate_work(void *context, uint64_t *checksum)
{
    const struct kv_rules *rules = context;
    for (int i = 0; i < SAMPLE; i++)
        *checksum += (uint64_t)kv_evaluate(rules, &sample[i]);
    return SAMPLE;
}

static uint64_t network_work(void *context, uint64_t *checksum)
{
    (void)context;
    for (int i = 0; i < SAMPLE; i++)
        *checksum += (uint64_t)kv_net_score(&sample[i]);
    return SAMPLE;
}

static uint64_t make_work(void *context, uint64_t *checksum)
{
    (void)context;
    uint64_t made = 0;
    for (int i = 0; i < SAMPLE; i++) {
        kv_move moves[KV_MOVES_MAX];
        int count = kv_generate(&kv_classic_rules, &sample[i], moves);
        for (int j = 0; j < count; j++) {
            struct kv_position next = sample[i];
            kv_make(&kv_classic_rules, &next, moves[j]);
            *checksum += kv_position_plain_key(&next);
        }
        made += (uint64_t)count;
    }
    return made;
}

struct search_context {
    const struct kv_rules *rules;
    const char *text;
    int depth;
    bool no_symmetry;
    int threads;
    bool count_searches; /* the unit is a whole search, not a node */
};

static uint64_t search_work(void *context, uint64_t *checksum)
{
    const struct search_context *wanted = context;
    struct kv_search *search;
    struct kv_game game;
    struct kv_position position;
    if (kv_search_create(&search, 64) || kv_game_init(&game, wanted->rules)) {
        fprintf(stderr, "kvern-bench: out of memory\n");
        exit(1);
    }
    position_of(wanted->text, &position);
    kv_game_set(&game, &position);
    struct kv_limits limits = {.start_ns = kv_clock_ns(), .depth = wanted->depth};
    struct kv_search_settings settings = {
        .threads = wanted->threads, .multipv = 1, .skill = KV_SKILL_MAX, .no_symmetry = wanted->no_symmetry};
    struct kv_search_result result;
    kv_search_arm(search, false);
    if (kv_search_run(search, &game, &limits, &settings, NULL, NULL, NULL, &result))
        exit(1);
    kv_game_finish(&game);
    kv_search_destroy(search);
    *checksum += result.nodes;
    return wanted->count_searches ? 1 : result.nodes;
}

/* ---- Tables ----------------------------------------------------------------------------------- */

static const char *table_path; /* --tables */

struct probe_context {
    int positions; /* looked up in turn */
    size_t cache_mb;
    struct kv_tablebase *tables;
    struct kv_position *list;
};

/* Positions of the moving phase that the tables know, spread over all subspaces. */
static void prepare_probes(struct probe_context *probe)
{
    struct kv_random random = {7};
    struct kv_error error = {"out of memory"};
    probe->list = malloc((size_t)probe->positions * sizeof *probe->list);
    if (!probe->list || kv_tablebase_create(&probe->tables, &classic) ||
        kv_tablebase_open(probe->tables, table_path, probe->cache_mb, NULL, NULL, &error) < 0) {
        fprintf(stderr, "kvern-bench: --tables: %s\n", error.text);
        exit(1);
    }
    for (int tries = 0, found = 0; found < probe->positions; tries++) {
        struct kv_position *position = &probe->list[found];
        int stones[2] = {3 + (int)kv_random_below(&random, 7), 3 + (int)kv_random_below(&random, 7)};
        *position = (struct kv_position){0};
        for (int side = 0; side < 2; side++)
            while (kv_popcount(position->stones[side]) < stones[side])
                position->stones[side] |=
                    1u << kv_random_below(&random, 24) & ~(position->stones[0] | position->stones[1]);
        struct kv_value value;
        found += kv_tablebase_probe(probe->tables, position, &value) == KV_OK;
        if (tries > 1000 * probe->positions) {
            fprintf(stderr, "kvern-bench: --tables: no tables of the moving phase in %s\n", table_path);
            exit(1);
        }
    }
}

static uint64_t probe_work(void *context, uint64_t *checksum)
{
    struct probe_context *probe = context;
    if (!probe->tables)
        prepare_probes(probe);
    for (int i = 0; i < probe->positions; i++) {
        struct kv_value value = {0};
        if (kv_tablebase_probe(probe->tables, &probe->list[i], &value))
            exit(1);
        *checksum += (uint64_t)(value.outcome + 1) + (uint64_t)value.plies;
    }
    return (uint64_t)probe->positions;
}

static const char moving[] = "**O*@***/*O@*O*@O/@O**@**O w m s 6 0 5 0 0 0";
static const char flying[] = "O***@***/**@***O*/**@***O* w m s 3 0 3 0 0 0";

#define PERFT(...)                                                                                           \
    perft_work, &(struct perft_context)                                                                      \
    {                                                                                                        \
        __VA_ARGS__                                                                                          \
    }
#define YARDSTICK(...)                                                                                       \
    yardstick_work, &(struct perft_context)                                                                  \
    {                                                                                                        \
        __VA_ARGS__                                                                                          \
    }
#define SEARCH(...)                                                                                          \
    search_work, &(struct search_context)                                                                    \
    {                                                                                                        \
        __VA_ARGS__                                                                                          \
    }

/* Rows with `against` carry the claims: what the general code costs, what symmetry and a second thread
 * gain. Time to depth is the time of one unit, a whole search. */
static const struct bench_row table[] = {
    {"perft 7 counted, by hand", "leaves", YARDSTICK(&classic, NULL, 7, true), NULL},
    {"perft 7 counted", "leaves", PERFT(&classic, NULL, 7, true), "perft 7 counted, by hand"},
    {"perft 6 played", "leaves", PERFT(&classic, NULL, 6, false), NULL},
    {"moving perft 6 counted, by hand", "leaves", YARDSTICK(&classic, moving, 6, true), NULL},
    {"moving perft 6 counted", "leaves", PERFT(&classic, moving, 6, true), "moving perft 6 counted, by hand"},
    {"moving perft 6 played", "leaves", PERFT(&classic, moving, 6, false), NULL},
    {"flying perft 4 counted, by hand", "leaves", YARDSTICK(&classic, flying, 4, true), NULL},
    {"flying perft 4 counted", "leaves", PERFT(&classic, flying, 4, true), "flying perft 4 counted, by hand"},
    {"perft 6 counted, run-time rules", "leaves", PERFT(&general, NULL, 6, true), "perft 7 counted"},
    {"make and key", "moves", make_work, NULL, NULL},
    {"evaluate", "calls", evaluate_work, &classic, NULL},
    {"network", "calls", network_work, NULL, "evaluate"},
    {"search, start", "nodes", SEARCH(&classic, NULL, 15, false, 1, false), NULL},
    {"search, moving", "nodes", SEARCH(&classic, moving, 15, false, 1, false), NULL},
    {"search, run-time rules", "nodes", SEARCH(&general, moving, 15, false, 1, false), "search, moving"},
    {"depth 12, without symmetry", "searches", SEARCH(&classic, NULL, 12, true, 1, true), NULL},
    {"depth 12", "searches", SEARCH(&classic, NULL, 12, false, 1, true), "depth 12, without symmetry"},
    {"depth 16, without symmetry", "searches", SEARCH(&classic, NULL, 16, true, 1, true), NULL},
    {"depth 16", "searches", SEARCH(&classic, NULL, 16, false, 1, true), "depth 16, without symmetry"},
    {"depth 20", "searches", SEARCH(&classic, NULL, 20, false, 1, true), NULL},
    {"probe, in memory", "probes", probe_work, &(struct probe_context){1000, 256, NULL, NULL}, NULL},
    {"probe, cold", "probes", probe_work, &(struct probe_context){4000, 1, NULL, NULL}, "probe, in memory"},
    {"depth 20, two threads", "searches", SEARCH(&classic, NULL, 20, false, 2, true), "depth 20"},
};
enum { ROWS = sizeof table / sizeof *table };

/* Positions met in random play, all phases. */
static void fill_sample(void)
{
    struct kv_random random = {1};
    for (int i = 0; i < SAMPLE;) {
        struct kv_position position;
        kv_position_start(&classic, &position);
        for (int ply = 0; i < SAMPLE && ply < 80; ply++) {
            kv_move moves[KV_MOVES_MAX];
            int count = kv_moves(&classic, &position, moves);
            if (count == 0)
                break;
            sample[i++] = position;
            kv_position_play(&classic, &position, moves[kv_random_below(&random, (uint32_t)count)]);
        }
    }
}

struct arguments {
    bool json, list;
    double seconds;
    const char *name;
};

static error_t take_argument(int key, char *text, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    char *end;
    switch (key) {
    case 'j': arguments->json = true; return 0;
    case 'l': arguments->list = true; return 0;
    case 't': table_path = text; return 0;
    case 's':
        arguments->seconds = strtod(text, &end);
        if (*end || !(arguments->seconds > 0))
            argp_error(state, "--seconds takes a number above 0, not '%s'", text);
        return 0;
    case ARGP_KEY_ARG:
        if (arguments->name)
            return ARGP_ERR_UNKNOWN;
        arguments->name = text;
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option options[] = {
    {"json", 'j', NULL, 0, "One JSON object a line instead of a table", 0},
    {"list", 'l', NULL, 0, "Only name the measurements", 0},
    {"tables", 't', "DIR", 0, "Also measure probes of the tables there", 0},
    {"seconds", 's', "S", 0, "About so long for each (default 2)", 0},
    {0},
};

static const struct argp arguments_known = {
    options,
    take_argument,
    "[NAME]",
    "Measures Kvern's speed on this machine; with NAME only what begins so. Best and median are millions of "
    "units a second, then the time of one unit of work; the last column is the ratio to another row's best.",
    NULL,
    NULL,
    NULL};

int main(int argc, char **argv)
{
    struct arguments arguments = {.seconds = 2};
    if (argp_parse(&arguments_known, argc, argv, 0, NULL, &arguments))
        return 2;
    kv_rules_init(&classic, 0);
    kv_rules_init(&general, 0);
    general.flying = 0; /* the same tree from the positions used, but asked at run time */
    fill_sample();
    struct bench_result results[ROWS];
    int done = 0;
    for (int i = 0; i < ROWS; i++) {
        if (arguments.name && strncmp(table[i].name, arguments.name, strlen(arguments.name)) != 0)
            continue;
        if (arguments.list) {
            puts(table[i].name);
            continue;
        }
        if (table[i].work == probe_work && !table_path)
            continue;
        results[done] = bench_measure(&table[i], arguments.seconds);
        bench_print(&table[i], &results[done], results, done, arguments.json);
        done++;
    }
    if (done == 0 && !arguments.list) {
        fprintf(stderr, "kvern-bench: no measurement begins with '%s' (try --list)\n", arguments.name);
        return 1;
    }
    return 0;
}
