/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Products of many probabilities, which no double holds: a mantissa and a binary exponent. Only products,
 * quotients and comparisons, so the same bits on every machine. */
#ifndef CORRIDOR_WEIGHT_H
#define CORRIDOR_WEIGHT_H

#include <stdbool.h>
#include <stdint.h>

/* mantissa * 2^exponent: mantissa in [0.5, 1), or 0 with exponent 0. */
struct cor_weight {
    double mantissa;
    int64_t exponent;
};

/* A finite value from 0. */
struct cor_weight cor_weight_of(double value);

/* a * b, and a + b. */
struct cor_weight cor_weight_times(struct cor_weight a, struct cor_weight b);
struct cor_weight cor_weight_plus(struct cor_weight a, struct cor_weight b);

/* a / b; b is not 0. */
struct cor_weight cor_weight_over(struct cor_weight a, struct cor_weight b);

/* a < b. */
bool cor_weight_less(struct cor_weight a, struct cor_weight b);

/* As mantissa * 2^-halvings, of a weight of at most 16: the mantissa from 8 to 16; 0 if the exponent does
 * not fit. */
void cor_weight_halved(struct cor_weight weight, double *mantissa, uint32_t *halvings);

/* As a double: 0 where it is too small, infinite where it is too large. */
double cor_weight_value(struct cor_weight weight);

#endif
