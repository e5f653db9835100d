/* The shared core: names, undo, redo, edit, the log, the sheet, what front ends read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "../scoring/ask.h"
#include "scoring/names.h"
#include "scoring/record.h"
#include "scoring/setup.h"
#include "scoring/sheet.h"

static const char *const nine = "molkky new A B\n"
                                "molkky throw 12\nmolkky throw 5\nmolkky throw 12\nmolkky throw 5\n"
                                "molkky throw 12\nmolkky throw 5\nmolkky throw 12\nmolkky throw 5\n"
                                "molkky throw 2\n";

static void run_lines(struct asker *asker, const char *lines)
{
    while (*lines) {
        size_t length = strcspn(lines, "\n");
        ask_bytes(asker, lines, length);
        if (asker->status != KV_OK)
            fail_msg("%.*s answered %s", (int)length, lines, asker->answer.data);
        lines += length + (lines[length] == '\n');
    }
}

/* The last line of an answer. */
static const char *last_line(struct asker *asker)
{
    char *at = asker->answer.data + asker->answer.length - 1;
    while (at > asker->answer.data && at[-1] != '\n')
        at--;
    return at;
}

static void answers_hold_what_a_front_end_needs(void **state)
{
    (void)state;
    struct asker asker;
    ask_start(&asker, 0);
    assert_string_equal(ask(&asker, "molkky new \"Les As\"=Ann,Bo Cy"),
                        "molkky ok entries=0 turn=\"Les As\" member=Ann status=playing\n");
    assert_string_equal(
        ask(&asker, "molkky throw 7"),
        "molkky ok entries=1 side=\"Les As\" by=Ann points=7 total=7 turn=Cy status=playing\n");
    assert_string_equal(
        ask(&asker, "molkky throw X\r\n"),
        "molkky ok entries=2 side=Cy points=0 total=0 turn=\"Les As\" member=Bo status=playing\n");
    assert_string_equal(ask(&asker, "palet new A B"), "palet ok entries=0 turn=A shots=1 status=playing\n");
    assert_string_equal(ask(&asker, "palet shot oo"),
                        "palet ok entries=1 side=A points=2 discs=2 total=0 turn=A shots=2 status=playing\n");
    assert_string_equal(ask(&asker, "jakkolo new A bonus=none discs=1"),
                        "jakkolo ok entries=0 turn=A shots=3 status=playing\n");
    assert_string_equal(ask(&asker, "jakkolo attempt 0 0 1 0"),
                        "jakkolo ok entries=1 side=A points=4 score=4 total=4 status=over winner=A\n");
    /* One game of each, beside each other. */
    assert_string_equal(
        ask(&asker, "molkky throw 1"),
        "molkky ok entries=3 side=\"Les As\" by=Bo points=1 total=8 turn=Cy status=playing\n");
    assert_string_equal(ask(&asker, "curling new A B"),
                        "scoring error unknown game 'curling': expected one of molkky, palet, jakkolo\n");
    assert_true(kv_scoring_knows("palet", 5));
    assert_false(kv_scoring_knows("palet", 4));
    assert_false(kv_scoring_knows("position", 8));
    ask_finish(&asker);
}

static void undo_goes_back_over_wins_and_eliminations(void **state)
{
    (void)state;
    struct asker asker;
    ask_start(&asker, 0);
    run_lines(&asker, nine);
    char *won = strdup(ask(&asker, "molkky json"));
    ask(&asker, "molkky undo");
    assert_non_null(strstr(asker.answer.data, "entries=8 side=B points=5 total=20 turn=A status=playing"));
    ask(&asker, "molkky undo 8");
    assert_string_equal(asker.answer.data, "molkky ok entries=0 turn=A status=playing\n");
    ask(&asker, "molkky redo 9");
    assert_string_equal(ask(&asker, "molkky json"), won);
    free(won);
    run_lines(&asker, "molkky new A B C\nmolkky throw X\nmolkky throw 1\nmolkky throw 1\nmolkky throw X\n"
                      "molkky throw 1\nmolkky throw 1\n");
    char *before = strdup(ask(&asker, "molkky json"));
    run_lines(&asker, "molkky throw X\nmolkky throw 4\nmolkky undo 2\n");
    assert_string_equal(ask(&asker, "molkky json"), before);
    /* What was undone is gone once something else is entered. */
    run_lines(&asker, "molkky throw 9\n");
    ask(&asker, "molkky redo");
    assert_int_equal(asker.status, KV_E_ILLEGAL);
    free(before);
    ask_finish(&asker);
}

