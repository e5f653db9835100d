/* How well scores predict results. */
#ifndef TUNE_MEASURE_H
#define TUNE_MEASURE_H

#include "tune/weights.h"

enum { TUNE_BINS = 20 };

/* Sums over some positions. */
struct tune_measure {
    uint64_t count, results[3]; /* losses, draws, wins */
    uint64_t right;             /* result as predicted */
    uint64_t decided, sign;     /* won or lost; of these with a score of the right sign */
    double loss, brier;         /* cross-entropy and squared error of the expected score */
    uint64_t bins[TUNE_BINS];   /* positions by expected score */
    double expected[TUNE_BINS], real[TUNE_BINS];
};

/* Weights with the two numbers that turn their scores into predictions, both from the train set; or the
 * engine's network, which tells its odds itself. */
struct tune_model {
    const char *name;
    bool network;
    struct tune_weights weights;
    double scale; /* expected score = 1 / (1 + exp(-score / scale)) */
    int margin;   /* a win is predicted above it, a loss below its negative, else a draw */
};

/* Finds scale and margin; from all positions when none is in the train set. */
void tune_model_fit(struct tune_model *model, const struct tune_dataset *data);

void tune_measure_add(struct tune_measure *measure, const struct tune_model *model,
                      const struct tune_row *row);
/* The mean distance of expected and real score, over the bins. */
double tune_measure_error(const struct tune_measure *measure);

double tune_sigmoid(double x);
/* The cross-entropy of a result (-1, 0, 1) whose expected score is sigmoid(x), in nats. */
double tune_cross_entropy(double x, int outcome);

/* Draws expected against real scores, placing phase and moving phase side by side, a line a model. */
void tune_plot_write(FILE *file, const struct tune_model *models, const struct tune_measure (*measures)[2],
                     int count);

#endif
