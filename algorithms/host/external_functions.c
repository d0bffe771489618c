/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The functions of an algorithm that is a program: each is a request, and reads the members of its answer. */
#include "external.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

/* The members of answers. What a program says that it must not is an error of the line; what the testbed
 * refuses ends the reorganization, and then nothing else of the line is read. */

static enum cor_status over(void) {
    return COR_STATUS_INPUT; /* the outcome says why */
}

static enum cor_status read_failed(const struct cor_json *json, void *into, struct cor_error *error) {
    const struct host__answer *answer = into;
    const char *why;
    COR_TRY(cor_json_string(json, &why, error));
    host__session_smoke(&host__external_session(answer->host)->local, COR_SMOKE_COMPLAINED, why);
    return over();
}

static enum cor_status read_spent(const struct cor_json *json, void *into, struct cor_error *error) {
    const struct host__answer *answer = into;
    int64_t units = 0;
    COR_TRY(cor_json_integer(json, 0, INT64_MAX, &units, error));
    host__count_add(answer->host->spent, (uint64_t)units);
    return COR_OK;
}

static enum cor_status read_kept(const struct cor_json *json, void *into, struct cor_error *error) {
    const struct host__answer *answer = into;
    struct host__external_session *session = host__external_session(answer->host);
    if (!(session->local.base.algorithm->capabilities & COR_KEEPS))
        return cor_json_fail(json, error, NULL, "its hello does not declare that it keeps anything");
    char *text = cor_json_text(json);
    COR_TRY(cor_made(text, error));
    size_t size = strlen(text);
    int kept = size <= HOST__KEPT_MOST && answer->host->keep(answer->host, text, (uint32_t)size);
    free(text);
    if (kept || session->local.is_over)
        return kept ? COR_OK : over();
    return cor_json_fail(json, error, NULL, "it keeps more than %u bytes", HOST__KEPT_MOST);
}

static enum cor_status add_to(const struct cor_json *json, uint64_t *cell, struct cor_error *error) {
    int64_t count = 0;
    COR_TRY(cor_json_integer(json, 0, INT64_MAX, &count, error));
    host__count_add(cell, (uint64_t)count);
    return COR_OK;
}

/* {NAME: count}, or an array with the count of each bucket. */
static enum cor_status read_counters(const struct cor_json *json, void *into, struct cor_error *error) {
    const struct cor_host *host = ((const struct host__answer *)into)->host;
    const struct cor_algorithm *algorithm = host__ask_algorithm(host);
    COR_TRY(cor_json_expect_object(json, NULL, error));
    for (size_t i = 0; i < cor_json_size(json); i++) {
        struct cor_json item = cor_json_at(json, i);
        uint32_t counter = 0;
        while (algorithm->counters && algorithm->counters[counter].name &&
               strcmp(algorithm->counters[counter].name, item.key) != 0)
            counter++;
        if (!algorithm->counters || !algorithm->counters[counter].name)
            return cor_json_fail(&item, error, NULL, "its hello declares no counter \"%s\"", item.key);
        uint64_t *cells = host->counters + host->counter_start[counter];
        if (cor_json_is_integer(&item)) {
            COR_TRY(add_to(&item, cells, error));
            continue;
        }
        uint32_t buckets = algorithm->counters[counter].bucket_count;
        COR_TRY(cor_json_expect_array(&item, buckets, buckets, error));
        for (uint32_t b = 0; b < buckets; b++) {
            struct cor_json bucket = cor_json_at(&item, b);
            COR_TRY(add_to(&bucket, cells + b, error));
        }
    }
    return COR_OK;
}

struct fault {
    uint64_t reached, held, activated;
    bool in_result;
};

static const struct cor_field fault_fields[] = {
    {"reached", COR_OPTIONAL, COR_INTEGER_FIELD(struct fault, reached, 0, INT64_MAX)},
    {"held", COR_OPTIONAL, COR_INTEGER_FIELD(struct fault, held, 0, INT64_MAX)},
    {"activated", COR_OPTIONAL, COR_INTEGER_FIELD(struct fault, activated, 0, INT64_MAX)},
    {"in_result", COR_OPTIONAL, COR_BOOL_FIELD(struct fault, in_result)},
    {0}};

