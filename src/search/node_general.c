/* The search for any other rules. */
#include <string.h>

#include "base/random.h"
#include "eval/evaluate.h"
#include "search/node.h"

#define NODE(name) name##_general
#define RULES(worker) ((worker)->shared->rules)
#include "search/node_body.h"
