/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit_rows.h"

#include <corridor/array.h>
#include <corridor/hash.h>

#include <stdlib.h>
#include <string.h>

void agent_layer__rows_fini(struct agent_layer__unit_rows *rows) {
    free(rows->class_cases);
    rows->class_cases = NULL;
}

/* A row of that table, its type said by the caller; NULL with the error set. */
#define ROW(rows, table, error) cor_record_row((rows)->record, COR_AGENT_TABLE_##table, (error))

/* Codes of catalog/name. */
static uint16_t code_of(uint16_t first, uint32_t index) {
    return index == COR_NONE ? 0 : (uint16_t)(first + index);
}

static uint16_t slot_code(const struct agent_layer__unit_rows *rows, uint32_t event, uint32_t slot) {
    const struct cor_name_codes *codes = rows->codes;
    uint32_t fields = rows->file->design->field_count;
    return slot < fields ? code_of(codes->field, slot)
                         : codes->parameters[codes->first_parameter[event] + slot - fields];
}

static uint8_t kind_of(const struct agent_layer__unit_rows *rows, uint32_t domain, struct cor_value value) {
    bool truth = rows->file->design->domains[domain].type == COR_VALUE_TYPE_BOOLEAN;
    return (uint8_t)(truth && value.kind == COR_VALUE_INTEGER ? COR_VALUE_KIND_TRUTH
                                                              : value.kind + COR_VALUE_KIND_NULL);
}

/* A value as a number. */
static double number_of(const struct agent_layer__unit_rows *rows, struct cor_value value) {
    switch ((enum cor_value_kind)value.kind) {
    case COR_VALUE_NULL:
        break;
    case COR_VALUE_INTEGER:
        return (double)value.as.integer;
    case COR_VALUE_REAL:
        return value.as.real;
    case COR_VALUE_WORD:
        return value.as.word < rows->codes->word_count ? value.as.word : COR_AGENT_OTHER_WORD;
    }
    return 0;
}

static enum cor_status put_members(struct agent_layer__unit_rows *rows, uint32_t number,
                                   struct cor_error *error) {
    const struct cor_unit_order *order = &rows->file->order;
    const struct cor_unit *unit = &order->units.units[number];
    const uint32_t *members = cor_unit_members(&order->units, unit);
    for (uint32_t m = 0; m < unit->member_count; m++) {
        struct cor_agent_member_row *row = ROW(rows, MEMBERS, error);
        COR_TRY(row ? COR_OK : COR_STATUS_MEMORY);
        row->plan = code_of(rows->codes->plan, members[m]);
    }
    for (uint32_t d = order->dependency_start[number]; d < order->dependency_start[number + 1]; d++) {
        struct cor_agent_need_row *row = ROW(rows, NEEDS, error);
        COR_TRY(row ? COR_OK : COR_STATUS_MEMORY);
        row->unit = (uint16_t)order->dependencies[d];
    }
    return COR_OK;
}

enum cor_status agent_layer__rows_begin(struct agent_layer__unit_rows *rows,
                                        const struct cor_unit_cases *cases, uint32_t repetition,
                                        struct cor_error *error) {
    const struct cor_unit *unit = &rows->file->order.units.units[cases->unit];
    rows->class_cases = cor_calloc(cases->class_count, sizeof *rows->class_cases);
    COR_TRY(cor_made(rows->class_cases, error));
    struct cor_agent_unit_row *row = ROW(rows, UNITS, error);
    COR_TRY(row ? COR_OK : COR_STATUS_MEMORY);
    row->unit = (uint16_t)cases->unit;
    row->repetition = repetition;
    row->kind = (uint8_t)unit->kind;
    row->event = unit->kind == COR_UNIT_KIND_EVENT ? code_of(rows->codes->event, unit->event) : 0;
    row->depth = unit->depth;
    row->members = unit->member_count;
    row->combinations = cases->combinations;
    row->valid = cases->valid;
    row->invalid_single = cases->invalid_single;
    row->seed = rows->seed;
    return put_members(rows, cases->unit, error);
}

void agent_layer__rows_count_classes(struct agent_layer__unit_rows *rows, const struct cor_unit_cases *cases,
                                     const struct cor_case_values *values) {
    if (values->own)
        return;
    for (uint32_t v = 0; v < cases->entries[values->entry].variable_count; v++)
        if (values->classes[v] != COR_NONE)
            rows->class_cases[values->classes[v]]++;
}

