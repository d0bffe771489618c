/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A design is looked at unit by unit: which outcomes its cases have, which z3 finds a case for, and which
 * there cannot be. */
#include <corridor/design_check.h>

#include "internal.h"

#include <corridor/array.h>
#include <corridor/interpreter.h>

#include <stdlib.h>
#include <string.h>

#define PROBES_MAX 1000 /* cases of a unit that are looked at before anything is solved */
#define NEAR 1000       /* solutions are looked for no farther than this from what the design names, first */
#define SOLVED_MAX 500  /* cases that a unit gets at most */

void cor_design_findings_fini(struct cor_design_findings *findings) {
    for (uint32_t f = 0; f < findings->count; f++) {
        COR_FREE(findings->items[f].about, findings->items[f].plan, findings->items[f].text);
    }
    free(findings->items);
    *findings = (struct cor_design_findings){0};
}

void cor_design_findings_drop_witnesses(struct cor_design_findings *findings) {
    uint32_t kept = 0;
    for (uint32_t f = 0; f < findings->count; f++) {
        struct cor_design_finding *it = &findings->items[f];
        const bool of_event =
            it->check == COR_AUT_CHECK_EVENT_NOT_COVERED || it->check == COR_AUT_CHECK_EVENT_OVERLAP;
        const bool told = it->ground == COR_GROUND_STRUCTURE && it->severity == COR_SEVERITY_NOTE;
        const bool shown =
            it->ground == COR_GROUND_WITNESS && !(of_event && it->severity == COR_SEVERITY_NOTE);
        if (shown || told || it->beyond) {
            COR_FREE(it->about, it->plan, it->text);
        } else {
            findings->items[kept++] = *it;
        }
    }
    findings->count = kept;
}

/* A case of the unit: what its conditions see. */
struct probe {
    uint32_t unit, entry;
    bool valid;
    struct cor_value *slots; /* owned */
    /* What the design comes to in the case: in a unit of a ring a plan was started within itself, until the
     * limit of rounds; of the plans that the event of the case triggers those that were started, by bits. */
    bool came_round, went_on;
    uint64_t started;
};

/* An outcome of a plan that its own unit has no case of, since what plans before it read does not vary there:
 * it is chosen (`branch` is COR_NONE), or a branch of it comes out so. */
struct wanting {
    uint32_t plan, branch;
    bool denied;
};

struct check {
    struct cor_design_file *file;
    struct cor_design *design;
    const struct cor_test_settings *settings;
    struct cor_design_findings *findings;
    uint32_t unit, target; /* whose cases are looked at, and which unit gets those that are solved for */
    struct cor_unit_cases cases;
    struct cor_case_values values;
    struct probe *probes;
    uint32_t probe_count, stride, solved; /* of this unit */
    size_t probe_capacity;
    struct wanting *wanting; /* owned */
    uint32_t wanting_count;
    size_t wanting_capacity;
    struct agent_layer__asker asker;
    struct agent_layer__builder builder;
    struct cor_agent_code *code; /* owned, as the next: the design as it stands */
    struct cor_interpreter *interpreter;
    struct cor_trace trace;
    struct cor_error *error;
};

static const struct cor_unit *unit_of(const struct check *check) {
    return &check->file->order.units.units[check->unit];
}

static const struct cor_design_plan *member(const struct check *check, uint32_t index) {
    return &check->design->plans[cor_unit_members(&check->file->order.units, unit_of(check))[index]];
}

static enum cor_status add(struct check *check, enum cor_aut_check what, enum cor_severity severity,
                           enum cor_ground ground, const char *about, const struct cor_design_plan *plan,
                           char *text_taken) {
    const struct cor_design_finding finding = {.check = what,
                                               .severity = severity,
                                               .ground = ground,
                                               .about = (char *)(uintptr_t)about,
                                               .plan = (char *)(uintptr_t)(plan ? plan->name : ""),
                                               .text = text_taken};
    enum cor_status status = cor_made(text_taken, check->error);
    if (status == COR_OK)
        status = cor_design_findings_add(check->findings, &finding, check->error);
    free(text_taken);
    return status;
}

/* Probes. */
static struct probe *new_probe(struct check *check) {
    if (COR_RESERVE(&check->probes, &check->probe_capacity, check->probe_count + 1, check->error) != COR_OK)
        return NULL;
    struct probe *probe = &check->probes[check->probe_count];
    *probe = (struct probe){.unit = check->target};
    probe->slots = cor_calloc(check->asker.slots, sizeof *probe->slots);
    if (!probe->slots) {
        (void)cor_fail_memory(check->error);
        return NULL;
    }
    check->probe_count++;
    return probe;
}

static bool is_member(const struct check *check, uint32_t plan) {
    for (uint32_t m = 0; m < unit_of(check)->member_count; m++)
        if (member(check, m) == &check->design->plans[plan])
            return true;
    return false;
}

/* What the design itself does in the case. */
static enum cor_status run_probe(struct check *check, struct probe *probe, uint32_t event,
                                 const struct cor_value *arguments, const struct cor_value *beliefs) {
    const struct cor_agent_case asked = {.event = event,
                                         .arguments = arguments,
                                         .beliefs = beliefs,
                                         .seed = check->settings->seed,
                                         .steps = check->settings->step_limit,
                                         .rounds = check->settings->cycle_limit};
    const struct cor_trace *trace = &check->trace;
    COR_TRY(cor_interpreter_run(check->interpreter, &asked, &check->trace, check->error));
    for (uint32_t i = 0; i < trace->event_count; i++) {
        const struct cor_trace_event *it = &trace->events[i];
        if (it->kind != COR_TRACE_STARTED)
            continue;
        const struct cor_indices *handlers = &check->design->events[event].handlers;
        for (uint32_t h = 0; it->parent == COR_NONE && h < handlers->count && h < 64; h++)
            probe->started |= (uint64_t)(handlers->items[h] == it->plan) << h;
        if (unit_of(check)->kind != COR_UNIT_KIND_RING || !is_member(check, it->plan))
            continue;
        for (uint32_t up = it->parent; up != COR_NONE && !probe->came_round; up = trace->events[up].parent)
            probe->came_round = trace->events[up].plan == it->plan;
    }
    probe->went_on = probe->came_round && trace->end == COR_TRACE_END_ROUNDS;
    return COR_OK;
}

static const struct probe *seen(const struct check *check, uint32_t unit, uint32_t entry,
                                const struct agent_layer__goal *goal) {
    for (uint32_t p = 0; p < check->probe_count; p++)
        if (check->probes[p].unit == unit && check->probes[p].entry == entry &&
            (check->probes[p].valid || !goal->valid) && agent_layer__goal_met(goal, check->probes[p].slots))
            return &check->probes[p];
    return NULL;
}

/* "x = 3, store.N = 5": what varies. */
static char *values_text(const struct check *check, uint32_t entry, const struct cor_value *slots) {
    const struct cor_case_entry *it = &check->cases.entries[entry];
    char *text = cor_strdup("");
    for (uint32_t v = 0; text && v < it->variable_count; v++) {
        const struct cor_unit_variable *variable = &check->cases.variables[it->first_variable + v];
        char value[256];
        cor_value_text(slots[variable->slot], &check->design->domains[variable->domain],
                       &check->design->words, value, sizeof value);
        char *longer = cor_format("%s%s%s = %s", text, v > 0 ? ", " : "",
                                  cor_design_slot_name(check->design, it->event, variable->slot), value);
        free(text);
        text = longer;
    }
    return text;
}

/* A new case of the unit with these values of its variables, which is a probe at once. */
static enum cor_status add_case(struct check *check, uint32_t entry, const struct cor_value *slots,
                                const struct probe **probe) {
    struct cor_design_file *file = check->file;
    const struct cor_design *design = check->design;
    const struct cor_case_entry *it = &check->cases.entries[entry];
    const uint32_t parameters = design->events[it->event].parameter_count;
    COR_TRY(COR_RESERVE(&file->own_cases, &file->own_case_capacity, (size_t)file->own_case_count + 1,
                        check->error));
    struct cor_own_case *own = &file->own_cases[file->own_case_count];
    *own = (struct cor_own_case){.unit = check->target, .event = it->event, .solved = true, .valid = true};
    own->arguments = cor_calloc(parameters, sizeof *own->arguments);
    own->beliefs = cor_calloc(design->field_count, sizeof *own->beliefs);
    file->own_case_count++;
    if (!own->arguments || !own->beliefs)
        return cor_fail_memory(check->error);
    for (uint32_t f = 0; f < design->field_count; f++)
        own->beliefs[f] = design->fields[f].start;
    for (uint32_t v = 0; v < it->variable_count; v++) {
        const struct cor_unit_variable *variable = &check->cases.variables[it->first_variable + v];
        const uint32_t class = agent_layer__class_of(&check->cases, variable, slots[variable->slot]);
        own->valid = own->valid && class != COR_NONE && check->cases.classes[class].valid;
        if (variable->slot < design->field_count)
            own->beliefs[variable->slot] = slots[variable->slot];
        else
            own->arguments[variable->slot - design->field_count] = slots[variable->slot];
    }
    struct probe *made = new_probe(check);
    if (!made)
        return COR_STATUS_MEMORY;
    made->entry = entry;
    made->valid = own->valid;
    cor_design_view(design, it->event, own->beliefs, own->arguments, made->slots);
    COR_TRY(run_probe(check, made, it->event, own->arguments, own->beliefs));
    check->solved++;
    check->findings->solved++;
    *probe = made;
    return COR_OK;
}

static bool is_given(const struct cor_design_event *event, uint32_t field) {
    return field < event->keys.count && event->keys.items[field] != COR_NONE;
}

static int64_t clamp_around(int64_t at, int64_t by) {
    return by < 0 ? (at < INT64_MIN - by ? INT64_MIN : at + by) : (at > INT64_MAX - by ? INT64_MAX : at + by);
}

/* Ranges: fields that do not vary have one value; integers that do lie near what the design names, if
 * `near`. */
