/* Bit counting and walking for 32-bit sets of points. */
#ifndef KV_BASE_BITS_H
#define KV_BASE_BITS_H

#include <stdint.h>

static inline int kv_popcount(uint32_t set)
{
    return __builtin_popcount(set);
}

/* The lowest member of a set that is not empty. */
static inline int kv_lowest(uint32_t set)
{
    return __builtin_ctz(set);
}

/* Removes the lowest member from `*set` (not empty) and returns it. */
static inline int kv_take(uint32_t *set)
{
    int point = __builtin_ctz(*set);
    *set &= *set - 1;
    return point;
}

#endif