enum cor_status agent_layer__rows_put_trial(struct agent_layer__unit_rows *rows,
                                            const struct cor_unit_cases *cases,
                                            const struct cor_judged_case *judged, bool own,
                                            const struct cor_trace *trace, uint64_t hash,
                                            struct cor_error *error) {
    struct cor_agent_trial_row *row = ROW(rows, TRIALS, error);
    COR_TRY(row ? COR_OK : COR_STATUS_MEMORY);
    row->case_ = judged->index;
    row->event = code_of(rows->codes->event, judged->asked->event);
    row->valid = judged->valid;
    row->applicable = judged->applicable;
    row->own = own;
    row->end = (uint8_t)trace->end;
    row->steps = trace->steps;
    row->events = trace->event_count;
    row->trace_hash = hash;
    /* Values of the variables of the entry that posts the event. */
    const struct cor_agent_case *asked = judged->asked;
    uint32_t fields = rows->file->design->field_count, e = 0;
    while (e < cases->entry_count && cases->entries[e].event != asked->event)
        e++;
    for (uint32_t v = 0; e < cases->entry_count && v < cases->entries[e].variable_count; v++) {
        const struct cor_unit_variable *variable = &cases->variables[cases->entries[e].first_variable + v];
        uint32_t slot = variable->slot;
        struct cor_value value = slot < fields ? asked->beliefs[slot] : asked->arguments[slot - fields];
        struct cor_agent_input_row *it = ROW(rows, INPUTS, error);
        COR_TRY(it ? COR_OK : COR_STATUS_MEMORY);
        it->case_ = judged->index;
        it->variable = slot_code(rows, asked->event, slot);
        it->kind = kind_of(rows, variable->domain, value);
        it->value = number_of(rows, value);
    }
    return COR_OK;
}

static enum cor_status put_classes(struct agent_layer__unit_rows *rows, const struct cor_unit_cases *cases,
                                   struct cor_error *error) {
    for (uint32_t e = 0; e < cases->entry_count; e++) {
        const struct cor_case_entry *entry = &cases->entries[e];
        for (uint32_t v = 0; v < entry->variable_count; v++) {
            const struct cor_unit_variable *variable = &cases->variables[entry->first_variable + v];
            for (uint32_t c = variable->first_class; c < variable->first_class + variable->class_count; c++) {
                struct cor_agent_class_row *row = ROW(rows, CLASSES, error);
                COR_TRY(row ? COR_OK : COR_STATUS_MEMORY);
                row->event = code_of(rows->codes->event, entry->event);
                row->variable = slot_code(rows, entry->event, variable->slot);
                row->class_ = c;
                row->valid = cases->classes[c].valid;
                row->kind = kind_of(rows, variable->domain, cases->classes[c].sample);
                row->sample = number_of(rows, cases->classes[c].sample);
                row->cases = rows->class_cases[c];
            }
        }
    }
    return COR_OK;
}

struct use {
    enum cor_use use;
    uint16_t plan, subject;
    uint32_t branch;
    uint64_t cases;
};

static enum cor_status put_use(struct agent_layer__unit_rows *rows, const struct use *use,
                               struct cor_error *error) {
    struct cor_agent_use_row *row = ROW(rows, USES, error);
    COR_TRY(row ? COR_OK : COR_STATUS_MEMORY);
    row->use = (uint8_t)use->use;
    row->plan = use->plan;
    row->subject = use->subject;
    row->branch = use->branch;
    row->cases = use->cases;
    return COR_OK;
}

static enum cor_status put_contexts(struct agent_layer__unit_rows *rows, const struct cor_judged_plan *plan,
                                    struct cor_error *error) {
    const struct cor_design_plan *design = &rows->file->design->plans[plan->plan];
    uint16_t code = code_of(rows->codes->plan, plan->plan);
    const struct use uses[] = {
        {COR_USE_STARTED, code, code_of(rows->codes->event, design->trigger), 0, plan->started.hit},
        {COR_USE_CONTEXT_TRUE, code, code, 0, plan->held.hit},
        {COR_USE_CONTEXT_FALSE, code, code, 0, plan->failed_to_hold.hit}};
    for (size_t i = 0; i < (design->code.has_context ? 3 : 1); i++)
        COR_TRY(put_use(rows, &uses[i], error));
    return COR_OK;
}

static enum cor_status put_listed(struct agent_layer__unit_rows *rows, const struct cor_judged_use *listed,
                                  struct cor_error *error) {
    const struct cor_name_codes *codes = rows->codes;
    struct use use = {.plan = code_of(codes->plan, listed->plan), .cases = listed->seen.hit};
    switch (listed->kind) {
    case COR_TRACE_POSTED:
        use.use = COR_USE_POSTED;
        use.subject = code_of(codes->event, listed->subject);
        break;
    case COR_TRACE_SENT:
        use.use = COR_USE_SENT;
        use.subject = code_of(codes->message, listed->subject);
        break;
    case COR_TRACE_DID:
        use.use = COR_USE_DID;
        use.subject = code_of(codes->action, listed->subject);
        break;
    default:
        use.use = COR_USE_WROTE;
        use.subject = code_of(codes->belief, listed->subject);
    }
    return put_use(rows, &use, error);
}

