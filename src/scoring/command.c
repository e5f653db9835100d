#include "scoring/command.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "scoring/record.h"
#include "scoring/report.h"
#include "scoring/setup.h"
#include "scoring/sheet.h"

struct row {
    const char *name, *arguments, *summary;
    bool changes, any_time; /* any_time: does without a game */
    int (*run)(struct kv_card_session *session, struct kv_span rest, struct kv_buffer *out,
               struct kv_error *error);
};

static int run_new(struct kv_card_session *session, struct kv_span rest, struct kv_buffer *out,
                   struct kv_error *error)
{
    (void)out;
    struct kv_card_setup *setup = NULL;
    struct kv_error why = {0};
    int status = kv_card_setup_read(session->module, rest, &setup, &why);
    struct kv_card *game = NULL;
    if (status == KV_OK) {
        status = kv_card_create(setup, &game, &why);
        if (status != KV_OK)
            kv_card_setup_destroy(setup);
    }
    if (status != KV_OK)
        return kv_fail(error, status, "new: %.240s", why.text);
    kv_card_session_set(session, game);
    return KV_OK;
}

static int no_more(struct kv_span rest, const char *command, struct kv_error *error)
{
    if (kv_span_trim(rest).length == 0)
        return KV_OK;
    char shown[40];
    return kv_fail(error, KV_E_SYNTAX, "%s: expected nothing after it, found '%s'", command,
                   kv_span_show(kv_span_trim(rest), shown, sizeof shown));
}

/* An optional number of entries, 1 when there is none. */
static int read_count(struct kv_span rest, const char *command, size_t *count, struct kv_error *error)
{
    rest = kv_span_trim(rest);
    int64_t value = 1;
    char shown[40];
    if (rest.length > 0 && kv_span_int(rest, 1, INT32_MAX, &value) != KV_OK)
        return kv_fail(error, KV_E_SYNTAX, "%s '%s': expected how many entries, from 1", command,
                       kv_span_show(rest, shown, sizeof shown));
    *count = (size_t)value;
    return KV_OK;
}

static int run_undo(struct kv_card_session *session, struct kv_span rest, struct kv_buffer *out,
                    struct kv_error *error)
{
    (void)out;
    size_t count = 1;
    int status = read_count(rest, "undo", &count, error);
    return status == KV_OK ? kv_card_undo(session->game, count, error) : status;
}

static int run_redo(struct kv_card_session *session, struct kv_span rest, struct kv_buffer *out,
                    struct kv_error *error)
{
    (void)out;
    size_t count = 1;
    int status = read_count(rest, "redo", &count, error);
    return status == KV_OK ? kv_card_redo(session->game, count, error) : status;
}

static int run_edit(struct kv_card_session *session, struct kv_span rest, struct kv_buffer *out,
                    struct kv_error *error)
{
    (void)out;
    struct kv_span word = kv_span_token(&rest);
    int64_t index;
    char shown[40];
    if (kv_span_int(word, 1, INT32_MAX, &index) != KV_OK)
        return kv_fail(error, KV_E_SYNTAX, "edit '%s': expected the number of an entry, then its new value",
                       kv_span_show(word, shown, sizeof shown));
    if (kv_span_trim(rest).length == 0)
        return kv_fail(error, KV_E_SYNTAX, "edit %lld: expected the new value after it", (long long)index);
    return kv_card_edit(session->game, (size_t)index - 1, kv_span_trim(rest), error);
}

static int run_log(struct kv_card_session *session, struct kv_span rest, struct kv_buffer *out,
                   struct kv_error *error)
{
    int status = no_more(rest, "log", error);
    if (status == KV_OK)
        kv_card_record_write(session->game, out);
    return status;
}

struct kv_span kv_card_command_path(struct kv_span rest)
{
    rest = kv_span_trim(rest);
    if (rest.length >= 2 && rest.at[0] == '"' && rest.at[rest.length - 1] == '"')
        return (struct kv_span){rest.at + 1, rest.length - 2};
    return rest;
}

static int read_path(const struct kv_card_session *session, struct kv_span rest, const char *command,
                     char **path, struct kv_error *error)
{
    rest = kv_card_command_path(rest);
    if (!session->files)
        return kv_fail(error, KV_E_IO, "%s: there are no files here: expected log", command);
    if (rest.length == 0)
        return kv_fail(error, KV_E_SYNTAX, "%s: expected the name of a file", command);
    *path = strndup(rest.at, rest.length);
    return *path ? KV_OK : kv_fail(error, KV_E_MEMORY, "out of memory");
}

