/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How many test cases until a fault is found, how many failures stay masked, and which check of the oracle
 * sees them. A sequence without a detection only says that its depth exceeds its length: depths are
 * right-censored survival times (survival.h), never a mean of those that were found. */
#include "survival_drawing.h"
#include "views.h"

#include <corridor/arms.h>
#include <corridor/array.h>
#include <corridor/cells.h>
#include <corridor/measurement.h>
#include <corridor/rearrangement.h>
#include <corridor/survival.h>
#include <corridor/terms.h>
#include <corridor/two_samples.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PAIR_ARMS 40 /* arms up to which each is tested against each */

/* Cases at which survival is given; columns of sheet points. */
static const uint32_t points[] = {10, 50, 100, 500};
#define POINTS (sizeof points / sizeof *points)

static const struct cor_column_definition about_columns[] = {
    {"box", "through box", "", "through which box a detection counts: any, gray, black", COR_CELL_WORD, 0, 0},
    {"level", "level of the intervals", "1", "level of the intervals, over suites", COR_CELL_REAL,
     COR_DIGITS_FOUR, 0},
    {"horizon", "horizon", "cases",
     "end of the restricted mean: asked for, or the least over arms of the case that half of the suites "
     "reach",
     COR_CELL_REAL, COR_DIGITS_FOUR, 0},
    {"continuations_left_out", "continuations left out", "sequences",
     "sequences that continue failed ones (branching): they would count failures twice", COR_CELL_COUNT, 0,
     0},
};
COR_SHEET_DEFINITION(about, "about", "Depth of the first detection", "what was asked for", COR_SHEET_RECORD,
                     0);

#define STEP(member) COR_CELL_OF(struct cor_survival_step, member)
static const struct cor_column_definition curves_columns[] = {
    {"arm", "arm", "", "name of the arm", COR_CELL_WORD, 0, 0},
    {"cases", "cases", "cases", "the step is at this case", STEP(time)},
    {"at_risk", "at risk", "", "sequences without a detection that were executed so far", STEP(at_risk)},
    {"detected", "detected", "", "thereof with the first detection here", STEP(events)},
    {"censored", "censored", "", "thereof ended here without a detection", STEP(censored)},
    {"survival", "survival", "1", "share without a detection up to here (Kaplan and Meier)", STEP(survival),
     COR_DIGITS_FOUR},
    {"low", "low", "1", "lower bound (Greenwood, log-log), as if sequences were independent",
     STEP(bounds.low), COR_DIGITS_FOUR},
    {"high", "high", "1", "upper bound of the same", STEP(bounds.high), COR_DIGITS_FOUR},
};
COR_SHEET_DEFINITION(curves, "curves", "Curves", "a step of the curve of an arm", COR_SHEET_DATA, 0);

static const struct cor_column_definition arms_columns[] = {
    {"arm", "arm", "", "name of the arm", COR_CELL_WORD, 0, 0},
    {"suites", "suites", "", "suites", COR_CELL_COUNT, 0, 0},
    {"sequences", "sequences", "", "test sequences", COR_CELL_COUNT, 0, 0},
    {"detected", "detected", "", "sequences with a detection", COR_CELL_COUNT, 0, 0},
    {"censored", "censored", "", "sequences without one", COR_CELL_COUNT, 0, 0},
    {"median", "median", "",
     "smallest case at which at most half are without a detection; none if more stay so", COR_CELL_ESTIMATE,
     COR_DIGITS_FOUR, 0},
    {"restricted_mean", "mean", "", "mean of cases to the first detection, cut at the horizon",
     COR_CELL_ESTIMATE, COR_DIGITS_FOUR, 0},
    {"replicates_without", "without", "",
     "resamples whose curve ends before the horizon: left out of the mean", COR_CELL_COUNT, 0,
     COR_COLUMN_DATA},
};
COR_SHEET_DEFINITION(arms, "arms", "Test cases to the first detection", "an arm", 0, 0);

#define POINT(cases)                                                                             \
    {                                                                                            \
        "undetected_" #cases, #cases " cases", "1",                                              \
            "share of sequences without a detection up to case " #cases, COR_CELL_ESTIMATE, 3, 0 \
    }
