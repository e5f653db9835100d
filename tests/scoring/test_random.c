/* Random games: whatever is entered, undone, entered again and edited, the state is the replay of the
 * inputs that stand. The test keeps its own list of them and plays it into a fresh game.
 *
 * usage: test_scoring_random GAMES [SEED] */
#include <assert.h>

#include "ask.h"
#include "base/random.h"
#include "scoring/record.h"
#include "scoring/report.h"
#include "scoring/setup.h"

enum { MOST = 64 }; /* inputs in a game */

struct list {
    char inputs[MOST][48];
    int count;
};

struct player {
    const char *name;
    const char *const *setups;
    void (*make)(struct kv_random *random, char *input, size_t size);
};

static void make_molkky(struct kv_random *random, char *input, size_t size)
{
    switch (kv_random_below(random, 8)) {
    case 0: snprintf(input, size, "foul"); break;
    case 1:
        snprintf(input, size, "throw pins %u,%u", 1 + kv_random_below(random, 12),
                 1 + kv_random_below(random, 12));
        break;
    case 2:
    case 3:
    case 4: snprintf(input, size, "throw X"); break;
    default: snprintf(input, size, "throw %u", kv_random_below(random, 14));
    }
}

static void make_palet(struct kv_random *random, char *input, size_t size)
{
    static const char *const pair[] = {"o", "o", "oo", "a", "aa", "q", "q", "t", "oq"};
    static const char *const more[] = {"o", "o", "oo", "aB1", "aC2", "aA1", "q", "t", "oq"};
    size_t n = (size_t)snprintf(input, size, "shot ");
    const char *const *letters = kv_random_below(random, 2) ? pair : more;
    if (kv_random_below(random, 4) == 0) {
        snprintf(input + n, size - n, "-");
        return;
    }
    do {
        n += (size_t)snprintf(input + n, size - n, "%s", letters[kv_random_below(random, 9)]);
    } while (kv_random_below(random, 3) == 0 && n < 24);
}

static void make_jakkolo(struct kv_random *random, char *input, size_t size)
{
    uint32_t most = 1 + kv_random_below(random, 9);
    snprintf(input, size, "%s %u %u %u %u", kv_random_below(random, 4) ? "attempt" : "bonus",
             kv_random_below(random, most), kv_random_below(random, most), kv_random_below(random, most),
             kv_random_below(random, most));
}

static const char *const molkky_setups[] = {"A B", "A B C foul=imo",
                                            "\"Les As\"=Ann,Bo,Cy B=Dee C D foul=none", NULL};
static const char *const palet_setups[] = {
    "A B", "A B discs=1 points=11", "A B discs=3", "A B C discs=2 points=14", "A=Ann,Bo B C discs=4", NULL};
static const char *const jakkolo_setups[] = {"A",
                                             "A B discs=8",
                                             "A=Ann,Bo B games=3 discs=4",
                                             "A B C bonus=148 discs=5 games=2",
                                             "A bonus=none discs=9 games=4",
                                             NULL};

static const struct player players[] = {
    {"molkky", molkky_setups, make_molkky},
    {"palet", palet_setups, make_palet},
    {"jakkolo", jakkolo_setups, make_jakkolo},
};

static struct kv_card *new_game(const struct kv_card_module *module, const char *words)
{
    struct kv_card_setup *setup = NULL;
    struct kv_card *game = NULL;
    int status = kv_card_setup_read(module, kv_span_of(words), &setup, NULL);
    assert(status == KV_OK);
    status = kv_card_create(setup, &game, NULL);
    assert(status == KV_OK);
    (void)status;
    return game;
}

static int enter(struct kv_card *game, const char *input, struct kv_error *error)
{
    struct kv_span rest = kv_span_of(input), verb = kv_span_token(&rest);
    return kv_card_enter(game, verb, rest, error);
}

/* A game made of the list alone, the plain way; NULL when an input does not go. */
static struct kv_card *play_list(const struct kv_card_module *module, const char *words,
                                 const struct list *list)
{
    struct kv_card *game = new_game(module, words);
    for (int i = 0; i < list->count; i++)
        if (enter(game, list->inputs[i], NULL) != KV_OK) {
            kv_card_destroy(game);
            return NULL;
        }
    return game;
}

static void assert_same(const struct kv_card *a, const struct kv_card *b)
{
    struct kv_buffer x = {0}, y = {0};
    kv_card_report_json(a, &x);
    kv_card_report_json(b, &y);
    kv_card_report_status(a, &x);
    kv_card_report_status(b, &y);
    assert(!x.failed && x.length == y.length && memcmp(x.data, y.data, x.length) == 0);
    kv_buffer_finish(&x);
    kv_buffer_finish(&y);
}

struct walk {
    const struct player *player;
    const struct kv_card_module *module;
    const char *words;
    struct kv_card *game;
    struct list list, undone; /* undone: in the order of the game, the next to enter again first */
    long entered, refused, edits, edits_refused;
};

