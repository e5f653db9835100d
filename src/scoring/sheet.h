/* The score sheet, for people and for spreadsheets. */
#ifndef KV_SCORING_SHEET_H
#define KV_SCORING_SHEET_H

#include "scoring/card.h"

struct kv_card_sheet_limits {
    size_t rows;    /* only the last so many rows of the section under way; 0: everything */
    size_t columns; /* sides that do not fit into this width go into a second band; 0: no limit */
};

/* One column a side: what was thrown and what it led to, then totals, remarks and places. */
int kv_card_sheet_write(const struct kv_card *game, struct kv_card_sheet_limits limits,
                        struct kv_buffer *out);

/* The same as comma-separated values: two columns a side. */
int kv_card_sheet_write_csv(const struct kv_card *game, struct kv_buffer *out);

#endif
