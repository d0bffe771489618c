/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A unit whose cases are judged: what was never seen, what was seen and should not be, and what of it
 * explains the rest. */
#include "scratch.h"

#include <corridor/array.h>

#include <stdlib.h>

/* What a check means for others. */
enum {
    NOT_SEEN = 1,     /* something was not seen, or not done to the end: what cuts cases short explains it */
    LEFT_OUT = 2,     /* a plan never did something that is its own */
    OF_RING = 4,      /* about going round */
    BREAKS = 8,       /* keeps a plan from working as designed, and so explains what others do not do */
    STALLS = 16,      /* ... by keeping it, or what it is to leave behind, from happening at all */
    FOLLOWS = 32,     /* can come from a unit below */
    OF_AGENT = 64,    /* about the agent as a whole: comes from below only if it is found there, too */
    OF_CONTEXT = 128, /* a plan is applicable otherwise than designed: what an event finds follows from it */
    OF_RACE = 512,    /* about what depends on who takes turns with whom */
    OF_EVENT = 256    /* about what an event finds: what plans do then is no cause of it */
};

static unsigned traits(enum cor_aut_check check) {
    static const unsigned of[COR_AUT_CHECK_CODES] = {
        [COR_AUT_CHECK_PLAN_NOT_WIRED] = NOT_SEEN | BREAKS | STALLS | OF_CONTEXT,
        [COR_AUT_CHECK_PLAN_NEVER_CHOSEN] = NOT_SEEN,
        [COR_AUT_CHECK_CONTEXT_NEVER_TRUE] = NOT_SEEN | BREAKS | STALLS | OF_CONTEXT,
        [COR_AUT_CHECK_CONTEXT_NEVER_FALSE] = NOT_SEEN | BREAKS | STALLS | OF_CONTEXT,
        [COR_AUT_CHECK_CONTEXT_DIFFERS] = BREAKS | STALLS | OF_CONTEXT,
        [COR_AUT_CHECK_EVENT_NEVER_POSTED] = NOT_SEEN | LEFT_OUT | BREAKS | FOLLOWS,
        [COR_AUT_CHECK_MESSAGE_NEVER_SENT] = NOT_SEEN | LEFT_OUT | FOLLOWS,
        [COR_AUT_CHECK_ACTION_NEVER_DONE] = NOT_SEEN | LEFT_OUT | FOLLOWS,
        [COR_AUT_CHECK_BELIEF_NEVER_WRITTEN] = NOT_SEEN | LEFT_OUT | BREAKS | STALLS | FOLLOWS,
        [COR_AUT_CHECK_WRITE_NOT_IN_DESIGN] = BREAKS | STALLS,
        [COR_AUT_CHECK_ARGUMENT_OUTSIDE] = BREAKS | STALLS,
        [COR_AUT_CHECK_PLAN_NOT_COMPLETED] = NOT_SEEN | BREAKS | STALLS | FOLLOWS,
        [COR_AUT_CHECK_PLAN_FAILED] = NOT_SEEN | BREAKS | STALLS | FOLLOWS,
        [COR_AUT_CHECK_CYCLE_NEVER_OCCURS] = NOT_SEEN | OF_RING | FOLLOWS,
        [COR_AUT_CHECK_CYCLE_ENDLESS] = OF_RING | BREAKS | STALLS | FOLLOWS,
        [COR_AUT_CHECK_CYCLE_ARC_UNUSED] = NOT_SEEN | OF_RING | FOLLOWS,
        [COR_AUT_CHECK_EVENT_NOT_COVERED] = NOT_SEEN | BREAKS | STALLS | FOLLOWS | OF_EVENT,
        [COR_AUT_CHECK_EVENT_OVERLAP] = BREAKS | FOLLOWS | OF_EVENT,
        [COR_AUT_CHECK_EVENT_NEVER_RAISED] = NOT_SEEN | BREAKS | STALLS | FOLLOWS | OF_EVENT,
        [COR_AUT_CHECK_DECLARATION_TOO_WEAK] = FOLLOWS | OF_EVENT,
        [COR_AUT_CHECK_BELIEF_RULE_SILENT] = NOT_SEEN | BREAKS | STALLS,
        [COR_AUT_CHECK_BELIEF_OUTSIDE] = BREAKS | STALLS,
        [COR_AUT_CHECK_BELIEF_START_DIFFERS] = OF_AGENT | BREAKS | STALLS | OF_CONTEXT,
        [COR_AUT_CHECK_RACE_OVER_BELIEF] = OF_RACE | FOLLOWS,
        [COR_AUT_CHECK_RACE_IN_OUTCOME] = OF_RACE | FOLLOWS,
        [COR_AUT_CHECK_RACE_OVER_RULE] = OF_RACE | FOLLOWS,
        [COR_AUT_CHECK_ROWS_DIFFER] = BREAKS | STALLS | FOLLOWS,
        [COR_AUT_CHECK_AGENT_CRASHED] = OF_AGENT | BREAKS | STALLS,
        [COR_AUT_CHECK_AGENT_HUNG] = OF_AGENT | BREAKS | STALLS,
        [COR_AUT_CHECK_AGENT_EXITED] = OF_AGENT | BREAKS | STALLS,
        [COR_AUT_CHECK_AGENT_GARBLED] = OF_AGENT | BREAKS | STALLS,
        [COR_AUT_CHECK_AGENT_NOT_REPEATABLE] = OF_AGENT | BREAKS | STALLS,
    };
    return of[check];
}

