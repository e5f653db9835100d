/* Writes the constant tables of every board in src/board/boards.h: `make-tables tables.c tables.h`.
 * Runs at build time; the only input is the list of points and mills.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "board/boards.h"
#include "board/geometry.h"

enum { BOARDS = sizeof board_sources / sizeof *board_sources };

static void die(const char *board, const char *what, const char *detail)
{
    fprintf(stderr, "make-tables: board %s: %s %s\n", board, what, detail);
    exit(1);
}

/* ---- Reading the list ------------------------------------------------------------------------ */

static int point_of(const struct kv_board *board, const char *name)
{
    for (int p = 0; p < board->points; p++)
        if (strncmp(board->point_names[p], name, 2) == 0)
            return p;
    die(board->name, "a mill names no point of the board:", name);
    return -1;
}

static void read_points(struct kv_board *board, const struct board_source *source)
{
    int total = 0;
    for (int r = 0; source->ring_lengths[r] > 0; r++) {
        board->ring_lengths[r] = source->ring_lengths[r];
        total += source->ring_lengths[r];
    }
    for (const char *s = source->points; *s;) {
        if (board->points == KV_POINTS_MAX)
            die(board->name, "too many points", "");
        memcpy(board->point_names[board->points++], s, 2);
        s += 2;
        s += strspn(s, " ");
    }
    if (board->points != total)
        die(board->name, "the rings do not add up to the points", "");
    board->all = (uint32_t)((UINT64_C(1) << board->points) - 1);
}

static void read_mills(struct kv_board *board, const struct board_source *source)
{
    for (const char *s = source->mills; *s;) {
        if (board->mills == KV_MILLS_MAX)
            die(board->name, "too many mills", "");
        int m = board->mills++;
        for (int i = 0; i < 3; i++) {
            int p = point_of(board, s);
            board->mill_order[m][i] = (uint8_t)p;
            board->mill_points[m] |= 1u << p;
            s += 2;
            s += strspn(s, " ,");
        }
    }
}

/* ---- Deriving the rest ----------------------------------------------------------------------- */

static void derive_edges(struct kv_board *board)
{
    for (int m = 0; m < board->mills; m++)
        for (int i = 0; i < 2; i++) {
            int a = board->mill_order[m][i], b = board->mill_order[m][i + 1];
            board->neighbours[a] |= 1u << b;
            board->neighbours[b] |= 1u << a;
        }
    int ends = 0;
    for (int p = 0; p < board->points; p++)
        ends += __builtin_popcount(board->neighbours[p]);
    board->edges = ends / 2;
}

static void derive_lines(struct kv_board *board)
{
    for (int p = 0; p < board->points; p++) {
        for (int i = 0; i < KV_LINES_MAX; i++)
            board->partners[p][i] = UINT32_MAX;
        for (int m = 0; m < board->mills; m++) {
            if (!(board->mill_points[m] >> p & 1))
                continue;
            int i = board->lines[p]++;
            if (i == KV_LINES_MAX)
                die(board->name, "too many mills through point", board->point_names[p]);
            board->line[p][i] = (uint8_t)m;
            board->partners[p][i] = board->mill_points[m] & ~(1u << p);
        }
    }
}

static int is_mill(const struct kv_board *board, uint32_t points)
{
    for (int m = 0; m < board->mills; m++)
        if (board->mill_points[m] == points)
            return 1;
    return 0;
}

static int keeps_mills(const struct kv_board *board, const uint8_t *image)
{
    for (int m = 0; m < board->mills; m++) {
        uint32_t points = 0;
        for (int i = 0; i < 3; i++)
            points |= 1u << image[board->mill_order[m][i]];
        if (!is_mill(board, points))
            return 0;
    }
    return 1;
}

/* Tries every image of point p that keeps neighbours neighbours and strangers strangers. The
 * identity is found first, because smaller images are tried first. */
static void search_symmetries(struct kv_board *board, uint8_t *image, int p, uint32_t used)
{
    if (p == board->points) {
        if (!keeps_mills(board, image))
            return;
        if (board->symmetries == KV_SYMMETRIES_MAX)
            die(board->name, "more symmetries than there is room for", "");
        memcpy(board->image[board->symmetries++], image, (size_t)board->points);
        return;
    }
    for (int q = 0; q < board->points; q++) {
        if (used >> q & 1 || board->lines[p] != board->lines[q])
            continue;
        int fits = 1;
        for (int o = 0; o < p && fits; o++)
            fits = (board->neighbours[p] >> o & 1) == (board->neighbours[q] >> image[o] & 1);
        if (!fits)
            continue;
        image[p] = (uint8_t)q;
        search_symmetries(board, image, p + 1, used | 1u << q);
    }
}

