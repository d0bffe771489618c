/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A worker process: takes the next position of the plan, makes or reads its suite, runs its sequences, and
 * appends the finished suite to its own journal. */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/record.h>
#include <corridor/run.h>
#include <corridor/suite.h>

#include <signal.h>
#include <stdlib.h>
#include <string.h>

struct worker {
    const struct cor_campaign *campaign;
    uint32_t index;
    struct cor_journal *journal;
    struct cor_record *record;
    struct cor_session **sessions; /* [arm]; made when first needed */
    struct cor_walk walk;
    uint32_t *failures; /* [sequence] of the present suite: case of the first failure, 0 = none */
};

static bool told_to_stop(const struct worker *worker) {
    return atomic_load(&worker->campaign->shared->stop) != 0;
}

static enum cor_status open_worker(struct worker *worker, struct cor_error *error) {
    const struct cor_experiment *experiment = worker->campaign->definition.experiment;
    char *path = cor__journal_path(worker->campaign, worker->index);
    worker->sessions = cor_calloc(experiment->arm_count, sizeof *worker->sessions);
    worker->failures = cor_calloc(experiment->sequence_count, sizeof *worker->failures);
    if (!path || !worker->sessions || !worker->failures) {
        free(path);
        return cor_fail_memory(error);
    }
    enum cor_status status = cor_journal_create(path, &worker->journal, error);
    free(path);
    return status == COR_OK ? cor_record_create(&worker->record, error) : status;
}

static void close_worker(struct worker *worker) {
    for (uint32_t a = 0; worker->sessions && a < worker->campaign->definition.experiment->arm_count; a++)
        cor_session_destroy(worker->sessions[a]);
    free(worker->sessions);
    free(worker->failures);
    cor_walk_fini(&worker->walk);
    cor_record_destroy(worker->record);
    cor_journal_close(worker->journal);
}

static enum cor_status get_suite(const struct worker *worker, uint32_t arm, uint32_t index,
                                 struct cor_suite **suite, struct cor_error *error) {
    const struct cor_campaign_definition *definition = &worker->campaign->definition;
    if (!definition->suite_folder)
        return cor_suite_generate(definition->experiment, arm, index, suite, error);
    char *path = cor_campaign_suite_path(definition->experiment, definition->suite_folder, arm, index);
    enum cor_status status =
        path ? cor_suite_read(definition->experiment, path, suite, error) : cor_fail_memory(error);
    if (status == COR_OK && ((*suite)->arm_index != arm || (*suite)->index != index))
        status =
            cor_fail(error, COR_STATUS_INPUT, path, "a suite file keeps the place that corridor plan gave it",
                     "holds suite %u of arm %s", (*suite)->index, (*suite)->arm->name);
    free(path);
    return status;
}

/* What the loop needs to know of a suite. */
static struct cor_execution execution_of(const struct worker *worker, const struct cor_suite *suite) {
    const struct cor_arm *arm = suite->arm;
    return (struct cor_execution){
        .arm = (uint16_t)suite->arm_index,
        .suite = suite->index,
        .name = suite->name,
        .configuration = suite->configuration,
        .profiles = (const struct cor_profile *const *)suite->profiles,
        .environment_of_profile = suite->environment_of_profile,
        .sequence_count = suite->experiment->sequence_count,
        .session = worker->sessions[suite->arm_index],
        .algorithm = arm->algorithm,
        .fault = arm->fault,
        .parameters = suite->algorithm_parameters,
        .budget = suite->budget,
        .parameter_codes = arm->parameter_codes,
        .parameter_values = suite->parameters,
        .parameter_count = cor_parameter_laws_size(arm->laws),
        .first_counter_code = arm->first_counter_code,
        .attempts = suite->attempts,
        .fallback = suite->fallback,
        .pilot_rate = suite->pilot_rate,
        .activation_delay = arm->activation_delay,
        .look_every = arm->look_every,
        .log_solutions = worker->campaign->definition.log_solutions,
    };
}

/* Tells the planning process how far the suite is; `before` are the cases of earlier ones. */
static void show_cases(const struct worker *worker, uint64_t before) {
    atomic_store(&worker->campaign->shared->worker[worker->index].cases,
                 before + cor_record_size(worker->record, COR_TABLE_CASES));
}

/* The sequences that continue a failed one: where the experiment says, numbered on from *next. */
static enum cor_status run_branches(struct worker *worker, const struct cor_suite *suite,
                                    struct cor_runner *runner, uint32_t parent, uint32_t *next,
                                    struct cor_error *error) {
    const struct cor_branching *branching = &suite->experiment->branching;
    uint32_t failure = worker->failures[parent];
    enum cor_status status = COR_OK;
    for (uint32_t b = 0; b < branching->back_count && status == COR_OK; b++) {
        struct cor_branch branch = {parent, failure > branching->back[b] ? failure - branching->back[b] : 0};
        for (uint32_t i = 0; i < branching->continuations && status == COR_OK; i++, ++*next) {
            if (told_to_stop(worker))
                return COR_STATUS_INTERRUPTED;
            status = cor_suite_branch(suite, parent, branch.prefix, *next, &worker->walk, error);
            if (status == COR_OK)
                status = cor_run_branch(runner, *next, &branch, &worker->walk, error);
        }
        if (branch.prefix == 0) /* the beginning: no further back to go */
            break;
    }
    return status;
}

