/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How far searches by splitting climbed; and level functions that never rose, in words. */
#include "searches.h"

#include <inttypes.h>
#include <math.h>

#define STAGE(member) COR_CELL_OF(struct cor_search_stage_row, member)
static const struct cor_column_definition columns[] = {
    {"arm", "search", "", "generator, and arm of the experiment", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"island", "island", "1", "number, from 0", STAGE(suite)},
    {"stage", "stage", "1", "from 0: tests by the law", STAGE(stage)},
    {"climbs", "climbs", "1", "that came to this stage", STAGE(climbs)},
    {"tests", "tests", "tests", "made in it", STAGE(tests)},
    {"rose", "rose", "tests", "thereof taken as the start of tests of the next stage", STAGE(rose)},
    {"lowest", "lowest", "1", "the least of the highest levels of these tests", STAGE(lowest),
     COR_DIGITS_FOUR},
    {"highest", "highest", "1", "the greatest of them", STAGE(highest), COR_DIGITS_FOUR},
};
const struct cor_sheet_definition views__search_stages =
    COR_SHEET_OVER(columns, "stages", "Stages", "a stage of splitting", 0, 40);

static const struct cor_search_stage_row *stage_at(const struct cor_layer_tables *search, uint64_t index) {
    return cor_layer_row(search, COR_SEARCH_TABLE_STAGES, index);
}

void views__put_search_stages(const struct cor_layer_tables *search, struct cor_sheets *sheets) {
    if (search->count[COR_SEARCH_TABLE_STAGES] == 0)
        return;
    struct cor_sheet *sheet = cor_sheets_add(sheets, &views__search_stages);
    for (uint64_t i = 0; i < search->count[COR_SEARCH_TABLE_STAGES]; i++) {
        const struct cor_search_stage_row *row = stage_at(search, i);
        cor_sheet_row(sheet);
        cor_sheet_word(sheet, views__search_arm_name(search, row->arm));
        COR_SHEET_PUT(sheet, struct cor_search_stage_row, row);
    }
    for (uint64_t i = 0; i < search->count[COR_SEARCH_TABLE_ISLANDS]; i++) {
        /* Where nothing rises there is nothing to split at. */
        const struct cor_search_island_row *island = cor_layer_row(search, COR_SEARCH_TABLE_ISLANDS, i);
        uint64_t count, rose = 0;
        const uint64_t first =
            cor_layer_rows_of(search, COR_SEARCH_TABLE_STAGES, island->arm, island->suite, &count);
        for (uint64_t j = first; j < first + count; j++)
            rose += stage_at(search, j)->rose;
        if (count == 0 || rose > 0)
            continue;
        const struct cor_search_stage_row *row = stage_at(search, first);
        const char *name = views__search_arm_name(search, island->arm);
        if (isnan(row->highest))
            cor_sheet_remark(sheet,
                             "%s, island %" PRIu32 ": the level was undefined in all %" PRIu32
                             " tests: there was nothing to split at.",
                             name, island->suite, island->tests);
        else if (row->lowest < row->highest)
            cor_sheet_remark(
                sheet, "%s, island %" PRIu32 ": the budget was used up before the first stage was over.",
                name, island->suite);
        else
            cor_sheet_remark(
                sheet,
                "%s, island %" PRIu32 ": the level function never rose: %" PRIu32
                " tests came to the level %g, no more and no less, and there was nothing to split "
                "at. A level that rises on the way to failing is needed (--level).",
                name, island->suite, island->tests, row->highest);
    }
}
