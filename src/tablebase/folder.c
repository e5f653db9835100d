/* A directory of tables and the cache in front of it. */
#include "tablebase/folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <zstd.h>

#include "base/random.h"
#include "base/thread.h"
#include "board/movegen.h"
#include "tablebase/block.h"
#include "tablebase/table.h"

enum {
    COUNTS = KV_INDEX_STONES_MAX + 1,
    SHARDS = 16,           /* parts of the cache, each with a lock of its own */
    WAYS = 4,              /* places a chunk may lie in */
    CHUNK_BYTES = 1 << 15, /* the largest chunk */
};

/* Where a table's chunk lies once unpacked. */
struct place {
    uint64_t key;  /* table and chunk, + 1; 0 = empty */
    uint64_t used; /* when it was last looked at, on the shard's clock */
};

struct shard {
    struct kv_mutex mutex;
    ZSTD_DCtx *context; /* for unpacking; under the mutex, like the rest */
    uint64_t clock;
    uint32_t places; /* a multiple of WAYS */
    struct place *place;
    uint8_t *bytes; /* chunk_bytes a place */
};

struct slot_of_table {
    struct kv_table table;
    char name[KV_TABLE_NAME_MAX];
    _Atomic bool damaged;
};

struct kv_folder {
    struct kv_rules rules;
    struct kv_index index;
    struct slot_of_table *tables;
    int count, capacity;
    size_t chunk_bytes; /* of the largest chunk of any table */
    /* 1 + number of the table, 0 = none: [results or distances][mover][other][hands] */
    uint16_t find[2][COUNTS][COUNTS][COUNTS][COUNTS];
    struct shard shards[SHARDS];
    kv_tablebase_note note;
    void *user;
};

static void tell(const struct kv_folder *folder, const char *name, const char *what)
{
    char line[320];
    if (folder->note == NULL)
        return;
    snprintf(line, sizeof line, "table %s not used: %s", name, what);
    folder->note(folder->user, line);
}

/* ---- Opening ---------------------------------------------------------------------------------- */

static int check_subspace(const struct kv_folder *folder, const struct kv_table_head *head,
                          struct kv_subspace named, const struct kv_rules *rules, struct kv_error *error)
{
    const struct kv_subspace *subspace = &head->subspace;
    if (memcmp(subspace, &named, sizeof named) != 0)
        return kv_fail(error, KV_E_DAMAGED, "the head names another subspace");
    if (!kv_table_rules_agree(head, rules))
        return kv_fail(error, KV_E_VERSION, "made for other rules");
    if (head->slots != kv_index_slots(&folder->index, subspace->mover, subspace->other))
        return kv_fail(error, KV_E_DAMAGED, "%llu slots do not fit the subspace",
                       (unsigned long long)head->slots);
    if (kv_table_chunk_bytes(head) > CHUNK_BYTES)
        return kv_fail(error, KV_E_VERSION, "its chunks are larger than this program's");
    return KV_OK;
}

static int add_table(struct kv_folder *folder, const struct kv_rules *rules, const char *path,
                     const char *name)
{
    enum kv_table_kind kind;
    struct kv_subspace subspace;
    struct kv_error error;
    char full[4096];
    if (!kv_table_parse_name(name, &kind, &subspace) || subspace.mover > rules->stones ||
        subspace.other > rules->stones || subspace.hand_mover > rules->stones ||
        subspace.hand_other > rules->stones)
        return KV_OK;
    if (folder->count == folder->capacity) {
        int capacity = folder->capacity ? 2 * folder->capacity : 64;
        struct slot_of_table *grown = realloc(folder->tables, (size_t)capacity * sizeof *grown);
        if (grown == NULL)
            return KV_E_MEMORY;
        folder->tables = grown;
        folder->capacity = capacity;
    }
    struct slot_of_table *table = &folder->tables[folder->count];
    memset(table, 0, sizeof *table);
    snprintf(full, sizeof full, "%s/%s", path, name);
    snprintf(table->name, sizeof table->name, "%s", name);
    int status = kv_table_open(&table->table, full, &error);
    if (status == KV_OK && table->table.head.kind != kind)
        status = kv_fail(&error, KV_E_DAMAGED, "the head names another kind");
    if (status == KV_OK)
        status = check_subspace(folder, &table->table.head, subspace, rules, &error);
    if (status) {
        tell(folder, name, error.text);
        kv_table_close(&table->table);
        return KV_OK;
    }
    folder->find[kind == KV_TABLE_DISTANCES][subspace.mover][subspace.other][subspace.hand_mover]
                [subspace.hand_other] = (uint16_t)++folder->count;
    return KV_OK;
}

