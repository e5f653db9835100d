/* kvern-tune grade: the engine's moves in critical positions against the tables. */
#include "tune/grade.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/span.h"
#include "board/movegen.h"
#include "tune/engine.h"
#include "tune/sample.h"

enum { PER_GAME = 4, BARREN_GAMES = 500, STANDARD_PLAY_NODES = 2000 };

struct grading {
    const struct tune_options *options;
    struct tune_set set;
    struct tune_engine engine;
    struct tune_player player;
    struct tune_keys keys;
    struct tune_marks marks;
    struct tune_sum sum;
    struct tune_moves moves; /* of the position that is looked at */
    FILE *out;               /* where the positions go, or NULL */
};

static enum tune_phase phase_of(const struct kv_rules *rules, const struct kv_position *position)
{
    if (position->hand[0] + position->hand[1] > 0)
        return TUNE_PLACING;
    return kv_flies(rules, position, 0) || kv_flies(rules, position, 1) ? TUNE_FLYING : TUNE_MOVING;
}

/* Is it a position to grade? Leaves its moves in grading->moves. */
static bool is_candidate(struct grading *grading, const struct kv_position *position)
{
    if (!tune_is_wanted(grading->options, position))
        return false;
    grading->marks.met++;
    if (tune_set_moves(&grading->set, position, &grading->moves))
        return tune_is_critical(&grading->moves);
    grading->marks.unknown++;
    return false;
}

/* ---- One position ------------------------------------------------------------------------------- */

static const struct tune_move *find(const struct tune_moves *moves, kv_move move)
{
    for (int i = 0; i < moves->count; i++)
        if (moves->moves[i].move == move)
            return &moves->moves[i];
    return NULL;
}

/* Lets the engine move; grading->moves are those of the position. */
static enum tune_exit grade_one(struct grading *grading, const struct kv_position *position)
{
    const struct tune_moves *moves = &grading->moves;
    struct tune_mark *mark = &grading->marks.list[grading->marks.count];
    struct kv_search_result result = {.best = KV_MOVE_NONE};
    int worse = 0;
    if (tune_engine_fresh_move(&grading->engine, &grading->set.rules, position, &result) != KV_OK)
        return tune_complain(TUNE_FAILED, "out of memory");
    const struct tune_move *played = find(moves, result.best);
    if (played == NULL)
        return tune_complain(TUNE_FAILED, "the engine answered with a move that is not legal");
    *mark = (struct tune_mark){
        .position = *position,
        .phase = phase_of(&grading->set.rules, position),
        .stones = kv_popcount(position->stones[0] | position->stones[1]),
        .move = result.best,
        .after = played->value,
        .depth = result.depth,
        .nodes = result.nodes,
    };
    for (int i = 0; i < moves->count; i++)
        worse += moves->moves[i].value.outcome < moves->best;
    mark->guess = (double)worse / moves->count;
    if (!tune_set_value(&grading->set, position, &mark->before))
        mark->before = (struct kv_value){(int8_t)moves->best, -1};
    grading->marks.count++;
    tune_sum_add(&grading->sum, mark);
    if (grading->out) {
        char text[KV_POSITION_TEXT_MAX];
        kv_position_write(&grading->set.rules, position, text);
        fprintf(grading->out, "%s\n", text);
    }
    tune_progress(grading->options, false,
                  "%zu of %" PRId64 " positions, %" PRIu64 " threw value away (%.2f %%)",
                  grading->marks.count, grading->options->count, tune_sum_thrown(&grading->sum),
                  100.0 * (double)tune_sum_thrown(&grading->sum) / (double)grading->marks.count);
    return TUNE_OK;
}

static bool is_full(const struct grading *grading)
{
    return grading->marks.count >= (size_t)grading->options->count || atomic_load(&tune_stop);
}

/* ---- Where they come from ----------------------------------------------------------------------- */

