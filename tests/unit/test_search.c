#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/random.h"
#include "base/thread.h"
#include "eval/eval.h"
#include "search/search.h"
#include "search/worker.h"

static struct kv_search *search;
static struct kv_rules rules;
static const struct kv_search_settings plain = {
    .threads = 1, .multipv = 1, .move_overhead_ms = 10, .skill = KV_SKILL_MAX};

static int set_up(void **state)
{
    (void)state;
    kv_rules_init(&rules, 0);
    return kv_search_create(&search, 4);
}

static int tear_down(void **state)
{
    (void)state;
    kv_search_destroy(search);
    return 0;
}

static struct kv_game game_at(const char *text)
{
    struct kv_game game;
    assert_int_equal(kv_game_init(&game, &rules), KV_OK);
    if (text) {
        struct kv_position position;
        struct kv_error error;
        if (kv_position_read(&rules, text, strlen(text), &position, &error))
            fail_msg("%s: %s", text, error.text);
        assert_int_equal(kv_game_set(&game, &position), KV_OK);
    }
    return game;
}

/* ---- Watching the reports --------------------------------------------------------------------- */

struct watch {
    const struct kv_game *game;
    int reports, last_depth, last_score;
    int lines; /* greatest multipv number seen */
};

/* Every line is legal to its last move and never goes on beyond the end of the game. */
static void watch_report(void *user, const struct kv_search_info *info)
{
    struct watch *watch = user;
    if (info->multipv == 0)
        return;
    watch->reports++;
    watch->last_depth = info->depth;
    if (info->multipv == 1)
        watch->last_score = info->score;
    if (info->multipv > watch->lines)
        watch->lines = info->multipv;
    assert_int_equal(info->wdl[0] + info->wdl[1] + info->wdl[2], 1000);
    struct kv_position position = watch->game->position;
    for (int i = 0; i < info->pv_length; i++) {
        kv_move moves[KV_MOVES_MAX];
        int count = kv_moves(&watch->game->rules, &position, moves), found = 0;
        for (int j = 0; j < count; j++)
            found += moves[j] == info->pv[i];
        assert_int_equal(found, 1);
        assert_int_equal(kv_position_result(&watch->game->rules, &position, NULL), KV_ONGOING);
        kv_position_play(&watch->game->rules, &position, info->pv[i]);
    }
    /* An exact mate score says where the line ends. */
    if (info->bound == KV_BOUND_EXACT && kv_score_is_mate(info->score) &&
        abs(kv_score_mate_plies(info->score)) == info->pv_length)
        assert_int_not_equal(kv_position_result(&watch->game->rules, &position, NULL), KV_ONGOING);
}

static struct kv_search_result run(struct kv_game *game, struct kv_limits limits,
                                   const struct kv_search_settings *settings, struct watch *watch)
{
    struct kv_search_result result;
    struct watch unused;
    if (!watch)
        watch = &unused;
    *watch = (struct watch){.game = game};
    limits.start_ns = kv_clock_ns();
    kv_search_arm(search, limits.ponder);
    assert_int_equal(kv_search_run(search, game, &limits, settings, NULL, watch_report, watch, &result),
                     KV_OK);
    return result;
}

/* ---- Against plain minimax -------------------------------------------------------------------- */

static int plain_quiesce(const struct kv_rules *r, const struct kv_position *position, int ply)
{
    if (kv_position_result(r, position, NULL) != KV_ONGOING)
        return -KV_SCORE_WIN + ply; /* only the side to move can have lost */
    int best = kv_static_score(r, position);
    kv_move moves[KV_MOVES_MAX];
    int count = kv_moves(r, position, moves);
    for (int i = 0; i < count; i++) {
        if (kv_move_capture(moves[i]) == KV_NO_POINT)
            continue;
        struct kv_position next = *position;
        kv_position_play(r, &next, moves[i]);
        int score = -plain_quiesce(r, &next, ply + 1);
        best = score > best ? score : best;
    }
    return best;
}

