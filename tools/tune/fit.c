/* kvern-tune fit: the evaluator's weights by logistic regression.
 *
 * The expected score of a position is sigmoid(theta . x) where x holds every feature twice, times the share
 * of stones in hand and times the rest. Its cross-entropy with the real score (1, 1/2, 0) is convex in
 * theta; Newton's method finds the one minimum. A weak pull to zero keeps what the data hardly show in
 * bounds. The scale of theta is free for scores, so it is chosen to make a stone of the moving phase 100.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tune/measure.h"

enum { SIZE = 2 * KV_FEATURES, ROUNDS = 40, STONE = 100 };

/* For each position. Features of the middle of the game weigh in a thousand times as much; those that show
 * only while the very last stones are placed, and say nothing about a full hand, weigh in less. */
static const double pull = 1e-4;

struct system {
    double gradient[SIZE], hessian[SIZE][SIZE], seen[SIZE], loss;
    uint64_t count;
};

/* ---- Newton's method ---------------------------------------------------------------------------- */

static void add_row(struct system *system, const double theta[SIZE], const struct tune_row *row)
{
    double x[SIZE], dot = 0, share = row->phase / 1024.0;
    int used[SIZE], count = 0;
    for (int i = 0; i < SIZE; i++) {
        x[i] = row->counts[i % KV_FEATURES] * (i < KV_FEATURES ? share : 1 - share);
        if (x[i] == 0)
            continue;
        used[count++] = i;
        dot += theta[i] * x[i];
        system->seen[i] += x[i] * x[i];
    }
    double expected = tune_sigmoid(dot), error = expected - (row->outcome + 1) / 2.0;
    double curvature = expected * (1 - expected);
    system->loss += tune_cross_entropy(dot, row->outcome);
    system->count++;
    for (int a = 0; a < count; a++) {
        double slope = curvature * x[used[a]];
        system->gradient[used[a]] += error * x[used[a]];
        for (int b = 0; b <= a; b++)
            system->hessian[used[a]][used[b]] += slope * x[used[b]];
    }
}

static void add_up(struct system *system, const double theta[SIZE], const struct tune_dataset *data)
{
    memset(system, 0, sizeof *system);
    for (size_t i = 0; i < data->count; i++)
        if (data->rows[i].split == TUNE_TRAIN)
            add_row(system, theta, &data->rows[i]);
    double weight = pull * (double)system->count;
    for (int i = 0; i < SIZE; i++) {
        system->gradient[i] += weight * theta[i];
        system->hessian[i][i] += weight;
        system->loss += weight * theta[i] * theta[i] / 2;
    }
}

/* Solves hessian * step = gradient by Cholesky's method; the lower half is overwritten. */
static bool solve(struct system *system, double step[SIZE])
{
    double(*h)[SIZE] = system->hessian;
    for (int i = 0; i < SIZE; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = h[i][j];
            for (int k = 0; k < j; k++)
                sum -= h[i][k] * h[j][k];
            if (i == j && !(sum > 0))
                return false;
            h[i][j] = i == j ? sqrt(sum) : sum / h[j][j];
        }
    }
    for (int i = 0; i < SIZE; i++) {
        step[i] = system->gradient[i];
        for (int k = 0; k < i; k++)
            step[i] -= h[i][k] * step[k];
        step[i] /= h[i][i];
    }
    for (int i = SIZE; i-- > 0;) {
        for (int k = i + 1; k < SIZE; k++)
            step[i] -= h[k][i] * step[k];
        step[i] /= h[i][i];
    }
    return true;
}

/* Steps are halved while they make things worse. `system` is left as it is at the minimum. */
static enum tune_exit minimise(const struct tune_options *options, const struct tune_dataset *data,
                               double theta[SIZE], struct system *system)
{
    double step[SIZE], largest = 1;
    add_up(system, theta, data);
    for (int round = 1; round <= ROUNDS && largest > 1e-9; round++) {
        double before = system->loss, tried[SIZE], factor = 1;
        if (atomic_load(&tune_stop))
            return TUNE_STOPPED;
        if (!solve(system, step))
            return tune_complain(TUNE_FAILED, "fit: the data do not determine the weights");
        for (int halving = 0; halving < 30; halving++, factor /= 2) {
            for (int i = 0; i < SIZE; i++)
                tried[i] = theta[i] - factor * step[i];
            add_up(system, tried, data);
            if (system->loss <= before)
                break;
        }
        largest = 0;
        for (int i = 0; i < SIZE; i++) {
            largest = fmax(largest, fabs(tried[i] - theta[i]));
            theta[i] = tried[i];
        }
        tune_progress(options, false, "round %d: cross-entropy %.6f", round,
                      system->loss / (double)system->count);
    }
    return TUNE_OK;
}

