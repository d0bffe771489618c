/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the paper claims, judged from the figures. Only arms that are columns of the paper take part. */
#include "views.h"

#include <corridor/tables.h>

#include <gsl/gsl_cdf.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const struct cor_claim_schema *cor_claim_schema(enum cor_claim claim) {
    static const struct cor_claim_schema schemas[] = {
#define COR_CLAIM(NAME, id, rule, low, high, unit, sentence) {id, unit, sentence, COR_RULE_##rule, low, high},
        COR_CLAIMS(COR_CLAIM)
#undef COR_CLAIM
    };
    COR_ASSERT(claim < COR_CLAIM_COUNT);
    return &schemas[claim];
}

const char *cor_claim_rule_word(enum cor_claim_rule rule) {
    static const char *const words[] = {"seen", "never", "order", "meets"};
    return words[rule];
}

const char *cor_claim_verdict_word(enum cor_claim_verdict verdict) {
    static const char *const words[] = {"not_available", "holds", "fails"};
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
        .mean = NAN, .low = NAN, .high = NAN, .paper = NAN, .distance = NAN, .half_widths = NAN};
    snprintf(part->name, sizeof part->name, "%s", name);
    return part;
}

/* The nearest value that would have held, NaN if a part cannot be judged; *holds says whether it does. */
static double nearest(const struct cor_claim_schema *schema, const struct cor_claim_part *part, bool *holds) {
    bool band = !isnan(schema->band_low);
    double low = band ? schema->band_low : part->paper, high = band ? schema->band_high : part->paper;
    switch (schema->rule) {
    case COR_RULE_SEEN:
        *holds = part->mean > 0;
        return isnan(part->paper) ? 0 : part->paper;
    case COR_RULE_NEVER:
        *holds = part->mean <= 0;
        return 0;
    case COR_RULE_ORDER:
        *holds = part->mean > 0;
        return 0;
    case COR_RULE_MEETS:
        *holds = part->low <= high && part->high >= low;
        return part->interval == COR_INTERVAL_NONE ? (double)NAN : fmin(fmax(part->mean, low), high);
    }
    return NAN;
}

/* The distance in half-widths of the interval, on the side where it would have to reach further. */
static double in_half_widths(const struct cor_claim_part *part) {
    double half = part->distance < 0 ? part->high - part->mean : part->mean - part->low;
    return half > 0 ? fabs(part->distance) / half : (double)NAN;
}

static void judge(enum cor_claim claim, struct cor_claim_result *result, struct cor_claim_part *part) {
    bool holds = false;
    double target = nearest(cor_claim_schema(claim), part, &holds);
    if (isnan(part->mean) || isnan(target))
        return;
    part->verdict = holds ? COR_CLAIM_HOLDS : COR_CLAIM_FAILS;
    result->holding += holds;
    result->failing += !holds;
    result->verdict = result->failing > 0 ? COR_CLAIM_FAILS : COR_CLAIM_HOLDS;
    if (holds)
        return;
    part->distance = part->mean - target;
    part->half_widths = in_half_widths(part);
}

/* Adds what one arm shows: a figure of the tables, or 100 less that figure. */
static void put_arm(const struct cor_arm_tables *arm, enum cor_claim claim, enum cor_metric metric,
                    struct cor_claim_result *result) {
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
    judge(claim, result, part);
}

static void each_arm(struct cor_tables *tables, enum cor_claim claim, enum cor_metric metric,
                     const char *algorithm) {
    for (size_t a = 0; a < tables->arm_count; a++)
        if (takes_part(&tables->arm[a], algorithm))
            put_arm(&tables->arm[a], claim, metric, &tables->claim[claim]);
}

/* The arms that take part, at most as many as there is room for. */
static size_t columns(const struct cor_tables *tables, const struct cor_arm_tables *arms[COR_CLAIM_PARTS]) {
    size_t count = 0;
    for (size_t a = 0; a < tables->arm_count && count < COR_CLAIM_PARTS - 1; a++)
        if (takes_part(&tables->arm[a], ""))
            arms[count++] = &tables->arm[a];
    return count;
}

