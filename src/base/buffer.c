#include "buffer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool reserve(struct kv_buffer *buffer, size_t more)
{
    if (buffer->failed)
        return false;
    size_t need = buffer->length + more + 1;
    if (need <= buffer->capacity)
        return true;
    size_t capacity = buffer->capacity ? buffer->capacity : 256;
    while (capacity < need)
        capacity *= 2;
    char *data = realloc(buffer->data, capacity);
    if (!data) {
        buffer->failed = true;
        return false;
    }
    buffer->data = data;
    buffer->capacity = capacity;
    return true;
}

void kv_buffer_finish(struct kv_buffer *buffer)
{
    free(buffer->data);
    *buffer = (struct kv_buffer){0};
}

void kv_buffer_clear(struct kv_buffer *buffer)
{
    buffer->length = 0;
    buffer->failed = false;
    if (buffer->data)
        buffer->data[0] = '\0';
}

void kv_buffer_add(struct kv_buffer *buffer, const char *bytes, size_t length)
{
    if (!reserve(buffer, length))
        return;
    if (length > 0)
        memcpy(buffer->data + buffer->length, bytes, length);
    buffer->length += length;
    buffer->data[buffer->length] = '\0';
}

void kv_buffer_text(struct kv_buffer *buffer, const char *text)
{
    kv_buffer_add(buffer, text, strlen(text));
}

void kv_buffer_vformat(struct kv_buffer *buffer, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int n = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (n < 0) {
        buffer->failed = true;
        return;
    }
    if (!reserve(buffer, (size_t)n))
        return;
    vsnprintf(buffer->data + buffer->length, (size_t)n + 1, format, arguments);
    buffer->length += (size_t)n;
}

void kv_buffer_format(struct kv_buffer *buffer, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    kv_buffer_vformat(buffer, format, arguments);
    va_end(arguments);
}
