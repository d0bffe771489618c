/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cheapest ways one after the other, over what is left: as costs of single arcs are -1, 0 or 1, distances are
 * found by a queue that takes what is near first as well as may be, and set right where it was wrong. */
#include "flow.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

#define FAR UINT32_MAX

enum cor_status plan__flow_create(uint32_t node_count, struct plan__flow *flow, struct cor_error *error) {
    *flow = (struct plan__flow){.node_count = node_count};
    flow->newest = cor_calloc(node_count, sizeof *flow->newest);
    flow->distance = cor_calloc(node_count, sizeof *flow->distance);
    flow->parents = cor_calloc(node_count, sizeof *flow->parents);
    flow->queue = cor_calloc((size_t)node_count + 1, sizeof *flow->queue);
    flow->waiting = cor_calloc(node_count, sizeof *flow->waiting);
    return flow->newest && flow->distance && flow->parents && flow->queue && flow->waiting
               ? COR_OK
               : cor_fail_memory(error);
}

void plan__flow_fini(struct plan__flow *flow) {
    free(flow->newest);
    free(flow->arcs);
    free(flow->distance);
    free(flow->parents);
    free(flow->queue);
    free(flow->waiting);
    *flow = (struct plan__flow){0};
}

static void add(struct plan__flow *flow, uint32_t from, uint32_t to, uint32_t left, int32_t cost) {
    flow->arcs[flow->arc_count] = (struct plan__flow_arc){to, flow->newest[from], left, cost};
    flow->newest[from] = ++flow->arc_count;
}

enum cor_status plan__flow_arc(struct plan__flow *flow, uint32_t from, uint32_t to, uint32_t capacity,
                               int32_t cost, struct cor_error *error) {
    COR_TRY(COR_RESERVE(&flow->arcs, &flow->arc_capacity, (size_t)flow->arc_count + 2, error));
    add(flow, from, to, capacity, cost);
    add(flow, to, from, 0, -cost);
    return COR_OK;
}

uint32_t plan__flow_units(const struct plan__flow *flow, uint32_t arc) {
    return flow->arcs[arc ^ 1].left;
}

/* The cheapest way from the source to all nodes. */
static bool measure(struct plan__flow *flow, uint32_t source, uint32_t sink, uint64_t arcs_most) {
    const uint32_t room = flow->node_count + 1;
    uint32_t head = 0, count = 1;
    memset(flow->distance, 0xff, flow->node_count * sizeof *flow->distance);
    flow->distance[source] = 0;
    flow->queue[0] = source;
    while (count > 0) {
        const uint32_t node = flow->queue[head];
        head = (head + 1) % room;
        count--;
        flow->waiting[node] = false;
        for (uint32_t a = flow->newest[node]; a != 0; a = flow->arcs[a - 1].next) {
            const struct plan__flow_arc *arc = &flow->arcs[a - 1];
            const uint32_t distance = flow->distance[node] + (uint32_t)arc->cost;
            flow->looked_at++;
            if (arc->left == 0 || distance >= flow->distance[arc->to])
                continue;
            flow->distance[arc->to] = distance;
            flow->parents[arc->to] = a - 1;
            if (flow->waiting[arc->to])
                continue;
            flow->waiting[arc->to] = true;
            /* Nearer than the first: before it. */
            if (count > 0 && distance < flow->distance[flow->queue[head]]) {
                head = (head + room - 1) % room;
                flow->queue[head] = arc->to;
            } else
                flow->queue[(head + count) % room] = arc->to;
            count++;
        }
        if (flow->looked_at > arcs_most)
            return false;
    }
    return flow->distance[sink] != FAR;
}

bool plan__flow_send(struct plan__flow *flow, uint32_t source, uint32_t sink, uint64_t arcs_most,
                     uint64_t *units, uint64_t *cost) {
    *units = *cost = 0;
    while (measure(flow, source, sink, arcs_most)) {
        uint32_t least = PLAN__UNLIMITED;
        for (uint32_t n = sink; n != source; n = flow->arcs[flow->parents[n] ^ 1].to)
            if (flow->arcs[flow->parents[n]].left < least)
                least = flow->arcs[flow->parents[n]].left;
        for (uint32_t n = sink; n != source; n = flow->arcs[flow->parents[n] ^ 1].to) {
            flow->arcs[flow->parents[n]].left -= least;
            flow->arcs[flow->parents[n] ^ 1].left += least;
        }
        *units += least;
        *cost += (uint64_t)least * flow->distance[sink];
    }
    return flow->looked_at <= arcs_most;
}
