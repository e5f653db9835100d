/* Records as lines of JSON. */
#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "record/names.h"

struct loader {
    struct kv_record *record;
    struct kv_error *error;
};

static struct kv_span text_of(const cJSON *item)
{
    return cJSON_IsString(item) ? kv_span_of(item->valuestring) : (struct kv_span){"", 0};
}

static int no_memory(struct loader *loader)
{
    return kv_fail(loader->error, KV_E_MEMORY, "out of memory");
}

static int load_tags(struct loader *loader, const cJSON *tags)
{
    if (!cJSON_IsObject(tags))
        return kv_fail(loader->error, KV_E_SYNTAX, "\"tags\": expected an object");
    const cJSON *tag;
    cJSON_ArrayForEach(tag, tags)
    {
        char shown[32];
        struct kv_span name = kv_span_of(tag->string);
        if (!kv_record_is_tag_name(name) || kv_record_is_derived_tag(name))
            return kv_fail(loader->error, KV_E_SYNTAX, "\"tags\": '%s' cannot be a tag",
                           kv_span_show(name, shown, sizeof shown));
        if (!cJSON_IsString(tag))
            return kv_fail(loader->error, KV_E_SYNTAX, "tag %s: expected a string", tag->string);
        if (loader->record->tag_count == KV_TAGS_MAX)
            return kv_fail(loader->error, KV_E_SYNTAX, "more than %d tags", KV_TAGS_MAX);
        if (kv_record_tag(loader->record, tag->string))
            return kv_fail(loader->error, KV_E_SYNTAX, "tag %s is given twice", tag->string);
        if (kv_record_append_tag(loader->record, name, text_of(tag)))
            return no_memory(loader);
    }
    return KV_OK;
}

static int load_rules(struct loader *loader, const cJSON *rules)
{
    if (!cJSON_IsObject(rules))
        return kv_fail(loader->error, KV_E_SYNTAX, "\"rules\": expected an object");
    const cJSON *item;
    cJSON_ArrayForEach(item, rules)
    {
        char shown[32];
        const struct kv_rule *rule = kv_rule_find(item->string, strlen(item->string));
        if (!rule)
            return kv_fail(loader->error, KV_E_RANGE, "\"rules\": there is no rule '%s'",
                           kv_span_show(kv_span_of(item->string), shown, sizeof shown));
        if (!cJSON_IsString(item))
            return kv_fail(loader->error, KV_E_SYNTAX, "rule %s: expected a string", rule->name);
        struct kv_span value = text_of(item);
        int status = kv_rule_set(&loader->record->rules, rule, value.at, value.length, loader->error);
        if (status)
            return status;
    }
    return KV_OK;
}

/* An optional whole number within [low, high]. */
static int load_number(struct loader *loader, const cJSON *object, const char *name, int low, int high,
                       int *value, bool *found)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    *found = item != NULL;
    if (!item)
        return KV_OK;
    if (!cJSON_IsNumber(item) || !(item->valuedouble >= low && item->valuedouble <= high) ||
        item->valuedouble != floor(item->valuedouble))
        return kv_fail(loader->error, KV_E_RANGE, "\"%s\": expected a whole number from %d to %d", name, low,
                       high);
    *value = (int)item->valuedouble;
    return KV_OK;
}

static int load_nags(struct loader *loader, const cJSON *nags, struct kv_record_move *move)
{
    const cJSON *nag;
    if (!cJSON_IsArray(nags))
        return kv_fail(loader->error, KV_E_SYNTAX, "\"nags\": expected an array");
    cJSON_ArrayForEach(nag, nags)
    {
        if (!cJSON_IsNumber(nag) || !(nag->valuedouble >= 0 && nag->valuedouble <= 255) ||
            nag->valuedouble != floor(nag->valuedouble))
            return kv_fail(loader->error, KV_E_RANGE, "\"nags\": expected whole numbers from 0 to 255");
        kv_record_add_nag(move, (uint8_t)nag->valuedouble);
    }
    return KV_OK;
}

