/* An annotated game as one page of HTML that needs nothing else: no script, no font, no picture from
 * elsewhere. Boards are the pictures of diagram.c. */
#include <string.h>

#include "puzzle/annotation.h"
#include "puzzle/diagram.h"
#include "puzzle/explain.h"

static const char style[] =
    "<style>\n"
    ":root{--ink:#2f2418;--soft:#7a6a58;--paper:#fbf7ef;--card:#fff;--line:#e4d8c3;--good:#2e8b57;"
    "--bad:#c0392b;--note:#b7791f}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 Georgia,'Times New Roman',serif}\n"
    "main{max-width:1180px;margin:0 auto;padding:28px 20px 60px}\n"
    "h1{font-size:30px;margin:0 0 4px}h2{font-size:20px;margin:34px 0 12px}\n"
    ".about{color:var(--soft);margin:0 0 18px}\n"
    "table{border-collapse:collapse;background:var(--card);font-size:15px}\n"
    "th,td{border:1px solid var(--line);padding:5px 12px;text-align:right}th:first-child{text-align:left}\n"
    "thead th{background:#f4e7cf}\n"
    ".strip{display:flex;gap:2px;margin:8px 0;flex-wrap:wrap}\n"
    ".strip a{width:17px;height:30px;border-radius:3px;display:block;border:1px solid rgba(0,0,0,.15)}\n"
    ".w{background:#fff}.b{background:#2b2b2b}.d{background:#b9c4cc}.o{background:#efe3cc}\n"
    ".strip a.f{box-shadow:0 4px 0 -1px var(--bad)}.strip a.q{box-shadow:0 4px 0 -1px var(--note)}\n"
    ".key span{display:inline-block;width:13px;height:13px;border:1px solid rgba(0,0,0,.25);"
    "border-radius:3px;vertical-align:-1px;margin:0 5px 0 14px}\n"
    ".key{font-size:14px;color:var(--soft)}\n"
    ".moves{display:grid;grid-template-columns:repeat(auto-fill,minmax(262px,1fr));gap:16px}\n"
    ".move{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:12px 14px;"
    "break-inside:avoid}\n"
    ".move svg{width:100%;height:auto;display:block;margin:8px 0}\n"
    ".move h3{margin:0;font-size:18px;display:flex;justify-content:space-between;align-items:baseline}\n"
    ".move.f{border:2px solid var(--bad)}.move.q{border:2px solid var(--note)}\n"
    ".f .mark{color:var(--bad)}.q .mark{color:var(--note)}\n"
    ".who{font-size:13px;font-weight:normal;color:var(--soft)}\n"
    ".value{font-size:13.5px;color:var(--soft);margin:0}\n"
    ".text{font-size:15px;margin:6px 0 0}.fault{font-weight:bold;margin:6px 0 0;font-size:15px}\n"
    ".f .fault{color:var(--bad)}.q .fault{color:var(--note)}\n"
    "@media print{body{background:#fff}.moves{grid-template-columns:repeat(3,1fr)}}\n"
    "</style>\n";

static void text_of(struct kv_buffer *out, const struct kv_buffer *text)
{
    if (text->data)
        puzzle_xml_text(out, text->data);
    out->failed = out->failed || text->failed;
}

static const char *class_of(const struct puzzle_note *note)
{
    if (note->fault == PUZZLE_NO_FAULT)
        return "";
    return note->fault == PUZZLE_DOUBTFUL || note->fault == PUZZLE_SLOWER_WIN ? " q" : " f";
}

static void write_head(const struct puzzle_annotation *annotation, struct kv_buffer *out)
{
    const char *white = kv_record_tag(annotation->record, "White");
    const char *black = kv_record_tag(annotation->record, "Black");
    static const char *const tags[] = {"Event", "Site", "Date", "Round"};
    kv_buffer_text(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
                        "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"/>\n<title>");
    puzzle_xml_text(out, white ? white : "White");
    kv_buffer_text(out, " – ");
    puzzle_xml_text(out, black ? black : "Black");
    kv_buffer_format(out, "</title>\n%s</head>\n<body>\n<main>\n<h1>", style);
    puzzle_xml_text(out, white ? white : "White");
    kv_buffer_text(out, " – ");
    puzzle_xml_text(out, black ? black : "Black");
    kv_buffer_format(out, " &#160; %s</h1>\n<p class=\"about\">",
                     kv_record_result_text(annotation->record->result));
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++) {
        const char *value = kv_record_tag(annotation->record, tags[i]);
        if (value == NULL || strcmp(value, "?") == 0)
            continue;
        kv_buffer_format(out, "%s ", tags[i]);
        puzzle_xml_text(out, value);
        kv_buffer_text(out, " &#183; ");
    }
    kv_buffer_format(out, "%zu turns</p>\n", annotation->count);
}

