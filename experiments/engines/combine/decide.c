/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The model as z3 reads it: for each parameter the number of its level, for each atom whether it holds. What
 * an atom is for which levels is said by clauses, one for each run of levels with the same outcome; so reals
 * and words need no theory of their own. */
#include "internal.h"

#include <corridor/array.h>

#include <stdlib.h>

#define CLAUSES_MAX 100000
#define LOOKS_MAX 2000000 /* at atoms */
#define WORK 5000000      /* z3's own unit: some seconds */

enum { HOLDS, DENIED, UNDEFINED };

struct combine__decider {
    const struct cor_combine_model *model;
    struct cor_solver *solver; /* owned, as all below; NULL: not asked yet, or too much to tell */
    bool too_much;
    const char **names;
    int64_t *low, *high, *values;
    struct cor_expression *clauses;
    size_t clause_count, clause_capacity;
    struct cor_problem problem;
    uint32_t *levels; /* by parameter */
    struct cor_value *of_levels;
    uint64_t looks;
};

enum cor_status combine__decider_create(const struct cor_combine_model *model, struct combine__decider **made,
                                        struct cor_error *error) {
    COR_TRY(cor_made(*made = cor_calloc(1, sizeof **made), error));
    (*made)->model = model;
    return COR_OK;
}

static void cut_clauses(struct combine__decider *d, size_t from) {
    while (d->clause_count > from)
        cor_expression_fini(&d->clauses[--d->clause_count]);
}

void combine__decider_destroy(struct combine__decider *d) {
    if (!d)
        return;
    cor_solver_destroy(d->solver);
    cut_clauses(d, 0);
    COR_FREE(d->clauses, d->names, d->low, d->high, d->values, d->levels, d->of_levels, d);
}

static enum cor_status begin_clause(struct combine__decider *d, uint32_t room, struct cor_error *error) {
    COR_TRY(COR_RESERVE(&d->clauses, &d->clause_capacity, d->clause_count + 1, error));
    struct cor_expression *clause = &d->clauses[d->clause_count];
    *clause = (struct cor_expression){.text = cor_strdup("a clause"),
                                      .nodes = cor_calloc(room, sizeof *clause->nodes),
                                      .is_constraint = true,
                                      .integer_only = true,
                                      .result = COR_VALUE_INTEGER};
    d->clause_count++;
    return clause->nodes && clause->text ? COR_OK : cor_fail_memory(error);
}

static uint32_t put(struct combine__decider *d, struct cor_node node) {
    struct cor_expression *clause = &d->clauses[d->clause_count - 1];
    clause->nodes[clause->node_count] = node;
    return clause->node_count++;
}

/* "variable relation constant", or the other way round. */
static uint32_t put_comparison(struct combine__decider *d, uint32_t variable, enum cor_operator relation,
                               int64_t constant, bool turned) {
    uint32_t left = put(d, (struct cor_node){.operator= COR_OPERATOR_VARIABLE, .variable = variable});
    uint32_t right = put(d, (struct cor_node){.operator= COR_OPERATOR_CONSTANT, .constant = constant});
    return put(d, (struct cor_node){
                      .operator= relation, .left = turned ? right : left, .right = turned ? left : right});
}

static uint32_t put_or(struct combine__decider *d, uint32_t left, uint32_t right) {
    return put(d, (struct cor_node){.operator= COR_OPERATOR_OR, .left = left, .right = right});
}

/* Two conditions are the same, or are not: z3's reader knows no comparison of conditions. */
static uint32_t put_same(struct combine__decider *d, uint32_t left, uint32_t right, bool same) {
    uint32_t not_left = put(d, (struct cor_node){.operator= COR_OPERATOR_NOT, .left = left, .right = left});
    uint32_t not_right =
        put(d, (struct cor_node){.operator= COR_OPERATOR_NOT, .left = right, .right = right});
    uint32_t first = put(
        d, (struct cor_node){.operator= COR_OPERATOR_AND, .left = left, .right = same ? right : not_right});
    uint32_t second = put(
        d,
        (struct cor_node){.operator= COR_OPERATOR_AND, .left = not_left, .right = same ? not_right : right});
    return put_or(d, first, second);
}

