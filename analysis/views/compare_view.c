/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two algorithms or versions on equal suites: is there a difference, and is it for the worse? Likewise arms
 * that the experiment names against each other. */
#include "views.h"

#include <corridor/bootstrap.h>
#include <corridor/compare.h>
#include <corridor/contrasts.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define ABOUT(member) COR_CELL_OF(struct cor_comparison, member)
static const struct cor_column_definition about_columns[] = {
    {"identical", "identical files", "", "whether the fingerprints of the two files are equal", COR_CELL_FLAG,
     0, COR_COLUMN_MORE},
    {"level", "level of the intervals", "1", "level of the intervals; tests at 1 - level", ABOUT(level),
     COR_DIGITS_FOUR, COR_COLUMN_MORE},
    {"tests", "tests", "", "p that were corrected together (Holm)", ABOUT(tests), 0, COR_COLUMN_MORE},
    {"worse", "metrics in which B is worse", "", "metrics of arms in which B is worse than A", ABOUT(worse)},
    {"worse_times", "thereof CPU times", "", "thereof CPU times: true of one run on one host",
     ABOUT(worse_times), 0, COR_COLUMN_MORE},
    {"arms_only_a", "arms of A alone", "", "arms of A that B does not have", ABOUT(without[0]), 0,
     COR_COLUMN_MORE},
    {"arms_only_b", "arms of B alone", "", "arms of B that A does not have", ABOUT(without[1]), 0,
     COR_COLUMN_MORE},
};
COR_SHEET_DEFINITION(about, "about", "Comparison of A and B", "the two files", COR_SHEET_RECORD, 0);

#define ARMS(member) COR_CELL_OF(struct cor_compared_arms, member)
static const struct cor_column_definition arms_columns[] = {
    {"a", "A", "", "name of the arm of A", ARMS(name[0])},
    {"b", "B", "", "name of the arm of B", ARMS(name[1])},
    {"suites_a", "suites of A", "", "suites of A", ARMS(suites[0])},
    {"suites_b", "of B", "", "suites of B", ARMS(suites[1])},
    {"suites_common", "common", "", "suites of one number in both", ARMS(common)},
    {"suites_equal", "equal", "", "thereof with equal configuration and walks", ARMS(equal)},
    {"paired", "paired", "", "all common suites are equal: only these are compared, in pairs", ARMS(paired)},
};
COR_SHEET_DEFINITION(arms, "arms", "Arms", "a pair of arms", 0, 0);

