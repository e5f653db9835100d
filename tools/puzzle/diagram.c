#include "puzzle/diagram.h"

#include <math.h>

#include "board/movegen.h"

/* In units of the picture. */
enum { CELL = 60, MARGIN = 52, BOARD = 6 * CELL + 2 * MARGIN, HANDS = 40, STONE = 21, POINT = 5 };

static const char *const tints[] = {"#3b6ea5", "#2e8b57", "#c0392b", "#b7791f"};

bool puzzle_tint_read(struct kv_span text, enum puzzle_tint *tint)
{
    static const char *const names[] = {"plain", "good", "bad", "note"};
    for (int i = 0; i < 4; i++)
        if (kv_span_is_nocase(text, names[i])) {
            *tint = (enum puzzle_tint)i;
            return true;
        }
    return false;
}

unsigned puzzle_point(const struct kv_rules *rules, struct kv_span name)
{
    const struct kv_board *board = kv_board_of(rules);
    for (int p = 0; p < board->points; p++)
        if (kv_span_is_nocase(name, board->point_names[p]))
            return (unsigned)p;
    return KV_NO_POINT;
}

void puzzle_diagram_arrow(struct puzzle_diagram *diagram, unsigned from, unsigned to, enum puzzle_tint tint)
{
    if (diagram->arrow_count < PUZZLE_ARROWS_MAX && from != to)
        diagram->arrows[diagram->arrow_count++] =
            (struct puzzle_arrow){(uint8_t)from, (uint8_t)to, (uint8_t)tint};
}

void puzzle_diagram_mark(struct puzzle_diagram *diagram, unsigned point, enum puzzle_tint tint)
{
    if (diagram->mark_count < PUZZLE_MARKS_MAX)
        diagram->marks[diagram->mark_count++] = (struct puzzle_mark){(uint8_t)point, (uint8_t)tint};
}

void puzzle_diagram_show_played(struct puzzle_diagram *diagram, kv_move move, enum puzzle_tint tint)
{
    unsigned from = kv_move_from(move), to = kv_move_to(move);
    unsigned taken[2] = {kv_move_capture(move), kv_move_second(move)};
    int mover = diagram->position.stones[0] >> (to & 31) & 1 ? KV_WHITE : KV_BLACK;
    if (to == KV_NO_POINT)
        mover = diagram->position.side ^ 1;
    for (int i = 0; i < 2; i++)
        if (taken[i] != KV_NO_POINT)
            diagram->ghosts[mover ^ 1] |= 1u << taken[i];
    if (to == KV_NO_POINT)
        return;
    puzzle_diagram_mark(diagram, to, tint);
    if (from != KV_NO_POINT)
        puzzle_diagram_arrow(diagram, from, to, tint);
    diagram->mills |= kv_mills_through(kv_board_of(diagram->rules), diagram->position.stones[mover], to);
}

void puzzle_diagram_show_option(struct puzzle_diagram *diagram, kv_move move, enum puzzle_tint tint)
{
    unsigned from = kv_move_from(move), to = kv_move_to(move);
    unsigned taken[2] = {kv_move_capture(move), kv_move_second(move)};
    if (from != KV_NO_POINT)
        puzzle_diagram_arrow(diagram, from, to, tint);
    else if (to != KV_NO_POINT)
        puzzle_diagram_mark(diagram, to, tint);
    for (int i = 0; i < 2; i++)
        if (taken[i] != KV_NO_POINT)
            puzzle_diagram_mark(diagram, taken[i], PUZZLE_BAD);
}

/* ---- Drawing ------------------------------------------------------------------------------------ */

void puzzle_xml_text(struct kv_buffer *out, const char *text)
{
    for (; *text; text++) {
        switch (*text) {
        case '<': kv_buffer_text(out, "&lt;"); break;
        case '>': kv_buffer_text(out, "&gt;"); break;
        case '&': kv_buffer_text(out, "&amp;"); break;
        case '"': kv_buffer_text(out, "&quot;"); break;
        default:
            if ((unsigned char)*text < ' ' || *text == 127)
                kv_buffer_text(out, " ");
            else
                kv_buffer_add(out, text, 1);
        }
    }
}

static const char *name_of(const struct puzzle_diagram *diagram, unsigned point)
{
    return kv_board_of(diagram->rules)->point_names[point];
}

