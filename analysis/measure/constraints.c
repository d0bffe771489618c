/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What was seen of the constraints of a corridor as text - how often, and first in each sequence -, and how
 * alarms ended under it. */
#include "measure.h"

#include <corridor/array.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Where the sequences of a suite first violated something. */
struct firsts {
    uint32_t *observation; /* owned; [sequence] of the arm */
    size_t *place; /* owned; [sequence][constraint][box] in arm->constraint_first, from 1; 0: nowhere */
};

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

/* Observations of the arm were made of the sequences of the suite that take part, in their order. */
static enum cor_status firsts_init(struct firsts *firsts, const struct measure__suite_work *work,
                                   struct cor_error *error) {
    const uint32_t sequences = work->suite->row.sequences;
    firsts->observation = cor_calloc(sequences, sizeof *firsts->observation);
    firsts->place =
        cor_calloc((size_t)sequences * work->arm->constraint_count * COR_BOX_CODES, sizeof *firsts->place);
    if (!firsts->observation || !firsts->place)
        return cor_fail_memory(error);
    uint32_t observation = (uint32_t)work->arm->sequences;
    for (uint32_t s = sequences; s-- > 0;)
        firsts->observation[s] = measure__takes_part(&work->suite->sequence[s]) ? --observation : observation;
    return COR_OK;
}

/* A sequence violates a constraint in a case as that box saw it, or it is unknown there. */
static enum cor_status note_first(struct measure__suite_work *work, struct firsts *firsts, uint32_t sequence,
                                  const struct cor_constraint_first *seen, struct cor_error *error) {
    struct cor_arm_measurement *arm = work->arm;
    size_t *place =
        &firsts->place[((size_t)sequence * arm->constraint_count + seen->constraint) * COR_BOX_CODES +
                       seen->box];
    if (*place == 0) {
        COR_TRY(COR_RESERVE(&arm->constraint_first, &arm->constraint_first_capacity,
                            arm->constraint_first_count + 1, error));
        arm->constraint_first[arm->constraint_first_count] = *seen;
        arm->constraint_first[arm->constraint_first_count].observation = firsts->observation[sequence];
        *place = ++arm->constraint_first_count;
        return COR_OK;
    }
    struct cor_constraint_first *first = &arm->constraint_first[*place - 1];
    first->violated = seen->case_ < first->case_
                          ? seen->violated
                          : first->violated || (seen->case_ == first->case_ && seen->violated);
    first->case_ = seen->case_ < first->case_ ? seen->case_ : first->case_;
    return COR_OK;
}

static bool is_judged(uint8_t verdict) {
    return verdict == COR_VERDICT_PASSED || verdict == COR_VERDICT_FAILED || verdict == COR_VERDICT_UNDECIDED;
}

/* What the boxes looked at in the suite: of constraints each case, however often R-Detect is judged. */
static void count_judged(struct measure__suite_work *work) {
    uint64_t *judged = work->sums->judged;
    for (uint32_t s = 0; s < work->suite->row.sequences; s++) {
        const struct cor_sequence_rows *sequence = &work->suite->sequence[s];
        if (!measure__takes_part(sequence))
            continue;
        judged[COR_BOX_DETECT] += sequence->row->executed;
        for (size_t i = 0; i < sequence->reorganization_count; i++) {
            const struct cor_reorganization_row *row = &sequence->reorganizations[i];
            judged[COR_BOX_GRAY] += is_judged(row->gray);
            judged[COR_BOX_BLACK] += is_judged(row->black);
        }
        judged[COR_BOX_TIME]++;
    }
    judged[COR_BOX_MOVE] = judged[COR_BOX_BLACK];
}

