/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The initial structure, and the threshold by a pilot run (calibrated per suite, equal for all
 * algorithms). */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/state.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PILOT_SEQUENCE UINT32_MAX /* no test sequence has this number */
#define BISECTIONS 16
#define TOOL_MEMORY \
    ((size_t)1 << 32) /* of one reorganization: the largest suite needs more than an arm's limit */

/* A built-in algorithm used by the generator itself, with the defaults of its parameters. */
struct tool {
    struct cor_session *session;
    struct cor_rules rules;
    double *parameters;
    struct cor_outcome outcome;
};

static enum cor_status open_tool(const struct cor_suite *suite, const char *name, struct tool *tool,
                                 struct cor_error *error) {
    const struct cor_configuration *c = suite->configuration;
    const struct cor_algorithm *algorithm;
    *tool = (struct tool){0};
    cor_outcome_init(&tool->outcome);
    COR_TRY(cor_registry_find(suite->experiment->registry, name, &algorithm, error));
    uint32_t count = cor_algorithm_parameter_count(algorithm);
    tool->parameters = cor_calloc(count, sizeof *tool->parameters);
    COR_TRY(cor_made(tool->parameters, error));
    for (uint32_t i = 0; i < count; i++)
        tool->parameters[i] = algorithm->parameters[i].value;
    tool->rules = cor_default_rules(algorithm, &c->limits, c->threshold, tool->parameters);
    tool->rules.organized = (uint32_t)c->kind;
    struct cor_session_definition definition = cor_default_session(algorithm);
    definition.memory_limit = TOOL_MEMORY;
    return cor_session_create(&definition, &tool->session, error);
}

static void close_tool(struct tool *tool) {
    cor_session_destroy(tool->session);
    cor_outcome_fini(&tool->outcome);
    free(tool->parameters);
}

/* One call; how it went is in the tool's outcome. */
static enum cor_status use_tool(struct tool *tool, const struct cor_lists *structure, const double *values,
                                uint32_t agents, const struct cor_stream_name *name,
                                struct cor_error *error) {
    const struct cor_task task = {
        .struct_size = sizeof task,
        .agent_count = agents,
        .rules = &tool->rules,
        .values = &values,
        .block_count = structure->block_count,
        .block_start = structure->start,
        .members = structure->members,
        .block_parent = cor_lists_parents(structure),
    };
    COR_TRY(cor_session_reorganize(tool->session, &task, name, &tool->outcome, error));
    return tool->outcome.smoke == COR_SMOKE_MEMORY ? cor_fail_memory(error) : COR_OK;
}

/* "2 to 5", or "2 or more" where there is no limit. */
static void put_range(uint32_t least, uint32_t most, char *text, size_t size) {
    if (most == UINT32_MAX)
        snprintf(text, size, "%u or more", least);
    else
        snprintf(text, size, "%u to %u", least, most);
}

static int compare_agents(const void *one, const void *other) {
    const uint32_t a = *(const uint32_t *)one, b = *(const uint32_t *)other;
    return (a > b) - (a < b);
}

/* What was drawn becomes the initial structure, agents ascending. */
static enum cor_status keep_organizations(const struct cor_lists *drawn, struct cor_configuration *c,
                                          struct cor_error *error) {
    struct cor_lists *lists = &c->initial_organizations;
    COR_TRY(cor_lists_copy(lists, drawn, error));
    for (uint32_t b = 0; b < lists->block_count; b++)
        if (cor_lists_size(lists, b) > 0)
            qsort(lists->members + lists->start[b], cor_lists_size(lists, b), sizeof *lists->members,
                  compare_agents);
    return COR_OK;
}

/* The algorithm is shown one partition of all agents; what it makes of it is the initial structure. */
static enum cor_status draw_by(const struct cor_suite *suite, struct tool *tool, struct cor_lists *whole,
                               struct cor_error *error) {
    struct cor_configuration *c = suite->configuration;
    uint32_t *all = cor_calloc(c->agent_count, sizeof *all);
    COR_TRY(cor_made(all, error));
    for (uint32_t i = 0; i < c->agent_count; i++)
        all[i] = i;
    enum cor_status status = cor_lists_put(whole, all, c->agent_count, error);
    free(all);
    COR_TRY(status);
    COR_TRY(use_tool(tool, whole, c->initial_value, c->agent_count, &suite->name, error));
    if (tool->outcome.smoke != COR_SMOKE_NONE) {
        char counts[40], sizes[40];
        put_range(c->limits.count_min, c->limits.count_max, counts, sizeof counts);
        put_range(c->limits.size_min, c->limits.size_max, sizes, sizeof sizes);
        return cor_fail(error, COR_STATUS_UNSATISFIABLE, suite->experiment->path,
                        "add constraints such as \"n_min * s_min <= agents\"",
                        "suite %u of arm %s: %u agents cannot form %s %s of %s agents", suite->index,
                        suite->arm->name, c->agent_count, counts,
                        c->kind == COR_STRUCTURE_PARTITIONING ? "partitions" : "organizations", sizes);
    }
    const struct cor_lists *drawn = &tool->outcome.solution;
    c->initial_partitions = drawn->block_count;
    if (c->kind != COR_STRUCTURE_PARTITIONING)
        return keep_organizations(drawn, c, error);
    /* By group: of what was drawn only the sizes count, and agents fill the partitions in their order. */
    for (uint32_t b = 0; b < drawn->block_count; b++)
        for (uint32_t m = drawn->start[b]; m < drawn->start[b + 1]; m++)
            c->initial_partition[suite->experiment->model->start != 0 ? m : drawn->members[m]] = b;
    return COR_OK;
}

