/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#define _GNU_SOURCE     /* REG_ERR */

#include "strict.h"
#include "local.h"
#include "session.h"

#include <corridor/array.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>
static void strict_describe(const struct host__strict *strict, char *text, size_t size);
static void strict_fold(struct host__strict *strict);
static void run_allow(const struct host__run *run, enum host__access access);
static void pages_close(const struct host__pages *pages);

#define SEGMENT_LEAST ((size_t)1 << 20)

static size_t whole_pages(size_t bytes) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    return bytes > 0 ? (bytes + page - 1) / page * page : page;
}

/* Nothing, no memory. */
static void pages_init(struct host__pages *pages) {
    *pages = (struct host__pages){0};
}

/* The segment that has room; runs are made in the order of segments, so that they can be searched. */
static struct host__segment *segment_for(struct host__pages *pages, size_t bytes) {
    while (pages->segment_now < pages->segment_count) {
        struct host__segment *segment = &pages->segments[pages->segment_now];
        if (segment->used == 0)
            segment->first_run = pages->run_count;
        if (segment->bytes - segment->used >= bytes)
            return segment;
        pages->segment_now++;
    }
    size_t twice = pages->segment_count > 0 ? 2 * pages->segments[pages->segment_count - 1].bytes : 0;
    size_t size = twice > SEGMENT_LEAST ? twice : SEGMENT_LEAST;
    size = size > bytes ? size : whole_pages(bytes);
    if (COR_RESERVE(&pages->segments, &pages->segment_capacity, (size_t)pages->segment_count + 1, NULL) !=
        COR_OK)
        return NULL;
    void *start = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (start == MAP_FAILED)
        return NULL;
    pages->segments[pages->segment_count++] = (struct host__segment){.start = start, .bytes = size};
    pages->segments[pages->segment_now].first_run = pages->run_count;
    return &pages->segments[pages->segment_now];
}

/* Makes sure that the next `count` runs, of so many bytes, will lie side by side. 0: the machine has no more.
 */
static int pages_make_room(struct host__pages *pages, const size_t *bytes, size_t count) {
    size_t whole = 0;
    for (size_t i = 0; i < count; i++)
        whole += whole_pages(bytes[i]);
    return segment_for(pages, whole) != NULL;
}

/* Zeroed pages for `bytes`, 1 at least, open. UINT32_MAX when the machine has no more. What pointers to runs
 * point to moves. */
static uint32_t pages_take(struct host__pages *pages, size_t bytes, enum host__content content,
                           uint32_t owner) {
    if (bytes > SIZE_MAX / 4 || pages->run_count >= UINT32_MAX - 1 ||
        COR_RESERVE(&pages->runs, &pages->run_capacity, (size_t)pages->run_count + 1, NULL) != COR_OK)
        return UINT32_MAX;
    size_t whole = whole_pages(bytes);
    struct host__segment *segment = segment_for(pages, whole);
    if (!segment)
        return UINT32_MAX;
    struct host__run *run = &pages->runs[pages->run_count];
    *run = (struct host__run){
        .start = segment->start + segment->used, .bytes = whole, .content = content, .owner = owner};
    segment->used += whole;
    if (content != HOST__CONTENT_GUARD) {
        run_allow(run, HOST__ACCESS_WRITE);
        memset(run->start, 0, whole);
    }
    return pages->run_count++;
}

/* Runs of a segment: first .. *end - 1. */
static uint32_t runs_of(const struct host__pages *pages, uint32_t segment, uint32_t *end) {
    *end = segment < pages->segment_now && segment + 1 < pages->segment_count
               ? pages->segments[segment + 1].first_run
               : pages->run_count;
    return pages->segments[segment].first_run;
}

