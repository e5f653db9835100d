/* Blocks: captures looked up, values sent to their slots. */
#include "tablebase/block.h"

#include <stdlib.h>
#include <string.h>

#include "board/movegen.h"

int kv_block_worker_init(struct kv_block_worker *worker, const struct kv_board *board, uint32_t longest)
{
    memset(worker, 0, sizeof *worker);
    worker->board = board;
    worker->captured[0] = malloc(longest);
    worker->captured[1] = malloc(longest);
    if (worker->captured[0] && worker->captured[1])
        return KV_OK;
    kv_block_worker_finish(worker);
    return KV_E_MEMORY;
}

void kv_block_worker_finish(struct kv_block_worker *worker)
{
    free(worker->captured[0]);
    free(worker->captured[1]);
    worker->captured[0] = worker->captured[1] = NULL;
}

/* ---- Writing values --------------------------------------------------------------------------- */

static void store(const struct kv_block_job *job, uint32_t block, uint32_t inside, uint8_t byte)
{
    uint64_t size = kv_index_block(job->index, job->mover, job->other);
    __atomic_store_n(&job->values[block * size + inside], byte, __ATOMIC_RELAXED);
}

/* The other slots of a position whose mover's stones are symmetric in themselves. */
static void store_images(const struct kv_block_worker *worker, uint32_t entry, uint32_t others, uint8_t byte)
{
    const struct kv_block_job *job = worker->job;
    uint32_t symmetries = job->index->classes[job->mover].stabiliser[entry >> 4] & ~1u;
    uint32_t image = kv_symmetry_set(worker->board, (int)(entry & 15), others);
    while (symmetries)
        store(job, entry >> 4,
              kv_index_inside(job->index, job->mover, entry >> 4, kv_take(&symmetries), job->other, image),
              byte);
}

static void mark(const struct kv_block_job *job, uint32_t block, uint8_t byte)
{
    _Atomic uint64_t *word = &job->marks[block * 4 + byte / 64];
    uint64_t bit = UINT64_C(1) << byte % 64;
    if ((atomic_load_explicit(word, memory_order_relaxed) & bit) == 0)
        atomic_fetch_or_explicit(word, bit, memory_order_relaxed);
}

/* In rounds, so that the far memory each needs is on its way before use. */
void kv_block_flush(struct kv_block_worker *worker)
{
    const struct kv_block_job *job = worker->job;
    const struct kv_classes *classes = &job->index->classes[job->mover];
    uint64_t size = kv_index_block(job->index, job->mover, job->other);
    uint32_t place[KV_BLOCK_QUEUE];
    for (int i = 0; i < worker->queued; i++) {
        place[i] = kv_index_rank(job->index, job->mover, worker->queue[i].movers);
        __builtin_prefetch(&classes->entry[place[i]]);
    }
    for (int i = 0; i < worker->queued; i++) {
        uint32_t entry = worker->queue[i].entry = classes->entry[place[i]];
        place[i] = kv_index_inside(job->index, job->mover, entry >> 4, (int)(entry & 15), job->other,
                                   worker->queue[i].others);
        __builtin_prefetch(&job->values[(entry >> 4) * size + place[i]], 1);
    }
    for (int i = 0; i < worker->queued; i++) {
        uint32_t entry = worker->queue[i].entry;
        uint8_t byte = worker->queue[i].byte;
        store(job, entry >> 4, place[i], byte);
        if (classes->stabiliser[entry >> 4] != 1)
            store_images(worker, entry, worker->queue[i].others, byte);
        if (job->marks)
            mark(job, entry >> 4, byte);
    }
    worker->queued = 0;
}

void kv_block_decide(struct kv_block_worker *worker, uint32_t compressed, int byte)
{
    if (byte > KV_BYTE_MAX) {
        atomic_store(worker->job->overflow, true);
        return;
    }
    if (byte > worker->deepest)
        worker->deepest = byte;
    worker->queue[worker->queued].movers = kv_block_expand(worker, compressed);
    worker->queue[worker->queued].others = worker->others;
    worker->queue[worker->queued++].byte = (uint8_t)byte;
    if (worker->queued == KV_BLOCK_QUEUE)
        kv_block_flush(worker);
}

/* ---- Captures --------------------------------------------------------------------------------- */

