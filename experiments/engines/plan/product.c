/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "product.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

/* Numbers kept at most. */
#define ENTRIES_MAX UINT64_C(20000000)

/* Where each arc comes from, by where it leads. */
struct sources {
    uint32_t *first, *states; /* owned; [state + 2], [arc] */
    uint32_t *queue;          /* owned; [state] */
};

static uint32_t arcs_of(const struct plan__moves *moves) {
    return moves->input_count == 0 ? 0 : moves->first[moves->input_count] - moves->first[0];
}

/* Traps of the arc that are not covered. */
static uint32_t new_hits(const uint64_t *hits, const uint64_t *covered, uint32_t words) {
    uint32_t count = 0;
    for (uint32_t w = 0; w < words; w++)
        count += (uint32_t)__builtin_popcountll(hits[w] & ~covered[w]);
    return count;
}

/* Counts arcs by target, then lists them; what is hit at once is one move away. */
static enum cor_status turn(struct plan__distances *d, struct plan__graph *graph, const uint64_t *covered,
                            struct sources *sources, struct cor_error *error) {
    const uint32_t states = d->state_count, words = d->problem->trap_words;
    struct plan__moves moves;
    uint64_t count = 0;
    for (uint32_t s = 0; s < states; s++) {
        COR_TRY(plan__graph_moves(graph, s, &moves, error));
        for (uint32_t a = 0; a < arcs_of(&moves); a++) {
            const uint32_t hits = new_hits(moves.hits + (size_t)a * words, covered, words);
            d->hits_max = hits > d->hits_max ? hits : d->hits_max;
            sources->first[moves.arcs[a].target + 2]++;
            count++;
        }
    }
    COR_TRY(cor_made(sources->states = cor_calloc(count, sizeof *sources->states), error));
    for (uint32_t s = 0; s < states; s++)
        sources->first[s + 2] += sources->first[s + 1];
    for (uint32_t s = 0; s < states; s++) {
        COR_TRY(plan__graph_moves(graph, s, &moves, error));
        for (uint32_t a = 0; a < arcs_of(&moves); a++) {
            sources->states[sources->first[moves.arcs[a].target + 1]++] = s;
            for (uint32_t t = 0; t < d->problem->trap_count + d->problem->way_count && moves.arcs[a].hits;
                 t++)
                if (cor_trap_is_in(moves.hits + (size_t)a * words, t))
                    d->moves[(size_t)cor_trap_of_way(d->problem, t) * states + s] = 1;
        }
    }
    return COR_OK;
}

/* Backwards from the states that hit the trap at once. */
static void measure(uint32_t *moves, uint32_t states, const struct sources *sources) {
    uint32_t end = 0;
    for (uint32_t s = 0; s < states; s++)
        if (moves[s] == 1)
            sources->queue[end++] = s;
    for (uint32_t at = 0; at < end; at++) {
        const uint32_t target = sources->queue[at];
        for (uint32_t i = sources->first[target]; i < sources->first[target + 1]; i++)
            if (moves[sources->states[i]] == PLAN__FAR) {
                moves[sources->states[i]] = moves[target] + 1;
                sources->queue[end++] = sources->states[i];
            }
    }
}

/* Of all traps that are not in `covered`, for all states that can be met from those of the graph. Not known
 * where these are more than its budget. */
