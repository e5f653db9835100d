/* An annotated game as text, as a record and as JSON. */
#include <string.h>

#include "puzzle/annotation.h"
#include "puzzle/explain.h"

enum { NAG_MISTAKE = 2, NAG_BLUNDER = 4, NAG_DOUBTFUL = 6 };

static const char *tag(const struct puzzle_annotation *annotation, const char *name)
{
    const char *value = kv_record_tag(annotation->record, name);
    return value ? value : "?";
}

/* ---- Text --------------------------------------------------------------------------------------- */

static void write_faults(const struct puzzle_annotation *annotation, struct kv_buffer *out)
{
    for (int side = 0; side < 2; side++) {
        kv_buffer_format(out, "%s:", puzzle_side_name(side));
        bool any = false;
        for (int fault = PUZZLE_NO_FAULT + 1; fault < PUZZLE_FAULT_COUNT; fault++)
            if (annotation->faults[side][fault]) {
                kv_buffer_format(out, "%s %d %s", any ? "," : "", annotation->faults[side][fault],
                                 puzzle_fault_word((enum puzzle_fault)fault));
                any = true;
            }
        kv_buffer_text(out, any ? "\n" : " no mistakes known\n");
    }
}

void puzzle_annotation_write_text(const struct puzzle_annotation *annotation, struct kv_buffer *out)
{
    kv_buffer_format(out, "%s against %s, %s, %s: %s\n\n", tag(annotation, "White"), tag(annotation, "Black"),
                     tag(annotation, "Event"), tag(annotation, "Date"),
                     kv_record_result_text(annotation->record->result));
    kv_buffer_text(
        out,
        "Values are for the side that moves: before its move -> after it; plies count from before it.\n\n");
    for (size_t i = 0; i < annotation->count; i++) {
        const struct puzzle_note *note = &annotation->notes[i];
        char move[KV_MOVE_TEXT_MAX + 4];
        kv_move_write(annotation->rules, note->move, move);
        strcat(move, puzzle_fault_mark(note->fault));
        puzzle_note_number(note, out);
        kv_buffer_format(out, "%-14s ", move);
        puzzle_note_value(&note->value_before, &note->opinion_before, out);
        kv_buffer_text(out, " -> ");
        puzzle_note_value(&note->value_after, &note->opinion_after, out);
        kv_buffer_text(out, "\n");
        if (note->text.length)
            kv_buffer_format(out, "      %s\n", note->text.data);
    }
    kv_buffer_text(out, "\nMistakes\n");
    write_faults(annotation, out);
    kv_buffer_format(out, "%llu nodes, %.2f s\n", (unsigned long long)annotation->nodes,
                     (double)annotation->time_ns / 1e9);
}

/* ---- A record ----------------------------------------------------------------------------------- */

static int annotate_move(const struct puzzle_annotation *annotation, const struct puzzle_note *note,
                         struct kv_record_move *move)
{
    struct kv_buffer comment = {0};
    puzzle_note_value(&note->value_after, &note->opinion_after, &comment);
    if (note->text.length)
        kv_buffer_format(&comment, ". %s", note->text.data);
    int status = comment.failed ? KV_E_MEMORY : kv_record_add_comment(move, comment.data, comment.length);
    kv_buffer_finish(&comment);
    if (status || note->fault == PUZZLE_NO_FAULT)
        return status;
    const char *mark = puzzle_fault_mark(note->fault);
    kv_record_add_nag(move, strcmp(mark, "??") == 0  ? NAG_BLUNDER
                            : strcmp(mark, "?") == 0 ? NAG_MISTAKE
                                                     : NAG_DOUBTFUL);
    if (note->best == KV_MOVE_NONE || note->best == note->move)
        return KV_OK;
    struct kv_record_line *variation;
    struct kv_record_move *better;
    status = kv_record_add_variation(move, &variation);
    if (status == KV_OK)
        status = kv_record_add_move(variation, note->best, &better);
    comment = (struct kv_buffer){0};
    puzzle_note_value(&note->value_before, &note->opinion_before, &comment);
    if (status == KV_OK)
        status = comment.failed ? KV_E_MEMORY : kv_record_add_comment(better, comment.data, comment.length);
    kv_buffer_finish(&comment);
    (void)annotation;
    return status;
}

