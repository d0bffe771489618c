/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How a design is tested: settings, and the user's own cases. */
#include "design_reader.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

#define STEP_LIMIT_MAX 1000000000

/* Test settings. */
static const struct {
    const char *word;
    enum cor_case_policy policy;
} policies[] = {{"valid-all/invalid-single", COR_POLICY_VALID_ALL},
                {"valid-t/invalid-single", COR_POLICY_VALID_T},
                {"valid-all", COR_POLICY_VALID_ALL},
                {"valid-t", COR_POLICY_VALID_T},
                {"all", COR_POLICY_ALL},
                {"t-wise", COR_POLICY_T_WISE}};
enum { POLICIES = sizeof policies / sizeof *policies };

const char *cor_case_policy_word(size_t index) {
    return index < POLICIES ? policies[index].word : NULL;
}

enum cor_case_policy cor_case_policy_at(size_t index) {
    COR_ASSERT(index < POLICIES);
    return policies[index].policy;
}

static enum cor_status read_policy(const struct cor_json *json, void *into, struct cor_error *error) {
    const char *words[POLICIES + 1] = {NULL};
    int index;
    for (size_t i = 0; i < POLICIES; i++)
        words[i] = policies[i].word;
    COR_TRY(cor_json_one_of(json, words, "policy", &index, error));
    ((struct cor_test_settings *)into)->policy = policies[index].policy;
    return COR_OK;
}

static const struct cor_field settings_fields[] = {
    {"strength", COR_OPTIONAL, COR_INTEGER_FIELD(struct cor_test_settings, strength, 1, 6)},
    {"policy", COR_OPTIONAL, COR_READ_FIELD(read_policy)},
    {"exhaustive_limit", COR_OPTIONAL,
     COR_INTEGER_FIELD(struct cor_test_settings, exhaustive_limit, 1, UINT32_MAX)},
    {"cycle_limit", COR_OPTIONAL, COR_INTEGER_FIELD(struct cor_test_settings, cycle_limit, 1, 1000000)},
    {"step_limit", COR_OPTIONAL, COR_INTEGER_FIELD(struct cor_test_settings, step_limit, 1, STEP_LIMIT_MAX)},
    {"interleavings", COR_OPTIONAL,
     COR_INTEGER_FIELD(struct cor_test_settings, interleavings, 1, COR_INTERLEAVINGS_MOST)},
    {"seed", COR_OPTIONAL, COR_SEED_FIELD(struct cor_test_settings, seed)},
    {"solve", COR_OPTIONAL, COR_BOOL_FIELD(struct cor_test_settings, solve)},
    {"cases", COR_OPTIONAL, COR_KNOWN_FIELD},
    {0}};

enum cor_status agent_layer__read_settings(const struct cor_json *json, void *into, struct cor_error *error) {
    return cor_json_fields(json, settings_fields, &((struct agent_layer__reader *)into)->design->settings,
                           error);
}

/* The user's own cases, when the units are known. */
struct own {
    struct cor_design_file *file;
    struct cor_own_case *one;
};

static enum cor_status read_own_unit(const struct cor_json *json, void *into, struct cor_error *error) {
    struct own *own = into;
    const char *name;
    char place[COR_PLACE_BYTES];
    COR_TRY(agent_layer__read_text(json, &name, place, error));
    COR_TRY(cor_design_file_unit(own->file, name, place, &own->one->unit, error));
    own->one->event = own->file->order.units.units[own->one->unit].event;
    return COR_OK;
}

static enum cor_status read_own_event(const struct cor_json *json, void *into, struct cor_error *error) {
    struct own *own = into;
    const char *name;
    char place[COR_PLACE_BYTES];
    COR_TRY(agent_layer__read_text(json, &name, place, error));
    COR_TRY(cor_design_look_up(own->file->design, COR_NAME_EVENT, name, place, &own->one->event, error));
    /* Whether a case of the unit may post the event. */
    const uint32_t unit = own->one->unit, event = own->one->event;
    const struct cor_units *units = &own->file->order.units;
    const uint32_t *members = cor_unit_members(units, &units->units[unit]);
    for (uint32_t m = 0; m < units->units[unit].member_count; m++)
        if (agent_layer__trigger(own->file->design, members[m]) == event)
            return COR_OK;
    return cor_json_fail(json, error, "name one that does", "event \"%s\" triggers no plan of the unit",
                         name);
}

static enum cor_status read_own_arguments(const struct cor_json *json, void *into, struct cor_error *error) {
    struct own *own = into;
    if (own->one->event == COR_NONE)
        return COR_OK; /* said below, with the remedy */
    const struct cor_design_event *event = &own->file->design->events[own->one->event];
    const char **names = cor_calloc(event->parameter_count + 1, sizeof *names);
    COR_TRY(cor_made(names, error));
    for (uint32_t i = 0; i < event->parameter_count; i++)
        names[i] = event->parameters[i].name;
    enum cor_status status = cor_json_expect_object(json, names, error);
    free(names);
    COR_TRY(status);
    own->one->arguments = cor_calloc(event->parameter_count, sizeof *own->one->arguments);
    COR_TRY(cor_made(own->one->arguments, error));
    for (uint32_t i = 0; i < event->parameter_count; i++) {
        struct cor_json value;
        COR_TRY(cor_json_need(json, event->parameters[i].name, &value, error));
        COR_TRY(agent_layer__read_value(&value, own->file->design, event->parameters[i].domain,
                                        &own->one->arguments[i], error));
    }
    return COR_OK;
}

