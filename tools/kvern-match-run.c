#include "kvern-match-run.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/file.h"
#include "base/thread.h"
#include "kvern-match-opening.h"
#include "kvern-match-report.h"

struct run {
    const struct match_config *config;
    struct match_openings openings;
    struct match_table *table;
    struct match_header header;
    struct match_results results;
    FILE *state, *text, *jsonl;
    struct kv_mutex mutex; /* guards everything below, the results and the files */
    int next;              /* no game before it is still to be given out */
    int finished;
    bool stop;
    int status;
    struct kv_error error;
};

static struct match_summary summary_of(struct run *run)
{
    return (struct match_summary){&run->header, &run->results, 1, run->config->sprt, run->config->trinomial};
}

/* ---- Output ------------------------------------------------------------------------------------ */

static void fail_run(struct run *run, int status, const char *what)
{
    if (run->status == KV_OK)
        run->status = kv_fail(&run->error, status, "%s", what);
    run->stop = true;
    kv_process_interrupt();
}

/* Whole lines, handed to the system at once. */
static void write_file(struct run *run, FILE *file, const struct kv_buffer *bytes, const char *name)
{
    if (!file || run->status)
        return;
    if (bytes->failed)
        fail_run(run, KV_E_MEMORY, "out of memory");
    else if (fwrite(bytes->data, 1, bytes->length, file) != bytes->length || fflush(file) != 0) {
        struct kv_error error;
        kv_fail(&error, KV_E_IO, "%.150s: %s", name, strerror(errno));
        fail_run(run, KV_E_IO, error.text);
    }
}

static void write_record(struct run *run, const struct kv_record *record, bool state_too)
{
    struct kv_buffer text = {0}, json = {0};
    kv_record_write_json(record, &json);
    kv_record_write_text(record, &text);
    if (state_too)
        write_file(run, run->state, &json, run->config->state);
    write_file(run, run->text, &text, run->config->text);
    write_file(run, run->jsonl, &json, run->config->jsonl);
    kv_buffer_finish(&text);
    kv_buffer_finish(&json);
}

static void print(struct kv_buffer *out)
{
    if (out->length)
        fwrite(out->data, 1, out->length, stdout);
    fflush(stdout);
    kv_buffer_finish(out);
}

static void print_report(struct run *run)
{
    struct kv_buffer out = {0};
    struct match_summary summary = summary_of(run);
    if (run->config->json)
        match_report_json(&summary, &out);
    else
        match_report_text(&summary, &out);
    print(&out);
}

static void print_game(const struct run *run, int number, const struct kv_record *record)
{
    struct kv_buffer out = {0};
    if (run->config->json)
        kv_buffer_format(
            &out, "{\"type\":\"game\",\"game\":%d,\"result\":\"%s\",\"ending\":\"%s\",\"plies\":%zu}\n",
            number + 1, kv_record_result_text(record->result), kv_record_tag(record, "Termination"),
            record->line.count);
    else
        kv_buffer_format(&out, "game %d, %s - %s: %s, %s, %zu plies\n", number + 1,
                         kv_record_tag(record, "White"), kv_record_tag(record, "Black"),
                         kv_record_result_text(record->result), kv_record_tag(record, "Termination"),
                         record->line.count);
    print(&out);
}

/* ---- Games ------------------------------------------------------------------------------------- */

static int set_tags(struct run *run, int number, const struct match_player *const players[2],
                    struct kv_record *record)
{
    const struct match_config *config = run->config;
    char round[48], game[24], date[24], time_control[300], times[2][128];
    time_t now = time(NULL);
    struct tm day;
    localtime_r(&now, &day);
    strftime(date, sizeof date, "%Y.%m.%d", &day);
    snprintf(round, sizeof round, "%d.%d", number / 2 / run->results.pairings + 1, number % 2 + 1);
    snprintf(game, sizeof game, "%d", number + 1);
    for (int side = 0; side < 2; side++)
        match_time_text(&players[side]->time, times[side], sizeof times[side]);
    if (strcmp(times[0], times[1]) == 0)
        snprintf(time_control, sizeof time_control, "%s", times[0]);
    else
        snprintf(time_control, sizeof time_control, "%s : %s", times[0], times[1]);
    const char *const tags[][2] = {{"Event", config->event},
                                   {"Date", date},
                                   {"Round", round},
                                   {"White", players[KV_WHITE]->name},
                                   {"Black", players[KV_BLACK]->name},
                                   {"TimeControl", time_control},
                                   {"Game", game}};
    int status = KV_OK;
    for (size_t i = 0; i < sizeof tags / sizeof *tags && !status; i++)
        status = kv_record_set_tag(record, tags[i][0], tags[i][1]);
    return status;
}