/* The run that `address` lies in, NULL if it lies in none. Safe in a signal handler. */
static struct host__run *pages_find(const struct host__pages *pages, const void *address) {
    const uintptr_t at = (uintptr_t)address;
    for (uint32_t s = 0; s < pages->segment_count && s <= pages->segment_now; s++) {
        uintptr_t start = (uintptr_t)pages->segments[s].start;
        if (at < start || at >= start + pages->segments[s].used)
            continue;
        uint32_t end, low = runs_of(pages, s, &end);
        while (end - low > 1) {
            uint32_t middle = low + (end - low) / 2;
            if (at < (uintptr_t)pages->runs[middle].start)
                end = middle;
            else
                low = middle;
        }
        return &pages->runs[low];
    }
    return NULL;
}

static void pages_allow(void *start, size_t bytes, enum host__access access) {
    static const int protections[] = {[HOST__ACCESS_NONE] = PROT_NONE,
                                      [HOST__ACCESS_READ] = PROT_READ,
                                      [HOST__ACCESS_WRITE] = PROT_READ | PROT_WRITE};
    /* It cannot fail for want of room that matters: what stays closed is found out at once, what stays open
     * only lets a cheat pass. */
    int made = mprotect(start, bytes, protections[access]);
    COR_ASSERT(made == 0 || access != HOST__ACCESS_NONE);
}

static void run_allow(const struct host__run *run, enum host__access access) {
    pages_allow(run->start, run->bytes, access);
}

/* Closes all runs. */
static void pages_close(const struct host__pages *pages) {
    for (uint32_t i = 0; i < pages->segment_count; i++)
        if (pages->segments[i].used > 0)
            pages_allow(pages->segments[i].start, pages->segments[i].used, HOST__ACCESS_NONE);
}

/* ---- who touches what is closed: the fault of the memory becomes a sentence, and the end of the
 * reorganization */

/* The one reorganization of this process that is watched: a signal handler gets no argument of ours. */
static struct host__strict *watched;

/* Whether the fault was a write; -1 where the machine does not tell. */
static int is_write(const void *context) {
#ifdef __x86_64__
    const ucontext_t *machine = context;
    return (machine->uc_mcontext.gregs[REG_ERR] & 2) != 0;
#else
    (void)context;
    return -1;
#endif
}

static int is_of_module(const struct host__strict *strict, const void *address) {
    for (uint32_t i = 0; i < strict->piece_count; i++) {
        uintptr_t start = (uintptr_t)strict->pieces[i].start, at = (uintptr_t)address;
        if (at >= start && at < start + strict->pieces[i].bytes)
            return 1;
    }
    return 0;
}

/* A fault that is none of ours happens again, to whom it would have met without us. */
static void on_fault(int signal_number, siginfo_t *info, void *context) {
    struct host__strict *strict = watched;
    if (!strict || (!pages_find(&strict->pages, info->si_addr) && !is_of_module(strict, info->si_addr))) {
        struct sigaction fallback = {.sa_handler = SIG_DFL};
        sigaction(signal_number, strict ? &strict->before : &fallback, NULL);
        return;
    }
    strict->touched = info->si_addr;
    strict->wrote = is_write(context);
    siglongjmp(strict->landing, 1);
}

static void allow_module(const struct host__strict *strict, enum host__access access) {
    for (uint32_t i = 0; i < strict->piece_count; i++)
        pages_allow(strict->pieces[i].start, strict->pieces[i].bytes, access);
}

enum cor_stop host__strict_watch(struct host__local *session, enum cor_stop (*live)(struct host__local *)) {
    struct host__strict *strict = session->strict;
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
    enum cor_stop stop;
    COR_ASSERT(!watched);
    sigemptyset(&action.sa_mask);
    watched = strict;
    int installed = sigaction(SIGSEGV, &action, &strict->before);
    COR_ASSERT(installed == 0);
    if (sigsetjmp(strict->landing, 1) == 0) {
        allow_module(strict, HOST__ACCESS_READ);
        stop = live(session);
    } else {
        char text[sizeof session->outcome->complaint];
        strict_describe(strict, text, sizeof text);
        session->outcome->complaint[0] = '\0'; /* the finding matters more than what it said */
        session->outcome->smoke = COR_SMOKE_NONE;
        host__session_smoke(session, COR_SMOKE_PEEKED, text);
        stop = COR_STOP_FAILED;
    }
    sigaction(SIGSEGV, &strict->before, NULL);
    watched = NULL;
    allow_module(strict, HOST__ACCESS_WRITE);
    host__strict_open(strict);
    strict_fold(strict);
    return session->outcome->smoke == COR_SMOKE_NONE ? stop : COR_STOP_FAILED;
}

