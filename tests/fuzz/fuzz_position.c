/* Position text: a byte for the rules, then the text. What is read must be written and read again as
 * the same; what is refused must leave the position alone and name the cause. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    struct kv_rules rules;
    fuzz_rules(data[0], &rules);
    struct kv_position position, untouched;
    memset(&position, 0x5a, sizeof position);
    untouched = position;
    struct kv_error error = {""};
    int status = kv_position_read(&rules, (const char *)data + 1, size - 1, &position, &error);
    if (status != KV_OK) {
        assert(memcmp(&position, &untouched, sizeof position) == 0);
        assert(error.text[0] != '\0');
        return 0;
    }
    fuzz_check_position(&rules, &position);

    char text[KV_POSITION_TEXT_MAX], again[KV_POSITION_TEXT_MAX];
    size_t length = kv_position_write(&rules, &position, text);
    assert(length == strlen(text) && length < sizeof text);
    struct kv_position reread;
    assert(kv_position_read(&rules, text, length, &reread, NULL) == KV_OK);
    assert(kv_position_same(&position, &reread) && position.quiet == reread.quiet);
    kv_position_write(&rules, &reread, again);
    assert(strcmp(text, again) == 0);

    kv_move moves[KV_MOVES_MAX];
    int count = fuzz_check_moves(&rules, &position, moves);
    enum kv_reason reason;
    if (kv_position_result(&rules, &position, &reason) != KV_ONGOING)
        assert(reason != KV_NO_REASON && (count == 0 || reason == KV_NO_CAPTURE));
    else
        assert(count > 0 || position.due > 0);
    return 0;
}
