/* What the two instances of node_body.h share. */
#ifndef KV_SEARCH_NODE_H
#define KV_SEARCH_NODE_H

#include "search/order.h"

/* The binary logarithm of n >= 1 in 64ths, linear between powers of two. */
static inline int kv_log2_64ths(int n)
{
    int whole = 31 - __builtin_clz((unsigned)n);
    return 64 * whole + (64 * (n - (1 << whole)) >> whole);
}

#endif
