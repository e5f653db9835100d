/* Checks the counts of a file: `perft_counts counts.txt LEAVES [naive]`. Counts up to LEAVES are checked
 * with the last ply counted, up to a tenth of that also with every ply played, and small ones against
 * the naive generator too. With a third argument only the naive generator is asked, up to LEAVES. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "naive/bridge.h"
#include "support/rules_text.h"

enum { NAIVE_LEAVES = 20000 };

static int check_depth(const struct kv_rules *rules, const struct kv_position *position, int depth,
                       uint64_t expected, uint64_t leaves, bool only_naive)
{
    uint64_t found[3] = {expected, expected, expected};
    if (expected > leaves)
        return 0;
    if (!only_naive)
        found[0] = kv_perft(rules, position, depth, true);
    if (!only_naive && expected <= leaves / 10)
        found[1] = kv_perft(rules, position, depth, false);
    if (only_naive || expected <= NAIVE_LEAVES) {
        struct naive_rules plain = bridge_rules(rules);
        struct naive_position naive = bridge_position(rules, position);
        found[2] = (uint64_t)naive_perft(&plain, &naive, depth);
    }
    int failures = 0;
    static const char *const ways[] = {"counted", "played", "naive"};
    for (int i = 0; i < 3; i++)
        if (found[i] != expected) {
            printf("  depth %d %s: %llu, not %llu\n", depth, ways[i], (unsigned long long)found[i],
                   (unsigned long long)expected);
            failures++;
        }
    return failures;
}

/* "rules | position text or startpos | count of depth 1, of depth 2, ..." */
static int check_line(char *line, uint64_t leaves, bool only_naive)
{
    char *rules_text = strtok(line, "|"), *position_text = strtok(NULL, "|"), *counts = strtok(NULL, "|");
    struct kv_rules rules;
    struct kv_position position;
    struct kv_error error = {"expected rules | position | counts"};
    if (!counts || rules_text_read(kv_span_of(rules_text), &rules, &error) != KV_OK) {
        printf("  %s\n", error.text);
        return 1;
    }
    struct kv_span text = kv_span_trim(kv_span_of(position_text));
    kv_position_start(&rules, &position);
    if (!kv_span_is(text, "startpos") &&
        kv_position_read(&rules, text.at, text.length, &position, &error) != KV_OK) {
        printf("  %s\n", error.text);
        return 1;
    }
    int failures = 0, depth = 0;
    struct kv_span rest = kv_span_of(counts);
    for (struct kv_span word; (word = kv_span_token(&rest)).length > 0;)
        failures += check_depth(&rules, &position, ++depth, strtoull(word.at, NULL, 10), leaves, only_naive);
    return failures;
}

int main(int argc, char **argv)
{
    FILE *file = argc >= 3 ? fopen(argv[1], "r") : NULL;
    if (!file) {
        fprintf(stderr, "usage: perft_counts FILE LEAVES [naive]\n");
        return 1;
    }
    static char line[1024], copy[1024];
    int lines = 0, failures = 0;
    for (int number = 1; fgets(line, sizeof line, file); number++) {
        if (line[0] == '#' || line[0] == '\n')
            continue;
        lines++;
        strcpy(copy, line);
        int here = check_line(line, strtoull(argv[2], NULL, 10), argc > 3);
        if (here > 0)
            printf("line %d: %s", number, copy);
        failures += here;
    }
    fclose(file);
    printf("%d positions, %d failures\n", lines, failures);
    return failures > 0 || lines == 0;
}
