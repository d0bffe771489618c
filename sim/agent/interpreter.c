/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "push.h"

#include <corridor/array.h>
#include <corridor/interpreter.h>
#include <corridor/rows.h>
#include <corridor/turns.h>

#include <stdlib.h>
#include <string.h>

enum habit { OLDEST, NEWEST, ANY, SAME, HABITS };
enum { STRAYS = 8 }; /* one turn in so many */

static uint32_t draw_turn(const struct cor_turns *turns, uint32_t interleaving, struct cor_rng *rng,
                          uint32_t count, uint32_t at) {
    if (turns->number == 1)
        *rng = cor_rng_named(&(struct cor_stream_name){
            .seed = turns->asked->seed, .sequence = interleaving, .purpose = COR_PURPOSE_INTERLEAVING});
    const enum habit habit = (enum habit)(interleaving % HABITS);
    if (cor_rng_below(rng, STRAYS) == 0 || habit == ANY || (habit == SAME && at == count))
        return cor_rng_below(rng, count);
    return habit == OLDEST ? 0 : habit == NEWEST ? count - 1 : at;
}

uint32_t cor_turns_next(struct cor_turns *turns, const uint32_t *ready, uint32_t count, uint32_t at) {
    const struct cor_agent_case *asked = turns->asked;
    struct cor_trace *trace = turns->trace;
    if (count == 1)
        return 0;
    turns->number++;
    uint32_t next = draw_turn(turns, asked->interleaving, &turns->rng, count, at);
    if (asked->turn_count == 0 && !asked->tells_turns)
        return next;
    const uint32_t first = asked->interleaving == 0 ? next : draw_turn(turns, 0, &turns->first, count, at);
    while (turns->given < asked->turn_count && asked->turns[turns->given].at < turns->number)
        turns->given++;
    if (turns->given < asked->turn_count && asked->turns[turns->given].at == turns->number)
        for (uint32_t i = 0; i < count; i++)
            next = ready[i] == asked->turns[turns->given].to ? i : next;
    if (next == first || !asked->tells_turns)
        return next;
    if (trace->turn_count < trace->turn_capacity)
        trace->turns[trace->turn_count] = (struct cor_said_turn){turns->number, ready[next]};
    trace->turn_count++;
    return next;
}

/* ---- A case is a loop over instructions; plans that wait for what they posted are on a stack of frames, one
 * for each intention. Expressions read `slots`, which always shows the fields and the parameters of the plan
 * on top */

/* A plan at work, and what may be tried in its place. */
struct frame {
    const struct cor_plan_code *code;
    uint32_t plan;
    uint32_t at;      /* the next instruction */
    uint32_t event;   /* that triggered it */
    uint32_t posted;  /* where in the trace that was posted */
    uint32_t started; /* where in the trace it started */
    uint32_t parent;  /* where the plan that posted the event started */
    bool is_strand;   /* of a plan that is at work in another intention */
    uint32_t first, next,
        end; /* the plans applicable at the post, among the candidates; `next` is the next to try */
};

struct span {
    uint32_t first, count;
};

/* What goes on in one order by itself. */
struct intention {
    uint32_t number;
    uint32_t posted;  /* where in the trace stands what it is there for; COR_NONE: the case, or a strand */
    bool is_pending;  /* that has not yet come to a plan */
    uint32_t waiting; /* intention that waits for this strand, COR_NONE: it is none */
    uint32_t strands; /* that it waits for, or will */
    bool is_blocked;  /* it waits for them now */
    bool has_failed;  /* one of them has */
    uint32_t steps, open; /* taken; trace->open, while it is not at hand */
    struct frame *frames; /* owned */
    uint32_t frame_count;
    size_t frame_capacity;
    uint32_t *candidates; /* owned */
    uint32_t candidate_count;
    size_t candidate_capacity;
};

struct cor_interpreter {
    const struct cor_agent_code *agent; /* borrowed */
    const struct cor_design *design;
    struct span *handlers;   /* owned; [event] of handler_plans */
    uint32_t *handler_plans; /* owned; as declared */
    struct span *rules;      /* owned; [belief] of rule_numbers */
    uint32_t *rule_numbers;  /* owned; those that are not silent */
    uint32_t *own_starts;    /* owned; fields that start as something else than the design says */
    uint32_t own_start_count;
    uint32_t *key_fields; /* owned; all of the design */
    uint32_t key_count;
    uint32_t
        *key_parameters; /* owned; [event * key_count + key]: the parameter it has the value of, COR_NONE */
    uint32_t *key_of;    /* owned; [field]: which of the key fields it is, COR_NONE: none */
    uint32_t *branch_first; /* owned; [plan] */
    uint8_t *branches;      /* owned */
    uint32_t branch_count;
    /* of a case */
    struct cor_value *slots; /* owned; fields, then the parameters of the plan on top */
    struct cor_value *row;   /* owned; as long as the fields and one more */
    struct cor_value *kept;  /* owned; [field] keys: their value where no parameter says which row is meant */
    uint32_t *open_counts;   /* owned; [plan]: how often it is on the stack of the first intention */
    struct intention **intentions; /* owned, with what they point to; those of a case come first */
    uint32_t intentions_made;
    size_t intention_capacity;
    struct intention *now; /* at hand */
    uint32_t *ready;       /* owned; intentions that can go on, by their numbers, ascending */
    uint32_t ready_count;
    size_t ready_capacity;
    struct cor_turns turns;
    struct cor_rows rows;
    const struct cor_agent_case *unit_case;
    struct cor_trace *trace;
    struct cor_error *error;
};

