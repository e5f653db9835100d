#include "puzzle/workshop.h"

#include "base/clock.h"
#include "puzzle/canonical.h"
#include "puzzle/search_room.h"

enum { GRADE_NODES = 60000, QUICK_NODES = 20000, ENDGAME_FEWEST = 3, ENDGAME_MOST = 7 };

/* ---- Candidates --------------------------------------------------------------------------------- */

static void random_endgame(const struct kv_rules *rules, struct kv_random *random,
                           struct kv_position *position)
{
    const struct kv_board *board = kv_board_of(rules);
    *position = (struct kv_position){.side = (uint8_t)kv_random_below(random, 2)};
    int stones[2] = {ENDGAME_FEWEST, ENDGAME_FEWEST};
    uint32_t more = kv_random_below(random, 3);
    if (more && rules->stones > ENDGAME_FEWEST)
        stones[more - 1]++;
    for (int side = 0; side < 2; side++)
        while (kv_popcount(position->stones[side]) < stones[side])
            position->stones[side] |=
                1u << kv_random_below(random, (uint32_t)board->points) & ~position->stones[side ^ 1];
}

/* A move of a game in which one side takes what it can get and the other mostly does not look. */
static kv_move careless_move(const struct puzzle_room *room, const struct kv_position *position, int strong,
                             struct kv_random *random)
{
    kv_move moves[KV_MOVES_MAX];
    int count = puzzle_room_moves(room, position, moves);
    if (count == 0)
        return KV_MOVE_NONE;
    uint32_t care = position->side == strong ? 85 : 35;
    if (kv_random_below(random, 100) < care)
        puzzle_room_order(room, position, moves, count, KV_MOVE_NONE);
    else
        return moves[kv_random_below(random, (uint32_t)count)];
    return moves[kv_random_below(random, count < 3 ? (uint32_t)count : 3)];
}

static void random_game(const struct kv_rules *rules, enum puzzle_kind kind, struct kv_random *random,
                        struct kv_position *position)
{
    const struct puzzle_room room = {.rules = *rules, .classic = kv_rules_are_classic(rules)};
    int placing = 2 * rules->stones;
    int plies = kind == PUZZLE_KIND_PLACING
                    ? placing / 2 + (int)kv_random_below(random, (uint32_t)(placing - placing / 2))
                    : placing + (int)kv_random_below(random, 40);
    int strong = (int)kv_random_below(random, 2);
    kv_position_start(rules, position);
    for (int ply = 0; ply < plies; ply++) {
        kv_move move = careless_move(&room, position, strong, random);
        if (move == KV_MOVE_NONE)
            return;
        struct kv_position next = puzzle_room_play(&room, position, move);
        if (kv_position_result(rules, &next, NULL) != KV_ONGOING)
            return;
        *position = next;
    }
    position->quiet = 0;
}

void puzzle_candidate(const struct kv_rules *rules, enum puzzle_kind kind, bool from_tables,
                      struct kv_random *random, struct kv_position *position)
{
    if (from_tables && kind != PUZZLE_KIND_PLACING)
        random_endgame(rules, random, position);
    else
        random_game(rules, kind, random, position);
}

/* ---- What makes a puzzle ------------------------------------------------------------------------ */

static bool takes(kv_move move)
{
    return kv_move_capture(move) != KV_NO_POINT;
}

/* Every move of the side that wins is a capture, or the first one is forced: nothing to find. */
static bool is_dull(const struct puzzle_analysis *analysis)
{
    bool quiet = false;
    for (int i = 0; i < analysis->line_length; i += 2)
        quiet = quiet || !takes(analysis->line[i]);
    return analysis->count < 2 || (analysis->verdict.low == 1 ? !quiet : takes(analysis->moves[0].move));
}

/* Until the slowest of the wrong moves has lost; -1 when that is not known. */
static int draw_length(const struct puzzle_analysis *analysis)
{
    int longest = 0;
    for (int i = 1; i < analysis->count; i++) {
        const struct puzzle_verdict *verdict = &analysis->moves[i].verdict;
        if (!puzzle_is_exact(verdict))
            return -1;
        if (verdict->plies > longest)
            longest = verdict->plies;
    }
    return longest;
}

/* Where others are not proven to fail for ever: they must not win within two plies more either. */
static bool is_clear(const struct puzzle_analysis *analysis)
{
    for (int i = 1; i < analysis->count; i++) {
        const struct puzzle_verdict *verdict = &analysis->moves[i].verdict;
        if (verdict->high == 1 && verdict->no_win < analysis->verdict.plies + 2)
            return false;
    }
    return true;
}

static bool fits(const struct puzzle_wish *wish, const struct puzzle_analysis *analysis,
                 struct puzzle_made *made)
{
    int outcome = wish->kind == PUZZLE_KIND_DRAW ? 0 : 1;
    if (!puzzle_is_exact(&analysis->verdict) || analysis->verdict.low != outcome || analysis->count == 0)
        return false;
    bool unique = analysis->unique == PUZZLE_UNIQUE ||
                  (outcome == 1 && analysis->unique == PUZZLE_UNIQUE_WITHIN && is_clear(analysis));
    made->length = outcome == 1 ? analysis->verdict.plies : draw_length(analysis);
    return unique && made->length >= wish->shortest && made->length <= wish->longest && !is_dull(analysis);
}

