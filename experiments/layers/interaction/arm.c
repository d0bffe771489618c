/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Arms: what they say of algorithm, faults, monitors; their roles, which quantities of the model follow
 * which of their parameters; what they are made of; what is proved of their corridor. */
#include "internal.h"
#include "loop.h"
#include "text.h"

#include <corridor/arm_components.h>
#include <corridor/arm_proofs.h>
#include <corridor/array.h>
#include <corridor/digest.h>
#include <corridor/experiment.h>
#include <corridor/guarantees.h>
#include <corridor/json_names.h>
#include <corridor/layer.h>
#include <corridor/mechanism_host.h>
#include <corridor/monitors.h>
#include <corridor/origins.h>
#include <corridor/steering.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A quantity over the arm's parameters. That reals cannot be used is said of a text that is just the name of
 * one; within an expression they are unknown. */
static enum cor_status read_quantity(const struct cor_json *json, const struct cor_arm *arm, int64_t low,
                                     int64_t high, struct cor_derived_quantity *quantity,
                                     struct cor_error *error) {
    const char *text;
    if (cor_json_is_string(json) && cor_json_string(json, &text, error) == COR_OK) {
        int index = cor_parameter_laws_find(arm->laws, text);
        if (index >= 0 && !cor_parameter_laws_is_integer(arm->laws, (uint32_t)index))
            return cor_json_fail(json, error, "give the parameter integer bounds",
                                 "\"%s\" is a real parameter, expected an integer one", text);
    }
    return cor_derived_quantity_read(json, cor_parameter_laws_names(arm->laws), low, high, quantity, error);
}

struct role {
    const char *key;
    struct cor_derived_quantity *quantity;
    int64_t low, high, given;
};

/* Refuses a least above a most where both are given as numbers; what is drawn is checked when it is drawn. */
static enum cor_status refuse_crossed(const struct cor_json *json, const struct role *least,
                                      const struct role *most, struct cor_error *error) {
    if (least->quantity->expression.text || most->quantity->expression.text ||
        least->quantity->given <= most->quantity->given)
        return COR_OK;
    return cor_json_fail(json, error, "write the smaller bound first", "%s is %lld, but %s is %lld",
                         least->key, (long long)least->quantity->given, most->key,
                         (long long)most->quantity->given);
}

static enum cor_status read_structure(const struct cor_test_model *model, struct cor_arm *arm,
                                      struct cor_error *error) {
    static const char *const keys[] = {"kind",      "size_min", "size_max", "count_min",
                                       "count_max", "start",    NULL};
    struct cor_roles *r = &arm->roles;
    const struct role roles[] = {
        {"size_min", &r->size_min, 1, UINT32_MAX, 1},
        {"size_max", &r->size_max, 1, UINT32_MAX, UINT32_MAX},
        {"count_min", &r->count_min, 1, UINT32_MAX, 1},
        {"count_max", &r->count_max, 1, UINT32_MAX, UINT32_MAX},
    };
    struct cor_json json;
    if (cor_json_find(&model->root, "structure", &json))
        COR_TRY(cor_json_expect_object(&json, keys, error));
    else
        json = (struct cor_json){.document = model->root.document, .parent = &model->root, .value = NULL};
    for (size_t i = 0; i < 4; i++) {
        struct cor_json child;
        roles[i].quantity->given = roles[i].given;
        if (!cor_json_find(&json, roles[i].key, &child))
            continue;
        COR_TRY(read_quantity(&child, arm, roles[i].low, roles[i].high, roles[i].quantity, error));
    }
    COR_TRY(refuse_crossed(&json, &roles[0], &roles[1], error));
    return refuse_crossed(&json, &roles[2], &roles[3], error);
}

/* "groups": {"law": "by_size"}, or {"count": quantity, "size": [quantity, quantity]}, one of both at least.
 */
static enum cor_status read_groups(const struct cor_test_model *model, struct cor_arm *arm,
                                   struct cor_error *error) {
    static const char *const keys[] = {"law", "count", "size", NULL};
    static const char remedy[] =
        "\"law\": \"by_size\", or \"count\": a number or expression, \"size\": [low, high], or both of these";
    struct cor_roles *r = &arm->roles;
    struct cor_json json, count, size, law;
    r->groups_by_size = true;
    if (!cor_json_find(&model->root, "groups", &json))
        return COR_OK;
    COR_TRY(cor_json_expect_object(&json, keys, error));
    const bool counted = cor_json_find(&json, "count", &count), sized = cor_json_find(&json, "size", &size),
               by_law = cor_json_find(&json, "law", &law);
    if ((counted || sized) == by_law)
        return cor_json_fail(&json, error, remedy, "has %s",
                             by_law ? "both a law and a count or size"
                                    : "neither a law nor a count nor a size");
    if (by_law) {
        const char *word;
        COR_TRY(cor_json_string(&law, &word, error));
        return strcmp(word, "by_size") == 0
                   ? COR_OK
                   : cor_json_fail(&law, error, "\"by_size\", or give \"count\" instead",
                                   "unknown law \"%s\"", word);
    }
    r->groups_by_size = false;
    if (counted)
        COR_TRY(read_quantity(&count, arm, 1, UINT32_MAX, &r->groups, error));
    r->groups_have_sizes = sized;
    if (!sized)
        return COR_OK;
    COR_TRY(cor_json_expect_array(&size, 2, 2, error));
    const struct cor_json low = cor_json_at(&size, 0), high = cor_json_at(&size, 1);
    const struct role least = {"the least size", &r->group_size_min, 1, UINT32_MAX, 1},
                      most = {"the largest size", &r->group_size_max, 1, UINT32_MAX, 1};
    COR_TRY(read_quantity(&low, arm, 1, UINT32_MAX, &r->group_size_min, error));
    COR_TRY(read_quantity(&high, arm, 1, UINT32_MAX, &r->group_size_max, error));
    COR_TRY(refuse_crossed(&size, &least, &most, error));
    if (arm->type_counts && !model->mixed_groups)
        return cor_json_fail(
            &size, error, "\"mixed_groups\": true, or groups by \"count\"",
            "says how large groups are of one type each, of which it is said how many agents "
            "there are");
    return COR_OK;
}

/* "locations": "per_group", or a quantity. */
static enum cor_status read_locations(const struct cor_test_model *model, struct cor_arm *arm,
                                      struct cor_error *error) {
    static const char *const words[] = {"per_group", NULL};
    struct cor_json json;
    const char *word;
    arm->roles.location_per_group = true;
    if (!cor_json_find(&model->root, "locations", &json))
        return COR_OK;
    if (cor_json_is_string(&json)) {
        COR_TRY(cor_json_string(&json, &word, error));
        if (strcmp(word, words[0]) == 0)
            return COR_OK;
        if (cor_did_you_mean(word, words) && cor_parameter_laws_find(arm->laws, word) < 0)
            return cor_json_fail(&json, error, "did you mean \"per_group\"?", "there is no parameter \"%s\"",
                                 word);
    }
    arm->roles.location_per_group = false;
    return read_quantity(&json, arm, 1, UINT32_MAX, &arm->roles.locations, error);
}

/* "idle_ratio": a number, or the name of a real parameter. */
static enum cor_status read_idle_ratio(const struct cor_test_model *model, struct cor_arm *arm,
                                       struct cor_error *error) {
    struct cor_json json;
    arm->roles.idle_parameter = -1;
    if (!cor_json_find(&model->root, "idle_ratio", &json))
        return COR_OK;
    if (!cor_json_is_string(&json))
        return cor_json_real(&json, 0, 1, &arm->roles.idle_ratio, error);
    const char *name;
    double low = 0, high = 0;
    COR_TRY(cor_json_string(&json, &name, error));
    int index = arm->roles.idle_parameter = cor_parameter_laws_find(arm->laws, name);
    if (index >= 0)
        cor_parameter_laws_range(arm->laws, (uint32_t)index, &low, &high);
    if (index < 0 || cor_parameter_laws_is_integer(arm->laws, (uint32_t)index) || low < 0 || high > 1)
        return cor_json_fail(&json, error, "a number from 0 to 1, or the name of a real parameter within it",
                             "\"%s\" is no such parameter", name);
    return COR_OK;
}

/* Reads the quantities of the model over the parameters of `arm`, whose laws are finished. */
static enum cor_status arm_read_roles(const struct cor_test_model *model, struct cor_arm *arm,
                                      struct cor_error *error) {
    struct cor_json json;
    arm->roles.kind = model->kind;
    COR_TRY(cor_json_need(&model->root, "agents", &json, error));
    COR_TRY(read_quantity(&json, arm, 1, COR_AGENTS_MAX, &arm->roles.agents, error));
    COR_TRY(read_structure(model, arm, error));
    COR_TRY(read_groups(model, arm, error));
    COR_TRY(read_locations(model, arm, error));
    COR_TRY(read_idle_ratio(model, arm, error));
    arm->roles.budget_parameter = (uint32_t)cor_parameter_laws_find(arm->laws, "budget");
    /* "random": {"states": quantity, "degree_min": share, "power": n, "ring": mass}; only "states" may be a
     * parameter. */
    arm->roles.random_states = cor_calloc(model->environment_count, sizeof *arm->roles.random_states);
    COR_TRY(cor_made(arm->roles.random_states, error));
    for (uint32_t e = 0; e < model->environment_count; e++) {
        struct cor_json child;
        if (!model->environments[e].is_random)
            continue;
        COR_TRY(cor_json_need(&model->environments[e].law, "states", &child, error));
        COR_TRY(read_quantity(&child, arm, 2, COR_PROFILE_STATES_MAX, &arm->roles.random_states[e], error));
    }
    return COR_OK;
}

