/* The one table of weights: what a feature is worth, in hundredths of a stone, with all stones in
 * hand and with none; in between the two are mixed by the stones still in hand. */
#ifndef KV_EVAL_WEIGHTS_H
#define KV_EVAL_WEIGHTS_H

#include "eval/features.h"

struct kv_weight {
    const char *name;
    int placing, moving;
};

static const struct kv_weight kv_weights[KV_FEATURES] = {
    [KV_STONES] = {"stones", 100, 100},
    [KV_MILLS] = {"closed mills", 14, 22},
    [KV_READY] = {"mills to close next", 34, 44},
    [KV_SHUTTLES] = {"double mills", 20, 60},
    [KV_OPEN_LINES] = {"open lines", 8, 10},
    [KV_MOBILITY] = {"mobility", 5, 9},
    [KV_LOCKED] = {"locked stones", -6, -14},
    [KV_CROSSES] = {"cross points", 9, 4},
    [KV_TEES] = {"junction points", 4, 2},
    [KV_FLYING] = {"flying", 0, 90},
    [KV_TEMPO] = {"to move", 6, 8},
};

#endif
