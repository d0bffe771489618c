/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Planner "search": what it keeps, what it asks the searches for, and games against what the system chooses.
 * How often the system takes which of several outcomes: as the problem says, else by given weights, else as
 * was seen so far where the same ones were possible, each counted once beforehand. */
#include "planners.h"
#include "product.h"
#include "state_graph.h"

#include <corridor/array.h>
#include <corridor/hash.h>
#include <corridor/planner.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Planning against choice: all states with what is covered there that can be met from one on, what leads
 * where, and what each reading makes of it */

/* Nodes, their inputs, and what each input may lead to. Node 0 is where it begins. */
struct plan__game {
    struct plan__graph *graph; /* borrowed */
    bool first_gain;           /* whatever covers more ends it */
    struct cor_pool keys;      /* of nodes: state, set */
    struct cor_pool sets;
    uint32_t node_count, open_count; /* open: those from open_count on were not looked at, and lead nowhere */
    uint32_t open_depth;             /* moves to the first of these; COR_NONE: all were looked at */
    uint32_t *depth;                 /* owned; [node] moves from node 0 at least */
    bool *is_goal;                   /* owned; [node] */
    uint32_t *first_input;           /* owned; [node + 1] */
    uint32_t *first_arc;             /* owned; [input + 1] */
    uint32_t *owner;                 /* owned; [input] node */
    uint32_t *targets, *labels;      /* owned; [arc] nodes and outcomes */
    double *probabilities;           /* owned; [arc] NaN = unknown */
    uint32_t input_count, arc_count;
    uint32_t *first_source, *sources; /* owned; [node + 1], and the inputs that may lead there, each as often
                                         as it does */
    size_t depth_capacity, goal_capacity, first_input_capacity, first_arc_capacity, owner_capacity,
        target_capacity, label_capacity, probability_capacity;
    struct cor_error *error;
};

struct plan__frequencies {
    const double *weights; /* borrowed; [label]; NULL: learn */
    struct cor_pool keys;  /* of what was seen: rivals, outcome */
    uint64_t *counts;      /* owned; [key] */
    size_t count_capacity;
    uint64_t seen;
};

/* Arcs at most, per state of the budget. */
#define ARCS_PER_STATE 20

static enum cor_status add_key(struct plan__game *g, const uint32_t *key, bool is_goal, uint32_t depth,
                               uint32_t *node) {
    COR_TRY(cor_pool_add(&g->keys, key, g->keys.size, node, g->error));
    if (*node < g->node_count)
        return COR_OK;
    COR_TRY(COR_RESERVE(&g->depth, &g->depth_capacity, g->node_count + 1, g->error));
    COR_TRY(COR_RESERVE(&g->is_goal, &g->goal_capacity, g->node_count + 1, g->error));
    g->depth[g->node_count] = depth;
    g->is_goal[g->node_count++] = is_goal;
    return COR_OK;
}

/* The number of a state with a set, met after so many moves. */
static enum cor_status add_node(struct plan__game *g, uint32_t state, const uint64_t *covered, bool is_goal,
                                uint32_t depth, uint32_t *node) {
    uint32_t key[2] = {state, 0};
    COR_TRY(cor_pool_add(&g->sets, covered, g->sets.size, &key[1], g->error));
    return add_key(g, key, is_goal, depth, node);
}

/* Where an arc leads from a node. */
static enum cor_status add_arc(struct plan__game *g, uint32_t node, const struct plan__arc *arc,
                               const uint64_t *hits, uint64_t *covered, uint64_t *hit) {
    const struct cor_planning_problem *problem = g->graph->problem;
    const size_t size = problem->trap_words * sizeof *hits;
    uint32_t target;
    const uint32_t *key = cor_pool_item(&g->keys, node);
    memcpy(covered, cor_pool_item(&g->sets, key[1]), size);
    memcpy(hit, hits, size);
    const bool more = arc->hits && cor_cover(problem, covered, hit);
    const bool is_goal = more && (g->first_gain || cor_all_covered(problem, covered));
    if (arc->target != COR_NONE)
        COR_TRY(add_node(g, arc->target, covered, is_goal, g->depth[node] + 1, &target));
    else { /* a node that leads nowhere stands for all states that found no room */
        const uint32_t depth = g->depth[node] + 1;
        g->open_depth = depth < g->open_depth ? depth : g->open_depth;
        COR_TRY(add_key(g, (const uint32_t[2]){COR_NONE, COR_NONE}, false, depth, &target));
    }
    COR_TRY(COR_RESERVE(&g->targets, &g->target_capacity, g->arc_count + 1, g->error));
    COR_TRY(COR_RESERVE(&g->labels, &g->label_capacity, g->arc_count + 1, g->error));
    COR_TRY(COR_RESERVE(&g->probabilities, &g->probability_capacity, g->arc_count + 1, g->error));
    g->targets[g->arc_count] = target;
    g->labels[g->arc_count] = arc->label;
    g->probabilities[g->arc_count++] = arc->probability;
    return COR_OK;
}

