/* Replays files of rule cases: `run_cases cases.txt RULES.md`. The first describes the format; of a document
 * (.md) the blocks fenced as ```cases are read. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "support/rules_text.h"

struct runner {
    char name[200];
    int line, cases, checks, failures;
    struct kv_rules rules;
    char setup[3][512]; /* white:, black:, position: */
    char turn;
    bool ready; /* `game` has been set up for this case */
    bool refused;
    struct kv_error refusal;
    struct kv_game game;
};

static void complain(struct runner *run, const char *format, ...) KV_PRINTF(2, 3);

static void complain(struct runner *run, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    printf("line %d, case '%s': ", run->line, run->name);
    vprintf(format, arguments);
    printf("\n");
    va_end(arguments);
    run->failures++;
}

/* ---- Setting up --------------------------------------------------------------------------------- */

/* "a1 d1 +3" onto the board of a position text; returns the stones in hand. */
static int place_list(struct runner *run, const char *list, char stone, char board[27], int *stones)
{
    static const char order[] = "d5e5e4e3d3c3c4c5/d6f6f4f2d2b2b4b6/d7g7g4g1d1a1a4a7";
    struct kv_span rest = kv_span_of(list), word;
    int hand = 0;
    while ((word = kv_span_token(&rest)).length > 0) {
        if (word.at[0] == '+') {
            hand = atoi(word.at + 1);
            continue;
        }
        char name[3] = {word.at[0], word.length == 2 ? word.at[1] : '?', '\0'};
        const char *found = strstr(order, name);
        if (!found)
            complain(run, "no point %.*s", (int)word.length, word.at);
        else {
            int at = (int)(found - order);
            board[at >= 34 ? (at - 2) / 2 + 2 : at >= 17 ? (at - 1) / 2 + 1 : at / 2] = stone;
            (*stones)++;
        }
    }
    return hand;
}

static void set_up(struct runner *run)
{
    if (run->ready)
        return;
    run->ready = true;
    kv_game_finish(&run->game);
    if (kv_game_init(&run->game, &run->rules) != KV_OK)
        abort();
    char text[1024];
    if (run->setup[2][0])
        snprintf(text, sizeof text, "%s", run->setup[2]);
    else if (run->setup[0][0] || run->setup[1][0]) {
        char board[] = "********/********/********";
        int stones[2] = {0, 0}, hand[2];
        for (int side = 0; side < 2; side++)
            hand[side] = place_list(run, run->setup[side], side == 0 ? 'O' : '@', board, &stones[side]);
        bool places = hand[run->turn == 'b'] > 0;
        snprintf(text, sizeof text, "%s %c %c %c %d %d %d %d", board, run->turn,
                 hand[0] + hand[1] > 0 ? 'p' : 'm', places ? 'p' : 's', stones[0], hand[0], stones[1],
                 hand[1]);
    } else
        return;
    struct kv_position position;
    run->refused = kv_position_read(&run->rules, text, strlen(text), &position, &run->refusal) != KV_OK;
    if (!run->refused && kv_game_set(&run->game, &position) != KV_OK)
        abort();
}

/* ---- Checks ----------------------------------------------------------------------------------- */

static void play(struct runner *run, struct kv_span words)
{
    for (struct kv_span word; (word = kv_span_token(&words)).length > 0;) {
        kv_move move;
        struct kv_error error;
        if (kv_move_read(&run->rules, &run->game.position, word.at, word.length, &move, &error) != KV_OK) {
            complain(run, "%.*s: %s", (int)word.length, word.at, error.text);
            return;
        }
        if (kv_game_play(&run->game, move) != KV_OK)
            abort();
    }
}

/* Is there a legal move written exactly like this? */
static bool listed(const struct runner *run, struct kv_span word)
{
    kv_move moves[KV_MOVES_MAX];
    int count = kv_moves(&run->rules, &run->game.position, moves);
    for (int i = 0; i < count; i++) {
        char text[KV_MOVE_TEXT_MAX];
        if (kv_span_is(word, kv_move_write(&run->rules, moves[i], text)))
            return true;
    }
    return false;
}

static void check_listed(struct runner *run, struct kv_span words, bool wanted, bool all)
{
    kv_move moves[KV_MOVES_MAX];
    int count = kv_moves(&run->rules, &run->game.position, moves), named = 0;
    for (struct kv_span word; (word = kv_span_token(&words)).length > 0; named++)
        if (listed(run, word) != wanted)
            complain(run, "%.*s is %slegal", (int)word.length, word.at, wanted ? "not " : "");
    if (all && named != count) {
        complain(run, "%d legal moves, not %d:", count, named);
        for (int i = 0; i < count; i++) {
            char text[KV_MOVE_TEXT_MAX];
            printf(" %s", kv_move_write(&run->rules, moves[i], text));
        }
        printf("\n");
    }
}

static void check_equal(struct runner *run, const char *found, struct kv_span expected)
{
    if (!kv_span_is(expected, found))
        complain(run, "found '%s', not '%.*s'", found, (int)expected.length, expected.at);
}

static void check_number(struct runner *run, long found, struct kv_span expected)
{
    char text[32];
    snprintf(text, sizeof text, "%ld", found);
    check_equal(run, text, expected);
}