/* Each arm, and their mean, in which all count alike. */
static void arms_and_mean(struct cor_tables *tables, enum cor_claim claim, enum cor_metric metric) {
    const struct cor_arm_tables *arms[COR_CLAIM_PARTS];
    struct term terms[COR_CLAIM_PARTS];
    double mean = 0, paper = 0;
    size_t count = columns(tables, arms);
    for (size_t i = 0; i < count; i++) {
        const struct cor_figure *figure = &arms[i]->figure[metric];
        put_arm(arms[i], claim, metric, &tables->claim[claim]);
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
    judge(claim, &tables->claim[claim], part);
}

/* The arm that is that column of the paper, if it ran. */
static const struct cor_arm_tables *find(const struct cor_tables *tables, const char *name) {
    for (size_t a = 0; a < tables->arm_count; a++)
        if (strcmp(tables->arm[a].name, name) == 0 && takes_part(&tables->arm[a], ""))
            return &tables->arm[a];
    return NULL;
}

static const char *const undirected[] = {"PSOPP-F1", "PSOPP-F2", "PSOPP-F3", "PSOPP-F4", "PSOPP-F5"};
#define UNDIRECTED (sizeof undirected / sizeof *undirected)

/* The next of the others to `chosen`: of greatest (sign 1) or least (sign -1) mean; NULL if there is none. */
static const struct cor_arm_tables *next_to(const struct cor_tables *tables,
                                            const struct cor_arm_tables *chosen, enum cor_metric metric,
                                            int sign) {
    const struct cor_arm_tables *best = NULL;
    for (size_t i = 0; i < UNDIRECTED; i++) {
        const struct cor_arm_tables *other = find(tables, undirected[i]);
        if (!other || other == chosen || isnan(other->figure[metric].ours.mean))
            continue;
        if (!best || (other->figure[metric].ours.mean - best->figure[metric].ours.mean) * sign > 0)
            best = other;
    }
    return best;
}

/* By how much the paper has `chosen` before the next of the others; these need not be ours. */
static double paper_lead(const char *chosen, const struct cor_tables *tables, enum cor_metric metric,
                         int sign) {
    double own = NAN, lead = INFINITY;
    for (size_t i = 0; i < UNDIRECTED; i++)
        if (strcmp(undirected[i], chosen) == 0 && find(tables, chosen))
            own = find(tables, chosen)->figure[metric].paper_mean;
    for (size_t i = 0; i < UNDIRECTED; i++) {
        const struct cor_arm_tables *other = find(tables, undirected[i]);
        if (other && strcmp(undirected[i], chosen) != 0)
            lead = fmin(lead, (own - other->figure[metric].paper_mean) * sign);
    }
    return lead;
}

/* `chosen` has the greatest (sign 1) or least (sign -1) mean of PSOPP-F1 to F5: its lead over the next. */
static void extreme(struct cor_tables *tables, enum cor_claim claim, const char *chosen,
                    enum cor_metric metric, int sign) {
    const struct cor_arm_tables *own = find(tables, chosen);
    const struct cor_arm_tables *next = own ? next_to(tables, own, metric, sign) : NULL;
    char name[40];
    if (!next || isnan(own->figure[metric].ours.mean))
        return;
    snprintf(name, sizeof name, "%.14s against %.14s", own->name, next->name);
    struct cor_claim_part *part = add_part(&tables->claim[claim], name);
    const struct cor_figure *one = &own->figure[metric], *two = &next->figure[metric];
    struct term terms[] = {term_of(one, 1), term_of(two, 1)};
    double half = half_width(tables, terms, 2);
    part->mean = (one->ours.mean - two->ours.mean) * sign;
    part->paper = paper_lead(chosen, tables, metric, sign);
    part->note = one->paper_note;
    if (!isnan(half)) {
        part->interval = COR_INTERVAL_ACROSS_ARMS;
        part->low = part->mean - half;
        part->high = part->mean + half;
    }
    judge(claim, &tables->claim[claim], part);
}

/* Ratio of two means, its interval on the logarithm: error of log x = error of x / x (delta method). The
 * figures of `rest` are shares of which 100 less the share counts. */
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
        part->interval = COR_INTERVAL_ACROSS_ARMS;
        part->low = part->mean * exp(-half);
        part->high = part->mean * exp(half);
    }
    judge(claim, &tables->claim[claim], part);
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
            put_arm(&tables->arm[a], COR_CLAIM_GRAY_ABOVE_BLACK, metric,
                    &tables->claim[COR_CLAIM_GRAY_ABOVE_BLACK]);
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

