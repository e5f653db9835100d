/* kvern-tb: solves nine men's morris and looks at what was solved. */
#include <argp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/span.h"
#include "tb.h"

_Atomic bool tb_stop;

const char *argp_program_version = "kvern-tb " KV_VERSION;

static const char documentation[] =
    "Solve nine men's morris, and look at what was solved.\v"
    "Commands:\n"
    "  build             make the tables that are missing in DIR; may be stopped at any moment and\n"
    "                    started again\n"
    "  verify [A-B]      check every table of DIR, or one subspace, by an independent forward scan\n"
    "  pack OUT          write a small set of results (win, draw or loss) for search and sharing from the\n"
    "                    distances of DIR\n"
    "  stats [A-B]       wins, draws, losses, longest win and loss by subspace\n"
    "  probe FEN         the value of a position and of each of its moves\n"
    "  longest [A-B]     the longest win of each subspace, played out\n"
    "  sample N          N random positions with their values\n"
    "  opening FILE      write the results of the first plies, as they are built into the engine\n"
    "\n"
    "A subspace is written A-B, or A-B+C-D with stones in hand: those of the side to move first.\n"
    "\n"
    "Exit status: 0 done, 1 failed, 2 wrong usage, 3 verify found a difference or a damaged file, "
    "130 stopped by a signal.";

enum key {
    KEY_PHASE = 256,
    KEY_STONES,
    KEY_FLYING,
    KEY_PROTECTION,
    KEY_DOUBLE,
    KEY_ALL_HANDS,
    KEY_SHARE,
    KEY_AGAINST,
    KEY_DISTANCES
};

static const struct argp_option option_table[] = {
    {.doc = "All commands:", .group = 1},
    {"dir", 'd', "DIR", 0, "directory of the tables (default: tables)", 1},
    {"threads", 't', "N", 0, "threads (default: as many as processors)", 1},
    {"quiet", 'q', NULL, 0, "no progress on standard error", 1},
    {.doc = "build:", .group = 2},
    {"memory", 'm', "GIB", 0, "memory that may be used (default: three quarters of the machine's)", 2},
    {"max-stones", 'n', "N", 0, "moving phase: at most N stones on the board, 6..18 (default: all)", 2},
    {"phase", KEY_PHASE, "PHASE", 0, "moving, placing or all (default: all, or moving with --max-stones)", 2},
    {"stones", KEY_STONES, "N", 0, "stones a side, 3..9 (default: 9)", 2},
    {"flying", KEY_FLYING, "BOOL", 0, "house rule Flying: true or false", 2},
    {"mill-protection", KEY_PROTECTION, "RULE", 0, "house rule: unless-all, always or never", 2},
    {"double-mill", KEY_DOUBLE, "RULE", 0, "house rule: one or two", 2},
    {"all-hands", KEY_ALL_HANDS, NULL, 0, "placing phase: also what play cannot reach", 2},
    {"level", 'l', "N", 0, "also for pack: zstd compression level, 1..19 (default: 3; pack: 19)", 2},
    {.doc = "pack:", .group = 3},
    {"distances", KEY_DISTANCES, NULL, 0, "write all distances, compressed anew, instead of results", 3},
    {.doc = "verify:", .group = 4},
    {"share", KEY_SHARE, "F", 0, "scan only this fraction of the blocks forward (default: 1)", 4},
    {"against", KEY_AGAINST, "DIR", 0, "the distances that a set made by pack is compared with", 4},
    {.doc = "stats, longest, sample:", .group = 5},
    {"format", 'f', "FORMAT", 0, "text, csv or json (stats)", 5},
    {"histogram", 'H', NULL, 0, "also positions by distance (stats)", 5},
    {"seed", 's', "N", 0, "of the random numbers (sample; default: 1)", 5},
    {0},
};

static double number(struct argp_state *state, const char *name, const char *text, double low, double high)
{
    char *end;
    double value = strtod(text, &end);
    if (*text == '\0' || *end != '\0' || !(value >= low && value <= high))
        argp_error(state, "%s: '%s' is not a number from %g to %g", name, text, low, high);
    return value;
}

static void set_rule(struct argp_state *state, struct tb_options *options, const char *name, const char *text)
{
    struct kv_error error;
    if (kv_rule_set(&options->rules, kv_rule_find(name, strlen(name)), text, strlen(text), &error) != KV_OK)
        argp_error(state, "%s", error.text);
}

static int choice(struct argp_state *state, const char *name, const char *text, const char *const *words)
{
    for (int i = 0; words[i]; i++)
        if (strcmp(text, words[i]) == 0)
            return i;
    argp_error(state, "%s: unknown '%s'", name, text);
    return 0;
}

