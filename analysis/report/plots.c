/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Curves: sequences still without a detection, and coverage as it grows. Graphs: where the verdicts of a
 * suite part, an arm each. */
#include "page.h"

#include <corridor/array.h>
#include <corridor/cells.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STEPS_MAX 240          /* of a curve that is drawn */
#define BEHIND_MAX 600         /* of all in the background together */
#define EPS_MAX 12             /* environments drawn */
#define TREE_DEPTH 4           /* partings drawn */
#define TREE_BYTES_MAX 12000   /* of a graph; one that is larger is for a program that can zoom */
#define TREES_BYTES_MAX 150000 /* of all of them: the page is to stay small */

static void put_real(FILE *file, double value) {
    char text[COR_CELL];
    cor_real_text(value, text);
    fprintf(file, ",%s", isnan(value) ? "" : text);
}

static void put_point(FILE *file, int series, const char *word, double cases,
                      const struct cor_survival_step *step) {
    double low = isnan(step->bounds.low) ? step->survival : step->bounds.low,
           high = isnan(step->bounds.high) ? step->survival : step->bounds.high;
    fprintf(file, "%d,%s", series, word);
    put_real(file, cases);
    put_real(file, 100 * step->survival);
    put_real(file, 100 * low);
    put_real(file, 100 * high);
    fputc('\n', file);
}

/* The curve with both corners of each step, from case 1 on; at most about `most` steps. */
static void put_curve(FILE *file, int series, const char *word, const struct cor_survival *curve,
                      size_t most) {
    struct cor_survival_step now = {.survival = 1, .bounds = {1, 1}};
    size_t falls = 0, seen = 0;
    for (size_t s = 0; s < curve->step_count; s++)
        falls += curve->step[s].events > 0;
    size_t stride = falls / most + 1;
    put_point(file, series, word, 1, &now);
    for (size_t s = 0; s < curve->step_count; s++) {
        const struct cor_survival_step *step = &curve->step[s];
        bool last = s + 1 == curve->step_count;
        if (!last && (step->events == 0 || seen++ % stride != 0))
            continue;
        if (step->time > 1)
            put_point(file, series, word, step->time, &now);
        now = *step;
        put_point(file, series, word, step->time, &now);
    }
}

static double longest(const struct cor_depths *depths) {
    double most = 10;
    for (size_t a = 0; a < depths->arm_count; a++) {
        const struct cor_survival *curve = &depths->arm[a].curve;
        most = curve->step_count > 0 ? fmax(most, curve->step[curve->step_count - 1].time) : most;
    }
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
            longest(report->depths), 0, cor__colour(COR__COLOUR_FIRST));
    for (size_t a = 0; a < report->depths->arm_count && a < COR__ARMS_MAX; a++)
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

static char *survival_data(const struct cor_report *report, size_t arm, bool split) {
    struct cor__text text;
    const struct cor_depths *depths = report->depths;
    cor__text_begin(&text);
    if (!text.file)
        return NULL;
    fputs("series,curve,case,without_detection_pct,low,high\n", text.file);
    put_curve(text.file, 0, "either_box", &depths->arm[arm].curve, STEPS_MAX);
    if (split)
        put_curve(text.file, 2, "black_box", &report->black->arm[arm].curve, STEPS_MAX);
    for (size_t a = 0; a < depths->arm_count && a < COR__ARMS_MAX; a++)
        if (a != arm)
            put_curve(text.file, (int)a + 10, "other_arm", &depths->arm[a].curve,
                      BEHIND_MAX / depths->arm_count + 1);
    return cor__text_end(&text);
}

enum cor_status cor__plot_survival(struct cor_report *report, struct cor_error *error) {
    for (size_t a = 0; a < report->depths->arm_count && a < COR__ARMS_MAX; a++) {
        char name[COR__FIGURE_NAME];
        const struct cor_survival *curve = &report->depths->arm[a].curve;
        if (curve->events == 0)
            continue;
        bool split = report->black->arm[a].curve.events > 0;
        cor__figure_name(name, "survival", a);
        struct cor__figure *figure = cor__figure_add(&report->figures, name, 360, 250, error);
        if (!figure)
            return COR_STATUS_MEMORY;
        figure->title = cor_format("Sequences without a detection, %.60s", report->tables->arm[a].name);
        figure->description = cor_format(
            "Falls from 100 %% at case 1 to %.1f %% at case %.0f; %llu of %zu sequences have a detection.",
            100 * curve->step[curve->step_count - 1].survival, curve->step[curve->step_count - 1].time,
            (unsigned long long)curve->events, curve->n);
        figure->script = survival_script(report, a, split);
        figure->data = survival_data(report, a, split);
        COR_TRY(cor__figure_status(figure, error));
    }
    return COR_OK;
}

