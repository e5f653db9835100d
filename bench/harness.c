#include "harness.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

enum { ROUNDS_MAX = 64 };

static double run_round(const struct bench_row *row, uint64_t loops, struct bench_result *result)
{
    uint64_t units = 0, checksum = 0;
    int64_t start = kv_clock_ns();
    for (uint64_t i = 0; i < loops; i++)
        units += row->work(row->context, &checksum);
    double seconds = (double)(kv_clock_ns() - start) * 1e-9;
    result->units = units / loops;
    result->checksum = checksum / loops;
    return seconds;
}

static int descending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? 1 : x > y ? -1 : 0;
}

struct bench_result bench_measure(const struct bench_row *row, double seconds)
{
    struct bench_result result = {.name = row->name};
    double rates[ROUNDS_MAX], wanted = seconds / 5, spent = 0;
    uint64_t loops = 1;
    /* Warm up, and find a loop count that makes a round long enough to time. */
    while (run_round(row, loops, &result) < wanted && loops < UINT64_C(1) << 40)
        loops *= 2;
    int rounds = 0;
    while (rounds < 3 || (spent < seconds && rounds < ROUNDS_MAX)) {
        double took = run_round(row, loops, &result);
        rates[rounds++] = (double)(result.units * loops) / took;
        spent += took;
    }
    qsort(rates, (size_t)rounds, sizeof *rates, descending);
    result.best = rates[0];
    result.median = rates[rounds / 2];
    result.seconds = (double)result.units / result.best;
    return result;
}

static double ratio_to(const struct bench_row *row, const struct bench_result *result,
                       const struct bench_result *all, int count)
{
    for (int i = 0; i < count && row->against; i++)
        if (strcmp(all[i].name, row->against) == 0)
            return result->best / all[i].best;
    return 0;
}

void bench_print(const struct bench_row *row, const struct bench_result *result,
                 const struct bench_result *all, int count, bool json)
{
    double ratio = ratio_to(row, result, all, count);
    if (json) {
        printf("{\"name\":\"%s\",\"unit\":\"%s\",\"best\":%.0f,\"median\":%.0f,\"seconds\":%.6f,\"units\":"
               "%" PRIu64 ",\"checksum\":%" PRIu64,
               row->name, row->unit, result->best, result->median, result->seconds, result->units,
               result->checksum);
        if (ratio > 0)
            printf(",\"ratio\":%.3f,\"against\":\"%s\"", ratio, row->against);
        printf("}\n");
    } else {
        printf("%-34s %12.2f %12.2f  M%s/s %12.4f ms", row->name, result->best * 1e-6, result->median * 1e-6,
               row->unit, result->seconds * 1e3);
        if (ratio > 0)
            printf("  %.2f x %s", ratio, row->against);
        printf("\n");
    }
    fflush(stdout);
}
