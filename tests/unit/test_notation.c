/* Move text: every written form read back, the forms that are only read, and the cause of refusals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "kvern/position.h"

/* Point numbers: d5 0, e5 1, e4 2, d3 4, d6 8, g7 17, a1 21, a4 22 (inner square first, clockwise). */
enum { D5 = 0, E5 = 1, E4 = 2, D3 = 4, C3 = 5, D6 = 8, F6 = 9, G7 = 17, G1 = 19, A1 = 21, A4 = 22 };

static const char moving[] = "*****@@*/@@****O*/**O*OO** w m s 4 0 4 0";
static const char placing[] = "********/@@******/****OO** w p p 2 7 2 7";
static const char sheltered[] = "***@*@**/@@****O@/**O*OO** w m s 4 0 5 0";
static const char due[] = "********/@@******/***OOO** w p r 3 6 2 7 1 0";
static const char doubled[] = "O****@@*/*O*****O/O****@** w p p 4 2 3 2";
static const char doubled_due[] = "O****@@*/OO*****O/O****@** w p r 5 1 3 2 2 0";
static const char over[] = "********/@@******/***OOO** w o ? 3 0 2 0";
static const char flying[] = "********/@@@*****/**O*OO** w m s 3 0 3 0";

static struct kv_position read_position(const struct kv_rules *rules, const char *text)
{
    struct kv_position position;
    struct kv_error error = {""};
    if (kv_position_read(rules, text, strlen(text), &position, &error) != KV_OK)
        fail_msg("%s: %s", text, error.text);
    return position;
}

