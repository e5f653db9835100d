/* Position text: reading of both ages, the field named in every refusal, and round trips. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "kvern/position.h"

#define EMPTY "********/********/********"
#define START EMPTY " w p p 0 9 0 9 0 0 -1 -1 -1 -1 0 0 1 ids:nodes"
/* Six white stones, among them the mill c5-d5-e5, against four black ones. */
#define MIDDLE "OO***@*O/@*O**@**/**@*O*O*"

static int read_text(const struct kv_rules *rules, const char *text, struct kv_position *position,
                     struct kv_error *error)
{
    return kv_position_read(rules, text, strlen(text), position, error);
}

static struct kv_rules rules_with(int reclose, int double_mill)
{
    struct kv_rules rules;
    kv_rules_init(&rules, 0);
    rules.reclose_mill = (uint8_t)reclose;
    rules.double_mill = (uint8_t)double_mill;
    return rules;
}

static struct kv_position must_read(const struct kv_rules *rules, const char *text)
{
    struct kv_position position;
    struct kv_error error = {""};
    if (read_text(rules, text, &position, &error) != KV_OK)
        fail_msg("%s: %s", text, error.text);
    return position;
}

static void the_start_is_written_as_everyone_writes_it(void **state)
{
    (void)state;
    struct kv_rules rules = rules_with(KV_RECLOSE_ALLOWED, KV_DOUBLE_ONE);
    struct kv_position position;
    kv_position_start(&rules, &position);
    char text[KV_POSITION_TEXT_MAX];
    assert_int_equal(kv_position_write(&rules, &position, text), strlen(START));
    assert_string_equal(text, START);
    struct kv_position read = must_read(&rules, START);
    assert_true(kv_position_same(&position, &read));
    assert_int_equal(read.ply, 0);
}

static void each_field_lands_in_its_place(void **state)
{
    (void)state;
    struct kv_rules rules = rules_with(KV_RECLOSE_ALLOWED, KV_DOUBLE_TWO);
    struct kv_position p = must_read(&rules, MIDDLE " b m s 6 0 4 0 0 0 -1 -1 -1 -1 0 7 15 ids:nodes");
    assert_int_equal(p.stones[KV_WHITE], 1u << 0 | 1u << 1 | 1u << 7 | 1u << 10 | 1u << 20 | 1u << 22);
    assert_int_equal(p.stones[KV_BLACK], 1u << 5 | 1u << 8 | 1u << 13 | 1u << 18);
    assert_int_equal(p.side, KV_BLACK);
}

static void plies_follow_from_the_move_number_and_who_began(void **state)
{
    (void)state;
    struct kv_rules rules = rules_with(KV_RECLOSE_ALLOWED, KV_DOUBLE_ONE);
    static const struct {
        int first;
        const char *text;
        int ply;
    } cases[] = {
        {KV_WHITE, EMPTY " w p p 0 9 0 9 0 0 -1 -1 -1 -1 0 0 1", 0},
        {KV_WHITE, EMPTY " b p p 0 9 0 9 0 0 -1 -1 -1 -1 0 0 1", 1},
        {KV_WHITE, EMPTY " w p p 0 9 0 9 0 0 -1 -1 -1 -1 0 0 4", 6},
        {KV_BLACK, EMPTY " b p p 0 9 0 9 0 0 -1 -1 -1 -1 0 0 4", 6},
        {KV_BLACK, EMPTY " w p p 0 9 0 9 0 0 -1 -1 -1 -1 0 0 4", 7},
        {KV_WHITE, EMPTY " w p p 0 9 0 9 0 0 -1 -1 -1 -1 0 0 0", 0},
        {KV_WHITE, EMPTY " w p p 0 9 0 9 0 0 -1 -1 -1 -1 0 0 32768", 65534},
        {KV_WHITE, EMPTY " b p p 0 9 0 9 0 0 -1 -1 -1 -1 0 65535 32768", 65535},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rules.first_move = (uint8_t)cases[i].first;
        struct kv_position position = must_read(&rules, cases[i].text), again;
        assert_int_equal(position.ply, cases[i].ply);
        char text[KV_POSITION_TEXT_MAX];
        kv_position_write(&rules, &position, text);
        again = must_read(&rules, text);
        assert_int_equal(again.ply, cases[i].ply);
    }
}

