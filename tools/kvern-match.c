/* The program kvern-match: arguments and help around matches. */
#include <argp.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kvern-match-run.h"

enum {
    OPT_RULE = 256,
    OPT_VARIANT,
    OPT_MODE,
    OPT_RANDOM,
    OPT_SEED,
    OPT_MARGIN,
    OPT_START,
    OPT_THINK,
    OPT_PLIES,
    OPT_TABLE,
    OPT_TABLES,
    OPT_DRAW,
    OPT_RESIGN,
    OPT_SPRT,
    OPT_TRINOMIAL,
    OPT_EVENT,
    OPT_STATE,
    OPT_TEXT,
    OPT_JSONL,
    OPT_REPORT,
    OPT_JSON,
    OPT_PART,
};

static const struct argp_option play_options[] = {
    {NULL, 0, NULL, 0, "Players:", 1},
    {"engine", 'e', "'KEY=VALUE ...'", 0,
     "a player: cmd=PROGRAM, arg=WORD, name=NAME, dir=DIRECTORY, option.NAME=VALUE, dialect=LIST and its "
     "time: "
     "tc=[MOVES/]SECONDS[+SECONDS], movetime=SECONDS, nodes=N, depth=N, odds=FACTOR",
     0},
    {"each", 'E', "'KEY=VALUE ...'", 0, "what holds for every player that does not say otherwise", 0},
    {NULL, 0, NULL, 0, "Match:", 2},
    {"games", 'n', "N", 0, "games of every pairing, in pairs with colours swapped (2)", 0},
    {"mode", OPT_MODE, "MODE", 0, "round-robin, or gauntlet: the first against all others", 0},
    {"concurrency", 'c', "N", 0, "games at the same time (1)", 0},
    {"openings", 'o', "FILE", 0, "positions or moves, a line each; a pair of games for each", 0},
    {"random-plies", OPT_RANDOM, "N", 0, "begin with so many random moves", 0},
    {"seed", OPT_SEED, "N", 0, "of the random openings (1)", 0},
    {"part", OPT_PART, "K/N", 0, "play only every Nth round, beginning with the Kth", 0},
    {NULL, 0, NULL, 0, "Referee:", 3},
    {"rule", OPT_RULE, "NAME=VALUE", 0, "a house rule, such as Flying=false", 0},
    {"variant", OPT_VARIANT, "NAME", 0, "the game; give it before the rules", 0},
    {"margin", OPT_MARGIN, "MS", 0, "how late an answer may come (50)", 0},
    {"start-time", OPT_START, "SECONDS", 0, "for a program to start or be ready (10)", 0},
    {"think-time", OPT_THINK, "SECONDS", 0, "for a move that no clock limits (60)", 0},
    {"max-plies", OPT_PLIES, "N", 0, "a longer game is a draw (400)", 0},
    {"draw", OPT_DRAW, "FROM,COUNT,SCORE", 0,
     "a draw when after move FROM both see at most SCORE hundredths for COUNT moves", 0},
    {"resign", OPT_RESIGN, "COUNT,SCORE", 0, "a win when both see SCORE hundredths for COUNT moves", 0},
    {"table", OPT_TABLE, NULL, 0, "the exact value ends the game as soon as it is known", 0},
    {"tables", OPT_TABLES, "DIRECTORY", 0, "table files, besides the endgames known without", 0},
    {NULL, 0, NULL, 0, "Statistics:", 4},
    {"sprt", OPT_SPRT, "'KEY=VALUE ...'", 0,
     "stop when it is decided: elo0=, elo1=, alpha=, beta=, model=normalized|logistic, "
     "stats=pentanomial|trinomial",
     0},
    {"trinomial", OPT_TRINOMIAL, NULL, 0, "estimates from single games instead of pairs", 0},
    {NULL, 0, NULL, 0, "Output:", 5},
    {"state", OPT_STATE, "FILE", 0, "every finished game; an unfinished match goes on from it", 0},
    {"pgn", OPT_TEXT, "FILE", 0, "records as text with tags", 0},
    {"jsonl", OPT_JSONL, "FILE", 0, "records as lines of JSON", 0},
    {"event", OPT_EVENT, "NAME", 0, "for the records", 0},
    {"report", OPT_REPORT, "N", 0, "a report every N games; 0 = only at the end (20)", 0},
    {"json", OPT_JSON, NULL, 0, "games and reports as lines of JSON", 0},
    {"quiet", 'q', NULL, 0, "reports only", 0},
    {0},
};

