/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How probable a failure is, from repetitions that are independent of each other. What the law itself gives
 * is counted, and its intervals are exact; other estimates are means over repetitions, and have an interval
 * where the sample carries one, by the rule of descriptive.h. */
#include "layer_verdicts.h"
#include "views.h"

#include <corridor/arms.h>
#include <corridor/array.h>
#include <corridor/descriptive.h>
#include <corridor/estimation_result.h>

#include <math.h>
#include <stdlib.h>

struct shown {
    double probability, error;
    struct cor_bounds bounds;
    const char *refused;
};
#define SHOWN(member) COR_CELL_OF(struct shown, member)
#define WHAT_COLUMNS                                                                                      \
    {"probability", "probability", "1", "estimate", SHOWN(probability), COR_DIGITS_FOUR},                 \
        {"low", "low", "1", "lower end of the interval", SHOWN(bounds.low), COR_DIGITS_FOUR}, {           \
        "high", "high", "1", "upper end of the interval; of a sequence that never failed an upper bound", \
            SHOWN(bounds.high), COR_DIGITS_FOUR                                                           \
    }

static const struct cor_column_definition estimate_sheet_columns[] = {
    WHAT_COLUMNS,
    {"cases", "cases", "cases", "executed, those of a pilot included", COR_CELL_COUNT, 0, 0},
    {"ess", "effective", "1", "repetitions of equal value that would say as much", COR_CELL_REAL, 1, 0},
    {"largest_weight", "largest", "1", "share of the largest weight in the sum of all", COR_CELL_REAL,
     COR_DIGITS_FOUR, 0},
    {"method", "method", "", "plain, likelihood, splitting", COR_CELL_WORD, 0, 0},
    {"arm", "arm", "", "its name", COR_CELL_WORD, 0, 0},
    {"failure", "failure", "", "the class of the first failing case, or the property that is satisfied",
     COR_CELL_WORD, 0, 0},
    {"level", "level", "", "splitting: how near a case has come; null: conditions that are listed",
     COR_CELL_WORD, 0, 0},
    {"repetitions", "repetitions", "1", "suites, each drawn for itself", COR_CELL_COUNT, 0, 0},
    {"region", "region", "1", "probability of the region by the law, null: there is none", COR_CELL_REAL,
     COR_DIGITS_FOUR, 0},
    {"region_known", "region known", "",
     "counted: gone through all that the law can draw; drawn: by the draws until suites were in it, its "
     "error "
     "is in the intervals",
     COR_CELL_WORD, 0, 0},
    {"leaked", "leaked", "sequences",
     "of which it is not known whether they fail so: they came out otherwise when they were executed again; "
     "counted as if they did not, the upper end as if they did; of splitting trajectories",
     COR_CELL_COUNT, 0, 0},
    {"refused", "no interval", "", "why, and what to do", COR_TEXT_OF(struct shown, refused)},
};
COR_SHEET_DEFINITION(estimate_sheet, "estimate", "Estimate, of a sequence", "the file",
                     COR_SHEET_RECORD | COR_SHEET_TOP, 0);

static const struct cor_column_definition of_sheet_columns[] = {
    {"of", "of", "", "sequence, or suite", COR_CELL_WORD, 0, 0},
    WHAT_COLUMNS,
    {"error", "+-", "1", "standard error over repetitions; not of what is counted", SHOWN(error),
     COR_DIGITS_FOUR},
    {"failed", "failed", "1", "sequences, or suites, that were seen to fail so", COR_CELL_COUNT, 0, 0},
    {"observed", "of", "1", "sequences, or suites, in all", COR_CELL_COUNT, 0, 0},
    {"ess", "effective", "1", "repetitions of equal value that would say as much", COR_CELL_REAL, 1, 0},
};
COR_SHEET_DEFINITION(of_sheet, "probabilities", "Probabilities", "a sequence, or a suite", COR_SHEET_TOP, 0);

/* Over all repetitions. */
struct stage {
    double level;
    uint64_t started, reached, failed;
};
#define STAGE(member) COR_CELL_OF(struct stage, member)
static const struct cor_column_definition stages_sheet_columns[] = {
    {"stage", "stage", "1", "from 0", COR_CELL_COUNT, 0, 0},
    {"level", "level", "1", "that ends it; the last ends with the sequence", STAGE(level), COR_DIGITS_FOUR},
    {"started", "started", "1", "trajectories", STAGE(started)},
    {"reached", "reached", "1", "that came to the level", STAGE(reached)},
    {"failed", "failed", "1", "that failed on the way", STAGE(failed)},
};
COR_SHEET_DEFINITION(stages_sheet, "stages", "Stages", "a stage, over all repetitions", 0, 0);

