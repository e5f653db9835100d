#include "puzzle/entry.h"

#include <string.h>

#include "puzzle/cli.h"

static const char *const opcodes[] = {"bm", "value", "dm", "id", "c0"};

bool puzzle_entry_is_blank(struct kv_span line)
{
    struct kv_span text = kv_span_trim(line);
    return text.length == 0 || text.at[0] == '#';
}

static void copy_text(char *to, size_t size, struct kv_span text)
{
    size_t length = text.length < size - 1 ? text.length : size - 1;
    while (length > 0 && length < text.length && ((unsigned char)text.at[length] & 0xc0) == 0x80)
        length--; /* not within a character */
    for (size_t i = 0; i < length; i++)
        to[i] = (unsigned char)text.at[i] < ' ' ? ' ' : text.at[i];
    to[length] = '\0';
}

/* ---- What both forms share ---------------------------------------------------------------------- */

static int read_expected(const struct kv_rules *rules, struct puzzle_entry *entry, struct kv_span token,
                         struct kv_error *error)
{
    struct kv_error cause;
    char shown[40];
    kv_move move;
    kv_span_show(token, shown, sizeof shown);
    int status = kv_move_read(rules, &entry->position, token.at, token.length, &move, &cause);
    if (status)
        return kv_fail(error, status, "bm '%s': %.180s", shown, cause.text);
    kv_move moves[KV_MOVES_MAX];
    int count = kv_moves(rules, &entry->position, moves), at = 0;
    while (at < count && moves[at] != move)
        at++;
    if (at == count)
        return kv_fail(error, KV_E_ILLEGAL, "bm '%s': the move takes a stone: say which", shown);
    if (entry->expected_count == PUZZLE_EXPECTED_MAX)
        return kv_fail(error, KV_E_FULL, "bm: more than %d moves", PUZZLE_EXPECTED_MAX);
    entry->expected[entry->expected_count++] = move;
    return KV_OK;
}

static int read_value(struct puzzle_entry *entry, struct kv_span word, struct kv_error *error)
{
    for (int value = -1; value <= 1; value++)
        if (kv_span_is_nocase(word, puzzle_outcome_text(value))) {
            entry->value = value;
            entry->has_value = true;
            return KV_OK;
        }
    char shown[40];
    return kv_fail(error, KV_E_SYNTAX, "value '%s': expected win, draw or loss",
                   kv_span_show(word, shown, sizeof shown));
}

static int read_plies(struct puzzle_entry *entry, struct kv_span word, struct kv_error *error)
{
    int64_t plies;
    char shown[40];
    if (kv_span_int(word, 0, 9999, &plies))
        return kv_fail(error, KV_E_SYNTAX, "dm '%s': expected a number of plies",
                       kv_span_show(word, shown, sizeof shown));
    entry->plies = (int)plies;
    return KV_OK;
}

static int read_position(const struct kv_rules *rules, struct kv_span text, struct puzzle_entry *entry,
                         struct kv_error *error)
{
    *entry = (struct puzzle_entry){.plies = -1};
    return puzzle_position_read(rules, text.at, text.length, &entry->position, error);
}

/* ---- The text form ------------------------------------------------------------------------------ */

static int opcode_of(struct kv_span word)
{
    for (int i = 0; i < (int)(sizeof opcodes / sizeof *opcodes); i++)
        if (kv_span_is(word, opcodes[i]))
            return i;
    return -1;
}

/* The text up to the next ';' outside quotes, which is cut off `rest`. */
static int next_operation(struct kv_span *rest, struct kv_span *operation, struct kv_error *error)
{
    bool quoted = false;
    size_t end = 0;
    for (; end < rest->length && (quoted || rest->at[end] != ';'); end++) {
        if (quoted && rest->at[end] == '\\' && end + 1 < rest->length)
            end++;
        else if (rest->at[end] == '"')
            quoted = !quoted;
    }
    if (quoted)
        return kv_fail(error, KV_E_SYNTAX, "a quotation mark is not closed");
    *operation = kv_span_trim((struct kv_span){rest->at, end});
    size_t used = end + (end < rest->length);
    *rest = (struct kv_span){rest->at + used, rest->length - used};
    return KV_OK;
}

