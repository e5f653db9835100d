#include "puzzle/search_room.h"

#include "base/clock.h"

enum { CLOCK_STEP = 1024 };

bool puzzle_room_spend(struct puzzle_room *room)
{
    if (room->out)
        return true;
    if (++room->nodes > room->node_limit)
        room->out = true;
    if (room->nodes >= room->clock_nodes) {
        room->clock_nodes = room->nodes + CLOCK_STEP;
        if ((room->stop && atomic_load_explicit(room->stop, memory_order_relaxed)) ||
            (room->deadline_ns != INT64_MAX && kv_clock_ns() >= room->deadline_ns))
            room->out = true;
    }
    return room->out;
}

/* Mills first; then stopping the other side's mills; then lines with two stones and no enemy. */
int puzzle_room_promise(const struct puzzle_room *room, const struct kv_position *position, kv_move move)
{
    const struct kv_board *board = kv_board_of(&room->rules);
    int side = position->side;
    uint32_t own = position->stones[side], other = position->stones[side ^ 1];
    unsigned from = kv_move_from(move), to = kv_move_to(move);
    uint32_t taken = 0;
    int promise = 0;
    if (kv_move_capture(move) != KV_NO_POINT) {
        taken |= 1u << kv_move_capture(move);
        promise += 1000;
    }
    if (kv_move_second(move) != KV_NO_POINT) {
        taken |= 1u << kv_move_second(move);
        promise += 1000;
    }
    uint32_t threats = kv_closing(room->rules.board, other, NULL) & ~(own | other);
    if (taken)
        promise += 100 * kv_popcount(threats & ~kv_closing(room->rules.board, other & ~taken, NULL)) +
                   10 * kv_popcount(board->neighbours[kv_move_capture(move)] & ~(own | other));
    if (to == KV_NO_POINT)
        return promise;
    if (threats >> to & 1)
        promise += 500;
    if (from != KV_NO_POINT) {
        own &= ~(1u << from);
        if (kv_mills_through(board, other, from))
            promise -= 300; /* leaves a point that the other side needs */
    }
    own |= 1u << to;
    promise += 60 * kv_popcount(kv_closing(room->rules.board, own, NULL) & ~(own | other));
    return promise + 4 * board->lines[to] + kv_popcount(board->neighbours[to] & ~(own | other));
}

void puzzle_room_order(const struct puzzle_room *room, const struct kv_position *position, kv_move *moves,
                       int count, kv_move first)
{
    int promises[KV_MOVES_MAX];
    for (int i = 0; i < count; i++) {
        kv_move move = moves[i];
        int promise = move == first ? INT32_MAX : puzzle_room_promise(room, position, move), at = i;
        for (; at > 0 && promises[at - 1] < promise; at--) {
            promises[at] = promises[at - 1];
            moves[at] = moves[at - 1];
        }
        promises[at] = promise;
        moves[at] = move;
    }
}