static void texts_of_every_age_mean_the_same(void **state)
{
    (void)state;
    struct kv_rules rules = rules_with(KV_RECLOSE_ALLOWED, KV_DOUBLE_ONE);
    static const char *const same[] = {
        MIDDLE " w m s 6 0 4 0 0 0 -1 -1 -1 -1 0 0 1 ids:nodes",
        MIDDLE " w m s 6 0 4 0 0 0 -1 -1 -1 -1 0 0 1",
        MIDDLE " w m s 6 0 4 0",
        MIDDLE " w m s 6 0 4 0 ids:nodes",
        MIDDLE " w m s 6 0 4 0 0",
        MIDDLE " w m s 6 0 4 0 0 0",
        MIDDLE " w m s 6 0 4 0 0 0 1",   /* one count of captures due, plies, move number */
        MIDDLE " w m s 6 0 4 0 0 0 0 1", /* two counts of captures due */
        MIDDLE " w m s 6 0 4 0 0 0 -1 -1 -1 -1 0",
        MIDDLE " w m s 6 0 4 0 0 0 0 0 0 0 0 0 1",
        "  " MIDDLE "\tw  m s 6 0 4 0 0 0 0 0 0 0 -1 0 1 \r\n",
        MIDDLE " w o ? 6 0 4 0",
        MIDDLE " w r s 6 0 4 0",
    };
    struct kv_position first = must_read(&rules, same[0]);
    for (size_t i = 1; i < sizeof same / sizeof *same; i++) {
        struct kv_position other = must_read(&rules, same[i]);
        assert_true(kv_position_same(&first, &other));
        assert_int_equal(other.quiet, 0);
        assert_int_equal(other.ply, 0);
        assert_int_equal(other.due, 0);
    }
    struct kv_position older = must_read(&rules, MIDDLE " b m s 6 0 4 0 0 12 20");
    assert_int_equal(older.quiet, 12);
    assert_int_equal(older.ply, 39);
    older = must_read(&rules, MIDDLE " b m s 6 0 4 0 0 0 12 20");
    assert_int_equal(older.quiet, 12);
    assert_int_equal(older.ply, 39);
}

static void captures_due_are_read_from_every_age(void **state)
{
    (void)state;
    struct kv_rules rules = rules_with(KV_RECLOSE_ALLOWED, KV_DOUBLE_ONE);
    static const char *const due_to_white[] = {
        MIDDLE " w p r 6 1 4 2",
        MIDDLE " w p r 6 1 4 2 1",
        MIDDLE " w p r 6 1 4 2 1 0",
        MIDDLE " w p r 6 1 4 2 1 0 8",
        MIDDLE " w p r 6 1 4 2 1 0 0 8",
        MIDDLE " w p r 6 1 4 2 1 0 -1 -1 -1 -1 0 0 8 ids:nodes",
        MIDDLE " w p ? 6 1 4 2 1 0 -1 -1 -1 -1 0 0 8 ids:nodes",
    };
    for (size_t i = 0; i < sizeof due_to_white / sizeof *due_to_white; i++)
        assert_int_equal(must_read(&rules, due_to_white[i]).due, 1);
    /* the mirror image: eleven fields have one count for whoever is to move */
    struct kv_position black = must_read(&rules, "@@***O*@/O*@**O**/**O*@*@* b p r 4 2 6 1 1 0 8");
    assert_int_equal(black.due, 1);
    assert_int_equal(black.side, KV_BLACK);
    black = must_read(&rules, "@@***O*@/O*@**O**/**O*@*@* b p r 4 2 6 1 0 1 0 8");
    assert_int_equal(black.due, 1);
    struct kv_rules two = rules_with(KV_RECLOSE_ALLOWED, KV_DOUBLE_TWO);
    assert_int_equal(must_read(&two, "OO*****O/O***@***/O@@*O*** w p r 6 0 3 0 2 0").due, 2);
}

