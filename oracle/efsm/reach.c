/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One interface for both back ends. */
#include "reach.h"

#include <corridor/array.h>

#include <stdlib.h>

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

static uint32_t initial_distance(const struct cor_efsm_reach *reach) {
    int64_t values[COR_EFSM_VARIABLES_MAX];
    cor_efsm_start(reach->definition.model, values);
    return cor_efsm_reach_distance(reach, reach->definition.model->initial, values);
}

enum cor_status efsm__reach_begin(const struct cor_efsm_reach_definition *definition,
                                  struct cor_efsm_reach **reach, struct cor_error *error) {
    *reach = cor_calloc(1, sizeof **reach);
    COR_TRY(cor_made(*reach, error));
    (*reach)->definition = *definition;
    return efsm__symbolic_begin(*reach, error);
}

enum cor_status cor_efsm_reach_create(const struct cor_efsm_reach_definition *definition,
                                      struct cor_efsm_reach **reach, struct cor_error *error) {
    *reach = cor_calloc(1, sizeof **reach);
    COR_TRY(cor_made(*reach, error));
    (*reach)->definition = *definition;
    const enum cor_status status = definition->backend == COR_EFSM_EXPLICIT
                                       ? efsm__explicit_run(*reach, error)
                                       : efsm__symbolic_run(*reach, error);
    if (status != COR_OK) {
        cor_efsm_reach_destroy(*reach);
        *reach = NULL;
        return status;
    }
    (*reach)->summary.initial = initial_distance(*reach);
    return COR_OK;
}

void cor_efsm_reach_destroy(struct cor_efsm_reach *reach) {
    if (!reach)
        return;
    efsm__explicit_fini(&reach->explicit);
    efsm__symbolic_fini(reach);
    free(reach);
}

struct cor_efsm_reach_summary cor_efsm_reach_summary(const struct cor_efsm_reach *reach) {
    return reach->summary;
}

uint32_t cor_efsm_reach_distance(const struct cor_efsm_reach *reach, uint32_t location,
                                 const int64_t *values) {
    if (reach->definition.backend == COR_EFSM_EXPLICIT)
        return reach->explicit.distance[efsm__explicit_number(reach, location, values)];
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
