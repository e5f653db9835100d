/* A table file: the values of one subspace under one set of rules. FORMAT.md describes it byte by
 * byte; this is the only code that knows the layout of head and chunks.
 */
#ifndef KV_TABLEBASE_TABLE_H
#define KV_TABLEBASE_TABLE_H

#include <stdatomic.h>

#include "base/map.h"
#include "tablebase/subspace.h"

enum kv_table_kind { KV_TABLE_RESULTS = 1, KV_TABLE_DISTANCES = 2 };

enum {
    KV_TABLE_VERSION = 1,
    KV_TABLE_HEAD = 2176,               /* bytes of the head */
    KV_TABLE_ENTRY = 16,                /* bytes a chunk in the list of chunks */
    KV_TABLE_PACK = 5,                  /* results a byte */
    KV_TABLE_CHUNK_DISTANCES = 1 << 13, /* slots a chunk, as written */
    KV_TABLE_CHUNK_RESULTS = 5 << 14,
    KV_TABLE_CHUNK_MAX = 1 << 20, /* the most slots a chunk that a reader accepts */
    KV_TABLE_NAME_MAX = 32,
};

#define KV_TABLE_NO_SLOT UINT64_MAX

/* What the head of a file says. */
struct kv_table_head {
    enum kv_table_kind kind;
    struct kv_subspace subspace;
    char board[8]; /* name of the board, zero-padded */
    uint8_t flying, mill_protection, double_mill;
    uint64_t slots, file_size;
    uint32_t chunk_slots, chunks;
    uint64_t positions;                 /* up to symmetry */
    uint64_t longest_win, longest_loss; /* a slot each, or KV_TABLE_NO_SLOT */
    uint64_t list_sum;                  /* checksum of the list of chunks */
    /* Positions by value. Distances: by byte (0 a draw, else plies + 1). Results: draws, losses, wins. */
    uint64_t counts[256];
};

/* Does a position's value under `rules` stand in the file? The number of stones a side does not matter
 * to a value. */
bool kv_table_rules_agree(const struct kv_table_head *head, const struct kv_rules *rules);
void kv_table_set_rules(struct kv_table_head *head, const struct kv_rules *rules);

/* "5-4.dtm", "5-4+2-1.wdl" */
const char *kv_table_name(char name[KV_TABLE_NAME_MAX], enum kv_table_kind kind, struct kv_subspace subspace);
/* The reverse; false when it is no such name. */
bool kv_table_parse_name(const char *name, enum kv_table_kind *kind, struct kv_subspace *subspace);

void kv_table_write_head(const struct kv_table_head *head, uint8_t bytes[KV_TABLE_HEAD]);
/* KV_E_DAMAGED or KV_E_VERSION, with what is wrong. `size` is that of the file. */
int kv_table_read_head(struct kv_table_head *head, const uint8_t *bytes, size_t size, struct kv_error *error);

/* One entry of the list of chunks. */
struct kv_table_entry {
    uint64_t offset;
    uint32_t length, sum;
};
void kv_table_write_entry(const struct kv_table_entry *entry, uint8_t bytes[KV_TABLE_ENTRY]);
struct kv_table_entry kv_table_read_entry(const uint8_t *bytes);
uint32_t kv_table_chunk_sum(const uint8_t *bytes, size_t length);
uint64_t kv_table_list_sum(const uint8_t *bytes, size_t length);

/* An open file. Reading is safe from any number of threads. */
struct kv_table {
    struct kv_table_head head;
    struct kv_map map;
};

/* Maps the file and checks head and list of chunks. KV_E_NOT_FOUND, KV_E_IO, KV_E_DAMAGED, KV_E_VERSION;
 * the line says what is wrong, without the path. */
int kv_table_open(struct kv_table *table, const char *path, struct kv_error *error);
void kv_table_close(struct kv_table *table); /* a zeroed one is allowed */

/* Slots of chunk number `chunk`, and bytes of it when unpacked. */
uint32_t kv_table_chunk_slots(const struct kv_table_head *head, uint32_t chunk);
size_t kv_table_chunk_bytes(const struct kv_table_head *head);

/* Checks and unpacks one chunk into `bytes` (kv_table_chunk_bytes of them): distances a byte a slot,
 * results five to a byte. `context` is a ZSTD_DCtx of the caller, or NULL. KV_E_DAMAGED, KV_E_MEMORY. */
int kv_table_read_chunk(const struct kv_table *table, uint32_t chunk, void *context, uint8_t *bytes);

/* The result in slot `inside` of an unpacked chunk: 0 draw, 1 loss, 2 win. */
static inline int kv_table_unpack(const uint8_t *bytes, uint32_t inside)
{
    static const uint8_t powers[KV_TABLE_PACK] = {1, 3, 9, 27, 81};
    return bytes[inside / KV_TABLE_PACK] / powers[inside % KV_TABLE_PACK] % 3;
}

#endif
