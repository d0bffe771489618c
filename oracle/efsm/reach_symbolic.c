/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rings as constraints. The states of a location that need at most k moves are a union of cubes, and those
 * that need at most k + 1 are the same and more. So a cube is kept once, with the ring that it came with:
 * ring k is what is in a cube of it and in none of an earlier one, a difference that is not worked out before
 * someone wants to read it. What ring k + 1 adds: for each transition into a cube that is new in ring k,
 * guard and domains, the successor in that cube - with the inputs eliminated -, unless all of this is known
 * already. A cube that lies in a later one is spare from there on: what leads into it leads into the later
 * one, too. */
#include "moves.h"
#include "reach.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

#define APART_MAX 400 /* cubes of a location whose rings are written without overlap */

/* What the successor is held to, with each variable replaced by what is assigned to it. */
static void require_behind(struct efsm__space *space, const struct cor_efsm_transition *t,
                           const struct efsm__move *move, const struct efsm__cube *behind,
                           struct efsm__cube *cube) {
    const struct efsm__linear *form_of[COR_EFSM_VARIABLES_MAX] = {NULL};
    for (uint32_t u = 0; u < t->update_count; u++)
        form_of[t->updates[u].variable] = &move->next[u];
    for (uint32_t v = 0; v < space->count; v++) {
        if (form_of[v]) {
            efsm__cube_require_range(space, cube, form_of[v], behind->low[v], behind->high[v]);
        } else if (space->model->variables[v].kind == COR_EFSM_STATE) {
            cube->low[v] = cube->low[v] > behind->low[v] ? cube->low[v] : behind->low[v];
            cube->high[v] = cube->high[v] < behind->high[v] ? cube->high[v] : behind->high[v];
        }
    }
    for (uint32_t a = 0; a < behind->atom_count; a++) {
        const int64_t *atom = behind->atoms + a * ((size_t)space->count + 1);
        struct efsm__linear form = efsm__linear_of(atom[space->count]);
        for (uint32_t v = 0; v < space->count; v++) {
            struct efsm__linear itself = efsm__linear_of(0);
            itself.coefficient[v] = 1;
            if (atom[v] != 0 && !efsm__linear_add(space, &form, form_of[v] ? form_of[v] : &itself, atom[v]))
                return;
        }
        efsm__cube_require(space, cube, &form);
    }
}

/* States and inputs from which the transition leads into the cube `behind`. */
static void lead_into(struct efsm__space *space, const struct cor_efsm_transition *t,
                      const struct efsm__moves *moves, const struct efsm__cube *behind,
                      struct efsm__cubes *into) {
    for (uint32_t m = 0; m < moves->count; m++) {
        struct efsm__cube cube;
        if (!efsm__cube_copy(space, &moves->moves[m].where, &cube))
            return;
        require_behind(space, t, &moves->moves[m], behind, &cube);
        if (efsm__cube_settle(space, &cube))
            efsm__cubes_add_take(space, into, &cube);
        else
            efsm__cube_fini(&cube);
    }
}

/* The states of the cubes, whatever the inputs. False: that takes z3, and z3 is not `allowed`. */
static bool eliminate_inputs(struct efsm__space *space, const struct cor_efsm_transition *t, bool allowed,
                             const struct efsm__cubes *from, struct efsm__cubes *into) {
    const struct cor_efsm_label *input = &space->model->inputs[t->input];
    struct efsm__cubes now = {0};
    bool done = true;
    efsm__cubes_append(space, &now, from);
    for (uint32_t p = 0; p < input->parameter_count && done; p++) {
        struct efsm__cubes next = {0};
        for (uint32_t c = 0; c < now.count && done; c++) {
            done = allowed || efsm__cube_is_easy(&now.cubes[c], space->count, input->parameters[p]);
            if (done)
                efsm__cube_eliminate(space, &now.cubes[c], input->parameters[p], &next);
        }
        efsm__cubes_fini(&now);
        efsm__cubes_tidy(space, &next);
        now = next;
    }
    if (done)
        efsm__cubes_append(space, into, &now);
    efsm__cubes_fini(&now);
    return done;
}

struct search {
    struct cor_efsm_reach *reach;
    struct efsm__symbolic *s;
    struct efsm__moves *moves; /* owned; [transition] */
};

