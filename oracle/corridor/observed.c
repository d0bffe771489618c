/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "channels.h"
#include "text_time.h"

#include <corridor/array.h>
#include <corridor/condition_monitor.h>
#include <corridor/corridor.h>
#include <corridor/hash.h>
#include <corridor/history.h>
#include <corridor/observed.h>

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Histories of what is observed: calls of agents and their answers, judged as they come */

struct corridor__calls {
    const struct cor_corridor *corridor; /* borrowed; NULL: it has no history */
    struct corridor__history {
        struct cor_history record;
        struct cor_linear *linear; /* owned; NULL: the channel is no history */
        enum cor_possible possible;
        size_t call;                 /* impossible: whose end left no order */
        bool has_returned, has_told; /* a call; one with a value that could be wrong */
    } * histories;                   /* owned; [channel] */
    struct corridor__open {
        uint32_t agent, channel, open; /* channel COR_NONE: nobody asks of it, and its end is known */
        uint64_t ticket;
        size_t number; /* in the record */
    } * open;          /* owned; calls without an end */
    size_t open_count, open_capacity;
    uint64_t events; /* calls, answers, and agents that were lost */
};

static enum cor_status begin(struct corridor__history *history, const struct cor_channel *channel,
                             struct cor_error *error) {
    history->possible = COR_POSSIBLE;
    history->has_returned = history->has_told = false;
    return cor_history_init(&history->record, (enum cor_object)channel->object, channel->is_keyed, error);
}

/* corridor__calls_fini frees it in any case; what is made begins with zeroes. */
static enum cor_status corridor__calls_init(struct corridor__calls *calls,
                                            const struct cor_corridor *corridor, struct cor_error *error) {
    bool is_there = false;
    for (uint32_t c = 0; c < corridor->channel_count; c++)
        is_there = is_there || corridor->channels[c].is_history;
    if (!is_there)
        return COR_OK;
    calls->corridor = corridor;
    calls->histories = cor_calloc(corridor->channel_count, sizeof *calls->histories);
    COR_TRY(cor_made(calls->histories, error));
    for (uint32_t c = 0; c < corridor->channel_count; c++) {
        struct corridor__history *history = &calls->histories[c];
        if (!corridor->channels[c].is_history)
            continue;
        COR_TRY(begin(history, &corridor->channels[c], error));
        COR_TRY(cor_linear_create(history->record.object, &history->record.values, COR_HISTORY_STEPS,
                                  &history->linear, error));
    }
    return COR_OK;
}

static void corridor__calls_fini(struct corridor__calls *calls) {
    for (uint32_t c = 0; calls->histories && c < calls->corridor->channel_count; c++) {
        cor_linear_destroy(calls->histories[c].linear);
        cor_history_fini(&calls->histories[c].record);
    }
    COR_FREE(calls->histories, calls->open);
    *calls = (struct corridor__calls){0};
}

/* Forgets all calls. */
static enum cor_status corridor__calls_restart(struct corridor__calls *calls, struct cor_error *error) {
    calls->open_count = 0;
    calls->events = 0;
    for (uint32_t c = 0; calls->corridor && c < calls->corridor->channel_count; c++) {
        struct corridor__history *history = &calls->histories[c];
        if (history->record.count == 0)
            continue;
        cor_linear_restart(history->linear);
        cor_history_fini(&history->record);
        COR_TRY(begin(history, &calls->corridor->channels[c], error));
    }
    return COR_OK;
}

/* A value as EDN or JSON, all of the text; NULL: nil. */
static enum cor_status read_value(struct corridor__history *history, const char *text, uint32_t *value,
                                  struct cor_error *error) {
    *value = COR_CALL_NIL;
    if (!text)
        return COR_OK;
    COR_TRY(cor_call_values_read(&history->record.values, &text, NULL, value, error));
    return text[strspn(text, " \t\r\n")]
               ? cor_fail(error, COR_STATUS_INPUT, NULL, NULL, "something stands behind a value")
               : COR_OK;
}

/* The open call of that ticket, or open_count. */
static size_t find_open(const struct corridor__calls *calls, uint32_t agent, uint64_t ticket) {
    size_t at = 0;
    while (at < calls->open_count && (calls->open[at].agent != agent || calls->open[at].ticket != ticket))
        at++;
    return at;
}

/* As cor_observed_call, cor_observed_answer and cor_observed_lost. COR_STATUS_INPUT: the object has no such
 * operation, or the answer is none of it. */
static enum cor_status corridor__calls_call(struct corridor__calls *calls, uint32_t agent, uint32_t channel,
                                            uint64_t ticket, const char *const texts[3],
                                            struct cor_error *error) {
    struct corridor__history *history = channel == COR_NONE ? NULL : &calls->histories[channel];
    struct corridor__open made = {.agent = agent, .channel = channel, .ticket = ticket};
    uint32_t key, value;
    if (find_open(calls, agent, ticket) < calls->open_count)
        return cor_fail(error, COR_STATUS_INPUT, NULL, NULL,
                        "agent %" PRIu32 " calls with number %" PRIu64 ", and a call of that number is open",
                        agent, ticket);
    COR_TRY(COR_RESERVE(&calls->open, &calls->open_capacity, calls->open_count + 1, error));
    if (history) {
        COR_TRY(read_value(history, texts[1], &key, error));
        COR_TRY(read_value(history, texts[2], &value, error));
        COR_TRY(cor_history_call(&history->record, agent, texts[0], key, value, NULL, &made.number, error));
        COR_TRY(cor_linear_call(history->linear, &history->record.calls[made.number], &made.open, error));
    }
    calls->open[calls->open_count++] = made;
    calls->events++;
    return COR_OK;
}

static enum cor_status corridor__calls_answer(struct corridor__calls *calls, uint32_t agent, uint64_t ticket,
                                              const char *value, bool failed, struct cor_error *error) {
    const size_t at = find_open(calls, agent, ticket);
    enum cor_possible possible;
    uint32_t result;
    if (at == calls->open_count)
        return cor_fail(error, COR_STATUS_INPUT, NULL, NULL,
                        "agent %" PRIu32 " returns from call %" PRIu64 ", and none of that number is open",
                        agent, ticket);
    const struct corridor__open open = calls->open[at];
    if (open.channel == COR_NONE) {
        calls->open[at] = calls->open[--calls->open_count];
        return COR_OK;
    }
    struct corridor__history *history = &calls->histories[open.channel];
    if (failed) {
        COR_TRY(cor_history_failed(&history->record, open.number, NULL, error));
        COR_TRY(cor_linear_failed(history->linear, open.open, &possible, error));
    } else {
        COR_TRY(read_value(history, value, &result, error));
        COR_TRY(cor_history_return(&history->record, open.number, result, NULL, error));
        result = history->record.calls[open.number].result;
        COR_TRY(cor_linear_return(history->linear, open.open, result, &possible, error));
        history->has_returned = true;
        history->has_told =
            history->has_told || cor_call_tells(&history->record, &history->record.calls[open.number]);
    }
    if (possible == COR_IMPOSSIBLE && history->possible != COR_IMPOSSIBLE)
        history->call = open.number;
    if (possible == COR_IMPOSSIBLE || history->possible == COR_POSSIBLE)
        history->possible = possible;
    calls->open[at] = calls->open[--calls->open_count];
    calls->events++;
    return COR_OK;
}

static enum cor_status corridor__calls_lost(struct corridor__calls *calls, uint32_t agent,
                                            struct cor_error *error) {
    for (size_t at = calls->open_count; at > 0; at--) {
        const struct corridor__open open = calls->open[at - 1];
        if (open.agent != agent)
            continue;
        if (open.channel != COR_NONE)
            COR_TRY(cor_linear_lost(calls->histories[open.channel].linear, open.open, error));
        calls->open[at - 1] = calls->open[--calls->open_count];
        calls->events++;
    }
    return COR_OK;
}

