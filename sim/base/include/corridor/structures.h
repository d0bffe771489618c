/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The kinds of system structures (003, 3): how agents are in organizations, and whether these nest. */
#ifndef CORRIDOR_STRUCTURES_H
#define CORRIDOR_STRUCTURES_H

#include <corridor/terms.h>

#include <stdbool.h>

enum cor_structure_kind {
    COR_STRUCTURE_PARTITIONING, /* each agent is in exactly one organization */
    COR_STRUCTURE_COVERING,     /* in at least one */
    COR_STRUCTURE_OVERLAPPING,  /* in any number */
    COR_STRUCTURE_HIERARCHY,    /* in exactly one; organizations have parents */
    COR_STRUCTURE_TREE,         /* the same, with one root */
    COR_STRUCTURE_OBSERVED      /* of no organizations: agents that show what they are, and nobody adopts it */
};
#define COR_STRUCTURE_KINDS 6
#define COR_STRUCTURE_ADOPTED 5 /* of these are adopted: those before OBSERVED */

/* The words of the kinds, ended by NULL; of those that are adopted alone; and whether organizations have
 * parents. */
extern const char *const cor_structure_words[];
extern const char *const cor_structure_adopted_words[];
static inline bool cor_structure_nests(enum cor_structure_kind kind) {
    return kind == COR_STRUCTURE_HIERARCHY || kind == COR_STRUCTURE_TREE;
}

/* A violation of a structure of that kind as a sentence: of a partitioning that of cor_violation_text, of
 * others in the words of organizations. A NOT_ADOPTED of these is about an organization, not about an agent:
 * of the structure, found and expected 0: it is none of the solution; found and expected the organizations
 * above it, COR_NOBODY: none, as numbers of the structure; of none: the solution's organization `expected` is
 * missing. */
void cor_violation_kind_text(enum cor_structure_kind kind, const struct cor_violation *violation, char *text,
                             size_t size);

#endif