static void check_result(struct runner *run, struct kv_span expected)
{
    enum kv_reason reason;
    enum kv_result result = kv_game_result(&run->game, &reason);
    char text[128];
    snprintf(text, sizeof text, "%s%s%s", kv_result_text(result), reason == KV_NO_REASON ? "" : ", ",
             reason == KV_NO_REASON ? "" : kv_reason_text(reason));
    check_equal(run, text, expected);
}

static void check_contains(struct runner *run, const char *text, struct kv_span expected)
{
    if (!memmem(text, strlen(text), expected.at, expected.length))
        complain(run, "found '%s', lacking '%.*s'", text, (int)expected.length, expected.at);
}

/* "TOKEN: cause" */
static void check_refused(struct runner *run, struct kv_span rest)
{
    const char *colon = memchr(rest.at, ':', rest.length);
    size_t length = colon ? (size_t)(colon - rest.at) : rest.length;
    kv_move move = KV_MOVE_NONE;
    struct kv_error error;
    if (kv_move_read(&run->rules, &run->game.position, rest.at, length, &move, &error) == KV_OK)
        complain(run, "%.*s is accepted", (int)length, rest.at);
    else if (colon)
        check_contains(run, error.text, kv_span_trim((struct kv_span){colon + 1, rest.length - length - 1}));
}

static bool check(struct runner *run, struct kv_span key, struct kv_span value)
{
    char text[KV_POSITION_TEXT_MAX];
    set_up(run);
    run->checks++;
    if (kv_span_is(key, "no position")) {
        check_contains(run, run->refused ? run->refusal.text : "a good position", value);
        return true;
    }
    if (run->refused) {
        complain(run, "%s", run->refusal.text);
        run->refused = false;
    }
    if (kv_span_is(key, "moves"))
        play(run, value);
    else if (kv_span_is(key, "undo"))
        for (long n = strtol(value.at, NULL, 10); n > 0; n--)
            kv_game_undo(&run->game);
    else if (kv_span_is(key, "legal"))
        check_listed(run, value, true, true);
    else if (kv_span_is(key, "has"))
        check_listed(run, value, true, false);
    else if (kv_span_is(key, "not"))
        check_listed(run, value, false, false);
    else if (kv_span_is(key, "count"))
        check_number(run, (long)kv_perft(&run->rules, &run->game.position, 1, true), value);
    else if (kv_span_is(key, "due"))
        check_number(run, run->game.position.due, value);
    else if (kv_span_is(key, "seen"))
        check_number(run, kv_game_repetitions(&run->game), value);
    else if (kv_span_is(key, "result"))
        check_result(run, value);
    else if (kv_span_is(key, "refused"))
        check_refused(run, value);
    else if (kv_span_is(key, "text")) {
        kv_position_write(&run->rules, &run->game.position, text);
        check_equal(run, text, value);
    } else
        return false;
    return true;
}

/* ---- The file ------------------------------------------------------------------------------------ */

static void begin_case(struct runner *run, struct kv_span name)
{
    snprintf(run->name, sizeof run->name, "%.*s", (int)name.length, name.at);
    kv_rules_init(&run->rules, 0);
    memset(run->setup, 0, sizeof run->setup);
    run->turn = 'w';
    run->ready = run->refused = false;
    run->cases++;
}

static void read_line(struct runner *run, struct kv_span line)
{
    static const char *const setups[] = {"white", "black", "position"};
    const char *colon = memchr(line.at, ':', line.length);
    struct kv_span key = line, value = {line.at + line.length, 0};
    struct kv_error error;
    if (colon) {
        key.length = (size_t)(colon - line.at);
        value = kv_span_trim((struct kv_span){colon + 1, line.length - key.length - 1});
    }
    if (kv_span_is(key, "case")) {
        begin_case(run, value);
        return;
    }
    for (int i = 0; i < 3; i++)
        if (kv_span_is(key, setups[i])) {
            snprintf(run->setup[i], sizeof run->setup[i], "%.*s", (int)value.length, value.at);
            return;
        }
    if (kv_span_is(key, "turn"))
        run->turn = value.at[0];
    else if (kv_span_is(key, "rules")) {
        if (rules_text_read(value, &run->rules, &error) != KV_OK)
            complain(run, "%s", error.text);
    } else if (!check(run, key, value))
        complain(run, "no such line: %.*s", (int)line.length, line.at);
}

static int read_file(struct runner *run, const char *name)
{
    FILE *file = fopen(name, "r");
    if (!file) {
        perror(name);
        return 1;
    }
    size_t length = strlen(name);
    bool document = length > 3 && strcmp(name + length - 3, ".md") == 0, inside = !document;
    static char line[4096];
    int before = run->cases;
    run->line = 0;
    while (fgets(line, sizeof line, file)) {
        run->line++;
        struct kv_span text = kv_span_trim(kv_span_of(line));
        if (document && kv_span_starts(text, "```"))
            inside = kv_span_is(text, "```cases");
        else if (inside && text.length > 0 && text.at[0] != '#')
            read_line(run, text);
    }
    fclose(file);
    printf("%s: %d cases\n", name, run->cases - before);
    return run->cases == before;
}

int main(int argc, char **argv)
{
    static struct runner run;
    int missing = 0;
    for (int i = 1; i < argc; i++)
        missing += read_file(&run, argv[i]);
    kv_game_finish(&run.game);
    printf("%d cases, %d checks, %d failures\n", run.cases, run.checks, run.failures);
    return run.failures > 0 || missing > 0 || run.cases == 0;
}
