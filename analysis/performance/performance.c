/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/performance.h>

#include <corridor/array.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char cor_no_gap[] = "the file has the values of agents at the beginning of suites only, so the best "
                          "partitioning later is open";
const char cor_no_time_performance[] = "times are taken of suites as a whole, not of reorganizations alone";

/* Streams of random numbers, one a figure of an arm; metrics come first. */
enum figure { FIGURE_STOP = 100, FIGURE_SMOKE = 120, FIGURE_QUALITY = 200 };

/* Sums y, x of the suites of one arm, to be filled for one figure after the other. */
struct work {
    const struct cor_sums *sums;
    struct cor_estimating how;
    uint32_t *suite; /* owned: indices of the arm's suites in the sums */
    uint32_t count;
    double *y, *x; /* owned */
};

/* ------------------------------------------------------------------------------------- lengths */

/* The length at place k (from 0) of those in ascending order. */
static double at_place(const struct cor_lengths *lengths, uint64_t k) {
    size_t length = 0;
    for (uint64_t before = lengths->count[0]; before <= k; before += lengths->count[length])
        length++;
    return (double)length;
}

static struct cor_length_figures figures_of(const struct cor_lengths *lengths) {
    struct cor_length_figures f = {lengths->n, lengths->cut_off, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    double n = (double)lengths->n, sum = 0, squares = 0, logs = 0, inverses = 0;
    if (lengths->n == 0)
        return f;
    for (size_t l = 0; l < lengths->capacity; l++)
        sum += (double)lengths->count[l] * (double)l;
    f.mean = sum / n;
    for (size_t l = 0; l < lengths->capacity; l++) {
        double times = (double)lengths->count[l], off = (double)l - f.mean;
        if (lengths->count[l] == 0)
            continue;
        squares += times * off * off;
        logs += times * log((double)l); /* a length of 0 makes both means 0 */
        inverses += times / (double)l;
    }
    f.sd = lengths->n > 1 ? sqrt(squares / (n - 1)) : (double)NAN;
    f.geometric_mean = exp(logs / n);
    f.harmonic_mean = n / inverses;
    f.min = at_place(lengths, 0);
    f.max = at_place(lengths, lengths->n - 1);
    f.median = (at_place(lengths, (lengths->n - 1) / 2) + at_place(lengths, lengths->n / 2)) / 2;
    return f;
}

/* ------------------------------------------------------------------------------------- figures */

static enum cor_status estimate(struct work *work, uint32_t figure, double whole,
                                struct cor_old_estimate *estimated, struct cor_error *error) {
    work->how.figure = figure;
    return cor_old_estimate_ratio(&work->how, work->y, work->x, work->count, whole, estimated, error);
}

static enum cor_status fill_metrics(struct work *work, struct cor_performance_arm *arm,
                                    struct cor_error *error) {
    enum cor_status status = COR_OK;
    for (enum cor_sum_metric m = 0; m < COR_SUM_COUNT && status == COR_OK; m++) {
        for (uint32_t i = 0; i < work->count; i++) {
            work->y[i] = work->sums->suite[work->suite[i]].y[m];
            work->x[i] = work->sums->suite[work->suite[i]].x[m];
        }
        status = estimate(work, m, cor_sum_whole(m), &arm->metric[m], error);
    }
    return status;
}

static enum cor_status fill_codes(struct work *work, size_t offset, uint32_t figure,
                                  struct cor_code_share share[COR_ENDING_CODES], struct cor_error *error) {
    enum cor_status status = COR_OK;
    for (uint32_t code = 0; code < COR_ENDING_CODES && status == COR_OK; code++) {
        share[code] = (struct cor_code_share){0, cor_no_old_estimate()};
        for (uint32_t i = 0; i < work->count; i++) {
            const struct cor_suite_sums *suite = &work->sums->suite[work->suite[i]];
            const uint64_t *counts = offset == 0 ? suite->stop : suite->smoke;
            share[code].count += counts[code];
            work->y[i] = (double)counts[code];
            work->x[i] = (double)suite->reorganizations;
        }
        if (share[code].count > 0)
            status = estimate(work, figure + code, 1, &share[code].share, error);
    }
    return status;
}

/* Which sum of a bin stands above which. */
enum ratio { RATIO_BEFORE, RATIO_AFTER, RATIO_SUCCESS };

static void put_bin(struct work *work, uint32_t i, const struct cor_spent_bin *bin, enum ratio ratio) {
    work->y[i] = ratio == RATIO_BEFORE ? bin->before : ratio == RATIO_AFTER ? bin->after : bin->success;
    work->x[i] = ratio == RATIO_SUCCESS ? bin->looked : bin->known;
}

/* Place of a suite among those of the arm, its count if it is of another arm. */
static uint32_t place_of(const struct work *work, uint32_t suite) {
    uint32_t low = 0, high = work->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (work->suite[middle] < suite)
            low = middle + 1;
        else
            high = middle;
    }
    return low < work->count && work->suite[low] == suite ? low : work->count;
}

static enum cor_status fill_ratio(struct work *work, uint32_t b, enum ratio ratio,
                                  struct cor_quality *quality, struct cor_error *error) {
    struct cor_old_estimate *targets[] = {&quality->before, &quality->after, &quality->success};
    memset(work->y, 0, work->count * sizeof *work->y);
    memset(work->x, 0, work->count * sizeof *work->x);
    quality->n = 0;
    for (size_t k = 0; k < work->sums->bin_count; k++) {
        const struct cor_spent_bin *bin = &work->sums->bin[k];
        uint32_t i = bin->bin == b ? place_of(work, bin->suite_index) : work->count;
        if (i == work->count)
            continue;
        put_bin(work, i, bin, ratio);
        quality->n += bin->n;
    }
    return estimate(work, FIGURE_QUALITY + 3 * b + (uint32_t)ratio, ratio == RATIO_SUCCESS, targets[ratio],
                    error);
}

