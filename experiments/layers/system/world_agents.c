/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a file says of the world `agents`: agents under test with their designs, roles that test agents play,
 * who sends what to whom, and the protocol. */
#include "world_agents.h"

#include <corridor/array.h>
#include <corridor/fields.h>
#include <corridor/json_names.h>

#include <stdlib.h>
#include <string.h>

#define NAME_BYTES_MAX 100

static void fini_agent(struct system_layer__agent *agent) {
    cor_agent_code_destroy(agent->code);
    cor_agent_faults_fini(&agent->faults);
    cor_design_file_destroy(agent->file);
    free(agent->path);
}

static void destroy_agents(struct system_layer__world *world) {
    struct system_layer__agents *agents = (struct system_layer__agents *)(void *)world;
    if (agents->of) {
        cor_agent_code_destroy(agents->agents[agents->changed].code);
        free(agents);
        return;
    }
    for (uint32_t a = 0; a < agents->agent_count; a++)
        fini_agent(&agents->agents[a]);
    cor_efsm_destroy(agents->protocol);
    free(agents->protocol_inputs);
    free(agents);
}

/* ---- an agent */

struct reading {
    struct system_layer__agents *agents;
    struct system_layer__agent *agent;
    const struct cor_layer_options *options;
    struct cor_json sends, fault;
    bool has_sends, has_fault;
};

static enum cor_status read_name(const struct cor_json *json, void *into, struct cor_error *error) {
    const struct reading *reading = into;
    COR_TRY(cor_json_string(json, &reading->agent->name, error));
    if (reading->agent->name[0] == '\0' || strlen(reading->agent->name) > NAME_BYTES_MAX ||
        !cor_is_printable(reading->agent->name))
        return cor_json_fail(json, error, "1 to 100 bytes without control characters",
                             "no name for an agent");
    for (const struct system_layer__agent *other = reading->agents->agents; other != reading->agent; other++)
        if (strcmp(other->name, reading->agent->name) == 0)
            return cor_json_fail(json, error, "each agent has a name of its own",
                                 "\"%s\" is an agent already", other->name);
    return COR_OK;
}

static enum cor_status read_mock(const struct cor_json *json, void *into, struct cor_error *error) {
    return cor_json_bool(json, &((const struct reading *)into)->agent->is_mock, error);
}

static enum cor_status read_beliefs(const struct cor_json *json, void *into, struct cor_error *error) {
    return cor_json_bool(json, &((const struct reading *)into)->agent->shows_beliefs, error);
}

/* A file, or what would be in it: its text, and how it is called in messages. */
static enum cor_status read_design(const struct cor_json *json, void *into, struct cor_error *error) {
    struct system_layer__agent *agent = ((const struct reading *)into)->agent;
    const char *named;
    char *text;
    enum cor_status status;
    if (cor_json_is_string(json)) {
        COR_TRY(cor_json_string(json, &named, error));
        COR_TRY(cor_made(text = cor_json_beside(json, named), error));
        status = cor_design_file_read(text, &agent->file, error);
    } else {
        COR_TRY(cor_json_expect_object(json, NULL, error));
        COR_TRY(cor_made(text = cor_json_text(json), error));
        status = cor_design_file_parse(text, cor_json_name(json->document), &agent->file, error);
    }
    free(text);
    return status;
}

static enum cor_status read_faults(const struct cor_json *json, void *into, struct cor_error *error) {
    struct system_layer__agent *agent = ((const struct reading *)into)->agent;
    const char *named;
    char *text;
    enum cor_status status;
    if (!agent->file)
        return cor_json_fail(json, error, "say its \"design\"", "faults are of a design");
    if (cor_json_is_string(json)) {
        COR_TRY(cor_json_string(json, &named, error));
        COR_TRY(cor_made(text = cor_json_beside(json, named), error));
        status = cor_agent_faults_read(&agent->faults, text, agent->file->design, error);
    } else {
        COR_TRY(cor_json_expect_object(json, NULL, error));
        COR_TRY(cor_made(text = cor_json_text(json), error));
        status = cor_agent_faults_parse(&agent->faults, text, cor_json_name(json->document),
                                        agent->file->design, error);
    }
    free(text);
    return status;
}

