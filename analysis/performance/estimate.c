/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/array.h>
#include <corridor/bootstrap.h>
#include <corridor/estimate.h>
#include <corridor/proportion.h>

#include <math.h>
#include <stdlib.h>

struct cor_old_estimate cor_no_old_estimate(void) {
    return (struct cor_old_estimate){.mean = NAN, .low = NAN, .high = NAN, .method = "none"};
}

struct cor_old_estimate cor_old_estimate_suites(double level, uint64_t part, uint64_t suites) {
    struct cor_old_estimate made = cor_no_old_estimate();
    if (suites == 0)
        return made;
    struct cor_bounds bounds = cor_proportion_wilson(part, suites, level);
    made.mean = (double)part / (double)suites;
    made.low = bounds.low;
    made.high = bounds.high;
    made.suites = suites;
    made.n = (double)suites;
    made.method = "wilson_suites";
    return made;
}

void cor_estimate_unanimous(double level, bool all, uint64_t suites, double whole,
                            struct cor_old_estimate *estimate) {
    if (suites < 2)
        return;
    struct cor_bounds bounds = cor_proportion_clopper_pearson(all ? suites : 0, suites, level);
    estimate->low = whole * bounds.low;
    estimate->high = whole * bounds.high;
    estimate->method = "clopper_pearson_suites";
}

static enum cor_status resample(const struct cor_estimating *how, const double *y, const double *x,
                                uint32_t suites, struct cor_old_estimate *estimate, struct cor_error *error) {
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){
        .seed = how->seed, .arm = how->arm, .entity = how->figure, .purpose = COR_PURPOSE_BOOTSTRAP});
    struct cor_bootstrap_plan plan = cor_default_bootstrap(&rng);
    struct cor_bootstrap made;
    plan.level = how->level;
    enum cor_status status = cor_bootstrap_ratio(&plan, y, x, suites, &made, error);
    if (status != COR_OK)
        return status;
    estimate->low = made.low;
    estimate->high = made.high;
    estimate->method = cor_interval_word(made.method);
    return COR_OK;
}

enum cor_status cor_old_estimate_ratio(const struct cor_estimating *how, const double *y, const double *x,
                                   uint32_t suites, double whole, struct cor_old_estimate *estimate,
                                   struct cor_error *error) {
    enum cor_status status = COR_OK;
    double *kept_y = cor_calloc(suites, sizeof *kept_y), *kept_x = cor_calloc(suites, sizeof *kept_x);
    double sum_y = 0, sum_x = 0;
    uint32_t kept = 0;
    *estimate = cor_no_old_estimate();
    if (!kept_y || !kept_x) {
        status = cor_fail_memory(error);
        goto out;
    }
    for (uint32_t s = 0; s < suites; s++)
        if (x[s] > 0) {
            kept_y[kept] = y[s];
            kept_x[kept++] = x[s];
            sum_y += y[s];
            sum_x += x[s];
        }
    estimate->suites = kept;
    estimate->n = sum_x;
    if (kept == 0)
        goto out;
    estimate->mean = sum_y / sum_x;
    if (whole > 0 && (estimate->mean <= 0 || estimate->mean >= whole))
        cor_estimate_unanimous(how->level, estimate->mean > 0, kept, whole, estimate);
    else
        status = resample(how, kept_y, kept_x, kept, estimate, error);
out:
    free(kept_y);
    free(kept_x);
    return status;
}