static void rule_state_is_kept_where_it_is_in_force(void **state)
{
    (void)state;
    static const char text[] = MIDDLE " b m s 6 0 4 0 0 0 8 16 31 30 0 3 15";
    struct kv_rules rules = rules_with(KV_RECLOSE_NOT_AT_ONCE, KV_DOUBLE_ONE);
    struct kv_position position = must_read(&rules, text);
    char out[KV_POSITION_TEXT_MAX];
    kv_position_write(&rules, &position, out);
    assert_string_equal(out, MIDDLE " b m s 6 0 4 0 0 0 8 16 31 30 0 3 15 ids:nodes");
    rules.reclose_mill = KV_RECLOSE_ALLOWED;
    position = must_read(&rules, text);
    assert_int_equal(position.reclose[0] | position.reclose[1], 0);

    /* white's last mill c5-d5-e5: bits 8, 9 and 15; black's b2-d2-f2: bits 8 + 11, 12 and 13 */
    rules.reclose_mill = KV_RECLOSE_NOT_TWICE;
    uint64_t white = 1u << 8 | 1u << 9 | 1u << 15, black = 1u << 19 | 1u << 20 | 1u << 21;
    char in[KV_POSITION_TEXT_MAX];
    snprintf(in, sizeof in, MIDDLE " b m s 6 0 4 0 0 0 -1 -1 -1 -1 %llu 3 15 ids:nodes",
             (unsigned long long)(white << 32 | black));
    position = must_read(&rules, in);
    assert_int_equal(__builtin_popcount(position.reclose[0]), 1);
    assert_int_equal(__builtin_popcount(position.reclose[1]), 1);
    assert_int_not_equal(position.reclose[0], position.reclose[1]);
    kv_position_write(&rules, &position, out);
    assert_string_equal(out, in);
}

/* Point a7 has the highest id, 31, so that a white mill through it sets the top bit of the mills. */
static void the_mills_may_use_all_64_bits(void **state)
{
    (void)state;
    struct kv_rules rules = rules_with(KV_RECLOSE_NOT_TWICE, KV_DOUBLE_ONE);
    /* a7-d7-g7: ids 31, 24 and 25 */
    static const char text[] =
        "**O*@***/@*O**@**/OO@****O b m s 5 0 4 0 0 0 -1 -1 -1 -1 9439544818968559616 3 15 ids:nodes";
    struct kv_position position = must_read(&rules, text);
    assert_int_not_equal(position.reclose[KV_WHITE], 0);
    assert_int_equal(position.reclose[KV_BLACK], 0);
    char out[KV_POSITION_TEXT_MAX];
    kv_position_write(&rules, &position, out);
    assert_string_equal(out, text);
    /* the same bits as a program with signed numbers prints them */
    struct kv_position other = must_read(
        &rules, "**O*@***/@*O**@**/OO@****O b m s 5 0 4 0 0 0 -1 -1 -1 -1 -9007199254740992000 3 15");
    assert_true(kv_position_same(&position, &other));
}

struct refusal {
    const char *text, *names;
};

