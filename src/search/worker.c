#include "search/worker.h"

#include "base/clock.h"
#include "eval/eval.h"

enum { NODES_BETWEEN_CHECKS = 512 };

static const int64_t quiet_start_ns = INT64_C(3000000000); /* moves are named after this long */

static void tell_counts(struct kv_worker *worker)
{
    struct kv_shared *shared = worker->shared;
    atomic_fetch_add_explicit(&shared->nodes, worker->nodes - worker->nodes_told, memory_order_relaxed);
    atomic_fetch_add_explicit(&shared->tbhits, worker->tbhits - worker->tbhits_told, memory_order_relaxed);
    worker->nodes_told = worker->nodes;
    worker->tbhits_told = worker->tbhits;
}

bool kv_shared_past(const struct kv_shared *shared, int64_t moment)
{
    if (moment == INT64_MAX || atomic_load_explicit(shared->pondering, memory_order_acquire))
        return false;
    return kv_clock_ns() >= moment + atomic_load_explicit(shared->ponder_ns, memory_order_relaxed);
}

void kv_worker_check(struct kv_worker *worker)
{
    struct kv_shared *shared = worker->shared;
    tell_counts(worker);
    uint64_t nodes = atomic_load_explicit(&shared->nodes, memory_order_relaxed);
    uint64_t limit = shared->limits->nodes, step = NODES_BETWEEN_CHECKS;
    if (limit > 0 && limit > nodes && limit - nodes < step)
        step = limit - nodes;
    worker->check_at = worker->nodes + step;
    if ((limit > 0 && nodes >= limit) || (worker->node_cap > 0 && worker->nodes >= worker->node_cap))
        worker->stopped = true;
    /* One ply is looked at whatever the time: it takes a moment, and any other move would be a guess. */
    if (worker->number == 0 && worker->completed_depth == 0)
        return;
    if (atomic_load_explicit(shared->stop, memory_order_relaxed) ||
        (worker->number == 0 && kv_shared_past(shared, shared->budget.hard)))
        worker->stopped = true;
}

static struct kv_search_info info_so_far(const struct kv_worker *worker)
{
    struct kv_shared *shared = worker->shared;
    return (struct kv_search_info){
        .depth = worker->root_depth,
        .nodes = atomic_load_explicit(&shared->nodes, memory_order_relaxed),
        .tbhits = atomic_load_explicit(&shared->tbhits, memory_order_relaxed),
        .time_ns = kv_clock_ns() - shared->limits->start_ns,
        .current_move = KV_MOVE_NONE,
    };
}

void kv_worker_current_move(const struct kv_worker *worker, kv_move move, int number)
{
    const struct kv_shared *shared = worker->shared;
    if (worker->number != 0 || !shared->report || kv_clock_ns() - shared->limits->start_ns < quiet_start_ns)
        return;
    struct kv_search_info info = info_so_far(worker);
    info.current_move = move;
    info.current_move_number = number;
    shared->report(shared->user, &info);
}

void kv_worker_report(struct kv_worker *worker, const struct kv_root_move *root, int line, int score,
                      enum kv_bound bound)
{
    struct kv_shared *shared = worker->shared;
    tell_counts(worker);
    if (!shared->report)
        return;
    struct kv_search_info info = info_so_far(worker);
    info.seldepth = root->seldepth > info.depth ? root->seldepth : info.depth;
    info.multipv = line;
    /* Where the tables know the value the search only looks for the move that asks most of the opponent. */
    bool known = shared->root_value != KV_ROOT_UNKNOWN && !kv_score_is_mate(score);
    info.score = score = known ? kv_root_score(shared, worker->frames[0].position.side) : score;
    info.bound = known ? KV_BOUND_EXACT : bound;
    info.hashfull = kv_table_full(shared->table);
    info.pv = root->pv;
    info.pv_length = root->pv_length;
    kv_expected_results(shared->rules, score, info.wdl);
    if (kv_score_is_mate(score)) {
        info.wdl[0] = score > 0 ? 1000 : 0;
        info.wdl[1] = 0;
        info.wdl[2] = 1000 - info.wdl[0];
    }
    if (known && score == 0) {
        info.wdl[0] = info.wdl[2] = 0;
        info.wdl[1] = 1000;
    }
    shared->report(shared->user, &info);
}