static enum cor_status read_fault(const struct cor_json *json, void *into, struct cor_error *error) {
    const struct cor_host *host = ((const struct host__answer *)into)->host;
    struct fault fault = {0};
    COR_TRY(cor_json_fields(json, fault_fields, &fault, error));
    host__count_add(&host->fault->reached, fault.reached);
    host__count_add(&host->fault->held, fault.held);
    host__count_add(&host->fault->activated, fault.activated);
    host->fault->in_result |= fault.in_result;
    return COR_OK;
}

const struct cor_field host__answer_fields[] = {{"id", COR_REQUIRED, COR_KNOWN_FIELD},
                                                {"failed", COR_OPTIONAL, COR_READ_FIELD(read_failed)},
                                                {"spent", COR_OPTIONAL, COR_READ_FIELD(read_spent)},
                                                {"kept", COR_OPTIONAL, COR_READ_FIELD(read_kept)},
                                                {"counters", COR_OPTIONAL, COR_READ_FIELD(read_counters)},
                                                {"fault", COR_OPTIONAL, COR_READ_FIELD(read_fault)},
                                                {0}};

static const char *const progresses[] = {"continue", "done", "stagnated", NULL};

struct solution {
    struct host__answer answer; /* first */
    int progress;
    uint32_t *members; /* owned; of one block */
    size_t capacity;
};

/* Agents that there are not are for the oracle to see; what is no number of an agent is no block. */
static enum cor_status read_block(const struct cor_json *json, struct solution *solution,
                                  struct cor_error *error) {
    const struct cor_host *host = solution->answer.host;
    COR_TRY(cor_json_expect_array(json, 0, SIZE_MAX, error));
    size_t count = cor_json_size(json);
    COR_TRY(COR_RESERVE(&solution->members, &solution->capacity, count, error));
    for (size_t i = 0; i < count; i++) {
        struct cor_json item = cor_json_at(json, i);
        int64_t agent = 0;
        COR_TRY(cor_json_integer(&item, 0, UINT32_MAX, &agent, error));
        solution->members[i] = (uint32_t)agent;
    }
    return host->put_block(host, solution->members, count) ? COR_OK : over();
}

static enum cor_status read_blocks(const struct cor_json *json, void *into, struct cor_error *error) {
    COR_TRY(cor_json_expect_array(json, 0, SIZE_MAX, error));
    for (size_t i = 0; i < cor_json_size(json); i++) {
        struct cor_json block = cor_json_at(json, i);
        COR_TRY(read_block(&block, into, error));
    }
    return COR_OK;
}

/* One for each block, null: none. */
static enum cor_status read_parents(const struct cor_json *json, void *into, struct cor_error *error) {
    const struct cor_host *host = ((const struct host__answer *)into)->host;
    const uint32_t count = host__external_session(host)->local.solution->block_count;
    COR_TRY(cor_json_expect_array(json, count, count, error));
    for (uint32_t b = 0; b < count; b++) {
        struct cor_json item = cor_json_at(json, b);
        int64_t parent = 0;
        if (cor_json_is_null(&item))
            continue;
        COR_TRY(cor_json_integer(&item, 0, UINT32_MAX - 1, &parent, error));
        if (!host->hang(host, b, (uint32_t)parent))
            return over();
    }
    return COR_OK;
}

static enum cor_status expect_moves(const struct cor_json *json, void *into, struct cor_error *error) {
    const struct cor_host *host = ((const struct host__answer *)into)->host;
    if (host__ask_algorithm(host)->adopt)
        return cor_json_expect_array(json, 0, SIZE_MAX, error);
    return cor_json_fail(json, error, NULL, "its hello does not declare moves");
}

static const struct cor_field solution_fields[] = {
    COR_ROWS_OF(host__answer_fields),
    {"progress", COR_OPTIONAL, COR_ONE_OF_FIELD(struct solution, progress, progresses, 0, "progress")},
    {"blocks", COR_REQUIRED, COR_READ_FIELD(read_blocks)},
    {"parents", COR_OPTIONAL, COR_READ_FIELD(read_parents)},
    {"moves", COR_OPTIONAL, COR_READ_FIELD(expect_moves)}, /* they are read when it is time for them */
    {0}};

