/* Iterative deepening at the root: aspiration windows, several lines, when to stop, and the proof that a
 * forced win or loss is as short as it was said to be. */
#include <string.h>

#include "board/movegen.h"
#include "search/root.h"
#include "search/worker.h"

enum { FIRST_WINDOW = 24, ASPIRATION_DEPTH = 4, PROOF_NODES = 200000 };

static int search_root(struct kv_worker *worker, int alpha, int beta, int depth)
{
    return (kv_rules_are_classic(worker->shared->rules) ? kv_search_root_classic
                                                        : kv_search_root_general)(worker, alpha, beta, depth);
}

/* Best first; equals keep their order. */
static void sort_roots(struct kv_root_move *roots, int from, int to)
{
    for (int i = from + 1; i < to; i++) {
        int j = i;
        while (j > from && roots[j - 1].score < roots[i].score)
            j--;
        if (j == i)
            continue;
        struct kv_root_move moved = roots[i];
        memmove(&roots[j + 1], &roots[j], (size_t)(i - j) * sizeof *roots);
        roots[j] = moved;
    }
}

/* One line of one iteration: opens the window until the value lies inside. */
static void search_line(struct kv_worker *worker, int depth, int lines)
{
    struct kv_root_move *roots = worker->root_moves;
    int first = worker->pv_index, guess = roots[first].previous, window = FIRST_WINDOW;
    int alpha = -KV_SCORE_WIN, beta = KV_SCORE_WIN;
    if (depth >= ASPIRATION_DEPTH && guess > -KV_SCORE_WIN_MIN && guess < KV_SCORE_WIN_MIN) {
        alpha = guess - window;
        beta = guess + window;
    }
    for (;;) {
        int score = search_root(worker, alpha, beta, depth);
        if (roots[first].score != -KV_SCORE_NONE || !worker->stopped)
            sort_roots(roots, first, worker->root_count);
        if (worker->stopped)
            return;
        window *= 3;
        if (score <= alpha && alpha > -KV_SCORE_WIN) {
            if (worker->number == 0 && lines == 1)
                kv_worker_report(worker, &roots[first], 1, score, KV_BOUND_UPPER);
            beta = (alpha + beta) / 2;
            alpha = window > 1000 ? -KV_SCORE_WIN : score - window;
        } else if (score >= beta && beta < KV_SCORE_WIN) {
            if (worker->number == 0 && lines == 1)
                kv_worker_report(worker, &roots[first], 1, score, KV_BOUND_LOWER);
            beta = window > 1000 ? KV_SCORE_WIN : score + window;
        } else
            return;
    }
}

/* Reports the lines known so far; those not reached in this iteration have their old score. */
static void report_lines(struct kv_worker *worker, int lines)
{
    for (int i = 0; i < lines; i++) {
        struct kv_root_move *root = &worker->root_moves[i];
        kv_root_complete_line(worker->shared->tablebase, worker->shared->rules, &worker->frames[0].position,
                              root);
        int score = root->score != -KV_SCORE_NONE ? root->score : root->previous;
        if (score != -KV_SCORE_NONE)
            kv_worker_report(worker, root, i + 1, score, KV_BOUND_EXACT);
    }
}

static bool iteration(struct kv_worker *worker, int depth, int lines)
{
    for (int i = 0; i < worker->root_count; i++) {
        if (worker->root_moves[i].score != -KV_SCORE_NONE)
            worker->root_moves[i].previous = worker->root_moves[i].score;
        worker->root_moves[i].score = -KV_SCORE_NONE;
    }
    worker->root_depth = depth;
    for (worker->pv_index = 0; worker->pv_index < lines && !worker->stopped; worker->pv_index++) {
        search_line(worker, depth, lines);
        sort_roots(worker->root_moves, 0, worker->pv_index + 1);
    }
    worker->pv_index = 0;
    if (worker->stopped)
        return false;
    worker->completed_depth = depth;
    return true;
}

