/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One distance for each state, by breadth-first search backwards. States that a transition cannot tell apart
 * - they differ only in variables that it overwrites without reading - share one entry, a view: what resets
 * everything has one view instead of one for each state. */
#include "reach.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

#define MOVES_PER_STATE 20 /* of the budget */

/* What one transition sees of a state. */
struct view {
    uint32_t seen[COR_EFSM_VARIABLES_MAX], unseen[COR_EFSM_VARIABLES_MAX]; /* state variables */
    uint32_t asked[COR_EFSM_VARIABLES_MAX];                                /* parameters that matter */
    uint32_t seen_count, unseen_count, asked_count;
    uint64_t count; /* of views */
    uint64_t first; /* number of the first among those of all transitions */
};

/* The view of a transition whose effects depend on `reads`, too. */
static struct view view_of(const struct cor_efsm *model, uint32_t transition, uint64_t reads) {
    const struct cor_efsm_transition *t = &model->transitions[transition];
    struct view view = {.count = 1};
    uint64_t written = 0;
    reads |= cor_efsm_reads(model, transition);
    for (uint32_t u = 0; u < t->update_count; u++)
        written |= UINT64_C(1) << t->updates[u].variable;
    for (uint32_t v = 0; v < model->variable_count; v++) {
        const uint64_t bit = UINT64_C(1) << v;
        if (model->variables[v].kind == COR_EFSM_PARAMETER && reads & bit)
            view.asked[view.asked_count++] = v;
        if (model->variables[v].kind != COR_EFSM_STATE)
            continue;
        if (written & bit && !(reads & bit))
            view.unseen[view.unseen_count++] = v;
        else
            view.seen[view.seen_count++] = v;
    }
    view.count = cor_efsm_domain_size(model, view.seen, view.seen_count);
    return view;
}

/* And back: the values that a number stands for. */
static void values_of(const struct cor_efsm *model, const uint32_t *variables, uint32_t count,
                      uint64_t number, int64_t *values) {
    for (uint32_t i = count; i-- > 0;) {
        const struct cor_efsm_variable *variable = &model->variables[variables[i]];
        const uint64_t size = (uint64_t)(variable->high - variable->low) + 1;
        values[variables[i]] = variable->low + (int64_t)(number % size);
        number /= size;
    }
}

static void list_state_variables(const struct cor_efsm *model, struct efsm__explicit *e) {
    e->variable_count = 0;
    for (uint32_t v = 0; v < model->variable_count; v++)
        if (model->variables[v].kind == COR_EFSM_STATE)
            e->variables[e->variable_count++] = v;
    e->state_count = cor_efsm_domain_size(model, e->variables, e->variable_count);
}

uint64_t efsm__explicit_number(const struct cor_efsm_reach *reach, uint32_t location, const int64_t *values) {
    const struct efsm__explicit *e = &reach->explicit;
    /* The values of the state variables as a number, the last fastest. */
    const uint32_t *variables = e->variables;
    uint64_t number = 0;
    for (uint32_t i = 0; i < e->variable_count; i++) {
        const struct cor_efsm_variable *variable = &reach->definition.model->variables[variables[i]];
        number = number * ((uint64_t)(variable->high - variable->low) + 1) +
                 (uint64_t)(values[variables[i]] - variable->low);
    }
    return location * e->state_count + number;
}

/* States and moves, each UINT64_MAX if 64 bits do not hold it. */
static void count_work(const struct cor_efsm *model, uint64_t *states, uint64_t *moves) {
    struct efsm__explicit e;
    list_state_variables(model, &e);
    if (__builtin_mul_overflow(e.state_count, model->location_count, states))
        *states = UINT64_MAX;
    *moves = 0;
    for (uint32_t t = 0; t < model->transition_count; t++) {
        const struct view view = view_of(model, t, 0);
        uint64_t of;
        if (__builtin_mul_overflow(view.count, cor_efsm_domain_size(model, view.asked, view.asked_count),
                                   &of) ||
            __builtin_add_overflow(*moves, of, moves))
            *moves = UINT64_MAX;
    }
}

static bool fits(uint64_t states, uint64_t moves, uint64_t budget) {
    return states <= budget && states < UINT32_MAX && moves / MOVES_PER_STATE <= budget;
}

bool cor_efsm_is_small(const struct cor_efsm *model, uint64_t state_budget) {
    uint64_t states, moves;
    count_work(model, &states, &moves);
    return fits(states, moves, state_budget);
}

/* A view and a state that it leads to. */
struct edge {
    uint32_t view, state;
};

struct search {
    struct cor_efsm_reach *reach;
    struct efsm__explicit *e;
    const struct cor_efsm *model;
    struct view *views; /* owned; [transition] */
    struct edge *edges; /* owned */
    size_t edge_count, edge_capacity;
    uint32_t *sources; /* owned; views by the state that they lead to, */
    uint32_t *start;   /* owned; from start[state] on */
    bool *entered;     /* owned; [view] it was met before */
    uint32_t *queue;   /* owned; states in the order in which they were found */
    uint64_t queue_count, view_count;
};