void cor__judge_claims(struct cor_tables *tables) {
    each_arm(tables, COR_CLAIM_EVERY_FAULT_FOUND, COR_METRIC_WITHOUT_DETECTED, "");
    black_also_gray(tables);
    gray_above_black(tables);
    each_arm(tables, COR_CLAIM_SPADA_BLACK_NONE, COR_METRIC_DETECTED_BLACK, "SPADA");
    each_arm(tables, COR_CLAIM_PSOPP_MASKING, COR_METRIC_UNDETECTED, "PSOPP");
    extreme(tables, COR_CLAIM_F4_MASKED_MOST, "PSOPP-F4", COR_METRIC_UNDETECTED, 1);
    extreme(tables, COR_CLAIM_F5_RAREST, "PSOPP-F5", COR_METRIC_FAILURES, -1);
    directed_pays(tables);
    arms_and_mean(tables, COR_CLAIM_STATE_COVERAGE, COR_METRIC_EP_STATE_COVERAGE);
    arms_and_mean(tables, COR_CLAIM_TRANSITION_COVERAGE, COR_METRIC_EP_TRANSITION_COVERAGE);
    arms_and_mean(tables, COR_CLAIM_REORGANIZING, COR_METRIC_REORGANIZING);
}

static const struct cor_column_definition claims_columns[] = {
    {"verdict", "", "", "holds, fails, or not_available: the arms or suites it needs are not there",
     COR_CELL_WORD, 0, 0},
    {"sentence", "", "", "what the paper claims", COR_CELL_TEXT, 0, 0},
    {"unit", "", "", "what is compared", COR_CELL_TEXT, 0, COR_COLUMN_DATA},
    {"claim", "", "", "its id", COR_CELL_WORD, 0, COR_COLUMN_DATA},
    {"rule", "", "", "how it is judged: seen, never, order or meets", COR_CELL_WORD, 0, COR_COLUMN_DATA},
    {"band_low", "", "", "least value that would hold", COR_CELL_REAL, 2, COR_COLUMN_DATA},
    {"band_high", "", "", "greatest value that would hold", COR_CELL_REAL, 2, COR_COLUMN_DATA},
    {"holding", "holding", "1", "parts that hold", COR_CELL_COUNT, 0, 0},
    {"failing", "failing", "1", "parts that do not", COR_CELL_COUNT, 0, 0},
};
static const struct cor_column_definition claim_parts_columns[] = {
    {"sentence", "", "", "what the paper claims, and in what", COR_CELL_TEXT, 0, COR_COLUMN_GROUP},
    {"claim", "", "", "its id", COR_CELL_WORD, 0, COR_COLUMN_DATA},
    {"name", "", "", "the arm, all arms, or the arms compared", COR_CELL_TEXT, 0, 0},
    {"verdict", "", "", "holds, fails, or not_available", COR_CELL_WORD, 0, 0},
    {"mean", "ours", "", "ours, in the claim's unit", COR_CELL_REAL, 2, 0},
    {"low", "from", "", "lower end of its interval", COR_CELL_REAL, 2, 0},
    {"high", "to", "", "upper end", COR_CELL_REAL, 2, 0},
    {"interval", "", "", "how the interval was made", COR_CELL_WORD, 0, COR_COLUMN_DATA},
    {"paper", "paper", "", "published value beside it", COR_CELL_REAL, 2, 0},
    {"distance", "off by", "", "where it fails: ours less the nearest value that would hold", COR_CELL_REAL,
     2, 0},
    {"half_widths", "half-widths", "", "... in half-widths of our interval on that side", COR_CELL_REAL, 2,
     0},
    {"note", "", "", "why the published value is to be distrusted, or what it rests on", COR_CELL_TEXT, 0,
     COR_COLUMN_DATA},
};
static const struct cor_column_definition agreement_columns[] = {
    {"arm", "arm", "", "name of the arm", COR_CELL_WORD, 0, 0},
    {"compared", "compared", "1", "figures with a published mean and an interval of ours", COR_CELL_COUNT, 0,
     0},
    {"inside", "in the interval", "1", "the published mean lies in our interval", COR_CELL_COUNT, 0, 0},
    {"below", "ours below", "1", "ours lies below it", COR_CELL_COUNT, 0, 0},
    {"above", "ours above", "1", "ours lies above it", COR_CELL_COUNT, 0, 0},
    {"doubtful", "doubtful", "1", "of those not inside: the published figure is to be distrusted",
     COR_CELL_COUNT, 0, 0},
};
const struct cor_sheet_definition cor__claims_sheet = {"claims",
                                                       "What the paper claims",
                                                       "a claim",
                                                       claims_columns,
                                                       sizeof claims_columns / sizeof *claims_columns,
                                                       0,
                                                       0},
                                  cor__claim_parts_sheet = {"claim_parts",
                                                            "... of which arms",
                                                            "a claim in an arm, or in several together",
                                                            claim_parts_columns,
                                                            sizeof claim_parts_columns /
                                                                sizeof *claim_parts_columns,
                                                            0,
                                                            0},
                                  cor__agreement_sheet = {"agreement",
                                                          "Published means in our intervals",
                                                          "an arm that is a column of the paper",
                                                          agreement_columns,
                                                          sizeof agreement_columns /
                                                              sizeof *agreement_columns,
                                                          0,
                                                          0};

