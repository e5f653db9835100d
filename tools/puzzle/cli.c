#include "puzzle/cli.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/span.h"

enum { TABLE_CACHE_MB = 256 };

atomic_bool puzzle_stopped;

/* ---- Options ------------------------------------------------------------------------------------ */

enum {
    KEY_VARIANT = 256,
    KEY_STONES,
    KEY_JSON,
    KEY_NODES,
    KEY_PLIES,
    KEY_TIME,
    KEY_HASH,
    KEY_NO_TABLES,
    KEY_TABLES
};

static int64_t number(const char *text, int64_t low, int64_t high, struct argp_state *state, const char *name)
{
    int64_t value = 0;
    if (kv_span_int(kv_span_of(text), low, high, &value))
        argp_error(state, "--%s %s: expected a number from %lld to %lld", name, text, (long long)low,
                   (long long)high);
    return value;
}

static void set_rule(struct puzzle_cli *cli, const char *text, struct argp_state *state)
{
    struct kv_error error;
    const char *equals = strchr(text, '=');
    if (equals == NULL)
        argp_error(state, "--rule %s: expected NAME=VALUE", text);
    const struct kv_rule *rule = kv_rule_find(text, (size_t)(equals - text));
    if (rule == NULL)
        argp_error(state, "--rule %s: there is no such rule", text);
    if (kv_rule_set(&cli->rules, rule, equals + 1, strlen(equals + 1), &error))
        argp_error(state, "--rule %s: %s", text, error.text);
}

