#include "scoring/record.h"

#include <stdio.h>
#include <string.h>

#include <xxhash.h>

#include "scoring/setup.h"

enum { RECORD_VERSION = 1 };

static void write_end(size_t entries, struct kv_span body, char *line, size_t size)
{
    snprintf(line, size, "# end %zu %016llx", entries, (unsigned long long)XXH64(body.at, body.length, 0));
}

void kv_card_record_seal(struct kv_buffer *text)
{
    size_t lines = 0;
    char end[64];
    for (size_t i = 0; i < text->length; i++)
        lines += text->data[i] == '\n';
    write_end(lines > 2 ? lines - 2 : 0, (struct kv_span){text->data, text->length}, end, sizeof end);
    kv_buffer_format(text, "%s\n", end);
}

void kv_card_record_write(const struct kv_card *game, struct kv_buffer *out)
{
    const char *name = game->module->name;
    kv_buffer_format(out, "# kvern %s %d\n%s new ", name, RECORD_VERSION, name);
    kv_card_setup_write(game->setup, out);
    kv_buffer_text(out, "\n");
    for (size_t i = 0; i < game->play.log.count; i++) {
        struct kv_span line = kv_card_log_line(&game->play.log, i);
        kv_buffer_text(out, name);
        kv_buffer_text(out, " ");
        kv_buffer_add(out, line.at, line.length);
        kv_buffer_text(out, "\n");
    }
    kv_card_record_seal(out);
}

/* Cuts a line off `text`, without its line end. */
static struct kv_span cut_line(struct kv_span *text)
{
    const char *end = text->length > 0 ? memchr(text->at, '\n', text->length) : NULL;
    struct kv_span line = {text->at, end ? (size_t)(end - text->at) : text->length};
    size_t used = line.length + (end ? 1 : 0);
    text->at += used;
    text->length -= used;
    if (line.length > 0 && line.at[line.length - 1] == '\r')
        line.length--;
    return line;
}

static int check_first(const struct kv_card_module *module, struct kv_span line, struct kv_error *error)
{
    struct kv_span rest = line;
    int64_t version;
    if (!kv_span_is(kv_span_token(&rest), "#") || !kv_span_is(kv_span_token(&rest), "kvern"))
        return kv_fail(error, KV_E_DAMAGED, "log line 1: expected '# kvern %s %d'", module->name,
                       RECORD_VERSION);
    struct kv_span name = kv_span_token(&rest);
    char shown[40];
    kv_span_show(name, shown, sizeof shown);
    if (!kv_span_is(name, module->name))
        return kv_fail(error, KV_E_VERSION, "log line 1: a log of '%s', expected one of %s", shown,
                       module->name);
    if (kv_span_int(kv_span_trim(rest), 0, INT64_MAX, &version) != KV_OK)
        return kv_fail(error, KV_E_DAMAGED, "log line 1: expected the version number %d", RECORD_VERSION);
    if (version != RECORD_VERSION)
        return kv_fail(error, KV_E_VERSION, "log line 1: version %lld, expected %d", (long long)version,
                       RECORD_VERSION);
    return KV_OK;
}

/* Checks the frame: first line, end line, checksum, nothing behind. `body` becomes all lines before
 * the end line, with plain line ends. */
static int check_frame(const struct kv_card_module *module, struct kv_span text, struct kv_buffer *body,
                       size_t *entries, struct kv_error *error)
{
    size_t lines = 0;
    struct kv_span line = {0};
    for (;;) {
        if (text.length == 0)
            return kv_fail(error, KV_E_DAMAGED, "log: no end line after line %zu: it was cut short", lines);
        line = cut_line(&text);
        if (lines == 0) {
            int status = check_first(module, line, error);
            if (status != KV_OK)
                return status;
        }
        if (kv_span_starts(line, "# end "))
            break;
        kv_buffer_add(body, line.at, line.length);
        kv_buffer_text(body, "\n");
        lines++;
    }
    if (body->failed)
        return kv_fail(error, KV_E_MEMORY, "out of memory");
    if (lines < 2)
        return kv_fail(error, KV_E_DAMAGED, "log line 2: expected '%s new ...'", module->name);
    *entries = lines - 2;
    char end[64];
    write_end(*entries, (struct kv_span){body->data, body->length}, end, sizeof end);
    if (!kv_span_is(line, end))
        return kv_fail(error, KV_E_DAMAGED,
                       "log line %zu: the end line does not fit the %zu entries: it is damaged", lines + 1,
                       *entries);
    /* The answer that follows what `log` prints may be there too, for it is easily copied along. */
    struct kv_span rest = cut_line(&text);
    if (rest.length > 0 && kv_span_is(kv_span_token(&rest), module->name) &&
        kv_span_is(kv_span_token(&rest), "ok"))
        rest = cut_line(&text);
    if (rest.length > 0 || text.length > 0)
        return kv_fail(error, KV_E_DAMAGED, "log line %zu: expected nothing after the end line", lines + 2);
    return KV_OK;
}

/* Cuts "GAME VERB" off a line. */
static int cut_verb(const struct kv_card_module *module, struct kv_span *line, struct kv_span *verb,
                    struct kv_error *error)
{
    if (!kv_span_is(kv_span_token(line), module->name))
        return kv_fail(error, KV_E_DAMAGED, "expected it to start with '%s '", module->name);
    *verb = kv_span_token(line);
    return KV_OK;
}

static int play_lines(const struct kv_card_module *module, struct kv_span text, struct kv_card **out,
                      size_t *number, struct kv_error *error)
{
    cut_line(&text);
    *number = 2;
    struct kv_span line = cut_line(&text), verb;
    int status = cut_verb(module, &line, &verb, error);
    if (status != KV_OK)
        return status;
    if (!kv_span_is(verb, "new"))
        return kv_fail(error, KV_E_DAMAGED, "expected '%s new ...'", module->name);
    struct kv_card_setup *setup = NULL;
    status = kv_card_setup_read(module, line, &setup, error);
    if (status != KV_OK)
        return status;
    struct kv_card *game = NULL;
    status = kv_card_create(setup, &game, error);
    if (status != KV_OK) {
        kv_card_setup_destroy(setup);
        return status;
    }
    while (status == KV_OK && text.length > 0) {
        ++*number;
        line = cut_line(&text);
        status = cut_verb(module, &line, &verb, error);
        if (status == KV_OK)
            status = kv_card_enter(game, verb, line, error);
    }
    if (status == KV_OK)
        *out = game;
    else
        kv_card_destroy(game);
    return status;
}

int kv_card_record_read(const struct kv_card_module *module, struct kv_span text, struct kv_card **game,
                        struct kv_error *error)
{
    struct kv_buffer body = {0};
    size_t entries = 0, line = 0;
    int status = check_frame(module, text, &body, &entries, error);
    if (status == KV_OK) {
        struct kv_error why = {0};
        status = play_lines(module, (struct kv_span){body.data, body.length}, game, &line, &why);
        if (status != KV_OK)
            kv_fail(error, status, "log line %zu: %.220s", line, why.text);
    }
    kv_buffer_finish(&body);
    return status;
}
