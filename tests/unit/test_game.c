/* A game and its history. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "kvern/position.h"

static struct kv_game new_game(void)
{
    struct kv_rules rules;
    kv_rules_init(&rules, 0);
    struct kv_game game;
    assert_int_equal(kv_game_init(&game, &rules), KV_OK);
    return game;
}

static void play(struct kv_game *game, const char *text)
{
    while (*text) {
        size_t length = strcspn(text, " ");
        kv_move move;
        struct kv_error error;
        if (kv_move_read(&game->rules, &game->position, text, length, &move, &error) != KV_OK)
            fail_msg("%s: %s", text, error.text);
        assert_int_equal(kv_game_play(game, move), KV_OK);
        text += length + strspn(text + length, " ");
    }
}

static void set(struct kv_game *game, const char *text)
{
    struct kv_position position;
    assert_int_equal(kv_position_read(&game->rules, text, strlen(text), &position, NULL), KV_OK);
    assert_int_equal(kv_game_set(game, &position), KV_OK);
}

static const char quiet[] = "*******O/@*@*O@**/**O**O** w m s 4 0 3 0 0 0 -1 -1 -1 -1 0 0 30 ids:nodes";

static void a_game_starts_at_the_start(void **state)
{
    (void)state;
    struct kv_game game = new_game();
    struct kv_position start;
    kv_position_start(&game.rules, &start);
    assert_int_equal(game.count, 1);
    assert_true(kv_position_same(&game.position, &start));
    assert_int_equal(kv_game_repetitions(&game), 1);
    enum kv_reason reason;
    assert_int_equal(kv_game_result(&game, &reason), KV_ONGOING);
    assert_int_equal(reason, KV_NO_REASON);
    kv_game_undo(&game); /* nothing to take back */
    assert_int_equal(game.count, 1);
    kv_game_finish(&game);
    kv_game_finish(&game);
    struct kv_game zeroed = {0};
    kv_game_finish(&zeroed);
}

static void undo_returns_to_the_very_same_positions(void **state)
{
    (void)state;
    struct kv_game game = new_game();
    play(&game, "d6 a1 f6 a4 b6 xa4 a7 d7 d5 c5");
    assert_int_equal(game.count, 11);
    assert_int_equal(game.position.ply, 9); /* a capture left due ends its turn only when it is made */
    struct kv_position kept[11];
    memcpy(kept, game.positions, sizeof kept);
    for (int i = 9; i >= 0; i--) {
        kv_game_undo(&game);
        assert_int_equal(game.count, i + 1);
        assert_memory_equal(&game.position, &kept[i], sizeof kept[i]);
    }
    kv_game_finish(&game);
}

static void nothing_is_left_over_from_the_game_before(void **state)
{
    (void)state;
    struct kv_game game = new_game();
    set(&game, quiet);
    play(&game, "a1-a4 d6-d7 a4-a1 d7-d6");
    assert_int_equal(kv_game_repetitions(&game), 2);
    set(&game, quiet);
    assert_int_equal(game.count, 1);
    assert_int_equal(kv_game_repetitions(&game), 1);
    play(&game, "a1-a4 d6-d7 a4-a1 d7-d6");
    assert_int_equal(kv_game_repetitions(&game), 2);
    assert_int_equal(kv_game_result(&game, NULL), KV_ONGOING);
    play(&game, "a1-a4 d6-d7 a4-a1 d7-d6");
    enum kv_reason reason;
    assert_int_equal(kv_game_result(&game, &reason), KV_DRAW);
    assert_int_equal(reason, KV_REPETITION);
    kv_game_finish(&game);
}

static void a_copy_goes_its_own_way(void **state)
{
    (void)state;
    struct kv_game game = new_game(), copy;
    set(&game, quiet);
    play(&game, "a1-a4 d6-d7 a4-a1 d7-d6");
    assert_int_equal(kv_game_copy(&copy, &game), KV_OK);
    assert_int_equal(kv_game_repetitions(&copy), 2);
    play(&copy, "a1-a4");
    assert_int_equal(copy.count, 6);
    assert_int_equal(game.count, 5);
    assert_false(kv_position_same(&copy.position, &game.position));
    kv_game_finish(&game);
    play(&copy, "d6-d7 a4-a1 d7-d6");
    assert_int_equal(kv_game_repetitions(&copy), 3);
    kv_game_finish(&copy);
}

static void thousands_of_plies_fit(void **state)
{
    (void)state;
    struct kv_game game = new_game();
    game.rules.repetition = 0;
    set(&game, quiet);
    for (int i = 0; i < 5000; i++)
        play(&game, "a1-a4 d6-d7 a4-a1 d7-d6");
    assert_int_equal(game.count, 20001);
    assert_int_equal(kv_game_repetitions(&game), 5001);
    assert_int_equal(kv_game_result(&game, NULL), KV_ONGOING);
    kv_game_finish(&game);
}

/* The quiet plies stop at their limit instead of starting over. */
static void quiet_plies_do_not_wrap(void **state)
{
    (void)state;
    struct kv_game game = new_game();
    set(&game, "*******O/@*@*O@**/**O**O** w m s 4 0 3 0 0 0 -1 -1 -1 -1 0 65534 32700");
    play(&game, "a1-a4 d6-d7 a4-a1");
    assert_int_equal(game.position.quiet, 65535);
    game.rules.no_capture_limit = 10000;
    enum kv_reason reason;
    assert_int_equal(kv_game_result(&game, &reason), KV_DRAW);
    assert_int_equal(reason, KV_NO_CAPTURE);
    kv_game_finish(&game);
}

static void results_have_names(void **state)
{
    (void)state;
    assert_string_equal(kv_result_text(KV_ONGOING), "ongoing");
    assert_string_equal(kv_result_text(KV_WHITE_WINS), "white");
    assert_string_equal(kv_result_text(KV_BLACK_WINS), "black");
    assert_string_equal(kv_result_text(KV_DRAW), "draw");
    assert_string_equal(kv_reason_text(KV_NO_REASON), "none");
    assert_string_equal(kv_reason_text(KV_TOO_FEW_STONES), "fewer than three stones");
    assert_string_equal(kv_reason_text(KV_BLOCKED), "no legal move");
    assert_string_equal(kv_reason_text(KV_REPETITION), "repetition");
    assert_string_equal(kv_reason_text(KV_NO_CAPTURE), "no capture within the limit");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_game_starts_at_the_start),
        cmocka_unit_test(undo_returns_to_the_very_same_positions),
        cmocka_unit_test(nothing_is_left_over_from_the_game_before),
        cmocka_unit_test(a_copy_goes_its_own_way),
        cmocka_unit_test(thousands_of_plies_fit),
        cmocka_unit_test(quiet_plies_do_not_wrap),
        cmocka_unit_test(results_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
