/* The game under way and the rules it is played by. */
#include "engine/engine.h"

#include <string.h>

const struct kv_rules *kv_engine_rules(const struct kv_engine *engine)
{
    return &engine->rules;
}

const struct kv_game *kv_engine_game(const struct kv_engine *engine)
{
    return engine->game_set ? &engine->game : NULL;
}

static bool same_rules(const struct kv_rules *a, const struct kv_rules *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

int kv_engine_set_game(struct kv_engine *engine, struct kv_game *game)
{
    if (!same_rules(&game->rules, &engine->rules))
        return KV_E_VERSION;
    kv_game_finish(&engine->game);
    engine->game = *game;
    engine->game_set = true;
    *game = (struct kv_game){0};
    kv_engine_foresee_tables(engine);
    /* A game mostly comes just before a search that is timed. */
    return engine->clear_pending && engine->search ? kv_engine_get_ready(engine) : KV_OK;
}

void kv_engine_unset_game(struct kv_engine *engine)
{
    engine->game_set = false;
}

static int start_game(struct kv_engine *engine, const struct kv_rules *rules)
{
    struct kv_game game;
    int status = kv_game_init(&game, rules);
    if (status)
        return status;
    kv_game_finish(&engine->game);
    engine->game = game;
    engine->game_set = true;
    return KV_OK;
}

int kv_engine_change_rules(struct kv_engine *engine, const struct kv_rules *rules)
{
    if (same_rules(rules, &engine->rules))
        return KV_OK;
    int status = start_game(engine, rules);
    if (status)
        return status;
    engine->rules = *rules;
    engine->clear_pending = true; /* what the table holds was found under the old rules */
    return KV_OK;
}

int kv_engine_begin_game(struct kv_engine *engine, struct kv_game *game)
{
    int settled = kv_engine_settle_rules(engine);
    return settled ? settled : kv_game_init(game, &engine->rules);
}

int kv_engine_new_game(struct kv_engine *engine)
{
    int settled = kv_engine_settle_rules(engine);
    /* a position that was refused stays refused until a good one comes */
    int status = engine->game_set ? start_game(engine, &engine->rules) : KV_OK;
    engine->clear_pending = true;
    int ready = kv_engine_get_ready(engine);
    return status ? status : settled ? settled : ready;
}