/* Inputs that no update reads are eliminated from a transition once, not from each cube that it leads into.
 */
static void project_move(struct efsm__space *space, const struct cor_efsm_transition *t,
                         const struct efsm__move *move, struct efsm__moves *projected) {
    const struct cor_efsm_label *input = &space->model->inputs[t->input];
    struct efsm__cubes now = {0};
    struct efsm__cube copy;
    if (efsm__cube_copy(space, &move->where, &copy))
        efsm__cubes_add_take(space, &now, &copy);
    for (uint32_t p = 0; p < input->parameter_count; p++) {
        const uint32_t v = input->parameters[p];
        struct efsm__cubes next = {0};
        bool is_read = false;
        for (uint32_t u = 0; u < t->update_count; u++)
            is_read = is_read || move->next[u].coefficient[v] != 0;
        if (is_read)
            continue;
        for (uint32_t c = 0; c < now.count; c++)
            efsm__cube_eliminate(space, &now.cubes[c], v, &next);
        efsm__cubes_fini(&now);
        efsm__cubes_tidy(space, &next);
        now = next;
    }
    for (uint32_t c = 0; c < now.count; c++) {
        efsm__moves_add_take(space, t, &now.cubes[c], move->next, projected);
        now.cubes[c] = (struct efsm__cube){0};
    }
    efsm__cubes_fini(&now);
}

static void project_moves(struct search *search) {
    struct efsm__space *space = &search->s->space;
    for (uint32_t t = 0; t < space->model->transition_count; t++) {
        struct efsm__moves projected = {0};
        for (uint32_t m = 0; m < search->moves[t].count; m++)
            project_move(space, &space->model->transitions[t], &search->moves[t].moves[m], &projected);
        efsm__moves_fini(&search->moves[t]);
        search->moves[t] = projected;
    }
}

/* Adds the states of a transition's states and inputs. */
static void enter_ring(struct efsm__symbolic *s, uint32_t ring, uint32_t transition,
                       const struct efsm__cubes *from) {
    const struct cor_efsm_transition *t = &s->space.model->transitions[transition];
    struct efsm__cubes states = {0};
    eliminate_inputs(&s->space, t, true, from, &states);
    for (uint32_t c = 0; c < states.count; c++) {
        efsm__layers_add_take(&s->space, &s->layers[t->source], ring, &states.cubes[c]);
        states.cubes[c] = (struct efsm__cube){0};
    }
    efsm__cubes_fini(&states);
}

/* The states and inputs by which the transition covers the trap. */
static void cover_trap(struct efsm__space *space, const struct efsm__moves *moves,
                       const struct cor_efsm_trap *trap, struct efsm__cubes *into) {
    for (uint32_t m = 0; m < moves->count; m++) {
        struct efsm__cube copy;
        if (trap->constraint.node_count > 0)
            efsm__expression_cubes(space, &trap->constraint, &moves->moves[m].where, into);
        else if (efsm__cube_copy(space, &moves->moves[m].where, &copy))
            efsm__cubes_add_take(space, into, &copy);
    }
}

/* The states and inputs by which the transition that a trap wants right before itself leads to where one of
 * its own can cover it. */
static void lead_to_trap(struct efsm__space *space, const struct efsm__moves *moves,
                         const struct cor_efsm_trap *trap, struct efsm__cubes *into) {
    const struct cor_efsm *model = space->model;
    for (uint32_t i = 0; i < trap->transition_count; i++) {
        struct efsm__cubes hit = {0}, states = {0};
        if (model->transitions[trap->transitions[i]].source != model->transitions[trap->previous].target)
            continue;
        cover_trap(space, &moves[trap->transitions[i]], trap, &hit);
        eliminate_inputs(space, &model->transitions[trap->transitions[i]], true, &hit, &states);
        for (uint32_t c = 0; c < states.count; c++)
            lead_into(space, &model->transitions[trap->previous], &moves[trap->previous], &states.cubes[c],
                      into);
        efsm__cubes_fini(&hit);
        efsm__cubes_fini(&states);
    }
}

