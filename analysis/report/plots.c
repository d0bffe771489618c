/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Charts and maps as SVG: axes, lines, boxes, words. */
#include "figure.h"
#include "page.h"

#include <corridor/arms.h>
#include <corridor/array.h>
#include <corridor/cells.h>
#include <corridor/state_names.h>
#include <corridor/suite_reader.h>
#include <corridor/tree.h>

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- A chart or a map under way, as SVG that is a file of its own. Where memory is out nothing is written,
 * and chart_end says so */

struct report__chart {
    struct report__text text;
    double width;                    /* of the whole, in pixels */
    double left, top, right, bottom; /* of the axes, in pixels; to be changed before they are drawn */
    double most;                     /* x at the right end */
    double full;                     /* what 100 percent of y stand for; 0: for themselves */
    bool is_log;                     /* x from 1 on, else from 0 */
    size_t points;                   /* of the curve under way */
};

/* A name beside the end of a curve. */
struct report__label {
    double percent; /* where the curve ends */
    size_t series;
    const char *text; /* borrowed */
    double y;         /* found by chart_labels */
};

enum report__anchor { REPORT__START, REPORT__MIDDLE, REPORT__END };

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

static void chart_begin(struct report__chart *chart, double width, double height) {
    *chart = (struct report__chart){
        .width = width, .left = 46, .top = 12, .right = width - 18, .bottom = height - 38};
    report__text_begin(&chart->text);
    put(chart,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%g\" height=\"%g\" viewBox=\"0 0 %g %g\">\n"
        "<g font-family=\"sans-serif\" font-size=\"12\" fill=\"%s\">\n",
        width, height, width, height, report__colour(REPORT__COLOUR_INK));
}

/* the drawing, for the caller; NULL when memory is out */
static char *chart_end(struct report__chart *chart) {
    put(chart, "</g>\n</svg>\n");
    return report__text_end(&chart->text);
}

/* In pixels: a text of at most so many characters; a square; what a series looks like, with its name: returns
 * where the next may begin. */
