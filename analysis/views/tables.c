/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "views.h"

#include <corridor/arms.h>
#include <corridor/array.h>
#include <corridor/cells.h>
#include <corridor/rearrangement.h>
#include <corridor/tables.h>
#include <corridor/verdicts.h>

#include <gsl/gsl_cdf.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Columns of the CSV files. */
enum { METRIC, ALGORITHM, FAULT, FAULT_ID, MEAN, STD };

/* Start of a field in a line of plain CSV, and its length. */
static const char *field(const char *line, int number, size_t *length) {
    for (; number > 0; number--) {
        line = strchr(line, ',');
        if (!line) {
            *length = 0;
            return "";
        }
        line++;
    }
    *length = strcspn(line, ",");
    return line;
}

static bool field_is(const char *line, int number, const char *word) {
    size_t length;
    const char *text = field(line, number, &length);
    return length == strlen(word) && memcmp(text, word, length) == 0;
}

static double field_number(const char *line, int number) {
    size_t length;
    const char *text = field(line, number, &length);
    return length > 0 ? strtod(text, NULL) : (double)NAN;
}

/* The line of a metric (NULL = any) in a column of the paper, NULL if there is none. */
static const char *find_line(const char *metric, const char *fault_id) {
    const char *const *const tables[] = {views__paper_table1, views__paper_table2};
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        for (const char *const *line = tables[t] + 1; *line; line++) /* + 1: the header */
            if (field_is(*line, FAULT_ID, fault_id) && (!metric || field_is(*line, METRIC, metric)))
                return *line;
    return NULL;
}

bool views__paper_figure(const char *metric, const char *fault_id, double *mean, double *sd) {
    const char *line = find_line(metric, fault_id);
    *mean = line ? field_number(line, MEAN) : (double)NAN;
    *sd = line ? field_number(line, STD) : (double)NAN;
    return line != NULL;
}

static double mean_of(const char *metric, const char *fault_id) {
    double mean, sd;
    views__paper_figure(metric, fault_id, &mean, &sd);
    return mean;
}

bool views__paper_derive(const char *metric, const char *fault_id, double *mean) {
    *mean = NAN;
    if (strcmp(metric, "reorganizing_cases_pct") == 0) /* a product of means for a mean of products: ~ 1 % */
        *mean = 1e4 * mean_of("reorganizations_per_sequence", fault_id) /
                (mean_of("test_cases_per_sequence", fault_id) *
                 mean_of("applied_test_cases_per_sequence_pct", fault_id));
    else if (strcmp(metric, "failures_detected_gray_only_pct") == 0) /* all the black box sees is gray */
        *mean = mean_of("detected_failures_gray_pct", fault_id) -
                mean_of("detected_failures_black_pct", fault_id);
    return !isnan(*mean);
}

bool views__paper_has(const char *fault_id) {
    return find_line(NULL, fault_id) != NULL;
}

#define A5 "A5: equals the number of reorganizations; the paper's counter fired on each of them"
#define A5_SHARE "A5: share of a count that fired on every reorganization"
#define A7 "A7: 2.25 % of 1603 are 36 black box detections; 26 failing sequences can have 26"

static const struct {
    const char *metric, *fault_id, *note;
} notes[] = {
    {"failures_per_sequence", "SPADA-F3", A5},
    {"faulty_states_per_sequence", "SPADA-F3", A5},
    {"failures_total", "SPADA-F3", A5},
    {"undetected_failures_pct", "SPADA-F3", A5_SHARE},
    {"detected_failures_gray_pct", "SPADA-F3", A5_SHARE},
    {"detected_failures_gray_pct", "PSOPP-F4", A7},
    {"detected_failures_black_pct", "PSOPP-F4", A7},
    {"undetected_failures_pct", "PSOPP-F4", A7},
    {"failures_detected_gray_only_pct", "PSOPP-F4", A7},
    {"failures_detected_gray_only_pct", "SPADA-F3", A5_SHARE},
    {"test_sequences_without_failure_pct", "PSOPP-F5",
     "A6: 97.86 % are 15 failing sequences, but 8 detected failures: counts activations"},
    {"sequences_detected_black_only_pct", "PSOPP-F2",
     "A8: the text says that the gray box sees every failure the black box sees"},
    {"sequences_detected_gray_only_pct", "PSOPP-F5",
     "45.63 is no standard deviation of a share of sequences: 0/1 values would give 47.5 or more"},
    {"sequences_detected_gray_only_pct", "PSOPP-F5d",
     "27.63 is no standard deviation of a share of sequences: 0/1 values would give 29.7"},
};

const char *views__paper_note(const char *metric, const char *fault_id) {
    for (size_t i = 0; i < sizeof notes / sizeof *notes; i++)
        if (strcmp(notes[i].metric, metric) == 0 && strcmp(notes[i].fault_id, fault_id) == 0)
            return notes[i].note;
    return NULL;
}

/* ---- the figures of the tables: ours of each arm, beside what was published */

#define PAPER_CASES_LEAST 50 /* of a test sequence of paper 003 */
#define PAPER_CASES_MOST 1000

/* Whether the figure would be another one if sequences were shorter: what is counted in a sequence or seen in
 * the course of it. Shares of failures and of cases are not. */
static bool hangs_on_length(enum cor_metric metric) {
    switch (metric) {
    case COR_METRIC_EP_STATE_COVERAGE:
    case COR_METRIC_EP_TRANSITION_COVERAGE:
    case COR_METRIC_WITHOUT_DETECTED:
    case COR_METRIC_WITHOUT_ACTIVATED:
    case COR_METRIC_TEST_CASES:
    case COR_METRIC_APPLIED_CASES:
    case COR_METRIC_REORGANIZATIONS:
    case COR_METRIC_FAILURES:
    case COR_METRIC_FAULTY_STATES:
    case COR_METRIC_FAILURES_TOTAL:
    case COR_METRIC_DEPTH:
    case COR_METRIC_DEPTH_GRAY:
    case COR_METRIC_DEPTH_BLACK:
        return true;
    default:
        return false;
    }
}

enum cor_status cor_tables_create(struct cor_result *result, double level, enum cor_interval method,
                                  struct cor_tables **tables, struct cor_error *error) {
    COR_ASSERT(level >= 0.5 && level <= 0.9999);
    COR_ASSERT(method != COR_INTERVAL_NONE);
    COR_DESTROYED(cor_tables) struct cor_tables *made = cor_calloc(1, sizeof *made);
    *tables = NULL;
    COR_TRY(cor_made(made, error));
    made->head = cor_result_head(result);
    made->level = level;
    made->method = method;
    COR_TRY(cor_is_paired(made->head->experiment, &made->paired, error));
    COR_TRY(cor_says(made->head->experiment, "repeats", "003", &made->repeats, error));
    bool as_long;
    COR_TRY(
        cor_ranges(made->head->experiment, "cases", PAPER_CASES_LEAST, PAPER_CASES_MOST, &as_long, error));
    COR_TRY(
        cor_measurement_create(result, COR_MEASURE_TABLES | COR_MEASURE_KILLS, &made->measurement, error));
    made->arm = cor_calloc(made->measurement->arm_count, sizeof *made->arm);
    if (!made->arm)
        COR_TRY(cor_fail_memory(error));
    for (; made->arm_count < made->measurement->arm_count; made->arm_count++) {
        const size_t a = made->arm_count;
        struct cor_arm_tables *arm = &made->arm[a];
        arm->measured = &made->measurement->arm[a];
        arm->name = arm->measured->entry->name;
        arm->published = views__paper_has(arm->name);
        for (enum cor_metric m = 0; m < COR_TABLE_METRICS; m++) {
            const struct cor_metric_schema *schema = cor_metric_schema(m);
            struct cor_figure *figure = &arm->figure[m];
            COR_TRY(cor_measurement_estimate(made->measurement, a, m, made->method, made->level,
                                             &figure->ours, error));
            figure->paper_mean = figure->paper_sd = NAN;
            if (!made->repeats || (!as_long && hangs_on_length(m)))
                continue;
            if (!views__paper_figure(schema->published_id, arm->name, &figure->paper_mean, &figure->paper_sd))
                figure->paper_derived =
                    views__paper_derive(schema->published_id, arm->name, &figure->paper_mean);
            figure->paper_note = views__paper_note(schema->id, arm->name);
        }
    }
    if (made->repeats)
        COR_TRY(views__judge_claims(made, error));
    *tables = cor_taken(&made);
    return COR_OK;
}

void cor_tables_destroy(struct cor_tables *tables) {
    if (!tables)
        return;
    cor_measurement_destroy(tables->measurement);
    COR_FREE(tables->arm, tables);
}

/* ---- what the paper claims, judged from the figures. Only arms that are columns of the paper take part */

#define PAPER_SUITES 70   /* of each arm of the published evaluation */
#define ORDER_STREAMS 100 /* streams of orders: behind those of metrics */