static void derive_symmetries(struct kv_board *board)
{
    uint8_t image[KV_POINTS_MAX] = {0};
    search_symmetries(board, image, 0, 0);
    for (int s = 0; s < board->symmetries; s++) {
        for (int t = 0; t < board->symmetries; t++)
            if (board->image[t][board->image[s][0]] == 0 && board->image[t][board->image[s][1]] == 1) {
                int undoes = 1;
                for (int p = 0; p < board->points; p++)
                    undoes &= board->image[t][board->image[s][p]] == p;
                if (undoes)
                    board->inverse[s] = (uint8_t)t;
            }
        for (int i = 0; i < 3; i++)
            for (int byte = 0; byte < 256; byte++)
                for (int bit = 0; bit < 8; bit++)
                    if (byte >> bit & 1 && 8 * i + bit < board->points)
                        board->set_image[s][i][byte] |= 1u << board->image[s][8 * i + bit];
    }
}

static struct kv_board derive(const struct board_source *source)
{
    struct kv_board board = {.name = source->name};
    read_points(&board, source);
    read_mills(&board, source);
    derive_edges(&board);
    derive_lines(&board);
    derive_symmetries(&board);
    return board;
}

/* ---- Writing ----------------------------------------------------------------------------------- */

static void write_u32(FILE *out, const uint32_t *values, int count)
{
    fputc('{', out);
    for (int i = 0; i < count; i++)
        fprintf(out, "%s0x%x", i ? "," : "", (unsigned)values[i]);
    fputs("}", out);
}

static void write_u8(FILE *out, const uint8_t *values, int count)
{
    fputc('{', out);
    for (int i = 0; i < count; i++)
        fprintf(out, "%s%d", i ? "," : "", values[i]);
    fputs("}", out);
}

static void write_rows_u8(FILE *out, const char *field, const uint8_t *values, int rows, int columns)
{
    fprintf(out, "    .%s = {", field);
    for (int i = 0; i < rows; i++) {
        write_u8(out, values + i * columns, columns);
        fputc(',', out);
    }
    fputs("},\n", out);
}

static void write_board(FILE *out, const struct kv_board *board)
{
    fprintf(out, "static const struct kv_board board_%s = {\n    .name = \"%s\",\n", board->name,
            board->name);
    fprintf(out, "    .points = %d, .mills = %d, .edges = %d, .symmetries = %d, .all = 0x%x,\n",
            board->points, board->mills, board->edges, board->symmetries, (unsigned)board->all);
    fputs("    .ring_lengths = {", out);
    for (int r = 0; r < 4; r++)
        fprintf(out, "%d,", board->ring_lengths[r]);
    fputs("},\n    .point_names = {", out);
    for (int p = 0; p < board->points; p++)
        fprintf(out, "\"%s\",", board->point_names[p]);
    fputs("},\n    .neighbours = ", out);
    write_u32(out, board->neighbours, KV_POINTS_MAX);
    fputs(",\n    .mill_points = ", out);
    write_u32(out, board->mill_points, KV_MILLS_MAX);
    fputs(",\n    .lines = {", out);
    for (int p = 0; p < KV_POINTS_MAX; p++)
        fprintf(out, "%d,", board->lines[p]);
    fputs("},\n", out);
    write_rows_u8(out, "mill_order", board->mill_order[0], KV_MILLS_MAX, 3);
    write_rows_u8(out, "line", board->line[0], KV_POINTS_MAX, KV_LINES_MAX);
    fputs("    .partners = {", out);
    for (int p = 0; p < KV_POINTS_MAX; p++) {
        write_u32(out, board->partners[p], KV_LINES_MAX);
        fputc(',', out);
    }
    fputs("},\n", out);
    write_rows_u8(out, "image", board->image[0], KV_SYMMETRIES_MAX, KV_POINTS_MAX);
    fputs("    .inverse = ", out);
    write_u8(out, board->inverse, KV_SYMMETRIES_MAX);
    fputs(",\n    .set_image = {", out);
    for (int s = 0; s < board->symmetries; s++) {
        fputs("{", out);
        for (int i = 0; i < 3; i++) {
            write_u32(out, board->set_image[s][i], 256);
            fputs(",\n", out);
        }
        fputs("},", out);
    }
    fputs("},\n};\n\n", out);
}

/* Points that complete a line: those whose two partners are both in the set. Lines that lie within
 * one byte of the set are looked up; the others are grouped by the two shifts that bring the
 * partners onto the point. */
static uint32_t closed_inside(const struct kv_board *board, int byte, uint32_t bits, int want)
{
    uint32_t set = bits << (8 * byte), result = 0;
    for (int p = 8 * byte; p < 8 * byte + 8 && p < board->points; p++) {
        int closes = 0;
        for (int i = 0; i < board->lines[p]; i++)
            closes += (board->partners[p][i] & ~set) == 0;
        if (closes >= want)
            result |= 1u << p;
    }
    return result;
}

