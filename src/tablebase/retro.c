/* Retrograde analysis of a pair of subspaces; retro.h says how. */
#include "tablebase/retro.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/thread.h"
#include "board/movegen.h"

/* A state: bits 0..5 the quiet moves not yet known to lose, bits 6..7 a kind, bits 8..15 a byte. */
enum {
    COUNT_MASK = 63,
    KIND_MASK = 3 << 6,
    OPEN = 0 << 6,    /* may be won or lost; byte: the longest loss by a capture, 0 = none */
    NO_LOSS = 1 << 6, /* a capture draws: may be won */
    WINNING = 2 << 6, /* byte: a win that is certain; a shorter one may come */
    DECIDED = 3 << 6,
};

/* ---- First pass: count quiet moves, look captures up ------------------------------------------ */

/* Counts the quiet moves of a position and adds its captures to `best`. */
static inline int look_at(struct kv_block_worker *worker, uint32_t movers, bool flies, struct kv_best *best)
{
    const struct kv_rules *rules = worker->job->rules;
    uint32_t empty = worker->free_points & ~movers, twice = 0;
    uint32_t closing = worker->takeable ? kv_closing(rules->board, movers, NULL) & empty : 0;
    int quiet = 0;
    for (uint32_t rest = movers; rest;) {
        int from = kv_take(&rest);
        uint32_t targets = flies ? empty : worker->board->neighbours[from] & empty;
        uint32_t closers = targets & closing;
        if (closers)
            closers &= kv_closing(rules->board, movers & ~(1u << from), &twice);
        quiet += kv_popcount(targets & ~closers);
        while (closers) {
            int to = kv_take(&closers);
            kv_best_add(best, kv_block_capture(worker, (movers & ~(1u << from)) | 1u << to, twice >> to & 1));
        }
    }
    return quiet;
}

static void first_pass(struct kv_block_worker *worker, struct kv_retro_side *side, uint32_t block)
{
    uint16_t *states = side->states + (uint64_t)block * side->state_block;
    bool flies = side->job.rules->flying && side->job.mover == 3;
    kv_block_enter(worker, block);
    kv_block_captures(worker);
    for (uint32_t rank = 0; rank < side->state_block; rank++) {
        struct kv_best best = {.win = KV_BYTE_UNKNOWN};
        int quiet = look_at(worker, kv_block_expand(worker, side->sets[rank]), flies, &best);
        int state = OPEN | quiet | best.loss << 8;
        assert(quiet <= COUNT_MASK);
        if (best.win != KV_BYTE_UNKNOWN) {
            state = WINNING | best.win << 8;
            kv_block_decide(worker, side->sets[rank], best.win);
        } else if (best.draw) {
            state = NO_LOSS;
        } else if (quiet == 0) {
            state = DECIDED;
            kv_block_decide(worker, side->sets[rank], best.loss ? best.loss : KV_BYTE_LOST);
        }
        states[rank] = (uint16_t)state;
    }
}

/* ---- Propagation ------------------------------------------------------------------------------ */

/* A successor of the position is lost for its mover. */
static inline void gain(struct kv_block_worker *worker, uint16_t *state, uint32_t compressed, int byte)
{
    int kind = *state & KIND_MASK;
    if (kind == DECIDED || (kind == WINNING && *state >> 8 <= byte))
        return;
    *state = DECIDED;
    kv_block_decide(worker, compressed, byte);
}

/* A successor of the position is won for its mover. */
static inline void lose(struct kv_block_worker *worker, uint16_t *state, uint32_t compressed, int byte)
{
    if ((*state & KIND_MASK) != OPEN || (--*state & COUNT_MASK) != 0)
        return;
    int loss = *state >> 8;
    *state = DECIDED;
    kv_block_decide(worker, compressed, loss > byte ? loss : byte);
}

/* The successor whose mover's opponent stands on `set` (compressed) has just been decided. */
static inline void propagate(struct kv_block_worker *worker, uint16_t *states, uint32_t set, bool flies,
                             int level)
{
    const struct kv_block_job *job = worker->job;
    const struct kv_board *board = worker->board;
    uint32_t movers = kv_block_expand(worker, set), empty = worker->free_points & ~movers;
    uint32_t moved = worker->takeable ? movers & ~kv_in_mills(job->rules, movers) : movers;
    while (moved) {
        int to = kv_take(&moved);
        uint32_t without = set & ~kv_compress(1u << to, worker->free_points);
        uint32_t origins = flies ? empty : board->neighbours[to] & empty;
        while (origins) {
            uint32_t from = origins & -origins;
            origins ^= from;
            uint32_t before = without | kv_compress(from, worker->free_points);
            uint16_t *state = &states[kv_index_rank(job->index, job->mover, before)];
            if (kv_byte_is_loss((uint8_t)level))
                gain(worker, state, before, level + 1);
            else
                lose(worker, state, before, level + 1);
        }
    }
}

