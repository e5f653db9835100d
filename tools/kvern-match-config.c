/* Reads descriptions of players and checks a whole configuration. */
#include "kvern-match-config.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"

void match_config_init(struct match_config *config)
{
    *config = (struct match_config){
        .rounds = 1,
        .parts = 1,
        .concurrency = 1,
        .seed = 1,
        .margin_ns = 50000000,
        .start_ns = 10000000000,
        .think_ns = 60000000000,
        .max_plies = 400,
        .event = "kvern-match",
        .report_every = 20,
        .sprt = {.elo1 = 5, .alpha = 0.05, .beta = 0.05, .model = MATCH_NORMALISED},
    };
    kv_rules_init(&config->rules, 0);
}

void match_config_finish(struct match_config *config)
{
    for (int i = 0; i < config->player_count; i++) {
        struct match_player *player = &config->players[i];
        free(player->name);
        free(player->directory);
        for (int w = 0; w < player->word_count; w++)
            free(player->words[w]);
        for (int o = 0; o < player->option_count; o++) {
            free(player->options[o][0]);
            free(player->options[o][1]);
        }
    }
    config->player_count = 0;
}

/* ---- Words ------------------------------------------------------------------------------------- */

/* The next word of `*rest`, quotes and backslashes undone, in new memory; NULL at the end or, with an
 * error, when a quote is not closed or memory is short. */
static char *next_word(const char **rest, struct kv_error *error)
{
    const char *at = *rest + strspn(*rest, " \t\n");
    if (*at == '\0')
        return NULL;
    char *word = malloc(strlen(at) + 1), *end = word;
    char quote = '\0';
    if (!word) {
        kv_fail(error, KV_E_MEMORY, "out of memory");
        return NULL;
    }
    for (; *at && (quote || !strchr(" \t\n", *at)); at++) {
        if (quote ? *at == quote : *at == '"' || *at == '\'')
            quote = quote ? '\0' : *at;
        else if (*at == '\\' && at[1] && quote != '\'')
            *end++ = *++at;
        else
            *end++ = *at;
    }
    *end = '\0';
    *rest = at;
    if (!quote)
        return word;
    kv_fail(error, KV_E_SYNTAX, "a quote is not closed");
    free(word);
    return NULL;
}

static int bad_value(const char *key, const char *value, const char *expected, struct kv_error *error)
{
    return kv_fail(error, KV_E_SYNTAX, "%.40s: '%.60s': expected %s", key, value, expected);
}

/* A number, its whole text, within [low, high]. */
static bool read_real(const char *text, double low, double high, double *value)
{
    char *end;
    double number = strtod(text, &end);
    if (end == text || *end != '\0' || !(number >= low && number <= high))
        return false;
    *value = number;
    return true;
}

/* ---- Time -------------------------------------------------------------------------------------- */

/* "[MOVES/]SECONDS[+SECONDS]" */
static bool read_clock(const char *text, struct match_time *time)
{
    double base, increment = 0, moves = 0;
    char copy[64];
    if (strlen(text) >= sizeof copy)
        return false;
    char *start = strcpy(copy, text), *slash = strchr(copy, '/'), *plus;
    if (slash) {
        *slash = '\0';
        if (!read_real(start, 1, 1000, &moves) || moves != floor(moves))
            return false;
        start = slash + 1;
    }
    if ((plus = strchr(start, '+')))
        *plus++ = '\0';
    if (!read_real(start, 0.001, 1e6, &base) || (plus && !read_real(plus, 0, 1e6, &increment)))
        return false;
    time->moves = (int)moves;
    time->base_ns = (int64_t)(base * 1e9);
    time->increment_ns = (int64_t)(increment * 1e9);
    return true;
}