/* Looks at nodes in the order they were met. */
static enum cor_status look_at_all(struct plan__game *g, uint64_t *covered, uint64_t *hit) {
    const uint64_t budget = g->graph->state_budget;
    uint32_t n = 0;
    COR_TRY(COR_RESERVE(&g->first_arc, &g->first_arc_capacity, 1, g->error));
    g->first_arc[0] = 0;
    for (; n < g->node_count && g->node_count <= budget && g->arc_count <= ARCS_PER_STATE * budget; n++) {
        COR_TRY(COR_RESERVE(&g->first_input, &g->first_input_capacity, n + 2, g->error));
        g->first_input[n] = g->input_count;
        if (!g->is_goal[n]) {
            const uint32_t *key = cor_pool_item(&g->keys, n), words = g->graph->problem->trap_words;
            struct plan__moves moves;
            if (key[0] == COR_NONE)
                continue;
            COR_TRY(plan__graph_moves(g->graph, key[0], &moves, g->error));
            COR_TRY(COR_RESERVE(&g->first_arc, &g->first_arc_capacity, g->input_count + moves.input_count + 1,
                                g->error));
            COR_TRY(
                COR_RESERVE(&g->owner, &g->owner_capacity, g->input_count + moves.input_count + 1, g->error));
            for (uint32_t i = 0; i < moves.input_count; i++) {
                for (uint32_t a = moves.first[i] - moves.first[0]; a < moves.first[i + 1] - moves.first[0];
                     a++)
                    COR_TRY(add_arc(g, n, &moves.arcs[a], moves.hits + (size_t)a * words, covered, hit));
                g->owner[g->input_count++] = n;
                g->first_arc[g->input_count] = g->arc_count;
            }
        }
    }
    g->open_count = n;
    if (n < g->node_count && g->depth[n] < g->open_depth)
        g->open_depth = g->depth[n];
    COR_TRY(COR_RESERVE(&g->first_input, &g->first_input_capacity, g->node_count + 1, g->error));
    for (; n <= g->node_count; n++)
        g->first_input[n] = g->input_count;
    return COR_OK;
}

/* All that can be met from the state, breadth first, within the graph's budget. */
static enum cor_status game_make(struct plan__game *game, struct plan__graph *graph, const void *state,
                                 const uint64_t *covered, bool first_gain, struct cor_error *error) {
    const uint32_t words = graph->problem->trap_words;
    uint64_t *now = cor_calloc(words, sizeof *now), *hit = cor_calloc(words, sizeof *hit);
    enum cor_status status = COR_OK;
    uint32_t first, node;
    *game = (struct plan__game){.graph = graph,
                                .first_gain = first_gain,
                                .open_depth = COR_NONE,
                                .keys.size = 2 * sizeof(uint32_t),
                                .sets.size = words * sizeof *covered,
                                .error = error};
    if (!now || !hit)
        COR_TRY_OUT(cor_fail_memory(error));
    COR_TRY_OUT(plan__graph_begin(graph, state, &first, error));
    COR_TRY_OUT(add_node(game, first, covered, false, 0, &node));
    COR_TRY_OUT(look_at_all(game, now, hit));
    game->first_source = cor_calloc(game->node_count + 2, sizeof *game->first_source);
    game->sources = cor_calloc(game->arc_count, sizeof *game->sources);
    if (!game->first_source || !game->sources)
        COR_TRY_OUT(cor_fail_memory(game->error));
    for (uint32_t a = 0; a < game->arc_count; a++)
        game->first_source[game->targets[a] + 2]++;
    for (uint32_t n = 0; n < game->node_count; n++)
        game->first_source[n + 2] += game->first_source[n + 1];
    for (uint32_t i = 0; i < game->input_count; i++)
        for (uint32_t a = game->first_arc[i]; a < game->first_arc[i + 1]; a++)
            game->sources[game->first_source[game->targets[a] + 1]++] = i;
out:
    COR_FREE(now, hit);
    return status;
}

static void game_fini(struct plan__game *game) {
    cor_pool_fini(&game->keys);
    cor_pool_fini(&game->sets);
    COR_FREE(game->depth, game->is_goal, game->first_input, game->first_arc, game->owner, game->targets,
             game->labels, game->probabilities, game->first_source, game->sources);
    *game = (struct plan__game){0};
}

/* ---- the worst case by ranks, and the best case by distances: backwards from the goals */

/* Backwards: a node has its number once `wanted` of the arcs of one of its inputs - all, or one - lead to
 * nodes that have theirs. */
static enum cor_status number_nodes(const struct plan__game *g, bool all, uint32_t *number,
                                    struct cor_error *error) {
    uint32_t *queue = cor_calloc(g->node_count, sizeof *queue), end = 0;
    uint32_t *pending = cor_calloc(g->input_count, sizeof *pending);
    enum cor_status status = COR_OK;
    if (!queue || !pending)
        COR_TRY_OUT(cor_fail_memory(error));
    for (uint32_t i = 0; i < g->input_count; i++)
        pending[i] = all ? g->first_arc[i + 1] - g->first_arc[i] : 1;
    for (uint32_t n = 0; n < g->node_count; n++) {
        number[n] = g->is_goal[n] ? 0 : PLAN__FAR;
        if (g->is_goal[n])
            queue[end++] = n;
    }
    for (uint32_t at = 0; at < end; at++)
        for (uint32_t s = g->first_source[queue[at]]; s < g->first_source[queue[at] + 1]; s++) {
            const uint32_t input = g->sources[s], node = g->owner[input];
            if (number[node] != PLAN__FAR || --pending[input] > 0)
                continue;
            number[node] = number[queue[at]] + 1;
            queue[end++] = node;
        }
out:
    COR_FREE(queue, pending);
    return status;
}

/* The greatest rank of what the input may lead to. */
static uint32_t worst_of(const struct plan__game *g, uint32_t input, const uint32_t *ranks) {
    uint32_t worst = 0;
    for (uint32_t a = g->first_arc[input]; a < g->first_arc[input + 1]; a++)
        worst = ranks[g->targets[a]] > worst ? ranks[g->targets[a]] : worst;
    return worst;
}

/* ---- the least expected moves: value iteration where a goal can be met almost surely. Elsewhere they are
 * infinite, and iterating would not end */

/* A sweep that changes no value by more than this part of it is the last. */
#define PRECISION 1e-13

/* Arcs looked at before iterating is given up. */
#define WORK_MAX UINT64_C(1000000000)