static enum cor_status distances_make(struct plan__distances *distances, struct plan__graph *graph,
                                      const uint64_t *covered, struct cor_error *error) {
    bool all;
    *distances = (struct plan__distances){.problem = graph->problem};
    /* Meets all states; false: they are more than the budget. */
    struct plan__moves moves;
    uint32_t s = 0;
    for (; s < graph->states.count && !graph->is_cut; s++)
        COR_TRY(plan__graph_moves(graph, s, &moves, error));
    all = !graph->is_cut && s == graph->states.count;
    distances->state_count = graph->states.count;
    if (!all || (uint64_t)graph->states.count * graph->problem->trap_count > ENTRIES_MAX)
        return COR_OK;
    struct sources sources = {cor_calloc(distances->state_count + 2, sizeof *sources.first), NULL,
                              cor_calloc(distances->state_count, sizeof *sources.queue)};
    const size_t entries = (size_t)distances->problem->trap_count * distances->state_count;
    enum cor_status status = COR_OK;
    distances->moves = cor_calloc(entries, sizeof *distances->moves);
    if (!distances->moves || !sources.first || !sources.queue)
        COR_TRY_OUT(cor_fail_memory(error));
    memset(distances->moves, 0xff, entries * sizeof *distances->moves);
    COR_TRY_OUT(turn(distances, graph, covered, &sources, error));
    for (uint32_t t = 0; t < distances->problem->trap_count; t++)
        if (!cor_trap_is_in(covered, t))
            measure(distances->moves + (size_t)t * distances->state_count, distances->state_count, &sources);
out:
    COR_FREE(sources.first, sources.states, sources.queue);
    return status;
}

/* Moves that all traps but those of `covered` take at least: at least 1 unless all are covered; PLAN__FAR:
 * one of them is out of reach. At most one less behind each move. */
static uint32_t distances_bound(const struct plan__distances *distances, uint32_t state,
                                const uint64_t *covered) {
    uint32_t open = 0, nearest = PLAN__FAR, farthest = 0;
    for (uint32_t t = 0; t < distances->problem->trap_count; t++) {
        if (cor_trap_is_in(covered, t))
            continue;
        open++;
        if (!distances->moves)
            return 1;
        const uint32_t moves = distances->moves[(size_t)t * distances->state_count + state];
        nearest = moves < nearest ? moves : nearest;
        farthest = moves > farthest ? moves : farthest;
    }
    if (open == 0 || farthest == PLAN__FAR)
        return farthest;
    /* The nearest ends the first move that covers anything; each further move covers so many at most. */
    const uint32_t one_by_one = nearest + (open - 1) / distances->hits_max;
    return one_by_one > farthest ? one_by_one : farthest;
}

/* Frees what it holds. Idempotent. */
static void distances_fini(struct plan__distances *distances) {
    free(distances->moves);
    distances->moves = NULL;
}

/* ---- A*: the node with the least sum of moves made and bound of moves left is next. Where distances of the
 * traps are not known the bound is 1, and this is breadth-first search. Whoever comes to a state with less
 * covered than somebody did, and no earlier, has nothing that the other has not: such nodes are dropped.
 * Where traps deny others that is so with the very same covered alone */

/* A state with what is covered there. */
struct node {
    uint32_t state, set, parent; /* set: number of the pool; parent: COR_NONE = the first */
    uint32_t moves;              /* made */
    uint32_t older;              /* 1 + node of the same state, 0 = none */
    uint32_t next;               /* 1 + node of the same sum, 0 = none */
};

struct search {
    struct plan__graph *graph;
    struct cor_pool sets, keys; /* keys: state and set, of states with many nodes */
    uint32_t *earliest;         /* owned; [key] moves */
    size_t earliest_capacity;
    struct plan__distances distances;
    struct node *nodes; /* owned; in the order they were met */
    size_t node_capacity;
    uint32_t node_count, open_count;
    uint32_t *sums; /* owned; [moves made and left] 1 + the newest node that is open, 0 = none */
    size_t sum_capacity;
    uint32_t sum;     /* none less is open */
    uint32_t *newest; /* owned; [state] 1 + node, 0 = none */
    size_t newest_capacity;
    uint64_t *covered, *hits; /* owned; while moving */
    uint64_t *joined;         /* owned; what is covered, and what is out of reach */
    bool first_gain;
    bool is_joined;      /* traps out of reach count as covered */
    bool is_pruned;      /* nodes were dropped from which not all can be covered */
    uint32_t goal, best; /* nodes; COR_NONE = none */
    uint32_t best_size;
    struct cor_error *error;
};

static const uint64_t *set_of(const struct search *s, uint32_t node) {
    return cor_pool_item(&s->sets, s->nodes[node].set);
}

