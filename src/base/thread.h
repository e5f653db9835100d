/* Threads, locks and conditions: the system's own, or none at all.
 *
 * With KV_SINGLE_THREADED defined there are no threads: kv_thread_start runs the function to its end
 * before it returns, locks do nothing, and nothing may wait for another thread.
 */
#ifndef KV_BASE_THREAD_H
#define KV_BASE_THREAD_H

#include "kvern/base.h"

#ifdef KV_SINGLE_THREADED
struct kv_mutex {
    char unused;
};
struct kv_condition {
    char unused;
};
struct kv_thread {
    char unused;
};
#else
#include <pthread.h>
struct kv_mutex {
    pthread_mutex_t handle;
};
struct kv_condition {
    pthread_cond_t handle;
};
struct kv_thread {
    pthread_t handle;
};
#endif

/* Can kv_thread_start run two things at once? */
bool kv_threads_exist(void);

/* Runs `function(argument)` in a new thread, to be joined exactly once. KV_E_MEMORY when the system
 * has no room for another. SIGINT, SIGTERM and SIGHUP are never delivered to it. */
int kv_thread_start(struct kv_thread *thread, void (*function)(void *), void *argument);
void kv_thread_join(struct kv_thread *thread);

void kv_mutex_init(struct kv_mutex *mutex);
void kv_mutex_finish(struct kv_mutex *mutex);
void kv_mutex_lock(struct kv_mutex *mutex);
void kv_mutex_unlock(struct kv_mutex *mutex);

/* Conditions count time on the clock of kv_clock_ns. */
void kv_condition_init(struct kv_condition *condition);
void kv_condition_finish(struct kv_condition *condition);
void kv_condition_signal_all(struct kv_condition *condition);
void kv_condition_wait(struct kv_condition *condition, struct kv_mutex *mutex);
/* false once `deadline_ns` has passed; INT64_MAX waits for ever. */
bool kv_condition_wait_until(struct kv_condition *condition, struct kv_mutex *mutex, int64_t deadline_ns);

#endif
