#include "log.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "thread.h"

struct kv_log {
    struct kv_mutex lock;
    FILE *file;
};

int kv_log_create(struct kv_log **log)
{
    struct kv_log *fresh = calloc(1, sizeof *fresh);
    if (!fresh)
        return KV_E_MEMORY;
    kv_mutex_init(&fresh->lock);
    *log = fresh;
    return KV_OK;
}

void kv_log_destroy(struct kv_log *log)
{
    if (!log)
        return;
    if (log->file)
        fclose(log->file);
    kv_mutex_finish(&log->lock);
    free(log);
}

int kv_log_open(struct kv_log *log, const char *path, struct kv_error *error)
{
    FILE *file = NULL;
    if (path && path[0] != '\0') {
        file = fopen(path, "a");
        if (!file)
            return kv_fail(error, KV_E_IO, "cannot write '%s': %s", path, strerror(errno));
    }
    kv_mutex_lock(&log->lock);
    FILE *old = log->file;
    log->file = file;
    kv_mutex_unlock(&log->lock);
    if (old)
        fclose(old);
    return KV_OK;
}

void kv_log_lines(struct kv_log *log, const char *mark, const char *bytes, size_t length)
{
    kv_mutex_lock(&log->lock);
    while (log->file && length > 0) {
        const char *end = memchr(bytes, '\n', length);
        size_t line = end ? (size_t)(end - bytes) : length;
        fprintf(log->file, "%s ", mark);
        fwrite(bytes, 1, line, log->file);
        fputc('\n', log->file);
        line += end != NULL;
        bytes += line;
        length -= line;
    }
    if (log->file)
        fflush(log->file);
    kv_mutex_unlock(&log->lock);
}
