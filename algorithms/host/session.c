/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What sessions of all kinds have in common: above all, what they keep from one reorganization to the next.
 */
#include "columns.h"
#include "local.h"

#include <corridor/array.h>
#include <corridor/guarantees.h>
#include <corridor/hash.h>
#include <corridor/structures.h>

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* plugin.h, which includes nothing of ours, counts the kinds as sim/base does. */
static_assert((int)COR_PARTITIONING == COR_STRUCTURE_PARTITIONING &&
                  (int)COR_COVERING == COR_STRUCTURE_COVERING &&
                  (int)COR_OVERLAPPING == COR_STRUCTURE_OVERLAPPING &&
                  (int)COR_HIERARCHY == COR_STRUCTURE_HIERARCHY && (int)COR_TREE == COR_STRUCTURE_TREE,
              "the kinds of structure");

struct cor_session_definition cor_default_session(const struct cor_algorithm *algorithm) {
    return (struct cor_session_definition){
        .algorithm = algorithm,
        .mail = {.mode = COR_MAIL_IN_ORDER, .delay_max = 1, .depth = 1, .messages = 1000, .index = -1},
        .agents = {.fault = COR_CRASH_FAULT_NONE, .down_rounds = 1},
        .measure = COR_MEASURE_RANGE,
        .memory_limit = COR_GUEST_MEMORY,
        .cpu_seconds = 10,
        .answer_seconds = 60,
    };
}