/* A first look with little effort: may it be one at all? */
static int look(struct puzzle_cli *cli, const struct puzzle_wish *wish, const struct kv_position *position)
{
    if (wish->kind == PUZZLE_KIND_PLACING && position->hand[position->side] == 0)
        return KV_E_NOT_FOUND;
    if (kv_position_result(&cli->rules, position, NULL) != KV_ONGOING)
        return KV_E_NOT_FOUND;
    struct puzzle_verdict verdict = puzzle_judge_glance(cli->judge, position);
    if (verdict.source == PUZZLE_UNKNOWN) {
        struct puzzle_analysis analysis;
        struct puzzle_limits limits = {wish->longest, QUICK_NODES, 0, true};
        if (wish->kind == PUZZLE_KIND_DRAW)
            limits.nodes = cli->limits.nodes;
        int status = puzzle_judge_position(cli->judge, position, &limits, &analysis);
        if (status)
            return status;
        verdict = analysis.verdict;
        puzzle_analysis_finish(&analysis);
    }
    if (!puzzle_is_exact(&verdict) || verdict.low != (wish->kind != PUZZLE_KIND_DRAW))
        return KV_E_NOT_FOUND;
    bool length = verdict.low == 0 || (verdict.plies >= wish->shortest && verdict.plies <= wish->longest);
    return length ? KV_OK : KV_E_NOT_FOUND;
}

int puzzle_try(struct puzzle_cli *cli, const struct puzzle_wish *wish, const struct kv_position *position,
               struct puzzle_made *made)
{
    int status = look(cli, wish, position);
    if (status)
        return status;
    struct puzzle_analysis analysis;
    struct puzzle_limits limits = cli->limits;
    if (wish->kind != PUZZLE_KIND_DRAW && limits.plies > wish->longest + 2)
        limits.plies = wish->longest + 2;
    status = puzzle_judge_position(cli->judge, position, &limits, &analysis);
    if (status)
        return status;
    *made =
        (struct puzzle_made){.position = *position, .verdict = analysis.verdict, .unique = analysis.unique};
    bool good = !atomic_load(&puzzle_stopped) && fits(wish, &analysis, made);
    if (good) {
        made->solution = analysis.moves[0].move;
        puzzle_canonical_white(&cli->rules, position, &made->image);
    }
    puzzle_analysis_finish(&analysis);
    return good ? KV_OK : KV_E_NOT_FOUND;
}

/* ---- Grades ------------------------------------------------------------------------------------- */

struct watch {
    kv_move solution;
    int found_depth;
};

static void watch_report(void *user, const struct kv_search_info *info)
{
    struct watch *watch = user;
    if (info->multipv != 1 || info->pv_length == 0)
        return;
    if (info->pv[0] != watch->solution)
        watch->found_depth = 0;
    else if (watch->found_depth == 0)
        watch->found_depth = info->depth;
}

static int count_tempting(const struct kv_rules *rules, const struct puzzle_made *made)
{
    const struct puzzle_room room = {.rules = *rules, .classic = kv_rules_are_classic(rules)};
    kv_move moves[KV_MOVES_MAX];
    int count = puzzle_room_moves(&room, &made->position, moves), tempting = 0;
    int promise = puzzle_room_promise(&room, &made->position, made->solution);
    for (int i = 0; i < count; i++)
        tempting +=
            moves[i] != made->solution && puzzle_room_promise(&room, &made->position, moves[i]) >= promise;
    return tempting;
}

int puzzle_grade(const struct kv_rules *rules, struct kv_search *search, struct puzzle_made *made)
{
    struct kv_game game = {0};
    if (kv_game_init(&game, rules) || kv_game_set(&game, &made->position)) {
        kv_game_finish(&game);
        return KV_E_MEMORY;
    }
    const struct kv_search_settings settings = {
        .threads = 1, .multipv = 1, .skill = KV_SKILL_MAX, .analyse = true};
    const struct kv_limits limits = {.start_ns = kv_clock_ns(), .nodes = GRADE_NODES};
    struct watch watch = {.solution = made->solution};
    struct kv_search_result result;
    kv_search_clear(search);
    kv_search_arm(search, false);
    int status = kv_search_run(search, &game, &limits, &settings, NULL, watch_report, &watch, &result);
    kv_game_finish(&game);
    if (status)
        return status;
    made->found_depth = result.best == made->solution ? watch.found_depth : 0;
    made->tempting = count_tempting(rules, made);
    made->grade = 1 + (made->length >= 7) + (made->length >= 13) + (made->tempting >= 3) +
                  (made->found_depth == 0 || made->found_depth >= 6);
    return KV_OK;
}
