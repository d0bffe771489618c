/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "channel.h"

#include <corridor/array.h>
#include <corridor/aut_session.h>

#include <math.h>
#include <stdalign.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

/* Arenas of a batch: room for one trace of the largest size, and for others. */
#define EVENT_ROOM (2 * AGENTS__EVENTS_MOST)
#define VALUE_ROOM (2 * AGENTS__VALUES_MOST)
#define TEXT_ROOM (16 * AGENTS__TEXT_MOST)

/* Puts a part of `count` items behind those before. */
static size_t place(size_t *size, size_t count, size_t item_size) {
    size_t start = (*size + alignof(max_align_t) - 1) / alignof(max_align_t) * alignof(max_align_t);
    *size = start + count * item_size;
    return start;
}

void agents__cases_measure(struct agents__cases *cases, const struct cor_design *design) {
    uint32_t most = 0;
    for (uint32_t i = 0; i < design->event_count; i++)
        if (design->events[i].parameter_count > most)
            most = design->events[i].parameter_count;
    cases->design = design;
    cases->argument_most = most;
    cases->input_count = most + design->field_count;
}

void agents__cases_put(struct agents__cases *cases, uint32_t index, const struct cor_agent_case *asked) {
    struct cor_value *inputs = cases->inputs + (size_t)index * cases->input_count;
    uint32_t arguments = cases->design->events[asked->event].parameter_count;
    struct cor_agent_case *put = &cases->cases[index];
    *put = *asked;
    put->arguments = inputs;
    put->beliefs = inputs + cases->argument_most;
    for (uint32_t i = 0; i < arguments; i++)
        inputs[i] = asked->arguments[i];
    for (uint32_t i = arguments; i < cases->argument_most; i++)
        inputs[i] = cor_null();
    for (uint32_t i = 0; i < cases->design->field_count; i++)
        inputs[cases->argument_most + i] = asked->beliefs[i];
}

static bool same_values(const struct cor_value *a, const struct cor_value *b, uint32_t count) {
    uint32_t i = 0;
    while (i < count && cor_value_equal(a[i], b[i]))
        i++;
    return i == count;
}

bool agents__cases_hold(const struct agents__cases *cases, uint32_t index,
                        const struct cor_agent_case *asked) {
    const struct cor_agent_case *put = &cases->cases[index];
    return put->event == asked->event && put->seed == asked->seed && put->steps == asked->steps &&
           put->rounds == asked->rounds && put->interleaving == asked->interleaving &&
           same_values(put->arguments, asked->arguments,
                       cases->design->events[asked->event].parameter_count) &&
           same_values(put->beliefs, asked->beliefs, cases->design->field_count);
}

enum cor_status agents__channel_init(struct agents__channel *channel, const struct cor_design *design,
                                     struct cor_error *error) {
    *channel = (struct agents__channel){.design = design};
    agents__cases_measure(&channel->cases, design);
    size_t size = 0, inputs = (size_t)AGENTS__BATCH * channel->cases.input_count;
    size_t head = place(&size, 1, sizeof *channel->head);
    size_t hello = place(&size, AGENTS__HELLO_TEXT, 1);
    size_t triggers = place(&size, design->plan_count, sizeof *channel->triggers);
    size_t cases = place(&size, AGENTS__BATCH, sizeof *channel->cases.cases);
    size_t input = place(&size, inputs, sizeof *channel->cases.inputs);
    size_t slots = place(&size, AGENTS__BATCH, sizeof *channel->slots);
    size_t events = place(&size, EVENT_ROOM, sizeof *channel->events);
    size_t values = place(&size, VALUE_ROOM, sizeof *channel->values);
    size_t text = place(&size, TEXT_ROOM, 1);
    char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return cor_fail_memory(error);
    channel->memory = memory;
    channel->size = size;
    channel->head = (void *)(memory + head);
    channel->hello = memory + hello;
    channel->triggers = (void *)(memory + triggers);
    channel->cases.cases = (void *)(memory + cases);
    channel->cases.inputs = (void *)(memory + input);
    channel->slots = (void *)(memory + slots);
    channel->events = (void *)(memory + events);
    channel->values = (void *)(memory + values);
    channel->text = memory + text;
    return COR_OK;
}

