/* The monotonic clock. */
#ifndef KV_BASE_CLOCK_H
#define KV_BASE_CLOCK_H

#include <stdint.h>

/* Nanoseconds since an arbitrary moment; never goes back. */
int64_t kv_clock_ns(void);

#endif
