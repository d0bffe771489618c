/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The life of a reorganization: begin, then steps or rounds until the end, result, adopt, end. */
#include "session.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

struct cor_session_definition cor_default_session(const struct cor_algorithm *algorithm) {
    return (struct cor_session_definition){
        .algorithm = algorithm,
        .mail = {.mode = COR_MAIL_IN_ORDER, .delay_max = 1, .loss_ratio = 0},
        .agents = {.fault = COR_CRASH_FAULT_NONE, .down_rounds = 1},
        .measure = COR_MEASURE_RANGE,
        .memory_limit = (size_t)256 << 20,
    };
}

struct cor_rules cor_default_rules(const struct cor_algorithm *algorithm, const struct cor_limits *limits,
                                   double threshold, const double *parameters) {
    return (struct cor_rules){
        .struct_size = sizeof(struct cor_rules),
        .value_count = 1,
        .size_min = limits->size_min,
        .size_max = limits->size_max,
        .count_min = limits->count_min,
        .count_max = limits->count_max,
        .parameter_count = cor_algorithm_parameter_count(algorithm),
        .parameters = parameters,
        .threshold = threshold,
        .budget = 1,
    };
}

static enum cor_status check_agents(const struct cor_session_definition *definition,
                                    struct cor_error *error) {
    const struct cor_crash_definition *agents = &definition->agents;
    if (agents->fault == COR_CRASH_FAULT_NONE)
        return COR_OK;
    if (!definition->algorithm->restart)
        return cor_fail(error, COR_STATUS_INPUT, NULL, "leave the fault of agents out",
                        "algorithm \"%s\" has no restart(): its agents cannot crash",
                        definition->algorithm->name);
    if (!(agents->probability >= 0 && agents->probability <= 1))
        return cor_fail(error, COR_STATUS_INPUT, NULL, "choose 0 .. 1", "the probability of a crash is %g",
                        agents->probability);
    if (agents->down_rounds < 1)
        return cor_fail(error, COR_STATUS_INPUT, NULL, "choose 1 or more", "agents are down for 0 rounds");
    return COR_OK;
}

static enum cor_status check_definition(const struct cor_session_definition *definition,
                                        struct cor_error *error) {
    const struct cor_mail_schedule *mail = &definition->mail;
    const char *name = definition->algorithm->name;
    if (definition->interim_units > 0 && !(definition->algorithm->capabilities & COR_ANYTIME))
        return cor_fail(error, COR_STATUS_INPUT, NULL, "leave interim looks out (0 units)",
                        "algorithm \"%s\" has no interim solutions", name);
    if (!(mail->loss_ratio >= 0 && mail->loss_ratio <= 1))
        return cor_fail(error, COR_STATUS_INPUT, NULL, "choose 0 .. 1", "the loss ratio is %g",
                        mail->loss_ratio);
    if (mail->mode == COR_MAIL_DELAYED && (mail->delay_max < 1 || mail->delay_max > COR__DELAY_MOST))
        return cor_fail(error, COR_STATUS_INPUT, NULL, "choose 1 .. 65536 rounds", "the longest delay is %u",
                        mail->delay_max);
    if (!(mail->duplicate_ratio >= 0 && mail->duplicate_ratio <= 1))
        return cor_fail(error, COR_STATUS_INPUT, NULL, "choose 0 .. 1", "the duplicate ratio is %g",
                        mail->duplicate_ratio);
    COR_ASSERT(mail->mode >= COR_MAIL_IN_ORDER && mail->mode <= COR_MAIL_DUPLICATED);
    return check_agents(definition, error);
}

/* Cells of counter c are counters[start[c] .. start[c + 1]). */
static enum cor_status make_counters(struct cor_session *session, struct cor_error *error) {
    uint32_t count = cor_algorithm_counter_count(session->algorithm), cells = 0;
    session->counter_start = cor_calloc((size_t)count + 1, sizeof *session->counter_start);
    COR_TRY(cor_made(session->counter_start, error));
    for (uint32_t c = 0; c < count; c++) {
        session->counter_start[c] = cells;
        cells += session->algorithm->counters[c].bucket_count;
    }
    session->counter_start[count] = cells;
    session->counters = cor_calloc(cells, sizeof *session->counters);
    return cor_made(session->counters, error);
}

