/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "internal.h"

#include <corridor/array.h>

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The intention of that number, with nothing open. */
static enum cor_status make_intention(struct agents__reporter *reporter, uint32_t number) {
    COR_TRY(COR_RESERVE(&reporter->intentions, &reporter->intention_capacity, (size_t)number + 1,
                        reporter->error));
    COR_TRY(COR_RESERVE(&reporter->ready, &reporter->ready_capacity, (size_t)number + 1, reporter->error));
    struct agents__intention *it = &reporter->intentions[number];
    if (number == reporter->intentions_made) {
        *it = (struct agents__intention){0};
        reporter->intentions_made++;
    }
    *it = (struct agents__intention){.levels = it->levels,
                                     .capacity = it->capacity,
                                     .waiting = COR_NONE,
                                     .posted = COR_NONE,
                                     .open = COR_NONE};
    return COR_RESERVE(&it->levels, &it->capacity, 1, reporter->error);
}

static struct agents__intention *at_hand(const struct agents__reporter *reporter) {
    return &reporter->intentions[reporter->now];
}

static struct agents__level *level_at_hand(const struct agents__reporter *reporter) {
    return &at_hand(reporter)->levels[at_hand(reporter)->depth];
}

enum cor_status agents__reporter_init(struct agents__reporter *reporter, const struct cor_design *design,
                                      struct cor_error *error) {
    *reporter = (struct agents__reporter){.design = design, .error = error};
    reporter->known_words = design->said_words > 0 ? design->said_words : design->words.count;
    uint32_t most = 0;
    for (uint32_t i = 0; i < design->event_count; i++)
        if (design->events[i].parameter_count > most)
            most = design->events[i].parameter_count;
    for (uint32_t i = 0; i < design->message_count; i++)
        if (design->messages[i].parameter_count > most)
            most = design->messages[i].parameter_count;
    COR_TRY(cor_made(reporter->open = cor_calloc(design->plan_count, sizeof *reporter->open), error));
    if (design->field_count + 1 > most)
        most = design->field_count + 1; /* a row */
    COR_TRY(cor_made(reporter->arguments = cor_calloc(most, sizeof *reporter->arguments), error));
    return make_intention(reporter, 0);
}

void agents__reporter_fini(struct agents__reporter *reporter) {
    COR_FREE(reporter->open, reporter->arguments);
    for (uint32_t i = 0; i < reporter->intentions_made; i++)
        free(reporter->intentions[i].levels);
    COR_FREE(reporter->intentions, reporter->ready);
    *reporter = (struct agents__reporter){0};
}

void agents__report_end(struct agents__reporter *reporter, enum cor_trace_end end) {
    if (reporter->is_over)
        return;
    for (uint32_t i = 1; i < reporter->intention_count && end == COR_TRACE_END_QUIET; i++)
        if (!reporter->intentions[i].is_done) {
            agents__report_garbled(reporter, "all is quiet, but intention %" PRIu32 " is not done", i);
            return;
        }
    reporter->trace->end = end;
    reporter->is_over = true;
    if (end != COR_TRACE_END_STEPS && end != COR_TRACE_END_ROUNDS)
        return;
    /* The plan that a limit has ended: of several intentions that of the one with most steps. */
    uint32_t most = reporter->now;
    at_hand(reporter)->open = reporter->trace->open;
    for (uint32_t i = 0; i < reporter->intention_count; i++)
        if (reporter->intentions[i].steps > reporter->intentions[most].steps)
            most = i;
    reporter->trace->open = reporter->intentions[most].open;
}

void agents__make_printable(char *text) {
    for (; *text; text++)
        if ((unsigned char)*text < ' ' || (unsigned char)*text > '~')
            *text = '?';
}

bool agents__report_garbled(struct agents__reporter *reporter, const char *format, ...) {
    if (reporter->is_over)
        return false;
    agents__report_end(reporter, COR_TRACE_END_GARBLED);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reporter->trace->garbled, sizeof reporter->trace->garbled, format, arguments);
    va_end(arguments);
    agents__make_printable(reporter->trace->garbled);
    return false;
}

/* What a function of trace.h gave. */
static bool noted(struct agents__reporter *reporter, enum cor_status status) {
    if (status == COR_OK)
        return true;
    reporter->status = status;
    agents__report_end(reporter, COR_TRACE_END_GARBLED);
    return false;
}