static void set_ranges(struct check *check, uint32_t entry, bool near) {
    const struct cor_case_entry *it = &check->cases.entries[entry];
    const struct cor_design *design = check->design;
    for (uint32_t s = 0; s < check->asker.slots; s++) {
        check->asker.low[s] = INT64_MIN;
        check->asker.high[s] = INT64_MAX;
    }
    for (uint32_t f = 0; f < design->field_count; f++) {
        const struct cor_value start = design->fields[f].start;
        if (is_given(&design->events[it->event], f))
            continue;
        check->asker.low[f] = check->asker.high[f] = start.kind == COR_VALUE_INTEGER ? start.as.integer
                                                     : start.kind == COR_VALUE_WORD  ? (int64_t)start.as.word
                                                     : start.kind == COR_VALUE_NULL  ? -1
                                                                                     : 0;
    }
    for (uint32_t v = 0; v < it->variable_count; v++) {
        const struct cor_unit_variable *variable = &check->cases.variables[it->first_variable + v];
        const uint32_t s = variable->slot;
        int64_t least = 0, most = 0;
        check->asker.low[s] = INT64_MIN;
        check->asker.high[s] = INT64_MAX;
        if (!near || design->domains[variable->domain].type != COR_VALUE_TYPE_INTEGER)
            continue;
        for (uint32_t c = variable->first_class; c < variable->first_class + variable->class_count; c++) {
            const struct cor_unit_class *class = &check->cases.classes[c];
            if (class->kind != COR_CLASS_VALUE || class->sample.kind != COR_VALUE_INTEGER)
                continue;
            least = class->sample.as.integer < least ? class->sample.as.integer : least;
            most = class->sample.as.integer > most ? class->sample.as.integer : most;
        }
        check->asker.low[s] = clamp_around(least, -NEAR);
        check->asker.high[s] = clamp_around(most, NEAR);
    }
}

struct constraints {
    struct cor_expression items[AGENT_LAYER__GOAL_TERMS + 256];
    uint32_t count;
};

static enum cor_status finish(struct check *check, struct constraints *constraints) {
    if (constraints->count == sizeof constraints->items / sizeof *constraints->items)
        return COR_STATUS_INPUT;
    COR_TRY(agent_layer__build(&check->builder, &constraints->items[constraints->count], NULL));
    constraints->count++;
    return COR_OK;
}

/* Has the condition parts that may be undefined whatever a solver says: then "denied" means more to it than
 * to us. */
static bool may_be_undefined(const struct cor_expression *condition) {
    for (uint32_t n = 0; n < condition->node_count; n++) {
        const struct cor_node *node = &condition->nodes[n];
        if (node->operator>= COR_OPERATOR_DIVIDE && node->operator<=
            COR_OPERATOR_CEIL_DIVIDE &&(condition->nodes[node->right]
                                            .
                                            operator!= COR_OPERATOR_CONSTANT || condition->nodes[node->right]
                                            .constant == 0))
            return true;
    }
    return false;
}

/* The terms of the goal, that variables have values of their classes, and that keys are their parameters.
 * COR_STATUS_INPUT: z3 cannot be asked that. */
static enum cor_status put_constraints(struct check *check, uint32_t entry,
                                       const struct agent_layer__goal *goal, struct constraints *constraints,
                                       bool *partial) {
    const struct cor_case_entry *it = &check->cases.entries[entry];
    const struct cor_design_event *event = &check->design->events[it->event];
    struct agent_layer__builder *builder = &check->builder;
    *partial = false;
    for (uint32_t t = 0; t < goal->term_count; t++) {
        const struct agent_layer__term *term = &goal->terms[t];
        agent_layer__builder_begin(builder);
        uint32_t root =
            agent_layer__put_copy(builder, term->condition, term->condition->node_count - 1, COR_NONE, false);
        if (term->denied)
            (void)agent_layer__put(builder, COR_OPERATOR_NOT, root, root);
        else if (!builder->full && builder->nodes[root].operator<COR_OPERATOR_LESS)
            (void)agent_layer__put(builder, COR_OPERATOR_AND, root, root); /* a truth value alone */
        *partial = *partial || (term->denied && may_be_undefined(term->condition));
        if (builder->reals)
            return COR_STATUS_INPUT;
        COR_TRY(finish(check, constraints));
    }
    for (uint32_t v = 0; v < it->variable_count; v++) {
        agent_layer__builder_begin(builder);
        if (agent_layer__put_classes(builder, &check->cases, &check->cases.variables[it->first_variable + v],
                                     goal->valid))
            COR_TRY(finish(check, constraints));
    }
    for (uint32_t f = 0; f < event->keys.count; f++) {
        if (!is_given(event, f))
            continue;
        agent_layer__builder_begin(builder);
        const uint32_t field = agent_layer__put_variable(builder, f);
        const uint32_t parameter =
            agent_layer__put_variable(builder, check->design->field_count + event->keys.items[f]);
        (void)agent_layer__put(builder, COR_OPERATOR_EQUAL, field, parameter);
        COR_TRY(finish(check, constraints));
    }
    return COR_OK;
}

static void free_constraints(struct constraints *constraints) {
    for (uint32_t c = 0; constraints && c < constraints->count; c++)
        free(constraints->items[c].nodes);
    free(constraints);
}

/* The constraints of the goal, freed by the caller; NULL: z3 cannot be asked that, or no more cases are
 * solved for. */
static enum cor_status make_constraints(struct check *check, uint32_t entry,
                                        const struct agent_layer__goal *goal, struct constraints **made,
                                        bool *partial) {
    *made = NULL;
    if (goal->too_long || check->solved >= SOLVED_MAX)
        return COR_OK;
    struct constraints *constraints = cor_calloc(1, sizeof *constraints);
    COR_TRY(cor_made(constraints, check->error));
    const enum cor_status status = put_constraints(check, entry, goal, constraints, partial);
    if (status == COR_OK) {
        *made = constraints;
        return COR_OK;
    }
    free_constraints(constraints);
    return status == COR_STATUS_MEMORY ? cor_fail_memory(check->error) : COR_OK;
}

/* Of all solutions the one that is named by itself, whatever version of z3 finds some: variable after
 * variable as near to 0 as can be, of two the positive. Where that is too much the solution stays as it was
 * found. */
static enum cor_status settle(struct check *check, uint32_t entry, const struct cor_question *question) {
    const struct cor_case_entry *it = &check->cases.entries[entry];
    for (uint32_t v = 0; v < it->variable_count; v++) {
        const struct cor_unit_variable *variable = &check->cases.variables[it->first_variable + v];
        const enum cor_value_type type = check->design->domains[variable->domain].type;
        const uint32_t s = variable->slot;
        const int64_t least_known = type == COR_VALUE_TYPE_INTEGER ? 0 : -1;
        struct cor_expression objective;
        struct cor_least least;
        enum cor_answer answer;
        if (type == COR_VALUE_TYPE_REAL)
            continue;
        agent_layer__builder_begin(&check->builder);
        const uint32_t node = agent_layer__put_variable(&check->builder, s);
        if (type == COR_VALUE_TYPE_INTEGER)
            (void)agent_layer__put(&check->builder, COR_OPERATOR_ABS, node, node);
        COR_TRY(agent_layer__build(&check->builder, &objective, check->error));
        objective.is_constraint = false;
        enum cor_status status = cor_solver_minimise(check->asker.solver, question, &objective, least_known,
                                                     &least, check->asker.values, check->error);
        free(objective.nodes);
        COR_TRY(status);
        if (least.answer != COR_ANSWER_SATISFIABLE || least.value > least.low)
            break;
        check->asker.low[s] = check->asker.high[s] = least.value;
        if (type != COR_VALUE_TYPE_INTEGER || least.value == 0)
            continue;
        COR_TRY(agent_layer__ask(&check->asker, question, &answer, check->error));
        if (answer != COR_ANSWER_SATISFIABLE)
            check->asker.low[s] = check->asker.high[s] = check->asker.values[s];
    }
    return COR_OK;
}

/* What became of a goal. */
struct outcome {
    enum cor_answer answer;
    const struct probe *probe; /* SATISFIABLE */
};

/* Values of the variables that meet the goal as z3 reckons, in `slots`. */
static enum cor_status find_values(struct check *check, uint32_t entry, const struct agent_layer__goal *goal,
                                   struct cor_value *slots, enum cor_answer *answer) {
    struct constraints *constraints;
    bool partial;
    *answer = COR_ANSWER_UNDECIDED;
    enum cor_status status = make_constraints(check, entry, goal, &constraints, &partial);
    if (status != COR_OK || !constraints)
        return status;
    for (int far = 0; far < 2 && *answer != COR_ANSWER_SATISFIABLE; far++) {
        set_ranges(check, entry, far == 0);
        const struct cor_question question =
            agent_layer__question(&check->asker, constraints->items, constraints->count);
        COR_TRY_OUT(agent_layer__ask(&check->asker, &question, answer, check->error));
        if (*answer == COR_ANSWER_SATISFIABLE)
            COR_TRY_OUT(settle(check, entry, &question));
    }
    if (*answer == COR_ANSWER_EMPTY && partial)
        *answer = COR_ANSWER_UNDECIDED;
    if (*answer == COR_ANSWER_SATISFIABLE) {
        /* The solution as values of the variables; a real has the sample of a class that will do. */
        const struct cor_case_entry *it = &check->cases.entries[entry];
        for (uint32_t v = 0; v < it->variable_count; v++) {
            const struct cor_unit_variable *variable = &check->cases.variables[it->first_variable + v];
            const int64_t number = check->asker.values[variable->slot];
            struct cor_value *value = &slots[variable->slot];
            switch (check->design->domains[variable->domain].type) {
            case COR_VALUE_TYPE_INTEGER:
            case COR_VALUE_TYPE_BOOLEAN:
                *value = cor_integer(number);
                break;
            case COR_VALUE_TYPE_STRING:
            case COR_VALUE_TYPE_ENUMERATION:
                *value = number < 0 ? cor_null() : cor_word((uint32_t)number);
                break;
            case COR_VALUE_TYPE_REAL:
                for (uint32_t c = variable->first_class + variable->class_count; c-- > variable->first_class;)
                    if (check->cases.classes[c].valid || !goal->valid)
                        *value = check->cases.classes[c].sample;
            }
        }
    }
out:
    free_constraints(constraints);
    return status;
}

/* A solution that meets the goal only where numbers have no limit is none. */
static enum cor_status solve(struct check *check, uint32_t entry, const struct agent_layer__goal *goal,
                             struct outcome *outcome) {
    COR_FREED struct cor_value *slots = cor_calloc(check->asker.slots, sizeof *slots);
    COR_TRY(cor_made(slots, check->error));
    enum cor_status status = find_values(check, entry, goal, slots, &outcome->answer);
    if (status == COR_OK && outcome->answer == COR_ANSWER_SATISFIABLE) {
        status = add_case(check, entry, slots, &outcome->probe);
        /* z3 knows neither the limit of 64 bits nor how the fields of a relation hang together. */
        if (status == COR_OK && !agent_layer__goal_met(goal, outcome->probe->slots)) {
            outcome->answer = COR_ANSWER_UNDECIDED;
            outcome->probe = NULL;
        }
    }
    return status;
}

