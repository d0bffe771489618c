/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How well the algorithms under test do their work, an arm at a time. */
#include "views.h"

#include <corridor/array.h>
#include <corridor/measurement.h>
#include <corridor/terms.h>

#include <math.h>
#include <string.h>

static const struct cor_column_definition about_columns[] = {
    {"level", "level of the intervals", "1", "level of the intervals, over suites", COR_CELL_REAL,
     COR_DIGITS_FOUR, 0},
    {"continuations_left_out", "continuations left out", "sequences",
     "sequences that continue failed ones (branching): in no figure", COR_CELL_COUNT, 0, 0},
    {"not_numbers", "no numbers", "reorganizations",
     "reorganizations whose dissimilarity or threshold is no number: left out of quality", COR_CELL_COUNT, 0,
     0},
    {"times", "times", "", "whether there is a file RESULTS.h5.times.csv", COR_CELL_FLAG, 0, 0},
    {"suites_without_times", "suites without a time", "suites", "suites that the file of times lacks",
     COR_CELL_COUNT, 0, 0},
};
COR_SHEET_DEFINITION(about, "about", "Performance", "the file", COR_SHEET_RECORD, 0);

#define ARM(member) COR_CELL_OF(struct cor_arm_measurement, member)
static const struct cor_column_definition arms_columns[] = {
    {"arm", "arm", "", "name of the arm", COR_CELL_WORD, 0, 0},
    {"suites", "suites", "", "suites", ARM(suites)},
    {"sequences", "sequences", "", "test sequences, without continuations of failed ones", ARM(sequences)},
    {"executed", "executed", "", "test cases executed", ARM(executed)},
    {"reorganizations", "reorganizations", "", "reorganizations", COR_CELL_COUNT, 0, 0},
};
COR_SHEET_DEFINITION(arms, "arms", "Arms", "an arm", 0, 0);

#define METRIC(member) COR_CELL_OF(struct cor_metric_schema, member)
static const struct cor_column_definition figures_columns[] = {
    {"metric", "", "", "id of the metric; sheet metrics has its meaning", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"arm", "arm", "", "name of the arm", COR_CELL_WORD, 0, 0},
    {"unit", "unit", "", "unit of the metric; 1 = a pure number", METRIC(unit)},
    {"better", "better", "", "what is better for the algorithm: lower, higher, neither", COR_CELL_WORD, 0, 0},
    {"value", "value", "", "sum over suites of what was observed / sum of its sizes, interval over suites",
     COR_CELL_ESTIMATE, COR_DIGITS_FOUR, 0},
};
COR_SHEET_DEFINITION(figures, "figures", "Metrics by arm", "a metric of an arm", 0, 0);

static const struct cor_column_definition metrics_columns[] = {
    {"metric", "metric", "", "id of the metric", METRIC(id)},
    {"unit", "unit", "", "its unit; 1 = a pure number", METRIC(unit)},
    {"better", "better", "", "what is better for the algorithm: lower, higher, neither", COR_CELL_WORD, 0, 0},
    {"meaning", "meaning", "", "what it is", COR_TEXT_OF(struct cor_metric_schema, meaning)},
};
COR_SHEET_DEFINITION(metrics, "metrics", "What metrics mean", "a metric", 0, 0);

#define LENGTHS(member) COR_CELL_OF(struct cor_length_figures, member)
static const struct cor_column_definition lengths_columns[] = {
    {"length", "", "",
     "cases_between_reorganizations: from one reorganization to the next of its sequence; stays_outside: of "
     "a stay outside the corridor",
     COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"arm", "arm", "", "name of the arm", COR_CELL_WORD, 0, 0},
    {"n", "n", "", "lengths", LENGTHS(n)},
    {"cut_off", "cut off", "", "of n: ended by the end of what was observed", LENGTHS(cut_off)},
    {"mean", "mean", "cases", "mean", LENGTHS(mean), COR_DIGITS_FOUR},
    {"sd", "sd", "cases", "standard deviation (n - 1)", LENGTHS(sd), COR_DIGITS_FOUR},
    {"min", "min", "cases", "least", LENGTHS(min), COR_DIGITS_FOUR},
    {"median", "median", "cases", "median", LENGTHS(median), COR_DIGITS_FOUR},
    {"max", "max", "cases", "greatest", LENGTHS(max), COR_DIGITS_FOUR},
    {"geometric_mean", "geom.", "cases", "geometric mean", LENGTHS(geometric_mean), COR_DIGITS_FOUR},
    {"harmonic_mean", "harm.", "cases", "harmonic mean", LENGTHS(harmonic_mean), COR_DIGITS_FOUR},
};
COR_SHEET_DEFINITION(lengths, "lengths", "Lengths, in test cases", "lengths of a kind in an arm", 0, 0);

