/* A game of safety, solved on the fly (after Liu and Smolka, "Simple linear-time algorithms for minimal
 * fixed points", 1998). Every position is believed to hold until the contrary is shown. Where the
 * attacker moves, all moves are followed; where the defender moves, one choice is, and another when that
 * one is lost. When nothing that matters is left to look at, the positions reached are closed under the
 * defender's choices and all of the attacker's moves, and none of them is lost: a strategy for ever.
 * A position is marked lost only by the rules, by a table, or because its moves say so. */
#include "puzzle/hold.h"

#include <stdlib.h>
#include <string.h>

#include "puzzle/canonical.h"

#define NONE UINT32_MAX
enum state { BELIEVED, HOLDS, LOST };

struct node {
    struct kv_position position; /* canonical */
    uint32_t next;               /* in the same hash chain */
    uint32_t parents;            /* list of edges */
    uint32_t choice;             /* defender to move: the node chosen; NONE before it is looked at */
    uint32_t mark;               /* of the last walk that came here */
    uint8_t state, expanded, queued;
};

struct edge {
    uint32_t parent, next;
};

struct puzzle_hold {
    int defender;
    struct node *nodes;
    uint32_t node_count, node_capacity;
    struct edge *edges;
    uint32_t edge_count, edge_capacity;
    uint32_t *chains;
    uint32_t chain_mask;
    uint32_t *queue; /* to be expanded, last in first out; holds each node at most once */
    uint32_t queue_count;
    uint32_t *work; /* scratch for walks; as large as `nodes` */
    uint32_t mark;
};

int puzzle_hold_create(struct puzzle_hold **hold, int defender)
{
    struct puzzle_hold *made = calloc(1, sizeof *made);
    if (made == NULL)
        return KV_E_MEMORY;
    made->defender = defender;
    *hold = made;
    return KV_OK;
}

void puzzle_hold_destroy(struct puzzle_hold *hold)
{
    if (hold == NULL)
        return;
    free(hold->nodes);
    free(hold->edges);
    free(hold->chains);
    free(hold->queue);
    free(hold->work);
    free(hold);
}

void puzzle_hold_clear(struct puzzle_hold *hold)
{
    hold->node_count = hold->edge_count = hold->queue_count = 0;
    if (hold->chains)
        memset(hold->chains, 0xff, ((size_t)hold->chain_mask + 1) * sizeof *hold->chains);
}

/* ---- Storage ------------------------------------------------------------------------------------ */

static bool resize(void *array, size_t count, size_t size)
{
    void *old, *larger;
    memcpy(&old, array, sizeof old);
    larger = realloc(old, count * size);
    if (larger)
        memcpy(array, &larger, sizeof larger);
    return larger != NULL;
}

static bool grow_nodes(struct puzzle_hold *hold)
{
    uint32_t capacity = hold->node_capacity ? hold->node_capacity * 2 : 1 << 12;
    if (!resize(&hold->nodes, capacity, sizeof *hold->nodes) ||
        !resize(&hold->queue, capacity, sizeof *hold->queue) ||
        !resize(&hold->work, capacity, sizeof *hold->work) ||
        !resize(&hold->chains, capacity, sizeof *hold->chains))
        return false;
    hold->node_capacity = capacity;
    hold->chain_mask = capacity - 1;
    memset(hold->chains, 0xff, (size_t)capacity * sizeof *hold->chains);
    for (uint32_t n = 0; n < hold->node_count; n++) {
        uint32_t *chain = &hold->chains[puzzle_hash(&hold->nodes[n].position) & hold->chain_mask];
        hold->nodes[n].next = *chain;
        *chain = n;
    }
    return true;
}

static uint32_t find(const struct puzzle_hold *hold, const struct kv_position *canonical, uint64_t hash)
{
    if (hold->node_capacity == 0)
        return NONE;
    uint32_t n = hold->chains[hash & hold->chain_mask];
    while (n != NONE && !puzzle_same(&hold->nodes[n].position, canonical))
        n = hold->nodes[n].next;
    return n;
}

/* What is known of a position at first sight. */
static enum state glance(const struct puzzle_hold *hold, const struct puzzle_room *room,
                         const struct kv_position *position)
{
    enum kv_result result = kv_position_result(&room->rules, position, NULL);
    if (result != KV_ONGOING)
        return result == (hold->defender == KV_WHITE ? KV_BLACK_WINS : KV_WHITE_WINS) ? LOST : HOLDS;
    struct kv_value value;
    if (!puzzle_room_probe(room, position, &value))
        return BELIEVED;
    int outcome = position->side == hold->defender ? value.outcome : -value.outcome;
    return outcome < 0 ? LOST : HOLDS;
}

