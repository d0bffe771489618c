/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "internal.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

#define WORK 100000 /* of z3, for an answer */

enum cor_status agent_layer__asker_init(struct agent_layer__asker *asker, const struct cor_design *design,
                                        struct cor_error *error) {
    *asker = (struct agent_layer__asker){.slots = design->field_count};
    for (uint32_t e = 0; e < design->event_count; e++)
        if (cor_design_slot_count(design, e) > asker->slots)
            asker->slots = cor_design_slot_count(design, e);
    const uint32_t slots = asker->slots;
    asker->names = cor_calloc(slots + 1, sizeof *asker->names);
    asker->ranges = cor_calloc(2 * (size_t)slots, sizeof *asker->ranges);
    asker->low = cor_calloc(slots, sizeof *asker->low);
    asker->high = cor_calloc(slots, sizeof *asker->high);
    asker->values = cor_calloc(slots, sizeof *asker->values);
    if (!asker->names || !asker->ranges || !asker->low || !asker->high || !asker->values)
        return cor_fail_memory(error);
    for (uint32_t s = 0; s < slots; s++) {
        asker->names[s] = "slot";
        asker->ranges[s] = INT64_MIN;
        asker->ranges[slots + s] = INT64_MAX;
    }
    asker->problem = (struct cor_problem){
        .names = asker->names, .variable_count = slots, .low = asker->ranges, .high = asker->ranges + slots};
    return cor_solver_create(&asker->problem, &asker->solver, error);
}

void agent_layer__asker_fini(struct agent_layer__asker *asker) {
    cor_solver_destroy(asker->solver);
    COR_FREE(asker->names, asker->ranges, asker->low, asker->high, asker->values);
    *asker = (struct agent_layer__asker){.slots = 0};
}

struct cor_question agent_layer__question(const struct agent_layer__asker *asker,
                                          const struct cor_expression *constraints, uint32_t count) {
    return (struct cor_question){.kind = COR_QUESTION_POINT,
                                 .low = asker->low,
                                 .high = asker->high,
                                 .constraints = constraints,
                                 .constraint_count = count,
                                 .work = WORK};
}

enum cor_status agent_layer__ask(struct agent_layer__asker *asker, const struct cor_question *question,
                                 enum cor_answer *answer, struct cor_error *error) {
    return cor_solver_ask(asker->solver, question, answer, asker->values, error);
}

void agent_layer__goal_add(struct agent_layer__goal *goal, const struct cor_expression *condition,
                           bool denied) {
    if (goal->term_count == AGENT_LAYER__GOAL_TERMS)
        goal->too_long = true;
    else
        goal->terms[goal->term_count++] = (struct agent_layer__term){condition, denied};
}

bool agent_layer__goal_met(const struct agent_layer__goal *goal, const struct cor_value *slots) {
    for (uint32_t t = 0; t < goal->term_count; t++)
        if (cor_expression_judge(goal->terms[t].condition, slots) == goal->terms[t].denied)
            return false;
    return !goal->too_long;
}

bool agent_layer__reckons(const struct cor_expression *condition) {
    for (uint32_t n = 0; n < condition->node_count; n++) {
        const enum cor_operator kind = condition->nodes[n].operator;
        if ((kind >= COR_OPERATOR_NEGATE && kind <= COR_OPERATOR_CEIL_DIVIDE) || kind == COR_OPERATOR_ABS)
            return true;
    }
    return false;
}

static bool is_condition(const struct cor_node *node) {
    return node->operator>= COR_OPERATOR_LESS && node->operator<= COR_OPERATOR_NOT;
}

static uint32_t append(struct agent_layer__builder *builder, struct cor_node node) {
    if (builder->count == COR_EXPRESSION_NODES_MAX) {
        builder->full = true;
        return 0;
    }
    builder->reals = builder->reals || node.reals || node.operator== COR_OPERATOR_TO_REAL;
    builder->nodes[builder->count] = node;
    return builder->count++;
}

