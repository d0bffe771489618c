/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Performance of the algorithms under test, an arm at a time. */
#ifndef CORRIDOR_PERFORMANCE_H
#define CORRIDOR_PERFORMANCE_H

#include <corridor/sums.h>
#include <corridor/tables.h>

/* What lengths look like. NaN where there are none; sd also for one. */
struct cor_length_figures {
    uint64_t n, cut_off;
    double mean, sd, min, median, max, geometric_mean, harmonic_mean;
};

/* A code of terms.h among reorganizations. */
struct cor_code_share {
    uint64_t count;
    struct cor_old_estimate share; /* of reorganizations; no estimate where count is 0 */
};

/* Reorganizations that spent `from` to `to` units: quality reached over budget. */
struct cor_quality {
    double from, to;
    uint64_t n;
    struct cor_old_estimate before, after; /* dissimilarity / threshold */
    struct cor_old_estimate success;       /* 0 .. 1 */
};

struct cor_performance_arm {
    const char *name; /* borrowed */
    uint64_t suites, sequences, executed, reorganizations;
    struct cor_old_estimate metric[COR_SUM_COUNT];
    struct cor_length_figures gap, stay;
    struct cor_code_share stop[COR_ENDING_CODES], smoke[COR_ENDING_CODES];
    struct cor_quality *quality; /* owned; ascending budgets */
    size_t quality_count;
};

struct cor_performance {
    double level;
    bool times;                                    /* there is a side file with times */
    uint64_t times_missing, left_out, not_numbers; /* as in struct cor_sums */
    struct cor_performance_arm *arm; /* owned; in the order of catalog/arm, or the one that was asked for */
    size_t arm_count;
};

/* Why a file cannot say how far solutions are from the optimum, and which share of its time a run
 * reorganizes. */
extern const char cor_no_gap[], cor_no_time_performance[];

/* Figures of all arms, or of the one called `arm` (NULL = all), with intervals at `level` (0.5 .. 0.9999).
 * COR_STATUS_INPUT if there is no such arm. */
enum cor_status cor_performance_create(const struct cor_sums *sums, double level, const char *arm,
                                       struct cor_performance **performance,
                                       struct cor_error *error) COR_MUST_USE;

/* Frees them. NULL is allowed. */
void cor_performance_destroy(struct cor_performance *performance);

/* Writes them for a reader, at most 110 columns; as one JSON document, keys in docs/statistics.md; and as
 * arm,metric,unit,better,mean,low,high,interval,suites,n. A failing stream is COR_STATUS_FILE. */
enum cor_status cor_performance_text(const struct cor_performance *performance, const struct cor_style *style,
                                     FILE *file, struct cor_error *error) COR_MUST_USE;
enum cor_status cor_performance_json(const struct cor_performance *performance, FILE *file,
                                     struct cor_error *error) COR_MUST_USE;
enum cor_status cor_performance_csv(const struct cor_performance *performance, FILE *file,
                                    struct cor_error *error) COR_MUST_USE;

#endif
