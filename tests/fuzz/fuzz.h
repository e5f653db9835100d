/* What the fuzz targets of the game share. */
#ifndef FUZZ_H
#define FUZZ_H

#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "kvern/position.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Takes one byte and turns it into a set of rules: ' ' is the classic game, '!', '"', ... the others,
 * so that a corpus file can be written by hand. */
static inline void fuzz_rules(uint8_t byte, struct kv_rules *rules)
{
    unsigned n = (uint8_t)(byte - ' ') % 72;
    kv_rules_init(rules, 0);
    rules->flying = n % 2 == 0;
    rules->mill_protection = (uint8_t)(n / 2 % 3);
    rules->double_mill = (uint8_t)(n / 6 % 2);
    rules->reclose_mill = (uint8_t)(n / 12 % 3);
    rules->first_move = (uint8_t)(n / 36);
    rules->no_capture_limit = n / 36 ? 50 : 0;
}

/* What must hold in any position a reader lets through. */
static inline void fuzz_check_position(const struct kv_rules *rules, const struct kv_position *position)
{
    assert((position->stones[0] & position->stones[1]) == 0);
    assert((position->stones[0] | position->stones[1]) >> 24 == 0);
    assert(position->side < 2);
    for (int side = 0; side < 2; side++)
        assert(__builtin_popcount(position->stones[side]) + position->hand[side] <= rules->stones);
    if (position->due > 0)
        assert(kv_position_result(rules, position, NULL) == KV_ONGOING);
}

/* What must hold of a list of moves; returns their number. */
static inline int fuzz_check_moves(const struct kv_rules *rules, const struct kv_position *position,
                                   kv_move moves[KV_MOVES_MAX])
{
    int count = kv_moves(rules, position, moves);
    assert(count >= 0 && count <= KV_MOVES_MAX);
    for (int i = 0; i < count; i++) {
        struct kv_position next = *position;
        kv_position_play(rules, &next, moves[i]);
        fuzz_check_position(rules, &next);
        assert(position->due > 0 || (next.due == 0 && next.side != position->side));
        char text[KV_MOVE_TEXT_MAX];
        kv_move again = KV_MOVE_NONE;
        kv_move_write(rules, moves[i], text);
        assert(kv_move_read(rules, position, text, strlen(text), &again, NULL) == KV_OK);
        assert(again == moves[i]);
    }
    uint64_t counted = kv_perft(rules, position, 1, true);
    assert(counted == (uint64_t)count && kv_perft(rules, position, 1, false) == counted);
    return count;
}

#endif
