/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a model means: what is enabled, and where it leads. */
#include "reader.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

COR_WORDS(cor_efsm_kind_word, enum cor_efsm_kind, "state", "param", "out")

static void free_label(struct cor_efsm_label *label) {
    free(label->parameters);
    free(label->types);
}

static void free_transition(const struct cor_efsm *model, struct cor_efsm_transition *t) {
    cor_expression_fini(&t->guard);
    for (uint32_t u = 0; u < t->update_count; u++)
        cor_expression_fini(&t->updates[u].value);
    for (uint32_t o = 0; o < t->output_count; o++) {
        const struct cor_efsm_label *label = &model->outputs[t->outputs[o].label];
        for (uint32_t a = 0; t->outputs[o].arguments && a < label->parameter_count; a++)
            cor_expression_fini(&t->outputs[o].arguments[a]);
        free(t->outputs[o].arguments);
    }
    free(t->updates);
    free(t->outputs);
}

void cor_efsm_destroy(struct cor_efsm *model) {
    if (!model)
        return;
    for (uint32_t t = 0; t < model->transition_count; t++)
        free_transition(model, &model->transitions[t]);
    for (uint32_t i = 0; i < model->input_count; i++)
        free_label(&model->inputs[i]);
    for (uint32_t o = 0; o < model->output_count; o++)
        free_label(&model->outputs[o]);
    for (uint32_t g = 0; g < model->goal_count; g++)
        cor_efsm_goal_fini(&model->goals[g]);
    for (uint32_t v = 0; v < model->variable_count; v++)
        efsm__variable_fini(&model->variables[v]);
    free(model->variables);
    free((void *)(uintptr_t)model->naming.truths);
    free((void *)(uintptr_t)model->naming.words);
    free(model->inputs);
    free(model->outputs);
    free(model->transitions);
    for (uint32_t g = 0; g < model->group_count; g++)
        free(model->groups[g].transitions);
    free(model->groups);
    for (uint32_t i = 0; i < model->text_count; i++)
        free(model->texts[i]);
    free(model->texts);
    free(model->goals);
    free(model->variable_names);
    free(model->location_names);
    free(model->input_names);
    free(model->output_names);
    free(model->transition_names);
    cor_json_destroy(model->document);
    free(model);
}

void cor_efsm_start(const struct cor_efsm *model, int64_t *values) {
    for (uint32_t v = 0; v < model->variable_count; v++)
        values[v] = model->variables[v].kind == COR_EFSM_STATE ? model->variables[v].initial
                                                               : model->variables[v].low;
}

/* The value of an expression that cannot be undefined. */
static int64_t value_of(const struct cor_expression *expression, const int64_t *values) {
    int64_t value = 0;
    bool defined = cor_expression_value(expression, values, &value);
    COR_ASSERT(defined);
    return value;
}

static bool within(const struct cor_efsm_variable *variable, int64_t value) {
    return value >= variable->low && value <= variable->high;
}

static bool outputs_are_within(const struct cor_efsm *model, const struct cor_efsm_transition *t,
                               const int64_t *values) {
    for (uint32_t o = 0; o < t->output_count; o++) {
        const struct cor_efsm_label *label = &model->outputs[t->outputs[o].label];
        for (uint32_t a = 0; a < label->parameter_count; a++)
            if (!within(&model->variables[label->parameters[a]],
                        value_of(&t->outputs[o].arguments[a], values)))
                return false;
    }
    return true;
}

bool cor_efsm_enabled(const struct cor_efsm *model, uint32_t transition, const int64_t *values) {
    const struct cor_efsm_transition *t = &model->transitions[transition];
    if (!cor_expression_holds(&t->guard, values))
        return false;
    for (uint32_t u = 0; u < t->update_count; u++)
        if (!within(&model->variables[t->updates[u].variable], value_of(&t->updates[u].value, values)))
            return false;
    return outputs_are_within(model, t, values);
}

bool cor_efsm_step(const struct cor_efsm *model, uint32_t transition, const int64_t *values, int64_t *next) {
    const struct cor_efsm_transition *t = &model->transitions[transition];
    if (!cor_expression_holds(&t->guard, values) || !outputs_are_within(model, t, values))
        return false;
    memcpy(next, values, model->variable_count * sizeof *next);
    for (uint32_t u = 0; u < t->update_count; u++) {
        const uint32_t v = t->updates[u].variable;
        next[v] = value_of(&t->updates[u].value, values);
        if (!within(&model->variables[v], next[v]))
            return false;
    }
    return true;
}

