/* kvern-tune report: how well the evaluator predicts results, on the test set. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "tune/measure.h"

enum { STONES = 25, MODELS = 3 };

struct reporting {
    const struct tune_options *options;
    struct tune_dataset data;
    struct tune_model models[MODELS]; /* built in; --weights; the network */
    int count;
    struct tune_measure cells[MODELS][2][STONES]; /* by moving phase or not, by stones on the board */
    struct tune_measure phases[MODELS][2], all[MODELS];
    cJSON *rows;
};

static void add_up(struct reporting *reporting)
{
    for (size_t i = 0; i < reporting->data.count; i++) {
        const struct tune_row *row = &reporting->data.rows[i];
        if (row->split != TUNE_TEST)
            continue;
        bool moving = row->phase == 0;
        for (int m = 0; m < reporting->count; m++) {
            tune_measure_add(&reporting->cells[m][moving][row->stones], &reporting->models[m], row);
            tune_measure_add(&reporting->phases[m][moving], &reporting->models[m], row);
            tune_measure_add(&reporting->all[m], &reporting->models[m], row);
        }
    }
}

/* ---- Rows --------------------------------------------------------------------------------------- */

static void print_json_row(struct reporting *reporting, const char *weights, const char *phase,
                           const char *stones, const struct tune_measure *measure, double count)
{
    cJSON *row = cJSON_CreateObject();
    cJSON_AddStringToObject(row, "weights", weights);
    cJSON_AddStringToObject(row, "phase", phase);
    if (stones[0] == 'a')
        cJSON_AddNullToObject(row, "stones");
    else
        cJSON_AddNumberToObject(row, "stones", atoi(stones));
    cJSON_AddNumberToObject(row, "positions", (double)measure->count);
    cJSON_AddNumberToObject(row, "wins", (double)measure->results[2]);
    cJSON_AddNumberToObject(row, "draws", (double)measure->results[1]);
    cJSON_AddNumberToObject(row, "losses", (double)measure->results[0]);
    cJSON_AddNumberToObject(row, "cross_entropy", measure->loss / count);
    cJSON_AddNumberToObject(row, "brier", measure->brier / count);
    cJSON_AddNumberToObject(row, "accuracy", (double)measure->right / count);
    cJSON_AddNumberToObject(row, "sign",
                            measure->decided ? (double)measure->sign / (double)measure->decided : 0);
    cJSON_AddNumberToObject(row, "calibration_error", tune_measure_error(measure));
    cJSON_AddItemToArray(reporting->rows, row);
}

static void print_row(struct reporting *reporting, int model, const char *phase, const char *stones,
                      const struct tune_measure *measure)
{
    static const char *const forms[] = {
        "%-9s %-8s %6s %9" PRIu64 " %6.3f %6.3f %6.3f %9.4f %7.4f %9.4f %7.4f %12.4f\n",
        "%s,%s,%s,%" PRIu64 ",%.4f,%.4f,%.4f,%.5f,%.5f,%.5f,%.5f,%.5f\n",
    };
    double count = measure->count ? (double)measure->count : 1;
    const char *weights = reporting->models[model].name;
    if (reporting->options->format == TUNE_JSON) {
        print_json_row(reporting, weights, phase, stones, measure, count);
        return;
    }
    printf(forms[reporting->options->format == TUNE_CSV], weights, phase, stones, measure->count,
           (double)measure->results[2] / count, (double)measure->results[1] / count,
           (double)measure->results[0] / count, measure->loss / count, measure->brier / count,
           (double)measure->right / count,
           measure->decided ? (double)measure->sign / (double)measure->decided : 0,
           tune_measure_error(measure));
}

static void print_rows(struct reporting *reporting)
{
    static const char *const phases[] = {"placing", "moving"};
    char stones[12];
    if (reporting->options->format == TUNE_CSV)
        puts("weights,phase,stones,positions,wins,draws,losses,cross_entropy,brier,accuracy,sign,"
             "calibration_error");
    else if (reporting->options->format == TUNE_TEXT)
        printf("%-9s %-8s %6s %9s %6s %6s %6s %9s %7s %9s %7s %12s\n", "weights", "phase", "stones",
               "positions", "wins", "draws", "losses", "entropy", "brier", "accuracy", "sign", "calibration");
    for (int phase = 0; phase < 2; phase++)
        for (int n = 0; n <= STONES; n++)
            for (int m = 0; m < reporting->count; m++) {
                const struct tune_measure *measure =
                    n < STONES ? &reporting->cells[m][phase][n] : &reporting->phases[m][phase];
                snprintf(stones, sizeof stones, n < STONES ? "%d" : "all", n);
                if (measure->count)
                    print_row(reporting, m, phases[phase], stones, measure);
            }
    for (int m = 0; m < reporting->count; m++)
        print_row(reporting, m, "all", "all", &reporting->all[m]);
}

static void print(struct reporting *reporting)
{
    bool json = reporting->options->format == TUNE_JSON;
    if (json)
        reporting->rows = cJSON_CreateArray();
    print_rows(reporting);
    for (int m = 0; reporting->options->format == TUNE_TEXT && m < reporting->count; m++)
        printf("%s%s: expected score 1 / (1 + exp(-score / %.1f)); a draw within %d\n", m ? "" : "\n",
               reporting->models[m].name, reporting->models[m].scale, reporting->models[m].margin);
    char *text = json ? cJSON_Print(reporting->rows) : NULL;
    if (text)
        puts(text);
    cJSON_free(text);
    cJSON_Delete(reporting->rows);
}

/* ---- The command -------------------------------------------------------------------------------- */

static enum tune_exit prepare(struct reporting *reporting)
{
    const struct tune_options *options = reporting->options;
    enum tune_exit status = tune_dataset_read(&reporting->data, options->argument, options);
    if (status == TUNE_OK && reporting->data.splits[TUNE_TEST] == 0)
        status = tune_complain(TUNE_FAILED, "%s: no position of the test set", options->argument);
    reporting->models[reporting->count].name = "built-in";
    tune_weights_built_in(&reporting->models[reporting->count++].weights);
    if (status == TUNE_OK && options->weights) {
        reporting->models[reporting->count].name = "file";
        status = tune_weights_read(&reporting->models[reporting->count++].weights, options->weights);
    }
    if (status == TUNE_OK && kv_rules_are_classic(&reporting->data.rules)) {
        reporting->models[reporting->count].name = "network";
        reporting->models[reporting->count++].network = true;
    }
    for (int m = 0; status == TUNE_OK && m < reporting->count; m++)
        tune_model_fit(&reporting->models[m], &reporting->data);
    return status;
}

enum tune_exit tune_report(const struct tune_options *options)
{
    struct reporting *reporting = calloc(1, sizeof *reporting);
    if (reporting == NULL)
        return tune_complain(TUNE_FAILED, "out of memory");
    reporting->options = options;
    enum tune_exit status = prepare(reporting);
    if (status == TUNE_OK) {
        add_up(reporting);
        print(reporting);
    }
    if (status == TUNE_OK && options->svg) {
        FILE *file = fopen(options->svg, "w");
        if (file == NULL)
            status = tune_complain(TUNE_FAILED, "%s: %s", options->svg, strerror(errno));
        else {
            tune_plot_write(file, reporting->models, (const struct tune_measure(*)[2])reporting->phases,
                            reporting->count);
            status = tune_close(file, options->svg);
        }
    }
    tune_dataset_finish(&reporting->data);
    free(reporting);
    return status;
}