/* A row, as a part of the sums and firsts of the suite. */
static enum cor_status add_seen(struct measure__suite_work *work, struct firsts *firsts, uint32_t sequence,
                                const struct cor_constraint_first *seen, struct cor_error *error) {
    struct cor_constraint_sums *sums =
        &work->measurement->constraint[work->sums->first_constraint +
                                       (size_t)seen->constraint * COR_BOX_CODES + seen->box];
    sums->violated += seen->violated && seen->box != COR_BOX_INTERIM;
    sums->unknown += !seen->violated && seen->box != COR_BOX_INTERIM;
    return note_first(work, firsts, sequence, seen, error);
}

/* Sums and firsts of the suite, whose rows have been checked. */
static enum cor_status add_suite(struct measure__suite_work *work, struct firsts *firsts,
                                 struct cor_error *error) {
    const struct cor_suite_rows *suite = work->suite;
    struct cor_measurement *m = work->measurement;
    const struct cor_constraint_row *seen = suite->table[COR_TABLE_CONSTRAINTS].row;
    const struct cor_formula_row *formula = suite->table[COR_TABLE_FORMULAS].row;
    const size_t each = (size_t)work->arm->constraint_count * COR_BOX_CODES;
    COR_TRY(COR_RESERVE(&m->constraint, &m->constraint_capacity, m->suite_count * each, error));
    work->sums->first_constraint = (m->suite_count - 1) * each;
    memset(m->constraint + work->sums->first_constraint, 0, each * sizeof *m->constraint);
    COR_TRY(firsts_init(firsts, work, error));
    count_judged(work);
    for (size_t i = 0; i < suite->table[COR_TABLE_CONSTRAINTS].count; i++) {
        const struct cor_constraint_first it = {.case_ = seen[i].case_,
                                                .constraint = seen[i].constraint,
                                                .box = seen[i].box,
                                                .violated = seen[i].verdict == COR_VERDICT_FAILED};
        if (it.case_ > 0 && it.box < COR_BOX_CODES && it.constraint < work->arm->constraint_count &&
            measure__takes_part(&suite->sequence[seen[i].sequence]))
            COR_TRY(add_seen(work, firsts, seen[i].sequence, &it, error));
    }
    for (size_t i = 0; i < suite->table[COR_TABLE_FORMULAS].count; i++) {
        const struct cor_sequence_rows *sequence = &suite->sequence[formula[i].sequence];
        const bool violated = formula[i].verdict == COR_VERDICT_FAILED;
        if (formula[i].constraint >= work->arm->constraint_count || !measure__takes_part(sequence) ||
            (!violated && formula[i].verdict != COR_VERDICT_UNDECIDED))
            continue;
        const uint32_t fixed = formula[i].decided > 0 ? formula[i].decided : sequence->row->executed;
        const struct cor_constraint_first it = {.case_ = violated ? fixed : 1,
                                                .constraint = formula[i].constraint,
                                                .box = COR_BOX_TIME,
                                                .violated = violated};
        COR_TRY(add_seen(work, firsts, formula[i].sequence, &it, error));
    }
    return COR_OK;
}

static int by_constraint(const void *a, const void *b) {
    const struct cor_constraint_first *one = a, *other = b;
    int difference = (one->constraint > other->constraint) - (one->constraint < other->constraint);
    if (difference == 0)
        difference = (one->box > other->box) - (one->box < other->box);
    return difference != 0
               ? difference
               : (one->observation > other->observation) - (one->observation < other->observation);
}

void measure__sort_constraints(struct cor_measurement *measurement) {
    for (size_t a = 0; a < measurement->arm_count; a++)
        if (measurement->arm[a].constraint_first_count > 0)
            qsort(measurement->arm[a].constraint_first, measurement->arm[a].constraint_first_count,
                  sizeof *measurement->arm[a].constraint_first, by_constraint);
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
    if (!(work->measurement->parts & COR_MEASURE_CONSTRAINTS) || arm->constraint_count == 0)
        return COR_OK;
    struct firsts firsts = {NULL, NULL};
    const enum cor_status status = add_suite(work, &firsts, error);
    free(firsts.observation);
    free(firsts.place);
    return status;
}
