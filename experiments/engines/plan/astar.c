/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "product.h"

#include <corridor/array.h>
#include <corridor/astar.h>
#include <corridor/pool.h>
#include <corridor/solve.h>

#include <stdlib.h>
#include <string.h>

/* The only trap that is left; COR_NONE: there are several. */
static uint32_t only_open(const struct cor_planning_problem *problem, const uint64_t *covered) {
    uint32_t open = COR_NONE;
    for (uint32_t t = 0; t < problem->trap_count; t++)
        if (!cor_trap_is_in(covered, t)) {
            if (open != COR_NONE)
                return COR_NONE;
            open = t;
        }
    return open;
}

/* Move by move, with what is covered before each. */
static enum cor_status take_moves(const struct cor_planning_problem *problem,
                                  const struct cor_bounded_plan *from, const void *state,
                                  const uint64_t *covered, struct plan__plan *plan, struct cor_error *error) {
    COR_FINISHED(cor_expansion) struct cor_expansion expansion = {0};
    COR_FREED uint64_t *now = cor_calloc(2 * (size_t)problem->trap_words, sizeof *now);
    COR_TRY(cor_made(now, error));
    memcpy(now, covered, problem->trap_words * sizeof *now);
    plan__plan_fini(plan);
    for (uint32_t i = 0; i < from->length; i++) {
        const unsigned char *input = from->inputs + i * problem->input_size;
        const unsigned char *next = from->states + i * problem->state_size;
        uint64_t *hits = now + problem->trap_words;
        COR_TRY(plan__plan_add(problem, plan, state, now, input, from->labels[i], error));
        COR_TRY(cor_expand(problem, state, &expansion, error));
        for (uint32_t n = 0; n < expansion.input_count; n++)
            for (uint32_t o = expansion.first[n]; o < expansion.first[n + 1]; o++)
                if (memcmp(expansion.inputs + n * problem->input_size, input, problem->input_size) == 0 &&
                    expansion.outcomes[o].label == from->labels[i])
                    memcpy(hits, expansion.hits + (size_t)o * problem->trap_words,
                           problem->trap_words * sizeof *hits);
        cor_cover(problem, now, hits);
        state = next;
    }
    return COR_OK;
}

enum cor_status plan__plan_beyond(struct plan__beyond *beyond,
                                  const struct cor_planner_definition *definition, const void *state,
                                  const uint64_t *covered, struct plan__plan *plan, enum plan__found *found,
                                  struct cor_error *error) {
    const struct cor_planning_problem *problem = definition->problem;
    COR_FINISHED(cor_bounded_plan) struct cor_bounded_plan bounded = {.length = COR_NONE};
    const uint32_t open = only_open(problem, covered);
    beyond->has_plan = false;
    beyond->proof = COR_PROOF_NONE;
    if (!definition->efsm || !cor_solver_is_there() || problem->denied || problem->way_count > 0)
        return COR_OK;
    if (!beyond->guide)
        COR_TRY(cor_efsm_guide_create(definition->efsm, definition->model, definition->goal, &beyond->guide,
                                      error));
    COR_TRY(cor_plan_by_bound(problem, beyond->guide, state, covered, definition->state_budget,
                              cor_efsm_problem_is_partial(definition->efsm), &bounded, error));
    if (bounded.length != COR_NONE && bounded.length > 0) {
        COR_TRY(take_moves(problem, &bounded, state, covered, plan, error));
        *found = PLAN__FOUND_ALL;
        beyond->has_plan = true;
        beyond->proof = bounded.proof;
    } else if (bounded.length == COR_NONE && bounded.proof != COR_PROOF_NONE && open != COR_NONE) {
        if (!plan->lost)
            COR_TRY(cor_made(plan->lost = cor_calloc(problem->trap_words, sizeof *plan->lost), error));
        memset(plan->lost, 0, problem->trap_words * sizeof *plan->lost);
        cor_trap_add(plan->lost, open);
        plan->length = 0;
        *found = PLAN__FOUND_NONE;
        beyond->proof = bounded.proof;
    }
    return COR_OK;
}

void plan__beyond_fini(struct plan__beyond *beyond) {
    cor_efsm_guide_destroy(beyond->guide);
    *beyond = (struct plan__beyond){.guide = NULL};
}

/* ---- astar */

#define QUESTIONS_MAX 300 /* to the guide, in a search; states are cheap beside them */
#define HASTE 4           /* how much the bound counts where any plan is welcome */

/* A state with what is covered, and how it was reached. */
struct node {
    uint32_t parent; /* COR_NONE: the first */
    uint32_t label;
    uint32_t moves; /* to here */
    uint32_t least; /* no plan through here, on this way, is shorter */
    uint32_t turn;  /* among what the same label leads to: the extremes first */
    bool is_known;  /* the guide was asked, or follows */
    bool is_on_way; /* it follows */
    bool is_covered;
    bool is_closed;
};