static enum cor_truth truth_of(enum cor_possible possible) {
    return possible == COR_POSSIBLE     ? COR_TRUTH_TRUE
           : possible == COR_IMPOSSIBLE ? COR_TRUTH_FALSE
                                        : COR_TRUTH_UNKNOWN;
}

/* After the last event; of what is sequential unknown, for what comes may change it. */
static enum cor_truth corridor__calls_ask(const struct corridor__calls *calls,
                                          const struct cor_constraint *asked) {
    return asked->asks == COR_SEQUENTIAL ? COR_TRUTH_UNKNOWN
                                         : truth_of(calls->histories[asked->channel].possible);
}

/* If the run ends here. */
static enum cor_truth corridor__calls_verdict(const struct corridor__calls *calls,
                                              const struct cor_constraint *asked) {
    struct corridor__history *history = &calls->histories[asked->channel];
    struct cor_history_verdict verdict;
    if (asked->asks != COR_SEQUENTIAL)
        return truth_of(history->possible);
    return cor_history_sequential(&history->record, NULL, COR_HISTORY_STEPS, &verdict, NULL) == COR_OK
               ? truth_of(verdict.possible)
               : COR_TRUTH_UNKNOWN;
}

/* Why it is violated, in a sentence. */
static void corridor__calls_text(const struct corridor__calls *calls, const struct cor_constraint *asked,
                                 char *text, size_t size) {
    const struct corridor__history *history = &calls->histories[asked->channel];
    const char *name = calls->corridor->channels[asked->channel].name;
    if (asked->asks == COR_SEQUENTIAL) {
        snprintf(text, size, "The calls on %s have no order that keeps the order of each agent.", name);
        return;
    }
    const struct cor_call *call = &history->record.calls[history->call];
    COR_FINISHED(cor_bytes) struct cor_bytes said = {0};
    cor_call_text(&history->record, call, &said);
    snprintf(text, size, "The calls on %s have no order any more after agent %" PRIu32 " returned from %s.",
             name, call->process, cor_bytes_text(&said));
}

#define SLOTS_FIRST 256u

enum cor_status corridor__channels_init(struct corridor__channels *channels, uint32_t channel_count,
                                        struct cor_error *error) {
    channels->run = 1;
    channels->channel_count = channel_count;
    channels->discords = cor_calloc(channel_count, sizeof *channels->discords);
    return cor_made(channels->discords, error);
}

void corridor__channels_fini(struct corridor__channels *channels) {
    COR_FREE(channels->slots, channels->discords);
    *channels = (struct corridor__channels){NULL};
}

void corridor__channels_restart(struct corridor__channels *channels) {
    memset(channels->discords, 0, channels->channel_count * sizeof *channels->discords);
    channels->used = channels->discord_count = 0;
    if (++channels->run == 0) {
        memset(channels->slots, 0, channels->slot_count * sizeof *channels->slots);
        channels->run = 1;
    }
}

/* The slot of the index, or the free one where it belongs. */
static struct corridor__told *find(const struct corridor__channels *channels, uint32_t channel,
                                   uint64_t index) {
    uint64_t at = cor_hash_word(channel, index);
    for (;; at++) {
        struct corridor__told *slot = &channels->slots[at & (channels->slot_count - 1)];
        if (slot->run != channels->run || (slot->channel == channel && slot->index == index))
            return slot;
    }
}

enum cor_status corridor__channels_tell(struct corridor__channels *channels, uint32_t agent, uint32_t channel,
                                        uint64_t index, uint64_t digest, struct cor_error *error) {
    COR_ASSERT(channel < channels->channel_count);
    if (channels->used >= channels->slot_count / 2) {
        struct corridor__channels grown = *channels;
        if (channels->slot_count > UINT32_MAX / 2)
            return cor_fail_memory(error);
        grown.slot_count = channels->slot_count > 0 ? 2 * channels->slot_count : SLOTS_FIRST;
        COR_TRY(cor_made(grown.slots = cor_calloc(grown.slot_count, sizeof *grown.slots), error));
        for (uint32_t s = 0; s < channels->slot_count; s++) {
            const struct corridor__told *told = &channels->slots[s];
            if (told->run == channels->run)
                *find(&grown, told->channel, told->index) = *told;
        }
        free(channels->slots);
        *channels = grown;
    }
    struct corridor__told *slot = find(channels, channel, index);
    struct corridor__discord *discord = &channels->discords[channel];
    if (!discord->was_told)
        discord->teller = agent;
    discord->was_told = true;
    discord->was_possible = discord->was_possible || discord->teller != agent || slot->run == channels->run;
    if (slot->run != channels->run) {
        *slot = (struct corridor__told){index, digest, channel, agent, channels->run};
        channels->used++;
        return COR_OK;
    }
    if (slot->digest != digest && !discord->is_there) {
        channels->discord_count++;
        *discord = (struct corridor__discord){.is_there = true,
                                              .was_possible = true,
                                              .was_told = true,
                                              .teller = discord->teller,
                                              .agents = {slot->agent, agent},
                                              .index = index,
                                              .digests = {slot->digest, digest}};
    }
    return COR_OK;
}

static struct cor_span span_of(const char *text) {
    return (struct cor_span){text, (uint32_t)strlen(text)};
}

void corridor__discord_breach(const struct cor_corridor *corridor, uint32_t constraint,
                              const struct corridor__discord *discord, struct cor_breach *breach) {
    static const char *const names[] = {"a", "b"};
    static const char *const digests[] = {"digest of a", "digest of b"};
    *breach = (struct cor_breach){.part = span_of(corridor->constraints[constraint].text), .is_wanted = true};
    breach->binding_count = 2;
    breach->value_count = 3;
    breach->values[0] = (struct cor_breach_value){span_of("index"), cor_integer((int64_t)discord->index),
                                                  COR_NODE_INTEGER, 0};
    for (int i = 0; i < 2; i++) {
        breach->bindings[i] = (struct cor_binding){span_of(names[i]), COR_AGENT, discord->agents[i]};
        breach->values[1 + i] = (struct cor_breach_value){
            span_of(digests[i]), cor_integer((int64_t)discord->digests[i]), COR_NODE_INTEGER, 0};
    }
}

void corridor__discord_text(const char *channel, const struct corridor__discord *discord,
                            const char *const digests[2], char *text, size_t size) {
    if (discord->agents[0] == discord->agents[1])
        snprintf(text, size, "Agent %" PRIu32 " told %s of index %" PRIu64 " of %s, and tells %s now.",
                 discord->agents[0], digests[0], discord->index, channel, digests[1]);
    else
        snprintf(text, size,
                 "Agent %" PRIu32 " told %s of index %" PRIu64 " of %s, and agent %" PRIu32 " tells %s.",
                 discord->agents[0], digests[0], discord->index, channel, discord->agents[1], digests[1]);
}

/* ---- shown */

/* Whether the condition reads the attribute, or the set, of agents. */
static bool reads(const struct cor_expression *condition, const struct cor_quantity *attribute,
                  uint32_t index) {
    for (uint32_t i = 0; i < condition->node_count; i++) {
        const struct cor_node *node = &condition->nodes[i];
        const enum cor_operator kind = node->operator;
        if (attribute->is_set
                ? (kind == COR_OPERATOR_BIND || kind == COR_OPERATOR_IN || kind == COR_OPERATOR_SIZE) &&
                      node->variable == attribute->set
                : (kind == COR_OPERATOR_ATTRIBUTE || kind == COR_OPERATOR_BEFORE) && node->variable == index)
            return true;
    }
    return false;
}

