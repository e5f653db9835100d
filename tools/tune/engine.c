#include "tune/engine.h"

#include <inttypes.h>
#include <string.h>

#include "base/bits.h"
#include "base/clock.h"

/* As in the engine's own choice: the endgames built in are used where they are near, and the opening in it.
 */
enum { STONES_NEAR = 12 };

enum tune_exit tune_engine_open(struct tune_engine *engine, const struct kv_rules *rules,
                                const struct tune_options *options)
{
    memset(engine, 0, sizeof *engine);
    if (options->nodes == 0 && options->time_ms == 0)
        return tune_complain(TUNE_USAGE, "%s: --time MS or --nodes N is missing", options->command);
    engine->limits.nodes = (uint64_t)options->nodes;
    engine->limits.movetime_ms = options->time_ms;
    if (kv_search_create(&engine->search, (size_t)options->hash_mb) != KV_OK ||
        kv_tablebase_create(&engine->built_in, rules) != KV_OK)
        return tune_complain(TUNE_FAILED, "out of memory");
    kv_tablebase_want(engine->built_in);
    kv_tablebase_wait(engine->built_in, INT64_MAX);
    kv_search_clear(engine->search);
    return TUNE_OK;
}

void tune_engine_close(struct tune_engine *engine)
{
    kv_search_destroy(engine->search);
    kv_tablebase_destroy(engine->built_in);
    memset(engine, 0, sizeof *engine);
}

int tune_engine_move(struct tune_engine *engine, const struct kv_game *game, struct kv_search_result *result)
{
    static const struct kv_search_settings settings = {.threads = 1, .multipv = 1, .skill = KV_SKILL_MAX};
    const struct kv_position *position = &game->position;
    bool near = position->hand[0] + position->hand[1] == 0 &&
                kv_popcount(position->stones[0] | position->stones[1]) <= STONES_NEAR;
    bool known = near || kv_tablebase_in_opening(engine->built_in, position);
    kv_search_arm(engine->search, false);
    engine->limits.start_ns = kv_clock_ns();
    return kv_search_run(engine->search, game, &engine->limits, &settings, known ? engine->built_in : NULL,
                         NULL, NULL, result);
}

int tune_engine_fresh_move(struct tune_engine *engine, const struct kv_rules *rules,
                           const struct kv_position *position, struct kv_search_result *result)
{
    struct kv_game game;
    int status = kv_game_init(&game, rules);
    if (status)
        return status;
    kv_game_set(&game, position);
    kv_search_clear(engine->search);
    status = tune_engine_move(engine, &game, result);
    kv_game_finish(&game);
    return status;
}

const char *tune_engine_limits(const struct tune_options *options, char text[64])
{
    int length = 0;
    if (options->time_ms)
        length = snprintf(text, 64, "%" PRId64 " ms", options->time_ms);
    if (options->nodes)
        snprintf(text + length, 64 - (size_t)length, "%s%" PRId64 " nodes", length ? " or " : "",
                 options->nodes);
    return text;
}
