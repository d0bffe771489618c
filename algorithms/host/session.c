/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What sessions of all kinds have in common: above all, what they keep from one reorganization to the next.
 */
#include "session.h"
#include "local.h"

#include <corridor/array.h>
#include <corridor/guarantees.h>
#include <corridor/hash.h>
#include <corridor/host.h>
#include <corridor/structures.h>

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct cor_value_column host__value_column = {.name = "value", .unit = "", .max = 1};

size_t host__columns_bytes(const struct cor_rules *rules) {
    if (!rules->columns)
        return 0;
    size_t bytes = rules->value_count * sizeof *rules->columns;
    for (uint32_t c = 0; c < rules->value_count; c++) {
        const struct cor_value_column *column = &rules->columns[c];
        bytes += strlen(column->name) + strlen(column->unit) + 2;
        bytes += column->word_count > 0 ? ((size_t)column->word_count + 1) * sizeof(char *) : 0;
        for (uint32_t w = 0; w < column->word_count; w++)
            bytes += strlen(column->words[w]) + 1;
    }
    return (bytes + 15) / 16 * 16;
}

/* A block under way: lists of words follow the columns, texts the lists. */
struct pen {
    unsigned char *room;
    uintptr_t base;
    size_t lists, texts;
};

static const char *put_text(struct pen *pen, const char *text) {
    const size_t at = pen->texts, size = strlen(text) + 1;
    memcpy(pen->room + at, text, size);
    pen->texts += size;
    return (const char *)(pen->base + at);
}

static const char *const *put_words(struct pen *pen, const struct cor_value_column *column) {
    if (column->word_count == 0)
        return NULL;
    const size_t at = pen->lists;
    const char **list = (void *)(pen->room + at);
    pen->lists += ((size_t)column->word_count + 1) * sizeof *list;
    for (uint32_t w = 0; w < column->word_count; w++)
        list[w] = put_text(pen, column->words[w]);
    list[column->word_count] = NULL;
    return (const char *const *)(pen->base + at);
}

void host__columns_write(const struct cor_rules *rules, void *room, uintptr_t base) {
    struct cor_value_column *columns = room;
    struct pen pen = {room, base, rules->value_count * sizeof *columns, 0};
    pen.texts = pen.lists;
    for (uint32_t c = 0; c < rules->value_count; c++)
        if (rules->columns[c].word_count > 0)
            pen.texts += ((size_t)rules->columns[c].word_count + 1) * sizeof(char *);
    for (uint32_t c = 0; c < rules->value_count; c++) {
        struct cor_value_column column = rules->columns[c];
        column.name = put_text(&pen, column.name);
        column.unit = put_text(&pen, column.unit);
        column.words = put_words(&pen, &column);
        columns[c] = column;
    }
}

const struct cor_value_column *host__columns_settle(void *block, uint32_t count) {
    struct cor_value_column *columns = block;
    const uintptr_t base = (uintptr_t)block;
    for (uint32_t c = 0; c < count; c++) {
        struct cor_value_column *column = &columns[c];
        column->name = (const char *)(base + (uintptr_t)column->name);
        column->unit = (const char *)(base + (uintptr_t)column->unit);
        if (column->word_count == 0)
            continue;
        const char **list = (const char **)(base + (uintptr_t)column->words);
        for (uint32_t w = 0; w < column->word_count; w++)
            list[w] = (const char *)(base + (uintptr_t)list[w]);
        column->words = list;
    }
    return columns;
}

bool cor_algorithm_need(const char *need, char name[COR_NEED_SIZE], char unit[COR_NEED_SIZE]) {
    const char *open = strstr(need, " [");
    const size_t length = open ? (size_t)(open - need) : strlen(need), all = strlen(need);
    unit[0] = '\0';
    if (length == 0 || length >= COR_NEED_SIZE || all >= COR_NEED_SIZE)
        return false;
    snprintf(name, COR_NEED_SIZE, "%.*s", (int)length, need);
    if (!open)
        return strpbrk(name, " []") == NULL;
    if (all < length + 4 || need[all - 1] != ']')
        return false;
    snprintf(unit, COR_NEED_SIZE, "%.*s", (int)(all - length - 3), open + 2);
    return strpbrk(name, " []") == NULL && strpbrk(unit, "[]") == NULL;
}

