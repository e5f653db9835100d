/* Can a side hold: play on for ever without losing? */
#ifndef PUZZLE_HOLD_H
#define PUZZLE_HOLD_H

#include "puzzle/search_room.h"

/* The positions looked at for one defending side; grows, and may be asked about many positions. */
struct puzzle_hold;

int puzzle_hold_create(struct puzzle_hold **hold, int defender); /* KV_E_MEMORY */
void puzzle_hold_destroy(struct puzzle_hold *hold);
void puzzle_hold_clear(struct puzzle_hold *hold); /* forgets everything */

/* *answer becomes YES when the defender never has to lose from `position`, NO when the other side forces a
 * win, OUT when a limit of the room, or `node_cap` positions in this call, came first. KV_E_MEMORY leaves
 * *answer alone. */
int puzzle_hold_run(struct puzzle_hold *hold, struct puzzle_room *room, const struct kv_position *position,
                    uint64_t node_cap, enum puzzle_answer *answer);

/* The move by which the defender, to move at a position that was found to hold, stays among the positions
 * that do; KV_MOVE_NONE when the position is not one of these. */
kv_move puzzle_hold_move(struct puzzle_hold *hold, struct puzzle_room *room,
                         const struct kv_position *position);

#endif