/* The number of a game to play, or -1. */
static int take_game(struct run *run)
{
    int number = -1;
    kv_mutex_lock(&run->mutex);
    for (; !run->stop && run->next < run->results.count && number < 0; run->next++) {
        const struct match_game *game = &run->results.games[run->next];
        int round = run->next / 2 / run->results.pairings;
        if (!game->done && !game->running && round % run->config->parts == run->config->part)
            number = run->next;
    }
    if (number >= 0)
        run->results.games[number].running = true;
    kv_mutex_unlock(&run->mutex);
    return number;
}

static void take_result(struct run *run, int number, const struct match_player *const players[2],
                        struct match_outcome *outcome)
{
    kv_mutex_lock(&run->mutex);
    int status = set_tags(run, number, players, &outcome->record);
    if (status)
        fail_run(run, status, "out of memory");
    if (!run->stop) { /* games that end after the decision are played again if the match goes on */
        write_record(run, &outcome->record, true);
        run->results.games[number] = (struct match_game){
            .done = true, .result = (uint8_t)outcome->result, .ending = (uint8_t)outcome->ending};
        run->finished++;
        if (!run->config->quiet)
            print_game(run, number, &outcome->record);
        if (run->config->report_every && run->finished % run->config->report_every == 0)
            print_report(run);
        struct match_summary summary = summary_of(run);
        if (match_summary_verdict(&summary) != MATCH_UNDECIDED) {
            run->stop = true;
            kv_process_interrupt();
        }
    }
    kv_mutex_unlock(&run->mutex);
}

/* The engine of the two that already is this player; else the one that `taken` is not. */
static struct match_engine *pick(struct match_engine engines[2], const struct match_player *player,
                                 const struct match_player *other)
{
    for (int i = 0; i < 2; i++)
        if (engines[i].process.pid && engines[i].player == player)
            return &engines[i];
    return engines[0].process.pid && engines[0].player == other ? &engines[1] : &engines[0];
}

static int play_game(struct run *run, int number, struct match_engine slots[2])
{
    const struct match_config *config = run->config;
    int pair = number / 2, who[2];
    match_pairing(config, pair % run->results.pairings, who);
    const struct match_player *players[2] = {&config->players[who[number % 2]],
                                             &config->players[who[1 - number % 2]]};
    struct match_engine *engines[2];
    engines[0] = pick(slots, players[0], players[1]);
    engines[1] = engines[0] == &slots[0] ? &slots[1] : &slots[0];
    struct kv_game game = {0};
    struct match_outcome outcome;
    int status = match_opening_set(config, &run->openings, run->table, pair / run->results.pairings, &game);
    if (!status)
        status = match_game_play(config, run->table, &game, engines, players, &outcome);
    kv_game_finish(&game);
    if (status)
        return status;
    take_result(run, number, players, &outcome);
    kv_record_finish(&outcome.record);
    return KV_OK;
}

static void work(void *argument)
{
    struct run *run = argument;
    struct match_engine slots[2] = {{0}};
    int number, status = KV_OK;
    while (!status && (number = take_game(run)) >= 0) {
        status = play_game(run, number, slots);
        kv_mutex_lock(&run->mutex);
        run->results.games[number].running = false;
        if (status && !run->stop && !kv_process_signal())
            fail_run(run, status, status == KV_E_MEMORY ? "out of memory" : "no random opening is undecided");
        kv_mutex_unlock(&run->mutex);
    }
    for (int i = 0; i < 2; i++)
        match_engine_stop(&slots[i], true);
}

/* ---- Before and after -------------------------------------------------------------------------- */

static FILE *open_file(const char *name, const char *mode, struct kv_error *error, int *status)
{
    FILE *file = NULL;
    if (name && !*status) {
        file = fopen(name, mode);
        if (!file)
            *status = kv_fail(error, KV_E_IO, "%.200s: %s", name, strerror(errno));
    }
    return file;
}

static void repeat_record(void *user, const struct kv_record *record)
{
    write_record(user, record, false);
}

