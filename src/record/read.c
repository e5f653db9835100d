/* Finds the next record of a text and hands it to the reader of its form. */
#include <stdio.h>

#include "board/movegen.h"
#include "record/names.h"

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* `{`, blanks, `"`: a comment in braces is a rarer beginning of a game than an object. */
static bool begins_json(struct kv_span text)
{
    size_t i = 1;
    while (i < text.length && (text.at[i] == ' ' || text.at[i] == '\t'))
        i++;
    return text.length > 0 && text.at[0] == '{' && i < text.length &&
           (text.at[i] == '"' || text.at[i] == '}');
}

static int fail_with_place(const struct kv_record_reader *reader, size_t at, int status,
                           const struct kv_error *cause, struct kv_error *error)
{
    size_t line = 1, start = 0;
    for (size_t i = 0; i < at && i < reader->length; i++)
        if (reader->text[i] == '\n') {
            line++;
            start = i + 1;
        }
    char text[sizeof cause->text];
    snprintf(text, sizeof text, "%.200s", cause->text);
    return kv_fail(error, status, "line %zu, column %zu: %s", line, at - start + 1, text);
}

int kv_record_read(struct kv_record_reader *reader, struct kv_record *record, struct kv_error *error)
{
    static const char mark[] = "\xef\xbb\xbf"; /* some editors begin a file with it */
    const struct kv_rules *rules = reader->rules ? reader->rules : &kv_classic_rules;
    if (reader->at == 0 && kv_span_starts((struct kv_span){reader->text, reader->length}, mark))
        reader->at = 3;
    while (reader->at < reader->length && is_blank(reader->text[reader->at]))
        reader->at++;
    if (reader->at >= reader->length)
        return kv_fail(error, KV_E_NOT_FOUND, "no more records");
    struct kv_span rest = {reader->text + reader->at, reader->length - reader->at};
    size_t used = 0, error_at = 0;
    struct kv_error cause = {""};
    int status;
    if (begins_json(rest)) {
        while (used < rest.length && rest.at[used] != '\n')
            used++;
        status = kv_record_read_json((struct kv_span){rest.at, used}, rules, record, &error_at, &cause);
    } else
        status = kv_record_read_text(rest, rules, record, &used, &error_at, &cause);
    if (status)
        fail_with_place(reader, reader->at + error_at, status, &cause, error);
    reader->at += used;
    return status;
}
