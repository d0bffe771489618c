/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Arms against each other: what the experiment names, sums of each suite, intervals by drawing suites again.
 */
#include <corridor/contrasts.h>

#include <corridor/array.h>
#include <corridor/json.h>
#include <corridor/measurement.h>
#include <corridor/rearrangement.h>
#include <corridor/survival.h>
#include <corridor/two_samples.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BOXES_AGAINST "gray box against black box"

/* An arm that may be compared. */
struct compared_arm {
    const char *name;                        /* borrowed from the result */
    bool wanted;                             /* some contrast names it; the others have no observations */
    struct cor_detection_times *observation; /* owned; clusters are places among the suites kept */
    size_t count, suite_count;
    uint32_t first_cluster; /* number of its first suite among all clusters that are drawn */
};

/* Everything while contrasts are made. */
struct work {
    struct cor_contrasts *contrasts;
    const struct cor_measurement *measurement;
    struct compared_arm *arm; /* owned */
    uint32_t *stratum;        /* owned; clusters of each stratum */
    uint32_t stratum_count, cluster_count;
    uint32_t draws; /* bootstraps so far: each has a stream of its own */
};

static enum cor_status add_pair(struct cor_contrast *contrast, const char *const arm[2],
                                const enum cor_any_box box[2], struct cor_error *error) {
    size_t capacity = contrast->pair_count; /* there are few: each takes room of its own */
    COR_TRY(COR_RESERVE(&contrast->pair, &capacity, contrast->pair_count + 1, error));
    struct cor_contrast_pair *pair = &contrast->pair[contrast->pair_count++];
    *pair = (struct cor_contrast_pair){0};
    for (int i = 0; i < 2; i++) {
        pair->side[i].arm = arm[i];
        pair->side[i].box = box[i];
    }
    return COR_OK;
}

/* The contrast of that name, made if there is none; NULL when memory is out. */
static struct cor_contrast *contrast_of(struct cor_contrasts *contrasts, const char *name) {
    for (size_t i = 0; i < contrasts->count; i++)
        if (strcmp(contrasts->contrast[i].name, name) == 0)
            return &contrasts->contrast[i];
    struct cor_error error = COR_NO_ERROR;
    size_t capacity = contrasts->count;
    char *copy = cor_strdup(name);
    if (!copy || COR_RESERVE(&contrasts->contrast, &capacity, contrasts->count + 1, &error) != COR_OK) {
        free(copy);
        return NULL;
    }
    struct cor_contrast *contrast = &contrasts->contrast[contrasts->count++];
    *contrast = (struct cor_contrast){.name = copy};
    return contrast;
}

static enum cor_status read_one(struct work *work, const struct cor_json *json, struct cor_error *error) {
    static const enum cor_any_box any[2] = {COR_ANY_BOX, COR_ANY_BOX};
    struct cor_json child;
    const char *name = NULL, *arm[2] = {NULL};
    COR_TRY(cor_json_need(json, "name", &child, error));
    COR_TRY(cor_json_string(&child, &name, error));
    COR_TRY(cor_json_need(json, "between", &child, error));
    COR_TRY(cor_json_expect_array(&child, 2, 2, error));
    COR_JSON_CHILDREN(one, &child) {
        const char *called;
        COR_TRY(cor_json_string(&one, &called, error));
        size_t a = cor_arm_of_name(work->measurement->head, called, strlen(called));
        if (a == work->measurement->arm_count)
            return cor_json_fail(&one, error, NULL, "catalog/arm has no \"%s\"", called);
        work->arm[a].wanted = true;
        arm[one.index] = work->arm[a].name;
    }
    struct cor_contrast *contrast = contrast_of(work->contrasts, name);
    return contrast ? add_pair(contrast, arm, any, error) : cor_fail_memory(error);
}

/* Reads name, mode and contrasts of the experiment, pairs of one name together, and adds gray box against
 * black box for each arm that is compared. Sides have arm and box, nothing else; wanted arms are marked. */
