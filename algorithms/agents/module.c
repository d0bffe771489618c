/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */

#include "internal.h"

#include <corridor/array.h>
#include <corridor/aut_session.h>
#include <corridor/cell.h>
#include <corridor/guarantees.h>
#include <corridor/loader.h>
#include <corridor/needs.h>
#include <corridor/rng.h>
#include <corridor/rows.h>

#include <fcntl.h>
#include <math.h>
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Arenas of a batch: room for one trace of the largest size, and for others. */
#define EVENT_ROOM (2 * AGENTS__EVENTS_MOST)
#define VALUE_ROOM (2 * AGENTS__VALUES_MOST)
#define TEXT_ROOM (16 * AGENTS__TEXT_MOST)

/* Puts a part of `count` items behind those before. */
static size_t place(size_t *size, size_t count, size_t item_size) {
    size_t start = (*size + alignof(max_align_t) - 1) / alignof(max_align_t) * alignof(max_align_t);
    *size = start + count * item_size;
    return start;
}

/* How many values a case has, and how many of them at most are arguments. */
static void cases_measure(struct agents__cases *cases, const struct cor_design *design) {
    uint32_t most = 0;
    for (uint32_t i = 0; i < design->event_count; i++)
        if (design->events[i].parameter_count > most)
            most = design->events[i].parameter_count;
    cases->design = design;
    cases->argument_most = most;
    cases->input_count = most + design->field_count;
}

/* Copies a case into place `index`. */
static void cases_put(struct agents__cases *cases, uint32_t index, const struct cor_agent_case *asked) {
    struct cor_value *inputs = cases->inputs + (size_t)index * cases->input_count;
    uint32_t arguments = cases->design->events[asked->event].parameter_count;
    struct cor_agent_case *put = &cases->cases[index];
    *put = *asked;
    put->arguments = inputs;
    put->beliefs = inputs + cases->argument_most;
    COR_ASSERT(asked->turn_count <= COR_TURNS_MOST);
    if (cases->turns && asked->turn_count > 0) {
        memcpy(cases->turns, asked->turns, asked->turn_count * sizeof *cases->turns);
        put->turns = cases->turns;
    }
    for (uint32_t i = 0; i < arguments; i++)
        inputs[i] = asked->arguments[i];
    for (uint32_t i = arguments; i < cases->argument_most; i++)
        inputs[i] = cor_null();
    for (uint32_t i = 0; i < cases->design->field_count; i++)
        inputs[cases->argument_most + i] = asked->beliefs[i];
}

static bool same_values(const struct cor_value *a, const struct cor_value *b, uint32_t count) {
    uint32_t i = 0;
    while (i < count && cor_value_equal(a[i], b[i]))
        i++;
    return i == count;
}

/* Is this the case in place `index`? */
static bool cases_hold(const struct agents__cases *cases, uint32_t index,
                       const struct cor_agent_case *asked) {
    const struct cor_agent_case *put = &cases->cases[index];
    return asked->turn_count == 0 && !asked->tells_turns && put->turn_count == 0 && !put->tells_turns &&
           put->event == asked->event && put->seed == asked->seed && put->steps == asked->steps &&
           put->rounds == asked->rounds && put->interleaving == asked->interleaving &&
           same_values(put->arguments, asked->arguments,
                       cases->design->events[asked->event].parameter_count) &&
           same_values(put->beliefs, asked->beliefs, cases->design->field_count);
}

enum cor_status agents__channel_init(struct agents__channel *channel, const struct cor_design *design,
                                     struct cor_error *error) {
    *channel = (struct agents__channel){.design = design};
    cases_measure(&channel->cases, design);
    size_t size = 0, inputs = (size_t)AGENTS__BATCH * channel->cases.input_count;
    size_t head = place(&size, 1, sizeof *channel->head);
    size_t hello = place(&size, AGENTS__HELLO_TEXT, 1);
    size_t triggers = place(&size, design->plan_count, sizeof *channel->triggers);
    size_t cases = place(&size, AGENTS__BATCH, sizeof *channel->cases.cases);
    size_t input = place(&size, inputs, sizeof *channel->cases.inputs);
    size_t slots = place(&size, AGENTS__BATCH, sizeof *channel->slots);
    size_t events = place(&size, EVENT_ROOM, sizeof *channel->events);
    size_t values = place(&size, VALUE_ROOM, sizeof *channel->values);
    size_t text = place(&size, TEXT_ROOM, 1);
    size_t turns = place(&size, 2 * COR_TURNS_MOST, sizeof *channel->told);
    char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return cor_fail_memory(error);
    channel->memory = memory;
    channel->size = size;
    channel->head = (void *)(memory + head);
    channel->hello = memory + hello;
    channel->triggers = (void *)(memory + triggers);
    channel->cases.cases = (void *)(memory + cases);
    channel->cases.inputs = (void *)(memory + input);
    channel->slots = (void *)(memory + slots);
    channel->events = (void *)(memory + events);
    channel->values = (void *)(memory + values);
    channel->text = memory + text;
    channel->told = (void *)(memory + turns);
    channel->cases.turns = channel->told + COR_TURNS_MOST;
    return COR_OK;
}

void agents__channel_fini(struct agents__channel *channel) {
    if (channel->memory)
        munmap(channel->memory, channel->size);
    *channel = (struct agents__channel){0};
}