/* What is known of a region: counted out, or from the draws until suites were in it. */
struct region {
    bool is_there, is_counted;
    double probability, variance;
    uint64_t suites, draws; /* drawn until in it; draws that took */
    double share;
};

struct sums {
    int method;
    uint64_t cases, failed_sequences, failed_suites, sequences, leaked;
    uint64_t suites_most;              /* that fail if all that leaked fail */
    struct cor_weighted sequence_most; /* of a plain estimate: the values if they do */
    uint32_t size, bounds;             /* sequences of a suite */
    double share, largest;
    struct cor_weighted sequence, suite;
    bool beyond;      /* a suite's value is beyond a double */
    double inside[2]; /* sums of values in the region, of sequence and suite */
    struct region region;
};

/* The law of parameters over the mixture that they were drawn by. */
static double region_weight(const struct region *region, bool inside) {
    if (!region->is_there)
        return 1;
    return 1 / (region->share + (inside ? (1 - region->share) / region->probability : 0));
}

/* What not knowing the region's probability P exactly adds to the variance of a mean: the weight in the
 * region is P / (share P + 1 - share), its derivative by P that to the square times (1 - share) / P^2. */
static double region_variance(const struct sums *sums, double inside) {
    const struct region *region = &sums->region;
    if (!region->is_there || region->is_counted)
        return 0;
    const double slope = inside / (double)sums->sequence.n * region_weight(region, true) *
                         (1 - region->share) / (region->probability * region->probability);
    return slope * slope * region->variance;
}

/* What a repetition can say at most of a sequence. */
static double greatest_value(const struct sums *sums) {
    return pow(1 / (isnan(sums->share) ? 1 : sums->share), sums->bounds + sums->region.is_there);
}

/* All repetitions say the same: others are so rare that none was there, and say 0 to the greatest value. */
static struct cor_bounds bounds_alike(const struct sums *sums, double value, bool of_suite, double level) {
    const double other = cor_proportion_clopper_pearson(0, sums->sequence.n, level).high,
                 most = greatest_value(sums) * (of_suite ? sums->size : 1);
    return (struct cor_bounds){fmax(value * (1 - other), 0), fmin(value + other * most, 1)};
}

static struct shown show(const struct sums *sums, bool of_suite, double level) {
    const struct cor_weighted *values = of_suite ? &sums->suite : &sums->sequence;
    const double extra = region_variance(sums, sums->inside[of_suite ? 1 : 0]);
    if (sums->method == COR_ESTIMATION_PLAIN) {
        struct shown shown = {.error = NAN};
        shown.probability = cor_weighted_mean(of_suite ? &sums->suite : &sums->sequence);
        shown.bounds = of_suite ? cor_proportion_clopper_pearson(sums->failed_suites, sums->suite.n, level)
                                : cor_proportion_clustered(&sums->sequence, sums->size, level);
        if (sums->leaked > 0)
            shown.bounds.high =
                of_suite ? cor_proportion_clopper_pearson(sums->suites_most, sums->suite.n, level).high
                         : cor_proportion_clustered(&sums->sequence_most, sums->size, level).high;
        return shown;
    }
    if (sums->leaked > 0)
        return (struct shown){.probability = cor_weighted_mean(values),
                              .error = NAN,
                              .bounds = {NAN, NAN},
                              .refused =
                                  "sequences leaked: they came out otherwise when they were executed again, "
                                  "and might fail so. --method plain counts them apart, --failure counts "
                                  "them by that name"};
    if (of_suite && sums->beyond)
        return (struct shown){.probability = NAN,
                              .error = NAN,
                              .bounds = {NAN, NAN},
                              .refused =
                                  "weights above 1 of too many sequences multiply: fewer of them, or a "
                                  "greater share of the law itself"};
    if (sums->failed_sequences == 0) {
        /* Nothing failed by the changed law. That gives the law itself at least `share` of the sequences, so
         * what fails has at least so much of its probability. */
        struct shown shown = {.probability = 0, .error = NAN, .bounds = {NAN, NAN}};
        const double bound =
            cor_proportion_clopper_pearson(0, sums->sequence.n, level).high * greatest_value(sums);
        if (sums->method == COR_ESTIMATION_SPLITTING) {
            shown.probability = NAN;
            shown.refused =
                "no trajectory failed: a level function that leads further, lower levels, or a greater "
                "effort and budget";
            return shown;
        }
        shown.bounds = (struct cor_bounds){0, fmin(bound * (of_suite ? sums->size : 1), 1)};
        return shown;
    }
    if (sums->region.is_there && !(sums->region.probability > 0))
        return (struct shown){.probability = NAN,
                              .error = NAN,
                              .bounds = {NAN, NAN},
                              .refused =
                                  "fewer than two suites were drawn in the region: a greater budget, or "
                                  "a smaller share of the law itself"};
    struct shown shown = {.probability = cor_weighted_mean(values), .bounds = {NAN, NAN}};
    shown.error = hypot(cor_weighted_error(values), sqrt(extra));
    if (cor_weighted_effective(values) < COR_WEIGHTED_EFFECTIVE_MIN)
        shown.refused =
            "fewer than 20 effective repetitions: a greater budget, or a trap, tilt, region or level "
            "that makes failing likelier";
    else if (shown.error > 0)
        shown.bounds = cor_weighted_bounds(values, extra, level);
    else
        shown.bounds = bounds_alike(sums, shown.probability, of_suite, level);
    return shown;
}