static const struct cor_column_definition points_sheet_columns[] = {
    {"arm", "arm", "", "name of the arm", COR_CELL_WORD, 0, 0}, POINT(10), POINT(50), POINT(100), POINT(500)};
COR_SHEET_DEFINITION(points_sheet, "points", "Share of sequences without a detection up to", "an arm", 0, 0);

#define RANK(member) COR_CELL_OF(struct cor_log_rank, member)
static const struct cor_column_definition log_rank_columns[] = {
    {"chi_square", "chi-square", "1", "log-rank statistic over all arms", RANK(chi_square), COR_DIGITS_FOUR},
    {"df", "degrees of freedom", "1", "arms that can be told apart, less one", RANK(df)},
    {"p", "p", "1", "share of rearrangements of whole suites with a statistic as large; see log_rank_pairs",
     RANK(p), COR_DIGITS_FOUR},
};
COR_SHEET_DEFINITION(log_rank, "log_rank", "Do arms differ?  (log-rank)", "all arms", COR_SHEET_RECORD, 0);

static const struct cor_column_definition pairs_columns[] = {
    {"first", "first", "", "name of an arm", COR_CELL_WORD, 0, 0},
    {"second", "second", "", "name of another", COR_CELL_WORD, 0, 0},
    {"chi_square", "chi-square", "1", "log-rank statistic of the two", RANK(chi_square), COR_DIGITS_FOUR},
    {"df", "df", "1", "degrees of freedom", RANK(df)},
    {"p", "p", "1", "share of 1999 rearrangements of suites between the two with a statistic as large",
     RANK(p), COR_DIGITS_FOUR},
    {"p_holm", "p after Holm", "1", "corrected over all pairs", COR_CELL_REAL, COR_DIGITS_FOUR, 0},
};
COR_SHEET_DEFINITION(pairs, "log_rank_pairs", "Log-rank tests of pairs", "two arms; up to 40 arms",
                     COR_SHEET_DATA, 0);

static const struct cor_column_definition failures_columns[] = {
    {"arm", "arm", "", "name of the arm", COR_CELL_WORD, 0, 0},
    {"entered", "entered", "", "reorganizations with an activated fault (A4)", COR_CELL_COUNT, 0, 0},
    {"gray", "gray", "", "thereof failed through the gray box", COR_CELL_COUNT, 0, COR_COLUMN_DATA},
    {"gray_pct", "gray box", "%", "share of these", COR_CELL_ESTIMATE, 1, 0},
    {"black", "black", "", "thereof failed through the black box", COR_CELL_COUNT, 0, COR_COLUMN_DATA},
    {"black_pct", "black box", "%", "share of these", COR_CELL_ESTIMATE, 1, 0},
    {"masked", "masked", "", "thereof seen by no box", COR_CELL_COUNT, 0, COR_COLUMN_DATA},
    {"masked_pct", "undetected", "%", "share of these", COR_CELL_ESTIMATE, 1, 0},
    {"suites_entered", "suites", "", "suites with a failure", COR_CELL_COUNT, 0, 0},
    {"suites_detecting", "detecting", "", "thereof with one that a box saw", COR_CELL_COUNT, 0, 0},
    {"suite_share", "share", "1", "suites_detecting / suites_entered", COR_CELL_ESTIMATE, 3, COR_COLUMN_DATA},
};
COR_SHEET_DEFINITION(failures, "failures", "Failures: reorganizations with an activated fault; thereof",
                     "an arm", 0, 0);

