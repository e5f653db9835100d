#include "writer.h"

void kv_writer_init(struct kv_writer *writer, int (*write)(void *, const char *, size_t), void *user,
                    struct kv_engine *engine)
{
    kv_mutex_init(&writer->mutex);
    writer->write = write;
    writer->user = user;
    writer->engine = engine;
    atomic_init(&writer->broken, false);
}

void kv_writer_finish(struct kv_writer *writer)
{
    kv_mutex_finish(&writer->mutex);
}

void kv_writer_write(struct kv_writer *writer, const char *bytes, size_t length)
{
    if (length == 0)
        return;
    kv_mutex_lock(&writer->mutex);
    if (!atomic_load(&writer->broken) && writer->write(writer->user, bytes, length) != KV_OK)
        atomic_store(&writer->broken, true);
    kv_engine_log(writer->engine, "<<", bytes, length);
    kv_mutex_unlock(&writer->mutex);
}

void kv_writer_flush(struct kv_writer *writer, struct kv_buffer *lines)
{
    static const char short_of_memory[] = "info string error out of memory\n";
    if (lines->failed)
        kv_writer_write(writer, short_of_memory, sizeof short_of_memory - 1);
    else
        kv_writer_write(writer, lines->data, lines->length);
    kv_buffer_clear(lines);
}
