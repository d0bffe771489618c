/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The decision of chi-RPT: off-line constraints where one holds (figure 4), else the candidate that comes
 * nearest to one (figures 5 and 6); the tabu list learns what came of it (figure 7). What the paper leaves
 * open is settled in docs/evidence/efsm-tables.md. No solver is asked. */
#include "chi_rpt.h"

#include "planners.h"

#include <corridor/array.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Components first: what is still open where the system is comes before a move that the control graph cannot
 * take back. */
enum scope {
    SCOPE_ALL,     /* nothing is open in this component */
    SCOPE_LEAVING, /* traps on moves out of it alone */
    SCOPE_STAYING  /* traps on moves within it */
};

struct chi {
    struct cor_planner_definition definition;
    struct plan__offline offline;
    struct plan__tabu tabu;
    bool *was_emptied;                /* owned; [trap * locations + location] its tabu list, once ("LT") */
    uint64_t *discarded;              /* owned; set of traps */
    bool *was_alone;                  /* owned; [trap] a round began with it alone */
    uint32_t alone, next;             /* the trap that this round began with, COR_NONE = none; where to look
                                         for that of the next */
    enum scope scope;                 /* of the choice under way */
    uint32_t under_way;               /* trap that constraints lead to, COR_NONE = none */
    struct cor_candidate *candidates; /* owned */
    int64_t *values;                  /* owned; [candidate][variable]: state and parameters */
    unsigned char *inputs;            /* owned; [candidate][input_size] */
    uint32_t count;
    size_t candidate_capacity, value_capacity, input_capacity;
    bool is_heuristic;                 /* the last choice: the first of the candidates */
    uint32_t questions, optimisations; /* of this choice: what figures 4 to 6 ask a solver */
    struct cor_error *error;
};

/* Where the system is, and what is covered. */
struct place {
    uint32_t location, last;
    const uint64_t *covered;
    int64_t values[COR_EFSM_VARIABLES_MAX];
};

/* A way from either location to the other, guards aside? */
static bool are_together(const struct chi *chi, uint32_t a, uint32_t b) {
    const uint32_t n = chi->offline.model->location_count;
    return chi->offline.distance[a * n + b] != COR_NONE && chi->offline.distance[b * n + a] != COR_NONE;
}

static bool leaves(const struct chi *chi, uint32_t transition) {
    const struct cor_efsm_transition *t = &chi->offline.model->transitions[transition];
    return !are_together(chi, t->source, t->target);
}

/* Whether the trap is on a move within the component of the location, or out of it. */
static bool is_in_scope(const struct chi *chi, uint32_t trap, uint32_t location, enum scope scope) {
    const struct cor_efsm_trap *of = &chi->offline.goal->traps[trap];
    if (scope == SCOPE_ALL)
        return true;
    for (uint32_t i = 0; i < of->transition_count; i++)
        if (are_together(chi, location, chi->offline.model->transitions[of->transitions[i]].source) &&
            leaves(chi, of->transitions[i]) == (scope == SCOPE_LEAVING))
            return true;
    return false;
}

/* Neither covered nor given up, and all it waits for is covered ("Tr+"); in a round that began with one trap
 * alone, that one. */
static bool is_open(const struct chi *chi, uint32_t trap, const uint64_t *covered) {
    const struct cor_planning_problem *problem = chi->definition.problem;
    const uint64_t *after = problem->after + (size_t)trap * problem->trap_words;
    if (cor_trap_is_in(covered, trap) || cor_trap_is_in(chi->discarded, trap) ||
        (chi->alone != COR_NONE && chi->alone != trap))
        return false;
    for (uint32_t w = 0; w < problem->trap_words; w++)
        if (after[w] & ~covered[w])
            return false;
    return true;
}

static bool is_wanted(const struct chi *chi, const struct place *place, uint32_t trap) {
    return is_open(chi, trap, place->covered) && is_in_scope(chi, trap, place->location, chi->scope);
}

/* Whether the choice may take it: not out of the component while something is open there, but to cover that.
 */
static bool may_take(const struct chi *chi, const struct place *place, uint32_t transition) {
    if (chi->scope == SCOPE_ALL || !leaves(chi, transition))
        return true;
    for (uint32_t i = 0; i < chi->offline.goal->trap_count && chi->scope == SCOPE_LEAVING; i++) {
        const struct cor_efsm_trap *trap = &chi->offline.goal->traps[i];
        for (uint32_t j = 0; j < trap->transition_count && is_wanted(chi, place, i); j++)
            if (trap->transitions[j] == transition)
                return true;
    }
    return false;
}

