/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Appending to a trace, for trace.c and the interpreter. */
#ifndef CORRIDOR_SIM_AGENT_PUSH_H
#define CORRIDOR_SIM_AGENT_PUSH_H

#include <corridor/array.h>
#include <corridor/trace.h>

/* One event more. */
static inline enum cor_status agent__push(struct cor_trace *trace, enum cor_trace_kind kind, uint8_t flag,
                                          uint32_t plan, uint32_t subject, uint32_t parent, uint32_t value,
                                          struct cor_error *error) {
    if (trace->event_count == trace->event_capacity)
        COR_TRY(COR_RESERVE(&trace->events, &trace->event_capacity, (size_t)trace->event_count + 1, error));
    struct cor_trace_event *event = &trace->events[trace->event_count++];
    event->kind = (uint8_t)kind;
    event->flag = flag;
    event->plan = plan;
    event->subject = subject;
    event->parent = parent;
    event->value = value;
    event->intention = trace->intention;
    return COR_OK;
}

/* Room for `count` values more. */
static inline enum cor_status agent__reserve_values(struct cor_trace *trace, uint32_t count,
                                                    struct cor_error *error) {
    if (trace->value_capacity - trace->value_count >= count)
        return COR_OK;
    return COR_RESERVE(&trace->values, &trace->value_capacity, (size_t)trace->value_count + count, error);
}

#endif
