/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A corridor's text over structures of bounded size, as formulas of z3: memberships are truth values, one for
 * each agent and organization; a query becomes what it says of each element. What has no value is followed
 * along, so that a constraint is true, false, or neither. Numbers are exact. */
#ifndef CORRIDOR_ORACLE_SOLVE_EXPAND_H
#define CORRIDOR_ORACLE_SOLVE_EXPAND_H

#include "formula.h"
#include "prover.h"

/* Where something "implies" something else: what is left of it holds somewhere. */
struct solve__premise {
    uint32_t constraint, node;
    Z3_ast ever;
};

struct solve__expansion {
    struct solve__formulas *formulas;
    const struct cor_corridor *corridor;
    const struct cor_snapshot *state; /* NULL: none is given */
    uint32_t agents, organizations;   /* that there is room for */
    Z3_ast yes, no;                   /* true, false */

    /* Owned arrays. An element is there from the first on: there[e] implies there[e - 1]. */
    Z3_ast *agent_there, *organization_there;
    Z3_ast *members;                 /* [agent * organizations + organization] */
    Z3_ast *parents;                 /* [organization * organizations + parent], NULL where there are none */
    Z3_ast *levels;                  /* [organization], NULL where there are none */
    Z3_ast *attributes;              /* [attribute * agents + agent] */
    Z3_ast *organization_attributes; /* [declared attribute * organizations + organization] */
    Z3_ast *parameters;              /* [parameter] */
    Z3_ast *holds, *is_violated;     /* [constraint]; NULL of those about time */
    struct solve__premise *premises; /* owned */
    size_t premise_count, premise_capacity;
    Z3_ast *axioms; /* owned; what must hold in any case */
    size_t axiom_count, axiom_capacity;
    uint64_t steps;  /* that are left */
    bool is_too_big; /* nothing may be asked */
    enum cor_status status;
};

/* Expands the constraints of the task; fini frees in any case. */
enum cor_status solve__expand(struct solve__expansion *expansion, struct solve__formulas *formulas,
                              const struct solve__proof_task *task) COR_MUST_USE;

/* That what is assumed of an attribute or a parent (prover.h) is what it is in the task's state. */
Z3_ast solve__as_in_state(struct solve__expansion *expansion, uint32_t what, uint32_t index);
void solve__expansion_fini(struct solve__expansion *expansion);

#endif
