/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An experiment of the agent layer: from a file, or from what a command line says. */
#include "internal.h"

#include <corridor/agent_layer.h>
#include <corridor/array.h>
#include <corridor/fields.h>
#include <corridor/guarantees.h>
#include <corridor/json_names.h>
#include <corridor/traffic.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ARMS_MAX 60000
#define REPETITIONS_MAX 1000000
#define NAME_BYTES_MAX 200

/* An experiment file as it stands; texts live as long as its document. */
struct said {
    const char *name, *meaning;
    struct cor_json design, faults; /* paths of files, or what would be in them */
    bool mutants;
    uint32_t repetitions;
    uint64_t seed;
    struct cor_json arms, stop, solved, units; /* value NULL: not said, as of faults */
    bool has_seed;
};

/* The path of a file, or what would be in it. */
static enum cor_status check_file(const struct cor_json *json, void *into, struct cor_error *error) {
    return cor_json_is_object(json) ? COR_OK : cor_json_any_string(json, into, error);
}

static enum cor_status read_seed(const struct cor_json *json, void *into, struct cor_error *error) {
    struct said *said = into;
    said->has_seed = true;
    return cor_json_word(json, &said->seed, error);
}

static const struct cor_field fields[] = {
    {"name", COR_OPTIONAL, COR_STRING_FIELD(struct said, name)},
    {"description", COR_OPTIONAL, COR_STRING_FIELD(struct said, meaning)},
    {"design", COR_REQUIRED, COR_READ_FIELD(check_file), COR_PLACE_AT(struct said, design)},
    {"faults", COR_OPTIONAL, COR_READ_FIELD(check_file), COR_PLACE_AT(struct said, faults)},
    {"mutants", COR_OPTIONAL, COR_BOOL_FIELD(struct said, mutants)},
    {"repeat", COR_OPTIONAL, COR_INTEGER_FIELD(struct said, repetitions, 1, REPETITIONS_MAX)},
    {"seed", COR_OPTIONAL, COR_READ_FIELD(read_seed)},
    {"arms", COR_OPTIONAL, COR_SAID_ARRAY_FIELD(1, ARMS_MAX), COR_PLACE_AT(struct said, arms)},
    /* Whoever runs it reads it. */
    {"stop", COR_OPTIONAL, COR_KNOWN_FIELD, COR_PLACE_AT(struct said, stop)},
    {"units", COR_OPTIONAL, COR_SAID_ARRAY_FIELD(1, ARMS_MAX), COR_PLACE_AT(struct said, units)},
    /* What was solved for when the experiment was planned, so that nobody asks again. */
    {"solved", COR_OPTIONAL, COR_SAID_OBJECT_FIELD, COR_PLACE_AT(struct said, solved)},
    {0}};

/* An arm as it stands. */
struct said_arm {
    const char *name, *fault, *module, *program;
    double cpu_seconds, answer_seconds; /* 0: as of every agent */
    uint64_t memory_bytes;
    struct cor_json not_yet; /* value NULL: not said */
};

static const struct cor_field arm_fields[] = {
    {"name", COR_REQUIRED, COR_STRING_FIELD(struct said_arm, name)},
    {"fault", COR_OPTIONAL, COR_STRING_FIELD(struct said_arm, fault)},
    {"module", COR_OPTIONAL, COR_STRING_FIELD(struct said_arm, module)},
    {"program", COR_OPTIONAL, COR_STRING_FIELD(struct said_arm, program)},
    {"cpu_seconds", COR_OPTIONAL, COR_REAL_FIELD(struct said_arm, cpu_seconds, 0.01, 1e6)},
    {"answer_seconds", COR_OPTIONAL, COR_REAL_FIELD(struct said_arm, answer_seconds, 0.1, 1e6)},
    {"memory_bytes", COR_OPTIONAL,
     COR_INTEGER_FIELD(struct said_arm, memory_bytes, COR_GUEST_MEMORY_LEAST, COR_GUEST_MEMORY_MOST)},
    {"not_yet", COR_OPTIONAL, COR_SAID_ARRAY_FIELD(0, ARMS_MAX), COR_PLACE_AT(struct said_arm, not_yet)},
    {"is", COR_OPTIONAL,
     COR_KNOWN_FIELD}, /* as the text of an experiment says it; it follows from the rest */
    {0}};

/* An arm as it is to be added. */
struct arm_definition {
    const char *name;
    enum cor_aut_way way;
    const char *agent, *fault;                    /* NULL: the interpreter; none */
    const struct cor_agent_fault *of_interpreter; /* NULL: none */
    const char *meaning;                          /* of the fault, "" if nothing is known */
    double cpu_seconds, answer_seconds;           /* 0: as of every agent */
    uint64_t memory_bytes;
    const bool *unbuilt; /* [plan] that is not there yet; NULL: all are */
};

static char *copy_of(const char *text, bool *lost) {
    char *copy = text ? cor_strdup(text) : NULL;
    *lost = *lost || (text && !copy);
    return copy;
}

/* What it is given, where that is said. */
static void put_given(const struct cor_agent_arm *arm, struct cor_json_writer *writer) {
    if (arm->cpu_seconds > 0)
        cor_json_put_real(writer, "cpu_seconds", arm->cpu_seconds);
    if (arm->answer_seconds > 0)
        cor_json_put_real(writer, "answer_seconds", arm->answer_seconds);
    if (arm->memory_bytes > 0)
        cor_json_put_integer(writer, "memory_bytes", (int64_t)arm->memory_bytes);
}