const struct cor_claim_schema *cor_claim_schema(enum cor_claim claim) {
    static const struct cor_claim_schema schemas[] = {
#define COR_CLAIM(NAME, id, rule, margin, low, high, unit, sentence) \
    {id, unit, sentence, COR_RULE_##rule, margin, low, high},
        COR_CLAIMS(COR_CLAIM)
#undef COR_CLAIM
    };
    COR_ASSERT(claim < COR_CLAIM_COUNT);
    return &schemas[claim];
}

const char *cor_claim_rule_word(enum cor_claim_rule rule) {
    static const char *const words[] = {"seen", "never", "order", "ratio", "band"};
    return words[rule];
}

const char *cor_claim_verdict_word(enum cor_claim_verdict verdict) {
    static const char *const words[] = {"not_available", "holds", "does_not_hold", "undecided"};
    return words[verdict];
}

/* A figure that takes part in a combination: its standard error, and the suites that it comes from. */
struct term {
    double error;
    uint64_t suites;
};

/* Half the width of the interval of a sum of estimates; NaN without an error of each. Independent arms:
 * errors add in squares, degrees of freedom by Welch and Satterthwaite. Arms that share suites may go up and
 * down together: their errors add at most (triangle inequality), which bounds the width. */
static double half_width(const struct cor_tables *tables, const struct term *terms, size_t count) {
    double sum = 0, squares = 0, shares = 0, freedom = INFINITY;
    for (size_t i = 0; i < count; i++) {
        double error = terms[i].error, own = (double)terms[i].suites - 1;
        if (isnan(error) || own < 1)
            return NAN;
        sum += error;
        squares += error * error;
        shares += error * error * error * error / own;
        freedom = fmin(freedom, own);
    }
    if (!(squares > 0))
        return NAN;
    if (!tables->paired)
        freedom = squares * squares / shares;
    return gsl_cdf_tdist_Pinv(0.5 + tables->level / 2, freedom) * (tables->paired ? sum : sqrt(squares));
}

static struct term term_of(const struct cor_figure *figure, double scale) {
    return (struct term){figure->ours.error * scale, figure->ours.suites};
}

static bool takes_part(const struct cor_arm_tables *arm, const char *algorithm) {
    return arm->published && arm->measured->sequences > 0 &&
           strncmp(arm->name, algorithm, strlen(algorithm)) == 0;
}

/* A part to be filled in and judged, NULL if there is no room: two arms of one name in a damaged file. */
static struct cor_claim_part *add_part(struct cor_claim_result *result, const char *name) {
    if (result->part_count == COR_CLAIM_PARTS)
        return NULL;
    struct cor_claim_part *part = &result->part[result->part_count++];
    *part = (struct cor_claim_part){
        .mean = NAN, .low = NAN, .high = NAN, .p = NAN, .p_against = NAN, .paper = NAN};
    snprintf(part->name, sizeof part->name, "%s", name);
    return part;
}

static enum cor_claim_verdict between(double low, double high, double least, double most) {
    if (isnan(low) || isnan(high))
        return COR_CLAIM_NOT_AVAILABLE;
    return low >= least && high <= most ? COR_CLAIM_HOLDS
           : high < least || low > most ? COR_CLAIM_DOES_NOT_HOLD
                                        : COR_CLAIM_UNDECIDED;
}

static enum cor_claim_verdict verdict_of(const struct cor_claim_schema *schema, double level,
                                         const struct cor_claim_part *part) {
    const bool none = part->mean <= 0, bounded = part->high <= schema->margin; /* false for NaN */
    switch (schema->rule) {
    case COR_RULE_SEEN:
        return !none ? COR_CLAIM_HOLDS : bounded ? COR_CLAIM_DOES_NOT_HOLD : COR_CLAIM_UNDECIDED;
    case COR_RULE_NEVER:
        return !none ? COR_CLAIM_DOES_NOT_HOLD : bounded ? COR_CLAIM_HOLDS : COR_CLAIM_UNDECIDED;
    case COR_RULE_ORDER:
        if (isnan(part->p))
            return COR_CLAIM_NOT_AVAILABLE;
        return part->p < 1 - level           ? COR_CLAIM_HOLDS
               : part->p_against < 1 - level ? COR_CLAIM_DOES_NOT_HOLD
                                             : COR_CLAIM_UNDECIDED;
    case COR_RULE_RATIO:
        return between(part->low, part->high, part->paper / schema->margin, part->paper * schema->margin);
    case COR_RULE_BAND:
        return between(part->low, part->high, schema->band_low - schema->margin,
                       schema->band_high + schema->margin);
    }
    return COR_CLAIM_NOT_AVAILABLE;
}

/* The claim stands as its worst part. */
static void judge(const struct cor_tables *tables, enum cor_claim claim, struct cor_claim_result *result,
                  struct cor_claim_part *part) {
    part->verdict = isnan(part->mean) ? COR_CLAIM_NOT_AVAILABLE
                                      : verdict_of(cor_claim_schema(claim), tables->level, part);
    result->count[part->verdict]++;
    result->verdict = result->count[COR_CLAIM_DOES_NOT_HOLD] > 0 ? COR_CLAIM_DOES_NOT_HOLD
                      : result->count[COR_CLAIM_UNDECIDED] > 0   ? COR_CLAIM_UNDECIDED
                      : result->count[COR_CLAIM_HOLDS] > 0       ? COR_CLAIM_HOLDS
                                                                 : COR_CLAIM_NOT_AVAILABLE;
}

/* Adds what one arm shows: a figure of the tables, or 100 less that figure. */
static void put_arm(struct cor_tables *tables, const struct cor_arm_tables *arm, enum cor_claim claim,
                    enum cor_metric metric) {
    struct cor_claim_result *result = &tables->claim[claim];
    const struct cor_figure *figure = &arm->figure[metric];
    bool rest = metric == COR_METRIC_WITHOUT_DETECTED;
    struct cor_claim_part *part = add_part(result, arm->name);
    if (!part)
        return;
    part->mean = rest ? 100 - figure->ours.mean : figure->ours.mean;
    part->low = rest ? 100 - figure->ours.high : figure->ours.low;
    part->high = rest ? 100 - figure->ours.low : figure->ours.high;
    part->paper = rest ? 100 - figure->paper_mean : figure->paper_mean;
    part->interval = figure->ours.interval;
    part->note = figure->paper_note;
    judge(tables, claim, result, part);
}

static void each_arm(struct cor_tables *tables, enum cor_claim claim, enum cor_metric metric,
                     const char *algorithm) {
    for (size_t a = 0; a < tables->arm_count; a++)
        if (takes_part(&tables->arm[a], algorithm))
            put_arm(tables, &tables->arm[a], claim, metric);
}

/* Each arm that has a published figure, and their mean, in which all count alike. */
static void arms_and_mean(struct cor_tables *tables, enum cor_claim claim, enum cor_metric metric) {
    const struct cor_arm_tables *arms[COR_CLAIM_PARTS];
    struct term terms[COR_CLAIM_PARTS];
    double mean = 0, paper = 0;
    /* The arms that take part, at most as many as there is room for. */
    size_t count = 0;
    for (size_t a = 0; a < tables->arm_count && count < COR_CLAIM_PARTS - 1; a++)
        if (takes_part(&tables->arm[a], "") && !isnan(tables->arm[a].figure[metric].paper_mean))
            arms[count++] = &tables->arm[a];
    for (size_t i = 0; i < count; i++) {
        const struct cor_figure *figure = &arms[i]->figure[metric];
        put_arm(tables, arms[i], claim, metric);
        mean += figure->ours.mean / (double)count;
        paper += figure->paper_mean / (double)count;
        terms[i] = term_of(figure, 1 / (double)count);
    }
    struct cor_claim_part *part = count > 1 ? add_part(&tables->claim[claim], "all arms") : NULL;
    if (!part)
        return;
    double half = half_width(tables, terms, count);
    part->mean = mean;
    part->paper = paper;
    if (!isnan(half)) {
        part->interval = COR_INTERVAL_ACROSS_ARMS;
        part->low = fmax(mean - half, 0);
        part->high = fmin(mean + half, 100); /* percentages, all of them */
    }
    judge(tables, claim, &tables->claim[claim], part);
}

/* The arm that is that column of the paper, if it ran. */
static const struct cor_arm_tables *find(const struct cor_tables *tables, const char *name) {
    for (size_t a = 0; a < tables->arm_count; a++)
        if (strcmp(tables->arm[a].name, name) == 0 && takes_part(&tables->arm[a], ""))
            return &tables->arm[a];
    return NULL;
}

/* Arms whose figures are put in order; the first is the one that is claimed to lead. */
struct order {
    enum cor_metric metric;
    int sign; /* 1: its figure is the greatest, -1: the least */
    const struct cor_arm_tables *arm[COR_CLAIM_PARTS];
    uint32_t count;
};

static struct order order_of(const struct cor_tables *tables, const char *const *names,
                             enum cor_metric metric, int sign) {
    struct order order = {.metric = metric, .sign = sign};
    for (; *names; names++) {
        const struct cor_arm_tables *arm = find(tables, *names);
        if (arm && !isnan(arm->figure[metric].ours.mean))
            order.arm[order.count++] = arm;
        else if (order.count == 0)
            break; /* the one it is about is not there */
    }
    return order;
}

/* The next of the others to the first, by our figures or by the published ones. */
static const struct cor_arm_tables *next_of(const struct order *order, bool published) {
    const struct cor_arm_tables *best = order->arm[1];
    for (uint32_t i = 2; i < order->count; i++) {
        const struct cor_figure *one = &order->arm[i]->figure[order->metric],
                                *other = &best->figure[order->metric];
        double lead = published ? one->paper_mean - other->paper_mean : one->ours.mean - other->ours.mean;
        best = lead * order->sign > 0 ? order->arm[i] : best;
    }
    return best;
}

/* What the suites of an arm showed of a metric: y, then x, in `room`, from where room is left then. */
static struct cor_ratio_group suites_of(const struct cor_tables *tables, const struct cor_arm_tables *arm,
                                        enum cor_metric metric, double **room) {
    const struct cor_arm_measurement *it = arm->measured;
    double *y = *room, *x = y + it->suites;
    for (size_t s = 0; s < it->suites; s++) {
        y[s] = tables->measurement->suite[it->first_suite + s].y[metric];
        x[s] = tables->measurement->suite[it->first_suite + s].x[metric];
    }
    *room = x + it->suites;
    return (struct cor_ratio_group){y, x, (uint32_t)it->suites};
}

/* How likely chance is to put the first arm so far ahead of each of the others, and some other so far ahead
 * of the first. It leads only where it leads each of them, so the greatest p is that of the claim (an
 * intersection-union test); that one of several is ahead is asked of each, so its p is corrected
 * (Bonferroni). */
static enum cor_status test_order(const struct cor_tables *tables, const struct order *order,
                                  enum cor_claim claim, struct cor_claim_part *part,
                                  struct cor_error *error) {
    size_t suites = 0;
    for (uint32_t i = 0; i < order->count; i++)
        suites += order->arm[i]->measured->suites;
    COR_FREED double *numbers = cor_calloc(2 * suites, sizeof *numbers);
    double *room = numbers;
    COR_TRY(cor_made(numbers, error));
    const struct cor_ratio_group first = suites_of(tables, order->arm[0], order->metric, &room);
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){
        .seed = tables->head->seed, .entity = ORDER_STREAMS + claim, .purpose = COR_PURPOSE_PERMUTATION});
    part->p = part->p_against = NAN;
    for (uint32_t i = 1; i < order->count; i++) {
        const struct cor_ratio_group other = suites_of(tables, order->arm[i], order->metric, &room);
        const struct cor_ratio_pair pair = {{first, other},
                                            tables->paired && other.cluster_count == first.cluster_count};
        struct cor_rearranged p;
        COR_TRY(cor_rearrange_ratios(&pair, 1, &rng, &p, error));
        part->p = fmax(part->p, order->sign > 0 ? p.above : p.below);
        part->p_against =
            fmin(part->p_against, fmin((order->sign > 0 ? p.below : p.above) * (order->count - 1), 1));
    }
    return COR_OK;
}

