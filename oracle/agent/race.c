/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Races: what a case comes to in one interleaving, beside the first. */
#include "scratch.h"

#include <corridor/array.h>
#include <corridor/hash.h>

#include <stdlib.h>
#include <string.h>

enum cor_status cor_aut_outcome_init(struct cor_aut_outcome *outcome, const struct cor_design *design,
                                     struct cor_error *error) {
    *outcome = (struct cor_aut_outcome){.design = design,
                                        .fields = cor_calloc(design->field_count, sizeof *outcome->fields),
                                        .plans = cor_calloc(design->plan_count, sizeof *outcome->plans),
                                        .raised = cor_calloc(design->event_count, sizeof *outcome->raised)};
    return outcome->fields && outcome->plans && outcome->raised ? COR_OK : cor_fail_memory(error);
}

void cor_aut_outcome_fini(struct cor_aut_outcome *outcome) {
    free(outcome->fields);
    free(outcome->plans);
    free(outcome->raised);
    free(outcome->starts);
    *outcome = (struct cor_aut_outcome){.design = outcome->design};
}

/* What an event adds to a start of a plan, or to one of its strands. */
static void read_event(struct cor_aut_outcome *outcome, const struct cor_trace *trace, uint32_t index) {
    const struct cor_trace_event *event = &trace->events[index];
    const bool is_strand =
        event->parent != COR_NONE && trace->events[event->parent].intention != event->intention;
    uint64_t *of = event->parent == COR_NONE ? NULL
                   : is_strand               ? &outcome->starts[trace->event_count + event->intention]
                                             : &outcome->starts[event->parent];
    switch ((enum cor_trace_kind)event->kind) {
    case COR_TRACE_POSTED:
        outcome->raised[event->subject] += event->flag == COR_POSTER_RULE;
        return;
    case COR_TRACE_CONTEXT:
        return;
    case COR_TRACE_STARTED:
        outcome->starts[index] = cor_hash_word(COR_HASH_SEED, event->plan);
        return;
    case COR_TRACE_ENDED:
        outcome->starts[event->parent] =
            cor_hash_word(outcome->starts[event->parent], UINT64_C(1) << 32 | event->flag);
        return;
    case COR_TRACE_SENT:
    case COR_TRACE_DID:
        if (of)
            *of = cor_hash_word(*of, (uint64_t)event->kind << 32 | event->subject);
        return;
    case COR_TRACE_WROTE:
        outcome->fields[event->subject] = trace->values[event->value];
        return;
    }
}

enum cor_status cor_aut_outcome_read(struct cor_aut_outcome *outcome, const struct cor_agent_case *asked,
                                     const struct cor_trace *trace, struct cor_error *error) {
    const struct cor_design *design = outcome->design;
    const uint32_t count = trace->event_count + trace->intention_count;
    COR_TRY(COR_RESERVE(&outcome->starts, &outcome->capacity, count, error));
    memset(outcome->starts, 0, count * sizeof *outcome->starts);
    memset(outcome->plans, 0, design->plan_count * sizeof *outcome->plans);
    memset(outcome->raised, 0, design->event_count * sizeof *outcome->raised);
    if (design->field_count > 0)
        memcpy(outcome->fields, asked->beliefs, design->field_count * sizeof *outcome->fields);
    outcome->is_quiet = trace->end == COR_TRACE_END_QUIET;
    for (uint32_t i = 0; i < trace->event_count; i++)
        read_event(outcome, trace, i);
    /* Sums, so that the order between intentions does not show. */
    for (uint32_t i = 0; i < trace->event_count; i++) {
        const struct cor_trace_event *event = &trace->events[i];
        if (event->kind == COR_TRACE_STARTED)
            outcome->plans[event->plan] += cor_hash_word(outcome->starts[i], 0);
        if (event->parent == COR_NONE || (event->kind != COR_TRACE_SENT && event->kind != COR_TRACE_DID))
            continue;
        uint64_t *strand = &outcome->starts[trace->event_count + event->intention];
        if (trace->events[event->parent].intention != event->intention && *strand != 0)
            outcome->plans[event->plan] += cor_hash_word(*strand, 1);
        if (trace->events[event->parent].intention != event->intention)
            *strand = 0; /* each once */
    }
    return COR_OK;
}

void cor_judge_interleaved(struct cor_judgement *judgement) {
    judgement->interleaved++;
}

/* A race of the case under way, seen once. */
static enum cor_status find_race(struct cor_judgement *judgement, enum cor_aut_check check, uint32_t subject,
                                 uint32_t index, uint32_t size, struct cor_error *error) {
    uint32_t i = 0;
    while (i < judgement->oddity_count &&
           (judgement->oddities[i].check != check || judgement->oddities[i].subject != subject))
        i++;
    if (i == judgement->oddity_count) {
        COR_TRY(COR_RESERVE(&judgement->oddities, &judgement->oddity_capacity, (size_t)i + 1, error));
        judgement->oddities[judgement->oddity_count++] =
            (struct cor_judged_oddity){.check = check, .plan = COR_NONE, .subject = subject};
    }
    if (judgement->oddities[i].last_case == judgement->interleaved)
        return COR_OK;
    judgement->oddities[i].last_case = judgement->interleaved;
    judge__see(&judgement->oddities[i].seen, index, size);
    return COR_OK;
}

enum cor_status cor_judge_interleaving(struct cor_judgement *judgement, const struct cor_aut_outcome *first,
                                       const struct cor_aut_outcome *other, uint32_t index, uint32_t size,
                                       struct cor_error *error) {
    const struct cor_design *design = judgement->design;
    if (!first->is_quiet || !other->is_quiet)
        return COR_OK; /* a finding of its own, or a limit: both came only so far */
    for (uint32_t f = 0; f < design->field_count; f++)
        if (!cor_value_equal(first->fields[f], other->fields[f]) &&
            design->beliefs[design->fields[f].belief].races != COR_RACES_ALLOWED)
            COR_TRY(find_race(judgement, COR_AUT_CHECK_RACE_OVER_BELIEF, f, index, size, error));
    for (uint32_t p = 0; p < design->plan_count; p++)
        if (first->plans[p] != other->plans[p])
            COR_TRY(find_race(judgement, COR_AUT_CHECK_RACE_IN_OUTCOME, p, index, size, error));
    for (uint32_t e = 0; e < design->event_count; e++)
        if (first->raised[e] != other->raised[e])
            COR_TRY(find_race(judgement, COR_AUT_CHECK_RACE_OVER_RULE, e, index, size, error));
    return COR_OK;
}
