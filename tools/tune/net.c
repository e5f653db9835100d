/* kvern-tune net: the network of the classic game, taught by positions with their results.
 *
 * The result o of the float network gives a win the probability sigmoid(o - KV_NET_MARGIN) and a loss
 * sigmoid(-o - KV_NET_MARGIN); the mean of -log of what happened is made small by Adam (Kingma and Ba 2014),
 * its step falling to zero as a cosine. Each time a position is shown it is shown under a random symmetry of
 * the board. One thread and a fixed order: the same data and seed give the same file.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "board/movegen.h"
#include "eval/net.h"
#include "tune/dataset.h"
#include "tune/net_file.h"

enum { BATCH = 1024, FIRST = KV_NET_FIRST, SECOND = KV_NET_SECOND };

static const float first_step = 0.002f, last_step = 1e-5f;
static const float most_first = 1.5f, most_second = 1.98f; /* so that they fit the integers */

/* Gradients, and what Adam keeps of them, in the same shape as the weights. */
struct trainer {
    const struct tune_options *options;
    const struct tune_dataset *data;
    struct tune_net net, gradient, mean, square;
    bool touched[KV_NET_INPUTS];
    uint32_t *order; /* rows of the train set, as they are shown */
    size_t count;
    struct kv_random random;
    uint64_t steps, all_steps;
    float step, mean_left, square_left; /* of this step: its size, and Adam's corrections */
    /* of the position in work */
    uint16_t inputs[KV_NET_ACTIVE];
    int phase;
    float sum1[FIRST], out1[FIRST], sum2[SECOND], out2[SECOND];
};

static float sigmoid(float x)
{
    return 1 / (1 + expf(-x));
}

static float clip(float x, float low, float high)
{
    return x < low ? low : x > high ? high : x;
}

/* ---- Forward and backward --------------------------------------------------------------------------- */

/* Sums in an order that is fixed, and that a compiler can turn into vectors. */
static float dot(const float *restrict a, const float *restrict b)
{
    enum { LANES = 16 };
    float lanes[LANES] = {0}, sum = 0;
    for (int i = 0; i < FIRST; i += LANES)
        for (int lane = 0; lane < LANES; lane++)
            lanes[lane] += a[i + lane] * b[i + lane];
    for (int lane = 0; lane < LANES; lane++)
        sum += lanes[lane];
    return sum;
}

static void add_times(float *restrict target, const float *restrict row, float factor)
{
    for (int i = 0; i < FIRST; i++)
        target[i] += row[i] * factor;
}

static void set_position(struct trainer *work, const struct tune_row *row, int symmetry)
{
    const struct kv_board *board = kv_boards[0];
    struct kv_position position = {
        .stones = {kv_symmetry_set(board, symmetry, row->own), kv_symmetry_set(board, symmetry, row->other)},
        .hand = {row->hands[0], row->hands[1]},
    };
    kv_net_inputs(&position, work->inputs);
    work->phase = kv_net_phase(&position);
}

static float forward(struct trainer *work)
{
    const struct tune_net *net = &work->net;
    const struct tune_net_phase *phase = &net->phases[work->phase];
    float result = phase->result_bias;
    memcpy(work->sum1, net->first_bias, sizeof work->sum1);
    for (int i = 0; i < KV_NET_ACTIVE; i++)
        add_times(work->sum1, net->first[work->inputs[i]], 1);
    for (int i = 0; i < FIRST; i++)
        work->out1[i] = clip(work->sum1[i], 0, 1);
    for (int unit = 0; unit < SECOND; unit++) {
        work->sum2[unit] = phase->second_bias[unit] + dot(phase->second[unit], work->out1);
        work->out2[unit] = clip(work->sum2[unit], 0, 1);
        result += phase->result[unit] * work->out2[unit];
    }
    return result;
}

/* `slope` is that of the loss by the result. */
static void backward(struct trainer *work, float slope)
{
    const struct tune_net_phase *phase = &work->net.phases[work->phase];
    struct tune_net_phase *change = &work->gradient.phases[work->phase];
    float slopes[FIRST] = {0};
    change->result_bias += slope;
    for (int unit = 0; unit < SECOND; unit++) {
        change->result[unit] += slope * work->out2[unit];
        if (work->sum2[unit] <= 0 || work->sum2[unit] >= 1)
            continue;
        float own = slope * phase->result[unit];
        change->second_bias[unit] += own;
        add_times(change->second[unit], work->out1, own);
        add_times(slopes, phase->second[unit], own);
    }
    for (int i = 0; i < FIRST; i++)
        slopes[i] = work->sum1[i] > 0 && work->sum1[i] < 1 ? slopes[i] : 0;
    add_times(work->gradient.first_bias, slopes, 1);
    for (int i = 0; i < KV_NET_ACTIVE; i++) {
        work->touched[work->inputs[i]] = true;
        add_times(work->gradient.first[work->inputs[i]], slopes, 1);
    }
}