static int load_note(struct loader *loader, const cJSON *item, struct kv_record_note *note)
{
    bool has_score, has_mate, has_time;
    int score = 0, mate = 0, time = -1, depth = 0;
    bool has_depth;
    int status =
        load_number(loader, item, "score", -KV_NOTE_SCORE_MAX, KV_NOTE_SCORE_MAX, &score, &has_score);
    if (!status)
        status = load_number(loader, item, "mate", -KV_NOTE_SCORE_MAX, KV_NOTE_SCORE_MAX, &mate, &has_mate);
    if (!status)
        status = load_number(loader, item, "depth", 0, KV_NOTE_DEPTH_MAX, &depth, &has_depth);
    if (!status)
        status = load_number(loader, item, "time_ms", 0, KV_NOTE_TIME_MAX, &time, &has_time);
    if (status)
        return status;
    if (has_score && has_mate)
        return kv_fail(loader->error, KV_E_SYNTAX, "a move has either \"score\" or \"mate\"");
    if (!has_score && !has_mate) {
        if (has_depth || has_time)
            return kv_fail(loader->error, KV_E_SYNTAX,
                           "\"depth\" and \"time_ms\" need \"score\" or \"mate\"");
        return KV_OK;
    }
    *note = (struct kv_record_note){true, has_mate, has_mate ? mate : score, depth, time};
    return KV_OK;
}

static int load_line(struct loader *loader, const cJSON *moves, struct kv_record_cursor *cursor, int depth);

static int load_variations(struct loader *loader, const cJSON *variations, struct kv_record_cursor *cursor,
                           int depth)
{
    if (!cJSON_IsArray(variations))
        return kv_fail(loader->error, KV_E_SYNTAX, "\"variations\": expected an array");
    if (depth == KV_RECORD_NESTING_MAX)
        return kv_fail(loader->error, KV_E_RANGE, "variations are nested more than %d deep", depth);
    const cJSON *variation;
    cJSON_ArrayForEach(variation, variations)
    {
        struct kv_record_move *move = &cursor->line->moves[cursor->line->count - 1];
        struct kv_record_line *line;
        if (kv_record_add_variation(move, &line))
            return no_memory(loader);
        struct kv_record_cursor inner = {.rules = cursor->rules,
                                         .line = line,
                                         .before = cursor->before,
                                         .now = cursor->before,
                                         .instead = move->move};
        const cJSON *comment = cJSON_GetObjectItemCaseSensitive(variation, "comment");
        const cJSON *moves = cJSON_GetObjectItemCaseSensitive(variation, "moves");
        if (!cJSON_IsObject(variation) || !cJSON_IsArray(moves) || cJSON_GetArraySize(moves) == 0 ||
            (comment && !cJSON_IsString(comment)))
            return kv_fail(loader->error, KV_E_SYNTAX,
                           "\"variations\": expected objects with \"moves\" and perhaps a \"comment\"");
        if (kv_record_add_line_comment(line, text_of(comment).at, text_of(comment).length))
            return no_memory(loader);
        int status = load_line(loader, moves, &inner, depth + 1);
        if (status)
            return status;
    }
    return KV_OK;
}

/* The notes of the last move of the line. */
static int load_notes(struct loader *loader, const cJSON *item, struct kv_record_cursor *cursor, int depth)
{
    struct kv_record_move *move = &cursor->line->moves[cursor->line->count - 1];
    const cJSON *nags = cJSON_GetObjectItemCaseSensitive(item, "nags");
    const cJSON *comment = cJSON_GetObjectItemCaseSensitive(item, "comment");
    const cJSON *variations = cJSON_GetObjectItemCaseSensitive(item, "variations");
    if (comment && !cJSON_IsString(comment))
        return kv_fail(loader->error, KV_E_SYNTAX, "\"comment\": expected a string");
    int status = load_note(loader, item, &move->note);
    if (!status && nags)
        status = load_nags(loader, nags, move);
    if (!status && comment && kv_record_add_comment(move, text_of(comment).at, text_of(comment).length))
        return no_memory(loader);
    if (!status && variations)
        status = load_variations(loader, variations, cursor, depth);
    return status;
}

