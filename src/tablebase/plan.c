#include "tablebase/plan.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 13 }; /* stones a side + 1 */

static int add(struct kv_plan *plan, struct kv_subspace step)
{
    if (plan->count == plan->capacity) {
        int capacity = plan->capacity ? 2 * plan->capacity : 64;
        struct kv_subspace *grown = realloc(plan->steps, (size_t)capacity * sizeof *grown);
        if (grown == NULL)
            return KV_E_MEMORY;
        plan->steps = grown;
        plan->capacity = capacity;
    }
    plan->steps[plan->count++] = step;
    return KV_OK;
}

static int add_moving(struct kv_plan *plan, const struct kv_rules *rules, int max_stones)
{
    int status = KV_OK;
    for (int total = 6; total <= 2 * rules->stones && total <= max_stones; total++)
        for (int a = 3; 2 * a <= total && status == KV_OK; a++)
            if (total - a <= rules->stones)
                status = add(plan, (struct kv_subspace){(uint8_t)a, (uint8_t)(total - a), 0, 0});
    return status;
}

/* After `ply` placements the side to move has placed ply / 2 stones, the other one the rest. */
static struct kv_subspace hands_at(const struct kv_rules *rules, int ply)
{
    return (struct kv_subspace){0, 0, (uint8_t)(rules->stones - ply / 2),
                                (uint8_t)(rules->stones - (ply + 1) / 2)};
}

/* What can occur, ply after ply: can[ply][stones of the side to move][of the other]. */
static void reach(const struct kv_rules *rules, bool can[2 * MOST][MOST][MOST])
{
    can[0][0][0] = true;
    for (int ply = 0; ply < 2 * rules->stones - 1; ply++)
        for (int a = 0; a <= rules->stones; a++)
            for (int b = 0; b <= rules->stones; b++) {
                struct kv_subspace from = hands_at(rules, ply), to;
                from.mover = (uint8_t)a;
                from.other = (uint8_t)b;
                for (int taken = 0; can[ply][a][b] && taken <= kv_subspace_most_taken(rules); taken++)
                    if (kv_subspace_after(from, taken, &to))
                        can[ply + 1][to.mover][to.other] = true;
            }
}

static int add_placing(struct kv_plan *plan, const struct kv_rules *rules, bool all_hands)
{
    bool(*can)[MOST][MOST] = calloc(2 * MOST, sizeof *can);
    int status = can ? KV_OK : KV_E_MEMORY;
    if (can)
        reach(rules, can);
    for (int ply = 2 * rules->stones - 1; ply >= 0 && status == KV_OK; ply--) {
        struct kv_subspace step = hands_at(rules, ply);
        for (int a = 0; a <= ply / 2; a++)
            for (int b = 0; b <= (ply + 1) / 2 && status == KV_OK; b++) {
                bool enough = a + step.hand_mover >= 3 && b + step.hand_other >= 3;
                if (!can[ply][a][b] && !(all_hands && enough))
                    continue;
                step.mover = (uint8_t)a;
                step.other = (uint8_t)b;
                status = add(plan, step);
            }
    }
    free(can);
    return status;
}

int kv_plan_make(struct kv_plan *plan, const struct kv_rules *rules, const struct kv_plan_limits *limits)
{
    int status = KV_OK;
    memset(plan, 0, sizeof *plan);
    if (limits->phases & KV_PLAN_MOVING)
        status = add_moving(plan, rules, limits->max_stones);
    if (status == KV_OK && limits->phases & KV_PLAN_PLACING)
        status = add_placing(plan, rules, limits->all_hands);
    if (status)
        kv_plan_finish(plan);
    return status;
}

void kv_plan_finish(struct kv_plan *plan)
{
    free(plan->steps);
    memset(plan, 0, sizeof *plan);
}
