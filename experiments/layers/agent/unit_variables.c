/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The variables of a unit, their boundaries and which of their classes are valid (000, 5.1 and 5.2). */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/rows.h>

#include <stdlib.h>
#include <string.h>

/* What is found of one unit. */
struct maker {
    struct cor_unit_cases *cases;
    const struct cor_design *design;
    const uint32_t *members;
    uint32_t member_count;
    struct agent_layer__boundaries *boundaries; /* [variable], beside those of the cases */
    struct cor_indices fields;                  /* that vary, as plans list and then as they read them */
    struct agent_layer__classes classes;
    size_t variable_capacity, boundary_capacity;
    struct cor_error *error;
};

static const struct cor_design_plan *member(const struct maker *maker, uint32_t index) {
    return &maker->design->plans[maker->members[index]];
}

static enum cor_status append_index(struct cor_indices *list, uint32_t index, struct cor_error *error) {
    for (uint32_t i = 0; i < list->count; i++)
        if (list->items[i] == index)
            return COR_OK;
    COR_TRY(COR_RESERVE(&list->items, &list->capacity, list->count + 1, error));
    list->items[list->count++] = index;
    return COR_OK;
}

/* Calls `look` for the context of a plan and each condition of its body. */
typedef enum cor_status expression_look(struct maker *maker, const struct cor_design_plan *plan,
                                        const struct cor_expression *condition, void *data);

static enum cor_status look_at_conditions(struct maker *maker, const struct cor_design_plan *plan,
                                          expression_look *look, void *data) {
    const struct cor_plan_code *code = &plan->code;
    if (code->has_context)
        COR_TRY(look(maker, plan, &code->context, data));
    for (uint32_t i = 0; i < code->instruction_count; i++)
        if (code->instructions[i].kind == COR_INSTRUCTION_BRANCH)
            COR_TRY(look(maker, plan, &code->expressions[code->instructions[i].expression], data));
    return COR_OK;
}

/* The fields that a condition reads, in the order of slots. */
static enum cor_status take_fields(struct maker *maker, const struct cor_design_plan *plan,
                                   const struct cor_expression *condition, void *data) {
    (void)plan;
    (void)data;
    for (uint32_t f = 0; f < maker->design->field_count; f++)
        if (cor_expression_reads(condition, f))
            COR_TRY(append_index(&maker->fields, f, maker->error));
    return COR_OK;
}

/* A slot whose boundaries are wanted. */
struct wanted {
    uint32_t slot;
    const struct cor_domain *domain;
    struct agent_layer__boundaries *boundaries;
};

const struct cor_node *agent_layer__strip(const struct cor_expression *expression, uint32_t index) {
    const struct cor_node *node = &expression->nodes[index];
    while (node->operator== COR_OPERATOR_TO_REAL)
        node = &expression->nodes[node->left];
    return node;
}

/* The node without its signs. */
static const struct cor_node *strip(const struct cor_expression *expression, uint32_t index, bool *negated) {
    const struct cor_node *node = &expression->nodes[index];
    *negated = false;
    while (node->operator== COR_OPERATOR_TO_REAL || node->operator== COR_OPERATOR_NEGATE) {
        *negated ^= node->operator== COR_OPERATOR_NEGATE;
        node = &expression->nodes[node->left];
    }
    return node;
}

/* The constant that the slot is compared with, on whichever side. */
static bool compared_with(const struct cor_expression *condition, const struct cor_node *comparison,
                          const struct wanted *wanted, struct cor_value *value) {
    bool negated[2];
    const struct cor_node *sides[2] = {strip(condition, comparison->left, &negated[0]),
                                       strip(condition, comparison->right, &negated[1])};
    int variable = sides[0]->operator== COR_OPERATOR_VARIABLE ? 0 : 1;
    const struct cor_node *constant = sides[1 - variable];
    if (sides[variable]->operator!= COR_OPERATOR_VARIABLE || sides[variable]->variable !=
        wanted->slot || constant->
        operator!= COR_OPERATOR_CONSTANT)
        return false;
    bool minus = negated[0] != negated[1]; /* -x < 5 divides at -5 */
    if (wanted->domain->type == COR_VALUE_TYPE_STRING)
        *value = constant->constant < 0 ? cor_null() : cor_word((uint32_t)constant->constant);
    else if (constant->reals)
        *value = cor_real(minus ? -constant->real : constant->real);
    else if (constant->constant == INT64_MIN && minus)
        return false;
    else
        *value = cor_integer(minus ? -constant->constant : constant->constant);
    return true;
}