/* Is the arm the first with its module or program? */
static bool is_new_agent(const struct cor_agent_experiment *experiment, uint32_t arm) {
    const char *agent = experiment->arms[arm].agent;
    for (uint32_t before = 0; before < arm && agent; before++)
        if (experiment->arms[before].agent && strcmp(experiment->arms[before].agent, agent) == 0)
            return false;
    return agent != NULL;
}

static void put_not_yet(struct cor_json_writer *writer, const struct cor_design *design,
                        const struct cor_agent_arm *arm) {
    if (!arm->unbuilt)
        return;
    cor_json_open_array(writer, "not_yet");
    for (uint32_t p = 0; p < design->plan_count; p++)
        if (arm->unbuilt[p])
            cor_json_put_string(writer, NULL, design->plans[p].name);
    cor_json_close(writer);
}

static enum cor_status add_arm(struct cor_agent_experiment *experiment,
                               const struct arm_definition *definition, struct cor_error *error) {
    bool lost = false;
    COR_TRY(COR_RESERVE(&experiment->arms, &experiment->arm_capacity, (size_t)experiment->head.arm_count + 1,
                        error));
    struct cor_agent_arm *arm = &experiment->arms[experiment->head.arm_count++];
    *arm = (struct cor_agent_arm){.way = definition->way,
                                  .cpu_seconds = definition->cpu_seconds,
                                  .answer_seconds = definition->answer_seconds,
                                  .memory_bytes = definition->memory_bytes};
    arm->name = copy_of(definition->name, &lost);
    arm->agent = copy_of(definition->agent, &lost);
    arm->fault = copy_of(definition->fault, &lost);
    if (lost)
        return cor_fail_memory(error);
    if (is_new_agent(experiment, experiment->head.arm_count - 1)) /* before its files are so much as read */
        COR_TRY(cor_trust_check(&experiment->trust, arm->agent, error));
    const struct cor_agent_fault *fault = definition->of_interpreter;
    const bool is_mutant = fault && fault->operator!= COR_FAULT_OPERATOR_NONE;
    bool equivalent = false;
    if (arm->way == COR_AUT_INTERPRETER) {
        if (fault)
            COR_TRY(cor_agent_fault_apply(fault, experiment->file->design, &arm->code, error));
        else
            arm->code = cor_agent_code_create(experiment->file->design);
        COR_TRY(cor_made(arm->code, error));
    }
    if (definition->unbuilt) {
        /* What is not there yet is noted, and of the interpreter becomes a stub: its context, and nothing
         * done. */
        const struct cor_design *design = experiment->file->design;
        const bool *unbuilt = definition->unbuilt;
        struct cor_body nothing;
        COR_TRY(cor_made(arm->unbuilt = cor_calloc(design->plan_count, sizeof *arm->unbuilt), error));
        memcpy(arm->unbuilt, unbuilt, design->plan_count * sizeof *unbuilt);
        cor_body_init(&nothing);
        for (uint32_t p = 0; p < design->plan_count && arm->code; p++)
            if (unbuilt[p])
                COR_TRY(cor_agent_code_change(arm->code,
                                              &(struct cor_plan_change){.plan = p, .body = &nothing}, error));
    }
    if (is_mutant) {
        if (!experiment->prover)
            experiment->prover = agent_layer__prover_create(experiment->file->design);
        COR_TRY(cor_made(experiment->prover, error));
        COR_TRY(agent_layer__prove_equivalent(experiment->prover, arm->code, &equivalent, error));
    }
    /* What the result file says of an arm. */
    struct cor_json_writer *writer;
    COR_TRY(cor_json_writer_create(&writer, error));
    cor_json_open_object(writer, NULL);
    cor_json_put_string(writer, "agent", definition->agent ? definition->agent : "interpreter");
    cor_json_put_string(writer, "fault", definition->fault ? definition->fault : COR_AGENT_NO_FAULT);
    if (definition->meaning && definition->meaning[0])
        cor_json_put_string(writer, "meaning", definition->meaning);
    if (is_mutant)
        cor_json_put_string(writer, "operator", cor_fault_operator_word(fault->operator));
    if (equivalent)
        cor_json_put_string(writer, "equivalent", "proven");
    put_not_yet(writer, experiment->file->design, arm);
    put_given(arm, writer);
    cor_json_close(writer);
    COR_TRY(cor_json_text_take(writer, 0, &arm->description, error));
    if (arm->way == COR_AUT_INTERPRETER)
        return COR_OK;
    return cor_guest_files(&arm->files, arm->agent, arm->way == COR_AUT_MODULE, error);
}

/* The agent as it is, then with every fault. */
static enum cor_status add_all_arms(struct cor_agent_experiment *experiment,
                                    const struct cor_agent_experiment_definition *asked, const bool *unbuilt,
                                    struct cor_error *error) {
    const char *agent = asked->agent;
    struct arm_definition definition = {.name = COR_AGENT_NO_FAULT,
                                        .cpu_seconds = agent ? asked->cpu_seconds : 0,
                                        .answer_seconds = agent ? asked->answer_seconds : 0,
                                        .memory_bytes = agent ? asked->memory_bytes : 0,
                                        .way = agent ? cor_aut_way_of(agent) : COR_AUT_INTERPRETER,
                                        .agent = agent,
                                        .unbuilt = unbuilt};
    COR_TRY(add_arm(experiment, &definition, error));
    for (uint32_t f = 0; f < experiment->faults.count; f++) {
        const struct cor_agent_fault *fault = &experiment->faults.faults[f];
        definition.name = definition.fault = fault->name;
        definition.meaning = fault->meaning;
        definition.of_interpreter = agent ? NULL : fault;
        COR_TRY(add_arm(experiment, &definition, error));
    }
    return COR_OK;
}