/* `line` holds the positions from the root on; a position seen before on it is a draw. */
static int plain_minimax(const struct kv_rules *r, struct kv_position *line, int ply, int depth)
{
    if (kv_position_result(r, &line[ply], NULL) != KV_ONGOING)
        return -KV_SCORE_WIN + ply;
    for (int i = 0; i < ply; i++)
        if (kv_position_same(&line[i], &line[ply]))
            return 0;
    if (depth == 0)
        return plain_quiesce(r, &line[ply], ply);
    kv_move moves[KV_MOVES_MAX];
    int count = kv_moves(r, &line[ply], moves), best = -KV_SCORE_NONE;
    for (int i = 0; i < count; i++) {
        line[ply + 1] = line[ply];
        kv_position_play(r, &line[ply + 1], moves[i]);
        int score = -plain_minimax(r, line, ply + 1, depth - 1);
        best = score > best ? score : best;
    }
    return best;
}

/* A random position with `white` and `black` stones on the board and the rest in hand. */
static bool scatter(struct kv_random *random, const struct kv_rules *r, int white, int black, int hand,
                    struct kv_position *position)
{
    *position = (struct kv_position){.side = (uint8_t)kv_random_below(random, 2)};
    for (int placed = 0; placed < white + black;) {
        uint32_t point = 1u << kv_random_below(random, 24);
        if ((position->stones[0] | position->stones[1]) & point)
            continue;
        position->stones[placed++ < white ? KV_WHITE : KV_BLACK] |= point;
    }
    position->hand[0] = position->hand[1] = (uint8_t)hand;
    return kv_position_result(r, position, NULL) == KV_ONGOING;
}

static int full_width_value(const struct kv_rules *r, const struct kv_position *position, int depth)
{
    struct kv_table table;
    atomic_bool stop = false, pondering = false;
    _Atomic int64_t ponder_ns = 0;
    struct kv_limits limits = {0};
    struct kv_shared shared = {.table = &table,
                               .rules = r,
                               .limits = &limits,
                               .budget = {INT64_MAX, INT64_MAX},
                               .stop = &stop,
                               .pondering = &pondering,
                               .ponder_ns = &ponder_ns};
    struct kv_worker *worker = calloc(1, sizeof *worker);
    struct kv_root_move *roots = calloc(KV_MOVES_MAX, sizeof *roots);
    assert_non_null(worker);
    assert_non_null(roots);
    assert_int_equal(kv_table_init(&table, 1), KV_OK);
    kv_move moves[KV_MOVES_MAX];
    worker->shared = &shared;
    worker->full_width = true;
    worker->root_moves = roots;
    worker->root_count = kv_moves(r, position, moves);
    worker->frames[0].position = *position;
    worker->frames[0].came_by = KV_MOVE_NONE;
    memset(worker->replies, 0xff, sizeof worker->replies);
    for (int i = 0; i < worker->root_count; i++)
        roots[i].move = moves[i];
    int score = (kv_rules_are_classic(r) ? kv_search_root_classic : kv_search_root_general)(
        worker, -KV_SCORE_WIN, KV_SCORE_WIN, depth);
    kv_table_finish(&table);
    free(roots);
    free(worker);
    return score;
}

static void full_width_search_is_minimax(void **state)
{
    (void)state;
    struct kv_random random = {5};
    static const struct {
        int white, black, hand, depth;
    } kinds[] = {{4, 4, 0, 4}, {3, 4, 0, 2}, {4, 3, 0, 2}, {5, 5, 0, 3},
                 {3, 3, 0, 2}, {2, 2, 2, 2}, {6, 5, 0, 3}};
    for (int variety = 0; variety < 4; variety++) {
        struct kv_rules varied = rules;
        varied.flying = variety != 1;
        varied.double_mill = variety == 2 ? KV_DOUBLE_TWO : KV_DOUBLE_ONE;
        varied.mill_protection = variety == 3 ? KV_PROTECT_ALWAYS : KV_PROTECT_UNLESS_ALL;
        varied.reclose_mill = variety == 3 ? KV_RECLOSE_NOT_AT_ONCE : KV_RECLOSE_ALLOWED;
        for (int n = 0; n < 70; n++) {
            size_t kind = (size_t)n % (sizeof kinds / sizeof *kinds);
            struct kv_position line[8];
            if (!scatter(&random, &varied, kinds[kind].white, kinds[kind].black, kinds[kind].hand, &line[0]))
                continue;
            for (int depth = 1; depth <= kinds[kind].depth; depth++)
                assert_int_equal(full_width_value(&varied, &line[0], depth),
                                 plain_minimax(&varied, line, 0, depth));
        }
    }
}

