#include "puzzle/explain.h"

#include <assert.h>

#include "board/movegen.h"

enum { PHRASES_MAX = 8, FEW_MOVES = 3 };

const char *puzzle_side_name(int side)
{
    return side == KV_WHITE ? "White" : "Black";
}

uint32_t puzzle_mill_threats(const struct kv_rules *rules, const struct kv_position *position, int side)
{
    struct kv_position turned = *position;
    kv_move moves[KV_MOVES_MAX];
    turned.side = (uint8_t)side;
    turned.due = 0;
    uint32_t points = 0;
    for (int i = kv_generate_closing(rules, &turned, moves); i-- > 0;)
        points |= 1u << kv_move_to(moves[i]);
    return points;
}

void puzzle_list_points(const struct kv_rules *rules, uint32_t points, struct kv_buffer *out)
{
    for (bool first = true; points; first = false) {
        int point = kv_take(&points);
        kv_buffer_format(out, "%s%s",
                         first    ? ""
                         : points ? ", "
                                  : " and ",
                         kv_board_of(rules)->point_names[point]);
    }
}

/* ---- Phrases ------------------------------------------------------------------------------------ */

struct phrases {
    const struct kv_rules *rules;
    struct kv_position before, after;
    kv_move move;
    int side;
    struct kv_buffer text[PHRASES_MAX];
    int count;
};

static struct kv_buffer *phrase(struct phrases *phrases)
{
    assert(phrases->count < PHRASES_MAX);
    return &phrases->text[phrases->count++];
}

static void write_mill(const struct kv_board *board, int mill, struct kv_buffer *out)
{
    const uint8_t *order = board->mill_order[mill];
    kv_buffer_format(out, "%s-%s-%s", board->point_names[order[0]], board->point_names[order[1]],
                     board->point_names[order[2]]);
}

static void tell_mills(struct phrases *phrases)
{
    const struct kv_board *board = kv_board_of(phrases->rules);
    unsigned to = kv_move_to(phrases->move), from = kv_move_from(phrases->move);
    uint32_t taken = 0, mills;
    unsigned captures[2] = {kv_move_capture(phrases->move), kv_move_second(phrases->move)};
    for (int i = 0; i < 2; i++)
        if (captures[i] != KV_NO_POINT)
            taken |= 1u << captures[i];
    mills = to == KV_NO_POINT ? 0 : kv_mills_through(board, phrases->after.stones[phrases->side], to);
    if (mills) {
        struct kv_buffer *out = phrase(phrases);
        bool swings =
            from != KV_NO_POINT && kv_mills_through(board, phrases->before.stones[phrases->side], from);
        kv_buffer_text(out, kv_popcount(mills) > 1 ? "closes two mills at once, "
                            : swings               ? "swings from one mill into another, "
                                                   : "closes the mill ");
        for (bool first = true; mills; first = false) {
            if (!first)
                kv_buffer_text(out, " and ");
            write_mill(board, kv_take(&mills), out);
        }
        if (!taken)
            kv_buffer_text(out, " (no stone may be taken)");
    }
    if (taken) {
        struct kv_buffer *out = phrase(phrases);
        kv_buffer_text(out, "takes ");
        puzzle_list_points(phrases->rules, taken, out);
    }
}

/* What becomes of the mills the other side was about to close. */
static void tell_defence(struct phrases *phrases)
{
    const char *other = puzzle_side_name(phrases->side ^ 1);
    uint32_t was = puzzle_mill_threats(phrases->rules, &phrases->before, phrases->side ^ 1);
    uint32_t is = puzzle_mill_threats(phrases->rules, &phrases->after, phrases->side ^ 1);
    uint32_t stopped = was & ~is, kept = was & is, opened = is & ~was;
    if (stopped) {
        kv_buffer_format(phrase(phrases), "stops %s's mill at ", other);
        puzzle_list_points(phrases->rules, stopped, &phrases->text[phrases->count - 1]);
    }
    if (kept) {
        kv_buffer_format(phrase(phrases), "leaves %s's mill at ", other);
        puzzle_list_points(phrases->rules, kept, &phrases->text[phrases->count - 1]);
        kv_buffer_text(&phrases->text[phrases->count - 1], " to be closed");
    }
    if (opened) {
        kv_buffer_format(phrase(phrases), "lets %s close a mill at ", other);
        puzzle_list_points(phrases->rules, opened, &phrases->text[phrases->count - 1]);
    }
}