/* At most PER_GAME of a game, each critical position as likely as any other. */
static enum tune_exit grade_game(struct grading *grading, uint64_t number, bool *found)
{
    struct kv_position positions[TUNE_PLY_MAX], chosen[PER_GAME], image;
    struct kv_random random = {kv_mix64((uint64_t)grading->options->seed) + number};
    int count = tune_player_run(&grading->player, (uint64_t)grading->options->seed, number, positions);
    uint32_t seen = 0;
    if (count < 0)
        return tune_complain(TUNE_FAILED, "out of memory");
    grading->marks.games++;
    for (int i = 0; i < count; i++) {
        if (!is_candidate(grading, &positions[i]))
            continue;
        uint32_t at = seen < PER_GAME ? seen : kv_random_below(&random, seen + 1);
        if (at < PER_GAME)
            chosen[at] = positions[i];
        seen++;
    }
    for (uint32_t i = 0; i < seen && i < PER_GAME && !is_full(grading); i++) {
        int fresh = tune_keys_add(&grading->keys, tune_canonical(&grading->set.rules, &chosen[i], &image));
        if (fresh < 0)
            return tune_complain(TUNE_FAILED, "out of memory");
        if (fresh == 0 || !tune_set_moves(&grading->set, &chosen[i], &grading->moves))
            continue;
        *found = true;
        enum tune_exit status = grade_one(grading, &chosen[i]);
        if (status != TUNE_OK)
            return status;
    }
    return TUNE_OK;
}

static enum tune_exit grade_games(struct grading *grading)
{
    uint64_t barren = 0;
    for (uint64_t game = 0; !is_full(grading); game++) {
        bool found = false;
        enum tune_exit status = grade_game(grading, game, &found);
        if (status != TUNE_OK)
            return status;
        barren = found ? 0 : barren + 1;
        if (barren == BARREN_GAMES) {
            tune_complain(TUNE_OK, "no new critical position in %d games: giving up", BARREN_GAMES);
            break;
        }
    }
    return TUNE_OK;
}

static enum tune_exit grade_file(struct grading *grading, FILE *file)
{
    char line[1024];
    struct kv_error error;
    for (long number = 1; fgets(line, sizeof line, file) && !is_full(grading); number++) {
        struct kv_span text = kv_span_trim(kv_span_of(line));
        struct kv_position position;
        if (text.length == 0 || text.at[0] == '#')
            continue;
        if (kv_position_read(&grading->set.rules, text.at, text.length, &position, &error) != KV_OK)
            return tune_complain(TUNE_FAILED, "%s, line %ld: %s", grading->options->argument, number,
                                 error.text);
        if (position.due || !is_candidate(grading, &position))
            continue;
        enum tune_exit status = grade_one(grading, &position);
        if (status != TUNE_OK)
            return status;
    }
    return TUNE_OK;
}

/* ---- The command -------------------------------------------------------------------------------- */

static enum tune_exit run(struct grading *grading)
{
    const struct tune_options *options = grading->options;
    int64_t nodes = options->play_nodes < 0 ? STANDARD_PLAY_NODES : options->play_nodes;
    grading->marks.list = calloc((size_t)options->count, sizeof *grading->marks.list);
    if (grading->marks.list == NULL ||
        tune_player_init(&grading->player, &grading->set.rules, (uint64_t)nodes))
        return tune_complain(TUNE_FAILED, "out of memory");
    if (options->argument == NULL)
        return grade_games(grading);
    FILE *file = fopen(options->argument, "r");
    if (file == NULL)
        return tune_complain(TUNE_FAILED, "%s: %s", options->argument, strerror(errno));
    enum tune_exit status = grade_file(grading, file);
    fclose(file);
    return status;
}

enum tune_exit tune_grade(const struct tune_options *options)
{
    struct grading *grading = calloc(1, sizeof *grading);
    if (grading == NULL)
        return tune_complain(TUNE_FAILED, "out of memory");
    grading->options = options;
    enum tune_exit status = tune_set_open(&grading->set, options);
    if (status == TUNE_OK)
        status = tune_engine_open(&grading->engine, &grading->set.rules, options);
    if (status == TUNE_OK && options->out && (grading->out = fopen(options->out, "w")) == NULL)
        status = tune_complain(TUNE_FAILED, "%s: %s", options->out, strerror(errno));
    if (status == TUNE_OK)
        status = run(grading);
    if (grading->out && tune_close(grading->out, options->out) != TUNE_OK)
        status = TUNE_FAILED;
    if (status == TUNE_OK) {
        tune_grade_print(options, &grading->set.rules, &grading->marks);
        status = atomic_load(&tune_stop) ? TUNE_STOPPED : TUNE_OK;
    }
    if (status == TUNE_OK && grading->marks.count == 0)
        status =
            tune_complain(TUNE_FAILED, "no critical position was met whose values are all in the tables");
    tune_player_finish(&grading->player);
    tune_engine_close(&grading->engine);
    tune_keys_finish(&grading->keys);
    tune_set_close(&grading->set);
    free(grading->marks.list);
    free(grading);
    return status;
}