void agents__channel_fini(struct agents__channel *channel) {
    if (channel->memory)
        munmap(channel->memory, channel->size);
    *channel = (struct agents__channel){0};
}

void agents__channel_put(struct agents__channel *channel, const struct agents__cases *cases, uint32_t first,
                         uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        agents__cases_put(&channel->cases, i, &cases->cases[first + i]);
        channel->slots[i] = (struct agents__slot){.trace = {.open = COR_NONE, .intention_count = 1}};
    }
}

bool agents__channel_open(struct agents__channel *channel, uint32_t index) {
    struct agents__slot *slot = &channel->slots[index];
    *slot = (struct agents__slot){.trace = {.intention_count = 1}};
    if (index > 0) {
        const struct agents__slot *before = slot - 1;
        slot->first_event = before->first_event + before->trace.event_count;
        slot->first_value = before->first_value + before->trace.value_count;
        slot->first_text = before->first_text + before->text_size;
    }
    if (slot->first_event > EVENT_ROOM - AGENTS__EVENTS_MOST ||
        slot->first_value > VALUE_ROOM - AGENTS__VALUES_MOST ||
        slot->first_text > TEXT_ROOM - AGENTS__TEXT_MOST)
        return false;
    cor_trace_init(&slot->trace);
    slot->trace.events = channel->events + slot->first_event;
    slot->trace.event_capacity = AGENTS__EVENTS_MOST;
    slot->trace.values = channel->values + slot->first_value;
    slot->trace.value_capacity = AGENTS__VALUES_MOST;
    return true;
}

/* Numbers that a trace of this design cannot have would lead readers of the trace astray. */
static bool event_can_be(const struct cor_design *design, const struct cor_trace *trace, uint32_t index) {
    const struct cor_trace_event *event = &trace->events[index];
    const struct cor_trace_event *parent = event->parent < index ? &trace->events[event->parent] : NULL;
    if (event->parent != COR_NONE && (!parent || parent->kind != COR_TRACE_STARTED))
        return false;
    if (event->intention >= trace->intention_count)
        return false;
    bool by_plan = event->plan < design->plan_count;
    bool of_post = event->value == COR_NONE ||
                   (event->value < index && trace->events[event->value].kind == COR_TRACE_POSTED);
    switch (event->kind) {
    case COR_TRACE_POSTED:
        return (event->flag == COR_POSTER_CASE ? event->plan == COR_NONE : by_plan && parent != NULL) &&
               event->flag <= COR_POSTER_ASIDE && event->subject < design->event_count &&
               event->value <= trace->value_count &&
               design->events[event->subject].parameter_count <= trace->value_count - event->value;
    case COR_TRACE_CONTEXT:
    case COR_TRACE_STARTED:
        return event->flag <= 1 && by_plan && event->subject < design->event_count && of_post;
    case COR_TRACE_ENDED:
        return event->flag <= 1 && by_plan && parent && event->subject < design->event_count;
    case COR_TRACE_SENT:
        return by_plan && parent && event->subject < design->message_count;
    case COR_TRACE_DID:
        return by_plan && parent && event->subject < design->action_count;
    case COR_TRACE_WROTE:
        return (by_plan ? parent != NULL : event->plan == COR_NONE && !parent) &&
               event->subject < design->field_count && event->value <= trace->value_count &&
               (by_plan ? cor_trace_value_count(design, event) : 1) <= trace->value_count - event->value;
    case COR_TRACE_INSERTED:
    case COR_TRACE_REMOVED:
        return by_plan && parent && event->subject < design->belief_count &&
               design->beliefs[event->subject].is_relation && event->value <= trace->value_count &&
               cor_trace_value_count(design, event) <= trace->value_count - event->value;
    default:
        return false;
    }
}

/* A new word lies among the texts of its slot, with its 0. */
static const char *new_word(const struct agents__channel *channel, const struct agents__slot *slot,
                            uint32_t offset) {
    const char *text = channel->text + slot->first_text + offset;
    if (offset >= slot->text_size || !memchr(text, '\0', slot->text_size - offset) || !cor_is_printable(text))
        return NULL;
    return text;
}

