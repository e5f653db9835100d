/* kvern-puzzle solve: the truth about each position of a file, and whether the expected answers agree. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "puzzle/cli.h"
#include "puzzle/entry.h"

enum answer { NOT_ASKED, RIGHT, WRONG, UNDECIDED };
static const char *const answer_words[] = {"not asked", "right", "wrong", "not proven"};

struct solve {
    struct puzzle_cli cli;
    const char *path;
    bool brief;
};

struct tally {
    int positions, bad_lines, by_source[4], unique, answers[4];
    uint64_t nodes;
    int64_t time_ns;
    bool stopped;
};

/* ---- Judging the expectation -------------------------------------------------------------------- */

/* An expected move is right when it is proven to be worth what the position is worth. */
static enum answer answer_of(const struct puzzle_entry *entry, const struct puzzle_analysis *analysis)
{
    const struct puzzle_verdict *verdict = &analysis->verdict;
    enum answer answer = entry->expected_count || entry->has_value || entry->plies >= 0 ? RIGHT : NOT_ASKED;
    if (entry->has_value) {
        if (entry->value < verdict->low || entry->value > verdict->high)
            return WRONG;
        if (!puzzle_is_settled(verdict))
            answer = UNDECIDED;
    }
    if (entry->plies >= 0) {
        if (!puzzle_is_exact(verdict))
            answer = UNDECIDED;
        else if (entry->plies != verdict->plies)
            return WRONG;
    }
    for (int e = 0; e < entry->expected_count; e++)
        for (int i = 0; i < analysis->count; i++) {
            const struct puzzle_verdict *move = &analysis->moves[i].verdict;
            if (analysis->moves[i].move != entry->expected[e])
                continue;
            if (move->high < verdict->low)
                return WRONG;
            if (move->low < verdict->high)
                answer = UNDECIDED;
        }
    return answer;
}

/* ---- Text --------------------------------------------------------------------------------------- */

/* The moves of one group, "wins: d6 in 5, a1-a4 in 7". */
static void write_group(const struct kv_rules *rules, const struct puzzle_analysis *analysis,
                        const char *title, int low, int high, struct kv_buffer *out)
{
    bool first = true;
    for (int i = 0; i < analysis->count; i++) {
        const struct puzzle_verdict *move = &analysis->moves[i].verdict;
        char text[KV_MOVE_TEXT_MAX];
        if (move->low != low || move->high != high)
            continue;
        kv_buffer_format(out, "%s%s", first ? title : ", ",
                         kv_move_write(rules, analysis->moves[i].move, text));
        if (puzzle_is_exact(move) && low != 0)
            kv_buffer_format(out, " in %d", move->plies);
        first = false;
    }
    if (!first)
        kv_buffer_text(out, "\n");
}

static void write_unique(const struct puzzle_analysis *analysis, struct kv_buffer *out)
{
    if (!puzzle_is_settled(&analysis->verdict) || analysis->count == 0 || analysis->verdict.low < 0)
        return;
    int good = puzzle_analysis_count(analysis, analysis->verdict.low);
    const char *verb = analysis->verdict.low > 0 ? "win" : "draw";
    switch (analysis->unique) {
    case PUZZLE_UNIQUE: kv_buffer_format(out, "; the only move that %ss", verb); break;
    case PUZZLE_UNIQUE_WITHIN:
        kv_buffer_format(out, "; the only move that wins within %d plies, others may win later",
                         analysis->verdict.plies);
        break;
    case PUZZLE_NOT_UNIQUE: kv_buffer_format(out, "; %d moves %s", good, verb); break;
    default: kv_buffer_format(out, "; whether other moves %s too is not proven", verb);
    }
}