/* ---- session */

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
    COR_TRY_OUT(cor_made(made->counters = cor_calloc(cells, sizeof *made->counters), error));
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
    struct host__attendance *a = &session->attendance;
    void *const attendance[] = {a->agents,          a->number, a->identity, a->values,
                                (void *)a->columns, a->start,  a->members,  a->filters};
    for (size_t i = 0; i < sizeof attendance / sizeof *attendance; i++)
        free(attendance[i]);
    COR_FREE(session->kept.bytes, session->log.entries, session->counters, session->counter_start, session);
}

void cor_session_forget(struct cor_session *session) {
    session->kept.size = 0;
    session->kept_of = 0;
}

void cor_session_restart(struct cor_session *session) {
    cor_session_forget(session);
    session->wants_fresh = true; /* what a process remembers is of no other sequence */
}

void cor_session_garble(struct cor_session *session, bool garbles) {
    session->garbles = garbles;
}

void cor_session_identify(struct cor_session *session, const uint32_t *identity, uint32_t identity_count) {
    session->identity = identity;
    session->identity_count = identity ? identity_count : 0;
}

void cor_session_attend(struct cor_session *session, const uint8_t *absent) {
    session->absent = absent;
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
    memory->kept_of = session->kept_of;
    if (session->kept.size > 0)
        memcpy(memory->kept, session->kept.bytes, session->kept.size);
    if (cells > 0)
        memcpy(memory->counters, session->counters, cells * sizeof *session->counters);
    return COR_OK;
}

enum cor_status cor_session_keep(struct cor_session *session, const void *bytes, uint32_t size,
                                 struct cor_error *error) {
    COR_ASSERT(size <= HOST__KEPT_MOST);
    COR_TRY(COR_RESERVE(&session->kept.bytes, &session->kept.capacity, size, error));
    session->kept.size = session->algorithm->capabilities & COR_KEEPS ? size : 0;
    if (session->kept.size > 0)
        memcpy(session->kept.bytes, bytes, size);
    return COR_OK;
}

enum cor_status cor_session_restore(struct cor_session *session, const struct cor_session_memory *memory,
                                    struct cor_error *error) {
    size_t cells = host__counter_cells(session);
    COR_ASSERT(memory->counter_capacity >= cells);
    session->kept_of = memory->kept_of;
    if (cells > 0)
        memcpy(session->counters, memory->counters, cells * sizeof *session->counters);
    return cor_session_keep(session, memory->kept, memory->kept_size, error);
}

