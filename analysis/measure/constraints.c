/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What was seen of the constraints of a corridor as text, and how alarms ended under it. */
#include "measure.h"

#include <corridor/array.h>

#include <inttypes.h>

static void count_constraint(struct cor_constraint_tally *tally, const struct cor_constraint_row *row) {
    const bool violated = row->verdict == COR_VERDICT_FAILED;
    tally->unknown += !violated;
    tally->undecided +=
        !violated && (row->box == COR_BOX_GRAY || (row->box == COR_BOX_BLACK && row->case_ > 0));
    switch (row->box) {
    case COR_BOX_DETECT:
        tally->looks += violated;
        break;
    case COR_BOX_GRAY:
        tally->gray += violated;
        break;
    case COR_BOX_BLACK:
        tally->black += violated && row->case_ > 0;
        tally->initial += violated && row->case_ == 0;
        break;
    case COR_BOX_INTERIM:
        tally->interim += violated;
        break;
    case COR_BOX_MOVE:
        tally->move += violated;
        break;
    default:
        break;
    }
}

static void count_return(struct cor_arm_measurement *arm, const struct cor_return_row *row) {
    const uint64_t late = row->back > row->case_ ? row->back - row->case_ : 0;
    arm->returns.alarms++;
    arm->returns.back += row->back > 0;
    arm->returns.late += late;
    arm->returns.latest = late > arm->returns.latest ? late : arm->returns.latest;
    if (row->constraint < arm->constraint_count)
        arm->constraint[row->constraint].stayed++;
}

/* Of sequences that are in the other figures; all of a row's codes are in the catalog. */
static enum cor_status check_row(const struct measure__suite_work *work, uint32_t table, uint16_t sequence,
                                 uint16_t constraint, bool *counts, struct cor_error *error) {
    const bool is_known = sequence < work->suite->row.sequences;
    if (!is_known || (constraint != UINT16_MAX && constraint >= work->arm->constraint_count))
        return cor_damaged(error, table,
                           "arm %zu, suite %" PRIu32 ": sequence %u, constraint %u: there is none",
                           work->suite->arm, work->suite->row.suite, sequence, constraint);
    *counts = cor_is_sample(&work->suite->sequence[sequence]);
    return COR_OK;
}

enum cor_status measure__count_constraints(struct measure__suite_work *work, struct cor_error *error) {
    struct cor_arm_measurement *arm = work->arm;
    const struct cor_suite_rows *suite = work->suite;
    const struct cor_constraint_row *seen = suite->table[COR_TABLE_CONSTRAINTS].row;
    const struct cor_formula_row *formula = suite->table[COR_TABLE_FORMULAS].row;
    const struct cor_return_row *returned = suite->table[COR_TABLE_RETURNS].row;
    bool counts;
    if (!arm->constraint && arm->head->catalog_size[COR_CATALOG_CONSTRAINT] > 0) {
        arm->constraint_count = (uint32_t)arm->head->catalog_size[COR_CATALOG_CONSTRAINT];
        arm->constraint = cor_calloc(arm->constraint_count, sizeof *arm->constraint);
        COR_TRY(cor_made(arm->constraint, error));
    }
    for (size_t i = 0; i < suite->table[COR_TABLE_CONSTRAINTS].count; i++) {
        COR_TRY(check_row(work, COR_TABLE_CONSTRAINTS, seen[i].sequence, seen[i].constraint, &counts, error));
        if (counts && seen[i].constraint < arm->constraint_count)
            count_constraint(&arm->constraint[seen[i].constraint], &seen[i]);
    }
    for (size_t i = 0; i < suite->table[COR_TABLE_FORMULAS].count; i++) {
        COR_TRY(
            check_row(work, COR_TABLE_FORMULAS, formula[i].sequence, formula[i].constraint, &counts, error));
        if (!counts || formula[i].constraint >= arm->constraint_count)
            continue;
        struct cor_constraint_tally *tally = &arm->constraint[formula[i].constraint];
        tally->is_of_time = true;
        tally->sequences += formula[i].verdict == COR_VERDICT_FAILED;
        tally->unknown += formula[i].verdict == COR_VERDICT_UNDECIDED;
        tally->undecided += formula[i].verdict == COR_VERDICT_UNDECIDED;
    }
    for (size_t i = 0; i < suite->table[COR_TABLE_RETURNS].count; i++) {
        COR_TRY(
            check_row(work, COR_TABLE_RETURNS, returned[i].sequence, returned[i].constraint, &counts, error));
        if (counts)
            count_return(arm, &returned[i]);
    }
    return COR_OK;
}