static int run_save(struct kv_card_session *session, struct kv_span rest, struct kv_buffer *out,
                    struct kv_error *error)
{
    (void)out;
    char *path;
    int status = read_path(session, rest, "save", &path, error);
    if (status != KV_OK)
        return status;
    struct kv_buffer record = {0};
    struct kv_error why = {0};
    kv_card_record_write(session->game, &record);
    status = record.failed ? kv_fail(&why, KV_E_MEMORY, "out of memory")
                           : kv_file_replace(path, (struct kv_span){record.data, record.length}, NULL, &why);
    if (status != KV_OK)
        kv_fail(error, status, "save: %.240s", why.text);
    kv_buffer_finish(&record);
    free(path);
    return status;
}

static int run_load(struct kv_card_session *session, struct kv_span rest, struct kv_buffer *out,
                    struct kv_error *error)
{
    (void)out;
    char *path;
    int status = read_path(session, rest, "load", &path, error);
    if (status != KV_OK)
        return status;
    struct kv_buffer text = {0};
    struct kv_error why = {0};
    struct kv_card *game = NULL;
    status = kv_file_read(path, &text, NULL, &why);
    if (status == KV_OK)
        status = kv_card_record_read(session->module, (struct kv_span){text.data, text.length}, &game, &why);
    if (status == KV_OK)
        kv_card_session_set(session, game);
    else
        kv_fail(error, status, "load: %.240s", why.text);
    kv_buffer_finish(&text);
    free(path);
    return status;
}

static int run_show(struct kv_card_session *session, struct kv_span rest, struct kv_buffer *out,
                    struct kv_error *error)
{
    int status = no_more(rest, "show", error);
    return status == KV_OK ? kv_card_sheet_write(session->game, (struct kv_card_sheet_limits){0}, out)
                           : status;
}

static int run_csv(struct kv_card_session *session, struct kv_span rest, struct kv_buffer *out,
                   struct kv_error *error)
{
    int status = no_more(rest, "csv", error);
    return status == KV_OK ? kv_card_sheet_write_csv(session->game, out) : status;
}

static int run_json(struct kv_card_session *session, struct kv_span rest, struct kv_buffer *out,
                    struct kv_error *error)
{
    int status = no_more(rest, "json", error);
    return status == KV_OK ? kv_card_report_json(session->game, out) : status;
}

static int run_stats(struct kv_card_session *session, struct kv_span rest, struct kv_buffer *out,
                     struct kv_error *error)
{
    int status = no_more(rest, "stats", error);
    return status == KV_OK ? kv_card_report_stats(session->game, out) : status;
}

static int run_advice(struct kv_card_session *session, struct kv_span rest, struct kv_buffer *out,
                      struct kv_error *error)
{
    struct kv_card_turn turn = {0};
    session->module->turn(session->game->play.state, &turn);
    if (turn.over)
        return kv_fail(error, KV_E_ILLEGAL, "advice: the game is over, expected undo, edit or new");
    return session->module->advice(session->game->play.state, rest, out, error);
}

static int run_entries(struct kv_card_session *session, struct kv_span rest, struct kv_buffer *out,
                       struct kv_error *error)
{
    size_t count = session->game->play.log.count;
    int status = kv_span_trim(rest).length > 0 ? read_count(rest, "entries", &count, error) : KV_OK;
    return status == KV_OK ? kv_card_report_entries(session->game, count, out) : status;
}

static int run_help(struct kv_card_session *session, struct kv_span rest, struct kv_buffer *out,
                    struct kv_error *error)
{
    int status = no_more(rest, "help", error);
    if (status == KV_OK)
        kv_card_command_help(session->module, session->bare ? "" : session->module->name, out);
    return status;
}

static const struct row rows[] = {
    {"new", "NAME... | TEAM=MEMBER,... [OPTION=VALUE]", "start a game; names with blanks in quotes", true,
     true, run_new},
    {"undo", "[N]", "take the last entry back, or the last N", true, false, run_undo},
    {"redo", "[N]", "enter again what was undone", true, false, run_redo},
    {"entries", "[N]", "the entries with their numbers, or the last N", false, false, run_entries},
    {"edit", "I VALUE", "put another value in the place of entry I", true, false, run_edit},
    {"show", "", "the score sheet", false, false, run_show},
    {"advice", "", "what the side to play wants to know (molkky: also p=CHANCE)", false, false, run_advice},
    {"stats", "", "throws, average, best and misses of every side", false, false, run_stats},
    {"log", "", "the game as a log, which load reads", false, false, run_log},
    {"save", "FILE", "write the log to a file", false, false, run_save},
    {"load", "FILE", "go on with the game in a file", true, true, run_load},
    {"json", "", "the whole state on one line", false, false, run_json},
    {"csv", "", "the score sheet for a spreadsheet", false, false, run_csv},
    {"help", "", "this list", false, true, run_help},
};

