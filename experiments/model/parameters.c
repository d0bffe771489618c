/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading the laws of parameters: definitions, constraints, overrides, and the resolution of their names. */
#include "laws.h"

#include <corridor/array.h>

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define REAL_LIMIT 1e12
#define INTEGER_LIMIT INT64_C(1000000000000)

/* ---------------------------------------------------------------------------------------- life */

enum cor_status cor_parameter_laws_create(struct cor_parameter_laws **laws, struct cor_error *error) {
    *laws = cor_calloc(1, sizeof **laws);
    return *laws ? COR_OK : cor_fail_memory(error);
}

static void fini_definition(struct cor_definition *definition) {
    cor_expression_fini(&definition->low);
    cor_expression_fini(&definition->high);
    free(definition->place);
    free(definition->line);
    free(definition->low_text);
    free(definition->high_text);
}

static void fini_stages(struct cor_stages *stages) {
    for (size_t i = 0; i < stages->count; i++)
        fini_definition(&stages->definitions[i]);
    free(stages->definitions);
}

static void fini_override(struct cor_override *override) {
    free(override->text);
    free(override->place);
    free(override->name);
    free(override->line);
    cor_expression_fini(&override->value);
    *override = (struct cor_override){0};
}

void cor_parameter_laws_destroy(struct cor_parameter_laws *laws) {
    if (!laws)
        return;
    fini_stages(&laws->main);
    fini_stages(&laws->fallback);
    for (size_t i = 0; i < laws->variable_count; i++)
        free(laws->variables[i].name);
    for (size_t i = 0; i < laws->override_count; i++)
        fini_override(&laws->overrides[i]);
    for (size_t i = 0; i < laws->constraint_count; i++) {
        free(laws->constraints[i].text);
        free(laws->constraints[i].place);
        cor_expression_fini(&laws->constraints[i].expression);
    }
    free(laws->variables);
    free(laws->overrides);
    free(laws->constraints);
    free(laws->names);
    free(laws);
}

/* --------------------------------------------------------------------------------------- names */

static int find_variable(const struct cor_parameter_laws *laws, const char *name, size_t length) {
    for (size_t i = 0; i < laws->variable_count; i++)
        if (strlen(laws->variables[i].name) == length && strncmp(laws->variables[i].name, name, length) == 0)
            return (int)i;
    return -1;
}

static enum cor_status add_variable(struct cor_parameter_laws *laws, const char *name, size_t length,
                                    bool is_helper, uint32_t *index, struct cor_error *error) {
    enum cor_status status =
        COR_RESERVE(&laws->variables, &laws->variable_capacity, laws->variable_count + 1, error);
    if (status != COR_OK)
        return status;
    if (laws->variable_count == COR_VARIABLES_MAX)
        return cor_fail(error, COR_STATUS_INPUT, NULL, NULL, "there are more than %d parameters",
                        COR_VARIABLES_MAX);
    char *copy = cor_format("%.*s", (int)length, name);
    if (!copy)
        return cor_fail_memory(error);
    *index = (uint32_t)laws->variable_count;
    laws->variables[laws->variable_count++] = (struct cor_variable){.name = copy, .is_helper = is_helper};
    return COR_OK;
}

static bool is_name(const char *text, size_t length) {
    if (length == 0 || length > 40 || !(isalpha((unsigned char)text[0]) || text[0] == '_'))
        return false;
    for (size_t i = 0; i < length; i++)
        if (!isalnum((unsigned char)text[i]) && text[i] != '_')
            return false;
    return true;
}

/* A key split at its separators: "a", "a <= b" or "a + b + c". */
struct key {
    const char *name[COR_LAW_NAMES_MAX];
    size_t length[COR_LAW_NAMES_MAX];
    uint32_t count;
    char separator; /* 0, '<' or '+' */
};