/* Is there room for one more event, with so many values? */
static bool has_room(struct agents__reporter *reporter, uint32_t values) {
    const struct cor_trace *trace = reporter->trace;
    if (reporter->is_over)
        return false;
    if (at_hand(reporter)->is_done)
        return agents__report_garbled(
            reporter, "intention %" PRIu32 " goes on, but is done: another is to be given its turn",
            reporter->now);
    if (trace->event_count < AGENTS__EVENTS_MOST && values <= AGENTS__VALUES_MOST - trace->value_count)
        return true;
    return agents__report_garbled(reporter, "more is reported than %u things in one case",
                                  AGENTS__EVENTS_MOST);
}

/* Looks a name up, that of what was `said`. */
static bool find(struct agents__reporter *reporter, enum cor_design_name what, const char *said,
                 const char *name, uint32_t *index) {
    static const char *const whats[] = {"type", "belief set", "event", "message", "action", "plan"};
    if (!name)
        return agents__report_garbled(reporter, "%s: a name is missing, of the %s", said, whats[what]);
    *index = cor_design_find(reporter->design, what, name);
    if (*index != COR_NONE)
        return true;
    return agents__report_garbled(reporter, "%s \"%.80s\": the design has no such %s", said, name,
                                  whats[what]);
}

/* The plan that `said` something is the one at work. */
static bool is_at_work(struct agents__reporter *reporter, const char *said, const char *by) {
    uint32_t plan;
    if (!find(reporter, COR_NAME_PLAN, said, by, &plan))
        return false;
    const struct cor_design_plan *plans = reporter->design->plans;
    const uint32_t working = level_at_hand(reporter)->plan;
    if (working == COR_NONE)
        return agents__report_garbled(reporter, "%s by plan \"%s\", which has not started", said,
                                      plans[plan].name);
    if (plan != working)
        return agents__report_garbled(reporter, "%s by plan \"%s\", but the plan at work is \"%s\"", said,
                                      plans[plan].name, plans[working].name);
    return true;
}

void agents__reporter_begin(struct agents__reporter *reporter, const struct cor_agent_case *asked,
                            struct cor_trace *trace) {
    struct agents__intention *first = &reporter->intentions[0];
    for (; first->depth > 0; first->depth--)
        reporter->open[first->levels[first->depth].plan] = 0;
    first->levels[0] = (struct agents__level){COR_NONE, asked->event};
    first->strands = first->steps = 0;
    first->is_done = false;
    reporter->now = 0;
    reporter->intention_count = 1;
    cor_turns_begin(&reporter->turns, asked, trace);
    reporter->trace = trace;
    reporter->asked = asked;
    reporter->step_limit = asked->steps;
    reporter->round_limit = asked->rounds;
    reporter->is_over = false;
    reporter->text_size = 0;
    noted(reporter, cor_trace_posted(trace, asked->event, asked->arguments,
                                     reporter->design->events[asked->event].parameter_count, COR_POSTER_CASE,
                                     reporter->error));
}

bool agents__report_step(struct agents__reporter *reporter) {
    if (reporter->is_over)
        return false;
    if (reporter->trace->steps < reporter->step_limit) {
        reporter->trace->steps++;
        at_hand(reporter)->steps++;
        return true;
    }
    agents__report_end(reporter, COR_TRACE_END_STEPS);
    return false;
}

/* The event that a plan handles when it is looked at, or starts, now: what was posted last at this level, or,
 * where nothing was, what it is there for. */
static uint32_t event_in_hand(const struct agents__reporter *reporter, uint32_t plan) {
    uint32_t event = level_at_hand(reporter)->event;
    return event != COR_NONE ? event : reporter->design->plans[plan].trigger;
}

bool agents__report_context(struct agents__reporter *reporter, const char *plan, bool holds) {
    uint32_t index;
    return has_room(reporter, 0) && find(reporter, COR_NAME_PLAN, "context", plan, &index) &&
           noted(reporter, cor_trace_context(reporter->trace, index, event_in_hand(reporter, index), holds,
                                             reporter->error));
}

