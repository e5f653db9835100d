/* Reading, counting and writing whole subspaces. */
#include "tablebase/store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <zstd.h>

#include "base/pages.h"
#include "tablebase/block.h"
#include "tablebase/parallel.h"

enum { PATH_LENGTH = 4096, BATCH = 64 };

static bool cancelled(const struct kv_store *store)
{
    return store->cancel && atomic_load_explicit(store->cancel, memory_order_relaxed);
}

uint64_t kv_store_bytes(const struct kv_store *store, struct kv_subspace subspace)
{
    return kv_index_slots(store->index, subspace.mover, subspace.other);
}

static void path_of(const struct kv_store *store, enum kv_table_kind kind, struct kv_subspace subspace,
                    const char *suffix, char path[PATH_LENGTH])
{
    char name[KV_TABLE_NAME_MAX];
    snprintf(path, PATH_LENGTH, "%s/%s%s", store->path, kv_table_name(name, kind, subspace), suffix);
}

int kv_store_open(const struct kv_store *store, enum kv_table_kind kind, struct kv_subspace subspace,
                  struct kv_table *table, struct kv_error *error)
{
    char path[PATH_LENGTH];
    struct kv_table made;
    path_of(store, kind, subspace, "", path);
    int status = kv_table_open(&made, path, error);
    if (status)
        return status;
    if (made.head.kind != kind || memcmp(&made.head.subspace, &subspace, sizeof subspace) != 0)
        status = kv_fail(error, KV_E_DAMAGED, "the head names another table");
    else if (!kv_table_rules_agree(&made.head, store->rules))
        status = kv_fail(error, KV_E_VERSION, "made for other rules");
    else if (made.head.slots != kv_store_bytes(store, subspace))
        status = kv_fail(error, KV_E_DAMAGED, "its number of slots does not fit the subspace");
    if (status)
        kv_table_close(&made);
    else
        *table = made;
    return status;
}

bool kv_store_read_rules(const char *directory, const char *name, struct kv_rules *rules)
{
    char full[PATH_LENGTH];
    struct kv_table table;
    snprintf(full, sizeof full, "%s/%s", directory, name);
    if (kv_table_open(&table, full, NULL) != KV_OK)
        return false;
    rules->flying = table.head.flying;
    rules->mill_protection = table.head.mill_protection;
    rules->double_mill = table.head.double_mill;
    bool known = kv_table_rules_agree(&table.head, rules);
    kv_table_close(&table);
    return known;
}

bool kv_store_has(const struct kv_store *store, enum kv_table_kind kind, struct kv_subspace subspace)
{
    struct kv_table table;
    if (kv_store_open(store, kind, subspace, &table, NULL) != KV_OK)
        return false;
    kv_table_close(&table);
    return true;
}

/* ---- Reading ---------------------------------------------------------------------------------- */

struct loading {
    const struct kv_store *store;
    const struct kv_table *table;
    uint8_t *bytes;
    _Atomic uint32_t next;
    _Atomic int status;
    _Atomic uint32_t damaged; /* the chunk */
};

static int load_chunk(struct loading *loading, uint32_t chunk, ZSTD_DCtx *context, uint8_t *packed)
{
    const struct kv_table_head *head = &loading->table->head;
    uint8_t *target = loading->bytes + (uint64_t)chunk * head->chunk_slots;
    if (head->kind == KV_TABLE_DISTANCES)
        return kv_table_read_chunk(loading->table, chunk, context, target);
    int status = kv_table_read_chunk(loading->table, chunk, context, packed);
    uint32_t slots = kv_table_chunk_slots(head, chunk);
    for (uint32_t slot = 0; status == KV_OK && slot < slots; slot++)
        target[slot] = (uint8_t)kv_table_unpack(packed, slot);
    return status;
}