static enum cor_status split_key(const struct cor_json *json, struct key *key, struct cor_error *error) {
    static const char remedy[] =
        "keys are \"a\", \"a <= b\" or \"a + b + c\"; names are letters, digits and _";
    const char *at = json->key;
    *key = (struct key){0};
    for (;;) {
        at += strspn(at, " ");
        size_t length = strcspn(at, " <+");
        if (!is_name(at, length) || key->count == COR_LAW_NAMES_MAX)
            return cor_json_fail(json, error, remedy, "\"%s\" names no parameter", json->key);
        key->name[key->count] = at;
        key->length[key->count++] = length;
        at += length;
        at += strspn(at, " ");
        if (*at == '\0')
            break;
        char separator = *at;
        bool fits = (separator == '+' || (separator == '<' && at[1] == '=')) &&
                    (key->separator == 0 || key->separator == separator);
        if (!fits)
            return cor_json_fail(json, error, remedy, "\"%s\" names no parameter", json->key);
        key->separator = separator;
        at += separator == '<' ? 2 : 1;
    }
    if (key->separator == '<' && key->count != 2)
        return cor_json_fail(json, error, remedy, "\"%s\": only two parameters can be sorted", json->key);
    return COR_OK;
}

/* --------------------------------------------------------------------------------- definitions */

/* A bound or value as text to be parsed when all names are known. */
static enum cor_status bound_text(const struct cor_json *json, char **text, struct cor_error *error) {
    if (cor_json_is_integer(json)) {
        int64_t value;
        enum cor_status status = cor_json_integer(json, -INTEGER_LIMIT, INTEGER_LIMIT, &value, error);
        if (status != COR_OK)
            return status;
        *text = cor_format("%lld", (long long)value);
    } else if (cor_json_is_string(json)) {
        const char *given;
        enum cor_status status = cor_json_string(json, &given, error);
        if (status != COR_OK)
            return status;
        *text = cor_strdup(given);
    } else {
        return cor_json_fail(json, error, "an integer, or an expression such as \"agents / 2\"",
                             "is no bound of an integer range");
    }
    return *text ? COR_OK : cor_fail_memory(error);
}

static bool is_real(const struct cor_json *json) {
    return cor_json_is_number(json) && !cor_json_is_integer(json);
}

static enum cor_status read_range(const struct cor_json *json, const struct key *key,
                                  struct cor_definition *d, struct cor_error *error) {
    enum cor_status status = cor_json_expect_array(json, 2, 2, error);
    if (status != COR_OK)
        return status;
    struct cor_json low = cor_json_at(json, 0), high = cor_json_at(json, 1);
    if (is_real(&low) || is_real(&high)) {
        if (key->separator != 0)
            return cor_json_fail(json, error, "give integer bounds", "only integers can be drawn sorted");
        d->kind = COR_LAW_REAL;
        status = cor_json_real(&low, -REAL_LIMIT, REAL_LIMIT, &d->real_low, error);
        return status == COR_OK ? cor_json_real(&high, d->real_low, REAL_LIMIT, &d->real_high, error)
                                : status;
    }
    d->kind = key->separator == '<' ? COR_LAW_PAIR : COR_LAW_UNIFORM;
    status = bound_text(&low, &d->low_text, error);
    return status == COR_OK ? bound_text(&high, &d->high_text, error) : status;
}

static enum cor_status read_law(const struct cor_json *json, const struct key *key, struct cor_definition *d,
                                struct cor_error *error) {
    if (key->separator == '+') {
        d->kind = COR_LAW_SIMPLEX;
        return cor_json_real(json, 0, REAL_LIMIT, &d->real_high, error);
    }
    if (cor_json_is_array(json))
        return read_range(json, key, d, error);
    if (key->separator == '<')
        return cor_json_fail(json, error, "give a range: [low, high]", "is no range");
    if (is_real(json)) {
        d->kind = COR_LAW_REAL;
        enum cor_status status = cor_json_real(json, -REAL_LIMIT, REAL_LIMIT, &d->real_low, error);
        d->real_high = d->real_low;
        return status;
    }
    d->kind = COR_LAW_VALUE;
    return bound_text(json, &d->low_text, error);
}

static enum cor_status keep_place(const struct cor_json *json, struct cor_definition *d,
                                  struct cor_error *error) {
    char place[512];
    cor_json_place(json, place, sizeof place);
    char *value = cor_json_text(json);
    d->place = cor_strdup(place);
    d->line = value ? cor_format("\"%s\": %s", json->key, value) : NULL;
    free(value);
    return d->place && d->line ? COR_OK : cor_fail_memory(error);
}

static bool same_variables(const struct cor_definition *a, const struct cor_definition *b) {
    return a->variable_count == b->variable_count &&
           memcmp(a->variable, b->variable, a->variable_count * sizeof *a->variable) == 0;
}

static struct cor_definition *definition_of(struct cor_stages *stages, uint32_t variable) {
    for (size_t i = 0; i < stages->count; i++)
        for (uint32_t v = 0; v < stages->definitions[i].variable_count; v++)
            if (stages->definitions[i].variable[v] == variable)
                return &stages->definitions[i];
    return NULL;
}

