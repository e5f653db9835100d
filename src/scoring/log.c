#include "scoring/log.h"

#include <stdlib.h>

int kv_card_log_reserve(struct kv_card_log *log)
{
    if (log->count < log->capacity)
        return KV_OK;
    size_t capacity = log->capacity ? 2 * log->capacity : 32;
    struct kv_card_entry *entries = realloc(log->entries, capacity * sizeof *entries);
    if (!entries)
        return KV_E_MEMORY;
    log->entries = entries;
    log->capacity = capacity;
    return KV_OK;
}

void kv_card_log_add(struct kv_card_log *log, struct kv_card_entry entry)
{
    log->entries[log->count++] = entry;
}

struct kv_span kv_card_log_line(const struct kv_card_log *log, size_t index)
{
    return (struct kv_span){log->text.data + log->entries[index].at, log->entries[index].length};
}

struct kv_span kv_card_log_mark(const struct kv_card_log *log, size_t index)
{
    const struct kv_card_entry *entry = &log->entries[index];
    return (struct kv_span){log->text.data + entry->at + entry->length, entry->mark};
}

void kv_card_log_truncate(struct kv_card_log *log, size_t count)
{
    if (count >= log->count)
        return;
    log->text.length = log->entries[count].at;
    log->count = count;
}

void kv_card_log_finish(struct kv_card_log *log)
{
    kv_buffer_finish(&log->text);
    free(log->entries);
    *log = (struct kv_card_log){0};
}
