/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Attributes of the agents of a suite: drawn, written into its file, read back. */
#include "internal.h"

#include <corridor/array.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The stream of an attribute of the agents of a type; with a profile, 1 + its index, that of levels. */
static struct cor_rng stream(const struct cor_suite *suite, uint32_t attribute, uint32_t type,
                             uint32_t profile) {
    return interaction__suite_rng(suite, COR_PURPOSE_ATTRIBUTE,
                                  (attribute * COR_TYPES_MAX + type) * (COR_ENVIRONMENTS_MAX + 1) + profile);
}

static double draw(const struct cor_agent_attribute *attribute, const struct cor_attribute_law *law,
                   struct cor_rng *rng) {
    if (law->cumulative) {
        const double unit = cor_rng_unit(rng);
        uint32_t code = 0;
        while (unit >= law->cumulative[code] && code < (uint32_t)attribute->high)
            code++;
        return code;
    }
    if (attribute->type == COR_ATTRIBUTE_INTEGER)
        return (double)cor_rng_between(rng, (int64_t)law->low, (int64_t)law->high);
    const double unit = cor_rng_unit(rng);
    return law->low + unit * (law->high - law->low);
}

/* Levels of a type: as the model gives them to its states, or drawn for the states of each profile. */
static enum cor_status set_levels(const struct cor_suite *suite, uint32_t attribute, uint32_t type,
                                  struct cor_error *error) {
    struct cor_configuration *c = suite->configuration;
    const struct cor_attribute_law *law = &suite->experiment->model->types[type].attributes[attribute];
    COR_TRY(cor_configuration_set_levels(c, attribute, type, error));
    struct cor_attribute_rule *rule = &c->attributes[attribute].rules[type];
    rule->has_inertia = law->has_inertia;
    for (uint32_t p = 0; p < c->profile_count; p++) {
        const uint32_t states = c->effects[(size_t)type * c->profile_count + p].state_count;
        struct cor_rng rng = stream(suite, attribute, type, 1 + p);
        for (uint32_t s = 0; s < states; s++)
            rule->level[p][s] = law->level ? law->level[s] : draw(&c->attributes[attribute], law, &rng);
    }
    return COR_OK;
}

/* The level that an agent begins with. */
static double first_level(const struct cor_configuration *c, const struct cor_attribute_rule *rule,
                          uint32_t group, uint32_t agent) {
    return rule->level[c->profile_of_chain[c->chain_of_group[group]]][c->initial_state[agent]];
}

static bool is_one_formula(const struct cor_configuration *c, const struct cor_agent_attribute *attribute) {
    for (uint32_t t = 0; t < c->type_count; t++)
        if (attribute->rules[t].source != COR_ATTRIBUTE_COMPUTED ||
            strcmp(attribute->rules[t].formula.text, attribute->rules[0].formula.text) != 0)
            return false;
    return true;
}

static enum cor_status draw_attribute(const struct cor_suite *suite, uint32_t index,
                                      struct cor_error *error) {
    struct cor_configuration *c = suite->configuration;
    struct cor_agent_attribute *attribute = &c->attributes[index];
    struct cor_rng rng[COR_TYPES_MAX];
    for (uint32_t t = 0; t < c->type_count; t++) {
        const struct cor_attribute_law *law = &suite->experiment->model->types[t].attributes[index];
        if (law->source == COR_ATTRIBUTE_LEVEL)
            COR_TRY(set_levels(suite, index, t, error));
        if (law->source == COR_ATTRIBUTE_COMPUTED)
            COR_TRY(cor_configuration_set_formula(c, index, t, &law->formula, error));
        rng[t] = stream(suite, index, t, 0);
    }
    attribute->is_one_formula = is_one_formula(c, attribute);
    for (uint32_t g = 0; g < c->group_count; g++)
        for (uint32_t i = c->group_start[g]; i < c->group_start[g + 1]; i++) {
            const struct cor_attribute_law *law =
                &suite->experiment->model->types[c->type[i]].attributes[index];
            if (law->source == COR_ATTRIBUTE_FIXED)
                attribute->initial[i] = draw(attribute, law, &rng[c->type[i]]);
            else if (law->source == COR_ATTRIBUTE_LEVEL)
                attribute->initial[i] = first_level(c, &attribute->rules[c->type[i]], g, i);
        }
    return COR_OK;
}