static enum cor_tone tone_of(enum cor_claim_verdict verdict) {
    static const enum cor_tone tones[] = {COR_TONE_FAINT, COR_TONE_GOOD, COR_TONE_BAD};
    return tones[verdict];
}

static void put_part(const struct cor_claim_schema *schema, const struct cor_claim_part *part,
                     struct cor_sheet *sheet) {
    cor_sheet_row(sheet);
    cor_sheet_text(sheet, "%s  (%s)", schema->sentence, schema->unit);
    cor_sheet_word(sheet, schema->id);
    cor_sheet_text(sheet, "%s", part->name);
    cor_sheet_word(sheet, cor_claim_verdict_word(part->verdict));
    cor_sheet_tone(sheet, tone_of(part->verdict));
    cor_sheet_reals(sheet, 3, (double[]){part->mean, part->low, part->high});
    cor_sheet_word(sheet, cor_interval_word(part->interval));
    cor_sheet_reals(sheet, 3, (double[]){part->paper, part->distance, part->half_widths});
    cor_sheet_word(sheet, part->note);
    if (part->note)
        cor_sheet_remark(sheet, "! paper, %s, %s: %s", schema->id, part->name, part->note);
}

static void put_claims(const struct cor_tables *tables, struct cor_sheet *claims, struct cor_sheet *parts) {
    for (enum cor_claim c = 0; c < COR_CLAIM_COUNT; c++) {
        const struct cor_claim_schema *schema = cor_claim_schema(c);
        const struct cor_claim_result *result = &tables->claim[c];
        cor_sheet_row(claims);
        cor_sheet_word(claims, cor_claim_verdict_word(result->verdict));
        cor_sheet_tone(claims, tone_of(result->verdict));
        cor_sheet_text(claims, "%s", schema->sentence);
        cor_sheet_text(claims, "%s", schema->unit);
        cor_sheet_word(claims, schema->id);
        cor_sheet_word(claims, cor_claim_rule_word(schema->rule));
        cor_sheet_reals(claims, 2, (double[]){schema->band_low, schema->band_high});
        cor_sheet_counts(claims, 2, (uint64_t[]){result->holding, result->failing});
        for (size_t p = 0; p < result->part_count; p++)
            put_part(schema, &result->part[p], parts);
    }
}

static void put_agreement(const struct cor_tables *tables, struct cor_sheet *sheet) {
    uint64_t inside = 0, compared = 0;
    for (size_t a = 0; a < tables->arm_count; a++) {
        struct cor_agreement it = cor_tables_agreement(&tables->arm[a]);
        cor_sheet_row(sheet);
        cor_sheet_word(sheet, tables->arm[a].name);
        cor_sheet_counts(sheet, 5, (uint64_t[]){it.compared, it.inside, it.below, it.above, it.doubtful});
        inside += it.inside;
        compared += it.compared;
    }
    cor_sheet_remark(
        sheet, "%" PRIu64 " of %" PRIu64 " figures; an equal repetition would have about 83 %% at 95 %%",
        inside, compared);
}

void cor__put_claims(const struct cor_tables *tables, struct cor_sheets *sheets) {
    struct cor_sheet *claims = cor_sheets_add(sheets, &cor__claims_sheet);
    put_claims(tables, claims, cor_sheets_add(sheets, &cor__claim_parts_sheet));
    put_agreement(tables, cor_sheets_add(sheets, &cor__agreement_sheet));
}
