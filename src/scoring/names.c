#include "scoring/names.h"

#include <stdlib.h>
#include <string.h>

#include <utf8proc.h>

static bool is_bare(char c)
{
    return c != ' ' && c != '\t' && c != '\r' && c != '\n' && c != '"' && c != ',' && c != '=';
}

/* Whether a character may stand in a name. Format characters are refused, for they can turn a line
 * of the sheet around, except the two joiners, which several scripts and emoji are spelled with. */
static bool is_allowed(utf8proc_int32_t c)
{
    switch (utf8proc_category(c)) {
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CS:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP: return false;
    case UTF8PROC_CATEGORY_CF: return c == 0x200c || c == 0x200d;
    default: return true;
    }
}

size_t kv_card_text_width(const char *text, size_t length)
{
    size_t width = 0;
    for (size_t i = 0; i < length;) {
        utf8proc_int32_t c;
        utf8proc_ssize_t n =
            utf8proc_iterate((const utf8proc_uint8_t *)text + i, (utf8proc_ssize_t)(length - i), &c);
        if (n <= 0)
            return width;
        int columns = utf8proc_charwidth(c);
        width += columns > 0 ? (size_t)columns : 0;
        i += (size_t)n;
    }
    return width;
}

static int check_name(const char *name, size_t length, struct kv_error *error)
{
    char shown[40];
    kv_span_show((struct kv_span){name, length}, shown, sizeof shown);
    bool blank = false;
    for (size_t i = 0; i < length;) {
        utf8proc_int32_t c;
        utf8proc_ssize_t n =
            utf8proc_iterate((const utf8proc_uint8_t *)name + i, (utf8proc_ssize_t)(length - i), &c);
        if (n <= 0)
            return kv_fail(error, KV_E_SYNTAX, "name '%s': expected UTF-8 text", shown);
        if (!is_allowed(c))
            return kv_fail(error, KV_E_SYNTAX, "name '%s': control character U+%04X is not allowed", shown,
                           (unsigned)c);
        blank = utf8proc_category(c) == UTF8PROC_CATEGORY_ZS;
        if (blank && i == 0)
            break;
        i += (size_t)n;
    }
    if (blank)
        return kv_fail(error, KV_E_SYNTAX, "name '%s': expected no blank at its start or end", shown);
    size_t width = kv_card_text_width(name, length);
    if (width == 0)
        return kv_fail(error, KV_E_SYNTAX, "empty name: expected at least one visible character");
    if (width > KV_CARD_NAME_COLUMNS)
        return kv_fail(error, KV_E_RANGE, "name '%s': %zu columns wide, expected at most %d", shown, width,
                       KV_CARD_NAME_COLUMNS);
    return KV_OK;
}

/* Cuts the raw text of a name off `rest` into `raw` (KV_CARD_NAME_BYTES large). */
static int cut_name(struct kv_span *rest, char *raw, size_t *length, bool *quoted, struct kv_error *error)
{
    size_t i = 0, n = 0;
    *quoted = rest->length > 0 && rest->at[0] == '"';
    if (*quoted)
        i++;
    for (;; i++) {
        if (i == rest->length) {
            if (*quoted)
                return kv_fail(error, KV_E_SYNTAX, "name: expected a closing quote \"");
            break;
        }
        char c = rest->at[i];
        if (*quoted && c == '"') {
            i++;
            if (i == rest->length || rest->at[i] != '"')
                break;
        } else if (!*quoted && !is_bare(c)) {
            break;
        }
        if (n == KV_CARD_NAME_BYTES)
            return kv_fail(error, KV_E_RANGE, "name too long: expected at most %d bytes", KV_CARD_NAME_BYTES);
        raw[n++] = c;
    }
    *length = n;
    rest->at += i;
    rest->length -= i;
    return KV_OK;
}

