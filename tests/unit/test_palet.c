/* Palet over every state that can be reached with few discs and every stroke from each of them, beside
 * a second, plainer reading of the rules. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "scoring/palet.h"
#include "scoring/setup.h"

enum { SIDES = 3, DEBT_LIMIT = 3 }; /* states with more debt are reached, but not gone on from */

/* A state as the second reading keeps it. */
struct model {
    int in[SIDES], debt[SIDES], won[SIDES]; /* won: points of this stroke */
    int sides, discs;
    int queen, owner; /* 0 on the board, 1 pending, 2 out */
    int turn, starter, shots;
};

struct stroke {
    int own, other[SIDES];
    bool queen, striker;
};

static int staying(const struct model *m, int side, int count)
{
    return count <= m->debt[side] ? 0 : count - m->debt[side];
}

static bool finishes(const struct model *m, int side, int count)
{
    return count && m->in[side] + staying(m, side, count) == m->discs;
}

static void out_of_play(struct model *m, int side, int count)
{
    int stay = staying(m, side, count);
    m->in[side] += stay;
    m->debt[side] -= count - stay;
}

static void next_round(struct model *m)
{
    m->starter = (m->starter + 1) % m->sides;
    m->turn = m->starter;
    m->shots = 1;
    m->queen = 0;
    memset(m->in, 0, sizeof m->in);
    memset(m->debt, 0, sizeof m->debt);
}

static void next_turn(struct model *m)
{
    m->turn = (m->turn + 1) % m->sides;
    m->shots = 1;
}

static void five_for_the_others(struct model *m)
{
    for (int i = 0; i < m->sides; i++)
        m->won[i] += i == m->turn ? 0 : 5;
}

static void count_up(struct model *m, int side)
{
    for (int i = 0; i < m->sides; i++)
        m->won[side] += i == side ? 0 : m->discs - m->in[i];
    m->won[side] += m->queen == 2 && m->owner == side ? 5 : 0;
}

static void play(struct model *m, const struct stroke *s)
{
    int me = m->turn, others = 0;
    bool finished[SIDES] = {false}, any = false;
    for (int i = 0; i < m->sides; i++) {
        others += s->other[i];
        finished[i] = finishes(m, i, s->other[i]);
        any |= finished[i];
    }
    bool last = finishes(m, me, s->own);
    memset(m->won, 0, sizeof m->won);
    m->shots--;

    if (last && any && !s->striker) { /* end of round, 1 */
        if (m->queen)
            m->won[m->owner] = 5;
        else
            five_for_the_others(m);
        next_round(m);
        return;
    }
    if (others > 0 || (s->striker && s->queen) || (s->striker && s->own == 0)) {
        for (int i = 0; i < m->sides; i++)
            out_of_play(m, i, s->other[i]);
        if (s->striker) {
            if (m->in[me])
                m->in[me]--;
            else
                m->debt[me]++;
        }
        if (m->queen == 1)
            m->queen = 0;
        if (any) { /* end of round, 4 */
            if (m->queen != 2)
                five_for_the_others(m);
            for (int i = 0; i < m->sides && m->queen == 2; i++)
                if (finished[i])
                    count_up(m, i);
            next_round(m);
        } else {
            next_turn(m);
        }
        return;
    }
    if (s->striker) {
        m->shots++;
        return;
    }
    if (s->own == 0 && !s->queen) {
        if (m->queen == 1 || m->shots == 0)
            next_turn(m);
        m->queen = m->queen == 1 ? 0 : m->queen;
        return;
    }
    out_of_play(m, me, s->own);
    m->shots += s->own;
    bool was_pending = m->queen == 1;
    if (s->queen && m->in[me] == 0) {
        next_turn(m);
        return;
    }
    if (s->queen || was_pending) {
        m->owner = me;
        m->queen = s->queen && !last ? 1 : 2;
        m->shots += s->queen;
    }
    if (last) { /* end of round, 2 and 3 */
        if (m->queen)
            count_up(m, me);
        else
            five_for_the_others(m);
        next_round(m);
    }
}

static void model_of(const struct kv_palet *game, struct model *m)
{
    *m = (struct model){.sides = (int)game->setup->side_count,
                        .discs = (int)game->discs,
                        .queen = (int)game->queen,
                        .owner = game->queen == KV_QUEEN_BOARD ? 0 : (int)game->queen_side,
                        .turn = (int)game->turn,
                        .starter = (int)game->starter,
                        .shots = (int)game->shots};
    for (int i = 0; i < m->sides; i++) {
        m->in[i] = (int)game->sides[i].in;
        m->debt[i] = (int)game->sides[i].debt;
        m->won[i] = (int)game->sides[i].total;
    }
}

