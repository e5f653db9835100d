/* A small reproducible random number generator: the same seed gives the same numbers everywhere. */
#ifndef KV_BASE_RANDOM_H
#define KV_BASE_RANDOM_H

#include <stdint.h>

struct kv_random {
    uint64_t state;
};

/* One invertible scrambling of 64 bits (the finaliser of SplitMix64: Steele, Lea and Flood, "Fast
 * splittable pseudorandom number generators", 2014). */
static inline uint64_t kv_mix64(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

/* The next 64 bits. Any seed, zero too, is a good one: `(struct kv_random){seed}`. */
static inline uint64_t kv_random_next(struct kv_random *random)
{
    random->state += UINT64_C(0x9e3779b97f4a7c15);
    return kv_mix64(random->state);
}

/* A number in [0, bound), bound > 0; the bias is below bound / 2^32. */
static inline uint32_t kv_random_below(struct kv_random *random, uint32_t bound)
{
    return (uint32_t)(((kv_random_next(random) >> 32) * bound) >> 32);
}

#endif