static void write_text(const struct solve *solve, int line, const struct puzzle_entry *entry,
                       const struct puzzle_analysis *analysis, enum answer answer, struct kv_buffer *out)
{
    const struct kv_rules *rules = &solve->cli.rules;
    char text[KV_MOVE_TEXT_MAX];
    kv_buffer_format(out, "%d", line);
    if (entry->id[0])
        kv_buffer_format(out, " %s", entry->id);
    kv_buffer_text(out, ": ");
    puzzle_verdict_write(&analysis->verdict, out);
    write_unique(analysis, out);
    if (answer != NOT_ASKED)
        kv_buffer_format(out, "; expected answer %s", answer_words[answer]);
    kv_buffer_text(out, "\n");
    if (solve->brief)
        return;
    write_group(rules, analysis, "    wins:            ", 1, 1, out);
    write_group(rules, analysis, "    wins or draws:   ", 0, 1, out);
    write_group(rules, analysis, "    draws:           ", 0, 0, out);
    write_group(rules, analysis, "    draws or loses:  ", -1, 0, out);
    write_group(rules, analysis, "    loses:           ", -1, -1, out);
    write_group(rules, analysis, "    not proven:      ", -1, 1, out);
    if (analysis->line_length > 0) {
        kv_buffer_text(out, "    main line:      ");
        for (int i = 0; i < analysis->line_length; i++)
            kv_buffer_format(out, " %s", kv_move_write(rules, analysis->line[i], text));
        kv_buffer_text(out, analysis->line_ends ? "\n" : " ...\n");
    }
    kv_buffer_format(out, "    %llu nodes, %.2f s\n", (unsigned long long)analysis->nodes,
                     (double)analysis->time_ns / 1e9);
}

static void write_text_summary(const struct tally *tally, struct kv_buffer *out)
{
    kv_buffer_format(out,
                     "%d position%s: %d by table, %d by proof, %d by the rules, %d not proven; %d with one "
                     "solution\n",
                     tally->positions, tally->positions == 1 ? "" : "s", tally->by_source[PUZZLE_BY_TABLE],
                     tally->by_source[PUZZLE_BY_PROOF], tally->by_source[PUZZLE_BY_RULES],
                     tally->by_source[PUZZLE_UNKNOWN], tally->unique);
    kv_buffer_format(out, "expected answers: %d right, %d wrong, %d not proven\n", tally->answers[RIGHT],
                     tally->answers[WRONG], tally->answers[UNDECIDED]);
    if (tally->bad_lines)
        kv_buffer_format(out, "%d line%s could not be read\n", tally->bad_lines,
                         tally->bad_lines == 1 ? "" : "s");
    if (tally->stopped)
        kv_buffer_text(out, "interrupted: the rest was not looked at\n");
    kv_buffer_format(out, "%llu nodes, %.2f s\n", (unsigned long long)tally->nodes,
                     (double)tally->time_ns / 1e9);
}

/* ---- JSON --------------------------------------------------------------------------------------- */

static void write_json(const struct solve *solve, int line, const struct puzzle_entry *entry,
                       const struct puzzle_analysis *analysis, enum answer answer, struct kv_buffer *out)
{
    const struct kv_rules *rules = &solve->cli.rules;
    cJSON *object = cJSON_CreateObject();
    cJSON_AddNumberToObject(object, "input_line", line);
    if (entry->id[0])
        cJSON_AddStringToObject(object, "id", entry->id);
    if (entry->comment[0])
        cJSON_AddStringToObject(object, "comment", entry->comment);
    puzzle_json_position(object, rules, &entry->position);
    puzzle_json_verdict(object, &analysis->verdict);
    cJSON_AddStringToObject(object, "unique", puzzle_unique_text(analysis->unique));
    cJSON *moves = solve->brief ? NULL : cJSON_AddArrayToObject(object, "moves");
    for (int i = 0; i < analysis->count && moves; i++) {
        char text[KV_MOVE_TEXT_MAX];
        cJSON *move = cJSON_CreateObject();
        cJSON_AddStringToObject(move, "move", kv_move_write(rules, analysis->moves[i].move, text));
        puzzle_json_verdict(move, &analysis->moves[i].verdict);
        cJSON_AddItemToArray(moves, move);
    }
    cJSON_AddItemToObject(object, "main_line",
                          puzzle_json_moves(rules, analysis->line, analysis->line_length));
    cJSON_AddBoolToObject(object, "main_line_ends", analysis->line_ends);
    if (entry->expected_count)
        cJSON_AddItemToObject(object, "expected",
                              puzzle_json_moves(rules, entry->expected, entry->expected_count));
    cJSON_AddStringToObject(object, "answer", answer_words[answer]);
    cJSON_AddNumberToObject(object, "nodes", (double)analysis->nodes);
    cJSON_AddNumberToObject(object, "time_ms", (double)(analysis->time_ns / 1000000));
    puzzle_json_line(out, object);
}