#define COMPARED(member) COR_CELL_OF(struct cor_compared, member)
static const struct cor_column_definition metrics_columns[] = {
    {"a", "", "", "name of the arm of A", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"b", "against", "", "name of the arm of B", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"metric", "metric", "",
     "id of the metric, as in corridor show FILE performance; violated_BOX_pct:NAME: how often a constraint "
     "of the "
     "corridor as text is violated, of what the box judged: executed cases (detect), solutions (gray), "
     "structures after adoption (black), sequences (time)",
     COR_CELL_WORD, 0, COR_COLUMN_KEY},
    {"unit", "unit", "", "unit of the metric", COR_CELL_WORD, 0, COR_COLUMN_DATA},
    {"better", "good", "", "what is better: lower, higher, neither", COR_CELL_WORD, 0, COR_COLUMN_DATA},
    {"n_a", "n of A", "", "suites of A with a value", COMPARED(n[0]), 0, COR_COLUMN_DATA},
    {"n_b", "n of B", "", "suites of B with a value", COMPARED(n[1]), 0, COR_COLUMN_DATA},
    {"value_a", "A", "", "mean over suites of A, each counting alike", COMPARED(value[0]), COR_DIGITS_FOUR,
     COR_COLUMN_SHORT},
    {"value_b", "B", "", "mean over suites of B", COMPARED(value[1]), COR_DIGITS_FOUR, COR_COLUMN_SHORT},
    {"difference", "B less A", "", "difference of the means; paired: mean of the differences",
     COMPARED(difference), COR_DIGITS_FOUR, COR_COLUMN_MORE},
    {"test", "test", "", "wilcoxon_signed_rank (paired) or mann_whitney", COR_CELL_WORD, 0, COR_COLUMN_DATA},
    {"test_method", "method", "", "exact, normal, none", COR_CELL_WORD, 0, COR_COLUMN_DATA},
    {"statistic", "statistic", "1", "of the test, of B against A", COMPARED(test.statistic), COR_DIGITS_FOUR,
     COR_COLUMN_DATA},
    {"p", "p alone", "1", "of the test, before correction", COMPARED(test.p), COR_DIGITS_FOUR,
     COR_COLUMN_DATA},
    {"a12", "A12", "1", "chance that a suite of B has the greater value (Vargha and Delaney)",
     COMPARED(effect.a12), 2, COR_COLUMN_MORE},
    {"a12_low", "low", "1", "its interval", COMPARED(effect.bounds.low), 2, COR_COLUMN_DATA},
    {"a12_high", "high", "1", "its interval", COMPARED(effect.bounds.high), 2, COR_COLUMN_DATA},
    {"magnitude", "size", "", "how far A12 is from 1/2, in words", COR_CELL_WORD, 0, COR_COLUMN_DATA},
    {"p_holm", "p", "1", "of the test, after Holm over all tests", COMPARED(p_holm), COR_DIGITS_FOUR,
     COR_COLUMN_MORE},
    {"verdict", "verdict", "", "A_higher, B_higher, no_difference_claimed", COR_CELL_WORD, 0,
     COR_COLUMN_DATA},
    {"claim", "claim", "", "the same for a reader, and whether B is better or worse", COR_CELL_TEXT, 0, 0},
    {"b_is", "B is", "", "better or worse, where a difference is claimed and the metric has a direction",
     COR_CELL_WORD, 0, COR_COLUMN_DATA},
    {"not_compared", "", "", "why it is not compared", COR_TEXT_OF(struct cor_compared, not_compared), 0,
     COR_COLUMN_DATA},
};
COR_SHEET_DEFINITION(metrics, "metrics", "Metrics of A and B", "a metric of a pair of arms", 0, 0);

/* Of one file beside itself: is no arm compared with another? */
static bool compares_each_with_itself(const struct cor_comparison *comparison) {
    for (size_t a = 0; a < comparison->arm_count; a++)
        if (strcmp(comparison->arm[a].name[0], comparison->arm[a].name[1]) != 0)
            return false;
    return true;
}

/* What is compared at that place, in words. */
struct named {
    char id[400];
    const char *unit;
    enum cor_better better;
};

static struct named name_of(const struct cor_compared_arms *couple, size_t index) {
    struct named named;
    if (index < COR_METRIC_COUNT) {
        const struct cor_metric_schema *schema = cor_metric_schema((enum cor_metric)index);
        snprintf(named.id, sizeof named.id, "%s", schema->id);
        named.unit = schema->unit;
        named.better = schema->better;
        return named;
    }
    const struct cor_compared_constraint *it = &couple->constraint[index - COR_METRIC_COUNT];
    snprintf(named.id, sizeof named.id, "violated_%s_pct:%s", cor_term_word(COR_FAMILY_BOX, (int)it->box),
             it->name);
    named.unit = "%";
    named.better = COR_BETTER_LOWER;
    return named;
}

/* What may be said of the pair as a whole. */
static void remark(struct cor_compared_arms *couple, struct cor_sheet *sheet) {
    int claimed = 0, tested = 0, worse = 0;
    const char *a = couple->name[0], *b = couple->name[1];
    /* Suites behind the metric that has the fewest, of those that have any. */
    uint64_t few = couple->suites[0] < couple->suites[1] ? couple->suites[0] : couple->suites[1];
    for (size_t i = 0; i < cor_compared_count(couple); i++) {
        const struct cor_compared *it = cor_compared_at(couple, i);
        if (!it)
            continue;
        if (it->not_compared)
            cor_sheet_remark(sheet, "%s, %s: %s is not compared: %s.", a, b, name_of(couple, i).id,
                             it->not_compared);
        claimed += it->verdict != COR_COMPARE_NO_CLAIM;
        tested += !it->not_compared;
        worse += it->better < 0;
        for (int side = 0; side < 2 && !it->not_compared; side++)
            few = it->n[side] < few ? it->n[side] : few;
    }
    if (few < COR_COMPARE_FEW)
        cor_sheet_remark(sheet,
                         "%s, %s: Warning: only %" PRIu64
                         " repetitions (suites) of some metric: with fewer than %d, intervals are rough and "
                         "tests see little.",
                         a, b, few, COR_COMPARE_FEW);
    if (claimed == 0)
        cor_sheet_remark(sheet, "%s, %s: No difference can be claimed.", a, b);
    else
        cor_sheet_remark(sheet,
                         "%s, %s: A difference is claimed in %d of %d metrics, in %d of them B is worse. In "
                         "the others no difference can be claimed.",
                         a, b, claimed, tested, worse);
}

