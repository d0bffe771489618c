/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parts of a fit, in the order in which cor_fit_create does them; private to this room. */
#ifndef CORRIDOR_PROFILES_FIT_PARTS_H
#define CORRIDOR_PROFILES_FIT_PARTS_H

#include <corridor/fit.h>

/* Checks the definition and sets cuts, block_count and by_quantiles. */
enum cor_status cor__fit_levels(struct cor_fit *fit, const struct cor_series *series,
                                const struct cor_fit_def *def, struct cor_error *error) COR_MUST_USE;

/* The level of a value: how many cuts are not above it. */
uint32_t cor__fit_level(const struct cor_fit *fit, double value);

/* The name of a level in a block, within COR_PROFILE_NAME_MAX bytes; `digits` of the cuts are shown. */
void cor__fit_state_name(const struct cor_fit *fit, uint32_t block, uint32_t level, int digits, char *text,
                         size_t size);

/* Digits that tell the cuts apart, at least 4. */
int cor__fit_digits(const struct cor_fit *fit);

/* All figures but the counts; `sequence` holds the state of each value. */
enum cor_status cor__fit_figures(struct cor_fit *fit, const struct cor_series *series,
                                 const uint8_t *sequence, uint32_t season,
                                 struct cor_error *error) COR_MUST_USE;

/* The sentences. */
enum cor_status cor__fit_remarks(struct cor_fit *fit, bool has_hours, struct cor_error *error) COR_MUST_USE;

/* The natural logarithm of a positive number from + - * / alone, so that stored figures have the same bits on
 * every machine; within 4 units in the last place. */
double cor__fit_log(double x);

#endif
