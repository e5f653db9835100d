/* Palet in words: the letters of a stroke, and advice. */
#include <stdlib.h>
#include <string.h>

#include "scoring/palet.h"

static bool is_letter(char c)
{
    return c == 'o' || c == 'a' || c == 'q' || c == 't';
}

static int bad_letter(struct kv_span rest, struct kv_error *error)
{
    char shown[24];
    kv_span_show(rest, shown, sizeof shown);
    return kv_fail(error, KV_E_SYNTAX, "shot: '%s': expected - alone, or the letters o a q t", shown);
}

static int cut_bare_name(const struct kv_card_setup *setup, struct kv_span *rest, size_t *side,
                         struct kv_error *error)
{
    char shown[24];
    const struct kv_card_named *found = NULL;
    size_t length = 0,
           longest = rest->length < 3 * KV_CARD_NAME_BYTES ? rest->length : 3 * KV_CARD_NAME_BYTES;
    for (size_t n = 1; n <= longest; n++) {
        const struct kv_card_named *named = kv_card_side_find(setup, (struct kv_span){rest->at, n});
        if (!named)
            continue;
        if (found)
            return kv_fail(error, KV_E_SYNTAX,
                           "shot: 'a%s' can mean two sides: expected the name in quotes, as in a\"%s\"2",
                           kv_span_show(*rest, shown, sizeof shown), found->name);
        found = named;
        length = n;
    }
    if (!found)
        return kv_fail(error, KV_E_SYNTAX, "shot: 'a%s': expected the name of an opponent after a",
                       kv_span_show(*rest, shown, sizeof shown));
    *side = found->side;
    rest->at += length;
    rest->length -= length;
    return KV_OK;
}

/* What follows an `a` where there is more than one opponent: NAME or "NAME", then how many. */
static int cut_opponent(const struct kv_palet *game, struct kv_span *rest, size_t *side, int64_t *count,
                        struct kv_error *error)
{
    int status;
    if (rest->length > 0 && rest->at[0] == '"') {
        char *name;
        status = kv_card_name_read(rest, &name, NULL, error);
        if (status != KV_OK)
            return status;
        const struct kv_card_named *named = kv_card_side_find(game->setup, kv_span_of(name));
        if (!named)
            status = kv_fail(error, KV_E_SYNTAX, "shot: no side is called '%.80s'", name);
        else
            *side = named->side;
        free(name);
    } else {
        status = cut_bare_name(game->setup, rest, side, error);
    }
    if (status != KV_OK)
        return status;
    if (*side == game->turn)
        return kv_fail(error, KV_E_ILLEGAL, "shot: %.80s is the shooter: expected o for own discs",
                       game->setup->sides[*side].name);
    struct kv_span number = {rest->at, 0};
    while (number.length < rest->length && rest->at[number.length] >= '0' && rest->at[number.length] <= '9')
        number.length++;
    *count = 1;
    if (number.length > 0 && kv_span_int(number, 1, game->discs, count) != KV_OK)
        return kv_fail(error, KV_E_RANGE, "shot: expected 1 to %lld discs after the name of an opponent",
                       (long long)game->discs);
    rest->at += number.length;
    rest->length -= number.length;
    return KV_OK;
}

/* Adds an opponent's discs to the pairs of the input, which has room. */
static void add_pair(struct kv_card_input *input, size_t side, int64_t count)
{
    size_t n = input->count;
    if (n > KV_PALET_OTHERS && input->values[n - 2] == (int64_t)side) {
        input->values[n - 1] += count;
        return;
    }
    input->values[n] = (int64_t)side;
    input->values[n + 1] = count;
    input->count = n + 2;
}

static int64_t most_others(const struct kv_palet *game)
{
    return (int64_t)(game->setup->side_count - 1) * game->discs;
}

static int read_letters(const struct kv_palet *game, struct kv_span rest, struct kv_card_input *input,
                        struct kv_error *error)
{
    bool pair = game->setup->side_count == 2;
    int64_t others = 0, most = most_others(game);
    while (rest.length > 0) {
        char letter = rest.at[0];
        if (!is_letter(letter))
            return bad_letter(rest, error);
        rest.at++;
        rest.length--;
        if (letter == 'o') {
            input->values[KV_PALET_OWN]++;
        } else if (letter == 'q') {
            input->values[KV_PALET_QUEEN]++;
        } else if (letter == 't') {
            input->values[KV_PALET_STRIKER]++;
        } else {
            size_t side = 1 - game->turn;
            int64_t count = 1;
            int status = pair ? KV_OK : cut_opponent(game, &rest, &side, &count, error);
            if (status != KV_OK)
                return status;
            others += count;
            if (others > most)
                return kv_fail(error, KV_E_ILLEGAL,
                               "shot: expected at most %lld discs of opponents, all there are",
                               (long long)most);
            add_pair(input, side, count);
        }
    }
    return KV_OK;
}