/* Sorts `count` items into the groups that `group_of` gives (COR_NONE: none), in their order. */
static void group(uint32_t count, const uint32_t *group_of, uint32_t group_count, struct span *spans,
                  uint32_t *items) {
    for (uint32_t i = 0; i < count; i++)
        if (group_of[i] != COR_NONE)
            spans[group_of[i]].count++;
    uint32_t first = 0;
    for (uint32_t g = 0; g < group_count; g++) {
        spans[g].first = first;
        first += spans[g].count;
        spans[g].count = 0;
    }
    for (uint32_t i = 0; i < count; i++)
        if (group_of[i] != COR_NONE)
            items[spans[group_of[i]].first + spans[group_of[i]].count++] = i;
}

static bool index_handlers(struct cor_interpreter *interpreter) {
    const struct cor_design *design = interpreter->design;
    COR_FREED uint32_t *triggers = cor_calloc(design->plan_count, sizeof *triggers);
    for (uint32_t p = 0; triggers && p < design->plan_count; p++) {
        const struct cor_plan_code *code = interpreter->agent->plans[p];
        triggers[p] = code->absent ? COR_NONE : code->trigger;
    }
    if (triggers)
        group(design->plan_count, triggers, design->event_count, interpreter->handlers,
              interpreter->handler_plans);
    return triggers != NULL;
}

static bool index_rules(struct cor_interpreter *interpreter) {
    const struct cor_design *design = interpreter->design;
    COR_FREED uint32_t *beliefs = cor_calloc(design->rule_count, sizeof *beliefs);
    for (uint32_t r = 0; beliefs && r < design->rule_count; r++)
        beliefs[r] = interpreter->agent->silent[r] ? COR_NONE : design->rules[r].belief;
    if (beliefs)
        group(design->rule_count, beliefs, design->belief_count, interpreter->rules,
              interpreter->rule_numbers);
    return beliefs != NULL;
}

static bool index_starts(struct cor_interpreter *interpreter) {
    const struct cor_design *design = interpreter->design;
    interpreter->own_starts = cor_calloc(design->field_count, sizeof *interpreter->own_starts);
    for (uint32_t f = 0; interpreter->own_starts && f < design->field_count; f++)
        if (!design->beliefs[design->fields[f].belief].is_relation &&
            !cor_value_equal(interpreter->agent->start[f], design->fields[f].start))
            interpreter->own_starts[interpreter->own_start_count++] = f;
    return interpreter->own_starts != NULL;
}

static bool index_keys(struct cor_interpreter *interpreter) {
    const struct cor_design *design = interpreter->design;
    for (uint32_t f = 0; f < design->field_count; f++) {
        interpreter->key_of[f] = design->fields[f].is_key ? interpreter->key_count : COR_NONE;
        if (design->fields[f].is_key)
            interpreter->key_fields[interpreter->key_count++] = f;
    }
    uint32_t count = interpreter->key_count;
    interpreter->key_parameters =
        cor_calloc((size_t)design->event_count * count, sizeof *interpreter->key_parameters);
    for (uint32_t e = 0; interpreter->key_parameters && e < design->event_count; e++)
        for (uint32_t k = 0; k < count; k++) {
            const struct cor_indices *keys = &design->events[e].keys;
            uint32_t field = interpreter->key_fields[k];
            interpreter->key_parameters[(size_t)e * count + k] =
                field < keys->count ? keys->items[field] : COR_NONE;
        }
    return interpreter->key_parameters != NULL;
}