static enum cor_status add_said_arm(struct cor_agent_experiment *experiment, const struct cor_json *json,
                                    struct cor_error *error) {
    struct said_arm said = {0};
    struct arm_definition definition = {0};
    const struct cor_design *design = experiment->file->design;
    COR_FREED bool *unbuilt = NULL;
    COR_FREED char *path = NULL;
    COR_TRY(cor_json_fields(json, arm_fields, &said, error));
    COR_TRY(cor_json_check_name(
        json, said.name, NAME_BYTES_MAX,
        COR_RECORD_NAMES(experiment->arms, experiment->head.arm_count, struct cor_agent_arm, name), "an arm",
        error));
    if (said.module && said.program)
        return cor_json_fail(json, error, "leave one of them away", "names a module and a program");
    if (said.not_yet.value) {
        COR_TRY(cor_made(unbuilt = cor_calloc(design->plan_count, sizeof *unbuilt), error));
        COR_JSON_CHILDREN(item, &said.not_yet) {
            char place[COR_PLACE_BYTES];
            const char *plan;
            uint32_t index;
            COR_TRY(agent_layer__read_text(&item, &plan, place, error));
            COR_TRY(cor_design_look_up(design, COR_NAME_PLAN, plan, place, &index, error));
            unbuilt[index] = true;
        }
        definition.unbuilt = unbuilt;
    }
    definition.name = said.name;
    definition.cpu_seconds = said.cpu_seconds;
    definition.answer_seconds = said.answer_seconds;
    definition.memory_bytes = said.memory_bytes;
    if (said.fault && strcmp(said.fault, COR_AGENT_NO_FAULT) != 0)
        definition.fault = said.fault;
    if (said.module) {
        /* A file may be kept in another folder than the experiment: then the module lies where the program is
         * called. */
        path = cor_json_beside(json, said.module);
        if (path && access(path, F_OK) != 0 && access(said.module, F_OK) == 0) {
            free(path);
            path = cor_strdup(said.module);
        }
        COR_TRY(cor_made(path, error));
        definition.way = COR_AUT_MODULE;
        definition.agent = path;
    } else if (said.program) {
        definition.way = COR_AUT_PROGRAM;
        definition.agent = said.program;
    } else if (definition.fault) {
        struct cor_error found = COR_NO_ERROR;
        uint32_t index;
        if (cor_agent_faults_find(&experiment->faults, said.fault, &index, &found) != COR_OK)
            COR_TRY(found.status == COR_STATUS_MEMORY
                        ? cor_fail_memory(error)
                        : cor_json_fail(json, error, found.remedy, "%s", found.cause));
        definition.of_interpreter = &experiment->faults.faults[index];
        definition.meaning = definition.of_interpreter->meaning;
    }
    return add_arm(experiment, &definition, error);
}

static enum cor_status add_said_arms(struct cor_agent_experiment *experiment, const struct cor_json *arms,
                                     struct cor_error *error) {
    COR_JSON_CHILDREN(json, arms) {
        COR_TRY(add_said_arm(experiment, &json, error));
        /* What an agent that is a module or a program is given where its arm does not say it. */
        const struct cor_agent_arm *made = &experiment->arms[experiment->head.arm_count - 1];
        const struct cor_aut_definition usual = cor_default_aut(NULL);
        if (made->way != COR_AUT_INTERPRETER) {
            if (made->way == COR_AUT_MODULE)
                COR_TRY(cor_json_note_default_number(&json, "cpu_seconds", usual.cpu_seconds, error));
            COR_TRY(cor_json_note_default_number(&json, "answer_seconds", usual.answer_seconds, error));
            COR_TRY(cor_json_note_default_number(&json, "memory_bytes", (double)usual.memory_bytes, error));
        }
    }
    return COR_OK;
}

/* The file that a member names, or what it holds itself, as text. */
static enum cor_status find_text(const struct cor_json *json, char **path, char **text,
                                 struct cor_error *error) {
    const char *said;
    *path = *text = NULL;
    if (cor_json_is_object(json)) {
        *text = cor_json_text(json);
        return cor_made(*text, error);
    }
    COR_TRY(cor_json_string(json, &said, error));
    *path = cor_json_beside(json, said);
    return cor_made(*path, error);
}

static enum cor_status read_faults(struct cor_agent_experiment *experiment, const struct said *said,
                                   struct cor_error *error) {
    COR_FREED char *path = NULL, *text = NULL;
    struct cor_design *design = experiment->file->design;
    if (said->mutants)
        return cor_agent_mutants(&experiment->faults, design, error);
    if (!said->faults.value)
        return COR_OK;
    COR_TRY(find_text(&said->faults, &path, &text, error));
    return text ? cor_agent_faults_parse(&experiment->faults, text, experiment->head.path, design, error)
                : cor_agent_faults_read(&experiment->faults, path, design, error);
}

