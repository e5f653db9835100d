/* kvern-tb pack: a small set of results from a set of distances. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "tablebase/pack.h"
#include "tb.h"

struct packing {
    const struct tb_options *options;
    const struct tb_set *set;
    struct kv_store small;
    enum kv_table_kind kind;
    int64_t start;
    uint64_t slots, all_slots, bytes;
    int tables;
};

static void show(const struct packing *work, struct kv_subspace subspace)
{
    char text[KV_TABLE_NAME_MAX];
    double seconds = (double)(kv_clock_ns() - work->start) / 1e9;
    if (work->options->quiet)
        return;
    fprintf(stderr, "%s; %.1f of %.1f million slots", tb_subspace_text(text, subspace),
            (double)work->slots / 1e6, (double)work->all_slots / 1e6);
    if (work->slots)
        fprintf(stderr, ", about %.0f s left",
                seconds * (double)(work->all_slots - work->slots) / (double)work->slots);
    fputc('\n', stderr);
}

static bool is_wanted(const struct packing *work, struct kv_subspace subspace)
{
    return work->kind == KV_TABLE_DISTANCES || !kv_pack_leaves_out(&work->set->store, subspace);
}

static enum tb_exit pack_one(struct packing *work, struct kv_subspace subspace)
{
    struct kv_error error;
    char text[KV_TABLE_NAME_MAX];
    uint64_t size;
    show(work, subspace);
    int status = kv_pack_subspace(&work->set->store, &work->small, work->kind, subspace, &size, &error);
    if (status) {
        if (atomic_load(&tb_stop)) {
            fprintf(stderr, "kvern-tb: stopped; the same command goes on from here\n");
            return TB_STOPPED;
        }
        fprintf(stderr, "kvern-tb: %s: %s\n", tb_subspace_text(text, subspace), error.text);
        return status == KV_E_DAMAGED ? TB_WRONG : TB_FAILED;
    }
    work->slots += kv_store_bytes(&work->set->store, subspace);
    if (size) {
        printf("%s\t%llu bytes\n", tb_subspace_text(text, subspace), (unsigned long long)size);
        fflush(stdout);
        work->bytes += size;
        work->tables++;
    }
    return TB_OK;
}

enum tb_exit tb_pack(const struct tb_options *options)
{
    struct tb_set set;
    enum tb_exit status = TB_OK;
    if (strcmp(options->path, options->arguments[0]) == 0) {
        fprintf(stderr, "kvern-tb: pack writes to another directory than --dir %s\n", options->path);
        return TB_USAGE;
    }
    if (mkdir(options->arguments[0], 0777) != 0 && errno != EEXIST) {
        fprintf(stderr, "kvern-tb: %s: %s\n", options->arguments[0], strerror(errno));
        return TB_FAILED;
    }
    if (!tb_set_open(&set, options))
        return TB_FAILED;
    struct packing work = {.options = options, .set = &set, .small = set.store, .start = kv_clock_ns()};
    work.kind = options->distances ? KV_TABLE_DISTANCES : KV_TABLE_RESULTS;
    work.small.path = options->arguments[0];
    work.small.level = options->level ? options->level : 19;
    for (int i = 0; i < set.count; i++)
        if (is_wanted(&work, set.subspaces[i]))
            work.all_slots += kv_store_bytes(&set.store, set.subspaces[i]);
    for (int i = 0; i < set.count && status == TB_OK; i++)
        if (is_wanted(&work, set.subspaces[i]))
            status = pack_one(&work, set.subspaces[i]);
    if (status == TB_OK)
        printf("complete\t%d tables\t%llu bytes\t%.1f s\n", work.tables, (unsigned long long)work.bytes,
               (double)(kv_clock_ns() - work.start) / 1e9);
    tb_set_close(&set);
    return status;
}
