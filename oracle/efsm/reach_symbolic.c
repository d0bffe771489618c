/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rings as constraints. Ring k + 1 of a location is the union over its transitions of: guard and domains, the
 * successor in ring k, not in an earlier ring - with the inputs eliminated. */
#include "moves.h"
#include "reach.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

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

/* States and inputs from which the transition leads into one of the cubes `behind`. */
static void lead_into(struct efsm__space *space, const struct cor_efsm_transition *t,
                      const struct efsm__moves *moves, const struct efsm__cubes *behind,
                      struct efsm__cubes *into) {
    for (uint32_t m = 0; m < moves->count; m++)
        for (uint32_t b = 0; b < behind->count; b++) {
            struct efsm__cube cube;
            if (!efsm__cube_copy(space, &moves->moves[m].where, &cube))
                return;
            require_behind(space, t, &moves->moves[m], &behind->cubes[b], &cube);
            if (efsm__cube_settle(space, &cube))
                efsm__cubes_add_take(space, into, &cube);
            else
                efsm__cube_fini(&cube);
        }
}

/* The states of the cubes, whatever the inputs. */
static void eliminate_inputs(struct efsm__space *space, const struct cor_efsm_transition *t,
                             const struct efsm__cubes *from, struct efsm__cubes *into) {
    const struct cor_efsm_label *input = &space->model->inputs[t->input];
    struct efsm__cubes now = {0};
    efsm__cubes_append(space, &now, from);
    for (uint32_t p = 0; p < input->parameter_count; p++) {
        struct efsm__cubes next = {0};
        for (uint32_t c = 0; c < now.count; c++)
            efsm__cube_eliminate(space, &now.cubes[c], input->parameters[p], &next);
        efsm__cubes_fini(&now);
        efsm__cubes_tidy(space, &next);
        now = next;
    }
    efsm__cubes_append(space, into, &now);
    efsm__cubes_fini(&now);
}

struct search {
    struct cor_efsm_reach *reach;
    struct efsm__symbolic *s;
    struct efsm__moves *moves; /* owned; [transition] */
};

static struct efsm__cubes *ring_of(const struct efsm__symbolic *s, uint32_t ring, uint32_t location) {
    return &s->rings[(size_t)(ring - 1) * s->space.model->location_count + location];
}

static struct efsm__cubes *guard_of(const struct efsm__symbolic *s, uint32_t ring, uint32_t transition) {
    return &s->guards[(size_t)(ring - 1) * s->space.model->transition_count + transition];
}

/* Room for one ring more. */
static enum cor_status add_ring(struct efsm__symbolic *s) {
    const struct cor_efsm *model = s->space.model;
    const size_t rings = s->ring_count + 1;
    struct efsm__cubes *locations = realloc(s->rings, rings * model->location_count * sizeof *locations);
    if (!locations)
        return cor_fail_memory(s->space.error);
    s->rings = locations;
    struct efsm__cubes *guards = realloc(s->guards, rings * model->transition_count * sizeof *guards);
    if (!guards)
        return cor_fail_memory(s->space.error);
    s->guards = guards;
    memset(s->rings + s->ring_count * model->location_count, 0, model->location_count * sizeof *locations);
    memset(s->guards + s->ring_count * model->transition_count, 0, model->transition_count * sizeof *guards);
    s->ring_count++;
    return COR_OK;
}

/* Takes what led nearer already out of a guarding constraint, and adds its states to the ring under way. */
static void enter_ring(struct search *search, uint32_t ring, uint32_t transition) {
    struct efsm__symbolic *s = search->s;
    const struct cor_efsm_transition *t = &s->space.model->transitions[transition];
    struct efsm__cubes *guard = guard_of(s, ring, transition), states = {0};
    efsm__cubes_subtract_all(&s->space, guard, &s->reached[t->source]);
    efsm__cubes_tidy(&s->space, guard);
    eliminate_inputs(&s->space, t, guard, &states);
    efsm__cubes_append(&s->space, ring_of(s, ring, t->source), &states);
    efsm__cubes_fini(&states);
}

/* The ring is complete: apart, tidy, and counted. Whether it holds anything. */
static bool close_ring(struct search *search, uint32_t ring) {
    struct efsm__symbolic *s = search->s;
    bool any = false;
    for (uint32_t l = 0; l < s->space.model->location_count; l++) {
        struct efsm__cubes *cubes = ring_of(s, ring, l), apart = {0};
        efsm__cubes_tidy(&s->space, cubes);
        for (uint32_t c = 0; c < cubes->count;
             c++) { /* no state twice, or later differences cut it to pieces */
            struct efsm__cubes one = {0};
            struct efsm__cube copy;
            if (efsm__cube_copy(&s->space, &cubes->cubes[c], &copy))
                efsm__cubes_add_take(&s->space, &one, &copy);
            efsm__cubes_subtract_all(&s->space, &one, &apart);
            efsm__cubes_append(&s->space, &apart, &one);
            efsm__cubes_fini(&one);
        }
        efsm__cubes_tidy(&s->space, &apart);
        efsm__cubes_fini(cubes);
        *cubes = apart;
        efsm__cubes_append(&s->space, &s->reached[l], cubes);
        efsm__cubes_tidy(&s->space, &s->reached[l]);
        s->cubes += cubes->count;
        any = any || cubes->count > 0;
    }
    return any;
}

