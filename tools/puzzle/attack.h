/* Does a side force its win within n plies? */
#ifndef PUZZLE_ATTACK_H
#define PUZZLE_ATTACK_H

#include "puzzle/search_room.h"

struct puzzle_attack;

int puzzle_attack_create(struct puzzle_attack **attack, size_t hash_mb); /* KV_E_MEMORY */
void puzzle_attack_destroy(struct puzzle_attack *attack);

/* YES when `attacker` wins within `plies` from `position` whatever the other side does, NO when it is
 * proven not to, OUT when a limit came first. What was proven is remembered for as long as rules and
 * tables stay the same. */
enum puzzle_answer puzzle_attack_run(struct puzzle_attack *attack, struct puzzle_room *room,
                                     const struct kv_position *position, int attacker, int plies);

#endif
