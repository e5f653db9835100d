/* Table files: built, built again, read, damaged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tablebase/tablebase.h"
#include "tablebase_support.h"

static const uint64_t plenty = UINT64_C(4) << 30;

static void build_all(struct workshop *workshop)
{
    struct kv_error error;
    if (build_tables(workshop, KV_PLAN_MOVING | KV_PLAN_PLACING, 18, false, plenty, &error) != KV_OK)
        fail_msg("%s", error.text);
}

static struct kv_rules three_stones(void)
{
    struct kv_rules rules;
    kv_rules_init(&rules, 0);
    rules.stones = 3;
    return rules;
}

static void the_game_of_three_stones_is_won_in_23_plies(void **state)
{
    (void)state;
    struct workshop workshop;
    struct kv_rules rules = three_stones();
    uint64_t totals[8];
    open_workshop(&workshop, &rules, 2);
    build_all(&workshop);
    read_totals(&workshop, (struct kv_subspace){0, 0, 3, 3}, totals);
    assert_int_equal(totals[0], 1);
    assert_int_equal(totals[1], 1);
    assert_int_equal(totals[4], 23);
    verify_tables(&workshop, KV_PLAN_MOVING | KV_PLAN_PLACING, 18, false);
    close_workshop(&workshop);
}

static void house_rules_fit_their_successors(void **state)
{
    (void)state;
    struct workshop workshop;
    struct kv_rules rules = three_stones();
    rules.flying = false;
    rules.mill_protection = KV_PROTECT_ALWAYS;
    open_workshop(&workshop, &rules, 1);
    build_all(&workshop);
    verify_tables(&workshop, KV_PLAN_MOVING | KV_PLAN_PLACING, 18, false);
    close_workshop(&workshop);
}

/* ---- The same bytes, however made ------------------------------------------------------------- */

static size_t read_file(const char *directory, const char *name, uint8_t **bytes)
{
    char path[400];
    struct stat facts;
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fstat(fileno(file), &facts), 0);
    *bytes = malloc((size_t)facts.st_size + 1);
    assert_int_equal(fread(*bytes, 1, (size_t)facts.st_size, file), facts.st_size);
    fclose(file);
    return (size_t)facts.st_size;
}

static int compare_directories(const char *one, const char *other)
{
    DIR *directory = opendir(one);
    int files = 0;
    assert_non_null(directory);
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        uint8_t *left, *right;
        if (entry->d_name[0] == '.' || strcmp(entry->d_name, "lock") == 0)
            continue;
        size_t length = read_file(one, entry->d_name, &left);
        assert_int_equal(read_file(other, entry->d_name, &right), length);
        assert_memory_equal(left, right, length);
        free(left);
        free(right);
        files++;
    }
    closedir(directory);
    return files;
}

static void threads_and_interruptions_do_not_change_a_byte(void **state)
{
    (void)state;
    struct workshop plain, broken;
    struct kv_rules rules = three_stones();
    open_workshop(&plain, &rules, 1);
    build_all(&plain);
    open_workshop(&broken, &rules, 3);
    for (int after = 1; after < 200; after += 9) {
        struct kv_error error;
        atomic_store(&broken.cancel, false);
        broken.reports_left = after;
        broken.store.cancel = &broken.cancel;
        int status = build_tables(&broken, KV_PLAN_MOVING | KV_PLAN_PLACING, 18, false, plenty, &error);
        assert_true(status == KV_OK || status == KV_E_BUSY);
        assert_true(after > 1 || status == KV_E_BUSY);
        if (status == KV_OK)
            break;
    }
    /* 3-3 and the six placements */
    assert_int_equal(compare_directories(plain.path, broken.path), 7);
    assert_int_equal(compare_directories(broken.path, plain.path), 7);
    close_workshop(&plain);
    close_workshop(&broken);
}

static void too_little_memory_is_said_before_starting(void **state)
{
    (void)state;
    struct workshop workshop;
    struct kv_rules rules = three_stones();
    struct kv_error error;
    open_workshop(&workshop, &rules, 1);
    assert_int_equal(build_tables(&workshop, KV_PLAN_MOVING, 18, false, 1 << 20, &error), KV_E_FULL);
    assert_non_null(strstr(error.text, "memory"));
    assert_int_equal(compare_directories(workshop.path, workshop.path), 0);
    rules.reclose_mill = KV_RECLOSE_NOT_TWICE;
    workshop.rules = rules;
    assert_int_equal(build_tables(&workshop, KV_PLAN_MOVING, 18, false, plenty, &error), KV_E_RANGE);
    close_workshop(&workshop);
}

/* ---- Probing ---------------------------------------------------------------------------------- */

struct notes {
    int count;
    char last[320];
};

static void take_note(void *user, const char *line)
{
    struct notes *notes = user;
    notes->count++;
    snprintf(notes->last, sizeof notes->last, "%s", line);
}

