/* The network in floating point, and as the file of integers that the engine is built with. */
#ifndef TUNE_NET_FILE_H
#define TUNE_NET_FILE_H

#include "eval/net.h"
#include "tune/tune.h"

struct tune_net_phase {
    float second[KV_NET_SECOND][KV_NET_FIRST];
    float second_bias[KV_NET_SECOND], result[KV_NET_SECOND], result_bias; /* in one row */
};

struct tune_net {
    float first[KV_NET_INPUTS][KV_NET_FIRST], first_bias[KV_NET_FIRST];
    struct tune_net_phase phases[KV_NET_PHASES];
};

/* The numbers in the order of src/eval/net.c; false when one does not fit, or a sum might not. */
bool tune_net_round(const struct tune_net *net, int16_t numbers[KV_NET_SIZE]);
/* Aside, then renamed. Complains by itself. */
enum tune_exit tune_net_write(const struct tune_net *net, const char *path);

#endif
