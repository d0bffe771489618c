/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Models from JSON. Members are read in the order of the table below, whatever their order in the file: what
 * is named is known before what names it. */
#include "reader.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

/* A name that is printable, not empty and none of the `count` before it. */
static enum cor_status read_name(const struct cor_json *json, const char *const *names, uint32_t count,
                                 const char *what, const char **name, struct cor_error *error) {
    COR_TRY(cor_json_string(json, name, error));
    if (**name == '\0' || !cor_is_printable(*name))
        return cor_json_fail(json, error, "a name is one or more printable letters",
                             "this is no name of %s %s", strchr("aeiou", *what) ? "an" : "a", what);
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(names[i], *name) == 0)
            return cor_json_fail(json, error, "give each a name of its own", "there is another %s \"%s\"",
                                 what, *name);
    return COR_OK;
}

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* What expressions can write, and does not mean something else there. */
static bool is_identifier(const char *name) {
    static const char *const taken[] = {"and",   "or",  "not", "implies", "true",
                                        "false", "min", "max", "abs",     "ceil_div"};
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        if (strcmp(name, taken[i]) == 0)
            return false;
    for (const char *at = name; *at; at++)
        if (!is_letter(*at) && (at == name || *at < '0' || *at > '9'))
            return false;
    return true;
}

static enum cor_status read_format(const struct cor_json *json, void *into, struct cor_error *error) {
    (void)into;
    const char *format;
    COR_TRY(cor_json_string(json, &format, error));
    if (strcmp(format, "efsm-json/1") != 0)
        return cor_json_fail(json, error, "this program reads \"efsm-json/1\"", "unknown format \"%s\"",
                             format);
    return COR_OK;
}

static enum cor_status read_model_name(const struct cor_json *json, void *into, struct cor_error *error) {
    struct efsm__efsm_reader *reader = into;
    return read_name(json, NULL, 0, "model", &reader->model->name, error);
}

static enum cor_status read_title(const struct cor_json *json, void *into, struct cor_error *error) {
    struct efsm__efsm_reader *reader = into;
    return cor_json_string(json, &reader->model->title, error);
}

static enum cor_status read_resets(const struct cor_json *json, void *into, struct cor_error *error) {
    int64_t resets;
    COR_TRY(cor_json_integer(json, 0, COR_EFSM_RESETS_MAX, &resets, error));
    ((struct efsm__efsm_reader *)into)->model->resets = (uint32_t)resets;
    return COR_OK;
}

/* A truth value has no bounds to be said; it is 0 or 1. */
static enum cor_status read_truth(const struct cor_json *json, struct cor_efsm_variable *variable,
                                  struct cor_error *error) {
    static const char *const bounds[] = {"lo", "hi"};
    struct cor_json member;
    bool truth;
    for (size_t i = 0; i < 2; i++)
        if (cor_json_find(json, bounds[i], &member))
            return cor_json_fail(&member, error, "leave it away: a boolean is true or false",
                                 "a boolean has no bounds");
    variable->is_truth = true;
    variable->low = 0;
    variable->high = 1;
    if (variable->kind != COR_EFSM_STATE)
        return COR_OK;
    COR_TRY(cor_json_need(json, "init", &member, error));
    COR_TRY(cor_json_bool(&member, &truth, error));
    variable->initial = truth;
    return COR_OK;
}