static enum cor_status keep_fault(const struct cor_json *json, void *into, struct cor_error *error) {
    struct reading *reading = into;
    reading->fault = *json;
    reading->has_fault = true;
    return cor_json_string(json, &reading->agent->fault, error);
}

static enum cor_status check_trust(const struct reading *reading, const char *program,
                                   struct cor_error *error) {
    return reading->options ? cor_trust_check(&reading->options->trust, program, error) : COR_OK;
}

static enum cor_status read_module(const struct cor_json *json, void *into, struct cor_error *error) {
    const struct reading *reading = into;
    COR_TRY(cor_json_string(json, &reading->agent->module, error));
    COR_TRY(cor_made(reading->agent->path = cor_json_beside(json, reading->agent->module), error));
    return check_trust(reading, reading->agent->path, error);
}

static enum cor_status read_program(const struct cor_json *json, void *into, struct cor_error *error) {
    const struct reading *reading = into;
    COR_TRY(cor_json_string(json, &reading->agent->program, error));
    if (reading->agent->program[0] == '\0' || !cor_is_printable(reading->agent->program))
        return cor_json_fail(json, error, "one line for sh", "this is no command");
    return check_trust(reading, reading->agent->program, error);
}

static enum cor_status keep_sends(const struct cor_json *json, void *into, struct cor_error *error) {
    struct reading *reading = into;
    reading->sends = *json;
    reading->has_sends = true;
    return cor_json_expect_array(json, 0, SYSTEM_LAYER__SIGNALS_MAX, error);
}

static const struct cor_field agent_fields[] = {{"name", COR_REQUIRED, COR_READ_FIELD(read_name)},
                                                {"mock", COR_OPTIONAL, COR_READ_FIELD(read_mock)},
                                                {"design", COR_OPTIONAL, COR_READ_FIELD(read_design)},
                                                {"faults", COR_OPTIONAL, COR_READ_FIELD(read_faults)},
                                                {"fault", COR_OPTIONAL, COR_READ_FIELD(keep_fault)},
                                                {"module", COR_OPTIONAL, COR_READ_FIELD(read_module)},
                                                {"program", COR_OPTIONAL, COR_READ_FIELD(read_program)},
                                                {"beliefs", COR_OPTIONAL, COR_READ_FIELD(read_beliefs)},
                                                {"sends", COR_OPTIONAL, COR_READ_FIELD(keep_sends)},
                                                {0}};

/* The agent with a fault of its file, or one that an operator makes; `name` NULL: without. */
static enum cor_status make_code(const struct system_layer__agent *agent, const char *name,
                                 const struct cor_json *json, struct cor_agent_code **code,
                                 struct cor_error *error) {
    struct cor_agent_faults mutants = {0};
    struct cor_error said = COR_NO_ERROR;
    struct cor_design *design = agent->file->design;
    const struct cor_agent_faults *faults = &agent->faults;
    uint32_t index = 0;
    *code = NULL;
    if (!name)
        return cor_made(*code = cor_agent_code_create(design), error);
    enum cor_status status = cor_agent_faults_find(faults, name, &index, &said);
    if (status == COR_STATUS_INPUT && strchr(name, '(')) {
        memset(&said, 0, sizeof said);
        COR_TRY_OUT(cor_agent_mutants(&mutants, design, error));
        faults = &mutants;
        status = cor_agent_faults_find(faults, name, &index, &said);
    }
    if (status != COR_OK)
        COR_TRY_OUT(cor_json_repeat(json, status, &said, error));
    COR_TRY_OUT(cor_agent_fault_apply(&faults->faults[index], design, code, error));
out:
    cor_agent_faults_fini(&mutants);
    return status;
}