/* The first of the arms leads: its lead over the next, and how sure the order is. */
static enum cor_status lead(struct cor_tables *tables, enum cor_claim claim, const struct order *order,
                            struct cor_error *error) {
    if (order->count < 2)
        return COR_OK;
    const struct cor_arm_tables *own = order->arm[0], *next = next_of(order, false);
    const struct cor_figure *one = &own->figure[order->metric], *two = &next->figure[order->metric];
    char name[40];
    snprintf(name, sizeof name, "%.14s against %.14s", own->name, next->name);
    struct cor_claim_part *part = add_part(&tables->claim[claim], name);
    const struct term terms[] = {term_of(one, 1), term_of(two, 1)};
    const double half = half_width(tables, terms, 2);
    part->mean = (one->ours.mean - two->ours.mean) * order->sign;
    part->paper = (one->paper_mean - next_of(order, true)->figure[order->metric].paper_mean) * order->sign;
    part->note = one->paper_note;
    if (!isnan(half)) {
        part->interval = COR_INTERVAL_ACROSS_ARMS;
        part->low = part->mean - half;
        part->high = part->mean + half;
    }
    COR_TRY(test_order(tables, order, claim, part, error));
    judge(tables, claim, &tables->claim[claim], part);
    return COR_OK;
}

/* Of a published mean, relative: its deviation is over sequences, of which those of a suite count as one. */
static double published_error(double mean, double sd) {
    return sd / mean / sqrt(PAPER_SUITES);
}

/* Ratio of two means, its interval on the logarithm: error of log x = error of x / x (delta method); that of
 * the published ratio adds to it. The figures of `rest` are shares of which 100 less the share counts. */
static void ratio(struct cor_tables *tables, enum cor_claim claim, enum cor_metric metric, bool rest,
                  double paper, const char *note) {
    const struct cor_arm_tables *f5 = find(tables, "PSOPP-F5"), *f5d = find(tables, "PSOPP-F5d");
    if (!f5 || !f5d)
        return;
    const struct cor_figure *many = &f5d->figure[metric], *few = &f5->figure[metric];
    double above = rest ? 100 - many->ours.mean : many->ours.mean,
           below = rest ? 100 - few->ours.mean : few->ours.mean;
    struct cor_claim_part *part = add_part(&tables->claim[claim], "PSOPP-F5d / PSOPP-F5");
    part->paper = paper;
    part->note = note;
    if (!(below > 0))
        return;
    part->mean = above / below;
    struct term terms[] = {term_of(many, 1 / above), term_of(few, 1 / below)};
    double half = above > 0 ? half_width(tables, terms, 2) : (double)NAN;
    if (!isnan(half)) {
        const double published =
            gsl_cdf_ugaussian_Pinv(0.5 + tables->level / 2) *
            hypot(published_error(rest ? 100 - many->paper_mean : many->paper_mean, many->paper_sd),
                  published_error(rest ? 100 - few->paper_mean : few->paper_mean, few->paper_sd));
        part->interval = COR_INTERVAL_ACROSS_ARMS;
        part->low = part->mean * exp(-hypot(half, published));
        part->high = part->mean * exp(hypot(half, published));
    }
    judge(tables, claim, &tables->claim[claim], part);
}

static void directed_pays(struct cor_tables *tables) {
    const struct cor_arm_tables *f5 = find(tables, "PSOPP-F5"), *f5d = find(tables, "PSOPP-F5d");
    if (!f5 || !f5d)
        return;
    enum cor_metric total = COR_METRIC_FAILURES_TOTAL, without = COR_METRIC_WITHOUT_ACTIVATED;
    ratio(tables, COR_CLAIM_F5D_FAILURES, COR_METRIC_FAILURES, false,
          f5d->figure[total].paper_mean / f5->figure[total].paper_mean, NULL);
    ratio(tables, COR_CLAIM_F5D_SEQUENCES, without, true,
          (100 - f5d->figure[without].paper_mean) / (100 - f5->figure[without].paper_mean),
          "29.78 % / 2.14 %; A6: the 2.14 % are of activated failures, and so are ours");
}

/* The text says never, Table 2 says otherwise of one arm; the figure beside ours is that of the text. */
static void black_also_gray(struct cor_tables *tables) {
    struct cor_claim_result *result = &tables->claim[COR_CLAIM_BLACK_ALSO_GRAY];
    each_arm(tables, COR_CLAIM_BLACK_ALSO_GRAY, COR_METRIC_BLACK_NOT_GRAY, "");
    for (size_t p = 0; p < result->part_count; p++) {
        result->part[p].paper = 0;
        if (strcmp(result->part[p].name, "PSOPP-F2") == 0)
            result->part[p].note = "A8: Table 2 has 0.93 % of the failing sequences in the black box only";
    }
}

enum cor_status views__judge_claims(struct cor_tables *tables, struct cor_error *error) {
    each_arm(tables, COR_CLAIM_EVERY_FAULT_FOUND, COR_METRIC_WITHOUT_DETECTED, "");
    black_also_gray(tables);
    /* The paper's own exception: it prints the same share of both boxes for PSOPP-F4. */
    enum cor_metric metric = COR_METRIC_GRAY_NOT_BLACK;
    for (size_t a = 0; a < tables->arm_count; a++)
        if (takes_part(&tables->arm[a], "") && tables->arm[a].figure[metric].paper_mean > 0)
            put_arm(tables, &tables->arm[a], COR_CLAIM_GRAY_ABOVE_BLACK, metric);
    each_arm(tables, COR_CLAIM_SPADA_BLACK_NONE, COR_METRIC_DETECTED_BLACK, "SPADA");
    each_arm(tables, COR_CLAIM_PSOPP_MASKING, COR_METRIC_UNDETECTED, "PSOPP");
    static const char *const f4[] = {"PSOPP-F4", "PSOPP-F1", "PSOPP-F2", "PSOPP-F3", "PSOPP-F5", NULL},
                             *const f5[] = {"PSOPP-F5", "PSOPP-F1", "PSOPP-F2", "PSOPP-F3", "PSOPP-F4", NULL},
                             *const f5d[] = {"PSOPP-F5d", "PSOPP-F5", NULL};
    const struct order masked = order_of(tables, f4, COR_METRIC_UNDETECTED, 1),
                       rarest = order_of(tables, f5, COR_METRIC_WITHOUT_DETECTED, 1),
                       detected = order_of(tables, f5d, COR_METRIC_UNDETECTED, -1);
    COR_TRY(lead(tables, COR_CLAIM_F4_MASKED_MOST, &masked, error));
    COR_TRY(lead(tables, COR_CLAIM_F5_RAREST, &rarest, error));
    COR_TRY(lead(tables, COR_CLAIM_F5D_DETECTED, &detected, error));
    directed_pays(tables);
    arms_and_mean(tables, COR_CLAIM_STATE_COVERAGE, COR_METRIC_EP_STATE_COVERAGE);
    arms_and_mean(tables, COR_CLAIM_TRANSITION_COVERAGE, COR_METRIC_EP_TRANSITION_COVERAGE);
    arms_and_mean(tables, COR_CLAIM_REORGANIZING, COR_METRIC_REORGANIZING);
    return COR_OK;
}

