/* Other programs: started, talked to, refused, ended. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/process.h"

static const int64_t second = 1000000000;

/* Long enough for the busiest machine; reached only when something is wrong. */
static int64_t patience(void)
{
    return kv_clock_ns() + 60 * second;
}

static void start(struct kv_process *process, const char *script)
{
    const char *const arguments[] = {"sh", "-c", script, NULL};
    struct kv_error error;
    if (kv_process_start(process, arguments, NULL, &error) != KV_OK)
        fail_msg("%s", error.text);
}

/* Everything the process writes, to its end. */
static size_t read_all(struct kv_process *process, char *text, size_t size)
{
    size_t length = 0;
    for (;;) {
        long got = kv_process_read(process, text + length, size - 1 - length);
        if (got == KV_E_BUSY)
            assert_int_equal(kv_process_wait(process, false, patience()), KV_OK);
        else if (got <= 0)
            break;
        else
            length += (size_t)got;
    }
    text[length] = '\0';
    return length;
}

static void what_is_written_comes_back(void **state)
{
    (void)state;
    struct kv_process process = {0};
    char text[256];
    start(&process, "read line; echo \"got $line\"; echo lost >&2");
    assert_int_equal(kv_process_write(&process, "hello\n", 6), 6);
    read_all(&process, text, sizeof text);
    assert_string_equal(text, "got hello\n");
    assert_true(kv_process_ends(&process, 60000));
    kv_process_end(&process, 0);
    assert_int_equal(process.pid, 0);
    kv_process_end(&process, 0);
}

static void a_directory_is_gone_to(void **state)
{
    (void)state;
    struct kv_process process = {0};
    struct kv_error error = {""};
    char text[256];
    const char *const arguments[] = {"pwd", NULL};
    assert_int_equal(kv_process_start(&process, arguments, "/", &error), KV_OK);
    read_all(&process, text, sizeof text);
    assert_string_equal(text, "/\n");
    kv_process_end(&process, 0);
    assert_int_equal(kv_process_start(&process, arguments, "/no/such/directory", &error), KV_E_IO);
    assert_non_null(strstr(error.text, "pwd"));
    assert_int_equal(process.pid, 0);
}

static void no_program_no_process(void **state)
{
    (void)state;
    struct kv_process process = {0};
    struct kv_error error = {""};
    const char *const arguments[] = {"no-such-program-anywhere", NULL};
    assert_int_equal(kv_process_start(&process, arguments, NULL, &error), KV_E_IO);
    assert_non_null(strstr(error.text, "no-such-program-anywhere: "));
    assert_int_equal(process.pid, 0);
}

static void silence_is_not_waited_for(void **state)
{
    (void)state;
    struct kv_process process = {0};
    char text[16];
    start(&process, "sleep 1000");
    assert_int_equal(kv_process_wait(&process, false, kv_clock_ns() + second / 100), KV_E_BUSY);
    assert_int_equal(kv_process_read(&process, text, sizeof text), KV_E_BUSY);
    assert_false(kv_process_ends(&process, 1));
    kv_process_end(&process, 1);
}

static void one_that_does_not_read_fills_up(void **state)
{
    (void)state;
    struct kv_process process = {0};
    static char much[1 << 20];
    start(&process, "sleep 1000");
    long sent, sum = 0;
    while ((sent = kv_process_write(&process, much, sizeof much)) > 0)
        sum += sent;
    assert_int_equal(sent, KV_E_BUSY);
    assert_true(sum < (long)sizeof much);
    assert_int_equal(kv_process_wait(&process, true, kv_clock_ns() + second / 100), KV_E_BUSY);
    kv_process_end(&process, 0);
}

/* Two processes: whoever a program has started goes with it. */
static void what_it_started_ends_too(void **state)
{
    (void)state;
    struct kv_process process = {0};
    char text[64];
    long got;
    start(&process, "trap '' TERM HUP; sleep 1000 & echo $!; wait");
    while ((got = kv_process_read(&process, text, sizeof text - 1)) == KV_E_BUSY)
        assert_int_equal(kv_process_wait(&process, false, patience()), KV_OK);
    assert_true(got > 1);
    text[got] = '\0';
    int grandchild = atoi(text);
    assert_int_equal(kill(grandchild, 0), 0);
    kv_process_end(&process, 1);
    /* It is dead; whoever adopted it may take a moment to bury it. */
    char path[64], line[512] = "";
    snprintf(path, sizeof path, "/proc/%d/stat", grandchild);
    for (int64_t end = patience(); kill(grandchild, 0) == 0 && kv_clock_ns() < end; usleep(1000)) {
        FILE *file = fopen(path, "r");
        bool dead = file && fgets(line, sizeof line, file) && strstr(line, ") Z ");
        if (file)
            fclose(file);
        if (dead)
            return;
    }
    assert_int_not_equal(kill(grandchild, 0), 0);
}

static void an_end_closes_every_descriptor(void **state)
{
    (void)state;
    int before = dup(STDIN_FILENO);
    close(before);
    for (int i = 0; i < 50; i++) {
        struct kv_process process = {0};
        const char *const arguments[] = {"no-such-program-anywhere", NULL};
        start(&process, "cat");
        kv_process_end(&process, 1000);
        assert_int_equal(kv_process_start(&process, arguments, NULL, NULL), KV_E_IO);
    }
    int after = dup(STDIN_FILENO);
    close(after);
    assert_int_equal(after, before);
}

/* Last: there is no way back from it. */
static void signals_only_interrupt(void **state)
{
    (void)state;
    struct kv_process process = {0};
    start(&process, "sleep 1000");
    assert_int_equal(kv_process_watch_signals(), KV_OK);
    assert_int_equal(kv_process_signal(), 0);
    assert_int_equal(raise(SIGTERM), 0);
    assert_int_equal(kv_process_signal(), SIGTERM);
    assert_int_equal(kv_process_wait(&process, false, patience()), KV_E_NOT_FOUND);
    kv_process_end(&process, 0);
    start(&process, "exit 0");
    assert_true(kv_process_ends(&process, 60000));
    assert_int_equal(kv_process_write(&process, "x", 1), KV_E_IO);
    kv_process_end(&process, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_comes_back),      cmocka_unit_test(a_directory_is_gone_to),
        cmocka_unit_test(no_program_no_process),           cmocka_unit_test(silence_is_not_waited_for),
        cmocka_unit_test(one_that_does_not_read_fills_up), cmocka_unit_test(what_it_started_ends_too),
        cmocka_unit_test(an_end_closes_every_descriptor),  cmocka_unit_test(signals_only_interrupt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
