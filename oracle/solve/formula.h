/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Constraints as formulas of z3, and back. z3 counts who holds a formula; whatever is made here is held until
 * it is released, the newest first. */
#ifndef CORRIDOR_ORACLE_SOLVE_FORMULA_H
#define CORRIDOR_ORACLE_SOLVE_FORMULA_H

#include <corridor/expression.h>

#include <z3.h>

/* A context, and the formulas of it that are held. */
struct solve__formulas {
    Z3_context context; /* owned, with counted references; NULL: none could be made */
    Z3_ast *held;       /* owned */
    size_t count, capacity;
    bool nonlinear;         /* some formula multiplies or divides by what is no constant */
    enum cor_status status; /* of memory; once it is not COR_OK what is made must not be asked about */
    struct cor_error *error;
};

/* Without a handler of its own z3 would print and end the process. */
enum cor_status solve__formulas_init(struct solve__formulas *formulas, struct cor_error *error) COR_MUST_USE;
/* Idempotent; what else counts references to the context is gone by then. */
void solve__formulas_fini(struct solve__formulas *formulas);

/* Holds the formula, and gives it back. */
Z3_ast solve__hold(struct solve__formulas *formulas, Z3_ast formula);
/* Lets go of all but the first `count` that are held. */
void solve__release(struct solve__formulas *formulas, size_t count);

/* What z3 or memory complained of; COR_OK. */
enum cor_status solve__formulas_status(struct solve__formulas *formulas);

Z3_ast solve__formula_number(struct solve__formulas *formulas, int64_t value);
/* Variable `index`, an integer; by number: two variables are two, whatever they are called. */
Z3_ast solve__formula_variable(struct solve__formulas *formulas, uint32_t index);
/* A new truth value. */
Z3_ast solve__formula_literal(struct solve__formulas *formulas, const char *name);
/* value between low and high; INT64_MIN and INT64_MAX stand for no bound. */
Z3_ast solve__formula_range(struct solve__formulas *formulas, Z3_ast value, int64_t low, int64_t high);

/* The expression over z3's unbounded integers. A constraint is true where cor_expression_holds says so,
 * 64-bit overflow aside; of a number the value, and *defined (not NULL) says where it has one. low and high
 * bound the variables; what is known of divisors from there makes the formula simpler. */
Z3_ast solve__formula_of(struct solve__formulas *formulas, const Z3_ast *variables, const int64_t *low,
                         const int64_t *high, const struct cor_expression *expression, Z3_ast *defined);

/* A quantifier-free formula over variables 0 .. count - 1 as a constraint without text; false: it is more
 * than our language says, or longer than COR_EXPRESSION_NODES_MAX. */
bool solve__formula_read(struct solve__formulas *formulas, Z3_ast formula, uint32_t count,
                         struct cor_expression *expression);

#endif
