/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writing down what the loop saw. */
#include "internal.h"

#include <string.h>

/* A row of `table` named `row`, or the status of having none. */
#define NEW_ROW(type, row, table)                                    \
    struct type *row = cor_record_row(runner->record, table, error); \
    if (!row)                                                        \
    return error->status

static enum cor_status note_suite(struct cor_runner *runner, struct cor_error *error) {
    const struct cor_execution *e = &runner->execution;
    const struct cor_configuration *c = e->configuration;
    NEW_ROW(cor_suite_row, row, COR_TABLE_SUITES);
    row->agents = c->agent_count;
    row->groups = c->group_count;
    row->chains = c->chain_count;
    row->sequences = e->sequence_count;
    row->size_min = c->limits.size_min;
    row->size_max = c->limits.size_max;
    row->count_min = c->limits.count_min;
    row->count_max = c->limits.count_max;
    row->limits_judged = (e->algorithm->capabilities & COR_LIMITS) != 0;
    row->measure = (uint8_t)c->measure;
    row->threshold = c->threshold;
    row->pilot_rate = e->pilot_rate;
    row->attempts = e->attempts;
    row->fallback = e->fallback;
    row->configuration_hash = cor_configuration_hash(c);
    return COR_OK;
}

static enum cor_status note_parameters(struct cor_runner *runner, struct cor_error *error) {
    const struct cor_execution *e = &runner->execution;
    for (uint32_t i = 0; i < e->parameter_count; i++) {
        NEW_ROW(cor_parameter_row, row, COR_TABLE_PARAMETERS);
        row->parameter = e->parameter_codes[i];
        row->value = e->parameter_values[i];
    }
    return COR_OK;
}

static enum cor_status note_agents(struct cor_runner *runner, struct cor_error *error) {
    const struct cor_configuration *c = runner->execution.configuration;
    for (uint32_t g = 0; g < c->group_count; g++) {
        NEW_ROW(cor_group_row, group, COR_TABLE_GROUPS);
        group->group = g;
        group->size = c->group_start[g + 1] - c->group_start[g];
        group->chain = c->chain_of_group[g];
        for (uint32_t i = c->group_start[g]; i < c->group_start[g + 1]; i++) {
            NEW_ROW(cor_agent_row, agent, COR_TABLE_AGENTS);
            agent->agent = i;
            agent->group = g;
            agent->type = c->type[i];
            agent->state = c->initial_state[i];
            agent->partition = c->initial_partition[i];
            agent->inertia = c->inertia[i];
            agent->value = c->initial_value[i];
        }
    }
    return COR_OK;
}

static enum cor_status note_environment(struct cor_runner *runner, struct cor_error *error) {
    const struct cor_execution *e = &runner->execution;
    for (uint32_t i = 0; i < e->configuration->chain_count; i++) {
        NEW_ROW(cor_chain_row, chain, COR_TABLE_CHAINS);
        chain->chain = i;
        chain->profile = e->configuration->profile_of_chain[i];
        chain->location = e->configuration->location_of_chain[i];
    }
    for (uint32_t i = 0; i < e->configuration->profile_count; i++) {
        NEW_ROW(cor_profile_row, profile, COR_TABLE_PROFILES);
        profile->profile = (uint16_t)i;
        profile->environment = e->environment_of_profile[i];
        profile->states = (uint16_t)e->profiles[i]->state_count;
        profile->arcs = cor_profile_arcs(e->profiles[i]);
    }
    return COR_OK;
}

enum cor_status cor__note_configuration(struct cor_runner *runner, struct cor_error *error) {
    enum cor_status status = note_suite(runner, error);
    if (status == COR_OK)
        status = note_parameters(runner, error);
    if (status == COR_OK)
        status = note_agents(runner, error);
    if (status == COR_OK)
        status = note_environment(runner, error);
    return status;
}

/* --------------------------------------------------------------------------------------- walks */

static void count_walk(struct cor_runner *runner, const struct cor_walk *walk) {
    const struct cor_configuration *c = runner->execution.configuration;
    for (uint32_t chain = 0; chain < walk->chain_count; chain++) {
        uint32_t profile = c->profile_of_chain[chain];
        uint64_t *taken = runner->taken[profile], *visits = runner->visits[profile];
        size_t states = runner->execution.profiles[profile]->state_count, from = cor_walk_at(walk, 0)[chain];
        visits[from]++;
        for (uint32_t i = 1; i <= walk->case_count; i++) {
            size_t to = cor_walk_at(walk, i)[chain];
            visits[to]++;
            taken[from * states + to]++;
            from = to;
        }
    }
}

enum cor_status cor__note_walk(struct cor_runner *runner, const struct cor_walk *walk, uint64_t *walk_start,
                               struct cor_error *error) {
    uint8_t run[1024] = {0};
    enum cor_status status = cor_record_put(runner->record, COR_VECTOR_WALK, run, 0, walk_start, error);
    for (uint32_t chain = 0; chain < walk->chain_count; chain++) {
        for (uint32_t at = 0; at <= walk->case_count && status == COR_OK; at += sizeof run) {
            uint32_t left = walk->case_count + 1 - at,
                     count = left < sizeof run ? left : (uint32_t)sizeof run;
            for (uint32_t i = 0; i < count; i++)
                run[i] = cor_walk_at(walk, at + i)[chain];
            status = cor_record_put(runner->record, COR_VECTOR_WALK, run, count, NULL, error);
        }
    }
    count_walk(runner, walk);
    return status;
}

