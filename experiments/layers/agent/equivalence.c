/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "equivalence.h"

#include "goal.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

#define WORK 100000 /* of z3, for an answer */

struct agent_layer__prover {
    const struct cor_design *design;
    struct cor_problem problem;
    struct cor_solver *solver;
    uint32_t slots;
    const char **names;
    int64_t *ranges, *low, *high; /* the problem's: none; of a question */
    struct agent_layer__builder builder;
};

void agent_layer__prover_destroy(struct agent_layer__prover *prover) {
    if (!prover)
        return;
    cor_solver_destroy(prover->solver);
    free(prover->names);
    free(prover->ranges);
    free(prover->low);
    free(prover->high);
    free(prover);
}

struct agent_layer__prover *agent_layer__prover_create(const struct cor_design *design) {
    struct agent_layer__prover *prover = cor_calloc(1, sizeof *prover);
    if (!prover)
        return NULL;
    prover->design = design;
    prover->slots = design->field_count;
    for (uint32_t e = 0; e < design->event_count; e++)
        if (cor_design_slot_count(design, e) > prover->slots)
            prover->slots = cor_design_slot_count(design, e);
    prover->names = cor_calloc(prover->slots + 1, sizeof *prover->names);
    prover->ranges = cor_calloc(2 * (size_t)prover->slots, sizeof *prover->ranges);
    prover->low = cor_calloc(prover->slots, sizeof *prover->low);
    prover->high = cor_calloc(prover->slots, sizeof *prover->high);
    if (!prover->names || !prover->ranges || !prover->low || !prover->high) {
        agent_layer__prover_destroy(prover);
        return NULL;
    }
    for (uint32_t s = 0; s < prover->slots; s++) {
        prover->names[s] = "slot";
        prover->ranges[s] = INT64_MIN;
        prover->ranges[prover->slots + s] = INT64_MAX;
    }
    prover->problem = (struct cor_problem){.names = prover->names,
                                           .variable_count = prover->slots,
                                           .low = prover->ranges,
                                           .high = prover->ranges + prover->slots};
    return prover;
}

static bool is_same_node(const struct cor_node *a, const struct cor_node *b) {
    return a->operator== b->operator&& a->left == b->left && a->right == b->right &&
        a->constant == b->constant && a->variable == b->variable && a->reals == b->reals;
}

static bool is_same(const struct cor_expression *a, const struct cor_expression *b) {
    if (a->node_count != b->node_count || a->is_constraint != b->is_constraint)
        return false;
    for (uint32_t n = 0; n < a->node_count; n++)
        if (!is_same_node(&a->nodes[n], &b->nodes[n]))
            return false;
    return true;
}

/* What is undefined does not hold: to z3 it is something else. */
static bool divides(const struct cor_expression *expression) {
    for (uint32_t n = 0; n < expression->node_count; n++)
        if (expression->nodes[n].operator>= COR_OPERATOR_DIVIDE && expression->nodes[n].operator<=
            COR_OPERATOR_CEIL_DIVIDE)
            return true;
    return false;
}

/* Do no values of the slots of plans that the event triggers tell the two conditions apart? */
static enum cor_status prove(struct agent_layer__prover *prover, uint32_t event,
                             const struct cor_expression *a, const struct cor_expression *b, bool *proven,
                             struct cor_error *error) {
    struct agent_layer__builder *builder = &prover->builder;
    struct cor_expression differs;
    enum cor_answer answer = COR_ANSWER_UNDECIDED;
    *proven = is_same(a, b);
    if (*proven || !a->is_constraint || !b->is_constraint || divides(a) || divides(b))
        return COR_OK;
    *builder = (struct agent_layer__builder){.count = 0};
    const uint32_t yes = agent_layer__put_copy(builder, a, a->node_count - 1, COR_NONE, false);
    const uint32_t no = agent_layer__put_copy(builder, b, b->node_count - 1, COR_NONE, false);
    (void)agent_layer__put(builder, COR_OPERATOR_NOT_EQUAL, yes, no);
    if (builder->full || builder->reals)
        return COR_OK;
    COR_TRY(agent_layer__build(builder, &differs, error));
    for (uint32_t s = 0; s < prover->slots; s++) {
        const bool truth = s < cor_design_slot_count(prover->design, event) &&
                           cor_design_slot_domain(prover->design, event, s)->type == COR_VALUE_TYPE_BOOLEAN;
        prover->low[s] = truth ? 0 : INT64_MIN;
        prover->high[s] = truth ? 1 : INT64_MAX;
    }
    enum cor_status status =
        prover->solver ? COR_OK : cor_solver_create(&prover->problem, &prover->solver, error);
    const struct cor_question question = {.kind = COR_QUESTION_POINT,
                                          .low = prover->low,
                                          .high = prover->high,
                                          .constraints = &differs,
                                          .constraint_count = 1,
                                          .work = WORK};
    if (status == COR_OK)
        status = cor_solver_ask(prover->solver, &question, &answer, NULL, error);
    *proven = answer == COR_ANSWER_EMPTY;
    free(differs.nodes);
    return status;
}

static enum cor_status prove_plan(struct agent_layer__prover *prover, const struct cor_plan_code *a,
                                  const struct cor_plan_code *b, bool *proven, struct cor_error *error) {
    *proven = a->trigger == b->trigger && a->absent == b->absent && a->has_context == b->has_context &&
              a->instruction_count == b->instruction_count && a->expression_count == b->expression_count;
    for (uint32_t i = 0; i < a->instruction_count && *proven; i++) {
        const struct cor_instruction *x = &a->instructions[i], *y = &b->instructions[i];
        *proven = x->kind == y->kind && x->optional == y->optional && x->subject == y->subject &&
                  x->expression == y->expression && x->target == y->target;
    }
    if (*proven && a->has_context)
        COR_TRY(prove(prover, a->trigger, &a->context, &b->context, proven, error));
    for (uint32_t e = 0; e < a->expression_count && *proven; e++)
        COR_TRY(prove(prover, a->trigger, &a->expressions[e], &b->expressions[e], proven, error));
    return COR_OK;
}

enum cor_status agent_layer__prove_equivalent(struct agent_layer__prover *prover,
                                              const struct cor_agent_code *code, bool *proven,
                                              struct cor_error *error) {
    const struct cor_design *design = prover->design;
    *proven = true;
    for (uint32_t p = 0; p < design->plan_count && *proven; p++)
        if (code->changed[p])
            COR_TRY(prove_plan(prover, &design->plans[p].code, code->changed[p], proven, error));
    for (uint32_t r = 0; r < design->rule_count; r++)
        *proven = *proven && !code->silent[r];
    for (uint32_t f = 0; f < design->field_count; f++)
        *proven = *proven && cor_value_equal(code->start[f], design->fields[f].start);
    return COR_OK;
}