static void add_text(char *text, size_t size, const char *format, ...) COR_PRINTF(3, 4);

static void add_text(char *text, size_t size, const char *format, ...) {
    const size_t length = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + length, size - length, format, arguments);
    va_end(arguments);
}

static void add_value(const struct cor_corridor *corridor, const struct cor_quantity *attribute,
                      const struct cor_attribute_values *column, uint32_t agent, char *text, size_t size) {
    char value[200];
    if (column->unknown[agent]) {
        add_text(text, size, "unknown");
        return;
    }
    if (attribute->is_set) {
        const char *between = "";
        add_text(text, size, "{");
        for (uint64_t rest = (uint64_t)column->integers[agent]; rest != 0; rest &= rest - 1) {
            add_text(text, size, "%s%d", between, __builtin_ctzll(rest));
            between = ", ";
        }
        add_text(text, size, "}");
        return;
    }
    const enum cor_value_type type = attribute->domain.type;
    cor_value_text(type == COR_VALUE_TYPE_REAL ? cor_real(column->reals[agent])
                   : type == COR_VALUE_TYPE_INTEGER || type == COR_VALUE_TYPE_BOOLEAN
                       ? cor_integer(column->integers[agent])
                       : cor_word((uint32_t)column->integers[agent]),
                   &attribute->domain, &corridor->words, value, sizeof value);
    add_text(text, size, "%s", value);
}

/* The agents that a breach is about, each once. */
static uint32_t find_named(const struct cor_breach *breach, uint32_t agent_count,
                           uint32_t named[COR_QUERIES_NESTED_MAX + COR_BREACH_COUNTED]) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < breach->binding_count + breach->counted_count; i++) {
        const uint32_t agent = i < breach->binding_count ? breach->bindings[i].element
                                                         : breach->counted[i - breach->binding_count].element;
        bool is_said = agent >= agent_count; /* nobody, or the same as another name */
        for (uint32_t n = 0; n < count; n++)
            is_said = is_said || named[n] == agent;
        if (!is_said)
            named[count++] = agent;
    }
    return count;
}

static bool is_down(const struct cor_corridor *corridor, const struct corridor__shown *shown,
                    uint32_t agent) {
    if (shown->down_since)
        return shown->down_since[agent] != CORRIDOR__UP;
    const struct cor_attribute_values *up = corridor->up == COR_NONE ? NULL : &shown->columns[corridor->up];
    return up && !(up->unknown && up->unknown[agent]) && up->integers[agent] == 0;
}

/* That the agent is down, if it is; `said` is how many it was said of. */
static void add_down(const struct cor_corridor *corridor, const struct corridor__shown *shown, uint32_t agent,
                     uint32_t *said, char *text, size_t size) {
    if (!is_down(corridor, shown, agent))
        return;
    add_text(text, size, "%s %" PRIu32 " is down", ++*said > 1 ? ", agent" : " Agent", agent);
    if (shown->down_since)
        add_text(text, size, " since tick %" PRIu64, shown->down_since[agent]);
}

void corridor__shown_text(const struct cor_corridor *corridor, uint32_t constraint,
                          const struct cor_breach *breach, const struct corridor__shown *shown, char *text,
                          size_t size) {
    const struct cor_expression *condition = &corridor->constraints[constraint].condition;
    uint32_t named[COR_QUERIES_NESTED_MAX + COR_BREACH_COUNTED], down = 0;
    const uint32_t named_count = find_named(breach, shown->agent_count, named);
    const bool asks_up =
        corridor->up != COR_NONE && reads(condition, &corridor->attributes[corridor->up], corridor->up);
    const bool names_all = named_count > 0 && !breach->counts_more;
    bool has_agents = false;
    cor_breach_text(breach, &corridor->scope, text, size);
    for (uint32_t n = 0; n < named_count; n++) {
        bool has_values = false;
        for (uint32_t a = 0; a < corridor->attribute_count; a++) {
            const struct cor_quantity *attribute = &corridor->attributes[a];
            if (a == corridor->up || !reads(condition, attribute, a))
                continue;
            if (has_values)
                add_text(text, size, ", %s ", attribute->name);
            else
                add_text(text, size, "%s %" PRIu32 " shows %s ", has_agents ? "; agent" : " Agent", named[n],
                         attribute->name);
            add_value(corridor, attribute, &shown->columns[a], named[n], text, size);
            has_values = has_agents = true;
        }
    }
    if (has_agents)
        add_text(text, size, ".");
    for (uint32_t n = 0; n < named_count && names_all; n++)
        add_down(corridor, shown, named[n], &down, text, size);
    uint32_t agent = 0;
    for (; agent < shown->agent_count && !names_all && down < COR_BREACH_COUNTED; agent++)
        add_down(corridor, shown, agent, &down, text, size);
    while (agent < shown->agent_count && !names_all && !is_down(corridor, shown, agent))
        agent++;
    if (agent < shown->agent_count && !names_all)
        add_text(text, size, ", ..");
    if (down > 0)
        add_text(text, size, "%s%s", asks_up ? "." : ": who is down counts by what it showed last",
                 asks_up                    ? ""
                 : corridor->up == COR_NONE ? "." /* a.up is the text's own */
                                            : ", unless the condition asks for a.up.");
}

/* ---- A corridor beside a run that is only observed: values of agents as columns, what they tell as a table,
 * and after each event the conditions that what changed can have changed */

#define SET_AGENTS_MAX 64u /* a set is shown as bits */

/* The attributes of all agents in one state; what is shown of an agent stands at attribute * agents + agent.
 */
struct columns {
    struct cor_attribute_values *columns; /* owned; [attribute] */
    int64_t *integers;                    /* owned; of sets their bits */
    double *reals;                        /* owned */
    uint8_t *unknown;                     /* owned */
};

/* A set of each agent as a collection. */
struct set {
    uint32_t attribute;
    uint32_t *start, *items; /* owned */
    bool is_stale;
};

struct change {
    uint32_t agent, attribute;
    bool is_first; /* of who came with this event: it shows what it is, and has done nothing yet */
};

/* Constraints that read something. */
struct readers {
    uint32_t *constraints; /* owned */
    uint32_t count;
};

/* The worst that an invariant was found so far. */
struct worst {
    enum cor_truth of_run, of_case;
};

/* What an invariant reads of attributes: crashes put to the test what reads `up` alone, and nothing else. */
enum read { READS_NOTHING, READS_UP, READS_MORE };

struct cor_observed {
    const struct cor_corridor *corridor;
    uint32_t agent_count;
    struct cor_value *parameters; /* owned */
    struct columns now, before;
    struct shown {
        int64_t bits;
        uint8_t kind;                    /* enum cor_value_kind */
    } * shown;                           /* owned; as values are: what was shown last, as it was */
    struct set *sets;                    /* owned, and each */
    struct cor_memberships *collections; /* owned; of agents, [set] */
    struct cor_population population, population_before;
    struct cor_world world;

    struct change *changes;        /* owned; of the event, each value once */
    struct change *changes_before; /* owned; of the event before */
    uint8_t *is_changed;           /* owned; as values are */
    uint32_t change_count, change_before_count;
    bool is_over;         /* the event is: with the next value that is shown, another one begins */
    uint64_t events;      /* of the run that are over */
    uint64_t case_events; /* of the case */