enum cor_status cor__note_branch(struct cor_runner *runner, uint32_t sequence,
                                 const struct cor_branch *branch, struct cor_error *error) {
    NEW_ROW(cor_branch_row, row, COR_TABLE_BRANCHES);
    row->sequence = (uint16_t)sequence;
    row->parent = (uint16_t)branch->parent;
    row->prefix = branch->prefix;
    struct cor_suite_row *suite = cor_record_at(runner->record, COR_TABLE_SUITES, 0);
    suite->sequences++;
    return COR_OK;
}

static enum cor_status note_profile_counts(struct cor_runner *runner, uint32_t p, struct cor_error *error) {
    const struct cor_profile *profile = runner->execution.profiles[p];
    uint32_t states = profile->state_count;
    for (uint32_t from = 0; from < states; from++) {
        NEW_ROW(cor_visit_row, visit, COR_TABLE_VISITS);
        visit->profile = (uint16_t)p;
        visit->state = (uint16_t)from;
        visit->count = runner->visits[p][from];
        for (uint32_t to = 0; to < states; to++) {
            size_t arc = (size_t)from * states + to;
            /* A uniform source takes transitions that the profile does not have; they are counted too. */
            if (profile->probability[arc] <= 0 && runner->taken[p][arc] == 0)
                continue;
            NEW_ROW(cor_transition_row, row, COR_TABLE_TRANSITIONS);
            row->profile = (uint16_t)p;
            row->from = (uint16_t)from;
            row->to = (uint16_t)to;
            row->probability = profile->probability[arc];
            row->count = runner->taken[p][arc];
        }
    }
    return COR_OK;
}

enum cor_status cor__note_counts(struct cor_runner *runner, struct cor_error *error) {
    for (uint32_t p = 0; p < runner->execution.configuration->profile_count; p++) {
        enum cor_status status = note_profile_counts(runner, p, error);
        if (status != COR_OK)
            return status;
    }
    const uint32_t *start;
    const uint64_t *cells = cor_session_counters(runner->execution.session, &start);
    for (uint32_t c = 0; c < cor_algorithm_counter_count(runner->execution.algorithm); c++) {
        for (uint32_t cell = start[c]; cell < start[c + 1]; cell++) {
            NEW_ROW(cor_counter_row, row, COR_TABLE_COUNTERS);
            row->counter = (uint16_t)(runner->execution.first_counter_code + c);
            row->bucket = (uint16_t)(cell - start[c]);
            row->count = cells[cell];
        }
    }
    return COR_OK;
}

/* ------------------------------------------------------------------------------------ verdicts */

enum cor_status cor__note_violations(struct cor_runner *runner, const struct cor_case *this_case,
                                     enum cor_box box, const struct cor_judgement *judgement,
                                     struct cor_error *error) {
    for (uint32_t i = 0; i < judgement->kept_count; i++) {
        const struct cor_violation *v = &judgement->kept[i];
        NEW_ROW(cor_violation_row, row, COR_TABLE_VIOLATIONS);
        row->sequence = this_case->sequence;
        row->case_ = this_case->number;
        row->box = (uint8_t)box;
        row->check = (uint8_t)v->check;
        row->agent = v->agent;
        row->partition = v->partition;
        row->expected = v->expected;
        row->found = v->found;
    }
    return COR_OK;
}

static enum cor_status put_solution(struct cor_runner *runner, struct cor_failure_row *row,
                                    struct cor_error *error) {
    const struct cor_lists *solution = &runner->outcome.solution;
    enum cor_status status =
        cor_record_put(runner->record, COR_VECTOR_SOLUTION_BLOCK_SIZE, NULL, 0, &row->block_start, error);
    for (uint32_t b = 0; b < solution->block_count && status == COR_OK; b++) {
        uint32_t size = cor_lists_size(solution, b);
        status = cor_record_put(runner->record, COR_VECTOR_SOLUTION_BLOCK_SIZE, &size, 1, NULL, error);
    }
    row->blocks = solution->block_count;
    row->members = solution->member_count;
    return status == COR_OK ? cor_record_put(runner->record, COR_VECTOR_SOLUTION_MEMBER, solution->members,
                                             solution->member_count, &row->member_start, error)
                            : status;
}

/* The structure an alarm found, as a label an agent. */
static enum cor_status put_structure(struct cor_runner *runner, struct cor_failure_row *row,
                                     struct cor_error *error) {
    uint32_t agents = runner->execution.configuration->agent_count;
    uint32_t *label = runner->label;
    for (uint32_t b = 0; b < runner->before.block_count; b++)
        for (uint32_t m = runner->before.start[b]; m < runner->before.start[b + 1]; m++)
            label[runner->before.members[m]] = b;
    row->labels = agents;
    return cor_record_put(runner->record, COR_VECTOR_STRUCTURE, label, agents, &row->structure_start, error);
}

enum cor_status cor__note_failure(struct cor_runner *runner, const struct cor_case *this_case, uint8_t gray,
                                  uint8_t black, struct cor_error *error) {
    NEW_ROW(cor_failure_row, row, COR_TABLE_FAILURES);
    row->sequence = this_case->sequence;
    row->case_ = this_case->number;
    row->gray = gray;
    row->black = black;
    enum cor_status status = put_solution(runner, row, error);
    return status == COR_OK ? put_structure(runner, row, error) : status;
}
