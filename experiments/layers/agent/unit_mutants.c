/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Faults of agents: read from files, applied to designs. */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/edits.h>
#include <corridor/fields.h>
#include <corridor/names.h>

#include <stdlib.h>
#include <string.h>

#define FAULTS_MAX 10000

const char *cor_fault_operator_word(enum cor_fault_operator number) {
    static const char *const words[COR_FAULT_OPERATOR_CODES] = {
#define COR_FAULT_OPERATOR_WORD(P, NAME, number, word, meaning) [number] = word,
        COR_FAULT_OPERATORS(COR_FAULT_OPERATOR_WORD, OPERATE)
#undef COR_FAULT_OPERATOR_WORD
    };
    return (unsigned)number < COR_FAULT_OPERATOR_CODES && words[number] ? words[number] : "?";
}

static void free_fault(struct cor_agent_fault *fault) {
    for (uint32_t i = 0; i < fault->plan_count; i++) {
        COR_FREE(fault->plans[i].place, fault->plans[i].trigger, fault->plans[i].context);
        cor_body_fini(&fault->plans[i].body);
    }
    for (uint32_t i = 0; i < fault->must_count; i++) {
        COR_FREE(fault->must[i].check, fault->must[i].unit, fault->must[i].about);
    }
    COR_FREE(fault->plans, fault->must, fault->silent.items, fault->starts, fault->name, fault->meaning);
}

void cor_agent_faults_fini(struct cor_agent_faults *faults) {
    for (uint32_t i = 0; i < faults->count; i++)
        free_fault(&faults->faults[i]);
    COR_FREE(faults->faults, faults->text);
    *faults = (struct cor_agent_faults){0};
}

enum cor_status cor_agent_fault_apply(const struct cor_agent_fault *fault, struct cor_design *design,
                                      struct cor_agent_code **code, struct cor_error *error) {
    enum cor_status status = COR_OK;
    COR_TRY(cor_made(*code = cor_agent_code_create(design), error));
    for (uint32_t i = 0; i < fault->plan_count; i++) {
        const struct cor_plan_change change = {.plan = fault->plans[i].plan,
                                               .place = fault->plans[i].place,
                                               .trigger = fault->plans[i].trigger,
                                               .changes_context = fault->plans[i].changes_context,
                                               .context = fault->plans[i].context,
                                               .body = fault->plans[i].changes_body ? &fault->plans[i].body
                                                                                    : NULL,
                                               .absent = fault->plans[i].absent};
        COR_TRY_OUT(cor_agent_code_change(*code, &change, error));
    }
    for (uint32_t i = 0; i < fault->silent.count; i++)
        cor_agent_code_silence(*code, fault->silent.items[i]);
    for (uint32_t i = 0; i < fault->start_count; i++)
        (*code)->start[fault->starts[i].field] = fault->starts[i].value;
out:
    if (status != COR_OK) {
        cor_agent_code_destroy(*code);
        *code = NULL;
    }
    return status;
}

enum cor_status cor_agent_faults_find(const struct cor_agent_faults *faults, const char *name,
                                      uint32_t *index, struct cor_error *error) {
    return cor_names_find(COR_RECORD_NAMES(faults->faults, faults->count, struct cor_agent_fault, name), name,
                          NULL, index, error, "there is no fault \"%s\"", name);
}

/* Reading. */
struct reader {
    struct cor_design *design;
    struct cor_agent_faults *faults;
    struct cor_agent_fault *fault; /* under way */
    struct cor_fault_plan *plan;   /* under way */
    uint32_t belief;               /* under way */
};

static enum cor_status copy_string(const struct cor_json *json, char **copy, struct cor_error *error) {
    const char *text;
    COR_TRY(cor_json_string(json, &text, error));
    *copy = cor_strdup(text);
    return cor_made(*copy, error);
}

static enum cor_status read_name(const struct cor_json *json, void *into, struct cor_error *error) {
    struct reader *reader = into;
    const char *name;
    COR_TRY(cor_json_string(json, &name, error));
    if (name[0] == '\0' || !cor_is_printable(name))
        return cor_json_fail(json, error, "at least a letter, and no control characters",
                             "no name for a fault");
    for (uint32_t i = 0; i + 1 < reader->faults->count; i++)
        if (strcmp(reader->faults->faults[i].name, name) == 0)
            return cor_json_fail(json, error, "give each fault a name of its own",
                                 "two faults are called \"%s\"", name);
    return copy_string(json, &reader->fault->name, error);
}

static enum cor_status read_meaning(const struct cor_json *json, void *into, struct cor_error *error) {
    struct reader *reader = into;
    free(reader->fault->meaning);
    reader->fault->meaning = NULL;
    return copy_string(json, &reader->fault->meaning, error);
}

