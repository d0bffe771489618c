/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Events of a design, which of them come from outside, and what leaves the agent. */
#include "design_reader.h"

#include <stdlib.h>
#include <string.h>

/* Events: the name is read when the kind is known, conditions when all parameters are, as they may name
 * others. */
static enum cor_status read_event_name(const struct cor_json *json, void *into, struct cor_error *error) {
    struct agent_layer__reader *reader = into;
    const char *name;
    COR_TRY(agent_layer__read_text(json, &name, reader->place, error));
    COR_TRY(cor_design_add_event(reader->design, name, (enum cor_event_kind)reader->kind, reader->place,
                                 &reader->index, error));
    struct cor_design_event *event = &reader->design->events[reader->index];
    event->always_covered = event->never_overlaps = true; /* who expects otherwise says so (000, 2.3) */
    return COR_OK;
}

static enum cor_status read_domain(const struct cor_json *json, void *into, struct cor_error *error) {
    struct agent_layer__reader *reader = into;
    return agent_layer__look_up(json, reader, COR_NAME_TYPE, &reader->domain, error);
}

static enum cor_status read_parameter_name(const struct cor_json *json, void *into, struct cor_error *error) {
    struct agent_layer__reader *reader = into;
    const char *name;
    COR_TRY(agent_layer__read_text(json, &name, reader->place, error));
    return cor_design_add_parameter(reader->design, name, reader->domain, reader->place, &reader->parameter,
                                    error);
}

static const struct cor_field parameter_fields[] = {
    {"type", COR_REQUIRED, COR_READ_FIELD(read_domain)},
    {"name", COR_REQUIRED, COR_READ_FIELD(read_parameter_name)},
    {"valid", COR_OPTIONAL, COR_KNOWN_FIELD},
    {0}};

static enum cor_status read_parameter_conditions(const struct cor_json *json, void *into,
                                                 struct cor_error *error) {
    struct agent_layer__reader *reader = into;
    COR_TRY(agent_layer__read_conditions(json, reader, cor_design_add_parameter_condition, error));
    const struct cor_design_parameter *parameter =
        &reader->design->events[reader->index].parameters[reader->parameter];
    return agent_layer__check_conditions(json, reader, parameter->name, parameter->domain,
                                         parameter->conditions, parameter->condition_count, error);
}

static const struct cor_field parameter_condition_fields[] = {
    {"valid", COR_OPTIONAL, COR_READ_FIELD(read_parameter_conditions)}, {0}};

static enum cor_status read_parameters(const struct cor_json *json, void *into, struct cor_error *error) {
    struct agent_layer__reader *reader = into;
    COR_TRY(agent_layer__read_items(json, 0, parameter_fields, reader, error));
    for (size_t i = 0; i < cor_json_size(json); i++) {
        const struct cor_json item = cor_json_at(json, i);
        reader->parameter = (uint32_t)i;
        COR_TRY(cor_json_members(&item, parameter_condition_fields, reader, error));
    }
    return COR_OK;
}

static enum cor_status read_expected(const struct cor_json *json, void *into, struct cor_error *error) {
    static const char *const coverages[] = {"sometimes", "always", NULL};
    static const char *const overlaps[] = {"allowed", "never", NULL};
    struct cor_design_event *event =
        &((struct agent_layer__reader *)into)->design->events[((struct agent_layer__reader *)into)->index];
    bool is_coverage = strcmp(json->key, "coverage") == 0;
    int index;
    COR_TRY(cor_json_one_of(json, is_coverage ? coverages : overlaps, json->key, &index, error));
    *(is_coverage ? &event->always_covered : &event->never_overlaps) = index == 1;
    *(is_coverage ? &event->coverage_said : &event->overlap_said) = true;
    return COR_OK;
}

