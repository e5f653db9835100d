#include "puzzle/verdict.h"

#include <stdlib.h>

enum { FOR_EVER = INT16_MAX };

static int16_t later(int16_t plies, bool turned)
{
    return plies < 0 || plies == FOR_EVER ? plies : (int16_t)(plies + turned);
}

struct puzzle_verdict puzzle_verdict_before(struct puzzle_verdict after, bool turned)
{
    struct puzzle_verdict verdict = after;
    if (turned) {
        verdict.low = (int8_t)-after.high;
        verdict.high = (int8_t)-after.low;
        bool open = !puzzle_is_settled(&after); /* of a settled one the distance says it */
        verdict.no_win = open ? later(after.no_loss, true) : 0;
        verdict.no_loss = open ? later(after.no_win, true) : 0;
    }
    if (puzzle_is_settled(&after) && after.low != 0)
        verdict.plies = later(after.plies, turned);
    return verdict;
}

/* ---- Words -------------------------------------------------------------------------------------- */

const char *puzzle_outcome_text(int outcome)
{
    return outcome > 0 ? "win" : outcome < 0 ? "loss" : "draw";
}

const char *puzzle_verdict_text(const struct puzzle_verdict *verdict)
{
    if (puzzle_is_settled(verdict))
        return puzzle_outcome_text(verdict->low);
    if (verdict->low == 0)
        return "win or draw";
    return verdict->high == 0 ? "draw or loss" : "open";
}

const char *puzzle_source_text(enum puzzle_source source)
{
    static const char *const names[] = {"not proven", "rules", "table", "proof"};
    return names[source];
}

const char *puzzle_unique_text(enum puzzle_unique unique)
{
    static const char *const names[] = {"no", "yes", "within-length", "not proven"};
    return names[unique];
}

void puzzle_verdict_write(const struct puzzle_verdict *verdict, struct kv_buffer *out)
{
    const char *source = puzzle_source_text(verdict->source);
    if (puzzle_is_settled(verdict)) {
        kv_buffer_text(out, puzzle_outcome_text(verdict->low));
        if (verdict->low != 0 && verdict->plies >= 0)
            kv_buffer_format(out, " in %d %s", verdict->plies, verdict->plies == 1 ? "ply" : "plies");
        kv_buffer_format(out, " (%s)", source);
        return;
    }
    if (verdict->low == 0)
        kv_buffer_format(out, "never lost (%s); a win is not proven", source);
    else if (verdict->high == 0)
        kv_buffer_format(out, "never won (%s); a draw is not proven", source);
    else
        kv_buffer_text(out, "not proven");
    if (verdict->high > 0 && verdict->no_win > 0 && verdict->no_win < FOR_EVER)
        kv_buffer_format(out, "; no win within %d plies", verdict->no_win);
    if (verdict->low < 0 && verdict->no_loss > 0 && verdict->no_loss < FOR_EVER)
        kv_buffer_format(out, "; no loss within %d plies", verdict->no_loss);
}

/* ---- Analyses ----------------------------------------------------------------------------------- */

void puzzle_analysis_finish(struct puzzle_analysis *analysis)
{
    free(analysis->moves);
    *analysis = (struct puzzle_analysis){0};
}

int puzzle_analysis_count(const struct puzzle_analysis *analysis, int outcome)
{
    int count = 0;
    for (int i = 0; i < analysis->count; i++) {
        const struct puzzle_verdict *verdict = &analysis->moves[i].verdict;
        count += puzzle_is_settled(verdict) && verdict->low == outcome;
    }
    return count;
}

/* ---- Combining ---------------------------------------------------------------------------------- */

/* The win is as short as the best move only if no other move may win sooner. */
static int16_t win_distance(const struct puzzle_move *moves, int count, uint8_t *source)
{
    int16_t best = -1;
    for (int i = 0; i < count; i++) {
        const struct puzzle_verdict *verdict = &moves[i].verdict;
        if (verdict->low != 1)
            continue;
        if (best < 0 || (verdict->plies >= 0 && verdict->plies < best)) {
            best = verdict->plies;
            *source = verdict->source;
        }
    }
    for (int i = 0; i < count; i++) {
        const struct puzzle_verdict *verdict = &moves[i].verdict;
        bool known = verdict->high < 1 || (verdict->low == 1 && verdict->plies >= 0);
        if (!known && verdict->no_win < best - 1)
            return -1;
    }
    return best;
}

