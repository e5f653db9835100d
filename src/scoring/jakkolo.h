/* Jakkolo: the state of a match, and the arithmetic of the gates. */
#ifndef KV_SCORING_JAKKOLO_H
#define KV_SCORING_JAKKOLO_H

#include "scoring/module.h"

enum { KV_JAKKOLO_GATES = 4, KV_JAKKOLO_ATTEMPTS = 3 };

extern const int kv_jakkolo_values[KV_JAKKOLO_GATES]; /* in board order, left to right */

struct kv_jakkolo_side {
    int64_t gates[KV_JAKKOLO_GATES]; /* discs in them, over all attempts of this game */
    int64_t past;                    /* points of the games before */
    size_t turns;                    /* attempts and bonus throws in the match */
};

struct kv_jakkolo {
    const struct kv_card_setup *setup;
    int64_t discs, games;
    size_t turn, game, attempt; /* all from 0 */
    int64_t due;                /* bonus discs to be thrown now */
    bool over;
    struct kv_jakkolo_side sides[];
};

/* 20 for each complete set of four and the face value of the rest: 2a + 3b + 4c + d + 10 min. */
int64_t kv_jakkolo_score(const int64_t gates[KV_JAKKOLO_GATES]);

/* The best score with at most `discs` more; `best` (may be NULL) becomes gates that have it. */
int64_t kv_jakkolo_best(const int64_t gates[KV_JAKKOLO_GATES], int64_t discs, int64_t best[KV_JAKKOLO_GATES]);

/* Bonus discs that would be due if the side to play had the last of its discs in, on `gates`, with
 * the attempt it is at. */
int64_t kv_jakkolo_bonus(const struct kv_jakkolo *game, const int64_t gates[KV_JAKKOLO_GATES]);

/* Discs the side to play has to throw now. */
int64_t kv_jakkolo_in_hand(const struct kv_jakkolo *game);

int kv_jakkolo_advice(const void *state, struct kv_span rest, struct kv_buffer *out, struct kv_error *error);

#endif
