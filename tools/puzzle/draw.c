/* kvern-puzzle diagram: a position as an SVG picture. */
#include <string.h>

#include "board/movegen.h"
#include "puzzle/cli.h"
#include "puzzle/diagram.h"

struct draw {
    struct puzzle_cli cli;
    struct kv_buffer position; /* the words of the position text */
    const char *arrows[PUZZLE_ARROWS_MAX], *marks[PUZZLE_MARKS_MAX], *move, *title;
    int arrow_count, mark_count, width;
    bool play, mills, bare;
};

enum { KEY_MOVE = 512, KEY_PLAY, KEY_MILLS, KEY_BARE, KEY_TITLE, KEY_WIDTH };

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct draw *draw = state->input;
    int64_t width;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &draw->cli; return 0;
    case 'a':
        if (draw->arrow_count == PUZZLE_ARROWS_MAX)
            argp_error(state, "more than %d arrows", PUZZLE_ARROWS_MAX);
        draw->arrows[draw->arrow_count++] = text;
        return 0;
    case 'm':
        if (draw->mark_count == PUZZLE_MARKS_MAX)
            argp_error(state, "more than %d marks", PUZZLE_MARKS_MAX);
        draw->marks[draw->mark_count++] = text;
        return 0;
    case KEY_MOVE: draw->move = text; return 0;
    case KEY_PLAY:
        draw->move = text;
        draw->play = true;
        return 0;
    case KEY_MILLS: draw->mills = true; return 0;
    case KEY_BARE: draw->bare = true; return 0;
    case KEY_TITLE: draw->title = text; return 0;
    case KEY_WIDTH:
        if (kv_span_int(kv_span_of(text), 16, 10000, &width))
            argp_error(state, "--width %s: expected a number from 16 to 10000", text);
        draw->width = (int)width;
        return 0;
    case ARGP_KEY_ARG: kv_buffer_format(&draw->position, "%s%s", state->arg_num ? " " : "", text); return 0;
    case ARGP_KEY_NO_ARGS: argp_error(state, "which position?"); return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

/* Cuts ":tint" off the end of a word; false when the tint is unknown. */
static bool cut_tint(struct kv_span *word, enum puzzle_tint *tint)
{
    const char *colon = memchr(word->at, ':', word->length);
    *tint = PUZZLE_NOTE;
    if (colon == NULL)
        return true;
    struct kv_span name = {colon + 1, word->length - (size_t)(colon + 1 - word->at)};
    word->length = (size_t)(colon - word->at);
    return puzzle_tint_read(name, tint);
}

static int add_decoration(struct puzzle_diagram *diagram, const char *text, bool is_arrow)
{
    struct kv_span word = kv_span_of(text);
    enum puzzle_tint tint;
    if (!cut_tint(&word, &tint))
        return puzzle_complain(PUZZLE_EXIT_USAGE, "'%s': the tints are plain, good, bad, note", text);
    unsigned a = puzzle_point(diagram->rules, (struct kv_span){word.at, word.length < 2 ? 0 : 2});
    if (!is_arrow) {
        if (a == KV_NO_POINT || word.length != 2)
            return puzzle_complain(PUZZLE_EXIT_USAGE, "--mark '%s': expected a point, as in d6 or d6:good",
                                   text);
        puzzle_diagram_mark(diagram, a, tint);
        return PUZZLE_EXIT_OK;
    }
    unsigned b = word.length == 5 && word.at[2] == '-'
                     ? puzzle_point(diagram->rules, (struct kv_span){word.at + 3, 2})
                     : KV_NO_POINT;
    if (a == KV_NO_POINT || b == KV_NO_POINT || a == b)
        return puzzle_complain(PUZZLE_EXIT_USAGE,
                               "--arrow '%s': expected two points, as in a1-a4 or a1-a4:bad", text);
    puzzle_diagram_arrow(diagram, a, b, tint);
    return PUZZLE_EXIT_OK;
}

static int fill(const struct draw *draw, struct puzzle_diagram *diagram)
{
    struct kv_error error;
    kv_move move;
    const struct kv_rules *rules = diagram->rules;
    if (puzzle_position_read(rules, draw->position.data, draw->position.length, &diagram->position, &error))
        return puzzle_complain(PUZZLE_EXIT_INPUT, "the position: %s", error.text);
    if (draw->move) {
        if (kv_move_read(rules, &diagram->position, draw->move, strlen(draw->move), &move, &error))
            return puzzle_complain(PUZZLE_EXIT_INPUT, "the move '%s': %s", draw->move, error.text);
        if (draw->play) {
            kv_position_play(rules, &diagram->position, move);
            puzzle_diagram_show_played(diagram, move, PUZZLE_PLAIN);
        } else {
            puzzle_diagram_show_option(diagram, move, PUZZLE_GOOD);
        }
    }
    int code = PUZZLE_EXIT_OK;
    for (int i = 0; i < draw->arrow_count && code == PUZZLE_EXIT_OK; i++)
        code = add_decoration(diagram, draw->arrows[i], true);
    for (int i = 0; i < draw->mark_count && code == PUZZLE_EXIT_OK; i++)
        code = add_decoration(diagram, draw->marks[i], false);
    const struct kv_board *board = kv_board_of(rules);
    for (int m = 0; m < board->mills && draw->mills; m++)
        for (int side = 0; side < 2; side++)
            if ((board->mill_points[m] & ~diagram->position.stones[side]) == 0)
                diagram->mills |= 1u << m;
    return code;
}

int puzzle_draw(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"arrow", 'a', "A-B[:TINT]", 0, "An arrow between two points; TINT is plain, good, bad or note", 0},
        {"mark", 'm', "POINT[:TINT]", 0, "A ring round a point", 0},
        {"move", KEY_MOVE, "MOVE", 0, "Show a move that could be made", 0},
        {"played", KEY_PLAY, "MOVE", 0, "Make a move and show what it did", 0},
        {"mills", KEY_MILLS, NULL, 0, "Underline the closed mills", 0},
        {"bare", KEY_BARE, NULL, 0, "No coordinates", 0},
        {"title", KEY_TITLE, "TEXT", 0, "For readers who cannot see it (the position text)", 0},
        {"width", KEY_WIDTH, "PIXELS", 0, "Of the picture, which scales without loss (440)", 0},
        {0}};
    static const struct argp_child children[] = {{&puzzle_common_argp, 0, NULL, 0}, {0}};
    static const struct argp argp = {
        .options = options,
        .parser = parse,
        .args_doc = "POSITION",
        .children = children,
        .doc = "A picture of a board, fit for print, as SVG. POSITION is a position text, in one argument or "
               "several, or startpos."
               "\vExit codes: 0 written, 2 bad arguments, 3 no such position or move, 4 files."};
    struct draw draw = {0};
    puzzle_cli_init(&draw.cli);
    argp_parse(&argp, argc, argv, 0, NULL, &draw);
    struct puzzle_diagram diagram = {
        .rules = &draw.cli.rules, .hide_coordinates = draw.bare, .width = draw.width, .title = draw.title};
    int code = fill(&draw, &diagram);
    struct kv_buffer out = {0};
    if (code == PUZZLE_EXIT_OK) {
        puzzle_diagram_write(&diagram, &out);
        code = puzzle_write_output(&draw.cli, &out);
    }
    kv_buffer_finish(&out);
    kv_buffer_finish(&draw.position);
    return code;
}