struct solver {
    const struct plan__game *g;
    bool *within;      /* owned; [node] in the set that is being narrowed */
    uint32_t *outside; /* owned; [input] arcs that leave it */
    uint32_t *order;   /* owned; nodes of it from the goals on */
    bool *met;         /* owned; [node] in `order` */
    uint32_t count;
};

/* The greatest set from each node of which a goal can be met without leaving it: there inputs exist that meet
 * one almost surely. */
static void narrow(struct solver *s) {
    const struct plan__game *g = s->g;
    bool changed = true;
    memset(s->within, true, g->node_count * sizeof *s->within);
    while (changed) {
        /* Nodes from which, by inputs that stay within the set, a goal can be met. */
        s->count = 0;
        for (uint32_t n = 0; n < g->node_count; n++) {
            s->met[n] = g->is_goal[n];
            if (g->is_goal[n])
                s->order[s->count++] = n;
        }
        for (uint32_t at = 0; at < s->count; at++)
            for (uint32_t i = g->first_source[s->order[at]]; i < g->first_source[s->order[at] + 1]; i++) {
                const uint32_t input = g->sources[i], node = g->owner[input];
                if (s->outside[input] > 0 || s->met[node])
                    continue;
                s->met[node] = true;
                s->order[s->count++] = node;
            }
        changed = false;
        for (uint32_t n = 0; n < g->node_count; n++) {
            if (!s->within[n] || s->met[n])
                continue;
            s->within[n] = false;
            changed = true;
            for (uint32_t i = g->first_source[n]; i < g->first_source[n + 1]; i++)
                s->outside[g->sources[i]]++;
        }
    }
}

/* The best input of a node and its value. */
static double best_of(const struct solver *s, uint32_t node, const double *probabilities, const double *moves,
                      uint32_t *choice) {
    double best = HUGE_VAL;
    for (uint32_t i = s->g->first_input[node]; i < s->g->first_input[node + 1]; i++) {
        if (s->outside[i] > 0)
            continue;
        /* The expected moves by an input. */
        double value = 1;
        for (uint32_t a = s->g->first_arc[i]; a < s->g->first_arc[i + 1]; a++)
            value += probabilities[a] * moves[s->g->targets[a]];
        if (value < best) {
            best = value;
            *choice = i;
        }
    }
    return best;
}

/* Values grow from 0 towards the least solution; those near a goal first. */
static bool iterate(const struct solver *s, const double *probabilities, double *moves, uint32_t *choice) {
    for (uint64_t work = 0; work < WORK_MAX; work += s->g->arc_count + 1) {
        double change = 0;
        for (uint32_t at = 0; at < s->count; at++) {
            const uint32_t node = s->order[at];
            if (s->g->is_goal[node])
                continue;
            const double value = best_of(s, node, probabilities, moves, &choice[node]);
            const double step = fabs(value - moves[node]) / value;
            change = step > change ? step : change;
            moves[node] = value;
        }
        if (change <= PRECISION)
            return true;
    }
    return false;
}

/* ---- how often the system takes which of several outcomes */

struct key {
    uint64_t rivals, label;
};

static uint64_t hash_of(const uint32_t *labels, uint32_t count) {
    return cor_hash_bytes(COR_HASH_SEED, labels, count * sizeof *labels);
}

/* The system took `label` where these were possible. */
static enum cor_status frequencies_learn(struct plan__frequencies *frequencies, const uint32_t *labels,
                                         uint32_t count, uint32_t label, struct cor_error *error) {
    const struct key key = {hash_of(labels, count), label};
    const uint32_t before = frequencies->keys.count;
    uint32_t number;
    if (count < 2)
        return COR_OK;
    COR_TRY(COR_RESERVE(&frequencies->counts, &frequencies->count_capacity, before + 1, error));
    COR_TRY(cor_pool_add(&frequencies->keys, &key, sizeof key, &number, error));
    if (number == before)
        frequencies->counts[number] = 0;
    frequencies->counts[number]++;
    frequencies->seen++;
    return COR_OK;
}

static double weight_of(const struct plan__frequencies *frequencies, uint64_t rivals, uint32_t label) {
    const struct key key = {rivals, label};
    if (frequencies->weights)
        return frequencies->weights[label];
    const uint32_t number = cor_pool_find(&frequencies->keys, &key, sizeof key);
    return 1 + (number == COR_NONE ? 0 : (double)frequencies->counts[number]);
}

/* The probabilities of the outcomes of an input, in place: what is not NaN stays. */
static void frequencies_fill(const struct plan__frequencies *frequencies, const uint32_t *labels,
                             uint32_t count, double *probabilities) {
    const uint64_t rivals = hash_of(labels, count);
    double sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += isnan(probabilities[i]) ? weight_of(frequencies, rivals, labels[i]) : 0;
    for (uint32_t i = 0; i < count; i++)
        if (isnan(probabilities[i]))
            probabilities[i] = weight_of(frequencies, rivals, labels[i]) / sum;
}

/* ---- the planner "search": looks at all states that matter, within a budget. What was found is kept, so
 * that a choice is a look-up while the system does what was planned for */

#define BOUNDED_MAX \
    8                /* open traps; of more at once the state equation knows little, and asks for much time */
#define PAUSE_MAX 64 /* decisions */

struct planner {
    struct cor_planner_definition definition;
    const struct cor_planning_problem *problem;
    struct plan__graph graph;
    bool is_partial;  /* the problem leaves inputs out */
    uint32_t failed;  /* so many traps were open when all of them were too many together; COR_NONE = none */
    uint64_t *joined; /* owned; while choosing: covered, and what is lost */

