/* Adds up the state files of several machines. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "kvern-match-report.h"
#include "kvern-match-run.h"

struct merge {
    struct match_header header; /* of the first file */
    struct match_results *sets; /* one a seed */
    uint64_t *seeds;
    int set_count;
    struct kv_buffer lines; /* the games of all files */
    struct kv_error error;
};

static void keep_record(void *user, const struct kv_record *record)
{
    kv_record_write_json(record, &((struct merge *)user)->lines);
}

/* Adds games to the set of their seed. */
static int join(struct merge *merge, const struct match_header *header, const struct match_results *results,
                const char *file)
{
    int set = 0;
    while (set < merge->set_count && merge->seeds[set] != header->seed)
        set++;
    if (set == merge->set_count) {
        merge->seeds[set] = header->seed;
        if (match_results_init(&merge->sets[set], results->pairings, header->rounds))
            return kv_fail(&merge->error, KV_E_MEMORY, "out of memory");
        merge->set_count++;
    }
    struct match_results *into = &merge->sets[set];
    if (match_results_extend(into, header->rounds))
        return kv_fail(&merge->error, KV_E_MEMORY, "out of memory");
    for (int i = 0; i < results->count; i++) {
        if (!results->games[i].done)
            continue;
        if (into->games[i].done)
            return kv_fail(&merge->error, KV_E_DAMAGED, "%.150s: game %d was in another file already", file,
                           i + 1);
        into->games[i] = results->games[i];
    }
    if (header->rounds > merge->header.rounds)
        merge->header.rounds = header->rounds;
    return KV_OK;
}

static int add_file(struct merge *merge, const char *file)
{
    struct match_header header;
    struct match_results results;
    size_t whole;
    int status = match_state_read(file, &header, &results, &whole, keep_record, merge, &merge->error);
    if (status)
        return status;
    if (merge->header.name_count == 0) {
        merge->header = header;
        header = (struct match_header){.seed = merge->header.seed, .rounds = merge->header.rounds};
    } else if (strcmp(merge->header.settings, header.settings) != 0)
        status = kv_fail(&merge->error, KV_E_VERSION, "%.150s belongs to a match with other settings", file);
    if (!status)
        status = join(merge, &header, &results, file);
    match_header_finish(&header);
    match_results_finish(&results);
    return status;
}

static int write_output(struct merge *merge, const char *output)
{
    struct kv_buffer text = {0};
    if (merge->set_count > 1)
        return kv_fail(&merge->error, KV_E_VERSION, "files with different seeds have no common state");
    match_header_write(&merge->header, &text);
    if (merge->lines.length)
        kv_buffer_add(&text, merge->lines.data, merge->lines.length);
    int status = text.failed || merge->lines.failed
                     ? kv_fail(&merge->error, KV_E_MEMORY, "out of memory")
                     : kv_file_replace(output, (struct kv_span){text.data, text.length}, NULL, &merge->error);
    kv_buffer_finish(&text);
    return status;
}

static int show(const struct merge *merge, const struct match_sprt *sprt, bool trinomial, bool json)
{
    struct match_summary summary = {&merge->header, merge->sets, merge->set_count, *sprt, trinomial};
    struct kv_buffer out = {0};
    if (json)
        match_report_json(&summary, &out);
    else
        match_report_text(&summary, &out);
    if (out.length)
        fwrite(out.data, 1, out.length, stdout);
    kv_buffer_finish(&out);
    enum match_verdict verdict = match_summary_verdict(&summary);
    if (!sprt->on || verdict == MATCH_H1)
        return MATCH_EXIT_GOOD;
    return verdict == MATCH_H0 ? MATCH_EXIT_H0 : MATCH_EXIT_UNDECIDED;
}

int match_merge(char *const *files, int count, const struct match_sprt *sprt, bool trinomial, bool json,
                const char *output)
{
    struct merge merge = {.sets = calloc((size_t)count, sizeof *merge.sets),
                          .seeds = calloc((size_t)count, sizeof *merge.seeds)};
    int status = merge.sets && merge.seeds ? KV_OK : kv_fail(&merge.error, KV_E_MEMORY, "out of memory");
    for (int i = 0; i < count && !status; i++)
        status = add_file(&merge, files[i]);
    if (!status && sprt->on && merge.header.name_count != 2)
        status = kv_fail(&merge.error, KV_E_RANGE, "--sprt is for two players");
    if (!status && output)
        status = write_output(&merge, output);
    int code = MATCH_EXIT_FAILED;
    if (status)
        fprintf(stderr, "kvern-match: %s\n", merge.error.text);
    else
        code = show(&merge, sprt, trinomial, json);
    for (int i = 0; i < merge.set_count; i++)
        match_results_finish(&merge.sets[i]);
    free(merge.sets);
    free(merge.seeds);
    match_header_finish(&merge.header);
    kv_buffer_finish(&merge.lines);
    return code;
}
