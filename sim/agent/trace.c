/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "push.h"

#include <corridor/array.h>
#include <corridor/rows.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum cor_status cor_rows_init(struct cor_rows *rows, const struct cor_design *design,
                              struct cor_error *error) {
    *rows = (struct cor_rows){.design = design, .sets = cor_calloc(design->belief_count, sizeof *rows->sets)};
    return cor_made(rows->sets, error);
}

void cor_rows_fini(struct cor_rows *rows) {
    for (uint32_t b = 0; rows->sets && b < rows->design->belief_count; b++)
        free(rows->sets[b].values);
    free(rows->sets);
    rows->sets = NULL;
}

static const struct cor_design_belief *belief_of(const struct cor_rows *rows, uint32_t belief) {
    return &rows->design->beliefs[belief];
}

static const struct cor_design_field *field_of(const struct cor_rows *rows, uint32_t belief,
                                               uint32_t column) {
    return &rows->design->fields[belief_of(rows, belief)->first_field + column];
}

void cor_rows_key(const struct cor_design *design, uint32_t belief, const struct cor_value *row,
                  struct cor_value *keys) {
    const struct cor_design_belief *of = &design->beliefs[belief];
    for (uint32_t c = 0; c < of->row_width; c++)
        if (design->fields[of->first_field + c].is_key)
            *keys++ = row[c];
}

static bool has_key(const struct cor_rows *rows, uint32_t belief, const struct cor_value *row,
                    const struct cor_value *keys) {
    for (uint32_t c = 0; c < belief_of(rows, belief)->row_width; c++)
        if (field_of(rows, belief, c)->is_key && !cor_value_equal(row[c], *keys++))
            return false;
    return true;
}

struct cor_value *cor_rows_find(const struct cor_rows *rows, uint32_t belief, const struct cor_value *keys) {
    const uint32_t width = belief_of(rows, belief)->row_width;
    const struct cor_row_set *set = &rows->sets[belief];
    for (uint32_t r = 0; r < set->count; r++)
        if (has_key(rows, belief, set->values + (size_t)r * width, keys))
            return set->values + (size_t)r * width;
    return NULL;
}

/* Room for another row, behind the last. */
static enum cor_status append(struct cor_rows *rows, uint32_t belief, struct cor_value **row,
                              struct cor_error *error) {
    const uint32_t width = belief_of(rows, belief)->row_width;
    struct cor_row_set *set = &rows->sets[belief];
    COR_TRY(COR_RESERVE(&set->values, &set->capacity, ((size_t)set->count + 1) * width, error));
    *row = set->values + (size_t)set->count++ * width;
    return COR_OK;
}

/* Does the row have the key of the other? */
static struct cor_value *find_like(const struct cor_rows *rows, uint32_t belief,
                                   const struct cor_value *row) {
    const uint32_t width = belief_of(rows, belief)->row_width;
    const struct cor_row_set *set = &rows->sets[belief];
    for (uint32_t r = 0; r < set->count; r++) {
        struct cor_value *it = set->values + (size_t)r * width;
        bool is_like = true;
        for (uint32_t c = 0; c < width && is_like; c++)
            is_like = !field_of(rows, belief, c)->is_key || cor_value_equal(it[c], row[c]);
        if (is_like)
            return it;
    }
    return NULL;
}

enum cor_status cor_rows_insert(struct cor_rows *rows, uint32_t belief, const struct cor_value *row,
                                struct cor_error *error) {
    struct cor_value *into = find_like(rows, belief, row);
    if (!into)
        COR_TRY(append(rows, belief, &into, error));
    memcpy(into, row, belief_of(rows, belief)->row_width * sizeof *row);
    return COR_OK;
}

void cor_rows_remove(struct cor_rows *rows, uint32_t belief, const struct cor_value *keys) {
    const uint32_t width = belief_of(rows, belief)->row_width;
    struct cor_row_set *set = &rows->sets[belief];
    struct cor_value *row = cor_rows_find(rows, belief, keys);
    if (!row)
        return;
    struct cor_value *behind = row + width, *end = set->values + (size_t)set->count * width;
    memmove(row, behind, (size_t)(end - behind) * sizeof *row);
    set->count--;
}