static void edit_replays_what_follows(void **state)
{
    (void)state;
    struct asker asker;
    ask_start(&asker, 0);
    run_lines(&asker, nine);
    ask(&asker, "molkky edit 1 pins 4,5,6");
    assert_non_null(strstr(asker.answer.data, "side=A points=2 total=41 turn=B status=playing"));
    run_lines(&asker, "molkky edit 1 foul\nmolkky edit 1 12\n");
    assert_non_null(strstr(asker.answer.data, "total=50 status=over winner=A"));
    /* The winning throw may become another one, and the game goes on. */
    ask(&asker, "molkky edit 9 throw 3");
    assert_non_null(strstr(asker.answer.data, "points=3 total=25 turn=B status=playing"));
    /* A bonus throw stays one; an attempt that is no longer the last of the discs loses it. */
    run_lines(&asker,
              "jakkolo new A\njakkolo attempt 7 7 9 7\njakkolo bonus 0 0 0 0\njakkolo edit 2 0 0 2 0\n");
    assert_non_null(strstr(asker.answer.data, "points=8 score=156 total=156 status=over winner=A"));
    ask_finish(&asker);
}

static void logs_are_read_as_they_are_printed(void **state)
{
    (void)state;
    struct asker asker, other;
    ask_start(&asker, 0);
    ask_start(&other, 0);
    run_lines(
        &asker,
        "molkky new \"Les \"\"As\"\"\"=\"Ann Lee\",Bo Äijä \"foul\"=x \"#1\" foul=imo\nmolkky throw 12\n"
        "molkky throw X\nmolkky throw pins 9,3\nmolkky foul\n");
    ask(&asker, "molkky log");
    assert_true(strstr(asker.answer.data,
                       "# kvern molkky 1\n"
                       "molkky new \"Les \"\"As\"\"\"=\"Ann Lee\",Bo Äijä \"foul\"=x \"#1\" foul=imo\n"
                       "molkky throw 12\nmolkky throw X\nmolkky throw pins 3,9\nmolkky foul\n"
                       "# end 4 ") == asker.answer.data);
    struct kv_error error = {0};
    /* With the answer line behind it, as it comes from the protocol, and without. */
    size_t whole = asker.answer.length, log = (size_t)(last_line(&asker) - asker.answer.data);
    char *text = strdup(asker.answer.data);
    for (int i = 0; i < 3; i++) {
        size_t length = i == 0 ? whole : i == 1 ? log : log - 1;
        if (kv_scoring_read_log(other.scoring, "molkky", text, length, &error) != KV_OK)
            fail_msg("%s", error.text);
        assert_string_equal(ask(&other, "molkky log"), text);
    }
    /* With the line ends of another system. */
    struct kv_buffer crlf = {0};
    for (size_t i = 0; i < log; i++)
        kv_buffer_add(&crlf, text[i] == '\n' ? "\r\n" : text + i, text[i] == '\n' ? 2 : 1);
    assert_int_equal(kv_scoring_read_log(other.scoring, "molkky", crlf.data, crlf.length, &error), KV_OK);
    assert_string_equal(ask(&other, "molkky log"), text);
    kv_buffer_finish(&crlf);
    free(text);
    ask_finish(&asker);
    ask_finish(&other);
}

static void expect_refused(struct asker *asker, const char *game, const char *bytes, size_t length,
                           const char *why)
{
    struct kv_error error = {0};
    char *before = strdup(ask(asker, "molkky json"));
    int status = kv_scoring_read_log(asker->scoring, game, bytes, length, &error);
    assert_int_not_equal(status, KV_OK);
    if (!strstr(error.text, why))
        fail_msg("'%s' does not say '%s'", error.text, why);
    assert_null(strchr(error.text, '\n'));
    assert_string_equal(ask(asker, "molkky json"), before);
    free(before);
}

