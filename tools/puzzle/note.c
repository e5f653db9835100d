/* A note of an annotated game in words: number, value, explanation. */
#include "puzzle/annotation.h"
#include "puzzle/explain.h"

void puzzle_note_number(const struct puzzle_note *note, struct kv_buffer *out)
{
    kv_buffer_format(out, "%d.%s ", note->before.ply / 2 + 1, note->before.ply % 2 ? ".." : "");
}

void puzzle_note_value(const struct puzzle_verdict *verdict, const struct puzzle_opinion *opinion,
                       struct kv_buffer *out)
{
    if (puzzle_is_settled(verdict)) {
        kv_buffer_text(out, puzzle_outcome_text(verdict->low));
        if (verdict->low != 0 && verdict->plies >= 0)
            kv_buffer_format(out, " in %d", verdict->plies);
        kv_buffer_format(out, " (%s)", puzzle_source_text(verdict->source));
        return;
    }
    kv_buffer_text(out, puzzle_verdict_text(verdict));
    if (verdict->source != PUZZLE_UNKNOWN)
        kv_buffer_format(out, " (%s)", puzzle_source_text(verdict->source));
    if (opinion->known)
        kv_buffer_format(out, ", engine %+.2f", opinion->score / 100.0);
}

static void write_distance(const struct puzzle_verdict *verdict, struct kv_buffer *out)
{
    if (puzzle_is_exact(verdict) && verdict->low != 0)
        kv_buffer_format(out, " in %d plies", verdict->plies);
    kv_buffer_format(out, ", by %s", puzzle_source_text(verdict->source));
}

/* What went wrong, with both values and how they are known. */
static void explain_fault(const struct puzzle_note *note, struct kv_buffer *out)
{
    const char *side = puzzle_side_name(note->before.side);
    const struct puzzle_verdict *before = &note->value_before, *after = &note->value_after;
    switch (note->fault) {
    case PUZZLE_WIN_TO_DRAW:
    case PUZZLE_WIN_TO_LOSS:
    case PUZZLE_WIN_LET_GO:
        kv_buffer_format(out, " %s had a win (proven", side);
        write_distance(before, out);
        if (note->fault == PUZZLE_WIN_LET_GO)
            kv_buffer_text(out, "); whether the move still wins is not proven.");
        else {
            kv_buffer_format(out, "); now it is %s (proven", after->low == 0 ? "a draw" : "lost");
            write_distance(after, out);
            kv_buffer_text(out, ").");
        }
        break;
    case PUZZLE_DRAW_TO_LOSS:
        kv_buffer_format(out, " %s was not lost (proven, by %s); now it is (proven", side,
                         puzzle_source_text(before->source));
        write_distance(after, out);
        kv_buffer_text(out, ").");
        break;
    case PUZZLE_SLOWER_WIN:
        kv_buffer_format(out, " Still won, but in %d plies instead of %d (proven, by %s).", after->plies,
                         before->plies, puzzle_source_text(after->source));
        break;
    case PUZZLE_DOUBTFUL:
        kv_buffer_text(out, " The engine");
        if (note->opinion_before.known)
            kv_buffer_format(out, " (depth %d) sees %+.2f before this move", note->opinion_before.depth,
                             note->opinion_before.score / 100.0);
        else
            kv_buffer_format(out, " has nothing to say of the position before, a proven %s",
                             puzzle_verdict_text(before));
        if (note->opinion_after.known)
            kv_buffer_format(out, " and %+.2f after it; that is an opinion, not a proof.",
                             note->opinion_after.score / 100.0);
        else {
            kv_buffer_format(out, "; after it the game is a proven %s", puzzle_verdict_text(after));
            write_distance(after, out);
            kv_buffer_text(out, ".");
        }
        break;
    default: break;
    }
}

static void explain_option(const struct kv_rules *rules, const struct kv_position *position, kv_move move,
                           const char *introduction, struct kv_buffer *out)
{
    char text[KV_MOVE_TEXT_MAX];
    struct kv_buffer verbs = {0};
    kv_buffer_format(out, " %s %s", introduction, kv_move_write(rules, move, text));
    if (puzzle_explain_move(rules, position, move, &verbs))
        kv_buffer_format(out, ", which %s", verbs.data ? verbs.data : "");
    kv_buffer_text(out, ".");
    out->failed = out->failed || verbs.failed;
    kv_buffer_finish(&verbs);
}

void puzzle_note_explain(const struct kv_rules *rules, struct puzzle_note *note, kv_move reply)
{
    struct kv_buffer *out = &note->text, verbs = {0};
    if (puzzle_explain_move(rules, &note->before, note->move, &verbs))
        kv_buffer_format(out, "%s %s.", puzzle_side_name(note->before.side), verbs.data ? verbs.data : "");
    out->failed = out->failed || verbs.failed;
    kv_buffer_finish(&verbs);
    if (note->fault == PUZZLE_NO_FAULT)
        return;
    explain_fault(note, out);
    bool opinion = note->fault == PUZZLE_DOUBTFUL;
    if (note->best != KV_MOVE_NONE && note->best != note->move)
        explain_option(rules, &note->before, note->best, opinion ? "The engine prefers" : "Better was", out);
    if (reply != KV_MOVE_NONE && note->after.side != note->before.side && note->fault != PUZZLE_SLOWER_WIN)
        explain_option(
            rules, &note->after, reply,
            puzzle_is_settled(&note->value_after) ? "The answer is" : "The reply the engine expects is", out);
    if (out->length > 0 && out->data[0] == ' ') { /* nothing stood before the first sentence */
        for (size_t i = 0; i < out->length; i++)
            out->data[i] = out->data[i + 1];
        out->length--;
    }
}
