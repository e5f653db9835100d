/* The rows of house rules and variants: names, values, text, refusals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "kvern/position.h"

static void the_defaults_are_the_classic_game(void **state)
{
    (void)state;
    struct kv_rules rules;
    memset(&rules, 0xff, sizeof rules);
    kv_rules_init(&rules, 0);
    assert_true(kv_rules_are_classic(&rules));
    assert_string_equal(kv_variants[0].name, "nine");
    static const char *const defaults[][2] = {
        {"Flying", "true"},         {"MillProtection", "unless-all"}, {"DoubleMill", "one"},
        {"RecloseMill", "allowed"}, {"FirstMove", "white"},           {"Repetition", "3"},
        {"NoCaptureLimit", "0"},
    };
    assert_int_equal(kv_rule_count, sizeof defaults / sizeof *defaults);
    for (int i = 0; i < kv_rule_count; i++) {
        char text[24];
        assert_string_equal(kv_rule_table[i].name, defaults[i][0]);
        assert_string_equal(kv_rule_text(&rules, &kv_rule_table[i], text), defaults[i][1]);
        assert_true(strlen(kv_rule_table[i].help) > 20);
    }
    assert_int_equal(rules.stones, 9);
}

/* Sets every rule to every value it has, by its text, and reads it back from the field it is about. */
static void every_value_is_set_and_shown(void **state)
{
    (void)state;
    for (int i = 0; i < kv_rule_count; i++) {
        const struct kv_rule *rule = &kv_rule_table[i];
        int values = 0;
        for (int value = rule->low; rule->kind != KV_RULE_CHOICE && value <= rule->high; value++) {
            struct kv_rules rules;
            kv_rules_init(&rules, 0);
            char text[24], shown[24];
            if (rule->kind == KV_RULE_BOOL)
                strcpy(text, value ? "true" : "false");
            else
                snprintf(text, sizeof text, "%d", value);
            assert_int_equal(kv_rule_set(&rules, rule, text, strlen(text), NULL), KV_OK);
            assert_int_equal(kv_rule_value(&rules, rule), value);
            assert_string_equal(kv_rule_text(&rules, rule, shown), text);
            values++;
        }
        for (int value = 0; rule->kind == KV_RULE_CHOICE && rule->choices[value]; value++) {
            struct kv_rules rules;
            kv_rules_init(&rules, 0);
            char shown[24];
            const char *text = rule->choices[value];
            assert_int_equal(kv_rule_set(&rules, rule, text, strlen(text), NULL), KV_OK);
            assert_int_equal(kv_rule_value(&rules, rule), value);
            assert_string_equal(kv_rule_text(&rules, rule, shown), text);
            values++;
        }
        assert_true(values >= 2);
    }
}

static void setting_a_rule_changes_that_rule_alone(void **state)
{
    (void)state;
    struct kv_rules rules;
    kv_rules_init(&rules, 0);
    const struct {
        const char *name, *value;
    } sets[] = {
        {"flying", "FALSE"},       {"MILLPROTECTION", "Never"},
        {"doublemill", "two"},     {"ReCloseMill", "not-at-once"},
        {"firstmove", "black"},    {"repetition", "5"},
        {"nocapturelimit", "100"},
    };
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        const struct kv_rule *rule = kv_rule_find(sets[i].name, strlen(sets[i].name));
        assert_non_null(rule);
        assert_int_equal(kv_rule_set(&rules, rule, sets[i].value, strlen(sets[i].value), NULL), KV_OK);
    }
    struct kv_rules expected;
    kv_rules_init(&expected, 0);
    expected.flying = 0;
    expected.mill_protection = KV_PROTECT_NEVER;
    expected.double_mill = KV_DOUBLE_TWO;
    expected.reclose_mill = KV_RECLOSE_NOT_AT_ONCE;
    expected.first_move = KV_BLACK;
    expected.repetition = 5;
    expected.no_capture_limit = 100;
    assert_memory_equal(&rules, &expected, sizeof rules);
}

