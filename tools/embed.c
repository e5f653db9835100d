/* A file as an array in C: `embed FILE NAME [16] >array.c`, of bytes or of signed 16-bit numbers with the
 * lower byte first; runs at build time. */
#include <stdio.h>

int main(int count, char **arguments)
{
    int width = count == 4 ? 2 : 1;
    FILE *file = count >= 3 ? fopen(arguments[1], "rb") : NULL;
    long size = 0;
    if (file == NULL) {
        fprintf(stderr, "embed: %s cannot be read\n",
                count >= 3 ? arguments[1] : "usage: embed FILE NAME [16]; a file");
        return 1;
    }
    const char *name = arguments[2], *type = width == 2 ? "short" : "unsigned char";
    printf("/* Made from a file by tools/embed.c. */\n#include <stddef.h>\n\n"
           "extern const %s %s[];\nextern const size_t %s_size;\n\nconst %s %s[] = {",
           type, name, name, type, name);
    for (int low, high = 0; (low = getc(file)) != EOF && (width == 1 || (high = getc(file)) != EOF); size++)
        printf("%s%d,", size % 32 == 0 ? "\n" : "", high < 128 ? high * 256 + low : high * 256 + low - 65536);
    printf("\n};\nconst size_t %s_size = %ld;\n", name, size);
    int failed = ferror(file) || size == 0 || fflush(stdout) != 0;
    fclose(file);
    return failed;
}
