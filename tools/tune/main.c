/* kvern-tune: what the tables teach the engine, and how well it has learnt. */
#include <argp.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/span.h"
#include "tune/tune.h"

const char *argp_program_version = "kvern-tune " KV_VERSION;

static const char documentation[] =
    "Fit the evaluation to the exact tables of kvern-tb, and measure the engine against them.\v"
    "Commands:\n"
    "  data           positions with their exact values, to --out; a line each:\n"
    "                 SET OUTCOME PLIES POSITION with SET train, valid or test, OUTCOME 1, 0 or -1 for the\n"
    "                 side to move, PLIES to the end of the game (0 for a draw), and the first eight\n"
    "                 fields of the position text, white to move\n"
    "  net DATA       a new network for the classic game, to --out\n"
    "  fit DATA       new weights for the evaluation, as source, to --out\n"
    "  report DATA    how well the evaluation predicts results, by stones on the board\n"
    "  grade [FILE]   the share of the engine's moves that throw value away, in critical positions met in\n"
    "                 play or in those of FILE, a position text a line\n"
    "  soak           games of the engine against a perfect opponent\n"
    "\n"
    "The engine has the opening and the endgames built in, one thread and no table files.\n"
    "\n"
    "Exit status: 0 done, 1 failed, 2 wrong usage, 130 stopped by a signal (what was done is reported).";

enum key {
    KEY_POPULATION = 256,
    KEY_PLAY_NODES,
    KEY_STONES,
    KEY_SVG,
    KEY_WEIGHTS,
    KEY_PHASE,
    KEY_CACHE,
    KEY_HASH,
    KEY_PLIES,
    KEY_EPOCHS
};

static const struct argp_option option_table[] = {
    {.doc = "All commands:", .group = 1},
    {"tables", 'd', "DIR", 0, "tables of kvern-tb (data, grade, soak)", 1},
    {"out", 'o', "FILE", 0, "write here: the data, the weights, the positions graded", 1},
    {"seed", 's', "N", 0, "of the random numbers (default: 1)", 1},
    {"format", 'f', "FORMAT", 0, "text, csv or json (grade, report)", 1},
    {"stones", KEY_STONES, "N", 0, "stones a side, 3..9 (default: the most that a table holds)", 1},
    {"cache", KEY_CACHE, "MB", 0, "memory for parts of tables (default: 256)", 1},
    {"quiet", 'q', NULL, 0, "no progress on standard error", 1},
    {.doc = "Positions (data, grade):", .group = 2},
    {"count", 'n', "N", 0, "how many (default: 1000)", 2},
    {"population", KEY_POPULATION, "WHICH", 0,
     "played (met in games of quick searches, the default), uniform (each subspace as often) or near (met in "
     "noisy games or a few random plies beside them) (data)",
     2},
    {"play-nodes", KEY_PLAY_NODES, "N", 0,
     "nodes of a quick search; 0 = the best static score behind a move (default: 2000, for data 200)", 2},
    {"phase", KEY_PHASE, "PHASE", 0, "moving, placing or all (default: all)", 2},
    {"threads", 't', "N", 0, "threads; the data do not depend on their number (data; default: 1)", 2},
    {.doc = "The engine (grade, soak):", .group = 3},
    {"time", 'T', "MS", 0, "milliseconds a move", 3},
    {"nodes", 'N', "N", 0, "nodes a move: results that repeat exactly", 3},
    {"hash", KEY_HASH, "MB", 0, "hash table (default: 16)", 3},
    {"examples", 'e', "N", 0, "print the N worst moves (grade; default: 10)", 3},
    {"games", 'g', "N", 0, "how many, half with each colour (soak; default: 10)", 3},
    {"plies", KEY_PLIES, "N", 0, "a game as long as this is a draw (soak; default: 300)", 3},
    {.doc = "net:", .group = 4},
    {"epochs", KEY_EPOCHS, "N", 0, "times that each position is shown (default: 8)", 4},
    {.doc = "report:", .group = 5},
    {"weights", KEY_WEIGHTS, "FILE", 0, "compare the weights built in with those of a file made by fit", 5},
    {"svg", KEY_SVG, "FILE", 0, "draw expected against real results", 5},
    {0},
};

/* ---- Arguments ---------------------------------------------------------------------------------- */

static int64_t number(struct argp_state *state, const char *name, const char *text, int64_t low, int64_t high)
{
    int64_t value = 0;
    if (kv_span_int(kv_span_of(text), low, high, &value))
        argp_error(state, "%s: '%s' is not a number from %lld to %lld", name, text, (long long)low,
                   (long long)high);
    return value;
}

