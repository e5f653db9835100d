/* Move generation and move making, written once for every rule and board and meant to be inlined:
 * with a pointer to `kv_classic_rules` every question about the rules is answered by the compiler,
 * with any other pointer at run time. Hot code includes this file and is instantiated for both;
 * everybody else calls kv_moves and kv_position_play.
 */
#ifndef KV_BOARD_MOVEGEN_H
#define KV_BOARD_MOVEGEN_H

#include "base/bits.h"
#include "board/board_tables.h"
#include "board/geometry.h"
#include "kvern/position.h"

/* Code for run-time rules and instrumented builds gain nothing from the copies, and compile in a tenth of
 * the time without them. */
#ifdef KV_NO_FORCED_INLINING
#define KV_INLINE static inline
#else
#define KV_INLINE static inline __attribute__((always_inline))
#endif

/* The classic game as a constant the compiler can see through. */
static const struct kv_rules kv_classic_rules = {
    .variant = 0,
    .board = 0,
    .stones = 9,
    .flying = 1,
    .mill_protection = KV_PROTECT_UNLESS_ALL,
    .double_mill = KV_DOUBLE_ONE,
    .reclose_mill = KV_RECLOSE_ALLOWED,
    .first_move = KV_WHITE,
    .repetition = 3,
    .no_capture_limit = 0,
};

KV_INLINE const struct kv_board *kv_board_of(const struct kv_rules *rules)
{
    return kv_boards[rules->board];
}

/* Stones of a set that stand in a mill of that set. */
KV_INLINE uint32_t kv_in_mills(const struct kv_rules *rules, uint32_t stones)
{
    return kv_closing(rules->board, stones, NULL) & stones;
}

/* Mills (bit set) through `point` that are complete in `stones`. */
KV_INLINE uint32_t kv_mills_through(const struct kv_board *board, uint32_t stones, unsigned point)
{
    uint32_t mills = 0;
    for (int i = 0; i < board->lines[point]; i++)
        if ((board->partners[point][i] & ~stones) == 0)
            mills |= 1u << board->line[point][i];
    return mills;
}

/* Which of `stones` (all of one side) its opponent may take. */
KV_INLINE uint32_t kv_takeable(const struct kv_rules *rules, uint32_t stones)
{
    if (rules->mill_protection == KV_PROTECT_NEVER)
        return stones;
    uint32_t open = stones & ~kv_in_mills(rules, stones);
    if (rules->mill_protection == KV_PROTECT_ALWAYS)
        return open;
    return open ? open : stones;
}

/* How many stones a move that closes `mills` lines takes from `stones`. */
KV_INLINE int kv_captures_owed(const struct kv_rules *rules, uint32_t stones, int mills)
{
    if (mills == 0 || kv_takeable(rules, stones) == 0)
        return 0;
    if (rules->double_mill == KV_DOUBLE_ONE || mills == 1)
        return 1;
    /* A second one, if after some first capture something may still be taken. */
    for (uint32_t first = kv_takeable(rules, stones); first;)
        if (kv_takeable(rules, stones & ~(1u << kv_take(&first))))
            return 2;
    return 1;
}

KV_INLINE bool kv_flies(const struct kv_rules *rules, const struct kv_position *position, int side)
{
    return rules->flying && position->hand[side] == 0 && kv_popcount(position->stones[side]) == 3;
}

/* The position as one number, exactly (RecloseMill state aside): 24 + 24 bits of stones, the hands,
 * the side to move, the captures due: 59 bits. */
KV_INLINE uint64_t kv_position_plain_key(const struct kv_position *position)
{
    return position->stones[0] | (uint64_t)position->stones[1] << 24 | (uint64_t)position->hand[0] << 48 |
           (uint64_t)position->hand[1] << 52 | (uint64_t)position->side << 56 | (uint64_t)position->due << 57;
}

/* Fewer than three stones, board and hand together. */
KV_INLINE bool kv_too_few(const struct kv_position *position, int side)
{
    return kv_popcount(position->stones[side]) + position->hand[side] < 3;
}

/* not-at-once: what is remembered of a turn in which a stone went from a mill to elsewhere. */
KV_INLINE uint32_t kv_left_mill(unsigned from, unsigned to)
{
    return 1u << 31 | from << 5 | to;
}

/* Which of `closers`, points where a stone coming from `from` completes a line, RecloseMill bars. */
KV_INLINE uint32_t kv_barred(const struct kv_rules *rules, const struct kv_position *position,
                             uint32_t stones_without, unsigned from, uint32_t closers)
{
    uint32_t state = position->reclose[position->side], barred = 0;
    if (rules->reclose_mill == KV_RECLOSE_ALLOWED || state == 0)
        return 0;
    if (rules->reclose_mill == KV_RECLOSE_NOT_AT_ONCE) {
        unsigned back = state >> 5 & 31;
        return from == (state & 31) ? closers & 1u << back : 0;
    }
    while (closers) {
        unsigned to = (unsigned)kv_take(&closers);
        if ((kv_mills_through(kv_board_of(rules), stones_without, to) & ~state) == 0)
            barred |= 1u << to;
    }
    return barred;
}

