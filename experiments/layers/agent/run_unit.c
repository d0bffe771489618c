/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a unit writes down: its rows in the tables of agent_schema.h. Private to this room. */

#include <corridor/array.h>
#include <corridor/hash.h>
#include <corridor/run_unit.h>

#include <stdlib.h>
#include <string.h>

struct agent_layer__unit_rows {
    struct cor_record *record;          /* borrowed */
    const struct cor_design_file *file; /* borrowed */
    const struct cor_name_codes *codes; /* borrowed */
    uint64_t seed;
    uint64_t *class_cases; /* owned; [class of the unit] cases with a value of it */
    uint64_t trace_hash;   /* of all cases, before rows_put_unit */
};

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

/* A case was run: its row, and its values. */
static enum cor_status rows_put_trial(struct agent_layer__unit_rows *rows, const struct cor_unit_cases *cases,
                                      const struct cor_judged_case *judged, bool own,
                                      const struct cor_trace *trace, uint64_t hash, struct cor_error *error) {
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

/* All cases were run: what the row of the unit is still to say, classes, uses. */
static enum cor_status rows_put_unit(struct agent_layer__unit_rows *rows, const struct cor_unit_cases *cases,
                                     const struct cor_unit_judgement *judgement,
                                     const struct cor_agent_code *code,
                                     const struct cor_interpreter *interpreter, struct cor_error *error) {
    struct cor_agent_unit_row *row = cor_record_at(rows->record, COR_AGENT_TABLE_UNITS,
                                                   cor_record_size(rows->record, COR_AGENT_TABLE_UNITS) - 1);
    bool alone = rows->file->order.units.units[cases->unit].kind != COR_UNIT_KIND_EVENT;
    row->cases = judgement->cases;
    row->trace_hash = rows->trace_hash;
    row->cases_valid = judgement->valid.hit;
    row->cases_applicable = judgement->applicable_cases;
    row->cases_quiet = judgement->ended[COR_TRACE_END_QUIET].hit;
    for (uint32_t e = 0; e < cases->entry_count; e++) {
        const struct cor_case_entry *entry = &cases->entries[e];
        for (uint32_t v = 0; v < entry->variable_count; v++) {
            const struct cor_unit_variable *variable = &cases->variables[entry->first_variable + v];
            for (uint32_t c = variable->first_class; c < variable->first_class + variable->class_count; c++) {
                struct cor_agent_class_row *class_row = ROW(rows, CLASSES, error);
                COR_TRY(class_row ? COR_OK : COR_STATUS_MEMORY);
                class_row->event = code_of(rows->codes->event, entry->event);
                class_row->variable = slot_code(rows, entry->event, variable->slot);
                class_row->class_ = c;
                class_row->valid = cases->classes[c].valid;
                class_row->kind = kind_of(rows, variable->domain, cases->classes[c].sample);
                class_row->sample = number_of(rows, cases->classes[c].sample);
                class_row->cases = rows->class_cases[c];
            }
        }
    }
    for (uint32_t m = 0; m < judgement->plan_count && alone; m++) {
        COR_TRY(put_contexts(rows, &judgement->plans[m], error));
        if (code && interpreter) {
            const uint32_t plan = judgement->plans[m].plan;
            const uint8_t *ways = cor_interpreter_branches(interpreter, plan);
            uint16_t name = code_of(rows->codes->plan, plan);
            for (uint32_t b = 0; b < code->plans[plan]->branch_count; b++) {
                COR_TRY(put_use(rows, &(struct use){COR_USE_BRANCH_TRUE, name, name, b, ways[b] & 1}, error));
                COR_TRY(put_use(rows, &(struct use){COR_USE_BRANCH_FALSE, name, name, b, ways[b] >> 1 & 1},
                                error));
            }
        }
    }
    for (uint32_t u = 0; u < judgement->use_count && alone; u++) {
        const struct cor_judged_use *listed = &judgement->uses[u];
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
        COR_TRY(put_use(rows, &use, error));
    }
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

/* What the agent reported in a case. */
static enum cor_status rows_put_trace(struct agent_layer__unit_rows *rows, uint32_t index,
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

/* What was found; the unit has so many cases, not counting interleavings. */
static enum cor_status rows_put_findings(struct agent_layer__unit_rows *rows,
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

uint64_t cor_unit_trace_hash(const struct cor_trace *trace, uint32_t word_count,
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

/* ---- run unit */

#define CHUNK 64 /* cases made at a time, so that an agent in another process is asked for many at once */

/* Cases on their way to the agent. */
struct chunk {
    struct cor_agent_case asked[CHUNK];
    struct cor_judged_case judged[CHUNK];
    bool own[CHUNK];
    bool is_interleaved[CHUNK];          /* more than one intention was at work */
    struct cor_aut_outcome first[CHUNK]; /* owned; what it came to then, where it was */
    struct cor_aut_outcome other;        /* owned; of a further interleaving */
    struct cor_value *values;            /* owned; arguments and beliefs of each */
    uint32_t stride;                     /* values of one case */
};

struct cor_unit_runner {
    struct cor_unit_runner_definition definition;
    struct chunk chunk;
    struct cor_case_values values;
    struct cor_trace trace, designed_trace;
    struct cor_aut_outcome outcomes[2]; /* where there are relations: of the agent, and of the design */
    bool *unbuilt;                      /* owned; [plan] the arm or the agent says that it is not there yet */
    struct cor_findings *known;         /* owned; [unit] of the repetition that is known */
    bool *is_known;                     /* owned; [unit] */
    uint32_t known_repetition;
    uint32_t present; /* unit run last */
    struct cor_agent_code
        *intention; /* owned, as the next: the design as it stands; NULL: not asked for yet */
    struct cor_aut_session *designed;
};

/* A unit under way. */
struct unit_run {
    struct cor_unit_runner *runner;
    const struct cor_unit_request *request;
    uint32_t unit;
    struct cor_aut_session *session; /* whose cases these are */
    struct cor_unit_cases cases;
    struct cor_unit_judgement judgement;
    struct cor_unit_judgement intended; /* the same by the design itself, if is_intended */
    bool is_intended;
    struct cor_unit_judgement **events; /* owned, with what it points to; [event] NULL where not asked for */
    uint64_t executed;                  /* cases */
    uint32_t asked_again, differed, hung; /* as in struct cor_unit_outcome */
    uint64_t *hashes;  /* owned; [case] what was reported, of the first COR_TRIALS_KEPT; NULL: not kept */
    uint64_t all_hash; /* of what was reported in all cases, in their order */
    struct agent_layer__unit_rows *rows; /* NULL: nothing is written */
};

static const struct cor_design *design_of(const struct cor_unit_runner *runner) {
    return runner->definition.file->design;
}

enum cor_status cor_unit_runner_create(const struct cor_unit_runner_definition *definition,
                                       struct cor_unit_runner **runner, struct cor_error *error) {
    enum cor_status status = COR_OK;
    uint32_t units = definition->file->order.units.count;
    struct cor_unit_runner *made = *runner = cor_calloc(1, sizeof *made);
    COR_TRY(cor_made(made, error));
    made->definition = *definition;
    cor_trace_init(&made->trace);
    cor_trace_init(&made->designed_trace);
    const struct cor_design *design = definition->file->design;
    uint32_t most = 0;
    for (uint32_t e = 0; e < design->event_count; e++)
        if (design->events[e].parameter_count > most)
            most = design->events[e].parameter_count;
    made->chunk.stride = most + design->field_count;
    made->chunk.values = cor_calloc((size_t)CHUNK * made->chunk.stride, sizeof *made->chunk.values);
    made->known = cor_calloc(units, sizeof *made->known);
    made->is_known = cor_calloc(units, sizeof *made->is_known);
    made->unbuilt = cor_calloc(design->plan_count, sizeof *made->unbuilt);
    for (uint32_t p = 0; made->unbuilt && p < design->plan_count; p++)
        made->unbuilt[p] = (definition->unbuilt && definition->unbuilt[p]) ||
                           cor_aut_trigger(definition->session, p) == COR_AUT_NOT_YET;
    if (!made->unbuilt || !made->chunk.values || !made->known || !made->is_known)
        COR_TRY_OUT(cor_fail_memory(error));
    COR_TRY_OUT(cor_case_values_init(&made->values, definition->file->design, error));
    return COR_OK;
out:
    cor_unit_runner_destroy(made);
    *runner = NULL;
    return status;
}

static void forget(struct cor_unit_runner *runner) {
    for (uint32_t u = 0; runner->known && u < runner->definition.file->order.units.count; u++)
        cor_findings_fini(&runner->known[u]);
    if (runner->is_known)
        memset(runner->is_known, 0, runner->definition.file->order.units.count * sizeof *runner->is_known);
}

void cor_unit_runner_destroy(struct cor_unit_runner *runner) {
    if (!runner)
        return;
    forget(runner);
    cor_case_values_fini(&runner->values);
    cor_trace_fini(&runner->trace);
    cor_trace_fini(&runner->designed_trace);
    cor_aut_outcome_fini(&runner->outcomes[0]);
    cor_aut_outcome_fini(&runner->outcomes[1]);
    cor_aut_close(runner->designed);
    cor_agent_code_destroy(runner->intention);
    for (uint32_t i = 0; i < CHUNK; i++)
        cor_aut_outcome_fini(&runner->chunk.first[i]);
    cor_aut_outcome_fini(&runner->chunk.other);
    COR_FREE(runner->chunk.values, runner->unbuilt, runner->known, runner->is_known, runner);
}

/* Makes a case with these values the entry `at` of the chunk; its number is that of make_case. */
static void put_case(struct unit_run *run, uint64_t number, struct cor_case_values *values, uint32_t at) {
    const uint64_t index = number % run->cases.count;
    struct cor_unit_runner *runner = run->runner;
    const struct cor_design *design = design_of(runner);
    struct chunk *chunk = &runner->chunk;
    struct cor_value *beliefs = chunk->values + (size_t)at * chunk->stride;
    struct cor_value *arguments = beliefs + design->field_count;
    uint32_t parameters = design->events[values->event].parameter_count;
    if (design->field_count > 0)
        memcpy(beliefs, values->beliefs, design->field_count * sizeof *beliefs);
    if (parameters > 0)
        memcpy(arguments, values->arguments, parameters * sizeof *arguments);
    /* What the agent draws from in a case: named by all that the case is. */
    uint64_t hash = cor_hash_word(COR_HASH_SEED, runner->definition.settings.seed);
    hash = cor_hash_word(hash, run->unit);
    hash = cor_hash_word(hash, run->request->repetition);
    chunk->asked[at] = (struct cor_agent_case){.event = values->event,
                                               .arguments = arguments,
                                               .beliefs = beliefs,
                                               .seed = cor_hash_word(hash, index),
                                               .interleaving = (uint32_t)(number / run->cases.count),
                                               .steps = runner->definition.settings.step_limit,
                                               .rounds = runner->definition.settings.cycle_limit};
    chunk->judged[at] = (struct cor_judged_case){.index = (uint32_t)number,
                                                 .valid = values->valid,
                                                 .applicable = cor_unit_case_applicable(&run->cases, values),
                                                 .asked = &chunk->asked[at]};
    chunk->own[at] = values->own;
}

/* Makes case `number` the entry `at` of the chunk. Behind all cases of the unit come their second
 * interleavings, then the third: of those in which several intentions are at work. */
static void make_case(struct unit_run *run, uint64_t number, uint32_t at) {
    struct cor_case_values *values = &run->runner->values;
    cor_unit_case_make(&run->cases, number % run->cases.count, values);
    put_case(run, number, values, at);
    if (run->rows) {
        /* A case was made. */
        struct agent_layer__unit_rows *rows = run->rows;
        if (values->own)
            return;
        for (uint32_t v = 0; v < run->cases.entries[values->entry].variable_count; v++)
            if (values->classes[v] != COR_NONE)
                rows->class_cases[values->classes[v]]++;
    }
}

static enum cor_status open_designed(struct cor_unit_runner *runner, struct cor_error *error) {
    if (runner->designed)
        return COR_OK;
    COR_TRY(cor_made(runner->intention = cor_agent_code_create(runner->definition.file->design), error));
    struct cor_aut_definition definition = cor_default_aut(runner->definition.file->design);
    definition.way = COR_AUT_INTERPRETER;
    definition.code = runner->intention;
    return cor_aut_open(&definition, &runner->designed, error);
}

/* Where there are relations, whose rows the design says by its bodies alone: is it those that are left? */
static enum cor_status compare_rows(struct unit_run *run, const struct cor_judged_case *judged,
                                    const struct cor_trace *trace, struct cor_error *error) {
    struct cor_unit_runner *runner = run->runner;
    const struct cor_design *design = design_of(runner);
    for (uint32_t p = 0; p < design->plan_count; p++)
        if (runner->unbuilt[p])
            return COR_OK;
    COR_TRY(open_designed(runner, error));
    for (int i = 0; i < 2; i++)
        if (!runner->outcomes[i].design)
            COR_TRY(cor_aut_outcome_init(&runner->outcomes[i], design, error));
    COR_TRY(cor_aut_run(runner->designed, judged->asked, &runner->designed_trace, error));
    return cor_judge_rows(&run->judgement, judged, trace, &runner->designed_trace, runner->outcomes, error);
}

/* What the agent reported in a case, beside what the design says of it and leaves. */
static enum cor_status judge_trace(struct unit_run *run, const struct cor_judged_case *judged,
                                   const struct cor_trace *trace, struct cor_error *error) {
    COR_TRY(cor_judge_case(&run->judgement, judged, trace, error));
    return design_of(run->runner)->relation_count > 0 && run->session != run->runner->designed
               ? compare_rows(run, judged, trace, error)
               : COR_OK;
}

/* Runs the case at `at` of the chunk, judges it, and keeps what there is to keep. */
static enum cor_status run_case(struct unit_run *run, uint32_t at, struct cor_error *error) {
    struct cor_unit_runner *runner = run->runner;
    const struct cor_unit_request *request = run->request;
    const struct cor_judged_case *judged = &runner->chunk.judged[at];
    if (request->watch && request->watch(request->watch_context, run->judgement.cases))
        return COR_STATUS_INTERRUPTED; /* a case may take as long as an agent that hangs is given */
    COR_TRY(cor_aut_run(run->session, judged->asked, &runner->trace, error));
    COR_TRY(judge_trace(run, judged, &runner->trace, error));
    run->hung += runner->trace.end == COR_TRACE_END_HUNG;
    if (!run->hashes)
        return COR_OK;
    uint64_t hash =
        cor_unit_trace_hash(&runner->trace, runner->definition.codes->word_count, &design_of(runner)->words);
    run->all_hash = cor_hash_word(run->all_hash, hash);
    if (judged->index >= COR_TRIALS_KEPT)
        return COR_OK;
    run->hashes[judged->index] = hash;
    return run->rows ? rows_put_trial(run->rows, &run->cases, judged, runner->chunk.own[at], &runner->trace,
                                      hash, error)
                     : COR_OK;
}

static enum cor_status read_outcome(const struct unit_run *run, struct cor_aut_outcome *outcome,
                                    const struct cor_agent_case *asked, const struct cor_trace *trace,
                                    struct cor_error *error) {
    if (!outcome->design)
        COR_TRY(cor_aut_outcome_init(outcome, design_of(run->runner), error));
    return cor_aut_outcome_read(outcome, asked, trace, error);
}

static enum cor_status run_cases(struct unit_run *run, struct cor_error *error) {
    const struct cor_unit_request *request = run->request;
    struct chunk *chunk = &run->runner->chunk;
    _Static_assert(COR_INTERLEAVINGS_MOST <= CHUNK, "the interleavings of a case are a chunk");
    COR_TRY(cor_aut_begin_suite(run->session, error));
    for (uint64_t first = 0; first < run->cases.count; first += CHUNK) {
        uint64_t left = run->cases.count - first;
        const uint32_t count = left < CHUNK ? (uint32_t)left : CHUNK;
        for (uint32_t i = 0; i < count; i++)
            make_case(run, first + i, i);
        COR_TRY(cor_aut_ahead(run->session, chunk->asked, count, error));
        for (uint32_t i = 0; i < count; i++) {
            COR_TRY(run_case(run, i, error));
            chunk->is_interleaved[i] = run->runner->trace.intention_count > 1;
            if (chunk->is_interleaved[i])
                COR_TRY(read_outcome(run, &chunk->first[i], &chunk->asked[i], &run->runner->trace, error));
        }
        for (uint32_t i = 0; i < count && run->runner->definition.settings.interleavings > 1; i++)
            if (chunk->is_interleaved[i]) {
                /* Further interleavings of the case, whose first one was read above. */
                struct cor_unit_runner *runner = run->runner;
                const uint32_t others = runner->definition.settings.interleavings - 1;
                cor_judge_interleaved(&run->judgement);
                for (uint32_t n = 0; n < others; n++)
                    make_case(run, (uint64_t)(n + 1) * run->cases.count + (first + i), n);
                COR_TRY(cor_aut_ahead(run->session, chunk->asked, others, error));
                for (uint32_t n = 0; n < others; n++) {
                    COR_TRY(run_case(run, n, error));
                    COR_TRY(read_outcome(run, &chunk->other, &chunk->asked[n], &runner->trace, error));
                    COR_TRY(cor_judge_interleaving(&run->judgement, &chunk->first[i], &chunk->other,
                                                   chunk->judged[n].index, runner->trace.event_count, error));
                }
            }
    }
    return request->watch && request->watch(request->watch_context, run->judgement.cases)
               ? COR_STATUS_INTERRUPTED
               : COR_OK;
}

static enum cor_status begin_unit_run(struct unit_run *run, struct cor_error *error) {
    const struct cor_unit_runner_definition *definition = &run->runner->definition;
    if (!run->session)
        run->session = definition->session;
    COR_TRY(cor_unit_cases_init(&run->cases, definition->file, run->unit, &definition->settings, error));
    COR_TRY(cor_unit_judgement_begin(definition->file->design, &definition->file->order.units, run->unit,
                                     &run->judgement, error));
    run->judgement.unbuilt = run->runner->unbuilt;
    return COR_OK;
}

/* The cases of an event's own unit, for what cannot be judged without them. */
static enum cor_status run_own_cases(const struct unit_run *run, uint32_t event, struct cor_error *error) {
    struct unit_run own = {.runner = run->runner,
                           .request = run->request,
                           .unit = run->runner->definition.file->order.unit_of_event[event]};
    enum cor_status status = COR_OK;
    if (own.unit == COR_NONE)
        return COR_OK;
    COR_TRY_OUT(begin_unit_run(&own, error));
    COR_TRY_OUT(run_cases(&own, error));
    struct cor_unit_judgement *kept = cor_calloc(1, sizeof *kept);
    COR_TRY_OUT(cor_made(kept, error));
    *kept = own.judgement;
    own.judgement = (struct cor_unit_judgement){0};
    run->events[event] = kept;
out:
    cor_unit_cases_fini(&own.cases);
    cor_unit_judgement_fini(&own.judgement);
    return status;
}

/* The same cases by the design itself: what was to be seen in them. */
static enum cor_status run_intended(struct unit_run *run, struct cor_error *error) {
    COR_TRY(open_designed(run->runner, error));
    struct unit_run designed = {
        .runner = run->runner, .request = run->request, .unit = run->unit, .session = run->runner->designed};
    enum cor_status status = COR_OK;
    COR_TRY_OUT(begin_unit_run(&designed, error));
    COR_TRY_OUT(run_cases(&designed, error));
    run->intended = designed.judgement;
    run->is_intended = true;
    designed.judgement = (struct cor_unit_judgement){0};
out:
    cor_unit_cases_fini(&designed.cases);
    cor_unit_judgement_fini(&designed.judgement);
    return status;
}

#define ROUNDS_BEYOND 100000 /* and as many steps more: what a design that ends is given to do so */
#define STEPS_BEYOND 1000000

/* Does the design come to an end by itself in all valid cases, if it is given more steps and rounds? */
static enum cor_status find_whether_it_ends(struct unit_run *run, bool *ends, struct cor_error *error) {
    struct cor_unit_runner *runner = run->runner;
    struct agent_layer__unit_rows *rows = run->rows;
    *ends = true;
    run->rows = NULL; /* its classes are counted already */
    for (uint64_t index = 0; index < run->cases.count && *ends; index++) {
        make_case(run, index, 0);
        if (!runner->chunk.judged[0].valid)
            continue;
        runner->chunk.asked[0].rounds = ROUNDS_BEYOND;
        runner->chunk.asked[0].steps = STEPS_BEYOND;
        enum cor_status status =
            cor_aut_run(runner->designed, &runner->chunk.asked[0], &runner->designed_trace, error);
        if (status != COR_OK) {
            run->rows = rows;
            return status;
        }
        *ends = runner->designed_trace.end == COR_TRACE_END_QUIET;
    }
    run->rows = rows;
    return COR_OK;
}

static bool hangs_on_limit(const struct cor_findings *findings) {
    for (uint32_t f = 0; f < findings->count; f++)
        if (cor_finding_is_of_limit(&findings->items[f]))
            return true;
    return false;
}

static bool needs_intention(const struct cor_findings *findings) {
    for (uint32_t f = 0; f < findings->count; f++)
        if (cor_finding_needs_intention(&findings->items[f]))
            return true;
    return false;
}

static enum cor_status find_out(struct unit_run *run, struct cor_error *error);

/* All units that this one needs, at last or at length, in order. */
static enum cor_status list_needed(const struct unit_run *run, struct cor_indices *needed,
                                   struct cor_error *error) {
    const struct cor_unit_order *order = &run->runner->definition.file->order;
    COR_FREED bool *is_needed = cor_calloc(run->unit + 1, sizeof *is_needed);
    COR_TRY(cor_made(is_needed, error));
    is_needed[run->unit] = true;
    for (uint32_t u = run->unit + 1; u-- > 0;)
        for (uint32_t d = order->dependency_start[u]; is_needed[u] && d < order->dependency_start[u + 1]; d++)
            is_needed[order->dependencies[d]] = true;
    for (uint32_t u = 0; u < run->unit; u++) {
        if (!is_needed[u])
            continue;
        COR_TRY(COR_RESERVE(&needed->items, &needed->capacity, (size_t)needed->count + 1, error));
        needed->items[needed->count++] = u;
    }
    return COR_OK;
}

static enum cor_status gather_below(const struct unit_run *run, struct cor_findings *below,
                                    struct cor_error *error) {
    struct cor_indices needed = {0};
    enum cor_status status = COR_OK;
    COR_TRY_OUT(list_needed(run, &needed, error));
    for (uint32_t i = 0; i < needed.count; i++) {
        const struct cor_findings *known = &run->runner->known[needed.items[i]];
        /* What was found of a unit, which is run if it was not yet. */
        struct cor_unit_request request = *run->request;
        struct unit_run unit_below = {.runner = run->runner, .request = &request, .unit = needed.items[i]};
        if (!run->runner->is_known[needed.items[i]]) {
            request.record = NULL;
            COR_TRY_OUT(find_out(&unit_below, error));
        }
        COR_TRY_OUT(
            COR_RESERVE(&below->items, &below->capacity, (size_t)below->count + known->count + 1, error));
        if (known->count > 0)
            memcpy(below->items + below->count, known->items, known->count * sizeof *known->items);
        below->count += known->count;
    }
out:
    free(needed.items);
    return status;
}

/* Judges the unit; units below are looked at only if there is something to explain. */
static enum cor_status judge(struct unit_run *run, struct cor_findings *findings, struct cor_error *error) {
    COR_FINISHED(cor_findings) struct cor_findings below = {0};
    struct cor_judge_context context = {.events = (const struct cor_unit_judgement *const *)run->events,
                                        .below = &below};
    findings->count = 0;
    COR_TRY(cor_judge_unit(&run->judgement, &context, findings, error));
    if (needs_intention(findings) && !run->is_intended)
        COR_TRY(run_intended(run, error));
    context.intended = run->is_intended ? &run->intended : NULL;
    if (run->is_intended && hangs_on_limit(findings))
        COR_TRY(find_whether_it_ends(run, &context.intended_ends, error));
    if (findings->count == 0)
        return COR_OK;
    COR_TRY(gather_below(run, &below, error));
    findings->count = 0;
    return cor_judge_unit(&run->judgement, &context, findings, error);
}

/* Runs a case once more, and compares what was reported: *differs. */
static enum cor_status repeat(struct unit_run *run, uint32_t index, bool with_trace, bool *differs,
                              struct cor_error *error) {
    struct cor_unit_runner *runner = run->runner;
    struct agent_layer__unit_rows *rows = run->rows;
    run->rows = NULL; /* its classes are counted already */
    make_case(run, index, 0);
    run->rows = rows;
    COR_TRY(cor_aut_run(runner->definition.session, &runner->chunk.asked[0], &runner->trace, error));
    uint64_t hash =
        cor_unit_trace_hash(&runner->trace, runner->definition.codes->word_count, &design_of(runner)->words);
    const bool is_of_machine = runner->trace.end == COR_TRACE_END_HUNG;
    *differs = index < COR_TRIALS_KEPT && !is_of_machine && hash != run->hashes[index];
    run->asked_again += index < COR_TRIALS_KEPT && !is_of_machine;
    run->differed += *differs;
    if (index < COR_TRIALS_KEPT)
        cor_judge_repetition(&run->judgement, index, runner->trace.event_count, hash == run->hashes[index]);
    if (rows && with_trace && index >= COR_TRIALS_KEPT)
        COR_TRY(rows_put_trial(rows, &run->cases, &runner->chunk.judged[0], runner->chunk.own[0],
                               &runner->trace, hash, error));
    return rows && with_trace ? rows_put_trace(rows, index, &runner->trace, error) : COR_OK;
}

static int compare_indices(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* In a fresh process: the last case that can be compared, so that an agent which remembers earlier ones is
 * found out, and those that findings name. Whatever differs is a finding, too. */
static enum cor_status repeat_some(struct unit_run *run, struct cor_findings *findings,
                                   struct cor_error *error) {
    enum cor_status status = COR_OK;
    COR_FREED uint32_t *indices = cor_calloc(2 * (size_t)findings->count + 1, sizeof *indices);
    COR_FREED bool *differs = cor_calloc(2 * (size_t)findings->count + 1, sizeof *differs);
    bool last_differs;
    COR_TRY(cor_made(indices && differs ? indices : NULL, error));
    /* Smallest cases of findings, of races both, each once, in order. */
    uint32_t all = 0, count = 0;
    for (uint32_t f = 0; f < findings->count; f++) {
        indices[all++] = findings->items[f].smallest;
        if (cor_finding_is_race(&findings->items[f]))
            indices[all++] = (uint32_t)(findings->items[f].smallest % run->cases.count);
    }
    if (all > 1)
        qsort(indices, all, sizeof *indices, compare_indices);
    for (uint32_t i = 0; i < all; i++)
        if (i == 0 || indices[i] != indices[i - 1])
            indices[count++] = indices[i];
    uint64_t last = run->cases.count < COR_TRIALS_KEPT ? run->cases.count : COR_TRIALS_KEPT;
    COR_TRY(cor_aut_restart(run->runner->definition.session, error));
    if (last > 0)
        COR_TRY(repeat(run, (uint32_t)last - 1, false, &last_differs, error));
    for (uint32_t i = 0; i < count; i++)
        COR_TRY(repeat(run, indices[i], true, &differs[i], error));
    if (run->judgement.differed.hit > 0) {
        COR_TRY(judge(run, findings, error));
        /* What was found of a case that came otherwise, and does not come again, is not held against the
         * agent: that it cannot be repeated is. */
        uint32_t kept = 0;
        for (uint32_t f = 0; f < findings->count; f++) {
            const struct cor_finding *finding = &findings->items[f];
            bool stays = true;
            for (uint32_t i = 0; i < count; i++)
                stays = stays && !(differs[i] && indices[i] == finding->smallest);
            stays = stays || cor_finding_is_of_all(finding) ||
                    finding->check == COR_AUT_CHECK_AGENT_NOT_REPEATABLE;
            if (!stays && !cor_finding_is_race(finding)) {
                /* Does the case, in a fresh process, show what the finding says? */
                struct cor_findings alone = {0};
                stays = false;
                status = cor_unit_run_case(run->runner,
                                           &(struct cor_lone_case){.unit = run->unit,
                                                                   .repetition = run->request->repetition,
                                                                   .index = finding->smallest,
                                                                   .trace = &run->runner->trace,
                                                                   .findings = &alone},
                                           error);
                for (uint32_t a = 0; a < alone.count && status == COR_OK; a++)
                    stays = stays ||
                            (alone.items[a].check == finding->check && alone.items[a].plan == finding->plan &&
                             alone.items[a].subject == finding->subject);
                cor_findings_fini(&alone);
                COR_TRY(status);
            }
            if (stays)
                findings->items[kept++] = *finding;
        }
        findings->count = kept;
    }
    return status;
}

static void end(struct unit_run *run) {
    for (uint32_t e = 0; run->events && e < design_of(run->runner)->event_count; e++) {
        if (run->events[e])
            cor_unit_judgement_fini(run->events[e]);
        free(run->events[e]);
    }
    COR_FREE(run->events, run->hashes);
    cor_unit_cases_fini(&run->cases);
    cor_unit_judgement_fini(&run->judgement);
    cor_unit_judgement_fini(&run->intended);
}

static enum cor_status find_out(struct unit_run *run, struct cor_error *error) {
    struct cor_unit_runner *runner = run->runner;
    struct cor_interpreter *interpreter = cor_aut_interpreter(runner->definition.session);
    struct cor_findings *findings = &runner->known[run->unit];
    enum cor_status status = COR_OK;
    run->events = cor_calloc(design_of(runner)->event_count, sizeof *run->events);
    COR_TRY_OUT(cor_made(run->events, error));
    COR_TRY_OUT(begin_unit_run(run, error));
    const uint64_t numbers = run->cases.count * runner->definition.settings.interleavings;
    run->hashes = cor_calloc(numbers < COR_TRIALS_KEPT ? numbers : COR_TRIALS_KEPT, sizeof *run->hashes);
    COR_TRY_OUT(cor_made(run->hashes, error));
    if (run->rows) {
        /* Before the first case: the unit, its plans, what it needs. */
        struct agent_layer__unit_rows *rows = run->rows;
        const uint32_t repetition = run->request->repetition;
        const struct cor_unit *unit = &rows->file->order.units.units[run->cases.unit];
        rows->class_cases = cor_calloc(run->cases.class_count, sizeof *rows->class_cases);
        COR_TRY_OUT(cor_made(rows->class_cases, error));
        struct cor_agent_unit_row *row = ROW(rows, UNITS, error);
        COR_TRY_OUT(row ? COR_OK : COR_STATUS_MEMORY);
        row->unit = (uint16_t)run->cases.unit;
        row->repetition = repetition;
        row->kind = (uint8_t)unit->kind;
        row->event = unit->kind == COR_UNIT_KIND_EVENT ? code_of(rows->codes->event, unit->event) : 0;
        row->depth = unit->depth;
        row->members = unit->member_count;
        row->combinations = run->cases.combinations;
        row->valid = run->cases.valid;
        row->invalid_single = run->cases.invalid_single;
        row->seed = rows->seed;
        COR_TRY_OUT(put_members(rows, run->cases.unit, error));
    }
    if (interpreter)
        cor_interpreter_clear_branches(interpreter);
    COR_TRY_OUT(run_cases(run, error));
    run->executed = run->judgement.cases;
    if (run->rows)
        run->rows->trace_hash = run->all_hash;
    if (run->rows)
        COR_TRY_OUT(rows_put_unit(run->rows, &run->cases, &run->judgement, runner->definition.code,
                                  interpreter, error));
    const struct cor_design *design = design_of(run->runner);
    for (uint32_t m = 0; m < run->judgement.plan_count; m++) {
        uint32_t event = design->plans[run->judgement.plans[m].plan].trigger;
        if (!run->events[event] && cor_unit_judgement_asks(&run->judgement, event))
            COR_TRY_OUT(run_own_cases(run, event, error));
    }
    COR_TRY_OUT(judge(run, findings, error));
    COR_TRY_OUT(repeat_some(run, findings, error));
    if (run->rows)
        COR_TRY_OUT(rows_put_findings(run->rows, findings, run->cases.count, error));
    runner->is_known[run->unit] = true;
out:
    end(run);
    return status;
}

enum cor_status cor_unit_run(struct cor_unit_runner *runner, const struct cor_unit_request *request,
                             struct cor_unit_outcome *outcome, struct cor_error *error) {
    const struct cor_unit_runner_definition *definition = &runner->definition;
    struct agent_layer__unit_rows rows = {
        .record = request->record, .file = definition->file, .codes = definition->codes};
    struct unit_run run = {.runner = runner, .request = request, .unit = request->unit};
    COR_ASSERT(request->unit < definition->file->order.units.count);
    if (runner->known_repetition != request->repetition)
        forget(runner);
    runner->known_repetition = request->repetition;
    run.rows = request->record ? &rows : NULL;
    rows.seed = definition->settings.seed;
    enum cor_status status = find_out(&run, error);
    /* Frees what it holds. Idempotent. */
    free(rows.class_cases);
    rows.class_cases = NULL;
    COR_TRY(status);
    runner->present = request->unit;
    const struct cor_findings *findings = &runner->known[request->unit];
    *outcome = (struct cor_unit_outcome){.cases = run.executed,
                                         .findings = findings->count,
                                         .asked_again = run.asked_again,
                                         .differed = run.differed,
                                         .by_machine = run.hung};
    for (uint32_t f = 0; f < findings->count; f++)
        outcome->worse += findings->items[f].severity != COR_SEVERITY_NOTE;
    return COR_OK;
}

/* Judges the one case that was run, the first of the chunk, beside what the design does in it. */
static enum cor_status judge_alone(struct unit_run *run, struct cor_findings *findings,
                                   struct cor_error *error) {
    struct cor_unit_runner *runner = run->runner;
    struct cor_judge_context context = {.is_of_one = true};
    struct unit_run designed = {.runner = runner, .request = run->request, .unit = run->unit};
    enum cor_status status = COR_OK;
    findings->count = 0;
    COR_TRY(cor_judge_unit(&run->judgement, &context, findings, error));
    if (!needs_intention(findings))
        return COR_OK;
    COR_TRY(open_designed(runner, error));
    designed.session = runner->designed;
    COR_TRY_OUT(begin_unit_run(&designed, error));
    struct cor_agent_case asked = runner->chunk.asked[0];
    COR_TRY_OUT(cor_aut_run(runner->designed, &asked, &runner->designed_trace, error));
    COR_TRY_OUT(
        cor_judge_case(&designed.judgement, &runner->chunk.judged[0], &runner->designed_trace, error));
    asked.rounds = ROUNDS_BEYOND;
    asked.steps = STEPS_BEYOND;
    COR_TRY_OUT(cor_aut_run(runner->designed, &asked, &runner->designed_trace, error));
    context.intended = &designed.judgement;
    context.intended_ends =
        !runner->chunk.judged[0].valid || runner->designed_trace.end == COR_TRACE_END_QUIET;
    findings->count = 0;
    COR_TRY_OUT(cor_judge_unit(&run->judgement, &context, findings, error));
out:
    end(&designed);
    return status;
}

enum cor_status cor_unit_run_case(struct cor_unit_runner *runner, const struct cor_lone_case *lone,
                                  struct cor_error *error) {
    const struct cor_unit_request request = {.unit = lone->unit, .repetition = lone->repetition};
    COR_ENDED_BY(end) struct unit_run run = {.runner = runner, .request = &request, .unit = lone->unit};
    struct chunk *chunk = &runner->chunk;
    struct cor_agent_case *asked = &chunk->asked[0];
    struct cor_case_values *values = &runner->values;
    bool races = false;
    if (lone->first)
        cor_trace_clear(lone->first);
    COR_TRY(begin_unit_run(&run, error));
    const uint64_t index = lone->index % run.cases.count, most = runner->definition.settings.interleavings;
    const bool is_other = lone->given ? lone->turn_count > 0 : lone->index >= run.cases.count;
    if (lone->given)
        cor_case_values_copy(values, lone->given, &run.cases);
    else
        cor_unit_case_make(&run.cases, index, values);
    put_case(&run, lone->given ? index : lone->index, values, 0);
    asked->turns = lone->turns;
    asked->turn_count = lone->turn_count;
    if (is_other && (lone->given || lone->index / run.cases.count < most)) {
        /* The first interleaving of the case that was asked, the first of the chunk: what that comes to. */
        struct cor_trace *trace = lone->first ? lone->first : lone->trace;
        struct cor_agent_case first_asked = chunk->asked[0];
        first_asked.interleaving = first_asked.turn_count = 0;
        COR_TRY(cor_aut_restart(run.session, error));
        COR_TRY(cor_aut_run(run.session, &first_asked, trace, error));
        races = trace->intention_count > 1;
        COR_TRY(read_outcome(&run, &chunk->first[0], &first_asked, trace, error));
    }
    if (is_other && !races && !lone->given)
        return cor_fail(error, COR_STATUS_INPUT, runner->definition.file->path, "cases are numbered from 0",
                        "the unit has only %llu cases", (unsigned long long)run.cases.count);
    asked->tells_turns = lone->trace->turn_capacity > 0;
    COR_TRY(cor_aut_restart(run.session, error));
    COR_TRY(cor_aut_run(run.session, asked, lone->trace, error));
    asked->tells_turns = false;
    if (lone->values)
        cor_case_values_copy(lone->values, values, &run.cases);
    if (lone->findings) {
        COR_TRY(judge_trace(&run, &chunk->judged[0], lone->trace, error));
        if (races) {
            COR_TRY(read_outcome(&run, &chunk->other, asked, lone->trace, error));
            cor_judge_interleaved(&run.judgement);
            COR_TRY(cor_judge_interleaving(&run.judgement, &chunk->first[0], &chunk->other,
                                           chunk->judged[0].index, lone->trace->event_count, error));
        }
        COR_TRY(judge_alone(&run, lone->findings, error));
    }
    return COR_OK;
}
