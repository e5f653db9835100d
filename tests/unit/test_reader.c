#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "protocol/reader.h"

/* Every line in brackets, one after the other. */
static void collect(void *user, const char *line, size_t length)
{
    struct kv_buffer *all = user;
    kv_buffer_text(all, "[");
    kv_buffer_add(all, line, length);
    kv_buffer_text(all, "]");
}

/* Feeds `text` in pieces of `piece` bytes. */
static char *lines_of(const char *text, size_t length, size_t piece)
{
    struct kv_reader reader = {0};
    struct kv_buffer all = {0};
    kv_buffer_text(&all, "");
    for (size_t at = 0; at < length; at += piece)
        kv_reader_feed(&reader, text + at, length - at < piece ? length - at : piece, collect, &all);
    kv_reader_end(&reader, collect, &all);
    return all.data;
}

static void lines_end_in_either_way_wherever_they_are_cut(void **state)
{
    (void)state;
    static const struct {
        const char *text, *lines;
    } cases[] = {
        {"", ""},
        {"\n", "[]"},
        {"a\n", "[a]"},
        {"a", "[a]"},
        {"a\r\nb", "[a][b]"},
        {"a\n\nb\n", "[a][][b]"},
        {"a\rb\n", "[a\rb]"},
        {"a\r", "[a]"},
        {"\r\n\r\n", "[][]"},
        {"one two\nthree\r\n four ", "[one two][three][ four ]"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (size_t piece = 1; piece < 20; piece++) {
            char *found = lines_of(cases[i].text, strlen(cases[i].text), piece);
            assert_string_equal(found, cases[i].lines);
            free(found);
        }
}

static void bytes_of_zero_are_bytes(void **state)
{
    (void)state;
    struct kv_reader reader = {0};
    struct kv_buffer all = {0};
    kv_reader_feed(&reader, "a\0b\n", 4, collect, &all);
    kv_reader_feed(&reader, "\0", 1, collect, &all);
    kv_reader_end(&reader, collect, &all);
    assert_int_equal(all.length, 8);
    assert_memory_equal(all.data, "[a\0b][\0]", 8);
    kv_buffer_finish(&all);
}

static void long_lines_arrive_whole(void **state)
{
    (void)state;
    enum { LENGTH = 3000000 };
    char *text = malloc(LENGTH);
    assert_non_null(text);
    memset(text, 'x', LENGTH);
    text[LENGTH - 1] = '\n';
    char *found = lines_of(text, LENGTH, 4096);
    assert_int_equal(strlen(found), LENGTH + 1);
    free(found);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_end_in_either_way_wherever_they_are_cut),
        cmocka_unit_test(bytes_of_zero_are_bytes),
        cmocka_unit_test(long_lines_arrive_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
