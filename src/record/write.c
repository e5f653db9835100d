/* Writes records as text and as lines of JSON. The text of a record is a function of what the record
 * says, so writing, reading and writing gives the same bytes. */
#include <stdlib.h>
#include <string.h>

#include "record/names.h"

enum { WIDTH = 80 };

/* ---- What both forms ask ----------------------------------------------------------------------- */

static bool rule_differs(const struct kv_rules *rules, const struct kv_rule *rule)
{
    struct kv_rules plain;
    kv_rules_init(&plain, rules->variant);
    return kv_rule_value(rules, rule) != kv_rule_value(&plain, rule);
}

static bool has_start(const struct kv_record *record)
{
    struct kv_position start;
    kv_position_start(&record->rules, &start);
    return !kv_position_same(&start, &record->start) || record->start.quiet != start.quiet ||
           record->start.ply != start.ply;
}

/* ---- Text -------------------------------------------------------------------------------------- */

static void write_tag(struct kv_buffer *out, const char *name, const char *value)
{
    kv_buffer_format(out, "[%s \"", name);
    for (const char *c = value; *c; c++) {
        if (*c == '"' || *c == '\\')
            kv_buffer_add(out, "\\", 1);
        kv_buffer_add(out, c, 1);
    }
    kv_buffer_text(out, "\"]\n");
}

static const char *const roster[] = {"Event", "Site", "Date", "Round", "White", "Black"};
enum { ROSTER = sizeof roster / sizeof *roster };

static bool in_roster(const char *name)
{
    for (int i = 0; i < ROSTER; i++)
        if (strcmp(roster[i], name) == 0)
            return true;
    return false;
}

static void write_tags(const struct kv_record *record, struct kv_buffer *out)
{
    char text[KV_POSITION_TEXT_MAX], value[24];
    const struct kv_rules *rules = &record->rules;
    for (int i = 0; i < ROSTER; i++)
        if (kv_record_tag(record, roster[i]))
            write_tag(out, roster[i], kv_record_tag(record, roster[i]));
    write_tag(out, "Result", kv_record_result_text(record->result));
    write_tag(out, "Variant", kv_variants[rules->variant].name);
    for (int i = 0; i < kv_rule_count; i++)
        if (rule_differs(rules, &kv_rule_table[i]))
            write_tag(out, kv_rule_table[i].name, kv_rule_text(rules, &kv_rule_table[i], value));
    if (has_start(record)) {
        kv_position_write(rules, &record->start, text);
        write_tag(out, "SetUp", "1");
        write_tag(out, "FEN", text);
    }
    kv_buffer_format(out, "[PlyCount \"%zu\"]\n", record->line.count);
    for (size_t i = 0; i < record->tag_count; i++)
        if (!in_roster(record->tags[i].name))
            write_tag(out, record->tags[i].name, record->tags[i].value);
}

/* Puts words after each other and begins a new line where one would become too long. */
struct flow {
    struct kv_buffer *out;
    size_t line_start;
    bool glued; /* the next word follows without a blank */
    bool brace; /* inside a comment */
};

static void add_word(struct flow *flow, const char *word, size_t length)
{
    struct kv_buffer *out = flow->out;
    size_t used = out->length - flow->line_start;
    /* A line that begins like this means something else. */
    bool safe = word[0] != '%' && word[0] != '[' && !(length > 1 && word[0] == '{' && word[1] == '"');
    if (used > 0 && !flow->glued) {
        if (used + 1 + length > WIDTH && safe) {
            kv_buffer_text(out, "\n");
            flow->line_start = out->length;
        } else
            kv_buffer_text(out, " ");
    }
    kv_buffer_add(out, word, length);
    flow->glued = false;
}

static void add_text(struct flow *flow, const char *text)
{
    struct kv_span rest = kv_span_of(text), word;
    while ((word = kv_span_token(&rest)).length > 0)
        add_word(flow, word.at, word.length);
}

static void add_comment(struct flow *flow, const struct kv_record_note *note, const char *comment)
{
    bool has_note = note && note->has_score;
    if (!has_note && !comment)
        return;
    struct kv_buffer text = {0};
    kv_buffer_text(&text, "{");
    if (has_note)
        kv_record_note_write(note, &text);
    if (has_note && comment)
        kv_buffer_text(&text, ", ");
    if (comment)
        kv_buffer_text(&text, comment);
    kv_buffer_text(&text, "}");
    if (text.failed)
        flow->out->failed = true;
    else
        add_text(flow, text.data);
    kv_buffer_finish(&text);
}

static void add_line(struct flow *flow, const struct kv_record *record, const struct kv_record_line *line,
                     int ply, int depth);

static void add_variations(struct flow *flow, const struct kv_record *record,
                           const struct kv_record_move *move, int ply, int depth)
{
    for (size_t i = 0; i < move->variation_count && depth < KV_RECORD_NESTING_MAX; i++) {
        if (move->variations[i].count == 0)
            continue;
        add_word(flow, "(", 1);
        flow->glued = true;
        add_line(flow, record, &move->variations[i], ply, depth + 1);
        kv_buffer_text(flow->out, ")");
    }
}

/* `ply` counts turns since the side that moves first had its first. */
static void add_line(struct flow *flow, const struct kv_record *record, const struct kv_record_line *line,
                     int ply, int depth)
{
    bool numbered = true; /* the next move shows its number whoever makes it */
    add_comment(flow, NULL, line->comment);
    for (size_t i = 0; i < line->count; i++) {
        const struct kv_record_move *move = &line->moves[i];
        char text[KV_MOVE_TEXT_MAX + 32];
        struct kv_buffer words = {0};
        if (ply % 2 == 0 || numbered)
            kv_buffer_format(&words, "%d%s ", ply / 2 + 1, ply % 2 == 0 ? "." : "...");
        kv_buffer_text(&words, kv_move_write(&record->rules, move->move, text));
        for (int n = 0; n < move->nag_count; n++)
            kv_buffer_format(&words, " $%u", move->nags[n]);
        if (words.failed)
            flow->out->failed = true;
        else
            add_text(flow, words.data);
        kv_buffer_finish(&words);
        add_comment(flow, &move->note, move->comment);
        add_variations(flow, record, move, ply, depth);
        numbered = move->comment || move->variation_count > 0;
        ply++;
    }
}

