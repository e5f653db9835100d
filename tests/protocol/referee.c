/* A referee that has never seen the engine's rules: the naive ones behind a line protocol.
 *
 *     new FLYING PROTECTION DOUBLE RECLOSE FIRST REPETITION LIMIT     start a game (numbers)
 *     play MOVE                                                       a legal move, written in full
 *
 * Each line is answered by one: the side to move, the result ("ongoing" or naive_result's words with a
 * dash between them), then every legal move; "illegal" when the move is none of them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "naive.h"

enum { PLIES_MAX = 20000, TEXT_MAX = 16 };

struct referee {
    struct naive_rules rules;
    struct naive_position history[PLIES_MAX];
    int count;
    struct naive_turn turns[NAIVE_TURNS_MAX];
    int turn_count;
};

static void write_turn(const struct naive_turn *turn, char text[TEXT_MAX])
{
    int n = 0;
    if (turn->from >= 0)
        n += snprintf(text + n, TEXT_MAX - (size_t)n, "%s-", naive_names[turn->from]);
    n += snprintf(text + n, TEXT_MAX - (size_t)n, "%s", naive_names[turn->to]);
    for (int i = 0; i < turn->taken; i++)
        n += snprintf(text + n, TEXT_MAX - (size_t)n, "x%s", naive_names[turn->captures[i]]);
}

static void answer(struct referee *referee)
{
    const struct naive_position *now = &referee->history[referee->count - 1];
    const char *result = naive_result(&referee->rules, referee->history, referee->count);
    referee->turn_count = naive_turns(&referee->rules, now, referee->turns);
    printf("%s ", now->side == 0 ? "white" : "black");
    if (result[0] == '\0')
        printf("ongoing");
    for (const char *c = result; *c; c++)
        putchar(*c == ' ' ? '-' : *c);
    for (int i = 0; i < referee->turn_count && result[0] == '\0'; i++) {
        char text[TEXT_MAX];
        write_turn(&referee->turns[i], text);
        printf(" %s", text);
    }
    printf("\n");
}

/* Two captures are one move in either order. */
static bool is_same(const struct naive_turn *turn, const char *move)
{
    char text[TEXT_MAX];
    struct naive_turn swapped = *turn;
    write_turn(turn, text);
    if (strcmp(text, move) == 0)
        return true;
    if (turn->taken < 2)
        return false;
    swapped.captures[0] = turn->captures[1];
    swapped.captures[1] = turn->captures[0];
    write_turn(&swapped, text);
    return strcmp(text, move) == 0;
}

static bool play(struct referee *referee, const char *move)
{
    for (int i = 0; i < referee->turn_count && referee->count < PLIES_MAX; i++)
        if (is_same(&referee->turns[i], move)) {
            referee->history[referee->count++] = referee->turns[i].after;
            return true;
        }
    return false;
}

int main(void)
{
    static char line[256];
    struct referee *referee = calloc(1, sizeof *referee);
    setvbuf(stdout, NULL, _IOLBF, 0);
    while (referee && fgets(line, sizeof line, stdin)) {
        int flying, protection, two, reclose, first, repetition, limit;
        char move[32];
        if (sscanf(line, "new %d %d %d %d %d %d %d", &flying, &protection, &two, &reclose, &first,
                   &repetition, &limit) == 7) {
            referee->rules = (struct naive_rules){
                .flying = flying != 0,
                .protection = (enum naive_protection)protection,
                .double_takes_two = two != 0,
                .reclose = (enum naive_reclose)reclose,
                .repetition = repetition,
                .no_capture_limit = limit,
            };
            referee->history[0] = naive_start(9, first);
            referee->count = 1;
            answer(referee);
        } else if (referee->count > 0 && sscanf(line, "play %31s", move) == 1 && play(referee, move)) {
            answer(referee);
        } else
            printf("illegal\n");
    }
    free(referee);
    return 0;
}
