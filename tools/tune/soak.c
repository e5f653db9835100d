/* kvern-tune soak: games of the engine against an opponent that knows the tables. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "tune/engine.h"
#include "tune/sample.h"

enum { STANDARD_PLAY_NODES = 2000, STARTS_TRIED = 1000 };

struct soak {
    const struct tune_options *options;
    struct tune_set set;
    struct tune_engine engine;
    struct tune_player player; /* makes the positions that games of the moving phase start from */
    uint64_t next_start;
    struct tune_moves moves;
    struct kv_random random;
    int64_t played, wins, draws, losses, thrown;
};

/* One game under way. */
struct match {
    struct kv_game game;
    int engine_side;
    size_t fault; /* the ply at which the engine first threw value away; SIZE_MAX = it did not */
    struct kv_value before, after;
};

/* ---- Moves -------------------------------------------------------------------------------------- */

/* One of the moves that keep the value, at random; when won, of those that win soonest, as there is no
 * other way to be sure of an end. */
static kv_move perfect_move(struct soak *soak)
{
    const struct tune_moves *moves = &soak->moves;
    int soonest = INT16_MAX, fitting = 0;
    for (int i = 0; i < moves->count; i++)
        if (moves->moves[i].value.outcome > 0 && moves->moves[i].value.plies < soonest)
            soonest = moves->moves[i].value.plies;
    kv_move choice = KV_MOVE_NONE;
    for (int i = 0; i < moves->count; i++) {
        const struct tune_move *move = &moves->moves[i];
        if (move->value.outcome != moves->best || (moves->best > 0 && move->value.plies > soonest))
            continue;
        if (kv_random_below(&soak->random, (uint32_t)++fitting) == 0)
            choice = move->move;
    }
    return choice;
}

static enum tune_exit engine_move(struct soak *soak, struct match *match, kv_move *move)
{
    struct kv_search_result result = {.best = KV_MOVE_NONE};
    if (tune_engine_move(&soak->engine, &match->game, &result) != KV_OK)
        return tune_complain(TUNE_FAILED, "out of memory");
    *move = result.best;
    for (int i = 0; i < soak->moves.count; i++) {
        const struct tune_move *played = &soak->moves.moves[i];
        if (played->move != result.best)
            continue;
        if (match->fault == SIZE_MAX && played->value.outcome < soak->moves.best) {
            match->fault = match->game.count - 1;
            match->after = played->value;
            if (!tune_set_value(&soak->set, &match->game.position, &match->before))
                match->before = (struct kv_value){(int8_t)soak->moves.best, -1};
        }
        return TUNE_OK;
    }
    return tune_complain(TUNE_FAILED, "the engine answered with a move that is not legal");
}

/* ---- Where games start -------------------------------------------------------------------------- */

/* The next drawn position of a game of quick searches at which all stones have been placed. */
static enum tune_exit find_start(struct soak *soak, struct kv_position *start)
{
    struct kv_position positions[TUNE_PLY_MAX];
    for (int tries = 0; tries < STARTS_TRIED && !atomic_load(&tune_stop); tries++) {
        int count =
            tune_player_run(&soak->player, (uint64_t)soak->options->seed, soak->next_start++, positions);
        if (count < 0)
            return tune_complain(TUNE_FAILED, "out of memory");
        for (int i = 0; i < count; i++) {
            struct kv_value value;
            if (positions[i].hand[0] + positions[i].hand[1] > 0)
                continue;
            if (tune_set_value(&soak->set, &positions[i], &value) && value.outcome == 0) {
                *start = positions[i];
                start->quiet = 0;
                return TUNE_OK;
            }
            break;
        }
    }
    return atomic_load(&tune_stop) ? TUNE_STOPPED
                                   : tune_complain(TUNE_FAILED, "no drawn position to start from was met");
}

/* ---- A game ------------------------------------------------------------------------------------- */

static void print_loss(const struct soak *soak, const struct match *match)
{
    const struct kv_rules *rules = &soak->set.rules;
    char text[KV_POSITION_TEXT_MAX], move[KV_MOVE_TEXT_MAX];
    printf("game %" PRId64 ": lost as %s after %zu plies\n", soak->played + 1,
           match->engine_side == KV_WHITE ? "white" : "black", match->game.count - 1);
    kv_position_write(rules, &match->game.positions[0], text);
    printf("  from %s\n ", text);
    for (size_t i = 0; i + 1 < match->game.count; i++)
        printf(" %s%s", kv_move_write(rules, match->game.moves[i], move), i == match->fault ? "?" : "");
    putchar('\n');
    if (match->fault == SIZE_MAX)
        return;
    kv_position_write(rules, &match->game.positions[match->fault], text);
    printf("  %s at ply %zu: %s -> loss", kv_move_write(rules, match->game.moves[match->fault], move),
           match->fault + 1, match->before.outcome > 0 ? "win" : "draw");
    if (match->after.plies >= 0)
        printf(" in %d", match->after.plies);
    printf(", at %s\n", text);
    fflush(stdout);
}

