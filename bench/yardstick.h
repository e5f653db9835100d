/* The classic game written by hand, without rules, boards or variants: what the general move generator,
 * specialised by the compiler, is measured against. */
#ifndef KV_BENCH_YARDSTICK_H
#define KV_BENCH_YARDSTICK_H

#include <stdint.h>

struct yardstick {
    uint32_t own, other; /* points in the order of the position text */
    int own_hand, other_hand;
};

/* Perft of the side to move, last ply counted. */
uint64_t yardstick_perft(const struct yardstick *position, int depth);

#endif