static enum cor_status put_branches(struct agent_layer__unit_rows *rows, uint32_t plan,
                                    const struct cor_agent_code *code,
                                    const struct cor_interpreter *interpreter, struct cor_error *error) {
    const uint8_t *ways = cor_interpreter_branches(interpreter, plan);
    uint16_t name = code_of(rows->codes->plan, plan);
    for (uint32_t b = 0; b < code->plans[plan]->branch_count; b++) {
        COR_TRY(put_use(rows, &(struct use){COR_USE_BRANCH_TRUE, name, name, b, ways[b] & 1}, error));
        COR_TRY(put_use(rows, &(struct use){COR_USE_BRANCH_FALSE, name, name, b, ways[b] >> 1 & 1}, error));
    }
    return COR_OK;
}

enum cor_status
agent_layer__rows_put_unit(struct agent_layer__unit_rows *rows, const struct cor_unit_cases *cases,
                           const struct cor_unit_judgement *judgement, const struct cor_agent_code *code,
                           const struct cor_interpreter *interpreter, struct cor_error *error) {
    struct cor_agent_unit_row *row = cor_record_at(rows->record, COR_AGENT_TABLE_UNITS,
                                                   cor_record_size(rows->record, COR_AGENT_TABLE_UNITS) - 1);
    bool alone = rows->file->order.units.units[cases->unit].kind != COR_UNIT_KIND_EVENT;
    row->cases = judgement->cases;
    row->trace_hash = rows->trace_hash;
    row->cases_valid = judgement->valid.hit;
    row->cases_applicable = judgement->applicable_cases;
    row->cases_quiet = judgement->ended[COR_TRACE_END_QUIET].hit;
    COR_TRY(put_classes(rows, cases, error));
    for (uint32_t m = 0; m < judgement->plan_count && alone; m++) {
        COR_TRY(put_contexts(rows, &judgement->plans[m], error));
        if (code && interpreter)
            COR_TRY(put_branches(rows, judgement->plans[m].plan, code, interpreter, error));
    }
    for (uint32_t u = 0; u < judgement->use_count && alone; u++)
        COR_TRY(put_listed(rows, &judgement->uses[u], error));
    return COR_OK;
}

/* What an event of a trace is about. */
static uint16_t subject_code(const struct agent_layer__unit_rows *rows, const struct cor_trace_event *event) {
    const struct cor_name_codes *codes = rows->codes;
    switch (event->kind) {
    case COR_TRACE_SENT:
        return code_of(codes->message, event->subject);
    case COR_TRACE_DID:
        return code_of(codes->action, event->subject);
    case COR_TRACE_WROTE:
        return code_of(codes->field, event->subject);
    case COR_TRACE_INSERTED:
    case COR_TRACE_REMOVED:
        return code_of(codes->belief, event->subject);
    default:
        return code_of(codes->event, event->subject);
    }
}

enum cor_status agent_layer__rows_put_trace(struct agent_layer__unit_rows *rows, uint32_t index,
                                            const struct cor_trace *trace, struct cor_error *error) {
    for (uint32_t i = 0; i < trace->event_count; i++) {
        const struct cor_trace_event *event = &trace->events[i];
        uint64_t start = 0;
        const struct cor_design *design = rows->file->design;
        const uint32_t values = cor_trace_value_count(design, event);
        const uint16_t subject = subject_code(rows, event);
        for (uint32_t v = 0; v < values; v++) {
            struct cor_value value = trace->values[event->value + v];
            double number = number_of(rows, value);
            const uint32_t domain = (uint32_t)(cor_trace_value_domain(design, event, v) - design->domains);
            uint8_t kind = kind_of(rows, domain, value);
            COR_TRY(cor_record_put(rows->record, COR_AGENT_VECTOR_TRACE_VALUE, &number, 1,
                                   v == 0 ? &start : NULL, error));
            COR_TRY(cor_record_put(rows->record, COR_AGENT_VECTOR_TRACE_VALUE_KIND, &kind, 1, NULL, error));
        }
        struct cor_agent_trace_row *row = ROW(rows, TRACES, error);
        COR_TRY(row ? COR_OK : COR_STATUS_MEMORY);
        row->case_ = index;
        row->event = i;
        row->kind = event->kind;
        row->flag = event->kind == COR_TRACE_CONTEXT || event->kind == COR_TRACE_ENDED ? event->flag : 0;
        row->plan = code_of(rows->codes->plan, event->plan);
        row->subject = subject;
        row->parent = event->parent;
        row->value_start = start;
        row->values = values;
        if (event->intention == 0)
            continue;
        struct cor_agent_intention_row *other = ROW(rows, INTENTIONS, error);
        COR_TRY(other ? COR_OK : COR_STATUS_MEMORY);
        other->case_ = index;
        other->event = i;
        other->intention = event->intention;
    }
    return COR_OK;
}

