/* Games of the engine against itself, as a source of positions that are met in play. */
#ifndef TUNE_PLAY_H
#define TUNE_PLAY_H

#include "base/random.h"
#include "search/search.h"

struct tune_player {
    const struct kv_rules *rules;
    struct kv_search *search;
    uint64_t nodes; /* a move; 0 = the move with the best static score behind it */
};

int tune_player_init(struct tune_player *player, const struct kv_rules *rules,
                     uint64_t nodes); /* KV_E_MEMORY */
void tune_player_finish(struct tune_player *player);

enum { TUNE_PLY_MAX = 240 };

/* Plays game number `number` of `seed`: 0 to 8 random moves, then quick searches, and one move in twenty at
 * random. Writes the positions met in which nothing is decided, in order, the start included. The same
 * game for the same numbers, whatever was played before. Returns how many, or KV_E_MEMORY. */
int tune_player_run(struct tune_player *player, uint64_t seed, uint64_t number,
                    struct kv_position positions[TUNE_PLY_MAX]);

#endif
