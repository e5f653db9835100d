/* The command table, and the helpers of the files its rows point to. */
#include <stdarg.h>
#include <string.h>

#include "protocol/session.h"

static void kv_command_nothing(struct kv_protocol *protocol, struct kv_span words)
{
    (void)protocol;
    (void)words;
}

enum { IDLE = KV_COMMAND_IDLE, NOW = KV_COMMAND_NOW, WORDS = KV_COMMAND_WORDS };

static const struct kv_command commands[] = {
    {"uci", kv_command_uci, 0, "", "name, options and uciok; from now on in the manner of UCI"},
    {"ugi", kv_command_ugi, 0, "", "name, options and ugiok; from now on in the manner of UGI"},
    {"isready", kv_command_isready, NOW, "", "readyok, also during a search"},
    {"setoption", kv_command_setoption, WORDS, "name N [value V]", "sets an option; see help options"},
    {"ucinewgame", kv_command_newgame, 0, "", "forgets the hash table and the game"},
    {"uginewgame", kv_command_newgame, 0, "", "the same"},
    {"position", kv_command_position, WORDS, "startpos|fen F [moves M...]", "sets the game, all or nothing"},
    {"go", kv_command_go, IDLE | WORDS,
     "[depth N] [nodes N] [movetime MS] [mate N] [wtime MS btime MS winc MS binc MS movestogo N] "
     "[p1time MS p2time MS p1inc MS p2inc MS] [infinite] [ponder] [searchmoves M...] | perft N",
     "searches and answers one bestmove"},
    {"stop", kv_command_stop, NOW, "", "ends the search, which answers"},
    {"ponderhit", kv_command_ponderhit, NOW, "", "the move pondered on was played"},
    {"quit", kv_command_quit, NOW, "", "ends the program"},
    {"query", kv_command_query, WORDS, "p1turn|gameover|result", "one fact about the game"},
    {"d", kv_command_d, 0, "", "shows the position"},
    {"state", kv_command_state, 0, "", "everything a front end has to know, as one line of JSON"},
    {"moves", kv_command_moves, 0, "", "the legal moves on one line"},
    {"eval", kv_command_eval, 0, "", "the static score, term by term"},
    {"probe", kv_command_probe, 0, "", "the exact value of the position and of each move"},
    {"perft", kv_command_perft, IDLE | WORDS, "N", "counts the move sequences of N turns"},
    {"bench", kv_command_bench, IDLE | WORDS, "[DEPTH]", "searches a fixed list of positions"},
    {"compiler", kv_command_compiler, 0, "", "how this program was built"},
    {"help", kv_command_help, WORDS, "[options]", "this list, or the options as a table"},
    {"#", kv_command_nothing, WORDS, "...", "a comment; blank lines are ignored too"},
};

enum { COMMANDS = sizeof commands / sizeof *commands };

const struct kv_command *kv_command_find(struct kv_span name)
{
    for (int i = 0; i < COMMANDS; i++)
        if (kv_span_is(name, commands[i].name))
            return &commands[i];
    return NULL;
}

static void list_options(struct kv_protocol *protocol)
{
    static const char *const types[] = {"check", "spin", "combo", "string", "button"};
    kv_buffer_text(&protocol->answer,
                   "| option | type | default | values | meaning |\n|---|---|---|---|---|\n");
    for (int row = 0; row < kv_option_count(); row++) {
        struct kv_option option;
        kv_option_row(row, &option);
        kv_buffer_format(&protocol->answer, "| `%s` | %s | %s | ", option.name, types[option.type],
                         option.standard);
        if (option.type == KV_OPTION_SPIN)
            kv_buffer_format(&protocol->answer, "%lld to %lld", (long long)option.low,
                             (long long)option.high);
        else if (option.type == KV_OPTION_CHECK)
            kv_buffer_text(&protocol->answer, "true, false");
        for (int i = 0; option.choices[i]; i++)
            kv_buffer_format(&protocol->answer, "%s%s", i ? ", " : "", option.choices[i]);
        kv_buffer_format(&protocol->answer, " | %s |\n", option.help);
    }
}

void kv_command_help(struct kv_protocol *protocol, struct kv_span words)
{
    struct kv_span topic = kv_span_token(&words);
    if (kv_span_is(topic, "options")) {
        list_options(protocol);
        return;
    }
    for (int i = 0; i < COMMANDS; i++) {
        const struct kv_command *row = &commands[i];
        kv_answer(protocol, "%s%s%s  -  %s", row->name, row->words[0] ? " " : "", row->words, row->help);
    }
    kv_answer_scoring_help(protocol);
}

/* ---- Answering -------------------------------------------------------------------------------- */

void kv_answer(struct kv_protocol *protocol, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    kv_buffer_vformat(&protocol->answer, format, arguments);
    va_end(arguments);
    kv_buffer_text(&protocol->answer, "\n");
}

void kv_answer_error(struct kv_protocol *protocol, const char *format, ...)
{
    va_list arguments;
    kv_buffer_text(&protocol->answer, "info string error ");
    va_start(arguments, format);
    kv_buffer_vformat(&protocol->answer, format, arguments);
    va_end(arguments);
    kv_buffer_text(&protocol->answer, "\n");
    protocol->errors++;
}

const struct kv_game *kv_answer_game(struct kv_protocol *protocol, const char *name)
{
    const struct kv_game *game = kv_engine_game(protocol->engine);
    if (!game)
        kv_answer_error(protocol, "%s: no position is set", name);
    return game;
}

void kv_protocol_busy(struct kv_protocol *protocol, bool begins)
{
    if (protocol->config.busy)
        protocol->config.busy(protocol->config.user, begins);
    if (!begins)
        protocol->not_before_ns = kv_engine_clock();
}

/* ---- Names ------------------------------------------------------------------------------------ */

const char *kv_side_name(int side)
{
    return side == KV_WHITE ? "white" : "black";
}

int kv_game_moves(const struct kv_game *game, kv_move moves[KV_MOVES_MAX])
{
    return kv_game_result(game, NULL) == KV_ONGOING ? kv_moves(&game->rules, &game->position, moves) : 0;
}
