/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The figures of the tables: ours of each arm, beside what was published. */
#include "published.h"
#include "views.h"

#include <corridor/arms.h>
#include <corridor/array.h>
#include <corridor/tables.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PAPER_CASES_LEAST 50 /* of a test sequence of paper 003 */
#define PAPER_CASES_MOST 1000

size_t cor_tables_broken(const struct cor_tables *tables) {
    return cor_measurement_broken(tables->measurement);
}

/* Whether the figure would be another one if sequences were shorter: what is counted in a sequence or seen in
 * the course of it. Shares of failures and of cases are not. */
static bool hangs_on_length(enum cor_metric metric) {
    switch (metric) {
    case COR_METRIC_EP_STATE_COVERAGE:
    case COR_METRIC_EP_TRANSITION_COVERAGE:
    case COR_METRIC_WITHOUT_DETECTED:
    case COR_METRIC_WITHOUT_ACTIVATED:
    case COR_METRIC_TEST_CASES:
    case COR_METRIC_APPLIED_CASES:
    case COR_METRIC_REORGANIZATIONS:
    case COR_METRIC_FAILURES:
    case COR_METRIC_FAULTY_STATES:
    case COR_METRIC_FAILURES_TOTAL:
    case COR_METRIC_DEPTH:
    case COR_METRIC_DEPTH_GRAY:
    case COR_METRIC_DEPTH_BLACK:
        return true;
    default:
        return false;
    }
}

enum cor_status cor_tables_create(struct cor_result *result, double level, enum cor_interval method,
                                  struct cor_tables **tables, struct cor_error *error) {
    COR_ASSERT(level >= 0.5 && level <= 0.9999);
    COR_ASSERT(method != COR_INTERVAL_NONE);
    enum cor_status status = COR_OK;
    struct cor_tables *made = *tables = cor_calloc(1, sizeof *made);
    if (!made)
        return cor_fail_memory(error);
    made->head = cor_result_head(result);
    made->level = level;
    made->method = method;
    COR_TRY_OUT(cor_is_paired(made->head->experiment, &made->paired, error));
    COR_TRY_OUT(cor_says(made->head->experiment, "repeats", "003", &made->repeats, error));
    bool as_long;
    COR_TRY_OUT(
        cor_ranges(made->head->experiment, "cases", PAPER_CASES_LEAST, PAPER_CASES_MOST, &as_long, error));
    COR_TRY_OUT(
        cor_measurement_create(result, COR_MEASURE_TABLES | COR_MEASURE_KILLS, &made->measurement, error));
    made->arm = cor_calloc(made->measurement->arm_count, sizeof *made->arm);
    if (!made->arm)
        COR_TRY_OUT(cor_fail_memory(error));
    for (; made->arm_count < made->measurement->arm_count; made->arm_count++) {
        const size_t a = made->arm_count;
        struct cor_arm_tables *arm = &made->arm[a];
        arm->measured = &made->measurement->arm[a];
        arm->name = arm->measured->entry->name;
        arm->published = views__paper_has(arm->name);
        for (enum cor_metric m = 0; m < COR_TABLE_METRICS; m++) {
            const struct cor_metric_schema *schema = cor_metric_schema(m);
            struct cor_figure *figure = &arm->figure[m];
            COR_TRY_OUT(cor_measurement_estimate(made->measurement, a, m, made->method, made->level,
                                                 &figure->ours, error));
            figure->paper_mean = figure->paper_sd = NAN;
            if (!made->repeats || (!as_long && hangs_on_length(m)))
                continue;
            if (!views__paper_figure(schema->published_id, arm->name, &figure->paper_mean, &figure->paper_sd))
                figure->paper_derived =
                    views__paper_derive(schema->published_id, arm->name, &figure->paper_mean);
            figure->paper_note = views__paper_note(schema->id, arm->name);
        }
    }
    if (made->repeats)
        COR_TRY_OUT(views__judge_claims(made, error));
out:
    if (status != COR_OK) {
        cor_tables_destroy(made);
        *tables = NULL;
    }
    return status;
}

void cor_tables_destroy(struct cor_tables *tables) {
    if (!tables)
        return;
    cor_measurement_destroy(tables->measurement);
    free(tables->arm);
    free(tables);
}
