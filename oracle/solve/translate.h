/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Expressions in the language of z3. */
#ifndef CORRIDOR_SOLVE_TRANSLATE_H
#define CORRIDOR_SOLVE_TRANSLATE_H

#include <corridor/expression.h>

#include <z3.h>

/* `constraint` over z3's unbounded integers: true where cor_expression_holds says so, 64-bit overflow aside.
 * low and high bound the variables; what is known of divisors from there makes the formula simpler. The
 * formula belongs to the context. */
Z3_ast cor__translate(Z3_context context, const Z3_ast *variables, const int64_t *low, const int64_t *high,
                      const struct cor_expression *constraint);

/* value between low and high; INT64_MIN and INT64_MAX stand for no bound. */
Z3_ast cor__translate_range(Z3_context context, Z3_ast value, int64_t low, int64_t high);

#endif
