#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

static char directory[64];

static int enter_directory(void **state)
{
    (void)state;
    snprintf(directory, sizeof directory, "/tmp/kvern-file-XXXXXX");
    return mkdtemp(directory) && chdir(directory) == 0 ? 0 : -1;
}

static int count_files(void)
{
    int count = 0;
    DIR *open = opendir(".");
    assert_non_null(open);
    for (struct dirent *entry; (entry = readdir(open));)
        count += entry->d_name[0] != '.';
    closedir(open);
    return count;
}

static int leave_directory(void **state)
{
    (void)state;
    DIR *open = opendir(".");
    for (struct dirent *entry; open && (entry = readdir(open));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            remove(entry->d_name);
    if (open)
        closedir(open);
    return chdir("/") == 0 ? rmdir(directory) : -1;
}

static void assert_holds(const char *path, const char *text)
{
    struct kv_buffer buffer = {0};
    assert_int_equal(kv_file_read(path, &buffer, NULL, NULL), KV_OK);
    assert_string_equal(buffer.data ? buffer.data : "", text);
    kv_buffer_finish(&buffer);
}

static void what_was_written_is_read(void **state)
{
    (void)state;
    struct kv_file_stamp written, read, now, none = {0};
    struct kv_buffer buffer = {0};
    assert_int_equal(kv_file_stamp("a", &now, NULL), KV_OK);
    assert_true(kv_file_stamp_equal(&now, &none));
    assert_int_equal(kv_file_replace("a", kv_span_of("one"), &written, NULL), KV_OK);
    assert_int_equal(kv_file_read("a", &buffer, &read, NULL), KV_OK);
    assert_string_equal(buffer.data, "one");
    assert_int_equal(kv_file_stamp("a", &now, NULL), KV_OK);
    assert_true(kv_file_stamp_equal(&written, &read) && kv_file_stamp_equal(&written, &now));
    assert_int_equal(kv_file_replace("a", kv_span_of("two, longer"), NULL, NULL), KV_OK);
    assert_int_equal(kv_file_stamp("a", &now, NULL), KV_OK);
    assert_false(kv_file_stamp_equal(&written, &now));
    assert_holds("a", "two, longer");
    /* Reading adds to what is there. */
    assert_int_equal(kv_file_read("a", &buffer, NULL, NULL), KV_OK);
    assert_string_equal(buffer.data, "onetwo, longer");
    kv_buffer_finish(&buffer);
    assert_int_equal(count_files(), 1);
}

static void a_large_file_comes_back(void **state)
{
    (void)state;
    size_t size = 3 * 1024 * 1024 + 17;
    char *bytes = malloc(size);
    for (size_t i = 0; i < size; i++)
        bytes[i] = (char)(i * 31 >> 3);
    struct kv_buffer buffer = {0};
    assert_int_equal(kv_file_replace("large", (struct kv_span){bytes, size}, NULL, NULL), KV_OK);
    assert_int_equal(kv_file_read("large", &buffer, NULL, NULL), KV_OK);
    assert_int_equal(buffer.length, size);
    assert_memory_equal(buffer.data, bytes, size);
    kv_buffer_finish(&buffer);
    free(bytes);
    unlink("large");
}

static void failures_name_the_file_and_the_cause(void **state)
{
    (void)state;
    struct kv_error error;
    struct kv_buffer buffer = {0};
    kv_buffer_text(&buffer, "kept");
    assert_int_equal(kv_file_read("missing", &buffer, NULL, &error), KV_E_NOT_FOUND);
    assert_string_equal(error.text, "missing: No such file or directory");
    assert_int_equal(kv_file_read(".", &buffer, NULL, &error), KV_E_IO);
    assert_string_equal(error.text, ".: Is a directory");
    assert_int_equal(kv_file_read("/dev/null", &buffer, NULL, &error), KV_E_IO);
    assert_string_equal(error.text, "/dev/null: not a regular file");
    assert_int_equal(kv_file_replace("no/such", kv_span_of("x"), NULL, &error), KV_E_NOT_FOUND);
    assert_int_equal(kv_file_replace(".", kv_span_of("x"), NULL, &error), KV_E_IO);
    assert_int_equal(kv_file_replace("/dev/full", kv_span_of("x"), NULL, &error), KV_E_IO);
    assert_string_equal(error.text, "/dev/full: not a regular file");
    assert_string_equal(buffer.data, "kept");
    kv_buffer_finish(&buffer);
}

/* A limit on the size of files stands for a full disk: the write fails in the middle. */
static void a_full_disk_leaves_the_old_file(void **state)
{
    (void)state;
    struct kv_error error;
    struct rlimit before, small = {10000, RLIM_INFINITY};
    size_t size = 100000;
    char *bytes = calloc(1, size);
    assert_int_equal(kv_file_replace("old", kv_span_of("the old game"), NULL, NULL), KV_OK);
    int files = count_files();
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small.rlim_max = before.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    int status = kv_file_replace("old", (struct kv_span){bytes, size}, NULL, &error);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(status, KV_E_FULL);
    assert_string_equal(error.text, "old: File too large");
    assert_holds("old", "the old game");
    assert_int_equal(count_files(), files);
    free(bytes);
}

static void permissions_and_links_stay(void **state)
{
    (void)state;
    struct stat info;
    assert_int_equal(kv_file_replace("real", kv_span_of("1"), NULL, NULL), KV_OK);
    assert_int_equal(chmod("real", 0640), 0);
    assert_int_equal(symlink("real", "link"), 0);
    assert_int_equal(kv_file_replace("link", kv_span_of("2"), NULL, NULL), KV_OK);
    assert_int_equal(lstat("link", &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    assert_int_equal(stat("real", &info), 0);
    assert_int_equal(info.st_mode & 0777, 0640);
    assert_holds("real", "2");
}

static void renaming_never_takes_a_name_that_is_there(void **state)
{
    (void)state;
    struct kv_error error;
    assert_int_equal(kv_file_replace("from", kv_span_of("from"), NULL, NULL), KV_OK);
    assert_int_equal(kv_file_replace("taken", kv_span_of("taken"), NULL, NULL), KV_OK);
    assert_int_equal(kv_file_rename_new("from", "taken", &error), KV_E_BUSY);
    assert_holds("taken", "taken");
    assert_holds("from", "from");
    assert_int_equal(kv_file_rename_new("from", "free", &error), KV_OK);
    assert_holds("free", "from");
    assert_int_equal(kv_file_read("from", &(struct kv_buffer){0}, NULL, NULL), KV_E_NOT_FOUND);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_written_is_read),
        cmocka_unit_test(a_large_file_comes_back),
        cmocka_unit_test(failures_name_the_file_and_the_cause),
        cmocka_unit_test(a_full_disk_leaves_the_old_file),
        cmocka_unit_test(permissions_and_links_stay),
        cmocka_unit_test(renaming_never_takes_a_name_that_is_there),
    };
    return cmocka_run_group_tests(tests, enter_directory, leave_directory) != 0;
}
