#include "puzzle/canonical.h"

#include <string.h>

#include "base/random.h"
#include "board/movegen.h"

_Static_assert(sizeof(struct kv_position) == 24, "a position is compared as bytes and may hold no gaps");

int puzzle_canonical(const struct kv_rules *rules, const struct kv_position *position,
                     struct kv_position *image)
{
    const struct kv_board *board = kv_board_of(rules);
    uint64_t best = UINT64_MAX;
    int symmetry = 0;
    for (int s = 0; s < board->symmetries; s++) {
        uint64_t key = (uint64_t)kv_symmetry_set(board, s, position->stones[0]) << 24 |
                       kv_symmetry_set(board, s, position->stones[1]);
        if (key < best) {
            best = key;
            symmetry = s;
        }
    }
    kv_position_transform(rules, position, symmetry, image);
    image->ply = 0;
    if (rules->no_capture_limit == 0)
        image->quiet = 0;
    return symmetry;
}

void puzzle_canonical_white(const struct kv_rules *rules, const struct kv_position *position,
                            struct kv_position *image)
{
    struct kv_position swapped = *position;
    if (position->side == KV_BLACK)
        kv_position_swap_colours(position, &swapped);
    puzzle_canonical(rules, &swapped, image);
}

uint64_t puzzle_hash(const struct kv_position *image)
{
    uint64_t words[3];
    memcpy(words, image, sizeof words);
    return kv_mix64(words[0] ^ kv_mix64(words[1] ^ kv_mix64(words[2] + 1)));
}

bool puzzle_same(const struct kv_position *a, const struct kv_position *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}
