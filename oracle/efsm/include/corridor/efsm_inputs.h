/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which values of an input's parameters can differ in effect, in some state of a location. */
#ifndef CORRIDOR_EFSM_INPUTS_H
#define CORRIDOR_EFSM_INPUTS_H

#include <corridor/efsm.h>

/* A location and an input label that some transition there has. */
struct cor_efsm_site {
    const struct cor_efsm_label *input;
    uint32_t label;
    uint32_t *transitions; /* owned; in the model's order */
    uint32_t transition_count;
    int64_t *vectors; /* owned; [vector][parameter]: one of each kind, the least, in order */
    uint32_t vector_count;
    uint32_t most; /* vectors to look for; 0: COR_EFSM_VECTORS_MAX */
    bool partial;  /* there are more kinds than were looked for */
};

/* Values are looked at one by one, or in boxes where what reads them is settled by bounds; more than so many
 * are left out. */
#define COR_EFSM_VECTORS_MAX 100000

/* Fills `vectors` of a site whose other fields are there. Two vectors are of one kind when each part of the
 * guards, updates and answers of the site's transitions, and of the constraints of the goal's traps on them,
 * that reads parameters alone has the same value. `goal` NULL: there is none. */
enum cor_status cor_efsm_site_fill(const struct cor_efsm *model, const struct cor_efsm_goal *goal,
                                   struct cor_efsm_site *site, struct cor_error *error) COR_MUST_USE;

/* Frees what it holds. Idempotent. */
void cor_efsm_site_fini(struct cor_efsm_site *site);

#endif
