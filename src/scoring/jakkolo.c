#include "scoring/jakkolo.h"

#include <stdio.h>
#include <string.h>

enum { ATTEMPT, THROW_BONUS }; /* values[0] of an input; then the four gates */
enum { OPTION_DISCS, OPTION_GAMES, OPTION_BONUS };
enum { BONUS_ALL_IN, BONUS_FULL, BONUS_NONE }; /* the option `bonus` */

const int kv_jakkolo_values[KV_JAKKOLO_GATES] = {2, 3, 4, 1};

static const struct kv_card_option options[] = {
    {"discs", NULL, 1, 1000, 30, "discs of each player"},
    {"games", NULL, 1, 1000000, 1, "games added up"},
    {"bonus", "all-in|148|none", 0, 2, BONUS_ALL_IN,
     "what earns bonus discs: all discs in; all in and worth the most they can be; nothing"},
    {0},
};

static const struct kv_card_verb verbs[] = {
    {"attempt", "G1 G2 G3 G4", "discs newly passed through the gates 2 3 4 1, in board order"},
    {"bonus", "G1 G2 G3 G4", "the same for the bonus discs"},
    {0},
};

int64_t kv_jakkolo_score(const int64_t gates[KV_JAKKOLO_GATES])
{
    int64_t sum = 0, sets = gates[0];
    for (int i = 0; i < KV_JAKKOLO_GATES; i++) {
        sum += kv_jakkolo_values[i] * gates[i];
        if (gates[i] < sets)
            sets = gates[i];
    }
    return sum + 10 * sets;
}

/* For each number of sets that can be completed: complete them, and put what is left where a disc is
 * worth most, the third gate. One of these is best. */
int64_t kv_jakkolo_best(const int64_t gates[KV_JAKKOLO_GATES], int64_t discs, int64_t best[KV_JAKKOLO_GATES])
{
    int64_t most = -1, sets = gates[0];
    for (int i = 1; i < KV_JAKKOLO_GATES; i++)
        sets = gates[i] < sets ? gates[i] : sets;
    for (;; sets++) {
        int64_t left = discs, filled[KV_JAKKOLO_GATES];
        for (int i = 0; i < KV_JAKKOLO_GATES; i++) {
            filled[i] = gates[i] > sets ? gates[i] : sets;
            left -= filled[i] - gates[i];
        }
        if (left < 0)
            return most;
        filled[2] += left;
        int64_t score = kv_jakkolo_score(filled);
        if (score <= most)
            continue;
        most = score;
        if (best)
            memcpy(best, filled, sizeof filled);
    }
}

static int64_t sum_of(const int64_t gates[KV_JAKKOLO_GATES])
{
    return gates[0] + gates[1] + gates[2] + gates[3];
}

int64_t kv_jakkolo_bonus(const struct kv_jakkolo *game, const int64_t gates[KV_JAKKOLO_GATES])
{
    static const int64_t nothing[KV_JAKKOLO_GATES];
    int64_t extra = game->attempt < 2 ? 2 - (int64_t)game->attempt : 0;
    switch (game->setup->options[OPTION_BONUS]) {
    case BONUS_ALL_IN: return extra;
    case BONUS_FULL:
        return kv_jakkolo_score(gates) == kv_jakkolo_best(nothing, game->discs, NULL) ? extra : 0;
    default: return 0;
    }
}

int64_t kv_jakkolo_in_hand(const struct kv_jakkolo *game)
{
    return game->due ? game->due : game->discs - sum_of(game->sides[game->turn].gates);
}

static void start(void *state, const struct kv_card_setup *setup)
{
    struct kv_jakkolo *game = state;
    game->setup = setup;
    game->discs = setup->options[OPTION_DISCS];
    game->games = setup->options[OPTION_GAMES];
}

static const char *expected(const void *state)
{
    const struct kv_jakkolo *game = state;
    return game->due ? "bonus" : "attempt";
}