static void only_what_moves_depend_on_makes_a_game_unclassic(void **state)
{
    (void)state;
    static const struct {
        const char *name, *value;
        bool classic;
    } cases[] = {
        {"Flying", "false", false},          {"MillProtection", "always", false},
        {"MillProtection", "never", false},  {"DoubleMill", "two", false},
        {"RecloseMill", "not-twice", false}, {"RecloseMill", "not-at-once", false},
        {"FirstMove", "black", true},        {"Repetition", "0", true},
        {"NoCaptureLimit", "50", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct kv_rules rules;
        kv_rules_init(&rules, 0);
        const struct kv_rule *rule = kv_rule_find(cases[i].name, strlen(cases[i].name));
        assert_int_equal(kv_rule_set(&rules, rule, cases[i].value, strlen(cases[i].value), NULL), KV_OK);
        assert_int_equal(kv_rules_are_classic(&rules), cases[i].classic);
    }
}

static void bad_values_are_refused_and_name_the_good_ones(void **state)
{
    (void)state;
    static const struct {
        const char *name, *value;
        int status;
        const char *says;
    } cases[] = {
        {"Flying", "maybe", KV_E_RANGE, "Flying: 'maybe' is neither true nor false"},
        {"Flying", "", KV_E_RANGE, "neither true nor false"},
        {"Flying", "1", KV_E_RANGE, "neither true nor false"},
        {"MillProtection", "sometimes", KV_E_RANGE, "'sometimes' is not one of unless-all, always, never"},
        {"MillProtection", "alway", KV_E_RANGE, "unless-all, always, never"},
        {"DoubleMill", "2", KV_E_RANGE, "'2' is not one of one, two"},
        {"RecloseMill", "not twice", KV_E_RANGE, "allowed, not-twice, not-at-once"},
        {"FirstMove", "w", KV_E_RANGE, "white, black"},
        {"Repetition", "-1", KV_E_RANGE, "'-1' is not a whole number from 0 to 1000"},
        {"Repetition", "1001", KV_E_RANGE, "from 0 to 1000"},
        {"Repetition", "three", KV_E_SYNTAX, "'three' is not a whole number"},
        {"Repetition", "", KV_E_SYNTAX, "not a whole number"},
        {"NoCaptureLimit", "10001", KV_E_RANGE, "from 0 to 10000"},
        {"NoCaptureLimit", "9999999999999999999999", KV_E_RANGE, "from 0 to 10000"},
        {"NoCaptureLimit", "5.0", KV_E_SYNTAX, "not a whole number"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct kv_rules rules, untouched;
        kv_rules_init(&rules, 0);
        untouched = rules;
        const struct kv_rule *rule = kv_rule_find(cases[i].name, strlen(cases[i].name));
        struct kv_error error = {""};
        assert_int_equal(kv_rule_set(&rules, rule, cases[i].value, strlen(cases[i].value), &error),
                         cases[i].status);
        if (!strstr(error.text, cases[i].says))
            fail_msg("'%s' lacks '%s'", error.text, cases[i].says);
        assert_memory_equal(&rules, &untouched, sizeof rules);
    }
}

static void unknown_names_are_not_found(void **state)
{
    (void)state;
    assert_null(kv_rule_find("Fly", 3));
    assert_null(kv_rule_find("", 0));
    assert_null(kv_rule_find("FlyingX", 7));
    assert_ptr_equal(kv_rule_find("FlyingX", 6), &kv_rule_table[0]);
    struct kv_error error = {""};
    assert_int_equal(kv_variant_find("nine", 4, &error), 0);
    assert_int_equal(kv_variant_find("NINE", 4, &error), 0);
    assert_int_equal(kv_variant_find("chess", 5, &error), KV_E_NOT_FOUND);
    assert_non_null(strstr(error.text, "unknown variant 'chess'"));
    assert_non_null(strstr(error.text, "nine"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_defaults_are_the_classic_game),
        cmocka_unit_test(every_value_is_set_and_shown),
        cmocka_unit_test(setting_a_rule_changes_that_rule_alone),
        cmocka_unit_test(only_what_moves_depend_on_makes_a_game_unclassic),
        cmocka_unit_test(bad_values_are_refused_and_name_the_good_ones),
        cmocka_unit_test(unknown_names_are_not_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
