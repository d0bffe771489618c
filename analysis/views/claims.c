/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the paper claims, judged from the figures. Only arms that are columns of the paper take part. */
#include "views.h"

#include <corridor/array.h>
#include <corridor/rearrangement.h>
#include <corridor/tables.h>

#include <gsl/gsl_cdf.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    enum cor_status status = COR_OK;
    size_t suites = 0;
    for (uint32_t i = 0; i < order->count; i++)
        suites += order->arm[i]->measured->suites;
    double *numbers = cor_calloc(2 * suites, sizeof *numbers), *room = numbers;
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
        COR_TRY_OUT(cor_rearrange_ratios(&pair, 1, &rng, &p, error));
        part->p = fmax(part->p, order->sign > 0 ? p.above : p.below);
        part->p_against =
            fmin(part->p_against, fmin((order->sign > 0 ? p.below : p.above) * (order->count - 1), 1));
    }
out:
    free(numbers);
    return status;
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

/* The paper's own exception: it prints the same share of both boxes for PSOPP-F4. */
static void gray_above_black(struct cor_tables *tables) {
    enum cor_metric metric = COR_METRIC_GRAY_NOT_BLACK;
    for (size_t a = 0; a < tables->arm_count; a++)
        if (takes_part(&tables->arm[a], "") && tables->arm[a].figure[metric].paper_mean > 0)
            put_arm(tables, &tables->arm[a], COR_CLAIM_GRAY_ABOVE_BLACK, metric);
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
    gray_above_black(tables);
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
