#include "kvern-match-game.h"

#include <stdlib.h>
#include <string.h>

/* After its time is over a program has this long until it is taken for dead. */
static const int64_t late_ns = 5000000000;

static const struct {
    const char *text;
    bool fault;
} endings[MATCH_ENDINGS] = {
    [END_STONES] = {"too few stones", false},
    [END_BLOCKED] = {"blocked", false},
    [END_REPETITION] = {"repetition", false},
    [END_NO_CAPTURE] = {"no capture", false},
    [END_LENGTH] = {"maximum length", false},
    [END_AGREED_DRAW] = {"draw by agreed scores", false},
    [END_AGREED_WIN] = {"win by agreed scores", false},
    [END_TABLE] = {"table", false},
    [END_CLAIM] = {"draw claimed", false},
    [END_RESIGNED] = {"resigned", false},
    [END_ILLEGAL] = {"illegal move", true},
    [END_NO_MOVE] = {"no move given", true},
    [END_BAD_CLAIM] = {"wrong draw claim", true},
    [END_LATE] = {"time forfeit", true},
    [END_NO_START] = {"did not start", true},
    [END_EXIT] = {"exited", true},
    [END_CLOSED] = {"closed its output", true},
    [END_SILENT] = {"no answer", true},
    [END_GARBAGE] = {"garbage", true},
    [END_FLOOD] = {"flood", true},
    [END_TWICE] = {"answer not asked for", true},
};

const char *match_ending_text(enum match_ending ending)
{
    return endings[ending].text;
}

enum match_ending match_ending_find(const char *text)
{
    int i = 0;
    while (i < MATCH_ENDINGS && strcmp(endings[i].text, text) != 0)
        i++;
    return (enum match_ending)i;
}

bool match_ending_is_fault(enum match_ending ending)
{
    return endings[ending].fault;
}

/* A game under way. */
struct play {
    const struct match_config *config;
    struct match_table *table;
    struct kv_game *game;
    struct match_engine **engines;
    const struct match_player *const *players;
    struct match_outcome *outcome;
    struct kv_buffer moves[2]; /* as each side's program spells them */
    struct kv_buffer half;     /* and of the turn under way */
    struct kv_buffer commands;
    int64_t clock_ns[2];
    int moves_left[2]; /* of the clock's period */
    bool over;
    /* the last scores of each side, seen by white: how many moves in a row were small, or this high or low */
    int small[2], high[2], low[2];
};

static void end_game(struct play *play, enum kv_result result, enum match_ending ending)
{
    if (play->over)
        return;
    play->over = true;
    play->outcome->result = result;
    play->outcome->ending = ending;
}

static void lose(struct play *play, int side, enum match_ending ending)
{
    end_game(play, side == KV_WHITE ? KV_BLACK_WINS : KV_WHITE_WINS, ending);
}

/* The side whose program is at fault loses, and the program is ended. */
static int at_fault(struct play *play, int side, enum match_fault fault)
{
    static const enum match_ending meaning[] = {
        [FAULT_START] = END_NO_START,  [FAULT_EXIT] = END_EXIT,   [FAULT_CLOSED] = END_CLOSED,
        [FAULT_SILENT] = END_SILENT,   [FAULT_FLOOD] = END_FLOOD, [FAULT_TWICE] = END_TWICE,
        [FAULT_GARBAGE] = END_GARBAGE,
    };
    match_engine_stop(play->engines[side], false);
    if (fault == FAULT_INTERRUPTED)
        return KV_E_NOT_FOUND;
    lose(play, side, meaning[fault]);
    return KV_OK;
}

/* ---- What the programs are told ---------------------------------------------------------------- */

/* Adds a move to the lists that the programs get. */
static void tell_move(struct play *play, kv_move move)
{
    char text[KV_MOVE_TEXT_MAX];
    kv_move_write(&play->game->rules, move, text);
    for (int side = 0; side < 2; side++) {
        bool first = true;
        kv_buffer_text(&play->moves[side], " ");
        for (const char *c = text; *c; c++) {
            if (*c == 'x' && !first && play->players[side]->split)
                kv_buffer_text(&play->moves[side], " ");
            kv_buffer_add(&play->moves[side], c, 1);
            first = false;
        }
    }
}

