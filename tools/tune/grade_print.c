/* What kvern-tune grade found, in words and numbers. */
#include <inttypes.h>
#include <stdlib.h>

#include <cjson/cJSON.h>

#include "tune/engine.h"
#include "tune/grade.h"

static const char *const outcome_words[] = {"loss", "draw", "win"};

const char *tune_phase_text(enum tune_phase phase)
{
    static const char *const names[] = {"placing", "moving", "flying"};
    return names[phase];
}

void tune_sum_add(struct tune_sum *sum, const struct tune_mark *mark)
{
    int before = mark->before.outcome, after = mark->after.outcome;
    sum->count++;
    sum->won += before > 0;
    sum->drawn += before == 0;
    sum->win_draw += before > 0 && after == 0;
    sum->win_loss += before > 0 && after < 0;
    sum->draw_loss += before == 0 && after < 0;
    sum->nodes += mark->nodes;
    sum->depth += (uint64_t)mark->depth;
    sum->guess += mark->guess;
}

static double percent(double part, double whole)
{
    return whole > 0 ? 100 * part / whole : 0;
}

/* ---- Sums ---------------------------------------------------------------------------------------- */

enum { STONES = 25 };

struct sums {
    struct tune_sum cells[TUNE_PHASES][STONES], phases[TUNE_PHASES], all;
};

static void add_up(const struct tune_marks *marks, struct sums *sums)
{
    *sums = (struct sums){0};
    for (size_t i = 0; i < marks->count; i++) {
        const struct tune_mark *mark = &marks->list[i];
        tune_sum_add(&sums->cells[mark->phase][mark->stones], mark);
        tune_sum_add(&sums->phases[mark->phase], mark);
        tune_sum_add(&sums->all, mark);
    }
}

typedef void (*row_writer)(void *user, const char *phase, const char *stones, const struct tune_sum *sum);

/* Every row of the table: cells, then the sum of each phase, then that of all. */
static void for_rows(const struct sums *sums, row_writer write, void *user)
{
    char stones[12];
    for (int phase = 0; phase < TUNE_PHASES; phase++) {
        if (sums->phases[phase].count == 0)
            continue;
        for (int n = 0; n < STONES; n++) {
            snprintf(stones, sizeof stones, "%d", n);
            if (sums->cells[phase][n].count)
                write(user, tune_phase_text((enum tune_phase)phase), stones, &sums->cells[phase][n]);
        }
        write(user, tune_phase_text((enum tune_phase)phase), "all", &sums->phases[phase]);
    }
    write(user, "all", "all", &sums->all);
}

static void write_text_row(void *user, const char *phase, const char *stones, const struct tune_sum *sum)
{
    double count = sum->count ? (double)sum->count : 1;
    (void)user;
    printf("%-8s %6s %9" PRIu64 " %8" PRIu64 " %8" PRIu64 " %10" PRIu64 " %10" PRIu64 " %10" PRIu64
           " %8.2f %8.2f %6.1f %10.0f\n",
           phase, stones, sum->count, sum->won, sum->drawn, sum->win_draw, sum->win_loss, sum->draw_loss,
           percent((double)tune_sum_thrown(sum), count), percent(sum->guess, count),
           (double)sum->depth / count, (double)sum->nodes / count);
}

static void write_csv_row(void *user, const char *phase, const char *stones, const struct tune_sum *sum)
{
    double count = sum->count ? (double)sum->count : 1;
    (void)user;
    printf("%s,%s,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64
           ",%.4f,%.4f,%.2f,%.0f\n",
           phase, stones, sum->count, sum->won, sum->drawn, sum->win_draw, sum->win_loss, sum->draw_loss,
           percent((double)tune_sum_thrown(sum), count), percent(sum->guess, count),
           (double)sum->depth / count, (double)sum->nodes / count);
}

static void write_json_row(void *user, const char *phase, const char *stones, const struct tune_sum *sum)
{
    double count = sum->count ? (double)sum->count : 1;
    cJSON *row = cJSON_CreateObject();
    cJSON_AddStringToObject(row, "phase", phase);
    if (stones[0] == 'a')
        cJSON_AddNullToObject(row, "stones");
    else
        cJSON_AddNumberToObject(row, "stones", atoi(stones));
    cJSON_AddNumberToObject(row, "positions", (double)sum->count);
    cJSON_AddNumberToObject(row, "won", (double)sum->won);
    cJSON_AddNumberToObject(row, "drawn", (double)sum->drawn);
    cJSON_AddNumberToObject(row, "win_to_draw", (double)sum->win_draw);
    cJSON_AddNumberToObject(row, "win_to_loss", (double)sum->win_loss);
    cJSON_AddNumberToObject(row, "draw_to_loss", (double)sum->draw_loss);
    cJSON_AddNumberToObject(row, "thrown_percent", percent((double)tune_sum_thrown(sum), count));
    cJSON_AddNumberToObject(row, "random_percent", percent(sum->guess, count));
    cJSON_AddNumberToObject(row, "mean_depth", (double)sum->depth / count);
    cJSON_AddNumberToObject(row, "mean_nodes", (double)sum->nodes / count);
    cJSON_AddItemToArray(user, row);
}

/* ---- Examples ------------------------------------------------------------------------------------ */

/* The bigger the worse: what is lost, then how near the win was or the loss is. */
static int badness(const struct tune_mark *mark)
{
    int lost = mark->before.outcome - mark->after.outcome;
    int near = mark->before.outcome > 0 ? mark->before.plies : mark->after.plies;
    return lost <= 0 ? 0 : lost * 1000 - near;
}