enum { ROWS = sizeof rows / sizeof *rows };

void kv_card_session_set(struct kv_card_session *session, struct kv_card *game)
{
    kv_card_destroy(session->game);
    session->game = game;
    if (game)
        game->announce = session->announce;
}

static void write_help(const char *prefix, const char *name, const char *arguments, const char *summary,
                       struct kv_buffer *out)
{
    kv_buffer_format(out, "%s%s%s%s%s  -  %s\n", prefix, *prefix ? " " : "", name, *arguments ? " " : "",
                     arguments, summary);
}

void kv_card_command_help(const struct kv_card_module *module, const char *prefix, struct kv_buffer *out)
{
    for (int i = 0; i < ROWS; i++) {
        write_help(prefix, rows[i].name, rows[i].arguments, rows[i].summary, out);
        if (i > 0)
            continue;
        for (const struct kv_card_option *option = module->options; option->name; option++) {
            kv_buffer_format(out, "  %s=", option->name);
            if (option->choices)
                kv_buffer_text(out, option->choices);
            else
                kv_buffer_format(out, "%lld..%lld", (long long)option->low, (long long)option->high);
            kv_buffer_text(out, " (");
            kv_card_option_write(option, option->initial, out);
            kv_buffer_format(out, ")  -  %s\n", option->summary);
        }
        for (const struct kv_card_verb *verb = module->verbs; verb->name; verb++)
            write_help(prefix, verb->name, verb->arguments, verb->summary, out);
    }
}

static const struct row *find_row(struct kv_span word)
{
    for (int i = 0; i < ROWS; i++)
        if (kv_span_is(word, rows[i].name))
            return &rows[i];
    return NULL;
}

static int enter_bare(struct kv_card_session *session, struct kv_span line, struct kv_error *error)
{
    struct kv_error why = {0};
    char shown[40];
    const char *verb = session->module->expected(session->game->play.state);
    int status = kv_card_enter(session->game, kv_span_of(verb), line, &why);
    if (status == KV_E_SYNTAX)
        return kv_fail(error, status, "'%s' is no command (try help), and %.180s",
                       kv_span_show(line, shown, sizeof shown), why.text);
    return status == KV_OK ? KV_OK : kv_fail(error, status, "%.250s", why.text);
}

static int run(struct kv_card_session *session, struct kv_span line, struct kv_buffer *out, bool *changed,
               struct kv_error *error)
{
    struct kv_span rest = line, word = kv_span_token(&rest);
    char shown[40];
    const char *name = session->module->name;
    if (memchr(line.at, '\0', line.length))
        return kv_fail(error, KV_E_SYNTAX, "a NUL byte in the line: expected text");
    const struct row *row = find_row(word);
    const struct kv_card_verb *verb = kv_card_verb_find(session->module, word);
    if (!row && !verb && !session->bare)
        return kv_fail(error, KV_E_NOT_FOUND, "unknown command '%s' (try %s help)",
                       kv_span_show(word, shown, sizeof shown), name);
    if (!session->game && !(row && row->any_time))
        return kv_fail(error, KV_E_ILLEGAL, "there is no game yet: expected new and the names of the sides");
    int status = row    ? row->run(session, rest, out, error)
                 : verb ? kv_card_enter(session->game, word, rest, error)
                        : enter_bare(session, line, error);
    *changed = status == KV_OK && (!row || row->changes);
    return status;
}

int kv_card_command_run(struct kv_card_session *session, struct kv_span line, struct kv_buffer *out,
                        bool *changed, struct kv_error *error)
{
    *changed = false;
    line = kv_span_trim(line);
    if (line.length == 0)
        return kv_fail(error, KV_E_SYNTAX, "expected a command (try %s help)", session->module->name);
    struct kv_error why = {0};
    int status = run(session, line, out, changed, &why);
    if (status == KV_E_MEMORY && !why.text[0])
        kv_fail(&why, status, "out of memory");
    if (status != KV_OK)
        kv_fail(error, status, "%s", why.text);
    return status;
}