    /* HOPE */
    struct plan__plan plan;
    uint32_t at; /* the next move of the plan */
    enum plan__found found;
    bool first_gain;
    bool is_several;  /* traps were open when the plan was made */
    uint32_t bound;   /* no plan that covers all is shorter than so many moves; 0: not known */
    bool has_walk;    /* the plan is a walk over all, or over as many as one can */
    bool has_no_walk; /* it would be too much work */
    struct plan__walk walk;
    struct plan__beyond beyond;
    bool is_vast; /* so many states that looking at all is not tried first */

    /* FORCED, EXPECTED */
    struct plan__game game;
    bool has_game, is_exact;
    struct planner *kind; /* owned; who plans for a kind system, while its plan leaves that no choice */
    bool was_unsure;      /* it did not */
    bool is_split;        /* proven: no plan covers all that was left where the game begins */
    uint64_t *lost;       /* owned; out of reach where the game, or the plan in parts, begins */
    uint32_t *ranks, *choices, *distance; /* owned; [node of the game] */
    double *moves;                        /* owned; [node] */
    double *probabilities;                /* owned; [arc] */
    struct plan__frequencies frequencies;
    uint64_t learnt; /* seen when the game was solved */

    /* Who is asked beyond the budget; and for how many decisions more, before all is looked at once more: a
     * search in vain takes longest of all, so the pause is doubled by each in a row. */
    const struct cor_planner_kind *fallback;
    void *fallback_self;
    bool is_falling_back;
    uint32_t pause_left, pause;
};

static uint32_t open_traps(const struct planner *p, const uint64_t *covered) {
    uint32_t count = 0;
    for (uint32_t t = 0; t < p->problem->trap_count; t++)
        count += !cor_trap_is_in(covered, t);
    return count;
}

/* All together is tried again when only half is left of what was too much. */
static bool is_worth_joining(const struct planner *p, const uint64_t *covered) {
    return p->failed == COR_NONE || open_traps(p, covered) <= p->failed / 2;
}

static void drop_game(struct planner *p) {
    if (p->has_game)
        game_fini(&p->game);
    COR_FREE(p->ranks, p->choices, p->distance, p->moves, p->probabilities);
    p->ranks = p->choices = p->distance = NULL;
    p->moves = p->probabilities = NULL;
    p->has_game = false;
}

/* Forgets the states met so far: the budget is for one search. */
static void forget(struct planner *p) {
    drop_game(p);
    plan__graph_fini(&p->graph);
}

static struct cor_plan_choice no_choice(void) {
    return (struct cor_plan_choice){.advice = COR_ADVICE_GIVE_UP,
                                    .left = COR_NONE,
                                    .expected = NAN,
                                    .label = COR_NONE,
                                    .degree = UINT64_MAX};
}

/* HOPE. */

/* Is the plan here? It may be that the last move was not made. */
static bool is_on_plan(const struct planner *p, uint32_t move, const void *state, const uint64_t *covered) {
    const uint32_t words = p->problem->trap_words;
    return move < p->plan.length &&
           memcmp(p->plan.states + move * p->problem->state_size, state, p->problem->state_size) == 0 &&
           memcmp(p->plan.covered + (size_t)move * words, covered, words * sizeof *covered) == 0;
}

/* A search with the whole budget for itself. */
static enum cor_status search_with_room(struct planner *p, const void *state, const uint64_t *covered,
                                        struct cor_error *error) {
    const bool fresh = p->graph.states.count == 0;
    COR_TRY(plan__search_product(&p->graph, state, covered, p->first_gain, &p->plan, &p->found, error));
    if (p->found != PLAN__FOUND_CUT || fresh || !p->graph.is_cut)
        return COR_OK;
    forget(p);
    return plan__search_product(&p->graph, state, covered, p->first_gain, &p->plan, &p->found, error);
}

/* The state equation knows no resets. To one trap from the start no shortest plan has any. */
static bool is_start(const struct planner *p, const void *state) {
    unsigned char start[COR_EFSM_VARIABLES_MAX * 8 + 24];
    cor_efsm_problem_start(p->definition.efsm, start);
    return memcmp(state, start, p->problem->state_size) == 0;
}

static void raise_bound(struct planner *p, uint32_t bound) {
    if (bound != COR_NO_WALK && bound > p->bound)
        p->bound = bound;
}

static enum cor_status make_plan(struct planner *p, const void *state, const uint64_t *covered,
                                 struct cor_error *error) {
    const uint32_t open = open_traps(p, covered);
    p->at = 0;
    p->is_several = open > 1;
    p->first_gain = !is_worth_joining(p, covered);
    p->beyond.has_plan = p->has_walk = false;
    p->bound = 0;
    const bool bounded = open <= BOUNDED_MAX && (!p->first_gain || open == 1) &&
                         (!(p->definition.efsm && cor_efsm_problem_resets(p->definition.efsm) > 0) ||
                          (open == 1 && is_start(p, state)));
    if (p->is_vast && bounded) {
        COR_TRY(plan__plan_beyond(&p->beyond, &p->definition, state, covered, &p->plan, &p->found, error));
        if (p->beyond.has_plan || p->beyond.proof != COR_PROOF_NONE)
            return COR_OK;
    }
    if (!p->first_gain || open == 1) {
        COR_TRY(search_with_room(p, state, covered, error));
        if (p->found == PLAN__FOUND_CUT && bounded && !p->is_vast)
            COR_TRY(
                plan__plan_beyond(&p->beyond, &p->definition, state, covered, &p->plan, &p->found, error));
        if (p->found != PLAN__FOUND_CUT || p->first_gain)
            return COR_OK;
        p->bound = p->plan.bound;
        p->failed = open;
        p->first_gain = true;
        memcpy(p->lost, p->plan.lost, p->problem->trap_words * sizeof *p->lost);
        if (open == 1)
            return COR_OK;
    }
    /* Over all that is left, where all states fit into the budget. */
    const struct cor_planner_definition *d = &p->definition;
    if (!p->has_no_walk && !p->graph.is_cut && !p->graph.lacks) {
        COR_TRY(plan__walk_all(&p->graph, state, covered, &p->plan, &p->walk, error));
        p->has_walk = p->walk.is_found;
        p->has_no_walk = !p->walk.is_found;
        p->found = p->walk.is_whole ? PLAN__FOUND_ALL : PLAN__FOUND_PART;
        if (!p->is_partial)
            raise_bound(p, p->walk.bound);
        if (p->has_walk && d->efsm) {
            int64_t values[COR_EFSM_VARIABLES_MAX];
            uint32_t location, last, bound;
            cor_efsm_problem_unpack(d->efsm, state, &location, values, &last);
            COR_TRY(cor_efsm_walk_bound(d->model, d->goal, location, covered,
                                        cor_efsm_problem_resets(d->efsm), &bound, error));
            raise_bound(p, bound);
        }
    }
    return p->has_walk ? COR_OK : search_with_room(p, state, covered, error);
}