/* Looks for the bytes `level` in a block of the successors' values, eight at a time. */
static void level_pass(struct kv_block_worker *worker, struct kv_retro_side *side,
                       const struct kv_block_job *successors, int level, uint32_t block)
{
    if ((atomic_load_explicit(&successors->marks[block * 4 + (unsigned)level / 64], memory_order_relaxed) >>
             level % 64 &
         1) == 0)
        return;
    const uint8_t *values = successors->values + (uint64_t)block * side->state_block;
    uint16_t *states = side->states + (uint64_t)block * side->state_block;
    bool flies = side->job.rules->flying && side->job.mover == 3;
    const uint64_t ones = UINT64_C(0x0101010101010101), pattern = ones * (unsigned)level;
    bool entered = false;
    uint32_t rank = 0;
    while (rank < side->state_block) {
        uint32_t end = rank + 1;
        if (((uintptr_t)(values + rank) & 7) == 0 && rank + 8 <= side->state_block) {
            uint64_t word = __atomic_load_n((const uint64_t *)(values + rank), __ATOMIC_RELAXED) ^ pattern;
            end = rank + 8;
            if (((word - ones) & ~word & ones << 7) == 0) {
                rank = end;
                continue;
            }
        }
        for (; rank < end; rank++)
            if (__atomic_load_n(values + rank, __ATOMIC_RELAXED) == level) {
                if (!entered)
                    kv_block_enter(worker, block);
                entered = true;
                propagate(worker, states, side->sets[rank], flies, level);
            }
    }
}

/* ---- Steps ------------------------------------------------------------------------------------ */

static bool cancelled(const struct kv_retro *retro)
{
    return atomic_load_explicit(&retro->overflow, memory_order_relaxed) ||
           (retro->cancel && atomic_load_explicit(retro->cancel, memory_order_relaxed));
}

/* Takes blocks of `side` until none is left, or the work is given up. */
static void work(struct kv_retro *retro, struct kv_block_worker *worker, struct kv_retro_side *side)
{
    const struct kv_retro_side *successors = &retro->side[retro->sides - 1 - (side - retro->side)];
    uint32_t share = 1 + side->state_blocks / 1024;
    worker->job = &side->job;
    while (!cancelled(retro)) {
        uint32_t block = atomic_fetch_add(&retro->next, share);
        if (block >= side->state_blocks)
            break;
        uint32_t end = block + share < side->state_blocks ? block + share : side->state_blocks;
        for (; block < end; block++)
            if (retro->level == 0)
                first_pass(worker, side, block);
            else
                level_pass(worker, side, &successors->job, retro->level, block);
    }
    kv_block_flush(worker);
    int deepest = atomic_load(&retro->deepest);
    while (deepest < worker->deepest &&
           !atomic_compare_exchange_weak(&retro->deepest, &deepest, worker->deepest))
        ;
}

struct crew {
    struct kv_retro *retro;
    struct kv_mutex mutex;
    struct kv_condition all_met;
    int size, met;     /* threads; those that have come to the present meeting */
    unsigned meetings; /* that are over */
    bool done;
};

struct member {
    struct crew *crew;
    struct kv_block_worker worker;
    struct kv_thread thread;
};

/* Returns when all have come: before and after each step. */
static void meet(struct crew *crew)
{
    kv_mutex_lock(&crew->mutex);
    unsigned meeting = crew->meetings;
    if (++crew->met == crew->size) {
        crew->met = 0;
        crew->meetings++;
        kv_condition_signal_all(&crew->all_met);
    }
    while (crew->meetings == meeting)
        kv_condition_wait(&crew->all_met, &crew->mutex);
    kv_mutex_unlock(&crew->mutex);
}