enum cor_status cor_session_create(const struct cor_session_definition *definition,
                                   struct cor_session **session, struct cor_error *error) {
    *session = NULL;
    COR_TRY(check_definition(definition, error));
    struct cor_session *made = cor_calloc(1, sizeof *made);
    COR_TRY(cor_made(made, error));
    made->definition = *definition;
    made->algorithm = definition->algorithm;
    made->slice_units = UINT64_MAX;
    cor__arena_init(&made->arena, definition->memory_limit);
    enum cor_status status;
    COR_TRY_OUT(cor__mail_init(&made->mail, &definition->mail, &made->arena, error));
    COR_TRY_OUT(make_counters(made, error));
    cor__services_offer(made);
    *session = made;
    made = NULL;
out:
    cor_session_destroy(made);
    return status;
}

void cor_session_destroy(struct cor_session *session) {
    if (!session)
        return;
    cor__population_fini(&session->population);
    cor__mail_fini(&session->mail);
    cor__arena_fini(&session->arena);
    free(session->kept.bytes);
    free(session->kept_next.bytes);
    free(session->counters);
    free(session->counter_start);
    free(session->seen);
    free(session);
}

void cor_session_restart(struct cor_session *session) {
    session->kept.size = 0;
}

const uint64_t *cor_session_counters(const struct cor_session *session, const uint32_t **start) {
    *start = session->counter_start;
    return session->counters;
}

static uint32_t cell_count(const struct cor_session *session) {
    return session->counter_start[cor_algorithm_counter_count(session->algorithm)];
}

void cor_session_clear_counters(struct cor_session *session) {
    memset(session->counters, 0, cell_count(session) * sizeof *session->counters);
}

enum cor_status cor_session_save(const struct cor_session *session, struct cor_session_memory *memory,
                                 struct cor_error *error) {
    size_t cells = cell_count(session);
    COR_TRY(COR_RESERVE(&memory->kept, &memory->kept_capacity, session->kept.size, error));
    COR_TRY(COR_RESERVE(&memory->counters, &memory->counter_capacity, cells, error));
    memory->kept_size = session->kept.size;
    if (session->kept.size > 0)
        memcpy(memory->kept, session->kept.bytes, session->kept.size);
    if (cells > 0)
        memcpy(memory->counters, session->counters, cells * sizeof *session->counters);
    return COR_OK;
}

enum cor_status cor_session_restore(struct cor_session *session, const struct cor_session_memory *memory,
                                    struct cor_error *error) {
    size_t cells = cell_count(session);
    COR_ASSERT(memory->kept_size <= COR__KEPT_MOST && memory->counter_capacity >= cells);
    COR_TRY(COR_RESERVE(&session->kept.bytes, &session->kept.capacity, memory->kept_size, error));
    session->kept.size = memory->kept_size;
    if (memory->kept_size > 0)
        memcpy(session->kept.bytes, memory->kept, memory->kept_size);
    if (cells > 0)
        memcpy(session->counters, memory->counters, cells * sizeof *session->counters);
    return COR_OK;
}

void cor_session_memory_fini(struct cor_session_memory *memory) {
    free(memory->kept);
    free(memory->counters);
    *memory = (struct cor_session_memory){0};
}

void cor_outcome_init(struct cor_outcome *outcome) {
    *outcome = (struct cor_outcome){0};
}

void cor_outcome_fini(struct cor_outcome *outcome) {
    cor_lists_fini(&outcome->solution);
    free(outcome->moves);
    for (size_t i = 0; i < outcome->interim_capacity; i++)
        cor_lists_fini(&outcome->interims[i].solution);
    free(outcome->interims);
    cor_outcome_init(outcome);
}

static void clear_outcome(struct cor_session *session, struct cor_outcome *outcome) {
    cor_lists_clear(&outcome->solution);
    outcome->move_count = outcome->interim_count = 0;
    outcome->has_moves = session->algorithm->adopt != NULL;
    outcome->stop = COR_STOP_DONE;
    outcome->smoke = COR_SMOKE_NONE;
    outcome->complaint[0] = '\0';
    outcome->spent = outcome->rounds = outcome->messages = outcome->messages_lost = 0;
    outcome->fault = (struct cor_fault_counts){0};
}

static void complain_of_draw(void *subject) {
    cor__session_smoke(subject, COR_SMOKE_COMPLAINED,
                       "a handler drew from host->random instead of me->random");
}

