#include "reader.h"

#include <string.h>

/* Memory for unusually long lines is given back at once. */
enum { KEPT_BYTES = 1 << 20 };

static void emit(const char *text, size_t length, kv_reader_line line, void *user)
{
    if (length > 0 && text[length - 1] == '\r')
        length--;
    line(user, text, length);
}

void kv_reader_feed(struct kv_reader *reader, const char *bytes, size_t length, kv_reader_line line,
                    void *user)
{
    while (length > 0) {
        const char *end = memchr(bytes, '\n', length);
        size_t taken = end ? (size_t)(end - bytes) : length;
        if (end && reader->partial.length == 0 && !reader->lost) {
            emit(bytes, taken, line, user);
        } else {
            kv_buffer_add(&reader->partial, bytes, taken);
            reader->lost = reader->lost || reader->partial.failed;
            if (reader->lost)
                kv_buffer_finish(&reader->partial);
            if (end && !reader->lost)
                emit(reader->partial.data, reader->partial.length, line, user);
        }
        if (!end)
            return;
        if (reader->partial.capacity > KEPT_BYTES)
            kv_buffer_finish(&reader->partial);
        kv_buffer_clear(&reader->partial);
        reader->lost = false;
        bytes = end + 1;
        length -= taken + 1;
    }
}

void kv_reader_end(struct kv_reader *reader, kv_reader_line line, void *user)
{
    if (reader->partial.length > 0)
        emit(reader->partial.data, reader->partial.length, line, user);
    kv_buffer_finish(&reader->partial);
    reader->lost = false;
}
