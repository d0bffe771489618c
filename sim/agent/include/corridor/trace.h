/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A trace: what an agent under test reported in one case, in its order. All kinds of agents report through
 * the functions below, so that a trace is built in one way, and what is out of turn is noticed here. */
#ifndef CORRIDOR_TRACE_H
#define CORRIDOR_TRACE_H

#include <corridor/design.h>

/* kind      plan            subject  flag                 value
 * POSTED    who, or NONE    event    enum cor_poster      its first argument among `values`
 * CONTEXT   the handler     event    1: it holds          the POSTED it is about, NONE if there is none
 * STARTED   itself          event    0                    the POSTED that triggered it, NONE if there is none
 * ENDED     itself          event    1: completed         0
 * SENT      who             message  0                    its first argument among `values`
 * DID       who             action   0                    0
 * INSERTED  who             set      0                    the row, among `values`
 * REMOVED   who             set      0                    its key, among `values`
 * WROTE     who, or NONE    field    0                    what was written, among `values`, and of a relation
 * the key of the row; NONE: right behind the case's own post, what the agent begins with otherwise than it
 * was told
 *
 * parent: index of the STARTED event that it happened in, COR_NONE at the top; of an ENDED, that of its own
 * start; of a STARTED and a CONTEXT, that of the plan which posted the event.
 *
 * intention: what goes on in one order by itself. 0 is that of the case; another begins with a post that
 * nothing waits for, or is a strand of a plan, which waits for it. Those of a case are numbered as they
 * begin. */
struct cor_trace_event {
    uint8_t kind; /* enum cor_trace_kind */
    uint8_t flag;
    uint32_t plan, subject; /* wider than 16 bits: a design may have 100,000 plans */
    uint32_t parent, value;
    uint32_t intention;
};

/* A turn that somebody else takes than in the first interleaving: which of those that leave a choice, from 1;
 * the intention that takes it. */
struct cor_said_turn {
    uint32_t at, to;
};

#define COR_TURNS_MOST 4096u /* of one case, given or told */

/* Who posted an event. */
enum cor_poster {
    COR_POSTER_CASE, /* the event of the case itself */
    COR_POSTER_PLAN,
    COR_POSTER_RULE, /* a rule of a belief set, on the plan's write: recorded, not run, in the writer's case
                      */
    COR_POSTER_ASIDE /* a plan that does not wait for it: an intention of its own */
};

/* The trace of one case; memory may serve case after case. Whoever runs the agent sets its end and counts
 * its steps. */
struct cor_trace {
    struct cor_trace_event *events; /* owned */
    uint32_t event_count;
    size_t event_capacity;
    struct cor_value *values; /* owned; arguments and written values */
    uint32_t value_count;
    size_t value_capacity;
    enum cor_trace_end end;
    uint32_t steps; /* taken, as the agent counts them */
    uint32_t open;  /* the innermost STARTED without its ENDED of the intention at hand, COR_NONE: none;
                       of an intention that is there for a post, at its beginning, that of the poster. At
                       the end of a case: of the intention with most steps */
    uint32_t intention, intention_count; /* at hand; that have begun */
    uint32_t posted;             /* the POSTED that the intention at hand is there for, COR_NONE: none */
    struct cor_said_turn *turns; /* owned; of a case that tells them, as many as there is room for */
    uint32_t turn_count;         /* also those for which there was none */
    size_t turn_capacity;        /* made by whoever asks */
    char garbled[256];           /* GARBLED: what was said and what was expected; else empty */
};

/* No events; frees nothing. */
void cor_trace_init(struct cor_trace *trace);

/* Frees what the trace holds. Idempotent. */
void cor_trace_fini(struct cor_trace *trace);

/* No events, not ended; the memory stays for the next case. */
void cor_trace_clear(struct cor_trace *trace);

/* What an agent reports. Each appends one event; COR_STATUS_MEMORY is the only status. Plans, events,
 * messages, actions and fields are those of a design; arguments are as many as the event has parameters. */

/* A post: by the case where no plan is open, else by the innermost open plan. */
enum cor_status cor_trace_posted(struct cor_trace *trace, uint32_t event, const struct cor_value *arguments,
                                 uint32_t argument_count, enum cor_poster poster,
                                 struct cor_error *error) COR_MUST_USE;

/* The context of a handler of `event` was evaluated: for the last post of that event by the open plan. */
enum cor_status cor_trace_context(struct cor_trace *trace, uint32_t plan, uint32_t event, bool holds,
                                  struct cor_error *error) COR_MUST_USE;

/* Another intention is at hand: what is in `trace` of it is the caller's to keep. */
static inline void cor_trace_turn(struct cor_trace *trace, uint32_t intention, uint32_t open,
                                  uint32_t posted) {
    trace->intention = intention;
    trace->open = open;
    trace->posted = posted;
}

/* A plan starts within the open one, for the last post of that event by it. */
enum cor_status cor_trace_started(struct cor_trace *trace, uint32_t plan, uint32_t event,
                                  struct cor_error *error) COR_MUST_USE;

/* The plan that is open ends. */
enum cor_status cor_trace_ended(struct cor_trace *trace, bool completed,
                                struct cor_error *error) COR_MUST_USE;

/* The open plan sent a message, with as many arguments as that has parameters. */
enum cor_status cor_trace_sent(struct cor_trace *trace, uint32_t message, const struct cor_value *arguments,
                               uint32_t argument_count, struct cor_error *error) COR_MUST_USE;

/* The open plan carried out an action. */
enum cor_status cor_trace_did(struct cor_trace *trace, uint32_t action, struct cor_error *error) COR_MUST_USE;

/* The open plan wrote a field. */
enum cor_status cor_trace_wrote(struct cor_trace *trace, uint32_t field, struct cor_value value,
                                struct cor_error *error) COR_MUST_USE;

/* The open plan inserted a row, removed one of such a key, or wrote a field of one: then the key stands
 * behind the value. */
enum cor_status cor_trace_row(struct cor_trace *trace, enum cor_trace_kind kind, uint32_t subject,
                              const struct cor_value *values, uint32_t count,
                              struct cor_error *error) COR_MUST_USE;

/* How many of `values` an event has: arguments, a row, a key, what was written. */
uint32_t cor_trace_value_count(const struct cor_design *design, const struct cor_trace_event *event);

/* The domain of value `index` of an event. */
const struct cor_domain *cor_trace_value_domain(const struct cor_design *design,
                                                const struct cor_trace_event *event, uint32_t index);

/* The plan that is open, COR_NONE: none. */
static inline uint32_t cor_trace_open_plan(const struct cor_trace *trace) {
    return trace->open == COR_NONE ? COR_NONE : trace->events[trace->open].plan;
}

/* Are they equal in events, values, end and steps? */
bool cor_trace_equal(const struct cor_trace *a, const struct cor_trace *b);

/* The trace for people, a line for each event, indented by the plans it happened in, and its end; free() it.
 * NULL when memory is out. */
char *cor_trace_print(const struct cor_design *design, const struct cor_trace *trace);

#endif
