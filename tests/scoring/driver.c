/* A small front door for the transcripts: lines in, answers out. */
#include <stdlib.h>
#include <string.h>

#include "kvern/scoring.h"

static void print(void *user, const char *bytes, size_t length)
{
    fwrite(bytes, 1, length, user);
    fflush(user);
}

int main(int count, char **arguments)
{
    if (count > 1)
        return kv_scoring_table(arguments[1], arguments[2], stdin, stdout);
    struct kv_scoring *scoring = kv_scoring_create(KV_SCORING_FILES);
    char *line = NULL;
    size_t capacity = 0;
    ssize_t length;
    while (scoring && (length = getline(&line, &capacity, stdin)) >= 0)
        if (length > 1 && line[0] != '#')
            kv_scoring_command(scoring, line, (size_t)length, print, stdout);
    free(line);
    kv_scoring_destroy(scoring);
    return 0;
}
