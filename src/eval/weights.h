/* The one table of weights: what a feature is worth, in hundredths of a stone, with all stones in
 * hand and with none; in between the two are mixed by the stones still in hand.
 *
 * Made by: kvern-tune fit near2.txt
 * kvern-tune 0.1.0: 2000000 positions, near play, seed 1, 9 stones a side
 * from 1600442 positions; cross-entropy on 199996 others 0.51038, with the weights before 0.57062.
 * Expected score = 1 / (1 + exp(-score / 203)).
 */
#ifndef KV_EVAL_WEIGHTS_H
#define KV_EVAL_WEIGHTS_H

#include "eval/features.h"

struct kv_weight {
    const char *name;
    int placing, moving;
};

static const struct kv_weight kv_weights[KV_FEATURES] = {
    [KV_STONES] = {"stones", 305, 100},
    [KV_MILLS] = {"closed mills", 166, 72},
    [KV_READY] = {"mills to close next", 157, 146},
    [KV_SHUTTLES] = {"double mills", -48, 106},
    [KV_OPEN_LINES] = {"open lines", -59, 18},
    [KV_MOBILITY] = {"mobility", 81, 3},
    [KV_LOCKED] = {"locked stones", -165, -32},
    [KV_CROSSES] = {"cross points", 110, 22},
    [KV_TEES] = {"junction points", 37, 12},
    [KV_FLYING] = {"flying", 0, 129},
    [KV_TEMPO] = {"to move", 386, 106},
};

#endif
