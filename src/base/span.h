/* Text as pointer and length: what every parser in the project takes. A span owns nothing. */
#ifndef KV_BASE_SPAN_H
#define KV_BASE_SPAN_H

#include "kvern/base.h"

struct kv_span {
    const char *at;
    size_t length;
};

/* The whole of a terminated string. */
struct kv_span kv_span_of(const char *text);

/* Cuts the next token (bytes up to a space or tab) off the front of `rest` and returns it; empty
 * when there is none. Leading blanks are skipped, and `\r` and `\n` count as blanks. */
struct kv_span kv_span_token(struct kv_span *rest);

/* `text` without blanks at either end. */
struct kv_span kv_span_trim(struct kv_span text);

bool kv_span_is(struct kv_span text, const char *word);        /* equal bytes */
bool kv_span_is_nocase(struct kv_span text, const char *word); /* equal but for ASCII case */
bool kv_span_starts(struct kv_span text, const char *prefix);

/* The whole span as a decimal integer with an optional minus sign, within [low, high].
 * KV_E_SYNTAX when it is no integer, KV_E_RANGE when it lies outside (or overflows). */
int kv_span_int(struct kv_span text, int64_t low, int64_t high, int64_t *value);

/* Copies `text` for showing in an error: terminated, control bytes shown as '?', cut to fit with
 * "..." at the end. Returns `buffer`. */
const char *kv_span_show(struct kv_span text, char *buffer, size_t size);

#endif
