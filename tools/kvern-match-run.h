/* Plays a match: several games at a time, results to files and standard output. */
#ifndef KVERN_MATCH_RUN_H
#define KVERN_MATCH_RUN_H

#include "kvern-match-config.h"

/* Exit codes of the program. */
enum {
    MATCH_EXIT_GOOD = 0,   /* all games are played, or H1 was accepted */
    MATCH_EXIT_FAILED = 1, /* a file could not be read or written, or memory was short */
    MATCH_EXIT_USAGE = 2,
    MATCH_EXIT_H0 = 3,
    MATCH_EXIT_UNDECIDED = 4, /* the games ran out before the SPRT came to an end */
    MATCH_EXIT_SIGNAL = 128,  /* + its number */
};

/* Plays what is not played yet. Returns the exit code; errors are told on standard error. */
int match_run(const struct match_config *config);

/* Adds up state files of the same match. `output` (may be NULL) gets a state file of them all, if they have
 * the same seed. */
int match_merge(char *const *files, int count, const struct match_sprt *sprt, bool trinomial, bool json,
                const char *output);

#endif
