/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The numbers of a suite: parameters drawn by the arm's laws, and what follows from them. */
#include "internal.h"

#include <corridor/array.h>

#include <stdlib.h>

static enum cor_status take(const struct cor_suite *suite, const char *role,
                            const struct cor_quantity *quantity, const int64_t *values, int64_t low,
                            int64_t high, int64_t *number, struct cor_error *error) {
    const char *text = quantity->expression.text, *file = suite->experiment->path;
    *number = quantity->given;
    if (text && !cor_expression_value(&quantity->expression, values, number))
        return cor_fail(error, COR_STATUS_UNSATISFIABLE, file, "add a constraint that keeps it defined",
                        "suite %u of arm %s: %s (%s) is undefined: division by zero or overflow",
                        suite->index, suite->arm->name, role, text);
    if (*number >= low && *number <= high)
        return COR_OK;
    return cor_fail(error, COR_STATUS_UNSATISFIABLE, file, "add a constraint that keeps it in this range",
                    "suite %u of arm %s: %s%s%s%s is %lld, expected %lld to %lld", suite->index,
                    suite->arm->name, role, text ? " (" : "", text ? text : "", text ? ")" : "",
                    (long long)*number, (long long)low, (long long)high);
}

static enum cor_status take_all(struct cor_suite *suite, const int64_t *values, struct cor_numbers *n,
                                struct cor_error *error) {
    const struct cor_roles *r = &suite->arm->roles;
    *n = (struct cor_numbers){.idle_ratio = r->idle_ratio};
    COR_TRY(take(suite, "agents", &r->agents, values, 1, COR_AGENTS_MAX, &n->agents, error));
    COR_TRY(take(suite, "size_min", &r->size_min, values, 1, UINT32_MAX, &n->size_min, error));
    COR_TRY(take(suite, "size_max", &r->size_max, values, n->size_min, UINT32_MAX, &n->size_max, error));
    COR_TRY(take(suite, "count_min", &r->count_min, values, 1, UINT32_MAX, &n->count_min, error));
    COR_TRY(take(suite, "count_max", &r->count_max, values, n->count_min, UINT32_MAX, &n->count_max, error));
    if (!r->groups_by_size)
        COR_TRY(take(suite, "groups", &r->groups, values, 1, n->agents, &n->groups, error));
    if (!r->location_per_group)
        COR_TRY(take(suite, "locations", &r->locations, values, 1, UINT32_MAX, &n->locations, error));
    if (r->idle_parameter >= 0)
        n->idle_ratio = suite->parameters[r->idle_parameter];
    return COR_OK;
}

static void take_algorithm_parameters(struct cor_suite *suite) {
    const struct cor_arm *arm = suite->arm;
    for (uint32_t i = 0; i < cor_algorithm_parameter_count(arm->algorithm); i++) {
        COR_ASSERT(arm->algorithm_parameters[i] >= 0); /* all have a law, if only their default */
        suite->algorithm_parameters[i] = suite->parameters[arm->algorithm_parameters[i]];
    }
}

static enum cor_status take_budget(struct cor_suite *suite, const int64_t *values, struct cor_error *error) {
    int64_t budget = values[suite->arm->roles.budget_parameter];
    suite->budget = (uint64_t)budget;
    if (budget >= 1)
        return COR_OK;
    return cor_fail(error, COR_STATUS_UNSATISFIABLE, suite->experiment->path, "a budget is at least 1",
                    "suite %u of arm %s: the budget is %lld", suite->index, suite->arm->name,
                    (long long)budget);
}

static enum cor_status take_random_states(struct cor_suite *suite, const int64_t *values,
                                          struct cor_error *error) {
    const struct cor_test_model *model = suite->experiment->model;
    for (uint32_t e = 0; e < model->environment_count; e++) {
        int64_t states = 0;
        if (model->environments[e].is_random)
            COR_TRY(take(suite, "states", &suite->arm->roles.random_states[e], values, 2,
                         COR_PROFILE_STATES_MAX, &states, error));
        suite->random_states[e] = (uint32_t)states;
    }
    return COR_OK;
}

enum cor_status cor__draw_numbers(struct cor_suite *suite, struct cor_numbers *numbers,
                                  struct cor_error *error) {
    struct cor_rng rng = cor__suite_rng(suite, COR_PURPOSE_CONFIGURATION, 0);
    struct cor_draw draw;
    struct cor_error said = COR_NO_ERROR;
    int64_t *values = cor_calloc(cor_parameter_laws_capacity(suite->arm->laws), sizeof *values);
    if (!values)
        return cor_fail_memory(error);
    enum cor_status status =
        cor_parameter_laws_draw(suite->arm->laws, &rng, values, suite->parameters, &draw, &said);
    if (status != COR_OK) {
        cor_fail(error, status, suite->experiment->path, said.remedy, "suite %u of arm %s: %s", suite->index,
                 suite->arm->name, said.cause);
        goto out;
    }
    suite->attempts = draw.attempts;
    suite->fallback = draw.fallback;
    take_algorithm_parameters(suite);
    COR_TRY_OUT(take_all(suite, values, numbers, error));
    COR_TRY_OUT(take_budget(suite, values, error));
    COR_TRY_OUT(take_random_states(suite, values, error));
out:
    free(values);
    return status;
}