    struct cor_monitor **monitors; /* owned, and each; [constraint]; NULL: it has no condition */
    struct readers *readers;       /* owned, and each; [attribute] of its value, then of that before */
    uint8_t *is_due;               /* owned; [constraint] to be asked again */
    uint32_t *due;                 /* owned; those */
    uint32_t due_count;
    uint32_t discord_count; /* that was known when agree() was asked last */

    enum cor_truth *truths;                  /* owned; [constraint] after the last event */
    struct worst *worst;                     /* owned; [constraint] */
    uint32_t violated_count, first_violated; /* COR_NONE: none is */

    bool *looks_back;  /* owned; [constraint] it reads what was before */
    enum read *reads;  /* owned; [constraint] */
    bool *is_tested;   /* owned; [constraint] of which an attribute has changed since the first event, or that
                          was   put to the test as the text says */
    bool *has_changed; /* owned; [attribute] since the first event */
    bool *is_counter;  /* owned; [constraint] its attributes are all to be 0 */
    uint32_t tested_count;     /* constraints of which the text has a condition for that */
    uint8_t *absent, *arrives; /* owned; [agent] is not there; came with this event */
    uint64_t *down_since;      /* owned; [agent] CORRIDOR__UP: is up */
    bool is_attended; /* somebody came or went in the run: monitors are not asked, which know all as there, */
    bool has_attended; /* in this event */
    bool *is_watched;  /* owned; [constraint] it can be violated */
    bool *is_judged;   /* owned; [constraint] an invariant that is watched, or that a formula may name */
    struct corridor__channels channels;
    struct corridor__calls calls;
    uint64_t calls_asked; /* events of histories when they were asked last */
    struct corridor__time time;
    enum cor_truth *case_truths; /* owned; for formulas */
    struct cor_error wrong;      /* a value was shown that the corridor excludes, */
    uint32_t wrong_agent;        /* by this one; COR_NONE: none was */
};

static bool is_of_time(const struct cor_corridor *corridor, uint32_t constraint) {
    return corridor->constraints[constraint].kind == COR_CONSTRAINT_TEMPORAL;
}

static bool is_of_calls(const struct cor_observed *observed, uint32_t constraint) {
    return observed->corridor->constraints[constraint].asks != COR_AGREE;
}

/* What an attribute is to monitors. */
static enum cor_monitored kind_of(const struct cor_quantity *attribute, bool is_before) {
    return is_before           ? COR_MONITORED_BEFORE
           : attribute->is_set ? COR_MONITORED_COLLECTION
                               : COR_MONITORED_ATTRIBUTE;
}

/* ---- life */

static enum cor_status make_columns(const struct cor_observed *observed, struct columns *made,
                                    struct cor_error *error) {
    const uint32_t attributes = observed->corridor->attribute_count, agents = observed->agent_count;
    const size_t count = (size_t)attributes * agents;
    made->columns = cor_calloc(attributes, sizeof *made->columns);
    made->integers = cor_calloc(count, sizeof *made->integers);
    made->reals = cor_calloc(count, sizeof *made->reals);
    made->unknown = cor_calloc(count, 1);
    if (!made->columns || !made->integers || !made->reals || !made->unknown)
        return cor_fail_memory(error);
    for (size_t a = 0; a < attributes; a++)
        made->columns[a] = (struct cor_attribute_values){
            made->reals + a * agents, made->integers + a * agents, made->unknown + a * agents};
    return COR_OK;
}

static void free_columns(struct columns *columns) {
    COR_FREE(columns->columns, columns->integers, columns->reals, columns->unknown);
}

static enum cor_status make_monitors(struct cor_observed *observed, struct cor_error *error) {
    const struct cor_corridor *corridor = observed->corridor;
    const uint32_t attributes = corridor->attribute_count;
    for (uint32_t c = 0; c < corridor->constraint_count; c++)
        if (corridor->constraints[c].condition.node_count > 0)
            COR_TRY(cor_monitor_create(&corridor->constraints[c].condition, corridor->scope.shape,
                                       observed->parameters, &observed->world, &observed->monitors[c],
                                       error));
    for (uint32_t r = 0; r < 2 * attributes; r++) {
        const struct cor_quantity *attribute = &corridor->attributes[r % attributes];
        struct readers *readers = &observed->readers[r];
        if (attribute->is_set && r >= attributes)
            continue; /* nothing is known of collections before */
        readers->constraints = cor_calloc(corridor->constraint_count, sizeof *readers->constraints);
        COR_TRY(cor_made(readers->constraints, error));
        for (uint32_t c = 0; c < corridor->constraint_count; c++) {
            if (!observed->monitors[c] ||
                !cor_monitor_reads(observed->monitors[c], kind_of(attribute, r >= attributes),
                                   attribute->is_set ? attribute->set : r % attributes))
                continue;
            readers->constraints[readers->count++] = c;
            if (observed->reads[c] != READS_MORE)
                observed->reads[c] = r % attributes == corridor->up ? READS_UP : READS_MORE;
            observed->looks_back[c] = observed->looks_back[c] || r >= attributes;
        }
    }
    return COR_OK;
}

/* Is a condition of counters of what goes wrong: does it say no more than that attributes are 0? A sound
 * program never moves them. */
static bool is_of_counters(const struct cor_expression *condition) {
    uint32_t attributes = 0;
    for (uint32_t n = 0; n < condition->node_count; n++) {
        const struct cor_node *node = &condition->nodes[n];
        if (node->operator== COR_OPERATOR_ATTRIBUTE && node->type == COR_NODE_INTEGER) {
            attributes++;
            continue;
        }
        if (node->operator== COR_OPERATOR_EQUAL) {
            const struct cor_node *left = &condition->nodes[node->left],
                                  *right = &condition->nodes[node->right];
            const struct cor_node *zero = left->operator== COR_OPERATOR_CONSTANT ? left : right;
            if (zero->operator!= COR_OPERATOR_CONSTANT || zero->type != COR_NODE_INTEGER ||
                zero->constant != 0)
                return false;
        } else if (node->operator!= COR_OPERATOR_CONSTANT && node->operator!= COR_OPERATOR_BIND &&
                   node->
                   operator!= COR_OPERATOR_AND && node->
                   operator!= COR_OPERATOR_ALL)
            return false;
    }
    return attributes > 0;
}

