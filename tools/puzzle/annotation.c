/* Values for every move of a game, and what was wrong with it. */
#include "puzzle/annotation.h"

#include <stdlib.h>

#include "base/clock.h"
#include "puzzle/explain.h"
#include "search/search.h"

enum { DOUBTFUL_DROP = 150, SCORE_LIMIT = 2000 };

static const struct {
    const char *text, *mark, *word;
} faults[PUZZLE_FAULT_COUNT] = {
    {"", "", "none"},
    {"a win thrown away: now a draw", "??", "win-to-draw"},
    {"a draw thrown away: now lost", "??", "draw-to-loss"},
    {"a win turned into a loss", "??", "win-to-loss"},
    {"lets go of a proven win; what is left is not proven", "?", "win-let-go"},
    {"still wins, but more slowly", "?!", "slower-win"},
    {"doubtful in the engine's opinion", "?!", "doubtful"},
};

const char *puzzle_fault_text(enum puzzle_fault fault)
{
    return faults[fault].text;
}

const char *puzzle_fault_mark(enum puzzle_fault fault)
{
    return faults[fault].mark;
}

const char *puzzle_fault_word(enum puzzle_fault fault)
{
    return faults[fault].word;
}

/* ---- Opinions ----------------------------------------------------------------------------------- */

struct opinions {
    struct kv_search *search;
    uint64_t nodes;
};

static void ignore_report(void *user, const struct kv_search_info *info)
{
    (void)user;
    (void)info;
}

static struct puzzle_opinion opinion_of(struct opinions *opinions, const struct puzzle_cli *cli,
                                        const struct kv_position *position)
{
    struct puzzle_opinion opinion = {.best = KV_MOVE_NONE};
    struct kv_game game = {0};
    if (opinions->nodes == 0 || kv_position_result(&cli->rules, position, NULL) != KV_ONGOING ||
        kv_game_init(&game, &cli->rules))
        return opinion;
    const struct kv_search_settings settings = {
        .threads = 1, .multipv = 1, .skill = KV_SKILL_MAX, .analyse = true};
    const struct kv_limits limits = {.start_ns = kv_clock_ns(), .nodes = opinions->nodes};
    struct kv_search_result result;
    kv_search_clear(opinions->search);
    kv_search_arm(opinions->search, false);
    if (kv_game_set(&game, position) == KV_OK &&
        kv_search_run(opinions->search, &game, &limits, &settings, cli->tablebase, ignore_report, NULL,
                      &result) == KV_OK &&
        result.best != KV_MOVE_NONE)
        opinion = (struct puzzle_opinion){true, result.score, result.depth, result.best};
    kv_game_finish(&game);
    if (opinion.score > SCORE_LIMIT)
        opinion.score = SCORE_LIMIT;
    if (opinion.score < -SCORE_LIMIT)
        opinion.score = -SCORE_LIMIT;
    return opinion;
}

/* ---- Values ------------------------------------------------------------------------------------- */

/* What is known of one position of the game. */
struct known {
    struct puzzle_verdict verdict;
    struct puzzle_opinion opinion;
    kv_move best;
};

static int judge(struct puzzle_cli *cli, struct opinions *opinions, const struct kv_position *position,
                 struct known *known, struct puzzle_annotation *annotation)
{
    struct puzzle_analysis analysis;
    if (puzzle_judge_position(cli->judge, position, &cli->limits, &analysis))
        return KV_E_MEMORY;
    *known = (struct known){.verdict = analysis.verdict, .best = KV_MOVE_NONE};
    annotation->nodes += analysis.nodes;
    if (!puzzle_is_settled(&known->verdict) && !atomic_load(&puzzle_stopped))
        known->opinion = opinion_of(opinions, cli, position);
    /* Only a move known to be as good as the position itself is called the best. */
    if (analysis.count && puzzle_is_settled(&analysis.verdict) &&
        analysis.moves[0].verdict.low >= analysis.verdict.low)
        known->best = analysis.moves[0].move;
    else if (known->opinion.known)
        known->best = known->opinion.best;
    puzzle_analysis_finish(&analysis);
    return KV_OK;
}

/* What the move played proves of the position before it. */
static void carry_back(struct known *before, const struct known *after, bool turned, kv_move move)
{
    struct puzzle_verdict played = puzzle_verdict_before(after->verdict, turned);
    if (played.low <= before->verdict.low)
        return;
    before->verdict.low = played.low;
    before->verdict.source = played.source;
    before->verdict.plies = puzzle_is_settled(&before->verdict) && played.low == 0 ? 0 : -1;
    if (puzzle_is_settled(&before->verdict))
        before->best = move;
}

static int score_of(const struct puzzle_verdict *verdict, const struct puzzle_opinion *opinion)
{
    if (puzzle_is_settled(verdict))
        return verdict->low * SCORE_LIMIT;
    return opinion->known ? opinion->score : 0;
}

