/* The log of a scored game: a byte for the game and for the frame, then the log, whole or only its
 * lines, which then get the first line and the end line that fit. What is read is written and read
 * again as the same. */
#include <assert.h>
#include <string.h>

#include "scoring/record.h"
#include "scoring/report.h"
#include "scoring/setup.h"
#include "scoring/sheet.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_game(const struct kv_card_module *module, const struct kv_card *game)
{
    struct kv_buffer log = {0}, again = {0}, sheet = {0};
    struct kv_card *copy = NULL;
    kv_card_record_write(game, &log);
    int status = kv_card_record_read(module, (struct kv_span){log.data, log.length}, &copy, NULL);
    assert(status == KV_OK);
    kv_card_record_write(copy, &again);
    assert(log.length == again.length && memcmp(log.data, again.data, log.length) == 0);
    kv_buffer_clear(&log);
    kv_buffer_clear(&again);
    kv_card_report_json(game, &log);
    kv_card_report_json(copy, &again);
    assert(log.length == again.length && memcmp(log.data, again.data, log.length) == 0);
    status = kv_card_sheet_write(game, (struct kv_card_sheet_limits){3, 40}, &sheet);
    assert(status == KV_OK);
    status = kv_card_sheet_write_csv(game, &sheet);
    assert(status == KV_OK);
    kv_card_destroy(copy);
    kv_buffer_finish(&log);
    kv_buffer_finish(&again);
    kv_buffer_finish(&sheet);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    const struct kv_card_module *module = kv_card_modules[data[0] / 2 % 3];
    struct kv_buffer text = {0};
    bool whole = data[0] % 2;
    if (!whole)
        kv_buffer_format(&text, "# kvern %s 1\n", module->name);
    kv_buffer_add(&text, (const char *)data + 1, size - 1);
    if (!whole)
        kv_card_record_seal(&text);
    struct kv_card *game = NULL;
    struct kv_error error = {""};
    if (kv_card_record_read(module, (struct kv_span){text.data, text.length}, &game, &error) == KV_OK) {
        check_game(module, game);
        kv_card_destroy(game);
    } else {
        assert(!game && error.text[0] && !strchr(error.text, '\n'));
    }
    kv_buffer_finish(&text);
    return 0;
}