static int x_of(const struct puzzle_diagram *diagram, unsigned point)
{
    return MARGIN + (name_of(diagram, point)[0] - 'a') * CELL;
}

static int y_of(const struct puzzle_diagram *diagram, unsigned point)
{
    return MARGIN + ('7' - name_of(diagram, point)[1]) * CELL;
}

static void draw_lines(const struct puzzle_diagram *diagram, struct kv_buffer *out)
{
    const struct kv_board *board = kv_board_of(diagram->rules);
    kv_buffer_text(out,
                   "<path fill=\"none\" stroke=\"#4a3728\" stroke-width=\"2.5\" stroke-linecap=\"round\" "
                   "d=\"");
    for (int p = 0; p < board->points; p++)
        for (uint32_t others = board->neighbours[p] & ~((2u << p) - 1); others;) {
            unsigned other = (unsigned)kv_take(&others);
            kv_buffer_format(out, "M%d %dL%d %d", x_of(diagram, (unsigned)p), y_of(diagram, (unsigned)p),
                             x_of(diagram, other), y_of(diagram, other));
        }
    kv_buffer_text(out, "\"/>\n");
    for (uint32_t mills = diagram->mills; mills;) {
        const uint8_t *order = board->mill_order[kv_take(&mills)];
        kv_buffer_format(
            out,
            "<path fill=\"none\" stroke=\"#e0a526\" stroke-width=\"13\" stroke-linecap=\"round\" "
            "opacity=\"0.75\" d=\"M%d %dL%d %d\"/>\n",
            x_of(diagram, order[0]), y_of(diagram, order[0]), x_of(diagram, order[2]),
            y_of(diagram, order[2]));
    }
    kv_buffer_text(out, "<g fill=\"#4a3728\">");
    for (int p = 0; p < board->points; p++)
        kv_buffer_format(out, "<circle cx=\"%d\" cy=\"%d\" r=\"%d\"/>", x_of(diagram, (unsigned)p),
                         y_of(diagram, (unsigned)p), POINT);
    kv_buffer_text(out, "</g>\n");
}

static void draw_coordinates(const struct puzzle_diagram *diagram, struct kv_buffer *out)
{
    const struct kv_board *board = kv_board_of(diagram->rules);
    unsigned files = 0, ranks = 0;
    for (int p = 0; p < board->points; p++) {
        files |= 1u << (board->point_names[p][0] - 'a');
        ranks |= 1u << (board->point_names[p][1] - '1');
    }
    kv_buffer_text(out, "<g font-family=\"Helvetica,Arial,sans-serif\" font-size=\"17\" fill=\"#6b5a48\" "
                        "text-anchor=\"middle\">");
    for (int i = 0; i < 7; i++) {
        if (files >> i & 1)
            kv_buffer_format(out, "<text x=\"%d\" y=\"%d\">%c</text>", MARGIN + i * CELL, BOARD - 9, 'a' + i);
        if (ranks >> i & 1)
            kv_buffer_format(out, "<text x=\"13\" y=\"%d\">%c</text>", MARGIN + (6 - i) * CELL + 5, '1' + i);
    }
    kv_buffer_text(out, "</g>\n");
}

static void draw_stone(struct kv_buffer *out, int side, int x, int y, int radius, bool ghost)
{
    const char *fill = side == KV_WHITE ? "#fffdf7" : "#2b2b2b";
    const char *rim = side == KV_WHITE ? "#2b2b2b" : "#000000";
    kv_buffer_format(out,
                     "<circle cx=\"%d\" cy=\"%d\" r=\"%d\" fill=\"%s\" stroke=\"%s\" stroke-width=\"2\"%s/>",
                     x, y, radius, fill, rim, ghost ? " opacity=\"0.3\"" : "");
    if (radius == STONE && !ghost)
        kv_buffer_format(
            out, "<circle cx=\"%d\" cy=\"%d\" r=\"%d\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.2\"/>", x,
            y, radius - 7, side == KV_WHITE ? "#b9b2a3" : "#6a6a6a");
    kv_buffer_text(out, "\n");
}

