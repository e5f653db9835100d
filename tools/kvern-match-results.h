/* The results of a match: in memory, and in a state file that loses no finished game.
 *
 * A state file is lines of JSON: the first describes the match, every other is the record of a finished
 * game. It only grows, a line a game, so whatever a crash cuts off is at most the last line, which is
 * dropped when the file is read.
 */
#ifndef KVERN_MATCH_RESULTS_H
#define KVERN_MATCH_RESULTS_H

#include <cjson/cJSON.h>

#include "kvern-match-game.h"

/* Games are numbered from 0: number / 2 is a pair, pair % pairings is who meets whom, pair / pairings the
 * round, which tells the opening. In even games the pairing's first player is white. */
struct match_game {
    bool done, running;
    uint8_t result, ending; /* enum kv_result, enum match_ending */
};

struct match_results {
    int pairings;
    struct match_game *games;
    int count; /* 2 * pairings * rounds */
};

struct match_header {
    char *settings; /* everything that must be the same for results to be added up */
    char *names[MATCH_ENGINES_MAX];
    int name_count;
    enum match_mode mode;
    uint64_t seed;
    int rounds;
};

/* KV_E_MEMORY. A zeroed one may be finished. */
int match_results_init(struct match_results *results, int pairings, int rounds);
void match_results_finish(struct match_results *results);
/* Makes room for so many rounds. KV_E_MEMORY. */
int match_results_extend(struct match_results *results, int rounds);

/* Adds one pairing, seen by its first player, to `tally`. Pairs count when both games are done. */
void match_results_tally(const struct match_results *results, int pairing, struct match_tally *tally);

/* Describes the configuration. KV_E_MEMORY, or what the file of openings had wrong, with a line. */
int match_header_make(const struct match_config *config, struct match_header *header, struct kv_error *error);
void match_header_finish(struct match_header *header);
void match_header_write(const struct match_header *header, struct kv_buffer *out);

/* Adds `root` as one line of JSON and frees it; NULL, or too little memory, makes the buffer fail. */
void match_json_line(cJSON *root, struct kv_buffer *out);

/* Reads a state file. `header` and `results` are not initialised before; the results have room for the
 * rounds of the header. `*whole` is the number of bytes up to the end of the last whole line. `each` (may be
 * NULL) sees every record. KV_E_NOT_FOUND when there is no file or nothing in it, KV_E_DAMAGED. */
int match_state_read(const char *path, struct match_header *header, struct match_results *results,
                     size_t *whole, void (*each)(void *user, const struct kv_record *record), void *user,
                     struct kv_error *error);

#endif