/* What chance alone may bring beyond 0 or 1 is not shown without an interval. */
static struct shown sober(struct shown shown) {
    if (shown.refused && !(shown.probability >= 0 && shown.probability <= 1))
        shown.probability = NAN;
    return shown;
}

static void put_of(struct cor_sheet *sheet, const char *of, const struct shown *shown, uint64_t failed,
                   uint64_t observed, double effective) {
    cor_sheet_row(sheet);
    cor_sheet_word(sheet, of);
    COR_SHEET_PUT(sheet, struct shown, shown);
    cor_sheet_counts(sheet, 2, (const uint64_t[]){failed, observed});
    cor_sheet_real(sheet, effective);
}

static enum cor_status put_estimate(const struct cor_catalog_entry *arm, const struct sums *sums,
                                    const struct shown *sequence, struct cor_sheet *sheet,
                                    struct cor_error *error) {
    enum { FAILURE, PROPERTY, LEVEL, PILOT, TEXTS };
    static const char *const keys[TEXTS] = {"failure", "property", "level", "pilot"};
    char *texts[TEXTS] = {NULL};
    enum cor_status status = COR_OK;
    for (int t = 0; t < TEXTS; t++)
        COR_TRY_OUT(cor_text_under(arm->description, keys[t], &texts[t], error));
    COR_SHEET_PUT(sheet, struct shown, sequence);
    cor_sheet_count(sheet, sums->cases + (texts[PILOT] ? strtoull(texts[PILOT], NULL, 10) : 0));
    cor_sheet_real(sheet, cor_weighted_effective(&sums->sequence));
    const double sum = cor_weighted_mean(&sums->sequence) * (double)sums->sequences;
    cor_sheet_real(sheet, sum > 0 ? sums->largest / sum : NAN);
    cor_sheet_word(sheet, cor_term_word(COR_FAMILY_ESTIMATION, sums->method));
    cor_sheet_word(sheet, arm->name);
    cor_sheet_word(sheet, texts[PROPERTY] ? texts[PROPERTY] : texts[FAILURE]);
    cor_sheet_word(sheet, texts[LEVEL]);
    cor_sheet_count(sheet, sums->sequence.n);
    cor_sheet_real(sheet, sums->region.is_there ? sums->region.probability : NAN);
    cor_sheet_word(sheet, !sums->region.is_there ? NULL : sums->region.is_counted ? "counted" : "drawn");
    cor_sheet_count(sheet, sums->leaked);
    COR_SHEET_PUT(sheet, struct shown, sequence);
out:
    for (int t = 0; t < TEXTS; t++)
        free(texts[t]);
    return status;
}