/* The ring of the trap itself: 1, or 2 where it wants another transition right before. */
static uint32_t first_ring(struct search *search) {
    struct efsm__symbolic *s = search->s;
    const struct cor_efsm_trap *trap = search->reach->definition.trap;
    struct efsm__cubes from = {0};
    if (trap->previous != COR_NONE) {
        lead_to_trap(&s->space, search->moves, trap, &from);
        enter_ring(s, 2, trap->previous, &from);
        efsm__cubes_fini(&from);
        return 2;
    }
    for (uint32_t i = 0; i < trap->transition_count; i++) {
        cover_trap(&s->space, &search->moves[trap->transitions[i]], trap, &from);
        enter_ring(s, 1, trap->transitions[i], &from);
        efsm__cubes_fini(&from);
    }
    return 1;
}

/* Adds what leads by the transition into one cube. False: z3 would have to be asked for it, and is not. */
static bool lead_back(struct search *search, uint32_t ring, uint32_t transition, uint32_t index,
                      bool allowed) {
    struct efsm__symbolic *s = search->s;
    const struct cor_efsm_transition *t = &s->space.model->transitions[transition];
    struct efsm__layers *layers = &s->layers[t->source];
    const struct efsm__cube *behind = &s->layers[t->target].cubes.cubes[index];
    struct efsm__cubes from = {0}, states = {0};
    lead_into(&s->space, t, &search->moves[transition], behind, &from);
    const bool done = eliminate_inputs(&s->space, t, allowed, &from, &states);
    efsm__cubes_fini(&from);
    for (uint32_t c = 0; c < states.count; c++) {
        if (efsm__layers_add_take(&s->space, layers, ring, &states.cubes[c]) && t->source == t->target)
            efsm__layers_continue(&s->space, layers, ring, index);
        states.cubes[c] = (struct efsm__cube){0};
    }
    efsm__cubes_fini(&states);
    return done;
}

/* What leads into cubes that are new in the ring before. A hull whose inputs are not easily eliminated counts
 * for nothing here: it holds no more than the cubes that it was made of, and these are taken instead. */
static void next_ring(struct search *search, uint32_t ring) {
    struct efsm__symbolic *s = search->s;
    for (uint32_t t = 0; t < s->space.model->transition_count; t++) {
        const struct efsm__layers *layers = &s->layers[s->space.model->transitions[t].target];
        for (uint32_t c = layers->cubes.count; c-- > 0 && layers->born[c] + 1 >= ring;) {
            if (layers->born[c] + 1 != ring || layers->spare_from[c] < ring ||
                lead_back(search, ring, t, c, !layers->is_hull[c]))
                continue;
            const struct efsm__cube hull = layers->cubes.cubes[c];
            for (uint32_t part = c; part-- > 0 && layers->born[part] + 1 == ring;)
                if (efsm__cube_contains(&s->space, &hull, &layers->cubes.cubes[part]))
                    lead_back(search, ring, t, part, !layers->is_hull[part]);
        }
    }
}

static bool starts_in(const struct efsm__symbolic *s) {
    int64_t values[COR_EFSM_VARIABLES_MAX];
    cor_efsm_start(s->space.model, values);
    return efsm__cubes_have(&s->space, &s->layers[s->space.model->initial].cubes, values);
}

static uint64_t count_cubes(const struct efsm__symbolic *s) {
    uint64_t count = 0;
    for (uint32_t l = 0; l < s->space.model->location_count; l++)
        count += s->layers[l].cubes.count;
    return count;
}

/* Whether, and why, the search ends behind `ring`. */
static bool ends(struct search *search, uint32_t ring, bool any, enum cor_efsm_end *end) {
    const struct cor_efsm_reach_definition *definition = &search->reach->definition;
    const struct efsm__symbolic *s = search->s;
    if (s->space.beyond)
        *end = COR_EFSM_END_BEYOND;
    else if (!any)
        *end = COR_EFSM_END_FIXPOINT;
    else if (definition->until_initial && starts_in(s))
        *end = COR_EFSM_END_INITIAL;
    else if (efsm__is_too_deep(definition, ring + 1))
        *end = COR_EFSM_END_DEPTH;
    else if (count_cubes(s) > definition->cube_budget)
        *end = COR_EFSM_END_BUDGET;
    else
        return false;
    return true;
}