/* The loss of a result, and its slope. */
static float loss_of(float result, int outcome, float *slope)
{
    const float least = 1e-6f;
    float win = sigmoid(result - KV_NET_MARGIN), loss = sigmoid(-result - KV_NET_MARGIN);
    float draw = 1 - win - loss > least ? 1 - win - loss : least;
    if (outcome > 0)
        *slope = -(1 - win);
    else if (outcome < 0)
        *slope = 1 - loss;
    else
        *slope = (win * (1 - win) - loss * (1 - loss)) / draw;
    return -logf(outcome > 0 ? win + least : outcome < 0 ? loss + least : draw);
}

/* ---- Adam --------------------------------------------------------------------------------------------- */

static void adapt(const struct trainer *work, float *restrict weights, float *restrict gradient,
                  float *restrict mean, float *restrict square, size_t count, float most)
{
    const float step = work->step, mean_left = work->mean_left, square_left = work->square_left;
    for (size_t i = 0; i < count; i++) {
        float g = gradient[i] / BATCH;
        mean[i] = 0.9f * mean[i] + 0.1f * g;
        square[i] = 0.999f * square[i] + 0.001f * g * g;
        weights[i] -= step * (mean[i] / mean_left) / (sqrtf(square[i] / square_left) + 1e-8f);
        weights[i] = clip(weights[i], -most, most);
        gradient[i] = 0;
    }
}

static void take_step(struct trainer *work)
{
    struct tune_net *net = &work->net, *gradient = &work->gradient, *mean = &work->mean,
                    *square = &work->square;
    double done = (double)work->steps++ / (double)work->all_steps, pi = acos(-1);
    work->step = first_step / 2 * (float)(1 + cos(pi * done)) + last_step;
    work->mean_left = (float)(1 - pow(0.9, (double)work->steps));
    work->square_left = (float)(1 - pow(0.999, (double)work->steps));
    for (int input = 0; input < KV_NET_INPUTS; input++)
        if (work->touched[input]) {
            adapt(work, net->first[input], gradient->first[input], mean->first[input], square->first[input],
                  FIRST, most_first);
            work->touched[input] = false;
        }
    adapt(work, net->first_bias, gradient->first_bias, mean->first_bias, square->first_bias, FIRST,
          most_first);
    for (int phase = 0; phase < KV_NET_PHASES; phase++) {
        /* the rest of a phase is one row of numbers, as far as this is concerned */
        size_t rest = sizeof net->phases[0] / sizeof(float) - SECOND * FIRST;
        adapt(work, &net->phases[phase].second[0][0], &gradient->phases[phase].second[0][0],
              &mean->phases[phase].second[0][0], &square->phases[phase].second[0][0], SECOND * FIRST,
              most_second);
        adapt(work, net->phases[phase].second_bias, gradient->phases[phase].second_bias,
              mean->phases[phase].second_bias, square->phases[phase].second_bias, rest, 100);
    }
}

/* ---- The whole ------------------------------------------------------------------------------------------
 */

static float spread(struct kv_random *random, float most)
{
    return ((float)kv_random_below(random, 2001) - 1000) / 1000 * most;
}

static void begin(struct trainer *work)
{
    struct tune_net *net = &work->net;
    for (int input = 0; input < KV_NET_INPUTS; input++)
        for (int i = 0; i < FIRST; i++)
            net->first[input][i] = spread(&work->random, 0.1f);
    for (int i = 0; i < FIRST; i++)
        net->first_bias[i] = 0.3f;
    for (int p = 0; p < KV_NET_PHASES; p++)
        for (int unit = 0; unit < SECOND; unit++) {
            for (int i = 0; i < FIRST; i++)
                net->phases[p].second[unit][i] = spread(&work->random, 1.7f / sqrtf(FIRST));
            net->phases[p].second_bias[unit] = 0.2f;
            net->phases[p].result[unit] = spread(&work->random, 1);
        }
}