#define VERDICTS \
    "holds, does_not_hold, undecided, or not_available: the arms or suites it needs are not there"

#define CLAIM(member) COR_CELL_OF(struct cor_claim_schema, member)
#define RESULT(member) COR_CELL_OF(struct cor_claim_result, member)
static const struct cor_column_definition claims_columns[] = {
    {"verdict", "", "", VERDICTS, COR_CELL_WORD, 0, 0},
    {"sentence", "", "", "what the paper claims", COR_TEXT_OF(struct cor_claim_schema, sentence)},
    {"unit", "", "", "what is compared", COR_TEXT_OF(struct cor_claim_schema, unit), 0, COR_COLUMN_DATA},
    {"claim", "", "", "its id", CLAIM(id), 0, COR_COLUMN_DATA},
    {"rule", "", "", "how it is judged: seen, never, order, ratio or band", COR_CELL_WORD, 0,
     COR_COLUMN_DATA},
    {"margin", "margin", "", "what is let pass, in the unit; of a ratio the factor", CLAIM(margin), 1},
    {"band_low", "", "", "least value that the paper says", CLAIM(band_low), 2, COR_COLUMN_DATA},
    {"band_high", "", "", "greatest value that it says", CLAIM(band_high), 2, COR_COLUMN_DATA},
    {"holding", "holds", "1", "parts that hold", RESULT(count[COR_CLAIM_HOLDS])},
    {"not_holding", "does not", "1", "parts that do not", RESULT(count[COR_CLAIM_DOES_NOT_HOLD])},
    {"undecided", "undecided", "1", "parts of which the file does not say enough",
     RESULT(count[COR_CLAIM_UNDECIDED])},
};
#define PART(member) COR_CELL_OF(struct cor_claim_part, member)
static const struct cor_column_definition claim_parts_columns[] = {
    {"sentence", "", "", "what the paper claims, and in what", COR_CELL_TEXT, 0, COR_COLUMN_GROUP},
    {"claim", "", "", "its id", COR_CELL_WORD, 0, COR_COLUMN_DATA},
    {"name", "", "", "the arm, all arms, or the arms compared", COR_CELL_TEXT, 0, 0},
    {"verdict", "", "", VERDICTS, COR_CELL_WORD, 0, 0},
    {"mean", "ours", "", "ours, in the claim's unit", PART(mean), 2},
    {"low", "from", "", "lower end of its interval", PART(low), 2},
    {"high", "to", "", "upper end; of a ratio both with the published error", PART(high), 2},
    {"interval", "", "", "how the interval was made", COR_CELL_WORD, 0, COR_COLUMN_DATA},
    {"p", "p", "1", "that chance puts the arm so far ahead of each other: 1999 rearrangements of suites",
     PART(p), 4},
    {"p_against", "against", "1", "that chance puts one of the others so far ahead of it, corrected",
     PART(p_against), 4},
    {"paper", "paper", "", "published value beside it", PART(paper), 2},
    {"note", "", "", "why the published value is to be distrusted, or what it rests on",
     COR_TEXT_OF(struct cor_claim_part, note), 0, COR_COLUMN_DATA},
};
#define AGREEMENT(member) COR_CELL_OF(struct cor_agreement, member)
static const struct cor_column_definition agreement_columns[] = {
    {"arm", "arm", "", "name of the arm", COR_CELL_WORD, 0, 0},
    {"compared", "compared", "1", "figures with a published mean and an interval of ours",
     AGREEMENT(compared)},
    {"inside", "in the interval", "1", "=: the published mean lies in our interval", AGREEMENT(inside)},
    {"unsure", "too wide", "1", "?: likewise, but the interval is too wide to say so much",
     AGREEMENT(unsure)},
    {"below", "ours below", "1", "ours lies below it", AGREEMENT(below)},
    {"above", "ours above", "1", "ours lies above it", AGREEMENT(above)},
    {"doubtful", "doubtful", "1", "of those below or above: the published figure is to be distrusted",
     AGREEMENT(doubtful)},
};
const struct cor_sheet_definition views__claims_sheet = COR_SHEET_OVER(
                                      claims_columns, "claims", "What the paper claims", "a claim", 0, 0),
                                  views__claim_parts_sheet =
                                      COR_SHEET_OVER(claim_parts_columns, "claim_parts", "... of which arms",
                                                     "a claim in an arm, or in several together", 0, 0),
                                  views__agreement_sheet = COR_SHEET_OVER(
                                      agreement_columns, "agreement", "Published means in our intervals",
                                      "an arm that is a column of the paper", 0, 0);

static enum cor_tone tone_of(enum cor_claim_verdict verdict) {
    static const enum cor_tone tones[] = {COR_TONE_FAINT, COR_TONE_GOOD, COR_TONE_BAD, COR_TONE_FAINT};
    return tones[verdict];
}

void views__put_claims(const struct cor_tables *tables, struct cor_sheets *sheets) {
    struct cor_sheet *claims = cor_sheets_add(sheets, &views__claims_sheet);
    struct cor_sheet *parts = cor_sheets_add(sheets, &views__claim_parts_sheet);
    for (enum cor_claim c = 0; c < COR_CLAIM_COUNT; c++) {
        const struct cor_claim_schema *schema = cor_claim_schema(c);
        const struct cor_claim_result *result = &tables->claim[c];
        cor_sheet_row(claims);
        cor_sheet_word(claims, cor_claim_verdict_word(result->verdict));
        cor_sheet_tone(claims, tone_of(result->verdict));
        COR_SHEET_PUT(claims, struct cor_claim_schema, schema);
        cor_sheet_word(claims, cor_claim_rule_word(schema->rule));
        COR_SHEET_PUT(claims, struct cor_claim_schema, schema);
        COR_SHEET_PUT(claims, struct cor_claim_result, result);
        for (size_t p = 0; p < result->part_count; p++) {
            const struct cor_claim_part *part = &result->part[p];
            cor_sheet_row(parts);
            cor_sheet_text(parts, "%s  (%s)", schema->sentence, schema->unit);
            cor_sheet_word(parts, schema->id);
            cor_sheet_text(parts, "%s", part->name);
            cor_sheet_word(parts, cor_claim_verdict_word(part->verdict));
            cor_sheet_tone(parts, tone_of(part->verdict));
            COR_SHEET_PUT(parts, struct cor_claim_part, part);
            cor_sheet_word(parts, cor_interval_word(part->interval));
            COR_SHEET_PUT(parts, struct cor_claim_part, part);
            if (part->note)
                cor_sheet_remark(parts, "! paper, %s, %s: %s", schema->id, part->name, part->note);
        }
    }
    struct cor_sheet *sheet = cor_sheets_add(sheets, &views__agreement_sheet);
    uint64_t inside = 0, compared = 0;
    for (size_t a = 0; a < tables->arm_count; a++) {
        struct cor_agreement it = cor_tables_agreement(&tables->arm[a]);
        cor_sheet_row(sheet);
        cor_sheet_word(sheet, tables->arm[a].name);
        COR_SHEET_PUT(sheet, struct cor_agreement, &it);
        inside += it.inside;
        compared += it.compared;
    }
    cor_sheet_remark(sheet,
                     "%" PRIu64 " of %" PRIu64
                     " figures agree; those of an arm depend on each other, so that no "
                     "number is to be expected",
                     inside, compared);
}

struct cor_agreement cor_tables_agreement(const struct cor_arm_tables *arm) {
    struct cor_agreement agreement = {0};
    for (int m = 0; m < COR_TABLE_METRICS; m++) {
        const struct cor_metric_schema *schema = cor_metric_schema((enum cor_metric)m);
        const struct cor_figure *figure = &arm->figure[m];
        char relation = cor_figure_relation(figure, (enum cor_metric)m);
        bool second_reading = strcmp(schema->id, schema->published_id) != 0;
        if (second_reading || figure->paper_derived || relation == ' ')
            continue;
        agreement.compared++;
        agreement.inside += relation == '=';
        agreement.unsure += relation == '?';
        agreement.below += relation == '<';
        agreement.above += relation == '>';
        agreement.doubtful += (relation == '<' || relation == '>') && figure->paper_note;
    }
    return agreement;
}

/* Half of the interval, over the published mean. */
#define NARROW 0.25
#define NARROW_POINTS 5 /* of a percentage */

char cor_figure_relation(const struct cor_figure *figure, enum cor_metric metric) {
    const struct cor_estimate *ours = &figure->ours;
    const double published = figure->paper_mean, half = (ours->high - ours->low) / 2;
    if (ours->interval == COR_INTERVAL_NONE || ours->interval == COR_INTERVAL_FEW_SUITES || isnan(published))
        return ' ';
    if (ours->high < published)
        return '<';
    if (ours->low > published)
        return '>';
    if (ours->interval == COR_INTERVAL_CLOPPER_PEARSON)
        return fabs(ours->mean - published) < 0.005 ? '=' : '?'; /* as printed, with two digits */
    return half <= NARROW * fabs(published) || (cor_metric_whole(metric) >= 100 && half <= NARROW_POINTS)
               ? '='
               : '?';
}

