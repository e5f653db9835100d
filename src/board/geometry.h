/* The geometry of a board, derived at build time from its list of mills (boards.h). */
#ifndef KV_BOARD_GEOMETRY_H
#define KV_BOARD_GEOMETRY_H

#include <stdint.h>

#include "kvern/position.h"

enum { KV_SYMMETRIES_MAX = 16, KV_LINES_MAX = 3 };

/* Sets of points are bit sets: bit p is point p. A mill set is a bit set over `mills`. */
struct kv_board {
    const char *name;
    int points, mills, edges, symmetries;
    int ring_lengths[4];                /* 0-terminated; innermost first */
    uint32_t all;                       /* every point */
    char point_names[KV_POINTS_MAX][3]; /* "d5", terminated */
    uint32_t neighbours[KV_POINTS_MAX];
    uint32_t mill_points[KV_MILLS_MAX];             /* the three points of each mill */
    uint8_t mill_order[KV_MILLS_MAX][3];            /* the same, in the order they lie on the board */
    int lines[KV_POINTS_MAX];                       /* how many mills pass through a point */
    uint8_t line[KV_POINTS_MAX][KV_LINES_MAX];      /* which */
    uint32_t partners[KV_POINTS_MAX][KV_LINES_MAX]; /* the other two points of each; all ones if fewer */
    /* symmetry s sends point p to image[s][p]; symmetry 0 is the identity, inverse[s] undoes s */
    uint8_t image[KV_SYMMETRIES_MAX][KV_POINTS_MAX];
    uint8_t inverse[KV_SYMMETRIES_MAX];
    /* the image of a set, byte by byte: the union of set_image[s][i][byte i of the set] */
    uint32_t set_image[KV_SYMMETRIES_MAX][3][256];
};

/* One constant structure a row of boards.h; the index is `kv_variant.board`. */
extern const struct kv_board *const kv_boards[];

/* The image of a set of points under a symmetry. */
static inline uint32_t kv_symmetry_set(const struct kv_board *board, int symmetry, uint32_t set)
{
    const uint32_t(*table)[256] = board->set_image[symmetry];
    return table[0][set & 255] | table[1][set >> 8 & 255] | table[2][set >> 16 & 255];
}

#endif