#define KILL(member) COR_CELL_OF(struct cor_kill, member)
static const struct cor_column_definition kills_columns[] = {
    {"oracle", "", "", "check of the oracle and the box through which it saw, or smoke", COR_CELL_WORD, 0,
     COR_COLUMN_GROUP},
    {"rule", "rule", "", "C1 to C5 of a partitioning, C7 agreement, R-Detect; empty for smoke", COR_CELL_WORD,
     0, 0},
    {"arm", "arm", "", "name of the arm", COR_CELL_WORD, 0, 0},
    {"cases", "cases", "", "test cases in which it was violated, however often", KILL(cases)},
    {"failures", "failures", "", "thereof with an activated fault", KILL(failures)},
    {"alone", "alone", "", "of the cases, those in which nothing else was violated", KILL(alone)},
    {"sequences", "sequences", "", "in so many sequences", KILL(sequences)},
    {"suites", "suites", "", "in so many suites", KILL(suites)},
};
COR_SHEET_DEFINITION(kills, "kills", "What saw it  (kill matrix)", "what a check saw in an arm", 0, 0);

/* Streams of random numbers, one a figure of an arm. */
enum figure { FIGURE_MEDIAN, FIGURE_MEAN, FIGURE_POINT = 5 };

struct work {
    const struct cor_measurement *measurement;
    enum cor_any_box box;
    double level, horizon;
    bool paired; /* arms share suites */
    /* One observation a sequence, arm after arm; all owned. */
    double *time;
    bool *event;
    uint32_t *cluster; /* suite of the arm */
    size_t n;
    struct cor_clustered_times *arm; /* owned: parts of these */
    struct cor_survival *curve;      /* owned; [arm] */
};

static enum cor_status observe(struct work *work, struct cor_error *error) {
    const struct cor_measurement *m = work->measurement;
    size_t n = 0;
    for (size_t a = 0; a < m->arm_count; a++)
        n += m->arm[a].sequences;
    work->time = cor_calloc(n, sizeof *work->time);
    work->event = cor_calloc(n, sizeof *work->event);
    work->cluster = cor_calloc(n, sizeof *work->cluster);
    work->arm = cor_calloc(m->arm_count, sizeof *work->arm);
    work->curve = cor_calloc(m->arm_count, sizeof *work->curve);
    if (!work->time || !work->event || !work->cluster || !work->arm || !work->curve)
        return cor_fail_memory(error);
    for (size_t a = 0; a < m->arm_count; a++) {
        const struct cor_arm_measurement *arm = &m->arm[a];
        work->arm[a] =
            (struct cor_clustered_times){work->time + work->n, work->event + work->n, work->cluster + work->n,
                                         arm->sequences, (uint32_t)arm->suites};
        for (size_t i = 0; i < arm->sequences; i++, work->n++) {
            work->time[work->n] = cor_detection_times_end(&arm->observation[i], work->box);
            work->event[work->n] = arm->observation[i].first[work->box] > 0;
            work->cluster[work->n] = arm->observation[i].cluster;
        }
    }
    return COR_OK;
}

static const char *name_of(const struct work *work, size_t a) {
    return work->measurement->arm[a].entry->name;
}

static struct cor_rng stream(const struct work *work, size_t a, uint32_t figure) {
    return cor_rng_named(&(struct cor_stream_name){.seed = work->measurement->head->seed,
                                                   .arm = (uint32_t)a + 1,
                                                   .entity = figure,
                                                   .purpose = COR_PURPOSE_BOOTSTRAP});
}

/* `without_median` is joined to a list of the arms without one. */
static enum cor_status fill_arm(const struct work *work, size_t a, struct cor_sheet *sheet,
                                char **without_median, struct cor_error *error) {
    const struct cor_survival *curve = &work->curve[a];
    struct cor_estimate median, mean = cor_no_estimate();
    uint32_t without = 0;
    struct cor_rng rng = stream(work, a, FIGURE_MEDIAN), rng_of_mean = stream(work, a, FIGURE_MEAN);
    struct cor_bootstrap_plan plan = cor_default_bootstrap(&rng);
    plan.level = work->level;
    COR_TRY(cor_survival_estimate_median(&plan, &work->arm[a], &median, error));
    plan.rng = &rng_of_mean;
    if (!isnan(work->horizon))
        COR_TRY(cor_survival_estimate(&plan, &work->arm[a], COR_SURVIVAL_RESTRICTED_MEAN, work->horizon,
                                      &mean, &without, error));
    cor_sheet_row(sheet);
    cor_sheet_word(sheet, name_of(work, a));
    cor_sheet_counts(sheet, 4,
                     (const uint64_t[]){work->measurement->arm[a].suites, curve->n, curve->events,
                                        curve->n - curve->events});
    cor_sheet_estimate(sheet, &median);
    if (isnan(median.mean))
        *without_median = cor_join_take(*without_median, ", ", cor_strdup(name_of(work, a)));
    cor_sheet_estimate(sheet, &mean);
    cor_sheet_count(sheet, without);
    return COR_OK;
}

