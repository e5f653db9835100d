#include "kvern-match-opening.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/random.h"
#include "record/record.h"

/* ---- From a file ------------------------------------------------------------------------------- */

/* Where " moves " stands in the line; its length when it does not. */
static size_t find_moves(struct kv_span line)
{
    static const char word[] = " moves ";
    size_t length = sizeof word - 1;
    for (size_t i = 0; i + length <= line.length; i++)
        if (memcmp(line.at + i, word, length) == 0)
            return i;
    return line.length;
}

static int read_moves(const struct kv_rules *rules, const char *text, size_t length,
                      struct match_opening *opening, struct kv_error *error)
{
    /* The reader of records takes the moves, told by a tag where they begin. */
    char position[KV_POSITION_TEXT_MAX];
    struct kv_buffer record_text = {0};
    struct kv_record record;
    kv_position_write(rules, &opening->start, position);
    kv_buffer_format(&record_text, "[FEN \"%s\"]\n", position);
    kv_buffer_add(&record_text, text, length);
    int status = KV_E_MEMORY;
    if (!record_text.failed) {
        struct kv_record_reader reader = {record_text.data, record_text.length, rules, 0};
        status = kv_record_read(&reader, &record, error);
    }
    kv_buffer_finish(&record_text);
    if (status)
        return status;
    opening->count = record.line.count;
    opening->moves = calloc(record.line.count + 1, sizeof *opening->moves);
    for (size_t i = 0; i < record.line.count && opening->moves; i++)
        opening->moves[i] = record.line.moves[i].move;
    kv_record_finish(&record);
    return opening->moves ? KV_OK : KV_E_MEMORY;
}

static int read_opening(const struct kv_rules *rules, struct kv_span line, struct match_opening *opening,
                        struct kv_error *error)
{
    kv_position_start(rules, &opening->start);
    size_t split = 0;
    if (memchr(line.at, '*', line.length) || memchr(line.at, '/', line.length)) {
        split = find_moves(line);
        int status = kv_position_read(rules, line.at, split, &opening->start, error);
        if (status)
            return status;
        split += split < line.length ? strlen(" moves ") : 0;
    }
    return read_moves(rules, line.at + split, line.length - split, opening, error);
}

static int play(const struct kv_rules *rules, const struct match_opening *opening, struct kv_game *game)
{
    struct kv_game fresh = {0};
    int status = kv_game_init(&fresh, rules);
    if (!status)
        status = kv_game_set(&fresh, &opening->start);
    for (size_t i = 0; i < opening->count && !status; i++)
        status = kv_game_play(&fresh, opening->moves[i]);
    if (status)
        kv_game_finish(&fresh);
    else
        *game = fresh;
    return status;
}

static int add_opening(const struct match_config *config, struct match_openings *openings,
                       struct kv_span line, struct kv_error *error)
{
    struct match_opening *list = realloc(openings->list, (openings->count + 1) * sizeof *list);
    if (!list)
        return kv_fail(error, KV_E_MEMORY, "out of memory");
    openings->list = list;
    struct match_opening *opening = &list[openings->count];
    *opening = (struct match_opening){0};
    int status = read_opening(&config->rules, line, opening, error);
    if (status)
        return status;
    openings->count++;
    struct kv_game game;
    status = play(&config->rules, opening, &game);
    if (status)
        return kv_fail(error, status, "out of memory");
    bool over = kv_game_result(&game, NULL) != KV_ONGOING;
    kv_game_finish(&game);
    return over ? kv_fail(error, KV_E_ILLEGAL, "the game is over here") : KV_OK;
}

int match_openings_load(const struct match_config *config, struct match_openings *openings,
                        struct kv_error *error)
{
    *openings = (struct match_openings){0};
    if (!config->openings)
        return KV_OK;
    struct kv_buffer text = {0};
    int status = kv_file_read(config->openings, &text, NULL, error), number = 0;
    struct kv_span rest = {text.data, text.length};
    while (!status && rest.length > 0) {
        const char *end = memchr(rest.at, '\n', rest.length);
        size_t length = end ? (size_t)(end - rest.at) : rest.length;
        struct kv_span line = kv_span_trim((struct kv_span){rest.at, length});
        struct kv_error cause = {""};
        number++;
        if (line.length > 0 && line.at[0] != '#')
            status = add_opening(config, openings, line, &cause);
        if (status)
            kv_fail(error, status, "%.60s, line %d: %.170s", config->openings, number, cause.text);
        rest.at += length + (end != NULL);
        rest.length -= length + (end != NULL);
    }
    kv_buffer_finish(&text);
    if (!status && openings->count == 0)
        status = kv_fail(error, KV_E_NOT_FOUND, "%.200s has no openings", config->openings);
    if (status)
        match_openings_finish(openings);
    return status;
}

void match_openings_finish(struct match_openings *openings)
{
    for (size_t i = 0; i < openings->count; i++)
        free(openings->list[i].moves);
    free(openings->list);
    *openings = (struct match_openings){0};
}

/* ---- Random ------------------------------------------------------------------------------------ */

/* Plays random moves; false when the game ended or the table knows the winner. */
static bool try_random(const struct match_config *config, struct match_table *table, struct kv_random *random,
                       struct kv_game *game, int *status)
{
    for (int ply = 0; ply < config->random_plies; ply++) {
        kv_move moves[KV_MOVES_MAX];
        int count = kv_moves(&game->rules, &game->position, moves);
        if (count == 0)
            return false;
        *status = kv_game_play(game, moves[kv_random_below(random, (uint32_t)count)]);
        if (*status || kv_game_result(game, NULL) != KV_ONGOING)
            return false;
    }
    int outcome;
    return !match_table_probe(table, &game->position, &outcome) || outcome == 0;
}

static int set_random(const struct match_config *config, struct match_table *table, int round,
                      struct kv_game *game)
{
    struct kv_random random = {kv_mix64(config->seed) ^ kv_mix64((uint64_t)round + 1)};
    for (int attempt = 0; attempt < 10000; attempt++) {
        int status = kv_game_init(game, &config->rules);
        if (status)
            return status;
        if (try_random(config, table, &random, game, &status))
            return KV_OK;
        kv_game_finish(game);
        if (status)
            return status;
    }
    return KV_E_NOT_FOUND;
}

int match_opening_set(const struct match_config *config, const struct match_openings *openings,
                      struct match_table *table, int round, struct kv_game *game)
{
    if (openings->count > 0)
        return play(&config->rules, &openings->list[(size_t)round % openings->count], game);
    if (config->random_plies > 0)
        return set_random(config, table, round, game);
    return kv_game_init(game, &config->rules);
}