static enum cor_status read_context(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_fault_plan *plan = ((struct reader *)into)->plan;
    char place[COR_PLACE_BYTES];
    plan->changes_context = true;
    if (cor_json_is_null(json))
        return COR_OK;
    cor_json_place(json, place, sizeof place);
    free(plan->place);
    COR_TRY(cor_made(plan->place = cor_strdup(place), error));
    return copy_string(json, &plan->context, error);
}

static enum cor_status read_body(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_fault_plan *plan = ((struct reader *)into)->plan;
    plan->changes_body = true;
    return agent_layer__read_body(json, &plan->body, error);
}

static const struct cor_field trigger_fields[] = {
    {"trigger", COR_OPTIONAL, COR_COPY_FIELD(struct cor_fault_plan, trigger)}, {0}};
static const struct cor_field absent_fields[] = {
    {"absent", COR_OPTIONAL, COR_BOOL_FIELD(struct cor_fault_plan, absent)}, {0}};
static const struct cor_field plan_fields[] = {COR_ROWS_THROUGH(struct reader, plan, trigger_fields),
                                               {"context", COR_OPTIONAL, COR_READ_FIELD(read_context)},
                                               {"body", COR_OPTIONAL, COR_READ_FIELD(read_body)},
                                               COR_ROWS_THROUGH(struct reader, plan, absent_fields),
                                               {0}};

static enum cor_status read_plan(const struct cor_json *json, void *into, struct cor_error *error) {
    struct reader *reader = into;
    char place[COR_PLACE_BYTES];
    struct cor_fault_plan *plan = reader->plan = &reader->fault->plans[reader->fault->plan_count++];
    cor_body_init(&plan->body);
    cor_json_place(json, place, sizeof place);
    COR_TRY(cor_design_look_up(reader->design, COR_NAME_PLAN, json->key, place, &plan->plan, error));
    COR_TRY(cor_made(plan->place = cor_strdup(place), error));
    return cor_json_fields(json, plan_fields, reader, error);
}

static enum cor_status read_plans(const struct cor_json *json, void *into, struct cor_error *error) {
    struct reader *reader = into;
    reader->fault->plans = cor_calloc(cor_json_size(json), sizeof *reader->fault->plans);
    COR_TRY(cor_made(reader->fault->plans, error));
    return cor_json_each_member(json, read_plan, reader, error);
}

static enum cor_status read_silent(const struct cor_json *json, void *into, struct cor_error *error) {
    struct reader *reader = into;
    struct cor_indices *silent = &reader->fault->silent;
    bool is_silent;
    COR_TRY(cor_json_bool(json, &is_silent, error));
    if (!is_silent)
        return COR_OK;
    COR_TRY(COR_RESERVE(&silent->items, &silent->capacity, silent->count + 1, error));
    silent->items[silent->count++] = reader->belief;
    return COR_OK;
}

/* A field that starts as something else. */
static enum cor_status agent_fault_add_start(struct cor_agent_fault *fault, uint32_t field,
                                             struct cor_value value, struct cor_error *error) {
    size_t capacity = fault->start_count;
    COR_TRY(COR_RESERVE(&fault->starts, &capacity, fault->start_count + 1, error));
    fault->starts[fault->start_count++] = (struct cor_fault_start){field, value};
    return COR_OK;
}

static enum cor_status read_start(const struct cor_json *json, void *into, struct cor_error *error) {
    struct reader *reader = into;
    const char *belief = reader->design->beliefs[reader->belief].name;
    char place[COR_PLACE_BYTES], *full = cor_format("%s.%s", belief, json->key);
    struct cor_value value;
    uint32_t field;
    cor_json_place(json, place, sizeof place);
    enum cor_status status =
        full ? cor_design_look_up_field(reader->design, full, place, &field, error) : cor_fail_memory(error);
    free(full);
    COR_TRY(status);
    COR_TRY(
        agent_layer__read_value(json, reader->design, reader->design->fields[field].domain, &value, error));
    return agent_fault_add_start(reader->fault, field, value, error);
}

static const struct cor_field belief_fields[] = {{"silent", COR_OPTIONAL, COR_READ_FIELD(read_silent)},
                                                 {"start", COR_OPTIONAL, COR_MEMBERS_FIELD(read_start)},
                                                 {0}};

static enum cor_status read_belief(const struct cor_json *json, void *into, struct cor_error *error) {
    struct reader *reader = into;
    char place[COR_PLACE_BYTES];
    cor_json_place(json, place, sizeof place);
    COR_TRY(cor_design_look_up(reader->design, COR_NAME_BELIEF, json->key, place, &reader->belief, error));
    return cor_json_fields(json, belief_fields, reader, error);
}