static enum cor_status search_rings(struct search *search) {
    struct efsm__symbolic *s = search->s;
    uint32_t ring = first_ring(search), last = 0;
    project_moves(search);
    for (uint64_t before = 0; s->space.status == COR_OK; ring++) {
        const uint64_t now = count_cubes(s);
        const bool any = now > before;
        last = any ? ring : last;
        if (ends(search, ring, any, &search->reach->summary.end))
            break;
        before = now;
        next_ring(search, ring + 1);
    }
    search->reach->summary.rings = last;
    return s->space.status;
}

static enum cor_status make_moves(struct efsm__space *space, struct efsm__moves **moves) {
    *moves = cor_calloc(space->model->transition_count, sizeof **moves);
    COR_TRY(cor_made(*moves, space->error));
    for (uint32_t t = 0; t < space->model->transition_count; t++)
        efsm__moves_make(space, &space->model->transitions[t], &(*moves)[t]);
    return space->status;
}

static void free_moves(const struct cor_efsm *model, struct efsm__moves *moves) {
    for (uint32_t t = 0; moves && t < model->transition_count; t++)
        efsm__moves_fini(&moves[t]);
    free(moves);
}

/* Leaves of the cubes what is in no earlier ring, tidy. */
static void leave_new(struct efsm__space *space, const struct efsm__layers *layers, uint32_t ring,
                      struct efsm__cubes *cubes) {
    for (uint32_t c = 0; c < layers->cubes.count; c++)
        if (efsm__is_within(layers, c, ring - 1))
            efsm__cubes_subtract(space, cubes, &layers->cubes.cubes[c]);
    efsm__cubes_tidy(space, cubes);
}

/* The cubes that a ring of a location brought along, less what is in earlier ones. */
static void gather_ring(struct efsm__space *space, const struct efsm__layers *layers, uint32_t ring,
                        struct efsm__cubes *cubes) {
    for (uint32_t c = 0; c < layers->cubes.count; c++) {
        struct efsm__cube copy;
        if (layers->born[c] == ring && layers->spare_from[c] > ring &&
            efsm__cube_copy(space, &layers->cubes.cubes[c], &copy))
            efsm__cubes_add_take(space, cubes, &copy);
    }
    leave_new(space, layers, ring, cubes);
}

/* Takes from each cube what those before it have. */
static void set_apart(struct efsm__space *space, struct efsm__cubes *cubes) {
    struct efsm__cubes apart = {0};
    for (uint32_t c = 0; c < cubes->count; c++) {
        struct efsm__cubes one = {0};
        struct efsm__cube copy;
        if (efsm__cube_copy(space, &cubes->cubes[c], &copy))
            efsm__cubes_add_take(space, &one, &copy);
        efsm__cubes_subtract_all(space, &one, &apart);
        efsm__cubes_append(space, &apart, &one);
        efsm__cubes_fini(&one);
    }
    efsm__cubes_tidy(space, &apart);
    efsm__cubes_fini(cubes);
    *cubes = apart;
}

/* All rings of a location together. Degrees depend on how this is written: of few cubes it is ring by ring,
 * no state twice; of many it is the cubes as they are. */
static void gather_all(struct efsm__space *space, const struct efsm__layers *layers,
                       struct efsm__cubes *cubes) {
    const uint32_t count = layers->cubes.count, last = count > 0 ? layers->born[count - 1] : 0;
    for (uint32_t ring = 1; ring <= last && count <= APART_MAX; ring++) {
        struct efsm__cubes of = {0};
        gather_ring(space, layers, ring, &of);
        set_apart(space, &of);
        efsm__cubes_append(space, cubes, &of);
        efsm__cubes_tidy(space, cubes);
        efsm__cubes_fini(&of);
    }
    for (uint32_t c = 0; c < count && count > APART_MAX; c++) {
        struct efsm__cube copy;
        if (layers->spare_from[c] == EFSM__NEVER && efsm__cube_copy(space, &layers->cubes.cubes[c], &copy))
            efsm__cubes_add_take(space, cubes, &copy);
    }
    efsm__cubes_tidy(space, cubes);
}

