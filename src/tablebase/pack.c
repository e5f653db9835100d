#include "tablebase/pack.h"

#include "base/pages.h"

/* Those that could be done without; not two in a row, or one ply would not be enough. */
static bool is_spare(struct kv_subspace subspace)
{
    if (kv_subspace_is_placing(subspace))
        return (subspace.hand_mover + subspace.hand_other) % 2 == 0;
    return subspace.mover < subspace.other;
}

bool kv_pack_leaves_out(const struct kv_store *whole, struct kv_subspace subspace)
{
    struct kv_subspace after;
    if (!is_spare(subspace))
        return false;
    for (int taken = 0; taken <= kv_subspace_most_taken(whole->rules); taken++)
        if (kv_subspace_after(subspace, taken, &after) &&
            (!kv_store_has(whole, KV_TABLE_DISTANCES, after) || kv_pack_leaves_out(whole, after)))
            return false;
    return true;
}

int kv_pack_subspace(const struct kv_store *whole, const struct kv_store *small, enum kv_table_kind kind,
                     struct kv_subspace subspace, uint64_t *size, struct kv_error *error)
{
    uint8_t *values = NULL;
    *size = 0;
    if (kv_store_has(small, kind, subspace) ||
        (kind == KV_TABLE_RESULTS && kv_pack_leaves_out(whole, subspace)))
        return KV_OK;
    int status = kv_store_load(whole, KV_TABLE_DISTANCES, subspace, &values, error);
    if (status == KV_OK)
        status = kv_store_save(small, kind, subspace, values, size, error);
    kv_pages_give(values, kv_store_bytes(whole, subspace));
    return status;
}