uint32_t agent_layer__put_constant(struct agent_layer__builder *builder, int64_t constant) {
    return append(builder, (struct cor_node){.operator= COR_OPERATOR_CONSTANT, .constant = constant});
}

uint32_t agent_layer__put_variable(struct agent_layer__builder *builder, uint32_t slot) {
    return append(builder, (struct cor_node){.operator= COR_OPERATOR_VARIABLE, .variable = slot});
}

/* A truth value as a condition. */
static uint32_t as_condition(struct agent_layer__builder *builder, uint32_t index) {
    if (builder->full || is_condition(&builder->nodes[index]))
        return index;
    const uint32_t zero = agent_layer__put_constant(builder, 0);
    return append(builder,
                  (struct cor_node){.operator= COR_OPERATOR_NOT_EQUAL, .left = index, .right = zero});
}

/* The node, whose operands stand here already. */
static uint32_t join(struct agent_layer__builder *builder, struct cor_node node) {
    if (builder->full)
        return 0;
    const bool of_conditions = node.operator>= COR_OPERATOR_AND && node.operator<= COR_OPERATOR_NOT;
    const bool compares = node.operator== COR_OPERATOR_EQUAL || node.operator== COR_OPERATOR_NOT_EQUAL;
    if (of_conditions ||
        (compares && is_condition(&builder->nodes[node.left]) != is_condition(&builder->nodes[node.right]))) {
        node.left = as_condition(builder, node.left);
        if (node.operator!= COR_OPERATOR_NOT)
            node.right = as_condition(builder, node.right);
    }
    return append(builder, node);
}

uint32_t agent_layer__put(struct agent_layer__builder *builder, enum cor_operator operator, uint32_t left,
                          uint32_t right) {
    return join(builder, (struct cor_node){.operator= operator, .left = left, .right = right});
}

static bool has_operands(const struct cor_node *node) {
    return node->operator!= COR_OPERATOR_CONSTANT && node->operator!= COR_OPERATOR_VARIABLE;
}

/* The expression below `root`, with what variables stand for in `of_variable` (NULL: themselves). */
static uint32_t put_below(struct agent_layer__builder *builder, const struct cor_expression *expression,
                          uint32_t root, uint32_t pinned, bool truth, const uint32_t *of_variable) {
    uint32_t placed[COR_EXPRESSION_NODES_MAX];
    bool wanted[COR_EXPRESSION_NODES_MAX] = {false};
    wanted[root] = true;
    for (uint32_t n = root + 1; n-- > 0;)
        if (wanted[n] && n != pinned && has_operands(&expression->nodes[n])) {
            wanted[expression->nodes[n].left] = true;
            wanted[expression->nodes[n].right] = true;
        }
    for (uint32_t n = 0; n <= root && !builder->full; n++) {
        struct cor_node node = expression->nodes[n];
        if (!wanted[n])
            continue;
        if (n == pinned) {
            const uint32_t zero = agent_layer__put_constant(builder, 0);
            placed[n] =
                agent_layer__put(builder, truth ? COR_OPERATOR_EQUAL : COR_OPERATOR_NOT_EQUAL, zero, zero);
            continue;
        }
        if (node.operator== COR_OPERATOR_VARIABLE && of_variable) {
            placed[n] = of_variable[node.variable];
            if (placed[n] == COR_NONE)
                return COR_NONE;
            continue;
        }
        if (has_operands(&node)) {
            node.left = placed[node.left];
            node.right = placed[node.right];
        }
        placed[n] = has_operands(&node) ? join(builder, node) : append(builder, node);
    }
    return builder->full ? 0 : placed[root];
}

uint32_t agent_layer__put_copy(struct agent_layer__builder *builder, const struct cor_expression *expression,
                               uint32_t root, uint32_t pinned, bool truth) {
    return put_below(builder, expression, root, pinned, truth, NULL);
}

