/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plans of a design. */
#include "design_reader.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

static enum cor_status read_trigger(const struct cor_json *json, void *into, struct cor_error *error) {
    struct agent_layer__reader *reader = into;
    return agent_layer__look_up(json, reader, COR_NAME_EVENT, &reader->slot, error);
}

static enum cor_status read_plan_name(const struct cor_json *json, void *into, struct cor_error *error) {
    struct agent_layer__reader *reader = into;
    const char *name;
    COR_TRY(agent_layer__read_text(json, &name, reader->place, error));
    return cor_design_add_plan(reader->design, name, reader->slot, reader->place, &reader->index, error);
}

static enum cor_status read_uses(const struct cor_json *json, struct agent_layer__reader *reader,
                                 enum cor_design_name what, struct cor_indices *list,
                                 struct cor_error *error) {
    COR_TRY(cor_json_expect_array(json, 0, COR_ITEMS_MAX, error));
    for (size_t i = 0; i < cor_json_size(json); i++) {
        const struct cor_json item = cor_json_at(json, i);
        uint32_t index;
        COR_TRY(agent_layer__look_up(&item, reader, what, &index, error));
        COR_TRY(cor_design_add_use(reader->design, list, index, reader->place, error));
    }
    return COR_OK;
}

static struct cor_design_plan *plan_of(struct agent_layer__reader *reader) {
    return &reader->design->plans[reader->index];
}

static enum cor_status read_posts(const struct cor_json *json, void *into, struct cor_error *error) {
    return read_uses(json, into, COR_NAME_EVENT, &plan_of(into)->posts, error);
}

static enum cor_status read_sends(const struct cor_json *json, void *into, struct cor_error *error) {
    return read_uses(json, into, COR_NAME_MESSAGE, &plan_of(into)->sends, error);
}

static enum cor_status read_does(const struct cor_json *json, void *into, struct cor_error *error) {
    return read_uses(json, into, COR_NAME_ACTION, &plan_of(into)->does, error);
}

static enum cor_status read_writes(const struct cor_json *json, void *into, struct cor_error *error) {
    return read_uses(json, into, COR_NAME_BELIEF, &plan_of(into)->writes, error);
}

/* A variable: a field of a belief set, or a parameter of the trigger. */
static enum cor_status read_variable_belief(const struct cor_json *json, void *into,
                                            struct cor_error *error) {
    struct agent_layer__reader *reader = into;
    uint32_t belief;
    COR_TRY(agent_layer__look_up(json, reader, COR_NAME_BELIEF, &belief, error));
    reader->belief = reader->design->beliefs[belief].name;
    return COR_OK;
}

/* The slot of a parameter of the plan's trigger. */
static enum cor_status find_parameter(const struct cor_json *json, const struct agent_layer__reader *reader,
                                      const char *name, uint32_t *slot, struct cor_error *error) {
    const struct cor_design *design = reader->design;
    const struct cor_design_event *event = &design->events[design->plans[reader->index].trigger];
    for (uint32_t i = 0; i < event->parameter_count; i++)
        if (strcmp(event->parameters[i].name, name) == 0) {
            *slot = design->field_count + i;
            return COR_OK;
        }
    char remedy[1024];
    const char **known = cor_calloc(event->parameter_count + 1, sizeof *known);
    COR_TRY(cor_made(known, error));
    for (uint32_t i = 0; i < event->parameter_count; i++)
        known[i] = event->parameters[i].name;
    cor_known_names(name, known, remedy, sizeof remedy);
    free(known);
    return cor_json_fail(json, error,
                         event->parameter_count > 0 ? remedy : "say of which belief set it is a field",
                         "event \"%s\" has no parameter \"%s\"", event->name, name);
}

static enum cor_status find_field(const struct agent_layer__reader *reader, const char *name, uint32_t *slot,
                                  struct cor_error *error) {
    char *full = cor_format("%s.%s", reader->belief, name);
    COR_TRY(cor_made(full, error));
    enum cor_status status = cor_design_look_up_field(reader->design, full, reader->place, slot, error);
    free(full);
    return status;
}

