/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading the laws of parameters: definitions, constraints, overrides. */
#include "internal.h"

#include <corridor/array.h>

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define REAL_LIMIT 1e12
#define INTEGER_LIMIT INT64_C(1000000000000)

enum cor_status cor_parameter_laws_create(struct cor_parameter_laws **laws, struct cor_error *error) {
    *laws = cor_calloc(1, sizeof **laws);
    return cor_made(*laws, error);
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
    for (size_t i = laws->borrowed_constraints; i < laws->constraint_count; i++) {
        free(laws->constraints[i].text);
        free(laws->constraints[i].place);
        cor_expression_fini(&laws->constraints[i].expression);
    }
    free(laws->constraints);
    interaction__laws_plan_fini(&laws->plan);
    if (laws->is_narrowed) {
        free(laws);
        return;
    }
    fini_stages(&laws->main);
    fini_stages(&laws->fallback);
    for (size_t i = 0; i < laws->variable_count; i++)
        free(laws->variables[i].name);
    for (size_t i = 0; i < laws->override_count; i++)
        fini_override(&laws->overrides[i]);
    free(laws->variables);
    free(laws->overrides);
    free(laws->names);
    free(laws);
}

int interaction__laws_variable(const struct cor_parameter_laws *laws, const char *name, size_t length) {
    for (size_t i = 0; i < laws->variable_count; i++)
        if (strlen(laws->variables[i].name) == length && strncmp(laws->variables[i].name, name, length) == 0)
            return (int)i;
    return -1;
}

static enum cor_status add_variable(struct cor_parameter_laws *laws, const char *name, size_t length,
                                    bool is_helper, uint32_t *index, struct cor_error *error) {
    COR_TRY(COR_RESERVE(&laws->variables, &laws->variable_capacity, laws->variable_count + 1, error));
    if (laws->variable_count == COR_VARIABLES_MAX)
        return cor_fail(error, COR_STATUS_INPUT, NULL, NULL, "there are more than %d parameters",
                        COR_VARIABLES_MAX);
    char *copy = cor_format("%.*s", (int)length, name);
    COR_TRY(cor_made(copy, error));
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

/* A bound or value as text to be parsed when all names are known. */
static enum cor_status bound_text(const struct cor_json *json, char **text, struct cor_error *error) {
    if (cor_json_is_integer(json)) {
        int64_t value;
        COR_TRY(cor_json_integer(json, -INTEGER_LIMIT, INTEGER_LIMIT, &value, error));
        *text = cor_format("%lld", (long long)value);
    } else if (cor_json_is_string(json)) {
        const char *given;
        COR_TRY(cor_json_string(json, &given, error));
        *text = cor_strdup(given);
    } else {
        return cor_json_fail(json, error, "an integer, or an expression such as \"agents / 2\"",
                             "is no bound of an integer range");
    }
    return cor_made(*text, error);
}

static bool is_real(const struct cor_json *json) {
    return cor_json_is_number(json) && !cor_json_is_integer(json);
}

static enum cor_status read_law(const struct cor_json *json, const struct key *key, struct cor_definition *d,
                                struct cor_error *error) {
    if (key->separator == '+') {
        d->kind = COR_LAW_SIMPLEX;
        return cor_json_real(json, 0, REAL_LIMIT, &d->real_high, error);
    }
    if (cor_json_is_array(json)) {
        COR_TRY(cor_json_expect_array(json, 2, 2, error));
        struct cor_json low = cor_json_at(json, 0), high = cor_json_at(json, 1);
        if (is_real(&low) || is_real(&high)) {
            if (key->separator != 0)
                return cor_json_fail(json, error, "give integer bounds", "only integers can be drawn sorted");
            d->kind = COR_LAW_REAL;
            COR_TRY(cor_json_real(&low, -REAL_LIMIT, REAL_LIMIT, &d->real_low, error));
            return cor_json_real(&high, d->real_low, REAL_LIMIT, &d->real_high, error);
        }
        d->kind = key->separator == '<' ? COR_LAW_PAIR : COR_LAW_UNIFORM;
        COR_TRY(bound_text(&low, &d->low_text, error));
        return bound_text(&high, &d->high_text, error);
    }
    if (key->separator == '<')
        return cor_json_fail(json, error, "give a range: [low, high]", "is no range");
    if (is_real(json)) {
        d->kind = COR_LAW_REAL;
        COR_TRY(cor_json_real(json, -REAL_LIMIT, REAL_LIMIT, &d->real_low, error));
        d->real_high = d->real_low;
        return COR_OK;
    }
    d->kind = COR_LAW_VALUE;
    return bound_text(json, &d->low_text, error);
}

struct cor_definition *interaction__laws_definition(struct cor_stages *stages, uint32_t variable) {
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
        struct cor_definition *there = interaction__laws_definition(stages, d->variable[v]);
        if (!there)
            continue;
        if (there->stage >= first)
            return cor_json_fail(json, error, "define each parameter once", "is defined already, as %s",
                                 there->line);
        const bool same_variables =
            there->variable_count == d->variable_count &&
            memcmp(there->variable, d->variable, there->variable_count * sizeof *there->variable) == 0;
        if (!same_variables)
            return cor_json_fail(json, error, "redefine the same names together, or use \"set\"",
                                 "is defined already, as %s", there->line);
        d->stage = there->stage;
        fini_definition(there);
        *there = *d;
        *d = (struct cor_definition){0};
        return COR_OK;
    }
    COR_TRY(COR_RESERVE(&stages->definitions, &stages->capacity, stages->count + 1, error));
    stages->definitions[stages->count++] = *d;
    *d = (struct cor_definition){0};
    return COR_OK;
}