static const char play_doc[] =
    "Plays matches between programs that speak UCI or UGI for nine men's morris.\n"
    "`kvern-match merge FILE...` adds up state files; see `kvern-match merge --help`."
    "\v"
    "dialect is a list of uci, ugi, split (captures by a second go), one-line (bestmove behind info), words "
    "(bestmove draw and none), sanmill (the last three).\n\n"
    "Exit code: 0 all games are played or H1 was accepted; 1 failure; 2 usage; 3 H0 was accepted; 4 the "
    "games "
    "ran out before the test was decided; 128+N signal N stopped it.\n\n"
    "Example:\n"
    "  kvern-match -e 'cmd=kvern name=a option.Hash=16' -e 'cmd=kvern name=b option.Hash=1' -E movetime=0.05 "
    "-n 200 -c 2 --random-plies 4 --state ab.jsonl --pgn ab.pgn";

static long whole(struct argp_state *state, const char *name, const char *text, long low, long high)
{
    int64_t value;
    if (kv_span_int(kv_span_of(text), low, high, &value) != KV_OK)
        argp_error(state, "--%s: '%s' is no whole number from %ld to %ld", name, text, low, high);
    return (long)value;
}

static int64_t seconds(struct argp_state *state, const char *name, const char *text)
{
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end || !(value > 0 && value < 1e6))
        argp_error(state, "--%s: '%s' is no number of seconds", name, text);
    return (int64_t)(value * 1e9);
}

/* Numbers separated by commas, exactly so many. */
static void numbers(struct argp_state *state, const char *name, const char *text, int count, int *values)
{
    for (int i = 0; i < count; i++) {
        size_t length = strcspn(text, ",");
        int64_t value;
        if (kv_span_int((struct kv_span){text, length}, 0, 1000000, &value) != KV_OK ||
            (text[length] == ',') != (i + 1 < count))
            argp_error(state, "--%s: expected %d numbers with commas between them", name, count);
        values[i] = (int)value;
        text += length + (text[length] == ',');
    }
}

static void set_rule(struct argp_state *state, struct match_config *config, const char *text)
{
    struct kv_error error;
    size_t length = strcspn(text, "=");
    const struct kv_rule *rule = kv_rule_find(text, length);
    if (!rule || text[length] != '=')
        argp_error(state, "--rule: '%s': expected NAME=VALUE with a rule that exists", text);
    else if (kv_rule_set(&config->rules, rule, text + length + 1, strlen(text + length + 1), &error))
        argp_error(state, "--rule: %s", error.text);
}

static void set_part(struct argp_state *state, struct match_config *config, const char *text)
{
    int part = 0, parts = 0;
    char more;
    if (sscanf(text, "%d/%d%c", &part, &parts, &more) != 2 || parts < 1 || part < 1 || part > parts)
        argp_error(state, "--part: '%s': expected K/N with K from 1 to N", text);
    config->part = part - 1;
    config->parts = parts;
}

