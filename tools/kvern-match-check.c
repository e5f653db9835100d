/* A whole configuration: what was left out, what does not fit, who meets whom. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kvern-match-config.h"

/* A program given by a path is meant from here, not from the directory it will run in. */
static int find_program(struct match_player *player, struct kv_error *error)
{
    if (!strchr(player->words[0], '/'))
        return KV_OK;
    char *full = realpath(player->words[0], NULL);
    if (!full)
        return kv_fail(error, KV_E_NOT_FOUND, "there is no program %.200s", player->words[0]);
    free(player->words[0]);
    player->words[0] = full;
    return KV_OK;
}

static int check_player(struct match_config *config, int number, struct kv_error *error)
{
    struct match_player *player = &config->players[number];
    int status = config->each ? match_player_read(config->each, player, error) : KV_OK;
    if (!status)
        status = match_player_read(config->descriptions[number], player, error);
    if (status)
        return status;
    if (player->word_count == 0)
        return kv_fail(error, KV_E_SYNTAX, "player %d has no command: cmd=PROGRAM", number + 1);
    if (!player->name) {
        const char *slash = strrchr(player->words[0], '/');
        player->name = strdup(slash ? slash + 1 : player->words[0]);
        if (!player->name)
            return kv_fail(error, KV_E_MEMORY, "out of memory");
    }
    for (int i = 0; i < number; i++)
        if (strcmp(config->players[i].name, player->name) == 0)
            return kv_fail(error, KV_E_SYNTAX,
                           "two players are called '%.100s': give names with name=", player->name);
    const struct match_time *time = &player->time;
    if (!time->base_ns && !time->movetime_ns && !time->nodes && !time->depth)
        return kv_fail(error, KV_E_SYNTAX,
                       "%.100s has no limit: give tc=, movetime=, nodes= or depth=", player->name);
    return find_program(player, error);
}

int match_config_check(struct match_config *config, struct kv_error *error)
{
    if (config->player_count < 2)
        return kv_fail(error, KV_E_SYNTAX, "a match needs two players: --engine twice");
    if (config->sprt.on && config->player_count != 2)
        return kv_fail(error, KV_E_SYNTAX, "--sprt is for two players");
    if (config->openings && config->random_plies)
        return kv_fail(error, KV_E_SYNTAX, "either --openings or --random-plies");
    if ((int64_t)config->rounds * match_pairings(config) > INT_MAX / 4)
        return kv_fail(error, KV_E_RANGE, "too many games");
    int status = KV_OK;
    for (int i = 0; i < config->player_count && !status; i++)
        status = check_player(config, i, error);
    return status;
}

int match_pairings(const struct match_config *config)
{
    int n = config->player_count;
    return config->mode == MATCH_GAUNTLET ? n - 1 : n * (n - 1) / 2;
}

void match_pairing(const struct match_config *config, int pairing, int players[2])
{
    int first = 0, in_row = config->player_count - 1;
    while (pairing >= in_row) {
        pairing -= in_row--;
        first++;
    }
    players[0] = first;
    players[1] = first + 1 + pairing;
}
