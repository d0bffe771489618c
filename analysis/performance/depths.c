/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From observations, one a sequence, to curves; from curves to comparisons. */
#include "observed.h"

#include <corridor/array.h>
#include <corridor/descriptive.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const uint32_t cor_depth_point[COR_DEPTH_POINTS] = {10, 50, 100, 500};

/* Streams of random numbers, one a figure of an arm. */
enum figure { FIGURE_MEDIAN, FIGURE_MEAN, FIGURE_GRAY, FIGURE_BLACK, FIGURE_MASKED, FIGURE_POINT };

struct work {
    struct cor_depths *depths;
    struct cor__observed *arm; /* owned */
};

/* ------------------------------------------------------------------------------------- horizon */

static int compare_reals(const void *one, const void *other) {
    double a, b;
    memcpy(&a, one, sizeof a);
    memcpy(&b, other, sizeof b);
    return a < b ? -1 : a > b;
}

/* Infinity for suites whose sequences all have a detection. */
static void unlimit(const struct cor__observed *arm, double *last) {
    for (size_t i = 0; i < arm->n;) {
        uint32_t suite = arm->cluster[i];
        bool censored = false;
        for (; i < arm->n && arm->cluster[i] == suite; i++)
            censored = censored || !arm->event[i];
        last[suite] = censored ? last[suite] : INFINITY;
    }
}

/* Up to where half of the suites have a sequence under observation: from ten suites on, hardly a resample is
 * without any of these. Suites with nothing but detections set no limit, and neither does a curve that comes
 * down to 0: infinity. */
static enum cor_status reach_of(const struct cor__observed *arm, double *reach, struct cor_error *error) {
    double *last = cor_calloc(arm->suites, sizeof *last), greatest = -1, censored_last = -1;
    uint32_t observed = 0;
    enum cor_status status = last ? COR_OK : cor_fail_memory(error);
    *reach = INFINITY;
    if (status != COR_OK || arm->n == 0)
        goto out;
    for (uint32_t s = 0; s < arm->suites; s++)
        last[s] = -1;
    for (size_t i = 0; i < arm->n; i++) {
        uint32_t s = arm->cluster[i];
        last[s] = fmax(last[s], arm->time[i]);
        greatest = fmax(greatest, arm->time[i]);
        censored_last = arm->event[i] ? censored_last : fmax(censored_last, arm->time[i]);
    }
    unlimit(arm, last);
    for (uint32_t s = 0; s < arm->suites; s++)
        if (last[s] >= 0)
            last[observed++] = last[s];
    qsort(last, observed, sizeof *last, compare_reals);
    *reach = last[(observed - 1) / 2];
    if (isinf(*reach) && censored_last >= greatest)
        *reach = greatest;
out:
    free(last);
    return status;
}

static enum cor_status find_horizon(struct work *work, double wanted, struct cor_error *error) {
    double least = INFINITY, greatest = NAN;
    for (size_t a = 0; a < work->depths->arm_count; a++) {
        double reach;
        enum cor_status status = reach_of(&work->arm[a], &reach, error);
        if (status != COR_OK)
            return status;
        least = fmin(least, reach);
        for (size_t i = 0; i < work->arm[a].n; i++)
            greatest = fmax(greatest, work->arm[a].time[i]); /* passes NaN over */
    }
    if (!(wanted > 0)) /* without an observation there is none */
        wanted = isnan(greatest) ? (double)NAN : fmin(least, greatest);
    work->depths->horizon = wanted;
    return COR_OK;
}

/* -------------------------------------------------------------------------------------- curves */

static struct cor_rng stream(const struct work *work, size_t a, uint32_t figure) {
    return cor_rng_named(&(struct cor_stream_name){.seed = work->depths->head->seed,
                                                   .arm = (uint32_t)a + 1,
                                                   .entity = figure,
                                                   .purpose = COR_PURPOSE_BOOTSTRAP});
}

/* Observations in order of time, each as often as its suite was drawn: the smallest time at which at most
 * half are without a detection, infinity if there is none. */
struct ordered {
    double time;
    bool event;
    uint32_t cluster;
};

static int compare_ordered(const void *one, const void *other) {
    const struct ordered *a = one, *b = other;
    return compare_reals(&a->time, &b->time);
}

