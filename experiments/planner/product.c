/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whoever comes to a state with less covered than somebody did before, and no earlier, has nothing that the
 * other has not: such nodes are dropped. */
#include "product.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

/* A state with what is covered there. */
struct node {
    uint32_t state, set, parent; /* set: number of the pool; parent: COR_NONE = the first */
    uint32_t older;              /* node of the same state, COR_NONE = none */
};

struct search {
    struct cor__graph *graph;
    struct cor__pool sets;
    struct node *nodes; /* owned; in the order they were met: by moves */
    size_t node_capacity;
    uint32_t node_count;
    uint32_t *newest; /* owned; [state] 1 + node, 0 = none */
    size_t newest_capacity;
    uint64_t *covered, *hits; /* owned; while moving */
    bool first_gain;
    uint32_t goal, best; /* nodes; COR_NONE = none */
    uint32_t best_size;
    struct cor_error *error;
};

static const uint64_t *set_of(const struct search *s, uint32_t node) {
    return cor__pool_item(&s->sets, s->nodes[node].set);
}

static bool is_within(const uint64_t *less, const uint64_t *more, uint32_t words) {
    for (uint32_t w = 0; w < words; w++)
        if (less[w] & ~more[w])
            return false;
    return true;
}

/* Did somebody come to the state with as much? */
static bool is_dominated(const struct search *s, uint32_t state, const uint64_t *covered) {
    const uint32_t words = s->graph->problem->trap_words;
    for (uint32_t n = s->newest[state]; n != 0; n = s->nodes[n - 1].older)
        if (is_within(covered, set_of(s, n - 1), words))
            return true;
    return false;
}

static uint32_t size_of(const uint64_t *set, uint32_t words) {
    uint32_t size = 0;
    for (uint32_t w = 0; w < words; w++)
        size += (uint32_t)__builtin_popcountll(set[w]);
    return size;
}

/* The state with s->covered, unless it is dominated. */
static enum cor_status add_node(struct search *s, uint32_t state, uint32_t parent) {
    const size_t before = s->newest_capacity;
    uint32_t set;
    COR_TRY(COR_RESERVE(&s->newest, &s->newest_capacity, s->graph->states.count, s->error));
    memset(s->newest + before, 0, (s->newest_capacity - before) * sizeof *s->newest);
    if (is_dominated(s, state, s->covered))
        return COR_OK;
    COR_TRY(cor__pool_add(&s->sets, s->covered, &set, s->error));
    COR_TRY(COR_RESERVE(&s->nodes, &s->node_capacity, s->node_count + 1, s->error));
    s->nodes[s->node_count] = (struct node){state, set, parent, s->newest[state]};
    s->newest[state] = ++s->node_count;
    const uint32_t size = size_of(s->covered, s->graph->problem->trap_words);
    if (s->best == COR_NONE || size > s->best_size) {
        s->best = s->node_count - 1;
        s->best_size = size;
    }
    return COR_OK;
}

/* What is covered behind an arc from a node with `set`: in s->covered. True if anything was gained. */
static bool gain(struct search *s, uint32_t set, const struct cor__arc *arc, const uint64_t *hits) {
    const size_t size = s->graph->problem->trap_words * sizeof *hits;
    memcpy(s->covered, cor__pool_item(&s->sets, set), size);
    if (!arc->hits)
        return false;
    memcpy(s->hits, hits, size);
    return cor_cover(s->graph->problem, s->covered, s->hits);
}

static enum cor_status follow(struct search *s, uint32_t node, const struct cor__arc *arc,
                              const uint64_t *hits) {
    const uint32_t count = s->node_count;
    if (arc->target == COR_NONE)
        return COR_OK;
    const bool more = gain(s, s->nodes[node].set, arc, hits);
    COR_TRY(add_node(s, arc->target, node));
    if (s->node_count > count && more && (s->first_gain || cor_all_covered(s->graph->problem, s->covered)))
        s->goal = count;
    return COR_OK;
}

static enum cor_status visit(struct search *s, uint32_t node) {
    struct cor__moves moves;
    COR_TRY(cor__graph_moves(s->graph, s->nodes[node].state, &moves, s->error));
    if (moves.input_count == 0)
        return COR_OK;
    const uint32_t arcs = moves.first[moves.input_count] - moves.first[0];
    for (uint32_t a = 0; a < arcs && s->goal == COR_NONE; a++)
        COR_TRY(follow(s, node, &moves.arcs[a], moves.hits + (size_t)a * s->graph->problem->trap_words));
    return COR_OK;
}

static enum cor_status search(struct search *s, const void *state, const uint64_t *covered,
                              enum cor__found *found) {
    uint32_t first, n = 0;
    COR_TRY(cor__graph_state(s->graph, state, &first, s->error));
    COR_ASSERT(first != COR_NONE);
    memcpy(s->covered, covered, s->graph->problem->trap_words * sizeof *covered);
    COR_TRY(add_node(s, first, COR_NONE));
    for (; n < s->node_count && s->goal == COR_NONE && s->node_count <= s->graph->state_budget; n++)
        COR_TRY(visit(s, n));
    if (s->goal != COR_NONE)
        *found = COR__FOUND_ALL;
    else if (n < s->node_count || s->graph->is_cut)
        *found = COR__FOUND_CUT;
    else
        *found = s->best > 0 ? COR__FOUND_PART : COR__FOUND_NONE;
    return COR_OK;
}

