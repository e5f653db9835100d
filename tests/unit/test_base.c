/* The small tools everything stands on: buffer, random numbers, bits, clock, status codes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/bits.h"
#include "base/buffer.h"
#include "base/clock.h"
#include "base/random.h"

static void a_buffer_grows_and_stays_terminated(void **state)
{
    (void)state;
    struct kv_buffer buffer = {0};
    kv_buffer_clear(&buffer);
    assert_null(buffer.data);
    for (int i = 0; i < 5000; i++)
        kv_buffer_format(&buffer, "%d,", i % 10);
    assert_int_equal(buffer.length, 10000);
    assert_int_equal(strlen(buffer.data), 10000);
    assert_memory_equal(buffer.data + 9980, "0,1,2,3,4,5,6,7,8,9,", 20);
    kv_buffer_clear(&buffer);
    assert_int_equal(buffer.length, 0);
    assert_string_equal(buffer.data, "");
    kv_buffer_add(&buffer, "a\0b", 3);
    kv_buffer_text(&buffer, "c");
    assert_int_equal(buffer.length, 4);
    assert_memory_equal(buffer.data, "a\0bc", 5);
    assert_false(buffer.failed);
    kv_buffer_finish(&buffer);
    assert_null(buffer.data);
    kv_buffer_add(&buffer, NULL, 0);
    assert_string_equal(buffer.data, "");
    kv_buffer_finish(&buffer);
}

/* The first numbers of SplitMix64 from the seed 1234567, as its authors' program prints them. */
static void random_numbers_are_those_of_splitmix64(void **state)
{
    (void)state;
    struct kv_random random = {1234567};
    assert_true(kv_random_next(&random) == UINT64_C(6457827717110365317));
    assert_true(kv_random_next(&random) == UINT64_C(3203168211198807973));
    assert_true(kv_random_next(&random) == UINT64_C(9817491932198370423));
}

static void random_numbers_stay_below_their_bound_and_reach_it(void **state)
{
    (void)state;
    struct kv_random random = {0};
    int seen[7] = {0};
    for (int i = 0; i < 7000; i++) {
        uint32_t number = kv_random_below(&random, 7);
        assert_true(number < 7);
        seen[number]++;
    }
    for (int i = 0; i < 7; i++)
        assert_in_range(seen[i], 800, 1200);
    assert_int_equal(kv_random_below(&random, 1), 0);
}

static void bits_are_taken_from_the_lowest(void **state)
{
    (void)state;
    uint32_t set = 0x800421;
    assert_int_equal(kv_popcount(set), 4);
    assert_int_equal(kv_lowest(set), 0);
    assert_int_equal(kv_take(&set), 0);
    assert_int_equal(kv_take(&set), 5);
    assert_int_equal(kv_take(&set), 10);
    assert_int_equal(kv_take(&set), 23);
    assert_int_equal(set, 0);
}

static void the_clock_does_not_go_back(void **state)
{
    (void)state;
    int64_t before = kv_clock_ns();
    for (int i = 0; i < 1000; i++) {
        int64_t now = kv_clock_ns();
        assert_true(now >= before);
        before = now;
    }
}

static void statuses_have_words_and_errors_are_cut(void **state)
{
    (void)state;
    for (int a = KV_E_FULL; a <= KV_OK; a++) {
        assert_string_not_equal(kv_status_text(a), "unknown status");
        for (int b = KV_E_FULL; b < a; b++)
            assert_string_not_equal(kv_status_text(a), kv_status_text(b));
    }
    assert_string_equal(kv_status_text(12345), "unknown status");
    struct kv_error error;
    memset(&error, 'z', sizeof error);
    assert_int_equal(kv_fail(&error, KV_E_RANGE, "%300d", 1), KV_E_RANGE);
    assert_int_equal(strlen(error.text), sizeof error.text - 1);
    assert_int_equal(kv_fail(NULL, KV_E_IO, "nobody listens"), KV_E_IO);
    assert_int_equal(strspn(kv_version(), "0123456789."), strlen(kv_version()));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_buffer_grows_and_stays_terminated),
        cmocka_unit_test(random_numbers_are_those_of_splitmix64),
        cmocka_unit_test(random_numbers_stay_below_their_bound_and_reach_it),
        cmocka_unit_test(bits_are_taken_from_the_lowest),
        cmocka_unit_test(the_clock_does_not_go_back),
        cmocka_unit_test(statuses_have_words_and_errors_are_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
