/* Counting move sequences: the classic test and speed measure of a move generator. */
#include "board/movegen.h"

/* Counts a position that was made for the count alone; the compiler may not leave the making out. */
KV_INLINE uint64_t played(const struct kv_position *position)
{
    __asm__ volatile("" : : "m"(*position));
    return 1;
}

KV_INLINE uint64_t perft_step(const struct kv_rules *rules, const struct kv_position *position, int depth,
                              bool counted,
                              uint64_t (*deeper)(const struct kv_rules *, const struct kv_position *, int))
{
    if (depth == 0)
        return 1;
    if (counted && depth == 1)
        return (uint64_t)kv_count(rules, position);
    kv_move moves[KV_MOVES_MAX];
    int count = kv_generate(rules, position, moves);
    uint64_t total = 0;
    for (int i = 0; i < count; i++) {
        struct kv_position next = *position;
        kv_make(rules, &next, moves[i]);
        if (counted && depth == 2)
            total += (uint64_t)kv_count(rules, &next);
        else if (depth == 1)
            total += played(&next);
        else
            total += deeper(rules, &next, depth - 1);
    }
    return total;
}

static uint64_t classic_counted(const struct kv_rules *rules, const struct kv_position *position, int depth)
{
    (void)rules;
    return perft_step(&kv_classic_rules, position, depth, true, classic_counted);
}

static uint64_t classic_played(const struct kv_rules *rules, const struct kv_position *position, int depth)
{
    (void)rules;
    return perft_step(&kv_classic_rules, position, depth, false, classic_played);
}

static uint64_t general_counted(const struct kv_rules *rules, const struct kv_position *position, int depth)
{
    return perft_step(rules, position, depth, true, general_counted);
}

static uint64_t general_played(const struct kv_rules *rules, const struct kv_position *position, int depth)
{
    return perft_step(rules, position, depth, false, general_played);
}

uint64_t kv_perft(const struct kv_rules *rules, const struct kv_position *position, int depth,
                  bool last_ply_counted)
{
    if (kv_rules_are_classic(rules))
        return (last_ply_counted ? classic_counted : classic_played)(rules, position, depth);
    return (last_ply_counted ? general_counted : general_played)(rules, position, depth);
}
