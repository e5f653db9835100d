/* The rules of palet, stroke by stroke. The table they follow stands in RULES.md. */
#include "scoring/palet.h"

#include <stdio.h>

enum { OPTION_DISCS, OPTION_POINTS };

static const struct kv_card_option options[] = {
    {"discs", NULL, 1, 1000, 9, "discs of each side"},
    {"points", NULL, 1, 1000000, 29, "total that ends the match"},
    {0},
};

static const struct kv_card_verb verbs[] = {
    {"shot", "-|LETTERS",
     "a stroke: o own disc, a opponent's (aNAME2 with three sides or more), q queen, t striker"},
    {0},
};

static void start(void *state, const struct kv_card_setup *setup)
{
    struct kv_palet *game = state;
    game->setup = setup;
    game->discs = setup->options[OPTION_DISCS];
    game->goal = setup->options[OPTION_POINTS];
    game->shots = 1;
}

static const char *expected(const void *state)
{
    (void)state;
    return "shot";
}

static void write(const struct kv_card_setup *setup, const struct kv_card_input *input, struct kv_buffer *out)
{
    kv_buffer_text(out, "shot ");
    kv_palet_write_stroke(setup, input, out);
}

/* Adds a line to the announcements. */
static void note(struct kv_buffer *notes, const struct kv_palet *game, size_t side, const char *what)
{
    if (notes)
        kv_buffer_format(notes, "%s %s\n", game->setup->sides[side].name, what);
}

int64_t kv_palet_left_to_others(const struct kv_palet *game, size_t side)
{
    int64_t left = 0;
    for (size_t i = 0; i < game->setup->side_count; i++)
        if (i != side)
            left += game->discs - game->sides[i].in;
    return left;
}

/* How many of `count` pocketed discs stay out: the debt is paid first. */
static int64_t counting(const struct kv_palet_side *side, int64_t count)
{
    return count > side->debt ? count - side->debt : 0;
}

static void pocket(struct kv_palet_side *side, int64_t count)
{
    int64_t in = counting(side, count);
    side->debt -= count - in;
    side->in += in;
}

static void pocket_others(struct kv_palet *game, const struct kv_card_input *input)
{
    for (size_t i = KV_PALET_OTHERS; i < input->count; i += 2)
        pocket(&game->sides[input->values[i]], input->values[i + 1]);
}

static bool takes_last(const struct kv_palet *game, size_t side, int64_t count)
{
    const struct kv_palet_side *it = &game->sides[side];
    return count > 0 && it->in + counting(it, count) == game->discs;
}

static bool finishes_other(const struct kv_palet *game, const struct kv_card_input *input)
{
    for (size_t i = KV_PALET_OTHERS; i < input->count; i += 2)
        if (takes_last(game, (size_t)input->values[i], input->values[i + 1]))
            return true;
    return false;
}

static void penalty(struct kv_palet *game, struct kv_buffer *notes)
{
    struct kv_palet_side *side = &game->sides[game->turn];
    if (side->in > 0)
        side->in--;
    else
        side->debt++;
    note(notes, game, game->turn, side->debt ? "owes a disc" : "puts a disc back");
}

static void queen_back(struct kv_palet *game, struct kv_buffer *notes)
{
    if (game->queen != KV_QUEEN_PENDING)
        return;
    game->queen = KV_QUEEN_BOARD;
    note(notes, game, game->turn, "did not validate the queen: it goes back");
}

static void pass(struct kv_palet *game)
{
    game->sides[game->turn].turns++;
    game->turn = (game->turn + 1) % game->setup->side_count;
    game->cycle += game->turn == game->starter;
    game->shots = 1;
}

static void score(struct kv_palet *game, size_t side, int64_t points, struct kv_buffer *notes)
{
    game->sides[side].total += points;
    if (notes)
        kv_buffer_format(notes, "%s scores %lld, %lld in all\n", game->setup->sides[side].name,
                         (long long)points, (long long)game->sides[side].total);
}

/* The shooter loses the round: every other side scores. */
static void lose(struct kv_palet *game, struct kv_buffer *notes)
{
    note(notes, game, game->turn, "loses the round");
    for (size_t side = 0; side < game->setup->side_count; side++)
        if (side != game->turn)
            score(game, side, KV_PALET_BONUS, notes);
}