enum cor_status interaction__draw_attributes(struct cor_suite *suite, struct cor_error *error) {
    const struct cor_test_model *model = suite->experiment->model;
    COR_TRY(cor_configuration_set_attributes(suite->configuration, model->attribute_count, model->attributes,
                                             error));
    for (uint32_t a = 0; a < model->attribute_count; a++)
        COR_TRY(draw_attribute(suite, a, error));
    return interaction__suite_describe(suite, error);
}

enum cor_status interaction__suite_describe(struct cor_suite *suite, struct cor_error *error) {
    const struct cor_configuration *c = suite->configuration;
    for (uint32_t a = 0; a < c->attribute_count; a++)
        c->attributes[a].is_written = cor_arm_writes(suite->arm, c->attributes[a].name);
    return c->attribute_count == 0
               ? COR_OK
               : cor_attribute_columns(c->attributes, c->attribute_count, &suite->columns, error);
}

/* ---- files */

static const char *const fixed_word[] = {"fixed", NULL};

static void put_rule(struct cor_json_writer *writer, const struct cor_configuration *c, uint32_t type,
                     const struct cor_agent_attribute *attribute) {
    const struct cor_attribute_rule *rule = &attribute->rules[type];
    if (rule->source == COR_ATTRIBUTE_FIXED) {
        cor_json_put_string(writer, NULL, fixed_word[0]);
        return;
    }
    cor_json_open_object(writer, NULL);
    if (rule->source == COR_ATTRIBUTE_COMPUTED)
        cor_json_put_string(writer, "is", rule->formula.text);
    else
        cor_json_open_array(writer, "level");
    for (uint32_t p = 0; rule->source == COR_ATTRIBUTE_LEVEL && p < c->profile_count; p++) {
        cor_json_open_array(writer, NULL);
        for (uint32_t s = 0; s < c->effects[(size_t)type * c->profile_count + p].state_count; s++)
            cor_attribute_put_number(writer, attribute, rule->level[p][s]);
        cor_json_close(writer);
    }
    if (rule->source == COR_ATTRIBUTE_LEVEL) {
        cor_json_close(writer);
        cor_json_put_bool(writer, "inertia", rule->has_inertia);
    }
    cor_json_close(writer);
}

void interaction__suite_put_attributes(struct cor_json_writer *writer, const struct cor_suite *suite) {
    const struct cor_configuration *c = suite->configuration;
    if (c->attribute_count == 0)
        return;
    cor_json_open_array(writer, "attributes");
    for (uint32_t a = 0; a < c->attribute_count; a++) {
        const struct cor_agent_attribute *attribute = &c->attributes[a];
        cor_json_open_object(writer, NULL);
        cor_json_put_string(writer, "name", attribute->name);
        cor_attribute_put(writer, attribute);
        cor_json_open_array(writer, "types");
        for (uint32_t t = 0; t < c->type_count; t++)
            put_rule(writer, c, t, attribute);
        cor_json_close(writer);
        cor_json_open_array(writer, "initial");
        for (uint32_t i = 0; i < c->agent_count; i++)
            if (attribute->rules[c->type[i]].source == COR_ATTRIBUTE_COMPUTED)
                cor_json_put_string(writer, NULL, NULL);
            else
                cor_attribute_put_number(writer, attribute, attribute->initial[i]);
        cor_json_close(writer);
        cor_json_close(writer);
    }
    cor_json_close(writer);
}

static const struct cor_field item_fields[] = {{"name", COR_REQUIRED, COR_KNOWN_FIELD},
                                               COR_ROWS_OF(cor_attribute_fields),
                                               {"types", COR_REQUIRED, COR_KNOWN_FIELD},
                                               {"initial", COR_REQUIRED, COR_KNOWN_FIELD},
                                               {0}};

