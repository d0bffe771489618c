/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sums.h"

#include "drawn_parameters.h"

#include <corridor/array.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct coverage__sums *coverage__find_sums(const struct cor_arm_coverage *arm, uint16_t code) {
    for (size_t i = 1; i < arm->environment_count; i++)
        if (arm->environment[i]->code == code)
            return coverage__behind(arm->environment[i]);
    return NULL;
}

static void forget_law(struct coverage__sums *sums) {
    coverage__law_fini(&sums->law);
    free(sums->length);
    sums->length = NULL;
}

static const char *name_of(const struct cor_result_header *head, uint16_t code) {
    for (size_t i = 0; i < head->catalog_size[COR_CATALOG_ENVIRONMENT]; i++)
        if (head->catalog[COR_CATALOG_ENVIRONMENT][i].code == code)
            return head->catalog[COR_CATALOG_ENVIRONMENT][i].name;
    return "?";
}

/* A new environment, in its place by code; the first one is that of all. */
static enum cor_status add_environment(struct cor_arm_coverage *arm, const char *name, uint16_t code,
                                       struct coverage__sums **made, struct cor_error *error) {
    struct cor_environment_coverage **list =
        cor_calloc(arm->environment_count + 1, sizeof(struct cor_environment_coverage *));
    struct coverage__sums *sums = *made = cor_calloc(1, sizeof *sums);
    if (!sums || !list) {
        free(list);
        free(sums);
        return cor_fail_memory(error);
    }
    sums->shown.name = name;
    sums->shown.code = code;
    sums->shown.fixed = sums->shown.lawful = true;
    size_t place = arm->environment_count > 0 ? 1 : 0;
    while (place < arm->environment_count && arm->environment[place]->code < code)
        place++;
    for (size_t i = 0; i <= arm->environment_count; i++)
        list[i] = i < place ? arm->environment[i] : i == place ? &sums->shown : arm->environment[i - 1];
    free(arm->environment);
    arm->environment = list;
    arm->environment_count++;
    return COR_OK;
}

/* Makes the counts by number of state as large as the largest profile needs. */
static enum cor_status widen(struct cor_environment_coverage *environment, uint32_t states,
                             struct cor_error *error) {
    if (states <= environment->states)
        return COR_OK;
    uint64_t *visits = cor_calloc(states, sizeof *visits);
    uint64_t *taken = cor_calloc((size_t)states * states, sizeof *taken);
    if (!visits || !taken) {
        free(visits);
        free(taken);
        return cor_fail_memory(error);
    }
    for (uint32_t i = 0; i < environment->states; i++) {
        visits[i] = environment->visits[i];
        memcpy(taken + (size_t)i * states, environment->taken + (size_t)i * environment->states,
               environment->states * sizeof *taken);
    }
    free(environment->visits);
    free(environment->taken);
    environment->visits = visits;
    environment->taken = taken;
    environment->states = states;
    return COR_OK;
}

/* Is it still the same profile in all suites? Its walks' lengths count for the whole campaign then. */
static enum cor_status compare_law(struct coverage__sums *sums, const struct coverage__walked *walked,
                                   struct cor_error *error) {
    if (!sums->shown.fixed)
        return COR_OK;
    if (!sums->law.arc) {
        const struct coverage__law *law = &walked->law;
        size_t n = law->states;
        COR_TRY(coverage__law_init(&sums->law, law->states, error));
        memcpy(sums->law.arc, law->arc, n * n * sizeof *law->arc);
        memcpy(sums->law.start, law->start, n * sizeof *law->start);
        if (walked->length) {
            sums->length = cor_calloc(n * COVERAGE__LENGTHS, sizeof *sums->length);
            if (!sums->length)
                return cor_fail_memory(error);
        }
        COR_TRY(coverage__law_solve(&sums->law, error));
    }
    if (!coverage__law_equal(&sums->law, &walked->law)) {
        sums->shown.fixed = false;
        forget_law(sums);
    } else if (sums->length && walked->length) {
        for (size_t i = 0; i < (size_t)sums->law.states * COVERAGE__LENGTHS; i++)
            sums->length[i] += walked->length[i];
    }
    return COR_OK;
}

