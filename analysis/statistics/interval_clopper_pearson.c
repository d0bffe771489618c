/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "interval_methods.h"

#include <corridor/descriptive.h>

/* No suite differs from the others, so the spread says nothing: what is the share of suites that could differ
 * and have left no trace in this many? A sequence can only differ in a suite that does, so the bound holds
 * for sequences. */
enum cor_status statistics__interval_clopper_pearson(const struct cor_suite_sample *sample,
                                                     struct cor_estimate *estimate, struct cor_error *error) {
    (void)error;
    uint64_t suites = sample->suites;
    struct cor_bounds bounds =
        cor_proportion_clopper_pearson(estimate->mean > 0 ? suites : 0, suites, sample->level);
    estimate->interval = COR_INTERVAL_CLOPPER_PEARSON;
    estimate->low = sample->whole * bounds.low;
    estimate->high = sample->whole * bounds.high;
    return COR_OK;
}