static double median_of(const struct ordered *it, size_t n, const uint32_t *multiplicity) {
    uint64_t at_risk = 0;
    double survival = 1;
    for (size_t i = 0; i < n; i++)
        at_risk += multiplicity[it[i].cluster];
    for (size_t i = 0; i < n && at_risk > 0;) {
        double now = it[i].time;
        uint64_t events = 0, left = 0;
        for (; i < n && it[i].time <= now; i++) {
            left += multiplicity[it[i].cluster];
            events += it[i].event ? multiplicity[it[i].cluster] : 0;
        }
        if (left == 0)
            continue;
        survival *= (double)(at_risk - events) / (double)at_risk;
        at_risk -= left;
        if (survival <= 0.5 + 1e-12)
            return now;
    }
    return INFINITY;
}

/* Medians of resampled suites; quantiles are order statistics, as those that are not reached have no mean. */
static void resample_median(const struct work *work, size_t a, const struct ordered *it,
                            uint32_t *multiplicity, double *replicate, struct cor_depth_median *median) {
    const struct cor__observed *arm = &work->arm[a];
    struct cor_rng rng = stream(work, a, FIGURE_MEDIAN);
    size_t count = COR_BOOTSTRAP_REPLICATES;
    for (size_t r = 0; r < count; r++) {
        memset(multiplicity, 0, arm->suites * sizeof *multiplicity);
        for (uint32_t s = 0; s < arm->suites; s++)
            multiplicity[cor_rng_below(&rng, arm->suites)]++;
        replicate[r] = median_of(it, arm->n, multiplicity);
    }
    cor_sort(replicate, count);
    size_t tail = (size_t)floor((1 - work->depths->level) / 2 * (double)count);
    double low = replicate[tail], high = replicate[count - 1 - tail];
    if (!(low < high)) /* all alike: says nothing about suites that were not drawn */
        return;
    median->low = low;
    median->high = isfinite(high) ? high : NAN;
    median->method = "percentile";
}

static enum cor_status find_median(const struct work *work, size_t a, struct cor_depth_median *median,
                                   struct cor_error *error) {
    const struct cor__observed *arm = &work->arm[a];
    struct ordered *it = cor_calloc(arm->n, sizeof *it);
    uint32_t *multiplicity = cor_calloc(arm->suites, sizeof *multiplicity);
    double *replicate = cor_calloc(COR_BOOTSTRAP_REPLICATES, sizeof *replicate);
    enum cor_status status = it && multiplicity && replicate ? COR_OK : cor_fail_memory(error);
    *median = (struct cor_depth_median){NAN, NAN, NAN, "none"};
    if (status == COR_OK && arm->n > 0) {
        for (size_t i = 0; i < arm->n; i++)
            it[i] = (struct ordered){arm->time[i], arm->event[i], arm->cluster[i]};
        qsort(it, arm->n, sizeof *it, compare_ordered);
        median->cases = cor_survival_quantile(&work->depths->arm[a].curve, 0.5).time;
        if (arm->suites > 1)
            resample_median(work, a, it, multiplicity, replicate, median);
    }
    free(it);
    free(multiplicity);
    free(replicate);
    return status;
}

/* Suites with a sequence that was observed up to `time`, by its detection or beyond. */
static uint64_t suites_reaching(const struct cor__observed *arm, double time) {
    uint64_t suites = 0;
    uint32_t last = UINT32_MAX;
    for (size_t i = 0; i < arm->n; i++)
        if ((arm->event[i] || arm->time[i] >= time) && arm->cluster[i] != last) {
            last = arm->cluster[i];
            suites++;
        }
    return suites;
}

static enum cor_status resample(const struct work *work, size_t a, enum cor_survival_figure what, double time,
                                uint32_t figure, struct cor_bootstrap *made, struct cor_error *error) {
    const struct cor__observed *arm = &work->arm[a];
    const struct cor_clustered_times times = {arm->time, arm->event, arm->cluster, arm->n, arm->suites};
    struct cor_rng rng = stream(work, a, figure);
    struct cor_bootstrap_plan plan = cor_default_bootstrap(&rng);
    plan.level = work->depths->level;
    return cor_survival_bootstrap(&plan, &times, what, time, made, error);
}