bool cor_finding_needs_intention(const struct cor_finding *finding) {
    switch (finding->check) {
    case COR_AUT_CHECK_PLAN_FAILED:
    case COR_AUT_CHECK_PLAN_NEVER_CHOSEN:
    case COR_AUT_CHECK_PLAN_NOT_COMPLETED:
    case COR_AUT_CHECK_CYCLE_NEVER_OCCURS:
    case COR_AUT_CHECK_CYCLE_ENDLESS:
    case COR_AUT_CHECK_CYCLE_ARC_UNUSED:
        return true;
    default:
        return traits(finding->check) & LEFT_OUT;
    }
}

bool cor_finding_is_of_limit(const struct cor_finding *finding) {
    return finding->check == COR_AUT_CHECK_PLAN_NOT_COMPLETED ||
           finding->check == COR_AUT_CHECK_CYCLE_ENDLESS;
}

bool cor_finding_is_of_all(const struct cor_finding *finding) {
    return cor_aut_check_is_of_all((int)finding->check);
}

bool cor_finding_is_race(const struct cor_finding *finding) {
    return traits(finding->check) & OF_RACE;
}

/* A unit on its way to its findings. */
struct verdict {
    const struct cor_unit_judgement *judgement;
    const struct cor_judge_context *context;
    struct cor_findings *findings;
    uint32_t first; /* of this unit */
    struct cor_error *error;
    enum cor_status status;
};

/* What an event's own cases say of one of its plans. */
static const struct cor_judged_plan *in_own_cases(const struct verdict *verdict, uint32_t plan) {
    /* The judgement of an event's own cases, NULL if there is none. */
    const struct cor_unit_judgement *own =
        verdict->context->events ? verdict->context->events[verdict->judgement->design->plans[plan].trigger]
                                 : NULL;
    return own && judge__is_member(own, plan) ? judge__judged_plan(own, plan) : NULL;
}

static void find(struct verdict *verdict, enum cor_aut_check check, uint32_t plan, uint32_t subject,
                 const struct cor_sightings *seen, uint32_t run) {
    struct cor_findings *findings = verdict->findings;
    const struct cor_term *term = cor_term(COR_FAMILY_AUT_CHECK, (int)check);
    if (verdict->status != COR_OK)
        return;
    verdict->status =
        COR_RESERVE(&findings->items, &findings->capacity, (size_t)findings->count + 1, verdict->error);
    if (verdict->status != COR_OK)
        return;
    findings->items[findings->count++] = (struct cor_finding){
        .check = check,
        .severity = (enum cor_severity)cor_term_number(COR_FAMILY_SEVERITY, term->rule),
        .unit = verdict->judgement->unit,
        .plan = plan,
        .subject = subject,
        .hit = seen->hit,
        .run = run,
        .smallest = seen->smallest,
        .cause = COR_CAUSE_ROOT,
        .cause_unit = COR_NONE,
    };
}

