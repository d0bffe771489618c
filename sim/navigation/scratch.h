/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a navigator keeps between searches. */
#ifndef CORRIDOR_SIM_NAVIGATION_SCRATCH_H
#define CORRIDOR_SIM_NAVIGATION_SCRATCH_H

#include <corridor/navigator.h>

/* How far columns or rows are from each other. */
static inline uint32_t navigation__apart(uint32_t a, uint32_t b) {
    return a < b ? b - a : a - b;
}

/* A cell as a search found it; of another generation than the present one it was not found. */
struct navigation__mark {
    uint32_t generation, distance;
};

/* A cell that waits for its turn, with its place on its floor. */
struct navigation__cell {
    uint32_t cell;
    uint16_t column, row;
};

/* Cells of one promise, the newest on top. */
struct navigation__stack {
    struct navigation__cell *cells; /* owned */
    size_t count, capacity;
};

/* A node as a search found it, and the node before it. */
struct navigation__node {
    uint64_t distance;
    uint32_t generation, before;
};

/* A node that waits for its turn in the heap; counts only while it is that near. */
struct navigation__turn {
    uint64_t distance;
    uint32_t node;
};

struct cor_navigator {
    uint32_t generation;            /* of the last search; from 1 */
    struct navigation__mark *marks; /* owned; by cell */
    struct navigation__node *nodes; /* owned; by node */
    struct navigation__turn *turns; /* owned; a binary heap */
    size_t mark_count, node_count, turn_count, turn_capacity;
    struct navigation__stack stacks[3]; /* of the present promise and the two that follow, in a ring */
};

#endif