static enum cor_status fill_quality(struct work *work, struct cor_performance_arm *arm,
                                    struct cor_error *error) {
    bool used[COR_SPENT_BINS] = {false};
    size_t count = 0;
    enum cor_status status = COR_OK;
    for (size_t k = 0; k < work->sums->bin_count; k++)
        if (place_of(work, work->sums->bin[k].suite_index) < work->count)
            used[work->sums->bin[k].bin] = true;
    for (uint32_t b = 0; b < COR_SPENT_BINS; b++)
        count += used[b];
    arm->quality = cor_calloc(count, sizeof *arm->quality);
    if (!arm->quality)
        return cor_fail_memory(error);
    for (uint32_t b = 0; b < COR_SPENT_BINS && status == COR_OK; b++) {
        struct cor_quality *quality = &arm->quality[arm->quality_count];
        if (!used[b])
            continue;
        arm->quality_count++;
        quality->from = b > 0 ? ldexp(1, (int)b - 1) : 0;
        quality->to = b > 0 ? ldexp(1, (int)b) - 1 : 0;
        for (enum ratio r = RATIO_BEFORE; r <= RATIO_SUCCESS && status == COR_OK; r++)
            status = fill_ratio(work, b, r, quality, error);
    }
    return status;
}

/* --------------------------------------------------------------------------------------- whole */

static enum cor_status begin(struct work *work, size_t a, struct cor_performance_arm *arm,
                             struct cor_error *error) {
    work->suite = cor_calloc(work->sums->suite_count, sizeof *work->suite);
    work->y = cor_calloc(work->sums->suite_count, sizeof *work->y);
    work->x = cor_calloc(work->sums->suite_count, sizeof *work->x);
    if (!work->suite || !work->y || !work->x)
        return cor_fail_memory(error);
    for (size_t s = 0; s < work->sums->suite_count; s++) {
        const struct cor_suite_sums *suite = &work->sums->suite[s];
        if (suite->arm != a)
            continue;
        work->suite[work->count++] = (uint32_t)s;
        arm->sequences += suite->sequences;
        arm->executed += suite->executed;
        arm->reorganizations += suite->reorganizations;
    }
    arm->suites = work->count;
    return COR_OK;
}

static enum cor_status fill(const struct cor_sums *sums, double level, size_t a,
                            struct cor_performance_arm *arm, struct cor_error *error) {
    struct work work = {.sums = sums, .how = {level, sums->head->seed, (uint32_t)a + 1, 0}};
    arm->name = sums->head->catalog[COR_CATALOG_ARM][a].name;
    arm->gap = figures_of(&sums->gap[a]);
    arm->stay = figures_of(&sums->stay[a]);
    enum cor_status status = begin(&work, a, arm, error);
    if (status == COR_OK)
        status = fill_metrics(&work, arm, error);
    if (status == COR_OK)
        status = fill_codes(&work, 0, FIGURE_STOP, arm->stop, error);
    if (status == COR_OK)
        status = fill_codes(&work, 1, FIGURE_SMOKE, arm->smoke, error);
    if (status == COR_OK)
        status = fill_quality(&work, arm, error);
    free(work.suite);
    free(work.y);
    free(work.x);
    return status;
}

static enum cor_status no_such_arm(const struct cor_result_header *head, const char *arm,
                                   struct cor_error *error) {
    size_t count = head->catalog_size[COR_CATALOG_ARM];
    const char **names = cor_calloc(count + 1, sizeof *names);
    char known[512];
    if (!names)
        return cor_fail_memory(error);
    for (size_t a = 0; a < count; a++)
        names[a] = head->catalog[COR_CATALOG_ARM][a].name;
    cor_known_names(arm, names, known, sizeof known);
    free(names);
    return cor_fail(error, COR_STATUS_INPUT, NULL, known, "there is no arm \"%s\"", arm);
}

enum cor_status cor_performance_create(const struct cor_sums *sums, double level, const char *arm,
                                       struct cor_performance **performance, struct cor_error *error) {
    COR_ASSERT(level >= 0.5 && level <= 0.9999);
    size_t arms = sums->head->catalog_size[COR_CATALOG_ARM];
    struct cor_performance *made = *performance = cor_calloc(1, sizeof *made);
    if (!made)
        return cor_fail_memory(error);
    *made = (struct cor_performance){.level = level,
                                     .times = sums->times,
                                     .times_missing = sums->times_missing,
                                     .left_out = sums->left_out,
                                     .not_numbers = sums->not_numbers};
    made->arm = cor_calloc(arms, sizeof *made->arm);
    enum cor_status status = made->arm ? COR_OK : cor_fail_memory(error);
    for (size_t a = 0; a < arms && status == COR_OK; a++)
        if (!arm || strcmp(sums->head->catalog[COR_CATALOG_ARM][a].name, arm) == 0)
            status = fill(sums, level, a, &made->arm[made->arm_count++], error);
    if (status == COR_OK && arm && made->arm_count == 0)
        status = no_such_arm(sums->head, arm, error);
    if (status != COR_OK) {
        cor_performance_destroy(made);
        *performance = NULL;
    }
    return status;
}

void cor_performance_destroy(struct cor_performance *performance) {
    if (!performance)
        return;
    for (size_t a = 0; a < performance->arm_count; a++)
        free(performance->arm[a].quality);
    free(performance->arm);
    free(performance);
}
