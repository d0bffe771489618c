/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Arms that the experiment names against each other: what finds more, and what finds sooner? */
#include "views.h"

#include <corridor/bootstrap.h>
#include <corridor/contrasts.h>

#define ABOUT(member) COR_CELL_OF(struct cor_contrasts, member)
static const struct cor_column_definition about_columns[] = {
    {"experiment", "experiment", "", "its name", COR_TEXT_OF(struct cor_contrasts, experiment)},
    {"level", "level of the intervals", "1", "level of the intervals; tests at 1 - level", ABOUT(level),
     COR_DIGITS_FOUR},
    {"paired", "same suites for all arms", "", "the arms share suites: they are resampled together",
     ABOUT(paired)},
    {"left_out", "left out", "suites", "paired: suites of some arms, but not of all that are compared",
     ABOUT(left_out)},
    {"horizon", "horizon", "cases", "up to there no sequence ended undetected", ABOUT(horizon),
     COR_DIGITS_FOUR},
};
COR_SHEET_DEFINITION(about, "about", "What finds more, and what sooner?", "the experiment", COR_SHEET_RECORD,
                     0);

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
    COR_SHEET_PUT(cor_sheets_add(sheets, &about), struct cor_contrasts, made);
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

static const struct cor_sheet_definition *const sheets_made[] = {&differences, &sides, &contrasts_sheet,
                                                                 &about, NULL};

const struct cor_view views__view_contrasts = {
    .name = "contrasts",
    .command = "compare",
    .summary = "compare the arms that an experiment names in \"contrasts\"",
    .schema = "corridor-contrasts",
    .version = 2,
    .sheets = sheets_made,
    .make = make_contrasts,
};