/* In a case that there is, or in one that is solved for. */
static enum cor_status reach(struct check *check, uint32_t entry, const struct agent_layer__goal *goal,
                             struct outcome *outcome) {
    outcome->probe = goal->too_long ? NULL : seen(check, check->target, entry, goal);
    outcome->answer = COR_ANSWER_SATISFIABLE;
    if (outcome->probe)
        return COR_OK;
    const struct probe *other =
        goal->too_long || check->target == check->unit ? NULL : seen(check, check->unit, entry, goal);
    return other ? add_case(check, entry, other->slots, &outcome->probe) : solve(check, entry, goal, outcome);
}

static uint32_t entry_of(const struct check *check, uint32_t event) {
    uint32_t entry = 0;
    while (check->cases.entries[entry].event != event)
        entry++;
    return entry;
}

/* z3 reckons without a limit. To us what leaves 64 bits is undefined, and does not hold: where a term is
 * denied, a proof says nothing of that. */
static const char *proof_words(const struct agent_layer__goal *goal) {
    for (uint32_t t = 0; t < goal->term_count; t++)
        if (goal->terms[t].denied && agent_layer__reckons(goal->terms[t].condition))
            return "as is proven where no number leaves 64 bits";
    return "as is proven";
}

static enum cor_status check_context(struct check *check, const struct cor_design_plan *plan) {
    const uint32_t entry = entry_of(check, plan->trigger);
    struct outcome outcome;
    if (!plan->code.has_context)
        return COR_OK;
    for (int denied = 0; denied < 2; denied++) {
        struct agent_layer__goal goal = {.valid = !denied};
        agent_layer__goal_add(&goal, &plan->code.context, denied);
        COR_TRY(reach(check, entry, &goal, &outcome));
        if (outcome.answer == COR_ANSWER_SATISFIABLE)
            continue;
        const bool proven = outcome.answer == COR_ANSWER_EMPTY;
        COR_TRY(add(check, denied ? COR_AUT_CHECK_CONTEXT_NEVER_FALSE : COR_AUT_CHECK_CONTEXT_NEVER_TRUE,
                    !proven  ? COR_SEVERITY_NOTE
                    : denied ? COR_SEVERITY_WARNING
                             : COR_SEVERITY_ERROR,
                    proven ? COR_GROUND_PROOF : COR_GROUND_OPEN, plan->name, plan,
                    cor_format("The context of plan %s %s, %s.", plan->name,
                               denied ? "holds for all values" : "holds for no valid values",
                               proven ? proof_words(&goal) : "as far as values were found")));
    }
    return COR_OK;
}

/* "No plan before it is applicable." False: one always is. */
static bool deny_before(const struct check *check, const struct cor_design_plan *plan,
                        struct agent_layer__goal *goal) {
    const struct cor_indices *handlers = &check->design->events[plan->trigger].handlers;
    for (uint32_t h = 0; &check->design->plans[handlers->items[h]] != plan; h++) {
        const struct cor_plan_code *code = &check->design->plans[handlers->items[h]].code;
        if (!code->has_context)
            return false;
        agent_layer__goal_add(goal, &code->context, true);
    }
    return true;
}

/* The outcome is looked for once more among the values of the event's own unit. */
static enum cor_status want(struct check *check, const struct cor_design_plan *plan, uint32_t branch,
                            bool denied) {
    if (check->design->events[plan->trigger].handlers.count < 2)
        return COR_OK;
    COR_TRY(COR_RESERVE(&check->wanting, &check->wanting_capacity, check->wanting_count + 1, check->error));
    check->wanting[check->wanting_count++] =
        (struct wanting){(uint32_t)(plan - check->design->plans), branch, denied};
    return COR_OK;
}

/* Walks: what a case has to be so that plans that post to each other go a certain way. The values of fields
 * and arguments on the way are nodes over the slots of the case, and what has to hold is gathered in one
 * condition. What is not followed - what handles a post in between, rows - leaves no value, and what then
 * reads it is no way. Whether a case goes as walked is seen when the design runs it. */
#define WALK_STEPS 5000
#define WALK_ASKS 60

struct walk {
    struct check *check;
    uint32_t entry;
    struct agent_layer__builder builder;
    uint32_t root;   /* what has to hold so far, COR_NONE: nothing */
    uint32_t *open;  /* owned; [plan] how often it is at work */
    uint32_t rounds; /* a plan is to be started within itself so often; 0: a plan is to fail */
    uint32_t behind; /* then the handler, of those of the event of the case, that is to be started for it; */
    uint32_t next;   /* those before this one have had their turn */
    const uint32_t *slots; /* borrowed; the values of the case */
    uint32_t steps, asks;  /* left */
    bool found;
};

struct walk_mark {
    uint32_t count, root;
};

static struct walk_mark mark(const struct walk *walk) {
    return (struct walk_mark){walk->builder.count, walk->root};
}

static void go_back(struct walk *walk, struct walk_mark to) {
    walk->builder.count = to.count;
    walk->builder.full = walk->builder.reals = false;
    walk->root = to.root;
}

/* What the expression gives there, COR_NONE: that is not known, or not to be asked. */
static uint32_t value_of(struct walk *walk, const struct cor_expression *expression, const uint32_t *values) {
    const struct walk_mark before = mark(walk);
    const uint32_t value = agent_layer__put_over(&walk->builder, expression, values);
    if (value != COR_NONE && !walk->builder.full && !walk->builder.reals)
        return value;
    go_back(walk, before);
    return COR_NONE;
}

/* The condition has to hold there, or not to. False: it cannot be said. */
static bool demand(struct walk *walk, const struct cor_expression *condition, const uint32_t *values,
                   bool denied) {
    struct agent_layer__builder *builder = &walk->builder;
    uint32_t node = agent_layer__put_over(builder, condition, values);
    if (node == COR_NONE)
        return false;
    if (denied)
        node = agent_layer__put(builder, COR_OPERATOR_NOT, node, node);
    walk->root =
        agent_layer__put(builder, COR_OPERATOR_AND, walk->root == COR_NONE ? node : walk->root, node);
    return !builder->full && !builder->reals;
}

/* Of the handlers of the event the context of this one holds, and of none before it from `first` on. */
static bool demand_turn(struct walk *walk, const struct cor_design_event *event, uint32_t first,
                        uint32_t handler, const uint32_t *values) {
    const struct cor_design *design = walk->check->design;
    for (uint32_t h = first; h <= handler; h++) {
        const struct cor_plan_code *code = &design->plans[event->handlers.items[h]].code;
        if (code->has_context ? !demand(walk, &code->context, values, h < handler) : h < handler)
            return false;
    }
    return true;
}

/* Of the handlers [first, end) of the event the context of none holds. */
static bool demand_none(struct walk *walk, const struct cor_design_event *event, uint32_t first, uint32_t end,
                        const uint32_t *values) {
    for (uint32_t h = first; h < end; h++) {
        const struct cor_plan_code *code = &walk->check->design->plans[event->handlers.items[h]].code;
        if (!code->has_context || !demand(walk, &code->context, values, true))
            return false;
    }
    return true;
}

/* Does the case go as walked? */
static bool has_gone(const struct walk *walk, const struct outcome *outcome) {
    return outcome->answer == COR_ANSWER_SATISFIABLE &&
           (walk->rounds == 0  ? outcome->probe->started >> walk->behind & 1
            : walk->rounds > 1 ? outcome->probe->went_on
                               : outcome->probe->came_round);
}

/* Asks z3 of the way so far; at its end for a case, which the design then runs. */
static enum cor_status ask_way(struct walk *walk, bool is_whole, bool *is_open) {
    struct check *check = walk->check;
    struct agent_layer__goal goal = {.valid = true};
    struct cor_expression way = {0};
    struct constraints *constraints = NULL;
    bool partial;
    enum cor_status status = COR_OK;
    *is_open = false;
    if (walk->asks == 0)
        return COR_OK;
    walk->asks--;
    const struct walk_mark before = mark(walk);
    const uint32_t zero = agent_layer__put_constant(&walk->builder, 0);
    const uint32_t always = agent_layer__put(&walk->builder, COR_OPERATOR_EQUAL, zero, zero);
    (void)agent_layer__put(&walk->builder, COR_OPERATOR_AND, walk->root == COR_NONE ? always : walk->root,
                           always);
    if (agent_layer__build(&walk->builder, &way, NULL) != COR_OK)
        goto out; /* too long a way */
    agent_layer__goal_add(&goal, &way, false);
    if (is_whole) {
        struct outcome outcome;
        COR_TRY_OUT(reach(check, walk->entry, &goal, &outcome));
        walk->found = has_gone(walk, &outcome);
        if (!walk->found && outcome.answer == COR_ANSWER_SATISFIABLE) { /* one that there was; another may */
            COR_TRY_OUT(solve(check, walk->entry, &goal, &outcome));
            walk->found = has_gone(walk, &outcome);
        }
        goto out;
    }
    enum cor_answer answer;
    COR_TRY_OUT(make_constraints(check, walk->entry, &goal, &constraints, &partial));
    if (!constraints)
        goto out;
    set_ranges(check, walk->entry, false);
    const struct cor_question question =
        agent_layer__question(&check->asker, constraints->items, constraints->count);
    COR_TRY_OUT(agent_layer__ask(&check->asker, &question, &answer, check->error));
    *is_open = answer != COR_ANSWER_EMPTY;
out:
    free_constraints(constraints);
    free(way.nodes);
    go_back(walk, before);
    return status;
}

static enum cor_status walk_body(struct walk *walk, const struct cor_design_plan *plan, uint32_t at,
                                 const uint32_t *values);

/* The same values, but for a field (COR_NONE: none), fields of a set (likewise), and whatever a plan may
 * write. */
static enum cor_status walk_on(struct walk *walk, const struct cor_design_plan *plan, uint32_t at,
                               const uint32_t *values, uint32_t field, uint32_t value, uint32_t belief,
                               bool by_others) {
    const struct cor_design *design = walk->check->design;
    COR_FREED uint32_t *changed = cor_calloc(walk->check->asker.slots, sizeof *changed);
    COR_TRY(cor_made(changed, walk->check->error));
    memcpy(changed, values, walk->check->asker.slots * sizeof *changed);
    for (uint32_t f = 0; f < design->field_count; f++) {
        bool is_lost = design->fields[f].belief == belief;
        for (uint32_t p = 0; by_others && p < design->plan_count; p++)
            for (uint32_t w = 0; w < design->plans[p].writes.count; w++)
                is_lost = is_lost || design->plans[p].writes.items[w] == design->fields[f].belief;
        if (is_lost)
            changed[f] = COR_NONE;
    }
    if (field != COR_NONE)
        changed[field] = value;
    return walk_body(walk, plan, at, changed);
}

