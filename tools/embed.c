/* A file as an array in C: `embed FILE NAME >array.c`; runs at build time. */
#include <stdio.h>

int main(int count, char **arguments)
{
    FILE *file = count == 3 ? fopen(arguments[1], "rb") : NULL;
    long size = 0;
    if (file == NULL) {
        fprintf(stderr, "embed: %s cannot be read\n",
                count == 3 ? arguments[1] : "usage: embed FILE NAME; a file");
        return 1;
    }
    printf("/* Made from a file by tools/embed.c. */\n#include <stddef.h>\n\n"
           "extern const unsigned char %s[];\nextern const size_t %s_size;\n\nconst unsigned char %s[] = {",
           arguments[2], arguments[2], arguments[2]);
    for (int byte; (byte = getc(file)) != EOF; size++)
        printf("%s%d,", size % 32 == 0 ? "\n" : "", byte);
    printf("\n};\nconst size_t %s_size = %ld;\n", arguments[2], size);
    int failed = ferror(file) || size == 0 || fflush(stdout) != 0;
    fclose(file);
    return failed;
}