static void points_and_phases_have_names(void **state)
{
    (void)state;
    struct kv_rules rules;
    kv_rules_init(&rules, 0);
    assert_int_equal(kv_point_count(&rules), 24);
    assert_string_equal(kv_point_name(&rules, D5), "d5");
    assert_string_equal(kv_point_name(&rules, A4), "a4");
    const struct {
        const char *position, *phase;
    } cases[] = {{placing, "placing"}, {due, "placing"}, {moving, "moving"}, {flying, "flying"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct kv_position position = read_position(&rules, cases[i].position);
        assert_string_equal(kv_position_phase(&rules, &position), cases[i].phase);
    }
    rules.flying = 0;
    struct kv_position position = read_position(&rules, flying);
    assert_string_equal(kv_position_phase(&rules, &position), "moving");
}

static void moves_are_written_as_agreed(void **state)
{
    (void)state;
    struct kv_rules rules;
    kv_rules_init(&rules, 0);
    const unsigned none = KV_NO_POINT;
    const struct {
        kv_move move;
        const char *text;
    } cases[] = {
        {kv_move_make(none, D6, none, none), "d6"},
        {kv_move_make(none, D6, A1, none), "d6xa1"},
        {kv_move_make(none, D6, A1, G7), "d6xa1xg7"},
        {kv_move_make(A1, A4, none, none), "a1-a4"},
        {kv_move_make(A1, A4, D6, none), "a1-a4xd6"},
        {kv_move_make(A1, A4, D6, G7), "a1-a4xd6xg7"},
        {kv_move_make(D5, E5, D3, none), "d5-e5xd3"},
        {kv_move_make(none, none, D5, none), "xd5"},
        {KV_MOVE_NONE, "(none)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[KV_MOVE_TEXT_MAX];
        assert_string_equal(kv_move_write(&rules, cases[i].move, text), cases[i].text);
    }
}

static void other_spellings_are_read(void **state)
{
    (void)state;
    const unsigned none = KV_NO_POINT;
    const struct {
        const char *position, *text;
        kv_move move;
    } cases[] = {
        {placing, "d5", kv_move_make(none, D5, none, none)},
        {placing, "D5", kv_move_make(none, D5, none, none)},
        {placing, "g1", kv_move_make(none, G1, none, none)}, /* its capture left out */
        {placing, "G1Xd6", kv_move_make(none, G1, D6, none)},
        {moving, "a1-a4", kv_move_make(A1, A4, none, none)},
        {moving, "a1a4", kv_move_make(A1, A4, none, none)},
        {moving, "A1A4", kv_move_make(A1, A4, none, none)},
        {moving, "g4g1", kv_move_make(18, G1, none, none)},
        {moving, "g4g1xD6", kv_move_make(18, G1, D6, none)},
        {moving, "G4-G1XC3", kv_move_make(18, G1, C3, none)},
        {due, "xd6", kv_move_make(none, none, D6, none)},
        {due, "XF6", kv_move_make(none, none, F6, none)},
        {doubled, "d6xa1", kv_move_make(none, D6, A1, none)}, /* the second left out */
        {doubled, "d6xc3xa1", kv_move_make(none, D6, C3, A1)},
        {doubled, "d6xa1xc3", kv_move_make(none, D6, A1, C3)},
        {flying, "a1-e4", kv_move_make(A1, E4, none, none)},
        {flying, "a1e4", kv_move_make(A1, E4, none, none)},
    };
    struct kv_rules rules;
    kv_rules_init(&rules, 0);
    rules.double_mill = KV_DOUBLE_TWO;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct kv_position position = read_position(&rules, cases[i].position);
        kv_move move = KV_MOVE_NONE;
        struct kv_error error = {""};
        if (kv_move_read(&rules, &position, cases[i].text, strlen(cases[i].text), &move, &error) != KV_OK)
            fail_msg("%s: %s", cases[i].text, error.text);
        assert_int_equal(move, cases[i].move);
    }
}

struct refusal {
    const char *position, *text;
    int status;
    const char *cause;
};

static const struct refusal refusals[] = {
    {placing, "", KV_E_SYNTAX, "expected a move"},
    {placing, "d", KV_E_SYNTAX, "expected a move"},
    {placing, "h1", KV_E_SYNTAX, "expected a move"},
    {placing, "a2", KV_E_SYNTAX, "expected a move"},
    {placing, "d4", KV_E_SYNTAX, "expected a move"},
    {placing, "a0", KV_E_SYNTAX, "expected a move"},
    {placing, "6d", KV_E_SYNTAX, "expected a move"},
    {placing, "(none)", KV_E_SYNTAX, "expected a move"},
    {placing, "0000", KV_E_SYNTAX, "expected a move"},
    {placing, "d5 ", KV_E_SYNTAX, "expected a move"},
    {placing, " d5", KV_E_SYNTAX, "expected a move"},
    {placing, "d5!", KV_E_SYNTAX, "expected a move"},
    {placing, "d5e5e4", KV_E_SYNTAX, "expected a move"},
    {placing, "-d5", KV_E_SYNTAX, "expected a move"},
    {placing, "d5\xc3\xa6", KV_E_SYNTAX, "expected a move"},
    {placing, "d5-", KV_E_SYNTAX, "no point of the board after '-'"},
    {placing, "d5-h9", KV_E_SYNTAX, "no point of the board after '-'"},
    {placing, "d5--e5", KV_E_SYNTAX, "no point of the board after '-'"},
    {placing, "x", KV_E_SYNTAX, "no point of the board after 'x'"},
    {placing, "g1x", KV_E_SYNTAX, "no point of the board after 'x'"},
    {placing, "g1xx", KV_E_SYNTAX, "no point of the board after 'x'"},
    {placing, "g1xd4", KV_E_SYNTAX, "no point of the board after 'x'"},
    {placing, "g1xd6xf6xa1", KV_E_ILLEGAL, "more than two captures"},
    {placing, "d6", KV_E_ILLEGAL, "point occupied"},
    {placing, "a1", KV_E_ILLEGAL, "point occupied"},
    {placing, "a1-a4", KV_E_ILLEGAL, "stones are still in hand: place one"},
    {placing, "d6d5", KV_E_ILLEGAL, "stones are still in hand: place one"},
    {placing, "d5xd6", KV_E_ILLEGAL, "no mill is closed, nothing may be taken"},
    {placing, "g1xa1", KV_E_ILLEGAL, "no opposing stone on a1"},
    {placing, "g1xd5", KV_E_ILLEGAL, "no opposing stone on d5"},
    {placing, "g1xd6xf6", KV_E_ILLEGAL, "only one stone may be taken"},
    {placing, "xd6", KV_E_ILLEGAL, "no capture is due"},
    {moving, "d5", KV_E_ILLEGAL, "no stones in hand: move one"},
    {moving, "d6-d5", KV_E_ILLEGAL, "no stone of the side to move on d6"},
    {moving, "d5-d6", KV_E_ILLEGAL, "no stone of the side to move on d5"},
    {moving, "a1-d1", KV_E_ILLEGAL, "point occupied"},
    {moving, "a1-a1", KV_E_ILLEGAL, "point occupied"},
    {moving, "a1-a7", KV_E_ILLEGAL, "a7 is not a neighbour of a1"},
    {moving, "a1-b2", KV_E_ILLEGAL, "b2 is not a neighbour of a1"},
    {moving, "a1-a4xd6", KV_E_ILLEGAL, "no mill is closed, nothing may be taken"},
    {sheltered, "g4-g1xd6", KV_E_ILLEGAL, "the stone on d6 stands in a mill"},
    {due, "d5", KV_E_ILLEGAL, "a capture is due first"},
    {due, "g1xd6", KV_E_ILLEGAL, "a capture is due first"},
    {due, "xd5", KV_E_ILLEGAL, "no opposing stone on d5"},
    {due, "xa1", KV_E_ILLEGAL, "no opposing stone on a1"},
    {doubled_due, "xa1xc3", KV_E_ILLEGAL, "captures that are due are made one at a time"},
    {doubled, "d6xa1xa1", KV_E_ILLEGAL, "no opposing stone on a1"},
    {over, "a1-a4", KV_E_ILLEGAL, "the game is over"},
};

static void a_bad_move_is_refused_with_its_cause(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        const struct refusal *r = &refusals[i];
        struct kv_rules rules;
        kv_rules_init(&rules, 0);
        rules.double_mill = r->position == doubled || r->position == doubled_due;
        struct kv_position position = read_position(&rules, r->position);
        kv_move move = 0x2222;
        struct kv_error error = {""};
        int status = kv_move_read(&rules, &position, r->text, strlen(r->text), &move, &error);
        if (status != r->status)
            fail_msg("'%s' in %s: status %d, not %d", r->text, r->position, status, r->status);
        assert_int_equal(move, 0x2222);
        if (!strstr(error.text, r->cause))
            fail_msg("'%s' in %s says '%s', not '%s'", r->text, r->position, error.text, r->cause);
        assert_int_equal(kv_move_read(&rules, &position, r->text, strlen(r->text), &move, NULL), status);
    }
}

