/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "equivalence.h"

#include "goal.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

struct agent_layer__prover {
    const struct cor_design *design;
    struct agent_layer__asker asker;
    struct agent_layer__builder builder;
};

void agent_layer__prover_destroy(struct agent_layer__prover *prover) {
    if (!prover)
        return;
    agent_layer__asker_fini(&prover->asker);
    free(prover);
}

struct agent_layer__prover *agent_layer__prover_create(const struct cor_design *design) {
    struct agent_layer__prover *prover = cor_calloc(1, sizeof *prover);
    if (!prover)
        return NULL;
    prover->design = design;
    if (agent_layer__asker_init(&prover->asker, design, NULL) == COR_OK)
        return prover;
    agent_layer__prover_destroy(prover);
    return NULL;
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

/* Do no values of the slots of plans that the event triggers tell the two conditions apart? */
static enum cor_status prove(struct agent_layer__prover *prover, uint32_t event,
                             const struct cor_expression *a, const struct cor_expression *b, bool *proven,
                             struct cor_error *error) {
    struct agent_layer__builder *builder = &prover->builder;
    struct cor_expression differs;
    enum cor_answer answer = COR_ANSWER_UNDECIDED;
    *proven = is_same(a, b);
    if (*proven || !a->is_constraint || !b->is_constraint || agent_layer__reckons(a) ||
        agent_layer__reckons(b))
        return COR_OK;
    *builder = (struct agent_layer__builder){.count = 0};
    const uint32_t yes = agent_layer__put_copy(builder, a, a->node_count - 1, COR_NONE, false);
    const uint32_t no = agent_layer__put_copy(builder, b, b->node_count - 1, COR_NONE, false);
    (void)agent_layer__put(builder, COR_OPERATOR_NOT_EQUAL, yes, no);
    if (builder->full || builder->reals)
        return COR_OK;
    COR_TRY(agent_layer__build(builder, &differs, error));
    for (uint32_t s = 0; s < prover->asker.slots; s++) {
        const bool truth = s < cor_design_slot_count(prover->design, event) &&
                           cor_design_slot_domain(prover->design, event, s)->type == COR_VALUE_TYPE_BOOLEAN;
        prover->asker.low[s] = truth ? 0 : INT64_MIN;
        prover->asker.high[s] = truth ? 1 : INT64_MAX;
    }
    const struct cor_question question = agent_layer__question(&prover->asker, &differs, 1);
    enum cor_status status = agent_layer__ask(&prover->asker, &question, &answer, error);
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