static enum cor_status read_experiment(struct work *work, struct cor_error *error) {
    const char *text = work->measurement->head->experiment;
    struct cor_contrasts *made = work->contrasts;
    COR_DESTROYED(cor_json) struct cor_json_document *document = NULL;
    struct cor_json json;
    const char *name;
    COR_TRY(cor_json_parse(text, "experiment", &document, error));
    struct cor_json root = cor_json_root(document);
    COR_TRY(cor_is_paired(text, &made->paired, error));
    COR_TRY(cor_json_need(&root, "name", &json, error));
    COR_TRY(cor_json_string(&json, &name, error));
    COR_TRY(cor_made(made->experiment = cor_strdup(name), error));
    if (!cor_json_find(&root, "contrasts", &json))
        COR_TRY(cor_json_fail(
            &root, error,
            "name two of its arms, --arms A=B; or pairs in \"contrasts\" of the experiment, and run it again",
            "has no contrasts"));
    COR_TRY(cor_json_expect_array(&json, 1, SIZE_MAX, error));
    COR_JSON_CHILDREN(one, &json)
        COR_TRY(read_one(work, &one, error));
    /* Needs no arms of its own: both boxes look at each arm. */
    static const enum cor_any_box boxes[2] = {COR_GRAY_BOX, COR_BLACK_BOX};
    struct cor_contrast *contrast = contrast_of(work->contrasts, BOXES_AGAINST);
    COR_TRY(cor_made(contrast, error));
    for (size_t a = 0; a < work->measurement->arm_count; a++) {
        const char *const names[2] = {work->arm[a].name, work->arm[a].name};
        if (work->arm[a].wanted)
            COR_TRY(add_pair(contrast, names, boxes, error));
    }
    return COR_OK;
}

/* Keeps the suites of an arm at these places, `step` apart, and their observations. */
static enum cor_status keep(const struct work *work, size_t a, const size_t *place, size_t step, size_t count,
                            struct cor_error *error) {
    const struct cor_arm_measurement *it = &work->measurement->arm[a];
    struct compared_arm *arm = &work->arm[a];
    size_t next = 0;
    COR_TRY(cor_made(arm->observation = cor_calloc(it->sequences, sizeof *arm->observation), error));
    for (arm->suite_count = 0; arm->suite_count < count; arm->suite_count++) {
        size_t suite = place ? place[arm->suite_count * step] : arm->suite_count;
        for (; next < it->sequences && it->observation[next].cluster <= suite; next++) {
            if (it->observation[next].cluster < suite)
                continue;
            arm->observation[arm->count] = it->observation[next];
            arm->observation[arm->count++].cluster = (uint32_t)arm->suite_count;
        }
    }
    return COR_OK;
}

/* Paired arms keep the suites that all of them have, others keep theirs. */
static enum cor_status take_observations(struct work *work, struct cor_error *error) {
    COR_FREED size_t *place = NULL;
    size_t arm_count = work->measurement->arm_count, wanted = 0, common = 0;
    COR_FREED struct cor_suite_list *list = cor_calloc(arm_count, sizeof *list);
    COR_TRY(cor_made(list, error));
    for (size_t a = 0; a < arm_count; a++)
        if (work->arm[a].wanted)
            list[wanted++] = cor_suites_of(work->measurement, a);
    if (work->contrasts->paired)
        COR_TRY(cor_common_suites(list, wanted, &place, &common, error));
    for (size_t a = 0, l = 0; a < arm_count; a++) {
        if (!work->arm[a].wanted)
            continue;
        COR_TRY(keep(work, a, place ? place + l : NULL, wanted, place ? common : list[l].count, error));
        work->contrasts->left_out += list[l].count - work->arm[a].suite_count;
        l++;
    }
    return COR_OK;
}

static const struct compared_arm *arm_of(const struct work *work, const struct cor_contrast_side *side) {
    size_t a = 0;
    while (work->arm[a].name != side->arm)
        a++;
    return &work->arm[a];
}

