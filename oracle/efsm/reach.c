/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One interface for both back ends. */
#include "reach.h"

#include <corridor/array.h>
#include <corridor/efsm_reach.h>
#include <corridor/fields.h>
#include <corridor/hash.h>
#include <corridor/json_names.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t explicit_number(const struct cor_efsm_reach *reach, uint32_t location, const int64_t *values);
static enum cor_status explicit_run(struct cor_efsm_reach *reach, struct cor_error *error) COR_MUST_USE;

#define LISTED_MAX 50000 /* states and inputs that the explicit back end makes constraints of */

COR_WORDS(cor_efsm_end_word, enum cor_efsm_end, "fixpoint", "initial state", "depth", "budget",
          "beyond arithmetic")

const char *cor_efsm_backend_word(size_t index) {
    static const char *const words[] = {"explicit", "symbolic"};
    return index < sizeof words / sizeof *words ? words[index] : NULL;
}

struct cor_efsm_reach_definition cor_default_efsm_reach(const struct cor_efsm *model,
                                                        const struct cor_efsm_trap *trap,
                                                        enum cor_efsm_backend backend) {
    return (struct cor_efsm_reach_definition){
        .model = model, .trap = trap, .backend = backend, .state_budget = 10000000, .cube_budget = 1000000};
}

void efsm__say_ring(const struct cor_efsm_reach_definition *definition, uint32_t ring, uint64_t count,
                    const char *of) {
    char text[160];
    if (!definition->doing)
        return;
    snprintf(text, sizeof text, "trap %.60s: ring %u behind %llu %s", definition->trap->id, ring,
             (unsigned long long)count, of);
    definition->doing(text);
}

static enum cor_status reach_begin(const struct cor_efsm_reach_definition *definition,
                                   struct cor_efsm_reach **reach, struct cor_error *error) {
    COR_TRY(cor_made(*reach = cor_calloc(1, sizeof **reach), error));
    (*reach)->definition = *definition;
    return efsm__symbolic_begin(*reach, error);
}

enum cor_status cor_efsm_reach_create(const struct cor_efsm_reach_definition *definition,
                                      struct cor_efsm_reach **reach, struct cor_error *error) {
    COR_TRY(cor_made(*reach = cor_calloc(1, sizeof **reach), error));
    (*reach)->definition = *definition;
    const enum cor_status status = definition->backend == COR_EFSM_EXPLICIT
                                       ? explicit_run(*reach, error)
                                       : efsm__symbolic_run(*reach, error);
    if (status != COR_OK) {
        cor_efsm_reach_destroy(*reach);
        *reach = NULL;
        return status;
    }
    int64_t values[COR_EFSM_VARIABLES_MAX];
    cor_efsm_start((*reach)->definition.model, values);
    (*reach)->summary.initial = cor_efsm_reach_distance(*reach, (*reach)->definition.model->initial, values);
    return COR_OK;
}

void cor_efsm_reach_destroy(struct cor_efsm_reach *reach) {
    if (!reach)
        return;
    free(reach->explicit.distance);
    efsm__symbolic_fini(reach);
    free(reach);
}

struct cor_efsm_reach_summary cor_efsm_reach_summary(const struct cor_efsm_reach *reach) {
    return reach->summary;
}

uint32_t cor_efsm_reach_distance(const struct cor_efsm_reach *reach, uint32_t location,
                                 const int64_t *values) {
    if (reach->definition.backend == COR_EFSM_EXPLICIT)
        return reach->explicit.distance[explicit_number(reach, location, values)];
    int64_t all[COR_EFSM_VARIABLES_MAX]; /* the inputs do not matter, but are in their domains */
    cor_efsm_start(reach->definition.model, all);
    for (uint32_t v = 0; v < reach->definition.model->variable_count; v++)
        if (reach->definition.model->variables[v].kind == COR_EFSM_STATE)
            all[v] = values[v];
    const struct efsm__layers *layers = &reach->symbolic.layers[location];
    for (uint32_t c = 0; c < layers->cubes.count; c++)
        if (efsm__cube_has(&reach->symbolic.space, &layers->cubes.cubes[c], all))
            return layers->born[c];
    return COR_EFSM_FAR;
}