static void win(struct kv_palet *game, size_t side, struct kv_buffer *notes)
{
    note(notes, game, side, "wins the round");
    bool queen = game->queen != KV_QUEEN_BOARD && game->queen_side == side;
    score(game, side, kv_palet_left_to_others(game, side) + (queen ? KV_PALET_BONUS : 0), notes);
}

/* The match is over when the highest total has reached the goal and is one side's alone. */
static void check_match(struct kv_palet *game, struct kv_buffer *notes)
{
    size_t best = 0, sharing = 1;
    for (size_t side = 1; side < game->setup->side_count; side++) {
        if (game->sides[side].total == game->sides[best].total)
            sharing++;
        if (game->sides[side].total <= game->sides[best].total)
            continue;
        best = side;
        sharing = 1;
    }
    if (game->sides[best].total < game->goal)
        return;
    game->over = sharing == 1;
    if (game->over)
        note(notes, game, best, "wins the match");
    else if (notes)
        kv_buffer_text(notes, "the highest totals are equal: one more round\n");
}

static void end_round(struct kv_palet *game, struct kv_card_outcome *outcome)
{
    outcome->section_over = true;
    check_match(game, outcome->notes);
    game->sides[game->turn].turns++;
    for (size_t side = 0; side < game->setup->side_count; side++)
        game->sides[side].in = game->sides[side].debt = 0;
    game->queen = KV_QUEEN_BOARD;
    game->starter = game->turn = (game->starter + 1) % game->setup->side_count;
    game->round++;
    game->cycle = 0;
    game->shots = 1;
}

/* The shooter's last disc and an opponent's in one stroke without the striker. */
static void end_together(struct kv_palet *game, struct kv_buffer *notes)
{
    if (game->queen == KV_QUEEN_BOARD)
        lose(game, notes);
    else
        score(game, game->queen_side, KV_PALET_BONUS, notes);
}

/* Sides finished by an opponent's stroke. */
static void end_finished(struct kv_palet *game, struct kv_buffer *notes)
{
    if (game->queen != KV_QUEEN_OUT) {
        lose(game, notes);
        return;
    }
    for (size_t side = 0; side < game->setup->side_count; side++)
        if (side != game->turn && game->sides[side].in == game->discs)
            win(game, side, notes);
}

/* A stroke with a fault: an opponent's disc, or the striker with anything but own discs alone. Own
 * discs and the queen go back, so they do not count. Returns whether the round is over. */
static bool play_fault(struct kv_palet *game, const struct kv_card_input *input,
                       struct kv_card_outcome *outcome)
{
    bool finishes = finishes_other(game, input);
    pocket_others(game, input);
    queen_back(game, outcome->notes);
    if (input->values[KV_PALET_STRIKER])
        penalty(game, outcome->notes);
    if (!finishes)
        return false;
    end_finished(game, outcome->notes);
    return true;
}

/* A stroke that pockets own discs, or the queen, or both, and nothing else. Returns whether the
 * round is over, and in `*passes` whether the turn is. */
static bool play_clean(struct kv_palet *game, const struct kv_card_input *input,
                       struct kv_card_outcome *outcome, bool *passes)
{
    struct kv_palet_side *side = &game->sides[game->turn];
    int64_t own = input->values[KV_PALET_OWN], before = side->in;
    bool last = takes_last(game, game->turn, own);
    pocket(side, own);
    game->shots += own;
    outcome->points = side->in - before;
    outcome->miss = own == 0;
    if (input->values[KV_PALET_QUEEN]) {
        *passes = side->in == 0;
        if (*passes) {
            note(outcome->notes, game, game->turn, "has no disc out: the queen goes back");
            return false;
        }
        outcome->miss = false;
        game->queen = KV_QUEEN_PENDING;
        game->queen_side = game->turn;
        game->shots++;
        if (!last)
            note(outcome->notes, game, game->turn, "has the queen and must validate it now");
    } else if (own > 0 && game->queen == KV_QUEEN_PENDING) {
        game->queen = KV_QUEEN_OUT;
        note(outcome->notes, game, game->turn, "has validated the queen");
    }
    if (!last)
        return false;
    if (game->queen == KV_QUEEN_BOARD)
        lose(game, outcome->notes);
    else
        win(game, game->turn, outcome->notes);
    return true;
}

