/* Positions that a search meets: noisy games, and what lies a few random plies beside them. */
#ifndef TUNE_NEAR_H
#define TUNE_NEAR_H

#include "base/random.h"
#include "kvern/position.h"

enum { TUNE_NEAR_MAX = 256 };

/* Plays a game with `random`: some moves at random, as many as its level of noise says, the others with the
 * best score of the named terms behind them, with weights of its own. Writes positions of it in which nothing
 * is decided, placing positions above all, and the ends of walks of one to five random plies from it. Returns
 * how many. */
int tune_near_run(const struct kv_rules *rules, struct kv_random *random,
                  struct kv_position positions[TUNE_NEAR_MAX]);

#endif
