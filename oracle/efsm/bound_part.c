/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bound_part.h"

#include <corridor/array.h>
#include <corridor/hash.h>

#include <stdlib.h>
#include <string.h>

#define WORK 2000000u /* of z3 for a step of the search for the least sum */

enum cor_status efsm__bound_part_create(const struct cor_efsm *model, const struct cor_efsm_goal *goal,
                                        struct efsm__bound_part **part, struct cor_error *error) {
    enum cor_status status = COR_OK;
    struct efsm__bound_part *b = *part = cor_calloc(1, sizeof *b);
    COR_TRY(cor_made(b, error));
    COR_TRY_OUT(efsm__state_equation_make(&b->equation, model, goal, error));
    b->trap_words = goal->trap_count == 0 ? 1 : (goal->trap_count + 63) / 64;
    b->key_count = 1 + model->variable_count + b->trap_words;
    b->low = cor_calloc(b->equation.problem.variable_count, sizeof *b->low);
    b->high = cor_calloc(b->equation.problem.variable_count, sizeof *b->high);
    b->values = cor_calloc(b->equation.problem.variable_count, sizeof *b->values);
    b->key = cor_calloc(b->key_count, sizeof *b->key);
    b->queue = cor_calloc(model->location_count, sizeof *b->queue);
    if (!b->low || !b->high || !b->values || !b->key || !b->queue)
        COR_TRY_OUT(cor_fail_memory(error));
    if (b->equation.usable)
        COR_TRY_OUT(cor_solver_create(&b->equation.problem, &b->solver, error));
out:
    b->equation.space.error = b->equation.statement.error = NULL; /* the caller's, for this alone */
    if (status != COR_OK) {
        efsm__bound_part_destroy(b);
        *part = NULL;
    }
    return status;
}

void efsm__bound_part_destroy(struct efsm__bound_part *part) {
    if (!part)
        return;
    cor_solver_destroy(part->solver);
    for (size_t i = 0; i < EFSM__SOLUTIONS; i++)
        free(part->solutions[i].values);
    free(part->low);
    free(part->high);
    free(part->values);
    free(part->key);
    free(part->queue);
    efsm__state_equation_fini(&part->equation);
    free(part);
}

static void make_key(struct efsm__bound_part *b, uint32_t location, const int64_t *values,
                     const uint64_t *covered) {
    const struct cor_efsm *model = b->equation.model;
    b->key[0] = location;
    for (uint32_t v = 0; v < model->variable_count; v++)
        b->key[v + 1] = model->variables[v].kind == COR_EFSM_STATE ? values[v] : 0;
    memcpy(b->key + 1 + model->variable_count, covered, b->trap_words * sizeof *covered);
}

static struct efsm__solution *slot_of(struct efsm__bound_part *b) {
    return &b->solutions[cor_hash_bytes(COR_HASH_SEED, b->key, b->key_count * sizeof *b->key) %
                         EFSM__SOLUTIONS];
}

/* What was found for the state of the key; NULL: nothing, or it is forgotten. */
static const int64_t *find_solution(struct efsm__bound_part *b) {
    const struct efsm__solution *slot = slot_of(b);
    return slot->values && memcmp(slot->key, b->key, b->key_count * sizeof *b->key) == 0 ? slot->values
                                                                                         : NULL;
}

/* Keeps `values` for the state of the key; without memory it is only forgotten. */
static void keep_solution(struct efsm__bound_part *b) {
    const size_t count = b->equation.problem.variable_count;
    struct efsm__solution *slot = slot_of(b);
    if (!slot->values) {
        slot->values = cor_calloc(count + b->key_count, sizeof *slot->values);
        if (!slot->values)
            return;
        slot->key = slot->values + count;
    }
    memcpy(slot->values, b->values, count * sizeof *slot->values);
    memcpy(slot->key, b->key, b->key_count * sizeof *slot->key);
}

static bool is_open(const uint64_t *covered, uint32_t trap) {
    return !(covered[trap / 64] >> trap % 64 & 1);
}

static void fix(struct efsm__bound_part *b, uint32_t variable, int64_t value) {
    b->low[variable] = b->high[variable] = b->values[variable] = value;
}

/* The ranges of the question about a state. */
static void fix_state(struct efsm__bound_part *b, uint32_t location, const int64_t *values,
                      const uint64_t *covered) {
    const struct efsm__state_equation *eq = &b->equation;
    memcpy(b->low, eq->problem.low, eq->problem.variable_count * sizeof *b->low);
    memcpy(b->high, eq->problem.high, eq->problem.variable_count * sizeof *b->high);
    for (uint32_t l = 0; l < eq->model->location_count; l++)
        fix(b, eq->here + l, l == location);
    for (uint32_t i = 0; i < eq->goal->trap_count; i++)
        fix(b, eq->open + i, is_open(covered, i));
    EFSM__FOR_STATE_VARIABLES(eq, v)
    fix(b, eq->now[v], values[v]);
}

