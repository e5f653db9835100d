/* Small texts inside a record: results, names of the game, and the note an engine leaves with its move,
 * "+0.35/12 0.050s" (score/depth time; the form cutechess and fastchess write). */
#include <stdlib.h>

#include "record/names.h"

const char *kv_record_result_text(enum kv_result result)
{
    switch (result) {
    case KV_WHITE_WINS: return "1-0";
    case KV_BLACK_WINS: return "0-1";
    case KV_DRAW: return "1/2-1/2";
    case KV_ONGOING: break;
    }
    return "*";
}

bool kv_record_result_read(struct kv_span text, enum kv_result *result)
{
    static const struct {
        const char *text;
        enum kv_result result;
    } rows[] = {
        {"1-0", KV_WHITE_WINS}, {"0-1", KV_BLACK_WINS}, {"1/2-1/2", KV_DRAW},
        {"1/2", KV_DRAW},       {"½-½", KV_DRAW},       {"*", KV_ONGOING},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (kv_span_is(text, rows[i].text)) {
            *result = rows[i].result;
            return true;
        }
    return false;
}

int kv_record_variant_find(struct kv_span name, struct kv_error *error)
{
    static const char *const usual[] = {"nine men's morris", "nine mens morris", "ninemensmorris",
                                        "nine-mens-morris",  "morris",           "mill",
                                        "standard"};
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        if (kv_span_is_nocase(name, usual[i]))
            return 0;
    return kv_variant_find(name.at, name.length, error);
}

bool kv_record_note_is_empty(const struct kv_record_note *note)
{
    return !note->has_score && note->depth == 0 && note->time_ms < 0;
}

/* ---- Reading a note ---------------------------------------------------------------------------- */

static bool take_char(struct kv_span *text, char c)
{
    if (text->length == 0 || text->at[0] != c)
        return false;
    text->at++;
    text->length--;
    return true;
}

/* A decimal number with at most `places` digits after the point, as a whole number of its last place. */
static bool take_decimal(struct kv_span *text, int places, int64_t *value)
{
    int64_t sum = 0;
    int digits = 0, after = -1;
    while (text->length > 0) {
        char c = text->at[0];
        if (c == '.' && after < 0 && digits > 0 && places > 0)
            after = 0;
        else if (c >= '0' && c <= '9') {
            if (after >= 0 && ++after > places)
                return false;
            if (++digits > 9)
                return false;
            sum = 10 * sum + (c - '0');
        } else
            break;
        text->at++;
        text->length--;
    }
    if (digits == 0 || after == 0)
        return false;
    for (int i = after < 0 ? 0 : after; i < places; i++)
        sum *= 10;
    *value = sum;
    return true;
}

static bool take_score(struct kv_span *rest, struct kv_record_note *note)
{
    bool negative = take_char(rest, '-');
    if (!negative)
        take_char(rest, '+');
    note->mate = take_char(rest, 'M') || take_char(rest, '#');
    int64_t value;
    if (!take_decimal(rest, note->mate ? 0 : 2, &value) || value > KV_NOTE_SCORE_MAX)
        return false;
    note->has_score = true;
    note->score = (int)(negative ? -value : value);
    return true;
}

size_t kv_record_note_read(struct kv_span text, struct kv_record_note *note)
{
    struct kv_span rest = text;
    struct kv_record_note found = {.time_ms = -1};
    int64_t depth, time;
    if (!take_score(&rest, &found) || !take_char(&rest, '/') || !take_decimal(&rest, 0, &depth) ||
        depth > KV_NOTE_DEPTH_MAX)
        return 0;
    found.depth = (int)depth;
    struct kv_span after_depth = rest;
    if (take_char(&rest, ' ') && take_decimal(&rest, 3, &time)) {
        take_char(&rest, 's');
        found.time_ms = time;
    } else
        rest = after_depth;
    if (rest.length > 0 && !take_char(&rest, ','))
        return 0;
    *note = found;
    return (size_t)(rest.at - text.at);
}

static int64_t clamp(int64_t value, int64_t low, int64_t high)
{
    return value < low ? low : value > high ? high : value;
}

struct kv_record_note kv_record_note_clamp(const struct kv_record_note *note)
{
    return (struct kv_record_note){
        .has_score = note->has_score,
        .mate = note->mate,
        .score = (int)clamp(note->score, -KV_NOTE_SCORE_MAX, KV_NOTE_SCORE_MAX),
        .depth = (int)clamp(note->depth, 0, KV_NOTE_DEPTH_MAX),
        .time_ms = clamp(note->time_ms, -1, KV_NOTE_TIME_MAX),
    };
}

void kv_record_note_write(const struct kv_record_note *written, struct kv_buffer *out)
{
    struct kv_record_note note = kv_record_note_clamp(written);
    int size = abs(note.score), time = (int)note.time_ms;
    char sign = note.score < 0 ? '-' : '+';
    if (note.mate)
        kv_buffer_format(out, "%cM%d/%d", sign, size, note.depth);
    else
        kv_buffer_format(out, "%c%d.%02d/%d", sign, size / 100, size % 100, note.depth);
    if (time >= 0)
        kv_buffer_format(out, " %d.%03ds", time / 1000, time % 1000);
}