/* The text with everything inlined: design, faults and arms. It reads as an experiment itself. */
static enum cor_status write_text(struct cor_agent_experiment *experiment, bool mutants,
                                  const struct cor_json *stop, struct cor_error *error) {
    struct cor_json_writer *writer;
    COR_TRY(cor_json_writer_create(&writer, error));
    cor_json_open_object(writer, NULL);
    cor_json_put_string(writer, "name", experiment->name);
    if (experiment->meaning)
        cor_json_put_string(writer, "description", experiment->meaning);
    cor_json_put_text(writer, "design", experiment->file->text);
    if (mutants)
        cor_json_put_bool(writer, "mutants", true);
    else if (experiment->faults.text)
        cor_json_put_text(writer, "faults", experiment->faults.text);
    cor_json_put_integer(writer, "repeat", experiment->repetitions);
    cor_json_put_word(writer, "seed", experiment->settings.seed);
    if (experiment->chosen.count < experiment->file->order.units.count) {
        cor_json_open_array(writer, "units");
        for (uint32_t i = 0; i < experiment->chosen.count; i++)
            cor_json_put_string(writer, NULL, experiment->unit_names[experiment->chosen.items[i]]);
        cor_json_close(writer);
    }
    cor_design_put_solved(writer, experiment->file, &experiment->found);
    cor_json_open_array(writer, "arms");
    for (uint32_t a = 0; a < experiment->head.arm_count; a++) {
        const struct cor_agent_arm *arm = &experiment->arms[a];
        cor_json_open_object(writer, NULL);
        cor_json_put_string(writer, "name", arm->name);
        if (arm->agent)
            cor_json_put_string(writer, arm->way == COR_AUT_MODULE ? "module" : "program", arm->agent);
        if (arm->fault)
            cor_json_put_string(writer, "fault", arm->fault);
        put_not_yet(writer, experiment->file->design, arm);
        put_given(arm, writer);
        cor_json_put_text(writer, "is", arm->description);
        cor_json_close(writer);
    }
    cor_json_close(writer);
    if (stop)
        cor_json_put_value(writer, "stop", stop);
    cor_json_close(writer);
    return cor_json_text_take(writer, 0, &experiment->head.text, error);
}

/* Codes of catalog/name: the order is that in which list_names (agent_layer.c) adds them. */
static enum cor_status make_codes(struct cor_agent_experiment *experiment, struct cor_error *error) {
    const struct cor_design *design = experiment->file->design;
    struct cor_name_codes *codes = &experiment->codes;
    uint64_t next = 1, parameters = 0;
    const struct {
        uint16_t *first;
        uint32_t count;
    } parts[] = {{&codes->plan, design->plan_count},       {&codes->event, design->event_count},
                 {&codes->message, design->message_count}, {&codes->action, design->action_count},
                 {&codes->belief, design->belief_count},   {&codes->field, design->field_count}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        *parts[i].first = (uint16_t)next;
        next += parts[i].count;
    }
    for (uint32_t e = 0; e < design->event_count; e++)
        parameters += design->events[e].parameter_count;
    if (next + parameters > UINT16_MAX || experiment->file->order.units.count >= UINT16_MAX)
        return cor_fail(error, COR_STATUS_INPUT, experiment->head.path, "test a part of the agent at a time",
                        "has more names than a result file can tell apart (%u)", UINT16_MAX);
    codes->parameters = cor_calloc(parameters, sizeof *codes->parameters);
    codes->first_parameter = cor_calloc(design->event_count, sizeof *codes->first_parameter);
    if (!codes->parameters || !codes->first_parameter)
        return cor_fail_memory(error);
    for (uint32_t e = 0, p = 0; e < design->event_count; e++) {
        codes->first_parameter[e] = p;
        for (uint32_t i = 0; i < design->events[e].parameter_count; i++, p++)
            codes->parameters[p] = (uint16_t)(next + p);
    }
    codes->word_count = design->words.count < UINT16_MAX ? design->words.count : UINT16_MAX;
    experiment->file->design->said_words = design->words.count;
    return COR_OK;
}

/* What an arm's agent is opened by, but for its fault and its code. */
static struct cor_aut_definition aut_of(const struct cor_agent_experiment *experiment,
                                        const struct cor_agent_arm *arm) {
    struct cor_aut_definition definition = cor_default_aut(experiment->file->design);
    definition.way = arm->way;
    definition.agent = arm->agent;
    definition.design_json = experiment->file->text;
    definition.traffic = experiment->traffic;
    definition.is_free = experiment->is_free;
    definition.is_full = experiment->is_full;
    if (arm->cpu_seconds > 0)
        definition.cpu_seconds = arm->cpu_seconds;
    if (arm->answer_seconds > 0)
        definition.answer_seconds = arm->answer_seconds;
    if (arm->memory_bytes > 0)
        definition.memory_bytes = arm->memory_bytes;
    return definition;
}

static enum cor_status choose(struct cor_agent_experiment *experiment, const bool *is_chosen,
                              struct cor_error *error) {
    const uint32_t count = experiment->file->order.units.count;
    for (uint32_t u = 0; u < count; u++)
        if (!is_chosen || is_chosen[u]) {
            COR_TRY(COR_RESERVE(&experiment->chosen.items, &experiment->chosen.capacity, count, error));
            experiment->chosen.items[experiment->chosen.count++] = u;
        }
    return COR_OK;
}

/* A unit by its name, and with it, if so, all that it needs. */
static enum cor_status choose_unit(struct cor_agent_experiment *experiment, const char *name, bool below,
                                   struct cor_error *error) {
    const struct cor_unit_order *order = &experiment->file->order;
    uint32_t unit;
    COR_TRY(cor_design_file_unit(experiment->file, name, "--unit", &unit, error));
    COR_FREED bool *is_chosen = cor_calloc(order->units.count, sizeof *is_chosen);
    COR_TRY(cor_made(is_chosen, error));
    is_chosen[unit] = true;
    for (uint32_t u = unit + 1; below && u-- > 0;)
        for (uint32_t d = order->dependency_start[u]; is_chosen[u] && d < order->dependency_start[u + 1]; d++)
            is_chosen[order->dependencies[d]] = true;
    return choose(experiment, is_chosen, error);
}

