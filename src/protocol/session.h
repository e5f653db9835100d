/* The inside of struct kv_protocol and what the command files share. */
#ifndef KV_PROTOCOL_SESSION_H
#define KV_PROTOCOL_SESSION_H

#include "base/buffer.h"
#include "base/span.h"
#include "kvern/scoring.h"
#include "protocol/protocol.h"
#include "protocol/writer.h"

/* What the lines of a running search need to know; set before it starts, then its thread's. */
struct kv_searching {
    struct kv_rules rules;
    struct kv_position root;
    struct kv_engine_display display;
    bool ugi;
    bool reported; /* a line with a score was written */
    int64_t start_ns;
    struct kv_buffer line;
};

/* Split Captures: the captures of the last answer, each to be given when its position comes. */
struct kv_split {
    int count;
    struct kv_position positions[2];
    kv_move captures[2];
};

struct kv_waiting_line {
    struct kv_waiting_line *next;
    size_t length;
    char text[];
};

struct kv_protocol {
    struct kv_protocol_config config;
    struct kv_engine *engine;
    struct kv_writer writer;
    struct kv_buffer answer; /* of the command under way */
    bool ugi, quit;
    unsigned errors;
    int64_t received_ns;   /* of the line under way */
    int64_t not_before_ns; /* work that held up the reading ended then */
    struct kv_waiting_line *backlog, **backlog_end;
    struct kv_searching searching;
    struct kv_split split;
    struct kv_scoring *scoring; /* made with the first line for it */
};

enum kv_command_flags {
    KV_COMMAND_IDLE = 1,  /* waits for a search that ends by itself, refused during another */
    KV_COMMAND_NOW = 2,   /* never waits behind other lines */
    KV_COMMAND_WORDS = 4, /* takes words */
};

/* One row a command. */
struct kv_command {
    const char *name;
    void (*run)(struct kv_protocol *protocol, struct kv_span words);
    unsigned flags;
    const char *words, *help;
};

/* commands.c: the row of that name, or NULL. */
const struct kv_command *kv_command_find(struct kv_span name);

/* Adds a line to the answer. */
void kv_answer(struct kv_protocol *protocol, const char *format, ...) KV_PRINTF(2, 3);
/* Adds "info string error …" to the answer. */
void kv_answer_error(struct kv_protocol *protocol, const char *format, ...) KV_PRINTF(2, 3);
/* The game under way; when none is set, says so for the command `name` and returns NULL. */
const struct kv_game *kv_answer_game(struct kv_protocol *protocol, const char *name);
/* Tells the front end of work that cannot be stopped half-way. */
void kv_protocol_busy(struct kv_protocol *protocol, bool begins);

/* The commands, by the file that holds them. */

/* session.c */
void kv_command_uci(struct kv_protocol *protocol, struct kv_span words);
void kv_command_ugi(struct kv_protocol *protocol, struct kv_span words);
void kv_command_isready(struct kv_protocol *protocol, struct kv_span words);
void kv_command_setoption(struct kv_protocol *protocol, struct kv_span words);
void kv_command_newgame(struct kv_protocol *protocol, struct kv_span words);
void kv_command_help(struct kv_protocol *protocol, struct kv_span words);
void kv_command_compiler(struct kv_protocol *protocol, struct kv_span words);
void kv_command_quit(struct kv_protocol *protocol, struct kv_span words);
/* position.c */
void kv_command_position(struct kv_protocol *protocol, struct kv_span words);
/* go.c */
void kv_command_go(struct kv_protocol *protocol, struct kv_span words);
void kv_command_stop(struct kv_protocol *protocol, struct kv_span words);
void kv_command_ponderhit(struct kv_protocol *protocol, struct kv_span words);
/* board.c */
void kv_command_d(struct kv_protocol *protocol, struct kv_span words);
void kv_command_moves(struct kv_protocol *protocol, struct kv_span words);
void kv_command_eval(struct kv_protocol *protocol, struct kv_span words);
void kv_command_probe(struct kv_protocol *protocol, struct kv_span words);
void kv_command_query(struct kv_protocol *protocol, struct kv_span words);
/* sheets.c: a line for a score sheet; false when it is none. */
bool kv_command_scoring(struct kv_protocol *protocol, struct kv_span name, struct kv_span line);
void kv_answer_scoring_help(struct kv_protocol *protocol);
/* state.c */
void kv_command_state(struct kv_protocol *protocol, struct kv_span words);
/* count.c */
void kv_command_perft(struct kv_protocol *protocol, struct kv_span words);
void kv_command_bench(struct kv_protocol *protocol, struct kv_span words);

/* info.c: the listener of every search. `user` is the protocol. */
void kv_info_report(void *user, const struct kv_search_info *info);
void kv_info_done(void *user, int status, const struct kv_search_result *result);

/* Names of things as several commands write them. */
const char *kv_side_name(int side);
/* The legal moves, none when the game is over; returns their number. */
int kv_game_moves(const struct kv_game *game, kv_move moves[KV_MOVES_MAX]);

#endif
