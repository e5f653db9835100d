/* Cuts bytes as they arrive into lines of any length. */
#ifndef KV_PROTOCOL_READER_H
#define KV_PROTOCOL_READER_H

#include "base/buffer.h"

/* Zero-initialise to start. */
struct kv_reader {
    struct kv_buffer partial; /* the beginning of a line whose end has not come */
    bool lost;                /* there was no memory for it: the line is dropped */
};

typedef void (*kv_reader_line)(void *user, const char *line, size_t length);

/* Calls back for every line that ends in these bytes, without its "\n" or "\r\n". */
void kv_reader_feed(struct kv_reader *reader, const char *bytes, size_t length, kv_reader_line line,
                    void *user);
/* The input ends: what is left is a line too. Frees everything. */
void kv_reader_end(struct kv_reader *reader, kv_reader_line line, void *user);

#endif
