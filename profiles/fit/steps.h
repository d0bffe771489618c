/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The steps of a fit, in the order in which cor_fit_create takes them; private to this room. */
#ifndef CORRIDOR_PROFILES_FIT_STEPS_H
#define CORRIDOR_PROFILES_FIT_STEPS_H

#include <corridor/fit.h>

/* discretize.c: checks the definition, sets cuts, blocks and the states that occur, and gives the state of
 * each value of the series. */
enum cor_status cor__fit_discretize(struct cor_fit *fit, const struct cor_series *series,
                                    const struct cor_fit_def *def, uint8_t *sequence,
                                    struct cor_error *error) COR_MUST_USE;

/* The names of all states; the texts have room for COR_PROFILE_NAME_MAX bytes. */
void cor__fit_state_names(const struct cor_fit *fit, char names[][COR_PROFILE_NAME_MAX + 1]);

/* goodness.c: all figures but the counts; `sequence` holds the state of each value. */
enum cor_status cor__fit_goodness(struct cor_fit *fit, const struct cor_series *series,
                                  const uint8_t *sequence, struct cor_error *error) COR_MUST_USE;

/* The natural logarithm of a positive number from + - * / alone, so that stored figures have the same bits on
 * every machine; within 4 units in the last place. */
double cor__fit_log(double x);

/* report.c: the sentences. */
enum cor_status cor__fit_remarks(struct cor_fit *fit, bool has_hours, struct cor_error *error) COR_MUST_USE;

#endif