static struct kv_block_target target_of(const struct kv_block_worker *worker, int taken, uint32_t left)
{
    const struct kv_block_job *job = worker->job;
    const struct kv_index *index = job->index;
    int mover = job->other - taken; /* who is to move then */
    if (job->after[taken] == NULL)
        return (struct kv_block_target){NULL, 0, 0};
    uint32_t entry = index->classes[mover].entry[kv_index_rank(index, mover, left)];
    return (struct kv_block_target){
        job->after[taken] + (uint64_t)(entry >> 4) * kv_index_block(index, mover, job->arrived),
        worker->board->all & ~index->classes[mover].sets[entry >> 4],
        (int)(entry & 15),
    };
}

/* The pairs a double mill may take; none when only one stone can be taken. */
static void list_pairs(struct kv_block_worker *worker)
{
    const struct kv_rules *rules = worker->job->rules;
    uint32_t firsts = worker->takeable;
    for (uint32_t rest = firsts; rest;) {
        uint32_t first = 1u << kv_take(&rest);
        for (uint32_t seconds = kv_takeable(rules, worker->others & ~first); seconds;) {
            uint32_t second = 1u << kv_take(&seconds);
            bool listed =
                second < first && firsts & second && kv_takeable(rules, worker->others & ~second) & first;
            if (!listed)
                worker->two[worker->twos++] = target_of(worker, 2, worker->others & ~(first | second));
        }
    }
}

void kv_block_captures(struct kv_block_worker *worker)
{
    const struct kv_block_job *job = worker->job;
    uint32_t sets = kv_binomial(worker->board->points - job->other, job->arrived);
    worker->ones = worker->twos = 0;
    for (uint32_t rest = worker->takeable; rest;)
        worker->one[worker->ones++] = target_of(worker, 1, worker->others & ~(1u << kv_take(&rest)));
    memset(worker->captured[0], KV_BYTE_UNKNOWN, sets);
    if (job->rules->double_mill == KV_DOUBLE_TWO) {
        list_pairs(worker);
        memset(worker->captured[1], KV_BYTE_UNKNOWN, sets);
    }
}

/* The table for kv_block_expand. */
static void make_expand(struct kv_block_worker *worker)
{
#if defined(__BMI2__)
    (void)worker;
#else
    for (int byte = 0; byte < 3; byte++)
        for (uint32_t set = 1; set < 256; set++) {
            uint32_t bit = set & -set;
            worker->expand[byte][set] =
                worker->expand[byte][set ^ bit] |
                (set == bit ? kv_expand(bit << 8 * byte, worker->free_points) : worker->expand[byte][bit]);
        }
#endif
}

void kv_block_enter(struct kv_block_worker *worker, uint32_t block)
{
    const struct kv_block_job *job = worker->job;
    worker->others = job->index->classes[job->other].sets[block];
    worker->free_points = worker->board->all & ~worker->others;
    worker->takeable = kv_takeable(job->rules, worker->others);
    make_expand(worker);
}

static uint8_t best_capture(const struct kv_block_worker *worker, const struct kv_block_target *targets,
                            int count, uint32_t movers)
{
    const struct kv_block_job *job = worker->job;
    struct kv_best best = {.win = KV_BYTE_UNKNOWN};
    for (int i = 0; i < count; i++) {
        uint8_t after = KV_BYTE_LOST;
        if (targets[i].values) {
            uint32_t image = kv_symmetry_set(worker->board, targets[i].symmetry, movers);
            after = targets[i].values[kv_index_rank(job->index, job->arrived,
                                                    kv_compress(image, targets[i].free_points))];
        }
        kv_best_add(&best, kv_byte_before(after));
    }
    return kv_best_byte(&best);
}

uint8_t kv_block_capture(struct kv_block_worker *worker, uint32_t movers, bool two)
{
    bool pair = two && worker->twos > 0;
    uint32_t rank =
        kv_index_rank(worker->job->index, worker->job->arrived, kv_compress(movers, worker->free_points));
    uint8_t *known = &worker->captured[pair][rank];
    if (*known == KV_BYTE_UNKNOWN) {
        *known = pair ? best_capture(worker, worker->two, worker->twos, movers)
                      : best_capture(worker, worker->one, worker->ones, movers);
        if (*known == KV_BYTE_UNKNOWN)
            atomic_store(worker->job->overflow, true);
    }
    return *known;
}
