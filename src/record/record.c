/* Records as values: building, freeing, replaying. */
#include "record/record.h"

#include <stdlib.h>
#include <string.h>

#include "record/names.h"

void kv_record_init(struct kv_record *record, const struct kv_rules *rules)
{
    *record = (struct kv_record){.rules = *rules};
    kv_position_start(rules, &record->start);
}

static void finish_line(struct kv_record_line *line)
{
    for (size_t i = 0; i < line->count; i++) {
        struct kv_record_move *move = &line->moves[i];
        for (size_t v = 0; v < move->variation_count; v++)
            finish_line(&move->variations[v]);
        free(move->variations);
        free(move->comment);
    }
    free(line->moves);
    free(line->comment);
}

void kv_record_finish(struct kv_record *record)
{
    for (size_t i = 0; i < record->tag_count; i++) {
        free(record->tags[i].name);
        free(record->tags[i].value);
    }
    free(record->tags);
    finish_line(&record->line);
    *record = (struct kv_record){0};
}

/* ---- Tags -------------------------------------------------------------------------------------- */

bool kv_record_is_tag_name(struct kv_span name)
{
    for (size_t i = 0; i < name.length; i++) {
        char c = name.at[i];
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'))
            return false;
    }
    return name.length > 0 && name.length <= KV_TAG_NAME_MAX;
}

bool kv_record_is_derived_tag(struct kv_span name)
{
    static const char *const derived[] = {"Result", "Variant", "FEN", "SetUp", "PlyCount"};
    for (size_t i = 0; i < sizeof derived / sizeof *derived; i++)
        if (kv_span_is_nocase(name, derived[i]))
            return true;
    return kv_rule_find(name.at, name.length) != NULL;
}

/* A copy without control bytes. */
static char *copy_value(struct kv_span text)
{
    char *copy = malloc(text.length + 1);
    if (!copy)
        return NULL;
    for (size_t i = 0; i < text.length; i++)
        copy[i] = (unsigned char)text.at[i] < ' ' || text.at[i] == 0x7f ? ' ' : text.at[i];
    copy[text.length] = '\0';
    return copy;
}

static struct kv_record_tag *find_tag(const struct kv_record *record, const char *name)
{
    for (size_t i = 0; i < record->tag_count; i++)
        if (strcmp(record->tags[i].name, name) == 0)
            return &record->tags[i];
    return NULL;
}

int kv_record_append_tag(struct kv_record *record, struct kv_span name, struct kv_span value)
{
    struct kv_record_tag *tags = realloc(record->tags, (record->tag_count + 1) * sizeof *tags);
    if (!tags)
        return KV_E_MEMORY;
    record->tags = tags;
    struct kv_record_tag tag = {copy_value(name), copy_value(value)};
    if (!tag.name || !tag.value) {
        free(tag.name);
        free(tag.value);
        return KV_E_MEMORY;
    }
    tags[record->tag_count++] = tag;
    return KV_OK;
}

int kv_record_set_tag(struct kv_record *record, const char *name, const char *value)
{
    if (!kv_record_is_tag_name(kv_span_of(name)) || kv_record_is_derived_tag(kv_span_of(name)))
        return KV_E_SYNTAX;
    struct kv_record_tag *tag = find_tag(record, name);
    if (!tag)
        return kv_record_append_tag(record, kv_span_of(name), kv_span_of(value));
    char *copy = copy_value(kv_span_of(value));
    if (!copy)
        return KV_E_MEMORY;
    free(tag->value);
    tag->value = copy;
    return KV_OK;
}

const char *kv_record_tag(const struct kv_record *record, const char *name)
{
    const struct kv_record_tag *tag = find_tag(record, name);
    return tag ? tag->value : NULL;
}

/* ---- Moves and their notes --------------------------------------------------------------------- */

int kv_record_add_move(struct kv_record_line *line, kv_move move, struct kv_record_move **added)
{
    if (line->count == line->capacity) {
        size_t capacity = line->capacity ? 2 * line->capacity : 16;
        struct kv_record_move *moves = realloc(line->moves, capacity * sizeof *moves);
        if (!moves)
            return KV_E_MEMORY;
        line->moves = moves;
        line->capacity = capacity;
    }
    struct kv_record_move *next = &line->moves[line->count++];
    *next = (struct kv_record_move){.move = move, .note = {.time_ms = -1}};
    if (added)
        *added = next;
    return KV_OK;
}

int kv_record_add_variation(struct kv_record_move *move, struct kv_record_line **added)
{
    struct kv_record_line *lines = realloc(move->variations, (move->variation_count + 1) * sizeof *lines);
    if (!lines)
        return KV_E_MEMORY;
    move->variations = lines;
    *added = &lines[move->variation_count++];
    **added = (struct kv_record_line){0};
    return KV_OK;
}

/* Appends `text` to `*comment`: blanks and control bytes become single blanks, none at the ends. */
static int add_text(char **comment, struct kv_span text)
{
    size_t length = *comment ? strlen(*comment) : 0;
    char *longer = realloc(*comment, length + text.length + 2);
    if (!longer)
        return KV_E_MEMORY;
    bool gap = length > 0;
    for (size_t i = 0; i < text.length; i++) {
        char c = text.at[i];
        if ((unsigned char)c <= ' ' || c == 0x7f) {
            gap = length > 0;
            continue;
        }
        if (gap)
            longer[length++] = ' ';
        gap = false;
        longer[length++] = c == '}' ? ')' : c;
    }
    longer[length] = '\0';
    *comment = longer;
    if (length == 0) {
        free(longer);
        *comment = NULL;
    }
    return KV_OK;
}

int kv_record_add_comment(struct kv_record_move *move, const char *text, size_t length)
{
    char *tidy = NULL;
    int status = add_text(&tidy, (struct kv_span){text, length});
    if (status || !tidy)
        return status;
    struct kv_span rest = kv_span_of(tidy);
    if (!move->comment && kv_record_note_is_empty(&move->note)) {
        size_t taken = kv_record_note_read(rest, &move->note);
        rest.at += taken;
        rest.length -= taken;
    }
    status = add_text(&move->comment, rest);
    free(tidy);
    return status;
}

int kv_record_add_line_comment(struct kv_record_line *line, const char *text, size_t length)
{
    return add_text(&line->comment, (struct kv_span){text, length});
}

void kv_record_add_nag(struct kv_record_move *move, uint8_t nag)
{
    for (int i = 0; i < move->nag_count; i++)
        if (move->nags[i] == nag)
            return;
    if (move->nag_count < KV_RECORD_NAGS_MAX)
        move->nags[move->nag_count++] = nag;
}

/* ---- Replaying --------------------------------------------------------------------------------- */

int kv_record_replay(const struct kv_record *record, size_t plies, struct kv_game *game)
{
    struct kv_game fresh = {0};
    int status = kv_game_init(&fresh, &record->rules);
    if (!status)
        status = kv_game_set(&fresh, &record->start);
    for (size_t i = 0; i < plies && i < record->line.count && !status; i++) {
        char text[KV_MOVE_TEXT_MAX];
        kv_move move = record->line.moves[i].move, read;
        kv_move_write(&record->rules, move, text);
        status = kv_move_read(&record->rules, &fresh.position, text, strlen(text), &read, NULL);
        if (status)
            status = KV_E_ILLEGAL;
        else
            status = kv_game_play(&fresh, move);
    }
    if (status) {
        kv_game_finish(&fresh);
        return status;
    }
    *game = fresh;
    return KV_OK;
}
