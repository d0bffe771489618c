/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An arm: algorithm, fault and preset, the laws of its parameters, and the faults of the testbed around it.
 */
#include "arm.h"
#include "read.h"

#include <corridor/array.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_BUDGET 1000

/* ---------------------------------------------------------------------------- algorithm, fault */

/* What the host said, at the value that made it say so. */
static enum cor_status repeat_at(const struct cor_json *json, const struct cor_error *said,
                                 struct cor_error *error) {
    char place[512];
    cor_json_place(json, place, sizeof place);
    return cor_fail(error, said->status, place, said->remedy, "%s", said->cause);
}

/* The algorithm: of the arm, else of its preset. */
static enum cor_status read_algorithm(struct cor_experiment *experiment, const struct cor_json *json,
                                      const struct cor_json *preset, struct cor_arm *arm,
                                      struct cor_error *error) {
    struct cor_json child;
    const char *name;
    if (!cor_json_find(json, "algorithm", &child) && !(preset && cor_json_find(preset, "algorithm", &child)))
        return cor_json_fail(json, error,
                             "\"algorithm\": a name that corridor list shows, or the path of a module",
                             "names no algorithm");
    enum cor_status status = cor_json_string(&child, &name, error);
    if (status != COR_OK)
        return status;
    struct cor_error said = COR_NO_ERROR;
    if (cor_registry_find(experiment->registry, name, &arm->algorithm, &said) == COR_OK)
        return COR_OK;
    return repeat_at(&child, &said, error);
}

static enum cor_status read_fault(const struct cor_json *json, struct cor_arm *arm, struct cor_error *error) {
    struct cor_json child;
    const char *name;
    if (!cor_json_find(json, "fault", &child))
        return COR_OK;
    enum cor_status status = cor_json_string(&child, &name, error);
    if (status != COR_OK)
        return status;
    struct cor_error said = COR_NO_ERROR;
    if (cor_algorithm_fault(arm->algorithm, name, &arm->fault, &said) == COR_OK)
        return COR_OK;
    return repeat_at(&child, &said, error);
}

/* ---------------------------------------------------------------------------------- parameters */

/* Complains about a parameter where it is defined: in the model, in a preset or in the arm. */
static enum cor_status refuse_parameter(const struct cor_arm *arm, uint32_t index, const char *remedy,
                                        const char *cause, struct cor_error *error) {
    return cor_fail(error, COR_STATUS_INPUT, cor_parameter_laws_place(arm->laws, index), remedy, "%s: %s",
                    cor_parameter_laws_text(arm->laws, index), cause);
}

/* Every parameter is the model's, the algorithm's, or the budget; anything else would be drawn and never
 * used. */
static enum cor_status refuse_strangers(const struct cor_arm *arm, uint32_t model_parameters,
                                        struct cor_error *error) {
    const char *known[260];
    uint32_t count = 0;
    for (uint32_t i = 0; i < cor_algorithm_parameter_count(arm->algorithm) && count < 250; i++)
        known[count++] = arm->algorithm->parameters[i].name;
    known[count++] = "budget";
    known[count] = NULL;
    for (uint32_t i = model_parameters; i < cor_parameter_laws_size(arm->laws); i++) {
        const char *name = cor_parameter_laws_name(arm->laws, i);
        if (cor_algorithm_parameter(arm->algorithm, name) >= 0 || strcmp(name, "budget") == 0)
            continue;
        char remedy[1024], cause[256];
        cor_known_names(name, known, remedy, sizeof remedy);
        snprintf(cause, sizeof cause, "%s has no parameter \"%s\"", arm->algorithm->name, name);
        return refuse_parameter(arm, i, remedy, cause, error);
    }
    return COR_OK;
}

static enum cor_status check_ranges(const struct cor_arm *arm, struct cor_error *error) {
    for (uint32_t i = 0; i < cor_algorithm_parameter_count(arm->algorithm); i++) {
        const struct cor_parameter *p = &arm->algorithm->parameters[i];
        double low, high;
        char cause[256];
        uint32_t index = (uint32_t)arm->algorithm_parameters[i];
        cor_parameter_laws_range(arm->laws, index, &low, &high);
        snprintf(cause, sizeof cause, "%s of %s is %s from %.10g to %.10g", p->name, arm->algorithm->name,
                 p->is_integer ? "an integer" : "a number", p->min, p->max);
        if (p->is_integer && !cor_parameter_laws_is_integer(arm->laws, index))
            return refuse_parameter(arm, index, "write it without a decimal point", cause, error);
        if (low < p->min || high > p->max)
            return refuse_parameter(arm, index, "narrow its range", cause, error);
    }
    return COR_OK;
}

