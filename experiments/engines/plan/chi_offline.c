/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Off-line analysis of chi-RPT (paper 004, section 3.1): constraints of bounded depth, distances in the
 * control graph, and for each trap and location the neighbourhood: where to go for a known constraint. */
#include "chi_rpt.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

/* Floyd and Warshall; 0 on the diagonal. */
static enum cor_status measure_graph(struct plan__offline *o, struct cor_error *error) {
    const uint32_t n = o->model->location_count;
    o->distance = cor_calloc((size_t)n * n, sizeof *o->distance);
    COR_TRY(cor_made(o->distance, error));
    memset(o->distance, 0xff, (size_t)n * n * sizeof *o->distance);
    for (uint32_t t = 0; t < o->model->transition_count; t++)
        o->distance[o->model->transitions[t].source * n + o->model->transitions[t].target] = 1;
    for (uint32_t l = 0; l < n; l++)
        o->distance[l * n + l] = 0;
    for (uint32_t by = 0; by < n; by++)
        for (uint32_t from = 0; from < n; from++)
            for (uint32_t to = 0; to < n && o->distance[from * n + by] != COR_NONE; to++) {
                const uint32_t rest = o->distance[by * n + to];
                uint32_t *known = &o->distance[from * n + to];
                if (rest != COR_NONE && o->distance[from * n + by] + rest < *known)
                    *known = o->distance[from * n + by] + rest;
            }
    return COR_OK;
}

/* What the constraint of a location says: nothing is known, all states are near, or some. */
enum knowledge { KNOWN_NONE, KNOWN_ALL, KNOWN_SOME };

/* The least distance from the location to another one of which something is known. */
static uint32_t nearest(const struct plan__offline *o, const enum knowledge *known, uint32_t location) {
    const uint32_t n = o->model->location_count;
    uint32_t least = COR_NONE;
    for (uint32_t l = 0; l < n; l++)
        if (l != location && known[l] != KNOWN_NONE && o->distance[location * n + l] < least)
            least = o->distance[location * n + l];
    return least;
}

/* The location itself if it has a constraint, and the closest others that have. Constraints that hold for all
 * states say nothing and go - unless nothing would be left: with trap t13 of Inres at depth 1 the printed
 * rule would leave none, and the trap would be given up at once, which is not what table 2 shows. */
static enum cor_status add_neighbourhood(struct plan__offline *o, const enum knowledge *known, uint32_t index,
                                         uint32_t location, struct cor_error *error) {
    const uint32_t n = o->model->location_count, least = nearest(o, known, location);
    uint32_t count = o->first_near[index];
    for (int keep_all = 0; keep_all < 2 && count == o->first_near[index]; keep_all++)
        for (uint32_t l = 0; l < n; l++) {
            const bool close = l == location || (least != COR_NONE && o->distance[location * n + l] == least);
            if (!close || known[l] == KNOWN_NONE || (known[l] == KNOWN_ALL && !keep_all))
                continue;
            COR_TRY(COR_RESERVE(&o->near, &o->near_capacity, count + 1, error));
            o->near[count++] = l;
        }
    o->first_near[index + 1] = count;
    return COR_OK;
}

static enum cor_status find_neighbourhoods(struct plan__offline *o, struct cor_error *error) {
    const uint32_t n = o->model->location_count;
    enum cor_status status = COR_OK;
    enum knowledge *known = cor_calloc(n, sizeof *known);
    o->first_near = cor_calloc((size_t)o->goal->trap_count * n + 1, sizeof *o->first_near);
    if (!known || !o->first_near)
        COR_TRY_OUT(cor_fail_memory(error));
    for (uint32_t i = 0; i < o->goal->trap_count; i++) {
        for (uint32_t l = 0; l < o->model->location_count; l++)
            known[l] = cor_efsm_reach_longest(o->reach[i], l) == 0    ? KNOWN_NONE
                       : cor_efsm_reach_is_everywhere(o->reach[i], l) ? KNOWN_ALL
                                                                      : KNOWN_SOME;
        for (uint32_t l = 0; l < n; l++)
            COR_TRY_OUT(add_neighbourhood(o, known, i * n + l, l, error));
    }
out:
    free(known);
    return status;
}