bool agents__channel_open(struct agents__channel *channel, uint32_t index) {
    struct agents__slot *slot = &channel->slots[index];
    *slot = (struct agents__slot){.trace = {.intention_count = 1}};
    if (index > 0) {
        const struct agents__slot *before = slot - 1;
        slot->first_event = before->first_event + before->trace.event_count;
        slot->first_value = before->first_value + before->trace.value_count;
        slot->first_text = before->first_text + before->text_size;
    }
    if (slot->first_event > EVENT_ROOM - AGENTS__EVENTS_MOST ||
        slot->first_value > VALUE_ROOM - AGENTS__VALUES_MOST ||
        slot->first_text > TEXT_ROOM - AGENTS__TEXT_MOST)
        return false;
    cor_trace_init(&slot->trace);
    slot->trace.events = channel->events + slot->first_event;
    slot->trace.event_capacity = AGENTS__EVENTS_MOST;
    slot->trace.values = channel->values + slot->first_value;
    slot->trace.value_capacity = AGENTS__VALUES_MOST;
    slot->trace.turns = channel->told;
    slot->trace.turn_capacity = COR_TURNS_MOST;
    return true;
}

/* Are so many values of the event among those of the trace? */
static bool has_values(const struct cor_trace *trace, const struct cor_trace_event *event, uint32_t count) {
    return event->value <= trace->value_count && count <= trace->value_count - event->value;
}

/* Numbers that a trace of this design cannot have would lead readers of the trace astray. */
static bool event_can_be(const struct cor_design *design, const struct cor_trace *trace, uint32_t index) {
    const struct cor_trace_event *event = &trace->events[index];
    const struct cor_trace_event *parent = event->parent < index ? &trace->events[event->parent] : NULL;
    if (event->parent != COR_NONE && (!parent || parent->kind != COR_TRACE_STARTED))
        return false;
    if (event->intention >= trace->intention_count)
        return false;
    bool by_plan = event->plan < design->plan_count;
    bool of_post = event->value == COR_NONE ||
                   (event->value < index && trace->events[event->value].kind == COR_TRACE_POSTED);
    switch (event->kind) {
    case COR_TRACE_POSTED:
        return (event->flag == COR_POSTER_CASE ? event->plan == COR_NONE : by_plan && parent != NULL) &&
               event->flag <= COR_POSTER_ASIDE && event->subject < design->event_count &&
               has_values(trace, event, cor_trace_value_count(design, event));
    case COR_TRACE_CONTEXT:
    case COR_TRACE_STARTED:
        return event->flag <= 1 && by_plan && event->subject < design->event_count && of_post;
    case COR_TRACE_ENDED:
        return event->flag <= 1 && by_plan && parent && event->subject < design->event_count;
    case COR_TRACE_SENT:
        return by_plan && parent && event->subject < design->message_count &&
               has_values(trace, event, cor_trace_value_count(design, event));
    case COR_TRACE_DID:
        return by_plan && parent && event->subject < design->action_count;
    case COR_TRACE_WROTE:
        return (by_plan ? parent != NULL : event->plan == COR_NONE && !parent) &&
               event->subject < design->field_count &&
               has_values(trace, event, by_plan ? cor_trace_value_count(design, event) : 1);
    case COR_TRACE_INSERTED:
    case COR_TRACE_REMOVED:
        return by_plan && parent && event->subject < design->belief_count &&
               design->beliefs[event->subject].is_relation &&
               has_values(trace, event, cor_trace_value_count(design, event));
    default:
        return false;
    }
}

/* A new word lies among the texts of its slot, with its 0. */
static const char *new_word(const struct agents__channel *channel, const struct agents__slot *slot,
                            uint32_t offset) {
    const char *text = channel->text + slot->first_text + offset;
    if (offset >= slot->text_size || !memchr(text, '\0', slot->text_size - offset) || !cor_is_printable(text))
        return NULL;
    return text;
}

/* Looks at the values of a trace that was copied; false: one of them cannot be. */
static bool values_can_be(const struct agents__channel *channel, const struct agents__slot *slot,
                          uint32_t known_words, struct cor_words *words, struct cor_trace *trace,
                          enum cor_status *status, struct cor_error *error) {
    for (uint32_t i = 0; i < trace->value_count; i++) {
        struct cor_value *value = &trace->values[i];
        if (value->kind > COR_VALUE_WORD || (value->kind == COR_VALUE_REAL && !isfinite(value->as.real)))
            return false;
        if (value->kind != COR_VALUE_WORD || value->as.word < known_words)
            continue;
        const char *text = NULL;
        if (value->as.word & AGENTS__NEW_WORD)
            text = new_word(channel, slot, value->as.word & ~AGENTS__NEW_WORD);
        if (!text)
            return false;
        *status = cor_words_intern(words, text, &value->as.word, error);
        if (*status != COR_OK)
            return true;
    }
    return true;
}

static void spoil(struct cor_trace *trace, bool *spoilt) {
    cor_trace_clear(trace);
    trace->end = COR_TRACE_END_GARBLED;
    snprintf(trace->garbled, sizeof trace->garbled, "the agent wrote over memory of its host");
    *spoilt = true;
}

