/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "resampled.h"

#include <corridor/array.h>

#include <stdlib.h>

enum cor_status cor__suite_sums_put(struct cor__suite_sums *sums, const struct cor__moments *moments,
                                    struct cor_error *error) {
    if (moments->suite_n == 0)
        return COR_OK;
    enum cor_status status = COR_RESERVE(&sums->y, &sums->y_capacity, sums->count + 1, error);
    if (status == COR_OK)
        status = COR_RESERVE(&sums->x, &sums->x_capacity, sums->count + 1, error);
    if (status != COR_OK)
        return status;
    sums->y[sums->count] = moments->suite_sum;
    sums->x[sums->count++] = (double)moments->suite_n;
    return COR_OK;
}

void cor__suite_sums_fini(struct cor__suite_sums *sums) {
    free(sums->y);
    free(sums->x);
    *sums = (struct cor__suite_sums){0};
}

uint32_t cor__stream_of(enum cor_metric metric) {
    enum { OWN = 1000 }; /* beyond the figures of performance and survival, which count theirs from 0 */
    switch (metric) {
    case COR_METRIC_REORGANIZING: /* 100 reorganizations_per_case */
        return 0;
    case COR_METRIC_WITHOUT_DETECTED: /* 100 - sequences_detected_pct: the mirror image */
        return 2;
    case COR_METRIC_FAILURES: /* failures_per_sequence */
        return 4;
    case COR_METRIC_DETECTED_GRAY: /* these three are 100 times the shares of masking */
        return 2;
    case COR_METRIC_DETECTED_BLACK:
        return 3;
    case COR_METRIC_UNDETECTED:
        return 4;
    default:
        return OWN + (uint32_t)metric;
    }
}

enum cor_interval cor__interval_of(enum cor_interval method) {
    return method;
}

enum cor_status cor__suite_sums_figure(const struct cor__suite_sums *sums, uint64_t seed, size_t arm,
                                       enum cor_metric metric, double level, struct cor_figure *figure,
                                       struct cor_error *error) {
    if (figure->interval != COR_INTERVAL_LINEARISED)
        return COR_OK;
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = seed,
                                                                 .arm = (uint32_t)arm + 1,
                                                                 .entity = cor__stream_of(metric),
                                                                 .purpose = COR_PURPOSE_BOOTSTRAP});
    struct cor_bootstrap_plan plan = cor_default_bootstrap(&rng);
    struct cor_bootstrap made;
    plan.level = level;
    enum cor_status status =
        cor_bootstrap_ratio(&plan, sums->y, sums->x, (uint32_t)sums->count, &made, error);
    if (status != COR_OK)
        return status;
    figure->interval = cor__interval_of(made.method);
    figure->error = made.error;
    figure->low = made.low;
    figure->high = made.high;
    return COR_OK;
}