/* ---- Listing ---------------------------------------------------------------------------------- */

/* One turn from `from` to `to` with every choice of captures. */
KV_INLINE kv_move *kv_list_captures(const struct kv_rules *rules, uint32_t victims, unsigned from,
                                    unsigned to, int owed, kv_move *list)
{
    uint32_t firsts = kv_takeable(rules, victims);
    if (rules->double_mill == KV_DOUBLE_ONE || owed < 2) {
        while (firsts)
            *list++ = kv_move_make(from, to, (unsigned)kv_take(&firsts), KV_NO_POINT);
        return list;
    }
    /* Two captures: each pair once, in an order that is legal. The pair {a, b} with a < b was listed
     * at a when b may follow a; otherwise it is listed at b. */
    for (uint32_t rest = firsts; rest;) {
        unsigned first = (unsigned)kv_take(&rest);
        uint32_t seconds = kv_takeable(rules, victims & ~(1u << first));
        while (seconds) {
            unsigned second = (unsigned)kv_take(&seconds);
            bool listed = second < first && firsts >> second & 1 &&
                          kv_takeable(rules, victims & ~(1u << second)) >> first & 1;
            if (!listed)
                *list++ = kv_move_make(from, to, first, second);
        }
    }
    return list;
}

KV_INLINE kv_move *kv_list_turn(const struct kv_rules *rules, uint32_t victims, unsigned from,
                                uint32_t targets, uint32_t closers, uint32_t twice, kv_move *list)
{
    for (uint32_t quiet = targets & ~closers; quiet;)
        *list++ = kv_move_make(from, (unsigned)kv_take(&quiet), KV_NO_POINT, KV_NO_POINT);
    for (uint32_t closing = targets & closers; closing;) {
        unsigned to = (unsigned)kv_take(&closing);
        int owed = 1;
        if (rules->mill_protection == KV_PROTECT_ALWAYS || rules->double_mill == KV_DOUBLE_TWO)
            owed = kv_captures_owed(rules, victims, twice >> to & 1 ? 2 : 1);
        if (owed == 0 || victims == 0)
            *list++ = kv_move_make(from, to, KV_NO_POINT, KV_NO_POINT);
        else
            list = kv_list_captures(rules, victims, from, to, owed, list);
    }
    return list;
}

/* The source squares and targets of a turn, one stone at a time: `EACH` sees from, targets, closers
 * and twice. Written as a function with a mode so that listing, counting and "is there any?" share
 * it. */
enum kv_walk { KV_WALK_LIST, KV_WALK_COUNT, KV_WALK_ANY, KV_WALK_CLOSING };

KV_INLINE long kv_walk_turn(const struct kv_rules *rules, uint32_t victims, unsigned from, uint32_t targets,
                            uint32_t closers, uint32_t twice, enum kv_walk walk, int captures, kv_move **list)
{
    if (walk == KV_WALK_ANY)
        return targets != 0;
    if (walk == KV_WALK_COUNT && captures >= 0)
        return kv_popcount(targets) + (long)kv_popcount(closers) * (captures - 1);
    if (walk == KV_WALK_CLOSING)
        targets = closers;
    kv_move *end = kv_list_turn(rules, victims, from, targets, closers, twice, *list);
    long count = end - *list;
    *list = end;
    return count;
}

/* Every turn of the side to move; nothing is due and nobody has too few stones. `list` is where
 * moves are written (KV_WALK_LIST, KV_WALK_CLOSING: only those that close a mill), or scratch space
 * for counting under rules where a closing move may take two. */
KV_INLINE long kv_walk_moves(const struct kv_rules *rules, const struct kv_position *position,
                             enum kv_walk walk, kv_move *list)
{
    const struct kv_board *board = kv_board_of(rules);
    int side = position->side;
    uint32_t own = position->stones[side], victims = position->stones[side ^ 1];
    uint32_t empty = board->all & ~(own | victims);
    bool two = rules->double_mill == KV_DOUBLE_TWO;
    uint32_t twice = 0, closing = kv_closing(rules->board, own, two ? &twice : NULL) & empty;
    int captures = -1; /* moves for one closing target, where that is the same for all */
    if (walk == KV_WALK_COUNT && !two && closing) {
        captures = kv_popcount(kv_takeable(rules, victims));
        if (captures == 0)
            captures = 1;
    } else if (walk == KV_WALK_COUNT && !two)
        captures = 0; /* nothing closes */
    if (position->hand[side] > 0) {
        uint32_t barred = kv_barred(rules, position, own, KV_NO_POINT, closing);
        return kv_walk_turn(rules, victims, KV_NO_POINT, empty & ~barred, closing & ~barred, twice, walk,
                            captures, &list);
    }
    long count = 0;
    bool flies = kv_flies(rules, position, side);
    for (uint32_t movers = own; movers;) {
        unsigned from = (unsigned)kv_take(&movers);
        uint32_t targets = flies ? empty : board->neighbours[from] & empty;
        uint32_t closers = closing & targets, without = own & ~(1u << from);
        uint32_t double_closers = 0;
        if (closers) {
            closers &= kv_closing(rules->board, without, two ? &double_closers : NULL);
            uint32_t barred = kv_barred(rules, position, without, from, closers);
            closers &= ~barred;
            targets &= ~barred;
        }
        count += kv_walk_turn(rules, victims, from, targets, closers, double_closers, walk, captures, &list);
        if (walk == KV_WALK_ANY && count)
            return count;
    }
    return count;
}