enum cor_status agents__channel_take(const struct agents__channel *channel, uint32_t index,
                                     uint32_t known_words, struct cor_words *words, struct cor_trace *trace,
                                     bool *spoilt, struct cor_error *error) {
    *spoilt = false;
    struct agents__slot slot =
        channel->slots[index]; /* first a copy, which does not change while it is looked at */
    if (!(slot.trace.event_count <= AGENTS__EVENTS_MOST && slot.trace.value_count <= AGENTS__VALUES_MOST &&
          slot.text_size <= AGENTS__TEXT_MOST && slot.first_event <= EVENT_ROOM - AGENTS__EVENTS_MOST &&
          slot.first_value <= VALUE_ROOM - AGENTS__VALUES_MOST &&
          slot.first_text <= TEXT_ROOM - AGENTS__TEXT_MOST && slot.trace.intention_count >= 1 &&
          slot.trace.intention_count <= COR_INTENTIONS_MOST &&
          (slot.trace.open == COR_NONE || slot.trace.open < slot.trace.event_count) &&
          (unsigned)slot.trace.end < (unsigned)COR_TRACE_END_CODES)) {
        spoil(trace, spoilt);
        return COR_OK;
    }
    uint32_t events = slot.trace.event_count, values = slot.trace.value_count;
    COR_TRY(COR_RESERVE(&trace->events, &trace->event_capacity, events, error));
    COR_TRY(COR_RESERVE(&trace->values, &trace->value_capacity, values, error));
    if (events > 0)
        memcpy(trace->events, channel->events + slot.first_event, events * sizeof *trace->events);
    if (values > 0)
        memcpy(trace->values, channel->values + slot.first_value, values * sizeof *trace->values);
    trace->event_count = events;
    trace->value_count = values;
    trace->end = slot.trace.end;
    trace->steps = slot.trace.steps;
    trace->open = slot.trace.open;
    trace->intention_count = slot.trace.intention_count;
    trace->turn_count = slot.trace.turn_count;
    for (uint32_t t = 0; t < trace->turn_count && t < COR_TURNS_MOST && t < trace->turn_capacity; t++)
        trace->turns[t] = channel->told[t];
    snprintf(trace->garbled, sizeof trace->garbled, "%.*s", (int)sizeof slot.trace.garbled - 1,
             slot.trace.garbled);
    agents__make_printable(trace->garbled);
    enum cor_status status = COR_OK;
    uint32_t sound = 0;
    while (sound < events && event_can_be(channel->design, trace, sound))
        sound++;
    bool can_be = sound == events &&
                  (trace->open == COR_NONE || trace->events[trace->open].kind == COR_TRACE_STARTED) &&
                  values_can_be(channel, &slot, known_words, words, trace, &status, error);
    if (status == COR_OK && !can_be)
        spoil(trace, spoilt);
    return status;
}

/* ---- A C module in a process of its own. The process is forked from the session's: it knows the design, and
 * translates the module's names where they are said. What goes to and fro is a channel (internal.h); a byte
 * each way says that a batch of cases is there, and that it is done */

#define DEAF_MOST 1000000u /* calls after the host has said 0: then the agent does not listen */
#define STATE_MOST ((size_t)1 << 30)

struct agents__module {
    const struct cor_design *design; /* borrowed */
    struct cor_words *words;         /* borrowed; of the design */
    char *path, *fault;              /* owned; `fault` may be NULL */
    struct cor_needs needs;          /* of the module; */
    char **withheld;                 /* owned; of these */
    bool is_free, is_full;           /* without walls, by all of them */
    uint64_t memory_bytes;           /* that it may ask for */
    double cpu_seconds, answer_seconds;
    struct agents__identity *identity; /* borrowed */
    struct agents__channel channel;
    struct cor_cell cell;
    uint32_t known_words;       /* of the design when the process was forked */
    struct agents__cases queue; /* owned; cases announced: no agent can reach them here */
    uint32_t announced, taken;  /* how many; thereof with traces that were taken */
    uint32_t first, submitted;  /* those that the process was told of; 0: of none of those left */
    uint32_t finished;          /* thereof with complete traces */
    bool one_by_one;            /* the agent writes where it must not: cases announced do not share a batch */
    enum cor_death death;       /* of the process, when there is none */
    uint32_t sent, heard;       /* batches begun and ended, by the bytes to and fro */
    char last_words[COR_LAST_WORDS + 256];
};

static enum cor_status unusable(const char *origin, const char *remedy, struct cor_error *error,
                                const char *what) {
    return cor_fail(error, COR_STATUS_PLUGIN, origin, remedy, "the agent cannot be used: %s", what);
}

/* What aut.h asks of an agent beyond its version. */
static enum cor_status check_agent(const void *copy, const char *origin, struct cor_error *error) {
    const struct cor_aut *agent = copy;
    if (!agent->name || !agent->version || !agent->summary || !agent->name[0])
        return unusable(origin, "see <corridor/aut.h>", error, "say its name, version and summary");
    if (!cor_is_printable(agent->name) || !cor_is_printable(agent->version))
        return unusable(origin, "use UTF-8 without control characters", error,
                        "its name or version is not printable");
    if (!agent->run)
        return unusable(origin, "see <corridor/aut.h>", error, "it has no run()");
    if (agent->state_size > STATE_MOST)
        return unusable(origin, "state_size is in bytes", error, "its state is larger than 1 GiB");
    for (const struct cor_aut_fault *fault = agent->faults; fault && fault->name; fault++) {
        if (!fault->name[0] || !cor_is_printable(fault->name) || strcmp(fault->name, "none") == 0 ||
            !fault->meaning || !cor_is_printable(fault->meaning))
            return unusable(origin, "each fault has a name, which is not \"none\", and a meaning", error,
                            "a fault cannot be named");
        for (const struct cor_aut_fault *before = agent->faults; before < fault; before++)
            if (strcmp(before->name, fault->name) == 0)
                return unusable(origin, "give each a name of its own", error,
                                "two faults have the same name");
    }
    return COR_OK;
}

