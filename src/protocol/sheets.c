/* The score sheets of throwing games: lines handed on, answers handed back. */
#include "protocol/session.h"

static void add_lines(void *user, const char *bytes, size_t length)
{
    struct kv_protocol *protocol = user;
    kv_buffer_add(&protocol->answer, bytes, length);
}

bool kv_command_scoring(struct kv_protocol *protocol, struct kv_span name, struct kv_span line)
{
    if (!kv_scoring_knows(name.at, name.length))
        return false;
    if (!protocol->scoring)
        protocol->scoring = kv_scoring_create(protocol->config.engine.no_files ? 0 : KV_SCORING_FILES);
    if (!protocol->scoring)
        kv_answer_error(protocol, "%s", kv_status_text(KV_E_MEMORY));
    else if (kv_scoring_command(protocol->scoring, line.at, line.length, add_lines, protocol) != KV_OK)
        protocol->errors++;
    return true;
}

void kv_answer_scoring_help(struct kv_protocol *protocol)
{
    kv_scoring_help(add_lines, protocol);
}
