/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a search has found, how far it looked, and where. */
#include "searches.h"
#include "views.h"

#include <corridor/arms.h>
#include <corridor/array.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static const struct cor_column_definition search_sheet_columns[] = {
    {"cases", "cases", "cases", "test cases executed, including those of the generators", COR_CELL_COUNT, 0,
     0},
    {"first", "first failure", "cases",
     "test cases to the first failure, it included: the least of all searches; nothing: none was found",
     COR_CELL_COUNT, 0, 0},
    {"classes", "classes", "classes", "different classes of failures found", COR_CELL_COUNT, 0, 0},
    {"searches", "searches", "1", "islands of all arms", COR_CELL_COUNT, 0, 0},
    {"found", "that found", "searches", "thereof with a failure found", COR_CELL_COUNT, 0, 0},
    {"tests", "tests", "tests", "executed", COR_CELL_COUNT, 0, 0},
    {"failing", "that failed", "tests", "of these", COR_CELL_COUNT, 0, 0},
    {"interrupted", "interrupted", "searches", "ended before their budget", COR_CELL_COUNT, 0, 0}};
COR_SHEET_DEFINITION(search_sheet, "search", "Search", "the file", COR_SHEET_RECORD | COR_SHEET_TOP, 0);

static const struct cor_column_definition islands_sheet_columns[] = {
    {"arm", "search", "", "generator, and arm of the experiment", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"island", "island", "1", "number, from 0", COR_CELL_COUNT, 0, 0},
    {"cases", "cases", "cases", "executed", COR_CELL_COUNT, 0, 0},
    {"tests", "tests", "tests", "executed", COR_CELL_COUNT, 0, 0},
    {"failing", "failing", "tests", "that failed", COR_CELL_COUNT, 0, 0},
    {"first", "first failure", "cases", "executed up to it, it included; nothing: none", COR_CELL_COUNT, 0,
     0},
    {"classes", "classes", "classes", "of failures", COR_CELL_COUNT, 0, 0},
    {"features", "features", "features", "seen", COR_CELL_COUNT, 0, 0},
    {"last_new", "last new", "cases", "executed when the last new feature was seen", COR_CELL_COUNT, 0, 0},
    {"kept", "kept", "tests", "in the corpus", COR_CELL_COUNT, 0, 0},
    {"interrupted", "interrupted", "", "before the budget was used up", COR_CELL_FLAG, 0, COR_COLUMN_DATA}};
COR_SHEET_DEFINITION(islands_sheet, "islands", "Searches", "an island of a search", 0, 24);

static const struct cor_column_definition findings_sheet_columns[] = {
    {"key", "key", "", "ARM/ISLAND/TEST, for --test", COR_CELL_WORD, 0, 0},
    {"class", "class", "", "of the failure", COR_CELL_WORD, 0, 0},
    {"first", "after", "cases", "executed by its island up to it, it included", COR_CELL_COUNT, 0, 0},
    {"case", "in case", "1", "of the test", COR_CELL_COUNT, 0, 0},
    {"tests", "tests", "tests", "of the island that failed so", COR_CELL_COUNT, 0, 0},
    {"mutation", "made by", "", "how the test was made", COR_CELL_WORD, 0, 0}};
COR_SHEET_DEFINITION(findings_sheet, "findings", "Findings", "the first test of a class of failures", 0, 40);

const char *views__search_arm_name(const struct cor_search_result *search, uint16_t arm) {
    return cor_arm_entry(search->head, cor_arm_of_code(search->head, arm))->name;
}

static void put_count_or_nothing(struct cor_sheet *sheet, uint64_t count) {
    if (count > 0)
        cor_sheet_count(sheet, count);
    else
        cor_sheet_nothing(sheet);
}

/* Classes that differ, over all findings. */
static uint64_t count_classes(const struct cor_search_result *search) {
    const uint64_t count = search->count[COR_SEARCH_TABLE_FINDINGS];
    uint64_t classes = 0;
    for (uint64_t i = 0; i < count; i++) {
        const struct cor_failure_class class =
            cor_search_class(cor_search_row(search, COR_SEARCH_TABLE_FINDINGS, i));
        bool new = true;
        for (uint64_t j = 0; j < i && new; j++) {
            const struct cor_failure_class other =
                cor_search_class(cor_search_row(search, COR_SEARCH_TABLE_FINDINGS, j));
            new = !cor_failure_class_equal(&class, &other);
        }
        classes += new;
    }
    return classes;
}

static void fill_search(const struct cor_search_result *search, struct cor_sheet *sheet) {
    uint64_t cases = 0, first = 0, found = 0, tests = 0, failing = 0, interrupted = 0, last_new = 0,
             features = 0;
    const uint64_t count = search->count[COR_SEARCH_TABLE_ISLANDS];
    for (uint64_t i = 0; i < count; i++) {
        const struct cor_search_island_row *row = cor_search_row(search, COR_SEARCH_TABLE_ISLANDS, i);
        cases += row->cases;
        tests += row->tests;
        failing += row->failing;
        interrupted += row->interrupted;
        found += row->first > 0;
        if (row->first > 0 && (first == 0 || row->first < first))
            first = row->first;
        last_new = row->last_new > last_new ? row->last_new : last_new;
        features = row->features > features ? row->features : features;
    }
    cor_sheet_row(sheet);
    cor_sheet_count(sheet, cases);
    put_count_or_nothing(sheet, first);
    cor_sheet_tone(sheet, first > 0 ? COR_TONE_BAD : COR_TONE_GOOD);
    cor_sheet_counts(sheet, 6,
                     (const uint64_t[]){count_classes(search), count, found, tests, failing, interrupted});
    if (count > 0 && found == 0)
        cor_sheet_remark(sheet,
                         "Nothing failed in %" PRIu64 " test cases of %" PRIu64 " tests. At most %" PRIu64
                         " features were seen in a search, the last new one after %" PRIu64 " of its cases.",
                         cases, tests, features, last_new);
    cor_sheet_remark(sheet,
                     "Tests of a search are no sample of the experiment's laws: no rate is made of them.");
    if (interrupted > 0)
        cor_sheet_remark(sheet,
                         "%" PRIu64 " %s interrupted before the budget was used up; what was found is kept.",
                         interrupted, interrupted == 1 ? "search was" : "searches were");
}