static bool has_expected(const struct cor_coverage_curve *curve) {
    for (size_t p = 0; p < curve->count; p++)
        if (!isnan(curve->point[p].expected_arcs))
            return true;
    return false;
}

static char *growth_script(const struct cor_coverage_curve *curve) {
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
            fmax(10, (double)curve->point[curve->count - 1].at), cor__colour(COR__COLOUR_THIRD),
            cor__colour(COR__COLOUR_FIRST), cor__colour(COR__COLOUR_SECOND),
            has_expected(curve) ? ", \\" : "");
    if (has_expected(curve))
        fprintf(text.file, "  data using 1:6 with lines dashtype 3 linecolor rgb '%s' title 'expected'\n",
                cor__colour(COR__COLOUR_INK));
    return cor__text_end(&text);
}

static char *growth_data(const struct cor_coverage_curve *curve) {
    struct cor__text text;
    cor__text_begin(&text);
    if (!text.file)
        return NULL;
    fputs("cases,n,states_pct,transitions_pct,transition_mass_pct,expected_transitions_pct\n", text.file);
    for (size_t p = 0; p < curve->count; p++) {
        const struct cor_coverage_point *point = &curve->point[p];
        fprintf(text.file, "%llu,%llu", (unsigned long long)point->at, (unsigned long long)point->n);
        put_real(text.file, point->states);
        put_real(text.file, point->arcs);
        put_real(text.file, point->arc_mass);
        put_real(text.file, point->expected_arcs);
        fputc('\n', text.file);
    }
    return cor__text_end(&text);
}

enum cor_status cor__plot_growth(struct cor_report *report, struct cor_error *error) {
    const struct cor_arm_coverage *all = &report->coverage->arm[0];
    for (size_t e = 0; e < all->environment_count && e < EPS_MAX; e++) {
        char name[COR__FIGURE_NAME];
        const struct cor_coverage_curve *curve = &all->environment[e]->cases;
        if (curve->count == 0)
            continue;
        cor__figure_name(name, "growth", e);
        struct cor__figure *figure = cor__figure_add(&report->figures, name, 360, 250, error);
        if (!figure)
            return COR_STATUS_MEMORY;
        const struct cor_coverage_point *last = &curve->point[curve->count - 1];
        figure->title = cor_format("Coverage over test cases, %.60s", all->environment[e]->name);
        figure->description =
            cor_format("After %llu cases a chain has seen %.1f %% of the states and %.1f %% of the "
                       "transitions of its profile.",
                       (unsigned long long)last->at, last->states, last->arcs);
        figure->script = growth_script(curve);
        figure->data = growth_data(curve);
        COR_TRY(cor__figure_status(figure, error));
    }
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
    struct cor__figure *figure = cor__figure_add(&report->figures, name, 0, 0, error);
    if (!figure) {
        free(graph);
        return COR_STATUS_MEMORY;
    }
    figure->graph = true;
    figure->script = graph;
    figure->title =
        cor_format("Where verdicts part, %.60s, suite %u", report->tables->arm[a].name, tree->suite);
    figure->description =
        cor_format("%u of %u sequences failed; sequences that look alike stay together until "
                   "they part.",
                   tree->failing, tree->sequence_count);
    return cor__figure_status(figure, error);
}

enum cor_status cor__plot_trees(struct cor_report *report, struct cor_error *error) {
    const unsigned projections =
        1u << COR_PROJECTION_CHAINS | 1u << COR_PROJECTION_ALARM | 1u << COR_PROJECTION_VERDICT;
    enum cor_status status = COR_OK;
    size_t bytes = 0;
    for (size_t a = 0; a < report->tables->arm_count && a < COR__ARMS_MAX && status == COR_OK; a++) {
        struct cor_tree *tree = NULL;
        if (!report->ranking[a])
            continue;
        status = cor_tree_create(report->result, report->tables->arm[a].measured->entry->code, COR_ANY_SUITE,
                                 projections, &tree, error);
        /* Where all failed, nothing parts. */
        if (status == COR_OK && tree && tree->failing < tree->sequence_count)
            status = add_tree(report, a, tree, &bytes, error);
        cor_tree_destroy(tree);
    }
    return status;
}