struct term {
    int shift[2]; /* partner minus point */
    uint32_t points;
};

static int collect_terms(const struct kv_board *board, struct term *terms)
{
    int count = 0;
    for (int p = 0; p < board->points; p++)
        for (int i = 0; i < board->lines[p]; i++) {
            uint32_t partners = board->partners[p][i];
            int a = __builtin_ctz(partners), b = 31 - __builtin_clz(partners);
            if (a / 8 == p / 8 && b / 8 == p / 8)
                continue;
            int t = 0;
            while (t < count && (terms[t].shift[0] != a - p || terms[t].shift[1] != b - p))
                t++;
            if (t == count)
                terms[count++] = (struct term){{a - p, b - p}, 0};
            terms[t].points |= 1u << p;
        }
    return count;
}

static void write_shift(FILE *out, int shift)
{
    if (shift >= 0)
        fprintf(out, "set >> %d", shift);
    else
        fprintf(out, "set << %d", -shift);
}

static void write_closing(FILE *out, const struct kv_board *board)
{
    for (int want = 1; want <= 2; want++) {
        fprintf(out, "static const uint32_t kv_%s_inside%d[3][256] = {\n", board->name, want);
        for (int byte = 0; byte < 3; byte++) {
            uint32_t row[256];
            for (uint32_t bits = 0; bits < 256; bits++)
                row[bits] = closed_inside(board, byte, bits, want);
            write_u32(out, row, 256);
            fputs(",\n", out);
        }
        fputs("};\n\n", out);
    }
    struct term terms[KV_POINTS_MAX * KV_LINES_MAX];
    int count = collect_terms(board, terms);
    fprintf(out,
            "/* Points whose two partners on some line (`twice`: on two lines or more) are all in `set`. */\n"
            "static inline uint32_t kv_%s_closing(uint32_t set, uint32_t *twice)\n{\n"
            "    uint32_t once = kv_%s_inside1[0][set & 255] | kv_%s_inside1[1][set >> 8 & 255] |\n"
            "                    kv_%s_inside1[2][set >> 16 & 255];\n"
            "    uint32_t more = 0, term;\n"
            "    if (twice)\n"
            "        more = kv_%s_inside2[0][set & 255] | kv_%s_inside2[1][set >> 8 & 255] |\n"
            "               kv_%s_inside2[2][set >> 16 & 255];\n",
            board->name, board->name, board->name, board->name, board->name, board->name, board->name);
    for (int t = 0; t < count; t++) {
        fputs("    term = ", out);
        write_shift(out, terms[t].shift[0]);
        fputs(" & ", out);
        write_shift(out, terms[t].shift[1]);
        fprintf(out, " & 0x%x;\n    more |= once & term;\n    once |= term;\n", (unsigned)terms[t].points);
    }
    fputs("    if (twice)\n        *twice = more;\n    return once;\n}\n\n", out);
}

static FILE *open_or_die(const char *name)
{
    FILE *file = fopen(name, "w");
    if (!file) {
        perror(name);
        exit(1);
    }
    return file;
}

static void close_or_die(FILE *file, const char *name)
{
    if (ferror(file) | fclose(file)) {
        fprintf(stderr, "make-tables: cannot write %s\n", name);
        exit(1);
    }
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: make-tables TABLES.c TABLES.h\n");
        return 2;
    }
    FILE *source = open_or_die(argv[1]), *header = open_or_die(argv[2]);
    fputs("/* Made by tools/make-tables.c from src/board/boards.h. */\n#include \"board/geometry.h\"\n\n",
          source);
    fputs("/* Made by tools/make-tables.c from src/board/boards.h. */\n#include <stdint.h>\n\n", header);
    for (int i = 0; i < BOARDS; i++) {
        struct kv_board board = derive(&board_sources[i]);
        write_board(source, &board);
        write_closing(header, &board);
    }
    fputs("const struct kv_board *const kv_boards[] = {", source);
    for (int i = 0; i < BOARDS; i++)
        fprintf(source, "&board_%s,", board_sources[i].name);
    fputs("};\n", source);
    /* The board number is a constant in the specialised code, so the switch costs nothing there. */
    fputs("static inline uint32_t kv_closing(int board, uint32_t set, uint32_t *twice)\n{\n    switch "
          "(board) {\n",
          header);
    for (int i = 0; i < BOARDS; i++)
        fprintf(header, "    case %d: return kv_%s_closing(set, twice);\n", i, board_sources[i].name);
    fputs("    default: __builtin_unreachable();\n    }\n}\n", header);
    close_or_die(source, argv[1]);
    close_or_die(header, argv[2]);
    return 0;
}