static enum cor_status fill_points(const struct work *work, size_t a, struct cor_sheet *sheet,
                                   struct cor_error *error) {
    cor_sheet_row(sheet);
    cor_sheet_word(sheet, name_of(work, a));
    for (uint32_t p = 0; p < POINTS; p++) {
        struct cor_estimate share;
        uint32_t without;
        struct cor_rng rng = stream(work, a, FIGURE_POINT + p);
        struct cor_bootstrap_plan plan = cor_default_bootstrap(&rng);
        plan.level = work->level;
        COR_TRY(cor_survival_estimate(&plan, &work->arm[a], COR_SURVIVAL_AT_HORIZON, points[p], &share,
                                      &without, error));
        cor_sheet_estimate(sheet, &share);
    }
    return COR_OK;
}

/* Observations of some arms side by side, for a test of whole suites. */
struct arms_beside {
    double *time;
    bool *event;
    uint32_t *cluster, *group, *block; /* all owned; [observation], [cluster], [cluster] */
    size_t n;
    uint32_t clusters, groups;
};

static void forget_beside(struct arms_beside *beside) {
    free(beside->time);
    free(beside->event);
    free(beside->cluster);
    free(beside->group);
    free(beside->block);
}

static enum cor_status make_beside(const struct work *work, struct arms_beside *beside,
                                   struct cor_error *error) {
    size_t suites = work->measurement->suite_count;
    beside->time = cor_calloc(work->n, sizeof *beside->time);
    beside->event = cor_calloc(work->n, sizeof *beside->event);
    beside->cluster = cor_calloc(work->n, sizeof *beside->cluster);
    beside->group = cor_calloc(suites, sizeof *beside->group);
    beside->block = cor_calloc(suites, sizeof *beside->block);
    return beside->time && beside->event && beside->cluster && beside->group && beside->block
               ? COR_OK
               : cor_fail_memory(error);
}

/* A campaign keeps the first suites of each arm, so those of one place are those of one number: shared in a
 * paired one. */
static void add_arm(const struct work *work, size_t a, struct arms_beside *beside) {
    const struct cor_clustered_times *arm = &work->arm[a];
    for (size_t i = 0; i < arm->n; i++, beside->n++) {
        beside->time[beside->n] = arm->time[i];
        beside->event[beside->n] = arm->event[i];
        beside->cluster[beside->n] = beside->clusters + arm->cluster[i];
    }
    for (uint32_t c = 0; c < arm->cluster_count; c++) {
        beside->group[beside->clusters] = beside->groups;
        beside->block[beside->clusters++] = c;
    }
    beside->groups++;
}

/* Draws from stream `figure` of the test. */
static enum cor_status test_beside(const struct work *work, const struct arms_beside *beside, uint32_t figure,
                                   struct cor_log_rank *test, struct cor_error *error) {
    const struct cor_grouped_clusters clusters = {beside->cluster, beside->group,
                                                  work->paired ? beside->block : NULL, beside->clusters,
                                                  beside->groups};
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){
        .seed = work->measurement->head->seed, .entity = figure, .purpose = COR_PURPOSE_PERMUTATION});
    return cor_log_rank_permuted(beside->time, beside->event, beside->n, &clusters, COR_REARRANGEMENTS, &rng,
                                 test, error);
}