/* The finding that was just found is of another severity than its check is for most. */
static void weigh(struct verdict *verdict, enum cor_severity severity) {
    if (verdict->status == COR_OK)
        verdict->findings->items[verdict->findings->count - 1].severity = severity;
}

/* What the design itself shows of a plan in the same cases; NULL: it was not asked, or has no body. */
static const struct cor_judged_plan *as_designed(const struct verdict *verdict, uint32_t member) {
    const struct cor_unit_judgement *intended = verdict->context->intended;
    const struct cor_unit_judgement *j = verdict->judgement;
    const bool has_body = j->design->plans[j->plans[member].plan].code.instruction_count > 0;
    return intended && has_body ? &intended->plans[member] : NULL;
}

/* In as many cases, and first in the same one. */
static bool are_alike(const struct cor_sightings *a, const struct cor_sightings *b) {
    return a->hit == b->hit && a->smallest == b->smallest;
}

static bool is_never_chosen(const struct cor_judged_plan *plan) {
    return plan->applicable.hit > 0 && plan->started_valid.hit == 0;
}

static bool is_never_true(const struct cor_judged_plan *plan) {
    return plan->considered.hit > 0 && plan->held.hit == 0 && plan->started.hit == 0;
}

bool cor_unit_judgement_asks(const struct cor_unit_judgement *judgement, uint32_t event) {
    const struct cor_design *design = judgement->design;
    if (judgement->units->units[judgement->unit].kind == COR_UNIT_KIND_EVENT ||
        design->events[event].handlers.count < 2)
        return false;
    for (uint32_t m = 0; m < judgement->plan_count; m++) {
        const struct cor_judged_plan *plan = &judgement->plans[m];
        if (design->plans[plan->plan].trigger == event &&
            (is_never_chosen(plan) || (plan->differs.hit > 0 && !is_never_true(plan))))
            return true;
    }
    return false;
}

static void judge_uses(struct verdict *verdict, uint32_t member) {
    static const struct {
        uint8_t kind;
        enum cor_aut_check never;
    } checks[] = {{COR_TRACE_POSTED, COR_AUT_CHECK_EVENT_NEVER_POSTED},
                  {COR_TRACE_SENT, COR_AUT_CHECK_MESSAGE_NEVER_SENT},
                  {COR_TRACE_DID, COR_AUT_CHECK_ACTION_NEVER_DONE},
                  {COR_TRACE_WROTE, COR_AUT_CHECK_BELIEF_NEVER_WRITTEN}};
    const struct cor_unit_judgement *j = verdict->judgement;
    const struct cor_unit_judgement *intended = verdict->context->intended;
    const struct cor_judged_plan *plan = &j->plans[member], *designed = as_designed(verdict, member);
    const struct cor_sightings *completed = &plan->completed;
    const bool is_designed = designed != NULL;
    /* a plan that gives up where the design does has been as far as that */
    const bool gives_up = designed && plan->failed.hit > 0 && plan->failed.hit == designed->failed.hit &&
                          plan->started_valid.hit == designed->started_valid.hit;
    for (uint32_t u = plan->first_use; u < judge__uses_end(j, member) && (completed->hit > 0 || gives_up);
         u++) {
        /* the cases in which it was to: those in which the design does it; without a body, in all */
        const struct cor_sightings *wanted = is_designed ? &intended->uses[u].seen : completed;
        size_t c = 0;
        while (checks[c].kind != j->uses[u].kind)
            c++;
        if (j->uses[u].seen.hit == 0 && wanted->hit > 0)
            find(verdict, checks[c].never, j->uses[u].plan, j->uses[u].subject, wanted, wanted->hit);
    }
}