static void check_same(const struct kv_palet *game, const struct model *m)
{
    struct model found;
    model_of(game, &found);
    for (int i = 0; i < m->sides; i++) {
        assert_int_equal(found.in[i], m->in[i]);
        assert_int_equal(found.debt[i], m->debt[i]);
        assert_int_equal(found.won[i], m->won[i]);
        /* What must hold everywhere. */
        assert_true(found.in[i] >= 0 && found.in[i] < m->discs);
        assert_true(found.debt[i] == 0 || found.in[i] == 0);
    }
    assert_int_equal(found.queen, m->queen);
    if (m->queen)
        assert_int_equal(found.owner, m->owner);
    if (m->queen == 1)
        assert_true(found.owner == found.turn && found.in[found.turn] > 0);
    assert_int_equal(found.turn, m->turn);
    assert_int_equal(found.starter, m->starter);
    assert_int_equal(found.shots, m->shots);
    assert_true(found.shots >= 1);
}

static int make_text(const struct kv_palet *game, const struct stroke *s, char *text)
{
    char *at = text;
    for (int i = 0; i < s->own; i++)
        *at++ = 'o';
    for (int side = 0; side < (int)game->setup->side_count; side++)
        for (int i = 0; i < s->other[side]; i++) {
            *at++ = 'a';
            if (game->setup->side_count > 2)
                *at++ = (char)('A' + side);
        }
    if (s->queen)
        *at++ = 'q';
    if (s->striker)
        *at++ = 't';
    if (at == text)
        *at++ = '-';
    *at = '\0';
    return (int)(at - text);
}

/* The states still to be gone on from, and all that have been seen, by a key of their numbers. */
struct search {
    const struct kv_card_setup *setup;
    size_t size, count, capacity;
    char *states;
    uint64_t *seen;
    size_t slots;
    long strokes, refused;
};

static uint64_t key_of(const struct kv_palet *game)
{
    struct model m;
    model_of(game, &m);
    uint64_t key = 1;
    for (int i = 0; i < m.sides; i++)
        key = (key * 8 + (uint64_t)m.in[i]) * 8 + (uint64_t)m.debt[i];
    key = (key * 4 + (uint64_t)m.queen) * 4 + (uint64_t)m.owner;
    key = (key * 4 + (uint64_t)m.turn) * 4 + (uint64_t)m.starter;
    return key * 64 + (uint64_t)m.shots;
}

static void add_state(struct search *search, const struct kv_palet *game)
{
    for (size_t i = 0; i < game->setup->side_count; i++)
        if (game->sides[i].debt > DEBT_LIMIT)
            return;
    uint64_t key = key_of(game);
    size_t slot = (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 20) % search->slots;
    while (search->seen[slot] && search->seen[slot] != key)
        slot = (slot + 1) % search->slots;
    if (search->seen[slot])
        return;
    search->seen[slot] = key;
    assert_true(search->count < search->capacity);
    struct kv_palet *copy = (struct kv_palet *)(search->states + search->count++ * search->size);
    memcpy(copy, game, search->size);
    for (size_t i = 0; i < game->setup->side_count; i++)
        copy->sides[i].total = 0;
    copy->round = copy->cycle = 0;
}

static void try_stroke(struct search *search, const struct kv_palet *from, const struct stroke *stroke,
                       struct kv_palet *game, struct kv_card_input *input)
{
    char text[64];
    struct kv_span span = {text, (size_t)make_text(from, stroke, text)};
    struct kv_error error = {0};
    bool possible = !stroke->queen || from->queen == KV_QUEEN_BOARD;
    possible &= stroke->own <= from->discs - from->sides[from->turn].in;
    for (size_t i = 0; i < from->setup->side_count; i++)
        possible &= stroke->other[i] <= from->discs - from->sides[i].in;
    int status = kv_palet_read(from, kv_span_of("shot"), span, input, &error);
    assert_int_equal(status, possible ? KV_OK : KV_E_ILLEGAL);
    search->strokes++;
    search->refused += !possible;
    if (!possible)
        return;
    struct model m;
    model_of(from, &m);
    play(&m, stroke);
    memcpy(game, from, search->size);
    struct kv_card_outcome outcome = {0};
    kv_palet_module.apply(game, input, &outcome);
    check_same(game, &m);
    add_state(search, game);
}

static void try_all_strokes(struct search *search, const struct kv_palet *from, struct kv_palet *game,
                            struct kv_card_input *input)
{
    int most = (int)from->discs + 1, sides = (int)from->setup->side_count, me = (int)from->turn;
    int first = (me + 1) % sides, second = (me + 2) % sides;
    for (int own = 0; own <= most; own++)
        for (int a = 0; a <= most; a++)
            for (int b = 0; b <= (sides > 2 ? most : 0); b++)
                for (int both = 0; both < 4; both++) {
                    struct stroke stroke = {.own = own, .queen = both & 1, .striker = both & 2};
                    stroke.other[first] = a;
                    if (sides > 2)
                        stroke.other[second] = b;
                    /* More than all the discs there are is refused as well, but not as a stroke. */
                    if (a + b <= (sides - 1) * (int)from->discs)
                        try_stroke(search, from, &stroke, game, input);
                }
}

