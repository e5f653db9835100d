/* The option table: one row an option. Listing, parsing, range checks and the documentation walk it;
 * variants and house rules come from the board room's own tables. */
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/engine.h"

struct row {
    const char *name;
    enum kv_option_type type;
    int64_t standard, low, high;
    size_t offset; /* in struct kv_option_values; an int64_t, or a char * for a string */
    int (*apply)(struct kv_engine *engine, struct kv_error *error); /* after storing; undone on failure */
    bool at_once;                                                   /* may change during a search */
    bool names_file;                                                /* refused by an engine without files */
    const char *help;
};

/* Elo 500..2400 is spread evenly over the skill levels. */
enum { ELO_LOW = 500, ELO_HIGH = 2400, THREADS_HIGH = KV_THREADS_MAX };

static int apply_hash(struct kv_engine *engine, struct kv_error *error)
{
    size_t megabytes = (size_t)engine->values.hash;
    int status = engine->search ? kv_search_set_hash(engine->search, megabytes)
                                : kv_search_create(&engine->search, megabytes);
    if (status)
        return kv_fail(error, status, "Hash: no memory for %zu MB", megabytes);
    kv_search_clear(engine->search); /* brings it into memory before a search is timed */
    return KV_OK;
}

static int apply_clear_hash(struct kv_engine *engine, struct kv_error *error)
{
    (void)error;
    if (engine->search)
        kv_search_clear(engine->search);
    return KV_OK;
}

static int apply_tables(struct kv_engine *engine, struct kv_error *error)
{
    struct kv_error cause = {""};
    int status = kv_engine_open_tables(engine, &cause);
    return status ? kv_fail(error, status, "TablebasePath: %.200s", cause.text) : KV_OK;
}

static int apply_debug_log(struct kv_engine *engine, struct kv_error *error)
{
    struct kv_error cause;
    int status = kv_log_open(engine->log, engine->values.debug_log, &cause);
    return status ? kv_fail(error, status, "Debug Log File: %.200s", cause.text) : KV_OK;
}

#define AT(field) offsetof(struct kv_option_values, field)

static const struct row rows[] = {
    {"Hash", KV_OPTION_SPIN, 64, 1, 65536, AT(hash), apply_hash, false, false,
     "Size of the hash table in MB."},
    {"Clear Hash", KV_OPTION_BUTTON, 0, 0, 0, 0, apply_clear_hash, false, false, "Empties the hash table."},
    {"Threads", KV_OPTION_SPIN, 1, 1, THREADS_HIGH, AT(threads), NULL, false, false,
     "Threads that search together."},
    {"MultiPV", KV_OPTION_SPIN, 1, 1, 500, AT(multipv), NULL, false, false,
     "How many of the best moves are reported, each with its line of play."},
    {"Ponder", KV_OPTION_CHECK, 0, 0, 1, AT(ponder), NULL, false, false,
     "Tells the engine that the front end may let it think on the opponent's time."},
    {"Move Overhead", KV_OPTION_SPIN, 10, 0, 5000, AT(move_overhead), NULL, false, false,
     "Milliseconds kept back from every time budget for the way to the front end and back."},
    {"UCI_ShowWDL", KV_OPTION_CHECK, 0, 0, 1, AT(show_wdl), NULL, false, false,
     "Adds the expected win, draw and loss in thousandths to every score."},
    {"UCI_AnalyseMode", KV_OPTION_CHECK, 0, 0, 1, AT(analyse), NULL, false, false,
     "The game is being analysed: no time is saved and play is never weakened."},
    {"UCI_LimitStrength", KV_OPTION_CHECK, 0, 0, 1, AT(limit_strength), NULL, false, false,
     "Weakens play to UCI_Elo instead of Skill Level."},
    {"UCI_Elo", KV_OPTION_SPIN, 1500, ELO_LOW, ELO_HIGH, AT(elo), NULL, false, false,
     "The strength wanted when UCI_LimitStrength is true; 2400 is full strength."},
    {"Skill Level", KV_OPTION_SPIN, KV_SKILL_MAX, 0, KV_SKILL_MAX, AT(skill), NULL, false, false,
     "0 plays like a beginner, 20 as well as it can."},
    {"Random Seed", KV_OPTION_SPIN, 0, -1, INT32_MAX, AT(seed), NULL, false, false,
     "Weakened play and drawn openings are the same for the same seed; 0 = the opening is left to the "
     "search, "
     "-1 = different every time."},
    {"Split Captures", KV_OPTION_CHECK, 0, 0, 1, AT(split_captures), NULL, false, false,
     "A move that closes a mill is answered without its capture, the capture to a second go."},
    {"TablebasePath", KV_OPTION_STRING, 0, 0, 0, AT(tablebase_path), apply_tables, false, true,
     "Directory of endgame table files."},
    {"TablebaseCache", KV_OPTION_SPIN, 16, 1, 65536, AT(tablebase_cache), apply_tables, false, false,
     "MB of memory for parts of endgame table files."},
    {"Debug Log File", KV_OPTION_STRING, 0, 0, 0, AT(debug_log), apply_debug_log, true, true,
     "Every line read and written is added to this file."},
};