/* Probes positions of every subspace of the three-stone game; those that are served must have the
 * values in `expected` (NULL: only counts them). Returns how many were. */
static int probe_many(struct kv_tablebase *tables, struct kv_value *expected, bool store)
{
    static const struct kv_subspace subspaces[] = {{3, 3, 0, 0}, {2, 3, 1, 0}, {2, 2, 1, 1}, {1, 2, 2, 1},
                                                   {1, 1, 2, 2}, {0, 1, 3, 2}, {0, 0, 3, 3}};
    struct kv_random random = {4};
    int served = 0;
    for (int i = 0; i < 2100; i++) {
        struct kv_position position = random_position(&random, subspaces[i % 7]);
        struct kv_value value;
        int status = kv_tablebase_probe(tables, &position, &value);
        assert_true(status == KV_OK || status == KV_E_NOT_FOUND || status == KV_E_DAMAGED);
        if (status != KV_OK)
            continue;
        served++;
        if (store)
            expected[i] = value;
        assert_int_equal(value.outcome, expected[i].outcome);
        if (value.plies >= 0)
            assert_int_equal(value.plies, expected[i].plies);
    }
    return served;
}

static void write_file(const char *directory, const char *name, const uint8_t *bytes, size_t length)
{
    char path[400];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

/* One bit flipped, or the end cut off, at places of each region: never a wrong value, always named. */
static void damage(struct workshop *workshop, const char *name, struct kv_value *expected)
{
    static const long places[] = {0,    8,    12,   17,   24,   28,   33,   41,   49,   53,
                                  57,   65,   73,   81,   90,   96,   600,  2144, 2151, 2152,
                                  2175, 2176, 2183, 2184, 2188, 2200, 3000, 4100, -1,   -9};
    struct kv_tablebase *tables;
    uint8_t *bytes;
    size_t length = read_file(workshop->path, name, &bytes);
    assert_int_equal(kv_tablebase_create(&tables, &workshop->rules), KV_OK);
    int all = kv_tablebase_open(tables, workshop->path, 1, NULL, NULL, NULL);
    kv_tablebase_destroy(tables);
    for (size_t i = 0; i < 2 * sizeof places / sizeof *places; i++) {
        size_t place = i / 2 < sizeof places / sizeof *places ? (size_t)places[i / 2] : 0;
        struct notes notes = {0};
        if (places[i / 2] < 0)
            place = length - (size_t)-places[i / 2];
        if (place >= length)
            continue;
        if (i % 2 == 0)
            bytes[place] ^= (uint8_t)(1 << i / 2 % 8);
        write_file(workshop->path, name, bytes, i % 2 == 0 ? length : place);
        assert_int_equal(kv_tablebase_create(&tables, &workshop->rules), KV_OK);
        int used = kv_tablebase_open(tables, workshop->path, 1, take_note, &notes, NULL);
        assert_int_equal(used, all - notes.count);
        probe_many(tables, expected, false);
        if (place < 2176 || i % 2 == 1 || notes.count) {
            assert_int_equal(notes.count, 1);
            assert_non_null(strstr(notes.last, name));
        }
        kv_tablebase_destroy(tables);
        if (i % 2 == 0)
            bytes[place] ^= (uint8_t)(1 << i / 2 % 8);
    }
    write_file(workshop->path, name, bytes, length);
    free(bytes);
}

static void damaged_files_are_named_and_not_served(void **state)
{
    (void)state;
    struct workshop workshop, small;
    struct kv_tablebase *tables;
    struct kv_rules rules = three_stones();
    struct kv_value expected[2100];
    open_workshop(&workshop, &rules, 1);
    open_workshop(&small, &rules, 1);
    build_all(&workshop);
    assert_int_equal(pack_all(&workshop, &small), 4); /* 3-3 and hands of 1, 3 and 5 */
    assert_int_equal(kv_tablebase_create(&tables, &rules), KV_OK);
    assert_int_equal(kv_tablebase_open(tables, workshop.path, 1, NULL, NULL, NULL), 7);
    assert_int_equal(probe_many(tables, expected, true), 2100);
    kv_tablebase_destroy(tables);
    damage(&workshop, "3-3.dtm", expected);
    damage(&workshop, "2-3+1-0.dtm", expected);
    damage(&small, "3-3.wdl", expected);
    damage(&small, "0-1+3-2.wdl", expected);
    close_workshop(&workshop);
    close_workshop(&small);
}

/* The values of a small set, one ply of search included, are those of the whole one. */
static void a_packed_set_has_every_result(void **state)
{
    (void)state;
    struct workshop whole, small;
    struct kv_tablebase *tables[2];
    struct kv_rules rules = three_stones();
    struct kv_random random = {5};
    rules.stones = 4;
    open_workshop(&whole, &rules, 2);
    open_workshop(&small, &rules, 2);
    build_all(&whole);
    /* 3-3 4-3 4-4; 3-4 2-4 3-3 2-3 with hands 1-0, 2-3 1-3 with 2-1, 1-2 with 3-2, 0-1 with 4-3 */
    assert_int_equal(pack_all(&whole, &small), 11);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(kv_tablebase_create(&tables[i], &rules), KV_OK);
        assert_true(kv_tablebase_open(tables[i], i ? small.path : whole.path, 4, NULL, NULL, NULL) > 0);
    }
    int left_out = 0, outcomes[3] = {0};
    for (int i = 0; i < 60000; i++) {
        static const struct kv_subspace subspaces[] = {
            {3, 3, 0, 0}, {3, 4, 0, 0}, {4, 3, 0, 0}, {4, 4, 0, 0}, {3, 4, 1, 0}, {2, 4, 1, 0},
            {3, 3, 1, 1}, {2, 3, 1, 1}, {2, 3, 2, 1}, {2, 2, 2, 2}, {1, 1, 3, 3}, {0, 0, 4, 4}};
        struct kv_subspace subspace = subspaces[i % 12];
        struct kv_position position = random_position(&random, subspace);
        struct kv_value wanted, found;
        assert_int_equal(kv_tablebase_probe(tables[0], &position, &wanted), KV_OK);
        assert_true(kv_tablebase_covers(tables[1], &position));
        assert_int_equal(kv_tablebase_probe(tables[1], &position, &found), KV_OK);
        assert_int_equal(found.outcome, wanted.outcome);
        assert_true(found.outcome == 0 ? found.plies == 0 : found.plies <= wanted.plies);
        left_out += kv_pack_leaves_out(&whole.store, subspace);
        outcomes[found.outcome + 1]++;
    }
    assert_true(left_out > 20000 && outcomes[0] > 100 && outcomes[1] > 100 && outcomes[2] > 100);
    for (int i = 0; i < 2; i++)
        kv_tablebase_destroy(tables[i]);
    close_workshop(&whole);
    close_workshop(&small);
}