static enum cor_status read_variable_name(const struct cor_json *json, void *into, struct cor_error *error) {
    struct agent_layer__reader *reader = into;
    const char *name;
    COR_TRY(agent_layer__read_text(json, &name, reader->place, error));
    COR_TRY(reader->belief ? find_field(reader, name, &reader->slot, error)
                           : find_parameter(json, reader, name, &reader->slot, error));
    return cor_design_add_variable(reader->design, reader->index, reader->slot, reader->place,
                                   &reader->parameter, error);
}

static const struct cor_domain *domain_of(const struct agent_layer__reader *reader) {
    return cor_design_slot_domain(reader->design, reader->design->plans[reader->index].trigger, reader->slot);
}

static enum cor_status read_variable_type(const struct cor_json *json, void *into, struct cor_error *error) {
    struct agent_layer__reader *reader = into;
    COR_TRY(agent_layer__look_up(json, reader, COR_NAME_TYPE, &reader->domain, error));
    const struct cor_domain *is = domain_of(reader);
    if (is == &reader->design->domains[reader->domain])
        return COR_OK;
    return cor_json_fail(json, error, "give it that type, or leave the type out", "is of type %s", is->name);
}

static uint32_t domain_index(const struct agent_layer__reader *reader) {
    return (uint32_t)(domain_of(reader) - reader->design->domains);
}

static enum cor_status read_variable_conditions(const struct cor_json *json, void *into,
                                                struct cor_error *error) {
    struct agent_layer__reader *reader = into;
    COR_TRY(agent_layer__read_conditions(json, reader, cor_design_add_variable_condition, error));
    const struct cor_design_variable *variable = &plan_of(reader)->variables[reader->parameter];
    return agent_layer__check_conditions(
        json, reader, cor_design_slot_name(reader->design, plan_of(reader)->trigger, reader->slot),
        domain_index(reader), variable->conditions, variable->condition_count, error);
}

static enum cor_status read_bounds(const struct cor_json *json, void *into, struct cor_error *error) {
    struct agent_layer__reader *reader = into;
    COR_TRY(cor_json_expect_array(json, 0, COR_ITEMS_MAX, error));
    for (size_t i = 0; i < cor_json_size(json); i++) {
        const struct cor_json item = cor_json_at(json, i);
        struct cor_value value;
        COR_TRY(agent_layer__read_value(&item, reader->design, domain_index(reader), &value, error));
        COR_TRY(cor_design_add_bound(reader->design, reader->index, reader->parameter, value, error));
    }
    return COR_OK;
}

static const struct cor_field variable_fields[] = {
    {"belief", COR_OPTIONAL, COR_READ_FIELD(read_variable_belief)},
    {"name", COR_REQUIRED, COR_READ_FIELD(read_variable_name)},
    {"type", COR_OPTIONAL, COR_READ_FIELD(read_variable_type)},
    {"valid", COR_OPTIONAL, COR_READ_FIELD(read_variable_conditions)},
    {"bounds", COR_OPTIONAL, COR_READ_FIELD(read_bounds)},
    {0}};

static enum cor_status read_variables(const struct cor_json *json, void *into, struct cor_error *error) {
    return agent_layer__read_items(json, 0, variable_fields, into, error);
}

/* "bounds" of a plan: further boundaries of parameters, which need not be among its variables. */
static enum cor_status read_parameter_bounds(const struct cor_json *json, void *into,
                                             struct cor_error *error) {
    struct agent_layer__reader *reader = into;
    COR_TRY(cor_json_expect_object(json, NULL, error));
    for (size_t i = 0; i < cor_json_size(json); i++) {
        const struct cor_json item = cor_json_at(json, i);
        const struct cor_design_plan *plan = plan_of(reader);
        COR_TRY(find_parameter(&item, reader, item.key, &reader->slot, error));
        for (reader->parameter = 0; reader->parameter < plan->variable_count; reader->parameter++)
            if (plan->variables[reader->parameter].slot == reader->slot)
                break;
        cor_json_place(&item, reader->place, sizeof reader->place);
        if (reader->parameter == plan->variable_count)
            COR_TRY(cor_design_add_variable(reader->design, reader->index, reader->slot, reader->place,
                                            &reader->parameter, error));
        COR_TRY(read_bounds(&item, reader, error));
    }
    return COR_OK;
}