/* ---- how an arm says its monitors, and whether they can be used */

#define CLOCK_MOST 1000000
#define CPU_SECONDS 10 /* that all looks of a case may take in a cell */

static const char *const subjects[] = {"organization", "agent", NULL};
static const char *const rests[] = {"global", "unwatched", NULL};

static const struct cor_field monitor_members[] = {
    {"algorithm", COR_REQUIRED, COR_STRING_FIELD(struct cor_arm_monitors, algorithm)},
    {"for", COR_OPTIONAL,
     COR_ONE_OF_FIELD(struct cor_arm_monitors, subject, subjects, COR_MONITOR_ORGANIZATION, "subject")},
    {"clock", COR_OPTIONAL, COR_INTEGER_FIELD(struct cor_arm_monitors, clock, 1, CLOCK_MOST)},
    {"rest", COR_OPTIONAL, COR_ONE_OF_FIELD(struct cor_arm_monitors, rest, rests, COR_REST_GLOBAL, "rest")},
    {"fault", COR_OPTIONAL, COR_STRING_FIELD(struct cor_arm_monitors, fault)},
    {0}};

struct cor_monitors_definition interaction__monitors_definition(const struct cor_arm_monitors *monitors) {
    return (struct cor_monitors_definition){.monitor = monitors->algorithm,
                                            .fault = monitors->fault,
                                            .subject = monitors->subject,
                                            .in_cell = monitors->in_cell,
                                            .is_full = monitors->is_full,
                                            .cpu_seconds = CPU_SECONDS,
                                            .introduction = monitors->introduction};
}

enum cor_status interaction__monitors_check(struct cor_experiment *experiment, struct cor_error *error) {
    for (uint32_t a = 0; a < experiment->arm_count; a++) {
        struct cor_arm *arm = &experiment->arms[a];
        struct cor_json json; /* where the arm says them: itself, or its preset */
        if (!cor_json_find(&arm->json, "monitor", &json) &&
            !cor_json_find(&arm->preset_json, "monitor", &json))
            json = arm->json;
        if (!arm->monitors.algorithm)
            continue;
        if (!experiment->text_corridor)
            return cor_json_fail(&json, error, "write \"corridor\" beside \"arms\", or leave it out",
                                 "a monitor under test is about a corridor as a text, and there is none");
        const struct cor_isolation_definition *isolation = cor_registry_isolation(experiment->registry);
        struct cor_error said = COR_NO_ERROR;
        struct cor_monitors *made = NULL;
        char digest[COR_DIGEST_TEXT];
        const bool is_module = strchr(arm->monitors.algorithm, '/') != NULL;
        enum cor_status status = COR_OK;
        if (is_module)
            status = cor_trust_check(&isolation->trust, arm->monitors.algorithm, &said);
        arm->monitors.in_cell = is_module && isolation->which != COR_ISOLATION_NEVER;
        arm->monitors.is_full = isolation->is_full;
        const struct cor_monitors_definition definition = interaction__monitors_definition(&arm->monitors);
        if (status == COR_OK)
            status = cor_monitors_create(&definition, NULL, &made, &said);
        if (status == COR_OK && is_module)
            status = cor_file_digest(arm->monitors.algorithm, digest, &said);
        if (status == COR_OK && is_module)
            status = cor_made(arm->monitors.digest = cor_strdup(digest), &said);
        if (status == COR_OK && is_module) { /* who makes monitors of the arm later need not ask */
            arm->monitors.introduction = cor_calloc(1, sizeof *arm->monitors.introduction);
            status = cor_made(arm->monitors.introduction, &said);
            if (status == COR_OK)
                *arm->monitors.introduction = *cor_monitors_introduction(made);
        }
        cor_monitors_destroy(made);
        COR_TRY(status == COR_OK ? COR_OK
                                 : interaction__repeat_of(&json, arm->monitors.algorithm, &said, error));
        /* What nobody would watch is refused unless the arm says so. */
        struct cor_trigger_program program = {0};
        struct interaction__parts parts = {0};
        const struct interaction__text *text = experiment->text_corridor;
        status = interaction__text_split(text, NULL, arm->monitors.subject == COR_MONITOR_AGENT, &program,
                                         &parts, error);
        for (uint32_t p = 0; status == COR_OK && p < parts.count; p++)
            if (parts.parts[p].cases > 1 && arm->monitors.clock > 1)
                status = cor_json_fail(
                    &json, error, "write \"clock\": 1, or leave \"each\" out and write \"rest\"",
                    "\"%s\" counts cases of each organization, and the monitor looks at one "
                    "of %u",
                    interaction__text_name(text, parts.parts[p].constraint), arm->monitors.clock);
        for (uint32_t t = 0; status == COR_OK && t < parts.trigger_count; t++)
            if (parts.reasons[t] && arm->monitors.rest == COR_REST_UNSAID)
                status =
                    cor_json_fail(&json, error,
                                  "write \"rest\": \"global\", and an observer of the whole system watches "
                                  "it, or \"rest\": \"unwatched\"",
                                  "no %s can watch \"%s\" by itself: %s",
                                  subjects[arm->monitors.subject - COR_MONITOR_ORGANIZATION],
                                  interaction__text_name(text, parts.triggers[t]), parts.reasons[t]);
        interaction__parts_fini(&parts);
        cor_trigger_program_fini(&program);
        COR_TRY(status);
    }
    return COR_OK;
}

enum cor_status interaction__monitors_say(const struct cor_experiment *experiment, char **warnings,
                                          struct cor_error *error) {
    const struct interaction__text *text = experiment->text_corridor;
    enum cor_status status = COR_OK;
    for (uint32_t a = 0; a < experiment->arm_count && status == COR_OK; a++) {
        const struct cor_arm *arm = &experiment->arms[a];
        struct cor_trigger_program program = {0};
        struct interaction__parts parts = {0};
        if (!arm->monitors.algorithm)
            continue;
        status = interaction__text_split(text, NULL, arm->monitors.subject == COR_MONITOR_AGENT, &program,
                                         &parts, error);
        for (uint32_t t = 0; status == COR_OK && t < parts.trigger_count; t++) {
            if (!parts.reasons[t])
                continue;
            char *before = *warnings;
            *warnings = cor_format("%sarm \"%s\": %s watches \"%s\": %s\n", before ? before : "", arm->name,
                                   arm->monitors.rest == COR_REST_GLOBAL ? "an observer of the whole system"
                                                                         : "nobody",
                                   interaction__text_name(text, parts.triggers[t]), parts.reasons[t]);
            free(before);
            status = cor_made(*warnings, error);
        }
        interaction__parts_fini(&parts);
        cor_trigger_program_fini(&program);
    }
    return status;
}

/* ---- what an arm is made of: the one place that says which code it executes */

static bool is_module_path(const char *name) {
    return strchr(name, '/') != NULL;
}

uint32_t cor_arm_component_count(const struct cor_arm *arm) {
    return (arm->monitors.algorithm ? 2u : 1u) + arm->mechanism_count;
}

struct cor_arm_component cor_arm_component_at(const struct cor_experiment *experiment,
                                              const struct cor_arm *arm, uint32_t index) {
    const struct cor_registry *registry = experiment->registry;
    COR_ASSERT(index < cor_arm_component_count(arm));
    if (index == 0)
        return (struct cor_arm_component){.is = COR_COMPONENT_ALGORITHM,
                                          .name = arm->algorithm->name,
                                          .digest = cor_registry_digest(registry, arm->algorithm),
                                          .is_foreign = cor_registry_is_foreign(registry, arm->algorithm)};
    const struct cor_arm_monitors *monitors = &arm->monitors;
    if (index == 1 && monitors->algorithm)
        return (struct cor_arm_component){.is = COR_COMPONENT_MONITOR,
                                          .name = monitors->algorithm,
                                          .digest = monitors->digest,
                                          .is_foreign = is_module_path(monitors->algorithm)};
    const struct cor_mechanism *mechanism =
        arm->mechanisms[index - 1 - (monitors->algorithm != NULL)].mechanism;
    const char *name = cor_registry_mechanism_origin(registry, mechanism);
    return (struct cor_arm_component){.is = COR_COMPONENT_MECHANISM,
                                      .name = name,
                                      .digest = cor_registry_mechanism_digest(registry, mechanism),
                                      .is_foreign = is_module_path(name)};
}

void cor_arm_component_put(const struct cor_arm_component *component, struct cor_json_writer *writer) {
    cor_json_open_object(writer, NULL);
    cor_json_put_string(writer, "name", component->name);
    cor_json_put_string(writer, "sha256", component->digest);
    cor_json_close(writer);
}

enum cor_status interaction__components_note(struct cor_experiment *experiment, struct cor_error *error) {
    for (uint32_t a = 0; a < experiment->arm_count; a++) {
        struct cor_arm *arm = &experiment->arms[a];
        for (uint32_t i = 0; i < cor_arm_component_count(arm); i++) {
            const char *digest = cor_arm_component_at(experiment, arm, i).digest;
            if (!digest)
                continue;
            char *before = arm->digest;
            arm->digest = cor_format("%s%s", before ? before : "", digest);
            free(before);
            COR_TRY(cor_made(arm->digest, error));
        }
    }
    return COR_OK;
}