static void choose_from_plan(struct planner *p, struct cor_plan_choice *choice) {
    choice->advice = COR_ADVICE_INPUT;
    choice->input = p->plan.inputs + p->at * p->problem->input_size;
    choice->label = p->plan.labels[p->at];
    choice->left = p->plan.length - p->at;
    choice->bound = p->at == 0 ? p->bound : 0;
    choice->proof = p->is_partial ? COR_PROOF_NONE : COR_PROOF_SEARCH;
    choice->is_part = (p->first_gain && p->is_several) || p->found == PLAN__FOUND_PART;
    if (p->found == PLAN__FOUND_PART && !p->is_partial) {
        choice->whole = COR_PROOF_SEARCH;
        choice->lost = p->plan.lost;
    }
    for (uint32_t w = 0; w < p->problem->trap_words && p->first_gain && !p->is_partial; w++)
        if (p->lost[w]) {
            choice->whole = COR_PROOF_FIXPOINT;
            choice->lost = p->lost;
        }
    choice->method =
        p->first_gain && p->is_several ? "breadth-first search, nearest trap first" : "breadth-first search";
    if (p->has_walk) {
        choice->method = "least flow, with detours";
        choice->proof = p->found == PLAN__FOUND_ALL && p->at == 0 && p->bound == p->plan.length
                            ? COR_PROOF_BOUND
                            : COR_PROOF_NONE;
        choice->is_part = p->found == PLAN__FOUND_PART;
        choice->whole =
            choice->is_part && p->walk.is_split && !p->is_partial ? COR_PROOF_FIXPOINT : COR_PROOF_NONE;
        choice->lost = choice->is_part && !p->is_partial ? p->plan.lost : NULL;
    }
    if (!p->beyond.has_plan)
        return;
    choice->proof = p->beyond.proof;
    choice->is_part = false;
    choice->method = choice->proof == COR_PROOF_BOUND ? "A*, led by the state equation"
                                                      : "A*, led by the state equation, in haste";
}

/* Nothing can be covered, or nobody knows. */
static void choose_nothing(const struct planner *p, enum cor_advice advice, const uint64_t *lost,
                           struct cor_plan_choice *choice) {
    choice->advice = p->is_partial ? COR_ADVICE_GIVE_UP : advice;
    choice->proof = choice->advice == COR_ADVICE_GIVE_UP ? COR_PROOF_NONE : COR_PROOF_FIXPOINT;
    choice->lost = choice->advice == COR_ADVICE_LOST ? lost : NULL;
    if (choice->advice == COR_ADVICE_GIVE_UP)
        choice->method = "not found within the budget of states; whether there is a way is not known";
}

static enum cor_status fall_back(struct planner *p, const void *state, const uint64_t *covered,
                                 struct cor_plan_choice *choice, struct cor_error *error) {
    if (!p->fallback && p->definition.efsm) {
        p->fallback = cor_planner_find("paper");
        if (p->fallback)
            COR_TRY(p->fallback->create(&p->definition, &p->fallback_self, error));
    }
    p->is_falling_back = p->fallback != NULL;
    if (!p->is_falling_back) {
        choose_nothing(p, COR_ADVICE_GIVE_UP, NULL, choice);
        return COR_OK;
    }
    COR_TRY(p->fallback->choose(p->fallback_self, state, covered, choice, error));
    if (choice->advice == COR_ADVICE_INPUT)
        choice->method = "more states than the budget: chi-RPT";
    return COR_OK;
}

/* FORCED and EXPECTED. */

static enum cor_status solve_expected(struct planner *p, struct cor_error *error) {
    const struct plan__game *g = &p->game;
    COR_FREE(p->moves, p->choices, p->probabilities);
    p->moves = cor_calloc(g->node_count, sizeof *p->moves);
    p->choices = cor_calloc(g->node_count, sizeof *p->choices);
    p->probabilities = cor_calloc(g->arc_count, sizeof *p->probabilities);
    if (!p->moves || !p->choices || !p->probabilities)
        return cor_fail_memory(error);
    if (g->arc_count > 0)
        memcpy(p->probabilities, g->probabilities, g->arc_count * sizeof *p->probabilities);
    for (uint32_t i = 0; i < g->input_count; i++)
        frequencies_fill(&p->frequencies, g->labels + g->first_arc[i], g->first_arc[i + 1] - g->first_arc[i],
                         p->probabilities + g->first_arc[i]);
    p->learnt = p->frequencies.seen;
    /* The least expected moves to a goal with these probabilities of arcs, all above 0; infinite where no way
     * of giving inputs meets one almost surely. Exact: a fixpoint ended the sweeps, not their number. */
    struct solver s = {.g = g};
    enum cor_status status = COR_OK;
    s.within = cor_calloc(g->node_count, sizeof *s.within);
    s.met = cor_calloc(g->node_count, sizeof *s.met);
    s.order = cor_calloc(g->node_count, sizeof *s.order);
    s.outside = cor_calloc(g->input_count, sizeof *s.outside);
    if (!s.within || !s.met || !s.order || !s.outside)
        COR_TRY_OUT(cor_fail_memory(error));
    narrow(&s);
    for (uint32_t n = 0; n < g->node_count; n++) {
        p->moves[n] = s.within[n] ? 0 : HUGE_VAL;
        p->choices[n] = COR_NONE;
    }
    p->is_exact = iterate(&s, p->probabilities, p->moves, p->choices);
out:
    COR_FREE(s.within, s.met, s.order, s.outside);
    return status;
}