static enum cor_status read_variable(const struct cor_json *json, struct cor_efsm *model,
                                     struct cor_error *error) {
    static const char *const kinds[] = {"state", "param", "out", NULL}, *const types[] = {"integer",
                                                                                          "boolean", NULL};
    static const struct cor_field fields[] = {
        {"name", COR_REQUIRED, COR_KNOWN_FIELD},
        {"kind", COR_REQUIRED,
         COR_ONE_OF_FIELD(struct cor_efsm_variable, kind, kinds, COR_EFSM_STATE, "kind")},
        {"lo", COR_REQUIRED,
         COR_INTEGER_FIELD(struct cor_efsm_variable, low, -COR_EFSM_BOUND_MAX, COR_EFSM_BOUND_MAX)},
        {"hi", COR_REQUIRED,
         COR_INTEGER_FIELD(struct cor_efsm_variable, high, -COR_EFSM_BOUND_MAX, COR_EFSM_BOUND_MAX)},
        {"type", COR_OPTIONAL, COR_KNOWN_FIELD},
        {"init", COR_OPTIONAL, COR_KNOWN_FIELD},
        {"irrelevant", COR_OPTIONAL, COR_BOOL_FIELD(struct cor_efsm_variable, irrelevant)},
        {0}};
    static const struct cor_field truth_fields[] = {
        {"name", COR_REQUIRED, COR_KNOWN_FIELD},
        {"kind", COR_REQUIRED,
         COR_ONE_OF_FIELD(struct cor_efsm_variable, kind, kinds, COR_EFSM_STATE, "kind")},
        {"type", COR_REQUIRED, COR_KNOWN_FIELD},
        {"lo", COR_OPTIONAL, COR_KNOWN_FIELD},
        {"hi", COR_OPTIONAL, COR_KNOWN_FIELD},
        {"init", COR_OPTIONAL, COR_KNOWN_FIELD},
        {"irrelevant", COR_OPTIONAL, COR_BOOL_FIELD(struct cor_efsm_variable, irrelevant)},
        {0}};
    struct cor_efsm_variable *variable = &model->variables[model->variable_count];
    struct cor_json name, type;
    int type_index = 0;
    if (cor_json_is_object(json) && cor_json_find(json, "type", &type))
        COR_TRY(cor_json_one_of(&type, types, "type", &type_index, error));
    COR_TRY(cor_json_fields(json, type_index == 1 ? truth_fields : fields, variable, error));
    COR_TRY(cor_json_need(json, "name", &name, error));
    COR_TRY(
        read_name(&name, model->variable_names, model->variable_count, "variable", &variable->name, error));
    if (!is_identifier(variable->name))
        return cor_json_fail(&name, error,
                             "letters, digits and _, no digit first, and no word of the language",
                             "expressions cannot name \"%s\"", variable->name);
    if (type_index == 1)
        COR_TRY(read_truth(json, variable, error));
    if (variable->low > variable->high)
        return cor_json_fail(json, error, "lo is at most hi", "the domain %lld .. %lld is empty",
                             (long long)variable->low, (long long)variable->high);
    struct cor_json initial;
    if (variable->kind != COR_EFSM_STATE) {
        if (cor_json_find(json, "init", &initial))
            return cor_json_fail(&initial, error, "leave it away",
                                 "only state variables have an initial value");
    } else if (!variable->is_truth) {
        COR_TRY(cor_json_need(json, "init", &initial, error));
        COR_TRY(
            cor_json_integer(&initial, -COR_EFSM_BOUND_MAX, COR_EFSM_BOUND_MAX, &variable->initial, error));
        if (variable->initial < variable->low || variable->initial > variable->high)
            return cor_json_fail(&initial, error, NULL, "%lld is outside the domain %lld .. %lld",
                                 (long long)variable->initial, (long long)variable->low,
                                 (long long)variable->high);
    }
    model->variable_names[model->variable_count++] = variable->name;
    return COR_OK;
}

static enum cor_status read_variables(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_efsm *model = ((struct efsm__efsm_reader *)into)->model;
    COR_TRY(cor_json_expect_array(json, 0, COR_EFSM_VARIABLES_MAX, error));
    model->variables = cor_calloc(cor_json_size(json), sizeof *model->variables);
    model->variable_names = cor_calloc(cor_json_size(json) + 1, sizeof *model->variable_names);
    if (!model->variables || !model->variable_names)
        return cor_fail_memory(error);
    for (size_t i = 0; i < cor_json_size(json); i++) {
        const struct cor_json item = cor_json_at(json, i);
        COR_TRY(read_variable(&item, model, error));
        if (!model->variables[i].is_truth)
            continue;
        if (!model->truths)
            model->truths = cor_calloc(cor_json_size(json), sizeof *model->truths);
        COR_TRY(cor_made(model->truths, error));
        model->truths[i] = true;
    }
    return COR_OK;
}

