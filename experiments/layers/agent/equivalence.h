/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Is an agent that was changed proven to be the one that was designed? z3 is asked, in a child of the
 * planning process, whether any values tell a condition from what became of it. */
#ifndef CORRIDOR_EXPERIMENTS_LAYERS_AGENT_EQUIVALENCE_H
#define CORRIDOR_EXPERIMENTS_LAYERS_AGENT_EQUIVALENCE_H

#include <corridor/design.h>

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
