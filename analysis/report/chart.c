/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Charts and maps as SVG: axes, lines, boxes, words. */
#include "chart.h"

#include <corridor/cells.h>

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>

#define LABEL_STEP 14   /* pixels between names beside curves */
#define LABEL_LENGTH 18 /* characters of such a name */

static void put(struct cor__chart *chart, const char *format, ...) COR_PRINTF(2, 3);
static void put(struct cor__chart *chart, const char *format, ...) {
    va_list values;
    va_start(values, format);
    if (chart->text.file)
        vfprintf(chart->text.file, format, values);
    va_end(values);
}

void cor__chart_begin(struct cor__chart *chart, double width, double height) {
    *chart = (struct cor__chart){
        .width = width, .left = 46, .top = 12, .right = width - 18, .bottom = height - 38};
    cor__text_begin(&chart->text);
    put(chart,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%g\" height=\"%g\" viewBox=\"0 0 %g %g\">\n"
        "<g font-family=\"sans-serif\" font-size=\"12\" fill=\"%s\">\n",
        width, height, width, height, cor__colour(COR__COLOUR_INK));
}

char *cor__chart_end(struct cor__chart *chart) {
    put(chart, "</g>\n</svg>\n");
    return cor__text_end(&chart->text);
}

void cor__chart_word(struct cor__chart *chart, double x, double y, enum cor__anchor anchor, bool upwards,
                     const char *text, size_t characters) {
    static const char *const anchors[] = {"start", "middle", "end"};
    put(chart, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\"", x, y, anchors[anchor]);
    if (upwards)
        put(chart, " transform=\"rotate(-90 %.1f %.1f)\"", x, y);
    put(chart, ">");
    if (chart->text.file)
        cor_html_short(chart->text.file, text, characters);
    put(chart, "</text>\n");
}

void cor__chart_box(struct cor__chart *chart, double x, double y, double size, enum cor__colour colour,
                    bool filled) {
    put(chart, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"", x, y, size, size,
        filled ? cor__colour(colour) : "none");
    if (!filled)
        put(chart, " stroke=\"%s\"", cor__colour(colour));
    put(chart, "/>\n");
}

static double place_x(const struct cor__chart *chart, double x) {
    double share = chart->is_log ? log(fmax(1, x)) / log(chart->most) : x / chart->most;
    return chart->left + share * (chart->right - chart->left);
}

static double place_y(const struct cor__chart *chart, double percent) {
    return chart->bottom - percent / 100 * (chart->bottom - chart->top);
}

static void put_line(struct cor__chart *chart, enum cor__colour colour, double x1, double y1, double x2,
                     double y2) {
    put(chart, "<path fill=\"none\" stroke=\"%s\" d=\"M%.1f,%.1f L%.1f,%.1f\"/>\n", cor__colour(colour), x1,
        y1, x2, y2);
}

static void put_tic(struct cor__chart *chart, double x) {
    char number[COR_CELL];
    cor_brief_text(x, number);
    put_line(chart, COR__COLOUR_AXIS, place_x(chart, x), chart->bottom, place_x(chart, x), chart->bottom + 4);
    cor__chart_word(chart, place_x(chart, x), chart->bottom + 17, COR__MIDDLE, false, number, COR_CELL);
}

void cor__chart_leave(struct cor__chart *chart, const char *name) {
    chart->right =
        fmin(chart->right, chart->width - 34 - 7 * fmin(LABEL_LENGTH, (double)cor_utf8_length(name)));
}

