/* Game records: forms that are read, forms that are refused with their place, and what is written. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "record/record.h"

/* The main line of every accepted form below, as whole turns. */
static const char mill[] = "d6 f4 f6 d2 b6xf4 g1";

static const struct accepted {
    const char *text, *moves, *result;
} accepted[] = {
    {"1. d6 f4 2. f6 d2 3. b6xf4 g1 *", mill, "*"},
    {"1. d6 f4 2. f6 d2 3. b6 xf4 g1 *", mill, "*"},
    {"1. d6 f4 2. f6 d2 3. b6 xf4 3... g1", mill, "*"},
    {"d6 f4 f6 d2 b6xf4 g1", mill, "*"},
    {"1.d6 f4 2.f6 d2 3.b6xf4 g1 1-0", mill, "1-0"},
    {"1 d6 f4 2 f6 d2 3 b6xf4 g1 0-1", mill, "0-1"},
    {"1 . d6 f4 2 . f6 d2 3 . b6xf4 g1", mill, "*"},
    {"1. D6 F4 2. F6 D2 3. B6XF4 G1", mill, "*"},
    {"1. d6\r\nf4\r\n2.\r\nf6 d2\r\n3. b6\r\nxf4 g1\r\n1/2-1/2\r\n", mill, "1/2-1/2"},
    {"1. d6 { good } f4 ; not so good\n2. f6 d2 3. b6xf4 g1", mill, "*"},
    {"{before} 1. d6 f4 2. f6 d2 3. b6xf4 g1 {after} *", mill, "*"},
    {"1. d6! f4? 2. f6!! d2?? 3. b6xf4!? g1?!", mill, "*"},
    {"1. d6 $1 f4 $2 2. f6 $14 d2$6 3. b6xf4 $0 g1 $255", mill, "*"},
    {"1. d6 ! f4 2. f6 d2 3. b6! xf4 g1", mill, "*"},
    {"1. d6 (1. f4 d6 2. b4) f4 2. f6 d2 3. b6xf4 g1", mill, "*"},
    {"1. d6 (1. f4 (1. b4 d6) d6) (1. g7) f4 2. f6 d2 3. b6xf4 g1", mill, "*"},
    {"1. d6 f4 2. f6 d2 3. b6xf4 (3. b6xd2) (3. xd2 g1) g1", mill, "*"},
    {"1. d6 f4 2. f6 d2 3. b6 xf4 (3. b6 xd2 g1) g1", mill, "*"},
    {"1. d6 ({why not} 1. f4 {ok} $1) f4 2. f6 d2 3. b6xf4 g1", mill, "*"},
    {"1. d6 1... f4 2. f6 2... d2 3. b6xf4 3... g1", mill, "*"},
    {"7. d6 f4 9. f6 d2 1. b6xf4 g1", mill, "*"},
    {"1. d6 ... f4 2. f6 d2 3. b6xf4 .. g1", mill, "*"},
    {"[Event \"x\"]\n[Result \"1-0\"]\n\n1. d6 f4 2. f6 d2 3. b6xf4 g1 1-0\n", mill, "1-0"},
    {"[Result \"1-0\"]\n1. d6 f4 2. f6 d2 3. b6xf4 g1\n", mill, "1-0"},
    {"[Result \"1-0\"]\n1. d6 f4 2. f6 d2 3. b6xf4 g1 *\n", mill, "1-0"},
    {"[Result \"*\"] 1. d6 f4 2. f6 d2 3. b6xf4 g1 0-1\n", mill, "0-1"},
    {"[Result \"?\"] 1. d6 f4 2. f6 d2 3. b6xf4 g1 1/2\n", mill, "1/2-1/2"},
    {"[Event\t\"a \\\"b\\\" \\\\ c\"  ]\r\n\r\n1. d6 f4 2. f6 d2 3. b6xf4 g1\r\n", mill, "*"},
    {"[Variant \"nine\"]\n[Flying \"false\"]\n[DoubleMill \"two\"]\nd6 f4 f6 d2 b6xf4 g1", mill, "*"},
    {"[Variant \"Nine Men's Morris\"]\nd6 f4 f6 d2 b6xf4 g1", mill, "*"},
    {"[PlyCount \"many\"][SetUp \"0\"]\nd6 f4 f6 d2 b6xf4 g1", mill, "*"},
    {"\xef\xbb\xbf[Event \"marked\"]\nd6 f4 f6 d2 b6xf4 g1", mill, "*"},
    {"% exported by somebody\n[Event \"x\"]\n% again\n1. d6 f4\n% and again\n2. f6 d2 3. b6xf4 g1", mill,
     "*"},
    {"\n\n  \n1. d6 f4 2. f6 d2 3. b6xf4 g1\n\n\n", mill, "*"},
    {"1. d6 f4 2. f6 d2 3. b6xf4 g1 1-0 {White wins} ; on time\n", mill, "1-0"},
    {"1. d6 {+0.35/12 0.050s} f4 {-M3/9 1.2s, hopeless} 2. f6 d2 3. b6xf4 {book} g1", mill, "*"},
    {"1. 5 14 2. 6 20 3. 4x14 24 *", "d6 f4 f6 d2 b6xf4 g1", "*"},
    {"1. 5 14 2. 6 20 3. 4 x14 24", "d6 f4 f6 d2 b6xf4 g1", "*"},
    {"1.\n5 14 2.\n6 20\n3\n. 4x14 24\n1-0", "d6 f4 f6 d2 b6xf4 g1", "1-0"},
    {"[Site \"PlayOK\"]\r\n\r\n1. 5 14 2. 6 20 3. 4x14\r\n24 0-1\r\n", "d6 f4 f6 d2 b6xf4 g1", "0-1"},
    {"1. 1 3 2. 24 22", "a7 g7 g1 a1", "*"},
    {"1. d6 f4 2. f6 d2 3. b6", "d6 f4 f6 d2 b6", "*"},
    {"[FEN \"********/@@******/***OO*** b p p 2 7 2 7\"]\n1... a7 2. d7", "a7 d7", "*"},
    {"[FEN \"********/@@******/***OOO** w p r 3 6 2 7 1 0\"]\nxd6 g7", "xd6 g7", "*"},
    {"[FEN \"*****@@*/@@****O*/**O*OO** w m s 4 0 4 0\"]\n1. a1-a4 f6-f4 2. a4a1 F4F6",
     "a1-a4 f6-f4 a4-a1 f4-f6", "*"},
    {"[FEN \"*****@@*/@@****O*/**O*OO** w m s 4 0 4 0\"]\n1. 22-10 6-14 2. 10-22", "a1-a4 f6-f4 a4-a1", "*"},
    {"[DoubleMill \"two\"]\n[FEN \"O****@@*/*O*****O/O****@** w p p 4 2 3 2\"]\nd6 xc3 xc4", "d6xc3xc4", "*"},
    {"[DoubleMill \"two\"]\n[FEN \"O****@@*/*O*****O/O****@** w p p 4 2 3 2\"]\nd6xc3 xc4", "d6xc3xc4", "*"},
    {"[Event \"nobody moved\"]\n\n*\n", "", "*"},
    {"{\"moves\":[\"d6\",\"f4\",\"f6\",\"d2\",\"b6xf4\",\"g1\"]}", mill, "*"},
    {"{ \"result\":\"1-0\", \"moves\":[\"d6\",\"f4\",\"f6\",\"d2\",\"b6\",\"xf4\",\"g1\"]}\r\n", mill, "1-0"},
    {"{\"moves\":[{\"move\":\"d6\",\"score\":35,\"depth\":9,\"time_ms\":50,\"nags\":[1]},\"f4\",\"f6\","
     "\"d2\","
     "{\"move\":\"b6xf4\",\"comment\":\"a mill\",\"variations\":[{\"moves\":[\"b6xd2\"]}]},\"g1\"]}",
     mill, "*"},
    {"{\"tags\":{\"Event\":\"x\"},\"variant\":\"nine\",\"rules\":{\"Repetition\":\"0\"},\"moves\":[]}", "",
     "*"},
};

