/* Bit counting and walking for 32-bit sets of points. */
#ifndef KV_BASE_BITS_H
#define KV_BASE_BITS_H

#include <stdint.h>
#if defined(__BMI2__)
#include <immintrin.h>
#endif

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

/* Bit i of the result: is the i-th member of `mask` in `set`? */
static inline uint32_t kv_compress(uint32_t set, uint32_t mask)
{
#if defined(__BMI2__)
    return _pext_u32(set, mask);
#else
    uint32_t result = 0;
    for (set &= mask; set; set &= set - 1)
        result |= 1u << kv_popcount(mask & ((set & -set) - 1));
    return result;
#endif
}

/* The members of `mask` whose numbers within it are in `set`: undoes kv_compress. */
static inline uint32_t kv_expand(uint32_t set, uint32_t mask)
{
#if defined(__BMI2__)
    return _pdep_u32(set, mask);
#else
    uint32_t result = 0;
    for (; mask; mask &= mask - 1, set >>= 1)
        if (set & 1)
            result |= mask & -mask;
    return result;
#endif
}

#endif
