#include "tune/measure.h"

#include <math.h>
#include <stdlib.h>

#include "eval/net.h"

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
    if (model->network) {
        model->scale = KV_NET_CENTISTONES;
        model->margin = KV_NET_MARGIN * KV_NET_CENTISTONES;
        return;
    }
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

static int score_of(const struct tune_model *model, const struct tune_row *row)
{
    struct kv_position position = {.stones = {row->own, row->other}, .hand = {row->hands[0], row->hands[1]}};
    return model->network ? kv_net_score(&position) : tune_weights_score(&model->weights, row);
}

static double expected_of(const struct tune_model *model, int score)
{
    static const double least = 1e-6;
    double win = tune_sigmoid((score - model->margin) / model->scale);
    double loss = tune_sigmoid((-score - model->margin) / model->scale);
    double expected = model->network ? win + (1 - win - loss) / 2 : tune_sigmoid(score / model->scale);
    return expected < least ? least : expected > 1 - least ? 1 - least : expected;
}

void tune_measure_add(struct tune_measure *measure, const struct tune_model *model,
                      const struct tune_row *row)
{
    int score = score_of(model, row);
    int predicted = score > model->margin ? 1 : score < -model->margin ? -1 : 0;
    double expected = expected_of(model, score), real = (row->outcome + 1) / 2.0;
    int bin = (int)(expected * TUNE_BINS);
    bin = bin < TUNE_BINS ? bin : TUNE_BINS - 1;
    measure->count++;
    measure->results[row->outcome + 1]++;
    measure->right += predicted == row->outcome;
    measure->decided += row->outcome != 0;
    measure->sign += row->outcome * score > 0;
    measure->loss -= real * log(expected) + (1 - real) * log1p(-expected);
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