static enum cor_status read_definition(struct cor_parameter_laws *laws, struct cor_stages *stages,
                                       uint32_t first, const struct cor_json *json, struct cor_error *error) {
    struct cor_definition d = {.stage = stages->stage_count};
    struct key key;
    enum cor_status status = COR_OK;
    COR_TRY_OUT(split_key(json, &key, error));
    COR_TRY_OUT(read_law(json, &key, &d, error));
    char place[512];
    cor_json_place(json, place, sizeof place);
    char *value = cor_json_text(json);
    d.place = cor_strdup(place);
    d.line = value ? cor_format("\"%s\": %s", json->key, value) : NULL;
    free(value);
    if (!d.place || !d.line)
        COR_TRY_OUT(cor_fail_memory(error));
    const bool is_fallback = stages == &laws->fallback;
    for (uint32_t i = 0; i < key.count; i++) {
        int index = interaction__laws_variable(laws, key.name[i], key.length[i]);
        if (index >= 0)
            d.variable[i] = (uint32_t)index;
        else
            COR_TRY_OUT(add_variable(laws, key.name[i], key.length[i], is_fallback, &d.variable[i], error));
    }
    d.variable_count = key.count;
    COR_TRY_OUT(place_take(stages, first, json, &d, error));
out:
    fini_definition(&d);
    return status;
}

static enum cor_status read_stage(struct cor_parameter_laws *laws, struct cor_stages *stages, uint32_t first,
                                  const struct cor_json *json, struct cor_error *error) {
    COR_TRY(cor_json_expect_object(json, NULL, error));
    for (size_t i = 0; i < cor_json_size(json); i++) {
        struct cor_json child = cor_json_at(json, i);
        COR_TRY(read_definition(laws, stages, first, &child, error));
    }
    stages->stage_count++;
    return COR_OK;
}

enum cor_status interaction__laws_read_stages(struct cor_parameter_laws *laws, struct cor_stages *stages,
                                              const struct cor_json *json, struct cor_error *error) {
    uint32_t first = stages->stage_count;
    if (cor_json_is_object(json))
        return read_stage(laws, stages, first, json, error);
    COR_TRY(cor_json_expect_array(json, 1, 64, error));
    for (size_t i = 0; i < cor_json_size(json); i++) {
        struct cor_json child = cor_json_at(json, i);
        COR_TRY(read_stage(laws, stages, first, &child, error));
    }
    return COR_OK;
}

enum cor_status cor_parameter_laws_add(struct cor_parameter_laws *laws, const struct cor_json *json,
                                       struct cor_error *error) {
    COR_TRY(interaction__laws_read_stages(laws, &laws->main, json, error));
    if (laws->model_stages == 0)
        laws->model_stages = laws->main.stage_count;
    return COR_OK;
}

void cor_parameter_laws_fall_back(struct cor_parameter_laws *laws, const struct cor_json *json) {
    laws->has_fallback = true;
    laws->fallback_json = *json;
}

