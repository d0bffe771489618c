/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "external.h"

#include <corridor/array.h>

#include <stdlib.h>

#define LIST_LONGEST 1000 /* as of a module */

/* Reading goes in two steps: scalars into this, then lists, which are allocated. */
struct declared {
    struct host__external *external;
    const char *name, *version, *summary, *budget_unit;
    int64_t protocol;
    int shape;
    uint32_t capabilities;
    bool moves, restart;
};

static const char *const shapes[] = {"one_shot", "centralised", "decentralised", NULL};
static const char *const capabilities[] = {"anytime", "keeps", "limits", "moves", "restart",
                                           "covers",  "nests", "aims",   NULL};

static enum cor_status read_capabilities(const struct cor_json *json, void *into, struct cor_error *error) {
    static const uint32_t bits[] = {COR_ANYTIME, COR_KEEPS,  COR_LIMITS, 0,
                                    0,           COR_COVERS, COR_NESTS,  COR_AIMS};
    struct declared *declared = into;
    COR_TRY(cor_json_expect_array(json, 0, sizeof bits / sizeof *bits, error));
    for (size_t i = 0; i < cor_json_size(json); i++) {
        struct cor_json item = cor_json_at(json, i);
        int which = 0;
        COR_TRY(cor_json_one_of(&item, capabilities, "capability", &which, error));
        declared->capabilities |= bits[which];
        declared->moves |= which == 3;
        declared->restart |= which == 4;
    }
    return COR_OK;
}

#define REAL_MOST 1.7976931348623157e308
struct parameter {
    const char *name, *unit, *meaning;
    double value, min, max;
    bool is_integer;
};

static const struct cor_field parameter_fields[] = {
    {"name", COR_REQUIRED, COR_STRING_FIELD(struct parameter, name)},
    {"unit", COR_OPTIONAL, COR_STRING_FIELD(struct parameter, unit)},
    {"meaning", COR_REQUIRED, COR_STRING_FIELD(struct parameter, meaning)},
    {"default", COR_REQUIRED, COR_REAL_FIELD(struct parameter, value, -REAL_MOST, REAL_MOST)},
    {"min", COR_REQUIRED, COR_REAL_FIELD(struct parameter, min, -REAL_MOST, REAL_MOST)},
    {"max", COR_REQUIRED, COR_REAL_FIELD(struct parameter, max, -REAL_MOST, REAL_MOST)},
    {"integer", COR_OPTIONAL, COR_BOOL_FIELD(struct parameter, is_integer)},
    {0}};

/* Room for a list and the entry that ends it. */
static enum cor_status make_list(const struct cor_json *json, size_t size, void *list,
                                 struct cor_error *error) {
    void *made = cor_calloc(cor_json_size(json) + 1, size);
    *(void **)list = made;
    return cor_made(made, error);
}

static enum cor_status read_parameters(const struct cor_json *json, void *into, struct cor_error *error) {
    struct host__external *external = ((struct declared *)into)->external;
    COR_TRY(cor_json_expect_array(json, 0, LIST_LONGEST, error));
    COR_TRY(make_list(json, sizeof *external->parameters, &external->parameters, error));
    for (size_t i = 0; i < cor_json_size(json); i++) {
        struct cor_json item = cor_json_at(json, i);
        struct parameter p = {.unit = ""};
        COR_TRY(cor_json_fields(&item, parameter_fields, &p, error));
        external->parameters[i] =
            (struct cor_parameter){p.name, p.unit, p.meaning, p.value, p.min, p.max, p.is_integer};
    }
    return COR_OK;
}

struct counter {
    const char *name, *meaning;
    uint32_t buckets;
};

static const struct cor_field counter_fields[] = {
    {"name", COR_REQUIRED, COR_STRING_FIELD(struct counter, name)},
    {"meaning", COR_REQUIRED, COR_STRING_FIELD(struct counter, meaning)},
    {"buckets", COR_OPTIONAL, COR_INTEGER_FIELD(struct counter, buckets, 1, 65536)},
    {0}};

static enum cor_status read_counters(const struct cor_json *json, void *into, struct cor_error *error) {
    struct host__external *external = ((struct declared *)into)->external;
    COR_TRY(cor_json_expect_array(json, 0, LIST_LONGEST, error));
    COR_TRY(make_list(json, sizeof *external->counters, &external->counters, error));
    for (size_t i = 0; i < cor_json_size(json); i++) {
        struct cor_json item = cor_json_at(json, i);
        struct counter c = {.buckets = 1};
        COR_TRY(cor_json_fields(&item, counter_fields, &c, error));
        external->counters[i] = (struct cor_counter){c.name, c.meaning, c.buckets};
    }
    return COR_OK;
}

/* {NAME: MEANING}, as agents under test declare theirs. */
static enum cor_status read_faults(const struct cor_json *json, void *into, struct cor_error *error) {
    struct host__external *external = ((struct declared *)into)->external;
    COR_TRY(cor_json_expect_object(json, NULL, error));
    COR_TRY(make_list(json, sizeof *external->faults, &external->faults, error));
    for (size_t i = 0; i < cor_json_size(json); i++) {
        struct cor_json item = cor_json_at(json, i);
        external->faults[i].name = item.key;
        COR_TRY(cor_json_string(&item, &external->faults[i].meaning, error));
    }
    return COR_OK;
}

