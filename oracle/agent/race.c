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
    if (!outcome->fields || !outcome->plans || !outcome->raised)
        return cor_fail_memory(error);
    return cor_rows_init(&outcome->rows, design, error);
}

void cor_aut_outcome_fini(struct cor_aut_outcome *outcome) {
    free(outcome->fields);
    free(outcome->plans);
    free(outcome->raised);
    free(outcome->starts);
    if (outcome->rows.design)
        cor_rows_fini(&outcome->rows);
    *outcome = (struct cor_aut_outcome){.design = outcome->design};
}

static bool is_of_relation(const struct cor_design *design, uint32_t field) {
    return design->beliefs[design->fields[field].belief].is_relation;
}

/* What an event adds to a start of a plan, or to one of its strands. */
static enum cor_status read_event(struct cor_aut_outcome *outcome, const struct cor_trace *trace,
                                  uint32_t index, struct cor_error *error) {
    const struct cor_trace_event *event = &trace->events[index];
    const bool is_strand =
        event->parent != COR_NONE && trace->events[event->parent].intention != event->intention;
    uint64_t *of = event->parent == COR_NONE ? NULL
                   : is_strand               ? &outcome->starts[trace->event_count + event->intention]
                                             : &outcome->starts[event->parent];
    switch ((enum cor_trace_kind)event->kind) {
    case COR_TRACE_POSTED:
        outcome->raised[event->subject] += event->flag == COR_POSTER_RULE;
        return COR_OK;
    case COR_TRACE_CONTEXT:
        return COR_OK;
    case COR_TRACE_STARTED:
        outcome->starts[index] = cor_hash_word(COR_HASH_SEED, event->plan);
        return COR_OK;
    case COR_TRACE_ENDED:
        outcome->starts[event->parent] =
            cor_hash_word(outcome->starts[event->parent], UINT64_C(1) << 32 | event->flag);
        return COR_OK;
    case COR_TRACE_SENT:
    case COR_TRACE_DID:
        if (of)
            *of = cor_hash_word(*of, (uint64_t)event->kind << 32 | event->subject);
        return COR_OK;
    case COR_TRACE_WROTE:
        if (!is_of_relation(outcome->design, event->subject)) {
            outcome->fields[event->subject] = trace->values[event->value];
            return COR_OK;
        }
        return event->plan == COR_NONE ? COR_OK : judge__change_rows(&outcome->rows, trace, event, error);
    case COR_TRACE_INSERTED:
    case COR_TRACE_REMOVED:
        return judge__change_rows(&outcome->rows, trace, event, error);
    }
    return COR_OK;
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
    COR_TRY(cor_rows_begin(&outcome->rows, asked->event, asked->beliefs, asked->arguments, error));
    outcome->is_quiet = trace->end == COR_TRACE_END_QUIET;
    for (uint32_t i = 0; i < trace->event_count; i++)
        COR_TRY(read_event(outcome, trace, i, error));
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

void cor_judge_interleaved(struct cor_unit_judgement *judgement) {
    judgement->interleaved++;
}

/* Something about no single plan; `last` is a number of the case, with which it is seen once. */
static enum cor_status note(struct cor_unit_judgement *judgement, enum cor_aut_check check, uint32_t subject,
                            uint32_t last, uint32_t index, uint32_t size, struct cor_error *error) {
    uint32_t i = 0;
    while (i < judgement->oddity_count &&
           (judgement->oddities[i].check != check || judgement->oddities[i].subject != subject))
        i++;
    if (i == judgement->oddity_count) {
        COR_TRY(COR_RESERVE(&judgement->oddities, &judgement->oddity_capacity, (size_t)i + 1, error));
        judgement->oddities[judgement->oddity_count++] =
            (struct cor_judged_oddity){.check = check, .plan = COR_NONE, .subject = subject};
    }
    if (judgement->oddities[i].last_case == last)
        return COR_OK;
    judgement->oddities[i].last_case = last;
    judge__see(&judgement->oddities[i].seen, index, size);
    return COR_OK;
}

static enum cor_status find_race(struct cor_unit_judgement *judgement, enum cor_aut_check check,
                                 uint32_t subject, uint32_t index, uint32_t size, struct cor_error *error) {
    return note(judgement, check, subject, judgement->interleaved, index, size, error);
}

/* Was the event of the case handled by a plan of the unit? What others do is judged in their units. */
static bool begins_here(const struct cor_unit_judgement *judgement, const struct cor_trace *trace) {
    uint32_t i = 0;
    while (i < trace->event_count && trace->events[i].kind != COR_TRACE_STARTED)
        i++;
    return judgement->units->units[judgement->unit].kind == COR_UNIT_KIND_EVENT ||
           (i < trace->event_count && judge__is_member(judgement, trace->events[i].plan));
}

/* The plans that were started, in their order, and whether the design says what each does. */
static bool started_alike(const struct cor_design *design, const struct cor_trace *a,
                          const struct cor_trace *b) {
    uint32_t i = 0, j = 0;
    for (;; i++, j++) {
        while (i < a->event_count && a->events[i].kind != COR_TRACE_STARTED)
            i++;
        while (j < b->event_count && b->events[j].kind != COR_TRACE_STARTED)
            j++;
        if (i == a->event_count || j == b->event_count)
            return i == a->event_count && j == b->event_count;
        const struct cor_design_plan *plan = &design->plans[a->events[i].plan];
        if (a->events[i].plan != b->events[j].plan ||
            (plan->code.instruction_count == 0 && plan->writes.count + plan->posts.count > 0))
            return false;
    }
}

enum cor_status cor_judge_rows(struct cor_unit_judgement *judgement, const struct cor_judged_case *judged,
                               const struct cor_trace *trace, const struct cor_trace *designed,
                               struct cor_aut_outcome outcomes[2], struct cor_error *error) {
    const struct cor_design *design = judgement->design;
    COR_TRY(cor_aut_outcome_read(&outcomes[0], judged->asked, trace, error));
    COR_TRY(cor_aut_outcome_read(&outcomes[1], judged->asked, designed, error));
    if (!outcomes[0].is_quiet || !outcomes[1].is_quiet || trace->intention_count > 1 ||
        designed->intention_count > 1 || !started_alike(design, trace, designed) ||
        !begins_here(judgement, trace))
        return COR_OK;
    for (uint32_t b = 0; b < design->belief_count; b++)
        if (design->beliefs[b].is_relation && !cor_rows_equal(&outcomes[0].rows, &outcomes[1].rows, b))
            COR_TRY(note(judgement, COR_AUT_CHECK_ROWS_DIFFER, b, judgement->cases, judged->index,
                         trace->event_count, error));
    return COR_OK;
}

enum cor_status cor_judge_interleaving(struct cor_unit_judgement *judgement,
                                       const struct cor_aut_outcome *first,
                                       const struct cor_aut_outcome *other, uint32_t index, uint32_t size,
                                       struct cor_error *error) {
    const struct cor_design *design = judgement->design;
    if (!first->is_quiet || !other->is_quiet)
        return COR_OK; /* a finding of its own, or a limit: both came only so far */
    for (uint32_t f = 0; f < design->field_count; f++)
        if (!is_of_relation(design, f) && !cor_value_equal(first->fields[f], other->fields[f]) &&
            design->beliefs[design->fields[f].belief].races != COR_RACES_ALLOWED)
            COR_TRY(find_race(judgement, COR_AUT_CHECK_RACE_OVER_BELIEF, f, index, size, error));
    for (uint32_t b = 0; b < design->belief_count; b++)
        if (design->beliefs[b].is_relation && design->beliefs[b].races != COR_RACES_ALLOWED &&
            !cor_rows_equal(&first->rows, &other->rows, b))
            COR_TRY(find_race(judgement, COR_AUT_CHECK_RACE_OVER_BELIEF, design->beliefs[b].first_field,
                              index, size, error));
    for (uint32_t p = 0; p < design->plan_count; p++)
        if (first->plans[p] != other->plans[p])
            COR_TRY(find_race(judgement, COR_AUT_CHECK_RACE_IN_OUTCOME, p, index, size, error));
    for (uint32_t e = 0; e < design->event_count; e++)
        if (first->raised[e] != other->raised[e])
            COR_TRY(find_race(judgement, COR_AUT_CHECK_RACE_OVER_RULE, e, index, size, error));
    return COR_OK;
}
