/* kvern-tune data: positions with their exact values. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tablebase/parallel.h"
#include "tune/dataset.h"
#include "tune/sample.h"

enum { STANDARD_PLAY_NODES = 200, BARREN_ROUNDS = 20 };

struct making {
    const struct tune_options *options;
    struct tune_set set;
    struct tune_source source;
    struct tune_player *players; /* a thread */
    struct tune_batch *batches;  /* of the round */
    uint64_t first;              /* number of the first of them */
    _Atomic int next;
    struct tune_keys keys;
    uint64_t missing, repeated, written[TUNE_SPLITS];
    FILE *out;
};

static uint64_t total(const struct making *making)
{
    return making->written[TUNE_TRAIN] + making->written[TUNE_VALID] + making->written[TUNE_TEST];
}

static void fill(void *shared, int number)
{
    struct making *making = shared;
    for (int i; (i = atomic_fetch_add(&making->next, 1)) < TUNE_BATCHES;)
        tune_source_fill(&making->source, &making->players[number], making->first + (uint64_t)i,
                         &making->batches[i]);
}

/* The first eight fields of the position text say all there is to say. */
static void write_sample(struct making *making, const struct tune_sample *sample)
{
    char text[KV_POSITION_TEXT_MAX];
    enum tune_split split = tune_split_of(sample->key);
    kv_position_write(&making->set.rules, &sample->position, text);
    char *end = text;
    for (int blanks = 0; *end && (*end != ' ' || ++blanks < 8); end++)
        ;
    *end = '\0';
    fprintf(making->out, "%s %d %d %s\n", tune_split_text(split), sample->value.outcome, sample->value.plies,
            text);
    making->written[split]++;
}

/* Takes over what is new of a round, in order, whoever made it. */
static enum tune_exit merge(struct making *making)
{
    for (int b = 0; b < TUNE_BATCHES; b++) {
        const struct tune_batch *batch = &making->batches[b];
        if (batch->status)
            return tune_complain(TUNE_FAILED, "%s", kv_status_text(batch->status));
        making->missing += (uint64_t)batch->missing;
        for (int i = 0; i < batch->count && total(making) < (uint64_t)making->options->count; i++) {
            int fresh = tune_keys_add(&making->keys, batch->samples[i].key);
            if (fresh < 0)
                return tune_complain(TUNE_FAILED, "out of memory");
            if (fresh)
                write_sample(making, &batch->samples[i]);
            else
                making->repeated++;
        }
    }
    return TUNE_OK;
}

static enum tune_exit make_rounds(struct making *making)
{
    const struct tune_options *options = making->options;
    enum tune_exit status = TUNE_OK;
    int barren = 0;
    while (status == TUNE_OK && total(making) < (uint64_t)options->count && !atomic_load(&tune_stop)) {
        uint64_t before = total(making);
        atomic_store(&making->next, 0);
        kv_parallel_run((int)options->threads, fill, making);
        status = merge(making);
        making->first += TUNE_BATCHES;
        barren = total(making) > before ? 0 : barren + 1;
        if (status == TUNE_OK && barren == BARREN_ROUNDS)
            status = tune_complain(TUNE_FAILED, "only %" PRIu64 " of %" PRId64 " positions were found%s",
                                   total(making), options->count,
                                   making->missing ? "; others are not in the tables" : "");
        tune_progress(options, false, "%" PRIu64 " of %" PRId64 " positions, %" PRIu64 " met again",
                      total(making), options->count, making->repeated);
    }
    return status;
}

static enum tune_exit start(struct making *making)
{
    const struct tune_options *options = making->options;
    int64_t nodes = options->play_nodes < 0 ? STANDARD_PLAY_NODES : options->play_nodes;
    static const char *const populations[] = {"played", "uniform over subspaces", "near play"};
    making->players = calloc((size_t)options->threads, sizeof *making->players);
    making->batches = calloc(TUNE_BATCHES, sizeof *making->batches);
    bool made = making->players && making->batches;
    for (int64_t t = 0; made && t < options->threads; t++)
        made = tune_player_init(&making->players[t], &making->set.rules, (uint64_t)nodes) == KV_OK;
    if (!made)
        return tune_complain(TUNE_FAILED, "out of memory");
    making->out = options->out ? fopen(options->out, "w") : stdout;
    if (making->out == NULL)
        return tune_complain(TUNE_FAILED, "%s: %s", options->out, strerror(errno));
    fprintf(making->out, "# kvern-tune " KV_VERSION ": %" PRId64 " positions, %s", options->count,
            populations[options->population]);
    if (options->population == TUNE_PLAYED)
        fprintf(making->out, " at %" PRId64 " nodes a move", nodes);
    fprintf(making->out, ", seed %" PRId64 ", %d stones a side\n", options->seed, making->set.rules.stones);
    return TUNE_OK;
}

static void finish(struct making *making)
{
    for (int64_t t = 0; making->players && t < making->options->threads; t++)
        tune_player_finish(&making->players[t]);
    tune_source_finish(&making->source);
    tune_keys_finish(&making->keys);
    tune_set_close(&making->set);
    free(making->players);
    free(making->batches);
}

enum tune_exit tune_data(const struct tune_options *options)
{
    struct making making = {.options = options};
    enum tune_exit status = tune_set_open(&making.set, options);
    if (status == TUNE_OK)
        status = tune_source_init(&making.source, &making.set, options);
    if (status == TUNE_OK)
        status = start(&making);
    if (status == TUNE_OK)
        status = make_rounds(&making);
    if (making.out && total(&making))
        tune_progress(options, true,
                      "%" PRIu64 " train, %" PRIu64 " valid, %" PRIu64 " test; %" PRIu64
                      " met again, %" PRIu64 " not in the tables",
                      making.written[TUNE_TRAIN], making.written[TUNE_VALID], making.written[TUNE_TEST],
                      making.repeated, making.missing);
    if (making.out && making.out != stdout && tune_close(making.out, options->out) != TUNE_OK)
        status = TUNE_FAILED;
    finish(&making);
    return status == TUNE_OK && atomic_load(&tune_stop) ? TUNE_STOPPED : status;
}
