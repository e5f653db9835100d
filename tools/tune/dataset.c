#include "tune/dataset.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/span.h"
#include "eval/evaluate.h"

enum tune_split tune_split_of(uint64_t key)
{
    uint64_t hash = kv_mix64(key ^ UINT64_C(0x6b7665726e)) % 10;
    return hash == 0 ? TUNE_TEST : hash == 1 ? TUNE_VALID : TUNE_TRAIN;
}

const char *tune_split_text(enum tune_split split)
{
    static const char *const names[] = {"train", "valid", "test"};
    return names[split];
}

static bool read_split(struct kv_span text, uint8_t *split)
{
    for (int i = 0; i < TUNE_SPLITS; i++)
        if (kv_span_is(text, tune_split_text((enum tune_split)i))) {
            *split = (uint8_t)i;
            return true;
        }
    return false;
}

static int read_row(const struct kv_rules *rules, struct kv_span line, struct tune_row *row,
                    struct kv_error *error)
{
    struct kv_position position;
    int64_t outcome, plies;
    int own[KV_FEATURES], other[KV_FEATURES];
    if (!read_split(kv_span_token(&line), &row->split))
        return kv_fail(error, KV_E_SYNTAX, "field 1: expected train, valid or test");
    if (kv_span_int(kv_span_token(&line), -1, 1, &outcome) != KV_OK)
        return kv_fail(error, KV_E_SYNTAX, "field 2: expected 1, 0 or -1");
    if (kv_span_int(kv_span_token(&line), -1, INT16_MAX, &plies) != KV_OK)
        return kv_fail(error, KV_E_SYNTAX, "field 3: expected a number of plies");
    int status = kv_position_read(rules, line.at, line.length, &position, error);
    if (status)
        return status;
    if (position.due)
        return kv_fail(error, KV_E_RANGE, "position: a capture is due");
    kv_features_of(rules, &position, position.side, own);
    kv_features_of(rules, &position, position.side ^ 1, other);
    for (int f = 0; f < KV_FEATURES; f++)
        row->counts[f] = (int8_t)(own[f] - other[f]);
    row->own = position.stones[position.side];
    row->other = position.stones[position.side ^ 1];
    row->hands[0] = position.hand[position.side];
    row->hands[1] = position.hand[position.side ^ 1];
    row->outcome = (int8_t)outcome;
    row->stones = (uint8_t)kv_popcount(position.stones[0] | position.stones[1]);
    row->phase = (int16_t)kv_phase(rules, &position);
    return KV_OK;
}

static bool reserve(struct tune_dataset *data)
{
    if (data->count < data->capacity)
        return true;
    size_t capacity = data->capacity ? data->capacity * 2 : 4096;
    struct tune_row *rows = realloc(data->rows, capacity * sizeof *rows);
    if (rows == NULL)
        return false;
    data->rows = rows;
    data->capacity = capacity;
    return true;
}

/* A comment that names another number of stones sets the rules, unless the command line does. */
static void read_comment(struct tune_dataset *data, const char *line, bool stones_given)
{
    const char *stones = strstr(line, " stones a side");
    size_t length = strlen(data->origin);
    snprintf(data->origin + length, sizeof data->origin - length, " *%.*s\n", (int)strcspn(line + 1, "\n"),
             line + 1);
    if (stones && stones > line && !stones_given && stones[-1] >= '3' && stones[-1] <= '9')
        data->rules.stones = (uint8_t)(stones[-1] - '0');
}

static enum tune_exit read_lines(struct tune_dataset *data, FILE *file, const char *path, bool stones_given)
{
    char line[512];
    struct kv_error error;
    for (long number = 1; fgets(line, sizeof line, file); number++) {
        if (atomic_load(&tune_stop))
            return TUNE_STOPPED;
        if (line[0] == '#') {
            read_comment(data, line, stones_given);
            continue;
        }
        if (!reserve(data))
            return tune_complain(TUNE_FAILED, "out of memory");
        struct tune_row *row = &data->rows[data->count];
        if (read_row(&data->rules, kv_span_trim(kv_span_of(line)), row, &error) != KV_OK)
            return tune_complain(TUNE_FAILED, "%s, line %ld: %s", path, number, error.text);
        data->splits[row->split]++;
        data->count++;
    }
    if (ferror(file))
        return tune_complain(TUNE_FAILED, "%s: %s", path, strerror(errno));
    if (data->count == 0)
        return tune_complain(TUNE_FAILED, "%s: no positions", path);
    return TUNE_OK;
}

enum tune_exit tune_dataset_read(struct tune_dataset *data, const char *path,
                                 const struct tune_options *options)
{
    *data = (struct tune_dataset){0};
    kv_rules_init(&data->rules, 0);
    if (options->stones)
        data->rules.stones = (uint8_t)options->stones;
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return tune_complain(TUNE_FAILED, "%s: %s", path, strerror(errno));
    enum tune_exit status = read_lines(data, file, path, options->stones != 0);
    fclose(file);
    return status;
}

void tune_dataset_finish(struct tune_dataset *data)
{
    free(data->rows);
    *data = (struct tune_dataset){0};
}