/* How a type comes by an attribute; what more there is to say is read with the suite. */
static enum cor_status read_source(const struct cor_json *json, const struct cor_test_model *model,
                                   uint32_t type, uint32_t attribute, struct cor_error *error) {
    struct cor_attribute_law *law = &model->types[type].attributes[attribute];
    const struct cor_json item = cor_json_at(json, attribute);
    struct cor_json rules, rule, is;
    COR_TRY(cor_json_need(&item, "types", &rules, error));
    COR_TRY(cor_json_expect_array(&rules, model->type_count, model->type_count, error));
    rule = cor_json_at(&rules, type);
    if (!cor_json_is_object(&rule))
        return COR_OK;
    law->source = COR_ATTRIBUTE_LEVEL;
    if (!cor_json_find(&rule, "is", &is))
        return COR_OK;
    law->source = COR_ATTRIBUTE_COMPUTED;
    return interaction__read_formula(&is, model->attributes, model->attribute_count, attribute, &law->formula,
                                     error);
}

enum cor_status interaction__read_attributes_alone(const struct cor_json *json, void *into,
                                                   struct cor_error *error) {
    struct cor_test_model *model = into;
    COR_TRY(cor_json_expect_array(json, 1, COR_ATTRIBUTES_MAX, error));
    model->attributes = cor_calloc(cor_json_size(json), sizeof *model->attributes);
    COR_TRY(cor_made(model->attributes, error));
    for (size_t a = 0; a < cor_json_size(json); a++) {
        const struct cor_json item = cor_json_at(json, a);
        model->attribute_count++;
        COR_TRY(cor_attribute_read_named(&item, item_fields, &model->attributes[a], error));
        if (cor_attribute_find(model->attributes, (uint32_t)a, model->attributes[a].name) != COR_NOBODY)
            return cor_json_fail(&item, error, NULL, "\"%s\" is there twice", model->attributes[a].name);
    }
    for (uint32_t t = 0; t < model->type_count; t++) {
        model->types[t].attributes = cor_calloc(model->attribute_count, sizeof(struct cor_attribute_law));
        COR_TRY(cor_made(model->types[t].attributes, error));
        for (uint32_t a = 0; a < model->attribute_count; a++)
            COR_TRY(read_source(json, model, t, a, error));
    }
    return COR_OK;
}

/* A suite has the attributes of its model, as they are declared there. */
static enum cor_status check_declaration(const struct cor_json *json,
                                         const struct cor_agent_attribute *declared,
                                         struct cor_error *error) {
    struct cor_agent_attribute here = {0};
    enum cor_status status = cor_attribute_read_named(json, item_fields, &here, error);
    bool same = status == COR_OK && strcmp(here.name, declared->name) == 0 &&
                strcmp(here.unit, declared->unit) == 0 && here.type == declared->type &&
                here.low == declared->low && here.high == declared->high &&
                here.word_count == declared->word_count;
    for (uint32_t w = 0; same && w < here.word_count; w++)
        same = strcmp(here.words[w], declared->words[w]) == 0;
    if (status == COR_OK && !same)
        status = cor_json_fail(json, error, "attributes are those of the model, in its order",
                               "is not the attribute \"%s\" as the model declares it", declared->name);
    cor_attribute_fini_declaration(&here);
    return status;
}

static enum cor_status read_numbers(const struct cor_json *json, const struct cor_agent_attribute *attribute,
                                    double *numbers, size_t count, struct cor_error *error) {
    COR_TRY(cor_json_expect_array(json, count, count, error));
    for (size_t i = 0; i < count; i++) {
        const struct cor_json item = cor_json_at(json, i);
        COR_TRY(cor_attribute_read_number(&item, attribute, &numbers[i], error));
    }
    return COR_OK;
}