static void fill_compared(struct cor_compared_arms *couple, size_t index, struct cor_sheet *sheet) {
    const struct cor_compared *it = cor_compared_at(couple, index);
    if (!it)
        return;
    const struct named named = name_of(couple, index);
    cor_sheet_row(sheet);
    cor_sheet_word(sheet, couple->name[0]);
    cor_sheet_word(sheet, couple->name[1]);
    cor_sheet_word(sheet, named.id);
    cor_sheet_word(sheet, named.unit);
    cor_sheet_word(sheet, cor_better_word(named.better));
    COR_SHEET_PUT(sheet, struct cor_compared, it);
    cor_sheet_word(sheet, couple->paired ? "wilcoxon_signed_rank" : "mann_whitney");
    cor_sheet_word(sheet, cor_test_method_word(it->test.method));
    COR_SHEET_PUT(sheet, struct cor_compared, it);
    cor_sheet_word(sheet, cor_magnitude_word(cor_magnitude_of(it->effect.a12)));
    COR_SHEET_PUT(sheet, struct cor_compared, it);
    cor_sheet_word(sheet, cor_compare_verdict_word(it->verdict));
    static const char *const claims[][3] = {{"no claim", "no claim", "no claim"},
                                            {"A higher: B is worse", "A higher", "A higher: B is better"},
                                            {"B higher: B is worse", "B higher", "B higher: B is better"}};
    cor_sheet_text(sheet, "%s", claims[it->verdict][1 + it->better]);
    cor_sheet_tone(sheet, it->better < 0 ? COR_TONE_BAD : it->better > 0 ? COR_TONE_GOOD : COR_TONE_PLAIN);
    cor_sheet_word(sheet, it->better > 0 ? "better" : it->better < 0 ? "worse" : NULL);
    COR_SHEET_PUT(sheet, struct cor_compared, it);
    if (it->verdict == COR_COMPARE_NO_CLAIM)
        cor_sheet_row_more(sheet);
}

/* One file measured, its times with it; complaints name the file, as there are two. */
static enum cor_status measure(struct cor_result *result, const char *path,
                               struct cor_measurement **measurement, struct cor_error *error) {
    enum cor_status status =
        cor_measurement_create(result, COR_MEASURE_PERFORMANCE | COR_MEASURE_CONSTRAINTS, measurement, error);
    if (status == COR_STATUS_INPUT && strncmp(error->place, path, strlen(path)) != 0) {
        char place[sizeof error->place];
        snprintf(place, sizeof place, "%.255s: %.200s", path, error->place);
        memcpy(error->place, place, sizeof place);
    }
    return status == COR_OK ? cor_measurement_read_times(*measurement, path, error) : status;
}