/* The event comes to a plan of the ring. */
static enum cor_status walk_start(struct walk *walk, uint32_t number, const uint32_t *values) {
    const struct cor_design *design = walk->check->design;
    const struct cor_design_event *event = &design->events[number];
    for (uint32_t h = 0; h < event->handlers.count && !walk->found; h++) {
        const uint32_t plan = event->handlers.items[h];
        const struct walk_mark before = mark(walk);
        bool is_open = false;
        if (is_member(walk->check, plan) && demand_turn(walk, event, 0, h, values)) {
            const bool is_whole = ++walk->open[plan] > walk->rounds;
            enum cor_status status = ask_way(walk, is_whole, &is_open);
            if (status == COR_OK && is_open)
                status = walk_body(walk, &design->plans[plan], 0, values);
            walk->open[plan]--;
            COR_TRY(status);
        }
        go_back(walk, before);
    }
    return COR_OK;
}

/* May the plan fail? */
static bool may_fail(const struct check *check, const struct cor_design_plan *plan) {
    const struct cor_design *design = check->design;
    bool may = false;
    for (uint32_t i = 0; i < plan->code.instruction_count; i++) {
        const struct cor_instruction *it = &plan->code.instructions[i];
        may = may || it->kind == COR_INSTRUCTION_FAIL ||
              (it->kind == COR_INSTRUCTION_POST && !it->optional && !it->aside) ||
              (it->kind == COR_INSTRUCTION_SET &&
               design->beliefs[design->fields[it->subject].belief].is_relation);
    }
    for (uint32_t e = 0; e < plan->code.expression_count; e++)
        may = may || may_be_undefined(&plan->code.expressions[e]);
    return may;
}

/* What handled the event of the case has failed. Those behind it are not applicable, or one of them fails in
 * its turn. */
static enum cor_status walk_failed(struct walk *walk) {
    const struct check *check = walk->check;
    const struct cor_design_event *event = &check->design->events[check->cases.entries[walk->entry].event];
    const uint32_t first = walk->next;
    const struct walk_mark before = mark(walk);
    bool is_open = false;
    if (walk->rounds > 0)
        return COR_OK;
    enum cor_status status =
        demand_none(walk, event, first, walk->behind, walk->slots) ? ask_way(walk, true, &is_open) : COR_OK;
    for (uint32_t h = first; h < walk->behind && status == COR_OK && !walk->found; h++) {
        const struct cor_design_plan *plan = &check->design->plans[event->handlers.items[h]];
        go_back(walk, before);
        if (!may_fail(check, plan) || !demand_turn(walk, event, first, h, walk->slots))
            continue;
        status = ask_way(walk, false, &is_open);
        walk->next = h + 1;
        if (status == COR_OK && is_open)
            status = walk_body(walk, plan, 0, walk->slots);
        walk->next = first;
    }
    go_back(walk, before);
    return status;
}

/* What handles the post sees: its arguments, and the fields as they are. */
static enum cor_status walk_post(struct walk *walk, const struct cor_design_plan *plan,
                                 const struct cor_instruction *post, const uint32_t *values) {
    const struct cor_design *design = walk->check->design;
    const struct cor_design_event *event = &design->events[post->subject];
    const struct walk_mark before = mark(walk);
    COR_FREED uint32_t *seen_there = cor_calloc(walk->check->asker.slots, sizeof *seen_there);
    COR_TRY(cor_made(seen_there, walk->check->error));
    enum cor_status status = COR_OK;
    for (uint32_t p = 0; p < event->parameter_count; p++)
        seen_there[design->field_count + p] =
            value_of(walk, &plan->code.expressions[post->expression + p], values);
    for (uint32_t f = 0; f < design->field_count; f++) {
        const bool is_kept = !is_given(&design->events[plan->trigger], f) &&
                             !design->beliefs[design->fields[f].belief].is_relation;
        seen_there[f] = is_given(event, f) ? seen_there[design->field_count + event->keys.items[f]]
                        : is_kept          ? values[f]
                                           : COR_NONE;
    }
    if (walk->rounds > 0) {
        status = walk_start(walk, post->subject, seen_there);
    } else if (!post->optional && !post->aside) {
        /* It fails where it finds no plan. */
        bool is_open = false;
        const struct walk_mark posted = mark(walk);
        const bool is_possible = demand_none(walk, event, 0, event->handlers.count, seen_there);
        status = is_possible ? walk_failed(walk) : COR_OK;
        /* Or where the one that it finds fails. */
        for (uint32_t h = 0; h < event->handlers.count && status == COR_OK && !walk->found; h++) {
            const struct cor_design_plan *handler = &design->plans[event->handlers.items[h]];
            go_back(walk, posted);
            if (may_fail(walk->check, handler) && demand_turn(walk, event, 0, h, seen_there) &&
                demand_none(walk, event, h + 1, event->handlers.count, seen_there))
                status = ask_way(walk, false, &is_open);
            if (status == COR_OK && is_open)
                status = walk_body(walk, handler, 0, seen_there);
            is_open = false;
        }
    }
    go_back(walk, before);
    return status;
}

/* The plan from its instruction `at` on. */
static enum cor_status walk_body(struct walk *walk, const struct cor_design_plan *plan, uint32_t at,
                                 const uint32_t *values) {
    const struct cor_design *design = walk->check->design;
    const struct cor_plan_code *code = &plan->code;
    while (at < code->instruction_count && !walk->found && walk->steps > 0) {
        const struct cor_instruction *it = &code->instructions[at];
        const struct cor_expression *expression = &code->expressions[it->expression];
        struct walk_mark before = mark(walk);
        walk->steps--;
        switch ((enum cor_instruction_kind)it->kind) {
        case COR_INSTRUCTION_SEND:
        case COR_INSTRUCTION_DO:
        case COR_INSTRUCTION_JOIN:
            at++;
            break;
        case COR_INSTRUCTION_JUMP:
            at = it->target;
            break;
        case COR_INSTRUCTION_LEAVE:
            return COR_OK;
        case COR_INSTRUCTION_FAIL:
            return walk_failed(walk);
        case COR_INSTRUCTION_FORK: /* a strand, or what comes behind it */
            COR_TRY(walk_body(walk, plan, at + 1, values));
            go_back(walk, before);
            at = it->target;
            break;
        case COR_INSTRUCTION_BRANCH:
            if (demand(walk, expression, values, false))
                COR_TRY(walk_body(walk, plan, at + 1, values));
            go_back(walk, before);
            if (!demand(walk, expression, values, true))
                return COR_OK;
            at = it->target;
            break;
        case COR_INSTRUCTION_SET: {
            const bool is_plain = !design->beliefs[design->fields[it->subject].belief].is_relation &&
                                  !is_given(&design->events[plan->trigger], it->subject);
            const uint32_t value = is_plain ? value_of(walk, expression, values) : COR_NONE;
            return walk_on(walk, plan, at + 1, values, it->subject, value, COR_NONE, false);
        }
        case COR_INSTRUCTION_INSERT:
        case COR_INSTRUCTION_REMOVE:
            return walk_on(walk, plan, at + 1, values, COR_NONE, COR_NONE, it->subject, false);
        case COR_INSTRUCTION_POST:
            COR_TRY(walk_post(walk, plan, it, values));
            return walk->found ? COR_OK
                               : walk_on(walk, plan, at + 1, values, COR_NONE, COR_NONE, COR_NONE, true);
        }
    }
    return COR_OK;
}

/* A walk from the event of an entry; its values are the slots themselves, but for reals, of which nothing is
 * asked. */
static enum cor_status begin_walk(struct check *check, uint32_t entry, uint32_t rounds, struct walk **walk,
                                  uint32_t **values) {
    struct walk *made = *walk = cor_calloc(1, sizeof *made);
    *values = cor_calloc(check->asker.slots, sizeof **values);
    if (!made || !*values)
        return cor_fail_memory(check->error);
    made->check = check;
    made->entry = entry;
    made->root = COR_NONE;
    made->rounds = rounds;
    made->steps = WALK_STEPS;
    made->asks = WALK_ASKS;
    made->open = cor_calloc(check->design->plan_count, sizeof *made->open);
    const uint32_t event = check->cases.entries[entry].event;
    const uint32_t slots = cor_design_slot_count(check->design, event);
    for (uint32_t s = 0; s < check->asker.slots; s++)
        (*values)[s] =
            s >= slots || cor_design_slot_domain(check->design, event, s)->type == COR_VALUE_TYPE_REAL
                ? COR_NONE
                : agent_layer__put_variable(&made->builder, s);
    return cor_made(made->open, check->error);
}

static void end_walk(struct walk *walk, uint32_t *values) {
    if (walk)
        free(walk->open);
    COR_FREE(walk, values);
}

/* Cases in which the ring comes round, and in which it does so once more than the limit. */
static enum cor_status walk_round(struct check *check) {
    for (int beyond = 0; beyond < 2; beyond++) {
        const uint32_t rounds = beyond ? check->settings->cycle_limit + 1 : 1;
        bool found = false;
        for (uint32_t p = 0; p < check->probe_count; p++)
            found = found || (check->probes[p].valid &&
                              (beyond ? check->probes[p].went_on : check->probes[p].came_round));
        for (uint32_t e = 0; e < check->cases.entry_count && !found; e++) {
            struct walk *walk;
            uint32_t *values;
            enum cor_status status = begin_walk(check, e, rounds, &walk, &values);
            if (status == COR_OK)
                status = walk_start(walk, check->cases.entries[e].event, values);
            found = status == COR_OK && walk->found;
            end_walk(walk, values);
            COR_TRY(status);
        }
    }
    return COR_OK;
}

