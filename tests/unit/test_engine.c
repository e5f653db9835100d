#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/thread.h"
#include "kvern/engine.h"

struct heard {
    int reports, answers, status;
    struct kv_search_result result;
};

static void on_report(void *user, const struct kv_search_info *info)
{
    struct heard *heard = user;
    heard->reports += info->multipv > 0;
}

static void on_done(void *user, int status, const struct kv_search_result *result)
{
    struct heard *heard = user;
    heard->answers++;
    heard->status = status;
    heard->result = *result;
}

static struct kv_engine *make(bool synchronous)
{
    struct kv_engine_config config = {.synchronous = synchronous};
    struct kv_engine *engine;
    assert_int_equal(kv_engine_create(&engine, &config), KV_OK);
    assert_int_equal(kv_engine_set_option(engine, "Hash", 4, "1", 1, NULL), KV_OK);
    return engine;
}

static int set(struct kv_engine *engine, const char *name, const char *value)
{
    struct kv_error error = {""};
    int status = kv_engine_set_option(engine, name, strlen(name), value, value ? strlen(value) : 0, &error);
    assert_int_equal(status != KV_OK, error.text[0] != '\0');
    return status;
}

static const char *get(struct kv_engine *engine, const char *name, char buffer[24])
{
    for (int row = 0; row < kv_option_count(); row++) {
        struct kv_option option;
        kv_option_row(row, &option);
        if (strcmp(option.name, name) == 0)
            return kv_engine_option(engine, row, buffer);
    }
    fail_msg("no option %s", name);
    return NULL;
}

static struct heard search(struct kv_engine *engine, const struct kv_limits *limits)
{
    struct heard heard = {0};
    struct kv_listener listener = {on_report, on_done, &heard};
    assert_int_equal(kv_engine_go(engine, limits, &listener), KV_OK);
    assert_true(kv_engine_wait(engine, INT64_MAX));
    assert_int_equal(heard.answers, 1);
    return heard;
}

static void set_position(struct kv_engine *engine, const char *text)
{
    struct kv_game game;
    struct kv_position position;
    assert_int_equal(kv_engine_begin_game(engine, &game), KV_OK);
    assert_int_equal(kv_position_read(&game.rules, text, strlen(text), &position, NULL), KV_OK);
    assert_int_equal(kv_game_set(&game, &position), KV_OK);
    assert_int_equal(kv_engine_set_game(engine, &game), KV_OK);
}

static void every_option_has_its_default_and_takes_it(void **state)
{
    (void)state;
    struct kv_engine *engine;
    assert_int_equal(kv_engine_create(&engine, NULL), KV_OK);
    assert_true(kv_option_count() > 16 + kv_rule_count);
    for (int row = 0; row < kv_option_count(); row++) {
        struct kv_option option;
        char buffer[24];
        kv_option_row(row, &option);
        assert_true(option.name[0] && option.help[0]);
        assert_string_equal(kv_engine_option(engine, row, buffer), option.standard);
        assert_int_equal(set(engine, option.name, option.standard), KV_OK);
        if (option.type == KV_OPTION_COMBO)
            assert_non_null(option.choices[0]);
        if (option.type == KV_OPTION_SPIN)
            assert_true(option.low < option.high);
        for (int other = 0; other < row; other++) {
            struct kv_option earlier;
            kv_option_row(other, &earlier);
            assert_string_not_equal(earlier.name, option.name);
        }
    }
    kv_engine_destroy(engine);
}

static void ranges_are_the_listed_ones(void **state)
{
    (void)state;
    struct kv_engine *engine = make(false);
    char buffer[24];
    assert_int_equal(set(engine, "MULTIPV", "500"), KV_OK);
    assert_string_equal(get(engine, "MultiPV", buffer), "500");
    assert_int_equal(set(engine, "MultiPV", "501"), KV_E_RANGE);
    assert_int_equal(set(engine, "MultiPV", "0"), KV_E_RANGE);
    assert_int_equal(set(engine, "MultiPV", "1.5"), KV_E_SYNTAX);
    assert_int_equal(set(engine, "MultiPV", NULL), KV_E_SYNTAX);
    assert_string_equal(get(engine, "MultiPV", buffer), "500");
    assert_int_equal(set(engine, "Multi PV", "3"), KV_E_NOT_FOUND);
    kv_engine_destroy(engine);
}