/* Adds an edge unless it is among those of the same view, from `from` on. */
static enum cor_status add_edge(struct search *s, size_t from, struct edge edge, struct cor_error *error) {
    for (size_t i = s->edge_count; i-- > from;)
        if (s->edges[i].state == edge.state)
            return COR_OK;
    COR_TRY(COR_RESERVE(&s->edges, &s->edge_capacity, s->edge_count + 1, error));
    s->edges[s->edge_count++] = edge;
    return COR_OK;
}

#define SAME_EFFECT_MAX 64 /* further edges of a view are not compared with all before them */

static enum cor_status find_edges(struct search *s, uint32_t transition, struct cor_error *error) {
    const struct view *view = &s->views[transition];
    const uint32_t target = s->model->transitions[transition].target;
    int64_t values[COR_EFSM_VARIABLES_MAX], next[COR_EFSM_VARIABLES_MAX];
    cor_efsm_start(s->model, values);
    for (uint64_t n = 0; n < view->count; n++) {
        size_t from = s->edge_count;
        values_of(s->model, view->seen, view->seen_count, n, values);
        cor_efsm_first_values(s->model, view->asked, view->asked_count, values);
        do {
            if (!cor_efsm_step(s->model, transition, values, next))
                continue;
            const struct edge edge = {(uint32_t)(view->first + n),
                                      (uint32_t)efsm__explicit_number(s->reach, target, next)};
            from = s->edge_count - from > SAME_EFFECT_MAX ? s->edge_count - SAME_EFFECT_MAX : from;
            COR_TRY(add_edge(s, from, edge, error));
        } while (cor_efsm_next_values(s->model, view->asked, view->asked_count, values));
    }
    return COR_OK;
}

/* All states of the source that look like this to the transition. */
static void reach_view(struct search *s, uint32_t transition, const struct view *view, uint64_t number,
                       uint32_t distance) {
    const uint32_t source = s->model->transitions[transition].source;
    int64_t values[COR_EFSM_VARIABLES_MAX];
    cor_efsm_start(s->model, values);
    values_of(s->model, view->seen, view->seen_count, number, values);
    cor_efsm_first_values(s->model, view->unseen, view->unseen_count, values);
    do {
        const uint64_t state = efsm__explicit_number(s->reach, source, values);
        if (s->e->distance[state] == COR_EFSM_FAR) {
            s->e->distance[state] = distance;
            s->queue[s->queue_count++] = (uint32_t)state;
        }
    } while (cor_efsm_next_values(s->model, view->unseen, view->unseen_count, values));
}

/* Ring 1: states and inputs that cover the trap at once. */
static void first_ring(struct search *s, const struct cor_efsm_trap *trap) {
    for (uint32_t i = 0; i < trap->transition_count; i++) {
        const uint32_t transition = trap->transitions[i];
        uint64_t bits = 0;
        for (uint32_t v = 0; v < s->model->variable_count && trap->constraint.node_count > 0; v++)
            if (cor_expression_reads(&trap->constraint, v))
                bits |= UINT64_C(1) << v;
        const struct view view = view_of(s->model, transition, bits);
        int64_t values[COR_EFSM_VARIABLES_MAX];
        for (uint64_t n = 0; n < view.count; n++) {
            bool hit = false;
            cor_efsm_start(s->model, values);
            values_of(s->model, view.seen, view.seen_count, n, values);
            cor_efsm_first_values(s->model, view.asked, view.asked_count, values);
            do
                hit = cor_efsm_enabled(s->model, transition, values) &&
                      cor_efsm_hits(s->model, trap, transition, values);
            while (!hit && cor_efsm_next_values(s->model, view.asked, view.asked_count, values));
            if (hit)
                reach_view(s, transition, &view, n, 1);
        }
    }
}

static uint32_t transition_of(const struct search *s, uint32_t view) {
    uint32_t low = 0, high = s->model->transition_count;
    while (high - low > 1) {
        const uint32_t middle = (low + high) / 2;
        if (s->views[middle].first <= view)
            low = middle;
        else
            high = middle;
    }
    while (s->views[low].count == 0)
        low--;
    return low;
}

/* The views that lead to a state; those of one transition alone if `only` names one. */
static void reach_sources(struct search *s, uint32_t state, uint32_t only, uint32_t distance) {
    for (uint32_t i = s->start[state]; i < s->start[state + 1]; i++) {
        const uint32_t view = s->sources[i], transition = transition_of(s, view);
        if (s->entered[view] || (only != COR_NONE && only != transition))
            continue;
        s->entered[view] = true;
        reach_view(s, transition, &s->views[transition], view - s->views[transition].first, distance);
    }
}

