/* Weaker play: a choice among moves that were looked at briefly. */
#ifndef KV_SEARCH_SKILL_H
#define KV_SEARCH_SKILL_H

#include "base/random.h"
#include "search/worker.h"

/* Chance, where a choice is left to it: the same for the same seed, position and moment of the game. */
static inline struct kv_random kv_skill_random(uint64_t seed, const struct kv_position *position)
{
    return (struct kv_random){seed ^ kv_position_key(position) ^ (uint64_t)position->ply << 48};
}

/* How deep a player of this skill (0..KV_SKILL_MAX - 1) looks, in plies. */
int kv_skill_depth(int skill);

/* The index of the root move such a player chooses. All root moves have scores. Depends on `seed`, the
 * position and the skill alone. */
int kv_skill_choose(const struct kv_root_move *roots, int count, int skill, uint64_t seed,
                    const struct kv_position *position);

#endif
