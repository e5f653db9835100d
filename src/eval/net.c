/* The network: inputs, two layers, one number. */
#include "eval/net.h"

#include <string.h>

#include "board/movegen.h"
#include "eval/eval.h"

/* classic.kvn as an array (tools/embed.c): for each input a weight a unit of the first layer, the units'
 * biases; then by phase: for each unit of the second layer its weights, the units' biases, the weights of
 * the result, its bias. */
extern const int16_t kv_net_numbers[];

/* The way a line is held, from its points that are the mover's and the other's, three bits each: a number
 * to base 3, the lowest point first. */
static int line_state(uint32_t own, uint32_t other)
{
    static const uint8_t spread[8] = {0, 9, 3, 12, 1, 10, 4, 13};
    return spread[own] + 2 * spread[other];
}

void kv_net_inputs(const struct kv_position *position, uint16_t inputs[KV_NET_ACTIVE])
{
    const struct kv_board *board = kv_boards[0];
    int side = position->side, count = 0;
    uint32_t own = position->stones[side], other = position->stones[side ^ 1];
    uint32_t empty = board->all & ~(own | other);
    for (int m = 0; m < 16; m++) {
        uint32_t line = board->mill_points[m];
        inputs[count++] = (uint16_t)(m * 27 + line_state(kv_compress(own, line), kv_compress(other, line)));
    }
    for (int p = 0; p < 24; p++) {
        int holder = (int)(own >> p & 1) + 2 * (int)(other >> p & 1);
        inputs[count++] =
            (uint16_t)(KV_NET_LINES + p * 15 + holder * 5 + kv_popcount(board->neighbours[p] & empty));
    }
    for (int i = 0; i < 2; i++)
        inputs[count++] = (uint16_t)(KV_NET_LINES + KV_NET_POINTS + i * 10 + position->hand[side ^ i]);
    for (int i = 0; i < 2; i++)
        inputs[count++] = (uint16_t)(KV_NET_LINES + KV_NET_POINTS + KV_NET_HANDS + i * 2 +
                                     kv_flies(&kv_classic_rules, position, side ^ i));
}

int kv_net_phase(const struct kv_position *position)
{
    static const uint8_t by_stones[19] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 3, 3, 4, 4, 4};
    static const uint8_t by_hands[19] = {0, 5, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 11, 11, 11, 11, 11, 11};
    int hands = position->hand[0] + position->hand[1];
    int white = kv_popcount(position->stones[0]), black = kv_popcount(position->stones[1]);
    if (hands > 0)
        return by_hands[hands];
    return white == 3 || black == 3 ? 0 : by_stones[white + black];
}

/* Several numbers at once, as many as the machine has room for. */
#if defined(__AVX512BW__)
enum { LANES = 32 };
#elif defined(__AVX2__)
enum { LANES = 16 };
#else
enum { LANES = 8 };
#endif
typedef int16_t lanes __attribute__((vector_size(2 * LANES)));
enum { FIRST_LANES = KV_NET_FIRST / LANES };

static inline lanes load(const int16_t *numbers)
{
    lanes value;
    memcpy(&value, numbers, sizeof value);
    return value;
}

static void first_layer(const uint16_t inputs[KV_NET_ACTIVE], int16_t first[KV_NET_FIRST])
{
    const int16_t *biases = kv_net_numbers + KV_NET_INPUTS * KV_NET_FIRST;
    const lanes zero = {0}, one = zero + KV_NET_ONE;
    lanes sums[FIRST_LANES];
    for (int part = 0; part < FIRST_LANES; part++)
        sums[part] = load(biases + part * LANES);
    for (int i = 0; i < KV_NET_ACTIVE; i++)
        for (int part = 0; part < FIRST_LANES; part++)
            sums[part] += load(kv_net_numbers + inputs[i] * KV_NET_FIRST + part * LANES);
    for (int part = 0; part < FIRST_LANES; part++) {
        lanes sum = sums[part] >> KV_NET_SUM_SHIFT, above = sum > one;
        sum &= sum > zero;
        sum = (sum & ~above) | (one & above);
        memcpy(first + part * LANES, &sum, sizeof sum);
    }
}

int kv_net_score(const struct kv_position *position)
{
    const int16_t *weights =
        kv_net_numbers + (KV_NET_INPUTS + 1) * KV_NET_FIRST + kv_net_phase(position) * KV_NET_PHASE_SIZE;
    const int16_t *biases = weights + KV_NET_SECOND * KV_NET_FIRST, *result = biases + KV_NET_SECOND;
    uint16_t inputs[KV_NET_ACTIVE];
    int16_t first[KV_NET_FIRST];
    kv_net_inputs(position, inputs);
    first_layer(inputs, first);
    int32_t sum = result[KV_NET_SECOND] * KV_NET_ONE;
    for (int unit = 0; unit < KV_NET_SECOND; unit++) {
        int32_t second = 0;
        for (int i = 0; i < KV_NET_FIRST; i++)
            second += weights[unit * KV_NET_FIRST + i] * first[i];
        second = (second + biases[unit] * KV_NET_ONE) >> KV_NET_SECOND_SHIFT;
        sum += result[unit] * (second < 0 ? 0 : second > KV_NET_ONE ? KV_NET_ONE : second);
    }
    int score = sum / (KV_NET_RESULT_ONE * KV_NET_ONE / KV_NET_CENTISTONES);
    return score > KV_EVAL_MAX ? KV_EVAL_MAX : score < -KV_EVAL_MAX ? -KV_EVAL_MAX : score;
}
