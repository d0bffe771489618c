/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Generating a suite: numbers, population, profiles, configuration, structure, threshold - each from streams
 * of its own. */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/steering.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static enum cor_status take(const struct cor_suite *suite, const char *role,
                            const struct cor_derived_quantity *quantity, const int64_t *values, int64_t low,
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
    if (!r->groups_by_size && (r->groups.given > 0 || r->groups.expression.text))
        COR_TRY(take(suite, "groups", &r->groups, values, 1, n->agents, &n->groups, error));
    if (r->groups_have_sizes) {
        COR_TRY(take(suite, "the least group size", &r->group_size_min, values, 1, UINT32_MAX,
                     &n->group_size_min, error));
        COR_TRY(take(suite, "the largest group size", &r->group_size_max, values, n->group_size_min,
                     UINT32_MAX, &n->group_size_max, error));
    }
    const struct cor_type_counts *counts = suite->arm->type_counts;
    n->has_type_counts = counts != NULL;
    for (uint32_t t = 0; counts && t < counts->type_count; t++) {
        n->type_count[t] = -1;
        if (counts->texts[t])
            COR_TRY(take(suite, suite->experiment->model->types[t].name, &counts->numbers[t], values, 0,
                         n->agents, &n->type_count[t], error));
    }
    if (!r->location_per_group)
        COR_TRY(take(suite, "locations", &r->locations, values, 1, UINT32_MAX, &n->locations, error));
    if (r->idle_parameter >= 0)
        n->idle_ratio = suite->parameters[r->idle_parameter];
    return COR_OK;
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

/* By the arm's laws, within the classes of a row of its covering array or on a row of its design if it has
 * one. */
static enum cor_status draw_by_laws(struct cor_suite *suite, struct cor_rng *rng, int64_t *values,
                                    struct cor_draw *draw, struct cor_error *error) {
    const struct cor_arm *arm = suite->arm;
    if (arm->configuration_traps)
        return interaction__configuration_traps_draw(arm, suite->index, rng, values, suite->parameters, draw,
                                                     &suite->start_partitions, error);
    if (arm->configuration_design)
        return interaction__configuration_design_draw(arm, suite->index, rng, values, suite->parameters, draw,
                                                      error);
    if (!arm->configurations)
        return cor_parameter_laws_draw(arm->laws, rng, values, suite->parameters, draw, error);
    struct cor_class *within = cor_calloc(cor_parameter_laws_capacity(arm->laws), sizeof *within);
    COR_TRY(cor_made(within, error));
    interaction__configurations_within(arm, suite->index, within);
    enum cor_status status = interaction__laws_draw_within(arm->laws, rng, within, values, suite->parameters,
                                                           COR_DRAWS_MAX, draw, error);
    free(within);
    return status;
}

/* Draws the parameters by the arm's laws, unless they are given, and evaluates the roles. */
static enum cor_status draw_numbers(struct cor_suite *suite, const double *parameters,
                                    struct cor_numbers *numbers, struct cor_error *error) {
    struct cor_rng rng = interaction__suite_rng(suite, COR_PURPOSE_CONFIGURATION, suite->draw);
    struct cor_draw draw;
    struct cor_error said = COR_NO_ERROR;
    int64_t *values = cor_calloc(cor_parameter_laws_capacity(suite->arm->laws), sizeof *values);
    COR_TRY(cor_made(values, error));
    enum cor_status status = COR_OK;
    if (parameters) {
        const uint32_t capacity = cor_parameter_laws_capacity(suite->arm->laws),
                       count = cor_parameter_laws_size(suite->arm->laws);
        draw = (struct cor_draw){.attempts = 1};
        memcpy(suite->parameters, parameters, capacity * sizeof *parameters);
        for (uint32_t p = 0; p < capacity; p++)
            if (p >= count || cor_parameter_laws_is_integer(suite->arm->laws, p))
                values[p] = (int64_t)parameters[p];
    } else {
        status = draw_by_laws(suite, &rng, values, &draw, &said);
    }
    if (status != COR_OK) {
        cor_fail(error, status, suite->experiment->path, said.remedy, "suite %u of arm %s: %s", suite->index,
                 suite->arm->name, said.cause);
        goto out;
    }
    suite->attempts = draw.attempts;
    suite->fallback = draw.fallback;
    const struct cor_arm *arm = suite->arm;
    for (uint32_t i = 0; i < cor_algorithm_parameter_count(arm->algorithm); i++) {
        if (arm->algorithm_parameters[i] >= 0)
            suite->algorithm_parameters[i] = suite->parameters[arm->algorithm_parameters[i]];
    }
    COR_TRY_OUT(take_all(suite, values, numbers, error));
    int64_t budget = values[suite->arm->roles.budget_parameter];
    suite->budget = (uint64_t)budget;
    if (budget < 1)
        COR_TRY_OUT(cor_fail(error, COR_STATUS_UNSATISFIABLE, suite->experiment->path,
                             "a budget is at least 1", "suite %u of arm %s: the budget is %lld", suite->index,
                             suite->arm->name, (long long)budget));
    COR_TRY_OUT(take_random_states(suite, values, error));
out:
    free(values);
    return status;
}

/* The suite's profiles: given ones borrowed, random ones drawn. Profile p belongs to environment p. */
static enum cor_status draw_profiles(struct cor_suite *suite, struct cor_error *error) {
    const struct cor_test_model *model = suite->experiment->model;
    for (uint32_t e = 0; e < model->environment_count; e++) {
        const struct cor_environment *environment = &model->environments[e];
        suite->environment_of_profile[e] = (uint16_t)e;
        suite->profiles[e] = environment->profile;
        if (!environment->is_random)
            continue;
        struct cor_profile_law law = environment->random;
        law.states = suite->random_states[e];
        struct cor_rng rng = interaction__suite_rng(suite, COR_PURPOSE_PROFILE, e);
        COR_TRY(cor_profile_random(&law, environment->name, &rng, &suite->profiles[e], error));
        suite->owned_profiles[e] = true;
    }
    return COR_OK;
}

enum cor_status interaction__suite_create(const struct cor_experiment *experiment, uint32_t arm,
                                          uint32_t index, uint32_t sequences, struct cor_suite **suite,
                                          struct cor_error *error) {
    COR_ASSERT(arm < experiment->arm_count);
    struct cor_suite *s = *suite = cor_calloc(1, sizeof *s);
    COR_TRY(cor_made(s, error));
    uint32_t environments = experiment->model->environment_count;
    s->experiment = experiment;
    s->arm = &experiment->arms[arm];
    s->arm_index = arm;
    s->index = index;
    s->name = (struct cor_stream_name){.seed = experiment->seed,
                                       .arm = cor_experiment_stream(experiment, arm),
                                       .suite = interaction__configuration_design_stream(s->arm, index)};
    s->profiles = cor_calloc(environments, sizeof *s->profiles);
    s->owned_profiles = cor_calloc(environments, sizeof *s->owned_profiles);
    s->environment_of_profile = cor_calloc(environments, sizeof *s->environment_of_profile);
    s->random_states = cor_calloc(environments, sizeof *s->random_states);
    s->parameters = cor_calloc(cor_parameter_laws_capacity(s->arm->laws), sizeof *s->parameters);
    s->algorithm_parameters =
        cor_calloc(cor_algorithm_parameter_count(s->arm->algorithm), sizeof *s->algorithm_parameters);
    for (uint32_t i = 0; s->algorithm_parameters && i < cor_algorithm_parameter_count(s->arm->algorithm); i++)
        s->algorithm_parameters[i] = s->arm->algorithm->parameters[i].value;
    s->sequence_count = sequences;
    s->case_counts = cor_calloc(sequences, sizeof *s->case_counts);
    s->pilot_rate = NAN;
    if (s->profiles && s->owned_profiles && s->environment_of_profile && s->random_states && s->parameters &&
        s->algorithm_parameters && s->case_counts)
        return COR_OK;
    cor_suite_destroy(s);
    *suite = NULL;
    return cor_fail_memory(error);
}

enum cor_status cor_suite_steer(struct cor_suite *suite, struct cor_error *error) {
    const struct cor_configuration *c = suite->configuration;
    if (!suite->arm->traps)
        return COR_OK;
    struct cor_error said = COR_NO_ERROR;
    const struct cor_profile **profiles = cor_calloc(c->chain_count, sizeof(struct cor_profile *));
    uint32_t *environments = cor_calloc(c->chain_count, sizeof *environments);
    struct cor_steering_definition definition = {
        .traps = suite->arm->traps,
        .profiles = profiles,
        .environments = environments,
        .chain_count = c->chain_count,
        .parameters = suite->parameters,
        .parameter_count = cor_parameter_laws_size(suite->arm->laws),
    };
    enum cor_status status = COR_OK;
    COR_TRY_OUT(profiles && environments ? COR_OK : cor_fail_memory(error));
    for (uint32_t chain = 0; chain < c->chain_count; chain++) {
        profiles[chain] = suite->profiles[c->profile_of_chain[chain]];
        environments[chain] = suite->environment_of_profile[c->profile_of_chain[chain]];
    }
    for (uint32_t s = 0; s < suite->sequence_count; s++)
        if (suite->case_counts[s] > definition.case_max)
            definition.case_max = suite->case_counts[s];
    status = cor_steering_create(&definition, &suite->steering, &said);
    if (status != COR_OK)
        cor_fail(error, status, suite->experiment->path, said.remedy, "suite %u of arm %s: %s", suite->index,
                 suite->arm->name, said.cause);
out:
    free(profiles);
    free(environments);
    return status;
}

/* What is larger than all of the file is refused before memory is taken for it. */
static enum cor_status check_size(const struct cor_suite *suite, const char *what, uint64_t number,
                                  uint64_t most, struct cor_error *error) {
    if (number <= most)
        return COR_OK;
    return cor_fail(error, COR_STATUS_INPUT, suite->experiment->path,
                    "generate it with the version that made the file, or take another copy",
                    "suite %u of arm %s: is generated with %llu %s, the suites of the file have at most %llu",
                    suite->index, suite->arm->name, (unsigned long long)number, what,
                    (unsigned long long)most);
}

/* Where the experiment gives a configuration, all suites draw it as that one does, and the rest by their own
 * numbers. */
static uint32_t configured_as(const struct cor_experiment *experiment, uint32_t index) {
    return experiment->given >= 0 ? (uint32_t)experiment->given : index;
}

static enum cor_status fill_suite(struct cor_suite *suite, uint32_t index, const double *parameters,
                                  struct cor_population *population, struct cor_error *error) {
    struct cor_numbers numbers;
    const struct cor_experiment *experiment = suite->experiment;
    COR_TRY(draw_numbers(suite, parameters, &numbers, error));
    COR_TRY(check_size(suite, "agents", (uint64_t)numbers.agents, experiment->agents_most, error));
    COR_TRY(check_size(suite, "units of budget", suite->budget, experiment->budget_most, error));
    COR_TRY(draw_profiles(suite, error));
    COR_TRY(interaction__draw_population(suite, &numbers, population, error));
    COR_TRY(interaction__build_configuration(suite, &numbers, population, error));
    COR_TRY(interaction__draw_attributes(suite, error));
    COR_TRY(interaction__draw_structure(suite, error));
    COR_TRY(interaction__set_threshold(suite, error));
    suite->index = index;
    suite->name.suite = interaction__configuration_design_stream(suite->arm, index);
    for (uint32_t s = 0; s < suite->sequence_count; s++) {
        struct cor_stream_name name = suite->name;
        name.purpose = COR_PURPOSE_LENGTH;
        name.sequence = s;
        struct cor_rng rng = cor_rng_named(&name);
        suite->case_counts[s] = (uint32_t)cor_rng_between(&rng, experiment->case_min, experiment->case_max);
        COR_TRY(check_size(suite, "test cases", suite->case_counts[s], experiment->cases_most, error));
    }
    return cor_suite_steer(suite, error);
}

enum cor_status cor_suite_draw(const struct cor_experiment *experiment, uint32_t arm, uint32_t index,
                               uint32_t draw, int64_t *integers, double *parameters,
                               struct cor_error *error) {
    COR_ASSERT(arm < experiment->arm_count);
    const struct cor_arm *it = &experiment->arms[arm];
    COR_ASSERT(!it->configurations && !it->configuration_traps && !it->configuration_design);
    const struct cor_stream_name name = {.seed = experiment->seed,
                                         .arm = cor_experiment_stream(experiment, arm),
                                         .suite = configured_as(experiment, index),
                                         .purpose = COR_PURPOSE_CONFIGURATION,
                                         .entity = draw};
    struct cor_rng rng = cor_rng_named(&name);
    struct cor_draw drawn;
    return cor_parameter_laws_draw(it->laws, &rng, integers, parameters, &drawn, error);
}

static enum cor_status generate(const struct cor_experiment *experiment, uint32_t arm, uint32_t index,
                                uint32_t draw, const double *parameters, struct cor_suite **suite,
                                struct cor_error *error) {
    struct cor_population population = {0};
    COR_TRY(interaction__suite_create(experiment, arm, configured_as(experiment, index),
                                      experiment->sequence_count, suite, error));
    (*suite)->draw = draw;
    enum cor_status status = fill_suite(*suite, index, parameters, &population, error);
    interaction__suite_population_fini(&population);
    if (status != COR_OK) {
        cor_suite_destroy(*suite);
        *suite = NULL;
    }
    return status;
}

enum cor_status cor_suite_generate(const struct cor_experiment *experiment, uint32_t arm, uint32_t index,
                                   struct cor_suite **suite, struct cor_error *error) {
    return generate(experiment, arm, index, 0, NULL, suite, error);
}

enum cor_status cor_suite_generate_drawn(const struct cor_experiment *experiment, uint32_t arm,
                                         uint32_t index, uint32_t draw, struct cor_suite **suite,
                                         struct cor_error *error) {
    return generate(experiment, arm, index, draw, NULL, suite, error);
}

enum cor_status cor_suite_generate_of(const struct cor_experiment *experiment, uint32_t arm, uint32_t index,
                                      const double *parameters, struct cor_suite **suite,
                                      struct cor_error *error) {
    return generate(experiment, arm, index, 0, parameters, suite, error);
}
void cor_suite_destroy(struct cor_suite *suite) {
    if (!suite)
        return;
    for (uint32_t e = 0; suite->owned_profiles && e < suite->experiment->model->environment_count; e++)
        if (suite->owned_profiles[e])
            cor_profile_destroy(suite->profiles[e]);
    for (uint32_t s = 0; suite->recorded && s < suite->sequence_count; s++)
        cor_walk_fini(&suite->recorded[s]);
    cor_steering_destroy(suite->steering);
    cor_configuration_destroy(suite->configuration);
    free(suite->profiles);
    free(suite->owned_profiles);
    free(suite->environment_of_profile);
    free(suite->random_states);
    free(suite->columns);
    free(suite->parameters);
    free(suite->algorithm_parameters);
    free(suite->case_counts);
    free(suite->recorded);
    free(suite);
}

struct cor_rules cor_suite_rules(const struct cor_suite *suite) {
    const struct cor_configuration *c = suite->configuration;
    struct cor_rules rules =
        cor_default_rules(suite->arm->algorithm, &c->limits, c->threshold, suite->algorithm_parameters);
    if (c->attribute_count > 0) {
        rules.value_count = 1 + c->attribute_count;
        rules.columns = suite->columns;
    }
    rules.fault = suite->arm->fault;
    rules.budget = suite->budget;
    rules.organized = (uint32_t)c->kind;
    return rules;
}

struct cor_walk_definition cor_suite_walk_definition(const struct cor_suite *suite, uint32_t sequence,
                                                     const struct cor_branch *branch) {
    uint32_t original = branch ? branch->parent : sequence, longest = suite->experiment->branching.cases;
    COR_ASSERT(original < suite->sequence_count);
    COR_ASSERT(!branch || sequence >= suite->sequence_count);
    struct cor_walk_definition definition = {
        .source = suite->recorded && !branch && !suite->steering ? &cor_source_recorded : suite->arm->source,
        .profiles = (const struct cor_profile *const *)suite->profiles,
        .profile_of_chain = suite->configuration->profile_of_chain,
        .chain_count = suite->configuration->chain_count,
        .case_count = suite->case_counts[original],
        .name = suite->name,
        .branch = branch,
        .recorded = suite->recorded ? &suite->recorded[original] : NULL,
        .steering = suite->steering,
    };
    if (branch && definition.case_count - branch->prefix > longest)
        definition.case_count = branch->prefix + longest;
    definition.name.sequence = sequence;
    return definition;
}

enum cor_status cor_suite_walk(const struct cor_suite *suite, uint32_t sequence, struct cor_walk *walk,
                               struct cor_error *error) {
    const struct cor_walk_definition definition = cor_suite_walk_definition(suite, sequence, NULL);
    return cor_walk_begin(walk, &definition, error);
}
