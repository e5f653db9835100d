#include "search/root.h"

#include <stdlib.h>

#include "search/skill.h"

static bool wanted(const struct kv_limits *limits, kv_move move)
{
    for (int i = 0; i < limits->move_count; i++)
        if (limits->moves[i] == move)
            return true;
    return false;
}

int kv_root_list(const struct kv_rules *rules, const struct kv_position *position,
                 const struct kv_limits *limits, struct kv_root_move **roots)
{
    kv_move moves[KV_MOVES_MAX];
    int count = kv_moves(rules, position, moves), kept = 0;
    for (int i = 0; i < count && limits->moves; i++)
        if (wanted(limits, moves[i]))
            moves[kept++] = moves[i];
    if (kept > 0)
        count = kept;
    struct kv_root_move *list = calloc((size_t)(count > 0 ? count : 1), sizeof *list);
    if (!list)
        return KV_E_MEMORY;
    for (int i = 0; i < count; i++) {
        list[i].move = list[i].pv[0] = moves[i];
        list[i].pv_length = 1;
        list[i].score = list[i].previous = -KV_SCORE_NONE;
    }
    *roots = list;
    return count;
}

/* The value of `move` for the side that makes it: larger is better; wins sooner, losses later. */
static bool value_of(struct kv_tablebase *tablebase, const struct kv_rules *rules,
                     const struct kv_position *position, kv_move move, int *value)
{
    struct kv_position next = *position;
    struct kv_value known;
    kv_position_play(rules, &next, move);
    if (next.due > 0)
        return false;
    if (kv_position_result(rules, &next, NULL) != KV_ONGOING)
        known = (struct kv_value){-1, 0}; /* only the side to move can have lost */
    else if (!kv_tablebase_covers(tablebase, &next) || kv_tablebase_probe(tablebase, &next, &known) != KV_OK)
        return false;
    *value = known.outcome == 0 ? 0
             : known.plies < 0  ? -known.outcome * KV_SCORE_TABLE
                                : -known.outcome * (KV_SCORE_WIN - 1 - known.plies);
    return true;
}

int kv_root_filter(struct kv_tablebase *tablebase, const struct kv_rules *rules,
                   const struct kv_position *position, struct kv_root_move *roots, int count,
                   enum kv_root_value *root_value)
{
    int best = -KV_SCORE_NONE, kept = 0;
    *root_value = KV_ROOT_UNKNOWN;
    if (!tablebase || (position->due == 0 && !kv_tablebase_covers(tablebase, position)))
        return count;
    for (int i = 0; i < count; i++) {
        int value;
        if (!value_of(tablebase, rules, position, roots[i].move, &value))
            return count;
        roots[i].previous = value;
        best = value > best ? value : best;
    }
    for (int i = 0; i < count; i++)
        if (roots[i].previous == best) {
            roots[kept] = roots[i];
            roots[kept++].previous = -KV_SCORE_NONE;
        }
    *root_value = kv_root_value_of((best > 0) - (best < 0), position->side);
    return kept;
}

/* How many replies to `move` lose; 0 where a value is not known. */
static uint32_t losing_replies(struct kv_tablebase *tablebase, const struct kv_rules *rules,
                               const struct kv_position *position, kv_move move)
{
    struct kv_position next = *position;
    kv_move replies[KV_MOVES_MAX];
    kv_position_play(rules, &next, move);
    int count = kv_moves(rules, &next, replies), value;
    uint32_t losing = 0;
    for (int i = 0; i < count; i++) {
        if (!value_of(tablebase, rules, &next, replies[i], &value))
            return 0;
        losing += value < 0;
    }
    return losing;
}

int kv_root_vary(struct kv_tablebase *tablebase, const struct kv_rules *rules,
                 const struct kv_position *position, struct kv_root_move *roots, int count, uint64_t seed)
{
    struct kv_random random = kv_skill_random(seed, position);
    uint32_t sum = 0;
    int chosen = 0;
    for (int i = 0; i < count; i++) {
        uint32_t weight = 1 + losing_replies(tablebase, rules, position, roots[i].move);
        sum += weight;
        if (kv_random_below(&random, sum) < weight)
            chosen = i;
    }
    roots[0] = roots[chosen];
    return 1;
}

void kv_root_complete_line(struct kv_tablebase *tablebase, const struct kv_rules *rules,
                           const struct kv_position *position, struct kv_root_move *root)
{
    if (!tablebase || root->score == -KV_SCORE_NONE || !kv_score_is_mate(root->score))
        return;
    struct kv_position now = *position;
    for (int i = 0; i < root->pv_length; i++)
        kv_position_play(rules, &now, root->pv[i]);
    int end = abs(kv_score_mate_plies(root->score));
    while (root->pv_length < end && root->pv_length < KV_PLY_MAX &&
           kv_position_result(rules, &now, NULL) == KV_ONGOING) {
        kv_move moves[KV_MOVES_MAX], choice = KV_MOVE_NONE;
        int count = kv_moves(rules, &now, moves), best = -KV_SCORE_NONE, value;
        for (int i = 0; i < count; i++) {
            if (!value_of(tablebase, rules, &now, moves[i], &value) || abs(value) == KV_SCORE_TABLE)
                return;
            if (value > best) {
                best = value;
                choice = moves[i];
            }
        }
        root->pv[root->pv_length++] = choice;
        kv_position_play(rules, &now, choice);
    }
}
