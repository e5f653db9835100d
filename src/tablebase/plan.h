/* Which subspaces there are to solve, in an order in which each needs only earlier ones. */
#ifndef KV_TABLEBASE_PLAN_H
#define KV_TABLEBASE_PLAN_H

#include "tablebase/table.h"

enum kv_plan_phases { KV_PLAN_MOVING = 1, KV_PLAN_PLACING = 2 };

/* A step: in the moving phase the pair a-b and b-a with a <= b, in the placing phase one subspace. */
struct kv_plan {
    struct kv_subspace *steps;
    int count, capacity;
};

struct kv_plan_limits {
    int phases;     /* bits of kv_plan_phases */
    int max_stones; /* on the board, both sides together, in the moving phase */
    bool all_hands; /* of the placing phase also what play cannot reach: any stones lost by either side */
};

/* KV_E_MEMORY. Placing subspaces: those that play from the empty board can reach, where a stone can be
 * lost only to a side with three stones on the board. */
int kv_plan_make(struct kv_plan *plan, const struct kv_rules *rules, const struct kv_plan_limits *limits);
void kv_plan_finish(struct kv_plan *plan);

#endif
