/* The position text: seventeen fields separated by blanks, then a marker. RULES.md has the grammar. */
#include <inttypes.h>
#include <stdio.h>

#include "base/span.h"
#include "board/movegen.h"

/* Point ids in the text start at 8, so that 0 can mean "none" as it does in older texts. */
enum { ID_BASE = 8, FIELDS_NEEDED = 8, FIELDS = 17, FIELDS_MAX = 18 };
/* The last move number whose plies can be counted. */
enum { MOVE_NUMBER_MAX = (UINT16_MAX + 1) / 2 };

enum field {
    F_BOARD,
    F_SIDE,
    F_PHASE,
    F_ACTION,
    F_ON_BOARD,       /* + 2 * side */
    F_IN_HAND,        /* + 2 * side */
    F_DUE = 8,        /* + side */
    F_LEFT_FROM = 10, /* + 2 * side */
    F_LEFT_TO = 11,   /* + 2 * side */
    F_MILLS = 14,
    F_QUIET,
    F_MOVE_NUMBER,
    F_MARKER,
};

static const char *const side_names[] = {"white", "black"};

struct reader {
    const struct kv_rules *rules;
    const struct kv_board *board;
    struct kv_span fields[FIELDS_MAX];
    int count;
    struct kv_error *error;
};

static int fail_field(const struct reader *reader, int field, const char *what)
{
    static const char *const names[] = {"board",
                                        "side",
                                        "phase",
                                        "action",
                                        "white on board",
                                        "white in hand",
                                        "black on board",
                                        "black in hand",
                                        "captures due to white",
                                        "captures due to black",
                                        "white's last mill from",
                                        "white's last mill to",
                                        "black's last mill from",
                                        "black's last mill to",
                                        "mills",
                                        "plies since a capture",
                                        "move number",
                                        "marker"};
    char shown[40];
    kv_span_show(reader->fields[field], shown, sizeof shown);
    return kv_fail(reader->error, KV_E_SYNTAX, "field %d (%s) '%s': %s", field + 1, names[field], shown,
                   what);
}

/* Texts of earlier generations leave the rule state out: eleven fields (one count of captures due,
 * that of the side to move) or twelve, ending in plies and move number. Spread them to their places. */
static void spread_older(struct reader *reader)
{
    int64_t last;
    static const struct kv_span none = {"0", 1};
    int count = reader->count;
    if ((count != 11 && count != 12) ||
        kv_span_int(reader->fields[count - 1], 1, UINT16_MAX, &last) != KV_OK ||
        kv_span_starts(reader->fields[count - 2], "-"))
        return;
    reader->fields[F_MOVE_NUMBER] = reader->fields[count - 1];
    reader->fields[F_QUIET] = reader->fields[count - 2];
    bool black = kv_span_is(reader->fields[F_SIDE], "b");
    if (count == 11) {
        struct kv_span due = reader->fields[F_DUE];
        reader->fields[F_DUE] = black ? none : due;
        reader->fields[F_DUE + 1] = black ? due : none;
    }
    for (int f = F_LEFT_FROM; f <= F_MILLS; f++)
        reader->fields[f] = none;
    reader->count = FIELDS;
}

static int split(struct reader *reader, struct kv_span text)
{
    for (;;) {
        struct kv_span token = kv_span_token(&text);
        if (token.length == 0)
            break;
        if (reader->count == FIELDS_MAX)
            return kv_fail(reader->error, KV_E_SYNTAX, "more than %d fields", FIELDS_MAX);
        reader->fields[reader->count++] = token;
    }
    if (reader->count > FIELDS_NEEDED && kv_span_starts(reader->fields[reader->count - 1], "ids:")) {
        if (!kv_span_is(reader->fields[reader->count - 1], "ids:nodes"))
            return fail_field(reader, reader->count - 1, "the only marker known is ids:nodes");
        reader->count--;
    }
    if (reader->count < FIELDS_NEEDED)
        return kv_fail(reader->error, KV_E_SYNTAX,
                       "%d fields, expected at least %d (board, side, phase, action, "
                       "then stones on board and in hand of white and of black)",
                       reader->count, FIELDS_NEEDED);
    if (reader->count > FIELDS)
        return fail_field(reader, FIELDS, "the only marker known is ids:nodes");
    spread_older(reader);
    return KV_OK;
}