void cor_arm_tell_code(const struct cor_experiment *experiment, const struct cor_arm *arm,
                       struct cor_arm_head *head) {
    head->digest = arm->digest;
    for (uint32_t i = 0; i < cor_arm_component_count(arm); i++) {
        const struct cor_arm_component component = cor_arm_component_at(experiment, arm, i);
        head->foreign = head->foreign || component.is_foreign;
        head->unasked = head->unasked || (component.is_foreign && i > 0);
    }
}

bool cor_arms_are_known(const struct cor_experiment *experiment, const struct cor_arm *arms, uint32_t count) {
    for (uint32_t a = 0; a < count; a++)
        for (uint32_t i = 0; i < cor_arm_component_count(&arms[a]); i++) {
            const struct cor_arm_component component = cor_arm_component_at(experiment, &arms[a], i);
            const bool is_command = i == 0 && cor_algorithm_is_program(arms[a].algorithm);
            if ((is_command || (i > 0 && component.is_foreign)) && !component.digest)
                return false;
        }
    return true;
}

/* Has an arm before `arm`, or the arm itself before that component, the same? */
static bool is_put(const struct cor_experiment *experiment, const struct cor_arm *arms, uint32_t arm,
                   const struct cor_arm_component *component, uint32_t index) {
    for (uint32_t a = 0; a <= arm; a++)
        for (uint32_t i = 1; i < (a < arm ? cor_arm_component_count(&arms[a]) : index); i++) {
            const struct cor_arm_component other = cor_arm_component_at(experiment, &arms[a], i);
            if (other.is == component->is && other.digest && strcmp(other.name, component->name) == 0)
                return true;
        }
    return false;
}

static void put_modules(const struct cor_experiment *experiment, const struct cor_arm *arms, uint32_t count,
                        enum cor_component which, const char *key, struct cor_json_writer *writer) {
    bool is_open = false;
    for (uint32_t a = 0; a < count; a++)
        for (uint32_t i = 1; i < cor_arm_component_count(&arms[a]); i++) {
            const struct cor_arm_component component = cor_arm_component_at(experiment, &arms[a], i);
            if (component.is != which || !component.digest || is_put(experiment, arms, a, &component, i))
                continue;
            if (!is_open)
                cor_json_open_array(writer, key);
            is_open = true;
            cor_arm_component_put(&component, writer);
        }
    if (is_open)
        cor_json_close(writer);
}

void cor_arms_put_beside(const struct cor_experiment *experiment, const struct cor_arm *arms, uint32_t count,
                         struct cor_json_writer *writer) {
    struct cor_arm_head head = {0};
    for (uint32_t a = 0; a < count; a++)
        cor_arm_tell_code(experiment, &arms[a], &head);
    if (!head.unasked)
        return;
    cor_json_put_bool(writer, "foreign_programs", true);
    put_modules(experiment, arms, count, COR_COMPONENT_MONITOR, "monitors", writer);
    put_modules(experiment, arms, count, COR_COMPONENT_MECHANISM, "mechanisms", writer);
}

enum cor_status cor_arms_look_at_isolation(const char *path, const struct cor_experiment *experiment,
                                           const struct cor_arm *arms, uint32_t count, char **warnings,
                                           struct cor_error *error) {
    struct cor_needs needs = {0};
    bool has_cells = false;
    enum cor_status status = COR_OK;
    for (uint32_t a = 0; a < count && status == COR_OK; a++)
        /* The algorithm works in a cell, or it is a program, a process behind the same walls. */
        if (arms[a].session.place == COR_SESSION_IN_CELL || cor_algorithm_is_program(arms[a].algorithm)) {
            has_cells = true;
            status = cor_registry_needs(experiment->registry, arms[a].algorithm, &needs, error);
        }
    for (uint32_t a = 0; a < count && status == COR_OK; a++)
        if (arms[a].monitors.in_cell) {
            has_cells = true;
            status = cor_needs_of_module(&needs, arms[a].monitors.algorithm, error);
        }
    for (uint32_t a = 0; a < count; a++)
        for (uint32_t i = 0; i < arms[a].mechanism_count && status == COR_OK; i++) {
            const char *module =
                cor_registry_mechanism_cell(experiment->registry, arms[a].mechanisms[i].mechanism);
            has_cells = has_cells || module;
            if (module)
                status = cor_needs_of_module(&needs, module, error);
        }
    if (status == COR_OK && has_cells)
        status = cor_guarantees_look(path, &needs, cor_registry_isolation(experiment->registry)->is_full,
                                     warnings, error);
    cor_needs_fini(&needs);
    return status;
}

/* ---- whether the corridor as a text can hold is asked of each arm, and once of those of which the same is
 * asked */

/* Numbers that the text may name, beside the parameters of the laws. */
enum { ROLE_THRESHOLD = 4, ROLES };
static const char *const role_names[ROLES] = {"size_min", "size_max", "count_min", "count_max", "threshold"};

/* Whether the variable is drawn by a fallback or behind it: then its range is that of the laws no more. */
static bool may_fall_back(const struct cor_parameter_laws *laws, uint32_t variable) {
    uint32_t first = UINT32_MAX;
    if (!laws->has_fallback)
        return false;
    for (size_t i = 0; i < laws->fallback.count; i++) {
        const struct interaction__definition *d = &laws->fallback.definitions[i];
        for (uint32_t v = 0; v < d->variable_count; v++) {
            const struct cor_variable *drawn = &laws->variables[d->variable[v]];
            if (!drawn->is_helper && drawn->stage < first)
                first = drawn->stage;
        }
    }
    return laws->variables[variable].is_helper || laws->variables[variable].stage >= first;
}

static bool may_quantity_fall_back(const struct cor_parameter_laws *laws,
                                   const struct cor_expression *expression) {
    for (uint32_t v = 0; expression->text && v < laws->variable_count; v++)
        if (cor_expression_reads(expression, v) && may_fall_back(laws, v))
            return true;
    return false;
}

/* What a role surely is, as the text may name it: what an algorithm is not held to does not bind. */
static struct interaction__number role_number(const struct cor_experiment *experiment,
                                              const struct cor_arm *arm, uint32_t role) {
    const struct cor_roles *r = &arm->roles;
    const struct cor_derived_quantity *const quantities[ROLES] = {&r->size_min, &r->size_max, &r->count_min,
                                                                  &r->count_max};
    const struct cor_limits none = COR_NO_LIMITS;
    const double free_of[ROLES] = {none.size_min, none.size_max, none.count_min, none.count_max};
    struct interaction__number number = {role_names[role], role != ROLE_THRESHOLD, -INFINITY, INFINITY};
    if (role == ROLE_THRESHOLD) {
        if (experiment->model->threshold_given)
            number.low = number.high = experiment->model->threshold;
        return number;
    }
    const struct cor_value_range range = interaction__quantity_interval(arm->laws, quantities[role]);
    const bool is_held = arm->algorithm->capabilities & COR_LIMITS;
    if (is_held && may_quantity_fall_back(arm->laws, &quantities[role]->expression))
        return number;
    number.low = is_held ? (double)range.low : free_of[role];
    number.high = is_held ? (double)range.high : free_of[role];
    return number;
}

enum cor_status interaction__arm_numbers(const struct cor_experiment *experiment, const struct cor_arm *arm,
                                         struct interaction__number **numbers, uint32_t *count,
                                         struct cor_error *error) {
    const uint32_t laws = cor_parameter_laws_size(arm->laws);
    struct interaction__number *made = *numbers = cor_calloc(laws + ROLES, sizeof *made);
    COR_TRY(cor_made(made, error));
    for (uint32_t p = 0; p < laws; p++) {
        cor_parameter_laws_range(arm->laws, p, &made[p].low, &made[p].high);
        made[p].name = cor_parameter_laws_name(arm->laws, p);
        made[p].is_integer = cor_parameter_laws_is_integer(arm->laws, p);
    }
    for (uint32_t role = 0; role < ROLES; role++)
        made[laws + role] = role_number(experiment, arm, role);
    *count = laws + ROLES;
    return COR_OK;
}

/* The limits that the text names by a role, and that do not bind in the arm though the model has some. */
static enum cor_status find_unbound(const struct cor_experiment *experiment, const struct cor_arm *arm,
                                    char **names, struct cor_error *error) {
    const struct cor_roles *r = &arm->roles;
    const struct cor_derived_quantity *const quantities[ROLE_THRESHOLD] = {&r->size_min, &r->size_max,
                                                                           &r->count_min, &r->count_max};
    struct interaction__number *numbers;
    uint32_t count,
        *found = cor_calloc(interaction__text_parameter_count(experiment->text_corridor), sizeof *found);
    enum cor_status status = cor_made(found, error);
    if (status == COR_OK)
        status = interaction__arm_numbers(experiment, arm, &numbers, &count, error);
    if (status != COR_OK) {
        free(found);
        return status;
    }
    const struct cor_limits none = COR_NO_LIMITS;
    const double free_of[ROLES] = {none.size_min, none.size_max, none.count_min, none.count_max};
    const uint32_t roles = count - ROLES,
                   parameters = interaction__text_parameter_count(experiment->text_corridor);
    for (uint32_t i = roles; i < count; i++) { /* a text may be narrower than what a role can be */
        numbers[i].low = -INFINITY;
        numbers[i].high = INFINITY;
    }
    status =
        interaction__text_find_parameters(experiment->text_corridor, arm->name, numbers, count, found, error);
    for (uint32_t p = 0; status == COR_OK && p < parameters; p++) {
        const uint32_t role = found[p] - roles;
        if (found[p] < roles || role >= ROLE_THRESHOLD)
            continue;
        const struct cor_value_range range = interaction__quantity_interval(arm->laws, quantities[role]);
        if ((double)range.low == free_of[role] && (double)range.high == free_of[role])
            continue;
        *names = cor_join_take(*names, " and ", cor_strdup(role_names[role]));
        status = cor_made(*names, error);
    }
    COR_FREE(numbers, found);
    return status;
}

