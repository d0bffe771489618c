/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Several goals as one, of which a test may ask for some at a time. */
#include "reader.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

static enum cor_status copy_numbers(const uint32_t *from, uint32_t count, uint32_t shift, uint32_t **into,
                                    struct cor_error *error) {
    *into = cor_calloc(count, sizeof **into);
    COR_TRY(cor_made(*into, error));
    for (uint32_t i = 0; i < count; i++)
        (*into)[i] = from[i] + shift;
    return COR_OK;
}

static enum cor_status copy_constraint(const struct cor_expression *from, struct cor_expression *into,
                                       struct cor_error *error) {
    *into = (struct cor_expression){0};
    if (from->node_count == 0)
        return COR_OK;
    *into = (struct cor_expression){.text = cor_strdup(from->text),
                                    .nodes = cor_calloc(from->node_count, sizeof *into->nodes),
                                    .node_count = from->node_count,
                                    .is_constraint = from->is_constraint,
                                    .integer_only = from->integer_only,
                                    .result = from->result};
    if (!into->text || !into->nodes)
        return cor_fail_memory(error);
    memcpy(into->nodes, from->nodes, from->node_count * sizeof *into->nodes);
    return COR_OK;
}

/* A trap of the goal behind those that are there, of which the goal's own begin at `first`. */
static enum cor_status copy_trap(const struct cor_efsm_trap *from, const struct cor_efsm_goal *goal,
                                 uint32_t first, struct cor_efsm_goal *whole, struct cor_error *error) {
    bool is_taken = false;
    for (uint32_t t = 0; t < first; t++)
        is_taken = is_taken || strcmp(whole->traps[t].id, from->id) == 0;
    struct cor_efsm_trap *trap = &whole->traps[whole->trap_count++];
    trap->id = is_taken ? cor_format("%s:%s", goal->name, from->id) : cor_strdup(from->id);
    COR_TRY(cor_made(trap->id, error));
    COR_TRY(copy_numbers(from->transitions, from->transition_count, 0, &trap->transitions, error));
    trap->transition_count = from->transition_count;
    trap->previous = from->previous;
    COR_TRY(copy_numbers(from->after, from->after_count, first, &trap->after, error));
    trap->after_count = from->after_count;
    return copy_constraint(&from->constraint, &trap->constraint, error);
}

enum cor_status cor_efsm_goal_join(const struct cor_efsm_goal *const *goals, uint32_t count,
                                   struct cor_efsm_goal *whole, struct cor_error *error) {
    size_t all = 0;
    enum cor_status status = COR_OK;
    for (uint32_t g = 0; g < count; g++)
        all += goals[g]->trap_count;
    *whole = (struct cor_efsm_goal){
        .name = cor_strdup(goals[0]->name), .traps = cor_calloc(all, sizeof *whole->traps), .optimum = -1};
    if (!whole->name || !whole->traps)
        status = cor_fail_memory(error);
    for (uint32_t g = 0; g < count && status == COR_OK; g++) {
        const uint32_t first = whole->trap_count;
        for (uint32_t t = 0; t < goals[g]->trap_count && status == COR_OK; t++)
            status = copy_trap(&goals[g]->traps[t], goals[g], first, whole, error);
    }
    if (status != COR_OK)
        cor_efsm_goal_fini(whole);
    return status;
}

enum cor_status cor_efsm_read_condition(const struct cor_json *json, const struct cor_efsm *model,
                                        struct cor_expression *condition, struct cor_error *error) {
    const char *names[COR_EFSM_VARIABLES_MAX + 1];
    for (uint32_t v = 0; v < model->variable_count; v++)
        names[v] = model->variables[v].kind == COR_EFSM_STATE ? model->variable_names[v] : "";
    names[model->variable_count] = NULL;
    return efsm__efsm_expression(json, model, names, EFSM__CONDITION, condition, error);
}
