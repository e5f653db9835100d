/* Table files: head, list of chunks, chunks. */
#include "tablebase/table.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <xxhash.h>
#include <zstd.h>

#include "board/geometry.h"

static const char magic[8] = "KvernTB\n";

/* Where the fields of the head stand. */
enum {
    AT_VERSION = 8,
    AT_KIND = 12,
    AT_BOARD = 16,
    AT_FLYING = 24,
    AT_PROTECTION = 25,
    AT_DOUBLE = 26,
    AT_MOVER = 28,
    AT_OTHER = 29,
    AT_HAND_MOVER = 30,
    AT_HAND_OTHER = 31,
    AT_SLOTS = 32,
    AT_FILE_SIZE = 40,
    AT_CHUNK_SLOTS = 48,
    AT_CHUNKS = 52,
    AT_POSITIONS = 56,
    AT_LONGEST_WIN = 64,
    AT_LONGEST_LOSS = 72,
    AT_LIST_SUM = 80,
    AT_COUNTS = 96,
    AT_SUM = AT_COUNTS + 256 * 8,
};
_Static_assert(AT_SUM + 32 == KV_TABLE_HEAD, "the head ends with its checksum and 24 zero bytes");

static void put(uint8_t *bytes, uint64_t value, int length)
{
    for (int i = 0; i < length; i++)
        bytes[i] = (uint8_t)(value >> 8 * i);
}

static uint64_t get(const uint8_t *bytes, int length)
{
    uint64_t value = 0;
    for (int i = 0; i < length; i++)
        value |= (uint64_t)bytes[i] << 8 * i;
    return value;
}

/* ---- Names and rules -------------------------------------------------------------------------- */

void kv_table_set_rules(struct kv_table_head *head, const struct kv_rules *rules)
{
    memset(head->board, 0, sizeof head->board);
    snprintf(head->board, sizeof head->board, "%s", kv_boards[rules->board]->name);
    head->flying = rules->flying;
    head->mill_protection = rules->mill_protection;
    head->double_mill = rules->double_mill;
}

bool kv_table_rules_agree(const struct kv_table_head *head, const struct kv_rules *rules)
{
    struct kv_table_head other;
    kv_table_set_rules(&other, rules);
    return memcmp(head->board, other.board, sizeof other.board) == 0 && head->flying == rules->flying &&
           head->mill_protection == rules->mill_protection && head->double_mill == rules->double_mill;
}

static const char *kind_name(enum kv_table_kind kind)
{
    return kind == KV_TABLE_RESULTS ? "wdl" : "dtm";
}

const char *kv_table_name(char name[KV_TABLE_NAME_MAX], enum kv_table_kind kind, struct kv_subspace subspace)
{
    if (subspace.hand_mover + subspace.hand_other > 0)
        snprintf(name, KV_TABLE_NAME_MAX, "%d-%d+%d-%d.%s", subspace.mover, subspace.other,
                 subspace.hand_mover, subspace.hand_other, kind_name(kind));
    else
        snprintf(name, KV_TABLE_NAME_MAX, "%d-%d.%s", subspace.mover, subspace.other, kind_name(kind));
    return name;
}

bool kv_table_parse_name(const char *name, enum kv_table_kind *kind, struct kv_subspace *subspace)
{
    int mover, other, hand_mover = 0, hand_other = 0;
    char made[KV_TABLE_NAME_MAX];
    const char *end = strrchr(name, '.');
    if (sscanf(name, "%2d-%2d+%2d-%2d", &mover, &other, &hand_mover, &hand_other) < 2 || end == NULL)
        return false;
    struct kv_subspace read = {(uint8_t)mover, (uint8_t)other, (uint8_t)hand_mover, (uint8_t)hand_other};
    enum kv_table_kind found = strcmp(end, ".wdl") == 0 ? KV_TABLE_RESULTS : KV_TABLE_DISTANCES;
    if (strcmp(kv_table_name(made, found, read), name) != 0)
        return false;
    *kind = found;
    *subspace = read;
    return true;
}

/* ---- Head ------------------------------------------------------------------------------------- */

