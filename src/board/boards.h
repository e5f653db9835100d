/* Every board the program knows, as one list: point names and mills. Everything else about a board
 * (edges, mills through a point, symmetries, move tables) is derived from this at build time by
 * tools/make-tables.c, so that adding a board is adding a row here and a variant row in rules.c.
 *
 * Points stand in the order of the position text: ring by ring from the innermost, clockwise from
 * the top middle. Mills are lines of three points in the order in which they lie on the board; two
 * points that follow each other in a mill are neighbours.
 */
#ifndef KV_BOARD_BOARDS_H
#define KV_BOARD_BOARDS_H

struct board_source {
    const char *name;    /* C identifier */
    int ring_lengths[4]; /* points in each ring, 0-terminated */
    const char *points;  /* names, ring by ring */
    const char *mills;   /* three names each, separated by commas */
};

static const struct board_source board_sources[] = {
    {
        .name = "nine",
        .ring_lengths = {8, 8, 8, 0},
        .points = "d5 e5 e4 e3 d3 c3 c4 c5 "
                  "d6 f6 f4 f2 d2 b2 b4 b6 "
                  "d7 g7 g4 g1 d1 a1 a4 a7",
        .mills = "a7 d7 g7, b6 d6 f6, c5 d5 e5, a4 b4 c4, e4 f4 g4, c3 d3 e3, b2 d2 f2, a1 d1 g1, "
                 "a7 a4 a1, b6 b4 b2, c5 c4 c3, d7 d6 d5, d3 d2 d1, e5 e4 e3, f6 f4 f2, g7 g4 g1",
    },
};

#endif
