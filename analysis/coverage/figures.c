/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures of the sums over suites. */
#include "sums.h"

#include <math.h>
#include <string.h>

struct named {
    const char *id, *meaning;
};

#define NAMED(NAME, id, meaning) {id, meaning},
static const struct named measures[] = {COR_COVERED(NAMED)};
static const struct named levels[] = {COR_COVERAGE_LEVELS(NAMED)};
#undef NAMED

const char *cor_covered_id(enum cor_covered_measure measure) {
    COR_ASSERT(measure < COR_COVERED_COUNT);
    return measures[measure].id;
}

const char *cor_covered_meaning(enum cor_covered_measure measure) {
    COR_ASSERT(measure < COR_COVERED_COUNT);
    return measures[measure].meaning;
}

const char *cor_coverage_level_id(enum cor_coverage_level level) {
    COR_ASSERT(level < COR_COVERAGE_LEVEL_COUNT);
    return levels[level].id;
}

double cor_covered_percent(const struct cor_covered *covered) {
    return covered->n > 0 ? 100 * covered->share_sum / (double)covered->n : NAN;
}

static double mean(double sum, uint64_t n) {
    return n > 0 ? sum / (double)n : NAN;
}

static double wait(double rate) {
    return rate > 0 ? 1 / rate : NAN;
}

static void make_curve(struct cor_coverage_curve *curve, const struct coverage__point_sum *sums) {
    for (size_t k = 0; k < COVERAGE__POINTS && sums[k].n > 0; k++) {
        const struct coverage__point_sum *sum = &sums[k];
        curve->point[curve->count++] = (struct cor_coverage_point){
            .at = coverage__points[k],
            .n = sum->n,
            .states = 100 * mean(sum->states, sum->n),
            .arcs = 100 * mean(sum->arcs, sum->n_arcs),
            .arc_mass = 100 * mean(sum->mass, sum->n_mass),
            .distinct = NAN,
            .expected_n = sum->n_expected,
            .expected_states = 100 * mean(sum->expected_states, sum->n_expected),
            .expected_arcs = 100 * mean(sum->expected_arcs, sum->n_expected),
            .observed_states = 100 * mean(sum->observed_states, sum->n_expected),
            .observed_arcs = 100 * mean(sum->observed_arcs, sum->n_expected),
        };
    }
}

/* A profile that was the same in all suites, and its walks as one. */
static enum cor_status end_fixed(struct coverage__sums *sums, const struct cor_arm_coverage *arm,
                                 struct cor_error *error) {
    const struct coverage__law *law = &sums->law;
    struct cor_environment_coverage *shown = &sums->shown;
    struct cor_unseen *unseen = &shown->campaign;
    struct coverage__open open;
    COR_TRY(coverage__find_open(law, shown->visits, shown->taken, &open, error));
    coverage__add_level(shown->covered[COR_COVERAGE_CAMPAIGN], law, &open.seen, 1, open.states, open.arcs);
    double chains = mean(sums->chains, sums->suites);
    unseen->n = 1;
    unseen->law = law->sound ? open.mass : NAN;
    unseen->good_turing = open.good_turing;
    unseen->chao = open.chao;
    unseen->rate_law = arm->by_profile ? chains * unseen->law : NAN;
    unseen->rate_good_turing = chains * unseen->good_turing;
    unseen->cases_law = wait(unseen->rate_law);
    unseen->cases_good_turing = wait(unseen->rate_good_turing);
    unseen->unseen = open.unseen;
    unseen->unseen_likely = open.unseen_likely;
    unseen->once = open.once;
    shown->missed_count = 0; /* those of single suites */
    for (uint32_t i = 0; i < law->states && arm->by_profile; i++)
        for (uint32_t j = 0; j < law->states; j++) {
            struct cor_missed missed = {.arm = arm->code,
                                        .environment = shown->code,
                                        .suite = -1,
                                        .from = (uint16_t)i,
                                        .to = (uint16_t)j,
                                        .probability = law->arc[(size_t)i * law->states + j],
                                        .expected = (double)shown->steps * coverage__law_mass(law, i, j),
                                        .chance = NAN};
            if (shown->taken[(size_t)i * law->states + j] == 0)
                coverage__missed_put(shown, &missed);
        }
    for (size_t m = 0; m < shown->missed_count; m++)
        COR_TRY(coverage__missed_chance(law, sums->length, shown->missed[m].from, shown->missed[m].to,
                                        &shown->missed[m].chance, error));
    shown->probability = law->arc; /* given away */
    shown->share = law->share;
    sums->law.arc = sums->law.share = NULL;
    return COR_OK;
}

static void no_campaign(struct cor_unseen *unseen) {
    *unseen = (struct cor_unseen){0};
    unseen->law = unseen->good_turing = unseen->chao = NAN;
    unseen->rate_law = unseen->rate_good_turing = NAN;
    unseen->cases_law = unseen->cases_good_turing = NAN;
}

static void forget_expected(struct cor_coverage_curve *curve) {
    for (size_t k = 0; k < curve->count; k++) {
        struct cor_coverage_point *point = &curve->point[k];
        point->expected_n = 0;
        point->expected_states = point->expected_arcs = NAN;
        point->observed_states = point->observed_arcs = NAN;
    }
}

