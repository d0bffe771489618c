/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Suites added up into arms and environments. */
#ifndef CORRIDOR_ANALYSIS_COVERAGE_SUMS_H
#define CORRIDOR_ANALYSIS_COVERAGE_SUMS_H

#include "walks.h"

#include <corridor/coverage.h>
#include <corridor/suite_reader.h>

/* Sums behind a point of a curve; shares are 0 .. 1. */
struct coverage__point_sum {
    uint64_t n, n_arcs, n_mass, n_expected;
    double states, arcs, mass;
    double expected_states, expected_arcs, observed_states, observed_arcs;
};

/* An environment of an arm while suites are added. */
struct coverage__sums {
    struct cor_environment_coverage shown; /* first, so that a pointer to it is one to this */
    struct coverage__law law;              /* the one profile, as long as shown.fixed */
    uint32_t *length;    /* owned, as in struct coverage__walked, while fixed; NULL = not available */
    uint64_t suites;     /* that have it */
    uint32_t last_suite; /* number of the last suite that had it, from 1 */
    double law_sum, good_turing_sum; /* of sites */
    uint64_t law_n, good_turing_n;
    double rate_law, rate_good_turing, chains; /* sums over suites */
    double distinct_drawn;                     /* different transitions, summed over suites */
    struct coverage__point_sum cases[COVERAGE__POINTS], sequences[COVERAGE__POINTS];
    double drawn[COR_COVERAGE_POINTS_MAX]; /* distinct_drawn at each point of shown.suites */
};

/* Adds the suite that was walked to an arm. `expectation` has one for each profile. */
enum cor_status coverage__add_suite(struct cor_arm_coverage *arm, const struct coverage__walks *walks,
                                    const struct cor_suite_row *suite,
                                    const struct coverage__expectation *expectation,
                                    const struct cor_result_header *head,
                                    struct cor_error *error) COR_MUST_USE;

/* Makes figures of sums, once all suites are in. */
enum cor_status coverage__make_figures(struct cor_arm_coverage *arm, struct cor_error *error) COR_MUST_USE;

void coverage__sums_fini(struct cor_arm_coverage *arm);

/* What is behind an environment of an arm. */
static inline struct coverage__sums *coverage__behind(struct cor_environment_coverage *shown) {
    return (struct coverage__sums *)shown;
}

/* Chance that none of the walks took the transition; `length` as in struct coverage__walked. An upper bound,
 * as lengths are rounded down by up to 3 %. */
enum cor_status coverage__missed_chance(const struct coverage__law *law, const uint32_t *length,
                                        uint32_t from, uint32_t to, double *chance,
                                        struct cor_error *error) COR_MUST_USE;

/* ---- what is found beside walks: which parts of the space of configurations were drawn, which probes were
 * reached */

/* Fills the parameters of all arms of `coverage`: goes through the suites twice, for ranges and then for what
 * lies where in them. */
enum cor_status coverage__find_parameters(struct cor_result *result, struct cor_coverage *coverage,
                                          struct cor_error *error) COR_MUST_USE;

/* Adds the probes of a suite to its arm and to all; what is read for it. */
extern const struct cor_reading coverage__probes_reading;
enum cor_status coverage__add_probes(struct cor_coverage *coverage, const struct cor_suite_rows *suite,
                                     struct cor_error *error) COR_MUST_USE;

/* The arm with that code, NULL if it is not looked at. arm[0] is all of them. */
struct cor_arm_coverage *coverage__find_arm(const struct cor_coverage *coverage, uint16_t code);

/* Whether a suite is looked at. */
bool coverage__wanted(const struct cor_coverage *coverage, const struct cor_suite_row *suite);

#endif