struct cor_rules cor_default_rules(const struct cor_algorithm *algorithm, const struct cor_limits *limits,
                                   double threshold, const double *parameters) {
    return (struct cor_rules){
        .struct_size = sizeof(struct cor_rules),
        .value_count = 1,
        .columns = &host__value_column,
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

enum cor_status host__session_check(const struct cor_session_definition *definition,
                                    struct cor_error *error) {
    const struct cor_mail_schedule *mail = &definition->mail;
    const char *name = definition->algorithm->name;
    if (definition->interim_units > 0 && !(definition->algorithm->capabilities & COR_ANYTIME))
        return cor_fail(error, COR_STATUS_INPUT, NULL, "leave interim looks out (0 units)",
                        "algorithm \"%s\" has no interim solutions", name);
    if (!(mail->loss_ratio >= 0 && mail->loss_ratio <= 1))
        return cor_fail(error, COR_STATUS_INPUT, NULL, "choose 0 .. 1", "the loss ratio is %g",
                        mail->loss_ratio);
    if (mail->mode == COR_MAIL_DELAYED && (mail->delay_max < 1 || mail->delay_max > HOST__DELAY_MOST))
        return cor_fail(error, COR_STATUS_INPUT, NULL, "choose 1 .. 65536 rounds", "the longest delay is %u",
                        mail->delay_max);
    if (!(mail->duplicate_ratio >= 0 && mail->duplicate_ratio <= 1))
        return cor_fail(error, COR_STATUS_INPUT, NULL, "choose 0 .. 1", "the duplicate ratio is %g",
                        mail->duplicate_ratio);
    /* What modes in which mail goes one by one are told. */
    if (mail->mode == COR_MAIL_PCT && (mail->depth < 1 || mail->depth > HOST__DEPTH_MOST))
        return cor_fail(error, COR_STATUS_INPUT, NULL, "choose 1 .. 64", "the depth of pct is %u",
                        mail->depth);
    if (mail->mode == COR_MAIL_BOUNDED && mail->bound > HOST__BOUND_MOST)
        return cor_fail(error, COR_STATUS_INPUT, NULL, "choose 0 .. 8",
                        "the bound of messages that wait is %u", mail->bound);
    bool draws = mail->mode == COR_MAIL_PCT || (mail->mode == COR_MAIL_BOUNDED && mail->index < 0);
    if (draws && mail->messages < 1)
        return cor_fail(error, COR_STATUS_INPUT, NULL, "choose 1 or more",
                        "the schedule is drawn for 0 messages");
    COR_ASSERT(mail->mode >= COR_MAIL_IN_ORDER && mail->mode < (enum cor_mail)COR_MAIL_CODES);
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

enum cor_status host__session_make(const struct host__session_kind *kind,
                                   const struct cor_session_definition *definition,
                                   struct cor_session **session, struct cor_error *error) {
    *session = NULL;
    struct cor_session *made = cor_calloc(1, kind->size);
    COR_TRY(cor_made(made, error));
    made->kind = kind;
    made->definition = *definition;
    made->algorithm = definition->algorithm;
    made->slice_units = definition->slice_units > 0 ? definition->slice_units : UINT64_MAX;
    enum cor_status status;
    /* Cells of counter c are counters[start[c] .. start[c + 1]). */
    uint32_t count = cor_algorithm_counter_count(made->algorithm), cells = 0;
    made->counter_start = cor_calloc((size_t)count + 1, sizeof *made->counter_start);
    COR_TRY_OUT(cor_made(made->counter_start, error));
    for (uint32_t c = 0; c < count; c++) {
        made->counter_start[c] = cells;
        cells += made->algorithm->counters[c].bucket_count;
    }
    made->counter_start[count] = cells;
    made->counters = cor_calloc(cells, sizeof *made->counters);
    COR_TRY_OUT(cor_made(made->counters, error));
    COR_TRY_OUT(kind->open(made, error));
    *session = made;
    made = NULL;
out:
    cor_session_destroy(made);
    return status;
}

void cor_session_destroy(struct cor_session *session) {
    if (!session)
        return;
    session->kind->close(session);
    free(session->kept.bytes);
    free(session->log.entries);
    free(session->counters);
    free(session->counter_start);
    free(session);
}

void cor_session_forget(struct cor_session *session) {
    session->kept.size = 0;
}

void cor_session_restart(struct cor_session *session) {
    cor_session_forget(session);
    session->wants_fresh = true; /* what a process remembers is of no other sequence */
}

void cor_session_identify(struct cor_session *session, const uint32_t *identity, uint32_t identity_count) {
    session->identity = identity;
    session->identity_count = identity ? identity_count : 0;
}

void cor_session_schedule(struct cor_session *session, const struct cor_mail_record *schedule) {
    session->schedule = schedule;
}

void cor_session_record(struct cor_session *session, struct cor_mail_record *record) {
    session->recording = record;
}

const uint64_t *cor_session_counters(const struct cor_session *session, const uint32_t **start) {
    *start = session->counter_start;
    return session->counters;
}

uint32_t host__counter_cells(const struct cor_session *session) {
    return session->counter_start[cor_algorithm_counter_count(session->algorithm)];
}

void cor_session_clear_counters(struct cor_session *session) {
    memset(session->counters, 0, host__counter_cells(session) * sizeof *session->counters);
}

enum cor_status cor_session_save(const struct cor_session *session, struct cor_session_memory *memory,
                                 struct cor_error *error) {
    size_t cells = host__counter_cells(session);
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
    size_t cells = host__counter_cells(session);
    COR_ASSERT(memory->kept_size <= HOST__KEPT_MOST && memory->counter_capacity >= cells);
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

static uint64_t hash_lists(uint64_t hash, const struct cor_lists *lists) {
    hash = cor_hash_word(hash, lists->block_count);
    for (uint32_t b = 0; b < lists->block_count; b++) {
        hash = cor_hash_word(hash, cor_lists_size(lists, b));
        hash = cor_hash_bytes(hash, cor_lists_block(lists, b), cor_lists_size(lists, b) * sizeof(uint32_t));
    }
    if (lists->nests)
        hash = cor_hash_bytes(hash, lists->parent, lists->block_count * sizeof *lists->parent);
    return hash;
}

uint64_t cor_outcome_digest(const struct cor_outcome *outcome) {
    uint64_t hash = hash_lists(COR_HASH_SEED, &outcome->solution);
    for (size_t i = 0; i < outcome->move_count; i++)
        hash = cor_hash_word(hash, (uint64_t)outcome->moves[i].agent << 32 | outcome->moves[i].block);
    hash = cor_hash_word(hash, (uint64_t)outcome->stop << 32 | (uint64_t)outcome->smoke);
    hash = cor_hash_bytes(hash, outcome->complaint, strlen(outcome->complaint));
    hash = cor_hash_word(hash, outcome->spent);
    hash = cor_hash_word(hash, outcome->rounds);
    hash = cor_hash_word(hash, outcome->messages);
    return cor_hash_word(hash, outcome->messages_lost);
}

void host__outcome_clear(const struct cor_session *session, struct cor_outcome *outcome) {
    cor_lists_clear(&outcome->solution);
    outcome->move_count = outcome->interim_count = 0;
    outcome->has_moves = session->algorithm->adopt != NULL;
    outcome->stop = COR_STOP_DONE;
    outcome->smoke = COR_SMOKE_NONE;
    outcome->complaint[0] = '\0';
    outcome->fate = (struct cor_fate){0};
    outcome->has_late = false;
    outcome->spent = outcome->rounds = outcome->messages = outcome->messages_lost = 0;
    outcome->chains = 0;
    outcome->fault = (struct cor_fault_counts){0};
}

enum cor_status cor_session_reorganize(struct cor_session *session, const struct cor_task *task,
                                       const struct cor_stream_name *name, struct cor_outcome *outcome,
                                       struct cor_error *error) {
    COR_ASSERT(task->rules->parameter_count == cor_algorithm_parameter_count(session->algorithm));
    COR_ASSERT(task->rules->fault <= cor_algorithm_fault_count(session->algorithm));
    COR_ASSERT(task->agent_count > 0 && task->rules->value_count > 0);
    COR_ASSERT(task->rules->organized < COR_STRUCTURE_ADOPTED);
    COR_ASSERT(!session->identity || session->identity[task->agent_count - 1] < session->identity_count);
    struct cor_task own = *task;
    own.struct_size = (uint32_t)sizeof own;
    own.kept = session->kept.size > 0 ? session->kept.bytes : NULL;
    own.kept_size = session->kept.size;
    host__outcome_clear(session, outcome);
    const struct cor_mail_record *schedule = session->schedule;
    session->plan = (struct host__mail_plan){.is_logged = session->recording != NULL};
    if (schedule) {
        session->plan.mode = schedule->mode;
        session->plan.entries = cor_mail_record_of(schedule, name->identity, &session->plan.count);
    }
    session->log.count = 0;
    COR_TRY(session->kind->reorganize(session, &own, name, outcome, error));
    /* Tells how mail went. */
    if (!session->recording)
        return COR_OK;
    session->recording->mode = session->plan.mode != 0 ? session->plan.mode : session->definition.mail.mode;
    return host__mail_record_replace(session->recording, name->identity, &session->log, error);
}

uint64_t cor_session_starts(const struct cor_session *session, double *seconds) {
    *seconds = session->start_seconds;
    return session->starts;
}
