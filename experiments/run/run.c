/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "internal.h"

#include <corridor/array.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------------------------------------- life of a
 * suite */

static enum cor_status create_counts(struct cor_runner *runner, struct cor_error *error) {
    uint32_t profiles = runner->execution.configuration->profile_count;
    runner->taken = cor_calloc(profiles, sizeof *runner->taken);
    runner->visits = cor_calloc(profiles, sizeof *runner->visits);
    if (!runner->taken || !runner->visits)
        return cor_fail_memory(error);
    for (uint32_t p = 0; p < profiles; p++) {
        size_t states = runner->execution.profiles[p]->state_count;
        runner->taken[p] = cor_calloc(states * states, sizeof **runner->taken);
        runner->visits[p] = cor_calloc(states, sizeof **runner->visits);
        if (!runner->taken[p] || !runner->visits[p])
            return cor_fail_memory(error);
    }
    return COR_OK;
}

static struct cor_rules rules_of(const struct cor_execution *execution) {
    const struct cor_configuration *c = execution->configuration;
    struct cor_rules rules =
        cor_default_rules(execution->algorithm, &c->limits, c->threshold, execution->parameters);
    rules.fault = execution->fault;
    rules.budget = execution->budget;
    return rules;
}

enum cor_status cor_runner_create(const struct cor_execution *execution, struct cor_record *record,
                                  struct cor_runner **runner, struct cor_error *error) {
    const struct cor_configuration *c = execution->configuration;
    struct cor_runner *r = *runner = cor_calloc(1, sizeof *r);
    if (!r)
        return cor_fail_memory(error);
    r->execution = *execution;
    r->record = record;
    r->rules = rules_of(execution);
    r->limits = execution->algorithm->capabilities & COR_LIMITS ? c->limits : COR_NO_LIMITS;
    cor_outcome_init(&r->outcome);
    cor_record_begin(record, execution->arm, execution->suite);
    cor_session_clear_counters(execution->session);
    enum cor_status status = create_counts(r, error);
    r->label = cor_calloc(c->agent_count, sizeof *r->label);
    if (status == COR_OK && !r->label)
        status = cor_fail_memory(error);
    if (status == COR_OK)
        status = cor_state_create(c, &r->state, error);
    if (status == COR_OK)
        status = cor_adopter_create(c->agent_count, &r->adopter, error);
    if (status == COR_OK)
        status = cor_oracle_create(c->agent_count, &r->oracle, error);
    if (status == COR_OK)
        status = cor__note_configuration(r, error);
    if (status != COR_OK) {
        cor_runner_destroy(r);
        *runner = NULL;
    }
    return status;
}

enum cor_status cor_runner_finish(struct cor_runner *runner, struct cor_error *error) {
    return cor__note_counts(runner, error);
}

void cor_runner_destroy(struct cor_runner *runner) {
    if (!runner)
        return;
    for (uint32_t p = 0; p < runner->execution.configuration->profile_count; p++) {
        if (runner->taken)
            free(runner->taken[p]);
        if (runner->visits)
            free(runner->visits[p]);
    }
    free(runner->taken);
    free(runner->visits);
    free(runner->label);
    cor_state_destroy(runner->state);
    cor_adopter_destroy(runner->adopter);
    cor_oracle_destroy(runner->oracle);
    cor_outcome_fini(&runner->outcome);
    cor_lists_fini(&runner->structure);
    cor_lists_fini(&runner->before);
    free(runner);
}

/* ------------------------------------------------------------------------------ reorganization */

static uint32_t as_u32(uint64_t count) {
    return count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
}

static enum cor_verdict verdict_of(const struct cor_judgement *judgement) {
    return judgement->violation_count == 0 ? COR_VERDICT_PASSED : COR_VERDICT_FAILED;
}

/* The adapter (003, 4.3): shows the algorithm the present structure and brings back what it makes of it. */
static enum cor_status ask_algorithm(struct cor_runner *r, const struct cor_case *this_case,
                                     struct cor_error *error) {
    const double *values = r->state->value;
    const struct cor_task task = {
        .struct_size = sizeof task,
        .agent_count = r->execution.configuration->agent_count,
        .rules = &r->rules,
        .values = &values,
        .block_count = r->structure.block_count,
        .block_start = r->structure.start,
        .members = r->structure.members,
    };
    return cor_session_reorganize(r->execution.session, &task, &this_case->name, &r->outcome, error);
}

