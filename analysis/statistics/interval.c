/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/array.h>
#include <corridor/bootstrap.h>
#include <corridor/descriptive.h>
#include <corridor/interval.h>

#include <gsl/gsl_cdf.h>
#include <math.h>

/* An interval method: it completes `estimate` from `sample`, of at least two suites that are not all of
 * nothing or all of everything; an interval that is not defined leaves it as it is. */
typedef enum cor_status interval_method(const struct cor_suite_sample *sample, struct cor_estimate *estimate,
                                        struct cor_error *error);

/* Do at most COR_FEW_SUITES suites carry the figure, while most show nothing, or all? */
static bool few_carry(const struct cor_suite_sample *sample) {
    uint32_t nothing = 0, all = 0;
    for (uint32_t s = 0; s < sample->suites; s++) {
        nothing += !(sample->y[s] > 0 || sample->y[s] < 0);
        all += sample->whole > 0 && sample->y[s] >= sample->whole * sample->x[s];
    }
    const uint32_t most = nothing > all ? nothing : all;
    return sample->suites - most <= COR_FEW_SUITES && most > sample->suites - most;
}

/* Of a method whose intervals are not made from what suites showed. */
static enum cor_status interval_elsewhere(const struct cor_suite_sample *sample,
                                          struct cor_estimate *estimate, struct cor_error *error) {
    (void)sample;
    (void)estimate;
    return cor_fail(error, COR_STATUS_INTERNAL, NULL, NULL,
                    "an interval is asked for that is made elsewhere");
}

static enum cor_status interval_bca(const struct cor_suite_sample *sample, struct cor_estimate *estimate,
                                    struct cor_error *error) {
    struct cor_rng rng = cor_rng_named(&sample->stream);
    struct cor_bootstrap_plan plan = cor_default_bootstrap(&rng);
    struct cor_bootstrap made;
    plan.level = sample->level;
    COR_TRY(cor_bootstrap_ratio(&plan, sample->y, sample->x, sample->suites, &made, error));
    if (made.method != COR_INTERVAL_NONE && few_carry(sample)) {
        estimate->interval = COR_INTERVAL_FEW_SUITES;
        return COR_OK;
    }
    estimate->interval = made.method;
    estimate->error = made.error;
    estimate->low = made.low;
    estimate->high = made.high;
    return COR_OK;
}

/* No suite differs from the others, so the spread says nothing: what is the share of suites that could differ
 * and have left no trace in this many? A sequence can only differ in a suite that does, so the bound holds
 * for sequences. */