/* A case in which the plan is chosen since what is applicable before it fails; may something? */
static enum cor_status walk_to_failure(struct check *check, const struct cor_design_plan *plan, bool *found,
                                       bool *may) {
    const struct cor_design_event *event = &check->design->events[plan->trigger];
    *found = *may = false;
    for (uint32_t h = 0; &check->design->plans[event->handlers.items[h]] != plan && !*found; h++) {
        const struct cor_design_plan *before = &check->design->plans[event->handlers.items[h]];
        struct walk *walk;
        uint32_t *values, at = h + 1;
        if (!may_fail(check, before))
            continue;
        *may = true;
        while (&check->design->plans[event->handlers.items[at]] != plan)
            at++;
        enum cor_status status = begin_walk(check, entry_of(check, plan->trigger), 0, &walk, &values);
        if (status == COR_OK) {
            walk->behind = at;
            walk->next = h + 1;
            walk->slots = values;
            if (at < 64 && (!plan->code.has_context || demand(walk, &plan->code.context, values, false)) &&
                demand_turn(walk, event, 0, h, values))
                status = walk_body(walk, before, 0, values);
            *found = walk->found;
        }
        end_walk(walk, values);
        COR_TRY(status);
    }
    return COR_OK;
}

/* The plan is chosen in a case of the unit: in its turn, or when those before it have failed. Of an event's
 * own cases it is told where there is none. */
static enum cor_status check_chosen(struct check *check, const struct cor_design_plan *plan) {
    const struct cor_indices *handlers = &check->design->events[plan->trigger].handlers;
    const uint32_t entry = entry_of(check, plan->trigger);
    struct agent_layer__goal goal = {.valid = true};
    struct outcome outcome = {.answer = COR_ANSWER_EMPTY};
    uint32_t at = 0;
    while (&check->design->plans[handlers->items[at]] != plan)
        at++;
    if (plan->code.has_context)
        agent_layer__goal_add(&goal, &plan->code.context, false);
    if (deny_before(check, plan, &goal))
        COR_TRY(reach(check, entry, &goal, &outcome));
    if (outcome.answer == COR_ANSWER_SATISFIABLE)
        return COR_OK;
    for (uint32_t p = 0; p < check->probe_count && at < 64; p++)
        if (check->probes[p].entry == entry && check->probes[p].valid && (check->probes[p].started >> at & 1))
            return COR_OK;
    bool found = false, may = false;
    COR_TRY(walk_to_failure(check, plan, &found, &may));
    if (found || unit_of(check)->kind != COR_UNIT_KIND_EVENT)
        return found ? COR_OK : want(check, plan, COR_NONE, false);
    bool is_wanted = false; /* in its own unit, too */
    for (uint32_t i = 0; i < check->wanting_count; i++)
        is_wanted = is_wanted || (&check->design->plans[check->wanting[i].plan] == plan &&
                                  check->wanting[i].branch == COR_NONE);
    if (!is_wanted)
        return COR_OK;
    const bool proven = outcome.answer == COR_ANSWER_EMPTY && !may;
    return add(
        check, COR_AUT_CHECK_PLAN_NEVER_CHOSEN, COR_SEVERITY_NOTE,
        proven ? COR_GROUND_PROOF : COR_GROUND_OPEN, plan->name, plan,
        proven ? cor_format("Plan %s is never chosen: wherever it is applicable on valid values, a plan "
                            "before it is, %s.",
                            plan->name, proof_words(&goal))
               : cor_format("No case was found in which plan %s is chosen: it is applicable, and each plan "
                            "before it is not or fails.",
                            plan->name));
}

/* Branches: what has to hold on the way to one, and whether what it reads was perhaps written before. */
static const struct cor_expression *branch_condition(const struct cor_design_plan *plan, uint32_t branch,
                                                     uint32_t *at) {
    const struct cor_plan_code *code = &plan->code;
    for (*at = 0;
         code->instructions[*at].kind != COR_INSTRUCTION_BRANCH || code->instructions[*at].branch != branch;)
        ++*at;
    return &code->expressions[code->instructions[*at].expression];
}

static bool is_loop(const struct cor_statement *statement) {
    return statement->kind == COR_STATEMENT_WHILE;
}

/* May field `field` be another than at the start when instruction `end` is reached? */
static bool may_be_written(const struct check *check, const struct cor_design_plan *plan, uint32_t end,
                           uint32_t field) {
    for (uint32_t i = 0; i < end; i++) {
        const struct cor_instruction *it = &plan->code.instructions[i];
        if (it->kind == COR_INSTRUCTION_SET && it->subject == field)
            return true;
        if ((it->kind == COR_INSTRUCTION_INSERT || it->kind == COR_INSTRUCTION_REMOVE) &&
            it->subject == check->design->fields[field].belief)
            return true;
        if (it->kind != COR_INSTRUCTION_POST)
            continue;
        for (uint32_t p = 0; p < check->design->plan_count; p++) /* whatever handles it may write it */
            for (uint32_t w = 0; w < check->design->plans[p].writes.count; w++)
                if (check->design->plans[p].writes.items[w] == check->design->fields[field].belief)
                    return true;
    }
    return false;
}

/* Other strands may be at work beside the statement. */
static bool is_in_strand(const struct cor_body *body, uint32_t statement) {
    for (uint32_t s = 0; s < statement; s++)
        if (body->statements[s].kind == COR_STATEMENT_STRAND && body->statements[s].end > statement)
            return true;
    return false;
}

/* The path to a branch: the context, and the conditions of the statements around it. */
static bool put_path(const struct check *check, const struct cor_design_plan *plan, uint32_t branch,
                     struct agent_layer__goal *goal) {
    const struct cor_plan_code *code = &plan->code;
    const uint32_t statement = code->branch_statements[branch];
    bool written = false;
    uint32_t at, end;
    const struct cor_expression *condition = branch_condition(plan, branch, &end);
    if (is_loop(&plan->body.statements[statement]) || is_in_strand(&plan->body, statement))
        end = code->instruction_count;
    if (code->has_context)
        agent_layer__goal_add(goal, &code->context, false);
    for (uint32_t b = 0; b < code->branch_count; b++) {
        const uint32_t around = code->branch_statements[b];
        const struct cor_statement *it = &plan->body.statements[around];
        if (around >= statement || it->end <= statement)
            continue;
        const bool otherwise = it->kind == COR_STATEMENT_IF && statement >= it->otherwise;
        agent_layer__goal_add(goal, branch_condition(plan, b, &at), otherwise);
        if (is_loop(it))
            end = code->instruction_count;
    }
    for (uint32_t t = code->has_context; t <= goal->term_count; t++) {
        const struct cor_expression *read = t < goal->term_count ? goal->terms[t].condition : condition;
        for (uint32_t f = 0; f < check->design->field_count && !written; f++)
            written = cor_expression_reads(read, f) && may_be_written(check, plan, end, f);
    }
    return written;
}

static enum cor_status check_branches(struct check *check, const struct cor_design_plan *plan) {
    const uint32_t entry = entry_of(check, plan->trigger);
    for (uint32_t b = 0; b < plan->code.branch_count; b++)
        for (int denied = 0; denied < 2; denied++) {
            struct agent_layer__goal goal = {.valid = true}, in_turn;
            struct outcome outcome = {.answer = COR_ANSWER_EMPTY};
            uint32_t at;
            const bool written = put_path(check, plan, b, &goal);
            agent_layer__goal_add(&goal, branch_condition(plan, b, &at), denied);
            /* Where it is the turn of the plan, if possible; it may also be started when others have failed.
             */
            in_turn = goal;
            if (deny_before(check, plan, &in_turn))
                COR_TRY(reach(check, entry, &in_turn, &outcome));
            if (outcome.answer != COR_ANSWER_SATISFIABLE) {
                COR_TRY(want(check, plan, b, denied));
                COR_TRY(reach(check, entry, &goal, &outcome));
            }
            if (outcome.answer == COR_ANSWER_SATISFIABLE)
                continue;
            const bool proven = outcome.answer == COR_ANSWER_EMPTY && !written;
            COR_TRY(
                add(check, COR_AUT_CHECK_BRANCH_DEAD, proven ? COR_SEVERITY_WARNING : COR_SEVERITY_NOTE,
                    proven ? COR_GROUND_PROOF : COR_GROUND_OPEN, plan->name, plan,
                    cor_format("In plan %s the condition \"%s\" is %s on valid values, %s.", plan->name,
                               branch_condition(plan, b, &at)->text, denied ? "never false" : "never true",
                               proven    ? proof_words(&goal)
                               : written ? "unless what is written before makes it so"
                                         : "as far as values were found")));
        }
    return COR_OK;
}

/* What the own units of its plans want, of the event whose unit it is: they get the cases. */
static enum cor_status find_wanting(struct check *check, uint32_t event) {
    const struct cor_units *units = &check->file->order.units;
    const uint32_t entry = entry_of(check, event);
    enum cor_status status = COR_OK;
    for (uint32_t i = 0; i < check->wanting_count && status == COR_OK; i++) {
        const struct wanting it = check->wanting[i];
        const struct cor_design_plan *plan = &check->design->plans[it.plan];
        struct agent_layer__goal goal = {.valid = true};
        struct outcome outcome = {.answer = COR_ANSWER_EMPTY};
        bool found, may;
        uint32_t at;
        if (plan->trigger != event)
            continue;
        for (uint32_t u = 0; u < units->count; u++)
            for (uint32_t m = 0; m < units->units[u].member_count; m++)
                if (units->units[u].kind != COR_UNIT_KIND_EVENT &&
                    cor_unit_members(units, &units->units[u])[m] == it.plan)
                    check->target = u;
        if (it.branch != COR_NONE) {
            (void)put_path(check, plan, it.branch, &goal);
            agent_layer__goal_add(&goal, branch_condition(plan, it.branch, &at), it.denied);
        } else if (plan->code.has_context) {
            agent_layer__goal_add(&goal, &plan->code.context, false);
        }
        if (deny_before(check, plan, &goal))
            status = reach(check, entry, &goal, &outcome);
        if (status == COR_OK && it.branch == COR_NONE && outcome.answer != COR_ANSWER_SATISFIABLE)
            status = walk_to_failure(check, plan, &found, &may);
        check->target = check->unit;
    }
    return status;
}

/* Looks for values of an event at which the goal holds, which should have none: a finding as severe as the
 * design speaks (`is_said`), with a witness; open, a note. Both sentences are freed. */
static enum cor_status find_input(struct check *check, uint32_t entry, const struct agent_layer__goal *goal,
                                  enum cor_aut_check what, bool is_said, char *found, char *open) {
    struct outcome outcome;
    const char *event = check->design->events[check->cases.entries[entry].event].name;
    enum cor_status status = reach(check, entry, goal, &outcome);
    if (status == COR_OK && outcome.answer == COR_ANSWER_SATISFIABLE) {
        COR_FREED char *values = values_text(check, entry, outcome.probe->slots);
        status = add(check, what, is_said ? COR_SEVERITY_ERROR : COR_SEVERITY_WARNING, COR_GROUND_WITNESS,
                     event, NULL, found && values ? cor_format("%s: %s.", found, values) : NULL);
    } else if (status == COR_OK && outcome.answer != COR_ANSWER_EMPTY) {
        status = add(check, what, COR_SEVERITY_NOTE, COR_GROUND_OPEN, event, NULL,
                     open ? cor_format("%s.", open) : NULL);
    }
    COR_FREE(found, open);
    return status;
}

