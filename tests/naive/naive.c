#include "naive.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

const char *const naive_names[NAIVE_POINTS] = {
    "a7", "d7", "g7",                   /* outer square, top */
    "b6", "d6", "f6",                   /* middle square, top */
    "c5", "d5", "e5",                   /* inner square, top */
    "a4", "b4", "c4", "e4", "f4", "g4", /* across the middle */
    "c3", "d3", "e3",                   /* inner square, bottom */
    "b2", "d2", "f2",                   /* middle square, bottom */
    "a1", "d1", "g1",                   /* outer square, bottom */
};

const char *const naive_mill_names[NAIVE_MILLS] = {
    "a7 d7 g7", "g7 g4 g1", "a1 d1 g1", "a7 a4 a1", /* outer square */
    "b6 d6 f6", "f6 f4 f2", "b2 d2 f2", "b6 b4 b2", /* middle square */
    "c5 d5 e5", "e5 e4 e3", "c3 d3 e3", "c5 c4 c3", /* inner square */
    "d7 d6 d5", "e4 f4 g4", "d3 d2 d1", "a4 b4 c4", /* the lines between */
};

const char *const naive_edge_names[NAIVE_EDGES] = {
    "a7 d7", "d7 g7", "g7 g4", "g4 g1", "g1 d1", "d1 a1", "a1 a4", "a4 a7", /* outer square */
    "b6 d6", "d6 f6", "f6 f4", "f4 f2", "f2 d2", "d2 b2", "b2 b4", "b4 b6", /* middle square */
    "c5 d5", "d5 e5", "e5 e4", "e4 e3", "e3 d3", "d3 c3", "c3 c4", "c4 c5", /* inner square */
    "d7 d6", "d6 d5", "g4 f4", "f4 e4", "d1 d2", "d2 d3", "a4 b4", "b4 c4", /* the lines between */
};

static int mills[NAIVE_MILLS][3];
static bool joined[NAIVE_POINTS][NAIVE_POINTS];

int naive_point(const char *name)
{
    for (int p = 0; p < NAIVE_POINTS; p++)
        if (strncmp(naive_names[p], name, 2) == 0)
            return p;
    return -1;
}

static void look_up_names(void)
{
    static bool done;
    if (done)
        return;
    done = true;
    for (int m = 0; m < NAIVE_MILLS; m++)
        for (int i = 0; i < 3; i++)
            mills[m][i] = naive_point(naive_mill_names[m] + 3 * i);
    for (int e = 0; e < NAIVE_EDGES; e++) {
        int a = naive_point(naive_edge_names[e]), b = naive_point(naive_edge_names[e] + 3);
        joined[a][b] = joined[b][a] = true;
    }
}

int naive_mill_point(int mill, int i)
{
    look_up_names();
    return mills[mill][i];
}

bool naive_neighbours(int a, int b)
{
    look_up_names();
    return joined[a][b];
}

static char letter(int side)
{
    return side == 0 ? 'O' : '@';
}

static bool mill_through(int mill, int point)
{
    look_up_names();
    return mills[mill][0] == point || mills[mill][1] == point || mills[mill][2] == point;
}

static bool mill_is_full_of(const struct naive_position *position, int mill, char colour)
{
    look_up_names();
    for (int i = 0; i < 3; i++)
        if (position->at[mills[mill][i]] != colour)
            return false;
    return true;
}

bool naive_in_mill(const struct naive_position *position, int point)
{
    char colour = position->at[point];
    for (int m = 0; m < NAIVE_MILLS; m++)
        if (colour != '*' && mill_through(m, point) && mill_is_full_of(position, m, colour))
            return true;
    return false;
}

static int on_board(const struct naive_position *position, int side)
{
    int count = 0;
    for (int p = 0; p < NAIVE_POINTS; p++)
        count += position->at[p] == letter(side);
    return count;
}

struct naive_position naive_start(int stones, int first)
{
    struct naive_position position;
    memset(&position, 0, sizeof position);
    memset(position.at, '*', sizeof position.at);
    position.hand[0] = position.hand[1] = stones;
    position.side = first;
    for (int side = 0; side < 2; side++)
        position.left_from[side] = position.left_to[side] = -1;
    return position;
}

int naive_compare(const struct naive_position *a, const struct naive_position *b)
{
    return memcmp(a, b, offsetof(struct naive_position, left_mill));
}

