/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Faults of agents: read from files, applied to designs. */
#include "internal.h"

#include <corridor/array.h>
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
        free(fault->plans[i].place);
        free(fault->plans[i].trigger);
        free(fault->plans[i].context);
        cor_body_fini(&fault->plans[i].body);
    }
    for (uint32_t i = 0; i < fault->must_count; i++) {
        free(fault->must[i].check);
        free(fault->must[i].unit);
        free(fault->must[i].about);
    }
    free(fault->plans);
    free(fault->must);
    free(fault->silent.items);
    free(fault->starts);
    free(fault->name);
    free(fault->meaning);
}

void cor_agent_faults_fini(struct cor_agent_faults *faults) {
    for (uint32_t i = 0; i < faults->count; i++)
        free_fault(&faults->faults[i]);
    free(faults->faults);
    free(faults->text);
    *faults = (struct cor_agent_faults){0};
}

static enum cor_status apply_plan(const struct cor_fault_plan *plan, struct cor_agent_code *code,
                                  struct cor_error *error) {
    const struct cor_plan_change change = {.plan = plan->plan,
                                           .place = plan->place,
                                           .trigger = plan->trigger,
                                           .changes_context = plan->changes_context,
                                           .context = plan->context,
                                           .body = plan->changes_body ? &plan->body : NULL,
                                           .absent = plan->absent};
    return cor_agent_code_change(code, &change, error);
}

enum cor_status cor_agent_fault_apply(const struct cor_agent_fault *fault, struct cor_design *design,
                                      struct cor_agent_code **code, struct cor_error *error) {
    enum cor_status status = COR_OK;
    *code = cor_agent_code_create(design);
    COR_TRY(cor_made(*code, error));
    for (uint32_t i = 0; i < fault->plan_count; i++)
        COR_TRY_OUT(apply_plan(&fault->plans[i], *code, error));
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
                          NULL, "there is no fault", index, error);
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