/* Tests of each arm against each, and p after Holm; tests as in cor_log_rank_pairs. */
static enum cor_status test_pairs(const struct work *work, struct arms_beside *beside,
                                  struct cor_log_rank *test, double *p_holm, struct cor_error *error) {
    size_t at = 0;
    for (size_t b = 1; b < work->measurement->arm_count; b++)
        for (size_t a = 0; a < b; a++, at++) {
            beside->n = beside->clusters = beside->groups = 0;
            add_arm(work, a, beside);
            add_arm(work, b, beside);
            COR_TRY(test_beside(work, beside, (uint32_t)at + 1, &test[at], error));
            p_holm[at] = test[at].p;
        }
    return cor_holm(p_holm, at, error);
}

/* Each pair of arms; *p_holm (owned by the caller) stays NULL where there are none, or too many arms. */
static enum cor_status fill_pairs(const struct work *work, struct cor_sheet *sheet, double **p_holm,
                                  struct cor_error *error) {
    size_t arm_count = work->measurement->arm_count, at = 0;
    enum cor_status status = COR_OK;
    struct cor_log_rank *test = NULL;
    struct arms_beside beside = {0};
    if (arm_count < 2 || arm_count > PAIR_ARMS)
        return COR_OK;
    test = cor_calloc(arm_count * (arm_count - 1) / 2, sizeof *test);
    *p_holm = cor_calloc(arm_count * (arm_count - 1) / 2, sizeof **p_holm);
    if (!test || !*p_holm)
        COR_TRY_OUT(cor_fail_memory(error));
    COR_TRY_OUT(make_beside(work, &beside, error));
    COR_TRY_OUT(test_pairs(work, &beside, test, *p_holm, error));
    for (size_t b = 1; b < arm_count; b++)
        for (size_t a = 0; a < b; a++, at++) {
            cor_sheet_row(sheet);
            cor_sheet_word(sheet, name_of(work, a));
            cor_sheet_word(sheet, name_of(work, b));
            COR_SHEET_PUT(sheet, struct cor_log_rank, &test[at]);
            cor_sheet_real(sheet, (*p_holm)[at]);
        }
out:
    forget_beside(&beside);
    free(test);
    return status;
}

static enum cor_status fill_log_rank(const struct work *work, struct cor_sheet *sheet,
                                     struct cor_error *error) {
    struct cor_log_rank all;
    struct arms_beside beside = {0};
    enum cor_status status = make_beside(work, &beside, error);
    for (size_t a = 0; status == COR_OK && a < work->measurement->arm_count; a++)
        add_arm(work, a, &beside);
    if (status == COR_OK)
        status = test_beside(work, &beside, 0, &all, error);
    forget_beside(&beside);
    COR_TRY(status);
    COR_SHEET_PUT(sheet, struct cor_log_rank, &all);
    cor_sheet_remark(sheet, "%s",
                     all.df == 0
                         ? "n/a: fewer than two arms with detections."
                         : "p: whole suites change their arms at random, as sequences of one are alike.");
    return COR_OK;
}

static enum cor_status fill_failures(const struct work *work, size_t a, struct cor_sheet *sheet,
                                     struct cor_error *error) {
    static const enum cor_metric metrics[] = {COR_METRIC_DETECTED_GRAY, COR_METRIC_DETECTED_BLACK,
                                              COR_METRIC_UNDETECTED};
    const struct cor_arm_measurement *arm = &work->measurement->arm[a];
    const uint64_t counts[] = {arm->tally.activated_gray, arm->tally.activated_black, arm->tally.masked};
    uint64_t entered = 0, detecting = 0;
    for (size_t s = 0; s < arm->suites; s++) {
        const struct cor_suite_sums *suite = &work->measurement->suite[arm->first_suite + s];
        entered += suite->x[COR_METRIC_UNDETECTED] > 0;
        detecting += suite->y[COR_METRIC_UNDETECTED] < 100 * suite->x[COR_METRIC_UNDETECTED];
    }
    cor_sheet_row(sheet);
    cor_sheet_word(sheet, name_of(work, a));
    cor_sheet_count(sheet, arm->failures);
    for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++) {
        struct cor_estimate share;
        COR_TRY(cor_measurement_estimate(work->measurement, a, metrics[i], COR_INTERVAL_BCA, work->level,
                                         &share, error));
        cor_sheet_count(sheet, counts[i]);
        cor_sheet_estimate(sheet, &share);
    }
    struct cor_estimate suites = cor_estimate_suites(work->level, detecting, entered);
    cor_sheet_count(sheet, entered);
    cor_sheet_count(sheet, detecting);
    cor_sheet_estimate(sheet, &suites);
    return COR_OK;
}

