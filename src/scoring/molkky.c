#include "scoring/molkky.h"

#include <stdio.h>

enum { THROW, PINS, FOUL };                /* values[0] of an input; then points, then the set of pins */
enum { FOUL_X, FOUL_IMO, FOUL_NONE };      /* the option `foul` */
enum { GOAL = KV_MOLKKY_GOAL, FALL = 25 }; /* what wins, and where going over it leads */
enum { IMO_FROM = 37 };                    /* a total from which a foul costs points under foul=imo */

static const struct kv_card_option options[] = {
    {"foul", "x|imo|none", 0, 2, FOUL_X,
     "what a foul costs: an X; an X and, from 37, the fall to 25; not played"},
    {0},
};

static const struct kv_card_verb verbs[] = {
    {"throw", "0|X|1..12 | pins N,N,...", "what the throw brought, or which pins it felled"},
    {"foul", "", "a foul, such as a run-up: an X (option foul)"},
    {0},
};

static void start(void *state, const struct kv_card_setup *setup)
{
    struct kv_molkky *game = state;
    game->setup = setup;
    game->live = setup->side_count;
}

static const char *expected(const void *state)
{
    (void)state;
    return "throw";
}

/* "3,10,4" into a set of pins. */
static int read_pins(struct kv_span text, unsigned *set, struct kv_error *error)
{
    char shown[40];
    kv_span_show(text, shown, sizeof shown);
    *set = 0;
    for (size_t i = 0; i <= text.length; i++) {
        struct kv_span number = {text.at + i, 0};
        while (i < text.length && text.at[i] != ',') {
            i++;
            number.length++;
        }
        int64_t pin;
        if (kv_span_int(number, 1, 12, &pin) != KV_OK)
            return kv_fail(error, KV_E_RANGE, "throw pins '%s': expected pins from 1 to 12, as in 3,10,4",
                           shown);
        if (*set & 1u << pin)
            return kv_fail(error, KV_E_RANGE, "throw pins '%s': expected each pin once, %d stands twice",
                           shown, (int)pin);
        *set |= 1u << pin;
    }
    return KV_OK;
}

static int pins_points(unsigned set)
{
    int count = __builtin_popcount(set);
    return count == 1 ? __builtin_ctz(set) : count;
}

static int read_throw(struct kv_span rest, struct kv_card_input *input, struct kv_error *error)
{
    struct kv_span word = kv_span_token(&rest), pins = kv_span_token(&rest);
    char shown[40];
    kv_span_show(word, shown, sizeof shown);
    unsigned set = 0;
    int64_t points = 0;
    bool by_pins = kv_span_is(word, "pins");
    if (by_pins) {
        int status = read_pins(pins, &set, error);
        if (status != KV_OK)
            return status;
        points = pins_points(set);
        pins = kv_span_token(&rest);
    } else if (!kv_span_is_nocase(word, "x") && kv_span_int(word, 0, 12, &points) != KV_OK) {
        return kv_fail(error,
                       word.length > 0 && word.at[0] >= '0' && word.at[0] <= '9' ? KV_E_RANGE : KV_E_SYNTAX,
                       "throw '%s': expected 0 or X, 1 to 12, or pins 3,10,4", shown);
    }
    if (pins.length > 0)
        return kv_fail(error, KV_E_SYNTAX, "throw: expected nothing after '%s'",
                       by_pins ? "pins N,N" : shown);
    input->values[0] = by_pins ? PINS : THROW;
    input->values[1] = points;
    input->values[2] = set;
    return KV_OK;
}

static int read(const void *state, struct kv_span verb, struct kv_span rest, struct kv_card_input *input,
                struct kv_error *error)
{
    const struct kv_molkky *game = state;
    int status = kv_card_input_reserve(input, 3, error);
    if (status != KV_OK)
        return status;
    input->values[0] = FOUL;
    input->values[1] = input->values[2] = 0;
    if (kv_span_is(verb, "throw")) {
        status = read_throw(rest, input, error);
        if (status != KV_OK)
            return status;
    } else if (kv_span_trim(rest).length > 0) {
        return kv_fail(error, KV_E_SYNTAX, "foul: expected nothing after it");
    } else if (game->setup->options[0] == FOUL_NONE) {
        return kv_fail(error, KV_E_ILLEGAL, "foul: this game has foul=none, expected what fell");
    }
    if (game->over)
        return kv_fail(error, KV_E_ILLEGAL, "the game is over: expected undo, edit or new");
    input->count = 3;
    return KV_OK;
}

