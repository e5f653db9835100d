#include "puzzle/judge.h"

#include <stdlib.h>

#include "base/clock.h"
#include "puzzle/attack.h"
#include "puzzle/hold.h"

enum { PLIES_MAX = 200, HOLD_FLOOR = 200, HOLD_UNLIMITED = 400000, DRAW_LINE = 6 };

struct puzzle_judge {
    struct puzzle_room room;
    struct puzzle_attack *attack;
    struct puzzle_hold *hold[2]; /* by defending side */
};

int puzzle_judge_create(struct puzzle_judge **judge, const struct kv_rules *rules,
                        struct kv_tablebase *tablebase, size_t hash_mb, atomic_bool *stop)
{
    struct puzzle_judge *made = calloc(1, sizeof *made);
    if (made == NULL)
        return KV_E_MEMORY;
    made->room = (struct puzzle_room){
        .rules = *rules, .classic = kv_rules_are_classic(rules), .tablebase = tablebase, .stop = stop};
    if (puzzle_attack_create(&made->attack, hash_mb) || puzzle_hold_create(&made->hold[0], 0) ||
        puzzle_hold_create(&made->hold[1], 1)) {
        puzzle_judge_destroy(made);
        return KV_E_MEMORY;
    }
    *judge = made;
    return KV_OK;
}

void puzzle_judge_destroy(struct puzzle_judge *judge)
{
    if (judge == NULL)
        return;
    puzzle_attack_destroy(judge->attack);
    puzzle_hold_destroy(judge->hold[0]);
    puzzle_hold_destroy(judge->hold[1]);
    free(judge);
}

const struct kv_rules *puzzle_judge_rules(const struct puzzle_judge *judge)
{
    return &judge->room.rules;
}

struct puzzle_verdict puzzle_judge_glance(struct puzzle_judge *judge, const struct kv_position *position)
{
    struct puzzle_verdict verdict = puzzle_open_verdict;
    enum kv_result result = kv_position_result(&judge->room.rules, position, NULL);
    struct kv_value value = {0};
    if (result == KV_DRAW) {
        verdict.source = PUZZLE_BY_RULES;
    } else if (result != KV_ONGOING) {
        verdict.source = PUZZLE_BY_RULES;
        value.outcome = (result == KV_WHITE_WINS) == (position->side == KV_WHITE) ? 1 : -1;
    } else if (puzzle_room_probe(&judge->room, position, &value)) {
        verdict.source = PUZZLE_BY_TABLE;
    } else {
        return verdict;
    }
    verdict.low = verdict.high = value.outcome;
    verdict.plies = value.plies;
    return verdict;
}

/* ---- One position ------------------------------------------------------------------------------- */

struct task {
    struct puzzle_judge *judge;
    const struct kv_position *position;
    const struct puzzle_limits *limits;
    struct puzzle_analysis *analysis;
    struct puzzle_verdict known; /* of the position itself, apart from its moves */
    uint64_t hold_nodes;         /* spent on the second kind of proof */
};

static struct kv_position after(const struct task *task, int i)
{
    return puzzle_room_play(&task->judge->room, task->position, task->analysis->moves[i].move);
}

/* Brings the verdicts of moves and position to agree. */
static void settle(struct task *task)
{
    struct puzzle_analysis *analysis = task->analysis;
    analysis->verdict = puzzle_verdict_combine(&task->known, analysis->moves, analysis->count);
    for (int i = 0; i < analysis->count; i++) {
        struct puzzle_verdict *move = &analysis->moves[i].verdict;
        if (move->high > analysis->verdict.high) {
            move->high = analysis->verdict.high;
            move->source = analysis->verdict.source;
            if (puzzle_is_settled(move) && move->low == 0)
                move->plies = 0;
        }
    }
}

static bool is_done(const struct task *task)
{
    const struct puzzle_analysis *analysis = task->analysis;
    if (!puzzle_is_exact(&analysis->verdict))
        return false;
    if (task->limits->value_only)
        return true;
    for (int i = 0; i < analysis->count; i++)
        if (!puzzle_is_exact(&analysis->moves[i].verdict))
            return false;
    return true;
}