/* The node of a position, made if need be; NONE when memory is short. */
static uint32_t node_of(struct puzzle_hold *hold, const struct puzzle_room *room,
                        const struct kv_position *position)
{
    struct kv_position canonical;
    puzzle_canonical(&room->rules, position, &canonical);
    uint64_t hash = puzzle_hash(&canonical);
    uint32_t n = find(hold, &canonical, hash);
    if (n != NONE)
        return n;
    if (hold->node_count == hold->node_capacity && !grow_nodes(hold))
        return NONE;
    n = hold->node_count++;
    uint32_t *chain = &hold->chains[hash & hold->chain_mask];
    hold->nodes[n] = (struct node){
        .position = canonical, .next = *chain, .parents = NONE, .choice = NONE, .state = BELIEVED};
    hold->nodes[n].state = (uint8_t)glance(hold, room, &canonical);
    *chain = n;
    return n;
}

static bool add_edge(struct puzzle_hold *hold, uint32_t parent, uint32_t child)
{
    if (hold->edge_count == hold->edge_capacity) {
        uint32_t capacity = hold->edge_capacity ? hold->edge_capacity * 2 : 1 << 14;
        if (!resize(&hold->edges, capacity, sizeof *hold->edges))
            return false;
        hold->edge_capacity = capacity;
    }
    hold->edges[hold->edge_count] = (struct edge){parent, hold->nodes[child].parents};
    hold->nodes[child].parents = hold->edge_count++;
    return true;
}

static void enqueue(struct puzzle_hold *hold, uint32_t n)
{
    struct node *node = &hold->nodes[n];
    if (node->state != BELIEVED || node->expanded || node->queued)
        return;
    node->queued = 1;
    hold->queue[hold->queue_count++] = n;
}

/* ---- Choosing and losing ------------------------------------------------------------------------ */

static bool defends(const struct puzzle_hold *hold, const struct node *node)
{
    return node->position.side == hold->defender;
}

/* Does anything that is still believed lean on this node? */
static bool is_wanted(const struct puzzle_hold *hold, uint32_t n)
{
    for (uint32_t e = hold->nodes[n].parents; e != NONE; e = hold->edges[e].next) {
        const struct node *parent = &hold->nodes[hold->edges[e].parent];
        if (parent->state == BELIEVED && (!defends(hold, parent) || parent->choice == n))
            return true;
    }
    return false;
}

/* The defender's next choice at `n`: a move known to hold, else one into positions met before, else the
 * most promising one. LOST when none is left. */
static int choose(struct puzzle_hold *hold, struct puzzle_room *room, uint32_t n)
{
    kv_move moves[KV_MOVES_MAX];
    struct kv_position position = hold->nodes[n].position;
    int count = puzzle_room_moves(room, &position, moves);
    room->nodes += (uint64_t)count; /* each is looked up */
    uint32_t chosen = NONE;
    puzzle_room_order(room, &position, moves, count, KV_MOVE_NONE);
    struct kv_position fresh;
    bool has_fresh = false;
    for (int i = 0; i < count; i++) {
        struct kv_position after = puzzle_room_play(room, &position, moves[i]), canonical;
        puzzle_canonical(&room->rules, &after, &canonical);
        uint32_t child = find(hold, &canonical, puzzle_hash(&canonical));
        enum state state = child == NONE ? glance(hold, room, &canonical) : hold->nodes[child].state;
        if (state == HOLDS) {
            hold->nodes[n].state = HOLDS;
            return KV_OK;
        }
        if (state == LOST)
            continue;
        if (child != NONE && chosen == NONE && hold->nodes[child].expanded)
            chosen = child;
        if (!has_fresh) {
            fresh = after;
            has_fresh = true;
        }
    }
    if (chosen == NONE && has_fresh)
        chosen = node_of(hold, room, &fresh);
    if (chosen == NONE && has_fresh)
        return KV_E_MEMORY;
    hold->nodes[n].choice = chosen;
    if (chosen == NONE) {
        hold->nodes[n].state = LOST;
        return KV_OK;
    }
    enqueue(hold, chosen);
    return add_edge(hold, n, chosen) ? KV_OK : KV_E_MEMORY;
}

/* `n` has just become lost: what leaned on it is lost too, or must choose again. */
static int spread_loss(struct puzzle_hold *hold, struct puzzle_room *room, uint32_t n)
{
    uint32_t *work = hold->work, count = 0;
    work[count++] = n;
    while (count > 0) {
        n = work[--count];
        for (uint32_t e = hold->nodes[n].parents; e != NONE; e = hold->edges[e].next) {
            uint32_t p = hold->edges[e].parent;
            struct node *parent = &hold->nodes[p];
            if (parent->state != BELIEVED)
                continue;
            if (!defends(hold, parent))
                parent->state = LOST;
            else if (parent->choice == n && choose(hold, room, p))
                return KV_E_MEMORY;
            work = hold->work; /* choose may have moved it */
            if (hold->nodes[p].state == LOST)
                work[count++] = p;
        }
    }
    return KV_OK;
}