static enum cor_status check_agent(const struct reading *reading, const struct cor_json *json,
                                   struct cor_error *error) {
    struct system_layer__agent *agent = reading->agent;
    if (agent->is_mock) {
        if (agent->file || agent->module || agent->program || agent->shows_beliefs || agent->fault)
            return cor_json_fail(
                json, error, "leave one of them out",
                "a mock is played by a test agent: it has no design, code, fault or beliefs");
        return COR_OK;
    }
    if (!agent->file)
        return cor_json_fail(json, error, "or it is a \"mock\": true", "the agent \"%s\" has no \"design\"",
                             agent->name);
    if (reading->has_sends)
        return cor_json_fail(&reading->sends, error, "its design says it",
                             "only of a mock it is said here what it sends");
    if (agent->module && agent->program)
        return cor_json_fail(json, error, "leave one of them out",
                             "an agent is a \"module\" or a \"program\", not both");
    for (uint32_t b = 0; b < agent->file->design->belief_count; b++)
        if (agent->file->design->beliefs[b].is_relation)
            return cor_json_fail(json, error, NULL,
                                 "the belief set \"%s\" of \"%s\" has rows, which are not kept from message "
                                 "to message",
                                 agent->file->design->beliefs[b].name, agent->name);
    if (agent->module || agent->program)
        return COR_OK; /* it knows its faults itself */
    return make_code(agent, agent->fault, reading->has_fault ? &reading->fault : json, &agent->code, error);
}

/* ---- who sends what to whom */

static uint32_t find_agent(const struct system_layer__agents *agents, const char *name) {
    for (uint32_t a = 0; a < agents->agent_count; a++)
        if (strcmp(agents->agents[a].name, name) == 0)
            return a;
    return COR_NONE;
}

static enum cor_status find_signal(struct system_layer__agents *agents, const char *name,
                                   const struct cor_json *json, struct system_layer__signal **signal,
                                   struct cor_error *error) {
    for (uint32_t s = 0; s < agents->signal_count; s++)
        if (strcmp(agents->signals[s].name, name) == 0) {
            *signal = &agents->signals[s];
            return COR_OK;
        }
    if (agents->signal_count == SYSTEM_LAYER__SIGNALS_MAX)
        return cor_json_fail(json, error, NULL, "the agents have more than %d messages and percepts",
                             SYSTEM_LAYER__SIGNALS_MAX);
    *signal = &agents->signals[agents->signal_count++];
    **signal = (struct system_layer__signal){.name = name, .model_agent = COR_NONE};
    memset((*signal)->takers, 0xff, sizeof(*signal)->takers);
    return COR_OK;
}

const struct cor_design_event *system_layer__signal_event(const struct system_layer__agents *agents,
                                                          uint32_t signal) {
    const struct system_layer__signal *it = &agents->signals[signal];
    return it->model_agent == COR_NONE
               ? NULL
               : &agents->agents[it->model_agent].file->design->events[it->takers[it->model_agent]];
}

static bool have_equal_parameters(const struct cor_design *design, const struct cor_design_event *event,
                                  const struct cor_design *other, const struct cor_design_event *as) {
    bool equal = event->parameter_count == as->parameter_count;
    for (uint32_t p = 0; equal && p < event->parameter_count; p++)
        equal = strcmp(event->parameters[p].name, as->parameters[p].name) == 0 &&
                strcmp(design->domains[event->parameters[p].domain].name,
                       other->domains[as->parameters[p].domain].name) == 0;
    return equal;
}

/* What the designs take from outside. */
static enum cor_status list_taken(struct system_layer__agents *agents, const struct cor_json *json,
                                  struct cor_error *error) {
    for (uint32_t a = 0; a < agents->agent_count; a++) {
        const struct cor_design *design = agents->agents[a].file ? agents->agents[a].file->design : NULL;
        for (uint32_t i = 0; design && i < design->entries.count; i++) {
            const uint32_t number = design->entries.items[i];
            const struct cor_design_event *event = &design->events[number];
            struct system_layer__signal *signal;
            if (event->kind != COR_EVENT_KIND_MESSAGE_IN && event->kind != COR_EVENT_KIND_PERCEPT)
                continue;
            COR_TRY(find_signal(agents, event->name, json, &signal, error));
            if (event->parameter_count > COR_WORLD_PARAMETERS_MAX)
                return cor_json_fail(json, error, NULL, "\"%s\" of \"%s\" has more than %d parameters",
                                     event->name, agents->agents[a].name, COR_WORLD_PARAMETERS_MAX);
            if (signal->model_agent != COR_NONE) {
                const struct system_layer__agent *first = &agents->agents[signal->model_agent];
                if (!have_equal_parameters(design, event, first->file->design,
                                           &first->file->design->events[signal->takers[signal->model_agent]]))
                    return cor_json_fail(json, error, "agents that take a message take the same parameters",
                                         "\"%s\" has other parameters for \"%s\" than for \"%s\"",
                                         event->name, agents->agents[a].name, first->name);
            } else {
                signal->model_agent = a;
                signal->is_percept = event->kind == COR_EVENT_KIND_PERCEPT;
            }
            signal->takers[a] = number;
            signal->reaches |= UINT64_C(1) << a;
        }
    }
    return COR_OK;
}

