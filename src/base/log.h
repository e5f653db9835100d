/* A log file that several threads add whole lines to. */
#ifndef KV_BASE_LOG_H
#define KV_BASE_LOG_H

#include "kvern/base.h"

struct kv_log;

/* A log with no file, which swallows everything. KV_E_MEMORY. */
int kv_log_create(struct kv_log **log);
void kv_log_destroy(struct kv_log *log); /* NULL is allowed */

/* Goes on at the end of the file `path`, made when it is not there; an empty path or NULL closes.
 * KV_E_IO with a line, and the old file stays open. */
int kv_log_open(struct kv_log *log, const char *path, struct kv_error *error);

/* Adds each line of `bytes` (split at line feeds, a last one not needed) behind `mark` and a space. */
void kv_log_lines(struct kv_log *log, const char *mark, const char *bytes, size_t length);

#endif