static void say_run(const struct host__strict *strict, const struct host__run *run, char *text, size_t size) {
    switch (run->content) {
    case HOST__CONTENT_GUARD:
        say_run(strict, run - 1, text, size);
        break;
    case HOST__CONTENT_OFFER:
        snprintf(text, size, "struct cor_host");
        break;
    case HOST__CONTENT_RULES:
        snprintf(text, size, "the rules");
        break;
    case HOST__CONTENT_COUNTERS:
        snprintf(text, size, "the counters");
        break;
    case HOST__CONTENT_MESSAGE:
        snprintf(text, size, "a message");
        break;
    case HOST__CONTENT_TASK: {
        const struct host__task_part *part = &strict->parts[run->owner];
        intptr_t offset = (intptr_t)((uintptr_t)strict->touched - (uintptr_t)part->start);
        long item = (long)(part->item > 1 ? offset / (intptr_t)part->item : offset);
        if (strict->closed)
            snprintf(text, size, "the task, which is lent to begin() and result() alone");
        else if (part->column > 0)
            snprintf(text, size, "the task's values[%u][%ld]", part->column - 1, item);
        else if (part->item == sizeof(struct cor_task))
            snprintf(text, size, "the task's own fields");
        else
            snprintf(text, size, "the task's %s[%ld]", part->name, item);
        break;
    }
    case HOST__CONTENT_VALUES:
        snprintf(text, size, "the values of agent %u", run->owner);
        break;
    case HOST__CONTENT_STATE:
        snprintf(text, size, "the state of agent %u", run->owner);
        break;
    case HOST__CONTENT_RECORD:
        snprintf(text, size, "struct cor_agent of agent %u", run->owner);
        break;
    case HOST__CONTENT_MEMORY:
    case HOST__CONTENT_BEGUN:
        if (run->content == HOST__CONTENT_BEGUN && run->owner == HOST__OWNER_NONE)
            snprintf(text, size, "memory of begin() that no agent's state leads to");
        else if (run->content == HOST__CONTENT_BEGUN && run->owner == HOST__OWNER_SEVERAL)
            snprintf(text, size, "memory of begin() that the states of several agents lead to");
        else if (run->owner == HOST__OWNER_NONE)
            snprintf(text, size, "memory that is no agent's");
        else
            snprintf(text, size, "memory of agent %u", run->owner);
        break;
    }
}

/* strict.c: what was touched, by whom. */
static void strict_describe(const struct host__strict *strict, char *text, size_t size) {
    char who[32], what[160];
    const struct host__run *run = pages_find(&strict->pages, strict->touched);
    static const char *const phases[] = {
        [HOST__IDLE] = "the algorithm", [HOST__BEGIN] = "begin()",   [HOST__STEP] = "step()",
        [HOST__HANDLER] = "a handler",  [HOST__RESULT] = "result()", [HOST__INTERIM] = "result()",
        [HOST__GRAPH] = "graph()",      [HOST__ADOPT] = "adopt()",   [HOST__END] = "end()"};
    if (strict->inside != HOST__OWNER_NONE)
        snprintf(who, sizeof who, "agent %u", strict->inside);
    else
        snprintf(who, sizeof who, "%s", phases[strict->session->phase]);
    if (run)
        say_run(strict, run, what, sizeof what);
    else
        snprintf(what, sizeof what, "a variable of the module, at offset 0x%lx",
                 (unsigned long)((uintptr_t)strict->touched - strict->module_start));
    snprintf(text, size, "%s %s %s%s", who,
             strict->wrote < 0 ? "touched"
             : strict->wrote   ? "wrote"
                               : "read",
             run && run->content == HOST__CONTENT_GUARD ? "past the end of " : "", what);
}

