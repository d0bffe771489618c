/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Arms whose mail goes by pct: the probability that is promised for a fault of order, beside the share of
 * reorganizations that failed. */
#include "views.h"

#include <corridor/arms.h>
#include <corridor/array.h>
#include <corridor/descriptive.h>
#include <corridor/layer_tables.h>
#include <corridor/schema.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct promise {
    uint64_t reorganizations, failed;
    uint32_t depth, drawn, messages, chains;
};

#define PROMISE(member) COR_CELL_OF(struct promise, member)
static const struct cor_column_definition schedules_columns[] = {
    {"arm", "arm", "", "name of the arm", COR_CELL_WORD, 0, 0},
    {"depth", "depth d", "1", "of the faults of order that are looked for", PROMISE(depth)},
    {"drawn", "drawn n", "messages", "among so many deliveries change points are drawn", PROMISE(drawn)},
    {"messages", "most sent", "messages", "most that were sent in a reorganization", PROMISE(messages)},
    {"chains", "chains w", "1", "most causal chains of messages in a reorganization", PROMISE(chains)},
    {"promised", "1/(w^2 n^(d-1))", "1",
     "at least so probable is it that a reorganization meets a fault of order of that depth (Ozkan et al., "
     "OOPSLA "
     "2018); nothing where more was sent than change points were drawn among",
     COR_CELL_REAL, COR_DIGITS_FOUR, 0},
    {"promised_by_chains", "1/(w n^(d-1))", "1",
     "the same where each message has one cause, as here: docs/look-up/schedules.md", COR_CELL_REAL,
     COR_DIGITS_FOUR, 0},
    {"reorganizations", "n", "1", "reorganizations", PROMISE(reorganizations)},
    {"failed", "failed", "1", "thereof failed through a box, whatever the reason", PROMISE(failed)},
    {"share", "share", "1", "failed of all", COR_CELL_REAL, COR_DIGITS_FOUR, 0},
};
const struct cor_sheet_definition views__schedules_sheet = COR_SHEET_OVER(
    schedules_columns, "schedules", "Mail by random priorities (pct)", "an arm whose mail goes so", 0, 0);

static uint32_t larger(uint32_t a, uint32_t b) {
    return a > b ? a : b;
}

/* Products only: as exact as a double is. */
static double promised(const struct promise *arm) {
    double value = 1;
    if (arm->chains == 0 || (arm->depth > 1 && arm->messages > arm->drawn))
        return (double)NAN;
    for (uint32_t i = 1; i < arm->depth; i++)
        value /= arm->drawn;
    return value / arm->chains;
}

enum cor_status views__put_schedules(struct cor_result *result, struct cor_sheets *sheets,
                                     struct cor_error *error) {
    struct cor_layer_tables tables;
    if (cor_result_size(result, COR_TABLE_SCHEDULES) == 0)
        return COR_OK;
    COR_TRY(cor_layer_tables_init(result, UINT64_C(1) << COR_TABLE_SCHEDULES, 0, &tables, error));
    const size_t count = cor_arm_count(tables.head);
    struct promise *arms = cor_calloc(count, sizeof *arms);
    struct cor_sheet *sheet = arms ? cor_sheets_add(sheets, &views__schedules_sheet) : NULL;
    for (uint64_t i = 0; i < tables.count[COR_TABLE_SCHEDULES] && arms; i++) {
        const struct cor_schedule_row *row = cor_layer_row(&tables, COR_TABLE_SCHEDULES, i);
        struct promise *arm = &arms[row->arm];
        arm->depth = larger(arm->depth, row->depth);
        arm->drawn = larger(arm->drawn, row->drawn);
        arm->messages = larger(arm->messages, row->messages);
        arm->chains = larger(arm->chains, row->chains);
        arm->reorganizations += row->reorganizations;
        arm->failed += row->failed;
    }
    for (size_t a = 0; a < count && arms; a++)
        if (arms[a].depth > 0) {
            const char *name = cor_arm_entry(tables.head, a)->name;
            const struct promise *arm = &arms[a];
            double by_chains = promised(arm);
            cor_sheet_row(sheet);
            cor_sheet_word(sheet, name);
            COR_SHEET_PUT(sheet, struct promise, arm);
            cor_sheet_reals(sheet, 2, (double[]){by_chains / arm->chains, by_chains});
            COR_SHEET_PUT(sheet, struct promise, arm);
            cor_sheet_real(sheet, arm->reorganizations > 0
                                      ? (double)arm->failed / (double)arm->reorganizations
                                      : (double)NAN);
            if (arm->depth > 1 && arm->messages > arm->drawn)
                cor_sheet_remark(sheet,
                                 "%s: nothing is promised: up to %" PRIu32
                                 " messages were sent, and change points are drawn among %" PRIu32
                                 "; set \"messages\"",
                                 name, arm->messages, arm->drawn);
        }
    free(arms);
    cor_layer_tables_fini(&tables);
    return sheet ? COR_OK : cor_fail_memory(error);
}