/* What to look at next; superseded entries are skipped. */
struct entry {
    uint64_t rank; /* the least first */
    uint32_t node, moves;
};

struct tally {
    uint32_t label, count, passed;
};

struct search {
    const struct cor_planning_problem *problem;
    const struct cor_guide *guide;
    uint32_t haste;
    uint64_t budget, questions;
    struct node *nodes;     /* owned */
    struct cor_pool states; /* [node] with what is covered there */
    unsigned char *inputs;  /* owned; [node][input_size] */
    size_t node_capacity, input_capacity;
    struct entry *heap; /* owned */
    uint32_t heap_count;
    size_t heap_capacity;
    uint64_t serial; /* the newest first among equals */
    struct cor_expansion expansion;
    struct tally *tallies; /* owned; of its labels */
    uint32_t tally_count;
    size_t tally_capacity;
    unsigned char *child; /* owned; a state with what is covered */
    uint64_t *hits;       /* owned */
    uint32_t found;       /* node; COR_NONE */
    uint32_t bound;       /* no plan from the start is shorter */
    bool ended_early;     /* by a budget */
    uint64_t expanded;
    struct cor_error *error;
};

static const unsigned char *state_at(const struct search *s, uint32_t node) {
    return cor_pool_item(&s->states, node);
}

static size_t covered_offset(const struct search *s) {
    return (s->problem->state_size + 7) / 8 * 8;
}

/* In memory whose rows are multiples of 8 bytes. */
static uint64_t *covered_by_child(const struct search *s) {
    return (uint64_t *)(void *)(s->child + covered_offset(s));
}

static const uint64_t *covered_at(const struct search *s, uint32_t node) {
    return (const uint64_t *)(const void *)(state_at(s, node) + covered_offset(s));
}

/* First what no shorter plan than others goes through; of these what is on the way that was found; then of
 * what one label leads to from one state the extremes, since the rest mostly differs little; then what is
 * farthest from the start; then the newest. */
static uint64_t rank_of(const struct search *s, const struct node *node) {
    const uint64_t left = node->least - node->moves;
    const uint64_t f = node->moves + s->haste * left < 0xFFFFFF ? node->moves + s->haste * left : 0xFFFFFF;
    const uint64_t near = node->moves < 0xFFFFFF ? 0xFFFFFF - node->moves : 0;
    return f << 40 | (uint64_t) !(node->is_on_way || node->is_covered) << 39 |
           (uint64_t)(node->turn < 255 ? node->turn : 255) << 31 | near << 7;
}

static bool comes_before(const struct entry *a, const struct entry *b) {
    return a->rank != b->rank ? a->rank < b->rank : a->node > b->node;
}

static enum cor_status push(struct search *s, uint32_t node) {
    COR_TRY(COR_RESERVE(&s->heap, &s->heap_capacity, s->heap_count + 1, s->error));
    const struct entry entry = {rank_of(s, &s->nodes[node]), node, s->nodes[node].moves};
    uint32_t at = s->heap_count++;
    for (; at > 0 && comes_before(&entry, &s->heap[(at - 1) / 2]); at = (at - 1) / 2)
        s->heap[at] = s->heap[(at - 1) / 2];
    s->heap[at] = entry;
    return COR_OK;
}

/* The node of the state in `child`, new (*is_new) or not. */
static enum cor_status find_node(struct search *s, uint32_t *node, bool *is_new) {
    const uint32_t count = s->states.count;
    COR_TRY(COR_RESERVE(&s->nodes, &s->node_capacity, (size_t)count + 1, s->error));
    COR_TRY(COR_RESERVE(&s->inputs, &s->input_capacity, ((size_t)count + 1) * s->problem->input_size + 1,
                        s->error));
    COR_TRY(cor_pool_add(&s->states, s->child, s->states.size, node, s->error));
    *is_new = *node == count;
    return COR_OK;
}

static struct tally *tally_of(struct search *s, uint32_t outcome) {
    struct tally *tally = s->tallies;
    while (tally->label != s->expansion.outcomes[outcome].label)
        tally++;
    return tally;
}