static void a_rule_that_changes_resets_the_game(void **state)
{
    (void)state;
    struct kv_engine *engine = make(false);
    set_position(engine, "********/******OO/@@@***O@ w m s 3 0 4 0");
    assert_int_equal(set(engine, "Flying", "true"), KV_OK); /* as it was */
    assert_int_equal(kv_engine_game(engine)->position.hand[0], 0);
    assert_int_equal(set(engine, "Flying", "maybe"), KV_E_RANGE);
    assert_int_equal(kv_engine_game(engine)->position.hand[0], 0);
    assert_int_equal(set(engine, "Flying", "false"), KV_OK);
    assert_int_equal(kv_engine_game(engine)->position.hand[0], 9);
    assert_false(kv_engine_rules(engine)->flying);
    /* a rule set by hand outlives a change of the variant */
    assert_int_equal(set(engine, "UCI_Variant", "nine"), KV_OK);
    assert_false(kv_engine_rules(engine)->flying);
    kv_engine_destroy(engine);
}

static void a_game_under_other_rules_is_refused(void **state)
{
    (void)state;
    struct kv_engine *engine = make(false);
    struct kv_game game;
    assert_int_equal(kv_engine_begin_game(engine, &game), KV_OK);
    assert_int_equal(set(engine, "DoubleMill", "two"), KV_OK);
    assert_int_equal(kv_engine_set_game(engine, &game), KV_E_VERSION);
    assert_int_equal(game.count, 1);
    kv_game_finish(&game);
    kv_engine_unset_game(engine);
    assert_null(kv_engine_game(engine));
    struct kv_limits limits = {.depth = 1};
    struct kv_listener listener = {on_report, on_done, NULL};
    assert_int_equal(kv_engine_go(engine, &limits, &listener), KV_E_NOT_FOUND);
    kv_engine_destroy(engine);
}

static void an_engine_without_threads_answers_before_it_returns(void **state)
{
    (void)state;
    struct kv_engine *engine = make(true);
    struct heard heard = {0};
    struct kv_listener listener = {on_report, on_done, &heard};
    struct kv_limits endless = {.start_ns = kv_engine_clock(), .infinite = true, .nodes = 500};
    assert_int_equal(kv_engine_go(engine, &endless, &listener), KV_OK);
    assert_int_equal(heard.answers, 1);
    assert_false(kv_engine_is_searching(engine));
    kv_engine_stop(engine);
    kv_engine_ponderhit(engine);
    kv_engine_destroy(engine);
}

static void a_finished_game_is_answered_even_without_end(void **state)
{
    (void)state;
    struct kv_engine *engine = make(false);
    set_position(engine, "********/********/@@@***OO w o ? 2 0 3 0");
    struct kv_limits endless = {.start_ns = kv_engine_clock(), .infinite = true};
    struct heard heard = search(engine, &endless);
    assert_int_equal(heard.reports, 1);
    assert_int_equal(heard.result.best, KV_MOVE_NONE);
    kv_engine_destroy(engine);
}

static void a_search_for_a_mate_that_is_not_there_ends(void **state)
{
    (void)state;
    struct kv_engine *engine = make(false);
    struct kv_limits limits = {.start_ns = kv_engine_clock(), .mate = 3};
    struct heard heard = search(engine, &limits);
    assert_int_not_equal(heard.result.best, KV_MOVE_NONE);
    assert_true(heard.result.depth <= 3);
    kv_engine_destroy(engine);
}

static void options_set_during_a_search_come_after_it(void **state)
{
    (void)state;
    if (!kv_threads_exist())
        skip();
    struct kv_engine *engine = make(false);
    struct heard heard = {0};
    struct kv_listener listener = {on_report, on_done, &heard};
    struct kv_limits endless = {.start_ns = kv_engine_clock(), .infinite = true};
    char buffer[24];
    assert_int_equal(kv_engine_go(engine, &endless, &listener), KV_OK);
    assert_int_equal(set(engine, "MultiPV", "7"), KV_OK);
    assert_int_equal(set(engine, "Hash", "2"), KV_OK);
    assert_int_equal(set(engine, "Flying", "false"), KV_OK);
    assert_int_equal(set(engine, "Threads", "0"), KV_E_RANGE);
    assert_string_equal(get(engine, "MultiPV", buffer), "1");
    assert_true(kv_engine_rules(engine)->flying);
    /* a game begun meanwhile takes the rules, and nothing else */
    struct kv_game game;
    assert_int_equal(kv_engine_begin_game(engine, &game), KV_OK);
    assert_false(game.rules.flying);
    assert_int_equal(kv_engine_set_game(engine, &game), KV_OK);
    assert_int_equal(kv_engine_settle(engine, NULL), KV_OK);
    assert_string_equal(get(engine, "MultiPV", buffer), "1");
    kv_engine_stop(engine);
    assert_true(kv_engine_wait(engine, INT64_MAX));
    assert_int_equal(kv_engine_settle(engine, NULL), KV_OK);
    assert_string_equal(get(engine, "MultiPV", buffer), "7");
    assert_string_equal(get(engine, "Hash", buffer), "2");
    kv_engine_destroy(engine);
}

/* What a search counts does not depend on what was searched before, once that is forgotten, nor on
 * whether the tables happen to be there. */
