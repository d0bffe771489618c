/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A judgement before its first case: what of the unit there is to see. */
#include "scratch.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

/* Lists of what a plan may do, in the order of its checks. */
static const struct cor_indices *list_of(const struct cor_design_plan *plan, int list, uint8_t *kind) {
    static const uint8_t kinds[] = {COR_TRACE_POSTED, COR_TRACE_SENT, COR_TRACE_DID, COR_TRACE_WROTE};
    const struct cor_indices *const lists[] = {&plan->posts, &plan->sends, &plan->does, &plan->writes};
    *kind = kinds[list];
    return lists[list];
}

static uint32_t count_uses(const struct cor_design_plan *plan) {
    return plan->posts.count + plan->sends.count + plan->does.count + plan->writes.count;
}

/* Calls of one plan of the ring by another: all if `arcs` is NULL, else filled in; their number. */
static uint32_t list_arcs(const struct cor_unit_judgement *judgement, uint32_t plan,
                          struct cor_judged_arc *arcs) {
    const struct cor_indices *posts = &judgement->design->plans[plan].posts;
    uint32_t count = 0;
    for (uint32_t p = 0; p < posts->count; p++) {
        const struct cor_indices *handlers = &judgement->design->events[posts->items[p]].handlers;
        for (uint32_t h = 0; h < handlers->count; h++) {
            if (!judge__is_member(judgement, handlers->items[h]))
                continue;
            if (arcs)
                arcs[count] = (struct cor_judged_arc){
                    .poster = plan, .event = posts->items[p], .handler = handlers->items[h]};
            count++;
        }
    }
    return count;
}

static enum cor_status make_scratch(struct cor_unit_judgement *judgement, struct cor_error *error) {
    const struct cor_design *design = judgement->design;
    uint32_t slots = design->field_count;
    for (uint32_t e = 0; e < design->event_count; e++)
        if (cor_design_slot_count(design, e) > slots)
            slots = cor_design_slot_count(design, e);
    struct judge__judge_scratch *s = judgement->scratch = cor_calloc(1, sizeof *s);
    COR_TRY(cor_made(s, error));
    s->member_of = cor_calloc(design->plan_count, sizeof *s->member_of);
    s->saw = cor_calloc(judgement->plan_count, sizeof *s->saw);
    s->fields = cor_calloc(design->field_count, sizeof *s->fields);
    s->slots = cor_calloc(slots, sizeof *s->slots);
    s->has_rules = cor_calloc(design->belief_count, sizeof *s->has_rules);
    if (!s->member_of || !s->saw || !s->fields || !s->slots || !s->has_rules)
        return cor_fail_memory(error);
    COR_TRY(cor_rows_init(&s->rows, design, error));
    for (uint32_t r = 0; r < design->rule_count; r++)
        s->has_rules[design->rules[r].belief] = true;
    return COR_OK;
}

/* Events with several handlers have units of their own; one handler is all that an event has in its unit. */
static enum cor_status list_events(struct cor_unit_judgement *judgement, const struct cor_unit *unit,
                                   struct cor_error *error) {
    const struct cor_design *design = judgement->design;
    judgement->events = cor_calloc(judgement->plan_count + 1, sizeof *judgement->events);
    COR_TRY(cor_made(judgement->events, error));
    if (unit->kind == COR_UNIT_KIND_EVENT)
        judgement->events[judgement->event_count++].event = unit->event;
    for (uint32_t m = 0; m < judgement->plan_count && unit->kind != COR_UNIT_KIND_EVENT; m++) {
        const uint32_t event = design->plans[judgement->plans[m].plan].trigger;
        if (design->events[event].handlers.count == 1)
            judgement->events[judgement->event_count++].event = event;
    }
    return COR_OK;
}

enum cor_status cor_unit_judgement_begin(const struct cor_design *design, const struct cor_units *units,
                                         uint32_t unit, struct cor_unit_judgement *judgement,
                                         struct cor_error *error) {
    COR_ASSERT(unit < units->count);
    const struct cor_unit *it = &units->units[unit];
    const uint32_t *members = cor_unit_members(units, it);
    enum cor_status status = COR_OK;
    *judgement = (struct cor_unit_judgement){
        .design = design, .units = units, .unit = unit, .plan_count = it->member_count};
    COR_TRY_OUT(make_scratch(judgement, error));
    uint32_t uses = 0;
    for (uint32_t m = 0; m < judgement->plan_count; m++)
        uses += count_uses(&judgement->design->plans[members[m]]);
    judgement->plans = cor_calloc(judgement->plan_count, sizeof *judgement->plans);
    judgement->uses = cor_calloc(uses, sizeof *judgement->uses);
    if (!judgement->plans || !judgement->uses)
        COR_TRY_OUT(cor_fail_memory(error));
    for (uint32_t m = 0; m < judgement->plan_count; m++) {
        judgement->plans[m] = (struct cor_judged_plan){.plan = members[m], .first_use = judgement->use_count};
        judgement->scratch->member_of[members[m]] = m + 1;
        for (int l = 0; l < 4; l++) {
            uint8_t kind;
            const struct cor_indices *list = list_of(&judgement->design->plans[members[m]], l, &kind);
            for (uint32_t i = 0; i < list->count; i++)
                judgement->uses[judgement->use_count++] =
                    (struct cor_judged_use){.plan = members[m], .subject = list->items[i], .kind = kind};
        }
    }
    if (it->kind == COR_UNIT_KIND_RING) {
        for (uint32_t m = 0; m < judgement->plan_count; m++)
            judgement->arc_count += list_arcs(judgement, members[m], NULL);
        judgement->arcs = cor_calloc(judgement->arc_count, sizeof *judgement->arcs);
        COR_TRY_OUT(cor_made(judgement->arcs, error));
        struct cor_judged_arc *next = judgement->arcs;
        for (uint32_t m = 0; m < judgement->plan_count; m++)
            next += list_arcs(judgement, members[m], next);
    }
    COR_TRY_OUT(list_events(judgement, it, error));
out:
    if (status != COR_OK)
        cor_unit_judgement_fini(judgement);
    return status;
}

void cor_unit_judgement_fini(struct cor_unit_judgement *judgement) {
    struct judge__judge_scratch *scratch = judgement->scratch;
    if (scratch) {
        free(scratch->member_of);
        free(scratch->saw);
        free(scratch->fields);
        free(scratch->slots);
        free(scratch->has_rules);
        free(scratch->hindered);
        free(scratch->strands);
        if (scratch->rows.design)
            cor_rows_fini(&scratch->rows);
        free(scratch->owed);
    }
    free(scratch);
    free(judgement->plans);
    free(judgement->uses);
    free(judgement->arcs);
    free(judgement->events);
    free(judgement->oddities);
    *judgement = (struct cor_unit_judgement){0};
}

void cor_judge_repetition(struct cor_unit_judgement *judgement, uint32_t index, uint32_t size, bool same) {
    judge__see(&judgement->repeated, index, size);
    if (!same)
        judge__see(&judgement->differed, index, size);
}