bool agents__report_started(struct agents__reporter *reporter, const char *plan) {
    uint32_t index;
    if (!has_room(reporter, 0) || !find(reporter, COR_NAME_PLAN, "started", plan, &index))
        return false;
    /* Starts of the plan that are open in the intention at hand, and around its strands. */
    uint32_t count = 0, number = reporter->now;
    while (number != 0 && number != COR_NONE) {
        const struct agents__intention *it = &reporter->intentions[number];
        for (uint32_t level = 1; level <= it->depth; level++)
            count += it->levels[level].plan == index;
        number = it->waiting;
    }
    if ((number == 0 ? count + reporter->open[index] : count) > reporter->round_limit) {
        agents__report_end(reporter, COR_TRACE_END_ROUNDS);
        return false;
    }
    if (!agents__report_step(reporter))
        return false;
    uint32_t event = event_in_hand(reporter, index);
    struct agents__intention *now = at_hand(reporter);
    if (!noted(reporter,
               COR_RESERVE(&now->levels, &now->capacity, (size_t)now->depth + 2, reporter->error)) ||
        !noted(reporter, cor_trace_started(reporter->trace, index, event, reporter->error)))
        return false;
    now->levels[++now->depth] = (struct agents__level){index, COR_NONE};
    reporter->open[index] += reporter->now == 0;
    return true;
}

bool agents__report_ended(struct agents__reporter *reporter, const char *plan, bool ok) {
    struct agents__intention *now = at_hand(reporter);
    if (!has_room(reporter, 0) || !is_at_work(reporter, "ended", plan))
        return false;
    if (now->depth == 0)
        return agents__report_garbled(reporter, "ended by plan \"%s\" within one of its strands", plan);
    if (!noted(reporter, cor_trace_ended(reporter->trace, ok, reporter->error)))
        return false;
    reporter->open[now->levels[now->depth--].plan] -= reporter->now == 0;
    return true;
}

bool agents__report_did(struct agents__reporter *reporter, const char *by, const char *action) {
    uint32_t index;
    return has_room(reporter, 0) && find(reporter, COR_NAME_ACTION, "did", action, &index) &&
           is_at_work(reporter, "did", by) &&
           noted(reporter, cor_trace_did(reporter->trace, index, reporter->error));
}

/* A text as a word: of the design, or a new one. */
static bool take_word(struct agents__reporter *reporter, const char *said, const char *text, uint32_t *word) {
    if (!text || !cor_is_printable(text))
        return agents__report_garbled(reporter, "%s: a word that is not UTF-8 without control characters",
                                      said);
    if (reporter->words)
        return noted(reporter, cor_words_intern(reporter->words, text, word, reporter->error));
    *word = cor_words_find(&reporter->design->words, text);
    if (*word < reporter->known_words)
        return true;
    size_t size = strlen(text) + 1;
    if (size > AGENTS__TEXT_MOST - reporter->text_size)
        return agents__report_garbled(reporter, "%s: more than %u bytes of words in one case", said,
                                      AGENTS__TEXT_MOST);
    memcpy(reporter->text + reporter->text_size, text, size);
    *word = reporter->text_size | AGENTS__NEW_WORD;
    reporter->text_size += (uint32_t)size;
    return true;
}

/* A value as the design has it: an integer is a real where reals are meant. What the domain has not stays as
 * it is: that is what is then found. */
static bool take_value(struct agents__reporter *reporter, const char *said, const struct cor_aut_value *given,
                       uint32_t domain, struct cor_value *value) {
    uint32_t word;
    switch (given->kind) {
    case COR_AUT_NULL:
        *value = cor_null();
        return true;
    case COR_AUT_INTEGER:
        *value = cor_integer(given->as.integer);
        cor_domain_fit(&reporter->design->domains[domain], value);
        return true;
    case COR_AUT_REAL:
        if (!isfinite(given->as.real))
            break;
        *value = cor_real(given->as.real);
        return true;
    case COR_AUT_WORD:
        if (!take_word(reporter, said, given->as.word, &word))
            return false;
        *value = cor_word(word);
        return true;
    default:
        return agents__report_garbled(reporter, "%s: a value of kind %u, which there is not", said,
                                      given->kind);
    }
    return agents__report_garbled(reporter, "%s: a real that is not finite", said);
}