/* ---- what was found, and the two tables of the paper: the view `tables` */

#define ARM \
    { "arm", "arm", "", "name of the arm: algorithm, fault and preset", COR_CELL_WORD, 0, 0 }

static const struct cor_column_definition about_columns[] = {
    {"arms", "arms", "1", "arms of the campaign", COR_CELL_COUNT, 0, 0},
    {"suites", "suites", "1", "suites in the file", COR_CELL_COUNT, 0, 0},
    {"planned_suites", "planned suites", "1",
     "suites that the experiment asks for; nothing for an endless one", COR_CELL_COUNT, 0, 0},
    {"complete", "complete", "", "every planned suite is in the file", COR_CELL_FLAG, 0, 0},
    {"sequences", "test sequences", "1", "test sequences, without continuations of failed ones",
     COR_CELL_COUNT, 0, 0},
    {"cases", "test cases", "1", "test cases generated", COR_CELL_COUNT, 0, 0},
    {"seed", "seed", "", "seed of the campaign", COR_CELL_WORD, 0, 0},
    {"paired", "paired", "", "the arms share suites", COR_CELL_FLAG, 0, COR_COLUMN_DATA},
    {"level", "level of intervals", "1", "level of the intervals", COR_CELL_REAL, COR_DIGITS_FOUR, 0},
    {"method", "intervals", "", "how intervals over suites are made", COR_CELL_WORD, 0, 0},
};
COR_SHEET_DEFINITION(about, "about", "", "the file, and what was asked for",
                     COR_SHEET_RECORD | COR_SHEET_DATA, 0);

#define MEASURED(member) COR_CELL_OF(struct cor_arm_measurement, member)
static const struct cor_column_definition found_columns[] = {
    ARM,
    {"suites", "suites", "1", "suites of the arm", MEASURED(suites)},
    {"sequences", "sequences", "1", "test sequences, without continuations of failed ones",
     MEASURED(sequences), 0, COR_COLUMN_DATA},
    {"verdict", "verdict", "",
     "found: a check saw the fault; not found: it was activated, and nothing saw it; not reached: it was "
     "never activated; no check failed: no fault, and no check failed; FAILS: no fault, and a check failed, "
     "or a mechanism beside the algorithm did not do its work; "
     "undecided: no check failed, but the oracle could not decide every case, or the algorithm was never "
     "called; no suites; contradiction: the rows of the arm contradict each other",
     COR_CELL_WORD, 0, 0},
    {"found_by", "by", "",
     "mechanism: one failed; gray, black: the boxes that saw something; else agreement: the structure is not "
     "the accepted solution "
     "(C7), detect: alarms missed or false (R-Detect), time: a rule over the cases of a sequence, move: a "
     "structure on the way of an adoption",
     COR_CELL_WORD, 0, 0},
    {"sequences_detected", "detecting", "1", "sequences with a detection", MEASURED(sequences_detected)},
    {"sequences_detected_pct", "", "%", "... of all sequences", COR_CELL_REAL, 1, 0},
    {"failures", "activated", "1", "reorganizations with an activated fault (A4)", MEASURED(failures)},
    {"masked", "masked", "1", "activated failures that no box saw", MEASURED(tally.masked)},
    {"masked_pct", "", "%", "... of all activated", COR_CELL_REAL, 1, 0},
    {"unprovoked", "own\nfailures", "1", "failing cases without an activated fault, whichever box failed",
     MEASURED(tally.unprovoked)},
    {"why", "why", "", "the verdict in a sentence", COR_CELL_TEXT, 0, COR_COLUMN_DATA},
    {"found", "", "", "something was found", COR_CELL_FLAG, 0, COR_COLUMN_DATA},
};
COR_SHEET_DEFINITION(found, "found", "Found?", "an arm", 0, 0);

#define TALLY(member) COR_CELL_OF(struct cor_tally, member)
static const struct cor_column_definition happened_columns[] = {
    ARM,
    {"reorganizations", "all", "1", "reorganizations", TALLY(reorganizations)},
    {"reached", "reached", "1", "the fault's seam ran", TALLY(reached)},
    {"held", "held", "1", "its condition held", TALLY(held)},
    {"activated", "activated", "1", "it corrupted something", TALLY(activated)},
    {"in_result", "in result", "1", "the solution descends from it", TALLY(in_result)},
    {"gray", "gray", "1", "failed through the gray box, activated or not", TALLY(gray)},
    {"black", "black", "1", "failed through the black box, activated or not", TALLY(black)},
    {"masked", "masked", "1", "activated, and no box saw it", TALLY(masked)},
    {"in_result_passed", "", "1", "in the result, and the gray box passed it", TALLY(in_result_passed), 0,
     COR_COLUMN_DATA},
    {"activated_gray", "", "1", "activated, and the gray box failed", TALLY(activated_gray), 0,
     COR_COLUMN_DATA},
    {"activated_black", "", "1", "activated, and the black box failed", TALLY(activated_black), 0,
     COR_COLUMN_DATA},
    {"gray_unprovoked", "", "1", "the gray box failed, nothing activated", TALLY(gray_unprovoked), 0,
     COR_COLUMN_DATA},
    {"black_unprovoked", "", "1", "the black box failed, nothing activated", TALLY(black_unprovoked), 0,
     COR_COLUMN_DATA},
    {"black_only", "", "1", "the black box failed, the gray box not", TALLY(black_only), 0, COR_COLUMN_DATA},
    {"black_only_adoption", "", "1", "... where a fault of adoption was active", TALLY(black_only_adoption),
     0, COR_COLUMN_DATA},
    {"black_only_own_moves", "", "1", "... not so, but where the algorithm distributed its solution itself",
     TALLY(black_only_own_moves), 0, COR_COLUMN_DATA},
    {"adoption_faults", "", "1", "reorganizations whose adoption was corrupted", TALLY(adoption_faults), 0,
     COR_COLUMN_DATA},
    {"reached_times", "", "times", "the seam ran", TALLY(reached_times), 0, COR_COLUMN_DATA},
    {"held_times", "", "times", "the condition held", TALLY(held_times), 0, COR_COLUMN_DATA},
    {"activated_times", "", "times", "something was corrupted", TALLY(activated_times), 0, COR_COLUMN_DATA},
};
COR_SHEET_DEFINITION(happened, "reorganizations", "What happened in reorganizations", "an arm", 0, 0);

static const struct cor_column_definition checks_columns[] = {
    ARM,
    {"alarms", "alarms", "1", "alarms of the monitor, over executed cases", TALLY(alarms)},
    {"detect_judged", "judged", "1", "cases in which R-Detect was judged", TALLY(detect_judged)},
    {"alarms_missed", "missed", "1", "no alarm, although the invariant was violated", TALLY(alarms_missed)},
    {"alarms_false", "false", "1", "an alarm, although the invariant held", TALLY(alarms_false)},
    {"agreement_judged", "C7 judged", "1", "reorganizations in which C7 was judged", TALLY(agreement_judged)},
    {"agreement_failed", "C7 failed", "1", "the structure is not the accepted solution",
     TALLY(agreement_failed)},
    {"smoke", "smoke", "1", "reorganizations without a result", COR_CELL_COUNT, 0, 0},
    {"inside_after_pct", "back in", "%",
     "share of reorganizations after which the invariant holds, where the oracle looked", COR_CELL_REAL, 1,
     0},
    {"inside_after", "", "1", "the invariant holds after adoption", TALLY(inside_after), 0, COR_COLUMN_DATA},
    {"outside_after", "", "1", "the invariant does not hold after adoption", TALLY(outside_after), 0,
     COR_COLUMN_DATA},
};
COR_SHEET_DEFINITION(checks, "checks", "Other checks", "an arm", 0, 0);

static const struct cor_column_definition endings_columns[] = {
    ARM,
    {"family", "", "", "stop: why reorganizations ended; smoke: how they failed without a result",
     COR_CELL_WORD, 0, 0},
    {"word", "", "", "the code's word; not_said: none that its family has", COR_CELL_WORD, 0, 0},
    {"reorganizations", "", "1", "reorganizations that ended so", COR_CELL_COUNT, 0, 0},
};
COR_SHEET_DEFINITION(endings, "endings", "How reorganizations ended", "a code of an arm", COR_SHEET_DATA, 0);