static void join_moves(const struct kv_record *record, struct kv_buffer *out)
{
    char text[KV_MOVE_TEXT_MAX];
    kv_buffer_text(out, "");
    for (size_t i = 0; i < record->line.count; i++) {
        kv_buffer_text(out, i ? " " : "");
        kv_buffer_text(out, kv_move_write(&record->rules, record->line.moves[i].move, text));
    }
}

/* Reads the only record of a text that lies in memory of exactly its size. */
static int read_one(const char *text, struct kv_record *record, struct kv_error *error)
{
    size_t length = strlen(text);
    char *copy = malloc(length ? length : 1);
    assert_non_null(copy);
    memcpy(copy, text, length);
    struct kv_record_reader reader = {.text = copy, .length = length};
    int status = kv_record_read(&reader, record, error);
    if (status == KV_OK) {
        struct kv_record extra;
        assert_int_equal(kv_record_read(&reader, &extra, NULL), KV_E_NOT_FOUND);
    }
    free(copy);
    return status;
}

static void forms_in_use_are_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof accepted / sizeof *accepted; i++) {
        struct kv_record record;
        struct kv_error error = {""};
        if (read_one(accepted[i].text, &record, &error) != KV_OK)
            fail_msg("%s\n%s", accepted[i].text, error.text);
        struct kv_buffer moves = {0};
        join_moves(&record, &moves);
        if (strcmp(moves.data, accepted[i].moves) != 0)
            fail_msg("%s\nread as: %s", accepted[i].text, moves.data);
        assert_string_equal(kv_record_result_text(record.result), accepted[i].result);
        kv_buffer_finish(&moves);
        kv_record_finish(&record);
    }
    assert_true(sizeof accepted / sizeof *accepted >= 40);
}

