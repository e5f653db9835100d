#include "board/picture.h"

#include <string.h>

#include "board/movegen.h"

enum { RANKS = 7, FILE_WIDTH = 4, WIDTH = (RANKS - 1) * FILE_WIDTH + 1 };

static int row_of(const char *name)
{
    return RANKS - (name[1] - '0');
}

static int column_of(const char *name)
{
    return (name[0] - 'a') * FILE_WIDTH;
}

static void draw_edge(char canvas[RANKS][WIDTH + 1], const char *a, const char *b)
{
    int row = row_of(a), column = column_of(a);
    int down = (row_of(b) > row) - (row_of(b) < row),
        right = (column_of(b) > column) - (column_of(b) < column);
    if (down != 0 && right != 0)
        return; /* a diagonal has no character that meets it */
    for (; row != row_of(b) || column != column_of(b); row += down, column += right)
        canvas[row][column] = down ? '|' : '-';
}

void kv_picture(const struct kv_rules *rules, const struct kv_position *position, struct kv_buffer *out)
{
    const struct kv_board *board = kv_board_of(rules);
    char canvas[RANKS][WIDTH + 1];
    for (int row = 0; row < RANKS; row++) {
        memset(canvas[row], ' ', WIDTH);
        canvas[row][WIDTH] = '\0';
    }
    for (int p = 0; p < board->points; p++)
        for (uint32_t others = board->neighbours[p]; others;)
            draw_edge(canvas, board->point_names[p], board->point_names[kv_take(&others)]);
    for (int p = 0; p < board->points; p++)
        canvas[row_of(board->point_names[p])][column_of(board->point_names[p])] =
            position->stones[KV_WHITE] >> p & 1   ? 'O'
            : position->stones[KV_BLACK] >> p & 1 ? '@'
                                                  : '*';
    for (int row = 0; row < RANKS; row++)
        kv_buffer_format(out, "%d  %.*s\n", RANKS - row, WIDTH, canvas[row]);
    kv_buffer_text(out, "   ");
    for (int file = 0; file < RANKS; file++)
        kv_buffer_format(out, "%c%s", 'a' + file, file + 1 < RANKS ? "   " : "\n");
}
