/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The reachable states, visited forwards, breadth first. */
#ifndef CORRIDOR_ORACLE_EFSM_CLOSURE_H
#define CORRIDOR_ORACLE_EFSM_CLOSURE_H

#include <corridor/efsm.h>
#include <corridor/pool.h>

struct efsm__closure {
    const struct cor_efsm *model;
    struct cor_pool states; /* rows of 1 + variable_count: location, values; the initial state first */
    uint64_t moves;         /* tried */
    bool complete;
};

/* Visits states until there are no more, or a limit is reached. */
enum cor_status efsm__closure_make(struct efsm__closure *closure, const struct cor_efsm *model,
                                   uint64_t states_max, uint64_t moves_max,
                                   struct cor_error *error) COR_MUST_USE;
void efsm__closure_fini(struct efsm__closure *closure);

uint32_t efsm__closure_location(const struct efsm__closure *closure, uint32_t state);
const int64_t *efsm__closure_values(const struct efsm__closure *closure, uint32_t state);
bool efsm__closure_has(const struct efsm__closure *closure, uint32_t location, const int64_t *values);

#endif
