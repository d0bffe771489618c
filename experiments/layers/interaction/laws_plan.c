/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What drawing by the laws takes, found out once: which definitions and constraints belong to a stage, their
 * expressions as straight-line code, and what is a constant anyway. */
#include "internal.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

void interaction__laws_plan_fini(struct cor_plan *plan) {
    cor_routine_fini(&plan->routine);
    free(plan->main.bounds);
    free(plan->main.stages);
    free(plan->fallback.bounds);
    free(plan->fallback.stages);
    free(plan->reals);
    free(plan->integer);
    *plan = (struct cor_plan){0};
}

/* Is a constraint due at the end of that stage of the main stages, or of the fallback's? */
static bool is_due(const struct cor_parameter_laws *laws, const struct cor_constraint *c, bool fallback,
                   uint32_t stage) {
    return fallback ? c->stage < laws->model_stages && c->fallback_stage == stage : c->stage == stage;
}

/* Is nothing drawn, and no other value given in its place? */
static bool is_given(const struct cor_definition *d) {
    bool is_constant =
        d->kind == COR_LAW_VALUE && d->low.node_count == 1 && cor_expression_last_variable(&d->low) < 0;
    bool is_real = d->kind == COR_LAW_REAL && d->real_low >= d->real_high;
    return !d->overridden && (is_constant || is_real);
}

/* What kind of a stage it is. Of the main stages only: the fallback's values stand only where it is followed.
 */
static void plan_kind(struct cor_parameter_laws *laws, struct cor_stage_plan *stage) {
    stage->is_simple = laws->override_count == 0;
    for (uint32_t i = stage->first; i < stage->end; i++)
        stage->is_simple = stage->is_simple && laws->main.definitions[i].bounds_come_before;
    stage->is_given = stage->due.first == stage->due.end;
    for (uint32_t i = stage->first; i < stage->end; i++)
        stage->is_given = stage->is_given && is_given(&laws->main.definitions[i]);
    for (uint32_t i = stage->first; i < stage->end && stage->is_given; i++) {
        const struct cor_definition *d = &laws->main.definitions[i];
        if (d->kind == COR_LAW_REAL)
            laws->plan.reals[d->variable[0]] = d->real_low;
        else
            laws->plan.routine.cells[d->variable[0]] =
                laws->plan.routine.cells[laws->plan.main.bounds[i].low];
    }
}

static enum cor_status plan_stages(struct cor_parameter_laws *laws, const struct cor_stages *stages,
                                   struct cor_stages_plan *plan, struct cor_error *error) {
    plan->bounds = cor_calloc(stages->count, sizeof *plan->bounds);
    plan->stages = cor_calloc(stages->stage_count, sizeof *plan->stages);
    if (!plan->bounds || !plan->stages)
        return cor_fail_memory(error);
    uint32_t at = 0;
    for (uint32_t s = 0; s < stages->stage_count; s++) {
        struct cor_stage_plan *stage = &plan->stages[s];
        stage->first = at;
        for (; at < stages->count && stages->definitions[at].stage == s; at++) {
            struct cor_routine *routine = &laws->plan.routine;
            const struct cor_definition *d = &stages->definitions[at];
            struct interaction__bounds *bounds = &plan->bounds[at];
            bounds->part = cor_routine_begin(routine);
            if (d->kind == COR_LAW_REAL || d->kind == COR_LAW_SIMPLEX)
                continue;
            COR_TRY(cor_routine_add_value(routine, &d->low, &bounds->part, &bounds->low, error));
            if (d->kind == COR_LAW_VALUE)
                continue;
            COR_TRY(cor_routine_add_value(routine, &d->high, &bounds->part, &bounds->high, error));
        }
        stage->end = at;
        const bool fallback = stages == &laws->fallback;
        stage->due = cor_routine_begin(&laws->plan.routine);
        for (size_t i = 0; i < laws->constraint_count; i++)
            if (is_due(laws, &laws->constraints[i], fallback, s))
                COR_TRY(cor_routine_add_constraint(&laws->plan.routine, &laws->constraints[i].expression,
                                                   &stage->due, error));
        if (stages == &laws->main)
            plan_kind(laws, stage);
    }
    return COR_OK;
}

enum cor_status interaction__laws_plan(struct cor_parameter_laws *laws, struct cor_error *error) {
    struct cor_plan *plan = &laws->plan;
    COR_TRY(cor_routine_init(&plan->routine, (uint32_t)laws->variable_count, error));
    plan->reals = cor_calloc(laws->variable_count, sizeof *plan->reals);
    plan->integer = cor_calloc(laws->variable_count, sizeof *plan->integer);
    if (!plan->reals || !plan->integer)
        return cor_fail_memory(error);
    for (uint32_t v = 0; v < laws->variable_count; v++)
        if (laws->variables[v].is_integer)
            plan->integer[plan->integer_count++] = v;
    COR_TRY(plan_stages(laws, &laws->main, &plan->main, error));
    return plan_stages(laws, &laws->fallback, &plan->fallback, error);
}
