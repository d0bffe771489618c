/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is found beside walks: which parts of the space of configurations were drawn, which probes were
 * reached. */
#ifndef CORRIDOR_ANALYSIS_COVERAGE_DRAWN_PARAMETERS_H
#define CORRIDOR_ANALYSIS_COVERAGE_DRAWN_PARAMETERS_H

#include <corridor/coverage.h>
#include <corridor/suite_reader.h>

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
