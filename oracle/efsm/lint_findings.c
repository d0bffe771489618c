/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Findings, while a model is looked at. */
#include "lint.h"

#include <corridor/array.h>

#include <string.h>

struct cor_efsm_finding *efsm__lint_add(struct efsm__linter *l, enum cor_efsm_lint lint) {
    struct cor_efsm_findings *f = l->findings;
    enum cor_status status = COR_RESERVE(&f->findings, &f->capacity, f->count + 1, l->space.error);
    if (status != COR_OK) {
        l->space.status = l->space.status == COR_OK ? status : l->space.status;
        return &l->scrap;
    }
    f->findings[f->count] = (struct cor_efsm_finding){.lint = lint,
                                                      .decided = true,
                                                      .first = COR_NONE,
                                                      .second = COR_NONE,
                                                      .location = COR_NONE,
                                                      .input = COR_NONE,
                                                      .goal = COR_NONE,
                                                      .traps = {COR_NONE, COR_NONE},
                                                      .variable = COR_NONE,
                                                      .reachable = COR_EFSM_UNKNOWN};
    return &f->findings[f->count++];
}

void efsm__lint_witness(struct efsm__linter *l, struct cor_efsm_finding *finding, uint32_t location,
                        const int64_t *values) {
    finding->has_witness = true;
    finding->location = location;
    memcpy(finding->witness, values, l->model->variable_count * sizeof *values);
    finding->reachable = efsm__closure_has(&l->closure, location, values) ? COR_EFSM_YES
                         : l->closure.complete                            ? COR_EFSM_NO
                                                                          : COR_EFSM_UNKNOWN;
}
