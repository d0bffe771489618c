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

/* All islands together. */
struct searched {
    uint64_t cases, first, classes, searches, found, tests, failing, interrupted, last_new, features;
    enum cor_tone tone; /* of first */
};
#define SEARCHED(member) COR_CELL_OF(struct searched, member)
static const struct cor_column_definition search_sheet_columns[] = {
    {"cases", "cases", "cases", "test cases executed, including those of the generators", SEARCHED(cases)},
    {"first", "first failure", "cases",
     "test cases to the first failure, it included: the least of all searches; nothing: none was found",
     COR_SOME_OF(struct searched, first), .tone = COR_TONE_OF(struct searched, tone)},
    {"classes", "classes", "classes", "different classes of failures found", SEARCHED(classes)},
    {"searches", "searches", "1", "islands of all arms", SEARCHED(searches)},
    {"found", "that found", "searches", "thereof with a failure found", SEARCHED(found)},
    {"tests", "tests", "tests", "executed", SEARCHED(tests)},
    {"failing", "that failed", "tests", "of these", SEARCHED(failing)},
    {"interrupted", "interrupted", "searches", "ended before their budget", SEARCHED(interrupted)},
};
COR_SHEET_DEFINITION(search_sheet, "search", "Search", "the file", COR_SHEET_RECORD | COR_SHEET_TOP, 0);

#define ISLAND(member) COR_CELL_OF(struct cor_search_island_row, member)
static const struct cor_column_definition islands_sheet_columns[] = {
    {"arm", "search", "", "generator, and arm of the experiment", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"island", "island", "1", "number, from 0", ISLAND(suite)},
    {"cases", "cases", "cases", "executed", ISLAND(cases)},
    {"tests", "tests", "tests", "executed", ISLAND(tests)},
    {"failing", "failing", "tests", "that failed", ISLAND(failing)},
    {"first", "first failure", "cases", "executed up to it, it included; nothing: none",
     COR_SOME_OF(struct cor_search_island_row, first)},
    {"classes", "classes", "classes", "of failures", ISLAND(classes)},
    {"features", "features", "features", "seen", ISLAND(features)},
    {"last_new", "last new", "cases", "executed when the last new feature was seen", ISLAND(last_new)},
    {"kept", "kept", "tests", "in the corpus", COR_CELL_COUNT, 0, 0},
    {"interrupted", "interrupted", "", "before the budget was used up",
     COR_FLAG_OF(struct cor_search_island_row, interrupted), 0, COR_COLUMN_DATA},
};
COR_SHEET_DEFINITION(islands_sheet, "islands", "Searches", "an island of a search", 0, 24);

#define FINDING(member) COR_CELL_OF(struct cor_search_finding_row, member)
static const struct cor_column_definition findings_sheet_columns[] = {
    {"key", "key", "", "ARM/ISLAND/TEST, for --test", COR_CELL_WORD, 0, 0},
    {"class", "class", "", "of the failure", COR_CELL_WORD, 0, 0},
    {"first", "after", "cases", "executed by its island up to it, it included", FINDING(first)},
    {"case", "in case", "1", "of the test", FINDING(case_)},
    {"tests", "tests", "tests", "of the island that failed so", FINDING(tests)},
    {"mutation", "made by", "", "how the test was made", COR_CELL_WORD, 0, 0},
};
COR_SHEET_DEFINITION(findings_sheet, "findings", "Findings", "the first test of a class of failures", 0, 40);

/* Classes that differ, over all findings. */
static uint64_t count_classes(const struct cor_layer_tables *search) {
    const uint64_t count = search->count[COR_SEARCH_TABLE_FINDINGS];
    uint64_t classes = 0;
    for (uint64_t i = 0; i < count; i++) {
        const struct cor_failure_class class =
            cor_search_class(cor_layer_row(search, COR_SEARCH_TABLE_FINDINGS, i));
        bool new = true;
        for (uint64_t j = 0; j < i && new; j++) {
            const struct cor_failure_class other =
                cor_search_class(cor_layer_row(search, COR_SEARCH_TABLE_FINDINGS, j));
            new = !cor_failure_class_equal(&class, &other);
        }
        classes += new;
    }
    return classes;
}