/* `count` units that saw `seen` in sum. What was visited can be reached, so reachable ones seen are all seen.
 */
void coverage__add_level(struct cor_covered *covered, const struct coverage__law *law,
                         const struct coverage__tally *seen, uint64_t count, double reachable_states,
                         double reachable_arcs) {
    struct {
        double seen, possible;
    } measure[COR_COVERED_COUNT] = {
        [COR_COVERED_STATES] = {seen->states, law->states},
        [COR_COVERED_ARCS] = {seen->arcs, law->arcs},
        [COR_COVERED_REACHABLE_STATES] = {seen->states, reachable_states},
        [COR_COVERED_REACHABLE_ARCS] = {seen->arcs, reachable_arcs},
        [COR_COVERED_LIKELY_STATES] = {seen->likely_states, law->likely_states},
        [COR_COVERED_LIKELY_ARCS] = {seen->likely_arcs, law->likely_arcs},
        [COR_COVERED_STATE_MASS] = {seen->state_mass, law->sound},
        [COR_COVERED_ARC_MASS] = {seen->arc_mass, law->sound},
    };
    for (int m = 0; m < COR_COVERED_COUNT; m++)
        coverage__covered_add(&covered[m], measure[m].seen, measure[m].possible, count);
}

static double share(double seen, double possible) {
    return possible > 0 ? seen / possible : 0;
}

static void add_points(struct coverage__sums *sums, const struct coverage__walked *walked,
                       const struct coverage__expectation *expectation) {
    const struct coverage__law *law = &walked->law;
    for (size_t k = 0; k < COVERAGE__POINTS && walked->point_count[k] > 0; k++) {
        const struct coverage__tally *seen = &walked->point_sum[k];
        struct coverage__point_sum *sum = &sums->cases[k];
        uint64_t n = walked->point_count[k];
        sum->n += n;
        sum->n_arcs += law->arcs > 0 ? n : 0;
        sum->n_mass += law->sound ? n : 0;
        sum->states += share(seen->states, law->states);
        sum->arcs += share(seen->arcs, law->arcs);
        sum->mass += seen->arc_mass;
        if (k >= expectation->done)
            continue;
        sum->n_expected += n;
        sum->observed_states += share(seen->states, law->states);
        sum->observed_arcs += share(seen->arcs, law->arcs);
        for (size_t i = k * law->states; i < (k + 1) * law->states; i++) {
            sum->expected_states +=
                (double)walked->point_first[i] * share(expectation->states[i], law->states);
            sum->expected_arcs += (double)walked->point_first[i] * share(expectation->arcs[i], law->arcs);
        }
    }
}

