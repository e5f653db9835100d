/* What a match says about itself. */
#ifndef KVERN_MATCH_REPORT_H
#define KVERN_MATCH_REPORT_H

#include "kvern-match-results.h"

/* What a report is made of: the results of one match, or of several parts of it. */
struct match_summary {
    const struct match_header *header;
    const struct match_results *sets; /* several with different seeds, all of the same pairings */
    int set_count;
    struct match_sprt sprt;
    bool trinomial;
};

struct match_tally match_summary_tally(const struct match_summary *summary, int pairing);
enum match_verdict match_summary_verdict(const struct match_summary *summary);

/* Several lines for people, or one line of JSON. */
void match_report_text(const struct match_summary *summary, struct kv_buffer *out);
void match_report_json(const struct match_summary *summary, struct kv_buffer *out);

/* The two players of a pairing. */
void match_report_pairing(const struct match_header *header, int pairing, int players[2]);

#endif
