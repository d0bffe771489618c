/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a model means: what is enabled, and where it leads. */
#include "reader.h"

#include <corridor/array.h>
#include <corridor/json_names.h>

#include <stdlib.h>
#include <string.h>

COR_WORDS(cor_efsm_kind_word, enum cor_efsm_kind, "state", "param", "out")

static void free_label(struct cor_efsm_label *label) {
    COR_FREE(label->parameters, label->types);
}

static void free_transition(const struct cor_efsm *model, struct cor_efsm_transition *t) {
    cor_expression_fini(&t->guard);
    for (uint32_t u = 0; u < t->update_count; u++)
        cor_expression_fini(&t->updates[u].value);
    for (uint32_t o = 0; o < t->output_count; o++) {
        const struct cor_efsm_label *label = &model->outputs[t->outputs[o].label];
        for (uint32_t a = 0; t->outputs[o].arguments && a < label->parameter_count; a++)
            cor_expression_fini(&t->outputs[o].arguments[a]);
        free(t->outputs[o].arguments);
    }
    COR_FREE(t->updates, t->outputs);
}

void cor_efsm_destroy(struct cor_efsm *model) {
    if (!model)
        return;
    for (uint32_t t = 0; t < model->transition_count; t++)
        free_transition(model, &model->transitions[t]);
    for (uint32_t i = 0; i < model->input_count; i++)
        free_label(&model->inputs[i]);
    for (uint32_t o = 0; o < model->output_count; o++)
        free_label(&model->outputs[o]);
    for (uint32_t g = 0; g < model->goal_count; g++)
        cor_efsm_goal_fini(&model->goals[g]);
    for (uint32_t v = 0; v < model->variable_count; v++)
        efsm__variable_fini(&model->variables[v]);
    COR_FREE(model->variables, (void *)(uintptr_t)model->naming.truths,
             (void *)(uintptr_t)model->naming.words, model->inputs, model->outputs, model->transitions);
    for (uint32_t g = 0; g < model->group_count; g++)
        free(model->groups[g].transitions);
    free(model->groups);
    for (uint32_t i = 0; i < model->text_count; i++)
        free(model->texts[i]);
    COR_FREE(model->texts, model->goals, model->variable_names, model->location_names, model->input_names,
             model->output_names, model->transition_names);
    cor_json_destroy(model->document);
    free(model);
}

void cor_efsm_start(const struct cor_efsm *model, int64_t *values) {
    for (uint32_t v = 0; v < model->variable_count; v++)
        values[v] = model->variables[v].kind == COR_EFSM_STATE ? model->variables[v].initial
                                                               : model->variables[v].low;
}

/* The value of an expression that cannot be undefined. */
static int64_t value_of(const struct cor_expression *expression, const int64_t *values) {
    int64_t value = 0;
    bool defined = cor_expression_value(expression, values, &value);
    COR_ASSERT(defined);
    return value;
}

static bool within(const struct cor_efsm_variable *variable, int64_t value) {
    return value >= variable->low && value <= variable->high;
}

static bool outputs_are_within(const struct cor_efsm *model, const struct cor_efsm_transition *t,
                               const int64_t *values) {
    for (uint32_t o = 0; o < t->output_count; o++) {
        const struct cor_efsm_label *label = &model->outputs[t->outputs[o].label];
        for (uint32_t a = 0; a < label->parameter_count; a++)
            if (!within(&model->variables[label->parameters[a]],
                        value_of(&t->outputs[o].arguments[a], values)))
                return false;
    }
    return true;
}

bool cor_efsm_enabled(const struct cor_efsm *model, uint32_t transition, const int64_t *values) {
    const struct cor_efsm_transition *t = &model->transitions[transition];
    if (!cor_expression_holds(&t->guard, values))
        return false;
    for (uint32_t u = 0; u < t->update_count; u++)
        if (!within(&model->variables[t->updates[u].variable], value_of(&t->updates[u].value, values)))
            return false;
    return outputs_are_within(model, t, values);
}