void kv_table_write_head(const struct kv_table_head *head, uint8_t bytes[KV_TABLE_HEAD])
{
    memset(bytes, 0, KV_TABLE_HEAD);
    memcpy(bytes, magic, sizeof magic);
    put(bytes + AT_VERSION, KV_TABLE_VERSION, 4);
    put(bytes + AT_KIND, head->kind, 4);
    memcpy(bytes + AT_BOARD, head->board, sizeof head->board);
    bytes[AT_FLYING] = head->flying;
    bytes[AT_PROTECTION] = head->mill_protection;
    bytes[AT_DOUBLE] = head->double_mill;
    bytes[AT_MOVER] = head->subspace.mover;
    bytes[AT_OTHER] = head->subspace.other;
    bytes[AT_HAND_MOVER] = head->subspace.hand_mover;
    bytes[AT_HAND_OTHER] = head->subspace.hand_other;
    put(bytes + AT_SLOTS, head->slots, 8);
    put(bytes + AT_FILE_SIZE, head->file_size, 8);
    put(bytes + AT_CHUNK_SLOTS, head->chunk_slots, 4);
    put(bytes + AT_CHUNKS, head->chunks, 4);
    put(bytes + AT_POSITIONS, head->positions, 8);
    put(bytes + AT_LONGEST_WIN, head->longest_win, 8);
    put(bytes + AT_LONGEST_LOSS, head->longest_loss, 8);
    put(bytes + AT_LIST_SUM, head->list_sum, 8);
    for (int i = 0; i < 256; i++)
        put(bytes + AT_COUNTS + 8 * i, head->counts[i], 8);
    put(bytes + AT_SUM, XXH3_64bits(bytes, AT_SUM), 8);
}

static void read_fields(struct kv_table_head *head, const uint8_t *bytes)
{
    head->kind = (enum kv_table_kind)get(bytes + AT_KIND, 4);
    memcpy(head->board, bytes + AT_BOARD, sizeof head->board);
    head->flying = bytes[AT_FLYING];
    head->mill_protection = bytes[AT_PROTECTION];
    head->double_mill = bytes[AT_DOUBLE];
    head->subspace =
        (struct kv_subspace){bytes[AT_MOVER], bytes[AT_OTHER], bytes[AT_HAND_MOVER], bytes[AT_HAND_OTHER]};
    head->slots = get(bytes + AT_SLOTS, 8);
    head->file_size = get(bytes + AT_FILE_SIZE, 8);
    head->chunk_slots = (uint32_t)get(bytes + AT_CHUNK_SLOTS, 4);
    head->chunks = (uint32_t)get(bytes + AT_CHUNKS, 4);
    head->positions = get(bytes + AT_POSITIONS, 8);
    head->longest_win = get(bytes + AT_LONGEST_WIN, 8);
    head->longest_loss = get(bytes + AT_LONGEST_LOSS, 8);
    head->list_sum = get(bytes + AT_LIST_SUM, 8);
    for (int i = 0; i < 256; i++)
        head->counts[i] = get(bytes + AT_COUNTS + 8 * i, 8);
}

int kv_table_read_head(struct kv_table_head *head, const uint8_t *bytes, size_t size, struct kv_error *error)
{
    struct kv_table_head read;
    if (size < KV_TABLE_HEAD)
        return kv_fail(error, KV_E_DAMAGED, "%zu bytes, the head alone has %d", size, KV_TABLE_HEAD);
    if (memcmp(bytes, magic, sizeof magic) != 0)
        return kv_fail(error, KV_E_DAMAGED, "not a table file");
    if (get(bytes + AT_VERSION, 4) != KV_TABLE_VERSION)
        return kv_fail(error, KV_E_VERSION, "format version %u, this program reads %d",
                       (unsigned)get(bytes + AT_VERSION, 4), KV_TABLE_VERSION);
    if (get(bytes + AT_SUM, 8) != XXH3_64bits(bytes, AT_SUM))
        return kv_fail(error, KV_E_DAMAGED, "the checksum of the head is wrong");
    for (int i = AT_SUM + 8; i < KV_TABLE_HEAD; i++)
        if (bytes[i])
            return kv_fail(error, KV_E_DAMAGED, "byte %d of the head is not zero", i);
    read_fields(&read, bytes);
    if (read.kind != KV_TABLE_RESULTS && read.kind != KV_TABLE_DISTANCES)
        return kv_fail(error, KV_E_VERSION, "unknown kind of table %d", (int)read.kind);
    if (read.file_size != size)
        return kv_fail(error, KV_E_DAMAGED, "%zu bytes, the head says %llu", size,
                       (unsigned long long)read.file_size);
    if (read.chunk_slots == 0 || read.chunk_slots > KV_TABLE_CHUNK_MAX || read.slots == 0 ||
        read.chunks != (read.slots - 1) / read.chunk_slots + 1 ||
        KV_TABLE_HEAD + (uint64_t)read.chunks * KV_TABLE_ENTRY > size)
        return kv_fail(error, KV_E_DAMAGED, "the numbers in the head contradict each other");
    *head = read;
    return KV_OK;
}

