/* Points, phases and moves as text. */
#include <stdio.h>
#include <string.h>

#include "base/span.h"
#include "board/movegen.h"

int kv_point_count(const struct kv_rules *rules)
{
    return kv_board_of(rules)->points;
}

const char *kv_point_name(const struct kv_rules *rules, unsigned point)
{
    return kv_board_of(rules)->point_names[point];
}

const char *kv_position_phase(const struct kv_rules *rules, const struct kv_position *position)
{
    if (position->hand[position->side] > 0)
        return "placing";
    return kv_flies(rules, position, position->side) ? "flying" : "moving";
}

const char *kv_move_write(const struct kv_rules *rules, kv_move move, char buffer[KV_MOVE_TEXT_MAX])
{
    const struct kv_board *board = kv_board_of(rules);
    unsigned points[4] = {kv_move_from(move), kv_move_to(move), kv_move_capture(move), kv_move_second(move)};
    char *out = buffer;
    if (move == KV_MOVE_NONE)
        return strcpy(buffer, "(none)");
    for (int i = 0; i < 4; i++) {
        if (points[i] == KV_NO_POINT)
            continue;
        if (i == 1 && points[0] != KV_NO_POINT)
            *out++ = '-';
        else if (i >= 2)
            *out++ = 'x';
        memcpy(out, board->point_names[points[i]], 2);
        out += 2;
    }
    *out = '\0';
    return buffer;
}

/* ---- Reading ---------------------------------------------------------------------------------- */

static unsigned take_point(const struct kv_board *board, struct kv_span *text)
{
    if (text->length < 2)
        return KV_NO_POINT;
    char file = text->at[0] >= 'A' && text->at[0] <= 'Z' ? (char)(text->at[0] - 'A' + 'a') : text->at[0];
    for (int p = 0; p < board->points; p++)
        if (board->point_names[p][0] == file && board->point_names[p][1] == text->at[1]) {
            text->at += 2;
            text->length -= 2;
            return (unsigned)p;
        }
    return KV_NO_POINT;
}

static bool take_char(struct kv_span *text, const char *either)
{
    if (text->length == 0 || !strchr(either, text->at[0]) || text->at[0] == '\0')
        return false;
    text->at++;
    text->length--;
    return true;
}

/* Takes the token apart: [from] [to] [captures]. */
static int parse(const struct kv_board *board, struct kv_span text, unsigned points[4],
                 struct kv_error *error)
{
    static const char expected[] = "expected a move such as d6, d6xa1, a1-a4 or a1-a4xd6";
    for (int i = 0; i < 4; i++)
        points[i] = KV_NO_POINT;
    if (text.length > 0 && text.at[0] != 'x' && text.at[0] != 'X') {
        points[1] = take_point(board, &text);
        if (points[1] == KV_NO_POINT)
            return kv_fail(error, KV_E_SYNTAX, "%s", expected);
        bool dash = take_char(&text, "-");
        unsigned next = take_point(board, &text);
        if (dash && next == KV_NO_POINT)
            return kv_fail(error, KV_E_SYNTAX, "no point of the board after '-'");
        if (next != KV_NO_POINT) {
            points[0] = points[1];
            points[1] = next;
        }
    }
    int captures = 0;
    while (take_char(&text, "xX")) {
        unsigned point = take_point(board, &text);
        if (point == KV_NO_POINT)
            return kv_fail(error, KV_E_SYNTAX, "no point of the board after 'x'");
        if (captures == 2)
            return kv_fail(error, KV_E_ILLEGAL, "more than two captures");
        points[2 + captures++] = point;
    }
    if (text.length > 0 || (points[1] == KV_NO_POINT && captures == 0))
        return kv_fail(error, KV_E_SYNTAX, "%s", expected);
    return KV_OK;
}