/* Context and body are compiled together; where there is no context, its place is the plan's. */
static enum cor_status read_code(const struct cor_json *plan, struct agent_layer__reader *reader,
                                 struct cor_error *error) {
    struct cor_json context, body;
    struct cor_body made;
    const char *text = NULL;
    enum cor_status status = COR_OK;
    cor_body_init(&made);
    cor_json_place(plan, reader->place, sizeof reader->place);
    if (cor_json_find(plan, "context", &context) && !cor_json_is_null(&context))
        COR_TRY_OUT(agent_layer__read_text(&context, &text, reader->place, error));
    if (cor_json_find(plan, "body", &body))
        COR_TRY_OUT(agent_layer__read_body(&body, &made, error));
    status = cor_design_set_code_take(reader->design, reader->index, text, reader->place, &made, error);
out:
    cor_body_fini(&made);
    return status;
}

static const struct cor_field plan_fields[] = {
    {"trigger", COR_REQUIRED, COR_READ_FIELD(read_trigger)},
    {"name", COR_REQUIRED, COR_READ_FIELD(read_plan_name)},
    {"src", COR_OPTIONAL, COR_READ_FIELD(agent_layer__read_note)},
    {"note", COR_OPTIONAL, COR_READ_FIELD(agent_layer__read_note)},
    {"posts", COR_OPTIONAL, COR_READ_FIELD(read_posts)},
    {"sends", COR_OPTIONAL, COR_READ_FIELD(read_sends)},
    {"does", COR_OPTIONAL, COR_READ_FIELD(read_does)},
    {"writes", COR_OPTIONAL, COR_READ_FIELD(read_writes)},
    {"vars", COR_OPTIONAL, COR_READ_FIELD(read_variables)},
    {"bounds", COR_OPTIONAL, COR_READ_FIELD(read_parameter_bounds)},
    {"context", COR_OPTIONAL, COR_KNOWN_FIELD},
    {"body", COR_OPTIONAL, COR_KNOWN_FIELD},
    {0}};

enum cor_status agent_layer__read_plans(const struct cor_json *json, void *into, struct cor_error *error) {
    COR_TRY(cor_json_expect_array(json, 0, COR_ITEMS_MAX, error));
    if (cor_json_size(json) == 0)
        return cor_json_fail(json, error, "describe at least one", "there is no plan to test");
    for (size_t i = 0; i < cor_json_size(json); i++) {
        const struct cor_json item = cor_json_at(json, i);
        struct agent_layer__reader one = *(struct agent_layer__reader *)into;
        COR_TRY(cor_json_fields(&item, plan_fields, &one, error));
        COR_TRY(read_code(&item, &one, error));
    }
    return COR_OK;
}

/* Rings that are meant, or are not. */
static enum cor_status read_ring_meant(const struct cor_json *json, void *into, struct cor_error *error) {
    struct agent_layer__reader *reader = into;
    bool meant;
    COR_TRY(cor_json_bool(json, &meant, error));
    return cor_design_add_ring(reader->design, meant, &reader->index, error);
}

static enum cor_status read_ring_plans(const struct cor_json *json, void *into, struct cor_error *error) {
    struct agent_layer__reader *reader = into;
    COR_TRY(cor_json_expect_array(json, 1, COR_ITEMS_MAX, error));
    return read_uses(json, reader, COR_NAME_PLAN, &reader->design->rings[reader->index].plans, error);
}

static const struct cor_field ring_fields[] = {{"meant", COR_REQUIRED, COR_READ_FIELD(read_ring_meant)},
                                               {"plans", COR_REQUIRED, COR_READ_FIELD(read_ring_plans)},
                                               {"note", COR_OPTIONAL, COR_READ_FIELD(agent_layer__read_note)},
                                               {0}};

enum cor_status agent_layer__read_rings(const struct cor_json *json, void *into, struct cor_error *error) {
    return agent_layer__read_items(json, 0, ring_fields, into, error);
}