/* Whether who has covered `more` can do all that who has `less` can. */
static bool is_no_worse(const struct search *s, const uint64_t *more, const uint64_t *less) {
    const struct cor_planning_problem *problem = s->graph->problem;
    for (uint32_t w = 0; w < problem->trap_words; w++)
        if ((less[w] & ~more[w]) || (problem->denied && less[w] != more[w]))
            return false;
    return true;
}

/* Nodes of a state that are asked whether they have more: not all, for the work would grow with the square of
 * their number. Of states with so many nodes the earliest of each set are kept as keys. */
#define COMPARED_MAX 128

/* The moves of the earliest node that came to a state of many nodes with the set, UINT32_MAX: none did. */
static uint32_t earliest_of(const struct search *s, uint32_t state, uint32_t set) {
    const uint32_t key[2] = {state, set};
    const uint32_t known = set == COR_NONE ? COR_NONE : cor_pool_find(&s->keys, key, sizeof key);
    return known == COR_NONE ? UINT32_MAX : s->earliest[known];
}

/* Is there a node that came to the state with the very same, no later; or, of its newest, one with more?
 * `set`: the number of what is covered, COR_NONE if that is not known. *older: so many nodes of the state, up
 * to COMPARED_MAX. */
static bool is_dominated(const struct search *s, uint32_t state, const uint64_t *covered, uint32_t set,
                         uint32_t moves, uint32_t *older) {
    uint32_t n = s->newest[state];
    for (*older = 0; n != 0 && *older < COMPARED_MAX; n = s->nodes[n - 1].older, ++*older)
        if (s->nodes[n - 1].moves <= moves &&
            (s->nodes[n - 1].set == set || is_no_worse(s, set_of(s, n - 1), covered)))
            return true;
    if (n == 0)
        return false;
    return earliest_of(s, state, set != COR_NONE ? set : cor_pool_find(&s->sets, covered, s->sets.size)) <=
           moves;
}

/* Remembers when a state was come to with a set. */
static enum cor_status add_key(struct search *s, uint32_t node) {
    const uint32_t key[2] = {s->nodes[node].state, s->nodes[node].set};
    uint32_t number;
    COR_TRY(cor_pool_add(&s->keys, key, sizeof key, &number, s->error));
    if (number + 1 == s->keys.count) {
        COR_TRY(COR_RESERVE(&s->earliest, &s->earliest_capacity, s->keys.count, s->error));
        s->earliest[number] = UINT32_MAX;
    }
    if (s->nodes[node].moves < s->earliest[number])
        s->earliest[number] = s->nodes[node].moves;
    return COR_OK;
}

/* The keys of a state that has got COMPARED_MAX nodes before `node`, or more. */
static enum cor_status add_keys(struct search *s, uint32_t node) {
    const uint32_t older = s->nodes[node].older;
    COR_TRY(add_key(s, node));
    if (earliest_of(s, s->nodes[older - 1].state, s->nodes[older - 1].set) != UINT32_MAX)
        return COR_OK; /* and so has each before it */
    for (uint32_t n = older; n != 0; n = s->nodes[n - 1].older)
        COR_TRY(add_key(s, n - 1));
    return COR_OK;
}

/* Did a later node come to the same earlier? A node that is no earlier was dropped. */
static bool is_overtaken(const struct search *s, uint32_t node) {
    const struct node *it = &s->nodes[node];
    uint32_t n = s->newest[it->state];
    for (uint32_t i = 0; n != node + 1 && i < COMPARED_MAX; n = s->nodes[n - 1].older, i++)
        if (s->nodes[n - 1].set == it->set)
            return true;
    return n != node + 1 && earliest_of(s, it->state, it->set) < it->moves;
}

static uint32_t size_of(const uint64_t *set, uint32_t words) {
    uint32_t size = 0;
    for (uint32_t w = 0; w < words; w++)
        size += (uint32_t)__builtin_popcountll(set[w]);
    return size;
}

/* The next open node, COR_NONE = none. */
static uint32_t take_node(struct search *s) {
    if (s->open_count == 0)
        return COR_NONE;
    while (s->sums[s->sum] == 0)
        s->sum++;
    const uint32_t node = s->sums[s->sum] - 1;
    s->sums[s->sum] = s->nodes[node].next;
    s->open_count--;
    return node;
}