/* Reads the tables, which are the caller's to free if this is COR_OK. */
static enum cor_status see(struct cor_result *result, struct cor_layer_tables *tables, struct sums *sums,
                           struct cor_error *error) {
    *sums = (struct sums){0};
    COR_TRY(cor_estimation_result_init(result, tables, error));
    const struct cor_estimation_repetition_row *rows = tables->rows[COR_ESTIMATION_TABLE_REPETITIONS];
    const uint64_t count = tables->count[COR_ESTIMATION_TABLE_REPETITIONS];
    for (uint64_t i = 0; i < count; i++) {
        const struct cor_estimation_repetition_row *row = &rows[i];
        struct region *region = &sums->region;
        sums->method = row->method;
        sums->bounds = row->bounds;
        sums->size = row->sequences;
        sums->share = region->share = row->share;
        region->is_there = region->is_there || row->region_draws > 0;
        region->suites += row->region_draws > 0;
        region->draws += row->region_draws;
        region->is_counted = !isnan(row->region_probability);
        region->probability = row->region_probability;
    }
    /* (k - 1) / (n - 1) is unbiased where draws end with the k-th in the region (Haldane, Biometrika 33,
     * 1945). */
    const double k = (double)sums->region.suites, n = (double)sums->region.draws;
    if (sums->region.is_there && !sums->region.is_counted) {
        sums->region.probability = n > 1 ? (k - 1) / (n - 1) : NAN;
        sums->region.variance =
            n > 2 ? sums->region.probability * (1 - sums->region.probability) / (n - 2) : 0;
    }
    for (uint64_t i = 0; i < count; i++) {
        const struct cor_estimation_repetition_row *row = &rows[i];
        const double weight = region_weight(&sums->region, row->in_region != 0),
                     of_sequence =
                         cor_estimation_value(row->sequence_mantissa, row->sequence_halvings) * weight,
                     of_suite = cor_estimation_value(row->suite_mantissa, row->suite_halvings) * weight;
        sums->cases += row->cases;
        sums->sequences += row->sequences;
        sums->failed_sequences += row->failed;
        sums->failed_suites += row->failed > 0;
        sums->leaked += row->leaked;
        sums->suites_most += row->failed > 0 || row->leaked > 0;
        cor_weighted_put(&sums->sequence_most, ((double)row->failed + row->leaked) / row->sequences);
        sums->largest =
            fmax(sums->largest, cor_estimation_value(row->largest_mantissa, row->largest_halvings) * weight);
        cor_weighted_put(&sums->sequence, of_sequence);
        sums->beyond = sums->beyond || !isfinite(of_suite);
        cor_weighted_put(&sums->suite, sums->beyond ? 0 : of_suite);
        if (row->in_region) {
            sums->inside[0] += of_sequence;
            sums->inside[1] += of_suite;
        }
    }
    return COR_OK;
}

static enum cor_status make_estimate(const struct cor_view_request *request, struct cor_sheets *sheets,
                                     struct cor_view_findings *findings, struct cor_error *error) {
    const struct cor_catalog_entry *arm = cor_arm_entry(cor_result_head(request->result), 0);
    const double level = views__view_level(request);
    struct sums sums;
    COR_FINISHED(cor_layer_tables) struct cor_layer_tables tables = {0};
    COR_TRY(see(request->result, &tables, &sums, error));
    if (sums.sequence.n < 2)
        return cor_fail(error, COR_STATUS_INPUT, NULL, "a greater budget",
                        "has fewer than two repetitions: nothing can be said");
    const struct shown sequence = sober(show(&sums, false, level)), suite = sober(show(&sums, true, level));
    struct cor_sheet *estimate = cor_sheets_add(sheets, &estimate_sheet),
                     *of = cor_sheets_add(sheets, &of_sheet);
    COR_TRY(put_estimate(arm, &sums, &sequence, estimate, error));
    put_of(of, "sequence", &sequence, sums.failed_sequences, sums.sequences,
           cor_weighted_effective(&sums.sequence));
    put_of(of, "suite", &suite, sums.failed_suites, sums.suite.n, cor_weighted_effective(&sums.suite));
    if (sums.region.is_there)
        cor_sheet_remark(of, "the region has probability %.4g%s", sums.region.probability,
                         sums.region.is_counted ? ", counted out"
                                                : ", by the draws; its error is in the intervals");
    const struct cor_result_header *head = cor_result_head(request->result);
    if (!head->complete)
        cor_sheet_remark(
            of,
            "not complete: %llu of %llu repetitions, which an interval takes for all that there were to be",
            (unsigned long long)sums.sequence.n, (unsigned long long)head->planned_suites);
    if (sequence.refused)
        cor_sheet_remark(of, "no interval: %s", sequence.refused);
    if (suite.refused && suite.refused != sequence.refused)
        cor_sheet_remark(of, "no interval of a suite: %s", suite.refused);
    if (sums.leaked > 0)
        cor_sheet_remark(of,
                         "%llu %s leaked: executed again they came out otherwise, so that it is not known "
                         "whether they fail so; the probability counts them as if they did not",
                         (unsigned long long)sums.leaked,
                         sums.method == COR_ESTIMATION_SPLITTING ? "trajectories" : "sequences");
    findings->open += sums.leaked > 0;
    findings->refused += sequence.refused ? 1 : 0;
    findings->refused += suite.refused ? 1 : 0;
    struct stage stages[COR_ESTIMATION_STAGES_MAX] = {{0}};
    uint32_t count = 0;
    for (uint32_t s = 0; s < COR_ESTIMATION_STAGES_MAX; s++) /* a damaged file may lack some */
        stages[s].level = NAN;
    for (uint64_t i = 0; i < tables.count[COR_ESTIMATION_TABLE_STAGES]; i++) {
        const struct cor_estimation_stage_row *row = cor_layer_row(&tables, COR_ESTIMATION_TABLE_STAGES, i);
        const uint32_t s = row->stage;
        count = s + 1 > count ? s + 1 : count;
        stages[s].level = row->level;
        stages[s].started += row->started;
        stages[s].reached += row->reached;
        stages[s].failed += row->failed;
    }
    struct cor_sheet *sheet = count > 0 ? cor_sheets_add(sheets, &stages_sheet) : NULL;
    for (uint32_t s = 0; s < count; s++) {
        cor_sheet_row(sheet);
        cor_sheet_count(sheet, s);
        COR_SHEET_PUT(sheet, struct stage, &stages[s]);
    }
    return COR_OK;
}