static int choice(struct argp_state *state, const char *name, const char *text, const char *const *words)
{
    char known[64] = "";
    for (int i = 0; words[i]; i++) {
        if (strcmp(text, words[i]) == 0)
            return i;
        snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s", i ? ", " : "", words[i]);
    }
    argp_error(state, "%s: '%s' is none of %s", name, text, known);
    return 0;
}

static error_t parse_number(int key, const char *text, struct argp_state *state)
{
    struct tune_options *options = state->input;
    switch (key) {
    case 's': options->seed = number(state, "--seed", text, 0, INT64_MAX); break;
    case 'n': options->count = number(state, "--count", text, 1, 1000000000); break;
    case 't': options->threads = number(state, "--threads", text, 1, 64); break;
    case 'T': options->time_ms = number(state, "--time", text, 1, 3600000); break;
    case 'N': options->nodes = number(state, "--nodes", text, 1, INT64_MAX); break;
    case 'e': options->examples = number(state, "--examples", text, 0, 1000000); break;
    case 'g': options->games = number(state, "--games", text, 1, 1000000); break;
    case KEY_PLIES: options->plies = number(state, "--plies", text, 1, 60000); break;
    case KEY_PLAY_NODES: options->play_nodes = number(state, "--play-nodes", text, 0, 1000000000); break;
    case KEY_EPOCHS: options->epochs = number(state, "--epochs", text, 1, 1000); break;
    case KEY_STONES: options->stones = number(state, "--stones", text, 3, 9); break;
    case KEY_CACHE: options->cache_mb = number(state, "--cache", text, 1, 65536); break;
    case KEY_HASH: options->hash_mb = number(state, "--hash", text, 1, 65536); break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    static const char *const formats[] = {"text", "csv", "json", NULL};
    static const char *const phases[] = {"all", "moving", "placing", NULL};
    static const char *const populations[] = {"played", "uniform", "near", NULL};
    struct tune_options *options = state->input;
    switch (key) {
    case 'd': options->tables = text; break;
    case 'o': options->out = text; break;
    case 'q': options->quiet = true; break;
    case 'f': options->format = (enum tune_format)choice(state, "--format", text, formats); break;
    case KEY_WEIGHTS: options->weights = text; break;
    case KEY_SVG: options->svg = text; break;
    case KEY_PHASE: options->phases = (enum tune_phases)choice(state, "--phase", text, phases); break;
    case KEY_POPULATION:
        options->population = (enum tune_population)choice(state, "--population", text, populations);
        break;
    case ARGP_KEY_ARG:
        if (options->command == NULL)
            options->command = text;
        else if (options->argument == NULL)
            options->argument = text;
        else
            argp_error(state, "'%s' is one argument too many", text);
        break;
    case ARGP_KEY_END:
        if (options->command == NULL)
            argp_error(state, "a command is missing");
        break;
    default: return parse_number(key, text, state);
    }
    return 0;
}

/* ---- Running ---------------------------------------------------------------------------------------- */

static void on_signal(int signal)
{
    (void)signal;
    if (atomic_exchange(&tune_stop, true))
        _exit(TUNE_STOPPED); /* asked twice */
}

int main(int count, char **arguments)
{
    static const struct {
        const char *name;
        int least, most; /* arguments */
        enum tune_exit (*run)(const struct tune_options *options);
    } commands[] = {
        {"data", 0, 0, tune_data},     {"net", 1, 1, tune_net},     {"fit", 1, 1, tune_fit},
        {"report", 1, 1, tune_report}, {"grade", 0, 1, tune_grade}, {"soak", 0, 0, tune_soak},
    };
    struct tune_options options = {
        .count = 1000,
        .seed = 1,
        .games = 10,
        .examples = 10,
        .play_nodes = -1,
        .cache_mb = 256,
        .hash_mb = 16,
        .threads = 1,
        .plies = 300,
        .epochs = 8,
    };
    const struct argp argp = {option_table, parse, "COMMAND [FILE]", documentation, NULL, NULL, NULL};
    argp_err_exit_status = TUNE_USAGE;
    argp_parse(&argp, count, arguments, 0, NULL, &options);
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (strcmp(options.command, commands[i].name) != 0)
            continue;
        int given = options.argument != NULL;
        if (given < commands[i].least)
            return tune_complain(TUNE_USAGE, "%s: a file of data is missing (try --help)", options.command);
        if (given > commands[i].most)
            return tune_complain(TUNE_USAGE, "%s: '%s' is one argument too many", options.command,
                                 options.argument);
        int status = (int)commands[i].run(&options);
        if (fflush(stdout) != 0 || ferror(stdout))
            return status ? status : (int)tune_complain(TUNE_FAILED, "standard output: %s", strerror(errno));
        return status;
    }
    return tune_complain(TUNE_USAGE, "unknown command '%s': expected data, net, fit, report, grade or soak",
                         options.command);
}
