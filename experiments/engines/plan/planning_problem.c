/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "state_graph.h"

#include <corridor/array.h>
#include <corridor/planning_problem.h>

#include <string.h>

uint32_t cor_trap_words(uint32_t trap_count) {
    return trap_count == 0 ? 1 : (trap_count + 63) / 64;
}

bool cor_trap_is_in(const uint64_t *set, uint32_t trap) {
    return set[trap / 64] >> trap % 64 & 1;
}

void cor_trap_add(uint64_t *set, uint32_t trap) {
    set[trap / 64] |= UINT64_C(1) << trap % 64;
}

bool cor_all_covered(const struct cor_planning_problem *problem, const uint64_t *covered) {
    for (uint32_t trap = 0; trap < problem->trap_count; trap++)
        if (!cor_trap_is_in(covered, trap))
            return false;
    return true;
}

uint32_t cor_trap_of_way(const struct cor_planning_problem *problem, uint32_t way) {
    return way < problem->trap_count ? way : problem->way_of[way - problem->trap_count];
}

static bool way_waits(const struct cor_planning_problem *problem, uint32_t way, const uint64_t *covered) {
    const uint64_t *after = problem->after + (size_t)way * problem->trap_words;
    for (uint32_t w = 0; w < problem->trap_words; w++)
        if (after[w] & ~covered[w])
            return true;
    return false;
}

bool cor_way_is_open(const struct cor_planning_problem *problem, uint32_t way, const uint64_t *covered) {
    for (uint32_t w = 0; w < problem->trap_words && problem->denied; w++)
        if (problem->denied[(size_t)way * problem->trap_words + w] & covered[w])
            return false;
    return !way_waits(problem, way, covered);
}

bool cor_trap_waits(const struct cor_planning_problem *problem, uint32_t trap, const uint64_t *covered) {
    bool waits = way_waits(problem, trap, covered);
    for (uint32_t way = problem->trap_count; way < problem->trap_count + problem->way_count && waits; way++)
        waits = cor_trap_of_way(problem, way) != trap || way_waits(problem, way, covered);
    return waits;
}

bool cor_cover(const struct cor_planning_problem *problem, uint64_t *covered, uint64_t *hits) {
    uint64_t gained = 0;
    for (uint32_t w = 0; w < problem->trap_words; w++) {
        const uint64_t open = hits[w] & ~covered[w];
        hits[w] = 0;
        for (uint64_t left = open; left; left &= left - 1) {
            /* Traps stand before their further ways: a word that was looked at may get one more. */
            const uint32_t way = w * 64 + (uint32_t)__builtin_ctzll(left),
                           trap = cor_trap_of_way(problem, way);
            if (!cor_trap_is_in(covered, trap) && cor_way_is_open(problem, way, covered))
                cor_trap_add(hits, trap);
        }
    }
    for (uint32_t w = 0; w < problem->trap_words; w++) {
        covered[w] |= hits[w];
        gained |= hits[w];
    }
    return gained != 0;
}

enum cor_status cor_expand(const struct cor_planning_problem *problem, const void *state,
                           struct cor_expansion *expansion, struct cor_error *error) {
    expansion->input_count = expansion->outcome_count = 0;
    return problem->expand(problem->self, state, expansion, error);
}

enum cor_status cor_expansion_input(const struct cor_planning_problem *problem,
                                    struct cor_expansion *expansion, const void *input,
                                    struct cor_error *error) {
    const uint32_t i = expansion->input_count;
    COR_TRY(
        COR_RESERVE(&expansion->inputs, &expansion->input_capacity, (i + 1) * problem->input_size, error));
    COR_TRY(COR_RESERVE(&expansion->first, &expansion->first_capacity, i + 2, error));
    cor_copy_few(expansion->inputs + i * problem->input_size, input, problem->input_size);
    expansion->first[i] = expansion->first[i + 1] = expansion->outcome_count;
    expansion->input_count++;
    return COR_OK;
}