static const struct cor_column_definition arms_columns[] = {
    ARM,
    {"code", "", "1", "code in catalog/arm", COR_CELL_COUNT, 0, 0},
    {"description", "", "", "description of the arm, JSON", COR_CELL_TEXT, 0, 0},
    {"published", "", "", "its name is a column of the paper's tables", COR_CELL_FLAG, 0, 0},
    {"cases", "", "1", "test cases generated", MEASURED(cases)},
    {"executed", "", "1", "test cases executed", MEASURED(executed)},
    {"sequences_activated", "", "1", "sequences with an activated fault", MEASURED(sequences_activated)},
    {"sequences_gray_only", "", "1", "sequences detected by the gray box only",
     MEASURED(sequences_gray_only)},
    {"sequences_black_only", "", "1", "sequences detected by the black box only",
     MEASURED(sequences_black_only)},
    {"sequences_both", "", "1", "sequences detected by both boxes", MEASURED(sequences_both)},
    {"steps_outside", "", "1", "steps of walks that the profile does not have", MEASURED(steps_outside)},
    {"suites_fallback", "", "1", "suites whose parameters follow the fallback law",
     MEASURED(suites_fallback)},
    {"continuations", "", "1", "sequences that continue failed ones (branching), in no other figure",
     MEASURED(continuations)},
};
COR_SHEET_DEFINITION(arms, "arms", "Arms", "an arm", COR_SHEET_DATA, 0);

#define CLASS(member) COR_CELL_OF(struct cor_failure_tally, member)
static const struct cor_column_definition classes_columns[] = {
    {"arm", "", "", "name of the arm: algorithm, fault and preset", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"cases", "cases", "1", "test cases of this class", CLASS(cases)},
    {"sequences", "sequences", "1", "test sequences with such a case", CLASS(sequences)},
    {"activated", "activated", "1", "of the cases, those with an activated fault", CLASS(activated)},
    {"suite", "", "1", "suite of the first", CLASS(first.suite), 0, COR_COLUMN_DATA},
    {"sequence", "", "1", "sequence of the first", CLASS(first.sequence), 0, COR_COLUMN_DATA},
    {"case", "", "1", "test case of the first", CLASS(first.case_), 0, COR_COLUMN_DATA},
    {"first", "first", "", "suite/sequence/case of the first", COR_CELL_TEXT, 0, 0},
    {"class", "what failed", "", "boxes and checks that saw it; masked: an activated fault that no box saw",
     COR_CELL_TEXT, 0, 0},
    {"sentence", "", "", "the first violation of the first in words", COR_CELL_TEXT, 0, COR_COLUMN_DATA},
};
COR_SHEET_DEFINITION(classes, "failures", "Failures by class", "failures of an arm that the same checks saw",
                     0, 0);

#define VIOLATION(member) COR_CELL_OF(struct cor_violation_row, member)
static const struct cor_column_definition first_columns[] = {
    ARM,
    {"box", "box", "", "box that saw it", COR_TERM_OF(struct cor_violation_row, box, COR_FAMILY_BOX)},
    {"suite", "suite", "1", "suite", VIOLATION(suite)},
    {"sequence", "sequence", "1", "sequence", VIOLATION(sequence)},
    {"case", "case", "1", "test case", VIOLATION(case_)},
    {"check", "check", "", "what is violated",
     COR_TERM_OF(struct cor_violation_row, check, COR_FAMILY_CHECK)},
    {"sentence", "", "", "the violation in words", COR_CELL_TEXT, 0, 0},
};
COR_SHEET_DEFINITION(first, "first_violations", "First violations",
                     "the first violation that a box saw in an arm", COR_SHEET_DATA, 0);

#define CONSTRAINT(member) COR_CELL_OF(struct cor_constraint_tally, member)
static const struct cor_column_definition constraints_columns[] = {
    {"arm", "", "", "name of the arm: algorithm, fault and preset", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"constraint", "constraint", "", "its name in the corridor", COR_CELL_WORD, 0, 0},
    {"gray", "gray", "1", "solutions that violate it", CONSTRAINT(gray)},
    {"black", "black", "1", "structures after adoption that violate it", CONSTRAINT(black)},
    {"interim", "interim", "1", "interim solutions that violate it", CONSTRAINT(interim), 0, COR_COLUMN_DATA},
    {"move", "moves", "1", "adoptions in which it was violated between two moves", CONSTRAINT(move)},
    {"looks", "outside", "cases", "test cases in which the oracle saw it violated, before reorganizing",
     CONSTRAINT(looks)},
    {"initial", "initial", "1", "initial structures that violate it", CONSTRAINT(initial), 0,
     COR_COLUMN_DATA},
    {"sequences", "in time", "sequences", "test sequences that violate it, of what is said of time",
     CONSTRAINT(sequences)},
    {"unknown", "unknown", "1", "of all these, those in which it is not known", CONSTRAINT(unknown)},
    {"stayed", "stayed", "alarms", "after which nothing was not met for longer", CONSTRAINT(stayed)},
    {"says", "says", "", "what the corridor says", COR_CELL_TEXT, 0, 0},
};
COR_SHEET_DEFINITION(constraints, "constraints", "Constraints of the corridor", "a constraint in an arm", 0,
                     0);

#define RETURNS(member) COR_CELL_OF(struct cor_return_tally, member)
static const struct cor_column_definition returns_columns[] = {
    ARM,
    {"alarms", "alarms", "alarms", "that did not come while another was open", RETURNS(alarms)},
    {"back", "back", "alarms", "after which the system was inside again", RETURNS(back)},
    {"mean_cases", "mean", "cases", "until then", COR_CELL_REAL, 2, 0},
    {"latest", "latest", "cases", "until then", RETURNS(latest)},
    {"by", "outside by", "", "the constraint that was most often not met for longest", COR_CELL_WORD, 0, 0},
};
COR_SHEET_DEFINITION(returns, "returns", "Back inside after alarms", "an arm", 0, 0);

/* What was published stands beside ours where the experiment says that it repeats the paper: elsewhere these
 * columns are there for JSON and CSV alone. */
#define FIGURES(beside)                                                                                     \
    {"table",                                                                                               \
     "",                                                                                                    \
     "",                                                                                                    \
     "1: environment profiles and their coverage by the generated walks; 2: configurations, failures and "  \
     "their detection",                                                                                     \
     COR_CELL_TEXT,                                                                                         \
     0,                                                                                                     \
     COR_COLUMN_GROUP},                                                                                     \
        {"label", "", "", "the metric in words", COR_CELL_TEXT, 0, COR_COLUMN_GROUP},                       \
        {"metric", "", "", "id of the metric", COR_CELL_WORD, 0, COR_COLUMN_DATA}, ARM,                     \
        {"ours",                                                                                            \
         "ours",                                                                                            \
         "",                                                                                                \
         "mean over test sequences (of failures: a share), with its interval over suites",                  \
         COR_CELL_ESTIMATE,                                                                                 \
         2,                                                                                                 \
         0},                                                                                                \
        {"sd", "SD", "", "standard deviation over test sequences", COR_CELL_REAL, 2, 0},                    \
        {"n", "n", "1", "sequences (of failures: failures) observed", COR_CELL_REAL, 0, 0},                 \
        {"relation",                                                                                        \
         "",                                                                                                \
         "",                                                                                                \
         "=: the published mean lies in our interval; ?: likewise, but it is too wide; <: ours lies below " \
         "it; >: "                                                                                          \
         "above",                                                                                           \
         COR_CELL_TEXT,                                                                                     \
         0,                                                                                                 \
         beside},                                                                                           \
        {"paper_mean",  "paper", "",    "published mean, if the experiment repeats the paper",              \
         COR_CELL_REAL, 2,       beside},                                                                   \
        {"paper_sd", "SD", "", "published standard deviation", COR_CELL_REAL, 2, beside},                   \
        {"paper_derived",                                                                                   \
         "",                                                                                                \
         "",                                                                                                \
         "not printed in the paper: it follows from figures that are",                                      \
         COR_CELL_FLAG,                                                                                     \
         0,                                                                                                 \
         COR_COLUMN_DATA},                                                                                  \
        {"paper_note",   "", "", "why the published figure is to be distrusted", COR_CELL_TEXT, 0,          \
         COR_COLUMN_DATA},                                                                                  \
        {"published_id", "", "", "id of the published figure", COR_CELL_WORD, 0, COR_COLUMN_DATA},
static const struct cor_column_definition figures_columns[] = {FIGURES(0)},
                                          ours_alone_columns[] = {FIGURES(COR_COLUMN_DATA)};
COR_SHEET_DEFINITION(figures, "figures", "Tables 1 and 2", "a metric of an arm", 0, 0);
COR_SHEET_DEFINITION(ours_alone, "figures", "Tables 1 and 2", "a metric of an arm", 0, 0);

#define IDENTITY(member) COR_CELL_OF(struct cor_identity_tally, member)
static const struct cor_column_definition identities_columns[] = {
    {"state", "", "", "holds, BROKEN, or n/a: nothing to check", COR_CELL_WORD, 0, 0},
    {"checked", "checked", "1", "suites, sequences, reorganizations or figures", IDENTITY(checked)},
    {"broken", "broken", "1", "thereof broken", IDENTITY(broken)},
    {"sentence", "", "", "what must hold", COR_CELL_TEXT, 0, 0},
    {"identity", "", "", "its id", COR_CELL_WORD, 0, COR_COLUMN_DATA},
};
COR_SHEET_DEFINITION(identities, "identities", "Must hold in every file", "an identity", 0, 0);

static const struct cor_column_definition arm_identities_columns[] = {
    ARM,
    {"identity", "", "", "its id", COR_CELL_WORD, 0, 0},
    {"holds", "", "", "nothing breaks it", COR_CELL_FLAG, 0, 0},
    {"checked", "", "1", "what was checked", IDENTITY(checked)},
    {"broken", "", "1", "of it, what breaks it", IDENTITY(broken)},
    {"values", "", "", "the figures, or where it was broken first", COR_CELL_TEXT, 0, 0},
};
COR_SHEET_DEFINITION(arm_identities, "arm_identities", "Identities of arms", "an identity in an arm",
                     COR_SHEET_DATA, 0);