/* Takes the results of an earlier run and makes the state file whole again. */
static int resume(struct run *run)
{
    const struct match_config *config = run->config;
    struct match_header old = {0};
    struct match_results results = {0};
    struct kv_buffer text = {0}, fresh = {0};
    size_t whole = 0;
    int status = match_state_read(config->state, &old, &results, &whole, repeat_record, run, &run->error);
    bool found = status == KV_OK;
    if (status == KV_E_NOT_FOUND)
        status = KV_OK;
    if (found && (strcmp(old.settings, run->header.settings) != 0 || old.seed != run->header.seed ||
                  old.rounds > run->header.rounds))
        status = kv_fail(&run->error, KV_E_VERSION, "%.150s belongs to a match with other settings",
                         config->state);
    if (!status && found)
        status = kv_file_read(config->state, &text, NULL, &run->error);
    match_header_write(&run->header, &fresh);
    if (!status && found) {
        size_t first = (size_t)((char *)memchr(text.data, '\n', whole) - text.data) + 1;
        kv_buffer_add(&fresh, text.data + first, whole - first);
    }
    if (!status && fresh.failed)
        status = kv_fail(&run->error, KV_E_MEMORY, "out of memory");
    if (!status)
        status =
            kv_file_replace(config->state, (struct kv_span){fresh.data, fresh.length}, NULL, &run->error);
    for (int i = 0; !status && i < results.count; i++) {
        run->results.games[i] = results.games[i];
        run->finished += results.games[i].done;
    }
    match_results_finish(&results);
    match_header_finish(&old);
    kv_buffer_finish(&text);
    kv_buffer_finish(&fresh);
    return status ? status : run->status;
}

static int prepare(struct run *run)
{
    const struct match_config *config = run->config;
    int status = match_openings_load(config, &run->openings, &run->error);
    if (!status)
        status = match_header_make(config, &run->header, &run->error);
    if (!status && match_results_init(&run->results, match_pairings(config), config->rounds))
        status = kv_fail(&run->error, KV_E_MEMORY, "out of memory");
    if (!status && (config->use_table || config->tables))
        status = match_table_open(&run->table, &config->rules, config->tables, &run->error);
    const char *mode = config->state ? "we" : "ae";
    run->text = open_file(config->text, mode, &run->error, &status);
    run->jsonl = open_file(config->jsonl, mode, &run->error, &status);
    if (!status && config->state)
        status = resume(run);
    run->state = open_file(config->state, "ae", &run->error, &status);
    if (!status && kv_process_watch_signals())
        status = kv_fail(&run->error, KV_E_IO, "signals cannot be watched: %s", strerror(errno));
    return status;
}

static void play_all(struct run *run)
{
    int count = run->config->concurrency, started = 0;
    struct kv_thread *threads = calloc((size_t)count, sizeof *threads);
    while (threads && started < count && kv_thread_start(&threads[started], work, run) == KV_OK)
        started++;
    if (started == 0)
        run->status = kv_fail(&run->error, KV_E_MEMORY, "no thread can be started");
    for (int i = 0; i < started; i++)
        kv_thread_join(&threads[i]);
    free(threads);
}

static int exit_code(struct run *run)
{
    struct match_summary summary = summary_of(run);
    if (run->status) {
        fprintf(stderr, "kvern-match: %s\n", run->error.text);
        return MATCH_EXIT_FAILED;
    }
    if (kv_process_signal())
        return MATCH_EXIT_SIGNAL + kv_process_signal();
    enum match_verdict verdict = match_summary_verdict(&summary);
    if (!run->config->sprt.on || verdict == MATCH_H1)
        return MATCH_EXIT_GOOD;
    return verdict == MATCH_H0 ? MATCH_EXIT_H0 : MATCH_EXIT_UNDECIDED;
}

static void close_file(struct run *run, FILE *file, const char *name)
{
    if (file && fclose(file) != 0 && !run->status)
        run->status = kv_fail(&run->error, KV_E_IO, "%.150s: %s", name, strerror(errno));
}

int match_run(const struct match_config *config)
{
    struct run run = {.config = config};
    kv_mutex_init(&run.mutex);
    int status = prepare(&run);
    if (status)
        run.status = status;
    else {
        struct match_summary summary = summary_of(&run);
        run.stop = match_summary_verdict(&summary) != MATCH_UNDECIDED;
        play_all(&run);
        print_report(&run);
    }
    close_file(&run, run.state, config->state);
    close_file(&run, run.text, config->text);
    close_file(&run, run.jsonl, config->jsonl);
    int code = exit_code(&run);
    match_openings_finish(&run.openings);
    match_table_close(run.table);
    match_header_finish(&run.header);
    match_results_finish(&run.results);
    kv_mutex_finish(&run.mutex);
    return code;
}