static bool wins(const struct planner *p, uint32_t node) {
    return p->definition.reading == COR_READING_FORCED ? p->ranks[node] != PLAN__FAR
                                                       : p->moves[node] < HUGE_VAL;
}

static enum cor_status make_game(struct planner *p, const void *state, const uint64_t *covered,
                                 bool first_gain, struct cor_error *error) {
    drop_game(p);
    p->has_game = true;
    COR_TRY(game_make(&p->game, &p->graph, state, covered, first_gain, error));
    COR_TRY(cor_made(p->distance = cor_calloc(p->game.node_count, sizeof *p->distance), error));
    /* Of a kind system: moves to the nearest goal. */
    COR_TRY(number_nodes(&p->game, false, p->distance, error));
    if (p->definition.reading != COR_READING_FORCED)
        return solve_expected(p, error);
    p->ranks = cor_calloc(p->game.node_count, sizeof *p->ranks);
    p->choices = cor_calloc(p->game.node_count, sizeof *p->choices);
    if (!p->ranks || !p->choices)
        return cor_fail_memory(error);
    /* The least ranks: 0 of a goal, else 1 + the least over inputs of the greatest over what each may lead
     * to: moves within which a goal is met whatever the system chooses. PLAN__FAR: it can prevent that. And
     * the first input with that rank. */
    COR_TRY(number_nodes(&p->game, true, p->ranks, error));
    for (uint32_t n = 0; n < p->game.node_count; n++) {
        p->choices[n] = COR_NONE;
        for (uint32_t i = p->game.first_input[n]; i < p->game.first_input[n + 1]; i++)
            if (p->ranks[n] != PLAN__FAR && worst_of(&p->game, i, p->ranks) == p->ranks[n] - 1) {
                p->choices[n] = i;
                break;
            }
    }
    return COR_OK;
}

/* What a game begins with: what is out of reach counts as covered, unless something may deny it. */
static void join(struct planner *p, const uint64_t *covered) {
    for (uint32_t w = 0; w < p->problem->trap_words; w++)
        p->joined[w] = covered[w] | (p->problem->denied ? 0 : p->lost[w]);
}

/* A game that can be won from here: of all that is left; else of all of it that is not out of reach; else of
 * whatever can be covered next. The last one stays if none can be won. */
static enum cor_status make_games(struct planner *p, const void *state, const uint64_t *covered,
                                  struct cor_error *error) {
    const size_t size = p->problem->trap_words * sizeof *covered;
    memset(p->lost, 0, size);
    p->is_split = false;
    if (is_worth_joining(p, covered)) {
        COR_TRY(make_game(p, state, covered, false, error));
        p->is_split = !wins(p, 0) && p->game.open_depth == COR_NONE && !p->is_partial;
        if (p->is_split)
            memset(p->lost, 0, p->problem->trap_words * sizeof *p->lost);
        /* Of a game that was looked at to its end. */
        if (p->is_split && plan__find_uncovered(p->problem, &p->game.sets, p->lost) && !p->problem->denied) {
            join(p, covered);
            if (!cor_all_covered(p->problem, p->joined))
                COR_TRY(make_game(p, state, p->joined, false, error));
        }
        if (wins(p, 0))
            return COR_OK;
        p->failed = open_traps(p, covered);
    }
    join(p, covered);
    return make_game(p, state, p->joined, true, error);
}

static uint32_t find_node(struct planner *p, const void *state, const uint64_t *covered) {
    if (!p->has_game)
        return COR_NONE;
    join(p, covered);
    /* The node; COR_NONE: it is none of the game. */
    const uint32_t key[2] = {cor_pool_find(&p->game.graph->states, state, p->game.graph->states.size),
                             cor_pool_find(&p->game.sets, p->joined, p->game.sets.size)};
    const uint32_t node =
        key[0] == COR_NONE || key[1] == COR_NONE ? COR_NONE : cor_pool_find(&p->game.keys, key, sizeof key);
    return node == COR_NONE || p->game.is_goal[node] || !wins(p, node) ? COR_NONE : node;
}