/* The narrowest scope in which a trap is open. False: none is, anywhere. */
static bool find_scope(struct chi *chi, const struct place *place) {
    for (int scope = SCOPE_STAYING; scope >= SCOPE_ALL; scope--) {
        chi->scope = (enum scope)scope;
        for (uint32_t i = 0; i < chi->definition.problem->trap_count; i++)
            if (is_wanted(chi, place, i))
                return true;
    }
    return false;
}

/* Constraints (figure 4). */

/* The open trap with fewest moves left, of several the last; the one under way while its constraint holds;
 * COR_NONE. */
static uint32_t choose_trap(struct chi *chi, const struct place *place, uint32_t *ring) {
    uint32_t chosen = COR_NONE;
    *ring = COR_EFSM_FAR;
    for (uint32_t i = 0; i < chi->definition.problem->trap_count; i++) {
        if (!is_wanted(chi, place, i))
            continue;
        const uint32_t found =
            plan__offline_ring(&chi->offline, i, place->location, place->values, place->last);
        if (found != COR_EFSM_FAR && (found <= *ring || i == chi->under_way)) {
            *ring = found;
            chosen = i;
        }
        if (i == chi->under_way && found != COR_EFSM_FAR)
            return i;
    }
    return chosen;
}

/* What a transition from ring `ring` of the trap has to reach; false: it cannot be the one. */
static bool aim_at_ring(const struct chi *chi, uint32_t trap, uint32_t ring, uint32_t transition,
                        struct plan__aim *aim) {
    const struct cor_efsm_trap *of = &chi->offline.goal->traps[trap];
    *aim = (struct plan__aim){.trap = trap, .near = chi->offline.model->transitions[transition].target};
    if (ring == 1) {
        aim->at_trap = true;
        for (uint32_t i = 0; i < of->transition_count; i++)
            if (of->transitions[i] == transition)
                return true;
        return false;
    }
    if (ring == 2 && of->previous != COR_NONE) {
        aim->at_first = true;
        return transition == of->previous;
    }
    aim->ring = ring - 1;
    return cor_efsm_reach_among(chi->offline.reach[trap], aim->near, aim->ring, NULL) > 0;
}

/* A move into the next ring: one that forces the system if there is one, in the model's order. */
static bool find_move(struct chi *chi, const struct place *place, uint32_t trap, uint32_t ring,
                      struct plan__found *found, struct cor_candidate *move) {
    const struct cor_efsm *model = chi->offline.model;
    struct plan__aim aim;
    for (int strength = PLAN__STRENGTH_ALL; strength <= PLAN__STRENGTH_NONE; strength++)
        for (uint32_t t = 0; t < model->transition_count; t++) {
            if (model->transitions[t].source != place->location || !may_take(chi, place, t) ||
                !aim_at_ring(chi, trap, ring, t, &aim))
                continue;
            chi->questions++;
            plan__input_search(&chi->offline, NULL, t, (enum plan__strength)strength, &aim, place->values,
                               found);
            if (!found->any || found->degree != 0)
                continue;
            *move = (struct cor_candidate){.label = t,
                                           .trap = trap,
                                           .near = aim.near,
                                           .distance = 1,
                                           .fitness = 1,
                                           .is_forced = strength == PLAN__STRENGTH_ALL};
            return true;
        }
    return false;
}

/* Candidates (figure 5). */

static enum cor_status keep(struct chi *chi, const struct cor_candidate *candidate, const int64_t *values) {
    const uint32_t width = chi->offline.model->variable_count;
    COR_TRY(COR_RESERVE(&chi->candidates, &chi->candidate_capacity, chi->count + 1, chi->error));
    COR_TRY(COR_RESERVE(&chi->values, &chi->value_capacity, ((size_t)chi->count + 1) * width, chi->error));
    if (width > 0) /* of a model without variables there is nothing */
        memcpy(chi->values + (size_t)chi->count * width, values, width * sizeof *values);
    chi->candidates[chi->count++] = *candidate;
    return COR_OK;
}

static uint64_t square(uint64_t a) {
    uint64_t product;
    return __builtin_mul_overflow(a, a, &product) ? COR_DEGREE_INFINITE : product;
}

static uint64_t fitness_of(uint32_t distance, uint64_t degree) {
    uint64_t sum;
    return distance == COR_NONE || __builtin_add_overflow(square(distance), square(degree), &sum)
               ? COR_DEGREE_INFINITE
               : sum;
}