static enum cor_status read_locations(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_efsm *model = ((struct efsm__efsm_reader *)into)->model;
    COR_TRY(cor_json_expect_array(json, 1, COR_EFSM_ITEMS_MAX, error));
    model->location_names = cor_calloc(cor_json_size(json) + 1, sizeof *model->location_names);
    COR_TRY(cor_made(model->location_names, error));
    for (size_t i = 0; i < cor_json_size(json); i++) {
        const struct cor_json item = cor_json_at(json, i);
        COR_TRY(read_name(&item, model->location_names, model->location_count, "location",
                          &model->location_names[i], error));
        model->location_count++;
    }
    return COR_OK;
}

static enum cor_status read_initial(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_efsm *model = ((struct efsm__efsm_reader *)into)->model;
    return efsm__efsm_look_up(json, model->location_names, "location", &model->initial, error);
}

/* What result files say of a label that has truth values. */
static enum cor_status say_types(const struct cor_efsm *model, enum cor_efsm_kind kind,
                                 struct cor_efsm_label *label, struct cor_error *error) {
    bool any = false;
    for (uint32_t p = 0; p < label->parameter_count; p++)
        any = any || model->variables[label->parameters[p]].is_truth;
    if (!any)
        return COR_OK;
    label->types = cor_strdup(kind == COR_EFSM_PARAMETER ? "input" : "output");
    for (uint32_t p = 0; p < label->parameter_count; p++) {
        const char *type = model->variables[label->parameters[p]].is_truth ? "boolean" : "integer";
        label->types = cor_join_take(label->types, p == 0 ? ", of " : ", ", cor_strdup(type));
    }
    return cor_made(label->types, error);
}

/* Labels into *labels, their names into *names. */
static enum cor_status read_labels(const struct cor_json *json, const struct cor_efsm *model,
                                   enum cor_efsm_kind kind, struct cor_efsm_label **labels,
                                   const char ***names, uint32_t *count, struct cor_error *error) {
    static const char *const keys[] = {"label", "params", NULL};
    COR_TRY(cor_json_expect_array(json, 0, COR_EFSM_ITEMS_MAX, error));
    *labels = cor_calloc(cor_json_size(json), sizeof **labels);
    *names = cor_calloc(cor_json_size(json) + 1, sizeof **names);
    if (!*labels || !*names)
        return cor_fail_memory(error);
    for (size_t i = 0; i < cor_json_size(json); i++) {
        const struct cor_json item = cor_json_at(json, i);
        struct cor_efsm_label *label = &(*labels)[i];
        struct cor_json name, parameters;
        COR_TRY(cor_json_expect_object(&item, keys, error));
        COR_TRY(cor_json_need(&item, "label", &name, error));
        COR_TRY(read_name(&name, *names, *count, kind == COR_EFSM_PARAMETER ? "input" : "output",
                          &label->name, error));
        (*names)[(*count)++] = label->name;
        COR_TRY(cor_json_need(&item, "params", &parameters, error));
        COR_TRY(cor_json_expect_array(&parameters, 0, COR_EFSM_VARIABLES_MAX, error));
        label->parameters = cor_calloc(cor_json_size(&parameters), sizeof *label->parameters);
        COR_TRY(cor_made(label->parameters, error));
        for (size_t j = 0; j < cor_json_size(&parameters); j++) {
            const struct cor_json child = cor_json_at(&parameters, j);
            uint32_t v;
            COR_TRY(efsm__efsm_look_up(&child, model->variable_names, "variable", &v, error));
            if (model->variables[v].kind != kind)
                return cor_json_fail(&child, error, NULL,
                                     "\"%s\" is of kind \"%s\", and a parameter here is of kind \"%s\"",
                                     model->variable_names[v], cor_efsm_kind_word(model->variables[v].kind),
                                     cor_efsm_kind_word(kind));
            for (uint32_t p = 0; p < label->parameter_count; p++)
                if (label->parameters[p] == v)
                    return cor_json_fail(&child, error, "name each once", "\"%s\" is there twice",
                                         model->variable_names[v]);
            label->parameters[label->parameter_count++] = v;
        }
        COR_TRY(say_types(model, kind, label, error));
    }
    return COR_OK;
}