/* Loss and share of right predictions on a split. */
static void measure(struct trainer *work, enum tune_split split, double *loss, double *right)
{
    uint64_t count = 0, hits = 0;
    *loss = 0;
    for (size_t i = 0; i < work->data->count; i++) {
        const struct tune_row *row = &work->data->rows[i];
        float slope;
        if (row->split != split)
            continue;
        set_position(work, row, 0);
        float result = forward(work);
        *loss += loss_of(result, row->outcome, &slope);
        hits += row->outcome == (result > KV_NET_MARGIN) - (result < -KV_NET_MARGIN);
        count++;
    }
    *loss /= count ? (double)count : 1;
    *right = count ? (double)hits / (double)count : 0;
}

static void shuffle(struct trainer *work)
{
    for (size_t i = work->count; i > 1; i--) {
        size_t other = kv_random_next(&work->random) % i;
        uint32_t row = work->order[i - 1];
        work->order[i - 1] = work->order[other];
        work->order[other] = row;
    }
}

static enum tune_exit train(struct trainer *work)
{
    const struct tune_options *options = work->options;
    size_t batches = work->count / BATCH;
    work->all_steps = batches * (uint64_t)options->epochs;
    for (int64_t epoch = 1; epoch <= options->epochs; epoch++) {
        double loss = 0, valid, right;
        shuffle(work);
        for (size_t batch = 0; batch < batches; batch++) {
            for (size_t i = 0; i < BATCH; i++) {
                const struct tune_row *row = &work->data->rows[work->order[batch * BATCH + i]];
                float slope;
                set_position(work, row, (int)kv_random_below(&work->random, 16));
                loss += loss_of(forward(work), row->outcome, &slope);
                backward(work, slope);
            }
            take_step(work);
            if (atomic_load(&tune_stop))
                return TUNE_STOPPED;
            tune_progress(options, false, "epoch %" PRId64 " of %" PRId64 ", %zu of %zu positions, loss %.4f",
                          epoch, options->epochs, (batch + 1) * BATCH, work->count,
                          loss / (double)((batch + 1) * BATCH));
        }
        measure(work, TUNE_VALID, &valid, &right);
        printf("epoch %" PRId64 ": loss %.4f, on %zu others %.4f, %.2f %% of results right\n", epoch,
               loss / (double)(batches * BATCH), work->data->splits[TUNE_VALID], valid, 100 * right);
        fflush(stdout);
    }
    return TUNE_OK;
}

static enum tune_exit prepare(struct trainer *work)
{
    const struct tune_dataset *data = work->data;
    if (data->splits[TUNE_TRAIN] < BATCH)
        return tune_complain(TUNE_FAILED, "net: %zu positions to train on, at least %d are needed",
                             data->splits[TUNE_TRAIN], BATCH);
    if (!kv_rules_are_classic(&data->rules))
        return tune_complain(TUNE_FAILED, "net: the network is that of the game with nine stones a side");
    work->order = malloc(data->splits[TUNE_TRAIN] * sizeof *work->order);
    if (work->order == NULL)
        return tune_complain(TUNE_FAILED, "out of memory");
    for (size_t i = 0; i < data->count; i++)
        if (data->rows[i].split == TUNE_TRAIN)
            work->order[work->count++] = (uint32_t)i;
    work->random = (struct kv_random){(uint64_t)work->options->seed};
    begin(work);
    return TUNE_OK;
}

enum tune_exit tune_net(const struct tune_options *options)
{
    struct tune_dataset data;
    struct trainer *work = calloc(1, sizeof *work);
    if (work == NULL)
        return tune_complain(TUNE_FAILED, "out of memory");
    if (options->out == NULL) {
        free(work);
        return tune_complain(TUNE_USAGE, "net: --out FILE is missing");
    }
    work->options = options;
    work->data = &data;
    enum tune_exit status = tune_dataset_read(&data, options->argument, options);
    if (status == TUNE_OK)
        status = prepare(work);
    if (status == TUNE_OK)
        status = train(work);
    if (status == TUNE_OK) {
        double loss, right;
        measure(work, TUNE_TEST, &loss, &right);
        printf("test: on %zu positions loss %.4f, %.2f %% of results right\n", data.splits[TUNE_TEST], loss,
               100 * right);
        status = tune_net_write(&work->net, options->out);
    }
    tune_dataset_finish(&data);
    free(work->order);
    free(work);
    return status;
}