static enum puzzle_fault fault_of(const struct puzzle_note *note)
{
    const struct puzzle_verdict *before = &note->value_before, *after = &note->value_after;
    if (before->low == 1) {
        if (after->high == -1)
            return PUZZLE_WIN_TO_LOSS;
        if (after->high == 0 && after->low == 0)
            return PUZZLE_WIN_TO_DRAW;
        if (after->low < 1)
            return PUZZLE_WIN_LET_GO;
        return before->plies >= 0 && after->plies > before->plies ? PUZZLE_SLOWER_WIN : PUZZLE_NO_FAULT;
    }
    if (before->low == 0 && after->high == -1)
        return PUZZLE_DRAW_TO_LOSS;
    bool can_compare = (puzzle_is_settled(before) || note->opinion_before.known) &&
                       (puzzle_is_settled(after) || note->opinion_after.known);
    if (can_compare &&
        score_of(before, &note->opinion_before) - score_of(after, &note->opinion_after) >= DOUBTFUL_DROP)
        return PUZZLE_DOUBTFUL;
    return PUZZLE_NO_FAULT;
}

static void fill_note(struct puzzle_note *note, const struct known *before, const struct known *after)
{
    bool turned = note->after.side != note->before.side;
    note->value_before = before->verdict;
    note->value_after = puzzle_verdict_before(after->verdict, turned);
    note->opinion_before = before->opinion;
    note->opinion_after = after->opinion;
    if (turned)
        note->opinion_after.score = -after->opinion.score;
    note->best = before->best;
    note->fault = fault_of(note);
    if (note->best == note->move)
        note->fault = PUZZLE_NO_FAULT;
}

/* From the last position to the first, so that what is known of later ones helps the earlier. */
static int judge_all(struct puzzle_cli *cli, struct opinions *opinions, const struct kv_game *game,
                     struct known *known, struct puzzle_annotation *annotation)
{
    for (size_t i = game->count; i-- > 0;) {
        puzzle_progress(cli, "%zu of %zu positions left", i, game->count);
        if (judge(cli, opinions, &game->positions[i], &known[i], annotation))
            return puzzle_complain(PUZZLE_EXIT_SYSTEM, "out of memory");
        if (atomic_load(&puzzle_stopped))
            return puzzle_complain(PUZZLE_EXIT_STOPPED, "interrupted: nothing was written");
        if (i + 1 < game->count)
            carry_back(&known[i], &known[i + 1], game->positions[i + 1].side != game->positions[i].side,
                       game->moves[i]);
    }
    puzzle_progress_end(cli);
    return PUZZLE_EXIT_OK;
}

static int make_notes(struct puzzle_cli *cli, struct opinions *opinions, const struct kv_game *game,
                      struct puzzle_annotation *annotation)
{
    struct known *known = calloc(game->count, sizeof *known);
    annotation->notes = calloc(game->count, sizeof *annotation->notes);
    annotation->count = game->count - 1;
    if (known == NULL || annotation->notes == NULL) {
        free(known);
        return puzzle_complain(PUZZLE_EXIT_SYSTEM, "out of memory");
    }
    int code = judge_all(cli, opinions, game, known, annotation);
    for (size_t i = 0; i < annotation->count && code == PUZZLE_EXIT_OK; i++) {
        struct puzzle_note *note = &annotation->notes[i];
        note->move = game->moves[i];
        note->before = game->positions[i];
        note->after = game->positions[i + 1];
        fill_note(note, &known[i], &known[i + 1]);
        puzzle_note_explain(annotation->rules, note, known[i + 1].best);
        annotation->faults[note->before.side][note->fault]++;
    }
    free(known);
    return code;
}

int puzzle_annotation_make(struct puzzle_cli *cli, uint64_t opinion_nodes, const struct kv_record *record,
                           struct puzzle_annotation *annotation)
{
    *annotation = (struct puzzle_annotation){.rules = &record->rules, .record = record};
    struct opinions opinions = {.nodes = opinion_nodes};
    struct kv_game game = {0};
    int64_t start = kv_clock_ns();
    int status = kv_record_replay(record, record->line.count, &game);
    if (status)
        return puzzle_complain(status == KV_E_MEMORY ? PUZZLE_EXIT_SYSTEM : PUZZLE_EXIT_INPUT,
                               "the game cannot be replayed: %s", kv_status_text(status));
    int code;
    if (opinion_nodes && kv_search_create(&opinions.search, 16))
        code = puzzle_complain(PUZZLE_EXIT_SYSTEM, "out of memory");
    else
        code = make_notes(cli, &opinions, &game, annotation);
    kv_search_destroy(opinions.search);
    kv_game_finish(&game);
    annotation->time_ns = kv_clock_ns() - start;
    if (code != PUZZLE_EXIT_OK)
        puzzle_annotation_finish(annotation);
    return code;
}

void puzzle_annotation_finish(struct puzzle_annotation *annotation)
{
    for (size_t i = 0; annotation->notes && i < annotation->count; i++)
        kv_buffer_finish(&annotation->notes[i].text);
    free(annotation->notes);
    *annotation = (struct puzzle_annotation){0};
}
