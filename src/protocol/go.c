/* go: words to limits, and what to do when there is nothing to search. */
#include "protocol/session.h"

#include <stdlib.h>
#include <string.h>

/* The number fields. What is too small is taken as the least that makes sense, since a front end that
 * miscounts a clock still wants a move. */
struct field {
    const char *name;
    int slot;
};

enum slot {
    DEPTH,
    NODES,
    MOVETIME,
    MATE,
    WTIME,
    BTIME,
    WINC,
    BINC,
    MOVESTOGO,
    P1TIME,
    P2TIME,
    P1INC,
    P2INC,
    SLOTS
};

#define NUMBER_MAX INT64_C(1000000000000000)

static const struct field fields[] = {
    {"depth", DEPTH},         {"nodes", NODES},   {"movetime", MOVETIME}, {"mate", MATE},
    {"wtime", WTIME},         {"btime", BTIME},   {"winc", WINC},         {"binc", BINC},
    {"movestogo", MOVESTOGO}, {"p1time", P1TIME}, {"p2time", P2TIME},     {"p1inc", P1INC},
    {"p2inc", P2INC},
};

enum { FIELDS = sizeof fields / sizeof *fields };

#define NOT_GIVEN INT64_MIN

static const struct field *field_of(struct kv_span word)
{
    for (int i = 0; i < FIELDS; i++)
        if (kv_span_is_nocase(word, fields[i].name))
            return &fields[i];
    return NULL;
}

static bool is_keyword(struct kv_span word)
{
    return field_of(word) || kv_span_is_nocase(word, "infinite") || kv_span_is_nocase(word, "ponder") ||
           kv_span_is_nocase(word, "searchmoves");
}

static int read_field(const struct field *field, struct kv_span *words, int64_t *value,
                      struct kv_error *error)
{
    struct kv_span word = kv_span_token(words);
    char shown[40];
    if (word.length == 0)
        return kv_fail(error, KV_E_SYNTAX, "%s: a number is missing", field->name);
    int status = kv_span_int(word, -NUMBER_MAX, NUMBER_MAX, value);
    if (status)
        kv_fail(error, status, "%s: '%s' is not a whole number%s", field->name,
                kv_span_show(word, shown, sizeof shown), status == KV_E_SYNTAX ? "" : " within reason");
    return status;
}

/* ---- searchmoves ------------------------------------------------------------------------------- */

struct root {
    const struct kv_game *game;
    kv_move legal[KV_MOVES_MAX];
    int count;
    bool wanted[KV_MOVES_MAX];
};

/* Marks the legal moves a word means: the one with the same result or, when its captures are left
 * out, all with the same stone and point. */
static bool mark(struct root *root, struct kv_span word)
{
    const struct kv_rules *rules = &root->game->rules;
    struct kv_position after = root->game->position;
    kv_move move;
    if (kv_move_read(rules, &after, word.at, word.length, &move, NULL) != KV_OK)
        return false;
    bool due_before = after.due > 0;
    kv_position_play(rules, &after, move);
    bool open = !due_before && after.due > 0;
    for (int i = 0; i < root->count; i++) {
        struct kv_position next = root->game->position;
        kv_position_play(rules, &next, root->legal[i]);
        if (open ? kv_move_from(root->legal[i]) == kv_move_from(move) &&
                       kv_move_to(root->legal[i]) == kv_move_to(move)
                 : kv_position_same(&next, &after))
            root->wanted[i] = true;
    }
    return true;
}

/* One move, perhaps in two or three words: "a1-a4 xd6". Returns the words joined in `text`. */
static struct kv_span join_captures(struct kv_span word, struct kv_span *words, char *text, size_t size)
{
    if (word.length >= size || word.length == 0 || word.at[0] == 'x' || word.at[0] == 'X')
        return word;
    size_t length = word.length;
    memcpy(text, word.at, length);
    for (;;) {
        struct kv_span rest = *words, next = kv_span_token(&rest);
        if (next.length == 0 || (next.at[0] != 'x' && next.at[0] != 'X') || length + next.length > size)
            return (struct kv_span){text, length};
        memcpy(text + length, next.at, next.length);
        length += next.length;
        *words = rest;
    }
}