static void add_position(struct play *play, int side)
{
    const struct kv_game *game = play->game;
    struct kv_position start;
    char text[KV_POSITION_TEXT_MAX];
    kv_position_start(&game->rules, &start);
    kv_position_write(&game->rules, &game->positions[0], text);
    if (kv_position_same(&start, &game->positions[0]))
        kv_buffer_text(&play->commands, "position startpos");
    else
        kv_buffer_format(&play->commands, "position fen %s", text);
    if (play->moves[side].length + play->half.length > 0)
        kv_buffer_format(&play->commands, " moves%s%s",
                         play->moves[side].length ? play->moves[side].data : "",
                         play->half.length ? play->half.data : "");
    kv_buffer_text(&play->commands, "\n");
}

static long long to_ms(int64_t ns)
{
    return ns > 1000000 ? (long long)(ns / 1000000) : 1;
}

/* `used_ns` has gone already in this turn. */
static void add_go(struct play *play, int side, int64_t used_ns)
{
    const struct match_time *time = &play->players[side]->time;
    const char *const *names = (const char *const[]){"wtime", "btime", "winc", "binc"};
    if (play->players[side]->ugi)
        names = (const char *const[]){"p1time", "p2time", "p1inc", "p2inc"};
    kv_buffer_text(&play->commands, "go");
    if (time->base_ns) {
        for (int s = 0; s < 2; s++)
            kv_buffer_format(&play->commands, " %s %lld", names[s],
                             to_ms(play->clock_ns[s] - (s == side ? used_ns : 0)));
        for (int s = 0; s < 2; s++)
            kv_buffer_format(&play->commands, " %s %lld", names[2 + s],
                             (long long)(play->players[s]->time.increment_ns / 1000000));
        if (time->moves)
            kv_buffer_format(&play->commands, " movestogo %d", play->moves_left[side]);
    }
    if (time->movetime_ns)
        kv_buffer_format(&play->commands, " movetime %lld", to_ms(time->movetime_ns - used_ns));
    if (time->nodes)
        kv_buffer_format(&play->commands, " nodes %lld", (long long)time->nodes);
    if (time->depth)
        kv_buffer_format(&play->commands, " depth %d", time->depth);
    kv_buffer_text(&play->commands, "\n");
}

/* How long this turn may take, margin included; `*strict` when being late loses. */
static int64_t allowance(const struct play *play, int side, bool *strict)
{
    const struct match_time *time = &play->players[side]->time;
    int64_t limit = INT64_MAX;
    if (time->base_ns)
        limit = play->clock_ns[side];
    if (time->movetime_ns && time->movetime_ns < limit)
        limit = time->movetime_ns;
    *strict = limit != INT64_MAX;
    return *strict ? limit + play->config->margin_ns : play->config->think_ns;
}

/* ---- Answers ----------------------------------------------------------------------------------- */

/* May a side that answers "draw" have one? By repetition, by a long time without a capture, or because the
 * other side sees nothing either. */
static bool claim_holds(const struct play *play, int side)
{
    enum { QUIET_PLIES = 100 };
    return kv_game_repetitions(play->game) >= 3 || play->game->position.quiet >= QUIET_PLIES ||
           play->small[side ^ 1] > 0;
}

/* "draw", "none" and the ways to say nothing; false when it is something else. */
static bool word_answer(struct play *play, int side, struct kv_span word)
{
    const struct match_player *player = play->players[side];
    bool none = kv_span_is_nocase(word, "none") || kv_span_is_nocase(word, "(none)");
    if (player->words_ok && kv_span_is_nocase(word, "draw")) {
        if (claim_holds(play, side))
            end_game(play, KV_DRAW, END_CLAIM);
        else
            lose(play, side, END_BAD_CLAIM);
    } else if (player->words_ok && none)
        lose(play, side, END_RESIGNED);
    else if (none || word.length == 0 || kv_span_is(word, "0000"))
        lose(play, side, END_NO_MOVE);
    else
        return false;
    return true;
}

/* A turn under way: more than one go where captures are asked for separately. */
struct turn {
    int side;
    struct kv_position now;
    kv_move move; /* as far as it is known */
    int64_t used_ns;
};