static void write(const struct kv_card_setup *setup, const struct kv_card_input *input, struct kv_buffer *out)
{
    (void)setup;
    if (input->values[0] == FOUL) {
        kv_buffer_text(out, "foul");
    } else if (input->values[0] == PINS) {
        const char *before = "throw pins ";
        for (int pin = 1; pin <= 12; pin++) {
            if (!(input->values[2] & 1 << pin))
                continue;
            kv_buffer_format(out, "%s%d", before, pin);
            before = ",";
        }
    } else if (input->values[1] == 0) {
        kv_buffer_text(out, "throw X");
    } else {
        kv_buffer_format(out, "throw %d", (int)input->values[1]);
    }
}

static void mark(const struct kv_card_setup *setup, const struct kv_card_input *input, struct kv_buffer *out)
{
    (void)setup;
    if (input->values[1] > 0)
        kv_buffer_format(out, "%d", (int)input->values[1]);
    else
        kv_buffer_text(out, input->values[0] == FOUL ? "X!" : "X");
}

static void note(struct kv_buffer *notes, const char *name, const char *what)
{
    if (notes)
        kv_buffer_format(notes, "%s %s\n", name, what);
}

static void add_miss(struct kv_molkky *game, struct kv_molkky_side *side, struct kv_buffer *notes)
{
    const char *name = game->setup->sides[game->turn].name;
    side->run++;
    if (side->run == 2)
        note(notes, name, "has two X: one more and it is out");
    if (side->run < 3)
        return;
    side->out = ++game->outs;
    game->live--;
    note(notes, name, "has three X running and is out");
}

static void add_points(struct kv_molkky *game, struct kv_molkky_side *side, int points,
                       struct kv_buffer *notes)
{
    const char *name = game->setup->sides[game->turn].name;
    side->run = 0;
    side->total += points;
    if (side->total > GOAL) {
        side->total = FALL;
        note(notes, name, "went over 50 and falls back to 25");
    } else if (side->total == GOAL) {
        game->over = true;
        note(notes, name, "has 50 and wins");
    }
}

static void pass_on(struct kv_molkky *game, struct kv_buffer *notes)
{
    if (game->over)
        return;
    do {
        game->turn = (game->turn + 1) % game->setup->side_count;
    } while (game->sides[game->turn].out);
    if (game->live == 1) {
        game->over = true;
        note(notes, game->setup->sides[game->turn].name, "is the last one in and wins");
    }
}

static void apply(void *state, const struct kv_card_input *input, struct kv_card_outcome *outcome)
{
    struct kv_molkky *game = state;
    struct kv_molkky_side *side = &game->sides[game->turn];
    int points = (int)input->values[1];
    outcome->side = game->turn;
    outcome->member = kv_card_member_at(game->setup, game->turn, side->throws);
    outcome->row = side->throws++;
    outcome->points = points;
    outcome->miss = points == 0;
    if (points > 0) {
        add_points(game, side, points, outcome->notes);
    } else {
        if (input->values[0] == FOUL && game->setup->options[0] == FOUL_IMO && side->total >= IMO_FROM)
            side->total = FALL;
        add_miss(game, side, outcome->notes);
    }
    outcome->total = side->total;
    pass_on(game, outcome->notes);
}

static void turn(const void *state, struct kv_card_turn *out)
{
    const struct kv_molkky *game = state;
    *out = (struct kv_card_turn){
        .over = game->over,
        .side = game->turn,
        .member = kv_card_member_at(game->setup, game->turn, game->sides[game->turn].throws),
        .shots = -1,
    };
}

static void standing(const void *state, size_t side, struct kv_card_standing *out)
{
    static const char *const remarks[] = {"", "X", "XX", "out"};
    const struct kv_molkky *game = state;
    const struct kv_molkky_side *it = &game->sides[side];
    out->total = it->total;
    /* Sides that are out rank below all others, the later the higher. */
    out->key = it->out ? it->out - INT64_MAX : it->total;
    snprintf(out->remark, sizeof out->remark, "%s", remarks[it->run]);
}

static bool json(const void *state, cJSON *object)
{
    const struct kv_molkky *game = state;
    return cJSON_AddNumberToObject(object, "live", (double)game->live) != NULL;
}

static bool json_side(const void *state, size_t side, cJSON *object)
{
    const struct kv_molkky *game = state;
    return cJSON_AddNumberToObject(object, "x", game->sides[side].run) &&
           cJSON_AddBoolToObject(object, "out", game->sides[side].out > 0);
}

const struct kv_card_module kv_molkky_module = {
    .name = "molkky",
    .least_sides = 2,
    .options = options,
    .verbs = verbs,
    .size = sizeof(struct kv_molkky),
    .side_size = sizeof(struct kv_molkky_side),
    .start = start,
    .expected = expected,
    .read = read,
    .write = write,
    .mark = mark,
    .apply = apply,
    .turn = turn,
    .standing = standing,
    .label = kv_card_label,
    .advice = kv_molkky_advice,
    .json = json,
    .json_side = json_side,
};
