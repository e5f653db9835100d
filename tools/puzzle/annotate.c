/* kvern-puzzle annotate: the command. */
#include <string.h>

#include "base/span.h"
#include "puzzle/annotation.h"

enum form { FORM_TEXT, FORM_RECORD, FORM_JSON, FORM_HTML, FORM_COUNT };
static const char *const forms[FORM_COUNT] = {"text", "record", "json", "html"};

struct annotate {
    struct puzzle_cli cli;
    const char *path;
    int form; /* -1 = by the name of the output file */
    int64_t game, opinion_nodes;
};

enum { KEY_GAME = 512, KEY_OPINION };

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct annotate *annotate = state->input;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &annotate->cli; return 0;
    case 'f':
        for (int form = 0; form < FORM_COUNT; form++)
            if (strcmp(text, forms[form]) == 0) {
                annotate->form = form;
                return 0;
            }
        argp_error(state, "--format %s: expected text, record, json or html", text);
        return 0;
    case KEY_GAME:
        if (kv_span_int(kv_span_of(text), 1, INT32_MAX, &annotate->game))
            argp_error(state, "--game %s: expected a number from 1", text);
        return 0;
    case KEY_OPINION:
        if (kv_span_int(kv_span_of(text), 0, INT64_MAX, &annotate->opinion_nodes))
            argp_error(state, "--engine-nodes %s: expected a number", text);
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num > 0)
            argp_error(state, "one file at a time");
        annotate->path = text;
        return 0;
    case ARGP_KEY_NO_ARGS: argp_error(state, "which file?"); return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

static enum form form_of(const struct annotate *annotate)
{
    if (annotate->form >= 0)
        return (enum form)annotate->form;
    if (annotate->cli.json)
        return FORM_JSON;
    const char *dot = annotate->cli.output ? strrchr(annotate->cli.output, '.') : NULL;
    if (dot && (strcmp(dot, ".html") == 0 || strcmp(dot, ".htm") == 0))
        return FORM_HTML;
    if (dot && (strcmp(dot, ".json") == 0 || strcmp(dot, ".jsonl") == 0))
        return FORM_JSON;
    return dot && strcmp(dot, ".pgn") == 0 ? FORM_RECORD : FORM_TEXT;
}

/* The record that was asked for; the ones before it must be readable too. */
static int read_record(const struct annotate *annotate, const struct kv_buffer *content,
                       struct kv_record *record)
{
    struct kv_record_reader reader = {
        .text = content->data ? content->data : "", .length = content->length, .rules = &annotate->cli.rules};
    for (int64_t game = 1;; game++) {
        struct kv_error error;
        int status = kv_record_read(&reader, record, &error);
        if (status == KV_E_NOT_FOUND)
            return puzzle_complain(PUZZLE_EXIT_INPUT, "%s: there is no game %lld", annotate->path,
                                   (long long)annotate->game);
        if (status)
            return puzzle_complain(status == KV_E_MEMORY ? PUZZLE_EXIT_SYSTEM : PUZZLE_EXIT_INPUT, "%s: %s",
                                   annotate->path, error.text);
        if (game == annotate->game)
            return PUZZLE_EXIT_OK;
        kv_record_finish(record);
    }
}

static int write_form(const struct annotate *annotate, const struct puzzle_annotation *annotation,
                      struct kv_record *record)
{
    struct kv_buffer out = {0};
    int status = KV_OK;
    switch (form_of(annotate)) {
    case FORM_HTML: puzzle_annotation_write_html(annotation, &out); break;
    case FORM_JSON: puzzle_annotation_write_json(annotation, &out); break;
    case FORM_RECORD: status = puzzle_annotation_write_record(annotation, record, &out); break;
    default: puzzle_annotation_write_text(annotation, &out);
    }
    out.failed = out.failed || status;
    int code = puzzle_write_output(&annotate->cli, &out);
    kv_buffer_finish(&out);
    return code;
}

static int run(struct annotate *annotate)
{
    struct kv_buffer content = {0};
    struct kv_record record = {0};
    struct puzzle_annotation annotation = {0};
    int code = puzzle_read_file(annotate->path, &content);
    if (code == PUZZLE_EXIT_OK)
        code = read_record(annotate, &content, &record);
    if (code == PUZZLE_EXIT_OK) {
        annotate->cli.rules = record.rules;
        code = puzzle_cli_open(&annotate->cli);
    }
    if (code == PUZZLE_EXIT_OK)
        code =
            puzzle_annotation_make(&annotate->cli, (uint64_t)annotate->opinion_nodes, &record, &annotation);
    if (code == PUZZLE_EXIT_OK)
        code = write_form(annotate, &annotation, &record);
    puzzle_annotation_finish(&annotation);
    kv_record_finish(&record);
    kv_buffer_finish(&content);
    puzzle_cli_finish(&annotate->cli);
    return code;
}

int puzzle_annotate(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"format", 'f', "FORM", 0, "text, record, json or html; without it the name given to -o decides", 0},
        {"game", KEY_GAME, "N", 0, "Which game of the file (1)", 0},
        {"engine-nodes", KEY_OPINION, "N", 0,
         "Nodes of the engine's search where nothing is proven; 0 = no opinions (50000)", 0},
        {0}};
    static const struct argp_child children[] = {{&puzzle_judge_argp, 0, NULL, 0}, {0}};
    static const struct argp argp = {
        .options = options,
        .parser = parse,
        .args_doc = "FILE",
        .children = children,
        .doc =
            "A game record (- for standard input) with the value of every move, its mistakes, and why they "
            "are mistakes."
            "\vProven mistakes and the engine's opinions are told apart. Values are those of the position "
            "alone: how often it has occurred in the game is not looked at.\n"
            "Exit codes: 0 written, 2 bad arguments, 3 no such game or a record that cannot be read, 4 "
            "memory or files, 130 interrupted."};
    struct annotate annotate = {.form = -1, .game = 1, .opinion_nodes = 50000};
    puzzle_cli_init(&annotate.cli);
    annotate.cli.limits.nodes = 200000;
    annotate.cli.limits.value_only = true;
    argp_parse(&argp, argc, argv, 0, NULL, &annotate);
    return run(&annotate);
}
