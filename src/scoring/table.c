/* The program for people at a table. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/prompt.h"
#include "kvern/scoring.h"
#include "scoring/command.h"
#include "scoring/names.h"
#include "scoring/record.h"
#include "scoring/report.h"
#include "scoring/setup.h"
#include "scoring/sheet.h"

enum { SHEET_ROWS = 12 }; /* of the sheet after an entry; `show` has them all */

struct table {
    struct kv_card_session session;
    struct kv_prompt *prompt;
    FILE *out;
    char *file; /* kept up to date; NULL: none */
    struct kv_file_stamp stamp;
    bool set_aside; /* the file holds an earlier game, to be renamed before this one is written */
    bool unsaved;   /* something is in memory only */
    bool warned;    /* of that, with the command before */
    bool dropped;   /* and that was answered by quitting again */
};

static void say(struct table *table, const char *format, ...) KV_PRINTF(2, 3);

static void say(struct table *table, const char *format, ...)
{
    struct kv_buffer text = {0}, clean = {0};
    va_list arguments;
    va_start(arguments, format);
    kv_buffer_vformat(&text, format, arguments);
    va_end(arguments);
    if (text.data)
        kv_card_text_clean(&clean, text.data, text.length);
    fprintf(table->out, "%s\n", clean.data ? clean.data : "out of memory");
    kv_buffer_finish(&text);
    kv_buffer_finish(&clean);
}

static void say_error(struct table *table, const struct kv_error *error)
{
    say(table, "error: %s", error->text);
}

/* Renames the file to the first free one of FILE.1, FILE.2, ... */
static int set_aside(struct table *table, struct kv_error *error)
{
    for (int i = 1;; i++) {
        struct kv_buffer name = {0};
        kv_buffer_format(&name, "%s.%d", table->file, i);
        int status = name.failed ? kv_fail(error, KV_E_MEMORY, "out of memory")
                                 : kv_file_rename_new(table->file, name.data, error);
        if (status == KV_OK)
            say(table, "The game before is kept in %s.", name.data);
        kv_buffer_finish(&name);
        if (status != KV_E_BUSY)
            return status;
    }
}

/* The file must be the one last read or written here, or gone. */
static int check_file(const struct table *table, struct kv_error *error)
{
    struct kv_file_stamp now, none = {0};
    int status = kv_file_stamp(table->file, &now, error);
    if (status != KV_OK)
        return status;
    if (kv_file_stamp_equal(&now, &none) || kv_file_stamp_equal(&now, &table->stamp))
        return KV_OK;
    return kv_fail(error, KV_E_BUSY, "%.120s was changed by somebody else", table->file);
}

/* Brings the file up to date; on failure says so, and tries again with the next entry. */
static void keep(struct table *table)
{
    struct kv_error error = {0};
    table->unsaved = true;
    if (!table->file)
        return;
    int status = check_file(table, &error);
    if (status == KV_OK && table->set_aside) {
        status = set_aside(table, &error);
        table->set_aside = status != KV_OK && status != KV_E_NOT_FOUND;
        if (status == KV_E_NOT_FOUND)
            status = KV_OK;
    }
    if (status == KV_OK) {
        struct kv_buffer record = {0};
        kv_card_record_write(table->session.game, &record);
        status = record.failed ? kv_fail(&error, KV_E_MEMORY, "out of memory")
                               : kv_file_replace(table->file, (struct kv_span){record.data, record.length},
                                                 &table->stamp, &error);
        kv_buffer_finish(&record);
    }
    table->unsaved = status != KV_OK;
    if (table->unsaved)
        say(table, "error: not saved: %s; the game goes on in memory, save FILE writes it elsewhere",
            error.text);
}

static void write_player(const struct kv_card *game, const struct kv_card_turn *turn, struct kv_buffer *out)
{
    const struct kv_card_side *side = &game->setup->sides[turn->side];
    kv_buffer_text(out, side->name);
    if (side->member_count)
        kv_buffer_format(out, " (%s)", side->members[turn->member]);
}

static void write_notes(const struct kv_buffer *notes, struct kv_buffer *out)
{
    struct kv_span rest = {notes->data, notes->length};
    while (rest.length > 0) {
        size_t length = (size_t)((const char *)memchr(rest.at, '\n', rest.length) - rest.at) + 1;
        kv_buffer_text(out, "* ");
        kv_buffer_add(out, rest.at, length);
        rest.at += length;
        rest.length -= length;
    }
}