/* Puts a definition in place of one of the same variables, or behind the others. Takes over `d`. What stands
 * in stage `first` or later was defined in the same fragment. */
static enum cor_status place_take(struct cor_stages *stages, uint32_t first, const struct cor_json *json,
                                  struct cor_definition *d, struct cor_error *error) {
    for (uint32_t v = 0; v < d->variable_count; v++) {
        struct cor_definition *there = definition_of(stages, d->variable[v]);
        if (!there)
            continue;
        if (there->stage >= first)
            return cor_json_fail(json, error, "define each parameter once", "is defined already, as %s",
                                 there->line);
        if (!same_variables(there, d))
            return cor_json_fail(json, error, "redefine the same names together, or use \"set\"",
                                 "is defined already, as %s", there->line);
        d->stage = there->stage;
        fini_definition(there);
        *there = *d;
        *d = (struct cor_definition){0};
        return COR_OK;
    }
    enum cor_status status = COR_RESERVE(&stages->definitions, &stages->capacity, stages->count + 1, error);
    if (status == COR_OK) {
        stages->definitions[stages->count++] = *d;
        *d = (struct cor_definition){0};
    }
    return status;
}

static enum cor_status name_variables(struct cor_parameter_laws *laws, const struct key *key,
                                      bool is_fallback, struct cor_definition *d, struct cor_error *error) {
    for (uint32_t i = 0; i < key->count; i++) {
        int index = find_variable(laws, key->name[i], key->length[i]);
        enum cor_status status = COR_OK;
        if (index >= 0)
            d->variable[i] = (uint32_t)index;
        else
            status = add_variable(laws, key->name[i], key->length[i], is_fallback, &d->variable[i], error);
        if (status != COR_OK)
            return status;
    }
    d->variable_count = key->count;
    return COR_OK;
}

static enum cor_status read_definition(struct cor_parameter_laws *laws, struct cor_stages *stages,
                                       uint32_t first, const struct cor_json *json, struct cor_error *error) {
    struct cor_definition d = {.stage = stages->stage_count};
    struct key key;
    enum cor_status status = split_key(json, &key, error);
    if (status == COR_OK)
        status = read_law(json, &key, &d, error);
    if (status == COR_OK)
        status = keep_place(json, &d, error);
    if (status == COR_OK)
        status = name_variables(laws, &key, stages == &laws->fallback, &d, error);
    if (status == COR_OK)
        status = place_take(stages, first, json, &d, error);
    fini_definition(&d);
    return status;
}

static enum cor_status read_stage(struct cor_parameter_laws *laws, struct cor_stages *stages, uint32_t first,
                                  const struct cor_json *json, struct cor_error *error) {
    enum cor_status status = cor_json_expect_object(json, NULL, error);
    for (size_t i = 0; i < cor_json_size(json) && status == COR_OK; i++) {
        struct cor_json child = cor_json_at(json, i);
        status = read_definition(laws, stages, first, &child, error);
    }
    stages->stage_count++;
    return status;
}

static enum cor_status read_stages(struct cor_parameter_laws *laws, struct cor_stages *stages,
                                   const struct cor_json *json, struct cor_error *error) {
    uint32_t first = stages->stage_count;
    if (cor_json_is_object(json))
        return read_stage(laws, stages, first, json, error);
    enum cor_status status = cor_json_expect_array(json, 1, 64, error);
    for (size_t i = 0; i < cor_json_size(json) && status == COR_OK; i++) {
        struct cor_json child = cor_json_at(json, i);
        status = read_stage(laws, stages, first, &child, error);
    }
    return status;
}

enum cor_status cor_parameter_laws_add(struct cor_parameter_laws *laws, const struct cor_json *json,
                                       struct cor_error *error) {
    enum cor_status status = read_stages(laws, &laws->main, json, error);
    if (laws->model_stages == 0)
        laws->model_stages = laws->main.stage_count;
    return status;
}

void cor_parameter_laws_fall_back(struct cor_parameter_laws *laws, const struct cor_json *json) {
    laws->has_fallback = true;
    laws->fallback_json = *json;
}

