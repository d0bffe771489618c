/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* memfd_create, seals */
#include "shared.h"

#include "session.h"

#include <corridor/array.h>
#include <corridor/bytes.h>

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define GUARD ((size_t)1 << 20)
#define UNIT 16 /* bytes: where what is written begins */
#ifndef F_SEAL_FUTURE_WRITE
#define F_SEAL_FUTURE_WRITE 0x0010
#endif

static size_t aligned(size_t bytes) {
    return (bytes + UNIT - 1) / UNIT * UNIT;
}

/* Differs where the two sides were not built from the same headers. */
static size_t shared_layout(void) {
    return sizeof(struct host__request) << 20 ^ sizeof(struct host__reply) ^
           offsetof(struct host__reply, outcome) << 10 ^ offsetof(struct host__request, rules) << 30;
}

/* Maps a memory between two ranges that nobody may touch; NULL if it cannot be. */
static void *map_guarded(int memory, size_t size, int protection) {
    unsigned char *range =
        mmap(NULL, size + 2 * GUARD, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (range == MAP_FAILED)
        return NULL;
    if (mmap(range + GUARD, size, protection, MAP_SHARED | MAP_FIXED, memory, 0) != MAP_FAILED)
        return range + GUARD;
    munmap(range, size + 2 * GUARD);
    return NULL;
}

static void unmap_guarded(void *memory, size_t size) {
    if (memory)
        munmap((unsigned char *)memory - GUARD, size + 2 * GUARD);
}

static enum cor_status make_memory(int *memory, size_t size, void **mapped, struct cor_error *error) {
    *memory = memfd_create("corridor", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (*memory < 0 || ftruncate(*memory, (off_t)size) != 0 ||
        fcntl(*memory, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) != 0)
        return cor_fail_errno(error, COR_STATUS_MEMORY, NULL, NULL, "cannot make shared memory");
    *mapped = map_guarded(*memory, size, PROT_READ | PROT_WRITE);
    return cor_made(*mapped, error);
}

enum cor_status host__shared_create(struct host__shared *shared, size_t request_size, size_t answer_size,
                                    struct cor_error *error) {
    void *request = NULL, *answer = NULL;
    *shared = (struct host__shared){
        .request_memory = -1, .answer_memory = -1, .request_size = request_size, .answer_size = answer_size};
    enum cor_status status = make_memory(&shared->request_memory, request_size, &request, error);
    shared->request = request;
    if (status == COR_OK)
        status = make_memory(&shared->answer_memory, answer_size, &answer, error);
    shared->answer = answer;
    if (status != COR_OK) {
        host__shared_fini(shared);
        return status;
    }
    /* Where the kernel knows this seal, no guest can ever map the request for writing. */
    fcntl(shared->request_memory, F_ADD_SEALS, F_SEAL_FUTURE_WRITE);
    fcntl(shared->request_memory, F_ADD_SEALS, F_SEAL_SEAL);
    fcntl(shared->answer_memory, F_ADD_SEALS, F_SEAL_SEAL);
    shared->request->layout = shared_layout();
    shared->request->size = request_size;
    shared->request->answer_size = answer_size;
    return COR_OK;
}

bool host__shared_take(struct host__shared *shared) {
    struct host__request head;
    *shared = (struct host__shared){.request_memory = HOST__REQUEST_DESCRIPTOR,
                                    .answer_memory = HOST__ANSWER_DESCRIPTOR};
    if (pread(HOST__REQUEST_DESCRIPTOR, &head, sizeof head, 0) != (ssize_t)sizeof head ||
        head.layout != shared_layout())
        return false;
    shared->request_size = head.size;
    shared->answer_size = head.answer_size;
    shared->request = map_guarded(HOST__REQUEST_DESCRIPTOR, head.size, PROT_READ);
    shared->answer = map_guarded(HOST__ANSWER_DESCRIPTOR, head.answer_size, PROT_READ | PROT_WRITE);
    close(HOST__REQUEST_DESCRIPTOR);
    close(HOST__ANSWER_DESCRIPTOR);
    shared->request_memory = shared->answer_memory = -1;
    return shared->request && shared->answer;
}

bool host__shared_keep(const struct host__shared *shared) {
    return madvise(shared->answer, shared->answer_size, MADV_DONTFORK) == 0;
}

void host__shared_fini(struct host__shared *shared) {
    unmap_guarded(shared->request, shared->request_size);
    unmap_guarded(shared->answer, shared->answer_size);
    if (shared->request_memory >= 0)
        close(shared->request_memory);
    if (shared->answer_memory >= 0)
        close(shared->answer_memory);
    *shared = (struct host__shared){.request_memory = -1, .answer_memory = -1};
}

/* Where the arrays of a request begin in its data, in their order there. */
struct layout {
    size_t columns, parameters, block_start, members, parents, identities, kept, entries, steps, filters,
        described;
    size_t column_bytes; /* from one column of values to the next */
};

static struct layout lay(const struct cor_rules *rules, const struct cor_task *task,
                         const struct cor_objective *objective, uint32_t members,
                         const struct host__mail_plan *plan) {
    struct layout at = {.column_bytes = aligned(sizeof(double) * task->agent_count)};
    at.parameters = at.columns + at.column_bytes * rules->value_count;
    at.block_start = at.parameters + aligned(sizeof(double) * rules->parameter_count);
    at.members = at.block_start + aligned(sizeof(uint32_t) * ((size_t)task->block_count + 1));
    at.parents = at.members + aligned(sizeof(uint32_t) * members);
    at.identities = at.parents + (task->block_parent ? aligned(sizeof(uint32_t) * task->block_count) : 0);
    at.kept = at.identities + aligned(sizeof(uint32_t) * task->agent_count);
    at.entries = at.kept + aligned(task->kept_size);
    at.steps = at.entries + aligned(sizeof *plan->entries * plan->count);
    at.filters = at.steps;
    if (objective)
        at.filters += aligned(sizeof *objective->steps * objective->step_count);
    at.described = at.filters; /* to the end */
    if (objective)
        at.described += aligned((size_t)objective->filter_count * task->agent_count);
    return at;
}

size_t host__request_bytes(const struct cor_session *session, const struct cor_task *task) {
    return sizeof(struct host__request) +
           lay(task->rules, task, task->objective, task->block_start[task->block_count], &session->plan)
               .described +
           host__columns_bytes(task->rules);
}

static void put(unsigned char *to, const void *from, size_t bytes) {
    if (bytes > 0)
        memcpy(to, from, bytes);
}

void host__request_put(struct host__request *request, const struct cor_session *session,
                       const struct cor_task *task, const struct cor_stream_name *name) {
    const uint32_t members = request->member_count = task->block_start[task->block_count];
    const struct layout at = lay(task->rules, task, task->objective, members, &session->plan);
    request->described_bytes = host__columns_bytes(task->rules);
    COR_ASSERT(sizeof *request + at.described + request->described_bytes <= request->size);
    if (request->described_bytes > 0)
        host__columns_write(task->rules, request->data + at.described, 0);
    request->slice_units = session->slice_units;
    request->identity_count = session->identity_count;
    request->plan = session->plan;
    request->is_watched = session->watched && session->watched->identity == name->identity;
    request->garbles = session->garbles;
    request->name = *name;
    request->rules = *task->rules;
    request->rules.struct_size = (uint32_t)sizeof request->rules;
    request->task = *task;
    for (uint32_t c = 0; c < task->rules->value_count; c++)
        put(request->data + at.columns + c * at.column_bytes, task->values[c],
            sizeof(double) * task->agent_count);
    put(request->data + at.parameters, task->rules->parameters,
        sizeof(double) * task->rules->parameter_count);
    put(request->data + at.block_start, task->block_start,
        sizeof(uint32_t) * ((size_t)task->block_count + 1));
    put(request->data + at.members, task->members, sizeof(uint32_t) * members);
    if (task->block_parent)
        put(request->data + at.parents, task->block_parent, sizeof(uint32_t) * task->block_count);
    if (session->identity)
        put(request->data + at.identities, session->identity, sizeof(uint32_t) * task->agent_count);
    put(request->data + at.kept, task->kept, task->kept_size);
    put(request->data + at.entries, session->plan.entries,
        sizeof *session->plan.entries * session->plan.count);
    if (!task->objective)
        return;
    const struct cor_objective *objective = task->objective;
    request->objective = *objective;
    put(request->data + at.steps, objective->steps, sizeof *objective->steps * objective->step_count);
    put(request->data + at.filters, objective->filters, (size_t)objective->filter_count * task->agent_count);
}

void host__request_take(const struct host__request *request, struct cor_session *session,
                        struct cor_rules *rules, struct cor_task *task, struct cor_objective *objective,
                        const double **columns, void *described) {
    *rules = request->rules;
    *task = request->task;
    *objective = request->objective;
    session->plan = request->plan;
    const struct layout at =
        lay(rules, task, task->objective ? objective : NULL, request->member_count, &session->plan);
    session->plan.entries = (const void *)(request->data + at.entries);
    rules->parameters = (const void *)(request->data + at.parameters);
    for (uint32_t c = 0; c < rules->value_count; c++)
        columns[c] = (const void *)(request->data + at.columns + c * at.column_bytes);
    put(described, request->data + at.described, request->described_bytes);
    rules->columns =
        request->described_bytes > 0 ? host__columns_settle(described, rules->value_count) : NULL;
    task->rules = rules;
    task->values = columns;
    task->block_start = (const void *)(request->data + at.block_start);
    task->members = (const void *)(request->data + at.members);
    if (task->block_parent)
        task->block_parent = (const void *)(request->data + at.parents);
    task->kept = task->kept_size > 0 ? request->data + at.kept : NULL;
    if (task->objective) {
        objective->steps = (const void *)(request->data + at.steps);
        objective->filters = request->data + at.filters;
        task->objective = objective;
    }
    session->slice_units = request->slice_units;
    session->garbles = request->garbles;
    const uint32_t identity_count = request->identity_count;
    cor_session_identify(session, identity_count > 0 ? (const void *)(request->data + at.identities) : NULL,
                         identity_count);
}

/* The sizes of a list of lists, as they are written before it. */
struct list_size {
    uint64_t spent; /* of an interim */
    uint32_t block_count, member_count;
    uint64_t nests;
};

static void write_lists(struct cor_bytes *pen, const struct cor_lists *lists, uint64_t spent) {
    const struct list_size size = {spent, lists->block_count, lists->member_count, lists->nests};
    cor_bytes_put(pen, &size, sizeof size);
    if (lists->block_count > 0)
        cor_bytes_put(pen, lists->start, sizeof(uint32_t) * ((size_t)lists->block_count + 1));
    cor_bytes_put(pen, lists->members, sizeof(uint32_t) * lists->member_count);
    if (lists->nests)
        cor_bytes_put(pen, lists->parent, sizeof(uint32_t) * lists->block_count);
}

void host__reply_put(struct host__reply *answer, size_t capacity, uint32_t counters,
                     const struct host__kept *kept, const struct cor_mail_record *log,
                     const struct cor_course *course) {
    const struct cor_outcome *outcome = &answer->outcome;
    struct cor_bytes pen = cor_bytes_into(answer->data, capacity);
    pen.unit = UNIT;
    pen.size = aligned(sizeof(uint64_t) * counters);
    write_lists(&pen, &outcome->solution, 0);
    cor_bytes_put(&pen, outcome->moves, sizeof *outcome->moves * outcome->move_count);
    for (size_t i = 0; i < outcome->interim_count; i++)
        write_lists(&pen, &outcome->interims[i].solution, outcome->interims[i].spent);
    cor_bytes_put(&pen, kept ? kept->bytes : NULL, kept ? kept->size : 0);
    cor_bytes_put(&pen, log->entries, sizeof *log->entries * log->count);
    answer->told = (struct host__told){0};
    if (course && course->is_there &&
        pen.size + (aligned(sizeof *course->messages * course->message_count) +
                    aligned(sizeof *course->order * course->order_count) +
                    aligned(sizeof *course->words * course->word_count) +
                    aligned(sizeof *course->edges * course->edge_count)) <=
            capacity) {
        answer->told = (struct host__told){course->message_count, course->order_count, course->word_count,
                                           course->edge_count, 1};
        cor_bytes_put(&pen, course->messages, sizeof *course->messages * course->message_count);
        cor_bytes_put(&pen, course->order, sizeof *course->order * course->order_count);
        cor_bytes_put(&pen, course->words, sizeof *course->words * course->word_count);
        cor_bytes_put(&pen, course->edges, sizeof *course->edges * course->edge_count);
    }
    answer->logged = log->count;
    answer->keeps = kept != NULL;
    answer->kept_size = kept ? kept->size : 0;
    answer->needed = pen.size;
    answer->used = pen.status == COR_OK ? pen.size : 0;
}

/* Reading it again: nothing is believed but what was copied. */
struct reading {
    struct cor_bytes_reader from;
    const char *garbled; /* what is wrong; NULL: nothing so far */
    enum cor_status status;
    struct cor_error *error;
    uint32_t agent_count;
    size_t most; /* members or blocks that are not absurd */
};

static void garble(struct reading *reading, const char *what) {
    if (!reading->garbled)
        reading->garbled = what;
}

/* `size` bytes; NULL: there are not so many. */
static const void *next_bytes(struct reading *reading, size_t size) {
    const void *bytes = reading->garbled ? NULL : cor_bytes_take(&reading->from, size);
    if (!bytes)
        garble(reading, "it gives more than it has written");
    return bytes;
}

static bool is_running(const struct reading *reading) {
    return !reading->garbled && reading->status == COR_OK;
}

static void reserve(struct reading *reading, enum cor_status status) {
    if (reading->status == COR_OK)
        reading->status = status;
}

/* The block borders of `lists`, which were copied, ascend from 0 to the number of members. */
static bool ascend(const struct cor_lists *lists) {
    for (uint32_t b = 0; b < lists->block_count; b++)
        if (lists->start[b] > lists->start[b + 1])
            return false;
    return lists->start[0] == 0 && lists->start[lists->block_count] == lists->member_count;
}

static void read_lists(struct reading *reading, struct cor_lists *lists, uint64_t *spent) {
    struct list_size size;
    const void *bytes = next_bytes(reading, sizeof size);
    cor_lists_clear(lists);
    if (!bytes)
        return;
    memcpy(&size, bytes, sizeof size);
    if (size.block_count >= reading->most || size.member_count >= reading->most ||
        (size.block_count == 0 && size.member_count > 0)) {
        garble(reading, "its solution has an absurd size");
        return;
    }
    *spent = size.spent;
    size_t borders = size.block_count > 0 ? (size_t)size.block_count + 1 : 0;
    const void *start = next_bytes(reading, sizeof(uint32_t) * borders);
    const void *members = next_bytes(reading, sizeof(uint32_t) * size.member_count);
    const void *parents = size.nests ? next_bytes(reading, sizeof(uint32_t) * size.block_count) : start;
    if (!start || !members || !parents || borders == 0)
        return;
    reserve(reading, COR_RESERVE(&lists->start, &lists->start_capacity, borders, reading->error));
    reserve(reading,
            COR_RESERVE(&lists->members, &lists->member_capacity, size.member_count, reading->error));
    if (size.nests)
        reserve(reading,
                COR_RESERVE(&lists->parent, &lists->parent_capacity, size.block_count, reading->error));
    if (!is_running(reading))
        return;
    if (size.nests)
        memcpy(lists->parent, parents, sizeof(uint32_t) * size.block_count);
    lists->nests = size.nests != 0;
    memcpy(lists->start, start, sizeof(uint32_t) * borders);
    put((void *)lists->members, members, sizeof(uint32_t) * size.member_count);
    lists->block_count = size.block_count;
    lists->member_count = size.member_count;
    if (!ascend(lists)) {
        cor_lists_clear(lists);
        garble(reading, "its blocks overlap");
    }
}

static void read_moves(struct reading *reading, struct cor_outcome *outcome, size_t count) {
    if (count >= reading->most) {
        garble(reading, "its moves have an absurd size");
        return;
    }
    const void *moves = next_bytes(reading, sizeof *outcome->moves * count);
    if (!moves || count == 0)
        return;
    reserve(reading, COR_RESERVE(&outcome->moves, &outcome->move_capacity, count, reading->error));
    if (!is_running(reading))
        return;
    memcpy(outcome->moves, moves, sizeof *outcome->moves * count);
    for (size_t i = 0; i < count; i++)
        if (outcome->moves[i].agent >= reading->agent_count ||
            outcome->moves[i].block >= outcome->solution.block_count)
            garble(reading, "it moves an agent or into a block that there is not");
    outcome->move_count = reading->garbled ? 0 : count;
}

static void read_kept(struct reading *reading, struct host__kept *kept, uint32_t keeps, uint32_t size) {
    if (!keeps || !is_running(reading))
        return;
    const void *bytes = size <= HOST__KEPT_MOST ? next_bytes(reading, size) : NULL;
    if (!bytes) {
        garble(reading, "it keeps more than it may");
        return;
    }
    reserve(reading, COR_RESERVE(&kept->bytes, &kept->capacity, size, reading->error));
    if (!is_running(reading))
        return;
    put(kept->bytes, bytes, size);
    kept->size = size;
}

/* Entries that cannot be of this are none. */
static void read_log(struct reading *reading, const struct cor_session *session, struct cor_mail_record *log,
                     uint64_t count) {
    if (!session->plan.is_logged || count == 0 || !is_running(reading))
        return;
    const void *entries = count <= reading->from.size / sizeof *log->entries
                              ? next_bytes(reading, sizeof *log->entries * count)
                              : NULL;
    if (!entries) {
        garble(reading, "it says of more mail than it has written");
        return;
    }
    reserve(reading, COR_RESERVE(&log->entries, &log->capacity, count, reading->error));
    if (!is_running(reading))
        return;
    put((unsigned char *)log->entries, entries, sizeof *log->entries * count);
    for (uint64_t i = 0; i < count; i++)
        if (log->entries[i].deed < COR_MAIL_DEED_WAITS || log->entries[i].deed >= COR_MAIL_DEEDS)
            garble(reading, "it says of mail what cannot be");
    log->count = reading->garbled ? 0 : count;
}

/* Is that a message that can be: between agents, of words that are there, answering one before it? */
static bool can_be(const struct cor_course *course, uint32_t number, uint32_t agent_count,
                   const struct cor_algorithm *algorithm) {
    const struct cor_course_message *it = &course->messages[number];
    const struct cor_course_effect *effect = &it->effect;
    unsigned char fault; /* as it lies there: a bool may be neither true nor false */
    memcpy(&fault, &effect->fault, 1);
    bool can = it->from < agent_count && it->to < agent_count && it->payload <= course->word_count &&
               ((uint64_t)it->size + 7) / 8 <= course->word_count - it->payload &&
               it->sent <= course->rounds &&
               (it->received == 0 || (it->sent <= it->received && it->received <= course->rounds)) &&
               (it->cause == COR_COURSE_NONE || it->cause < number) && fault <= 1 &&
               effect->cell_count <= COR_COURSE_CELLS;
    for (uint32_t i = 0; can && i < effect->cell_count; i++)
        can = effect->counter[i] < cor_algorithm_counter_count(algorithm);
    return can;
}

/* `count` items of that size, copied; NULL: there are not so many, or no memory. */
static void *copy_items(struct reading *reading, uint64_t count, size_t size) {
    const void *items = count <= reading->from.size / size ? next_bytes(reading, size * count) : NULL;
    if (!items) {
        garble(reading, "it says of more mail than it has written");
        return NULL;
    }
    void *copy = cor_calloc(count + 1, size);
    reserve(reading, cor_made(copy, reading->error));
    if (copy)
        put(copy, items, size * count);
    return copy;
}

static void read_course(struct reading *reading, const struct cor_algorithm *algorithm,
                        struct cor_course *course, const struct host__told *told, uint64_t rounds) {
    course->messages = copy_items(reading, told->messages, sizeof *course->messages);
    course->order = copy_items(reading, told->order, sizeof *course->order);
    course->words = copy_items(reading, told->words, sizeof *course->words);
    course->edges = copy_items(reading, told->edges, sizeof *course->edges);
    if (!is_running(reading)) {
        cor_course_fini(course);
        return;
    }
    course->is_there = true;
    course->rounds = rounds;
    course->message_count = course->message_capacity = told->messages;
    course->order_count = course->order_capacity = told->order;
    course->word_count = course->word_capacity = told->words;
    course->edge_count = course->edge_capacity = told->edges;
    for (uint32_t i = 0; i < course->message_count; i++)
        if (!can_be(course, i, reading->agent_count, algorithm))
            garble(reading, "it says of mail what cannot be");
    for (size_t i = 0; i < course->order_count; i++)
        if (course->order[i] >= course->message_count)
            garble(reading, "it says of mail what cannot be");
    for (size_t i = 0; i < course->edge_count; i++)
        if (course->edges[i].from >= reading->agent_count || course->edges[i].to >= reading->agent_count ||
            course->edges[i].is_marked > 1)
            garble(reading, "it says of its graph what cannot be");
    if (reading->garbled)
        cor_course_fini(course);
}

/* The numbers of an outcome that was copied; its lists stay those of `outcome`. */
static void take_numbers(struct cor_outcome *outcome, const struct cor_outcome *said) {
    outcome->stop = said->stop;
    outcome->smoke = said->smoke;
    memcpy(outcome->complaint, said->complaint, sizeof outcome->complaint);
    outcome->complaint[sizeof outcome->complaint - 1] = '\0';
    outcome->spent = said->spent;
    outcome->rounds = said->rounds;
    outcome->messages = said->messages;
    outcome->messages_lost = said->messages_lost;
    outcome->chains = said->chains;
    outcome->fault = said->fault;
}

uint32_t host__counted_cells(const struct cor_session *session) {
    return host__counter_cells(session) + host__cells_count(session->algorithm);
}

/* What cannot be is not added. */
static void add_counters(const struct host__shared *shared, struct cor_session *session) {
    const uint64_t *cells = (const void *)shared->answer->data;
    for (uint32_t i = 0; i < host__counter_cells(session); i++) {
        const uint64_t count = cells[i];
        host__count_add(&session->counters[i], count <= HOST__COUNT_MOST ? count : 0);
    }
}

/* The numbers, of a private copy, once more: whoever reaches the memory may have written over them since. */
static const char *judge_numbers(const struct cor_session *session, const struct cor_task *task,
                                 struct cor_outcome *outcome) {
    char text[sizeof outcome->complaint];
    const bool has_mail = session->algorithm->wake != NULL;
    const bool is_counted =
        has_mail ? outcome->stop == COR_STOP_FAILED || outcome->spent == outcome->rounds
                 : (outcome->rounds | outcome->messages | outcome->messages_lost | outcome->chains) == 0;
    if (!is_counted || !host__counts_judge(task, NULL, outcome, text, sizeof text))
        return "what it counts contradicts itself";
    return NULL;
}

enum cor_status host__reply_take(const struct host__shared *shared, struct cor_session *session,
                                 const struct cor_task *task, struct cor_outcome *outcome,
                                 const char **garbled, struct cor_error *error) {
    const struct host__reply *answer = shared->answer;
    const struct cor_outcome said = answer->outcome; /* a copy, which is then looked at */
    size_t counters = aligned(sizeof(uint64_t) * host__counted_cells(session)), used = answer->used,
           capacity = shared->answer_size - sizeof *answer;
    const uint32_t keeps = answer->keeps, kept_size = answer->kept_size;
    const uint64_t logged = answer->logged;
    const struct host__told told = answer->told;
    struct reading reading = {.from = {.bytes = answer->data,
                                       .size = used <= capacity ? used : capacity,
                                       .at = counters,
                                       .unit = UNIT},
                              .error = error,
                              .agent_count = task->agent_count,
                              .most = host__absurd(task->agent_count)};
    *garbled = NULL;
    const bool has_codes = said.stop > 0 && said.stop < (enum cor_stop)COR_STOP_CODES && said.smoke > 0 &&
                           said.smoke < (enum cor_smoke)COR_SMOKE_CODES;
    if (!has_codes || used < counters)
        garble(&reading, "its verdict on itself is none that there is");
    if (!reading.garbled) {
        take_numbers(outcome, &said);
        reading.garbled = judge_numbers(session, task, outcome);
    }
    uint64_t nothing;
    read_lists(&reading, &outcome->solution, &nothing);
    read_moves(&reading, outcome, said.move_count);
    const size_t count = said.interim_count;
    size_t before = outcome->interim_capacity;
    if (count > reading.from.size / sizeof(struct list_size)) {
        garble(&reading, "it gives more interim solutions than it has written");
    } else {
        reserve(&reading, COR_RESERVE(&outcome->interims, &outcome->interim_capacity, count, reading.error));
        if (is_running(&reading)) {
            for (size_t i = before; i < outcome->interim_capacity; i++)
                cor_lists_init(&outcome->interims[i].solution);
            for (size_t i = 0; i < count && is_running(&reading); i++)
                read_lists(&reading, &outcome->interims[i].solution, &outcome->interims[i].spent);
            outcome->interim_count = is_running(&reading) ? count : 0;
        }
    }
    for (uint32_t i = 0; i < host__counter_cells(session); i++)
        if (((const uint64_t *)(const void *)answer->data)[i] > HOST__COUNT_MOST)
            garble(&reading, "it counted what cannot be");
    read_kept(&reading, &session->kept, keeps, kept_size);
    read_log(&reading, session, &session->log, logged);
    if (shared->request->is_watched && told.is_there && is_running(&reading))
        read_course(&reading, session->algorithm, session->watched, &told, outcome->rounds);
    *garbled = reading.garbled;
    if (is_running(&reading))
        add_counters(shared, session);
    return reading.status;
}

void host__reply_take_rest(const struct host__shared *shared, struct cor_session *session,
                           const struct cor_task *task, struct cor_outcome *outcome) {
    const struct cor_outcome said = shared->answer->outcome;
    char ignored[sizeof outcome->complaint]; /* how it ended says more */
    take_numbers(outcome, &said);
    outcome->smoke = COR_SMOKE_NONE;
    (void)host__counts_judge(task, NULL, outcome, ignored, sizeof ignored);
    add_counters(shared, session);
    uint64_t *cells = (uint64_t *)(void *)shared->answer->data + host__counter_cells(session);
    (void)host__cells_fold(session, cells, ignored, sizeof ignored);
}
