#include "kvern-match-table.h"

#include <stdlib.h>

#include "base/clock.h"
#include "tablebase/tablebase.h"

/* Computing what is known without files takes seconds; this is for the slowest machine. */
static const int64_t wait_ns = 600000000000;

enum { CACHE_MB = 64 };

struct match_table {
    struct kv_tablebase *tablebase;
};

int match_table_open(struct match_table **table, const struct kv_rules *rules, const char *path,
                     struct kv_error *error)
{
    struct match_table *fresh = calloc(1, sizeof *fresh);
    if (!fresh || kv_tablebase_create(&fresh->tablebase, rules) != KV_OK) {
        free(fresh);
        return kv_fail(error, KV_E_MEMORY, "out of memory");
    }
    int count = path ? kv_tablebase_open(fresh->tablebase, path, CACHE_MB, NULL, NULL, error) : 0;
    if (count < 0 || (path && count == 0)) {
        match_table_close(fresh);
        return count < 0 ? count
                         : kv_fail(error, KV_E_NOT_FOUND, "%.200s has no tables for these rules", path);
    }
    kv_tablebase_want(fresh->tablebase);
    kv_tablebase_wait(fresh->tablebase, kv_clock_ns() + wait_ns);
    *table = fresh;
    return KV_OK;
}

void match_table_close(struct match_table *table)
{
    if (table)
        kv_tablebase_destroy(table->tablebase);
    free(table);
}

bool match_table_probe(struct match_table *table, const struct kv_position *position, int *outcome)
{
    struct kv_value value;
    if (!table || kv_tablebase_probe(table->tablebase, position, &value) != KV_OK)
        return false;
    *outcome = value.outcome;
    return true;
}

bool match_table_ends(struct match_table *table, const struct kv_position *position, int *outcome)
{
    return table && !kv_tablebase_in_opening(table->tablebase, position) &&
           match_table_probe(table, position, outcome);
}
