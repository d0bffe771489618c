/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What judging one case needs, and the sightings of it. */
#ifndef CORRIDOR_ORACLE_AGENT_SCRATCH_H
#define CORRIDOR_ORACLE_AGENT_SCRATCH_H

#include <corridor/judge.h>
#include <corridor/rows.h>

/* What a case showed of a plan of the unit. */
enum {
    SAW_CONSIDERED = 1,
    SAW_HELD = 2,
    SAW_NOT_HELD = 4,
    SAW_DIFFERS = 8,
    SAW_STARTED = 16,
    SAW_COMPLETED = 32,
    SAW_FAILED = 64,
    SAW_FAILED_BY_ITSELF = 128,
    SAW_DUE = 256,  /* the context of the design holds */
    SAW_UNDUE = 512 /* it does not */
};

/* A rule of a belief set that is to have posted its event by the end of the plan that wrote. */
struct judge__owed {
    uint32_t rule, writer; /* the STARTED event of the writer */
};

struct judge__judge_scratch {
    uint32_t *member_of;      /* owned; [plan] 1 + index among the members, 0 = none */
    uint16_t *saw;            /* owned; [member] */
    struct cor_value *fields; /* owned; as they were given and written since */
    struct cor_value *slots;  /* owned; room for those of any plan */
    bool *has_rules;          /* owned; [belief set] */
    struct cor_rows rows;     /* of relations, as they were given and changed since */
    uint8_t *hindered;        /* owned; [event of the trace] a STARTED: what it posted last failed */
    size_t hindered_capacity;
    struct judge__strand {
        uint32_t of; /* the STARTED event of the plan that waits for it; COR_NONE: it did nothing yet */
        uint8_t hindered;
    } * strands; /* owned; [intention] those that are strands */
    size_t strand_capacity;
    struct judge__owed *owed; /* owned */
    uint32_t owed_count;
    size_t owed_capacity;
};

/* The trace is of this case and unit. */
static inline bool judge__is_member(const struct cor_unit_judgement *judgement, uint32_t plan) {
    return plan != COR_NONE && judgement->scratch->member_of[plan] > 0;
}

/* Does the STARTED event answer a post that nothing waits for? */
static inline bool judge__is_aside(const struct cor_trace *trace, const struct cor_trace_event *started) {
    return started->value != COR_NONE && trace->events[started->value].flag == COR_POSTER_ASIDE;
}

/* Is the plan said not to be there yet? */
static inline bool judge__is_unbuilt(const struct cor_unit_judgement *judgement, uint32_t plan) {
    return judgement->unbuilt && plan != COR_NONE && judgement->unbuilt[plan];
}

/* A handler of the event that is not there yet; COR_NONE: all are. */
static inline uint32_t judge__unbuilt_handler(const struct cor_unit_judgement *judgement, uint32_t event) {
    const struct cor_indices *handlers = &judgement->design->events[event].handlers;
    for (uint32_t h = 0; h < handlers->count && judgement->unbuilt; h++)
        if (judgement->unbuilt[handlers->items[h]])
            return handlers->items[h];
    return COR_NONE;
}

/* The judged plan of that number; it is a member. */
static inline struct cor_judged_plan *judge__judged_plan(const struct cor_unit_judgement *judgement,
                                                         uint32_t plan) {
    COR_ASSERT(judge__is_member(judgement, plan));
    return &judgement->plans[judgement->scratch->member_of[plan] - 1];
}

/* Rows as an event of a trace changes them; of a write to a row that is not there, nothing. */
static inline enum cor_status judge__change_rows(struct cor_rows *rows, const struct cor_trace *trace,
                                                 const struct cor_trace_event *event,
                                                 struct cor_error *error) {
    const struct cor_value *values = trace->values + event->value;
    if (event->kind == COR_TRACE_INSERTED)
        return cor_rows_insert(rows, event->subject, values, error);
    if (event->kind == COR_TRACE_REMOVED) {
        cor_rows_remove(rows, event->subject, values);
        return COR_OK;
    }
    const uint32_t belief = rows->design->fields[event->subject].belief;
    struct cor_value *row = cor_rows_find(rows, belief, values + 1);
    if (row)
        row[event->subject - rows->design->beliefs[belief].first_field] = values[0];
    return COR_OK;
}

/* One more case in which something was seen; `size` is its number of events. */
static inline void judge__see(struct cor_sightings *sightings, uint32_t index, uint32_t size) {
    if (sightings->hit++ == 0 || size < sightings->size) {
        sightings->smallest = index;
        sightings->size = size;
    }
}

/* Uses of a member: those of plans[member]. */
static inline uint32_t judge__uses_end(const struct cor_unit_judgement *judgement, uint32_t member) {
    return member + 1 < judgement->plan_count ? judgement->plans[member + 1].first_use : judgement->use_count;
}

#endif
