/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/bounds.h>

#include "internal.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

/* A number as a number, anything else as the text it is. */
static void put_expression(struct cor_json_writer *writer, const char *key, const struct cor_expression *e) {
    if (e->node_count == 1 && e->nodes[0].operator== COR_OPERATOR_CONSTANT)
        cor_json_put_integer(writer, key, e->nodes[0].constant);
    else
        cor_json_put_string(writer, key, e->text);
}

static void put_reals(struct cor_json_writer *writer, const char *key, double low, double high) {
    cor_json_open_array(writer, key);
    cor_json_put_real(writer, NULL, low);
    cor_json_put_real(writer, NULL, high);
    cor_json_close(writer);
}

static const struct cor_override *override_of(const struct cor_parameter_laws *laws, uint32_t variable) {
    for (size_t i = 0; i < laws->override_count; i++)
        if (laws->overrides[i].variable == variable)
            return &laws->overrides[i];
    return NULL;
}

static void put_definition(struct cor_json_writer *writer, const struct cor_parameter_laws *laws,
                           const struct cor_definition *d) {
    for (uint32_t v = 0; v < d->variable_count; v++) {
        const char *name = laws->variables[d->variable[v]].name;
        if (override_of(laws, d->variable[v]))
            continue;
        if (d->kind == COR_LAW_VALUE) {
            put_expression(writer, name, &d->low);
        } else if (d->kind == COR_LAW_REAL) {
            put_reals(writer, name, d->real_low, d->real_high);
        } else if (d->kind == COR_LAW_SIMPLEX) {
            put_reals(writer, name, 0, d->real_high);
        } else {
            cor_json_open_array(writer, name);
            put_expression(writer, NULL, &d->low);
            put_expression(writer, NULL, &d->high);
            cor_json_close(writer);
        }
    }
}

static void put_sums(struct cor_json_writer *writer, const struct cor_parameter_laws *laws) {
    cor_json_open_array(writer, "sums");
    for (size_t i = 0; i < laws->main.count; i++) {
        const struct cor_definition *d = &laws->main.definitions[i];
        if (d->kind != COR_LAW_SIMPLEX)
            continue;
        cor_json_open_object(writer, NULL);
        cor_json_open_array(writer, "of");
        for (uint32_t v = 0; v < d->variable_count; v++)
            cor_json_put_string(writer, NULL, laws->variables[d->variable[v]].name);
        cor_json_close(writer);
        cor_json_put_real(writer, "sum", d->real_high);
        cor_json_close(writer);
    }
    cor_json_close(writer);
}

/* Pairs are ordered, unless what is set afterwards undoes it. */
static enum cor_status put_constraints(struct cor_json_writer *writer, const struct cor_parameter_laws *laws,
                                       struct cor_error *error) {
    cor_json_open_array(writer, "constraints");
    for (size_t i = 0; i < laws->main.count; i++) {
        const struct cor_definition *d = &laws->main.definitions[i];
        if (d->kind != COR_LAW_PAIR || override_of(laws, d->variable[0]) || override_of(laws, d->variable[1]))
            continue;
        char *text = cor_format("%s <= %s", laws->variables[d->variable[0]].name,
                                laws->variables[d->variable[1]].name);
        COR_TRY(cor_made(text, error));
        cor_json_put_string(writer, NULL, text);
        free(text);
    }
    for (size_t i = 0; i < laws->constraint_count; i++)
        cor_json_put_string(writer, NULL, laws->constraints[i].text);
    cor_json_close(writer);
    return COR_OK;
}

static void put_quantity(struct cor_json_writer *writer, const char *key,
                         const struct cor_derived_quantity *quantity) {
    if (quantity->expression.text)
        cor_json_put_string(writer, key, quantity->expression.text);
    else
        cor_json_put_integer(writer, key, quantity->given);
}

static void put_roles(struct cor_json_writer *writer, const struct cor_arm *arm) {
    const struct cor_roles *r = &arm->roles;
    cor_json_open_object(writer, "roles");
    put_quantity(writer, "agents", &r->agents);
    put_quantity(writer, "size_min", &r->size_min);
    put_quantity(writer, "size_max", &r->size_max);
    put_quantity(writer, "count_min", &r->count_min);
    put_quantity(writer, "count_max", &r->count_max);
    if (r->groups.given > 0 || r->groups.expression.text)
        put_quantity(writer, "groups", &r->groups);
    if (!r->location_per_group)
        put_quantity(writer, "locations", &r->locations);
    cor_json_close(writer);
    if (r->groups_have_sizes) {
        cor_json_open_array(writer, "group_sizes");
        put_quantity(writer, NULL, &r->group_size_min);
        put_quantity(writer, NULL, &r->group_size_max);
        cor_json_close(writer);
    }
    if (arm->type_counts) {
        cor_json_open_array(writer, "type_counts");
        for (uint32_t t = 0; t < arm->type_counts->type_count; t++)
            cor_json_put_string(writer, NULL, arm->type_counts->texts[t]);
        cor_json_close(writer);
    }
    cor_json_put_string(
        writer, "idle",
        r->idle_parameter >= 0 ? cor_parameter_laws_name(arm->laws, (uint32_t)r->idle_parameter) : NULL);
}

enum cor_status cor_bounds_text(const struct cor_test_model *model, const struct cor_arm *arm, char **text,
                                struct cor_error *error) {
    struct cor_json_writer *writer;
    COR_TRY(cor_json_writer_create(&writer, error));
    cor_json_open_object(writer, NULL);
    /* Stage after stage, since one reads what was drawn before it; what is set afterwards behind its
     * stage. */
    cor_json_open_object(writer, "parameters");
    for (uint32_t stage = 0; stage < arm->laws->main.stage_count; stage++) {
        for (size_t i = 0; i < arm->laws->main.count; i++)
            if (arm->laws->main.definitions[i].stage == stage)
                put_definition(writer, arm->laws, &arm->laws->main.definitions[i]);
        for (size_t i = 0; i < arm->laws->override_count; i++)
            if (arm->laws->variables[arm->laws->overrides[i].variable].stage == stage)
                put_expression(writer, arm->laws->variables[arm->laws->overrides[i].variable].name,
                               &arm->laws->overrides[i].value);
    }
    cor_json_close(writer);
    put_sums(writer, arm->laws);
    enum cor_status status = put_constraints(writer, arm->laws, error);
    put_roles(writer, arm);
    put_reals(writer, "inertia", model->inertia_low, model->inertia_high);
    cor_json_open_array(writer, "levels");
    for (uint32_t t = 0; t < model->type_count; t++)
        if (model->types[t].fixed)
            cor_json_put_string(writer, NULL, NULL);
        else
            put_reals(writer, NULL, model->types[t].level_low, model->types[t].level_high);
    cor_json_close(writer);
    cor_json_put_bool(writer, "mixed_groups", model->mixed_groups);
    cor_json_close(writer);
    if (status == COR_OK)
        return cor_json_text_take(writer, 0, text, error);
    cor_json_writer_destroy(writer);
    return status;
}