static enum cor_status read_must(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_agent_fault *fault = ((struct reader *)into)->fault;
    COR_TRY(cor_json_expect_array(json, 0, FAULTS_MAX, error));
    COR_TRY(cor_made(fault->must = cor_calloc(cor_json_size(json), sizeof *fault->must), error));
    COR_JSON_CHILDREN(item, json) {
        /* [check, unit, about] */
        struct cor_fault_finding *finding = &fault->must[fault->must_count++];
        COR_TRY(cor_json_expect_array(&item, 3, 3, error));
        const struct cor_json check = cor_json_at(&item, 0), unit = cor_json_at(&item, 1),
                              about = cor_json_at(&item, 2);
        int number;
        COR_TRY(cor_json_term(&check, COR_FAMILY_AUT_CHECK, &number, error));
        COR_TRY(copy_string(&check, &finding->check, error));
        COR_TRY(copy_string(&unit, &finding->unit, error));
        COR_TRY(copy_string(&about, &finding->about, error));
    }
    return COR_OK;
}

static const struct cor_field fault_fields[] = {{"name", COR_REQUIRED, COR_READ_FIELD(read_name)},
                                                {"meaning", COR_OPTIONAL, COR_READ_FIELD(read_meaning)},
                                                {"plans", COR_OPTIONAL, COR_READ_FIELD(read_plans)},
                                                {"beliefs", COR_OPTIONAL, COR_MEMBERS_FIELD(read_belief)},
                                                {"must", COR_OPTIONAL, COR_READ_FIELD(read_must)},
                                                {0}};

/* An empty fault at the end, NULL when memory is out. */
static struct cor_agent_fault *agent_faults_add(struct cor_agent_faults *faults, struct cor_error *error) {
    if (COR_RESERVE(&faults->faults, &faults->capacity, faults->count + 1, error) != COR_OK)
        return NULL;
    struct cor_agent_fault *fault = &faults->faults[faults->count++];
    *fault = (struct cor_agent_fault){.meaning = cor_strdup("")};
    return cor_made(fault->meaning, error) == COR_OK ? fault : NULL;
}

static enum cor_status read_fault(const struct cor_json *json, void *into, struct cor_error *error) {
    /* A fault is applied once, so that what cannot be compiled is told when it is read. */
    struct reader *reader = into;
    COR_DESTROYED(cor_agent_code) struct cor_agent_code *code = NULL;
    reader->fault = agent_faults_add(reader->faults, error);
    if (!reader->fault)
        return COR_STATUS_MEMORY;
    COR_TRY(cor_json_fields(json, fault_fields, reader, error));
    if (reader->fault->plan_count + reader->fault->silent.count + reader->fault->start_count == 0)
        return cor_json_fail(json, error, "say with \"plans\" or \"beliefs\" what is otherwise",
                             "fault \"%s\" changes nothing", reader->fault->name);
    COR_TRY(cor_agent_fault_apply(reader->fault, reader->design, &code, error));
    return COR_OK;
}

static const struct cor_field root_fields[] = {
    {"version", COR_REQUIRED, COR_VERSION_FIELD},
    {"design", COR_OPTIONAL, COR_SAID_STRING_FIELD},
    {"note", COR_OPTIONAL, COR_SAID_STRING_FIELD},
    {"faults", COR_REQUIRED, COR_EACH_FIELD(read_fault, 0, FAULTS_MAX)},
    {0}};

static enum cor_status read_document_take(enum cor_status status, struct cor_json_document *document,
                                          struct cor_agent_faults *faults, struct cor_design *design,
                                          struct cor_error *error) {
    struct reader reader = {.design = design, .faults = faults};
    *faults = (struct cor_agent_faults){0};
    if (status != COR_OK)
        return status;
    const struct cor_json root = cor_json_root(document);
    struct cor_json list; /* an experiment names a file there */
    if (!cor_json_find(&root, "faults", &list) || !cor_json_is_array(&list))
        COR_TRY_OUT(cor_json_expect_kind(&root, COR_KIND_AGENT_FAULTS, error));
    COR_TRY_OUT(cor_json_fields(&root, root_fields, &reader, error));
    COR_TRY_OUT(cor_made(faults->text = cor_json_text(&root), error));
out:
    cor_json_destroy(document);
    if (status != COR_OK)
        cor_agent_faults_fini(faults);
    return status;
}

enum cor_status cor_agent_faults_read(struct cor_agent_faults *faults, const char *path,
                                      struct cor_design *design, struct cor_error *error) {
    struct cor_json_document *document = NULL;
    enum cor_status status = cor_json_read(path, &document, error);
    return read_document_take(status, document, faults, design, error);
}

enum cor_status cor_agent_faults_parse(struct cor_agent_faults *faults, const char *text, const char *name,
                                       struct cor_design *design, struct cor_error *error) {
    struct cor_json_document *document = NULL;
    enum cor_status status = cor_json_parse(text, name, &document, error);
    return read_document_take(status, document, faults, design, error);
}

