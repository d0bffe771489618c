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

static void put(struct report__chart *chart, const char *format, ...) COR_PRINTF(2, 3);
static void put(struct report__chart *chart, const char *format, ...) {
    va_list values;
    va_start(values, format);
    if (chart->text.file)
        vfprintf(chart->text.file, format, values);
    va_end(values);
}

void report__chart_begin(struct report__chart *chart, double width, double height) {
    *chart = (struct report__chart){
        .width = width, .left = 46, .top = 12, .right = width - 18, .bottom = height - 38};
    report__text_begin(&chart->text);
    put(chart,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%g\" height=\"%g\" viewBox=\"0 0 %g %g\">\n"
        "<g font-family=\"sans-serif\" font-size=\"12\" fill=\"%s\">\n",
        width, height, width, height, report__colour(REPORT__COLOUR_INK));
}

char *report__chart_end(struct report__chart *chart) {
    put(chart, "</g>\n</svg>\n");
    return report__text_end(&chart->text);
}

void report__chart_word(struct report__chart *chart, double x, double y, enum report__anchor anchor,
                        bool upwards, const char *text, size_t characters) {
    static const char *const anchors[] = {"start", "middle", "end"};
    put(chart, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\"", x, y, anchors[anchor]);
    if (upwards)
        put(chart, " transform=\"rotate(-90 %.1f %.1f)\"", x, y);
    put(chart, ">");
    if (chart->text.file)
        cor_html_short(chart->text.file, text, characters);
    put(chart, "</text>\n");
}

void report__chart_box(struct report__chart *chart, double x, double y, double size,
                       enum report__colour colour, bool filled) {
    put(chart, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"", x, y, size, size,
        filled ? report__colour(colour) : "none");
    if (!filled)
        put(chart, " stroke=\"%s\"", report__colour(colour));
    put(chart, "/>\n");
}

static double place_x(const struct report__chart *chart, double x) {
    double share = chart->is_log ? log(fmax(1, x)) / log(chart->most) : x / chart->most;
    return chart->left + share * (chart->right - chart->left);
}

static double place_y(const struct report__chart *chart, double percent) {
    return chart->bottom - percent / 100 * (chart->bottom - chart->top);
}

static void put_line(struct report__chart *chart, enum report__colour colour, double x1, double y1, double x2,
                     double y2) {
    put(chart, "<path fill=\"none\" stroke=\"%s\" d=\"M%.1f,%.1f L%.1f,%.1f\"/>\n", report__colour(colour),
        x1, y1, x2, y2);
}

static void put_tic(struct report__chart *chart, double x) {
    char number[COR_CELL];
    cor_brief_text(x, number);
    put_line(chart, REPORT__COLOUR_AXIS, place_x(chart, x), chart->bottom, place_x(chart, x),
             chart->bottom + 4);
    report__chart_word(chart, place_x(chart, x), chart->bottom + 17, REPORT__MIDDLE, false, number, COR_CELL);
}

void report__chart_leave(struct report__chart *chart, const char *name) {
    chart->right =
        fmin(chart->right, chart->width - 34 - 7 * fmin(LABEL_LENGTH, (double)cor_utf8_length(name)));
}

void report__chart_axes(struct report__chart *chart, double most, bool is_log, const char *label) {
    chart->most = fmax(most, 10);
    chart->is_log = is_log;
    for (int percent = 0; percent <= 100; percent += 25) {
        char text[COR_CELL];
        if (chart->full > 0)
            cor_brief_text(chart->full * percent / 100, text);
        else
            snprintf(text, sizeof text, "%d %%", percent);
        put_line(chart, percent > 0 ? REPORT__COLOUR_GRID : REPORT__COLOUR_AXIS, chart->left,
                 place_y(chart, percent), chart->right, place_y(chart, percent));
        report__chart_word(chart, chart->left - 6, place_y(chart, percent) + 4, REPORT__END, false, text, 16);
    }
    put_line(chart, REPORT__COLOUR_AXIS, chart->left, chart->top, chart->left, chart->bottom);
    double step = pow(10, floor(log10(chart->most)));
    step = chart->most / step < 2 ? step / 2 : chart->most / step > 5 ? 2 * step : step;
    if (is_log)
        for (double x = 1; x <= chart->most; x *= 10)
            put_tic(chart, x);
    else
        for (double x = 0; x <= chart->most; x += step)
            put_tic(chart, x);
    report__chart_word(chart, (chart->left + chart->right) / 2, chart->bottom + 33, REPORT__MIDDLE, false,
                       label, 60);
}

static const enum report__colour colours[] = {
    REPORT__COLOUR_FIRST, REPORT__COLOUR_SECOND, REPORT__COLOUR_THIRD,   REPORT__COLOUR_FOURTH,
    REPORT__COLOUR_FIFTH, REPORT__COLOUR_SIXTH,  REPORT__COLOUR_SEVENTH, REPORT__COLOUR_EIGHTH};
enum { COLOURS = sizeof colours / sizeof *colours };

/* Curves of one chart in colours and, where these are used up, in dashes. */
static void put_stroke(struct report__chart *chart, size_t series) {
    static const char *const dashes[] = {"", "6 3", "2 2", "9 3 2 3", "1 4"};
    enum { DASHES = sizeof dashes / sizeof *dashes };
    const char *dash = dashes[series / COLOURS % DASHES];
    put(chart, "<path fill=\"none\" stroke-width=\"1.8\" stroke=\"%s\"",
        report__colour(colours[series % COLOURS]));
    if (*dash)
        put(chart, " stroke-dasharray=\"%s\"", dash);
}

void report__curve_begin(struct report__chart *chart, size_t series) {
    put_stroke(chart, series);
    put(chart, " d=\"");
    chart->points = 0;
}

void report__band_begin(struct report__chart *chart, size_t series) {
    put(chart, "<path stroke=\"none\" fill-opacity=\"0.15\" fill=\"%s\" d=\"",
        report__colour(colours[series % COLOURS]));
    chart->points = 0;
}

void report__curve_to(struct report__chart *chart, double x, double percent) {
    put(chart, "%s%.1f,%.1f", chart->points++ > 0 ? " L" : "M", place_x(chart, x), place_y(chart, percent));
}

void report__curve_end(struct report__chart *chart) {
    put(chart, "\"/>\n");
}

double report__chart_key(struct report__chart *chart, double x, double y, size_t series, const char *text,
                         size_t characters) {
    size_t length = cor_utf8_length(text);
    put_stroke(chart, series);
    put(chart, " d=\"M%.1f,%.1f L%.1f,%.1f\"/>\n", x, y - 4, x + 18, y - 4);
    report__chart_word(chart, x + 22, y, REPORT__START, false, text, characters);
    return x + 34 + 6.6 * (double)(length < characters ? length : characters);
}

static int compare_labels(const void *one, const void *other) {
    const struct report__label *a = one, *b = other;
    return a->percent != b->percent ? (a->percent < b->percent) - (a->percent > b->percent)
                                    : (a->series > b->series) - (a->series < b->series);
}

void report__chart_labels(struct report__chart *chart, struct report__label *label, size_t count) {
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
        report__chart_key(chart, chart->right + 8, label[i].y, label[i].series, label[i].text, LABEL_LENGTH);
}
