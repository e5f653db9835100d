#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "board/geometry.h"
#include "eval/eval.h"

static const struct kv_eval_term *term(const struct kv_eval_term *terms, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (strcmp(terms[i].name, name) == 0)
            return &terms[i];
    fail_msg("no term '%s'", name);
    return NULL;
}

static void set_up(struct kv_rules *rules, struct kv_position *position, const char *text)
{
    struct kv_error error;
    kv_rules_init(rules, 0);
    if (kv_position_read(rules, text, strlen(text), position, &error))
        fail_msg("%s", error.text);
}

/* Plays up to `plies` random moves; false when the game ended. */
static bool wander(const struct kv_rules *rules, struct kv_random *random, int plies,
                   struct kv_position *position)
{
    kv_position_start(rules, position);
    for (int i = 0; i < plies; i++) {
        kv_move moves[KV_MOVES_MAX];
        int count = kv_moves(rules, position, moves);
        if (count == 0)
            return false;
        kv_position_play(rules, position, moves[kv_random_below(random, (uint32_t)count)]);
    }
    return kv_position_result(rules, position, NULL) == KV_ONGOING;
}

static void scores_follow_the_symmetries(void **state)
{
    (void)state;
    struct kv_rules rules;
    struct kv_random random = {7};
    int seen = 0;
    kv_rules_init(&rules, 0);
    for (int game = 0; game < 1000; game++) {
        struct kv_position position, image;
        if (!wander(&rules, &random, 4 + game % 60, &position))
            continue;
        int score = kv_evaluate(&rules, &position);
        for (int s = 0; s < kv_boards[0]->symmetries; s++) {
            kv_position_transform(&rules, &position, s, &image);
            assert_int_equal(kv_evaluate(&rules, &image), score);
        }
        kv_position_swap_colours(&position, &image);
        assert_int_equal(kv_evaluate(&rules, &image), score);
        /* With the other side to move only the tempo and what may be closed next can differ: the terms
         * of a side do not depend on whose turn it is. */
        struct kv_eval_term terms[KV_EVAL_TERMS_MAX], others[KV_EVAL_TERMS_MAX];
        int other_score, count = kv_evaluate_terms(&rules, &position, terms, &score);
        image = position;
        image.side ^= 1;
        kv_evaluate_terms(&rules, &image, others, &other_score);
        for (int i = 0; i < count; i++)
            if (strcmp(terms[i].name, "to move") != 0)
                assert_memory_equal(terms[i].count, others[i].count, sizeof terms[i].count);
        seen++;
    }
    assert_true(seen > 500);
}

static void terms_add_up(void **state)
{
    (void)state;
    struct kv_rules rules;
    struct kv_random random = {11};
    kv_rules_init(&rules, 0);
    for (int game = 0; game < 500; game++) {
        struct kv_position position;
        if (!wander(&rules, &random, game % 50, &position))
            continue;
        struct kv_eval_term terms[KV_EVAL_TERMS_MAX];
        int score, sum = 0, count = kv_evaluate_terms(&rules, &position, terms, &score);
        for (int i = 0; i < count; i++) {
            int side = position.side;
            assert_int_equal(terms[i].score,
                             terms[i].weight * (terms[i].count[side] - terms[i].count[side ^ 1]));
            sum += terms[i].score;
        }
        assert_int_equal(sum, score);
        assert_int_equal(kv_evaluate(&rules, &position), score);
    }
}

/* The stone on d6 shuttles between two mills:
 *
 *   7  O-----------*-----------O
 *   6  |   O-------O-------O   |
 */