static void damaged_logs_are_refused(void **state)
{
    (void)state;
    struct asker asker;
    ask_start(&asker, 0);
    run_lines(&asker, nine);
    ask(&asker, "molkky log");
    size_t length = (size_t)(last_line(&asker) - asker.answer.data);
    char *text = strdup(asker.answer.data);
    text[length] = '\0';
    /* Cut anywhere: only the very last line end may be missing. */
    for (size_t cut = 0; cut < length - 1; cut++)
        expect_refused(&asker, "molkky", text, cut, cut < 10 ? "" : "log");
    /* One byte changed anywhere. */
    struct kv_error error;
    for (size_t i = 0; i < length; i++) {
        char kept = text[i];
        text[i] = (char)(kept ^ 1);
        if (kv_scoring_read_log(asker.scoring, "molkky", text, length, &error) == KV_OK)
            fail_msg("byte %zu may be changed", i);
        text[i] = kept;
    }
    expect_refused(&asker, "palet", text, length, "log line 1: a log of 'molkky', expected one of palet");
    expect_refused(&asker, "curling", text, length, "unknown game 'curling'");
    char *more = malloc(length + 32);
    memcpy(more, text, length);
    memcpy(more + length, "molkky throw 5\n", 15);
    expect_refused(&asker, "molkky", more, length + 15, "expected nothing after the end line");
    memcpy(more + length, "molkky ok\nx\n", 12);
    expect_refused(&asker, "molkky", more, length + 12, "expected nothing after the end line");
    char *version = strdup(text);
    version[15] = '2';
    expect_refused(&asker, "molkky", version, length, "log line 1: version 2, expected 1");
    free(more);
    free(version);
    free(text);
    ask_finish(&asker);
}

/* Logs whose frame is right and whose contents are not. */
static void illegal_entries_in_a_log_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *game, *body, *why;
    } cases[] = {
        {"molkky", "molkky new A B foul=x\nmolkky throw 13\n", "log line 3: throw '13'"},
        {"molkky", "molkky new A A foul=x\n", "log line 2: name 'A' stands twice"},
        {"molkky", "molkky start A B\n", "log line 2: expected 'molkky new ...'"},
        {"molkky", "palet new A B\n", "log line 2: expected it to start with 'molkky '"},
        {"molkky", "molkky new A B\nmolkky throw 1\nmolkky undo\n", "log line 4: "},
        {"molkky", "molkky new A B\n\nmolkky throw 1\n", "log line 3: "},
        {"molkky", "molkky new A B\n# note\n", "log line 3: "},
        {"molkky", "", "log line 2: expected 'molkky new ...'"},
        {"palet", "palet new A B\npalet shot q\npalet shot oooooooooo\n", "log line 4: shot: 10 discs of B"},
        {"jakkolo", "jakkolo new A\njakkolo attempt 7 7 9 7\njakkolo attempt 1 0 0 0\n",
         "log line 4: attempt: expected bonus"},
    };
    struct asker asker;
    ask_start(&asker, 0);
    run_lines(&asker, nine);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct kv_buffer text = {0};
        kv_buffer_format(&text, "# kvern %s 1\n%s", cases[i].game, cases[i].body);
        kv_card_record_seal(&text);
        expect_refused(&asker, cases[i].game, text.data, text.length, cases[i].why);
        kv_buffer_finish(&text);
    }
    ask_finish(&asker);
}