/* A key of another row: the first integer of the key is `by` further. */
static void move_key(const struct cor_rows *rows, uint32_t belief, uint32_t by, struct cor_value *row) {
    for (uint32_t c = 0; c < belief_of(rows, belief)->row_width; c++) {
        const struct cor_design_field *field = field_of(rows, belief, c);
        if (!field->is_key || field->domain != COR_DOMAIN_INTEGER || row[c].kind != COR_VALUE_INTEGER)
            continue;
        row[c].as.integer += row[c].as.integer > INT64_MAX - COR_ROWS_MOST ? -(int64_t)by : (int64_t)by;
        return;
    }
}

static enum cor_status begin_set(struct cor_rows *rows, uint32_t belief, const struct cor_value *slots,
                                 struct cor_error *error) {
    const struct cor_design_belief *of = belief_of(rows, belief);
    const struct cor_value *scope = slots + of->first_field;
    const bool exists = scope[of->row_width].as.integer != 0;
    const uint32_t count = (uint32_t)scope[of->row_width + 1].as.integer;
    rows->sets[belief].count = 0;
    for (uint32_t r = 0; r < count; r++) {
        const uint32_t by = exists ? r : r + 1;
        struct cor_value *row;
        COR_TRY(append(rows, belief, &row, error));
        for (uint32_t c = 0; c < of->row_width; c++) {
            const struct cor_design_field *field = field_of(rows, belief, c);
            row[c] = field->is_key || by == 0 ? scope[c] : field->start;
        }
        move_key(rows, belief, by, row);
    }
    return COR_OK;
}

enum cor_status cor_rows_begin(struct cor_rows *rows, uint32_t event, const struct cor_value *fields,
                               const struct cor_value *arguments, struct cor_error *error) {
    const struct cor_design *design = rows->design;
    enum cor_status status = COR_OK;
    if (design->relation_count == 0)
        return COR_OK;
    COR_FREED struct cor_value *slots = cor_calloc(cor_design_slot_count(design, event), sizeof *slots);
    COR_TRY(cor_made(slots, error));
    cor_design_view(design, event, fields, arguments, slots);
    for (uint32_t b = 0; b < design->belief_count && status == COR_OK; b++)
        if (design->beliefs[b].is_relation)
            status = begin_set(rows, b, slots, error);
    return status;
}

void cor_rows_view(const struct cor_rows *rows, struct cor_value *slots) {
    const struct cor_design *design = rows->design;
    for (uint32_t b = 0; design->relation_count > 0 && b < design->belief_count; b++) {
        const struct cor_design_belief *of = &design->beliefs[b];
        if (!of->is_relation)
            continue;
        struct cor_value *scope = slots + of->first_field;
        const struct cor_value *row = find_like(rows, b, scope);
        for (uint32_t c = 0; c < of->row_width; c++)
            if (!field_of(rows, b, c)->is_key)
                scope[c] = row ? row[c] : field_of(rows, b, c)->start;
        scope[of->row_width] = cor_integer(row != NULL);
        scope[of->row_width + 1] = cor_integer(rows->sets[b].count);
    }
}

bool cor_rows_equal(const struct cor_rows *a, const struct cor_rows *b, uint32_t belief) {
    const uint32_t width = belief_of(a, belief)->row_width;
    if (a->sets[belief].count != b->sets[belief].count)
        return false;
    for (uint32_t r = 0; r < a->sets[belief].count; r++) {
        const struct cor_value *row = a->sets[belief].values + (size_t)r * width;
        const struct cor_value *other = find_like(b, belief, row);
        for (uint32_t c = 0; c < width; c++)
            if (!other || !cor_value_equal(row[c], other[c]))
                return false;
    }
    return true;
}

/* ---- trace */

void cor_trace_init(struct cor_trace *trace) {
    *trace = (struct cor_trace){.open = COR_NONE, .intention_count = 1, .posted = COR_NONE};
}

void cor_trace_fini(struct cor_trace *trace) {
    COR_FREE(trace->events, trace->values, trace->turns);
    cor_trace_init(trace);
}

