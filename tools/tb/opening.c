/* kvern-tb opening: the results that are built into the engine, from the tables of the whole game. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <zstd.h>

#include "base/pages.h"
#include "tablebase/opening.h"
#include "tb.h"

struct writer {
    uint8_t list[4 * KV_OPENING_MAX];
    uint32_t count;
    uint8_t *bytes;
    size_t size, capacity;
};

static bool grow(struct writer *writer, size_t more)
{
    if (writer->size + more > writer->capacity) {
        writer->capacity = 2 * (writer->size + more);
        uint8_t *grown = realloc(writer->bytes, writer->capacity);
        if (grown == NULL)
            return false;
        writer->bytes = grown;
    }
    return true;
}

static int append(struct writer *writer, const struct tb_set *set, struct kv_subspace subspace,
                  struct kv_error *error)
{
    uint64_t slots = kv_store_bytes(&set->store, subspace);
    size_t length = (size_t)(slots + KV_TABLE_PACK - 1) / KV_TABLE_PACK;
    uint8_t *values;
    int status = kv_store_load(&set->store, KV_TABLE_DISTANCES, subspace, &values, error);
    if (status)
        return status;
    if (!grow(writer, length))
        status = kv_fail(error, KV_E_MEMORY, "out of memory");
    else
        writer->size += kv_store_pack(values, slots, writer->bytes + writer->size);
    kv_pages_give(values, slots);
    memcpy(&writer->list[4 * writer->count++], &subspace, 4);
    return status;
}

static int write_out(const struct writer *writer, const char *path, struct kv_error *error)
{
    size_t room = ZSTD_compressBound(writer->size);
    uint8_t *packed = malloc(room), count[4];
    for (int i = 0; i < 4; i++)
        count[i] = (uint8_t)(writer->count >> 8 * i);
    ZSTD_CCtx *context = ZSTD_createCCtx();
    if (packed == NULL || context == NULL) {
        free(packed);
        ZSTD_freeCCtx(context);
        return kv_fail(error, KV_E_MEMORY, "out of memory");
    }
    ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, ZSTD_maxCLevel());
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
    size_t length = ZSTD_compress2(context, packed, room, writer->bytes, writer->size);
    ZSTD_freeCCtx(context);
    FILE *file = ZSTD_isError(length) ? NULL : fopen(path, "wb");
    bool ok = file && fwrite(kv_opening_magic, 1, sizeof kv_opening_magic, file) == sizeof kv_opening_magic &&
              fwrite(count, 1, sizeof count, file) == sizeof count &&
              fwrite(writer->list, 4, writer->count, file) == writer->count &&
              fwrite(packed, 1, length, file) == length;
    ok = file && fclose(file) == 0 && ok;
    free(packed);
    if (!ok)
        return kv_fail(error, KV_E_IO, "%s: %s", path, strerror(errno));
    printf("%u subspaces, %zu bytes of results, %zu packed\n", writer->count, writer->size, length);
    return KV_OK;
}

enum tb_exit tb_opening(const struct tb_options *options)
{
    struct tb_set set;
    struct writer writer = {.count = 0};
    struct kv_error error;
    int status = KV_OK;
    if (!tb_set_open(&set, options))
        return TB_FAILED;
    if (!kv_opening_fits(&set.rules))
        status = kv_fail(&error, KV_E_RANGE, "the opening is that of the classic rules with nine stones");
    for (int i = 0; i < set.count && status == KV_OK; i++) {
        struct kv_subspace subspace = set.subspaces[i];
        if (2 * set.rules.stones - subspace.hand_mover - subspace.hand_other > KV_OPENING_PLIES)
            continue;
        status = writer.count < KV_OPENING_MAX ? append(&writer, &set, subspace, &error)
                                               : kv_fail(&error, KV_E_RANGE, "too many subspaces");
    }
    if (status == KV_OK && writer.count == 0)
        status = kv_fail(&error, KV_E_NOT_FOUND, "%s: no tables of the opening", options->path);
    if (status == KV_OK)
        status = write_out(&writer, options->arguments[0], &error);
    if (status)
        fprintf(stderr, "kvern-tb: opening: %s\n", error.text);
    free(writer.bytes);
    tb_set_close(&set);
    return status ? TB_FAILED : TB_OK;
}
