/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The live world `agents`. Each action of a test agent is a tick: what it sends is put in the queue, then one
 * message is taken out of it and delivered; an agent under test runs until it is quiet, and what it sends
 * goes into the queue. Of the messages that wait, each the first from its sender to its receiver, the one is
 * drawn that is delivered. */
#include "whole_page.h"
#include "world_agents.h"

#include <corridor/array.h>
#include <corridor/rng.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    struct cor_property *properties; /* owned, as the next */
    struct cor_domain *domains;      /* [agent][domain of its design] */
    uint32_t *domain_words;          /* of all these */
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
    struct cor_value (*last)[COR_WORLD_PARAMETERS_MAX]; /* owned; [signal]: arguments of the last one */
    bool *has_last;                                     /* owned */
    uint32_t done[SYSTEM_LAYER__DEEDS_MAX];

    int64_t *states; /* owned; of the protocol: rows */
    uint32_t state_count;
    size_t state_capacity;
    struct cor_efsm_explanations explanations;
    char why[500];    /* what the protocol does not allow; "" = nothing */
    char before[200]; /* the message before */
};

static void close_live(struct cor_live_world *world) {
    struct live *live = (struct live *)(void *)world;
    for (uint32_t a = 0; a < SYSTEM_LAYER__AGENTS_MAX; a++) {
        cor_aut_close(live->sessions[a]);
        free(live->beliefs[a]);
    }
    cor_trace_fini(&live->trace);
    cor_efsm_explanations_fini(&live->explanations);
    free(live->states);
    free(live->queue);
    free(live->counts);
    free(live->news);
    free(live->last);
    free(live->has_last);
    free(live->properties);
    free(live->domains);
    free(live->domain_words);
    free(live->entities);
    system_layer__page_fini(&live->page);
    cor_words_fini(&live->words);
    free(live);
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

static void say(const struct live *live, const char *name, const struct cor_design_event *event,
                uint32_t first_domain, const struct cor_value *arguments, char *text, size_t size) {
    size_t length = (size_t)snprintf(text, size, "%.80s", name);
    for (uint32_t p = 0; event && p < event->parameter_count && length < size; p++) {
        char value[60];
        cor_value_text(arguments[p], &live->domains[first_domain + event->parameters[p].domain], &live->words,
                       value, sizeof value);
        length += (size_t)snprintf(text + length, size - length, "%s%s%s", p == 0 ? "(" : ", ", value,
                                   p + 1 == event->parameter_count ? ")" : "");
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
    const struct cor_design_event *event =
        number < signals ? system_layer__signal_event(live->agents, number) : NULL;
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
        for (uint32_t p = 0; event && p < event->parameter_count; p++)
            if (strcmp(event->parameters[p].name, model->variables[variable].name) == 0)
                values[variable] = arguments[p].as.integer;
    }
    COR_TRY(cor_efsm_explain(model, live->states, live->state_count, input, values, NULL, &live->explanations,
                             error));
    say(live, name, event, event ? live->first_domain[live->agents->signals[number].model_agent] : 0,
        arguments, text, sizeof text);
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

enum cor_status system_layer__agents_judge(struct cor_live_world *world, char *why, size_t size,
                                           struct cor_error *error) {
    struct live *live = (struct live *)(void *)world;
    (void)error;
    snprintf(why, size, "%s", live->why);
    return COR_OK;
}

/* ---- messages */

static enum cor_status send_signal(struct live *live, uint32_t signal, uint32_t from, uint64_t reached,
                                   const struct cor_value *arguments, struct cor_error *error) {
    const struct cor_design_event *event = system_layer__signal_event(live->agents, signal);
    COR_TRY(follow(live, signal, arguments, error));
    for (uint32_t to = 0; to < live->agents->agent_count; to++) {
        if (!(reached >> to & 1))
            continue;
        COR_TRY(COR_RESERVE(&live->queue, &live->queue_capacity, (size_t)live->queue_count + 1, error));
        struct message *message = &live->queue[live->queue_count++];
        *message = (struct message){.signal = signal, .from = from, .to = to};
        if (event && arguments)
            memcpy(message->arguments, arguments, event->parameter_count * sizeof *arguments);
    }
    return COR_OK;
}

static enum cor_status note_deed(struct live *live, uint32_t agent, uint32_t action,
                                 struct cor_error *error) {
    const char *name = design_of(live, agent)->actions[action].name;
    uint32_t deed = 0;
    while (strcmp(live->agents->deeds[deed], name) != 0)
        deed++;
    live->done[deed]++;
    for (uint32_t a = 0; a < live->agents->agent_count; a++)
        live->news[live->agents->signal_count + deed][a]++;
    return follow(live, live->agents->signal_count + deed, NULL, error);
}

static enum cor_status note_sent(struct live *live, uint32_t agent, uint32_t message,
                                 struct cor_error *error) {
    const char *name = design_of(live, agent)->messages[message].name;
    for (uint32_t s = 0; s < live->agents->signal_count; s++)
        if (strcmp(live->agents->signals[s].name, name) == 0)
            return send_signal(live, s, agent, live->agents->signals[s].reaches & ~(UINT64_C(1) << agent),
                               NULL, error);
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
    COR_TRY(cor_aut_run(live->sessions[agent], &unit_case, &live->trace, error));
    for (uint32_t i = 0; i < live->trace.event_count; i++) {
        const struct cor_trace_event *it = &live->trace.events[i];
        switch ((enum cor_trace_kind)it->kind) {
        case COR_TRACE_STARTED:
            is_handled = true;
            break;
        case COR_TRACE_SENT:
            COR_TRY(note_sent(live, agent, it->subject, error));
            break;
        case COR_TRACE_DID:
            COR_TRY(note_deed(live, agent, it->subject, error));
            break;
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
    struct message *posts;
    uint32_t post_count = 0;
    enum cor_status status = COR_OK;
    for (uint32_t p = 0; p < design->events[event].parameter_count; p++)
        COR_TRY(to_design(live, agent, message->arguments[p], &arguments[p], error));
    COR_TRY(cor_made(posts = cor_calloc(POSTS_MOST, sizeof *posts), error));
    COR_TRY_OUT(run_event(live, agent, event, arguments, posts, &post_count, trouble, error));
    for (uint32_t i = 0; i < post_count && *trouble == 0; i++)
        COR_TRY_OUT(
            run_event(live, agent, posts[i].signal, posts[i].arguments, posts, &post_count, trouble, error));
    if (post_count == POSTS_MOST && *trouble == 0) {
        *trouble = COR_SYSTEM_HUNG;
        snprintf(live->head.words, sizeof live->head.words, "%.100s: its beliefs post events without an end",
                 live->agents->agents[agent].name);
    }
out:
    free(posts);
    return status;
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
        const struct cor_design_event *event = system_layer__signal_event(agents, s);
        const bool sends = agents->signals[s].senders >> role & 1;
        if (!sends && !(agents->signals[s].reaches >> role & 1))
            continue;
        system_layer__page_entity(&live->page, entity->identity, TYPE_MESSAGE);
        system_layer__page_value(&live->page, MESSAGE_COUNT, cor_integer(live->counts[s][role]));
        system_layer__page_value(&live->page, MESSAGE_NEW, cor_integer(live->news[s][role]));
        live->news[s][role] = 0;
        for (uint32_t p = 0; event && live->has_last[s] && sends && p < event->parameter_count; p++)
            system_layer__page_value(&live->page, live->signal_properties[s][p], live->last[s][p]);
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
    memset(live->has_last, 0, agents->signal_count * sizeof *live->has_last);
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
    const struct cor_design_event *event = system_layer__signal_event(live->agents, signal);
    if (action->parameter_count == event->parameter_count)
        return reached;
    for (uint32_t a = 0; a < live->agents->agent_count; a++)
        if (live->entities[a].identity == command->arguments[event->parameter_count].as.word)
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
        live->has_last[signal] = true;
        memcpy(live->last[signal], command->arguments, sizeof live->last[signal]);
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

static enum cor_status make_domains(struct live *live, struct cor_error *error) {
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
    return COR_OK;
}

/* Parameters of messages are properties of the type `message`, those of one name one. */
static enum cor_status declare_messages(struct live *live, struct cor_property *properties, uint32_t *count,
                                        struct cor_error *error) {
    const struct system_layer__agents *agents = live->agents;
    properties[MESSAGE_COUNT] = (struct cor_property){"count", &integers, COR_NONE};
    properties[MESSAGE_NEW] = (struct cor_property){"new", &integers, COR_NONE};
    *count = MESSAGE_FIRST;
    for (uint32_t s = 0; s < agents->signal_count; s++) {
        const struct cor_design_event *event = system_layer__signal_event(agents, s);
        const uint32_t agent = agents->signals[s].model_agent;
        for (uint32_t p = 0; event && p < event->parameter_count; p++) {
            const struct cor_domain *domain =
                &live->domains[live->first_domain[agent] + event->parameters[p].domain];
            const char *name = event->parameters[p].name;
            uint32_t property = 0;
            while (property < *count && strcmp(properties[property].name, name) != 0)
                property++;
            if (property < *count &&
                (property < MESSAGE_FIRST || strcmp(properties[property].domain->name, domain->name) != 0))
                return cor_fail(error, COR_STATUS_INPUT, agents->agents[agent].name, "call it otherwise",
                                "the parameter \"%s\" of \"%s\" is called as another property of messages",
                                name, event->name);
            if (property == PROPERTIES_MAX)
                return cor_fail(error, COR_STATUS_INPUT, agents->agents[agent].name, NULL,
                                "the messages have more than %d parameters", PROPERTIES_MAX - MESSAGE_FIRST);
            if (property == *count)
                properties[(*count)++] = (struct cor_property){name, domain, COR_NONE};
            live->signal_properties[s][p] = property;
        }
    }
    return COR_OK;
}

static enum cor_status declare_sets(struct live *live, struct cor_property *property,
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
                *property++ = (struct cor_property){
                    field->name, &live->domains[live->first_domain[a] + field->domain], COR_NONE};
            }
        }
    }
    return COR_OK;
}

static enum cor_status declare_types(struct live *live, struct cor_error *error) {
    static const struct cor_property agent_properties[] = {{"pending", &integers, COR_NONE},
                                                           {"unhandled", &integers, COR_NONE}};
    static const struct cor_property deed_properties[] = {{"count", &integers, COR_NONE},
                                                          {"new", &integers, COR_NONE}};
    uint32_t fields = 0, count;
    for (uint32_t a = 0; a < live->agents->agent_count; a++)
        fields += design_of(live, a) ? design_of(live, a)->field_count : 0;
    live->properties = cor_calloc((size_t)PROPERTIES_MAX + fields, sizeof *live->properties);
    COR_TRY(cor_made(live->properties, error));
    COR_TRY(make_domains(live, error));
    COR_TRY(declare_messages(live, live->properties, &count, error));
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
    live->entities = cor_calloc(most, sizeof *live->entities);
    if (!live->entities)
        return cor_fail_memory(error);
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

static bool is_one_agent(uint64_t set) {
    return (set & (set - 1)) == 0;
}

/* Signals that a role sends. One that several agents take has a parameter more: to whom. */
static enum cor_status declare_actions(struct live *live, struct cor_error *error) {
    const struct system_layer__agents *agents = live->agents;
    struct cor_action_parameter *parameter = live->parameters;
    uint32_t count = COR_ACTION_FIRST;
    live->actions[COR_ACTION_WAIT].name = "wait";
    live->actions[COR_ACTION_LOOK].name = "look";
    for (uint32_t s = 0; s < agents->signal_count; s++) {
        const struct cor_design_event *event = system_layer__signal_event(agents, s);
        const uint32_t agent = agents->signals[s].model_agent;
        bool is_sent = false;
        for (uint32_t a = 0; a < agents->agent_count; a++)
            is_sent |= agents->agents[a].is_mock && (agents->signals[s].senders >> a & 1);
        if (!event || !is_sent)
            continue;
        if (strcmp(event->name, "wait") == 0 || strcmp(event->name, "look") == 0)
            return cor_fail(error, COR_STATUS_INPUT, agents->agents[agent].name, "call it otherwise",
                            "the message \"%s\" is called as an action of every world", event->name);
        live->action_signals[count] = s;
        struct cor_action *action = &live->actions[count++];
        *action = (struct cor_action){event->name, parameter, event->parameter_count};
        for (uint32_t p = 0; p < event->parameter_count; p++)
            *parameter++ = (struct cor_action_parameter){
                event->parameters[p].name,
                &live->domains[live->first_domain[agent] + event->parameters[p].domain]};
        if (is_one_agent(agents->signals[s].reaches))
            continue;
        if (event->parameter_count == COR_WORLD_PARAMETERS_MAX)
            return cor_fail(error, COR_STATUS_INPUT, agents->agents[agent].name, NULL,
                            "\"%s\" of several agents has %d parameters, and no room for \"to\"", event->name,
                            COR_WORLD_PARAMETERS_MAX);
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

static enum cor_status open_sessions(struct live *live, const struct cor_system_experiment *experiment,
                                     struct cor_error *error) {
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
            definition.traffic = experiment ? experiment->traffic : NULL;
            definition.is_free = experiment && experiment->is_free;
            definition.is_full = experiment && experiment->is_full;
        }
        live->beliefs[a] = cor_calloc(agent->file->design->field_count, sizeof *live->beliefs[a]);
        COR_TRY(cor_made(live->beliefs[a], error));
        COR_TRY(cor_aut_open(&definition, &live->sessions[a], error));
    }
    return COR_OK;
}

enum cor_status system_layer__agents_create(const struct system_layer__world *world,
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
    live->has_last = cor_calloc(signals, sizeof *live->has_last);
    if (!live->counts || !live->news || !live->last || !live->has_last)
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
    COR_TRY_OUT(open_sessions(live, request->experiment, error));
    *made = &live->head;
    live = NULL;
out:
    if (live)
        close_live(&live->head);
    return status;
}
