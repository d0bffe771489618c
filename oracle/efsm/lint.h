/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files that look for findings share. */
#ifndef COR_EFSM_LINT_INTERNAL_H
#define COR_EFSM_LINT_INTERNAL_H

#include "closure.h"
#include "moves.h"

#include <corridor/efsm_lint.h>

struct cor__linter {
    const struct cor_efsm *model;
    struct cor__space space;
    struct cor__moves *moves; /* owned; [transition] */
    struct cor__closure closure;
    struct cor_efsm_findings *findings;
    struct cor_efsm_lint_limits limits;
    bool *taken;                   /* owned; [transition] some visited state and input enable it */
    struct cor_efsm_finding scrap; /* where memory is out */
};

/* A new finding, decided, without witness. Never NULL. */
struct cor_efsm_finding *cor__lint_add(struct cor__linter *linter, enum cor_efsm_lint lint);

/* Gives it a witness: its location too. */
void cor__lint_witness(struct cor__linter *linter, struct cor_efsm_finding *finding, uint32_t location,
                       const int64_t *values);

/* What reachable states say: transitions, dead ends, inputs without reaction. */
enum cor_status cor__lint_states(struct cor__linter *linter) COR_MUST_USE;

/* Traps that are never hit, and traps in conflict. */
enum cor_status cor__lint_traps(struct cor__linter *linter) COR_MUST_USE;

#endif
