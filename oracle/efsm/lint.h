/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files that look for findings share. */
#ifndef CORRIDOR_ORACLE_EFSM_LINT_H
#define CORRIDOR_ORACLE_EFSM_LINT_H

#include "closure.h"
#include "moves.h"

#include <corridor/efsm_lint.h>

struct efsm__linter {
    const struct cor_efsm *model;
    struct efsm__space space;
    struct efsm__moves *moves; /* owned; [transition] */
    struct efsm__closure closure;
    struct cor_efsm_findings *findings;
    struct cor_efsm_lint_limits limits;
    bool *taken;                   /* owned; [transition] some visited state and input enable it */
    struct cor_efsm_finding scrap; /* where memory is out */
};

/* A new finding, decided, without witness. Never NULL. */
struct cor_efsm_finding *efsm__lint_add(struct efsm__linter *linter, enum cor_efsm_lint lint);

/* Gives it a witness: its location too. */
void efsm__lint_witness(struct efsm__linter *linter, struct cor_efsm_finding *finding, uint32_t location,
                        const int64_t *values);

/* What reachable states say: transitions, dead ends, inputs without reaction. */
enum cor_status efsm__lint_states(struct efsm__linter *linter) COR_MUST_USE;

/* Traps that are never hit, and traps in conflict. */
enum cor_status efsm__lint_traps(struct efsm__linter *linter) COR_MUST_USE;

#endif
