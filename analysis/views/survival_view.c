/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How soon failures are detected: curves of survival, p of each pair of arms, drawn with letters, and
 * constraints one by one. */
#include "views.h"

#include <corridor/arms.h>
#include <corridor/array.h>
#include <corridor/cells.h>
#include <corridor/measurement.h>
#include <corridor/rearrangement.h>
#include <corridor/sheet.h>
#include <corridor/survival.h>
#include <corridor/terms.h>
#include <corridor/two_samples.h>

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VIEWS__CURVE_COLUMNS 60

/* What is drawn: names are those of the open result. */
struct views__survival_drawing {
    size_t arm_count;
    double horizon;
    double *p_holm; /* owned; NULL = none; pairs as in sheet log_rank_pairs */
    struct {
        const char *name;
        double share[VIEWS__CURVE_COLUMNS], at_horizon; /* without a detection */
    } arm[];
};

#define NAME_WIDTH 24

static int width_of(const struct views__survival_drawing *drawing) {
    size_t width = 12;
    for (size_t a = 0; a < drawing->arm_count; a++) {
        size_t own = cor_utf8_length(drawing->arm[a].name);
        width = own > width ? own : width;
    }
    return width < NAME_WIDTH ? (int)width : NAME_WIDTH;
}

/* At most NAME_WIDTH characters of it, and blanks up to `width`. */
static void put_name(const char *name, int width, FILE *file) {
    for (; *name && width > 0; width--)
        name += cor_put_shown(file, name);
    fprintf(file, "%*s", width, "");
}

/* Columns of a curve, between a name and the share at the horizon. */
static int curve_columns(const struct cor_style *style, int width) {
    const int left = (int)style->width - width - (int)strlen("    0.0000 ");
    if (style->width == 0 || left > VIEWS__CURVE_COLUMNS)
        return VIEWS__CURVE_COLUMNS;
    return left > 10 ? left : 10;
}