/* ---- Captures --------------------------------------------------------------------------------- */

static bool may_be_taken(const struct naive_rules *rules, const struct naive_position *position, int point)
{
    int victim = 1 - position->side;
    if (position->at[point] != letter(victim))
        return false;
    if (rules->protection == NAIVE_NEVER || !naive_in_mill(position, point))
        return true;
    if (rules->protection == NAIVE_ALWAYS)
        return false;
    for (int p = 0; p < NAIVE_POINTS; p++)
        if (position->at[p] == letter(victim) && !naive_in_mill(position, p))
            return false;
    return true;
}

static bool anything_to_take(const struct naive_rules *rules, const struct naive_position *position)
{
    for (int p = 0; p < NAIVE_POINTS; p++)
        if (may_be_taken(rules, position, p))
            return true;
    return false;
}

static void pass_turn(struct naive_position *position)
{
    position->due = 0;
    position->side = 1 - position->side;
}

/* How many captures are made in a row from here when `wish` are allowed: at most. */
static int captures_possible(const struct naive_rules *rules, const struct naive_position *position, int wish)
{
    int best = 0;
    for (int p = 0; wish > 0 && p < NAIVE_POINTS; p++) {
        if (!may_be_taken(rules, position, p))
            continue;
        struct naive_position next = *position;
        next.at[p] = '*';
        int deeper = 1 + captures_possible(rules, &next, wish - 1);
        if (deeper > best)
            best = deeper;
    }
    return best;
}

static bool seen_before(const struct naive_turn *turns, int count, const struct naive_position *after)
{
    for (int i = 0; i < count; i++)
        if (naive_compare(&turns[i].after, after) == 0)
            return true;
    return false;
}

/* Adds `turn`, whose `after` still owes `after.due` captures, in every way in which they can be made. */
static int add_captures(const struct naive_rules *rules, struct naive_turn turn, struct naive_turn *turns,
                        int count)
{
    if (turn.after.due == 0 || !anything_to_take(rules, &turn.after)) {
        pass_turn(&turn.after);
        if (!seen_before(turns, count, &turn.after))
            turns[count++] = turn;
        return count;
    }
    for (int p = 0; p < NAIVE_POINTS; p++) {
        if (!may_be_taken(rules, &turn.after, p))
            continue;
        struct naive_turn deeper = turn;
        deeper.captures[deeper.taken++] = p;
        deeper.after.at[p] = '*';
        deeper.after.quiet = 0;
        deeper.after.due--;
        count = add_captures(rules, deeper, turns, count);
    }
    return count;
}

/* ---- Turns ------------------------------------------------------------------------------------ */

static bool barred(const struct naive_rules *rules, const struct naive_position *position, int mill, int from,
                   int to)
{
    int side = position->side;
    if (rules->reclose == NAIVE_NOT_TWICE)
        return position->last_mill[side][mill];
    if (rules->reclose == NAIVE_NOT_AT_ONCE)
        return from >= 0 && from == position->left_to[side] && to == position->left_from[side] &&
               position->left_mill[side][mill];
    return false;
}

static void remember(const struct naive_rules *rules, const struct naive_position *before,
                     struct naive_turn *turn, const bool closed[NAIVE_MILLS])
{
    int side = before->side;
    struct naive_position *after = &turn->after;
    if (rules->reclose == NAIVE_NOT_TWICE && turn->closed > 0)
        memcpy(after->last_mill[side], closed, sizeof after->last_mill[side]);
    if (rules->reclose != NAIVE_NOT_AT_ONCE)
        return;
    after->left_from[side] = after->left_to[side] = -1;
    memset(after->left_mill[side], 0, sizeof after->left_mill[side]);
    if (turn->from < 0 || !naive_in_mill(before, turn->from))
        return;
    after->left_from[side] = turn->from;
    after->left_to[side] = turn->to;
    for (int m = 0; m < NAIVE_MILLS; m++)
        after->left_mill[side][m] = mill_through(m, turn->from) && mill_is_full_of(before, m, letter(side));
}

/* Moves the stone, or places it where `from` is -1. false if that is against the rules. On return
 * `turn->after` has the same side to move, with `due` captures to make, possibly none. */
