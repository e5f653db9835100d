/* The built-in opening: unpacked and probed. */
#include "tablebase/opening.h"

#include <stdlib.h>
#include <string.h>

#include <zstd.h>

#include "tablebase/index.h"
#include "tablebase/table.h"

const char kv_opening_magic[8] = "KvernOp\n";

/* opening.kvo, as an array (tools/embed.c) */
extern const unsigned char kv_opening_file[];
extern const size_t kv_opening_file_size;

enum { STONES = 9, MOST = KV_OPENING_PLIES / 2 };

struct kv_opening {
    struct kv_index index;
    uint8_t *bytes;
    const uint8_t *results[KV_OPENING_PLIES + 1][MOST + 1][MOST + 1]; /* [ply][mover][other]; or NULL */
};

/* The number of placements made, which fixes the hands. */
static int ply_of(struct kv_subspace subspace)
{
    return 2 * STONES - subspace.hand_mover - subspace.hand_other;
}

static bool is_known(struct kv_subspace subspace)
{
    int ply = ply_of(subspace);
    return ply <= KV_OPENING_PLIES && subspace.mover <= MOST && subspace.other <= MOST &&
           subspace.hand_mover == STONES - ply / 2 && subspace.hand_other == STONES - (ply + 1) / 2;
}

static size_t bytes_of(const struct kv_opening *opening, struct kv_subspace subspace)
{
    return (kv_index_slots(&opening->index, subspace.mover, subspace.other) + KV_TABLE_PACK - 1) /
           KV_TABLE_PACK;
}

/* Where each subspace of the list begins; the number of bytes of them all, or 0 when the list is wrong. */
static size_t lay_out(struct kv_opening *opening, const uint8_t *list, uint32_t count, const uint8_t *base)
{
    size_t total = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct kv_subspace subspace = {list[4 * i], list[4 * i + 1], list[4 * i + 2], list[4 * i + 3]};
        if (!is_known(subspace))
            return 0;
        opening->results[ply_of(subspace)][subspace.mover][subspace.other] = base ? base + total : NULL;
        total += bytes_of(opening, subspace);
    }
    return total;
}

static int unpack(struct kv_opening *opening)
{
    const uint8_t *file = kv_opening_file;
    size_t size = kv_opening_file_size;
    if (size < KV_OPENING_HEAD || memcmp(file, kv_opening_magic, sizeof kv_opening_magic) != 0)
        return KV_E_DAMAGED;
    uint32_t count = file[8] | (uint32_t)file[9] << 8 | (uint32_t)file[10] << 16 | (uint32_t)file[11] << 24;
    size_t at = KV_OPENING_HEAD + 4 * (size_t)count;
    if (count > KV_OPENING_MAX || at > size)
        return KV_E_DAMAGED;
    size_t total = lay_out(opening, file + KV_OPENING_HEAD, count, NULL);
    if (total == 0)
        return KV_E_DAMAGED;
    opening->bytes = malloc(total);
    if (opening->bytes == NULL)
        return KV_E_MEMORY;
    if (ZSTD_decompress(opening->bytes, total, file + at, size - at) != total)
        return KV_E_DAMAGED;
    lay_out(opening, file + KV_OPENING_HEAD, count, opening->bytes);
    return KV_OK;
}

int kv_opening_create(struct kv_opening **opening)
{
    struct kv_opening *made = calloc(1, sizeof *made);
    if (made == NULL)
        return KV_E_MEMORY;
    int status = kv_index_init(&made->index, kv_boards[0], (2u << MOST) - 1);
    if (status == KV_OK)
        status = unpack(made);
    if (status)
        kv_opening_destroy(made);
    else
        *opening = made;
    return status;
}

void kv_opening_destroy(struct kv_opening *opening)
{
    if (opening == NULL)
        return;
    kv_index_finish(&opening->index);
    free(opening->bytes);
    free(opening);
}

bool kv_opening_fits(const struct kv_rules *rules)
{
    return kv_rules_are_classic(rules) && rules->stones == STONES && rules->no_capture_limit == 0;
}

bool kv_opening_is_on(const struct kv_position *position)
{
    return position->hand[0] + position->hand[1] >= 2 * STONES - KV_OPENING_PLIES;
}

/* The results of a position's subspace, or NULL. */
static const uint8_t *results_of(const struct kv_opening *opening, const struct kv_position *position)
{
    struct kv_subspace subspace = kv_subspace_of(position);
    return position->due == 0 && is_known(subspace)
               ? opening->results[ply_of(subspace)][subspace.mover][subspace.other]
               : NULL;
}

bool kv_opening_covers(const struct kv_opening *opening, const struct kv_position *position)
{
    return results_of(opening, position) != NULL;
}

int kv_opening_probe(const struct kv_opening *opening, const struct kv_position *position,
                     struct kv_value *value)
{
    static const int8_t outcomes[3] = {0, -1, 1};
    const uint8_t *results = results_of(opening, position);
    if (results == NULL)
        return KV_E_NOT_FOUND;
    uint32_t movers = position->stones[position->side], others = position->stones[position->side ^ 1];
    uint64_t slot = kv_index_slot(&opening->index, kv_popcount(movers), kv_popcount(others), movers, others);
    value->outcome = outcomes[kv_table_unpack(results, (uint32_t)slot)];
    value->plies = value->outcome == 0 ? 0 : -1;
    return KV_OK;
}