/* Plies to a forced win within `depth` plies, or 0: nothing but the rules. */
static int plain_win_in(const struct kv_rules *r, const struct kv_position *position, int depth);

static bool plain_lost_in(const struct kv_rules *r, const struct kv_position *position, int depth)
{
    if (kv_position_result(r, position, NULL) != KV_ONGOING)
        return true;
    if (depth < 2)
        return false;
    kv_move moves[KV_MOVES_MAX];
    int count = kv_moves(r, position, moves);
    for (int i = 0; i < count; i++) {
        struct kv_position next = *position;
        kv_position_play(r, &next, moves[i]);
        if (plain_win_in(r, &next, depth - 1) == 0)
            return false;
    }
    return true;
}

static int plain_win_in(const struct kv_rules *r, const struct kv_position *position, int depth)
{
    if (kv_position_result(r, position, NULL) != KV_ONGOING)
        return 0;
    kv_move moves[KV_MOVES_MAX];
    int count = kv_moves(r, position, moves);
    for (int within = 1; within <= depth; within += 2)
        for (int i = 0; i < count; i++) {
            struct kv_position next = *position;
            kv_position_play(r, &next, moves[i]);
            if (plain_lost_in(r, &next, within - 1))
                return within;
        }
    return 0;
}

static void mates_are_exact(void **state)
{
    (void)state;
    struct kv_random random = {99};
    int wins = 0, longer = 0;
    for (int n = 0; n < 400; n++) {
        struct kv_position position;
        int stones = 3 + n % 3;
        if (!scatter(&random, &rules, stones, 3 + n % 2, 0, &position))
            continue;
        int expected = plain_win_in(&rules, &position, 3);
        struct kv_game game = game_at(NULL);
        kv_game_set(&game, &position);
        kv_search_clear(search);
        struct kv_search_result found = run(&game, (struct kv_limits){.mate = 3, .depth = 3}, &plain, NULL);
        assert_int_equal(found.score >= KV_SCORE_WIN_MIN ? kv_score_mate_plies(found.score) : 0, expected);
        if (expected > 0) {
            /* the search that prunes finds the same distance once it has looked as deep */
            kv_search_clear(search);
            found = run(&game, (struct kv_limits){.depth = 6}, &plain, NULL);
            assert_int_equal(kv_score_mate_plies(found.score), expected);
        }
        wins += expected > 0;
        longer += expected > 1;
        kv_game_finish(&game);
    }
    assert_true(wins > 50);
    assert_true(longer > 10);
}

/* ---- Limits and settings ---------------------------------------------------------------------- */

static const char middle[] = "**O*@***/*O@*O*@O/@O**@**O w m s 6 0 5 0 0 0";

static void limits_are_kept(void **state)
{
    (void)state;
    struct watch watch;
    struct kv_game game = game_at(NULL);
    kv_search_clear(search);
    struct kv_search_result deep = run(&game, (struct kv_limits){.depth = 7}, &plain, &watch);
    assert_int_equal(deep.depth, 7);
    assert_int_equal(watch.last_depth, 7);
    kv_search_clear(search);
    struct kv_search_result again = run(&game, (struct kv_limits){.depth = 7}, &plain, &watch);
    assert_int_equal(deep.nodes, again.nodes);
    assert_int_equal(deep.best, again.best);
    for (uint64_t nodes = 1; nodes < 5000; nodes = nodes * 3 + 1) {
        kv_search_clear(search);
        struct kv_search_result counted = run(&game, (struct kv_limits){.nodes = nodes}, &plain, &watch);
        assert_int_equal(counted.nodes, nodes);
        assert_int_not_equal(counted.best, KV_MOVE_NONE);
    }
    kv_game_finish(&game);
}

