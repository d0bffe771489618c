/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Schedules of an arm by its own law, step by step, which can branch: for estimating how probable they are. A
 * branch is executed again from its beginning, with the same forks at the same steps. */
#ifndef CORRIDOR_PROCESS_LAW_H
#define CORRIDOR_PROCESS_LAW_H

#include <corridor/process_experiment.h>

struct cor_process_law;

/* Why schedules of the arm have no law, in a sentence about its generator *name; NULL: they have one. */
const char *cor_process_no_law(const struct cor_process_arm *arm, const char **name);

/* For an arm whose schedules have a law. The experiment is borrowed, and so are the traps that are looked for
 * (NULL: those of the arm). */
enum cor_status cor_process_law_create(const struct cor_process_experiment *experiment, uint32_t arm,
                                       const struct cor_process_traps *traps, struct cor_process_law **law,
                                       struct cor_error *error) COR_MUST_USE;
void cor_process_law_destroy(struct cor_process_law *law); /* NULL is allowed */

/* A schedule begins by the generator of `sequence`, and what is random is drawn from the streams of `number`:
 * of the same number it is that of the campaign. */
enum cor_status cor_process_law_begin(struct cor_process_law *law, uint32_t suite, uint32_t sequence,
                                      uint32_t number, struct cor_error *error) COR_MUST_USE;

/* What is random from now on, but for the weather, is drawn from the streams of `number`. */
void cor_process_law_fork(struct cor_process_law *law, uint32_t number);

/* A step; if it says *is_over, verdicts of the end are in the outcome. */
enum cor_status cor_process_law_step(struct cor_process_law *law, bool *is_over,
                                     struct cor_error *error) COR_MUST_USE;

/* The schedule so far: how it stands, steps that were made, and cases that were begun. */
const struct cor_process_outcome *cor_process_law_outcome(const struct cor_process_law *law);
uint64_t cor_process_law_steps(const struct cor_process_law *law);
uint32_t cor_process_law_cases(const struct cor_process_law *law);

/* How far trap t is from being met (cor_observed_degree). */
uint64_t cor_process_law_degree(const struct cor_process_law *law, uint32_t trap);

#endif