enum cor_status cor_parameter_laws_default(struct cor_parameter_laws *laws, const char *name, bool is_integer,
                                           double value, struct cor_error *error) {
    int index = find_variable(laws, name, strlen(name));
    if (index >= 0 && definition_of(&laws->main, (uint32_t)index))
        return COR_OK;
    struct cor_definition d = {.kind = is_integer ? COR_LAW_VALUE : COR_LAW_REAL,
                               .variable_count = 1,
                               .real_low = value,
                               .real_high = value,
                               .stage = laws->main.stage_count};
    enum cor_status status =
        COR_RESERVE(&laws->main.definitions, &laws->main.capacity, laws->main.count + 1, error);
    if (status == COR_OK)
        status = add_variable(laws, name, strlen(name), false, &d.variable[0], error);
    if (status != COR_OK)
        return status;
    d.low_text = cor_format("%.0f", value);
    d.place = cor_format("default of %s", name);
    d.line = cor_format("\"%s\": %.10g", name, value);
    laws->main.definitions[laws->main.count++] = d;
    laws->main.stage_count++;
    return d.low_text && d.place && d.line ? COR_OK : cor_fail_memory(error);
}

/* ------------------------------------------------------------------------------------- constraints and
 * overrides */

enum cor_status cor_parameter_laws_constrain(struct cor_parameter_laws *laws, const struct cor_json *json,
                                             struct cor_error *error) {
    enum cor_status status = cor_json_expect_array(json, 0, 200, error);
    for (size_t i = 0; i < cor_json_size(json) && status == COR_OK; i++) {
        struct cor_json child = cor_json_at(json, i);
        const char *text;
        char place[512];
        status = cor_json_string(&child, &text, error);
        if (status == COR_OK)
            status = COR_RESERVE(&laws->constraints, &laws->constraint_capacity, laws->constraint_count + 1,
                                 error);
        if (status != COR_OK)
            break;
        cor_json_place(&child, place, sizeof place);
        struct cor_constraint *c = &laws->constraints[laws->constraint_count++];
        *c = (struct cor_constraint){.text = cor_strdup(text), .place = cor_strdup(place)};
        if (!c->text || !c->place)
            status = cor_fail_memory(error);
    }
    return status;
}

/* The override of that name, emptied, or a new one: who sets a name last has the last word. */
static enum cor_status place_override(struct cor_parameter_laws *laws, const char *name,
                                      struct cor_override **override, struct cor_error *error) {
    for (size_t i = 0; i < laws->override_count; i++)
        if (strcmp(laws->overrides[i].name, name) == 0) {
            *override = &laws->overrides[i];
            fini_override(*override);
            return COR_OK;
        }
    enum cor_status status =
        COR_RESERVE(&laws->overrides, &laws->override_capacity, laws->override_count + 1, error);
    if (status != COR_OK)
        return status;
    *override = &laws->overrides[laws->override_count++];
    **override = (struct cor_override){0};
    return COR_OK;
}

static enum cor_status read_override(struct cor_parameter_laws *laws, const struct cor_json *json,
                                     struct cor_error *error) {
    struct cor_override *o;
    char place[512];
    cor_json_place(json, place, sizeof place);
    enum cor_status status = place_override(laws, json->key, &o, error);
    if (status != COR_OK)
        return status;
    char *value = cor_json_text(json);
    o->name = cor_strdup(json->key);
    o->place = cor_strdup(place);
    o->line = value ? cor_format("set \"%s\": %s", json->key, value) : NULL;
    free(value);
    return o->name && o->place && o->line ? bound_text(json, &o->text, error) : cor_fail_memory(error);
}

enum cor_status cor_parameter_laws_set(struct cor_parameter_laws *laws, const struct cor_json *json,
                                       struct cor_error *error) {
    enum cor_status status = cor_json_expect_object(json, NULL, error);
    for (size_t i = 0; i < cor_json_size(json) && status == COR_OK; i++) {
        struct cor_json child = cor_json_at(json, i);
        status = read_override(laws, &child, error);
    }
    return status;
}

/* -------------------------------------------------------------------------------------- finish */

/* A definition that took the place of an earlier one stands in the earlier one's stage. */
static void order_stages(struct cor_stages *stages) {
    for (size_t i = 1; i < stages->count; i++) { /* insertion sort: stable, and the list is short */
        struct cor_definition held = stages->definitions[i];
        size_t at = i;
        for (; at > 0 && stages->definitions[at - 1].stage > held.stage; at--)
            stages->definitions[at] = stages->definitions[at - 1];
        stages->definitions[at] = held;
    }
}

