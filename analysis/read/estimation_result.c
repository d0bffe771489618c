/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/estimation_result.h>

#include "scan.h"

#include <inttypes.h>
#include <math.h>

enum { LAWS_MOST = 2, HALVINGS_MOST = 5000 /* below it a double is 0 */ };
#define ROUNDING 1e-9

double cor_estimation_value(double mantissa, uint32_t halvings) {
    return ldexp(mantissa, 16 - (int)(halvings < HALVINGS_MOST ? halvings : HALVINGS_MOST));
}

/* As it is written: 0, or a mantissa in [0.5, 1). */
static bool is_normal(double mantissa, uint32_t halvings) {
    return mantissa == 0 ? halvings == 0 : mantissa >= 0.5 && mantissa < 1;
}

/* What a mean over sequences may be at most: no weight is above the inverse of the share for each law that
 * was changed. */
static double most_of(const struct cor_estimation_repetition_row *row) {
    return row->method == COR_ESTIMATION_LIKELIHOOD && row->bounds > 0 ? pow(row->share, -(double)row->bounds)
                                                                       : 1;
}

static bool are_counts_sound(const struct cor_estimation_repetition_row *row) {
    const double chance = row->region_probability;
    return row->sequences > 0 && row->failed <= row->sequences &&
           (row->method == COR_ESTIMATION_SPLITTING || row->leaked <= row->sequences - row->failed) &&
           row->bounds <= LAWS_MOST &&
           (isnan(row->share) ? row->bounds == 0 : row->share > 0 && row->share <= 1) &&
           (isnan(chance) || (chance > 0 && chance <= 1));
}

/* Of a repetition in which nothing failed all values are 0; a suite's value in which weights above 1 multiply
 * has no bound, and is written without halvings. */
static bool are_values_sound(const struct cor_estimation_repetition_row *row) {
    const bool is_plain = row->method == COR_ESTIMATION_PLAIN;
    const double mean = cor_estimation_value(row->sequence_mantissa, row->sequence_halvings),
                 suite = cor_estimation_value(row->suite_mantissa, row->suite_halvings),
                 largest = cor_estimation_value(row->largest_mantissa, row->largest_halvings),
                 most = most_of(row) * (1 + ROUNDING);
    if (!is_normal(row->sequence_mantissa, row->sequence_halvings) ||
        !is_normal(row->largest_mantissa, row->largest_halvings) || isnan(suite) || mean > most ||
        largest > most || mean > largest * (1 + ROUNDING))
        return false;
    if (row->failed == 0)
        return mean == 0 && largest == 0 && suite == 0;
    const bool has_bound = row->method != COR_ESTIMATION_LIKELIHOOD || row->bounds == 0;
    if (has_bound && !(suite >= 0 && suite <= 1 + ROUNDING))
        return false;
    return !is_plain || (fabs(mean - (double)row->failed / row->sequences) <= ROUNDING && suite == 1);
}

/* All repetitions are made in one way. */
static bool is_like(const struct cor_estimation_repetition_row *row,
                    const struct cor_estimation_repetition_row *first) {
    return row->method == first->method && row->sequences == first->sequences &&
           row->bounds == first->bounds &&
           (row->share == first->share || (isnan(row->share) && isnan(first->share))) &&
           (row->region_probability == first->region_probability ||
            (isnan(row->region_probability) && isnan(first->region_probability)));
}

static enum cor_status check(const struct cor_layer_tables *tables, struct cor_error *error) {
    const struct cor_estimation_repetition_row *rows = tables->rows[COR_ESTIMATION_TABLE_REPETITIONS];
    for (uint64_t i = 0; i < tables->count[COR_ESTIMATION_TABLE_REPETITIONS]; i++)
        if (!are_counts_sound(&rows[i]) || !are_values_sound(&rows[i]) || !is_like(&rows[i], &rows[0]))
            return read__foreign(error, "repetitions",
                                 "row %" PRIu64 " has values that no repetition of this estimate has", i);
    const struct cor_estimation_stage_row *stages = tables->rows[COR_ESTIMATION_TABLE_STAGES];
    for (uint64_t i = 0; i < tables->count[COR_ESTIMATION_TABLE_STAGES]; i++)
        if (stages[i].stage >= COR_ESTIMATION_STAGES_MAX || stages[i].reached > stages[i].started ||
            stages[i].failed > stages[i].started - stages[i].reached || isinf(stages[i].level))
            return read__foreign(error, "stages",
                                 "row %" PRIu64 ": of %" PRIu64 " trajectories %" PRIu64
                                 " came to the level and %" PRIu64 " failed",
                                 i, stages[i].started, stages[i].reached, stages[i].failed);
    return COR_OK;
}

enum cor_status cor_estimation_result_init(struct cor_result *result, struct cor_layer_tables *tables,
                                           struct cor_error *error) {
    COR_TRY(cor_layer_tables_init(result, COR_ALL_TABLES, 0, tables, error));
    const enum cor_status status = check(tables, error);
    if (status != COR_OK)
        cor_layer_tables_fini(tables);
    return status;
}