static const struct cor_column_definition endings_columns[] = {
    {"kind", "", "", "stop: why the algorithm stopped; smoke: why there is no result", COR_CELL_WORD, 0,
     COR_COLUMN_GROUP},
    {"arm", "arm", "", "name of the arm", COR_CELL_WORD, 0, 0},
    {"ending", "ending", "", "word of the list of stop reasons or of smoke; not_said", COR_CELL_WORD, 0, 0},
    {"count", "count", "", "reorganizations that ended so", COR_CELL_COUNT, 0, 0},
    {"share", "share", "1", "of the reorganizations of the arm", COR_CELL_ESTIMATE, COR_DIGITS_FOUR, 0},
};
COR_SHEET_DEFINITION(endings, "endings", "How reorganizations ended", "an ending that occurred in an arm", 0,
                     0);

static const struct cor_column_definition quality_columns[] = {
    {"arm", "", "", "name of the arm", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"spent_from", "spent", "units", "least budget spent, in the unit of the algorithm", COR_CELL_REAL,
     COR_DIGITS_FOUR, 0},
    {"spent_to", "to", "units", "greatest budget spent", COR_CELL_REAL, COR_DIGITS_FOUR, 0},
    {"reorganizations", "n", "", "reorganizations that spent so much", COR_CELL_COUNT, 0, 0},
    {"dissimilarity_before", "before", "1",
     "dissimilarity before reorganizing / threshold; at most 1 is inside", COR_CELL_ESTIMATE, COR_DIGITS_FOUR,
     COR_COLUMN_SHORT},
    {"dissimilarity_after", "after", "1", "dissimilarity after reorganizing / threshold", COR_CELL_ESTIMATE,
     COR_DIGITS_FOUR, 0},
    {"success", "success", "1", "share after which the invariant holds, of those where it was looked at",
     COR_CELL_ESTIMATE, COR_DIGITS_FOUR, 0},
};
COR_SHEET_DEFINITION(quality, "quality",
                     "Quality over budget  (dissimilarity / threshold: at most 1 is inside)",
                     "reorganizations of an arm that spent alike", 0, 0);

static const struct cor_column_definition gap_columns[] = {
    {"arm", "arm", "", "name of the arm", COR_CELL_WORD, 0, 0},
    {"compared", "n", "",
     "reorganizations that no box failed, and in whose case an arm of exact reorganized, too, in the same "
     "suite",
     COR_CELL_COUNT, 0, 0},
    {"optimum", "optimum", "",
     "mean optimum: of the objective of the corridor as a text, or the dissimilarity", COR_CELL_REAL,
     COR_DIGITS_FOUR, 0},
    {"above", "above", "",
     "mean of what was reached less the optimum; below 0: the algorithm is not held to limits that exact "
     "keeps",
     COR_CELL_ESTIMATE, COR_DIGITS_FOUR, 0},
    {"gap_pct", "gap", "%", "the mean above / the mean size of the optimum; not available where that is 0",
     COR_CELL_REAL, COR_DIGITS_FOUR, 0},
    {"within_tenth_pct", "within 10 %", "%", "share of them within a tenth of the optimum", COR_CELL_ESTIMATE,
     COR_DIGITS_FOUR, 0},
    {"at_optimum_pct", "optimal", "%", "share of them at the optimum", COR_CELL_ESTIMATE, COR_DIGITS_FOUR, 0},
};
COR_SHEET_DEFINITION(gap, "gap", "Gap to the optimum", "an arm that shares suites with one of exact", 0, 0);

struct missing {
    const char *figure, *why;
};
#define MISSING(member) COR_CELL_OF(struct missing, member)
static const struct cor_column_definition not_available_columns[] = {
    {"figure", "figure", "", "what the file cannot say", MISSING(figure)},
    {"why", "why", "", "the reason", COR_TEXT_OF(struct missing, why)},
};
COR_SHEET_DEFINITION(not_available, "not_available", "Not available", "a figure that the file cannot say", 0,
                     0);

/* Streams of random numbers of an arm that no metric has. */
enum figure { FIGURE_GAP = 90, FIGURE_STOP = 100, FIGURE_SMOKE = 120, FIGURE_QUALITY = 200 };

