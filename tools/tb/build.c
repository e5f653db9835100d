/* kvern-tb build and verify. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "tablebase/verify.h"
#include "tb.h"

struct reporter {
    bool quiet;
    double cpu;  /* processor seconds at the end of the step before */
    double last; /* seconds, of the last progress line */
};

static double cpu_seconds(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static double peak_gib(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss / (1 << 20);
}

static void report(void *user, const struct kv_build_state *state)
{
    struct reporter *reporter = user;
    char text[KV_TABLE_NAME_MAX];
    tb_subspace_text(text, state->step);
    if (strcmp(state->doing, "finished") == 0) {
        double cpu = cpu_seconds();
        printf("%s\t%llu slots\t%.2f s\t%.2f s of processor\t%.1f ns a slot\t%llu bytes\tpeak %.2f GiB\n",
               text, (unsigned long long)state->step_slots, state->step_seconds, cpu - reporter->cpu,
               (cpu - reporter->cpu) * 1e9 / (double)state->step_slots, (unsigned long long)state->file_bytes,
               peak_gib());
        reporter->cpu = cpu;
        fflush(stdout);
        return;
    }
    if (reporter->quiet || state->seconds < reporter->last + 2)
        return;
    reporter->last = state->seconds;
    fprintf(stderr, "[%d/%d] %s: %s", state->step_number, state->step_count, text, state->doing);
    if (state->level)
        fprintf(stderr, " ply %d", state->level);
    if (state->done) {
        double rate = (double)state->done / state->seconds;
        fprintf(stderr, "; %.1f of %.1f million slots, %.2f million/s, about %.0f s left",
                (double)state->done / 1e6, (double)state->total / 1e6, rate / 1e6,
                (double)(state->total - state->done) / rate);
    }
    fputc('\n', stderr);
}

enum tb_exit tb_build(const struct tb_options *options)
{
    struct reporter reporter = {.quiet = options->quiet};
    struct kv_build build = {
        .path = options->path,
        .rules = &options->rules,
        .limits = options->limits,
        .threads = options->threads,
        .level = options->level ? options->level : 3,
        .memory = (uint64_t)(options->memory_gib * (1 << 30)),
        .cancel = &tb_stop,
        .report = report,
        .user = &reporter,
    };
    struct kv_error error;
    int64_t start = kv_clock_ns();
    if (mkdir(options->path, 0777) != 0 && errno != EEXIST) {
        fprintf(stderr, "kvern-tb: %s: %s\n", options->path, strerror(errno));
        return TB_FAILED;
    }
    int status = kv_build_run(&build, &error);
    if (status == KV_OK) {
        printf("complete\t%.1f s\t%.1f s of processor\tpeak %.2f GiB\n",
               (double)(kv_clock_ns() - start) / 1e9, cpu_seconds(), peak_gib());
        return TB_OK;
    }
    if (atomic_load(&tb_stop)) {
        fprintf(stderr, "kvern-tb: stopped; the same command goes on from here\n");
        return TB_STOPPED;
    }
    fprintf(stderr, "kvern-tb: %s\n", error.text);
    return TB_FAILED;
}

/* A set of distances is checked by itself, one of results against distances. */
static int verify_subspace(const struct tb_set *set, const struct tb_options *options,
                           struct kv_subspace subspace, struct kv_verify_result *result,
                           struct kv_error *error)
{
    if (options->against == NULL) {
        if (kv_store_has(&set->store, KV_TABLE_RESULTS, subspace) &&
            !kv_store_has(&set->store, KV_TABLE_DISTANCES, subspace))
            return kv_fail(error, KV_E_NOT_FOUND, "a table of results is checked --against DIR of distances");
        return kv_verify_subspace(&set->store, subspace, options->share, result, error);
    }
    struct kv_store distances = set->store;
    distances.path = options->against;
    return kv_verify_results(&set->store, &distances, subspace, result, error);
}

static enum tb_exit verify_one(const struct tb_set *set, const struct tb_options *options,
                               struct kv_subspace subspace, struct kv_verify_result *total)
{
    struct kv_verify_result result;
    struct kv_error error;
    char text[KV_TABLE_NAME_MAX];
    int64_t start = kv_clock_ns();
    tb_subspace_text(text, subspace);
    int status = verify_subspace(set, options, subspace, &result, &error);
    if (status) {
        fprintf(stderr, "kvern-tb: %s: %s\n", text, error.text);
        return atomic_load(&tb_stop) ? TB_STOPPED : status == KV_E_DAMAGED ? TB_WRONG : TB_FAILED;
    }
    printf("%s\t%llu looked forward\t%llu slots compared\t%llu wrong%s\t%.2f s\n", text,
           (unsigned long long)result.checked, (unsigned long long)result.slots,
           (unsigned long long)result.wrong, result.tally_agrees ? "" : " (counts in the head too)",
           (double)(kv_clock_ns() - start) / 1e9);
    fflush(stdout);
    total->checked += result.checked;
    total->slots += result.slots;
    total->wrong += result.wrong;
    return result.wrong ? TB_WRONG : TB_OK;
}

enum tb_exit tb_verify(const struct tb_options *options)
{
    struct tb_set set;
    struct kv_subspace only;
    struct kv_verify_result total = {0};
    enum tb_exit worst = TB_OK;
    if (options->argument_count && !tb_parse_subspace(options->arguments[0], &only)) {
        fprintf(stderr, "kvern-tb: '%s' is not a subspace\n", options->arguments[0]);
        return TB_USAGE;
    }
    if (!tb_set_open(&set, options))
        return TB_FAILED;
    for (int i = 0; i < set.count && worst != TB_STOPPED; i++) {
        if (options->argument_count && memcmp(&set.subspaces[i], &only, sizeof only) != 0)
            continue;
        enum tb_exit one = verify_one(&set, options, set.subspaces[i], &total);
        worst = one > worst ? one : worst;
    }
    printf("all\t%llu looked forward\t%llu slots compared\t%llu wrong\n", (unsigned long long)total.checked,
           (unsigned long long)total.slots, (unsigned long long)total.wrong);
    tb_set_close(&set);
    return worst;
}
