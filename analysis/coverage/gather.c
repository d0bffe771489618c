/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gather.h"

#include <corridor/array.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- environments of an arm */

struct cor__ep *cor__find_ep(const struct cor_arm_coverage *arm, uint16_t code) {
    for (size_t i = 1; i < arm->ep_count; i++)
        if (arm->ep[i]->code == code)
            return cor__behind(arm->ep[i]);
    return NULL;
}

static void forget_law(struct cor__ep *ep) {
    cor__law_fini(&ep->law);
    free(ep->length);
    ep->length = NULL;
}

static void ep_destroy(struct cor__ep *ep) {
    if (!ep)
        return;
    forget_law(ep);
    free(ep->shown.visits);
    free(ep->shown.taken);
    free(ep->shown.probability);
    free(ep->shown.share);
    for (uint32_t i = 0; i < ep->shown.states && ep->shown.state_name; i++)
        free(ep->shown.state_name[i]);
    free(ep->shown.state_name);
    free(ep);
}

static const char *name_of(const struct cor_result_header *head, uint16_t code) {
    for (size_t i = 0; i < head->catalog_size[COR_CATALOG_ENVIRONMENT]; i++)
        if (head->catalog[COR_CATALOG_ENVIRONMENT][i].code == code)
            return head->catalog[COR_CATALOG_ENVIRONMENT][i].name;
    return "?";
}

/* A new environment, in its place by code; the first one is that of all. */
static enum cor_status add_ep(struct cor_arm_coverage *arm, const char *name, uint16_t code,
                              struct cor__ep **made, struct cor_error *error) {
    struct cor_ep_coverage **list = cor_calloc(arm->ep_count + 1, sizeof(struct cor_ep_coverage *));
    struct cor__ep *ep = *made = cor_calloc(1, sizeof *ep);
    if (!ep || !list) {
        free(list);
        free(ep);
        return cor_fail_memory(error);
    }
    ep->shown.name = name;
    ep->shown.code = code;
    ep->shown.fixed = ep->shown.lawful = true;
    size_t place = arm->ep_count > 0 ? 1 : 0;
    while (place < arm->ep_count && arm->ep[place]->code < code)
        place++;
    for (size_t i = 0; i <= arm->ep_count; i++)
        list[i] = i < place ? arm->ep[i] : i == place ? &ep->shown : arm->ep[i - 1];
    free(arm->ep);
    arm->ep = list;
    arm->ep_count++;
    return COR_OK;
}

/* Makes the counts by number of state as large as the largest profile needs. */
static enum cor_status widen(struct cor_ep_coverage *ep, uint32_t states, struct cor_error *error) {
    if (states <= ep->states)
        return COR_OK;
    uint64_t *visits = cor_calloc(states, sizeof *visits);
    uint64_t *taken = cor_calloc((size_t)states * states, sizeof *taken);
    if (!visits || !taken) {
        free(visits);
        free(taken);
        return cor_fail_memory(error);
    }
    for (uint32_t i = 0; i < ep->states; i++) {
        visits[i] = ep->visits[i];
        memcpy(taken + (size_t)i * states, ep->taken + (size_t)i * ep->states, ep->states * sizeof *taken);
    }
    free(ep->visits);
    free(ep->taken);
    ep->visits = visits;
    ep->taken = taken;
    ep->states = states;
    return COR_OK;
}

static enum cor_status copy_law(struct cor__ep *ep, const struct cor__site *site, struct cor_error *error) {
    const struct cor__law *law = &site->law;
    size_t n = law->states;
    enum cor_status status = cor__law_init(&ep->law, law->states, error);
    if (status != COR_OK)
        return status;
    memcpy(ep->law.arc, law->arc, n * n * sizeof *law->arc);
    if (site->length) {
        ep->length = cor_calloc(n * COR__LENGTHS, sizeof *ep->length);
        if (!ep->length)
            return cor_fail_memory(error);
    }
    return cor__law_solve(&ep->law, error);
}

/* Is it still the same profile in all suites? Its walks' lengths count for the whole campaign then. */
static enum cor_status compare_law(struct cor__ep *ep, const struct cor__site *site,
                                   struct cor_error *error) {
    if (!ep->shown.fixed)
        return COR_OK;
    if (!ep->law.arc) {
        enum cor_status status = copy_law(ep, site, error);
        if (status != COR_OK)
            return status;
    }
    if (!cor__law_equal(&ep->law, &site->law)) {
        ep->shown.fixed = false;
        forget_law(ep);
    } else if (ep->length && site->length) {
        for (size_t i = 0; i < (size_t)ep->law.states * COR__LENGTHS; i++)
            ep->length[i] += site->length[i];
    }
    return COR_OK;
}