enum { PLAIN_ROWS = sizeof rows / sizeof *rows, VARIANT_ROW = PLAIN_ROWS, RULE_ROWS };

/* ---- Listing ---------------------------------------------------------------------------------- */

int kv_option_count(void)
{
    return RULE_ROWS + kv_rule_count;
}

static void describe_variant(struct kv_option *option)
{
    option->name = "UCI_Variant";
    option->type = KV_OPTION_COMBO;
    option->help = "The game: its board and number of stones.";
    for (int i = 0; i < kv_variant_count && i < KV_OPTION_CHOICES_MAX; i++)
        option->choices[i] = kv_variants[i].name;
    snprintf(option->standard, sizeof option->standard, "%s", kv_variants[0].name);
}

static void describe_rule(const struct kv_rule *rule, struct kv_option *option)
{
    static const enum kv_option_type types[] = {KV_OPTION_CHECK, KV_OPTION_COMBO, KV_OPTION_SPIN};
    struct kv_rules usual;
    kv_rules_init(&usual, 0);
    option->name = rule->name;
    option->type = types[rule->kind];
    option->low = rule->low;
    option->high = rule->high;
    option->help = rule->help;
    for (int i = 0; rule->choices && rule->choices[i] && i < KV_OPTION_CHOICES_MAX; i++)
        option->choices[i] = rule->choices[i];
    kv_rule_text(&usual, rule, option->standard);
}

static void write_number(enum kv_option_type type, int64_t value, char buffer[24])
{
    if (type == KV_OPTION_CHECK)
        snprintf(buffer, 24, "%s", value ? "true" : "false");
    else if (type == KV_OPTION_SPIN)
        snprintf(buffer, 24, "%" PRId64, value);
    else
        buffer[0] = '\0';
}

void kv_option_row(int row, struct kv_option *option)
{
    assert(row >= 0 && row < kv_option_count());
    *option = (struct kv_option){0};
    if (row == VARIANT_ROW) {
        describe_variant(option);
        return;
    }
    if (row >= RULE_ROWS) {
        describe_rule(&kv_rule_table[row - RULE_ROWS], option);
        return;
    }
    option->name = rows[row].name;
    option->type = rows[row].type;
    option->low = rows[row].low;
    option->high = rows[row].high;
    option->help = rows[row].help;
    write_number(option->type, rows[row].standard, option->standard);
}

int kv_option_find(struct kv_span name)
{
    for (int row = 0; row < kv_option_count(); row++) {
        struct kv_option option;
        kv_option_row(row, &option);
        if (kv_span_is_nocase(name, option.name))
            return row;
    }
    return -1;
}

bool kv_option_is_at_once(int row)
{
    return row < PLAIN_ROWS && rows[row].at_once;
}

bool kv_option_is_rule(int row)
{
    return row >= PLAIN_ROWS;
}

/* ---- Values ----------------------------------------------------------------------------------- */

static int64_t *number_of(struct kv_option_values *values, const struct row *row)
{
    return (int64_t *)((char *)values + row->offset);
}

static char **string_of(struct kv_option_values *values, const struct row *row)
{
    return (char **)((char *)values + row->offset);
}

static bool is_number(const struct row *row)
{
    return row->type == KV_OPTION_CHECK || row->type == KV_OPTION_SPIN;
}

void kv_options_init(struct kv_engine *engine)
{
    for (int row = 0; row < PLAIN_ROWS; row++)
        if (is_number(&rows[row]))
            *number_of(&engine->values, &rows[row]) = rows[row].standard;
    engine->pending_end = &engine->pending;
}

void kv_options_finish(struct kv_engine *engine)
{
    for (int row = 0; row < PLAIN_ROWS; row++)
        if (rows[row].type == KV_OPTION_STRING)
            free(*string_of(&engine->values, &rows[row]));
    while (engine->pending) {
        struct kv_pending *next = engine->pending->next;
        free(engine->pending);
        engine->pending = next;
    }
}

const char *kv_engine_option(struct kv_engine *engine, int row, char buffer[24])
{
    if (row == VARIANT_ROW)
        return kv_variants[engine->rules.variant].name;
    if (row >= RULE_ROWS)
        return kv_rule_text(&engine->rules, &kv_rule_table[row - RULE_ROWS], buffer);
    if (rows[row].type == KV_OPTION_STRING) {
        const char *text = *string_of(&engine->values, &rows[row]);
        return text ? text : "";
    }
    write_number(rows[row].type, is_number(&rows[row]) ? *number_of(&engine->values, &rows[row]) : 0, buffer);
    return buffer;
}