/* A budget that may be too small is found out when it is drawn: the range is an estimate. */
static enum cor_status check_budget(const struct cor_arm *arm, struct cor_error *error) {
    double low, high;
    uint32_t index = (uint32_t)cor_parameter_laws_find(arm->laws, "budget");
    cor_parameter_laws_range(arm->laws, index, &low, &high);
    if (cor_parameter_laws_is_integer(arm->laws, index) && high >= 1)
        return COR_OK;
    return refuse_parameter(arm, index, NULL, "a budget is an integer of at least 1", error);
}

static enum cor_status add_defaults(struct cor_arm *arm, struct cor_error *error) {
    enum cor_status status = cor_parameter_laws_default(arm->laws, "budget", true, DEFAULT_BUDGET, error);
    for (uint32_t i = 0; i < cor_algorithm_parameter_count(arm->algorithm) && status == COR_OK; i++) {
        const struct cor_parameter *p = &arm->algorithm->parameters[i];
        status = cor_parameter_laws_default(arm->laws, p->name, p->is_integer != 0, p->value, error);
    }
    return status;
}

static enum cor_status find_parameters(struct cor_arm *arm, struct cor_error *error) {
    uint32_t count = cor_algorithm_parameter_count(arm->algorithm);
    arm->algorithm_parameters = cor_calloc(count, sizeof *arm->algorithm_parameters);
    if (!arm->algorithm_parameters)
        return cor_fail_memory(error);
    for (uint32_t i = 0; i < count; i++)
        arm->algorithm_parameters[i] = cor_parameter_laws_find(arm->laws, arm->algorithm->parameters[i].name);
    return COR_OK;
}

/* The model's own stages, constraints and fallback. */
static enum cor_status add_model_laws(const struct cor_model *model, struct cor_arm *arm,
                                      struct cor_error *error) {
    struct cor_json child;
    enum cor_status status = cor_parameter_laws_create(&arm->laws, error);
    if (status == COR_OK && cor_json_find(&model->root, "parameters", &arm->model_parameters))
        status = cor_parameter_laws_add(arm->laws, &arm->model_parameters, error);
    if (status == COR_OK && cor_json_find(&model->root, "constraints", &child))
        status = cor_parameter_laws_constrain(arm->laws, &child, error);
    if (status == COR_OK && cor_json_find(&model->root, "fallback", &child))
        cor_parameter_laws_fall_back(arm->laws, &child);
    return status;
}

/* ----------------------------------------------------------------------------------------- arm */

static enum cor_status describe(struct cor_arm *arm, struct cor_error *error) {
    struct cor_json_writer *writer;
    enum cor_status status = cor_json_writer_create(&writer, error);
    if (status != COR_OK)
        return status;
    cor_json_open_object(writer, NULL);
    cor_json_put_string(writer, "algorithm", arm->algorithm->name);
    cor_json_put_string(writer, "fault", cor_algorithm_fault_name(arm->algorithm, arm->fault));
    cor_json_put_string(writer, "preset", arm->preset);
    cor_json_put_string(writer, "environment", arm->source->name);
    cor_json_put_string(writer, "mail", cor_term_word(COR_FAMILY_MAIL, (int)arm->session.mail.mode));
    cor_json_put_string(writer, "monitor", cor_term_word(COR_FAMILY_MONITOR_FAULT, (int)arm->monitor.fault));
    cor_json_put_string(writer, "adoption",
                        cor_term_word(COR_FAMILY_ADOPTION_FAULT, (int)arm->adoption.fault));
    cor_json_close(writer);
    arm->description = cor_json_writer_text(writer, 0, error);
    cor_json_writer_destroy(writer);
    return arm->description ? COR_OK : error->status;
}

static const char *const arm_keys[] = {"name",       "algorithm",   "fault",       "preset",
                                       "parameters", "constraints", "set",         "mail",
                                       "monitor",    "adoption",    "environment", "activation_delay",
                                       "look_every", "interim",     "description", NULL};

/* What arms say is theirs alone: name, preset, fault. */
static const char *const preset_keys[] = {
    "algorithm",   "parameters", "constraints",      "set",     "mail",        "monitor", "adoption",
    "environment", "look_every", "activation_delay", "interim", "description", NULL};

enum cor_status cor__presets_check(const struct cor_json *presets, struct cor_error *error) {
    enum cor_status status = cor_json_expect_object(presets, NULL, error);
    for (size_t i = 0; i < cor_json_size(presets) && status == COR_OK; i++) {
        struct cor_json preset = cor_json_at(presets, i);
        status = cor_json_expect_object(&preset, preset_keys, error);
        if (status == COR_OK)
            status = cor__read_description(&preset, error);
    }
    return status;
}

