/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A unit that is judged: before its first case, what of it there is to see; case by case; and what was never
 * seen, what was seen and should not be, and what of it explains the rest. */
#include <corridor/array.h>
#include <corridor/hash.h>
#include <corridor/judge.h>
#include <corridor/rows.h>

#include <stdlib.h>
#include <string.h>

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
struct owed {
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
    struct strand {
        uint32_t of; /* the STARTED event of the plan that waits for it; COR_NONE: it did nothing yet */
        uint8_t hindered;
    } * strands; /* owned; [intention] those that are strands */
    size_t strand_capacity;
    struct owed *owed; /* owned */
    uint32_t owed_count;
    size_t owed_capacity;
};

/* The trace is of this case and unit. */
static inline bool is_member(const struct cor_unit_judgement *judgement, uint32_t plan) {
    return plan != COR_NONE && judgement->scratch->member_of[plan] > 0;
}

/* Does the STARTED event answer a post that nothing waits for? */
static inline bool is_aside(const struct cor_trace *trace, const struct cor_trace_event *started) {
    return started->value != COR_NONE && trace->events[started->value].flag == COR_POSTER_ASIDE;
}

/* Is the plan said not to be there yet? */
static inline bool is_unbuilt(const struct cor_unit_judgement *judgement, uint32_t plan) {
    return judgement->unbuilt && plan != COR_NONE && judgement->unbuilt[plan];
}

/* A handler of the event that is not there yet; COR_NONE: all are. */
static inline uint32_t unbuilt_handler(const struct cor_unit_judgement *judgement, uint32_t event) {
    const struct cor_indices *handlers = &judgement->design->events[event].handlers;
    for (uint32_t h = 0; h < handlers->count && judgement->unbuilt; h++)
        if (judgement->unbuilt[handlers->items[h]])
            return handlers->items[h];
    return COR_NONE;
}

/* The judged plan of that number; it is a member. */
static inline struct cor_judged_plan *judged_plan(const struct cor_unit_judgement *judgement, uint32_t plan) {
    COR_ASSERT(is_member(judgement, plan));
    return &judgement->plans[judgement->scratch->member_of[plan] - 1];
}