/* A message that a design sends: whom it is for is what the file of the design says, or all roles. */
static enum cor_status list_sent(struct system_layer__agents *agents, uint32_t sender,
                                 const struct cor_json *json, struct cor_json_document *text,
                                 struct cor_error *error) {
    struct system_layer__agent *agent = &agents->agents[sender];
    const struct cor_json root = cor_json_root(text);
    struct cor_json messages, to;
    const char *names[SYSTEM_LAYER__AGENTS_MAX + 1] = {0};
    for (uint32_t a = 0; a < agents->agent_count; a++)
        names[a] = agents->agents[a].name;
    if (!cor_json_find(&root, "messages_out", &messages))
        return COR_OK;
    for (uint32_t m = 0; m < agent->file->design->message_count; m++) {
        const char *name = agent->file->design->messages[m].name, *receiver;
        const struct cor_json item = cor_json_at(&messages, m);
        struct system_layer__signal *signal;
        COR_TRY(find_signal(agents, name, json, &signal, error));
        signal->senders |= UINT64_C(1) << sender;
        if (!cor_json_find(&item, "to", &to)) {
            for (uint32_t a = 0; a < agents->agent_count; a++)
                signal->reaches |= (uint64_t)agents->agents[a].is_mock << a;
        } else {
            COR_TRY(cor_json_string(&to, &receiver, error));
            const uint32_t a = find_agent(agents, receiver);
            if (a == COR_NONE) {
                char known[512];
                cor_known_names(receiver, names, known, sizeof known);
                return cor_json_fail(json, error, known, "\"%s\" of \"%s\" goes to \"%s\", whom nobody plays",
                                     name, agent->name, receiver);
            }
            if (!agents->agents[a].is_mock && signal->takers[a] == COR_NONE)
                return cor_json_fail(json, error, "an entry of the kind message_in in its design",
                                     "\"%s\" of \"%s\" goes to \"%s\", which takes no such message", name,
                                     agent->name, receiver);
            signal->reaches |= UINT64_C(1) << a;
        }
        const struct cor_design_event *event =
            system_layer__signal_event(agents, (uint32_t)(signal - agents->signals));
        if (event && event->parameter_count > 0)
            return cor_json_fail(json, error, "messages of designs have none",
                                 "\"%s\" of \"%s\" is taken with parameters, and is sent without", name,
                                 agent->name);
    }
    return COR_OK;
}

static enum cor_status list_deeds(struct system_layer__agents *agents, const struct cor_json *json,
                                  struct cor_error *error) {
    for (uint32_t a = 0; a < agents->agent_count; a++)
        for (uint32_t i = 0; agents->agents[a].file && i < agents->agents[a].file->design->action_count;
             i++) {
            const char *name = agents->agents[a].file->design->actions[i].name;
            uint32_t d = 0;
            while (d < agents->deed_count && strcmp(agents->deeds[d], name) != 0)
                d++;
            if (d == SYSTEM_LAYER__DEEDS_MAX)
                return cor_json_fail(json, error, NULL, "the agents have more than %d actions",
                                     SYSTEM_LAYER__DEEDS_MAX);
            if (d == agents->deed_count)
                agents->deeds[agents->deed_count++] = name;
        }
    return COR_OK;
}