bool cor_efsm_reach_is_first(const struct cor_efsm_reach *reach, uint32_t transition, const int64_t *values) {
    const struct cor_efsm *model = reach->definition.model;
    const struct cor_efsm_trap *trap = reach->definition.trap;
    const struct cor_efsm_transition *t = &model->transitions[transition];
    const uint32_t ring = cor_efsm_reach_distance(reach, t->source, values);
    int64_t next[COR_EFSM_VARIABLES_MAX];
    if (ring == COR_EFSM_FAR || !cor_efsm_step(model, transition, values, next))
        return false;
    if (ring == 1)
        return cor_efsm_hits(model, trap, transition, values);
    if (ring > 2 || trap->previous == COR_NONE)
        return cor_efsm_reach_distance(reach, t->target, next) == ring - 1;
    if (transition != trap->previous)
        return false;
    /* The second of a pair: does any input cover it from the state behind the first? */
    for (uint32_t i = 0; i < trap->transition_count; i++) {
        const uint32_t last = trap->transitions[i];
        const struct cor_efsm_label *input = &model->inputs[model->transitions[last].input];
        if (model->transitions[last].source != t->target)
            continue;
        cor_efsm_first_values(model, input->parameters, input->parameter_count, next);
        do
            if (cor_efsm_enabled(model, last, next) && cor_efsm_hits(model, trap, last, next))
                return true;
        while (cor_efsm_next_values(model, input->parameters, input->parameter_count, next));
    }
    return false;
}

uint32_t cor_efsm_reach_longest(const struct cor_efsm_reach *reach, uint32_t location) {
    uint32_t longest = 0;
    if (reach->definition.backend == COR_EFSM_SYMBOLIC) {
        const struct efsm__layers *layers = &reach->symbolic.layers[location];
        return layers->cubes.count > 0 ? layers->born[layers->cubes.count - 1] : 0;
    }
    const struct efsm__explicit *e = &reach->explicit;
    for (uint64_t s = location * e->state_count; s < (location + 1) * e->state_count; s++)
        longest = e->distance[s] != COR_EFSM_FAR && e->distance[s] > longest ? e->distance[s] : longest;
    return longest;
}

/* Points listed one by one, for the explicit back end: collected, and said as cubes unless they are too many.
 */
struct list {
    struct efsm__space space;
    struct efsm__cubes points;
    uint64_t count;
};

static void list_point(struct list *list, const struct cor_efsm *model, const int64_t *values, bool inputs,
                       const struct cor_efsm_label *input) {
    struct efsm__cube cube;
    if (++list->count > LISTED_MAX || !efsm__cube_init(&list->space, &cube))
        return;
    for (uint32_t v = 0; v < model->variable_count; v++)
        if (model->variables[v].kind == COR_EFSM_STATE)
            cube.low[v] = cube.high[v] = values[v];
    for (uint32_t p = 0; inputs && p < input->parameter_count; p++) {
        const uint32_t v = input->parameters[p];
        cube.low[v] = cube.high[v] = values[v];
    }
    efsm__cubes_add_take(&list->space, &list->points, &cube);
}

static enum cor_status say_list(struct list *list, const char *what, char **text, struct cor_error *error) {
    if (list->count <= LISTED_MAX) {
        efsm__cubes_tidy(&list->space, &list->points);
        *text = efsm__cubes_text(&list->space, &list->points);
    } else {
        *text = cor_format("(%llu %s)", (unsigned long long)list->count, what);
    }
    efsm__cubes_fini(&list->points);
    efsm__space_fini(&list->space);
    const enum cor_status status = list->space.status != COR_OK ? list->space.status : cor_made(*text, error);
    if (status != COR_OK) {
        free(*text);
        *text = NULL;
    }
    return status;
}

static enum cor_status say_cubes(const struct cor_efsm_reach *reach, struct efsm__cubes *cubes,
                                 enum cor_status status, char **text, struct cor_error *error) {
    *text = status == COR_OK ? efsm__cubes_text(&reach->symbolic.space, cubes) : NULL;
    efsm__cubes_fini(cubes);
    return status == COR_OK ? cor_made(*text, error) : status;
}

enum cor_status cor_efsm_reach_location_text(const struct cor_efsm_reach *reach, uint32_t location,
                                             uint32_t ring, char **text, struct cor_error *error) {
    if (reach->definition.backend == COR_EFSM_EXPLICIT) {
        const struct cor_efsm *model = reach->definition.model;
        const struct efsm__explicit *e = &reach->explicit;
        struct list list = {.count = 0};
        int64_t values[COR_EFSM_VARIABLES_MAX];
        /* All states of the location, whatever their ring, are the whole space: no need to list them. */
        bool is_whole = true;
        for (uint64_t s = location * e->state_count; s < (location + 1) * e->state_count && is_whole; s++)
            is_whole = e->distance[s] != COR_EFSM_FAR && (ring == 0 || e->distance[s] == ring);
        if (is_whole) {
            *text = cor_strdup("true");
            return cor_made(*text, error);
        }
        efsm__space_init(&list.space, model, error);
        cor_efsm_start(model, values);
        cor_efsm_first_values(model, e->variables, e->variable_count, values);
        uint64_t state = location * e->state_count;
        do {
            const uint32_t distance = e->distance[state++];
            if (distance != COR_EFSM_FAR && (ring == 0 || distance == ring))
                list_point(&list, model, values, false, NULL);
        } while (cor_efsm_next_values(model, e->variables, e->variable_count, values));
        return say_list(&list, "states", text, error);
    }
    struct efsm__cubes cubes = {0};
    const enum cor_status status = efsm__symbolic_ring(reach, location, ring, &cubes, error);
    return say_cubes(reach, &cubes, status, text, error);
}