/* A parameter is outside of a run of levels. */
static uint32_t put_outside(struct combine__decider *d, uint32_t parameter, uint32_t first, uint32_t last) {
    uint32_t below = put_comparison(d, parameter, COR_OPERATOR_LESS, first, false);
    return put_or(d, below, put_comparison(d, parameter, COR_OPERATOR_LESS, last, true));
}

static int judge(struct combine__decider *d, const struct combine__combine_atom *atom) {
    d->looks++;
    for (uint32_t i = 0; i < atom->parameter_count; i++) {
        uint32_t p = atom->parameters[i];
        d->of_levels[p] = d->model->parameters[p].levels[d->levels[p]].value;
    }
    return cor_expression_judge(&atom->holds, d->of_levels)    ? HOLDS
           : cor_expression_judge(&atom->denies, d->of_levels) ? DENIED
                                                               : UNDEFINED;
}

/* An atom within a run of levels of its last parameter, the others' as they stand, is what it is there. */
static enum cor_status add_run(struct combine__decider *d, const struct combine__combine_atom *atom,
                               uint32_t variable, uint32_t first, uint32_t last, int outcome,
                               struct cor_error *error) {
    uint32_t count = atom->parameter_count;
    COR_TRY(begin_clause(d, 4 * count + 16, error));
    uint32_t root = put_outside(d, atom->parameters[count - 1], first, last);
    for (uint32_t i = 0; i + 1 < count; i++) {
        uint32_t p = atom->parameters[i];
        root = put_or(d, root, put_comparison(d, p, COR_OPERATOR_NOT_EQUAL, d->levels[p], false));
    }
    if (outcome != UNDEFINED) /* else the constraint fails, whatever joins it */
        put_or(d, root, put_comparison(d, variable, COR_OPERATOR_EQUAL, outcome == HOLDS, false));
    return COR_OK;
}

static bool is_too_much(struct combine__decider *d) {
    d->too_much = d->too_much || d->looks > LOOKS_MAX || d->clause_count > CLAUSES_MAX;
    return d->too_much;
}

static enum cor_status add_atom(struct combine__decider *d, const struct combine__combine_atom *atom,
                                uint32_t variable, struct cor_error *error) {
    uint32_t count = atom->parameter_count;
    if (count == 0) {
        int outcome = judge(d, atom);
        COR_TRY(begin_clause(d, 4, error));
        put_comparison(d, variable, COR_OPERATOR_EQUAL, outcome == UNDEFINED ? 2 : outcome == HOLDS, false);
        return COR_OK;
    }
    uint32_t last = atom->parameters[count - 1], levels = d->model->parameters[last].level_count, i = 0;
    for (i = 0; i < count; i++)
        d->levels[atom->parameters[i]] = 0;
    for (i = 0; i < count && !is_too_much(d);) {
        uint32_t first = 0;
        int before = UNDEFINED;
        for (uint32_t l = 0; l <= levels; l++) {
            d->levels[last] = l < levels ? l : 0;
            int outcome = l < levels ? judge(d, atom) : -1;
            if (l > 0 && outcome != before) {
                COR_TRY(add_run(d, atom, variable, first, l - 1, before, error));
                first = l;
            }
            before = outcome;
        }
        for (i = 0; i < count; i++) {
            uint32_t p = atom->parameters[i];
            if (p == last)
                continue;
            if (++d->levels[p] < d->model->parameters[p].level_count)
                break;
            d->levels[p] = 0;
        }
    }
    return COR_OK;
}