bool cor_efsm_step(const struct cor_efsm *model, uint32_t transition, const int64_t *values, int64_t *next) {
    const struct cor_efsm_transition *t = &model->transitions[transition];
    if (!cor_expression_holds(&t->guard, values) || !outputs_are_within(model, t, values))
        return false;
    memcpy(next, values, model->variable_count * sizeof *next);
    for (uint32_t u = 0; u < t->update_count; u++) {
        const uint32_t v = t->updates[u].variable;
        next[v] = value_of(&t->updates[u].value, values);
        if (!within(&model->variables[v], next[v]))
            return false;
    }
    return true;
}

int64_t cor_efsm_argument(const struct cor_efsm *model, uint32_t transition, uint32_t output,
                          uint32_t argument, const int64_t *values) {
    return value_of(&model->transitions[transition].outputs[output].arguments[argument], values);
}

bool cor_efsm_hits(const struct cor_efsm *model, const struct cor_efsm_trap *trap, uint32_t transition,
                   const int64_t *values) {
    (void)model;
    bool named = false;
    for (uint32_t i = 0; i < trap->transition_count; i++)
        named = named || trap->transitions[i] == transition;
    return named && (trap->constraint.node_count == 0 || cor_expression_holds(&trap->constraint, values));
}

bool cor_efsm_hits_behind(const struct cor_efsm *model, const struct cor_efsm_trap *trap, uint32_t transition,
                          uint32_t last, const int64_t *values) {
    return (trap->previous == COR_NONE || trap->previous == last) &&
           cor_efsm_hits(model, trap, transition, values);
}

void cor_efsm_put_input(const struct cor_efsm *model, uint32_t input, const int64_t *values, int64_t *all) {
    const struct cor_efsm_label *label = &model->inputs[input];
    for (uint32_t p = 0; p < label->parameter_count; p++)
        all[label->parameters[p]] = values[label->parameters[p]];
}

uint32_t cor_efsm_find_enabled(const struct cor_efsm *model, uint32_t location, uint32_t input,
                               const int64_t *values, uint32_t *transitions) {
    uint32_t count = 0;
    for (uint32_t t = 0; t < model->transition_count; t++)
        if (model->transitions[t].source == location && model->transitions[t].input == input &&
            cor_efsm_enabled(model, t, values))
            transitions[count++] = t;
    return count;
}

void cor_efsm_first_values(const struct cor_efsm *model, const uint32_t *variables, uint32_t count,
                           int64_t *values) {
    for (uint32_t i = 0; i < count; i++)
        values[variables[i]] = model->variables[variables[i]].low;
}

bool cor_efsm_next_values(const struct cor_efsm *model, const uint32_t *variables, uint32_t count,
                          int64_t *values) {
    for (uint32_t i = count; i-- > 0;) {
        const struct cor_efsm_variable *variable = &model->variables[variables[i]];
        if (values[variables[i]]++ < variable->high)
            return true;
        values[variables[i]] = variable->low;
    }
    return false;
}

uint64_t cor_efsm_domain_size(const struct cor_efsm *model, const uint32_t *variables, uint32_t count) {
    uint64_t size = 1;
    for (uint32_t i = 0; i < count; i++) {
        const struct cor_efsm_variable *variable = &model->variables[variables[i]];
        if (__builtin_mul_overflow(size, (uint64_t)(variable->high - variable->low) + 1, &size))
            return UINT64_MAX;
    }
    return size;
}

static uint64_t read_by(const struct cor_efsm *model, const struct cor_expression *expression) {
    uint64_t bits = 0;
    for (uint32_t v = 0; v < model->variable_count; v++)
        if (cor_expression_reads(expression, v))
            bits |= UINT64_C(1) << v;
    return bits;
}

uint64_t cor_efsm_reads(const struct cor_efsm *model, uint32_t transition) {
    const struct cor_efsm_transition *t = &model->transitions[transition];
    uint64_t bits = read_by(model, &t->guard);
    for (uint32_t u = 0; u < t->update_count; u++)
        bits |= read_by(model, &t->updates[u].value);
    for (uint32_t o = 0; o < t->output_count; o++)
        for (uint32_t a = 0; a < model->outputs[t->outputs[o].label].parameter_count; a++)
            bits |= read_by(model, &t->outputs[o].arguments[a]);
    return bits;
}

