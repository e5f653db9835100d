/* The evaluator's weights as numbers to work with, and as source. */
#ifndef TUNE_WEIGHTS_H
#define TUNE_WEIGHTS_H

#include "tune/dataset.h"

struct tune_weights {
    int placing[KV_FEATURES], moving[KV_FEATURES];
};

void tune_weights_built_in(struct tune_weights *weights);
/* From a file such as tune_weights_write makes. Complains by itself. */
enum tune_exit tune_weights_read(struct tune_weights *weights, const char *path);
/* Source of the form of src/eval/weights.h, with `origin` (lines that begin with " * ") in its comment. */
void tune_weights_write(const struct tune_weights *weights, const char *origin, FILE *file);

/* The score that the evaluator would give with these weights. */
int tune_weights_score(const struct tune_weights *weights, const struct tune_row *row);

#endif