static int read_board(const struct reader *reader, struct kv_position *position)
{
    struct kv_span text = reader->fields[F_BOARD];
    size_t at = 0;
    int point = 0;
    for (int ring = 0; reader->board->ring_lengths[ring] > 0; ring++) {
        if (ring > 0 && (at == text.length || text.at[at++] != '/'))
            return fail_field(reader, F_BOARD, "expected '/' after a full ring");
        for (int i = 0; i < reader->board->ring_lengths[ring]; i++, point++) {
            char c = at < text.length ? text.at[at++] : '\0';
            if (c == 'O')
                position->stones[KV_WHITE] |= 1u << point;
            else if (c == '@')
                position->stones[KV_BLACK] |= 1u << point;
            else if (c != '*')
                return fail_field(reader, F_BOARD,
                                  c == '/' || c == '\0' ? "a ring is too short"
                                                        : "a point is O (white), @ (black) or * (empty)");
        }
    }
    if (at != text.length)
        return fail_field(reader, F_BOARD, "more than the rings of this board");
    return KV_OK;
}

/* A number field; a missing one is `missing`. */
static int read_number(const struct reader *reader, int field, int64_t low, int64_t high, int64_t missing,
                       int64_t *value)
{
    *value = missing;
    if (field >= reader->count)
        return KV_OK;
    char expected[64];
    snprintf(expected, sizeof expected, "expected a whole number from %" PRId64 " to %" PRId64, low, high);
    int status = kv_span_int(reader->fields[field], low, high, value);
    return status ? fail_field(reader, field, expected) : KV_OK;
}

static int read_letter(const struct reader *reader, int field, const char *letters, const char *expected,
                       char *letter)
{
    struct kv_span text = reader->fields[field];
    for (const char *c = letters; text.length == 1 && *c; c++)
        if (*c == text.at[0]) {
            *letter = *c;
            return KV_OK;
        }
    return fail_field(reader, field, expected);
}

static int read_counts(const struct reader *reader, struct kv_position *position)
{
    for (int side = 0; side < 2; side++) {
        int64_t on_board, in_hand;
        int status = read_number(reader, F_ON_BOARD + 2 * side, 0, KV_POINTS_MAX, 0, &on_board);
        if (!status)
            status = read_number(reader, F_IN_HAND + 2 * side, 0, reader->rules->stones, 0, &in_hand);
        if (status)
            return status;
        char what[64];
        if (on_board != kv_popcount(position->stones[side])) {
            snprintf(what, sizeof what, "the board shows %d", kv_popcount(position->stones[side]));
            return fail_field(reader, F_ON_BOARD + 2 * side, what);
        }
        if (on_board + in_hand > reader->rules->stones) {
            snprintf(what, sizeof what, "%s has more than %d stones", side_names[side],
                     reader->rules->stones);
            return fail_field(reader,
                              on_board > reader->rules->stones ? F_ON_BOARD + 2 * side : F_IN_HAND + 2 * side,
                              what);
        }
        position->hand[side] = (uint8_t)in_hand;
    }
    return KV_OK;
}

static int read_due(const struct reader *reader, char action, struct kv_position *position)
{
    int64_t due[2];
    int status = read_number(reader, F_DUE, 0, 2, 0, &due[0]);
    if (!status)
        status = read_number(reader, F_DUE + 1, 0, 2, 0, &due[1]);
    if (status)
        return status;
    int side = position->side, field = F_DUE + side;
    if (action == 'r' && reader->count <= F_DUE)
        due[side] = 1; /* a short text tells a capture due by its action alone */
    if (due[side ^ 1] > 0)
        return fail_field(reader, F_DUE + (side ^ 1), "only the side to move can have captures due");
    if (action == 'r' && due[side] == 0)
        return fail_field(reader, F_ACTION, "no capture is due");
    if (action != 'r' && action != '?' && due[side] > 0)
        return fail_field(reader, F_ACTION, "a capture is due: expected r");
    if (due[side] == 0)
        return KV_OK;
    if (field >= reader->count)
        field = F_ACTION;
    uint32_t own = position->stones[side], victims = position->stones[side ^ 1];
    uint32_t twice, mills = kv_in_mills(reader->rules, own);
    kv_closing(reader->rules->board, own, &twice);
    if (mills == 0)
        return fail_field(reader, field, "a capture is due but there is no closed mill");
    if (due[side] == 2 && (twice & own) == 0)
        return fail_field(reader, field, "two captures are due but no stone stands in two mills");
    /* At most two lines close at once; of two captures due the first may be made already. */
    if (due[side] > kv_captures_owed(reader->rules, victims, 2))
        return fail_field(reader, field, "more captures due than the rules and the stones there allow");
    if (reader->rules->double_mill == KV_DOUBLE_ONE && kv_too_few(position, side ^ 1))
        return fail_field(reader, field, "the other side has already lost");
    position->due = (uint8_t)due[side];
    return KV_OK;
}

