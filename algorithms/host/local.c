/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "local.h"
#include "counted.h"

#include <corridor/array.h>
#include <corridor/objective.h>

#include <fenv.h>
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void services_offer(struct host__local *session);

#define ALIGNMENT ((size_t)16)
#define CHUNK_LEAST ((size_t)64 * 1024)

struct host__chunk {
    struct host__chunk *next; /* owned */
    size_t capacity, used;
    _Alignas(16) unsigned char bytes[];
};

void host__arena_init(struct host__arena *arena, size_t limit) {
    *arena = (struct host__arena){.limit = limit};
}

static void free_chunks(struct host__chunk *chunk) {
    while (chunk) {
        struct host__chunk *next = chunk->next;
        free(chunk);
        chunk = next;
    }
}

void host__arena_fini(struct host__arena *arena) {
    free_chunks(arena->first);
    host__arena_init(arena, arena->limit);
}

static struct host__chunk *new_chunk(size_t capacity) {
    if (capacity > SIZE_MAX - sizeof(struct host__chunk))
        return NULL;
    struct host__chunk *chunk = malloc(sizeof *chunk + capacity);
    if (chunk)
        *chunk = (struct host__chunk){.capacity = capacity};
    return chunk;
}

void host__arena_reset(struct host__arena *arena) {
    if (arena->first && arena->first->next) {
        /* Several chunks become one as large as all of them; where that cannot be had, they stay as they
         * are. */
        size_t capacity = 0;
        for (struct host__chunk *chunk = arena->first; chunk; chunk = chunk->next)
            capacity += chunk->capacity;
        struct host__chunk *whole = new_chunk(capacity);
        if (whole) {
            free_chunks(arena->first);
            arena->first = whole;
        }
    }
    for (struct host__chunk *chunk = arena->first; chunk; chunk = chunk->next)
        chunk->used = 0;
    arena->current = arena->first;
    arena->last = NULL;
    arena->charged = arena->last_bytes = 0;
    arena->exhausted = 0;
}

/* The next chunk that has room, made when there is none. */
static struct host__chunk *chunk_for(struct host__arena *arena, size_t bytes) {
    struct host__chunk *tail = arena->current;
    for (; tail; tail = tail->next) {
        if (tail->capacity - tail->used >= bytes)
            return tail;
        if (!tail->next)
            break;
    }
    size_t capacity = tail ? tail->capacity : CHUNK_LEAST;
    struct host__chunk *chunk = new_chunk(capacity > bytes ? capacity : bytes);
    if (!chunk)
        return NULL;
    if (tail)
        tail->next = chunk;
    else
        arena->first = chunk;
    return chunk;
}

/* Bytes of a chunk, or of the pages of who asks; NULL when there are no more. */
static unsigned char *place(struct host__arena *arena, size_t bytes) {
    if (arena->strict)
        return host__strict_take(arena->strict, bytes);
    struct host__chunk *chunk = chunk_for(arena, bytes);
    if (!chunk)
        return NULL;
    chunk->used += bytes;
    arena->current = chunk;
    return chunk->bytes + chunk->used - bytes;
}

/* Memory that is already charged: `keep` bytes copied from `from`, the rest zeroed. */
static void *take(struct host__arena *arena, size_t bytes, const void *from, size_t keep) {
    unsigned char *memory = place(arena, bytes);
    if (!memory) {
        arena->exhausted = 1;
        return NULL;
    }
    if (keep > 0)
        memcpy(memory, from, keep);
    memset(memory + keep, 0, bytes - keep);
    arena->last = memory;
    arena->last_bytes = bytes;
    return memory;
}

