/* The static score of the classic game: a small network of integers, taught by positions whose value the
 * solved game gives (README.md of this room). Compare eval.h, whose named terms explain a position and
 * score every other set of rules.
 */
#ifndef KV_EVAL_NET_H
#define KV_EVAL_NET_H

#include "kvern/position.h"

/* Inputs, all seen by the side to move; each group has exactly one active input for each of its members:
 *   16 lines      the 27 ways in which a line's three points are held
 *   24 points     held by whom, and how many empty neighbours
 *   2 hands       stones in hand
 *   2 sides       flying or not */
enum {
    KV_NET_LINES = 16 * 27,
    KV_NET_POINTS = 24 * 15,
    KV_NET_HANDS = 2 * 10,
    KV_NET_FLYING = 2 * 2,
    KV_NET_INPUTS = KV_NET_LINES + KV_NET_POINTS + KV_NET_HANDS + KV_NET_FLYING,
    KV_NET_ACTIVE = 16 + 24 + 2 + 2,
    KV_NET_FIRST = 128, /* units of the first layer */
    KV_NET_SECOND = 16, /* units of the second layer, which has other weights in each phase */
    KV_NET_PHASES = 12,
    /* numbers of the network: see net.c for their order */
    KV_NET_PHASE_SIZE = KV_NET_SECOND * (KV_NET_FIRST + 2) + 1,
    KV_NET_SIZE = (KV_NET_INPUTS + 1) * KV_NET_FIRST + KV_NET_PHASES * KV_NET_PHASE_SIZE,
};

/* An activation of 1 is the number KV_NET_ONE; sums of the first layer count it as KV_NET_ONE <<
 * KV_NET_SUM_SHIFT, weights of the second layer as 1 << KV_NET_SECOND_SHIFT, weights of the result as
 * KV_NET_RESULT_ONE; a result of 1 is so many hundredths of a stone. */
enum {
    KV_NET_ONE = 127,
    KV_NET_SUM_SHIFT = 2,
    KV_NET_SECOND_SHIFT = 6,
    KV_NET_RESULT_ONE = 256,
    KV_NET_CENTISTONES = 90,
};

/* The odds of the result o that the network was taught: a win has the probability sigmoid(o - 2), a loss
 * sigmoid(-o - 2), a draw the rest. */
enum { KV_NET_MARGIN = 2 };

/* The active inputs of a position of the classic game in which nothing is due. */
void kv_net_inputs(const struct kv_position *position, uint16_t inputs[KV_NET_ACTIVE]);
/* Which of the second layers is asked: by flying, stones on the board, stones in hand. */
int kv_net_phase(const struct kv_position *position);

/* The score for the side to move in hundredths of a stone, within +-KV_EVAL_MAX. KV_NET_MARGIN *
 * KV_NET_CENTISTONES is where a win becomes more likely than not. */
int kv_net_score(const struct kv_position *position);

#endif