void match_time_text(const struct match_time *time, char *buffer, size_t size)
{
    size_t used = 0;
    buffer[0] = '\0';
#define ADD(...) used += used < size ? (size_t)snprintf(buffer + used, size - used, __VA_ARGS__) : 0
    if (time->base_ns && time->moves)
        ADD("%d/", time->moves);
    if (time->base_ns)
        ADD("%g", (double)time->base_ns / 1e9);
    if (time->increment_ns)
        ADD("+%g", (double)time->increment_ns / 1e9);
    if (time->movetime_ns)
        ADD("%smovetime=%g", used ? " " : "", (double)time->movetime_ns / 1e9);
    if (time->nodes)
        ADD("%snodes=%lld", used ? " " : "", (long long)time->nodes);
    if (time->depth)
        ADD("%sdepth=%d", used ? " " : "", time->depth);
#undef ADD
}

/* ---- Players ----------------------------------------------------------------------------------- */

static int set_dialect(struct match_player *player, const char *value, struct kv_error *error)
{
    const char *rest = value;
    while (*rest) {
        size_t length = strcspn(rest, ",");
        struct kv_span word = {rest, length};
        if (kv_span_is(word, "uci"))
            player->ugi = false;
        else if (kv_span_is(word, "ugi"))
            player->ugi = true;
        else if (kv_span_is(word, "split"))
            player->split = true;
        else if (kv_span_is(word, "one-line"))
            player->one_line = true;
        else if (kv_span_is(word, "words"))
            player->words_ok = true;
        else if (kv_span_is(word, "sanmill"))
            player->split = player->one_line = player->words_ok = true;
        else
            return bad_value("dialect", value, "a list of uci, ugi, split, one-line, words, sanmill", error);
        rest += length + (rest[length] == ',');
    }
    return KV_OK;
}

static int add_option(struct match_player *player, const char *name, const char *value,
                      struct kv_error *error)
{
    if (player->option_count == MATCH_OPTIONS_MAX)
        return kv_fail(error, KV_E_FULL, "more than %d options", MATCH_OPTIONS_MAX);
    char *copies[2] = {strdup(name), strdup(value)};
    if (!copies[0] || !copies[1]) {
        free(copies[0]);
        free(copies[1]);
        return kv_fail(error, KV_E_MEMORY, "out of memory");
    }
    player->options[player->option_count][0] = copies[0];
    player->options[player->option_count++][1] = copies[1];
    return KV_OK;
}

static int set_command(struct match_player *player, const char *value, bool more, struct kv_error *error)
{
    const char *rest = value;
    struct kv_error cause = {""};
    for (char *word; (word = more ? strdup(value) : next_word(&rest, &cause));) {
        if (player->word_count == MATCH_WORDS_MAX) {
            free(word);
            return kv_fail(error, KV_E_FULL, "a command of more than %d words", MATCH_WORDS_MAX);
        }
        player->words[player->word_count++] = word;
        if (more)
            break;
    }
    return cause.text[0] ? kv_fail(error, KV_E_SYNTAX, "cmd: %s", cause.text) : KV_OK;
}

static int set_string(char **field, const char *value, struct kv_error *error)
{
    char *copy = strdup(value);
    if (!copy)
        return kv_fail(error, KV_E_MEMORY, "out of memory");
    free(*field);
    *field = copy;
    return KV_OK;
}

static int set_time(struct match_time *time, const char *key, const char *value, bool *known,
                    struct kv_error *error)
{
    double number = 0;
    *known = true;
    if (strcmp(key, "tc") == 0)
        return read_clock(value, time) ? KV_OK : bad_value(key, value, "[MOVES/]SECONDS[+SECONDS]", error);
    if (strcmp(key, "movetime") == 0) {
        if (!read_real(value, 0.001, 1e5, &number))
            return bad_value(key, value, "seconds", error);
        time->movetime_ns = (int64_t)(number * 1e9);
    } else if (strcmp(key, "nodes") == 0) {
        if (!read_real(value, 1, 1e15, &number))
            return bad_value(key, value, "a number of nodes", error);
        time->nodes = (int64_t)number;
    } else if (strcmp(key, "depth") == 0) {
        if (!read_real(value, 1, 1000, &number))
            return bad_value(key, value, "a number of plies", error);
        time->depth = (int)number;
    } else if (strcmp(key, "odds") == 0) {
        if (!read_real(value, 1e-3, 1e3, &number))
            return bad_value(key, value, "a factor for all limits given before it", error);
        time->base_ns = (int64_t)((double)time->base_ns * number);
        time->increment_ns = (int64_t)((double)time->increment_ns * number);
        time->movetime_ns = (int64_t)((double)time->movetime_ns * number);
        time->nodes = (int64_t)ceil((double)time->nodes * number);
    } else
        *known = false;
    return KV_OK;
}