static enum tune_exit play_on(struct soak *soak, struct match *match)
{
    struct kv_game *game = &match->game;
    while (kv_game_result(game, NULL) == KV_ONGOING && game->count <= (size_t)soak->options->plies) {
        kv_move move = KV_MOVE_NONE;
        if (atomic_load(&tune_stop))
            return TUNE_STOPPED;
        if (!tune_set_moves(&soak->set, &game->position, &soak->moves)) {
            char text[KV_POSITION_TEXT_MAX];
            kv_position_write(&soak->set.rules, &game->position, text);
            return tune_complain(TUNE_FAILED,
                                 "a position is not in the tables (with the moving phase alone, "
                                 "give --phase moving): %s",
                                 text);
        }
        if (game->position.side == match->engine_side) {
            enum tune_exit status = engine_move(soak, match, &move);
            if (status != TUNE_OK)
                return status;
        } else
            move = perfect_move(soak);
        if (kv_game_play(game, move) != KV_OK)
            return tune_complain(TUNE_FAILED, "out of memory");
    }
    return TUNE_OK;
}

static enum tune_exit play_game(struct soak *soak, const struct kv_position *start, int engine_side)
{
    struct match match = {.engine_side = engine_side, .fault = SIZE_MAX};
    if (kv_game_init(&match.game, &soak->set.rules) != KV_OK)
        return tune_complain(TUNE_FAILED, "out of memory");
    kv_game_set(&match.game, start);
    kv_search_clear(soak->engine.search);
    enum tune_exit status = play_on(soak, &match);
    if (status == TUNE_OK) {
        enum kv_result result = kv_game_result(&match.game, NULL);
        bool drawn = result == KV_DRAW || result == KV_ONGOING;
        bool won = !drawn && (result == KV_WHITE_WINS) == (engine_side == KV_WHITE);
        if (!drawn && !won)
            print_loss(soak, &match);
        soak->played++;
        soak->wins += won;
        soak->draws += drawn;
        soak->losses += !drawn && !won;
        soak->thrown += match.fault != SIZE_MAX;
        tune_progress(soak->options, false,
                      "%" PRId64 " of %" PRId64 " games: +%" PRId64 " =%" PRId64 " -%" PRId64, soak->played,
                      soak->options->games, soak->wins, soak->draws, soak->losses);
    }
    kv_game_finish(&match.game);
    return status;
}

/* ---- The command -------------------------------------------------------------------------------- */

static enum tune_exit play_games(struct soak *soak)
{
    struct kv_position start;
    bool moving = soak->options->phases == TUNE_ONLY_MOVING;
    kv_position_start(&soak->set.rules, &start);
    for (int64_t number = 0; number < soak->options->games; number++) {
        enum tune_exit status = TUNE_OK;
        if (moving && number % 2 == 0)
            status = find_start(soak, &start);
        if (status == TUNE_OK)
            status = play_game(soak, &start, number % 2 == 0 ? KV_WHITE : KV_BLACK);
        if (status != TUNE_OK)
            return status;
    }
    return TUNE_OK;
}

static enum tune_exit start(struct soak *soak)
{
    const struct tune_options *options = soak->options;
    int64_t nodes = options->play_nodes < 0 ? STANDARD_PLAY_NODES : options->play_nodes;
    if (options->format != TUNE_TEXT)
        return tune_complain(TUNE_USAGE, "soak: --format text is all there is");
    if (options->phases == TUNE_ONLY_PLACING)
        return tune_complain(TUNE_USAGE,
                             "soak: --phase placing: expected all, from the empty board, or moving");
    enum tune_exit status = tune_set_open(&soak->set, options);
    if (status == TUNE_OK)
        status = tune_engine_open(&soak->engine, &soak->set.rules, options);
    if (status == TUNE_OK && tune_player_init(&soak->player, &soak->set.rules, (uint64_t)nodes) != KV_OK)
        status = tune_complain(TUNE_FAILED, "out of memory");
    return status;
}

enum tune_exit tune_soak(const struct tune_options *options)
{
    struct soak *soak = calloc(1, sizeof *soak);
    char limits[64];
    if (soak == NULL)
        return tune_complain(TUNE_FAILED, "out of memory");
    soak->options = options;
    soak->random.state = (uint64_t)options->seed;
    enum tune_exit status = start(soak);
    if (status == TUNE_OK)
        status = play_games(soak);
    if (soak->played > 0)
        printf("%" PRId64 " games at %s a move against a perfect opponent: %" PRId64 " won, %" PRId64
               " drawn, %" PRId64 " lost; value thrown away in %" PRId64 "\n",
               soak->played, tune_engine_limits(options, limits), soak->wins, soak->draws, soak->losses,
               soak->thrown);
    tune_player_finish(&soak->player);
    tune_engine_close(&soak->engine);
    tune_set_close(&soak->set);
    free(soak);
    return status;
}