static void only_the_moves_asked_for(void **state)
{
    (void)state;
    struct kv_game game = game_at(middle);
    kv_move moves[KV_MOVES_MAX];
    int count = kv_moves(&rules, &game.position, moves);
    for (int i = 0; i < count; i++) {
        struct kv_search_result found =
            run(&game, (struct kv_limits){.depth = 3, .moves = &moves[i], .move_count = 1}, &plain, NULL);
        assert_int_equal(found.best, moves[i]);
    }
    kv_move nonsense = kv_move_make(0, 23, KV_NO_POINT, KV_NO_POINT);
    struct kv_search_result found =
        run(&game, (struct kv_limits){.depth = 3, .moves = &nonsense, .move_count = 1}, &plain, NULL);
    assert_int_not_equal(found.best, nonsense);
    assert_int_not_equal(found.best, KV_MOVE_NONE);
    kv_game_finish(&game);
}

static void several_lines_differ(void **state)
{
    (void)state;
    struct kv_search_settings four = plain;
    four.multipv = 4;
    struct kv_game game = game_at(middle);
    struct watch watch;
    kv_search_clear(search);
    run(&game, (struct kv_limits){.depth = 6}, &four, &watch);
    assert_int_equal(watch.lines, 4);
    four.multipv = 500;
    kv_move moves[KV_MOVES_MAX];
    run(&game, (struct kv_limits){.depth = 3}, &four, &watch);
    assert_int_equal(watch.lines, kv_moves(&rules, &game.position, moves));
    kv_game_finish(&game);
}

static void finished_games_have_no_move(void **state)
{
    (void)state;
    struct watch watch;
    struct kv_game game = game_at("********/********/***@OOO@ w o ? 3 0 2 0 0 0");
    struct kv_search_result found = run(&game, (struct kv_limits){.depth = 5}, &plain, &watch);
    assert_int_equal(found.best, KV_MOVE_NONE);
    assert_int_equal(watch.reports, 1);
    assert_int_equal(watch.last_score, KV_SCORE_WIN);
    kv_game_finish(&game);
}

static void captures_due_are_searched(void **state)
{
    (void)state;
    /* white has closed a7-d7-g7 and owes a capture; black's d2 f2 threaten b2 with b4 near */
    struct kv_game game = game_at("****O***/***@@*@*/OO***@*O w m r 4 0 4 0 1 0 -1 -1 -1 -1 0 0 20");
    struct watch watch;
    kv_search_clear(search);
    struct kv_search_result found = run(&game, (struct kv_limits){.depth = 6}, &plain, &watch);
    assert_int_equal(kv_move_from(found.best), KV_NO_POINT);
    assert_int_equal(kv_move_to(found.best), KV_NO_POINT);
    assert_int_not_equal(kv_move_capture(found.best), KV_NO_POINT);
    kv_game_finish(&game);
    rules.double_mill = KV_DOUBLE_TWO;
    game = game_at("********/***@@*@*/OO@**OOO w m r 5 0 4 0 2 0 -1 -1 -1 -1 0 0 20");
    found = run(&game, (struct kv_limits){.depth = 1}, &plain, &watch);
    assert_int_not_equal(kv_move_capture(found.best), KV_NO_POINT);
    found = run(&game, (struct kv_limits){.depth = 6}, &plain, &watch);
    assert_int_not_equal(kv_move_capture(found.best), KV_NO_POINT);
    kv_game_finish(&game);
    rules.double_mill = KV_DOUBLE_ONE;
}

/* Threefold repetition: a side that is lost otherwise takes the third occurrence. */
static void the_rule_of_repetition_is_seen(void **state)
{
    (void)state;
    struct kv_game game = game_at(middle);
    static const char *const shuffle[] = {"e4-e5", "d3-c3", "e5-e4", "c3-d3", "e4-e5", "d3-c3", "e5-e4"};
    for (size_t i = 0; i < sizeof shuffle / sizeof *shuffle; i++) {
        kv_move move;
        struct kv_error error;
        if (kv_move_read(&rules, &game.position, shuffle[i], strlen(shuffle[i]), &move, &error))
            fail_msg("%s: %s", shuffle[i], error.text);
        assert_int_equal(kv_game_play(&game, move), KV_OK);
    }
    assert_int_equal(kv_game_result(&game, NULL), KV_ONGOING);
    kv_move back;
    assert_int_equal(kv_move_read(&rules, &game.position, "c3-d3", 5, &back, NULL), KV_OK);
    kv_search_clear(search);
    struct kv_search_result found =
        run(&game, (struct kv_limits){.depth = 1, .moves = &back, .move_count = 1}, &plain, NULL);
    assert_int_equal(found.score, 0);
    kv_game_finish(&game);
}