/* ---- adding a profile */

/* `count` units that saw `seen` in sum. What was visited can be reached, so reachable ones seen are all seen.
 */
void cor__add_level(struct cor_covered *covered, const struct cor__law *law, const struct cor__tally *seen,
                    uint64_t count, double reachable_states, double reachable_arcs) {
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
    for (int m = 0; m < COR_COVERED_COUNT; m++) {
        if (!(measure[m].possible > 0) || count == 0)
            continue;
        covered[m].n += count;
        covered[m].share_sum += measure[m].seen / measure[m].possible;
        covered[m].covered += measure[m].seen;
        covered[m].possible += measure[m].possible * (double)count;
    }
}

static double share(double seen, double possible) {
    return possible > 0 ? seen / possible : 0;
}

static void add_points(struct cor__ep *ep, const struct cor__site *site,
                       const struct cor__expectation *expectation) {
    const struct cor__law *law = &site->law;
    for (size_t k = 0; k < COR__POINTS && site->point_count[k] > 0; k++) {
        const struct cor__tally *seen = &site->point_sum[k];
        struct cor__point_sum *sum = &ep->cases[k];
        uint64_t n = site->point_count[k];
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
            sum->expected_states += (double)site->point_first[i] * share(expectation->states[i], law->states);
            sum->expected_arcs += (double)site->point_first[i] * share(expectation->arcs[i], law->arcs);
        }
    }
}

static void add_after(struct cor__ep *ep, const struct cor__site *site, uint32_t sequences) {
    const struct cor__law *law = &site->law;
    for (size_t k = 0; k < COR__POINTS && cor__points[k] <= sequences; k++) {
        struct cor__point_sum *sum = &ep->sequences[k];
        sum->n++;
        sum->n_arcs += law->arcs > 0;
        sum->n_mass += law->sound;
        sum->states += share(site->after[k].states, law->states);
        sum->arcs += share(site->after[k].arcs, law->arcs);
        sum->mass += site->after[k].arc_mass;
    }
}

static void add_open(struct cor__ep *ep, const struct cor__site *site, const struct cor__open *open) {
    double chains = (double)site->chains, estimate = open->good_turing;
    ep->chains += chains;
    if (site->law.sound) {
        ep->law_n++;
        ep->law_sum += open->mass;
        ep->rate_law += chains * open->mass;
    }
    if (!isnan(estimate)) {
        ep->good_turing_n++;
        ep->good_turing_sum += estimate;
        ep->rate_good_turing += chains * estimate;
        ep->shown.suite.chao += open->chao;
    }
    ep->shown.suite.n++;
    ep->shown.suite.unseen += open->unseen;
    ep->shown.suite.unseen_likely += open->unseen_likely;
    ep->shown.suite.once += open->once;
    ep->distinct_drawn += open->seen.arcs;
}

static void add_site(struct cor__ep *ep, const struct cor__ground *ground, const struct cor__site *site,
                     const struct cor__open *open, const struct cor__expectation *expectation) {
    struct cor_ep_coverage *shown = &ep->shown;
    const struct cor__law *law = &site->law;
    shown->lawful = shown->lawful && law->sound;
    shown->profiles++;
    shown->walks += site->walks;
    shown->steps += site->steps;
    shown->steps_outside += site->steps_outside;
    cor__add_level(shown->covered[COR_COVERAGE_CHAIN], law, &site->chain_sum, site->chain_count, open->states,
                   open->arcs);
    cor__add_level(shown->covered[COR_COVERAGE_SEQUENCE], law, &site->sequence_sum, site->sequence_count,
                   open->states, open->arcs);
    cor__add_level(shown->covered[COR_COVERAGE_SUITE], law, &open->seen, 1, open->states, open->arcs);
    add_points(ep, site, expectation);
    add_after(ep, site, ground->sequences);
    add_open(ep, site, open);
}

static enum cor_status add_counts(struct cor_ep_coverage *ep, const struct cor__site *site,
                                  struct cor_error *error) {
    uint32_t n = site->law.states;
    enum cor_status status = widen(ep, n, error);
    if (status != COR_OK)
        return status;
    for (uint32_t i = 0; i < n; i++) {
        ep->visits[i] += site->visits[i];
        for (uint32_t j = 0; j < n; j++)
            ep->taken[(size_t)i * ep->states + j] += site->taken[(size_t)i * n + j];
    }
    return COR_OK;
}

