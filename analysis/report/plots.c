/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Curves: sequences still without a detection, searches still without a failure, and coverage as it grows.
 * Graphs: where the verdicts of a suite part, an arm each. */
#include "chart.h"
#include "page.h"
#include "page_html.h"

#include <corridor/arms.h>
#include <corridor/array.h>
#include <corridor/cells.h>
#include <corridor/tree.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

static uint64_t detections(const struct curve *curve) {
    uint64_t detected = 0;
    for (size_t s = 0; s < curve->count; s++)
        detected += step_of(curve, s).detected;
    return detected;
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
    report__curve_to(&pen->chart, cases, 100 * step->survival);
}

/* The curve with both corners of each step, from case 1 on; at most about STEPS_MAX steps. */
static void put_curve(struct pen *pen, const struct curve *curve) {
    struct step now = {.survival = 1, .low = 1, .high = 1};
    size_t falls = 0, seen = 0;
    for (size_t s = 0; s < curve->count; s++)
        falls += step_of(curve, s).detected > 0;
    size_t stride = falls / STEPS_MAX + 1;
    put_point(pen, 1, &now);
    for (size_t s = 0; s < curve->count; s++) {
        struct step step = step_of(curve, s);
        bool last = s + 1 == curve->count;
        if (!last && (step.detected == 0 || seen++ % stride != 0))
            continue;
        if (step.cases > 1)
            put_point(pen, step.cases, &now);
        now = step;
        put_point(pen, step.cases, &now);
    }
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
        if (detections(&curve) > 0) {
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
    report__chart_begin(&pen.chart, 520, fmax(320, 60 + 14 * (double)drawn));
    report__text_begin(&pen.data);
    report__text_begin(&words);
    for (size_t i = 0; i < drawn; i++)
        report__chart_leave(&pen.chart, label[i].text);
    report__chart_axes(&pen.chart, longest(report->view[REPORT__OF_survival]), true,
                       "test case of the sequence");
    if (pen.data.file && words.file) {
        fputs("arm,case,without_detection_pct,low,high\n", pen.data.file);
        for (size_t i = 0; i < drawn; i++) {
            struct curve curve = curve_of(report->view[REPORT__OF_survival], label[i].text);
            pen.arm = label[i].text;
            report__curve_begin(&pen.chart, i);
            put_curve(&pen, &curve);
            report__curve_end(&pen.chart);
            fprintf(words.file, "%s%.60s falls from 100 %% at case 1 to %.1f %% at case %.0f.",
                    i > 0 ? " " : "", label[i].text, label[i].percent,
                    step_of(&curve, curve.count - 1).cases);
        }
    }
    report__chart_labels(&pen.chart, label, drawn);
    figure->title = cor_format("Sequences without a detection, all arms");
    figure->description = report__text_end(&words);
    figure->drawing = report__chart_end(&pen.chart);
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

static char *search_chart(const struct cor_sheet *curves, size_t first, size_t end) {
    struct report__label label[REPORT__ARMS_MAX];
    struct report__chart chart;
    size_t series = 0;
    double most = 0, share = 0;
    report__chart_begin(&chart, 520, 300);
    for (size_t row = first; row < end; row++) {
        most = fmax(most, report__sheet_real(curves, row, "cases"));
        report__chart_leave(&chart, report__sheet_word(curves, row, "generator"));
    }
    report__chart_axes(&chart, most, false, "executed test cases");
    for (size_t row = first; row < end && series < REPORT__ARMS_MAX; row++) {
        const double cases = report__sheet_real(curves, row, "cases");
        if (begins_curve(curves, row)) {
            report__curve_begin(&chart, series);
            report__curve_to(&chart, 0, share = 100);
        }
        report__curve_to(&chart, cases, share);
        share = 100 * report__sheet_real(curves, row, "survival");
        report__curve_to(&chart, cases, share);
        if (row + 1 < end && !begins_curve(curves, row + 1))
            continue;
        report__curve_end(&chart);
        label[series] = (struct report__label){
            .percent = share, .series = series, .text = report__sheet_word(curves, row, "generator")};
        series++;
    }
    report__chart_labels(&chart, label, series);
    return report__chart_end(&chart);
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
        figure->drawing = search_chart(curves, first, end);
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

static char *growth_chart(const struct cor_sheet *growth, const char *environment, double cases) {
    static const char *const names[] = {"states", "transitions", "by mass", "expected"};
    static const size_t series[] = {2, 0, 9, 19}; /* the last two in dashes: they lie on others */
    struct report__chart chart;
    double key = 8;
    report__chart_begin(&chart, 380, 260);
    chart.top = 30;
    report__chart_axes(&chart, cases, true, "test cases of a sequence");
    for (size_t k = 0; k < sizeof growth_keys / sizeof *growth_keys; k++) {
        size_t points = 0;
        for (size_t row = 0; row < cor_sheet_size(growth); row++) {
            double share = report__sheet_real(growth, row, growth_keys[k]);
            if (!is_of_growth(growth, row, environment) || isnan(share))
                continue;
            if (points++ == 0)
                report__curve_begin(&chart, series[k]);
            report__curve_to(&chart, (double)report__sheet_count(growth, row, "at"), share);
        }
        if (points == 0)
            continue;
        report__curve_end(&chart);
        key = report__chart_key(&chart, key, 16, series[k], names[k], 20);
    }
    return report__chart_end(&chart);
}

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
        figure->drawing = growth_chart(growth, environment, report__sheet_real(growth, last, "at"));
        figure->data = growth_data(growth, environment);
        COR_TRY(report__figure_status(figure, error));
    }
    return COR_OK;
}

/* NULL: fewer than two points are known, or memory is out. */
static char *progress_chart(const struct cor_sheet *growth) {
    static const char *const keys[] = {"states", "transitions"};
    static const size_t series[] = {2, 0}; /* as in growth_chart */
    const size_t size = cor_sheet_size(growth);
    struct report__chart chart;
    double key = 8;
    size_t most = 0;
    report__chart_begin(&chart, 380, 260);
    chart.top = 30;
    report__chart_axes(&chart, size > 0 ? report__sheet_real(growth, size - 1, "suites") : 1, true, "suites");
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        size_t points = 0;
        for (size_t row = 0; row < size; row++) {
            const double share = report__sheet_real(growth, row, keys[k]);
            if (isnan(share))
                continue;
            if (points++ == 0)
                report__curve_begin(&chart, series[k]);
            report__curve_to(&chart, report__sheet_real(growth, row, "suites"), 100 * share);
        }
        if (points == 0)
            continue;
        report__curve_end(&chart);
        key = report__chart_key(&chart, key, 16, series[k], keys[k], 20);
        most = points > most ? points : most;
    }
    char *drawing = report__chart_end(&chart);
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