static enum cor_status choose_said(struct cor_agent_experiment *experiment, const struct cor_json *units,
                                   struct cor_error *error) {
    COR_FREED bool *is_chosen = cor_calloc(experiment->file->order.units.count, sizeof *is_chosen);
    enum cor_status status = cor_made(is_chosen, error);
    for (size_t i = 0; i < cor_json_size(units) && status == COR_OK; i++) {
        const struct cor_json item = cor_json_at(units, i);
        char place[COR_PLACE_BYTES];
        const char *name;
        uint32_t unit = 0;
        status = agent_layer__read_text(&item, &name, place, error);
        if (status == COR_OK)
            status = cor_design_file_unit(experiment->file, name, place, &unit, error);
        if (status == COR_OK)
            is_chosen[unit] = true;
    }
    if (status == COR_OK)
        status = choose(experiment, is_chosen, error);
    return status;
}

static enum cor_status open_arm(const struct cor_agent_experiment *experiment,
                                const struct cor_agent_arm *arm, const char *fault,
                                struct cor_aut_session **session, struct cor_error *error) {
    struct cor_aut_definition definition = aut_of(experiment, arm);
    definition.fault = fault;
    return cor_aut_open(&definition, session, error);
}

static bool has_fault(const struct cor_aut_session *session, const char *fault) {
    for (uint32_t f = 0; f < cor_aut_fault_count(session); f++)
        if (strcmp(cor_aut_fault_name(session, f), fault) == 0)
            return true;
    return false;
}

static const char *const free_members[] = {"arms", "repeat", "name", "description", "stop", NULL};

/* What follows when all arms are known. */
static enum cor_status finish(struct cor_agent_experiment *experiment, bool mutants,
                              const struct cor_json *stop, const struct cor_json *solved,
                              struct cor_error *error) {
    /* Is anything asked for that no worker could do? It is said before any of them begins. */
    for (uint32_t u = 0; u < experiment->file->order.units.count; u++) {
        COR_FINISHED(cor_unit_cases) struct cor_unit_cases cases = {0};
        COR_TRY(cor_unit_cases_init(&cases, experiment->file, u, &experiment->settings, error));
    }
    if (solved) {
        COR_TRY(cor_design_read_solved(solved, experiment->file, &experiment->found, error));
    } else {
        COR_TRY(cor_design_check(experiment->file, &experiment->settings, &experiment->found, error));
        cor_design_findings_drop_witnesses(&experiment->found);
    }
    for (uint32_t a = 0; a < experiment->head.arm_count; a++) {
        if (is_new_agent(experiment, a)) {
            /* Of the arms with the agent of this one: the agent can be opened, and has the faults. */
            const struct cor_agent_arm *arms = experiment->arms;
            struct cor_aut_session *session = NULL, *with_fault = NULL;
            enum cor_status status = COR_OK;
            COR_TRY(open_arm(experiment, &arms[a], NULL, &session, error));
            for (uint32_t i = a; i < experiment->head.arm_count && status == COR_OK; i++)
                if (arms[i].agent && strcmp(arms[i].agent, arms[a].agent) == 0 && arms[i].fault &&
                    !has_fault(session, arms[i].fault))
                    status = open_arm(experiment, &arms[i], arms[i].fault, &with_fault,
                                      error); /* it says which there are */
            cor_aut_close(with_fault);
            cor_aut_close(session);
            COR_TRY(status);
        }
    }
    agent_layer__prover_destroy(experiment->prover); /* nobody asks any more */
    experiment->prover = NULL;
    COR_TRY(make_codes(experiment, error));
    const struct cor_units *units = &experiment->file->order.units;
    experiment->unit_names = cor_calloc(units->count, sizeof *experiment->unit_names);
    COR_TRY(cor_made(experiment->unit_names, error));
    for (uint32_t u = 0; u < units->count; u++) {
        experiment->unit_names[u] = cor_unit_name(experiment->file->design, units, u);
        COR_TRY(cor_made(experiment->unit_names[u], error));
    }
    /* Of an arm its description says all that the design and the faults, which stay, do not. */
    struct cor_experiment_head *head = &experiment->head;
    COR_TRY(cor_experiment_head_arms(head, head->arm_count, error));
    head->resumable = true;
    head->seed = experiment->settings.seed;
    head->suite_count = experiment->chosen.count * experiment->repetitions;
    head->free_members = free_members;
    for (uint32_t a = 0; a < head->arm_count; a++) {
        const struct cor_agent_arm *arm = &experiment->arms[a];
        head->arms[a] = (struct cor_arm_head){
            .name = arm->name, .description = arm->description, .text = cor_strdup(arm->description)};
        COR_TRY(cor_made(head->arms[a].text, error));
        if (arm->way == COR_AUT_INTERPRETER)
            continue;
        head->bound = true; /* the text does not hold its bytes: which they were is told by their digests */
        head->arms[a].digest = arm->files.digest;
        head->arms[a].foreign = true;
        head->resumable = head->resumable && arm->files.digest;
    }
    return write_text(experiment, mutants, stop, error);
}

static enum cor_status name_experiment(struct cor_agent_experiment *experiment, const char *name,
                                       struct cor_error *error) {
    experiment->settings = experiment->file->design->settings;
    experiment->name = cor_strdup(name ? name : experiment->file->design->name);
    return cor_made(experiment->name, error);
}

