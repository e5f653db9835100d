/* The parts of kvern-tune: one key for all images of a position, and a fit that finds weights again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/random.h"
#include "eval/eval.h"
#include "tune/measure.h"
#include "tune/set.h"

/* A position that nothing is wrong with: some stones placed at random, the rest in hand or taken. */
static struct kv_position random_position(struct kv_random *random, bool placing)
{
    struct kv_position position = {.side = (uint8_t)kv_random_below(random, 2)};
    for (int side = 0; side < 2; side++) {
        int stones = 3 + (int)kv_random_below(random, 7);
        while (__builtin_popcount(position.stones[side]) < stones) {
            uint32_t point = 1u << kv_random_below(random, 24);
            if (((position.stones[0] | position.stones[1]) & point) == 0)
                position.stones[side] |= point;
        }
        if (placing)
            position.hand[side] = (uint8_t)kv_random_below(random, (uint32_t)(10 - stones));
    }
    return position;
}

static void images_have_one_key(void **state)
{
    struct kv_random random = {7};
    struct kv_rules rules;
    (void)state;
    kv_rules_init(&rules, 0);
    for (int i = 0; i < 2000; i++) {
        struct kv_position position = random_position(&random, i % 2), image, first, other;
        uint64_t key = tune_canonical(&rules, &position, &first);
        assert_int_equal(first.side, KV_WHITE);
        for (int s = 0; s < 16; s++) {
            kv_position_transform(&rules, &position, s, &image);
            assert_true(tune_canonical(&rules, &image, &other) == key);
            assert_true(kv_position_same(&first, &other));
            kv_position_swap_colours(&image, &image);
            assert_true(tune_canonical(&rules, &image, &other) == key);
            assert_true(kv_position_same(&first, &other));
        }
        /* the other side to move is another position, unless the colours are images of each other */
        position.side ^= 1;
        struct kv_position reversed;
        if (position.hand[0] != position.hand[1] ||
            __builtin_popcount(position.stones[0]) != __builtin_popcount(position.stones[1]))
            assert_true(tune_canonical(&rules, &position, &reversed) != key);
    }
}

static void keys_are_kept_once(void **state)
{
    struct tune_keys keys = {0};
    (void)state;
    for (uint64_t round = 0; round < 2; round++)
        for (uint64_t key = 0; key < 5000; key++)
            assert_int_equal(tune_keys_add(&keys, key * key), round == 0);
    assert_int_equal(keys.count, 5000);
    tune_keys_finish(&keys);
}

/* Results drawn so that the expected score is that of the built-in weights at this scale. */
static void write_synthetic(FILE *file, double scale)
{
    static const char *const splits[] = {"train", "train", "train", "valid", "test"};
    struct kv_random random = {11};
    struct kv_rules rules;
    kv_rules_init(&rules, 0);
    fputs("# synthetic\n", file);
    for (int i = 0; i < 60000; i++) {
        struct kv_position position = random_position(&random, i % 2);
        char text[KV_POSITION_TEXT_MAX];
        double expected = tune_sigmoid(kv_evaluate(&rules, &position) / scale);
        int outcome = -1;
        for (int half = 0; half < 2; half++)
            outcome += kv_random_below(&random, 1u << 30) < expected * (1u << 30);
        kv_position_write(&rules, &position, text);
        fprintf(file, "%s %d 0 %s\n", splits[i % 5], outcome, text);
    }
}

static void fit_finds_weights(void **state)
{
    char data[] = "/tmp/kvern-tune-data-XXXXXX", out[] = "/tmp/kvern-tune-weights-XXXXXX";
    int descriptor = mkstemp(data), other = mkstemp(out);
    struct tune_options options = {.command = "fit", .argument = data, .out = out, .quiet = true};
    struct tune_weights found, real;
    (void)state;
    assert_true(descriptor >= 0 && other >= 0);
    close(other);
    FILE *file = fdopen(descriptor, "w");
    write_synthetic(file, 400);
    fclose(file);
    assert_int_equal(tune_fit(&options), TUNE_OK);
    assert_int_equal(tune_weights_read(&found, out), TUNE_OK);
    unlink(data);
    unlink(out);
    tune_weights_built_in(&real);
    assert_int_equal(found.moving[KV_STONES], 100);
    for (int f = 0; f < KV_FEATURES; f++) {
        assert_true(abs(found.moving[f] - real.moving[f]) <= 15 + abs(real.moving[f]) / 4);
        /* the last two do not show, or hardly, while stones are placed */
        if (f != KV_FLYING && f != KV_SHUTTLES)
            assert_true(abs(found.placing[f] - real.placing[f]) <= 25 + abs(real.placing[f]) / 4);
    }
}

static void model_finds_scale(void **state)
{
    struct tune_dataset data = {.splits = {1, 0, 0}};
    struct tune_model model = {.name = "made up"};
    struct kv_random random = {3};
    struct tune_measure measure = {0};
    (void)state;
    tune_weights_built_in(&model.weights);
    data.rows = calloc(40000, sizeof *data.rows);
    assert_non_null(data.rows);
    for (; data.count < 40000; data.count++) {
        struct tune_row *row = &data.rows[data.count];
        row->counts[KV_STONES] = (int8_t)((int)kv_random_below(&random, 7) - 3);
        double expected = tune_sigmoid(tune_weights_score(&model.weights, row) / 200.0);
        row->outcome = kv_random_below(&random, 1u << 30) < expected * (1u << 30) ? 1 : -1;
    }
    tune_model_fit(&model, &data);
    assert_in_range((int)model.scale, 190, 210);
    assert_int_equal(model.margin, 0);
    for (size_t i = 0; i < data.count; i++)
        tune_measure_add(&measure, &model, &data.rows[i]);
    assert_true(tune_measure_error(&measure) < 0.02);
    free(data.rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(images_have_one_key),
        cmocka_unit_test(keys_are_kept_once),
        cmocka_unit_test(fit_finds_weights),
        cmocka_unit_test(model_finds_scale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