/* The score was a forced result in `plies`, found by a search that reduces and prunes: true, but perhaps
 * not the shortest. Looks for a shorter one by plain full-width search. Returns true when the
 * distance is proven. */
static bool prove_distance(struct kv_worker *worker, int score, uint64_t node_cap)
{
    struct kv_root_move *root = &worker->root_moves[0];
    int plies = kv_score_mate_plies(score), shorter = (plies > 0 ? plies : -plies) - 2;
    if (shorter < 1)
        return true;
    struct kv_root_move kept = *root;
    worker->full_width = true;
    worker->node_cap = node_cap > 0 ? worker->nodes + node_cap : 0;
    int found = search_root(worker, plies > 0 ? score : score - 1, plies > 0 ? score + 1 : score, shorter);
    worker->full_width = false;
    worker->node_cap = 0;
    bool complete = !worker->stopped;
    if (!complete && !atomic_load_explicit(worker->shared->stop, memory_order_relaxed) &&
        !kv_shared_past(worker->shared, worker->shared->budget.hard)) {
        worker->stopped = false; /* only the cap was met */
        kv_worker_check(worker);
    }
    bool better = complete && (plies > 0 ? found > score : found < score);
    if (better && plies > 0) {
        sort_roots(worker->root_moves, 0, worker->root_count);
        return false;
    }
    *root = kept;
    return complete && !better;
}

/* Under a clock: is another iteration worth beginning? A best move that has just changed is given more
 * time, one that has long been the same less. */
static bool out_of_time(const struct kv_worker *worker, int steady)
{
    const struct kv_shared *shared = worker->shared;
    int64_t soft = shared->budget.soft;
    if (soft == INT64_MAX || soft == shared->budget.hard)
        return kv_shared_past(shared, soft);
    int64_t share = soft - shared->limits->start_ns;
    int64_t wanted = shared->limits->start_ns + share *
                                                    (steady >= 6   ? 40
                                                     : steady >= 3 ? 60
                                                     : steady >= 1 ? 80
                                                                   : 130) /
                                                    100;
    return kv_shared_past(shared, wanted < shared->budget.hard ? wanted : shared->budget.hard);
}

static bool mate_limit_met(const struct kv_limits *limits, int score)
{
    return limits->mate > 0 && kv_score_is_mate(score) && score > 0 &&
           kv_score_mate_plies(score) <= limits->mate;
}

void kv_worker_iterate(struct kv_worker *worker, int max_depth, int multipv)
{
    const struct kv_shared *shared = worker->shared;
    const struct kv_limits *limits = shared->limits;
    int lines = multipv < worker->root_count ? multipv : worker->root_count;
    int steady = 0, proven = 0;
    kv_move last_best = KV_MOVE_NONE;
    worker->full_width = limits->mate > 0;
    kv_worker_check(worker);
    for (int depth = 1; depth <= max_depth; depth++) {
        bool complete = iteration(worker, depth, lines);
        if (worker->number == 0 && (complete || depth == 1 || worker->root_moves[0].score != -KV_SCORE_NONE))
            report_lines(worker, lines);
        if (!complete)
            return;
        const struct kv_root_move *best = &worker->root_moves[0];
        steady = best->move == last_best ? steady + 1 : 0;
        last_best = best->move;
        if (worker->number > 0)
            continue;
        if (mate_limit_met(limits, best->score) || out_of_time(worker, steady))
            return;
        if (!kv_score_is_mate(best->score) || lines > 1 || limits->mate > 0)
            continue;
        int plies = kv_score_mate_plies(best->score);
        if (depth < (plies > 0 ? plies : -plies) || proven == best->score)
            continue;
        uint64_t cap = limits->infinite ? 0 : worker->nodes + PROOF_NODES;
        if (prove_distance(worker, best->score, cap)) {
            proven = worker->root_moves[0].score;
            if (!limits->infinite)
                return;
        }
        if (worker->stopped)
            return;
    }
}