static void monstrous_lines_are_refused(void **state)
{
    (void)state;
    enum { SIZE = 10 * 1024 * 1024 };
    static const struct {
        const char *start;
        char fill;
        const char *why;
    } cases[] = {
        {"molkky throw ", '7', "expected 0 or X, 1 to 12"},
        {"molkky throw ", '\0', "a NUL byte in the line"},
        {"molkky throw 5", ' ', NULL},
        {"molkky throw pins ", '3', "expected pins from 1 to 12"},
        {"molkky throw pins ", ',', "expected pins from 1 to 12"},
        {"molkky new A ", 'B', "name too long"},
        {"molkky new A \"", '"', "name too long"},
        {"molkky ", 'x', "unknown command 'xxx"},
        {"molkky undo ", '9', "expected how many entries"},
        {"molkky edit 1 ", '5', "edit 1: throw '555"},
        {"molkky load ", 'f', "File name too long"},
        {"molkky advice p=0.", '3', "chance from 0 to 1"},
        {"molkky \xff", '\xff', "unknown command '"},
        {"palet shot ", 'o', "expected at most the 9 left"},
        {"palet shot ", 'a', "at most 9 discs of opponents"},
        {"palet shot ", '-', "expected - alone"},
        {"palet shot a\"", 'B', "expected - alone"},
        {"jakkolo attempt ", '1', "expected four numbers"},
        {"", 'm', "unknown game 'mmm"},
    };
    struct asker asker;
    ask_start(&asker, KV_SCORING_FILES);
    run_lines(&asker, "molkky new A B\nmolkky throw 1\npalet new A B\njakkolo new A\n");
    char *line = malloc(SIZE);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t start = strlen(cases[i].start);
        memcpy(line, cases[i].start, start);
        memset(line + start, cases[i].fill, SIZE - start);
        const char *answer = ask_bytes(&asker, line, SIZE);
        assert_int_equal(asker.status == KV_OK, cases[i].why == NULL);
        if (cases[i].why && !strstr(answer, cases[i].why))
            fail_msg("case %zu answered %s", i, answer);
        assert_true(asker.answer.length < 320 && strchr(answer, '\n')[1] == '\0');
        /* Whatever came in, text goes out. */
        for (size_t n = 0; n < asker.answer.length; n++)
            assert_true((unsigned char)answer[n] < 0x80);
    }
    static const char nul[] = "molkky throw 5\0 6";
    ask_bytes(&asker, nul, sizeof nul - 1);
    assert_string_equal(asker.answer.data, "molkky error a NUL byte in the line: expected text\n");
    free(line);
    ask_finish(&asker);
}

static void there_is_no_cap_on_sides_or_length(void **state)
{
    (void)state;
    enum { SIDES = 100000, THROWS = 200000 };
    struct asker asker;
    struct kv_buffer line = {0};
    ask_start(&asker, 0);
    kv_buffer_text(&line, "molkky new");
    for (int i = 0; i < SIDES; i++)
        kv_buffer_format(&line, " S%d", i);
    ask_bytes(&asker, line.data, line.length);
    assert_int_equal(asker.status, KV_OK);
    for (int i = 0; i < SIDES; i++)
        ask(&asker, "molkky throw 1");
    assert_non_null(strstr(asker.answer.data, "entries=100000 side=S99999 points=1 total=1 turn=S0"));
    run_lines(&asker, "molkky new A B\n");
    for (int i = 0; i < THROWS; i++)
        ask(&asker, "molkky throw %d", i % 4 < 2 ? 12 : 0);
    assert_non_null(strstr(asker.answer.data, "entries=200000 "));
    ask(&asker, "molkky log");
    char *log = strdup(asker.answer.data);
    struct kv_error error = {0};
    assert_int_equal(kv_scoring_read_log(asker.scoring, "molkky", log, strlen(log), &error), KV_OK);
    assert_string_equal(ask(&asker, "molkky log"), log);
    run_lines(&asker, "molkky undo 199999\nmolkky redo 199999\nmolkky edit 3 5\nmolkky show\nmolkky csv\n");
    free(log);
    kv_buffer_finish(&line);
    ask_finish(&asker);
}