/* All sequences, then those that continue some of them. */
static enum cor_status run_sequences(struct worker *worker, const struct cor_suite *suite,
                                     struct cor_runner *runner, struct cor_error *error) {
    enum cor_status status = COR_OK;
    uint32_t count = suite->experiment->sequence_count, next = count;
    uint64_t before = atomic_load(&worker->campaign->shared->worker[worker->index].cases);
    for (uint32_t s = 0; s < count && status == COR_OK; s++) {
        if (told_to_stop(worker))
            return COR_STATUS_INTERRUPTED;
        status = cor_suite_walk(suite, s, &worker->walk, error);
        if (status == COR_OK)
            status = cor_run_sequence(runner, s, &worker->walk, error);
        worker->failures[s] = cor_runner_first_failure(runner);
        show_cases(worker, before);
    }
    for (uint32_t s = 0; s < count && status == COR_OK; s++) {
        if (worker->failures[s] > 0)
            status = run_branches(worker, suite, runner, s, &next, error);
        show_cases(worker, before);
    }
    return status;
}

static enum cor_status run_suite(struct worker *worker, const struct cor_suite *suite,
                                 struct cor_error *error) {
    struct cor_session **session = &worker->sessions[suite->arm_index];
    enum cor_status status = *session ? COR_OK : cor_session_create(&suite->arm->session, session, error);
    if (status != COR_OK)
        return status;
    struct cor_execution execution = execution_of(worker, suite);
    struct cor_runner *runner = NULL;
    status = cor_runner_create(&execution, worker->record, &runner, error);
    if (status == COR_OK)
        status = run_sequences(worker, suite, runner, error);
    if (status == COR_OK)
        status = cor_runner_finish(runner, error);
    cor_runner_destroy(runner);
    return status == COR_OK ? cor_journal_append(worker->journal, worker->record, error) : status;
}

static bool is_failure(uint8_t verdict) {
    return verdict == COR_VERDICT_FAILED || verdict == COR_VERDICT_SMOKE;
}

/* Cases in which a check failed, through whichever box. Reorganizations stand in the order of their cases. */
static uint32_t count_failures(struct cor_record *record) {
    uint32_t failures = 0;
    size_t next = 0;
    for (size_t i = 0; i < cor_record_size(record, COR_TABLE_CASES); i++) {
        const struct cor_case_row *row = cor_record_at(record, COR_TABLE_CASES, i);
        bool failed = is_failure(row->detect) || is_failure(row->gray) || is_failure(row->black);
        if (row->reorganized) {
            const struct cor_reorganization_row *run =
                cor_record_at(record, COR_TABLE_REORGANIZATIONS, next++);
            failed = failed || is_failure(run->agreement);
        }
        failures += failed;
    }
    return failures;
}

static enum cor_status work_at(struct worker *worker, uint64_t position, struct cor_error *error) {
    uint32_t arms = worker->campaign->definition.experiment->arm_count;
    double wall = cor__seconds(), cpu = cor__cpu_seconds();
    struct cor_suite *suite = NULL;
    enum cor_status status =
        get_suite(worker, (uint32_t)(position % arms), (uint32_t)(position / arms), &suite, error);
    if (status == COR_OK)
        status = run_suite(worker, suite, error);
    cor_suite_destroy(suite);
    if (status != COR_OK)
        return status;
    struct cor_suite_note *note = &worker->campaign->shared->note[position];
    note->worker = worker->index;
    note->cases = (uint32_t)cor_record_size(worker->record, COR_TABLE_CASES);
    note->reorganizations = (uint32_t)cor_record_size(worker->record, COR_TABLE_REORGANIZATIONS);
    note->failures = count_failures(worker->record);
    note->wall_seconds = (float)(cor__seconds() - wall);
    note->cpu_seconds = (float)(cor__cpu_seconds() - cpu);
    atomic_store(&note->done, 1);
    atomic_fetch_add(&worker->campaign->shared->done, 1);
    return COR_OK;
}

/* An interrupt from the keyboard, a terminal that closes, and the end of a batch job reach every process of
 * the group; workers leave the answer to the planning process. */
static void prepare_signals(pid_t parent) {
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* a file-size limit is then an error of write(), and said */
    cor__die_with(parent);
}

/* Plan positions in the order in which they are taken; false when there are none left. */
static bool next_position(const struct cor_campaign *campaign, uint64_t *position) {
    struct cor_shared *shared = campaign->shared;
    for (;;) {
        uint64_t turn = atomic_fetch_add(&shared->next, 1), limit = atomic_load(&shared->limit);
        *position = campaign->planned > 0 ? turn * campaign->stride % campaign->planned : turn;
        if (*position < limit && (campaign->planned == 0 || turn < campaign->planned))
            return true;
        if (turn >= (campaign->planned > 0 ? campaign->planned : limit))
            return false;
    }
}

int cor__worker_main(const struct cor_campaign *campaign, uint32_t index) {
    struct worker worker = {.campaign = campaign, .index = index};
    struct cor_shared *shared = campaign->shared;
    struct cor_error *error = &shared->worker[index].error;
    prepare_signals(campaign->planner);
    cor_walk_init(&worker.walk);
    enum cor_status status = open_worker(&worker, error);
    while (status == COR_OK && !told_to_stop(&worker)) {
        uint64_t position;
        if (!next_position(campaign, &position))
            break;
        atomic_store(&shared->worker[index].position, position + 1);
        status = work_at(&worker, position, error);
        atomic_store(&shared->worker[index].position, 0);
    }
    close_worker(&worker);
    return status == COR_OK || status == COR_STATUS_INTERRUPTED ? 0 : 1;
}