/* A context that is never true, or never false, is held against the agent in the cases in which the design
 * says otherwise; if there are none, the cases do not show it, and that is all there is to note. */
static void judge_context(struct verdict *verdict, const struct cor_judged_plan *plan,
                          const struct cor_judged_plan *own) {
    const uint32_t evaluated = plan->considered.hit;
    const bool never_true = is_never_true(plan);
    /* Its context did not fail to hold where that of the design does. */
    if (never_true || (verdict->judgement->design->plans[plan->plan].code.has_context &&
                       plan->failed_to_hold.hit == 0 && plan->differs.hit == plan->undue.hit)) {
        const struct cor_sightings *shown = never_true ? &plan->due : &plan->undue;
        if (!never_true && shown->hit > 0 && own && own->told.hit > 0)
            return; /* said of the event */
        find(verdict, never_true ? COR_AUT_CHECK_CONTEXT_NEVER_TRUE : COR_AUT_CHECK_CONTEXT_NEVER_FALSE,
             plan->plan, plan->plan, shown->hit > 0 ? shown : &plan->considered, evaluated);
        if (shown->hit == 0)
            weigh(verdict, COR_SEVERITY_NOTE);
        if (!verdict->context->is_of_one)
            return;
    }
    if (plan->differs.hit > 0 && !(own && own->told.hit > 0))
        find(verdict, COR_AUT_CHECK_CONTEXT_DIFFERS, plan->plan, plan->plan, &plan->differs, evaluated);
}

static void judge_plan(struct verdict *verdict, uint32_t member) {
    const struct cor_unit_judgement *j = verdict->judgement;
    const struct cor_judged_plan *plan = &j->plans[member];
    const struct cor_judged_plan *own = in_own_cases(verdict, plan->plan);
    if (judge__is_unbuilt(j, plan->plan)) {
        find(verdict, COR_AUT_CHECK_NOT_BUILT, plan->plan, plan->plan, &j->all, j->cases);
        return;
    }
    if (plan->considered.hit == 0) {
        find(verdict, COR_AUT_CHECK_PLAN_NOT_WIRED, plan->plan, plan->plan, &j->all, j->cases);
        return;
    }
    const struct cor_judged_plan *designed = as_designed(verdict, member);
    if (is_never_chosen(plan) && !(own && own->started_valid.hit > 0)) {
        find(verdict, COR_AUT_CHECK_PLAN_NEVER_CHOSEN, plan->plan, plan->plan, &plan->applicable,
             plan->applicable.hit);
        if (!plan->has_turn && !(own && own->has_turn) && !(designed && designed->started_valid.hit > 0))
            weigh(verdict, COR_SEVERITY_NOTE); /* in no case it was its turn */
    }
    judge_context(verdict, plan, own);
    judge_uses(verdict, member);
    if (plan->open.hit > 0) {
        find(verdict, COR_AUT_CHECK_PLAN_NOT_COMPLETED, plan->plan, plan->plan, &plan->open, j->cases);
        if (designed && verdict->context->intended_ends && are_alike(&designed->open, &plan->open))
            weigh(verdict, COR_SEVERITY_NOTE); /* it takes as long as the design does, and that ends */
    }
    if (plan->failed.hit > 0) {
        find(verdict, COR_AUT_CHECK_PLAN_FAILED, plan->plan, plan->plan, &plan->failed,
             plan->started_valid.hit);
        if (designed && are_alike(&designed->failed, &plan->failed))
            weigh(verdict, COR_SEVERITY_NOTE); /* it gives up where the design does */
    }
}

static const struct cor_judged_use *use_of(const struct cor_unit_judgement *j, uint32_t plan, uint8_t kind,
                                           uint32_t subject) {
    uint32_t member = j->scratch->member_of[plan] - 1, u = j->plans[member].first_use;
    while (j->uses[u].kind != kind || j->uses[u].subject != subject)
        u++;
    return &j->uses[u];
}

/* What the design says of an event in so many words is held against it as an error, what it says nothing of
 * as a warning. An event with one handler is judged with that: it overlaps with nothing, that it is not
 * raised is said of the plan, and what its plan takes for valid does not make it always covered. */
