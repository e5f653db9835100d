/* perft and bench: counting for people who measure. */
#include "protocol/session.h"

#include <inttypes.h>

enum { PERFT_DEPTH_MAX = 100 };

static int read_depth(struct kv_span words, int low, int high, int standard, int *depth,
                      struct kv_error *error)
{
    struct kv_span word = kv_span_token(&words), more = kv_span_token(&words);
    int64_t number = standard;
    char shown[40];
    int status = KV_OK;
    if (word.length > 0 || standard < 0)
        status = kv_span_int(word, low, high, &number);
    if (status)
        return kv_fail(error, status, "'%s' is not a whole number from %d to %d",
                       kv_span_show(word, shown, sizeof shown), low, high);
    if (more.length > 0)
        return kv_fail(error, KV_E_SYNTAX, "'%s' is one word too many",
                       kv_span_show(more, shown, sizeof shown));
    *depth = (int)number;
    return KV_OK;
}

void kv_command_perft(struct kv_protocol *protocol, struct kv_span words)
{
    const struct kv_game *game = kv_answer_game(protocol, "perft");
    struct kv_error error;
    int depth = 0;
    if (!game)
        return;
    if (read_depth(words, 0, PERFT_DEPTH_MAX, -1, &depth, &error) != KV_OK) {
        kv_answer_error(protocol, "perft: %s", error.text);
        return;
    }
    kv_move moves[KV_MOVES_MAX];
    int count = depth > 0 ? kv_moves(&game->rules, &game->position, moves) : 0;
    uint64_t total = depth > 0 ? 0 : 1;
    kv_protocol_busy(protocol, true);
    for (int i = 0; i < count; i++) {
        char text[KV_MOVE_TEXT_MAX];
        struct kv_position next = game->position;
        kv_position_play(&game->rules, &next, moves[i]);
        uint64_t below = kv_perft(&game->rules, &next, depth - 1, true);
        total += below;
        kv_answer(protocol, "%s: %" PRIu64, kv_move_write(&game->rules, moves[i], text), below);
        kv_writer_flush(&protocol->writer, &protocol->answer);
    }
    kv_protocol_busy(protocol, false);
    kv_answer(protocol, "\nNodes searched: %" PRIu64 "\n", total);
}

static void report_bench(void *user, const struct kv_bench_report *row)
{
    struct kv_protocol *protocol = user;
    kv_answer(protocol, "Position %d/%d: %" PRIu64 " nodes, %s%s%s", row->number, row->count, row->nodes,
              row->position, row->rules[0] ? ", " : "", row->rules);
    kv_writer_flush(&protocol->writer, &protocol->answer);
}

void kv_command_bench(struct kv_protocol *protocol, struct kv_span words)
{
    struct kv_error error;
    struct kv_bench_total total;
    int depth = 0, status = read_depth(words, 1, KV_DEPTH_MAX, KV_BENCH_DEPTH, &depth, &error);
    if (!status) {
        kv_protocol_busy(protocol, true);
        status = kv_engine_bench(depth, report_bench, protocol, &total);
        kv_protocol_busy(protocol, false);
        if (status)
            kv_fail(&error, status, "%s", kv_status_text(status));
    }
    if (status) {
        kv_answer_error(protocol, "bench: %s", error.text);
        return;
    }
    uint64_t elapsed = total.time_ns > 0 ? (uint64_t)total.time_ns : 1;
    kv_answer(protocol, "%" PRIu64 " nodes %" PRIu64 " nps", total.nodes,
              (uint64_t)((double)total.nodes * 1e9 / (double)elapsed));
}
