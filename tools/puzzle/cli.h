/* What the commands of kvern-puzzle share: options, files, exit codes, Ctrl-C, progress. */
#ifndef PUZZLE_CLI_H
#define PUZZLE_CLI_H

#include <argp.h>
#include <stdatomic.h>

#include <cjson/cJSON.h>

#include "base/buffer.h"
#include "puzzle/judge.h"

enum puzzle_exit {
    PUZZLE_EXIT_OK = 0,
    PUZZLE_EXIT_WRONG = 1,  /* an expected answer is wrong; or fewer puzzles were made than asked for */
    PUZZLE_EXIT_USAGE = 2,  /* bad arguments */
    PUZZLE_EXIT_INPUT = 3,  /* input that cannot be read as what it should be */
    PUZZLE_EXIT_SYSTEM = 4, /* memory, files */
    PUZZLE_EXIT_OPEN = 5,   /* nothing wrong, but something could not be proven */
    PUZZLE_EXIT_STOPPED = 130,
};

struct puzzle_cli {
    struct kv_rules rules;
    struct puzzle_limits limits;
    size_t hash_mb;
    bool no_tables, json, quiet;
    const char *output;     /* NULL = standard output */
    const char *table_path; /* NULL = none but those built in */
    struct kv_tablebase *tablebase;
    struct puzzle_judge *judge;
};

/* Options of every command (--variant, --rule, -o, --json ...), and those of commands that judge
 * (--nodes, --plies ...). The parsers' input is the struct puzzle_cli. */
extern const struct argp puzzle_common_argp, puzzle_judge_argp;

/* Defaults. */
void puzzle_cli_init(struct puzzle_cli *cli);
/* Makes tables (waits for them) and judge. An exit code. */
int puzzle_cli_open(struct puzzle_cli *cli);
void puzzle_cli_finish(struct puzzle_cli *cli);

/* Set by SIGINT and SIGTERM. */
extern atomic_bool puzzle_stopped;
void puzzle_catch_signals(void);

/* A whole file, "-" = standard input, into an empty buffer. An exit code; complains by itself. */
int puzzle_read_file(const char *path, struct kv_buffer *content);
/* Writes to the output file or standard output. An exit code; complains by itself. */
int puzzle_write_output(const struct puzzle_cli *cli, const struct kv_buffer *content);

/* A line on standard error that replaces the last one; only when that is a terminal. */
void puzzle_progress(const struct puzzle_cli *cli, const char *format, ...) KV_PRINTF(2, 3);
void puzzle_progress_end(const struct puzzle_cli *cli);
/* "kvern-puzzle: ..." on standard error; returns `code`. */
int puzzle_complain(int code, const char *format, ...) KV_PRINTF(2, 3);

/* A position from text: a position text, or "startpos". As kv_position_read. */
int puzzle_position_read(const struct kv_rules *rules, const char *text, size_t length,
                         struct kv_position *position, struct kv_error *error);

/* ---- JSON --------------------------------------------------------------------------------------- */

/* value, at_least, at_most, plies, known, no_win_within, no_loss_within. */
void puzzle_json_verdict(cJSON *object, const struct puzzle_verdict *verdict);
cJSON *puzzle_json_moves(const struct kv_rules *rules, const kv_move *moves, int count);
void puzzle_json_position(cJSON *object, const struct kv_rules *rules, const struct kv_position *position);
/* Adds the value in one line and deletes it; NULL marks the buffer as failed. */
void puzzle_json_line(struct kv_buffer *out, cJSON *value);

/* ---- Commands: argc and argv begin with the command; exit codes ---------------------------------- */

int puzzle_solve(int argc, char **argv);
int puzzle_annotate(int argc, char **argv);
int puzzle_make(int argc, char **argv);
int puzzle_draw(int argc, char **argv);

#endif
