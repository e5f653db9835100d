/* Other programs: started with pipes to their input and output, talked to without ever waiting for
 * longer than wanted, and ended for good. Also the signals that ask this program to end.
 *
 * A process is used by one thread at a time; different ones by different threads. It should be ended by
 * the thread that started it: where the system can, it dies with that thread.
 */
#ifndef KV_BASE_PROCESS_H
#define KV_BASE_PROCESS_H

#include "kvern/base.h"

/* Zero-initialised: no process. */
struct kv_process {
    int pid;     /* 0 = none */
    int in, out; /* its standard input and output, seen from here: write `in`, read `out`; -1 = closed */
};

/* Starts `arguments` (NULL-terminated; the first is looked for in PATH) in `directory` (NULL = here), in a
 * process group of its own, its standard error going nowhere. KV_E_IO with a line when it cannot be run. */
int kv_process_start(struct kv_process *process, const char *const *arguments, const char *directory,
                     struct kv_error *error);

/* Waits until the process can be read from, or, with `writing`, written to, or until `deadline_ns`
 * (kv_clock_ns). KV_OK when something can be tried, KV_E_BUSY when the time is over, KV_E_NOT_FOUND when
 * interrupted. */
int kv_process_wait(const struct kv_process *process, bool writing, int64_t deadline_ns);

/* Reads what is there: the number of bytes, 0 at the end of its output, KV_E_BUSY when there is nothing
 * now, KV_E_IO. */
long kv_process_read(struct kv_process *process, char *buffer, size_t size);
/* Writes what fits: the number of bytes, KV_E_BUSY when nothing fits now, KV_E_IO when nobody reads. */
long kv_process_write(struct kv_process *process, const char *bytes, size_t length);

/* Does it end within `wait_ms`? */
bool kv_process_ends(const struct kv_process *process, int wait_ms);

/* Closes the pipes, gives the process `grace_ms` to end by itself, kills it and whatever it has started,
 * and waits for its end. Afterwards it is zeroed. Nothing for a zeroed one. */
void kv_process_end(struct kv_process *process, int grace_ms);

/* From here on SIGINT, SIGTERM and SIGHUP only interrupt kv_process_wait, and writing to a process that is
 * gone is an error instead of a signal; a second such signal ends this program. Once. KV_E_IO. */
int kv_process_watch_signals(void);
/* The signal that came, or 0. */
int kv_process_signal(void);
/* Makes every kv_process_wait return KV_E_NOT_FOUND from now on. Any thread. */
void kv_process_interrupt(void);

#endif
