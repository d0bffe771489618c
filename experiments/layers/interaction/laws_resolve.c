/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Laws of parameters, once everything is read: names are resolved, and what contradicts itself is refused. */
#include "internal.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

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
        struct cor_definition *d = &stages->definitions[i];
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
        interaction__laws_definition(&laws->main, o->variable)->overridden = true;
        for (size_t v = 0; v < laws->variable_count; v++)
            known[v] =
                !laws->variables[v].is_helper && laws->variables[v].stage <= laws->variables[index].stage;
        COR_TRY(parse(laws, known, o->text, false, o->place, &o->value, error));
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

void interaction__laws_place_constraint(const struct cor_parameter_laws *laws, struct cor_constraint *c) {
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
        struct cor_constraint c = laws->constraints[i];
        if (!c.is_declared || !names_real(laws, c.text)) {
            laws->constraints[kept++] = c;
            continue;
        }
        free(c.text);
        free(c.place);
    }
    laws->constraint_count = kept;
    for (size_t i = 0; i < laws->constraint_count; i++) {
        struct cor_constraint *c = &laws->constraints[i];
        COR_TRY(parse(laws, known, c->text, true, c->place, &c->expression, error));
        interaction__laws_place_constraint(laws, c);
    }
    COR_TRY(parse_overrides(laws, error));
    COR_TRY(check_overrides(laws, error));
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
        if (laws->has_fallback && needed && !interaction__laws_definition(&laws->fallback, v))
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
        COR_TRY(interaction__laws_read_stages(laws, &laws->fallback, &laws->fallback_json, error));
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
        const struct cor_definition *d = &laws->main.definitions[i];
        const struct cor_variable *variable = &laws->variables[d->variable[0]];
        bool drawn = d->kind == COR_LAW_UNIFORM || d->kind == COR_LAW_PAIR;
        if (drawn && !d->overridden && variable->high - variable->low >= UINT32_MAX - 1)
            return cor_fail(error, COR_STATUS_INPUT, d->place, "at most 4294967294 values",
                            "%s: the range may be too wide: %lld .. %lld", d->line, (long long)variable->low,
                            (long long)variable->high);
    }
    return interaction__laws_plan(laws, error);
}