/* ---- Chunks ----------------------------------------------------------------------------------- */

void kv_table_write_entry(const struct kv_table_entry *entry, uint8_t bytes[KV_TABLE_ENTRY])
{
    put(bytes, entry->offset, 8);
    put(bytes + 8, entry->length, 4);
    put(bytes + 12, entry->sum, 4);
}

struct kv_table_entry kv_table_read_entry(const uint8_t *bytes)
{
    return (struct kv_table_entry){get(bytes, 8), (uint32_t)get(bytes + 8, 4), (uint32_t)get(bytes + 12, 4)};
}

uint32_t kv_table_chunk_sum(const uint8_t *bytes, size_t length)
{
    return (uint32_t)XXH3_64bits(bytes, length);
}

uint64_t kv_table_list_sum(const uint8_t *bytes, size_t length)
{
    return XXH3_64bits(bytes, length);
}

uint32_t kv_table_chunk_slots(const struct kv_table_head *head, uint32_t chunk)
{
    uint64_t rest = head->slots - (uint64_t)chunk * head->chunk_slots;
    return rest < head->chunk_slots ? (uint32_t)rest : head->chunk_slots;
}

static size_t packed(const struct kv_table_head *head, uint32_t slots)
{
    return head->kind == KV_TABLE_RESULTS ? (slots + KV_TABLE_PACK - 1) / KV_TABLE_PACK : slots;
}

size_t kv_table_chunk_bytes(const struct kv_table_head *head)
{
    return packed(head, head->chunk_slots);
}

int kv_table_open(struct kv_table *table, const char *path, struct kv_error *error)
{
    struct kv_table made = {0};
    int status = kv_map_open(&made.map, path);
    if (status)
        return kv_fail(error, status, "%s", strerror(errno));
    status = kv_table_read_head(&made.head, made.map.bytes, made.map.size, error);
    if (status == KV_OK && kv_table_list_sum(made.map.bytes + KV_TABLE_HEAD,
                                             (size_t)made.head.chunks * KV_TABLE_ENTRY) != made.head.list_sum)
        status = kv_fail(error, KV_E_DAMAGED, "the checksum of the list of chunks is wrong");
    if (status)
        kv_map_close(&made.map);
    else
        *table = made;
    return status;
}

void kv_table_close(struct kv_table *table)
{
    kv_map_close(&table->map);
}

int kv_table_read_chunk(const struct kv_table *table, uint32_t chunk, void *context, uint8_t *bytes)
{
    struct kv_table_entry entry =
        kv_table_read_entry(table->map.bytes + KV_TABLE_HEAD + (size_t)chunk * KV_TABLE_ENTRY);
    size_t wanted = packed(&table->head, kv_table_chunk_slots(&table->head, chunk));
    if (entry.offset > table->map.size || entry.length > table->map.size - entry.offset)
        return KV_E_DAMAGED;
    const uint8_t *source = table->map.bytes + entry.offset;
    if (kv_table_chunk_sum(source, entry.length) != entry.sum)
        return KV_E_DAMAGED;
    size_t length = context ? ZSTD_decompressDCtx(context, bytes, wanted, source, entry.length)
                            : ZSTD_decompress(bytes, wanted, source, entry.length);
    return length == wanted ? KV_OK : KV_E_DAMAGED;
}