void kv_record_write_text(const struct kv_record *record, struct kv_buffer *out)
{
    write_tags(record, out);
    kv_buffer_text(out, "\n");
    struct flow flow = {.out = out, .line_start = out->length};
    add_line(&flow, record, &record->line, record->start.ply, 0);
    add_word(&flow, kv_record_result_text(record->result), strlen(kv_record_result_text(record->result)));
    kv_buffer_text(out, "\n\n");
}

/* ---- JSON -------------------------------------------------------------------------------------- */

static void json_text(struct kv_buffer *out, const char *text)
{
    kv_buffer_text(out, "\"");
    for (const char *c = text; *c; c++) {
        if (*c == '"' || *c == '\\')
            kv_buffer_add(out, "\\", 1);
        if ((unsigned char)*c < ' ')
            kv_buffer_format(out, "\\u%04x", (unsigned)*c);
        else
            kv_buffer_add(out, c, 1);
    }
    kv_buffer_text(out, "\"");
}

static void json_pair(struct kv_buffer *out, const char **separator, const char *name, const char *value)
{
    kv_buffer_text(out, *separator);
    json_text(out, name);
    kv_buffer_text(out, ":");
    json_text(out, value);
    *separator = ",";
}

static void json_moves(struct kv_buffer *out, const struct kv_record *record,
                       const struct kv_record_line *line, int depth);

static void json_variations(struct kv_buffer *out, const struct kv_record *record,
                            const struct kv_record_move *move, int depth)
{
    const char *separator = ",\"variations\":[";
    for (size_t i = 0; i < move->variation_count && depth < KV_RECORD_NESTING_MAX; i++) {
        const struct kv_record_line *line = &move->variations[i];
        if (line->count == 0)
            continue;
        kv_buffer_format(out, "%s{", separator);
        separator = ",";
        if (line->comment) {
            const char *first = "";
            json_pair(out, &first, "comment", line->comment);
            kv_buffer_text(out, ",");
        }
        json_moves(out, record, line, depth + 1);
        kv_buffer_text(out, "}");
    }
    if (separator[1] == '\0')
        kv_buffer_text(out, "]");
}

static void json_move(struct kv_buffer *out, const struct kv_record *record,
                      const struct kv_record_move *move, int depth)
{
    char text[KV_MOVE_TEXT_MAX];
    kv_move_write(&record->rules, move->move, text);
    if (!move->note.has_score && move->nag_count == 0 && !move->comment && move->variation_count == 0) {
        json_text(out, text);
        return;
    }
    const char *separator = "{";
    json_pair(out, &separator, "move", text);
    struct kv_record_note note = kv_record_note_clamp(&move->note);
    if (note.has_score) {
        kv_buffer_format(out, ",\"%s\":%d,\"depth\":%d", note.mate ? "mate" : "score", note.score,
                         note.depth);
        if (note.time_ms >= 0)
            kv_buffer_format(out, ",\"time_ms\":%lld", (long long)note.time_ms);
    }
    for (int i = 0; i < move->nag_count; i++)
        kv_buffer_format(out, "%s%u%s", i ? "," : ",\"nags\":[", move->nags[i],
                         i + 1 == move->nag_count ? "]" : "");
    if (move->comment)
        json_pair(out, &separator, "comment", move->comment);
    json_variations(out, record, move, depth);
    kv_buffer_text(out, "}");
}

static void json_moves(struct kv_buffer *out, const struct kv_record *record,
                       const struct kv_record_line *line, int depth)
{
    kv_buffer_text(out, "\"moves\":[");
    for (size_t i = 0; i < line->count; i++) {
        kv_buffer_text(out, i ? "," : "");
        json_move(out, record, &line->moves[i], depth);
    }
    kv_buffer_text(out, "]");
}

void kv_record_write_json(const struct kv_record *record, struct kv_buffer *out)
{
    char text[KV_POSITION_TEXT_MAX], value[24];
    const char *separator = "{\"tags\":{";
    for (size_t i = 0; i < record->tag_count; i++)
        json_pair(out, &separator, record->tags[i].name, record->tags[i].value);
    kv_buffer_text(out, record->tag_count ? "}" : "{");
    separator = record->tag_count ? "," : "";
    json_pair(out, &separator, "variant", kv_variants[record->rules.variant].name);
    separator = ",\"rules\":{";
    for (int i = 0; i < kv_rule_count; i++)
        if (rule_differs(&record->rules, &kv_rule_table[i]))
            json_pair(out, &separator, kv_rule_table[i].name,
                      kv_rule_text(&record->rules, &kv_rule_table[i], value));
    if (separator[1] == '\0')
        kv_buffer_text(out, "}");
    separator = ",";
    if (has_start(record)) {
        kv_position_write(&record->rules, &record->start, text);
        json_pair(out, &separator, "fen", text);
    }
    json_pair(out, &separator, "result", kv_record_result_text(record->result));
    kv_buffer_format(out, ",\"plies\":%zu,", record->line.count);
    if (record->line.comment) {
        separator = "";
        json_pair(out, &separator, "comment", record->line.comment);
        kv_buffer_text(out, ",");
    }
    json_moves(out, record, &record->line, 0);
    kv_buffer_text(out, "}\n");
}