/* ---- Weights ------------------------------------------------------------------------------------ */

/* What the data never show keeps the weight it had. */
static enum tune_exit weights_of(const double theta[SIZE], const struct system *system,
                                 struct tune_weights *weights)
{
    double stone = theta[KV_FEATURES + KV_STONES];
    tune_weights_built_in(weights);
    if (!(stone > 1e-3))
        return tune_complain(TUNE_FAILED,
                             "fit: in these data a stone is worth nothing in the moving phase, so "
                             "it cannot be the unit");
    for (int f = 0; f < KV_FEATURES; f++) {
        if (system->seen[f] > 0)
            weights->placing[f] = (int)lround(theta[f] / stone * STONE);
        if (system->seen[KV_FEATURES + f] > 0)
            weights->moving[f] = (int)lround(theta[KV_FEATURES + f] / stone * STONE);
    }
    return TUNE_OK;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static double mean_loss(const struct tune_model *model, const struct tune_dataset *data,
                        enum tune_split split)
{
    struct tune_measure measure = {0};
    for (size_t i = 0; i < data->count; i++)
        if (data->rows[i].split == split)
            tune_measure_add(&measure, model, &data->rows[i]);
    return measure.count ? measure.loss / (double)measure.count : 0;
}

static enum tune_exit write_weights(const struct tune_options *options, const struct tune_dataset *data,
                                    const struct tune_model models[2])
{
    char origin[2048];
    FILE *out = options->out ? fopen(options->out, "w") : stdout;
    if (out == NULL)
        return tune_complain(TUNE_FAILED, "%s: %s", options->out, strerror(errno));
    snprintf(origin, sizeof origin,
             " * Made by: kvern-tune fit %s\n%s"
             " * from %zu positions; cross-entropy on %zu others %.5f, with the weights before %.5f.\n"
             " * Expected score = 1 / (1 + exp(-score / %.0f)).\n",
             base_name(options->argument), data->origin, data->splits[TUNE_TRAIN], data->splits[TUNE_TEST],
             mean_loss(&models[1], data, TUNE_TEST), mean_loss(&models[0], data, TUNE_TEST), models[1].scale);
    tune_weights_write(&models[1].weights, origin, out);
    return out == stdout ? TUNE_OK : tune_close(out, options->out);
}

enum tune_exit tune_fit(const struct tune_options *options)
{
    struct tune_dataset data;
    struct system *system = calloc(1, sizeof *system);
    struct tune_model models[2] = {{.name = "before"}, {.name = "after"}};
    double theta[SIZE] = {0};
    enum tune_exit status = system ? tune_dataset_read(&data, options->argument, options)
                                   : tune_complain(TUNE_FAILED, "out of memory");
    if (system == NULL)
        return status;
    if (status == TUNE_OK && data.splits[TUNE_TRAIN] == 0)
        status = tune_complain(TUNE_FAILED, "%s: no position of the train set", options->argument);
    if (status == TUNE_OK)
        status = minimise(options, &data, theta, system);
    if (status == TUNE_OK)
        status = weights_of(theta, system, &models[1].weights);
    if (status == TUNE_OK) {
        tune_weights_built_in(&models[0].weights);
        for (int m = 0; m < 2; m++)
            tune_model_fit(&models[m], &data);
        status = write_weights(options, &data, models);
        for (int split = 0; split < TUNE_SPLITS; split++)
            if (data.splits[split])
                tune_progress(options, true, "%s: %zu positions, cross-entropy %.5f before, %.5f after",
                              tune_split_text((enum tune_split)split), data.splits[split],
                              mean_loss(&models[0], &data, (enum tune_split)split),
                              mean_loss(&models[1], &data, (enum tune_split)split));
    }
    tune_dataset_finish(&data);
    free(system);
    return status;
}
