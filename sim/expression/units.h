/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Units as people write them: "kW h", "kg / s", "m^2", "1 / s". Words are joined by blanks, "*" or a dot;
 * what stands behind "/" is divided by. */
#ifndef CORRIDOR_SIM_EXPRESSION_UNITS_H
#define CORRIDOR_SIM_EXPRESSION_UNITS_H

#include <stdbool.h>
#include <stddef.h>

#define EXPRESSION__UNIT_MAX 256 /* bytes of one */

/* The unit of the product of numbers in these, or of the quotient; "" where it cancels. False: it is too
 * long. */
bool expression__join_units(const char *a, const char *b, bool divides, char text[EXPRESSION__UNIT_MAX]);

#endif