/* A role sends what it is said to send, or every message that an agent takes. */
static enum cor_status list_roles(struct system_layer__agents *agents, const struct cor_json *json,
                                  struct cor_error *error) {
    const char *names[SYSTEM_LAYER__SIGNALS_MAX + 1] = {0};
    uint32_t taken = 0;
    for (uint32_t s = 0; s < agents->signal_count; s++)
        if (agents->signals[s].model_agent != COR_NONE)
            names[taken++] = agents->signals[s].name;
    for (uint32_t a = 0; a < agents->agent_count; a++) {
        const struct cor_json item = cor_json_at(json, a);
        struct cor_json sends;
        if (!agents->agents[a].is_mock)
            continue;
        const bool is_said = cor_json_find(&item, "sends", &sends);
        for (uint32_t s = 0; s < agents->signal_count && !is_said; s++)
            if (agents->signals[s].model_agent != COR_NONE && !agents->signals[s].is_percept)
                agents->signals[s].senders |= UINT64_C(1) << a;
        for (size_t i = 0; is_said && i < cor_json_size(&sends); i++) {
            const struct cor_json name = cor_json_at(&sends, i);
            const char *text;
            char known[512];
            uint32_t s = 0;
            COR_TRY(cor_json_string(&name, &text, error));
            while (s < agents->signal_count &&
                   (agents->signals[s].model_agent == COR_NONE || strcmp(agents->signals[s].name, text) != 0))
                s++;
            if (s == agents->signal_count) {
                cor_known_names(text, names, known, sizeof known);
                return cor_json_fail(&name, error, known, "no agent takes \"%s\"", text);
            }
            agents->signals[s].senders |= UINT64_C(1) << a;
        }
    }
    return COR_OK;
}

static enum cor_status read_agents(const struct cor_json *json, void *into, struct cor_error *error) {
    struct reading *reading = into;
    struct system_layer__agents *agents = reading->agents;
    COR_TRY(cor_json_expect_array(json, 1, SYSTEM_LAYER__AGENTS_MAX, error));
    for (size_t i = 0; i < cor_json_size(json); i++) {
        const struct cor_json item = cor_json_at(json, i);
        reading->agent = &agents->agents[agents->agent_count++];
        reading->has_sends = reading->has_fault = false;
        COR_TRY(cor_json_fields(&item, agent_fields, reading, error));
        COR_TRY(check_agent(reading, &item, error));
    }
    uint32_t mocks = 0;
    for (uint32_t a = 0; a < agents->agent_count; a++)
        mocks += agents->agents[a].is_mock;
    if (mocks == 0 || mocks == agents->agent_count)
        return cor_json_fail(json, error, "{\"name\": \"tester\", \"mock\": true}",
                             mocks == 0 ? "no agent is a mock: test agents have nothing to play"
                                        : "all agents are mocks: there is none to test");
    COR_TRY(list_taken(agents, json, error));
    for (uint32_t a = 0; a < agents->agent_count; a++) {
        struct cor_json_document *text = NULL;
        if (!agents->agents[a].file)
            continue;
        COR_TRY(cor_json_parse(agents->agents[a].file->text, agents->agents[a].file->path, &text, error));
        const enum cor_status status = list_sent(agents, a, json, text, error);
        cor_json_destroy(text);
        COR_TRY(status);
    }
    COR_TRY(list_deeds(agents, json, error));
    return list_roles(agents, json, error);
}

/* ---- the protocol */

