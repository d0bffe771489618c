/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What separates failing from passing units of an arm, and whether it does so by chance. */
#include "views.h"

#include <corridor/arms.h>
#include <corridor/ranking.h>

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define SHOWN 15 /* features of each list in a text, if nothing else is asked for */

#define RANKING(member) COR_CELL_OF(struct cor_ranking, member)
static const struct cor_column_definition ranking_columns[] = {
    {"arm", "arm", "", "name of the arm", COR_CELL_WORD, 0, COR_COLUMN_DATA},
    {"suite", "suite", "", "the only suite that was looked at; nothing: all",
     COR_KNOWN_OF(struct cor_ranking, suite), 0, COR_COLUMN_DATA},
    {"unit", "unit", "", "what fails or passes: reorganizations, sequences, suites",
     COR_ONE_OF(struct cor_ranking, unit, cor_ranked_unit_words), 0, COR_COLUMN_DATA},
    {"score", "score", "", "what ranks: ochiai, tarantula, dstar",
     COR_ONE_OF(struct cor_ranking, score, cor_score_words), 0, COR_COLUMN_DATA},
    {"failing", "failing", "", "units that failed", RANKING(failing), 0, COR_COLUMN_DATA},
    {"passing", "passing", "", "units that passed", RANKING(passing), 0, COR_COLUMN_DATA},
    {"suites", "suites", "", "suites that were looked at", RANKING(suites), 0, COR_COLUMN_DATA},
    {"suites_failing", "suites failing", "", "thereof with a failed unit", RANKING(suites_failing), 0,
     COR_COLUMN_DATA},
    {"p", "p", "1",
     "share of arrangements in which some cause has an Ochiai as high as the best one here, when verdicts "
     "are exchanged between suites; above 0.05 no feature separates failing from passing better than chance; "
     "nothing where nothing failed or nothing passed",
     RANKING(p), COR_DIGITS_FOUR, COR_COLUMN_DATA},
    {"permutations", "permutations", "", "arrangements beside the file itself", RANKING(permutations), 0,
     COR_COLUMN_DATA},
};
const struct cor_sheet_definition views__ranking =
    COR_SHEET_OVER(ranking_columns, "ranking", "What goes with failing", "the arm", COR_SHEET_RECORD, 0);

static const char *const comparisons[] = {
    [COR_AT_LEAST] = ">=", [COR_AT_MOST] = "<=", [COR_PRESENT] = "present"};
#define FEATURE(member) COR_CELL_OF(struct cor_feature, member)
static const struct cor_column_definition feature_columns[] = {
    {"rank_best", "rank", "", "rank by the score; features of one score share theirs: the first of these",
     FEATURE(rank_best), 0, COR_COLUMN_MORE},
    {"rank_worst", "last of\nthe rank", "", "the last of the ranks that it shares", FEATURE(rank_worst), 0,
     COR_COLUMN_MORE},
    {"rank", "rank", "", "the middle of the ranks that it shares", COR_CELL_REAL, 1, COR_COLUMN_DATA},
    {"ochiai", "ochiai", "1", "0 .. 1: ef / sqrt((ef + nf) (ef + ep)); sheet scores has the source",
     FEATURE(score[COR_SCORE_OCHIAI]), COR_DIGITS_FOUR},
    {"tarantula", "tarantula", "1", "0 .. 1: (ef / F) / (ef / F + ep / P)",
     FEATURE(score[COR_SCORE_TARANTULA]), COR_DIGITS_FOUR, COR_COLUMN_MORE},
    {"dstar", "dstar", "1", "ef^2 / (ep + nf); infinite (JSON: null): exactly the failing units have it",
     FEATURE(score[COR_SCORE_DSTAR]), COR_DIGITS_FOUR, COR_COLUMN_MORE},
    {"failing_with", "failing with", "", "failing units that have it (ef)", FEATURE(failing_with)},
    {"failing_without", "failing without", "", "failing units that have it not (nf)",
     FEATURE(failing_without), 0, COR_COLUMN_DATA},
    {"passing_with", "passing with", "", "passing units that have it (ep)", FEATURE(passing_with)},
    {"passing_without", "passing without", "", "passing units that have it not (np)",
     FEATURE(passing_without), 0, COR_COLUMN_DATA},
    {"aspect", "aspect", "", "environment, structure, configuration, behaviour",
     COR_ONE_OF(struct cor_feature, aspect, cor_aspect_words), 0, COR_COLUMN_MORE},
    {"condition", "feature", "", "the next five in one, for readers", COR_CELL_TEXT, 0, COR_COLUMN_KEY},
    {"once", "once", "", "of a sequence: some reorganization in it is such", FEATURE(once), 0,
     COR_COLUMN_DATA},
    {"feature", "feature", "", "property that units have or have not", FEATURE(name), 0, COR_COLUMN_DATA},
    {"comparison", "comparison", "", "with its bound: >=, <=; or present",
     COR_ONE_OF(struct cor_feature, comparison, comparisons), 0, COR_COLUMN_DATA},
    {"bound", "bound", "", "value of the unit with the feature that is nearest to the units without",
     FEATURE(bound), COR_DIGITS_FOUR, COR_COLUMN_DATA},
    {"next", "next", "", "nearest value of a unit that has it not", FEATURE(next), COR_DIGITS_FOUR,
     COR_COLUMN_DATA},
};
const struct cor_sheet_definition views__causes = COR_SHEET_OVER(
    feature_columns, "causes", "What the algorithm was given",
    "a feature of environment, structure or configuration that some failing unit has and some unit has not",
    0, SHOWN);
const struct cor_sheet_definition views__symptoms = COR_SHEET_OVER(
    feature_columns, "symptoms", "What it then did",
    "a feature of what the algorithm did: a symptom rather than a cause", COR_SHEET_MORE, SHOWN);