static void fill_islands(const struct cor_search_result *search, struct cor_sheet *sheet) {
    for (uint64_t i = 0; i < search->count[COR_SEARCH_TABLE_ISLANDS]; i++) {
        const struct cor_search_island_row *row = cor_search_row(search, COR_SEARCH_TABLE_ISLANDS, i);
        uint64_t kept;
        cor_search_rows_of(search, COR_SEARCH_TABLE_CORPUS, row->arm, row->suite, &kept);
        cor_sheet_row(sheet);
        cor_sheet_word(sheet, views__search_arm_name(search, row->arm));
        cor_sheet_counts(sheet, 4, (const uint64_t[]){row->suite, row->cases, row->tests, row->failing});
        put_count_or_nothing(sheet, row->first);
        cor_sheet_counts(sheet, 4, (const uint64_t[]){row->classes, row->features, row->last_new, kept});
        cor_sheet_flag(sheet, row->interrupted);
    }
}

static const char *mutation_of(const struct cor_search_result *search,
                               const struct cor_search_finding_row *finding) {
    uint64_t count;
    const uint64_t first =
        cor_search_rows_of(search, COR_SEARCH_TABLE_TESTS, finding->arm, finding->suite, &count);
    for (uint64_t i = first; i < first + count; i++) {
        const struct cor_search_test_row *row = cor_search_row(search, COR_SEARCH_TABLE_TESTS, i);
        if (row->test == finding->test)
            return cor_term_word(COR_FAMILY_MUTATION, row->mutation);
    }
    return NULL;
}

static void fill_findings(const struct cor_search_result *search, struct cor_sheet *sheet) {
    for (uint64_t i = 0; i < search->count[COR_SEARCH_TABLE_FINDINGS]; i++) {
        const struct cor_search_finding_row *row = cor_search_row(search, COR_SEARCH_TABLE_FINDINGS, i);
        const struct cor_failure_class class = cor_search_class(row);
        char text[COR_FAILURE_CLASS_TEXT];
        cor_sheet_row(sheet);
        cor_sheet_text(sheet, "%s/%" PRIu32 "/%" PRIu32, views__search_arm_name(search, row->arm), row->suite,
                       row->test);
        cor_sheet_word(sheet, cor_failure_class_text(&class, text));
        cor_sheet_counts(sheet, 3, (const uint64_t[]){row->first, row->case_, row->tests});
        cor_sheet_word(sheet, mutation_of(search, row));
    }
}

static enum cor_status make(const struct cor_view_request *request, struct cor_sheets *sheets,
                            struct cor_view_findings *findings, struct cor_error *error) {
    const double level = views__view_level(request);
    struct cor_search_result search;
    enum cor_status status = COR_OK;
    (void)findings;
    COR_TRY(cor_search_result_init(request->result, &search, error));
    fill_search(&search, cor_sheets_add(sheets, &search_sheet));
    COR_TRY_OUT(views__compare_searches(&search, level, sheets, error));
    fill_islands(&search, cor_sheets_add(sheets, &islands_sheet));
    if (search.count[COR_SEARCH_TABLE_FINDINGS] > 0)
        fill_findings(&search, cor_sheets_add(sheets, &findings_sheet));
    COR_TRY_OUT(views__put_search_regions(&search, level, sheets, error));
    views__put_search_stages(&search, sheets);
out:
    cor_search_result_fini(&search);
    return status;
}

static const struct cor_sheet_definition *const sheets_of_searches[] = {
    &islands_sheet,         &search_sheet,         &findings_sheet,
    &views__search_regions, &views__search_shares, &views__search_curves,
    &views__search_pairs,   &views__search_stages, NULL};

const struct cor_view views__view_searches = {
    .name = "searches",
    .command = "show",
    .summary = "show what searches found, and which generator finds more",
    .manual =
        "Prints what the searches of a file found - classes of failures, each with the first test that "
        "failed so and the cases executed up to it -, how far each island looked, regions that were "
        "learned, and, where an arm was searched by several generators, which finds more and sooner: "
        "shares with intervals, curves, log-rank tests and A12 for each pair, after Holm's correction. "
        "With --test, only the test file of one of them is printed, for corridor replay and corridor "
        "shrink. With --regions, the experiment that was searched is printed, with one more arm for each "
        "region on which a search has settled, for corridor run.",
    .options = "level test regions",
    .schema = "corridor-searches",
    .version = 1,
    .layer = &cor_search_schema,
    .sheets = sheets_of_searches,
    .make = make,
};