static int read_left_mill(const struct reader *reader, int side, struct kv_position *position)
{
    int64_t id[2];
    for (int i = 0; i < 2; i++) {
        int field = F_LEFT_FROM + 2 * side + i;
        int status = read_number(reader, field, -1, ID_BASE + reader->board->points - 1, -1, &id[i]);
        if (status)
            return status;
        if (id[i] > 0 && id[i] < ID_BASE)
            return fail_field(reader, field, "point ids start at 8; -1 and 0 are none");
    }
    bool set = id[0] > 0;
    if (set != (id[1] > 0) || (set && id[0] == id[1]))
        return fail_field(reader, F_LEFT_TO + 2 * side, "from and to are two points or both none");
    if (set && reader->rules->reclose_mill == KV_RECLOSE_NOT_AT_ONCE)
        position->reclose[side] = kv_left_mill((unsigned)id[0] - ID_BASE, (unsigned)id[1] - ID_BASE);
    return KV_OK;
}

/* The mill whose points are `points`, or the mills through a common point that make them up, or 0: no
 * single stone closes others. */
static uint32_t mills_of(const struct kv_board *board, uint32_t points)
{
    uint32_t mills = 0, covered = 0, common = board->all;
    for (int m = 0; m < board->mills; m++)
        if ((board->mill_points[m] & ~points) == 0) {
            mills |= 1u << m;
            covered |= board->mill_points[m];
            common &= board->mill_points[m];
        }
    return covered == points && common ? mills : 0;
}

/* 64 bits as a number, unsigned or, as some programs print it, signed. */
static int read_bits(struct kv_span text, uint64_t *bits)
{
    int64_t number, digit;
    int status = kv_span_int(text, INT64_MIN, INT64_MAX, &number);
    if (status != KV_E_RANGE) {
        if (status == KV_OK)
            *bits = (uint64_t)number;
        return status;
    }
    struct kv_span last = {text.at + --text.length, 1};
    uint64_t sum;
    if (kv_span_int(text, 0, INT64_MAX, &number) != KV_OK || kv_span_int(last, 0, 9, &digit) != KV_OK ||
        __builtin_mul_overflow((uint64_t)number, 10u, &sum) ||
        __builtin_add_overflow(sum, (uint64_t)digit, &sum))
        return KV_E_RANGE;
    *bits = sum;
    return KV_OK;
}

static int read_mills(const struct reader *reader, struct kv_position *position)
{
    uint64_t bits = 0;
    if (reader->count > F_MILLS && read_bits(reader->fields[F_MILLS], &bits) != KV_OK)
        return fail_field(reader, F_MILLS, "expected a whole number of 64 bits");
    if (bits == UINT64_MAX || reader->rules->reclose_mill != KV_RECLOSE_NOT_TWICE)
        return KV_OK; /* -1 is none */
    for (int side = 0; side < 2; side++) {
        uint32_t half = (uint32_t)(side == KV_WHITE ? bits >> 32 : bits);
        uint32_t points = half >> ID_BASE, mills = mills_of(reader->board, points);
        if ((half & ((1u << ID_BASE) - 1)) != 0 || (points && !mills))
            return fail_field(reader, F_MILLS,
                              "expected the points of each side's last mill (white << 32 | black)");
        position->reclose[side] = mills;
    }
    return KV_OK;
}

static int check_phase(const struct reader *reader, char phase, const struct kv_position *position)
{
    bool in_hand = position->hand[0] + position->hand[1] > 0;
    if (phase == 'm' && position->hand[position->side] > 0)
        return fail_field(reader, F_PHASE, "the side to move still has stones in hand");
    if (phase == 'p' && !in_hand && position->due == 0)
        return fail_field(reader, F_PHASE, "no stones are left to place");
    return KV_OK;
}