static const struct refusal refusals[] = {
    {"", "fields, expected at least 8"},
    {EMPTY, "1 fields, expected at least 8"},
    {EMPTY " w p p 0 9 0", "7 fields, expected at least 8"},
    {EMPTY " w p p 0 9 0 9 0 0 -1 -1 -1 -1 0 0 1 ids:nodes ids:nodes", "more than 18 fields"},
    {EMPTY " w p p 0 9 0 9 0 0 -1 -1 -1 -1 0 0 1 extra", "field 18 (marker) 'extra'"},
    {EMPTY " w p p 0 9 0 9 0 0 -1 -1 -1 -1 0 0 1 ids:squares", "field 18 (marker) 'ids:squares'"},
    {"X*******/********/******** w p p 0 9 0 9", "field 1 (board)"},
    {"********/****x***/******** w p p 0 9 0 9", "field 1 (board)"},
    {"*******/*********/******** w p p 0 9 0 9", "field 1 (board)"},
    {"********/********/******* w p p 0 9 0 9", "field 1 (board)"},
    {"********/******** w p p 0 9 0 9", "field 1 (board)"},
    {"********/********/********* w p p 0 9 0 9", "field 1 (board)"},
    {"********/********/********/******** w p p 0 9 0 9", "field 1 (board)"},
    {"************************** w p p 0 9 0 9", "field 1 (board)"},
    {"o*******/********/******** w p p 1 8 0 9", "field 1 (board)"},
    {EMPTY " x p p 0 9 0 9", "field 2 (side) 'x'"},
    {EMPTY " W p p 0 9 0 9", "field 2 (side) 'W'"},
    {EMPTY " wb p p 0 9 0 9", "field 2 (side) 'wb'"},
    {EMPTY " w q p 0 9 0 9", "field 3 (phase) 'q'"},
    {EMPTY " w 1 p 0 9 0 9", "field 3 (phase) '1'"},
    {EMPTY " w m s 0 9 0 9", "field 3 (phase) 'm'"},
    {MIDDLE " w p p 6 0 4 0", "field 3 (phase) 'p'"},
    {EMPTY " w p x 0 9 0 9", "field 4 (action) 'x'"},
    {EMPTY " w p pp 0 9 0 9", "field 4 (action) 'pp'"},
    {EMPTY " w p r 0 9 0 9", "field 4 (action) 'r'"},
    {MIDDLE " w p r 6 1 4 1 0 0", "field 4 (action) 'r'"},
    {MIDDLE " w p p 6 1 4 1 1 0", "field 4 (action) 'p'"},
    {MIDDLE " w m s 6 0 4 0 1 0", "field 4 (action) 's'"},
    {MIDDLE " w m s 5 0 4 0", "field 5 (white on board) '5'"},
    {MIDDLE " w m s x 0 4 0", "field 5 (white on board) 'x'"},
    {MIDDLE " w m s -6 0 4 0", "field 5 (white on board) '-6'"},
    {MIDDLE " w m s 6.0 0 4 0", "field 5 (white on board) '6.0'"},
    {"OOOOOOOO/OO******/@@@***** w m s 10 0 3 0", "field 5 (white on board) '10'"},
    {MIDDLE " w p p 6 4 4 0", "field 6 (white in hand) '4'"},
    {MIDDLE " w p p 6 10 4 0", "field 6 (white in hand) '10'"},
    {MIDDLE " w p p 6 -1 4 0", "field 6 (white in hand) '-1'"},
    {MIDDLE " w m s 6 0 9 0", "field 7 (black on board) '9'"},
    {"@@@@@@@@/@@******/OOO***** w m s 3 0 10 0", "field 7 (black on board) '10'"},
    {MIDDLE " w p s 6 0 4 6", "field 8 (black in hand) '6'"},
    {MIDDLE " w p s 6 0 4 99999999999999999999", "field 8 (black in hand) '99999999999999999999'"},
    {MIDDLE " w p r 6 1 4 1 3 0", "field 9 (captures due to white) '3'"},
    {MIDDLE " w p r 6 1 4 1 2 0", "field 9 (captures due to white) '2'"},
    {MIDDLE " b p r 6 1 4 1 1 0 -1 -1 -1 -1 0 0 9", "field 9 (captures due to white) '1'"},
    {"OO***@**/@*O**@**/**@*O*O* w p r 5 1 4 1 1 0", "field 9 (captures due to white) '1'"},
    {"OO***@**/@*O**@**/**@*O*O* w p r 5 1 4 1", "field 4 (action) 'r'"},
    {"OO*****O/********/******** w p r 3 6 0 9 1 0", "field 9 (captures due to white) '1'"},
    {MIDDLE " w p p 6 1 4 1 0 1", "field 10 (captures due to black) '1'"},
    {MIDDLE " w p p 6 1 4 1 0 y", "field 10 (captures due to black) 'y'"},
    {MIDDLE " w m s 6 0 4 0 0 0 7 9 -1 -1 0 0 1", "field 11 (white's last mill from) '7'"},
    {MIDDLE " w m s 6 0 4 0 0 0 32 9 -1 -1 0 0 1", "field 11 (white's last mill from) '32'"},
    {MIDDLE " w m s 6 0 4 0 0 0 8 -1 -1 -1 0 0 1", "field 12 (white's last mill to) '-1'"},
    {MIDDLE " w m s 6 0 4 0 0 0 8 8 -1 -1 0 0 1", "field 12 (white's last mill to) '8'"},
    {MIDDLE " w m s 6 0 4 0 0 0 -1 -1 -2 -1 0 0 1", "field 13 (black's last mill from) '-2'"},
    {MIDDLE " w m s 6 0 4 0 0 0 -1 -1 -1 9 0 0 1", "field 14 (black's last mill to) '9'"},
    {MIDDLE " w m s 6 0 4 0 0 0 -1 -1 -1 -1 0x10 0 1", "field 15 (mills) '0x10'"},
    {MIDDLE " w m s 6 0 4 0 0 0 -1 -1 -1 -1 18446744073709551616 0 1",
     "field 15 (mills) '18446744073709551616'"},
    {MIDDLE " w m s 6 0 4 0 0 0 -1 -1 -1 -1 0 -3 1", "field 16 (plies since a capture) '-3'"},
    {MIDDLE " w m s 6 0 4 0 0 0 -1 -1 -1 -1 0 65536 1", "field 16 (plies since a capture) '65536'"},
    {MIDDLE " w m s 6 0 4 0 0 0 -1 -1 -1 -1 0 0 -1", "field 17 (move number) '-1'"},
    {MIDDLE " w m s 6 0 4 0 0 0 -1 -1 -1 -1 0 0 32769", "field 17 (move number) '32769'"},
    {MIDDLE " w m s 6 0 4 0 0 0 -1 -1 -1 -1 0 0 one", "field 17 (move number) 'one'"},
};

