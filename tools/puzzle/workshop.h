/* Where new puzzles come from: random positions, what makes one a puzzle, and how hard it is. */
#ifndef PUZZLE_WORKSHOP_H
#define PUZZLE_WORKSHOP_H

#include "base/random.h"
#include "puzzle/cli.h"
#include "search/search.h"

enum puzzle_kind { PUZZLE_KIND_WIN, PUZZLE_KIND_DRAW, PUZZLE_KIND_PLACING };

struct puzzle_wish {
    enum puzzle_kind kind;
    int shortest, longest; /* plies; of a draw: until the slowest wrong move has lost */
};

/* A position to look at: drawn from the endgames of the tables, or reached by a careless game. */
void puzzle_candidate(const struct kv_rules *rules, enum puzzle_kind kind, bool from_tables,
                      struct kv_random *random, struct kv_position *position);

struct puzzle_made {
    struct kv_position position, image; /* image: one for all mirrored and recoloured ones */
    kv_move solution;
    struct puzzle_verdict verdict;
    enum puzzle_unique unique;
    int length;
    int tempting;    /* other moves that look at least as good at first sight */
    int found_depth; /* from which the engine, without tables, sees the solution; 0 = it does not */
    int grade;       /* 1..5 */
};

/* Is the position a puzzle as wished: settled, one best move, not solved by captures alone? KV_OK,
 * KV_E_NOT_FOUND when it is not, KV_E_MEMORY. */
int puzzle_try(struct puzzle_cli *cli, const struct puzzle_wish *wish, const struct kv_position *position,
               struct puzzle_made *made);

/* Fills tempting, found_depth and grade. KV_E_MEMORY. */
int puzzle_grade(const struct kv_rules *rules, struct kv_search *search, struct puzzle_made *made);

#endif