/* The intention of that number is there, with nothing to do. */
static enum cor_status make_intention(struct cor_interpreter *interpreter, uint32_t number,
                                      struct cor_error *error) {
    COR_TRY(
        COR_RESERVE(&interpreter->intentions, &interpreter->intention_capacity, (size_t)number + 1, error));
    COR_TRY(COR_RESERVE(&interpreter->ready, &interpreter->ready_capacity, (size_t)number + 1, error));
    if (number == interpreter->intentions_made) {
        interpreter->intentions[number] = cor_calloc(1, sizeof *interpreter->intentions[number]);
        COR_TRY(cor_made(interpreter->intentions[number], error));
        interpreter->intentions_made++;
    }
    struct intention *intention = interpreter->intentions[number];
    *intention = (struct intention){.number = number,
                                    .posted = COR_NONE,
                                    .waiting = COR_NONE,
                                    .open = COR_NONE,
                                    .frames = intention->frames,
                                    .frame_capacity = intention->frame_capacity,
                                    .candidates = intention->candidates,
                                    .candidate_capacity = intention->candidate_capacity};
    return COR_OK;
}

struct cor_interpreter *cor_interpreter_create(const struct cor_agent_code *agent) {
    COR_DESTROYED(cor_interpreter) struct cor_interpreter *interpreter = cor_calloc(1, sizeof *interpreter);
    if (!interpreter)
        return NULL;
    interpreter->agent = agent;
    interpreter->design = agent->design;
    const struct cor_design *design = interpreter->design;
    uint32_t parameters = 0;
    for (uint32_t e = 0; e < design->event_count; e++)
        if (design->events[e].parameter_count > parameters)
            parameters = design->events[e].parameter_count;
    for (uint32_t p = 0; p < design->plan_count; p++)
        interpreter->branch_count += interpreter->agent->plans[p]->branch_count;
    interpreter->handlers = cor_calloc(design->event_count, sizeof *interpreter->handlers);
    interpreter->handler_plans = cor_calloc(design->plan_count, sizeof *interpreter->handler_plans);
    interpreter->rules = cor_calloc(design->belief_count, sizeof *interpreter->rules);
    interpreter->rule_numbers = cor_calloc(design->rule_count, sizeof *interpreter->rule_numbers);
    interpreter->key_fields = cor_calloc(design->field_count, sizeof *interpreter->key_fields);
    interpreter->key_of = cor_calloc(design->field_count, sizeof *interpreter->key_of);
    interpreter->branch_first = cor_calloc(design->plan_count, sizeof *interpreter->branch_first);
    interpreter->branches = cor_calloc(interpreter->branch_count, sizeof *interpreter->branches);
    interpreter->slots = cor_calloc((size_t)design->field_count + parameters, sizeof *interpreter->slots);
    interpreter->kept = cor_calloc(design->field_count, sizeof *interpreter->kept);
    interpreter->row = cor_calloc((size_t)design->field_count + 1, sizeof *interpreter->row);
    interpreter->open_counts = cor_calloc(design->plan_count, sizeof *interpreter->open_counts);
    const bool has_room = interpreter->handlers && interpreter->handler_plans && interpreter->rules &&
                          interpreter->rule_numbers && interpreter->key_fields && interpreter->key_of &&
                          interpreter->branch_first && interpreter->branches && interpreter->slots &&
                          interpreter->kept && interpreter->row && interpreter->open_counts;
    if (!has_room || !index_handlers(interpreter) || !index_rules(interpreter) ||
        !index_starts(interpreter) || !index_keys(interpreter) ||
        make_intention(interpreter, 0, NULL) != COR_OK ||
        cor_rows_init(&interpreter->rows, design, NULL) != COR_OK) {
        return NULL;
    }
    uint32_t first = 0;
    for (uint32_t p = 0; p < agent->design->plan_count; p++) {
        interpreter->branch_first[p] = first;
        first += agent->plans[p]->branch_count;
    }
    return cor_taken(&interpreter);
}

void cor_interpreter_destroy(struct cor_interpreter *interpreter) {
    if (!interpreter)
        return;
    COR_FREE(interpreter->handlers, interpreter->handler_plans, interpreter->rules, interpreter->rule_numbers,
             interpreter->own_starts, interpreter->key_fields, interpreter->key_parameters,
             interpreter->key_of, interpreter->branch_first, interpreter->branches, interpreter->slots,
             interpreter->kept, interpreter->row, interpreter->open_counts);
    for (uint32_t i = 0; i < interpreter->intentions_made; i++) {
        COR_FREE(interpreter->intentions[i]->frames, interpreter->intentions[i]->candidates,
                 interpreter->intentions[i]);
    }
    free(interpreter->intentions);
    if (interpreter->rows.design)
        cor_rows_fini(&interpreter->rows);
    COR_FREE(interpreter->ready, interpreter);
}

const uint8_t *cor_interpreter_branches(const struct cor_interpreter *interpreter, uint32_t plan) {
    COR_ASSERT(plan < interpreter->design->plan_count);
    return interpreter->branches + interpreter->branch_first[plan];
}

void cor_interpreter_clear_branches(struct cor_interpreter *interpreter) {
    memset(interpreter->branches, 0, interpreter->branch_count);
}