/* What a finding is about, as code of catalog/name. */
static uint16_t about_code(const struct cor_name_codes *codes, const struct cor_finding *finding) {
    switch (cor_finding_subject(finding->check)) {
    case COR_SUBJECT_EVENT:
        return code_of(codes->event, finding->subject);
    case COR_SUBJECT_MESSAGE:
        return code_of(codes->message, finding->subject);
    case COR_SUBJECT_ACTION:
        return code_of(codes->action, finding->subject);
    case COR_SUBJECT_BELIEF:
        return code_of(codes->belief, finding->subject);
    case COR_SUBJECT_FIELD:
        return code_of(codes->field, finding->subject);
    case COR_SUBJECT_PLAN:
        break;
    }
    return code_of(codes->plan, finding->subject);
}

enum cor_status agent_layer__rows_put_findings(struct agent_layer__unit_rows *rows,
                                               const struct cor_findings *findings, uint64_t case_count,
                                               struct cor_error *error) {
    for (uint32_t f = 0; f < findings->count; f++) {
        const struct cor_finding *finding = &findings->items[f];
        struct cor_agent_finding_row *row = ROW(rows, FINDINGS, error);
        COR_TRY(row ? COR_OK : COR_STATUS_MEMORY);
        row->check = (uint8_t)finding->check;
        row->severity = (uint8_t)finding->severity;
        row->plan = code_of(rows->codes->plan, finding->plan);
        row->about = about_code(rows->codes, finding);
        row->hit = finding->hit;
        row->run = finding->run;
        row->smallest = finding->smallest;
        row->cause = (uint8_t)finding->cause;
        row->cause_unit = (uint16_t)(finding->cause_unit == COR_NONE ? finding->unit : finding->cause_unit);
        if (!cor_finding_is_race(finding))
            continue;
        struct cor_agent_race_row *race = ROW(rows, RACES, error);
        COR_TRY(race ? COR_OK : COR_STATUS_MEMORY);
        race->check = row->check;
        race->about = row->about;
        race->case_ = finding->smallest;
        race->first = (uint32_t)(finding->smallest % case_count);
    }
    return COR_OK;
}

/* Two words as one, each by a multiplication of its own, so that the chain has one link for both. */
static uint64_t both(uint64_t a, uint64_t b) {
    return a * UINT64_C(0x9E3779B97F4A7C15) + b * UINT64_C(0xC2B2AE3D27D4EB4F);
}

static uint64_t value_hash(uint64_t hash, struct cor_value value, uint32_t word_count,
                           const struct cor_words *words) {
    uint64_t bits = 0;
    if (value.kind == COR_VALUE_WORD && value.as.word >= word_count) {
        const char *text = cor_words_text(words, value.as.word);
        return cor_hash_bytes(hash, text, strlen(text));
    }
    if (value.kind == COR_VALUE_INTEGER)
        bits = (uint64_t)value.as.integer;
    else if (value.kind == COR_VALUE_REAL)
        memcpy(&bits, &value.as.real, sizeof bits);
    else if (value.kind == COR_VALUE_WORD)
        bits = value.as.word;
    return cor_hash_word(hash, both(value.kind, bits));
}

uint64_t agent_layer__trace_hash(const struct cor_trace *trace, uint32_t word_count,
                                 const struct cor_words *words) {
    uint64_t hash = cor_hash_word(COR_HASH_SEED, (uint64_t)trace->end << 32 | trace->steps);
    for (uint32_t i = 0; i < trace->event_count; i++) {
        const struct cor_trace_event *event = &trace->events[i];
        hash = cor_hash_word(hash,
                             both((uint64_t)event->plan << 32 | event->subject,
                                  (uint64_t)event->parent << 16 | (uint64_t)event->kind << 8 | event->flag));
        if (event->intention != 0)
            hash = cor_hash_word(hash, event->intention);
    }
    for (uint32_t v = 0; v < trace->value_count; v++)
        hash = value_hash(hash, trace->values[v], word_count, words);
    return hash;
}
