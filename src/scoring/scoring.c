#include "kvern/scoring.h"

#include <stdlib.h>
#include <string.h>

#include "scoring/command.h"
#include "scoring/record.h"
#include "scoring/report.h"
#include "scoring/setup.h"

struct kv_scoring {
    bool files;
    struct kv_card_session *sessions; /* one for each module, in their order */
};

static size_t module_count(void)
{
    size_t count = 0;
    while (kv_card_modules[count])
        count++;
    return count;
}

struct kv_scoring *kv_scoring_create(unsigned flags)
{
    struct kv_scoring *scoring = calloc(1, sizeof *scoring);
    if (!scoring)
        return NULL;
    scoring->sessions = calloc(module_count(), sizeof *scoring->sessions);
    if (!scoring->sessions) {
        free(scoring);
        return NULL;
    }
    for (size_t i = 0; kv_card_modules[i]; i++)
        scoring->sessions[i] =
            (struct kv_card_session){.module = kv_card_modules[i], .files = flags & KV_SCORING_FILES};
    return scoring;
}

void kv_scoring_destroy(struct kv_scoring *scoring)
{
    if (!scoring)
        return;
    for (size_t i = 0; kv_card_modules[i]; i++)
        kv_card_session_set(&scoring->sessions[i], NULL);
    free(scoring->sessions);
    free(scoring);
}

bool kv_scoring_knows(const char *word, size_t length)
{
    return kv_card_module_find((struct kv_span){word, length}) != NULL;
}

static struct kv_card_session *find_session(struct kv_scoring *scoring, struct kv_span name)
{
    for (size_t i = 0; kv_card_modules[i]; i++)
        if (kv_span_is(name, kv_card_modules[i]->name))
            return &scoring->sessions[i];
    return NULL;
}

static int unknown_game(struct kv_span name, struct kv_error *error)
{
    char shown[40];
    struct kv_buffer games = {0};
    for (size_t i = 0; kv_card_modules[i]; i++)
        kv_buffer_format(&games, "%s%s", i > 0 ? ", " : "", kv_card_modules[i]->name);
    int status = kv_fail(error, KV_E_NOT_FOUND, "unknown game '%s': expected one of %s",
                         kv_span_show(name, shown, sizeof shown), games.data ? games.data : "");
    kv_buffer_finish(&games);
    return status;
}

int kv_scoring_command(struct kv_scoring *scoring, const char *line, size_t length, kv_scoring_emit *emit,
                       void *user)
{
    struct kv_span words = {line, length}, name = kv_span_token(&words);
    struct kv_card_session *session = find_session(scoring, name);
    struct kv_buffer out = {0};
    struct kv_error error = {0};
    bool changed;
    int status =
        session ? kv_card_command_run(session, words, &out, &changed, &error) : unknown_game(name, &error);
    if (status == KV_OK) {
        kv_buffer_format(&out, "%s ok", session->module->name);
        if (session->game && kv_card_report_status(session->game, &out) != KV_OK)
            out.failed = true;
    } else {
        kv_buffer_clear(&out);
        kv_buffer_format(&out, "%s error ", session ? session->module->name : "scoring");
        kv_card_text_clean(&out, error.text, strlen(error.text));
    }
    kv_buffer_text(&out, "\n");
    if (out.failed) {
        /* What was asked for may have been done; only the answer did not fit into memory. */
        static const char answer[] = "scoring error out of memory\n";
        emit(user, answer, sizeof answer - 1);
        status = KV_E_MEMORY;
    } else {
        emit(user, out.data, out.length);
    }
    kv_buffer_finish(&out);
    return status;
}

int kv_scoring_read_log(struct kv_scoring *scoring, const char *game, const char *bytes, size_t length,
                        struct kv_error *error)
{
    struct kv_card_session *session = find_session(scoring, kv_span_of(game));
    if (!session)
        return unknown_game(kv_span_of(game), error);
    struct kv_card *loaded;
    int status = kv_card_record_read(session->module, (struct kv_span){bytes, length}, &loaded, error);
    if (status == KV_OK)
        kv_card_session_set(session, loaded);
    return status;
}

void kv_scoring_help(kv_scoring_emit *emit, void *user)
{
    for (size_t i = 0; kv_card_modules[i]; i++) {
        struct kv_buffer out = {0};
        kv_card_command_help(kv_card_modules[i], kv_card_modules[i]->name, &out);
        if (!out.failed)
            emit(user, out.data, out.length);
        kv_buffer_finish(&out);
    }
}
