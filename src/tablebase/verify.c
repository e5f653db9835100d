#include "tablebase/verify.h"

#include <stdlib.h>
#include <string.h>

#include "base/pages.h"
#include "base/random.h"
#include "board/movegen.h"
#include "tablebase/parallel.h"

/* What one subspace's check works with. Bytes are plies + 1, 0 = a draw, as FORMAT.md has them. */
struct check {
    const struct kv_store *store;
    struct kv_subspace subspace;
    const uint8_t *values;   /* of the subspace */
    const uint8_t *after[3]; /* of those that a turn leads to; [k]: with k stones taken */
    double share;
    _Atomic uint32_t next;
    _Atomic uint64_t checked, wrong, example;
    _Atomic bool out_of_memory;
};

static void found(struct check *check, uint64_t slot)
{
    atomic_fetch_add(&check->wrong, 1);
    atomic_store(&check->example, slot);
}

/* ---- Forward ---------------------------------------------------------------------------------- */

enum { BATCH = 32, POINTS = 24 };

/* Where turns lead that leave the same stones of the other side: its block, as that side moves next. */
struct target {
    const uint8_t *values; /* NULL: too few stones are left, lost at once */
    uint32_t free_points;  /* of the block's own stones */
    int symmetry;          /* that carries the stones left to the block's own */
};

struct targets {
    struct target none, one[POINTS], two[POINTS][POINTS]; /* by the points captured from */
    uint32_t bit[POINTS + 8]; /* of a point among the free points of the block; 0 for hands */
    uint8_t *best; /* by rank of the mover's stones after closing one mill: best capture, or UNKNOWN */
};

enum { UNKNOWN = 255 };

static struct target target_of(const struct check *check, uint32_t left)
{
    const struct kv_index *index = check->store->index;
    int stones = kv_popcount(left), arrived = check->subspace.mover + (check->subspace.hand_mover > 0);
    const uint8_t *values = check->after[check->subspace.other - stones];
    if (values == NULL)
        return (struct target){NULL, 0, 0};
    uint32_t entry = index->classes[stones].entry[kv_index_rank(index, stones, left)];
    return (struct target){
        .values = values + (uint64_t)(entry >> 4) * kv_index_block(index, stones, arrived),
        .free_points = index->board->all & ~index->classes[stones].sets[entry >> 4],
        .symmetry = (int)(entry & 15),
    };
}

static void set_targets(const struct check *check, uint32_t others, struct targets *targets)
{
    bool two = check->store->rules->double_mill == KV_DOUBLE_TWO;
    uint32_t free_points = check->store->index->board->all & ~others;
    targets->none = target_of(check, others);
    memset(targets->bit, 0, sizeof targets->bit);
    for (uint32_t rest = free_points; rest;) {
        int point = kv_take(&rest);
        targets->bit[point] = kv_compress(1u << point, free_points);
    }
    for (uint32_t firsts = others; firsts;) {
        int first = kv_take(&firsts);
        targets->one[first] = target_of(check, others & ~(1u << first));
        for (uint32_t seconds = two ? firsts : 0; seconds;) {
            int second = kv_take(&seconds);
            targets->two[first][second] = targets->two[second][first] =
                target_of(check, others & ~(1u << first) & ~(1u << second));
        }
    }
}

/* A position of the block: the mover's stones, as points and as a set of the block's free points. */
struct movers {
    uint32_t points, set;
};

KV_INLINE struct movers after_move(const struct targets *targets, struct movers movers, kv_move move)
{
    unsigned from = kv_move_from(move), to = kv_move_to(move);
    uint32_t left = from == KV_NO_POINT ? movers.points : movers.points & ~(1u << from);
    return (struct movers){left | 1u << to, (movers.set & ~targets->bit[from]) | targets->bit[to]};
}

/* The rank of the mover's stones after a move, in the block. */
KV_INLINE uint32_t rank_after(const struct check *check, const struct targets *targets, struct movers movers,
                              kv_move move)
{
    int stones = check->subspace.mover + (check->subspace.hand_mover > 0);
    return kv_index_rank(check->store->index, stones, after_move(targets, movers, move).set);
}