static void judge_event(struct verdict *verdict, const struct cor_judged_event *judged) {
    const struct cor_unit_judgement *j = verdict->judgement;
    const uint32_t number = judged->event;
    const struct cor_design_event *event = &j->design->events[number];
    const bool has_unit = j->units->units[j->unit].kind == COR_UNIT_KIND_EVENT;
    if (judge__unbuilt_handler(j, number) != COR_NONE)
        return;
    if (judged->reached.hit == 0) {
        if (has_unit)
            find(verdict, COR_AUT_CHECK_EVENT_NEVER_RAISED, COR_NONE, number, &j->all, j->cases);
        return;
    }
    if (event->always_covered && judged->not_covered.hit > 0) {
        find(verdict, COR_AUT_CHECK_EVENT_NOT_COVERED, COR_NONE, number, &judged->not_covered,
             judged->posted.hit);
        if (event->coverage_said)
            weigh(verdict, COR_SEVERITY_ERROR);
    }
    if (event->never_overlaps && judged->overlapping.hit > 0) {
        find(verdict, COR_AUT_CHECK_EVENT_OVERLAP, COR_NONE, number, &judged->overlapping,
             judged->posted.hit);
        if (event->overlap_said)
            weigh(verdict, COR_SEVERITY_ERROR);
    }
    const bool weak = has_unit ? (!event->always_covered && judged->not_covered.hit == 0) ||
                                     (!event->never_overlaps && judged->overlapping.hit == 0)
                               : !event->always_covered && judged->uncovered == 0;
    if (weak && judged->posted.hit > 0)
        find(verdict, COR_AUT_CHECK_DECLARATION_TOO_WEAK, COR_NONE, number, &judged->posted,
             judged->posted.hit);
}

/* What the design itself shows of the ring in the same cases, as far as it has bodies; NULL: nothing. */
static const struct cor_unit_judgement *ring_as_designed(const struct verdict *verdict) {
    for (uint32_t m = 0; m < verdict->judgement->plan_count; m++)
        if (as_designed(verdict, m))
            return verdict->context->intended;
    return NULL;
}

/* A ring that is meant is to come round, unless the design does so in none of the cases either. Going on for
 * ever is what one that is meant may do, and one that ends, though behind the
 * limit, is not endless. One that is not meant is not to occur at all. */
static void judge_ring(struct verdict *verdict) {
    const struct cor_unit_judgement *j = verdict->judgement;
    const struct cor_unit *unit = &j->units->units[j->unit];
    const enum cor_ring_meaning meaning =
        cor_design_ring(j->design, cor_unit_members(j->units, unit), unit->member_count);
    const struct cor_unit_judgement *designed = ring_as_designed(verdict);
    if (j->ring_closed.hit == 0 && meaning != COR_RING_NOT_MEANT) {
        find(verdict, COR_AUT_CHECK_CYCLE_NEVER_OCCURS, COR_NONE, COR_NONE, &j->all, j->cases);
        if (meaning == COR_RING_MEANT && (!designed || designed->ring_closed.hit > 0))
            weigh(verdict, COR_SEVERITY_WARNING);
    }
    if (j->ring_closed.hit > 0 && meaning == COR_RING_NOT_MEANT)
        find(verdict, COR_AUT_CHECK_RING_NOT_MEANT, COR_NONE, COR_NONE, &j->ring_closed, j->cases);
    if (j->ring_endless.hit > 0) {
        find(verdict, COR_AUT_CHECK_CYCLE_ENDLESS, COR_NONE, COR_NONE, &j->ring_endless, j->cases);
        const bool is_alike = !designed || are_alike(&j->ring_endless, &designed->ring_endless);
        if (is_alike && (meaning == COR_RING_MEANT || (designed && verdict->context->intended_ends)))
            weigh(verdict, COR_SEVERITY_NOTE);
    }
    /* A way round that could have been taken: the event was posted, and the plan was started otherwise. */
    for (uint32_t a = 0; a < j->arc_count && j->ring_closed.hit > 0; a++) {
        const struct cor_judged_arc *arc = &j->arcs[a];
        if (arc->seen.hit == 0 && judge__judged_plan(j, arc->handler)->started.hit > 0 &&
            use_of(j, arc->poster, COR_TRACE_POSTED, arc->event)->seen.hit > 0)
            find(verdict, COR_AUT_CHECK_CYCLE_ARC_UNUSED, arc->handler, arc->event, &j->all, j->cases);
    }
}