/* Smoke, which has no check, comes last. */
static void fill_kills(const struct cor_measurement *m, struct cor_sheet *sheet) {
    size_t entered = 0, detected = 0;
    for (size_t k = 1; k <= COR_KILLERS; k++) {
        const size_t killer = k % COR_KILLERS;
        char word[64];
        for (size_t a = 0; a < m->arm_count; a++) {
            const struct cor_kill *kill = &m->arm[a].kill[killer];
            if (kill->cases == 0)
                continue;
            cor_sheet_row(sheet);
            cor_sheet_word(sheet, cor_killer_word(killer, word));
            cor_sheet_word(sheet, cor_killer_rule(killer));
            cor_sheet_word(sheet, m->arm[a].entry->name);
            COR_SHEET_PUT(sheet, struct cor_kill, kill);
        }
    }
    for (size_t a = 0; a < m->arm_count; a++) {
        entered += m->arm[a].failures > 0;
        detected += m->arm[a].tally.masked < m->arm[a].failures;
    }
    cor_sheet_remark(sheet, "Failures of %zu of %zu arms with an activated fault were detected by a box.",
                     detected, entered);
}

#define MATRIX_ARMS 12 /* arms up to which pairs are drawn */

static struct views__survival_drawing *make_drawing(const struct work *work) {
    size_t arm_count = work->measurement->arm_count;
    struct views__survival_drawing *made = cor_calloc(1, sizeof *made + arm_count * sizeof *made->arm);
    if (!made)
        return NULL;
    made->arm_count = arm_count;
    made->horizon = work->horizon;
    for (size_t a = 0; a < arm_count; a++) {
        made->arm[a].name = name_of(work, a);
        made->arm[a].at_horizon = cor_survival_at(&work->curve[a], work->horizon).survival;
        for (int c = 0; c < VIEWS__CURVE_COLUMNS;
             c++) { /* even steps of the logarithm, from 1 to the horizon */
            double cases = pow(fmax(work->horizon, 1), (double)c / (VIEWS__CURVE_COLUMNS - 1));
            made->arm[a].share[c] = cor_survival_at(&work->curve[a], cases).survival;
        }
    }
    return made;
}

/* The drawings show what the sheets hold as data. */
static enum cor_status fill(const struct work *work, struct cor_sheets *sheets, struct cor_error *error) {
    size_t arm_count = work->measurement->arm_count;
    struct views__survival_drawing *drawing = make_drawing(work);
    if (!drawing)
        return cor_fail_memory(error);
    char *without_median = cor_strdup("");
    enum cor_status status = COR_OK;
    struct cor_sheet *sheet = cor_sheets_add(sheets, &about);
    cor_sheet_row(sheet);
    cor_sheet_word(sheet, cor_any_box_word(work->box));
    cor_sheet_real(sheet, work->level);
    cor_sheet_real(sheet, work->horizon);
    cor_sheet_count(sheet, cor_measurement_left_out(work->measurement));
    for (size_t a = 0; a < work->measurement->arm_count; a++)
        views__remark_steered(&work->measurement->arm[a], sheet);
    if (isnan(work->horizon))
        cor_sheet_remark(sheet, "No horizon: nothing was executed.");
    cor_sheets_draw(sheets, views__draw_curves, drawing, views__survival_drawing_destroy);
    struct cor_sheet *curves_sheet = cor_sheets_add(sheets, &curves),
                     *arms_sheet = cor_sheets_add(sheets, &arms),
                     *shares_sheet = cor_sheets_add(sheets, &points_sheet);
    for (size_t a = 0; a < arm_count; a++) {
        for (size_t i = 0; i < work->curve[a].step_count; i++) {
            cor_sheet_row(curves_sheet);
            cor_sheet_word(curves_sheet, name_of(work, a));
            COR_SHEET_PUT(curves_sheet, struct cor_survival_step, &work->curve[a].step[i]);
        }
        COR_TRY_OUT(fill_arm(work, a, arms_sheet, &without_median, error));
        COR_TRY_OUT(fill_points(work, a, shares_sheet, error));
    }
    COR_TRY_OUT(cor_made(without_median, error));
    if (*without_median)
        cor_sheet_remark(arms_sheet, "No median of %s: more than half of the sequences have no detection.",
                         without_median);
    cor_sheet_remark(arms_sheet, "Mean: mean of cases to detection, cut at the horizon.");
    COR_TRY_OUT(fill_log_rank(work, cor_sheets_add(sheets, &log_rank), error));
    COR_TRY_OUT(fill_pairs(work, cor_sheets_add(sheets, &pairs), &drawing->p_holm, error));
    if (drawing->p_holm && arm_count <= MATRIX_ARMS)
        cor_sheets_draw(sheets, views__draw_pairs, drawing, NULL);
    struct cor_sheet *failures_sheet = cor_sheets_add(sheets, &failures);
    for (size_t a = 0; a < arm_count; a++)
        COR_TRY_OUT(fill_failures(work, a, failures_sheet, error));
    fill_kills(work->measurement, cor_sheets_add(sheets, &kills));
out:
    free(without_median);
    return status;
}

