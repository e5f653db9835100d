/* What a front end reads: the status pairs, statistics, the whole state as JSON. */
#ifndef KV_SCORING_REPORT_H
#define KV_SCORING_REPORT_H

#include "scoring/card.h"

/* " turn=B member=Bo side=A points=12 ..." : who is to play, what the last entry brought, the status. */
int kv_card_report_status(const struct kv_card *game, struct kv_buffer *out);

/* A line a side: throws, average, best, misses. */
int kv_card_report_stats(const struct kv_card *game, struct kv_buffer *out);

/* The last `count` entries with their numbers, which `edit` takes. */
int kv_card_report_entries(const struct kv_card *game, size_t count, struct kv_buffer *out);

/* One line. */
int kv_card_report_json(const struct kv_card *game, struct kv_buffer *out);

#endif