static int compare_pairs(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    return (x[0] > y[0]) - (x[0] < y[0]);
}

/* Brings the pairs into the order of the seats, one for each opponent. */
static void sort_pairs(struct kv_card_input *input)
{
    size_t pairs = (input->count - KV_PALET_OTHERS) / 2;
    qsort(input->values + KV_PALET_OTHERS, pairs, 2 * sizeof *input->values, compare_pairs);
    input->count = KV_PALET_OTHERS;
    for (size_t i = 0; i < pairs; i++) {
        const int64_t *from = input->values + KV_PALET_OTHERS + 2 * i;
        add_pair(input, (size_t)from[0], from[1]);
    }
}

static int check_discs(const struct kv_palet *game, size_t side, int64_t count, struct kv_error *error)
{
    int64_t left = game->discs - game->sides[side].in;
    if (count <= left)
        return KV_OK;
    return kv_fail(error, KV_E_ILLEGAL, "shot: %lld discs of %.80s: expected at most the %lld left",
                   (long long)count, game->setup->sides[side].name, (long long)left);
}

static int check_stroke(const struct kv_palet *game, const struct kv_card_input *input,
                        struct kv_error *error)
{
    if (input->values[KV_PALET_QUEEN] > 1 || input->values[KV_PALET_STRIKER] > 1)
        return kv_fail(error, KV_E_ILLEGAL, "shot: expected q and t once at most, there is one of each");
    if (game->over)
        return kv_fail(error, KV_E_ILLEGAL, "the match is over: expected undo, edit or new");
    if (input->values[KV_PALET_QUEEN] && game->queen != KV_QUEEN_BOARD)
        return kv_fail(error, KV_E_ILLEGAL, "shot: the queen is not on the board, %.80s has it",
                       game->setup->sides[game->queen_side].name);
    int status = check_discs(game, game->turn, input->values[KV_PALET_OWN], error);
    for (size_t i = KV_PALET_OTHERS; status == KV_OK && i < input->count; i += 2)
        status = check_discs(game, (size_t)input->values[i], input->values[i + 1], error);
    return status;
}

static bool is_ascii(struct kv_span text)
{
    for (size_t i = 0; i < text.length; i++)
        if ((unsigned char)text.at[i] >= 0x80)
            return false;
    return true;
}

static size_t count_letter(struct kv_span text, char letter)
{
    size_t count = 0;
    for (size_t i = 0; i < text.length; i++)
        count += text.at[i] == letter;
    return count;
}

int kv_palet_read(const void *state, struct kv_span verb, struct kv_span rest, struct kv_card_input *input,
                  struct kv_error *error)
{
    (void)verb;
    const struct kv_palet *game = state;
    rest = kv_span_trim(rest);
    if (rest.length == 0)
        return kv_fail(error, KV_E_SYNTAX, "shot: expected - or the letters o a q t");
    size_t pairs = game->setup->side_count == 2 ? 1 : count_letter(rest, 'a');
    if (pairs > (size_t)most_others(game))
        pairs = (size_t)most_others(game);
    int status = kv_card_input_reserve(input, KV_PALET_OTHERS + 2 * pairs, error);
    if (status != KV_OK)
        return status;
    memset(input->values, 0, KV_PALET_OTHERS * sizeof *input->values);
    input->count = KV_PALET_OTHERS;
    char *composed = NULL;
    if (!is_ascii(rest)) {
        status = kv_card_text_compose(rest, &composed, error);
        if (status != KV_OK)
            return status;
        rest = kv_span_of(composed);
    }
    if (!kv_span_is(rest, "-"))
        status = read_letters(game, rest, input, error);
    free(composed);
    if (status != KV_OK)
        return status;
    sort_pairs(input);
    return check_stroke(game, input, error);
}