/* Takes the answer into the turn. */
static void add_answer(struct play *play, struct turn *turn, struct kv_span word)
{
    const struct kv_rules *rules = &play->game->rules;
    kv_move move;
    if (kv_move_read(rules, &turn->now, word.at, word.length, &move, NULL) != KV_OK) {
        lose(play, turn->side, END_ILLEGAL);
        return;
    }
    kv_position_play(rules, &turn->now, move);
    char text[KV_MOVE_TEXT_MAX];
    kv_buffer_format(&play->half, " %s", kv_move_write(rules, move, text));
    kv_move so_far = turn->move;
    unsigned first = kv_move_capture(so_far), taken = kv_move_capture(move);
    if (so_far == KV_MOVE_NONE)
        turn->move = move;
    else if (first == KV_NO_POINT)
        turn->move = kv_move_make(kv_move_from(so_far), kv_move_to(so_far), taken, KV_NO_POINT);
    else
        turn->move = kv_move_make(kv_move_from(so_far), kv_move_to(so_far), first, taken);
    if (turn->now.due > 0 && kv_move_to(turn->move) != KV_NO_POINT && !play->players[turn->side]->split)
        lose(play, turn->side, END_ILLEGAL); /* the capture is missing */
}

/* One go and its answer. */
static int ask(struct play *play, struct turn *turn)
{
    bool strict;
    int side = turn->side;
    int64_t limit = allowance(play, side, &strict), sent = 0;
    struct match_engine *engine = play->engines[side];
    kv_buffer_clear(&play->commands);
    add_position(play, side);
    add_go(play, side, turn->used_ns);
    if (play->commands.failed || play->half.failed)
        return KV_E_MEMORY;
    int64_t allowed = limit - turn->used_ns + (strict ? late_ns : 0);
    enum match_fault fault = match_engine_go(engine, &play->commands, play->config, allowed, &sent);
    if (fault)
        return at_fault(play, side, fault);
    turn->used_ns += engine->answer_ns - sent;
    struct kv_span rest = {engine->answer.data, engine->answer.length}, word = kv_span_token(&rest);
    if (strict && turn->used_ns > limit)
        lose(play, side, END_LATE);
    else if (!word_answer(play, side, word))
        add_answer(play, turn, word);
    return KV_OK;
}

/* ---- Turns ------------------------------------------------------------------------------------- */

static void count_time(struct play *play, int side, int64_t used_ns)
{
    const struct match_time *time = &play->players[side]->time;
    if (!time->base_ns)
        return;
    int64_t left = play->clock_ns[side] - used_ns; /* below zero only within the margin */
    play->clock_ns[side] = (left > 0 ? left : 0) + time->increment_ns;
    if (time->moves && --play->moves_left[side] == 0) {
        play->moves_left[side] = time->moves;
        play->clock_ns[side] += time->base_ns;
    }
}

/* Keeps count of what the players think; and ends the game when they agree. */
static void count_scores(struct play *play, int side)
{
    const struct match_config *config = play->config;
    const struct match_report *report = &play->engines[side]->report;
    int score = report->mate ? (report->score > 0 ? 30000 : -30000) : report->score;
    if (side == KV_BLACK)
        score = -score;
    bool small = report->has_score && abs(score) <= (config->draw_moves ? config->draw_score : 20);
    play->small[side] = small ? play->small[side] + 1 : 0;
    play->high[side] = report->has_score && score >= config->resign_score ? play->high[side] + 1 : 0;
    play->low[side] = report->has_score && score <= -config->resign_score ? play->low[side] + 1 : 0;
    int turns = (int)play->game->count / 2;
    if (config->draw_moves && turns >= config->draw_from && play->small[0] >= config->draw_moves &&
        play->small[1] >= config->draw_moves)
        end_game(play, KV_DRAW, END_AGREED_DRAW);
    if (config->resign_moves && play->high[0] >= config->resign_moves &&
        play->high[1] >= config->resign_moves)
        end_game(play, KV_WHITE_WINS, END_AGREED_WIN);
    if (config->resign_moves && play->low[0] >= config->resign_moves && play->low[1] >= config->resign_moves)
        end_game(play, KV_BLACK_WINS, END_AGREED_WIN);
}

