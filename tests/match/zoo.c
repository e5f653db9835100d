/* Small programs that speak UCI, well or badly: `zoo KIND [SEED]`. The good ones play random legal moves,
 * always the same ones in the same position; the bad ones do the same until their third move. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/random.h"
#include "base/span.h"
#include "kvern/position.h"

enum { BAD_MOVE = 3, LINE_MAX_BYTES = 1 << 20 };

static const char *kind;
static uint64_t seed;
static struct kv_rules rules;
static struct kv_game game;
static int asked;

static bool is(const char *name)
{
    return strcmp(kind, name) == 0;
}

static void say(const char *text)
{
    fputs(text, stdout);
    fflush(stdout);
}

static void sleep_for_ever(void)
{
    for (;;)
        pause();
}

static void set_option(struct kv_span rest)
{
    kv_span_token(&rest);
    struct kv_span name = kv_span_token(&rest);
    kv_span_token(&rest);
    struct kv_span value = kv_span_token(&rest);
    const struct kv_rule *rule = kv_rule_find(name.at, name.length);
    if (rule)
        kv_rule_set(&rules, rule, value.at, value.length, NULL);
}

static void set_position(struct kv_span rest)
{
    struct kv_position start;
    struct kv_span word = kv_span_token(&rest);
    kv_position_start(&rules, &start);
    if (kv_span_is(word, "fen")) {
        const char *text = rest.at, *moves = strstr(rest.at, " moves ");
        size_t length = moves ? (size_t)(moves - text) : rest.length;
        if (kv_position_read(&rules, text, length, &start, NULL) != KV_OK)
            exit(1);
        rest.at += length;
        rest.length -= length;
    }
    kv_game_finish(&game);
    kv_game_init(&game, &rules);
    kv_game_set(&game, &start);
    for (kv_span_token(&rest); (word = kv_span_token(&rest)).length > 0;) {
        kv_move move;
        if (kv_move_read(&rules, &game.position, word.at, word.length, &move, NULL) != KV_OK)
            exit(1);
        kv_game_play(&game, move);
    }
}

/* Sixteen bytes, again and again. */
static void flood(const char *drop)
{
    char much[1 << 16];
    for (size_t i = 0; i < sizeof much; i++)
        much[i] = drop[i % 16];
    while (write(STDOUT_FILENO, much, sizeof much) > 0)
        ;
    sleep_for_ever();
}

/* What is wrong with the third move. */
static void misbehave(void)
{
    if (is("dies"))
        exit(3);
    if (is("crashes"))
        raise(SIGKILL);
    if (is("hangs"))
        sleep_for_ever();
    if (is("closes")) {
        fclose(stdout);
        close(STDOUT_FILENO);
        sleep_for_ever();
    }
    if (is("garbage")) {
        say("what is a mill?\n\n\x01\xff bestmove\nbest move d6\n");
        sleep_for_ever();
    }
    if (is("flood") || is("line"))
        flood(is("line") ? "0123456789abcde " : "info nodes 1234\n");
    if (is("late"))
        nanosleep(&(struct timespec){.tv_nsec = 700000000}, NULL);
    if (is("illegal"))
        say("bestmove a1-a1\n");
    if (is("unreadable"))
        say("bestmove \x01\x02 d6\n");
    if (is("empty"))
        say("bestmove\n");
    if (is("none"))
        say("bestmove none\n");
    if (is("claims"))
        say("bestmove draw\n");
}

static void answer(void)
{
    kv_move moves[KV_MOVES_MAX], move;
    char text[KV_MOVE_TEXT_MAX], line[128];
    int count = kv_moves(&rules, &game.position, moves);
    if (count == 0) {
        say("bestmove (none)\n");
        return;
    }
    struct kv_random random = {kv_position_key(&game.position) ^ kv_mix64(seed + game.count)};
    move = moves[kv_random_below(&random, (uint32_t)count)];
    kv_move_write(&rules, move, text);
    if ((is("split") || is("sanmill")) && strchr(text + 1, 'x') && text[0] != 'x')
        *strchr(text, 'x') = '\0';
    bool one_line = is("one-line") || is("sanmill");
    int score = is("optimist") ? 900 : is("pessimist") ? -900 : 0;
    snprintf(line, sizeof line, "info depth 1 score cp %d nodes 1 time 0 pv %s%sbestmove %s\n", score, text,
             one_line ? " " : "\n", text);
    say(line);
    if (is("twice") && asked >= BAD_MOVE)
        say(strstr(line, "bestmove"));
}

static void obey(struct kv_span line)
{
    struct kv_span rest = line, word = kv_span_token(&rest);
    if (kv_span_is(word, "uci")) {
        if (is("mute"))
            sleep_for_ever();
        say("id name zoo\noption name Flying type check default true\noption name NoCaptureLimit type spin\n"
            "option name DoubleMill type combo\noption name MillProtection type combo\nuciok\n");
    } else if (kv_span_is(word, "isready"))
        say("readyok\n");
    else if (kv_span_is(word, "setoption"))
        set_option(rest);
    else if (kv_span_is(word, "ucinewgame"))
        asked = 0;
    else if (kv_span_is(word, "position"))
        set_position(rest);
    else if (kv_span_is(word, "go")) {
        if (++asked == BAD_MOVE)
            misbehave();
        answer();
    } else if (kv_span_is(word, "quit"))
        exit(0);
}

int main(int argc, char **argv)
{
    static char line[LINE_MAX_BYTES];
    kind = argc > 1 ? argv[1] : "good";
    seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
    if (is("absent"))
        return 1;
    kv_rules_init(&rules, 0);
    kv_game_init(&game, &rules);
    while (fgets(line, sizeof line, stdin))
        obey(kv_span_of(line));
    if (is("stays"))
        sleep_for_ever();
    return 0;
}
