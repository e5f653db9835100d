#include "search/time.h"

enum { NS_PER_MS = 1000000, USUAL_MOVES_LEFT = 30 };

static int64_t min64(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t max64(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

struct kv_budget kv_budget_of(const struct kv_limits *limits, int side, int overhead_ms)
{
    struct kv_budget budget = {INT64_MAX, INT64_MAX};
    if (limits->infinite)
        return budget;
    if (limits->movetime_ms > 0) {
        /* Of very short times at least half is used. */
        int64_t ms = limits->movetime_ms, kept = min64(overhead_ms, ms / 2);
        budget.soft = budget.hard = limits->start_ns + (ms - kept) * NS_PER_MS;
    }
    if (limits->has_clock[side]) {
        int64_t left = max64(limits->clock_ms[side], 1), increment = max64(limits->increment_ms[side], 0);
        int64_t kept = min64(overhead_ms, left / 2), usable = left - kept;
        int moves = limits->moves_to_go > 0 ? limits->moves_to_go : USUAL_MOVES_LEFT;
        int64_t share = min64(usable, usable / moves + increment * 3 / 4);
        /* At most five shares, and never more than a good part of the clock unless it is about to be
         * refilled. */
        int64_t most = min64(share * 5, moves == 1 ? usable : usable * 2 / 5);
        int64_t hard = limits->start_ns + max64(most, min64(1, usable)) * NS_PER_MS;
        int64_t soft = limits->start_ns + min64(share, most) * NS_PER_MS;
        budget.hard = min64(budget.hard, hard);
        budget.soft = min64(budget.soft, soft);
    }
    return budget;
}