static bool is_comparison(const struct cor_node *node) {
    return node->operator>= COR_OPERATOR_LESS && node->operator<= COR_OPERATOR_NOT_EQUAL;
}

static enum cor_status take_constants(struct maker *maker, const struct cor_design_plan *plan,
                                      const struct cor_expression *condition, void *data) {
    const struct wanted *wanted = data;
    struct cor_value value;
    (void)plan;
    for (uint32_t i = 0; i < condition->node_count; i++)
        if (is_comparison(&condition->nodes[i]) &&
            compared_with(condition, &condition->nodes[i], wanted, &value))
            COR_TRY(agent_layer__boundaries_add(wanted->boundaries, value, maker->error));
    return COR_OK;
}

/* Does the plan mean the same by the slot as plans triggered by `event` do? */
static bool shares(const struct maker *maker, const struct cor_design_plan *plan, uint32_t slot,
                   uint32_t event) {
    return slot < maker->design->field_count || plan->trigger == event;
}

/* What the plan lists of the slot, NULL if it does not list it. */
static const struct cor_design_variable *listed(const struct cor_design_plan *plan, uint32_t slot) {
    for (uint32_t v = 0; v < plan->variable_count; v++)
        if (plan->variables[v].slot == slot)
            return &plan->variables[v];
    return NULL;
}

static const struct cor_design_parameter *parameter_of(const struct cor_design *design, uint32_t event,
                                                       uint32_t slot) {
    return slot < design->field_count ? NULL : &design->events[event].parameters[slot - design->field_count];
}

/* Is it the number of rows of a relation? */
static bool is_count(const struct cor_design *design, uint32_t slot) {
    if (slot >= design->field_count)
        return false;
    const struct cor_design_belief *belief = &design->beliefs[design->fields[slot].belief];
    return belief->is_relation && slot == belief->first_field + belief->row_width + 1;
}

/* Numbers of rows are 0, 1, 2 and those at which conditions turn: neither fewer than none nor any number. */
static void keep_counts(struct maker *maker, uint32_t first) {
    uint32_t kept = first;
    for (uint32_t c = first; c < maker->classes.count; c++) {
        const struct cor_unit_class *class = &maker->classes.items[c];
        const bool is_number = class->kind == COR_CLASS_VALUE && class->sample.as.integer >= 0 &&
                               class->sample.as.integer <= COR_ROWS_MOST;
        if (is_number || (class->kind == COR_CLASS_INTERVAL && class->low.kind == COR_VALUE_INTEGER &&
                          class->low.as.integer >= 0 && class->high.kind == COR_VALUE_INTEGER &&
                          class->high.as.integer <= COR_ROWS_MOST))
            maker->classes.items[kept++] = *class;
    }
    maker->classes.count = kept;
}

static enum cor_status find_boundaries(struct maker *maker, uint32_t event, struct wanted *wanted) {
    const struct cor_design_parameter *parameter = parameter_of(maker->design, event, wanted->slot);
    for (int64_t rows = 0; rows < 3 && is_count(maker->design, wanted->slot); rows++)
        COR_TRY(agent_layer__boundaries_add(wanted->boundaries, cor_integer(rows), maker->error));
    if (parameter)
        COR_TRY(agent_layer__boundaries_add_conditions(wanted->boundaries, parameter->conditions,
                                                       parameter->condition_count, maker->error));
    for (uint32_t m = 0; m < maker->member_count; m++) {
        const struct cor_design_plan *plan = member(maker, m);
        const struct cor_design_variable *variable = listed(plan, wanted->slot);
        if (!shares(maker, plan, wanted->slot, event))
            continue;
        if (variable)
            COR_TRY(agent_layer__boundaries_add_conditions(wanted->boundaries, variable->conditions,
                                                           variable->condition_count, maker->error));
        for (uint32_t b = 0; variable && b < variable->bound_count; b++)
            COR_TRY(agent_layer__boundaries_add(wanted->boundaries, variable->bounds[b], maker->error));
        COR_TRY(look_at_conditions(maker, plan, take_constants, wanted));
    }
    return COR_OK;
}

