/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "interval_methods.h"

#include <corridor/array.h>
#include <corridor/descriptive.h>

#include <math.h>
#include <stdlib.h>

static const struct {
    cor_interval_method *make;
    const char *asked, *word, *mark, *meaning;
} methods[] = {
#define COR_INTERVAL(NAME, method, asked, word, mark, meaning) \
    {statistics__interval_##method, asked, word, mark, meaning},
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

/* Of a method whose intervals are not made from what suites showed. */
enum cor_status statistics__interval_elsewhere(const struct cor_suite_sample *sample,
                                               struct cor_estimate *estimate, struct cor_error *error) {
    (void)sample;
    (void)estimate;
    return cor_fail(error, COR_STATUS_INTERNAL, NULL, NULL,
                    "an interval is asked for that is made elsewhere");
}

bool statistics__few_carry(const struct cor_suite_sample *sample) {
    uint32_t nothing = 0, all = 0;
    for (uint32_t s = 0; s < sample->suites; s++) {
        nothing += !(sample->y[s] > 0 || sample->y[s] < 0);
        all += sample->whole > 0 && sample->y[s] >= sample->whole * sample->x[s];
    }
    const uint32_t most = nothing > all ? nothing : all;
    return sample->suites - most <= COR_FEW_SUITES && most > sample->suites - most;
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
