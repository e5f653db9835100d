/* The search for the classic rules: every question about the rules is answered at compile time. */
#include <string.h>

#include "base/random.h"
#include "eval/net.h"
#include "search/node.h"

#define NODE(name) name##_classic
#define RULES(worker) ((void)(worker), &kv_classic_rules)
#define SCORE(worker, position) ((void)(worker), kv_net_score(position))
#include "search/node_body.h"
