/* How often the engine throws value away, and where. */
#ifndef TUNE_GRADE_H
#define TUNE_GRADE_H

#include "tune/set.h"

enum tune_phase { TUNE_PLACING, TUNE_MOVING, TUNE_FLYING, TUNE_PHASES };

/* A critical position and the move that was played there. Values are the mover's. */
struct tune_mark {
    struct kv_position position;
    enum tune_phase phase;
    int stones; /* on the board */
    kv_move move;
    struct kv_value before, after;
    int depth;
    uint64_t nodes;
    double guess; /* the share of the legal moves that throw value away */
};

struct tune_marks {
    struct tune_mark *list;
    size_t count;
    uint64_t games, met, unknown; /* positions met; of them without all values */
};

/* Numbers of some of the marks. */
struct tune_sum {
    uint64_t count, won, drawn, win_draw, win_loss, draw_loss, nodes, depth;
    double guess;
};
void tune_sum_add(struct tune_sum *sum, const struct tune_mark *mark);
static inline uint64_t tune_sum_thrown(const struct tune_sum *sum)
{
    return sum->win_draw + sum->win_loss + sum->draw_loss;
}

const char *tune_phase_text(enum tune_phase phase);
/* The report: a table, CSV or JSON, with the worst examples first of those asked for. Sorts the marks. */
void tune_grade_print(const struct tune_options *options, const struct kv_rules *rules,
                      struct tune_marks *marks);

#endif