/* Arguments by name, in any order, into those of what was `said`, an event or message, in its order. */
static bool take_arguments(struct agents__reporter *reporter, const char *said, const char *noun,
                           const char *name, const struct cor_design_parameter *parameters,
                           uint32_t parameter_count, const struct cor_aut_value *given, uint32_t count) {
    if (!has_room(reporter, parameter_count))
        return false;
    for (uint32_t p = 0; p < parameter_count; p++)
        reporter->arguments[p] = cor_null();
    for (uint32_t i = 0; i < count; i++) {
        uint32_t p = 0;
        while (given[i].name && p < parameter_count && strcmp(parameters[p].name, given[i].name) != 0)
            p++;
        if (!given[i].name || p == parameter_count)
            return agents__report_garbled(reporter, "%s \"%s\": the %s has no parameter \"%.80s\"", said,
                                          name, noun, given[i].name ? given[i].name : "");
        if (!take_value(reporter, said, &given[i], parameters[p].domain, &reporter->arguments[p]))
            return false;
    }
    return true;
}

bool agents__report_sent(struct agents__reporter *reporter, const char *by, const char *message,
                         const struct cor_aut_value *arguments, uint32_t count) {
    uint32_t index;
    if (!has_room(reporter, 0) || !find(reporter, COR_NAME_MESSAGE, "sent", message, &index) ||
        !is_at_work(reporter, "sent", by))
        return false;
    const struct cor_design_output *sent = &reporter->design->messages[index];
    return take_arguments(reporter, "sent", "message", sent->name, sent->parameters, sent->parameter_count,
                          arguments, count) &&
           noted(reporter, cor_trace_sent(reporter->trace, index, reporter->arguments, sent->parameter_count,
                                          reporter->error));
}

static bool report_post(struct agents__reporter *reporter, const char *by, const char *event,
                        const struct cor_aut_value *arguments, uint32_t count, bool is_aside) {
    uint32_t index;
    if (!has_room(reporter, 0) || !find(reporter, COR_NAME_EVENT, "posted", event, &index))
        return false;
    if (by && !is_at_work(reporter, "posted", by))
        return false;
    if (!by && level_at_hand(reporter)->plan == COR_NONE)
        return agents__report_garbled(reporter, "posted \"%s\" by a rule, but no plan has written anything",
                                      event);
    const struct cor_design_event *posted = &reporter->design->events[index];
    if (!take_arguments(reporter, "posted", "event", posted->name, posted->parameters,
                        posted->parameter_count, arguments, count))
        return false;
    if (by && !is_aside)
        level_at_hand(reporter)->event = index;
    return noted(reporter,
                 cor_trace_posted(reporter->trace, index, reporter->arguments, posted->parameter_count,
                                  is_aside ? COR_POSTER_ASIDE
                                  : by     ? COR_POSTER_PLAN
                                           : COR_POSTER_RULE,
                                  reporter->error));
}

bool agents__report_posted(struct agents__reporter *reporter, const char *by, const char *event,
                           const struct cor_aut_value *arguments, uint32_t count) {
    return report_post(reporter, by, event, arguments, count, false);
}

/* Another intention, which begins with that level; NULL: the case is over. */
static struct agents__intention *begin_intention(struct agents__reporter *reporter,
                                                 struct agents__level level) {
    struct cor_trace *trace = reporter->trace;
    if (reporter->intention_count == COR_INTENTIONS_MOST) {
        agents__report_end(reporter, COR_TRACE_END_STEPS);
        return NULL;
    }
    if (!noted(reporter, make_intention(reporter, reporter->intention_count)))
        return NULL;
    struct agents__intention *begun = &reporter->intentions[reporter->intention_count++];
    trace->intention_count = reporter->intention_count;
    begun->levels[0] = level;
    begun->open = trace->open;
    return begun;
}

uint32_t agents__report_aside(struct agents__reporter *reporter, const char *by, const char *event,
                              const struct cor_aut_value *arguments, uint32_t count) {
    struct cor_trace *trace = reporter->trace;
    uint32_t index;
    if (!has_room(reporter, 0) || !find(reporter, COR_NAME_PLAN, "aside", by, &index) ||
        !report_post(reporter, by, event, arguments, count, true))
        return 0;
    const uint32_t posted = trace->event_count - 1;
    struct agents__intention *begun =
        begin_intention(reporter, (struct agents__level){COR_NONE, trace->events[posted].subject});
    if (!begun)
        return 0;
    begun->posted = posted;
    return reporter->intention_count - 1;
}