static enum cor_status interval_clopper_pearson(const struct cor_suite_sample *sample,
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

static enum cor_status interval_linearised(const struct cor_suite_sample *sample,
                                           struct cor_estimate *estimate, struct cor_error *error_unused) {
    (void)error_unused;
    struct cor_ratio_moments suites = {0};
    for (uint32_t s = 0; s < sample->suites; s++)
        cor_ratio_moments_put(&suites, sample->y[s], sample->x[s]);
    double ratio = cor_ratio_moments_ratio(&suites), error = cor_ratio_moments_error(&suites);
    /* All suites have the same mean. The residuals are differences of sums of squares, so what remains of
     * them is rounding: compared with those sums, which are large where suites differ in size alone. */
    double count = (double)suites.clusters, residual = error * suites.mean_x * count;
    double squares = suites.squares_y + ratio * ratio * suites.squares_x;
    if (error <= 1e-12 * fabs(ratio) || residual * residual * (count - 1) / count <= 1e-13 * squares)
        return COR_OK;
    if (few_carry(sample)) {
        estimate->interval = COR_INTERVAL_FEW_SUITES;
        return COR_OK;
    }
    double half = gsl_cdf_tdist_Pinv(0.5 + sample->level / 2, (double)(suites.clusters - 1)) * error;
    estimate->interval = COR_INTERVAL_LINEARISED;
    estimate->error = error;
    estimate->low = fmax(estimate->mean - half, sample->least);
    estimate->high = estimate->mean + half;
    if (sample->whole > 0)
        estimate->high = fmin(estimate->high, sample->whole);
    return COR_OK;
}

static const struct {
    interval_method *make;
    const char *asked, *word, *mark, *meaning;
} methods[] = {
#define COR_INTERVAL(NAME, method, asked, word, mark, meaning) \
    {interval_##method, asked, word, mark, meaning},
    COR_INTERVALS(COR_INTERVAL)
#undef COR_INTERVAL
};

const char *cor_interval_word(enum cor_interval interval) {
    COR_ASSERT(interval < COR_INTERVAL_COUNT);
    return methods[interval].word;
}

const char *cor_interval_mark(enum cor_interval interval) {
    COR_ASSERT(interval < COR_INTERVAL_COUNT);
    return methods[interval].mark;
}

const char *cor_interval_meaning(enum cor_interval interval) {
    COR_ASSERT(interval < COR_INTERVAL_COUNT);
    return methods[interval].meaning;
}

const char *cor_interval_choice(size_t index, enum cor_interval *interval) {
    for (int i = 0; i < COR_INTERVAL_COUNT; i++)
        if (methods[i].asked && index-- == 0) {
            if (interval)
                *interval = (enum cor_interval)i;
            return methods[i].asked;
        }
    return NULL;
}

struct cor_estimate cor_no_estimate(void) {
    return (struct cor_estimate){.mean = NAN, .sd = NAN, .low = NAN, .high = NAN, .error = NAN};
}

enum cor_status cor_interval_make(enum cor_interval method, const struct cor_suite_sample *sample,
                                  struct cor_estimate *estimate, struct cor_error *error) {
    COR_ASSERT(method < COR_INTERVAL_COUNT);
    COR_ASSERT(sample->level > 0 && sample->level < 1);
    bool unanimous = sample->whole > 0 && (estimate->mean <= 0 || estimate->mean >= sample->whole);
    if (sample->suites < 2 || method == COR_INTERVAL_NONE)
        return COR_OK;
    return methods[unanimous ? COR_INTERVAL_CLOPPER_PEARSON : method].make(sample, estimate, error);
}

enum cor_status cor_estimate_ratio(enum cor_interval method, const struct cor_suite_sample *sample,
                                   struct cor_estimate *estimate, struct cor_error *error) {
    COR_FREED double *y = cor_calloc(sample->suites, sizeof *y), *x = cor_calloc(sample->suites, sizeof *x);
    double sum_y = 0, sum_x = 0;
    struct cor_suite_sample observed = *sample;
    *estimate = cor_no_estimate();
    if (!y || !x)
        return cor_fail_memory(error);
    observed.suites = 0;
    for (uint32_t s = 0; s < sample->suites; s++)
        if (sample->x[s] > 0) {
            y[observed.suites] = sample->y[s];
            x[observed.suites++] = sample->x[s];
            sum_y += sample->y[s];
            sum_x += sample->x[s];
        }
    estimate->suites = observed.suites;
    estimate->n = sum_x;
    if (observed.suites == 0)
        return COR_OK;
    estimate->mean = sample->mean ? *sample->mean : sum_y / sum_x;
    observed.y = y;
    observed.x = x;
    return cor_interval_make(method, &observed, estimate, error);
}

struct cor_estimate cor_estimate_suites(double level, uint64_t part, uint64_t suites) {
    COR_ASSERT(part <= suites);
    struct cor_estimate made = cor_no_estimate();
    if (suites == 0)
        return made;
    struct cor_bounds bounds = cor_proportion_wilson(part, suites, level);
    made.mean = (double)part / (double)suites;
    made.low = bounds.low;
    made.high = bounds.high;
    made.suites = suites;
    made.n = (double)suites;
    made.interval = COR_INTERVAL_WILSON;
    return made;
}
