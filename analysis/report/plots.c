/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Curves: sequences still without a detection, searches still without a failure, and coverage as it grows.
 * Graphs: where the verdicts of a suite part, an arm each. */
#include "html.h"
#include "page.h"

#include <corridor/arms.h>
#include <corridor/array.h>
#include <corridor/cells.h>
#include <corridor/tree.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STEPS_MAX 240          /* of a curve that is drawn */
#define BEHIND_MAX 600         /* of all in the background together */
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
    while (curve.first < size && strcmp(cor__sheet_word(curve.sheet, curve.first, "arm"), arm) != 0)
        curve.first++;
    while (curve.first + curve.count < size &&
           strcmp(cor__sheet_word(curve.sheet, curve.first + curve.count, "arm"), arm) == 0)
        curve.count++;
    return curve;
}

static struct step step_of(const struct curve *curve, size_t step) {
    COR_ASSERT(step < curve->count);
    size_t row = curve->first + step;
    struct step it = {.cases = cor__sheet_real(curve->sheet, row, "cases"),
                      .survival = cor__sheet_real(curve->sheet, row, "survival"),
                      .low = cor__sheet_real(curve->sheet, row, "low"),
                      .high = cor__sheet_real(curve->sheet, row, "high"),
                      .detected = cor__sheet_count(curve->sheet, row, "detected")};
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

static void put_point(FILE *file, int series, const char *word, double cases, const struct step *step) {
    fprintf(file, "%d,%s", series, word);
    put_real(file, cases);
    put_real(file, 100 * step->survival);
    put_real(file, 100 * step->low);
    put_real(file, 100 * step->high);
    fputc('\n', file);
}

/* The curve with both corners of each step, from case 1 on; at most about `most` steps. */
static void put_curve(FILE *file, int series, const char *word, const struct curve *curve, size_t most) {
    struct step now = {.survival = 1, .low = 1, .high = 1};
    size_t falls = 0, seen = 0;
    for (size_t s = 0; s < curve->count; s++)
        falls += step_of(curve, s).detected > 0;
    size_t stride = falls / most + 1;
    put_point(file, series, word, 1, &now);
    for (size_t s = 0; s < curve->count; s++) {
        struct step step = step_of(curve, s);
        bool last = s + 1 == curve->count;
        if (!last && (step.detected == 0 || seen++ % stride != 0))
            continue;
        if (step.cases > 1)
            put_point(file, series, word, step.cases, &now);
        now = step;
        put_point(file, series, word, step.cases, &now);
    }
}

static double longest(const struct cor_sheets *view) {
    const struct cor_sheet *sheet = cor_sheets_find(view, "curves");
    double most = 10;
    for (size_t row = 0; row < cor_sheet_size(sheet); row++)
        most = fmax(most, cor__sheet_real(sheet, row, "cases"));
    return most;
}

#define SELECT "($1==%d?$3:NaN)"

static char *survival_script(const struct cor_report *report, size_t arm, bool split) {
    struct cor__text text;
    cor__text_begin(&text);
    if (!text.file)
        return NULL;
    fprintf(text.file,
            "set logscale x\nset xrange [1:%.0f]\nset yrange [0:102]\nset ytics 0,25,100 format '%%g %%%%'\n"
            "set xtics format '%%g'\nset xlabel 'test case of the sequence'\n"
            "plot data using " SELECT
            ":5:6 with filledcurves linecolor rgb '%s' fillstyle transparent solid 0.14 notitle, \\\n",
            longest(report->view[COR__SURVIVAL]), 0, cor__colour(COR__COLOUR_FIRST));
    for (size_t a = 0; a < report->arm_count && a < COR__ARMS_MAX; a++)
        if (a != arm)
            fprintf(text.file, "  data using " SELECT ":4 with lines linecolor rgb '%s' notitle, \\\n",
                    (int)a + 10, cor__colour(COR__COLOUR_GHOST));
    fprintf(text.file,
            "  data using " SELECT ":4 with lines linewidth 2 linecolor rgb '%s' title 'either box'%s\n", 0,
            cor__colour(COR__COLOUR_FIRST), split ? ", \\" : "");
    if (split)
        fprintf(text.file,
                "  data using " SELECT
                ":4 with lines linewidth 1.4 dashtype 2 linecolor rgb '%s' title 'black box'\n",
                2, cor__colour(COR__COLOUR_SECOND));
    return cor__text_end(&text);
}

static char *survival_data(const struct cor_report *report, size_t arm, const struct curve *black) {
    struct cor__text text;
    struct curve curve = curve_of(report->view[COR__SURVIVAL], report->arm[arm].name);
    cor__text_begin(&text);
    if (!text.file)
        return NULL;
    fputs("series,curve,case,without_detection_pct,low,high\n", text.file);
    put_curve(text.file, 0, "either_box", &curve, STEPS_MAX);
    if (detections(black) > 0)
        put_curve(text.file, 2, "black_box", black, STEPS_MAX);
    for (size_t a = 0; a < report->arm_count && a < COR__ARMS_MAX; a++) {
        struct curve other = curve_of(report->view[COR__SURVIVAL], report->arm[a].name);
        if (a != arm)
            put_curve(text.file, (int)a + 10, "other_arm", &other, BEHIND_MAX / report->arm_count + 1);
    }
    return cor__text_end(&text);
}

static enum cor_status add_survival(struct cor_report *report, size_t a, struct cor_error *error) {
    char name[COR__FIGURE_NAME];
    COR_ASSERT(a < report->arm_count);
    struct curve curve = curve_of(report->view[COR__SURVIVAL], report->arm[a].name),
                 black = curve_of(report->view[COR__BLACK], report->arm[a].name);
    if (detections(&curve) == 0)
        return COR_OK;
    cor__figure_name(name, "survival", a);
    struct cor__figure *figure = cor__figure_add(&report->figures, name, 360, 250, error);
    if (!figure)
        return COR_STATUS_MEMORY;
    struct step last = step_of(&curve, curve.count - 1);
    figure->title = cor_format("Sequences without a detection, %.60s", report->arm[a].name);
    figure->description = cor_format(
        "Falls from 100 %% at case 1 to %.1f %% at case %.0f; %llu of %llu sequences have a detection.",
        100 * last.survival, last.cases, (unsigned long long)detections(&curve),
        (unsigned long long)cor__sheet_count(cor_sheets_find(report->view[COR__SURVIVAL], "arms"), a,
                                             "sequences"));
    figure->script = survival_script(report, a, detections(&black) > 0);
    figure->data = survival_data(report, a, &black);
    return cor__figure_status(figure, error);
}

enum cor_status cor__plot_survival(struct cor_report *report, struct cor_error *error) {
    for (size_t a = 0; a < report->arm_count && a < COR__ARMS_MAX; a++)
        COR_TRY(add_survival(report, a, error));
    return COR_OK;
}

/* Whether row `row` of the curves of searches begins another curve than the row before: of another generator,
 * or on another arm. */
static bool begins_curve(const struct cor_sheet *curves, size_t row) {
    return row == 0 ||
           strcmp(cor__sheet_word(curves, row, "generator"), cor__sheet_word(curves, row - 1, "generator")) !=
               0 ||
           strcmp(cor__sheet_word(curves, row, "target"), cor__sheet_word(curves, row - 1, "target")) != 0;
}

static char *search_script(const struct cor_sheet *curves, size_t first, size_t end) {
    static const enum cor__colour colours[] = {COR__COLOUR_FIRST, COR__COLOUR_SECOND, COR__COLOUR_THIRD,
                                               COR__COLOUR_NEVER, COR__COLOUR_INK};
    enum { COLOURS = sizeof colours / sizeof *colours };
    struct cor__text text;
    size_t series = 0;
    cor__text_begin(&text);
    if (!text.file)
        return NULL;
    fputs("set yrange [0:102]\nset ytics 0,25,100 format '%g %%'\nset xtics format '%g'\n"
          "set xrange [0:*]\nset xlabel 'executed test cases'\nset tmargin 3.4\nplot ",
          text.file);
    for (size_t row = first; row < end; row++) {
        if (!begins_curve(curves, row))
            continue;
        fprintf(text.file, "%sdata using ($1==%zu?$2:NaN):3 with steps linewidth 2 linecolor rgb '%s' title ",
                series > 0 ? ", \\\n  " : "", series,
                cor__colour(series < COLOURS ? colours[series] : COR__COLOUR_GHOST));
        cor__gnuplot_text(text.file, cor__sheet_word(curves, row, "generator"), 24);
        series++;
    }
    fputc('\n', text.file);
    return cor__text_end(&text);
}

static char *search_data(const struct cor_sheet *curves, size_t first, size_t end) {
    struct cor__text text;
    size_t series = 0;
    cor__text_begin(&text);
    if (!text.file)
        return NULL;
    fputs("series,cases,without_failure_pct,low,high\n", text.file);
    for (size_t row = first; row < end; row++) {
        if (begins_curve(curves, row))
            fprintf(text.file, "%zu,0,100,100,100\n", series++);
        fprintf(text.file, "%zu", series - 1);
        put_real(text.file, cor__sheet_real(curves, row, "cases"));
        put_real(text.file, 100 * cor__sheet_real(curves, row, "survival"));
        put_real(text.file, 100 * cor__sheet_real(curves, row, "low"));
        put_real(text.file, 100 * cor__sheet_real(curves, row, "high"));
        fputc('\n', text.file);
    }
    return cor__text_end(&text);
}

enum cor_status cor__plot_searches(struct cor_report *report, struct cor_error *error) {
    const struct cor_sheet *curves = cor_sheets_find(report->view[COR__SEARCHES], "curves");
    const size_t size = curves ? cor_sheet_size(curves) : 0;
    char name[COR__FIGURE_NAME];
    for (size_t first = 0, end, place = 0; first < size && place < COR__ARMS_MAX; first = end, place++) {
        const char *target = cor__sheet_word(curves, first, "target");
        end = first;
        while (end < size && strcmp(cor__sheet_word(curves, end, "target"), target) == 0)
            end++;
        cor__figure_name(name, "search", place);
        struct cor__figure *figure = cor__figure_add(&report->figures, name, 460, 280, error);
        if (!figure)
            return COR_STATUS_MEMORY;
        figure->title = cor_format("Searches without a failure, %.60s", target);
        figure->description = cor_format(
            "Of each generator a curve: the share of its repetitions that have found nothing after "
            "so many executed test cases.");
        figure->script = search_script(curves, first, end);
        figure->data = search_data(curves, first, end);
        COR_TRY(cor__figure_status(figure, error));
    }
    return COR_OK;
}

/* Whether a row of sheet "growth" is a point of the curve over test cases of that environment, all arms. */
static bool is_of_growth(const struct cor_sheet *growth, size_t row, const char *environment) {
    return strcmp(cor__sheet_word(growth, row, "over"), "cases") == 0 &&
           strcmp(cor__sheet_word(growth, row, "arm"), "all") == 0 &&
           strcmp(cor__sheet_word(growth, row, "environment"), environment) == 0;
}

static char *growth_script(double cases, bool expected) {
    struct cor__text text;
    cor__text_begin(&text);
    if (!text.file)
        return NULL;
    fprintf(text.file,
            "set logscale x\nset xrange [1:%.0f]\nset yrange [0:102]\nset ytics 0,25,100 format '%%g %%%%'\n"
            "set xtics format '%%g'\nset xlabel 'test cases of a sequence'\nset tmargin 3.4\n"
            "plot data using 1:3 with lines linewidth 2 linecolor rgb '%s' title 'states', \\\n"
            "  data using 1:4 with lines linewidth 2 linecolor rgb '%s' title 'transitions', \\\n"
            "  data using 1:5 with lines linewidth 1.4 dashtype 2 linecolor rgb '%s' title 'by mass'%s\n",
            fmax(10, cases), cor__colour(COR__COLOUR_THIRD), cor__colour(COR__COLOUR_FIRST),
            cor__colour(COR__COLOUR_SECOND), expected ? ", \\" : "");
    if (expected)
        fprintf(text.file, "  data using 1:6 with lines dashtype 3 linecolor rgb '%s' title 'expected'\n",
                cor__colour(COR__COLOUR_INK));
    return cor__text_end(&text);
}

static char *growth_data(const struct cor_sheet *growth, const char *environment) {
    static const char *const keys[] = {"states_pct", "transitions_pct", "transition_mass_pct",
                                       "expected_transitions_pct"};
    struct cor__text text;
    cor__text_begin(&text);
    if (!text.file)
        return NULL;
    fputs("cases,n,states_pct,transitions_pct,transition_mass_pct,expected_transitions_pct\n", text.file);
    for (size_t row = 0; row < cor_sheet_size(growth); row++) {
        if (!is_of_growth(growth, row, environment))
            continue;
        fprintf(text.file, "%llu,%llu", (unsigned long long)cor__sheet_count(growth, row, "at"),
                (unsigned long long)cor__sheet_count(growth, row, "n"));
        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
            put_real(text.file, cor__sheet_real(growth, row, keys[k]));
        fputc('\n', text.file);
    }
    return cor__text_end(&text);
}

static enum cor_status add_growth(struct cor_report *report, size_t e, struct cor_error *error) {
    COR_ASSERT(e < report->environment_count);
    const struct cor_sheet *growth = cor_sheets_find(report->view[COR__COVERAGE], "growth");
    const char *environment = report->environment[e].name;
    size_t last = SIZE_MAX;
    bool expected = false;
    char name[COR__FIGURE_NAME];
    for (size_t row = 0; row < cor_sheet_size(growth); row++)
        if (is_of_growth(growth, row, environment)) {
            last = row;
            expected = expected || !isnan(cor__sheet_real(growth, row, "expected_transitions_pct"));
        }
    if (last == SIZE_MAX)
        return COR_OK;
    cor__figure_name(name, "growth", e);
    struct cor__figure *figure = cor__figure_add(&report->figures, name, 360, 250, error);
    if (!figure)
        return COR_STATUS_MEMORY;
    figure->title = cor_format("Coverage over test cases, %.60s", environment);
    figure->description =
        cor_format("After %.0f cases a chain has seen %.1f %% of the states and %.1f %% of the transitions "
                   "of its profile.",
                   cor__sheet_real(growth, last, "at"), cor__sheet_real(growth, last, "states_pct"),
                   cor__sheet_real(growth, last, "transitions_pct"));
    figure->script = growth_script(cor__sheet_real(growth, last, "at"), expected);
    figure->data = growth_data(growth, environment);
    return cor__figure_status(figure, error);
}

enum cor_status cor__plot_growth(struct cor_report *report, struct cor_error *error) {
    for (size_t e = 0; e < report->environment_count && e < COR__ENVIRONMENTS_MAX; e++)
        COR_TRY(add_growth(report, e, error));
    return COR_OK;
}

static enum cor_status add_tree(struct cor_report *report, size_t a, const struct cor_tree *tree,
                                size_t *bytes, struct cor_error *error) {
    char name[COR__FIGURE_NAME];
    struct cor__text text;
    cor__text_begin(&text);
    enum cor_status status =
        text.file ? cor_tree_dot(tree, report->result, TREE_DEPTH, text.file, error) : cor_fail_memory(error);
    char *graph = cor__text_end(&text);
    if (status == COR_OK && !graph)
        status = cor_fail_memory(error);
    if (status != COR_OK || strlen(graph) > TREE_BYTES_MAX || *bytes + strlen(graph) > TREES_BYTES_MAX) {
        free(graph);
        return status;
    }
    *bytes += strlen(graph);
    cor__figure_name(name, "tree", a);
    struct cor__figure *figure = cor__figure_add_graph(&report->figures, name, graph, error);
    if (!figure)
        return COR_STATUS_MEMORY;
    figure->title = cor_format("Where verdicts part, %.60s, suite %u", report->arm[a].name, tree->suite);
    figure->description =
        cor_format("%u of %u sequences failed; sequences that look alike stay together until they part.",
                   tree->failing, tree->sequence_count);
    return cor__figure_status(figure, error);
}

enum cor_status cor__plot_trees(struct cor_report *report, struct cor_error *error) {
    enum cor_status status = COR_OK;
    size_t bytes = 0;
    for (size_t a = 0; a < report->arm_count && a < COR__ARMS_MAX && status == COR_OK; a++) {
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
