/* One game under the referee. */
#ifndef KVERN_MATCH_GAME_H
#define KVERN_MATCH_GAME_H

#include "kvern-match-engine.h"
#include "kvern-match-table.h"
#include "record/record.h"

/* How games end; the names are those of match_ending_text. */
enum match_ending {
    END_STONES,
    END_BLOCKED,
    END_REPETITION,
    END_NO_CAPTURE,
    END_LENGTH,
    END_AGREED_DRAW,
    END_AGREED_WIN,
    END_TABLE,
    END_CLAIM,
    END_RESIGNED,
    END_ILLEGAL,
    END_NO_MOVE,
    END_BAD_CLAIM,
    END_LATE,
    END_NO_START,
    END_EXIT,
    END_CLOSED,
    END_SILENT,
    END_GARBAGE,
    END_FLOOD,
    END_TWICE,
    MATCH_ENDINGS,
};

/* "too few stones", "illegal move", ... as the tag Termination says it; and back, or MATCH_ENDINGS. */
const char *match_ending_text(enum match_ending ending);
enum match_ending match_ending_find(const char *text);
/* Is it the fault of the loser's program? */
bool match_ending_is_fault(enum match_ending ending);

struct match_outcome {
    enum kv_result result;
    enum match_ending ending;
    struct kv_record record; /* without tags other than Termination */
};

/* Plays on from `game` (its moves become the opening of the record); engines[side] plays that side and is
 * started if need be; one at fault is stopped. `outcome->record` is to be finished by the caller.
 * KV_E_MEMORY; KV_E_NOT_FOUND when interrupted: then there is no outcome. */
int match_game_play(const struct match_config *config, struct match_table *table, struct kv_game *game,
                    struct match_engine *engines[2], const struct match_player *const players[2],
                    struct match_outcome *outcome);

#endif