static void fill_search(const struct cor_layer_tables *search, struct cor_sheet *sheet) {
    struct searched all = {.classes = count_classes(search),
                           .searches = search->count[COR_SEARCH_TABLE_ISLANDS]};
    for (uint64_t i = 0; i < all.searches; i++) {
        const struct cor_search_island_row *row = cor_layer_row(search, COR_SEARCH_TABLE_ISLANDS, i);
        all.cases += row->cases;
        all.tests += row->tests;
        all.failing += row->failing;
        all.interrupted += row->interrupted;
        all.found += row->first > 0;
        if (row->first > 0 && (all.first == 0 || row->first < all.first))
            all.first = row->first;
        all.last_new = row->last_new > all.last_new ? row->last_new : all.last_new;
        all.features = row->features > all.features ? row->features : all.features;
    }
    all.tone = all.first > 0 ? COR_TONE_BAD : COR_TONE_GOOD;
    COR_SHEET_PUT(sheet, struct searched, &all);
    if (all.searches > 0 && all.found == 0)
        cor_sheet_remark(sheet,
                         "Nothing failed in %" PRIu64 " test cases of %" PRIu64 " tests. At most %" PRIu64
                         " features were seen in a search, the last new one after %" PRIu64 " of its cases.",
                         all.cases, all.tests, all.features, all.last_new);
    cor_sheet_remark(sheet,
                     "Tests of a search are no sample of the experiment's laws: no rate is made of them.");
    if (all.interrupted > 0)
        cor_sheet_remark(sheet,
                         "%" PRIu64 " %s interrupted before the budget was used up; what was found is kept.",
                         all.interrupted, all.interrupted == 1 ? "search was" : "searches were");
}

static const char *mutation_of(const struct cor_layer_tables *search,
                               const struct cor_search_finding_row *finding) {
    uint64_t count;
    const uint64_t first =
        cor_layer_rows_of(search, COR_SEARCH_TABLE_TESTS, finding->arm, finding->suite, &count);
    for (uint64_t i = first; i < first + count; i++) {
        const struct cor_search_test_row *row = cor_layer_row(search, COR_SEARCH_TABLE_TESTS, i);
        if (row->test == finding->test)
            return cor_term_word(COR_FAMILY_MUTATION, row->mutation);
    }
    return NULL;
}

static void fill_findings(const struct cor_layer_tables *search, struct cor_sheet *sheet) {
    for (uint64_t i = 0; i < search->count[COR_SEARCH_TABLE_FINDINGS]; i++) {
        const struct cor_search_finding_row *row = cor_layer_row(search, COR_SEARCH_TABLE_FINDINGS, i);
        const struct cor_failure_class class = cor_search_class(row);
        char text[COR_FAILURE_CLASS_TEXT];
        cor_sheet_row(sheet);
        cor_sheet_text(sheet, "%s/%" PRIu32 "/%" PRIu32, views__search_arm_name(search, row->arm), row->suite,
                       row->test);
        cor_sheet_word(sheet, cor_failure_class_text(&class, text));
        COR_SHEET_PUT(sheet, struct cor_search_finding_row, row);
        cor_sheet_word(sheet, mutation_of(search, row));
    }
}

static enum cor_status make(const struct cor_view_request *request, struct cor_sheets *sheets,
                            struct cor_view_findings *findings, struct cor_error *error) {
    const double level = views__view_level(request);
    struct cor_layer_tables search;
    enum cor_status status = COR_OK;
    (void)findings;
    COR_TRY(cor_search_result_init(request->result, &search, error));
    fill_search(&search, cor_sheets_add(sheets, &search_sheet));
    COR_TRY_OUT(views__compare_searches(&search, level, sheets, error));
    struct cor_sheet *sheet = cor_sheets_add(sheets, &islands_sheet);
    for (uint64_t i = 0; i < search.count[COR_SEARCH_TABLE_ISLANDS]; i++) {
        const struct cor_search_island_row *row = cor_layer_row(&search, COR_SEARCH_TABLE_ISLANDS, i);
        uint64_t kept;
        cor_layer_rows_of(&search, COR_SEARCH_TABLE_CORPUS, row->arm, row->suite, &kept);
        cor_sheet_row(sheet);
        cor_sheet_word(sheet, views__search_arm_name(&search, row->arm));
        COR_SHEET_PUT(sheet, struct cor_search_island_row, row);
        cor_sheet_count(sheet, kept);
        COR_SHEET_PUT(sheet, struct cor_search_island_row, row);
    }
    if (search.count[COR_SEARCH_TABLE_FINDINGS] > 0)
        fill_findings(&search, cor_sheets_add(sheets, &findings_sheet));
    COR_TRY_OUT(views__put_search_regions(&search, level, sheets, error));
    views__put_search_stages(&search, sheets);
out:
    cor_layer_tables_fini(&search);
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
