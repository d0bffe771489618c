/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which parts of the space of configurations were drawn. */
#ifndef CORRIDOR_COVERAGE_PARAMETERS_H
#define CORRIDOR_COVERAGE_PARAMETERS_H

#include <corridor/coverage.h>

/* Fills the parameters of all arms of `coverage`: reads tables suites and parameters twice, for ranges and
 * then for what lies where in them. */
enum cor_status cor__find_parameters(struct cor_result *result, struct cor_coverage *coverage,
                                     struct cor_error *error) COR_MUST_USE;

/* Fills the probes of all arms of `coverage` from table counters. */
enum cor_status cor__find_probes(struct cor_result *result, struct cor_coverage *coverage,
                                 struct cor_error *error) COR_MUST_USE;

/* The arm with that code, NULL if it is not looked at. arm[0] is all of them. */
struct cor_arm_coverage *cor__find_arm(const struct cor_coverage *coverage, uint16_t code);

/* Whether a suite is looked at. */
bool cor__wanted(const struct cor_coverage *coverage, uint16_t arm, uint32_t suite);

#endif