static void what_is_written_is_read_as_the_same(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof accepted / sizeof *accepted; i++)
        for (int json = 0; json < 2; json++) {
            void (*write)(const struct kv_record *, struct kv_buffer *) =
                json ? kv_record_write_json : kv_record_write_text;
            struct kv_record record, again;
            struct kv_buffer first = {0}, second = {0};
            struct kv_error error = {""};
            assert_int_equal(read_one(accepted[i].text, &record, NULL), KV_OK);
            write(&record, &first);
            if (read_one(first.data, &again, &error) != KV_OK)
                fail_msg("%s\n%s", first.data, error.text);
            write(&again, &second);
            assert_string_equal(first.data, second.data);
            kv_buffer_finish(&first);
            kv_buffer_finish(&second);
            kv_record_finish(&record);
            kv_record_finish(&again);
        }
}

static const struct refused {
    const char *text, *place, *cause;
} refused[] = {
    {"1. d6 d6", "line 1, column 7:", "point occupied"},
    {"1. d6\n2. f4 z9", "line 2, column 7:", "expected a move"},
    {"1. d6 f4 2. f6 d2 3. b6xg1", "line 1, column 22:", "no opposing stone on g1"},
    {"1. d6 f4 2. f6 d2 3. b6 g1", "line 1, column 25:", "a capture is due"},
    {"1. d6 xf4", "line 1, column 7:", "no capture is due"},
    {"1. d6xf4", "line 1, column 4:", "nothing may be taken"},
    {"1. d6-d5", "line 1, column 4:", "stones are still in hand"},
    {"1. d6 f4 2. --", "line 1, column 13:", "expected a move"},
    {"1. d4", "line 1, column 4:", "expected a move"},
    {"1. 25", "line 1, column 4:", "point number from 1 to 24"},
    {"1. 5 0", "line 1, column 6:", "point number from 1 to 24"},
    {"1. 5 5", "line 1, column 6:", "point occupied"},
    {"1. 5 14 2. 6 20 3. 4x1", "line 1, column 20:", "no opposing stone on a7"},
    {"1. 5-", "line 1, column 4:", "point number"},
    {"1. 5:3", "line 1, column 4:", "expected a move such as 5"},
    {"1. 1-2-3-4-5", "line 1, column 4:", "expected a move such as 5"},
    {"1. 99999999999999999999x", "line 1, column 4:", "point number"},
    {"1. d6 {never closed", "line 1, column 7:", "closing '}'"},
    {"1. d6 } f4", "line 1, column 7:", "no meaning here"},
    {"1. d6 ) f4", "line 1, column 7:", "no meaning here"},
    {"1. d6 ] f4", "line 1, column 7:", "no meaning here"},
    {"1. d6 (1. f4", "line 1, column 7:", "closing ')'"},
    {"(1. f4) d6", "line 1, column 1:", "needs a move before"},
    {"1. d6 () f4", "line 1, column 7:", "has no moves"},
    {"1. d6 (1. d6 d6) f4", "line 1, column 14:", "point occupied"},
    {"1. d6 (1. f4 1-0) f4", "line 1, column 14:", "result inside a variation"},
    {"1. d6 (1. f4 [x]", "line 1, column 7:", "closing ')'"},
    {"d6 (f4(b4(d6(f4(b4(d6(f4(b4(d6(f4(b4(d6(f4(b4(d6(f4(b4", "line 1, column 52:", "more than 16 deep"},
    {"$1 d6", "line 1, column 1:", "needs a move before"},
    {"1. d6 $256", "line 1, column 7:", "0 to 255"},
    {"1. d6 $", "line 1, column 7:", "0 to 255"},
    {"1. d6 !!!", "line 1, column 7:", "expected one of"},
    {"1. d6 1-0-1", "line 1, column 7:", "point number"},
    {"[Event \"x\n\"]\nd6", "line 1, column 8:", "no closing '\"'"},
    {"[Event \"x\"\nd6", "line 1, column 11:", "expected ']'"},
    {"[Event x]\nd6", "line 1, column 8:", "expected '\"'"},
    {"[\"x\"]\nd6", "line 1, column 2:", "expected the name of a tag"},
    {"[Ev-ent \"x\"]", "line 1, column 2:", "expected the name of a tag"},
    {"[Event \"x\"]\n[Event \"y\"]\n", "line 2, column 1:", "given twice"},
    {"[FEN \"x\"]\n[FEN \"y\"]\n", "line 2, column 1:", "given twice"},
    {"[Result \"2-0\"]\nd6", "line 1, column 10:", "expected 1-0"},
    {"[Result \"1-0\"]\n\n1. d6 0-1", "line 3, column 7:", "the tag Result says 1-0"},
    {"[Event \"a\"]\n[Variant \"draughts\"]\n", "line 2, column 11:", "unknown variant"},
    {"[Flying \"maybe\"]\n", "line 1, column 10:", "neither true nor false"},
    {"[RecloseMill \"often\"]\n", "line 1, column 15:", "not one of"},
    {"[Repetition \"-1\"]\n", "line 1, column 14:", "whole number"},
    {"[FEN \"********/********/******** q p p 0 9 0 9\"]\n", "line 1, column 7:", "field 2"},
    {"[FEN \"***@****/@*******/***OO*** w o ? 2 0 2 0\"]\n1. d6", "line 2, column 4:", ""},
    {"{\"moves\":[\"d6\",\"d6\"]}", "line 1, column 1:", "element 2: move 'd6': point occupied"},
    {"{\"moves\":[\"d6\",]}", "line 1, column 16:", "expected JSON"},
    {"{\"moves\":[\"d6\"]} x", "line 1, column 17:", "expected JSON"},
    {"{\"moves\":\"d6\"}", "line 1, column 1:", "expected an array"},
    {"\n\n  {\"moves\":[7]}", "line 3, column 3:", "element 1: expected a string"},
    {"{\"moves\":[],\"result\":\"white\"}", "line 1, column 1:", "\"result\""},
    {"{\"moves\":[],\"rules\":{\"Fly\":\"true\"}}", "line 1, column 1:", "no rule 'Fly'"},
    {"{\"moves\":[],\"tags\":{\"FEN\":\"x\"}}", "line 1, column 1:", "'FEN' cannot be a tag"},
    {"{\"moves\":[],\"fen\":\"x\"}", "line 1, column 1:", "\"fen\""},
    {"{\"moves\":[{\"move\":\"d6\",\"depth\":3}]}", "line 1, column 1:", "need \"score\""},
    {"{\"moves\":[{\"move\":\"d6\",\"score\":1.5}]}", "line 1, column 1:", "whole number"},
    {"{\"moves\":[{\"move\":\"d6\",\"variations\":[{\"moves\":[]}]}]}",
     "line 1, column 1:", "\"variations\""},
};

