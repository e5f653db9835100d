/* The same work by several threads at once. */
#ifndef KV_TABLEBASE_PARALLEL_H
#define KV_TABLEBASE_PARALLEL_H

/* Runs `work(shared, number)` in `threads` (>= 1) threads, numbered from 0, the calling one included,
 * and returns when all have returned. With fewer when the system gives no more: number 0 always
 * runs, so work has to be shared out by counters, not by numbers. */
void kv_parallel_run(int threads, void (*work)(void *shared, int number), void *shared);

enum { KV_PARALLEL_MAX = 64 };

#endif
