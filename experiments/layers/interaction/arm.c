/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An arm: algorithm, fault and preset, the laws of its parameters, and the faults of the testbed around it.
 */
#include "internal.h"
#include "monitors.h"
#include "text.h"

#include <corridor/array.h>
#include <corridor/guarantees.h>
#include <corridor/origins.h>
#include <corridor/steering.h>
#include <corridor/vocabulary.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* Does the algorithm make structures of that kind? */
static enum cor_status check_promise(const struct cor_json *json, const struct cor_algorithm *algorithm,
                                     enum cor_structure_kind kind, struct cor_error *error) {
    const bool nests = cor_structure_nests(kind), covers = algorithm->capabilities & COR_COVERS,
               can_nest = algorithm->capabilities & COR_NESTS;
    if (cor_algorithm_makes(algorithm, (enum cor_organized)kind))
        return COR_OK;
    return cor_json_fail(
        json, error,
        nests ? "an algorithm that \"makes hierarchies\" (corridor list), such as balanced_tree"
              : "an algorithm that \"makes coverings\" (corridor list), such as greedy_cover",
        "%s promises %s, but the kind of the structure is \"%s\"", algorithm->name,
        covers || can_nest
            ? covers ? "partitionings and coverings alone" : "partitionings and hierarchies alone"
            : "partitionings alone",
        cor_structure_words[kind]);
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
    COR_TRY(check_promise(&child, arm->algorithm, experiment->model->kind, error));
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
    cor_json_put_string(writer, "fault", cor_algorithm_fault_name(arm->algorithm, arm->fault));
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
    return interaction__says_monitors(json) ? interaction__monitors_read(json, &arm->monitors, error)
                                            : cor_json_fields(json, monitor_fields, &arm->monitor, error);
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

/* Kept until the laws are finished: classes are of parameters that are known then. */
static enum cor_status keep_configurations(const struct cor_json *json, void *arm, struct cor_error *error) {
    ((struct cor_arm *)arm)->configurations_json = *json;
    return cor_json_expect_object(json, NULL, error);
}

/* Kept until it is known which of preset and arm has the last word. */
static enum cor_status keep_mechanisms(const struct cor_json *json, void *arm, struct cor_error *error) {
    ((struct cor_arm *)arm)->mechanisms_json = *json;
    return cor_json_expect_array(json, 0, SIZE_MAX, error);
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
    {"mechanisms", COR_OPTIONAL, COR_READ_FIELD(keep_mechanisms)},
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
    {"configurations", COR_OPTIONAL, COR_READ_FIELD(keep_configurations)},
    COR_ROWS_OF(fault_fields),
    {"environment", COR_OPTIONAL, COR_READ_FIELD(read_source)},
    COR_ROWS_OF(run_fields),
    COR_ROWS_OF(corridor_fields),
    {"description", COR_OPTIONAL, COR_READ_FIELD(interaction__check_description)},
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

enum cor_status interaction__presets_check(const struct cor_json *presets, struct cor_error *error) {
    COR_TRY(cor_json_expect_object(presets, NULL, error));
    for (size_t i = 0; i < cor_json_size(presets); i++) {
        struct cor_json preset = cor_json_at(presets, i), child;
        COR_TRY(cor_json_expect_fields(&preset, preset_fields, error));
        if (cor_json_find(&preset, "description", &child))
            COR_TRY(interaction__check_description(&child, NULL, error));
    }
    return COR_OK;
}

/* The preset that the arm names, if it names one. */
static enum cor_status find_preset(const struct cor_json *json, const struct cor_json *presets,
                                   struct cor_arm *arm, struct cor_error *error) {
    struct cor_json child;
    const char *name, *names[257];
    if (!cor_json_find(json, "preset", &child))
        return COR_OK;
    COR_TRY(cor_json_string(&child, &name, error));
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
    COR_TRY(refuse_strangers(arm, model_parameters, error));
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

static enum cor_status read_stream(const struct cor_json *json, struct cor_arm *arm,
                                   struct cor_error *error) {
    struct cor_json child;
    int64_t number = 0;
    if (cor_json_find(json, "stream", &child))
        COR_TRY(cor_json_integer(&child, 1, UINT16_MAX, &number, error));
    arm->stream = (uint32_t)number;
    return COR_OK;
}

uint32_t cor_experiment_stream(const struct cor_experiment *experiment, uint32_t arm) {
    COR_ASSERT(arm < experiment->arm_count);
    return experiment->paired ? 0 : experiment->arms[arm].stream > 0 ? experiment->arms[arm].stream : arm + 1;
}

void cor_experiment_put_arm(struct cor_json_writer *writer, const struct cor_json *arm, uint32_t place) {
    struct cor_json stream;
    cor_json_open_object(writer, NULL);
    for (size_t m = 0; m < cor_json_size(arm); m++) {
        const struct cor_json member = cor_json_at(arm, m);
        cor_json_put_value(writer, member.key, &member);
    }
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
    return COR_OK;
}

enum cor_status interaction__arm_read(struct cor_experiment *experiment, const struct cor_json *json,
                                      const struct cor_json *presets, struct cor_arm *arm,
                                      struct cor_error *error) {
    set_defaults(experiment, json, arm);
    COR_TRY(cor_json_expect_fields(json, arm_fields, error));
    COR_TRY(read_name(json, arm, error));
    COR_TRY(read_stream(json, arm, error));
    COR_TRY(find_preset(&arm->json, presets, arm, error));
    COR_TRY(read_algorithm(experiment, &arm->json, arm->preset ? &arm->preset_json : NULL, arm, error));
    COR_TRY(read_fault(&arm->json, arm, error));
    COR_TRY(read_settings(experiment, arm, error));
    COR_TRY(check_settings(experiment, json, arm, error));
    COR_TRY(interaction__mechanisms_read(experiment, &arm->mechanisms_json, arm, error));
    COR_TRY(interaction__arm_read_roles(experiment->model, arm, error));
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
    for (size_t i = 0; i < cor_json_size(parameters); i++) {
        const struct cor_json parameter = cor_json_at(parameters, i);
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
    if (arm->monitors.algorithm)
        interaction__monitors_put(writer, &arm->monitors);
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
    interaction__configuration_design_destroy(arm->configuration_design);
    cor_case_traps_destroy(arm->traps);
    cor_parameter_laws_destroy(arm->laws);
    interaction__type_counts_destroy(arm->type_counts);
    interaction__mechanisms_fini(arm);
    free(arm->name);
    free(arm->preset);
    free(arm->description);
    free(arm->monitors.digest);
    free(arm->monitors.introduction);
    free(arm->digest);
    free(arm->parameter_codes);
    free(arm->algorithm_parameters);
}
