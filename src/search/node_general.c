/* The search for any other rules. */
#ifndef KV_NO_FORCED_INLINING
#define KV_NO_FORCED_INLINING
#endif
#include <string.h>

#include "base/random.h"
#include "eval/evaluate.h"
#include "search/node.h"

#define NODE(name) name##_general
#define RULES(worker) ((worker)->shared->rules)
#define SCORE(worker, position) kv_evaluate_for(RULES(worker), position)
#include "search/node_body.h"