static int check_turn(const struct kv_rules *rules, const struct kv_position *position, unsigned from,
                      unsigned to, struct kv_error *error)
{
    const struct kv_board *board = kv_board_of(rules);
    int side = position->side;
    uint32_t own = position->stones[side], taken = own | position->stones[side ^ 1];
    if (position->hand[side] > 0 && from != KV_NO_POINT)
        return kv_fail(error, KV_E_ILLEGAL, "stones are still in hand: place one");
    if (position->hand[side] == 0 && from == KV_NO_POINT)
        return kv_fail(error, KV_E_ILLEGAL, "no stones in hand: move one");
    if (from != KV_NO_POINT && !(own >> from & 1))
        return kv_fail(error, KV_E_ILLEGAL, "no stone of the side to move on %s", board->point_names[from]);
    if (taken >> to & 1)
        return kv_fail(error, KV_E_ILLEGAL, "point occupied");
    if (from != KV_NO_POINT && !kv_flies(rules, position, side) && !(board->neighbours[from] >> to & 1))
        return kv_fail(error, KV_E_ILLEGAL, "%s is not a neighbour of %s", board->point_names[to],
                       board->point_names[from]);
    uint32_t without = from == KV_NO_POINT ? own : own & ~(1u << from);
    uint32_t closes = kv_mills_through(board, without, to) ? 1u << to : 0;
    if (closes && kv_barred(rules, position, without, from, closes))
        return kv_fail(error, KV_E_ILLEGAL, "RecloseMill bars closing that mill now");
    return KV_OK;
}

static int check_captures(const struct kv_rules *rules, uint32_t victims, int owed,
                          const unsigned captures[2], struct kv_error *error)
{
    const struct kv_board *board = kv_board_of(rules);
    for (int i = 0; i < 2 && captures[i] != KV_NO_POINT; i++) {
        const char *name = board->point_names[captures[i]];
        if (i >= owed)
            return kv_fail(error, KV_E_ILLEGAL,
                           owed == 0 ? "no mill is closed, nothing may be taken"
                                     : "only one stone may be taken");
        if (!(victims >> captures[i] & 1))
            return kv_fail(error, KV_E_ILLEGAL, "no opposing stone on %s", name);
        if (!(kv_takeable(rules, victims) >> captures[i] & 1))
            return kv_fail(error, KV_E_ILLEGAL, "the stone on %s stands in a mill", name);
        victims &= ~(1u << captures[i]);
    }
    return KV_OK;
}

int kv_move_read(const struct kv_rules *rules, const struct kv_position *position, const char *text,
                 size_t length, kv_move *move, struct kv_error *error)
{
    const struct kv_board *board = kv_board_of(rules);
    unsigned points[4];
    int status = parse(board, (struct kv_span){text, length}, points, error);
    if (status)
        return status;
    unsigned from = points[0], to = points[1];
    int side = position->side, owed = position->due;
    uint32_t own = position->stones[side], victims = position->stones[side ^ 1];
    if (position->due > 0) {
        if (to != KV_NO_POINT)
            return kv_fail(error, KV_E_ILLEGAL, "a capture is due first, such as xd6");
        if (points[3] != KV_NO_POINT)
            return kv_fail(error, KV_E_ILLEGAL, "captures that are due are made one at a time");
    } else {
        if (to == KV_NO_POINT)
            return kv_fail(error, KV_E_ILLEGAL, "no capture is due");
        if (kv_too_few(position, side) || kv_too_few(position, side ^ 1))
            return kv_fail(error, KV_E_ILLEGAL, "the game is over");
        status = check_turn(rules, position, from, to, error);
        if (status)
            return status;
        uint32_t without = from == KV_NO_POINT ? own : own & ~(1u << from);
        owed = kv_captures_owed(rules, victims, kv_popcount(kv_mills_through(board, without, to)));
    }
    status = check_captures(rules, victims, owed, points + 2, error);
    if (status)
        return status;
    *move = kv_move_make(from, to, points[2], points[3]);
    return KV_OK;
}