/* Asks of every open move whether it wins (n odd) or loses (n even) within n plies: a game is decided
 * against the side to move, so wins come after an odd number of plies and losses after an even one. */
static void deepen(struct task *task, int n)
{
    int us = task->position->side, attacker = n & 1 ? us : us ^ 1;
    int8_t outcome = n & 1 ? 1 : -1;
    for (int i = 0; i < task->analysis->count; i++) {
        struct puzzle_verdict *verdict = &task->analysis->moves[i].verdict;
        bool possible = outcome == 1 ? verdict->high == 1 : verdict->low == -1;
        if (!possible || puzzle_is_exact(verdict))
            continue;
        struct kv_position next = after(task, i);
        switch (puzzle_attack_run(task->judge->attack, &task->judge->room, &next, attacker,
                                  n - (next.side != us))) {
        case PUZZLE_YES:
            verdict->low = verdict->high = outcome;
            verdict->plies = (int16_t)n;
            verdict->source = PUZZLE_BY_PROOF;
            break;
        case PUZZLE_NO: *(outcome == 1 ? &verdict->no_win : &verdict->no_loss) = (int16_t)(n + 1); break;
        case PUZZLE_OUT: return;
        }
    }
}

static int hold_run(struct task *task, int defender, const struct kv_position *position, uint64_t cap,
                    enum puzzle_answer *answer)
{
    struct puzzle_room *room = &task->judge->room;
    uint64_t before = room->nodes;
    *answer = PUZZLE_OUT;
    int status = puzzle_hold_run(task->judge->hold[defender], room, position, cap, answer);
    task->hold_nodes += room->nodes - before;
    return status;
}

/* Can the position be held by its mover, and by the other side? */
static int hold_root(struct task *task, uint64_t cap)
{
    int us = task->position->side;
    enum puzzle_answer answer;
    if (task->analysis->verdict.low == -1) {
        if (hold_run(task, us, task->position, cap / 2, &answer))
            return KV_E_MEMORY;
        if (answer != PUZZLE_OUT)
            task->known.source = PUZZLE_BY_PROOF;
        if (answer == PUZZLE_NO)
            task->known.high = -1;
        if (answer == PUZZLE_YES) {
            task->known.low = 0;
            kv_move move = puzzle_hold_move(task->judge->hold[us], &task->judge->room, task->position);
            for (int i = 0; i < task->analysis->count; i++)
                if (task->analysis->moves[i].move == move && task->analysis->moves[i].verdict.low < 0) {
                    task->analysis->moves[i].verdict.low = 0;
                    task->analysis->moves[i].verdict.source = PUZZLE_BY_PROOF;
                }
        }
    }
    if (task->analysis->verdict.high == 1 && task->known.high == 1) {
        if (hold_run(task, us ^ 1, task->position, cap / 2, &answer))
            return KV_E_MEMORY;
        if (answer != PUZZLE_OUT)
            task->known.source = PUZZLE_BY_PROOF;
        if (answer == PUZZLE_YES)
            task->known.high = 0;
        if (answer == PUZZLE_NO)
            task->known.low = 1;
    }
    return KV_OK;
}