/* The byte of the position after a turn of white. */
KV_INLINE uint8_t successor(const struct check *check, const struct targets *targets, struct movers movers,
                            kv_move move)
{
    const struct kv_index *index = check->store->index;
    unsigned captured = kv_move_capture(move), second = kv_move_second(move);
    if (captured == KV_NO_POINT)
        return targets->none.values[rank_after(check, targets, movers, move)];
    const struct target *target =
        second == KV_NO_POINT ? &targets->one[captured] : &targets->two[captured][second];
    if (target->values == NULL)
        return 1;
    uint32_t image =
        kv_symmetry_set(index->board, target->symmetry, after_move(targets, movers, move).points);
    int stones = check->subspace.mover + (check->subspace.hand_mover > 0);
    return target->values[kv_index_rank(index, stones, kv_compress(image, target->free_points))];
}

/* What the moves seen so far come to; bytes are those of the positions they lead to. */
struct outcome {
    unsigned soonest, latest; /* win: 1 + the smallest byte; loss: the largest byte + 1 */
    bool draw;
};

KV_INLINE void add(struct outcome *outcome, unsigned byte)
{
    if (byte == 0)
        outcome->draw = true;
    else if (byte % 2 == 1)
        outcome->soonest = byte < outcome->soonest ? byte : outcome->soonest;
    else
        outcome->latest = byte + 1 > outcome->latest ? byte + 1 : outcome->latest;
}

/* No move at all: lost, and latest is still 1. */
KV_INLINE uint8_t byte_of(const struct outcome *outcome)
{
    return (uint8_t)(outcome->soonest < UNKNOWN ? outcome->soonest + 1 : outcome->draw ? 0 : outcome->latest);
}

/* The captures that one closed mill offers, moves[0..]; how many they are. What they come to depends on the
 * stones after the move alone, so it is worked out once a block. */
KV_INLINE int add_captures(const struct check *check, const struct targets *targets, struct movers movers,
                           const kv_move *moves, int count, struct outcome *outcome)
{
    uint8_t *best = &targets->best[rank_after(check, targets, movers, moves[0])];
    int group = 1;
    while (group < count && kv_move_from(moves[group]) == kv_move_from(moves[0]) &&
           kv_move_to(moves[group]) == kv_move_to(moves[0]))
        group++;
    if (*best == UNKNOWN) {
        struct outcome captures = {UNKNOWN, 1, false};
        for (int i = 0; i < group; i++)
            add(&captures, successor(check, targets, movers, moves[i]));
        *best = byte_of(&captures);
    }
    if (*best == 0)
        outcome->draw = true;
    else if (*best % 2 == 0)
        outcome->soonest = *best - 1u < outcome->soonest ? *best - 1u : outcome->soonest;
    else
        outcome->latest = *best > outcome->latest ? *best : outcome->latest;
    return group;
}

KV_INLINE uint8_t forward(const struct check *check, const struct kv_rules *rules,
                          const struct targets *targets, const struct kv_position *position, uint32_t set)
{
    kv_move moves[KV_MOVES_MAX];
    int count = kv_generate(rules, position, moves);
    struct movers movers = {position->stones[KV_WHITE], set};
    struct outcome outcome = {UNKNOWN, 1, false};
    for (int i = 0; i < count;) {
        bool captures = kv_move_capture(moves[i]) != KV_NO_POINT;
        if (captures && kv_move_second(moves[i]) == KV_NO_POINT)
            i += add_captures(check, targets, movers, moves + i, count - i, &outcome);
        else
            add(&outcome, successor(check, targets, movers, moves[i++]));
    }
    return byte_of(&outcome);
}

/* The slots of several positions, on their way into the cache. */
static void find_slots(const struct check *check, const uint32_t *movers, uint32_t others, int count,
                       uint64_t *slots)
{
    const struct kv_index *index = check->store->index;
    const uint32_t *entries = index->classes[check->subspace.mover].entry;
    for (int i = 0; i < count; i++)
        __builtin_prefetch(&entries[kv_index_rank(index, check->subspace.mover, movers[i])]);
    for (int i = 0; i < count; i++) {
        slots[i] = kv_index_slot(index, check->subspace.mover, check->subspace.other, movers[i], others);
        __builtin_prefetch(&check->values[slots[i]]);
    }
}