static void load_work(void *shared, int number)
{
    struct loading *loading = shared;
    ZSTD_DCtx *context = ZSTD_createDCtx();
    uint8_t *packed = malloc(kv_table_chunk_bytes(&loading->table->head));
    int status = context && packed ? KV_OK : KV_E_MEMORY;
    (void)number;
    while (status == KV_OK && atomic_load(&loading->status) == KV_OK) {
        uint32_t chunk = atomic_fetch_add(&loading->next, 1);
        if (chunk >= loading->table->head.chunks)
            break;
        status = cancelled(loading->store) ? KV_E_BUSY : load_chunk(loading, chunk, context, packed);
        if (status == KV_E_DAMAGED)
            atomic_store(&loading->damaged, chunk);
    }
    if (status)
        atomic_store(&loading->status, status);
    ZSTD_freeDCtx(context);
    free(packed);
}

int kv_store_load(const struct kv_store *store, enum kv_table_kind kind, struct kv_subspace subspace,
                  uint8_t **bytes, struct kv_error *error)
{
    struct kv_table table;
    char name[KV_TABLE_NAME_MAX];
    struct kv_error cause;
    kv_table_name(name, kind, subspace);
    int status = kv_store_open(store, kind, subspace, &table, &cause);
    if (status)
        return kv_fail(error, status, "%s: %s", name, cause.text);
    struct loading loading = {.store = store, .table = &table, .bytes = kv_pages_take(table.head.slots)};
    if (loading.bytes == NULL) {
        kv_table_close(&table);
        return kv_fail(error, KV_E_MEMORY, "%s: out of memory", name);
    }
    kv_parallel_run(store->threads, load_work, &loading);
    status = atomic_load(&loading.status);
    if (status) {
        kv_pages_give(loading.bytes, table.head.slots);
        if (status == KV_E_DAMAGED)
            kv_fail(error, status, "%s: chunk %u is damaged", name, atomic_load(&loading.damaged));
        else
            kv_fail(error, status, "%s: %s", name, kv_status_text(status));
    } else
        *bytes = loading.bytes;
    kv_table_close(&table);
    return status;
}

/* ---- Counting --------------------------------------------------------------------------------- */

struct tallying {
    const struct kv_store *store;
    struct kv_subspace subspace;
    const uint8_t *values;
    _Atomic uint32_t next;
    struct kv_tally parts[KV_PARALLEL_MAX];
    uint64_t longest[KV_PARALLEL_MAX][256]; /* smallest slot by byte */
};

static void tally_work(void *shared, int number)
{
    struct tallying *work = shared;
    const struct kv_index *index = work->store->index;
    int mover = work->subspace.mover, other = work->subspace.other;
    uint32_t block = kv_index_block(index, mover, other);
    uint64_t *counts = work->parts[number].counts, *first = work->longest[number];
    for (uint32_t b; (b = atomic_fetch_add(&work->next, 1)) < index->classes[mover].count;) {
        bool symmetric = index->classes[mover].stabiliser[b] != 1;
        const uint8_t *values = work->values + (uint64_t)b * block;
        uint32_t free_points = index->board->all & ~index->classes[mover].sets[b], set = (1u << other) - 1;
        for (uint32_t inside = 0; inside < block; inside++) {
            uint64_t slot = (uint64_t)b * block + inside;
            uint8_t byte = values[inside];
            uint32_t others = symmetric ? kv_expand(set, free_points) : 0;
            set = symmetric && set ? kv_next_set(set) : set;
            if (symmetric && !kv_index_is_smallest(index, mover, other, b, inside, others))
                continue;
            counts[byte]++;
            first[byte] = slot < first[byte] ? slot : first[byte];
        }
    }
}