static int16_t loss_distance(const struct puzzle_move *moves, int count)
{
    int16_t longest = 0;
    for (int i = 0; i < count; i++) {
        if (moves[i].verdict.high != -1 || moves[i].verdict.plies < 0)
            return -1;
        if (moves[i].verdict.plies > longest)
            longest = moves[i].verdict.plies;
    }
    return longest;
}

static void combine_horizons(struct puzzle_verdict *verdict, const struct puzzle_move *moves, int count)
{
    int16_t no_win = FOR_EVER, no_loss = 0;
    for (int i = 0; i < count; i++) {
        const struct puzzle_verdict *move = &moves[i].verdict;
        int16_t win = move->high < 1 ? FOR_EVER : move->low == 1 && move->plies > 0 ? move->plies - 1 : 0;
        int16_t loss = move->low > -1 ? FOR_EVER : move->high == -1 && move->plies > 0 ? move->plies - 1 : 0;
        if (win < move->no_win)
            win = move->no_win;
        if (loss < move->no_loss)
            loss = move->no_loss;
        if (win < no_win)
            no_win = win;
        if (loss > no_loss)
            no_loss = loss;
    }
    if (verdict->no_win < no_win)
        verdict->no_win = no_win;
    if (verdict->no_loss < no_loss)
        verdict->no_loss = no_loss;
}

struct puzzle_verdict puzzle_verdict_combine(const struct puzzle_verdict *known,
                                             const struct puzzle_move *moves, int count)
{
    struct puzzle_verdict verdict = *known;
    if (puzzle_is_exact(known) || count == 0)
        return verdict;
    int low = -1, high = -1;
    uint8_t source = known->source;
    for (int i = 0; i < count; i++) {
        const struct puzzle_verdict *move = &moves[i].verdict;
        if (move->low > low)
            low = move->low;
        if (move->high > high)
            high = move->high;
        if (move->source > source)
            source = move->source;
    }
    if (low > verdict.low)
        verdict.low = (int8_t)low;
    if (high < verdict.high)
        verdict.high = (int8_t)high;
    combine_horizons(&verdict, moves, count);
    verdict.source = verdict.low == -1 && verdict.high == 1 ? PUZZLE_UNKNOWN : source;
    if (low == 1) {
        if (verdict.plies < 0)
            verdict.plies = win_distance(moves, count, &verdict.source);
    } else if (verdict.high == -1) {
        if (verdict.plies < 0)
            verdict.plies = loss_distance(moves, count);
    } else if (puzzle_is_settled(&verdict) && verdict.low == 0) {
        verdict.plies = 0;
    }
    return verdict;
}

static int compare(const struct puzzle_verdict *a, const struct puzzle_verdict *b)
{
    if (a->low != b->low)
        return b->low - a->low;
    if (a->high != b->high)
        return b->high - a->high;
    if (!puzzle_is_settled(a) || a->low == 0 || a->plies == b->plies)
        return 0;
    if (a->low == 1) /* an unknown distance counts as a long one */
        return a->plies < 0 ? 1 : b->plies < 0 ? -1 : a->plies - b->plies;
    return b->plies - a->plies;
}

void puzzle_moves_sort(struct puzzle_move *moves, int count)
{
    for (int i = 1; i < count; i++) {
        struct puzzle_move move = moves[i];
        int at = i;
        for (; at > 0 && compare(&moves[at - 1].verdict, &move.verdict) > 0; at--)
            moves[at] = moves[at - 1];
        moves[at] = move;
    }
}

enum puzzle_unique puzzle_unique_of(const struct puzzle_verdict *verdict, const struct puzzle_move *moves,
                                    int count)
{
    if (!puzzle_is_settled(verdict))
        return PUZZLE_UNIQUE_OPEN;
    int good = 0, open = 0, open_soon = 0;
    for (int i = 0; i < count; i++) {
        const struct puzzle_verdict *move = &moves[i].verdict;
        if (move->low >= verdict->low)
            good++;
        else if (move->high >= verdict->low) {
            open++;
            open_soon += verdict->low != 1 || verdict->plies < 0 || move->no_win < verdict->plies;
        }
    }
    if (good > 1)
        return PUZZLE_NOT_UNIQUE;
    if (good == 1 && open == 0)
        return PUZZLE_UNIQUE;
    return good == 1 && open_soon == 0 ? PUZZLE_UNIQUE_WITHIN : PUZZLE_UNIQUE_OPEN;
}