/* ---- Weakened play ---------------------------------------------------------------------------- */

static void weakness_is_reproducible(void **state)
{
    (void)state;
    struct kv_search_settings weak = plain;
    weak.skill = 0;
    struct kv_game game = game_at(NULL);
    uint32_t seen = 0;
    for (uint64_t seed = 0; seed < 40; seed++) {
        weak.seed = seed;
        struct kv_search_result first = run(&game, (struct kv_limits){.movetime_ms = 1000}, &weak, NULL);
        kv_search_clear(search);
        struct kv_search_result second = run(&game, (struct kv_limits){.depth = 20}, &weak, NULL);
        assert_int_equal(first.best, second.best);
        seen |= 1u << kv_move_to(first.best);
    }
    assert_true(__builtin_popcount(seen) > 5); /* different seeds, different games */
    kv_game_finish(&game);
}

/* A beginner closes a mill where there is one, and else plays anything. */
static kv_move beginner(const struct kv_rules *r, const struct kv_position *position,
                        struct kv_random *random)
{
    kv_move moves[KV_MOVES_MAX];
    int count = kv_moves(r, position, moves), closing = 0;
    for (int i = 0; i < count; i++)
        if (kv_move_capture(moves[i]) != KV_NO_POINT)
            moves[closing++] = moves[i];
    return moves[kv_random_below(random, (uint32_t)(closing > 0 ? closing : count))];
}

/* Games the beginner wins, of `games` against this level. */
static int beginner_against(int skill, int games, struct kv_random *random)
{
    struct kv_search_settings level = plain;
    level.skill = skill;
    int won = 0;
    rules.no_capture_limit = 60;
    for (int n = 0; n < games; n++) {
        struct kv_game game = game_at(NULL);
        enum kv_result result;
        level.seed = (uint64_t)n;
        while ((result = kv_game_result(&game, NULL)) == KV_ONGOING) {
            kv_move move = game.position.side == n % 2
                               ? beginner(&rules, &game.position, random)
                               : run(&game, (struct kv_limits){.depth = 30}, &level, NULL).best;
            assert_int_equal(kv_game_play(&game, move), KV_OK);
        }
        won += result == (n % 2 == KV_WHITE ? KV_WHITE_WINS : KV_BLACK_WINS);
        kv_game_finish(&game);
    }
    rules.no_capture_limit = 0;
    return won;
}

static void a_beginner_wins_at_the_lowest_level_only(void **state)
{
    (void)state;
    struct kv_random random = {1};
    int lowest = beginner_against(0, 40, &random), higher = beginner_against(10, 20, &random);
    print_message("beginner wins %d of 40 at level 0, %d of 20 at level 10\n", lowest, higher);
    assert_true(lowest >= 4);
    assert_true(higher <= 1);
}

/* ---- Threads and stopping --------------------------------------------------------------------- */

static void stop_soon(void *argument)
{
    (void)argument;
    int64_t end = kv_clock_ns() + 30 * INT64_C(1000000);
    while (kv_clock_ns() < end)
        ;
    kv_search_stop(search);
}

static void a_search_without_limits_waits_for_stop(void **state)
{
    (void)state;
    /* a finished position too, and one whose search has an end of its own */
    static const char *const texts[] = {NULL, "********/********/***@OOO@ w o ? 3 0 2 0 0 0",
                                        "OO******/********/**@@@*** w p p 2 1 3 0 0 0"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct kv_game game = game_at(texts[i]);
        struct kv_limits limits = {.infinite = true, .start_ns = kv_clock_ns()};
        struct kv_search_settings settings = plain;
        settings.threads = 2;
        struct kv_search_result found;
        struct kv_thread thread;
        kv_search_arm(search, false);
        assert_int_equal(kv_thread_start(&thread, stop_soon, NULL), KV_OK);
        assert_int_equal(kv_search_run(search, &game, &limits, &settings, NULL, NULL, NULL, &found), KV_OK);
        assert_true(kv_clock_ns() - limits.start_ns >= 29 * INT64_C(1000000));
        kv_thread_join(&thread);
        kv_game_finish(&game);
    }
}