static void the_same_search_counts_the_same_nodes(void **state)
{
    (void)state;
    static const char *const positions[] = {
        "********/******OO/@@@***O@ w m s 3 0 4 0",
        "*****OOO/@@O**@@@/**O***** w m s 5 0 5 0",
        "@***O**O/@@*OO*O@/@@**O**@ b p p 6 0 7 1",
    };
    struct kv_engine *engine = make(false);
    uint64_t first[3] = {0};
    for (int round = 0; round < 2; round++)
        for (int i = 2; i >= 0; i--) {
            struct kv_limits limits = {.start_ns = kv_engine_clock(), .depth = 6};
            assert_int_equal(kv_engine_new_game(engine), KV_OK);
            set_position(engine, positions[i]);
            struct heard heard = search(engine, &limits);
            if (round == 0)
                first[i] = heard.result.nodes;
            assert_int_equal(heard.result.nodes, first[i]);
        }
    kv_engine_destroy(engine);
}

static void exact_values_follow_from_moves(void **state)
{
    (void)state;
    struct kv_engine *engine = make(false);
    int outcome = 7, plies = 7;
    /* decided: white has two stones */
    set_position(engine, "********/********/@@@***OO w o ? 2 0 3 0");
    assert_int_equal(kv_engine_probe(engine, &kv_engine_game(engine)->position, INT64_MAX, &outcome, &plies),
                     KV_OK);
    assert_int_equal(outcome, -1);
    assert_int_equal(plies, 0);
    /* white, to take one of three stones, wins with it */
    set_position(engine, "********/********/@@@@*OOO w m r 3 0 4 0 1 0");
    assert_int_equal(kv_engine_probe(engine, &kv_engine_game(engine)->position, INT64_MAX, &outcome, &plies),
                     KV_OK);
    set_position(engine, "********/@*@*****/@****OOO w m r 3 0 3 0 1 0");
    assert_int_equal(kv_engine_probe(engine, &kv_engine_game(engine)->position, INT64_MAX, &outcome, &plies),
                     KV_OK);
    assert_int_equal(outcome, 1);
    assert_int_equal(plies, 1);
    /* the opening is built in, with and without a capture due; wins come without a distance */
    assert_int_equal(kv_engine_new_game(engine), KV_OK);
    assert_int_equal(kv_engine_probe(engine, &kv_engine_game(engine)->position, INT64_MAX, &outcome, &plies),
                     KV_OK);
    assert_int_equal(outcome, 0);
    assert_int_equal(plies, 0);
    set_position(engine, "********/@@******/*****OOO w p r 3 6 2 7 1 0");
    outcome = 7;
    assert_int_equal(kv_engine_probe(engine, &kv_engine_game(engine)->position, INT64_MAX, &outcome, &plies),
                     KV_OK);
    assert_int_equal(outcome, 0);
    set_position(engine, "********/@******O/*****O** b p p 2 7 1 8 0 0");
    assert_int_equal(kv_engine_probe(engine, &kv_engine_game(engine)->position, INT64_MAX, &outcome, &plies),
                     KV_OK);
    assert_int_equal(outcome, 1);
    assert_int_equal(plies, -1);
    /* four against four are in no table */
    set_position(engine, "********/@@*@****/@*O**OOO w m s 4 0 4 0");
    outcome = plies = 7;
    assert_int_equal(kv_engine_probe(engine, &kv_engine_game(engine)->position, INT64_MAX, &outcome, &plies),
                     KV_E_NOT_FOUND);
    assert_int_equal(outcome, 7);
    assert_int_equal(plies, 7);
    kv_engine_destroy(engine);
}

static void the_benchmark_counts_the_same_twice(void **state)
{
    (void)state;
    struct kv_bench_total one, two;
    assert_int_equal(kv_engine_bench(4, NULL, NULL, &one), KV_OK);
    assert_int_equal(kv_engine_bench(4, NULL, NULL, &two), KV_OK);
    assert_int_equal(one.nodes, two.nodes);
    assert_true(one.nodes > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_option_has_its_default_and_takes_it),
        cmocka_unit_test(ranges_are_the_listed_ones),
        cmocka_unit_test(a_rule_that_changes_resets_the_game),
        cmocka_unit_test(a_game_under_other_rules_is_refused),
        cmocka_unit_test(an_engine_without_threads_answers_before_it_returns),
        cmocka_unit_test(a_finished_game_is_answered_even_without_end),
        cmocka_unit_test(a_search_for_a_mate_that_is_not_there_ends),
        cmocka_unit_test(options_set_during_a_search_come_after_it),
        cmocka_unit_test(the_same_search_counts_the_same_nodes),
        cmocka_unit_test(exact_values_follow_from_moves),
        cmocka_unit_test(the_benchmark_counts_the_same_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
