#include "tune/net_file.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct rounding {
    int16_t *next;
    bool fits;
};

static void put(struct rounding *rounding, const float *numbers, size_t count, int one)
{
    for (size_t i = 0; i < count; i++) {
        long number = lroundf(numbers[i] * (float)one);
        rounding->fits &= number >= -INT16_MAX && number <= INT16_MAX;
        *rounding->next++ = (int16_t)number;
    }
}

/* Where the inputs of each group begin: one of each group is active. */
static int groups(int starts[KV_NET_ACTIVE + 1])
{
    int count = 0, at = 0;
    for (; at < KV_NET_LINES; at += 27)
        starts[count++] = at;
    for (; at < KV_NET_LINES + KV_NET_POINTS; at += 15)
        starts[count++] = at;
    for (int i = 0; i < 2; i++, at += KV_NET_HANDS / 2)
        starts[count++] = at;
    for (int i = 0; i < 2; i++, at += KV_NET_FLYING / 2)
        starts[count++] = at;
    starts[count] = at;
    return count;
}

/* Can no position bring a sum of the first layer out of range? */
static bool sums_fit(const int16_t *numbers)
{
    int starts[KV_NET_ACTIVE + 1], count = groups(starts);
    for (int unit = 0; unit < KV_NET_FIRST; unit++) {
        int high = numbers[KV_NET_INPUTS * KV_NET_FIRST + unit], low = high;
        for (int group = 0; group < count; group++) {
            int most = INT16_MIN, least = INT16_MAX;
            for (int input = starts[group]; input < starts[group + 1]; input++) {
                int number = numbers[input * KV_NET_FIRST + unit];
                most = number > most ? number : most;
                least = number < least ? number : least;
            }
            high += most;
            low += least;
        }
        if (high > INT16_MAX || low < INT16_MIN)
            return false;
    }
    return true;
}

bool tune_net_round(const struct tune_net *net, int16_t numbers[KV_NET_SIZE])
{
    struct rounding rounding = {numbers, true};
    put(&rounding, &net->first[0][0], KV_NET_INPUTS * KV_NET_FIRST, KV_NET_ONE << KV_NET_SUM_SHIFT);
    put(&rounding, net->first_bias, KV_NET_FIRST, KV_NET_ONE << KV_NET_SUM_SHIFT);
    for (int p = 0; p < KV_NET_PHASES; p++) {
        const struct tune_net_phase *phase = &net->phases[p];
        put(&rounding, &phase->second[0][0], KV_NET_SECOND * KV_NET_FIRST, 1 << KV_NET_SECOND_SHIFT);
        put(&rounding, phase->second_bias, KV_NET_SECOND, 1 << KV_NET_SECOND_SHIFT);
        put(&rounding, phase->result, KV_NET_SECOND, KV_NET_RESULT_ONE);
        put(&rounding, &phase->result_bias, 1, KV_NET_RESULT_ONE);
    }
    return rounding.fits && sums_fit(numbers);
}

enum tune_exit tune_net_write(const struct tune_net *net, const char *path)
{
    int16_t *numbers = malloc(KV_NET_SIZE * sizeof *numbers);
    char aside[4096];
    if (numbers == NULL)
        return tune_complain(TUNE_FAILED, "out of memory");
    if (!tune_net_round(net, numbers)) {
        free(numbers);
        return tune_complain(TUNE_FAILED, "net: a weight or a sum of weights does not fit 16 bits");
    }
    snprintf(aside, sizeof aside, "%s.part", path);
    FILE *file = fopen(aside, "wb");
    for (size_t i = 0; file && i < KV_NET_SIZE; i++) {
        putc(numbers[i] & 255, file);
        putc(numbers[i] >> 8 & 255, file);
    }
    free(numbers);
    if (file == NULL)
        return tune_complain(TUNE_FAILED, "%s: %s", aside, strerror(errno));
    enum tune_exit status = tune_close(file, aside);
    if (status == TUNE_OK && rename(aside, path) != 0)
        status = tune_complain(TUNE_FAILED, "%s: %s", path, strerror(errno));
    if (status)
        remove(aside);
    return status;
}