int kv_store_tally(const struct kv_store *store, struct kv_subspace subspace, const uint8_t *values,
                   struct kv_tally *tally)
{
    struct tallying *work = calloc(1, sizeof *work);
    if (work == NULL)
        return KV_E_MEMORY;
    memset(work->longest, 0xff, sizeof work->longest);
    work->store = store;
    work->subspace = subspace;
    work->values = values;
    kv_parallel_run(store->threads, tally_work, work);
    *tally = (struct kv_tally){.longest_win = KV_TABLE_NO_SLOT, .longest_loss = KV_TABLE_NO_SLOT};
    for (int byte = 0; byte < 256; byte++) {
        uint64_t slot = KV_TABLE_NO_SLOT;
        for (int t = 0; t < KV_PARALLEL_MAX; t++) {
            tally->counts[byte] += work->parts[t].counts[byte];
            slot = work->longest[t][byte] < slot ? work->longest[t][byte] : slot;
        }
        tally->positions += tally->counts[byte];
        if (tally->counts[byte] && kv_byte_is_win((uint8_t)byte))
            tally->longest_win = slot;
        if (tally->counts[byte] && kv_byte_is_loss((uint8_t)byte))
            tally->longest_loss = slot;
    }
    free(work);
    return KV_OK;
}

/* ---- Writing ---------------------------------------------------------------------------------- */

struct saving {
    const struct kv_store *store;
    const struct kv_table_head *head;
    const uint8_t *values;
    uint32_t first, end; /* chunks of the batch */
    _Atomic uint32_t next;
    _Atomic int status;
    uint8_t *packed[BATCH];
    size_t lengths[BATCH], capacity;
};

size_t kv_store_pack(const uint8_t *values, uint64_t slots, uint8_t *bytes)
{
    static const uint8_t result[2] = {2, 1};
    size_t length = 0;
    for (uint64_t slot = 0; slot < slots; slot += KV_TABLE_PACK) {
        unsigned byte = 0;
        for (int i = KV_TABLE_PACK - 1; i >= 0; i--) {
            uint8_t value = slot + (unsigned)i < slots ? values[slot + (unsigned)i] : 0;
            byte = byte * 3 + (value ? result[value & 1] : 0);
        }
        bytes[length++] = (uint8_t)byte;
    }
    return length;
}

static void save_work(void *shared, int number)
{
    struct saving *saving = shared;
    const struct kv_table_head *head = saving->head;
    ZSTD_CCtx *context = ZSTD_createCCtx();
    uint8_t *packed = malloc(head->chunk_slots);
    (void)number;
    if (context == NULL || packed == NULL)
        atomic_store(&saving->status, KV_E_MEMORY);
    while (atomic_load(&saving->status) == KV_OK) {
        uint32_t chunk = atomic_fetch_add(&saving->next, 1);
        if (chunk >= saving->end)
            break;
        const uint8_t *values = saving->values + (uint64_t)chunk * head->chunk_slots;
        size_t length = kv_table_chunk_slots(head, chunk);
        if (head->kind == KV_TABLE_RESULTS) {
            length = kv_store_pack(values, length, packed);
            values = packed;
        }
        size_t written = ZSTD_compressCCtx(context, saving->packed[chunk - saving->first], saving->capacity,
                                           values, length, saving->store->level);
        saving->lengths[chunk - saving->first] = written;
        if (ZSTD_isError(written))
            atomic_store(&saving->status, KV_E_MEMORY);
    }
    ZSTD_freeCCtx(context);
    free(packed);
}

static int save_chunks(struct saving *saving, FILE *file, uint8_t *list)
{
    const struct kv_table_head *head = saving->head;
    uint64_t offset = KV_TABLE_HEAD + (uint64_t)head->chunks * KV_TABLE_ENTRY;
    for (saving->first = 0; saving->first < head->chunks; saving->first = saving->end) {
        saving->end = saving->first + BATCH < head->chunks ? saving->first + BATCH : head->chunks;
        atomic_store(&saving->next, saving->first);
        if (cancelled(saving->store))
            return KV_E_BUSY;
        kv_parallel_run(saving->store->threads, save_work, saving);
        if (atomic_load(&saving->status))
            return atomic_load(&saving->status);
        for (uint32_t chunk = saving->first; chunk < saving->end; chunk++) {
            const uint8_t *bytes = saving->packed[chunk - saving->first];
            size_t length = saving->lengths[chunk - saving->first];
            struct kv_table_entry entry = {offset, (uint32_t)length, kv_table_chunk_sum(bytes, length)};
            kv_table_write_entry(&entry, list + (size_t)chunk * KV_TABLE_ENTRY);
            offset += length;
            if (fwrite(bytes, 1, length, file) != length)
                return KV_E_IO;
        }
    }
    return KV_OK;
}