/* Sums y, x of the suites of one arm, filled for one figure after the other. */
struct work {
    const struct cor_measurement *measurement;
    size_t arm;
    const struct cor_arm_measurement *it;
    double level;
    double *y, *x; /* owned; for as many suites as the file has */
};

/* The work on that arm. */
static const struct work *at(struct work *work, size_t arm) {
    COR_ASSERT(arm < work->measurement->arm_count);
    work->arm = arm;
    work->it = &work->measurement->arm[arm];
    return work;
}

static const char *name_of(const struct work *work) {
    return work->it->entry->name;
}

static enum cor_status estimate(const struct work *work, uint32_t figure, double whole,
                                struct cor_estimate *estimated, struct cor_error *error) {
    const struct cor_suite_sample sample = {.y = work->y,
                                            .x = work->x,
                                            .suites = (uint32_t)work->it->suites,
                                            .least = figure == FIGURE_GAP ? -(double)INFINITY : 0,
                                            .whole = whole,
                                            .level = work->level,
                                            .stream = {.seed = work->measurement->head->seed,
                                                       .arm = (uint32_t)work->arm + 1,
                                                       .entity = figure,
                                                       .purpose = COR_PURPOSE_BOOTSTRAP}};
    return cor_estimate_ratio(COR_INTERVAL_BCA, &sample, estimated, error);
}

static void fill_arm(const struct work *work, struct cor_sheet *sheet) {
    uint64_t reorganizations = 0;
    for (size_t s = 0; s < work->it->suites; s++)
        reorganizations += work->measurement->suite[work->it->first_suite + s].reorganizations;
    cor_sheet_row(sheet);
    cor_sheet_word(sheet, name_of(work));
    COR_SHEET_PUT(sheet, struct cor_arm_measurement, work->it);
    cor_sheet_count(sheet, reorganizations);
}

static enum cor_status fill_figure(const struct work *work, enum cor_metric metric, struct cor_sheet *sheet,
                                   struct cor_error *error) {
    const struct cor_metric_schema *schema = cor_metric_schema(metric);
    struct cor_estimate value;
    COR_TRY(cor_measurement_estimate(work->measurement, work->arm, metric, COR_INTERVAL_BCA, work->level,
                                     &value, error));
    cor_sheet_row(sheet);
    cor_sheet_word(sheet, schema->id);
    cor_sheet_word(sheet, name_of(work));
    COR_SHEET_PUT(sheet, struct cor_metric_schema, schema);
    cor_sheet_word(sheet, cor_better_word(schema->better));
    cor_sheet_estimate(sheet, &value);
    return COR_OK;
}

static void fill_lengths(const struct work *work, bool stays, struct cor_sheet *sheet) {
    struct cor_length_figures it = cor_lengths_describe(stays ? &work->it->stay : &work->it->gap);
    cor_sheet_row(sheet);
    cor_sheet_word(sheet, stays ? "stays_outside" : "cases_between_reorganizations");
    cor_sheet_word(sheet, name_of(work));
    COR_SHEET_PUT(sheet, struct cor_length_figures, &it);
}

/* Endings that did not occur have no row. */
static enum cor_status fill_endings(const struct work *work, bool smoke, struct cor_sheet *sheet,
                                    struct cor_error *error) {
    for (uint32_t code = 0; code < COR_ENDING_CODES; code++) {
        struct cor_estimate share;
        uint64_t count = 0;
        for (size_t s = 0; s < work->it->suites; s++) {
            const struct cor_suite_sums *suite = &work->measurement->suite[work->it->first_suite + s];
            uint64_t own = (smoke ? suite->smoke : suite->stop)[code];
            count += own;
            work->y[s] = (double)own;
            work->x[s] = (double)suite->reorganizations;
        }
        if (count == 0)
            continue;
        COR_TRY(estimate(work, (smoke ? FIGURE_SMOKE : FIGURE_STOP) + code, 1, &share, error));
        cor_sheet_row(sheet);
        cor_sheet_word(sheet, smoke ? "smoke" : "stop");
        cor_sheet_word(sheet, name_of(work));
        cor_sheet_word(sheet, code == 0
                                  ? "not_said"
                                  : cor_term_word(smoke ? COR_FAMILY_SMOKE : COR_FAMILY_STOP, (int)code));
        cor_sheet_count(sheet, count);
        cor_sheet_estimate(sheet, &share);
    }
    return COR_OK;
}

/* Which sum of a bin stands above which. */
enum ratio { RATIO_BEFORE, RATIO_AFTER, RATIO_SUCCESS, RATIOS };