static void write_json_summary(const struct tally *tally, struct kv_buffer *out)
{
    cJSON *object = cJSON_CreateObject(), *sum = cJSON_AddObjectToObject(object, "summary");
    cJSON_AddNumberToObject(sum, "positions", tally->positions);
    cJSON_AddNumberToObject(sum, "bad_lines", tally->bad_lines);
    cJSON_AddNumberToObject(sum, "by_table", tally->by_source[PUZZLE_BY_TABLE]);
    cJSON_AddNumberToObject(sum, "by_proof", tally->by_source[PUZZLE_BY_PROOF]);
    cJSON_AddNumberToObject(sum, "by_rules", tally->by_source[PUZZLE_BY_RULES]);
    cJSON_AddNumberToObject(sum, "not_proven", tally->by_source[PUZZLE_UNKNOWN]);
    cJSON_AddNumberToObject(sum, "unique", tally->unique);
    cJSON_AddNumberToObject(sum, "right", tally->answers[RIGHT]);
    cJSON_AddNumberToObject(sum, "wrong", tally->answers[WRONG]);
    cJSON_AddNumberToObject(sum, "answers_not_proven", tally->answers[UNDECIDED]);
    cJSON_AddBoolToObject(sum, "interrupted", tally->stopped);
    cJSON_AddNumberToObject(sum, "nodes", (double)tally->nodes);
    cJSON_AddNumberToObject(sum, "time_ms", (double)(tally->time_ns / 1000000));
    puzzle_json_line(out, object);
}

/* ---- The file ----------------------------------------------------------------------------------- */

static int solve_line(struct solve *solve, int number, struct kv_span line, struct tally *tally,
                      struct kv_buffer *out)
{
    struct puzzle_entry entry;
    struct kv_error error;
    if (puzzle_entry_read(&solve->cli.rules, line, &entry, &error)) {
        puzzle_progress_end(&solve->cli);
        puzzle_complain(0, "%s:%d: %s", solve->path, number, error.text);
        tally->bad_lines++;
        return PUZZLE_EXIT_OK;
    }
    struct puzzle_analysis analysis;
    if (puzzle_judge_position(solve->cli.judge, &entry.position, &solve->cli.limits, &analysis))
        return puzzle_complain(PUZZLE_EXIT_SYSTEM, "%s:%d: out of memory", solve->path, number);
    if (atomic_load(&puzzle_stopped)) {
        puzzle_analysis_finish(&analysis);
        return PUZZLE_EXIT_OK; /* half judged: not told */
    }
    enum answer answer = answer_of(&entry, &analysis);
    tally->positions++;
    tally->by_source[puzzle_is_settled(&analysis.verdict) ? analysis.verdict.source : PUZZLE_UNKNOWN]++;
    tally->unique += analysis.unique == PUZZLE_UNIQUE && analysis.verdict.low >= 0;
    tally->answers[answer]++;
    tally->nodes += analysis.nodes;
    tally->time_ns += analysis.time_ns;
    (solve->cli.json ? write_json : write_text)(solve, number, &entry, &analysis, answer, out);
    puzzle_analysis_finish(&analysis);
    return PUZZLE_EXIT_OK;
}