#define SIZE_LEAST (offsetof(struct cor_aut, run) + sizeof(void (*)(void))) /* of version 1.0 */

static const struct cor_module_kind agent_kind = {.symbol = COR_AUT_SYMBOL,
                                                  .what = "an agent under test",
                                                  .first_fields = "COR_AUT",
                                                  .header = "<corridor/aut.h>",
                                                  .magic = COR_AUT_MAGIC,
                                                  .major = COR_AUT_MAJOR,
                                                  .minor = COR_AUT_MINOR,
                                                  .size = sizeof(struct cor_aut),
                                                  .size_least = SIZE_LEAST,
                                                  .check = check_agent};

/* The life of a module: everything from here to live() runs in its own process. */

struct life {
    struct agents__module *module;
    struct cor_aut agent;
    uint32_t fault;
    struct agents__reporter reporter;
    struct cor_aut_host host;
    struct cor_random random; /* view of `rng` */
    struct cor_rng rng;
    struct cor_aut_value *values;    /* owned; arguments, then beliefs, with the names of the latter */
    void *state;                     /* owned */
    struct cor_rows row_values;      /* of relations, when the case begins; */
    struct cor_aut_row *rows;        /* owned, as they are given, */
    struct cor_aut_value *row_cells; /* owned, with their values */
    size_t row_capacity, cell_capacity;
    uint32_t deaf; /* calls in vain */
};

static struct life *life_of(const struct cor_aut_host *host) {
    return host->self;
}

/* What a call of the agent gives; one that goes on calling is not asked any more. */
static int answer(struct life *life, bool goes_on) {
    if (!goes_on && ++life->deaf > DEAF_MOST) {
        life->module->channel.head->gave_up = 1;
        _exit(1);
    }
    return goes_on;
}

static int host_step(const struct cor_aut_host *host) {
    return answer(life_of(host), agents__report_step(&life_of(host)->reporter));
}

static int host_context(const struct cor_aut_host *host, const char *plan, int holds) {
    return answer(life_of(host), agents__report_context(&life_of(host)->reporter, plan, holds != 0));
}

static int host_started(const struct cor_aut_host *host, const char *plan) {
    return answer(life_of(host), agents__report_started(&life_of(host)->reporter, plan));
}

static int host_ended(const struct cor_aut_host *host, const char *plan, int ok) {
    return answer(life_of(host), agents__report_ended(&life_of(host)->reporter, plan, ok != 0));
}

static int host_posted(const struct cor_aut_host *host, const char *plan, const char *event,
                       const struct cor_aut_value *arguments, uint32_t count) {
    return answer(life_of(host),
                  agents__report_posted(&life_of(host)->reporter, plan, event, arguments, count));
}

static int host_sent(const struct cor_aut_host *host, const char *plan, const char *message) {
    return answer(life_of(host), agents__report_sent(&life_of(host)->reporter, plan, message, NULL, 0));
}

static int host_sent_with(const struct cor_aut_host *host, const char *plan, const char *message,
                          const struct cor_aut_value *arguments, uint32_t count) {
    return answer(life_of(host),
                  agents__report_sent(&life_of(host)->reporter, plan, message, arguments, count));
}

static int host_did(const struct cor_aut_host *host, const char *plan, const char *action) {
    return answer(life_of(host), agents__report_did(&life_of(host)->reporter, plan, action));
}

static int host_wrote(const struct cor_aut_host *host, const char *plan, const char *belief,
                      const char *field, const struct cor_aut_value *value) {
    char full[256];
    int length = snprintf(full, sizeof full, "%s.%s", belief ? belief : "", field ? field : "");
    bool fits = length > 0 && (size_t)length < sizeof full;
    return answer(life_of(host),
                  agents__report_wrote(&life_of(host)->reporter, plan, fits ? full : NULL, value));
}

static uint32_t host_aside(const struct cor_aut_host *host, const char *plan, const char *event,
                           const struct cor_aut_value *arguments, uint32_t count) {
    const uint32_t begun = agents__report_aside(&life_of(host)->reporter, plan, event, arguments, count);
    answer(life_of(host), begun > 0);
    return begun;
}

static uint32_t host_strand(const struct cor_aut_host *host, const char *plan) {
    const uint32_t begun = agents__report_strand(&life_of(host)->reporter, plan);
    answer(life_of(host), begun > 0);
    return begun;
}

static uint32_t host_turn(const struct cor_aut_host *host) {
    const uint32_t next = agents__report_turn(&life_of(host)->reporter);
    answer(life_of(host), next != COR_AUT_NOBODY);
    return next;
}

static int host_done(const struct cor_aut_host *host) {
    return answer(life_of(host), agents__report_done(&life_of(host)->reporter));
}

static int host_inserted(const struct cor_aut_host *host, const char *plan, const char *belief,
                         const struct cor_aut_value *values, uint32_t count) {
    return answer(life_of(host),
                  agents__report_row(&life_of(host)->reporter, plan, belief, true, values, count));
}

static int host_removed(const struct cor_aut_host *host, const char *plan, const char *belief,
                        const struct cor_aut_value *key, uint32_t count) {
    return answer(life_of(host),
                  agents__report_row(&life_of(host)->reporter, plan, belief, false, key, count));
}

