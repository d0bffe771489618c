/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Goals: outcomes of a unit's conditions that a case is looked for, as conditions over its slots. */
#ifndef CORRIDOR_EXPERIMENTS_LAYERS_AGENT_GOAL_H
#define CORRIDOR_EXPERIMENTS_LAYERS_AGENT_GOAL_H

#include "internal.h"

#include <corridor/design.h>
#include <corridor/solve.h>

#define AGENT_LAYER__GOAL_TERMS 64

/* A condition of the design that is to hold, or not to. */
struct agent_layer__term {
    const struct cor_expression *condition; /* borrowed */
    bool denied;
};

/* All terms together, in a valid case or in any. */
struct agent_layer__goal {
    struct agent_layer__term terms[AGENT_LAYER__GOAL_TERMS];
    uint32_t term_count;
    bool valid, too_long;
};

/* z3 over the slots of a design, none of which has a range of its own; started by the first question. */
struct agent_layer__asker {
    struct cor_problem problem;
    struct cor_solver *solver;    /* owned, as all that follows; [slot] */
    uint32_t slots;               /* the most that plans of an event have */
    const char **names;           /* of which nobody hears */
    int64_t *ranges;              /* the problem's: none */
    int64_t *low, *high, *values; /* of a question, and its solution */
};

/* Freed by agent_layer__asker_fini, also on failure. */
enum cor_status agent_layer__asker_init(struct agent_layer__asker *asker, const struct cor_design *design,
                                        struct cor_error *error) COR_MUST_USE;
void agent_layer__asker_fini(struct agent_layer__asker *asker);

/* Is there a case with these constraints, within low and high? Its values are in `values`. */
enum cor_status agent_layer__ask(struct agent_layer__asker *asker, const struct cor_question *question,
                                 enum cor_answer *answer, struct cor_error *error) COR_MUST_USE;

/* The question of so many constraints within low and high. */
struct cor_question agent_layer__question(const struct agent_layer__asker *asker,
                                          const struct cor_expression *constraints, uint32_t count);

/* Expressions under construction: integers alone can be asked of z3, and all can be judged. */
struct agent_layer__builder {
    struct cor_node nodes[COR_EXPRESSION_NODES_MAX];
    uint32_t count;
    bool full, reals;
};

void agent_layer__goal_add(struct agent_layer__goal *goal, const struct cor_expression *condition,
                           bool denied);

/* Does the case with these slots meet the terms? What is undefined does not hold. */
bool agent_layer__goal_met(const struct agent_layer__goal *goal, const struct cor_value *slots);

/* Does the condition reckon, so that a part of it may be undefined? Then it does not hold, and to z3, which
 * knows no limit of 64 bits, it is something else. */
bool agent_layer__reckons(const struct cor_expression *condition);

/* Node by node. Operands of and, or, not are made conditions where they are truth values. */
uint32_t agent_layer__put(struct agent_layer__builder *builder, enum cor_operator operator, uint32_t left,
                          uint32_t right);
uint32_t agent_layer__put_constant(struct agent_layer__builder *builder, int64_t constant);
uint32_t agent_layer__put_variable(struct agent_layer__builder *builder, uint32_t slot);

/* A copy of the expression below its node `root`; the node `pinned` (COR_NONE: none) is `truth` there. */
uint32_t agent_layer__put_copy(struct agent_layer__builder *builder, const struct cor_expression *expression,
                               uint32_t root, uint32_t pinned, bool truth);

/* A copy of the expression with the nodes that stand for its variables, [variable]. COR_NONE: one that it
 * reads has none. */
uint32_t agent_layer__put_over(struct agent_layer__builder *builder, const struct cor_expression *expression,
                               const uint32_t *of_variable);

/* What was built, its last node put being the root: a condition over slots. COR_STATUS_INPUT: it is too
 * long. */
enum cor_status agent_layer__build(const struct agent_layer__builder *builder,
                                   struct cor_expression *expression, struct cor_error *error) COR_MUST_USE;

/* The variable of the entry has a value of one of its classes, of a valid one if `valid`; words are numbers,
 * null is -1, truth values 0 and 1. False: it is a real, of which z3 is not asked. */
bool agent_layer__put_classes(struct agent_layer__builder *builder, const struct cor_unit_cases *cases,
                              const struct cor_unit_variable *variable, bool valid);

/* ---- is an agent that was changed proven to be the one that was designed? z3 is asked, in a child of the
 * planning process, whether any values tell a condition from what became of it */

/* Proves for one design; z3 is started by the first question. NULL when memory is out. */
struct agent_layer__prover;
struct agent_layer__prover *agent_layer__prover_create(const struct cor_design *design);

/* NULL is allowed. */
void agent_layer__prover_destroy(struct agent_layer__prover *prover);

/* Does the code what the design does, whatever the values? Conditions alone may be written otherwise. False
 * where that is not proven. */
enum cor_status agent_layer__prove_equivalent(struct agent_layer__prover *prover,
                                              const struct cor_agent_code *code, bool *proven,
                                              struct cor_error *error) COR_MUST_USE;

#endif
