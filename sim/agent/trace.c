/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "push.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void cor_trace_init(struct cor_trace *trace) {
    *trace = (struct cor_trace){.open = COR_NONE, .intention_count = 1, .posted = COR_NONE};
}

void cor_trace_fini(struct cor_trace *trace) {
    free(trace->events);
    free(trace->values);
    cor_trace_init(trace);
}

void cor_trace_clear(struct cor_trace *trace) {
    trace->event_count = trace->value_count = trace->steps = 0;
    trace->end = (enum cor_trace_end)0;
    trace->open = trace->posted = COR_NONE;
    trace->intention = 0;
    trace->intention_count = 1;
    trace->garbled[0] = '\0';
}

/* The last post of the event by the plan that is open, COR_NONE: none. Of several intentions each looks at
 * its own, and at the beginning at what it is there for. */
static uint32_t last_post(const struct cor_trace *trace, uint32_t event) {
    uint32_t first = trace->open == COR_NONE ? 0 : trace->open + 1;
    for (uint32_t i = trace->event_count; i > first; i--) {
        const struct cor_trace_event *at = &trace->events[i - 1];
        if (at->intention != trace->intention)
            continue;
        if (at->kind == COR_TRACE_POSTED && at->subject == event && at->parent == trace->open &&
            at->flag != COR_POSTER_RULE && at->flag != COR_POSTER_ASIDE)
            return i - 1;
        bool answers = at->kind == COR_TRACE_CONTEXT || at->kind == COR_TRACE_STARTED;
        if (answers && at->subject == event && at->parent == trace->open)
            return at->value; /* found before, and nothing was posted since */
    }
    if (trace->posted != COR_NONE && trace->events[trace->posted].subject == event &&
        trace->events[trace->posted].parent == trace->open)
        return trace->posted;
    return COR_NONE;
}

enum cor_status cor_trace_posted(struct cor_trace *trace, uint32_t event, const struct cor_value *arguments,
                                 uint32_t argument_count, enum cor_poster poster, struct cor_error *error) {
    COR_TRY(agent__reserve_values(trace, argument_count, error));
    COR_TRY(agent__push(trace, COR_TRACE_POSTED, (uint8_t)poster, cor_trace_open_plan(trace), event,
                        trace->open, trace->value_count, error));
    for (uint32_t a = 0; a < argument_count; a++)
        trace->values[trace->value_count++] = arguments[a];
    return COR_OK;
}

enum cor_status cor_trace_context(struct cor_trace *trace, uint32_t plan, uint32_t event, bool holds,
                                  struct cor_error *error) {
    return agent__push(trace, COR_TRACE_CONTEXT, holds, plan, event, trace->open, last_post(trace, event),
                       error);
}

enum cor_status cor_trace_started(struct cor_trace *trace, uint32_t plan, uint32_t event,
                                  struct cor_error *error) {
    uint32_t at = trace->event_count;
    COR_TRY(
        agent__push(trace, COR_TRACE_STARTED, 0, plan, event, trace->open, last_post(trace, event), error));
    trace->open = at;
    return COR_OK;
}

enum cor_status cor_trace_ended(struct cor_trace *trace, bool completed, struct cor_error *error) {
    COR_ASSERT(trace->open != COR_NONE);
    const struct cor_trace_event started = trace->events[trace->open];
    COR_TRY(
        agent__push(trace, COR_TRACE_ENDED, completed, started.plan, started.subject, trace->open, 0, error));
    trace->open = started.parent;
    return COR_OK;
}

enum cor_status cor_trace_sent(struct cor_trace *trace, uint32_t message, struct cor_error *error) {
    return agent__push(trace, COR_TRACE_SENT, 0, cor_trace_open_plan(trace), message, trace->open, 0, error);
}

enum cor_status cor_trace_did(struct cor_trace *trace, uint32_t action, struct cor_error *error) {
    return agent__push(trace, COR_TRACE_DID, 0, cor_trace_open_plan(trace), action, trace->open, 0, error);
}