static const struct cor_column_definition scores_columns[] = {
    {"score", "score", "", "id of the score", COR_CELL_WORD, 0, 0},
    {"formula", "formula", "", "from the counts of a feature", COR_CELL_TEXT, 0, 0},
    {"source", "source", "", "where it was published", COR_CELL_TEXT, 0, 0},
};
const struct cor_sheet_definition views__scores =
    COR_SHEET_OVER(scores_columns, "scores", "Scores", "a score", COR_SHEET_DATA, 0);

static void fill_list(const struct cor_ranking *made, const struct cor_sheet_definition *definition,
                      size_t rows, struct cor_sheets *sheets) {
    const struct cor_feature_list *list = definition == &views__causes ? &made->causes : &made->symptoms;
    struct cor_sheet *sheet = cor_sheets_add(sheets, definition);
    cor_sheet_limit(sheet, rows > 0 ? rows : SHOWN);
    if (definition == &views__causes)
        cor_sheet_title(sheet, "What the algorithm was given, by %s", cor_score_words[made->score]);
    for (size_t i = 0; i < list->count; i++) {
        const struct cor_feature *feature = &list->feature[i];
        COR_SHEET_PUT(sheet, struct cor_feature, feature);
        cor_sheet_real(sheet, cor_feature_rank(feature));
        COR_SHEET_PUT(sheet, struct cor_feature, feature);
        /* "partitions_before >= 101 (next: 97)". */
        const char *comparison = comparisons[feature->comparison];
        const char *once = feature->once ? "once: " : "";
        if (feature->comparison == COR_PRESENT)
            cor_sheet_text(sheet, "%s%s", once, feature->name);
        else if (isnan(feature->next))
            cor_sheet_text(sheet, "%s%s %s %.6g", once, feature->name, comparison, feature->bound);
        else
            cor_sheet_text(sheet, "%s%s %s %.6g (next: %.6g)", once, feature->name, comparison,
                           feature->bound, feature->next);
        COR_SHEET_PUT(sheet, struct cor_feature, feature);
    }
}

static void fill_ranking(const struct cor_ranking *made, const char *arm, struct cor_sheets *sheets) {
    struct cor_sheet *sheet = cor_sheets_add(sheets, &views__ranking);
    uint64_t units = made->failing + made->passing;
    if (made->suite == COR_ANY_SUITE)
        cor_sheet_title(
            sheet, "%s: %" PRIu64 " of %" PRIu64 " %s failed, in %" PRIu64 " of %" PRIu64 " suites", arm,
            made->failing, units, cor_ranked_unit_words[made->unit], made->suites_failing, made->suites);
    else
        cor_sheet_title(sheet, "%s, suite %" PRIu32 ": %" PRIu64 " of %" PRIu64 " %s failed", arm,
                        made->suite, made->failing, units, cor_ranked_unit_words[made->unit]);
    cor_sheet_row(sheet);
    cor_sheet_word(sheet, arm);
    COR_SHEET_PUT(sheet, struct cor_ranking, made);
    /* What a reader is told first. */
    if (made->failing == 0)
        cor_sheet_remark(sheet, "nothing failed: nothing to explain");
    else if (made->passing == 0)
        cor_sheet_remark(sheet, "nothing passed: nothing to compare with");
    else if (made->p > COR_RANKING_LEVEL)
        cor_sheet_remark(sheet,
                         "no feature separates failing from passing better than chance (p = %.3g: so often "
                         "some feature goes as well with failing when suites swap their verdicts at random)",
                         made->p);
    else
        cor_sheet_remark(sheet,
                         "the best separates failing from passing better than chance (p = %.3g, by "
                         "swapping the verdicts of suites at random)",
                         made->p);
    for (const char *line = made->note; *line; line += strcspn(line, "\n") + 1)
        cor_sheet_remark(sheet, "%.*s", (int)strcspn(line, "\n"), line);
}

static enum cor_status make(const struct cor_view_request *request, struct cor_sheets *sheets,
                            struct cor_view_findings *findings, struct cor_error *error) {
    const struct cor_result_header *head = cor_result_head(request->result);
    struct cor_ranking *made;
    size_t arm;
    (void)findings;
    COR_TRY(cor_arm_find(head, "--arm", request->arm, &arm, error));
    COR_TRY(cor_ranking_create(request->result, cor_arm_entry(head, arm)->code, request->suite,
                               (enum cor_ranked_unit)request->unit, (enum cor_score)request->score, &made,
                               error));
    fill_ranking(made, cor_arm_entry(head, arm)->name, sheets);
    if (made->failing > 0 && made->passing > 0) {
        fill_list(made, &views__causes, request->rows, sheets);
        fill_list(made, &views__symptoms, request->rows, sheets);
    }
    struct cor_sheet *sheet = cor_sheets_add(sheets, &views__scores);
    for (enum cor_score s = 0; s < COR_SCORE_COUNT; s++) {
        cor_sheet_row(sheet);
        cor_sheet_word(sheet, cor_score_words[s]);
        cor_sheet_text(sheet, "%s", cor_score_formulas[s]);
        cor_sheet_text(sheet, "%s", cor_score_sources[s]);
    }
    cor_ranking_destroy(made);
    return COR_OK;
}

static const struct cor_sheet_definition *const sheets_made[] = {&views__causes, &views__symptoms,
                                                                 &views__ranking, &views__scores, NULL};

const struct cor_view views__view_ranking = {
    .name = "ranking",
    .summary = "rank what goes with failing",
    .schema = "corridor-ranking",
    .version = 2,
    .sheets = sheets_made,
    .make = make,
};