enum cor_status efsm__bound_part_moves(struct efsm__bound_part *b, uint32_t location, const int64_t *values,
                                       const uint64_t *covered, uint32_t *moves, struct cor_error *error) {
    const struct cor_question question = {
        .kind = COR_QUESTION_BOUND, .low = b->low, .high = b->high, .work = WORK};
    struct cor_least least;
    if (*moves < 1)
        *moves = 1;
    if (!b->solver)
        return COR_OK;
    fix_state(b, location, values, covered);
    COR_TRY(cor_solver_minimise(b->solver, &question, &b->equation.length, (int64_t)*moves - 1, &least,
                                b->values, error));
    if (least.answer == COR_ANSWER_EMPTY) {
        *moves = UINT32_MAX;
        return COR_OK;
    }
    *moves = least.low >= UINT32_MAX - 2 ? UINT32_MAX - 1 : (uint32_t)least.low + 1;
    if (least.answer == COR_ANSWER_SATISFIABLE && least.value == least.low) {
        make_key(b, location, values, covered);
        keep_solution(b);
    }
    return COR_OK;
}

/* Levels along what the solution uses, breadth first. */
static void set_levels(struct efsm__bound_part *b, uint32_t location) {
    const struct efsm__state_equation *eq = &b->equation;
    uint32_t first = 0, last = 0;
    for (uint32_t l = 0; l < eq->model->location_count; l++)
        b->values[eq->level + l] = eq->model->location_count;
    b->values[eq->level + location] = 0;
    b->queue[last++] = location;
    while (first < last) {
        const uint32_t l = b->queue[first++];
        for (uint32_t i = 0; i < eq->operation_count; i++) {
            const struct cor_efsm_transition *t = efsm__transition_of(eq, &eq->operations[i]);
            if (t->source != l || b->values[eq->operations[i].count] == 0 ||
                b->values[eq->level + t->target] < (int64_t)eq->model->location_count)
                continue;
            b->values[eq->level + t->target] = b->values[eq->level + l] + 1;
            b->queue[last++] = t->target;
        }
    }
}

static bool is_assigned_again(const struct efsm__bound_part *b, uint32_t v) {
    const struct efsm__state_equation *eq = &b->equation;
    for (uint32_t i = 0; i < eq->operation_count; i++)
        if (eq->operations[i].change[v] == EFSM__ASSIGNS && b->values[eq->operations[i].count] > 0)
            return true;
    return false;
}

/* What is not assigned any more begins at its present value, and all uses count. */
static void set_tails(struct efsm__bound_part *b) {
    const struct efsm__state_equation *eq = &b->equation;
    for (uint32_t i = 0; i < eq->tail_count; i++) {
        const struct efsm__tail *tail = &eq->tails[i];
        const struct efsm__operation *o = &eq->operations[tail->operation];
        if (is_assigned_again(b, tail->variable))
            continue;
        b->values[tail->count] = b->values[o->count];
        for (uint32_t p = 0; p < eq->model->variable_count; p++)
            if (tail->sums[p] != COR_NONE)
                b->values[tail->sums[p]] = b->values[o->sums[p]];
        if (tail->drift != COR_NONE)
            b->values[tail->drift] = b->values[o->drift[tail->variable]];
    }
    EFSM__FOR_STATE_VARIABLES(eq, v)
    if (eq->is_assigned[v] && !is_assigned_again(b, v))
        b->values[eq->base[v]] = b->values[eq->now[v]];
}

bool efsm__bound_part_follow(struct efsm__bound_part *b, uint32_t location, const int64_t *values,
                             const uint64_t *covered, uint32_t transition, const int64_t *inputs,
                             const int64_t *next, const uint64_t *next_covered) {
    const struct efsm__state_equation *eq = &b->equation;
    int64_t all[COR_EFSM_VARIABLES_MAX];
    if (!b->solver)
        return false;
    make_key(b, location, values, covered);
    const int64_t *found = find_solution(b);
    for (uint32_t v = 0; v < eq->model->variable_count; v++)
        all[v] = eq->model->variables[v].kind == COR_EFSM_STATE ? values[v] : inputs[v];
    const uint32_t operation = found ? efsm__operation_of(eq, transition, all) : COR_NONE;
    if (operation == COR_NONE || found[eq->operations[operation].count] == 0)
        return false;
    const uint32_t target = eq->model->transitions[transition].target;
    memcpy(b->values, found, eq->problem.variable_count * sizeof *found);
    fix_state(b, target, next, next_covered);
    /* Takes one use of the operation out of the solution. */
    const struct efsm__operation *o = &eq->operations[operation];
    b->values[o->count]--;
    for (uint32_t v = 0; v < b->equation.model->variable_count; v++) {
        if (o->sums[v] != COR_NONE)
            b->values[o->sums[v]] -= all[v];
        if (o->drift[v] != COR_NONE)
            b->values[o->drift[v]] -= next[v] - values[v];
    }
    set_levels(b, target);
    set_tails(b);
    const struct cor_problem question = {.variable_count = eq->problem.variable_count,
                                         .low = b->low,
                                         .high = b->high,
                                         .constraints = eq->problem.constraints,
                                         .constraint_count = eq->problem.constraint_count};
    if (!cor_problem_holds(&question, b->values))
        return false;
    make_key(b, target, next, next_covered);
    keep_solution(b);
    return true;
}

bool efsm__bound_part_knows(struct efsm__bound_part *b, uint32_t location, const int64_t *values,
                            const uint64_t *covered) {
    if (!b->solver)
        return false;
    make_key(b, location, values, covered);
    return find_solution(b) != NULL;
}