/* ---- fault operators: each wherever it fits. What an operator makes of a plan is a row of `operators`
 * below; mutants that cannot be compiled (a constant off by one that is no integer any more) are dropped */

/* A change of one statement of a body, or none. */
struct edit {
    uint32_t statement; /* COR_NONE: none */
    bool drop;
    const char *subject, *text, *argument_text; /* NULL: as it is */
    uint32_t argument;
};
static const struct edit no_edit = {.statement = COR_NONE};

typedef enum cor_status text_edit(const char *text, struct cor_texts *texts, struct cor_error *error);

struct maker {
    struct cor_design *design;
    struct cor_agent_faults *mutants;
    uint32_t plan;
    enum cor_fault_operator operator;
    uint32_t count; /* of this operator and plan so far */
    struct cor_error *error;
    text_edit *edit; /* of its operator, as the next */
    enum cor_statement_kind kind;
};

static const struct cor_design_plan *plan_of(const struct maker *maker) {
    return &maker->design->plans[maker->plan];
}

static enum cor_status name_mutant(struct maker *maker, struct cor_agent_fault *fault, const char *on,
                                   const char *detail) {
    static const char *const meanings[COR_FAULT_OPERATOR_CODES] = {
#define COR_FAULT_OPERATOR_MEANING(P, NAME, number, word, meaning) [number] = meaning,
        COR_FAULT_OPERATORS(COR_FAULT_OPERATOR_MEANING, OPERATE)
#undef COR_FAULT_OPERATOR_MEANING
    };
    const char *word = cor_fault_operator_word(maker->operator);
    free(fault->meaning);
    fault->operator= maker->operator;
    fault->name = maker->count == 0 ? cor_format("%s(%s)", word, on)
                                    : cor_format("%s(%s)#%u", word, on, maker->count + 1);
    fault->meaning = cor_format("%s: %s%s%s", on, meanings[maker->operator], detail ? ": " : "",
                                detail ? detail : "");
    maker->count++;
    return fault->name && fault->meaning ? COR_OK : cor_fail_memory(maker->error);
}

/* A mutant of the plan under way, which is to be changed. */
static enum cor_status begin_mutant(struct maker *maker, const char *detail, struct cor_fault_plan **change) {
    struct cor_agent_fault *fault = agent_faults_add(maker->mutants, maker->error);
    if (!fault)
        return COR_STATUS_MEMORY;
    COR_TRY(name_mutant(maker, fault, plan_of(maker)->name, detail));
    COR_TRY(cor_made(fault->plans = cor_calloc(1, sizeof *fault->plans), maker->error));
    fault->plan_count = 1;
    *change = fault->plans;
    (*change)->plan = maker->plan;
    cor_body_init(&(*change)->body);
    return COR_OK;
}

/* The mutant that was begun last is whole: it stays if it can be compiled. */
static enum cor_status end(struct maker *maker) {
    struct cor_agent_code *code;
    struct cor_error said = COR_NO_ERROR;
    enum cor_status status = cor_agent_fault_apply(&maker->mutants->faults[maker->mutants->count - 1],
                                                   maker->design, &code, &said);
    if (status == COR_OK)
        cor_agent_code_destroy(code);
    else if (status == COR_STATUS_INPUT) {
        /* The last one goes. */
        COR_ASSERT(maker->mutants->count > 0);
        free_fault(&maker->mutants->faults[--maker->mutants->count]);
        maker->count--;
    } else
        return cor_fail_memory(maker->error);
    return COR_OK;
}

/* Ends of what is open, and beginnings of else-parts, before statement `at`. */
static void close_before(const struct cor_body *from, uint32_t at, struct cor_body *body,
                         const uint32_t *open, uint32_t *open_count) {
    while (*open_count > 0) {
        const struct cor_statement *inner = &from->statements[open[*open_count - 1]];
        if (inner->kind == COR_STATEMENT_IF && inner->otherwise == at && inner->otherwise < inner->end)
            cor_body_else(body);
        if (inner->end != at)
            return;
        cor_body_close(body);
        --*open_count;
    }
}