static void note_outcome(const struct cor_outcome *outcome, struct cor_reorganization_row *row) {
    row->stop = (uint8_t)outcome->stop;
    row->smoke = (uint8_t)outcome->smoke;
    row->spent = outcome->spent;
    row->rounds = as_u32(outcome->rounds);
    row->messages = as_u32(outcome->messages);
    row->messages_lost = as_u32(outcome->messages_lost);
    row->fault_reached = as_u32(outcome->fault.reached);
    row->fault_held = as_u32(outcome->fault.held);
    row->fault_activated = as_u32(outcome->fault.activated);
    row->fault_in_result = outcome->fault.in_result != 0;
}

/* Interim solutions of an anytime algorithm: judged like solutions, but never adopted. */
static enum cor_status judge_interims(struct cor_runner *r, const struct cor_case *this_case,
                                      struct cor_reorganization_row *row, struct cor_error *error) {
    for (size_t i = 0; i < r->outcome.interim_count; i++) {
        struct cor_judgement judgement;
        cor_oracle_judge(r->oracle, &r->outcome.interims[i].solution, r->execution.configuration->agent_count,
                         &r->limits, &judgement);
        row->interim_looks++;
        if (judgement.violation_count == 0)
            continue;
        row->interim_failed++;
        enum cor_status status = cor__note_violations(r, this_case, COR_BOX_INTERIM, &judgement, error);
        if (status != COR_OK)
            return status;
    }
    return COR_OK;
}

/* R-Solution. */
static enum cor_status judge_solution(struct cor_runner *r, const struct cor_case *this_case,
                                      struct cor_reorganization_row *row, struct cor_error *error) {
    struct cor_judgement judgement;
    cor_oracle_judge(r->oracle, &r->outcome.solution, r->execution.configuration->agent_count, &r->limits,
                     &judgement);
    row->gray = (uint8_t)verdict_of(&judgement);
    row->gray_violations = judgement.violation_count;
    enum cor_status status = judge_interims(r, this_case, row, error);
    return status == COR_OK ? cor__note_violations(r, this_case, COR_BOX_GRAY, &judgement, error) : status;
}

static enum cor_status adopt_solution(struct cor_runner *r, const struct cor_case *this_case,
                                      struct cor_reorganization_row *row, struct cor_error *error) {
    struct cor_adoption_report report;
    const struct cor_move *moves = r->outcome.has_moves ? r->outcome.moves : NULL;
    enum cor_status status = cor_adopt(r->adopter, r->state, &r->outcome.solution, moves,
                                       r->outcome.move_count, &this_case->name, &report, error);
    if (status == COR_OK)
        status = cor_state_lists(r->state, &r->structure, error);
    row->moved = report.moved;
    row->own_moves = r->outcome.has_moves != 0;
    row->adoption_fault = (uint8_t)(report.corrupted < UINT8_MAX ? report.corrupted : UINT8_MAX);
    row->partitions_after = r->structure.block_count;
    return status;
}

/* R-Distribution, and whether the structure is the solution that was accepted (C7). */
static enum cor_status judge_structure(struct cor_runner *r, const struct cor_case *this_case,
                                       struct cor_reorganization_row *row, struct cor_error *error) {
    const struct cor_configuration *c = r->execution.configuration;
    struct cor_judgement judgement;
    cor_oracle_judge(r->oracle, &r->structure, c->agent_count, &r->limits, &judgement);
    row->black = (uint8_t)verdict_of(&judgement);
    row->black_violations = judgement.violation_count;
    row->agreement = COR_VERDICT_NOT_JUDGED;
    if (row->gray == COR_VERDICT_PASSED) {
        uint32_t before = judgement.violation_count;
        cor_oracle_compare(r->oracle, &r->structure, &r->outcome.solution, c->agent_count, &judgement);
        bool agrees = judgement.violation_count == before && row->black == COR_VERDICT_PASSED;
        row->agreement = agrees ? COR_VERDICT_PASSED : COR_VERDICT_FAILED;
    }
    row->dissimilarity_after =
        cor_oracle_dissimilarity(&r->structure, r->state->value, c->agent_count, c->measure);
    row->inside_after = (uint8_t)cor_oracle_inside(row->dissimilarity_after, c->threshold);
    return cor__note_violations(r, this_case, COR_BOX_BLACK, &judgement, error);
}