/* The state with s->covered, unless it is dominated. `set`: its number, COR_NONE if that is not known. */
static enum cor_status add_node(struct search *s, uint32_t state, uint32_t parent, uint32_t set) {
    const size_t before = s->newest_capacity;
    const uint32_t moves = parent == COR_NONE ? 0 : s->nodes[parent].moves + 1, node = s->node_count;
    uint32_t older;
    if (s->graph->states.count > before) {
        COR_TRY(COR_RESERVE(&s->newest, &s->newest_capacity, s->graph->states.count, s->error));
        memset(s->newest + before, 0, (s->newest_capacity - before) * sizeof *s->newest);
    }
    if (is_dominated(s, state, s->covered, set, moves, &older))
        return COR_OK;
    const uint32_t left = s->first_gain ? 1 : distances_bound(&s->distances, state, s->covered);
    if (left == PLAN__FAR) {
        s->is_pruned = true;
        return COR_OK;
    }
    if (set == COR_NONE)
        COR_TRY(cor_pool_add(&s->sets, s->covered, s->sets.size, &set, s->error));
    COR_TRY(COR_RESERVE(&s->nodes, &s->node_capacity, node + 1, s->error));
    s->nodes[node] = (struct node){state, set, parent, moves, s->newest[state], 0};
    s->newest[state] = ++s->node_count;
    if (older == COMPARED_MAX)
        COR_TRY(add_keys(s, node));
    /* Keeps the node that covers most, and earliest. */
    const uint32_t size = size_of(s->covered, s->graph->problem->trap_words);
    if (!(s->best != COR_NONE &&
          (size < s->best_size ||
           (size == s->best_size && s->nodes[node].moves >= s->nodes[s->best].moves)))) {
        s->best = node;
        s->best_size = size;
    }
    /* Opens the node under the sum of its moves and of those left at least. */
    const size_t sums_before = s->sum_capacity;
    const uint32_t sum = s->nodes[node].moves + left;
    COR_TRY(COR_RESERVE(&s->sums, &s->sum_capacity, sum + 1, s->error));
    memset(s->sums + sums_before, 0, (s->sum_capacity - sums_before) * sizeof *s->sums);
    s->nodes[node].next = s->sums[sum];
    s->sums[sum] = node + 1;
    s->open_count++;
    return COR_OK;
}

/* What is covered behind an arc from a node with `set`: in s->covered. True if anything was gained. */
static bool gain(struct search *s, uint32_t set, const struct plan__arc *arc, const uint64_t *hits) {
    const size_t size = s->graph->problem->trap_words * sizeof *hits;
    cor_copy_few(s->covered, cor_pool_item(&s->sets, set), size);
    if (!arc->hits)
        return false;
    cor_copy_few(s->hits, hits, size);
    return cor_cover(s->graph->problem, s->covered, s->hits);
}

/* Until a goal is met - as bounds are at least 1 before it, none is nearer then -, or all were looked at, or
 * too many met. */