static enum cor_status make(struct cor_observed *observed, const struct cor_value *parameters,
                            struct cor_error *error) {
    const struct cor_corridor *corridor = observed->corridor;
    const size_t values = (size_t)corridor->attribute_count * observed->agent_count;
    COR_TRY(make_columns(observed, &observed->now, error));
    COR_TRY(make_columns(observed, &observed->before, error));
    observed->sets = cor_calloc(corridor->set_count, sizeof *observed->sets);
    observed->collections = cor_calloc(corridor->set_count, sizeof *observed->collections);
    if (!observed->sets || !observed->collections)
        return cor_fail_memory(error);
    for (uint32_t a = 0; a < corridor->attribute_count; a++) {
        if (!corridor->attributes[a].is_set)
            continue;
        struct set *set = &observed->sets[corridor->attributes[a].set];
        set->attribute = a;
        set->start = cor_calloc((size_t)observed->agent_count + 1, sizeof *set->start);
        set->items = cor_calloc((size_t)observed->agent_count * SET_AGENTS_MAX, sizeof *set->items);
        if (!set->start || !set->items)
            return cor_fail_memory(error);
        observed->collections[corridor->attributes[a].set] = (struct cor_memberships){
            set->start, set->items, observed->now.unknown + (size_t)a * observed->agent_count};
    }
    COR_TRY(corridor__channels_init(&observed->channels, corridor->channel_count, error));
    COR_TRY(corridor__calls_init(&observed->calls, corridor, error));
    COR_TRY(corridor__time_init(&observed->time, corridor, error));
    observed->parameters = cor_calloc(corridor->parameter_count, sizeof *observed->parameters);
    observed->shown = cor_calloc(values, sizeof *observed->shown);
    observed->changes = cor_calloc(values, sizeof *observed->changes);
    observed->changes_before = cor_calloc(values, sizeof *observed->changes_before);
    observed->monitors = cor_calloc(corridor->constraint_count, sizeof *observed->monitors);
    observed->readers = cor_calloc(2 * (size_t)corridor->attribute_count, sizeof *observed->readers);
    observed->is_due = cor_calloc(corridor->constraint_count, 1);
    observed->due = cor_calloc(corridor->constraint_count, sizeof *observed->due);
    observed->is_changed = cor_calloc(values, 1);
    observed->truths = cor_calloc(corridor->constraint_count, sizeof *observed->truths);
    observed->case_truths = cor_calloc(corridor->constraint_count, sizeof *observed->case_truths);
    observed->worst = cor_calloc(corridor->constraint_count, sizeof *observed->worst);
    observed->looks_back = cor_calloc(corridor->constraint_count, sizeof *observed->looks_back);
    observed->reads = cor_calloc(corridor->constraint_count, sizeof *observed->reads);
    observed->is_tested = cor_calloc(corridor->constraint_count, sizeof *observed->is_tested);
    observed->absent = cor_calloc(observed->agent_count, 1);
    observed->arrives = cor_calloc(observed->agent_count, 1);
    observed->down_since = cor_calloc(observed->agent_count, sizeof *observed->down_since);
    observed->has_changed = cor_calloc(corridor->attribute_count, sizeof *observed->has_changed);
    observed->is_counter = cor_calloc(corridor->constraint_count, sizeof *observed->is_counter);
    observed->is_watched = cor_calloc(corridor->constraint_count, sizeof *observed->is_watched);
    observed->is_judged = cor_calloc(corridor->constraint_count, sizeof *observed->is_judged);
    if (!observed->parameters || !observed->shown || !observed->changes || !observed->changes_before ||
        !observed->monitors || !observed->readers || !observed->is_due || !observed->due ||
        !observed->is_changed || !observed->truths || !observed->case_truths || !observed->worst ||
        !observed->looks_back || !observed->reads || !observed->is_tested || !observed->is_watched ||
        !observed->is_judged || !observed->has_changed || !observed->is_counter || !observed->absent ||
        !observed->arrives || !observed->down_since)
        return cor_fail_memory(error);
    for (uint32_t c = 0; c < corridor->constraint_count; c++)
        observed->is_watched[c] = observed->is_judged[c] = true;
    for (uint32_t c = 0; c < corridor->constraint_count; c++) {
        observed->is_counter[c] = is_of_counters(&corridor->constraints[c].condition);
        observed->tested_count += corridor->constraints[c].tested.node_count > 0;
    }
    if (corridor->parameter_count > 0)
        memcpy(observed->parameters, parameters, corridor->parameter_count * sizeof *parameters);
    observed->population =
        (struct cor_population){observed->agent_count, observed->now.columns, observed->collections, NULL};
    observed->population_before =
        (struct cor_population){observed->agent_count, observed->before.columns, NULL, NULL};
    observed->world = (struct cor_world){&observed->population, &observed->population_before, true};
    COR_TRY(make_monitors(observed, error));
    return cor_observed_restart(observed, error);
}

enum cor_status cor_observed_create(const struct cor_corridor *corridor, uint32_t agent_count,
                                    const struct cor_value *parameters, struct cor_observed **observed,
                                    struct cor_error *error) {
    COR_ASSERT(corridor->kind == COR_STRUCTURE_OBSERVED);
    *observed = NULL;
    if (corridor->set_count > 0 && agent_count > SET_AGENTS_MAX)
        return cor_fail(error, COR_STATUS_INPUT, corridor->name, "leave out attributes that are sets",
                        "sets of agents are of at most %u agents, and here are %" PRIu32, SET_AGENTS_MAX,
                        agent_count);
    struct cor_observed *made = cor_calloc(1, sizeof *made);
    COR_TRY(cor_made(made, error));
    made->corridor = corridor;
    made->agent_count = agent_count;
    const enum cor_status status = make(made, parameters, error);
    if (status == COR_OK)
        *observed = made;
    else
        cor_observed_destroy(made);
    return status;
}

void cor_observed_destroy(struct cor_observed *observed) {
    if (!observed)
        return;
    free_columns(&observed->now);
    free_columns(&observed->before);
    for (uint32_t s = 0; observed->sets && s < observed->corridor->set_count; s++) {
        COR_FREE(observed->sets[s].start, observed->sets[s].items);
    }
    COR_FREE(observed->sets, observed->collections);
    corridor__channels_fini(&observed->channels);
    corridor__calls_fini(&observed->calls);
    if (observed->time.corridor)
        corridor__time_fini(&observed->time);
    COR_FREE(observed->parameters, observed->shown, observed->changes, observed->changes_before);
    for (uint32_t c = 0; observed->monitors && c < observed->corridor->constraint_count; c++)
        cor_monitor_destroy(observed->monitors[c]);
    for (uint32_t r = 0; observed->readers && r < 2 * observed->corridor->attribute_count; r++)
        free(observed->readers[r].constraints);
    COR_FREE(observed->monitors, observed->readers, observed->is_due, observed->due, observed->is_changed,
             observed->truths, observed->case_truths, observed->worst, observed->looks_back, observed->reads,
             observed->is_tested, observed->has_changed, observed->absent, observed->arrives,
             observed->down_since, observed->is_counter, observed->is_watched, observed->is_judged, observed);
}

void cor_observed_watch(struct cor_observed *observed, const bool *watched) {
    const struct cor_corridor *corridor = observed->corridor;
    bool watches_time = false;
    for (uint32_t c = 0; c < corridor->constraint_count; c++) {
        observed->is_watched[c] = watched[c];
        watches_time = watches_time || (watched[c] && is_of_time(corridor, c));
    }
    for (uint32_t c = 0; c < corridor->constraint_count; c++)
        observed->is_judged[c] = watched[c] || watches_time;
    for (uint32_t r = 0; r < 2 * corridor->attribute_count; r++) {
        struct readers *readers = &observed->readers[r];
        uint32_t count = 0;
        for (uint32_t i = 0; i < readers->count; i++)
            if (observed->is_judged[readers->constraints[i]])
                readers->constraints[count++] = readers->constraints[i];
        readers->count = count;
    }
}