/* ---- strict */

/* Least bytes of a run of memory: of an agent, of the whole. */
#define AGENT_RUN ((size_t)8 * 1024)
#define WHOLE_RUN ((size_t)256 * 1024)

struct host__handler_counts {
    struct cor_fault_counts fault;
    uint64_t spent;
};

enum cor_status host__strict_create(struct host__local *session, struct host__strict **strict,
                                    struct cor_error *error) {
    struct host__strict *made = *strict = cor_calloc(1, sizeof *made);
    COR_TRY(cor_made(made, error));
    made->session = session;
    pages_init(&made->pages);
    made->cell_count = host__cells_count(session->base.algorithm);
    if (session->base.algorithm->wake) {
        made->piece_count = cor_module_variables((uintptr_t)made->session->base.algorithm->result,
                                                 made->pieces, HOST__MODULE_PIECES, &made->module_start);
    }
    return COR_OK;
}

void host__strict_destroy(struct host__strict *strict) {
    if (!strict)
        return;
    for (uint32_t i = 0; i < strict->pages.segment_count; i++)
        munmap(strict->pages.segments[i].start, strict->pages.segments[i].bytes);
    COR_FREE(strict->pages.segments, strict->pages.runs);
    pages_init(&strict->pages);
    COR_FREE(strict->seats, strict->order, strict->parts, strict);
}

/* A run that ends with `bytes` for the caller, to whom `*end` points; closed pages lie behind it. */
static enum cor_status take_before_guard(struct host__strict *strict, size_t bytes,
                                         enum host__content content, uint32_t owner, uint32_t *run,
                                         unsigned char **end) {
    *run = pages_take(&strict->pages, bytes, content, owner);
    uint32_t guard = pages_take(&strict->pages, 1, HOST__CONTENT_GUARD, owner);
    if (*run == UINT32_MAX || guard == UINT32_MAX)
        return cor_fail_memory(strict->session->error);
    *end = strict->pages.runs[*run].start + strict->pages.runs[*run].bytes;
    return COR_OK;
}

static size_t padded(size_t bytes) {
    return (bytes + 15) / 16 * 16;
}

/* A copy of an array of the task, at the end of its pages: reading past it is found out, too. */
static enum cor_status copy_part(struct host__strict *strict, const char *name, uint32_t column,
                                 const void *from, size_t item, size_t count, const void **copy) {
    struct cor_error *error = strict->session->error;
    uint32_t run;
    unsigned char *end;
    COR_TRY(COR_RESERVE(&strict->parts, &strict->part_capacity, (size_t)strict->part_count + 1, error));
    COR_TRY(take_before_guard(strict, item * count, HOST__CONTENT_TASK, strict->part_count, &run, &end));
    unsigned char *start = end - item * count;
    if (item * count > 0)
        memcpy(start, from, item * count);
    strict->parts[strict->part_count++] = (struct host__task_part){name, column, start, item, count};
    *copy = start;
    return COR_OK;
}