enum cor_status cor_agent_experiment_make(const struct cor_agent_experiment_definition *definition,
                                          struct cor_agent_experiment **experiment, struct cor_error *error) {
    enum cor_status status = COR_OK;
    COR_FREED bool *unbuilt = NULL;
    struct cor_agent_experiment *made = *experiment = cor_calloc(1, sizeof *made);
    COR_TRY(cor_made(made, error));
    COR_TRY_OUT(cor_made(made->head.path = cor_strdup(definition->design), error));
    COR_TRY_OUT(cor_design_file_read(definition->design, &made->file, error));
    COR_TRY_OUT(name_experiment(made, NULL, error));
    made->is_free = definition->is_free;
    made->repetitions = definition->repetitions > 0 ? definition->repetitions : 1;
    if (definition->has_seed)
        made->settings.seed = definition->seed;
    if (definition->mutants)
        COR_TRY_OUT(cor_agent_mutants(&made->faults, made->file->design, error));
    else if (definition->faults)
        COR_TRY_OUT(cor_agent_faults_read(&made->faults, definition->faults, made->file->design, error));
    if (definition->not_yet) {
        /* Plans by name, with commas between. */
        char *copy = cor_strdup(definition->not_yet), *rest = copy;
        unbuilt = cor_calloc(made->file->design->plan_count, sizeof *unbuilt);
        if (!copy || !unbuilt)
            status = cor_fail_memory(error);
        for (char *name; status == COR_OK && (name = strtok_r(rest, ",", &rest)) != NULL;) {
            uint32_t plan = 0;
            status = cor_design_look_up(made->file->design, COR_NAME_PLAN, name, "--not-yet", &plan, error);
            if (status == COR_OK)
                unbuilt[plan] = true;
        }
        free(copy);
        COR_TRY_OUT(status);
    }
    COR_TRY_OUT(definition->unit ? choose_unit(made, definition->unit, definition->below, error)
                                 : choose(made, NULL, error));
    COR_TRY_OUT(add_all_arms(made, definition, unbuilt, error));
    COR_TRY_OUT(finish(made, definition->mutants, NULL, NULL, error));
out:
    if (status != COR_OK) {
        cor_agent_experiment_destroy(made);
        *experiment = NULL;
    }
    return status;
}

enum cor_status agent_layer__experiment_read(const char *path, const struct cor_json *root,
                                             const struct cor_layer_options *options,
                                             struct cor_agent_experiment **experiment,
                                             struct cor_error *error) {
    struct said said = {.repetitions = 1};
    enum cor_status status = COR_OK;
    struct cor_agent_experiment *made = *experiment = cor_calloc(1, sizeof *made);
    COR_TRY(cor_made(made, error));
    COR_TRY_OUT(cor_json_expect_kind(root, COR_KIND_AGENT_EXPERIMENT, error));
    COR_TRY_OUT(cor_json_fields(root, fields, &said, error));
    made->head.path = cor_strdup(path);
    made->meaning = said.meaning ? cor_strdup(said.meaning) : NULL;
    if (!made->head.path || (said.meaning && !made->meaning))
        COR_TRY_OUT(cor_fail_memory(error));
    COR_TRY_OUT(cor_traffic_open(options->record_traffic, options->replay_traffic, options->replace,
                                 &made->traffic, error));
    made->is_free = options->isolation == (int)COR_ISOLATION_NEVER;
    made->is_full = options->isolation_required;
    made->trust = options->trust;
    char *from, *text;
    COR_TRY_OUT(find_text(&said.design, &from, &text, error));
    status = text ? cor_design_file_parse(text, made->head.path, &made->file, error)
                  : cor_design_file_read(from, &made->file, error);
    COR_FREE(from, text);
    COR_TRY_OUT(status);
    COR_TRY_OUT(name_experiment(made, said.name, error));
    made->repetitions = said.repetitions;
    if (said.has_seed)
        made->settings.seed = said.seed;
    COR_TRY_OUT(cor_json_note_default_number(root, "seed", (double)made->settings.seed, error));
    COR_TRY_OUT(read_faults(made, &said, error));
    COR_TRY_OUT(said.units.value ? choose_said(made, &said.units, error) : choose(made, NULL, error));
    COR_TRY_OUT(said.arms.value
                    ? add_said_arms(made, &said.arms, error)
                    : add_all_arms(made, &(struct cor_agent_experiment_definition){0}, NULL, error));
    COR_TRY_OUT(finish(made, said.mutants, said.stop.value ? &said.stop : NULL,
                       said.solved.value ? &said.solved : NULL, error));
out:
    if (status != COR_OK) {
        cor_agent_experiment_destroy(made);
        *experiment = NULL;
    }
    return status;
}

void cor_agent_experiment_destroy(struct cor_agent_experiment *experiment) {
    if (!experiment)
        return;
    for (uint32_t a = 0; a < experiment->head.arm_count; a++) {
        COR_FREE(experiment->arms[a].name, experiment->arms[a].description, experiment->arms[a].agent);
        cor_guest_files_fini(&experiment->arms[a].files);
        COR_FREE(experiment->arms[a].fault, experiment->arms[a].unbuilt);
        cor_agent_code_destroy(experiment->arms[a].code);
    }
    for (uint32_t u = 0; experiment->unit_names && u < experiment->file->order.units.count; u++)
        free(experiment->unit_names[u]);
    COR_FREE(experiment->unit_names, experiment->chosen.items, experiment->arms);
    cor_agent_faults_fini(&experiment->faults);
    cor_design_findings_fini(&experiment->found);
    agent_layer__prover_destroy(experiment->prover);
    cor_design_file_destroy(experiment->file);
    cor_traffic_close(experiment->traffic);
    COR_FREE(experiment->codes.parameters, experiment->codes.first_parameter);
    cor_experiment_head_fini(&experiment->head);
    COR_FREE(experiment->name, experiment->meaning, experiment->expected, experiment);
}