void cor_session_memory_fini(struct cor_session_memory *memory) {
    COR_FREE(memory->kept, memory->counters);
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

/* Makes the task one of those who are there: no others are in a block of its structure, which is a
 * partitioning but for those who are in no block yet; each stands in one of its own. */
static enum cor_status attend(struct cor_session *session, struct cor_task *task, struct cor_error *error) {
    struct host__attendance *a = &session->attendance;
    const uint32_t all = task->agent_count, columns = task->rules->value_count;
    uint32_t there = 0;
    COR_TRY(COR_RESERVE(&a->agents, &a->agent_capacity, all, error));
    COR_TRY(COR_RESERVE(&a->number, &a->number_capacity, all, error));
    COR_TRY(COR_RESERVE(&a->identity, &a->identity_capacity, all, error));
    COR_TRY(COR_RESERVE(&a->values, &a->value_capacity, (size_t)columns * all, error));
    COR_TRY(COR_RESERVE(&a->columns, &a->column_capacity, columns, error));
    COR_TRY(COR_RESERVE(&a->start, &a->start_capacity, (size_t)task->block_count + all + 1, error));
    COR_TRY(COR_RESERVE(&a->members, &a->member_capacity, all, error));
    COR_ASSERT(!task->block_parent && task->block_start[task->block_count] <= all);
    for (uint32_t i = 0; i < all; i++)
        if (!session->absent[i]) {
            a->identity[there] = session->identity ? session->identity[i] : i;
            a->number[i] = there;
            a->agents[there++] = i;
        }
    for (uint32_t c = 0; c < columns; c++) {
        double *column = a->values + (size_t)c * there;
        for (uint32_t i = 0; i < there; i++)
            column[i] = task->values[c][a->agents[i]];
        a->columns[c] = column;
    }
    uint32_t members = task->block_start[task->block_count];
    memcpy(a->start, task->block_start, (task->block_count + (size_t)1) * sizeof *a->start);
    for (uint32_t m = 0; m < members; m++) {
        COR_ASSERT(!session->absent[task->members[m]]);
        a->members[m] = a->number[task->members[m]];
        a->number[task->members[m]] = COR_NO_BLOCK; /* is in one */
    }
    for (uint32_t i = 0; i < there; i++)
        if (a->number[a->agents[i]] != COR_NO_BLOCK) {
            a->members[members++] = i;
            a->start[++task->block_count] = members;
        }
    if (task->objective) {
        const uint32_t filters = task->objective->filter_count;
        COR_TRY(COR_RESERVE(&a->filters, &a->filter_capacity, (size_t)filters * there + 1, error));
        for (uint32_t f = 0; f < filters; f++)
            for (uint32_t i = 0; i < there; i++)
                a->filters[(size_t)f * there + i] = task->objective->filters[(size_t)f * all + a->agents[i]];
        a->objective = *task->objective;
        a->objective.filters = a->filters;
        task->objective = &a->objective;
    }
    task->agent_count = there;
    task->values = a->columns;
    task->block_start = a->start;
    task->members = a->members;
    return COR_OK;
}

/* The agent of all that is number `number` of `there`; of what there is not, an agent that there is not. */
static uint32_t agent_of(const struct cor_session *session, uint32_t number, uint32_t there, uint32_t all) {
    return number < there                           ? session->attendance.agents[number]
           : number - there <= UINT32_MAX - all - 1 ? all + (number - there)
                                                    : number;
}

static void give_agents(const struct cor_session *session, uint32_t there, uint32_t all,
                        struct cor_outcome *outcome) {
    for (size_t i = 0; i <= outcome->interim_count; i++) {
        struct cor_lists *lists =
            i < outcome->interim_count ? &outcome->interims[i].solution : &outcome->solution;
        for (uint32_t m = 0; m < lists->member_count; m++)
            lists->members[m] = agent_of(session, lists->members[m], there, all);
    }
    for (size_t i = 0; i < outcome->move_count; i++)
        outcome->moves[i].agent = agent_of(session, outcome->moves[i].agent, there, all);
}

enum cor_status cor_session_reorganize(struct cor_session *session, const struct cor_task *task,
                                       const struct cor_stream_name *name, struct cor_outcome *outcome,
                                       struct cor_error *error) {
    COR_ASSERT(task->rules->parameter_count == cor_algorithm_parameter_count(session->algorithm));
    COR_ASSERT(task->rules->fault <= cor_algorithm_fault_count(session->algorithm));
    COR_ASSERT(task->agent_count > 0 && task->rules->value_count > 0);
    COR_ASSERT(task->rules->organized < COR_STRUCTURE_ADOPTED);
    COR_ASSERT(!session->identity || session->identity[task->agent_count - 1] < session->identity_count);
    const uint64_t of =
        session->absent ? cor_hash_bytes(COR_HASH_SEED, session->absent, task->agent_count) : 0;
    const uint32_t *const identity = session->identity, identity_count = session->identity_count;
    struct cor_task own = *task;
    own.struct_size = (uint32_t)sizeof own;
    if (of != session->kept_of)
        session->kept.size = 0;
    session->kept_of = of;
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
    if (session->absent) {
        COR_TRY(attend(session, &own, error));
        COR_ASSERT(own.agent_count > 0);
        cor_session_identify(session, session->attendance.identity,
                             identity ? identity_count : task->agent_count);
    }
    const enum cor_status status = session->kind->reorganize(session, &own, name, outcome, error);
    if (session->absent) {
        cor_session_identify(session, identity, identity_count);
        give_agents(session, own.agent_count, task->agent_count, outcome);
    }
    COR_TRY(status);
    struct cor_course *course = session->watched;
    if (session->absent && course && course->identity == name->identity) {
        free(course->agents);
        COR_TRY(cor_made(course->agents = cor_calloc(own.agent_count, sizeof *course->agents), error));
        memcpy(course->agents, session->attendance.agents, own.agent_count * sizeof *course->agents);
    }
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