uint32_t agents__report_strand(struct agents__reporter *reporter, const char *by) {
    if (!has_room(reporter, 0) || !is_at_work(reporter, "strand", by))
        return 0;
    const uint32_t plan = level_at_hand(reporter)->plan;
    struct agents__intention *begun = begin_intention(reporter, (struct agents__level){plan, COR_NONE});
    if (!begun)
        return 0;
    begun->waiting = reporter->now;
    at_hand(reporter)->strands++;
    return reporter->intention_count - 1;
}

uint32_t agents__report_turn(struct agents__reporter *reporter) {
    struct cor_trace *trace = reporter->trace;
    uint32_t count = 0, at = COR_NONE;
    if (reporter->is_over)
        return COR_AUT_NOBODY;
    for (uint32_t i = 0; i < reporter->intention_count; i++) {
        if (reporter->intentions[i].is_done || reporter->intentions[i].strands > 0)
            continue;
        if (i == reporter->now)
            at = count;
        reporter->ready[count++] = i;
    }
    if (count == 0)
        return COR_AUT_NOBODY;
    at_hand(reporter)->open = trace->open;
    const uint32_t next =
        cor_turns_next(&reporter->turns, reporter->ready, count, at == COR_NONE ? count : at);
    reporter->now = reporter->ready[next];
    cor_trace_turn(trace, reporter->now, at_hand(reporter)->open, at_hand(reporter)->posted);
    return reporter->now;
}

bool agents__report_done(struct agents__reporter *reporter) {
    struct agents__intention *now = at_hand(reporter);
    if (!has_room(reporter, 0))
        return false;
    if (now->depth > 0)
        return agents__report_garbled(
            reporter, "intention %" PRIu32 " is done, but plan \"%s\" has not ended", reporter->now,
            reporter->design->plans[now->levels[now->depth].plan].name);
    if (now->strands > 0)
        return agents__report_garbled(reporter, "intention %" PRIu32 " is done, but strands of it are not",
                                      reporter->now);
    now->is_done = true;
    if (now->waiting != COR_NONE)
        reporter->intentions[now->waiting].strands--;
    return true;
}

/* Has nothing happened yet but the case's own post, and what the agent began with? */
static bool has_just_begun(const struct cor_trace *trace) {
    const struct cor_trace_event *last = &trace->events[trace->event_count - 1];
    return trace->event_count == 1 || (last->kind == COR_TRACE_WROTE && last->plan == COR_NONE);
}

bool agents__report_wrote(struct agents__reporter *reporter, const char *by, const char *field,
                          const struct cor_aut_value *value) {
    uint32_t index;
    struct cor_value written;
    if (!has_room(reporter, 1))
        return false;
    if (!field || !value || cor_design_look_up_field(reporter->design, field, NULL, &index, NULL) != COR_OK)
        return agents__report_garbled(reporter, "wrote \"%.80s\": the design has no such field",
                                      field ? field : "");
    if (!by && !has_just_begun(reporter->trace))
        return agents__report_garbled(reporter, "wrote \"%s\" by no plan, when the case had begun", field);
    if ((by && !is_at_work(reporter, "wrote", by)) ||
        !take_value(reporter, "wrote", value, reporter->design->fields[index].domain, &written))
        return false;
    const struct cor_design_belief *belief =
        &reporter->design->beliefs[reporter->design->fields[index].belief];
    if (!belief->is_relation)
        return noted(reporter, cor_trace_wrote(reporter->trace, index, written, reporter->error));
    if (!by || reporter->design->fields[index].is_key || index >= belief->first_field + belief->row_width)
        return agents__report_garbled(reporter,
                                      "wrote \"%s\": of a relation rows are inserted and removed, and "
                                      "other fields than the key written",
                                      field);
    reporter->arguments[0] = written;
    if (!has_room(reporter, 1 + belief->key_count))
        return false;
    /* The key in scope of the plan at work: what the arguments of its event say, else the case. */
    struct cor_value *key = reporter->arguments + 1;
    const struct cor_trace *trace = reporter->trace;
    const struct cor_trace_event *started = &trace->events[trace->open];
    const struct cor_indices *keys = &reporter->design->events[started->subject].keys;
    for (uint32_t f = belief->first_field; f < belief->first_field + belief->row_width; f++) {
        if (!reporter->design->fields[f].is_key)
            continue;
        const bool is_given = f < keys->count && keys->items[f] != COR_NONE && started->value != COR_NONE;
        *key++ = is_given ? trace->values[trace->events[started->value].value + keys->items[f]]
                          : reporter->asked->beliefs[f];
    }
    return noted(reporter, cor_trace_row(reporter->trace, COR_TRACE_WROTE, index, reporter->arguments,
                                         1 + belief->key_count, reporter->error));
}