/* With the position settled: which of the open moves keep its value? */
static int hold_moves(struct task *task, uint64_t cap)
{
    struct puzzle_analysis *analysis = task->analysis;
    int us = task->position->side, value = analysis->verdict.low, open = 0;
    if (value == -1)
        return KV_OK;
    for (int i = 0; i < analysis->count; i++)
        open += !puzzle_is_settled(&analysis->moves[i].verdict);
    for (int i = 0; i < analysis->count; i++) {
        struct puzzle_verdict *verdict = &analysis->moves[i].verdict;
        if (puzzle_is_settled(verdict))
            continue;
        struct kv_position next = after(task, i);
        enum puzzle_answer answer;
        if (hold_run(task, value == 1 ? us ^ 1 : us, &next, cap / (uint64_t)open + 1, &answer))
            return KV_E_MEMORY;
        if (answer == PUZZLE_OUT)
            continue;
        verdict->source = PUZZLE_BY_PROOF;
        if (value == 1)
            *(answer == PUZZLE_YES ? &verdict->high : &verdict->low) = answer == PUZZLE_YES ? 0 : 1;
        else
            *(answer == PUZZLE_YES ? &verdict->low : &verdict->high) = answer == PUZZLE_YES ? 0 : -1;
        if (puzzle_is_settled(verdict) && verdict->low == 0)
            verdict->plies = 0;
    }
    return KV_OK;
}

static int hold_stage(struct task *task, uint64_t cap)
{
    int status = KV_OK;
    if (!puzzle_is_settled(&task->analysis->verdict))
        status = hold_root(task, cap);
    else if (!task->limits->value_only)
        status = hold_moves(task, cap);
    if (status) { /* the half-made sets are of no use */
        puzzle_hold_clear(task->judge->hold[0]);
        puzzle_hold_clear(task->judge->hold[1]);
    }
    settle(task);
    return status;
}

/* Both kinds of proof in turn, with about equal effort; the last quarter belongs to the second. */
static int prove(struct task *task)
{
    struct puzzle_room *room = &task->judge->room;
    const struct puzzle_limits *limits = task->limits;
    uint64_t all = limits->nodes ? limits->nodes : UINT64_MAX;
    int plies = limits->plies > 0 && limits->plies < PLIES_MAX ? limits->plies : PLIES_MAX;
    int64_t deadline = room->deadline_ns;
    int status = KV_OK;
    room->node_limit = limits->nodes ? all - all / 4 : UINT64_MAX;
    if (deadline != INT64_MAX)
        room->deadline_ns = deadline - limits->time_ms * 250000;
    for (int n = 1; n <= plies && !is_done(task) && !room->out && status == KV_OK; n++) {
        deepen(task, n);
        settle(task);
        uint64_t attack_nodes = room->nodes - task->hold_nodes;
        if (!is_done(task) && !room->out && attack_nodes + HOLD_FLOOR > task->hold_nodes)
            status = hold_stage(task, attack_nodes + HOLD_FLOOR - task->hold_nodes);
    }
    if (room->stop && atomic_load(room->stop))
        return status;
    room->out = false;
    room->node_limit = all;
    room->deadline_ns = deadline;
    for (int pass = 0; pass < 2 && status == KV_OK && !is_done(task) && !room->out; pass++)
        status = hold_stage(task, limits->nodes ? all - room->nodes : HOLD_UNLIMITED);
    return status;
}

/* ---- The main line ------------------------------------------------------------------------------ */

/* The move at `position` after which `attacker` still wins within `plies`: of the attacker the first, of
 * the defender one that lasts so long. KV_MOVE_NONE when a limit came first. */
static kv_move line_move(struct puzzle_judge *judge, const struct kv_position *position, int attacker,
                         int plies)
{
    kv_move moves[KV_MOVES_MAX];
    int count = puzzle_room_moves(&judge->room, position, moves);
    puzzle_room_order(&judge->room, position, moves, count, KV_MOVE_NONE);
    bool attacks = position->side == attacker;
    for (int i = 0; i < count; i++) {
        struct kv_position next = puzzle_room_play(&judge->room, position, moves[i]);
        int left = plies - (next.side != position->side);
        enum puzzle_answer answer =
            puzzle_attack_run(judge->attack, &judge->room, &next, attacker, attacks ? left : left - 2);
        if (answer == PUZZLE_OUT)
            break;
        if (answer == (attacks ? PUZZLE_YES : PUZZLE_NO))
            return moves[i];
    }
    return KV_MOVE_NONE;
}