static bool move_stone(const struct naive_rules *rules, const struct naive_position *position, int from,
                       int to, struct naive_turn *turn)
{
    int side = position->side;
    *turn = (struct naive_turn){.from = from, .to = to, .captures = {-1, -1}, .after = *position};
    if (position->at[to] != '*')
        return false;
    if (from < 0) {
        turn->after.hand[side]--;
        turn->after.quiet = 0;
    } else {
        bool flies = rules->flying && on_board(position, side) == 3;
        if (position->at[from] != letter(side) || !(flies || naive_neighbours(from, to)))
            return false;
        turn->after.at[from] = '*';
        turn->after.quiet++;
    }
    turn->after.at[to] = letter(side);
    bool closed[NAIVE_MILLS];
    int bars = 0;
    for (int m = 0; m < NAIVE_MILLS; m++) {
        closed[m] = mill_through(m, to) && mill_is_full_of(&turn->after, m, letter(side));
        turn->closed += closed[m];
        bars += closed[m] && barred(rules, position, m, from, to);
    }
    if (turn->closed > 0 && bars == turn->closed)
        return false;
    remember(rules, position, turn, closed);
    int wish = turn->closed >= 2 && rules->double_takes_two ? 2 : turn->closed > 0 ? 1 : 0;
    turn->after.due = captures_possible(rules, &turn->after, wish);
    return true;
}

int naive_turns(const struct naive_rules *rules, const struct naive_position *position,
                struct naive_turn *turns)
{
    int side = position->side, count = 0;
    if (position->due > 0) {
        for (int p = 0; p < NAIVE_POINTS; p++) {
            if (!may_be_taken(rules, position, p))
                continue;
            struct naive_turn turn = {.from = -1, .to = -1, .captures = {p, -1}, .taken = 1};
            turn.after = *position;
            turn.after.at[p] = '*';
            turn.after.quiet = 0;
            if (--turn.after.due == 0)
                pass_turn(&turn.after);
            turns[count++] = turn;
        }
        return count;
    }
    for (int s = 0; s < 2; s++)
        if (on_board(position, s) + position->hand[s] < 3)
            return 0;
    bool placing = position->hand[side] > 0;
    for (int from = placing ? -1 : 0; from < (placing ? 0 : NAIVE_POINTS); from++)
        for (int to = 0; to < NAIVE_POINTS; to++) {
            struct naive_turn turn;
            if (move_stone(rules, position, from, to, &turn))
                count = add_captures(rules, turn, turns, count);
        }
    return count;
}

struct naive_position naive_half_turn(const struct naive_rules *rules, const struct naive_position *position,
                                      const struct naive_turn *turn)
{
    struct naive_turn half;
    move_stone(rules, position, turn->from, turn->to, &half);
    if (half.after.due == 0)
        pass_turn(&half.after);
    return half.after;
}

const char *naive_result(const struct naive_rules *rules, const struct naive_position *history, int count)
{
    static struct naive_turn turns[NAIVE_TURNS_MAX];
    const struct naive_position *now = &history[count - 1];
    if (now->due > 0)
        return "";
    /* A position set up with too few on both sides is lost for the side to move. */
    for (int i = 0; i < 2; i++) {
        int side = i == 0 ? now->side : 1 - now->side;
        if (on_board(now, side) + now->hand[side] < 3)
            return side == 0 ? "black few" : "white few";
    }
    if (now->hand[now->side] == 0 && naive_turns(rules, now, turns) == 0)
        return now->side == 0 ? "black blocked" : "white blocked";
    if (rules->no_capture_limit > 0 && now->quiet >= rules->no_capture_limit)
        return "draw limit";
    int occurrences = 0;
    for (int i = 0; i < count; i++) {
        struct naive_position earlier = history[i];
        earlier.quiet = now->quiet; /* the only thing a repetition may differ in */
        occurrences += naive_compare(&earlier, now) == 0;
    }
    return rules->repetition > 0 && occurrences >= rules->repetition ? "draw repetition" : "";
}

long naive_perft(const struct naive_rules *rules, const struct naive_position *position, int depth)
{
    if (depth == 0)
        return 1;
    struct naive_turn *turns = malloc(NAIVE_TURNS_MAX * sizeof *turns);
    if (!turns)
        abort();
    int count = naive_turns(rules, position, turns);
    long total = depth == 1 ? count : 0;
    for (int i = 0; depth > 1 && i < count; i++)
        total += naive_perft(rules, &turns[i].after, depth - 1);
    free(turns);
    return total;
}