static enum cor_status make_comparison(const struct cor_view_request *request, struct cor_sheets *sheets,
                                       struct cor_view_findings *findings, struct cor_error *error) {
    COR_ASSERT(request->other && request->other_path);
    COR_DESTROYED(cor_measurement) struct cor_measurement *a = NULL, *b = NULL;
    COR_DESTROYED(cor_comparison) struct cor_comparison *comparison = NULL;
    COR_TRY(measure(request->result, request->path, &a, error));
    COR_TRY(measure(request->other, request->other_path, &b, error));
    COR_TRY(cor_compare(a, b, views__view_level(request), request->arms, &comparison, error));
    findings->worse = comparison->worse;
    findings->worse_times = comparison->worse_times;
    struct cor_sheet *sheet = cor_sheets_add(sheets, &about);
    if (request->identical && compares_each_with_itself(comparison))
        cor_sheet_title(sheet, "The two files say the same: their fingerprints are equal");
    cor_sheet_row(sheet);
    cor_sheet_flag(sheet, request->identical);
    COR_SHEET_PUT(sheet, struct cor_comparison, comparison);
    struct cor_sheet *metrics_sheet = cor_sheets_add(sheets, &metrics),
                     *arms_sheet = cor_sheets_add(sheets, &arms);
    for (size_t i = 0; i < comparison->arm_count; i++) {
        COR_SHEET_PUT(arms_sheet, struct cor_compared_arms, &comparison->arm[i]);
        remark(&comparison->arm[i], arms_sheet);
        for (size_t at = 0; at < cor_compared_count(&comparison->arm[i]); at++)
            fill_compared(&comparison->arm[i], at, metrics_sheet);
    }
    cor_sheet_remark(
        metrics_sheet,
        "A, B: means over suites, each counting alike. A12: chance that a suite of B has the greater value. "
        "p: of Wilcoxon's signed rank (paired) or of Mann and Whitney's U, after Holm over all tests.");
    return COR_OK;
}

static const struct cor_sheet_definition *const sheets_made[] = {&metrics, &arms, &about, NULL};

const struct cor_view views__view_compare = {
    .name = "compare",
    .command = "compare",
    .summary = "compare two files, or two arms",
    .schema = "corridor-compare",
    .version = 2,
    .sheets = sheets_made,
    .make = make_comparison,
};

/* ---- arms that the experiment names against each other: what finds more, and what finds sooner? */

#define ABOUT_CONTRASTS(member) COR_CELL_OF(struct cor_contrasts, member)
static const struct cor_column_definition about_contrasts_columns[] = {
    {"experiment", "experiment", "", "its name", COR_TEXT_OF(struct cor_contrasts, experiment)},
    {"level", "level of the intervals", "1", "level of the intervals; tests at 1 - level",
     ABOUT_CONTRASTS(level), COR_DIGITS_FOUR},
    {"paired", "same suites for all arms", "", "the arms share suites: they are resampled together",
     ABOUT_CONTRASTS(paired)},
    {"left_out", "left out", "suites", "paired: suites of some arms, but not of all that are compared",
     ABOUT_CONTRASTS(left_out)},
    {"horizon", "horizon", "cases", "up to there no sequence ended undetected", ABOUT_CONTRASTS(horizon),
     COR_DIGITS_FOUR},
};
COR_SHEET_DEFINITION(about_contrasts, "about", "What finds more, and what sooner?", "the experiment",
                     COR_SHEET_RECORD, 0);

#define SIDE(member) COR_CELL_OF(struct cor_contrast_side, member)
static const struct cor_column_definition sides_columns[] = {
    {"contrast", "", "", "name of the contrast", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"pair", "pair", "", "number of the pair", COR_CELL_COUNT, 0, 0},
    {"side", "side", "", "first or second", COR_CELL_WORD, 0, COR_COLUMN_DATA},
    {"arm", "arm", "", "name of the arm", SIDE(arm)},
    {"box", "box", "", "through which box a detection counts", COR_CELL_WORD, 0, 0},
    {"suites", "suites", "", "suites that take part", SIDE(suites)},
    {"suites_detecting", "detecting", "", "thereof with such a detection", SIDE(suites_detecting)},
    {"sequences", "sequences", "", "sequences that take part", SIDE(sequences)},
    {"sequences_detecting", "detecting", "", "thereof with such a detection", SIDE(sequences_detecting)},
    {"share_pct", "share", "%", "sequences with a detection", SIDE(share), 1},
    {"cases_median", "median", "cases",
     "to the first detection (Kaplan and Meier); none if fewer than half detect", SIDE(median)},
    {"cases_restricted_mean", "mean", "cases", "cases to the first detection, cut at the horizon",
     SIDE(cases), 1},
};
COR_SHEET_DEFINITION(sides, "sides", "Both sides of each pair", "a side of a pair", 0, 0);