/* Slots show the parameters of this post, and the keys that they say. */
static void view_post(struct cor_interpreter *interpreter, uint32_t event, uint32_t posted) {
    const struct cor_value *arguments = interpreter->trace->values + interpreter->trace->events[posted].value;
    uint32_t count = interpreter->design->events[event].parameter_count;
    struct cor_value *parameters = interpreter->slots + interpreter->design->field_count;
    for (uint32_t p = 0; p < count; p++)
        parameters[p] = arguments[p];
    const uint32_t *bound = interpreter->key_parameters + (size_t)event * interpreter->key_count;
    for (uint32_t k = 0; k < interpreter->key_count; k++) {
        uint32_t field = interpreter->key_fields[k];
        interpreter->slots[field] = bound[k] == COR_NONE ? interpreter->kept[field] : arguments[bound[k]];
    }
    cor_rows_view(&interpreter->rows, interpreter->slots);
}

/* What a statement leads to. */
enum outcome {
    GO_ON,
    POST_FAILED, /* no plan is applicable, or all have failed */
    PLAN_FAILED, /* it says so, or something has no value */
    LIMIT        /* the case ends here */
};

/* How often the plan is at work in the intention at hand, and around its strands. */
static uint32_t count_open(const struct cor_interpreter *interpreter, uint32_t plan) {
    const struct intention *it = interpreter->now;
    uint32_t count = 0;
    for (; it->number != 0; it = interpreter->intentions[it->waiting]) {
        for (uint32_t f = 0; f < it->frame_count; f++)
            count +=
                it->frames[f].started != COR_NONE && !it->frames[f].is_strand && it->frames[f].plan == plan;
        if (it->waiting == COR_NONE)
            return count;
    }
    return count + interpreter->open_counts[plan];
}

/* Counts a step; at the limit the case is over. */
static bool take_step(struct cor_interpreter *interpreter) {
    struct cor_trace *trace = interpreter->trace;
    if (trace->steps == interpreter->unit_case->steps) {
        trace->end = COR_TRACE_END_STEPS;
        return false;
    }
    trace->steps++;
    interpreter->now->steps++;
    return true;
}

/* Another intention begins; it can go on. Not COR_OK is memory; *outcome may be LIMIT. */
static enum cor_status begin_intention(struct cor_interpreter *interpreter, struct intention **begun,
                                       enum outcome *outcome) {
    struct cor_trace *trace = interpreter->trace;
    *begun = NULL;
    if (trace->intention_count == COR_INTENTIONS_MOST) {
        trace->end = COR_TRACE_END_STEPS;
        *outcome = LIMIT;
        return COR_OK;
    }
    COR_TRY(make_intention(interpreter, trace->intention_count, interpreter->error));
    *begun = interpreter->intentions[trace->intention_count];
    (*begun)->open = trace->open;
    interpreter->ready[interpreter->ready_count++] = trace->intention_count++;
    return COR_OK;
}

/* The intention can go on, or cannot any more. */
static void set_ready(struct cor_interpreter *interpreter, uint32_t number, bool is_ready) {
    uint32_t place = 0, *ready = interpreter->ready;
    while (place < interpreter->ready_count && ready[place] < number)
        place++;
    uint32_t behind = interpreter->ready_count - place;
    if (is_ready) {
        memmove(ready + place + 1, ready + place, behind * sizeof *ready);
        ready[place] = number;
        interpreter->ready_count++;
    } else {
        memmove(ready + place, ready + place + 1, (behind - 1) * sizeof *ready);
        interpreter->ready_count--;
    }
}

/* Starts the plan in this frame, unless a limit forbids it. */
static enum cor_status start_plan(struct cor_interpreter *interpreter, struct frame *frame,
                                  enum outcome *outcome) {
    struct cor_trace *trace = interpreter->trace;
    uint32_t plan = interpreter->now->candidates[frame->next++];
    *outcome = LIMIT;
    if (count_open(interpreter, plan) > interpreter->unit_case->rounds) {
        trace->end = COR_TRACE_END_ROUNDS;
        return COR_OK;
    }
    if (!take_step(interpreter))
        return COR_OK;
    interpreter->open_counts[plan] += interpreter->now->number == 0;
    frame->plan = plan;
    frame->code = interpreter->agent->plans[plan];
    frame->at = 0;
    frame->started = trace->open = trace->event_count;
    *outcome = GO_ON;
    return agent__push(trace, COR_TRACE_STARTED, 0, plan, frame->event, frame->parent, frame->posted,
                       interpreter->error);
}

