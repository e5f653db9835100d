#include "scoring/card.h"

#include <stdlib.h>
#include <string.h>

#include "scoring/setup.h"

static int out_of_memory(struct kv_error *error)
{
    return kv_fail(error, KV_E_MEMORY, "out of memory");
}

const struct kv_card_verb *kv_card_verb_find(const struct kv_card_module *module, struct kv_span word)
{
    for (const struct kv_card_verb *verb = module->verbs; verb->name; verb++)
        if (kv_span_is(word, verb->name))
            return verb;
    return NULL;
}

static void play_finish(struct kv_card_play *play)
{
    kv_card_log_finish(&play->log);
    free(play->scores);
    free(play->state);
    *play = (struct kv_card_play){0};
}

static int play_start(struct kv_card_play *play, const struct kv_card_setup *setup, struct kv_error *error)
{
    *play = (struct kv_card_play){.state = kv_card_state_create(setup)};
    return play->state ? KV_OK : out_of_memory(error);
}

/* Makes room for the totals at the end of one more section. */
static int reserve_scores(struct kv_card_play *play, size_t sides)
{
    size_t need = (play->sections + 1) * sides;
    if (need <= play->score_capacity)
        return KV_OK;
    int64_t *scores = realloc(play->scores, 2 * need * sizeof *scores);
    if (!scores)
        return KV_E_MEMORY;
    play->scores = scores;
    play->score_capacity = 2 * need;
    return KV_OK;
}

static void close_section(struct kv_card_play *play, const struct kv_card_setup *setup)
{
    int64_t *row = play->scores + play->sections++ * setup->side_count;
    for (size_t side = 0; side < setup->side_count; side++) {
        struct kv_card_standing standing = {0};
        setup->module->standing(play->state, side, &standing);
        row[side] = standing.total;
    }
}

/* Reads one input and, if it is legal, applies it and writes it down. All memory is taken first. */
static int play_enter(struct kv_card_play *play, const struct kv_card_setup *setup,
                      struct kv_card_input *input, struct kv_span verb, struct kv_span rest,
                      struct kv_buffer *notes, struct kv_error *error)
{
    const struct kv_card_module *module = setup->module;
    char shown[40];
    if (!kv_card_verb_find(module, verb))
        return kv_fail(error, KV_E_SYNTAX, "'%s' is no entry of %s", kv_span_show(verb, shown, sizeof shown),
                       module->name);
    int status = module->read(play->state, verb, rest, input, error);
    if (status != KV_OK)
        return status;
    struct kv_card_log *log = &play->log;
    struct kv_card_entry entry = {.at = log->text.length};
    module->write(setup, input, &log->text);
    entry.length = log->text.length - entry.at;
    module->mark(setup, input, &log->text);
    entry.mark = log->text.length - entry.at - entry.length;
    if (log->text.failed || kv_card_log_reserve(log) != KV_OK ||
        (module->section && reserve_scores(play, setup->side_count) != KV_OK)) {
        log->text.failed = false;
        log->text.length = entry.at;
        return out_of_memory(error);
    }
    struct kv_card_outcome outcome = {.notes = notes};
    module->apply(play->state, input, &outcome);
    entry.side = outcome.side;
    entry.member = outcome.member;
    entry.section = outcome.section;
    entry.row = outcome.row;
    entry.points = outcome.points;
    entry.total = outcome.total;
    entry.miss = outcome.miss;
    kv_card_log_add(log, entry);
    if (outcome.section_over)
        close_section(play, setup);
    return KV_OK;
}

int kv_card_create(struct kv_card_setup *setup, struct kv_card **out, struct kv_error *error)
{
    struct kv_card *game = calloc(1, sizeof *game);
    if (!game)
        return out_of_memory(error);
    game->module = setup->module;
    int status = play_start(&game->play, setup, error);
    if (status != KV_OK) {
        free(game);
        return status;
    }
    game->setup = setup;
    *out = game;
    return KV_OK;
}

void kv_card_destroy(struct kv_card *game)
{
    if (!game)
        return;
    play_finish(&game->play);
    kv_card_log_finish(&game->undone);
    free(game->input.values);
    kv_buffer_finish(&game->notes);
    kv_card_setup_destroy(game->setup);
    free(game);
}

static struct kv_buffer *fresh_notes(struct kv_card *game)
{
    kv_buffer_clear(&game->notes);
    return game->announce ? &game->notes : NULL;
}

int kv_card_enter(struct kv_card *game, struct kv_span verb, struct kv_span rest, struct kv_error *error)
{
    int status = play_enter(&game->play, game->setup, &game->input, verb, rest, fresh_notes(game), error);
    if (status == KV_OK)
        kv_card_log_truncate(&game->undone, 0);
    return status;
}

/* Enters a whole line, verb and all. */
static int enter_line(struct kv_card *game, struct kv_card_play *play, struct kv_span line,
                      struct kv_buffer *notes, struct kv_error *error)
{
    struct kv_span verb = kv_span_token(&line);
    return play_enter(play, game->setup, &game->input, verb, line, notes, error);
}

