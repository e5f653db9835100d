/* Making and ending an engine, and its options as seen from outside. */
#include "engine/engine.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

int kv_engine_create(struct kv_engine **engine, const struct kv_engine_config *config)
{
    struct kv_engine *fresh = calloc(1, sizeof *fresh);
    if (!fresh)
        return KV_E_MEMORY;
    if (config)
        fresh->config = *config;
    if (!kv_threads_exist())
        fresh->config.synchronous = true;
    kv_options_init(fresh);
    kv_rules_init(&fresh->rules, 0);
    int status = kv_log_create(&fresh->log);
    if (!status)
        status = kv_game_init(&fresh->game, &fresh->rules);
    if (status) {
        kv_log_destroy(fresh->log);
        free(fresh);
        return status;
    }
    fresh->game_set = true;
    kv_mutex_init(&fresh->mutex);
    kv_condition_init(&fresh->changed);
    *engine = fresh;
    return KV_OK;
}

void kv_engine_destroy(struct kv_engine *engine)
{
    if (!engine)
        return;
    kv_engine_stop(engine);
    kv_engine_wait(engine, INT64_MAX);
    if (engine->thread_started)
        kv_thread_join(&engine->thread);
    kv_tablebase_destroy(engine->tablebase);
    kv_search_destroy(engine->search);
    kv_game_finish(&engine->searched);
    kv_game_finish(&engine->game);
    free(engine->root_moves);
    kv_options_finish(engine);
    kv_condition_finish(&engine->changed);
    kv_mutex_finish(&engine->mutex);
    kv_log_destroy(engine->log);
    free(engine);
}

int64_t kv_engine_clock(void)
{
    return kv_clock_ns();
}

void kv_engine_log(struct kv_engine *engine, const char *mark, const char *bytes, size_t length)
{
    kv_log_lines(engine->log, mark, bytes, length);
}

struct kv_engine_display kv_engine_display(const struct kv_engine *engine)
{
    return (struct kv_engine_display){
        .wdl = engine->values.show_wdl != 0,
        .split_captures = engine->values.split_captures != 0,
    };
}

/* ---- Options ---------------------------------------------------------------------------------- */

static int keep_for_later(struct kv_engine *engine, int row, struct kv_span value, struct kv_error *error)
{
    struct kv_pending *pending = malloc(sizeof *pending + value.length);
    if (!pending)
        return kv_fail(error, KV_E_MEMORY, "out of memory");
    pending->next = NULL;
    pending->row = row;
    pending->length = value.length;
    if (value.length > 0)
        memcpy(pending->value, value.at, value.length);
    *engine->pending_end = pending;
    engine->pending_end = &pending->next;
    return KV_OK;
}

int kv_engine_set_option(struct kv_engine *engine, const char *name, size_t name_length, const char *value,
                         size_t value_length, struct kv_error *error)
{
    struct kv_span wanted = {name, name_length}, text = {value ? value : "", value ? value_length : 0};
    int row = kv_option_find(wanted);
    char shown[64];
    if (row < 0)
        return kv_fail(error, KV_E_NOT_FOUND, "unknown option '%s'",
                       kv_span_show(wanted, shown, sizeof shown));
    struct kv_option option;
    kv_option_row(row, &option);
    if (!value && option.type != KV_OPTION_BUTTON && option.type != KV_OPTION_STRING)
        return kv_fail(error, KV_E_SYNTAX, "%s: a value is missing", option.name);
    int status = kv_option_check(engine, row, text, error);
    if (status)
        return status;
    if (kv_engine_phase(engine) == KV_PHASE_SEARCHING && !kv_option_is_at_once(row))
        return keep_for_later(engine, row, text, error);
    status = kv_engine_settle(engine, error);
    int applied = kv_option_apply(engine, row, text, error);
    return applied ? applied : status;
}

/* Applies what is kept back, all of it or the rules alone, in the order of arrival. The first failure
 * is returned. */
static int apply_pending(struct kv_engine *engine, bool rules_only, struct kv_error *error)
{
    int first = KV_OK;
    struct kv_pending **link = &engine->pending;
    while (*link) {
        struct kv_pending *pending = *link;
        if (rules_only && !kv_option_is_rule(pending->row)) {
            link = &pending->next;
            continue;
        }
        struct kv_span value = {pending->value, pending->length};
        int status = kv_option_apply(engine, pending->row, value, first ? NULL : error);
        if (!first)
            first = status;
        *link = pending->next;
        free(pending);
    }
    engine->pending_end = link;
    return first;
}

int kv_engine_settle_rules(struct kv_engine *engine)
{
    return apply_pending(engine, true, NULL);
}

int kv_engine_settle(struct kv_engine *engine, struct kv_error *error)
{
    if (kv_engine_phase(engine) == KV_PHASE_SEARCHING)
        return KV_OK;
    kv_engine_wait(engine, INT64_MAX);
    return apply_pending(engine, false, error);
}
