#include "thread.h"

#ifdef KV_SINGLE_THREADED

bool kv_threads_exist(void)
{
    return false;
}

int kv_thread_start(struct kv_thread *thread, void (*function)(void *), void *argument)
{
    (void)thread;
    function(argument);
    return KV_OK;
}

void kv_thread_join(struct kv_thread *thread)
{
    (void)thread;
}

void kv_mutex_init(struct kv_mutex *mutex)
{
    (void)mutex;
}

void kv_mutex_finish(struct kv_mutex *mutex)
{
    (void)mutex;
}

void kv_mutex_lock(struct kv_mutex *mutex)
{
    (void)mutex;
}

void kv_mutex_unlock(struct kv_mutex *mutex)
{
    (void)mutex;
}

void kv_condition_init(struct kv_condition *condition)
{
    (void)condition;
}

void kv_condition_finish(struct kv_condition *condition)
{
    (void)condition;
}

void kv_condition_signal_all(struct kv_condition *condition)
{
    (void)condition;
}

void kv_condition_wait(struct kv_condition *condition, struct kv_mutex *mutex)
{
    (void)condition;
    (void)mutex;
}

bool kv_condition_wait_until(struct kv_condition *condition, struct kv_mutex *mutex, int64_t deadline_ns)
{
    (void)condition;
    (void)mutex;
    (void)deadline_ns;
    return false;
}

#else

#include <signal.h>
#include <stdlib.h>
#include <time.h>

bool kv_threads_exist(void)
{
    return true;
}

struct start {
    void (*function)(void *);
    void *argument;
};

static void *run(void *pointer)
{
    struct start start = *(struct start *)pointer;
    free(pointer);
    start.function(start.argument);
    return NULL;
}

int kv_thread_start(struct kv_thread *thread, void (*function)(void *), void *argument)
{
    struct start *start = malloc(sizeof *start);
    if (!start)
        return KV_E_MEMORY;
    *start = (struct start){function, argument};
    sigset_t asking, old; /* the signals that ask the process to end */
    sigemptyset(&asking);
    sigaddset(&asking, SIGINT);
    sigaddset(&asking, SIGTERM);
    sigaddset(&asking, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &asking, &old);
    int failed = pthread_create(&thread->handle, NULL, run, start);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    if (!failed)
        return KV_OK;
    free(start);
    return KV_E_MEMORY;
}

void kv_thread_join(struct kv_thread *thread)
{
    pthread_join(thread->handle, NULL);
}

void kv_mutex_init(struct kv_mutex *mutex)
{
    pthread_mutex_init(&mutex->handle, NULL);
}

void kv_mutex_finish(struct kv_mutex *mutex)
{
    pthread_mutex_destroy(&mutex->handle);
}

void kv_mutex_lock(struct kv_mutex *mutex)
{
    pthread_mutex_lock(&mutex->handle);
}

void kv_mutex_unlock(struct kv_mutex *mutex)
{
    pthread_mutex_unlock(&mutex->handle);
}

void kv_condition_init(struct kv_condition *condition)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&condition->handle, &attributes);
    pthread_condattr_destroy(&attributes);
}

void kv_condition_finish(struct kv_condition *condition)
{
    pthread_cond_destroy(&condition->handle);
}

void kv_condition_signal_all(struct kv_condition *condition)
{
    pthread_cond_broadcast(&condition->handle);
}

void kv_condition_wait(struct kv_condition *condition, struct kv_mutex *mutex)
{
    pthread_cond_wait(&condition->handle, &mutex->handle);
}

bool kv_condition_wait_until(struct kv_condition *condition, struct kv_mutex *mutex, int64_t deadline_ns)
{
    if (deadline_ns == INT64_MAX) {
        kv_condition_wait(condition, mutex);
        return true;
    }
    struct timespec when = {.tv_sec = deadline_ns / 1000000000, .tv_nsec = deadline_ns % 1000000000};
    if (when.tv_nsec < 0)
        when = (struct timespec){0, 0};
    return pthread_cond_timedwait(&condition->handle, &mutex->handle, &when) == 0;
}

#endif