static void add_walked(struct coverage__sums *sums, const struct coverage__walks *walks,
                       const struct coverage__walked *walked,
                       const struct coverage__expectation *expectation) {
    struct cor_environment_coverage *shown = &sums->shown;
    const struct coverage__law *law = &walked->law;
    const struct coverage__open *open = &walked->open;
    shown->lawful = shown->lawful && law->sound;
    shown->profiles++;
    shown->walks += walked->walks;
    shown->steps += walked->steps;
    shown->steps_outside += walked->steps_outside;
    coverage__add_level(shown->covered[COR_COVERAGE_CHAIN], law, &walked->chain_sum, walked->chain_count,
                        open->states, open->arcs);
    coverage__add_level(shown->covered[COR_COVERAGE_SEQUENCE], law, &walked->sequence_sum,
                        walked->sequence_count, open->states, open->arcs);
    coverage__add_level(shown->covered[COR_COVERAGE_SUITE], law, &open->seen, 1, open->states, open->arcs);
    add_points(sums, walked, expectation);
    const uint32_t sequences = walks->sequences;
    for (size_t k = 0; k < COVERAGE__POINTS && coverage__points[k] <= sequences; k++) {
        struct coverage__point_sum *sum = &sums->sequences[k];
        sum->n++;
        sum->n_arcs += law->arcs > 0;
        sum->n_mass += law->sound;
        sum->states += share(walked->after[k].states, law->states);
        sum->arcs += share(walked->after[k].arcs, law->arcs);
        sum->mass += walked->after[k].arc_mass;
    }
    double chains = (double)walked->chains, estimate = open->good_turing;
    sums->chains += chains;
    if (walked->law.sound) {
        sums->law_n++;
        sums->law_sum += open->mass;
        sums->rate_law += chains * open->mass;
    }
    if (!isnan(estimate)) {
        sums->good_turing_n++;
        sums->good_turing_sum += estimate;
        sums->rate_good_turing += chains * estimate;
        sums->shown.suite.chao += open->chao;
    }
    sums->shown.suite.n++;
    sums->shown.suite.unseen += open->unseen;
    sums->shown.suite.unseen_likely += open->unseen_likely;
    sums->shown.suite.once += open->once;
    sums->distinct_drawn += open->seen.arcs;
}

/* What the suite did not take of a profile that may be its own. */
static enum cor_status miss_in_suite(struct coverage__sums *sums, const struct coverage__walked *walked,
                                     const struct cor_suite_row *suite, uint16_t profile,
                                     struct cor_error *error) {
    const struct coverage__law *law = &walked->law;
    for (uint32_t i = 0; i < law->states; i++)
        for (uint32_t j = 0; j < law->states; j++) {
            double expected = (double)walked->steps * coverage__law_mass(law, i, j);
            if (walked->taken[(size_t)i * law->states + j] > 0 ||
                !coverage__missed_matters(&sums->shown, expected))
                continue;
            struct cor_missed missed = {.arm = suite->arm,
                                        .environment = walked->environment,
                                        .profile = profile,
                                        .suite = suite->suite,
                                        .from = (uint16_t)i,
                                        .to = (uint16_t)j,
                                        .probability = law->arc[(size_t)i * law->states + j],
                                        .expected = expected};
            /* The chance to miss a transition, worked out once for its arm and for all of them. */
            double *known = &walked->missed[(size_t)i * walked->law.states + j];
            if (isnan(*known))
                COR_TRY(coverage__missed_chance(&walked->law, walked->length, i, j, known, error));
            missed.chance = *known;
            coverage__missed_put(&sums->shown, &missed);
        }
    return COR_OK;
}

void coverage__note_suites(struct coverage__sums *sums, uint64_t suites) {
    struct cor_coverage_curve *curve = &sums->shown.suites;
    if (curve->count > 0 && curve->point[curve->count - 1].at == suites)
        return;
    if (curve->count == COR_COVERAGE_POINTS_MAX)
        return;
    struct cor_coverage_point *point = &curve->point[curve->count];
    *point = (struct cor_coverage_point){.at = suites, .n = 1};
    point->states = point->arcs = point->arc_mass = point->distinct = NAN;
    sums->drawn[curve->count++] = sums->distinct_drawn;
    if (!sums->law.arc)
        return;
    const struct coverage__law *law = &sums->law;
    size_t n = law->states;
    double states = 0, arcs = 0, mass = 0;
    for (size_t i = 0; i < n; i++)
        states += sums->shown.visits[i] > 0;
    for (size_t c = 0; c < n * n; c++)
        if (sums->shown.taken[c] > 0 && law->arc[c] > 0) {
            arcs++;
            mass += law->share[c / n] * law->arc[c];
        }
    point->states = 100 * states / (double)n;
    point->arcs = law->arcs > 0 ? 100 * arcs / law->arcs : NAN;
    point->arc_mass = law->sound ? 100 * mass : NAN;
    point->distinct = arcs;
}

