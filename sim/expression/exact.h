/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers that are reckoned from integers alone, as fractions: a mean of integers is one, and what is added
 * up, taken from each other, multiplied and divided of such. Where a fraction would take more than 128 bits
 * it is known to lie between two reals from then on. */
#ifndef CORRIDOR_SIM_EXPRESSION_EXACT_H
#define CORRIDOR_SIM_EXPRESSION_EXACT_H

#include <corridor/expression.h>

__extension__ typedef __int128 expression__wide;

struct expression__exact {
    expression__wide numerator, denominator; /* without a common divisor; denominator > 0, or 0: too large */
    double low, high;                        /* where it is too large: it lies between */
};

/* An integer, and a fraction of integers whose denominator is not 0. */
struct expression__exact expression__exact_integer(int64_t integer);
struct expression__exact expression__exact_fraction(int64_t numerator, int64_t denominator);

/* A real that was read, as the decimal number with the fewest digits that give it back: 0.1 is 1 / 10. */
struct expression__exact expression__exact_decimal(double real);

/* ADD, SUBTRACT, MULTIPLY, DIVIDE, MIN, MAX of both, NEGATE, ABS of `a`; false: it is divided by 0. */
bool expression__exact_apply(enum cor_operator kind, const struct expression__exact *a,
                             const struct expression__exact *b, struct expression__exact *made);

/* Below 0: a < b; 0: they are equal; above 0: a > b. False: that cannot be told. */
bool expression__exact_compare(const struct expression__exact *a, const struct expression__exact *b,
                               int *order);

/* The real next to it, `otherwise` where it is too large. */
double expression__exact_real(const struct expression__exact *exact, double otherwise);

#endif