static int read_number(const struct row *row, struct kv_span value, int64_t *number, struct kv_error *error)
{
    char shown[40];
    if (row->type == KV_OPTION_CHECK) {
        *number = kv_span_is_nocase(value, "true");
        if (*number || kv_span_is_nocase(value, "false"))
            return KV_OK;
        return kv_fail(error, KV_E_RANGE, "%s: '%s' is neither true nor false", row->name,
                       kv_span_show(value, shown, sizeof shown));
    }
    int status = kv_span_int(value, row->low, row->high, number);
    if (status)
        kv_fail(error, status, "%s: '%s' is not a whole number from %" PRId64 " to %" PRId64, row->name,
                kv_span_show(value, shown, sizeof shown), row->low, row->high);
    return status;
}

/* The rules with one row of the table set to `value`, or the variant changed. */
static int read_rules(const struct kv_engine *engine, int row, struct kv_span value, struct kv_rules *rules,
                      struct kv_error *error)
{
    struct kv_rules changed = engine->rules;
    int status = KV_OK;
    if (row >= RULE_ROWS) {
        status = kv_rule_set(&changed, &kv_rule_table[row - RULE_ROWS], value.at, value.length, error);
    } else {
        struct kv_error cause;
        status = kv_variant_find(value.at, value.length, &cause);
        if (status < 0)
            return kv_fail(error, status, "UCI_Variant: %.200s", cause.text);
        kv_rules_init(&changed, status);
        status = KV_OK;
        for (int i = 0; i < kv_rule_count; i++) {
            char text[24];
            if (!(engine->rules_chosen >> i & 1))
                continue;
            kv_rule_text(&engine->rules, &kv_rule_table[i], text);
            kv_rule_set(&changed, &kv_rule_table[i], text, strlen(text), NULL);
        }
    }
    if (!status)
        *rules = changed;
    return status;
}

int kv_option_check(const struct kv_engine *engine, int row, struct kv_span value, struct kv_error *error)
{
    struct kv_rules rules;
    int64_t number;
    if (row >= PLAIN_ROWS)
        return read_rules(engine, row, value, &rules, error);
    if (rows[row].names_file && engine->config.no_files)
        return kv_fail(error, KV_E_IO, "%s: this engine uses no files", rows[row].name);
    if (rows[row].type == KV_OPTION_STRING && value.length > 0 && memchr(value.at, '\0', value.length))
        return kv_fail(error, KV_E_SYNTAX, "%s: a NUL byte in the name", rows[row].name);
    return is_number(&rows[row]) ? read_number(&rows[row], value, &number, error) : KV_OK;
}

/* ---- Applying --------------------------------------------------------------------------------- */

static int apply_rules(struct kv_engine *engine, int row, struct kv_span value, struct kv_error *error)
{
    struct kv_rules rules;
    int status = read_rules(engine, row, value, &rules, error);
    if (!status) {
        status = kv_engine_change_rules(engine, &rules);
        if (status)
            kv_fail(error, status, "%s", kv_status_text(status));
    }
    if (!status && row >= RULE_ROWS)
        engine->rules_chosen |= 1u << (row - RULE_ROWS);
    return status;
}

static int apply_number(struct kv_engine *engine, const struct row *row, struct kv_span value,
                        struct kv_error *error)
{
    int64_t *field = number_of(&engine->values, row), old = *field;
    int status = read_number(row, value, field, error);
    if (!status && row->apply)
        status = row->apply(engine, error);
    if (status)
        *field = old;
    return status;
}

static int apply_string(struct kv_engine *engine, const struct row *row, struct kv_span value,
                        struct kv_error *error)
{
    char **field = string_of(&engine->values, row), *old = *field, *fresh = NULL;
    if (value.length > 0 && !kv_span_is(value, "<empty>")) {
        fresh = malloc(value.length + 1);
        if (!fresh)
            return kv_fail(error, KV_E_MEMORY, "%s: out of memory", row->name);
        memcpy(fresh, value.at, value.length);
        fresh[value.length] = '\0';
    }
    *field = fresh;
    int status = row->apply ? row->apply(engine, error) : KV_OK;
    if (status)
        *field = old;
    free(status ? fresh : old);
    return status;
}

int kv_option_apply(struct kv_engine *engine, int row, struct kv_span value, struct kv_error *error)
{
    if (row >= PLAIN_ROWS)
        return apply_rules(engine, row, value, error);
    switch (rows[row].type) {
    case KV_OPTION_STRING: return apply_string(engine, &rows[row], value, error);
    case KV_OPTION_BUTTON: return rows[row].apply(engine, error);
    default: return apply_number(engine, &rows[row], value, error);
    }
}
