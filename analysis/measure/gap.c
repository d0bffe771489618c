/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How far what an arm reached lies above the optimum. The file does not hold the values of agents at a
 * reorganization; but an arm of the algorithm `exact` that shares suites saw the same values in the same case
 * of the same sequence, and the best there is does not depend on the structure before. */
#include "measure.h"

#include <corridor/array.h>
#include <corridor/terms.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TOLERANCE 1e-9

enum cor_status measure__gap_begin(struct cor_measurement *m, struct cor_error *error) {
    for (size_t a = 0; a < m->arm_count; a++) {
        struct cor_arm_measurement *arm = &m->arm[a];
        bool is_exact;
        COR_TRY(cor_says(arm->entry->description, "algorithm", "exact", &is_exact, error));
        arm->is_exact = is_exact && !arm->has_fault;
        m->has_exact = m->has_exact || arm->is_exact;
    }
    return COR_OK;
}

/* Whether `exact` made small what the oracle measures: its parameter says by the same numbers what. */
static bool is_measured(const struct measure__suite_work *work) {
    static const enum cor_measure measures[] = {COR_MEASURE_RMS, COR_MEASURE_MAX_DEVIATION,
                                                COR_MEASURE_RANGE};
    const struct cor_result_header *head = work->measurement->head;
    const struct cor_parameter_row *row = work->suite->table[COR_TABLE_PARAMETERS].row;
    for (size_t i = 0; i < work->suite->table[COR_TABLE_PARAMETERS].count; i++)
        for (size_t p = 0; p < head->catalog_size[COR_CATALOG_PARAMETER]; p++) {
            const struct cor_catalog_entry *entry = &head->catalog[COR_CATALOG_PARAMETER][p];
            if (entry->code == row[i].parameter && strcmp(entry->name, "measure") == 0)
                return row[i].value >= 0 && row[i].value <= 2 &&
                       (uint8_t)measures[(int)row[i].value] == work->suite->row.measure;
        }
    return false;
}

enum cor_status measure__gap_suite(struct measure__suite_work *work, struct cor_error *error) {
    struct cor_measurement *m = work->measurement;
    const struct cor_objective_row *objective = work->suite->table[COR_TABLE_OBJECTIVES].row,
                                   *last = objective + work->suite->table[COR_TABLE_OBJECTIVES].count;
    const bool has_objective = objective != last;
    work->sums->first_reached = m->reached_count;
    work->sums->is_optimal = work->arm->is_exact && (has_objective || is_measured(work));
    for (uint32_t s = 0; s < work->suite->row.sequences; s++) {
        const struct cor_sequence_rows *sequence = &work->suite->sequence[s];
        for (size_t r = 0; measure__takes_part(sequence) && r < sequence->reorganization_count; r++) {
            const struct cor_reorganization_row *run = &sequence->reorganizations[r];
            double number = run->dissimilarity_after;
            while (objective < last &&
                   (objective->sequence < s || (objective->sequence == s && objective->case_ < run->case_)))
                objective++;
            if (has_objective)
                number = objective < last && objective->sequence == s && objective->case_ == run->case_
                             ? objective->after
                             : (double)NAN;
            if (cor_is_smoke(run) || cor_is_detected(run) || !isfinite(number))
                continue;
            COR_TRY(COR_RESERVE(&m->reached, &m->reached_capacity, m->reached_count + 1, error));
            m->reached[m->reached_count++] = (struct cor_reached){s, run->case_, number};
        }
    }
    work->sums->reached_count = m->reached_count - work->sums->first_reached;
    return COR_OK;
}

/* The suite of an arm of `exact` that has the optimum of this one; NULL: there is none. */
static const struct cor_suite_sums *optimum_of(const struct cor_measurement *m,
                                               const struct cor_suite_sums *suite) {
    for (size_t a = 0; a < m->arm_count; a++) {
        const struct cor_suite_list list = cor_suites_of(m, a);
        if (!m->arm[a].is_exact)
            continue;
        size_t low = 0, high = list.count;
        while (low < high) {
            const size_t middle = (low + high) / 2;
            if (list.suite[middle].suite < suite->suite)
                low = middle + 1;
            else
                high = middle;
        }
        if (low < list.count && list.suite[low].suite == suite->suite && list.suite[low].is_optimal &&
            suite->configuration_hash != 0 && list.suite[low].configuration_hash == suite->configuration_hash)
            return &list.suite[low];
    }
    return NULL;
}

struct cor_gap cor_suite_gap(const struct cor_measurement *m, const struct cor_suite_sums *suite) {
    const struct cor_suite_sums *exact = optimum_of(m, suite);
    struct cor_gap gap = {0};
    if (!exact || exact == suite)
        return gap;
    const struct cor_reached *mine = m->reached + suite->first_reached, *end = mine + suite->reached_count,
                             *best = m->reached + exact->first_reached,
                             *best_end = best + exact->reached_count;
    for (; mine < end; mine++) {
        while (best < best_end && (best->sequence < mine->sequence ||
                                   (best->sequence == mine->sequence && best->case_ < mine->case_)))
            best++;
        if (best == best_end || best->sequence != mine->sequence || best->case_ != mine->case_)
            continue;
        const double size = fabs(best->number), above = mine->number - best->number;
        gap.compared++;
        gap.above += above;
        gap.optimum += best->number;
        gap.optimum_size += size;
        gap.at_optimum += above <= TOLERANCE * (1 + size);
        gap.within_tenth += above <= size / 10 + TOLERANCE * (1 + size);
    }
    return gap;
}
