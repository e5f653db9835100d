/* The list of inputs that a game is, each with what became of it. */
#ifndef KV_SCORING_LOG_H
#define KV_SCORING_LOG_H

#include "base/buffer.h"
#include "base/span.h"

struct kv_card_entry {
    size_t at, length, mark; /* its line in `text`, and how long the sheet's mark behind that is */
    size_t side, member, section, row;
    int64_t points, total;
    bool miss;
};

/* Zero-initialise to start. */
struct kv_card_log {
    struct kv_buffer text;
    struct kv_card_entry *entries;
    size_t count, capacity;
};

/* Makes room for one more entry; kv_card_log_add never fails after it, once. */
int kv_card_log_reserve(struct kv_card_log *log);

/* Adds an entry; its line and mark have been added to `text` already, from `entry.at` on. */
void kv_card_log_add(struct kv_card_log *log, struct kv_card_entry entry);

struct kv_span kv_card_log_line(const struct kv_card_log *log, size_t index);
struct kv_span kv_card_log_mark(const struct kv_card_log *log, size_t index);

void kv_card_log_truncate(struct kv_card_log *log, size_t count);
void kv_card_log_finish(struct kv_card_log *log);

#endif