bool agents__report_row(struct agents__reporter *reporter, const char *by, const char *belief, bool inserts,
                        const struct cor_aut_value *values, uint32_t count) {
    const struct cor_design *design = reporter->design;
    const char *said = inserts ? "inserted" : "removed";
    uint32_t index, put = 0, taken = 0;
    if (!has_room(reporter, 0) || !find(reporter, COR_NAME_BELIEF, said, belief, &index) ||
        !is_at_work(reporter, said, by))
        return false;
    const struct cor_design_belief *of = &design->beliefs[index];
    if (!of->is_relation)
        return agents__report_garbled(reporter, "%s \"%s\": it is no relation", said, belief);
    for (uint32_t c = 0; c < of->row_width; c++) {
        const struct cor_design_field *field = &design->fields[of->first_field + c];
        const struct cor_aut_value *value = NULL;
        for (uint32_t v = 0; v < count && !value; v++)
            if (values[v].name && strcmp(values[v].name, field->name) == 0)
                value = &values[v];
        if (!inserts && !field->is_key)
            continue;
        if (!value)
            return agents__report_garbled(reporter, "%s \"%s\": without its \"%s\"", said, belief,
                                          field->name);
        if (!take_value(reporter, said, value, field->domain, &reporter->arguments[put++]))
            return false;
        taken++;
    }
    if (taken < count)
        return agents__report_garbled(reporter, "%s \"%s\": with more than it has", said, belief);
    return has_room(reporter, put) &&
           noted(reporter, cor_trace_row(reporter->trace, inserts ? COR_TRACE_INSERTED : COR_TRACE_REMOVED,
                                         index, reporter->arguments, put, reporter->error));
}

/* ---- what a module or a program says of itself */

void agents__identity_clear(struct agents__identity *identity, uint32_t plan_count) {
    for (uint32_t i = 0; i < identity->fault_count; i++) {
        COR_FREE(identity->faults[i].name, identity->faults[i].meaning);
    }
    COR_FREE(identity->name, identity->version);
    identity->name = identity->version = NULL;
    identity->forgets = false;
    identity->fault_count = 0;
    for (uint32_t i = 0; i < plan_count; i++)
        identity->triggers[i] = COR_NONE;
}

enum cor_status agents__identity_add_fault(struct agents__identity *identity, const char *name,
                                           const char *meaning, struct cor_error *error) {
    COR_TRY(
        COR_RESERVE(&identity->faults, &identity->fault_capacity, (size_t)identity->fault_count + 1, error));
    struct agents__fault_text *fault = &identity->faults[identity->fault_count++];
    fault->name = cor_strdup(name);
    fault->meaning = cor_strdup(meaning);
    return fault->name && fault->meaning ? COR_OK : cor_fail_memory(error);
}

void agents__identity_wire(struct agents__identity *identity, const struct cor_design *design,
                           const char *plan, const char *event) {
    uint32_t index = cor_design_find(design, COR_NAME_PLAN, plan);
    uint32_t trigger = event ? cor_design_find(design, COR_NAME_EVENT, event) : COR_AUT_NOT_YET;
    if (index != COR_NONE && identity->triggers[index] != design->plans[index].trigger)
        identity->triggers[index] = trigger;
}

enum cor_status agents__identity_has_fault(const struct agents__identity *identity, const char *fault,
                                           const char *place, struct cor_error *error) {
    if (!fault || strcmp(fault, "none") == 0)
        return COR_OK;
    COR_FREED const char **names = cor_calloc((size_t)identity->fault_count + 2, sizeof *names);
    COR_TRY(cor_made(names, error));
    names[0] = "none";
    bool has = false;
    for (uint32_t i = 0; i < identity->fault_count; i++) {
        names[i + 1] = identity->faults[i].name;
        has = has || strcmp(names[i + 1], fault) == 0;
    }
    char known[1024];
    cor_known_names(fault, names, known, sizeof known);
    return has ? COR_OK
               : cor_fail(error, COR_STATUS_INPUT, place, known, "agent \"%s\" has no fault \"%s\"",
                          identity->name ? identity->name : "", fault);
}