static int by_badness(const void *left, const void *right)
{
    const struct tune_mark *a = left, *b = right;
    int difference = badness(b) - badness(a);
    if (difference)
        return difference;
    /* any order that is the same every time */
    for (int side = 0; side < 2; side++)
        if (a->position.stones[side] != b->position.stones[side])
            return a->position.stones[side] < b->position.stones[side] ? -1 : 1;
    return (int)a->position.side - (int)b->position.side;
}

static void value_text(struct kv_value value, char text[24])
{
    if (value.outcome && value.plies >= 0)
        snprintf(text, 24, "%s in %d", outcome_words[value.outcome + 1], value.plies);
    else
        snprintf(text, 24, "%s", outcome_words[value.outcome + 1]);
}

static bool is_example(const struct tune_options *options, const struct tune_marks *marks, size_t i)
{
    return i < marks->count && i < (size_t)options->examples && badness(&marks->list[i]) > 0;
}

static void print_examples(const struct tune_options *options, const struct kv_rules *rules,
                           const struct tune_marks *marks)
{
    for (size_t i = 0; is_example(options, marks, i); i++) {
        char position[KV_POSITION_TEXT_MAX], move[KV_MOVE_TEXT_MAX], before[24], after[24];
        const struct tune_mark *mark = &marks->list[i];
        kv_position_write(rules, &mark->position, position);
        value_text(mark->before, before);
        value_text(mark->after, after);
        printf("%s%s\n    %s at depth %d: %s -> %s\n", i ? "" : "\n", position,
               kv_move_write(rules, mark->move, move), mark->depth, before, after);
    }
}

static void add_value(cJSON *object, const char *name, const char *plies, struct kv_value value)
{
    cJSON_AddStringToObject(object, name, outcome_words[value.outcome + 1]);
    if (value.outcome && value.plies >= 0)
        cJSON_AddNumberToObject(object, plies, value.plies);
    else
        cJSON_AddNullToObject(object, plies);
}

static cJSON *json_examples(const struct tune_options *options, const struct kv_rules *rules,
                            const struct tune_marks *marks)
{
    cJSON *array = cJSON_CreateArray();
    for (size_t i = 0; is_example(options, marks, i); i++) {
        char position[KV_POSITION_TEXT_MAX], move[KV_MOVE_TEXT_MAX];
        const struct tune_mark *mark = &marks->list[i];
        cJSON *row = cJSON_CreateObject();
        kv_position_write(rules, &mark->position, position);
        cJSON_AddStringToObject(row, "position", position);
        cJSON_AddStringToObject(row, "move", kv_move_write(rules, mark->move, move));
        add_value(row, "before", "before_plies", mark->before);
        add_value(row, "after", "after_plies", mark->after);
        cJSON_AddNumberToObject(row, "depth", mark->depth);
        cJSON_AddItemToArray(array, row);
    }
    return array;
}

/* ---- The report ---------------------------------------------------------------------------------- */

static void print_json(const struct tune_options *options, const struct kv_rules *rules,
                       const struct tune_marks *marks, const struct sums *sums)
{
    cJSON *report = cJSON_CreateObject(), *rows = cJSON_CreateArray();
    cJSON_AddNumberToObject(report, "positions", (double)marks->count);
    cJSON_AddNumberToObject(report, "games", (double)marks->games);
    cJSON_AddNumberToObject(report, "met", (double)marks->met);
    cJSON_AddNumberToObject(report, "not_in_tables", (double)marks->unknown);
    cJSON_AddNumberToObject(report, "seed", (double)options->seed);
    cJSON_AddNumberToObject(report, "time_ms", (double)options->time_ms);
    cJSON_AddNumberToObject(report, "nodes", (double)options->nodes);
    for_rows(sums, write_json_row, rows);
    cJSON_AddItemToObject(report, "rows", rows);
    cJSON_AddItemToObject(report, "examples", json_examples(options, rules, marks));
    char *text = cJSON_Print(report);
    puts(text ? text : "{}");
    cJSON_free(text);
    cJSON_Delete(report);
}

void tune_grade_print(const struct tune_options *options, const struct kv_rules *rules,
                      struct tune_marks *marks)
{
    struct sums sums;
    char limits[64];
    add_up(marks, &sums);
    qsort(marks->list, marks->count, sizeof *marks->list, by_badness);
    if (options->format == TUNE_JSON) {
        print_json(options, rules, marks, &sums);
        return;
    }
    if (options->format == TUNE_CSV) {
        puts("phase,stones,positions,won,drawn,win_to_draw,win_to_loss,draw_to_loss,thrown_percent,"
             "random_percent,mean_depth,mean_nodes");
        for_rows(&sums, write_csv_row, NULL);
        return;
    }
    printf("%zu critical positions, %s a move; met %" PRIu64 " in %" PRIu64 " games, %" PRIu64
           " of them not in the tables\n\n",
           marks->count, tune_engine_limits(options, limits), marks->met, marks->games, marks->unknown);
    printf("%-8s %6s %9s %8s %8s %10s %10s %10s %8s %8s %6s %10s\n", "phase", "stones", "positions", "won",
           "drawn", "win->draw", "win->loss", "draw->loss", "thrown %", "random %", "depth", "nodes");
    for_rows(&sums, write_text_row, NULL);
    print_examples(options, rules, marks);
}