#define DIFFERENCE(member) COR_CELL_OF(struct cor_difference, member)
static const struct cor_column_definition differences_columns[] = {
    {"contrast", "", "", "name of the contrast", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"pair", "pair", "", "number of the pair; none: the mean over the pairs of the contrast", COR_CELL_COUNT,
     0, 0},
    {"first", "first", "", "name of the first arm", COR_CELL_WORD, 0, COR_COLUMN_DATA},
    {"second", "second", "", "name of the second arm", COR_CELL_WORD, 0, COR_COLUMN_DATA},
    {"share_difference", "share", "%", "percentage points of sequences with a detection, first less second",
     DIFFERENCE(value), 1},
    {"share_suites_above", "more", "", "suites in which the share of the first is above", DIFFERENCE(above),
     0, COR_COLUMN_DATA},
    {"share_suites_below", "less", "", "suites in which it is below", DIFFERENCE(below), 0, COR_COLUMN_DATA},
    {"share_p", "p", "1",
     "that the sides are alike: exact sign test of above and below; of suites of their own, rearrangements",
     DIFFERENCE(p), COR_DIGITS_FOUR},
    {"share_verdict", "verdict", "", "which finds more: first, second, no_difference_claimed", COR_CELL_WORD,
     0, COR_COLUMN_DATA},
    {"cases_difference", "cases", "",
     "mean cases to the first detection up to the horizon, first less second", DIFFERENCE(value), 1},
    {"cases_suites_above", "later", "", "suites in which the mean of the first is above", DIFFERENCE(above),
     0, COR_COLUMN_DATA},
    {"cases_suites_below", "sooner", "", "suites in which it is below", DIFFERENCE(below), 0,
     COR_COLUMN_DATA},
    {"cases_p", "p", "1", "p of the same test of cases", DIFFERENCE(p), COR_DIGITS_FOUR},
    {"cases_verdict", "verdict", "", "which finds sooner", COR_CELL_WORD, 0, COR_COLUMN_DATA},
    {"claim", "claim", "", "what both allow to say", COR_CELL_TEXT, 0, 0},
};
COR_SHEET_DEFINITION(differences, "differences", "First less second, and what may be said of it",
                     "a pair, or the mean of the pairs of a contrast", 0, 0);

#define CONTRAST(member) COR_CELL_OF(struct cor_contrast, member)
static const struct cor_column_definition contrasts_sheet_columns[] = {
    {"contrast", "contrast", "", "name of the contrast", CONTRAST(name)},
    {"pairs", "pairs", "", "pairs of arms: faults of which one question is asked", CONTRAST(pair_count)},
    {"found_first", "found by the first", "", "pairs of which the first side has a detection",
     CONTRAST(found[0])},
    {"found_second", "by the second", "", "pairs of which the second side has one", CONTRAST(found[1])},
};
COR_SHEET_DEFINITION(contrasts_sheet, "contrasts", "Contrasts", "pairs under one name", 0, 0);

static void fill_side(const struct cor_contrast *contrast, size_t pair, int i, struct cor_sheet *sheet) {
    const struct cor_contrast_side *side = &contrast->pair[pair].side[i];
    cor_sheet_row(sheet);
    cor_sheet_word(sheet, contrast->name);
    cor_sheet_count(sheet, pair + 1);
    cor_sheet_word(sheet, i == 0 ? "first" : "second");
    COR_SHEET_PUT(sheet, struct cor_contrast_side, side);
    cor_sheet_word(sheet, cor_any_box_word(side->box));
    COR_SHEET_PUT(sheet, struct cor_contrast_side, side);
}

/* `better` is the sign that speaks for the first side. */
static void fill_difference(const struct cor_difference *difference, int better, struct cor_sheet *sheet) {
    static const char *const verdicts[] = {"second", "no_difference_claimed", "first"};
    COR_SHEET_PUT(sheet, struct cor_difference, difference);
    cor_sheet_word(sheet, verdicts[better * difference->sign + 1]);
}