uint32_t cor_efsm_reach_among(const struct cor_efsm_reach *reach, uint32_t location, uint32_t within,
                              uint32_t *among) {
    COR_ASSERT(reach->definition.backend == COR_EFSM_SYMBOLIC);
    const struct efsm__layers *layers = &reach->symbolic.layers[location];
    const uint32_t most = within == 0 ? reach->symbolic.reached[location].count : layers->cubes.count;
    uint32_t count = 0;
    for (uint32_t c = 0; c < most; c++)
        if (within == 0 || efsm__is_within(layers, c, within)) {
            if (among)
                among[count] = c;
            count++;
        }
    return count;
}

uint64_t cor_efsm_reach_degree(const struct cor_efsm_reach *reach, uint32_t location, const int64_t *low,
                               const int64_t *high) {
    COR_ASSERT(reach->definition.backend == COR_EFSM_SYMBOLIC);
    return efsm__cubes_degree(&reach->symbolic.space, &reach->symbolic.reached[location], low, high);
}

uint64_t cor_efsm_reach_degree_among(const struct cor_efsm_reach *reach, uint32_t location, uint32_t within,
                                     const int64_t *low, const int64_t *high, uint64_t far, uint32_t *among,
                                     uint32_t *count) {
    COR_ASSERT(reach->definition.backend == COR_EFSM_SYMBOLIC);
    return efsm__cubes_degree_among(&reach->symbolic.space,
                                    within == 0 ? &reach->symbolic.reached[location]
                                                : &reach->symbolic.layers[location].cubes,
                                    low, high, far, among, count);
}

bool cor_efsm_reach_is_everywhere(const struct cor_efsm_reach *reach, uint32_t location) {
    COR_ASSERT(reach->definition.backend == COR_EFSM_SYMBOLIC);
    const struct efsm__space *space = &reach->symbolic.space;
    const struct efsm__cubes *cubes = &reach->symbolic.reached[location];
    for (uint32_t c = 0; c < cubes->count; c++) {
        const struct efsm__cube *cube = &cubes->cubes[c];
        bool is_whole = cube->atom_count == 0;
        for (uint32_t v = 0; v < space->count && is_whole; v++)
            is_whole = cube->low[v] <= space->low[v] && cube->high[v] >= space->high[v];
        if (is_whole)
            return true;
    }
    return false;
}

enum cor_status cor_efsm_reach_guard_text(const struct cor_efsm_reach *reach, uint32_t transition,
                                          uint32_t ring, char **text, struct cor_error *error) {
    if (reach->definition.backend == COR_EFSM_EXPLICIT) {
        const struct cor_efsm *model = reach->definition.model;
        const struct efsm__explicit *e = &reach->explicit;
        const struct cor_efsm_transition *t = &model->transitions[transition];
        const struct cor_efsm_label *input = &model->inputs[t->input];
        struct list list = {.count = 0};
        int64_t values[COR_EFSM_VARIABLES_MAX];
        efsm__space_init(&list.space, model, error);
        cor_efsm_start(model, values);
        cor_efsm_first_values(model, e->variables, e->variable_count, values);
        uint64_t state = t->source * e->state_count;
        do {
            if (e->distance[state++] != ring)
                continue;
            cor_efsm_first_values(model, input->parameters, input->parameter_count, values);
            do
                if (cor_efsm_reach_is_first(reach, transition, values))
                    list_point(&list, model, values, true, input);
            while (cor_efsm_next_values(model, input->parameters, input->parameter_count, values));
        } while (cor_efsm_next_values(model, e->variables, e->variable_count, values));
        return say_list(&list, "states and inputs", text, error);
    }
    struct efsm__cubes cubes = {0};
    const enum cor_status status = efsm__symbolic_guard(reach, transition, ring, &cubes, error);
    return say_cubes(reach, &cubes, status, text, error);
}

/* ---- one distance for each state, by breadth-first search backwards. States that a transition cannot tell
 * apart
 * - they differ only in variables that it overwrites without reading - share one entry, a view: what resets
 * everything has one view instead of one for each state */

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