enum cor_progress host__ask_solution(const struct cor_host *host) {
    struct solution solution = {.progress = 1};
    int answered = host__ask(host, solution_fields, &solution);
    free(solution.members);
    return answered ? (enum cor_progress)solution.progress : COR_FAILED;
}

/* One-shot: the task in, the solution out. */
static enum cor_progress solve(void *state, const struct cor_task *task, const struct cor_host *host) {
    (void)state;
    struct cor_bytes *request = host__ask_begin(host, "task");
    host__request_task(request, task, host__ask_algorithm(host), host);
    return host__ask_solution(host);
}

static enum cor_progress begin(void *state, const struct cor_task *task, const struct cor_host *host) {
    struct host__answer answer;
    (void)state;
    struct cor_bytes *request = host__ask_begin(host, "begin");
    host__request_task(request, task, host__ask_algorithm(host), host);
    return host__ask(host, host__answer_fields, &answer) ? COR_CONTINUE : COR_FAILED;
}

struct step {
    struct host__answer answer; /* first */
    int progress;
};

static const struct cor_field step_fields[] = {
    COR_ROWS_OF(host__answer_fields),
    {"progress", COR_REQUIRED, COR_ONE_OF_FIELD(struct step, progress, progresses, 0, "progress")},
    {0}};

static enum cor_progress step(void *state, const struct cor_task *task, const struct cor_host *host,
                              uint64_t units) {
    struct step answer;
    (void)state;
    (void)task;
    struct cor_bytes *request = host__ask_begin(host, "step");
    host__line_put(request, "{\"units\":");
    host__line_integer(request, units);
    host__line_put(request, "}");
    return host__ask(host, step_fields, &answer) ? (enum cor_progress)answer.progress : COR_FAILED;
}

static enum cor_progress result(void *state, const struct cor_task *task, const struct cor_host *host) {
    (void)state;
    (void)task;
    struct cor_bytes *request = host__ask_begin(host, "result");
    host__line_put(request, "{}");
    return host__ask_solution(host);
}

/* The moves of the answer that gave the solution; a move that is refused is none. */
static enum cor_status read_moves(const struct host__external_session *session, struct cor_error *error) {
    const struct cor_host *host = &session->local.host;
    struct cor_json root = cor_json_root(session->talk.answer), moves;
    if (!cor_json_find(&root, "moves", &moves))
        return COR_OK;
    for (size_t i = 0; i < cor_json_size(&moves) && !session->local.is_over; i++) {
        struct cor_json move = cor_json_at(&moves, i);
        int64_t pair[2] = {0};
        COR_TRY(cor_json_expect_array(&move, 2, 2, error));
        for (size_t k = 0; k < 2; k++) {
            struct cor_json item = cor_json_at(&move, k);
            COR_TRY(cor_json_integer(&item, 0, UINT32_MAX, &pair[k], error));
        }
        (void)host->move(host, (uint32_t)pair[0], (uint32_t)pair[1]);
    }
    return COR_OK;
}

static enum cor_progress adopt(void *state, const struct cor_task *task, const struct cor_host *host) {
    struct host__external_session *session = host__external_session(host);
    struct cor_error said = COR_NO_ERROR;
    (void)state;
    (void)task;
    enum cor_status status = read_moves(session, &said);
    if (status == COR_OK)
        return COR_DONE;
    (void)host__ask_refuse(session, status, &said);
    return COR_FAILED;
}

void host__external_shape(struct cor_algorithm *algorithm, enum host__external_shape shape, bool has_moves,
                          bool restarts) {
    algorithm->result = shape == HOST__ONE_SHOT ? solve : result;
    algorithm->begin = shape == HOST__ONE_SHOT ? NULL : begin;
    algorithm->step = shape == HOST__CENTRALISED ? step : NULL;
    algorithm->adopt = has_moves ? adopt : NULL;
    if (shape == HOST__DECENTRALISED)
        host__external_agents(algorithm, restarts);
}

const struct host__external *host__external_of(const struct cor_algorithm *algorithm) {
    bool is_program =
        algorithm->result == solve || algorithm->result == result || host__external_is_of_agents(algorithm);
    return is_program ? (const struct host__external *)algorithm : NULL;
}