enum cor_status cor_trace_wrote(struct cor_trace *trace, uint32_t field, struct cor_value value,
                                struct cor_error *error) {
    COR_TRY(agent__reserve_values(trace, 1, error));
    COR_TRY(agent__push(trace, COR_TRACE_WROTE, 0, cor_trace_open_plan(trace), field, trace->open,
                        trace->value_count, error));
    trace->values[trace->value_count++] = value;
    return COR_OK;
}

enum cor_status cor_trace_row(struct cor_trace *trace, enum cor_trace_kind kind, uint32_t subject,
                              const struct cor_value *values, uint32_t count, struct cor_error *error) {
    COR_TRY(agent__reserve_values(trace, count, error));
    COR_TRY(agent__push(trace, kind, 0, cor_trace_open_plan(trace), subject, trace->open, trace->value_count,
                        error));
    for (uint32_t v = 0; v < count; v++)
        trace->values[trace->value_count++] = values[v];
    return COR_OK;
}

uint32_t cor_trace_value_count(const struct cor_design *design, const struct cor_trace_event *event) {
    switch (event->kind) {
    case COR_TRACE_POSTED:
        return design->events[event->subject].parameter_count;
    case COR_TRACE_INSERTED:
        return design->beliefs[event->subject].row_width;
    case COR_TRACE_REMOVED:
        return design->beliefs[event->subject].key_count;
    case COR_TRACE_WROTE:
        return 1 + design->beliefs[design->fields[event->subject].belief].key_count;
    default:
        return 0;
    }
}

/* Key `index` of a belief set, as one of the fields. */
static const struct cor_design_field *key_of(const struct cor_design *design, uint32_t belief,
                                             uint32_t index) {
    const struct cor_design_field *field = &design->fields[design->beliefs[belief].first_field];
    while (!field->is_key || index-- > 0)
        field++;
    return field;
}

/* What value `index` of an event that is no post is a value of. */
static const struct cor_design_field *field_of(const struct cor_design *design,
                                               const struct cor_trace_event *event, uint32_t index) {
    const struct cor_design_field *fields = design->fields;
    if (event->kind == COR_TRACE_INSERTED)
        return &fields[design->beliefs[event->subject].first_field + index];
    if (event->kind == COR_TRACE_REMOVED)
        return key_of(design, event->subject, index);
    return index == 0 ? &fields[event->subject] : key_of(design, fields[event->subject].belief, index - 1);
}

const struct cor_domain *cor_trace_value_domain(const struct cor_design *design,
                                                const struct cor_trace_event *event, uint32_t index) {
    const uint32_t domain = event->kind == COR_TRACE_POSTED
                                ? design->events[event->subject].parameters[index].domain
                                : field_of(design, event, index)->domain;
    return &design->domains[domain];
}

bool cor_trace_equal(const struct cor_trace *a, const struct cor_trace *b) {
    bool equal = a->event_count == b->event_count && a->value_count == b->value_count && a->end == b->end &&
                 a->steps == b->steps && strcmp(a->garbled, b->garbled) == 0;
    for (uint32_t i = 0; equal && i < a->event_count; i++) {
        const struct cor_trace_event *x = &a->events[i], *y = &b->events[i];
        equal = x->kind == y->kind && x->flag == y->flag && x->plan == y->plan && x->subject == y->subject &&
                x->parent == y->parent && x->value == y->value && x->intention == y->intention;
    }
    for (uint32_t i = 0; equal && i < a->value_count; i++)
        equal = cor_value_equal(a->values[i], b->values[i]);
    return equal;
}

static void put_value(FILE *out, const struct cor_design *design, uint32_t domain, struct cor_value value) {
    char text[600];
    cor_value_text(value, &design->domains[domain], &design->words, text, sizeof text);
    fputs(text, out);
}

/* "Book=7, Copies=1". */
static void put_row(FILE *out, const struct cor_design *design, const struct cor_trace *trace,
                    const struct cor_trace_event *event, uint32_t first) {
    for (uint32_t v = first; v < cor_trace_value_count(design, event); v++) {
        const struct cor_design_field *field = field_of(design, event, v);
        fprintf(out, "%s%s=", v > first ? ", " : "", field->name);
        put_value(out, design, field->domain, trace->values[event->value + v]);
    }
}

