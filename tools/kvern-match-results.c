#include "kvern-match-results.h"

#include <cjson/cJSON.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/random.h"

/* ---- In memory --------------------------------------------------------------------------------- */

int match_results_init(struct match_results *results, int pairings, int rounds)
{
    *results = (struct match_results){.pairings = pairings};
    return match_results_extend(results, rounds);
}

void match_results_finish(struct match_results *results)
{
    free(results->games);
    *results = (struct match_results){0};
}

int match_results_extend(struct match_results *results, int rounds)
{
    int count = 2 * results->pairings * rounds;
    if (count <= results->count)
        return KV_OK;
    struct match_game *games = realloc(results->games, (size_t)count * sizeof *games);
    if (!games)
        return KV_E_MEMORY;
    memset(games + results->count, 0, (size_t)(count - results->count) * sizeof *games);
    results->games = games;
    results->count = count;
    return KV_OK;
}

/* Half points of the pairing's first player. */
static int half_points(const struct match_results *results, int number)
{
    enum kv_result result = results->games[number].result;
    bool white = number % 2 == 0;
    if (result == KV_DRAW)
        return 1;
    return (result == KV_WHITE_WINS) == white ? 2 : 0;
}

void match_results_tally(const struct match_results *results, int pairing, struct match_tally *tally)
{
    for (int pair = pairing; 2 * pair < results->count; pair += results->pairings) {
        int sum = 0, done = 0;
        for (int number = 2 * pair; number < 2 * pair + 2; number++) {
            if (!results->games[number].done)
                continue;
            int points = half_points(results, number);
            tally->losses += points == 0;
            tally->draws += points == 1;
            tally->wins += points == 2;
            sum += points;
            done++;
        }
        if (done == 2)
            tally->pairs[sum]++;
    }
}

/* ---- The header -------------------------------------------------------------------------------- */

static uint64_t checksum(const struct kv_buffer *text)
{
    uint64_t sum = text->length;
    for (size_t i = 0; i < text->length; i++)
        sum = kv_mix64(sum ^ (unsigned char)text->data[i]) + i;
    return sum;
}

static void describe_player(const struct match_player *player, struct kv_buffer *out)
{
    char time[128];
    match_time_text(&player->time, time, sizeof time);
    kv_buffer_format(out, "player %s: %s%s%s%s%s", player->name, time, player->ugi ? " ugi" : "",
                     player->split ? " split" : "", player->one_line ? " one-line" : "",
                     player->words_ok ? " words" : "");
    for (int i = 0; i < player->option_count; i++)
        kv_buffer_format(out, " %s=%s", player->options[i][0], player->options[i][1]);
    kv_buffer_text(out, "; ");
}

static int describe(const struct match_config *config, struct kv_buffer *out, struct kv_error *error)
{
    char value[24];
    for (int i = 0; i < config->player_count; i++)
        describe_player(&config->players[i], out);
    kv_buffer_format(out, "%s; %s", config->mode == MATCH_GAUNTLET ? "gauntlet" : "round robin",
                     kv_variants[config->rules.variant].name);
    for (int i = 0; i < kv_rule_count; i++)
        kv_buffer_format(out, " %s=%s", kv_rule_table[i].name,
                         kv_rule_text(&config->rules, &kv_rule_table[i], value));
    kv_buffer_format(out,
                     "; margin %lld ms; at most %d plies; draw %d %d %d; resign %d %d; table %d; random %d",
                     (long long)(config->margin_ns / 1000000), config->max_plies, config->draw_moves,
                     config->draw_from, config->draw_score, config->resign_moves, config->resign_score,
                     config->use_table, config->random_plies);
    if (config->openings) {
        struct kv_buffer text = {0};
        int status = kv_file_read(config->openings, &text, NULL, error);
        if (status)
            return status;
        kv_buffer_format(out, "; openings %016llx", (unsigned long long)checksum(&text));
        kv_buffer_finish(&text);
    }
    return out->failed ? kv_fail(error, KV_E_MEMORY, "out of memory") : KV_OK;
}

int match_header_make(const struct match_config *config, struct match_header *header, struct kv_error *error)
{
    struct kv_buffer settings = {0};
    struct match_header fresh = {.mode = config->mode, .seed = config->seed, .rounds = config->rounds};
    int status = describe(config, &settings, error);
    if (status) {
        kv_buffer_finish(&settings);
        return status;
    }
    fresh.settings = settings.data;
    for (int i = 0; i < config->player_count && !status; i++) {
        fresh.names[i] = strdup(config->players[i].name);
        if (!fresh.names[i])
            status = kv_fail(error, KV_E_MEMORY, "out of memory");
        else
            fresh.name_count++;
    }
    if (status)
        match_header_finish(&fresh);
    else
        *header = fresh;
    return status;
}

void match_header_finish(struct match_header *header)
{
    free(header->settings);
    for (int i = 0; i < header->name_count; i++)
        free(header->names[i]);
    *header = (struct match_header){0};
}

void match_json_line(cJSON *root, struct kv_buffer *out)
{
    char *text = root ? cJSON_PrintUnformatted(root) : NULL;
    if (text) {
        kv_buffer_text(out, text);
        kv_buffer_text(out, "\n");
    } else
        out->failed = true;
    cJSON_free(text);
    cJSON_Delete(root);
}