/* The input of a transition towards a neighbourhood. Rivals are kept away as far as the state allows it at
 * all: that the tabu list holds all such inputs weakens nothing. */
static bool find_input(struct chi *chi, const struct place *place, uint32_t transition,
                       const struct plan__aim *aim, struct plan__found *found, bool *is_forced) {
    struct plan__offline *o = &chi->offline;
    const bool has_rivals = o->first_rival[transition] < o->first_rival[transition + 1];
    for (int i = PLAN__STRENGTH_ALL; i <= (has_rivals ? PLAN__STRENGTH_NONE : PLAN__STRENGTH_ALL); i++) {
        const enum plan__strength strength = (enum plan__strength)i;
        struct plan__aim any = *aim;
        struct plan__found untold;
        *is_forced = strength == PLAN__STRENGTH_ALL;
        plan__input_search(o, &chi->tabu, transition, strength, aim, place->values, found);
        if (found->any || !plan__tabu_knows(&chi->tabu, aim->trap, place->location, place->values)) {
            if (found->any)
                return true;
            continue;
        }
        any.any_will_do = true;
        plan__input_search(o, NULL, transition, strength, &any, place->values, &untold);
        if (untold.any)
            return false;
    }
    return false;
}

/* A transition towards each location of the neighbourhood. */
static enum cor_status add_transition(struct chi *chi, const struct place *place, uint32_t trap,
                                      uint32_t transition) {
    const struct plan__offline *o = &chi->offline;
    const uint32_t n = o->model->location_count, index = trap * n + place->location;
    chi->questions++;
    for (uint32_t i = o->first_near[index]; i < o->first_near[index + 1]; i++) {
        struct plan__aim aim = {.trap = trap, .near = o->near[i]};
        struct plan__found found;
        bool is_forced;
        aim.any_will_do = chi->definition.optimised != 0;
        if (!find_input(chi, place, transition, &aim, &found, &is_forced))
            return COR_OK; /* whatever the location */
        const uint32_t rest = o->distance[o->model->transitions[transition].target * n + aim.near];
        const uint32_t distance = rest == COR_NONE ? COR_NONE : rest + 1;
        const struct cor_candidate candidate = {.label = transition,
                                                .trap = trap,
                                                .near = aim.near,
                                                .distance = distance,
                                                .degree = found.degree,
                                                .fitness = fitness_of(distance, found.degree),
                                                .is_forced = is_forced};
        COR_TRY(keep(chi, &candidate, found.values));
    }
    return COR_OK;
}

/* All moves towards one trap. In the second run none may go to and fro between locations whose lists were
 * emptied before. */
static enum cor_status add_trap(struct chi *chi, const struct place *place, uint32_t trap, int run) {
    const struct cor_efsm *model = chi->offline.model;
    const bool *was_emptied = chi->was_emptied + (size_t)trap * model->location_count;
    const uint32_t before = chi->count;
    for (uint32_t t = 0; t < model->transition_count; t++) {
        const struct cor_efsm_transition *transition = &model->transitions[t];
        if (transition->source != place->location || !may_take(chi, place, t) ||
            (run == 1 && was_emptied[transition->source] && was_emptied[transition->target]))
            continue;
        COR_TRY(add_transition(chi, place, trap, t));
    }
    if (chi->count > before)
        return COR_OK;
    if (run == 0) {
        plan__tabu_empty(&chi->tabu, trap, place->location);
        chi->was_emptied[(size_t)trap * model->location_count + place->location] = true;
    } else {
        cor_trap_add(chi->discarded, trap);
    }
    return COR_OK;
}

/* The best (figure 6). */

/* The tie rule is not in the paper, which is reproduced move by move with it: the nearer location, then the
 * later transition. Between traps nothing that is printed decides; here, too, the later. */
static bool is_better(const struct cor_candidate *a, const struct cor_candidate *b) {
    if (a->fitness != b->fitness)
        return a->fitness < b->fitness;
    if (a->distance != b->distance)
        return a->distance < b->distance;
    if (a->label != b->label)
        return a->label > b->label;
    return a->trap != b->trap ? a->trap > b->trap : a->near < b->near;
}

/* By insertion: they are few. */
static void sort(struct chi *chi, uint32_t count) {
    for (uint32_t i = 1; i < count; i++)
        for (uint32_t j = i; j > 0 && is_better(&chi->candidates[j], &chi->candidates[j - 1]); j--) {
            const uint32_t b = j - 1;
            const uint32_t width = chi->offline.model->variable_count;
            const struct cor_candidate candidate = chi->candidates[j];
            int64_t values[COR_EFSM_VARIABLES_MAX];
            chi->candidates[j] = chi->candidates[b];
            chi->candidates[b] = candidate;
            memcpy(values, chi->values + (size_t)j * width, width * sizeof *values);
            memcpy(chi->values + (size_t)j * width, chi->values + (size_t)b * width, width * sizeof *values);
            memcpy(chi->values + (size_t)b * width, values, width * sizeof *values);
        }
}

