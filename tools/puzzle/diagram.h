/* A board as a picture: SVG for print and for pages. */
#ifndef PUZZLE_DIAGRAM_H
#define PUZZLE_DIAGRAM_H

#include "base/buffer.h"
#include "base/span.h"
#include "kvern/position.h"

enum puzzle_tint { PUZZLE_PLAIN, PUZZLE_GOOD, PUZZLE_BAD, PUZZLE_NOTE };

struct puzzle_arrow {
    uint8_t from, to, tint;
};
struct puzzle_mark {
    uint8_t point, tint;
};

enum { PUZZLE_ARROWS_MAX = 32, PUZZLE_MARKS_MAX = 48 };

struct puzzle_diagram {
    const struct kv_rules *rules;
    struct kv_position position;
    struct puzzle_arrow arrows[PUZZLE_ARROWS_MAX];
    int arrow_count;
    struct puzzle_mark marks[PUZZLE_MARKS_MAX]; /* rings round points */
    int mark_count;
    uint32_t ghosts[2];    /* by side: stones that were taken, drawn faint and crossed out */
    uint32_t mills;        /* mills to underline */
    bool hide_coordinates; /* files and ranks at the border */
    bool inside_page;      /* no XML declaration */
    int width;             /* pixels; 0 = 440 */
    const char *title;     /* for readers who cannot see it; NULL = the position text */
};

/* Tints by name: "plain", "good", "bad", "note"; false when there is none. */
bool puzzle_tint_read(struct kv_span text, enum puzzle_tint *tint);
/* A point of the rules' board by its name, without case; KV_NO_POINT when there is none. */
unsigned puzzle_point(const struct kv_rules *rules, struct kv_span name);

void puzzle_diagram_arrow(struct puzzle_diagram *diagram, unsigned from, unsigned to, enum puzzle_tint tint);
void puzzle_diagram_mark(struct puzzle_diagram *diagram, unsigned point, enum puzzle_tint tint);
/* Shows a move that leads to diagram->position: an arrow or a ring, what it took, the mills it closed. */
void puzzle_diagram_show_played(struct puzzle_diagram *diagram, kv_move move, enum puzzle_tint tint);
/* Shows a move that could be made in diagram->position. */
void puzzle_diagram_show_option(struct puzzle_diagram *diagram, kv_move move, enum puzzle_tint tint);

void puzzle_diagram_write(const struct puzzle_diagram *diagram, struct kv_buffer *out);

/* Adds text with the characters that mean something in XML replaced, control bytes by blanks. */
void puzzle_xml_text(struct kv_buffer *out, const char *text);

#endif
