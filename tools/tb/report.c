/* kvern-tb stats, longest, sample and probe. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "base/random.h"
#include "board/movegen.h"
#include "tablebase/tablebase.h"
#include "tb.h"

/* ---- Positions -------------------------------------------------------------------------------- */

/* The position of a slot: white to move, or black where one stone fewer is in the other hand, as in
 * a game that white began. */
static struct kv_position position_of(const struct tb_set *set, struct kv_subspace subspace, uint64_t slot)
{
    struct kv_position position = {.side = subspace.hand_mover > subspace.hand_other};
    uint32_t movers, others;
    kv_index_position(&set->index, subspace.mover, subspace.other, slot, &movers, &others);
    position.stones[position.side] = movers;
    position.stones[position.side ^ 1] = others;
    position.hand[position.side] = subspace.hand_mover;
    position.hand[position.side ^ 1] = subspace.hand_other;
    int placed = 2 * set->rules.stones - subspace.hand_mover - subspace.hand_other;
    position.ply = (uint16_t)(placed + (placed & 1 ? position.side == KV_WHITE : position.side));
    return position;
}

static struct kv_tablebase *open_tables(const struct tb_options *options, const struct kv_rules *rules)
{
    struct kv_tablebase *tables;
    struct kv_error error;
    int status = kv_tablebase_create(&tables, rules);
    if (status == KV_OK)
        status = kv_tablebase_open(tables, options->path, 64, NULL, NULL, &error);
    else
        kv_fail(&error, status, "out of memory");
    if (status >= 0)
        return tables;
    fprintf(stderr, "kvern-tb: %s\n", error.text);
    return NULL;
}

static const char *value_text(int status, struct kv_value value, char text[32])
{
    static const char *const words[] = {"loss", "draw", "win"};
    if (status)
        snprintf(text, 32, "unknown");
    else if (value.outcome == 0 || value.plies < 0)
        snprintf(text, 32, "%s", words[value.outcome + 1]);
    else
        snprintf(text, 32, "%s in %d", words[value.outcome + 1], value.plies);
    return text;
}

/* ---- stats ------------------------------------------------------------------------------------ */

struct line {
    struct kv_table_head head;
    char name[KV_TABLE_NAME_MAX];
    uint64_t counts[3]; /* draws, losses, wins */
    int longest_win, longest_loss;
    uint64_t win_plies, loss_plies;
    char fen_win[KV_POSITION_TEXT_MAX], fen_loss[KV_POSITION_TEXT_MAX];
};

static bool read_line(const struct tb_set *set, struct kv_subspace subspace, struct line *line)
{
    struct kv_table table;
    struct kv_error error;
    memset(line, 0, sizeof *line);
    tb_subspace_text(line->name, subspace);
    if (kv_store_open(&set->store, KV_TABLE_DISTANCES, subspace, &table, &error) != KV_OK &&
        kv_store_open(&set->store, KV_TABLE_RESULTS, subspace, &table, &error) != KV_OK) {
        fprintf(stderr, "kvern-tb: %s: %s\n", line->name, error.text);
        return false;
    }
    line->head = table.head;
    kv_table_close(&table);
    line->longest_win = line->longest_loss = -1;
    for (int byte = 0; byte < 256; byte++) {
        uint64_t count = line->head.counts[byte];
        line->counts[byte == 0 ? 0 : byte & 1 ? 1 : 2] += count;
        if (byte == 0 || count == 0 || line->head.kind == KV_TABLE_RESULTS)
            continue;
        *(byte & 1 ? &line->longest_loss : &line->longest_win) = byte - 1;
        *(byte & 1 ? &line->loss_plies : &line->win_plies) += count * (uint64_t)(byte - 1);
    }
    struct kv_position position;
    if (line->head.longest_win < line->head.slots) {
        position = position_of(set, subspace, line->head.longest_win);
        kv_position_write(&set->rules, &position, line->fen_win);
    }
    if (line->head.longest_loss < line->head.slots) {
        position = position_of(set, subspace, line->head.longest_loss);
        kv_position_write(&set->rules, &position, line->fen_loss);
    }
    return true;
}

static const char *dash(int plies, char text[16])
{
    snprintf(text, 16, plies < 0 ? "-" : "%d", plies);
    return text;
}

static void print_row(const struct line *line, enum tb_format format)
{
    const char *row = format == TB_CSV ? "%s,%llu,%llu,%llu,%llu,%s,%s,%llu,%llu,%s,%s\n"
                                       : "%-9s %12llu %12llu %12llu %12llu %5s %5s %14llu %14llu\n";
    char win[16], loss[16];
    printf(row, line->name, (unsigned long long)line->head.positions, (unsigned long long)line->counts[2],
           (unsigned long long)line->counts[0], (unsigned long long)line->counts[1],
           dash(line->longest_win, win), dash(line->longest_loss, loss), (unsigned long long)line->win_plies,
           (unsigned long long)line->loss_plies, line->fen_win, line->fen_loss);
}

