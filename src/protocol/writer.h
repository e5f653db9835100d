/* Whole answer lines, one after the other, from any thread. */
#ifndef KV_PROTOCOL_WRITER_H
#define KV_PROTOCOL_WRITER_H

#include <stdatomic.h>

#include "base/buffer.h"
#include "base/thread.h"
#include "kvern/engine.h"

struct kv_writer {
    struct kv_mutex mutex;
    int (*write)(void *user, const char *bytes, size_t length);
    void *user;
    struct kv_engine *engine; /* for its debug log */
    atomic_bool broken;
};

void kv_writer_init(struct kv_writer *writer, int (*write)(void *, const char *, size_t), void *user,
                    struct kv_engine *engine);
void kv_writer_finish(struct kv_writer *writer);

/* Writes whole lines; nothing once the writer is broken. Any thread. */
void kv_writer_write(struct kv_writer *writer, const char *bytes, size_t length);
/* Writes what was gathered, or says that memory was short, and empties the buffer. */
void kv_writer_flush(struct kv_writer *writer, struct kv_buffer *lines);

#endif