/* ---- what a campaign executes of the agent layer: a suite is a unit of an arm */

static uint32_t unit_count(const struct cor_agent_experiment *experiment) {
    return experiment->chosen.count;
}

enum cor_status cor_agent_arm_open(const struct cor_agent_experiment *experiment, uint32_t arm,
                                   struct cor_aut_session **session, struct cor_unit_runner **runner,
                                   struct cor_error *error) {
    COR_ASSERT(arm < experiment->head.arm_count);
    const struct cor_agent_arm *it = &experiment->arms[arm];
    struct cor_aut_definition definition = aut_of(experiment, it);
    definition.code = it->code;
    definition.fault = it->way == COR_AUT_INTERPRETER ? NULL : it->fault;
    *runner = NULL;
    COR_TRY(cor_aut_open(&definition, session, error));
    const struct cor_unit_runner_definition running = {.file = experiment->file,
                                                       .codes = &experiment->codes,
                                                       .settings = experiment->settings,
                                                       .session = *session,
                                                       .code = it->code,
                                                       .unbuilt = it->unbuilt};
    enum cor_status status = cor_unit_runner_create(&running, runner, error);
    if (status != COR_OK) {
        cor_aut_close(*session);
        *session = NULL;
    }
    return status;
}

/* One worker's own. */
struct executor {
    const struct cor_agent_experiment *experiment;
    struct cor_aut_session **sessions; /* owned, with what they point to; [arm]; made when first needed */
    struct cor_unit_runner **runners;  /* owned, with what they point to; [arm] */
};

static void close_executor(void *with) {
    COR_FREED struct executor *executor = with;
    if (!executor)
        return;
    for (uint32_t a = 0; a < executor->experiment->head.arm_count; a++) {
        if (executor->runners)
            cor_unit_runner_destroy(executor->runners[a]);
        if (executor->sessions)
            cor_aut_close(executor->sessions[a]);
    }
    COR_FREE(executor->sessions, executor->runners);
}

static enum cor_status open_executor(const void *experiment, void **with, struct cor_error *error) {
    struct executor *executor = *with = cor_calloc(1, sizeof *executor);
    COR_TRY(cor_made(executor, error));
    executor->experiment = experiment;
    executor->sessions = cor_calloc(executor->experiment->head.arm_count, sizeof(struct cor_aut_session *));
    executor->runners = cor_calloc(executor->experiment->head.arm_count, sizeof(struct cor_unit_runner *));
    return executor->sessions && executor->runners ? COR_OK : cor_fail_memory(error);
}

static bool watch_unit(const void *context, uint64_t cases) {
    cor_watch_show(context, cases);
    return cor_watch_stopped(context);
}

static enum cor_status execute(void *with, uint32_t arm, uint32_t suite, const struct cor_watch *watch,
                               struct cor_record *record, struct cor_suite_counts *tally,
                               struct cor_error *error) {
    struct executor *executor = with;
    struct cor_unit_outcome outcome;
    if (!executor->runners[arm])
        COR_TRY(cor_agent_arm_open(executor->experiment, arm, &executor->sessions[arm],
                                   &executor->runners[arm], error));
    const struct cor_unit_request request = {
        .unit = executor->experiment->chosen.items[suite % unit_count(executor->experiment)],
        .repetition = suite / unit_count(executor->experiment),
        .record = record,
        .watch = watch_unit,
        .watch_context = watch};
    cor_record_begin(record, (uint16_t)arm, suite);
    COR_TRY(cor_unit_run(executor->runners[arm], &request, &outcome, error));
    *tally = (struct cor_suite_counts){.cases = (uint32_t)outcome.cases,
                                       .failures = outcome.worse,
                                       .asked_again = outcome.asked_again,
                                       .differed = outcome.differed,
                                       .by_machine = outcome.by_machine};
    return COR_OK;
}

static enum cor_status add(struct cor_catalogs *catalogs, enum cor_agent_catalog catalog, const char *name,
                           const char *description, struct cor_error *error) {
    return cor_catalogs_add(catalogs, catalog, name, description, error);
}

static enum cor_status list_all(const void *with, struct cor_catalogs *catalogs, struct cor_error *error) {
    const struct cor_agent_experiment *experiment = with;
    const struct cor_design *design = experiment->file->design;
    const struct cor_unit_order *order = &experiment->file->order;
    for (uint32_t u = 0; u < order->units.count; u++)
        COR_TRY(add(catalogs, COR_AGENT_CATALOG_UNIT, experiment->unit_names[u],
                    cor_term_word(COR_FAMILY_UNIT_KIND, (int)order->units.units[u].kind), error));
    for (uint32_t p = 0; p < design->plan_count; p++)
        if (order->unit_of_plan[p] == COR_NONE)
            COR_TRY(add(catalogs, COR_AGENT_CATALOG_UNREACHED, design->plans[p].name, "plan", error));
    for (uint32_t e = 0; e < design->event_count; e++)
        if (!order->event_reached[e])
            COR_TRY(add(catalogs, COR_AGENT_CATALOG_UNREACHED, design->events[e].name, "event", error));
    /* In the order of struct cor_name_codes. */
    COR_TRY(add(catalogs, COR_AGENT_CATALOG_NAME, "-", "nothing", error));
    for (uint32_t i = 0; i < design->plan_count; i++)
        COR_TRY(add(catalogs, COR_AGENT_CATALOG_NAME, design->plans[i].name, "plan", error));
    for (uint32_t i = 0; i < design->event_count; i++)
        COR_TRY(add(catalogs, COR_AGENT_CATALOG_NAME, design->events[i].name, "event", error));
    for (uint32_t i = 0; i < design->message_count; i++)
        COR_TRY(add(catalogs, COR_AGENT_CATALOG_NAME, design->messages[i].name, "message", error));
    for (uint32_t i = 0; i < design->action_count; i++)
        COR_TRY(add(catalogs, COR_AGENT_CATALOG_NAME, design->actions[i].name, "action", error));
    for (uint32_t i = 0; i < design->belief_count; i++)
        COR_TRY(add(catalogs, COR_AGENT_CATALOG_NAME, design->beliefs[i].name, "belief set", error));
    for (uint32_t i = 0; i < design->field_count; i++)
        COR_TRY(add(catalogs, COR_AGENT_CATALOG_NAME, design->fields[i].full_name, "field", error));
    for (uint32_t e = 0; e < design->event_count; e++)
        for (uint32_t p = 0; p < design->events[e].parameter_count; p++)
            COR_TRY(add(catalogs, COR_AGENT_CATALOG_NAME, design->events[e].parameters[p].name, "parameter",
                        error));
    for (uint32_t w = 0; w < experiment->codes.word_count; w++)
        COR_TRY(add(catalogs, COR_AGENT_CATALOG_WORD, cor_words_text(&design->words, w), "word", error));
    return COR_OK;
}