/* Draw such a thing; for cor_sheets_draw. */
static void draw_curves(const void *context, const struct cor_style *style, FILE *file) {
    const struct views__survival_drawing *drawing = context;
    const int width = width_of(drawing), columns = curve_columns(style, width);
    fprintf(file, "%sSequences without a detection yet%s  (Kaplan-Meier; to the horizon, logarithmic)\n",
            style->strong, style->plain);
    for (size_t a = 0; a < drawing->arm_count; a++) {
        char text[COR_CELL];
        fputs("  ", file);
        put_name(drawing->arm[a].name, width, file);
        fputs("  ", file);
        for (int c = 0; c < columns; c++) {
            /* A share as a block or, in ASCII, as the digit of its tenth: # for 1, . for 0. Blank where
             * nothing is known. */
            const double share = drawing->arm[a].share[c * (VIEWS__CURVE_COLUMNS - 1) / (columns - 1)];
            static const char *const blocks[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
            if (isnan(share))
                fputc(' ', file);
            else if (share <= 0)
                fputc(style->ascii ? '.' : ' ', file);
            else if (style->ascii)
                fputc(share >= 1 ? '#' : '0' + (int)(10 * share), file);
            else
                fputs(blocks[share >= 1 ? 7 : (int)(7 * share)], file);
        }
        cor_brief_text(drawing->arm[a].at_horizon, text);
        fprintf(file, " %6s\n", text);
    }
    char line[VIEWS__CURVE_COLUMNS + 16] = "";
    memset(line, ' ', (size_t)columns + 6);
    for (double tick = 1; tick <= drawing->horizon; tick *= 10) {
        char text[16];
        int c = (int)lround(log(tick) / log(fmax(drawing->horizon, 2)) * (columns - 1));
        int length = snprintf(text, sizeof text, "%.0f", tick);
        if (c >= 0 && c + length <= columns + 6)
            memcpy(line + c, text, (size_t)length);
    }
    fprintf(file, "  %-*s  %s\n", width, "cases", line);
    fputs(style->ascii ? "  # all, 9 to 0 tenths, . none\n" : "", file);
}

/* A triangle: what stands in column k is about the arm that is numbered k. */
static void draw_pairs(const void *context, const struct cor_style *style, FILE *file) {
    const struct views__survival_drawing *drawing = context;
    size_t at = 0;
    int width = width_of(drawing);
    fprintf(file, "%sp after Holm of each pair%s\n%*s", style->strong, style->plain, width + 5, "");
    for (size_t a = 0; a + 1 < drawing->arm_count; a++)
        fprintf(file, " %6zu", a + 1);
    fputc('\n', file);
    for (size_t b = 0; b < drawing->arm_count; b++) {
        fprintf(file, "  %2zu ", b + 1);
        put_name(drawing->arm[b].name, width, file);
        for (size_t a = 0; a < b; a++, at++) {
            const double p = drawing->p_holm[at];
            if (isnan(p) || p < 0.0005)
                fprintf(file, " %6s", isnan(p) ? "n/a" : "<.001");
            else
                fprintf(file, " %6.3f", p);
        }
        fputc('\n', file);
    }
}

/* Frees it. */
static void survival_drawing_destroy(void *context) {
    struct views__survival_drawing *drawing = context;
    COR_FREE(drawing->p_holm, drawing);
}

/* ---- how many test cases until a fault is found, how many failures stay masked, and which check of the
 * oracle sees them. A sequence without a detection only says that its depth exceeds its length: depths are
 * right-censored survival times (survival.h), never a mean of those that were found */

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
    {"gray_pct", "gray box", "%", "thereof seen by the gray box, as a share", COR_CELL_ESTIMATE, 1, 0},
    {"black", "black", "", "thereof failed through the black box", COR_CELL_COUNT, 0, COR_COLUMN_DATA},
    {"black_pct", "black box", "%", "thereof seen by the black box, as a share", COR_CELL_ESTIMATE, 1, 0},
    {"masked", "masked", "", "thereof seen by no box", COR_CELL_COUNT, 0, COR_COLUMN_DATA},
    {"masked_pct", "undetected", "%", "thereof undetected, as a share", COR_CELL_ESTIMATE, 1, 0},
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

static const struct cor_column_definition constraints_columns[] = {
    {"constraint", "", "", "name of a constraint of the corridor as text", COR_CELL_WORD, 0,
     COR_COLUMN_GROUP},
    {"box", "through box", "",
     "where it was seen violated: detect (the oracle's look at a case), gray, interim, black, move, time",
     COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"arm", "arm", "", "name of the arm", COR_CELL_WORD, 0, 0},
    {"sequences", "sequences", "", "test sequences", COR_CELL_COUNT, 0, 0},
    {"violated", "violated", "", "sequences that violated it there", COR_CELL_COUNT, 0, 0},
    {"censored", "censored", "", "sequences that did not, as far as is known", COR_CELL_COUNT, 0, 0},
    {"unknown", "unknown", "", "thereof with the case before the first in which it was unknown",
     COR_CELL_COUNT, 0, COR_COLUMN_DATA},
    {"median", "median", "", "smallest case at which at most half have not violated it; none if more stay so",
     COR_CELL_ESTIMATE, COR_DIGITS_FOUR, 0},
    {"horizon", "horizon", "cases", "end of the restricted mean, as of detections", COR_CELL_REAL,
     COR_DIGITS_FOUR, COR_COLUMN_DATA},
    {"restricted_mean", "mean", "", "mean of cases to the first violation, cut at the horizon",
     COR_CELL_ESTIMATE, COR_DIGITS_FOUR, 0},
    {"replicates_without", "without", "",
     "resamples whose curve ends before the horizon: left out of the mean", COR_CELL_COUNT, 0,
     COR_COLUMN_DATA},
};
COR_SHEET_DEFINITION(constraints, "constraints", "Test cases to the first violation of a constraint",
                     "a constraint as a box saw it in an arm; what no arm violated there is left out", 0, 0);

static const struct cor_column_definition constraint_curves_columns[] = {
    {"constraint", "constraint", "", "name of a constraint of the corridor as text", COR_CELL_WORD, 0, 0},
    {"box", "box", "", "where it was seen violated", COR_CELL_WORD, 0, 0},
    {"arm", "arm", "", "name of the arm", COR_CELL_WORD, 0, 0},
    {"cases", "cases", "cases", "the step is at this case", STEP(time)},
    {"at_risk", "at risk", "", "sequences without a violation that were executed so far", STEP(at_risk)},
    {"violated", "violated", "", "thereof with the first violation here", STEP(events)},
    {"censored", "censored", "", "thereof ended here without one, as far as is known", STEP(censored)},
    {"survival", "survival", "1", "share without a violation up to here (Kaplan and Meier)", STEP(survival),
     COR_DIGITS_FOUR},
    {"low", "low", "1", "lower bound (Greenwood, log-log), as if sequences were independent",
     STEP(bounds.low), COR_DIGITS_FOUR},
    {"high", "high", "1", "upper bound of the same", STEP(bounds.high), COR_DIGITS_FOUR},
};
COR_SHEET_DEFINITION(constraint_curves, "constraint_curves", "Curves of constraints",
                     "a step of the curve of a constraint as a box saw it in an arm", COR_SHEET_DATA, 0);

static const struct cor_column_definition constraint_log_rank_columns[] = {
    {"constraint", "constraint", "", "name of a constraint of the corridor as text", COR_CELL_WORD, 0, 0},
    {"box", "through box", "", "where it was seen violated", COR_CELL_WORD, 0, 0},
    {"chi_square", "chi-square", "1", "log-rank statistic over all arms", RANK(chi_square), COR_DIGITS_FOUR},
    {"df", "df", "1", "degrees of freedom", RANK(df)},
    {"p", "p", "1", "share of rearrangements of whole suites with a statistic as large", RANK(p),
     COR_DIGITS_FOUR},
    {"p_holm", "p after Holm", "1", "corrected over all rows", COR_CELL_REAL, COR_DIGITS_FOUR, 0},
};
COR_SHEET_DEFINITION(
    constraint_log_rank, "constraint_log_rank", "Do arms differ in a constraint?  (log-rank)",
    "a constraint as a box saw it; where there are several arms, and it looked at all of them", 0, 0);

/* Streams of random numbers, one a figure of an arm; of constraints two each. */
enum figure { FIGURE_MEDIAN, FIGURE_MEAN, FIGURE_POINT = 5, FIGURE_CONSTRAINTS = 16 };
#define TEST_CONSTRAINTS (PAIR_ARMS * PAIR_ARMS) /* streams of tests behind those of pairs */

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
    uint32_t first_figure;           /* that of the median */
};