enum cor_status cor_expansion_outcome(const struct cor_planning_problem *problem,
                                      struct cor_expansion *expansion, struct cor_expanded_outcome outcome,
                                      const void *state, const uint64_t *hits, struct cor_error *error) {
    const uint32_t o = expansion->outcome_count;
    COR_TRY(COR_RESERVE(&expansion->outcomes, &expansion->outcome_capacity, o + 1, error));
    COR_TRY(
        COR_RESERVE(&expansion->states, &expansion->state_capacity, (o + 1) * problem->state_size, error));
    COR_TRY(COR_RESERVE(&expansion->hits, &expansion->hit_capacity, (size_t)(o + 1) * problem->trap_words,
                        error));
    expansion->outcomes[o] = outcome;
    cor_copy_few(expansion->states + o * problem->state_size, state, problem->state_size);
    for (uint32_t w = 0; w < problem->trap_words; w++)
        expansion->hits[(size_t)o * problem->trap_words + w] = hits[w];
    expansion->first[expansion->input_count] = ++expansion->outcome_count;
    return COR_OK;
}

void cor_expansion_fini(struct cor_expansion *expansion) {
    COR_FREE(expansion->inputs, expansion->first, expansion->outcomes, expansion->states, expansion->hits);
    *expansion = (struct cor_expansion){0};
}

/* ---- state graph */

/* Arcs that are kept, per state of the budget: further moves are found again each time. */
#define ARCS_PER_STATE 10

void plan__graph_init(struct plan__graph *graph, const struct cor_planning_problem *problem,
                      uint64_t state_budget) {
    *graph = (struct plan__graph){.problem = problem, .state_budget = state_budget};
    graph->states.size = problem->state_size;
}

/* The number of a state. The first is always found room for; COR_NONE: there is none. */
static enum cor_status graph_state(struct plan__graph *graph, const void *state, uint32_t *number,
                                   struct cor_error *error) {
    if (graph->states.count > 0 && graph->states.count >= graph->state_budget) {
        *number = cor_pool_find(&graph->states, state, graph->states.size);
        graph->is_cut = graph->is_cut || *number == COR_NONE;
        return COR_OK;
    }
    return cor_pool_add(&graph->states, state, graph->states.size, number, error);
}

enum cor_status plan__graph_begin(struct plan__graph *graph, const void *state, uint32_t *number,
                                  struct cor_error *error) {
    COR_TRY(graph_state(graph, state, number, error));
    if (!graph->is_cut && !graph->lacks)
        return COR_OK;
    plan__graph_fini(graph);
    return graph_state(graph, state, number, error);
}

enum cor_status plan__graph_resume(struct plan__graph *graph, const void *state, uint32_t *number,
                                   struct cor_error *error) {
    const bool is_known =
        graph->states.count > 0 && cor_pool_find(&graph->states, state, graph->states.size) != COR_NONE;
    if (!is_known)
        return plan__graph_begin(graph, state, number, error);
    graph->lacks = graph->lacks || graph->is_cut;
    graph->is_cut = false;
    return graph_state(graph, state, number, error);
}

/* The expansion's outcomes as arcs. */
static enum cor_status find_targets(struct plan__graph *graph, struct plan__arc *arcs,
                                    struct cor_error *error) {
    const struct cor_expansion *e = &graph->expansion;
    const uint32_t words = graph->problem->trap_words;
    for (uint32_t o = 0; o < e->outcome_count; o++) {
        arcs[o] =
            (struct plan__arc){.label = e->outcomes[o].label, .probability = e->outcomes[o].probability};
        for (uint32_t w = 0; w < words; w++)
            arcs[o].hits = arcs[o].hits || e->hits[(size_t)o * words + w];
        COR_TRY(graph_state(graph, e->states + o * graph->problem->state_size, &arcs[o].target, error));
    }
    return COR_OK;
}