static int set_key(struct match_player *player, const char *key, const char *value, struct kv_error *error)
{
    bool known;
    int status = set_time(&player->time, key, value, &known, error);
    if (known)
        return status;
    if (strcmp(key, "cmd") == 0)
        return set_command(player, value, false, error);
    if (strcmp(key, "arg") == 0)
        return set_command(player, value, true, error);
    if (strcmp(key, "name") == 0)
        return set_string(&player->name, value, error);
    if (strcmp(key, "dir") == 0)
        return set_string(&player->directory, value, error);
    if (strcmp(key, "dialect") == 0)
        return set_dialect(player, value, error);
    if (strncmp(key, "option.", 7) == 0 && key[7])
        return add_option(player, key + 7, value, error);
    return kv_fail(
        error, KV_E_SYNTAX,
        "'%.40s': expected cmd, arg, name, dir, dialect, tc, movetime, nodes, depth, odds or option.NAME",
        key);
}

int match_player_read(const char *text, struct match_player *player, struct kv_error *error)
{
    struct kv_error cause = {""};
    int status = KV_OK;
    for (char *word; !status && (word = next_word(&text, &cause)); free(word)) {
        char *equals = strchr(word, '=');
        if (!equals)
            status = kv_fail(error, KV_E_SYNTAX, "'%.60s': expected KEY=VALUE", word);
        else {
            *equals = '\0';
            status = set_key(player, word, equals + 1, error);
        }
    }
    return !status && cause.text[0] ? kv_fail(error, KV_E_SYNTAX, "%s", cause.text) : status;
}

int match_sprt_read(const char *text, struct match_sprt *sprt, struct kv_error *error)
{
    struct match_sprt read = *sprt;
    struct kv_error cause = {""};
    int status = KV_OK;
    for (char *word; !status && (word = next_word(&text, &cause)); free(word)) {
        char *value = strchr(word, '=');
        if (value)
            *value++ = '\0';
        else
            value = word + strlen(word);
        bool good = (strcmp(word, "elo0") == 0 && read_real(value, -1000, 1000, &read.elo0)) ||
                    (strcmp(word, "elo1") == 0 && read_real(value, -1000, 1000, &read.elo1)) ||
                    (strcmp(word, "alpha") == 0 && read_real(value, 1e-6, 0.49, &read.alpha)) ||
                    (strcmp(word, "beta") == 0 && read_real(value, 1e-6, 0.49, &read.beta));
        if (strcmp(word, "model") == 0 && strcmp(value, "logistic") == 0)
            read.model = MATCH_LOGISTIC, good = true;
        if (strcmp(word, "model") == 0 && strcmp(value, "normalized") == 0)
            read.model = MATCH_NORMALISED, good = true;
        if (strcmp(word, "stats") == 0 && strcmp(value, "trinomial") == 0)
            read.trinomial = good = true;
        if (strcmp(word, "stats") == 0 && strcmp(value, "pentanomial") == 0)
            read.trinomial = false, good = true;
        if (!good)
            status =
                kv_fail(error, KV_E_SYNTAX,
                        "'%.30s=%.30s': expected elo0=, elo1=, alpha=, beta=, model=logistic|normalized or "
                        "stats=pentanomial|trinomial",
                        word, value);
    }
    if (!status && (cause.text[0] || !(read.elo1 > read.elo0)))
        status = kv_fail(error, KV_E_RANGE, "%s", cause.text[0] ? cause.text : "elo1 must be above elo0");
    if (status)
        return status;
    read.on = true;
    *sprt = read;
    return KV_OK;
}