enum cor_status interaction__text_say_unbound(const struct cor_experiment *experiment, char **warnings,
                                              struct cor_error *error) {
    if (!experiment->text_corridor)
        return COR_OK;
    enum cor_status status = COR_OK;
    char **names = cor_calloc(experiment->arm_count, sizeof *names);
    COR_TRY(cor_made(names, error));
    for (uint32_t a = 0; a < experiment->arm_count; a++) {
        COR_TRY_OUT(cor_made(names[a] = cor_strdup(""), error));
        if (!(experiment->arms[a].algorithm->capabilities & COR_LIMITS))
            COR_TRY_OUT(find_unbound(experiment, &experiment->arms[a], &names[a], error));
    }
    for (uint32_t a = 0; a < experiment->arm_count; a++)
        if (names[a][0] != '\0') {
            /* A line for the arms from this one on of which the same is said; their names are taken. */
            char *arms = cor_strdup("");
            for (uint32_t b = a; b < experiment->arm_count; b++)
                if (strcmp(names[b], names[a]) == 0)
                    arms = cor_join_take(arms, ", ", cor_strdup(experiment->arms[b].name));
            COR_TRY_OUT(cor_made(arms, error));
            char *line = cor_format(
                "%s%s: nothing bounds %s in the corridor, as the algorithm does not promise to keep "
                "limits (COR_LIMITS); numbers written there bind it\n",
                *warnings ? *warnings : "", arms, names[a]);
            for (uint32_t b = experiment->arm_count; b-- > a;)
                if (strcmp(names[b], names[a]) == 0)
                    names[b][0] = '\0';
            COR_FREE(arms, *warnings);
            COR_TRY_OUT(cor_made(*warnings = line, error));
        }
out:
    for (uint32_t a = 0; a < experiment->arm_count; a++)
        free(names[a]);
    free(names);
    return status;
}

/* What of an arm a question depends on. */
struct arm_question {
    struct interaction__number *numbers; /* owned */
    uint32_t count;
    uint32_t *found; /* owned; [parameter of the text] */
};

struct asking {
    const struct cor_experiment *experiment;
    struct arm_question *questions; /* owned; [arm] */
    struct cor_arm_proofs *proofs;
};

static enum cor_status make_question(struct asking *asking, uint32_t arm, struct cor_error *error) {
    const struct cor_experiment *experiment = asking->experiment;
    const struct interaction__text *text = experiment->text_corridor;
    struct arm_question *question = &asking->questions[arm];
    const struct cor_arm *of = &experiment->arms[arm];
    struct cor_arm_proof *proof = &asking->proofs->arms[arm];
    const struct cor_value_range agents = interaction__quantity_interval(of->laws, &of->roles.agents);
    /* No suite is drawn with another number. */
    proof->agents_low = agents.low < 1                ? 1
                        : agents.low > COR_AGENTS_MAX ? COR_AGENTS_MAX
                                                      : (uint32_t)agents.low;
    proof->agents_high = agents.high > COR_AGENTS_MAX ? COR_AGENTS_MAX : (uint32_t)agents.high;
    if (experiment->model->comes_and_goes)
        proof->agents_low = 1; /* so few may be there */
    if (may_quantity_fall_back(of->laws, &of->roles.agents.expression)) {
        proof->agents_low = 1;
        proof->agents_high = COR_AGENTS_MAX;
    }
    if (agents.high < proof->agents_low) /* of no suite: nothing is drawn at all */
        proof->agents_high = proof->agents_low;
    question->found = cor_calloc(interaction__text_parameter_count(text), sizeof *question->found);
    COR_TRY(cor_made(question->found, error));
    COR_TRY(interaction__arm_numbers(experiment, &experiment->arms[arm], &question->numbers, &question->count,
                                     error));
    /* What a fallback may draw can be anything; what an arm sets is no longer what the laws draw. */
    const struct cor_parameter_laws *laws = experiment->arms[arm].laws;
    struct interaction__number *numbers = question->numbers;
    for (uint32_t v = 0; v < laws->parameter_count; v++)
        if (may_fall_back(laws, v)) {
            numbers[v].low = -INFINITY;
            numbers[v].high = INFINITY;
        }
    for (size_t i = 0; i < laws->override_count; i++) {
        const struct cor_override *set = &laws->overrides[i];
        const struct cor_value_range range = interaction__laws_interval(laws, &set->value);
        if (set->variable >= laws->parameter_count || !laws->variables[set->variable].is_integer)
            continue;
        const bool is_sure = !may_quantity_fall_back(laws, &set->value);
        numbers[set->variable].low = is_sure ? (double)range.low : -INFINITY;
        numbers[set->variable].high = is_sure ? (double)range.high : INFINITY;
    }
    return interaction__text_find_parameters(text, experiment->arms[arm].name, question->numbers,
                                             question->count, question->found, error);
}

static bool is_same(const struct asking *asking, uint32_t a, uint32_t b) {
    const struct cor_arm_proof *one = &asking->proofs->arms[a], *other = &asking->proofs->arms[b];
    const struct arm_question *x = &asking->questions[a], *y = &asking->questions[b];
    if (one->agents_low != other->agents_low || one->agents_high != other->agents_high)
        return false;
    for (uint32_t p = 0; p < interaction__text_parameter_count(asking->experiment->text_corridor); p++) {
        const struct interaction__number *m = &x->numbers[x->found[p]], *n = &y->numbers[y->found[p]];
        if (m->low != n->low || m->high != n->high)
            return false;
    }
    return true;
}

static enum cor_status ask_all(void *context, const struct interaction__agents *agents,
                               struct cor_error *error) {
    struct asking *asking = context;
    for (uint32_t a = 0; a < asking->proofs->count; a++) {
        struct cor_arm_proof *proof = &asking->proofs->arms[a];
        COR_TRY(make_question(asking, a, error));
        while (!is_same(asking, proof->same, a))
            proof->same++;
        if (proof->same < a) {
            const struct cor_arm_proof *from = &asking->proofs->arms[proof->same];
            proof->answer = from->answer;
            proof->why = cor_strdup(from->why);
            proof->conflict = cor_strdup(from->conflict);
            proof->place = cor_strdup(from->place);
            COR_TRY(proof->why && proof->conflict && proof->place ? COR_OK : cor_fail_memory(error));
            continue;
        }
        const struct interaction__text_question question = {agents, proof->agents_low, proof->agents_high,
                                                            asking->questions[a].numbers,
                                                            asking->questions[a].found};
        struct interaction__text_answer answer;
        const enum cor_status status =
            interaction__text_prove(asking->experiment->text_corridor, &question, &answer, error);
        proof->answer = answer.answer;
        proof->why = answer.why;
        proof->conflict = answer.conflict;
        proof->place = answer.place;
        COR_TRY(status);
    }
    return COR_OK;
}

enum cor_status cor_experiment_prove(const struct cor_experiment *experiment, struct cor_arm_proofs *proofs,
                                     struct cor_error *error) {
    *proofs = (struct cor_arm_proofs){NULL, 0};
    if (!experiment->text_corridor)
        return COR_OK;
    struct asking asking = {experiment, cor_calloc(experiment->arm_count, sizeof *asking.questions), proofs};
    proofs->arms = cor_calloc(experiment->arm_count, sizeof *proofs->arms);
    enum cor_status status = asking.questions && proofs->arms ? COR_OK : cor_fail_memory(error);
    if (status == COR_OK) {
        proofs->count = experiment->arm_count;
        status = interaction__with_agents(experiment, ask_all, &asking, error);
    }
    for (uint32_t a = 0; asking.questions && a < experiment->arm_count; a++) {
        COR_FREE(asking.questions[a].numbers, asking.questions[a].found);
    }
    free(asking.questions);
    return status;
}

void cor_arm_proofs_fini(struct cor_arm_proofs *proofs) {
    for (uint32_t a = 0; a < proofs->count; a++) {
        COR_FREE(proofs->arms[a].why, proofs->arms[a].conflict, proofs->arms[a].place);
    }
    free(proofs->arms);
    *proofs = (struct cor_arm_proofs){NULL, 0};
}

/* ---- an arm: algorithm, fault and preset, the laws of its parameters, and the faults of the testbed around
 * it */

#define DEFAULT_BUDGET 1000
#define INTERIM_MAX INT64_C(1000000000000) /* units of budget between two looks */
#define RETURN_CASES_MAX 1000
#define RETURN_CASES_UNSAID UINT32_MAX
#define RETURN_CASES 3 /* after a reorganization has begun that is as late as the arm says */