static enum cor_status look_at_nodes(struct search *s, uint32_t first, const uint64_t *covered,
                                     enum plan__found *found) {
    uint32_t node = COR_NONE;
    memcpy(s->covered, covered, s->graph->problem->trap_words * sizeof *covered);
    COR_TRY(add_node(s, first, COR_NONE, COR_NONE));
    while (s->goal == COR_NONE && !s->graph->is_cut && s->node_count <= s->graph->state_budget &&
           (node = take_node(s)) != COR_NONE) {
        struct plan__moves moves;
        const uint32_t state = s->nodes[node].state;
        if (is_overtaken(s, node))
            continue;
        COR_TRY(plan__graph_moves(s->graph, state, &moves, s->error));
        if (moves.input_count == 0)
            continue;
        const uint32_t arcs = moves.first[moves.input_count] - moves.first[0];
        for (uint32_t a = 0; a < arcs && s->goal == COR_NONE; a++) {
            const struct plan__arc *arc = &moves.arcs[a];
            const uint64_t *hits = moves.hits + (size_t)a * s->graph->problem->trap_words;
            const uint32_t count = s->node_count;
            if (arc->target == COR_NONE) {
                s->graph->is_cut = true;
                continue;
            }
            const bool more = gain(s, s->nodes[node].set, arc, hits);
            COR_TRY(add_node(s, arc->target, node, more ? COR_NONE : s->nodes[node].set));
            if (s->node_count > count && more &&
                (s->first_gain || cor_all_covered(s->graph->problem, s->covered)))
                s->goal = count;
        }
    }
    if (s->goal != COR_NONE)
        *found = PLAN__FOUND_ALL;
    else if (node != COR_NONE || s->graph->is_cut)
        *found = PLAN__FOUND_CUT;
    else
        *found = s->best_size > size_of(covered, s->graph->problem->trap_words) ? PLAN__FOUND_PART
                                                                                : PLAN__FOUND_NONE;
    return COR_OK;
}

/* Forgets the nodes. */
static void clear(struct search *s) {
    s->node_count = s->open_count = s->sum = s->best_size = 0;
    s->goal = s->best = COR_NONE;
    s->is_pruned = false;
    if (s->newest)
        memset(s->newest, 0, s->newest_capacity * sizeof *s->newest);
    if (s->sums)
        memset(s->sums, 0, s->sum_capacity * sizeof *s->sums);
    cor_pool_fini(&s->sets);
    cor_pool_fini(&s->keys);
}

static enum cor_status search(struct search *s, const void *state, const uint64_t *covered,
                              struct plan__plan *plan, enum plan__found *found) {
    uint64_t *lost = plan->lost;
    const struct cor_planning_problem *problem = s->graph->problem;
    uint32_t first;
    if (s->first_gain)
        COR_TRY(plan__graph_resume(s->graph, state, &first, s->error));
    else
        COR_TRY(plan__graph_begin(s->graph, state, &first, s->error));
    s->distances.problem = problem;
    if (!s->first_gain && size_of(covered, problem->trap_words) + 1 < problem->trap_count)
        COR_TRY(distances_make(&s->distances, s->graph, covered, s->error));
    if (!s->first_gain)
        COR_TRY(plan__graph_begin(s->graph, state, &first, s->error));
    clear(s);
    /* Traps that are out of reach by their distances, and those that wait for such. Where traps deny others
     * none counts as covered that is not; a further way may not wait. */
    bool any = false, changed = s->distances.moves && !problem->denied && problem->way_count == 0;
    while (changed) {
        changed = false;
        for (uint32_t t = 0; t < problem->trap_count; t++) {
            const uint64_t *after = problem->after + (size_t)t * problem->trap_words;
            bool out = s->distances.moves[(size_t)t * s->distances.state_count + first] == PLAN__FAR;
            for (uint32_t w = 0; w < problem->trap_words; w++)
                out = out || (after[w] & lost[w]);
            if (!out || cor_trap_is_in(covered, t) || cor_trap_is_in(lost, t))
                continue;
            cor_trap_add(lost, t);
            any = changed = true;
        }
    }
    s->is_joined = any;
    for (uint32_t w = 0; w < problem->trap_words; w++)
        s->joined[w] = covered[w] | lost[w];
    COR_TRY(look_at_nodes(s, first, s->joined, found));
    /* Bounds fall by no more than one a move: what is still open is no shorter than what was looked at. */
    if (*found == PLAN__FOUND_CUT && !s->first_gain && !s->is_joined)
        plan->bound = s->sum;
    if (s->goal != COR_NONE && s->is_joined)
        *found = PLAN__FOUND_PART;
    if (s->goal != COR_NONE || !(s->is_pruned || s->is_joined) || *found == PLAN__FOUND_CUT)
        return COR_OK;
    s->is_joined = false;
    memset(lost, 0, problem->trap_words * sizeof *lost);
    /* Not all can be covered: what most can be is found without bounds. */
    distances_fini(&s->distances);
    clear(s);
    return look_at_nodes(s, first, covered, found);
}

