#include "tablebase/parallel.h"

#include "base/thread.h"

struct hand {
    struct kv_thread thread;
    void (*work)(void *shared, int number);
    void *shared;
    int number;
};

static void run(void *argument)
{
    struct hand *hand = argument;
    hand->work(hand->shared, hand->number);
}

void kv_parallel_run(int threads, void (*work)(void *shared, int number), void *shared)
{
    struct hand hands[KV_PARALLEL_MAX];
    int helpers = 0;
    if (!kv_threads_exist())
        threads = 1;
    while (helpers + 1 < threads && helpers + 1 < KV_PARALLEL_MAX) {
        hands[helpers] = (struct hand){.work = work, .shared = shared, .number = helpers + 1};
        if (kv_thread_start(&hands[helpers].thread, run, &hands[helpers]) != KV_OK)
            break;
        helpers++;
    }
    work(shared, 0);
    for (int h = 0; h < helpers; h++)
        kv_thread_join(&hands[h].thread);
}