static error_t referee_option(int key, char *text, struct argp_state *state, struct match_config *config)
{
    struct kv_error error;
    int values[3] = {0}, variant;
    switch (key) {
    case OPT_RULE: set_rule(state, config, text); return 0;
    case OPT_VARIANT:
        variant = kv_variant_find(text, strlen(text), &error);
        if (variant < 0)
            argp_error(state, "--variant: %s", error.text);
        else
            kv_rules_init(&config->rules, variant);
        return 0;
    case OPT_MARGIN:
        config->margin_ns = 1000000 * (int64_t)whole(state, "margin", text, 0, 3600000);
        return 0;
    case OPT_START: config->start_ns = seconds(state, "start-time", text); return 0;
    case OPT_THINK: config->think_ns = seconds(state, "think-time", text); return 0;
    case OPT_PLIES: config->max_plies = (int)whole(state, "max-plies", text, 1, 60000); return 0;
    case OPT_TABLE: config->use_table = true; return 0;
    case OPT_TABLES: config->tables = text; return 0;
    case OPT_DRAW:
        numbers(state, "draw", text, 3, values);
        config->draw_from = values[0];
        config->draw_moves = values[1];
        config->draw_score = values[2];
        return 0;
    case OPT_RESIGN:
        numbers(state, "resign", text, 2, values);
        config->resign_moves = values[0];
        config->resign_score = values[1];
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static error_t output_option(int key, char *text, struct argp_state *state, struct match_config *config)
{
    struct kv_error error;
    switch (key) {
    case OPT_SPRT:
        if (match_sprt_read(text, &config->sprt, &error))
            argp_error(state, "--sprt: %s", error.text);
        return 0;
    case OPT_TRINOMIAL: config->trinomial = true; return 0;
    case OPT_STATE: config->state = text; return 0;
    case OPT_TEXT: config->text = text; return 0;
    case OPT_JSONL: config->jsonl = text; return 0;
    case OPT_EVENT: config->event = text; return 0;
    case OPT_REPORT: config->report_every = (int)whole(state, "report", text, 0, INT_MAX); return 0;
    case OPT_JSON: config->json = true; return 0;
    case 'q': config->quiet = true; return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static error_t match_option(int key, char *text, struct argp_state *state, struct match_config *config)
{
    switch (key) {
    case 'e':
        if (config->player_count == MATCH_ENGINES_MAX)
            argp_error(state, "more than %d players", MATCH_ENGINES_MAX);
        config->descriptions[config->player_count++] = text;
        return 0;
    case 'n': config->rounds = (int)(whole(state, "games", text, 1, 1000000) + 1) / 2; return 0;
    case 'c': config->concurrency = (int)whole(state, "concurrency", text, 1, 1000); return 0;
    case 'o': config->openings = text; return 0;
    case OPT_RANDOM: config->random_plies = (int)whole(state, "random-plies", text, 0, 100); return 0;
    case OPT_SEED: config->seed = (uint64_t)whole(state, "seed", text, 0, LONG_MAX); return 0;
    case OPT_PART: set_part(state, config, text); return 0;
    case OPT_MODE:
        if (strcmp(text, "gauntlet") != 0 && strcmp(text, "round-robin") != 0)
            argp_error(state, "--mode: '%s' is neither round-robin nor gauntlet", text);
        config->mode = strcmp(text, "gauntlet") == 0 ? MATCH_GAUNTLET : MATCH_ROUND_ROBIN;
        return 0;
    default: return referee_option(key, text, state, config);
    }
}

static error_t play_option(int key, char *text, struct argp_state *state)
{
    struct match_config *config = state->input;
    struct kv_error error;
    error_t known = match_option(key, text, state, config);
    if (known == ARGP_ERR_UNKNOWN)
        known = output_option(key, text, state, config);
    if (known != ARGP_ERR_UNKNOWN)
        return known;
    switch (key) {
    case 'E':
        if (config->each)
            argp_error(state, "--each is given twice");
        config->each = text;
        return 0;
    case ARGP_KEY_ARG: argp_error(state, "'%s' is no option", text); return 0;
    case ARGP_KEY_END:
        if (match_config_check(config, &error))
            argp_error(state, "%s", error.text);
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* ---- merge ------------------------------------------------------------------------------------- */

static const struct argp_option merge_options[] = {
    {"output", 'o', "FILE", 0, "write a state file of all games", 0},
    {"sprt", OPT_SPRT, "'KEY=VALUE ...'", 0, "as for a match", 0},
    {"trinomial", OPT_TRINOMIAL, NULL, 0, "estimates from single games instead of pairs", 0},
    {"json", OPT_JSON, NULL, 0, "the report as a line of JSON", 0},
    {0},
};

struct merge_arguments {
    struct match_config config;
    const char *output;
    char **files;
    int count;
};

static error_t merge_option(int key, char *text, struct argp_state *state)
{
    struct merge_arguments *arguments = state->input;
    switch (key) {
    case 'o': arguments->output = text; return 0;
    case ARGP_KEY_ARGS:
        arguments->files = state->argv + state->next;
        arguments->count = state->argc - state->next;
        return 0;
    case ARGP_KEY_NO_ARGS: argp_error(state, "merge needs state files"); return 0;
    default: return output_option(key, text, state, &arguments->config);
    }
}

static int merge(int argc, char **argv)
{
    static const struct argp argp = {
        merge_options,
        merge_option,
        "FILE...",
        "Adds up the state files of one match that was played in parts (--part) or with different seeds, and "
        "reports.\vExit code: as of a match.",
        NULL,
        NULL,
        NULL};
    struct merge_arguments arguments = {0};
    static char name[] = "kvern-match merge";
    match_config_init(&arguments.config);
    argv[1] = name;
    argp_parse(&argp, argc - 1, argv + 1, 0, NULL, &arguments);
    return match_merge(arguments.files, arguments.count, &arguments.config.sprt, arguments.config.trinomial,
                       arguments.config.json, arguments.output);
}

static void print_version(FILE *stream, struct argp_state *state)
{
    (void)state;
    fprintf(stream, "kvern-match %s\n", kv_version());
}

int main(int argc, char **argv)
{
    static const struct argp argp = {play_options, play_option, NULL, play_doc, NULL, NULL, NULL};
    static struct match_config config;
    argp_err_exit_status = MATCH_EXIT_USAGE;
    argp_program_version_hook = print_version;
    if (argc > 1 && strcmp(argv[1], "merge") == 0)
        return merge(argc, argv);
    match_config_init(&config);
    argp_parse(&argp, argc, argv, 0, NULL, &config);
    int code = match_run(&config);
    match_config_finish(&config);
    return code;
}
