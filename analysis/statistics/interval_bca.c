/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "interval_methods.h"

#include <corridor/bootstrap.h>

enum cor_status statistics__interval_bca(const struct cor_suite_sample *sample, struct cor_estimate *estimate,
                                         struct cor_error *error) {
    struct cor_rng rng = cor_rng_named(&sample->stream);
    struct cor_bootstrap_plan plan = cor_default_bootstrap(&rng);
    struct cor_bootstrap made;
    plan.level = sample->level;
    COR_TRY(cor_bootstrap_ratio(&plan, sample->y, sample->x, sample->suites, &made, error));
    if (made.method != COR_INTERVAL_NONE && statistics__few_carry(sample)) {
        estimate->interval = COR_INTERVAL_FEW_SUITES;
        return COR_OK;
    }
    estimate->interval = made.method;
    estimate->error = made.error;
    estimate->low = made.low;
    estimate->high = made.high;
    return COR_OK;
}