static enum cor_status fill_share(struct cor_contrast_side *side, const struct compared_arm *arm,
                                  double level, struct cor_error *error) {
    struct cor_moments all = {0};
    COR_FREED double *y = cor_calloc(arm->suite_count, sizeof *y),
                     *x = cor_calloc(arm->suite_count, sizeof *x);
    const struct cor_suite_sample sample = {.y = y,
                                            .x = x,
                                            .suites = (uint32_t)arm->suite_count,
                                            .mean = &all.mean,
                                            .whole = 100,
                                            .level = level};
    if (!y || !x)
        return cor_fail_memory(error);
    side->suites = arm->suite_count;
    side->sequences = arm->count;
    for (size_t i = 0; i < arm->count; i++) {
        bool detected = arm->observation[i].first[side->box] > 0;
        cor_moments_put(&all, detected ? 100 : 0);
        side->sequences_detecting += detected;
        y[arm->observation[i].cluster] += detected ? 100 : 0;
        x[arm->observation[i].cluster]++;
    }
    for (size_t c = 0; c < arm->suite_count; c++)
        side->suites_detecting += y[c] > 0;
    return cor_estimate_ratio(COR_INTERVAL_LINEARISED, &sample, &side->share, error);
}

static enum cor_status fill_cases(struct cor_contrast_side *side, const struct compared_arm *arm,
                                  double horizon, double level, struct cor_error *error) {
    COR_FINISHED(cor_survival) struct cor_survival curve = {0};
    COR_FREED double *time = cor_calloc(arm->count, sizeof *time);
    COR_FREED bool *event = cor_calloc(arm->count, sizeof *event);
    if (!time || !event)
        return cor_fail_memory(error);
    for (size_t i = 0; i < arm->count; i++) {
        time[i] = cor_detection_times_end(&arm->observation[i], side->box);
        event[i] = arm->observation[i].first[side->box] > 0;
    }
    COR_TRY(cor_survival_init(&curve, time, event, arm->count, level, error));
    side->median = cor_survival_quantile(&curve, 0.5).time;
    side->cases = cor_survival_restricted_mean(&curve, horizon).mean;
    return COR_OK;
}

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
static double value_of(const struct cor_detection_times *observation, enum cor_any_box box, bool cases,
                       double horizon) {
    if (cases)
        return fmin(cor_detection_times_end(observation, box), horizon);
    return observation->first[box] > 0 ? 100 : 0;
}

/* In how many suites is the first side's own mean above, or below? */
static enum cor_status count_suites(const struct work *work, struct joint *joint,
                                    struct cor_difference *difference, struct cor_error *error) {
    uint32_t *multiplicity = cor_calloc(work->cluster_count, sizeof *multiplicity);
    COR_TRY(cor_made(multiplicity, error));
    for (uint32_t c = 0; c < work->cluster_count; c++) {
        multiplicity[c] = 1;
        double own =
            difference_of(multiplicity, work->cluster_count, joint); /* NaN: a suite without sequences */
        multiplicity[c] = 0;
        difference->above += own > 1e-9;
        difference->below += own < -1e-9;
    }
    difference->p = cor_mcnemar(difference->above, difference->below);
    free(multiplicity);
    return COR_OK;
}

static bool in_common_by_pairs(const struct joint *joint, size_t pair) {
    return joint->side[2 * pair].first == joint->side[2 * pair + 1].first;
}

/* Does an arm take part in several pairs, in one of them against suites of another? It cannot be dealt anew
 * in one without the other. */
static bool stands_twice(const struct joint *joint) {
    for (size_t i = 0; i < 2 * joint->pair_count; i++)
        for (size_t j = 0; j < i; j++)
            if (joint->side[i].first == joint->side[j].first &&
                (i / 2 != j / 2 || !in_common_by_pairs(joint, i / 2)))
                return true;
    return false;
}