/* Valid: all conditions of the parameter, and those of any plan that lists the variable, if one does. */
static bool is_valid(const struct maker *maker, uint32_t event, uint32_t slot, struct cor_value value) {
    const struct cor_design_parameter *parameter = parameter_of(maker->design, event, slot);
    bool is_listed = false, holds = false;
    if (parameter && !cor_conditions_hold(parameter->conditions, parameter->condition_count, value, NULL))
        return false;
    for (uint32_t m = 0; m < maker->member_count && !holds; m++) {
        const struct cor_design_plan *plan = member(maker, m);
        const struct cor_design_variable *variable = listed(plan, slot);
        if (!variable || !shares(maker, plan, slot, event))
            continue;
        is_listed = true;
        holds = cor_conditions_hold(variable->conditions, variable->condition_count, value, NULL);
    }
    return holds || !is_listed;
}

/* Appends ">= 0, < 10" to a text. */
static void put_conditions(const struct cor_design *design, const struct cor_domain *domain,
                           const struct cor_condition *conditions, uint32_t count, char *text, size_t size) {
    static const char *const relations[] = {"<", "<=", "=", "!=", ">=", ">"};
    for (uint32_t i = 0; i < count; i++) {
        char value[256];
        size_t used = strlen(text);
        if (conditions[i].other != COR_NONE)
            continue;
        cor_value_text(conditions[i].value, domain, &design->words, value, sizeof value);
        snprintf(text + used, size - used, "%s%s %s", used > 0 ? ", " : "", relations[conditions[i].relation],
                 value);
    }
}

static enum cor_status refuse_all_invalid(const struct maker *maker, uint32_t event, uint32_t slot) {
    const struct cor_design *design = maker->design;
    const struct cor_domain *domain = cor_design_slot_domain(design, event, slot);
    const struct cor_design_parameter *parameter = parameter_of(design, event, slot);
    const char *place = maker->cases->file->path;
    char *name = cor_unit_name(design, &maker->cases->file->order.units, maker->cases->unit);
    char conditions[512] = "";
    if (parameter)
        put_conditions(design, domain, parameter->conditions, parameter->condition_count, conditions,
                       sizeof conditions);
    for (uint32_t m = 0; m < maker->member_count; m++) {
        const struct cor_design_variable *variable = listed(member(maker, m), slot);
        if (!variable || !shares(maker, member(maker, m), slot, event))
            continue;
        put_conditions(design, domain, variable->conditions, variable->condition_count, conditions,
                       sizeof conditions);
        place = member(maker, m)->place;
    }
    enum cor_status status = cor_fail(maker->error, COR_STATUS_UNSATISFIABLE, place,
                                      "change a condition of the event, or of a plan that lists the variable",
                                      "%s: no value of \"%s\" meets %s", name ? name : "",
                                      cor_design_slot_name(design, event, slot), conditions);
    free(name);
    return status;
}

static enum cor_status add_variable(struct maker *maker, uint32_t event, uint32_t slot) {
    struct cor_unit_cases *cases = maker->cases;
    const struct cor_domain *domain = cor_design_slot_domain(maker->design, event, slot);
    struct cor_unit_variable *variable;
    uint32_t index = cases->variable_count;
    COR_TRY(COR_RESERVE(&cases->variables, &maker->variable_capacity, index + 1, maker->error));
    COR_TRY(COR_RESERVE(&maker->boundaries, &maker->boundary_capacity, index + 1, maker->error));
    cases->variable_count++;
    variable = &cases->variables[index];
    *variable = (struct cor_unit_variable){.slot = slot,
                                           .domain = (uint32_t)(domain - maker->design->domains),
                                           .first_class = maker->classes.count};
    maker->boundaries[index] = (struct agent_layer__boundaries){0};
    struct wanted wanted = {slot, domain, &maker->boundaries[index]};
    COR_TRY(find_boundaries(maker, event, &wanted));
    COR_TRY(agent_layer__classes_add(&maker->classes, domain, wanted.boundaries, maker->error));
    if (is_count(maker->design, slot))
        keep_counts(maker, variable->first_class);
    variable->class_count = maker->classes.count - variable->first_class;
    for (uint32_t c = variable->first_class; c < maker->classes.count; c++) {
        struct cor_unit_class *class = &maker->classes.items[c];
        class->valid = is_valid(maker, event, slot, agent_layer__class_value(class, domain));
        variable->valid_count += class->valid;
    }
    return variable->valid_count > 0 ? COR_OK : refuse_all_invalid(maker, event, slot);
}

/* A key field that has a parameter's value does not vary by itself. */
static bool is_given(const struct cor_design_event *event, uint32_t field) {
    return field < event->keys.count && event->keys.items[field] != COR_NONE;
}