static error_t parse_other(int key, char *text, struct argp_state *state)
{
    struct tb_options *options = state->input;
    static const char *const phases[] = {"", "moving", "placing", "all", NULL};
    static const char *const formats[] = {"text", "csv", "json", NULL};
    switch (key) {
    case KEY_PHASE: options->limits.phases = choice(state, "--phase", text, phases); break;
    case KEY_STONES: options->rules.stones = (uint8_t)number(state, "--stones", text, 3, 9); break;
    case KEY_FLYING: set_rule(state, options, "Flying", text); break;
    case KEY_PROTECTION: set_rule(state, options, "MillProtection", text); break;
    case KEY_DOUBLE: set_rule(state, options, "DoubleMill", text); break;
    case KEY_ALL_HANDS: options->limits.all_hands = true; break;
    case KEY_SHARE: options->share = number(state, "--share", text, 0, 1); break;
    case KEY_DISTANCES: options->distances = true; break;
    case KEY_AGAINST: options->against = text; break;
    case 'f': options->format = (enum tb_format)choice(state, "--format", text, formats); break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct tb_options *options = state->input;
    switch (key) {
    case 'd': options->path = text; break;
    case 't': options->threads = (int)number(state, "--threads", text, 1, 64); break;
    case 'q': options->quiet = true; break;
    case 'm': options->memory_gib = number(state, "--memory", text, 0.01, 1e6); break;
    case 'n': options->limits.max_stones = (int)number(state, "--max-stones", text, 6, 18); break;
    case 'l': options->level = (int)number(state, "--level", text, 1, 19); break;
    case 'H': options->histogram = true; break;
    case 's': options->seed = (uint64_t)number(state, "--seed", text, 0, 9e15); break;
    case ARGP_KEY_ARG:
        if (options->command == NULL)
            options->command = text;
        else if (options->argument_count == 2)
            argp_error(state, "too many arguments");
        else
            options->arguments[options->argument_count++] = text;
        break;
    case ARGP_KEY_END:
        if (options->command == NULL)
            argp_error(state, "a command is missing");
        break;
    default: return parse_other(key, text, state);
    }
    return 0;
}

static void on_signal(int signal)
{
    (void)signal;
    atomic_store(&tb_stop, true);
}

static void set_defaults(struct tb_options *options)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    double memory = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGE_SIZE);
    kv_rules_init(&options->rules, 0);
    options->path = "tables";
    options->threads = processors < 1 ? 1 : processors > 64 ? 64 : (int)processors;
    options->memory_gib = memory * 0.75 / (1 << 30);
    options->share = 1;
    options->seed = 1;
}

/* What was not given follows from what was. */
static void complete(struct tb_options *options)
{
    struct kv_plan_limits *limits = &options->limits;
    if (limits->phases == 0)
        limits->phases = limits->max_stones ? KV_PLAN_MOVING : KV_PLAN_MOVING | KV_PLAN_PLACING;
    if (limits->max_stones == 0)
        limits->max_stones = 2 * options->rules.stones;
}

int main(int count, char **arguments)
{
    static const struct {
        const char *name;
        int least, most; /* arguments */
        enum tb_exit (*run)(const struct tb_options *options);
    } commands[] = {
        {"build", 0, 0, tb_build},   {"pack", 1, 1, tb_pack},       {"verify", 0, 1, tb_verify},
        {"stats", 0, 1, tb_stats},   {"probe", 1, 1, tb_probe},     {"longest", 0, 1, tb_longest},
        {"sample", 1, 1, tb_sample}, {"opening", 1, 1, tb_opening},
    };
    struct tb_options options = {0};
    struct argp argp = {option_table, parse, "COMMAND [ARGUMENT]", documentation, NULL, NULL, NULL};
    set_defaults(&options);
    argp_err_exit_status = TB_USAGE;
    argp_parse(&argp, count, arguments, 0, NULL, &options);
    complete(&options);
    struct sigaction action = {.sa_handler = on_signal};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (strcmp(options.command, commands[i].name) != 0)
            continue;
        if (options.argument_count < commands[i].least || options.argument_count > commands[i].most) {
            fprintf(stderr, "kvern-tb: %s: wrong number of arguments (try --help)\n", options.command);
            return TB_USAGE;
        }
        int status = (int)commands[i].run(&options);
        if (fflush(stdout) != 0 || ferror(stdout))
            return status ? status : TB_FAILED;
        return status;
    }
    fprintf(stderr, "kvern-tb: unknown command '%s' (try --help)\n", options.command);
    return TB_USAGE;
}