static void assert_refused(const struct kv_rules *rules, const char *text, const char *names)
{
    struct kv_position position, untouched;
    memset(&position, 0xa5, sizeof position);
    untouched = position;
    struct kv_error error = {""};
    int status = read_text(rules, text, &position, &error);
    if (status == KV_OK)
        fail_msg("accepted: %s", text);
    assert_memory_equal(&position, &untouched, sizeof position);
    if (!strstr(error.text, names))
        fail_msg("%s\n  says: %s\n  lacks: %s", text, error.text, names);
    assert_int_equal(read_text(rules, text, &position, NULL), status);
}

static void a_bad_text_is_refused_by_the_name_of_the_field(void **state)
{
    (void)state;
    struct kv_rules rules = rules_with(KV_RECLOSE_ALLOWED, KV_DOUBLE_ONE);
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++)
        assert_refused(&rules, refusals[i].text, refusals[i].names);
}

static void bad_rule_state_is_refused_where_it_matters(void **state)
{
    (void)state;
    static const struct refusal mills[] = {
        /* bits that are no point; two points; three points on no line; two lines that do not cross */
        {MIDDLE " w m s 6 0 4 0 0 0 -1 -1 -1 -1 1 0 1", "field 15 (mills) '1'"},
        {MIDDLE " w m s 6 0 4 0 0 0 -1 -1 -1 -1 768 0 1", "field 15 (mills) '768'"},
        {MIDDLE " w m s 6 0 4 0 0 0 -1 -1 -1 -1 5376 0 1", "field 15 (mills) '5376'"},
        {MIDDLE " w m s 6 0 4 0 0 0 -1 -1 -1 -1 47872 0 1", "field 15 (mills) '47872'"},
        {MIDDLE " w m s 6 0 4 0 0 0 -1 -1 -1 -1 4294967040 0 1", "field 15 (mills) '4294967040'"},
    };
    struct kv_rules rules = rules_with(KV_RECLOSE_NOT_TWICE, KV_DOUBLE_ONE);
    for (size_t i = 0; i < sizeof mills / sizeof *mills; i++) {
        assert_refused(&rules, mills[i].text, mills[i].names);
        struct kv_rules others = rules_with(KV_RECLOSE_ALLOWED, KV_DOUBLE_ONE);
        assert_int_equal(must_read(&others, mills[i].text).reclose[KV_BLACK], 0);
    }
    /* two captures due need two mills that cross at the stone that closed them */
    struct kv_rules two = rules_with(KV_RECLOSE_ALLOWED, KV_DOUBLE_TWO);
    assert_refused(&two, MIDDLE " w p r 6 1 4 1 2 0", "field 9 (captures due to white) '2'");
    two.mill_protection = KV_PROTECT_ALWAYS;
    assert_refused(&two, "OO*****O/O**@@@**/O*@***** w p r 5 0 4 0 2 0",
                   "field 9 (captures due to white) '2'");
    assert_int_equal(must_read(&two, "OO*****O/O**@@@**/O*@***** w p r 5 0 4 0 1 0").due, 1);
}