/* All positions with the same stones of the other side; they share their successors' blocks. */
static void check_block(struct check *check, uint32_t block, struct targets *targets)
{
    const struct kv_index *index = check->store->index;
    const struct kv_rules *rules = check->store->rules;
    int mover = check->subspace.mover, other = check->subspace.other;
    bool classic = kv_rules_are_classic(rules);
    struct kv_position position = {
        .stones = {0, index->classes[other].sets[block]},
        .hand = {check->subspace.hand_mover, check->subspace.hand_other},
    };
    uint32_t free_points = index->board->all & ~position.stones[KV_BLACK];
    uint32_t sets = kv_binomial(index->board->points - other, mover), set = (1u << mover) - 1;
    uint32_t movers[BATCH], in_block[BATCH];
    uint64_t slots[BATCH];
    int arrived = mover + (check->subspace.hand_mover > 0);
    set_targets(check, position.stones[KV_BLACK], targets);
    memset(targets->best, UNKNOWN, kv_binomial(index->board->points - other, arrived));
    for (uint32_t done = 0; done < sets;) {
        int count = 0;
        for (; count < BATCH && done < sets; done++, set = set ? kv_next_set(set) : 0) {
            in_block[count] = set;
            movers[count++] = kv_expand(set, free_points);
        }
        find_slots(check, movers, position.stones[KV_BLACK], count, slots);
        for (int i = 0; i < count; i++) {
            position.stones[KV_WHITE] = movers[i];
            uint8_t byte = classic ? forward(check, &kv_classic_rules, targets, &position, in_block[i])
                                   : forward(check, rules, targets, &position, in_block[i]);
            if (byte != check->values[slots[i]])
                found(check, slots[i]);
        }
    }
    atomic_fetch_add(&check->checked, sets);
}

static void forward_work(void *shared, int number)
{
    struct check *check = shared;
    const struct kv_index *index = check->store->index;
    uint32_t blocks = index->classes[check->subspace.other].count, block;
    struct targets targets;
    int points = index->board->points - check->subspace.other;
    targets.best = malloc(kv_binomial(points, check->subspace.mover + (check->subspace.hand_mover > 0)));
    (void)number;
    if (targets.best == NULL) {
        atomic_store(&check->out_of_memory, true);
        return;
    }
    while ((block = atomic_fetch_add(&check->next, 1)) < blocks) {
        if (check->store->cancel && atomic_load(check->store->cancel))
            break;
        if ((double)(kv_mix64(block) >> 11) * 0x1p-53 < check->share)
            check_block(check, block, &targets);
    }
    free(targets.best);
}

/* ---- Slots ------------------------------------------------------------------------------------ */

/* Slots of one position must agree: compares each with the slot that the index names. */
static void slots_work(void *shared, int number)
{
    struct check *check = shared;
    const struct kv_index *index = check->store->index;
    int mover = check->subspace.mover, other = check->subspace.other;
    uint32_t block = kv_index_block(index, mover, other), b;
    (void)number;
    while ((b = atomic_fetch_add(&check->next, 1)) < index->classes[mover].count) {
        if (index->classes[mover].stabiliser[b] == 1)
            continue;
        uint32_t free_points = index->board->all & ~index->classes[mover].sets[b], set = (1u << other) - 1;
        for (uint32_t inside = 0; inside < block; inside++, set = set ? kv_next_set(set) : 0) {
            uint64_t slot = (uint64_t)b * block + inside;
            uint32_t others = kv_expand(set, free_points), symmetries = index->classes[mover].stabiliser[b];
            while (symmetries) {
                uint32_t image = kv_index_inside(index, mover, b, kv_take(&symmetries), other, others);
                if (check->values[slot] != check->values[(uint64_t)b * block + image])
                    found(check, slot);
            }
        }
    }
}

static int compare_heads(struct check *check, bool *agrees, struct kv_error *error)
{
    struct kv_tally tally;
    struct kv_table table;
    int status = kv_store_open(check->store, KV_TABLE_DISTANCES, check->subspace, &table, error);
    if (status)
        return status;
    status = kv_store_tally(check->store, check->subspace, check->values, &tally);
    *agrees = status == KV_OK && tally.positions == table.head.positions &&
              tally.positions ==
                  kv_index_positions(check->store->index, check->subspace.mover, check->subspace.other) &&
              tally.longest_win == table.head.longest_win && tally.longest_loss == table.head.longest_loss &&
              memcmp(tally.counts, table.head.counts, sizeof tally.counts) == 0;
    kv_table_close(&table);
    return status ? kv_fail(error, status, "out of memory") : KV_OK;
}

/* ---- A subspace ------------------------------------------------------------------------------- */