/* Rows as an event of a trace changes them; of a write to a row that is not there, nothing. */
static inline enum cor_status change_rows(struct cor_rows *rows, const struct cor_trace *trace,
                                          const struct cor_trace_event *event, struct cor_error *error) {
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
static inline void add_sighting(struct cor_sightings *sightings, uint32_t index, uint32_t size) {
    if (sightings->hit++ == 0 || size < sightings->size) {
        sightings->smallest = index;
        sightings->size = size;
    }
}

/* Uses of a member: those of plans[member]. */
static inline uint32_t uses_end(const struct cor_unit_judgement *judgement, uint32_t member) {
    return member + 1 < judgement->plan_count ? judgement->plans[member + 1].first_use : judgement->use_count;
}

/* Lists of what a plan may do, in the order of its checks. */
static const struct cor_indices *list_of(const struct cor_design_plan *plan, int list, uint8_t *kind) {
    static const uint8_t kinds[] = {COR_TRACE_POSTED, COR_TRACE_SENT, COR_TRACE_DID, COR_TRACE_WROTE};
    const struct cor_indices *const lists[] = {&plan->posts, &plan->sends, &plan->does, &plan->writes};
    *kind = kinds[list];
    return lists[list];
}

/* Calls of one plan of the ring by another: all if `arcs` is NULL, else filled in; their number. */
static uint32_t list_arcs(const struct cor_unit_judgement *judgement, uint32_t plan,
                          struct cor_judged_arc *arcs) {
    const struct cor_indices *posts = &judgement->design->plans[plan].posts;
    uint32_t count = 0;
    for (uint32_t p = 0; p < posts->count; p++) {
        const struct cor_indices *handlers = &judgement->design->events[posts->items[p]].handlers;
        for (uint32_t h = 0; h < handlers->count; h++) {
            if (!is_member(judgement, handlers->items[h]))
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
    for (uint32_t m = 0; m < design->message_count; m++)
        if (design->field_count + design->messages[m].parameter_count > slots)
            slots = design->field_count + design->messages[m].parameter_count;
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
    for (uint32_t m = 0; m < judgement->plan_count; m++) {
        const struct cor_design_plan *plan = &judgement->design->plans[members[m]];
        uses += plan->posts.count + plan->sends.count + plan->does.count + plan->writes.count;
    }
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
    COR_FREED struct judge__judge_scratch *scratch = judgement->scratch;
    if (scratch) {
        COR_FREE(scratch->member_of, scratch->saw, scratch->fields, scratch->slots, scratch->has_rules,
                 scratch->hindered, scratch->strands);
        if (scratch->rows.design)
            cor_rows_fini(&scratch->rows);
        free(scratch->owed);
    }
    COR_FREE(judgement->plans, judgement->uses, judgement->arcs, judgement->events, judgement->oddities);
    *judgement = (struct cor_unit_judgement){0};
}

void cor_judge_repetition(struct cor_unit_judgement *judgement, uint32_t index, uint32_t size, bool same) {
    add_sighting(&judgement->repeated, index, size);
    if (!same)
        add_sighting(&judgement->differed, index, size);
}

/* ---- one case: its trace is read once, from the first event to the last; what it shows of the plans of the
 * unit is gathered in bits, and counted at the end */

/* One trace under way. */
struct reading {
    struct cor_unit_judgement *judgement;
    const struct cor_judged_case *judged;
    const struct cor_trace *trace;
    uint32_t closed;       /* a plan of the ring was started within itself */
    uint32_t holding;      /* plans whose context held for the event of the case */
    bool reached, started; /* the event of the case came to a plan; which was started */
};

static void saw(const struct reading *reading, uint32_t plan, uint16_t what) {
    struct judge__judge_scratch *scratch = reading->judgement->scratch;
    if (is_member(reading->judgement, plan))
        scratch->saw[scratch->member_of[plan] - 1] |= what;
}

static bool has_seen(const struct reading *reading, uint32_t plan, uint16_t what) {
    const struct judge__judge_scratch *scratch = reading->judgement->scratch;
    return is_member(reading->judgement, plan) && (scratch->saw[scratch->member_of[plan] - 1] & what);
}

static void see(const struct reading *reading, struct cor_sightings *sightings) {
    add_sighting(sightings, reading->judged->index, reading->trace->event_count);
}

/* The same once a case: what was seen in this case already is not counted again. */
static void see_once(const struct reading *reading, struct cor_sightings *sightings, uint32_t *last) {
    if (*last == reading->judgement->cases)
        return;
    *last = reading->judgement->cases;
    see(reading, sightings);
}

static enum cor_status odd(const struct reading *reading, enum cor_aut_check check, uint32_t plan,
                           uint32_t subject, struct cor_error *error) {
    struct cor_unit_judgement *j = reading->judgement;
    uint32_t i = 0;
    while (i < j->oddity_count && (j->oddities[i].check != check || j->oddities[i].plan != plan ||
                                   j->oddities[i].subject != subject))
        i++;
    if (i == j->oddity_count) {
        COR_TRY(COR_RESERVE(&j->oddities, &j->oddity_capacity, (size_t)i + 1, error));
        j->oddities[j->oddity_count++] =
            (struct cor_judged_oddity){.check = check, .plan = plan, .subject = subject};
    }
    see_once(reading, &j->oddities[i].seen, &j->oddities[i].last_case);
    return COR_OK;
}

/* The arguments of a POSTED event, or those of the case where nothing was reported as posted. */
static const struct cor_value *arguments_of(const struct reading *reading, uint32_t posted) {
    const struct cor_trace *trace = reading->trace;
    if (posted == COR_NONE)
        return reading->judged->asked->arguments;
    COR_ASSERT(posted < trace->event_count && trace->events[posted].kind == COR_TRACE_POSTED);
    return trace->values + trace->events[posted].value;
}

/* What the plan that a STARTED event began sees: fields and the arguments of its trigger, in scratch->slots.
 * A trace without that post shows the fields alone. */
static const struct cor_value *view_of(const struct reading *reading, uint32_t event, uint32_t posted) {
    const struct cor_design *design = reading->judgement->design;
    struct judge__judge_scratch *scratch = reading->judgement->scratch;
    cor_design_view(design, event, scratch->fields, arguments_of(reading, posted), scratch->slots);
    cor_rows_view(&scratch->rows, scratch->slots);
    return scratch->slots;
}

/* Are the values at hand those of the trigger of the plan? Else the event is another than the design says, or
 * its arguments are not known. */
static bool is_for_its_trigger(const struct reading *reading, const struct cor_trace_event *event) {
    const struct cor_design *design = reading->judgement->design;
    return event->subject == design->plans[event->plan].trigger &&
           (event->value != COR_NONE || event->subject == reading->judged->asked->event);
}

/* Does the context of no handler before the plan hold, by the design? */
static bool is_first_due(const struct reading *reading, const struct cor_trace_event *event) {
    const struct cor_design *design = reading->judgement->design;
    const struct cor_indices *handlers = &design->events[event->subject].handlers;
    const struct cor_value *slots = view_of(reading, event->subject, event->value);
    for (uint32_t h = 0; h < handlers->count && handlers->items[h] != event->plan; h++) {
        const struct cor_plan_code *code = &design->plans[handlers->items[h]].code;
        if (!code->has_context || cor_expression_judge(&code->context, slots))
            return false;
    }
    return true;
}

static void read_context(struct reading *reading, const struct cor_trace_event *event) {
    const struct cor_design *design = reading->judgement->design;
    if (event->parent == COR_NONE && event->subject == reading->judged->asked->event) {
        reading->reached = true;
        reading->holding += event->flag && !has_seen(reading, event->plan, SAW_HELD);
    }
    if (!is_member(reading->judgement, event->plan) || !is_for_its_trigger(reading, event))
        return;
    saw(reading, event->plan, (uint16_t)(SAW_CONSIDERED | (event->flag ? SAW_HELD : SAW_NOT_HELD)));
    const struct cor_plan_code *code = &design->plans[event->plan].code;
    bool holds = !code->has_context ||
                 cor_expression_judge(&code->context, view_of(reading, event->subject, event->value));
    saw(reading, event->plan, holds ? SAW_DUE : SAW_UNDUE);
    struct cor_judged_plan *judged = judged_plan(reading->judgement, event->plan);
    if (holds && reading->judged->valid && !judged->has_turn)
        judged->has_turn = is_first_due(reading, event);
    if (holds != (event->flag != 0))
        saw(reading, event->plan, SAW_DIFFERS);
}

enum {
    HINDERED = 1,
    HINDERED_AT_WILL = 2, /* by a post that the design calls optional */
    STUBBED = 3           /* by a plan that is not there yet: as if a stub had completed for it */
};

/* What hinders the plan that a STARTED event began, in that intention: one of its strands has its own. */
static uint8_t *hindered_of(const struct reading *reading, uint32_t started, uint32_t intention) {
    const struct judge__judge_scratch *scratch = reading->judgement->scratch;
    if (reading->trace->events[started].intention == intention)
        return &scratch->hindered[started];
    scratch->strands[intention].of = started;
    return &scratch->strands[intention].hindered;
}

/* What hindered the plan when it ended: itself, or a strand. */
static uint8_t hindered_at_end(const struct reading *reading, uint32_t started) {
    const struct judge__judge_scratch *scratch = reading->judgement->scratch;
    uint8_t hindered = scratch->hindered[started];
    for (uint32_t i = 1; i < reading->trace->intention_count && hindered == 0; i++)
        if (scratch->strands[i].of == started)
            hindered = scratch->strands[i].hindered;
    return hindered;
}

/* The plan goes on, and what hindered it did so at will. */
static void note_going_on(const struct reading *reading, const struct cor_trace_event *event) {
    const struct judge__judge_scratch *scratch = reading->judgement->scratch;
    if (event->parent == COR_NONE)
        return;
    uint8_t *hindered = hindered_of(reading, event->parent, event->intention);
    if (*hindered == HINDERED_AT_WILL)
        *hindered = 0;
    if (reading->trace->events[event->parent].intention != event->intention)
        return;
    for (uint32_t i = 1; i < reading->trace->intention_count; i++)
        if (scratch->strands[i].of == event->parent && scratch->strands[i].hindered == HINDERED_AT_WILL)
            scratch->strands[i].hindered = 0;
}

/* A plan that is not there yet was to do something, outside of its own unit. */
static enum cor_status note_stub(const struct reading *reading, uint32_t plan, struct cor_error *error) {
    return plan == COR_NONE || is_member(reading->judgement, plan)
               ? COR_OK
               : odd(reading, COR_AUT_CHECK_NOT_BUILT, plan, plan, error);
}

/* A plan whose post did not succeed: what it does next shows that it goes on, if the post was optional; of
 * one that was not, the plan gives up, whatever it still does. */
static uint8_t hindrance(const struct reading *reading, uint32_t plan, uint32_t event) {
    const struct cor_design *design = reading->judgement->design;
    const struct cor_plan_code *code = &design->plans[plan].code;
    if (unbuilt_handler(reading->judgement, event) != COR_NONE)
        return STUBBED;
    for (uint32_t i = 0; i < code->instruction_count; i++)
        if (code->instructions[i].kind == COR_INSTRUCTION_POST && code->instructions[i].subject == event &&
            !code->instructions[i].optional && !code->instructions[i].aside)
            return HINDERED;
    return code->instruction_count > 0 ? HINDERED_AT_WILL : HINDERED;
}

static enum cor_status read_ended(struct reading *reading, const struct cor_trace_event *event,
                                  struct cor_error *error) {
    const struct cor_trace_event *started = &reading->trace->events[event->parent];
    const uint8_t hindered = hindered_at_end(reading, event->parent);
    if (started->parent != COR_NONE && !is_aside(reading->trace, started)) {
        uint8_t *around = hindered_of(reading, started->parent, event->intention);
        *around = event->flag ? 0 /* another plan completed in its place */
                  : hindered == STUBBED
                      ? STUBBED
                      : hindrance(reading, reading->trace->events[started->parent].plan, started->subject);
    }
    if (event->flag || hindered != STUBBED)
        saw(reading, event->plan,
            event->flag ? SAW_COMPLETED
            : hindered  ? SAW_FAILED
                        : SAW_FAILED | SAW_FAILED_BY_ITSELF);
    if (!is_member(reading->judgement, event->plan))
        return COR_OK;
    /* What the rules of the writer's belief sets still owe when it ends was not posted. */
    struct judge__judge_scratch *scratch = reading->judgement->scratch;
    const struct cor_design *design = reading->judgement->design;
    for (uint32_t i = 0; i < scratch->owed_count;) {
        if (scratch->owed[i].writer != event->parent) {
            i++;
            continue;
        }
        uint32_t rule = scratch->owed[i].rule;
        scratch->owed[i] = scratch->owed[--scratch->owed_count];
        COR_TRY(odd(reading, COR_AUT_CHECK_BELIEF_RULE_SILENT, reading->trace->events[event->parent].plan,
                    design->rules[rule].event, error));
    }
    return COR_OK;
}

/* Something a plan of the unit did: listed, and then seen in a valid case; or odd. */
static enum cor_status read_use(const struct reading *reading, uint32_t plan, uint8_t kind, uint32_t subject,
                                enum cor_aut_check otherwise, struct cor_error *error) {
    struct cor_unit_judgement *j = reading->judgement;
    uint32_t member = j->scratch->member_of[plan] - 1;
    for (uint32_t u = j->plans[member].first_use; u < uses_end(j, member); u++) {
        if (j->uses[u].kind != kind || j->uses[u].subject != subject)
            continue;
        if (reading->judged->valid)
            see_once(reading, &j->uses[u].seen, &j->uses[u].last_case);
        return COR_OK;
    }
    return odd(reading, otherwise, plan, subject, error);
}

/* Is each argument one of its domain, and as the conditions of the parameters say? */
static bool are_allowed(const struct reading *reading, const struct cor_design_parameter *parameters,
                        uint32_t count, const struct cor_value *arguments, const struct cor_value *slots) {
    for (uint32_t p = 0; p < count; p++) {
        if (!cor_domain_has(&reading->judgement->design->domains[parameters[p].domain], arguments[p]))
            return false;
        if (!cor_conditions_hold(parameters[p].conditions, parameters[p].condition_count, arguments[p],
                                 slots))
            return false;
    }
    return true;
}

static bool is_allowed(const struct reading *reading, uint32_t event, uint32_t posted) {
    const struct cor_design_event *it = &reading->judgement->design->events[event];
    return are_allowed(reading, it->parameters, it->parameter_count, arguments_of(reading, posted),
                       view_of(reading, event, posted));
}

/* Likewise of what a message says: its conditions are over its parameters, and the fields that the plan sees
 * when it sends. */
static bool is_content_allowed(const struct reading *reading, const struct cor_trace_event *sent) {
    const struct cor_design *design = reading->judgement->design;
    const struct cor_design_output *message = &design->messages[sent->subject];
    const struct cor_value *arguments = reading->trace->values + sent->value;
    struct judge__judge_scratch *scratch = reading->judgement->scratch;
    if (message->parameter_count == 0)
        return true;
    const struct cor_trace_event *started = &reading->trace->events[sent->parent];
    if (is_for_its_trigger(reading, started))
        view_of(reading, started->subject, started->value);
    else if (design->field_count > 0)
        memcpy(scratch->slots, scratch->fields, design->field_count * sizeof *scratch->slots);
    memcpy(scratch->slots + design->field_count, arguments,
           message->parameter_count * sizeof *scratch->slots);
    return are_allowed(reading, message->parameters, message->parameter_count, arguments, scratch->slots);
}

static enum cor_status read_posted(const struct reading *reading, uint32_t index, struct cor_error *error) {
    const struct cor_trace_event *event = &reading->trace->events[index];
    if (event->parent != COR_NONE && event->flag == COR_POSTER_PLAN)
        *hindered_of(reading, event->parent, event->intention) =
            hindrance(reading, event->plan, event->subject); /* until a plan completes for it */
    COR_TRY(note_stub(reading, unbuilt_handler(reading->judgement, event->subject), error));
    if (!is_member(reading->judgement, event->plan))
        return COR_OK;
    /* A rule that is owed an event gets it, once. */
    struct judge__judge_scratch *scratch = reading->judgement->scratch;
    bool by_rule = false;
    for (uint32_t i = 0; i < scratch->owed_count && !by_rule; i++) {
        if (scratch->owed[i].writer != event->parent ||
            reading->judgement->design->rules[scratch->owed[i].rule].event != event->subject)
            continue;
        scratch->owed[i] = scratch->owed[--scratch->owed_count];
        by_rule = true;
    }
    if (by_rule || event->flag == COR_POSTER_RULE) {
        *hindered_of(reading, event->parent, event->intention) = 0;
        return COR_OK;
    }
    COR_TRY(read_use(reading, event->plan, COR_TRACE_POSTED, event->subject, COR_AUT_CHECK_POST_NOT_IN_DESIGN,
                     error));
    if (reading->judged->valid && !is_allowed(reading, event->subject, index))
        return odd(reading, COR_AUT_CHECK_ARGUMENT_OUTSIDE, event->plan, event->subject, error);
    return COR_OK;
}

static enum cor_status read_wrote(const struct reading *reading, const struct cor_trace_event *event,
                                  struct cor_error *error) {
    const struct cor_design *design = reading->judgement->design;
    const struct cor_design_field *field = &design->fields[event->subject];
    struct cor_value value = reading->trace->values[event->value];
    if (design->beliefs[field->belief].is_relation && event->plan != COR_NONE)
        COR_TRY(change_rows(&reading->judgement->scratch->rows, reading->trace, event, error));
    else
        reading->judgement->scratch->fields[event->subject] = value;
    if (event->plan == COR_NONE) {
        /* Before any plan is at work an agent says where its beliefs are other than it was told. */
        struct cor_value told = reading->judged->asked->beliefs[event->subject];
        return cor_value_equal(told, reading->trace->values[event->value])
                   ? COR_OK
                   : odd(reading, COR_AUT_CHECK_BELIEF_START_DIFFERS, COR_NONE, event->subject, error);
    }
    if (!is_member(reading->judgement, event->plan))
        return COR_OK;
    COR_TRY(read_use(reading, event->plan, COR_TRACE_WROTE, field->belief, COR_AUT_CHECK_WRITE_NOT_IN_DESIGN,
                     error));
    if (!cor_domain_has(&design->domains[field->domain], value))
        COR_TRY(odd(reading, COR_AUT_CHECK_BELIEF_OUTSIDE, event->plan, event->subject, error));
    if (!reading->judgement->scratch->has_rules[field->belief])
        return COR_OK;
    /* After a write: which rules of the set must post now. */
    struct judge__judge_scratch *scratch = reading->judgement->scratch;
    const struct cor_trace_event *started = &reading->trace->events[event->parent];
    const struct cor_value *slots = NULL;
    for (uint32_t r = 0; r < design->rule_count; r++) {
        if (design->rules[r].belief != field->belief)
            continue;
        if (!slots)
            slots = is_for_its_trigger(reading, started) ? view_of(reading, started->subject, started->value)
                                                         : scratch->fields;
        if (!cor_expression_judge(&design->rules[r].when, slots))
            continue;
        COR_TRY(COR_RESERVE(&scratch->owed, &scratch->owed_capacity, (size_t)scratch->owed_count + 1, error));
        scratch->owed[scratch->owed_count++] = (struct owed){r, event->parent};
    }
    return COR_OK;
}

static enum cor_status read_event(struct reading *reading, uint32_t index, struct cor_error *error) {
    const struct cor_trace_event *event = &reading->trace->events[index];
    if (event->kind == COR_TRACE_SENT || event->kind == COR_TRACE_DID || event->kind >= COR_TRACE_WROTE ||
        (event->kind == COR_TRACE_POSTED && event->flag == COR_POSTER_ASIDE))
        note_going_on(reading, event);
    switch ((enum cor_trace_kind)event->kind) {
    case COR_TRACE_CONTEXT:
        read_context(reading, event);
        return COR_OK;
    case COR_TRACE_STARTED:
        if (is_unbuilt(reading->judgement, event->plan))
            COR_TRY(note_stub(reading, event->plan, error));
        reading->reached = reading->reached || event->parent == COR_NONE;
        reading->started = reading->started || event->parent == COR_NONE;
        if (is_member(reading->judgement, event->plan)) {
            saw(reading, event->plan, SAW_STARTED);
            if (is_for_its_trigger(reading, event))
                saw(reading, event->plan, SAW_CONSIDERED);
            if (reading->judgement->arc_count > 0) {
                /* A plan of the ring that another of them, or itself, has called. */
                struct cor_unit_judgement *j = reading->judgement;
                const struct cor_trace_event *events = reading->trace->events;
                for (uint32_t up = event->parent; up != COR_NONE && reading->closed == 0;
                     up = events[up].parent)
                    reading->closed = events[up].plan == event->plan;
                if (event->value != COR_NONE) {
                    const struct cor_trace_event *posted = &events[event->value];
                    for (uint32_t a = 0; a < j->arc_count; a++)
                        if (j->arcs[a].poster == posted->plan && j->arcs[a].event == posted->subject &&
                            j->arcs[a].handler == event->plan)
                            see_once(reading, &j->arcs[a].seen, &j->arcs[a].last_case);
                }
            }
        }
        return COR_OK;
    case COR_TRACE_ENDED:
        return read_ended(reading, event, error);
    case COR_TRACE_POSTED:
        return read_posted(reading, index, error);
    case COR_TRACE_WROTE:
        return read_wrote(reading, event, error);
    case COR_TRACE_INSERTED:
    case COR_TRACE_REMOVED: {
        /* A row that came or went: a write to its set. */
        const struct cor_design *design = reading->judgement->design;
        COR_TRY(change_rows(&reading->judgement->scratch->rows, reading->trace, event, error));
        if (!is_member(reading->judgement, event->plan))
            return COR_OK;
        COR_TRY(read_use(reading, event->plan, COR_TRACE_WROTE, event->subject,
                         COR_AUT_CHECK_WRITE_NOT_IN_DESIGN, error));
        for (uint32_t v = 0; event->kind == COR_TRACE_INSERTED && v < cor_trace_value_count(design, event);
             v++)
            if (!cor_domain_has(cor_trace_value_domain(design, event, v),
                                reading->trace->values[event->value + v]))
                COR_TRY(odd(reading, COR_AUT_CHECK_BELIEF_OUTSIDE, event->plan,
                            design->beliefs[event->subject].first_field + v, error));
        return COR_OK;
    }
    case COR_TRACE_SENT:
        if (!is_member(reading->judgement, event->plan))
            return COR_OK;
        COR_TRY(read_use(reading, event->plan, COR_TRACE_SENT, event->subject,
                         COR_AUT_CHECK_MESSAGE_NOT_IN_DESIGN, error));
        return reading->judged->valid && !is_content_allowed(reading, event)
                   ? odd(reading, COR_AUT_CHECK_CONTENT_OUTSIDE, event->plan, event->subject, error)
                   : COR_OK;
    case COR_TRACE_DID:
        return is_member(reading->judgement, event->plan)
                   ? read_use(reading, event->plan, COR_TRACE_DID, event->subject,
                              COR_AUT_CHECK_ACTION_NOT_IN_DESIGN, error)
                   : COR_OK;
    }
    return COR_OK;
}

static void count_plan(const struct reading *reading, struct cor_judged_plan *plan, uint16_t bits) {
    const struct {
        uint16_t bit;
        bool valid_only;
        struct cor_sightings *into;
    } counts[] = {
        {SAW_CONSIDERED, false, &plan->considered},
        {SAW_HELD, false, &plan->held},
        {SAW_HELD, true, &plan->applicable},
        {SAW_NOT_HELD, false, &plan->failed_to_hold},
        {SAW_DIFFERS, false, &plan->differs},
        {SAW_STARTED, false, &plan->started},
        {SAW_STARTED, true, &plan->started_valid},
        {SAW_COMPLETED, true, &plan->completed},
        {SAW_FAILED, true, &plan->failed},
        {SAW_FAILED_BY_ITSELF, true, &plan->failed_by_itself},
        {SAW_DUE, false, &plan->due},
        {SAW_UNDUE, false, &plan->undue},
    };
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        if ((bits & counts[i].bit) && (reading->judged->valid || !counts[i].valid_only))
            see(reading, counts[i].into);
}

/* The event of the case, if it is judged here: gaps and overlaps, and which plan's context shows in them. */
static void count_event(const struct reading *reading) {
    struct cor_unit_judgement *j = reading->judgement;
    uint32_t e = 0;
    while (e < j->event_count && j->events[e].event != reading->judged->asked->event)
        e++;
    if (e == j->event_count || unbuilt_handler(j, j->events[e].event) != COR_NONE)
        return; /* a stub may take it */
    struct cor_judged_event *judged = &j->events[e];
    const struct cor_design_event *event = &j->design->events[judged->event];
    /* Did the agent bring the case to its end, or a limit? Else it did not come to say all of it. */
    const bool found_none =
        reading->holding == 0 && !reading->started &&
        (reading->trace->end == COR_TRACE_END_QUIET || reading->trace->end == COR_TRACE_END_STEPS ||
         reading->trace->end == COR_TRACE_END_ROUNDS);
    const bool gap = reading->judged->valid && found_none;
    const bool overlap = reading->judged->valid && reading->holding > 1;
    judged->uncovered += found_none;
    if (reading->judged->valid)
        see(reading, &judged->posted);
    if (reading->reached)
        see(reading, &judged->reached);
    if (gap)
        see(reading, &judged->not_covered);
    if (overlap)
        see(reading, &judged->overlapping);
    if ((gap && event->always_covered) || (overlap && event->never_overlaps))
        for (uint32_t m = 0; m < j->plan_count; m++)
            if (j->scratch->saw[m] & SAW_DIFFERS)
                see(reading, &j->plans[m].told);
}

/* Is the plan one of a ring of the design, which has a unit of its own? */
static bool is_of_ring(const struct cor_unit_judgement *j, uint32_t plan) {
    for (uint32_t u = 0; u < j->units->count; u++) {
        const struct cor_unit *unit = &j->units->units[u];
        for (uint32_t m = 0; unit->kind == COR_UNIT_KIND_RING && m < unit->member_count; m++)
            if (cor_unit_members(j->units, unit)[m] == plan)
                return true;
    }
    return false;
}

static void count_all(const struct reading *reading) {
    struct cor_unit_judgement *j = reading->judgement;
    enum cor_unit_kind kind = j->units->units[j->unit].kind;
    enum cor_trace_end end = reading->trace->end;
    j->applicable_cases += reading->judged->applicable;
    see(reading, &j->all);
    if (reading->judged->valid)
        see(reading, &j->valid);
    see(reading, &j->ended[end]);
    for (uint32_t m = 0; m < j->plan_count; m++)
        if (j->scratch->saw[m] != 0)
            count_plan(reading, &j->plans[m], j->scratch->saw[m]);
    count_event(reading);
    if (reading->closed)
        see(reading, &j->ring_closed);
    if (end == COR_TRACE_END_ROUNDS) {
        /* The finding of the ring that went round, and of nobody around it. */
        /* The plan that was started within itself most often when the limit of rounds ended the case. */
        uint32_t most = 0, plan = COR_NONE;
        for (uint32_t at = reading->trace->open; at != COR_NONE; at = reading->trace->events[at].parent) {
            uint32_t count = 0;
            for (uint32_t up = at; up != COR_NONE; up = reading->trace->events[up].parent)
                count += reading->trace->events[up].plan == reading->trace->events[at].plan;
            if (count > most) {
                most = count;
                plan = reading->trace->events[at].plan;
            }
        }
        if (is_member(j, plan) && kind == COR_UNIT_KIND_RING)
            see(reading, &j->ring_endless);
        else if (is_member(j, plan) && !is_of_ring(j, plan))
            see(reading, &judged_plan(j, plan)->open);
    } else if (end == COR_TRACE_END_STEPS) {
        /* The innermost plan of the unit that was at work when a limit ended the case. */
        const struct cor_trace *trace = reading->trace;
        uint32_t at = trace->open;
        while (at != COR_NONE && !is_member(reading->judgement, trace->events[at].plan))
            at = trace->events[at].parent;
        if (at != COR_NONE)
            see(reading, &judged_plan(reading->judgement, trace->events[at].plan)->open);
    }
}

enum cor_status cor_judge_case(struct cor_unit_judgement *judgement, const struct cor_judged_case *judged,
                               const struct cor_trace *trace, struct cor_error *error) {
    struct judge__judge_scratch *scratch = judgement->scratch;
    const struct cor_design *design = judgement->design;
    struct reading reading = {.judgement = judgement, .judged = judged, .trace = trace};
    COR_ASSERT((int)trace->end > 0 && (int)trace->end < COR_TRACE_END_CODES);
    COR_TRY(COR_RESERVE(&scratch->hindered, &scratch->hindered_capacity, trace->event_count, error));
    if (trace->event_count > 0)
        memset(scratch->hindered, 0, trace->event_count);
    COR_TRY(COR_RESERVE(&scratch->strands, &scratch->strand_capacity, trace->intention_count, error));
    for (uint32_t i = 0; i < trace->intention_count; i++)
        scratch->strands[i] = (struct strand){.of = COR_NONE};
    if (judgement->plan_count > 0)
        memset(scratch->saw, 0, judgement->plan_count * sizeof *scratch->saw);
    if (design->field_count > 0)
        memcpy(scratch->fields, judged->asked->beliefs, design->field_count * sizeof *scratch->fields);
    COR_TRY(cor_rows_begin(&scratch->rows, judged->asked->event, judged->asked->beliefs,
                           judged->asked->arguments, error));
    scratch->owed_count = 0;
    judgement->cases++;
    for (uint32_t i = 0; i < trace->event_count; i++)
        COR_TRY(read_event(&reading, i, error));
    count_all(&reading);
    return COR_OK;
}

/* ---- races: what a case comes to in one interleaving, beside the first */

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
    COR_FREE(outcome->fields, outcome->plans, outcome->raised, outcome->starts);
    if (outcome->rows.design)
        cor_rows_fini(&outcome->rows);
    *outcome = (struct cor_aut_outcome){.design = outcome->design};
}

static bool is_of_relation(const struct cor_design *design, uint32_t field) {
    return design->beliefs[design->fields[field].belief].is_relation;
}

/* Equal values have equal bits. */
static uint64_t value_bits(struct cor_value value) {
    uint64_t bits = value.kind == COR_VALUE_WORD ? value.as.word : 0;
    if (value.kind == COR_VALUE_INTEGER)
        bits = (uint64_t)value.as.integer;
    else if (value.kind == COR_VALUE_REAL && (value.as.real < 0 || value.as.real > 0)) /* -0 is 0 */
        memcpy(&bits, &value.as.real, sizeof bits);
    return cor_hash_word(value.kind, bits);
}

/* What an event adds to a start of a plan, or to one of its strands. */
static enum cor_status read_event_race(struct cor_aut_outcome *outcome, const struct cor_trace *trace,
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
        if (of) {
            *of = cor_hash_word(*of, (uint64_t)event->kind << 32 | event->subject);
            for (uint32_t v = 0; v < cor_trace_value_count(outcome->design, event); v++)
                *of = cor_hash_word(*of, value_bits(trace->values[event->value + v]));
        }
        return COR_OK;
    case COR_TRACE_WROTE:
        if (!is_of_relation(outcome->design, event->subject)) {
            outcome->fields[event->subject] = trace->values[event->value];
            return COR_OK;
        }
        return event->plan == COR_NONE ? COR_OK : change_rows(&outcome->rows, trace, event, error);
    case COR_TRACE_INSERTED:
    case COR_TRACE_REMOVED:
        return change_rows(&outcome->rows, trace, event, error);
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
        COR_TRY(read_event_race(outcome, trace, i, error));
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
    add_sighting(&judgement->oddities[i].seen, index, size);
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
           (i < trace->event_count && is_member(judgement, trace->events[i].plan));
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
        [COR_AUT_CHECK_CONTENT_OUTSIDE] = BREAKS,
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
    return own && is_member(own, plan) ? judged_plan(own, plan) : NULL;
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
    for (uint32_t u = plan->first_use; u < uses_end(j, member) && (completed->hit > 0 || gives_up); u++) {
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
    if (is_unbuilt(j, plan->plan)) {
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
    if (unbuilt_handler(j, number) != COR_NONE)
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
        if (arc->seen.hit == 0 && judged_plan(j, arc->handler)->started.hit > 0 &&
            use_of(j, arc->poster, COR_TRACE_POSTED, arc->event)->seen.hit > 0)
            find(verdict, COR_AUT_CHECK_CYCLE_ARC_UNUSED, arc->handler, arc->event, &j->all, j->cases);
    }
}

/* Did a plan fail at what it posted, in all cases? */
static bool fails_for_others(const struct verdict *verdict, const struct cor_finding *finding) {
    return finding->check == COR_AUT_CHECK_PLAN_FAILED &&
           judged_plan(verdict->judgement, finding->plan)->failed_by_itself.hit == 0;
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
        } else if (is_unbuilt(judgement, judgement->oddities[o].plan)
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
    case COR_AUT_CHECK_CONTENT_OUTSIDE:
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