static void fewer_stones_on_request_are_a_limit(void **state)
{
    (void)state;
    struct kv_rules rules = rules_with(KV_RECLOSE_ALLOWED, KV_DOUBLE_ONE);
    rules.stones = 6;
    struct kv_position position;
    kv_position_start(&rules, &position);
    char text[KV_POSITION_TEXT_MAX];
    kv_position_write(&rules, &position, text);
    assert_string_equal(text, EMPTY " w p p 0 6 0 6 0 0 -1 -1 -1 -1 0 0 1 ids:nodes");
    assert_refused(&rules, START, "field 6 (white in hand) '9'");
}

/* Random games under random rules, each position written, read, and written again. */
static void what_is_written_reads_back(void **state)
{
    (void)state;
    struct kv_random random = {4711};
    int due_seen = 0, state_seen = 0;
    for (int game = 0; game < 200; game++) {
        struct kv_rules rules = rules_with(game % 3, game / 3 % 2);
        rules.mill_protection = (uint8_t)(game / 6 % 3);
        rules.flying = game / 18 % 2;
        rules.first_move = game / 36 % 2;
        struct kv_position position;
        kv_position_start(&rules, &position);
        for (int ply = 0; ply < 100; ply++) {
            kv_move moves[KV_MOVES_MAX];
            int count = kv_moves(&rules, &position, moves);
            if (count == 0)
                break;
            char text[KV_POSITION_TEXT_MAX], again[KV_POSITION_TEXT_MAX];
            kv_position_write(&rules, &position, text);
            struct kv_position read = must_read(&rules, text);
            assert_true(kv_position_same(&position, &read));
            assert_int_equal(kv_position_key(&position), kv_position_key(&read));
            assert_int_equal(read.quiet, position.quiet);
            assert_int_equal(read.ply, position.ply);
            kv_position_write(&rules, &read, again);
            assert_string_equal(text, again);
            due_seen += position.due > 0;
            state_seen += (position.reclose[0] | position.reclose[1]) != 0;
            /* the last listed moves take stones; leave the captures due every other time */
            kv_move move = moves[kv_random_below(&random, (uint32_t)count)];
            if (kv_random_below(&random, 2) && position.due == 0)
                move = kv_move_make(kv_move_from(move), kv_move_to(move), KV_NO_POINT, KV_NO_POINT);
            kv_position_play(&rules, &position, move);
        }
    }
    assert_true(due_seen > 50 && state_seen > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_start_is_written_as_everyone_writes_it),
        cmocka_unit_test(each_field_lands_in_its_place),
        cmocka_unit_test(plies_follow_from_the_move_number_and_who_began),
        cmocka_unit_test(texts_of_every_age_mean_the_same),
        cmocka_unit_test(captures_due_are_read_from_every_age),
        cmocka_unit_test(rule_state_is_kept_where_it_is_in_force),
        cmocka_unit_test(the_mills_may_use_all_64_bits),
        cmocka_unit_test(a_bad_text_is_refused_by_the_name_of_the_field),
        cmocka_unit_test(bad_rule_state_is_refused_where_it_matters),
        cmocka_unit_test(fewer_stones_on_request_are_a_limit),
        cmocka_unit_test(what_is_written_reads_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