/* The session works on the copy, too. */
static enum cor_status copy_task(struct host__local *session) {
    struct host__strict *strict = session->strict;
    struct cor_task *task = &session->task;
    const size_t n = task->agent_count, columns = task->rules->value_count;
    const void *copy;
    strict->part_count = 0;
    COR_TRY(copy_part(strict, "block_start", 0, task->block_start, sizeof(uint32_t),
                      (size_t)task->block_count + 1, &copy));
    task->block_start = copy;
    COR_TRY(copy_part(strict, "members", 0, task->members, sizeof(uint32_t),
                      task->block_start[task->block_count], &copy));
    task->members = copy;
    if (task->block_parent) {
        COR_TRY(copy_part(strict, "block_parent", 0, task->block_parent, sizeof(uint32_t), task->block_count,
                          &copy));
        task->block_parent = copy;
    }
    if (task->kept_size > 0) {
        COR_TRY(copy_part(strict, "kept", 0, task->kept, 1, task->kept_size, &copy));
        task->kept = copy;
    }
    COR_TRY(copy_part(strict, "values", 0, task->values, sizeof(double *), columns, &copy));
    const double **column = (const double **)(uintptr_t)copy;
    for (uint32_t c = 0; c < columns; c++) {
        COR_TRY(copy_part(strict, "values", c + 1, column[c], sizeof(double), n, &copy));
        column[c] = copy;
    }
    task->values = column;
    if (task->objective) {
        struct cor_objective objective = *task->objective;
        COR_TRY(copy_part(strict, "objective->steps", 0, objective.steps, sizeof *objective.steps,
                          objective.step_count, &copy));
        objective.steps = copy;
        COR_TRY(
            copy_part(strict, "objective->filters", 0, objective.filters, n, objective.filter_count, &copy));
        objective.filters = copy;
        COR_TRY(copy_part(strict, "objective", 0, &objective, sizeof objective, 1, &copy));
        task->objective = copy;
    }
    const struct cor_rules *rules = task->rules;
    const size_t list = rules->parameter_count * sizeof *rules->parameters,
                 described = host__columns_bytes(rules);
    unsigned char *end;
    COR_TRY(take_before_guard(strict, padded(sizeof *rules) + padded(described) + padded(list),
                              HOST__CONTENT_RULES, HOST__OWNER_NONE, &strict->rules, &end));
    struct cor_rules *rules_copy = (void *)strict->pages.runs[strict->rules].start;
    *rules_copy = *rules;
    rules_copy->parameters = (void *)(end - list);
    unsigned char *room = (unsigned char *)rules_copy + padded(sizeof *rules);
    if (described > 0) {
        host__columns_write(rules, room, (uintptr_t)room);
        rules_copy->columns = (void *)room;
    }
    if (list > 0)
        memcpy(end - list, rules->parameters, list);
    task->rules = rules_copy;
    COR_TRY(copy_part(strict, "fields", 0, task, sizeof *task, 1, &copy));
    strict->task = (struct cor_task *)(uintptr_t)copy;
    session->lent_task = strict->task;
    return COR_OK;
}

enum cor_status host__strict_prepare(struct host__local *session) {
    struct host__strict *strict = session->strict;
    /* No runs any more; the memory stays for the next. */
    struct host__pages *pages = &strict->pages;
    pages_close(pages);
    for (uint32_t i = 0; i < pages->segment_count; i++)
        pages->segments[i].used = 0;
    pages->segment_now = 0;
    pages->run_count = 0;
    strict->inside = HOST__OWNER_NONE;
    strict->closed = 0;
    strict->newest = 0;
    strict->message = UINT32_MAX;
    const struct cor_algorithm *algorithm = strict->session->base.algorithm;
    unsigned char *end;
    COR_TRY(take_before_guard(strict, sizeof *strict->handler_counts + strict->cell_count * sizeof(uint64_t),
                              HOST__CONTENT_COUNTERS, HOST__OWNER_NONE, &strict->counters, &end));
    strict->handler_counts = (void *)strict->pages.runs[strict->counters].start;
    strict->cells = (uint64_t *)(void *)end - strict->cell_count;
    const uint32_t count = cor_algorithm_counter_count(algorithm);
    size_t list = (count + (size_t)1) * sizeof *strict->cell_start;
    COR_TRY(take_before_guard(strict, 2 * padded(sizeof(struct cor_host)) + list, HOST__CONTENT_OFFER,
                              HOST__OWNER_NONE, &strict->offer, &end));
    strict->cell_start = (void *)(end - list);
    host__cells_lay(algorithm, strict->cell_start, count + 1);
    /* What the host offers, once for handlers and once for the rest. */
    unsigned char *start = strict->pages.runs[strict->offer].start;
    strict->whole_offer = (void *)start;
    strict->handler_offer = (void *)(start + padded(sizeof(struct cor_host)));
    *strict->whole_offer = session->host;
    strict->whole_offer->counters = strict->cells;
    strict->whole_offer->counter_start = strict->cell_start;
    *strict->handler_offer = *strict->whole_offer;
    strict->handler_offer->spent = &strict->handler_counts->spent;
    strict->handler_offer->fault = &strict->handler_counts->fault;
    for (int i = 0; i < COR_STREAM_COUNT; i++)
        strict->handler_offer->random[i] = &session->misuse.view;
    session->lent_host = strict->whole_offer;
    COR_TRY(copy_task(session));
    host__strict_open(strict);
    return COR_OK;
}