/* A copy of the body of the plan with one statement changed. */
static enum cor_status copy_body(const struct maker *maker, const struct edit *edit, struct cor_body *body) {
    const struct cor_body *from = &plan_of(maker)->body;
    uint32_t open_count = 0;
    COR_FREED uint32_t *open = cor_calloc(from->count, sizeof *open);
    COR_TRY(cor_made(open, maker->error));
    for (uint32_t s = 0; s < from->count; s++) {
        const struct cor_statement *of = &from->statements[s];
        bool is_edited = edit->statement == s;
        close_before(from, s, body, open, &open_count);
        if (is_edited && edit->drop)
            continue;
        COR_TRY(cor_body_add(body, of->kind, of->place,
                             is_edited && edit->subject ? edit->subject : of->subject,
                             is_edited && edit->text ? edit->text : of->text, of->optional, maker->error));
        if (of->aside)
            cor_body_set_aside(body);
        for (uint32_t a = 0; a < of->argument_count; a++) {
            bool other = is_edited && edit->argument_text && edit->argument == a;
            COR_TRY(cor_body_add_argument(body, of->arguments[a].name,
                                          other ? edit->argument_text : of->arguments[a].text, maker->error));
        }
        if (cor_statement_holds(of->kind))
            open[open_count++] = s;
    }
    close_before(from, from->count, body, open, &open_count);
    return COR_OK;
}

static enum cor_status change_body(struct maker *maker, const struct edit *edit, const char *detail) {
    struct cor_fault_plan *change;
    COR_TRY(begin_mutant(maker, detail, &change));
    change->changes_body = true;
    COR_TRY(copy_body(maker, edit, &change->body));
    return end(maker);
}

static enum cor_status change_context(struct maker *maker, const char *context) {
    struct cor_fault_plan *change;
    COR_TRY(begin_mutant(maker, context, &change));
    change->changes_context = true;
    change->context = cor_strdup(context);
    if (context)
        COR_TRY(cor_made(change->context, maker->error));
    return end(maker);
}

/* The plan as a whole. */
static enum cor_status plan_absent(struct maker *maker) {
    struct cor_fault_plan *change;
    COR_TRY(begin_mutant(maker, NULL, &change));
    change->absent = true;
    return end(maker);
}

static enum cor_status trigger_misspelt(struct maker *maker) {
    struct cor_fault_plan *change;
    const char *trigger = maker->design->events[plan_of(maker)->trigger].name;
    char *misspelt = cor_format("%s_", trigger);
    while (misspelt && cor_design_find(maker->design, COR_NAME_EVENT, misspelt) != COR_NONE) {
        char *longer = cor_format("%s_", misspelt);
        free(misspelt);
        misspelt = longer;
    }
    COR_TRY(cor_made(misspelt, maker->error));
    enum cor_status status = begin_mutant(maker, misspelt, &change);
    if (status != COR_OK) {
        free(misspelt);
        return status;
    }
    change->trigger = misspelt;
    return end(maker);
}

/* Contexts. */
static enum cor_status context_dropped(struct maker *maker) {
    return plan_of(maker)->context ? change_context(maker, NULL) : COR_OK;
}

static enum cor_status negate(const char *text, struct cor_texts *texts, struct cor_error *error) {
    return cor_texts_add_take(texts, cor_format("not (%s)", text), error);
}

static enum cor_status edit_context(struct maker *maker) {
    COR_FINISHED(cor_texts) struct cor_texts texts = {0};
    if (plan_of(maker)->context)
        COR_TRY(maker->edit(plan_of(maker)->context, &texts, maker->error));
    for (size_t i = 0; i < texts.count; i++)
        COR_TRY(change_context(maker, texts.items[i]));
    return COR_OK;
}

/* Conditions of bodies. */
static enum cor_status edit_conditions(struct maker *maker) {
    const struct cor_body *body = &plan_of(maker)->body;
    COR_FINISHED(cor_texts) struct cor_texts texts = {0};
    for (uint32_t s = 0; s < body->count; s++) {
        const struct cor_statement *statement = &body->statements[s];
        if (statement->kind != COR_STATEMENT_IF && statement->kind != COR_STATEMENT_WHILE)
            continue;
        COR_TRY(maker->edit(statement->text, &texts, maker->error));
        for (size_t i = 0; i < texts.count; i++)
            COR_TRY(
                change_body(maker, &(struct edit){.statement = s, .text = texts.items[i]}, texts.items[i]));
        cor_texts_fini(&texts);
    }
    return COR_OK;
}

/* Statements dropped. */
static enum cor_status drop_all(struct maker *maker, enum cor_statement_kind kind) {
    const struct cor_body *body = &plan_of(maker)->body;
    for (uint32_t s = 0; s < body->count; s++)
        if (body->statements[s].kind == kind)
            COR_TRY(change_body(maker, &(struct edit){.statement = s, .drop = true},
                                body->statements[s].subject));
    return COR_OK;
}

static enum cor_status drop(struct maker *maker) {
    return drop_all(maker, maker->kind);
}

static enum cor_status write_dropped(struct maker *maker) {
    COR_TRY(drop_all(maker, COR_STATEMENT_INSERT));
    COR_TRY(drop_all(maker, COR_STATEMENT_REMOVE));
    return drop_all(maker, COR_STATEMENT_SET);
}