/* The parameters of the protocol's input are some of the message's. */
static enum cor_status check_input(const struct system_layer__agents *agents, const struct cor_json *json,
                                   uint32_t input, uint32_t signal, struct cor_error *error) {
    const struct cor_efsm_label *label = &agents->protocol->inputs[input];
    const struct cor_design_event *event =
        signal < agents->signal_count ? system_layer__signal_event(agents, signal) : NULL;
    for (uint32_t i = 0; i < label->parameter_count; i++) {
        const char *name = agents->protocol->variables[label->parameters[i]].name;
        uint32_t p = 0;
        while (event && p < event->parameter_count && strcmp(event->parameters[p].name, name) != 0)
            p++;
        if (!event || p == event->parameter_count)
            return cor_json_fail(json, error, "parameters are called as those of the message",
                                 "\"%s\" has no parameter \"%s\", which the protocol's input has",
                                 label->name, name);
        if (event->parameters[p].domain != COR_DOMAIN_INTEGER &&
            event->parameters[p].domain != COR_DOMAIN_BOOLEAN)
            return cor_json_fail(json, error, "a protocol looks at integers and truth values",
                                 "the parameter \"%s\" of \"%s\" is neither integer nor truth value", name,
                                 label->name);
    }
    return COR_OK;
}

static enum cor_status read_protocol(const struct cor_json *json, void *into, struct cor_error *error) {
    struct system_layer__agents *agents = ((const struct reading *)into)->agents;
    const uint32_t count = agents->signal_count + agents->deed_count;
    const char *names[SYSTEM_LAYER__SIGNALS_MAX + SYSTEM_LAYER__DEEDS_MAX + 1] = {0};
    COR_TRY(cor_efsm_read_named(json, &agents->protocol, error));
    agents->protocol_inputs = cor_calloc(count, sizeof *agents->protocol_inputs);
    COR_TRY(cor_made(agents->protocol_inputs, error));
    for (uint32_t s = 0; s < count; s++) {
        agents->protocol_inputs[s] = COR_NONE;
        names[s] =
            s < agents->signal_count ? agents->signals[s].name : agents->deeds[s - agents->signal_count];
    }
    if (agents->protocol->output_count > 0)
        return cor_json_fail(json, error, "messages of both sides are its inputs",
                             "a protocol has no outputs");
    for (uint32_t input = 0; input < agents->protocol->input_count; input++) {
        uint32_t s = 0;
        while (s < count && strcmp(names[s], agents->protocol->input_names[input]) != 0)
            s++;
        if (s == count) {
            char known[512];
            cor_known_names(agents->protocol->input_names[input], names, known, sizeof known);
            return cor_json_fail(json, error, known,
                                 "the protocol's input \"%s\" is no message and no action",
                                 agents->protocol->input_names[input]);
        }
        COR_TRY(check_input(agents, json, input, s, error));
        agents->protocol_inputs[s] = input;
    }
    return COR_OK;
}

static const char *const orders[] = {"drawn", "sent", NULL};

static enum cor_status read_order(const struct cor_json *json, void *into, struct cor_error *error) {
    return cor_json_one_of(json, orders, "order", &((const struct reading *)into)->agents->order, error);
}

static const struct cor_field world_fields[] = {{"agents", COR_REQUIRED, COR_READ_FIELD(read_agents)},
                                                {"protocol", COR_OPTIONAL, COR_READ_FIELD(read_protocol)},
                                                {"order", COR_OPTIONAL, COR_READ_FIELD(read_order)},
                                                {0}};

static enum cor_status read_world(const struct cor_json *json, const struct cor_layer_options *options,
                                  struct system_layer__world **world, struct cor_error *error) {
    struct system_layer__agents *agents = cor_calloc(1, sizeof *agents);
    struct reading reading = {.agents = agents, .options = options};
    COR_TRY(cor_made(agents, error));
    agents->head.maker = &system_layer__agents_maker;
    const enum cor_status status = cor_json_fields(json, world_fields, &reading, error);
    if (status != COR_OK)
        destroy_agents(&agents->head);
    else
        *world = &agents->head;
    return status;
}

