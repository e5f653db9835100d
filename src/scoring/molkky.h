/* Molkky: the state, and the chances of a thrower. */
#ifndef KV_SCORING_MOLKKY_H
#define KV_SCORING_MOLKKY_H

#include "scoring/module.h"

enum { KV_MOLKKY_GOAL = 50 };

struct kv_molkky_side {
    int total, run; /* run: X since the last throw that scored */
    size_t throws;
    int64_t out; /* 0: in; else the how-manieth to go */
};

struct kv_molkky {
    const struct kv_card_setup *setup;
    size_t turn, live;
    int64_t outs;
    bool over;
    struct kv_molkky_side sides[];
};

/* chance[t][x]: of reaching 50 before three X running, alone, from total t with x of them, when every
 * throw is aimed at one pin as well as can be chosen, and hits it with probability p; a miss is an X.
 * target[t][x]: the pin to aim at, the lowest of equally good ones. */
struct kv_molkky_chances {
    double chance[KV_MOLKKY_GOAL][3];
    int target[KV_MOLKKY_GOAL][3];
};

/* By value iteration over the 150 states; 0 <= p <= 1. */
void kv_molkky_solve(double p, struct kv_molkky_chances *chances);

int kv_molkky_advice(const void *state, struct kv_span rest, struct kv_buffer *out, struct kv_error *error);

#endif