/* The preset that the arm names; *has_preset tells whether it names one. */
static enum cor_status find_preset(const struct cor_json *json, const struct cor_json *presets,
                                   struct cor_arm *arm, struct cor_error *error) {
    struct cor_json child;
    const char *name, *names[257];
    if (!cor_json_find(json, "preset", &child))
        return COR_OK;
    enum cor_status status = cor_json_string(&child, &name, error);
    if (status != COR_OK)
        return status;
    size_t count = presets && cor_json_size(presets) <= 256 ? cor_json_size(presets) : 0;
    for (size_t i = 0; i < count; i++)
        names[i] = cor_json_at(presets, i).key;
    names[count] = NULL;
    if (!presets)
        return cor_json_fail(&child, error, "write it under \"presets\", beside \"arms\"",
                             "unknown preset \"%s\"", name);
    if (!cor_json_find(presets, name, &arm->preset_json)) {
        char remedy[1024];
        cor_known_names(name, names, remedy, sizeof remedy);
        return cor_json_fail(&child, error, remedy, "unknown preset \"%s\"", name);
    }
    arm->preset = cor_strdup(name);
    return arm->preset ? COR_OK : cor_fail_memory(error);
}

static enum cor_status read_laws(const struct cor_experiment *experiment, const struct cor_json *json,
                                 struct cor_arm *arm, struct cor_error *error) {
    enum cor_status status = add_model_laws(experiment->model, arm, error);
    uint32_t model_parameters = status == COR_OK ? cor_parameter_laws_named(arm->laws) : 0;
    if (status == COR_OK && arm->preset)
        status = cor__arm_read_settings(&arm->preset_json, arm, error);
    if (status == COR_OK)
        status = cor__arm_read_settings(json, arm, error);
    if (status == COR_OK)
        status = add_defaults(arm, error);
    if (status == COR_OK)
        status = cor_parameter_laws_finish(arm->laws, error);
    if (status == COR_OK)
        status = refuse_strangers(arm, model_parameters, error);
    if (status == COR_OK)
        status = find_parameters(arm, error);
    if (status == COR_OK)
        status = check_ranges(arm, error);
    return status == COR_OK ? check_budget(arm, error) : status;
}

enum cor_status cor__arm_read(struct cor_experiment *experiment, const struct cor_json *json,
                              const struct cor_json *presets, struct cor_arm *arm, struct cor_error *error) {
    struct cor_json child;
    const char *name;
    arm->json = *json;
    arm->source = &cor_source_profile;
    arm->look_every = 1;
    arm->monitor.fault = COR_MONITOR_FAULT_NONE;
    arm->adoption.fault = COR_ADOPTION_FAULT_NONE;
    enum cor_status status = cor_json_expect_object(json, arm_keys, error);
    if (status == COR_OK)
        status = cor__read_description(json, error);
    if (status == COR_OK)
        status = cor_json_need(json, "name", &child, error);
    if (status == COR_OK)
        status = cor_json_string(&child, &name, error);
    if (status == COR_OK)
        status = cor__check_name(&child, name, "an arm", error);
    if (status == COR_OK && (strpbrk(name, "/\\\",") || name[0] == '.'))
        status =
            cor_json_fail(&child, error,
                          "no slash, backslash, quotation mark or comma, and no dot in front: it names a "
                          "folder and a column of a table",
                          "\"%s\" is no name for an arm", name);
    if (status == COR_OK && !(arm->name = cor_strdup(name)))
        status = cor_fail_memory(error);
    if (status == COR_OK)
        status = find_preset(&arm->json, presets, arm, error);
    if (status == COR_OK)
        status = read_algorithm(experiment, &arm->json, arm->preset ? &arm->preset_json : NULL, arm, error);
    if (status == COR_OK) {
        arm->session = cor_default_session(arm->algorithm);
        arm->session.measure = experiment->model->measure;
        status = read_fault(&arm->json, arm, error);
    }
    if (status == COR_OK)
        status = read_laws(experiment, &arm->json, arm, error);
    if (status == COR_OK && arm->session.interim_units > 0 && !(arm->algorithm->capabilities & COR_ANYTIME))
        status = cor_json_fail(json, error, "leave \"interim\" out", "%s has no interim solutions",
                               arm->algorithm->name);
    if (status == COR_OK)
        status = cor__arm_read_roles(experiment->model, arm, error);
    return status == COR_OK ? describe(arm, error) : status;
}

void cor__arm_fini(struct cor_arm *arm, uint32_t environments) {
    struct cor_roles *r = &arm->roles;
    struct cor_quantity *const quantities[] = {&r->agents,    &r->size_min, &r->size_max, &r->count_min,
                                               &r->count_max, &r->groups,   &r->locations};
    for (size_t i = 0; i < sizeof quantities / sizeof *quantities; i++)
        cor_quantity_fini(quantities[i]);
    for (uint32_t e = 0; r->random_states && e < environments; e++)
        cor_quantity_fini(&r->random_states[e]);
    free(r->random_states);
    cor_parameter_laws_destroy(arm->laws);
    free(arm->name);
    free(arm->preset);
    free(arm->description);
    free(arm->parameter_codes);
    free(arm->algorithm_parameters);
}