static void refill(struct cor_random *random) {
    struct life *life = (struct life *)((char *)random - offsetof(struct life, random));
    uint32_t count;
    random->next = cor_rng_words(&life->rng, &count);
    random->end = random->next + count;
}

/* A text of the hello; false: there is no room. */
static bool tell(struct agents__channel *channel, size_t *size, const char *text) {
    size_t more = strlen(text) + 1;
    if (more > AGENTS__HELLO_TEXT - *size)
        return false;
    memcpy(channel->hello + *size, text, more);
    *size += more;
    channel->head->text_count++;
    return true;
}

static enum cor_status introduce(const struct life *life, struct cor_error *error) {
    const struct agents__module *module = life->module;
    struct agents__channel *channel = &life->module->channel;
    size_t size = 0;
    bool fits = tell(channel, &size, life->agent.name) && tell(channel, &size, life->agent.version);
    for (const struct cor_aut_fault *fault = life->agent.faults; fits && fault && fault->name; fault++)
        fits = tell(channel, &size, fault->name) && tell(channel, &size, fault->meaning);
    if (!fits)
        return unusable(module->path, "end the list of faults with an entry whose name is NULL", error,
                        "what it says of itself is too long");
    const struct cor_aut_handle *handles = life->agent.handles;
    if (life->fault > 0 && life->agent.faults[life->fault - 1].handles)
        handles = life->agent.faults[life->fault - 1].handles;
    struct agents__identity wired = {.triggers = channel->triggers};
    agents__identity_clear(&wired, module->design->plan_count);
    for (; handles && handles->plan; handles++)
        agents__identity_wire(&wired, module->design, handles->plan, handles->event);
    return COR_OK;
}

static enum cor_status load(struct life *life, struct cor_error *error) {
    const struct agents__module *module = life->module;
    const struct cor_design *design = module->design;
    void *handle;
    COR_TRY(cor_module_open(&agent_kind, module->path, &handle, &life->agent, error));
    for (uint32_t i = 0; module->fault && life->agent.faults && life->agent.faults[i].name; i++)
        if (strcmp(life->agent.faults[i].name, module->fault) == 0)
            life->fault =
                i + 1; /* one that is not there is noticed by the session, which lists those that are */
    COR_TRY(introduce(life, error));
    COR_TRY(agents__reporter_init(&life->reporter, design, error));
    life->values = cor_calloc(module->channel.cases.input_count, sizeof *life->values);
    COR_TRY(cor_made(life->values, error));
    for (uint32_t i = 0; i < design->field_count; i++)
        life->values[module->channel.cases.argument_most + i].name = design->fields[i].full_name;
    COR_TRY(cor_rows_init(&life->row_values, design, error));
    COR_TRY(cor_made(life->state = cor_calloc(1, life->agent.state_size), error));
    life->random = (struct cor_random){.refill = refill};
    life->host = (struct cor_aut_host){.struct_size = sizeof life->host,
                                       .minor = COR_AUT_MINOR,
                                       .self = life,
                                       .random = &life->random,
                                       .step = host_step,
                                       .context = host_context,
                                       .started = host_started,
                                       .ended = host_ended,
                                       .posted = host_posted,
                                       .sent = host_sent,
                                       .did = host_did,
                                       .wrote = host_wrote,
                                       .aside = host_aside,
                                       .strand = host_strand,
                                       .turn = host_turn,
                                       .done = host_done,
                                       .inserted = host_inserted,
                                       .removed = host_removed,
                                       .sent_with = host_sent_with};
    return COR_OK;
}

static void give_value(const struct cor_words *words, struct cor_value value, struct cor_aut_value *given) {
    static const uint8_t kinds[] = {COR_AUT_NULL, COR_AUT_INTEGER, COR_AUT_REAL, COR_AUT_WORD};
    given->kind = kinds[value.kind];
    if (value.kind == COR_VALUE_WORD)
        given->as.word = cor_words_text(words, value.as.word);
    else if (value.kind == COR_VALUE_REAL)
        given->as.real = value.as.real;
    else
        given->as.integer = value.kind == COR_VALUE_INTEGER ? value.as.integer : 0;
}

/* The rows with which the case begins, as they are given; how many. */
static uint32_t give_rows(struct life *life, const struct cor_agent_case *asked) {
    const struct cor_design *design = life->module->design;
    uint32_t count = 0, cells = 0;
    if (design->relation_count == 0 ||
        cor_rows_begin(&life->row_values, asked->event, asked->beliefs, asked->arguments, NULL) != COR_OK)
        return 0;
    for (uint32_t b = 0; b < design->belief_count; b++) {
        count += life->row_values.sets[b].count;
        cells += life->row_values.sets[b].count * design->beliefs[b].row_width;
    }
    if (COR_RESERVE(&life->rows, &life->row_capacity, count, NULL) != COR_OK ||
        COR_RESERVE(&life->row_cells, &life->cell_capacity, cells, NULL) != COR_OK)
        return 0;
    count = cells = 0;
    for (uint32_t b = 0; b < design->belief_count; b++) {
        const struct cor_design_belief *belief = &design->beliefs[b];
        const struct cor_value *value = life->row_values.sets[b].values;
        for (uint32_t r = 0; r < life->row_values.sets[b].count; r++) {
            life->rows[count++] = (struct cor_aut_row){
                .belief = belief->name, .values = life->row_cells + cells, .count = belief->row_width};
            for (uint32_t c = 0; c < belief->row_width; c++) {
                struct cor_aut_value *cell = &life->row_cells[cells++];
                *cell = (struct cor_aut_value){.name = design->fields[belief->first_field + c].name};
                give_value(&design->words, *value++, cell);
            }
        }
    }
    return count;
}

