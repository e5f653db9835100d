/* The judge: what a position is worth, and how that is known.
 *
 * Three sources, never mixed up: the rules (the game is over), the tables, and proof. Two kinds of proof
 * are tried, both full-width and both sound whatever came before the position:
 *
 *  - attack.c: does a side force its win within n plies? Asked for n = 1, 2, 3 ..., so that the first
 *    "yes" is the exact distance. A shortest win never repeats a position, so repetitions cannot spoil it.
 *  - hold.c: does a side have a strategy that never loses? The answer is a closed set of positions: the
 *    side has a move that stays inside, the other side has none that leaves. No path is looked at, so no
 *    result depends on how a position was reached.
 *
 * Whatever neither settles within the limits is left open and says so.
 */
#ifndef PUZZLE_JUDGE_H
#define PUZZLE_JUDGE_H

#include <stdatomic.h>

#include "puzzle/verdict.h"
#include "tablebase/tablebase.h"

/* For one position; 0 = no limit. Nodes rather than time make results repeat. */
struct puzzle_limits {
    int plies;       /* of the deepest attack */
    uint64_t nodes;  /* positions looked at, of both kinds of proof */
    int64_t time_ms; /* of the clock */
    bool value_only; /* stop when the position itself is settled, moves or not */
};

struct puzzle_judge;

/* `tablebase` may be NULL and is not owned; `stop` is looked at often and ends everything early.
 * KV_E_MEMORY. */
int puzzle_judge_create(struct puzzle_judge **judge, const struct kv_rules *rules,
                        struct kv_tablebase *tablebase, size_t hash_mb, atomic_bool *stop);
void puzzle_judge_destroy(struct puzzle_judge *judge);
const struct kv_rules *puzzle_judge_rules(const struct puzzle_judge *judge);

/* Judges a position and each of its moves. The analysis is emptied with puzzle_analysis_finish.
 * KV_E_MEMORY. */
int puzzle_judge_position(struct puzzle_judge *judge, const struct kv_position *position,
                          const struct puzzle_limits *limits, struct puzzle_analysis *analysis);

/* What the rules and the tables say without search; PUZZLE_UNKNOWN when nothing. */
struct puzzle_verdict puzzle_judge_glance(struct puzzle_judge *judge, const struct kv_position *position);

#endif