/* Looks at a node for the first time. */
static int expand(struct puzzle_hold *hold, struct puzzle_room *room, uint32_t n)
{
    hold->nodes[n].expanded = 1;
    if (defends(hold, &hold->nodes[n])) {
        int status = choose(hold, room, n);
        return status || hold->nodes[n].state != LOST ? status : spread_loss(hold, room, n);
    }
    kv_move moves[KV_MOVES_MAX];
    struct kv_position position = hold->nodes[n].position;
    int count = puzzle_room_moves(room, &position, moves);
    room->nodes += (uint64_t)count;
    puzzle_room_order(room, &position, moves, count, KV_MOVE_NONE);
    for (int i = count; i-- > 0;) { /* the most promising one is queued last and looked at first */
        struct kv_position after = puzzle_room_play(room, &position, moves[i]);
        uint32_t child = node_of(hold, room, &after);
        if (child == NONE || !add_edge(hold, n, child))
            return KV_E_MEMORY;
        if (hold->nodes[child].state == LOST) {
            hold->nodes[n].state = LOST;
            return spread_loss(hold, room, n);
        }
        enqueue(hold, child);
    }
    return KV_OK;
}

/* ---- Walking ------------------------------------------------------------------------------------ */

/* Visits what `root` leans on. Queues whatever was never looked at, or, with `settle`, marks all of it as
 * holding. */
static void walk(struct puzzle_hold *hold, struct puzzle_room *room, uint32_t root, bool settle)
{
    uint32_t count = 0, mark = ++hold->mark;
    hold->work[count++] = root;
    hold->nodes[root].mark = mark;
    while (count > 0) {
        uint32_t n = hold->work[--count];
        struct node *node = &hold->nodes[n];
        if (node->state != BELIEVED)
            continue;
        if (!node->expanded) {
            enqueue(hold, n);
            continue;
        }
        if (settle)
            node->state = HOLDS;
        if (defends(hold, node)) {
            if (node->choice != NONE && hold->nodes[node->choice].mark != mark) {
                hold->nodes[node->choice].mark = mark;
                hold->work[count++] = node->choice;
            }
            continue;
        }
        kv_move moves[KV_MOVES_MAX];
        struct kv_position position = node->position;
        for (int i = puzzle_room_moves(room, &position, moves); i-- > 0;) {
            struct kv_position after = puzzle_room_play(room, &position, moves[i]);
            uint32_t child = node_of(hold, room, &after); /* exists: the node was expanded */
            if (child != NONE && hold->nodes[child].mark != mark) {
                hold->nodes[child].mark = mark;
                hold->work[count++] = child;
            }
        }
    }
}

int puzzle_hold_run(struct puzzle_hold *hold, struct puzzle_room *room, const struct kv_position *position,
                    uint64_t node_cap, enum puzzle_answer *answer)
{
    uint32_t root = node_of(hold, room, position);
    if (root == NONE)
        return KV_E_MEMORY;
    for (uint32_t i = 0; i < hold->queue_count; i++)
        hold->nodes[hold->queue[i]].queued = 0;
    hold->queue_count = 0;
    uint64_t end = room->nodes + node_cap;
    while (hold->nodes[root].state == BELIEVED) {
        if (hold->queue_count == 0) {
            /* A choice may have fallen on a node of an earlier question whose own support was never
             * looked at: only a walk that finds nothing new is the proof. */
            walk(hold, room, root, false);
            if (hold->queue_count == 0)
                break;
        }
        uint32_t n = hold->queue[--hold->queue_count];
        hold->nodes[n].queued = 0;
        if (hold->nodes[n].state != BELIEVED || (n != root && !is_wanted(hold, n)))
            continue;
        if (room->nodes >= end || puzzle_room_spend(room)) {
            *answer = PUZZLE_OUT;
            return KV_OK;
        }
        int status = expand(hold, room, n);
        if (status)
            return status;
    }
    if (hold->nodes[root].state == BELIEVED)
        walk(hold, room, root, true);
    *answer = hold->nodes[root].state == LOST ? PUZZLE_NO : PUZZLE_YES;
    return KV_OK;
}

kv_move puzzle_hold_move(struct puzzle_hold *hold, struct puzzle_room *room,
                         const struct kv_position *position)
{
    kv_move moves[KV_MOVES_MAX];
    int count = puzzle_room_moves(room, position, moves);
    puzzle_room_order(room, position, moves, count, KV_MOVE_NONE);
    for (int i = 0; i < count; i++) {
        struct kv_position after = puzzle_room_play(room, position, moves[i]), canonical;
        puzzle_canonical(&room->rules, &after, &canonical);
        uint32_t child = find(hold, &canonical, puzzle_hash(&canonical));
        if ((child == NONE ? glance(hold, room, &canonical) : hold->nodes[child].state) == HOLDS)
            return moves[i];
    }
    return KV_MOVE_NONE;
}
