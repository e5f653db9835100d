/* Move text: a byte for the rules, a line with a position text (a bad or empty one stands for the start
 * position), then move tokens, played as they come. A token is accepted exactly when it is a legal
 * move, or the beginning of one. */
#include "base/span.h"
#include "fuzz.h"

/* Is `next` the result of a legal move of `position`, or on the way to one? */
static int reachable(const struct kv_rules *rules, const struct kv_position *position,
                     const struct kv_position *next)
{
    kv_move moves[KV_MOVES_MAX];
    int count = kv_moves(rules, position, moves);
    for (int i = 0; i < count; i++) {
        struct kv_position result = *position;
        kv_position_play(rules, &result, moves[i]);
        if (kv_position_same(&result, next))
            return 1;
    }
    if (position->due > 0 || next->due == 0 || next->side != position->side)
        return 0;
    /* Captures were left out: making them must give results that are legal, all of them. */
    kv_move captures[KV_MOVES_MAX];
    int more = kv_moves(rules, next, captures);
    for (int i = 0; i < more; i++) {
        struct kv_position result = *next;
        kv_position_play(rules, &result, captures[i]);
        if (!reachable(rules, position, &result))
            return 0;
    }
    return more > 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    struct kv_rules rules;
    fuzz_rules(data[0], &rules);
    struct kv_span rest = {(const char *)data + 1, size - 1}, line = {rest.at, 0};
    while (line.length < rest.length && rest.at[line.length] != '\n')
        line.length++;
    rest.at += line.length;
    rest.length -= line.length;

    struct kv_position position;
    kv_position_start(&rules, &position);
    kv_position_read(&rules, line.at, line.length, &position, NULL);
    for (int ply = 0; ply < 64; ply++) {
        kv_move list[KV_MOVES_MAX];
        fuzz_check_moves(&rules, &position, list);
        struct kv_span token = kv_span_token(&rest);
        if (token.length == 0)
            break;
        kv_move move = 0x12345;
        struct kv_error error = {""};
        int status = kv_move_read(&rules, &position, token.at, token.length, &move, &error);
        if (status != KV_OK) {
            assert(move == 0x12345 && error.text[0] != '\0');
            continue;
        }
        struct kv_position next = position;
        kv_position_play(&rules, &next, move);
        fuzz_check_position(&rules, &next);
        assert(reachable(&rules, &position, &next));
        position = next;
    }
    return 0;
}