static void begin_streams(struct cor_session *session) {
    cor__stream_init(&session->streams[COR_STREAM_ALGORITHM], &session->name, COR_PURPOSE_ALGORITHM, 0);
    cor__stream_init(&session->streams[COR_STREAM_FAULT], &session->name, COR_PURPOSE_FAULT, 0);
    cor__stream_init(&session->misuse, &session->name, COR_PURPOSE_ALGORITHM, UINT32_MAX);
    session->misuse.notice = complain_of_draw;
    session->misuse.subject = session;
    for (int i = 0; i < COR_STREAM_COUNT; i++)
        session->host.random[i] = &session->streams[i].view;
}

/* Everything of the reorganization before is gone; what the algorithm will see is in place. */
static enum cor_status prepare(struct cor_session *session, const struct cor_task *task,
                               const struct cor_stream_name *name, struct cor_outcome *outcome) {
    COR_ASSERT(task->rules->parameter_count == cor_algorithm_parameter_count(session->algorithm));
    COR_ASSERT(task->rules->fault <= cor_algorithm_fault_count(session->algorithm));
    COR_ASSERT(task->agent_count > 0 && task->rules->value_count > 0);
    clear_outcome(session, outcome);
    session->outcome = outcome;
    session->solution = &outcome->solution;
    session->host.spent = &outcome->spent;
    session->host.fault = &outcome->fault;
    session->status = COR_OK;
    session->is_over = 0;
    session->name = *name;
    session->task = *task;
    session->task.struct_size = (uint32_t)sizeof session->task;
    session->task.kept = session->kept.size > 0 ? session->kept.bytes : NULL;
    session->task.kept_size = session->kept.size;
    session->keeps_next = 0;
    cor__arena_reset(&session->arena);
    cor__mail_reset(&session->mail, name, task->agent_count);
    begin_streams(session);
    COR_TRY(COR_RESERVE(&session->seen, &session->seen_capacity, task->agent_count, session->error));
    return session->algorithm->wake ? cor__population_prepare(session) : COR_OK;
}

/* The states of the algorithm and of its agents, zeroed; 0 at the limit. */
static int make_states(struct cor_session *session) {
    session->state = NULL;
    if (session->algorithm->state_size > 0)
        session->state = session->host.alloc(&session->host, session->algorithm->state_size);
    if (session->algorithm->state_size > 0 && !session->state)
        return 0;
    return !session->algorithm->wake || cor__population_states(session);
}

static int begin(struct cor_session *session) {
    if (!session->algorithm->begin)
        return 1;
    session->phase = COR__BEGIN;
    enum cor_progress progress = session->algorithm->begin(session->state, &session->task, &session->host);
    return cor__session_alive(session, progress);
}

static enum cor_stop conclude(struct cor_session *session, enum cor_stop stop) {
    session->phase = COR__RESULT;
    enum cor_progress progress = session->algorithm->result(session->state, &session->task, &session->host);
    if (!cor__session_alive(session, progress))
        return COR_STOP_FAILED;
    if (!session->algorithm->begin && progress == COR_STAGNATED)
        stop = COR_STOP_STAGNATED;
    if (!session->algorithm->adopt)
        return stop;
    session->phase = COR__ADOPT;
    progress = session->algorithm->adopt(session->state, &session->task, &session->host);
    return cor__session_alive(session, progress) ? stop : COR_STOP_FAILED;
}

/* What was kept in a reorganization that failed is dropped. */
static void commit_kept(struct cor_session *session, enum cor_stop stop) {
    if (!session->keeps_next || stop == COR_STOP_FAILED)
        return;
    struct cor__kept before = session->kept;
    session->kept = session->kept_next;
    session->kept_next = before;
}

enum cor_status cor_session_reorganize(struct cor_session *session, const struct cor_task *task,
                                       const struct cor_stream_name *name, struct cor_outcome *outcome,
                                       struct cor_error *error) {
    session->error = error;
    COR_TRY(prepare(session, task, name, outcome));
    enum cor_stop stop = COR_STOP_FAILED;
    if (make_states(session)) {
        if (begin(session))
            stop = cor__session_run(session);
        if (stop != COR_STOP_FAILED)
            stop = conclude(session, stop);
        session->phase = COR__END;
        if (session->algorithm->end)
            session->algorithm->end(session->state, &session->host);
    }
    commit_kept(session, stop);
    outcome->stop = stop;
    session->phase = COR__IDLE;
    return session->status;
}
