/* What both kinds of proof share: rules, tables, limits. */
#ifndef PUZZLE_SEARCH_ROOM_H
#define PUZZLE_SEARCH_ROOM_H

#include <stdatomic.h>

#include "board/movegen.h"
#include "tablebase/tablebase.h"

struct puzzle_room {
    struct kv_rules rules;
    bool classic;
    struct kv_tablebase *tablebase; /* or NULL */
    atomic_bool *stop;
    uint64_t nodes;       /* looked at since the position was taken up */
    uint64_t node_limit;  /* UINT64_MAX = none */
    int64_t deadline_ns;  /* INT64_MAX = none */
    uint64_t clock_nodes; /* when to look at the clock again */
    bool out;             /* a limit was reached */
};

/* An answer that may fail to come. */
enum puzzle_answer { PUZZLE_NO, PUZZLE_YES, PUZZLE_OUT };

/* Counts a node; true when a limit has been reached. */
bool puzzle_room_spend(struct puzzle_room *room);

/* The moves of a position, as kv_moves. */
static inline int puzzle_room_moves(const struct puzzle_room *room, const struct kv_position *position,
                                    kv_move *moves)
{
    if (room->classic)
        return kv_generate(&kv_classic_rules, position, moves);
    return kv_generate(&room->rules, position, moves);
}

/* `position` after a legal, complete move. */
static inline struct kv_position puzzle_room_play(const struct puzzle_room *room,
                                                  const struct kv_position *position, kv_move move)
{
    struct kv_position after = *position;
    if (room->classic)
        kv_make(&kv_classic_rules, &after, move);
    else
        kv_make(&room->rules, &after, move);
    return after;
}

/* Is the game over? *winner is a side, or -1 for a draw. `moves` is how many moves there are. */
static inline bool puzzle_room_over(const struct puzzle_room *room, const struct kv_position *position,
                                    int moves, int *winner)
{
    if (room->classic && moves > 0)
        return false;
    enum kv_result result = kv_position_result(&room->rules, position, NULL);
    if (result == KV_ONGOING)
        return false;
    *winner = result == KV_WHITE_WINS ? KV_WHITE : result == KV_BLACK_WINS ? KV_BLACK : -1;
    return true;
}

static inline bool puzzle_room_probe(const struct puzzle_room *room, const struct kv_position *position,
                                     struct kv_value *value)
{
    return room->tablebase && kv_tablebase_probe(room->tablebase, position, value) == KV_OK;
}

/* A rough promise of a move for its side, for the order in which moves are tried. */
int puzzle_room_promise(const struct puzzle_room *room, const struct kv_position *position, kv_move move);

/* Orders moves by promise, highest first; `first` (or KV_MOVE_NONE) before all others. */
void puzzle_room_order(const struct puzzle_room *room, const struct kv_position *position, kv_move *moves,
                       int count, kv_move first);

#endif
