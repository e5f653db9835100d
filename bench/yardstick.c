#include "yardstick.h"

enum { ALL = 0xffffff, EVENS = 0x555555, ODDS = 0xaaaaaa };

/* Turns each ring of eight points by `n` places. */
static uint32_t turn(uint32_t set, int n)
{
    uint32_t low = (0xffu >> (8 - n)) * 0x010101;
    return (set << n & ~low & ALL) | (set >> (8 - n) & low);
}

/* Points that complete a line of `set`: side middles between two corners, corners at either end of a side,
 * and the middles across the three rings. */
static uint32_t closing(uint32_t set)
{
    uint32_t back1 = turn(set, 1), back2 = turn(set, 2), ahead1 = turn(set, 7), ahead2 = turn(set, 6);
    uint32_t in = set >> 8 | set << 16, out = set >> 16 | set << 8;
    return (((back1 & ahead1) | (in & out)) & EVENS) | (((back1 & back2) | (ahead1 & ahead2)) & ODDS);
}

static uint32_t neighbours(int point)
{
    uint32_t bit = 1u << point, near = turn(bit, 1) | turn(bit, 7);
    return point & 1 ? near : near | (bit << 8 & ALL) | bit >> 8;
}

static uint32_t takeable(uint32_t stones)
{
    uint32_t open = stones & ~closing(stones);
    return open ? open : stones;
}

static int bits(uint32_t set)
{
    return __builtin_popcount(set);
}

static int over(const struct yardstick *p)
{
    return bits(p->own) + p->own_hand < 3 || bits(p->other) + p->other_hand < 3;
}

static uint64_t count_moves(const struct yardstick *p)
{
    if (over(p))
        return 0;
    uint32_t empty = ALL & ~(p->own | p->other), close = closing(p->own) & empty;
    int captures = close && p->other ? bits(takeable(p->other)) : 1;
    if (p->own_hand > 0)
        return (uint64_t)(bits(empty) + bits(close) * (captures - 1));
    uint64_t count = 0;
    for (uint32_t rest = p->own; rest; rest &= rest - 1) {
        int from = __builtin_ctz(rest);
        uint32_t to = bits(p->own) == 3 ? empty : neighbours(from) & empty;
        uint32_t closers = to & close ? closing(p->own & ~(1u << from)) & to : 0;
        count += (uint64_t)(bits(to) + bits(closers) * (captures - 1));
    }
    return count;
}

static uint64_t perft(const struct yardstick *p, int depth);

static uint64_t step(const struct yardstick *p, int depth, uint32_t own, int hand, uint32_t other)
{
    struct yardstick next = {other, own, p->other_hand, hand};
    return depth == 2 ? count_moves(&next) : perft(&next, depth - 1);
}

static uint64_t turns(const struct yardstick *p, int depth, uint32_t without, int hand, uint32_t to,
                      uint32_t closers)
{
    uint64_t total = 0;
    for (uint32_t quiet = to & ~closers; quiet; quiet &= quiet - 1)
        total += step(p, depth, without | (quiet & -quiet), hand, p->other);
    for (; closers; closers &= closers - 1) {
        uint32_t own = without | (closers & -closers), victims = takeable(p->other);
        if (!victims)
            total += step(p, depth, own, hand, p->other);
        for (; victims; victims &= victims - 1)
            total += step(p, depth, own, hand, p->other & ~(victims & -victims));
    }
    return total;
}

static uint64_t perft(const struct yardstick *p, int depth)
{
    if (over(p))
        return 0;
    uint32_t empty = ALL & ~(p->own | p->other), close = closing(p->own) & empty;
    if (p->own_hand > 0)
        return turns(p, depth, p->own, p->own_hand - 1, empty, close);
    uint64_t total = 0;
    for (uint32_t rest = p->own; rest; rest &= rest - 1) {
        int from = __builtin_ctz(rest);
        uint32_t to = bits(p->own) == 3 ? empty : neighbours(from) & empty, without = p->own & ~(1u << from);
        uint32_t closers = to & close ? closing(without) & to : 0;
        total += turns(p, depth, without, 0, to, closers);
    }
    return total;
}

uint64_t yardstick_perft(const struct yardstick *position, int depth)
{
    return depth == 0 ? 1 : depth == 1 ? count_moves(position) : perft(position, depth);
}
