/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a file says of the world `agents`: agents under test with their designs, roles that test agents play,
 * who sends what to whom, and the protocol. */
#include "internal.h"
#include "whole_page.h"

#include <corridor/agent_fault.h>
#include <corridor/array.h>
#include <corridor/aut_session.h>
#include <corridor/design_file.h>
#include <corridor/efsm_conformance.h>
#include <corridor/fields.h>
#include <corridor/json_names.h>
#include <corridor/rng.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The world `agents`: what a file says of it (world_agents.c), and the world (world_agents.c) */

#define SYSTEM_LAYER__AGENTS_MAX 32
#define SYSTEM_LAYER__SIGNALS_MAX 62 /* messages and percepts: each may be an action of the world */
#define SYSTEM_LAYER__DEEDS_MAX 256

/* An agent under test, or a role that a test agent plays. */
struct system_layer__agent {
    const char *name; /* borrowed from the file's document, as all texts */
    bool is_mock, shows_beliefs;
    struct cor_design_file *file;   /* owned; NULL of a role */
    struct cor_agent_faults faults; /* of its file of faults */
    const char *fault;              /* NULL: none */
    struct cor_agent_code *code;    /* owned; with the fault, if it is interpreted */
    const char *module, *program;   /* NULL: neither; paths are absolute, or as the shell finds them */
    char *path;                     /* owned; of the module */
    uint64_t sends[1];              /* of a role: signals that it may send */
};

/* A message, or a percept: what an agent takes, or sends. */
struct system_layer__signal {
    const char *name;
    uint32_t takers[SYSTEM_LAYER__AGENTS_MAX]; /* [agent]: the event of its design; COR_NONE: it takes none */
    uint64_t reaches;                          /* agents and roles to which it goes, a bit each */
    uint64_t senders;                          /* designs that send it, and roles */
    const struct cor_design_parameter *parameters; /* borrowed */
    uint32_t parameter_count;
    uint32_t model_agent; /* whose design says what its parameters are; COR_NONE: none does yet */
    bool is_taken;        /* by an agent under test */
    bool is_percept;
};

struct system_layer__agents {
    struct system_layer__world head; /* first */
    struct system_layer__agent agents[SYSTEM_LAYER__AGENTS_MAX];
    struct system_layer__signal signals[SYSTEM_LAYER__SIGNALS_MAX];
    const char *deeds[SYSTEM_LAYER__DEEDS_MAX]; /* actions of designs, by name */
    struct cor_efsm *protocol;                  /* owned; NULL: none */
    uint32_t *protocol_inputs;                  /* owned; [signal or deed behind them]; COR_NONE: none */
    uint32_t agent_count, signal_count, deed_count;
    int order; /* in which messages are delivered */
    /* A changed world: the agents are those of another one, but for this. */
    const struct system_layer__agents *of;
    uint32_t changed;
};

enum { SYSTEM_LAYER__ORDER_DRAWN, SYSTEM_LAYER__ORDER_SENT };

#define NAME_BYTES_MAX 100

static void destroy_agents(struct system_layer__world *world) {
    COR_FREED struct system_layer__agents *agents = (struct system_layer__agents *)(void *)world;
    if (agents->of) {
        cor_agent_code_destroy(agents->agents[agents->changed].code);
        return;
    }
    for (uint32_t a = 0; a < agents->agent_count; a++) {
        struct system_layer__agent *agent = &agents->agents[a];
        cor_agent_code_destroy(agent->code);
        cor_agent_faults_fini(&agent->faults);
        cor_design_file_destroy(agent->file);
        free(agent->path);
    }
    cor_efsm_destroy(agents->protocol);
    free(agents->protocol_inputs);
}

/* ---- an agent */

struct reading {
    struct system_layer__agents *agents;
    struct system_layer__agent *agent;
    const struct cor_layer_options *options;
    struct cor_json sends, fault; /* value NULL: not said */
};

static enum cor_status read_name(const struct cor_json *json, void *into, struct cor_error *error) {
    const struct reading *reading = into;
    const struct system_layer__agent *all = reading->agents->agents;
    COR_TRY(cor_json_string(json, &reading->agent->name, error));
    return cor_json_check_name(
        json, reading->agent->name, NAME_BYTES_MAX,
        COR_RECORD_NAMES(all, (size_t)(reading->agent - all), struct system_layer__agent, name), "an agent",
        error);
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
    return cor_json_string(json, &((const struct reading *)into)->agent->fault, error);
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

static const struct cor_field agent_fields[] = {
    {"name", COR_REQUIRED, COR_READ_FIELD(read_name)},
    {"mock", COR_OPTIONAL, COR_READ_FIELD(read_mock)},
    {"design", COR_OPTIONAL, COR_READ_FIELD(read_design)},
    {"faults", COR_OPTIONAL, COR_READ_FIELD(read_faults)},
    {"fault", COR_OPTIONAL, COR_READ_FIELD(keep_fault), COR_PLACE_AT(struct reading, fault)},
    {"module", COR_OPTIONAL, COR_READ_FIELD(read_module)},
    {"program", COR_OPTIONAL, COR_READ_FIELD(read_program)},
    {"beliefs", COR_OPTIONAL, COR_READ_FIELD(read_beliefs)},
    {"sends", COR_OPTIONAL, COR_SAID_ARRAY_FIELD(0, SYSTEM_LAYER__SIGNALS_MAX),
     COR_PLACE_AT(struct reading, sends)},
    {0}};

/* The agent with a fault of its file, or one that an operator makes; `name` NULL: without. */
static enum cor_status make_code(const struct system_layer__agent *agent, const char *name,
                                 const struct cor_json *json, struct cor_agent_code **code,
                                 struct cor_error *error) {
    COR_FINISHED(cor_agent_faults) struct cor_agent_faults mutants = {0};
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
        COR_TRY(cor_agent_mutants(&mutants, design, error));
        faults = &mutants;
        status = cor_agent_faults_find(faults, name, &index, &said);
    }
    if (status != COR_OK)
        COR_TRY(cor_json_repeat(json, status, &said, error));
    return cor_agent_fault_apply(&faults->faults[index], design, code, error);
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
    if (reading->sends.value)
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
    return make_code(agent, agent->fault, reading->fault.value ? &reading->fault : json, &agent->code, error);
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

static bool is_same_domain(const struct cor_design *design, uint32_t domain, const struct cor_design *other,
                           uint32_t as) {
    const struct cor_domain *a = &design->domains[domain], *b = &other->domains[as];
    bool equal = strcmp(a->name, b->name) == 0 && a->word_count == b->word_count;
    for (uint32_t w = 0; equal && w < a->word_count; w++)
        equal = strcmp(cor_words_text(&design->words, a->words[w]),
                       cor_words_text(&other->words, b->words[w])) == 0;
    return equal;
}

/* What a design sends or takes has the parameters of the signal; those of the first are its. */
static bool agree(struct system_layer__agents *agents, struct system_layer__signal *signal, uint32_t agent,
                  const struct cor_design_parameter *parameters, uint32_t count) {
    const struct cor_design *design = agents->agents[agent].file->design;
    if (signal->model_agent == COR_NONE) {
        signal->model_agent = agent;
        signal->parameters = parameters;
        signal->parameter_count = count;
    }
    const struct cor_design *model = agents->agents[signal->model_agent].file->design;
    bool equal = count == signal->parameter_count;
    for (uint32_t p = 0; equal && p < count; p++)
        equal = strcmp(parameters[p].name, signal->parameters[p].name) == 0 &&
                is_same_domain(design, parameters[p].domain, model, signal->parameters[p].domain);
    return equal;
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
        const struct cor_design_output *message = &agent->file->design->messages[m];
        if (message->parameter_count > COR_WORLD_PARAMETERS_MAX)
            return cor_json_fail(json, error, NULL, "\"%s\" of \"%s\" has more than %d parameters", name,
                                 agent->name, COR_WORLD_PARAMETERS_MAX);
        if (!agree(agents, signal, sender, message->parameters, message->parameter_count))
            return cor_json_fail(
                json, error,
                "say the \"params\" of a message as those who take it do: names and types, in "
                "one order",
                "\"%s\" of \"%s\" is sent with other parameters than \"%s\" has for it", name, agent->name,
                agents->agents[signal->model_agent].name);
    }
    return COR_OK;
}

