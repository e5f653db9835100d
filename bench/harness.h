/* Timing of small pieces of work: repeats them until a measurement is long enough, takes several, and
 * keeps the best and the median. */
#ifndef KV_BENCH_HARNESS_H
#define KV_BENCH_HARNESS_H

#include <stdbool.h>
#include <stdint.h>

/* Does the work once and returns how many units it was (leaves, nodes, calls); adds something that depends
 * on every result to `*checksum`, so that no work is optimised away. */
typedef uint64_t (*bench_work)(void *context, uint64_t *checksum);

struct bench_row {
    const char *name, *unit; /* "perft 7, last ply counted", "leaves" */
    bench_work work;
    void *context;
    const char *against; /* name of an earlier row this one is compared with, or NULL */
};

struct bench_result {
    const char *name;
    double best, median; /* units a second */
    double seconds;      /* of the best round */
    uint64_t units, checksum;
};

/* Measures for about `seconds` in all, at least three rounds after one to warm up. */
struct bench_result bench_measure(const struct bench_row *row, double seconds);

/* One line of the table; `all` holds the results so far, for the ratio column. */
void bench_print(const struct bench_row *row, const struct bench_result *result,
                 const struct bench_result *all, int count, bool json);

#endif