enum cor_status cor__plan_add(const struct cor_planning_problem *problem, struct cor__plan *plan,
                              const void *state, const uint64_t *covered, const void *input, uint32_t label,
                              struct cor_error *error) {
    const size_t n = plan->length, words = problem->trap_words;
    COR_TRY(COR_RESERVE(&plan->states, &plan->state_capacity, (n + 1) * problem->state_size, error));
    COR_TRY(COR_RESERVE(&plan->covered, &plan->covered_capacity, (n + 1) * words, error));
    COR_TRY(COR_RESERVE(&plan->inputs, &plan->input_capacity, (n + 1) * problem->input_size, error));
    COR_TRY(COR_RESERVE(&plan->labels, &plan->label_capacity, n + 1, error));
    memcpy(plan->states + n * problem->state_size, state, problem->state_size);
    memcpy(plan->covered + n * words, covered, words * sizeof *covered);
    memcpy(plan->inputs + n * problem->input_size, input, problem->input_size);
    plan->labels[n] = label;
    plan->length++;
    return COR_OK;
}

/* The first arc that leads from a node to another, as a move of the plan. */
static enum cor_status add_move(struct search *s, uint32_t node, uint32_t next, struct cor__plan *plan) {
    const struct cor_planning_problem *problem = s->graph->problem;
    const struct node *from = &s->nodes[node], *to = &s->nodes[next];
    const uint64_t *wanted = set_of(s, next);
    struct cor__moves moves;
    COR_TRY(cor__graph_moves(s->graph, from->state, &moves, s->error));
    for (uint32_t i = 0; i < moves.input_count; i++)
        for (uint32_t a = moves.first[i] - moves.first[0]; a < moves.first[i + 1] - moves.first[0]; a++) {
            if (moves.arcs[a].target != to->state)
                continue;
            gain(s, from->set, &moves.arcs[a], moves.hits + (size_t)a * problem->trap_words);
            if (memcmp(s->covered, wanted, problem->trap_words * sizeof *wanted) == 0)
                return cor__plan_add(problem, plan, cor__pool_item(&s->graph->states, from->state),
                                     set_of(s, node), moves.inputs + i * problem->input_size,
                                     moves.arcs[a].label, s->error);
        }
    COR_ASSERT(false); /* a node was met by no arc */
    return COR_OK;
}

/* The way to a node. */
static enum cor_status trace(struct search *s, uint32_t node, struct cor__plan *plan) {
    uint32_t *way = NULL, length = 0;
    enum cor_status status = COR_OK;
    for (uint32_t n = node; n != COR_NONE; n = s->nodes[n].parent)
        length++;
    way = cor_calloc(length, sizeof *way);
    COR_TRY(cor_made(way, s->error));
    for (uint32_t n = node, i = length; n != COR_NONE; n = s->nodes[n].parent)
        way[--i] = n;
    for (uint32_t i = 0; i + 1 < length; i++)
        COR_TRY_OUT(add_move(s, way[i], way[i + 1], plan));
out:
    free(way);
    return status;
}

/* Traps that no node has covered. */
static void find_lost(const struct search *s, uint64_t *lost) {
    const struct cor_planning_problem *problem = s->graph->problem;
    for (uint32_t t = 0; t < problem->trap_count; t++) {
        bool covered = false;
        for (uint32_t i = 0; i < s->sets.count && !covered; i++)
            covered = cor_trap_is_in(cor__pool_item(&s->sets, i), t);
        if (!covered)
            cor_trap_add(lost, t);
    }
}

enum cor_status cor__search_product(struct cor__graph *graph, const void *state, const uint64_t *covered,
                                    bool first_gain, struct cor__plan *plan, enum cor__found *found,
                                    struct cor_error *error) {
    const uint32_t words = graph->problem->trap_words;
    struct search s = {.graph = graph,
                       .sets.size = words * sizeof *covered,
                       .first_gain = first_gain,
                       .goal = COR_NONE,
                       .best = COR_NONE,
                       .error = error};
    enum cor_status status = COR_OK;
    cor__plan_fini(plan);
    s.covered = cor_calloc(words, sizeof *s.covered);
    s.hits = cor_calloc(words, sizeof *s.hits);
    plan->lost = cor_calloc(words, sizeof *plan->lost);
    if (!s.covered || !s.hits || !plan->lost)
        COR_TRY_OUT(cor_fail_memory(error));
    COR_TRY_OUT(search(&s, state, covered, found));
    if (*found == COR__FOUND_ALL)
        COR_TRY_OUT(trace(&s, s.goal, plan));
    if (*found == COR__FOUND_PART)
        COR_TRY_OUT(trace(&s, s.best, plan));
    if (*found == COR__FOUND_PART || *found == COR__FOUND_NONE)
        find_lost(&s, plan->lost);
    plan->looked_at = s.node_count;
out:
    cor__pool_fini(&s.sets);
    free(s.nodes);
    free(s.newest);
    free(s.covered);
    free(s.hits);
    return status;
}

void cor__plan_fini(struct cor__plan *plan) {
    free(plan->states);
    free(plan->covered);
    free(plan->inputs);
    free(plan->labels);
    free(plan->lost);
    *plan = (struct cor__plan){0};
}