static int read_fields(const struct reader *reader, struct kv_position *position)
{
    char side = 0, phase = 0, action = 0;
    int64_t quiet, number;
    int status = read_board(reader, position);
    if (!status)
        status = read_letter(reader, F_SIDE, "wb", "expected w or b", &side);
    if (!status)
        status = read_letter(reader, F_PHASE, "rpmo", "expected r, p, m or o", &phase);
    if (!status)
        status = read_letter(reader, F_ACTION, "psr?", "expected p, s, r or ?", &action);
    if (!status)
        status = read_counts(reader, position);
    position->side = side == 'b' ? KV_BLACK : KV_WHITE;
    if (!status)
        status = read_due(reader, action, position);
    for (int s = 0; s < 2 && !status; s++)
        status = read_left_mill(reader, s, position);
    if (!status)
        status = read_mills(reader, position);
    if (!status)
        status = check_phase(reader, phase, position);
    if (!status)
        status = read_number(reader, F_QUIET, 0, UINT16_MAX, 0, &quiet);
    if (!status)
        status = read_number(reader, F_MOVE_NUMBER, 0, MOVE_NUMBER_MAX, 1, &number);
    if (status)
        return status;
    position->quiet = (uint16_t)quiet;
    int before = number > 0 ? (int)number - 1 : 0;
    position->ply = (uint16_t)(2 * before + (position->side != reader->rules->first_move));
    return KV_OK;
}

int kv_position_read(const struct kv_rules *rules, const char *text, size_t length,
                     struct kv_position *position, struct kv_error *error)
{
    struct reader reader = {.rules = rules, .board = kv_board_of(rules), .error = error};
    int status = split(&reader, (struct kv_span){text, length});
    if (status)
        return status;
    struct kv_position result = {0};
    status = read_fields(&reader, &result);
    if (status)
        return status;
    *position = result;
    return KV_OK;
}

static uint64_t mill_bits(const struct kv_board *board, uint32_t mills)
{
    uint32_t points = 0;
    while (mills)
        points |= board->mill_points[kv_take(&mills)];
    return (uint64_t)points << ID_BASE;
}

size_t kv_position_write(const struct kv_rules *rules, const struct kv_position *position,
                         char buffer[KV_POSITION_TEXT_MAX])
{
    const struct kv_board *board = kv_board_of(rules);
    int side = position->side;
    size_t n = 0;
    int point = 0;
    for (int ring = 0; board->ring_lengths[ring] > 0; ring++) {
        if (ring > 0)
            buffer[n++] = '/';
        for (int i = 0; i < board->ring_lengths[ring]; i++, point++)
            buffer[n++] = position->stones[KV_WHITE] >> point & 1   ? 'O'
                          : position->stones[KV_BLACK] >> point & 1 ? '@'
                                                                    : '*';
    }
    bool over = kv_position_result(rules, position, NULL) != KV_ONGOING;
    char phase = over ? 'o' : position->hand[0] + position->hand[1] > 0 ? 'p' : 'm';
    char action = over ? '?' : position->due > 0 ? 'r' : position->hand[side] > 0 ? 'p' : 's';
    int left[4] = {-1, -1, -1, -1};
    uint64_t mills = 0;
    for (int s = 0; s < 2; s++) {
        uint32_t state = position->reclose[s];
        if (state && rules->reclose_mill == KV_RECLOSE_NOT_AT_ONCE) {
            left[2 * s] = (int)(state >> 5 & 31) + ID_BASE;
            left[2 * s + 1] = (int)(state & 31) + ID_BASE;
        } else if (state)
            mills |= mill_bits(board, state) << (s == KV_WHITE ? 32 : 0);
    }
    int due[2] = {0, 0};
    due[side] = position->due;
    int number = (position->ply - (side != rules->first_move)) / 2 + 1;
    n += (size_t)snprintf(buffer + n, KV_POSITION_TEXT_MAX - n,
                          " %c %c %c %d %d %d %d %d %d %d %d %d %d %" PRIu64 " %d %d ids:nodes",
                          side == KV_WHITE ? 'w' : 'b', phase, action, kv_popcount(position->stones[0]),
                          position->hand[0], kv_popcount(position->stones[1]), position->hand[1], due[0],
                          due[1], left[0], left[1], left[2], left[3], mills, position->quiet, number);
    return n;
}