/* What stands at `posted` in the trace triggers the first applicable plan. */
static enum cor_status trigger(struct cor_interpreter *interpreter, uint32_t event, uint32_t posted,
                               enum outcome *outcome) {
    struct intention *now = interpreter->now;
    uint32_t count, parent = interpreter->trace->open;
    view_post(interpreter, event, posted);
    /* Evaluates the contexts of all handlers of what was posted; *count of them are applicable and become
     * candidates. */
    const struct span *handlers = &interpreter->handlers[event];
    COR_TRY(COR_RESERVE(&now->candidates, &now->candidate_capacity,
                        (size_t)now->candidate_count + handlers->count, interpreter->error));
    count = 0;
    for (uint32_t h = 0; h < handlers->count; h++) {
        uint32_t plan = interpreter->handler_plans[handlers->first + h];
        const struct cor_plan_code *code = interpreter->agent->plans[plan];
        bool holds = !code->has_context || cor_expression_judge(&code->context, interpreter->slots);
        COR_TRY(agent__push(interpreter->trace, COR_TRACE_CONTEXT, holds, plan, event, parent, posted,
                            interpreter->error));
        if (holds)
            now->candidates[now->candidate_count + count++] = plan;
    }
    if (count == 0) {
        *outcome = POST_FAILED;
        return COR_OK;
    }
    COR_TRY(
        COR_RESERVE(&now->frames, &now->frame_capacity, (size_t)now->frame_count + 1, interpreter->error));
    uint32_t first = now->candidate_count;
    now->candidate_count += count;
    struct frame *frame = &now->frames[now->frame_count++];
    *frame = (struct frame){.event = event,
                            .posted = posted,
                            .started = COR_NONE,
                            .parent = parent,
                            .first = first,
                            .next = first,
                            .end = first + count};
    return start_plan(interpreter, frame, outcome);
}

/* What a statement reports with `count` arguments, posted or sent; *outcome is PLAN_FAILED where one of them
 * has no value: then nothing was. */
static enum cor_status report(struct cor_interpreter *interpreter, const struct frame *frame,
                              const struct cor_instruction *instruction, enum cor_trace_kind kind,
                              uint8_t flag, uint32_t count, enum outcome *outcome) {
    struct cor_trace *trace = interpreter->trace;
    const struct cor_expression *arguments = frame->code->expressions + instruction->expression;
    COR_TRY(agent__reserve_values(trace, count, interpreter->error));
    struct cor_value *values = trace->values + trace->value_count;
    for (uint32_t p = 0; p < count; p++)
        if (!cor_expression_evaluate(&arguments[p], interpreter->slots, &values[p])) {
            *outcome = PLAN_FAILED;
            return COR_OK;
        }
    COR_TRY(agent__push(trace, kind, flag, frame->plan, instruction->subject, frame->started,
                        trace->value_count, interpreter->error));
    trace->value_count += count;
    return COR_OK;
}

/* A post out of a body. */
static enum cor_status post(struct cor_interpreter *interpreter, const struct frame *frame,
                            const struct cor_instruction *instruction, enum outcome *outcome) {
    struct cor_trace *trace = interpreter->trace;
    uint32_t event = instruction->subject, posted = trace->event_count;
    COR_TRY(report(interpreter, frame, instruction, COR_TRACE_POSTED,
                   instruction->aside ? COR_POSTER_ASIDE : COR_POSTER_PLAN,
                   interpreter->design->events[event].parameter_count, outcome));
    if (*outcome == PLAN_FAILED) /* nothing was posted, so "optional" does not help */
        return COR_OK;
    if (instruction->aside) {
        struct intention *begun;
        COR_TRY(begin_intention(interpreter, &begun, outcome));
        if (begun) {
            begun->posted = posted;
            begun->is_pending = true;
        }
        return COR_OK;
    }
    return trigger(interpreter, event, posted, outcome);
}