int puzzle_annotation_write_record(const struct puzzle_annotation *annotation, struct kv_record *record,
                                   struct kv_buffer *out)
{
    int status = kv_record_set_tag(record, "Annotator", "kvern-puzzle " KV_VERSION);
    for (size_t i = 0; i < annotation->count && status == KV_OK; i++)
        status = annotate_move(annotation, &annotation->notes[i], &record->line.moves[i]);
    if (status == KV_OK)
        kv_record_write_text(record, out);
    return status;
}

/* ---- JSON --------------------------------------------------------------------------------------- */

static void add_value(cJSON *object, const char *name, const struct puzzle_verdict *verdict,
                      const struct puzzle_opinion *opinion)
{
    cJSON *value = cJSON_AddObjectToObject(object, name);
    puzzle_json_verdict(value, verdict);
    if (opinion->known) {
        cJSON_AddNumberToObject(value, "engine_score", opinion->score);
        cJSON_AddNumberToObject(value, "engine_depth", opinion->depth);
    }
}

static cJSON *note_json(const struct puzzle_annotation *annotation, const struct puzzle_note *note)
{
    char text[KV_MOVE_TEXT_MAX];
    cJSON *object = cJSON_CreateObject();
    cJSON_AddNumberToObject(object, "ply", note->before.ply);
    cJSON_AddStringToObject(object, "side", note->before.side == KV_WHITE ? "white" : "black");
    cJSON_AddStringToObject(object, "move", kv_move_write(annotation->rules, note->move, text));
    puzzle_json_position(object, annotation->rules, &note->before);
    add_value(object, "before", &note->value_before, &note->opinion_before);
    add_value(object, "after", &note->value_after, &note->opinion_after);
    cJSON_AddStringToObject(object, "mistake", puzzle_fault_word(note->fault));
    if (note->fault != PUZZLE_NO_FAULT)
        cJSON_AddBoolToObject(object, "mistake_proven", note->fault != PUZZLE_DOUBTFUL);
    if (note->best != KV_MOVE_NONE)
        cJSON_AddStringToObject(object, "best", kv_move_write(annotation->rules, note->best, text));
    cJSON_AddStringToObject(object, "text", note->text.data ? note->text.data : "");
    return object;
}

void puzzle_annotation_write_json(const struct puzzle_annotation *annotation, struct kv_buffer *out)
{
    cJSON *object = cJSON_CreateObject(), *tags = cJSON_AddObjectToObject(object, "tags");
    for (size_t i = 0; i < annotation->record->tag_count; i++)
        cJSON_AddStringToObject(tags, annotation->record->tags[i].name, annotation->record->tags[i].value);
    cJSON_AddStringToObject(object, "result", kv_record_result_text(annotation->record->result));
    cJSON *moves = cJSON_AddArrayToObject(object, "moves");
    for (size_t i = 0; i < annotation->count; i++)
        cJSON_AddItemToArray(moves, note_json(annotation, &annotation->notes[i]));
    cJSON *mistakes = cJSON_AddObjectToObject(object, "mistakes");
    for (int side = 0; side < 2; side++) {
        cJSON *counts = cJSON_AddObjectToObject(mistakes, side == KV_WHITE ? "white" : "black");
        for (int fault = PUZZLE_NO_FAULT + 1; fault < PUZZLE_FAULT_COUNT; fault++)
            cJSON_AddNumberToObject(counts, puzzle_fault_word((enum puzzle_fault)fault),
                                    annotation->faults[side][fault]);
    }
    cJSON_AddNumberToObject(object, "nodes", (double)annotation->nodes);
    puzzle_json_line(out, object);
}