static void a_stop_before_the_start_is_not_lost(void **state)
{
    (void)state;
    struct kv_game game = game_at(NULL);
    struct kv_limits limits = {.infinite = true, .start_ns = kv_clock_ns()};
    struct kv_search_result found;
    kv_search_arm(search, false);
    kv_search_stop(search);
    assert_int_equal(kv_search_run(search, &game, &limits, &plain, NULL, NULL, NULL, &found), KV_OK);
    assert_int_not_equal(found.best, KV_MOVE_NONE);
    kv_search_arm(search, true);
    kv_search_ponderhit(search);
    limits = (struct kv_limits){.ponder = true, .movetime_ms = 20, .start_ns = kv_clock_ns()};
    assert_int_equal(kv_search_run(search, &game, &limits, &plain, NULL, NULL, NULL, &found), KV_OK);
    assert_int_not_equal(found.best, KV_MOVE_NONE);
    kv_game_finish(&game);
}

static void many_threads_agree_on_a_win(void **state)
{
    (void)state;
    struct kv_search_settings four = plain;
    four.threads = 4;
    /* white closes at once and black falls below three */
    struct kv_game game = game_at("********/O***@*@*/*O***@*O w m s 3 0 3 0 0 0");
    struct watch watch;
    struct kv_search_result found = run(&game, (struct kv_limits){.depth = 8}, &four, &watch);
    assert_int_equal(found.score, KV_SCORE_WIN - 1);
    kv_game_finish(&game);
}

/* Random games under random house rules: the move is always legal and the lines hold. */
static void any_rules_are_searched(void **state)
{
    (void)state;
    struct kv_random random = {2024};
    struct kv_rules usual = rules;
    for (int n = 0; n < 60; n++) {
        kv_rules_init(&rules, 0);
        rules.flying = (uint8_t)kv_random_below(&random, 2);
        rules.mill_protection = (uint8_t)kv_random_below(&random, 3);
        rules.double_mill = (uint8_t)kv_random_below(&random, 2);
        rules.reclose_mill = (uint8_t)kv_random_below(&random, 3);
        rules.first_move = (uint8_t)kv_random_below(&random, 2);
        rules.no_capture_limit = (uint16_t)(kv_random_below(&random, 2) * 30);
        struct kv_game game = game_at(NULL);
        kv_search_clear(search);
        for (int ply = 0; ply < 120 && kv_game_result(&game, NULL) == KV_ONGOING; ply++) {
            kv_move moves[KV_MOVES_MAX], move = KV_MOVE_NONE;
            int count = kv_moves(&rules, &game.position, moves), legal = 0;
            struct watch watch;
            if (ply % 3 == 0)
                move = moves[kv_random_below(&random, (uint32_t)count)];
            else
                move = run(&game, (struct kv_limits){.nodes = 400}, &plain, &watch).best;
            for (int i = 0; i < count; i++)
                legal += moves[i] == move;
            assert_int_equal(legal, 1);
            assert_int_equal(kv_game_play(&game, move), KV_OK);
        }
        kv_game_finish(&game);
    }
    rules = usual;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(full_width_search_is_minimax),
        cmocka_unit_test(mates_are_exact),
        cmocka_unit_test(limits_are_kept),
        cmocka_unit_test(only_the_moves_asked_for),
        cmocka_unit_test(several_lines_differ),
        cmocka_unit_test(finished_games_have_no_move),
        cmocka_unit_test(captures_due_are_searched),
        cmocka_unit_test(the_rule_of_repetition_is_seen),
        cmocka_unit_test(weakness_is_reproducible),
        cmocka_unit_test(a_beginner_wins_at_the_lowest_level_only),
        cmocka_unit_test(a_search_without_limits_waits_for_stop),
        cmocka_unit_test(a_stop_before_the_start_is_not_lost),
        cmocka_unit_test(many_threads_agree_on_a_win),
        cmocka_unit_test(any_rules_are_searched),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down) != 0;
}