enum cor_status cor_observed_restart(struct cor_observed *observed, struct cor_error *error) {
    const struct cor_corridor *corridor = observed->corridor;
    const size_t values = (size_t)corridor->attribute_count * observed->agent_count;
    memset(observed->now.unknown, 1, values);
    memset(observed->before.unknown, 1, values);
    memset(observed->is_changed, 0, values);
    memset(observed->shown, 0, values * sizeof *observed->shown);
    for (uint32_t s = 0; s < corridor->set_count; s++)
        memset(observed->sets[s].start, 0, ((size_t)observed->agent_count + 1) * sizeof(uint32_t));
    observed->change_count = observed->change_before_count = 0;
    observed->violated_count = observed->due_count = observed->discord_count = 0;
    observed->first_violated = COR_NONE;
    observed->is_over = false;
    observed->events = observed->case_events = 0;
    observed->wrong = COR_NO_ERROR;
    observed->wrong_agent = COR_NONE;
    for (uint32_t c = 0; c < corridor->constraint_count; c++) {
        observed->truths[c] = COR_TRUTH_UNKNOWN;
        observed->worst[c] = (struct worst){COR_TRUTH_UNKNOWN, COR_TRUTH_UNKNOWN};
        observed->is_due[c] = 0;
        observed->is_tested[c] = false;
    }
    memset(observed->absent, 0, observed->agent_count);
    memset(observed->arrives, 0, observed->agent_count);
    for (uint32_t agent = 0; agent < observed->agent_count; agent++) {
        observed->down_since[agent] = CORRIDOR__UP;
        if (corridor->up == COR_NONE)
            continue;
        const size_t at = (size_t)corridor->up * observed->agent_count + agent;
        observed->shown[at] = (struct shown){true, COR_VALUE_INTEGER};
        observed->now.integers[at] = observed->before.integers[at] = true;
        observed->now.unknown[at] = observed->before.unknown[at] = false;
    }
    observed->is_attended = observed->has_attended = false;
    observed->population.absent = NULL;
    memset(observed->has_changed, 0, corridor->attribute_count * sizeof *observed->has_changed);
    corridor__channels_restart(&observed->channels);
    corridor__time_restart(&observed->time);
    observed->calls_asked = 0;
    return corridor__calls_restart(&observed->calls, error);
}

/* ---- events */

/* What was shown in the event before is now what was before. */
static void begin_event(struct cor_observed *observed) {
    const uint32_t agents = observed->agent_count;
    for (uint32_t i = 0; i < observed->change_count; i++) {
        const struct change *change = &observed->changes[i];
        const size_t at = (size_t)change->attribute * agents + change->agent;
        observed->before.integers[at] = observed->now.integers[at];
        observed->before.reals[at] = observed->now.reals[at];
        observed->before.unknown[at] = observed->now.unknown[at];
        observed->is_changed[at] = 0;
    }
    struct change *const changes = observed->changes_before;
    observed->changes_before = observed->changes;
    observed->change_before_count = observed->change_count;
    observed->changes = changes;
    observed->change_count = 0;
    observed->is_over = false;
}

/* Whether the corridor's declaration has the value, which is made fit for it. */
static bool is_declared(const struct cor_quantity *quantity, struct cor_value *value) {
    if (quantity->is_set)
        return value->kind == COR_VALUE_INTEGER;
    if (!cor_domain_fit(&quantity->domain, value) || value->kind == COR_VALUE_NULL)
        return false;
    const double number = value->kind == COR_VALUE_REAL      ? value->as.real
                          : value->kind == COR_VALUE_INTEGER ? (double)value->as.integer
                                                             : 0;
    return value->kind == COR_VALUE_WORD || (number >= quantity->low && number <= quantity->high);
}

static void note_wrong(struct cor_observed *observed, uint32_t agent, uint32_t attribute,
                       struct cor_value value) {
    const struct cor_corridor *corridor = observed->corridor;
    const struct cor_quantity *quantity = &corridor->attributes[attribute];
    char place[600], text[200];
    size_t line = 1, column = 1;
    if (observed->wrong.status != COR_OK)
        return;
    if (quantity->at)
        cor_corridor_place(corridor, quantity->at, &line, &column);
    cor_value_text(value, &quantity->domain, &corridor->words, text, sizeof text);
    observed->wrong_agent = agent;
    snprintf(place, sizeof place, "%.500s:%zu:%zu", corridor->name, line, column);
    (void)cor_fail(&observed->wrong, COR_STATUS_INPUT, place, "declare all that agents show",
                   "agent %" PRIu32 " shows %s as its %s, which is no value of it", agent, text,
                   quantity->name);
}

void cor_observed_show(struct cor_observed *observed, uint32_t agent, uint32_t attribute,
                       struct cor_value value) {
    COR_ASSERT(agent < observed->agent_count && attribute < observed->corridor->attribute_count);
    struct shown *shown = &observed->shown[(size_t)attribute * observed->agent_count + agent];
    int64_t bits = value.as.integer; /* or those of a real */
    if (value.kind == COR_VALUE_WORD)
        bits = value.as.word;
    if (value.kind == shown->kind && (bits == shown->bits || value.kind == COR_VALUE_NULL))
        return;
    *shown = (struct shown){bits, value.kind};
    /* A value that was not shown last. */
    const struct cor_quantity *quantity = &observed->corridor->attributes[attribute];
    const size_t at = (size_t)attribute * observed->agent_count + agent;
    const bool is_known = value.kind != COR_VALUE_NULL;
    if (is_known && !is_declared(quantity, &value)) {
        note_wrong(observed, agent, attribute, value);
        return;
    }
    if (observed->is_over)
        begin_event(observed);
    observed->now.integers[at] = value.kind == COR_VALUE_INTEGER ? value.as.integer
                                 : value.kind == COR_VALUE_WORD  ? value.as.word
                                                                 : 0;
    observed->now.reals[at] = value.kind == COR_VALUE_REAL ? value.as.real : 0;
    observed->now.unknown[at] = !is_known;
    if (quantity->is_set)
        observed->sets[quantity->set].is_stale = true;
    if (observed->is_changed[at])
        return;
    observed->is_changed[at] = 1;
    observed->changes[observed->change_count++] = (struct change){agent, attribute, false};
}

static void show_up(struct cor_observed *observed, uint32_t agent, uint64_t down_since) {
    observed->down_since[agent] = down_since;
    if (observed->corridor->up != COR_NONE)
        cor_observed_show(observed, agent, observed->corridor->up, cor_integer(down_since == CORRIDOR__UP));
}

void cor_observed_attend(struct cor_observed *observed, uint32_t agent, bool is_there) {
    if (observed->is_over)
        begin_event(observed);
    observed->absent[agent] = !is_there;
    observed->arrives[agent] = is_there;
    observed->is_attended = observed->has_attended = true;
    observed->population.absent = observed->absent;
    show_up(observed, agent, CORRIDOR__UP); /* who is not there is not down: it counts nowhere */
}

enum cor_status cor_observed_tell(struct cor_observed *observed, uint32_t agent, uint32_t channel,
                                  uint64_t index, uint64_t digest, struct cor_error *error) {
    return corridor__channels_tell(&observed->channels, agent, channel, index, digest, error);
}

/* What is said of a history is not of its object: the agent showed what the corridor excludes. */
static enum cor_status note_calls(struct cor_observed *observed, uint32_t agent, enum cor_status status,
                                  struct cor_error *error) {
    if (status != COR_STATUS_INPUT)
        return status;
    if (observed->wrong.status == COR_OK) {
        observed->wrong = *error;
        observed->wrong_agent = agent;
    }
    *error = COR_NO_ERROR;
    return COR_OK;
}

enum cor_status cor_observed_call(struct cor_observed *observed, uint32_t agent, uint32_t history,
                                  uint64_t ticket, const char *operation, const char *key, const char *value,
                                  struct cor_error *error) {
    const char *const texts[] = {operation, key, value};
    struct cor_error said = COR_NO_ERROR;
    enum cor_status status = corridor__calls_call(&observed->calls, agent, history, ticket, texts, &said);
    status = note_calls(observed, agent, status, &said);
    if (status != COR_OK && error)
        *error = said;
    return status;
}

enum cor_status cor_observed_answer(struct cor_observed *observed, uint32_t agent, uint64_t ticket,
                                    const char *value, bool failed, struct cor_error *error) {
    struct cor_error said = COR_NO_ERROR;
    enum cor_status status = corridor__calls_answer(&observed->calls, agent, ticket, value, failed, &said);
    status = note_calls(observed, agent, status, &said);
    if (status != COR_OK && error)
        *error = said;
    return status;
}

