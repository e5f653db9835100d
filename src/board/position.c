/* Positions as values: start, play, key, symmetry, result. */
#include <string.h>

#include "base/random.h"
#include "board/movegen.h"

void kv_position_start(const struct kv_rules *rules, struct kv_position *position)
{
    *position = (struct kv_position){
        .hand = {rules->stones, rules->stones},
        .side = rules->first_move,
    };
}

int kv_moves(const struct kv_rules *rules, const struct kv_position *position, kv_move moves[KV_MOVES_MAX])
{
    return kv_generate(rules, position, moves);
}

void kv_position_play(const struct kv_rules *rules, struct kv_position *position, kv_move move)
{
    unsigned to = kv_move_to(move);
    int side = position->side;
    uint32_t victims = position->stones[side ^ 1];
    uint8_t due = position->due;
    kv_make(rules, position, move);
    if (to == KV_NO_POINT || due > 0)
        return;
    uint32_t mills = kv_mills_through(kv_board_of(rules), position->stones[side], to);
    int owed = kv_captures_owed(rules, victims, kv_popcount(mills));
    int taken = (kv_move_capture(move) != KV_NO_POINT) + (kv_move_second(move) != KV_NO_POINT);
    if (owed > taken) {
        position->due = (uint8_t)(owed - taken);
        position->side ^= 1;
        position->ply--;
    }
}

bool kv_position_same(const struct kv_position *a, const struct kv_position *b)
{
    return a->stones[0] == b->stones[0] && a->stones[1] == b->stones[1] && a->hand[0] == b->hand[0] &&
           a->hand[1] == b->hand[1] && a->side == b->side && a->due == b->due &&
           a->reclose[0] == b->reclose[0] && a->reclose[1] == b->reclose[1];
}

uint64_t kv_position_key(const struct kv_position *position)
{
    uint64_t key = kv_position_plain_key(position);
    uint64_t state = (uint64_t)position->reclose[0] << 32 | position->reclose[1];
    return state ? kv_mix64(key ^ kv_mix64(state)) : kv_mix64(key);
}

void kv_position_transform(const struct kv_rules *rules, const struct kv_position *position, int symmetry,
                           struct kv_position *image)
{
    const struct kv_board *board = kv_board_of(rules);
    struct kv_position result = *position;
    for (int side = 0; side < 2; side++) {
        result.stones[side] = kv_symmetry_set(board, symmetry, position->stones[side]);
        uint32_t state = position->reclose[side];
        if (state == 0)
            continue;
        if (rules->reclose_mill == KV_RECLOSE_NOT_AT_ONCE) {
            result.reclose[side] =
                kv_left_mill(board->image[symmetry][state >> 5 & 31], board->image[symmetry][state & 31]);
            continue;
        }
        result.reclose[side] = 0;
        while (state) {
            uint32_t points = kv_symmetry_set(board, symmetry, board->mill_points[kv_take(&state)]);
            for (int m = 0; m < board->mills; m++)
                if (board->mill_points[m] == points)
                    result.reclose[side] |= 1u << m;
        }
    }
    *image = result;
}

void kv_position_swap_colours(const struct kv_position *position, struct kv_position *image)
{
    struct kv_position result = *position;
    for (int side = 0; side < 2; side++) {
        result.stones[side] = position->stones[side ^ 1];
        result.hand[side] = position->hand[side ^ 1];
        result.reclose[side] = position->reclose[side ^ 1];
    }
    result.side = position->side ^ 1;
    *image = result;
}

static unsigned image_of(const struct kv_board *board, int symmetry, unsigned point)
{
    return point == KV_NO_POINT ? point : board->image[symmetry][point];
}

kv_move kv_move_transform(const struct kv_rules *rules, kv_move move, int symmetry)
{
    const struct kv_board *board = kv_board_of(rules);
    return kv_move_make(
        image_of(board, symmetry, kv_move_from(move)), image_of(board, symmetry, kv_move_to(move)),
        image_of(board, symmetry, kv_move_capture(move)), image_of(board, symmetry, kv_move_second(move)));
}

static enum kv_result loss_of(int side)
{
    return side == KV_WHITE ? KV_BLACK_WINS : KV_WHITE_WINS;
}

enum kv_result kv_position_result(const struct kv_rules *rules, const struct kv_position *position,
                                  enum kv_reason *reason)
{
    enum kv_result result = KV_ONGOING;
    enum kv_reason why = KV_NO_REASON;
    int side = position->side;
    if (position->due > 0) {
        /* a turn that is not finished decides nothing */
    } else if (kv_too_few(position, side)) {
        result = loss_of(side);
        why = KV_TOO_FEW_STONES;
    } else if (kv_too_few(position, side ^ 1)) {
        result = loss_of(side ^ 1);
        why = KV_TOO_FEW_STONES;
    } else if (kv_is_blocked(rules, position)) {
        result = loss_of(side);
        why = KV_BLOCKED;
    } else if (kv_is_past_limit(rules->no_capture_limit, position)) {
        result = KV_DRAW;
        why = KV_NO_CAPTURE;
    }
    if (reason)
        *reason = why;
    return result;
}

const char *kv_result_text(enum kv_result result)
{
    static const char *const names[] = {"ongoing", "white", "black", "draw"};
    return names[result];
}

const char *kv_reason_text(enum kv_reason reason)
{
    static const char *const names[] = {"none", "fewer than three stones", "no legal move", "repetition",
                                        "no capture within the limit"};
    return names[reason];
}
