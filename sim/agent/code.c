/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The agent as it is executed: every plan points to the code of the design, or to its own. */
#include "internal.h"

#include <corridor/array.h>

#include <stdlib.h>

struct cor_agent_code *cor_agent_code_create(struct cor_design *design) {
    struct cor_agent_code *code = cor_calloc(1, sizeof *code);
    if (!code)
        return NULL;
    code->design = design;
    code->plans = cor_calloc(design->plan_count, sizeof *code->plans);
    code->changed = cor_calloc(design->plan_count, sizeof *code->changed);
    code->silent = cor_calloc(design->rule_count, sizeof *code->silent);
    code->start = cor_calloc(design->field_count, sizeof *code->start);
    if (!code->plans || !code->changed || !code->silent || !code->start) {
        cor_agent_code_destroy(code);
        return NULL;
    }
    for (uint32_t p = 0; p < design->plan_count; p++)
        code->plans[p] = &design->plans[p].code;
    for (uint32_t f = 0; f < design->field_count; f++)
        code->start[f] = design->fields[f].start;
    return code;
}

static void free_plan_code(struct cor_plan_code *code) {
    if (code)
        agent__plan_code_fini(code);
    free(code);
}

void cor_agent_code_destroy(struct cor_agent_code *code) {
    if (!code)
        return;
    for (uint32_t p = 0; code->changed && p < code->design->plan_count; p++)
        free_plan_code(code->changed[p]);
    free(code->plans);
    free(code->changed);
    free(code->silent);
    free(code->start);
    free(code);
}

enum cor_status cor_agent_code_change(struct cor_agent_code *code, const struct cor_plan_change *change,
                                      struct cor_error *error) {
    struct cor_design *design = code->design;
    COR_ASSERT(change->plan < design->plan_count);
    const struct cor_design_plan *plan = &design->plans[change->plan];
    uint32_t trigger =
        change->trigger ? cor_design_find(design, COR_NAME_EVENT, change->trigger) : plan->trigger;
    struct cor_plan_code *made = cor_calloc(1, sizeof *made);
    COR_TRY(cor_made(made, error));
    /* A plan that nothing triggers is still looked at: over the parameters that it was written for. */
    enum cor_status status =
        agent__compile(design, trigger == COR_NONE ? plan->trigger : trigger,
                       change->changes_context ? change->context : plan->context, change->place,
                       change->body ? change->body : &plan->body, made, error);
    if (status != COR_OK) {
        free(made);
        return status;
    }
    made->trigger = trigger;
    made->absent = change->absent;
    free_plan_code(code->changed[change->plan]);
    code->changed[change->plan] = made;
    code->plans[change->plan] = made;
    return COR_OK;
}

void cor_agent_code_silence(struct cor_agent_code *code, uint32_t belief) {
    for (uint32_t r = 0; r < code->design->rule_count; r++)
        if (code->design->rules[r].belief == belief)
            code->silent[r] = true;
}