static enum cor_status write_field(struct cor_interpreter *interpreter, const struct frame *frame,
                                   const struct cor_instruction *instruction, enum outcome *outcome) {
    struct cor_trace *trace = interpreter->trace;
    uint32_t field = instruction->subject;
    struct cor_value value;
    if (!cor_expression_evaluate(&frame->code->expressions[instruction->expression], interpreter->slots,
                                 &value)) {
        *outcome = PLAN_FAILED;
        return COR_OK;
    }
    if (interpreter->design->beliefs[interpreter->design->fields[field].belief].is_relation) {
        /* A field of the row in scope, which has to be there. */
        const struct cor_design *design = interpreter->design;
        const uint32_t belief = design->fields[field].belief;
        const struct cor_design_belief *of = &design->beliefs[belief];
        struct cor_value *written = interpreter->row;
        written[0] = value;
        cor_rows_key(design, belief, interpreter->slots + of->first_field, written + 1);
        struct cor_value *row = cor_rows_find(&interpreter->rows, belief, written + 1);
        if (!row) {
            *outcome = PLAN_FAILED;
            return COR_OK;
        }
        row[field - of->first_field] = value;
        cor_rows_view(&interpreter->rows, interpreter->slots);
        return cor_trace_row(interpreter->trace, COR_TRACE_WROTE, field, written, 1 + of->key_count,
                             interpreter->error);
    }
    /* A key that a parameter says keeps on showing the parameter. */
    uint32_t key = interpreter->key_of[field];
    interpreter->kept[field] = value;
    if (key == COR_NONE ||
        interpreter->key_parameters[(size_t)frame->event * interpreter->key_count + key] == COR_NONE)
        interpreter->slots[field] = value;
    COR_TRY(agent__reserve_values(trace, 1, interpreter->error));
    COR_TRY(agent__push(trace, COR_TRACE_WROTE, 0, frame->plan, field, frame->started, trace->value_count,
                        interpreter->error));
    trace->values[trace->value_count++] = value;
    /* The rules of a belief set after a write: what they post is recorded. */
    const struct span *rules = &interpreter->rules[interpreter->design->fields[field].belief];
    for (uint32_t r = 0; r < rules->count; r++) {
        const struct cor_design_rule *rule =
            &interpreter->design->rules[interpreter->rule_numbers[rules->first + r]];
        if (!cor_expression_judge(&rule->when, interpreter->slots))
            continue;
        COR_TRY(agent__reserve_values(trace, rule->fields.count, interpreter->error));
        COR_TRY(agent__push(trace, COR_TRACE_POSTED, COR_POSTER_RULE, frame->plan, rule->event,
                            frame->started, trace->value_count, interpreter->error));
        for (uint32_t p = 0; p < rule->fields.count; p++)
            trace->values[trace->value_count++] = interpreter->slots[rule->fields.items[p]];
    }
    return COR_OK;
}

static void branch(struct cor_interpreter *interpreter, struct frame *frame,
                   const struct cor_instruction *instruction) {
    bool holds = cor_expression_judge(&frame->code->expressions[instruction->expression], interpreter->slots);
    interpreter->branches[interpreter->branch_first[frame->plan] + instruction->branch] |= holds ? 1 : 2;
    if (!holds)
        frame->at = instruction->target;
}

/* A strand begins: the rest of the plan, as it is, up to its end. */
static enum cor_status fork_strand(struct cor_interpreter *interpreter, struct frame *frame,
                                   const struct cor_instruction *instruction, enum outcome *outcome) {
    struct intention *begun;
    COR_TRY(begin_intention(interpreter, &begun, outcome));
    if (!begun)
        return COR_OK;
    COR_TRY(COR_RESERVE(&begun->frames, &begun->frame_capacity, 1, interpreter->error));
    begun->waiting = interpreter->now->number;
    begun->frames[begun->frame_count++] = *frame;
    begun->frames[0].is_strand = true;
    begun->frames[0].first = begun->frames[0].next = begun->frames[0].end = 0;
    interpreter->now->strands++;
    frame->at = instruction->target;
    return COR_OK;
}

/* The strand at hand has ended; who waits for the last of its strands goes on. */
static void leave_strand(struct cor_interpreter *interpreter, bool completed) {
    struct intention *strand = interpreter->now, *waiting = interpreter->intentions[strand->waiting];
    strand->frame_count = strand->candidate_count = 0;
    waiting->has_failed = waiting->has_failed || !completed;
    if (--waiting->strands == 0 && waiting->is_blocked) {
        waiting->is_blocked = false;
        set_ready(interpreter, waiting->number, true);
    }
}

static void join_strands(struct cor_interpreter *interpreter, struct frame *frame, enum outcome *outcome) {
    struct intention *now = interpreter->now;
    if (now->strands > 0) {
        frame->at--; /* comes here again */
        now->is_blocked = true;
        set_ready(interpreter, now->number, false);
        return;
    }
    if (now->has_failed)
        *outcome = PLAN_FAILED;
    now->has_failed = false;
}

