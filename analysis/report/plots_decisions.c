/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Curves of properties that were decided in each of many cases: a line for each arm, in the band of its
 * intervals. */
#include "chart.h"
#include "page.h"
#include "page_html.h"

#include <corridor/array.h>
#include <corridor/cells.h>

#include <math.h>
#include <string.h>

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

/* The least 1, 2 or 5 times a power of ten that is not below. */
static double round_up(double most) {
    const double power = pow(10, floor(log10(most)));
    return most <= power ? power : most <= 2 * power ? 2 * power : most <= 5 * power ? 5 * power : 10 * power;
}

/* A line of an arm, and its data. */
static void draw_series(struct report__chart *chart, const struct cor_sheet *sheet, size_t first,
                        size_t series, FILE *data) {
    static const char *const ends[] = {"low", "high", "value"};
    for (size_t e = 0; e < 2; e++) { /* there along the lower ends, and back along the upper ones */
        const size_t size = cor_sheet_size(sheet);
        if (e == 0)
            report__band_begin(chart, series);
        for (size_t i = 0; i < size - first; i++) {
            const size_t row = e == 0 ? first + i : size - 1 - i;
            if (is_same(sheet, row, first, of_series) && !isnan(report__sheet_real(sheet, row, ends[e])))
                report__curve_to(chart, report__sheet_real(sheet, row, "case"),
                                 100 * report__sheet_real(sheet, row, ends[e]) / chart->full);
        }
    }
    report__curve_end(chart);
    report__curve_begin(chart, series);
    for (size_t row = first; row < cor_sheet_size(sheet); row++) {
        if (!is_same(sheet, row, first, of_series) || isnan(report__sheet_real(sheet, row, "value")))
            continue;
        report__curve_to(chart, report__sheet_real(sheet, row, "case"),
                         100 * report__sheet_real(sheet, row, "value") / chart->full);
        if (!data)
            continue;
        cor_csv_word(report__sheet_word(sheet, row, "arm"), data);
        fprintf(data, ",%.0f,%.9g,%.9g,%.9g\n", report__sheet_real(sheet, row, "case"),
                report__sheet_real(sheet, row, "value"), report__sheet_real(sheet, row, "low"),
                report__sheet_real(sheet, row, "high"));
    }
    report__curve_end(chart);
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
    report__chart_begin(&chart, 520, 300);
    report__text_begin(&data);
    chart.full = round_up(most);
    for (size_t row = first; row < cor_sheet_size(sheet); row++)
        if (is_same(sheet, row, first, of_curve))
            report__chart_leave(&chart, report__sheet_word(sheet, row, "arm"));
    report__chart_axes(&chart, cases, false, "test case of the sequence");
    if (data.file)
        fputs("arm,case,value,low,high\n", data.file);
    for (size_t row = first; row < cor_sheet_size(sheet) && series < REPORT__ARMS_MAX; row++) {
        if (!is_same(sheet, row, first, of_curve) || !is_first(sheet, row, of_series))
            continue;
        draw_series(&chart, sheet, row, series, data.file);
        size_t last = row;
        for (size_t other = row; other < cor_sheet_size(sheet); other++)
            if (is_same(sheet, other, row, of_series) && !isnan(report__sheet_real(sheet, other, "value")))
                last = other;
        label[series] =
            (struct report__label){.percent = 100 * report__sheet_real(sheet, last, "value") / chart.full,
                                   .series = series,
                                   .text = report__sheet_word(sheet, row, "arm")};
        series += isnan(label[series].percent) ? 0 : 1;
    }
    report__chart_labels(&chart, label, series);
    figure->title = cor_strdup(report__sheet_word(sheet, first, "curve"));
    figure->description = cor_format("%s, by the sequences used for each case, in the band of its intervals",
                                     report__sheet_word(sheet, first, "curve"));
    figure->drawing = report__chart_end(&chart);
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