/* Others that one input may enable; whether both can be enabled at once is seen in each state. */
static enum cor_status find_rivals(struct plan__offline *o, struct cor_error *error) {
    const struct cor_efsm *model = o->model;
    uint32_t count = 0;
    size_t capacity = 0;
    o->first_rival = cor_calloc(model->transition_count + 1, sizeof *o->first_rival);
    o->varying = cor_calloc(model->transition_count, sizeof *o->varying);
    if (!o->first_rival || !o->varying)
        return cor_fail_memory(error);
    for (uint32_t t = 0; t < model->transition_count; t++) {
        const struct cor_efsm_transition *one = &model->transitions[t];
        for (uint32_t r = 0; r < model->transition_count; r++) {
            const struct cor_efsm_transition *other = &model->transitions[r];
            if (r == t || other->source != one->source || other->input != one->input)
                continue;
            COR_TRY(COR_RESERVE(&o->rivals, &capacity, count + 1, error));
            o->rivals[count++] = r;
        }
        o->first_rival[t + 1] = count;
        /* The updates that read a parameter, as a set: a transition has one for each state variable at
         * most. */
        const struct cor_efsm_label *input = &model->inputs[one->input];
        uint64_t varying = 0;
        COR_ASSERT(one->update_count <= COR_EFSM_VARIABLES_MAX);
        for (uint32_t u = 0; u < one->update_count; u++)
            for (uint32_t p = 0; p < input->parameter_count; p++)
                if (cor_expression_reads(&one->updates[u].value, input->parameters[p]))
                    varying |= UINT64_C(1) << u;
        o->varying[t] = varying;
    }
    o->is_perfect = cor_calloc(count, sizeof *o->is_perfect);
    return cor_made(o->is_perfect, error);
}

enum cor_status plan__offline_create(const struct cor_efsm *model, const struct cor_efsm_goal *goal,
                                     uint32_t depth, const struct cor_efsm_constraints *constraints,
                                     struct plan__offline *offline, struct cor_error *error) {
    *offline = (struct plan__offline){.model = model, .goal = goal};
    if (!constraints)
        COR_TRY(cor_efsm_constraints_find(model, goal, depth, &offline->found, error));
    offline->reach = constraints ? constraints->reach : offline->found.reach;
    COR_TRY(measure_graph(offline, error));
    COR_TRY(find_neighbourhoods(offline, error));
    COR_TRY(find_rivals(offline, error));
    /* Room for the search for an input: the cubes of any constraint, the rivals of any transition. */
    uint32_t most = 1;
    for (uint32_t i = 0; i < offline->goal->trap_count; i++)
        for (uint32_t l = 0; l < offline->model->location_count; l++) {
            for (uint32_t ring = 0; ring <= cor_efsm_reach_summary(offline->reach[i]).rings; ring++) {
                const uint32_t count = cor_efsm_reach_among(offline->reach[i], l, ring, NULL);
                most = count > most ? count : most;
            }
        }
    offline->cubes = cor_calloc(most, sizeof *offline->cubes);
    offline->open_rivals =
        cor_calloc(offline->first_rival[offline->model->transition_count] + 1, sizeof *offline->open_rivals);
    return offline->cubes && offline->open_rivals ? COR_OK : cor_fail_memory(error);
}

void plan__offline_fini(struct plan__offline *offline) {
    cor_efsm_constraints_fini(&offline->found);
    free(offline->distance);
    free(offline->first_near);
    free(offline->near);
    free(offline->first_rival);
    free(offline->rivals);
    free(offline->is_perfect);
    free(offline->varying);
    free(offline->cubes);
    free(offline->open_rivals);
    *offline = (struct plan__offline){0};
}

/* Whether some input covers the second of a pair now, behind the first. */
static bool covers_now(struct plan__offline *o, uint32_t trap, uint32_t location, const int64_t *values) {
    const struct cor_efsm_trap *of = &o->goal->traps[trap];
    const struct plan__aim aim = {.trap = trap, .at_trap = true};
    for (uint32_t i = 0; i < of->transition_count; i++) {
        struct plan__found found;
        if (o->model->transitions[of->transitions[i]].source != location)
            continue;
        plan__input_search(o, NULL, of->transitions[i], PLAN__STRENGTH_NONE, &aim, values, &found);
        if (found.any && found.degree == 0)
            return true;
    }
    return false;
}

uint32_t plan__offline_ring(struct plan__offline *offline, uint32_t trap, uint32_t location,
                            const int64_t *values, uint32_t last) {
    const uint32_t previous = offline->goal->traps[trap].previous;
    if (previous != COR_NONE && previous == last && covers_now(offline, trap, location, values))
        return 1;
    return cor_efsm_reach_distance(offline->reach[trap], location, values);
}