static enum cor_status rearrange(const struct joint *joint, struct cor_rng *rng,
                                 struct cor_difference *difference, struct cor_error *error) {
    struct cor_rearranged p;
    if (stands_twice(joint))
        return COR_OK;
    struct cor_ratio_pair *pairs = cor_calloc(joint->pair_count, sizeof *pairs);
    COR_TRY(cor_made(pairs, error));
    for (size_t i = 0; i < 2 * joint->pair_count; i++) {
        const struct sums *side = &joint->side[i];
        pairs[i / 2].side[i % 2] = (struct cor_ratio_group){side->y, side->x, side->count};
        pairs[i / 2].in_common = in_common_by_pairs(joint, i / 2);
    }
    enum cor_status status = cor_rearrange_ratios(pairs, joint->pair_count, rng, &p, error);
    free(pairs);
    COR_TRY(status);
    difference->p = isnan(p.above) ? (double)NAN : fmin(2 * fmin(p.above, p.below), 1);
    return COR_OK;
}

static enum cor_status compare(struct work *work, const struct cor_contrast_pair *pairs, size_t count,
                               bool cases, struct cor_difference *difference, struct cor_error *error) {
    struct joint joint = {cor_calloc(2 * count, sizeof *joint.side), count};
    enum cor_status status = COR_OK;
    COR_TRY(cor_made(joint.side, error));
    for (size_t i = 0; i < 2 * count; i++) {
        const struct cor_contrast_side *side = &pairs[i / 2].side[i % 2];
        const struct compared_arm *arm = arm_of(work, side);
        joint.side[i].first = arm->first_cluster;
        joint.side[i].count = (uint32_t)arm->suite_count;
        joint.side[i].y = cor_calloc(arm->suite_count, sizeof *joint.side[i].y);
        joint.side[i].x = cor_calloc(arm->suite_count, sizeof *joint.side[i].x);
        if (!joint.side[i].y || !joint.side[i].x)
            COR_TRY_OUT(cor_fail_memory(error));
        for (size_t k = 0; k < arm->count; k++) {
            const struct cor_detection_times *observation = &arm->observation[k];
            joint.side[i].y[observation->cluster] +=
                value_of(observation, side->box, cases, work->contrasts->horizon);
            joint.side[i].x[observation->cluster]++;
        }
    }
    struct cor_stream_name name = {
        .seed = work->measurement->head->seed, .entity = work->draws++, .purpose = COR_PURPOSE_BOOTSTRAP};
    struct cor_rng rng = cor_rng_named(&name);
    struct cor_bootstrap_plan plan = cor_default_bootstrap(&rng);
    const struct cor_cluster_design design = {work->stratum, work->stratum_count, difference_of, &joint};
    struct cor_bootstrap made;
    plan.level = work->contrasts->level;
    COR_TRY_OUT(cor_bootstrap_clusters(&plan, &design, &made, error));
    *difference = (struct cor_difference){.value = cor_bootstrap_estimate(&made), .p = NAN};
    /* A bootstrap of few suites that differ is too sure of itself: three of twenty, all on one side, would
     * do. So suites are also counted, one by one, where all sides have them in common, and else dealt anew.
     */
    bool in_common = true;
    for (size_t i = 1; i < 2 * joint.pair_count && in_common; i++)
        in_common = joint.side[i].first == joint.side[0].first && joint.side[i].count == joint.side[0].count;
    name.purpose = COR_PURPOSE_PERMUTATION;
    rng = cor_rng_named(&name);
    COR_TRY_OUT(in_common ? count_suites(work, &joint, difference, error)
                          : rearrange(&joint, &rng, difference, error));
    bool by_chance = !(difference->p < 1 - plan.level);
    difference->sign = by_chance ? 0 : difference->value.low > 0 ? 1 : difference->value.high < 0 ? -1 : 0;
out:
    for (size_t i = 0; i < 2 * count; i++) {
        COR_FREE(joint.side[i].y, joint.side[i].x);
    }
    free(joint.side);
    return status;
}

