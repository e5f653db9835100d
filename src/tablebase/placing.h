/* A subspace of the placing phase: the side to move has stones in hand. Every turn leads to a
 * subspace with fewer stones in hand, so one pass over known values is all. */
#ifndef KV_TABLEBASE_PLACING_H
#define KV_TABLEBASE_PLACING_H

#include "tablebase/block.h"

struct kv_placing {
    struct kv_block_job job;    /* `arrived` is mover + 1; after[0] is never NULL; marks is NULL */
    const _Atomic bool *cancel; /* may be NULL */
    _Atomic bool overflow;      /* job.overflow points here */
    _Atomic uint32_t next;      /* first block that nobody has taken */
    _Atomic int status;
};

/* Fills job->values, which were zero. KV_E_BUSY when cancelled, KV_E_RANGE, KV_E_MEMORY. */
int kv_placing_run(struct kv_placing *placing, int threads);

#endif
