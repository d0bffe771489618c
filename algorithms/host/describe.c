/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "describe.h"

#include <corridor/array.h>
#include <corridor/bytes.h>

#include <stdlib.h>
#include <string.h>

static enum cor_progress no_call(void) {
    COR_ASSERT(false && "code of an algorithm that is loaded elsewhere");
    return COR_FAILED;
}

static enum cor_progress no_begin(void *state, const struct cor_task *task, const struct cor_host *host) {
    (void)state, (void)task, (void)host;
    return no_call();
}

static enum cor_progress no_step(void *state, const struct cor_task *task, const struct cor_host *host,
                                 uint64_t units) {
    (void)state, (void)task, (void)host, (void)units;
    return no_call();
}

static enum cor_progress no_turn(const struct cor_agent *me, const struct cor_rules *rules,
                                 const struct cor_host *host) {
    (void)me, (void)rules, (void)host;
    return no_call();
}

static enum cor_progress no_receive(const struct cor_agent *me, const struct cor_rules *rules,
                                    const struct cor_host *host, const struct cor_message *message) {
    (void)me, (void)rules, (void)host, (void)message;
    return no_call();
}

static void no_end(void *state, const struct cor_host *host) {
    (void)state, (void)host;
    no_call();
}

static void no_garble(void *kept, uint32_t size, struct cor_random *random) {
    (void)kept, (void)size, (void)random;
    no_call();
}

const struct cor_algorithm host__elsewhere = {
    COR_ALGORITHM,      .begin = no_begin, .step = no_step, .wake = no_turn,    .receive = no_receive,
    .result = no_begin, .adopt = no_begin, .end = no_end,   .restart = no_turn, .garble = no_garble,
};

/* Which functions there are: a bit each, in this order. */
enum { BEGIN, STEP, WAKE, RECEIVE, RESULT, ADOPT, END, RESTART, GARBLE };

static uint32_t functions_of(const struct cor_algorithm *a) {
    return (uint32_t)(a->begin != NULL) << BEGIN | (uint32_t)(a->step != NULL) << STEP |
           (uint32_t)(a->wake != NULL) << WAKE | (uint32_t)(a->receive != NULL) << RECEIVE |
           (uint32_t)(a->result != NULL) << RESULT | (uint32_t)(a->adopt != NULL) << ADOPT |
           (uint32_t)(a->end != NULL) << END | (uint32_t)(a->restart != NULL) << RESTART |
           (uint32_t)(a->garble != NULL) << GARBLE;
}

static void give_functions(struct cor_algorithm *algorithm, uint32_t functions) {
#define GIVE(BIT, function) algorithm->function = functions >> BIT & 1 ? host__elsewhere.function : NULL
    GIVE(BEGIN, begin);
    GIVE(STEP, step);
    GIVE(WAKE, wake);
    GIVE(RECEIVE, receive);
    GIVE(RESULT, result);
    GIVE(ADOPT, adopt);
    GIVE(END, end);
    GIVE(RESTART, restart);
    GIVE(GARBLE, garble);
#undef GIVE
}

/* What a description begins with; lists and texts follow, in the order of struct cor_algorithm. */
struct head {
    uint32_t functions, capabilities;
    uint64_t state_size, agent_size;
    uint32_t parameters, constraints, counters, faults, needs; /* lengths */
};

size_t host__description_write(const struct cor_algorithm *a, void *bytes, size_t capacity) {
    struct cor_bytes pen = cor_bytes_into(bytes, capacity);
    struct head head = {.functions = functions_of(a),
                        .capabilities = a->capabilities,
                        .state_size = a->state_size,
                        .agent_size = a->agent_size,
                        .parameters = cor_algorithm_parameter_count(a),
                        .counters = cor_algorithm_counter_count(a),
                        .faults = cor_algorithm_fault_count(a)};
    while (a->constraints && a->constraints[head.constraints])
        head.constraints++;
    while (a->needs && a->needs[head.needs])
        head.needs++;
    cor_bytes_put(&pen, &head, sizeof head);
    cor_bytes_put_text(&pen, a->name);
    cor_bytes_put_text(&pen, a->version);
    cor_bytes_put_text(&pen, a->summary);
    cor_bytes_put_text(&pen, a->budget_unit);
    for (uint32_t i = 0; i < head.parameters; i++) {
        const struct cor_parameter *p = &a->parameters[i];
        cor_bytes_put_real(&pen, p->value);
        cor_bytes_put_real(&pen, p->min);
        cor_bytes_put_real(&pen, p->max);
        cor_bytes_put_number(&pen, p->is_integer == COR_OPTION ? COR_OPTION : p->is_integer != 0, 1);
        cor_bytes_put_text(&pen, p->name);
        cor_bytes_put_text(&pen, p->unit);
        cor_bytes_put_text(&pen, p->meaning);
    }
    for (uint32_t i = 0; i < head.constraints; i++)
        cor_bytes_put_text(&pen, a->constraints[i]);
    for (uint32_t i = 0; i < head.counters; i++) {
        cor_bytes_put_number(&pen, a->counters[i].bucket_count, 4);
        cor_bytes_put_text(&pen, a->counters[i].name);
        cor_bytes_put_text(&pen, a->counters[i].meaning);
    }
    for (uint32_t i = 0; i < head.faults; i++) {
        cor_bytes_put_text(&pen, a->faults[i].name);
        cor_bytes_put_text(&pen, a->faults[i].meaning);
    }
    for (uint32_t i = 0; i < head.needs; i++)
        cor_bytes_put_text(&pen, a->needs[i]);
    return pen.size;
}