/* Did a plan fail at what it posted, in all cases? */
static bool fails_for_others(const struct verdict *verdict, const struct cor_finding *finding) {
    return finding->check == COR_AUT_CHECK_PLAN_FAILED &&
           judge__judged_plan(verdict->judgement, finding->plan)->failed_by_itself.hit == 0;
}

/* Does finding `b` of the same unit explain `a`? */
static bool explains(const struct verdict *verdict, const struct cor_finding *b,
                     const struct cor_finding *a) {
    unsigned of_a = traits(a->check), of_b = traits(b->check);
    const struct cor_design_plan *plans = verdict->judgement->design->plans;
    const bool ends_cases = b->check == COR_AUT_CHECK_CYCLE_ENDLESS; /* also where that is meant */
    if (a == b || (of_a & OF_AGENT) || (b->severity == COR_SEVERITY_NOTE && !ends_cases))
        return false;
    if (of_a & OF_RACE)
        return a->check != b->check && b->check == COR_AUT_CHECK_RACE_OVER_BELIEF;
    /* What is about an event follows from contexts, or from never being reached. */
    const bool of_contexts = (of_a & OF_EVENT) && a->check != COR_AUT_CHECK_EVENT_NEVER_RAISED;
    if (of_b & OF_AGENT)
        return (of_a & NOT_SEEN) && (!of_contexts || (of_b & OF_CONTEXT));
    if (of_contexts)
        return (of_b & OF_CONTEXT) && b->plan != COR_NONE && plans[b->plan].trigger == a->subject;
    if (b->check == COR_AUT_CHECK_CYCLE_ENDLESS)
        return (of_a & NOT_SEEN) ? a->check != COR_AUT_CHECK_PLAN_NOT_WIRED
                                 : a->check == COR_AUT_CHECK_CONTEXT_DIFFERS;
    if (of_a & LEFT_OUT)
        return (of_b & LEFT_OUT) && b->plan == a->plan && b < a;
    if (of_a & OF_RING)
        return a->check != COR_AUT_CHECK_CYCLE_ENDLESS && (of_b & BREAKS);
    if (fails_for_others(verdict, a))
        return b->plan != a->plan && (of_b & BREAKS) && !(of_b & LEFT_OUT) && !fails_for_others(verdict, b);
    if (of_a & OF_EVENT)
        return (of_b & OF_CONTEXT) && b->plan != COR_NONE && plans[b->plan].trigger == a->subject;
    return a->check == COR_AUT_CHECK_PLAN_NEVER_CHOSEN &&
           (b->check == COR_AUT_CHECK_CONTEXT_DIFFERS || b->check == COR_AUT_CHECK_CONTEXT_NEVER_FALSE) &&
           plans[a->plan].trigger == plans[b->plan].trigger;
}

/* Can `a` come from `below`, a root of a unit that its unit needs? */
static bool comes_from(const struct verdict *verdict, const struct cor_finding *a,
                       const struct cor_finding *below) {
    unsigned of_a = traits(a->check);
    if (below->cause != COR_CAUSE_ROOT || below->severity == COR_SEVERITY_NOTE)
        return false;
    if (of_a & OF_AGENT)
        return below->check == a->check && below->subject == a->subject;
    if (of_a & OF_RACE)
        return below->check == COR_AUT_CHECK_RACE_OVER_BELIEF
                   ? a->check != below->check || a->subject == below->subject
                   : a->check == below->check && a->subject == below->subject;
    if (a->check == COR_AUT_CHECK_PLAN_FAILED && !fails_for_others(verdict, a))
        return false;
    if (of_a & OF_EVENT)
        return (traits(below->check) & OF_CONTEXT) &&
               (below->plan == COR_NONE ||
                verdict->judgement->design->plans[below->plan].trigger == a->subject);
    bool undone = (of_a & LEFT_OUT) || a->check == COR_AUT_CHECK_PLAN_FAILED ||
                  a->check == COR_AUT_CHECK_PLAN_NOT_COMPLETED;
    return (of_a & FOLLOWS) && (traits(below->check) & (undone ? STALLS : BREAKS));
}