static enum cor_status fill_quality(const struct work *work, struct cor_sheet *sheet,
                                    struct cor_error *error) {
    for (uint32_t b = 0; b < COR_SPENT_BINS; b++) {
        struct cor_estimate ratio[RATIOS];
        uint64_t n = 1;
        for (enum ratio r = 0; r < RATIOS && n > 0; r++) {
            /* A ratio of the reorganizations of the arm in bin b; *n is how many these are. */
            n = 0;
            memset(work->y, 0, work->it->suites * sizeof *work->y);
            memset(work->x, 0, work->it->suites * sizeof *work->x);
            for (size_t k = 0; k < work->measurement->bin_count; k++) {
                const struct cor_spent_bin *bin = &work->measurement->bin[k];
                size_t s = bin->suite_index - work->it->first_suite; /* wraps below the first */
                if (bin->bin != b || s >= work->it->suites)
                    continue;
                work->y[s] = r == RATIO_BEFORE ? bin->before : r == RATIO_AFTER ? bin->after : bin->success;
                work->x[s] = r == RATIO_SUCCESS ? bin->looked : bin->known;
                n += bin->n;
            }
            COR_TRY(estimate(work, FIGURE_QUALITY + RATIOS * b + (uint32_t)r, r == RATIO_SUCCESS, &ratio[r],
                             error));
        }
        if (n == 0)
            continue;
        cor_sheet_row(sheet);
        cor_sheet_word(sheet, name_of(work));
        cor_sheet_real(sheet, b > 0 ? ldexp(1, (int)b - 1) : 0);
        cor_sheet_real(sheet, b > 0 ? ldexp(1, (int)b) - 1 : 0);
        cor_sheet_count(sheet, n);
        for (enum ratio r = 0; r < RATIOS; r++)
            cor_sheet_estimate(sheet, &ratio[r]);
    }
    return COR_OK;
}

/* An arm of which nothing is compared has no row; *any: one has. */
static enum cor_status fill_gap(const struct work *work, struct cor_sheet *sheet, bool *any,
                                struct cor_error *error) {
    struct cor_estimate figure[3];
    double compared = 0, above = 0, optimum = 0, size = 0;
    for (int f = 0; f < 3; f++) {
        compared = above = optimum = size = 0;
        for (size_t s = 0; s < work->it->suites; s++) {
            const struct cor_gap it =
                cor_suite_gap(work->measurement, &work->measurement->suite[work->it->first_suite + s]);
            compared += it.compared;
            above += it.above;
            optimum += it.optimum;
            size += it.optimum_size;
            work->y[s] = f == 0 ? it.above : 100 * (f == 1 ? it.within_tenth : it.at_optimum);
            work->x[s] = it.compared;
        }
        if (compared == 0)
            return COR_OK;
        COR_TRY(estimate(work, FIGURE_GAP + (uint32_t)f, f == 0 ? 0 : 100, &figure[f], error));
    }
    *any = true;
    cor_sheet_row(sheet);
    cor_sheet_word(sheet, name_of(work));
    cor_sheet_count(sheet, (uint64_t)compared);
    cor_sheet_real(sheet, optimum / compared);
    cor_sheet_estimate(sheet, &figure[0]);
    cor_sheet_real(sheet, size > 0 ? 100 * above / size : (double)NAN);
    cor_sheet_estimate(sheet, &figure[1]);
    cor_sheet_estimate(sheet, &figure[2]);
    return COR_OK;
}