static int read_gates(const struct kv_jakkolo *game, struct kv_span verb, struct kv_span rest,
                      int64_t gates[KV_JAKKOLO_GATES], struct kv_error *error)
{
    char shown[24];
    int name = (int)verb.length;
    for (int i = 0; i < KV_JAKKOLO_GATES; i++) {
        struct kv_span word = kv_span_token(&rest);
        if (kv_span_int(word, 0, 1000000, &gates[i]) != KV_OK)
            return kv_fail(error, KV_E_SYNTAX,
                           "%.*s '%s': expected four numbers of discs, for the gates 2 3 4 1", name, verb.at,
                           kv_span_show(word, shown, sizeof shown));
    }
    if (kv_span_trim(rest).length > 0)
        return kv_fail(error, KV_E_SYNTAX, "%.*s: expected four numbers, found more", name, verb.at);
    int64_t hand = kv_jakkolo_in_hand(game);
    if (!game->over && sum_of(gates) > hand)
        return kv_fail(error, KV_E_ILLEGAL,
                       "%.*s: %lld discs, expected at most the %lld in hand (%lld > %lld)", name, verb.at,
                       (long long)sum_of(gates), (long long)hand, (long long)sum_of(gates), (long long)hand);
    return KV_OK;
}

static int read(const void *state, struct kv_span verb, struct kv_span rest, struct kv_card_input *input,
                struct kv_error *error)
{
    const struct kv_jakkolo *game = state;
    bool bonus = kv_span_is(verb, "bonus");
    int64_t gates[KV_JAKKOLO_GATES];
    int status = read_gates(game, verb, rest, gates, error);
    if (status != KV_OK)
        return status;
    if (game->over)
        return kv_fail(error, KV_E_ILLEGAL, "the match is over: expected undo, edit or new");
    if (bonus && !game->due)
        return kv_fail(error, KV_E_ILLEGAL, "bonus: no bonus discs are due, expected an attempt");
    if (!bonus && game->due)
        return kv_fail(error, KV_E_ILLEGAL, "attempt: expected bonus, %lld bonus discs are due",
                       (long long)game->due);
    status = kv_card_input_reserve(input, 1 + KV_JAKKOLO_GATES, error);
    if (status != KV_OK)
        return status;
    input->values[0] = bonus ? THROW_BONUS : ATTEMPT;
    memcpy(input->values + 1, gates, sizeof gates);
    input->count = 1 + KV_JAKKOLO_GATES;
    return KV_OK;
}

static void mark(const struct kv_card_setup *setup, const struct kv_card_input *input, struct kv_buffer *out)
{
    (void)setup;
    for (int i = 0; i < KV_JAKKOLO_GATES; i++)
        kv_buffer_format(out, i ? " %lld" : "%lld", (long long)input->values[1 + i]);
}

static void write(const struct kv_card_setup *setup, const struct kv_card_input *input, struct kv_buffer *out)
{
    kv_buffer_text(out, input->values[0] == THROW_BONUS ? "bonus " : "attempt ");
    mark(setup, input, out);
}

static int64_t match_total(const struct kv_jakkolo *game, size_t side)
{
    return game->sides[side].past + kv_jakkolo_score(game->sides[side].gates);
}

static void note_winners(const struct kv_jakkolo *game, struct kv_buffer *notes)
{
    int64_t best = 0;
    if (!notes)
        return;
    for (size_t side = 0; side < game->setup->side_count; side++)
        best = match_total(game, side) > best ? match_total(game, side) : best;
    for (size_t side = 0; side < game->setup->side_count; side++)
        if (match_total(game, side) == best)
            kv_buffer_format(notes, "%s wins with %lld\n", game->setup->sides[side].name, (long long)best);
}

static void next_game(struct kv_jakkolo *game)
{
    for (size_t side = 0; side < game->setup->side_count; side++) {
        game->sides[side].past = match_total(game, side);
        memset(game->sides[side].gates, 0, sizeof game->sides[side].gates);
    }
    game->game++;
}

/* The side to play has thrown all it had in this game. */
static void pass(struct kv_jakkolo *game, struct kv_card_outcome *outcome)
{
    game->attempt = 0;
    game->turn = (game->turn + 1) % game->setup->side_count;
    if (game->turn > 0)
        return;
    outcome->section_over = true;
    game->over = (int64_t)game->game + 1 == game->games;
    /* After the last game the gates stay to be looked at. */
    if (game->over)
        note_winners(game, outcome->notes);
    else
        next_game(game);
}

