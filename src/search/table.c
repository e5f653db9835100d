#include "search/table.h"

#include "base/pages.h"
#include "search/search.h"

/* data: move 20 bits, score 16, depth 8, bound 2, generation 6. */
enum { SCORE_SHIFT = 20, DEPTH_SHIFT = 36, BOUND_SHIFT = 44, GENERATION_SHIFT = 46, GENERATIONS = 64 };

static uint64_t pack(const struct kv_known *known, unsigned generation)
{
    return (uint64_t)known->move | (uint64_t)(uint16_t)(int16_t)known->score << SCORE_SHIFT |
           (uint64_t)(uint8_t)known->depth << DEPTH_SHIFT | (uint64_t)known->bound << BOUND_SHIFT |
           (uint64_t)generation << GENERATION_SHIFT;
}

static int depth_of(uint64_t data)
{
    return (int)(data >> DEPTH_SHIFT & 255);
}

static unsigned generation_of(uint64_t data)
{
    return (unsigned)(data >> GENERATION_SHIFT) & (GENERATIONS - 1);
}

int kv_table_init(struct kv_table *table, size_t megabytes)
{
    size_t bytes = megabytes << 20;
    if (megabytes == 0 || bytes >> 20 != megabytes)
        return KV_E_MEMORY;
    struct kv_entry *entries = kv_pages_take(bytes);
    if (!entries)
        return KV_E_MEMORY;
    *table = (struct kv_table){
        .entries = entries,
        .buckets = bytes / (KV_BUCKET * sizeof *entries),
        .bytes = bytes,
    };
    return KV_OK;
}

void kv_table_finish(struct kv_table *table)
{
    kv_pages_give(table->entries, table->bytes);
    table->entries = NULL;
}

void kv_table_clear(struct kv_table *table)
{
    kv_pages_zero(table->entries, table->bytes);
    table->generation = 0;
}

void kv_table_age(struct kv_table *table)
{
    table->generation = (table->generation + 1) % GENERATIONS;
}

static struct kv_entry *bucket_of(const struct kv_table *table, uint64_t key)
{
    size_t index = (size_t)((key >> 32) * table->buckets >> 32);
    return &table->entries[index * KV_BUCKET];
}

void kv_table_prefetch(const struct kv_table *table, uint64_t key)
{
    __builtin_prefetch(bucket_of(table, key));
}

bool kv_table_probe(const struct kv_table *table, uint64_t key, struct kv_known *known)
{
    struct kv_entry *entry = bucket_of(table, key);
    for (int i = 0; i < KV_BUCKET; i++, entry++) {
        uint64_t data = atomic_load_explicit(&entry->data, memory_order_relaxed);
        if (data == 0 || (atomic_load_explicit(&entry->check, memory_order_relaxed) ^ data) != key)
            continue;
        known->move = (kv_move)(data & KV_MOVE_NONE);
        known->score = (int16_t)(data >> SCORE_SHIFT);
        known->depth = depth_of(data);
        known->bound = (int)(data >> BOUND_SHIFT & 3);
        return true;
    }
    return false;
}

void kv_table_store(struct kv_table *table, uint64_t key, const struct kv_known *known)
{
    struct kv_entry *bucket = bucket_of(table, key), *victim = bucket;
    int worst = INT32_MAX;
    struct kv_known fresh = *known;
    for (int i = 0; i < KV_BUCKET; i++) {
        uint64_t data = atomic_load_explicit(&bucket[i].data, memory_order_relaxed);
        if (data == 0 || (atomic_load_explicit(&bucket[i].check, memory_order_relaxed) ^ data) == key) {
            /* A shallower bound does not push out what was learnt deeper in this search. */
            if (data && known->bound != KV_BOUND_EXACT && depth_of(data) > known->depth + 3 &&
                generation_of(data) == table->generation)
                return;
            if (data && fresh.move == KV_MOVE_NONE)
                fresh.move = (kv_move)(data & KV_MOVE_NONE);
            victim = &bucket[i];
            break;
        }
        unsigned age = (table->generation + GENERATIONS - generation_of(data)) % GENERATIONS;
        int worth = depth_of(data) - 8 * (int)age;
        if (worth < worst) {
            worst = worth;
            victim = &bucket[i];
        }
    }
    uint64_t data = pack(&fresh, table->generation);
    atomic_store_explicit(&victim->check, key ^ data, memory_order_relaxed);
    atomic_store_explicit(&victim->data, data, memory_order_relaxed);
}

int kv_table_full(const struct kv_table *table)
{
    int used = 0;
    for (size_t i = 0; i < 1000 && i < table->buckets * KV_BUCKET; i++) {
        uint64_t data = atomic_load_explicit(&table->entries[i].data, memory_order_relaxed);
        used += data != 0 && generation_of(data) == table->generation;
    }
    return used;
}