/* Environments that are the same in all suites as one: means over them. */
static void end_all_campaign(struct cor_arm_coverage *arm, struct cor_environment_coverage *all) {
    struct cor_unseen *sum = &all->campaign;
    sum->rate_law = sum->rate_good_turing = sum->law = sum->good_turing = sum->chao = 0;
    for (size_t i = 1; i < arm->environment_count; i++) {
        const struct cor_environment_coverage *environment = arm->environment[i];
        double of_suites =
            (double)coverage__behind(arm->environment[i])->suites / (double)coverage__behind(all)->suites;
        for (int m = 0; m < COR_COVERED_COUNT; m++)
            coverage__covered_merge(&all->covered[COR_COVERAGE_CAMPAIGN][m],
                                    &environment->covered[COR_COVERAGE_CAMPAIGN][m]);
        sum->n++;
        sum->law += environment->campaign.law;
        sum->good_turing += environment->campaign.good_turing;
        sum->rate_law += of_suites * environment->campaign.rate_law;
        sum->rate_good_turing += of_suites * environment->campaign.rate_good_turing;
        sum->chao += environment->campaign.chao;
        sum->unseen += environment->campaign.unseen;
        sum->unseen_likely += environment->campaign.unseen_likely;
        sum->once += environment->campaign.once;
    }
    sum->law = mean(sum->law, sum->n);
    sum->good_turing = mean(sum->good_turing, sum->n);
    sum->cases_law = wait(sum->rate_law);
    sum->cases_good_turing = wait(sum->rate_good_turing);
}

/* The curve over the campaign of all environments: sums of what is different, means of shares. An environment
 * that came later counts from then on. */
static void end_all_suites(const struct cor_arm_coverage *arm, struct cor_environment_coverage *all) {
    struct cor_coverage_curve *curve = &all->suites;
    for (size_t i = 1; i < arm->environment_count; i++)
        for (size_t k = 0; k < arm->environment[i]->suites.count; k++) {
            const struct cor_coverage_point *point = &arm->environment[i]->suites.point[k];
            size_t place = 0;
            while (place < curve->count && curve->point[place].at < point->at)
                place++;
            if (place == curve->count || curve->point[place].at != point->at) {
                memmove(&curve->point[place + 1], &curve->point[place],
                        (curve->count - place) * sizeof *curve->point);
                curve->point[place] = (struct cor_coverage_point){.at = point->at};
                curve->count++;
            }
            struct cor_coverage_point *sum = &curve->point[place];
            sum->n++;
            sum->states += point->states;
            sum->arcs += point->arcs;
            sum->arc_mass += point->arc_mass;
            sum->distinct += point->distinct;
        }
    for (size_t k = 0; k < curve->count; k++) {
        struct cor_coverage_point *point = &curve->point[k];
        point->states = mean(point->states, point->n);
        point->arcs = mean(point->arcs, point->n);
        point->arc_mass = mean(point->arc_mass, point->n);
    }
}

enum cor_status coverage__make_figures(struct cor_arm_coverage *arm, struct cor_error *error) {
    if (arm->environment_count == 0)
        return COR_OK;
    struct cor_environment_coverage *all = arm->environment[0];
    for (size_t i = 0; i < arm->environment_count; i++) {
        struct coverage__sums *sums = coverage__behind(arm->environment[i]);
        make_curve(&sums->shown.cases, sums->cases);
        make_curve(&sums->shown.sequences, sums->sequences);
        forget_expected(&sums->shown.sequences);
        struct cor_unseen *unseen = &sums->shown.suite;
        unseen->law = mean(sums->law_sum, sums->law_n);
        unseen->good_turing = mean(sums->good_turing_sum, sums->good_turing_n);
        unseen->rate_law = sums->law_n > 0 && sums->shown.lawful && arm->by_profile
                               ? mean(sums->rate_law, sums->suites)
                               : NAN;
        unseen->chao = sums->good_turing_n > 0 ? unseen->chao : NAN;
        unseen->rate_good_turing = sums->good_turing_n > 0 ? mean(sums->rate_good_turing, sums->suites) : NAN;
        unseen->cases_law = wait(unseen->rate_law);
        unseen->cases_good_turing = wait(unseen->rate_good_turing);
        if (i == 0)
            continue;
        coverage__note_suites(sums, arm->suites);
        forget_expected(&sums->shown.suites);
        if (sums->shown.fixed) {
            COR_TRY(end_fixed(sums, arm, error));
        } else {
            /* Profiles drawn for each suite have nothing in common but their environment. */
            no_campaign(&sums->shown.campaign);
            for (size_t k = 0; k < sums->shown.suites.count; k++) {
                struct cor_coverage_point *point = &sums->shown.suites.point[k];
                point->states = point->arcs = point->arc_mass = NAN;
                point->distinct = sums->drawn[k];
            }
        }
        all->fixed = all->fixed && sums->shown.fixed;
        for (size_t m = 0; m < sums->shown.missed_count; m++)
            coverage__missed_put(all, &sums->shown.missed[m]);
    }
    end_all_suites(arm, all);
    forget_expected(&all->suites);
    if (all->fixed && arm->environment_count > 1)
        end_all_campaign(arm, all);
    else
        no_campaign(&all->campaign);
    return COR_OK;
}