static void print_histogram(const struct line *line)
{
    printf("%s by plies:", line->name);
    for (int byte = 1; byte < 256; byte++)
        if (line->head.counts[byte])
            printf(" %d:%llu", byte - 1, (unsigned long long)line->head.counts[byte]);
    putchar('\n');
}

static void add_json(cJSON *rows, const struct line *line, bool histogram)
{
    cJSON *row = cJSON_CreateObject();
    cJSON_AddStringToObject(row, "subspace", line->name);
    cJSON_AddNumberToObject(row, "positions", (double)line->head.positions);
    cJSON_AddNumberToObject(row, "win", (double)line->counts[2]);
    cJSON_AddNumberToObject(row, "draw", (double)line->counts[0]);
    cJSON_AddNumberToObject(row, "loss", (double)line->counts[1]);
    if (line->longest_win >= 0) {
        cJSON_AddNumberToObject(row, "longest_win", line->longest_win);
        cJSON_AddStringToObject(row, "longest_win_position", line->fen_win);
    }
    if (line->longest_loss >= 0) {
        cJSON_AddNumberToObject(row, "longest_loss", line->longest_loss);
        cJSON_AddStringToObject(row, "longest_loss_position", line->fen_loss);
    }
    cJSON_AddNumberToObject(row, "sum_win_plies", (double)line->win_plies);
    cJSON_AddNumberToObject(row, "sum_loss_plies", (double)line->loss_plies);
    if (histogram) {
        cJSON *plies = cJSON_AddObjectToObject(row, "by_plies");
        for (int byte = 1; byte < 256; byte++) {
            char key[16];
            snprintf(key, sizeof key, "%d", byte - 1);
            if (line->head.counts[byte])
                cJSON_AddNumberToObject(plies, key, (double)line->head.counts[byte]);
        }
    }
    cJSON_AddItemToArray(rows, row);
}

/* The subspaces that the command's argument names: all of them without one. */
static bool wanted(const struct tb_options *options, struct kv_subspace subspace)
{
    char name[KV_TABLE_NAME_MAX];
    return options->argument_count == 0 ||
           strcmp(options->arguments[0], tb_subspace_text(name, subspace)) == 0;
}

enum tb_exit tb_stats(const struct tb_options *options)
{
    struct tb_set set;
    struct line line;
    enum tb_exit status = TB_OK;
    cJSON *rows = cJSON_CreateArray();
    if (!tb_set_open(&set, options)) {
        cJSON_Delete(rows);
        return TB_FAILED;
    }
    if (options->format == TB_CSV)
        puts("subspace,positions,win,draw,loss,longest_win,longest_loss,sum_win_plies,sum_loss_plies,"
             "longest_win_position,longest_loss_position");
    else if (options->format == TB_TEXT)
        printf("%-9s %12s %12s %12s %12s %5s %5s %14s %14s\n", "subspace", "positions", "win", "draw", "loss",
               "win", "loss", "sum of wins'", "of losses' plies");
    for (int i = 0; i < set.count; i++) {
        if (!wanted(options, set.subspaces[i]))
            continue;
        if (!read_line(&set, set.subspaces[i], &line))
            status = TB_FAILED;
        else if (options->format == TB_JSON)
            add_json(rows, &line, options->histogram);
        else {
            print_row(&line, options->format);
            if (options->histogram && options->format == TB_TEXT)
                print_histogram(&line);
        }
    }
    char *json = options->format == TB_JSON ? cJSON_Print(rows) : NULL;
    if (json)
        puts(json);
    cJSON_free(json);
    cJSON_Delete(rows);
    tb_set_close(&set);
    return status;
}

/* ---- longest ---------------------------------------------------------------------------------- */

/* The move that wins soonest or loses latest; KV_MOVE_NONE when a successor is not known. */
static kv_move best_move(struct kv_tablebase *tables, const struct kv_rules *rules,
                         const struct kv_position *position)
{
    kv_move moves[KV_MOVES_MAX], best = KV_MOVE_NONE;
    int count = kv_moves(rules, position, moves), best_score = -100000;
    for (int i = 0; i < count; i++) {
        struct kv_position next = *position;
        struct kv_value value = {-1, 0};
        kv_position_play(rules, &next, moves[i]);
        if (kv_position_result(rules, &next, NULL) == KV_ONGOING &&
            kv_tablebase_probe(tables, &next, &value) != KV_OK)
            return KV_MOVE_NONE;
        int score = value.outcome < 0 ? 10000 - value.plies : value.outcome > 0 ? value.plies - 10000 : 0;
        if (score > best_score) {
            best_score = score;
            best = moves[i];
        }
    }
    return best;
}