void kv_palet_write_stroke(const struct kv_card_setup *setup, const struct kv_card_input *input,
                           struct kv_buffer *out)
{
    const int64_t *values = input->values;
    for (int64_t i = 0; i < values[KV_PALET_OWN]; i++)
        kv_buffer_text(out, "o");
    if (values[KV_PALET_QUEEN])
        kv_buffer_text(out, "q");
    if (values[KV_PALET_STRIKER])
        kv_buffer_text(out, "t");
    for (size_t i = KV_PALET_OTHERS; i < input->count; i += 2) {
        if (setup->side_count == 2) {
            for (int64_t n = 0; n < values[i + 1]; n++)
                kv_buffer_text(out, "a");
            continue;
        }
        kv_buffer_text(out, "a");
        kv_card_name_write(out, setup->sides[values[i]].name, true);
        kv_buffer_format(out, "%lld", (long long)values[i + 1]);
    }
    if (input->count == KV_PALET_OTHERS && !values[KV_PALET_OWN] && !values[KV_PALET_QUEEN] &&
        !values[KV_PALET_STRIKER])
        kv_buffer_text(out, "-");
}

static void write_last_disc(const struct kv_palet *game, struct kv_buffer *out)
{
    if (game->queen == KV_QUEEN_OUT)
        kv_buffer_text(out, "advice last disc: may be played, the queen is out\n");
    else if (game->queen == KV_QUEEN_PENDING)
        kv_buffer_text(out, "advice last disc: may be played, it validates the queen\n");
    else
        kv_buffer_text(out, "advice last disc: not before the queen, or together with it\n");
}

static void write_side(const struct kv_palet *game, size_t side, struct kv_buffer *out)
{
    const struct kv_palet_side *it = &game->sides[side];
    int64_t worth = kv_palet_left_to_others(game, side);
    if (game->queen != KV_QUEEN_BOARD && game->queen_side == side)
        worth += KV_PALET_BONUS;
    int64_t most = most_others(game) + KV_PALET_BONUS;
    int64_t missing = game->goal > it->total ? game->goal - it->total : 1;
    kv_buffer_text(out, "advice ");
    kv_card_name_write(out, game->setup->sides[side].name, false);
    kv_buffer_format(out, ": %lld left, owes %lld, round worth %lld", (long long)(game->discs - it->in),
                     (long long)it->debt, (long long)worth);
    if (game->queen == KV_QUEEN_BOARD)
        kv_buffer_format(out, " (%lld with the queen)", (long long)worth + KV_PALET_BONUS);
    kv_buffer_format(out, ", rounds needed at best %lld\n", (long long)((missing + most - 1) / most));
}

static void write_dangers(const struct kv_palet *game, struct kv_buffer *out)
{
    const struct kv_card_setup *setup = game->setup;
    const struct kv_palet_side *me = &game->sides[game->turn];
    if (game->queen == KV_QUEEN_PENDING)
        kv_buffer_text(out,
                       "advice danger: the next stroke must pocket an own disc, or the queen goes back\n");
    if (game->queen == KV_QUEEN_BOARD && me->in == game->discs - 1)
        kv_buffer_text(out, "advice danger: the last disc before the queen loses the round\n");
    if (game->queen == KV_QUEEN_BOARD && me->in == 0)
        kv_buffer_text(out, "advice danger: without a disc out the queen only goes back\n");
    if (me->debt > 0)
        kv_buffer_format(out, "advice danger: the next %lld own discs pay the debt\n", (long long)me->debt);
    for (size_t side = 0; side < setup->side_count; side++)
        if (side != game->turn && game->sides[side].in == game->discs - 1) {
            kv_buffer_text(out, "advice danger: pocketing the last disc of ");
            kv_card_name_write(out, setup->sides[side].name, false);
            kv_buffer_text(out, game->queen == KV_QUEEN_OUT ? " wins it the round\n"
                                                            : " loses the round for the shooter\n");
        }
}

int kv_palet_advice(const void *state, struct kv_span rest, struct kv_buffer *out, struct kv_error *error)
{
    const struct kv_palet *game = state;
    if (kv_span_trim(rest).length > 0)
        return kv_fail(error, KV_E_SYNTAX, "advice: expected nothing after it");
    for (size_t side = 0; side < game->setup->side_count; side++)
        write_side(game, side, out);
    write_last_disc(game, out);
    write_dangers(game, out);
    return KV_OK;
}