/* "text" without its marks and with \" and \\ read; or the bare words. */
static void unquote(struct kv_span text, char *to, size_t size)
{
    if (text.length < 2 || text.at[0] != '"' || text.at[text.length - 1] != '"') {
        copy_text(to, size, text);
        return;
    }
    char plain[2 * PUZZLE_COMMENT_MAX];
    size_t length = 0;
    for (size_t i = 1; i + 1 < text.length && length < sizeof plain; i++) {
        if (text.at[i] == '\\' && i + 2 < text.length)
            i++;
        plain[length++] = text.at[i];
    }
    copy_text(to, size, (struct kv_span){plain, length});
}

static int read_operation(const struct kv_rules *rules, struct kv_span operation, struct puzzle_entry *entry,
                          struct kv_error *error)
{
    struct kv_span rest = operation, word = kv_span_token(&rest);
    char shown[40];
    rest = kv_span_trim(rest);
    int opcode = opcode_of(word), status = KV_OK;
    if (opcode < 0)
        return kv_fail(error, KV_E_SYNTAX, "unknown '%s': expected bm, value, dm, id or c0",
                       kv_span_show(word, shown, sizeof shown));
    if (rest.length == 0)
        return kv_fail(error, KV_E_SYNTAX, "nothing follows '%s'", opcodes[opcode]);
    switch (opcode) {
    case 0:
        while (status == KV_OK && (word = kv_span_token(&rest)).length > 0)
            status = read_expected(rules, entry, word, error);
        return status;
    case 1: return read_value(entry, rest, error);
    case 2: return read_plies(entry, rest, error);
    case 3: unquote(rest, entry->id, sizeof entry->id); return KV_OK;
    default: unquote(rest, entry->comment, sizeof entry->comment); return KV_OK;
    }
}

static int read_text(const struct kv_rules *rules, struct kv_span line, struct puzzle_entry *entry,
                     struct kv_error *error)
{
    /* The position ends before the first word that is an opcode, or at a ';'. */
    struct kv_span rest = line, word;
    size_t position_end = line.length, semicolon = 0;
    while (semicolon < line.length && line.at[semicolon] != ';')
        semicolon++;
    while ((word = kv_span_token(&rest)).length > 0)
        if (opcode_of(word) >= 0) {
            position_end = (size_t)(word.at - line.at);
            break;
        }
    if (semicolon < position_end)
        position_end = semicolon;
    int status = read_position(rules, kv_span_trim((struct kv_span){line.at, position_end}), entry, error);
    if (semicolon == position_end && semicolon < line.length)
        position_end++;
    rest = (struct kv_span){line.at + position_end, line.length - position_end};
    while (status == KV_OK && rest.length > 0) {
        struct kv_span operation;
        status = next_operation(&rest, &operation, error);
        if (status == KV_OK && operation.length > 0)
            status = read_operation(rules, operation, entry, error);
    }
    return status;
}

/* ---- The JSON form ------------------------------------------------------------------------------ */

static int read_json_fields(const struct kv_rules *rules, const cJSON *object, struct puzzle_entry *entry,
                            struct kv_error *error)
{
    const cJSON *fen = cJSON_GetObjectItemCaseSensitive(object, "fen");
    if (!cJSON_IsString(fen))
        return kv_fail(error, KV_E_SYNTAX, "the object has no text \"fen\"");
    int status = read_position(rules, kv_span_of(fen->valuestring), entry, error);
    const cJSON *item, *bm = cJSON_GetObjectItemCaseSensitive(object, "bm");
    if (status == KV_OK && cJSON_IsString(bm))
        status = read_expected(rules, entry, kv_span_of(bm->valuestring), error);
    else if (status == KV_OK && bm && !cJSON_IsArray(bm) && !cJSON_IsNull(bm))
        status = kv_fail(error, KV_E_SYNTAX, "\"bm\" is no list of moves");
    if (status == KV_OK && cJSON_IsArray(bm))
        cJSON_ArrayForEach(item, bm)
        {
            if (!cJSON_IsString(item))
                return kv_fail(error, KV_E_SYNTAX, "\"bm\" holds something that is no text");
            if ((status = read_expected(rules, entry, kv_span_of(item->valuestring), error)))
                return status;
        }
    const cJSON *value = cJSON_GetObjectItemCaseSensitive(object, "value");
    if (status == KV_OK && value && !cJSON_IsNull(value))
        status = cJSON_IsString(value) ? read_value(entry, kv_span_of(value->valuestring), error)
                                       : kv_fail(error, KV_E_SYNTAX, "\"value\" is no text");
    const cJSON *plies = cJSON_GetObjectItemCaseSensitive(object, "plies");
    if (status == KV_OK && cJSON_IsNumber(plies) && plies->valuedouble >= 0 && plies->valuedouble <= 9999)
        entry->plies = plies->valueint;
    else if (status == KV_OK && plies && !cJSON_IsNull(plies))
        status = kv_fail(error, KV_E_SYNTAX, "\"plies\" is no number of plies");
    const cJSON *id = cJSON_GetObjectItemCaseSensitive(object, "id");
    if (status == KV_OK && cJSON_IsString(id))
        copy_text(entry->id, sizeof entry->id, kv_span_of(id->valuestring));
    const cJSON *comment = cJSON_GetObjectItemCaseSensitive(object, "comment");
    if (status == KV_OK && cJSON_IsString(comment))
        copy_text(entry->comment, sizeof entry->comment, kv_span_of(comment->valuestring));
    return status;
}