static uint64_t explicit_number(const struct cor_efsm_reach *reach, uint32_t location,
                                const int64_t *values) {
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
                                      (uint32_t)explicit_number(s->reach, target, next)};
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
        const uint64_t state = explicit_number(s->reach, source, values);
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
    const uint64_t start = explicit_number(s->reach, s->model->initial, values);
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
        COR_FREED uint32_t *first = cor_calloc(count, sizeof *first);
        COR_TRY(cor_made(first, error));
        memcpy(first, s->queue, count * sizeof *first);
        for (uint64_t i = 0; i < count; i++)
            s->e->distance[first[i]] = COR_EFSM_FAR;
        s->queue_count = 0;
        for (uint64_t i = 0; i < count; i++)
            reach_sources(s, first[i], trap->previous, 2);
        memset(s->entered, 0, s->view_count * sizeof *s->entered);
        ring = 2;
    }
    uint64_t done = 0;
    summary->end = COR_EFSM_END_FIXPOINT;
    while (done < s->queue_count && !ends(s, ring, &summary->end)) {
        const uint64_t end = s->queue_count;
        efsm__say_ring(&s->reach->definition, ring + 1, end, "states");
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
    COR_TRY(cor_made(s->entered = cor_calloc(s->view_count, sizeof *s->entered), error));
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

static enum cor_status explicit_run(struct cor_efsm_reach *reach, struct cor_error *error) {
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
    COR_FREE(s.views, s.edges, s.sources, s.start, s.entered, s.queue);
    return status;
}

/* ---- constraints found off line, as a file and read from it. Each cube is a condition over integers,
 * whatever its variables are in the model, and is read as it was kept: nothing is concluded from it again */

#define FORMAT "efsm-constraints/1"
#define BYTES_MAX ((size_t)256 << 20) /* 100 rings of billing_wide of the library: above 128 MB */
#define REMEDY "make it again: corridor efsm reach MODEL.json --goal GOAL -o FILE"

enum cor_status cor_efsm_constraints_find(const struct cor_efsm *model, const struct cor_efsm_goal *goal,
                                          uint32_t depth, bool from_start, cor_efsm_doing *doing,
                                          struct cor_efsm_constraints *constraints, struct cor_error *error) {
    *constraints = (struct cor_efsm_constraints){.model = model, .goal = goal, .depth = depth};
    constraints->reach = cor_calloc(goal->trap_count + goal->way_count, sizeof(struct cor_efsm_reach *));
    COR_TRY(cor_made(constraints->reach, error));
    for (uint32_t i = 0; i < goal->trap_count + goal->way_count; i++) {
        struct cor_efsm_reach_definition definition =
            cor_default_efsm_reach(model, &goal->traps[i], COR_EFSM_SYMBOLIC);
        definition.depth = depth;
        definition.until_initial = true;
        definition.from_start = from_start;
        definition.doing = doing;
        COR_TRY(cor_efsm_reach_create(&definition, &constraints->reach[i], error));
    }
    return COR_OK;
}

void cor_efsm_constraints_fini(struct cor_efsm_constraints *constraints) {
    for (uint32_t i = 0;
         constraints->reach && i < constraints->goal->trap_count + constraints->goal->way_count; i++)
        cor_efsm_reach_destroy(constraints->reach[i]);
    free(constraints->reach);
    *constraints = (struct cor_efsm_constraints){0};
}

/* Fingerprints: of all that rings depend on, so that titles and goals of a model may change. */

static uint64_t hash_text(uint64_t hash, const char *text) {
    return cor_hash_bytes(hash, text, strlen(text));
}

static uint64_t hash_expression(uint64_t hash, const struct cor_expression *expression) {
    hash = cor_hash_word(hash, expression->node_count);
    for (uint32_t n = 0; n < expression->node_count; n++) {
        const struct cor_node *node = &expression->nodes[n];
        hash = cor_hash_word(hash, (uint64_t)node->operator);
        if (node->operator== COR_OPERATOR_CONSTANT)
            hash = cor_hash_word(hash, (uint64_t)node->constant);
        else if (node->operator== COR_OPERATOR_VARIABLE)
            hash = cor_hash_word(hash, node->variable);
        else
            hash = cor_hash_word(cor_hash_word(hash, node->left), node->right);
    }
    return hash;
}

static uint64_t hash_transition(uint64_t hash, const struct cor_efsm *model,
                                const struct cor_efsm_transition *t) {
    hash = cor_hash_word(hash_text(hash, t->id), t->source);
    hash = cor_hash_word(cor_hash_word(hash, t->target), t->input);
    hash = cor_hash_word(hash_expression(hash, &t->guard), t->update_count);
    for (uint32_t u = 0; u < t->update_count; u++)
        hash = hash_expression(cor_hash_word(hash, t->updates[u].variable), &t->updates[u].value);
    for (uint32_t o = 0; o < t->output_count; o++) {
        hash = cor_hash_word(hash, t->outputs[o].label);
        for (uint32_t a = 0; a < model->outputs[t->outputs[o].label].parameter_count; a++)
            hash = hash_expression(hash, &t->outputs[o].arguments[a]);
    }
    return hash;
}

static uint64_t hash_labels(uint64_t hash, const struct cor_efsm_label *labels, uint32_t count) {
    for (uint32_t l = 0; l < count; l++) {
        hash = cor_hash_word(hash, labels[l].parameter_count);
        for (uint32_t p = 0; p < labels[l].parameter_count; p++)
            hash = cor_hash_word(hash, labels[l].parameters[p]);
    }
    return hash;
}

static uint64_t fingerprint_of(const struct cor_efsm *model) {
    uint64_t hash = cor_hash_word(COR_HASH_SEED, model->variable_count);
    for (uint32_t v = 0; v < model->variable_count; v++) {
        const struct cor_efsm_variable *variable = &model->variables[v];
        hash = cor_hash_word(hash_text(hash, variable->name), (uint64_t)variable->kind);
        hash = cor_hash_word(cor_hash_word(hash, (uint64_t)variable->low), (uint64_t)variable->high);
        hash = cor_hash_word(hash, (uint64_t)variable->initial);
    }
    hash = cor_hash_word(cor_hash_word(hash, model->location_count), model->initial);
    for (uint32_t l = 0; l < model->location_count; l++)
        hash = hash_text(hash, model->location_names[l]);
    hash = hash_labels(hash, model->inputs, model->input_count);
    hash = hash_labels(hash, model->outputs, model->output_count);
    for (uint32_t t = 0; t < model->transition_count; t++)
        hash = hash_transition(hash, model, &model->transitions[t]);
    return hash;
}

static uint64_t fingerprint_of_trap(const struct cor_efsm_trap *trap) {
    uint64_t hash = cor_hash_word(COR_HASH_SEED, trap->previous);
    for (uint32_t i = 0; i < trap->transition_count; i++)
        hash = cor_hash_word(hash, trap->transitions[i]);
    return hash_expression(hash, &trap->constraint);
}

/* Writing. */

/* A file being written; `content` is the checksum of what was put so far. */
struct writing {
    struct cor_json_writer *writer;
    const struct efsm__space *space;
    uint64_t content;
    bool is_out_of_memory;
};

static void put_cube(struct writing *w, const struct efsm__cube *cube) {
    COR_FREED char *text = efsm__cube_text(w->space, cube);
    w->is_out_of_memory = w->is_out_of_memory || !text;
    if (text) {
        cor_json_put_string(w->writer, NULL, text);
        w->content = hash_text(w->content, text);
    }
}

/* The cubes that came with a ring and are spare from `until` on. */
static void put_group(struct writing *w, const struct efsm__layers *layers, uint32_t from, uint32_t end,
                      uint32_t until) {
    const uint32_t ring = layers->born[from];
    cor_json_open_object(w->writer, NULL);
    cor_json_put_integer(w->writer, "ring", ring);
    if (until != EFSM__NEVER)
        cor_json_put_integer(w->writer, "until", until);
    w->content = cor_hash_word(cor_hash_word(w->content, ring), until);
    cor_json_open_array(w->writer, "any_of");
    for (uint32_t c = from; c < end; c++)
        if (layers->spare_from[c] == until)
            put_cube(w, &layers->cubes.cubes[c]);
    cor_json_close(w->writer);
    cor_json_close(w->writer);
}

/* Ring by ring, in each by where cubes become spare. One that is so at once counts for nothing. */
static void put_rings(struct writing *w, const struct efsm__layers *layers) {
    for (uint32_t from = 0, end; from < layers->cubes.count; from = end) {
        for (end = from; end < layers->cubes.count && layers->born[end] == layers->born[from];)
            end++;
        for (uint32_t after = layers->born[from], until; after != EFSM__NEVER; after = until) {
            until = EFSM__NEVER;
            bool any = false;
            for (uint32_t c = from; c < end; c++)
                if (layers->spare_from[c] > after && layers->spare_from[c] <= until) {
                    until = layers->spare_from[c];
                    any = true;
                }
            if (any)
                put_group(w, layers, from, end, until);
        }
    }
}

static void put_trap(struct writing *w, const struct cor_efsm_reach *reach,
                     const struct cor_efsm_trap *trap) {
    const struct cor_efsm *model = w->space->model;
    cor_json_open_object(w->writer, NULL);
    cor_json_put_string(w->writer, "trap", trap->id);
    cor_json_put_word(w->writer, "fingerprint", fingerprint_of_trap(trap));
    cor_json_put_string(w->writer, "end", cor_efsm_end_word(reach->summary.end));
    cor_json_put_integer(w->writer, "rings", reach->summary.rings);
    cor_json_open_array(w->writer, "locations");
    w->content = cor_hash_word(cor_hash_word(w->content, (uint64_t)reach->summary.end), reach->summary.rings);
    for (uint32_t l = 0; l < model->location_count; l++) {
        if (reach->symbolic.layers[l].cubes.count == 0)
            continue;
        w->content = cor_hash_word(w->content, l);
        cor_json_open_object(w->writer, NULL);
        cor_json_put_string(w->writer, "location", model->location_names[l]);
        cor_json_open_array(w->writer, "rings");
        put_rings(w, &reach->symbolic.layers[l]);
        cor_json_close(w->writer);
        cor_json_open_array(w->writer, "all");
        for (uint32_t c = 0; c < reach->symbolic.reached[l].count; c++)
            put_cube(w, &reach->symbolic.reached[l].cubes[c]);
        cor_json_close(w->writer);
        cor_json_close(w->writer);
    }
    cor_json_close(w->writer);
    cor_json_close(w->writer);
}

enum cor_status cor_efsm_constraints_text(const struct cor_efsm_constraints *constraints, char **text,
                                          struct cor_error *error) {
    struct efsm__space space;
    struct writing w = {.space = &space, .content = COR_HASH_SEED};
    efsm__space_init(&space, constraints->model, error);
    *text = NULL;
    COR_TRY(cor_json_writer_create(&w.writer, error));
    cor_json_open_object(w.writer, NULL);
    cor_json_put_string(w.writer, "format", FORMAT);
    cor_json_put_string(w.writer, "model", constraints->model->name);
    cor_json_put_word(w.writer, "fingerprint", fingerprint_of(constraints->model));
    cor_json_put_string(w.writer, "goal", constraints->goal->name);
    cor_json_put_integer(w.writer, "depth", constraints->depth);
    cor_json_open_array(w.writer, "traps");
    for (uint32_t i = 0; i < constraints->goal->trap_count + constraints->goal->way_count; i++)
        put_trap(&w, constraints->reach[i], &constraints->goal->traps[i]);
    cor_json_close(w.writer);
    cor_json_put_word(w.writer, "checksum", w.content);
    cor_json_close(w.writer);
    COR_TRY(cor_json_text_take(w.writer, 1, text, error));
    const bool is_too_large = strlen(*text) > BYTES_MAX;
    if (!w.is_out_of_memory && !is_too_large)
        return COR_OK;
    free(*text);
    *text = NULL;
    return w.is_out_of_memory
               ? cor_fail_memory(error)
               : cor_fail(error, COR_STATUS_INPUT, constraints->model->name, "find fewer rings (--depth)",
                          "its constraints make a file of more than %zu MB, which is not read "
                          "again",
                          BYTES_MAX >> 20);
}

/* Reading. */

/* A file being read, and what the table of the part that is looked at fills. */
struct reading {
    struct cor_efsm_constraints *constraints;
    struct efsm__space space;
    uint64_t content, checksum, fingerprint;
    const char *format, *model, *goal, *trap_id, *name;
    int end;
    uint32_t trap, location, depth, rings, ring, until;
};

static enum cor_status read_cube(struct reading *r, const struct cor_json *json, struct efsm__cube *cube,
                                 struct cor_error *error) {
    const char *text, *wrong;
    COR_TRY(cor_json_string(json, &text, error));
    if (!efsm__cube_init(&r->space, cube))
        return r->space.status;
    r->content = hash_text(r->content, text);
    wrong = efsm__cube_read(&r->space, text, cube);
    if (!wrong && r->space.status == COR_OK)
        return COR_OK;
    efsm__cube_fini(cube);
    return r->space.status != COR_OK
               ? r->space.status
               : cor_json_fail(json, error, "ranges and sums, as \"x >= 3 && x + 2 * y <= 7\"",
                               "is no constraint of this model from \"%.40s\" on", wrong);
}

static struct cor_efsm_reach *reach_of(struct reading *r) {
    return r->constraints->reach[r->trap];
}

static enum cor_status read_any_of(const struct cor_json *json, void *into, struct cor_error *error) {
    struct reading *r = into;
    struct efsm__layers *layers = &reach_of(r)->symbolic.layers[r->location];
    const uint32_t count = layers->cubes.count;
    if (r->until <= r->ring || r->ring > r->rings || (count > 0 && layers->born[count - 1] > r->ring))
        return cor_json_fail(json->parent, error, REMEDY,
                             "rings are counted up to \"rings\", and \"until\" is a later one");
    COR_TRY(cor_json_expect_array(json, 1, UINT32_MAX, error));
    r->content = cor_hash_word(cor_hash_word(r->content, r->ring), r->until);
    COR_JSON_CHILDREN(item, json) {
        struct efsm__cube cube;
        COR_TRY(read_cube(r, &item, &cube, error));
        efsm__layers_restore_take(&r->space, layers, r->ring, r->until, &cube);
        COR_TRY(r->space.status);
    }
    return COR_OK;
}

static enum cor_status read_rings(const struct cor_json *json, void *into, struct cor_error *error) {
    static const struct cor_field fields[] = {
        {"ring", COR_REQUIRED, COR_INTEGER_FIELD(struct reading, ring, 1, UINT32_MAX - 1)},
        {"until", COR_OPTIONAL, COR_INTEGER_FIELD(struct reading, until, 1, UINT32_MAX - 1)},
        {"any_of", COR_REQUIRED, COR_READ_FIELD(read_any_of)},
        {0}};
    struct reading *r = into;
    COR_TRY(cor_json_expect_array(json, 1, UINT32_MAX, error));
    COR_JSON_CHILDREN(item, json) {
        r->until = EFSM__NEVER;
        COR_TRY(cor_json_fields(&item, fields, r, error));
    }
    return COR_OK;
}

static enum cor_status read_all(const struct cor_json *json, void *into, struct cor_error *error) {
    struct reading *r = into;
    COR_TRY(cor_json_expect_array(json, 1, UINT32_MAX, error));
    COR_JSON_CHILDREN(item, json) {
        struct efsm__cube cube;
        COR_TRY(read_cube(r, &item, &cube, error));
        efsm__cubes_add_take(&r->space, &reach_of(r)->symbolic.reached[r->location], &cube);
        COR_TRY(r->space.status);
    }
    return COR_OK;
}

static enum cor_status read_location(const struct cor_json *json, void *into, struct cor_error *error) {
    struct reading *r = into;
    const struct cor_efsm *model = r->constraints->model;
    COR_TRY(cor_json_string(json, &r->name, error));
    for (r->location = 0; r->location < model->location_count; r->location++)
        if (strcmp(model->location_names[r->location], r->name) == 0)
            break;
    if (r->location == model->location_count)
        return cor_json_fail(json, error, REMEDY, "the model has no location \"%s\"", r->name);
    if (reach_of(r)->symbolic.layers[r->location].cubes.count > 0)
        return cor_json_fail(json, error, REMEDY, "location \"%s\" is there twice", r->name);
    r->content = cor_hash_word(r->content, r->location);
    return COR_OK;
}

static enum cor_status read_locations(const struct cor_json *json, void *into, struct cor_error *error) {
    static const struct cor_field fields[] = {{"location", COR_REQUIRED, COR_READ_FIELD(read_location)},
                                              {"rings", COR_REQUIRED, COR_READ_FIELD(read_rings)},
                                              {"all", COR_REQUIRED, COR_READ_FIELD(read_all)},
                                              {0}};
    struct reading *r = into;
    struct cor_efsm_reach *reach = reach_of(r);
    const struct cor_efsm_trap *trap = reach->definition.trap;
    if (strcmp(r->trap_id, trap->id) != 0 || r->fingerprint != fingerprint_of_trap(trap))
        return cor_json_fail(json->parent, error, REMEDY,
                             "is of a trap \"%s\"; the goal has changed since, \"%s\" stands there now",
                             r->trap_id, trap->id);
    r->content = cor_hash_word(cor_hash_word(r->content, (uint64_t)r->end), r->rings);
    COR_TRY(cor_json_expect_array(json, 0, UINT32_MAX, error));
    COR_JSON_CHILDREN(item, json)
        COR_TRY(cor_json_fields(&item, fields, r, error));
    efsm__symbolic_restored(reach, (enum cor_efsm_end)r->end, r->rings);
    return COR_OK;
}

static enum cor_status read_trap(struct reading *r, const struct cor_json *json, struct cor_error *error) {
    static const char *const ends[] = {"fixpoint", "initial state",     "depth",
                                       "budget",   "beyond arithmetic", NULL};
    static const struct cor_field fields[] = {
        {"trap", COR_REQUIRED, COR_STRING_FIELD(struct reading, trap_id)},
        {"fingerprint", COR_REQUIRED, COR_SEED_FIELD(struct reading, fingerprint)},
        {"end", COR_REQUIRED, COR_ONE_OF_FIELD(struct reading, end, ends, 0, "end")},
        {"rings", COR_REQUIRED, COR_INTEGER_FIELD(struct reading, rings, 0, UINT32_MAX - 1)},
        {"locations", COR_REQUIRED, COR_READ_FIELD(read_locations)},
        {0}};
    const struct cor_efsm_constraints *c = r->constraints;
    const struct cor_efsm_trap *trap = &c->goal->traps[r->trap];
    struct cor_efsm_reach_definition definition = cor_default_efsm_reach(c->model, trap, COR_EFSM_SYMBOLIC);
    definition.depth = r->depth;
    definition.until_initial = true;
    COR_TRY(reach_begin(&definition, &c->reach[r->trap], error));
    return cor_json_fields(json, fields, r, error);
}

static enum cor_status read_traps(const struct cor_json *json, void *into, struct cor_error *error) {
    struct reading *r = into;
    struct cor_efsm_constraints *c = r->constraints;
    if (r->fingerprint != fingerprint_of(c->model))
        return strcmp(r->model, c->model->name) != 0
                   ? cor_json_fail(json->parent, error, REMEDY,
                                   "was made for another model, \"%s\", not for \"%s\"", r->model,
                                   c->model->name)
                   : cor_json_fail(json->parent, error, REMEDY,
                                   "the model \"%s\" has changed since it was made", r->model);
    if (strcmp(r->goal, c->goal->name) != 0)
        return cor_json_fail(json->parent, error, REMEDY,
                             "has the constraints of the goal \"%s\", not of \"%s\"", r->goal, c->goal->name);
    const uint32_t ways = c->goal->trap_count + c->goal->way_count;
    COR_TRY(cor_json_expect_array(json, ways, ways, error));
    c->depth = r->depth;
    for (r->trap = 0; r->trap < ways; r->trap++) {
        const struct cor_json item = cor_json_at(json, r->trap);
        COR_TRY(read_trap(r, &item, error));
    }
    return COR_OK;
}

static enum cor_status read_checksum(const struct cor_json *json, void *into, struct cor_error *error) {
    struct reading *r = into;
    COR_TRY(cor_json_word(json, &r->checksum, error));
    if (r->checksum != r->content)
        return cor_json_fail(json, error, REMEDY,
                             "does not fit the constraints: the file was changed or damaged");
    return COR_OK;
}

static enum cor_status read_format(const struct cor_json *json, void *into, struct cor_error *error) {
    struct reading *r = into;
    COR_TRY(cor_json_string(json, &r->format, error));
    return strcmp(r->format, FORMAT) == 0
               ? COR_OK
               : cor_json_fail(json, error, "\"" FORMAT "\"", "unknown format \"%s\"", r->format);
}

enum cor_status cor_efsm_constraints_read(const char *path, const struct cor_efsm *model,
                                          const struct cor_efsm_goal *goal,
                                          struct cor_efsm_constraints *constraints, struct cor_error *error) {
    static const struct cor_field fields[] = {
        {"format", COR_REQUIRED, COR_READ_FIELD(read_format)},
        {"model", COR_REQUIRED, COR_STRING_FIELD(struct reading, model)},
        {"fingerprint", COR_REQUIRED, COR_SEED_FIELD(struct reading, fingerprint)},
        {"goal", COR_REQUIRED, COR_STRING_FIELD(struct reading, goal)},
        {"depth", COR_REQUIRED, COR_INTEGER_FIELD(struct reading, depth, 0, 1000000)},
        {"traps", COR_REQUIRED, COR_READ_FIELD(read_traps)},
        {"checksum", COR_REQUIRED, COR_READ_FIELD(read_checksum)},
        {0}};
    struct reading r = {.constraints = constraints, .content = COR_HASH_SEED};
    COR_DESTROYED(cor_json) struct cor_json_document *document = NULL;
    enum cor_status status = COR_OK;
    *constraints = (struct cor_efsm_constraints){.model = model, .goal = goal};
    constraints->reach = cor_calloc(goal->trap_count + goal->way_count, sizeof(struct cor_efsm_reach *));
    COR_TRY(cor_made(constraints->reach, error));
    efsm__space_init(&r.space, model, error);
    COR_TRY_OUT(cor_json_read_large(path, BYTES_MAX, &document, error));
    const struct cor_json root = cor_json_root(document);
    COR_TRY_OUT(cor_json_expect_kind(&root, COR_KIND_CONSTRAINTS, error));
    COR_TRY_OUT(cor_json_fields(&root, fields, &r, error));
out:
    efsm__space_fini(&r.space);
    if (status != COR_OK)
        cor_efsm_constraints_fini(constraints);
    return status;
}