/* A role sends what it is said to send, or every message that an agent takes. */
static enum cor_status list_roles(struct system_layer__agents *agents, const struct cor_json *json,
                                  struct cor_error *error) {
    const char *names[SYSTEM_LAYER__SIGNALS_MAX + 1] = {0};
    uint32_t taken = 0;
    for (uint32_t s = 0; s < agents->signal_count; s++)
        if (agents->signals[s].is_taken)
            names[taken++] = agents->signals[s].name;
    for (uint32_t a = 0; a < agents->agent_count; a++) {
        const struct cor_json item = cor_json_at(json, a);
        struct cor_json sends;
        if (!agents->agents[a].is_mock)
            continue;
        const bool is_said = cor_json_find(&item, "sends", &sends);
        for (uint32_t s = 0; s < agents->signal_count && !is_said; s++)
            if (agents->signals[s].is_taken && !agents->signals[s].is_percept)
                agents->signals[s].senders |= UINT64_C(1) << a;
        for (size_t i = 0; is_said && i < cor_json_size(&sends); i++) {
            const struct cor_json name = cor_json_at(&sends, i);
            const char *text;
            uint32_t s = 0;
            COR_TRY(cor_json_string(&name, &text, error));
            COR_TRY(cor_json_find_name(&name, COR_WORD_NAMES(names, taken), text, &s, error,
                                       "no agent takes \"%s\"", text));
            for (s = 0; !agents->signals[s].is_taken || strcmp(agents->signals[s].name, text) != 0;)
                s++;
            agents->signals[s].senders |= UINT64_C(1) << a;
        }
    }
    return COR_OK;
}