/* Without -o, what is known so far is shown at once. */
static int flush(const struct solve *solve, struct kv_buffer *out)
{
    if (solve->cli.output)
        return PUZZLE_EXIT_OK;
    puzzle_progress_end(&solve->cli);
    int code = puzzle_write_output(&solve->cli, out);
    kv_buffer_clear(out);
    return code;
}

static int solve_lines(struct solve *solve, struct kv_span text, struct tally *tally, struct kv_buffer *out)
{
    int code = PUZZLE_EXIT_OK;
    for (int number = 1; text.length > 0 && code == PUZZLE_EXIT_OK && !atomic_load(&puzzle_stopped);
         number++) {
        const char *newline = memchr(text.at, '\n', text.length);
        struct kv_span line = {text.at, newline ? (size_t)(newline - text.at) : text.length};
        size_t used = line.length + (newline != NULL);
        text = (struct kv_span){text.at + used, text.length - used};
        if (puzzle_entry_is_blank(line))
            continue;
        puzzle_progress(&solve->cli, "line %d: %d solved, %d wrong, %d not proven", number,
                        tally->positions - tally->by_source[PUZZLE_UNKNOWN], tally->answers[WRONG],
                        tally->by_source[PUZZLE_UNKNOWN]);
        code = solve_line(solve, number, line, tally, out);
        if (code == PUZZLE_EXIT_OK)
            code = flush(solve, out);
    }
    tally->stopped = atomic_load(&puzzle_stopped);
    (solve->cli.json ? write_json_summary : write_text_summary)(tally, out);
    puzzle_progress_end(&solve->cli);
    return code == PUZZLE_EXIT_OK ? puzzle_write_output(&solve->cli, out) : code;
}

/* ---- Arguments ---------------------------------------------------------------------------------- */

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct solve *solve = state->input;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &solve->cli; return 0;
    case 'b': solve->brief = true; return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num > 0)
            argp_error(state, "one file at a time");
        solve->path = text;
        return 0;
    case ARGP_KEY_NO_ARGS: argp_error(state, "which file?"); return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

int puzzle_solve(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"brief", 'b', NULL, 0, "One line a position, without its moves", 0}, {0}};
    static const struct argp_child children[] = {{&puzzle_judge_argp, 0, NULL, 0}, {0}};
    static const struct argp argp = {
        .options = options,
        .parser = parse,
        .args_doc = "FILE",
        .children = children,
        .doc = "The value of each position of FILE (- for standard input), of each of its moves, the main "
               "line, and how all that is known."
               "\vA line is a position text, perhaps with what is expected of it, or an object of JSON:\n"
               "  POSITION bm d6 a1-a4; value win; dm 5; id \"first\"; c0 \"a comment\";\n"
               "Exit codes: 0 all right, 1 an expected answer is wrong, 2 bad arguments, 3 a line cannot be "
               "read, 4 memory or files, 5 something could not be proven, 130 interrupted."};
    struct solve solve = {0};
    puzzle_cli_init(&solve.cli);
    argp_parse(&argp, argc, argv, 0, NULL, &solve);
    struct kv_buffer content = {0}, out = {0};
    struct tally tally = {0};
    int code = puzzle_read_file(solve.path, &content);
    if (code == PUZZLE_EXIT_OK)
        code = puzzle_cli_open(&solve.cli);
    if (code == PUZZLE_EXIT_OK)
        code = solve_lines(&solve, (struct kv_span){content.data, content.length}, &tally, &out);
    puzzle_cli_finish(&solve.cli);
    kv_buffer_finish(&content);
    kv_buffer_finish(&out);
    if (code != PUZZLE_EXIT_OK)
        return code;
    if (tally.stopped)
        return PUZZLE_EXIT_STOPPED;
    if (tally.bad_lines)
        return PUZZLE_EXIT_INPUT;
    if (tally.answers[WRONG])
        return PUZZLE_EXIT_WRONG;
    return tally.answers[UNDECIDED] || tally.by_source[PUZZLE_UNKNOWN] ? PUZZLE_EXIT_OPEN : PUZZLE_EXIT_OK;
}
