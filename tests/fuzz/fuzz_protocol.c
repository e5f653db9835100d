/* A session: lines as a front end might send them, answered in memory by an engine that searches a few
 * hundred nodes in the same thread. Every go must have its bestmove, every answer whole lines without
 * control bytes. */
#include <assert.h>
#include <ctype.h>
#include <stdint.h>
#include <string.h>

#include "base/span.h"
#include "protocol/protocol.h"
#include "protocol/reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { NODES = 200, LINE_MAX_BYTES = 4096 };

struct session {
    struct kv_protocol *protocol;
    int lines, go, bestmoves;
};

static int check_answer(void *user, const char *bytes, size_t length)
{
    struct session *session = user;
    assert(length > 0 && bytes[length - 1] == '\n');
    for (size_t i = 0; i < length; i++) {
        assert((unsigned char)bytes[i] >= 0x20 || bytes[i] == '\n');
        if ((i == 0 || bytes[i - 1] == '\n') && length - i > 9 && memcmp(bytes + i, "bestmove ", 9) == 0)
            session->bestmoves++;
    }
    return KV_OK;
}

static bool mentions(const char *text, const char *word)
{
    for (; *text; text++) {
        size_t i = 0;
        while (word[i] && tolower((unsigned char)text[i]) == word[i])
            i++;
        if (!word[i])
            return true;
    }
    return false;
}

/* Work that is slow or big by design is not for a fuzzer. */
static bool is_heavy(const char *line)
{
    bool small = strpbrk(line, "3456789") == NULL && !mentions(line, "10") && !mentions(line, "11") &&
                 !mentions(line, "12") && !mentions(line, "20") && !mentions(line, "21") &&
                 !mentions(line, "22");
    return mentions(line, "bench") || (mentions(line, "perft") && !small) ||
           (mentions(line, "hash") && mentions(line, "value"));
}

static void take_line(void *user, const char *line, size_t length)
{
    struct session *session = user;
    char text[LINE_MAX_BYTES + 1];
    if (length > LINE_MAX_BYTES || session->lines++ > 100 || kv_protocol_has_quit(session->protocol))
        return;
    memcpy(text, line, length);
    for (size_t i = 0; i < length; i++)
        if (text[i] == '\0')
            text[i] = '0';
    text[length] = '\0';
    if (is_heavy(text))
        return;
    struct kv_span words = {line, length};
    if (kv_span_is(kv_span_token(&words), "go") && !kv_span_is_nocase(kv_span_token(&words), "perft"))
        session->go++;
    kv_protocol_line(session->protocol, line, length, kv_engine_clock());
    assert(session->go == session->bestmoves);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct session session = {0};
    struct kv_protocol_config config = {
        .write = check_answer,
        .user = &session,
        .engine = {.synchronous = true, .no_files = true, .no_tables = true, .node_cap = NODES},
    };
    int status = kv_protocol_create(&session.protocol, &config);
    assert(status == KV_OK);
    static const char small[] = "setoption name Hash value 1";
    kv_protocol_line(session.protocol, small, sizeof small - 1, 0);
    struct kv_reader reader = {0};
    /* in two pieces, so that a line may be cut anywhere */
    kv_reader_feed(&reader, (const char *)data, size / 2, take_line, &session);
    kv_reader_feed(&reader, (const char *)data + size / 2, size - size / 2, take_line, &session);
    kv_reader_end(&reader, take_line, &session);
    bool finished = kv_protocol_finish(session.protocol, INT64_MAX);
    assert(finished);
    kv_protocol_destroy(session.protocol);
    return 0;
}