/* Statements added at the end of the body. */
static enum cor_status append(struct maker *maker, enum cor_statement_kind kind, const char *subject,
                              const char *text, bool optional, struct cor_body **body) {
    struct cor_fault_plan *change;
    COR_TRY(begin_mutant(maker, subject, &change));
    change->changes_body = true;
    COR_TRY(copy_body(maker, &no_edit, &change->body));
    *body = &change->body;
    return cor_body_add(*body, kind, NULL, subject, text, optional, maker->error);
}

/* The first of `count` that is not in the list; COR_NONE if all are. */
static uint32_t first_other(const struct cor_indices *list, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        bool listed = false;
        for (uint32_t j = 0; j < list->count && !listed; j++)
            listed = list->items[j] == i;
        if (!listed)
            return i;
    }
    return COR_NONE;
}

/* An expression for a parameter: one of the plan's of that name and domain, or a value. */
static char *some_value(const struct maker *maker, const struct cor_design_parameter *parameter) {
    const struct cor_design *design = maker->design;
    const struct cor_design_event *trigger = &design->events[plan_of(maker)->trigger];
    for (uint32_t p = 0; p < trigger->parameter_count; p++)
        if (strcmp(trigger->parameters[p].name, parameter->name) == 0 &&
            trigger->parameters[p].domain == parameter->domain)
            return cor_strdup(parameter->name);
    const struct cor_domain *domain = &design->domains[parameter->domain];
    if (domain->type == COR_VALUE_TYPE_ENUMERATION) {
        char text[512];
        cor_value_text(cor_word(domain->words[0]), domain, &design->words, text, sizeof text);
        return cor_strdup(text);
    }
    return cor_strdup(domain->type == COR_VALUE_TYPE_BOOLEAN  ? "true"
                      : domain->type == COR_VALUE_TYPE_STRING ? "'a'"
                                                              : "1");
}

/* Gives the statement that was appended some arguments: the mutant is whole. */
static enum cor_status add_some_values(struct maker *maker, struct cor_body *body,
                                       const struct cor_design_parameter *parameters, uint32_t count) {
    for (uint32_t p = 0; p < count; p++) {
        COR_FREED char *value = some_value(maker, &parameters[p]);
        COR_TRY(cor_made(value, maker->error));
        COR_TRY(cor_body_add_argument(body, parameters[p].name, value, maker->error));
    }
    return end(maker);
}

/* An event that the plan may not post; its own trigger only where there is no other. */
static uint32_t unlisted_event(const struct maker *maker) {
    const struct cor_indices *posts = &plan_of(maker)->posts;
    uint32_t event = first_other(posts, maker->design->event_count);
    if (event != plan_of(maker)->trigger)
        return event;
    for (uint32_t e = event + 1; e < maker->design->event_count; e++) {
        bool listed = false;
        for (uint32_t i = 0; i < posts->count && !listed; i++)
            listed = posts->items[i] == e;
        if (!listed)
            return e;
    }
    return event;
}

static enum cor_status post_added(struct maker *maker) {
    uint32_t event = unlisted_event(maker);
    struct cor_body *body;
    if (event == COR_NONE)
        return COR_OK;
    const struct cor_design_event *of = &maker->design->events[event];
    COR_TRY(append(maker, COR_STATEMENT_POST, of->name, NULL, true, &body));
    return add_some_values(maker, body, of->parameters, of->parameter_count);
}

static enum cor_status send_added(struct maker *maker) {
    uint32_t message = first_other(&plan_of(maker)->sends, maker->design->message_count);
    struct cor_body *body;
    if (message == COR_NONE)
        return COR_OK;
    const struct cor_design_output *of = &maker->design->messages[message];
    COR_TRY(append(maker, COR_STATEMENT_SEND, of->name, NULL, false, &body));
    return add_some_values(maker, body, of->parameters, of->parameter_count);
}

static enum cor_status action_added(struct maker *maker) {
    uint32_t action = first_other(&plan_of(maker)->does, maker->design->action_count);
    struct cor_body *body;
    if (action == COR_NONE)
        return COR_OK;
    COR_TRY(append(maker, COR_STATEMENT_DO, maker->design->actions[action].name, NULL, false, &body));
    return end(maker);
}

/* The last field of the first belief set that the plan may not write gets the value it has. */
static enum cor_status write_added(struct maker *maker) {
    uint32_t belief = first_other(&plan_of(maker)->writes, maker->design->belief_count);
    struct cor_body *body;
    if (belief == COR_NONE || maker->design->beliefs[belief].field_count == 0)
        return COR_OK;
    const struct cor_design_belief *of = &maker->design->beliefs[belief];
    const char *field = maker->design->fields[of->first_field + of->field_count - 1].full_name;
    COR_TRY(append(maker, COR_STATEMENT_SET, field, field, false, &body));
    return end(maker);
}

