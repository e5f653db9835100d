/* Makes the tables of a set of rules in a directory, step by step; what is there already stays. */
#ifndef KV_TABLEBASE_BUILD_H
#define KV_TABLEBASE_BUILD_H

#include "tablebase/plan.h"

/* How far the work has come. */
struct kv_build_state {
    struct kv_subspace step;     /* in work, or just finished */
    const char *doing;           /* "reading", "captures", "propagating", "placing", "writing", "finished" */
    int level;                   /* while propagating: plies from the end */
    uint64_t done, total;        /* slots of finished steps, and of all steps that were to do */
    double seconds;              /* since the start of the build */
    double step_seconds;         /* since the start of the step */
    uint64_t step_slots;         /* of the step */
    uint64_t step_bytes;         /* memory that the step takes */
    uint64_t file_bytes;         /* finished: size of its files */
    int step_number, step_count; /* counted from 1, without those that were there */
};

struct kv_build {
    const char *path; /* an existing directory */
    const struct kv_rules *rules;
    struct kv_plan_limits limits;
    int threads;
    int level;                  /* of compression */
    uint64_t memory;            /* bytes that may be used */
    const _Atomic bool *cancel; /* may be NULL; set it to stop soon with KV_E_BUSY */
    void (*report)(void *user, const struct kv_build_state *state);
    void *user;
};

/* Only one build works in a directory at a time: KV_E_BUSY otherwise, as when cancelled. A step's
 * files appear whole or not at all, so a build that was ended in any way goes on where it was. Other
 * failures: KV_E_FULL when the disk or the memory allowed is too small (said before starting, with
 * what is needed), KV_E_RANGE (rules; distances), KV_E_MEMORY, KV_E_IO, KV_E_DAMAGED, KV_E_NOT_FOUND. */
int kv_build_run(const struct kv_build *build, struct kv_error *error);

#endif