/* Looks at the values of a trace that was copied; false: one of them cannot be. */
static bool values_can_be(const struct agents__channel *channel, const struct agents__slot *slot,
                          uint32_t known_words, struct cor_words *words, struct cor_trace *trace,
                          enum cor_status *status, struct cor_error *error) {
    for (uint32_t i = 0; i < trace->value_count; i++) {
        struct cor_value *value = &trace->values[i];
        if (value->kind > COR_VALUE_WORD || (value->kind == COR_VALUE_REAL && !isfinite(value->as.real)))
            return false;
        if (value->kind != COR_VALUE_WORD || value->as.word < known_words)
            continue;
        const char *text = NULL;
        if (value->as.word & AGENTS__NEW_WORD)
            text = new_word(channel, slot, value->as.word & ~AGENTS__NEW_WORD);
        if (!text)
            return false;
        *status = cor_words_intern(words, text, &value->as.word, error);
        if (*status != COR_OK)
            return true;
    }
    return true;
}

static bool slot_can_be(const struct agents__slot *slot) {
    return slot->trace.event_count <= AGENTS__EVENTS_MOST && slot->trace.value_count <= AGENTS__VALUES_MOST &&
           slot->text_size <= AGENTS__TEXT_MOST && slot->first_event <= EVENT_ROOM - AGENTS__EVENTS_MOST &&
           slot->first_value <= VALUE_ROOM - AGENTS__VALUES_MOST &&
           slot->first_text <= TEXT_ROOM - AGENTS__TEXT_MOST && slot->trace.intention_count >= 1 &&
           slot->trace.intention_count <= COR_INTENTIONS_MOST &&
           (slot->trace.open == COR_NONE || slot->trace.open < slot->trace.event_count) &&
           (unsigned)slot->trace.end < (unsigned)COR_TRACE_END_CODES;
}

static void spoil(struct cor_trace *trace, bool *spoilt) {
    cor_trace_clear(trace);
    trace->end = COR_TRACE_END_GARBLED;
    snprintf(trace->garbled, sizeof trace->garbled, "the agent wrote over memory of its host");
    *spoilt = true;
}

enum cor_status agents__channel_take(const struct agents__channel *channel, uint32_t index,
                                     uint32_t known_words, struct cor_words *words, struct cor_trace *trace,
                                     bool *spoilt, struct cor_error *error) {
    *spoilt = false;
    struct agents__slot slot =
        channel->slots[index]; /* first a copy, which does not change while it is looked at */
    if (!slot_can_be(&slot)) {
        spoil(trace, spoilt);
        return COR_OK;
    }
    uint32_t events = slot.trace.event_count, values = slot.trace.value_count;
    COR_TRY(COR_RESERVE(&trace->events, &trace->event_capacity, events, error));
    COR_TRY(COR_RESERVE(&trace->values, &trace->value_capacity, values, error));
    if (events > 0)
        memcpy(trace->events, channel->events + slot.first_event, events * sizeof *trace->events);
    if (values > 0)
        memcpy(trace->values, channel->values + slot.first_value, values * sizeof *trace->values);
    trace->event_count = events;
    trace->value_count = values;
    trace->end = slot.trace.end;
    trace->steps = slot.trace.steps;
    trace->open = slot.trace.open;
    trace->intention_count = slot.trace.intention_count;
    snprintf(trace->garbled, sizeof trace->garbled, "%.*s", (int)sizeof slot.trace.garbled - 1,
             slot.trace.garbled);
    agents__make_printable(trace->garbled);
    enum cor_status status = COR_OK;
    uint32_t sound = 0;
    while (sound < events && event_can_be(channel->design, trace, sound))
        sound++;
    bool can_be = sound == events &&
                  (trace->open == COR_NONE || trace->events[trace->open].kind == COR_TRACE_STARTED) &&
                  values_can_be(channel, &slot, known_words, words, trace, &status, error);
    if (status == COR_OK && !can_be)
        spoil(trace, spoilt);
    return status;
}