static enum cor_status read_texts(const struct cor_json *json, const char ***texts, struct cor_error *error) {
    COR_TRY(cor_json_expect_array(json, 0, LIST_LONGEST, error));
    COR_TRY(make_list(json, sizeof **texts, texts, error));
    for (size_t i = 0; i < cor_json_size(json); i++) {
        struct cor_json item = cor_json_at(json, i);
        COR_TRY(cor_json_string(&item, &(*texts)[i], error));
    }
    return COR_OK;
}

static enum cor_status read_constraints(const struct cor_json *json, void *into, struct cor_error *error) {
    return read_texts(json, &((struct declared *)into)->external->constraints, error);
}

static enum cor_status read_needs(const struct cor_json *json, void *into, struct cor_error *error) {
    return read_texts(json, &((struct declared *)into)->external->needs, error);
}

/* The version is read before anything else is believed. */
static enum cor_status read_protocol(const struct cor_json *json, void *into, struct cor_error *error) {
    struct declared *declared = into;
    COR_TRY(cor_json_integer(json, 0, INT64_MAX, &declared->protocol, error));
    if (declared->protocol >= 1 && declared->protocol <= HOST__PROTOCOL)
        return COR_OK;
    return cor_json_fail(json, error, "see corridor-protocol(7) of this version",
                         "the program speaks protocol %lld, but this is protocol %d",
                         (long long)declared->protocol, HOST__PROTOCOL);
}

static enum cor_status read_failed(const struct cor_json *json, void *into, struct cor_error *error) {
    const char *why;
    (void)into;
    COR_TRY(cor_json_string(json, &why, error));
    return cor_json_fail(json, error, NULL, "the program says that it cannot go on: %s", why);
}

static const struct cor_field version_fields[] = {{"failed", COR_OPTIONAL, COR_READ_FIELD(read_failed)},
                                                  {"protocol", COR_REQUIRED, COR_READ_FIELD(read_protocol)},
                                                  {0}};

static const struct cor_field hello_fields[] = {
    {"id", COR_REQUIRED, COR_KNOWN_FIELD},
    {"protocol", COR_REQUIRED, COR_KNOWN_FIELD},
    {"name", COR_REQUIRED, COR_STRING_FIELD(struct declared, name)},
    {"version", COR_REQUIRED, COR_STRING_FIELD(struct declared, version)},
    {"summary", COR_REQUIRED, COR_STRING_FIELD(struct declared, summary)},
    {"shape", COR_OPTIONAL, COR_ONE_OF_FIELD(struct declared, shape, shapes, 0, "shape")},
    {"budget_unit", COR_OPTIONAL, COR_STRING_FIELD(struct declared, budget_unit)},
    {"capabilities", COR_OPTIONAL, COR_READ_FIELD(read_capabilities)},
    {"parameters", COR_OPTIONAL, COR_READ_FIELD(read_parameters)},
    {"constraints", COR_OPTIONAL, COR_READ_FIELD(read_constraints)},
    {"counters", COR_OPTIONAL, COR_READ_FIELD(read_counters)},
    {"faults", COR_OPTIONAL, COR_READ_FIELD(read_faults)},
    {"needs", COR_OPTIONAL, COR_READ_FIELD(read_needs)},
    {0}};

enum cor_status host__external_declare(struct host__external *external, struct cor_error *error) {
    struct declared declared = {.external = external, .budget_unit = "calls"};
    COR_TRY(cor_json_parse(external->hello, external->command, &external->document, error));
    struct cor_json root = cor_json_root(external->document), id;
    COR_TRY(cor_json_expect_object(&root, NULL, error));
    COR_TRY(cor_json_members(&root, version_fields, &declared, error));
    COR_TRY(cor_json_fields(&root, hello_fields, &declared, error));
    int64_t answered = 0;
    COR_TRY(cor_json_need(&root, "id", &id, error));
    COR_TRY(cor_json_integer(&id, 1, 1, &answered, error));
    external->algorithm = (struct cor_algorithm){COR_ALGORITHM,
                                                 .name = declared.name,
                                                 .version = declared.version,
                                                 .summary = declared.summary,
                                                 .budget_unit = declared.budget_unit,
                                                 .capabilities = declared.capabilities,
                                                 .parameters = external->parameters,
                                                 .constraints = external->constraints,
                                                 .counters = external->counters,
                                                 .faults = external->faults,
                                                 .needs = external->needs};
    host__external_shape(&external->algorithm, (enum host__external_shape)declared.shape, declared.moves,
                         declared.restart);
    return host__algorithm_check(&external->algorithm, external->command, error);
}

void host__external_close(struct host__external *external) {
    if (!external)
        return;
    cor_json_destroy(external->document);
    free(external->command);
    free(external->hello);
    free(external->parameters);
    free(external->counters);
    free(external->faults);
    free(external->constraints);
    free(external->needs);
    free(external);
}