static int read_json(const struct kv_rules *rules, struct kv_span line, struct puzzle_entry *entry,
                     struct kv_error *error)
{
    const char *end = NULL;
    cJSON *object = cJSON_ParseWithLengthOpts(line.at, line.length, &end, false);
    int status;
    if (object == NULL)
        status = kv_fail(error, KV_E_SYNTAX, "JSON that cannot be read, at byte %zu",
                         end ? (size_t)(end - line.at) + 1 : 1);
    else if (kv_span_trim((struct kv_span){end, line.length - (size_t)(end - line.at)}).length > 0)
        status = kv_fail(error, KV_E_SYNTAX, "something follows the JSON object, at byte %zu",
                         (size_t)(end - line.at) + 1);
    else
        status = read_json_fields(rules, object, entry, error);
    cJSON_Delete(object);
    return status;
}

int puzzle_entry_read(const struct kv_rules *rules, struct kv_span line, struct puzzle_entry *entry,
                      struct kv_error *error)
{
    struct puzzle_entry read;
    struct kv_span text = kv_span_trim(line);
    bool json = text.length > 0 && text.at[0] == '{';
    int status = json ? read_json(rules, text, &read, error) : read_text(rules, text, &read, error);
    if (status == KV_OK)
        *entry = read;
    return status;
}

/* ---- Writing ------------------------------------------------------------------------------------ */

static void write_quoted(struct kv_buffer *out, const char *opcode, const char *text)
{
    if (*text == '\0')
        return;
    kv_buffer_format(out, " %s \"", opcode);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            kv_buffer_text(out, "\\");
        kv_buffer_add(out, text, 1);
    }
    kv_buffer_text(out, "\";");
}

static void write_json(const struct kv_rules *rules, const struct puzzle_entry *entry, struct kv_buffer *out)
{
    cJSON *object = cJSON_CreateObject();
    puzzle_json_position(object, rules, &entry->position);
    if (entry->expected_count)
        cJSON_AddItemToObject(object, "bm", puzzle_json_moves(rules, entry->expected, entry->expected_count));
    if (entry->has_value)
        cJSON_AddStringToObject(object, "value", puzzle_outcome_text(entry->value));
    if (entry->plies >= 0)
        cJSON_AddNumberToObject(object, "plies", entry->plies);
    if (entry->id[0])
        cJSON_AddStringToObject(object, "id", entry->id);
    if (entry->comment[0])
        cJSON_AddStringToObject(object, "comment", entry->comment);
    puzzle_json_line(out, object);
}

void puzzle_entry_write(const struct kv_rules *rules, const struct puzzle_entry *entry, bool json,
                        struct kv_buffer *out)
{
    if (json) {
        write_json(rules, entry, out);
        return;
    }
    char text[KV_POSITION_TEXT_MAX], move[KV_MOVE_TEXT_MAX];
    kv_position_write(rules, &entry->position, text);
    kv_buffer_format(out, "%s", text);
    for (int i = 0; i < entry->expected_count; i++)
        kv_buffer_format(out, "%s%s", i ? " " : " bm ", kv_move_write(rules, entry->expected[i], move));
    kv_buffer_text(out, ";");
    if (entry->has_value)
        kv_buffer_format(out, " value %s;", puzzle_outcome_text(entry->value));
    if (entry->plies >= 0)
        kv_buffer_format(out, " dm %d;", entry->plies);
    write_quoted(out, "id", entry->id);
    write_quoted(out, "c0", entry->comment);
    kv_buffer_text(out, "\n");
}