static enum cor_status find_algorithm(struct cor_registry *registry, const struct cor_json *json,
                                      const struct cor_algorithm **algorithm, struct cor_error *error) {
    static const char *const keys[] = {"command", NULL};
    struct cor_json child;
    struct cor_error said = COR_NO_ERROR;
    const char *name;
    bool is_command = cor_json_is_object(json);
    if (is_command) {
        COR_TRY(cor_json_expect_object(json, keys, error));
        COR_TRY(cor_json_need(json, "command", &child, error));
    }
    COR_TRY(cor_json_string(is_command ? &child : json, &name, error));
    enum cor_status status = is_command ? cor_registry_command(registry, name, algorithm, &said)
                                        : cor_registry_find(registry, name, algorithm, &said);
    if (status == COR_OK)
        return COR_OK;
    return is_command ? interaction__repeat_at(json, &said, error)
                      : interaction__repeat_of(json, name, &said, error);
}

/* The algorithm: of the arm, else of its preset. */
static enum cor_status read_algorithm(struct cor_experiment *experiment, const struct cor_json *json,
                                      const struct cor_json *preset, struct cor_arm *arm,
                                      struct cor_error *error) {
    struct cor_json child;
    if (!cor_json_find(json, "algorithm", &child) && !(preset && cor_json_find(preset, "algorithm", &child)))
        return cor_json_fail(json, error,
                             "\"algorithm\": a name that corridor list shows, the path of a module or "
                             "program, or {\"command\": ..}",
                             "names no algorithm");
    char place[512];
    COR_TRY(find_algorithm(experiment->registry, &child, &arm->algorithm, error));
    /* Does the algorithm make structures of that kind? */
    const struct cor_algorithm *algorithm = arm->algorithm;
    const enum cor_structure_kind kind = experiment->model->kind;
    const bool nests = cor_structure_nests(kind), covers = algorithm->capabilities & COR_COVERS,
               can_nest = algorithm->capabilities & COR_NESTS;
    if (!cor_algorithm_makes(algorithm, (enum cor_organized)kind))
        return cor_json_fail(
            &child, error,
            nests ? "an algorithm that \"makes hierarchies\" (corridor list), such as balanced_tree"
                  : "an algorithm that \"makes coverings\" (corridor list), such as greedy_cover",
            "%s promises %s, but the kind of the structure is \"%s\"", algorithm->name,
            covers || can_nest
                ? covers ? "partitionings and coverings alone" : "partitionings and hierarchies alone"
                : "partitionings alone",
            cor_structure_words[kind]);
    cor_json_place(&child, place, sizeof place);
    COR_TRY(cor_attribute_check_needs(experiment->model->attributes, experiment->model->attribute_count,
                                      arm->algorithm, place, error));
    arm->session = cor_registry_session(experiment->registry, arm->algorithm);
    arm->session.measure = experiment->model->measure;
    return COR_OK;
}

static enum cor_status read_fault(const struct cor_json *json, struct cor_arm *arm, struct cor_error *error) {
    struct cor_json child;
    const char *name;
    struct cor_error said = COR_NO_ERROR;
    if (!cor_json_find(json, "fault", &child))
        return COR_OK;
    COR_TRY(cor_json_string(&child, &name, error));
    return cor_algorithm_fault(arm->algorithm, name, &arm->fault, &said) == COR_OK
               ? COR_OK
               : interaction__repeat_at(&child, &said, error);
}

/* Complains about a parameter where it is defined: in the model, in a preset or in the arm. */
static enum cor_status refuse_parameter(const struct cor_arm *arm, uint32_t index, const char *remedy,
                                        const char *cause, struct cor_error *error) {
    return cor_fail(error, COR_STATUS_INPUT, cor_parameter_laws_place(arm->laws, index), remedy, "%s: %s",
                    cor_parameter_laws_text(arm->laws, index), cause);
}

