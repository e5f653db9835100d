#include "scoring/sheet.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scoring/names.h"

/* What one side did in one row: its consecutive entries there. */
struct cell {
    size_t section, row, side;
    size_t at, length; /* in `marks` */
    int64_t total;
};

struct width {
    size_t mark, total;
};

struct sheet {
    const struct kv_card *game;
    size_t sides;
    struct cell *cells; /* by section, row, side */
    size_t count;
    struct kv_buffer marks;
    struct width *widths;
    size_t *places;
    size_t label;
    size_t first_section; /* earlier ones are not shown */
    bool tail;            /* the first section shown lacks its first rows */
};

static int compare_cells(const void *a, const void *b)
{
    const struct cell *x = a, *y = b;
    if (x->section != y->section)
        return x->section < y->section ? -1 : 1;
    if (x->row != y->row)
        return x->row < y->row ? -1 : 1;
    return (x->side > y->side) - (x->side < y->side);
}

/* The first entry to show when only the last `rows` rows are wanted. */
static size_t first_entry(const struct kv_card_log *log, size_t rows)
{
    if (rows == 0 || log->count == 0)
        return 0;
    const struct kv_card_entry *last = &log->entries[log->count - 1];
    size_t first = log->count - 1;
    while (first > 0) {
        const struct kv_card_entry *entry = &log->entries[first - 1];
        if (entry->section != last->section || entry->row + rows <= last->row)
            break;
        first--;
    }
    return first;
}

static bool gather_cells(struct sheet *sheet, size_t first)
{
    const struct kv_card_log *log = &sheet->game->play.log;
    sheet->cells = malloc((log->count - first + 1) * sizeof *sheet->cells);
    if (!sheet->cells)
        return false;
    for (size_t i = first; i < log->count; i++) {
        const struct kv_card_entry *entry = &log->entries[i];
        struct kv_span mark = kv_card_log_mark(log, i);
        struct cell *cell = sheet->count > 0 ? &sheet->cells[sheet->count - 1] : NULL;
        if (cell && cell->section == entry->section && cell->row == entry->row && cell->side == entry->side) {
            kv_buffer_text(&sheet->marks, " ");
        } else {
            cell = &sheet->cells[sheet->count++];
            *cell = (struct cell){entry->section, entry->row, entry->side, sheet->marks.length, 0, 0};
        }
        kv_buffer_add(&sheet->marks, mark.at, mark.length);
        cell->length = sheet->marks.length - cell->at;
        cell->total = entry->total;
    }
    qsort(sheet->cells, sheet->count, sizeof *sheet->cells, compare_cells);
    return !sheet->marks.failed;
}

static size_t digits(int64_t value)
{
    size_t count = value < 0 ? 2 : 1;
    while (value /= 10)
        count++;
    return count;
}

static void widen(size_t *width, size_t need)
{
    if (*width < need)
        *width = need;
}

static size_t members_width(const struct kv_card_side *side)
{
    size_t width = 0;
    for (size_t i = 0; i < side->member_count; i++)
        width += kv_card_text_width(side->members[i], strlen(side->members[i])) + (i > 0 ? 2 : 0);
    return width;
}

static struct kv_card_standing standing_of(const struct sheet *sheet, size_t side)
{
    struct kv_card_standing standing = {0};
    sheet->game->module->standing(sheet->game->play.state, side, &standing);
    return standing;
}

static void measure(struct sheet *sheet)
{
    const char *section = sheet->game->module->section;
    const struct kv_card_play *play = &sheet->game->play;
    struct kv_buffer label = {0};
    sheet->label = strlen("total");
    if (section)
        widen(&sheet->label, strlen(section) + 1 + digits((int64_t)play->sections + 1));
    for (size_t i = 0; i < sheet->count; i++) {
        const struct cell *cell = &sheet->cells[i];
        struct width *width = &sheet->widths[cell->side];
        widen(&width->mark, kv_card_text_width(sheet->marks.data + cell->at, cell->length));
        widen(&width->total, digits(cell->total));
        kv_buffer_clear(&label);
        sheet->game->module->label(cell->row, &label);
        widen(&sheet->label, label.length);
    }
    kv_buffer_finish(&label);
    for (size_t side = 0; side < sheet->sides; side++) {
        const struct kv_card_side *it = &sheet->game->setup->sides[side];
        struct kv_card_standing standing = standing_of(sheet, side);
        struct width *width = &sheet->widths[side];
        size_t whole = kv_card_text_width(it->name, strlen(it->name));
        widen(&width->total, digits(standing.total));
        widen(&width->mark, section ? 1 + digits(standing.total) : 2); /* "+14" */
        widen(&whole, members_width(it));
        widen(&whole, strlen(standing.remark));
        if (width->mark + 1 + width->total < whole)
            width->mark = whole - 1 - width->total;
    }
}

