#include "span.h"

#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

struct kv_span kv_span_of(const char *text)
{
    return (struct kv_span){text, strlen(text)};
}

struct kv_span kv_span_token(struct kv_span *rest)
{
    while (rest->length > 0 && is_blank(*rest->at)) {
        rest->at++;
        rest->length--;
    }
    struct kv_span token = {rest->at, 0};
    while (rest->length > 0 && !is_blank(*rest->at)) {
        rest->at++;
        rest->length--;
        token.length++;
    }
    return token;
}

struct kv_span kv_span_trim(struct kv_span text)
{
    while (text.length > 0 && is_blank(*text.at)) {
        text.at++;
        text.length--;
    }
    while (text.length > 0 && is_blank(text.at[text.length - 1]))
        text.length--;
    return text;
}

bool kv_span_is(struct kv_span text, const char *word)
{
    return text.length == strlen(word) && (text.length == 0 || memcmp(text.at, word, text.length) == 0);
}

bool kv_span_is_nocase(struct kv_span text, const char *word)
{
    if (text.length != strlen(word))
        return false;
    for (size_t i = 0; i < text.length; i++)
        if (lower(text.at[i]) != lower(word[i]))
            return false;
    return true;
}

bool kv_span_starts(struct kv_span text, const char *prefix)
{
    size_t n = strlen(prefix);
    return text.length >= n && (n == 0 || memcmp(text.at, prefix, n) == 0);
}

int kv_span_int(struct kv_span text, int64_t low, int64_t high, int64_t *value)
{
    size_t i = 0;
    bool negative = text.length > 0 && text.at[0] == '-';
    if (negative)
        i = 1;
    if (i == text.length)
        return KV_E_SYNTAX;
    /* Gathered as a negative number, whose range is the wider one. */
    int64_t sum = 0;
    bool overflow = false;
    for (; i < text.length; i++) {
        if (text.at[i] < '0' || text.at[i] > '9')
            return KV_E_SYNTAX;
        if (__builtin_mul_overflow(sum, 10, &sum) || __builtin_sub_overflow(sum, text.at[i] - '0', &sum)) {
            overflow = true;
            sum = 0;
        }
    }
    if (overflow || (!negative && sum == INT64_MIN))
        return KV_E_RANGE;
    if (!negative)
        sum = -sum;
    if (sum < low || sum > high)
        return KV_E_RANGE;
    *value = sum;
    return KV_OK;
}

const char *kv_span_show(struct kv_span text, char *buffer, size_t size)
{
    if (size == 0)
        return "";
    size_t room = size - 1, n = text.length < room ? text.length : room;
    for (size_t i = 0; i < n; i++)
        buffer[i] = (unsigned char)text.at[i] < 0x20 || text.at[i] == 0x7f ? '?' : text.at[i];
    if (text.length > room && room >= 3) {
        /* Do not leave half of a multi-byte character before the dots. */
        size_t cut = room - 3;
        while (cut > 0 && ((unsigned char)text.at[cut] & 0xc0) == 0x80)
            cut--;
        memcpy(buffer + cut, "...", 3);
        n = cut + 3;
    }
    buffer[n] = '\0';
    return buffer;
}