/* Rounds up to the alignment, at least one unit; 0 when that cannot be. */
static size_t rounded(size_t bytes) {
    if (bytes > SIZE_MAX - ALIGNMENT)
        return 0;
    return bytes > 0 ? (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT : ALIGNMENT;
}

void *host__arena_alloc(struct host__arena *arena, size_t bytes) {
    size_t whole = rounded(bytes);
    if (whole == 0 || !host__arena_charge(arena, whole))
        return NULL;
    return take(arena, whole, NULL, 0);
}

/* The newest allocation: in place when its chunk has room, else moved; the charge is the same either way. */
static void *grow_last(struct host__arena *arena, size_t keep, size_t whole) {
    if (whole > arena->last_bytes && !host__arena_charge(arena, whole - arena->last_bytes))
        return NULL;
    unsigned char *memory = arena->last;
    if (whole <= arena->last_bytes)
        return memory;
    size_t more = whole - arena->last_bytes;
    struct host__chunk *chunk = arena->current; /* NULL if strict */
    if (arena->strict || chunk->capacity - chunk->used < more)
        return take(arena, whole, memory, keep);
    chunk->used += more;
    arena->last_bytes = whole;
    memset(memory + keep, 0, whole - keep);
    return memory;
}

/* Keeps min(old_bytes, bytes) bytes, zeroes the rest. The newest allocation pays for what it grows by, any
 * other for its whole new size. NULL at the limit, and then `memory` stays as it was. */
static void *arena_resize(struct host__arena *arena, void *memory, size_t old_bytes, size_t bytes) {
    if (!memory)
        return host__arena_alloc(arena, bytes);
    size_t whole = rounded(bytes);
    if (whole == 0)
        return NULL;
    size_t keep = old_bytes < bytes ? old_bytes : bytes;
    if (memory == arena->last)
        return grow_last(arena, keep < arena->last_bytes ? keep : arena->last_bytes, whole);
    if (!host__arena_charge(arena, whole))
        return NULL;
    return take(arena, whole, memory, keep);
}

/* ---- counted */

uint32_t host__cells_count(const struct cor_algorithm *algorithm) {
    uint32_t count = HOST__GAP;
    for (uint32_t c = 0; c < cor_algorithm_counter_count(algorithm); c++)
        count += algorithm->counters[c].bucket_count + HOST__GAP;
    return count;
}

void host__cells_lay(const struct cor_algorithm *algorithm, uint32_t *start, uint32_t entries) {
    const uint32_t count = cor_algorithm_counter_count(algorithm);
    uint32_t at = HOST__GAP;
    for (uint32_t c = 0; c < entries; c++) {
        start[c] = c < count ? at : at - HOST__GAP;
        at += c < count ? algorithm->counters[c].bucket_count + HOST__GAP : 0;
    }
}

/* What was counted in a cell of a gap. */
static void say_beside(const struct cor_algorithm *algorithm, uint32_t cell, char *text, size_t size) {
    const uint32_t count = cor_algorithm_counter_count(algorithm);
    uint32_t c = 0, at = HOST__GAP;
    while (c + 1 < count && at + algorithm->counters[c].bucket_count + HOST__GAP <= cell)
        at += algorithm->counters[c++].bucket_count + HOST__GAP;
    if (count == 0)
        snprintf(text, size, "it counts, but declares no counters");
    else
        snprintf(text, size, "it counted bucket %d of counter \"%s\", which has %u",
                 (int)((int64_t)cell - at), algorithm->counters[c].name, algorithm->counters[c].bucket_count);
}

bool host__cells_fold(struct cor_session *session, uint64_t *cells, char *text, size_t size) {
    const struct cor_algorithm *algorithm = session->algorithm;
    const uint32_t count = cor_algorithm_counter_count(algorithm), all = host__cells_count(algorithm);
    bool can_be = true;
    uint32_t at = HOST__GAP;
    for (uint32_t c = 0; c < count; c++) {
        for (uint32_t b = 0; b < algorithm->counters[c].bucket_count; b++) {
            uint64_t *from = &cells[at + b];
            if (*from <= HOST__COUNT_MOST)
                host__count_add(&session->counters[session->counter_start[c] + b], *from);
            else if (can_be)
                snprintf(text, size, "it counted %" PRIu64 " in bucket %u of counter \"%s\", which cannot be",
                         *from, b, algorithm->counters[c].name);
            can_be = can_be && *from <= HOST__COUNT_MOST;
            *from = 0;
        }
        at += algorithm->counters[c].bucket_count + HOST__GAP;
    }
    for (uint32_t cell = 0; cell < all; cell++) {
        if (cells[cell] != 0 && can_be) {
            say_beside(algorithm, cell, text, size);
            can_be = false;
        }
        cells[cell] = 0;
    }
    return can_be;
}

/* What is wrong with the counts of a fault, in words. */
static void say_counts(const struct cor_fault_counts *fault, bool is_asked, char *text, size_t size) {
    snprintf(text, size,
             "%sreached %" PRIu64 " times, its condition held %" PRIu64 " times, activated %" PRIu64
             ", in the result %" PRIu64 "%s",
             is_asked ? "of its fault it counts: " : "it counts a fault (", fault->reached, fault->held,
             fault->activated, fault->in_result,
             is_asked ? "; each can be at most the one before, the last 1" : "), but none was asked for");
}

bool host__counts_judge(const struct cor_task *task, const struct cor_fault_counts *own,
                        struct cor_outcome *outcome, char *text, size_t size) {
    struct cor_fault_counts *fault = &outcome->fault;
    /* What is kept may descend from a corrupted state of the reorganization before. */
    const bool is_result_of_this = task->kept_size > 0 || fault->in_result <= fault->activated;
    const bool is_nested = fault->held <= fault->reached && fault->activated <= fault->held &&
                           fault->in_result <= 1 && is_result_of_this && fault->reached <= HOST__COUNT_MOST;
    const bool is_asked = task->rules->fault != 0 || !own || memcmp(fault, own, sizeof *own) == 0;
    const bool is_spent = outcome->spent <= HOST__COUNT_MOST;
    if (is_asked && is_nested && is_spent)
        return true;
    if (!is_asked || !is_nested) {
        say_counts(fault, is_asked, text, size);
        *fault = own && task->rules->fault == 0 ? *own : (struct cor_fault_counts){0};
    } else {
        snprintf(text, size, "it says that it used %" PRIu64 " units of its budget, which cannot be",
                 outcome->spent);
    }
    outcome->spent = is_spent ? outcome->spent : 0;
    return false;
}

/* ---- the life of a reorganization in this process: begin, then steps or rounds until the end, result,
 * adopt, end */

static struct host__local *local_of(struct cor_session *session) {
    return (struct host__local *)session;
}

static enum cor_status open_local(struct cor_session *session, struct cor_error *error) {
    struct host__local *local = local_of(session);
    host__arena_init(&local->arena, session->definition.memory_limit);
    COR_TRY(host__mail_init(&local->mail, &session->definition.mail, &local->arena, error));
    if (session->definition.strict)
        COR_TRY(host__strict_create(local, &local->strict, error));
    local->arena.strict = local->strict;
    const uint32_t starts = cor_algorithm_counter_count(session->algorithm) + HOST__GAP;
    local->cells = cor_calloc(host__cells_count(session->algorithm), sizeof *local->cells);
    COR_TRY(cor_made(local->cells, error));
    local->cell_start = cor_calloc(starts, sizeof *local->cell_start);
    COR_TRY(cor_made(local->cell_start, error));
    host__cells_lay(session->algorithm, local->cell_start, starts);
    services_offer(local);
    return COR_OK;
}

static void close_local(struct cor_session *session) {
    struct host__local *local = local_of(session);
    host__population_fini(&local->population);
    host__mail_fini(&local->mail);
    host__watch_fini(&local->watch);
    host__arena_fini(&local->arena);
    host__strict_destroy(local->strict);
    free(local->kept_next.bytes);
    free(local->seen);
    free(local->weighed);
    free(local->cells_are_lent ? NULL : local->cells);
    free(local->cell_start);
}

static void complain_of_draw(void *subject) {
    host__session_smoke(subject, COR_SMOKE_COMPLAINED,
                        "a handler drew from host->random instead of me->random");
}

static int begin(struct host__local *session) {
    if (!session->base.algorithm->begin)
        return 1;
    session->phase = HOST__BEGIN;
    enum cor_progress progress =
        session->base.algorithm->begin(session->state, session->lent_task, session->lent_host);
    if (session->strict && session->base.algorithm->wake)
        host__strict_settle(session);
    return host__session_alive(session, progress);
}

static enum cor_stop conclude(struct host__local *session, enum cor_stop stop) {
    session->phase = HOST__RESULT;
    enum cor_progress progress =
        session->base.algorithm->result(session->state, session->lent_task, session->lent_host);
    if (!host__session_alive(session, progress))
        return COR_STOP_FAILED;
    if (!session->base.algorithm->begin && progress == COR_STAGNATED)
        stop = COR_STOP_STAGNATED;
    if (!session->base.algorithm->adopt)
        return stop;
    session->phase = HOST__ADOPT;
    progress = session->base.algorithm->adopt(session->state, session->lent_task, session->lent_host);
    return host__session_alive(session, progress) ? stop : COR_STOP_FAILED;
}

/* The algorithm at work, from its states to its end. */
static enum cor_stop live(struct host__local *session) {
    /* The states of the algorithm and of its agents, zeroed; 0 at the limit. */
    session->state = NULL;
    if (session->base.algorithm->state_size > 0) {
        session->state = session->host.alloc(&session->host, session->base.algorithm->state_size);
        if (!session->state)
            return COR_STOP_FAILED;
    }
    if (session->base.algorithm->wake && !host__population_states(session))
        return COR_STOP_FAILED;
    enum cor_stop stop = COR_STOP_FAILED;
    if (begin(session))
        stop = host__session_run(session);
    if (stop != COR_STOP_FAILED)
        stop = conclude(session, stop);
    session->phase = HOST__END;
    if (session->base.algorithm->end)
        session->base.algorithm->end(session->state, session->lent_host);
    return stop;
}

/* What it counted goes to the session, and is judged with what else it says. */
static void judge_counts(struct host__local *session) {
    char text[sizeof session->outcome->complaint];
    if (!session->strict && !host__cells_fold(&session->base, session->cells, text, sizeof text))
        host__session_smoke(session, COR_SMOKE_COMPLAINED, text);
    if (!host__counts_judge(&session->task, &session->own, session->outcome, text, sizeof text))
        host__session_smoke(session, COR_SMOKE_GARBLED, text);
}

static enum cor_status reorganize(struct cor_session *base, const struct cor_task *task,
                                  const struct cor_stream_name *name, struct cor_outcome *outcome,
                                  struct cor_error *error) {
    struct host__local *session = local_of(base);
    session->error = error;
    /* Everything of the reorganization before is gone; what the algorithm will see is in place. */
    session->outcome = outcome;
    session->solution = &outcome->solution;
    session->host.spent = &outcome->spent;
    session->host.fault = &outcome->fault;
    session->status = COR_OK;
    session->is_over = 0;
    session->own = (struct cor_fault_counts){0};
    session->name = *name;
    session->task = *task;
    session->keeps_next = 0;
    host__arena_reset(&session->arena);
    COR_TRY(host__watch_begin(session, error));
    struct host__watch *watch = host__watch_is_on(&session->watch) ? &session->watch : NULL;
    session->mail.watch = watch;
    COR_TRY(host__mail_reset(&session->mail, &session->base.plan, &session->base.log, name, task->agent_count,
                             session->error));
    host__stream_init(&session->streams[COR_STREAM_ALGORITHM], &session->name, COR_PURPOSE_ALGORITHM, 0);
    host__stream_init(&session->streams[COR_STREAM_FAULT], &session->name, COR_PURPOSE_FAULT, 0);
    host__stream_init(&session->misuse, &session->name, COR_PURPOSE_ALGORITHM, UINT32_MAX);
    session->misuse.notice = complain_of_draw;
    session->misuse.subject = session;
    for (int i = 0; i < COR_STREAM_COUNT; i++) {
        session->streams[i].watch = watch;
        session->host.random[i] = &session->streams[i].view;
    }
    session->lent_task = &session->task;
    session->lent_host = &session->host;
    if (session->strict)
        COR_TRY(host__strict_prepare(session));
    COR_TRY(COR_RESERVE(&session->seen, &session->seen_capacity, task->agent_count, session->error));
    if (session->base.algorithm->wake)
        COR_TRY(host__population_prepare(session));
    enum cor_stop stop = session->strict ? host__strict_watch(session, live) : live(session);
    if (session->base.definition.origin)
        fesetenv(FE_DFL_ENV); /* a module may have left another behind */
    if (session->base.algorithm->wake && stop != COR_STOP_FAILED)
        outcome->spent = outcome->rounds; /* the host counts these itself */
    judge_counts(session);
    stop = outcome->smoke == COR_SMOKE_NONE ? stop : COR_STOP_FAILED;
    /* What was kept in a reorganization that failed is dropped. */
    if (session->keeps_next && stop != COR_STOP_FAILED) {
        struct host__kept before = session->base.kept;
        session->base.kept = session->kept_next;
        session->kept_next = before;
    }
    outcome->stop = stop;
    session->phase = HOST__IDLE;
    COR_TRY(session->status);
    return host__mail_conclude(&session->mail, error);
}

const struct host__session_kind host__local_kind = {
    .size = sizeof(struct host__local), .open = open_local, .close = close_local, .reorganize = reorganize};

/* ---- what an algorithm may call: the functions behind struct cor_host. Each looks at the phase first, since
 * the algorithm is not trusted to keep to the tags in plugin.h. And the streams it draws from */

static struct host__local *session_of(const struct cor_host *host) {
    return host->self;
}

void host__session_smoke(struct host__local *session, enum cor_smoke smoke, const char *text) {
    struct cor_outcome *outcome = session->outcome;
    session->is_over = 1;
    if (outcome->smoke != COR_SMOKE_NONE)
        return;
    outcome->smoke = smoke;
    if (text && outcome->complaint[0] == '\0')
        snprintf(outcome->complaint, sizeof outcome->complaint, "%s", text);
}

void host__session_trouble(struct host__local *session, enum cor_status status) {
    session->is_over = 1;
    if (session->status == COR_OK)
        session->status = status;
}

int host__session_alive(struct host__local *session, enum cor_progress progress) {
    if (progress < COR_CONTINUE)
        host__session_smoke(session, COR_SMOKE_COMPLAINED, NULL);
    else if (progress > COR_STAGNATED)
        host__session_smoke(session, COR_SMOKE_COMPLAINED,
                            "a function returned what is no enum cor_progress");
    return !session->is_over;
}

/* NULL: was it the limit, which is a verdict, or the machine? */
static void *given(struct host__local *session, void *memory) {
    if (memory)
        return memory;
    if (session->arena.exhausted)
        host__session_trouble(session, cor_fail_memory(session->error));
    else
        host__session_smoke(session, COR_SMOKE_MEMORY, NULL);
    return NULL;
}

static void *alloc(const struct cor_host *host, size_t bytes) {
    struct host__local *session = session_of(host);
    return given(session, host__arena_alloc(&session->arena, bytes));
}

static void *resize(const struct cor_host *host, void *memory, size_t old_bytes, size_t bytes) {
    struct host__local *session = session_of(host);
    return given(session, arena_resize(&session->arena, memory, old_bytes, bytes));
}

static int put_block(const struct cor_host *host, const uint32_t *members, size_t count) {
    struct host__local *session = session_of(host);
    struct cor_lists *solution = session->solution;
    if (session->phase != HOST__RESULT && session->phase != HOST__INTERIM)
        return 0;
    size_t most = host__absurd(session->task.agent_count);
    if (count >= most || solution->member_count + count >= most ||
        solution->block_count + (size_t)1 >= most) {
        host__session_smoke(session, COR_SMOKE_OVERFLOW, NULL);
        return 0;
    }
    enum cor_status status = cor_lists_put(solution, members, count, session->error);
    if (status != COR_OK)
        host__session_trouble(session, status);
    return status == COR_OK;
}

static int hang(const struct cor_host *host, uint32_t block, uint32_t parent) {
    struct host__local *session = session_of(host);
    struct cor_lists *solution = session->solution;
    if ((session->phase != HOST__RESULT && session->phase != HOST__INTERIM) || block >= solution->block_count)
        return 0;
    enum cor_status status = cor_lists_hang(solution, block, parent, session->error);
    if (status != COR_OK)
        host__session_trouble(session, status);
    return status == COR_OK;
}

static int move(const struct cor_host *host, uint32_t agent, uint32_t block) {
    struct host__local *session = session_of(host);
    struct cor_outcome *outcome = session->outcome;
    if (session->phase != HOST__ADOPT || agent >= session->task.agent_count ||
        block >= outcome->solution.block_count)
        return 0;
    if (outcome->move_count + 1 >= host__absurd(session->task.agent_count)) {
        host__session_smoke(session, COR_SMOKE_OVERFLOW, NULL);
        return 0;
    }
    enum cor_status status =
        COR_RESERVE(&outcome->moves, &outcome->move_capacity, outcome->move_count + 1, session->error);
    if (status != COR_OK) {
        host__session_trouble(session, status);
        return 0;
    }
    outcome->moves[outcome->move_count++] = (struct cor_move){agent, block};
    return 1;
}

/* Mean of column 0 minus `centre`: differences keep the digits that means of raw values lose. */
static double mean(const double *values, const uint32_t *members, uint32_t count, double centre) {
    double sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += values[members[i]] - centre;
    return sum / count;
}

/* The dissimilarity of blocks whose mean values, less the mean of all, lie so. */
static double dissimilarity(enum cor_measure measure, double least, double most, double squares,
                            uint32_t count) {
    switch (measure) {
    case COR_MEASURE_RANGE:
        return most - least;
    case COR_MEASURE_MAX_DEVIATION:
        return most > -least ? most : -least;
    case COR_MEASURE_RMS:
        return sqrt(squares / count);
    }
    return (double)NAN;
}

/* The same where the structure is no partitioning: of the blocks that have members. */
static double cost_of_lists(enum cor_measure measure, const struct cor_task *task, uint32_t block_count,
                            const uint32_t *block_start, const uint32_t *members) {
    double centre = 0, least = INFINITY, most = -INFINITY, squares = 0;
    uint32_t counted = 0;
    for (uint32_t b = 0; b < block_count; b++)
        for (uint32_t i = block_start[b]; i < block_start[b + 1]; i++)
            if (members[i] >= task->agent_count)
                return (double)NAN;
    for (uint32_t i = 0; i < task->agent_count; i++)
        centre += task->values[0][i] / task->agent_count;
    for (uint32_t b = 0; b < block_count; b++) {
        if (block_start[b] >= block_start[b + 1])
            continue;
        double mu =
            mean(task->values[0], members + block_start[b], block_start[b + 1] - block_start[b], centre);
        least = mu < least ? mu : least;
        most = mu > most ? mu : most;
        squares += mu * mu;
        counted++;
    }
    return counted > 0 ? dissimilarity(measure, least, most, squares, counted) : (double)NAN;
}

/* Every agent once, no block empty. `seen` has task->agent_count entries of scratch. */
static int is_partitioning(const struct cor_task *task, uint32_t block_count, const uint32_t *block_start,
                           const uint32_t *members, uint32_t *seen) {
    uint32_t n = task->agent_count;
    if (block_count == 0 || block_count > n || block_start[0] != 0 || block_start[block_count] != n)
        return 0;
    for (uint32_t b = 0; b < block_count; b++)
        if (block_start[b] >= block_start[b + 1])
            return 0;
    memset(seen, 0, n * sizeof *seen);
    for (uint32_t i = 0; i < n; i++) {
        if (members[i] >= n || seen[members[i]])
            return 0;
        seen[members[i]] = 1;
    }
    return 1;
}

/* The experiment's cost of a candidate, for algorithms that ask: the dissimilarity of the block means of
 * column 0, NaN if the blocks are no partitioning of all agents. The oracle has a measure of its own and does
 * not share this one: an algorithm that is misled here is found out there. */
static double cost_of(enum cor_measure measure, const struct cor_task *task, uint32_t block_count,
                      const uint32_t *block_start, const uint32_t *members, uint32_t *seen) {
    if (task->rules->organized != COR_PARTITIONING)
        return cost_of_lists(measure, task, block_count, block_start, members);
    if (!is_partitioning(task, block_count, block_start, members, seen))
        return (double)NAN;
    double centre = mean(task->values[0], task->members, task->agent_count, 0);
    double least = INFINITY, most = -INFINITY, squares = 0;
    for (uint32_t b = 0; b < block_count; b++) {
        double mu =
            mean(task->values[0], members + block_start[b], block_start[b + 1] - block_start[b], centre);
        least = mu < least ? mu : least;
        most = mu > most ? mu : most;
        squares += mu * mu;
    }
    return dissimilarity(measure, least, most, squares, block_count);
}

/* The number of the task's objective. */
static double objective_of(struct host__local *session, uint32_t block_count, const uint32_t *block_start,
                           const uint32_t *members) {
    const struct cor_task *task = &session->task;
    if (task->rules->organized == COR_PARTITIONING &&
        !is_partitioning(task, block_count, block_start, members, session->seen))
        return (double)NAN;
    for (uint32_t b = 0; b < block_count; b++) {
        if (block_start[b] > block_start[b + 1])
            return (double)NAN;
        for (uint32_t i = block_start[b]; i < block_start[b + 1]; i++)
            if (members[i] >= task->agent_count)
                return (double)NAN;
    }
    const size_t bytes = cor_objective_bytes(task->objective, block_count, block_count),
                 before = ((size_t)block_count * sizeof(uint32_t) + 7) / 8 * 8;
    enum cor_status status =
        COR_RESERVE(&session->weighed, &session->weighed_capacity, before + bytes, session->error);
    if (status != COR_OK) {
        host__session_trouble(session, status);
        return (double)NAN;
    }
    struct cor_objective_work work;
    uint32_t *slots = (void *)session->weighed;
    cor_objective_begin(&work, task, block_count, block_count, session->weighed + before);
    for (uint32_t b = 0; b < block_count; b++) {
        cor_objective_measure(&work, b, members + block_start[b], block_start[b + 1] - block_start[b]);
        slots[b] = b;
    }
    return cor_objective_total(&work, slots, block_count);
}

static double cost(const struct cor_host *host, uint32_t block_count, const uint32_t *block_start,
                   const uint32_t *members) {
    struct host__local *session = session_of(host);
    enum host__phase phase = session->phase;
    if (phase != HOST__BEGIN && phase != HOST__STEP && phase != HOST__RESULT && phase != HOST__INTERIM)
        return (double)NAN;
    if (session->task.objective)
        return objective_of(session, block_count, block_start, members);
    return cost_of(session->base.definition.measure, &session->task, block_count, block_start, members,
                   session->seen);
}

static int keep(const struct cor_host *host, const void *bytes, uint32_t size) {
    struct host__local *session = session_of(host);
    struct host__kept *next = &session->kept_next;
    if (!(session->base.algorithm->capabilities & COR_KEEPS) || session->phase == HOST__HANDLER ||
        size > HOST__KEPT_MOST)
        return 0;
    if (session->phase == HOST__INTERIM)
        return 1; /* a look changes nothing */
    enum cor_status status = COR_RESERVE(&next->bytes, &next->capacity, size, session->error);
    if (status != COR_OK) {
        host__session_trouble(session, status);
        return 0;
    }
    if (size > 0)
        memcpy(next->bytes, bytes, size);
    next->size = size;
    session->keeps_next = 1;
    return 1;
}

static const struct cor_agent *agent(const struct cor_host *host, uint32_t index) {
    struct host__local *session = session_of(host);
    if (!session->base.algorithm->wake || session->phase == HOST__HANDLER ||
        index >= session->task.agent_count)
        return NULL;
    return host__session_agent(session, index);
}

static int send(const struct cor_host *host, uint32_t to, uint32_t kind, const void *payload, uint32_t size) {
    struct host__local *session = session_of(host);
    if (session->phase != HOST__HANDLER)
        return 0;
    struct host__letter letter = {.to = to, .from = session->sender, .kind = kind, .size = size};
    switch (host__mail_post(&session->mail, &letter, payload)) {
    case HOST__POSTED:
        return 1;
    case HOST__POST_NOBODY:
        return 0;
    case HOST__POST_LIMIT:
        host__session_smoke(session, COR_SMOKE_MEMORY, NULL);
        return 0;
    case HOST__POST_MEMORY:
        host__session_trouble(session, cor_fail_memory(session->error));
        return 0;
    }
    return 0;
}

static void complain(const struct cor_host *host, const char *text) {
    struct cor_outcome *outcome = session_of(host)->outcome;
    if (outcome->complaint[0] == '\0')
        snprintf(outcome->complaint, sizeof outcome->complaint, "%s", text);
}

/* local.c: fills session->host. */
static void services_offer(struct host__local *session) {
    session->host = (struct cor_host){
        .struct_size = (uint32_t)sizeof session->host,
        .minor = COR_PLUGIN_MINOR,
        .self = session,
        .alloc = alloc,
        .resize = resize,
        .put_block = put_block,
        .move = move,
        .cost = cost,
        .keep = keep,
        .agent = agent,
        .send = send,
        .complain = complain,
        .counters = session->cells,
        .counter_start = session->cell_start,
        .hang = hang,
    };
}

/* Drawing one word makes several, up to the end of the buffer; the view then gives them, that one included,
 * without coming back here. */
static void refill(struct cor_random *random) {
    struct host__stream *stream = (struct host__stream *)random;
    if (!stream->started) {
        struct cor_stream_name name = *stream->name;
        name.purpose = stream->purpose;
        name.entity = stream->entity;
        stream->rng = cor_rng_named(&name);
        stream->started = 1;
    }
    if (stream->notice)
        stream->notice(stream->subject);
    if (stream->watch) {
        stream->word = host__watch_draw(stream->watch, stream);
        random->next = &stream->word;
        random->end = random->next + 1;
        return;
    }
    (void)cor_rng_word(&stream->rng);
    random->next = stream->rng.word + stream->rng.used - 1;
    stream->rng.used = COR_RNG_BUFFER;
    random->end = stream->rng.word + COR_RNG_BUFFER;
}

void host__stream_init(struct host__stream *stream, const struct cor_stream_name *name,
                       enum cor_purpose purpose, uint32_t entity) {
    /* Not the whole struct: the buffer need not be touched before the first draw. */
    stream->view = (struct cor_random){.refill = refill};
    stream->name = name;
    stream->purpose = purpose;
    stream->entity = entity;
    stream->started = 0;
    stream->notice = NULL;
    stream->subject = NULL;
    stream->watch = NULL;
    stream->index = 0;
}

struct host__stream_mark host__stream_mark(const struct host__stream *stream) {
    struct host__stream_mark mark = {.started = stream->started, .index = stream->index};
    if (stream->started) {
        mark.rng = stream->rng;
        mark.left = (size_t)(stream->view.end - stream->view.next);
    }
    return mark;
}

void host__stream_return(struct host__stream *stream, const struct host__stream_mark *mark) {
    stream->started = mark->started;
    stream->index = mark->index;
    stream->view.next = stream->view.end = NULL;
    if (!mark->started)
        return;
    stream->rng = mark->rng;
    stream->view.end = stream->rng.word + COR_RNG_BUFFER;
    stream->view.next = stream->view.end - mark->left;
}