static int sheet_start(struct sheet *sheet, const struct kv_card *game, size_t rows)
{
    *sheet = (struct sheet){.game = game, .sides = game->setup->side_count};
    size_t first = first_entry(&game->play.log, rows);
    sheet->widths = calloc(sheet->sides, sizeof *sheet->widths);
    sheet->places = malloc(sheet->sides * sizeof *sheet->places);
    if (!sheet->widths || !sheet->places || kv_card_rank(game, sheet->places) != KV_OK ||
        !gather_cells(sheet, first))
        return KV_E_MEMORY;
    sheet->first_section = sheet->count > 0 ? sheet->cells[0].section : 0;
    sheet->tail = first > 0 && game->play.log.entries[first - 1].section == sheet->first_section;
    measure(sheet);
    return KV_OK;
}

static void sheet_finish(struct sheet *sheet)
{
    free(sheet->cells);
    free(sheet->widths);
    free(sheet->places);
    kv_buffer_finish(&sheet->marks);
}

/* The first cell at or behind a place. */
static size_t find_cell(const struct sheet *sheet, size_t section, size_t row, size_t side)
{
    struct cell wanted = {.section = section, .row = row, .side = side};
    size_t low = 0, high = sheet->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_cells(&sheet->cells[middle], &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void trim_line(struct kv_buffer *out)
{
    while (out->length > 0 && out->data[out->length - 1] == ' ')
        out->length--;
    kv_buffer_text(out, "\n");
}

/* ---- for people ---- */

static void write_label(const struct sheet *sheet, const char *label, struct kv_buffer *out)
{
    kv_card_text_pad(out, label, strlen(label), sheet->label, false);
}

static void write_cell(const struct sheet *sheet, size_t side, struct kv_span mark, const int64_t *total,
                       struct kv_buffer *out)
{
    char number[24] = "";
    if (total)
        snprintf(number, sizeof number, "%lld", (long long)*total);
    kv_buffer_text(out, " | ");
    kv_card_text_pad(out, mark.at, mark.length, sheet->widths[side].mark, false);
    kv_buffer_text(out, " ");
    kv_card_text_pad(out, number, strlen(number), sheet->widths[side].total, true);
}

/* One text over the whole width of a side's column. */
static void write_wide(const struct sheet *sheet, size_t side, const char *text, struct kv_buffer *out)
{
    kv_buffer_text(out, " | ");
    kv_card_text_pad(out, text, strlen(text), sheet->widths[side].mark + 1 + sheet->widths[side].total,
                     false);
}

static void write_rule(const struct sheet *sheet, size_t from, size_t to, struct kv_buffer *out)
{
    for (size_t i = 0; i < sheet->label; i++)
        kv_buffer_text(out, "-");
    for (size_t side = from; side < to; side++) {
        kv_buffer_text(out, "-+-");
        for (size_t i = 0; i < sheet->widths[side].mark + 1 + sheet->widths[side].total; i++)
            kv_buffer_text(out, "-");
    }
    kv_buffer_text(out, "\n");
}

static void write_members(const struct kv_card_side *side, struct kv_buffer *out)
{
    for (size_t i = 0; i < side->member_count; i++)
        kv_buffer_format(out, "%s%s", i > 0 ? ", " : "", side->members[i]);
}

static void write_head(const struct sheet *sheet, size_t from, size_t to, struct kv_buffer *out)
{
    const struct kv_card_side *sides = sheet->game->setup->sides;
    bool teams = false;
    write_label(sheet, "", out);
    for (size_t side = from; side < to; side++) {
        write_wide(sheet, side, sides[side].name, out);
        teams |= sides[side].member_count > 0;
    }
    trim_line(out);
    if (teams) {
        write_label(sheet, "", out);
        struct kv_buffer members = {0};
        for (size_t side = from; side < to; side++) {
            kv_buffer_clear(&members);
            write_members(&sides[side], &members);
            write_wide(sheet, side, members.data ? members.data : "", out);
        }
        out->failed |= members.failed;
        kv_buffer_finish(&members);
        trim_line(out);
    }
    write_rule(sheet, from, to, out);
}

static void write_row(const struct sheet *sheet, const struct cell *at, size_t from, size_t to,
                      struct kv_buffer *out)
{
    struct kv_buffer label = {0};
    sheet->game->module->label(at->row, &label);
    write_label(sheet, label.data ? label.data : "", out);
    out->failed |= label.failed;
    kv_buffer_finish(&label);
    size_t i = find_cell(sheet, at->section, at->row, from);
    for (size_t side = from; side < to; side++) {
        const struct cell *cell = &sheet->cells[i];
        if (i < sheet->count && cell->section == at->section && cell->row == at->row && cell->side == side) {
            write_cell(sheet, side, (struct kv_span){sheet->marks.data + cell->at, cell->length},
                       &cell->total, out);
            i++;
        } else {
            write_cell(sheet, side, (struct kv_span){"", 0}, NULL, out);
        }
    }
    trim_line(out);
}

/* What a side scored in a section that is over, and its total after it. */
static int64_t section_score(const struct sheet *sheet, size_t section, size_t side, int64_t *total)
{
    const int64_t *scores = sheet->game->play.scores;
    *total = scores[section * sheet->sides + side];
    return *total - (section > 0 ? scores[(section - 1) * sheet->sides + side] : 0);
}

static void write_section_end(const struct sheet *sheet, size_t section, size_t from, size_t to,
                              struct kv_buffer *out)
{
    if (section >= sheet->game->play.sections)
        return;
    write_label(sheet, "score", out);
    for (size_t side = from; side < to; side++) {
        char mark[24];
        int64_t total, score = section_score(sheet, section, side, &total);
        snprintf(mark, sizeof mark, "+%lld", (long long)score);
        write_cell(sheet, side, kv_span_of(mark), &total, out);
    }
    trim_line(out);
}

static void write_foot(const struct sheet *sheet, size_t from, size_t to, struct kv_buffer *out)
{
    write_rule(sheet, from, to, out);
    write_label(sheet, "total", out);
    for (size_t side = from; side < to; side++) {
        struct kv_card_standing standing = standing_of(sheet, side);
        write_cell(sheet, side, (struct kv_span){"", 0}, &standing.total, out);
    }
    trim_line(out);
    write_label(sheet, "", out);
    for (size_t side = from; side < to; side++)
        write_wide(sheet, side, standing_of(sheet, side).remark, out);
    trim_line(out);
    write_label(sheet, "place", out);
    for (size_t side = from; side < to; side++) {
        int64_t place = (int64_t)sheet->places[side];
        write_cell(sheet, side, (struct kv_span){"", 0}, &place, out);
    }
    trim_line(out);
}

static void write_band(const struct sheet *sheet, size_t from, size_t to, struct kv_buffer *out)
{
    const char *name = sheet->game->module->section;
    write_head(sheet, from, to, out);
    for (size_t i = 0; i < sheet->count;) {
        const struct cell *at = &sheet->cells[i];
        bool first = i == 0 || at[-1].section != at->section;
        if (first && name)
            kv_buffer_format(out, "%s %zu\n", name, at->section + 1);
        if (first && i == 0 && sheet->tail)
            kv_buffer_text(out, "...\n");
        write_row(sheet, at, from, to, out);
        i = find_cell(sheet, at->section, at->row + 1, 0);
        if (i == sheet->count || sheet->cells[i].section != at->section)
            write_section_end(sheet, at->section, from, to, out);
    }
    write_foot(sheet, from, to, out);
}

int kv_card_sheet_write(const struct kv_card *game, struct kv_card_sheet_limits limits, struct kv_buffer *out)
{
    struct sheet sheet;
    int status = sheet_start(&sheet, game, limits.rows);
    for (size_t from = 0, to; status == KV_OK && from < sheet.sides; from = to) {
        size_t width = sheet.label;
        for (to = from; to < sheet.sides; to++) {
            width += 3 + sheet.widths[to].mark + 1 + sheet.widths[to].total;
            if (limits.columns > 0 && to > from && width > limits.columns)
                break;
        }
        if (from > 0)
            kv_buffer_text(out, "\n");
        write_band(&sheet, from, to, out);
    }
    sheet_finish(&sheet);
    return status;
}

/* ---- for spreadsheets ---- */

static void write_field(struct kv_buffer *out, const char *text, size_t length)
{
    bool quote = false;
    for (size_t i = 0; i < length && !quote; i++)
        quote = text[i] == ',' || text[i] == '"' || text[i] == ' ';
    if (quote)
        kv_buffer_text(out, "\"");
    for (size_t i = 0; i < length; i++)
        kv_buffer_add(out, text[i] == '"' ? "\"\"" : text + i, text[i] == '"' ? 2 : 1);
    if (quote)
        kv_buffer_text(out, "\"");
}

static void write_csv_start(const struct sheet *sheet, size_t section, struct kv_buffer *out)
{
    if (sheet->game->module->section)
        kv_buffer_format(out, "%zu,", section + 1);
}

static void write_csv_row(const struct sheet *sheet, size_t i, struct kv_buffer *out)
{
    const struct cell *at = &sheet->cells[i];
    write_csv_start(sheet, at->section, out);
    sheet->game->module->label(at->row, out);
    for (size_t side = 0; side < sheet->sides; side++) {
        const struct cell *cell = &sheet->cells[i];
        kv_buffer_text(out, ",");
        if (i < sheet->count && cell->section == at->section && cell->row == at->row && cell->side == side) {
            write_field(out, sheet->marks.data + cell->at, cell->length);
            kv_buffer_format(out, ",%lld", (long long)cell->total);
            i++;
        } else {
            kv_buffer_text(out, ",");
        }
    }
    kv_buffer_text(out, "\n");
}

static void write_csv_score(const struct sheet *sheet, size_t section, struct kv_buffer *out)
{
    if (section >= sheet->game->play.sections)
        return;
    write_csv_start(sheet, section, out);
    kv_buffer_text(out, "score");
    for (size_t side = 0; side < sheet->sides; side++) {
        int64_t total, score = section_score(sheet, section, side, &total);
        kv_buffer_format(out, ",%lld,%lld", (long long)score, (long long)total);
    }
    kv_buffer_text(out, "\n");
}

static void write_csv_foot(const struct sheet *sheet, const char *label, bool places, struct kv_buffer *out)
{
    kv_buffer_format(out, "%s%s", sheet->game->module->section ? "," : "", label);
    for (size_t side = 0; side < sheet->sides; side++)
        kv_buffer_format(out, ",,%lld",
                         places ? (long long)sheet->places[side] : (long long)standing_of(sheet, side).total);
    kv_buffer_text(out, "\n");
}

int kv_card_sheet_write_csv(const struct kv_card *game, struct kv_buffer *out)
{
    struct sheet sheet;
    int status = sheet_start(&sheet, game, 0);
    if (status == KV_OK) {
        kv_buffer_format(out, "%s%srow", game->module->section ? game->module->section : "",
                         game->module->section ? "," : "");
        for (size_t side = 0; side < sheet.sides; side++) {
            const char *name = game->setup->sides[side].name;
            kv_buffer_text(out, ",");
            write_field(out, name, strlen(name));
            kv_buffer_text(out, ",total");
        }
        kv_buffer_text(out, "\n");
        for (size_t i = 0; i < sheet.count;) {
            size_t section = sheet.cells[i].section;
            write_csv_row(&sheet, i, out);
            i = find_cell(&sheet, section, sheet.cells[i].row + 1, 0);
            if (i == sheet.count || sheet.cells[i].section != section)
                write_csv_score(&sheet, section, out);
        }
        write_csv_foot(&sheet, "total", false, out);
        write_csv_foot(&sheet, "place", true, out);
    }
    sheet_finish(&sheet);
    return status;
}
