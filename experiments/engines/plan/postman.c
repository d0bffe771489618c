/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cheapest ways one after the other, over what is left: as costs of single arcs are -1, 0 or 1, distances are
 * found by a queue that takes what is near first as well as may be, and set right where it was wrong. */
#include "product.h"

#include <corridor/array.h>
#include <corridor/components.h>
#include <corridor/error.h>
#include <corridor/planner.h>
#include <corridor/planning_problem.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- Flows of least cost through a graph, in whole units */

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

/* Numbers of arcs are even, in the order in which they are added. */
enum cor_status plan__flow_arc(struct plan__flow *flow, uint32_t from, uint32_t to, uint32_t capacity,
                               int32_t cost, struct cor_error *error) COR_MUST_USE;

#define FAR UINT32_MAX

static enum cor_status flow_create(uint32_t node_count, struct plan__flow *flow, struct cor_error *error) {
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

static void flow_fini(struct plan__flow *flow) {
    COR_FREE(flow->newest, flow->arcs, flow->distance, flow->parents, flow->queue, flow->waiting);
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

/* Sends as many units as there is way for, at least cost. False: more than `arcs_most` arcs would have to be
 * looked at. */
static bool flow_send(struct plan__flow *flow, uint32_t source, uint32_t sink, uint64_t arcs_most,
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

/* ---- walk bound */

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
    if (!flow_send(flow, source, sink, WORK_MAX, &units, &cost))
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
    COR_TRY_OUT(flow_create(nodes + 4, &flow, error));
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
    flow_fini(&flow);
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
    COR_FREE(arcs, needed);
    return status;
}

/* ---- postman */

#define WORK_MAX_POSTMAN 200000000 /* arcs looked at, for one walk */
#define ROUNDS_MAX 4               /* of choosing arcs anew */

struct ways {
    uint32_t *arcs; /* owned; one behind the other */
    uint32_t count;
    size_t capacity;
};

struct postman {
    struct plan__graph *graph;
    struct cor_error *error;
    uint32_t state_count, arc_count, trap_count;
    uint32_t *first;     /* owned; [state + 1] arcs */
    uint32_t (*arcs)[2]; /* owned; from, to */
    size_t arc_capacity;
    uint32_t *first_trap; /* owned; [arc + 1] */
    uint32_t *traps;      /* owned; traps that are left, hit by each arc */
    size_t first_trap_capacity, trap_capacity;
    struct cor_components components; /* of what can be met from the start */
    uint32_t *exits; /* owned; [component] arc by which the walk leaves it, COR_NONE: it ends there */
    bool *is_hit;    /* owned; [trap] by the walk so far */
    uint32_t *parents, *queue; /* owned; [state] while searching: 1 + arc */
    uint32_t *local;           /* owned; [state] its number within the component */
    uint32_t *uses;            /* owned; [arc] by the walk in the making */
    uint64_t work;
    struct ways walk;
};

static enum cor_status append(struct postman *p, struct ways *ways, uint32_t arc) {
    COR_TRY(COR_RESERVE(&ways->arcs, &ways->capacity, (size_t)ways->count + 1, p->error));
    ways->arcs[ways->count++] = arc;
    return COR_OK;
}

/* The graph of states. */

/* All arcs, with the traps of those that are left. False: states, or their moves, are too many to be kept. */
static enum cor_status read_arcs(struct postman *p, const uint64_t *covered, bool *all) {
    const struct cor_planning_problem *problem = p->graph->problem;
    struct plan__moves moves;
    size_t first_capacity = 0;
    *all = false;
    for (uint32_t s = 0; s < p->graph->states.count; s++) {
        COR_TRY(plan__graph_moves(p->graph, s, &moves, p->error));
        if (p->graph->is_cut || p->graph->expanded[s] == 0)
            return COR_OK;
        COR_TRY(COR_RESERVE(&p->first, &first_capacity, (size_t)s + 2, p->error));
        p->first[s] = p->arc_count;
        const uint32_t count = moves.input_count == 0 ? 0 : moves.first[moves.input_count] - moves.first[0];
        COR_TRY(COR_RESERVE(&p->arcs, &p->arc_capacity, (size_t)p->arc_count + count + 1, p->error));
        COR_TRY(
            COR_RESERVE(&p->first_trap, &p->first_trap_capacity, (size_t)p->arc_count + count + 2, p->error));
        for (uint32_t a = 0; a < count; a++) {
            const uint64_t *hits = moves.hits + (size_t)a * problem->trap_words;
            p->arcs[p->arc_count][0] = s;
            p->arcs[p->arc_count][1] = moves.arcs[a].target;
            p->first_trap[p->arc_count] = p->trap_count;
            for (uint32_t t = 0; t < problem->trap_count && moves.arcs[a].hits; t++) {
                if (!cor_trap_is_in(hits, t) || cor_trap_is_in(covered, t))
                    continue;
                COR_TRY(COR_RESERVE(&p->traps, &p->trap_capacity, (size_t)p->trap_count + 1, p->error));
                p->traps[p->trap_count++] = t;
            }
            p->first_trap[++p->arc_count] = p->trap_count;
        }
        p->first[s + 1] = p->arc_count;
    }
    p->state_count = p->graph->states.count;
    *all = true;
    return COR_OK;
}

static uint32_t next_target(void *self, uint32_t state, uint64_t *place) {
    const struct postman *p = self;
    const uint64_t arc = p->first[state] + (*place)++;
    return arc < p->first[state + 1] ? p->arcs[arc][1] : COR_NO_NODE;
}

/* By which arcs to leave components, so that most traps are on the way; of a trap that several components
 * have each counts it, so that *most is no less than what any walk can cover. */
static enum cor_status choose_exits(struct postman *p, uint32_t start, uint32_t *most) {
    const uint32_t traps = p->graph->problem->trap_count;
    uint32_t *value = cor_calloc(p->components.count, sizeof *value);
    uint32_t *counted = cor_calloc(traps, sizeof *counted); /* [trap] 1 + component */
    enum cor_status status = COR_OK;
    if (!value || !counted)
        COR_TRY_OUT(cor_fail_memory(p->error));
    for (uint32_t c = 0; c < p->components.count; c++) {
        uint32_t within = 0, beyond = 0;
        p->exits[c] = COR_NONE;
        for (uint32_t m = p->components.first[c]; m < p->components.first[c + 1]; m++)
            for (uint32_t a = p->first[p->components.members[m]]; a < p->first[p->components.members[m] + 1];
                 a++) {
                const uint32_t other = p->components.of[p->arcs[a][1]];
                const uint32_t hit = p->first_trap[a + 1] - p->first_trap[a];
                for (uint32_t i = p->first_trap[a]; i < p->first_trap[a + 1] && other == c; i++) {
                    within += counted[p->traps[i]] != c + 1;
                    counted[p->traps[i]] = c + 1;
                }
                if (other != c && hit + value[other] > beyond) {
                    beyond = hit + value[other];
                    p->exits[c] = a;
                }
            }
        value[c] = within + beyond;
    }
    *most = value[p->components.of[start]];
out:
    COR_FREE(value, counted);
    return status;
}

/* Ways within a component. */

static bool gains(const struct postman *p, uint32_t arc) {
    for (uint32_t i = p->first_trap[arc]; i < p->first_trap[arc + 1]; i++)
        if (!p->is_hit[p->traps[i]])
            return true;
    return false;
}

static void hit(struct postman *p, uint32_t arc) {
    for (uint32_t i = p->first_trap[arc]; i < p->first_trap[arc + 1]; i++)
        p->is_hit[p->traps[i]] = true;
}

/* The arcs from where `last` begins back to a state that has no parent, turned round, and `last` (COR_NONE =
 * no more). */
static enum cor_status append_way(struct postman *p, struct ways *ways, uint32_t state, uint32_t last) {
    const uint32_t before = ways->count;
    for (uint32_t s = state; p->parents[s] != 0; s = p->arcs[p->parents[s] - 1][0])
        COR_TRY(append(p, ways, p->parents[s] - 1));
    for (uint32_t i = before, j = ways->count; i + 1 < j; i++) {
        const uint32_t arc = ways->arcs[i];
        ways->arcs[i] = ways->arcs[--j];
        ways->arcs[j] = arc;
    }
    return last == COR_NONE ? COR_OK : append(p, ways, last);
}

/* What a search within a component looks for. */
struct wanted {
    bool gain;             /* an arc that gains */
    uint32_t state;        /* this one; COR_NONE = none in particular */
    const uint32_t *parts; /* [local number] a state of another part than `part` that is used; NULL = none */
    uint32_t part;
};

#define UNUSED UINT32_MAX /* as a part: the walk does not come there */

static bool is_found(const struct postman *p, const struct wanted *wanted, uint32_t state) {
    const uint32_t part = wanted->parts ? wanted->parts[p->local[state]] : UNUSED;
    return state == wanted->state || (part != UNUSED && part != wanted->part);
}

/* Breadth first from the states in the queue, of which `end` are, within their component. The arc that gains,
 * or that leads to the state that is wanted; COR_NONE = there is none. */
static uint32_t look(struct postman *p, uint32_t end, const struct wanted *wanted) {
    const uint32_t component = p->components.of[p->queue[0]];
    const uint32_t from = p->components.first[component], to = p->components.first[component + 1];
    for (uint32_t m = from; m < to; m++)
        p->parents[p->components.members[m]] = UINT32_MAX;
    for (uint32_t i = 0; i < end; i++)
        p->parents[p->queue[i]] = 0;
    for (uint32_t at = 0; at < end; at++)
        for (uint32_t a = p->first[p->queue[at]]; a < p->first[p->queue[at] + 1]; a++) {
            const uint32_t target = p->arcs[a][1];
            p->work++;
            if (p->components.of[target] != component)
                continue;
            if (wanted->gain && gains(p, a))
                return a;
            if (p->parents[target] != UINT32_MAX)
                continue;
            p->parents[target] = a + 1;
            p->queue[end++] = target;
            if (!wanted->gain && is_found(p, wanted, target))
                return a;
        }
    return COR_NONE;
}

/* The way to a state of the same component. */
static enum cor_status go_to(struct postman *p, struct ways *ways, uint32_t from, uint32_t to) {
    const struct wanted wanted = {.state = to};
    if (from == to)
        return COR_OK;
    p->queue[0] = from;
    look(p, 1, &wanted);
    return append_way(p, ways, to, COR_NONE);
}

/* To the nearest trap again and again, until the component has no more; *at moves along. */
static enum cor_status go_nearest(struct postman *p, struct ways *ways, uint32_t *at) {
    const struct wanted wanted = {.gain = true, .state = COR_NONE};
    for (;;) {
        p->queue[0] = *at;
        const uint32_t arc = look(p, 1, &wanted);
        if (arc == COR_NONE || p->work > WORK_MAX_POSTMAN)
            return COR_OK;
        COR_TRY(append_way(p, ways, p->arcs[arc][0], arc));
        hit(p, arc);
        *at = p->arcs[arc][1];
    }
}

/* The least flow. */

/* What has to be added to the arcs that are used, so that a walk from `entry` to `end` (COR_NONE: anywhere)
 * goes into each state as often as out of it. */
static enum cor_status add_flow(struct postman *p, uint32_t component, uint32_t entry, uint32_t end,
                                bool *is_done) {
    const uint32_t from = p->components.first[component], n = p->components.first[component + 1] - from;
    const uint32_t source = n, sink = n + 1, anywhere = n + 2;
    struct plan__flow flow;
    uint64_t units, cost;
    enum cor_status status = COR_OK;
    int64_t *excess = cor_calloc(n, sizeof *excess);
    COR_TRY_OUT(flow_create(n + 3, &flow, p->error));
    COR_TRY_OUT(cor_made(excess, p->error));
    excess[p->local[entry]]++;
    if (end != COR_NONE)
        excess[p->local[end]]--;
    for (uint32_t m = 0; m < n; m++)
        for (uint32_t a = p->first[p->components.members[from + m]];
             a < p->first[p->components.members[from + m] + 1]; a++) {
            if (p->components.of[p->arcs[a][1]] != component)
                continue;
            const uint32_t target = p->local[p->arcs[a][1]];
            COR_TRY_OUT(plan__flow_arc(&flow, m, target, PLAN__UNLIMITED, 1, p->error));
            excess[m] -= p->uses[a];
            excess[target] += p->uses[a];
        }
    for (uint32_t m = 0; m < n; m++) {
        if (end == COR_NONE)
            COR_TRY_OUT(plan__flow_arc(&flow, m, anywhere, 1, 0, p->error));
        if (excess[m] > 0)
            COR_TRY_OUT(plan__flow_arc(&flow, source, m, (uint32_t)excess[m], 0, p->error));
        else if (excess[m] < 0)
            COR_TRY_OUT(plan__flow_arc(&flow, m, sink, (uint32_t)-excess[m], 0, p->error));
    }
    COR_TRY_OUT(plan__flow_arc(&flow, anywhere, sink, 1, 0, p->error));
    *is_done = flow_send(&flow, source, sink, WORK_MAX_POSTMAN - p->work, &units, &cost);
    p->work += flow.looked_at;
    for (uint32_t m = 0, arc = 0; m < n; m++)
        for (uint32_t a = p->first[p->components.members[from + m]];
             a < p->first[p->components.members[from + m] + 1]; a++)
            if (p->components.of[p->arcs[a][1]] == component) {
                p->uses[a] += flow.arcs[arc ^ 1].left;
                arc += 2;
            }
out:
    flow_fini(&flow);
    free(excess);
    return status;
}

static uint32_t root_of(uint32_t *parts, uint32_t state) {
    while (parts[state] != state)
        state = parts[state] = parts[parts[state]];
    return state;
}

/* Detours from what hangs together with the entry to the nearest state of another part and back, until all
 * does. */
static enum cor_status join_parts(struct postman *p, uint32_t component, uint32_t entry) {
    const uint32_t from = p->components.first[component], n = p->components.first[component + 1] - from;
    uint32_t *roots = cor_calloc(n, sizeof *roots), *parts = cor_calloc(n, sizeof *parts);
    struct ways detour = {0};
    enum cor_status status = COR_OK;
    if (!roots || !parts)
        COR_TRY_OUT(cor_fail_memory(p->error));
    while (p->work <= WORK_MAX_POSTMAN) {
        /* Which used arcs hang together: [local number] a part, UNUSED where no used arc ends. */
        for (uint32_t m = 0; m < n; m++) {
            roots[m] = m;
            parts[m] = UNUSED;
        }
        parts[p->local[entry]] = 0;
        for (uint32_t m = 0; m < n; m++)
            for (uint32_t a = p->first[p->components.members[from + m]];
                 a < p->first[p->components.members[from + m] + 1]; a++)
                if (p->uses[a] > 0 && p->components.of[p->arcs[a][1]] == component) {
                    const uint32_t target = p->local[p->arcs[a][1]];
                    parts[m] = parts[target] = 0;
                    roots[root_of(roots, m)] = root_of(roots, target);
                }
        for (uint32_t m = 0; m < n; m++)
            if (parts[m] != UNUSED)
                parts[m] = root_of(roots, m);
        p->work += n;
        const struct wanted other = {.state = COR_NONE, .parts = parts, .part = parts[p->local[entry]]};
        uint32_t count = 0;
        for (uint32_t m = 0; m < n; m++)
            if (parts[m] == other.part)
                p->queue[count++] = p->components.members[from + m];
        const uint32_t last = look(p, count, &other);
        if (last == COR_NONE)
            break;
        detour.count = 0;
        COR_TRY_OUT(append_way(p, &detour, p->arcs[last][1], COR_NONE));
        COR_TRY_OUT(go_to(p, &detour, p->arcs[last][1], p->arcs[detour.arcs[0]][0]));
        for (uint32_t i = 0; i < detour.count; i++)
            p->uses[detour.arcs[i]]++;
    }
out:
    COR_FREE(roots, parts, detour.arcs);
    return status;
}

/* A walk from `entry` that uses each arc as often as it is marked (Hierholzer); the marks are gone then. */
static enum cor_status thread(struct postman *p, uint32_t component, uint32_t entry, struct ways *ways) {
    struct ways stack = {0}; /* arcs on the way, by which states were come to */
    uint32_t *next = p->parents;
    enum cor_status status = COR_OK;
    for (uint32_t m = p->components.first[component]; m < p->components.first[component + 1]; m++)
        next[p->components.members[m]] = p->first[p->components.members[m]];
    for (uint32_t at = entry;;) {
        while (next[at] < p->first[at + 1] &&
               (p->uses[next[at]] == 0 || p->components.of[p->arcs[next[at]][1]] != component))
            next[at]++;
        if (next[at] < p->first[at + 1]) {
            p->uses[next[at]]--;
            COR_TRY_OUT(append(p, &stack, next[at]));
            at = p->arcs[next[at]][1];
            continue;
        }
        if (stack.count == 0)
            break;
        const uint32_t arc = stack.arcs[--stack.count];
        COR_TRY_OUT(append(p, ways, arc));
        at = p->arcs[arc][0];
    }
    for (uint32_t i = 0, j = ways->count; i + 1 < j; i++) {
        const uint32_t arc = ways->arcs[i];
        ways->arcs[i] = ways->arcs[--j];
        ways->arcs[j] = arc;
    }
out:
    free(stack.arcs);
    return status;
}

/* A shorter way with the arcs by which this one gains, if the flow knows one. */
static enum cor_status shorten(struct postman *p, uint32_t entry, uint32_t end, const bool *before,
                               struct ways *ways, bool *is_shorter) {
    const size_t traps = p->graph->problem->trap_count * sizeof *before;
    const uint32_t component = p->components.of[entry];
    struct ways other = {0};
    bool is_done = false;
    enum cor_status status = COR_OK;
    *is_shorter = false;
    memcpy(p->is_hit, before, traps);
    /* Marks the arcs of the way that gain as used once, all others of the component as not used. */
    for (uint32_t m = p->components.first[component]; m < p->components.first[component + 1]; m++)
        for (uint32_t a = p->first[p->components.members[m]]; a < p->first[p->components.members[m] + 1]; a++)
            p->uses[a] = 0;
    for (uint32_t i = 0; i < ways->count; i++)
        if (gains(p, ways->arcs[i])) {
            hit(p, ways->arcs[i]);
            p->uses[ways->arcs[i]] = 1;
        }
    COR_TRY_OUT(add_flow(p, component, entry, end, &is_done));
    if (!is_done)
        goto out;
    COR_TRY_OUT(join_parts(p, component, entry));
    if (p->work > WORK_MAX_POSTMAN)
        goto out;
    COR_TRY_OUT(thread(p, component, entry, &other));
    memcpy(p->is_hit, before, traps);
    if (end == COR_NONE) {
        /* Cuts off what gains nothing any more. */
        uint32_t count = 0;
        for (uint32_t i = 0; i < other.count; i++)
            if (gains(p, other.arcs[i])) {
                hit(p, other.arcs[i]);
                count = i + 1;
            }
        other.count = count;
    }
    *is_shorter = other.count < ways->count;
    if (*is_shorter) {
        const struct ways longer = *ways;
        *ways = other;
        other = longer;
    }
out:
    free(other.arcs);
    return status;
}

/* All that the component has, then out of it; *at moves along. */
static enum cor_status walk_component(struct postman *p, uint32_t *at) {
    const size_t traps = p->graph->problem->trap_count;
    const uint32_t component = p->components.of[*at], entry = *at, exit = p->exits[component];
    const uint32_t end = exit == COR_NONE ? COR_NONE : p->arcs[exit][0];
    struct ways ways = {0};
    enum cor_status status = COR_OK;
    bool *before = cor_calloc(2 * traps, sizeof *before), *after = NULL;
    COR_TRY_OUT(cor_made(before, p->error));
    after = before + traps;
    const uint32_t from = p->components.first[component], to = p->components.first[component + 1];
    for (uint32_t m = from; m < to; m++)
        p->local[p->components.members[m]] = m - from;
    memcpy(before, p->is_hit, traps * sizeof *before);
    COR_TRY_OUT(go_nearest(p, &ways, at));
    memcpy(after, p->is_hit, traps * sizeof *after);
    if (end != COR_NONE)
        COR_TRY_OUT(go_to(p, &ways, *at, end));
    bool is_shorter = true;
    for (int round = 0; round < ROUNDS_MAX && is_shorter; round++)
        COR_TRY_OUT(shorten(p, entry, end, before, &ways, &is_shorter));
    memcpy(p->is_hit, after, traps * sizeof *after);
    for (uint32_t i = 0; i < ways.count; i++)
        COR_TRY_OUT(append(p, &p->walk, ways.arcs[i]));
    if (exit != COR_NONE) {
        hit(p, exit);
        COR_TRY_OUT(append(p, &p->walk, exit));
        *at = p->arcs[exit][1];
    }
out:
    COR_FREE(ways.arcs, before);
    return status;
}

/* The whole. */

/* The walk as a plan. */
static enum cor_status write_plan(struct postman *p, const uint64_t *covered, struct plan__plan *plan) {
    const struct cor_planning_problem *problem = p->graph->problem;
    const size_t words = problem->trap_words;
    uint64_t *now = cor_calloc(2 * words, sizeof *now), *hits = NULL;
    enum cor_status status = COR_OK;
    COR_TRY_OUT(cor_made(now, p->error));
    hits = now + words;
    memcpy(now, covered, words * sizeof *now);
    for (uint32_t i = 0; i < p->walk.count; i++) {
        const uint32_t arc = p->walk.arcs[i], state = p->arcs[arc][0], number = arc - p->first[state];
        struct plan__moves moves;
        uint32_t input = 0;
        COR_TRY_OUT(plan__graph_moves(p->graph, state, &moves, p->error));
        while (moves.first[input + 1] - moves.first[0] <= number)
            input++;
        COR_TRY_OUT(plan__plan_add(problem, plan, cor_pool_item(&p->graph->states, state), now,
                                   moves.inputs + input * problem->input_size, moves.arcs[number].label,
                                   p->error));
        memcpy(hits, moves.hits + number * words, words * sizeof *hits);
        cor_cover(problem, now, hits);
    }
out:
    free(now);
    return status;
}

/* Arcs that alone hit a trap have to be in any walk over all. */
static enum cor_status find_bound(struct postman *p, uint32_t start, uint32_t *bound) {
    const uint32_t traps = p->graph->problem->trap_count;
    uint32_t *only = cor_calloc(traps, sizeof *only), count = 0; /* [trap] 1 + its arc; COR_NONE = several */
    bool *needed = cor_calloc((size_t)p->arc_count + 1, sizeof *needed);
    uint32_t(*arcs)[2] = cor_calloc((size_t)p->arc_count + 1, sizeof *arcs);
    bool *of_arcs = cor_calloc((size_t)p->arc_count + 1, sizeof *of_arcs);
    enum cor_status status = COR_OK;
    if (!only || !needed || !arcs || !of_arcs)
        COR_TRY_OUT(cor_fail_memory(p->error));
    for (uint32_t a = 0; a < p->arc_count; a++)
        for (uint32_t i = p->first_trap[a];
             i < p->first_trap[a + 1] && p->components.of[p->arcs[a][0]] != COR_NONE; i++)
            only[p->traps[i]] = only[p->traps[i]] == 0 ? a + 1 : COR_NONE;
    for (uint32_t t = 0; t < traps; t++)
        if (only[t] != 0 && only[t] != COR_NONE)
            needed[only[t] - 1] = true;
    for (uint32_t a = 0; a < p->arc_count; a++)
        if (p->components.of[p->arcs[a][0]] != COR_NONE) {
            memcpy(arcs[count], p->arcs[a], sizeof *arcs);
            of_arcs[count++] = needed[a];
        }
    COR_TRY_OUT(
        cor_walk_bound(p->state_count, (const uint32_t(*)[2])arcs, of_arcs, count, start, bound, p->error));
out:
    COR_FREE(only, needed, arcs, of_arcs);
    return status;
}

static enum cor_status walk_all(struct postman *p, const void *state, const uint64_t *covered,
                                struct plan__plan *plan, struct plan__walk *walk) {
    uint32_t start, most, at, hits = 0;
    bool all;
    COR_TRY(plan__graph_begin(p->graph, state, &start, p->error));
    if (p->graph->problem->denied || p->graph->problem->way_count > 0)
        return COR_OK;
    /* A trap that is left may wait for another that is. */
    for (uint32_t t = 0; t < p->graph->problem->trap_count; t++)
        if (!cor_trap_is_in(covered, t) && cor_trap_waits(p->graph->problem, t, covered))
            return COR_OK;
    COR_TRY(read_arcs(p, covered, &all));
    if (!all)
        return COR_OK;
    const uint32_t n = p->state_count, traps = p->graph->problem->trap_count;
    p->exits = cor_calloc(n, sizeof *p->exits);
    p->is_hit = cor_calloc(traps, sizeof *p->is_hit);
    p->parents = cor_calloc(n, sizeof *p->parents);
    p->queue = cor_calloc(n, sizeof *p->queue);
    p->local = cor_calloc(n, sizeof *p->local);
    p->uses = cor_calloc((size_t)p->arc_count + 1, sizeof *p->uses);
    COR_TRY(p->exits && p->is_hit && p->parents && p->queue && p->local && p->uses
                ? COR_OK
                : cor_fail_memory(p->error));
    COR_TRY(cor_components_init(&p->components, n, p->error));
    COR_TRY(cor_components_visit(&p->components, start, next_target, p, p->error));
    COR_TRY(choose_exits(p, start, &most));
    /* Traps that no arc hits that can be met. */
    uint64_t *lost = plan->lost;
    const struct cor_planning_problem *problem = p->graph->problem;
    uint32_t open = 0;
    for (uint32_t j = 0; j < problem->trap_count; j++)
        if (!cor_trap_is_in(covered, j)) {
            cor_trap_add(lost, j);
            open++;
        }
    for (uint32_t a = 0; a < p->arc_count; a++)
        for (uint32_t i = p->first_trap[a];
             i < p->first_trap[a + 1] && p->components.of[p->arcs[a][0]] != COR_NONE; i++)
            lost[p->traps[i] / 64] &= ~(UINT64_C(1) << p->traps[i] % 64);
    walk->is_split = most < open;
    if (!walk->is_split)
        COR_TRY(find_bound(p, start, &walk->bound));
    for (at = start; p->work <= WORK_MAX_POSTMAN;) {
        const uint32_t component = p->components.of[at];
        COR_TRY(walk_component(p, &at));
        if (p->components.of[at] == component)
            break;
    }
    if (p->work > WORK_MAX_POSTMAN)
        return COR_OK;
    for (uint32_t t = 0; t < p->graph->problem->trap_count; t++)
        hits += p->is_hit[t];
    walk->is_found = p->walk.count > 0;
    walk->is_whole = hits == open;
    return write_plan(p, covered, plan);
}

enum cor_status plan__walk_all(struct plan__graph *graph, const void *state, const uint64_t *covered,
                               struct plan__plan *plan, struct plan__walk *walk, struct cor_error *error) {
    struct postman p = {.graph = graph, .error = error};
    enum cor_status status = COR_OK;
    *walk = (struct plan__walk){0};
    plan__plan_fini(plan);
    COR_TRY_OUT(cor_made(plan->lost = cor_calloc(graph->problem->trap_words, sizeof *plan->lost), error));
    COR_TRY_OUT(walk_all(&p, state, covered, plan, walk));
out:
    COR_FREE(p.first, p.arcs, p.first_trap, p.traps);
    cor_components_fini(&p.components);
    COR_FREE(p.exits, p.is_hit, p.parents, p.queue, p.local, p.uses, p.walk.arcs);
    return status;
}