/* One outcome: a node with a shorter way to it than was known is to be looked at (again). */
static enum cor_status reach_child(struct search *s, uint32_t from, uint32_t input, uint32_t outcome,
                                   uint32_t *made) {
    const struct cor_planning_problem *problem = s->problem;
    const size_t words = problem->trap_words * sizeof(uint64_t);
    bool is_new;
    uint32_t n;
    *made = COR_NONE;
    memset(s->child, 0, s->states.size);
    memcpy(s->child, s->expansion.states + outcome * problem->state_size, problem->state_size);
    memcpy(s->child + covered_offset(s), state_at(s, from) + covered_offset(s), words);
    memcpy(s->hits, s->expansion.hits + (size_t)outcome * problem->trap_words, words);
    cor_cover(problem, covered_by_child(s), s->hits);
    COR_TRY(find_node(s, &n, &is_new));
    const struct node *parent = &s->nodes[from];
    struct node *node = &s->nodes[n];
    if (!is_new && node->moves <= parent->moves + 1)
        return COR_OK;
    const bool is_covered = cor_all_covered(problem, covered_by_child(s));
    const uint32_t here = parent->moves + 1 + !is_covered;
    /* Turns: the last of a label is 0, the first 1, the last but one 2, and so on. */
    const struct tally *tally = tally_of(s, outcome);
    const uint32_t behind = tally->count - 1 - tally->passed, before = tally->passed;
    *node = (struct node){.parent = from,
                          .label = s->expansion.outcomes[outcome].label,
                          .moves = parent->moves + 1,
                          .least = here > parent->least ? here : parent->least,
                          .turn = behind <= before ? 2 * behind : 2 * before + 1,
                          .is_covered = is_covered};
    memcpy(s->inputs + n * problem->input_size, s->expansion.inputs + input * problem->input_size,
           problem->input_size);
    *made = n;
    return COR_OK;
}

/* All that one move leads to. At most one of it is on the way. */
static enum cor_status expand(struct search *s, uint32_t from) {
    bool on_way = false;
    COR_TRY(cor_expand(s->problem, state_at(s, from), &s->expansion, s->error));
    /* Labels of the expansion, and how often each occurs. */
    s->tally_count = 0;
    for (uint32_t o = 0; o < s->expansion.outcome_count; o++) {
        uint32_t t = 0;
        while (t < s->tally_count && s->tallies[t].label != s->expansion.outcomes[o].label)
            t++;
        if (t == s->tally_count) {
            COR_TRY(COR_RESERVE(&s->tallies, &s->tally_capacity, t + 1, s->error));
            s->tallies[s->tally_count++] = (struct tally){.label = s->expansion.outcomes[o].label};
        }
        s->tallies[t].count++;
    }
    s->expanded++;
    s->nodes[from].is_closed = true;
    for (uint32_t i = 0; i < s->expansion.input_count; i++)
        for (uint32_t o = s->expansion.first[i]; o < s->expansion.first[i + 1]; o++) {
            uint32_t n;
            COR_TRY(reach_child(s, from, i, o, &n));
            tally_of(s, o)->passed++;
            if (n == COR_NONE)
                continue;
            if (!on_way && !s->nodes[n].is_covered &&
                s->guide->follow(s->guide->self, state_at(s, from), covered_at(s, from),
                                 s->inputs + n * s->problem->input_size, s->nodes[n].label, state_at(s, n),
                                 covered_at(s, n)))
                s->nodes[n].is_known = s->nodes[n].is_on_way = on_way = true;
            COR_TRY(push(s, n));
        }
    return COR_OK;
}

/* Until a plan is found, or there is none, or a budget is used up. Without haste the least entry is a lower
 * bound of all plans. */
static enum cor_status look(struct search *s) {
    while (s->heap_count > 0 && s->found == COR_NONE) {
        const struct entry top = s->heap[0], last = s->heap[--s->heap_count];
        uint32_t at = 0;
        for (uint32_t child; (child = 2 * at + 1) < s->heap_count; at = child) {
            if (child + 1 < s->heap_count && comes_before(&s->heap[child + 1], &s->heap[child]))
                child++;
            if (!comes_before(&s->heap[child], &last))
                break;
            s->heap[at] = s->heap[child];
        }
        s->heap[at] = last;
        struct node *node = &s->nodes[top.node];
        if (top.moves != node->moves || node->is_closed)
            continue; /* superseded */
        if (s->haste == 1 && node->least > s->bound)
            s->bound = node->least;
        if (node->is_covered) {
            s->found = top.node;
            return COR_OK;
        }
        if (s->states.count >= s->budget || s->questions >= QUESTIONS_MAX) {
            s->ended_early = true;
            return COR_OK;
        }
        const uint32_t before = node->least;
        if (!node->is_known) {
            /* Asks the guide about a node. */
            const uint32_t n = top.node;
            uint32_t left = node->least - node->moves;
            COR_TRY(s->guide->bound(s->guide->self, state_at(s, n), covered_at(s, n), &left, s->error));
            s->questions++;
            node->is_known = true;
            node->least = left == COR_BOUND_LOST || left >= COR_BOUND_LOST - node->moves ? COR_BOUND_LOST
                                                                                         : node->moves + left;
        }
        if (s->nodes[top.node].least == COR_BOUND_LOST)
            continue;
        if (s->nodes[top.node].least > before)
            COR_TRY(push(s, top.node));
        else
            COR_TRY(expand(s, top.node));
    }
    return COR_OK;
}