/* The sheet, what there is to announce, and who is next. */
static void show(struct table *table)
{
    struct kv_card *game = table->session.game;
    struct kv_card_sheet_limits limits = {SHEET_ROWS, kv_prompt_columns(table->prompt)};
    struct kv_buffer out = {0};
    struct kv_card_turn turn = {0};
    kv_buffer_text(&out, "\n");
    int status = kv_card_sheet_write(game, limits, &out);
    kv_buffer_text(&out, "\n");
    kv_card_report_entries(game, 1, &out);
    write_notes(&game->notes, &out);
    game->module->turn(game->play.state, &turn);
    kv_buffer_text(&out,
                   turn.over ? "The game is over. undo and edit still work; new starts another." : "Next: ");
    if (!turn.over)
        write_player(game, &turn, &out);
    if (!turn.over && turn.shots > 1)
        kv_buffer_format(&out, ", %lld shots", (long long)turn.shots);
    if (status != KV_OK || out.failed)
        say(table, "error: out of memory, the sheet is not shown");
    else
        fprintf(table->out, "%s\n", out.data);
    kv_buffer_finish(&out);
}

static void use_file(struct table *table, struct kv_span path)
{
    char *file = strndup(path.at, path.length);
    if (!file)
        return;
    free(table->file);
    table->file = file;
    table->unsaved = false;
    struct kv_error error;
    if (kv_file_stamp(file, &table->stamp, &error) != KV_OK)
        table->stamp = (struct kv_file_stamp){0};
}

/* Whether a command would lose a game that is in memory only. The second time it may. */
static bool would_lose(struct table *table, const char *command)
{
    const struct kv_card *game = table->session.game;
    if (!table->unsaved || !game || game->play.log.count == 0 || table->warned)
        return false;
    table->warned = true;
    say(table, "This game is not in a file: save FILE first, or %s again to drop it.", command);
    return true;
}

/* Whether a `save` makes its file the one that is kept, instead of a copy. */
static bool is_new_home(const struct table *table, struct kv_span word, struct kv_span rest)
{
    return kv_span_is(word, "save") &&
           (!table->file || table->unsaved || kv_span_is(kv_card_command_path(rest), table->file));
}

static bool may_quit(struct table *table)
{
    table->dropped = table->warned;
    return !would_lose(table, "quit");
}

/* What `new`, `load` and `save` mean for the file that is kept. */
static void follow_file(struct table *table, struct kv_span word, struct kv_span rest, bool had_entries)
{
    if (kv_span_is(word, "new"))
        table->set_aside |= had_entries && table->file;
    else if (kv_span_is(word, "load") || is_new_home(table, word, rest))
        use_file(table, kv_card_command_path(rest));
    else
        return;
    if (!kv_span_is(word, "new"))
        table->set_aside = false;
}

/* Runs one line. False: the evening is over. */
static bool run_line(struct table *table, struct kv_span line)
{
    struct kv_span rest = kv_span_trim(line), word;
    if (rest.length == 0 || rest.at[0] == '#')
        return true;
    struct kv_span after = rest;
    word = kv_span_token(&after);
    if (kv_span_is(word, table->session.module->name) && after.length > 0) {
        rest = kv_span_trim(after);
        after = rest;
        word = kv_span_token(&after);
    }
    if (kv_span_is(word, "quit") || kv_span_is(word, "exit"))
        return !may_quit(table);
    bool replaces = kv_span_is(word, "new") || kv_span_is(word, "load");
    if (replaces && would_lose(table, kv_span_is(word, "new") ? "new" : "load"))
        return true;
    bool had_entries = table->session.game && table->session.game->play.log.count > 0;
    struct kv_buffer out = {0};
    struct kv_error error = {0};
    bool changed;
    int status = kv_card_command_run(&table->session, rest, &out, &changed, &error);
    table->warned = false;
    if (status != KV_OK || out.failed) {
        if (status == KV_OK)
            kv_fail(&error, KV_E_MEMORY, "out of memory");
        say_error(table, &error);
    } else {
        if (out.length > 0)
            fwrite(out.data, 1, out.length, table->out);
        follow_file(table, word, after, had_entries);
        if (kv_span_is(word, "save"))
            say(table, "Saved.");
        if (kv_span_is(word, "help"))
            say(table, "quit  -  leave");
    }
    kv_buffer_finish(&out);
    if (changed && !kv_span_is(word, "load"))
        keep(table);
    if (changed)
        show(table);
    return true;
}