static void draw_stones(const struct puzzle_diagram *diagram, struct kv_buffer *out)
{
    for (int side = 0; side < 2; side++) {
        for (uint32_t set = diagram->position.stones[side]; set;) {
            unsigned point = (unsigned)kv_take(&set);
            draw_stone(out, side, x_of(diagram, point), y_of(diagram, point), STONE, false);
        }
        for (uint32_t set = diagram->ghosts[side]; set;) {
            unsigned point = (unsigned)kv_take(&set);
            int x = x_of(diagram, point), y = y_of(diagram, point), arm = STONE - 5;
            draw_stone(out, side, x, y, STONE, true);
            kv_buffer_format(out,
                             "<path stroke=\"#c0392b\" stroke-width=\"5\" stroke-linecap=\"round\" "
                             "d=\"M%d %dL%d %dM%d %dL%d %d\"/>\n",
                             x - arm, y - arm, x + arm, y + arm, x - arm, y + arm, x + arm, y - arm);
        }
    }
}

/* A shaft from rim to rim and a head, as one filled outline. */
static void draw_arrow(const struct puzzle_diagram *diagram, const struct puzzle_arrow *arrow,
                       struct kv_buffer *out)
{
    double x = x_of(diagram, arrow->from), y = y_of(diagram, arrow->from);
    double dx = x_of(diagram, arrow->to) - x, dy = y_of(diagram, arrow->to) - y;
    double length = sqrt(dx * dx + dy * dy), start = 9, tip = length - STONE + 3, neck = tip - 15;
    dx /= length;
    dy /= length;
    const double outline[7][2] = {{start, -4}, {neck, -4}, {neck, -11}, {tip, 0},
                                  {neck, 11},  {neck, 4},  {start, 4}};
    kv_buffer_format(out, "<path fill=\"%s\" stroke=\"#ffffff\" stroke-width=\"1\" opacity=\"0.9\" d=\"",
                     tints[arrow->tint]);
    for (int i = 0; i < 7; i++)
        kv_buffer_format(out, "%c%.1f %.1f", i ? 'L' : 'M', x + outline[i][0] * dx - outline[i][1] * dy,
                         y + outline[i][0] * dy + outline[i][1] * dx);
    kv_buffer_text(out, "Z\"/>\n");
}

static void draw_hands(const struct puzzle_diagram *diagram, struct kv_buffer *out)
{
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < diagram->position.hand[side]; i++)
            draw_stone(out, side, side == KV_WHITE ? MARGIN - 16 + i * 16 : BOARD - MARGIN + 16 - i * 16,
                       BOARD + HANDS / 2 - 6, 9, false);
}

void puzzle_diagram_write(const struct puzzle_diagram *diagram, struct kv_buffer *out)
{
    bool hands = diagram->position.hand[0] || diagram->position.hand[1];
    int height = BOARD + (hands ? HANDS : 0), width = diagram->width ? diagram->width : 440;
    char text[KV_POSITION_TEXT_MAX];
    kv_position_write(diagram->rules, &diagram->position, text);
    if (!diagram->inside_page)
        kv_buffer_text(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    kv_buffer_format(out,
                     "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
                     "viewBox=\"0 0 %d %d\" role=\"img\">\n<title>",
                     width, width * height / BOARD, BOARD, height);
    puzzle_xml_text(out, diagram->title ? diagram->title : text);
    kv_buffer_format(out,
                     "</title>\n<rect x=\"1\" y=\"1\" width=\"%d\" height=\"%d\" rx=\"10\" fill=\"#f4e7cf\" "
                     "stroke=\"#c9b48f\" stroke-width=\"2\"/>\n",
                     BOARD - 2, height - 2);
    if (!diagram->hide_coordinates)
        draw_coordinates(diagram, out);
    draw_lines(diagram, out);
    draw_stones(diagram, out);
    for (int i = 0; i < diagram->arrow_count; i++)
        draw_arrow(diagram, &diagram->arrows[i], out);
    for (int i = 0; i < diagram->mark_count; i++)
        kv_buffer_format(
            out, "<circle cx=\"%d\" cy=\"%d\" r=\"%d\" fill=\"none\" stroke=\"%s\" stroke-width=\"4\"/>\n",
            x_of(diagram, diagram->marks[i].point), y_of(diagram, diagram->marks[i].point), STONE + 4,
            tints[diagram->marks[i].tint]);
    draw_hands(diagram, out);
    kv_buffer_text(out, "</svg>\n");
}