static enum cor_status work_init(struct work *work, struct cor_error *error) {
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
        for (size_t i = 0; i < arm->sequences; i++)
            work->cluster[work->n + i] = arm->observation[i].cluster;
        work->n += arm->sequences;
    }
    return COR_OK;
}

static void forget_curves(struct work *work) {
    for (size_t a = 0; work->curve && a < work->measurement->arm_count; a++)
        cor_survival_fini(&work->curve[a]);
}

static void work_fini(struct work *work) {
    forget_curves(work);
    COR_FREE(work->time, work->event, work->cluster, work->arm, work->curve);
}

/* Horizon and curves of what was observed. Without an observation there is no horizon: NaN. */
static enum cor_status make_curves(struct work *work, double wanted, struct cor_error *error) {
    double least = INFINITY, greatest = NAN;
    for (size_t a = 0; a < work->measurement->arm_count; a++) {
        double reach;
        COR_TRY(cor_survival_reach(&work->arm[a], &reach, error));
        least = fmin(least, reach);
    }
    for (size_t i = 0; i < work->n; i++)
        greatest = fmax(greatest, work->time[i]); /* passes NaN over */
    work->horizon = wanted > 0 ? wanted : isnan(greatest) ? (double)NAN : fmin(least, greatest);
    for (size_t a = 0; a < work->measurement->arm_count; a++)
        COR_TRY(cor_survival_init(&work->curve[a], work->arm[a].time, work->arm[a].event, work->arm[a].n,
                                  work->level, error));
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

/* Median and restricted mean of an arm. */
struct arm_figures {
    struct cor_estimate median, mean;
    uint32_t without; /* replicates left out of the mean */
};

static enum cor_status estimate_arm(const struct work *work, size_t a, struct arm_figures *figures,
                                    struct cor_error *error) {
    struct cor_rng rng = stream(work, a, work->first_figure + FIGURE_MEDIAN),
                   rng_of_mean = stream(work, a, work->first_figure + FIGURE_MEAN);
    struct cor_bootstrap_plan plan = cor_default_bootstrap(&rng);
    *figures = (struct arm_figures){.mean = cor_no_estimate()};
    plan.level = work->level;
    COR_TRY(cor_survival_estimate_median(&plan, &work->arm[a], &figures->median, error));
    plan.rng = &rng_of_mean;
    if (!isnan(work->horizon))
        COR_TRY(cor_survival_estimate(&plan, &work->arm[a], COR_SURVIVAL_RESTRICTED_MEAN, work->horizon,
                                      &figures->mean, &figures->without, error));
    return COR_OK;
}

/* `without_median` is joined to a list of the arms without one. */
static enum cor_status fill_arm(const struct work *work, size_t a, struct cor_sheet *sheet,
                                char **without_median, struct cor_error *error) {
    const struct cor_survival *curve = &work->curve[a];
    struct arm_figures figures;
    COR_TRY(estimate_arm(work, a, &figures, error));
    cor_sheet_row(sheet);
    cor_sheet_word(sheet, name_of(work, a));
    cor_sheet_counts(sheet, 4,
                     (const uint64_t[]){work->measurement->arm[a].suites, curve->n, curve->events,
                                        curve->n - curve->events});
    cor_sheet_estimate(sheet, &figures.median);
    if (isnan(figures.median.mean))
        *without_median = cor_join_take(*without_median, ", ", cor_strdup(name_of(work, a)));
    cor_sheet_estimate(sheet, &figures.mean);
    cor_sheet_count(sheet, figures.without);
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
    COR_FREE(beside->time, beside->event, beside->cluster, beside->group, beside->block);
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

/* Tests of each arm against each, and p after Holm; those of groups a < b at b (b - 1) / 2 + a. */
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

/* All arms beside each other, by that stream of the test. */
static enum cor_status test_all(const struct work *work, uint32_t figure, struct cor_log_rank *all,
                                struct cor_error *error) {
    struct arms_beside beside = {0};
    enum cor_status status = make_beside(work, &beside, error);
    for (size_t a = 0; status == COR_OK && a < work->measurement->arm_count; a++)
        add_arm(work, a, &beside);
    if (status == COR_OK)
        status = test_beside(work, &beside, figure, all, error);
    forget_beside(&beside);
    return status;
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

/* ---- constraints of a corridor as text */

struct constraint_sheets {
    struct cor_sheet *figures, *curves, *log_rank;
    struct cor_log_rank *test; /* owned, as all here; [row of log_rank] */
    double *p_holm;
    struct cor_catalog_entry const **entry; /* of the constraint; borrowed */
    enum cor_box *box;
    size_t test_count;
};

/* The first of what the sequences of an arm violated of a constraint as a box saw it, and how many there are.
 */
static const struct cor_constraint_first *firsts_of(const struct cor_arm_measurement *arm,
                                                    uint32_t constraint, enum cor_box box, size_t *count) {
    size_t first = 0, end;
    while (first < arm->constraint_first_count && (arm->constraint_first[first].constraint < constraint ||
                                                   (arm->constraint_first[first].constraint == constraint &&
                                                    arm->constraint_first[first].box < box)))
        first++;
    for (end = first; end < arm->constraint_first_count &&
                      arm->constraint_first[end].constraint == constraint &&
                      arm->constraint_first[end].box == box;)
        end++;
    *count = end - first;
    return arm->constraint_first + first;
}

/* A sequence is under observation until it violates the constraint, or up to the case before the first in
 * which that is unknown. Whether any arm violated it. */
static bool observe_constraint(struct work *work, uint32_t constraint, enum cor_box box) {
    bool any = false;
    size_t n = 0;
    for (size_t a = 0; a < work->measurement->arm_count; n += work->measurement->arm[a++].sequences) {
        const struct cor_arm_measurement *arm = &work->measurement->arm[a];
        size_t count;
        const struct cor_constraint_first *first = firsts_of(arm, constraint, box, &count);
        for (size_t i = 0; i < arm->sequences; i++) {
            work->time[n + i] = arm->observation[i].executed;
            work->event[n + i] = false;
        }
        for (size_t i = 0; i < count; i++) {
            const size_t at = n + first[i].observation;
            work->time[at] = first[i].violated ? first[i].case_ : first[i].case_ - 1;
            work->event[at] = first[i].violated;
            any = any || first[i].violated;
        }
    }
    return any;
}

static enum cor_status fill_constraint(struct work *work, uint32_t constraint, enum cor_box box,
                                       struct constraint_sheets *sheets, struct cor_error *error) {
    const struct cor_measurement *m = work->measurement;
    const struct cor_catalog_entry *entry = &m->head->catalog[COR_CATALOG_CONSTRAINT][constraint];
    const char *seen = cor_term_word(COR_FAMILY_BOX, (int)box);
    size_t arms_seen = 0;
    for (size_t a = 0; a < m->arm_count; a++) {
        const struct cor_survival *curve = &work->curve[a];
        struct arm_figures figures;
        size_t count, unknown = 0;
        const struct cor_constraint_first *first = firsts_of(&m->arm[a], constraint, box, &count);
        /* Whether the box is known to have looked at the arm. Interim solutions and moves are looked at where
         * the arm or its algorithm says so, which the file does not: there a violation is the only sign. */
        if (curve->events == 0 && (box == COR_BOX_INTERIM || box == COR_BOX_MOVE))
            continue;
        arms_seen++;
        for (size_t i = 0; i < count; i++)
            unknown += !first[i].violated;
        COR_TRY(estimate_arm(work, a, &figures, error));
        cor_sheet_row(sheets->figures);
        cor_sheet_word(sheets->figures, entry->name);
        cor_sheet_word(sheets->figures, seen);
        cor_sheet_word(sheets->figures, name_of(work, a));
        cor_sheet_counts(sheets->figures, 4,
                         (const uint64_t[]){curve->n, curve->events, curve->n - curve->events, unknown});
        cor_sheet_estimate(sheets->figures, &figures.median);
        cor_sheet_real(sheets->figures, work->horizon);
        cor_sheet_estimate(sheets->figures, &figures.mean);
        cor_sheet_count(sheets->figures, figures.without);
        for (size_t i = 0; i < curve->step_count; i++) {
            cor_sheet_row(sheets->curves);
            cor_sheet_word(sheets->curves, entry->name);
            cor_sheet_word(sheets->curves, seen);
            cor_sheet_word(sheets->curves, name_of(work, a));
            COR_SHEET_PUT(sheets->curves, struct cor_survival_step, &curve->step[i]);
        }
    }
    if (m->arm_count < 2 || arms_seen < m->arm_count)
        return COR_OK;
    const size_t at = sheets->test_count++;
    sheets->entry[at] = entry;
    sheets->box[at] = box;
    COR_TRY(test_all(work, TEST_CONSTRAINTS + constraint * COR_BOX_CODES + box, &sheets->test[at], error));
    sheets->p_holm[at] = sheets->test[at].p;
    return COR_OK;
}

/* Each constraint through each box that is asked for. */
static enum cor_status fill_constraints(const struct work *detections, double wanted, struct cor_sheets *made,
                                        struct cor_error *error) {
    const struct cor_measurement *m = detections->measurement;
    const size_t most = m->head->catalog_size[COR_CATALOG_CONSTRAINT] * COR_BOX_CODES;
    struct work work = {
        .measurement = m, .box = detections->box, .level = detections->level, .paired = detections->paired};
    struct constraint_sheets sheets = {.figures = cor_sheets_add(made, &constraints),
                                       .curves = cor_sheets_add(made, &constraint_curves),
                                       .log_rank = cor_sheets_add(made, &constraint_log_rank)};
    enum cor_status status = COR_OK;
    if (most == 0)
        return COR_OK;
    sheets.test = cor_calloc(most, sizeof *sheets.test);
    sheets.p_holm = cor_calloc(most, sizeof *sheets.p_holm);
    sheets.entry = cor_calloc(most, sizeof *sheets.entry);
    sheets.box = cor_calloc(most, sizeof *sheets.box);
    if (!sheets.test || !sheets.p_holm || !sheets.entry || !sheets.box)
        COR_TRY_OUT(cor_fail_memory(error));
    COR_TRY_OUT(work_init(&work, error));
    for (uint32_t i = 0; i < most; i++) {
        const uint32_t constraint = i / COR_BOX_CODES;
        const enum cor_box box = (enum cor_box)(i % COR_BOX_CODES);
        const bool is_asked = work.box == COR_ANY_BOX || (work.box == COR_GRAY_BOX && box == COR_BOX_GRAY) ||
                              (work.box == COR_BLACK_BOX && box == COR_BOX_BLACK);
        if (box == 0 || !is_asked || !observe_constraint(&work, constraint, box))
            continue;
        work.first_figure = FIGURE_CONSTRAINTS + 2 * i;
        forget_curves(&work);
        COR_TRY_OUT(make_curves(&work, wanted, error));
        COR_TRY_OUT(fill_constraint(&work, constraint, box, &sheets, error));
    }
    COR_TRY_OUT(cor_holm(sheets.p_holm, sheets.test_count, error));
    for (size_t i = 0; i < sheets.test_count; i++) {
        cor_sheet_row(sheets.log_rank);
        cor_sheet_word(sheets.log_rank, sheets.entry[i]->name);
        cor_sheet_word(sheets.log_rank, cor_term_word(COR_FAMILY_BOX, (int)sheets.box[i]));
        COR_SHEET_PUT(sheets.log_rank, struct cor_log_rank, &sheets.test[i]);
        cor_sheet_real(sheets.log_rank, sheets.p_holm[i]);
    }
    cor_sheet_remark(
        sheets.figures,
        "detect: the oracle's look at a case; a violation there is no failure, but what an alarm is "
        "for. interim, move: arms without a violation are left out, as nobody may have looked.");
out:
    work_fini(&work);
    COR_FREE(sheets.test, sheets.p_holm, sheets.entry, sheets.box);
    return status;
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
static enum cor_status fill_survival(const struct work *work, struct cor_sheets *sheets,
                                     struct cor_error *error) {
    size_t arm_count = work->measurement->arm_count;
    struct views__survival_drawing *drawing = make_drawing(work);
    COR_TRY(cor_made(drawing, error));
    COR_FREED char *without_median = cor_strdup("");
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
    cor_sheets_draw(sheets, draw_curves, drawing, survival_drawing_destroy);
    struct cor_sheet *curves_sheet = cor_sheets_add(sheets, &curves),
                     *arms_sheet = cor_sheets_add(sheets, &arms),
                     *shares_sheet = cor_sheets_add(sheets, &points_sheet);
    for (size_t a = 0; a < arm_count; a++) {
        for (size_t i = 0; i < work->curve[a].step_count; i++) {
            cor_sheet_row(curves_sheet);
            cor_sheet_word(curves_sheet, name_of(work, a));
            COR_SHEET_PUT(curves_sheet, struct cor_survival_step, &work->curve[a].step[i]);
        }
        COR_TRY(fill_arm(work, a, arms_sheet, &without_median, error));
        cor_sheet_row(shares_sheet);
        cor_sheet_word(shares_sheet, name_of(work, a));
        for (uint32_t p = 0; p < POINTS; p++) {
            struct cor_estimate share;
            uint32_t without;
            struct cor_rng rng = stream(work, a, FIGURE_POINT + p);
            struct cor_bootstrap_plan plan = cor_default_bootstrap(&rng);
            plan.level = work->level;
            COR_TRY(cor_survival_estimate(&plan, &work->arm[a], COR_SURVIVAL_AT_HORIZON, points[p], &share,
                                          &without, error));
            cor_sheet_estimate(shares_sheet, &share);
        }
    }
    COR_TRY(cor_made(without_median, error));
    if (*without_median)
        cor_sheet_remark(arms_sheet, "No median of %s: more than half of the sequences have no detection.",
                         without_median);
    cor_sheet_remark(arms_sheet, "Mean: mean of cases to detection, cut at the horizon.");
    struct cor_sheet *log_rank_sheet = cor_sheets_add(sheets, &log_rank);
    struct cor_log_rank all;
    COR_TRY(test_all(work, 0, &all, error));
    COR_SHEET_PUT(log_rank_sheet, struct cor_log_rank, &all);
    cor_sheet_remark(log_rank_sheet, "%s",
                     all.df == 0
                         ? "n/a: fewer than two arms with detections."
                         : "p: whole suites change their arms at random, as sequences of one are alike.");
    COR_TRY(fill_pairs(work, cor_sheets_add(sheets, &pairs), &drawing->p_holm, error));
    if (drawing->p_holm && arm_count <= MATRIX_ARMS)
        cor_sheets_draw(sheets, draw_pairs, drawing, NULL);
    struct cor_sheet *failures_sheet = cor_sheets_add(sheets, &failures);
    for (size_t a = 0; a < arm_count; a++)
        COR_TRY(fill_failures(work, a, failures_sheet, error));
    fill_kills(work->measurement, cor_sheets_add(sheets, &kills));
    return COR_OK;
}

static enum cor_status make_survival(const struct cor_view_request *request, struct cor_sheets *sheets,
                                     struct cor_view_findings *findings, struct cor_error *error) {
    (void)findings;
    COR_DESTROYED(cor_measurement) struct cor_measurement *measurement = NULL;
    COR_FINISHED(work) struct work work = {.box = request->box, .level = views__view_level(request)};
    COR_TRY(cor_measurement_create(request->result, COR_MEASURE_KILLS | COR_MEASURE_CONSTRAINTS, &measurement,
                                   error));
    work.measurement = measurement;
    COR_TRY(cor_is_paired(measurement->head->experiment, &work.paired, error));
    COR_TRY(work_init(&work, error));
    size_t n = 0;
    for (size_t a = 0; a < work.measurement->arm_count; a++) {
        const struct cor_arm_measurement *arm = &work.measurement->arm[a];
        for (size_t i = 0; i < arm->sequences; i++, n++) {
            work.time[n] = cor_detection_times_end(&arm->observation[i], work.box);
            work.event[n] = arm->observation[i].first[work.box] > 0;
        }
    }
    COR_TRY(make_curves(&work, request->horizon, error));
    COR_TRY(fill_survival(&work, sheets, error));
    return fill_constraints(&work, request->horizon, sheets, error);
}

static const struct cor_sheet_definition *const sheets_made[] = {
    &curves,   &arms,  &points_sheet, &log_rank,          &pairs,
    &failures, &kills, &constraints,  &constraint_curves, &constraint_log_rank,
    &about,    NULL};

const struct cor_view views__view_survival = {
    .name = "survival",
    .command = "show",
    .summary = "show how many test cases it takes to find a fault",
    .manual =
        "For each arm: the Kaplan-Meier curve of test cases to the first detection (sequences without one "
        "are censored at their last executed case), median, restricted mean up to a common horizon, "
        "survival at 10, 50, 100 and 500 cases, with intervals over suites; log-rank tests between arms; "
        "failures that entered, were detected, or stayed masked; the kill matrix, which check of the "
        "oracle saw how many; and, where the corridor is a text, the same curves and tests of test cases to "
        "the first violation of each of its constraints, through each box. docs/evidence/statistics.md "
        "defines every "
        "figure.",
    .options = "box horizon level",
    .schema = "corridor-survival",
    .version = 2,
    .sheets = sheets_made,
    .make = make_survival,
};
