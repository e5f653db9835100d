/* kvern-puzzle make: the command. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/span.h"
#include "puzzle/canonical.h"
#include "puzzle/entry.h"
#include "puzzle/explain.h"
#include "puzzle/workshop.h"

struct make {
    struct puzzle_cli cli;
    struct puzzle_wish wish;
    int64_t count, seed, attempts;
};

struct basket {
    struct puzzle_made *puzzles;
    size_t count;
};

static const char *const kinds[] = {"win", "draw", "placing"};

enum { KEY_COUNT = 512, KEY_KIND, KEY_LENGTH, KEY_SEED, KEY_ATTEMPTS };

static int64_t whole(const char *text, int64_t low, struct argp_state *state, const char *name)
{
    int64_t value = 0;
    if (kv_span_int(kv_span_of(text), low, INT64_MAX, &value))
        argp_error(state, "--%s %s: expected a number from %lld", name, text, (long long)low);
    return value;
}

static void read_length(struct make *make, const char *text, struct argp_state *state)
{
    const char *dash = strchr(text, '-');
    struct kv_span low = {text, dash ? (size_t)(dash - text) : strlen(text)};
    int64_t a = 0, b = 0;
    if (kv_span_int(low, 1, 200, &a) || kv_span_int(dash ? kv_span_of(dash + 1) : low, a, 200, &b))
        argp_error(state, "--length %s: expected plies, as in 5 or 3-9", text);
    make->wish.shortest = (int)a;
    make->wish.longest = (int)b;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct make *make = state->input;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &make->cli; return 0;
    case KEY_COUNT: make->count = whole(text, 1, state, "count"); return 0;
    case KEY_SEED: make->seed = whole(text, 0, state, "seed"); return 0;
    case KEY_ATTEMPTS: make->attempts = whole(text, 1, state, "attempts"); return 0;
    case KEY_LENGTH: read_length(make, text, state); return 0;
    case KEY_KIND:
        for (int kind = 0; kind < 3; kind++)
            if (strcmp(text, kinds[kind]) == 0) {
                make->wish.kind = (enum puzzle_kind)kind;
                return 0;
            }
        argp_error(state, "--kind %s: expected win, draw or placing", text);
        return 0;
    case ARGP_KEY_ARG: argp_error(state, "'%s' is one argument too many", text); return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

/* ---- Telling ------------------------------------------------------------------------------------ */

static void describe(const struct make *make, const struct puzzle_made *made, struct kv_buffer *out)
{
    const char *side = puzzle_side_name(made->position.side);
    const char *source = puzzle_source_text(made->verdict.source);
    if (made->verdict.low == 1)
        kv_buffer_format(out, "%s to move wins in %d plies (%s); %s", side, made->length, source,
                         made->unique == PUZZLE_UNIQUE
                             ? "one move wins"
                             : "no other is known to win, none within two plies more");
    else
        kv_buffer_format(out, "%s to move draws (%s); every other move loses, within %d plies", side, source,
                         made->length);
    kv_buffer_format(out, "; grade %d of 5: %d other move%s as good at first sight, ", made->grade,
                     made->tempting, made->tempting == 1 ? " looks" : "s look");
    if (made->found_depth)
        kv_buffer_format(out, "the engine finds it at depth %d", made->found_depth);
    else
        kv_buffer_text(out, "the engine does not find it quickly");
    (void)make;
}

static int by_grade(const void *a, const void *b)
{
    const struct puzzle_made *one = a, *other = b;
    if (one->grade != other->grade)
        return one->grade - other->grade;
    if (one->length != other->length)
        return one->length - other->length;
    return memcmp(&one->image, &other->image, sizeof one->image);
}

static int write_all(const struct make *make, const struct basket *basket)
{
    struct kv_buffer out = {0}, text = {0};
    qsort(basket->puzzles, basket->count, sizeof *basket->puzzles, by_grade);
    for (size_t i = 0; i < basket->count; i++) {
        const struct puzzle_made *made = &basket->puzzles[i];
        struct puzzle_entry entry = {.position = made->position,
                                     .expected = {made->solution},
                                     .expected_count = 1,
                                     .has_value = true,
                                     .value = made->verdict.low,
                                     .plies = made->verdict.low ? made->verdict.plies : -1};
        kv_buffer_clear(&text);
        describe(make, made, &text);
        snprintf(entry.id, sizeof entry.id, "%s-%lld-%03zu", kinds[make->wish.kind], (long long)make->seed,
                 i + 1);
        snprintf(entry.comment, sizeof entry.comment, "%s", text.data ? text.data : "");
        puzzle_entry_write(&make->cli.rules, &entry, make->cli.json, &out);
    }
    out.failed = out.failed || text.failed;
    int code = puzzle_write_output(&make->cli, &out);
    kv_buffer_finish(&out);
    kv_buffer_finish(&text);
    return code;
}