static enum cor_status read_inputs(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_efsm *model = ((struct efsm__efsm_reader *)into)->model;
    return read_labels(json, model, COR_EFSM_PARAMETER, &model->inputs, &model->input_names,
                       &model->input_count, error);
}

static enum cor_status read_outputs(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_efsm *model = ((struct efsm__efsm_reader *)into)->model;
    return read_labels(json, model, COR_EFSM_OUTPUT, &model->outputs, &model->output_names,
                       &model->output_count, error);
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
            COR_TRY(efsm__efsm_expression(&child, model, names, efsm__efsm_wanted(model, it->parameters[j]),
                                          &output->arguments[j], error));
        }
    }
    return COR_OK;
}

static enum cor_status read_ends(const struct cor_json *json, const struct cor_efsm *model,
                                 struct cor_efsm_transition *t, struct cor_error *error) {
    struct cor_json member;
    COR_TRY(cor_json_need(json, "src", &member, error));
    COR_TRY(efsm__efsm_look_up(&member, model->location_names, "location", &t->source, error));
    COR_TRY(cor_json_need(json, "dst", &member, error));
    COR_TRY(efsm__efsm_look_up(&member, model->location_names, "location", &t->target, error));
    COR_TRY(cor_json_need(json, "input", &member, error));
    return efsm__efsm_look_up(&member, model->input_names, "input", &t->input, error);
}

static enum cor_status read_transitions(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_efsm *model = ((struct efsm__efsm_reader *)into)->model;
    COR_TRY(cor_json_expect_array(json, 1, COR_EFSM_ITEMS_MAX, error));
    model->transitions = cor_calloc(cor_json_size(json), sizeof *model->transitions);
    model->transition_names = cor_calloc(cor_json_size(json) + 1, sizeof *model->transition_names);
    if (!model->transitions || !model->transition_names)
        return cor_fail_memory(error);
    for (size_t i = 0; i < cor_json_size(json); i++) {
        const struct cor_json item = cor_json_at(json, i);
        static const char *const keys[] = {"id", "src", "dst", "input", "guard", "update", "outputs", NULL};
        const char *names[COR_EFSM_VARIABLES_MAX + 1];
        struct cor_efsm_transition *t = &model->transitions[model->transition_count];
        struct cor_json member;
        COR_TRY(cor_json_expect_object(&item, keys, error));
        COR_TRY(cor_json_need(&item, "id", &member, error));
        COR_TRY(read_name(&member, model->transition_names, model->transition_count, "transition", &t->id,
                          error));
        model->transition_names[model->transition_count++] = t->id;
        COR_TRY(read_ends(&item, model, t, error));
        efsm__efsm_readable(model, t->input, names);
        COR_TRY(cor_json_need(&item, "guard", &member, error));
        COR_TRY(efsm__efsm_expression(&member, model, names, EFSM__CONDITION, &t->guard, error));
        COR_TRY(cor_json_need(&item, "update", &member, error));
        COR_TRY(cor_json_expect_object(&member, NULL, error));
        t->updates = cor_calloc(cor_json_size(&member), sizeof *t->updates);
        COR_TRY(cor_made(t->updates, error));
        for (size_t j = 0; j < cor_json_size(&member); j++) {
            const struct cor_json child = cor_json_at(&member, j);
            uint32_t v = 0;
            while (v < model->variable_count && strcmp(model->variable_names[v], child.key) != 0)
                v++;
            if (v == model->variable_count || model->variables[v].kind != COR_EFSM_STATE)
                return cor_json_fail(&child, error,
                                     "an update assigns state variables; missing ones keep their value",
                                     "\"%s\" is no state variable", child.key);
            t->updates[t->update_count].variable = v;
            COR_TRY(efsm__efsm_expression(&child, model, names, efsm__efsm_wanted(model, v),
                                          &t->updates[t->update_count++].value, error));
        }
        COR_TRY(cor_json_need(&item, "outputs", &member, error));
        COR_TRY(read_answers(&member, model, names, t, error));
    }
    return COR_OK;
}

