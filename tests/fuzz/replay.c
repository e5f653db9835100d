/* Runs a fuzz target over a corpus without a fuzzer: `replay DIRECTORY...`. Every file is tried whole
 * and, if it is short, cut off after each of its bytes, each time in memory of exactly its size so
 * that a sanitizer sees a read past the end. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { CUT_UP_TO = 512 };

static void try_copy(const uint8_t *data, size_t size)
{
    uint8_t *copy = malloc(size ? size : 1);
    if (!copy)
        abort();
    memcpy(copy, data, size);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
}

static int replay_file(const char *path)
{
    static uint8_t data[1 << 20];
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        return 1;
    }
    size_t size = fread(data, 1, sizeof data, file);
    fclose(file);
    for (size_t cut = 0; cut < size && size <= CUT_UP_TO; cut++)
        try_copy(data, cut);
    try_copy(data, size);
    return 0;
}

int main(int argc, char **argv)
{
    int files = 0, failed = 0;
    for (int i = 1; i < argc; i++) {
        struct dirent **entries;
        int count = scandir(argv[i], &entries, NULL, alphasort);
        for (int e = 0; e < count; e++) {
            if (entries[e]->d_name[0] != '.') {
                char path[4096];
                snprintf(path, sizeof path, "%s/%s", argv[i], entries[e]->d_name);
                failed |= replay_file(path);
                files++;
            }
            free(entries[e]);
        }
        if (count >= 0)
            free(entries);
    }
    printf("%d files replayed\n", files);
    return failed || files == 0;
}
