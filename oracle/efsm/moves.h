/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Transitions as cubes: where they are enabled, domains included, and what they assign there. */
#ifndef CORRIDOR_ORACLE_EFSM_MOVES_H
#define CORRIDOR_ORACLE_EFSM_MOVES_H

#include "cube.h"

/* A case of a transition: where it is enabled, and what it assigns there, as linear forms. */
struct efsm__move {
    struct efsm__cube where;
    struct efsm__linear *next; /* owned; [update] */
};

struct efsm__moves {
    struct efsm__move *moves; /* owned */
    uint32_t count;
    size_t capacity;
};

/* The transition, case by case. */
void efsm__moves_make(struct efsm__space *space, const struct cor_efsm_transition *t,
                      struct efsm__moves *moves);
void efsm__moves_fini(struct efsm__moves *moves);

#endif