static enum cor_status loop(struct maker *maker) {
    struct cor_body *body;
    COR_TRY(append(maker, COR_STATEMENT_WHILE, NULL, "true", false, &body));
    cor_body_close(body);
    return end(maker);
}

static enum cor_status fail(struct maker *maker) {
    struct cor_body *body;
    COR_TRY(append(maker, COR_STATEMENT_FAIL, NULL, NULL, false, &body));
    return end(maker);
}

/* Statements otherwise. */
static bool same_parameters(const struct cor_design_event *a, const struct cor_design_event *b) {
    if (a->parameter_count != b->parameter_count)
        return false;
    for (uint32_t p = 0; p < a->parameter_count; p++)
        if (strcmp(a->parameters[p].name, b->parameters[p].name) != 0 ||
            a->parameters[p].domain != b->parameters[p].domain)
            return false;
    return true;
}

/* The first other event that takes the same arguments. */
static enum cor_status post_another(struct maker *maker) {
    const struct cor_body *body = &plan_of(maker)->body;
    for (uint32_t s = 0; s < body->count; s++) {
        if (body->statements[s].kind != COR_STATEMENT_POST)
            continue;
        uint32_t event = cor_design_find(maker->design, COR_NAME_EVENT, body->statements[s].subject),
                 other = 0;
        while (other < maker->design->event_count &&
               (other == event ||
                !same_parameters(&maker->design->events[event], &maker->design->events[other])))
            other++;
        if (other == maker->design->event_count)
            continue;
        const char *name = maker->design->events[other].name;
        COR_TRY(change_body(maker, &(struct edit){.statement = s, .subject = name}, name));
    }
    return COR_OK;
}

/* One more and one less; what is no number cannot be compiled so. */
static enum cor_status change_value(struct maker *maker, uint32_t statement, uint32_t argument) {
    const struct cor_statement *of = &plan_of(maker)->body.statements[statement];
    bool is_argument = of->kind != COR_STATEMENT_SET;
    for (int less = 0; less < 2; less++) {
        COR_FREED char *text =
            cor_format("(%s) %c 1", is_argument ? of->arguments[argument].text : of->text, less ? '-' : '+');
        COR_TRY(cor_made(text, maker->error));
        struct edit edit = {.statement = statement, .argument = argument};
        *(is_argument ? &edit.argument_text : &edit.text) = text;
        COR_FREED char *detail =
            cor_format("%s = %s", is_argument ? of->arguments[argument].name : of->subject, text);
        COR_TRY(detail ? change_body(maker, &edit, detail) : cor_fail_memory(maker->error));
    }
    return COR_OK;
}

static enum cor_status argument_off(struct maker *maker) {
    const struct cor_body *body = &plan_of(maker)->body;
    for (uint32_t s = 0; s < body->count; s++)
        for (uint32_t a = 0; a < body->statements[s].argument_count; a++)
            COR_TRY(change_value(maker, s, a));
    return COR_OK;
}

static enum cor_status write_off(struct maker *maker) {
    const struct cor_body *body = &plan_of(maker)->body;
    for (uint32_t s = 0; s < body->count; s++)
        if (body->statements[s].kind == COR_STATEMENT_SET)
            COR_TRY(change_value(maker, s, 0));
    return COR_OK;
}

/* In the order of their numbers; those of belief sets come behind the plans. `edit`: of texts; `kind`: of the
 * statements that are dropped. */
static const struct {
    enum cor_status (*make)(struct maker *maker);
    text_edit *edit;
    enum cor_statement_kind kind;
} operators[COR_FAULT_OPERATOR_CODES] = {
    [COR_OPERATE_PLAN_ABSENT] = {plan_absent},
    [COR_OPERATE_TRIGGER_MISSPELT] = {trigger_misspelt},
    [COR_OPERATE_CONTEXT_DROPPED] = {context_dropped},
    [COR_OPERATE_CONTEXT_NEGATED] = {edit_context, negate},
    [COR_OPERATE_CONTEXT_RELATION] = {edit_context, cor_edit_relations},
    [COR_OPERATE_CONTEXT_CONSTANT] = {edit_context, cor_edit_constants},
    [COR_OPERATE_CONTEXT_TERM_DROPPED] = {edit_context, cor_edit_terms},
    [COR_OPERATE_BRANCH_RELATION] = {edit_conditions, cor_edit_relations},
    [COR_OPERATE_BRANCH_CONSTANT] = {edit_conditions, cor_edit_constants},
    [COR_OPERATE_BRANCH_SWAPPED] = {edit_conditions, negate},
    [COR_OPERATE_POST_DROPPED] = {drop, .kind = COR_STATEMENT_POST},
    [COR_OPERATE_POST_ADDED] = {post_added},
    [COR_OPERATE_POST_ANOTHER] = {post_another},
    [COR_OPERATE_ARGUMENT_OFF] = {argument_off},
    [COR_OPERATE_SEND_DROPPED] = {drop, .kind = COR_STATEMENT_SEND},
    [COR_OPERATE_SEND_ADDED] = {send_added},
    [COR_OPERATE_ACTION_DROPPED] = {drop, .kind = COR_STATEMENT_DO},
    [COR_OPERATE_ACTION_ADDED] = {action_added},
    [COR_OPERATE_WRITE_DROPPED] = {write_dropped},
    [COR_OPERATE_WRITE_ADDED] = {write_added},
    [COR_OPERATE_WRITE_OFF] = {write_off},
    [COR_OPERATE_LOOP] = {loop},
    [COR_OPERATE_FAIL] = {fail}};

