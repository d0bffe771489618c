/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Regions of parameters that searches have learned: what they are, and how much better than the law. */
#include "searches.h"
#include "views.h"

#include <corridor/arms.h>
#include <corridor/array.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define REGION(member) COR_CELL_OF(struct cor_search_region_row, member)
static const struct cor_column_definition columns[] = {
    {"arm", "search", "", "generator, and arm of the experiment", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"island", "island", "1", "number, from 0", REGION(suite)},
    {"round", "round", "1", "of learning, from 1", REGION(round), 0, COR_COLUMN_DATA},
    {"settled", "settled", "", "suites were drawn from it to the end, and nothing was learned from them",
     COR_FLAG_OF(struct cor_search_region_row, settled)},
    {"suites", "from", "suites", "learned from", REGION(suites)},
    {"cases", "after", "cases", "executed by the island when it was learned", REGION(cases)},
    {"target", "target", "", "what is to be met: the seam reached, its condition held, or activated",
     COR_CELL_WORD, 0, 0},
    {"inside", "inside", "1",
     "share of the suites learned from within the region that met the target: they chose it, so it is "
     "flattered",
     COR_CELL_ESTIMATE, 3, COR_COLUMN_DATA},
    {"law", "by law", "1", "share of the suites drawn by the arm's law that met the target",
     COR_CELL_ESTIMATE, 3, 0},
    {"fresh", "in region", "1", "the same of suites drawn in the region after it was learned",
     COR_CELL_ESTIMATE, 3, 0},
    {"chance", "chance", "1",
     "probability of so many in the region, or more, if it were no better than the law (Fisher)",
     REGION(chance), 3},
    {"support", "of law", "1", "share of the law's draws within the region", COR_CELL_REAL, 3, 0},
    {"region", "region", "", "constraints, all of which are to hold", COR_CELL_TEXT, 0, 0},
};
const struct cor_sheet_definition views__search_regions =
    COR_SHEET_OVER(columns, "regions", "Regions", "a region that was learned", 0, 60);

/* The lines joined by "and", as a condition. Takes the text. */
static char *condition_of(char *lines) {
    char *condition = cor_strdup("");
    for (char *line = strtok(lines, "\n"); line; line = strtok(NULL, "\n"))
        condition = cor_join_take(condition, " and ", cor_strdup(line));
    free(lines);
    return condition;
}

static bool is_directed(const struct cor_layer_tables *search, const struct cor_search_island_row *island) {
    return strcmp(cor_result_name(search->result, COR_SEARCH_CATALOG_GENERATOR, island->generator),
                  "directed") == 0;
}

static bool has_settled(const struct cor_layer_tables *search, const struct cor_search_island_row *island) {
    uint64_t count;
    const uint64_t first =
        cor_layer_rows_of(search, COR_SEARCH_TABLE_REGIONS, island->arm, island->suite, &count);
    for (uint64_t i = first; i < first + count; i++)
        if (((const struct cor_search_region_row *)cor_layer_row(search, COR_SEARCH_TABLE_REGIONS, i))
                ->settled)
            return true;
    return false;
}

enum cor_status views__put_search_regions(const struct cor_layer_tables *search, double level,
                                          struct cor_sheets *sheets, struct cor_error *error) {
    bool any = false;
    for (uint64_t i = 0; i < search->count[COR_SEARCH_TABLE_ISLANDS]; i++)
        any = any || is_directed(search, cor_layer_row(search, COR_SEARCH_TABLE_ISLANDS, i));
    if (!any && search->count[COR_SEARCH_TABLE_REGIONS] == 0)
        return COR_OK;
    struct cor_sheet *sheet = cor_sheets_add(sheets, &views__search_regions);
    for (uint64_t i = 0; i < search->count[COR_SEARCH_TABLE_REGIONS]; i++) {
        const struct cor_search_region_row *row = cor_layer_row(search, COR_SEARCH_TABLE_REGIONS, i);
        const struct cor_estimate law = cor_estimate_suites(level, row->law_hits, row->law),
                                  inside = cor_estimate_suites(level, row->inside_hits, row->inside),
                                  fresh = cor_estimate_suites(level, row->fresh_hits, row->fresh);
        char *lines, *condition;
        COR_TRY(cor_search_text(search, row->text_start, row->text, &lines, error));
        COR_TRY(cor_made(condition = condition_of(lines), error));
        cor_sheet_row(sheet);
        cor_sheet_word(sheet, views__search_arm_name(search, row->arm));
        COR_SHEET_PUT(sheet, struct cor_search_region_row, row);
        static const char *const words[] = {"", "reached", "held", "activated"};
        cor_sheet_word(sheet, words[row->target < 4 ? row->target : 0]);
        cor_sheet_estimate(sheet, &inside);
        cor_sheet_estimate(sheet, &law);
        cor_sheet_estimate(sheet, &fresh);
        COR_SHEET_PUT(sheet, struct cor_search_region_row, row);
        cor_sheet_real(sheet, row->support > 0 ? (double)row->support_inside / row->support : 0);
        cor_sheet_text_take(sheet, condition);
    }
    /* Islands that end without a region say so. */
    for (uint64_t i = 0; i < search->count[COR_SEARCH_TABLE_ISLANDS]; i++) {
        const struct cor_search_island_row *island = cor_layer_row(search, COR_SEARCH_TABLE_ISLANDS, i);
        if (is_directed(search, island) && !has_settled(search, island))
            cor_sheet_remark(
                sheet,
                "%s, island %" PRIu32 ": in %" PRIu32
                " suites no region was found in which the seam is provoked more often than by chance.",
                views__search_arm_name(search, island->arm), island->suite, island->tests);
    }
    return COR_OK;
}
