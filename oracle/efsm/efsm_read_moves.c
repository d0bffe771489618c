/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Locations, which may have others in them, and the transitions between them. */
#include "reader.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

/* A location, or one with others in it: those are the locations of the model, by names with a point between.
 */
static enum cor_status read_location(const struct cor_json *json, struct efsm__efsm_reader *reader,
                                     const char *outer, struct cor_error *error) {
    static const char *const keys[] = {"name", "locations", "initial", NULL};
    struct cor_efsm *model = reader->model;
    struct cor_json name = *json, inner, initial;
    const bool nests = cor_json_is_object(json);
    const char *own;
    if (nests) {
        COR_TRY(cor_json_expect_object(json, keys, error));
        COR_TRY(cor_json_need(json, "name", &name, error));
    }
    COR_TRY(efsm__efsm_name(&name, NULL, 0, "location", &own, error));
    COR_TRY(COR_RESERVE(&reader->nests, &reader->nest_capacity, reader->nest_count + 1, error));
    char *whole = cor_format("%s%s%s", outer ? outer : "", outer ? "." : "", own);
    COR_TRY(efsm__efsm_keep_take(model, whole, error));
    for (uint32_t n = 0; n < reader->nest_count; n++)
        if (strcmp(reader->nests[n].name, whole) == 0)
            return cor_json_fail(&name, error, "give each a name of its own",
                                 "there is another location \"%s\"", whole);
    const uint32_t at = reader->nest_count++;
    reader->nests[at] = (struct efsm__nest){whole, model->location_count, 1, model->location_count};
    if (!nests) {
        if (model->location_count == COR_EFSM_ITEMS_MAX)
            return cor_json_fail(json, error, NULL, "there are more than %d locations", COR_EFSM_ITEMS_MAX);
        COR_TRY(COR_RESERVE(&model->location_names, &reader->location_capacity, model->location_count + 2,
                            error));
        model->location_names[model->location_count++] = whole;
        model->location_names[model->location_count] = NULL;
        return COR_OK;
    }
    COR_TRY(cor_json_need(json, "locations", &inner, error));
    COR_TRY(cor_json_expect_array(&inner, 1, COR_EFSM_ITEMS_MAX, error));
    for (size_t i = 0; i < cor_json_size(&inner); i++) {
        const struct cor_json item = cor_json_at(&inner, i);
        COR_TRY(read_location(&item, reader, whole, error));
    }
    reader->nests[at].count = model->location_count - reader->nests[at].first;
    COR_TRY(cor_json_need(json, "initial", &initial, error));
    COR_TRY(cor_json_string(&initial, &own, error));
    for (uint32_t n = at + 1; n < reader->nest_count; n++)
        if (strncmp(reader->nests[n].name, whole, strlen(whole)) == 0 &&
            reader->nests[n].name[strlen(whole)] == '.' &&
            strcmp(reader->nests[n].name + strlen(whole) + 1, own) == 0) {
            reader->nests[at].entry = reader->nests[n].entry;
            return COR_OK;
        }
    return cor_json_fail(&initial, error, "name one of its locations",
                         "there is no location \"%s\" in \"%s\"", own, whole);
}

enum cor_status efsm__efsm_read_locations(const struct cor_json *json, void *into, struct cor_error *error) {
    COR_TRY(cor_json_expect_array(json, 1, COR_EFSM_ITEMS_MAX, error));
    for (size_t i = 0; i < cor_json_size(json); i++) {
        const struct cor_json item = cor_json_at(json, i);
        COR_TRY(read_location(&item, into, NULL, error));
    }
    return COR_OK;
}

/* The location, or those within, that a name means. */
static enum cor_status look_up_nest(const struct cor_json *json, const struct efsm__efsm_reader *reader,
                                    const struct efsm__nest **nest, struct cor_error *error) {
    uint32_t location;
    const char *name;
    COR_TRY(cor_json_string(json, &name, error));
    for (uint32_t n = 0; n < reader->nest_count; n++)
        if (strcmp(reader->nests[n].name, name) == 0) {
            *nest = &reader->nests[n];
            return COR_OK;
        }
    return efsm__efsm_look_up(json, reader->model->location_names, "location", &location, error);
}

enum cor_status efsm__efsm_read_initial(const struct cor_json *json, void *into, struct cor_error *error) {
    struct efsm__efsm_reader *reader = into;
    const struct efsm__nest *nest;
    COR_TRY(look_up_nest(json, reader, &nest, error));
    reader->model->initial = nest->entry;
    return COR_OK;
}