/* Inputs for the least degree, of the best candidates; only these are weighed against each other then. */
static void optimise(struct chi *chi, const struct place *place) {
    const uint32_t width = chi->offline.model->variable_count;
    const uint32_t most = chi->definition.optimised;
    sort(chi, chi->count);
    chi->optimisations = chi->count;
    if (most == 0)
        return;
    chi->count = chi->optimisations = chi->count < most ? chi->count : most;
    for (uint32_t i = 0; i < chi->count; i++) {
        struct cor_candidate *c = &chi->candidates[i];
        const struct plan__aim aim = {.trap = c->trap, .near = c->near};
        struct plan__found found;
        if (!find_input(chi, place, c->label, &aim, &found, &c->is_forced))
            continue;
        c->degree = found.degree;
        c->fitness = fitness_of(c->distance, c->degree);
        memcpy(chi->values + (size_t)i * width, found.values, width * sizeof *found.values);
    }
    sort(chi, chi->count);
}

/* The planner. */

static void destroy(void *self) {
    struct chi *chi = self;
    if (!chi)
        return;
    plan__offline_fini(&chi->offline);
    plan__tabu_fini(&chi->tabu);
    free(chi->was_emptied);
    free(chi->discarded);
    free(chi->was_alone);
    free(chi->candidates);
    free(chi->values);
    free(chi->inputs);
    free(chi);
}

static enum cor_status create(const struct cor_planner_definition *definition, void **self,
                              struct cor_error *error) {
    if (!definition->model || !definition->efsm)
        return cor_fail(error, COR_STATUS_INPUT, "planner \"paper\"", "take planner \"search\"",
                        "it plans over models of systems alone");
    struct chi *chi = cor_calloc(1, sizeof *chi);
    COR_TRY(cor_made(chi, error));
    chi->definition = *definition;
    enum cor_status status = COR_OK;
    const struct cor_planner_definition *d = &chi->definition;
    const uint32_t traps = d->problem->trap_count;
    chi->under_way = chi->alone = COR_NONE;
    chi->was_alone = cor_calloc(traps, sizeof *chi->was_alone);
    chi->discarded = cor_calloc(d->problem->trap_words, sizeof *chi->discarded);
    chi->was_emptied = cor_calloc((size_t)traps * d->model->location_count, sizeof *chi->was_emptied);
    if (!chi->discarded || !chi->was_emptied || !chi->was_alone)
        COR_TRY_OUT(cor_fail_memory(error));
    COR_TRY_OUT(plan__tabu_create(d->model, traps, &chi->tabu, error));
    status = plan__offline_create(d->model, d->goal, d->depth, d->constraints, &chi->offline, error);
out:
    if (status != COR_OK) {
        destroy(chi);
        return status;
    }
    *self = chi;
    return COR_OK;
}

/* Says what was chosen: the first candidate. */
static enum cor_status say(struct chi *chi, struct cor_choice *choice) {
    const struct cor_efsm *model = chi->offline.model;
    const size_t size = chi->definition.problem->input_size;
    COR_TRY(COR_RESERVE(&chi->inputs, &chi->input_capacity, chi->count * size, chi->error));
    for (uint32_t i = 0; i < chi->count; i++) {
        struct cor_candidate *c = &chi->candidates[i];
        c->input = chi->inputs + i * size;
        cor_efsm_problem_pack_input(chi->definition.efsm, model->transitions[c->label].input,
                                    chi->values + (size_t)i * model->variable_count, chi->inputs + i * size);
    }
    choice->advice = COR_ADVICE_INPUT;
    choice->input = chi->candidates[0].input;
    choice->candidates = chi->count;
    choice->weighed = chi->candidates;
    choice->degree = chi->candidates[0].degree;
    choice->label = chi->candidates[0].label;
    choice->method = chi->is_heuristic ? "heuristics" : "off-line constraints";
    choice->by_constraints = !chi->is_heuristic;
    return COR_OK;
}