static enum cor_status read_own_beliefs(const struct cor_json *json, void *into, struct cor_error *error) {
    struct own *own = into;
    struct cor_design *design = own->file->design;
    COR_TRY(cor_json_expect_object(json, NULL, error));
    for (size_t i = 0; i < cor_json_size(json); i++) {
        const struct cor_json item = cor_json_at(json, i);
        char place[COR_PLACE_BYTES];
        uint32_t field;
        cor_json_place(&item, place, sizeof place);
        COR_TRY(cor_design_look_up_field(design, item.key, place, &field, error));
        COR_TRY(agent_layer__read_value(&item, design, design->fields[field].domain,
                                        &own->one->beliefs[field], error));
    }
    return COR_OK;
}

static const struct cor_field own_fields[] = {{"unit", COR_REQUIRED, COR_READ_FIELD(read_own_unit)},
                                              {"event", COR_OPTIONAL, COR_READ_FIELD(read_own_event)},
                                              {"args", COR_OPTIONAL, COR_READ_FIELD(read_own_arguments)},
                                              {"beliefs", COR_OPTIONAL, COR_READ_FIELD(read_own_beliefs)},
                                              {"note", COR_OPTIONAL, COR_READ_FIELD(agent_layer__read_note)},
                                              {0}};

static enum cor_status read_own_valid(const struct cor_json *json, void *into, struct cor_error *error) {
    return cor_json_bool(json, &((struct own *)into)->one->valid, error);
}

static const struct cor_field solved_fields[] = {{"unit", COR_REQUIRED, COR_READ_FIELD(read_own_unit)},
                                                 {"event", COR_OPTIONAL, COR_READ_FIELD(read_own_event)},
                                                 {"args", COR_OPTIONAL, COR_READ_FIELD(read_own_arguments)},
                                                 {"beliefs", COR_OPTIONAL, COR_READ_FIELD(read_own_beliefs)},
                                                 {"valid", COR_REQUIRED, COR_READ_FIELD(read_own_valid)},
                                                 {0}};

static enum cor_status read_cases(const struct cor_json *cases, const struct cor_field *fields,
                                  struct cor_design_file *file, struct cor_error *error) {
    for (size_t i = 0; i < cor_json_size(cases); i++) {
        const struct cor_json item = cor_json_at(cases, i);
        COR_TRY(
            COR_RESERVE(&file->own_cases, &file->own_case_capacity, (size_t)file->own_case_count + 1, error));
        struct own own = {.file = file, .one = &file->own_cases[file->own_case_count]};
        *own.one = (struct cor_own_case){.valid = true, .solved = fields == solved_fields};
        file->own_case_count++;
        const struct cor_design *design = own.file->design;
        struct cor_json missing;
        own.one->beliefs = cor_calloc(design->field_count, sizeof *own.one->beliefs);
        COR_TRY(cor_made(own.one->beliefs, error));
        for (uint32_t f = 0; f < design->field_count; f++)
            own.one->beliefs[f] = design->fields[f].start;
        COR_TRY(cor_json_fields(&item, fields, &own, error));
        if (own.one->event == COR_NONE)
            return cor_json_fail(&item, error, "say with \"event\" which of them is posted",
                                 "the plans of a ring have several triggers");
        if (!own.one->arguments && design->events[own.one->event].parameter_count > 0)
            COR_TRY(cor_json_need(&item, "args", &missing, error));
    }
    return COR_OK;
}

enum cor_status agent_layer__read_own_cases(struct cor_design_file *file, const struct cor_json *root,
                                            struct cor_error *error) {
    struct cor_json test, cases;
    if (!cor_json_find(root, "test", &test) || !cor_json_find(&test, "cases", &cases))
        return COR_OK;
    COR_TRY(cor_json_expect_array(&cases, 0, COR_ITEMS_MAX, error));
    return read_cases(&cases, own_fields, file, error);
}

enum cor_status agent_layer__read_solved_cases(const struct cor_json *json, struct cor_design_file *file,
                                               struct cor_error *error) {
    COR_TRY(cor_json_expect_array(json, 0, COR_ITEMS_MAX, error));
    return read_cases(json, solved_fields, file, error);
}

enum cor_status cor_design_file_unit(const struct cor_design_file *file, const char *name, const char *place,
                                     uint32_t *unit, struct cor_error *error) {
    const struct cor_units *units = &file->order.units;
    enum cor_status status = COR_OK;
    char remedy[1024], **names = cor_calloc(units->count + 1, sizeof *names);
    COR_TRY(cor_made(names, error));
    for (*unit = 0; *unit < units->count; ++*unit) {
        names[*unit] = cor_unit_name(file->design, units, *unit);
        COR_TRY_OUT(cor_made(names[*unit], error));
        if (strcmp(names[*unit], name) == 0)
            goto out;
    }
    cor_known_names(name, (const char *const *)names, remedy, sizeof remedy);
    status = cor_fail(error, COR_STATUS_INPUT, place, remedy, "there is no unit \"%s\"", name);
out:
    for (uint32_t i = 0; i < units->count; i++)
        free(names[i]);
    free(names);
    return status;
}