static enum cor_status read_answers(const struct cor_json *json, const struct cor_efsm *model,
                                    const char *const *names, struct cor_efsm_transition *t,
                                    struct cor_error *error) {
    static const char *const keys[] = {"label", "args", NULL};
    COR_TRY(cor_json_expect_array(json, 0, COR_EFSM_VARIABLES_MAX, error));
    t->outputs = cor_calloc(cor_json_size(json), sizeof *t->outputs);
    COR_TRY(cor_made(t->outputs, error));
    for (size_t i = 0; i < cor_json_size(json); i++) {
        const struct cor_json item = cor_json_at(json, i);
        struct cor_json label, arguments;
        struct cor_efsm_output *output = &t->outputs[i];
        COR_TRY(cor_json_expect_object(&item, keys, error));
        COR_TRY(cor_json_need(&item, "label", &label, error));
        COR_TRY(efsm__efsm_look_up(&label, model->output_names, "output", &output->label, error));
        t->output_count++;
        COR_TRY(cor_json_need(&item, "args", &arguments, error));
        const struct cor_efsm_label *it = &model->outputs[output->label];
        COR_TRY(cor_json_expect_array(&arguments, 0, COR_EFSM_VARIABLES_MAX, error));
        if (cor_json_size(&arguments) != it->parameter_count)
            return cor_json_fail(&arguments, error, "give each parameter a value",
                                 "gives %zu of the %u arguments of \"%s\"", cor_json_size(&arguments),
                                 it->parameter_count, it->name);
        output->arguments = cor_calloc(it->parameter_count, sizeof *output->arguments);
        COR_TRY(cor_made(output->arguments, error));
        for (size_t j = 0; j < it->parameter_count; j++) {
            const struct cor_json child = cor_json_at(&arguments, j);
            COR_TRY(
                efsm__efsm_expression(&child, model, names, it->parameters[j], &output->arguments[j], error));
        }
    }
    return COR_OK;
}

static enum cor_status read_updates(const struct cor_json *json, const struct cor_efsm *model,
                                    const char *const *names, struct cor_efsm_transition *t,
                                    struct cor_error *error) {
    COR_TRY(cor_json_expect_object(json, NULL, error));
    t->updates = cor_calloc(cor_json_size(json), sizeof *t->updates);
    COR_TRY(cor_made(t->updates, error));
    for (size_t j = 0; j < cor_json_size(json); j++) {
        const struct cor_json child = cor_json_at(json, j);
        uint32_t v = 0;
        while (v < model->variable_count && strcmp(model->variable_names[v], child.key) != 0)
            v++;
        if (v == model->variable_count || model->variables[v].kind != COR_EFSM_STATE)
            return cor_json_fail(&child, error,
                                 "an update assigns state variables; missing ones keep their value",
                                 "\"%s\" is no state variable", child.key);
        t->updates[t->update_count].variable = v;
        COR_TRY(efsm__efsm_expression(&child, model, names, v, &t->updates[t->update_count++].value, error));
    }
    return COR_OK;
}

/* A transition from one location; from one with others in it there is one from each of these. */
static enum cor_status read_transition(const struct cor_json *json, struct cor_efsm *model, uint32_t source,
                                       uint32_t target, const char *id, struct cor_error *error) {
    const char *names[COR_EFSM_VARIABLES_MAX + 1];
    struct cor_efsm_transition *t = &model->transitions[model->transition_count];
    struct cor_json member;
    t->id = model->transition_names[model->transition_count++] = id;
    t->source = source;
    t->target = target;
    COR_TRY(cor_json_need(json, "input", &member, error));
    COR_TRY(efsm__efsm_look_up(&member, model->input_names, "input", &t->input, error));
    efsm__efsm_readable(model, t->input, names);
    COR_TRY(cor_json_need(json, "guard", &member, error));
    COR_TRY(efsm__efsm_expression(&member, model, names, EFSM__CONDITION, &t->guard, error));
    COR_TRY(cor_json_need(json, "update", &member, error));
    COR_TRY(read_updates(&member, model, names, t, error));
    COR_TRY(cor_json_need(json, "outputs", &member, error));
    return read_answers(&member, model, names, t, error);
}

/* The copies of a transition from several locations, each by its own name, and all by that of the file. */
static enum cor_status read_copies(const struct cor_json *json, struct cor_efsm *model,
                                   const struct efsm__nest *source, uint32_t target, const char *id,
                                   struct cor_error *error) {
    struct cor_efsm_group *group = &model->groups[model->group_count];
    group->transitions = cor_calloc(source->count, sizeof *group->transitions);
    COR_TRY(cor_made(group->transitions, error));
    group->name = id;
    model->group_count++;
    for (uint32_t l = source->first; l < source->first + source->count; l++) {
        char *name = cor_format("%s@%s", id, model->location_names[l]);
        COR_TRY(efsm__efsm_keep_take(model, name, error));
        group->transitions[group->transition_count++] = model->transition_count;
        COR_TRY(read_transition(json, model, l, target, name, error));
    }
    return COR_OK;
}