/* Every agent has three runs side by side. Two forms take turns in memory, so that an agent's values meet
 * its neighbour's values, and a record a record. */
static enum cor_status seat_one(struct host__local *session, uint32_t agent, int mirrored) {
    struct host__strict *strict = session->strict;
    struct host__seat *seat = &strict->seats[agent];
    const struct cor_task *task = &session->task;
    const size_t bytes[3] = {task->rules->value_count * sizeof(double),
                             padded(session->base.algorithm->agent_size),
                             sizeof *seat->agent + sizeof *seat->stream};
    static const enum host__content contents[3] = {HOST__CONTENT_VALUES, HOST__CONTENT_STATE,
                                                   HOST__CONTENT_RECORD};
    unsigned char *start[3], *end[3];
    *seat = (struct host__seat){0};
    if (!pages_make_room(&strict->pages, bytes, 3))
        return cor_fail_memory(session->error);
    for (int i = 0; i < 3; i++) {
        int what = mirrored ? 2 - i : i;
        uint32_t run = pages_take(&strict->pages, bytes[what], contents[what], agent);
        if (run == UINT32_MAX)
            return cor_fail_memory(session->error);
        start[what] = strict->pages.runs[run].start;
        end[what] = start[what] + strict->pages.runs[run].bytes;
        seat->block_bytes += strict->pages.runs[run].bytes;
    }
    seat->block = mirrored ? start[2] : start[0];
    COR_ASSERT(seat->block + seat->block_bytes == (mirrored ? end[0] : end[2]));
    double *values = mirrored ? (void *)(end[0] - bytes[0]) : (void *)start[0];
    seat->agent = mirrored ? (void *)start[2] : (void *)(end[2] - sizeof *seat->agent);
    seat->stream = mirrored ? (void *)(end[2] - sizeof *seat->stream) : (void *)start[2];
    for (uint32_t c = 0; c < task->rules->value_count; c++)
        values[c] = task->values[c][agent];
    host__stream_init(seat->stream, &session->name, COR_PURPOSE_AGENT,
                      host__session_identity(session, agent));
    *seat->agent = (struct cor_agent){.id = agent, .values = values, .random = &seat->stream->view};
    if (session->base.algorithm->agent_size > 0)
        seat->agent->state = mirrored ? end[1] - bytes[1] : start[1];
    return COR_OK;
}

enum cor_status host__strict_seat(struct host__local *session) {
    struct host__strict *strict = session->strict;
    uint32_t n = session->task.agent_count;
    COR_TRY(COR_RESERVE(&strict->seats, &strict->seat_capacity, n, session->error));
    COR_TRY(COR_RESERVE(&strict->order, &strict->order_capacity, n, session->error));
    for (uint32_t i = 0; i < n; i++)
        strict->order[i] = i;
    struct cor_stream_name own = session->name;
    own.purpose = COR_PURPOSE_LAYOUT;
    own.entity = 0;
    struct cor_rng rng = cor_rng_named(&own);
    cor_rng_shuffle(&rng, strict->order, n);
    for (uint32_t i = 0; i < n; i++)
        COR_TRY(seat_one(session, strict->order[i], i % 2 == 0));
    uint32_t guard = pages_take(&strict->pages, 1, HOST__CONTENT_GUARD, HOST__OWNER_NONE);
    return guard == UINT32_MAX ? cor_fail_memory(session->error) : COR_OK;
}