static void read_moves(struct root *root, struct kv_span *words)
{
    for (;;) {
        struct kv_span rest = *words, word = kv_span_token(&rest);
        char text[64];
        if (word.length == 0 || is_keyword(word))
            return;
        *words = rest;
        mark(root, join_captures(word, words, text, sizeof text));
    }
}

/* ---- Limits ----------------------------------------------------------------------------------- */

static int64_t at_least(int64_t value, int64_t least)
{
    return value > least ? value : least;
}

static int narrow(int64_t value, int most)
{
    return value < most ? (int)value : most;
}

/* Of each side's clock and increment, by colour or by order of play, the one that was given. A clock that
 * is missing beside others, or shows less than nothing, is empty. */
static void set_clocks(struct kv_limits *limits, int first, const int64_t values[SLOTS])
{
    const int64_t times[2][2] = {{values[WTIME], values[first == KV_WHITE ? P1TIME : P2TIME]},
                                 {values[BTIME], values[first == KV_WHITE ? P2TIME : P1TIME]}};
    const int64_t increments[2][2] = {{values[WINC], values[first == KV_WHITE ? P1INC : P2INC]},
                                      {values[BINC], values[first == KV_WHITE ? P2INC : P1INC]}};
    for (int side = 0; side < 2; side++) {
        limits->has_clock[side] = true;
        limits->clock_ms[side] = at_least(at_least(times[side][0], times[side][1]), 0);
        limits->increment_ms[side] = at_least(at_least(increments[side][0], increments[side][1]), 0);
    }
}

static void set_limits(const struct kv_protocol *protocol, const struct kv_rules *rules,
                       const int64_t values[SLOTS], struct kv_limits *limits)
{
    bool clocked = false;
    for (int slot = WTIME; slot < SLOTS; slot++)
        clocked |= values[slot] != NOT_GIVEN;
    if (clocked)
        set_clocks(limits, rules->first_move, values);
    if (values[DEPTH] != NOT_GIVEN)
        limits->depth = narrow(at_least(values[DEPTH], 1), KV_DEPTH_MAX);
    if (values[NODES] != NOT_GIVEN)
        limits->nodes = (uint64_t)at_least(values[NODES], 1);
    if (values[MOVETIME] != NOT_GIVEN)
        limits->movetime_ms = at_least(values[MOVETIME], 1);
    if (values[MATE] != NOT_GIVEN)
        limits->mate = protocol->ugi ? narrow(at_least(values[MATE], 1), KV_DEPTH_MAX)
                                     : 2 * narrow(at_least(values[MATE], 1), (KV_DEPTH_MAX + 1) / 2) - 1;
    if (values[MOVESTOGO] != NOT_GIVEN)
        limits->moves_to_go = narrow(at_least(values[MOVESTOGO], 0), 10000);
}

/* No limit at all means to go on until stop. */
static void be_infinite_without_limits(struct kv_limits *limits, int side)
{
    if (limits->depth == 0 && limits->nodes == 0 && limits->movetime_ms == 0 && limits->mate == 0 &&
        !limits->has_clock[side])
        limits->infinite = true;
}

static int read_words(struct kv_protocol *protocol, struct kv_span words, struct root *root,
                      struct kv_limits *limits, struct kv_error *error)
{
    int64_t values[SLOTS];
    for (int i = 0; i < SLOTS; i++)
        values[i] = NOT_GIVEN;
    for (;;) {
        struct kv_span word = kv_span_token(&words);
        if (word.length == 0)
            break;
        const struct field *field = field_of(word);
        char shown[40];
        int status = KV_OK;
        if (field)
            status = read_field(field, &words, &values[field->slot], error);
        else if (kv_span_is_nocase(word, "infinite"))
            limits->infinite = true;
        else if (kv_span_is_nocase(word, "ponder"))
            limits->ponder = true;
        else if (kv_span_is_nocase(word, "searchmoves"))
            read_moves(root, &words);
        else
            kv_answer(protocol, "info string go: '%s' is ignored", kv_span_show(word, shown, sizeof shown));
        if (status)
            return status;
    }
    set_limits(protocol, &root->game->rules, values, limits);
    if (!limits->ponder)
        be_infinite_without_limits(limits, root->game->position.side);
    return KV_OK;
}