/* The oracle's measure of the present structure. */
static double dissimilarity_now(const struct cor_runner *r) {
    const struct cor_configuration *c = r->execution.configuration;
    return cor_oracle_dissimilarity(&r->structure, r->state->value, c->agent_count, c->measure);
}

/* A reorganization without a result: nothing to adopt, and nothing to go on with. */
static void note_smoke(const struct cor_runner *r, struct cor_reorganization_row *row) {
    row->gray = row->black = COR_VERDICT_SMOKE;
    row->agreement = COR_VERDICT_NOT_JUDGED;
    row->partitions_after = r->structure.block_count;
    row->inside_after = COR_INSIDE_NOT_LOOKED;
    row->dissimilarity_after = NAN;
}

static enum cor_status reorganize(struct cor_runner *r, const struct cor_case *this_case,
                                  struct cor_case_row *case_row, struct cor_error *error) {
    struct cor_reorganization_row row = {
        .sequence = this_case->sequence,
        .case_ = this_case->number,
        .partitions_before = r->structure.block_count,
        .dissimilarity_before = this_case->looked,
    };
    if (isnan(row.dissimilarity_before)) /* started by an alarm some cases ago */
        row.dissimilarity_before = dissimilarity_now(r);
    enum cor_status status = ask_algorithm(r, this_case, error);
    if (status == COR_OK)
        status = cor_lists_copy(&r->before, &r->structure, error);
    if (status != COR_OK)
        return status;
    note_outcome(&r->outcome, &row);
    if (r->outcome.smoke != COR_SMOKE_NONE) {
        note_smoke(r, &row);
    } else {
        status = judge_solution(r, this_case, &row, error);
        if (status == COR_OK)
            status = adopt_solution(r, this_case, &row, error);
        if (status == COR_OK)
            status = judge_structure(r, this_case, &row, error);
    }
    if (status != COR_OK)
        return status;
    struct cor_reorganization_row *kept = cor_record_row(r->record, COR_TABLE_REORGANIZATIONS, error);
    if (!kept)
        return error->status;
    row.arm = kept->arm;
    row.suite = kept->suite;
    *kept = row;
    case_row->reorganized = 1;
    case_row->gray = row.gray;
    case_row->black = row.black;
    bool passed = row.gray == COR_VERDICT_PASSED && row.black == COR_VERDICT_PASSED &&
                  row.agreement == COR_VERDICT_PASSED && row.fault_activated == 0;
    return passed && !r->execution.log_solutions
               ? COR_OK
               : cor__note_failure(r, this_case, row.gray, row.black, error);
}

/* --------------------------------------------------------------------------------------- cases */

/* The oracle's own look at the invariant, from raw values, and what it says of the alarm (R-Detect). */
static enum cor_status look(struct cor_runner *r, struct cor_case *this_case, enum cor_verdict *detect,
                            struct cor_error *error) {
    const struct cor_configuration *c = r->execution.configuration;
    uint32_t every = r->execution.look_every;
    this_case->inside = COR_INSIDE_NOT_LOOKED;
    this_case->looked = NAN;
    *detect = COR_VERDICT_NOT_JUDGED;
    if (!this_case->alarm && (every == 0 || this_case->number % every != 0))
        return COR_OK;
    this_case->looked = cor_oracle_dissimilarity(&r->structure, r->state->value, c->agent_count, c->measure);
    this_case->inside = cor_oracle_inside(this_case->looked, c->threshold);
    struct cor_judgement judgement = {0};
    cor_oracle_judge_alarm(this_case->alarm, this_case->inside, this_case->looked, c->threshold, &judgement);
    *detect = verdict_of(&judgement);
    return cor__note_violations(r, this_case, COR_BOX_DETECT, &judgement, error);
}