static void next_ring(struct search *search, uint32_t ring) {
    struct efsm__symbolic *s = search->s;
    for (uint32_t t = 0; t < s->space.model->transition_count; t++) {
        const struct cor_efsm_transition *transition = &s->space.model->transitions[t];
        lead_into(&s->space, transition, &search->moves[t], ring_of(s, ring - 1, transition->target),
                  guard_of(s, ring, t));
        enter_ring(search, ring, t);
    }
}

static bool starts_in(const struct efsm__symbolic *s) {
    int64_t values[COR_EFSM_VARIABLES_MAX];
    cor_efsm_start(s->space.model, values);
    return efsm__cubes_have(&s->space, &s->reached[s->space.model->initial], values);
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
    else if (s->cubes > definition->cube_budget)
        *end = COR_EFSM_END_BUDGET;
    else
        return false;
    return true;
}

static enum cor_status search_rings(struct search *search) {
    struct efsm__symbolic *s = search->s;
    const struct cor_efsm_trap *trap = search->reach->definition.trap;
    uint32_t ring = 1;
    COR_TRY(add_ring(s));
    /* Ring 1: the trap's transitions, where its constraint holds. */
    for (uint32_t i = 0; i < trap->transition_count; i++) {
        const uint32_t transition = trap->transitions[i];
        struct efsm__cubes *guard = guard_of(s, 1, transition);
        for (uint32_t m = 0; m < search->moves[transition].count; m++) {
            const struct efsm__cube *where = &search->moves[transition].moves[m].where;
            struct efsm__cube copy;
            if (trap->constraint.node_count > 0)
                efsm__expression_cubes(&s->space, &trap->constraint, where, guard);
            else if (efsm__cube_copy(&s->space, where, &copy))
                efsm__cubes_add_take(&s->space, guard, &copy);
        }
        enter_ring(search, 1, transition);
    }
    if (trap->previous != COR_NONE) {
        /* Ring 2 of a trap that wants another transition right before: that one, into ring 1, which is none
         * of its own. */
        const struct cor_efsm_transition *before = &s->space.model->transitions[trap->previous];
        COR_TRY(add_ring(s));
        lead_into(&s->space, before, &search->moves[trap->previous], ring_of(s, 1, before->target),
                  guard_of(s, 2, trap->previous));
        enter_ring(search, 2, trap->previous);
        for (uint32_t l = 0; l < s->space.model->location_count; l++)
            efsm__cubes_fini(ring_of(s, 1, l));
        ring = 2;
    }
    bool any = close_ring(search, ring);
    while (s->space.status == COR_OK && !ends(search, ring, any, &search->reach->summary.end)) {
        COR_TRY(add_ring(s));
        next_ring(search, ++ring);
        any = close_ring(search, ring);
    }
    search->reach->summary.rings = any ? ring : trap->previous != COR_NONE && ring == 2 ? 0 : ring - 1;
    return s->space.status;
}

enum cor_status efsm__symbolic_run(struct cor_efsm_reach *reach, struct cor_error *error) {
    struct efsm__symbolic *s = &reach->symbolic;
    const struct cor_efsm *model = reach->definition.model;
    enum cor_status status = COR_OK;
    struct search search = {reach, s, cor_calloc(model->transition_count, sizeof *search.moves)};
    efsm__space_init(&s->space, model, error);
    s->reached = cor_calloc(model->location_count, sizeof *s->reached);
    if (!search.moves || !s->reached)
        COR_TRY_OUT(cor_fail_memory(error));
    for (uint32_t t = 0; t < model->transition_count; t++)
        efsm__moves_make(&s->space, &model->transitions[t], &search.moves[t]);
    COR_TRY_OUT(s->space.status);
    COR_TRY_OUT(search_rings(&search));
    reach->summary.cubes = s->cubes;
    reach->summary.asked = efsm__space_statistics(&s->space);
    reach->summary.by_bounds = s->space.eliminated_by_bounds;
    reach->summary.by_values = s->space.eliminated_by_values;
    reach->summary.by_z3 = s->space.eliminated_by_z3;
out:
    for (uint32_t t = 0; search.moves && t < model->transition_count; t++)
        efsm__moves_fini(&search.moves[t]);
    free(search.moves);
    efsm__space_fini(&s->space); /* z3's process; the cubes stay */
    s->space.error = NULL;       /* the caller's, for the search alone */
    return status;
}

void efsm__symbolic_fini(struct cor_efsm_reach *reach) {
    struct efsm__symbolic *s = &reach->symbolic;
    const struct cor_efsm *model = reach->definition.model;
    for (size_t i = 0; s->rings && i < (size_t)s->ring_count * model->location_count; i++)
        efsm__cubes_fini(&s->rings[i]);
    for (size_t i = 0; s->guards && i < (size_t)s->ring_count * model->transition_count; i++)
        efsm__cubes_fini(&s->guards[i]);
    for (uint32_t l = 0; s->reached && l < model->location_count; l++)
        efsm__cubes_fini(&s->reached[l]);
    free(s->rings);
    free(s->guards);
    free(s->reached);
}