static error_t parse_common(int key, char *text, struct argp_state *state)
{
    struct puzzle_cli *cli = state->input;
    struct kv_error error;
    int variant;
    switch (key) {
    case KEY_VARIANT:
        variant = kv_variant_find(text, strlen(text), &error);
        if (variant < 0)
            argp_error(state, "--variant %s: %s", text, error.text);
        kv_rules_init(&cli->rules, variant);
        return 0;
    case 'r': set_rule(cli, text, state); return 0;
    case KEY_STONES:
        cli->rules.stones = (uint8_t)number(text, 3, cli->rules.stones, state, "stones");
        return 0;
    case 'o': cli->output = text; return 0;
    case KEY_JSON: cli->json = true; return 0;
    case 'q': cli->quiet = true; return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

static error_t parse_judge(int key, char *text, struct argp_state *state)
{
    struct puzzle_cli *cli = state->input;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = cli; return 0;
    case KEY_NODES: cli->limits.nodes = (uint64_t)number(text, 0, INT64_MAX, state, "nodes"); return 0;
    case KEY_PLIES: cli->limits.plies = (int)number(text, 0, 200, state, "plies"); return 0;
    case KEY_TIME: cli->limits.time_ms = number(text, 0, INT32_MAX, state, "time"); return 0;
    case KEY_HASH: cli->hash_mb = (size_t)number(text, 1, 65536, state, "hash"); return 0;
    case KEY_NO_TABLES: cli->no_tables = true; return 0;
    case KEY_TABLES: cli->table_path = text; return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

static const struct argp_option common_options[] = {
    {.doc = "Rules and output:", .group = 5},
    {"variant", KEY_VARIANT, "NAME", 0, "The game; give it before --rule (nine)", 5},
    {"rule", 'r', "NAME=VALUE", 0, "A house rule, as the engine's options name them: --rule Flying=false", 5},
    {"stones", KEY_STONES, "N", 0, "Stones a side, when fewer than usual", 5},
    {"output", 'o', "FILE", 0, "Write here instead of to standard output", 5},
    {"json", KEY_JSON, NULL, 0, "JSON, one object a line", 5},
    {"quiet", 'q', NULL, 0, "No progress on the terminal", 5},
    {0}};
static const struct argp_option judge_options[] = {
    {.doc = "Limits of the proofs, for each position:", .group = 4},
    {"nodes", KEY_NODES, "N", 0, "Positions looked at; results repeat exactly (0 = no limit)", 4},
    {"plies", KEY_PLIES, "N", 0, "Length of the longest win looked for (0 = no limit)", 4},
    {"time", KEY_TIME, "MS", 0, "Milliseconds (0 = no limit, the default)", 4},
    {"hash", KEY_HASH, "MB", 0, "Memory for what was proven (32)", 4},
    {"tables", KEY_TABLES, "DIRECTORY", 0, "Table files of kvern-tb, besides the endgames built in", 4},
    {"no-tables", KEY_NO_TABLES, NULL, 0, "Use no endgame tables: proof only", 4},
    {0}};

const struct argp puzzle_common_argp = {.options = common_options, .parser = parse_common};
static const struct argp_child common_child[] = {{&puzzle_common_argp, 0, NULL, 0}, {0}};
const struct argp puzzle_judge_argp = {
    .options = judge_options, .parser = parse_judge, .children = common_child};

void puzzle_cli_init(struct puzzle_cli *cli)
{
    *cli = (struct puzzle_cli){.hash_mb = 32, .limits = {.plies = 60, .nodes = 1000000}};
    kv_rules_init(&cli->rules, 0);
}

static void note_table(void *user, const char *line)
{
    (void)user;
    puzzle_complain(0, "%s", line);
}

static int open_tables(struct puzzle_cli *cli)
{
    struct kv_error error;
    puzzle_progress(cli, "computing the endgame tables ...");
    if (kv_tablebase_create(&cli->tablebase, &cli->rules))
        return puzzle_complain(PUZZLE_EXIT_SYSTEM, "out of memory");
    if (cli->table_path &&
        kv_tablebase_open(cli->tablebase, cli->table_path, TABLE_CACHE_MB, note_table, NULL, &error) < 0)
        return puzzle_complain(PUZZLE_EXIT_SYSTEM, "--tables %s: %s", cli->table_path, error.text);
    kv_tablebase_want(cli->tablebase);
    kv_tablebase_wait(cli->tablebase, INT64_MAX);
    puzzle_progress_end(cli);
    return PUZZLE_EXIT_OK;
}

int puzzle_cli_open(struct puzzle_cli *cli)
{
    int code = cli->no_tables ? PUZZLE_EXIT_OK : open_tables(cli);
    if (code != PUZZLE_EXIT_OK)
        return code;
    if (puzzle_judge_create(&cli->judge, &cli->rules, cli->tablebase, cli->hash_mb, &puzzle_stopped))
        return puzzle_complain(PUZZLE_EXIT_SYSTEM, "out of memory");
    return PUZZLE_EXIT_OK;
}

void puzzle_cli_finish(struct puzzle_cli *cli)
{
    puzzle_judge_destroy(cli->judge);
    kv_tablebase_destroy(cli->tablebase);
}

/* ---- Signals, messages, files ------------------------------------------------------------------- */

static void on_signal(int number)
{
    (void)number;
    if (atomic_exchange(&puzzle_stopped, true))
        _exit(PUZZLE_EXIT_STOPPED); /* asked twice */
}

void puzzle_catch_signals(void)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

int puzzle_complain(int code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fflush(stdout);
    fputs("kvern-puzzle: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    return code;
}

void puzzle_progress(const struct puzzle_cli *cli, const char *format, ...)
{
    if (cli->quiet || !isatty(STDERR_FILENO))
        return;
    va_list arguments;
    va_start(arguments, format);
    fputs("\r\033[K", stderr);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fflush(stderr);
}

void puzzle_progress_end(const struct puzzle_cli *cli)
{
    if (!cli->quiet && isatty(STDERR_FILENO))
        fputs("\r\033[K", stderr);
}

int puzzle_read_file(const char *path, struct kv_buffer *content)
{
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    if (file == NULL)
        return puzzle_complain(PUZZLE_EXIT_SYSTEM, "%s: %s", path, strerror(errno));
    char block[16384];
    size_t got;
    while ((got = fread(block, 1, sizeof block, file)) > 0)
        kv_buffer_add(content, block, got);
    int code = PUZZLE_EXIT_OK;
    if (ferror(file))
        code = puzzle_complain(PUZZLE_EXIT_SYSTEM, "%s: %s", path, strerror(errno));
    else if (content->failed)
        code = puzzle_complain(PUZZLE_EXIT_SYSTEM, "%s: out of memory", path);
    if (file != stdin)
        fclose(file);
    return code;
}

int puzzle_write_output(const struct puzzle_cli *cli, const struct kv_buffer *content)
{
    if (content->failed)
        return puzzle_complain(PUZZLE_EXIT_SYSTEM, "out of memory");
    const char *name = cli->output ? cli->output : "standard output";
    FILE *file = cli->output ? fopen(cli->output, "wb") : stdout;
    if (file == NULL)
        return puzzle_complain(PUZZLE_EXIT_SYSTEM, "%s: %s", name, strerror(errno));
    bool good = content->length == 0 || fwrite(content->data, 1, content->length, file) == content->length;
    good = fflush(file) == 0 && good;
    if (cli->output)
        good = fclose(file) == 0 && good;
    return good ? PUZZLE_EXIT_OK : puzzle_complain(PUZZLE_EXIT_SYSTEM, "%s: %s", name, strerror(errno));
}

int puzzle_position_read(const struct kv_rules *rules, const char *text, size_t length,
                         struct kv_position *position, struct kv_error *error)
{
    if (!kv_span_is_nocase(kv_span_trim((struct kv_span){text, length}), "startpos"))
        return kv_position_read(rules, text, length, position, error);
    kv_position_start(rules, position);
    return KV_OK;
}

/* ---- JSON --------------------------------------------------------------------------------------- */

void puzzle_json_verdict(cJSON *object, const struct puzzle_verdict *verdict)
{
    if (puzzle_is_settled(verdict))
        cJSON_AddStringToObject(object, "value", puzzle_outcome_text(verdict->low));
    else
        cJSON_AddNullToObject(object, "value");
    cJSON_AddStringToObject(object, "at_least", puzzle_outcome_text(verdict->low));
    cJSON_AddStringToObject(object, "at_most", puzzle_outcome_text(verdict->high));
    if (puzzle_is_exact(verdict) && verdict->low != 0)
        cJSON_AddNumberToObject(object, "plies", verdict->plies);
    else
        cJSON_AddNullToObject(object, "plies");
    cJSON_AddStringToObject(object, "known", puzzle_source_text(verdict->source));
    if (!puzzle_is_settled(verdict)) {
        if (verdict->high == 1)
            cJSON_AddNumberToObject(object, "no_win_within", verdict->no_win);
        if (verdict->low == -1)
            cJSON_AddNumberToObject(object, "no_loss_within", verdict->no_loss);
    }
}

cJSON *puzzle_json_moves(const struct kv_rules *rules, const kv_move *moves, int count)
{
    cJSON *array = cJSON_CreateArray();
    for (int i = 0; i < count; i++) {
        char text[KV_MOVE_TEXT_MAX];
        cJSON_AddItemToArray(array, cJSON_CreateString(kv_move_write(rules, moves[i], text)));
    }
    return array;
}

void puzzle_json_position(cJSON *object, const struct kv_rules *rules, const struct kv_position *position)
{
    char text[KV_POSITION_TEXT_MAX];
    kv_position_write(rules, position, text);
    cJSON_AddStringToObject(object, "fen", text);
}

void puzzle_json_line(struct kv_buffer *out, cJSON *value)
{
    char *text = value ? cJSON_PrintUnformatted(value) : NULL;
    if (text)
        kv_buffer_format(out, "%s\n", text);
    else
        out->failed = true;
    cJSON_free(text);
    cJSON_Delete(value);
}
