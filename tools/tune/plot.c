/* Expected against real scores as a picture. */
#include "tune/measure.h"

enum { SIDE = 320, LEFT = 56, TOP = 40, GAP = 56, LEGEND = 72 };

static const char *const colours[] = {"#777777", "#1f6fb4", "#b4521f"};

static void write_axes(FILE *file, int x, const char *title)
{
    fprintf(file, "<text x='%d' y='%d' text-anchor='middle' font-weight='bold'>%s</text>\n", x + SIDE / 2,
            TOP - 14, title);
    fprintf(file, "<rect x='%d' y='%d' width='%d' height='%d' fill='none' stroke='#000'/>\n", x, TOP, SIDE,
            SIDE);
    fprintf(file, "<path d='M%d %dL%d %d' stroke='#bbb' stroke-dasharray='4 4'/>\n", x, TOP + SIDE, x + SIDE,
            TOP);
    for (int tick = 0; tick <= 4; tick++) {
        int step = tick * SIDE / 4;
        fprintf(file, "<text x='%d' y='%d' text-anchor='middle'>%.2f</text>\n", x + step, TOP + SIDE + 18,
                tick / 4.0);
        fprintf(file, "<text x='%d' y='%d' text-anchor='end'>%.2f</text>\n", x - 6, TOP + SIDE - step + 4,
                tick / 4.0);
        if (tick % 4)
            fprintf(file, "<path d='M%d %dv%dM%d %dh%d' stroke='#eee'/>\n", x + step, TOP, SIDE, x,
                    TOP + step, SIDE);
    }
    fprintf(file, "<text x='%d' y='%d' text-anchor='middle'>expected score</text>\n", x + SIDE / 2,
            TOP + SIDE + 36);
}

/* A bin's disc has an area that goes with its positions. */
static void write_curve(FILE *file, int x, const struct tune_measure *measure, const char *colour)
{
    double largest = 1;
    bool first = true;
    fprintf(file, "<path fill='none' stroke='%s' stroke-width='1.5' d='", colour);
    for (int bin = 0; bin < TUNE_BINS; bin++) {
        double count = (double)measure->bins[bin];
        if (count == 0)
            continue;
        largest = count > largest ? count : largest;
        fprintf(file, "%s%.1f %.1f", first ? "M" : "L", x + measure->expected[bin] / count * SIDE,
                TOP + SIDE - measure->real[bin] / count * SIDE);
        first = false;
    }
    fputs("'/>\n", file);
    for (int bin = 0; bin < TUNE_BINS; bin++) {
        double count = (double)measure->bins[bin], share = count / largest, root = share > 0 ? 1 : 0;
        for (int step = 0; step < 40 && share > 0; step++)
            root = (root + share / root) / 2;
        if (count > 0)
            fprintf(file, "<circle cx='%.1f' cy='%.1f' r='%.1f' fill='%s' fill-opacity='0.6'/>\n",
                    x + measure->expected[bin] / count * SIDE, TOP + SIDE - measure->real[bin] / count * SIDE,
                    1.5 + 6 * root, colour);
    }
}

void tune_plot_write(FILE *file, const struct tune_model *models, const struct tune_measure (*measures)[2],
                     int count)
{
    static const char *const titles[] = {"placing phase", "moving phase"};
    int width = LEFT + 2 * SIDE + GAP + 24, height = TOP + SIDE + LEGEND;
    fprintf(file,
            "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' viewBox='0 0 %d %d' "
            "font-family='sans-serif' font-size='12'>\n"
            "<title>Expected and real scores of positions that the weights were not fitted to</title>\n"
            "<rect width='%d' height='%d' fill='#fff'/>\n",
            width, height, width, height, width, height);
    for (int phase = 0; phase < 2; phase++) {
        int x = LEFT + phase * (SIDE + GAP);
        write_axes(file, x, titles[phase]);
        for (int m = 0; m < count; m++)
            write_curve(file, x, &measures[m][phase], colours[m]);
    }
    fprintf(file,
            "<text x='14' y='%d' transform='rotate(-90 14 %d)' text-anchor='middle'>real score</text>\n",
            TOP + SIDE / 2, TOP + SIDE / 2);
    for (int m = 0; m < count; m++) {
        int x = LEFT + m * 150, y = TOP + SIDE + 58;
        fprintf(file, "<circle cx='%d' cy='%d' r='5' fill='%s'/><text x='%d' y='%d'>%s%s</text>\n", x + 6,
                y - 4, colours[m], x + 18, y, models[m].name, models[m].network ? "" : " weights");
    }
    fputs("</svg>\n", file);
}