enum cor_status plan__plan_add(const struct cor_planning_problem *problem, struct plan__plan *plan,
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
static enum cor_status add_move(struct search *s, uint32_t node, uint32_t next, struct plan__plan *plan) {
    const struct cor_planning_problem *problem = s->graph->problem;
    const struct node *from = &s->nodes[node], *to = &s->nodes[next];
    const uint64_t *wanted = set_of(s, next);
    struct plan__moves moves;
    COR_TRY(plan__graph_moves(s->graph, from->state, &moves, s->error));
    for (uint32_t i = 0; i < moves.input_count; i++)
        for (uint32_t a = moves.first[i] - moves.first[0]; a < moves.first[i + 1] - moves.first[0]; a++) {
            if (moves.arcs[a].target != to->state)
                continue;
            gain(s, from->set, &moves.arcs[a], moves.hits + (size_t)a * problem->trap_words);
            if (memcmp(s->covered, wanted, problem->trap_words * sizeof *wanted) == 0)
                return plan__plan_add(problem, plan, cor_pool_item(&s->graph->states, from->state),
                                      set_of(s, node), moves.inputs + i * problem->input_size,
                                      moves.arcs[a].label, s->error);
        }
    COR_ASSERT(false); /* a node was met by no arc */
    return COR_OK;
}

/* The way to a node. */
static enum cor_status trace(struct search *s, uint32_t node, struct plan__plan *plan) {
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

bool plan__find_uncovered(const struct cor_planning_problem *problem, const struct cor_pool *sets,
                          uint64_t *lost) {
    bool any = false;
    for (uint32_t t = 0; t < problem->trap_count; t++) {
        bool covered = false;
        for (uint32_t i = 0; i < sets->count && !covered; i++)
            covered = cor_trap_is_in(cor_pool_item(sets, i), t);
        if (!covered)
            cor_trap_add(lost, t);
        any = any || !covered;
    }
    return any;
}

enum cor_status plan__search_product(struct plan__graph *graph, const void *state, const uint64_t *covered,
                                     bool first_gain, struct plan__plan *plan, enum plan__found *found,
                                     struct cor_error *error) {
    const uint32_t words = graph->problem->trap_words;
    struct search s = {.graph = graph,
                       .sets.size = words * sizeof *covered,
                       .keys.size = 2 * sizeof(uint32_t),
                       .first_gain = first_gain,
                       .error = error};
    enum cor_status status = COR_OK;
    plan__plan_fini(plan);
    s.covered = cor_calloc(words, sizeof *s.covered);
    s.hits = cor_calloc(words, sizeof *s.hits);
    plan->lost = cor_calloc(words, sizeof *plan->lost);
    s.joined = cor_calloc(words, sizeof *s.joined);
    if (!s.covered || !s.hits || !s.joined || !plan->lost)
        COR_TRY_OUT(cor_fail_memory(error));
    COR_TRY_OUT(search(&s, state, covered, plan, found));
    if (s.goal != COR_NONE)
        COR_TRY_OUT(trace(&s, s.goal, plan));
    else if (*found == PLAN__FOUND_PART)
        COR_TRY_OUT(trace(&s, s.best, plan));
    if (s.goal == COR_NONE && (*found == PLAN__FOUND_PART || *found == PLAN__FOUND_NONE))
        plan__find_uncovered(graph->problem, &s.sets, plan->lost);
    for (uint32_t i = 0; i < plan->length * words && s.is_joined; i++)
        plan->covered[i] &= ~plan->lost[i % words];
    plan->looked_at = s.node_count;
out:
    cor_pool_fini(&s.sets);
    cor_pool_fini(&s.keys);
    free(s.earliest);
    distances_fini(&s.distances);
    COR_FREE(s.nodes, s.sums, s.newest, s.covered, s.hits, s.joined);
    return status;
}

void plan__plan_fini(struct plan__plan *plan) {
    COR_FREE(plan->states, plan->covered, plan->inputs, plan->labels, plan->lost);
    *plan = (struct plan__plan){0};
}