/* Texts point into the copy of the bytes that is read. */
static const char *get_text(struct cor_bytes_reader *reading) {
    const char *text = cor_bytes_take_text(reading);
    reading->failed = reading->failed || !cor_is_printable(text);
    return reading->failed ? "?" : text;
}

/* The lists of an algorithm, each with its last, empty entry; then the bytes. */
struct lists {
    struct cor_parameter *parameters;
    const char **constraints;
    struct cor_counter *counters;
    struct cor_fault *faults;
    const char **needs;
};

static void get_lists(struct cor_bytes_reader *reading, const struct head *head, const struct lists *lists) {
    for (uint32_t i = 0; i < head->parameters && !reading->failed; i++) {
        struct cor_parameter *p = &lists->parameters[i];
        p->value = cor_bytes_take_real(reading);
        p->min = cor_bytes_take_real(reading);
        p->max = cor_bytes_take_real(reading);
        const uint64_t whole = cor_bytes_take_number(reading, 1);
        p->is_integer = whole == COR_OPTION ? COR_OPTION : whole != 0;
        p->name = get_text(reading);
        p->unit = get_text(reading);
        p->meaning = get_text(reading);
    }
    for (uint32_t i = 0; i < head->constraints && !reading->failed; i++)
        lists->constraints[i] = get_text(reading);
    for (uint32_t i = 0; i < head->counters && !reading->failed; i++) {
        lists->counters[i].bucket_count = (uint32_t)cor_bytes_take_number(reading, 4);
        lists->counters[i].name = get_text(reading);
        lists->counters[i].meaning = get_text(reading);
    }
    for (uint32_t i = 0; i < head->faults && !reading->failed; i++) {
        lists->faults[i].name = get_text(reading);
        lists->faults[i].meaning = get_text(reading);
    }
    for (uint32_t i = 0; i < head->needs && !reading->failed; i++)
        lists->needs[i] = get_text(reading);
}

enum cor_status host__description_read(const void *bytes, size_t size, const char *origin,
                                       struct host__description *description, struct cor_error *error) {
    struct head head = {0};
    struct lists lists;
    char *copy = NULL;
    *description = (struct host__description){.memory = NULL};
    if (size >= sizeof head)
        memcpy(&head, bytes, sizeof head);
    /* Each entry of a list has a byte at least. */
    if (size < sizeof head || head.parameters > size || head.constraints > size || head.counters > size ||
        head.faults > size || head.needs > size)
        return cor_fail(error, COR_STATUS_PLUGIN, origin, NULL, "what the module says of itself is garbled");
    size_t parameters = ((size_t)head.parameters + 1) * sizeof *lists.parameters,
           constraints = ((size_t)head.constraints + 1) * sizeof *lists.constraints,
           counters = ((size_t)head.counters + 1) * sizeof *lists.counters,
           faults = ((size_t)head.faults + 1) * sizeof *lists.faults,
           needs = ((size_t)head.needs + 1) * sizeof *lists.needs;
    unsigned char *made = description->memory =
        cor_calloc(1, parameters + constraints + counters + faults + needs + size);
    COR_TRY(cor_made(made, error));
    lists.parameters = (void *)made;
    lists.constraints = (void *)(made + parameters);
    lists.counters = (void *)(made + parameters + constraints);
    lists.faults = (void *)(made + parameters + constraints + counters);
    lists.needs = (void *)(made + parameters + constraints + counters + faults);
    copy = (char *)made + parameters + constraints + counters + faults + needs;
    memcpy(copy, bytes, size);
    struct cor_bytes_reader reading = cor_bytes_reader(copy, size);
    reading.at = sizeof head;
    struct cor_algorithm *a = &description->algorithm;
    *a = (struct cor_algorithm){COR_ALGORITHM,
                                .capabilities = head.capabilities,
                                .state_size = head.state_size,
                                .agent_size = head.agent_size,
                                .parameters = lists.parameters,
                                .constraints = lists.constraints,
                                .counters = lists.counters,
                                .faults = lists.faults,
                                .needs = lists.needs};
    a->name = get_text(&reading);
    a->version = get_text(&reading);
    a->summary = get_text(&reading);
    a->budget_unit = get_text(&reading);
    get_lists(&reading, &head, &lists);
    give_functions(a, head.functions);
    if (!reading.failed)
        return COR_OK;
    host__description_fini(description);
    return cor_fail(error, COR_STATUS_PLUGIN, origin, "use UTF-8 without control characters in its texts",
                    "what the module says of itself is garbled");
}

void host__description_fini(struct host__description *description) {
    free(description->memory);
    *description = (struct host__description){.memory = NULL};
}