/* A new run of memory, at the head of the list of `owner`. */
static unsigned char *take_run(struct host__strict *strict, size_t bytes, enum host__content content,
                               uint32_t owner, uint32_t *newest) {
    uint32_t run = pages_take(&strict->pages, bytes, content, owner);
    if (run == UINT32_MAX)
        return NULL;
    strict->pages.runs[run].before = *newest;
    *newest = run + 1;
    return strict->pages.runs[run].start;
}

void *host__strict_take(struct host__strict *strict, size_t bytes) {
    const struct host__local *session = strict->session;
    if (session->base.algorithm->wake && session->phase == HOST__BEGIN) {
        uint32_t alone = 0;
        return take_run(strict, bytes, HOST__CONTENT_BEGUN, HOST__OWNER_NONE, &alone);
    }
    struct host__seat *seat = strict->inside != HOST__OWNER_NONE ? &strict->seats[strict->inside] : NULL;
    uint32_t *newest = seat ? &seat->newest : &strict->newest;
    size_t *used = seat ? &seat->used : &strict->used, least = seat ? AGENT_RUN : WHOLE_RUN;
    const struct host__run *run = *newest > 0 ? &strict->pages.runs[*newest - 1] : NULL;
    if (!run || run->content != HOST__CONTENT_MEMORY || run->bytes - *used < bytes) {
        if (!take_run(strict, bytes > least ? bytes : least, HOST__CONTENT_MEMORY, strict->inside, newest))
            return NULL;
        *used = 0;
        run = &strict->pages.runs[*newest - 1];
    }
    *used += bytes;
    return run->start + *used - bytes;
}

/* Runs that words of memory point into belong to `owner`, and what their words point to, and so on; those
 * that another agent reaches too, to several. `stack` has room for all runs. */
static void claim(struct host__strict *strict, const void *memory, size_t bytes, uint32_t owner,
                  uint32_t *stack) {
    uint32_t depth = 0;
    for (;;) {
        for (size_t at = 0; at + sizeof(void *) <= bytes; at += sizeof(void *)) {
            const void *word;
            memcpy(&word, (const unsigned char *)memory + at, sizeof word);
            struct host__run *run = pages_find(&strict->pages, word);
            if (!run || run->content != HOST__CONTENT_BEGUN || run->seen == owner + 1 ||
                run->owner == HOST__OWNER_SEVERAL)
                continue;
            run->seen = owner + 1;
            run->owner = run->owner == HOST__OWNER_NONE ? owner : HOST__OWNER_SEVERAL;
            stack[depth++] = (uint32_t)(run - strict->pages.runs);
        }
        if (depth == 0)
            return;
        const struct host__run *next = &strict->pages.runs[stack[--depth]];
        memory = next->start;
        bytes = next->bytes;
    }
}

void host__strict_settle(struct host__local *session) {
    struct host__strict *strict = session->strict;
    size_t bytes = session->base.algorithm->agent_size;
    uint32_t *stack = cor_calloc(strict->pages.run_count, sizeof *stack);
    if (!stack) {
        host__session_trouble(session, cor_fail_memory(session->error));
        return;
    }
    for (uint32_t i = 0; bytes > 0 && i < session->task.agent_count; i++)
        claim(strict, strict->seats[i].agent->state, bytes, i, stack);
    free(stack);
    for (uint32_t r = 0; r < strict->pages.run_count; r++) {
        struct host__run *run = &strict->pages.runs[r];
        if (run->content != HOST__CONTENT_BEGUN || run->owner >= HOST__OWNER_SEVERAL)
            continue;
        run->before = strict->seats[run->owner].newest;
        strict->seats[run->owner].newest = r + 1;
    }
}