static void write_mistakes(const struct puzzle_annotation *annotation, struct kv_buffer *out)
{
    kv_buffer_text(out, "<h2>Mistakes</h2>\n<table>\n<thead><tr><th></th><th>White</th><th>Black</th></tr>"
                        "</thead>\n<tbody>\n");
    for (int fault = PUZZLE_NO_FAULT + 1; fault < PUZZLE_FAULT_COUNT; fault++)
        kv_buffer_format(out, "<tr><th>%s</th><td>%d</td><td>%d</td></tr>\n",
                         puzzle_fault_text((enum puzzle_fault)fault), annotation->faults[0][fault],
                         annotation->faults[1][fault]);
    kv_buffer_text(out, "</tbody>\n</table>\n");
}

/* One small box a turn: who is proven to win after it. */
static void write_strip(const struct puzzle_annotation *annotation, struct kv_buffer *out)
{
    kv_buffer_text(out, "<h2>The game at a glance</h2>\n<div class=\"strip\">\n");
    for (size_t i = 0; i < annotation->count; i++) {
        const struct puzzle_note *note = &annotation->notes[i];
        const struct puzzle_verdict *value = &note->value_after;
        const char *box = "o";
        char move[KV_MOVE_TEXT_MAX];
        if (puzzle_is_settled(value))
            box = value->low == 0 ? "d" : (value->low == 1) == (note->before.side == KV_WHITE) ? "w" : "b";
        kv_buffer_format(out, "<a class=\"%s%s\" href=\"#m%zu\" title=\"", box, class_of(note), i + 1);
        puzzle_note_number(note, out);
        kv_buffer_format(out, "%s\"></a>", kv_move_write(annotation->rules, note->move, move));
    }
    kv_buffer_text(
        out, "\n</div>\n<p class=\"key\">Proven:<span class=\"w\"></span>White wins<span class=\"b\">"
             "</span>Black wins<span class=\"d\"></span>draw<span class=\"o\"></span>not proven"
             "<br/>Values below are for the side that moved: before its move &#8594; after it. "
             "\u201ctable\u201d, \u201cproof\u201d and \u201crules\u201d say how a value is known; numbers "
             "are plies to the end of the game, counted from before the move; the engine\u2019s figures, in "
             "stones, are only its "
             "opinion. Repetitions are not counted.</p>\n");
}

static void write_board(const struct puzzle_annotation *annotation, const struct puzzle_note *note,
                        struct kv_buffer *out)
{
    struct puzzle_diagram diagram = {
        .rules = annotation->rules, .position = note->after, .inside_page = true, .width = 300};
    bool fault = note->fault != PUZZLE_NO_FAULT;
    puzzle_diagram_show_played(&diagram, note->move,
                               *class_of(note) && class_of(note)[1] == 'f' ? PUZZLE_BAD
                               : fault                                     ? PUZZLE_NOTE
                                                                           : PUZZLE_PLAIN);
    if (fault && note->best != KV_MOVE_NONE && note->best != note->move) {
        unsigned from = kv_move_from(note->best), to = kv_move_to(note->best);
        if (from != KV_NO_POINT)
            puzzle_diagram_arrow(&diagram, from, to, PUZZLE_GOOD);
        else if (to != KV_NO_POINT)
            puzzle_diagram_mark(&diagram, to, PUZZLE_GOOD);
    }
    puzzle_diagram_write(&diagram, out);
}

static void write_move(const struct puzzle_annotation *annotation, size_t i, struct kv_buffer *out)
{
    const struct puzzle_note *note = &annotation->notes[i];
    char move[KV_MOVE_TEXT_MAX];
    kv_buffer_format(out, "<article class=\"move%s\" id=\"m%zu\">\n<h3><span>", class_of(note), i + 1);
    puzzle_note_number(note, out);
    kv_buffer_format(out, "%s<span class=\"mark\">%s</span></span><span class=\"who\">%s</span></h3>\n",
                     kv_move_write(annotation->rules, note->move, move), puzzle_fault_mark(note->fault),
                     puzzle_side_name(note->before.side));
    write_board(annotation, note, out);
    kv_buffer_text(out, "<p class=\"value\">");
    puzzle_note_value(&note->value_before, &note->opinion_before, out);
    kv_buffer_text(out, " &#8594; ");
    puzzle_note_value(&note->value_after, &note->opinion_after, out);
    kv_buffer_text(out, "</p>\n");
    if (note->fault != PUZZLE_NO_FAULT) {
        const char *text = puzzle_fault_text(note->fault);
        kv_buffer_format(out, "<p class=\"fault\">%c%s</p>\n", *text - 'a' + 'A', text + 1);
    }
    if (note->text.length) {
        kv_buffer_text(out, "<p class=\"text\">");
        text_of(out, &note->text);
        kv_buffer_text(out, "</p>\n");
    }
    kv_buffer_text(out, "</article>\n");
}

void puzzle_annotation_write_html(const struct puzzle_annotation *annotation, struct kv_buffer *out)
{
    write_head(annotation, out);
    write_mistakes(annotation, out);
    write_strip(annotation, out);
    kv_buffer_text(out, "<h2>Move by move</h2>\n<div class=\"moves\">\n");
    for (size_t i = 0; i < annotation->count; i++)
        write_move(annotation, i, out);
    kv_buffer_format(out, "</div>\n<p class=\"about\">kvern-puzzle %s</p>\n</main>\n</body>\n</html>\n",
                     KV_VERSION);
}