static void a_double_mill_is_seen(void **state)
{
    (void)state;
    struct kv_rules rules;
    struct kv_position position;
    /* inner d5.. / middle d6 f6 f4 f2 d2 b2 b4 b6 / outer d7 g7 g4 g1 d1 a1 a4 a7 */
    set_up(&rules, &position, "@***@*@*/OO*****O/*O**@**O w m s 5 0 4 0 0 0");
    struct kv_eval_term terms[KV_EVAL_TERMS_MAX];
    int score, count = kv_evaluate_terms(&rules, &position, terms, &score);
    assert_int_equal(term(terms, count, "closed mills")->count[KV_WHITE], 1);
    assert_int_equal(term(terms, count, "mills to close next")->count[KV_WHITE], 1);
    assert_int_equal(term(terms, count, "double mills")->count[KV_WHITE], 1);
    assert_int_equal(term(terms, count, "stones")->count[KV_WHITE], 5);
    /* black d5 d3 c4 d1: d3 and d1 stand in line, d2 between them is empty and out of the others' reach */
    assert_int_equal(term(terms, count, "closed mills")->count[KV_BLACK], 0);
    assert_int_equal(term(terms, count, "open lines")->count[KV_BLACK], 1);
    assert_int_equal(term(terms, count, "mills to close next")->count[KV_BLACK], 0);
    assert_true(score > 0);
}

/* Three stones fly: every open line can be closed; mobility is not counted. */
static void flying_closes_from_anywhere(void **state)
{
    (void)state;
    struct kv_rules rules;
    struct kv_position position;
    /* white d5 e5 (c5 open) and a1, flying; black d2 b2 f4 g4 d7 */
    set_up(&rules, &position, "OO******/**@*@@**/@*@**O** w m s 3 0 5 0 0 0");
    struct kv_eval_term terms[KV_EVAL_TERMS_MAX];
    int score, count = kv_evaluate_terms(&rules, &position, terms, &score);
    assert_int_equal(term(terms, count, "flying")->count[KV_WHITE], 1);
    assert_int_equal(term(terms, count, "mills to close next")->count[KV_WHITE], 1);
    assert_int_equal(term(terms, count, "mobility")->count[KV_WHITE], 0);
    /* black: f4-g4 (e4 open; its neighbours e5 e3 hold no black stone), d2-b2 (f2 open, next to f4) */
    assert_int_equal(term(terms, count, "mills to close next")->count[KV_BLACK], 1);
    assert_int_equal(term(terms, count, "open lines")->count[KV_BLACK], 1);
    rules.flying = 0;
    count = kv_evaluate_terms(&rules, &position, terms, &score);
    assert_int_equal(term(terms, count, "flying")->count[KV_WHITE], 0);
    assert_int_equal(term(terms, count, "mills to close next")->count[KV_WHITE], 0);
    assert_int_equal(term(terms, count, "open lines")->count[KV_WHITE], 1);
}

/* Locked stones and mobility by hand: white a1 a4 d1 shut in by a7 b4 g1 d2. */
static void locked_stones_are_counted(void **state)
{
    (void)state;
    struct kv_rules rules;
    struct kv_position position;
    set_up(&rules, &position, "********/****@*@*/***@OOO@ w m s 3 0 4 0 0 0");
    rules.flying = 0;
    struct kv_eval_term terms[KV_EVAL_TERMS_MAX];
    int score, count = kv_evaluate_terms(&rules, &position, terms, &score);
    assert_int_equal(term(terms, count, "locked stones")->count[KV_WHITE], 3);
    assert_int_equal(term(terms, count, "mobility")->count[KV_WHITE], 0);
    assert_int_equal(term(terms, count, "locked stones")->count[KV_BLACK], 0);
    /* black d2: b2 f2 d3; b4: b6 b2 c4; g1: g4; a7: d7 */
    assert_int_equal(term(terms, count, "mobility")->count[KV_BLACK], 8);
    assert_int_equal(term(terms, count, "cross points")->count[KV_BLACK], 2);
    assert_int_equal(term(terms, count, "junction points")->count[KV_WHITE], 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scores_follow_the_symmetries), cmocka_unit_test(terms_add_up),
        cmocka_unit_test(a_double_mill_is_seen),        cmocka_unit_test(flying_closes_from_anywhere),
        cmocka_unit_test(locked_stones_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
