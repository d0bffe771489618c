/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The comparison: sums of each suite, intervals by drawing suites again. */
#include "contrasts_plan.h"

#include <corridor/array.h>
#include <corridor/survival.h>
#include <corridor/two_samples.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *cor_contrast_box_word(enum cor_contrast_box box) {
    static const char *const words[COR_CONTRAST_BOXES] = {"any", "gray", "black"};
    return words[box];
}

/* Everything while contrasts are made. */
struct work {
    struct cor_contrasts *contrasts;
    struct cor__observed_arm *arm; /* owned */
    size_t arm_count;
    uint32_t *first_cluster; /* owned; number of an arm's first suite among all clusters that are drawn */
    uint32_t *stratum;       /* owned; clusters of each stratum */
    uint32_t stratum_count, cluster_count;
    uint64_t seed;
    uint32_t draws; /* bootstraps so far: each has a stream of its own */
};

static size_t arm_of(const struct work *work, const struct cor_contrast_side *side) {
    size_t a = 0;
    while (work->arm[a].name != side->arm)
        a++;
    return a;
}

/* Paired arms have one stratum, in which a suite means the same for all; others each have their own. */
static enum cor_status lay_out(struct work *work, struct cor_error *error) {
    work->first_cluster = cor_calloc(work->arm_count, sizeof *work->first_cluster);
    work->stratum = cor_calloc(work->arm_count, sizeof *work->stratum);
    if (!work->first_cluster || !work->stratum)
        return cor_fail_memory(error);
    for (size_t a = 0; a < work->arm_count; a++) {
        uint32_t suites = (uint32_t)work->arm[a].suite_count;
        if (!work->arm[a].wanted || (work->contrasts->paired && work->stratum_count > 0))
            continue;
        work->first_cluster[a] = work->cluster_count;
        work->stratum[work->stratum_count++] = suites;
        work->cluster_count += suites;
    }
    return COR_OK;
}

/* The number of cases up to which each sequence, through each box, was either detected or still looked at. */
static double find_horizon(const struct work *work) {
    uint32_t least = UINT32_MAX, greatest = 0;
    for (size_t a = 0; a < work->arm_count; a++)
        for (size_t i = 0; i < work->arm[a].count; i++)
            for (enum cor_contrast_box box = 0; box < COR_CONTRAST_BOXES; box++) {
                const struct cor__observation *observation = &work->arm[a].observation[i];
                uint32_t end = cor__end(observation, box);
                greatest = end > greatest ? end : greatest;
                if (observation->first[box] == 0 && end < least)
                    least = end;
            }
    return least < UINT32_MAX ? least : greatest;
}

/* ------------------------------------------------------------------------------------ one side */

static enum cor_status fill_share(struct cor_contrast_side *side, const struct cor__observed_arm *arm, double level,
                                  struct cor_error *error) {
    enum cor_status status = COR_OK;
    struct cor_moments all = {0};
    double *y = cor_calloc(arm->suite_count, sizeof *y), *x = cor_calloc(arm->suite_count, sizeof *x);
    const struct cor_suite_sample sample = {
        .y = y, .x = x, .suites = (uint32_t)arm->suite_count, .mean = &all.mean, .whole = 100, .level = level};
    size_t next = 0;
    side->suites = arm->suite_count;
    side->sequences = arm->count;
    if (!y || !x)
        COR_TRY_OUT(cor_fail_memory(error));
    for (size_t s = 0; s < arm->suite_count; s++) {
        for (; next < arm->count && arm->observation[next].cluster == s; next++) {
            bool detected = arm->observation[next].first[side->box] > 0;
            cor_moments_put(&all, detected ? 100 : 0);
            side->sequences_detecting += detected;
            y[s] += detected ? 100 : 0;
            x[s]++;
        }
        side->suites_detecting += y[s] > 0;
    }
    COR_TRY_OUT(cor_estimate_ratio(COR_INTERVAL_LINEARISED, &sample, &side->share, error));
out:
    free(y);
    free(x);
    return status;
}

static enum cor_status fill_cases(struct cor_contrast_side *side, const struct cor__observed_arm *arm,
                                  double horizon, double level, struct cor_error *error) {
    struct cor_survival curve = {0};
    double *time = cor_calloc(arm->count, sizeof *time);
    bool *event = cor_calloc(arm->count, sizeof *event);
    enum cor_status status = time && event ? COR_OK : cor_fail_memory(error);
    for (size_t i = 0; i < arm->count && status == COR_OK; i++) {
        time[i] = cor__end(&arm->observation[i], side->box);
        event[i] = arm->observation[i].first[side->box] > 0;
    }
    if (status == COR_OK)
        status = cor_survival_init(&curve, time, event, arm->count, level, error);
    if (status == COR_OK) {
        side->median = cor_survival_quantile(&curve, 0.5).time;
        side->cases = cor_survival_restricted_mean(&curve, horizon).mean;
    }
    cor_survival_fini(&curve);
    free(time);
    free(event);
    return status;
}