static enum cor_status make(const struct cor_view_request *request, struct cor_sheets *sheets,
                            struct cor_view_findings *findings, struct cor_error *error) {
    (void)findings;
    enum cor_status status = COR_OK;
    struct cor_measurement *measurement = NULL;
    struct work work = {.box = request->box, .level = views__view_level(request)};
    COR_TRY(cor_measurement_create(request->result, COR_MEASURE_KILLS, &measurement, error));
    work.measurement = measurement;
    COR_TRY_OUT(cor_is_paired(measurement->head->experiment, &work.paired, error));
    COR_TRY_OUT(observe(&work, error));
    /* Without an observation there is none: NaN. */
    const double wanted = request->horizon;
    double least = INFINITY, greatest = NAN;
    for (size_t a = 0; a < work.measurement->arm_count; a++) {
        double reach;
        COR_TRY_OUT(cor_survival_reach(&work.arm[a], &reach, error));
        least = fmin(least, reach);
    }
    for (size_t i = 0; i < work.n; i++)
        greatest = fmax(greatest, work.time[i]); /* passes NaN over */
    work.horizon = wanted > 0 ? wanted : isnan(greatest) ? (double)NAN : fmin(least, greatest);
    for (size_t a = 0; a < measurement->arm_count; a++)
        COR_TRY_OUT(cor_survival_init(&work.curve[a], work.arm[a].time, work.arm[a].event, work.arm[a].n,
                                      work.level, error));
    COR_TRY_OUT(fill(&work, sheets, error));
out:
    for (size_t a = 0; work.curve && a < work.measurement->arm_count; a++)
        cor_survival_fini(&work.curve[a]);
    free(work.time);
    free(work.event);
    free(work.cluster);
    free(work.arm);
    free(work.curve);
    cor_measurement_destroy(measurement);
    return status;
}

static const struct cor_sheet_definition *const sheets_made[] = {
    &curves, &arms, &points_sheet, &log_rank, &pairs, &failures, &kills, &about, NULL};

const struct cor_view views__view_survival = {
    .name = "survival",
    .command = "show",
    .summary = "show how many test cases it takes to find a fault",
    .manual =
        "For each arm: the Kaplan-Meier curve of test cases to the first detection (sequences without one "
        "are censored at their last executed case), median, restricted mean up to a common horizon, "
        "survival at 10, 50, 100 and 500 cases, with intervals over suites; log-rank tests between arms; "
        "failures that entered, were detected, or stayed masked; and the kill matrix, which check of the "
        "oracle saw how many. docs/statistics.md defines every figure.",
    .options = "box horizon level",
    .schema = "corridor-survival",
    .version = 2,
    .sheets = sheets_made,
    .make = make,
};