static bool is_point(uint64_t number) {
    for (size_t k = 0; k < COVERAGE__POINTS; k++)
        if (coverage__points[k] == number)
            return true;
    return false;
}

/* A profile of the suite is added to its environment and to all of them. */
static enum cor_status add_profile(struct cor_arm_coverage *arm, const struct coverage__walks *walks,
                                   uint16_t profile, const struct cor_suite_row *suite,
                                   const struct coverage__expectation *expectation,
                                   const struct cor_result_header *head, struct cor_error *error) {
    const struct coverage__walked *walked = &walks->profile[profile];
    struct coverage__sums *sums = coverage__find_sums(arm, walked->environment);
    if (!sums)
        COR_TRY(add_environment(arm, name_of(head, walked->environment), walked->environment, &sums, error));
    COR_TRY(compare_law(sums, walked, error));
    uint32_t n = walked->law.states;
    COR_TRY(widen(&sums->shown, n, error));
    for (uint32_t i = 0; i < n; i++) {
        sums->shown.visits[i] += walked->visits[i];
        for (uint32_t j = 0; j < n; j++)
            sums->shown.taken[(size_t)i * sums->shown.states + j] += walked->taken[(size_t)i * n + j];
    }
    if (arm->by_profile)
        COR_TRY(miss_in_suite(sums, walked, suite, profile, error));
    struct coverage__sums *const both[] = {sums, coverage__behind(arm->environment[0])};
    for (int i = 0; i < 2; i++) {
        add_walked(both[i], walks, walked, expectation);
        const uint64_t number = arm->suites;
        if (both[i]->last_suite == (uint32_t)number)
            continue;
        both[i]->last_suite = (uint32_t)number;
        both[i]->suites++;
    }
    return COR_OK;
}

enum cor_status coverage__add_suite(struct cor_arm_coverage *arm, const struct coverage__walks *walks,
                                    const struct cor_suite_row *suite,
                                    const struct coverage__expectation *expectation,
                                    const struct cor_result_header *head, struct cor_error *error) {
    struct coverage__sums *all;
    if (arm->environment_count == 0)
        COR_TRY(add_environment(arm, "all", 0, &all, error));
    arm->suites++;
    arm->chains += walks->chain_count;
    arm->cases += walks->cases;
    arm->sequences += walks->sequences;
    coverage__pairs_merge(&arm->pairs, &walks->pairs.found);
    for (size_t p = 0; p < walks->profile_count; p++)
        if (walks->profile[p].walks > 0)
            COR_TRY(add_profile(arm, walks, (uint16_t)p, suite, &expectation[p], head, error));
    for (size_t i = 1; i < arm->environment_count && is_point(arm->suites); i++)
        coverage__note_suites(coverage__behind(arm->environment[i]), arm->suites);
    return COR_OK;
}

void coverage__sums_fini(struct cor_arm_coverage *arm) {
    for (size_t i = 0; i < arm->environment_count; i++) {
        struct coverage__sums *sums = coverage__behind(arm->environment[i]);
        if (!sums)
            continue;
        forget_law(sums);
        free(sums->shown.visits);
        free(sums->shown.taken);
        free(sums->shown.probability);
        free(sums->shown.share);
        for (uint32_t j = 0; j < sums->shown.states && sums->shown.state_name; j++)
            free(sums->shown.state_name[j]);
        free(sums->shown.state_name);
        free(sums);
    }
    free(arm->environment);
    arm->environment = NULL;
    arm->environment_count = 0;
}

struct cor_arm_coverage *coverage__find_arm(const struct cor_coverage *coverage, uint16_t code) {
    for (size_t a = 1; a < coverage->arm_count; a++)
        if (coverage->arm[a].code == code)
            return &coverage->arm[a];
    return NULL;
}

bool coverage__wanted(const struct cor_coverage *coverage, const struct cor_suite_row *suite) {
    return (coverage->suite < 0 || coverage->suite == (int64_t)suite->suite) &&
           coverage__find_arm(coverage, suite->arm);
}