/* What the suite did not take of a profile that may be its own. */
static enum cor_status miss_in_suite(struct cor__ep *ep, const struct cor__site *site,
                                     const struct cor_suite_row *suite, uint16_t profile,
                                     struct cor_error *error) {
    const struct cor__law *law = &site->law;
    for (uint32_t i = 0; i < law->states; i++)
        for (uint32_t j = 0; j < law->states; j++) {
            double expected = (double)site->steps * cor__law_mass(law, i, j);
            if (site->taken[(size_t)i * law->states + j] > 0 || !cor__missed_matters(&ep->shown, expected))
                continue;
            struct cor_missed missed = {.arm = suite->arm,
                                        .environment = site->environment,
                                        .profile = profile,
                                        .suite = suite->suite,
                                        .from = (uint16_t)i,
                                        .to = (uint16_t)j,
                                        .probability = law->arc[(size_t)i * law->states + j],
                                        .expected = expected};
            enum cor_status status = cor__missed_chance(law, site->length, i, j, &missed.chance, error);
            if (status != COR_OK)
                return status;
            cor__missed_put(&ep->shown, &missed);
        }
    return COR_OK;
}

static void count_suite(struct cor__ep *ep, uint64_t number) {
    if (ep->last_suite == (uint32_t)number)
        return;
    ep->last_suite = (uint32_t)number;
    ep->suites++;
}

void cor__note_suites(struct cor__ep *ep, uint64_t suites) {
    struct cor_coverage_curve *curve = &ep->shown.suites;
    if (curve->count > 0 && curve->point[curve->count - 1].at == suites)
        return;
    if (curve->count == COR_COVERAGE_POINTS_MAX)
        return;
    struct cor_coverage_point *point = &curve->point[curve->count];
    *point = (struct cor_coverage_point){.at = suites, .n = 1};
    point->states = point->arcs = point->arc_mass = point->distinct = NAN;
    ep->drawn[curve->count++] = ep->distinct_drawn;
    if (!ep->law.arc)
        return;
    const struct cor__law *law = &ep->law;
    size_t n = law->states;
    double states = 0, arcs = 0, mass = 0;
    for (size_t i = 0; i < n; i++)
        states += ep->shown.visits[i] > 0;
    for (size_t c = 0; c < n * n; c++)
        if (ep->shown.taken[c] > 0 && law->arc[c] > 0) {
            arcs++;
            mass += law->share[c / n] * law->arc[c];
        }
    point->states = 100 * states / (double)n;
    point->arcs = law->arcs > 0 ? 100 * arcs / law->arcs : NAN;
    point->arc_mass = law->sound ? 100 * mass : NAN;
    point->distinct = arcs;
}

static bool is_point(uint64_t number) {
    for (size_t k = 0; k < COR__POINTS; k++)
        if (cor__points[k] == number)
            return true;
    return false;
}

enum cor_status cor__gather_suite(struct cor_arm_coverage *arm, const struct cor__ground *ground,
                                  const struct cor_suite_row *suite,
                                  const struct cor__expectation *expectation,
                                  const struct cor_result_header *head, struct cor_error *error) {
    struct cor__ep *all = NULL;
    enum cor_status status = arm->ep_count == 0 ? add_ep(arm, "all", 0, &all, error) : COR_OK;
    arm->suites++;
    arm->chains += ground->environment.chain_count;
    arm->sequences += ground->sequences;
    cor__pairs_merge(&arm->pairs, &ground->pairs.found);
    for (size_t p = 0; p < ground->site_count && status == COR_OK; p++) {
        const struct cor__site *site = &ground->site[p];
        struct cor__ep *ep = cor__find_ep(arm, site->environment);
        struct cor__open open;
        if (site->walks == 0)
            continue;
        if (!ep)
            status = add_ep(arm, name_of(head, site->environment), site->environment, &ep, error);
        if (status == COR_OK)
            status = compare_law(ep, site, error);
        if (status == COR_OK)
            status = cor__find_open(&site->law, site->visits, site->taken, &open, error);
        if (status == COR_OK)
            status = add_counts(&ep->shown, site, error);
        if (status == COR_OK && arm->by_profile)
            status = miss_in_suite(ep, site, suite, (uint16_t)p, error);
        if (status != COR_OK)
            break;
        all = cor__behind(arm->ep[0]);
        add_site(ep, ground, site, &open, &expectation[p]);
        add_site(all, ground, site, &open, &expectation[p]);
        count_suite(ep, arm->suites);
        count_suite(all, arm->suites);
    }
    for (size_t i = 1; i < arm->ep_count && status == COR_OK && is_point(arm->suites); i++)
        cor__note_suites(cor__behind(arm->ep[i]), arm->suites);
    return status;
}

void cor__gather_fini(struct cor_arm_coverage *arm) {
    for (size_t i = 0; i < arm->ep_count; i++)
        ep_destroy(cor__behind(arm->ep[i]));
    free(arm->ep);
    arm->ep = NULL;
    arm->ep_count = 0;
}