/* ---------------------------------------------------------------------------------- differences */

/* Sums y over x sequences of the suites of one side. */
struct sums {
    double *y, *x; /* owned */
    uint32_t first, count;
};

struct joint {
    struct sums *side; /* two a pair */
    size_t pair_count;
};

static double mean_of(const struct sums *sums, const uint32_t *multiplicity) {
    double y = 0, x = 0;
    for (uint32_t c = 0; c < sums->count; c++) {
        y += multiplicity[sums->first + c] * sums->y[c];
        x += multiplicity[sums->first + c] * sums->x[c];
    }
    return x > 0 ? y / x : (double)NAN;
}

/* The difference of two means, averaged over the pairs. */
static double difference_of(const uint32_t *multiplicity, uint32_t cluster_count, void *context) {
    (void)cluster_count;
    const struct joint *joint = context;
    double sum = 0;
    for (size_t p = 0; p < joint->pair_count; p++)
        sum += mean_of(&joint->side[2 * p], multiplicity) - mean_of(&joint->side[2 * p + 1], multiplicity);
    return sum / (double)joint->pair_count;
}

/* Up to the horizon nothing is censored, so that the mean of min(end, horizon) is the restricted mean. */
static double value_of(const struct cor__observation *observation, enum cor_contrast_box box, bool cases,
                       double horizon) {
    if (cases)
        return fmin(cor__end(observation, box), horizon);
    return observation->first[box] > 0 ? 100 : 0;
}

static enum cor_status sum_up(const struct work *work, const struct cor_contrast_side *side, bool cases,
                              struct sums *sums, struct cor_error *error) {
    size_t a = arm_of(work, side);
    const struct cor__observed_arm *arm = &work->arm[a];
    sums->first = work->first_cluster[a];
    sums->count = (uint32_t)arm->suite_count;
    sums->y = cor_calloc(arm->suite_count, sizeof *sums->y);
    sums->x = cor_calloc(arm->suite_count, sizeof *sums->x);
    if (!sums->y || !sums->x)
        return cor_fail_memory(error);
    for (size_t i = 0; i < arm->count; i++) {
        const struct cor__observation *observation = &arm->observation[i];
        sums->y[observation->cluster] += value_of(observation, side->box, cases, work->contrasts->horizon);
        sums->x[observation->cluster]++;
    }
    return COR_OK;
}

/* Sides that have their suites in common: all of them, or one arm against itself. */
static bool in_common(const struct joint *joint) {
    for (size_t i = 1; i < 2 * joint->pair_count; i++)
        if (joint->side[i].first != joint->side[0].first || joint->side[i].count != joint->side[0].count)
            return false;
    return true;
}

/* A bootstrap of few suites that differ is too sure of itself: three of twenty, all on one side, would do. So
 * suites are also counted, one by one. */
static void count_suites(struct joint *joint, uint32_t cluster_count, uint32_t *multiplicity,
                         struct cor_difference *difference) {
    for (uint32_t c = 0; c < cluster_count; c++) {
        multiplicity[c] = 1;
        double own = difference_of(multiplicity, cluster_count, joint); /* NaN: a suite without sequences */
        multiplicity[c] = 0;
        difference->above += own > 1e-9;
        difference->below += own < -1e-9;
    }
    difference->p = cor_mcnemar(difference->above, difference->below);
}

static int sign_of(const struct cor_difference *difference, double level) {
    bool by_chance = !isnan(difference->p) && difference->p >= 1 - level;
    if (by_chance)
        return 0;
    return difference->low > 0 ? 1 : difference->high < 0 ? -1 : 0;
}

static enum cor_status resample(struct work *work, struct joint *joint, struct cor_difference *difference,
                                struct cor_error *error) {
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){
        .seed = work->seed, .entity = work->draws++, .purpose = COR_PURPOSE_BOOTSTRAP});
    struct cor_bootstrap_plan plan = cor_default_bootstrap(&rng);
    const struct cor_cluster_design design = {work->stratum, work->stratum_count, difference_of, joint};
    struct cor_bootstrap made;
    plan.level = work->contrasts->level;
    enum cor_status status = cor_bootstrap_clusters(&plan, &design, &made, error);
    if (status != COR_OK)
        return status;
    *difference = (struct cor_difference){
        .mean = made.estimate, .low = made.low, .high = made.high, .method = made.method, .p = NAN};
    if (in_common(joint)) {
        uint32_t *multiplicity = cor_calloc(work->cluster_count, sizeof *multiplicity);
        if (!multiplicity)
            return cor_fail_memory(error);
        count_suites(joint, work->cluster_count, multiplicity, difference);
        free(multiplicity);
    }
    difference->sign = sign_of(difference, plan.level);
    return COR_OK;
}

