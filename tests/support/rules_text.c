#include "rules_text.h"

int rules_text_read(struct kv_span text, struct kv_rules *rules, struct kv_error *error)
{
    kv_rules_init(rules, 0);
    for (struct kv_span word; (word = kv_span_token(&text)).length > 0;) {
        if (kv_span_is(word, "classic"))
            continue;
        size_t name = 0;
        while (name < word.length && word.at[name] != '=')
            name++;
        const struct kv_rule *rule = kv_rule_find(word.at, name);
        if (!rule || name == word.length)
            return kv_fail(error, KV_E_NOT_FOUND, "no rule '%.*s'", (int)word.length, word.at);
        int status = kv_rule_set(rules, rule, word.at + name + 1, word.length - name - 1, error);
        if (status)
            return status;
    }
    return KV_OK;
}