/* What the loop remembers from case to case. */
struct progress {
    struct cor_monitor monitor;
    uint32_t cases_to_activation; /* 0 = no reorganization under way; else cases until it starts, plus one */
    bool stopped;                 /* the black box failed */
};

static bool failed(uint8_t verdict) {
    return verdict == COR_VERDICT_FAILED || verdict == COR_VERDICT_SMOKE;
}

/* One test case: change, check, reorganize, check. */
static enum cor_status run_case(struct cor_runner *r, const uint8_t *change, struct cor_case *this_case,
                                struct progress *progress, struct cor_error *error) {
    const struct cor_execution *e = &r->execution;
    cor_state_perceive(r->state, change, &this_case->name);
    this_case->dissimilarity = cor_monitor_dissimilarity(r->state);
    this_case->alarm =
        cor_monitor_alarm(&progress->monitor, e->configuration, this_case->dissimilarity, &this_case->name);
    enum cor_verdict detect;
    enum cor_status status = look(r, this_case, &detect, error);
    struct cor_case_row *row = status == COR_OK ? cor_record_row(r->record, COR_TABLE_CASES, error) : NULL;
    if (!row)
        return error->status;
    row->sequence = this_case->sequence;
    row->case_ = this_case->number;
    row->alarm = this_case->alarm;
    row->inside = (uint8_t)this_case->inside;
    row->detect = (uint8_t)detect;
    row->gray = row->black = COR_VERDICT_NOT_JUDGED;
    row->dissimilarity = (float)this_case->dissimilarity;
    if (this_case->alarm && progress->cases_to_activation == 0)
        progress->cases_to_activation = e->activation_delay + 1;
    if (progress->cases_to_activation > 0 && --progress->cases_to_activation == 0) {
        status = reorganize(r, this_case, row, error);
        progress->stopped = row->black != COR_VERDICT_PASSED;
        if (r->first_failure == 0 && (failed(row->gray) || failed(row->black)))
            r->first_failure = this_case->number;
    }
    return status;
}

uint32_t cor_runner_first_failure(const struct cor_runner *runner) {
    return runner->first_failure;
}

/* The first cases of a branch draw from the streams of its parent. */
static enum cor_status run_sequence(struct cor_runner *r, uint32_t index, const struct cor_branch *branch,
                                    const struct cor_walk *walk, struct cor_error *error) {
    uint64_t walk_start;
    enum cor_status status = cor__note_walk(r, walk, &walk_start, error);
    r->first_failure = 0;
    cor_state_restart(r->state, cor_walk_at(walk, 0));
    cor_session_restart(r->execution.session);
    if (status == COR_OK)
        status = cor_state_lists(r->state, &r->structure, error);
    struct cor_case this_case = {.sequence = (uint16_t)index, .name = r->execution.name};
    struct progress progress = {0};
    while (status == COR_OK && this_case.number < walk->case_count && !progress.stopped) {
        this_case.number++;
        this_case.name.identity = this_case.number;
        this_case.name.sequence = this_case.number <= branch->prefix ? branch->parent : index;
        status = run_case(r, cor_walk_at(walk, this_case.number), &this_case, &progress, error);
    }
    struct cor_sequence_row *row =
        status == COR_OK ? cor_record_row(r->record, COR_TABLE_SEQUENCES, error) : NULL;
    if (!row)
        return error->status;
    row->sequence = (uint16_t)index;
    row->cases = walk->case_count;
    row->executed = this_case.number;
    row->walk_start = walk_start;
    row->state_hash = cor_state_hash(r->state);
    return COR_OK;
}

enum cor_status cor_run_sequence(struct cor_runner *runner, uint32_t index, const struct cor_walk *walk,
                                 struct cor_error *error) {
    return run_sequence(runner, index, &(struct cor_branch){0}, walk, error);
}

enum cor_status cor_run_branch(struct cor_runner *runner, uint32_t index, const struct cor_branch *branch,
                               const struct cor_walk *walk, struct cor_error *error) {
    enum cor_status status = cor__note_branch(runner, index, branch, error);
    return status == COR_OK ? run_sequence(runner, index, branch, walk, error) : status;
}