enum cor_status interaction__draw_structure(struct cor_suite *suite, struct cor_error *error) {
    struct tool tool;
    struct cor_lists whole;
    enum cor_status status = COR_OK;
    cor_lists_init(&whole);
    COR_TRY_OUT(open_tool(suite, "random", &tool, error));
    if (suite->start_partitions > 0)
        tool.rules.count_min = tool.rules.count_max = suite->start_partitions;
    COR_TRY_OUT(draw_by(suite, &tool, &whole, error));
out:
    close_tool(&tool);
    cor_lists_fini(&whole);
    return status;
}

struct pilot {
    struct cor_state *state;
    struct cor_adopter *adopter;
    struct cor_walk walk;
    struct cor_lists structure;
    struct tool tool;
};

static enum cor_status open_pilot(const struct cor_suite *suite, struct pilot *pilot,
                                  struct cor_error *error) {
    struct cor_walk_definition definition = {
        .source = &cor_source_profile,
        .profiles = (const struct cor_profile *const *)suite->profiles,
        .profile_of_chain = suite->configuration->profile_of_chain,
        .chain_count = suite->configuration->chain_count,
        .case_count = suite->experiment->model->pilot_cases,
        .name = suite->name,
    };
    definition.name.sequence = PILOT_SEQUENCE;
    cor_walk_init(&pilot->walk);
    cor_lists_init(&pilot->structure);
    COR_TRY(open_tool(suite, suite->experiment->model->pilot, &pilot->tool, error));
    /* A threshold fits a number of partitions: the more there are, the smaller and the less alike. The pilot
     * keeps to the number that the suite starts with. */
    pilot->tool.rules.count_min = pilot->tool.rules.count_max = suite->configuration->initial_partitions;
    COR_TRY(cor_state_create(suite->configuration, &pilot->state, error));
    COR_TRY(cor_adopter_create(suite->configuration->agent_count, &pilot->adopter, error));
    return cor_walk_begin(&pilot->walk, &definition, error);
}

/* The share of pilot cases in which the dissimilarity exceeds `threshold`, each answered by a reorganization.
 * A share that exceeds `most` is not counted to the end: *rate is then between `most` and the share. */
static enum cor_status alarm_rate(const struct cor_suite *suite, struct pilot *pilot, double threshold,
                                  double most, double *rate, struct cor_error *error) {
    struct cor_stream_name name = suite->name;
    name.sequence = PILOT_SEQUENCE;
    uint32_t alarms = 0;
    *rate = 0;
    cor_state_restart(pilot->state, cor_walk_at(&pilot->walk, 0));
    for (uint32_t i = 1; i <= pilot->walk.case_count && *rate <= most; i++) {
        name.identity = i;
        cor_state_perceive(pilot->state, cor_walk_at(&pilot->walk, i), &name);
        if (cor_monitor_dissimilarity(pilot->state) <= threshold)
            continue;
        *rate = (double)++alarms / pilot->walk.case_count;
        struct cor_adoption_report report;
        COR_TRY(cor_state_lists(pilot->state, &pilot->structure, error));
        COR_TRY(use_tool(&pilot->tool, &pilot->structure, pilot->state->value,
                         pilot->state->configuration->agent_count, &name, error));
        COR_ASSERT(pilot->tool.outcome.smoke == COR_SMOKE_NONE);
        COR_TRY(cor_adopt(pilot->adopter, pilot->state, &pilot->tool.outcome.solution, NULL, 0, &name,
                          &report, error));
    }
    return COR_OK;
}

enum cor_status interaction__set_threshold(struct cor_suite *suite, struct cor_error *error) {
    const struct cor_test_model *model = suite->experiment->model;
    suite->pilot_rate = NAN;
    suite->configuration->threshold = model->threshold;
    if (model->threshold_given)
        return COR_OK;
    /* The pilot's system is sound: faults of monitor and adoption are the arm's, and not part of the
     * threshold. */
    struct cor_adoption_definition adoption = suite->configuration->adoption;
    suite->configuration->adoption.fault = COR_ADOPTION_FAULT_NONE;
    struct pilot pilot = {0};
    enum cor_status status = COR_OK;
    COR_TRY_OUT(open_pilot(suite, &pilot, error));
    /* The rate falls, on the whole, as the threshold rises; bisection ends at the upper end of the last
     * interval, where the rate was seen to be at most the one wanted. */
    double low = 0, high = 1, wanted = suite->experiment->model->alarm_rate;
    COR_TRY_OUT(alarm_rate(suite, &pilot, high, 1, &suite->pilot_rate, error));
    for (uint32_t i = 0; i < BISECTIONS; i++) {
        double middle = 0.5 * (low + high), rate;
        COR_TRY_OUT(alarm_rate(suite, &pilot, middle, wanted, &rate, error));
        if (rate > wanted) {
            low = middle;
        } else {
            high = middle;
            suite->pilot_rate = rate;
        }
    }
    suite->configuration->threshold = high;
out:
    cor_state_destroy(pilot.state);
    cor_adopter_destroy(pilot.adopter);
    cor_walk_fini(&pilot.walk);
    cor_lists_fini(&pilot.structure);
    close_tool(&pilot.tool);
    suite->configuration->adoption = adoption;
    return status;
}