/* "FAULT" of the first agent under test, or "AGENT: FAULT". */
static enum cor_status change_world(const struct system_layer__world *world, const struct cor_json *json,
                                    struct system_layer__world **changed, struct cor_error *error) {
    const struct system_layer__agents *agents = (const struct system_layer__agents *)(const void *)world;
    const char *name;
    uint32_t agent = 0;
    COR_TRY(cor_json_string(json, &name, error));
    while (agents->agents[agent].is_mock)
        agent++;
    for (uint32_t a = 0; a < agents->agent_count; a++) {
        const size_t length = strlen(agents->agents[a].name);
        if (!agents->agents[a].is_mock && strncmp(name, agents->agents[a].name, length) == 0 &&
            strncmp(name + length, ": ", 2) == 0) {
            agent = a;
            name += length + 2;
            break;
        }
    }
    struct system_layer__agents *made = cor_calloc(1, sizeof *made);
    COR_TRY(cor_made(made, error));
    *made = *agents;
    made->of = agents;
    made->changed = agent;
    made->agents[agent].code = NULL;
    made->agents[agent].fault = name;
    enum cor_status status = COR_OK;
    if (!made->agents[agent].module && !made->agents[agent].program)
        status = make_code(&agents->agents[agent], name, json, &made->agents[agent].code, error);
    if (status != COR_OK)
        destroy_agents(&made->head);
    else
        *changed = &made->head;
    return status;
}

static void put_world(const struct system_layer__world *world, struct cor_json_writer *writer) {
    const struct system_layer__agents *agents = (const struct system_layer__agents *)(const void *)world;
    cor_json_open_array(writer, "agents");
    for (uint32_t a = 0; a < agents->agent_count; a++) {
        const struct system_layer__agent *agent = &agents->agents[a];
        cor_json_open_object(writer, NULL);
        cor_json_put_string(writer, "name", agent->name);
        cor_json_put_bool(writer, "mock", agent->is_mock);
        if (agent->file)
            system_layer__put_text(writer, "design", agent->file->text);
        if (agent->faults.text)
            system_layer__put_text(writer, "faults", agent->faults.text);
        if (agent->fault)
            cor_json_put_string(writer, "fault", agent->fault);
        if (agent->module)
            cor_json_put_string(writer, "module", agent->path);
        if (agent->program)
            cor_json_put_string(writer, "program", agent->program);
        if (agent->shows_beliefs)
            cor_json_put_bool(writer, "beliefs", true);
        if (agent->is_mock) {
            cor_json_open_array(writer, "sends");
            for (uint32_t s = 0; s < agents->signal_count; s++)
                if (agents->signals[s].senders >> a & 1)
                    cor_json_put_string(writer, NULL, agents->signals[s].name);
            cor_json_close(writer);
        }
        cor_json_close(writer);
    }
    cor_json_close(writer);
    if (agents->protocol) {
        const struct cor_json protocol = cor_json_root(agents->protocol->document);
        cor_json_put_value(writer, "protocol", &protocol);
    }
    cor_json_put_string(writer, "order", orders[agents->order]);
}

static enum cor_status look_at_needs(const struct system_layer__world *world, bool starts,
                                     struct cor_needs *needs, struct cor_error *error) {
    const struct system_layer__agents *agents = (const struct system_layer__agents *)(const void *)world;
    for (uint32_t a = 0; a < agents->agent_count; a++) {
        const struct system_layer__agent *agent = &agents->agents[a];
        if (agent->module)
            COR_TRY(cor_needs_of_module(needs, agent->path, error));
        else if (agent->program && starts)
            COR_TRY(cor_needs_of_program(needs, agent->program, false, error));
    }
    return COR_OK;
}

static bool runs_code(const struct system_layer__world *world) {
    const struct system_layer__agents *agents = (const struct system_layer__agents *)(const void *)world;
    bool runs = false;
    for (uint32_t a = 0; a < agents->agent_count; a++)
        runs |= agents->agents[a].module || agents->agents[a].program;
    return runs;
}

static const char *protocol_of(const struct system_layer__world *world) {
    const struct system_layer__agents *agents = (const struct system_layer__agents *)(const void *)world;
    return agents->protocol ? agents->protocol->name : NULL;
}

const struct system_layer__world_maker system_layer__agents_maker = {.key = "agents",
                                                                     .read = read_world,
                                                                     .change = change_world,
                                                                     .put = put_world,
                                                                     .create = system_layer__agents_create,
                                                                     .needs = look_at_needs,
                                                                     .runs_code = runs_code,
                                                                     .protocol = protocol_of,
                                                                     .judge = system_layer__agents_judge,
                                                                     .destroy = destroy_agents};
