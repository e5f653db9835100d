/* The process's own streams and the signals that ask it to end. */
#ifndef KV_BASE_STREAM_H
#define KV_BASE_STREAM_H

#include "kvern/base.h"

/* From here on SIGINT, SIGTERM and SIGHUP interrupt kv_stream_read instead of ending the process, and
 * writing to a closed pipe is an error instead of a signal; a second such signal does end it.
 * Once, at the start. KV_E_IO. */
int kv_stream_open(void);

/* Waits at most `timeout_ms` (negative: for ever) for bytes on standard input. Returns how many were
 * put into `buffer`, 0 at the end of the input, KV_E_BUSY when the time is over, KV_E_NOT_FOUND when
 * interrupted, KV_E_IO. */
long kv_stream_read(char *buffer, size_t size, int timeout_ms);

/* Makes this and every further kv_stream_read return KV_E_NOT_FOUND. Any thread. */
void kv_stream_interrupt(void);
bool kv_stream_is_interrupted(void);
/* The signal that interrupted, or 0. */
int kv_stream_signal(void);

/* While `impatient`, such a signal ends the process at once, with 128 + its number as exit code: for
 * work that cannot be stopped half-way. */
void kv_stream_set_impatient(bool impatient);

/* Writes all of it to standard output. KV_E_IO. Not for two threads at once. */
int kv_stream_write(const char *bytes, size_t length);

#endif
