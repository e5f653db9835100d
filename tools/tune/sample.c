#include "tune/sample.h"

#include <stdlib.h>

#include "board/movegen.h"
#include "tune/near.h"

_Static_assert((int)TUNE_PLY_MAX <= (int)TUNE_BATCH && (int)TUNE_NEAR_MAX <= (int)TUNE_BATCH,
               "a batch holds a game");

bool tune_is_wanted(const struct tune_options *options, const struct kv_position *position)
{
    bool placing = position->hand[0] + position->hand[1] > 0;
    return options->phases == TUNE_ALL_PHASES || placing == (options->phases == TUNE_ONLY_PLACING);
}

enum tune_exit tune_source_init(struct tune_source *source, const struct tune_set *set,
                                const struct tune_options *options)
{
    *source = (struct tune_source){.options = options, .set = set};
    if (options->population != TUNE_UNIFORM)
        return TUNE_OK;
    source->subspaces = calloc((size_t)set->count, sizeof *source->subspaces);
    if (source->subspaces == NULL ||
        kv_index_init(&source->index, kv_board_of(&set->rules), (2u << set->rules.stones) - 1) != KV_OK)
        return tune_complain(TUNE_FAILED, "out of memory");
    for (int i = 0; i < set->count; i++) {
        struct kv_position hands = {.hand = {set->subspaces[i].hand_mover, set->subspaces[i].hand_other}};
        int mover = set->subspaces[i].mover + hands.hand[0], other = set->subspaces[i].other + hands.hand[1];
        if (tune_is_wanted(options, &hands) && mover <= set->rules.stones && other <= set->rules.stones)
            source->subspaces[source->count++] = set->subspaces[i];
    }
    if (source->count == 0)
        return tune_complain(TUNE_FAILED, "--tables %s: no table of that phase", options->tables);
    return TUNE_OK;
}

void tune_source_finish(struct tune_source *source)
{
    kv_index_finish(&source->index);
    free(source->subspaces);
}

static void add(const struct tune_source *source, const struct kv_position *position,
                struct tune_batch *batch)
{
    struct tune_sample *sample = &batch->samples[batch->count];
    if (!tune_is_wanted(source->options, position) ||
        kv_position_result(&source->set->rules, position, NULL) != KV_ONGOING)
        return;
    sample->key = tune_canonical(&source->set->rules, position, &sample->position);
    if (tune_set_value(source->set, &sample->position, &sample->value))
        batch->count++;
    else
        batch->missing++;
}

/* Positions that have several slots count by one of them. */
static void draw(const struct tune_source *source, struct kv_random *random, struct tune_batch *batch)
{
    struct kv_subspace subspace = source->subspaces[kv_random_below(random, (uint32_t)source->count)];
    uint64_t slots = kv_index_slots(&source->index, subspace.mover, subspace.other);
    uint64_t slot = kv_random_next(random) % slots;
    if (!kv_index_is_first(&source->index, subspace.mover, subspace.other, slot))
        return;
    struct kv_position position = {.hand = {subspace.hand_mover, subspace.hand_other}};
    kv_index_position(&source->index, subspace.mover, subspace.other, slot, &position.stones[0],
                      &position.stones[1]);
    add(source, &position, batch);
}

void tune_source_fill(const struct tune_source *source, struct tune_player *player, uint64_t number,
                      struct tune_batch *batch)
{
    uint64_t seed = (uint64_t)source->options->seed;
    batch->count = batch->missing = 0;
    batch->status = KV_OK;
    struct kv_random random = {kv_mix64(seed + 1) ^ kv_mix64(~number)};
    if (source->options->population == TUNE_UNIFORM) {
        for (int i = 0; i < TUNE_BATCH; i++)
            draw(source, &random, batch);
        return;
    }
    struct kv_position positions[TUNE_BATCH];
    int count = source->options->population == TUNE_NEAR
                    ? tune_near_run(&source->set->rules, &random, positions)
                    : tune_player_run(player, seed, number, positions);
    batch->status = count < 0 ? count : KV_OK;
    for (int i = 0; i < count; i++)
        add(source, &positions[i], batch);
}
