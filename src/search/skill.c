#include "search/skill.h"

int kv_skill_depth(int skill)
{
    return 1 + skill / 3;
}

/* A number around 0 with a bell-shaped spread: about two thirds of the time within +-width. */
static int about_zero(struct kv_random *random, int width)
{
    int sum = 0;
    for (int i = 0; i < 12; i++)
        sum += (int)kv_random_below(random, (uint32_t)width + 1);
    return sum - 6 * width;
}

int kv_skill_choose(const struct kv_root_move *roots, int count, int skill, uint64_t seed,
                    const struct kv_position *position)
{
    struct kv_random random = kv_skill_random(seed, position);
    int weakness = KV_SKILL_MAX - skill, best = 0, best_score = -2 * KV_SCORE_NONE;
    /* Now and then the player sees nothing at all: three times in ten at the lowest level, never from the
     * middle on. */
    bool blind = (int)kv_random_below(&random, 100) < 3 * (weakness - KV_SKILL_MAX / 2);
    if (blind)
        return (int)kv_random_below(&random, (uint32_t)count);
    int width = weakness * weakness / 2;
    for (int i = 0; i < count; i++) {
        int score = roots[i].score + about_zero(&random, width);
        if (score > best_score) {
            best_score = score;
            best = i;
        }
    }
    return best;
}
