/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Laws of parameters: definitions, constraints, overrides are read, and what drawing takes is found out
 * once. */
#include "internal.h"

#include <corridor/array.h>

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
static enum cor_status laws_plan(struct cor_parameter_laws *laws, struct cor_error *error) COR_MUST_USE;

#define REAL_LIMIT 1e12
#define INTEGER_LIMIT INT64_C(1000000000000)

enum cor_status cor_parameter_laws_create(struct cor_parameter_laws **laws, struct cor_error *error) {
    *laws = cor_calloc(1, sizeof **laws);
    return cor_made(*laws, error);
}

static void fini_definition(struct interaction__definition *definition) {
    cor_expression_fini(&definition->low);
    cor_expression_fini(&definition->high);
    COR_FREE(definition->place, definition->line, definition->low_text, definition->high_text);
}

static void fini_stages(struct cor_stages *stages) {
    for (size_t i = 0; i < stages->count; i++)
        fini_definition(&stages->definitions[i]);
    free(stages->definitions);
}

static void fini_override(struct cor_override *override) {
    COR_FREE(override->text, override->place, override->name, override->line);
    cor_expression_fini(&override->value);
    *override = (struct cor_override){0};
}

void cor_parameter_laws_destroy(struct cor_parameter_laws *laws) {
    if (!laws)
        return;
    for (size_t i = laws->borrowed_constraints; i < laws->constraint_count; i++) {
        COR_FREE(laws->constraints[i].text, laws->constraints[i].place);
        cor_expression_fini(&laws->constraints[i].expression);
    }
    free(laws->constraints);
    struct cor_plan *plan = &laws->plan;
    cor_routine_fini(&plan->routine);
    COR_FREE(plan->main.bounds, plan->main.stages, plan->fallback.bounds, plan->fallback.stages, plan->reals,
             plan->integer);
    *plan = (struct cor_plan){0};
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
    COR_FREE(laws->variables, laws->overrides, laws->names, laws);
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

static enum cor_status read_law(const struct cor_json *json, const struct key *key,
                                struct interaction__definition *d, struct cor_error *error) {
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
            return cor_json_range(json, -REAL_LIMIT, REAL_LIMIT, &d->real_low, &d->real_high, error);
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

/* The definition that draws a variable, NULL if none of these stages does. */
static struct interaction__definition *laws_definition(struct cor_stages *stages, uint32_t variable) {
    for (size_t i = 0; i < stages->count; i++)
        for (uint32_t v = 0; v < stages->definitions[i].variable_count; v++)
            if (stages->definitions[i].variable[v] == variable)
                return &stages->definitions[i];
    return NULL;
}

/* Puts a definition in place of one of the same variables, or behind the others. Takes over `d`. What stands
 * in stage `first` or later was defined in the same fragment. */
static enum cor_status place_take(struct cor_stages *stages, uint32_t first, const struct cor_json *json,
                                  struct interaction__definition *d, struct cor_error *error) {
    for (uint32_t v = 0; v < d->variable_count; v++) {
        struct interaction__definition *there = laws_definition(stages, d->variable[v]);
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
        *d = (struct interaction__definition){0};
        return COR_OK;
    }
    COR_TRY(COR_RESERVE(&stages->definitions, &stages->capacity, stages->count + 1, error));
    stages->definitions[stages->count++] = *d;
    *d = (struct interaction__definition){0};
    return COR_OK;
}

static enum cor_status read_definition(struct cor_parameter_laws *laws, struct cor_stages *stages,
                                       uint32_t first, const struct cor_json *json, struct cor_error *error) {
    struct interaction__definition d = {.stage = stages->stage_count};
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
    COR_JSON_CHILDREN(child, json)
        COR_TRY(read_definition(laws, stages, first, &child, error));
    stages->stage_count++;
    return COR_OK;
}

/* Reads a list of stages, or one stage, and appends it. */
static enum cor_status laws_read_stages(struct cor_parameter_laws *laws, struct cor_stages *stages,
                                        const struct cor_json *json, struct cor_error *error) {
    uint32_t first = stages->stage_count;
    if (cor_json_is_object(json))
        return read_stage(laws, stages, first, json, error);
    COR_TRY(cor_json_expect_array(json, 1, 64, error));
    COR_JSON_CHILDREN(child, json)
        COR_TRY(read_stage(laws, stages, first, &child, error));
    return COR_OK;
}

enum cor_status cor_parameter_laws_add(struct cor_parameter_laws *laws, const struct cor_json *json,
                                       struct cor_error *error) {
    COR_TRY(laws_read_stages(laws, &laws->main, json, error));
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
    if (index >= 0 && laws_definition(&laws->main, (uint32_t)index))
        return COR_OK;
    struct interaction__definition d = {.kind = is_integer ? COR_LAW_VALUE : COR_LAW_REAL,
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
    struct interaction__constraint *c = &laws->constraints[laws->constraint_count++];
    *c = (struct interaction__constraint){
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
    COR_JSON_CHILDREN(child, json) {
        const char *text;
        char place[512];
        COR_TRY(cor_json_string(&child, &text, error));
        cor_json_place(&child, place, sizeof place);
        COR_TRY(add_constraint(laws, text, place, false, error));
    }
    return COR_OK;
}

enum cor_status cor_parameter_laws_set(struct cor_parameter_laws *laws, const struct cor_json *json,
                                       struct cor_error *error) {
    COR_TRY(cor_json_expect_object(json, NULL, error));
    COR_JSON_CHILDREN(child, json) {
        struct cor_override *o;
        char place[512];
        cor_json_place(&child, place, sizeof place);
        /* The override of that name, emptied, or a new one: who sets a name last has the last word. */
        size_t at = 0;
        while (at < laws->override_count && strcmp(laws->overrides[at].name, child.key) != 0)
            at++;
        if (at < laws->override_count) {
            fini_override(&laws->overrides[at]);
        } else {
            COR_TRY(COR_RESERVE(&laws->overrides, &laws->override_capacity, at + 1, error));
            laws->overrides[laws->override_count++] = (struct cor_override){0};
        }
        o = &laws->overrides[at];
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

/* ---- laws of parameters, once everything is read: names are resolved, and what contradicts itself is
 * refused */

/* A definition that took the place of an earlier one stands in the earlier one's stage. */
static void order_stages(struct cor_stages *stages) {
    for (size_t i = 1; i < stages->count; i++) { /* insertion sort: stable, and the list is short */
        struct interaction__definition held = stages->definitions[i];
        size_t at = i;
        for (; at > 0 && stages->definitions[at - 1].stage > held.stage; at--)
            stages->definitions[at] = stages->definitions[at - 1];
        stages->definitions[at] = held;
    }
}

static void describe_variables(struct cor_parameter_laws *laws, const struct cor_stages *stages) {
    for (size_t i = 0; i < stages->count; i++) {
        const struct interaction__definition *d = &stages->definitions[i];
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

static enum cor_status parse(const struct cor_parameter_laws *laws, const bool *known, const char *text,
                             bool constraint, const char *place, struct cor_expression *expression,
                             struct cor_error *error) {
    const char *names[COR_VARIABLES_MAX + 1];
    /* Complains about the first name that is a parameter but cannot be used here, so that it need not be
     * called unknown. */
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    for (const char *at = text + strcspn(text, letters); *at; at += strcspn(at, letters)) {
        size_t length = strspn(at, letters);
        int index = interaction__laws_variable(laws, at, length);
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
    /* Names for expressions: `known` tells which variables may be used. */
    for (size_t i = 0; i < laws->variable_count; i++)
        names[i] = laws->variables[i].is_integer && known[i] ? laws->variables[i].name : "";
    names[laws->variable_count] = NULL;
    return cor_expression_parse(text, names, constraint, place, expression, error);
}

static enum cor_status parse_stages(struct cor_parameter_laws *laws, struct cor_stages *stages, bool *known,
                                    struct cor_error *error) {
    for (size_t i = 0; i < stages->count; i++) {
        struct interaction__definition *d = &stages->definitions[i];
        if (d->low_text && d->kind != COR_LAW_REAL)
            COR_TRY(parse(laws, known, d->low_text, false, d->place, &d->low, error));
        if (d->high_text)
            COR_TRY(parse(laws, known, d->high_text, false, d->place, &d->high, error));
        for (uint32_t v = 0; v < d->variable_count; v++)
            known[d->variable[v]] = true;
    }
    return COR_OK;
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
        laws_definition(&laws->main, o->variable)->overridden = true;
        for (size_t v = 0; v < laws->variable_count; v++)
            known[v] =
                !laws->variables[v].is_helper && laws->variables[v].stage <= laws->variables[index].stage;
        COR_TRY(parse(laws, known, o->text, false, o->place, &o->value, error));
    }
    return COR_OK;
}

/* Does the text name a parameter that is drawn as a real number? */
static bool names_real(const struct cor_parameter_laws *laws, const char *text) {
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
    while (*(text += strcspn(text, letters))) {
        size_t length = strspn(text, letters);
        int index = interaction__laws_variable(laws, text, length);
        if (index >= 0 && !laws->variables[index].is_integer)
            return true;
        text += length;
    }
    return false;
}

/* Finds out at the ends of which stages a constraint is checked, which is parsed. */
static void laws_place_constraint(const struct cor_parameter_laws *laws, struct interaction__constraint *c) {
    for (uint32_t v = 0; v < laws->variable_count; v++)
        if (cor_expression_reads(&c->expression, v) && laws->variables[v].stage > c->stage)
            c->stage = laws->variables[v].stage;
    for (size_t d = 0; d < laws->fallback.count; d++)
        for (uint32_t v = 0; v < laws->fallback.definitions[d].variable_count; v++)
            if (cor_expression_reads(&c->expression, laws->fallback.definitions[d].variable[v]))
                c->fallback_stage = laws->fallback.definitions[d].stage;
}

static enum cor_status parse_all(struct cor_parameter_laws *laws, struct cor_error *error) {
    bool known[COR_VARIABLES_MAX] = {false};
    COR_TRY(parse_stages(laws, &laws->main, known, error));
    /* What an algorithm declares over real parameters is for people: what is drawn holds exactly. */
    size_t kept = 0;
    for (size_t i = 0; i < laws->constraint_count; i++) {
        struct interaction__constraint c = laws->constraints[i];
        if (!c.is_declared || !names_real(laws, c.text)) {
            laws->constraints[kept++] = c;
            continue;
        }
        COR_FREE(c.text, c.place);
    }
    laws->constraint_count = kept;
    for (size_t i = 0; i < laws->constraint_count; i++) {
        struct interaction__constraint *c = &laws->constraints[i];
        COR_TRY(parse(laws, known, c->text, true, c->place, &c->expression, error));
        laws_place_constraint(laws, c);
    }
    COR_TRY(parse_overrides(laws, error));
    /* An override comes after the whole stage is drawn. What else of the stage was computed from its variable
     * would keep the value from before. */
    for (size_t j = 0; j < laws->override_count; j++) {
        const struct cor_override *o = &laws->overrides[j];
        uint32_t stage = laws->variables[o->variable].stage;
        for (size_t d = 0; d < laws->main.count; d++)
            if (laws->main.definitions[d].stage == stage &&
                (cor_expression_reads(&laws->main.definitions[d].low, o->variable) ||
                 cor_expression_reads(&laws->main.definitions[d].high, o->variable)))
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
    /* The fallback stands in for all stages of the model from `first` on, so it must draw all their
     * parameters. The fallback may use what is drawn before the stage it stands in for: the first of its
     * parameters. Returns that stage. */
    uint32_t first = laws->model_stages;
    for (size_t i = 0; i < laws->fallback.count; i++)
        for (uint32_t v = 0; v < laws->fallback.definitions[i].variable_count; v++) {
            const struct cor_variable *variable = &laws->variables[laws->fallback.definitions[i].variable[v]];
            if (!variable->is_helper && variable->stage < first)
                first = variable->stage;
        }
    for (size_t v = 0; v < laws->variable_count; v++)
        known[v] = !laws->variables[v].is_helper && laws->variables[v].stage < first;
    for (uint32_t v = 0; v < laws->parameter_count; v++) {
        const struct cor_variable *variable = &laws->variables[v];
        bool needed = variable->stage >= first && variable->stage < laws->model_stages;
        if (laws->has_fallback && needed && !laws_definition(&laws->fallback, v))
            return cor_json_fail(&laws->fallback_json, error,
                                 "the fallback stands in for all stages from the first that it redefines",
                                 "does not say how \"%s\" is drawn", variable->name);
    }
    return parse_stages(laws, &laws->fallback, known, error);
}

enum cor_status cor_parameter_laws_finish(struct cor_parameter_laws *laws, struct cor_error *error) {
    order_stages(&laws->main);
    describe_variables(laws, &laws->main);
    laws->parameter_count = (uint32_t)laws->variable_count; /* names from here on are helpers */
    if (laws->has_fallback) {
        COR_TRY(laws_read_stages(laws, &laws->fallback, &laws->fallback_json, error));
        order_stages(&laws->fallback);
    }
    describe_variables(laws, &laws->fallback);
    COR_TRY(parse_all(laws, error));
    laws->names = cor_calloc((size_t)laws->parameter_count + 1, sizeof *laws->names);
    COR_TRY(cor_made(laws->names, error));
    for (uint32_t i = 0; i < laws->parameter_count; i++)
        laws->names[i] = laws->variables[i].is_integer ? laws->variables[i].name : "";
    COR_TRY(interaction__laws_enclose(laws, error));
    /* Helpers are drawn in the ranges they are given: nothing is known beyond. */
    for (size_t v = laws->parameter_count; v < laws->variable_count; v++) {
        laws->variables[v].low = INT64_MIN;
        laws->variables[v].high = INT64_MAX;
    }
    /* A range is drawn from with 32 bits. */
    for (size_t i = 0; i < laws->main.count; i++) {
        const struct interaction__definition *d = &laws->main.definitions[i];
        const struct cor_variable *variable = &laws->variables[d->variable[0]];
        bool drawn = d->kind == COR_LAW_UNIFORM || d->kind == COR_LAW_PAIR;
        if (drawn && !d->overridden && variable->high - variable->low >= UINT32_MAX - 1)
            return cor_fail(error, COR_STATUS_INPUT, d->place, "at most 4294967294 values",
                            "%s: the range may be too wide: %lld .. %lld", d->line, (long long)variable->low,
                            (long long)variable->high);
    }
    return laws_plan(laws, error);
}

/* ---- laws with further constraints, beside those they were made from */

uint32_t cor_parameter_laws_constraint_count(const struct cor_parameter_laws *laws) {
    return (uint32_t)laws->constraint_count;
}

const struct cor_expression *cor_parameter_laws_constraint(const struct cor_parameter_laws *laws,
                                                           uint32_t index) {
    COR_ASSERT(index < laws->constraint_count);
    return &laws->constraints[index].expression;
}

enum cor_status cor_parameter_laws_narrow(const struct cor_parameter_laws *laws, const char *const *texts,
                                          uint32_t count, const char *place,
                                          struct cor_parameter_laws **narrowed, struct cor_error *error) {
    struct cor_parameter_laws *made = *narrowed = cor_calloc(1, sizeof *made);
    COR_TRY(cor_made(made, error));
    *made = *laws;
    made->is_narrowed = true;
    made->plan = (struct cor_plan){0};
    made->borrowed_constraints = laws->constraint_count;
    made->constraint_capacity = laws->constraint_count + count;
    made->constraints = cor_calloc(made->constraint_capacity, sizeof *made->constraints);
    enum cor_status status = cor_made(made->constraints, error);
    if (status == COR_OK && laws->constraint_count > 0)
        memcpy(made->constraints, laws->constraints, laws->constraint_count * sizeof *made->constraints);
    if (status != COR_OK)
        made->constraint_count = 0; /* nothing there to be freed */
    for (uint32_t i = 0; i < count && status == COR_OK; i++) {
        struct interaction__constraint *c = &made->constraints[made->constraint_count++];
        *c = (struct interaction__constraint){.text = cor_strdup(texts[i]),
                                              .place = cor_strdup(place ? place : "")};
        status = c->text && c->place
                     ? cor_expression_parse(texts[i], made->names, true, place, &c->expression, error)
                     : cor_fail_memory(error);
        if (status == COR_OK)
            laws_place_constraint(made, c);
    }
    if (status == COR_OK)
        status = laws_plan(made, error);
    if (status == COR_OK)
        return COR_OK;
    cor_parameter_laws_destroy(made);
    *narrowed = NULL;
    return status;
}

/* ---- what drawing by the laws takes, found out once: which definitions and constraints belong to a stage,
 * their expressions as straight-line code, and what is a constant anyway */

/* Is nothing drawn, and no other value given in its place? */
static bool is_given(const struct interaction__definition *d) {
    bool is_constant =
        d->kind == COR_LAW_VALUE && d->low.node_count == 1 && cor_expression_last_variable(&d->low) < 0;
    bool is_real = d->kind == COR_LAW_REAL && d->real_low >= d->real_high;
    return !d->overridden && (is_constant || is_real);
}

static enum cor_status plan_stages(struct cor_parameter_laws *laws, const struct cor_stages *stages,
                                   struct cor_stages_plan *plan, struct cor_error *error) {
    plan->bounds = cor_calloc(stages->count, sizeof *plan->bounds);
    plan->stages = cor_calloc(stages->stage_count, sizeof *plan->stages);
    if (!plan->bounds || !plan->stages)
        return cor_fail_memory(error);
    uint32_t at = 0;
    for (uint32_t s = 0; s < stages->stage_count; s++) {
        struct cor_stage_plan *stage = &plan->stages[s];
        stage->first = at;
        for (; at < stages->count && stages->definitions[at].stage == s; at++) {
            struct cor_routine *routine = &laws->plan.routine;
            const struct interaction__definition *d = &stages->definitions[at];
            struct interaction__bounds *bounds = &plan->bounds[at];
            bounds->part = cor_routine_begin(routine);
            if (d->kind == COR_LAW_REAL || d->kind == COR_LAW_SIMPLEX)
                continue;
            COR_TRY(cor_routine_add_value(routine, &d->low, &bounds->part, &bounds->low, error));
            if (d->kind == COR_LAW_VALUE)
                continue;
            COR_TRY(cor_routine_add_value(routine, &d->high, &bounds->part, &bounds->high, error));
        }
        stage->end = at;
        const bool fallback = stages == &laws->fallback;
        stage->due = cor_routine_begin(&laws->plan.routine);
        for (size_t i = 0; i < laws->constraint_count; i++)
            /* Of the main stages, or of the fallback's? */
            if (fallback ? laws->constraints[i].stage < laws->model_stages &&
                               laws->constraints[i].fallback_stage == s
                         : laws->constraints[i].stage == s)
                COR_TRY(cor_routine_add_constraint(&laws->plan.routine, &laws->constraints[i].expression,
                                                   &stage->due, error));
        if (stages != &laws->main)
            continue;
        /* What kind of a stage it is: the fallback's values stand only where it is followed. */
        stage->is_simple = laws->override_count == 0;
        stage->is_given = stage->due.first == stage->due.end;
        for (uint32_t i = stage->first; i < stage->end; i++) {
            stage->is_simple = stage->is_simple && laws->main.definitions[i].bounds_come_before;
            stage->is_given = stage->is_given && is_given(&laws->main.definitions[i]);
        }
        for (uint32_t i = stage->first; i < stage->end && stage->is_given; i++) {
            const struct interaction__definition *d = &laws->main.definitions[i];
            if (d->kind == COR_LAW_REAL)
                laws->plan.reals[d->variable[0]] = d->real_low;
            else
                laws->plan.routine.cells[d->variable[0]] =
                    laws->plan.routine.cells[laws->plan.main.bounds[i].low];
        }
    }
    return COR_OK;
}

/* Finds out what drawing takes; the laws are otherwise finished. */
static enum cor_status laws_plan(struct cor_parameter_laws *laws, struct cor_error *error) {
    struct cor_plan *plan = &laws->plan;
    COR_TRY(cor_routine_init(&plan->routine, (uint32_t)laws->variable_count, error));
    plan->reals = cor_calloc(laws->variable_count, sizeof *plan->reals);
    plan->integer = cor_calloc(laws->variable_count, sizeof *plan->integer);
    if (!plan->reals || !plan->integer)
        return cor_fail_memory(error);
    for (uint32_t v = 0; v < laws->variable_count; v++)
        if (laws->variables[v].is_integer)
            plan->integer[plan->integer_count++] = v;
    COR_TRY(plan_stages(laws, &laws->main, &plan->main, error));
    return plan_stages(laws, &laws->fallback, &plan->fallback, error);
}