static void chart_word(struct report__chart *chart, double x, double y, enum report__anchor anchor,
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

static void chart_box(struct report__chart *chart, double x, double y, double size,
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
    chart_word(chart, place_x(chart, x), chart->bottom + 17, REPORT__MIDDLE, false, number, COR_CELL);
}

/* Leaves as much to the right of the axes as that name of a curve needs. */
static void chart_leave(struct report__chart *chart, const char *name) {
    chart->right =
        fmin(chart->right, chart->width - 34 - 7 * fmin(LABEL_LENGTH, (double)cor_utf8_length(name)));
}

/* x up to `most`, at least 10; y in percent. */
static void chart_axes(struct report__chart *chart, double most, bool is_log, const char *label) {
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
        chart_word(chart, chart->left - 6, place_y(chart, percent) + 4, REPORT__END, false, text, 16);
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
    chart_word(chart, (chart->left + chart->right) / 2, chart->bottom + 33, REPORT__MIDDLE, false, label, 60);
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

/* A curve through points in units of the axes; each series looks different. */
static void curve_begin(struct report__chart *chart, size_t series) {
    put_stroke(chart, series);
    put(chart, " d=\"");
    chart->points = 0;
}

/* an area: likewise, there and back */
static void band_begin(struct report__chart *chart, size_t series) {
    put(chart, "<path stroke=\"none\" fill-opacity=\"0.15\" fill=\"%s\" d=\"",
        report__colour(colours[series % COLOURS]));
    chart->points = 0;
}

static void curve_to(struct report__chart *chart, double x, double percent) {
    put(chart, "%s%.1f,%.1f", chart->points++ > 0 ? " L" : "M", place_x(chart, x), place_y(chart, percent));
}

static void curve_end(struct report__chart *chart) {
    put(chart, "\"/>\n");
}

static double chart_key(struct report__chart *chart, double x, double y, size_t series, const char *text,
                        size_t characters) {
    size_t length = cor_utf8_length(text);
    put_stroke(chart, series);
    put(chart, " d=\"M%.1f,%.1f L%.1f,%.1f\"/>\n", x, y - 4, x + 18, y - 4);
    chart_word(chart, x + 22, y, REPORT__START, false, text, characters);
    return x + 34 + 6.6 * (double)(length < characters ? length : characters);
}

static int compare_labels(const void *one, const void *other) {
    const struct report__label *a = one, *b = other;
    return a->percent != b->percent ? (a->percent < b->percent) - (a->percent > b->percent)
                                    : (a->series > b->series) - (a->series < b->series);
}

/* Names of curves to the right of the axes, each beside its curve or as near as can be read; sorts them. */
static void chart_labels(struct report__chart *chart, struct report__label *label, size_t count) {
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
        chart_key(chart, chart->right + 8, label[i].y, label[i].series, label[i].text, LABEL_LENGTH);
}

/* ---- curves: sequences still without a detection, searches still without a failure, and coverage as it
 * grows. Graphs: where the verdicts of a suite part, an arm each */

#define STEPS_MAX 240          /* of a curve that is drawn */
#define TREE_DEPTH 4           /* partings drawn */
#define TREE_BYTES_MAX 12000   /* of a graph; one that is larger is for a program that can zoom */
#define TREES_BYTES_MAX 150000 /* of all of them: the page is to stay small */

static void put_real(FILE *file, double value) {
    char text[COR_CELL];
    cor_real_text(value, text);
    fprintf(file, ",%s", isnan(value) ? "" : text);
}

/* A curve of Kaplan and Meier: rows of sheet "curves", a step each. */
struct curve {
    const struct cor_sheet *sheet;
    size_t first, count;
};

struct step {
    double cases, survival, low, high;
    uint64_t detected;
};

static struct curve curve_of(const struct cor_sheets *view, const char *arm) {
    struct curve curve = {.sheet = cor_sheets_find(view, "curves")};
    size_t size = cor_sheet_size(curve.sheet);
    while (curve.first < size && strcmp(report__sheet_word(curve.sheet, curve.first, "arm"), arm) != 0)
        curve.first++;
    while (curve.first + curve.count < size &&
           strcmp(report__sheet_word(curve.sheet, curve.first + curve.count, "arm"), arm) == 0)
        curve.count++;
    return curve;
}

static struct step step_of(const struct curve *curve, size_t step) {
    COR_ASSERT(step < curve->count);
    size_t row = curve->first + step;
    struct step it = {.cases = report__sheet_real(curve->sheet, row, "cases"),
                      .survival = report__sheet_real(curve->sheet, row, "survival"),
                      .low = report__sheet_real(curve->sheet, row, "low"),
                      .high = report__sheet_real(curve->sheet, row, "high"),
                      .detected = report__sheet_count(curve->sheet, row, "detected")};
    it.low = isnan(it.low) ? it.survival : it.low;
    it.high = isnan(it.high) ? it.survival : it.high;
    return it;
}

/* A curve as data and as it is drawn. */
struct pen {
    struct report__chart chart;
    struct report__text data;
    const char *arm;
};

static void put_point(struct pen *pen, double cases, const struct step *step) {
    cor_csv_word(pen->arm, pen->data.file);
    put_real(pen->data.file, cases);
    put_real(pen->data.file, 100 * step->survival);
    put_real(pen->data.file, 100 * step->low);
    put_real(pen->data.file, 100 * step->high);
    fputc('\n', pen->data.file);
    curve_to(&pen->chart, cases, 100 * step->survival);
}

static double longest(const struct cor_sheets *view) {
    const struct cor_sheet *sheet = cor_sheets_find(view, "curves");
    double most = 10;
    for (size_t row = 0; row < cor_sheet_size(sheet); row++)
        most = fmax(most, report__sheet_real(sheet, row, "cases"));
    return most;
}

/* All arms with a detection in one chart. */
enum cor_status report__plot_survival(struct cor_report *report, struct cor_error *error) {
    struct report__label label[REPORT__ARMS_MAX];
    struct report__text words;
    struct pen pen;
    size_t drawn = 0;
    for (size_t a = 0; a < report->arm_count && a < REPORT__ARMS_MAX; a++) {
        struct curve curve = curve_of(report->view[REPORT__OF_survival], report->arm[a].name);
        uint64_t detected = 0;
        for (size_t s = 0; s < curve.count; s++)
            detected += step_of(&curve, s).detected;
        if (detected > 0) {
            label[drawn] = (struct report__label){.percent = 100 * step_of(&curve, curve.count - 1).survival,
                                                  .series = drawn,
                                                  .text = report->arm[a].name};
            drawn++;
        }
    }
    if (drawn == 0)
        return COR_OK;
    struct report__figure *figure = report__figure_add(&report->figures, "survival-01", error);
    if (!figure)
        return COR_STATUS_MEMORY;
    chart_begin(&pen.chart, 520, fmax(320, 60 + 14 * (double)drawn));
    report__text_begin(&pen.data);
    report__text_begin(&words);
    for (size_t i = 0; i < drawn; i++)
        chart_leave(&pen.chart, label[i].text);
    chart_axes(&pen.chart, longest(report->view[REPORT__OF_survival]), true, "test case of the sequence");
    if (pen.data.file && words.file) {
        fputs("arm,case,without_detection_pct,low,high\n", pen.data.file);
        for (size_t i = 0; i < drawn; i++) {
            struct curve curve = curve_of(report->view[REPORT__OF_survival], label[i].text);
            pen.arm = label[i].text;
            curve_begin(&pen.chart, i);
            /* The curve with both corners of each step, from case 1 on; at most about STEPS_MAX steps. */
            struct step now = {.survival = 1, .low = 1, .high = 1};
            size_t falls = 0, seen = 0;
            for (size_t s = 0; s < curve.count; s++)
                falls += step_of(&curve, s).detected > 0;
            size_t stride = falls / STEPS_MAX + 1;
            put_point(&pen, 1, &now);
            for (size_t s = 0; s < curve.count; s++) {
                struct step step = step_of(&curve, s);
                bool last = s + 1 == curve.count;
                if (!last && (step.detected == 0 || seen++ % stride != 0))
                    continue;
                if (step.cases > 1)
                    put_point(&pen, step.cases, &now);
                now = step;
                put_point(&pen, step.cases, &now);
            }
            curve_end(&pen.chart);
            fprintf(words.file, "%s%.60s falls from 100 %% at case 1 to %.1f %% at case %.0f.",
                    i > 0 ? " " : "", label[i].text, label[i].percent,
                    step_of(&curve, curve.count - 1).cases);
        }
    }
    chart_labels(&pen.chart, label, drawn);
    figure->title = cor_format("Sequences without a detection, all arms");
    figure->description = report__text_end(&words);
    figure->drawing = chart_end(&pen.chart);
    figure->data = report__text_end(&pen.data);
    return report__figure_status(figure, error);
}

/* Whether row `row` of the curves of searches begins another curve than the row before: of another generator,
 * or on another arm. */
static bool begins_curve(const struct cor_sheet *curves, size_t row) {
    return row == 0 ||
           strcmp(report__sheet_word(curves, row, "generator"),
                  report__sheet_word(curves, row - 1, "generator")) != 0 ||
           strcmp(report__sheet_word(curves, row, "target"), report__sheet_word(curves, row - 1, "target")) !=
               0;
}

static char *search_data(const struct cor_sheet *curves, size_t first, size_t end) {
    struct report__text text;
    size_t series = 0;
    report__text_begin(&text);
    if (!text.file)
        return NULL;
    fputs("series,cases,without_failure_pct,low,high\n", text.file);
    for (size_t row = first; row < end; row++) {
        if (begins_curve(curves, row))
            fprintf(text.file, "%zu,0,100,100,100\n", series++);
        fprintf(text.file, "%zu", series - 1);
        put_real(text.file, report__sheet_real(curves, row, "cases"));
        put_real(text.file, 100 * report__sheet_real(curves, row, "survival"));
        put_real(text.file, 100 * report__sheet_real(curves, row, "low"));
        put_real(text.file, 100 * report__sheet_real(curves, row, "high"));
        fputc('\n', text.file);
    }
    return report__text_end(&text);
}

enum cor_status report__plot_searches(struct cor_report *report, struct cor_error *error) {
    const struct cor_sheet *curves = cor_sheets_find(report->view[REPORT__OF_searches], "curves");
    const size_t size = curves ? cor_sheet_size(curves) : 0;
    char name[REPORT__FIGURE_NAME];
    for (size_t first = 0, end, place = 0; first < size && place < REPORT__ARMS_MAX; first = end, place++) {
        const char *target = report__sheet_word(curves, first, "target");
        end = first;
        while (end < size && strcmp(report__sheet_word(curves, end, "target"), target) == 0)
            end++;
        report__figure_name(name, "search", place);
        struct report__figure *figure = report__figure_add(&report->figures, name, error);
        if (!figure)
            return COR_STATUS_MEMORY;
        figure->title = cor_format("Searches without a failure, %.60s", target);
        figure->description = cor_format(
            "Of each generator a curve: the share of its repetitions that have found nothing after "
            "so many executed test cases.");
        struct report__label label[REPORT__ARMS_MAX];
        struct report__chart chart;
        size_t series = 0;
        double most = 0, share = 0;
        chart_begin(&chart, 520, 300);
        for (size_t row = first; row < end; row++) {
            most = fmax(most, report__sheet_real(curves, row, "cases"));
            chart_leave(&chart, report__sheet_word(curves, row, "generator"));
        }
        chart_axes(&chart, most, false, "executed test cases");
        for (size_t row = first; row < end && series < REPORT__ARMS_MAX; row++) {
            const double cases = report__sheet_real(curves, row, "cases");
            if (begins_curve(curves, row)) {
                curve_begin(&chart, series);
                curve_to(&chart, 0, share = 100);
            }
            curve_to(&chart, cases, share);
            share = 100 * report__sheet_real(curves, row, "survival");
            curve_to(&chart, cases, share);
            if (row + 1 < end && !begins_curve(curves, row + 1))
                continue;
            curve_end(&chart);
            label[series] = (struct report__label){
                .percent = share, .series = series, .text = report__sheet_word(curves, row, "generator")};
            series++;
        }
        chart_labels(&chart, label, series);
        figure->drawing = chart_end(&chart);
        figure->data = search_data(curves, first, end);
        COR_TRY(report__figure_status(figure, error));
    }
    return COR_OK;
}

/* Whether a row of sheet "growth" is a point of the curve over test cases of that environment, all arms. */
static bool is_of_growth(const struct cor_sheet *growth, size_t row, const char *environment) {
    return strcmp(report__sheet_word(growth, row, "over"), "cases") == 0 &&
           strcmp(report__sheet_word(growth, row, "arm"), "all") == 0 &&
           strcmp(report__sheet_word(growth, row, "environment"), environment) == 0;
}

static const char *const growth_keys[] = {"states_pct", "transitions_pct", "transition_mass_pct",
                                          "expected_transitions_pct"};

static char *growth_data(const struct cor_sheet *growth, const char *environment) {
    struct report__text text;
    report__text_begin(&text);
    if (!text.file)
        return NULL;
    fputs("cases,n,states_pct,transitions_pct,transition_mass_pct,expected_transitions_pct\n", text.file);
    for (size_t row = 0; row < cor_sheet_size(growth); row++) {
        if (!is_of_growth(growth, row, environment))
            continue;
        fprintf(text.file, "%llu,%llu", (unsigned long long)report__sheet_count(growth, row, "at"),
                (unsigned long long)report__sheet_count(growth, row, "n"));
        for (size_t k = 0; k < sizeof growth_keys / sizeof *growth_keys; k++)
            put_real(text.file, report__sheet_real(growth, row, growth_keys[k]));
        fputc('\n', text.file);
    }
    return report__text_end(&text);
}

enum cor_status report__plot_growth(struct cor_report *report, struct cor_error *error) {
    for (size_t e = 0; e < report->environment_count && e < REPORT__ENVIRONMENTS_MAX; e++) {
        const struct cor_sheet *growth = cor_sheets_find(report->view[REPORT__OF_coverage], "growth");
        const char *environment = report->environment[e].name;
        size_t last = SIZE_MAX;
        char name[REPORT__FIGURE_NAME];
        for (size_t row = 0; row < cor_sheet_size(growth); row++)
            if (is_of_growth(growth, row, environment))
                last = row;
        if (last == SIZE_MAX)
            continue;
        report__figure_name(name, "growth", e);
        struct report__figure *figure = report__figure_add(&report->figures, name, error);
        if (!figure)
            return COR_STATUS_MEMORY;
        figure->title = cor_format("Coverage over test cases, %.60s", environment);
        figure->description = cor_format(
            "After %.0f cases a chain has seen %.1f %% of the states and %.1f %% of the transitions "
            "of its profile.",
            report__sheet_real(growth, last, "at"), report__sheet_real(growth, last, "states_pct"),
            report__sheet_real(growth, last, "transitions_pct"));
        const double cases = report__sheet_real(growth, last, "at");
        static const char *const names[] = {"states", "transitions", "by mass", "expected"};
        static const size_t series[] = {2, 0, 9, 19}; /* the last two in dashes: they lie on others */
        struct report__chart chart;
        double key = 8;
        chart_begin(&chart, 380, 260);
        chart.top = 30;
        chart_axes(&chart, cases, true, "test cases of a sequence");
        for (size_t k = 0; k < sizeof growth_keys / sizeof *growth_keys; k++) {
            size_t points = 0;
            for (size_t row = 0; row < cor_sheet_size(growth); row++) {
                double share = report__sheet_real(growth, row, growth_keys[k]);
                if (!is_of_growth(growth, row, environment) || isnan(share))
                    continue;
                if (points++ == 0)
                    curve_begin(&chart, series[k]);
                curve_to(&chart, (double)report__sheet_count(growth, row, "at"), share);
            }
            if (points == 0)
                continue;
            curve_end(&chart);
            key = chart_key(&chart, key, 16, series[k], names[k], 20);
        }
        figure->drawing = chart_end(&chart);
        figure->data = growth_data(growth, environment);
        COR_TRY(report__figure_status(figure, error));
    }
    return COR_OK;
}

/* NULL: fewer than two points are known, or memory is out. */
static char *progress_chart(const struct cor_sheet *growth) {
    static const char *const keys[] = {"states", "transitions"};
    static const size_t series[] = {2, 0}; /* as in the charts of environments */
    const size_t size = cor_sheet_size(growth);
    struct report__chart chart;
    double key = 8;
    size_t most = 0;
    chart_begin(&chart, 380, 260);
    chart.top = 30;
    chart_axes(&chart, size > 0 ? report__sheet_real(growth, size - 1, "suites") : 1, true, "suites");
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        size_t points = 0;
        for (size_t row = 0; row < size; row++) {
            const double share = report__sheet_real(growth, row, keys[k]);
            if (isnan(share))
                continue;
            if (points++ == 0)
                curve_begin(&chart, series[k]);
            curve_to(&chart, report__sheet_real(growth, row, "suites"), 100 * share);
        }
        if (points == 0)
            continue;
        curve_end(&chart);
        key = chart_key(&chart, key, 16, series[k], keys[k], 20);
        most = points > most ? points : most;
    }
    char *drawing = chart_end(&chart);
    if (most >= 2)
        return drawing;
    free(drawing);
    return NULL;
}

void cor_report_write_progress(const struct cor_sheet *growth, FILE *file) {
    struct report__figures figures = {0};
    struct cor_error ignored = COR_NO_ERROR;
    struct report__figure *figure = report__figure_add(&figures, "progress", &ignored);
    if (figure && (figure->drawing = progress_chart(growth))) {
        figure->title = cor_format("Coverage over suites");
        figure->description = cor_format("The share of states and of transitions that has been seen after so "
                                         "many suites, the least over arms; the table has the numbers.");
        if (figure->title && figure->description)
            figure->svg = report__svg_inline(figure->drawing, figure);
        if (figure->svg)
            report__figure_html(&figures, file, "progress", "Coverage over suites, the least over arms");
    }
    report__figures_fini(&figures);
}

void cor_report_write_curve(const struct cor_sheet *curve, const char *unit, FILE *file) {
    const size_t size = cor_sheet_size(curve);
    struct report__chart chart;
    chart_begin(&chart, 520, 300);
    chart_axes(&chart, report__sheet_real(curve, size - 1, "choices"), false, unit);
    band_begin(&chart, 0);
    for (size_t row = 0; row < size; row++)
        curve_to(&chart, report__sheet_real(curve, row, "choices"),
                 100 * report__sheet_real(curve, row, "low"));
    for (size_t row = size; row-- > 0;)
        curve_to(&chart, report__sheet_real(curve, row, "choices"),
                 100 * report__sheet_real(curve, row, "high"));
    curve_end(&chart);
    curve_begin(&chart, 0);
    for (size_t row = 0; row < size; row++)
        curve_to(&chart, report__sheet_real(curve, row, "choices"),
                 100 * report__sheet_real(curve, row, "share"));
    curve_end(&chart);
    char *drawing = chart_end(&chart);
    fputs(drawing ? drawing : "", file);
    free(drawing);
}

static enum cor_status add_tree(struct cor_report *report, size_t a, const struct cor_tree *tree,
                                size_t *bytes, struct cor_error *error) {
    char name[REPORT__FIGURE_NAME];
    struct report__text text;
    report__text_begin(&text);
    enum cor_status status =
        text.file ? cor_tree_dot(tree, report->result, TREE_DEPTH, text.file, error) : cor_fail_memory(error);
    char *graph = report__text_end(&text);
    if (status == COR_OK && !graph)
        status = cor_fail_memory(error);
    if (status != COR_OK || strlen(graph) > TREE_BYTES_MAX || *bytes + strlen(graph) > TREES_BYTES_MAX) {
        free(graph);
        return status;
    }
    *bytes += strlen(graph);
    report__figure_name(name, "tree", a);
    struct report__figure *figure = report__figure_add_graph(&report->figures, name, graph, error);
    if (!figure)
        return COR_STATUS_MEMORY;
    figure->title = cor_format("Where verdicts part, %.60s, suite %u", report->arm[a].name, tree->suite);
    figure->description =
        cor_format("%u of %u sequences failed; sequences that look alike stay together until they part.",
                   tree->failing, tree->sequence_count);
    return report__figure_status(figure, error);
}

enum cor_status report__plot_trees(struct cor_report *report, struct cor_error *error) {
    enum cor_status status = COR_OK;
    size_t bytes = 0;
    for (size_t a = 0; a < report->arm_count && a < REPORT__ARMS_MAX && status == COR_OK; a++) {
        struct cor_tree *tree = NULL;
        if (!report->ranking[a])
            continue;
        status = cor_tree_create(report->result, cor_arm_entry(report->head, a)->code, COR_ANY_SUITE,
                                 COR_PROJECTIONS_USUAL, &tree, error);
        /* Where all failed, nothing parts. */
        if (status == COR_OK && tree && tree->failing < tree->sequence_count)
            status = add_tree(report, a, tree, &bytes, error);
        cor_tree_destroy(tree);
    }
    return status;
}

/* ---- curves of properties that were decided in each of many cases: a line for each arm, in the band of its
 * intervals */

/* Do two rows of the sheet say the same of those keys? */
static bool is_same(const struct cor_sheet *sheet, size_t one, size_t other, const char *const *keys) {
    for (; *keys; keys++)
        if (strcmp(report__sheet_word(sheet, one, *keys), report__sheet_word(sheet, other, *keys)) != 0)
            return false;
    return true;
}

/* Is it the first row that says that? */
static bool is_first(const struct cor_sheet *sheet, size_t row, const char *const *keys) {
    for (size_t before = 0; before < row; before++)
        if (is_same(sheet, before, row, keys))
            return false;
    return true;
}

static const char *const of_curve[] = {"curve", NULL}, *const of_series[] = {"curve", "arm", "minus", NULL};

/* The greatest value and case of a curve's chart; NaN where something lies below 0, for which there is no
 * axis. */
static double find_most(const struct cor_sheet *sheet, size_t first, double *cases) {
    double most = 0;
    for (size_t row = first; row < cor_sheet_size(sheet); row++) {
        if (!is_same(sheet, row, first, of_curve))
            continue;
        *cases = fmax(*cases, report__sheet_real(sheet, row, "case"));
        most =
            fmax(most, fmax(report__sheet_real(sheet, row, "value"), report__sheet_real(sheet, row, "high")));
        if (fmin(report__sheet_real(sheet, row, "value"), report__sheet_real(sheet, row, "low")) < 0)
            return (double)NAN;
    }
    return most;
}

/* A line of an arm, and its data. */
static void draw_series(struct report__chart *chart, const struct cor_sheet *sheet, size_t first,
                        size_t series, FILE *data) {
    static const char *const ends[] = {"low", "high", "value"};
    for (size_t e = 0; e < 2; e++) { /* there along the lower ends, and back along the upper ones */
        const size_t size = cor_sheet_size(sheet);
        if (e == 0)
            band_begin(chart, series);
        for (size_t i = 0; i < size - first; i++) {
            const size_t row = e == 0 ? first + i : size - 1 - i;
            if (is_same(sheet, row, first, of_series) && !isnan(report__sheet_real(sheet, row, ends[e])))
                curve_to(chart, report__sheet_real(sheet, row, "case"),
                         100 * report__sheet_real(sheet, row, ends[e]) / chart->full);
        }
    }
    curve_end(chart);
    curve_begin(chart, series);
    for (size_t row = first; row < cor_sheet_size(sheet); row++) {
        if (!is_same(sheet, row, first, of_series) || isnan(report__sheet_real(sheet, row, "value")))
            continue;
        curve_to(chart, report__sheet_real(sheet, row, "case"),
                 100 * report__sheet_real(sheet, row, "value") / chart->full);
        if (!data)
            continue;
        cor_csv_word(report__sheet_word(sheet, row, "arm"), data);
        fprintf(data, ",%.0f,%.9g,%.9g,%.9g\n", report__sheet_real(sheet, row, "case"),
                report__sheet_real(sheet, row, "value"), report__sheet_real(sheet, row, "low"),
                report__sheet_real(sheet, row, "high"));
    }
    curve_end(chart);
}

static enum cor_status draw_curve(struct cor_report *report, const struct cor_sheet *sheet, size_t first,
                                  size_t index, struct cor_error *error) {
    struct report__label label[REPORT__ARMS_MAX];
    struct report__chart chart;
    struct report__text data;
    char name[REPORT__FIGURE_NAME];
    size_t series = 0;
    double cases = 1;
    const double most = find_most(sheet, first, &cases);
    if (!(most > 0))
        return COR_OK;
    report__figure_name(name, "decision", index);
    struct report__figure *figure = report__figure_add(&report->figures, name, error);
    if (!figure)
        return COR_STATUS_MEMORY;
    chart_begin(&chart, 520, 300);
    report__text_begin(&data);
    /* The least 1, 2 or 5 times a power of ten that is not below. */
    const double power = pow(10, floor(log10(most)));
    chart.full = most <= power       ? power
                 : most <= 2 * power ? 2 * power
                 : most <= 5 * power ? 5 * power
                                     : 10 * power;
    for (size_t row = first; row < cor_sheet_size(sheet); row++)
        if (is_same(sheet, row, first, of_curve))
            chart_leave(&chart, report__sheet_word(sheet, row, "arm"));
    chart_axes(&chart, cases, false, report->along);
    if (data.file)
        fputs("arm,case,value,low,high\n", data.file);
    for (size_t row = first; row < cor_sheet_size(sheet) && series < REPORT__ARMS_MAX; row++) {
        if (!is_same(sheet, row, first, of_curve) || !is_first(sheet, row, of_series))
            continue;
        /* Lines of daemons lie on each other often: each has dashes of its own. */
        const size_t look = report->kind->layer ? series : (COLOURS + 1) * series;
        draw_series(&chart, sheet, row, look, data.file);
        size_t last = row;
        for (size_t other = row; other < cor_sheet_size(sheet); other++)
            if (is_same(sheet, other, row, of_series) && !isnan(report__sheet_real(sheet, other, "value")))
                last = other;
        label[series] =
            (struct report__label){.percent = 100 * report__sheet_real(sheet, last, "value") / chart.full,
                                   .series = look,
                                   .text = report__sheet_word(sheet, row, "arm")};
        series += isnan(label[series].percent) ? 0 : 1;
    }
    chart_labels(&chart, label, series);
    figure->title = cor_strdup(report__sheet_word(sheet, first, "curve"));
    figure->description = cor_format("%s, %s", report__sheet_word(sheet, first, "curve"), report->drawn);
    figure->drawing = chart_end(&chart);
    figure->data = report__text_end(&data);
    return report__figure_status(figure, error);
}

enum cor_status report__plot_decisions(struct cor_report *report, struct cor_error *error) {
    if (!report->view[REPORT__OF_decisions]) /* nothing is asked */
        return COR_OK;
    const struct cor_sheet *sheet = cor_sheets_find(report->view[REPORT__OF_decisions], "decisions");
    size_t index = 0;
    for (size_t row = 0; row < cor_sheet_size(sheet); row++)
        if (strcmp(report__sheet_word(sheet, row, "curve"), "") != 0 && is_first(sheet, row, of_curve))
            COR_TRY(draw_curve(report, sheet, row, index++, error));
    return COR_OK;
}

void report__page_decisions(const struct cor_report *report, FILE *file) {
    const struct cor_sheet *sheet = cor_sheets_find(report->view[REPORT__OF_decisions], "decisions");
    char name[REPORT__FIGURE_NAME];
    size_t index = 0;
    for (size_t row = 0; row < cor_sheet_size(sheet); row++) {
        const char *curve = report__sheet_word(sheet, row, "curve");
        if (strcmp(curve, "") == 0 || !is_first(sheet, row, of_curve))
            continue;
        report__figure_name(name, "decision", index++);
        report__figure_html(&report->figures, file, name, curve);
    }
}

/* ---- heat maps: how often each transition of an environment profile was taken, how often each cell of a
 * floor was visited */

#define CELLS_MAX 40       /* a side; larger profiles have several states a cell */
#define NAMED_MAX 24       /* states whose names are written */
#define NAME_MAX_LENGTH 18 /* characters of such a name */
#define CLASSES 7
#define WIDTH 420
#define FLOOR_CELLS_MAX 100 /* of a floor, across and down; a larger one has several cells a square */
#define FLOOR_CELL_SIZE 22  /* pixels, at most */

/* A profile as it is drawn. */
struct map {
    uint32_t states, side, step; /* cells a side, states a cell */
    uint64_t *taken;             /* owned; [side * side] */
    bool *possible;              /* owned */
    bool example;                /* one profile of many */
};

static enum cor_status map_init(struct map *map, uint32_t states, struct cor_error *error) {
    *map = (struct map){.states = states, .step = (states + CELLS_MAX - 1) / CELLS_MAX};
    map->side = (states + map->step - 1) / map->step;
    map->taken = cor_calloc((size_t)map->side * map->side, sizeof *map->taken);
    map->possible = cor_calloc((size_t)map->side * map->side, sizeof *map->possible);
    return map->taken && map->possible ? COR_OK : cor_fail_memory(error);
}

static void map_put(struct map *map, uint32_t from, uint32_t to, uint64_t taken, bool possible) {
    COR_ASSERT(from < map->states && to < map->states);
    size_t cell = (size_t)(from / map->step) * map->side + to / map->step;
    map->taken[cell] += taken;
    map->possible[cell] = map->possible[cell] || possible;
}

static bool is_any_left(const struct map *map, const struct cor_report *report) {
    for (size_t e = 1; e < report->environment_count && e < REPORT__ENVIRONMENTS_MAX; e++)
        if (map[e].states == 0)
            return true;
    return false;
}

/* The maps of environments that have none yet, from the first suites that have what is wanted. */
static enum cor_status map_first(struct map *map, const struct cor_report *report, struct cor_error *error) {
    static const char *const profiles[] = {"profile", "environment", "states", NULL},
                             *const chains[] = {"profile", NULL},
                             *const transitions[] = {"profile", "from", "to", "probability", "count", NULL};
    static const struct cor_reading readings[] = {
        {COR_TABLE_PROFILES, profiles}, {COR_TABLE_CHAINS, chains}, {COR_TABLE_TRANSITIONS, transitions}};
    COR_DESTROYED(cor_suite_reader) struct cor_suite_reader *reader = NULL;
    const struct cor_suite_rows *suite;
    COR_TRY(cor_suite_reader_create(report->result, readings, sizeof readings / sizeof *readings, &reader,
                                    error));
    while (is_any_left(map, report)) {
        COR_TRY(cor_suite_reader_next(reader, &suite, error));
        if (!suite)
            break;
        /* Where an environment's profiles differ between suites, adding up what is numbered alike would mix
         * states that have nothing to do with each other: the first profile that a chain of this suite
         * follows. */
        const struct cor_chain_row *chain = suite->table[COR_TABLE_CHAINS].row;
        const struct cor_profile_row *profile = suite->table[COR_TABLE_PROFILES].row;
        for (size_t c = 0; c < suite->table[COR_TABLE_CHAINS].count; c++)
            for (size_t p = 0; p < suite->table[COR_TABLE_PROFILES].count; p++)
                for (size_t e = 1; e < report->environment_count && e < REPORT__ENVIRONMENTS_MAX; e++)
                    if (profile[p].profile == chain[c].profile &&
                        profile[p].environment == report->environment[e].code && map[e].states == 0 &&
                        profile[p].states > 0) {
                        /* What was taken of one profile of a suite. */
                        const struct cor_transition_row *row = suite->table[COR_TABLE_TRANSITIONS].row;
                        COR_TRY(map_init(&map[e], profile[p].states, error));
                        map[e].example = true;
                        for (size_t t = 0; t < suite->table[COR_TABLE_TRANSITIONS].count; t++)
                            if (row[t].profile == profile[p].profile && row[t].from < profile[p].states &&
                                row[t].to < profile[p].states)
                                map_put(&map[e], row[t].from, row[t].to, row[t].count,
                                        row[t].probability > 0);
                    }
    }
    return COR_OK;
}

/* By decades, 1 .. CLASSES; 0 = never. */
static int decade_of(uint64_t count) {
    int class = 0;
    for (; count > 0 && class < CLASSES; count /= 10)
        class ++;
    return class;
}

/* 0 = possible, never taken; -1 = neither. */
static int class_of(const struct map *map, size_t cell) {
    const int class = decade_of(map->taken[cell]);
    return class > 0 || map->possible[cell] ? class : -1;
}

static char *heat_data(const struct map *map) {
    struct report__text text;
    report__text_begin(&text);
    if (!text.file)
        return NULL;
    fputs("from,to,taken,class\n", text.file);
    for (uint32_t from = 0; from < map->side; from++)
        for (uint32_t to = 0; to < map->side; to++) {
            size_t cell = (size_t)from * map->side + to;
            if (class_of(map, cell) >= 0)
                fprintf(text.file, "%u,%u,%llu,%d\n", from * map->step, to * map->step,
                        (unsigned long long)map->taken[cell], class_of(map, cell));
        }
    return report__text_end(&text);
}

/* Characters of the longest name of a state, as it is written. */
static int longest_name(const struct map *map, const struct cor_state_names *words, uint16_t environment) {
    size_t longest = 0;
    for (uint32_t s = 0; s < map->side; s++) {
        char name[COR_STATE_NAME];
        cor_state_name(words, environment, s, name);
        longest = strlen(name) > longest ? strlen(name) : longest;
    }
    return longest > NAME_MAX_LENGTH ? NAME_MAX_LENGTH + 1 : (int)longest;
}

/* A cell of a map that is `size` wide, by its class; what is none is left empty. */
static void put_box(struct report__chart *chart, double x, double y, double cell, int class) {
    const double size = (class > 0 ? 0.92 : 0.6) * cell;
    if (class >= 0)
        chart_box(chart, x + (cell - size) / 2, y + (cell - size) / 2, size,
                  class > 0 ? (enum report__colour)(REPORT__COLOUR_HEAT1 + class - 1) : REPORT__COLOUR_NEVER,
                  class > 0);
}

/* The classes that are used, above the map; "never" comes last. Returns where the next word may begin. */
static double put_legend(struct report__chart *chart, const bool used[CLASSES + 1]) {
    static const char *const titles[] = {
        "never", "1+", "10+", "100+", "1000+", "10\xe2\x81\xb4+", "10\xe2\x81\xb5+", "10\xe2\x81\xb6+"};
    double x = 8;
    for (int i = 1; i <= CLASSES + 1; i++) {
        const int class = i % (CLASSES + 1);
        if (!used[class])
            continue;
        chart_box(chart, x, 8, 10,
                  class > 0 ? (enum report__colour)(REPORT__COLOUR_HEAT1 + class - 1) : REPORT__COLOUR_NEVER,
                  class > 0);
        chart_word(chart, x + 14, 18, REPORT__START, false, titles[class], 10);
        x += 26 + 7 * (double)cor_utf8_length(titles[class]);
    }
    return x;
}

static char *heat_chart(const struct map *map, const struct cor_state_names *words, uint16_t environment) {
    struct report__chart chart;
    bool named = !map->example && map->step == 1 && map->side <= NAMED_MAX, used[CLASSES + 1] = {false};
    const double label = named ? 14 + 6.6 * longest_name(map, words, environment) : 52; /* pixels */
    const double cell = (WIDTH - 8 - label) / map->side;
    chart_begin(&chart, WIDTH, 36 + label + cell * map->side);
    chart.left = label;
    chart.top = 36;
    chart.bottom = chart.top + cell * map->side;
    for (size_t c = 0; c < (size_t)map->side * map->side; c++) {
        const int class = class_of(map, c);
        if (class >= 0)
            used[class] = true;
        put_box(&chart, label + (double)(c % map->side) * cell, chart.top + (double)(c / map->side) * cell,
                cell, class);
    }
    for (uint32_t s = 0; s < map->side; s += named ? 1 : (map->side + 7) / 8) {
        char name[COR_STATE_NAME];
        snprintf(name, sizeof name, "%u", s * map->step);
        if (named)
            cor_state_name(words, environment, s, name);
        const double middle = (s + 0.5) * cell + 4;
        chart_word(&chart, chart.left + middle, chart.bottom + 6, REPORT__END, true, name, NAME_MAX_LENGTH);
        chart_word(&chart, chart.left - 6, chart.top + middle, REPORT__END, false, name, NAME_MAX_LENGTH);
    }
    if (!named) {
        chart_word(&chart, label + cell * map->side / 2, chart.bottom + 46, REPORT__MIDDLE, false, "to state",
                   20);
        chart_word(&chart, 14, chart.top + cell * map->side / 2, REPORT__MIDDLE, true, "from state", 20);
    }
    (void)put_legend(&chart, used);
    return chart_end(&chart);
}

enum cor_status report__plot_heat(struct cor_report *report, struct cor_error *error) {
    const struct cor_sheet *matrix = cor_sheets_find(report->view[REPORT__OF_coverage], "matrix");
    struct map map[REPORT__ENVIRONMENTS_MAX] = {{0}};
    struct cor_state_names words;
    enum cor_status status = COR_OK;
    cor_state_names_init(&words, report->result);
    for (size_t e = 1; e < report->environment_count && e < REPORT__ENVIRONMENTS_MAX; e++)
        if (report->environment[e].fixed && report->environment[e].states > 0) {
            /* A profile that is the same in all suites: all they did. */
            COR_TRY_OUT(map_init(&map[e], report->environment[e].states, error));
            for (size_t row = 0; row < cor_sheet_size(matrix); row++)
                if (strcmp(report__sheet_word(matrix, row, "arm"), "all") == 0 &&
                    strcmp(report__sheet_word(matrix, row, "environment"), report->environment[e].name) == 0)
                    map_put(&map[e], (uint32_t)report__sheet_count(matrix, row, "from"),
                            (uint32_t)report__sheet_count(matrix, row, "to"),
                            report__sheet_count(matrix, row, "taken"),
                            report__sheet_real(matrix, row, "probability") > 0);
        }
    COR_TRY_OUT(map_first(map, report, error));
    for (size_t e = 1; e < report->environment_count && e < REPORT__ENVIRONMENTS_MAX; e++)
        if (map[e].side > 0) {
            const struct report__environment *environment = &report->environment[e];
            char name[REPORT__FIGURE_NAME];
            uint64_t possible = 0, taken = 0;
            for (size_t cell = 0; cell < (size_t)map[e].side * map[e].side; cell++) {
                possible += class_of(&map[e], cell) >= 0;
                taken += map[e].taken[cell] > 0;
            }
            report__figure_name(name, "heat", e);
            struct report__figure *figure = report__figure_add(&report->figures, name, error);
            if (!figure)
                COR_TRY_OUT(COR_STATUS_MEMORY);
            figure->title = cor_format("Transitions taken, %.60s", environment->name);
            figure->description =
                cor_format("%u states; %llu of %llu cells with a possible transition were visited%s%s.",
                           map[e].states, (unsigned long long)taken, (unsigned long long)possible,
                           map[e].step > 1 ? "; a cell holds several states" : "",
                           map[e].example ? "; profiles differ between suites, this is the first" : "");
            figure->drawing = heat_chart(&map[e], &words, environment->code);
            figure->data = heat_data(&map[e]);
            COR_TRY_OUT(report__figure_status(figure, error));
        }
out:
    for (size_t e = 0; e < REPORT__ENVIRONMENTS_MAX; e++) {
        COR_FREE(map[e].taken, map[e].possible);
    }
    cor_state_names_fini(&words);
    return status;
}

/* Floors, of which rows of the sheet "cells" are those of one arm and floor, in their order. */
struct floor {
    const struct cor_sheet *sheet;
    size_t first, end;
    uint64_t left, right, top, bottom, step; /* step: cells a square of the drawing, across and down */
};

static uint64_t of_cell(const struct floor *floor, size_t row, const char *key) {
    return report__sheet_count(floor->sheet, row, key);
}

/* Squares of a floor: most visits of the cells in each, whether one of them is free, whether one is known. */
struct square {
    uint64_t visits;
    bool is_free, is_known;
};

static char *floor_data(const struct floor *floor) {
    struct report__text text;
    report__text_begin(&text);
    if (!text.file)
        return NULL;
    fputs("column,row,free,visits\n", text.file);
    for (size_t row = floor->first; row < floor->end; row++)
        fprintf(text.file, "%llu,%llu,%d,%llu\n", (unsigned long long)of_cell(floor, row, "column"),
                (unsigned long long)of_cell(floor, row, "row"),
                cor_sheet_cell(floor->sheet, row, cor_sheet_column(floor->sheet, "free"))->flag,
                (unsigned long long)of_cell(floor, row, "visits"));
    return report__text_end(&text);
}

static enum cor_status add_floor(struct cor_report *report, const struct floor *floor, size_t index,
                                 struct cor_error *error) {
    const uint32_t across = (uint32_t)((floor->right - floor->left) / floor->step + 1),
                   down = (uint32_t)((floor->bottom - floor->top) / floor->step + 1);
    struct square *squares = cor_calloc((size_t)across * down, sizeof *squares);
    char name[REPORT__FIGURE_NAME];
    uint64_t free_cells = 0, visited = 0;
    COR_TRY(cor_made(squares, error));
    for (size_t row = floor->first; row < floor->end; row++) {
        const uint64_t visits = of_cell(floor, row, "visits");
        const bool is_free = cor_sheet_cell(floor->sheet, row, cor_sheet_column(floor->sheet, "free"))->flag;
        struct square *square = &squares[(of_cell(floor, row, "row") - floor->top) / floor->step * across +
                                         (of_cell(floor, row, "column") - floor->left) / floor->step];
        square->is_known = true;
        square->is_free = square->is_free || is_free;
        square->visits = visits > square->visits ? visits : square->visits;
        free_cells += is_free;
        visited += visits > 0;
    }
    report__figure_name(name, "places", index);
    struct report__figure *figure = report__figure_add(&report->figures, name, error);
    if (!figure) {
        free(squares);
        return COR_STATUS_MEMORY;
    }
    figure->title = cor_format("Visits of cells, %.60s, floor %llu",
                               report__sheet_word(floor->sheet, floor->first, "arm"),
                               (unsigned long long)of_cell(floor, floor->first, "floor"));
    figure->description =
        cor_format("%llu of %llu free cells that were seen were visited%s.", (unsigned long long)visited,
                   (unsigned long long)free_cells, floor->step > 1 ? "; a square holds several cells" : "");
    struct report__chart chart;
    const double left = 52, cell = fmin((WIDTH - 8 - left) / across, FLOOR_CELL_SIZE);
    chart_begin(&chart, WIDTH, 36 + cell * down + 26);
    chart.left = left;
    chart.top = 36;
    chart.bottom = chart.top + cell * down;
    bool used[CLASSES + 1] = {false}, has_walls = false;
    char number[COR_CELL];
    for (size_t s = 0; s < (size_t)across * down; s++) {
        const double x = chart.left + (double)(s % across) * cell,
                     y = chart.top + (double)(s / across) * cell;
        const int class = squares[s].is_free ? decade_of(squares[s].visits) : -1;
        if (class >= 0)
            used[class] = true;
        else if (squares[s].is_known) {
            has_walls = true;
            chart_box(&chart, x + 0.04 * cell, y + 0.04 * cell, 0.92 * cell, REPORT__COLOUR_GHOST, true);
        }
        put_box(&chart, x, y, cell, class);
    }
    const double x = put_legend(&chart, used);
    if (has_walls) {
        chart_box(&chart, x, 8, 10, REPORT__COLOUR_GHOST, true);
        chart_word(&chart, x + 14, 18, REPORT__START, false, "no floor", 10);
    }
    for (uint32_t i = 0; i < across; i += (across + 7) / 8) {
        cor_integer_text(floor->left + i * floor->step, number);
        chart_word(&chart, chart.left + (i + 0.5) * cell, chart.bottom + 16, REPORT__MIDDLE, false, number,
                   COR_CELL);
    }
    for (uint32_t i = 0; i < down; i += (down + 7) / 8) {
        cor_integer_text(floor->top + i * floor->step, number);
        chart_word(&chart, chart.left - 6, chart.top + (i + 0.5) * cell + 4, REPORT__END, false, number,
                   COR_CELL);
    }
    figure->drawing = chart_end(&chart);
    figure->data = floor_data(floor);
    free(squares);
    return report__figure_status(figure, error);
}

enum cor_status report__plot_places(struct cor_report *report, const struct cor_sheet *cells,
                                    struct cor_error *error) {
    size_t index = 0;
    for (size_t first = 0; cells && first < cor_sheet_size(cells) && index < REPORT__FLOORS_MAX; index++) {
        struct floor floor = {.sheet = cells, .first = first, .end = first, .left = UINT64_MAX};
        floor.top = of_cell(&floor, first, "row");
        for (; floor.end < cor_sheet_size(cells) &&
               of_cell(&floor, floor.end, "floor") == of_cell(&floor, first, "floor") &&
               strcmp(report__sheet_word(cells, floor.end, "arm"), report__sheet_word(cells, first, "arm")) ==
                   0;
             floor.end++) {
            const uint64_t column = of_cell(&floor, floor.end, "column");
            floor.left = column < floor.left ? column : floor.left;
            floor.right = column > floor.right ? column : floor.right;
            floor.bottom = of_cell(&floor, floor.end, "row");
        }
        const uint64_t wide = floor.right - floor.left + 1, high = floor.bottom - floor.top + 1,
                       most = wide > high ? wide : high;
        floor.step = (most + FLOOR_CELLS_MAX - 1) / FLOOR_CELLS_MAX;
        COR_TRY(add_floor(report, &floor, index, error));
        first = floor.end;
    }
    return COR_OK;
}