static void search_all(const char *words)
{
    struct kv_card_setup *setup = NULL;
    assert_int_equal(kv_card_setup_read(&kv_palet_module, kv_span_of(words), &setup, NULL), KV_OK);
    struct search search = {.setup = setup, .size = kv_card_state_size(setup), .capacity = 1 << 18};
    search.slots = 4 * search.capacity;
    search.states = malloc(search.size * search.capacity);
    search.seen = calloc(search.slots, sizeof *search.seen);
    struct kv_palet *game = kv_card_state_create(setup), *from = malloc(search.size);
    struct kv_card_input input = {0};
    assert_true(search.states && search.seen && game && from);
    add_state(&search, game);
    for (size_t i = 0; i < search.count; i++) {
        memcpy(from, search.states + i * search.size, search.size);
        try_all_strokes(&search, from, game, &input);
    }
    print_message("%s: %zu states, %ld strokes, %ld of them impossible\n", words, search.count,
                  search.strokes, search.refused);
    assert_true(search.count > 20);
    free(input.values);
    free(game);
    free(from);
    free(search.states);
    free(search.seen);
    kv_card_setup_destroy(setup);
}

static void every_stroke_from_every_state_of_two_sides(void **state)
{
    (void)state;
    search_all("A B discs=1 points=1000000");
    search_all("A B discs=2 points=1000000");
    search_all("A B discs=3 points=1000000");
    search_all("A B discs=4 points=1000000");
}

static void every_stroke_from_every_state_of_three_sides(void **state)
{
    (void)state;
    search_all("A B C discs=1 points=1000000");
    search_all("A B C discs=2 points=1000000");
}

static const char *advice_of(const char *words, const char *strokes, struct kv_buffer *out)
{
    struct kv_card_setup *setup = NULL;
    assert_int_equal(kv_card_setup_read(&kv_palet_module, kv_span_of(words), &setup, NULL), KV_OK);
    struct kv_palet *game = kv_card_state_create(setup);
    struct kv_card_input input = {0};
    struct kv_span rest = kv_span_of(strokes), stroke;
    while ((stroke = kv_span_token(&rest)).length > 0) {
        struct kv_card_outcome outcome = {0};
        assert_int_equal(kv_palet_read(game, kv_span_of("shot"), stroke, &input, NULL), KV_OK);
        kv_palet_module.apply(game, &input, &outcome);
    }
    kv_buffer_clear(out);
    assert_int_equal(kv_palet_advice(game, kv_span_of(""), out, NULL), KV_OK);
    free(input.values);
    free(game);
    kv_card_setup_destroy(setup);
    return out->data;
}

static void advice_names_worth_and_danger(void **state)
{
    (void)state;
    struct kv_buffer out = {0};
    assert_string_equal(
        advice_of("A B", "", &out),
        "advice A: 9 left, owes 0, round worth 9 (14 with the queen), rounds needed at best 3\n"
        "advice B: 9 left, owes 0, round worth 9 (14 with the queen), rounds needed at best 3\n"
        "advice last disc: not before the queen, or together with it\n"
        "advice danger: without a disc out the queen only goes back\n");
    assert_string_equal(advice_of("A B", "o q o oooooo aaaaaaaa", &out),
                        "advice A: 1 left, owes 0, round worth 6, rounds needed at best 3\n"
                        "advice B: 1 left, owes 0, round worth 1, rounds needed at best 3\n"
                        "advice last disc: may be played, the queen is out\n"
                        "advice danger: pocketing the last disc of A wins it the round\n");
    assert_non_null(strstr(advice_of("A B", "t -", &out), "danger: the next 1 own discs pay the debt\n"));
    assert_non_null(strstr(advice_of("A B", "o q", &out), "danger: the next stroke must pocket an own disc"));
    assert_non_null(
        strstr(advice_of("A B", "o q", &out), "last disc: may be played, it validates the queen\n"));
    assert_non_null(
        strstr(advice_of("A B discs=2", "o", &out), "danger: the last disc before the queen loses"));
    assert_non_null(
        strstr(advice_of("A B discs=2", "o -", &out), "last disc of A loses the round for the shooter\n"));
    assert_non_null(
        strstr(advice_of("A B", "o q oooooooo", &out),
               "advice A: 9 left, owes 0, round worth 9 (14 with the queen), rounds needed at best 2\n"));
    kv_buffer_finish(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_stroke_from_every_state_of_two_sides),
        cmocka_unit_test(every_stroke_from_every_state_of_three_sides),
        cmocka_unit_test(advice_names_worth_and_danger),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