/* Numbers that leave 64 bits: what they are part of is undefined, and does not hold. */

/* The values of the variables as a case sees them. */
static enum cor_status view(struct check *check, uint32_t entry, const struct cor_value *slots,
                            struct cor_value *seen_slots) {
    const struct cor_design *design = check->design;
    const struct cor_case_entry *it = &check->cases.entries[entry];
    COR_FREED struct cor_value *arguments =
        cor_calloc(design->events[it->event].parameter_count, sizeof *arguments);
    COR_FREED struct cor_value *beliefs = cor_calloc(design->field_count, sizeof *beliefs);
    if (!arguments || !beliefs)
        return cor_fail_memory(check->error);
    for (uint32_t f = 0; f < design->field_count; f++)
        beliefs[f] = design->fields[f].start;
    for (uint32_t v = 0; v < it->variable_count; v++) {
        const uint32_t slot = check->cases.variables[it->first_variable + v].slot;
        if (slot < design->field_count)
            beliefs[slot] = slots[slot];
        else
            arguments[slot - design->field_count] = slots[slot];
    }
    cor_design_view(design, it->event, beliefs, arguments, seen_slots);
    return COR_OK;
}

/* The value at an end of a class, or the one next to it where the end is not in the class; false: neither is.
 */
static bool find_end(const struct check *check, const struct cor_unit_variable *variable, uint32_t class,
                     int64_t *end, int64_t inwards) {
    if (agent_layer__class_of(&check->cases, variable, cor_integer(*end)) == class)
        return true;
    return !__builtin_add_overflow(*end, inwards, end) &&
           agent_layer__class_of(&check->cases, variable, cor_integer(*end)) == class;
}

/* The least and the greatest valid value of an integer. */
static bool find_extremes(const struct check *check, const struct cor_unit_variable *variable,
                          int64_t extremes[2]) {
    bool any = false;
    if (check->design->domains[variable->domain].type != COR_VALUE_TYPE_INTEGER)
        return false;
    for (uint32_t c = variable->first_class; c < variable->first_class + variable->class_count; c++) {
        const struct cor_unit_class *class = &check->cases.classes[c];
        const bool is_value = class->kind == COR_CLASS_VALUE;
        const struct cor_value low = is_value ? class->sample : class->low,
                               high = is_value ? class->sample : class->high;
        int64_t least = low.kind == COR_VALUE_INTEGER ? low.as.integer : INT64_MIN;
        int64_t most = high.kind == COR_VALUE_INTEGER ? high.as.integer : INT64_MAX;
        if (!class->valid || !find_end(check, variable, c, &least, 1) ||
            !find_end(check, variable, c, &most, -1))
            continue;
        extremes[0] = !any || least < extremes[0] ? least : extremes[0];
        extremes[1] = !any || most > extremes[1] ? most : extremes[1];
        any = true;
    }
    return any;
}

#define CORNERS_MAX 256 /* ways to put integers at their extremes, of each case that they are tried with */
#define CORNER_CASES 20

/* a < b, or a > b. */
static uint32_t put_order(struct agent_layer__builder *builder, uint32_t a, uint32_t b, bool less) {
    return agent_layer__put(builder, COR_OPERATOR_LESS, less ? a : b, less ? b : a);
}

/* "What the node reckons is above 64 bits", or below; without a term that is itself beyond them. False: it
 * has no such form. */
static bool put_leaving(struct agent_layer__builder *builder, const struct cor_expression *condition,
                        uint32_t n, bool above) {
    const struct cor_node *node = &condition->nodes[n];
    const enum cor_operator kind = node->operator;
    const bool takes = kind == COR_OPERATOR_SUBTRACT;
    agent_layer__builder_begin(builder);
    if (kind != COR_OPERATOR_ADD && !takes)
        return false;
    /* a + b > MAX: b > 0 and a > MAX - b; a - b > MAX: b < 0 and a > MAX + b; likewise below. */
    const uint32_t b = agent_layer__put_copy(builder, condition, node->right, COR_NONE, false);
    const uint32_t sign = put_order(builder, b, agent_layer__put_constant(builder, 0), above == takes);
    const uint32_t a = agent_layer__put_copy(builder, condition, node->left, COR_NONE, false);
    const uint32_t again = agent_layer__put_copy(builder, condition, node->right, COR_NONE, false);
    const uint32_t limit = agent_layer__put_constant(builder, above ? INT64_MAX : INT64_MIN);
    const uint32_t room =
        agent_layer__put(builder, takes ? COR_OPERATOR_ADD : COR_OPERATOR_SUBTRACT, limit, again);
    (void)agent_layer__put(builder, COR_OPERATOR_AND, sign, put_order(builder, a, room, !above));
    return !builder->reals && !builder->full;
}

/* Solved for: a sum or difference of one context leaves 64 bits, and no other context holds. */
static enum cor_status solve_leaving(struct check *check, uint32_t entry,
                                     const struct cor_design_event *event,
                                     const struct agent_layer__goal *none, struct cor_value *slots,
                                     struct cor_value *seen_slots, bool *found) {
    for (uint32_t h = 0; h < event->handlers.count; h++) {
        const struct cor_plan_code *code = &check->design->plans[event->handlers.items[h]].code;
        for (uint32_t n = 0; n < 2 * code->context.node_count && !*found; n++) {
            struct agent_layer__goal goal = {.valid = true};
            struct cor_expression leaving = {0};
            enum cor_answer answer;
            if (!put_leaving(&check->builder, &code->context, n / 2, n % 2) ||
                agent_layer__build(&check->builder, &leaving, NULL) != COR_OK)
                continue;
            agent_layer__goal_add(&goal, &leaving, false);
            for (uint32_t k = 0; k < event->handlers.count; k++)
                if (k != h)
                    agent_layer__goal_add(&goal, &check->design->plans[event->handlers.items[k]].code.context,
                                          true);
            enum cor_status status = find_values(check, entry, &goal, slots, &answer);
            if (status == COR_OK && answer == COR_ANSWER_SATISFIABLE) {
                status = view(check, entry, slots, seen_slots);
                *found = status == COR_OK && agent_layer__goal_met(none, seen_slots);
            }
            free(leaving.nodes);
            COR_TRY(status);
        }
    }
    return COR_OK;
}

/* z3 found no values that no context takes; it knows no limit. */
static enum cor_status find_leaving(struct check *check, uint32_t entry, const struct cor_design_event *event,
                                    const struct agent_layer__goal *none) {
    COR_FREED struct cor_value *slots = cor_calloc(check->asker.slots, sizeof *slots);
    COR_FREED struct cor_value *seen_slots = cor_calloc(check->asker.slots, sizeof *seen_slots);
    bool found = false;
    enum cor_status status = COR_OK;
    if (!slots || !seen_slots)
        return cor_fail_memory(check->error);
    /* Integers at their extremes, in cases that there are: one at which the goal holds, into `slots`. */
    const struct cor_case_entry *it = &check->cases.entries[entry];
    uint32_t tried = 0;
    for (uint32_t p = 0; p < check->probe_count && tried < CORNER_CASES && !found; p++) {
        if (check->probes[p].entry != entry || !check->probes[p].valid)
            continue;
        tried++;
        uint32_t ways = 1;
        for (uint32_t v = 0; v < it->variable_count && ways <= CORNERS_MAX / 3; v++)
            ways *= 3; /* as it is, least, greatest */
        for (uint32_t way = 1; way < ways && !found; way++) {
            memcpy(slots, check->probes[p].slots, check->asker.slots * sizeof *slots);
            uint32_t left = way;
            for (uint32_t v = 0; v < it->variable_count; v++, left /= 3) {
                const struct cor_unit_variable *variable = &check->cases.variables[it->first_variable + v];
                int64_t extremes[2];
                if (left % 3 != 0 && find_extremes(check, variable, extremes))
                    slots[variable->slot] = cor_integer(extremes[left % 3 - 1]);
            }
            COR_TRY(view(check, entry, slots, seen_slots));
            found = agent_layer__goal_met(none, seen_slots);
        }
    }
    if (!found)
        COR_TRY(solve_leaving(check, entry, event, none, slots, seen_slots, &found));
    if (found) {
        char *values = values_text(check, entry, seen_slots);
        status = add(
            check, COR_AUT_CHECK_EVENT_NOT_COVERED, COR_SEVERITY_NOTE, COR_GROUND_WITNESS, event->name, NULL,
            values ? cor_format("Event %s finds no applicable plan where a number of a context leaves 64 "
                                "bits, and the context so does not hold: %s.",
                                event->name, values)
                   : NULL);
        if (status == COR_OK)
            check->findings->items[check->findings->count - 1].beyond = true;
        free(values);
    }
    return status;
}

/* Events: what no handler takes, and what several would. */
static enum cor_status check_event(struct check *check, uint32_t number) {
    const struct cor_design_event *event = &check->design->events[number];
    const uint32_t entry = entry_of(check, number);
    struct agent_layer__goal none = {.valid = true};
    bool covered = false;
    for (uint32_t h = 0; h < event->handlers.count; h++) {
        const struct cor_plan_code *code = &check->design->plans[event->handlers.items[h]].code;
        covered = covered || !code->has_context;
        if (code->has_context)
            agent_layer__goal_add(&none, &code->context, true);
    }
    if (event->always_covered && !covered) {
        const uint32_t before = check->findings->count;
        bool reckons = false;
        COR_TRY(find_input(check, entry, &none, COR_AUT_CHECK_EVENT_NOT_COVERED, event->coverage_said,
                           cor_format("Event %s finds no applicable plan", event->name),
                           cor_format("Event %s may find no applicable plan", event->name)));
        for (uint32_t t = 0; t < none.term_count; t++)
            reckons = reckons || agent_layer__reckons(none.terms[t].condition);
        if (reckons && check->findings->count == before)
            COR_TRY(find_leaving(check, entry, event, &none));
    }
    for (uint32_t h = 1; h < event->handlers.count && event->never_overlaps; h++)
        for (uint32_t g = 0; g < h; g++) {
            struct agent_layer__goal both = {.valid = true};
            const struct cor_design_plan *pair[2] = {&check->design->plans[event->handlers.items[g]],
                                                     &check->design->plans[event->handlers.items[h]]};
            for (int i = 0; i < 2; i++)
                if (pair[i]->code.has_context)
                    agent_layer__goal_add(&both, &pair[i]->code.context, false);
            COR_TRY(find_input(
                check, entry, &both, COR_AUT_CHECK_EVENT_OVERLAP, event->overlap_said,
                cor_format("Plans %s and %s both take event %s", pair[0]->name, pair[1]->name, event->name),
                cor_format("Plans %s and %s may both take event %s", pair[0]->name, pair[1]->name,
                           event->name)));
        }
    return COR_OK;
}

