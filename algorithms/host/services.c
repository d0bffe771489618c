/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What an algorithm may call: the functions behind struct cor_host. Each looks at the phase first, since the
 * algorithm is not trusted to keep to the tags in plugin.h. And the streams it draws from. */
#include <corridor/array.h>
#include <corridor/objective.h>

#include "local.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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
    return given(session, host__arena_resize(&session->arena, memory, old_bytes, bytes));
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

void host__services_offer(struct host__local *session) {
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