void cor_efsm_goal_fini(struct cor_efsm_goal *goal) {
    for (uint32_t i = 0; i < goal->trap_count + goal->way_count; i++) {
        struct cor_efsm_trap *trap = &goal->traps[i];
        COR_FREE(trap->id, trap->transitions, trap->after, trap->denied);
        cor_expression_fini(&trap->constraint);
    }
    COR_FREE(goal->traps, goal->name);
    *goal = (struct cor_efsm_goal){0};
}

/* ---- models from JSON. Members are read in the order of the table below, whatever their order in the file:
 * what is named is known before what names it */

static enum cor_status efsm_read_groups(const struct cor_json *json, void *into,
                                        struct cor_error *error) COR_MUST_USE;
static enum cor_status efsm_read_transitions(const struct cor_json *json, void *into,
                                             struct cor_error *error) COR_MUST_USE;
static enum cor_status efsm_read_initial(const struct cor_json *json, void *into,
                                         struct cor_error *error) COR_MUST_USE;
static enum cor_status efsm_read_locations(const struct cor_json *json, void *into,
                                           struct cor_error *error) COR_MUST_USE;

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

static enum cor_status read_variables(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_efsm *model = ((struct efsm__efsm_reader *)into)->model;
    COR_TRY(cor_json_expect_array(json, 0, COR_EFSM_VARIABLES_MAX, error));
    model->variables = cor_calloc(cor_json_size(json), sizeof *model->variables);
    model->variable_names = cor_calloc(cor_json_size(json) + 1, sizeof *model->variable_names);
    if (!model->variables || !model->variable_names)
        return cor_fail_memory(error);
    COR_JSON_CHILDREN(item, json) {
        struct cor_efsm_variable *variable = &model->variables[model->variable_count];
        struct cor_json name;
        COR_TRY(cor_json_need(&item, "name", &name, error));
        COR_TRY(efsm__efsm_name(&name, model->variable_names, model->variable_count, "variable",
                                &variable->name, error));
        if (!is_identifier(variable->name))
            return cor_json_fail(&name, error,
                                 "letters, digits and _, no digit first, and no word of the language",
                                 "expressions cannot name \"%s\"", variable->name);
        model->variable_names[model->variable_count++] = variable->name;
        COR_TRY(efsm__read_variable(&item, variable, error));
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
    COR_JSON_CHILDREN(item, json) {
        struct cor_efsm_label *label = &(*labels)[item.index];
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
        COR_JSON_CHILDREN(child, &parameters) {
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

static const struct cor_field provenance_fields[] = {{"status", COR_OPTIONAL, COR_KNOWN_FIELD},
                                                     {"source", COR_OPTIONAL, COR_KNOWN_FIELD},
                                                     {"notes", COR_OPTIONAL, COR_KNOWN_FIELD},
                                                     {0}};
static const struct cor_field own_fields[] = {
    {"title", COR_OPTIONAL, COR_STRING_FIELD(struct cor_efsm, title)},
    {"provenance", COR_OPTIONAL, COR_WITHIN_FIELD(provenance_fields)},
    {"resets", COR_OPTIONAL, COR_INTEGER_FIELD(struct cor_efsm, resets, 0, COR_EFSM_RESETS_MAX)},
    {0}};
static const struct cor_field model_fields[] = {
    {"format", COR_REQUIRED, COR_READ_FIELD(read_format)},
    {"name", COR_REQUIRED, COR_READ_FIELD(read_model_name)},
    COR_ROWS_THROUGH(struct efsm__efsm_reader, model, own_fields),
    {"vars", COR_REQUIRED, COR_READ_FIELD(read_variables)},
    {"locations", COR_REQUIRED, COR_READ_FIELD(efsm_read_locations)},
    {"initial", COR_REQUIRED, COR_READ_FIELD(efsm_read_initial)},
    {"inputs", COR_REQUIRED, COR_READ_FIELD(read_inputs)},
    {"outputs", COR_REQUIRED, COR_READ_FIELD(read_outputs)},
    {"transitions", COR_REQUIRED, COR_READ_FIELD(efsm_read_transitions)},
    {"groups", COR_OPTIONAL, COR_READ_FIELD(efsm_read_groups)},
    {"goals", COR_OPTIONAL, COR_READ_FIELD(efsm__efsm_read_goals)},
    {0}};

/* A document of parts becomes one of the whole, of the same name. */
static enum cor_status put_together(struct cor_json_document **document, bool is_part,
                                    struct cor_error *error) {
    struct cor_json_document *whole = NULL;
    const struct cor_json root = cor_json_root(*document);
    struct cor_json parts;
    COR_FREED char *text = NULL;
    if (!cor_json_find(&root, "parts", &parts))
        return COR_OK;
    if (is_part)
        return cor_json_fail(&parts, error, "name its parts in the model of the whole",
                             "a part has no parts of its own");
    COR_TRY(efsm__efsm_compose(&root, &text, error));
    COR_TRY(cor_json_parse(text, cor_json_name(*document), &whole, error));
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
    *model = NULL;
    const enum cor_status status = cor_json_read_whole(json, &document, error);
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

/* ---- what the readers of models and of goals share: names and expressions */

enum cor_status efsm__efsm_look_up(const struct cor_json *json, const char *const *names, const char *what,
                                   uint32_t *index, struct cor_error *error) {
    return cor_json_one_name(json, COR_WORD_NAMES(names, SIZE_MAX), what, index, error);
}

/* Gives a text to the model, which frees it. */
static enum cor_status efsm_keep_take(struct cor_efsm *model, char *text, struct cor_error *error) {
    size_t room = model->text_count;
    enum cor_status status =
        text ? COR_RESERVE(&model->texts, &room, model->text_count + 1, error) : cor_fail_memory(error);
    if (status == COR_OK)
        model->texts[model->text_count++] = text;
    else
        free(text);
    return status;
}

void efsm__efsm_readable(const struct cor_efsm *model, uint32_t input, const char **names) {
    for (uint32_t v = 0; v < model->variable_count; v++)
        names[v] = model->variables[v].kind == COR_EFSM_STATE ? model->variable_names[v] : "";
    for (uint32_t p = 0; p < model->inputs[input].parameter_count; p++) {
        const uint32_t v = model->inputs[input].parameters[p];
        names[v] = model->variable_names[v];
    }
    names[model->variable_count] = NULL;
}

enum cor_status efsm__efsm_expression(const struct cor_json *json, const struct cor_efsm *model,
                                      const char *const *names, uint32_t wanted,
                                      struct cor_expression *expression, struct cor_error *error) {
    const char *text;
    bool truth;
    if (wanted != EFSM__CONDITION && model->variables[wanted].type == COR_EFSM_BOOLEAN &&
        !cor_json_is_string(json)) { /* true, without quotes */
        COR_TRY(cor_json_bool(json, &truth, error));
        text = truth ? "true" : "false";
    } else {
        COR_TRY(cor_json_string(json, &text, error));
    }
    return efsm__efsm_expression_text(json, text, model, names, wanted, expression, error);
}

enum cor_status efsm__efsm_expression_text(const struct cor_json *json, const char *text,
                                           const struct cor_efsm *model, const char *const *names,
                                           uint32_t wanted, struct cor_expression *expression,
                                           struct cor_error *error) {
    char place[512];
    cor_json_place(json, place, sizeof place);
    if (model->is_typed)
        COR_TRY(efsm__parse_typed(text, model, names, wanted, place, expression, error));
    else
        COR_TRY(cor_expression_parse(text, names, wanted == EFSM__CONDITION, place, expression, error));
    /* Only constants divide, and 0 does not; no part leaves 64 bits whatever the values are. */
    struct cor_value_range ranges[COR_EXPRESSION_NODES_MAX];
    int64_t low[COR_EFSM_VARIABLES_MAX], high[COR_EFSM_VARIABLES_MAX];
    for (uint32_t v = 0; v < model->variable_count; v++) {
        low[v] = model->variables[v].low;
        high[v] = model->variables[v].high;
    }
    cor_expression_intervals(expression, low, high, ranges);
    for (uint32_t i = 0; i < expression->node_count; i++) {
        const struct cor_node *node = &expression->nodes[i], *right = &expression->nodes[node->right];
        const bool divides =
            node->operator== COR_OPERATOR_DIVIDE || node->operator== COR_OPERATOR_REMAINDER || node->
            operator== COR_OPERATOR_CEIL_DIVIDE;
        if (divides && (right->operator!= COR_OPERATOR_CONSTANT || right->constant <= 0))
            return cor_json_fail(json, error, "divide by a positive constant",
                                 "\"%s\" divides by something else than a positive constant",
                                 expression->text);
        if (ranges[i].low == INT64_MIN || ranges[i].high == INT64_MAX)
            return cor_json_fail(json, error, "narrow the domains of its variables",
                                 "\"%s\" can overflow 64 bits", expression->text);
    }
    return COR_OK;
}

/* ---- locations, which may have others in them, and the transitions between them */

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
    COR_TRY(efsm_keep_take(model, whole, error));
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
    COR_JSON_CHILDREN(item, &inner)
        COR_TRY(read_location(&item, reader, whole, error));
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

/* The members of these names. */
static enum cor_status efsm_read_locations(const struct cor_json *json, void *into, struct cor_error *error) {
    COR_TRY(cor_json_expect_array(json, 1, COR_EFSM_ITEMS_MAX, error));
    COR_JSON_CHILDREN(item, json)
        COR_TRY(read_location(&item, into, NULL, error));
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

static enum cor_status efsm_read_initial(const struct cor_json *json, void *into, struct cor_error *error) {
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
    COR_TRY(cor_made(t->outputs = cor_calloc(cor_json_size(json), sizeof *t->outputs), error));
    COR_JSON_CHILDREN(item, json) {
        struct cor_json label, arguments;
        struct cor_efsm_output *output = &t->outputs[item.index];
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
    COR_TRY(cor_json_expect_object(&member, NULL, error));
    COR_TRY(cor_made(t->updates = cor_calloc(cor_json_size(&member), sizeof *t->updates), error));
    COR_JSON_CHILDREN(child, &member) {
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
    COR_TRY(cor_json_need(json, "outputs", &member, error));
    return read_answers(&member, model, names, t, error);
}

/* The copies of a transition from several locations, each by its own name, and all by that of the file. */
static enum cor_status read_copies(const struct cor_json *json, struct cor_efsm *model,
                                   const struct efsm__nest *source, uint32_t target, const char *id,
                                   struct cor_error *error) {
    struct cor_efsm_group *group = &model->groups[model->group_count];
    COR_TRY(cor_made(group->transitions = cor_calloc(source->count, sizeof *group->transitions), error));
    group->name = id;
    model->group_count++;
    for (uint32_t l = source->first; l < source->first + source->count; l++) {
        char *name = cor_format("%s@%s", id, model->location_names[l]);
        COR_TRY(efsm_keep_take(model, name, error));
        group->transitions[group->transition_count++] = model->transition_count;
        COR_TRY(read_transition(json, model, l, target, name, error));
    }
    return COR_OK;
}

/* How many transitions the model has when each leaves one location. */
static size_t count_copies(const struct cor_json *json, const struct efsm__efsm_reader *reader) {
    size_t all = cor_json_size(json);
    COR_JSON_CHILDREN(item, json) {
        struct cor_json source;
        const char *name;
        if (!cor_json_find(&item, "src", &source) || cor_json_string(&source, &name, NULL) != COR_OK)
            continue;
        for (uint32_t n = 0; n < reader->nest_count; n++)
            all += strcmp(reader->nests[n].name, name) == 0 ? reader->nests[n].count - 1 : 0;
    }
    return all;
}

static enum cor_status efsm_read_transitions(const struct cor_json *json, void *into,
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
    COR_JSON_CHILDREN(item, json) {
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
static enum cor_status efsm_read_groups(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_efsm *model = ((struct efsm__efsm_reader *)into)->model;
    COR_TRY(cor_json_expect_object(json, NULL, error));
    size_t room = model->group_count;
    COR_TRY(COR_RESERVE(&model->groups, &room, model->group_count + cor_json_size(json), error));
    COR_JSON_CHILDREN(item, json) {
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
        COR_JSON_CHILDREN(child, &item) {
            uint32_t *into_group = &group->transitions[group->transition_count];
            COR_TRY(efsm__efsm_look_up(&child, model->transition_names, "transition", into_group, error));
            group->transition_count++;
        }
    }
    return COR_OK;
}