static void names_are_text_with_something_to_see(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int status;
        const char *name;
    } cases[] = {
        {"Ann", KV_OK, "Ann"},
        {"\"Les As\"", KV_OK, "Les As"},
        {"\"a \"\"b\"\"\"", KV_OK, "a \"b\""},
        {"Zoe\xcc\x88", KV_OK, "Zo\xc3\xab"},
        {"\xd0\x98\xd0\xb2\xd0\xb0\xd0\xbd", KV_OK, "\xd0\x98\xd0\xb2\xd0\xb0\xd0\xbd"},
        {"\"a,b=c\"", KV_OK, "a,b=c"},
        {"", KV_E_SYNTAX, NULL},
        {"\"\"", KV_E_SYNTAX, NULL},
        {"\"a", KV_E_SYNTAX, NULL},
        {"\" a\"", KV_E_SYNTAX, NULL},
        {"\"a \"", KV_E_SYNTAX, NULL},
        {"\"a\xc2\xa0\"", KV_E_SYNTAX, NULL}, /* a no-break space at the end */
        {"\xcc\x88", KV_E_SYNTAX, NULL},      /* a mark alone */
        {"\xe2\x80\x8d", KV_E_SYNTAX, NULL},  /* a joiner alone */
        {"a\xe2\x80\xae"
         "b",
         KV_E_SYNTAX, NULL},              /* right-to-left override */
        {"a\xc2\x85", KV_E_SYNTAX, NULL}, /* a C1 control */
        {"\"a\tb\"", KV_E_SYNTAX, NULL},
        {"a\x1b[1m", KV_E_SYNTAX, NULL},
        {"\xff", KV_E_SYNTAX, NULL},
        {"a\xc3", KV_E_SYNTAX, NULL},
        {"\xc0\x80", KV_E_SYNTAX, NULL},     /* overlong NUL */
        {"\xed\xa0\x80", KV_E_SYNTAX, NULL}, /* a surrogate */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct kv_span rest = kv_span_of(cases[i].text);
        char *name = NULL;
        struct kv_error error = {0};
        if (kv_card_name_read(&rest, &name, NULL, &error) != cases[i].status)
            fail_msg("name %zu: '%s'", i, error.text);
        if (cases[i].name)
            assert_string_equal(name, cases[i].name);
        else
            assert_true(error.text[0] && rest.at == cases[i].text);
        free(name);
    }
}

/* The columns at which the bars stand, for every line of a sheet the same. */
static void assert_aligned(const char *sheet)
{
    size_t bars[8], count = 0;
    for (const char *line = sheet; strchr(line, '\n'); line = strchr(line, '\n') + 1) {
        size_t length = strcspn(line, "\n"), found = 0;
        for (size_t i = 0; i < length; i++) {
            if (line[i] != '|' && line[i] != '+')
                continue;
            size_t column = kv_card_text_width(line, i);
            if (line == sheet)
                bars[count++] = column;
            else
                assert_int_equal(column, bars[found++]);
        }
        if (line != sheet && found > 0)
            assert_int_equal(found, count);
    }
    assert_int_equal(count, 4);
}

static void sheets_align_in_any_script(void **state)
{
    (void)state;
    struct asker asker;
    ask_start(&asker, 0);
    run_lines(&asker,
              "molkky new \"Äijä Yrjö\" Иван \"田中 さくら\" Zoe\xcc\x88\nmolkky throw 12\nmolkky throw X\n"
              "molkky throw 3\nmolkky throw pins 1,2,3\nmolkky throw 7\n");
    ask(&asker, "molkky show");
    asker.answer.data[last_line(&asker) - asker.answer.data] = '\0';
    assert_aligned(asker.answer.data);
    assert_string_equal(asker.answer.data, "      | Äijä Yrjö | Иван | 田中 さくら | Zoë\n"
                                           "------+-----------+------+-------------+-----\n"
                                           "1     | 12     12 | X  0 | 3         3 | 3  3\n"
                                           "2     | 7      19 |      |             |\n"
                                           "------+-----------+------+-------------+-----\n"
                                           "total |        19 |    0 |           3 |    3\n"
                                           "      |           | X    |             |\n"
                                           "place |         1 |    4 |           2 |    2\n");
    ask_finish(&asker);
}

