/* Random games under every combination of house rules, from the start and from the middle, with random notes,
 * marks, comments and variations: writing, reading and writing again gives the same bytes, in both forms,
 * and the same game. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "record/record.h"

enum { GAMES = 10000, PLIES_MAX = 160, COMBINATIONS = 72 };

static void choose_rules(unsigned n, struct kv_rules *rules)
{
    kv_rules_init(rules, 0);
    rules->flying = n % 2 == 0;
    rules->mill_protection = (uint8_t)(n / 2 % 3);
    rules->double_mill = (uint8_t)(n / 6 % 2);
    rules->reclose_mill = (uint8_t)(n / 12 % 3);
    rules->first_move = (uint8_t)(n / 36 % 2);
    rules->repetition = (uint16_t)(n / 72 % 5);
    rules->no_capture_limit = n % 5 == 0 ? 50 : 0;
}

/* Words with everything in them that could be taken for something else. */
static void random_text(struct kv_random *random, char *text, size_t size)
{
    static const char *const words[] = {
        "mill",   "{",   "}",    "1-0",   "[x]",    ";",   "%",  "\"q\"",
        "\\",     "(d6", ")",    "$1",    "+0.3/4", "1.",  "*",  "+0.35/12 0.050s",
        "-M3/9,", "\n",  "\r\n", "mølle", "\t",     "...", "d6", "{\"a\":1}"};
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t n = kv_random_below(random, 12); n > 0; n--)
        used += (size_t)snprintf(text + used, size - used, "%s%s", kv_random_below(random, 3) ? " " : "",
                                 words[kv_random_below(random, sizeof words / sizeof *words)]);
}

static void decorate(struct kv_random *random, struct kv_record_move *move)
{
    char text[512];
    if (kv_random_below(random, 3) == 0)
        move->note = (struct kv_record_note){.has_score = true,
                                             .mate = kv_random_below(random, 4) == 0,
                                             .score = (int)kv_random_below(random, 4001) - 2000,
                                             .depth = (int)kv_random_below(random, 60),
                                             .time_ms = (int)kv_random_below(random, 100000) - 1};
    if (kv_random_below(random, 8) == 0) {
        random_text(random, text, sizeof text);
        assert_int_equal(kv_record_add_comment(move, text, strlen(text)), KV_OK);
    }
    for (uint32_t n = kv_random_below(random, 10); n > 7; n--)
        kv_record_add_nag(move, (uint8_t)kv_random_below(random, 256));
}

/* Plays into `line` from `position`; the position at the end is not needed. */
static void play_line(struct kv_random *random, const struct kv_rules *rules, struct kv_position position,
                      struct kv_record_line *line, uint32_t plies, int depth)
{
    char text[512];
    if (kv_random_below(random, 6) == 0) {
        random_text(random, text, sizeof text);
        assert_int_equal(kv_record_add_line_comment(line, text, strlen(text)), KV_OK);
    }
    for (uint32_t ply = 0; ply < plies; ply++) {
        kv_move moves[KV_MOVES_MAX];
        int count = kv_moves(rules, &position, moves);
        if (count == 0)
            return;
        struct kv_record_move *added;
        kv_move move = moves[kv_random_below(random, (uint32_t)count)];
        assert_int_equal(kv_record_add_move(line, move, &added), KV_OK);
        decorate(random, added);
        if (depth < 3 && kv_random_below(random, 30) == 0) {
            struct kv_record_line *variation;
            assert_int_equal(kv_record_add_variation(added, &variation), KV_OK);
            play_line(random, rules, position, variation, 1 + kv_random_below(random, 6), depth + 1);
        }
        kv_position_play(rules, &position, move);
    }
}

static void make_record(struct kv_random *random, struct kv_record *record, unsigned number)
{
    static const char *const names[] = {"Event", "Site", "White", "Termination", "TimeControl", "Note_1"};
    char text[512];
    struct kv_rules rules;
    choose_rules(number, &rules);
    kv_record_init(record, &rules);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        random_text(random, text, sizeof text);
        if (kv_random_below(random, 2))
            assert_int_equal(kv_record_set_tag(record, names[i], text), KV_OK);
    }
    if (kv_random_below(random, 4) == 0)
        for (uint32_t n = kv_random_below(random, 60); n > 0; n--) {
            kv_move moves[KV_MOVES_MAX];
            int count = kv_moves(&rules, &record->start, moves);
            if (count > 0)
                kv_position_play(&rules, &record->start, moves[kv_random_below(random, (uint32_t)count)]);
        }
    record->result = (enum kv_result)kv_random_below(random, 4);
    play_line(random, &rules, record->start, &record->line, kv_random_below(random, PLIES_MAX), 0);
}

static void check_same_game(const struct kv_record *a, const struct kv_record *b)
{
    assert_memory_equal(&a->rules, &b->rules, sizeof a->rules);
    assert_true(kv_position_same(&a->start, &b->start));
    assert_int_equal(a->start.quiet, b->start.quiet);
    assert_int_equal(a->result, b->result);
    assert_int_equal(a->tag_count, b->tag_count);
    assert_int_equal(a->line.count, b->line.count);
    for (size_t i = 0; i < a->line.count; i++) {
        const struct kv_record_move *x = &a->line.moves[i], *y = &b->line.moves[i];
        assert_int_equal(x->move, y->move);
        assert_int_equal(x->note.has_score, y->note.has_score);
        assert_int_equal(x->note.score, y->note.score);
        assert_int_equal(x->nag_count, y->nag_count);
        assert_int_equal(x->variation_count, y->variation_count);
        assert_string_equal(x->comment ? x->comment : "", y->comment ? y->comment : "");
    }
}

static void check_form(const struct kv_record *record,
                       void (*write)(const struct kv_record *, struct kv_buffer *))
{
    struct kv_buffer first = {0}, second = {0};
    struct kv_record again, extra;
    struct kv_error error = {""};
    write(record, &first);
    struct kv_record_reader reader = {.text = first.data, .length = first.length};
    if (kv_record_read(&reader, &again, &error) != KV_OK)
        fail_msg("%s\n%s", error.text, first.data);
    assert_int_equal(kv_record_read(&reader, &extra, NULL), KV_E_NOT_FOUND);
    check_same_game(record, &again);
    write(&again, &second);
    assert_string_equal(first.data, second.data);
    kv_record_finish(&again);
    kv_buffer_finish(&first);
    kv_buffer_finish(&second);
}

static void random_games_come_back(void **state)
{
    (void)state;
    struct kv_random random = {20261130};
    size_t plies = 0;
    for (unsigned number = 0; number < GAMES; number++) {
        struct kv_record record;
        make_record(&random, &record, number);
        plies += record.line.count;
        check_form(&record, kv_record_write_text);
        check_form(&record, kv_record_write_json);
        kv_record_finish(&record);
    }
    print_message("%d games, %zu plies, all %d combinations of house rules\n", GAMES, plies, COMBINATIONS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_games_come_back)};
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