static double percent(uint64_t part, uint64_t whole) {
    return whole > 0 ? 100.0 * (double)part / (double)whole : (double)NAN;
}

/* `found` gets the title that says what the file is. */
static void put_about(const struct cor_tables *tables, struct cor_sheet *sheet,
                      struct cor_sheet *found_sheet) {
    char planned[64] = " suites of an endless experiment";
    uint64_t suites = 0, sequences = 0, cases = 0;
    for (size_t a = 0; a < tables->arm_count; a++) {
        suites += tables->arm[a].measured->suites;
        sequences += tables->arm[a].measured->sequences;
        cases += tables->arm[a].measured->cases;
    }
    cor_sheet_row(sheet);
    cor_sheet_count(sheet, tables->arm_count);
    cor_sheet_count(sheet, suites);
    if (tables->head->planned_suites > 0)
        cor_sheet_count(sheet, tables->head->planned_suites);
    else
        cor_sheet_nothing(sheet);
    cor_sheet_flag(sheet, tables->head->complete);
    cor_sheet_count(sheet, sequences);
    cor_sheet_count(sheet, cases);
    char seed[24];
    snprintf(seed, sizeof seed, "0x%016" PRIx64, tables->head->seed);
    if (tables->head->planned_suites > 0)
        snprintf(planned, sizeof planned, " of %" PRIu64 " planned suites", tables->head->planned_suites);
    cor_sheet_title(found_sheet,
                    "Found?  %zu arms, %" PRIu64 "%s, %" PRIu64 " test sequences, %" PRIu64
                    " cases generated; seed %s",
                    tables->arm_count, suites, planned, sequences, cases, seed);
    cor_sheet_word(sheet, seed);
    cor_sheet_flag(sheet, tables->paired);
    cor_sheet_real(sheet, tables->level);
    cor_sheet_word(sheet, cor_interval_word(tables->method));
}

static void put_found_arm(const struct cor_arm_tables *arm, struct cor_sheet *sheet) {
    const struct cor_arm_measurement *m = arm->measured;
    struct cor_arm_verdict verdict = cor_arm_verdict(m);
    const char *words[COR_FOUND_BY];
    size_t by = cor_found_by(&m->tally, words);
    cor_sheet_row(sheet);
    cor_sheet_word(sheet, arm->name);
    COR_SHEET_PUT(sheet, struct cor_arm_measurement, m);
    cor_sheet_word(sheet, cor_arm_outcome_word(verdict.outcome));
    cor_sheet_tone(sheet, cor_arm_outcome_is_good(verdict.outcome) ? COR_TONE_GOOD : COR_TONE_BAD);
    char finders[64] = "";
    for (size_t i = 0, length = 0; i < by; i++)
        length +=
            (size_t)snprintf(finders + length, sizeof finders - length, "%s%s", i > 0 ? ", " : "", words[i]);
    cor_sheet_text(sheet, "%s", finders);
    COR_SHEET_PUT(sheet, struct cor_arm_measurement, m);
    cor_sheet_real(sheet, percent(m->sequences_detected, m->sequences));
    COR_SHEET_PUT(sheet, struct cor_arm_measurement, m);
    cor_sheet_real(sheet, percent(m->tally.masked, m->failures));
    COR_SHEET_PUT(sheet, struct cor_arm_measurement, m);
    cor_sheet_text(sheet, "%s", verdict.message);
    cor_sheet_flag(sheet, by > 0);
    if (verdict.outcome != COR_ARM_FOUND && verdict.outcome != COR_ARM_PASSES)
        cor_sheet_remark(sheet, "%s: %s", arm->name, verdict.message);
    if (m->suites_fallback > 0)
        cor_sheet_remark(
            sheet, "%" PRIu64 " of %" PRIu64 " suites of %s follow the fallback law of the experiment file",
            m->suites_fallback, m->suites, arm->name);
    if (m->continuations > 0)
        cor_sheet_remark(
            sheet, "%" PRIu64 " sequences of %s continue failed ones (branching) and are counted nowhere",
            m->continuations, arm->name);
    views__remark_steered(m, sheet);
}

static void put_endings(const struct cor_arm_tables *arm, enum cor_family family, const char *word,
                        const uint64_t counts[COR_ENDING_CODES], struct cor_sheet *sheet) {
    for (int code = 0; code < COR_ENDING_CODES; code++) {
        if (code > 0 && !cor_term(family, code))
            continue;
        cor_sheet_row(sheet);
        cor_sheet_word(sheet, arm->name);
        cor_sheet_word(sheet, word);
        cor_sheet_word(sheet, code > 0 ? cor_term_word(family, code) : "not_said");
        cor_sheet_count(sheet, counts[code]);
    }
}

static void put_class(const struct cor_arm_tables *arm, const struct cor_failure_tally *class,
                      struct cor_sheet *sheet) {
    const struct cor_violation_row *row = &class->first;
    char text[512], sentence[COR_SENTENCE] = "";
    /* "gray.agent_repeated, black.size_above_maximum" */
    size_t at = 0;
    snprintf(text, sizeof text, "masked");
    for (size_t k = 0; k < COR_KILLERS; k++) {
        char word[64];
        if (!cor_killer_set_has(&class->killers, k) || at >= sizeof text)
            continue;
        int added =
            snprintf(text + at, sizeof text - at, "%s%s", at > 0 ? ", " : "", cor_killer_word(k, word));
        at += added > 0 ? (size_t)added : 0;
    }
    if (row->box > 0)
        cor_violation_sentence(cor_arm_kind(arm->measured->entry), row, arm->measured->head, sentence);
    cor_sheet_row(sheet);
    cor_sheet_word(sheet, arm->name);
    COR_SHEET_PUT(sheet, struct cor_failure_tally, class);
    cor_sheet_text(sheet, "%" PRIu32 "/%u/%" PRIu32, row->suite, row->sequence, row->case_);
    cor_sheet_text(sheet, "%s", text);
    cor_sheet_text(sheet, "%s", sentence);
}

/* Of a corridor as text. */
static void put_constraints(const struct cor_arm_tables *arm, struct cor_sheet *constraints_sheet,
                            struct cor_sheet *returns_sheet) {
    const struct cor_arm_measurement *m = arm->measured;
    const struct cor_catalog_entry *entries = m->head->catalog[COR_CATALOG_CONSTRAINT];
    uint32_t most = 0;
    for (uint32_t c = 0; c < m->constraint_count; c++) {
        cor_sheet_row(constraints_sheet);
        cor_sheet_word(constraints_sheet, arm->name);
        cor_sheet_word(constraints_sheet, entries[c].name);
        COR_SHEET_PUT(constraints_sheet, struct cor_constraint_tally, &m->constraint[c]);
        cor_sheet_text(constraints_sheet, "%s", entries[c].description);
        most = m->constraint[c].stayed > m->constraint[most].stayed ? c : most;
    }
    if (m->constraint_count == 0)
        return;
    const struct cor_return_tally *back = &m->returns;
    cor_sheet_row(returns_sheet);
    cor_sheet_word(returns_sheet, arm->name);
    cor_sheet_count(returns_sheet, back->alarms);
    cor_sheet_count(returns_sheet, back->back);
    if (back->back > 0)
        cor_sheet_real(returns_sheet, (double)back->late / (double)back->back);
    else
        cor_sheet_nothing(returns_sheet);
    cor_sheet_count(returns_sheet, back->latest);
    cor_sheet_word(returns_sheet, m->constraint[most].stayed > 0 ? entries[most].name : NULL);
}

/* Who has rounds has agents that decide by themselves; without mail they know nothing to decide by. */
static void remark_silence(const struct cor_arm_tables *arm, struct cor_sheet *sheet) {
    const struct cor_tally *tally = &arm->measured->tally;
    if (tally->rounds > 0 && tally->messages == 0 && tally->moved > 0)
        cor_sheet_remark(sheet,
                         "%s: decentralised, but no agent sends mail, and still %" PRIu64
                         " agents were moved in %" PRIu64 " reorganizations",
                         arm->name, tally->moved, tally->reorganizations);
}

