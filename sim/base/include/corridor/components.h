/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Strongly connected components of a directed graph that somebody walks: nodes are numbers, where arcs lead
 * is asked for as it is needed. */
#ifndef CORRIDOR_COMPONENTS_H
#define CORRIDOR_COMPONENTS_H

#include <corridor/error.h>

#include <stdint.h>

#define COR_NO_NODE UINT32_MAX

/* Where the arc number *place of a node leads to, and *place moves on; COR_NO_NODE: there is none any more.
 * The same each time; a node that was not asked for meanwhile goes on where it was. */
typedef uint32_t cor_next_node(void *self, uint32_t node, uint64_t *place);

/* Component c has the nodes members[first[c]] .. members[first[c + 1] - 1]. No arc leads from a component to
 * one of a greater number. */
struct cor_components {
    uint32_t *of;              /* owned; [node]; COR_NO_NODE: it was not met */
    uint32_t *members, *first; /* owned */
    uint32_t count;
    /* Of the walk. */
    uint32_t size, met;
    uint32_t *number, *low, *stack; /* owned; number: from 1 */
    struct cor_component_step {
        uint32_t node;
        uint64_t place;
    } * way; /* owned */
    size_t way_capacity;
};

/* Nothing is met yet, of so many nodes. Freed by cor_components_fini, also on failure. */
enum cor_status cor_components_init(struct cor_components *components, uint32_t size,
                                    struct cor_error *error) COR_MUST_USE;
void cor_components_fini(struct cor_components *components); /* idempotent */

/* Adds the components of all that can be met from the node; nothing happens if it was met before. */
enum cor_status cor_components_visit(struct cor_components *components, uint32_t node, cor_next_node *next,
                                     void *self, struct cor_error *error) COR_MUST_USE;

#endif