static enum cor_status choose_from_game(struct planner *p, uint32_t node, struct cor_plan_choice *choice,
                                        struct cor_error *error) {
    const bool complete = p->game.open_depth == COR_NONE && !p->is_partial;
    const uint32_t input = p->choices[node];
    choice->advice = COR_ADVICE_INPUT;
    /* FORCED: the worst outcome of an input, EXPECTED: the best. */
    const struct plan__game *g = &p->game;
    uint32_t found = g->first_arc[input];
    for (uint32_t a = found + 1; a < g->first_arc[input + 1]; a++) {
        const uint32_t one = g->targets[a], other = g->targets[found];
        if (p->definition.reading == COR_READING_FORCED ? p->ranks[one] > p->ranks[other]
                                                        : p->moves[one] < p->moves[other])
            found = a;
    }
    choice->label = g->labels[found];
    choice->is_part = p->game.first_gain;
    choice->whole = p->is_split ? COR_PROOF_FIXPOINT : COR_PROOF_NONE;
    for (uint32_t w = 0; w < p->problem->trap_words; w++)
        if (p->lost[w]) {
            choice->lost = p->lost;
            choice->is_part = true;
        }
    if (p->definition.reading == COR_READING_FORCED) {
        choice->left = p->ranks[node];
        choice->proof = complete || (!p->is_partial && node == 0 && p->ranks[0] <= p->game.open_depth)
                            ? COR_PROOF_FIXPOINT
                            : COR_PROOF_NONE;
        choice->method = "ranks of the worst case";
    } else {
        choice->expected = p->moves[node];
        choice->proof = complete && p->is_exact ? COR_PROOF_FIXPOINT : COR_PROOF_NONE;
        choice->method = "value iteration";
    }
    /* The bytes of an input of the game. */
    const uint32_t *key = cor_pool_item(&p->game.keys, node);
    struct plan__moves moves;
    COR_TRY(plan__graph_moves(&p->graph, key[0], &moves, error));
    choice->input = moves.inputs + (input - p->game.first_input[node]) * p->problem->input_size;
    return COR_OK;
}

/* Whether each input of the plan leaves the system no choice. */
static enum cor_status find_choice(struct planner *p, bool *has_choice, struct cor_error *error) {
    struct cor_expansion expansion = {0};
    const size_t size = p->problem->input_size;
    enum cor_status status = COR_OK;
    *has_choice = false;
    for (uint32_t m = 0; m < p->plan.length && !*has_choice; m++) {
        COR_TRY_OUT(cor_expand(p->problem, p->plan.states + m * p->problem->state_size, &expansion, error));
        for (uint32_t i = 0; i < expansion.input_count; i++)
            if (memcmp(expansion.inputs + i * size, p->plan.inputs + m * size, size) == 0)
                *has_choice = *has_choice || expansion.first[i + 1] - expansion.first[i] > 1;
    }
out:
    cor_expansion_fini(&expansion);
    return status;
}

static void destroy(void *self);
static enum cor_status create(const struct cor_planner_definition *definition, void **self,
                              struct cor_error *error);

static void forget_kind(struct planner *p) {
    if (p->kind)
        destroy(p->kind);
    p->kind = NULL;
}

static void choose_from_kind(struct planner *p, struct cor_plan_choice *choice) {
    choose_from_plan(p->kind, choice);
    if (p->definition.reading == COR_READING_EXPECTED)
        choice->expected = choice->left;
}

/* Where the game is too large: the shortest plan for a kind system. No reading has a shorter one, so that it
 * is the shortest of each where it leaves no choice; and what a kind system cannot reach nobody can.
 * *is_done: it is so. */
static enum cor_status ask_kind(struct planner *p, const void *state, const uint64_t *covered,
                                struct cor_plan_choice *choice, bool *is_done, struct cor_error *error) {
    struct cor_planner_definition definition = p->definition;
    bool has_choice;
    void *made = NULL;
    if (p->was_unsure)
        return COR_OK;
    forget_kind(p);
    definition.reading = COR_READING_HOPE;
    COR_TRY(create(&definition, &made, error));
    struct planner *kind = p->kind = made;
    COR_TRY(make_plan(kind, state, covered, error));
    COR_TRY(find_choice(kind, &has_choice, error));
    if (kind->plan.length > 0 && !has_choice) {
        struct cor_plan_choice found = no_choice();
        choose_from_plan(kind, &found);
        *is_done = !found.is_part;
        if (*is_done) {
            *choice = no_choice();
            choose_from_kind(p, choice);
        }
    } else if (kind->plan.length == 0 && kind->found == PLAN__FOUND_NONE && !p->is_partial) {
        memcpy(p->lost, kind->plan.lost, p->problem->trap_words * sizeof *p->lost);
        choose_nothing(p, COR_ADVICE_LOST, p->lost, choice);
        *is_done = true;
    }
    p->was_unsure = !*is_done;
    if (kind->plan.length == 0 || !*is_done)
        forget_kind(p);
    return COR_OK;
}

static enum cor_status choose_against_choice(struct planner *p, const void *state, const uint64_t *covered,
                                             struct cor_plan_choice *choice, struct cor_error *error) {
    if (p->has_game && p->definition.reading == COR_READING_EXPECTED && p->frequencies.seen > 0 &&
        p->frequencies.seen >= 2 * p->learnt)
        COR_TRY(solve_expected(p, error));
    bool is_done = false;
    uint32_t node = find_node(p, state, covered);
    if (node == COR_NONE) {
        if (p->is_vast)
            COR_TRY(ask_kind(p, state, covered, choice, &is_done, error));
        if (is_done)
            return COR_OK;
        COR_TRY(make_games(p, state, covered, error));
        node = 0;
        if (!p->is_split && (p->game.open_depth != COR_NONE || (p->game.first_gain && p->failed != COR_NONE)))
            COR_TRY(ask_kind(p, state, covered, choice, &is_done, error));
        if (is_done)
            return COR_OK;
    }
    if (wins(p, node))
        return choose_from_game(p, node, choice, error);
    if (p->game.open_depth != COR_NONE)
        choose_nothing(p, COR_ADVICE_GIVE_UP, NULL, choice);
    else if (p->distance[node] == PLAN__FAR) {
        for (uint32_t w = 0; w < p->problem->trap_words; w++)
            p->lost[w] = 0;
        for (uint32_t t = 0; t < p->problem->trap_count; t++)
            if (!cor_trap_is_in(covered, t))
                cor_trap_add(p->lost, t);
        choose_nothing(p, COR_ADVICE_LOST, p->lost, choice);
    } else
        choose_nothing(p, COR_ADVICE_PREVENTED, NULL, choice);
    return COR_OK;
}

