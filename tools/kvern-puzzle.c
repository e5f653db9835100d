/* kvern-puzzle: solve, annotate, make and draw positions of nine men's morris. */
#include <stdio.h>
#include <string.h>

#include "puzzle/cli.h"

const char *argp_program_version = "kvern-puzzle " KV_VERSION;

static const struct command {
    const char *name;
    int (*run)(int argc, char **argv);
} commands[] = {
    {"solve", puzzle_solve},
    {"annotate", puzzle_annotate},
    {"make", puzzle_make},
    {"diagram", puzzle_draw},
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    switch (key) {
    case ARGP_KEY_ARG: argp_error(state, "'%s' is no command", text); return 0;
    case ARGP_KEY_NO_ARGS: argp_error(state, "which command?"); return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

int main(int argc, char **argv)
{
    static const struct argp argp = {
        .parser = parse,
        .args_doc = "COMMAND ...",
        .doc = "Says what is true of positions and games of nine men's morris, and how it is known."
               "\vCommands:\n"
               "  solve FILE         values, moves and main lines of positions\n"
               "  annotate GAME      a game record with its mistakes explained\n"
               "  make               new puzzles\n"
               "  diagram POSITION   a picture of a board\n\n"
               "'kvern-puzzle COMMAND --help' tells more. Exit codes: 0 all right, 1 a wrong answer, 2 bad "
               "arguments, 3 unreadable input, 4 memory or files, 5 not proven, 130 interrupted."};
    argp_err_exit_status = PUZZLE_EXIT_USAGE;
    puzzle_catch_signals();
    for (size_t i = 0; i < sizeof commands / sizeof *commands && argc > 1; i++)
        if (strcmp(argv[1], commands[i].name) == 0) {
            char name[64];
            snprintf(name, sizeof name, "kvern-puzzle %s", commands[i].name);
            argv[1] = name;
            return commands[i].run(argc - 1, argv + 1);
        }
    argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, NULL);
    return PUZZLE_EXIT_USAGE;
}
