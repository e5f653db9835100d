/* Move tokens of a record, in any notation, become the moves of a line. */
#include <stdio.h>
#include <string.h>

#include "board/movegen.h"
#include "record/names.h"

/* Point number `number` (1-24) counts the points row by row from the top left: 1 is a7, 24 is g1. */
static const char *numbered_point(const struct kv_board *board, int64_t number)
{
    for (int p = 0; p < board->points; p++) {
        const char *name = board->point_names[p];
        int before = 0;
        for (int q = 0; q < board->points; q++) {
            const char *other = board->point_names[q];
            before += other[1] > name[1] || (other[1] == name[1] && other[0] < name[0]);
        }
        if (before + 1 == number)
            return name;
    }
    return NULL;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* "10-1x23" becomes "b4-a7xg1" or the like, in `buffer`. */
static int spell_numbers(const struct kv_board *board, struct kv_span *token, char buffer[16],
                         struct kv_error *error)
{
    size_t at = 0, length = 0;
    for (int points = 0; at < token->length; points++) {
        if (points == 4 || (points > 0 && !strchr("-xX", token->at[at])))
            return kv_fail(error, KV_E_SYNTAX, "expected a move such as 5, 5x3, 10-1 or 10-1x23");
        if (!is_digit(token->at[at]))
            buffer[length++] = token->at[at++];
        size_t start = at;
        while (at < token->length && is_digit(token->at[at]))
            at++;
        int64_t number = 0;
        struct kv_span digits = {token->at + start, at - start};
        if (kv_span_int(digits, 1, board->points, &number) != KV_OK)
            return kv_fail(error, KV_E_RANGE, "expected a point number from 1 to %d", board->points);
        memcpy(buffer + length, numbered_point(board, number), 2);
        length += 2;
    }
    *token = (struct kv_span){buffer, length};
    return KV_OK;
}

static bool is_capture(struct kv_span token)
{
    return token.length > 0 && (token.at[0] == 'x' || token.at[0] == 'X');
}

static int read_move(struct kv_record_cursor *cursor, struct kv_span token, kv_move *move,
                     struct kv_error *error)
{
    char numbers[16], composed[64];
    const struct kv_board *board = kv_board_of(cursor->rules);
    bool numbered = token.length > 0 && (is_digit(token.at[0]) ||
                                         (is_capture(token) && token.length > 1 && is_digit(token.at[1])));
    if (numbered) {
        int status = spell_numbers(board, &token, numbers, error);
        if (status)
            return status;
    }
    /* A variation of which only the capture is written: the rest is as in the move it replaces. */
    if (is_capture(token) && cursor->line->count == 0 && cursor->now.due == 0 &&
        cursor->instead != KV_MOVE_NONE && kv_move_to(cursor->instead) != KV_NO_POINT) {
        kv_move bare = kv_move_make(kv_move_from(cursor->instead), kv_move_to(cursor->instead), KV_NO_POINT,
                                    KV_NO_POINT);
        char text[KV_MOVE_TEXT_MAX];
        int length = token.length > 16 ? 16 : (int)token.length;
        snprintf(composed, sizeof composed, "%s%.*s", kv_move_write(cursor->rules, bare, text), length,
                 token.at);
        token = kv_span_of(composed);
    }
    return kv_move_read(cursor->rules, &cursor->now, token.at, token.length, move, error);
}

int kv_record_cursor_play(struct kv_record_cursor *cursor, struct kv_span token, struct kv_error *error)
{
    struct kv_record_line *line = cursor->line;
    struct kv_error cause = {""};
    kv_move move;
    int status = read_move(cursor, token, &move, &cause);
    if (status) {
        char shown[32];
        return kv_fail(error, status, "move '%s': %s", kv_span_show(token, shown, sizeof shown), cause.text);
    }
    struct kv_record_move *last = line->count > 0 ? &line->moves[line->count - 1] : NULL;
    bool completes = cursor->now.due > 0 && last && kv_move_to(last->move) != KV_NO_POINT;
    if (!completes) {
        status = kv_record_add_move(line, move, NULL);
        if (status)
            return kv_fail(error, status, "out of memory");
        cursor->before = cursor->now;
        kv_position_play(cursor->rules, &cursor->now, move);
        return KV_OK;
    }
    unsigned first = kv_move_capture(last->move), taken = kv_move_capture(move);
    last->move =
        kv_move_make(kv_move_from(last->move), kv_move_to(last->move), first == KV_NO_POINT ? taken : first,
                     first == KV_NO_POINT ? KV_NO_POINT : taken);
    cursor->now = cursor->before;
    kv_position_play(cursor->rules, &cursor->now, last->move);
    return KV_OK;
}