/* For the tables that are there. */
static int make_cache(struct kv_folder *folder, size_t cache_mb)
{
    folder->chunk_bytes = 1;
    for (int t = 0; t < folder->count; t++) {
        size_t bytes = kv_table_chunk_bytes(&folder->tables[t].table.head);
        folder->chunk_bytes = bytes > folder->chunk_bytes ? bytes : folder->chunk_bytes;
    }
    size_t total = (cache_mb << 20) / folder->chunk_bytes;
    for (int s = 0; s < SHARDS; s++) {
        struct shard *shard = &folder->shards[s];
        size_t places = total / SHARDS / WAYS * WAYS;
        shard->places = places < WAYS ? WAYS : (uint32_t)places;
        shard->place = calloc(shard->places, sizeof *shard->place);
        shard->bytes = malloc((size_t)shard->places * folder->chunk_bytes);
        shard->context = ZSTD_createDCtx();
        if (shard->place == NULL || shard->bytes == NULL || shard->context == NULL)
            return KV_E_MEMORY;
    }
    return KV_OK;
}

int kv_folder_open(struct kv_folder **folder, const struct kv_rules *rules, const char *path, size_t cache_mb,
                   kv_tablebase_note note, void *user, struct kv_error *error)
{
    DIR *directory = opendir(path);
    if (directory == NULL)
        return kv_fail(error, errno == ENOENT ? KV_E_NOT_FOUND : KV_E_IO, "%s: %s", path, strerror(errno));
    struct kv_folder *made = calloc(1, sizeof *made);
    int status = made ? KV_OK : KV_E_MEMORY;
    for (int s = 0; made && s < SHARDS; s++)
        kv_mutex_init(&made->shards[s].mutex);
    if (status == KV_OK) {
        made->rules = *rules;
        made->note = note;
        made->user = user;
        status = kv_index_init(&made->index, kv_board_of(rules), (2u << rules->stones) - 1);
    }
    struct dirent *entry;
    while (status == KV_OK && (entry = readdir(directory)) != NULL)
        status = add_table(made, rules, path, entry->d_name);
    closedir(directory);
    if (status == KV_OK)
        status = make_cache(made, cache_mb);
    if (status) {
        kv_folder_close(made);
        return kv_fail(error, status, "%s", kv_status_text(status));
    }
    *folder = made;
    return KV_OK;
}

void kv_folder_close(struct kv_folder *folder)
{
    if (folder == NULL)
        return;
    for (int t = 0; t < folder->count; t++)
        kv_table_close(&folder->tables[t].table);
    for (int s = 0; s < SHARDS; s++) {
        free(folder->shards[s].place);
        free(folder->shards[s].bytes);
        ZSTD_freeDCtx(folder->shards[s].context);
        kv_mutex_finish(&folder->shards[s].mutex);
    }
    free(folder->tables);
    kv_index_finish(&folder->index);
    free(folder);
}

int kv_folder_count(const struct kv_folder *folder)
{
    return folder->count;
}

/* ---- Probing ---------------------------------------------------------------------------------- */

static struct slot_of_table *table_of_kind(const struct kv_folder *folder, struct kv_subspace subspace,
                                           bool distances)
{
    int number =
        folder->find[distances][subspace.mover][subspace.other][subspace.hand_mover][subspace.hand_other];
    if (number == 0 || atomic_load_explicit(&folder->tables[number - 1].damaged, memory_order_relaxed))
        return NULL;
    return &folder->tables[number - 1];
}

/* The better table of a subspace; NULL when there is none. */
static struct slot_of_table *table_of(const struct kv_folder *folder, struct kv_subspace subspace)
{
    if (subspace.mover >= COUNTS || subspace.other >= COUNTS || subspace.hand_mover >= COUNTS ||
        subspace.hand_other >= COUNTS)
        return NULL;
    struct slot_of_table *table = table_of_kind(folder, subspace, true);
    return table ? table : table_of_kind(folder, subspace, false);
}

bool kv_folder_has_distances(const struct kv_folder *folder, struct kv_subspace subspace)
{
    return table_of_kind(folder, subspace, true) != NULL;
}

/* Has every subspace that a turn can lead to a table? Then one ply of search stands for the table. */
static bool follows(const struct kv_folder *folder, struct kv_subspace subspace)
{
    struct kv_subspace after;
    for (int taken = 0; taken <= kv_subspace_most_taken(&folder->rules); taken++)
        if (kv_subspace_after(subspace, taken, &after) && table_of(folder, after) == NULL)
            return false;
    return true;
}