static const struct cor_guest_files *files_of(const void *arms, size_t arm) {
    return &((const struct cor_agent_arm *)arms)[arm].files;
}

static void put_provenance(const void *with, struct cor_json_writer *writer) {
    const struct cor_agent_experiment *experiment = with;
    cor_json_put_bool(writer, "foreign_agents", experiment->head.bound);
    cor_json_open_array(writer, "agents");
    cor_guest_files_put(writer, "agent", files_of, experiment->arms, experiment->head.arm_count);
    cor_json_close(writer);
}

static void destroy(void *with) {
    cor_agent_experiment_destroy(with);
}

enum cor_status agent_layer__look_at_isolation(const struct cor_agent_experiment *experiment,
                                               const struct cor_layer_options *options, char **warnings,
                                               struct cor_error *error) {
    COR_FINISHED(cor_needs) struct cor_needs needs = {0};
    enum cor_status status = COR_OK;
    if (!experiment->head.bound || experiment->is_free) /* bound: it has modules or programs */
        return COR_OK;
    for (uint32_t a = 0; a < experiment->head.arm_count && status == COR_OK; a++) {
        const struct cor_agent_arm *arm = &experiment->arms[a];
        if (arm->way == COR_AUT_MODULE)
            status = cor_needs_of_module(&needs, arm->agent, error);
        else if (arm->way == COR_AUT_PROGRAM && !cor_traffic_replays(experiment->traffic))
            status = cor_needs_of_program(&needs, arm->agent, false, error);
    }
    if (status == COR_OK)
        status =
            cor_guarantees_look(experiment->head.path, &needs, options->isolation_required, warnings, error);
    return status;
}

static enum cor_status read_all(const char *path, struct cor_json_document *document,
                                const struct cor_layer_options *options,
                                struct cor_agent_experiment **experiment, char **warnings,
                                struct cor_error *error) {
    const struct cor_json root = cor_json_root(document);
    if (options->suite_folder || options->log_solutions)
        return cor_fail(error, COR_STATUS_INPUT, path, "run the experiment itself",
                        "is an experiment with agents, which has no folder of suites and no solutions");
    if (options->algorithm)
        return cor_fail(error, COR_STATUS_INPUT, path, "leave the option out",
                        "is an experiment with agents: there are no algorithms in it");
    if (options->fresh_processes)
        return cor_fail(error, COR_STATUS_INPUT, path, "leave the option out",
                        "is an experiment with agents, which always work in processes of their own");
    COR_TRY(agent_layer__experiment_read(path, &root, options, experiment, error));
    const struct cor_unit_order *order = &(*experiment)->file->order;
    uint32_t plans = 0;
    for (uint32_t p = 0; p < (*experiment)->file->design->plan_count; p++)
        plans += order->unit_of_plan[p] == COR_NONE;
    *warnings = cor_strdup((*experiment)->found.is_cut ? COR_SOLVER_CUT_TEXT "\n" : "");
    if (plans > 0)
        *warnings = cor_join_take(*warnings, "",
                                  cor_format("%u plan%s that no entry of the agent reaches: not tested\n",
                                             plans, plans == 1 ? "" : "s"));
    COR_TRY(cor_made(*warnings, error));
    return agent_layer__look_at_isolation(*experiment, options, warnings, error);
}

static enum cor_status read_file(const char *path, struct cor_json_document *document,
                                 const struct cor_layer_options *options,
                                 struct cor_experiment_head **experiment, char **notes, char **warnings,
                                 struct cor_error *error) {
    struct cor_agent_experiment *made = NULL;
    const enum cor_status status = read_all(path, document, options, &made, warnings, error);
    cor_json_destroy(document);
    (void)notes;
    if (status != COR_OK) {
        cor_agent_experiment_destroy(made);
        made = NULL;
    }
    *experiment = made ? &made->head : NULL;
    return status;
}

const struct cor_layer cor_agent_layer = {
    .key = "design",
    .schema = &cor_agent_schema,
    .failures = "findings",
    .subject = &agent_layer__subject,
    .read = read_file,
    .destroy = destroy,
    .open = open_executor,
    .execute = execute,
    .close = close_executor,
    .list = list_all,
    .provenance = put_provenance,
};