/* Fills `list` and returns how many moves there are (kv_moves says what counts as one). */
KV_INLINE int kv_generate(const struct kv_rules *rules, const struct kv_position *position, kv_move *list)
{
    if (position->due) {
        kv_move *start = list;
        for (uint32_t victims = kv_takeable(rules, position->stones[position->side ^ 1]); victims;)
            *list++ = kv_move_make(KV_NO_POINT, KV_NO_POINT, (unsigned)kv_take(&victims), KV_NO_POINT);
        return (int)(list - start);
    }
    if (kv_too_few(position, position->side) || kv_too_few(position, position->side ^ 1))
        return 0;
    return (int)kv_walk_moves(rules, position, KV_WALK_LIST, list);
}

/* Only the moves that close a mill; nothing may be due. */
KV_INLINE int kv_generate_closing(const struct kv_rules *rules, const struct kv_position *position,
                                  kv_move *list)
{
    if (kv_too_few(position, position->side) || kv_too_few(position, position->side ^ 1))
        return 0;
    return (int)kv_walk_moves(rules, position, KV_WALK_CLOSING, list);
}

/* The number of moves kv_generate would list. */
KV_INLINE long kv_count(const struct kv_rules *rules, const struct kv_position *position)
{
    if (position->due)
        return kv_popcount(kv_takeable(rules, position->stones[position->side ^ 1]));
    if (kv_too_few(position, position->side) || kv_too_few(position, position->side ^ 1))
        return 0;
    if (rules->double_mill == KV_DOUBLE_TWO) {
        kv_move list[KV_MOVES_MAX];
        return kv_walk_moves(rules, position, KV_WALK_LIST, list);
    }
    return kv_walk_moves(rules, position, KV_WALK_COUNT, NULL);
}

/* The side to move is in its moving phase, nothing is due, and it has no legal move. */
KV_INLINE bool kv_is_blocked(const struct kv_rules *rules, const struct kv_position *position)
{
    return position->due == 0 && position->hand[position->side] == 0 &&
           kv_walk_moves(rules, position, KV_WALK_ANY, NULL) == 0;
}

/* The no-capture limit is reached; it counts plies of the moving phase only. */
KV_INLINE bool kv_is_past_limit(int limit, const struct kv_position *position)
{
    return limit > 0 && position->quiet >= limit && position->hand[0] + position->hand[1] == 0;
}

/* ---- Playing ---------------------------------------------------------------------------------- */

KV_INLINE void kv_remember(const struct kv_rules *rules, struct kv_position *position, unsigned from,
                           unsigned to, uint32_t before)
{
    int side = position->side;
    if (rules->reclose_mill == KV_RECLOSE_NOT_TWICE) {
        uint32_t mills = kv_mills_through(kv_board_of(rules), position->stones[side], to);
        if (mills)
            position->reclose[side] = mills;
    } else if (rules->reclose_mill == KV_RECLOSE_NOT_AT_ONCE) {
        bool left = from != KV_NO_POINT && kv_in_mills(rules, before) >> from & 1;
        position->reclose[side] = left ? kv_left_mill(from, to) : 0;
    }
}

KV_INLINE void kv_pass_turn(struct kv_position *position)
{
    position->side ^= 1;
    position->ply++;
}

/* Plays a move of kv_generate's list: one complete with its captures. A capture that was due ends
 * the turn when it is the last one due. */
KV_INLINE void kv_make(const struct kv_rules *rules, struct kv_position *position, kv_move move)
{
    int side = position->side;
    unsigned from = kv_move_from(move), to = kv_move_to(move), capture = kv_move_capture(move);
    uint32_t before = position->stones[side];
    if (to != KV_NO_POINT) {
        position->stones[side] |= 1u << to;
        if (from == KV_NO_POINT) {
            position->hand[side]--;
            position->quiet = 0;
        } else {
            position->stones[side] &= ~(1u << from);
            position->quiet += position->quiet < UINT16_MAX;
        }
        kv_remember(rules, position, from, to, before);
    }
    if (capture != KV_NO_POINT) {
        position->stones[side ^ 1] &= ~(1u << capture);
        position->quiet = 0;
        if (kv_move_second(move) != KV_NO_POINT)
            position->stones[side ^ 1] &= ~(1u << kv_move_second(move));
    }
    if (to == KV_NO_POINT && --position->due > 0)
        return;
    kv_pass_turn(position);
}

#endif