/* ---- Making ------------------------------------------------------------------------------------- */

static bool is_known(const struct basket *basket, const struct puzzle_made *made)
{
    for (size_t i = 0; i < basket->count; i++)
        if (puzzle_same(&basket->puzzles[i].image, &made->image))
            return true;
    return false;
}

static int fill_basket(struct make *make, struct kv_search *search, struct basket *basket)
{
    struct kv_random random = {(uint64_t)make->seed};
    for (int64_t attempt = 0;
         attempt < make->attempts && basket->count < (size_t)make->count && !atomic_load(&puzzle_stopped);
         attempt++) {
        if (attempt % 64 == 0)
            puzzle_progress(&make->cli, "%zu of %lld puzzles, %lld positions looked at", basket->count,
                            (long long)make->count, (long long)attempt);
        struct kv_position position;
        struct puzzle_made made;
        bool from_tables = make->cli.tablebase && attempt % 2 == 0;
        puzzle_candidate(&make->cli.rules, make->wish.kind, from_tables, &random, &position);
        int status = puzzle_try(&make->cli, &make->wish, &position, &made);
        if (status == KV_E_NOT_FOUND || (status == KV_OK && is_known(basket, &made)))
            continue;
        if (status == KV_OK)
            status = puzzle_grade(&make->cli.rules, search, &made);
        if (status)
            return puzzle_complain(PUZZLE_EXIT_SYSTEM, "out of memory");
        basket->puzzles[basket->count++] = made;
    }
    puzzle_progress_end(&make->cli);
    return PUZZLE_EXIT_OK;
}

static int run(struct make *make)
{
    struct basket basket = {0};
    struct kv_search *search = NULL;
    basket.puzzles = calloc((size_t)make->count, sizeof *basket.puzzles);
    int code = puzzle_cli_open(&make->cli);
    if (code == PUZZLE_EXIT_OK && (basket.puzzles == NULL || kv_search_create(&search, 16)))
        code = puzzle_complain(PUZZLE_EXIT_SYSTEM, "out of memory");
    if (code == PUZZLE_EXIT_OK)
        code = fill_basket(make, search, &basket);
    if (code == PUZZLE_EXIT_OK)
        code = write_all(make, &basket);
    if (code == PUZZLE_EXIT_OK && atomic_load(&puzzle_stopped))
        code = puzzle_complain(PUZZLE_EXIT_STOPPED, "interrupted after %zu puzzles", basket.count);
    else if (code == PUZZLE_EXIT_OK && basket.count < (size_t)make->count)
        code = puzzle_complain(PUZZLE_EXIT_WRONG, "only %zu of %lld puzzles were found in %lld attempts",
                               basket.count, (long long)make->count, (long long)make->attempts);
    kv_search_destroy(search);
    puzzle_cli_finish(&make->cli);
    free(basket.puzzles);
    return code;
}

int puzzle_make(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"count", KEY_COUNT, "N", 0, "How many (10)", 0},
        {"kind", KEY_KIND, "KIND", 0,
         "win, draw (the only move that does not lose) or placing (a win with "
         "stones still in hand); win is the default",
         0},
        {"length", KEY_LENGTH, "A-B", 0,
         "Plies to the end of the game; of a draw, until the slowest wrong "
         "move has lost (3-25)",
         0},
        {"seed", KEY_SEED, "S", 0, "The same seed and options make the same puzzles (1)", 0},
        {"attempts", KEY_ATTEMPTS, "N", 0, "Positions looked at before giving up (10000 a puzzle)", 0},
        {0}};
    static const struct argp_child children[] = {{&puzzle_judge_argp, 0, NULL, 0}, {0}};
    static const struct argp argp = {
        .options = options,
        .parser = parse,
        .children = children,
        .doc = "New puzzles, easy ones first, in the form that 'kvern-puzzle solve' reads: one best first "
               "move, not solved by captures alone, no two alike under the board's symmetries."
               "\vExit codes: 0 made, 1 fewer than asked for, 2 bad arguments, 4 memory or files, 130 "
               "interrupted (what was made is written)."};
    struct make make = {.count = 10, .seed = 1, .wish = {PUZZLE_KIND_WIN, 3, 25}};
    puzzle_cli_init(&make.cli);
    make.cli.limits.nodes = 200000;
    argp_parse(&argp, argc, argv, 0, NULL, &make);
    if (make.attempts == 0)
        make.attempts = make.count * 10000;
    if (make.count > 1000000)
        return puzzle_complain(PUZZLE_EXIT_USAGE, "--count: a million at most");
    return run(&make);
}