/* The row. */

static enum cor_status choose(void *self, const void *state, const uint64_t *covered,
                              struct cor_plan_choice *choice, struct cor_error *error) {
    struct planner *p = self;
    *choice = no_choice();
    p->is_falling_back = false;
    if (cor_all_covered(p->problem, covered)) {
        choice->advice = COR_ADVICE_COVERED;
        return COR_OK;
    }
    if (p->definition.reading == COR_READING_HOPE) {
        if (is_on_plan(p, p->at + 1, state, covered)) {
            p->at++;
        } else if (!is_on_plan(p, p->at, state, covered)) {
            /* Nothing is planned for this state. */
            if (p->pause_left > 0) {
                p->pause_left--;
                COR_TRY(fall_back(p, state, covered, choice, error));
                if (choice->advice == COR_ADVICE_INPUT)
                    return COR_OK;
            }
            COR_TRY(make_plan(p, state, covered, error));
            if (p->plan.length == 0 && p->found == PLAN__FOUND_CUT) {
                COR_TRY(fall_back(p, state, covered, choice, error));
                p->pause_left = p->is_falling_back ? p->pause : 0;
                p->pause = p->pause == 0 ? 1 : p->pause < PAUSE_MAX ? 2 * p->pause : PAUSE_MAX;
                return COR_OK;
            }
            p->is_falling_back = false;
            p->pause = p->pause_left = 0;
            if (p->plan.length > 0)
                choose_from_plan(p, choice);
            else
                choose_nothing(p, COR_ADVICE_LOST, p->plan.lost, choice);
            return COR_OK;
        }
        choose_from_plan(p, choice);
        return COR_OK;
    }
    struct planner *kind = p->kind;
    if (kind &&
        (is_on_plan(kind, kind->at + 1, state, covered) || is_on_plan(kind, kind->at, state, covered))) {
        kind->at += is_on_plan(kind, kind->at + 1, state, covered);
        choose_from_kind(p, choice);
        return COR_OK;
    }
    return choose_against_choice(p, state, covered, choice, error);
}

static enum cor_status observe(void *self, const void *state, const void *input, uint32_t label,
                               const void *next, struct cor_error *error) {
    struct planner *p = self;
    if (p->is_falling_back && p->fallback->observe)
        return p->fallback->observe(p->fallback_self, state, input, label, next, error);
    if (p->definition.reading != COR_READING_EXPECTED || p->frequencies.weights)
        return COR_OK;
    /* Learns which of the rivals the system took. */
    const uint32_t number = cor_pool_find(&p->graph.states, state, p->graph.states.size);
    struct plan__moves moves;
    if (number == COR_NONE)
        return COR_OK;
    COR_TRY(plan__graph_moves(&p->graph, number, &moves, error));
    for (uint32_t i = 0; i < moves.input_count; i++) {
        if (memcmp(moves.inputs + i * p->problem->input_size, input, p->problem->input_size) != 0)
            continue;
        const uint32_t first = moves.first[i] - moves.first[0], count = moves.first[i + 1] - moves.first[i];
        uint32_t *labels = cor_calloc(count, sizeof *labels);
        COR_TRY(cor_made(labels, error));
        for (uint32_t a = 0; a < count; a++)
            labels[a] = moves.arcs[first + a].label;
        const enum cor_status status = frequencies_learn(&p->frequencies, labels, count, label, error);
        free(labels);
        return status;
    }
    return COR_OK;
}

static void destroy(void *self) {
    struct planner *p = self;
    if (!p)
        return;
    forget(p);
    forget_kind(p);
    if (p->fallback)
        p->fallback->destroy(p->fallback_self);
    plan__plan_fini(&p->plan);
    plan__beyond_fini(&p->beyond);
    cor_pool_fini(&p->frequencies.keys);
    COR_FREE(p->frequencies.counts, p->joined, p->lost, p);
}

static void restart(void *self) {
    struct planner *p = self;
    if (p->fallback && p->fallback->restart)
        p->fallback->restart(p->fallback_self);
}

static bool is_vast(const struct cor_efsm *model) {
    uint32_t variables[COR_EFSM_VARIABLES_MAX], count = 0;
    for (uint32_t v = 0; v < model->variable_count; v++)
        if (model->variables[v].kind == COR_EFSM_STATE)
            variables[count++] = v;
    return cor_efsm_domain_size(model, variables, count) > 10000000;
}

static enum cor_status create(const struct cor_planner_definition *definition, void **self,
                              struct cor_error *error) {
    struct planner *p = cor_calloc(1, sizeof *p);
    const struct cor_planning_problem *problem = definition->problem;
    COR_TRY(cor_made(p, error));
    p->definition = *definition;
    p->problem = problem;
    p->failed = COR_NONE;
    p->is_partial = definition->efsm && cor_efsm_problem_is_partial(definition->efsm);
    p->is_vast = definition->efsm && is_vast(definition->model);
    plan__graph_init(&p->graph, problem, definition->state_budget);
    p->frequencies =
        (struct plan__frequencies){.weights = definition->weights, .keys.size = sizeof(struct key)};
    p->joined = cor_calloc(problem->trap_words, sizeof *p->joined);
    p->lost = cor_calloc(problem->trap_words, sizeof *p->lost);
    if (!p->joined || !p->lost) {
        destroy(p);
        return cor_fail_memory(error);
    }
    *self = p;
    return COR_OK;
}

const struct cor_planner_kind plan__planner_search = {
    "search", "the shortest way, by looking at all states that matter", create, destroy, choose, observe,
    restart,
};
