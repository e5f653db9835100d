#include "tablebase/placing.h"

#include "board/movegen.h"
#include "tablebase/parallel.h"

/* The values of one block: each set of the mover's stones, and each point it may add. */
static void pass(struct kv_block_worker *worker, uint32_t block)
{
    const struct kv_block_job *job = worker->job;
    int points = worker->board->points - job->other;
    uint32_t sets = kv_binomial(points, job->mover), set = (1u << job->mover) - 1, twice = 0;
    const uint8_t *quiet =
        job->after[0] + (uint64_t)block * kv_index_block(job->index, job->other, job->arrived);
    bool two = job->rules->double_mill == KV_DOUBLE_TWO;
    kv_block_enter(worker, block);
    kv_block_captures(worker);
    for (uint32_t rank = 0; rank < sets; rank++, set = set ? kv_next_set(set) : 0) {
        struct kv_best best = {.win = KV_BYTE_UNKNOWN};
        uint32_t movers = kv_block_expand(worker, set), empty = worker->free_points & ~movers;
        uint32_t closers =
            worker->takeable ? kv_closing(job->rules->board, movers, two ? &twice : NULL) & empty : 0;
        uint32_t rest = kv_compress(empty & ~closers, worker->free_points);
        while (rest) {
            uint32_t arrived = set | (rest & -rest);
            rest &= rest - 1;
            kv_best_add(&best, kv_byte_before(quiet[kv_index_rank(job->index, job->arrived, arrived)]));
        }
        while (closers) {
            int to = kv_take(&closers);
            kv_best_add(&best, kv_block_capture(worker, movers | 1u << to, two && twice >> to & 1));
        }
        if (kv_best_byte(&best) != KV_BYTE_DRAW)
            kv_block_decide(worker, set, kv_best_byte(&best));
    }
}

static void work(void *shared, int number)
{
    struct kv_placing *placing = shared;
    const struct kv_block_job *job = &placing->job;
    struct kv_block_worker worker;
    int points = job->index->board->points - job->other;
    int status = kv_block_worker_init(&worker, job->index->board, kv_binomial(points, job->arrived));
    (void)number;
    if (status) {
        atomic_store(&placing->status, status);
        return;
    }
    worker.job = job;
    while (atomic_load(&placing->status) == KV_OK && !atomic_load(&placing->overflow)) {
        uint32_t block = atomic_fetch_add(&placing->next, 1);
        if (block >= job->index->classes[job->other].count)
            break;
        if (placing->cancel && atomic_load(placing->cancel))
            atomic_store(&placing->status, KV_E_BUSY);
        else
            pass(&worker, block);
    }
    kv_block_flush(&worker);
    kv_block_worker_finish(&worker);
}

int kv_placing_run(struct kv_placing *placing, int threads)
{
    placing->job.overflow = &placing->overflow;
    atomic_store(&placing->next, 0);
    atomic_store(&placing->status, KV_OK);
    kv_parallel_run(threads, work, placing);
    return atomic_load(&placing->overflow) ? KV_E_RANGE : atomic_load(&placing->status);
}