/* One case; afterwards its slot is complete. */
static void run_case(struct life *life, const struct cor_agent_case *asked, struct agents__slot *slot) {
    const struct cor_design *design = life->module->design;
    const struct cor_design_event *event = &design->events[asked->event];
    struct cor_aut_value *beliefs = life->values + life->module->channel.cases.argument_most;
    for (uint32_t i = 0; i < event->parameter_count; i++) {
        life->values[i].name = event->parameters[i].name;
        give_value(&design->words, asked->arguments[i], &life->values[i]);
    }
    for (uint32_t i = 0; i < design->field_count; i++)
        give_value(&design->words, asked->beliefs[i], &beliefs[i]);
    struct cor_aut_case given = {.struct_size = sizeof given,
                                 .fault = life->fault,
                                 .argument_count = event->parameter_count,
                                 .belief_count = design->field_count,
                                 .event = event->name,
                                 .arguments = life->values,
                                 .beliefs = beliefs,
                                 .seed = asked->seed,
                                 .steps = asked->steps,
                                 .rounds = asked->rounds,
                                 .row_count = give_rows(life, asked)};
    given.rows = life->rows;
    life->rng = cor_rng_named(&(struct cor_stream_name){.seed = asked->seed, .purpose = COR_PURPOSE_AGENT});
    life->random.next = life->random.end = NULL;
    life->deaf = 0;
    memset(life->state, 0, life->agent.state_size);
    struct agents__reporter *reporter = &life->reporter;
    reporter->text = life->module->channel.text + slot->first_text;
    agents__reporter_begin(reporter, asked, &slot->trace);
    cor_module_settle();
    int gave = life->agent.run(life->state, &given, &life->host);
    if (fcntl(COR_CELL_REQUESTS, F_GETFD) < 0 || fcntl(COR_CELL_REPLIES, F_GETFD) < 0)
        agents__report_garbled(reporter, "the agent closed descriptors of its host");
    else if (gave != 0)
        agents__report_garbled(reporter, "run() gave %d, though nothing had asked it to stop", gave);
    agents__report_end(reporter, COR_TRACE_END_QUIET);
    slot->text_size = reporter->text_size;
}

/* Did the case end as a case of a sound agent does? After any other, the process is not used again. */
static bool is_sound(enum cor_trace_end end) {
    return end == COR_TRACE_END_QUIET || end == COR_TRACE_END_STEPS || end == COR_TRACE_END_ROUNDS;
}

static _Noreturn void live(void *argument) {
    struct life life = {.module = argument};
    struct agents__channel_head *head = life.module->channel.head;
    cor_cell_hush();
    head->error = COR_NO_ERROR;
    head->status = load(&life, &head->error);
    cor_module_settle(); /* an alarm of its beginning, while that can be cancelled */
    if (!life.module->is_free && !cor_forbid_calls() && life.module->is_full && head->status == COR_OK)
        head->status = cor_fail(&head->error, COR_STATUS_INPUT, NULL, "see corridor doctor",
                                "the sandbox is incomplete here: system calls are not filtered");
    head->is_loaded = 1;
    char byte = 0;
    while (write(COR_CELL_REPLIES, &byte, 1) == 1 && head->status == COR_OK &&
           read(COR_CELL_REQUESTS, &byte, 1) == 1) {
        struct agents__channel *channel = &life.module->channel;
        uint32_t done = 0,
                 count = channel->head->case_count; /* once: the session goes on when all are done */
        while (done < count && agents__channel_open(channel, done)) {
            struct agents__slot *slot = &channel->slots[done];
            atomic_store_explicit(&channel->head->place, 2 * done + 1, memory_order_relaxed);
            run_case(&life, &channel->cases.cases[done], slot);
            bool sound = is_sound(slot->trace.end);
            atomic_store_explicit(&channel->head->place, 2 * ++done, memory_order_relaxed);
            atomic_store_explicit(&channel->head->done, done, memory_order_release);
            if (!sound)
                _exit(0);
        }
    }
    _exit(0);
}

/* From here on, the session's side. */

static void end_process(struct agents__module *module) {
    cor_cell_end(&module->cell, 0);
    module->submitted = module->finished = 0;
}

/* Takes the bytes that say something is done. */
static void hear(struct agents__module *module) {
    char bytes[64];
    ssize_t got = cor_cell_read(&module->cell, bytes, sizeof bytes);
    if (got >= 0) {
        module->heard += (uint32_t)got;
        return;
    }
    close(module->cell.from); /* it was closed: then its death is all there is to wait for */
    module->cell.from = -1;
}

/* Is the trace of the next case complete? */
static bool is_done(struct agents__module *module) {
    uint32_t done = atomic_load_explicit(&module->channel.head->done, memory_order_acquire);
    if (module->submitted > 0 && done > module->finished && done <= module->submitted)
        module->finished = done;
    return module->finished > module->taken - module->first;
}

/* Waits for something new of the process. Where nothing is for too long, it is ended. */
static void wait_for_news(struct agents__module *module, double seconds) {
    int sight = cor_cell_wait(&module->cell, 0, seconds);
    if (sight & COR_SIGHT_READABLE) {
        hear(module);
    } else if (sight & COR_SIGHT_DEAD || !is_done(module)) {
        /* The process is dead, or is ended here: how that was is kept. */
        cor_cell_end(&module->cell, 0);
        cor_grave_text(module->cell.grave, module->last_words, sizeof module->last_words);
        module->death = module->channel.head->gave_up ? COR_DEATH_ENDED : module->cell.grave->death;
    }
}

