#include "scoring/report.h"

#include <stdlib.h>
#include <string.h>

#include "scoring/names.h"
#include "scoring/setup.h"

static void write_member(const struct kv_card_side *side, size_t member, const char *key,
                         struct kv_buffer *out)
{
    if (side->member_count == 0)
        return;
    kv_buffer_text(out, key);
    kv_card_name_write(out, side->members[member], false);
}

static void write_last(const struct kv_card *game, struct kv_buffer *out)
{
    const struct kv_card_log *log = &game->play.log;
    if (log->count == 0)
        return;
    const struct kv_card_entry *entry = &log->entries[log->count - 1];
    struct kv_card_standing standing = {0};
    game->module->standing(game->play.state, entry->side, &standing);
    kv_buffer_text(out, " side=");
    kv_card_name_write(out, game->setup->sides[entry->side].name, false);
    write_member(&game->setup->sides[entry->side], entry->member, " by=", out);
    kv_buffer_format(out, " points=%lld", (long long)entry->points);
    if (game->module->tally)
        kv_buffer_format(out, " %s=%lld", game->module->tally, (long long)entry->total);
    kv_buffer_format(out, " total=%lld", (long long)standing.total);
}

int kv_card_report_status(const struct kv_card *game, struct kv_buffer *out)
{
    struct kv_card_turn turn = {0};
    game->module->turn(game->play.state, &turn);
    kv_buffer_format(out, " entries=%zu", game->play.log.count);
    write_last(game, out);
    if (!turn.over) {
        kv_buffer_text(out, " turn=");
        kv_card_name_write(out, game->setup->sides[turn.side].name, false);
        write_member(&game->setup->sides[turn.side], turn.member, " member=", out);
        if (turn.shots >= 0)
            kv_buffer_format(out, " shots=%lld", (long long)turn.shots);
        kv_buffer_text(out, " status=playing");
        return KV_OK;
    }
    size_t sides = game->setup->side_count, *places = malloc(sides * sizeof *places);
    if (!places)
        return KV_E_MEMORY;
    int status = kv_card_rank(game, places);
    const char *before = " winner=";
    kv_buffer_text(out, " status=over");
    for (size_t side = 0; status == KV_OK && side < sides; side++) {
        if (places[side] != 1)
            continue;
        kv_buffer_text(out, before);
        kv_card_name_write(out, game->setup->sides[side].name, false);
        before = ",";
    }
    free(places);
    return status;
}

int kv_card_report_entries(const struct kv_card *game, size_t count, struct kv_buffer *out)
{
    const struct kv_card_log *log = &game->play.log;
    for (size_t i = count < log->count ? log->count - count : 0; i < log->count; i++) {
        const struct kv_card_side *side = &game->setup->sides[log->entries[i].side];
        struct kv_span line = kv_card_log_line(log, i);
        kv_buffer_format(out, "entry %zu ", i + 1);
        kv_card_name_write(out, side->name, false);
        write_member(side, log->entries[i].member, " by=", out);
        kv_buffer_text(out, " ");
        kv_buffer_add(out, line.at, line.length);
        kv_buffer_text(out, "\n");
    }
    return KV_OK;
}

struct tally {
    size_t throws, misses;
    int64_t sum, best;
};

int kv_card_report_stats(const struct kv_card *game, struct kv_buffer *out)
{
    size_t sides = game->setup->side_count;
    struct tally *tallies = calloc(sides, sizeof *tallies);
    if (!tallies)
        return KV_E_MEMORY;
    for (size_t i = 0; i < game->play.log.count; i++) {
        const struct kv_card_entry *entry = &game->play.log.entries[i];
        struct tally *tally = &tallies[entry->side];
        tally->throws++;
        tally->misses += entry->miss;
        tally->sum += entry->points;
        if (entry->points > tally->best)
            tally->best = entry->points;
    }
    for (size_t side = 0; side < sides; side++) {
        const struct tally *tally = &tallies[side];
        kv_buffer_text(out, "stats side=");
        kv_card_name_write(out, game->setup->sides[side].name, false);
        kv_buffer_format(out, " throws=%zu average=%.2f best=%lld misses=%zu\n", tally->throws,
                         tally->throws ? (double)tally->sum / (double)tally->throws : 0.0,
                         (long long)tally->best, tally->misses);
    }
    free(tallies);
    return KV_OK;
}

static bool add(cJSON *array, cJSON *item)
{
    return item && cJSON_AddItemToArray(array, item);
}

static bool add_number(cJSON *object, const char *key, int64_t value)
{
    return cJSON_AddNumberToObject(object, key, (double)value);
}