static struct cor_old_estimate estimate_of(const struct cor_bootstrap *made, const struct cor__observed *arm,
                                       double time) {
    struct cor_old_estimate estimate = {
        made->estimate, made->low, made->high, 0, (double)arm->n, cor_interval_word(made->method)};
    estimate.suites = isnan(made->estimate) ? 0 : suites_reaching(arm, time);
    return estimate;
}

static enum cor_status fill_curve(const struct work *work, size_t a, struct cor_error *error) {
    const struct cor__observed *arm = &work->arm[a];
    struct cor_depth_arm *made = &work->depths->arm[a];
    struct cor_bootstrap drawn;
    made->restricted_mean = cor_no_old_estimate();
    enum cor_status status =
        cor_survival_init(&made->curve, arm->time, arm->event, arm->n, work->depths->level, error);
    if (status == COR_OK)
        status = find_median(work, a, &made->median, error);
    for (uint32_t p = 0; p < COR_DEPTH_POINTS && status == COR_OK; p++) {
        double time = cor_depth_point[p];
        struct cor_old_estimate *survival = &made->survival[p];
        status = resample(work, a, COR_SURVIVAL_AT_HORIZON, time, FIGURE_POINT + p, &drawn, error);
        if (status != COR_OK)
            break;
        *survival = estimate_of(&drawn, arm, time);
        if (survival->mean <= 0 || survival->mean >= 1)
            cor_estimate_unanimous(work->depths->level, survival->mean > 0, survival->suites, 1, survival);
    }
    if (status != COR_OK || isnan(work->depths->horizon))
        return status;
    status =
        resample(work, a, COR_SURVIVAL_RESTRICTED_MEAN, work->depths->horizon, FIGURE_MEAN, &drawn, error);
    if (status == COR_OK) {
        made->restricted_mean = estimate_of(&drawn, arm, work->depths->horizon);
        made->without = drawn.without;
    }
    return status;
}

static enum cor_status fill_masking(const struct work *work, size_t a, struct cor_error *error) {
    const struct cor__observed *arm = &work->arm[a];
    struct cor_depth_arm *made = &work->depths->arm[a];
    struct cor_estimating how = {work->depths->level, work->depths->head->seed, (uint32_t)a + 1, FIGURE_GRAY};
    for (uint32_t s = 0; s < arm->suites; s++) {
        made->entered += (uint64_t)arm->entered[s];
        made->gray += (uint64_t)arm->gray[s];
        made->black += (uint64_t)arm->black[s];
        made->masked += (uint64_t)arm->masked[s];
        made->suites_entered += arm->entered[s] > 0;
        made->suites_detecting += arm->masked[s] < arm->entered[s];
    }
    made->suite_share = cor_old_estimate_suites(how.level, made->suites_detecting, made->suites_entered);
    enum cor_status status =
        cor_old_estimate_ratio(&how, arm->gray, arm->entered, arm->suites, 1, &made->gray_share, error);
    how.figure = FIGURE_BLACK;
    if (status == COR_OK)
        status =
            cor_old_estimate_ratio(&how, arm->black, arm->entered, arm->suites, 1, &made->black_share, error);
    how.figure = FIGURE_MASKED;
    return status == COR_OK ? cor_old_estimate_ratio(&how, arm->masked, arm->entered, arm->suites, 1,
                                                 &made->masked_share, error)
                            : status;
}

static void count_sequences(const struct cor__observed *arm, struct cor_depth_arm *made) {
    made->suites = arm->suites;
    made->sequences = arm->n;
    for (size_t i = 0; i < arm->n; i++)
        made->detected += arm->event[i];
    made->censored = made->sequences - made->detected;
}

/* --------------------------------------------------------------------------------- comparisons */

/* The observations of all arms, one after the other. */
struct joint {
    double *time;
    bool *event;
    uint32_t *group;
    size_t n;
};