/* Goes through the arms `first` .. `last` - 1. */
static enum cor_status fill_performance(struct work *work, size_t first, size_t last,
                                        struct cor_sheets *sheets, struct cor_error *error) {
    struct cor_sheet *about_sheet = cor_sheets_add(sheets, &about),
                     *arms_sheet = cor_sheets_add(sheets, &arms),
                     *figures_sheet = cor_sheets_add(sheets, &figures),
                     *metrics_sheet = cor_sheets_add(sheets, &metrics),
                     *lengths_sheet = cor_sheets_add(sheets, &lengths),
                     *endings_sheet = cor_sheets_add(sheets, &endings),
                     *quality_sheet = cor_sheets_add(sheets, &quality),
                     *gap_sheet = cor_sheets_add(sheets, &gap);
    cor_sheet_row(about_sheet);
    cor_sheet_real(about_sheet, work->level);
    cor_sheet_count(about_sheet, cor_measurement_left_out(work->measurement));
    cor_sheet_count(about_sheet, work->measurement->not_numbers);
    cor_sheet_flag(about_sheet, work->measurement->times);
    cor_sheet_count(about_sheet, work->measurement->times_missing);
    for (size_t a = 0; a < work->measurement->arm_count; a++)
        views__remark_steered(&work->measurement->arm[a], about_sheet);
    if (work->measurement->not_numbers > 0)
        cor_sheet_remark(
            about_sheet,
            "Left out of quality: reorganizations whose dissimilarity or threshold is no number.");
    for (size_t a = first; a < last; a++)
        fill_arm(at(work, a), arms_sheet);
    for (enum cor_metric m = 0; m < COR_METRIC_COUNT; m++) {
        if (!(cor_metric_schema(m)->shown & COR_IN_PERFORMANCE))
            continue;
        const struct cor_metric_schema *schema = cor_metric_schema(m);
        COR_SHEET_PUT(metrics_sheet, struct cor_metric_schema, schema);
        cor_sheet_word(metrics_sheet, cor_better_word(schema->better));
        COR_SHEET_PUT(metrics_sheet, struct cor_metric_schema, schema);
        for (size_t a = first; a < last; a++)
            COR_TRY(fill_figure(at(work, a), m, figures_sheet, error));
    }
    for (int stays = 0; stays < 2; stays++)
        for (size_t a = first; a < last; a++)
            fill_lengths(at(work, a), stays, lengths_sheet);
    for (int smoke = 0; smoke < 2; smoke++)
        for (size_t a = first; a < last; a++)
            COR_TRY(fill_endings(at(work, a), smoke, endings_sheet, error));
    for (size_t a = first; a < last; a++)
        COR_TRY(fill_quality(at(work, a), quality_sheet, error));
    bool has_gap = false;
    for (size_t a = first; a < last; a++)
        COR_TRY(fill_gap(at(work, a), gap_sheet, &has_gap, error));
    struct cor_sheet *sheet = cor_sheets_add(sheets, &not_available);
    static const struct missing rows[] = {
        {"gap_to_optimum",
         "no arm of exact shares suites (\"mode\": \"paired\"), makes the same small and ran beside"},
        {"time_performance", "times are taken of suites as a whole, not of reorganizations alone"},
        {"cpu_times", "there is no file RESULTS.h5.times.csv"},
    };
    COR_SHEET_PUT_ALL(sheet, struct missing, rows + has_gap,
                      (work->measurement->times ? 2u : 3u) - (has_gap ? 1u : 0u));
    return COR_OK;
}

static enum cor_status make_performance(const struct cor_view_request *request, struct cor_sheets *sheets,
                                        struct cor_view_findings *findings, struct cor_error *error) {
    (void)findings;
    enum cor_status status = COR_OK;
    struct cor_measurement *measurement = NULL;
    struct work work = {.level = views__view_level(request)};
    size_t first = 0, last;
    COR_TRY_OUT(cor_measurement_create(request->result, COR_MEASURE_PERFORMANCE, &measurement, error));
    COR_TRY_OUT(cor_measurement_read_times(measurement, request->path, error));
    last = measurement->arm_count;
    if (request->arm) {
        COR_TRY_OUT(cor_arm_find(measurement->head, "--arm", request->arm, &first, error));
        last = first + 1;
    }
    work.measurement = measurement;
    work.y = cor_calloc(measurement->suite_count, sizeof *work.y);
    work.x = cor_calloc(measurement->suite_count, sizeof *work.x);
    if (!work.y || !work.x)
        COR_TRY_OUT(cor_fail_memory(error));
    COR_TRY_OUT(fill_performance(&work, first, last, sheets, error));
out:
    COR_FREE(work.y, work.x);
    cor_measurement_destroy(measurement);
    return status;
}

static const struct cor_sheet_definition *const sheets_made[] = {
    &figures, &metrics, &arms, &lengths, &endings, &quality, &gap, &not_available, &about, NULL};

const struct cor_view views__view_performance = {
    .name = "performance",
    .command = "show",
    .summary = "show how well the algorithms do their work",
    .manual = "For each arm, with intervals over suites: reorganizations, success, agents affected and "
              "involved, moves, messages, rounds, budget, time between reorganizations, stays outside the "
              "corridor, stop reasons, the quality reached over the budget spent, and the gap to the optimum "
              "where an arm of exact "
              "shares suites. CPU times come from "
              "RESULTS.h5.times.csv, if it lies beside the file, and are true of that one run only. "
              "docs/evidence/statistics.md defines every figure.",
    .options = "arm level",
    .schema = "corridor-performance",
    .version = 2,
    .sheets = sheets_made,
    .make = make_performance,
};