static enum cor_status begin_solver(struct combine__decider *d, struct cor_error *error) {
    const struct cor_combine_model *model = d->model;
    size_t width = model->parameter_count, count = width;
    for (size_t i = 0; i < model->constraint_count; i++)
        count += model->constraints[i].atom_count;
    d->names = cor_calloc(count + 1, sizeof *d->names);
    d->low = cor_calloc(count, sizeof *d->low);
    d->high = cor_calloc(count, sizeof *d->high);
    d->values = cor_calloc(count, sizeof *d->values);
    d->levels = cor_calloc(width, sizeof *d->levels);
    d->of_levels = cor_calloc(width, sizeof *d->of_levels);
    if (!d->names || !d->low || !d->high || !d->values || !d->levels || !d->of_levels)
        return cor_fail_memory(error);
    for (size_t v = 0; v < count; v++) {
        d->names[v] = v < width ? model->parameters[v].name : "atom";
        d->high[v] = v < width ? model->parameters[v].level_count - 1 : 1;
    }
    uint32_t variable = (uint32_t)width;
    for (size_t i = 0; i < model->constraint_count && !is_too_much(d); i++) {
        const struct combine__combine_constraint *constraint = &model->constraints[i];
        /* What a constraint makes of its atoms, the first of which has the number `variable`. */
        const struct cor_expression *expression = &constraint->expression;
        COR_FREED uint32_t *place = cor_calloc(expression->node_count, sizeof *place);
        COR_TRY(cor_made(place, error));
        enum cor_status status = begin_clause(d, 5 * expression->node_count, error);
        for (uint32_t j = 0; status == COR_OK && j < expression->node_count; j++) {
            const struct cor_node *node = &expression->nodes[j];
            if (constraint->is_joint[j] &&
                (node->operator== COR_OPERATOR_EQUAL || node->operator== COR_OPERATOR_NOT_EQUAL))
                place[j] =
                    put_same(d, place[node->left], place[node->right], node->operator== COR_OPERATOR_EQUAL);
            else if (constraint->is_joint[j])
                place[j] = put(d, (struct cor_node){.operator= node->operator,
                                                    .left = place[node->left],
                                                    .right = place[node->right]});
            else if (constraint->atom_of_node[j] != COMBINE__NO_ATOM)
                place[j] =
                    put_comparison(d, variable + constraint->atom_of_node[j], COR_OPERATOR_EQUAL, 1, false);
        }
        d->too_much = d->too_much || d->clauses[d->clause_count - 1].node_count > COR_EXPRESSION_NODES_MAX;
        COR_TRY(status);
        for (uint32_t a = 0; a < constraint->atom_count && !is_too_much(d); a++)
            COR_TRY(add_atom(d, &constraint->atoms[a], variable++, error));
    }
    d->problem = (struct cor_problem){.names = d->names,
                                      .variable_count = (uint32_t)count,
                                      .low = d->low,
                                      .high = d->high,
                                      .constraints = d->clauses,
                                      .constraint_count = (uint32_t)d->clause_count};
    return d->too_much ? COR_OK : cor_solver_create(&d->problem, &d->solver, error);
}

/* The levels that are not allowed, as clauses behind those of the problem. */
static enum cor_status forbid(struct combine__decider *d, combine__allows *allows, const void *context,
                              struct cor_error *error) {
    for (uint32_t p = 0; p < d->model->parameter_count; p++)
        for (uint32_t l = 0, last = 0; l < d->model->parameters[p].level_count; l = last + 1) {
            last = l;
            if (allows(context, p, l))
                continue;
            while (last + 1 < d->model->parameters[p].level_count && !allows(context, p, last + 1))
                last++;
            COR_TRY(begin_clause(d, 8, error));
            put_outside(d, p, l, last);
        }
    return COR_OK;
}

enum cor_status combine__decider_ask(struct combine__decider *d, combine__allows *allows, const void *context,
                                     uint32_t *levels, enum cor_answer *answer, struct cor_error *error) {
    *answer = COR_ANSWER_UNDECIDED;
    if (!cor_solver_is_there() || d->too_much)
        return COR_OK;
    if (!d->solver)
        COR_TRY(begin_solver(d, error));
    if (d->too_much)
        return COR_OK;
    size_t own = d->problem.constraint_count;
    enum cor_status status = forbid(d, allows, context, error);
    d->problem.constraints = d->clauses; /* they may have moved */
    struct cor_question question = {.kind = COR_QUESTION_POINT,
                                    .constraints = d->clauses + own,
                                    .constraint_count = (uint32_t)(d->clause_count - own),
                                    .work = WORK};
    if (status == COR_OK)
        status = cor_solver_ask(d->solver, &question, answer, d->values, error);
    cut_clauses(d, own);
    for (uint32_t p = 0;
         status == COR_OK && *answer == COR_ANSWER_SATISFIABLE && levels && p < d->model->parameter_count;
         p++)
        levels[p] = (uint32_t)d->values[p];
    return status;
}
