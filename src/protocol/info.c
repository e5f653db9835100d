/* The lines of a search, written from its thread. */
#include "protocol/session.h"

#include <inttypes.h>

static const int64_t currmove_after_ns = INT64_C(3000000000);

/* One turn as this front end writes it: in one word, or each capture in a word of its own. */
static void add_move(const struct kv_searching *searching, struct kv_buffer *line, kv_move move)
{
    char text[KV_MOVE_TEXT_MAX];
    unsigned from = kv_move_from(move), to = kv_move_to(move);
    unsigned captures[2] = {kv_move_capture(move), kv_move_second(move)};
    if (!searching->display.split_captures || to == KV_NO_POINT || captures[0] == KV_NO_POINT) {
        kv_buffer_text(line, kv_move_write(&searching->rules, move, text));
        return;
    }
    move = kv_move_make(from, to, KV_NO_POINT, KV_NO_POINT);
    kv_buffer_text(line, kv_move_write(&searching->rules, move, text));
    for (int i = 0; i < 2 && captures[i] != KV_NO_POINT; i++) {
        move = kv_move_make(KV_NO_POINT, KV_NO_POINT, captures[i], KV_NO_POINT);
        kv_buffer_format(line, " %s", kv_move_write(&searching->rules, move, text));
    }
}

/* UCI counts a forced end in moves of the side that makes it, UGI in plies. A game that is won
 * already has no distance that could carry its sign. */
static void add_score(const struct kv_searching *searching, struct kv_buffer *line, int score)
{
    int plies = kv_score_mate_plies(score);
    if (!kv_score_is_mate(score) || score == KV_SCORE_WIN)
        kv_buffer_format(line, " score cp %d", score);
    else if (searching->ugi)
        kv_buffer_format(line, " score mate %d", plies);
    else
        kv_buffer_format(line, " score mate %d", plies > 0 ? (plies + 1) / 2 : -((1 - plies) / 2));
}

static void add_effort(struct kv_buffer *line, uint64_t nodes, int64_t time_ns)
{
    uint64_t elapsed = time_ns > 0 ? (uint64_t)time_ns : 1;
    /* nodes / second without overflow for any number of nodes a search can count */
    uint64_t speed = (uint64_t)((double)nodes * 1e9 / (double)elapsed);
    kv_buffer_format(line, " nodes %" PRIu64 " nps %" PRIu64, nodes, speed);
}

static void report_current(struct kv_protocol *protocol, const struct kv_search_info *info)
{
    struct kv_searching *searching = &protocol->searching;
    if (info->time_ns < currmove_after_ns)
        return;
    kv_buffer_format(&searching->line, "info depth %d currmove ", info->depth);
    add_move(searching, &searching->line, info->current_move);
    kv_buffer_format(&searching->line, " currmovenumber %d\n", info->current_move_number);
    kv_writer_flush(&protocol->writer, &searching->line);
}

void kv_info_report(void *user, const struct kv_search_info *info)
{
    struct kv_protocol *protocol = user;
    struct kv_searching *searching = &protocol->searching;
    struct kv_buffer *line = &searching->line;
    if (info->multipv == 0) {
        report_current(protocol, info);
        return;
    }
    kv_buffer_format(line, "info depth %d seldepth %d multipv %d", info->depth, info->seldepth,
                     info->multipv);
    add_score(searching, line, info->score);
    if (info->bound != KV_BOUND_EXACT)
        kv_buffer_text(line, info->bound == KV_BOUND_LOWER ? " lowerbound" : " upperbound");
    if (searching->display.wdl)
        kv_buffer_format(line, " wdl %d %d %d", info->wdl[0], info->wdl[1], info->wdl[2]);
    add_effort(line, info->nodes, info->time_ns);
    kv_buffer_format(line, " hashfull %d tbhits %" PRIu64 " time %" PRId64, info->hashfull, info->tbhits,
                     info->time_ns / 1000000);
    if (info->pv_length > 0)
        kv_buffer_text(line, " pv");
    for (int i = 0; i < info->pv_length; i++) {
        kv_buffer_text(line, " ");
        add_move(searching, line, info->pv[i]);
    }
    kv_buffer_text(line, "\n");
    searching->reported = true;
    kv_writer_flush(&protocol->writer, line);
}