void host__strict_close(struct host__strict *strict) {
    strict_fold(strict);
    pages_close(&strict->pages);
    run_allow(&strict->pages.runs[strict->offer], HOST__ACCESS_READ);
    run_allow(&strict->pages.runs[strict->rules], HOST__ACCESS_READ);
    run_allow(&strict->pages.runs[strict->counters], HOST__ACCESS_WRITE);
    strict->session->lent_host = strict->handler_offer;
    strict->closed = 1;
}

static enum host__access access_of(enum host__content content) {
    switch (content) {
    case HOST__CONTENT_GUARD:
        return HOST__ACCESS_NONE;
    case HOST__CONTENT_OFFER:
    case HOST__CONTENT_RULES:
    case HOST__CONTENT_TASK:
        return HOST__ACCESS_READ;
    default:
        return HOST__ACCESS_WRITE;
    }
}

/* Runs that lie side by side and are allowed the same are opened as one. */
void host__strict_open(struct host__strict *strict) {
    const struct host__run *runs = strict->pages.runs;
    for (uint32_t first = 0, end; first < strict->pages.run_count; first = end) {
        enum host__access access = access_of(runs[first].content);
        size_t bytes = runs[first].bytes;
        for (end = first + 1; end < strict->pages.run_count && access_of(runs[end].content) == access &&
                              runs[end].start == runs[first].start + bytes;
             end++)
            bytes += runs[end].bytes;
        pages_allow(runs[first].start, bytes, access);
    }
    strict->session->lent_host = strict->whole_offer;
    strict->closed = 0;
}

static void allow_agent(const struct host__strict *strict, uint32_t agent, enum host__access access) {
    const struct host__seat *seat = &strict->seats[agent];
    pages_allow(seat->block, seat->block_bytes, access);
    for (uint32_t run = seat->newest; run > 0; run = strict->pages.runs[run - 1].before)
        run_allow(&strict->pages.runs[run - 1], access);
}

void host__strict_enter(struct host__strict *strict, uint32_t agent) {
    strict->inside = agent;
    allow_agent(strict, agent, HOST__ACCESS_WRITE);
}

void host__strict_leave(struct host__strict *strict) {
    strict_fold(strict);
    allow_agent(strict, strict->inside, HOST__ACCESS_NONE);
    if (strict->message != UINT32_MAX)
        run_allow(&strict->pages.runs[strict->message], HOST__ACCESS_NONE);
    strict->inside = HOST__OWNER_NONE;
}

const void *host__strict_message(struct host__strict *strict, const void *payload, uint32_t size) {
    size_t bytes = ((size_t)size + 7) / 8 * 8;
    unsigned char *end;
    if (strict->message == UINT32_MAX || strict->pages.runs[strict->message].bytes < bytes) {
        if (take_before_guard(strict, bytes, HOST__CONTENT_MESSAGE, HOST__OWNER_NONE, &strict->message,
                              &end) != COR_OK)
            return NULL;
    }
    const struct host__run *run = &strict->pages.runs[strict->message];
    run_allow(run, HOST__ACCESS_WRITE);
    end = run->start + run->bytes;
    memset(run->start, 0, run->bytes);
    if (size > 0)
        memcpy(end - bytes, payload, size);
    return end - bytes;
}

/* What was counted goes to the session's counters. Smoke if a counter was left. */
static void strict_fold(struct host__strict *strict) {
    struct host__local *session = strict->session;
    struct cor_fault_counts *fault = &strict->handler_counts->fault, *sum = &session->outcome->fault;
    char text[sizeof session->outcome->complaint];
    if (!host__cells_fold(&session->base, strict->cells, text, sizeof text))
        host__session_smoke(session, COR_SMOKE_COMPLAINED, text);
    host__count_add(&sum->reached, fault->reached);
    host__count_add(&sum->held, fault->held);
    host__count_add(&sum->activated, fault->activated);
    sum->in_result |= fault->in_result;
    *strict->handler_counts = (struct host__handler_counts){0};
}
