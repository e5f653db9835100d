/* Whole files: read at once, and replaced so that a crash or a full disk never leaves half of one. */
#ifndef KV_BASE_FILE_H
#define KV_BASE_FILE_H

#include "base/buffer.h"
#include "base/span.h"

/* What tells whether a file is still the one that was read or written. All zero: there is no file. */
struct kv_file_stamp {
    uint64_t device, node, size;
    int64_t seconds, nanoseconds;
};

/* Adds the contents of a regular file to `out`. KV_E_NOT_FOUND when there is none; KV_E_IO with the
 * reason in `error` when it cannot be read. `stamp` may be NULL. */
int kv_file_read(const char *path, struct kv_buffer *out, struct kv_file_stamp *stamp,
                 struct kv_error *error);

/* Makes the file hold these bytes: written aside in the same directory, flushed to the disk, then
 * renamed over the old one (through a symbolic link, over what it points to), whose permissions it
 * keeps. On failure the old file is as it was and nothing is left beside it: KV_E_FULL when the disk
 * is, KV_E_IO otherwise. `stamp` may be NULL. */
int kv_file_replace(const char *path, struct kv_span bytes, struct kv_file_stamp *stamp,
                    struct kv_error *error);

/* The stamp of a file as it is now; of none when there is none. */
int kv_file_stamp(const char *path, struct kv_file_stamp *stamp, struct kv_error *error);

bool kv_file_stamp_equal(const struct kv_file_stamp *a, const struct kv_file_stamp *b);

/* Gives a file another name, unless something has that name already (KV_E_BUSY). */
int kv_file_rename_new(const char *from, const char *to, struct kv_error *error);

#endif