static enum cor_status read_version(const struct cor_json *json, void *into, struct cor_error *error) {
    int64_t version;
    (void)into;
    COR_TRY(cor_json_integer(json, INT64_MIN, INT64_MAX, &version, error));
    return version == 1 ? COR_OK
                        : cor_json_fail(json, error, "this program reads version 1", "is of version %lld",
                                        (long long)version);
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

static enum cor_status read_trigger(const struct cor_json *json, void *into, struct cor_error *error) {
    return copy_string(json, &((struct reader *)into)->plan->trigger, error);
}

static enum cor_status read_context(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_fault_plan *plan = ((struct reader *)into)->plan;
    char place[COR_PLACE_BYTES];
    plan->changes_context = true;
    if (cor_json_is_null(json))
        return COR_OK;
    cor_json_place(json, place, sizeof place);
    free(plan->place);
    plan->place = cor_strdup(place);
    COR_TRY(cor_made(plan->place, error));
    return copy_string(json, &plan->context, error);
}

static enum cor_status read_body(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_fault_plan *plan = ((struct reader *)into)->plan;
    plan->changes_body = true;
    return agent_layer__read_body(json, &plan->body, error);
}

static enum cor_status read_absent(const struct cor_json *json, void *into, struct cor_error *error) {
    return cor_json_bool(json, &((struct reader *)into)->plan->absent, error);
}

static const struct cor_field plan_fields[] = {{"trigger", COR_OPTIONAL, COR_READ_FIELD(read_trigger)},
                                               {"context", COR_OPTIONAL, COR_READ_FIELD(read_context)},
                                               {"body", COR_OPTIONAL, COR_READ_FIELD(read_body)},
                                               {"absent", COR_OPTIONAL, COR_READ_FIELD(read_absent)},
                                               {0}};

static enum cor_status read_plans(const struct cor_json *json, void *into, struct cor_error *error) {
    struct reader *reader = into;
    COR_TRY(cor_json_expect_object(json, NULL, error));
    reader->fault->plans = cor_calloc(cor_json_size(json), sizeof *reader->fault->plans);
    COR_TRY(cor_made(reader->fault->plans, error));
    for (size_t i = 0; i < cor_json_size(json); i++) {
        const struct cor_json item = cor_json_at(json, i);
        char place[COR_PLACE_BYTES];
        struct cor_fault_plan *plan = reader->plan = &reader->fault->plans[reader->fault->plan_count++];
        cor_body_init(&plan->body);
        cor_json_place(&item, place, sizeof place);
        COR_TRY(cor_design_look_up(reader->design, COR_NAME_PLAN, item.key, place, &plan->plan, error));
        plan->place = cor_strdup(place);
        COR_TRY(cor_made(plan->place, error));
        COR_TRY(cor_json_fields(&item, plan_fields, reader, error));
    }
    return COR_OK;
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

enum cor_status agent_layer__agent_fault_add_start(struct cor_agent_fault *fault, uint32_t field,
                                                   struct cor_value value, struct cor_error *error) {
    size_t capacity = fault->start_count;
    COR_TRY(COR_RESERVE(&fault->starts, &capacity, fault->start_count + 1, error));
    fault->starts[fault->start_count++] = (struct cor_fault_start){field, value};
    return COR_OK;
}

static enum cor_status read_start(const struct cor_json *json, void *into, struct cor_error *error) {
    struct reader *reader = into;
    const char *belief = reader->design->beliefs[reader->belief].name;
    COR_TRY(cor_json_expect_object(json, NULL, error));
    for (size_t i = 0; i < cor_json_size(json); i++) {
        const struct cor_json item = cor_json_at(json, i);
        char place[COR_PLACE_BYTES], *full = cor_format("%s.%s", belief, item.key);
        struct cor_value value;
        uint32_t field;
        cor_json_place(&item, place, sizeof place);
        enum cor_status status = full ? cor_design_look_up_field(reader->design, full, place, &field, error)
                                      : cor_fail_memory(error);
        free(full);
        COR_TRY(status);
        COR_TRY(agent_layer__read_value(&item, reader->design, reader->design->fields[field].domain, &value,
                                        error));
        COR_TRY(agent_layer__agent_fault_add_start(reader->fault, field, value, error));
    }
    return COR_OK;
}

static const struct cor_field belief_fields[] = {{"silent", COR_OPTIONAL, COR_READ_FIELD(read_silent)},
                                                 {"start", COR_OPTIONAL, COR_READ_FIELD(read_start)},
                                                 {0}};

static enum cor_status read_beliefs(const struct cor_json *json, void *into, struct cor_error *error) {
    struct reader *reader = into;
    COR_TRY(cor_json_expect_object(json, NULL, error));
    for (size_t i = 0; i < cor_json_size(json); i++) {
        const struct cor_json item = cor_json_at(json, i);
        char place[COR_PLACE_BYTES];
        cor_json_place(&item, place, sizeof place);
        COR_TRY(cor_design_look_up(reader->design, COR_NAME_BELIEF, item.key, place, &reader->belief, error));
        COR_TRY(cor_json_fields(&item, belief_fields, reader, error));
    }
    return COR_OK;
}

static enum cor_status read_must(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_agent_fault *fault = ((struct reader *)into)->fault;
    COR_TRY(cor_json_expect_array(json, 0, FAULTS_MAX, error));
    fault->must = cor_calloc(cor_json_size(json), sizeof *fault->must);
    COR_TRY(cor_made(fault->must, error));
    for (size_t i = 0; i < cor_json_size(json); i++) {
        const struct cor_json item = cor_json_at(json, i);
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
                                                {"beliefs", COR_OPTIONAL, COR_READ_FIELD(read_beliefs)},
                                                {"must", COR_OPTIONAL, COR_READ_FIELD(read_must)},
                                                {0}};

struct cor_agent_fault *agent_layer__agent_faults_add(struct cor_agent_faults *faults,
                                                      struct cor_error *error) {
    if (COR_RESERVE(&faults->faults, &faults->capacity, faults->count + 1, error) != COR_OK)
        return NULL;
    struct cor_agent_fault *fault = &faults->faults[faults->count++];
    *fault = (struct cor_agent_fault){.meaning = cor_strdup("")};
    return cor_made(fault->meaning, error) == COR_OK ? fault : NULL;
}

void agent_layer__agent_faults_drop(struct cor_agent_faults *faults) {
    COR_ASSERT(faults->count > 0);
    free_fault(&faults->faults[--faults->count]);
}

/* A fault is applied once, so that what cannot be compiled is told when it is read. */
static enum cor_status read_fault(const struct cor_json *json, struct reader *reader,
                                  struct cor_error *error) {
    struct cor_agent_code *code;
    reader->fault = agent_layer__agent_faults_add(reader->faults, error);
    if (!reader->fault)
        return COR_STATUS_MEMORY;
    COR_TRY(cor_json_fields(json, fault_fields, reader, error));
    if (reader->fault->plan_count + reader->fault->silent.count + reader->fault->start_count == 0)
        return cor_json_fail(json, error, "say with \"plans\" or \"beliefs\" what is otherwise",
                             "fault \"%s\" changes nothing", reader->fault->name);
    COR_TRY(cor_agent_fault_apply(reader->fault, reader->design, &code, error));
    cor_agent_code_destroy(code);
    return COR_OK;
}

static enum cor_status read_faults(const struct cor_json *json, void *into, struct cor_error *error) {
    COR_TRY(cor_json_expect_array(json, 0, FAULTS_MAX, error));
    for (size_t i = 0; i < cor_json_size(json); i++) {
        const struct cor_json item = cor_json_at(json, i);
        COR_TRY(read_fault(&item, into, error));
    }
    return COR_OK;
}

static const struct cor_field root_fields[] = {
    {"version", COR_REQUIRED, COR_READ_FIELD(read_version)},
    {"design", COR_OPTIONAL, COR_READ_FIELD(agent_layer__read_note)},
    {"note", COR_OPTIONAL, COR_READ_FIELD(agent_layer__read_note)},
    {"faults", COR_REQUIRED, COR_READ_FIELD(read_faults)},
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
    faults->text = cor_json_text(&root);
    COR_TRY_OUT(cor_made(faults->text, error));
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