/* The hello in shared memory; what runs on without an end is cut off. */
static enum cor_status read_identity(struct agents__module *module, struct cor_error *error) {
    struct agents__channel *channel = &module->channel;
    struct agents__identity *identity = module->identity;
    uint32_t count = channel->head->text_count;
    channel->hello[AGENTS__HELLO_TEXT - 1] = '\0';
    agents__identity_clear(identity, module->design->plan_count);
    const char *text = channel->hello, *end = channel->hello + AGENTS__HELLO_TEXT, *before = NULL;
    for (uint32_t i = 0; i < count && text < end; i++) {
        if (i == 0)
            COR_TRY(cor_made(identity->name = cor_strdup(text), error));
        else if (i == 1)
            COR_TRY(cor_made(identity->version = cor_strdup(text), error));
        else if (i % 2 == 1)
            COR_TRY(agents__identity_add_fault(identity, before, text, error));
        before = text;
        text += strlen(text) + 1;
    }
    for (uint32_t i = 0; i < module->design->plan_count; i++)
        if (channel->triggers[i] < module->design->event_count || channel->triggers[i] == COR_AUT_NOT_YET)
            identity->triggers[i] = channel->triggers[i];
    return agents__identity_has_fault(identity, module->fault, module->path, error);
}

static enum cor_status start_process(struct agents__module *module, struct cor_error *error) {
    *module->channel.head = (struct agents__channel_head){0};
    module->sent = module->heard = 0;
    module->known_words = module->words->count;
    const struct cor_cell_definition definition = {
        .life = live,
        .argument = module,
        .place = &module->channel.head->place,
        .cpu_seconds = module->cpu_seconds,
        .walls = module->is_free ? 0 : COR_WALLS,
        .needs = (const char *const *)module->needs.paths,
        .withheld = (const char *const *)module->withheld,
        .is_full = module->is_full,
        .guest = module->path,
        .memory_bytes = module->is_free ? 0 : cor_address_space(module->memory_bytes)};
    COR_TRY(cor_cell_start(&module->cell, &definition, error));
    while (module->heard == 0 && module->cell.keeper != 0)
        wait_for_news(module, fmax(module->answer_seconds, COR_BEGIN_SECONDS));
    if (!module->channel.head->is_loaded || module->channel.head->status != COR_OK) {
        end_process(module);
        struct agents__channel_head *head = module->channel.head;
        if (!head->is_loaded)
            return cor_fail(error, COR_STATUS_PLUGIN, module->path, "run it under a debugger",
                            "the module did not get through being loaded: %s", module->last_words);
        struct cor_error said = head->error;
        said.place[sizeof said.place - 1] = said.cause[sizeof said.cause - 1] =
            said.remedy[sizeof said.remedy - 1] = 0;
        return cor_fail(error, said.status == COR_STATUS_FILE ? COR_STATUS_FILE : COR_STATUS_PLUGIN,
                        said.place, said.remedy, "%s", said.cause);
    }
    module->heard = 0;
    enum cor_status status = read_identity(module, error);
    if (status != COR_OK)
        end_process(module);
    return status;
}

/* Do the cases announced use words that the process has not got? */
static bool has_newer_words(const struct agents__module *module) {
    const struct agents__cases *queue = &module->queue;
    size_t count = (size_t)module->announced * queue->input_count;
    for (size_t i = (size_t)module->taken * queue->input_count; i < count; i++)
        if (queue->inputs[i].kind == COR_VALUE_WORD && queue->inputs[i].as.word >= module->known_words)
            return true;
    return false;
}

enum cor_status agents__module_ahead(struct agents__module *module, const struct cor_agent_case *cases,
                                     uint32_t count, struct cor_error *error) {
    (void)error;
    COR_ASSERT(count <= AGENTS__BATCH);
    if (module->submitted > 0)
        end_process(module); /* it is at work on cases that nobody wants any more */
    for (uint32_t i = 0; i < count; i++)
        cases_put(&module->queue, i, &cases[i]);
    module->announced = count;
    module->taken = 0;
    module->one_by_one = false;
    return COR_OK;
}

/* Some case of the batch did harm, and there is no telling which: each is run again alone. */
static void separate(struct agents__module *module) {
    end_process(module);
    module->one_by_one = true;
}

/* Takes the trace of the next case: complete if `end` is 0, else as far as it came. */
static enum cor_status take(struct agents__module *module, enum cor_trace_end end, struct cor_trace *trace,
                            struct cor_error *error) {
    bool spoilt;
    COR_TRY(agents__channel_take(&module->channel, module->taken - module->first, module->known_words,
                                 module->words, trace, &spoilt, error));
    if (spoilt && module->submitted > 1) { /* by a later case, perhaps */
        separate(module);
        cor_trace_clear(trace);
        return COR_OK;
    }
    if (end != 0)
        trace->end = end;
    module->taken++;
    if (!is_sound(trace->end))
        end_process(module);
    else if (module->taken == module->first + module->submitted)
        module->submitted = module->finished = 0;
    return COR_OK;
}

