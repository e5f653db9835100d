/* Scoring commands: a byte for the game, then lines. Every line has one answer, a refused one changes
 * nothing, and the game that stands at the end is the one its log gives back. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/span.h"
#include "kvern/scoring.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct answer {
    struct kv_buffer text;
    int count;
};

static void take(void *user, const char *bytes, size_t length)
{
    struct answer *answer = user;
    kv_buffer_add(&answer->text, bytes, length);
    answer->count++;
}

static int ask(struct kv_scoring *scoring, const char *game, struct kv_span line, struct answer *answer)
{
    struct kv_buffer whole = {0};
    kv_buffer_format(&whole, "%s ", game);
    kv_buffer_add(&whole, line.at, line.length);
    kv_buffer_clear(&answer->text);
    answer->count = 0;
    int status = kv_scoring_command(scoring, whole.data, whole.length, take, answer);
    kv_buffer_finish(&whole);
    assert(answer->count == 1 && answer->text.length > 0);
    assert(answer->text.data[answer->text.length - 1] == '\n');
    return status;
}

/* A refusal is one line, and leaves the log as it was. */
static void check_refusal(struct kv_scoring *scoring, const char *game, struct answer *answer,
                          const struct answer *before)
{
    assert(strchr(answer->text.data, '\n') == answer->text.data + answer->text.length - 1);
    assert(strstr(answer->text.data, " error "));
    ask(scoring, game, kv_span_of("log"), answer);
    assert(answer->text.length == before->text.length &&
           memcmp(answer->text.data, before->text.data, answer->text.length) == 0);
}

static void check_log(struct kv_scoring *scoring, const char *game)
{
    struct answer log = {0}, again = {0};
    if (ask(scoring, game, kv_span_of("log"), &log) == KV_OK) {
        struct kv_scoring *other = kv_scoring_create(0);
        int status = kv_scoring_read_log(other, game, log.text.data, log.text.length, NULL);
        assert(status == KV_OK);
        ask(other, game, kv_span_of("log"), &again);
        assert(strcmp(log.text.data, again.text.data) == 0);
        ask(scoring, game, kv_span_of("json"), &log);
        ask(other, game, kv_span_of("json"), &again);
        assert(strcmp(log.text.data, again.text.data) == 0);
        kv_scoring_destroy(other);
    }
    kv_buffer_finish(&log.text);
    kv_buffer_finish(&again.text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const games[] = {"molkky", "palet", "jakkolo"};
    if (size == 0)
        return 0;
    const char *game = games[data[0] % 3];
    struct kv_scoring *scoring = kv_scoring_create(0);
    struct kv_span rest = {(const char *)data + 1, size - 1};
    struct answer answer = {0}, before = {0};
    for (int lines = 0; rest.length > 0 && lines < 100; lines++) {
        const char *end = memchr(rest.at, '\n', rest.length);
        struct kv_span line = {rest.at, end ? (size_t)(end - rest.at) : rest.length};
        rest.at += line.length + (end != NULL);
        rest.length -= line.length + (end != NULL);
        ask(scoring, game, kv_span_of("log"), &before);
        if (ask(scoring, game, line, &answer) != KV_OK)
            check_refusal(scoring, game, &answer, &before);
    }
    check_log(scoring, game);
    kv_buffer_finish(&answer.text);
    kv_buffer_finish(&before.text);
    kv_scoring_destroy(scoring);
    return 0;
}