bool kv_folder_covers(const struct kv_folder *folder, const struct kv_position *position)
{
    struct kv_subspace subspace = kv_subspace_of(position);
    return position->due == 0 && (table_of(folder, subspace) || follows(folder, subspace));
}

/* The place of a chunk in its shard, filled if need be; under the shard's lock. */
static int find_chunk(const struct kv_folder *folder, struct shard *shard, const struct kv_table *table,
                      uint64_t key, uint32_t chunk, const uint8_t **bytes)
{
    uint32_t first = (uint32_t)((kv_mix64(key) >> 20) % (shard->places / WAYS)) * WAYS, oldest = first;
    shard->clock++;
    for (uint32_t p = first; p < first + WAYS; p++) {
        if (shard->place[p].key == key) {
            shard->place[p].used = shard->clock;
            *bytes = shard->bytes + (size_t)p * folder->chunk_bytes;
            return KV_OK;
        }
        if (shard->place[p].used < shard->place[oldest].used)
            oldest = p;
    }
    uint8_t *room = shard->bytes + (size_t)oldest * folder->chunk_bytes;
    shard->place[oldest].key = 0;
    int status = kv_table_read_chunk(table, chunk, shard->context, room);
    if (status)
        return status;
    shard->place[oldest] = (struct place){key, shard->clock};
    *bytes = room;
    return KV_OK;
}

static int read_slot(struct kv_folder *folder, struct slot_of_table *table, uint64_t slot, uint8_t *byte)
{
    const struct kv_table_head *head = &table->table.head;
    uint32_t chunk = (uint32_t)(slot / head->chunk_slots), inside = (uint32_t)(slot % head->chunk_slots);
    uint64_t key = ((uint64_t)(table - folder->tables) << 32 | chunk) + 1;
    struct shard *shard = &folder->shards[kv_mix64(key) % SHARDS];
    const uint8_t *bytes;
    kv_mutex_lock(&shard->mutex);
    int status = find_chunk(folder, shard, &table->table, key, chunk, &bytes);
    if (status == KV_OK)
        *byte = head->kind == KV_TABLE_DISTANCES ? bytes[inside] : (uint8_t)kv_table_unpack(bytes, inside);
    kv_mutex_unlock(&shard->mutex);
    if (status && !atomic_exchange(&table->damaged, true)) {
        char what[64];
        snprintf(what, sizeof what, "chunk %u is damaged", chunk);
        tell(folder, table->name, what);
    }
    return status;
}

static int look_up(struct kv_folder *folder, struct slot_of_table *table, const struct kv_position *position,
                   struct kv_value *value)
{
    uint32_t movers = position->stones[position->side], others = position->stones[position->side ^ 1];
    uint64_t slot = kv_index_slot(&folder->index, kv_popcount(movers), kv_popcount(others), movers, others);
    bool distances = table->table.head.kind == KV_TABLE_DISTANCES;
    uint8_t byte;
    int status = read_slot(folder, table, slot, &byte);
    if (status)
        return status;
    value->outcome = byte == 0 ? 0 : byte & 1 ? -1 : 1;
    value->plies = byte == 0 ? 0 : distances ? (int16_t)(byte - 1) : -1;
    return KV_OK;
}

/* The value from those of the positions one ply on. */
static int look_ahead(struct kv_folder *folder, const struct kv_position *position, struct kv_value *value)
{
    kv_move moves[KV_MOVES_MAX];
    int count = kv_generate(&folder->rules, position, moves);
    struct kv_value best = {KV_VALUE_NONE, 0};
    for (int i = 0; i < count; i++) {
        struct kv_position next = *position;
        struct kv_value after = {-1, 0};
        kv_make(&folder->rules, &next, moves[i]);
        if (!kv_too_few(&next, next.side)) {
            struct slot_of_table *table = table_of(folder, kv_subspace_of(&next));
            int status = table ? look_up(folder, table, &next, &after) : KV_E_NOT_FOUND;
            if (status)
                return status;
        }
        kv_value_add(&best, kv_value_before(after));
    }
    *value = count > 0 ? best : (struct kv_value){-1, 0}; /* blocked */
    return KV_OK;
}

int kv_folder_probe(struct kv_folder *folder, const struct kv_position *position, struct kv_value *value)
{
    if (position->due)
        return KV_E_NOT_FOUND;
    struct kv_subspace subspace = kv_subspace_of(position);
    struct slot_of_table *table = table_of(folder, subspace);
    if (table)
        return look_up(folder, table, position, value);
    return follows(folder, subspace) ? look_ahead(folder, position, value) : KV_E_NOT_FOUND;
}