static void describe_variables(struct cor_parameter_laws *laws, const struct cor_stages *stages) {
    for (size_t i = 0; i < stages->count; i++) {
        const struct cor_definition *d = &stages->definitions[i];
        for (uint32_t v = 0; v < d->variable_count; v++) {
            struct cor_variable *variable = &laws->variables[d->variable[v]];
            if (stages == &laws->fallback && !variable->is_helper)
                continue;
            variable->is_integer = d->kind != COR_LAW_REAL && d->kind != COR_LAW_SIMPLEX;
            variable->stage = d->stage;
            variable->definition = (uint32_t)i;
            variable->real_low = d->kind == COR_LAW_REAL ? d->real_low : 0;
            variable->real_high = d->real_high;
        }
    }
}

/* Names for expressions: `known` tells which variables may be used. */
static void make_names(const struct cor_parameter_laws *laws, const bool *known, const char **names) {
    for (size_t i = 0; i < laws->variable_count; i++)
        names[i] = laws->variables[i].is_integer && known[i] ? laws->variables[i].name : "";
    names[laws->variable_count] = NULL;
}

/* Complains about the first name that is a parameter but cannot be used here, so that it need not be called
 * unknown. */
static enum cor_status refuse_names(const struct cor_parameter_laws *laws, const bool *known,
                                    const char *text, const char *place, struct cor_error *error) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    for (const char *at = text + strcspn(text, letters); *at; at += strcspn(at, letters)) {
        size_t length = strspn(at, letters);
        int index = find_variable(laws, at, length);
        if (index >= 0 && known[index] && !laws->variables[index].is_integer)
            return cor_fail(error, COR_STATUS_INPUT, place,
                            "constraints, bounds and values that follow are over integers",
                            "column %zu of \"%s\": \"%s\" is a real parameter", (size_t)(at - text) + 1, text,
                            laws->variables[index].name);
        if (index >= 0 && !known[index])
            return cor_fail(error, COR_STATUS_INPUT, place, "define it earlier, or this later",
                            "column %zu of \"%s\": \"%s\" is not drawn yet", (size_t)(at - text) + 1, text,
                            laws->variables[index].name);
        at += length;
    }
    return COR_OK;
}

static enum cor_status parse(const struct cor_parameter_laws *laws, const bool *known, const char *text,
                             bool constraint, const char *place, struct cor_expression *expression,
                             struct cor_error *error) {
    const char *names[COR_VARIABLES_MAX + 1];
    enum cor_status status = refuse_names(laws, known, text, place, error);
    if (status != COR_OK)
        return status;
    make_names(laws, known, names);
    return cor_expression_parse(text, names, constraint, place, expression, error);
}

static enum cor_status parse_stages(struct cor_parameter_laws *laws, struct cor_stages *stages, bool *known,
                                    struct cor_error *error) {
    enum cor_status status = COR_OK;
    for (size_t i = 0; i < stages->count && status == COR_OK; i++) {
        struct cor_definition *d = &stages->definitions[i];
        if (d->low_text && d->kind != COR_LAW_REAL)
            status = parse(laws, known, d->low_text, false, d->place, &d->low, error);
        if (status == COR_OK && d->high_text)
            status = parse(laws, known, d->high_text, false, d->place, &d->high, error);
        for (uint32_t v = 0; v < d->variable_count; v++)
            known[d->variable[v]] = true;
    }
    return status;
}

static enum cor_status parse_overrides(struct cor_parameter_laws *laws, struct cor_error *error) {
    bool known[COR_VARIABLES_MAX];
    for (size_t i = 0; i < laws->override_count; i++) {
        struct cor_override *o = &laws->overrides[i];
        int index = cor_parameter_laws_find(laws, o->name);
        if (index < 0 || !laws->variables[index].is_integer)
            return cor_fail(error, COR_STATUS_INPUT, o->place,
                            "\"set\" gives drawn integer parameters another value",
                            "\"%s\" is no integer parameter", o->name);
        o->variable = (uint32_t)index;
        definition_of(&laws->main, o->variable)->overridden = true;
        for (size_t v = 0; v < laws->variable_count; v++)
            known[v] =
                !laws->variables[v].is_helper && laws->variables[v].stage <= laws->variables[index].stage;
        enum cor_status status = parse(laws, known, o->text, false, o->place, &o->value, error);
        if (status != COR_OK)
            return status;
    }
    return COR_OK;
}

