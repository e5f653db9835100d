/* Game records: a byte for the rules of records that name none, then a text with any number of records. What
 * is read must be legal, and must be the same after writing and reading, in both forms; what is refused must
 * leave the record alone and name the place. */
#include "fuzz.h"
#include "record/record.h"

static void check_line(const struct kv_record *record, const struct kv_record_line *line,
                       struct kv_position position)
{
    for (size_t i = 0; i < line->count; i++) {
        const struct kv_record_move *move = &line->moves[i];
        char text[KV_MOVE_TEXT_MAX];
        kv_move again = 0;
        kv_move_write(&record->rules, move->move, text);
        assert(kv_move_read(&record->rules, &position, text, strlen(text), &again, NULL) == KV_OK);
        assert(again == move->move);
        for (size_t v = 0; v < move->variation_count; v++)
            check_line(record, &move->variations[v], position);
        kv_position_play(&record->rules, &position, move->move);
        fuzz_check_position(&record->rules, &position);
    }
}

static void check_form(const struct kv_record *record,
                       void (*write)(const struct kv_record *, struct kv_buffer *))
{
    struct kv_buffer first = {0}, second = {0};
    struct kv_record again;
    write(record, &first);
    struct kv_record_reader reader = {.text = first.data, .length = first.length};
    assert(!first.failed && kv_record_read(&reader, &again, NULL) == KV_OK);
    write(&again, &second);
    assert(first.length == second.length && memcmp(first.data, second.data, first.length) == 0);
    kv_record_finish(&again);
    kv_buffer_finish(&first);
    kv_buffer_finish(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    struct kv_rules rules;
    fuzz_rules(data[0], &rules);
    struct kv_record_reader reader = {.text = (const char *)data + 1, .length = size - 1, .rules = &rules};
    for (;;) {
        struct kv_record record, untouched;
        struct kv_error error = {""};
        memset(&record, 0x5a, sizeof record);
        untouched = record;
        size_t before = reader.at;
        int status = kv_record_read(&reader, &record, &error);
        if (status != KV_OK) {
            assert(memcmp(&record, &untouched, sizeof record) == 0);
            if (status == KV_E_NOT_FOUND)
                return 0;
            assert(strncmp(error.text, "line ", 5) == 0 && strstr(error.text, ", column "));
        } else {
            check_line(&record, &record.line, record.start);
            check_form(&record, kv_record_write_text);
            check_form(&record, kv_record_write_json);
            kv_record_finish(&record);
        }
        assert(reader.at > before);
    }
}