/* The referee's own eyes: is it over? */
static void look(struct play *play)
{
    static const enum match_ending meaning[] = {[KV_TOO_FEW_STONES] = END_STONES,
                                                [KV_BLOCKED] = END_BLOCKED,
                                                [KV_REPETITION] = END_REPETITION,
                                                [KV_NO_CAPTURE] = END_NO_CAPTURE};
    const struct kv_game *game = play->game;
    enum kv_reason reason;
    enum kv_result result = kv_game_result(game, &reason);
    int outcome;
    if (result != KV_ONGOING)
        end_game(play, result, meaning[reason]);
    else if (game->count > (size_t)play->config->max_plies)
        end_game(play, KV_DRAW, END_LENGTH);
    else if (play->config->use_table && match_table_ends(play->table, &game->position, &outcome)) {
        bool white = (game->position.side == KV_WHITE) == (outcome > 0);
        end_game(play, outcome == 0 ? KV_DRAW : white ? KV_WHITE_WINS : KV_BLACK_WINS, END_TABLE);
    }
}

static int record_turn(struct play *play, const struct turn *turn)
{
    struct kv_record_move *added;
    if (kv_record_add_move(&play->outcome->record.line, turn->move, &added))
        return KV_E_MEMORY;
    const struct match_report *report = &play->engines[turn->side]->report;
    added->note = (struct kv_record_note){.has_score = report->has_score,
                                          .mate = report->mate,
                                          .score = report->score,
                                          .depth = report->depth,
                                          .time_ms = turn->used_ns / 1000000};
    return KV_OK;
}

static int play_turn(struct play *play)
{
    struct turn turn = {.side = play->game->position.side, .now = play->game->position, .move = KV_MOVE_NONE};
    kv_buffer_clear(&play->half);
    int status = KV_OK;
    do
        status = ask(play, &turn);
    while (!status && !play->over && turn.now.due > 0 && kv_move_to(turn.move) != KV_NO_POINT);
    if (status || play->over)
        return status;
    status = kv_game_play(play->game, turn.move);
    if (!status)
        status = record_turn(play, &turn);
    if (status)
        return status;
    tell_move(play, turn.move);
    count_time(play, turn.side, turn.used_ns);
    look(play);
    count_scores(play, turn.side);
    return KV_OK;
}

/* ---- Games ------------------------------------------------------------------------------------- */

static int start_programs(struct play *play)
{
    for (int side = 0; side < 2 && !play->over; side++) {
        struct match_engine *engine = play->engines[side];
        enum match_fault fault = match_engine_start(engine, play->config, play->players[side]);
        if (!fault)
            fault = match_engine_new_game(engine, play->config);
        if (fault && at_fault(play, side, fault) != KV_OK)
            return KV_E_NOT_FOUND;
    }
    return KV_OK;
}

/* What was played before the players were asked. */
static int record_opening(struct play *play)
{
    const struct kv_game *game = play->game;
    struct kv_record *record = &play->outcome->record;
    record->start = game->positions[0];
    for (size_t i = 0; i + 1 < game->count; i++) {
        struct kv_record_move *added;
        if (kv_record_add_move(&record->line, game->moves[i], &added) ||
            kv_record_add_comment(added, "book", 4))
            return KV_E_MEMORY;
        tell_move(play, game->moves[i]);
    }
    return KV_OK;
}

int match_game_play(const struct match_config *config, struct match_table *table, struct kv_game *game,
                    struct match_engine *engines[2], const struct match_player *const players[2],
                    struct match_outcome *outcome)
{
    struct match_outcome fresh = {0};
    kv_record_init(&fresh.record, &game->rules);
    struct play play = {.config = config,
                        .table = table,
                        .game = game,
                        .engines = engines,
                        .players = players,
                        .outcome = &fresh};
    for (int side = 0; side < 2; side++) {
        play.clock_ns[side] = players[side]->time.base_ns;
        play.moves_left[side] = players[side]->time.moves;
    }
    int status = record_opening(&play);
    if (!status)
        status = start_programs(&play);
    look(&play);
    while (!status && !play.over)
        status = play_turn(&play);
    for (int side = 0; side < 2; side++)
        kv_buffer_finish(&play.moves[side]);
    kv_buffer_finish(&play.commands);
    kv_buffer_finish(&play.half);
    fresh.record.result = fresh.result;
    if (!status)
        status = kv_record_set_tag(&fresh.record, "Termination", match_ending_text(fresh.ending));
    if (status)
        kv_record_finish(&fresh.record);
    else
        *outcome = fresh;
    return status;
}
