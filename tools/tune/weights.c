#include "tune/weights.h"

#include <errno.h>
#include <string.h>

#include "eval/evaluate.h"

static const char *const identifiers[] = {
    "KV_STONES", "KV_MILLS",   "KV_READY", "KV_SHUTTLES", "KV_OPEN_LINES", "KV_MOBILITY",
    "KV_LOCKED", "KV_CROSSES", "KV_TEES",  "KV_FLYING",   "KV_TEMPO",
};
_Static_assert(sizeof identifiers / sizeof *identifiers == KV_FEATURES, "a name for every feature, in order");

void tune_weights_built_in(struct tune_weights *weights)
{
    for (int f = 0; f < KV_FEATURES; f++) {
        weights->placing[f] = kv_weights[f].placing;
        weights->moving[f] = kv_weights[f].moving;
    }
}

enum tune_exit tune_weights_read(struct tune_weights *weights, const char *path)
{
    char line[512], name[32];
    int placing, moving;
    bool seen[KV_FEATURES] = {false};
    struct tune_weights read;
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return tune_complain(TUNE_FAILED, "%s: %s", path, strerror(errno));
    while (fgets(line, sizeof line, file)) {
        if (sscanf(line, " [%31[A-Z_]] = {\"%*[^\"]\", %d, %d}", name, &placing, &moving) != 3)
            continue;
        for (int f = 0; f < KV_FEATURES; f++)
            if (strcmp(name, identifiers[f]) == 0) {
                read.placing[f] = placing;
                read.moving[f] = moving;
                seen[f] = true;
            }
    }
    fclose(file);
    for (int f = 0; f < KV_FEATURES; f++)
        if (!seen[f])
            return tune_complain(TUNE_FAILED, "%s: no line '[%s] = {\"name\", placing, moving}'", path,
                                 identifiers[f]);
    *weights = read;
    return TUNE_OK;
}

void tune_weights_write(const struct tune_weights *weights, const char *origin, FILE *file)
{
    fprintf(
        file,
        "/* The one table of weights: what a feature is worth, in hundredths of a stone, with all stones in\n"
        " * hand and with none; in between the two are mixed by the stones still in hand.\n"
        " *\n"
        "%s"
        " */\n"
        "#ifndef KV_EVAL_WEIGHTS_H\n"
        "#define KV_EVAL_WEIGHTS_H\n\n"
        "#include \"eval/features.h\"\n\n"
        "struct kv_weight {\n"
        "    const char *name;\n"
        "    int placing, moving;\n"
        "};\n\n"
        "static const struct kv_weight kv_weights[KV_FEATURES] = {\n",
        origin);
    for (int f = 0; f < KV_FEATURES; f++)
        fprintf(file, "    [%s] = {\"%s\", %d, %d},\n", identifiers[f], kv_weights[f].name,
                weights->placing[f], weights->moving[f]);
    fputs("};\n\n#endif\n", file);
}

int tune_weights_score(const struct tune_weights *weights, const struct tune_row *row)
{
    int score = 0;
    for (int f = 0; f < KV_FEATURES; f++)
        score += (weights->placing[f] * row->phase + weights->moving[f] * (1024 - row->phase)) / 1024 *
                 row->counts[f];
    return score;
}