static enum cor_status read_rule(const struct cor_json *json, struct cor_configuration *c, uint32_t index,
                                 uint32_t type, struct cor_error *error) {
    static const char *const keys[] = {"is", "level", "inertia", NULL};
    struct cor_agent_attribute *attribute = &c->attributes[index];
    struct cor_attribute_rule *rule = &attribute->rules[type];
    struct cor_json child;
    int which;
    if (cor_json_is_string(json))
        return cor_json_one_of(json, fixed_word, "source", &which, error);
    COR_TRY(cor_json_expect_object(json, keys, error));
    if (cor_json_find(json, "is", &child)) {
        struct cor_formula formula = {0};
        if (cor_json_size(json) > 1)
            return cor_json_fail(json, error, "leave the others out", "is computed, and has other sources");
        enum cor_status status =
            interaction__read_formula(&child, c->attributes, c->attribute_count, index, &formula, error);
        if (status == COR_OK)
            status = cor_configuration_set_formula(c, index, type, &formula, error);
        interaction__formula_fini(&formula);
        return status;
    }
    COR_TRY(cor_json_need(json, "level", &child, error));
    COR_TRY(cor_json_expect_array(&child, c->profile_count, c->profile_count, error));
    COR_TRY(cor_configuration_set_levels(c, index, type, error));
    for (uint32_t p = 0; p < c->profile_count; p++) {
        const struct cor_json levels = cor_json_at(&child, p);
        const uint32_t states = c->effects[(size_t)type * c->profile_count + p].state_count;
        COR_TRY(read_numbers(&levels, attribute, rule->level[p], states, error));
    }
    if (!cor_json_find(json, "inertia", &child))
        return COR_OK;
    COR_TRY(cor_json_bool(&child, &rule->has_inertia, error));
    return rule->has_inertia && attribute->type != COR_ATTRIBUTE_REAL
               ? cor_json_fail(&child, error, "false", "only real attributes go to their level bit by bit")
               : COR_OK;
}

/* Numbers may be others than those that the model gives, but what changes, and what follows from what, is the
 * model's: a corridor as a text was held against it. */
static enum cor_status check_source(const struct cor_json *json, const struct cor_attribute_rule *rule,
                                    const struct cor_attribute_law *law, struct cor_error *error) {
    static const char *const sources[] = {"fixed", "a level", "computed"};
    if (rule->source != law->source)
        return cor_json_fail(json, error, NULL, "is %s, which the model says is %s", sources[rule->source],
                             sources[law->source]);
    if (rule->source != COR_ATTRIBUTE_COMPUTED || strcmp(rule->formula.text, law->formula.text) == 0)
        return COR_OK;
    return cor_json_fail(json, error, NULL, "is another expression than that of the model: %.200s",
                         law->formula.text);
}

static enum cor_status read_initial(const struct cor_json *json, const struct cor_configuration *c,
                                    struct cor_agent_attribute *attribute, struct cor_error *error) {
    COR_TRY(cor_json_expect_array(json, c->agent_count, c->agent_count, error));
    for (uint32_t i = 0; i < c->agent_count; i++) {
        const struct cor_json item = cor_json_at(json, i);
        if (attribute->rules[c->type[i]].source != COR_ATTRIBUTE_COMPUTED)
            COR_TRY(cor_attribute_read_number(&item, attribute, &attribute->initial[i], error));
        else if (!cor_json_is_null(&item))
            return cor_json_fail(&item, error, "null", "is computed for agents of this type, and not given");
    }
    return COR_OK;
}

enum cor_status interaction__suite_read_attributes(const struct cor_json *json, struct cor_suite *suite,
                                                   struct cor_error *error) {
    const struct cor_test_model *model = suite->experiment->model;
    struct cor_configuration *c = suite->configuration;
    struct cor_json array, child;
    if (model->attribute_count == 0)
        return cor_json_find(json, "attributes", &array)
                   ? cor_json_fail(&array, error, "leave it out", "the model declares no attributes")
                   : COR_OK;
    COR_TRY(cor_json_need(json, "attributes", &array, error));
    COR_TRY(cor_json_expect_array(&array, model->attribute_count, model->attribute_count, error));
    COR_TRY(cor_configuration_set_attributes(c, model->attribute_count, model->attributes, error));
    for (uint32_t a = 0; a < c->attribute_count; a++) {
        const struct cor_json item = cor_json_at(&array, a);
        COR_TRY(check_declaration(&item, &model->attributes[a], error));
        COR_TRY(cor_json_need(&item, "types", &child, error));
        COR_TRY(cor_json_expect_array(&child, c->type_count, c->type_count, error));
        for (uint32_t t = 0; t < c->type_count; t++) {
            const struct cor_json rule = cor_json_at(&child, t);
            COR_TRY(read_rule(&rule, c, a, t, error));
            COR_TRY(check_source(&rule, &c->attributes[a].rules[t], &model->types[t].attributes[a], error));
        }
        c->attributes[a].is_one_formula = is_one_formula(c, &c->attributes[a]);
        COR_TRY(cor_json_need(&item, "initial", &child, error));
        COR_TRY(read_initial(&child, c, &c->attributes[a], error));
    }
    return interaction__suite_describe(suite, error);
}
