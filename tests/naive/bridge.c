#include "bridge.h"

#include <stdlib.h>
#include <string.h>

/* The order of points in a position text: inner, middle, outer square, clockwise from the top. */
static const char *const text_order[NAIVE_POINTS] = {
    "d5", "e5", "e4", "e3", "d3", "c3", "c4", "c5", "d6", "f6", "f4", "f2",
    "d2", "b2", "b4", "b6", "d7", "g7", "g4", "g1", "d1", "a1", "a4", "a7",
};

struct naive_rules bridge_rules(const struct kv_rules *rules)
{
    struct naive_rules result = {
        .flying = rules->flying,
        .double_takes_two = rules->double_mill == KV_DOUBLE_TWO,
        .repetition = rules->repetition,
        .no_capture_limit = rules->no_capture_limit,
    };
    switch (rules->mill_protection) {
    case KV_PROTECT_UNLESS_ALL: result.protection = NAIVE_UNLESS_ALL; break;
    case KV_PROTECT_ALWAYS: result.protection = NAIVE_ALWAYS; break;
    case KV_PROTECT_NEVER: result.protection = NAIVE_NEVER; break;
    }
    switch (rules->reclose_mill) {
    case KV_RECLOSE_ALLOWED: result.reclose = NAIVE_ALLOWED; break;
    case KV_RECLOSE_NOT_TWICE: result.reclose = NAIVE_NOT_TWICE; break;
    case KV_RECLOSE_NOT_AT_ONCE: result.reclose = NAIVE_NOT_AT_ONCE; break;
    }
    return result;
}

int bridge_point(unsigned point)
{
    return point == KV_NO_POINT ? -1 : naive_point(text_order[point]);
}

/* The point numbers out of a position text written under these rules: white from, white to, black
 * from, black to; and the mills. Reading them back from the text keeps the bit layout of the state out
 * of this file. */
static void read_state(const struct kv_rules *rules, const struct kv_position *position, int ids[4],
                       uint64_t *mills)
{
    char text[KV_POSITION_TEXT_MAX];
    kv_position_write(rules, position, text);
    char *field = strtok(text, " ");
    for (int f = 0; field; f++, field = strtok(NULL, " ")) {
        if (f >= 10 && f < 14)
            ids[f - 10] = (int)strtol(field, NULL, 10);
        if (f == 14)
            *mills = strtoull(field, NULL, 10);
    }
}

static void bridge_state(const struct kv_rules *rules, const struct kv_position *position,
                         struct naive_position *result)
{
    int ids[4] = {-1, -1, -1, -1};
    uint64_t mills = 0;
    read_state(rules, position, ids, &mills);
    for (int side = 0; side < 2; side++) {
        result->left_from[side] = ids[2 * side] < 0 ? -1 : bridge_point((unsigned)ids[2 * side] - 8);
        result->left_to[side] = ids[2 * side + 1] < 0 ? -1 : bridge_point((unsigned)ids[2 * side + 1] - 8);
        uint32_t half = (uint32_t)(side == 0 ? mills >> 32 : mills);
        bool in_set[NAIVE_POINTS] = {false};
        for (unsigned p = 0; p < NAIVE_POINTS; p++)
            if (half >> (p + 8) & 1)
                in_set[bridge_point(p)] = true;
        for (int m = 0; m < NAIVE_MILLS; m++) {
            bool all = true, passes = false;
            for (int i = 0; i < 3; i++) {
                all &= in_set[naive_mill_point(m, i)];
                passes |= naive_mill_point(m, i) == result->left_from[side];
            }
            result->last_mill[side][m] = all;
            result->left_mill[side][m] = passes;
        }
    }
}

struct naive_position bridge_position(const struct kv_rules *rules, const struct kv_position *position)
{
    struct naive_position result = naive_start(0, position->side);
    for (unsigned p = 0; p < NAIVE_POINTS; p++)
        for (int side = 0; side < 2; side++)
            if (position->stones[side] >> p & 1)
                result.at[bridge_point(p)] = side == 0 ? 'O' : '@';
    result.hand[0] = position->hand[0];
    result.hand[1] = position->hand[1];
    result.due = position->due;
    result.quiet = position->quiet;
    if (position->reclose[0] || position->reclose[1])
        bridge_state(rules, position, &result);
    return result;
}

const char *bridge_result(enum kv_result result, enum kv_reason reason)
{
    static const char *const words[4][5] = {
        [KV_ONGOING] = {[KV_NO_REASON] = ""},
        [KV_WHITE_WINS] = {[KV_TOO_FEW_STONES] = "white few", [KV_BLOCKED] = "white blocked"},
        [KV_BLACK_WINS] = {[KV_TOO_FEW_STONES] = "black few", [KV_BLOCKED] = "black blocked"},
        [KV_DRAW] = {[KV_REPETITION] = "draw repetition", [KV_NO_CAPTURE] = "draw limit"},
    };
    const char *word = words[result][reason];
    return word ? word : "a result that does not go with its reason";
}