/* Head and list are written last, when they are known. */
static int save_file(struct saving *saving, struct kv_table_head *head, FILE *file)
{
    uint8_t bytes[KV_TABLE_HEAD];
    size_t list_bytes = (size_t)head->chunks * KV_TABLE_ENTRY;
    uint8_t *list = malloc(list_bytes);
    int status = list ? KV_OK : KV_E_MEMORY;
    if (status == KV_OK && fseeko(file, (off_t)(KV_TABLE_HEAD + list_bytes), SEEK_SET) != 0)
        status = KV_E_IO;
    if (status == KV_OK)
        status = save_chunks(saving, file, list);
    if (status == KV_OK) {
        head->file_size = (uint64_t)ftello(file);
        head->list_sum = kv_table_list_sum(list, list_bytes);
        kv_table_write_head(head, bytes);
        if (fseeko(file, 0, SEEK_SET) != 0 || fwrite(bytes, 1, sizeof bytes, file) != sizeof bytes ||
            fwrite(list, 1, list_bytes, file) != list_bytes || fflush(file) != 0 || fsync(fileno(file)) != 0)
            status = KV_E_IO;
    }
    free(list);
    return status;
}

static int save_table(const struct kv_store *store, struct kv_table_head *head, const uint8_t *values,
                      struct kv_error *error)
{
    char path[PATH_LENGTH], aside[PATH_LENGTH];
    struct saving saving = {.store = store, .head = head, .values = values};
    path_of(store, head->kind, head->subspace, "", path);
    path_of(store, head->kind, head->subspace, ".part", aside);
    head->chunk_slots = head->kind == KV_TABLE_RESULTS ? KV_TABLE_CHUNK_RESULTS : KV_TABLE_CHUNK_DISTANCES;
    head->chunks = (uint32_t)((head->slots - 1) / head->chunk_slots + 1);
    saving.capacity = ZSTD_compressBound(kv_table_chunk_bytes(head));
    FILE *file = fopen(aside, "wb");
    int status = file ? KV_OK : KV_E_IO;
    for (int i = 0; i < BATCH && status == KV_OK; i++)
        if ((saving.packed[i] = malloc(saving.capacity)) == NULL)
            status = KV_E_MEMORY;
    if (status == KV_OK)
        status = save_file(&saving, head, file);
    int cause = errno;
    for (int i = 0; i < BATCH; i++)
        free(saving.packed[i]);
    if (file && fclose(file) != 0 && status == KV_OK) {
        status = KV_E_IO;
        cause = errno;
    }
    if (status == KV_OK && rename(aside, path) != 0) {
        status = KV_E_IO;
        cause = errno;
    }
    if (status) {
        unlink(aside);
        return kv_fail(error, status, "%s: %s", path,
                       status == KV_E_IO ? strerror(cause) : kv_status_text(status));
    }
    return KV_OK;
}

int kv_store_save(const struct kv_store *store, enum kv_table_kind kind, struct kv_subspace subspace,
                  const uint8_t *values, uint64_t *size, struct kv_error *error)
{
    struct kv_tally tally;
    struct kv_table_head head = {.kind = kind, .subspace = subspace};
    int status = kv_store_tally(store, subspace, values, &tally);
    if (status)
        return kv_fail(error, status, "out of memory");
    kv_table_set_rules(&head, store->rules);
    head.slots = kv_store_bytes(store, subspace);
    head.positions = tally.positions;
    head.longest_win = tally.longest_win;
    head.longest_loss = tally.longest_loss;
    for (int byte = 0; byte < 256; byte++) {
        int result = byte == 0 ? 0 : byte & 1 ? 1 : 2;
        head.counts[kind == KV_TABLE_DISTANCES ? byte : result] += tally.counts[byte];
    }
    status = save_table(store, &head, values, error);
    if (status == KV_OK)
        *size = head.file_size;
    return status;
}