/* A move towards what is open in the scope; none: what is open there was given up. */
static enum cor_status decide_within(struct chi *chi, const struct place *place) {
    struct cor_candidate move;
    struct plan__found found;
    uint32_t ring;
    chi->under_way = choose_trap(chi, place, &ring);
    chi->is_heuristic = false;
    chi->count = 0;
    if (chi->under_way != COR_NONE && find_move(chi, place, chi->under_way, ring, &found, &move))
        return keep(chi, &move, found.values);
    for (int run = 0; run < 2 && chi->count == 0; run++)
        for (uint32_t i = 0; i < chi->definition.problem->trap_count; i++)
            if (is_wanted(chi, place, i))
                COR_TRY(add_trap(chi, place, i, run));
    if (chi->count > 0) {
        optimise(chi, place);
        chi->is_heuristic = true;
    }
    return COR_OK;
}

static enum cor_status decide(struct chi *chi, const struct place *place, struct cor_choice *choice) {
    chi->count = 0;
    while (chi->count == 0) {
        if (chi->alone != COR_NONE && !is_open(chi, chi->alone, place->covered))
            chi->alone = COR_NONE;
        if (!find_scope(chi, place)) {
            choice->advice = COR_ADVICE_GIVE_UP;
            choice->method =
                "chi-RPT gave up what is left, which proves nothing; whether there is a way is not known";
            return COR_OK;
        }
        COR_TRY(decide_within(chi, place));
    }
    return say(chi, choice);
}

static enum cor_status choose(void *self, const void *state, const uint64_t *covered,
                              struct cor_choice *choice, struct cor_error *error) {
    struct chi *chi = self;
    struct place place = {.covered = covered};
    *choice = (struct cor_choice){.left = COR_NONE,
                                  .label = COR_NONE,
                                  .expected = (double)NAN,
                                  .proof = COR_PROOF_NONE,
                                  .degree = COR_DEGREE_INFINITE,
                                  .discarded = chi->discarded};
    if (cor_all_covered(chi->definition.problem, covered)) {
        choice->advice = COR_ADVICE_COVERED;
        return COR_OK;
    }
    chi->error = error;
    chi->questions = chi->optimisations = 0;
    cor_efsm_start(chi->offline.model, place.values);
    cor_efsm_problem_unpack(chi->definition.efsm, state, &place.location, place.values, &place.last);
    const enum cor_status status = decide(chi, &place, choice);
    choice->questions = chi->questions;
    choice->optimisations = chi->optimisations;
    return status;
}

/* Figure 7: what the system did is tabu from this state; if it was already, what was meant is, or a rival
 * that cannot be kept away would be tried for ever. */
static enum cor_status observe(void *self, const void *state, const void *input, uint32_t label,
                               const void *next, struct cor_error *error) {
    struct chi *chi = self;
    (void)state, (void)input, (void)next;
    if (!chi->is_heuristic || chi->count == 0)
        return COR_OK;
    const struct cor_candidate *best = &chi->candidates[0];
    const bool is_known = plan__tabu_has(&chi->tabu, best->trap, label, chi->values);
    return plan__tabu_add(&chi->tabu, best->trap, is_known ? best->label : label, chi->values, error);
}

/* What was given up is tried again: from the start it may be within reach. A round begins with one such trap
 * alone, lest others lead it astray as before, and knows nothing of what was tried - unless it began so
 * before, which would be the same round again. */
static void restart(void *self) {
    struct chi *chi = self;
    const uint32_t traps = chi->definition.problem->trap_count;
    const size_t locations = chi->offline.model->location_count;
    chi->alone = chi->under_way = COR_NONE;
    for (uint32_t i = 0; i < traps && chi->alone == COR_NONE; i++)
        if (cor_trap_is_in(chi->discarded, (chi->next + i) % traps))
            chi->alone = (chi->next + i) % traps;
    for (uint32_t i = 0; i < traps; i++)
        for (uint32_t l = 0; l < locations && !(i == chi->alone && chi->was_alone[i]); l++)
            plan__tabu_empty(&chi->tabu, i, l);
    if (chi->alone != COR_NONE) {
        chi->was_alone[chi->alone] = true;
        chi->next = chi->alone + 1;
    }
    memset(chi->was_emptied, 0, traps * locations * sizeof *chi->was_emptied);
    memset(chi->discarded, 0, chi->definition.problem->trap_words * sizeof *chi->discarded);
    chi->count = 0;
    chi->is_heuristic = false;
}

const struct cor_planner_kind plan__planner_paper = {
    .name = "paper",
    .summary = "chi-RPT of paper 004: off-line constraints to a depth, and heuristics on the way to them",
    .create = create,
    .destroy = destroy,
    .choose = choose,
    .observe = observe,
    .restart = restart,
};