void cor_trace_clear(struct cor_trace *trace) {
    trace->event_count = trace->value_count = trace->steps = trace->turn_count = 0;
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

/* Something of the open plan, with values. */
static enum cor_status push_values(struct cor_trace *trace, enum cor_trace_kind kind, uint8_t flag,
                                   uint32_t subject, const struct cor_value *values, uint32_t count,
                                   struct cor_error *error) {
    COR_TRY(agent__reserve_values(trace, count, error));
    COR_TRY(agent__push(trace, kind, flag, cor_trace_open_plan(trace), subject, trace->open,
                        trace->value_count, error));
    for (uint32_t v = 0; v < count; v++)
        trace->values[trace->value_count++] = values[v];
    return COR_OK;
}

enum cor_status cor_trace_posted(struct cor_trace *trace, uint32_t event, const struct cor_value *arguments,
                                 uint32_t argument_count, enum cor_poster poster, struct cor_error *error) {
    return push_values(trace, COR_TRACE_POSTED, (uint8_t)poster, event, arguments, argument_count, error);
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

enum cor_status cor_trace_sent(struct cor_trace *trace, uint32_t message, const struct cor_value *arguments,
                               uint32_t argument_count, struct cor_error *error) {
    return push_values(trace, COR_TRACE_SENT, 0, message, arguments, argument_count, error);
}

enum cor_status cor_trace_did(struct cor_trace *trace, uint32_t action, struct cor_error *error) {
    return agent__push(trace, COR_TRACE_DID, 0, cor_trace_open_plan(trace), action, trace->open, 0, error);
}

enum cor_status cor_trace_wrote(struct cor_trace *trace, uint32_t field, struct cor_value value,
                                struct cor_error *error) {
    return push_values(trace, COR_TRACE_WROTE, 0, field, &value, 1, error);
}

enum cor_status cor_trace_row(struct cor_trace *trace, enum cor_trace_kind kind, uint32_t subject,
                              const struct cor_value *values, uint32_t count, struct cor_error *error) {
    return push_values(trace, kind, 0, subject, values, count, error);
}

uint32_t cor_trace_value_count(const struct cor_design *design, const struct cor_trace_event *event) {
    switch (event->kind) {
    case COR_TRACE_POSTED:
        return design->events[event->subject].parameter_count;
    case COR_TRACE_SENT:
        return design->messages[event->subject].parameter_count;
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
static const struct cor_design_field *field_of_trace(const struct cor_design *design,
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
    const uint32_t domain =
        event->kind == COR_TRACE_POSTED ? design->events[event->subject].parameters[index].domain
        : event->kind == COR_TRACE_SENT ? design->messages[event->subject].parameters[index].domain
                                        : field_of_trace(design, event, index)->domain;
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
        const struct cor_design_field *field = field_of_trace(design, event, v);
        fprintf(out, "%s%s=", v > first ? ", " : "", field->name);
        put_value(out, design, field->domain, trace->values[event->value + v]);
    }
}

/* "Book=7, Copies=1)". */
static void put_arguments(FILE *out, const struct cor_design *design,
                          const struct cor_design_parameter *parameters, uint32_t count,
                          const struct cor_value *arguments) {
    for (uint32_t p = 0; p < count; p++) {
        fprintf(out, "%s%s=", p > 0 ? ", " : "", parameters[p].name);
        put_value(out, design, parameters[p].domain, arguments[p]);
    }
    fputc(')', out);
}

static void put_post(FILE *out, const struct cor_design *design, const struct cor_trace *trace,
                     const struct cor_trace_event *post) {
    const struct cor_design_event *event = &design->events[post->subject];
    fprintf(out, "posted %s(", event->name);
    put_arguments(out, design, event->parameters, event->parameter_count, trace->values + post->value);
    fputs(post->flag == COR_POSTER_RULE    ? " by a rule"
          : post->flag == COR_POSTER_ASIDE ? " and goes on"
                                           : "",
          out);
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
    COR_FREED char *text = NULL;
    size_t size;
    COR_FREED uint32_t *depths = cor_calloc(trace->event_count, sizeof *depths);
    FILE *out = depths ? open_memstream(&text, &size) : NULL;
    for (uint32_t i = 0; out && i < trace->event_count; i++) {
        depths[i] = depth_of(trace, depths, i);
        if (trace->intention_count > 1)
            fprintf(out, "%3u ", trace->events[i].intention);
        fprintf(out, "%*s", (int)(2 * (depths[i] < DEPTH_SHOWN ? depths[i] : DEPTH_SHOWN)), "");
        const struct cor_trace_event *event = &trace->events[i];
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
            if (cor_trace_value_count(design, event) > 0) {
                fputc('(', out);
                put_arguments(out, design, design->messages[event->subject].parameters,
                              cor_trace_value_count(design, event), trace->values + event->value);
            }
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
    if (out) {
        fprintf(out, "%s after %u step%s", cor_term_word(COR_FAMILY_TRACE_END, (int)trace->end), trace->steps,
                trace->steps == 1 ? "" : "s");
        if (trace->garbled[0])
            fprintf(out, ": %s", trace->garbled);
        fputc('\n', out);
    }
    if (out && fclose(out) == 0)
        return cor_taken(&text);
    return NULL;
}