static void sheets_of_rounds_and_games(void **state)
{
    (void)state;
    struct asker asker;
    ask_start(&asker, 0);
    run_lines(&asker,
              "palet new A B discs=2\npalet shot o\npalet shot q\npalet shot o\npalet shot -\npalet shot t\n"
              "palet shot o\n");
    ask(&asker, "palet show");
    assert_true(strstr(asker.answer.data, "        | A              | B\n"
                                          "--------+----------------+-------\n"
                                          "round 1\n"
                                          "1       | o q o        2 |\n"
                                          "score   | +7           7 | +0   0\n"
                                          "round 2\n"
                                          "1       | t            0 | -    0\n"
                                          "2       |                | o    1\n"
                                          "--------+----------------+-------\n"
                                          "total   |              7 |      0\n"
                                          "        | 2 left, owes 1 | 1 left\n"
                                          "place   |              1 |      2\n") == asker.answer.data);
    ask(&asker, "palet csv");
    assert_true(strstr(asker.answer.data, "round,row,A,total,B,total\n"
                                          "1,1,\"o q o\",2,,\n"
                                          "1,score,7,7,0,0\n"
                                          "2,1,t,0,-,0\n"
                                          "2,2,,,o,1\n"
                                          ",total,,7,,0\n"
                                          ",place,,1,,2\n") == asker.answer.data);
    run_lines(&asker,
              "jakkolo new A \"B, C\" bonus=all-in\njakkolo attempt 4 4 5 4\njakkolo attempt 3 3 4 3\n"
              "jakkolo bonus 0 0 1 0\njakkolo attempt 1 2 3 4\n");
    ask(&asker, "jakkolo csv");
    assert_true(strstr(asker.answer.data, "game,row,A,total,\"B, C\",total\n"
                                          "1,1,\"4 4 5 4\",84,\"1 2 3 4\",34\n"
                                          "1,2,\"3 3 4 3\",148,,\n"
                                          "1,bonus,\"0 0 1 0\",152,,\n"
                                          ",total,,152,,34\n"
                                          ",place,,1,,2\n") == asker.answer.data);
    ask_finish(&asker);
}

static void stats_count_throws_and_misses(void **state)
{
    (void)state;
    struct asker asker;
    ask_start(&asker, 0);
    run_lines(&asker, "molkky new A B\nmolkky throw 12\nmolkky throw X\nmolkky throw X\nmolkky foul\n");
    ask(&asker, "molkky stats");
    assert_true(strstr(asker.answer.data,
                       "stats side=A throws=2 average=6.00 best=12 misses=1\n"
                       "stats side=B throws=2 average=0.00 best=0 misses=2\n") == asker.answer.data);
    run_lines(&asker, "palet new A B\npalet shot oo\npalet shot -\npalet shot q\npalet shot -\n");
    ask(&asker, "palet stats");
    assert_true(strstr(asker.answer.data,
                       "stats side=A throws=4 average=0.50 best=2 misses=2\n"
                       "stats side=B throws=0 average=0.00 best=0 misses=0\n") == asker.answer.data);
    run_lines(&asker, "jakkolo new A\njakkolo attempt 1 1 1 1\njakkolo attempt 0 0 0 0\n");
    ask(&asker, "jakkolo stats");
    assert_true(strstr(asker.answer.data, "stats side=A throws=2 average=10.00 best=20 misses=1\n") ==
                asker.answer.data);
    ask_finish(&asker);
}

static void the_state_is_one_line_of_json(void **state)
{
    (void)state;
    struct asker asker;
    ask_start(&asker, 0);
    run_lines(&asker, "palet new \"Les As\"=Ann,Bo B points=14\npalet shot oq\n");
    ask(&asker, "palet json");
    assert_true(
        strstr(asker.answer.data,
               "{\"game\":\"palet\",\"options\":{\"discs\":9,\"points\":14},\"status\":\"playing\","
               "\"turn\":\"Les As\",\"member\":\"Ann\",\"shots\":2,\"sides\":["
               "{\"name\":\"Les As\",\"total\":0,\"place\":1,\"members\":[\"Ann\",\"Bo\"],\"discs\":1,"
               "\"debt\":0},{\"name\":\"B\",\"total\":0,\"place\":1,\"discs\":0,\"debt\":0}],"
               "\"round\":1,\"starter\":\"Les As\",\"queen\":\"pending\",\"queen_side\":\"Les As\","
               "\"entries\":[{\"input\":\"shot oq\",\"side\":\"Les As\",\"member\":\"Ann\",\"round\":1,"
               "\"points\":1,\"discs\":1}]}\npalet ok ") == asker.answer.data);
    ask_finish(&asker);
}