static void put_post(FILE *out, const struct cor_design *design, const struct cor_trace *trace,
                     const struct cor_trace_event *post) {
    const struct cor_design_event *event = &design->events[post->subject];
    fprintf(out, "posted %s(", event->name);
    for (uint32_t p = 0; p < event->parameter_count; p++) {
        fprintf(out, "%s%s=", p > 0 ? ", " : "", event->parameters[p].name);
        put_value(out, design, event->parameters[p].domain, trace->values[post->value + p]);
    }
    fputs(post->flag == COR_POSTER_RULE    ? ") by a rule"
          : post->flag == COR_POSTER_ASIDE ? ") and goes on"
                                           : ")",
          out);
}

static void put_event(FILE *out, const struct cor_design *design, const struct cor_trace *trace,
                      const struct cor_trace_event *event) {
    switch ((enum cor_trace_kind)event->kind) {
    case COR_TRACE_POSTED:
        put_post(out, design, trace, event);
        break;
    case COR_TRACE_CONTEXT:
        fprintf(out, "context of %s %s", design->plans[event->plan].name,
                event->flag ? "holds" : "does not hold");
        break;
    case COR_TRACE_STARTED:
        fprintf(out, "started %s", design->plans[event->plan].name);
        break;
    case COR_TRACE_ENDED:
        fprintf(out, "%s %s", event->flag ? "completed" : "failed", design->plans[event->plan].name);
        break;
    case COR_TRACE_SENT:
        fprintf(out, "sent %s", design->messages[event->subject].name);
        break;
    case COR_TRACE_DID:
        fprintf(out, "did %s", design->actions[event->subject].name);
        break;
    case COR_TRACE_WROTE:
        fprintf(out, "wrote %s = ", design->fields[event->subject].full_name);
        put_value(out, design, design->fields[event->subject].domain, trace->values[event->value]);
        if (cor_trace_value_count(design, event) > 1)
            fputs(" of ", out);
        put_row(out, design, trace, event, 1);
        break;
    case COR_TRACE_INSERTED:
    case COR_TRACE_REMOVED:
        fprintf(out, "%s %s(", event->kind == COR_TRACE_INSERTED ? "inserted" : "removed",
                design->beliefs[event->subject].name);
        put_row(out, design, trace, event, 0);
        fputc(')', out);
        break;
    }
    fputc('\n', out);
}

enum { DEPTH_SHOWN = 40 };

/* What happens in a plan stands one deeper than its start, contexts and starts one deeper than their post. */
static uint32_t depth_of(const struct cor_trace *trace, const uint32_t *depths, uint32_t index) {
    const struct cor_trace_event *event = &trace->events[index];
    bool answers = event->kind == COR_TRACE_CONTEXT || event->kind == COR_TRACE_STARTED;
    if (answers && event->value != COR_NONE)
        return depths[event->value] + 1;
    if (event->kind == COR_TRACE_ENDED)
        return depths[event->parent];
    return event->parent == COR_NONE ? 0 : depths[event->parent] + 1;
}

char *cor_trace_print(const struct cor_design *design, const struct cor_trace *trace) {
    char *text = NULL;
    size_t size;
    uint32_t *depths = cor_calloc(trace->event_count, sizeof *depths);
    FILE *out = depths ? open_memstream(&text, &size) : NULL;
    for (uint32_t i = 0; out && i < trace->event_count; i++) {
        depths[i] = depth_of(trace, depths, i);
        if (trace->intention_count > 1)
            fprintf(out, "%3u ", trace->events[i].intention);
        fprintf(out, "%*s", (int)(2 * (depths[i] < DEPTH_SHOWN ? depths[i] : DEPTH_SHOWN)), "");
        put_event(out, design, trace, &trace->events[i]);
    }
    if (out) {
        fprintf(out, "%s after %u step%s", cor_term_word(COR_FAMILY_TRACE_END, (int)trace->end), trace->steps,
                trace->steps == 1 ? "" : "s");
        if (trace->garbled[0])
            fprintf(out, ": %s", trace->garbled);
        fputc('\n', out);
    }
    free(depths);
    if (out && fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}
