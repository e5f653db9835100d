/* state: what a front end that knows no rules has to know, as one line of JSON. */
#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/bits.h"
#include "protocol/session.h"

/* cJSON makes an object's member and hangs it in; a member it has no memory for is simply missing,
 * so the number that were asked for is compared with the number that are there at the end. */
struct counted {
    cJSON *object;
    int wanted;
};

static void put(struct counted *into, const char *name, cJSON *value)
{
    into->wanted++;
    if (value && !cJSON_AddItemToObject(into->object, name, value))
        cJSON_Delete(value);
}

static void put_text(struct counted *into, const char *name, const char *text)
{
    put(into, name, cJSON_CreateString(text));
}

static void put_number(struct counted *into, const char *name, double number)
{
    put(into, name, cJSON_CreateNumber(number));
}

/* NULL, and the object is freed, when a member is missing. */
static cJSON *complete(struct counted *object)
{
    if (object->object && cJSON_GetArraySize(object->object) == object->wanted)
        return object->object;
    cJSON_Delete(object->object);
    return NULL;
}

static cJSON *describe_pair(int white, int black)
{
    struct counted pair = {cJSON_CreateObject(), 0};
    put_number(&pair, "white", white);
    put_number(&pair, "black", black);
    return complete(&pair);
}

static cJSON *describe_rules(const struct kv_rules *rules)
{
    struct counted object = {cJSON_CreateObject(), 0};
    for (int i = 0; i < kv_rule_count; i++) {
        const struct kv_rule *rule = &kv_rule_table[i];
        char text[24];
        int value = kv_rule_value(rules, rule);
        if (rule->kind == KV_RULE_BOOL)
            put(&object, rule->name, cJSON_CreateBool(value));
        else if (rule->kind == KV_RULE_NUMBER)
            put_number(&object, rule->name, value);
        else
            put_text(&object, rule->name, kv_rule_text(rules, rule, text));
    }
    return complete(&object);
}

/* Every point of the board and who stands there. */
static cJSON *describe_points(const struct kv_rules *rules, const struct kv_position *position)
{
    struct counted object = {cJSON_CreateObject(), 0};
    for (int p = 0; p < kv_point_count(rules); p++) {
        bool white = position->stones[KV_WHITE] >> p & 1, black = position->stones[KV_BLACK] >> p & 1;
        put(&object, kv_point_name(rules, (unsigned)p),
            white || black ? cJSON_CreateString(kv_side_name(black)) : cJSON_CreateNull());
    }
    return complete(&object);
}

static cJSON *point_or_null(const struct kv_rules *rules, unsigned point)
{
    return point == KV_NO_POINT ? cJSON_CreateNull() : cJSON_CreateString(kv_point_name(rules, point));
}

static cJSON *describe_move(const struct kv_rules *rules, kv_move move)
{
    char text[KV_MOVE_TEXT_MAX];
    unsigned taken[2] = {kv_move_capture(move), kv_move_second(move)};
    struct counted object = {cJSON_CreateObject(), 0};
    put_text(&object, "move", kv_move_write(rules, move, text));
    put(&object, "from", point_or_null(rules, kv_move_from(move)));
    put(&object, "to", point_or_null(rules, kv_move_to(move)));
    cJSON *captures = cJSON_CreateArray();
    for (int i = 0; i < 2 && captures && taken[i] != KV_NO_POINT; i++)
        if (!cJSON_AddItemToArray(captures, cJSON_CreateString(kv_point_name(rules, taken[i])))) {
            cJSON_Delete(captures);
            captures = NULL;
        }
    put(&object, "captures", captures);
    return complete(&object);
}

static cJSON *describe_moves(const struct kv_game *game)
{
    kv_move moves[KV_MOVES_MAX];
    int count = kv_game_moves(game, moves);
    cJSON *array = cJSON_CreateArray();
    for (int i = 0; i < count && array; i++) {
        cJSON *move = describe_move(&game->rules, moves[i]);
        if (!move || !cJSON_AddItemToArray(array, move)) {
            cJSON_Delete(move);
            cJSON_Delete(array);
            return NULL;
        }
    }
    return array;
}

static cJSON *describe_last(const struct kv_game *game)
{
    return game->count > 1 ? describe_move(&game->rules, game->moves[game->count - 2]) : cJSON_CreateNull();
}

static cJSON *describe(const struct kv_game *game)
{
    const struct kv_rules *rules = &game->rules;
    const struct kv_position *position = &game->position;
    char text[KV_POSITION_TEXT_MAX], key[24];
    enum kv_reason reason;
    enum kv_result result = kv_game_result(game, &reason);
    struct counted state = {cJSON_CreateObject(), 0};
    kv_position_write(rules, position, text);
    snprintf(key, sizeof key, "%016" PRIX64, kv_position_key(position));
    put_text(&state, "fen", text);
    put_text(&state, "variant", kv_variants[rules->variant].name);
    put(&state, "rules", describe_rules(rules));
    put_text(&state, "side", kv_side_name(position->side));
    put_text(&state, "phase", kv_position_phase(rules, position));
    put(&state, "hands", describe_pair(position->hand[KV_WHITE], position->hand[KV_BLACK]));
    put(&state, "counts",
        describe_pair(kv_popcount(position->stones[KV_WHITE]), kv_popcount(position->stones[KV_BLACK])));
    put_number(&state, "due", position->due);
    put(&state, "points", describe_points(rules, position));
    put(&state, "last", describe_last(game));
    put(&state, "moves", describe_moves(game));
    put_number(&state, "ply", position->ply);
    put_number(&state, "quiet", position->quiet);
    put_number(&state, "repetitions", kv_game_repetitions(game));
    put_text(&state, "key", key);
    put_text(&state, "result", kv_result_text(result));
    put_text(&state, "reason", kv_reason_text(reason));
    return complete(&state);
}

void kv_command_state(struct kv_protocol *protocol, struct kv_span words)
{
    (void)words;
    const struct kv_game *game = kv_answer_game(protocol, "state");
    if (!game)
        return;
    cJSON *state = describe(game);
    char *line = state ? cJSON_PrintUnformatted(state) : NULL;
    cJSON_Delete(state);
    if (line)
        kv_answer(protocol, "%s", line);
    else
        kv_answer_error(protocol, "state: %s", kv_status_text(KV_E_MEMORY));
    free(line);
}
