/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Flows of least cost through a graph, in whole units. */
#ifndef CORRIDOR_EXPERIMENTS_ENGINES_PLAN_FLOW_H
#define CORRIDOR_EXPERIMENTS_ENGINES_PLAN_FLOW_H

#include <corridor/error.h>

#include <stdbool.h>
#include <stdint.h>

#define PLAN__UNLIMITED (UINT32_C(1) << 30) /* as a capacity */

struct plan__flow {
    uint32_t node_count, arc_count;
    uint32_t *newest;             /* owned; [node] 1 + its newest arc, 0 = none */
    struct plan__flow_arc *arcs;  /* owned; an arc and its way back stand side by side: a and a ^ 1 */
    uint32_t *distance, *parents; /* owned; [node] while solving */
    uint32_t *queue;              /* owned; a ring of nodes */
    bool *waiting;                /* owned; [node] is in the queue */
    size_t arc_capacity;
    uint64_t looked_at; /* arcs */
};

struct plan__flow_arc {
    uint32_t to, next; /* next: 1 + the arc of the same node before it, 0 = none */
    uint32_t left;     /* units that may still go here; of a way back: those that went there */
    int32_t cost;      /* 0 or 1; of a way back 0 or -1 */
};

enum cor_status plan__flow_create(uint32_t node_count, struct plan__flow *flow,
                                  struct cor_error *error) COR_MUST_USE;
void plan__flow_fini(struct plan__flow *flow);

/* Numbers of arcs are even, in the order in which they are added. */
enum cor_status plan__flow_arc(struct plan__flow *flow, uint32_t from, uint32_t to, uint32_t capacity,
                               int32_t cost, struct cor_error *error) COR_MUST_USE;

/* Units that went along an arc. */
uint32_t plan__flow_units(const struct plan__flow *flow, uint32_t arc);

/* Sends as many units as there is way for, at least cost. False: more than `arcs_most` arcs would have to be
 * looked at. */
bool plan__flow_send(struct plan__flow *flow, uint32_t source, uint32_t sink, uint64_t arcs_most,
                     uint64_t *units, uint64_t *cost);

#endif