int kv_card_text_compose(struct kv_span text, char **composed, struct kv_error *error)
{
    utf8proc_uint8_t *out = NULL;
    if (text.length > 0 && memchr(text.at, '\0', text.length))
        return kv_fail(error, KV_E_SYNTAX, "expected text without NUL bytes");
    utf8proc_ssize_t n = utf8proc_map((const utf8proc_uint8_t *)text.at, (utf8proc_ssize_t)text.length, &out,
                                      UTF8PROC_STABLE | UTF8PROC_COMPOSE);
    if (n == UTF8PROC_ERROR_NOMEM)
        return kv_fail(error, KV_E_MEMORY, "out of memory");
    if (n < 0)
        return kv_fail(error, KV_E_SYNTAX, "expected UTF-8 text");
    *composed = (char *)out;
    return KV_OK;
}

int kv_card_name_read(struct kv_span *rest, char **name, bool *quoted, struct kv_error *error)
{
    char raw[KV_CARD_NAME_BYTES];
    size_t length = 0;
    bool in_quotes = false;
    struct kv_span after = *rest;
    int status = cut_name(&after, raw, &length, &in_quotes, error);
    if (status == KV_OK)
        status = check_name(raw, length, error);
    if (status != KV_OK)
        return status;
    status = kv_card_text_compose((struct kv_span){raw, length}, name, error);
    if (status != KV_OK)
        return status;
    if (quoted)
        *quoted = in_quotes;
    *rest = after;
    return KV_OK;
}

void kv_card_name_write(struct kv_buffer *out, const char *name, bool quote)
{
    /* A leading '#' would read as a comment where the name is the first word of a line. */
    quote = quote || name[0] == '#';
    for (const char *c = name; *c && !quote; c++)
        quote = !is_bare(*c);
    if (!quote) {
        kv_buffer_text(out, name);
        return;
    }
    kv_buffer_add(out, "\"", 1);
    for (const char *c = name; *c; c++) {
        if (*c == '"')
            kv_buffer_add(out, c, 1);
        kv_buffer_add(out, c, 1);
    }
    kv_buffer_add(out, "\"", 1);
}

void kv_card_text_pad(struct kv_buffer *out, const char *text, size_t length, size_t width, bool right)
{
    size_t used = kv_card_text_width(text, length), blanks = used < width ? width - used : 0;
    if (!right)
        kv_buffer_add(out, text, length);
    for (size_t i = 0; i < blanks; i++)
        kv_buffer_add(out, " ", 1);
    if (right)
        kv_buffer_add(out, text, length);
}

void kv_card_text_clean(struct kv_buffer *out, const char *text, size_t length)
{
    for (size_t i = 0; i < length;) {
        utf8proc_int32_t c;
        utf8proc_ssize_t n =
            utf8proc_iterate((const utf8proc_uint8_t *)text + i, (utf8proc_ssize_t)(length - i), &c);
        if (n <= 0 || !is_allowed(c)) {
            kv_buffer_add(out, "?", 1);
            i += n > 0 ? (size_t)n : 1;
        } else {
            kv_buffer_add(out, text + i, (size_t)n);
            i += (size_t)n;
        }
    }
}

static int compare_named(const void *a, const void *b)
{
    const struct kv_card_named *x = a, *y = b;
    return strcmp(x->name, y->name);
}

const char *kv_card_names_sort(struct kv_card_named *names, size_t count)
{
    qsort(names, count, sizeof *names, compare_named);
    for (size_t i = 1; i < count; i++)
        if (strcmp(names[i - 1].name, names[i].name) == 0)
            return names[i].name;
    return NULL;
}

const struct kv_card_named *kv_card_names_find(const struct kv_card_named *names, size_t count,
                                               struct kv_span name)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        size_t length = strlen(names[middle].name);
        int order = memcmp(names[middle].name, name.at, length < name.length ? length : name.length);
        if (order == 0)
            order = (length > name.length) - (length < name.length);
        if (order == 0)
            return &names[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}