static void print_longest(struct kv_tablebase *tables, const struct tb_set *set, const struct line *line)
{
    struct kv_position position = position_of(set, line->head.subspace, line->head.longest_win);
    char text[KV_MOVE_TEXT_MAX];
    printf("%s: win in %d\n%s\n", line->name, line->longest_win, line->fen_win);
    for (int ply = 0; kv_position_result(&set->rules, &position, NULL) == KV_ONGOING; ply++) {
        kv_move move = best_move(tables, &set->rules, &position);
        printf("%s%s", ply ? " " : "", kv_move_write(&set->rules, move, text));
        if (move == KV_MOVE_NONE)
            break;
        kv_position_play(&set->rules, &position, move);
    }
    putchar('\n');
}

enum tb_exit tb_longest(const struct tb_options *options)
{
    struct tb_set set;
    struct line line;
    if (!tb_set_open(&set, options))
        return TB_FAILED;
    struct kv_tablebase *tables = open_tables(options, &set.rules);
    enum tb_exit status = tables ? TB_OK : TB_FAILED;
    for (int i = 0; tables && i < set.count; i++) {
        if (!wanted(options, set.subspaces[i]))
            continue;
        if (!read_line(&set, set.subspaces[i], &line))
            status = TB_FAILED;
        else if (line.longest_win >= 0)
            print_longest(tables, &set, &line);
    }
    kv_tablebase_destroy(tables);
    tb_set_close(&set);
    return status;
}

/* ---- sample and probe ------------------------------------------------------------------------- */

enum tb_exit tb_sample(const struct tb_options *options)
{
    struct tb_set set;
    struct kv_random random = {options->seed};
    char *end, text[32], fen[KV_POSITION_TEXT_MAX];
    long count = strtol(options->arguments[0], &end, 10);
    if (*end || count < 1) {
        fprintf(stderr, "kvern-tb: sample: '%s' is not a number of positions\n", options->arguments[0]);
        return TB_USAGE;
    }
    if (!tb_set_open(&set, options))
        return TB_FAILED;
    struct kv_tablebase *tables = open_tables(options, &set.rules);
    for (long i = 0; tables && i < count && !atomic_load(&tb_stop); i++) {
        struct kv_subspace subspace = set.subspaces[kv_random_below(&random, (uint32_t)set.count)];
        uint64_t slot = kv_random_next(&random) % kv_store_bytes(&set.store, subspace);
        struct kv_position position = position_of(&set, subspace, slot);
        struct kv_value value;
        int status = kv_tablebase_probe(tables, &position, &value);
        kv_position_write(&set.rules, &position, fen);
        printf("%s\t%s\n", fen, value_text(status, value, text));
    }
    enum tb_exit status = tables ? TB_OK : TB_FAILED;
    kv_tablebase_destroy(tables);
    tb_set_close(&set);
    return status;
}

static void print_moves(struct kv_tablebase *tables, const struct kv_rules *rules,
                        const struct kv_position *position)
{
    kv_move moves[KV_MOVES_MAX];
    char text[32], name[KV_MOVE_TEXT_MAX];
    int count = kv_moves(rules, position, moves);
    for (int i = 0; i < count; i++) {
        struct kv_position next = *position;
        struct kv_value value = {-1, 0};
        int status = KV_OK;
        kv_position_play(rules, &next, moves[i]);
        if (kv_position_result(rules, &next, NULL) == KV_ONGOING)
            status = kv_tablebase_probe(tables, &next, &value);
        value.outcome = (int8_t)-value.outcome;
        value.plies += value.outcome && value.plies >= 0;
        printf("%s\t%s\n", kv_move_write(rules, moves[i], name), value_text(status, value, text));
    }
}

enum tb_exit tb_probe(const struct tb_options *options)
{
    struct tb_set set;
    struct kv_position position;
    struct kv_error error;
    struct kv_value value = {0, 0};
    char text[32];
    if (!tb_set_open(&set, options))
        return TB_FAILED;
    const char *fen = options->arguments[0];
    enum tb_exit exit = TB_FAILED;
    struct kv_tablebase *tables = NULL;
    if (kv_position_read(&set.rules, fen, strlen(fen), &position, &error) != KV_OK) {
        fprintf(stderr, "kvern-tb: position: %s\n", error.text);
        exit = TB_USAGE;
    } else if ((tables = open_tables(options, &set.rules)) != NULL) {
        int status = kv_tablebase_probe(tables, &position, &value);
        printf("value\t%s\n", value_text(status, value, text));
        print_moves(tables, &set.rules, &position);
        exit = status == KV_OK ? TB_OK : TB_FAILED;
    }
    kv_tablebase_destroy(tables);
    tb_set_close(&set);
    return exit;
}
