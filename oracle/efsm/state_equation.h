/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The state equation of a model and a goal as a problem for z3. What changes from state to state - location,
 * values, traps that are open - are variables of it, fixed by the ranges of a question. */
#ifndef CORRIDOR_ORACLE_EFSM_STATE_EQUATION_H
#define CORRIDOR_ORACLE_EFSM_STATE_EQUATION_H

#include "moves.h"
#include "statement.h"

/* How an operation changes a variable of the state. */
enum efsm__change {
    EFSM__KEEPS,
    EFSM__ADDS,   /* a constant and multiples of parameters, each known by its sum over all uses */
    EFSM__DRIFTS, /* by something in a range */
    EFSM__ASSIGNS /* something in a range, whatever was before */
};

/* A transition, or those cases of it that assign the same linear forms. */
struct efsm__operation {
    uint32_t transition;
    const struct efsm__linear *next;        /* borrowed; [update] */
    struct efsm__cube where;                /* owned; ranges around all its cases */
    uint32_t count;                         /* variable: how often it is used */
    uint32_t sums[COR_EFSM_VARIABLES_MAX];  /* [variable of the model] parameter: variable for the sum of its
                                               values over all uses; COR_NONE: it changes nothing */
    uint32_t drift[COR_EFSM_VARIABLES_MAX]; /* [variable of the model] DRIFTS: variable for the sum of it */
    uint8_t change[COR_EFSM_VARIABLES_MAX]; /* [variable of the model] enum efsm__change */
    struct cor_value_range range[COR_EFSM_VARIABLES_MAX]; /* DRIFTS, ASSIGNS */
};

/* Of a variable that is assigned somewhere: uses of an operation behind the last assignment. */
struct efsm__tail {
    uint32_t variable, operation;
    uint32_t count, drift; /* variables; drift COR_NONE unless it DRIFTS */
    uint32_t sums[COR_EFSM_VARIABLES_MAX];
};

/* A last move: of a trap, by a transition, in a case of guard and constraint. */
struct efsm__last {
    uint32_t trap, transition;
    struct efsm__cube where; /* owned */
    uint32_t chosen;         /* variable, 0 or 1 */
};

struct efsm__state_equation {
    const struct cor_efsm *model;
    const struct cor_efsm_goal *goal;
    struct efsm__space space;
    struct efsm__moves *moves;          /* owned; [transition] */
    struct efsm__operation *operations; /* owned */
    uint32_t operation_count;
    size_t operation_capacity;
    struct efsm__tail *tails; /* owned */
    uint32_t tail_count;
    size_t tail_capacity;
    struct efsm__last *lasts; /* owned */
    uint32_t last_count;
    size_t last_capacity;
    bool is_touched[COR_EFSM_VARIABLES_MAX]; /* some operation changes it */
    bool is_assigned[COR_EFSM_VARIABLES_MAX];
    uint32_t here;                          /* variables [location]: 1 for the present one */
    uint32_t level;                         /* variables [location]: moves from it, along what is used */
    uint32_t open;                          /* variables [trap] */
    uint32_t now[COR_EFSM_VARIABLES_MAX];   /* variables: present values of touched ones */
    uint32_t base[COR_EFSM_VARIABLES_MAX];  /* what the last assignment gave, or the present value */
    uint32_t final[COR_EFSM_VARIABLES_MAX]; /* before the last move; of parameters: in it */
    struct efsm__statement statement;
    struct cor_expression length; /* all moves but the last */
    struct cor_problem problem;   /* the statement's */
    bool usable;
};

/* Not usable: too large for expressions. */
enum cor_status efsm__state_equation_make(struct efsm__state_equation *equation, const struct cor_efsm *model,
                                          const struct cor_efsm_goal *goal,
                                          struct cor_error *error) COR_MUST_USE;
void efsm__state_equation_fini(struct efsm__state_equation *equation);

/* The operation that the transition is with these values; COR_NONE: none, it is not enabled. */
uint32_t efsm__operation_of(const struct efsm__state_equation *equation, uint32_t transition,
                            const int64_t *values);

/* Whether two cases of a transition assign alike. */
bool efsm__same_forms(const struct cor_efsm_transition *t, const struct efsm__linear *a,
                      const struct efsm__linear *b);

static inline const struct cor_efsm_transition *
efsm__transition_of(const struct efsm__state_equation *equation, const struct efsm__operation *operation) {
    return &equation->model->transitions[operation->transition];
}

#define EFSM__FOR_STATE_VARIABLES(eq, v)                       \
    for (uint32_t v = 0; v < (eq)->model->variable_count; v++) \
        if ((eq)->model->variables[v].kind == COR_EFSM_STATE)

/* What `needs` these ranges (a count, or the choice of a last move) is not used, or the values are there, or
 * something is used that takes them there. */
void efsm__state_thresholds(struct efsm__state_equation *equation, uint32_t needs,
                            const struct efsm__cube *where);

/* Where guards cut the values of v in two, whoever ends beyond has used something that crosses. */
void efsm__state_cuts(struct efsm__state_equation *equation, uint32_t v);

#endif