/* One instruction of the plan on top. */
static enum cor_status step(struct cor_interpreter *interpreter, struct frame *frame, enum outcome *outcome) {
    struct cor_trace *trace = interpreter->trace;
    const struct cor_instruction *instruction = &frame->code->instructions[frame->at++];
    enum cor_instruction_kind kind = (enum cor_instruction_kind)instruction->kind;
    *outcome = GO_ON;
    if (kind == COR_INSTRUCTION_JUMP) {
        frame->at = instruction->target;
        return COR_OK;
    }
    if (kind == COR_INSTRUCTION_LEAVE) {
        leave_strand(interpreter, true);
        return COR_OK;
    }
    if (kind == COR_INSTRUCTION_JOIN) {
        join_strands(interpreter, frame, outcome);
        return COR_OK;
    }
    if (!take_step(interpreter)) {
        *outcome = LIMIT;
        return COR_OK;
    }
    switch (kind) {
    case COR_INSTRUCTION_SET:
        return write_field(interpreter, frame, instruction, outcome);
    case COR_INSTRUCTION_SEND:
        return report(interpreter, frame, instruction, COR_TRACE_SENT, 0,
                      interpreter->design->messages[instruction->subject].parameter_count, outcome);
    case COR_INSTRUCTION_DO:
        return agent__push(trace, COR_TRACE_DID, 0, frame->plan, instruction->subject, frame->started, 0,
                           interpreter->error);
    case COR_INSTRUCTION_POST:
        return post(interpreter, frame, instruction, outcome);
    case COR_INSTRUCTION_BRANCH:
        branch(interpreter, frame, instruction);
        break;
    case COR_INSTRUCTION_FAIL:
        *outcome = PLAN_FAILED;
        break;
    case COR_INSTRUCTION_INSERT:
    case COR_INSTRUCTION_REMOVE: {
        /* A row comes, or goes. */
        const struct cor_design_belief *of = &interpreter->design->beliefs[instruction->subject];
        const bool inserts = instruction->kind == COR_INSTRUCTION_INSERT;
        const uint32_t count = inserts ? of->row_width : of->key_count;
        struct cor_value *row = interpreter->row;
        for (uint32_t c = 0; c < count; c++)
            if (!cor_expression_evaluate(&frame->code->expressions[instruction->expression + c],
                                         interpreter->slots, &row[c])) {
                *outcome = PLAN_FAILED;
                return COR_OK;
            }
        if (inserts)
            COR_TRY(cor_rows_insert(&interpreter->rows, instruction->subject, row, interpreter->error));
        else
            cor_rows_remove(&interpreter->rows, instruction->subject, row);
        cor_rows_view(&interpreter->rows, interpreter->slots);
        return cor_trace_row(interpreter->trace, inserts ? COR_TRACE_INSERTED : COR_TRACE_REMOVED,
                             instruction->subject, row, count, interpreter->error);
    }
    case COR_INSTRUCTION_FORK:
        return fork_strand(interpreter, frame, instruction, outcome);
    case COR_INSTRUCTION_JUMP:
    case COR_INSTRUCTION_LEAVE:
    case COR_INSTRUCTION_JOIN:
        break;
    }
    return COR_OK;
}

static enum cor_status report_end(struct cor_interpreter *interpreter, const struct frame *frame,
                                  bool completed) {
    interpreter->open_counts[frame->plan] -= interpreter->now->number == 0;
    interpreter->trace->open = frame->parent;
    return agent__push(interpreter->trace, COR_TRACE_ENDED, completed, frame->plan, frame->event,
                       frame->started, 0, interpreter->error);
}

/* The plan on top is gone; the one below goes on. */
static void pop(struct cor_interpreter *interpreter) {
    struct intention *now = interpreter->now;
    now->candidate_count = now->frames[--now->frame_count].first;
    if (now->frame_count == 0)
        return;
    const struct frame *below = &now->frames[now->frame_count - 1];
    view_post(interpreter, below->event, below->posted);
}

/* Something failed: the plan on top, or what it posted. Then the next applicable plan is tried, or the plan
 * that posted fails as well, down to one that goes on. */
static enum cor_status recover(struct cor_interpreter *interpreter, enum outcome *outcome) {
    const struct intention *now = interpreter->now;
    while (now->frame_count > 0) {
        struct frame *frame = &now->frames[now->frame_count - 1];
        if (*outcome == POST_FAILED) {
            view_post(interpreter, frame->event, frame->posted);
            *outcome = GO_ON;
            if (frame->code->instructions[frame->at - 1].optional)
                return COR_OK;
        }
        if (frame->is_strand) {
            leave_strand(interpreter, false);
            *outcome = GO_ON;
            return COR_OK;
        }
        COR_TRY(report_end(interpreter, frame, false));
        if (frame->next < frame->end) {
            view_post(interpreter, frame->event, frame->posted);
            return start_plan(interpreter, frame, outcome);
        }
        pop(interpreter);
        *outcome = POST_FAILED;
    }
    return COR_OK;
}