static void files_agree_with_the_built_in_endgames(void **state)
{
    (void)state;
    struct workshop workshop;
    struct kv_tablebase *tables, *built_in;
    struct kv_rules rules = three_stones();
    struct kv_random random = {9};
    struct kv_error error;
    open_workshop(&workshop, &rules, 2);
    assert_int_equal(build_tables(&workshop, KV_PLAN_MOVING, 18, false, plenty, &error), KV_OK);
    assert_int_equal(kv_tablebase_create(&tables, &rules), KV_OK);
    assert_int_equal(kv_tablebase_create(&built_in, &rules), KV_OK);
    assert_int_equal(kv_tablebase_open(tables, workshop.path, 1, NULL, NULL, NULL), 1);
    kv_tablebase_want(built_in);
    assert_true(kv_tablebase_wait(built_in, INT64_MAX));
    for (int i = 0; i < 20000; i++) {
        struct kv_position position = random_position(&random, (struct kv_subspace){3, 3, 0, 0});
        struct kv_value one, other;
        assert_true(kv_tablebase_covers(tables, &position));
        assert_int_equal(kv_tablebase_probe(tables, &position, &one), KV_OK);
        assert_int_equal(kv_tablebase_probe(built_in, &position, &other), KV_OK);
        assert_int_equal(one.outcome, other.outcome);
        assert_int_equal(one.plies, other.plies);
    }
    kv_tablebase_destroy(built_in);
    kv_tablebase_destroy(tables);

    /* under other rules the same files are named and left alone */
    struct notes notes = {0};
    rules.flying = false;
    assert_int_equal(kv_tablebase_create(&tables, &rules), KV_OK);
    assert_int_equal(kv_tablebase_open(tables, workshop.path, 1, take_note, &notes, NULL), 0);
    assert_int_equal(notes.count, 1);
    assert_non_null(strstr(notes.last, "other rules"));
    assert_int_equal(kv_tablebase_open(tables, "/nowhere/at/all", 1, NULL, NULL, &error), KV_E_NOT_FOUND);
    assert_int_equal(kv_tablebase_open(tables, "", 1, NULL, NULL, NULL), 0);
    kv_tablebase_destroy(tables);
    close_workshop(&workshop);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_game_of_three_stones_is_won_in_23_plies),
        cmocka_unit_test(house_rules_fit_their_successors),
        cmocka_unit_test(threads_and_interruptions_do_not_change_a_byte),
        cmocka_unit_test(too_little_memory_is_said_before_starting),
        cmocka_unit_test(damaged_files_are_named_and_not_served),
        cmocka_unit_test(a_packed_set_has_every_result),
        cmocka_unit_test(files_agree_with_the_built_in_endgames),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
