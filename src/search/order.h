/* Move ordering: which move is likely best, by what a player looks at first. For code that knows its
 * rules at compile time.
 */
#ifndef KV_SEARCH_ORDER_H
#define KV_SEARCH_ORDER_H

#include "eval/features.h"
#include "search/worker.h"

/* Bands far enough apart that history never crosses from one into another. */
enum {
    KV_ORDER_HASH = 1 << 30,
    KV_ORDER_CAPTURE = 1 << 24,
    KV_ORDER_STOP = 1 << 22, /* stops a mill the opponent would close next */
    KV_ORDER_KILLER = 1 << 20,
    KV_ORDER_PUT_OFF = -(1 << 30), /* another thread is searching it: last */
};

/* What there is to know about a position before its moves are looked at one by one. */
struct kv_outlook {
    uint32_t their_ready; /* points where the opponent could close a mill next turn */
    uint32_t their_lines; /* opposing stones that stand two in a line whose third point is empty */
    uint32_t our_blocks;  /* our stones that alone keep an opposing line from being closed */
    uint32_t our_near;    /* points next to our stones */
    uint32_t empty;
};

KV_INLINE struct kv_outlook kv_look_out(const struct kv_rules *rules, const struct kv_position *position)
{
    const struct kv_board *board = kv_board_of(rules);
    int side = position->side;
    uint32_t own = position->stones[side], other = position->stones[side ^ 1];
    struct kv_outlook look = {.empty = board->all & ~(own | other)};
    look.their_ready = kv_ready_points(rules, position, side ^ 1, look.empty, NULL);
    uint32_t their_closing = kv_closing(rules->board, other, NULL);
    look.our_blocks = their_closing & own;
    for (uint32_t open = their_closing & look.empty; open;) {
        int to = kv_take(&open);
        for (int i = 0; i < KV_LINES_MAX; i++)
            if ((board->partners[to][i] & ~other) == 0)
                look.their_lines |= board->partners[to][i];
    }
    for (uint32_t rest = own; rest;)
        look.our_near |= board->neighbours[kv_take(&rest)];
    return look;
}

/* How much the loss of the stone on `point` hurts the opponent. */
KV_INLINE int kv_victim_worth(const struct kv_rules *rules, const struct kv_outlook *look, unsigned point)
{
    uint32_t bit = 1u << point;
    return (look->their_lines & bit ? 64 : 0) + (look->our_near & bit ? 8 : 0) +
           kv_popcount(kv_board_of(rules)->neighbours[point]);
}

KV_INLINE int kv_capture_order(const struct kv_rules *rules, const struct kv_outlook *look, kv_move move)
{
    int worth = kv_victim_worth(rules, look, kv_move_capture(move));
    if (kv_move_second(move) != KV_NO_POINT)
        worth += kv_victim_worth(rules, look, kv_move_second(move));
    unsigned to = kv_move_to(move);
    if (to != KV_NO_POINT && look->their_ready >> to & 1)
        worth += 48;
    return KV_ORDER_CAPTURE + worth * 64;
}

KV_INLINE int kv_move_order(const struct kv_rules *rules, const struct kv_worker *worker,
                            const struct kv_frame *frame, const struct kv_outlook *look, kv_move move,
                            kv_move hash_move, kv_move reply)
{
    if (move == hash_move)
        return KV_ORDER_HASH;
    if (kv_move_capture(move) != KV_NO_POINT)
        return kv_capture_order(rules, look, move);
    unsigned from = kv_move_from(move), to = kv_move_to(move);
    int order = worker->history[frame->position.side][from][to];
    if (look->their_ready >> to & 1)
        return KV_ORDER_STOP + order;
    if (move == frame->killers[0])
        return KV_ORDER_KILLER + 2;
    if (move == frame->killers[1])
        return KV_ORDER_KILLER + 1;
    if (move == reply)
        return KV_ORDER_KILLER;
    if (from != KV_NO_POINT && look->our_blocks >> from & 1)
        order -= KV_HISTORY_LIMIT / 2;
    return order;
}

/* Brings the best of moves[at..count) to `at`. */
static inline void kv_pick(kv_move *moves, int *orders, int at, int count)
{
    int best = at;
    for (int i = at + 1; i < count; i++)
        if (orders[i] > orders[best])
            best = i;
    kv_move move = moves[best];
    int order = orders[best];
    moves[best] = moves[at];
    orders[best] = orders[at];
    moves[at] = move;
    orders[at] = order;
}

#endif