static enum cor_status read_agents(const struct cor_json *json, void *into, struct cor_error *error) {
    struct reading *reading = into;
    struct system_layer__agents *agents = reading->agents;
    COR_TRY(cor_json_expect_array(json, 1, SYSTEM_LAYER__AGENTS_MAX, error));
    COR_JSON_CHILDREN(item, json) {
        reading->agent = &agents->agents[agents->agent_count++];
        reading->sends.value = reading->fault.value = NULL;
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
    /* What the designs take from outside. */
    for (uint32_t j = 0; j < agents->agent_count; j++) {
        const struct cor_design *design = agents->agents[j].file ? agents->agents[j].file->design : NULL;
        for (uint32_t k = 0; design && k < design->entries.count; k++) {
            const uint32_t number = design->entries.items[k];
            const struct cor_design_event *event = &design->events[number];
            struct system_layer__signal *signal;
            if (event->kind != COR_EVENT_KIND_MESSAGE_IN && event->kind != COR_EVENT_KIND_PERCEPT)
                continue;
            COR_TRY(find_signal(agents, event->name, json, &signal, error));
            if (event->parameter_count > COR_WORLD_PARAMETERS_MAX)
                return cor_json_fail(json, error, NULL, "\"%s\" of \"%s\" has more than %d parameters",
                                     event->name, agents->agents[j].name, COR_WORLD_PARAMETERS_MAX);
            if (!agree(agents, signal, j, event->parameters, event->parameter_count))
                return cor_json_fail(json, error, "agents that take a message take the same parameters",
                                     "\"%s\" has other parameters for \"%s\" than for \"%s\"", event->name,
                                     agents->agents[j].name, agents->agents[signal->model_agent].name);
            if (!signal->is_taken)
                signal->is_percept = event->kind == COR_EVENT_KIND_PERCEPT;
            signal->is_taken = true;
            signal->takers[j] = number;
            signal->reaches |= UINT64_C(1) << j;
        }
    }
    for (uint32_t a = 0; a < agents->agent_count; a++) {
        COR_DESTROYED(cor_json) struct cor_json_document *text = NULL;
        if (!agents->agents[a].file)
            continue;
        COR_TRY(cor_json_parse(agents->agents[a].file->text, agents->agents[a].file->path, &text, error));
        COR_TRY(list_sent(agents, a, json, text, error));
    }
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
    return list_roles(agents, json, error);
}

/* ---- the protocol */

static enum cor_status read_protocol(const struct cor_json *json, void *into, struct cor_error *error) {
    struct system_layer__agents *agents = ((const struct reading *)into)->agents;
    const uint32_t count = agents->signal_count + agents->deed_count;
    const char *names[SYSTEM_LAYER__SIGNALS_MAX + SYSTEM_LAYER__DEEDS_MAX + 1] = {0};
    COR_TRY(cor_efsm_read_named(json, &agents->protocol, error));
    COR_TRY(cor_made(agents->protocol_inputs = cor_calloc(count, sizeof *agents->protocol_inputs), error));
    for (uint32_t s = 0; s < count; s++) {
        agents->protocol_inputs[s] = COR_NONE;
        names[s] =
            s < agents->signal_count ? agents->signals[s].name : agents->deeds[s - agents->signal_count];
    }
    if (agents->protocol->output_count > 0)
        return cor_json_fail(json, error, "messages of both sides are its inputs",
                             "a protocol has no outputs");
    for (uint32_t input = 0; input < agents->protocol->input_count; input++) {
        const char *called = agents->protocol->input_names[input];
        uint32_t s;
        COR_TRY(cor_json_find_name(json, COR_WORD_NAMES(names, count), called, &s, error,
                                   "the protocol's input \"%s\" is no message and no action", called));
        /* The parameters of the protocol's input are some of the message's. */
        const struct cor_efsm_label *label = &agents->protocol->inputs[input];
        const struct system_layer__signal *signal = s < agents->signal_count ? &agents->signals[s] : NULL;
        for (uint32_t i = 0; i < label->parameter_count; i++) {
            const char *name = agents->protocol->variables[label->parameters[i]].name;
            uint32_t p = 0;
            while (signal && p < signal->parameter_count && strcmp(signal->parameters[p].name, name) != 0)
                p++;
            if (!signal || p == signal->parameter_count)
                return cor_json_fail(json, error, "parameters are called as those of the message",
                                     "\"%s\" has no parameter \"%s\", which the protocol's input has",
                                     label->name, name);
            if (signal->parameters[p].domain != COR_DOMAIN_INTEGER &&
                signal->parameters[p].domain != COR_DOMAIN_BOOLEAN)
                return cor_json_fail(json, error, "a protocol looks at integers and truth values",
                                     "the parameter \"%s\" of \"%s\" is neither integer nor truth value",
                                     name, label->name);
        }
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

/* ---- the live world `agents`. Each action of a test agent is a tick: what it sends is put in the queue,
 * then one message is taken out of it and delivered; an agent under test runs until it is quiet, and what it
 * sends goes into the queue. Of the messages that wait, each the first from its sender to its receiver, the
 * one is drawn that is delivered */

#define POSTS_MOST 1000 /* events that rules of beliefs post, of one message */
#define PROPERTIES_MAX COR_WORLD_PROPERTIES_MAX

enum { TYPE_AGENT, TYPE_MESSAGE, TYPE_ACTION, TYPES_FIRST /* of belief sets */ };
enum { MESSAGE_COUNT, MESSAGE_NEW, MESSAGE_FIRST /* parameter */ };

struct message {
    uint32_t signal, from, to;
    struct cor_value arguments[COR_WORLD_PARAMETERS_MAX];
};

/* A belief set that is shown. */
struct shown_set {
    uint32_t agent, belief, identity;
};

struct live {
    struct cor_live_world head;                /* first */
    const struct system_layer__agents *agents; /* borrowed */
    uint64_t seed;
    uint32_t role_count, roles[COR_TEST_AGENTS_MAX]; /* [test agent]: the agent that it plays */
    struct cor_world_declaration declaration;
    struct cor_words words;
    struct cor_entity_type types[COR_WORLD_TYPES_MAX];
    struct cor_world_property *properties; /* owned, as the next */
    struct cor_domain *domains;            /* [agent][domain of its design] */
    uint32_t *domain_words;                /* of all these */
    uint32_t first_domain[SYSTEM_LAYER__AGENTS_MAX];
    struct cor_action actions[COR_ACTION_FIRST + SYSTEM_LAYER__SIGNALS_MAX];
    uint32_t action_signals[COR_ACTION_FIRST + SYSTEM_LAYER__SIGNALS_MAX];
    struct cor_action_parameter parameters[SYSTEM_LAYER__SIGNALS_MAX * COR_WORLD_PARAMETERS_MAX];
    uint32_t signal_properties[SYSTEM_LAYER__SIGNALS_MAX][COR_WORLD_PARAMETERS_MAX];
    struct cor_declared_entity *entities;
    struct shown_set sets[COR_WORLD_TYPES_MAX];
    uint32_t set_count;
    struct system_layer__page page; /* with room for all entities */

    struct cor_aut_session *sessions[SYSTEM_LAYER__AGENTS_MAX]; /* owned */
    struct cor_value *beliefs[SYSTEM_LAYER__AGENTS_MAX];        /* owned; [field] */
    struct cor_trace trace;
    struct message *queue; /* owned */
    uint32_t queue_count;
    size_t queue_capacity;
    struct cor_rng rng;
    uint64_t tick;
    uint32_t unhandled[SYSTEM_LAYER__AGENTS_MAX];
    uint32_t (*counts)[SYSTEM_LAYER__AGENTS_MAX]; /* owned; [signal][agent]: sent, by a role; received */
    uint32_t (*news)[SYSTEM_LAYER__AGENTS_MAX];   /* owned; [signal or deed][agent]: since it looked last */
    struct last {
        struct cor_value arguments[COR_WORLD_PARAMETERS_MAX];
        bool is_there;
    } (*last)[SYSTEM_LAYER__AGENTS_MAX]; /* owned; [signal][role]: the last that it sent, or got */
    uint32_t done[SYSTEM_LAYER__DEEDS_MAX];

    int64_t *states; /* owned; of the protocol: rows */
    uint32_t state_count;
    size_t state_capacity;
    struct cor_efsm_explanations explanations;
    char why[500];    /* what the protocol does not allow; "" = nothing */
    char before[200]; /* the message before */
};

static void close_live(struct cor_live_world *world) {
    COR_FREED struct live *live = (struct live *)(void *)world;
    for (uint32_t a = 0; a < SYSTEM_LAYER__AGENTS_MAX; a++) {
        cor_aut_close(live->sessions[a]);
        free(live->beliefs[a]);
    }
    cor_trace_fini(&live->trace);
    cor_efsm_explanations_fini(&live->explanations);
    COR_FREE(live->states, live->queue, live->counts, live->news, live->last, live->properties, live->domains,
             live->domain_words, live->entities);
    system_layer__page_fini(&live->page);
    cor_words_fini(&live->words);
}

static const struct cor_design *design_of(const struct live *live, uint32_t agent) {
    const struct cor_design_file *file = live->agents->agents[agent].file;
    return file ? file->design : NULL;
}

/* ---- values of designs and of the world: their words are not the same */

static enum cor_status to_world(struct live *live, uint32_t agent, struct cor_value value,
                                struct cor_value *made, struct cor_error *error) {
    *made = value;
    return value.kind != COR_VALUE_WORD
               ? COR_OK
               : cor_words_intern(&live->words, cor_words_text(&design_of(live, agent)->words, value.as.word),
                                  &made->as.word, error);
}

static enum cor_status to_design(const struct live *live, uint32_t agent, struct cor_value value,
                                 struct cor_value *made, struct cor_error *error) {
    *made = value;
    return value.kind != COR_VALUE_WORD
               ? COR_OK
               : cor_words_intern(&live->agents->agents[agent].file->design->words,
                                  cor_words_text(&live->words, value.as.word), &made->as.word, error);
}

/* ---- the protocol */

/* The domain of a parameter, over the world's words. */
static const struct cor_domain *parameter_domain(const struct live *live,
                                                 const struct system_layer__signal *signal, uint32_t p) {
    return &live->domains[live->first_domain[signal->model_agent] + signal->parameters[p].domain];
}

/* `signal` NULL: a deed. */
static void say(const struct live *live, const char *name, const struct system_layer__signal *signal,
                const struct cor_value *arguments, char *text, size_t size) {
    size_t length = (size_t)snprintf(text, size, "%.80s", name);
    for (uint32_t p = 0; signal && p < signal->parameter_count && length < size; p++) {
        char value[60];
        cor_value_text(arguments[p], parameter_domain(live, signal, p), &live->words, value, sizeof value);
        length += (size_t)snprintf(text + length, size - length, "%s%s%s", p == 0 ? "(" : ", ", value,
                                   p + 1 == signal->parameter_count ? ")" : "");
    }
}

/* What the protocol would take, whatever the parameters: names of inputs. */
static void say_wanted(const struct live *live, char *text, size_t size) {
    const struct cor_efsm *model = live->agents->protocol;
    const size_t width = cor_efsm_state_width(model);
    size_t length = 0;
    uint32_t count = 0;
    text[0] = '\0';
    for (uint32_t input = 0; input < model->input_count; input++) {
        bool is_wanted = false;
        for (uint32_t s = 0; s < live->state_count && !is_wanted; s++)
            for (uint32_t t = 0; t < model->transition_count && !is_wanted; t++)
                is_wanted = model->transitions[t].source == (uint32_t)live->states[s * width] &&
                            model->transitions[t].input == input &&
                            (model->inputs[input].parameter_count > 0 ||
                             cor_efsm_enabled(model, t, live->states + s * width + 1));
        if (is_wanted && length < size)
            length += (size_t)snprintf(text + length, size - length, "%s%.60s", count++ > 0 ? ", " : "",
                                       model->input_names[input]);
    }
    if (count == 0)
        snprintf(text, size, "nothing more");
}

/* `number`: a signal, or a deed behind them. */
static enum cor_status follow(struct live *live, uint32_t number, const struct cor_value *arguments,
                              struct cor_error *error) {
    const struct cor_efsm *model = live->agents->protocol;
    const uint32_t signals = live->agents->signal_count;
    const uint32_t input = model ? live->agents->protocol_inputs[number] : COR_NONE;
    const struct system_layer__signal *signal = number < signals ? &live->agents->signals[number] : NULL;
    const char *name =
        number < signals ? live->agents->signals[number].name : live->agents->deeds[number - signals];
    int64_t values[COR_EFSM_VARIABLES_MAX];
    char text[200];
    if (input == COR_NONE || live->why[0])
        return COR_OK;
    const size_t width = cor_efsm_state_width(model);
    for (uint32_t v = 0; v < model->variable_count; v++)
        values[v] = model->variables[v].low;
    for (uint32_t i = 0; i < model->inputs[input].parameter_count; i++) {
        const uint32_t variable = model->inputs[input].parameters[i];
        for (uint32_t p = 0; signal && p < signal->parameter_count; p++)
            if (strcmp(signal->parameters[p].name, model->variables[variable].name) == 0)
                values[variable] = arguments[p].as.integer;
    }
    COR_TRY(cor_efsm_explain(model, live->states, live->state_count, input, values, NULL, &live->explanations,
                             error));
    say(live, name, signal, arguments, text, sizeof text);
    uint32_t count = 0;
    COR_TRY(
        COR_RESERVE(&live->states, &live->state_capacity, live->explanations.count * width + width, error));
    for (uint32_t i = 0; i < live->explanations.count; i++)
        count += live->explanations.items[i].transition != COR_NONE;
    if (count == 0) {
        char wanted[200];
        say_wanted(live, wanted, sizeof wanted);
        snprintf(live->why, sizeof live->why, "%s %s%s, and the protocol allows %s", text,
                 live->before[0] ? "came after " : "came first", live->before, wanted);
        return COR_OK;
    }
    count = 0;
    for (uint32_t i = 0; i < live->explanations.count; i++)
        if (live->explanations.items[i].transition != COR_NONE)
            memcpy(live->states + width * count++, live->explanations.next + i * width,
                   width * sizeof *live->states);
    live->state_count = cor_efsm_states_tidy(live->states, count, width);
    memcpy(live->before, text, sizeof live->before);
    return COR_OK;
}

static enum cor_status agents_judge(struct cor_live_world *world, char *why, size_t size,
                                    struct cor_error *error) {
    struct live *live = (struct live *)(void *)world;
    (void)error;
    snprintf(why, size, "%s", live->why);
    return COR_OK;
}

/* ---- messages */

static enum cor_status send_signal(struct live *live, uint32_t signal, uint32_t from, uint64_t reached,
                                   const struct cor_value *arguments, struct cor_error *error) {
    COR_TRY(follow(live, signal, arguments, error));
    for (uint32_t to = 0; to < live->agents->agent_count; to++) {
        if (!(reached >> to & 1))
            continue;
        COR_TRY(COR_RESERVE(&live->queue, &live->queue_capacity, (size_t)live->queue_count + 1, error));
        struct message *message = &live->queue[live->queue_count++];
        *message = (struct message){.signal = signal, .from = from, .to = to};
        memcpy(message->arguments, arguments,
               live->agents->signals[signal].parameter_count * sizeof *arguments);
    }
    return COR_OK;
}

/* A message of an agent under test, with what it says; `trouble` if its design does not have such values. */
static enum cor_status note_sent(struct live *live, uint32_t agent, const struct cor_trace_event *sent,
                                 enum cor_system_trouble *trouble, struct cor_error *error) {
    const struct cor_design *design = design_of(live, agent);
    const struct cor_design_output *message = &design->messages[sent->subject];
    struct cor_value arguments[COR_WORLD_PARAMETERS_MAX] = {0};
    for (uint32_t p = 0; p < message->parameter_count; p++) {
        const struct cor_value value = live->trace.values[sent->value + p];
        if (!cor_domain_has(&design->domains[message->parameters[p].domain], value)) {
            *trouble = COR_SYSTEM_GARBLED;
            snprintf(live->head.words, sizeof live->head.words,
                     "%.100s sent %.100s with a %.100s that its design does not have",
                     live->agents->agents[agent].name, message->name, message->parameters[p].name);
            return COR_OK;
        }
        COR_TRY(to_world(live, agent, value, &arguments[p], error));
    }
    for (uint32_t s = 0; s < live->agents->signal_count; s++)
        if (strcmp(live->agents->signals[s].name, message->name) == 0)
            return send_signal(live, s, agent, live->agents->signals[s].reaches & ~(UINT64_C(1) << agent),
                               arguments, error);
    return COR_OK;
}

static enum cor_system_trouble trouble_of(enum cor_trace_end end) {
    switch (end) {
    case COR_TRACE_END_QUIET:
        return (enum cor_system_trouble)0;
    case COR_TRACE_END_CRASHED:
    case COR_TRACE_END_EXITED:
        return COR_SYSTEM_DIED;
    case COR_TRACE_END_GARBLED:
        return COR_SYSTEM_GARBLED;
    default:
        return COR_SYSTEM_HUNG;
    }
}

/* One event of an agent under test, and what its rules post then, which `posts` gets as indices of the
 * trace's values. */
static enum cor_status run_event(struct live *live, uint32_t agent, uint32_t event,
                                 const struct cor_value *arguments, struct message *posts,
                                 uint32_t *post_count, enum cor_system_trouble *trouble,
                                 struct cor_error *error) {
    const struct cor_design *design = design_of(live, agent);
    const struct cor_agent_case unit_case = {.event = event,
                                             .arguments = arguments,
                                             .beliefs = live->beliefs[agent],
                                             .seed = live->seed,
                                             .steps = design->settings.step_limit,
                                             .rounds = design->settings.cycle_limit};
    bool is_handled = false;
    *trouble = (enum cor_system_trouble)0;
    COR_TRY(cor_aut_run(live->sessions[agent], &unit_case, &live->trace, error));
    for (uint32_t i = 0; i < live->trace.event_count; i++) {
        const struct cor_trace_event *it = &live->trace.events[i];
        switch ((enum cor_trace_kind)it->kind) {
        case COR_TRACE_STARTED:
            is_handled = true;
            break;
        case COR_TRACE_SENT:
            COR_TRY(note_sent(live, agent, it, trouble, error));
            if (*trouble != 0)
                return COR_OK;
            break;
        case COR_TRACE_DID: {
            const char *name = design_of(live, agent)->actions[it->subject].name;
            uint32_t deed = 0;
            while (strcmp(live->agents->deeds[deed], name) != 0)
                deed++;
            live->done[deed]++;
            for (uint32_t a = 0; a < live->agents->agent_count; a++)
                live->news[live->agents->signal_count + deed][a]++;
            COR_TRY(follow(live, live->agents->signal_count + deed, NULL, error));
            break;
        }
        case COR_TRACE_WROTE:
            live->beliefs[agent][it->subject] = live->trace.values[it->value];
            break;
        case COR_TRACE_POSTED:
            if (it->flag == COR_POSTER_RULE && *post_count < POSTS_MOST &&
                design->events[it->subject].parameter_count <= COR_WORLD_PARAMETERS_MAX) {
                struct message *post = &posts[(*post_count)++];
                post->signal = it->subject;
                memcpy(post->arguments, live->trace.values + it->value,
                       design->events[it->subject].parameter_count * sizeof *post->arguments);
            }
            break;
        default:
            break;
        }
    }
    live->unhandled[agent] += !is_handled;
    *trouble = trouble_of(live->trace.end);
    if (*trouble != 0)
        snprintf(live->head.words, sizeof live->head.words, "%.100s, given %.100s: %.100s%s%.150s",
                 live->agents->agents[agent].name, design->events[event].name,
                 cor_term_word(COR_FAMILY_TRACE_END, (int)live->trace.end),
                 live->trace.garbled[0] ? ": " : "", live->trace.garbled);
    return COR_OK;
}

/* To an agent under test: until it is quiet. */
static enum cor_status handle(struct live *live, const struct message *message,
                              enum cor_system_trouble *trouble, struct cor_error *error) {
    const uint32_t agent = message->to, event = live->agents->signals[message->signal].takers[agent];
    const struct cor_design *design = design_of(live, agent);
    struct cor_value arguments[COR_WORLD_PARAMETERS_MAX];
    COR_FREED struct message *posts = NULL;
    uint32_t post_count = 0;
    for (uint32_t p = 0; p < design->events[event].parameter_count; p++)
        COR_TRY(to_design(live, agent, message->arguments[p], &arguments[p], error));
    COR_TRY(cor_made(posts = cor_calloc(POSTS_MOST, sizeof *posts), error));
    COR_TRY(run_event(live, agent, event, arguments, posts, &post_count, trouble, error));
    for (uint32_t i = 0; i < post_count && *trouble == 0; i++)
        COR_TRY(
            run_event(live, agent, posts[i].signal, posts[i].arguments, posts, &post_count, trouble, error));
    if (post_count == POSTS_MOST && *trouble == 0) {
        *trouble = COR_SYSTEM_HUNG;
        snprintf(live->head.words, sizeof live->head.words, "%.100s: its beliefs post events without an end",
                 live->agents->agents[agent].name);
    }
    return COR_OK;
}

/* The message that is delivered next. */
static uint32_t pick(struct live *live) {
    uint32_t count = 0, chosen = 0;
    for (uint32_t i = 0; i < live->queue_count; i++) {
        bool is_first = true;
        for (uint32_t other = 0; other < i && is_first; other++)
            is_first =
                live->queue[other].from != live->queue[i].from || live->queue[other].to != live->queue[i].to;
        if (is_first && live->agents->order == SYSTEM_LAYER__ORDER_SENT)
            return i;
        /* Each of those that are first by the same chance, with one draw for each. */
        if (is_first && (++count == 1 || cor_rng_below(&live->rng, count) == 0))
            chosen = i;
    }
    return chosen;
}

static void keep_last(struct live *live, uint32_t signal, uint32_t role, const struct cor_value *arguments) {
    struct last *last = &live->last[signal][role];
    memcpy(last->arguments, arguments, sizeof last->arguments);
    last->is_there = true;
}

static enum cor_status deliver(struct live *live, enum cor_system_trouble *trouble, struct cor_error *error) {
    const struct system_layer__agents *agents = live->agents;
    if (live->queue_count == 0)
        return COR_OK;
    const uint32_t index = pick(live);
    const struct message message = live->queue[index];
    memmove(live->queue + index, live->queue + index + 1,
            (--live->queue_count - index) * sizeof *live->queue);
    if (!agents->agents[message.to].is_mock)
        return handle(live, &message, trouble, error);
    live->counts[message.signal][message.to]++;
    live->news[message.signal][message.to]++;
    keep_last(live, message.signal, message.to, message.arguments);
    return COR_OK;
}

/* ---- views */

static uint32_t pending(const struct live *live, uint32_t agent) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < live->queue_count; i++)
        count += live->queue[i].to == agent;
    return count;
}

/* What a role sees: agents, messages that it sends or gets, actions, beliefs that are told. */
static enum cor_status show(struct live *live, uint32_t role, struct cor_world_view *view,
                            struct cor_error *error) {
    const struct system_layer__agents *agents = live->agents;
    const struct cor_declared_entity *entity = live->entities;
    system_layer__page_clear(&live->page);
    for (uint32_t a = 0; a < agents->agent_count; a++, entity++) {
        system_layer__page_entity(&live->page, entity->identity, TYPE_AGENT);
        system_layer__page_value(&live->page, 0, cor_integer(pending(live, a)));
        system_layer__page_value(&live->page, 1, cor_integer(live->unhandled[a]));
    }
    for (uint32_t s = 0; s < agents->signal_count; s++, entity++) {
        const struct last *last = &live->last[s][role];
        if (!((agents->signals[s].senders | agents->signals[s].reaches) >> role & 1))
            continue;
        system_layer__page_entity(&live->page, entity->identity, TYPE_MESSAGE);
        system_layer__page_value(&live->page, MESSAGE_COUNT, cor_integer(live->counts[s][role]));
        system_layer__page_value(&live->page, MESSAGE_NEW, cor_integer(live->news[s][role]));
        live->news[s][role] = 0;
        for (uint32_t p = 0; last->is_there && p < agents->signals[s].parameter_count; p++)
            system_layer__page_value(&live->page, live->signal_properties[s][p], last->arguments[p]);
    }
    for (uint32_t d = 0; d < agents->deed_count; d++, entity++) {
        system_layer__page_entity(&live->page, entity->identity, TYPE_ACTION);
        system_layer__page_value(&live->page, 0, cor_integer(live->done[d]));
        system_layer__page_value(&live->page, 1, cor_integer(live->news[agents->signal_count + d][role]));
        live->news[agents->signal_count + d][role] = 0;
    }
    for (uint32_t i = 0; i < live->set_count; i++) {
        const struct shown_set *set = &live->sets[i];
        const struct cor_design_belief *belief = &design_of(live, set->agent)->beliefs[set->belief];
        system_layer__page_entity(&live->page, set->identity, TYPES_FIRST + i);
        for (uint32_t f = 0; f < belief->field_count; f++) {
            struct cor_value value;
            COR_TRY(to_world(live, set->agent, live->beliefs[set->agent][belief->first_field + f], &value,
                             error));
            system_layer__page_value(&live->page, f, value);
        }
    }
    *view = system_layer__page_view(&live->page, live->tick);
    return COR_OK;
}

/* ---- the world's functions */

static enum cor_status reset(struct cor_live_world *world, struct cor_world_view *view,
                             enum cor_system_trouble *trouble, struct cor_error *error) {
    struct live *live = (struct live *)(void *)world;
    const struct system_layer__agents *agents = live->agents;
    const struct cor_efsm *model = agents->protocol;
    *trouble = (enum cor_system_trouble)0;
    live->rng = cor_rng_named(
        &(struct cor_stream_name){.seed = live->seed, .suite = world->run, .purpose = COR_PURPOSE_SCHEDULE});
    live->queue_count = 0;
    live->tick = 0;
    live->why[0] = live->before[0] = '\0';
    memset(live->unhandled, 0, sizeof live->unhandled);
    memset(live->done, 0, sizeof live->done);
    memset(live->last, 0, agents->signal_count * sizeof *live->last);
    memset(live->counts, 0, agents->signal_count * sizeof *live->counts);
    memset(live->news, 0, (agents->signal_count + agents->deed_count) * sizeof *live->news);
    for (uint32_t a = 0; a < agents->agent_count; a++) {
        const struct cor_design *design = design_of(live, a);
        for (uint32_t f = 0; design && f < design->field_count; f++)
            live->beliefs[a][f] =
                agents->agents[a].code ? agents->agents[a].code->start[f] : design->fields[f].start;
        if (live->sessions[a])
            COR_TRY(cor_aut_restart(live->sessions[a], error));
    }
    if (model) {
        int64_t values[COR_EFSM_VARIABLES_MAX];
        COR_TRY(COR_RESERVE(&live->states, &live->state_capacity, cor_efsm_state_width(model), error));
        cor_efsm_start(model, values);
        cor_efsm_state_put(model, model->initial, values, live->states);
        live->state_count = 1;
    }
    return show(live, live->roles[0], view, error);
}

/* Whom it reaches: all that take it, or the one that is named. */
static uint64_t reached_by(const struct live *live, const struct cor_world_command *command) {
    const struct cor_action *action = &live->actions[command->action];
    const uint32_t signal = live->action_signals[command->action];
    const uint64_t reached = live->agents->signals[signal].reaches;
    const uint32_t count = live->agents->signals[signal].parameter_count;
    if (action->parameter_count == count)
        return reached;
    for (uint32_t a = 0; a < live->agents->agent_count; a++)
        if (live->entities[a].identity == command->arguments[count].as.word)
            return reached & UINT64_C(1) << a;
    return 0;
}

static enum cor_status act(struct cor_live_world *world, uint32_t test_agent,
                           const struct cor_world_command *command, struct cor_world_view *view,
                           enum cor_system_trouble *trouble, struct cor_error *error) {
    struct live *live = (struct live *)(void *)world;
    const uint32_t role = live->roles[test_agent];
    *trouble = (enum cor_system_trouble)0;
    world->words[0] = '\0';
    if (command->action >= COR_ACTION_FIRST) {
        const uint32_t signal = live->action_signals[command->action];
        const struct system_layer__signal *it = &live->agents->signals[signal];
        if (!(it->senders >> role & 1))
            return cor_fail(error, COR_STATUS_INPUT, live->agents->agents[role].name,
                            "say it in \"sends\" of the mock", "does not send \"%s\"", it->name);
        live->counts[signal][role]++;
        live->news[signal][role]++;
        keep_last(live, signal, role, command->arguments);
        COR_TRY(send_signal(live, signal, role, reached_by(live, command), command->arguments, error));
    }
    if (command->action != COR_ACTION_LOOK) {
        live->tick++;
        COR_TRY(deliver(live, trouble, error));
    }
    return *trouble == 0 ? show(live, role, view, error) : COR_OK;
}

static const struct cor_live_world_kind kind = {"agents", reset, act, close_live};

/* ---- its declaration */

static const struct cor_domain integers = {.type = COR_VALUE_TYPE_INTEGER, .name = "int"};

static enum cor_status declare_sets(struct live *live, struct cor_world_property *property,
                                    struct cor_error *error) {
    const struct system_layer__agents *agents = live->agents;
    for (uint32_t a = 0; a < agents->agent_count; a++) {
        const struct cor_design *design = agents->agents[a].shows_beliefs ? design_of(live, a) : NULL;
        for (uint32_t b = 0; design && b < design->belief_count; b++) {
            const struct cor_design_belief *belief = &design->beliefs[b];
            if (TYPES_FIRST + live->set_count == COR_WORLD_TYPES_MAX)
                return cor_fail(error, COR_STATUS_INPUT, agents->agents[a].name, NULL,
                                "the agents show more than %d belief sets",
                                COR_WORLD_TYPES_MAX - TYPES_FIRST);
            if (belief->field_count > PROPERTIES_MAX)
                return cor_fail(error, COR_STATUS_INPUT, agents->agents[a].name, NULL,
                                "the belief set \"%s\" has more than %d fields", belief->name,
                                PROPERTIES_MAX);
            struct cor_entity_type *type = &live->types[TYPES_FIRST + live->set_count];
            *type = (struct cor_entity_type){belief->name, property, belief->field_count, COR_NONE};
            live->sets[live->set_count] = (struct shown_set){.agent = a, .belief = b};
            COR_TRY(
                cor_words_intern(&live->words, belief->name, &live->sets[live->set_count++].identity, error));
            for (uint32_t f = 0; f < belief->field_count; f++) {
                const struct cor_design_field *field = &design->fields[belief->first_field + f];
                *property++ = (struct cor_world_property){
                    field->name, &live->domains[live->first_domain[a] + field->domain], COR_NONE};
            }
        }
    }
    return COR_OK;
}

static enum cor_status declare_types(struct live *live, struct cor_error *error) {
    static const struct cor_world_property agent_properties[] = {{"pending", &integers, COR_NONE},
                                                                 {"unhandled", &integers, COR_NONE}};
    static const struct cor_world_property deed_properties[] = {{"count", &integers, COR_NONE},
                                                                {"new", &integers, COR_NONE}};
    uint32_t fields = 0, count;
    for (uint32_t a = 0; a < live->agents->agent_count; a++)
        fields += design_of(live, a) ? design_of(live, a)->field_count : 0;
    live->properties = cor_calloc((size_t)PROPERTIES_MAX + fields, sizeof *live->properties);
    COR_TRY(cor_made(live->properties, error));
    uint32_t domains = 0, words = 0;
    for (uint32_t a = 0; a < live->agents->agent_count; a++) {
        const struct cor_design *design = design_of(live, a);
        live->first_domain[a] = domains;
        domains += design ? design->domain_count : 0;
        for (uint32_t d = 0; design && d < design->domain_count; d++)
            words += design->domains[d].word_count;
    }
    live->domains = cor_calloc(domains, sizeof *live->domains);
    live->domain_words = cor_calloc(words, sizeof *live->domain_words);
    if (!live->domains || !live->domain_words)
        return cor_fail_memory(error);
    uint32_t *word = live->domain_words;
    for (uint32_t a = 0; a < live->agents->agent_count; a++) {
        const struct cor_design *design = design_of(live, a);
        for (uint32_t d = 0; design && d < design->domain_count; d++) {
            struct cor_domain *made = &live->domains[live->first_domain[a] + d];
            *made = design->domains[d];
            made->words = made->word_count > 0 ? word : NULL;
            for (uint32_t w = 0; w < made->word_count; w++)
                COR_TRY(cor_words_intern(&live->words,
                                         cor_words_text(&design->words, design->domains[d].words[w]), word++,
                                         error));
        }
    }
    /* Parameters of messages are properties of the type `message`, those of one name one. */
    const struct system_layer__agents *agents = live->agents;
    live->properties[MESSAGE_COUNT] = (struct cor_world_property){"count", &integers, COR_NONE};
    live->properties[MESSAGE_NEW] = (struct cor_world_property){"new", &integers, COR_NONE};
    count = MESSAGE_FIRST;
    for (uint32_t s = 0; s < agents->signal_count; s++) {
        const struct system_layer__signal *signal = &agents->signals[s];
        const char *model = signal->model_agent == COR_NONE ? "" : agents->agents[signal->model_agent].name;
        for (uint32_t p = 0; p < signal->parameter_count; p++) {
            const struct cor_domain *domain = parameter_domain(live, signal, p);
            const char *name = signal->parameters[p].name;
            uint32_t property = 0;
            while (property < count && strcmp(live->properties[property].name, name) != 0)
                property++;
            if (property < count && (property < MESSAGE_FIRST ||
                                     strcmp(live->properties[property].domain->name, domain->name) != 0))
                return cor_fail(error, COR_STATUS_INPUT, model, "call it otherwise",
                                "the parameter \"%s\" of \"%s\" is called as another property of messages",
                                name, signal->name);
            if (property == PROPERTIES_MAX)
                return cor_fail(error, COR_STATUS_INPUT, model, NULL,
                                "the messages have more than %d parameters", PROPERTIES_MAX - MESSAGE_FIRST);
            if (property == count)
                live->properties[count++] = (struct cor_world_property){name, domain, COR_NONE};
            live->signal_properties[s][p] = property;
        }
    }
    live->types[TYPE_AGENT] = (struct cor_entity_type){"agent", agent_properties, 2, COR_NONE};
    live->types[TYPE_MESSAGE] = (struct cor_entity_type){"message", live->properties, count, COR_NONE};
    live->types[TYPE_ACTION] = (struct cor_entity_type){"action", deed_properties, 2, COR_NONE};
    return declare_sets(live, live->properties + PROPERTIES_MAX, error);
}

static enum cor_status declare_entity(struct live *live, const char *name, uint32_t type,
                                      struct cor_error *error) {
    uint32_t identity;
    COR_TRY(cor_words_intern(&live->words, name, &identity, error));
    for (uint32_t e = 0; e < live->declaration.entity_count; e++)
        if (live->entities[e].identity == identity)
            return cor_fail(error, COR_STATUS_INPUT, name, "call one of them otherwise",
                            "is the name of two things that are shown: agents, messages, actions, beliefs");
    live->entities[live->declaration.entity_count++] = (struct cor_declared_entity){identity, type};
    return COR_OK;
}

static enum cor_status declare_entities(struct live *live, struct cor_error *error) {
    const struct system_layer__agents *agents = live->agents;
    const size_t most =
        (size_t)agents->agent_count + agents->signal_count + agents->deed_count + live->set_count;
    COR_TRY(cor_made(live->entities = cor_calloc(most, sizeof *live->entities), error));
    COR_TRY(system_layer__page_reserve(&live->page, most, most * PROPERTIES_MAX, error));
    for (uint32_t a = 0; a < agents->agent_count; a++)
        COR_TRY(declare_entity(live, agents->agents[a].name, TYPE_AGENT, error));
    for (uint32_t s = 0; s < agents->signal_count; s++)
        COR_TRY(declare_entity(live, agents->signals[s].name, TYPE_MESSAGE, error));
    for (uint32_t d = 0; d < agents->deed_count; d++)
        COR_TRY(declare_entity(live, agents->deeds[d], TYPE_ACTION, error));
    for (uint32_t i = 0; i < live->set_count; i++)
        COR_TRY(declare_entity(live, cor_words_text(&live->words, live->sets[i].identity), TYPES_FIRST + i,
                               error));
    return COR_OK;
}

/* Signals that a role sends. One that several agents take has a parameter more: to whom. */
static enum cor_status declare_actions(struct live *live, struct cor_error *error) {
    const struct system_layer__agents *agents = live->agents;
    struct cor_action_parameter *parameter = live->parameters;
    uint32_t count = COR_ACTION_FIRST;
    live->actions[COR_ACTION_WAIT].name = "wait";
    live->actions[COR_ACTION_LOOK].name = "look";
    for (uint32_t s = 0; s < agents->signal_count; s++) {
        const struct system_layer__signal *signal = &agents->signals[s];
        bool is_sent = false;
        for (uint32_t a = 0; a < agents->agent_count; a++)
            is_sent |= agents->agents[a].is_mock && (signal->senders >> a & 1);
        if (!signal->is_taken || !is_sent)
            continue;
        const char *model = agents->agents[signal->model_agent].name;
        if (strcmp(signal->name, "wait") == 0 || strcmp(signal->name, "look") == 0)
            return cor_fail(error, COR_STATUS_INPUT, model, "call it otherwise",
                            "the message \"%s\" is called as an action of every world", signal->name);
        live->action_signals[count] = s;
        struct cor_action *action = &live->actions[count++];
        *action = (struct cor_action){signal->name, parameter, signal->parameter_count};
        for (uint32_t p = 0; p < signal->parameter_count; p++)
            *parameter++ =
                (struct cor_action_parameter){signal->parameters[p].name, parameter_domain(live, signal, p)};
        if ((signal->reaches & (signal->reaches - 1)) == 0) /* one agent at most */
            continue;
        if (signal->parameter_count == COR_WORLD_PARAMETERS_MAX)
            return cor_fail(error, COR_STATUS_INPUT, model, NULL,
                            "\"%s\" of several agents has %d parameters, and no room for \"to\"",
                            signal->name, COR_WORLD_PARAMETERS_MAX);
        *parameter++ = (struct cor_action_parameter){"to", NULL};
        action->parameter_count++;
    }
    live->declaration.action_count = count;
    return COR_OK;
}

/* ---- making it */

/* Each test agent plays a role, and each role is played. */
static enum cor_status cast(struct live *live, const struct system_layer__world_request *request,
                            struct cor_error *error) {
    const struct system_layer__agents *agents = live->agents;
    const char *names[SYSTEM_LAYER__AGENTS_MAX + 1] = {0};
    uint64_t played = 0;
    uint32_t count = 0;
    for (uint32_t a = 0; a < agents->agent_count; a++)
        if (agents->agents[a].is_mock)
            names[count++] = agents->agents[a].name;
    for (uint32_t t = 0; t < request->test_agent_count; t++) {
        uint32_t role = 0;
        while (role < agents->agent_count &&
               (!agents->agents[role].is_mock ||
                strcmp(agents->agents[role].name, request->test_agents[t]) != 0))
            role++;
        if (role == agents->agent_count) {
            char known[512];
            cor_known_names(request->test_agents[t], names, known, sizeof known);
            return cor_fail(error, COR_STATUS_INPUT, "test", known, "the test agent \"%s\" plays no mock",
                            request->test_agents[t]);
        }
        live->roles[t] = role;
        played |= UINT64_C(1) << role;
    }
    for (uint32_t a = 0; a < agents->agent_count; a++)
        if (agents->agents[a].is_mock && !(played >> a & 1))
            return cor_fail(error, COR_STATUS_INPUT, "test", "a test agent of that name plays it",
                            "nobody plays the mock \"%s\"", agents->agents[a].name);
    live->role_count = request->test_agent_count;
    return COR_OK;
}

static enum cor_status agents_create(const struct system_layer__world *world,
                                     const struct system_layer__world_request *request,
                                     struct cor_live_world **made, struct cor_error *error) {
    const struct system_layer__agents *agents = (const struct system_layer__agents *)(const void *)world;
    const size_t signals = agents->signal_count;
    struct live *live = cor_calloc(1, sizeof *live);
    enum cor_status status;
    *made = NULL;
    COR_TRY(cor_made(live, error));
    live->head = (struct cor_live_world){.kind = &kind, .declaration = &live->declaration};
    live->agents = agents;
    live->seed = request->experiment ? request->experiment->head.seed : 0;
    cor_words_init(&live->words);
    cor_trace_init(&live->trace);
    live->counts = cor_calloc(signals, sizeof *live->counts);
    live->news = cor_calloc(signals + agents->deed_count, sizeof *live->news);
    live->last = cor_calloc(signals, sizeof *live->last);
    if (!live->counts || !live->news || !live->last)
        COR_TRY_OUT(cor_fail_memory(error));
    COR_TRY_OUT(cast(live, request, error));
    COR_TRY_OUT(declare_types(live, error));
    COR_TRY_OUT(declare_entities(live, error));
    COR_TRY_OUT(declare_actions(live, error));
    live->declaration.name = "agents";
    live->declaration.version = "1";
    live->declaration.types = live->types;
    live->declaration.type_count = TYPES_FIRST + live->set_count;
    live->declaration.actions = live->actions;
    live->declaration.entities = live->entities;
    live->declaration.words = &live->words;
    live->declaration.step = COR_NONE;
    for (uint32_t a = 0; a < live->agents->agent_count; a++) {
        const struct system_layer__agent *agent = &live->agents->agents[a];
        if (agent->is_mock)
            continue;
        struct cor_aut_definition definition = cor_default_aut(agent->file->design);
        definition.code = agent->code;
        if (agent->module || agent->program) {
            definition.way = agent->module ? COR_AUT_MODULE : COR_AUT_PROGRAM;
            definition.agent = agent->module ? agent->path : agent->program;
            definition.fault = agent->fault;
            definition.design_json = agent->file->text;
            definition.traffic = request->experiment ? request->experiment->traffic : NULL;
            definition.is_free = request->experiment && request->experiment->is_free;
            definition.is_full = request->experiment && request->experiment->is_full;
        }
        live->beliefs[a] = cor_calloc(agent->file->design->field_count, sizeof *live->beliefs[a]);
        COR_TRY_OUT(cor_made(live->beliefs[a], error));
        COR_TRY_OUT(cor_aut_open(&definition, &live->sessions[a], error));
    }
    *made = &live->head;
    live = NULL;
out:
    if (live)
        close_live(&live->head);
    return status;
}

const struct system_layer__world_maker system_layer__agents_maker = {.key = "agents",
                                                                     .read = read_world,
                                                                     .change = change_world,
                                                                     .put = put_world,
                                                                     .create = agents_create,
                                                                     .needs = look_at_needs,
                                                                     .runs_code = runs_code,
                                                                     .protocol = protocol_of,
                                                                     .judge = agents_judge,
                                                                     .destroy = destroy_agents};