/* Plays entries `from` up to `to` of the game again, into `play`. */
static int replay(struct kv_card *game, struct kv_card_play *play, size_t from, size_t to,
                  struct kv_error *error)
{
    for (size_t i = from; i < to; i++) {
        struct kv_span line = kv_card_log_line(&game->play.log, i);
        struct kv_error why = {0};
        int status = enter_line(game, play, line, NULL, &why);
        if (status != KV_OK)
            return kv_fail(error, status, "entry %zu '%.*s' would no longer do: %s", i + 1,
                           line.length < 60 ? (int)line.length : 60, line.at, why.text);
    }
    return KV_OK;
}

int kv_card_undo(struct kv_card *game, size_t count, struct kv_error *error)
{
    size_t entries = game->play.log.count;
    if (entries == 0)
        return kv_fail(error, KV_E_ILLEGAL, "undo: there is nothing to undo");
    if (count < 1 || count > entries)
        return kv_fail(error, KV_E_RANGE, "undo: expected 1 to %zu, the entries there are", entries);
    struct kv_card_play play;
    int status = play_start(&play, game->setup, error);
    if (status != KV_OK)
        return status;
    status = replay(game, &play, 0, entries - count, error);
    size_t old = game->undone.count;
    for (size_t i = entries; status == KV_OK && i > entries - count; i--) {
        struct kv_span line = kv_card_log_line(&game->play.log, i - 1);
        struct kv_card_log *undone = &game->undone;
        struct kv_card_entry entry = {.at = undone->text.length, .length = line.length};
        kv_buffer_add(&undone->text, line.at, line.length);
        if (undone->text.failed || kv_card_log_reserve(undone) != KV_OK) {
            undone->text.failed = false;
            undone->text.length = entry.at;
            status = out_of_memory(error);
        } else {
            kv_card_log_add(undone, entry);
        }
    }
    if (status != KV_OK) {
        kv_card_log_truncate(&game->undone, old);
        play_finish(&play);
        return status;
    }
    fresh_notes(game);
    play_finish(&game->play);
    game->play = play;
    return KV_OK;
}

int kv_card_redo(struct kv_card *game, size_t count, struct kv_error *error)
{
    size_t available = game->undone.count;
    if (available == 0)
        return kv_fail(error, KV_E_ILLEGAL, "redo: there is nothing to enter again");
    if (count < 1 || count > available)
        return kv_fail(error, KV_E_RANGE, "redo: expected 1 to %zu, the entries undone", available);
    struct kv_buffer *notes = fresh_notes(game);
    for (size_t i = 0; i < count; i++) {
        size_t last = game->undone.count - 1;
        int status = enter_line(game, &game->play, kv_card_log_line(&game->undone, last), notes, error);
        if (status != KV_OK)
            return status;
        kv_card_log_truncate(&game->undone, last);
    }
    return KV_OK;
}

/* Enters `value` as a replacement for the line `old`: with the verb it names, or the old one, or,
 * where the old one takes nothing, the first of the module. */
static int enter_replacement(struct kv_card *game, struct kv_card_play *play, struct kv_span value,
                             struct kv_span old, struct kv_error *error)
{
    const struct kv_card_module *module = game->module;
    struct kv_span rest = value, first = kv_span_token(&rest);
    const struct kv_card_verb *verb = kv_card_verb_find(module, first);
    if (!verb) {
        rest = value;
        verb = kv_card_verb_find(module, kv_span_token(&old));
        if (!verb->arguments[0])
            verb = module->verbs;
    }
    struct kv_buffer *notes = fresh_notes(game);
    return play_enter(play, game->setup, &game->input, kv_span_of(verb->name), rest, notes, error);
}

int kv_card_edit(struct kv_card *game, size_t index, struct kv_span value, struct kv_error *error)
{
    size_t entries = game->play.log.count;
    if (entries == 0)
        return kv_fail(error, KV_E_ILLEGAL, "edit: there is no entry to edit");
    if (index >= entries)
        return kv_fail(error, KV_E_RANGE, "edit: there is no entry %zu: expected 1 to %zu", index + 1,
                       entries);
    struct kv_card_play play;
    int status = play_start(&play, game->setup, error);
    if (status != KV_OK)
        return status;
    struct kv_error why = {0};
    status = replay(game, &play, 0, index, &why);
    if (status == KV_OK)
        status = enter_replacement(game, &play, value, kv_card_log_line(&game->play.log, index), &why);
    if (status == KV_OK)
        status = replay(game, &play, index + 1, entries, &why);
    if (status != KV_OK) {
        play_finish(&play);
        return kv_fail(error, status, "edit %zu: %.220s", index + 1, why.text);
    }
    play_finish(&game->play);
    game->play = play;
    kv_card_log_truncate(&game->undone, 0);
    return KV_OK;
}

struct ranked {
    int64_t key;
    size_t side;
};

static int compare_ranked(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    return (x->key < y->key) - (x->key > y->key);
}

int kv_card_rank(const struct kv_card *game, size_t *places)
{
    size_t sides = game->setup->side_count;
    struct ranked *order = malloc(sides * sizeof *order);
    if (!order)
        return KV_E_MEMORY;
    for (size_t side = 0; side < sides; side++) {
        struct kv_card_standing standing = {0};
        game->module->standing(game->play.state, side, &standing);
        order[side] = (struct ranked){standing.key, side};
    }
    qsort(order, sides, sizeof *order, compare_ranked);
    for (size_t i = 0; i < sides; i++)
        places[order[i].side] = i > 0 && order[i].key == order[i - 1].key ? places[order[i - 1].side] : i + 1;
    free(order);
    return KV_OK;
}