static void apply(void *state, const struct kv_card_input *input, struct kv_card_outcome *outcome)
{
    struct kv_jakkolo *game = state;
    struct kv_jakkolo_side *side = &game->sides[game->turn];
    bool bonus = input->values[0] == THROW_BONUS;
    int64_t before = kv_jakkolo_score(side->gates);
    outcome->side = game->turn;
    outcome->member = kv_card_member_at(game->setup, game->turn, side->turns++);
    outcome->section = game->game;
    outcome->row = bonus ? KV_JAKKOLO_ATTEMPTS : game->attempt;
    outcome->miss = sum_of(input->values + 1) == 0;
    for (int i = 0; i < KV_JAKKOLO_GATES; i++)
        side->gates[i] += input->values[1 + i];
    outcome->total = kv_jakkolo_score(side->gates);
    outcome->points = outcome->total - before;
    if (bonus) {
        game->due = 0;
        pass(game, outcome);
        return;
    }
    bool all_in = sum_of(side->gates) == game->discs;
    if (all_in)
        game->due = kv_jakkolo_bonus(game, side->gates);
    if (game->due && outcome->notes)
        kv_buffer_format(outcome->notes, "%s has all discs in and throws %lld bonus disc%s\n",
                         game->setup->sides[game->turn].name, (long long)game->due, game->due > 1 ? "s" : "");
    game->attempt++;
    if (!game->due && (all_in || game->attempt == KV_JAKKOLO_ATTEMPTS))
        pass(game, outcome);
}

static void turn(const void *state, struct kv_card_turn *out)
{
    const struct kv_jakkolo *game = state;
    *out = (struct kv_card_turn){
        .over = game->over,
        .side = game->turn,
        .member = kv_card_member_at(game->setup, game->turn, game->sides[game->turn].turns),
        .shots = game->due ? 1 : KV_JAKKOLO_ATTEMPTS - (int64_t)game->attempt,
    };
}

static void standing(const void *state, size_t side, struct kv_card_standing *out)
{
    const struct kv_jakkolo *game = state;
    const int64_t *gates = game->sides[side].gates;
    out->total = out->key = match_total(game, side);
    snprintf(out->remark, sizeof out->remark, "%lld %lld %lld %lld", (long long)gates[0], (long long)gates[1],
             (long long)gates[2], (long long)gates[3]);
}

static void label(size_t row, struct kv_buffer *out)
{
    if (row == KV_JAKKOLO_ATTEMPTS)
        kv_buffer_text(out, "bonus");
    else
        kv_card_label(row, out);
}

static bool json(const void *state, cJSON *object)
{
    const struct kv_jakkolo *game = state;
    return cJSON_AddNumberToObject(object, "round", (double)game->game + 1) &&
           (game->over ||
            (cJSON_AddNumberToObject(object, "attempt", (double)game->attempt + (game->due ? 0 : 1)) &&
             cJSON_AddNumberToObject(object, "hand", (double)kv_jakkolo_in_hand(game)) &&
             cJSON_AddNumberToObject(object, "bonus", (double)game->due)));
}

static bool json_side(const void *state, size_t side, cJSON *object)
{
    const struct kv_jakkolo *game = state;
    cJSON *gates = cJSON_AddArrayToObject(object, "gates");
    for (int i = 0; gates && i < KV_JAKKOLO_GATES; i++)
        if (!cJSON_AddItemToArray(gates, cJSON_CreateNumber((double)game->sides[side].gates[i])))
            return false;
    return gates &&
           cJSON_AddNumberToObject(object, "score", (double)kv_jakkolo_score(game->sides[side].gates));
}

const struct kv_card_module kv_jakkolo_module = {
    .name = "jakkolo",
    .least_sides = 1,
    .section = "game",
    .tally = "score",
    .options = options,
    .verbs = verbs,
    .size = sizeof(struct kv_jakkolo),
    .side_size = sizeof(struct kv_jakkolo_side),
    .start = start,
    .expected = expected,
    .read = read,
    .write = write,
    .mark = mark,
    .apply = apply,
    .turn = turn,
    .standing = standing,
    .label = label,
    .advice = kv_jakkolo_advice,
    .json = json,
    .json_side = json_side,
};