/* One more and one less than each boundary of an integer, in a case in which a plan is applicable if there is
 * one. */
static enum cor_status try_beside(struct check *check, uint32_t entry,
                                  const struct cor_unit_variable *variable, int64_t value) {
    const struct cor_value wanted = cor_integer(value);
    const uint32_t class = agent_layer__class_of(&check->cases, variable, wanted);
    COR_FREED struct cor_value *slots = cor_calloc(check->asker.slots, sizeof *slots);
    const struct probe *base = NULL, *made;
    enum cor_status status = COR_OK;
    bool fits = false;
    COR_TRY(cor_made(slots, check->error));
    if (class == COR_NONE || check->solved >= SOLVED_MAX)
        return status;
    for (uint32_t p = 0; p < check->probe_count && !fits; p++) {
        const struct probe *probe = &check->probes[p];
        if (probe->entry != entry || !probe->valid)
            continue;
        if (cor_value_equal(probe->slots[variable->slot], wanted) && check->cases.classes[class].valid)
            return status;
        memcpy(slots, probe->slots, check->asker.slots * sizeof *slots);
        slots[variable->slot] = wanted;
        for (uint32_t m = 0; m < unit_of(check)->member_count && !fits; m++)
            fits = member(check, m)->trigger == check->cases.entries[entry].event &&
                   (!member(check, m)->code.has_context ||
                    cor_expression_judge(&member(check, m)->code.context, slots));
        base = fits || !base ? probe : base;
    }
    if (base) {
        memcpy(slots, base->slots, check->asker.slots * sizeof *slots);
        slots[variable->slot] = wanted;
        status = add_case(check, entry, slots, &made);
    }
    return status;
}

/* A comparison of integers. */
static bool is_of_integers(const struct check *check, uint32_t event, const struct cor_expression *condition,
                           uint32_t n) {
    const struct cor_node *node = &condition->nodes[n];
    const uint32_t sides[2] = {node->left, node->right};
    if (node->operator<COR_OPERATOR_LESS || node->operator> COR_OPERATOR_NOT_EQUAL || node->reals)
        return false;
    for (int i = 0; i < 2; i++) {
        const struct cor_node *side = &condition->nodes[sides[i]];
        if (side->operator>= COR_OPERATOR_LESS)
            return false;
        if (side->operator== COR_OPERATOR_VARIABLE &&
            cor_design_slot_domain(check->design, event, side->variable)
                ->type != COR_VALUE_TYPE_INTEGER)
            return false;
    }
    return condition->nodes[sides[0]].operator!= COR_OPERATOR_CONSTANT || condition->nodes[sides[1]].
    operator!= COR_OPERATOR_CONSTANT;
}

/* A part of a condition that is looked at: its node, and where the plan comes by it. */
struct part {
    const struct cor_design_plan *plan;
    const struct cor_expression *condition;
    const struct agent_layer__goal *path; /* what holds there */
    uint32_t node;
};

/* The left side of the comparison less the right one, into the builder. */
static uint32_t put_distance(struct agent_layer__builder *builder, const struct part *part) {
    const struct cor_node *node = &part->condition->nodes[part->node];
    const uint32_t left = agent_layer__put_copy(builder, part->condition, node->left, COR_NONE, false);
    const uint32_t right = agent_layer__put_copy(builder, part->condition, node->right, COR_NONE, false);
    return agent_layer__put(builder, COR_OPERATOR_SUBTRACT, left, right);
}

/* How near to where the comparison turns its sides come on one side of it, while the goal holds: the distance
 * into `nearest`, if the answer is SATISFIABLE. */
static enum cor_status find_nearest(struct check *check, uint32_t entry, const struct agent_layer__goal *goal,
                                    const struct part *part, bool below, int64_t *nearest,
                                    enum cor_answer *answer) {
    struct constraints *constraints;
    struct cor_expression objective = {0};
    struct cor_least least;
    bool partial;
    *answer = COR_ANSWER_UNDECIDED;
    enum cor_status status = make_constraints(check, entry, goal, &constraints, &partial);
    if (status != COR_OK || !constraints)
        return status;
    agent_layer__builder_begin(&check->builder);
    const uint32_t by = put_distance(&check->builder, part);
    if (below)
        (void)agent_layer__put(&check->builder, COR_OPERATOR_NEGATE, by, by);
    if (agent_layer__build(&check->builder, &objective, NULL) != COR_OK)
        goto out;
    objective.is_constraint = false;
    for (int far = 0; far < 2 && *answer != COR_ANSWER_SATISFIABLE; far++) {
        set_ranges(check, entry, far == 0);
        const struct cor_question question =
            agent_layer__question(&check->asker, constraints->items, constraints->count);
        COR_TRY_OUT(cor_solver_minimise(check->asker.solver, &question, &objective, 1, &least,
                                        check->asker.values, check->error));
        *answer = least.answer;
    }
    if (*answer == COR_ANSWER_SATISFIABLE)
        *nearest = below ? -least.value : least.value;
out:
    free(objective.nodes);
    free_constraints(constraints);
    return status;
}

/* A case in which the comparison decides and its sides are so far apart; on one side of where it turns there
 * may be none at that distance, and then the least one is looked for. */
static enum cor_status try_distance(struct check *check, const struct part *part,
                                    const struct cor_expression *decides, int64_t beside, bool exactly,
                                    struct outcome *outcome) {
    const uint32_t entry = entry_of(check, part->plan->trigger);
    struct agent_layer__builder *builder = &check->builder;
    struct agent_layer__goal goal = *part->path;
    struct cor_expression turns = {0};
    outcome->answer = COR_ANSWER_UNDECIDED;
    agent_layer__builder_begin(builder);
    const uint32_t by = put_distance(builder, part);
    const uint32_t at = agent_layer__put_constant(builder, beside);
    if (exactly)
        (void)agent_layer__put(builder, COR_OPERATOR_EQUAL, by, at);
    else
        (void)agent_layer__put(builder, COR_OPERATOR_LESS_EQUAL, beside < 0 ? by : at, beside < 0 ? at : by);
    enum cor_status status = agent_layer__build(builder, &turns, NULL);
    if (status != COR_OK)
        return status == COR_STATUS_INPUT ? COR_OK : status; /* too long a condition for that */
    agent_layer__goal_add(&goal, decides, false);
    agent_layer__goal_add(&goal, &turns, false);
    int64_t nearest = 0;
    status = exactly ? reach(check, entry, &goal, outcome)
                     : find_nearest(check, entry, &goal, part, beside < 0, &nearest, &outcome->answer);
    free(turns.nodes);
    if (status == COR_OK && !exactly && outcome->answer == COR_ANSWER_SATISFIABLE)
        status = try_distance(check, part, decides, nearest, true, outcome);
    return status;
}

/* A comparison of integers, one below, at and one above where it turns, or as near to that as can be, in
 * cases in which the condition is what the comparison makes it. */
static enum cor_status try_turn(struct check *check, const struct part *part,
                                const struct cor_expression *decides) {
    struct outcome outcome;
    for (int64_t beside = -1; beside <= 1; beside++) {
        COR_TRY(try_distance(check, part, decides, beside, true, &outcome));
        if (beside != 0 && outcome.answer == COR_ANSWER_EMPTY)
            COR_TRY(try_distance(check, part, decides, beside, false, &outcome));
    }
    return COR_OK;
}

/* A comparison of something else, or a truth value: both ways. */
static enum cor_status try_both(struct check *check, const struct part *part,
                                const struct cor_expression *decides) {
    for (int denied = 0; denied < 2; denied++) {
        struct agent_layer__goal goal = *part->path;
        struct cor_expression alone = {0};
        struct outcome outcome;
        agent_layer__builder_begin(&check->builder);
        (void)agent_layer__put_copy(&check->builder, part->condition, part->node, COR_NONE, false);
        enum cor_status status = agent_layer__build(&check->builder, &alone, NULL);
        if (status != COR_OK)
            return status == COR_STATUS_INPUT ? COR_OK : status;
        agent_layer__goal_add(&goal, decides, false);
        agent_layer__goal_add(&goal, &alone, denied);
        status = reach(check, entry_of(check, part->plan->trigger), &goal, &outcome);
        free(alone.nodes);
        COR_TRY(status);
    }
    return COR_OK;
}

/* Is the node a number of its own, rather than a word or null that something is compared with? */
static bool is_number(const struct check *check, const struct part *part) {
    const struct cor_expression *condition = part->condition;
    const struct cor_node *node = &condition->nodes[part->node];
    if (node->operator!= COR_OPERATOR_CONSTANT || node->reals)
        return false;
    for (uint32_t n = part->node + 1; n < condition->node_count; n++) {
        const struct cor_node *above = &condition->nodes[n];
        if (above->operator<COR_OPERATOR_NEGATE || above->operator>
            COR_OPERATOR_NOT_EQUAL ||(above->left != part->node && above->right != part->node))
            continue;
        if (above->operator>= COR_OPERATOR_LESS && !is_of_integers(check, part->plan->trigger, condition, n))
            return false;
    }
    return true;
}