static enum cor_status join(const struct work *work, struct joint *joint, struct cor_error *error) {
    size_t n = 0;
    for (size_t a = 0; a < work->depths->arm_count; a++)
        n += work->arm[a].n;
    *joint = (struct joint){cor_calloc(n, sizeof *joint->time), cor_calloc(n, sizeof *joint->event),
                            cor_calloc(n, sizeof *joint->group), 0};
    if (!joint->time || !joint->event || !joint->group)
        return cor_fail_memory(error);
    for (size_t a = 0; a < work->depths->arm_count; a++)
        for (size_t i = 0; i < work->arm[a].n; i++, joint->n++) {
            joint->time[joint->n] = work->arm[a].time[i];
            joint->event[joint->n] = work->arm[a].event[i];
            joint->group[joint->n] = (uint32_t)a;
        }
    return COR_OK;
}

static enum cor_status compare(struct work *work, struct cor_error *error) {
    struct cor_depths *made = work->depths;
    struct joint joint;
    size_t arms = made->arm_count, pairs = arms > 1 ? arms * (arms - 1) / 2 : 0;
    enum cor_status status = join(work, &joint, error);
    if (status == COR_OK)
        status = cor_log_rank(joint.time, joint.event, joint.group, joint.n, (uint32_t)arms, &made->all, NULL,
                              error);
    if (status == COR_OK && pairs > 0 && arms <= COR_DEPTH_PAIRS) {
        made->pair = cor_calloc(pairs, sizeof *made->pair);
        made->p_holm = cor_calloc(pairs, sizeof *made->p_holm);
        status = made->pair && made->p_holm
                     ? cor_log_rank_pairs(joint.time, joint.event, joint.group, joint.n, (uint32_t)arms,
                                          made->pair, made->p_holm, error)
                     : cor_fail_memory(error);
    }
    free(joint.time);
    free(joint.event);
    free(joint.group);
    return status;
}

/* --------------------------------------------------------------------------------------- whole */

static enum cor_status make(struct work *work, struct cor_result *result, double horizon,
                            struct cor_error *error) {
    struct cor_depths *made = work->depths;
    enum cor_status status = cor__depths_observe(result, work->depths, work->arm, error);
    if (status == COR_OK)
        status = find_horizon(work, horizon, error);
    for (size_t a = 0; a < made->arm_count && status == COR_OK; a++) {
        count_sequences(&work->arm[a], &made->arm[a]);
        status = fill_curve(work, a, error);
        if (status == COR_OK)
            status = fill_masking(work, a, error);
    }
    return status == COR_OK ? compare(work, error) : status;
}

enum cor_status cor_depths_create(struct cor_result *result, const struct cor_depths_wish *wish,
                                  struct cor_depths **depths, struct cor_error *error) {
    const struct cor_result_header *head = cor_result_head(result);
    COR_ASSERT(wish->level >= 0.5 && wish->level <= 0.9999);
    COR_ASSERT(wish->box == 0 || wish->box == COR_BOX_GRAY || wish->box == COR_BOX_BLACK);
    struct work work = {.depths = *depths = cor_calloc(1, sizeof **depths)};
    if (!work.depths)
        return cor_fail_memory(error);
    size_t arms = head->catalog_size[COR_CATALOG_ARM];
    *work.depths = (struct cor_depths){.head = head, .level = wish->level, .box = wish->box};
    work.depths->arm = cor_calloc(arms, sizeof *work.depths->arm);
    work.arm = cor_calloc(arms, sizeof *work.arm);
    enum cor_status status = work.depths->arm && work.arm ? COR_OK : cor_fail_memory(error);
    for (size_t a = 0; a < arms && status == COR_OK; a++, work.depths->arm_count++)
        work.depths->arm[a].name = head->catalog[COR_CATALOG_ARM][a].name;
    if (status == COR_OK)
        status = make(&work, result, wish->horizon, error);
    for (size_t a = 0; a < work.depths->arm_count; a++)
        cor__observed_forget(&work.arm[a]);
    free(work.arm);
    if (status != COR_OK) {
        cor_depths_destroy(*depths);
        *depths = NULL;
    }
    return status;
}

void cor_depths_destroy(struct cor_depths *depths) {
    if (!depths)
        return;
    for (size_t a = 0; a < depths->arm_count; a++)
        cor_survival_fini(&depths->arm[a].curve);
    free(depths->arm);
    free(depths->pair);
    free(depths->p_holm);
    free(depths);
}
