/* Palet: the state of a match. */
#ifndef KV_SCORING_PALET_H
#define KV_SCORING_PALET_H

#include "scoring/module.h"

/* Points for the queen, and for every other side when one loses the round. */
enum { KV_PALET_BONUS = 5 };

enum kv_palet_queen { KV_QUEEN_BOARD, KV_QUEEN_PENDING, KV_QUEEN_OUT };

struct kv_palet_side {
    int64_t in;   /* discs out of play, of `discs` */
    int64_t debt; /* discs that go back as soon as they are pocketed; only while `in` is 0 */
    int64_t total;
    size_t turns;
};

struct kv_palet {
    const struct kv_card_setup *setup;
    int64_t discs, goal;
    size_t turn, starter, round, cycle; /* cycle: how often the turn has come back to the starter */
    enum kv_palet_queen queen;
    size_t queen_side; /* whose it is, PENDING or OUT */
    int64_t shots;
    bool over;
    struct kv_palet_side sides[];
};

/* An input of palet as numbers: these, then pairs of an opponent and how many of its discs. */
enum { KV_PALET_OWN, KV_PALET_QUEEN, KV_PALET_STRIKER, KV_PALET_OTHERS };

/* Reads the letters of a stroke; only what can be, in the state as it is, is let through. */
int kv_palet_read(const void *state, struct kv_span verb, struct kv_span rest, struct kv_card_input *input,
                  struct kv_error *error);
void kv_palet_write_stroke(const struct kv_card_setup *setup, const struct kv_card_input *input,
                           struct kv_buffer *out);

int kv_palet_advice(const void *state, struct kv_span rest, struct kv_buffer *out, struct kv_error *error);

/* The discs of all sides but one that are still to be pocketed. */
int64_t kv_palet_left_to_others(const struct kv_palet *game, size_t side);

#endif