int64_t cor_efsm_argument(const struct cor_efsm *model, uint32_t transition, uint32_t output,
                          uint32_t argument, const int64_t *values) {
    return value_of(&model->transitions[transition].outputs[output].arguments[argument], values);
}

bool cor_efsm_hits(const struct cor_efsm *model, const struct cor_efsm_trap *trap, uint32_t transition,
                   const int64_t *values) {
    (void)model;
    bool named = false;
    for (uint32_t i = 0; i < trap->transition_count; i++)
        named = named || trap->transitions[i] == transition;
    return named && (trap->constraint.node_count == 0 || cor_expression_holds(&trap->constraint, values));
}

bool cor_efsm_hits_behind(const struct cor_efsm *model, const struct cor_efsm_trap *trap, uint32_t transition,
                          uint32_t last, const int64_t *values) {
    return (trap->previous == COR_NONE || trap->previous == last) &&
           cor_efsm_hits(model, trap, transition, values);
}

void cor_efsm_put_input(const struct cor_efsm *model, uint32_t input, const int64_t *values, int64_t *all) {
    const struct cor_efsm_label *label = &model->inputs[input];
    for (uint32_t p = 0; p < label->parameter_count; p++)
        all[label->parameters[p]] = values[label->parameters[p]];
}

uint32_t cor_efsm_find_enabled(const struct cor_efsm *model, uint32_t location, uint32_t input,
                               const int64_t *values, uint32_t *transitions) {
    uint32_t count = 0;
    for (uint32_t t = 0; t < model->transition_count; t++)
        if (model->transitions[t].source == location && model->transitions[t].input == input &&
            cor_efsm_enabled(model, t, values))
            transitions[count++] = t;
    return count;
}

void cor_efsm_first_values(const struct cor_efsm *model, const uint32_t *variables, uint32_t count,
                           int64_t *values) {
    for (uint32_t i = 0; i < count; i++)
        values[variables[i]] = model->variables[variables[i]].low;
}

bool cor_efsm_next_values(const struct cor_efsm *model, const uint32_t *variables, uint32_t count,
                          int64_t *values) {
    for (uint32_t i = count; i-- > 0;) {
        const struct cor_efsm_variable *variable = &model->variables[variables[i]];
        if (values[variables[i]]++ < variable->high)
            return true;
        values[variables[i]] = variable->low;
    }
    return false;
}

uint64_t cor_efsm_domain_size(const struct cor_efsm *model, const uint32_t *variables, uint32_t count) {
    uint64_t size = 1;
    for (uint32_t i = 0; i < count; i++) {
        const struct cor_efsm_variable *variable = &model->variables[variables[i]];
        if (__builtin_mul_overflow(size, (uint64_t)(variable->high - variable->low) + 1, &size))
            return UINT64_MAX;
    }
    return size;
}

static uint64_t read_by(const struct cor_efsm *model, const struct cor_expression *expression) {
    uint64_t bits = 0;
    for (uint32_t v = 0; v < model->variable_count; v++)
        if (cor_expression_reads(expression, v))
            bits |= UINT64_C(1) << v;
    return bits;
}

uint64_t cor_efsm_reads(const struct cor_efsm *model, uint32_t transition) {
    const struct cor_efsm_transition *t = &model->transitions[transition];
    uint64_t bits = read_by(model, &t->guard);
    for (uint32_t u = 0; u < t->update_count; u++)
        bits |= read_by(model, &t->updates[u].value);
    for (uint32_t o = 0; o < t->output_count; o++)
        for (uint32_t a = 0; a < model->outputs[t->outputs[o].label].parameter_count; a++)
            bits |= read_by(model, &t->outputs[o].arguments[a]);
    return bits;
}

void cor_efsm_goal_fini(struct cor_efsm_goal *goal) {
    for (uint32_t i = 0; i < goal->trap_count; i++) {
        struct cor_efsm_trap *trap = &goal->traps[i];
        free(trap->id);
        free(trap->transitions);
        free(trap->after);
        cor_expression_fini(&trap->constraint);
    }
    free(goal->traps);
    free(goal->name);
    *goal = (struct cor_efsm_goal){0};
}
