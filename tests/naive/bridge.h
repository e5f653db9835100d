/* Between the two worlds: turns the engine's rules and positions into the naive ones, by way of point
 * names only. */
#ifndef NAIVE_BRIDGE_H
#define NAIVE_BRIDGE_H

#include "kvern/position.h"
#include "naive.h"

struct naive_rules bridge_rules(const struct kv_rules *rules);
int bridge_point(unsigned point); /* KV_NO_POINT is -1 */
struct naive_position bridge_position(const struct kv_rules *rules, const struct kv_position *position);
/* naive_result's word for a result and its reason. */
const char *bridge_result(enum kv_result result, enum kv_reason reason);

#endif