void match_header_write(const struct match_header *header, struct kv_buffer *out)
{
    char seed[24];
    cJSON *root = cJSON_CreateObject(), *names = cJSON_AddArrayToObject(root, "players");
    struct kv_buffer number = {0};
    kv_buffer_format(&number, "%llu", (unsigned long long)header->seed);
    kv_span_show((struct kv_span){number.data, number.length}, seed, sizeof seed);
    kv_buffer_finish(&number);
    for (int i = 0; i < header->name_count; i++)
        cJSON_AddItemToArray(names, cJSON_CreateString(header->names[i]));
    cJSON_AddNumberToObject(root, "kvern-match", 1);
    cJSON_AddStringToObject(root, "mode", header->mode == MATCH_GAUNTLET ? "gauntlet" : "round-robin");
    cJSON_AddStringToObject(root, "seed", seed);
    cJSON_AddNumberToObject(root, "rounds", header->rounds);
    cJSON_AddStringToObject(root, "settings", header->settings);
    match_json_line(root, out);
}

static int load_header(const cJSON *root, struct match_header *header, struct kv_error *error)
{
    const cJSON *version = cJSON_GetObjectItemCaseSensitive(root, "kvern-match");
    const cJSON *mode = cJSON_GetObjectItemCaseSensitive(root, "mode");
    const cJSON *seed = cJSON_GetObjectItemCaseSensitive(root, "seed");
    const cJSON *rounds = cJSON_GetObjectItemCaseSensitive(root, "rounds");
    const cJSON *settings = cJSON_GetObjectItemCaseSensitive(root, "settings");
    const cJSON *players = cJSON_GetObjectItemCaseSensitive(root, "players"), *name;
    int count = cJSON_IsArray(players) ? cJSON_GetArraySize(players) : 0;
    if (!cJSON_IsNumber(version) || version->valueint != 1 || !cJSON_IsString(mode) ||
        !cJSON_IsString(seed) || !cJSON_IsNumber(rounds) ||
        !(rounds->valuedouble >= 1 && rounds->valuedouble <= INT_MAX / 16384) || !cJSON_IsString(settings) ||
        count < 2 || count > MATCH_ENGINES_MAX)
        return kv_fail(error, KV_E_DAMAGED, "the first line does not describe a match");
    header->mode = strcmp(mode->valuestring, "gauntlet") == 0 ? MATCH_GAUNTLET : MATCH_ROUND_ROBIN;
    header->seed = strtoull(seed->valuestring, NULL, 10);
    header->rounds = rounds->valueint;
    header->settings = strdup(settings->valuestring);
    cJSON_ArrayForEach(name, players)
    {
        header->names[header->name_count] = cJSON_IsString(name) ? strdup(name->valuestring) : NULL;
        if (header->names[header->name_count])
            header->name_count++;
    }
    if (!header->settings || header->name_count != count)
        return kv_fail(error, KV_E_DAMAGED, "the first line names no players");
    return KV_OK;
}

/* ---- The file ---------------------------------------------------------------------------------- */

static int load_game(struct match_results *results, const struct kv_record *record, struct kv_error *error)
{
    const char *number_tag = kv_record_tag(record, "Game"),
               *ending_tag = kv_record_tag(record, "Termination");
    int64_t number = 0;
    if (!number_tag || kv_span_int(kv_span_of(number_tag), 1, results->count, &number) != KV_OK)
        return kv_fail(error, KV_E_DAMAGED, "a game without a number from 1 to %d", results->count);
    enum match_ending ending = ending_tag ? match_ending_find(ending_tag) : MATCH_ENDINGS;
    if (ending == MATCH_ENDINGS || record->result == KV_ONGOING)
        return kv_fail(error, KV_E_DAMAGED, "game %d has no result", (int)number);
    struct match_game *game = &results->games[number - 1];
    if (game->done)
        return kv_fail(error, KV_E_DAMAGED, "game %d is there twice", (int)number);
    *game = (struct match_game){.done = true, .result = (uint8_t)record->result, .ending = (uint8_t)ending};
    return KV_OK;
}

static int load_games(struct kv_span text, size_t at, struct match_results *results,
                      void (*each)(void *user, const struct kv_record *record), void *user,
                      struct kv_error *error)
{
    struct kv_record_reader reader = {.text = text.at, .length = text.length, .at = at};
    struct kv_record record;
    int status;
    while ((status = kv_record_read(&reader, &record, error)) == KV_OK) {
        status = load_game(results, &record, error);
        if (!status && each)
            each(user, &record);
        kv_record_finish(&record);
        if (status)
            return status;
    }
    return status == KV_E_NOT_FOUND ? KV_OK : status == KV_E_MEMORY ? status : KV_E_DAMAGED;
}

int match_state_read(const char *path, struct match_header *header, struct match_results *results,
                     size_t *whole, void (*each)(void *user, const struct kv_record *record), void *user,
                     struct kv_error *error)
{
    struct kv_buffer text = {0};
    struct match_header read = {0};
    struct match_results games = {0};
    struct kv_error cause = {""};
    int status = kv_file_read(path, &text, NULL, error);
    while (text.length > 0 && text.data[text.length - 1] != '\n')
        text.length--;
    if (!status && text.length == 0)
        status = kv_fail(error, KV_E_NOT_FOUND, "%.200s is empty", path);
    if (status)
        goto done;
    size_t first = (size_t)((char *)memchr(text.data, '\n', text.length) - text.data) + 1;
    cJSON *root = cJSON_ParseWithLength(text.data, first);
    status = load_header(root, &read, &cause);
    cJSON_Delete(root);
    int n = read.name_count;
    if (!status)
        status =
            match_results_init(&games, read.mode == MATCH_GAUNTLET ? n - 1 : n * (n - 1) / 2, read.rounds);
    if (!status)
        status = load_games((struct kv_span){text.data, text.length}, first, &games, each, user, &cause);
    if (status)
        kv_fail(error, status, "%.100s: %.150s", path, cause.text);
done:
    if (!status) {
        *whole = text.length;
        *header = read;
        *results = games;
    } else {
        match_header_finish(&read);
        match_results_finish(&games);
    }
    kv_buffer_finish(&text);
    return status;
}