/* ---- The answer ------------------------------------------------------------------------------- */

/* Keeps the captures of the answer for the go commands that will ask for them. */
static void remember_captures(struct kv_protocol *protocol, kv_move best)
{
    struct kv_split *split = &protocol->split;
    const struct kv_rules *rules = &protocol->searching.rules;
    struct kv_position position = protocol->searching.root;
    unsigned captures[2] = {kv_move_capture(best), kv_move_second(best)};
    split->count = 0;
    kv_position_play(rules, &position,
                     kv_move_make(kv_move_from(best), kv_move_to(best), KV_NO_POINT, KV_NO_POINT));
    for (int i = 0; i < 2 && captures[i] != KV_NO_POINT; i++) {
        kv_move capture = kv_move_make(KV_NO_POINT, KV_NO_POINT, captures[i], KV_NO_POINT);
        split->positions[i] = position;
        split->captures[i] = capture;
        split->count = i + 1;
        kv_position_play(rules, &position, capture);
    }
}

static bool ends_turn(const struct kv_searching *searching, kv_move move)
{
    struct kv_position next = searching->root;
    kv_position_play(&searching->rules, &next, move);
    return next.side != searching->root.side;
}

static kv_move without_captures(kv_move move)
{
    return kv_move_make(kv_move_from(move), kv_move_to(move), KV_NO_POINT, KV_NO_POINT);
}

/* A search that was stopped before it could report still has its answer explained. */
static void report_late(struct kv_protocol *protocol, const struct kv_search_result *result)
{
    struct kv_search_info info = {
        .depth = result->depth,
        .seldepth = result->depth,
        .multipv = 1,
        .score = kv_score_is_mate(result->score) && result->depth == 0 ? 0 : result->score,
        .wdl = {0, 1000, 0},
        .nodes = result->nodes,
        .time_ns = kv_engine_clock() - protocol->searching.start_ns,
        .pv = &result->best,
        .pv_length = result->best == KV_MOVE_NONE ? 0 : 1,
    };
    kv_info_report(protocol, &info);
}

void kv_info_done(void *user, int status, const struct kv_search_result *result)
{
    struct kv_protocol *protocol = user;
    struct kv_searching *searching = &protocol->searching;
    struct kv_buffer *line = &searching->line;
    struct kv_search_result answer = *result;
    char text[KV_MOVE_TEXT_MAX];
    if (status) {
        /* Any move is better than none. */
        kv_move moves[KV_MOVES_MAX];
        if (kv_moves(&searching->rules, &searching->root, moves) > 0)
            answer.best = moves[0];
        kv_buffer_format(line, "info string error go: %s\n", kv_status_text(status));
        kv_writer_flush(&protocol->writer, line);
    }
    if (!searching->reported)
        report_late(protocol, &answer);
    bool has_ponder = !searching->ugi && answer.best != KV_MOVE_NONE && answer.ponder != KV_MOVE_NONE &&
                      ends_turn(searching, answer.best);
    if (searching->display.split_captures && answer.best != KV_MOVE_NONE &&
        kv_move_to(answer.best) != KV_NO_POINT && kv_move_capture(answer.best) != KV_NO_POINT) {
        remember_captures(protocol, answer.best);
        answer.best = without_captures(answer.best);
        has_ponder = false;
    }
    kv_buffer_format(line, "bestmove %s", kv_move_write(&searching->rules, answer.best, text));
    if (has_ponder) {
        if (searching->display.split_captures && kv_move_to(answer.ponder) != KV_NO_POINT)
            answer.ponder = without_captures(answer.ponder);
        kv_buffer_format(line, " ponder %s", kv_move_write(&searching->rules, answer.ponder, text));
    }
    kv_buffer_text(line, "\n");
    kv_writer_flush(&protocol->writer, line);
}