static void write_prompt(const struct table *table, struct kv_buffer *out)
{
    const struct kv_card *game = table->session.game;
    kv_buffer_clear(out);
    kv_buffer_text(out, table->session.module->name);
    if (game) {
        struct kv_card_turn turn = {0};
        game->module->turn(game->play.state, &turn);
        kv_buffer_text(out, " ");
        if (turn.over)
            kv_buffer_text(out, "(over)");
        else
            write_player(game, &turn, out);
    }
    kv_buffer_text(out, "> ");
}

static void run_lines(struct table *table)
{
    struct kv_buffer text = {0};
    for (bool going = true; going;) {
        struct kv_span line = {0};
        int number = 0;
        fflush(table->out);
        write_prompt(table, &text);
        int status = kv_prompt_read(table->prompt, text.data ? text.data : "> ", &line, &number);
        if (status == KV_OK)
            going = run_line(table, line);
        else if (status == KV_E_BUSY && number == SIGINT && kv_prompt_is_terminal(table->prompt))
            fputs("\n(quit leaves)\n", table->out);
        else
            going = false;
    }
    kv_buffer_finish(&text);
}

/* Reads the file, if there is one. */
static int resume(struct table *table, struct kv_error *error)
{
    struct kv_buffer text = {0};
    int status = kv_file_read(table->file, &text, &table->stamp, error);
    if (status == KV_E_NOT_FOUND || (status == KV_OK && text.length == 0)) {
        say(table, "%s is new: it will hold the game.", table->file);
        status = KV_OK;
    } else if (status == KV_OK) {
        struct kv_card *game;
        struct kv_error why = {0};
        status =
            kv_card_record_read(table->session.module, (struct kv_span){text.data, text.length}, &game, &why);
        if (status == KV_OK) {
            kv_card_session_set(&table->session, game);
            say(table, "Going on with %s, %zu entries.", table->file, game->play.log.count);
            show(table);
        } else {
            kv_fail(error, status, "%.80s: %.160s; the file is left as it is", table->file, why.text);
        }
    }
    kv_buffer_finish(&text);
    return status;
}

/* The end of the evening: says where the game is, and puts an unsaved one where it can be seen. */
static int leave(struct table *table)
{
    const struct kv_card *game = table->session.game;
    bool lost = table->unsaved && game && game->play.log.count > 0;
    if (lost && !table->dropped) {
        struct kv_buffer record = {0};
        kv_card_record_write(game, &record);
        say(table, "This game is in no file. Its log, which load reads:");
        fwrite(record.data, 1, record.length, table->out);
        kv_buffer_finish(&record);
    } else if (game && table->file && !table->unsaved) {
        say(table, "Saved in %s.", table->file);
    }
    return lost && table->file ? 1 : 0;
}

int kv_scoring_table(const char *game, const char *file, FILE *in, FILE *out)
{
    const struct kv_card_module *module = kv_card_module_find(kv_span_of(game));
    struct table table = {.out = out,
                          .session = {.module = module, .files = true, .bare = true, .announce = true}};
    if (!module || (file && !*file)) {
        say(&table, module ? "error: expected the name of a file" : "error: unknown game '%s'", game);
        return 1;
    }
    struct kv_error error = {0};
    int code = 1;
    table.prompt = kv_prompt_open(in, out);
    table.file = file ? strdup(file) : NULL;
    if (!table.prompt || (file && !table.file))
        kv_fail(&error, KV_E_MEMORY, "out of memory");
    else if (!file || resume(&table, &error) == KV_OK)
        code = 0;
    if (code == 0) {
        if (!table.session.game)
            say(&table, "Start with new and the names of the sides; help lists the commands, quit leaves.");
        run_lines(&table);
        code = leave(&table);
    } else {
        say_error(&table, &error);
    }
    fflush(out);
    kv_prompt_close(table.prompt);
    kv_card_session_set(&table.session, NULL);
    free(table.file);
    return code;
}