/* A move that keeps a draw known at sight or by the sets that hold. */
static kv_move drawing_move(struct puzzle_judge *judge, const struct kv_position *position)
{
    kv_move moves[KV_MOVES_MAX];
    int count = puzzle_room_moves(&judge->room, position, moves);
    puzzle_room_order(&judge->room, position, moves, count, KV_MOVE_NONE);
    for (int i = 0; i < count; i++) {
        struct kv_position next = puzzle_room_play(&judge->room, position, moves[i]);
        struct puzzle_verdict verdict = puzzle_judge_glance(judge, &next);
        if (verdict.source != PUZZLE_UNKNOWN && verdict.low == 0)
            return moves[i];
    }
    return puzzle_hold_move(judge->hold[position->side], &judge->room, position);
}

static void find_line(struct task *task)
{
    struct puzzle_judge *judge = task->judge;
    struct puzzle_analysis *analysis = task->analysis;
    if (analysis->count == 0 || !puzzle_is_exact(&analysis->verdict))
        return;
    struct puzzle_room *room = &judge->room;
    int outcome = analysis->verdict.low, plies = analysis->verdict.plies;
    int attacker = outcome == 1 ? task->position->side : task->position->side ^ 1;
    struct kv_position position = *task->position;
    room->out = false;
    room->node_limit = room->nodes + (room->node_limit == UINT64_MAX ? UINT64_MAX / 2 : 100000);
    kv_move move = analysis->moves[0].move;
    while (move != KV_MOVE_NONE && analysis->line_length < KV_PLY_MAX) {
        analysis->line[analysis->line_length++] = move;
        struct kv_position next = puzzle_room_play(room, &position, move);
        plies -= next.side != position.side;
        position = next;
        if (kv_position_result(&room->rules, &position, NULL) != KV_ONGOING) {
            analysis->line_ends = true;
            return;
        }
        if (outcome == 0)
            move = analysis->line_length < DRAW_LINE ? drawing_move(judge, &position) : KV_MOVE_NONE;
        else
            move = line_move(judge, &position, attacker, plies);
    }
}

int puzzle_judge_position(struct puzzle_judge *judge, const struct kv_position *position,
                          const struct puzzle_limits *limits, struct puzzle_analysis *analysis)
{
    struct puzzle_room *room = &judge->room;
    int64_t start = kv_clock_ns();
    room->nodes = room->clock_nodes = 0;
    room->out = false;
    room->node_limit = limits->nodes ? limits->nodes : UINT64_MAX;
    room->deadline_ns = limits->time_ms ? start + limits->time_ms * 1000000 : INT64_MAX;
    *analysis = (struct puzzle_analysis){0};
    struct task task = {judge, position, limits, analysis, puzzle_judge_glance(judge, position), 0};
    kv_move moves[KV_MOVES_MAX];
    int count = task.known.source == PUZZLE_BY_RULES ? 0 : puzzle_room_moves(room, position, moves);
    analysis->moves = calloc((size_t)count + 1, sizeof *analysis->moves);
    if (analysis->moves == NULL)
        return KV_E_MEMORY;
    puzzle_room_order(room, position, moves, count, KV_MOVE_NONE);
    analysis->count = count;
    for (int i = 0; i < count; i++) {
        struct kv_position next = puzzle_room_play(room, position, moves[i]);
        analysis->moves[i].move = moves[i];
        analysis->moves[i].verdict =
            puzzle_verdict_before(puzzle_judge_glance(judge, &next), next.side != position->side);
    }
    puzzle_hold_clear(judge->hold[0]);
    puzzle_hold_clear(judge->hold[1]);
    settle(&task);
    int status = is_done(&task) ? KV_OK : prove(&task);
    if (status)
        puzzle_analysis_finish(analysis);
    else {
        puzzle_moves_sort(analysis->moves, analysis->count);
        find_line(&task);
        analysis->unique = puzzle_unique_of(&analysis->verdict, analysis->moves, analysis->count);
        analysis->nodes = room->nodes;
        analysis->time_ns = kv_clock_ns() - start;
    }
    return status;
}