static enum cor_status begin_case(struct cor_interpreter *interpreter, enum outcome *outcome) {
    const struct cor_agent_case *unit_case = interpreter->unit_case;
    const struct cor_design *design = interpreter->design;
    COR_ASSERT(unit_case->event < design->event_count);
    COR_TRY(cor_rows_begin(&interpreter->rows, unit_case->event, unit_case->beliefs, unit_case->arguments,
                           interpreter->error));
    if (design->field_count > 0) {
        memcpy(interpreter->slots, unit_case->beliefs, design->field_count * sizeof *interpreter->slots);
        memcpy(interpreter->kept, unit_case->beliefs, design->field_count * sizeof *interpreter->kept);
    }
    COR_TRY(cor_trace_posted(interpreter->trace, unit_case->event, unit_case->arguments,
                             design->events[unit_case->event].parameter_count, COR_POSTER_CASE,
                             interpreter->error));
    /* An agent with another start has it in the fields of which the case has no more to say than the design,
     * and reports it, in nobody's name. */
    struct cor_trace *trace = interpreter->trace;
    for (uint32_t i = 0; i < interpreter->own_start_count; i++) {
        uint32_t field = interpreter->own_starts[i];
        if (!cor_value_equal(interpreter->slots[field], interpreter->design->fields[field].start))
            continue;
        interpreter->slots[field] = interpreter->kept[field] = interpreter->agent->start[field];
        COR_TRY(agent__reserve_values(trace, 1, interpreter->error));
        COR_TRY(agent__push(trace, COR_TRACE_WROTE, 0, COR_NONE, field, COR_NONE, trace->value_count,
                            interpreter->error));
        trace->values[trace->value_count++] = interpreter->agent->start[field];
    }
    return trigger(interpreter, unit_case->event, 0, outcome);
}

/* Hands over to the intention whose turn it is. */
static void take_turn(struct cor_interpreter *interpreter) {
    const uint32_t *ready = interpreter->ready, count = interpreter->ready_count;
    struct cor_trace *trace = interpreter->trace;
    uint32_t at = 0;
    while (at < count && ready[at] != interpreter->now->number)
        at++;
    const uint32_t next = ready[cor_turns_next(&interpreter->turns, ready, count, at)];
    if (next == interpreter->now->number)
        return;
    interpreter->now->open = trace->open;
    struct intention *now = interpreter->now = interpreter->intentions[next];
    cor_trace_turn(trace, next, now->open, now->posted);
    if (now->frame_count > 0)
        view_post(interpreter, now->frames[now->frame_count - 1].event,
                  now->frames[now->frame_count - 1].posted);
}

/* A turn of the intention at hand: an instruction, the end of a plan, or what it is there for. */
static enum cor_status go_on(struct cor_interpreter *interpreter, enum outcome *outcome) {
    struct intention *now = interpreter->now;
    if (now->is_pending) {
        now->is_pending = false;
        return trigger(interpreter, interpreter->trace->events[now->posted].subject, now->posted, outcome);
    }
    struct frame *frame = &now->frames[now->frame_count - 1];
    if (frame->at == frame->code->instruction_count) {
        COR_TRY(report_end(interpreter, frame, true));
        pop(interpreter);
        return COR_OK;
    }
    COR_TRY(step(interpreter, frame, outcome));
    return *outcome == POST_FAILED || *outcome == PLAN_FAILED ? recover(interpreter, outcome) : COR_OK;
}

/* The plan that a limit has ended: of several intentions that of the one with most steps. */
static void blame(struct cor_interpreter *interpreter) {
    struct cor_trace *trace = interpreter->trace;
    const struct intention *most = interpreter->now;
    interpreter->now->open = trace->open;
    for (uint32_t i = 0; i < trace->intention_count; i++)
        if (interpreter->intentions[i]->steps > most->steps)
            most = interpreter->intentions[i];
    trace->open = most->open;
}

enum cor_status cor_interpreter_run(struct cor_interpreter *interpreter,
                                    const struct cor_agent_case *unit_case, struct cor_trace *trace,
                                    struct cor_error *error) {
    interpreter->unit_case = unit_case;
    interpreter->trace = trace;
    interpreter->error = error;
    cor_trace_clear(trace);
    cor_turns_begin(&interpreter->turns, unit_case, trace);
    enum cor_status status = make_intention(interpreter, 0, error);
    enum outcome outcome;
    const struct intention *first = interpreter->now = interpreter->intentions[0];
    interpreter->ready[0] = 0;
    interpreter->ready_count = 1;
    COR_TRY_OUT(begin_case(interpreter, &outcome));
    while (outcome != LIMIT) {
        const struct intention *now = interpreter->now;
        if (now->frame_count == 0 && !now->is_pending) {
            set_ready(interpreter, now->number, false);
            if (interpreter->ready_count == 0)
                break;
        }
        if (interpreter->ready_count > 1 || interpreter->ready[0] != now->number)
            take_turn(interpreter);
        outcome = GO_ON;
        COR_TRY_OUT(go_on(interpreter, &outcome));
    }
    if (outcome == LIMIT && trace->intention_count > 1)
        blame(interpreter);
out:
    /* The stacks are empty again, also after a limit. */
    for (uint32_t f = 0; f < first->frame_count; f++)
        interpreter->open_counts[first->frames[f].plan] = 0;
    if (!trace->end)
        trace->end = COR_TRACE_END_QUIET;
    return status;
}
