/* The life of a session: lines come in, wait if they must, and are run. */
#include <stdlib.h>
#include <string.h>

#include "protocol/session.h"

/* What the engine has to say of itself, from whatever thread. */
static void write_notice(void *user, const char *line)
{
    struct kv_protocol *protocol = user;
    struct kv_buffer text = {0};
    kv_buffer_format(&text, "info string %s\n", line);
    kv_writer_flush(&protocol->writer, &text);
    kv_buffer_finish(&text);
}

int kv_protocol_create(struct kv_protocol **protocol, const struct kv_protocol_config *config)
{
    struct kv_protocol *fresh = calloc(1, sizeof *fresh);
    if (!fresh)
        return KV_E_MEMORY;
    fresh->config = *config;
    fresh->backlog_end = &fresh->backlog;
    fresh->config.engine.notice = write_notice;
    fresh->config.engine.notice_user = fresh;
    int status = kv_engine_create(&fresh->engine, &fresh->config.engine);
    if (status) {
        free(fresh);
        return status;
    }
    kv_writer_init(&fresh->writer, config->write, config->user, fresh->engine);
    *protocol = fresh;
    return KV_OK;
}

static void drop_backlog(struct kv_protocol *protocol)
{
    while (protocol->backlog) {
        struct kv_waiting_line *next = protocol->backlog->next;
        free(protocol->backlog);
        protocol->backlog = next;
    }
    protocol->backlog_end = &protocol->backlog;
}

void kv_protocol_destroy(struct kv_protocol *protocol)
{
    if (!protocol)
        return;
    drop_backlog(protocol);
    kv_engine_stop(protocol->engine);
    kv_engine_wait(protocol->engine, INT64_MAX);
    kv_engine_destroy(protocol->engine);
    kv_writer_finish(&protocol->writer);
    kv_scoring_destroy(protocol->scoring);
    kv_buffer_finish(&protocol->answer);
    kv_buffer_finish(&protocol->searching.line);
    free(protocol);
}

bool kv_protocol_has_quit(const struct kv_protocol *protocol)
{
    return protocol->quit;
}

bool kv_protocol_is_broken(const struct kv_protocol *protocol)
{
    return atomic_load(&protocol->writer.broken);
}

unsigned kv_protocol_errors(const struct kv_protocol *protocol)
{
    return protocol->errors;
}

bool kv_protocol_has_backlog(const struct kv_protocol *protocol)
{
    return protocol->backlog != NULL;
}

bool kv_protocol_knows(const char *name)
{
    return kv_command_find(kv_span_of(name)) != NULL;
}

bool kv_protocol_takes_words(const char *name)
{
    const struct kv_command *command = kv_command_find(kv_span_of(name));
    return command ? (command->flags & KV_COMMAND_WORDS) != 0 : kv_scoring_knows(name, strlen(name));
}

/* ---- Lines ------------------------------------------------------------------------------------ */

static void put_off(struct kv_protocol *protocol, struct kv_span line)
{
    struct kv_waiting_line *waiting = malloc(sizeof *waiting + line.length);
    if (!waiting) {
        kv_answer_error(protocol, "out of memory");
        return;
    }
    waiting->next = NULL;
    waiting->length = line.length;
    memcpy(waiting->text, line.at, line.length);
    *protocol->backlog_end = waiting;
    protocol->backlog_end = &waiting->next;
}

static void settle(struct kv_protocol *protocol)
{
    struct kv_error error = {""};
    if (kv_engine_settle(protocol->engine, &error) != KV_OK)
        kv_answer_error(protocol, "setoption: %s", error.text);
}

/* Runs a line whose first word is `name`, the name of `command` if that is one. */
static void run(struct kv_protocol *protocol, const struct kv_command *command, struct kv_span name,
                struct kv_span words)
{
    char shown[64];
    struct kv_span line = {name.at, (size_t)(words.at + words.length - name.at)};
    settle(protocol);
    if (!command && kv_command_scoring(protocol, name, line)) {
        /* answered */
    } else if (!command)
        kv_answer_error(protocol, "unknown command '%s' (try help)", kv_span_show(name, shown, sizeof shown));
    else if (command->flags & KV_COMMAND_IDLE && kv_engine_is_searching(protocol->engine))
        kv_answer_error(protocol, "%s: a search is running (send stop first)", command->name);
    else
        command->run(protocol, words);
    kv_writer_flush(&protocol->writer, &protocol->answer);
}

/* Must this command wait until the search under way has ended? */
static bool must_wait(struct kv_protocol *protocol, const struct kv_command *command)
{
    return command && command->flags & KV_COMMAND_IDLE && kv_engine_is_searching(protocol->engine) &&
           kv_engine_is_bounded(protocol->engine);
}

void kv_protocol_line(struct kv_protocol *protocol, const char *line, size_t length, int64_t received_ns)
{
    kv_engine_log(protocol->engine, ">>", line, length);
    if (protocol->quit)
        return;
    struct kv_span whole = kv_span_trim((struct kv_span){line, length}), words = whole;
    struct kv_span name = kv_span_token(&words);
    if (name.length == 0 || name.at[0] == '#')
        return;
    const struct kv_command *command = kv_command_find(name);
    bool now = command && command->flags & KV_COMMAND_NOW;
    protocol->received_ns = received_ns > protocol->not_before_ns ? received_ns : protocol->not_before_ns;
    kv_protocol_go_on(protocol);
    if (!now && (protocol->backlog || must_wait(protocol, command))) {
        put_off(protocol, whole);
        kv_writer_flush(&protocol->writer, &protocol->answer);
        return;
    }
    if (now && protocol->backlog && command->run == kv_command_stop)
        put_off(protocol, whole); /* it also stops the searches that have not begun */
    run(protocol, command, name, words);
}

void kv_protocol_go_on(struct kv_protocol *protocol)
{
    while (protocol->backlog && !protocol->quit) {
        struct kv_waiting_line *line = protocol->backlog;
        struct kv_span words = {line->text, line->length}, name = kv_span_token(&words);
        const struct kv_command *command = kv_command_find(name);
        if (must_wait(protocol, command))
            return;
        protocol->received_ns = kv_engine_clock();
        protocol->backlog = line->next;
        if (!protocol->backlog)
            protocol->backlog_end = &protocol->backlog;
        run(protocol, command, name, words);
        free(line);
    }
}

/* ---- The end ---------------------------------------------------------------------------------- */

void kv_protocol_stop(struct kv_protocol *protocol)
{
    drop_backlog(protocol);
    kv_engine_stop(protocol->engine);
}

bool kv_protocol_wait(struct kv_protocol *protocol, int64_t deadline_ns)
{
    for (;;) {
        kv_protocol_go_on(protocol);
        if (!kv_engine_is_bounded(protocol->engine))
            return true;
        if (!kv_engine_wait(protocol->engine, deadline_ns))
            return false;
        if (!protocol->backlog)
            return true;
    }
}

bool kv_protocol_finish(struct kv_protocol *protocol, int64_t deadline_ns)
{
    for (;;) {
        if (!kv_engine_is_bounded(protocol->engine))
            kv_engine_stop(protocol->engine);
        if (!kv_engine_wait(protocol->engine, deadline_ns))
            return false;
        if (!protocol->backlog)
            return true;
        kv_protocol_go_on(protocol);
    }
}
