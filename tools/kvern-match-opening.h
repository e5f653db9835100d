/* Where the games of a match begin. */
#ifndef KVERN_MATCH_OPENING_H
#define KVERN_MATCH_OPENING_H

#include "kvern-match-config.h"
#include "kvern-match-table.h"

struct match_opening {
    struct kv_position start;
    kv_move *moves; /* played before the players are asked */
    size_t count;
};

struct match_openings {
    struct match_opening *list; /* from a file; NULL = none or random ones */
    size_t count;
};

/* Reads the file that the configuration names, if any: a line each, a position text, or moves, or a position
 * text, the word `moves` and moves; blank lines and those that begin with '#' are skipped. Errors name the
 * line. */
int match_openings_load(const struct match_config *config, struct match_openings *openings,
                        struct kv_error *error);
void match_openings_finish(struct match_openings *openings);

/* An uninitialised game becomes the opening of a round: the same for the same configuration. Random ones are
 * not over, and not decided as far as the table can tell. KV_E_MEMORY; KV_E_NOT_FOUND when no random opening
 * would do. */
int match_opening_set(const struct match_config *config, const struct match_openings *openings,
                      struct match_table *table, int round, struct kv_game *game);

#endif
