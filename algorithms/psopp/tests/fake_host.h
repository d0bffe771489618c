/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A small host for tests of algorithms: a second implementation of the contract in plugin.h, independent of
 * algorithms/host. Runs one-shot and centralised algorithms. Memory comes straight from calloc, so that
 * sanitizers see every block; `allocations_left` makes the n-th allocation fail. */
#ifndef CORRIDOR_ALGORITHMS_PSOPP_TESTS_FAKE_HOST_H
#define CORRIDOR_ALGORITHMS_PSOPP_TESTS_FAKE_HOST_H

#include <corridor/array.h>
#include <corridor/lists.h>
#include <corridor/plugin.h>
#include <corridor/rng.h>

#include <stdlib.h>
#include <string.h>

struct fake_stream {
    struct cor_random random; /* first: refill finds the stream by it */
    struct cor_rng rng;
    uint64_t words[32];
};

struct fake_host {
    struct cor_host host;
    struct fake_stream streams[COR_STREAM_COUNT];
    struct cor_lists solution;
    struct cor_fault_counts fault;
    uint64_t spent, allocations_left;
    uint64_t counters[256];
    uint32_t counter_start[64];
    void **memory; /* owned, each item too */
    size_t memory_count, memory_capacity;
    char complaint[256];
};

/* A task over arrays of the caller. */
struct fake_task {
    struct cor_task task;
    struct cor_rules rules;
    const double *columns[1];
    double parameters[32];
};

static inline void fake_refill(struct cor_random *random) {
    struct fake_stream *stream = (struct fake_stream *)(void *)random;
    for (size_t i = 0; i < 32; i++)
        stream->words[i] = cor_rng_word(&stream->rng);
    random->next = stream->words;
    random->end = stream->words + 32;
}

static inline void *fake_alloc(const struct cor_host *host, size_t bytes) {
    struct fake_host *fake = host->self;
    if (fake->allocations_left == 0)
        return NULL;
    fake->allocations_left--;
    if (COR_RESERVE(&fake->memory, &fake->memory_capacity, fake->memory_count + 1, NULL) != COR_OK)
        return NULL;
    void *memory = cor_calloc(1, bytes);
    if (memory)
        fake->memory[fake->memory_count++] = memory;
    return memory;
}

static inline void *fake_resize(const struct cor_host *host, void *memory, size_t old_bytes, size_t bytes) {
    void *larger = fake_alloc(host, bytes);
    if (larger && memory)
        memcpy(larger, memory, old_bytes < bytes ? old_bytes : bytes);
    return larger;
}

static inline int fake_put_block(const struct cor_host *host, const uint32_t *members, size_t count) {
    struct fake_host *fake = host->self;
    return cor_lists_put(&fake->solution, members, count, NULL) == COR_OK;
}

static inline void fake_complain(const struct cor_host *host, const char *text) {
    struct fake_host *fake = host->self;
    strncpy(fake->complaint, text, sizeof fake->complaint - 1);
}

/* A host at the beginning of the reorganization that `seed` names. */
static inline void fake_init(struct fake_host *fake, const struct cor_algorithm *algorithm, uint64_t seed) {
    static const enum cor_purpose purposes[COR_STREAM_COUNT] = {COR_PURPOSE_ALGORITHM, COR_PURPOSE_FAULT};
    memset(fake, 0, sizeof *fake);
    cor_lists_init(&fake->solution);
    fake->allocations_left = UINT64_MAX;
    for (int s = 0; s < COR_STREAM_COUNT; s++) {
        struct cor_stream_name name = {.seed = seed, .purpose = purposes[s]};
        fake->streams[s].rng = cor_rng_named(&name);
        fake->streams[s].random.refill = fake_refill;
        fake->host.random[s] = &fake->streams[s].random;
    }
    for (uint32_t c = 0; algorithm->counters && algorithm->counters[c].name; c++)
        fake->counter_start[c + 1] = fake->counter_start[c] + algorithm->counters[c].bucket_count;
    fake->host.struct_size = sizeof fake->host;
    fake->host.self = fake;
    fake->host.alloc = fake_alloc;
    fake->host.resize = fake_resize;
    fake->host.put_block = fake_put_block;
    fake->host.complain = fake_complain;
    fake->host.spent = &fake->spent;
    fake->host.fault = &fake->fault;
    fake->host.counters = fake->counters;
    fake->host.counter_start = fake->counter_start;
}

static inline void fake_fini(struct fake_host *fake) {
    for (size_t i = 0; i < fake->memory_count; i++)
        free(fake->memory[i]);
    free(fake->memory);
    cor_lists_fini(&fake->solution);
}

/* A task with the algorithm's default parameters, all agents in one block and no limits. */
static inline void fake_task_init(struct fake_task *fake, const struct cor_algorithm *algorithm,
                                  uint32_t agent_count, const double *values, const uint32_t *members,
                                  uint32_t *whole) {
    memset(fake, 0, sizeof *fake);
    whole[0] = 0;
    whole[1] = agent_count;
    fake->columns[0] = values;
    fake->rules = (struct cor_rules){.struct_size = sizeof fake->rules,
                                     .value_count = 1,
                                     .size_min = 1,
                                     .size_max = COR_NO_LIMIT,
                                     .count_min = 1,
                                     .count_max = COR_NO_LIMIT,
                                     .parameters = fake->parameters};
    for (uint32_t p = 0; algorithm->parameters && algorithm->parameters[p].name; p++)
        fake->parameters[fake->rules.parameter_count++] = algorithm->parameters[p].value;
    fake->task = (struct cor_task){.struct_size = sizeof fake->task,
                                   .agent_count = agent_count,
                                   .rules = &fake->rules,
                                   .values = fake->columns,
                                   .block_count = 1,
                                   .block_start = whole,
                                   .members = members};
}

/* One reorganization: the solution is in fake->solution. `units` is the size of a step; rules->budget the
 * total. */
static inline enum cor_progress fake_run(struct fake_host *fake, const struct cor_algorithm *algorithm,
                                         const struct fake_task *task, uint64_t units) {
    void *state = algorithm->state_size > 0 ? fake_alloc(&fake->host, algorithm->state_size) : NULL;
    if (algorithm->state_size > 0 && !state)
        return COR_FAILED;
    enum cor_progress progress =
        algorithm->begin ? algorithm->begin(state, &task->task, &fake->host) : COR_DONE;
    while (progress == COR_CONTINUE && fake->spent < task->rules.budget) {
        uint64_t left = task->rules.budget - fake->spent;
        progress = algorithm->step(state, &task->task, &fake->host, units < left ? units : left);
    }
    if (progress != COR_FAILED)
        progress = algorithm->result(state, &task->task, &fake->host);
    return progress;
}

#endif
