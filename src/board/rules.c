/* The rules as data: one row a variant, one row a house rule. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/span.h"
#include "kvern/position.h"

const struct kv_variant kv_variants[] = {
    {.name = "nine", .board = 0, .stones = 9, .flying = true},
};
const int kv_variant_count = sizeof kv_variants / sizeof *kv_variants;

static const char *const protections[] = {"unless-all", "always", "never", NULL};
static const char *const doubles[] = {"one", "two", NULL};
static const char *const recloses[] = {"allowed", "not-twice", "not-at-once", NULL};
static const char *const sides[] = {"white", "black", NULL};

#define FIELD(name) offsetof(struct kv_rules, name), sizeof(((struct kv_rules *)0)->name)

const struct kv_rule kv_rule_table[] = {
    {"Flying", KV_RULE_BOOL, NULL, 0, 1,
     "A side with exactly three stones and none in hand may move a stone to any empty point.", FIELD(flying)},
    {"MillProtection", KV_RULE_CHOICE, protections, 0, 0,
     "Whether stones in mills may be taken: unless-all = only when every stone of that side stands in a "
     "mill; always protected = a mill closed with nothing to take takes nothing; never protected.",
     FIELD(mill_protection)},
    {"DoubleMill", KV_RULE_CHOICE, doubles, 0, 0,
     "How many stones a move takes that closes two mills at once.", FIELD(double_mill)},
    {"RecloseMill", KV_RULE_CHOICE, recloses, 0, 0,
     "not-twice: a side's next mill may not be the line of its last one; not-at-once: a stone that just left "
     "a mill may not return on its side's next turn to close it.",
     FIELD(reclose_mill)},
    {"FirstMove", KV_RULE_CHOICE, sides, 0, 0, "The side that places first from the start position.",
     FIELD(first_move)},
    {"Repetition", KV_RULE_NUMBER, NULL, 0, 1000,
     "The occurrence of a position that makes the game a draw; 0 = never.", FIELD(repetition)},
    {"NoCaptureLimit", KV_RULE_NUMBER, NULL, 0, 10000,
     "Plies of the moving phase without a capture after which the game is a draw; 0 = no limit.",
     FIELD(no_capture_limit)},
};
const int kv_rule_count = sizeof kv_rule_table / sizeof *kv_rule_table;

void kv_rules_init(struct kv_rules *rules, int variant)
{
    const struct kv_variant *row = &kv_variants[variant];
    *rules = (struct kv_rules){
        .variant = (uint8_t)variant,
        .board = row->board,
        .stones = row->stones,
        .flying = row->flying,
        .repetition = 3,
    };
}

bool kv_rules_are_classic(const struct kv_rules *rules)
{
    return rules->board == 0 && rules->stones == 9 && rules->flying &&
           rules->mill_protection == KV_PROTECT_UNLESS_ALL && rules->double_mill == KV_DOUBLE_ONE &&
           rules->reclose_mill == KV_RECLOSE_ALLOWED;
}

const struct kv_rule *kv_rule_find(const char *name, size_t length)
{
    for (int i = 0; i < kv_rule_count; i++)
        if (kv_span_is_nocase((struct kv_span){name, length}, kv_rule_table[i].name))
            return &kv_rule_table[i];
    return NULL;
}

int kv_rule_value(const struct kv_rules *rules, const struct kv_rule *rule)
{
    const uint8_t *field = (const uint8_t *)rules + rule->offset;
    if (rule->size == 1)
        return *field;
    uint16_t wide;
    memcpy(&wide, field, sizeof wide);
    return wide;
}

static void store(struct kv_rules *rules, const struct kv_rule *rule, int value)
{
    uint8_t *field = (uint8_t *)rules + rule->offset;
    uint16_t wide = (uint16_t)value;
    if (rule->size == 1)
        *field = (uint8_t)value;
    else
        memcpy(field, &wide, sizeof wide);
}

const char *kv_rule_text(const struct kv_rules *rules, const struct kv_rule *rule, char buffer[24])
{
    int value = kv_rule_value(rules, rule);
    switch (rule->kind) {
    case KV_RULE_BOOL: snprintf(buffer, 24, "%s", value ? "true" : "false"); break;
    case KV_RULE_CHOICE: snprintf(buffer, 24, "%s", rule->choices[value]); break;
    case KV_RULE_NUMBER: snprintf(buffer, 24, "%d", value); break;
    }
    return buffer;
}

static int choice_of(const struct kv_rule *rule, struct kv_span text, int *value, struct kv_error *error)
{
    char allowed[128] = "", shown[32];
    for (int i = 0; rule->choices[i]; i++) {
        if (kv_span_is_nocase(text, rule->choices[i])) {
            *value = i;
            return KV_OK;
        }
        size_t used = strlen(allowed);
        snprintf(allowed + used, sizeof allowed - used, "%s%s", i ? ", " : "", rule->choices[i]);
    }
    return kv_fail(error, KV_E_RANGE, "%s: '%s' is not one of %s", rule->name,
                   kv_span_show(text, shown, sizeof shown), allowed);
}

int kv_rule_set(struct kv_rules *rules, const struct kv_rule *rule, const char *value, size_t length,
                struct kv_error *error)
{
    struct kv_span text = {value, length};
    char shown[32];
    int chosen = 0;
    int64_t number;
    switch (rule->kind) {
    case KV_RULE_BOOL:
        if (kv_span_is_nocase(text, "true"))
            chosen = 1;
        else if (!kv_span_is_nocase(text, "false"))
            return kv_fail(error, KV_E_RANGE, "%s: '%s' is neither true nor false", rule->name,
                           kv_span_show(text, shown, sizeof shown));
        break;
    case KV_RULE_CHOICE: {
        int status = choice_of(rule, text, &chosen, error);
        if (status)
            return status;
        break;
    }
    case KV_RULE_NUMBER: {
        int status = kv_span_int(text, rule->low, rule->high, &number);
        if (status)
            return kv_fail(error, status, "%s: '%s' is not a whole number from %d to %d", rule->name,
                           kv_span_show(text, shown, sizeof shown), rule->low, rule->high);
        chosen = (int)number;
        break;
    }
    }
    store(rules, rule, chosen);
    return KV_OK;
}

int kv_variant_find(const char *name, size_t length, struct kv_error *error)
{
    char known[128] = "", shown[32];
    for (int i = 0; i < kv_variant_count; i++) {
        if (kv_span_is_nocase((struct kv_span){name, length}, kv_variants[i].name))
            return i;
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "", kv_variants[i].name);
    }
    return kv_fail(error, KV_E_NOT_FOUND, "unknown variant '%s' (known: %s)",
                   kv_span_show((struct kv_span){name, length}, shown, sizeof shown), known);
}
