/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "flow.h"

#include <corridor/array.h>
#include <corridor/planning_problem.h>
#include <corridor/walk_bound.h>

#include <stdlib.h>

#define WORK_MAX 100000000 /* arcs looked at */

/* Whoever uses each needed arc once comes out at some nodes more often than it went in: ways from there to
 * where it is the other way round are added, as short as may be, in all. */
static enum cor_status bound_by(struct plan__flow *flow, const int64_t *excess, uint32_t nodes,
                                uint32_t start, uint32_t resets, uint32_t initial, uint32_t needed,
                                uint32_t *bound, struct cor_error *error) {
    const uint32_t source = nodes, sink = nodes + 1, end = nodes + 2, reset = nodes + 3;
    uint64_t wanted = 0, units, cost;
    for (uint32_t n = 0; n < nodes; n++) {
        const int64_t left = excess[n] + (n == start);
        COR_TRY(plan__flow_arc(flow, n, end, PLAN__UNLIMITED, 0, error));
        if (resets > 0)
            COR_TRY(plan__flow_arc(flow, n, reset, PLAN__UNLIMITED, 1, error));
        if (left > 0)
            COR_TRY(plan__flow_arc(flow, source, n, (uint32_t)left, 0, error));
        if (left < 0)
            COR_TRY(plan__flow_arc(flow, n, sink, (uint32_t)-left, 0, error));
        wanted += left > 0 ? (uint64_t)left : 0;
    }
    COR_TRY(plan__flow_arc(flow, end, sink, 1, 0, error));
    if (resets > 0)
        COR_TRY(plan__flow_arc(flow, reset, initial, resets < PLAN__UNLIMITED ? resets : PLAN__UNLIMITED, 0,
                               error));
    if (!plan__flow_send(flow, source, sink, WORK_MAX, &units, &cost))
        return COR_OK;
    *bound = units < wanted ? COR_NO_WALK : needed + (uint32_t)cost;
    return COR_OK;
}

static enum cor_status bound_walk(uint32_t nodes, const uint32_t (*arcs)[2], const bool *needed,
                                  uint32_t arc_count, uint32_t start, uint32_t resets, uint32_t initial,
                                  uint32_t *bound, struct cor_error *error) {
    struct plan__flow flow = {0};
    uint32_t count = 0;
    enum cor_status status = COR_OK;
    int64_t *excess = cor_calloc(nodes, sizeof *excess);
    *bound = 0;
    COR_TRY_OUT(cor_made(excess, error));
    COR_TRY_OUT(plan__flow_create(nodes + 4, &flow, error));
    for (uint32_t a = 0; a < arc_count; a++) {
        if (arcs[a][0] != arcs[a][1])
            COR_TRY_OUT(plan__flow_arc(&flow, arcs[a][0], arcs[a][1], PLAN__UNLIMITED, 1, error));
        if (!needed[a])
            continue;
        excess[arcs[a][0]]--;
        excess[arcs[a][1]]++;
        count++;
    }
    COR_TRY_OUT(bound_by(&flow, excess, nodes, start, resets, initial, count, bound, error));
out:
    plan__flow_fini(&flow);
    free(excess);
    return status;
}

enum cor_status cor_walk_bound(uint32_t node_count, const uint32_t (*arcs)[2], const bool *needed,
                               uint32_t arc_count, uint32_t start, uint32_t *bound, struct cor_error *error) {
    return bound_walk(node_count, arcs, needed, arc_count, start, 0, start, bound, error);
}

enum cor_status cor_efsm_walk_bound(const struct cor_efsm *model, const struct cor_efsm_goal *goal,
                                    uint32_t location, const uint64_t *covered, uint32_t resets,
                                    uint32_t *bound, struct cor_error *error) {
    uint32_t(*arcs)[2] = cor_calloc(model->transition_count, sizeof *arcs);
    bool *needed = cor_calloc(model->transition_count, sizeof *needed);
    enum cor_status status = COR_OK;
    if (!arcs || !needed)
        COR_TRY_OUT(cor_fail_memory(error));
    for (uint32_t t = 0; t < model->transition_count; t++) {
        arcs[t][0] = model->transitions[t].source;
        arcs[t][1] = model->transitions[t].target;
    }
    for (uint32_t i = 0; i < goal->trap_count; i++)
        if (goal->traps[i].transition_count == 1 && !cor_trap_is_in(covered, i))
            needed[goal->traps[i].transitions[0]] = true;
    COR_TRY_OUT(bound_walk(model->location_count, (const uint32_t(*)[2])arcs, needed, model->transition_count,
                           location, resets, model->initial, bound, error));
out:
    free(arcs);
    free(needed);
    return status;
}