uint32_t agent_layer__put_over(struct agent_layer__builder *builder, const struct cor_expression *expression,
                               const uint32_t *of_variable) {
    return put_below(builder, expression, expression->node_count - 1, COR_NONE, false, of_variable);
}

enum cor_status agent_layer__build(const struct agent_layer__builder *builder,
                                   struct cor_expression *expression, struct cor_error *error) {
    if (builder->full || builder->count == 0)
        return cor_fail(error, COR_STATUS_INPUT, NULL, NULL, "a condition is too long");
    *expression = (struct cor_expression){.nodes = cor_calloc(builder->count, sizeof *expression->nodes),
                                          .node_count = builder->count,
                                          .is_constraint = true,
                                          .integer_only = !builder->reals,
                                          .result = COR_VALUE_INTEGER};
    COR_TRY(cor_made(expression->nodes, error));
    memcpy(expression->nodes, builder->nodes, builder->count * sizeof *expression->nodes);
    return COR_OK;
}

static int64_t number_of(struct cor_value value) {
    return value.kind == COR_VALUE_INTEGER ? value.as.integer
           : value.kind == COR_VALUE_WORD  ? (int64_t)value.as.word
                                           : -1;
}

/* An end of an interval, as the first integer that it has or no longer has; false where it is open. */
static bool end_of(struct cor_value end, int64_t *number) {
    if (end.kind == COR_VALUE_NULL ||
        (end.kind == COR_VALUE_REAL && !(end.as.real > -1e18 && end.as.real < 1e18)))
        return false;
    *number = end.kind == COR_VALUE_REAL ? (int64_t)end.as.real : end.as.integer;
    return true;
}

static uint32_t put_class(struct agent_layer__builder *builder, const struct cor_unit_variable *variable,
                          const struct cor_unit_class *class) {
    const uint32_t it = agent_layer__put_variable(builder, variable->slot);
    if (class->kind != COR_CLASS_INTERVAL)
        return agent_layer__put(builder, COR_OPERATOR_EQUAL, it,
                                agent_layer__put_constant(builder, number_of(class->sample)));
    /* Of a real end between integers, what truncating it makes lies inside on one side. */
    int64_t low = 0, high = 0;
    const bool has_low = end_of(class->low, &low), has_high = end_of(class->high, &high);
    const bool low_in = class->low.kind == COR_VALUE_REAL && (double)low > class->low.as.real;
    const bool high_in = class->high.kind == COR_VALUE_REAL && (double)high < class->high.as.real;
    uint32_t all = COR_NONE;
    if (has_low)
        all = agent_layer__put(builder, low_in ? COR_OPERATOR_LESS_EQUAL : COR_OPERATOR_LESS,
                               agent_layer__put_constant(builder, low), it);
    if (has_high) {
        const uint32_t below =
            agent_layer__put(builder, high_in ? COR_OPERATOR_LESS_EQUAL : COR_OPERATOR_LESS, it,
                             agent_layer__put_constant(builder, high));
        all = all == COR_NONE ? below : agent_layer__put(builder, COR_OPERATOR_AND, all, below);
    }
    return all != COR_NONE ? all : agent_layer__put(builder, COR_OPERATOR_EQUAL, it, it);
}

bool agent_layer__put_classes(struct agent_layer__builder *builder, const struct cor_unit_cases *cases,
                              const struct cor_unit_variable *variable, bool valid) {
    uint32_t any = COR_NONE;
    if (cases->file->design->domains[variable->domain].type == COR_VALUE_TYPE_REAL)
        return false;
    for (uint32_t c = variable->first_class; c < variable->first_class + variable->class_count; c++) {
        if (valid && !cases->classes[c].valid)
            continue;
        const uint32_t it = put_class(builder, variable, &cases->classes[c]);
        any = any == COR_NONE ? it : agent_layer__put(builder, COR_OPERATOR_OR, any, it);
    }
    return true;
}

/* ---- equivalence */

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
    agent_layer__builder_begin(builder);
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