/* Every thread runs this; `leader` prepares each step while the others wait. */
static void serve(struct crew *crew, struct kv_block_worker *worker, bool leader)
{
    struct kv_retro *retro = crew->retro;
    for (;;) {
        for (int s = 0; s < retro->sides; s++) {
            if (leader)
                atomic_store(&retro->next, 0);
            meet(crew);
            work(retro, worker, &retro->side[s]);
            meet(crew);
        }
        if (leader) {
            crew->done = retro->level >= atomic_load(&retro->deepest) || cancelled(retro);
            retro->level++;
            if (retro->progress)
                retro->progress(retro->user, retro);
        }
        meet(crew);
        if (crew->done)
            return;
    }
}

static void helper(void *argument)
{
    struct member *member = argument;
    serve(member->crew, &member->worker, false);
}

/* With as many of the `threads` as the system gives. */
static void run_crew(struct crew *crew, struct member *members, int threads)
{
    int helpers = 0;
    kv_mutex_init(&crew->mutex);
    kv_condition_init(&crew->all_met);
    crew->size = threads; /* nobody's meeting ends before the number is known */
    while (helpers + 1 < threads &&
           kv_thread_start(&members[helpers + 1].thread, helper, &members[helpers + 1]) == KV_OK)
        helpers++;
    kv_mutex_lock(&crew->mutex);
    crew->size = helpers + 1;
    kv_mutex_unlock(&crew->mutex);
    serve(crew, &members[0].worker, true);
    for (int t = 1; t <= helpers; t++)
        kv_thread_join(&members[t].thread);
    kv_condition_finish(&crew->all_met);
    kv_mutex_finish(&crew->mutex);
}

int kv_retro_run(struct kv_retro *retro, int threads)
{
    struct crew crew = {.retro = retro};
    if (!kv_threads_exist())
        threads = 1;
    struct member *members = calloc((size_t)threads, sizeof *members);
    uint32_t longest = retro->side[0].state_block;
    int status = members ? KV_OK : KV_E_MEMORY;
    if (retro->sides == 2 && retro->side[1].state_block > longest)
        longest = retro->side[1].state_block;
    for (int t = 0; t < threads && status == KV_OK; t++) {
        members[t].crew = &crew;
        status = kv_block_worker_init(&members[t].worker, retro->side[0].job.index->board, longest);
    }
    retro->level = 0;
    if (status == KV_OK)
        run_crew(&crew, members, threads);
    for (int t = 0; members && t < threads; t++)
        kv_block_worker_finish(&members[t].worker);
    free(members);
    if (status == KV_OK && atomic_load(&retro->overflow))
        status = KV_E_RANGE;
    else if (status == KV_OK && cancelled(retro))
        status = KV_E_BUSY;
    return status;
}

/* ---- Memory ----------------------------------------------------------------------------------- */

static int init_side(struct kv_retro_side *side)
{
    const struct kv_block_job *job = &side->job;
    const struct kv_index *index = job->index;
    side->value_blocks = index->classes[job->mover].count;
    side->value_block = kv_index_block(index, job->mover, job->other);
    side->state_blocks = index->classes[job->other].count;
    side->state_block = kv_index_block(index, job->other, job->mover);
    side->sets = malloc(side->state_block * sizeof *side->sets);
    side->job.marks = calloc((size_t)side->value_blocks * 4, sizeof *side->job.marks);
    if (side->sets == NULL || side->job.marks == NULL)
        return KV_E_MEMORY;
    uint32_t set = (1u << job->mover) - 1;
    for (uint32_t rank = 0; rank < side->state_block; rank++, set = kv_next_set(set))
        side->sets[rank] = set;
    return KV_OK;
}

int kv_retro_init(struct kv_retro *retro, const struct kv_index *index, const struct kv_rules *rules, int a,
                  int b)
{
    memset(retro, 0, sizeof *retro);
    retro->sides = a == b ? 1 : 2;
    int status = KV_OK;
    for (int s = 0; s < retro->sides && status == KV_OK; s++) {
        int mover = s == 0 ? a : b, other = s == 0 ? b : a;
        retro->side[s].job = (struct kv_block_job){
            .index = index,
            .rules = rules,
            .mover = mover,
            .other = other,
            .arrived = mover,
            .overflow = &retro->overflow,
        };
        status = init_side(&retro->side[s]);
    }
    if (status)
        kv_retro_finish(retro);
    return status;
}

void kv_retro_finish(struct kv_retro *retro)
{
    for (int s = 0; s < retro->sides; s++) {
        free(retro->side[s].sets);
        free(retro->side[s].job.marks);
        retro->side[s].sets = NULL;
        retro->side[s].job.marks = NULL;
    }
}
