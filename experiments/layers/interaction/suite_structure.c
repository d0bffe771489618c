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
#define TAKEN_MOST ((size_t)1 << 26) /* bytes of what agents did in a pilot that are kept */
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

/* The pilot's run at a threshold. */
struct pilot_run {
    double rate;        /* share of cases with an alarm; of a run that was ended early, a lower bound of it */
    double from, below; /* any threshold from .. below, without the latter, parts the dissimilarities that
                           were seen in the same way: its run is this one, case by case */
};

struct pilot {
    struct cor_state *state;
    struct cor_adopter *adopter;
    struct cor_walk walk;
    /* Owned; [case - 1][agent] what agents did: states and values do not depend on the structure, so they are
     * drawn in the first run, and repeated in others. NULL: nothing is drawn, or it would be too much. */
    uint8_t *taken;
    bool is_taken; /* `taken` holds them */
    struct cor_lists structure;
    struct tool tool;
};

static enum cor_status open_pilot(const struct cor_suite *suite, struct pilot *pilot,
                                  struct cor_error *error) {
    const struct cor_configuration *c = suite->configuration;
    struct cor_walk_definition definition = {
        .source = &cor_source_profile,
        .profiles = (const struct cor_profile *const *)suite->profiles,
        .profile_of_chain = c->profile_of_chain,
        .chain_count = c->chain_count,
        .case_count = suite->experiment->model->pilot_cases,
        .name = suite->name,
    };
    definition.name.sequence = PILOT_SEQUENCE;
    cor_walk_init(&pilot->walk);
    cor_lists_init(&pilot->structure);
    COR_TRY(open_tool(suite, suite->experiment->model->pilot, &pilot->tool, error));
    /* A threshold fits a number of partitions: the more there are, the smaller and the less alike. The pilot
     * keeps to the number that the suite starts with. */
    pilot->tool.rules.count_min = pilot->tool.rules.count_max = c->initial_partitions;
    COR_TRY(cor_state_create(c, &pilot->state, error));
    COR_TRY(cor_adopter_create(c->agent_count, &pilot->adopter, error));
    const size_t taken = (size_t)definition.case_count * c->agent_count;
    if (cor_state_draws(pilot->state) && taken <= TAKEN_MOST) {
        pilot->taken = cor_calloc(taken, 1);
        COR_TRY(cor_made(pilot->taken, error));
    }
    return cor_walk_begin(&pilot->walk, &definition, error);
}

/* The i-th case, from 1: perceived, or perceived once more. */
static void perceive(struct pilot *pilot, uint32_t i, const struct cor_stream_name *name) {
    const size_t agents = pilot->state->configuration->agent_count;
    uint8_t *taken = pilot->taken ? pilot->taken + (i - 1) * agents : NULL;
    if (pilot->is_taken) {
        cor_state_perceive_again(pilot->state, cor_walk_at(&pilot->walk, i), taken);
        return;
    }
    cor_state_perceive(pilot->state, cor_walk_at(&pilot->walk, i), name);
    if (taken)
        memcpy(taken, pilot->state->taken, agents);
}

/* The pilot's cases, in each of which the dissimilarity exceeds `threshold` or not, and is answered by a
 * reorganization if it does. Ends early when the rate of alarms exceeds `most`. */
static enum cor_status run_pilot(const struct cor_suite *suite, struct pilot *pilot, double threshold,
                                 double most, struct pilot_run *run, struct cor_error *error) {
    struct cor_stream_name name = suite->name;
    name.sequence = PILOT_SEQUENCE;
    uint32_t alarms = 0;
    *run = (struct pilot_run){.from = -INFINITY, .below = INFINITY};
    cor_state_restart(pilot->state, cor_walk_at(&pilot->walk, 0));
    for (uint32_t i = 1; i <= pilot->walk.case_count && run->rate <= most; i++) {
        name.identity = i;
        perceive(pilot, i, &name);
        const double dissimilarity = cor_monitor_dissimilarity(pilot->state);
        if (dissimilarity <= threshold) {
            run->from = fmax(run->from, dissimilarity);
            continue;
        }
        run->below = fmin(run->below, dissimilarity);
        run->rate = (double)++alarms / pilot->walk.case_count;
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

/* The rate falls, on the whole, as the threshold rises; bisection ends at the upper end of the last interval,
 * where the rate was seen to be at most the one wanted. */
static enum cor_status bisect(const struct cor_suite *suite, struct pilot *pilot, double *threshold,
                              double *rate, struct cor_error *error) {
    const double wanted = suite->experiment->model->alarm_rate;
    double low = 0, high = 1;
    struct pilot_run over = {.from = INFINITY}, under; /* the runs at low and at high */
    COR_TRY(run_pilot(suite, pilot, high, 1, &under, error));
    pilot->is_taken = pilot->taken != NULL;
    for (uint32_t i = 0; i < BISECTIONS; i++) {
        const double middle = 0.5 * (low + high);
        struct pilot_run run = under;
        if (middle < over.below && middle >= over.from)
            run = over;
        else if (middle < under.from)
            COR_TRY(run_pilot(suite, pilot, middle, wanted, &run, error));
        if (run.rate > wanted) {
            low = middle;
            over = run;
        } else {
            high = middle;
            under = run;
        }
    }
    *threshold = high;
    *rate = under.rate;
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
    COR_TRY_OUT(bisect(suite, &pilot, &suite->configuration->threshold, &suite->pilot_rate, error));
out:
    cor_state_destroy(pilot.state);
    cor_adopter_destroy(pilot.adopter);
    cor_walk_fini(&pilot.walk);
    free(pilot.taken);
    cor_lists_fini(&pilot.structure);
    close_tool(&pilot.tool);
    suite->configuration->adoption = adoption;
    return status;
}
