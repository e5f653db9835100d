/* A program of somebody else's: it has the public headers and the shared library, nothing more. Plays a
 * few moves against itself and keeps a score. Exit code 0 when all is as promised. */
#include <kvern/kvern.h>
#include <stdio.h>
#include <string.h>

#define CHECK(condition)                                                                                     \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            fprintf(stderr, "line %d: %s\n", __LINE__, #condition);                                          \
            return 1;                                                                                        \
        }                                                                                                    \
    } while (0)

struct heard {
    int reports, answers, status;
    struct kv_search_result result;
};

static void on_report(void *user, const struct kv_search_info *info)
{
    struct heard *heard = user;
    heard->reports += info->multipv > 0;
}

static void on_done(void *user, int status, const struct kv_search_result *result)
{
    struct heard *heard = user;
    heard->answers++;
    heard->status = status;
    heard->result = *result;
}

static int set(struct kv_engine *engine, const char *name, const char *value, struct kv_error *error)
{
    return kv_engine_set_option(engine, name, strlen(name), value, strlen(value), error);
}

static int play_a_move(struct kv_engine *engine, struct kv_game *game)
{
    struct heard heard = {0};
    struct kv_listener listener = {on_report, on_done, &heard};
    struct kv_limits limits = {.start_ns = kv_engine_clock(), .depth = 3};
    struct kv_game copy;
    CHECK(kv_game_copy(&copy, game) == KV_OK);
    CHECK(kv_engine_set_game(engine, &copy) == KV_OK);
    CHECK(kv_engine_go(engine, &limits, &listener) == KV_OK);
    CHECK(kv_engine_wait(engine, INT64_MAX));
    CHECK(heard.answers == 1 && heard.status == KV_OK && heard.reports > 0);
    kv_move moves[KV_MOVES_MAX];
    int count = kv_moves(&game->rules, &game->position, moves), found = 0;
    for (int i = 0; i < count; i++)
        found += moves[i] == heard.result.best;
    CHECK(found == 1);
    CHECK(kv_game_play(game, heard.result.best) == KV_OK);
    return 0;
}

static int stop_an_endless_search(struct kv_engine *engine)
{
    struct heard heard = {0};
    struct kv_listener listener = {on_report, on_done, &heard};
    struct kv_limits limits = {.start_ns = kv_engine_clock(), .infinite = true};
    CHECK(kv_engine_go(engine, &limits, &listener) == KV_OK);
    CHECK(kv_engine_is_searching(engine) && !kv_engine_is_bounded(engine));
    CHECK(kv_engine_go(engine, &limits, &listener) == KV_E_BUSY);
    CHECK(!kv_engine_wait(engine, kv_engine_clock() + 1000000));
    kv_engine_stop(engine);
    CHECK(kv_engine_wait(engine, INT64_MAX) && heard.answers == 1);
    return 0;
}

static void add(void *user, const char *bytes, size_t length)
{
    char *text = user;
    strncat(text, bytes, length < 200 ? length : 200);
}

static int keep_score(void)
{
    char text[1024] = "";
    static const char line[] = "molkky new Ann Bo";
    struct kv_scoring *scoring = kv_scoring_create(0);
    CHECK(scoring != NULL);
    CHECK(kv_scoring_command(scoring, line, strlen(line), add, text) == KV_OK);
    CHECK(strncmp(text, "molkky ok ", 10) == 0);
    kv_scoring_destroy(scoring);
    return 0;
}

int main(void)
{
    struct kv_engine *engine;
    struct kv_error error = {""};
    CHECK(kv_engine_create(&engine, NULL) == KV_OK);
    CHECK(set(engine, "hash", "1", &error) == KV_OK);
    CHECK(set(engine, "DoubleMill", "two", &error) == KV_OK);
    CHECK(set(engine, "DoubleMill", "three", &error) == KV_E_RANGE && strstr(error.text, "three"));
    CHECK(set(engine, "Colour", "blue", &error) == KV_E_NOT_FOUND);
    CHECK(kv_engine_rules(engine)->double_mill == KV_DOUBLE_TWO);
    struct kv_game game;
    CHECK(kv_engine_begin_game(engine, &game) == KV_OK);
    for (int i = 0; i < 24 && kv_game_result(&game, NULL) == KV_ONGOING; i++)
        if (play_a_move(engine, &game))
            return 1;
    CHECK(game.count > 6);
    struct kv_term terms[KV_TERMS_MAX];
    int score, sum = 0, count = kv_engine_evaluate(&game.rules, &game.position, terms, &score);
    for (int i = 0; i < count; i++)
        sum += terms[i].score;
    CHECK(count > 0 && sum == score);
    if (stop_an_endless_search(engine) || keep_score())
        return 1;
    kv_game_finish(&game);
    kv_engine_destroy(engine);
    printf("all as promised by version %s\n", kv_version());
    return 0;
}