/* The unit of the event in whose own cases several plans are applicable, though none is to be beside another:
 * that one of them is never chosen follows. COR_NONE: there is no overlap. */
static uint32_t overlapping_unit(const struct verdict *verdict, const struct cor_finding *a) {
    const struct cor_design *design = verdict->judgement->design;
    if (a->check != COR_AUT_CHECK_PLAN_NEVER_CHOSEN || !verdict->context->events)
        return COR_NONE;
    const uint32_t event = design->plans[a->plan].trigger;
    const struct cor_unit_judgement *own = verdict->context->events[event];
    return own && design->events[event].never_overlaps && own->events[0].overlapping.hit > 0 ? own->unit
                                                                                             : COR_NONE;
}

static void explain(const struct verdict *verdict, struct cor_finding *a) {
    const struct cor_findings *findings = verdict->findings, *below = verdict->context->below;
    const uint32_t overlap = overlapping_unit(verdict, a);
    for (uint32_t i = verdict->first; i < findings->count; i++) {
        if (!explains(verdict, &findings->items[i], a))
            continue;
        a->cause = COR_CAUSE_SAME_UNIT;
        a->cause_unit = a->unit;
        return;
    }
    if (overlap != COR_NONE) {
        a->cause = COR_CAUSE_EVENT_UNIT;
        a->cause_unit = overlap;
        return;
    }
    for (uint32_t i = 0; below && i < below->count; i++) {
        if (!comes_from(verdict, a, &below->items[i]))
            continue;
        a->cause = COR_CAUSE_UNIT_BELOW;
        a->cause_unit = below->items[i].unit;
        return;
    }
}

/* By check, then by plan and subject; so neither the order of cases nor that of judging is seen. */
static int compare(const void *a, const void *b) {
    const struct cor_finding *x = a, *y = b;
    const uint32_t keys[][2] = {{x->check, y->check}, {x->plan, y->plan}, {x->subject, y->subject}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i][0] != keys[i][1])
            return keys[i][0] < keys[i][1] ? -1 : 1;
    return 0;
}