static void bad_forms_are_refused_with_their_place(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct kv_record record, untouched;
        struct kv_error error = {""};
        memset(&record, 0x5a, sizeof record);
        untouched = record;
        if (read_one(refused[i].text, &record, &error) == KV_OK)
            fail_msg("accepted: %s", refused[i].text);
        if (strncmp(error.text, refused[i].place, strlen(refused[i].place)) != 0 ||
            !strstr(error.text, refused[i].cause))
            fail_msg("%s\n%s", refused[i].text, error.text);
        assert_memory_equal(&record, &untouched, sizeof record);
    }
    assert_true(sizeof refused / sizeof *refused >= 40);
}

static void reading_goes_on_after_a_bad_record(void **state)
{
    (void)state;
    static const char text[] =
        "[Event \"1\"]\n\n1. d6 d6\n2. f4\n\n[Event \"2\"]\n\n1. d6 *\n\n"
        "{\"moves\":[\"d6\",\"d6\"]}\n{\"tags\":{\"Event\":\"3\"},\"moves\":[\"f4\"]}\n"
        "[Event \"4\"]\n[FEN \"bad\"]\n\n1. d6\n\n[Event \"5\"]\n\n1. g7 1-0\n";
    static const struct {
        const char *event, *place;
    } expected[] = {{NULL, "line 3, column 7:"},  {"2", NULL}, {NULL, "line 10, column 1:"}, {"3", NULL},
                    {NULL, "line 13, column 7:"}, {"5", NULL}};
    struct kv_record_reader reader = {.text = text, .length = strlen(text)};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        struct kv_record record;
        struct kv_error error = {""};
        int status = kv_record_read(&reader, &record, &error);
        if (expected[i].event) {
            assert_int_equal(status, KV_OK);
            assert_string_equal(kv_record_tag(&record, "Event"), expected[i].event);
            kv_record_finish(&record);
        } else {
            assert_int_not_equal(status, KV_OK);
            if (strncmp(error.text, expected[i].place, strlen(expected[i].place)) != 0)
                fail_msg("expected %s, got %s", expected[i].place, error.text);
        }
    }
    struct kv_record record;
    assert_int_equal(kv_record_read(&reader, &record, NULL), KV_E_NOT_FOUND);
}