static enum cor_status read_provenance(const struct cor_json *json, void *into, struct cor_error *error) {
    static const char *const keys[] = {"status", "source", "notes", NULL};
    (void)into;
    return cor_json_expect_object(json, keys, error);
}

static const struct cor_field model_fields[] = {
    {"format", COR_REQUIRED, COR_READ_FIELD(read_format)},
    {"name", COR_REQUIRED, COR_READ_FIELD(read_model_name)},
    {"title", COR_OPTIONAL, COR_READ_FIELD(read_title)},
    {"provenance", COR_OPTIONAL, COR_READ_FIELD(read_provenance)},
    {"resets", COR_OPTIONAL, COR_READ_FIELD(read_resets)},
    {"vars", COR_REQUIRED, COR_READ_FIELD(read_variables)},
    {"locations", COR_REQUIRED, COR_READ_FIELD(read_locations)},
    {"initial", COR_REQUIRED, COR_READ_FIELD(read_initial)},
    {"inputs", COR_REQUIRED, COR_READ_FIELD(read_inputs)},
    {"outputs", COR_REQUIRED, COR_READ_FIELD(read_outputs)},
    {"transitions", COR_REQUIRED, COR_READ_FIELD(read_transitions)},
    {"goals", COR_OPTIONAL, COR_READ_FIELD(efsm__efsm_read_goals)},
    {0}};

/* Takes the document, whose reading gave `status`. */
static enum cor_status read_document_take(enum cor_status status, struct cor_json_document *document,
                                          struct cor_efsm **model, struct cor_error *error) {
    *model = NULL;
    COR_TRY(status);
    struct cor_efsm *made = cor_calloc(1, sizeof *made);
    if (!made) {
        cor_json_destroy(document);
        return cor_fail_memory(error);
    }
    made->document = document;
    made->title = "";
    struct efsm__efsm_reader reader = {.model = made};
    const struct cor_json root = cor_json_root(document);
    status = cor_json_expect_kind(&root, COR_KIND_EFSM, error);
    if (status == COR_OK)
        status = cor_json_fields(&root, model_fields, &reader, error);
    if (status != COR_OK)
        cor_efsm_destroy(made);
    else
        *model = made;
    return status;
}

enum cor_status cor_efsm_read(const char *path, struct cor_efsm **model, struct cor_error *error) {
    struct cor_json_document *document = NULL;
    enum cor_status status = cor_json_read(path, &document, error);
    return read_document_take(status, document, model, error);
}

enum cor_status cor_efsm_parse(const char *text, const char *name, struct cor_efsm **model,
                               struct cor_error *error) {
    struct cor_json_document *document = NULL;
    enum cor_status status = cor_json_parse(text, name, &document, error);
    return read_document_take(status, document, model, error);
}

enum cor_status cor_efsm_read_named(const struct cor_json *json, struct cor_efsm **model,
                                    struct cor_error *error) {
    enum cor_status status;
    char *text = NULL;
    *model = NULL;
    if (cor_json_is_string(json)) {
        const char *name;
        COR_TRY(cor_json_string(json, &name, error));
        char *path = cor_json_beside(json, name);
        COR_TRY(cor_made(path, error));
        status = cor_efsm_read(path, model, error);
        free(path);
        return status;
    }
    COR_TRY(cor_json_expect_object(json, NULL, error));
    COR_TRY(cor_made(text = cor_json_text(json), error));
    status = cor_efsm_parse(text, cor_json_name(json->document), model, error);
    free(text);
    return status;
}