static void wide_sheets_come_in_bands(void **state)
{
    (void)state;
    struct kv_card_setup *setup = NULL;
    struct kv_card *game = NULL;
    struct kv_buffer out = {0};
    assert_int_equal(kv_card_setup_read(&kv_molkky_module, kv_span_of("Ann Bo Cy Dee"), &setup, NULL), KV_OK);
    assert_int_equal(kv_card_create(setup, &game, NULL), KV_OK);
    for (int i = 0; i < 41; i++)
        assert_int_equal(kv_card_enter(game, kv_span_of("throw"), kv_span_of("1"), NULL), KV_OK);
    /* The last two rows, 25 columns: two sides a band. */
    assert_int_equal(kv_card_sheet_write(game, (struct kv_card_sheet_limits){2, 25}, &out), KV_OK);
    assert_string_equal(out.data, "      | Ann   | Bo\n"
                                  "------+-------+------\n"
                                  "...\n"
                                  "10    | 1  10 | 1  10\n"
                                  "11    | 1  11 |\n"
                                  "------+-------+------\n"
                                  "total |    11 |    10\n"
                                  "      |       |\n"
                                  "place |     1 |     2\n"
                                  "\n"
                                  "      | Cy    | Dee\n"
                                  "------+-------+------\n"
                                  "...\n"
                                  "10    | 1  10 | 1  10\n"
                                  "11    |       |\n"
                                  "------+-------+------\n"
                                  "total |    10 |    10\n"
                                  "      |       |\n"
                                  "place |     2 |     2\n");
    kv_buffer_finish(&out);
    kv_card_destroy(game);
}

static void without_files_there_is_no_loading(void **state)
{
    (void)state;
    struct asker asker;
    ask_start(&asker, 0);
    run_lines(&asker, nine);
    assert_string_equal(ask(&asker, "molkky save x"),
                        "molkky error save: there are no files here: expected log\n");
    assert_string_equal(ask(&asker, "molkky load x"),
                        "molkky error load: there are no files here: expected log\n");
    ask_finish(&asker);
}

static void help_names_every_command_of_every_game(void **state)
{
    (void)state;
    struct asker asker;
    ask_start(&asker, 0);
    kv_scoring_help(ask_emit, &asker);
    static const char *const lines[] = {
        "molkky new ",
        "molkky throw ",
        "molkky foul ",
        "molkky undo ",
        "molkky edit ",
        "molkky json ",
        "palet new ",
        "palet shot ",
        "palet load ",
        "palet log ",
        "palet csv ",
        "palet advice ",
        "jakkolo new ",
        "jakkolo attempt ",
        "jakkolo bonus ",
        "jakkolo stats ",
        "jakkolo help ",
        "  foul=x|imo|none (x) ",
        "  discs=1..1000 (30) ",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (!strstr(asker.answer.data, lines[i]))
            fail_msg("no line '%s'", lines[i]);
    ask_finish(&asker);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_hold_what_a_front_end_needs),
        cmocka_unit_test(undo_goes_back_over_wins_and_eliminations),
        cmocka_unit_test(edit_replays_what_follows),
        cmocka_unit_test(logs_are_read_as_they_are_printed),
        cmocka_unit_test(damaged_logs_are_refused),
        cmocka_unit_test(illegal_entries_in_a_log_are_named),
        cmocka_unit_test(monstrous_lines_are_refused),
        cmocka_unit_test(there_is_no_cap_on_sides_or_length),
        cmocka_unit_test(names_are_text_with_something_to_see),
        cmocka_unit_test(sheets_align_in_any_script),
        cmocka_unit_test(sheets_of_rounds_and_games),
        cmocka_unit_test(stats_count_throws_and_misses),
        cmocka_unit_test(the_state_is_one_line_of_json),
        cmocka_unit_test(wide_sheets_come_in_bands),
        cmocka_unit_test(without_files_there_is_no_loading),
        cmocka_unit_test(help_names_every_command_of_every_game),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