/* The triggers of the members, each once. */
static enum cor_status add_entries(struct maker *maker) {
    struct cor_unit_cases *cases = maker->cases;
    cases->entries = cor_calloc(maker->member_count, sizeof *cases->entries);
    COR_TRY(cor_made(cases->entries, maker->error));
    for (uint32_t m = 0; m < maker->member_count; m++) {
        uint32_t event = member(maker, m)->trigger, known = 0;
        while (known < cases->entry_count && cases->entries[known].event != event)
            known++;
        if (known == cases->entry_count) {
            const struct cor_design_event *of = &maker->design->events[event];
            struct cor_case_entry *entry = &cases->entries[cases->entry_count++];
            *entry = (struct cor_case_entry){.event = event, .first_variable = cases->variable_count};
            for (uint32_t p = 0; p < of->parameter_count; p++)
                COR_TRY(add_variable(maker, event, maker->design->field_count + p));
            for (uint32_t f = 0; f < maker->fields.count; f++)
                if (!is_given(of, maker->fields.items[f]))
                    COR_TRY(add_variable(maker, event, maker->fields.items[f]));
            entry->variable_count = cases->variable_count - entry->first_variable;
        }
    }
    return COR_OK;
}

/* Of a relation that the unit reads or writes it varies whether the row is there, and how many there are. */
static enum cor_status add_relations(struct maker *maker) {
    const struct cor_design *design = maker->design;
    for (uint32_t b = 0; b < design->belief_count; b++) {
        const struct cor_design_belief *belief = &design->beliefs[b];
        bool is_used = false;
        for (uint32_t f = 0; f < maker->fields.count; f++)
            is_used = is_used || design->fields[maker->fields.items[f]].belief == b;
        for (uint32_t m = 0; m < maker->member_count; m++)
            for (uint32_t w = 0; w < member(maker, m)->writes.count; w++)
                is_used = is_used || member(maker, m)->writes.items[w] == b;
        for (uint32_t f = belief->row_width; belief->is_relation && is_used && f < belief->field_count; f++)
            COR_TRY(append_index(&maker->fields, belief->first_field + f, maker->error));
    }
    return COR_OK;
}

static enum cor_status make(struct maker *maker) {
    struct cor_unit_cases *cases = maker->cases;
    for (uint32_t m = 0; m < maker->member_count; m++)
        for (uint32_t v = 0; v < member(maker, m)->variable_count; v++)
            if (member(maker, m)->variables[v].slot < maker->design->field_count)
                COR_TRY(append_index(&maker->fields, member(maker, m)->variables[v].slot, maker->error));
    for (uint32_t m = 0; m < maker->member_count; m++)
        COR_TRY(look_at_conditions(maker, member(maker, m), take_fields, NULL));
    COR_TRY(add_relations(maker));
    COR_TRY(add_entries(maker));
    cases->ranked = cor_calloc(maker->classes.count, sizeof *cases->ranked);
    COR_TRY(cor_made(cases->ranked, maker->error));
    for (uint32_t v = 0; v < cases->variable_count; v++) {
        /* Of each variable the valid classes first. */
        struct cor_unit_variable *variable = &cases->variables[v];
        uint32_t *ranked = cases->ranked + cases->variables[v].first_class;
        const struct cor_unit_class *classes = maker->classes.items + variable->first_class;
        uint32_t next = 0;
        for (uint32_t c = 0; c < variable->class_count; c++)
            if (classes[c].valid)
                ranked[next++] = variable->first_class + c;
        for (uint32_t c = 0; c < variable->class_count; c++)
            if (!classes[c].valid)
                ranked[next++] = variable->first_class + c;
    }
    return COR_OK;
}

enum cor_status agent_layer__unit_variables_make(struct cor_unit_cases *cases,
                                                 struct agent_layer__boundaries **boundaries,
                                                 struct cor_error *error) {
    const struct cor_units *units = &cases->file->order.units;
    const struct cor_unit *unit = &units->units[cases->unit];
    struct maker maker = {.cases = cases,
                          .design = cases->file->design,
                          .members = cor_unit_members(units, unit),
                          .member_count = unit->member_count,
                          .error = error};
    enum cor_status status = make(&maker);
    cases->classes = maker.classes.items;
    cases->class_count = maker.classes.count;
    *boundaries = maker.boundaries;
    free(maker.fields.items);
    return status;
}
