/* The program: standard streams, arguments and exit codes around the protocol. */
#include <stdio.h>
#include <string.h>

#include "base/stream.h"
#include "kvern/scoring.h"
#include "protocol/protocol.h"
#include "protocol/reader.h"

enum { EXIT_GOOD = 0, EXIT_ERROR = 1, EXIT_OUTPUT = 2 };

/* How long one wait for a search lasts before signals are looked at, and how often waiting lines are. */
enum { SLICE_NS = 20000000, BACKLOG_MS = 1 };

static const char usage[] =
    "usage: kvern                     read commands from standard input\n"
    "       kvern COMMAND...          run these commands, one an argument, and exit\n"
    "       kvern GAME [FILE]         keep the score of molkky, palet or jakkolo at the table, in FILE\n"
    "       kvern --help | --version\n"
    "\n"
    "A nine men's morris engine that speaks UCI and UGI. 'kvern help' lists the commands; commands of\n"
    "several words are quoted, or stand alone: kvern \"position startpos moves d6\" \"go depth 10\" d\n"
    "\n"
    "Exit code: 0; 1 after a usage error or when a command given as an argument was refused; 2 when\n"
    "output could not be written; 128 + N when signal N ended it.\n";

static int write_out(void *user, const char *bytes, size_t length)
{
    (void)user;
    int status = kv_stream_write(bytes, length);
    if (status)
        kv_stream_interrupt(); /* nobody listens any more */
    return status;
}

static void be_busy(void *user, bool begins)
{
    (void)user;
    kv_stream_set_impatient(begins);
}

struct line_reader {
    struct kv_protocol *protocol;
    int64_t received_ns;
};

static void take_line(void *user, const char *line, size_t length)
{
    struct line_reader *reader = user;
    kv_protocol_line(reader->protocol, line, length, reader->received_ns);
}

/* Waits for what must still be answered. */
static void finish(struct kv_protocol *protocol)
{
    while (!kv_stream_is_interrupted() && !kv_protocol_has_quit(protocol) &&
           !kv_protocol_finish(protocol, kv_engine_clock() + SLICE_NS))
        ;
}

static void read_commands(struct kv_protocol *protocol)
{
    static char chunk[65536];
    struct kv_reader reader = {0};
    struct line_reader lines = {protocol, 0};
    while (!kv_protocol_has_quit(protocol)) {
        long got = kv_stream_read(chunk, sizeof chunk, kv_protocol_has_backlog(protocol) ? BACKLOG_MS : -1);
        lines.received_ns = kv_engine_clock();
        if (got > 0)
            kv_reader_feed(&reader, chunk, (size_t)got, take_line, &lines);
        else if (got == KV_E_BUSY)
            kv_protocol_go_on(protocol);
        else
            break;
    }
    kv_reader_end(&reader, take_line, &lines);
    finish(protocol);
}

/* `kvern go depth 5`: one command spread over the arguments? */
static bool is_one_command(char **arguments, int count)
{
    if (count < 2 || !kv_protocol_takes_words(arguments[0]))
        return false;
    for (int i = 0; i < count; i++)
        if (strchr(arguments[i], ' '))
            return false;
    bool go_perft = strcmp(arguments[0], "go") == 0 && strcmp(arguments[1], "perft") == 0;
    return go_perft || !kv_protocol_knows(arguments[1]);
}

static int run_arguments(struct kv_protocol *protocol, char **arguments, int count)
{
    struct kv_buffer joined = {0};
    bool one = is_one_command(arguments, count);
    for (int i = 0; i < count && !kv_protocol_has_quit(protocol) && !kv_stream_is_interrupted(); i++) {
        kv_buffer_text(&joined, one && i > 0 ? " " : "");
        kv_buffer_text(&joined, arguments[i]);
        if (one && i + 1 < count)
            continue;
        if (joined.failed)
            break;
        kv_protocol_line(protocol, joined.data, joined.length, kv_engine_clock());
        kv_buffer_clear(&joined);
        while (!kv_stream_is_interrupted() && !kv_protocol_wait(protocol, kv_engine_clock() + SLICE_NS))
            ;
    }
    finish(protocol);
    bool failed = joined.failed || kv_protocol_errors(protocol) > 0;
    kv_buffer_finish(&joined);
    return failed ? EXIT_ERROR : EXIT_GOOD;
}

int main(int count, char **arguments)
{
    if (count > 1 && (strcmp(arguments[1], "--help") == 0 || strcmp(arguments[1], "-h") == 0))
        return fputs(usage, stdout) < 0 || fflush(stdout) != 0 ? EXIT_OUTPUT : EXIT_GOOD;
    if (count > 1 && strcmp(arguments[1], "--version") == 0)
        return printf("Kvern %s\n", kv_version()) < 0 || fflush(stdout) != 0 ? EXIT_OUTPUT : EXIT_GOOD;
    if ((count == 2 || count == 3) && kv_scoring_knows(arguments[1], strlen(arguments[1])))
        return kv_scoring_table(arguments[1], count == 3 ? arguments[2] : NULL, stdin, stdout);
    if (count > 1 && arguments[1][0] == '-') {
        fprintf(stderr, "kvern: unknown option '%s' (try --help)\n", arguments[1]);
        return EXIT_ERROR;
    }
    struct kv_protocol_config config = {.write = write_out, .busy = be_busy};
    struct kv_protocol *protocol;
    if (kv_stream_open() != KV_OK || kv_protocol_create(&protocol, &config) != KV_OK) {
        fputs("kvern: cannot start: out of memory or file descriptors\n", stderr);
        return EXIT_ERROR;
    }
    int code = EXIT_GOOD;
    if (count > 1)
        code = run_arguments(protocol, arguments + 1, count - 1);
    else
        read_commands(protocol);
    kv_protocol_stop(protocol);
    kv_protocol_wait(protocol, INT64_MAX);
    if (kv_protocol_is_broken(protocol))
        code = EXIT_OUTPUT;
    else if (kv_stream_signal() > 0)
        code = 128 + kv_stream_signal();
    kv_protocol_destroy(protocol);
    return code;
}
