#include "tune/measure.h"

#include <math.h>
#include <stdlib.h>

double tune_sigmoid(double x)
{
    return 1 / (1 + exp(-x));
}

double tune_cross_entropy(double x, int outcome)
{
    double target = (outcome + 1) / 2.0;
    /* log(1 + e^x) - target x, without overflow */
    return (x > 0 ? x + log1p(exp(-x)) : log1p(exp(x))) - target * x;
}

static bool is_used(const struct tune_dataset *data, const struct tune_row *row)
{
    return row->split == TUNE_TRAIN || data->splits[TUNE_TRAIN] == 0;
}

/* ---- Scale and margin --------------------------------------------------------------------------- */

enum { SCORES = 4096, STEPS = 60 };

/* Positions by score (SCORES is 0) and result: all that scale and margin depend on. */
struct histogram {
    uint64_t counts[2 * SCORES + 1][3];
};

/* The multiplier of the score that makes the results most likely: the likelihood is concave in it. */
static double best_multiplier(const struct histogram *histogram)
{
    double low = 0, high = 1;
    for (int step = 0; step < STEPS; step++) {
        double middle = (low + high) / 2, slope = 0;
        for (int s = 0; s <= 2 * SCORES; s++)
            for (int r = 0; r < 3; r++)
                if (histogram->counts[s][r])
                    slope += (double)histogram->counts[s][r] * (s - SCORES) *
                             (r / 2.0 - tune_sigmoid(middle * (s - SCORES)));
        if (slope > 0)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}

static int best_margin(const struct histogram *histogram)
{
    uint64_t right = 0, best = 0;
    int margin = 0;
    for (int s = 0; s <= 2 * SCORES; s++)
        right += s == SCORES ? histogram->counts[s][1] : histogram->counts[s][s > SCORES ? 2 : 0];
    best = right;
    for (int m = 1; m <= SCORES; m++) {
        right += histogram->counts[SCORES + m][1] + histogram->counts[SCORES - m][1];
        right -= histogram->counts[SCORES + m][2] + histogram->counts[SCORES - m][0];
        if (right > best) {
            best = right;
            margin = m;
        }
    }
    return margin;
}

void tune_model_fit(struct tune_model *model, const struct tune_dataset *data)
{
    static struct histogram histogram;
    histogram = (struct histogram){0};
    for (size_t i = 0; i < data->count; i++) {
        const struct tune_row *row = &data->rows[i];
        if (!is_used(data, row))
            continue;
        int score = tune_weights_score(&model->weights, row);
        score = score > SCORES ? SCORES : score < -SCORES ? -SCORES : score;
        histogram.counts[SCORES + score][row->outcome + 1]++;
    }
    model->scale = 1 / best_multiplier(&histogram);
    model->margin = best_margin(&histogram);
}

/* ---- Sums --------------------------------------------------------------------------------------- */

void tune_measure_add(struct tune_measure *measure, const struct tune_model *model,
                      const struct tune_row *row)
{
    int score = tune_weights_score(&model->weights, row);
    int predicted = score > model->margin ? 1 : score < -model->margin ? -1 : 0;
    double expected = tune_sigmoid(score / model->scale), real = (row->outcome + 1) / 2.0;
    int bin = (int)(expected * TUNE_BINS);
    bin = bin < TUNE_BINS ? bin : TUNE_BINS - 1;
    measure->count++;
    measure->results[row->outcome + 1]++;
    measure->right += predicted == row->outcome;
    measure->decided += row->outcome != 0;
    measure->sign += row->outcome * score > 0;
    measure->loss += tune_cross_entropy(score / model->scale, row->outcome);
    measure->brier += (expected - real) * (expected - real);
    measure->bins[bin]++;
    measure->expected[bin] += expected;
    measure->real[bin] += real;
}

double tune_measure_error(const struct tune_measure *measure)
{
    double sum = 0;
    for (int bin = 0; bin < TUNE_BINS; bin++)
        sum += fabs(measure->expected[bin] - measure->real[bin]);
    return measure->count ? sum / (double)measure->count : 0;
}