/* Sheets with a row, or some rows, an arm. */
static void put_arms(const struct cor_tables *tables, struct cor_sheets *sheets) {
    struct cor_sheet *about_sheet = cor_sheets_add(sheets, &about),
                     *found_sheet = cor_sheets_add(sheets, &found),
                     *happened_sheet = cor_sheets_add(sheets, &happened),
                     *checks_sheet = cor_sheets_add(sheets, &checks),
                     *endings_sheet = cor_sheets_add(sheets, &endings),
                     *arms_sheet = cor_sheets_add(sheets, &arms),
                     *classes_sheet = cor_sheets_add(sheets, &classes),
                     *first_sheet = cor_sheets_add(sheets, &first),
                     *constraints_sheet = cor_sheets_add(sheets, &constraints),
                     *returns_sheet = cor_sheets_add(sheets, &returns);
    put_about(tables, about_sheet, found_sheet);
    for (size_t a = 0; a < tables->arm_count; a++) {
        const struct cor_arm_tables *arm = &tables->arm[a];
        put_found_arm(arm, found_sheet);
        cor_sheet_row(happened_sheet);
        cor_sheet_word(happened_sheet, arm->name);
        COR_SHEET_PUT(happened_sheet, struct cor_tally, &arm->measured->tally);
        const struct cor_tally *t = &arm->measured->tally;
        cor_sheet_row(checks_sheet);
        cor_sheet_word(checks_sheet, arm->name);
        COR_SHEET_PUT(checks_sheet, struct cor_tally, t);
        cor_sheet_count(checks_sheet, cor_tally_smoke(t));
        cor_sheet_real(checks_sheet, percent(t->inside_after, t->inside_after + t->outside_after));
        COR_SHEET_PUT(checks_sheet, struct cor_tally, t);
        put_endings(arm, COR_FAMILY_STOP, "stop", arm->measured->tally.stop, endings_sheet);
        put_endings(arm, COR_FAMILY_SMOKE, "smoke", arm->measured->tally.smoke, endings_sheet);
        const struct cor_arm_measurement *m = arm->measured;
        cor_sheet_row(arms_sheet);
        cor_sheet_word(arms_sheet, arm->name);
        cor_sheet_count(arms_sheet, m->entry->code);
        cor_sheet_text(arms_sheet, "%s", m->entry->description);
        cor_sheet_flag(arms_sheet, arm->published);
        COR_SHEET_PUT(arms_sheet, struct cor_arm_measurement, m);
        for (size_t c = 0; c < arm->measured->failure_class_count; c++)
            put_class(arm, &arm->measured->failure_class[c], classes_sheet);
        for (int box = 0; box < COR_BOX_CODES; box++) {
            const struct cor_violation_row *row = &arm->measured->first_violation[box];
            char sentence[COR_SENTENCE];
            if (row->box == 0)
                continue;
            cor_violation_sentence(cor_arm_kind(arm->measured->entry), row, arm->measured->head, sentence);
            cor_sheet_row(first_sheet);
            cor_sheet_word(first_sheet, arm->name);
            COR_SHEET_PUT(first_sheet, struct cor_violation_row, row);
            cor_sheet_text(first_sheet, "%s", sentence);
        }
        put_constraints(arm, constraints_sheet, returns_sheet);
    }
    cor_sheet_remark(found_sheet,
                     "detecting: sequences; activated: reorganizations with an activated fault; masked: "
                     "thereof seen by no box; own failures: of the algorithm itself, without an "
                     "activated fault");
    for (size_t a = 0; a < tables->arm_count; a++)
        remark_silence(&tables->arm[a], found_sheet);
    char *edited;
    if (cor_text_under(tables->head->provenance, "suites_edited", &edited, NULL) != COR_OK)
        cor_sheets_fail(sheets);
    else if (edited)
        cor_sheet_remark(found_sheet, "suites were edited by hand: %s", edited);
    free(edited);
    cor_sheet_remark(checks_sheet,
                     "R-Detect: alarms against the oracle; C7: the structure is the accepted solution; back "
                     "in: the invariant holds after it, where the oracle looked");
}

void views__put_tables(const struct cor_tables *tables, struct cor_sheets *sheets) {
    bool published = false;
    for (size_t a = 0; a < tables->arm_count; a++)
        published = published || (tables->repeats && tables->arm[a].published);
    put_arms(tables, sheets);
    struct cor_sheet *sheet = cor_sheets_add(sheets, published ? &figures : &ours_alone);
    for (enum cor_metric m = 0; m < COR_TABLE_METRICS; m++)
        for (size_t a = 0; a < tables->arm_count; a++) {
            const struct cor_arm_tables *arm = &tables->arm[a];
            const struct cor_metric_schema *schema = cor_metric_schema(m);
            const struct cor_figure *figure = &arm->figure[m];
            char relation = cor_figure_relation(figure, m);
            cor_sheet_row(sheet);
            cor_sheet_text(sheet, "%s",
                           schema->shown & COR_IN_TABLE_1
                               ? "Table 1  Environment profiles and their coverage by the walks"
                               : "Table 2  Configurations, failures and their detection");
            cor_sheet_text(sheet, "%s", schema->meaning);
            cor_sheet_word(sheet, schema->id);
            cor_sheet_word(sheet, arm->name);
            cor_sheet_estimate(sheet, &figure->ours);
            cor_sheet_reals(sheet, 2, (double[]){figure->ours.sd, figure->ours.n});
            cor_sheet_text(sheet, "%.*s", relation != ' ', &relation);
            cor_sheet_reals(sheet, 2, (double[]){figure->paper_mean, figure->paper_sd});
            cor_sheet_flag(sheet, figure->paper_derived);
            cor_sheet_word(sheet, figure->paper_note);
            cor_sheet_word(sheet, schema->published_id);
            if (figure->paper_note)
                cor_sheet_remark(sheet, "! paper, %s, %s: %s", arm->name, schema->id, figure->paper_note);
        }
    cor_sheet_title(sheet, "Tables 1 and 2, intervals at %.4g %%: %s", 100 * tables->level,
                    cor_interval_word(tables->method));
    cor_sheet_remark(
        sheet, "ours: means over test sequences, SD over the same; n: sequences (of failures: failures) "
               "observed. Depths are of sequences with a detection only; the others are censored.");
    if (published)
        cor_sheet_remark(sheet,
                         "= the paper's mean lies in our interval, ? likewise, but the interval is too "
                         "wide to mean something, < ours lies below it, > above; remarks with ! tell which "
                         "of the paper's figures are doubtful.");
    struct cor_sheet *all = cor_sheets_add(sheets, &identities),
                     *each = cor_sheets_add(sheets, &arm_identities);
    for (enum cor_identity i = 0; i < COR_IDENTITY_COUNT; i++) {
        struct cor_identity_tally sum = {0};
        for (size_t a = 0; a < tables->arm_count; a++) {
            const struct cor_identity_tally *tally = &tables->arm[a].measured->identity[i];
            sum.checked += tally->checked;
            sum.broken += tally->broken;
            cor_sheet_row(each);
            cor_sheet_word(each, tables->arm[a].name);
            cor_sheet_word(each, cor_identity_id(i));
            cor_sheet_flag(each, tally->broken == 0);
            COR_SHEET_PUT(each, struct cor_identity_tally, tally);
            cor_sheet_text(each, "%s", tally->values);
            if (tally->broken > 0)
                cor_sheet_remark(all, "%s: %" PRIu64 " of %" PRIu64 " break \"%s\"; %s", tables->arm[a].name,
                                 tally->broken, tally->checked, cor_identity_sentence(i), tally->values);
        }
        cor_sheet_row(all);
        cor_sheet_word(all, sum.broken > 0 ? "BROKEN" : sum.checked > 0 ? "holds" : "n/a");
        cor_sheet_tone(all, sum.broken > 0 ? COR_TONE_BAD : sum.checked > 0 ? COR_TONE_GOOD : COR_TONE_FAINT);
        COR_SHEET_PUT(all, struct cor_identity_tally, &sum);
        cor_sheet_text(all, "%s", cor_identity_sentence(i));
        cor_sheet_word(all, cor_identity_id(i));
    }
    if (published)
        views__put_claims(tables, sheets);
}

static enum cor_status make_tables(const struct cor_view_request *request, struct cor_sheets *sheets,
                                   struct cor_view_findings *findings, struct cor_error *error) {
    struct cor_tables *tables = NULL;
    enum cor_interval method =
        request->intervals == COR_INTERVAL_NONE ? COR_INTERVAL_LINEARISED : request->intervals;
    COR_TRY(cor_tables_create(request->result, request->level, method, &tables, error));
    views__put_tables(tables, sheets);
    enum cor_status status = views__put_smokes(request->result, sheets, error);
    if (status == COR_OK)
        status = views__put_schedules(request->result, sheets, error);
    *findings = cor_verdict_findings(tables->measurement);
    cor_tables_destroy(tables);
    return status;
}

static const struct cor_sheet_definition *const sheets_made[] = {&figures,
                                                                 &about,
                                                                 &found,
                                                                 &happened,
                                                                 &checks,
                                                                 &endings,
                                                                 &arms,
                                                                 &classes,
                                                                 &first,
                                                                 &constraints,
                                                                 &returns,
                                                                 &identities,
                                                                 &arm_identities,
                                                                 &views__claims_sheet,
                                                                 &views__claim_parts_sheet,
                                                                 &views__agreement_sheet,
                                                                 &views__smokes_sheet,
                                                                 &views__schedules_sheet,
                                                                 NULL};

const struct cor_view views__view_tables = {
    .name = "tables",
    .command = "show",
    .summary = "show what was found, beside the published tables",
    .manual =
        "Prints what was found in each arm, Tables 1 and 2 row by row with intervals over suites beside "
        "the published figures (for arms named like the published columns, such as SPADA-F1), failures by "
        "class, the identities that every result file must meet, and which claims of the paper hold. "
        "docs/evidence/statistics.md defines every figure.",
    .options = "intervals level",
    .schema = "corridor-tables",
    .version = 3,
    .sheets = sheets_made,
    .make = make_tables,
};