static enum cor_status search_from(struct search *s, const void *state, const uint64_t *covered) {
    bool is_new;
    uint32_t n;
    s->states.size = covered_offset(s) + s->problem->trap_words * sizeof(uint64_t);
    s->found = COR_NONE;
    s->child = cor_calloc(1, s->states.size);
    s->hits = cor_calloc(s->problem->trap_words, sizeof *s->hits);
    if (!s->child || !s->hits)
        return cor_fail_memory(s->error);
    memcpy(s->child, state, s->problem->state_size);
    memcpy(s->child + covered_offset(s), covered, s->problem->trap_words * sizeof *covered);
    COR_TRY(find_node(s, &n, &is_new));
    s->nodes[n] = (struct node){.parent = COR_NONE,
                                .label = COR_NONE,
                                .is_covered = cor_all_covered(s->problem, covered),
                                .least = !cor_all_covered(s->problem, covered)};
    COR_TRY(push(s, n));
    return look(s);
}

static enum cor_status take_plan(const struct search *s, struct cor_bounded_plan *plan,
                                 struct cor_error *error) {
    const struct cor_planning_problem *problem = s->problem;
    plan->length = s->nodes[s->found].moves;
    plan->inputs = cor_calloc(plan->length, problem->input_size);
    plan->states = cor_calloc(plan->length, problem->state_size);
    plan->labels = cor_calloc(plan->length, sizeof *plan->labels);
    if (!plan->inputs || !plan->states || !plan->labels)
        return cor_fail_memory(error);
    uint32_t n = s->found;
    for (uint32_t i = plan->length; i-- > 0; n = s->nodes[n].parent) {
        memcpy(plan->inputs + i * problem->input_size, s->inputs + n * problem->input_size,
               problem->input_size);
        memcpy(plan->states + i * problem->state_size, state_at(s, n), problem->state_size);
        plan->labels[i] = s->nodes[n].label;
    }
    return COR_OK;
}

/* The best first; if that takes too much, any plan, with the gap. */
enum cor_status cor_plan_by_bound(const struct cor_planning_problem *problem, const struct cor_guide *guide,
                                  const void *state, const uint64_t *covered, uint64_t state_budget,
                                  bool is_partial, struct cor_bounded_plan *plan, struct cor_error *error) {
    enum cor_status status = COR_OK;
    bool all_seen = false;
    *plan = (struct cor_bounded_plan){.length = COR_NONE};
    for (uint32_t haste = 1; haste <= HASTE && plan->length == COR_NONE && !all_seen && status == COR_OK;
         haste += HASTE - 1) {
        struct search s = {.problem = problem,
                           .guide = guide,
                           .haste = haste,
                           .budget = state_budget < UINT32_MAX - 1 ? state_budget : UINT32_MAX - 1,
                           .error = error};
        status = search_from(&s, state, covered);
        if (status == COR_OK && s.found != COR_NONE)
            status = take_plan(&s, plan, error);
        plan->bound = s.bound > plan->bound ? s.bound : plan->bound;
        all_seen = !s.ended_early && s.found == COR_NONE;
        if (all_seen && s.expanded == 0) { /* by the bound of the start alone */
            plan->bound = COR_BOUND_LOST;
            plan->proof = COR_PROOF_BOUND;
        }
        const uint64_t bytes = s.node_capacity * sizeof *s.nodes + cor_pool_memory(&s.states) +
                               s.input_capacity + s.heap_capacity * sizeof *s.heap;
        plan->expanded += s.expanded;
        plan->seen += s.states.count;
        plan->bytes = bytes > plan->bytes ? bytes : plan->bytes;
        free(s.nodes);
        cor_pool_fini(&s.states);
        COR_FREE(s.inputs, s.heap, s.child, s.hits, s.tallies);
        cor_expansion_fini(&s.expansion);
    }
    if (plan->length != COR_NONE && plan->length == plan->bound)
        plan->proof = COR_PROOF_BOUND;
    if (all_seen && plan->proof == COR_PROOF_NONE && !is_partial) {
        plan->bound = COR_BOUND_LOST;
        plan->proof = COR_PROOF_FIXPOINT;
    }
    guide->spent(guide->self, &plan->questions, &plan->seconds);
    if (status != COR_OK)
        cor_bounded_plan_fini(plan);
    return status;
}

void cor_bounded_plan_fini(struct cor_bounded_plan *plan) {
    COR_FREE(plan->inputs, plan->labels, plan->states);
    *plan = (struct cor_bounded_plan){.length = COR_NONE};
}