static bool ends(const struct search *s, uint32_t ring, enum cor_efsm_end *end) {
    const struct cor_efsm_reach_definition *definition = &s->reach->definition;
    int64_t values[COR_EFSM_VARIABLES_MAX];
    cor_efsm_start(s->model, values);
    const uint64_t start = efsm__explicit_number(s->reach, s->model->initial, values);
    if (definition->until_initial && s->e->distance[start] != COR_EFSM_FAR)
        *end = COR_EFSM_END_INITIAL;
    else if (efsm__is_too_deep(definition, ring + 1))
        *end = COR_EFSM_END_DEPTH;
    else
        return false;
    return true;
}

static enum cor_status search_rings(struct search *s, struct cor_error *error) {
    const struct cor_efsm_trap *trap = s->reach->definition.trap;
    struct cor_efsm_reach_summary *summary = &s->reach->summary;
    uint32_t ring = 1;
    first_ring(s, trap);
    if (trap->previous != COR_NONE) {
        /* Ring 2 of a trap that wants another transition right before. What is in ring 1 is in it for the
         * while. */
        const uint64_t count = s->queue_count;
        uint32_t *first = cor_calloc(count, sizeof *first);
        COR_TRY(cor_made(first, error));
        memcpy(first, s->queue, count * sizeof *first);
        for (uint64_t i = 0; i < count; i++)
            s->e->distance[first[i]] = COR_EFSM_FAR;
        s->queue_count = 0;
        for (uint64_t i = 0; i < count; i++)
            reach_sources(s, first[i], trap->previous, 2);
        memset(s->entered, 0, s->view_count * sizeof *s->entered);
        free(first);
        ring = 2;
    }
    uint64_t done = 0;
    summary->end = COR_EFSM_END_FIXPOINT;
    while (done < s->queue_count && !ends(s, ring, &summary->end)) {
        const uint64_t end = s->queue_count;
        for (ring++; done < end; done++)
            reach_sources(s, s->queue[done], COR_NONE, ring);
    }
    summary->rings = s->queue_count > 0 ? s->e->distance[s->queue[s->queue_count - 1]] : 0;
    summary->states = s->queue_count;
    return COR_OK;
}

static enum cor_status prepare(struct search *s, struct cor_error *error) {
    const uint64_t states = s->e->state_count * s->model->location_count;
    s->views = cor_calloc(s->model->transition_count, sizeof *s->views);
    s->e->distance = cor_calloc(states, sizeof *s->e->distance);
    s->queue = cor_calloc(states, sizeof *s->queue);
    if (!s->views || !s->e->distance || !s->queue)
        return cor_fail_memory(error);
    memset(s->e->distance, 0xff, states * sizeof *s->e->distance);
    for (uint32_t t = 0; t < s->model->transition_count; t++) {
        s->views[t] = view_of(s->model, t, 0);
        s->views[t].first = s->view_count;
        s->view_count += s->views[t].count;
    }
    s->entered = cor_calloc(s->view_count, sizeof *s->entered);
    COR_TRY(cor_made(s->entered, error));
    for (uint32_t t = 0; t < s->model->transition_count; t++)
        COR_TRY(find_edges(s, t, error));
    /* Edges by the state that they lead to: counting sort. */
    s->sources = cor_calloc(s->edge_count, sizeof *s->sources);
    s->start = cor_calloc(states + 1, sizeof *s->start);
    if (!s->sources || !s->start)
        return cor_fail_memory(error);
    for (size_t i = 0; i < s->edge_count; i++)
        s->start[s->edges[i].state + 1]++;
    for (uint64_t i = 0; i < states; i++)
        s->start[i + 1] += s->start[i];
    for (size_t i = s->edge_count;
         i-- > 0;) /* from the end, so that start[state + 1] becomes the start of state */
        s->sources[--s->start[s->edges[i].state + 1]] = s->edges[i].view;
    memmove(s->start, s->start + 1, states * sizeof *s->start);
    s->start[states] = (uint32_t)s->edge_count;
    return COR_OK;
}

enum cor_status efsm__explicit_run(struct cor_efsm_reach *reach, struct cor_error *error) {
    struct search s = {.reach = reach, .e = &reach->explicit, .model = reach->definition.model};
    uint64_t states, moves;
    enum cor_status status = COR_OK;
    count_work(s.model, &states, &moves);
    if (!fits(states, moves, reach->definition.state_budget))
        return cor_fail(
            error, COR_STATUS_INPUT, cor_json_name(s.model->document), "take the back end symbolic",
            "the domains are too large for the back end explicit: it takes %llu states and %llu moves",
            (unsigned long long)reach->definition.state_budget,
            (unsigned long long)reach->definition.state_budget * MOVES_PER_STATE);
    list_state_variables(s.model, s.e);
    COR_TRY_OUT(prepare(&s, error));
    COR_TRY_OUT(search_rings(&s, error));
out:
    free(s.views);
    free(s.edges);
    free(s.sources);
    free(s.start);
    free(s.entered);
    free(s.queue);
    return status;
}

void efsm__explicit_fini(struct efsm__explicit *explicit) {
    free(explicit->distance);
}
