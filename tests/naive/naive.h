/* The game once more, for comparison: written from the rules alone, with letters on points and lists
 * of names, slow and plain. It shares no code and no table with src/board.
 */
#ifndef NAIVE_H
#define NAIVE_H

#include <stdbool.h>

enum { NAIVE_POINTS = 24, NAIVE_MILLS = 16, NAIVE_EDGES = 32, NAIVE_TURNS_MAX = 4096 };

enum naive_protection { NAIVE_UNLESS_ALL, NAIVE_ALWAYS, NAIVE_NEVER };
enum naive_reclose { NAIVE_ALLOWED, NAIVE_NOT_TWICE, NAIVE_NOT_AT_ONCE };

struct naive_rules {
    bool flying;
    enum naive_protection protection;
    bool double_takes_two;
    enum naive_reclose reclose;
    int repetition, no_capture_limit;
};

/* Points are numbered as one reads: a7 d7 g7 b6 ... g1. White is side 0 and 'O', black 1 and '@'. */
struct naive_position {
    char at[NAIVE_POINTS]; /* 'O', '@' or '*' */
    int hand[2];
    int side;
    int due; /* captures still owed by the side to move */
    int quiet;
    bool last_mill[2][NAIVE_MILLS]; /* not-twice: what the side's last closing closed */
    int left_from[2], left_to[2];   /* not-at-once: its last turn, if a stone left a mill; else -1 */
    bool left_mill[2][NAIVE_MILLS]; /* which mills that stone left; not part of the comparison */
};

/* One legal turn and where it leads. */
struct naive_turn {
    int from, to; /* -1 = none */
    int captures[2], taken;
    int closed; /* mills */
    struct naive_position after;
};

extern const char *const naive_names[NAIVE_POINTS];
extern const char *const naive_mill_names[NAIVE_MILLS];
extern const char *const naive_edge_names[NAIVE_EDGES];

int naive_point(const char *name); /* of two letters; -1 if there is none */
bool naive_neighbours(int a, int b);
bool naive_in_mill(const struct naive_position *position, int point);
int naive_mill_point(int mill, int i); /* i in 0..2 */

struct naive_position naive_start(int stones, int first);

/* Equal in everything the rules look at, the quiet plies included: 0; otherwise an order. */
int naive_compare(const struct naive_position *a, const struct naive_position *b);

/* Every legal turn, no two with the same result; while captures are due, every capture. */
int naive_turns(const struct naive_rules *rules, const struct naive_position *position,
                struct naive_turn *turns);

/* The position after the stone of `turn` has moved but before anything is taken; the same side is to
 * move if a capture is due. */
struct naive_position naive_half_turn(const struct naive_rules *rules, const struct naive_position *position,
                                      const struct naive_turn *turn);

/* "" while the game goes on, else "white few", "black blocked", "draw repetition", "draw limit" ...:
 * the winner, or draw, and why. `history` holds all positions so far, the current one last. */
const char *naive_result(const struct naive_rules *rules, const struct naive_position *history, int count);

long naive_perft(const struct naive_rules *rules, const struct naive_position *position, int depth);

#endif