/* Any stroke. Returns whether the round is over, and in `*passes` whether the turn is. */
static bool play(struct kv_palet *game, const struct kv_card_input *input, struct kv_card_outcome *outcome,
                 bool *passes)
{
    const int64_t *values = input->values;
    int64_t own = values[KV_PALET_OWN];
    bool others = input->count > KV_PALET_OTHERS;
    bool queen = values[KV_PALET_QUEEN], striker = values[KV_PALET_STRIKER];
    game->shots--;
    outcome->miss = true;
    *passes = true;
    if (!striker && takes_last(game, game->turn, own) && finishes_other(game, input)) {
        pocket_others(game, input);
        pocket(&game->sides[game->turn], own);
        end_together(game, outcome->notes);
        return true;
    }
    if (others || (striker && (queen || own == 0)))
        return play_fault(game, input, outcome);
    *passes = false;
    if (striker) {
        /* With own discs alone: they go back, and the stroke is played again. */
        game->shots++;
        note(outcome->notes, game, game->turn, "puts its discs back and shoots again");
        return false;
    }
    if (own > 0 || queen)
        return play_clean(game, input, outcome, passes);
    *passes = game->shots == 0 || game->queen == KV_QUEEN_PENDING;
    queen_back(game, outcome->notes);
    return false;
}

static void apply(void *state, const struct kv_card_input *input, struct kv_card_outcome *outcome)
{
    struct kv_palet *game = state;
    const struct kv_palet_side *side = &game->sides[game->turn];
    outcome->side = game->turn;
    outcome->member = kv_card_member_at(game->setup, game->turn, side->turns);
    outcome->section = game->round;
    outcome->row = game->cycle;
    bool passes, over = play(game, input, outcome, &passes);
    outcome->total = side->in;
    if (over)
        end_round(game, outcome);
    else if (passes)
        pass(game);
}

static void turn(const void *state, struct kv_card_turn *out)
{
    const struct kv_palet *game = state;
    *out = (struct kv_card_turn){
        .over = game->over,
        .side = game->turn,
        .member = kv_card_member_at(game->setup, game->turn, game->sides[game->turn].turns),
        .shots = game->shots,
    };
}

static void standing(const void *state, size_t side, struct kv_card_standing *out)
{
    const struct kv_palet *game = state;
    const struct kv_palet_side *it = &game->sides[side];
    out->total = out->key = it->total;
    bool queen = game->queen != KV_QUEEN_BOARD && game->queen_side == side;
    int n = snprintf(out->remark, sizeof out->remark, "%lld left", (long long)(game->discs - it->in));
    if (it->debt)
        n += snprintf(out->remark + n, sizeof out->remark - (size_t)n, ", owes %lld", (long long)it->debt);
    if (queen)
        snprintf(out->remark + n, sizeof out->remark - (size_t)n, ", queen%s",
                 game->queen == KV_QUEEN_PENDING ? "?" : "");
}

static bool json(const void *state, cJSON *object)
{
    static const char *const names[] = {"board", "pending", "out"};
    const struct kv_palet *game = state;
    return cJSON_AddNumberToObject(object, "round", (double)game->round + 1) &&
           cJSON_AddStringToObject(object, "starter", game->setup->sides[game->starter].name) &&
           cJSON_AddStringToObject(object, "queen", names[game->queen]) &&
           (game->queen == KV_QUEEN_BOARD ||
            cJSON_AddStringToObject(object, "queen_side", game->setup->sides[game->queen_side].name));
}

static bool json_side(const void *state, size_t side, cJSON *object)
{
    const struct kv_palet *game = state;
    return cJSON_AddNumberToObject(object, "discs", (double)game->sides[side].in) &&
           cJSON_AddNumberToObject(object, "debt", (double)game->sides[side].debt);
}

const struct kv_card_module kv_palet_module = {
    .name = "palet",
    .least_sides = 2,
    .section = "round",
    .tally = "discs",
    .options = options,
    .verbs = verbs,
    .size = sizeof(struct kv_palet),
    .side_size = sizeof(struct kv_palet_side),
    .start = start,
    .expected = expected,
    .read = kv_palet_read,
    .write = write,
    .mark = kv_palet_write_stroke,
    .apply = apply,
    .turn = turn,
    .standing = standing,
    .label = kv_card_label,
    .advice = kv_palet_advice,
    .json = json,
    .json_side = json_side,
};