static enum cor_status make(struct work *work, struct cor_error *error) {
    COR_TRY(cor_made(work->arm = cor_calloc(work->measurement->arm_count, sizeof *work->arm), error));
    for (size_t a = 0; a < work->measurement->arm_count; a++)
        work->arm[a].name = work->measurement->arm[a].entry->name;
    COR_TRY(read_experiment(work, error));
    COR_TRY(take_observations(work, error));
    /* Paired arms have one stratum, in which a suite means the same for all; others each have their own. */
    COR_TRY(cor_made(work->stratum = cor_calloc(work->measurement->arm_count, sizeof *work->stratum), error));
    for (size_t a = 0; a < work->measurement->arm_count; a++) {
        uint32_t suites = (uint32_t)work->arm[a].suite_count;
        if (!work->arm[a].wanted || (work->contrasts->paired && work->stratum_count > 0))
            continue;
        work->arm[a].first_cluster = work->cluster_count;
        work->stratum[work->stratum_count++] = suites;
        work->cluster_count += suites;
    }
    /* The number of cases up to which each sequence, through each box, was either detected or still looked
     * at. */
    uint32_t least = UINT32_MAX, greatest = 0;
    for (size_t a = 0; a < work->measurement->arm_count; a++)
        for (size_t i = 0; i < work->arm[a].count; i++)
            for (enum cor_any_box box = 0; box < COR_ANY_BOXES; box++) {
                const struct cor_detection_times *observation = &work->arm[a].observation[i];
                uint32_t end = cor_detection_times_end(observation, box);
                greatest = end > greatest ? end : greatest;
                if (observation->first[box] == 0 && end < least)
                    least = end;
            }
    work->contrasts->horizon = least < UINT32_MAX ? least : greatest;
    for (size_t i = 0; i < work->contrasts->count; i++) {
        struct cor_contrast *contrast = &work->contrasts->contrast[i];
        const struct cor_contrasts *all = work->contrasts;
        for (size_t p = 0; p < contrast->pair_count; p++) {
            struct cor_contrast_pair *pair = &contrast->pair[p];
            for (int k = 0; k < 2; k++) {
                struct cor_contrast_side *side = &pair->side[k];
                COR_TRY(fill_share(side, arm_of(work, side), all->level, error));
                COR_TRY(fill_cases(side, arm_of(work, side), all->horizon, all->level, error));
                contrast->found[k] += side->sequences_detecting > 0;
            }
            COR_TRY(compare(work, pair, 1, false, &pair->share, error));
            COR_TRY(compare(work, pair, 1, true, &pair->cases, error));
        }
        COR_TRY(compare(work, contrast->pair, contrast->pair_count, false, &contrast->share, error));
        COR_TRY(compare(work, contrast->pair, contrast->pair_count, true, &contrast->cases, error));
    }
    return COR_OK;
}

enum cor_status cor_contrasts_create(struct cor_result *result, double level,
                                     struct cor_contrasts **contrasts, struct cor_error *error) {
    COR_ASSERT(level >= 0.5 && level <= 0.9999);
    enum cor_status status = COR_OK;
    struct cor_measurement *measurement = NULL;
    struct work work = {.contrasts = *contrasts = cor_calloc(1, sizeof **contrasts)};
    COR_TRY(cor_made(work.contrasts, error));
    work.contrasts->level = level;
    COR_TRY_OUT(cor_measurement_create(result, 0, &measurement, error));
    work.measurement = measurement;
    COR_TRY_OUT(make(&work, error));
out:
    for (size_t a = 0; work.arm && a < measurement->arm_count; a++)
        free(work.arm[a].observation);
    COR_FREE(work.arm, work.stratum);
    cor_measurement_destroy(measurement);
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
        COR_FREE(contrasts->contrast[i].name, contrasts->contrast[i].pair);
    }
    COR_FREE(contrasts->contrast, contrasts->experiment, contrasts);
}
