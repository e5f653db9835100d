/* Records as text: tags, then moves. The scanner works on bytes and knows where it stands, so that every
 * complaint has a place. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "record/names.h"

enum { DERIVED_MAX = 32 };

struct derived_tag {
    struct kv_span name, value;
};

struct scanner {
    struct kv_span text;
    size_t at;
    struct kv_record *record;
    struct derived_tag derived[DERIVED_MAX]; /* tags that become other fields, as they stand */
    int derived_count;
    bool letters;       /* a move written with point names was seen */
    bool has_end;       /* the moves ended with a result */
    enum kv_result end; /* that result */
    size_t *error_at;
    struct kv_error *error;
};

static int fail_at(struct scanner *scanner, size_t at, int status, const char *format, ...) KV_PRINTF(4, 5);

static int fail_at(struct scanner *scanner, size_t at, int status, const char *format, ...)
{
    char line[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    *scanner->error_at = at;
    return kv_fail(scanner->error, status, "%s", line);
}

static int peek(const struct scanner *scanner)
{
    return scanner->at < scanner->text.length ? (unsigned char)scanner->text.at[scanner->at] : -1;
}

static bool is_blank(int c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\v' || c == '\f';
}

static bool is_digit(int c)
{
    return c >= '0' && c <= '9';
}

static struct kv_span to_line_end(const struct scanner *scanner)
{
    struct kv_span rest = {scanner->text.at + scanner->at, scanner->text.length - scanner->at};
    const char *end = rest.length ? memchr(rest.at, '\n', rest.length) : NULL;
    if (end)
        rest.length = (size_t)(end - rest.at);
    return rest;
}

/* Blanks, and lines that begin with '%'. */
static void skip_blanks(struct scanner *scanner)
{
    for (int c; (c = peek(scanner)) >= 0; scanner->at++) {
        bool begins = scanner->at == 0 || scanner->text.at[scanner->at - 1] == '\n';
        if (c == '%' && begins)
            scanner->at += to_line_end(scanner).length;
        else if (!is_blank(c))
            return;
        if (scanner->at == scanner->text.length)
            return;
    }
}

/* ---- Tags -------------------------------------------------------------------------------------- */

static void skip_spaces(struct scanner *scanner)
{
    while (peek(scanner) == ' ' || peek(scanner) == '\t')
        scanner->at++;
}

/* The text between quotes, still with its backslashes. */
static int read_quoted(struct scanner *scanner, struct kv_span *value)
{
    size_t open = scanner->at;
    if (peek(scanner) != '"')
        return fail_at(scanner, open, KV_E_SYNTAX, "expected '\"' and the value of the tag");
    scanner->at++;
    value->at = scanner->text.at + scanner->at;
    for (int c; (c = peek(scanner)) != '"'; scanner->at++) {
        if (c < 0 || c == '\n')
            return fail_at(scanner, open, KV_E_SYNTAX, "the value of the tag has no closing '\"'");
        if (c == '\\' && scanner->at + 1 < scanner->text.length && scanner->text.at[scanner->at + 1] != '\n')
            scanner->at++;
    }
    value->length = (size_t)(scanner->text.at + scanner->at - value->at);
    scanner->at++;
    return KV_OK;
}

/* Keeps a tag; the value's escapes are undone. */
static int keep_tag(struct scanner *scanner, size_t start, struct kv_span name, struct kv_span value)
{
    if (kv_record_is_derived_tag(name)) {
        for (int i = 0; i < scanner->derived_count; i++)
            if (scanner->derived[i].name.length == name.length &&
                memcmp(scanner->derived[i].name.at, name.at, name.length) == 0)
                return fail_at(scanner, start, KV_E_SYNTAX, "the tag %.*s is given twice", (int)name.length,
                               name.at);
        if (scanner->derived_count == DERIVED_MAX)
            return fail_at(scanner, start, KV_E_SYNTAX, "too many tags");
        scanner->derived[scanner->derived_count++] = (struct derived_tag){name, value};
        return KV_OK;
    }
    char terminated[KV_TAG_NAME_MAX + 1];
    memcpy(terminated, name.at, name.length);
    terminated[name.length] = '\0';
    if (kv_record_tag(scanner->record, terminated))
        return fail_at(scanner, start, KV_E_SYNTAX, "the tag %s is given twice", terminated);
    if (scanner->record->tag_count == KV_TAGS_MAX)
        return fail_at(scanner, start, KV_E_SYNTAX, "more than %d tags", KV_TAGS_MAX);
    struct kv_buffer plain = {0};
    kv_buffer_text(&plain, "");
    for (size_t i = 0; i < value.length; i++) {
        if (value.at[i] == '\\' && i + 1 < value.length)
            i++;
        kv_buffer_add(&plain, value.at + i, 1);
    }
    int status = KV_E_MEMORY;
    if (!plain.failed)
        status = kv_record_append_tag(scanner->record, name, (struct kv_span){plain.data, plain.length});
    kv_buffer_finish(&plain);
    return status ? fail_at(scanner, start, status, "out of memory") : KV_OK;
}

static int read_tag(struct scanner *scanner)
{
    size_t start = scanner->at++;
    skip_spaces(scanner);
    size_t name_at = scanner->at;
    struct kv_span name = {scanner->text.at + name_at, 0}, value = {0};
    for (int c; (c = peek(scanner)) >= 0 && !is_blank(c) && c != '"' && c != ']'; scanner->at++)
        name.length++;
    if (!kv_record_is_tag_name(name))
        return fail_at(scanner, name_at, KV_E_SYNTAX,
                       "expected the name of a tag (letters, digits and _, at most %d)", KV_TAG_NAME_MAX);
    skip_spaces(scanner);
    int status = read_quoted(scanner, &value);
    if (status)
        return status;
    skip_spaces(scanner);
    if (peek(scanner) != ']')
        return fail_at(scanner, scanner->at, KV_E_SYNTAX, "expected ']' after the value of the tag");
    scanner->at++;
    return keep_tag(scanner, start, name, value);
}

static const struct derived_tag *find_derived(const struct scanner *scanner, const char *name)
{
    for (int i = 0; i < scanner->derived_count; i++)
        if (kv_span_is_nocase(scanner->derived[i].name, name))
            return &scanner->derived[i];
    return NULL;
}

static int fail_tag(struct scanner *scanner, const struct derived_tag *tag, int status, const char *cause)
{
    return fail_at(scanner, (size_t)(tag->value.at - scanner->text.at), status, "tag %.*s: %s",
                   (int)tag->name.length, tag->name.at, cause);
}

/* Rules and set-up position from the tags, whatever order those came in. */
static int apply_tags(struct scanner *scanner)
{
    struct kv_record *record = scanner->record;
    struct kv_error cause = {""};
    const struct derived_tag *variant = find_derived(scanner, "Variant");
    const struct derived_tag *fen = find_derived(scanner, "FEN");
    if (variant) {
        int row = kv_record_variant_find(variant->value, &cause);
        if (row < 0)
            return fail_tag(scanner, variant, KV_E_RANGE, cause.text);
        kv_rules_init(&record->rules, row);
    }
    for (int i = 0; i < scanner->derived_count; i++) {
        const struct derived_tag *tag = &scanner->derived[i];
        const struct kv_rule *rule = kv_rule_find(tag->name.at, tag->name.length);
        int status =
            rule ? kv_rule_set(&record->rules, rule, tag->value.at, tag->value.length, &cause) : KV_OK;
        if (status)
            return fail_tag(scanner, tag, status, cause.text);
    }
    kv_position_start(&record->rules, &record->start);
    if (!fen)
        return KV_OK;
    int status = kv_position_read(&record->rules, fen->value.at, fen->value.length, &record->start, &cause);
    return status ? fail_tag(scanner, fen, status, cause.text) : KV_OK;
}

/* The tag and the end of the moves may each be silent about the result, but not differ. */
static int apply_result(struct scanner *scanner, size_t end_at)
{
    enum kv_result result = KV_ONGOING;
    const struct derived_tag *tag = find_derived(scanner, "Result");
    if (tag && !kv_span_is(tag->value, "?") && !kv_span_is(tag->value, "") &&
        !kv_record_result_read(tag->value, &result))
        return fail_tag(scanner, tag, KV_E_SYNTAX, "expected 1-0, 0-1, 1/2-1/2 or *");
    if (scanner->has_end && scanner->end != KV_ONGOING) {
        if (result != KV_ONGOING && result != scanner->end)
            return fail_at(scanner, end_at, KV_E_SYNTAX, "the moves end with %s, but the tag Result says %s",
                           kv_record_result_text(scanner->end), kv_record_result_text(result));
        result = scanner->end;
    }
    scanner->record->result = result;
    return KV_OK;
}

/* ---- Moves ------------------------------------------------------------------------------------- */

static int read_comment(struct scanner *scanner, struct kv_record_line *line)
{
    size_t start = scanner->at++;
    struct kv_span text = to_line_end(scanner);
    if (scanner->text.at[start] == '{') {
        const char *rest = scanner->text.at + scanner->at;
        size_t length = scanner->text.length - scanner->at;
        const char *end = length ? memchr(rest, '}', length) : NULL;
        if (!end)
            return fail_at(scanner, start, KV_E_SYNTAX, "the comment has no closing '}'");
        text.length = (size_t)(end - rest);
        scanner->at++;
    }
    scanner->at += text.length;
    int status = line->count > 0 ? kv_record_add_comment(&line->moves[line->count - 1], text.at, text.length)
                                 : kv_record_add_line_comment(line, text.at, text.length);
    return status ? fail_at(scanner, start, status, "out of memory") : KV_OK;
}

/* "$3", or one or two of ! and ?. */
static int read_mark(struct scanner *scanner, struct kv_record_line *line)
{
    static const char *const marks[] = {"!", "?", "!!", "??", "!?", "?!"};
    size_t start = scanner->at++;
    bool number = scanner->text.at[start] == '$';
    for (int c; (c = peek(scanner)) >= 0 && (number ? is_digit(c) : c == '!' || c == '?');)
        scanner->at++;
    struct kv_span mark = {scanner->text.at + start, scanner->at - start};
    int64_t nag = 0;
    if (number && kv_span_int((struct kv_span){mark.at + 1, mark.length - 1}, 0, 255, &nag) != KV_OK)
        return fail_at(scanner, start, KV_E_SYNTAX, "expected a number from 0 to 255 after '$'");
    for (int i = 0; i < 6 && !number; i++)
        if (kv_span_is(mark, marks[i]))
            nag = i + 1;
    if (!number && nag == 0)
        return fail_at(scanner, start, KV_E_SYNTAX, "expected one of ! ? !! ?? !? ?!");
    if (line->count == 0)
        return fail_at(scanner, start, KV_E_SYNTAX, "a mark needs a move before it");
    kv_record_add_nag(&line->moves[line->count - 1], (uint8_t)nag);
    return KV_OK;
}

static struct kv_span next_word(const struct scanner *scanner)
{
    struct kv_span word = {scanner->text.at + scanner->at, 0};
    while (scanner->at + word.length < scanner->text.length) {
        char c = word.at[word.length];
        if (is_blank((unsigned char)c) || c == '\0' || strchr("{}();[]$!?", c))
            break;
        word.length++;
    }
    return word;
}

/* How many bytes of the word are a move number: digits and dots, or digits alone where they can be
 * nothing else. */
static size_t move_number_length(struct scanner *scanner, struct kv_span word)
{
    size_t digits = 0, dots = 0;
    while (digits < word.length && is_digit((unsigned char)word.at[digits]))
        digits++;
    while (digits + dots < word.length && word.at[digits + dots] == '.')
        dots++;
    if (dots > 0)
        return digits + dots;
    if (digits < word.length)
        return 0;
    struct scanner ahead = *scanner;
    ahead.at += word.length;
    skip_blanks(&ahead);
    int c = peek(&ahead);
    bool letter = (c >= 'a' && c <= 'g') || (c >= 'A' && c <= 'G');
    return scanner->letters || letter || c == '.' ? digits : 0;
}

static int read_word(struct scanner *scanner, struct kv_record_cursor *cursor, int depth)
{
    struct kv_span word = next_word(scanner);
    size_t start = scanner->at;
    if (kv_record_result_read(word, &scanner->end)) {
        if (depth > 0)
            return fail_at(scanner, start, KV_E_SYNTAX, "a result inside a variation");
        scanner->at += word.length;
        scanner->has_end = true;
        return apply_result(scanner, start);
    }
    size_t number = move_number_length(scanner, word);
    if (number > 0) {
        scanner->at += number;
        return KV_OK;
    }
    if (word.length == 0)
        return fail_at(scanner, start, KV_E_SYNTAX, "a character that has no meaning here");
    struct kv_error cause = {""};
    int status = kv_record_cursor_play(cursor, word, &cause);
    if (status)
        return fail_at(scanner, start, status, "%s", cause.text);
    scanner->letters |= !is_digit((unsigned char)word.at[0]) && word.at[0] != 'x' && word.at[0] != 'X';
    scanner->at += word.length;
    return KV_OK;
}

static int read_line(struct scanner *scanner, struct kv_record_cursor *cursor, int depth);

static int read_variation(struct scanner *scanner, struct kv_record_cursor *cursor, int depth)
{
    size_t start = scanner->at++;
    struct kv_record_line *line = cursor->line, *variation;
    if (line->count == 0)
        return fail_at(scanner, start, KV_E_SYNTAX, "a variation needs a move before it");
    if (depth == KV_RECORD_NESTING_MAX)
        return fail_at(scanner, start, KV_E_RANGE, "variations are nested more than %d deep", depth);
    struct kv_record_move *move = &line->moves[line->count - 1];
    if (kv_record_add_variation(move, &variation))
        return fail_at(scanner, start, KV_E_MEMORY, "out of memory");
    struct kv_record_cursor inner = {.rules = cursor->rules,
                                     .line = variation,
                                     .before = cursor->before,
                                     .now = cursor->before,
                                     .instead = move->move};
    int status = read_line(scanner, &inner, depth + 1);
    if (status)
        return status;
    if (peek(scanner) != ')')
        return fail_at(scanner, start, KV_E_SYNTAX, "the variation has no closing ')'");
    scanner->at++;
    return variation->count ? KV_OK : fail_at(scanner, start, KV_E_SYNTAX, "the variation has no moves");
}

/* Reads moves up to a result, a ')', a '[' or the end; which of them is right is the caller's matter. */
static int read_line(struct scanner *scanner, struct kv_record_cursor *cursor, int depth)
{
    int status = KV_OK;
    while (!status && !scanner->has_end) {
        skip_blanks(scanner);
        int c = peek(scanner);
        if (c < 0 || c == '[' || (c == ')' && depth > 0))
            return KV_OK;
        if (c == '{' || c == ';')
            status = read_comment(scanner, cursor->line);
        else if (c == '$' || c == '!' || c == '?')
            status = read_mark(scanner, cursor->line);
        else if (c == '(')
            status = read_variation(scanner, cursor, depth);
        else
            status = read_word(scanner, cursor, depth);
    }
    return status;
}

static int read_all(struct scanner *scanner)
{
    int status = KV_OK;
    while (!status) {
        skip_blanks(scanner);
        if (peek(scanner) != '[')
            break;
        status = read_tag(scanner);
    }
    if (!status)
        status = apply_tags(scanner);
    struct kv_record *record = scanner->record;
    struct kv_record_cursor cursor = {.rules = &record->rules,
                                      .line = &record->line,
                                      .before = record->start,
                                      .now = record->start,
                                      .instead = KV_MOVE_NONE};
    if (!status)
        status = read_line(scanner, &cursor, 0);
    if (!status && !scanner->has_end)
        return apply_result(scanner, scanner->at);
    /* What is said about the result on its line belongs to this record. */
    while (!status && (skip_spaces(scanner), peek(scanner) == '{' || peek(scanner) == ';'))
        status = read_comment(scanner, &record->line);
    return status;
}

/* After a bad record: on to the next line with a tag that follows one without, or with JSON. */
static void skip_record(struct scanner *scanner, size_t error_at)
{
    bool tags_over = false;
    scanner->at = error_at;
    while (scanner->at > 0 && scanner->text.at[scanner->at - 1] != '\n')
        scanner->at--;
    for (bool first = true; scanner->at < scanner->text.length; first = false) {
        struct kv_span line = to_line_end(scanner);
        bool tag = kv_span_starts(line, "[");
        if (!first && ((tag && tags_over) || kv_span_starts(line, "{\"")))
            return;
        tags_over |= !tag;
        scanner->at += line.length + (scanner->at + line.length < scanner->text.length);
    }
}

int kv_record_read_text(struct kv_span text, const struct kv_rules *rules, struct kv_record *record,
                        size_t *used, size_t *error_at, struct kv_error *error)
{
    struct kv_record fresh;
    kv_record_init(&fresh, rules);
    struct scanner scanner = {.text = text, .record = &fresh, .error_at = error_at, .error = error};
    int status = read_all(&scanner);
    if (status) {
        skip_record(&scanner, *error_at);
        kv_record_finish(&fresh);
    } else
        *record = fresh;
    *used = scanner.at;
    return status;
}