static const struct cor_field event_fields[] = {
    {"kind", COR_REQUIRED, COR_TERM_FIELD(struct agent_layer__reader, kind, COR_FAMILY_EVENT_KIND)},
    {"name", COR_REQUIRED, COR_READ_FIELD(read_event_name)},
    {"src", COR_OPTIONAL, COR_READ_FIELD(agent_layer__read_note)},
    {"note", COR_OPTIONAL, COR_READ_FIELD(agent_layer__read_note)},
    {"coverage", COR_OPTIONAL, COR_READ_FIELD(read_expected)},
    {"overlap", COR_OPTIONAL, COR_READ_FIELD(read_expected)},
    {"params", COR_OPTIONAL, COR_READ_FIELD(read_parameters)},
    {0}};

enum cor_status agent_layer__read_events(const struct cor_json *json, void *into, struct cor_error *error) {
    struct agent_layer__reader *reader = into;
    COR_TRY(agent_layer__read_items(json, 1, event_fields, reader, error));
    return agent_layer__read_rules(reader, error);
}

enum cor_status agent_layer__read_entries(const struct cor_json *json, void *into, struct cor_error *error) {
    struct agent_layer__reader *reader = into;
    COR_TRY(cor_json_expect_array(json, 0, COR_ITEMS_MAX, error));
    if (cor_json_size(json) == 0)
        return cor_json_fail(json, error, "list the events that can come from outside the agent",
                             "nothing reaches any plan");
    for (size_t i = 0; i < cor_json_size(json); i++) {
        const struct cor_json item = cor_json_at(json, i);
        uint32_t event;
        COR_TRY(agent_layer__look_up(&item, reader, COR_NAME_EVENT, &event, error));
        COR_TRY(cor_design_add_entry(reader->design, event, reader->place, error));
    }
    return COR_OK;
}

/* Messages and actions: what else is said of them is for readers. */
static enum cor_status read_message_name(const struct cor_json *json, void *into, struct cor_error *error) {
    struct agent_layer__reader *reader = into;
    const char *name;
    COR_TRY(agent_layer__read_text(json, &name, reader->place, error));
    return cor_design_add_message(reader->design, name, reader->place, NULL, error);
}

static enum cor_status read_action_name(const struct cor_json *json, void *into, struct cor_error *error) {
    struct agent_layer__reader *reader = into;
    const char *name;
    COR_TRY(agent_layer__read_text(json, &name, reader->place, error));
    return cor_design_add_action(reader->design, name, reader->place, NULL, error);
}

static enum cor_status read_action_arguments(const struct cor_json *json, void *into,
                                             struct cor_error *error) {
    COR_TRY(cor_json_expect_array(json, 0, COR_ITEMS_MAX, error));
    for (size_t i = 0; i < cor_json_size(json); i++) {
        const struct cor_json item = cor_json_at(json, i);
        COR_TRY(agent_layer__read_note(&item, into, error));
    }
    return COR_OK;
}

static const struct cor_field message_fields[] = {
    {"name", COR_REQUIRED, COR_READ_FIELD(read_message_name)},
    {"to", COR_OPTIONAL, COR_READ_FIELD(agent_layer__read_note)},
    {"src", COR_OPTIONAL, COR_READ_FIELD(agent_layer__read_note)},
    {"note", COR_OPTIONAL, COR_READ_FIELD(agent_layer__read_note)},
    {0}};
static const struct cor_field action_fields[] = {
    {"name", COR_REQUIRED, COR_READ_FIELD(read_action_name)},
    {"args", COR_OPTIONAL, COR_READ_FIELD(read_action_arguments)},
    {"src", COR_OPTIONAL, COR_READ_FIELD(agent_layer__read_note)},
    {"note", COR_OPTIONAL, COR_READ_FIELD(agent_layer__read_note)},
    {0}};

enum cor_status agent_layer__read_messages(const struct cor_json *json, void *into, struct cor_error *error) {
    return agent_layer__read_items(json, 0, message_fields, into, error);
}

enum cor_status agent_layer__read_actions(const struct cor_json *json, void *into, struct cor_error *error) {
    return agent_layer__read_items(json, 0, action_fields, into, error);
}