static int subspace_after(struct kv_subspace subspace, int taken, struct kv_subspace *after)
{
    int places = subspace.hand_mover > 0;
    if (taken > 0 && subspace.mover + places < 2 * taken + 1)
        return 0; /* no mill, or no two mills, of so few stones */
    if (taken > subspace.other || subspace.other + subspace.hand_other - taken < 3)
        return 0;
    *after = (struct kv_subspace){(uint8_t)(subspace.other - taken), (uint8_t)(subspace.mover + places),
                                  subspace.hand_other, (uint8_t)(subspace.hand_mover - places)};
    return 1;
}

static int run_checks(struct check *check, struct kv_verify_result *result, struct kv_error *error)
{
    kv_parallel_run(check->store->threads, slots_work, check);
    int status = compare_heads(check, &result->tally_agrees, error);
    if (status)
        return status;
    atomic_store(&check->next, 0);
    kv_parallel_run(check->store->threads, forward_work, check);
    if (atomic_load(&check->out_of_memory))
        return kv_fail(error, KV_E_MEMORY, "out of memory");
    result->checked = atomic_load(&check->checked);
    result->wrong = atomic_load(&check->wrong) + !result->tally_agrees;
    result->example = atomic_load(&check->example);
    result->slots = kv_store_bytes(check->store, check->subspace);
    return check->store->cancel && atomic_load(check->store->cancel) ? kv_fail(error, KV_E_BUSY, "stopped")
                                                                     : KV_OK;
}

int kv_verify_subspace(const struct kv_store *store, struct kv_subspace subspace, double share,
                       struct kv_verify_result *result, struct kv_error *error)
{
    struct check check = {.store = store, .subspace = subspace, .share = share};
    uint8_t *values = NULL, *after[3] = {NULL, NULL, NULL};
    struct kv_subspace next[3];
    int most = store->rules->double_mill == KV_DOUBLE_TWO ? 2 : 1;
    memset(result, 0, sizeof *result);
    int status = kv_store_load(store, KV_TABLE_DISTANCES, subspace, &values, error);
    for (int taken = 0; taken <= most && status == KV_OK; taken++)
        if (subspace_after(subspace, taken, &next[taken]))
            status = kv_store_load(store, KV_TABLE_DISTANCES, next[taken], &after[taken], error);
    if (status == KV_OK) {
        check.values = values;
        memcpy(check.after, after, sizeof after);
        status = run_checks(&check, result, error);
    }
    kv_pages_give(values, kv_store_bytes(store, subspace));
    for (int taken = 0; taken < 3; taken++)
        if (after[taken])
            kv_pages_give(after[taken], kv_store_bytes(store, next[taken]));
    return status;
}

/* ---- Results ---------------------------------------------------------------------------------- */

static int compare_counts(const struct kv_store *store, struct kv_subspace subspace, const uint8_t *distances,
                          bool *agrees, struct kv_error *error)
{
    struct kv_tally tally;
    struct kv_table table;
    int status = kv_store_open(store, KV_TABLE_RESULTS, subspace, &table, error);
    if (status)
        return status;
    status = kv_store_tally(store, subspace, distances, &tally);
    for (unsigned byte = 0; byte < 256; byte++)
        table.head.counts[byte == 0 ? 0 : 2 - byte % 2] -= status == KV_OK ? tally.counts[byte] : 0;
    *agrees = status == KV_OK && tally.positions == table.head.positions;
    for (int result = 0; result < 3; result++)
        *agrees &= table.head.counts[result] == 0;
    kv_table_close(&table);
    return status ? kv_fail(error, status, "out of memory") : KV_OK;
}

int kv_verify_results(const struct kv_store *results, const struct kv_store *distances,
                      struct kv_subspace subspace, struct kv_verify_result *result, struct kv_error *error)
{
    uint8_t *found = NULL, *wanted = NULL;
    memset(result, 0, sizeof *result);
    int status = kv_store_load(results, KV_TABLE_RESULTS, subspace, &found, error);
    if (status == KV_OK)
        status = kv_store_load(distances, KV_TABLE_DISTANCES, subspace, &wanted, error);
    if (status == KV_OK)
        status = compare_counts(results, subspace, wanted, &result->tally_agrees, error);
    result->slots = kv_store_bytes(results, subspace);
    for (uint64_t slot = 0; status == KV_OK && slot < result->slots; slot++)
        if (found[slot] != (wanted[slot] == 0 ? 0 : 2 - wanted[slot] % 2)) {
            result->wrong++;
            result->example = slot;
        }
    result->wrong += !result->tally_agrees;
    kv_pages_give(found, result->slots);
    kv_pages_give(wanted, result->slots);
    return status;
}
