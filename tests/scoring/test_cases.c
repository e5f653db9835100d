/* Replays cases.txt and rejects.txt. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "ask.h"

enum { FIELDS = 5 };

struct line {
    char text[512];
    char *field[FIELDS]; /* trimmed */
    int fields, number;
};

static char *trim(char *text)
{
    while (*text == ' ')
        text++;
    size_t length = strlen(text);
    while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\n'))
        text[--length] = '\0';
    return text;
}

static bool next_line(FILE *file, struct line *line)
{
    while (fgets(line->text, sizeof line->text, file)) {
        line->number++;
        if (line->text[0] == '#' || line->text[0] == '\n')
            continue;
        line->fields = 0;
        char *rest = line->text;
        while (rest && line->fields < FIELDS) {
            char *end = strstr(rest, " ;");
            if (end)
                *end = '\0';
            line->field[line->fields++] = trim(rest);
            rest = end ? end + 2 : NULL;
        }
        return true;
    }
    return false;
}

/* Sets the game of a line up and enters its inputs; true when all of them were taken. */
static bool play(struct asker *asker, const struct line *line)
{
    const char *game = line->field[0];
    char inputs[512];
    if (*line->field[1]) {
        ask(asker, "%s new %s", game, line->field[1]);
        if (asker->status != KV_OK)
            return false;
    }
    snprintf(inputs, sizeof inputs, "%s", line->field[2]);
    const char *between = strchr(inputs, '/') || strcmp(game, "jakkolo") == 0 ? "/" : " ";
    char *rest = NULL;
    for (char *input = strtok_r(inputs, between, &rest); input; input = strtok_r(NULL, between, &rest)) {
        for (char *c = input; *c; c++)
            if (*c == ':')
                *c = ' ';
        const char *verb = strcmp(game, "molkky") == 0  ? strcmp(input, "foul") == 0 ? "" : "throw "
                           : strcmp(game, "palet") == 0 ? "shot "
                                                        : "attempt ";
        cJSON *state = ask_json(asker, game);
        const cJSON *due = cJSON_GetObjectItem(state, "bonus");
        if (due && due->valueint > 0)
            verb = "bonus ";
        cJSON_Delete(state);
        if (strstr(input, "attempt") || strstr(input, "bonus"))
            verb = "";
        ask(asker, "%s %s%s", game, verb, input);
        if (asker->status != KV_OK)
            return false;
    }
    return true;
}

static const cJSON *find(const cJSON *state, const char *key)
{
    const char *dot = strchr(key, '.');
    if (!dot)
        return cJSON_GetObjectItem(state, key);
    const cJSON *side;
    cJSON_ArrayForEach(side, cJSON_GetObjectItem(state, "sides"))
    {
        const char *name = cJSON_GetObjectItem(side, "name")->valuestring;
        if (strlen(name) == (size_t)(dot - key) && strncmp(name, key, strlen(name)) == 0)
            return cJSON_GetObjectItem(side, dot + 1);
    }
    return NULL;
}

static int check_expectation(const cJSON *state, const char *pair, int number)
{
    char key[64], found[256];
    const char *equals = strchr(pair, '=');
    assert_non_null(equals);
    snprintf(key, sizeof key, "%.*s", (int)(equals - pair), pair);
    if (strcmp(key, "entries") == 0)
        snprintf(found, sizeof found, "%d", cJSON_GetArraySize(cJSON_GetObjectItem(state, "entries")));
    else
        ask_value(find(state, key), found, sizeof found);
    if (strcmp(found, equals + 1) == 0)
        return 0;
    print_error("cases.txt:%d: %s is %s, not %s\n", number, key, found, equals + 1);
    return 1;
}

static int check_case(struct line *line)
{
    struct asker asker;
    int failures = 0;
    ask_start(&asker, 0);
    bool played = play(&asker, line);
    if (strncmp(line->field[3], "error=", 6) == 0) {
        failures = played || !strstr(asker.answer.data, line->field[3] + 6);
        if (failures)
            print_error("cases.txt:%d: answered %s", line->number, asker.answer.data);
    } else if (!played) {
        print_error("cases.txt:%d: refused with %s", line->number, asker.answer.data);
        failures = 1;
    } else {
        cJSON *state = ask_json(&asker, line->field[0]);
        char *rest = NULL;
        for (char *pair = strtok_r(line->field[3], " ", &rest); pair; pair = strtok_r(NULL, " ", &rest))
            failures += check_expectation(state, pair, line->number);
        cJSON_Delete(state);
    }
    ask_finish(&asker);
    return failures;
}

static void cases_end_as_worked_out(void **state)
{
    (void)state;
    FILE *file = fopen(KV_SCORING_TESTS "/cases.txt", "r");
    assert_non_null(file);
    struct line line = {.number = 0};
    int cases = 0, failures = 0;
    while (next_line(file, &line)) {
        assert_int_equal(line.fields, 4);
        failures += check_case(&line);
        cases++;
    }
    fclose(file);
    assert_true(cases > 100);
    assert_int_equal(failures, 0);
}

static int check_reject(const struct line *line)
{
    struct asker asker;
    int failures = 0;
    ask_start(&asker, KV_SCORING_FILES);
    if (!play(&asker, line)) {
        print_error("rejects.txt:%d: before it came to it: %s", line->number, asker.answer.data);
        failures++;
    }
    char *before = strdup(ask(&asker, "%s json", line->field[0]));
    const char *answer = ask(&asker, "%s %s", line->field[0], line->field[3]);
    size_t length = strlen(answer);
    if (asker.status == KV_OK || asker.answers != 1 || !strstr(answer, " error ") ||
        !strstr(answer, line->field[4]) || strchr(answer, '\n') != answer + length - 1) {
        print_error("rejects.txt:%d: answered %s", line->number, answer);
        failures++;
    }
    if (strcmp(before, ask(&asker, "%s json", line->field[0])) != 0) {
        print_error("rejects.txt:%d: the state changed\n", line->number);
        failures++;
    }
    free(before);
    ask_finish(&asker);
    return failures;
}

static void bad_commands_answer_one_line_and_change_nothing(void **state)
{
    (void)state;
    FILE *file = fopen(KV_SCORING_TESTS "/rejects.txt", "r");
    assert_non_null(file);
    struct line line = {.number = 0};
    int cases = 0, failures = 0;
    while (next_line(file, &line)) {
        assert_int_equal(line.fields, 5);
        failures += check_reject(&line);
        cases++;
    }
    fclose(file);
    assert_true(cases >= 60);
    assert_int_equal(failures, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cases_end_as_worked_out),
        cmocka_unit_test(bad_commands_answer_one_line_and_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