static int load_line(struct loader *loader, const cJSON *moves, struct kv_record_cursor *cursor, int depth)
{
    const cJSON *item;
    int number = 0;
    cJSON_ArrayForEach(item, moves)
    {
        struct kv_error cause = {""};
        const cJSON *move = cJSON_IsObject(item) ? cJSON_GetObjectItemCaseSensitive(item, "move") : item;
        number++;
        if (!cJSON_IsString(move))
            return kv_fail(loader->error, KV_E_SYNTAX,
                           "\"moves\", element %d: expected a string or an object with \"move\"", number);
        int status = kv_record_cursor_play(cursor, text_of(move), &cause);
        if (!status && cJSON_IsObject(item))
            status = load_notes(&(struct loader){loader->record, &cause}, item, cursor, depth);
        if (status)
            return kv_fail(loader->error, status, "\"moves\", element %d: %.200s", number, cause.text);
    }
    return KV_OK;
}

/* Rules, position and result, in the order in which they depend on each other. */
static int load_frame(struct loader *loader, const cJSON *root)
{
    struct kv_record *record = loader->record;
    const cJSON *variant = cJSON_GetObjectItemCaseSensitive(root, "variant");
    const cJSON *rules = cJSON_GetObjectItemCaseSensitive(root, "rules");
    const cJSON *fen = cJSON_GetObjectItemCaseSensitive(root, "fen");
    const cJSON *result = cJSON_GetObjectItemCaseSensitive(root, "result");
    const cJSON *comment = cJSON_GetObjectItemCaseSensitive(root, "comment");
    if (variant) {
        int row = kv_record_variant_find(text_of(variant), loader->error);
        if (row < 0)
            return KV_E_RANGE;
        kv_rules_init(&record->rules, row);
    }
    int status = rules ? load_rules(loader, rules) : KV_OK;
    if (status)
        return status;
    kv_position_start(&record->rules, &record->start);
    struct kv_error cause = {""};
    if (fen)
        status =
            kv_position_read(&record->rules, text_of(fen).at, text_of(fen).length, &record->start, &cause);
    if (status)
        return kv_fail(loader->error, status, "\"fen\": %.200s", cause.text);
    if (result && !kv_record_result_read(text_of(result), &record->result))
        return kv_fail(loader->error, KV_E_SYNTAX, "\"result\": expected 1-0, 0-1, 1/2-1/2 or *");
    if (comment && !cJSON_IsString(comment))
        return kv_fail(loader->error, KV_E_SYNTAX, "\"comment\": expected a string");
    if (kv_record_add_line_comment(&record->line, text_of(comment).at, text_of(comment).length))
        return no_memory(loader);
    return KV_OK;
}

static int load(struct loader *loader, const cJSON *root)
{
    const cJSON *tags = cJSON_GetObjectItemCaseSensitive(root, "tags");
    const cJSON *moves = cJSON_GetObjectItemCaseSensitive(root, "moves");
    if (!cJSON_IsArray(moves))
        return kv_fail(loader->error, KV_E_SYNTAX, "\"moves\": expected an array");
    int status = tags ? load_tags(loader, tags) : KV_OK;
    if (!status)
        status = load_frame(loader, root);
    struct kv_record *record = loader->record;
    struct kv_record_cursor cursor = {.rules = &record->rules,
                                      .line = &record->line,
                                      .before = record->start,
                                      .now = record->start,
                                      .instead = KV_MOVE_NONE};
    return status ? status : load_line(loader, moves, &cursor, 0);
}

int kv_record_read_json(struct kv_span text, const struct kv_rules *rules, struct kv_record *record,
                        size_t *error_at, struct kv_error *error)
{
    const char *end = text.at;
    cJSON *root = cJSON_ParseWithLengthOpts(text.at, text.length, &end, false);
    *error_at = 0;
    size_t parsed = (size_t)(end - text.at);
    struct kv_span rest = {text.at + parsed, text.length - parsed};
    if (!root || kv_span_trim(rest).length > 0) {
        cJSON_Delete(root);
        *error_at = parsed < text.length ? parsed : text.length;
        return kv_fail(error, KV_E_SYNTAX, "expected JSON: one object on one line");
    }
    struct kv_record fresh;
    kv_record_init(&fresh, rules);
    int status = load(&(struct loader){&fresh, error}, root);
    cJSON_Delete(root);
    if (status)
        kv_record_finish(&fresh);
    else
        *record = fresh;
    return status;
}