enum cor_status cor_parameter_laws_default(struct cor_parameter_laws *laws, const char *name, bool is_integer,
                                           double value, struct cor_error *error) {
    int index = interaction__laws_variable(laws, name, strlen(name));
    if (index >= 0 && interaction__laws_definition(&laws->main, (uint32_t)index))
        return COR_OK;
    struct cor_definition d = {.kind = is_integer ? COR_LAW_VALUE : COR_LAW_REAL,
                               .variable_count = 1,
                               .real_low = value,
                               .real_high = value,
                               .stage = laws->main.stage_count};
    COR_TRY(COR_RESERVE(&laws->main.definitions, &laws->main.capacity, laws->main.count + 1, error));
    COR_TRY(add_variable(laws, name, strlen(name), false, &d.variable[0], error));
    d.low_text = cor_format("%.0f", value);
    d.place = cor_format("default of %s", name);
    d.line = cor_format("\"%s\": %.10g", name, value);
    laws->main.definitions[laws->main.count++] = d;
    laws->main.stage_count++;
    return d.low_text && d.place && d.line ? COR_OK : cor_fail_memory(error);
}

static enum cor_status add_constraint(struct cor_parameter_laws *laws, const char *text, const char *place,
                                      bool is_declared, struct cor_error *error) {
    COR_TRY(COR_RESERVE(&laws->constraints, &laws->constraint_capacity, laws->constraint_count + 1, error));
    struct cor_constraint *c = &laws->constraints[laws->constraint_count++];
    *c = (struct cor_constraint){
        .text = cor_strdup(text), .place = cor_strdup(place), .is_declared = is_declared};
    return c->text && c->place ? COR_OK : cor_fail_memory(error);
}

enum cor_status cor_parameter_laws_declare(struct cor_parameter_laws *laws, const char *text,
                                           const char *place, struct cor_error *error) {
    return add_constraint(laws, text, place, true, error);
}

enum cor_status cor_parameter_laws_constrain(struct cor_parameter_laws *laws, const struct cor_json *json,
                                             struct cor_error *error) {
    COR_TRY(cor_json_expect_array(json, 0, 200, error));
    for (size_t i = 0; i < cor_json_size(json); i++) {
        struct cor_json child = cor_json_at(json, i);
        const char *text;
        char place[512];
        COR_TRY(cor_json_string(&child, &text, error));
        cor_json_place(&child, place, sizeof place);
        COR_TRY(add_constraint(laws, text, place, false, error));
    }
    return COR_OK;
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
    COR_TRY(COR_RESERVE(&laws->overrides, &laws->override_capacity, laws->override_count + 1, error));
    *override = &laws->overrides[laws->override_count++];
    **override = (struct cor_override){0};
    return COR_OK;
}

enum cor_status cor_parameter_laws_set(struct cor_parameter_laws *laws, const struct cor_json *json,
                                       struct cor_error *error) {
    COR_TRY(cor_json_expect_object(json, NULL, error));
    for (size_t i = 0; i < cor_json_size(json); i++) {
        struct cor_json child = cor_json_at(json, i);
        struct cor_override *o;
        char place[512];
        cor_json_place(&child, place, sizeof place);
        COR_TRY(place_override(laws, child.key, &o, error));
        char *value = cor_json_text(&child);
        o->name = cor_strdup(child.key);
        o->place = cor_strdup(place);
        o->line = value ? cor_format("set \"%s\": %s", child.key, value) : NULL;
        free(value);
        COR_TRY(o->name && o->place && o->line ? bound_text(&child, &o->text, error)
                                               : cor_fail_memory(error));
    }
    return COR_OK;
}

uint32_t cor_parameter_laws_size(const struct cor_parameter_laws *laws) {
    return laws->parameter_count;
}

uint32_t cor_parameter_laws_capacity(const struct cor_parameter_laws *laws) {
    return (uint32_t)laws->variable_count;
}

const char *cor_parameter_laws_name(const struct cor_parameter_laws *laws, uint32_t index) {
    COR_ASSERT(index < laws->parameter_count);
    return laws->variables[index].name;
}

bool cor_parameter_laws_is_integer(const struct cor_parameter_laws *laws, uint32_t index) {
    COR_ASSERT(index < laws->parameter_count);
    return laws->variables[index].is_integer;
}

int cor_parameter_laws_find(const struct cor_parameter_laws *laws, const char *name) {
    int index = interaction__laws_variable(laws, name, strlen(name));
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
    COR_ASSERT(index < laws->parameter_count);
    const struct cor_variable *variable = &laws->variables[index];
    *low = variable->is_integer ? (double)variable->low : variable->real_low;
    *high = variable->is_integer ? (double)variable->high : variable->real_high;
}