static void barred_mills_are_named(void **state)
{
    (void)state;
    struct kv_rules rules;
    kv_rules_init(&rules, 0);
    rules.reclose_mill = KV_RECLOSE_NOT_AT_ONCE;
    struct kv_position position =
        read_position(&rules, "*****@@*/@@****O*/**O*OO** w m s 4 0 4 0 0 0 27 26 0 0 0 0 9");
    kv_move move;
    struct kv_error error;
    assert_int_equal(kv_move_read(&rules, &position, "g4-g1xd6", 8, &move, &error), KV_E_ILLEGAL);
    assert_non_null(strstr(error.text, "RecloseMill"));
}

/* Every spelling of the 24 x 24 x 24 moves and captures there could be is accepted exactly when the
 * written list has it. */
static void what_is_accepted_is_what_is_listed(void **state)
{
    (void)state;
    struct kv_rules rules;
    kv_rules_init(&rules, 0);
    static const char *const texts[] = {moving, placing, sheltered, flying};
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        struct kv_position position = read_position(&rules, texts[t]);
        kv_move moves[KV_MOVES_MAX];
        int count = kv_moves(&rules, &position, moves), accepted = 0;
        for (unsigned from = 0; from <= 24; from++)
            for (unsigned to = 0; to < 24; to++)
                for (unsigned capture = 0; capture <= 24; capture++) {
                    kv_move made = kv_move_make(from < 24 ? from : KV_NO_POINT, to,
                                                capture < 24 ? capture : KV_NO_POINT, KV_NO_POINT),
                            read;
                    char text[KV_MOVE_TEXT_MAX];
                    kv_move_write(&rules, made, text);
                    if (kv_move_read(&rules, &position, text, strlen(text), &read, NULL) != KV_OK)
                        continue;
                    assert_int_equal(read, made);
                    struct kv_position next = position;
                    kv_position_play(&rules, &next, read);
                    accepted += next.due == 0;
                }
        assert_int_equal(accepted, count);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_and_phases_have_names),
        cmocka_unit_test(moves_are_written_as_agreed),
        cmocka_unit_test(other_spellings_are_read),
        cmocka_unit_test(a_bad_move_is_refused_with_its_cause),
        cmocka_unit_test(barred_mills_are_named),
        cmocka_unit_test(what_is_accepted_is_what_is_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
