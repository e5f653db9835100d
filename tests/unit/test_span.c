#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/span.h"

static void tokens_are_cut_at_any_blank(void **state)
{
    (void)state;
    struct kv_span rest = kv_span_of(" \tgo  depth\r\n5");
    assert_true(kv_span_is(kv_span_token(&rest), "go"));
    assert_true(kv_span_is(kv_span_token(&rest), "depth"));
    assert_true(kv_span_is(kv_span_token(&rest), "5"));
    assert_int_equal(kv_span_token(&rest).length, 0);
}

static void integers_are_whole_and_in_range(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int status;
        int64_t value;
    } cases[] = {
        {"0", KV_OK, 0},
        {"-9", KV_OK, -9},
        {"007", KV_OK, 7},
        {"100", KV_OK, 100},
        {"101", KV_E_RANGE, 0},
        {"-11", KV_E_RANGE, 0},
        {"99999999999999999999999", KV_E_RANGE, 0},
        {"", KV_E_SYNTAX, 0},
        {"-", KV_E_SYNTAX, 0},
        {"+1", KV_E_SYNTAX, 0},
        {"1.5", KV_E_SYNTAX, 0},
        {"1 ", KV_E_SYNTAX, 0},
        {"99999999999999999999999x", KV_E_SYNTAX, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t value = -77;
        assert_int_equal(kv_span_int(kv_span_of(cases[i].text), -10, 100, &value), cases[i].status);
        assert_int_equal(value, cases[i].status == KV_OK ? cases[i].value : -77);
    }
    int64_t value;
    assert_int_equal(kv_span_int(kv_span_of("9223372036854775807"), 0, INT64_MAX, &value), KV_OK);
    assert_int_equal(kv_span_int(kv_span_of("9223372036854775808"), 0, INT64_MAX, &value), KV_E_RANGE);
    assert_int_equal(kv_span_int(kv_span_of("-9223372036854775808"), INT64_MIN, 0, &value), KV_OK);
    assert_true(value == INT64_MIN);
}

static void shown_text_is_cut_between_characters(void **state)
{
    (void)state;
    char buffer[8];
    assert_string_equal(kv_span_show(kv_span_of("abc\x01"), buffer, sizeof buffer), "abc?");
    assert_string_equal(kv_span_show(kv_span_of("abcdefgh"), buffer, sizeof buffer), "abcd...");
    assert_string_equal(kv_span_show(kv_span_of("abc\xc3\xa4xyz"), buffer, sizeof buffer), "abc...");
    assert_string_equal(kv_span_show(kv_span_of("abcdefg"), buffer, sizeof buffer), "abcdefg");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tokens_are_cut_at_any_blank),
        cmocka_unit_test(integers_are_whole_and_in_range),
        cmocka_unit_test(shown_text_is_cut_between_characters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