static enum cor_status compare(struct work *work, const struct cor_contrast_pair *pairs, size_t count,
                               bool cases, struct cor_difference *difference, struct cor_error *error) {
    struct joint joint = {cor_calloc(2 * count, sizeof *joint.side), count};
    enum cor_status status = joint.side ? COR_OK : cor_fail_memory(error);
    for (size_t i = 0; i < 2 * count && status == COR_OK; i++)
        status = sum_up(work, &pairs[i / 2].side[i % 2], cases, &joint.side[i], error);
    if (status == COR_OK)
        status = resample(work, &joint, difference, error);
    for (size_t i = 0; i < 2 * count && joint.side; i++) {
        free(joint.side[i].y);
        free(joint.side[i].x);
    }
    free(joint.side);
    return status;
}

static enum cor_status fill(struct work *work, struct cor_contrast *contrast, struct cor_error *error) {
    const struct cor_contrasts *all = work->contrasts;
    enum cor_status status = COR_OK;
    for (size_t p = 0; p < contrast->pair_count && status == COR_OK; p++) {
        struct cor_contrast_pair *pair = &contrast->pair[p];
        for (int i = 0; i < 2 && status == COR_OK; i++) {
            struct cor_contrast_side *side = &pair->side[i];
            const struct cor__observed_arm *arm = &work->arm[arm_of(work, side)];
            status = fill_share(side, arm, all->level, error);
            contrast->found[i] += side->sequences_detecting > 0;
            if (status == COR_OK)
                status = fill_cases(side, arm, all->horizon, all->level, error);
        }
        if (status == COR_OK)
            status = compare(work, pair, 1, false, &pair->share, error);
        if (status == COR_OK)
            status = compare(work, pair, 1, true, &pair->cases, error);
    }
    if (status == COR_OK)
        status = compare(work, contrast->pair, contrast->pair_count, false, &contrast->share, error);
    return status == COR_OK
               ? compare(work, contrast->pair, contrast->pair_count, true, &contrast->cases, error)
               : status;
}

/* --------------------------------------------------------------------------------------- whole */

static enum cor_status name_arms(struct work *work, const struct cor_result_header *head,
                                 struct cor_error *error) {
    work->arm_count = head->catalog_size[COR_CATALOG_ARM];
    work->arm = cor_calloc(work->arm_count, sizeof *work->arm);
    if (!work->arm)
        return cor_fail_memory(error);
    for (size_t a = 0; a < work->arm_count; a++) {
        work->arm[a].code = head->catalog[COR_CATALOG_ARM][a].code;
        work->arm[a].name = head->catalog[COR_CATALOG_ARM][a].name;
    }
    return COR_OK;
}

static enum cor_status make(struct work *work, struct cor_result *result, struct cor_error *error) {
    const struct cor_result_header *head = cor_result_head(result);
    struct cor_contrasts *made = work->contrasts;
    work->seed = head->seed;
    enum cor_status status = name_arms(work, head, error);
    if (status == COR_OK)
        status = cor__contrasts_plan(head, made, work->arm, work->arm_count, error);
    if (status == COR_OK)
        status = cor__observe(result, work->arm, work->arm_count, error);
    if (status == COR_OK && made->paired)
        status = cor__keep_common(work->arm, work->arm_count, &made->left_out, error);
    if (status == COR_OK)
        status = lay_out(work, error);
    made->horizon = find_horizon(work);
    for (size_t i = 0; i < made->count && status == COR_OK; i++)
        status = fill(work, &made->contrast[i], error);
    return status;
}

enum cor_status cor_contrasts_create(struct cor_result *result, double level,
                                     struct cor_contrasts **contrasts, struct cor_error *error) {
    COR_ASSERT(level >= 0.5 && level <= 0.9999);
    struct work work = {.contrasts = *contrasts = cor_calloc(1, sizeof **contrasts)};
    enum cor_status status = work.contrasts ? COR_OK : cor_fail_memory(error);
    if (status != COR_OK)
        return status;
    work.contrasts->level = level;
    status = make(&work, result, error);
    cor__observed_fini(work.arm, work.arm_count);
    free(work.arm);
    free(work.first_cluster);
    free(work.stratum);
    if (status != COR_OK) {
        cor_contrasts_destroy(*contrasts);
        *contrasts = NULL;
    }
    return status;
}

void cor_contrasts_destroy(struct cor_contrasts *contrasts) {
    if (!contrasts)
        return;
    for (size_t i = 0; i < contrasts->count; i++) {
        free(contrasts->contrast[i].name);
        free(contrasts->contrast[i].pair);
    }
    free(contrasts->contrast);
    free(contrasts->experiment);
    free(contrasts);
}
