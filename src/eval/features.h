/* What the evaluator sees of one side: counts of things a player would name. Meant to be inlined into
 * code that knows its rules at compile time (see board/movegen.h).
 */
#ifndef KV_EVAL_FEATURES_H
#define KV_EVAL_FEATURES_H

#include "board/movegen.h"

enum kv_feature {
    KV_STONES,     /* on the board and in hand */
    KV_MILLS,      /* closed mills */
    KV_READY,      /* points where a mill can be closed next turn */
    KV_SHUTTLES,   /* of those, the ones a stone from a closed mill can reach: double mills */
    KV_OPEN_LINES, /* two stones and an empty point on a line that cannot be closed next turn */
    KV_MOBILITY,   /* empty points next to own stones, counted once a stone */
    KV_LOCKED,     /* stones without an empty neighbour */
    KV_CROSSES,    /* stones on points with four neighbours */
    KV_TEES,       /* stones on points with three neighbours */
    KV_FLYING,     /* 1 when the side flies */
    KV_TEMPO,      /* 1 for the side to move */
    KV_FEATURES
};

KV_INLINE int kv_count_mills(const struct kv_rules *rules, uint32_t stones)
{
    if (kv_in_mills(rules, stones) == 0)
        return 0;
    const struct kv_board *board = kv_board_of(rules);
    int mills = 0;
    for (int m = 0; m < board->mills; m++)
        mills += (board->mill_points[m] & ~stones) == 0;
    return mills;
}

/* Points where `side` may complete a mill with its next placement or move, RecloseMill aside.
 * `shuttles`, if not NULL, receives those that a stone leaving another closed mill completes. */
KV_INLINE uint32_t kv_ready_points(const struct kv_rules *rules, const struct kv_position *position, int side,
                                   uint32_t empty, uint32_t *shuttles)
{
    const struct kv_board *board = kv_board_of(rules);
    uint32_t own = position->stones[side], open = kv_closing(rules->board, own, NULL) & empty;
    uint32_t ready = 0, from_mill = 0;
    if (position->hand[side] > 0)
        ready = open;
    else if (open) {
        uint32_t milled = shuttles ? kv_in_mills(rules, own) : 0;
        bool flies = kv_flies(rules, position, side);
        for (uint32_t rest = open; rest;) {
            int to = kv_take(&rest);
            uint32_t near = flies ? own : board->neighbours[to] & own;
            for (int i = 0; i < KV_LINES_MAX; i++) {
                uint32_t partners = board->partners[to][i];
                if (partners & ~own)
                    continue;
                uint32_t movers = near & ~partners;
                ready |= movers ? 1u << to : 0;
                from_mill |= movers & milled ? 1u << to : 0;
            }
        }
    }
    if (shuttles)
        *shuttles = from_mill;
    return ready;
}

KV_INLINE void kv_features_of(const struct kv_rules *rules, const struct kv_position *position, int side,
                              int counts[KV_FEATURES])
{
    const struct kv_board *board = kv_board_of(rules);
    uint32_t own = position->stones[side], empty = board->all & ~(own | position->stones[side ^ 1]);
    uint32_t shuttles, ready = kv_ready_points(rules, position, side, empty, &shuttles);
    int mobility = 0, locked = 0, crosses = 0, tees = 0;
    for (uint32_t rest = own; rest;) {
        uint32_t near = board->neighbours[kv_take(&rest)];
        int degree = kv_popcount(near), free_points = kv_popcount(near & empty);
        mobility += free_points;
        locked += free_points == 0;
        crosses += degree == 4;
        tees += degree == 3;
    }
    bool flies = kv_flies(rules, position, side);
    counts[KV_STONES] = kv_popcount(own) + position->hand[side];
    counts[KV_MILLS] = kv_count_mills(rules, own);
    counts[KV_READY] = kv_popcount(ready);
    counts[KV_SHUTTLES] = kv_popcount(shuttles);
    counts[KV_OPEN_LINES] = kv_popcount(kv_closing(rules->board, own, NULL) & empty & ~ready);
    counts[KV_MOBILITY] = flies ? 0 : mobility;
    counts[KV_LOCKED] = flies ? 0 : locked;
    counts[KV_CROSSES] = crosses;
    counts[KV_TEES] = tees;
    counts[KV_FLYING] = flies;
    counts[KV_TEMPO] = position->side == side;
}

#endif
