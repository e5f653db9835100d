/* A game: the current position and every one before it, for the repetition rule and for undo. */
#include <stdlib.h>
#include <string.h>

#include "board/movegen.h"

static int reserve(struct kv_game *game, size_t capacity)
{
    if (capacity <= game->capacity)
        return KV_OK;
    size_t wanted = game->capacity ? game->capacity : 64;
    while (wanted < capacity)
        wanted *= 2;
    struct kv_position *positions = realloc(game->positions, wanted * sizeof *positions);
    if (!positions)
        return KV_E_MEMORY;
    game->positions = positions;
    kv_move *moves = realloc(game->moves, wanted * sizeof *moves);
    if (!moves)
        return KV_E_MEMORY;
    game->moves = moves;
    game->capacity = wanted;
    return KV_OK;
}

int kv_game_init(struct kv_game *game, const struct kv_rules *rules)
{
    struct kv_game fresh = {.rules = *rules};
    int status = reserve(&fresh, 1);
    if (status) {
        kv_game_finish(&fresh);
        return status;
    }
    struct kv_position start;
    kv_position_start(rules, &start);
    *game = fresh;
    return kv_game_set(game, &start);
}

void kv_game_finish(struct kv_game *game)
{
    free(game->positions);
    free(game->moves);
    game->positions = NULL;
    game->moves = NULL;
    game->count = game->capacity = 0;
}

int kv_game_set(struct kv_game *game, const struct kv_position *position)
{
    int status = reserve(game, 1);
    if (status)
        return status;
    game->position = game->positions[0] = *position;
    game->count = 1;
    return KV_OK;
}

int kv_game_play(struct kv_game *game, kv_move move)
{
    int status = reserve(game, game->count + 1);
    if (status)
        return status;
    kv_position_play(&game->rules, &game->position, move);
    game->moves[game->count - 1] = move;
    game->positions[game->count++] = game->position;
    return KV_OK;
}

void kv_game_undo(struct kv_game *game)
{
    if (game->count < 2)
        return;
    game->position = game->positions[--game->count - 1];
}

int kv_game_copy(struct kv_game *copy, const struct kv_game *game)
{
    struct kv_game fresh = {.rules = game->rules, .position = game->position};
    int status = reserve(&fresh, game->count);
    if (status) {
        kv_game_finish(&fresh);
        return status;
    }
    memcpy(fresh.positions, game->positions, game->count * sizeof *game->positions);
    memcpy(fresh.moves, game->moves, (game->count - 1) * sizeof *game->moves);
    fresh.count = game->count;
    *copy = fresh;
    return KV_OK;
}

/* No position from before a placement or a capture can come back. */
static bool stones_differ(const struct kv_position *a, const struct kv_position *b)
{
    for (int side = 0; side < 2; side++)
        if (a->hand[side] != b->hand[side] || kv_popcount(a->stones[side]) != kv_popcount(b->stones[side]))
            return true;
    return false;
}

int kv_game_repetitions(const struct kv_game *game)
{
    int seen = 1;
    for (size_t i = game->count - 1; i-- > 0;) {
        const struct kv_position *earlier = &game->positions[i];
        if (stones_differ(earlier, &game->position))
            break;
        seen += kv_position_same(earlier, &game->position);
    }
    return seen;
}

enum kv_result kv_game_result(const struct kv_game *game, enum kv_reason *reason)
{
    enum kv_result result = kv_position_result(&game->rules, &game->position, reason);
    if (result != KV_ONGOING || game->position.due > 0 || game->rules.repetition == 0 ||
        kv_game_repetitions(game) < game->rules.repetition)
        return result;
    if (reason)
        *reason = KV_REPETITION;
    return KV_DRAW;
}