/* Keeps what the expansion holds as the moves of the state. */
static enum cor_status keep(struct plan__graph *graph, uint32_t state, struct cor_error *error) {
    const struct cor_expansion *e = &graph->expansion;
    const size_t words = graph->problem->trap_words, size = graph->problem->input_size;
    const uint64_t inputs = graph->input_count + e->input_count, arcs = graph->arc_count + e->outcome_count;
    COR_TRY(COR_RESERVE(&graph->first_input, &graph->first_input_capacity, graph->kept + 2, error));
    COR_TRY(COR_RESERVE(&graph->first_arc, &graph->first_arc_capacity, inputs + 1, error));
    COR_TRY(COR_RESERVE(&graph->inputs, &graph->input_capacity, inputs * size + 1, error));
    COR_TRY(COR_RESERVE(&graph->arcs, &graph->arc_capacity, arcs + 1, error));
    COR_TRY(COR_RESERVE(&graph->hits, &graph->hit_capacity, arcs * words + 1, error));
    COR_TRY(find_targets(graph, graph->arcs + graph->arc_count, error));
    graph->first_input[graph->kept] = graph->input_count;
    graph->first_arc[graph->input_count] = (uint32_t)graph->arc_count;
    for (uint32_t i = 0; i < e->input_count; i++)
        graph->first_arc[graph->input_count + i + 1] = (uint32_t)graph->arc_count + e->first[i + 1];
    if (e->input_count > 0)
        memcpy(graph->inputs + graph->input_count * size, e->inputs, e->input_count * size);
    if (e->outcome_count > 0)
        memcpy(graph->hits + graph->arc_count * words, e->hits, e->outcome_count * words * sizeof *e->hits);
    graph->input_count = inputs;
    graph->arc_count = arcs;
    graph->first_input[++graph->kept] = inputs;
    graph->expanded[state] = graph->kept;
    return COR_OK;
}

enum cor_status plan__graph_moves(struct plan__graph *graph, uint32_t state, struct plan__moves *moves,
                                  struct cor_error *error) {
    struct cor_expansion *e = &graph->expansion;
    /* Room for the mark of each state. */
    const size_t before = graph->expanded_capacity;
    if (graph->states.count > before) {
        COR_TRY(COR_RESERVE(&graph->expanded, &graph->expanded_capacity, graph->states.count, error));
        memset(graph->expanded + before, 0, (graph->expanded_capacity - before) * sizeof *graph->expanded);
    }
    if (graph->expanded[state] == 0) {
        COR_TRY(cor_expand(graph->problem, cor_pool_item(&graph->states, state), e, error));
        if (graph->arc_count + e->outcome_count <= graph->state_budget * ARCS_PER_STATE)
            COR_TRY(keep(graph, state, error));
    }
    if (graph->expanded[state] != 0) {
        const uint32_t number = graph->expanded[state] - 1;
        const uint64_t first = graph->first_input[number], arc = graph->first_arc[first];
        *moves = (struct plan__moves){
            .input_count = (uint32_t)(graph->first_input[number + 1] - first),
            .inputs = graph->inputs + first * graph->problem->input_size,
            .first = graph->first_arc + first,
            .arcs = graph->arcs + arc,
            .hits = graph->hits + arc * graph->problem->trap_words,
        };
        return COR_OK;
    }
    COR_TRY(COR_RESERVE(&graph->scratch, &graph->scratch_capacity, e->outcome_count + 1, error));
    COR_TRY(find_targets(graph, graph->scratch, error));
    *moves = (struct plan__moves){e->input_count, e->inputs, e->first, graph->scratch, e->hits};
    return COR_OK;
}

void plan__graph_fini(struct plan__graph *graph) {
    cor_pool_fini(&graph->states);
    COR_FREE(graph->expanded, graph->first_input, graph->first_arc, graph->inputs, graph->arcs, graph->hits,
             graph->scratch);
    cor_expansion_fini(&graph->expansion);
    plan__graph_init(graph, graph->problem, graph->state_budget);
}