static enum cor_status try_edges(struct check *check, const struct cor_design_plan *plan,
                                 const struct cor_expression *condition,
                                 const struct agent_layer__goal *path) {
    struct part part = {.plan = plan, .condition = condition, .path = path};
    for (part.node = 0; part.node < condition->node_count; part.node++) {
        const struct cor_node *node = &condition->nodes[part.node];
        struct cor_expression decides = {0};
        const bool compares = node->operator>= COR_OPERATOR_LESS && node->operator<= COR_OPERATOR_NOT_EQUAL;
        const bool is_truth = node->operator== COR_OPERATOR_VARIABLE &&
                              cor_design_slot_domain(check->design, plan->trigger, node->variable)
                                  ->type == COR_VALUE_TYPE_BOOLEAN;
        if (!compares && !is_truth)
            continue;
        /* "The whole condition is what this node makes it", freed by the caller. COR_STATUS_INPUT: too long.
         */
        struct agent_layer__builder *builder = &check->builder;
        const uint32_t root = part.condition->node_count - 1;
        agent_layer__builder_begin(builder);
        const uint32_t yes = agent_layer__put_copy(builder, part.condition, root, part.node, true);
        const uint32_t no = agent_layer__put_copy(builder, part.condition, root, part.node, false);
        (void)agent_layer__put(builder, COR_OPERATOR_NOT_EQUAL, yes, no);
        enum cor_status status = agent_layer__build(builder, &decides, NULL);
        if (status == COR_OK)
            status = is_of_integers(check, plan->trigger, condition, part.node)
                         ? try_turn(check, &part, &decides)
                         : try_both(check, &part, &decides);
        else if (status == COR_STATUS_INPUT)
            status = COR_OK; /* too long a condition for that */
        free(decides.nodes);
        COR_TRY(status);
    }
    for (part.node = 0; part.node < condition->node_count; part.node++)
        if (is_number(check, &part)) {
            /* A number of the condition, one less and one more: where the condition's value changes. */
            const struct cor_expression *supposed = part.condition;
            const struct cor_node *node = &supposed->nodes[part.node];
            struct cor_expression changed = *supposed;
            changed.nodes = cor_calloc(supposed->node_count, sizeof *changed.nodes);
            COR_TRY(cor_made(changed.nodes, check->error));
            enum cor_status status = COR_OK;
            for (int64_t by = -1; by <= 1 && status == COR_OK; by += 2) {
                struct agent_layer__builder *builder = &check->builder;
                struct agent_layer__goal goal = *part.path;
                struct cor_expression differs = {0};
                struct outcome outcome;
                const uint32_t root = supposed->node_count - 1;
                memcpy(changed.nodes, supposed->nodes, supposed->node_count * sizeof *changed.nodes);
                if (__builtin_add_overflow(node->constant, by, &changed.nodes[part.node].constant))
                    continue;
                agent_layer__builder_begin(builder);
                const uint32_t as_it_is = agent_layer__put_copy(builder, supposed, root, COR_NONE, false);
                const uint32_t otherwise = agent_layer__put_copy(builder, &changed, root, COR_NONE, false);
                (void)agent_layer__put(builder, COR_OPERATOR_NOT_EQUAL, as_it_is, otherwise);
                if (agent_layer__build(builder, &differs, NULL) != COR_OK)
                    continue;
                agent_layer__goal_add(&goal, &differs, false);
                status = reach(check, entry_of(check, part.plan->trigger), &goal, &outcome);
                free(differs.nodes);
            }
            free(changed.nodes);
            COR_TRY(status);
        }
    return COR_OK;
}

static enum cor_status check_unit(struct check *check) {
    const struct cor_unit *unit = unit_of(check);
    COR_TRY(cor_unit_cases_init(&check->cases, check->file, check->unit, check->settings, check->error));
    const uint64_t count = check->cases.count;
    const uint64_t taken = count < PROBES_MAX ? count : PROBES_MAX;
    for (uint64_t i = 0; i < taken; i++) {
        struct probe *probe = new_probe(check);
        if (!probe)
            return COR_STATUS_MEMORY;
        /* evenly, the last among them */
        cor_unit_case_make(&check->cases, taken < 2 ? i : i * (count - 1) / (taken - 1), &check->values);
        probe->entry = check->values.entry;
        probe->valid = check->values.valid;
        cor_design_view(check->design, check->values.event, check->values.beliefs, check->values.arguments,
                        probe->slots);
        COR_TRY(run_probe(check, probe, check->values.event, check->values.arguments, check->values.beliefs));
    }
    check->solved = 0;
    if (unit->kind == COR_UNIT_KIND_EVENT) {
        COR_TRY(check_event(check, unit->event));
        for (uint32_t m = 0; m < unit->member_count; m++)
            COR_TRY(check_chosen(check, member(check, m)));
        return find_wanting(check, unit->event);
    }
    for (uint32_t m = 0; m < unit->member_count; m++) {
        const struct cor_design_plan *plan = member(check, m);
        COR_TRY(check_context(check, plan));
        COR_TRY(check_branches(check, plan));
        if (check->design->events[plan->trigger].handlers.count == 1)
            COR_TRY(check_event(check, plan->trigger));
    }
    for (uint32_t e = 0; e < check->cases.entry_count; e++) {
        const struct cor_case_entry *entry = &check->cases.entries[e];
        for (uint32_t v = 0; v < entry->variable_count; v++) {
            const struct cor_unit_variable *variable = &check->cases.variables[entry->first_variable + v];
            if (check->design->domains[variable->domain].type != COR_VALUE_TYPE_INTEGER)
                continue;
            for (uint32_t c = 0; c < variable->class_count; c++) {
                const struct cor_unit_class *class = &check->cases.classes[variable->first_class + c];
                if (class->kind != COR_CLASS_VALUE)
                    continue;
                if (class->sample.as.integer > INT64_MIN)
                    COR_TRY(try_beside(check, e, variable, class->sample.as.integer - 1));
                if (class->sample.as.integer < INT64_MAX)
                    COR_TRY(try_beside(check, e, variable, class->sample.as.integer + 1));
            }
        }
    }
    for (uint32_t m = 0; m < unit->member_count; m++) {
        const struct cor_design_plan *plan = member(check, m);
        const struct agent_layer__goal any = {.valid = false};
        uint32_t at;
        if (plan->code.has_context)
            COR_TRY(try_edges(check, plan, &plan->code.context, &any));
        for (uint32_t b = 0; b < plan->code.branch_count; b++) {
            struct agent_layer__goal path = {.valid = true};
            struct agent_layer__goal in_turn;
            (void)put_path(check, plan, b, &path);
            in_turn = path;
            if (!deny_before(check, plan, &in_turn))
                in_turn = path;
            COR_TRY(try_edges(check, plan, branch_condition(plan, b, &at), &in_turn));
        }
    }
    for (uint32_t m = 0; m < unit->member_count; m++)
        if (check->design->events[member(check, m)->trigger].handlers.count > 1)
            COR_TRY(check_chosen(check, member(check, m)));
    return unit->kind == COR_UNIT_KIND_RING ? walk_round(check) : COR_OK;
}

static enum cor_status check_rings(struct check *check) {
    const struct cor_units *units = &check->file->order.units;
    for (uint32_t u = 0; u < units->count; u++) {
        if (units->units[u].kind != COR_UNIT_KIND_RING)
            continue;
        const enum cor_ring_meaning meaning = cor_design_ring(
            check->design, cor_unit_members(units, &units->units[u]), units->units[u].member_count);
        COR_FREED char *name = cor_unit_name(check->design, units, u);
        enum cor_status status = cor_made(name, check->error);
        if (status == COR_OK && meaning != COR_RING_MEANT)
            status = add(check, COR_AUT_CHECK_RING_NOT_MEANT,
                         meaning == COR_RING_NOT_MEANT ? COR_SEVERITY_ERROR : COR_SEVERITY_NOTE,
                         COR_GROUND_STRUCTURE, name, NULL,
                         cor_format("The plans of %s call each other in a ring, %s.", name,
                                    meaning == COR_RING_NOT_MEANT
                                        ? "which is not meant"
                                        : "of which the design does not say whether it is meant"));
        COR_TRY(status);
    }
    return COR_OK;
}

enum cor_status cor_design_check(struct cor_design_file *file, const struct cor_test_settings *settings,
                                 struct cor_design_findings *findings, struct cor_error *error) {
    enum cor_status status = COR_OK;
    COR_FREED struct check *check = cor_calloc(1, sizeof *check);
    COR_TRY(cor_made(check, error));
    check->file = file;
    check->design = file->design;
    check->settings = settings;
    check->findings = findings;
    check->error = error;
    COR_TRY_OUT(agent_layer__asker_init(&check->asker, file->design, error));
    COR_TRY_OUT(cor_case_values_init(&check->values, file->design, error));
    cor_trace_init(&check->trace);
    check->code = cor_agent_code_create(file->design);
    check->interpreter = check->code ? cor_interpreter_create(check->code) : NULL;
    COR_TRY_OUT(cor_made(check->interpreter, error));
    /* What needs no values: events that no plan handles, and rings. */
    const struct cor_design *design = check->design;
    for (uint32_t e = 0; e < design->event_count; e++) {
        const struct cor_design_event *event = &design->events[e];
        const struct cor_design_plan *poster = NULL;
        if (event->handlers.count > 0)
            continue;
        for (uint32_t j = 0; j < design->plan_count && !poster; j++)
            for (uint32_t i = 0; i < design->plans[j].posts.count; i++)
                if (design->plans[j].posts.items[i] == e)
                    poster = &design->plans[j];
        bool by_rule = false;
        for (uint32_t r = 0; r < design->rule_count; r++)
            by_rule = by_rule || design->rules[r].event == e;
        if (!event->is_entry && !poster)
            continue; /* nothing raises it: a rule's event is of interest if the agent is entered by it */
        COR_TRY_OUT(add(
            check, COR_AUT_CHECK_EVENT_UNHANDLED, COR_SEVERITY_ERROR, COR_GROUND_STRUCTURE, event->name,
            poster,
            poster ? cor_format("No plan handles event %s, which plan %s posts.", event->name, poster->name)
                   : cor_format("No plan handles event %s, which %s.", event->name,
                                by_rule ? "a rule posts" : "comes from outside")));
    }
    COR_TRY_OUT(check_rings(check));
    for (check->unit = 0; check->unit < file->order.units.count && settings->solve; check->unit++) {
        check->target = check->unit;
        status = check_unit(check);
        for (uint32_t p = 0; p < check->probe_count; p++)
            free(check->probes[p].slots);
        check->probe_count = 0;
        cor_unit_cases_fini(&check->cases);
        if (status != COR_OK)
            goto out;
    }
    const struct cor_solver_statistics asked = cor_solver_statistics(check->asker.solver);
    findings->asked += cor_solver_statistics_sum(&asked).asked;
    findings->is_cut = findings->is_cut || asked.is_cut;
out:
    agent_layer__asker_fini(&check->asker);
    cor_case_values_fini(&check->values);
    cor_interpreter_destroy(check->interpreter);
    cor_agent_code_destroy(check->code);
    cor_trace_fini(&check->trace);
    COR_FREE(check->wanting, check->probes);
    return status;
}
