/* kvern-tune: what its parts share. */
#ifndef KVERN_TUNE_H
#define KVERN_TUNE_H

#include <stdatomic.h>
#include <stdio.h>

#include "tablebase/table.h"
#include "tablebase/tablebase.h"

enum tune_exit { TUNE_OK = 0, TUNE_FAILED = 1, TUNE_USAGE = 2, TUNE_STOPPED = 130 };
enum tune_format { TUNE_TEXT, TUNE_CSV, TUNE_JSON };
enum tune_population { TUNE_PLAYED, TUNE_UNIFORM, TUNE_NEAR };
enum tune_phases { TUNE_ALL_PHASES, TUNE_ONLY_MOVING, TUNE_ONLY_PLACING };

struct tune_options {
    const char *command, *argument;
    const char *tables, *out, *svg, *weights;
    int64_t count, seed, games, examples;
    int64_t nodes, time_ms; /* of the engine that is looked at; 0 = not given */
    int64_t play_nodes;     /* of the searches that make positions; -1 = not given */
    int64_t stones;         /* a side; 0 = what the tables show */
    int64_t cache_mb, hash_mb, threads, plies, epochs;
    enum tune_population population;
    enum tune_phases phases;
    enum tune_format format;
    bool quiet;
};

extern _Atomic bool tune_stop; /* set by SIGINT and SIGTERM */

/* "kvern-tune: ..." on standard error; returns `code`. */
enum tune_exit tune_complain(enum tune_exit code, const char *format, ...) KV_PRINTF(2, 3);
/* A line of progress on standard error, at most one in two seconds unless `now`; nothing when quiet. */
void tune_progress(const struct tune_options *options, bool now, const char *format, ...) KV_PRINTF(3, 4);

/* Closes a file that was written. Complains when not every byte got there. */
enum tune_exit tune_close(FILE *file, const char *path);

enum tune_exit tune_data(const struct tune_options *options);
enum tune_exit tune_net(const struct tune_options *options);
enum tune_exit tune_fit(const struct tune_options *options);
enum tune_exit tune_report(const struct tune_options *options);
enum tune_exit tune_grade(const struct tune_options *options);
enum tune_exit tune_soak(const struct tune_options *options);

#endif
