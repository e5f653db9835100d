/* AND/OR search with a bound on the plies left. A position's entry in the hash holds two proven numbers
 * for an attacker: the fewest plies within which it is known to win and the most within which it is known
 * not to. Both are facts about the position alone. */
#include "puzzle/attack.h"

#include <stdlib.h>
#include <string.h>

#include "puzzle/canonical.h"

enum { NEVER = UINT16_MAX };

struct entry {
    struct kv_position key; /* canonical; `ply` holds attacker + 1, 0 marks an empty entry */
    uint16_t wins;          /* proven to win within so many plies; NEVER */
    uint16_t fails;         /* proven not to win within so many */
    kv_move move;           /* that proved it last, in the key's own view */
};

struct puzzle_attack {
    struct entry *entries;
    size_t mask;
};

int puzzle_attack_create(struct puzzle_attack **attack, size_t hash_mb)
{
    struct puzzle_attack *made = calloc(1, sizeof *made);
    if (made == NULL)
        return KV_E_MEMORY;
    size_t count = 1 << 10;
    while (count * 2 * sizeof *made->entries <= hash_mb << 20)
        count *= 2;
    made->entries = calloc(count, sizeof *made->entries);
    made->mask = count - 1;
    if (made->entries == NULL) {
        free(made);
        return KV_E_MEMORY;
    }
    *attack = made;
    return KV_OK;
}

void puzzle_attack_destroy(struct puzzle_attack *attack)
{
    if (attack)
        free(attack->entries);
    free(attack);
}

/* A win needs the other side below three stones, or blocked with an empty hand: the fewest plies in which
 * either can happen. */
static int fewest_plies(const struct puzzle_room *room, const struct kv_position *position, int attacker)
{
    if (position->due > 0 || room->rules.variant != 0)
        return 0;
    int victim = attacker ^ 1, hand = position->hand[victim];
    int stones = kv_popcount(position->stones[victim]) + hand;
    int a_turn = room->rules.double_mill == KV_DOUBLE_TWO ? 2 : 1;
    int captures = stones < 3 ? 0 : (stones - 2 + a_turn - 1) / a_turn;
    int before = position->side == attacker; /* the attacker's ply comes first */
    int by_count = captures == 0 ? 0 : 2 * captures - before;
    int by_block = 2 * hand + before;
    return by_count < by_block ? by_count : by_block;
}

struct search {
    struct puzzle_attack *attack;
    struct puzzle_room *room;
    int attacker;
};

static enum puzzle_answer run(struct search *search, const struct kv_position *position, int plies);

/* The first move that settles it for the side to move: for the attacker one that wins, for the defender
 * one that does not lose. */
static enum puzzle_answer try_moves(struct search *search, const struct kv_position *position, int plies,
                                    kv_move *moves, int count, kv_move *settled)
{
    bool attacking = position->side == search->attacker;
    enum puzzle_answer wanted = attacking ? PUZZLE_YES : PUZZLE_NO;
    for (int i = 0; i < count; i++) {
        struct kv_position after = puzzle_room_play(search->room, position, moves[i]);
        enum puzzle_answer answer = run(search, &after, plies - (after.side != position->side));
        if (answer == PUZZLE_OUT)
            return PUZZLE_OUT;
        if (answer == wanted) {
            *settled = moves[i];
            return wanted;
        }
    }
    return attacking ? PUZZLE_NO : PUZZLE_YES;
}

static enum puzzle_answer run_hashed(struct search *search, const struct kv_position *position, int plies,
                                     kv_move *moves, int count)
{
    const struct kv_rules *rules = &search->room->rules;
    struct kv_position key;
    int symmetry = puzzle_canonical(rules, position, &key);
    key.ply = (uint16_t)(search->attacker + 1);
    struct entry *entry = &search->attack->entries[puzzle_hash(&key) & search->attack->mask];
    kv_move first = KV_MOVE_NONE;
    if (puzzle_same(&entry->key, &key)) {
        if (entry->wins <= plies)
            return PUZZLE_YES;
        if (entry->fails >= plies)
            return PUZZLE_NO;
        if (entry->move != KV_MOVE_NONE)
            first = kv_move_transform(rules, entry->move, kv_board_of(rules)->inverse[symmetry]);
    }
    puzzle_room_order(search->room, position, moves, count, first);
    kv_move settled = KV_MOVE_NONE;
    enum puzzle_answer answer = try_moves(search, position, plies, moves, count, &settled);
    if (answer == PUZZLE_OUT)
        return answer;
    if (!puzzle_same(&entry->key, &key))
        *entry = (struct entry){.key = key, .wins = NEVER, .fails = 0, .move = KV_MOVE_NONE};
    if (answer == PUZZLE_YES && entry->wins > plies)
        entry->wins = (uint16_t)plies;
    if (answer == PUZZLE_NO && entry->fails < plies)
        entry->fails = (uint16_t)plies;
    if (settled != KV_MOVE_NONE)
        entry->move = kv_move_transform(rules, settled, symmetry);
    return answer;
}

static enum puzzle_answer run(struct search *search, const struct kv_position *position, int plies)
{
    struct puzzle_room *room = search->room;
    if (puzzle_room_spend(room))
        return PUZZLE_OUT;
    kv_move moves[KV_MOVES_MAX];
    int winner, count = puzzle_room_moves(room, position, moves);
    if (puzzle_room_over(room, position, count, &winner))
        return winner == search->attacker ? PUZZLE_YES : PUZZLE_NO;
    if (plies <= 0 || fewest_plies(room, position, search->attacker) > plies)
        return PUZZLE_NO;
    struct kv_value value;
    if (puzzle_room_probe(room, position, &value)) {
        int wins = position->side == search->attacker ? 1 : -1;
        if (value.outcome != wins)
            return PUZZLE_NO;
        if (value.plies >= 0)
            return value.plies <= plies ? PUZZLE_YES : PUZZLE_NO;
    }
    if (plies > 1)
        return run_hashed(search, position, plies, moves, count);
    kv_move settled;
    return try_moves(search, position, plies, moves, count, &settled);
}

enum puzzle_answer puzzle_attack_run(struct puzzle_attack *attack, struct puzzle_room *room,
                                     const struct kv_position *position, int attacker, int plies)
{
    struct search search = {attack, room, attacker};
    return run(&search, position, plies);
}