void cor__chart_axes(struct cor__chart *chart, double most, bool is_log, const char *label) {
    chart->most = fmax(most, 10);
    chart->is_log = is_log;
    for (int percent = 0; percent <= 100; percent += 25) {
        char text[16];
        snprintf(text, sizeof text, "%d %%", percent);
        put_line(chart, percent > 0 ? COR__COLOUR_GRID : COR__COLOUR_AXIS, chart->left,
                 place_y(chart, percent), chart->right, place_y(chart, percent));
        cor__chart_word(chart, chart->left - 6, place_y(chart, percent) + 4, COR__END, false, text, 16);
    }
    put_line(chart, COR__COLOUR_AXIS, chart->left, chart->top, chart->left, chart->bottom);
    double step = pow(10, floor(log10(chart->most)));
    step = chart->most / step < 2 ? step / 2 : chart->most / step > 5 ? 2 * step : step;
    if (is_log)
        for (double x = 1; x <= chart->most; x *= 10)
            put_tic(chart, x);
    else
        for (double x = 0; x <= chart->most; x += step)
            put_tic(chart, x);
    cor__chart_word(chart, (chart->left + chart->right) / 2, chart->bottom + 33, COR__MIDDLE, false, label,
                    60);
}

/* Curves of one chart in colours and, where these are used up, in dashes. */
static void put_stroke(struct cor__chart *chart, size_t series) {
    static const enum cor__colour colours[] = {COR__COLOUR_FIRST,   COR__COLOUR_SECOND, COR__COLOUR_THIRD,
                                               COR__COLOUR_FOURTH,  COR__COLOUR_FIFTH,  COR__COLOUR_SIXTH,
                                               COR__COLOUR_SEVENTH, COR__COLOUR_EIGHTH};
    static const char *const dashes[] = {"", "6 3", "2 2", "9 3 2 3", "1 4"};
    enum { COLOURS = sizeof colours / sizeof *colours, DASHES = sizeof dashes / sizeof *dashes };
    const char *dash = dashes[series / COLOURS % DASHES];
    put(chart, "<path fill=\"none\" stroke-width=\"1.8\" stroke=\"%s\"",
        cor__colour(colours[series % COLOURS]));
    if (*dash)
        put(chart, " stroke-dasharray=\"%s\"", dash);
}

void cor__curve_begin(struct cor__chart *chart, size_t series) {
    put_stroke(chart, series);
    put(chart, " d=\"");
    chart->points = 0;
}

void cor__curve_to(struct cor__chart *chart, double x, double percent) {
    put(chart, "%s%.1f,%.1f", chart->points++ > 0 ? " L" : "M", place_x(chart, x), place_y(chart, percent));
}

void cor__curve_end(struct cor__chart *chart) {
    put(chart, "\"/>\n");
}

double cor__chart_key(struct cor__chart *chart, double x, double y, size_t series, const char *text,
                      size_t characters) {
    size_t length = cor_utf8_length(text);
    put_stroke(chart, series);
    put(chart, " d=\"M%.1f,%.1f L%.1f,%.1f\"/>\n", x, y - 4, x + 18, y - 4);
    cor__chart_word(chart, x + 22, y, COR__START, false, text, characters);
    return x + 34 + 6.6 * (double)(length < characters ? length : characters);
}

static int compare_labels(const void *one, const void *other) {
    const struct cor__label *a = one, *b = other;
    return a->percent != b->percent ? (a->percent < b->percent) - (a->percent > b->percent)
                                    : (a->series > b->series) - (a->series < b->series);
}

void cor__chart_labels(struct cor__chart *chart, struct cor__label *label, size_t count) {
    if (count == 0)
        return;
    qsort(label, count, sizeof *label, compare_labels);
    double y = chart->top - LABEL_STEP, lowest = chart->bottom + 4;
    for (size_t i = 0; i < count;
         i++) { /* beside its curve, or as near below the one before as can be read */
        label[i].y = fmax(place_y(chart, label[i].percent) + 4, y + LABEL_STEP);
        y = label[i].y;
    }
    for (size_t i = count; i-- > 0; lowest = label[i].y - LABEL_STEP)
        label[i].y = fmin(label[i].y, lowest);
    for (size_t i = 0; i < count; i++)
        cor__chart_key(chart, chart->right + 8, label[i].y, label[i].series, label[i].text, LABEL_LENGTH);
}