enum cor_status cor_observed_lost(struct cor_observed *observed, uint32_t agent, uint64_t tick,
                                  struct cor_error *error) {
    if (!observed->absent[agent])
        show_up(observed, agent, tick);
    return observed->calls.open_count == 0 ? COR_OK : corridor__calls_lost(&observed->calls, agent, error);
}

void cor_observed_up(struct cor_observed *observed, uint32_t agent) {
    show_up(observed, agent, CORRIDOR__UP);
}

struct cor_history *cor_observed_history(const struct cor_observed *observed, uint32_t constraint,
                                         struct cor_history_verdict *verdict) {
    const struct cor_constraint *asked = &observed->corridor->constraints[constraint];
    if (asked->channel == COR_NONE || asked->asks == COR_AGREE)
        return NULL;
    struct corridor__history *history = &observed->calls.histories[asked->channel];
    *verdict = (struct cor_history_verdict){.possible = history->possible, .call = history->call};
    return &history->record;
}

static enum cor_truth worse(enum cor_truth a, enum cor_truth b) {
    return a == COR_TRUTH_FALSE || b == COR_TRUTH_FALSE       ? COR_TRUTH_FALSE
           : a == COR_TRUTH_UNKNOWN || b == COR_TRUTH_UNKNOWN ? COR_TRUTH_UNKNOWN
                                                              : COR_TRUTH_TRUE;
}

static void make_due(struct cor_observed *observed, uint32_t constraint) {
    if (observed->is_due[constraint] || !observed->is_judged[constraint])
        return;
    observed->is_due[constraint] = 1;
    observed->due[observed->due_count++] = constraint;
}

/* Tells those that read it of what changed. */
static void tell_changes(struct cor_observed *observed, const struct change *changes, uint32_t count,
                         bool is_before) {
    const struct cor_corridor *corridor = observed->corridor;
    for (uint32_t i = 0; i < count; i++) {
        const struct cor_quantity *attribute = &corridor->attributes[changes[i].attribute];
        const struct readers *readers =
            &observed->readers[changes[i].attribute + (is_before ? corridor->attribute_count : 0)];
        for (uint32_t r = 0; r < readers->count; r++) {
            const uint32_t c = readers->constraints[r];
            cor_monitor_change(observed->monitors[c], kind_of(attribute, is_before),
                               attribute->is_set ? attribute->set : changes[i].attribute, changes[i].agent);
            if (corridor->constraints[c].tested.node_count == 0 && !changes[i].is_first &&
                (changes[i].attribute != corridor->up || observed->reads[c] == READS_UP))
                observed->is_tested[c] = observed->is_tested[c] || observed->events > 0;
            make_due(observed, c);
        }
    }
}

/* Which invariants have to be asked again: in the first event all, and in the second, the first that has
 * another one before it. */
static void find_due(struct cor_observed *observed) {
    const struct cor_corridor *corridor = observed->corridor;
    for (uint32_t c = 0; c < corridor->constraint_count && observed->events < 2; c++) {
        if (is_of_time(corridor, c))
            continue;
        if (observed->monitors[c])
            cor_monitor_forget(observed->monitors[c]);
        make_due(observed, c);
    }
    for (uint32_t i = 0; i < observed->change_count; i++) {
        struct change *change = &observed->changes[i];
        change->is_first = observed->has_attended && observed->arrives[change->agent];
        if (observed->events > 0 && !change->is_first && change->attribute != corridor->up)
            observed->has_changed[change->attribute] = true;
    }
    tell_changes(observed, observed->changes, observed->change_count, false);
    tell_changes(observed, observed->changes_before, observed->change_before_count, true);
    if (observed->discord_count == observed->channels.discord_count &&
        observed->calls_asked == observed->calls.events)
        return;
    observed->calls_asked = observed->calls.events;
    observed->discord_count = observed->channels.discord_count;
    for (uint32_t c = 0; c < corridor->constraint_count; c++)
        if (corridor->constraints[c].channel != COR_NONE)
            make_due(observed, c);
}

/* Invariants that are put to the test now, as the text says. */
static void look_for_tests(struct cor_observed *observed) {
    const struct cor_corridor *corridor = observed->corridor;
    for (uint32_t c = 0; c < corridor->constraint_count; c++)
        if (corridor->constraints[c].tested.node_count > 0 && !observed->is_tested[c])
            observed->is_tested[c] =
                cor_expression_ask(&corridor->constraints[c].tested, observed->parameters, &observed->world,
                                   NULL) == COR_TRUTH_TRUE;
}

/* Who came has shown the same before; and all invariants are asked again. */
static void take_attendance(struct cor_observed *observed) {
    const struct cor_corridor *corridor = observed->corridor;
    for (uint32_t agent = 0; agent < observed->agent_count; agent++)
        for (uint32_t a = 0; a < corridor->attribute_count && observed->arrives[agent]; a++) {
            const size_t at = (size_t)a * observed->agent_count + agent;
            observed->before.integers[at] = observed->now.integers[at];
            observed->before.reals[at] = observed->now.reals[at];
            observed->before.unknown[at] = observed->now.unknown[at];
        }
    memset(observed->arrives, 0, observed->agent_count);
    observed->has_attended = false;
    for (uint32_t c = 0; c < corridor->constraint_count; c++)
        if (observed->monitors[c])
            make_due(observed, c);
}

/* The truth of an invariant on what there is now. */
static enum cor_truth ask(const struct cor_observed *observed, uint32_t constraint) {
    const uint32_t channel = observed->corridor->constraints[constraint].channel;
    if (channel == COR_NONE && observed->is_attended)
        return cor_expression_ask(&observed->corridor->constraints[constraint].condition,
                                  observed->parameters, &observed->world, NULL);
    if (channel == COR_NONE)
        return cor_monitor_ask(observed->monitors[constraint]);
    if (is_of_calls(observed, constraint))
        return corridor__calls_ask(&observed->calls, &observed->corridor->constraints[constraint]);
    return observed->channels.discords[channel].is_there ? COR_TRUTH_FALSE : COR_TRUTH_TRUE;
}

enum cor_status cor_observed_event(struct cor_observed *observed, uint32_t *violated,
                                   struct cor_error *error) {
    *violated = COR_NONE;
    if (observed->wrong.status != COR_OK) {
        if (error)
            *error = observed->wrong;
        return observed->wrong.status;
    }
    const bool is_quiet = observed->is_over && !observed->has_attended && observed->change_count == 0 &&
                          observed->events >= 2 && observed->case_events > 0 &&
                          observed->discord_count == observed->channels.discord_count &&
                          observed->calls_asked == observed->calls.events;
    if (!is_quiet) {
        if (observed->is_over)
            begin_event(observed);
        /* Sets that were shown otherwise, as collections. */
        for (uint32_t s = 0; s < observed->corridor->set_count; s++) {
            struct set *set = &observed->sets[s];
            uint32_t count = 0;
            if (!set->is_stale)
                continue;
            set->is_stale = false;
            const size_t first = (size_t)set->attribute * observed->agent_count;
            for (uint32_t a = 0; a < observed->agent_count; a++) {
                const uint64_t bits =
                    observed->now.unknown[first + a] ? 0 : (uint64_t)observed->now.integers[first + a];
                set->start[a] = count;
                for (uint64_t rest = bits; rest != 0; rest &= rest - 1)
                    set->items[count++] = (uint32_t)__builtin_ctzll(rest);
            }
            set->start[observed->agent_count] = count;
        }
        find_due(observed);
        if (observed->has_attended)
            take_attendance(observed);
        if (observed->tested_count > 0 && observed->events > 0 && observed->change_count > 0)
            look_for_tests(observed);
        for (uint32_t i = 0; i < observed->due_count; i++) {
            const uint32_t c = observed->due[i];
            const enum cor_truth truth = ask(observed, c);
            struct worst *worst = &observed->worst[c];
            observed->violated_count += observed->is_watched[c] && truth == COR_TRUTH_FALSE;
            observed->violated_count -= observed->is_watched[c] && observed->truths[c] == COR_TRUTH_FALSE;
            observed->truths[c] = truth;
            /* What looks back has nothing to say of the first event. */
            const bool is_first = observed->events == (observed->looks_back[c] ? 1 : 0);
            worst->of_run = is_first ? truth : worse(worst->of_run, truth);
            worst->of_case = is_first ? truth : worse(worst->of_case, truth);
            observed->is_due[c] = 0;
        }
        if (observed->due_count > 0) {
            observed->first_violated = observed->violated_count > 0 ? 0 : COR_NONE;
            while (observed->violated_count > 0 &&
                   (!observed->is_watched[observed->first_violated] ||
                    observed->truths[observed->first_violated] != COR_TRUTH_FALSE))
                observed->first_violated++;
        }
        observed->due_count = 0;
        if (observed->case_events == 0)
            for (uint32_t c = 0; c < observed->corridor->constraint_count; c++)
                observed->worst[c].of_case = observed->truths[c];
        observed->is_over = true;
    }
    observed->events++;
    observed->case_events++;
    *violated = observed->first_violated;
    return COR_OK;
}

