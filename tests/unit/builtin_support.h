/* The built-in endgames, computed and asked, for tests. Include it after cmocka.h. */
#ifndef BUILTIN_SUPPORT_H
#define BUILTIN_SUPPORT_H

#include "tablebase/tablebase.h"

static inline struct kv_tablebase *solved(const struct kv_rules *rules)
{
    struct kv_tablebase *tablebase;
    assert_int_equal(kv_tablebase_create(&tablebase, rules), KV_OK);
    kv_tablebase_want(tablebase);
    assert_true(kv_tablebase_wait(tablebase, INT64_MAX));
    return tablebase;
}

static inline struct kv_value probed(struct kv_tablebase *tablebase, const struct kv_position *position)
{
    struct kv_value value;
    assert_int_equal(kv_tablebase_probe(tablebase, position, &value), KV_OK);
    return value;
}

#endif
