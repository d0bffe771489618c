/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a corridor as text looked at in a case, as data for those who show it. */
#ifndef CORRIDOR_CONSTRAINT_GROUND_H
#define CORRIDOR_CONSTRAINT_GROUND_H

#include <corridor/truth.h>

#include <stdbool.h>
#include <stdint.h>

/* What the verdict of a constraint of a corridor as text rests on in a case, as monitor and oracle find it:
 * before a reorganization. A constraint has a ground for each part that "and" joins. */
struct cor_constraint_ground {
    uint32_t constraint; /* number in the catalog */
    bool is_trigger;
    enum cor_truth truth;         /* of the part */
    bool is_edge;                 /* rounding decides it: nobody is accused */
    uint32_t agent, organization; /* for which it decides; COR_NOBODY: none */
    double left, right;           /* both sides of the comparison that decides, as written; NaN: no numbers */
    const char *unit;             /* borrowed from the experiment; NULL: none */
    char part[200];               /* the comparison; what else decides; or, unknown, why */
    char sides[640];              /* "supply 12.4 kW < demand 13 kW"; "": it has none */
};

#endif
