/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Transitions as cubes: where they are enabled, domains included, and what they assign there. */
#ifndef COR_EFSM_MOVES_H
#define COR_EFSM_MOVES_H

#include "cube.h"

/* A case of a transition: where it is enabled, and what it assigns there, as linear forms. */
struct cor__move {
    struct cor__cube where;
    struct cor__linear *next; /* owned; [update] */
};

struct cor__moves {
    struct cor__move *moves; /* owned */ /* owned */
    uint32_t count;
    size_t capacity;
};

/* The transition, case by case. */
void cor__moves_make(struct cor__space *space, const struct cor_efsm_transition *t, struct cor__moves *moves);
void cor__moves_fini(struct cor__moves *moves);

#endif