enum cor_status cor_observed_case(struct cor_observed *observed, bool stable, uint32_t *violated,
                                  struct cor_error *error) {
    const struct cor_corridor *corridor = observed->corridor;
    enum cor_truth inside = COR_TRUTH_TRUE;
    *violated = COR_NONE;
    for (uint32_t c = 0; c < corridor->constraint_count; c++) {
        if (is_of_time(corridor, c))
            continue;
        observed->case_truths[c] =
            observed->case_events > 0 ? observed->worst[c].of_case : observed->truths[c];
        inside = worse(inside, observed->case_truths[c]);
    }
    observed->case_events = 0;
    COR_TRY(corridor__time_step(&observed->time, observed->case_truths, inside,
                                stable ? COR_TRUTH_TRUE : COR_TRUTH_FALSE, error));
    for (uint32_t c = 0; c < corridor->constraint_count && *violated == COR_NONE; c++) {
        uint64_t decided;
        if (is_of_time(corridor, c) && observed->is_watched[c] &&
            corridor__time_verdict(&observed->time, c, &decided) == COR_TRUTH_FALSE &&
            decided != COR_TEMPORAL_OPEN)
            *violated = c;
    }
    return COR_OK;
}

/* ---- what is said of it */

uint32_t cor_observed_excluded(const struct cor_observed *observed) {
    return observed->wrong_agent;
}

enum cor_truth cor_observed_verdict(const struct cor_observed *observed, uint32_t constraint) {
    if (is_of_calls(observed, constraint))
        return corridor__calls_verdict(&observed->calls, &observed->corridor->constraints[constraint]);
    return is_of_time(observed->corridor, constraint) ? corridor__time_so_far(&observed->time, constraint)
                                                      : observed->worst[constraint].of_run;
}

enum cor_truth cor_observed_truth(const struct cor_observed *observed, uint32_t constraint) {
    return observed->truths[constraint];
}

uint64_t cor_observed_degree(const struct cor_observed *observed, uint32_t constraint) {
    return cor_expression_degree_in(&observed->corridor->constraints[constraint].condition,
                                    observed->parameters, &observed->world);
}

bool cor_observed_is_fixed(const struct cor_observed *observed, uint32_t constraint) {
    uint64_t decided;
    if (!is_of_time(observed->corridor, constraint))
        return observed->worst[constraint].of_run == COR_TRUTH_FALSE;
    (void)corridor__time_verdict(&observed->time, constraint, &decided);
    return decided != COR_TEMPORAL_OPEN;
}

/* Has anything that the text declares changed? */
static bool has_worked(const struct cor_observed *observed) {
    bool any = false;
    for (uint32_t a = 0; a < observed->corridor->attribute_count; a++)
        any = any || observed->has_changed[a];
    for (uint32_t c = 0; c < observed->corridor->channel_count; c++)
        any = any || observed->channels.discords[c].was_possible ||
              (observed->calls.histories && observed->calls.histories[c].has_returned);
    return any;
}

bool cor_observed_is_tested(const struct cor_observed *observed, uint32_t constraint) {
    const struct cor_constraint *asked = &observed->corridor->constraints[constraint];
    if (asked->tested_by != COR_NONE)
        return observed->has_changed[asked->tested_by];
    if (asked->tested.node_count > 0)
        return observed->is_tested[constraint];
    if (is_of_calls(observed, constraint))
        return observed->calls.histories[asked->channel].has_told;
    if (asked->channel != COR_NONE)
        return observed->channels.discords[asked->channel].was_possible;
    return observed->reads[constraint] == READS_NOTHING || observed->is_tested[constraint] ||
           (observed->is_counter[constraint] && has_worked(observed));
}

static const struct corridor__discord *discord_of(const struct cor_observed *observed, uint32_t constraint) {
    return &observed->channels.discords[observed->corridor->constraints[constraint].channel];
}

void cor_observed_explain(struct cor_observed *observed, uint32_t constraint, struct cor_breaches *breaches) {
    const struct cor_corridor *corridor = observed->corridor;
    if (is_of_calls(observed, constraint)) {
        const struct cor_constraint *asked = &corridor->constraints[constraint];
        const struct corridor__history *history = &observed->calls.histories[asked->channel];
        *breaches = (struct cor_breaches){.count = 1, .kept_count = 1};
        breaches->kept[0] = (struct cor_breach){.part = span_of(asked->text), .is_wanted = true};
        if (asked->asks == COR_LINEARIZABLE) {
            breaches->kept[0].binding_count = 1;
            breaches->kept[0].bindings[0] =
                (struct cor_binding){span_of("a"), COR_AGENT, history->record.calls[history->call].process};
        }
        return;
    }
    COR_ASSERT(!is_of_time(corridor, constraint) && observed->truths[constraint] == COR_TRUTH_FALSE);
    if (corridor->constraints[constraint].channel == COR_NONE) {
        cor_expression_explain(&corridor->constraints[constraint].condition, observed->parameters,
                               &observed->world, breaches);
        return;
    }
    breaches->count = breaches->kept_count = 1;
    breaches->is_cut = false;
    corridor__discord_breach(corridor, constraint, discord_of(observed, constraint), &breaches->kept[0]);
}

void cor_observed_sentence(struct cor_observed *observed, uint32_t constraint, char *text, size_t size) {
    const struct cor_corridor *corridor = observed->corridor;
    const uint32_t channel = corridor->constraints[constraint].channel;
    struct cor_breaches breaches;
    if (is_of_calls(observed, constraint)) {
        corridor__calls_text(&observed->calls, &corridor->constraints[constraint], text, size);
        return;
    }
    if (channel != COR_NONE) {
        const struct corridor__discord *discord = discord_of(observed, constraint);
        char digests[2][17];
        for (int i = 0; i < 2; i++)
            snprintf(digests[i], sizeof digests[i], "%016" PRIx64, discord->digests[i]);
        corridor__discord_text(corridor->channels[channel].name, discord,
                               (const char *const[]){digests[0], digests[1]}, text, size);
        return;
    }
    cor_observed_explain(observed, constraint, &breaches);
    const struct corridor__shown shown = {observed->agent_count, observed->now.columns, observed->down_since};
    corridor__shown_text(corridor, constraint, &breaches.kept[0], &shown, text, size);
}