enum cor_status cor_judge_unit(const struct cor_unit_judgement *judgement,
                               const struct cor_judge_context *context, struct cor_findings *findings,
                               struct cor_error *error) {
    struct verdict verdict = {judgement, context, findings, findings->count, error, COR_OK};
    enum cor_unit_kind kind = judgement->units->units[judgement->unit].kind;
    if (judgement->cases == 0)
        return COR_OK;
    for (uint32_t m = 0; m < judgement->plan_count && kind != COR_UNIT_KIND_EVENT; m++)
        judge_plan(&verdict, m);
    if (kind == COR_UNIT_KIND_RING)
        judge_ring(&verdict);
    for (uint32_t e = 0; e < judgement->event_count; e++)
        judge_event(&verdict, &judgement->events[e]);
    /* Of an event's own cases, what its plans do is not judged: they have units of their own. */
    for (uint32_t o = 0; o < judgement->oddity_count; o++)
        if (traits(judgement->oddities[o].check) & OF_RACE) {
            /* What the design says of a belief set in so many words is held against it as an error. */
            const struct cor_judged_oddity *race = &judgement->oddities[o];
            const struct cor_design *design = verdict.judgement->design;
            find(&verdict, race->check, race->plan, race->subject, &race->seen,
                 verdict.judgement->interleaved);
            if (race->check == COR_AUT_CHECK_RACE_OVER_BELIEF &&
                design->beliefs[design->fields[race->subject].belief].races == COR_RACES_NEVER)
                weigh(&verdict, COR_SEVERITY_ERROR);
        } else if (judge__is_unbuilt(judgement, judgement->oddities[o].plan)
                       ? judgement->oddities[o].check == COR_AUT_CHECK_NOT_BUILT
                       : kind != COR_UNIT_KIND_EVENT || judgement->oddities[o].plan == COR_NONE)
            find(&verdict, judgement->oddities[o].check, judgement->oddities[o].plan,
                 judgement->oddities[o].subject, &judgement->oddities[o].seen, judgement->cases);
    static const struct {
        enum cor_trace_end end;
        enum cor_aut_check check;
    } ends[] = {{COR_TRACE_END_CRASHED, COR_AUT_CHECK_AGENT_CRASHED},
                {COR_TRACE_END_HUNG, COR_AUT_CHECK_AGENT_HUNG},
                {COR_TRACE_END_EXITED, COR_AUT_CHECK_AGENT_EXITED},
                {COR_TRACE_END_GARBLED, COR_AUT_CHECK_AGENT_GARBLED}};
    const struct cor_unit_judgement *j = verdict.judgement;
    for (size_t e = 0; e < sizeof ends / sizeof *ends; e++)
        if (j->ended[ends[e].end].hit > 0)
            find(&verdict, ends[e].check, COR_NONE, COR_NONE, &j->ended[ends[e].end], j->cases);
    if (j->differed.hit > 0)
        find(&verdict, COR_AUT_CHECK_AGENT_NOT_REPEATABLE, COR_NONE, COR_NONE, &j->differed, j->repeated.hit);
    COR_TRY(verdict.status);
    uint32_t count = findings->count - verdict.first;
    if (count > 1)
        qsort(findings->items + verdict.first, count, sizeof *findings->items, compare);
    for (uint32_t i = verdict.first; i < findings->count; i++)
        explain(&verdict, &findings->items[i]);
    return COR_OK;
}

void cor_findings_fini(struct cor_findings *findings) {
    free(findings->items);
    *findings = (struct cor_findings){0};
}

enum cor_finding_subject cor_finding_subject(enum cor_aut_check check) {
    switch (check) {
    case COR_AUT_CHECK_EVENT_NEVER_POSTED:
    case COR_AUT_CHECK_POST_NOT_IN_DESIGN:
    case COR_AUT_CHECK_ARGUMENT_OUTSIDE:
    case COR_AUT_CHECK_CYCLE_ARC_UNUSED:
    case COR_AUT_CHECK_EVENT_NOT_COVERED:
    case COR_AUT_CHECK_EVENT_OVERLAP:
    case COR_AUT_CHECK_EVENT_NEVER_RAISED:
    case COR_AUT_CHECK_DECLARATION_TOO_WEAK:
    case COR_AUT_CHECK_BELIEF_RULE_SILENT:
    case COR_AUT_CHECK_RACE_OVER_RULE:
        return COR_SUBJECT_EVENT;
    case COR_AUT_CHECK_MESSAGE_NEVER_SENT:
    case COR_AUT_CHECK_MESSAGE_NOT_IN_DESIGN:
        return COR_SUBJECT_MESSAGE;
    case COR_AUT_CHECK_ACTION_NEVER_DONE:
    case COR_AUT_CHECK_ACTION_NOT_IN_DESIGN:
        return COR_SUBJECT_ACTION;
    case COR_AUT_CHECK_BELIEF_NEVER_WRITTEN:
    case COR_AUT_CHECK_WRITE_NOT_IN_DESIGN:
    case COR_AUT_CHECK_ROWS_DIFFER:
        return COR_SUBJECT_BELIEF;
    case COR_AUT_CHECK_BELIEF_OUTSIDE:
    case COR_AUT_CHECK_BELIEF_START_DIFFERS:
    case COR_AUT_CHECK_RACE_OVER_BELIEF:
        return COR_SUBJECT_FIELD;
    default:
        return COR_SUBJECT_PLAN;
    }
}