static bool definition_reads(const struct cor_definition *d, uint32_t variable) {
    return cor_expression_reads(&d->low, variable) || cor_expression_reads(&d->high, variable);
}

/* An override comes after the whole stage is drawn. What else of the stage was computed from its variable
 * would keep the value from before. */
static enum cor_status check_overrides(const struct cor_parameter_laws *laws, struct cor_error *error) {
    for (size_t i = 0; i < laws->override_count; i++) {
        const struct cor_override *o = &laws->overrides[i];
        uint32_t stage = laws->variables[o->variable].stage;
        for (size_t d = 0; d < laws->main.count; d++)
            if (laws->main.definitions[d].stage == stage &&
                definition_reads(&laws->main.definitions[d], o->variable))
                return cor_fail(error, COR_STATUS_INPUT, o->place,
                                "move that definition into a later stage, or redefine the parameter instead",
                                "\"%s\" is used within its own stage: %s", o->name,
                                laws->main.definitions[d].line);
        for (size_t other = 0; other < laws->override_count; other++)
            if (laws->variables[laws->overrides[other].variable].stage == stage &&
                cor_expression_reads(&o->value, laws->overrides[other].variable))
                return cor_fail(error, COR_STATUS_INPUT, o->place, "say it without that parameter",
                                "\"%s\" is computed from \"%s\", which is set in the same stage", o->name,
                                laws->overrides[other].name);
    }
    return COR_OK;
}

static enum cor_status parse_constraints(struct cor_parameter_laws *laws, const bool *known,
                                         struct cor_error *error) {
    for (size_t i = 0; i < laws->constraint_count; i++) {
        struct cor_constraint *c = &laws->constraints[i];
        enum cor_status status = parse(laws, known, c->text, true, c->place, &c->expression, error);
        if (status != COR_OK)
            return status;
        for (uint32_t v = 0; v < laws->variable_count; v++)
            if (cor_expression_reads(&c->expression, v) && laws->variables[v].stage > c->stage)
                c->stage = laws->variables[v].stage;
        for (size_t d = 0; d < laws->fallback.count; d++)
            for (uint32_t v = 0; v < laws->fallback.definitions[d].variable_count; v++)
                if (cor_expression_reads(&c->expression, laws->fallback.definitions[d].variable[v]))
                    c->fallback_stage = laws->fallback.definitions[d].stage;
    }
    return COR_OK;
}

/* The fallback may use what is drawn before the stage it stands in for: the first of its parameters. Returns
 * that stage. */
static uint32_t known_before_fallback(const struct cor_parameter_laws *laws, bool *known) {
    uint32_t first = laws->model_stages;
    for (size_t i = 0; i < laws->fallback.count; i++)
        for (uint32_t v = 0; v < laws->fallback.definitions[i].variable_count; v++) {
            const struct cor_variable *variable = &laws->variables[laws->fallback.definitions[i].variable[v]];
            if (!variable->is_helper && variable->stage < first)
                first = variable->stage;
        }
    for (size_t v = 0; v < laws->variable_count; v++)
        known[v] = !laws->variables[v].is_helper && laws->variables[v].stage < first;
    return first;
}

/* The fallback stands in for all stages of the model from `first` on, so it must draw all their parameters.
 */
static enum cor_status check_fallback(struct cor_parameter_laws *laws, uint32_t first,
                                      struct cor_error *error) {
    for (uint32_t v = 0; v < laws->parameter_count; v++) {
        const struct cor_variable *variable = &laws->variables[v];
        bool needed = variable->stage >= first && variable->stage < laws->model_stages;
        if (laws->has_fallback && needed && !definition_of(&laws->fallback, v))
            return cor_json_fail(&laws->fallback_json, error,
                                 "the fallback stands in for all stages from the first that it redefines",
                                 "does not say how \"%s\" is drawn", variable->name);
    }
    return COR_OK;
}

/* Helpers are drawn in the ranges they are given: nothing is known beyond. */
static void widen_helpers(struct cor_parameter_laws *laws) {
    for (size_t v = laws->parameter_count; v < laws->variable_count; v++) {
        laws->variables[v].low = INT64_MIN;
        laws->variables[v].high = INT64_MAX;
    }
}

