/* What the engine knows of a position without searching: its static score and its exact value. */
#include <string.h>

#include "base/clock.h"
#include "engine/engine.h"
#include "eval/eval.h"

_Static_assert((int)KV_TERMS_MAX >= (int)KV_EVAL_TERMS_MAX, "room for every term");

int kv_engine_evaluate(const struct kv_rules *rules, const struct kv_position *position,
                       struct kv_term terms[KV_TERMS_MAX], int *score)
{
    struct kv_eval_term rows[KV_EVAL_TERMS_MAX];
    int count = kv_evaluate_terms(rules, position, rows, score);
    for (int i = 0; i < count; i++)
        terms[i] = (struct kv_term){
            .name = rows[i].name,
            .count = {rows[i].count[0], rows[i].count[1]},
            .weight = rows[i].weight,
            .score = rows[i].score,
        };
    return count;
}

bool kv_engine_expect(const struct kv_rules *rules, const struct kv_position *position, int *score,
                      int wdl[3])
{
    if (!kv_rules_are_classic(rules))
        return false;
    *score = kv_static_score(rules, position);
    kv_expected_results(rules, *score, wdl);
    return true;
}

static bool decided(const struct kv_rules *rules, const struct kv_position *position, struct kv_value *found)
{
    enum kv_result result = kv_position_result(rules, position, NULL);
    if (result == KV_ONGOING)
        return false;
    bool won = result == (position->side == KV_WHITE ? KV_WHITE_WINS : KV_BLACK_WINS);
    *found = (struct kv_value){result == KV_DRAW ? 0 : won ? 1 : -1, 0};
    return true;
}

static int look_up(struct kv_engine *engine, const struct kv_position *position, int64_t deadline_ns,
                   struct kv_value *found)
{
    if (decided(&engine->tablebase_rules, position, found))
        return KV_OK;
    if (!kv_tablebase_covers(engine->tablebase, position))
        return KV_E_NOT_FOUND;
    int status = kv_tablebase_probe(engine->tablebase, position, found);
    if (status) {
        kv_tablebase_want(engine->tablebase);
        if (!kv_tablebase_wait(engine->tablebase, deadline_ns))
            return kv_clock_ns() >= deadline_ns ? KV_E_BUSY : KV_E_NOT_FOUND;
        status = kv_tablebase_probe(engine->tablebase, position, found);
    }
    return status == KV_E_DAMAGED ? KV_E_NOT_FOUND : status;
}

/* While captures are due the value is that of the best capture; they end the turn under way, which is
 * one ply. */
static int resolve(struct kv_engine *engine, const struct kv_position *position, int64_t deadline_ns,
                   struct kv_value *found)
{
    if (position->due == 0)
        return look_up(engine, position, deadline_ns, found);
    const struct kv_rules *rules = &engine->tablebase_rules;
    kv_move moves[KV_MOVES_MAX];
    int count = kv_moves(rules, position, moves);
    struct kv_value best = {KV_VALUE_NONE, 0};
    for (int i = 0; i < count; i++) {
        struct kv_position next = *position;
        kv_position_play(rules, &next, moves[i]);
        struct kv_value value;
        int status = resolve(engine, &next, deadline_ns, &value);
        if (status)
            return status;
        kv_value_add(&best, next.side != position->side ? kv_value_before(value) : value);
    }
    if (best.outcome == KV_VALUE_NONE)
        return KV_E_NOT_FOUND;
    *found = best;
    return KV_OK;
}

int kv_engine_probe(struct kv_engine *engine, const struct kv_position *position, int64_t deadline_ns,
                    int *outcome, int *plies)
{
    struct kv_value found;
    /* A search may be using the tables: then only those, and only if they are of the same rules. */
    if (kv_engine_phase(engine) != KV_PHASE_SEARCHING) {
        kv_engine_wait(engine, INT64_MAX);
        if (!kv_engine_need_tables(engine, &engine->rules))
            return engine->config.no_tables ? KV_E_NOT_FOUND : KV_E_MEMORY;
    } else if (!engine->tablebase || memcmp(&engine->tablebase_rules, &engine->rules, sizeof engine->rules))
        return KV_E_BUSY;
    int status = resolve(engine, position, deadline_ns, &found);
    if (status)
        return status;
    *outcome = found.outcome;
    *plies = found.plies;
    return KV_OK;
}
