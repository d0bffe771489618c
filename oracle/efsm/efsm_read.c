/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Models from JSON. Members are read in the order of the table below, whatever their order in the file: what
 * is named is known before what names it. */
#include "reader.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

/* A name that is printable, not empty and none of the `count` before it. */
enum cor_status efsm__efsm_name(const struct cor_json *json, const char *const *names, uint32_t count,
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
    return efsm__efsm_name(json, NULL, 0, "model", &reader->model->name, error);
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

static enum cor_status read_variable(const struct cor_json *json, struct cor_efsm *model,
                                     struct cor_error *error) {
    struct cor_efsm_variable *variable = &model->variables[model->variable_count];
    struct cor_json name;
    COR_TRY(cor_json_need(json, "name", &name, error));
    COR_TRY(efsm__efsm_name(&name, model->variable_names, model->variable_count, "variable", &variable->name,
                            error));
    if (!is_identifier(variable->name))
        return cor_json_fail(&name, error,
                             "letters, digits and _, no digit first, and no word of the language",
                             "expressions cannot name \"%s\"", variable->name);
    model->variable_names[model->variable_count++] = variable->name;
    return efsm__read_variable(json, variable, error);
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
    }
    return efsm__gather_types(model, error);
}

/* What result files say of a label that has other values than integers. */
static enum cor_status say_types(const struct cor_efsm *model, enum cor_efsm_kind kind,
                                 struct cor_efsm_label *label, struct cor_error *error) {
    bool any = false;
    for (uint32_t p = 0; p < label->parameter_count; p++)
        any = any || model->variables[label->parameters[p]].type != COR_EFSM_INTEGER;
    if (!any)
        return COR_OK;
    label->types = cor_strdup(kind == COR_EFSM_PARAMETER ? "input" : "output");
    for (uint32_t p = 0; p < label->parameter_count; p++) {
        const char *type = model->variables[label->parameters[p]].type_text;
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
        COR_TRY(efsm__efsm_name(&name, *names, *count, kind == COR_EFSM_PARAMETER ? "input" : "output",
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
    {"locations", COR_REQUIRED, COR_READ_FIELD(efsm__efsm_read_locations)},
    {"initial", COR_REQUIRED, COR_READ_FIELD(efsm__efsm_read_initial)},
    {"inputs", COR_REQUIRED, COR_READ_FIELD(read_inputs)},
    {"outputs", COR_REQUIRED, COR_READ_FIELD(read_outputs)},
    {"transitions", COR_REQUIRED, COR_READ_FIELD(efsm__efsm_read_transitions)},
    {"groups", COR_OPTIONAL, COR_READ_FIELD(efsm__efsm_read_groups)},
    {"goals", COR_OPTIONAL, COR_READ_FIELD(efsm__efsm_read_goals)},
    {0}};

/* A document of parts becomes one of the whole, of the same name. */
static enum cor_status put_together(struct cor_json_document **document, bool is_part,
                                    struct cor_error *error) {
    struct cor_json_document *whole = NULL;
    const struct cor_json root = cor_json_root(*document);
    struct cor_json parts;
    char *text = NULL;
    if (!cor_json_find(&root, "parts", &parts))
        return COR_OK;
    if (is_part)
        return cor_json_fail(&parts, error, "name its parts in the model of the whole",
                             "a part has no parts of its own");
    COR_TRY(efsm__efsm_compose(&root, &text, error));
    const enum cor_status status = cor_json_parse(text, cor_json_name(*document), &whole, error);
    free(text);
    COR_TRY(status);
    cor_json_destroy(*document);
    *document = whole;
    return COR_OK;
}

/* Takes the document, whose reading gave `status`. */
static enum cor_status read_document_take(enum cor_status status, struct cor_json_document *document,
                                          bool is_part, struct cor_efsm **model, struct cor_error *error) {
    *model = NULL;
    COR_TRY(status);
    status = put_together(&document, is_part, error);
    if (status != COR_OK) {
        cor_json_destroy(document);
        return status;
    }
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
    free(reader.nests);
    if (status != COR_OK)
        cor_efsm_destroy(made);
    else
        *model = made;
    return status;
}

enum cor_status cor_efsm_read(const char *path, struct cor_efsm **model, struct cor_error *error) {
    struct cor_json_document *document = NULL;
    enum cor_status status = cor_json_read(path, &document, error);
    return read_document_take(status, document, false, model, error);
}

enum cor_status cor_efsm_parse(const char *text, const char *name, struct cor_efsm **model,
                               struct cor_error *error) {
    struct cor_json_document *document = NULL;
    enum cor_status status = cor_json_parse(text, name, &document, error);
    return read_document_take(status, document, false, model, error);
}

/* The name of a file beside, or the model itself. */
static enum cor_status read_named(const struct cor_json *json, bool is_part, struct cor_efsm **model,
                                  struct cor_error *error) {
    struct cor_json_document *document = NULL;
    enum cor_status status;
    char *text = NULL;
    *model = NULL;
    if (cor_json_is_string(json)) {
        const char *name;
        COR_TRY(cor_json_string(json, &name, error));
        COR_TRY(cor_made(text = cor_json_beside(json, name), error));
        status = cor_json_read(text, &document, error);
    } else {
        COR_TRY(cor_json_expect_object(json, NULL, error));
        COR_TRY(cor_made(text = cor_json_text(json), error));
        status = cor_json_parse(text, cor_json_name(json->document), &document, error);
    }
    free(text);
    return read_document_take(status, document, is_part, model, error);
}

enum cor_status cor_efsm_read_named(const struct cor_json *json, struct cor_efsm **model,
                                    struct cor_error *error) {
    return read_named(json, false, model, error);
}

enum cor_status efsm__efsm_read_part(const struct cor_json *json, struct cor_efsm **model,
                                     struct cor_error *error) {
    return read_named(json, true, model, error);
}

enum cor_status cor_efsm_flat_text(const struct cor_efsm *model, char **text, struct cor_error *error) {
    struct cor_json_writer *writer;
    const struct cor_json root = cor_json_root(model->document);
    COR_TRY(cor_json_writer_create(&writer, error));
    cor_json_put_value(writer, NULL, &root);
    return cor_json_text_take(writer, 1, text, error);
}