static void tell_threats(struct phrases *phrases)
{
    uint32_t was = puzzle_mill_threats(phrases->rules, &phrases->before, phrases->side);
    uint32_t is = puzzle_mill_threats(phrases->rules, &phrases->after, phrases->side);
    uint32_t made = is & ~was;
    unsigned from = kv_move_from(phrases->move);
    if (!made)
        return;
    struct kv_buffer *out = phrase(phrases);
    bool reopens = from != KV_NO_POINT && made == 1u << from &&
                   kv_mills_through(kv_board_of(phrases->rules), phrases->before.stones[phrases->side], from);
    if (reopens) {
        kv_buffer_text(out, "opens a mill to close it again");
        return;
    }
    kv_buffer_text(out, kv_popcount(is) > 1 ? "threatens mills at " : "threatens a mill at ");
    puzzle_list_points(phrases->rules, is, out);
    if (kv_popcount(is) > 1)
        kv_buffer_text(out, " at once");
}

/* The state in which the other side is left. */
static void tell_remains(struct phrases *phrases)
{
    const struct kv_rules *rules = phrases->rules;
    const struct kv_position *after = &phrases->after;
    int other = phrases->side ^ 1;
    const char *name = puzzle_side_name(other);
    if (after->side != other || after->due)
        return;
    if (kv_too_few(after, other)) {
        kv_buffer_format(phrase(phrases), "leaves %s with two stones, which ends the game", name);
        return;
    }
    if (kv_is_blocked(rules, after)) {
        kv_buffer_format(phrase(phrases), "leaves %s without a move, which ends the game", name);
        return;
    }
    if (kv_flies(rules, after, other) && !kv_flies(rules, &phrases->before, other))
        kv_buffer_format(phrase(phrases), "brings %s down to three stones, which may fly", name);
    if (after->hand[other] > 0 || kv_flies(rules, after, other))
        return;
    uint32_t turns = 0; /* counted without the choice of captures */
    const struct kv_board *board = kv_board_of(rules);
    for (uint32_t stones = after->stones[other]; stones;)
        turns += (uint32_t)kv_popcount(board->neighbours[kv_take(&stones)] & board->all &
                                       ~(after->stones[0] | after->stones[1]));
    if (turns <= FEW_MOVES)
        kv_buffer_format(phrase(phrases), "leaves %s only %u move%s", name, turns, turns == 1 ? "" : "s");
}

bool puzzle_explain_move(const struct kv_rules *rules, const struct kv_position *before, kv_move move,
                         struct kv_buffer *out)
{
    struct phrases phrases = {
        .rules = rules, .before = *before, .after = *before, .move = move, .side = before->side};
    kv_position_play(rules, &phrases.after, move);
    tell_mills(&phrases);
    bool over = kv_position_result(rules, &phrases.after, NULL) != KV_ONGOING;
    if (!over && phrases.after.due == 0) {
        tell_threats(&phrases);
        tell_defence(&phrases);
    }
    tell_remains(&phrases);
    for (int i = 0; i < phrases.count; i++) {
        kv_buffer_format(out, "%s%s",
                         i == 0                   ? ""
                         : i + 1 == phrases.count ? " and "
                                                  : ", ",
                         phrases.text[i].data ? phrases.text[i].data : "");
        out->failed = out->failed || phrases.text[i].failed;
        kv_buffer_finish(&phrases.text[i]);
    }
    return phrases.count > 0;
}