static enum cor_status check_ranges(const struct cor_arm *arm, struct cor_error *error) {
    for (uint32_t i = 0; i < cor_algorithm_parameter_count(arm->algorithm); i++) {
        const struct cor_parameter *p = &arm->algorithm->parameters[i];
        double low, high;
        char cause[256];
        if (arm->algorithm_parameters[i] < 0)
            continue; /* an option that nobody has set */
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

static enum cor_status find_parameters(struct cor_arm *arm, struct cor_error *error) {
    uint32_t count = cor_algorithm_parameter_count(arm->algorithm);
    arm->algorithm_parameters = cor_calloc(count, sizeof *arm->algorithm_parameters);
    COR_TRY(cor_made(arm->algorithm_parameters, error));
    for (uint32_t i = 0; i < count; i++)
        arm->algorithm_parameters[i] = cor_parameter_laws_find(arm->laws, arm->algorithm->parameters[i].name);
    return COR_OK;
}

static enum cor_status describe(struct cor_arm *arm, enum cor_structure_kind kind, struct cor_error *error) {
    struct cor_json_writer *writer;
    COR_TRY(cor_json_writer_create(&writer, error));
    cor_json_open_object(writer, NULL);
    cor_json_put_string(writer, "algorithm", arm->algorithm->name);
    cor_json_put_string(writer, "fault",
                        arm->mock ? interaction__mechanism_fault_name(arm->mechanisms)
                                  : cor_algorithm_fault_name(arm->algorithm, arm->fault));
    cor_json_put_string(writer, "preset", arm->preset);
    const bool steered = arm->traps && arm->traps->profile_share < 1;
    cor_json_put_string(writer, "environment",
                        arm->traps && !steered ? cor_source_profile.name : arm->source->name);
    cor_json_put_string(writer, "mail", cor_term_word(COR_FAMILY_MAIL, (int)arm->session.mail.mode));
    cor_json_put_string(writer, "monitor",
                        arm->monitors.algorithm
                            ? arm->monitors.fault
                            : cor_term_word(COR_FAMILY_MONITOR_FAULT, (int)arm->monitor.fault));
    if (arm->monitors.algorithm)
        cor_json_put_string(writer, "observer", arm->monitors.algorithm);
    cor_json_put_string(writer, "adoption",
                        cor_term_word(COR_FAMILY_ADOPTION_FAULT, (int)arm->adoption.fault));
    if (kind != COR_STRUCTURE_PARTITIONING)
        cor_json_put_string(writer, "kind", cor_structure_words[kind]);
    if (arm->result.fault != COR_RESULT_FAULT_NONE)
        cor_json_put_string(writer, "result", cor_term_word(COR_FAMILY_RESULT_FAULT, (int)arm->result.fault));
    if (arm->session.agents.fault != COR_CRASH_FAULT_NONE)
        cor_json_put_string(writer, "agents",
                            cor_term_word(COR_FAMILY_CRASH_FAULT, (int)arm->session.agents.fault));
    if (arm->clocks.case_ticks > 0)
        cor_json_put_string(writer, "execution", "continuous");
    interaction__mechanisms_describe(writer, arm);
    if (arm->traps) {
        /* What the numbers of the result file's traps mean. */
        cor_json_put_real(writer, "profile_share", arm->traps->profile_share);
        cor_json_open_array(writer, "traps");
        for (uint32_t t = 0; t < arm->traps->count; t++)
            cor_json_put_string(writer, NULL, arm->traps->traps[t].name);
        cor_json_close(writer);
    }
    cor_json_close(writer);
    return cor_json_text_take(writer, 0, &arm->description, error);
}

const struct cor_field cor_mail_fields[] = {
    {"mode", COR_REQUIRED, COR_TERM_FIELD(struct cor_mail_schedule, mode, COR_FAMILY_MAIL)},
    {"delay_max", COR_OPTIONAL, COR_INTEGER_FIELD(struct cor_mail_schedule, delay_max, 1, 1000),
     COR_ONLY_WITH("mode", COR_BIT(COR_MAIL_DELAYED))},
    {"loss_ratio", COR_OPTIONAL, COR_REAL_FIELD(struct cor_mail_schedule, loss_ratio, 0, 1),
     COR_ONLY_WITH("mode", COR_BIT(COR_MAIL_LOSSY))},
    {"duplicate_ratio", COR_OPTIONAL, COR_REAL_FIELD(struct cor_mail_schedule, duplicate_ratio, 0, 1),
     COR_ONLY_WITH("mode", COR_BIT(COR_MAIL_DUPLICATED))},
    {"depth", COR_OPTIONAL, COR_INTEGER_FIELD(struct cor_mail_schedule, depth, 1, 64),
     COR_ONLY_WITH("mode", COR_BIT(COR_MAIL_PCT))},
    {"bound", COR_OPTIONAL, COR_INTEGER_FIELD(struct cor_mail_schedule, bound, 0, 8),
     COR_ONLY_WITH("mode", COR_BIT(COR_MAIL_BOUNDED))},
    {"messages", COR_OPTIONAL, COR_INTEGER_FIELD(struct cor_mail_schedule, messages, 1, 1000000000),
     COR_ONLY_WITH("mode", COR_BIT(COR_MAIL_PCT) | COR_BIT(COR_MAIL_BOUNDED))},
    {"index", COR_OPTIONAL, COR_INTEGER_FIELD(struct cor_mail_schedule, index, 0, 1000000000),
     COR_ONLY_WITH("mode", COR_BIT(COR_MAIL_BOUNDED))},
    {0}};
const struct cor_mail_schedule cor_mail_default = {.mode = COR_MAIL_IN_ORDER,
                                                   .delay_max = 3,
                                                   .loss_ratio = 0.01,
                                                   .duplicate_ratio = 0.01,
                                                   .depth = 1,
                                                   .bound = 1,
                                                   .messages = 1000,
                                                   .index = -1};

const struct cor_field cor_crash_fields[] = {
    {"fault", COR_REQUIRED, COR_TERM_FIELD(struct cor_crash_definition, fault, COR_FAMILY_CRASH_FAULT)},
    {"probability", COR_OPTIONAL, COR_REAL_FIELD(struct cor_crash_definition, probability, 0, 1),
     COR_ONLY_WITH("fault", COR_BIT(COR_CRASH_FAULT_CRASHED))},
    {"rounds", COR_OPTIONAL, COR_INTEGER_FIELD(struct cor_crash_definition, down_rounds, 1, 1000000),
     COR_ONLY_WITH("fault", COR_BIT(COR_CRASH_FAULT_CRASHED))},
    {0}};
const struct cor_crash_definition cor_crash_default = {COR_CRASH_FAULT_NONE, .probability = 0.001,
                                                       .down_rounds = 5};

static const struct cor_field monitor_fields[] = {
    {"fault", COR_REQUIRED, COR_TERM_FIELD(struct cor_monitor_definition, fault, COR_FAMILY_MONITOR_FAULT)},
    {"probability", COR_OPTIONAL, COR_REAL_FIELD(struct cor_monitor_definition, probability, 0, 1),
     COR_ONLY_WITH("fault", COR_BIT(COR_MONITOR_FAULT_MISSED) | COR_BIT(COR_MONITOR_FAULT_FALSE))},
    {"delay", COR_OPTIONAL, COR_INTEGER_FIELD(struct cor_monitor_definition, delay_cases, 1, 1000000),
     COR_ONLY_WITH("fault", COR_BIT(COR_MONITOR_FAULT_LATE))},
    {0}};
static const struct cor_monitor_definition monitor_default = {COR_MONITOR_FAULT_NONE, .probability = 1,
                                                              .delay_cases = 1};

static enum cor_status read_monitor(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_arm *arm = into;
    arm->monitor = monitor_default;
    arm->monitors = (struct cor_arm_monitors){0};
    if (cor_json_is_object(json) && cor_json_size(json) == 0)
        return cor_json_fail(json, error, "write \"fault\", or \"algorithm\"",
                             "says neither its fault nor another monitor");
    /* Is the object of "monitor" about one? Reads it; writes it, if the arm has one. */
    struct cor_json child;
    if (!cor_json_is_object(json) || !cor_json_find(json, "algorithm", &child))
        return cor_json_fields(json, monitor_fields, &arm->monitor, error);
    arm->monitors =
        (struct cor_arm_monitors){.fault = "none", .subject = COR_MONITOR_ORGANIZATION, .clock = 1};
    return cor_json_fields(json, monitor_members, &arm->monitors, error);
}

static const struct cor_field adoption_fields[] = {
    {"fault", COR_REQUIRED, COR_TERM_FIELD(struct cor_adoption_definition, fault, COR_FAMILY_ADOPTION_FAULT)},
    {"probability", COR_OPTIONAL, COR_REAL_FIELD(struct cor_adoption_definition, probability, 0, 1),
     COR_ONLY_WITH("fault", ~COR_BIT(COR_ADOPTION_FAULT_NONE))},
    {0}};
static const struct cor_adoption_definition adoption_default = {COR_ADOPTION_FAULT_NONE, .probability = 1};

static const struct cor_field result_fields[] = {
    {"fault", COR_REQUIRED,
     COR_TERM_FIELD(struct cor_result_fault_definition, fault, COR_FAMILY_RESULT_FAULT)},
    {"probability", COR_OPTIONAL, COR_REAL_FIELD(struct cor_result_fault_definition, probability, 0, 1),
     COR_ONLY_WITH("fault", ~COR_BIT(COR_RESULT_FAULT_NONE))},
    {0}};
static const struct cor_result_fault_definition result_default = {COR_RESULT_FAULT_NONE, .probability = 1};

static enum cor_status add_laws(const struct cor_json *json, void *arm, struct cor_error *error) {
    return cor_parameter_laws_add(((struct cor_arm *)arm)->laws, json, error);
}

static enum cor_status constrain(const struct cor_json *json, void *arm, struct cor_error *error) {
    return cor_parameter_laws_constrain(((struct cor_arm *)arm)->laws, json, error);
}

static enum cor_status set(const struct cor_json *json, void *arm, struct cor_error *error) {
    return cor_parameter_laws_set(((struct cor_arm *)arm)->laws, json, error);
}

static enum cor_status read_source(const struct cor_json *json, void *arm, struct cor_error *error) {
    const char *word;
    struct cor_error said = COR_NO_ERROR;
    struct cor_json *traps = &((struct cor_arm *)arm)->traps_json;
    *traps = (struct cor_json){0};
    if (cor_json_is_object(json)) {
        *traps = *json; /* kept until the laws are finished: conditions speak of parameters */
        return COR_OK;
    }
    COR_TRY(cor_json_string(json, &word, error));
    if (cor_source_find(word, &((struct cor_arm *)arm)->source, &said) == COR_OK)
        return COR_OK;
    return interaction__repeat_at(json, &said, error);
}

/* What the testbed around an algorithm does wrong. */
static const struct cor_field fault_fields[] = {
    {"mail", COR_OPTIONAL,
     COR_OBJECT_FIELD(struct cor_arm, session.mail, cor_mail_fields, &cor_mail_default)},
    {"monitor", COR_OPTIONAL, COR_READ_FIELD(read_monitor)},
    {"adoption", COR_OPTIONAL,
     COR_OBJECT_FIELD(struct cor_arm, adoption, adoption_fields, &adoption_default)},
    {"result", COR_OPTIONAL, COR_OBJECT_FIELD(struct cor_arm, result, result_fields, &result_default)},
    {"agents", COR_OPTIONAL,
     COR_OBJECT_FIELD(struct cor_arm, session.agents, cor_crash_fields, &cor_crash_default)},
    {0}};

static enum cor_status read_execution(const struct cor_json *json, void *arm, struct cor_error *error) {
    return interaction__clocks_read(json, &((struct cor_arm *)arm)->clocks, error);
}

/* How its algorithm is called, looked at and limited. */
static const struct cor_field run_fields[] = {
    {"activation_delay", COR_OPTIONAL, COR_INTEGER_FIELD(struct cor_arm, activation_delay, 0, 1000)},
    {"look_every", COR_OPTIONAL, COR_INTEGER_FIELD(struct cor_arm, look_every, 0, 1000000)},
    {"execution", COR_OPTIONAL, COR_READ_FIELD(read_execution)},
    /* Until it is known which of preset and arm has the last word, and which mechanism is under test. */
    {"mechanisms", COR_OPTIONAL, COR_SAID_ARRAY_FIELD(0, COR_MANY),
     COR_PLACE_AT(struct cor_arm, mechanisms_json)},
    {"mock", COR_OPTIONAL, COR_KNOWN_FIELD, COR_PLACE_AT(struct cor_arm, mock_json)},
    {"interim", COR_OPTIONAL, COR_INTEGER_FIELD(struct cor_arm, session.interim_units, 0, INTERIM_MAX)},
    {"cpu_seconds", COR_OPTIONAL, COR_REAL_FIELD(struct cor_arm, session.cpu_seconds, 0.01, 1e6)},
    {"answer_seconds", COR_OPTIONAL, COR_REAL_FIELD(struct cor_arm, session.answer_seconds, 0.1, 1e6)},
    {"memory_bytes", COR_OPTIONAL,
     COR_INTEGER_FIELD(struct cor_arm, session.memory_limit, COR_GUEST_MEMORY_LEAST, COR_GUEST_MEMORY_MOST)},
    {"strict", COR_OPTIONAL, COR_BOOL_FIELD(struct cor_arm, session.strict)},
    {0}};

/* How it is judged by a corridor as a text. */
static const struct cor_field corridor_fields[] = {
    {"returns", COR_OPTIONAL, COR_INTEGER_FIELD(struct cor_arm, return_cases, 0, RETURN_CASES_MAX)},
    {"judge_moves", COR_OPTIONAL, COR_BOOL_FIELD(struct cor_arm, judge_moves)},
    {0}};

static const struct cor_field testbed_fields[] = {
    COR_ROWS_OF(fault_fields), COR_ROWS_OF(run_fields), COR_ROWS_OF(corridor_fields), {0}};

/* What an arm and its preset can both say; read for the preset first, so that the arm has the last word. */
static const struct cor_field setting_fields[] = {
    {"parameters", COR_OPTIONAL, COR_READ_FIELD(add_laws)},
    {"constraints", COR_OPTIONAL, COR_READ_FIELD(constrain)},
    {"set", COR_OPTIONAL, COR_READ_FIELD(set)},
    /* Until the laws are finished: classes are of parameters that are known then. */
    {"configurations", COR_OPTIONAL, COR_SAID_OBJECT_FIELD,
     COR_PLACE_AT(struct cor_arm, configurations_json)},
    COR_ROWS_OF(fault_fields),
    {"environment", COR_OPTIONAL, COR_READ_FIELD(read_source)},
    COR_ROWS_OF(run_fields),
    COR_ROWS_OF(corridor_fields),
    {"description", COR_OPTIONAL, COR_SAID_STRING_FIELD},
    {0}};

static const struct cor_field preset_fields[] = {
    {"algorithm", COR_OPTIONAL, COR_KNOWN_FIELD}, COR_ROWS_OF(setting_fields), {0}};

/* Name, fault, preset and stream are the arm's alone. */
static const struct cor_field arm_fields[] = {{"name", COR_REQUIRED, COR_KNOWN_FIELD},
                                              {"algorithm", COR_OPTIONAL, COR_KNOWN_FIELD},
                                              {"fault", COR_OPTIONAL, COR_KNOWN_FIELD},
                                              {"preset", COR_OPTIONAL, COR_KNOWN_FIELD},
                                              {"stream", COR_OPTIONAL, COR_KNOWN_FIELD},
                                              COR_ROWS_OF(setting_fields),
                                              {0}};

/* Their keys alone: what they say is read with each arm that names one. */
static enum cor_status check_preset(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_json child;
    COR_TRY(cor_json_expect_fields(json, preset_fields, error));
    return cor_json_find(json, "description", &child) ? cor_json_any_string(&child, into, error) : COR_OK;
}

enum cor_status interaction__presets_check(const struct cor_json *presets, struct cor_error *error) {
    return cor_json_each_member(presets, check_preset, NULL, error);
}

/* The preset that the arm names, if it names one. */
static enum cor_status find_preset(const struct cor_json *json, const struct cor_json *presets,
                                   struct cor_arm *arm, struct cor_error *error) {
    struct cor_json child;
    const char *name;
    uint32_t index;
    if (!cor_json_find(json, "preset", &child))
        return COR_OK;
    COR_TRY(cor_json_string(&child, &name, error));
    if (!presets)
        return cor_json_fail(&child, error, "write it under \"presets\", beside \"arms\"",
                             "unknown preset \"%s\"", name);
    COR_TRY(cor_json_find_name(&child, cor_json_names(presets), name, &index, error, "unknown preset \"%s\"",
                               name));
    (void)cor_json_find(presets, name, &arm->preset_json);
    arm->preset = cor_strdup(name);
    return cor_made(arm->preset, error);
}

/* A parameter that nobody has given a law has this value. */
static enum cor_status set_default(struct cor_arm *arm, const char *name, bool is_integer, double value,
                                   struct cor_error *error) {
    char key[128], text[64];
    snprintf(key, sizeof key, "parameters/%s", name);
    snprintf(text, sizeof text, "%.10g", value);
    if (cor_parameter_laws_find(arm->laws, name) < 0)
        COR_TRY(cor_json_note_default(&arm->json, key, text, error));
    return cor_parameter_laws_default(arm->laws, name, is_integer, value, error);
}

/* The settings, among them the laws of parameters: the model's, then the preset's, then the arm's own. */
static enum cor_status read_settings(const struct cor_experiment *experiment, struct cor_arm *arm,
                                     struct cor_error *error) {
    /* The model's own stages, constraints and fallback. */
    struct cor_json child;
    COR_TRY(cor_parameter_laws_create(&arm->laws, error));
    if (cor_json_find(&experiment->model->root, "parameters", &arm->model_parameters))
        COR_TRY(cor_parameter_laws_add(arm->laws, &arm->model_parameters, error));
    if (cor_json_find(&experiment->model->root, "constraints", &child))
        COR_TRY(cor_parameter_laws_constrain(arm->laws, &child, error));
    if (cor_json_find(&experiment->model->root, "fallback", &child))
        cor_parameter_laws_fall_back(arm->laws, &child);
    COR_TRY(interaction__type_counts_read(experiment->model, arm, error));
    uint32_t model_parameters = cor_parameter_laws_capacity(arm->laws);
    if (arm->preset)
        COR_TRY(cor_json_note_base(&arm->json, &arm->preset_json, true, error));
    if (arm->preset)
        COR_TRY(cor_json_members(&arm->preset_json, setting_fields, arm, error));
    COR_TRY(cor_json_members(&arm->json, setting_fields, arm, error));
    COR_TRY(set_default(arm, "budget", true, DEFAULT_BUDGET, error));
    for (uint32_t i = 0; i < cor_algorithm_parameter_count(arm->algorithm); i++) {
        const struct cor_parameter *p = &arm->algorithm->parameters[i];
        if (p->is_integer != COR_OPTION || cor_parameter_laws_find(arm->laws, p->name) >= 0)
            COR_TRY(set_default(arm, p->name, p->is_integer != 0, p->value, error));
    }
    /* What the algorithm declares to hold between its parameters. */
    const char *const *constraint = arm->algorithm->constraints;
    char place[128];
    snprintf(place, sizeof place, "algorithm %s", arm->algorithm->name);
    for (; constraint && *constraint; constraint++)
        COR_TRY(cor_parameter_laws_declare(arm->laws, *constraint, place, error));
    COR_TRY(cor_parameter_laws_finish(arm->laws, error));
    COR_TRY(interaction__type_counts_finish(arm, error));
    /* Every parameter is the model's, the algorithm's, or the budget; anything else would be drawn and never
     * used. */
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
    COR_TRY(find_parameters(arm, error));
    COR_TRY(check_ranges(arm, error));
    /* A budget that may be too small is found out when it is drawn: the range is an estimate. */
    double low, high;
    uint32_t index = (uint32_t)cor_parameter_laws_find(arm->laws, "budget");
    cor_parameter_laws_range(arm->laws, index, &low, &high);
    if (!(cor_parameter_laws_is_integer(arm->laws, index) && high >= 1))
        return refuse_parameter(arm, index, NULL, "a budget is an integer of at least 1", error);
    if (arm->traps_json.value) {
        struct cor_vocabulary *vocabulary;
        struct cor_error said = COR_NO_ERROR;
        if (cor_model_vocabulary(experiment->model, arm, &vocabulary, &said) != COR_OK)
            return interaction__repeat_at(&arm->traps_json, &said, error);
        arm->source = &cor_source_traps;
        COR_TRY(cor_case_traps_read(&arm->traps_json, vocabulary, &arm->traps, error));
    }
    return arm->configurations_json.value ? interaction__configurations_read(arm, error) : COR_OK;
}

static enum cor_status read_name(const struct cor_json *json, struct cor_arm *arm, struct cor_error *error) {
    struct cor_json child;
    COR_TRY(cor_json_need(json, "name", &child, error));
    COR_TRY(interaction__read_name(&child, "an arm", &arm->name, error));
    if (!strpbrk(arm->name, "/\\\",") && arm->name[0] != '.')
        return COR_OK;
    return cor_json_fail(&child, error,
                         "no slash, backslash, quotation mark or comma, and no dot in front: it names a "
                         "folder and a column of a table",
                         "\"%s\" is no name for an arm", arm->name);
}

void cor_experiment_put_arm(struct cor_json_writer *writer, const struct cor_json *arm, uint32_t place) {
    struct cor_json stream;
    cor_json_open_object(writer, NULL);
    COR_JSON_CHILDREN(member, arm)
        cor_json_put_value(writer, member.key, &member);
    if (!cor_json_find(arm, "stream", &stream))
        cor_json_put_integer(writer, "stream", place);
}

static void set_defaults(const struct cor_experiment *experiment, const struct cor_json *json,
                         struct cor_arm *arm) {
    arm->clocks = experiment->clocks;
    arm->mechanisms_json = experiment->mechanisms_json;
    arm->json = *json;
    arm->source = &cor_source_profile;
    arm->look_every = 1;
    arm->return_cases = RETURN_CASES_UNSAID;
    arm->monitor.fault = COR_MONITOR_FAULT_NONE;
    arm->adoption.fault = COR_ADOPTION_FAULT_NONE;
    arm->result.fault = COR_RESULT_FAULT_NONE;
}

/* What does not go with agents that come and go. */
static enum cor_status check_presence(const struct cor_json *json, const struct cor_arm *arm,
                                      struct cor_error *error) {
    const struct {
        const char *key;
        bool is_said;
    } settings[] = {
        {"\"execution\": \"continuous\"", arm->clocks.case_ticks > 0},
        {"a monitor under test", arm->monitors.algorithm != NULL},
        {"\"mechanisms\"", arm->mechanisms_json.value && cor_json_size(&arm->mechanisms_json) > 0},
        {"\"environment\": {\"traps\": ..}", arm->traps_json.value != NULL},
        {"\"judge_moves\"", arm->judge_moves},
        {"a result that is late", arm->result.fault == COR_RESULT_FAULT_LATE},
    };
    if (!(arm->algorithm->capabilities & COR_COMES_AND_GOES))
        return cor_json_fail(
            json, error, "an algorithm that \"takes agents that come and go\" (corridor list), such as spada",
            "%s does not take agents that come and go, and types of the model have \"arrives\", "
            "\"fails\" or \"present\"",
            arm->algorithm->name);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        if (settings[i].is_said)
            return cor_json_fail(json, error,
                                 "leave it out, or \"arrives\", \"fails\" and \"present\" of types",
                                 "%s does not go with agents that come and go", settings[i].key);
    return COR_OK;
}

/* What does not fit together. */
static enum cor_status check_settings(const struct cor_experiment *experiment, const struct cor_json *json,
                                      struct cor_arm *arm, struct cor_error *error) {
    const bool is_said = arm->return_cases != RETURN_CASES_UNSAID;
    if ((is_said || arm->judge_moves) && !experiment->text_corridor)
        return cor_json_fail(json, error, "write \"corridor\" beside \"arms\", or leave it out",
                             "\"%s\" is about a corridor as a text, and there is none",
                             is_said ? "returns" : "judge_moves");
    /* Whatever stands alone has all settings of its arm. */
    if (is_said && experiment->model->root.value && interaction__text_has_returns(experiment->text_corridor))
        return cor_json_fail(json, error, "leave it out of one of them",
                             "\"returns\" is said by the corridor itself");
    if (!is_said)
        arm->return_cases = arm->activation_delay + RETURN_CASES < RETURN_CASES_MAX
                                ? arm->activation_delay + RETURN_CASES
                                : RETURN_CASES_MAX;
    if (arm->session.interim_units > 0 && !(arm->algorithm->capabilities & COR_ANYTIME))
        return cor_json_fail(json, error, "leave \"interim\" out", "%s has no interim solutions",
                             arm->algorithm->name);
    /* What became of a fault is counted once for each reorganization, so an arm has one of those that are. */
    bool crash = arm->session.agents.fault != COR_CRASH_FAULT_NONE;
    int faults = (arm->fault != 0) + (arm->result.fault != COR_RESULT_FAULT_NONE) + crash;
    if (faults > 1)
        return cor_json_fail(json, error, "make an arm of each",
                             "has more than one of: a fault of the algorithm, of the result, of agents");
    if (crash && !arm->algorithm->restart)
        return cor_json_fail(json, error, "leave \"agents\" out", "agents of %s cannot be restarted",
                             arm->algorithm->name);
    return experiment->model->comes_and_goes ? check_presence(json, arm, error) : COR_OK;
}

enum cor_status interaction__arm_read(struct cor_experiment *experiment, const struct cor_json *json,
                                      const struct cor_json *presets, struct cor_arm *arm,
                                      struct cor_error *error) {
    set_defaults(experiment, json, arm);
    COR_TRY(cor_json_expect_fields(json, arm_fields, error));
    COR_TRY(read_name(json, arm, error));
    struct cor_json child;
    int64_t number = 0;
    if (cor_json_find(json, "stream", &child))
        COR_TRY(cor_json_integer(&child, 1, UINT16_MAX, &number, error));
    arm->stream = (uint32_t)number;
    COR_TRY(find_preset(&arm->json, presets, arm, error));
    COR_TRY(read_algorithm(experiment, &arm->json, arm->preset ? &arm->preset_json : NULL, arm, error));
    COR_TRY(read_fault(&arm->json, arm, error));
    COR_TRY(read_settings(experiment, arm, error));
    COR_TRY(check_settings(experiment, json, arm, error));
    COR_TRY(interaction__mechanisms_read(experiment, &arm->mechanisms_json, arm, error));
    COR_TRY(arm_read_roles(experiment->model, arm, error));
    return describe(arm, experiment->model->kind, error);
}

static const struct cor_field alone_fields[] = {{"name", COR_REQUIRED, COR_KNOWN_FIELD},
                                                {"algorithm", COR_REQUIRED, COR_KNOWN_FIELD},
                                                {"fault", COR_REQUIRED, COR_KNOWN_FIELD},
                                                COR_ROWS_OF(testbed_fields),
                                                {0}};

enum cor_status interaction__arm_read_alone(struct cor_experiment *experiment, const struct cor_json *json,
                                            const struct cor_json *parameters, struct cor_arm *arm,
                                            struct cor_error *error) {
    set_defaults(experiment, json, arm);
    arm->source = &cor_source_recorded;
    COR_TRY(cor_json_expect_fields(json, alone_fields, error));
    COR_TRY(read_name(json, arm, error));
    COR_TRY(read_algorithm(experiment, &arm->json, NULL, arm, error));
    COR_TRY(read_fault(&arm->json, arm, error));
    COR_TRY(cor_json_members(json, alone_fields, arm, error));
    COR_TRY(check_settings(experiment, json, arm, error));
    COR_TRY(interaction__mechanisms_read(experiment, &arm->mechanisms_json, arm, error));
    COR_TRY(cor_json_expect_object(parameters, NULL, error));
    /* All that the algorithm and the budget ask for is there: nothing that executing depends on is a
     * default, but of options, which is what they are where nobody has heard of them. */
    struct cor_json child;
    COR_TRY(cor_json_need(parameters, "budget", &child, error));
    COR_TRY(cor_json_is_integer(&child) ? COR_OK : cor_json_fail(&child, error, NULL, "is no integer"));
    for (uint32_t i = 0; i < cor_algorithm_parameter_count(arm->algorithm); i++)
        if (arm->algorithm->parameters[i].is_integer != COR_OPTION)
            COR_TRY(cor_json_need(parameters, arm->algorithm->parameters[i].name, &child, error));
    COR_TRY(cor_parameter_laws_create(&arm->laws, error));
    COR_JSON_CHILDREN(parameter, parameters) {
        /* A parameter that is a plain number: its law is that number. */
        double value;
        const bool is_integer = cor_json_is_integer(&parameter);
        COR_TRY(interaction__check_name(&parameter, parameter.key, "a parameter", error));
        COR_TRY(cor_json_real(&parameter, -COR_PARAMETER_MAX, COR_PARAMETER_MAX, &value, error));
        struct cor_error said = COR_NO_ERROR;
        if (cor_parameter_laws_default(arm->laws, parameter.key, is_integer, value, &said) == COR_OK)
            continue;
        COR_TRY(said.status == COR_STATUS_MEMORY ? cor_fail_memory(error)
                                                 : interaction__repeat_at(&parameter, &said, error));
    }
    COR_TRY(cor_parameter_laws_finish(arm->laws, error));
    COR_TRY(find_parameters(arm, error));
    arm->roles.budget_parameter = (uint32_t)cor_parameter_laws_find(arm->laws, "budget");
    return describe(arm, experiment->model->kind, error);
}

/* One that does nothing wrong is left out, as people do. */
static void put_fault(struct cor_json_writer *writer, const char *key, const struct cor_field *fields,
                      const void *from, bool is_none) {
    if (is_none)
        return;
    cor_json_open_object(writer, key);
    cor_json_put_fields(writer, fields, from);
    cor_json_close(writer);
}

void interaction__arm_put_alone(const struct cor_experiment *experiment, const struct cor_arm *arm,
                                struct cor_json_writer *writer) {
    const struct cor_registry *registry = experiment->registry;
    cor_json_put_string(writer, "name", arm->name);
    uint32_t index = 0;
    while (cor_registry_at(registry, index) != arm->algorithm)
        index++;
    const char *origin = cor_registry_origin(registry, index);
    const bool is_command =
        cor_algorithm_is_program(arm->algorithm) && !cor_registry_digest(registry, arm->algorithm);
    if (is_command) {
        cor_json_open_object(writer, "algorithm");
        cor_json_put_string(writer, "command", origin);
        cor_json_close(writer);
    } else {
        cor_json_put_string(writer, "algorithm", strchr(origin, '/') ? origin : arm->algorithm->name);
    }
    cor_json_put_string(writer, "fault", cor_algorithm_fault_name(arm->algorithm, arm->fault));
    put_fault(writer, "mail", cor_mail_fields, &arm->session.mail,
              arm->session.mail.mode == COR_MAIL_IN_ORDER);
    if (arm->monitors.algorithm) {
        cor_json_open_object(writer, "monitor");
        cor_json_put_string(writer, "algorithm", arm->monitors.algorithm);
        cor_json_put_string(writer, "for", subjects[arm->monitors.subject - COR_MONITOR_ORGANIZATION]);
        cor_json_put_integer(writer, "clock", arm->monitors.clock);
        if (arm->monitors.rest != COR_REST_UNSAID)
            cor_json_put_string(writer, "rest", rests[arm->monitors.rest - COR_REST_GLOBAL]);
        cor_json_put_string(writer, "fault", arm->monitors.fault);
        cor_json_close(writer);
    }
    put_fault(writer, "monitor", monitor_fields, &arm->monitor, arm->monitor.fault == COR_MONITOR_FAULT_NONE);
    put_fault(writer, "adoption", adoption_fields, &arm->adoption,
              arm->adoption.fault == COR_ADOPTION_FAULT_NONE);
    put_fault(writer, "result", result_fields, &arm->result, arm->result.fault == COR_RESULT_FAULT_NONE);
    put_fault(writer, "agents", cor_crash_fields, &arm->session.agents,
              arm->session.agents.fault == COR_CRASH_FAULT_NONE);
    cor_json_put_fields(writer, run_fields, arm);
    interaction__clocks_put(writer, &arm->clocks);
    interaction__mechanisms_put(writer, registry, experiment->model, arm);
    if (experiment->text_corridor)
        cor_json_put_fields(writer, corridor_fields, arm);
}

void interaction__arm_fini(struct cor_arm *arm, uint32_t environments) {
    struct cor_roles *r = &arm->roles;
    struct cor_derived_quantity *const quantities[] = {&r->agents,    &r->size_min,       &r->size_max,
                                                       &r->count_min, &r->count_max,      &r->groups,
                                                       &r->locations, &r->group_size_min, &r->group_size_max};
    for (size_t i = 0; i < sizeof quantities / sizeof *quantities; i++)
        cor_derived_quantity_fini(quantities[i]);
    for (uint32_t e = 0; r->random_states && e < environments; e++)
        cor_derived_quantity_fini(&r->random_states[e]);
    free(r->random_states);
    interaction__configurations_destroy(arm->configurations);
    interaction__configuration_traps_destroy(arm->configuration_traps);
    cor_explored_fini(arm->explored);
    free(arm->explored);
    cor_case_traps_destroy(arm->traps);
    cor_parameter_laws_destroy(arm->laws);
    interaction__type_counts_destroy(arm->type_counts);
    interaction__mechanisms_fini(arm);
    COR_FREE(arm->name, arm->preset, arm->description, arm->monitors.digest, arm->monitors.introduction,
             arm->digest, arm->parameter_codes, arm->algorithm_parameters);
}