static const struct cor_sheet_definition *const sheets_made[] = {&of_sheet, &estimate_sheet, &stages_sheet,
                                                                 NULL};

const struct cor_view views__view_estimate = {
    .name = "estimate",
    .command = "show",
    .summary = "show estimated probabilities of failures",
    .manual =
        "Prints what corridor estimate -o FILE kept: how probable a failure is, of a sequence and of a "
        "suite, with the interval that the sample carries; where it carries none it is said why, and the "
        "exit code is 1; 7 if sequences leaked, which might fail so. docs/do/estimation.md defines every "
        "figure.",
    .schema = "corridor-estimate",
    .version = 1,
    .layer = &cor_estimation_schema,
    .sheets = sheets_made,
    .make = make_estimate,
};

/* An estimation gives no verdicts. */
static enum cor_status sum_estimate(const struct cor_view_request *request, struct views__summary *summary,
                                    struct cor_view_findings *findings, struct cor_error *error) {
    struct sums sums;
    struct cor_layer_tables tables;
    COR_TRY(see(request->result, &tables, &sums, error));
    cor_layer_tables_fini(&tables);
    summary->suites = sums.sequence.n;
    summary->cases = sums.cases;
    for (int of_suite = 0; of_suite < 2 && sums.sequence.n >= 2; of_suite++) {
        const struct shown shown = sober(show(&sums, of_suite == 1, views__view_level(request)));
        const char *of = of_suite ? "suite" : "sequence";
        const char *end = shown.refused ? "; the sample carries no interval" : "";
        if (shown.refused || isnan(shown.bounds.high))
            views__summary_say(summary, of, COR_TONE_PLAIN, "fails with probability %.3g%s",
                               shown.probability, end);
        else
            views__summary_say(summary, of, COR_TONE_PLAIN,
                               "fails with probability %.3g, between %.3g and %.3g", shown.probability,
                               shown.bounds.low, shown.bounds.high);
        findings->refused += shown.refused ? 1 : 0;
    }
    if (sums.leaked > 0)
        views__summary_say(summary, "leaked", COR_TONE_BAD,
                           "%llu came out otherwise when they were executed again: whether they fail so is "
                           "not known",
                           (unsigned long long)sums.leaked);
    findings->open += sums.leaked > 0;
    if (sums.sequence.n < 2)
        views__summary_say(summary, "nothing", COR_TONE_BAD,
                           "fewer than two repetitions: nothing can be said");
    return COR_OK;
}

const struct views__layer_verdicts views__verdicts_of_estimation = {
    &cor_estimation_schema, NULL, sum_estimate, NULL, NULL, NULL};