/* How a case ended in which the process died so. */
static enum cor_trace_end end_by(enum cor_death death) {
    switch (death) {
    case COR_DEATH_EXIT:
        return COR_TRACE_END_EXITED;
    case COR_DEATH_CPU_TIME:
    case COR_DEATH_ENDED:
        return COR_TRACE_END_HUNG;
    case COR_DEATH_SIGNAL:
    case COR_DEATH_MEMORY:
    case COR_DEATH_UNKNOWN:
        break;
    }
    return COR_TRACE_END_CRASHED;
}

/* One thing that brings the trace of the next case nearer, or takes it. */
static enum cor_status get_on(struct agents__module *module, struct cor_trace *trace,
                              struct cor_error *error) {
    if (is_done(module))
        return take(module, 0, trace, error);
    /* The process may have stopped, early, in the batch, as its traces fill the memory there is, but not
     * before the first. It has not if it said so more often than it was told to begin. */
    if (module->submitted == 0 || (module->heard == module->sent && module->finished > 0)) {
        /* Tells the process of what was announced and not yet taken. */
        struct agents__channel *channel = &module->channel;
        if (module->sent > 0 && module->cell.keeper != 0)
            hear(module);
        if (module->heard > module->sent ||
            (module->words->count > module->known_words && has_newer_words(module)))
            end_process(module);
        if (module->cell.keeper == 0)
            COR_TRY(start_process(module, error));
        module->first = module->taken;
        module->finished = 0;
        module->submitted = module->one_by_one ? 1 : module->announced - module->taken;
        channel->head->case_count = module->submitted;
        /* The cases go into the batch; their slots are empty. */
        for (uint32_t i = 0; i < module->submitted; i++) {
            cases_put(&channel->cases, i, &module->queue.cases[module->first + i]);
            channel->slots[i] = (struct agents__slot){.trace = {.open = COR_NONE, .intention_count = 1}};
        }
        atomic_store_explicit(&channel->head->done, 0, memory_order_release);
        module->sent++;
        char byte = 0;
        cor_cell_write(&module->cell, &byte, 1); /* if nobody reads it, that is noticed by who waits */
        return COR_OK;
    }
    if (module->heard >= module->sent && module->submitted > 1) {
        separate(module);
        return COR_OK;
    }
    if (module->heard >= module->sent) {
        COR_TRY(take(module, COR_TRACE_END_GARBLED, trace, error));
        snprintf(trace->garbled, sizeof trace->garbled, "the agent spoke to its host out of turn");
        return COR_OK;
    }
    if (module->cell.keeper == 0)
        return take(module, end_by(module->death), trace, error);
    wait_for_news(module, module->answer_seconds);
    return COR_OK;
}

enum cor_status agents__module_run(struct agents__module *module, const struct cor_agent_case *asked,
                                   struct cor_trace *trace, struct cor_error *error) {
    if (module->taken == module->announced || !cases_hold(&module->queue, module->taken, asked))
        COR_TRY(agents__module_ahead(module, asked, 1, error));
    for (uint32_t before = module->taken; module->taken == before;)
        COR_TRY(get_on(module, trace, error));
    if (trace->event_count > 0)
        return COR_OK;
    return cor_trace_posted(trace, asked->event,
                            asked->arguments, /* it died before it was told of the case */
                            module->design->events[asked->event].parameter_count, COR_POSTER_CASE, error);
}

void agents__module_stop(struct agents__module *module) {
    if (module->sent > 0) /* else it is fresh */
        end_process(module);
    module->announced = module->taken = 0;
}

const char *agents__module_last_words(const struct agents__module *module) {
    return module->last_words;
}

enum cor_status agents__module_create(const struct cor_aut_definition *definition,
                                      struct agents__identity *identity, struct agents__module **created,
                                      struct cor_error *error) {
    struct agents__module *module = cor_calloc(1, sizeof *module);
    *created = module;
    COR_TRY(cor_made(module, error));
    module->design = definition->design;
    module->words = &definition->design->words;
    module->cpu_seconds = definition->cpu_seconds;
    module->answer_seconds = definition->answer_seconds;
    module->identity = identity;
    COR_TRY(cor_cell_init(&module->cell, error));
    COR_TRY(agents__channel_init(&module->channel, definition->design, error));
    cases_measure(&module->queue, module->design);
    COR_TRY(cor_made(module->queue.cases = cor_calloc(AGENTS__BATCH, sizeof *module->queue.cases), error));
    module->queue.inputs =
        cor_calloc((size_t)AGENTS__BATCH * module->queue.input_count, sizeof *module->queue.inputs);
    COR_TRY(cor_made(module->queue.inputs, error));
    /* Without a slash it would be looked for where libraries are. */
    module->path = cor_format("%s%s", strchr(definition->agent, '/') ? "" : "./", definition->agent);
    COR_TRY(cor_made(module->path, error));
    module->is_free = definition->is_free;
    module->is_full = definition->is_full && !definition->is_free;
    module->memory_bytes = definition->memory_bytes;
    COR_TRY(cor_needs_of_module(&module->needs, module->path, error));
    module->withheld = cor_needs_withheld((const char *const *)module->needs.paths);
    if (definition->fault && strcmp(definition->fault, "none") != 0)
        COR_TRY(cor_made(module->fault = cor_strdup(definition->fault), error));
    return start_process(module, error);
}

void agents__module_destroy(struct agents__module *module) {
    if (!module)
        return;
    cor_cell_fini(&module->cell);
    cor_needs_fini(&module->needs);
    cor_needs_free(module->withheld);
    agents__channel_fini(&module->channel);
    COR_FREE(module->queue.cases, module->queue.inputs, module->path, module->fault, module);
}