static bool json_options(const struct kv_card_setup *setup, cJSON *root)
{
    cJSON *options = cJSON_AddObjectToObject(root, "options");
    bool ok = options != NULL;
    for (int i = 0; ok && setup->module->options[i].name; i++) {
        const struct kv_card_option *option = &setup->module->options[i];
        struct kv_buffer text = {0};
        kv_card_option_write(option, setup->options[i], &text);
        if (option->choices)
            ok = !text.failed && cJSON_AddStringToObject(options, option->name, text.data);
        else
            ok = add_number(options, option->name, setup->options[i]);
        kv_buffer_finish(&text);
    }
    return ok;
}

static bool json_side(const struct kv_card *game, size_t index, size_t place, cJSON *sides)
{
    const struct kv_card_side *side = &game->setup->sides[index];
    struct kv_card_standing standing = {0};
    game->module->standing(game->play.state, index, &standing);
    cJSON *object = cJSON_CreateObject();
    if (!add(sides, object))
        return false;
    bool ok = cJSON_AddStringToObject(object, "name", side->name) &&
              add_number(object, "total", standing.total) && add_number(object, "place", (int64_t)place);
    cJSON *members = ok && side->member_count ? cJSON_AddArrayToObject(object, "members") : NULL;
    for (size_t i = 0; ok && i < side->member_count; i++)
        ok = members && add(members, cJSON_CreateString(side->members[i]));
    return ok && game->module->json_side(game->play.state, index, object);
}

static bool json_sides(const struct kv_card *game, bool over, cJSON *root)
{
    size_t sides = game->setup->side_count, *places = malloc(sides * sizeof *places);
    bool ok = places && kv_card_rank(game, places) == KV_OK;
    cJSON *array = cJSON_AddArrayToObject(root, "sides");
    ok = ok && array;
    for (size_t side = 0; ok && side < sides; side++)
        ok = json_side(game, side, places[side], array);
    cJSON *winners = over ? cJSON_AddArrayToObject(root, "winner") : NULL;
    for (size_t side = 0; ok && over && side < sides; side++)
        if (places[side] == 1)
            ok = winners && add(winners, cJSON_CreateString(game->setup->sides[side].name));
    free(places);
    return ok;
}

static bool json_turn(const struct kv_card *game, const struct kv_card_turn *turn, cJSON *root)
{
    if (!cJSON_AddStringToObject(root, "status", turn->over ? "over" : "playing"))
        return false;
    if (turn->over)
        return true;
    const struct kv_card_side *side = &game->setup->sides[turn->side];
    return cJSON_AddStringToObject(root, "turn", side->name) &&
           (side->member_count == 0 ||
            cJSON_AddStringToObject(root, "member", side->members[turn->member])) &&
           (turn->shots < 0 || add_number(root, "shots", turn->shots));
}

static bool json_entry(const struct kv_card *game, size_t index, cJSON *array)
{
    const struct kv_card_entry *entry = &game->play.log.entries[index];
    const struct kv_card_side *side = &game->setup->sides[entry->side];
    struct kv_span line = kv_card_log_line(&game->play.log, index);
    cJSON *object = cJSON_CreateObject();
    char *input = strndup(line.at, line.length);
    bool ok =
        add(array, object) && input && cJSON_AddStringToObject(object, "input", input) &&
        cJSON_AddStringToObject(object, "side", side->name) &&
        (side->member_count == 0 ||
         cJSON_AddStringToObject(object, "member", side->members[entry->member])) &&
        (!game->module->section || add_number(object, game->module->section, (int64_t)entry->section + 1)) &&
        add_number(object, "points", entry->points) &&
        add_number(object, game->module->tally ? game->module->tally : "total", entry->total);
    free(input);
    return ok;
}

int kv_card_report_json(const struct kv_card *game, struct kv_buffer *out)
{
    struct kv_card_turn turn = {0};
    game->module->turn(game->play.state, &turn);
    cJSON *root = cJSON_CreateObject();
    bool ok = root && cJSON_AddStringToObject(root, "game", game->module->name) &&
              json_options(game->setup, root) && json_turn(game, &turn, root) &&
              json_sides(game, turn.over, root) && game->module->json(game->play.state, root);
    cJSON *entries = ok ? cJSON_AddArrayToObject(root, "entries") : NULL;
    ok = entries != NULL;
    for (size_t i = 0; ok && i < game->play.log.count; i++)
        ok = json_entry(game, i, entries);
    char *text = ok ? cJSON_PrintUnformatted(root) : NULL;
    cJSON_Delete(root);
    if (!text)
        return KV_E_MEMORY;
    kv_buffer_text(out, text);
    kv_buffer_text(out, "\n");
    cJSON_free(text);
    return KV_OK;
}