/* How many transitions the model has when each leaves one location. */
static size_t count_copies(const struct cor_json *json, const struct efsm__efsm_reader *reader) {
    size_t all = cor_json_size(json);
    for (size_t i = 0; i < cor_json_size(json); i++) {
        const struct cor_json item = cor_json_at(json, i);
        struct cor_json source;
        const char *name;
        if (!cor_json_find(&item, "src", &source) || cor_json_string(&source, &name, NULL) != COR_OK)
            continue;
        for (uint32_t n = 0; n < reader->nest_count; n++)
            all += strcmp(reader->nests[n].name, name) == 0 ? reader->nests[n].count - 1 : 0;
    }
    return all;
}

enum cor_status efsm__efsm_read_transitions(const struct cor_json *json, void *into,
                                            struct cor_error *error) {
    static const char *const keys[] = {"id", "src", "dst", "input", "guard", "update", "outputs", NULL};
    struct efsm__efsm_reader *reader = into;
    struct cor_efsm *model = reader->model;
    COR_TRY(cor_json_expect_array(json, 1, COR_EFSM_ITEMS_MAX, error));
    const size_t all = count_copies(json, reader);
    if (all > COR_EFSM_ITEMS_MAX)
        return cor_json_fail(json, error, "nest less", "there are more than %d transitions",
                             COR_EFSM_ITEMS_MAX);
    model->transitions = cor_calloc(all, sizeof *model->transitions);
    model->transition_names = cor_calloc(all + 1, sizeof *model->transition_names);
    model->groups = cor_calloc(cor_json_size(json), sizeof *model->groups);
    if (!model->transitions || !model->transition_names || !model->groups)
        return cor_fail_memory(error);
    for (size_t i = 0; i < cor_json_size(json); i++) {
        const struct cor_json item = cor_json_at(json, i);
        const struct efsm__nest *source, *target;
        struct cor_json member;
        const char *id;
        COR_TRY(cor_json_expect_object(&item, keys, error));
        COR_TRY(cor_json_need(&item, "id", &member, error));
        COR_TRY(efsm__efsm_name(&member, model->transition_names, model->transition_count, "transition", &id,
                                error));
        for (uint32_t g = 0; g < model->group_count; g++)
            if (strcmp(model->groups[g].name, id) == 0)
                return cor_json_fail(&member, error, "give each a name of its own",
                                     "there is another transition \"%s\"", id);
        COR_TRY(cor_json_need(&item, "src", &member, error));
        COR_TRY(look_up_nest(&member, reader, &source, error));
        COR_TRY(cor_json_need(&item, "dst", &member, error));
        COR_TRY(look_up_nest(&member, reader, &target, error));
        if (source->count == 1)
            COR_TRY(read_transition(&item, model, source->first, target->entry, id, error));
        else
            COR_TRY(read_copies(&item, model, source, target->entry, id, error));
    }
    return COR_OK;
}

/* "groups": transitions that goals may name together. */
enum cor_status efsm__efsm_read_groups(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_efsm *model = ((struct efsm__efsm_reader *)into)->model;
    COR_TRY(cor_json_expect_object(json, NULL, error));
    size_t room = model->group_count;
    COR_TRY(COR_RESERVE(&model->groups, &room, model->group_count + cor_json_size(json), error));
    for (size_t i = 0; i < cor_json_size(json); i++) {
        const struct cor_json item = cor_json_at(json, i);
        struct cor_efsm_group *group = &model->groups[model->group_count];
        *group = (struct cor_efsm_group){.name = item.key};
        for (uint32_t t = 0; t < model->transition_count; t++)
            if (strcmp(model->transition_names[t], item.key) == 0)
                return cor_json_fail(&item, error, "give the group a name of its own",
                                     "a transition is called \"%s\"", item.key);
        COR_TRY(cor_json_expect_array(&item, 1, COR_EFSM_ITEMS_MAX, error));
        group->transitions = cor_calloc(cor_json_size(&item), sizeof *group->transitions);
        COR_TRY(cor_made(group->transitions, error));
        model->group_count++;
        for (size_t j = 0; j < cor_json_size(&item); j++) {
            const struct cor_json child = cor_json_at(&item, j);
            uint32_t *into_group = &group->transitions[group->transition_count];
            COR_TRY(efsm__efsm_look_up(&child, model->transition_names, "transition", into_group, error));
            group->transition_count++;
        }
    }
    return COR_OK;
}
