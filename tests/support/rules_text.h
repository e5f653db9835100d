/* Rules as a test file writes them: "Flying=false RecloseMill=not-twice"; "classic" or nothing is the
 * classic game. */
#ifndef SUPPORT_RULES_TEXT_H
#define SUPPORT_RULES_TEXT_H

#include "base/span.h"
#include "kvern/position.h"

int rules_text_read(struct kv_span text, struct kv_rules *rules, struct kv_error *error);

#endif