static void notes_marks_and_variations_are_kept(void **state)
{
    (void)state;
    struct kv_record record;
    assert_int_equal(
        read_one("{intro} 1. d6 $1 {+0.35/12 0.050s} (1. f4 {also}) f4 {-M3/9, hopeless} *", &record, NULL),
        KV_OK);
    const struct kv_record_move *first = &record.line.moves[0], *second = &record.line.moves[1];
    assert_string_equal(record.line.comment, "intro");
    assert_true(first->note.has_score && !first->note.mate);
    assert_int_equal(first->note.score, 35);
    assert_int_equal(first->note.depth, 12);
    assert_int_equal(first->note.time_ms, 50);
    assert_null(first->comment);
    assert_int_equal(first->nag_count, 1);
    assert_int_equal(first->variation_count, 1);
    assert_string_equal(first->variations[0].moves[0].comment, "also");
    assert_true(second->note.mate);
    assert_int_equal(second->note.score, -3);
    assert_int_equal(second->note.time_ms, -1);
    assert_string_equal(second->comment, "hopeless");
    struct kv_buffer out = {0};
    kv_record_write_text(&record, &out);
    assert_string_equal(out.data, "[Result \"*\"]\n[Variant \"nine\"]\n[PlyCount \"2\"]\n\n"
                                  "{intro} 1. d6 $1 {+0.35/12 0.050s} (1. f4 {also}) 1... f4 "
                                  "{-M3/9, hopeless} *\n\n");
    kv_buffer_finish(&out);
    kv_record_finish(&record);
}

static void records_are_built_and_replayed(void **state)
{
    (void)state;
    struct kv_rules rules;
    struct kv_record record;
    struct kv_record_move *added;
    struct kv_game game;
    kv_rules_init(&rules, 0);
    rules.flying = 0;
    kv_record_init(&record, &rules);
    assert_int_equal(kv_record_set_tag(&record, "White", "A\nB"), KV_OK);
    assert_int_equal(kv_record_set_tag(&record, "White", "A \"B\""), KV_OK);
    assert_int_equal(kv_record_set_tag(&record, "Flying", "true"), KV_E_SYNTAX);
    assert_int_equal(kv_record_set_tag(&record, "no name", "x"), KV_E_SYNTAX);
    assert_int_equal(kv_record_add_move(&record.line, kv_move_make(31, 8, 31, 31), &added), KV_OK);
    assert_int_equal(kv_record_add_comment(added, " a }\t b ", 8), KV_OK);
    assert_string_equal(added->comment, "a ) b");
    assert_int_equal(kv_record_replay(&record, 5, &game), KV_OK);
    assert_int_equal(game.count, 2);
    kv_game_finish(&game);
    assert_int_equal(kv_record_add_move(&record.line, kv_move_make(31, 8, 31, 31), NULL), KV_OK);
    assert_int_equal(kv_record_replay(&record, 2, &game), KV_E_ILLEGAL);
    kv_record_finish(&record);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forms_in_use_are_read),
        cmocka_unit_test(what_is_written_is_read_as_the_same),
        cmocka_unit_test(bad_forms_are_refused_with_their_place),
        cmocka_unit_test(reading_goes_on_after_a_bad_record),
        cmocka_unit_test(notes_marks_and_variations_are_kept),
        cmocka_unit_test(records_are_built_and_replayed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