/* Another value of the domain. */
static enum cor_status another_value(struct maker *maker, const struct cor_design_field *field,
                                     struct cor_value *value) {
    const struct cor_domain *domain = &maker->design->domains[field->domain];
    uint32_t word;
    *value = field->start;
    switch (domain->type) {
    case COR_VALUE_TYPE_INTEGER:
        value->as.integer += value->as.integer < INT64_MAX ? 1 : -1;
        return COR_OK;
    case COR_VALUE_TYPE_BOOLEAN:
        value->as.integer = !value->as.integer;
        return COR_OK;
    case COR_VALUE_TYPE_REAL:
        value->as.real = value->as.real == 0 ? 1 : value->as.real / 2;
        return COR_OK;
    case COR_VALUE_TYPE_STRING:
        COR_TRY(cor_words_intern(&maker->design->words, "a", &word, maker->error));
        *value = value->kind == COR_VALUE_NULL ? cor_word(word) : cor_null();
        return COR_OK;
    case COR_VALUE_TYPE_ENUMERATION:
        break;
    }
    for (uint32_t i = 0; i < domain->word_count && cor_value_equal(*value, field->start); i++)
        *value = cor_word(domain->words[i]);
    return COR_OK;
}

enum cor_status cor_agent_mutants(struct cor_agent_faults *mutants, struct cor_design *design,
                                  struct cor_error *error) {
    struct maker maker = {.design = design, .mutants = mutants, .error = error};
    enum cor_status status = COR_OK;
    *mutants = (struct cor_agent_faults){0};
    for (maker.plan = 0; maker.plan < design->plan_count; maker.plan++)
        for (maker.operator= 1; maker.operator<COR_FAULT_OPERATOR_CODES; maker.operator++) {
            maker.count = 0;
            maker.edit = operators[maker.operator].edit;
            maker.kind = operators[maker.operator].kind;
            if (operators[maker.operator].make)
                COR_TRY_OUT(operators[maker.operator].make(&maker));
        }
    for (uint32_t b = 0; b < design->belief_count; b++) {
        bool has_rules = false;
        for (uint32_t r = 0; r < maker.design->rule_count; r++)
            has_rules = has_rules || maker.design->rules[r].belief == b;
        if (has_rules) {
            struct cor_agent_fault *fault = agent_faults_add(maker.mutants, maker.error);
            if (!fault)
                COR_TRY_OUT(COR_STATUS_MEMORY);
            maker.operator= COR_OPERATE_RULE_SILENT;
            maker.count = 0;
            COR_TRY_OUT(name_mutant(&maker, fault, maker.design->beliefs[b].name, NULL));
            COR_TRY_OUT(COR_RESERVE(&fault->silent.items, &fault->silent.capacity, 1, maker.error));
            fault->silent.items[fault->silent.count++] = b;
        }
    }
    for (uint32_t f = 0; f < design->field_count; f++) {
        struct cor_value value;
        COR_TRY_OUT(another_value(&maker, &design->fields[f], &value));
        if (!design->fields[f].is_key && !maker.design->beliefs[design->fields[f].belief].is_relation &&
            !cor_value_equal(value, design->fields[f].start)) {
            struct cor_agent_fault *fault = agent_faults_add(maker.mutants, maker.error);
            if (!fault)
                COR_TRY_OUT(COR_STATUS_MEMORY);
            maker.operator= COR_OPERATE_START_OFF;
            maker.count = 0;
            COR_TRY_OUT(name_mutant(&maker, fault, design->fields[f].full_name, NULL));
            COR_TRY_OUT(agent_fault_add_start(fault, (uint32_t)(&design->fields[f] - maker.design->fields),
                                              value, maker.error));
        }
    }
out:
    if (status != COR_OK)
        cor_agent_faults_fini(mutants);
    return status;
}