/* A range is drawn from with 32 bits. */
static enum cor_status check_widths(const struct cor_parameter_laws *laws, struct cor_error *error) {
    for (size_t i = 0; i < laws->main.count; i++) {
        const struct cor_definition *d = &laws->main.definitions[i];
        const struct cor_variable *variable = &laws->variables[d->variable[0]];
        bool drawn = d->kind == COR_LAW_UNIFORM || d->kind == COR_LAW_PAIR;
        if (drawn && !d->overridden && variable->high - variable->low >= UINT32_MAX - 1)
            return cor_fail(error, COR_STATUS_INPUT, d->place, "at most 4294967294 values",
                            "%s: the range may be too wide: %lld .. %lld", d->line, (long long)variable->low,
                            (long long)variable->high);
    }
    return COR_OK;
}

static enum cor_status read_fallback(struct cor_parameter_laws *laws, struct cor_error *error) {
    laws->parameter_count = (uint32_t)laws->variable_count; /* names from here on are helpers */
    if (!laws->has_fallback)
        return COR_OK;
    enum cor_status status = read_stages(laws, &laws->fallback, &laws->fallback_json, error);
    if (status == COR_OK)
        order_stages(&laws->fallback);
    return status;
}

static enum cor_status parse_all(struct cor_parameter_laws *laws, struct cor_error *error) {
    bool known[COR_VARIABLES_MAX] = {false};
    enum cor_status status = parse_stages(laws, &laws->main, known, error);
    if (status == COR_OK)
        status = parse_constraints(laws, known, error);
    if (status == COR_OK)
        status = parse_overrides(laws, error);
    if (status == COR_OK)
        status = check_overrides(laws, error);
    if (status == COR_OK)
        status = check_fallback(laws, known_before_fallback(laws, known), error);
    return status == COR_OK ? parse_stages(laws, &laws->fallback, known, error) : status;
}

enum cor_status cor_parameter_laws_finish(struct cor_parameter_laws *laws, struct cor_error *error) {
    order_stages(&laws->main);
    describe_variables(laws, &laws->main);
    enum cor_status status = read_fallback(laws, error);
    if (status != COR_OK)
        return status;
    describe_variables(laws, &laws->main); /* the array of variables may have moved */
    describe_variables(laws, &laws->fallback);
    status = parse_all(laws, error);
    laws->names = cor_calloc((size_t)laws->parameter_count + 1, sizeof *laws->names);
    if (status == COR_OK && !laws->names)
        status = cor_fail_memory(error);
    for (uint32_t i = 0; i < laws->parameter_count && status == COR_OK; i++)
        laws->names[i] = laws->variables[i].is_integer ? laws->variables[i].name : "";
    if (status == COR_OK)
        status = cor__laws_enclose(laws, error);
    widen_helpers(laws);
    return status == COR_OK ? check_widths(laws, error) : status;
}

/* ------------------------------------------------------------------------------------- queries */

uint32_t cor_parameter_laws_named(const struct cor_parameter_laws *laws) {
    return (uint32_t)laws->variable_count;
}

uint32_t cor_parameter_laws_size(const struct cor_parameter_laws *laws) {
    return laws->parameter_count;
}

uint32_t cor_parameter_laws_capacity(const struct cor_parameter_laws *laws) {
    return (uint32_t)laws->variable_count;
}

const char *cor_parameter_laws_name(const struct cor_parameter_laws *laws, uint32_t index) {
    return laws->variables[index].name;
}

bool cor_parameter_laws_is_integer(const struct cor_parameter_laws *laws, uint32_t index) {
    return laws->variables[index].is_integer;
}

int cor_parameter_laws_find(const struct cor_parameter_laws *laws, const char *name) {
    int index = find_variable(laws, name, strlen(name));
    return index >= 0 && (uint32_t)index < laws->parameter_count ? index : -1;
}

const char *const *cor_parameter_laws_names(const struct cor_parameter_laws *laws) {
    return laws->names;
}

const char *cor_parameter_laws_text(const struct cor_parameter_laws *laws, uint32_t index) {
    return laws->main.definitions[laws->variables[index].definition].line;
}

const char *cor_parameter_laws_place(const struct cor_parameter_laws *laws, uint32_t index) {
    return laws->main.definitions[laws->variables[index].definition].place;
}

void cor_parameter_laws_range(const struct cor_parameter_laws *laws, uint32_t index, double *low,
                              double *high) {
    const struct cor_variable *variable = &laws->variables[index];
    *low = variable->is_integer ? (double)variable->low : variable->real_low;
    *high = variable->is_integer ? (double)variable->high : variable->real_high;
}
