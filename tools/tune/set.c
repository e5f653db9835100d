#include "tune/set.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "board/movegen.h"
#include "tablebase/store.h"

/* ---- The directory ------------------------------------------------------------------------------ */

static bool add(struct tune_set *set, struct kv_subspace subspace)
{
    struct kv_subspace *grown = realloc(set->subspaces, ((size_t)set->count + 1) * sizeof *grown);
    if (grown == NULL)
        return false;
    set->subspaces = grown;
    set->subspaces[set->count++] = subspace;
    return true;
}

static enum tune_exit scan(struct tune_set *set, const char *path)
{
    DIR *directory = opendir(path);
    struct dirent *entry;
    bool has_rules = false, ok = true;
    if (directory == NULL)
        return tune_complain(TUNE_FAILED, "--tables %s: %s", path, strerror(errno));
    while (ok && (entry = readdir(directory)) != NULL) {
        enum kv_table_kind kind;
        struct kv_subspace subspace;
        if (!kv_table_parse_name(entry->d_name, &kind, &subspace) || kind != KV_TABLE_DISTANCES)
            continue;
        ok = add(set, subspace);
        has_rules = has_rules || kv_store_read_rules(path, entry->d_name, &set->rules);
    }
    closedir(directory);
    if (!ok)
        return tune_complain(TUNE_FAILED, "out of memory");
    if (!has_rules)
        return tune_complain(TUNE_FAILED, "--tables %s: no table of distances that can be read", path);
    qsort(set->subspaces, (size_t)set->count, sizeof *set->subspaces, kv_subspace_compare);
    return TUNE_OK;
}

/* The heads do not say how many stones a side has; the most that any table holds does. */
static int most_stones(const struct tune_set *set)
{
    int most = 3;
    for (int i = 0; i < set->count; i++) {
        int mover = set->subspaces[i].mover + set->subspaces[i].hand_mover;
        int other = set->subspaces[i].other + set->subspaces[i].hand_other;
        most = mover > most ? mover : most;
        most = other > most ? other : most;
    }
    return most;
}

static void note(void *user, const char *line)
{
    (void)user;
    tune_complain(TUNE_OK, "%s", line);
}

enum tune_exit tune_set_open(struct tune_set *set, const struct tune_options *options)
{
    struct kv_error error;
    memset(set, 0, sizeof *set);
    if (options->tables == NULL)
        return tune_complain(TUNE_USAGE, "%s: --tables DIR is missing", options->command);
    kv_rules_init(&set->rules, 0);
    enum tune_exit status = scan(set, options->tables);
    if (status != TUNE_OK)
        return status;
    set->rules.stones = (uint8_t)(options->stones ? options->stones : most_stones(set));
    if (kv_tablebase_create(&set->tables, &set->rules) != KV_OK)
        return tune_complain(TUNE_FAILED, "out of memory");
    if (kv_tablebase_open(set->tables, options->tables, (size_t)options->cache_mb, note, NULL, &error) < 0)
        return tune_complain(TUNE_FAILED, "--tables %s: %s", options->tables, error.text);
    return TUNE_OK;
}

void tune_set_close(struct tune_set *set)
{
    kv_tablebase_destroy(set->tables);
    free(set->subspaces);
    memset(set, 0, sizeof *set);
}

/* ---- Values ------------------------------------------------------------------------------------- */

bool tune_set_value(const struct tune_set *set, const struct kv_position *position, struct kv_value *value)
{
    enum kv_result result = kv_position_result(&set->rules, position, NULL);
    if (result == KV_ONGOING)
        return kv_tablebase_probe(set->tables, position, value) == KV_OK;
    bool white = result == KV_WHITE_WINS;
    int outcome = result == KV_DRAW ? 0 : white == (position->side == KV_WHITE) ? 1 : -1;
    *value = (struct kv_value){(int8_t)outcome, 0};
    return true;
}

bool tune_set_moves(const struct tune_set *set, const struct kv_position *position, struct tune_moves *moves)
{
    kv_move list[KV_MOVES_MAX];
    int count = kv_moves(&set->rules, position, list);
    moves->count = count;
    moves->best = -2;
    moves->worst = 2;
    for (int i = 0; i < count; i++) {
        struct kv_position next = *position;
        struct kv_value value;
        kv_position_play(&set->rules, &next, list[i]);
        if (!tune_set_value(set, &next, &value))
            return false;
        value.outcome = (int8_t)-value.outcome;
        value.plies += value.outcome && value.plies >= 0;
        moves->moves[i] = (struct tune_move){list[i], value};
        moves->best = value.outcome > moves->best ? value.outcome : moves->best;
        moves->worst = value.outcome < moves->worst ? value.outcome : moves->worst;
    }
    return true;
}

/* ---- Images ------------------------------------------------------------------------------------- */

uint64_t tune_canonical(const struct kv_rules *rules, const struct kv_position *position,
                        struct kv_position *image)
{
    const struct kv_board *board = kv_board_of(rules);
    int side = position->side;
    uint32_t best[2] = {UINT32_MAX, UINT32_MAX};
    for (int s = 0; s < board->symmetries; s++) {
        uint32_t own = kv_symmetry_set(board, s, position->stones[side]);
        if (own > best[0])
            continue;
        uint32_t other = kv_symmetry_set(board, s, position->stones[side ^ 1]);
        if (own < best[0] || other < best[1]) {
            best[0] = own;
            best[1] = other;
        }
    }
    *image = (struct kv_position){
        .stones = {best[0], best[1]},
        .hand = {position->hand[side], position->hand[side ^ 1]},
        .side = KV_WHITE,
    };
    return kv_position_plain_key(image);
}

static bool grow(struct tune_keys *keys)
{
    size_t capacity = keys->capacity ? keys->capacity * 2 : 1024;
    uint64_t *slots = calloc(capacity, sizeof *slots);
    if (slots == NULL)
        return false;
    for (size_t i = 0; i < keys->capacity; i++) {
        if (keys->slots[i] == 0)
            continue;
        size_t at = kv_mix64(keys->slots[i]) & (capacity - 1);
        while (slots[at])
            at = (at + 1) & (capacity - 1);
        slots[at] = keys->slots[i];
    }
    free(keys->slots);
    keys->slots = slots;
    keys->capacity = capacity;
    return true;
}

int tune_keys_add(struct tune_keys *keys, uint64_t key)
{
    if (keys->count * 2 >= keys->capacity && !grow(keys))
        return KV_E_MEMORY;
    size_t at = kv_mix64(key + 1) & (keys->capacity - 1);
    for (; keys->slots[at]; at = (at + 1) & (keys->capacity - 1))
        if (keys->slots[at] == key + 1)
            return 0;
    keys->slots[at] = key + 1;
    keys->count++;
    return 1;
}

void tune_keys_finish(struct tune_keys *keys)
{
    free(keys->slots);
    *keys = (struct tune_keys){0};
}
