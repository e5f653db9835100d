/* A growing byte buffer for building answers: one whole line, then one write. */
#ifndef KV_BASE_BUFFER_H
#define KV_BASE_BUFFER_H

#include <stdarg.h>

#include "kvern/base.h"

/* Zero-initialise to start. `data` is always terminated once anything was added; NULL before.
 * A failed allocation sets `failed`, after which additions do nothing: check it once, at the end. */
struct kv_buffer {
    char *data;
    size_t length, capacity;
    bool failed;
};

void kv_buffer_finish(struct kv_buffer *buffer); /* frees; ready for use again */
void kv_buffer_clear(struct kv_buffer *buffer);  /* length 0, keeps the memory */
void kv_buffer_add(struct kv_buffer *buffer, const char *bytes, size_t length);
void kv_buffer_text(struct kv_buffer *buffer, const char *text);
void kv_buffer_format(struct kv_buffer *buffer, const char *format, ...) KV_PRINTF(2, 3);
void kv_buffer_vformat(struct kv_buffer *buffer, const char *format, va_list arguments) KV_PRINTF(2, 0);

#endif
