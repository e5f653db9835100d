/* How long to think. */
#ifndef KV_SEARCH_TIME_H
#define KV_SEARCH_TIME_H

#include "search/search.h"

/* Moments on kv_clock_ns' clock; INT64_MAX = no limit. */
struct kv_budget {
    int64_t soft; /* do not begin another iteration after this */
    int64_t hard; /* stop at this, whatever is going on */
};

/* The budget of a search for `side`. With a fixed time per move the whole of it but the overhead is
 * used; under a clock a share of what is left. */
struct kv_budget kv_budget_of(const struct kv_limits *limits, int side, int overhead_ms);

#endif