/* Both differences of a pair; pair_count: their mean over the pairs. */
static void fill_differences(const struct cor_contrast *contrast, size_t pair, struct cor_sheet *sheet) {
    bool mean = pair == contrast->pair_count, boxes = contrast->pair[0].side[0].box != COR_ANY_BOX;
    const struct cor_contrast_pair *it = &contrast->pair[mean ? 0 : pair];
    const struct cor_difference *share = mean ? &contrast->share : &it->share,
                                *cases = mean ? &contrast->cases : &it->cases;
    const char *first = boxes  ? "the gray box"
                        : mean ? "the first"
                               : it->side[0].arm,
               *second = boxes  ? "the black box"
                         : mean ? "the second"
                                : it->side[1].arm;
    cor_sheet_row(sheet);
    cor_sheet_word(sheet, contrast->name);
    if (mean)
        cor_sheet_nothing(sheet);
    else
        cor_sheet_count(sheet, pair + 1);
    cor_sheet_word(sheet, mean ? NULL : it->side[0].arm);
    cor_sheet_word(sheet, mean ? NULL : it->side[1].arm);
    fill_difference(share, 1, sheet);
    fill_difference(cases, -1, sheet);
    /* What finds more, and what sooner; both are signs that speak for the first. */
    const int sooner = -cases->sign;
    const char *by_more = share->sign > 0 ? first : second, *by_sooner = sooner > 0 ? first : second;
    if (share->sign && sooner == share->sign)
        cor_sheet_text(sheet, "%s finds more, and sooner", by_more);
    else if (share->sign && sooner)
        cor_sheet_text(sheet, "%s finds more; %s finds sooner", by_more, by_sooner);
    else if (share->sign || sooner)
        cor_sheet_text(sheet, "%s finds %s", share->sign ? by_more : by_sooner,
                       share->sign ? "more" : "sooner");
    else
        cor_sheet_text(sheet, "no claim");
    cor_sheet_tone(sheet, share->sign || sooner ? COR_TONE_GOOD : COR_TONE_FAINT);
}

static enum cor_status make_contrasts(const struct cor_view_request *request, struct cor_sheets *sheets,
                                      struct cor_view_findings *findings, struct cor_error *error) {
    struct cor_contrasts *made;
    (void)findings;
    COR_TRY(cor_contrasts_create(request->result, views__view_level(request), &made, error));
    COR_SHEET_PUT(cor_sheets_add(sheets, &about_contrasts), struct cor_contrasts, made);
    struct cor_sheet *side_rows = cor_sheets_add(sheets, &sides),
                     *difference_rows = cor_sheets_add(sheets, &differences),
                     *contrast_rows = cor_sheets_add(sheets, &contrasts_sheet);
    for (size_t c = 0; c < made->count; c++) {
        const struct cor_contrast *contrast = &made->contrast[c];
        for (size_t p = 0; p < contrast->pair_count; p++) {
            fill_side(contrast, p, 0, side_rows);
            fill_side(contrast, p, 1, side_rows);
            fill_differences(contrast, p, difference_rows);
        }
        fill_differences(contrast, contrast->pair_count, difference_rows);
        COR_SHEET_PUT(contrast_rows, struct cor_contrast, contrast);
    }
    cor_sheet_remark(difference_rows,
                     "Differences: BCa intervals of %d bootstraps over suites. One is claimed if its "
                     "interval lies on one side of 0 and a test of suites (p) agrees. Each stands for "
                     "itself: of twenty that are none, one may be claimed.",
                     COR_BOOTSTRAP_REPLICATES);
    cor_contrasts_destroy(made);
    return COR_OK;
}

static const struct cor_sheet_definition *const sheets_of_contrasts[] = {
    &differences, &sides, &contrasts_sheet, &about_contrasts, NULL};

const struct cor_view views__view_contrasts = {
    .name = "contrasts",
    .command = "compare",
    .summary = "compare the arms that an experiment names in \"contrasts\"",
    .schema = "corridor-contrasts",
    .version = 2,
    .sheets = sheets_of_contrasts,
    .make = make_contrasts,
};