enum cor_status efsm__symbolic_ring(const struct cor_efsm_reach *reach, uint32_t location, uint32_t ring,
                                    struct efsm__cubes *cubes, struct cor_error *error) {
    const struct efsm__layers *layers = &reach->symbolic.layers[location];
    struct efsm__space space;
    efsm__space_init(&space, reach->definition.model, error);
    if (ring == 0)
        efsm__cubes_append(&space, cubes, &reach->symbolic.reached[location]);
    else
        gather_ring(&space, layers, ring, cubes);
    efsm__space_fini(&space);
    return space.status;
}

enum cor_status efsm__symbolic_guard(const struct cor_efsm_reach *reach, uint32_t transition, uint32_t ring,
                                     struct efsm__cubes *cubes, struct cor_error *error) {
    const struct cor_efsm *model = reach->definition.model;
    const struct cor_efsm_trap *trap = reach->definition.trap;
    const struct cor_efsm_transition *t = &model->transitions[transition];
    const struct efsm__layers *behind = &reach->symbolic.layers[t->target];
    struct efsm__moves *moves = NULL;
    struct efsm__space space;
    enum cor_status status = COR_OK;
    efsm__space_init(&space, model, error);
    COR_TRY_OUT(make_moves(&space, &moves));
    for (uint32_t i = 0; i < trap->transition_count && ring == 1; i++)
        if (trap->transitions[i] == transition)
            cover_trap(&space, &moves[transition], trap, cubes);
    if (ring == 2 && trap->previous == transition)
        lead_to_trap(&space, moves, trap, cubes);
    for (uint32_t c = 0; c < behind->cubes.count && ring > 1; c++)
        if (efsm__is_within(behind, c, ring - 1))
            lead_into(&space, t, &moves[transition], &behind->cubes.cubes[c], cubes);
    if (ring > 0)
        leave_new(&space, &reach->symbolic.layers[t->source], ring, cubes);
    status = space.status;
out:
    free_moves(model, moves);
    efsm__space_fini(&space);
    return status;
}

enum cor_status efsm__symbolic_begin(struct cor_efsm_reach *reach, struct cor_error *error) {
    struct efsm__symbolic *s = &reach->symbolic;
    efsm__space_init(&s->space, reach->definition.model, error);
    s->layers = cor_calloc(reach->definition.model->location_count, sizeof *s->layers);
    s->reached = cor_calloc(reach->definition.model->location_count, sizeof *s->reached);
    return s->layers && s->reached ? COR_OK : cor_fail_memory(error);
}

void efsm__symbolic_restored(struct cor_efsm_reach *reach, enum cor_efsm_end end, uint32_t rings) {
    reach->symbolic.space.error = NULL; /* the caller's, for reading alone */
    reach->summary.end = end;
    reach->summary.rings = rings;
    reach->summary.cubes = count_cubes(&reach->symbolic);
}

enum cor_status efsm__symbolic_run(struct cor_efsm_reach *reach, struct cor_error *error) {
    struct efsm__symbolic *s = &reach->symbolic;
    const struct cor_efsm *model = reach->definition.model;
    enum cor_status status = COR_OK;
    struct search search = {reach, s, NULL};
    COR_TRY_OUT(efsm__symbolic_begin(reach, error));
    COR_TRY_OUT(make_moves(&s->space, &search.moves));
    COR_TRY_OUT(search_rings(&search));
    for (uint32_t l = 0; l < model->location_count; l++)
        gather_all(&s->space, &s->layers[l], &s->reached[l]);
    COR_TRY_OUT(s->space.status);
    reach->summary.cubes = count_cubes(s);
    reach->summary.asked = efsm__space_statistics(&s->space);
    reach->summary.by_bounds = s->space.eliminated_by_bounds;
    reach->summary.by_values = s->space.eliminated_by_values;
    reach->summary.by_z3 = s->space.eliminated_by_z3;
out:
    free_moves(model, search.moves);
    efsm__space_fini(&s->space); /* z3's process; the cubes stay */
    s->space.error = NULL;       /* the caller's, for the search alone */
    return status;
}

void efsm__symbolic_fini(struct cor_efsm_reach *reach) {
    struct efsm__symbolic *s = &reach->symbolic;
    for (uint32_t l = 0; l < reach->definition.model->location_count; l++) {
        if (s->layers)
            efsm__layers_fini(&s->layers[l]);
        if (s->reached)
            efsm__cubes_fini(&s->reached[l]);
    }
    free(s->reached);
    free(s->layers);
}