/* ---- go --------------------------------------------------------------------------------------- */

/* The capture that belongs to the last answer, when this is the position it was meant for. */
static bool follows_split(const struct kv_protocol *protocol, const struct root *root, kv_move *capture)
{
    *capture = KV_MOVE_NONE;
    for (int i = 0; i < protocol->split.count; i++)
        if (kv_position_same(&protocol->split.positions[i], &root->game->position))
            *capture = protocol->split.captures[i];
    for (int i = 0; i < root->count; i++)
        if (root->legal[i] == *capture)
            return true;
    return false;
}

static int begin(struct kv_protocol *protocol, struct root *root, struct kv_limits *limits)
{
    static const struct kv_listener callbacks = {kv_info_report, kv_info_done, NULL};
    struct kv_listener listener = callbacks;
    kv_move moves[KV_MOVES_MAX];
    for (int i = 0; i < root->count; i++)
        if (root->wanted[i])
            moves[limits->move_count++] = root->legal[i];
    /* The thread of the last search may still be on its way out of its answer. */
    kv_engine_wait(protocol->engine, INT64_MAX);
    struct kv_engine_display display = kv_engine_display(protocol->engine);
    if (limits->move_count == 0 && display.split_captures && follows_split(protocol, root, &moves[0]))
        limits->move_count = 1;
    limits->moves = limits->move_count > 0 ? moves : NULL;
    limits->start_ns = protocol->received_ns;
    struct kv_searching *searching = &protocol->searching;
    searching->rules = root->game->rules;
    searching->root = root->game->position;
    searching->display = display;
    searching->ugi = protocol->ugi;
    searching->reported = false;
    searching->start_ns = limits->start_ns;
    listener.user = protocol;
    /* what was gathered so far stands before the search's own lines */
    kv_writer_flush(&protocol->writer, &protocol->answer);
    return kv_engine_go(protocol->engine, limits, &listener);
}

static void search(struct kv_protocol *protocol, const struct kv_game *game, struct kv_span words)
{
    struct kv_limits limits = {0};
    struct kv_error error = {""};
    struct root *root = calloc(1, sizeof *root);
    int status = root ? KV_OK : kv_fail(&error, KV_E_MEMORY, "%s", kv_status_text(KV_E_MEMORY));
    if (!status) {
        root->game = game;
        root->count = kv_game_moves(game, root->legal);
        status = read_words(protocol, words, root, &limits, &error);
    }
    if (!status) {
        status = begin(protocol, root, &limits);
        if (status)
            kv_fail(&error, status, "%s", kv_status_text(status));
    }
    if (status) {
        kv_answer_error(protocol, "go: %s", error.text);
        kv_answer(protocol, "bestmove (none)");
    }
    free(root);
}

void kv_command_go(struct kv_protocol *protocol, struct kv_span words)
{
    struct kv_span rest = words;
    if (kv_span_is_nocase(kv_span_token(&rest), "perft")) {
        kv_command_perft(protocol, rest);
        return;
    }
    const struct kv_game *game = kv_answer_game(protocol, "go");
    if (game)
        search(protocol, game, words);
    else
        kv_answer(protocol, "bestmove (none)");
}

void kv_command_stop(struct kv_protocol *protocol, struct kv_span words)
{
    (void)words;
    kv_engine_stop(protocol->engine);
}

void kv_command_ponderhit(struct kv_protocol *protocol, struct kv_span words)
{
    (void)words;
    kv_engine_ponderhit(protocol->engine);
}
