/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "interval_methods.h"

#include <corridor/array.h>
#include <corridor/proportion.h>

#include <math.h>
#include <stdlib.h>

static const struct {
    cor_interval_method *make;
    const char *word, *mark, *meaning;
} methods[] = {
#define COR_INTERVAL(NAME, method, word, mark, meaning) {method, word, mark, meaning},
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

struct cor_estimate cor_no_estimate(void) {
    return (struct cor_estimate){.mean = NAN, .sd = NAN, .low = NAN, .high = NAN, .error = NAN};
}

enum cor_status cor_interval_make(enum cor_interval method, const struct cor_suite_sample *sample,
                                  struct cor_estimate *estimate, struct cor_error *error) {
    COR_ASSERT(method < COR_INTERVAL_COUNT && (method == COR_INTERVAL_NONE || methods[method].make));
    COR_ASSERT(sample->level > 0 && sample->level < 1);
    bool unanimous = sample->whole > 0 && (estimate->mean <= 0 || estimate->mean >= sample->whole);
    if (sample->suites < 2 || method == COR_INTERVAL_NONE)
        return COR_OK;
    return methods[unanimous ? COR_INTERVAL_CLOPPER_PEARSON : method].make(sample, estimate, error);
}

enum cor_status cor_estimate_ratio(enum cor_interval method, const struct cor_suite_sample *sample,
                                   struct cor_estimate *estimate, struct cor_error *error) {
    enum cor_status status = COR_OK;
    double *y = cor_calloc(sample->suites, sizeof *y), *x = cor_calloc(sample->suites, sizeof *x);
    double sum_y = 0, sum_x = 0;
    struct cor_suite_sample observed = *sample;
    *estimate = cor_no_estimate();
    if (!y || !x)
        COR_TRY_OUT(cor_fail_memory(error));
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
        goto out;
    estimate->mean = sample->mean ? *sample->mean : sum_y / sum_x;
    observed.y = y;
    observed.x = x;
    COR_TRY_OUT(cor_interval_make(method, &observed, estimate, error));
out:
    free(y);
    free(x);
    return status;
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