static void step_enter(struct walk *walk, struct kv_random *random)
{
    char input[48];
    walk->player->make(random, input, sizeof input);
    struct kv_error error = {0};
    if (enter(walk->game, input, &error) != KV_OK) {
        assert(error.text[0] && !strchr(error.text, '\n'));
        walk->refused++;
        return;
    }
    snprintf(walk->list.inputs[walk->list.count++], sizeof input, "%s", input);
    walk->undone.count = 0;
    walk->entered++;
}

static void step_undo(struct walk *walk, struct kv_random *random)
{
    int count = 1 + (int)kv_random_below(random, 4);
    int status = kv_card_undo(walk->game, (size_t)count, NULL);
    assert((status == KV_OK) == (count <= walk->list.count));
    if (status != KV_OK)
        return;
    memmove(walk->undone.inputs[count], walk->undone.inputs[0],
            sizeof walk->undone.inputs[0] * (size_t)walk->undone.count);
    walk->list.count -= count;
    memcpy(walk->undone.inputs, walk->list.inputs[walk->list.count],
           sizeof walk->list.inputs[0] * (size_t)count);
    walk->undone.count += count;
}

static void step_redo(struct walk *walk, struct kv_random *random)
{
    int count = 1 + (int)kv_random_below(random, 3);
    int status = kv_card_redo(walk->game, (size_t)count, NULL);
    assert((status == KV_OK) == (count <= walk->undone.count));
    if (status != KV_OK)
        return;
    memcpy(walk->list.inputs[walk->list.count], walk->undone.inputs,
           sizeof walk->list.inputs[0] * (size_t)count);
    walk->list.count += count;
    walk->undone.count -= count;
    memmove(walk->undone.inputs[0], walk->undone.inputs[count],
            sizeof walk->undone.inputs[0] * (size_t)walk->undone.count);
}

static void step_edit(struct walk *walk, struct kv_random *random)
{
    struct list changed = walk->list;
    if (changed.count == 0)
        return;
    int at = (int)kv_random_below(random, (uint32_t)changed.count);
    walk->player->make(random, changed.inputs[at], sizeof changed.inputs[at]);
    struct kv_card *expected = play_list(walk->module, walk->words, &changed);
    struct kv_error error = {0};
    int status = kv_card_edit(walk->game, (size_t)at, kv_span_of(changed.inputs[at]), &error);
    assert((status == KV_OK) == (expected != NULL));
    walk->edits++;
    if (expected) {
        assert_same(walk->game, expected);
        walk->list = changed;
        walk->undone.count = 0;
    } else {
        assert(error.text[0]);
        walk->edits_refused++;
    }
    kv_card_destroy(expected);
}

/* The game must be the replay of the list, and of its own log. */
static void check_replay(const struct walk *walk)
{
    struct kv_card *plain = play_list(walk->module, walk->words, &walk->list), *loaded = NULL;
    struct kv_buffer log = {0}, again = {0};
    assert(plain);
    assert_same(walk->game, plain);
    kv_card_record_write(walk->game, &log);
    int status = kv_card_record_read(walk->module, (struct kv_span){log.data, log.length}, &loaded, NULL);
    assert(status == KV_OK);
    (void)status;
    assert_same(walk->game, loaded);
    kv_card_record_write(loaded, &again);
    assert(log.length == again.length && memcmp(log.data, again.data, log.length) == 0);
    kv_buffer_finish(&log);
    kv_buffer_finish(&again);
    kv_card_destroy(plain);
    kv_card_destroy(loaded);
}

static void run_game(struct walk *walk, struct kv_random *random)
{
    int setups = 0;
    while (walk->player->setups[setups])
        setups++;
    walk->words = walk->player->setups[kv_random_below(random, (uint32_t)setups)];
    walk->game = new_game(walk->module, walk->words);
    walk->list.count = walk->undone.count = 0;
    int steps = 10 + (int)kv_random_below(random, 40);
    for (int i = 0; i < steps && walk->list.count < MOST - 4; i++) {
        uint32_t choice = kv_random_below(random, 20);
        if (choice == 0)
            step_undo(walk, random);
        else if (choice == 1)
            step_redo(walk, random);
        else if (choice == 2)
            step_edit(walk, random);
        else
            step_enter(walk, random);
        assert(walk->game->play.log.count == (size_t)walk->list.count);
    }
    check_replay(walk);
    kv_card_destroy(walk->game);
}

int main(int count, char **arguments)
{
    long games = count > 1 ? atol(arguments[1]) : 1000;
    struct kv_random random = {count > 2 ? strtoull(arguments[2], NULL, 10) : 1};
    for (size_t i = 0; i < sizeof players / sizeof *players; i++) {
        struct walk walk = {.player = &players[i],
                            .module = kv_card_module_find(kv_span_of(players[i].name))};
        for (long game = 0; game < games; game++)
            run_game(&walk, &random);
        printf("%s: %ld games, %ld inputs entered, %ld refused, %ld edits, %ld of them refused\n",
               players[i].name, games, walk.entered, walk.refused, walk.edits, walk.edits_refused);
        assert(walk.entered > games && walk.edits > walk.edits_refused);
    }
    return 0;
}
