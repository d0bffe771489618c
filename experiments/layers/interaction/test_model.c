/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/bytes.h>
#include <corridor/experiment.h>
#include <corridor/host.h>
#include <corridor/json_names.h>
#include <corridor/terms.h>

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Arrays that live while a vocabulary is made. */
struct names {
    const char **environments;
    const struct cor_profile **profiles;
    struct cor_state_class *classes;
    const char **parameters;
    bool *are_integer;
    const char **probes;
    uint32_t *bucket_counts;
};

static enum cor_status fill(const struct cor_test_model *model, const struct cor_arm *arm, struct names *n,
                            struct cor_case_condition_names *all, struct cor_error *error) {
    size_t classes = 0;
    for (uint32_t t = 0; t < model->type_count; t++)
        classes += model->types[t].fixed ? model->types[t].fixed->relevant_count : 0;
    const uint32_t parameters = arm ? cor_parameter_laws_size(arm->laws) : 0,
                   probes = arm ? cor_algorithm_counter_count(arm->algorithm) : 0;
    n->environments = cor_calloc(model->perceived_count, sizeof(char *));
    n->profiles = cor_calloc(model->perceived_count, sizeof(struct cor_profile *));
    n->classes = cor_calloc(classes, sizeof *n->classes);
    n->parameters = cor_calloc(parameters, sizeof(char *));
    n->are_integer = cor_calloc(parameters, sizeof *n->are_integer);
    n->probes = cor_calloc(probes, sizeof(char *));
    n->bucket_counts = cor_calloc(probes, sizeof *n->bucket_counts);
    if (!n->environments || !n->profiles || !n->classes || !n->parameters || !n->are_integer || !n->probes ||
        !n->bucket_counts)
        return cor_fail_memory(error);
    *all = (struct cor_case_condition_names){
        .environment_count = model->perceived_count,
        .environments = n->environments,
        .profiles = n->profiles,
        .classes = n->classes,
        .parameter_count = parameters,
        .parameters = n->parameters,
        .are_integer = n->are_integer,
        .reactions = arm != NULL,
        .probe_count = probes,
        .probes = n->probes,
        .bucket_counts = n->bucket_counts,
    };
    for (uint32_t e = 0; e < model->perceived_count; e++) {
        n->environments[e] = model->environments[e].name;
        n->profiles[e] = model->environments[e].profile;
    }
    /* The relevant states of types: what each calls several states of its environment together. Of several
     * environments together no state of one tells them. */
    for (uint32_t t = 0; t < model->type_count; t++) {
        const struct cor_agent_type *type = &model->types[t];
        for (uint32_t r = 0; type->fixed && type->other_count == 0 && r < type->fixed->relevant_count; r++) {
            struct cor_state_class class = {type->fixed->relevant_names[r], type->environment, 0};
            for (uint32_t s = 0; s < type->fixed->environment_states; s++)
                class.states |= type->fixed->relevant[s] == r ? UINT64_C(1) << s : 0;
            if (class.states)
                n->classes[all->class_count++] = class;
        }
    }
    for (uint32_t p = 0; p < parameters; p++) {
        n->parameters[p] = cor_parameter_laws_name(arm->laws, p);
        n->are_integer[p] = cor_parameter_laws_is_integer(arm->laws, p);
    }
    for (uint32_t p = 0; p < probes; p++) {
        n->probes[p] = arm->algorithm->counters[p].name;
        n->bucket_counts[p] = arm->algorithm->counters[p].bucket_count;
    }
    return COR_OK;
}

enum cor_status cor_model_vocabulary(const struct cor_test_model *model, const struct cor_arm *arm,
                                     struct cor_vocabulary **vocabulary, struct cor_error *error) {
    struct names names = {0};
    struct cor_case_condition_names all;
    enum cor_status status = fill(model, arm, &names, &all, error);
    if (status == COR_OK)
        status = cor_vocabulary_create(&all, vocabulary, error);
    COR_FREE(names.environments, names.profiles, names.classes, names.parameters, names.are_integer,
             names.probes, names.bucket_counts);
    return status;
}

/* ---- attributes of agents in a model: what is declared, and how the agents of each type come by it */

#define NUMBER_MAX 1e12       /* magnitude of a real that a file gives */
#define SPAN_MAX 4294967294.0 /* of integers that are drawn */
#define WORDS_MAX 1000

static const char *const type_keys[] = {"real", "integer", "boolean", "words", NULL};
static const char *const source_keys[] = {"value", "draw", "level", "is", "adds", NULL};
#define SOURCES "one of \"value\", \"draw\", \"level\", \"is\", \"adds\""

const struct cor_field cor_attribute_fields[] = {
    {"real", COR_OPTIONAL, COR_KNOWN_FIELD},    {"integer", COR_OPTIONAL, COR_KNOWN_FIELD},
    {"boolean", COR_OPTIONAL, COR_KNOWN_FIELD}, {"words", COR_OPTIONAL, COR_KNOWN_FIELD},
    {"unit", COR_OPTIONAL, COR_KNOWN_FIELD},    {0}};

static const struct cor_field source_fields[] = {
    {"value", COR_OPTIONAL, COR_KNOWN_FIELD}, {"draw", COR_OPTIONAL, COR_KNOWN_FIELD},
    {"level", COR_OPTIONAL, COR_KNOWN_FIELD}, {"inertia", COR_OPTIONAL, COR_KNOWN_FIELD},
    {"is", COR_OPTIONAL, COR_KNOWN_FIELD},    {"adds", COR_OPTIONAL, COR_KNOWN_FIELD},
    {"from", COR_OPTIONAL, COR_KNOWN_FIELD},  {0}};

/* A declaration that may say for all types how they come by it. */
static const struct cor_field model_attribute_fields[] = {
    COR_ROWS_OF(cor_attribute_fields), COR_ROWS_OF(source_fields), {0}};

/* How many of the keys the object has; *which is the last of them. */
static int count_keys(const struct cor_json *json, const char *const *keys, int *which,
                      struct cor_json *child) {
    int count = 0;
    for (int k = 0; keys[k]; k++)
        if (cor_json_find(json, keys[k], child)) {
            *which = k;
            count++;
        }
    if (count > 0)
        cor_json_find(json, keys[*which], child);
    return count;
}

static enum cor_status read_bounds(const struct cor_json *json, struct cor_agent_attribute *attribute,
                                   struct cor_error *error) {
    bool is_any;
    attribute->low = -INFINITY;
    attribute->high = INFINITY;
    if (attribute->type == COR_ATTRIBUTE_BOOLEAN || !cor_json_is_array(json)) {
        COR_TRY(cor_json_bool(json, &is_any, error));
        if (!is_any)
            return cor_json_fail(json, error, "true", "is false, which says nothing of an attribute");
    } else if (attribute->type == COR_ATTRIBUTE_REAL) {
        COR_TRY(cor_json_range(json, -NUMBER_MAX, NUMBER_MAX, &attribute->low, &attribute->high, error));
    } else {
        int64_t low, high;
        COR_TRY(cor_json_expect_array(json, 2, 2, error));
        const struct cor_json first = cor_json_at(json, 0), second = cor_json_at(json, 1);
        COR_TRY(cor_json_integer(&first, -(int64_t)NUMBER_MAX, (int64_t)NUMBER_MAX, &low, error));
        COR_TRY(cor_json_integer(&second, low, (int64_t)NUMBER_MAX, &high, error));
        attribute->low = (double)low;
        attribute->high = (double)high;
    }
    if (attribute->type == COR_ATTRIBUTE_BOOLEAN) {
        attribute->low = 0;
        attribute->high = 1;
    }
    return COR_OK;
}

static enum cor_status read_words(const struct cor_json *json, struct cor_agent_attribute *attribute,
                                  struct cor_error *error) {
    COR_TRY(cor_json_expect_array(json, 1, WORDS_MAX, error));
    attribute->words = cor_calloc(cor_json_size(json) + 1, sizeof *attribute->words);
    COR_TRY(cor_made(attribute->words, error));
    COR_JSON_CHILDREN(item, json) {
        COR_TRY(interaction__read_name(&item, "a word", &attribute->words[item.index], error));
        attribute->word_count++;
        for (size_t before = 0; before < item.index; before++)
            if (strcmp(attribute->words[before], attribute->words[item.index]) == 0)
                return cor_json_fail(&item, error, NULL, "\"%s\" is there twice",
                                     attribute->words[item.index]);
    }
    attribute->low = 0;
    attribute->high = attribute->word_count - 1;
    return COR_OK;
}

enum cor_status cor_attribute_read(const struct cor_json *json, const char *name,
                                   struct cor_agent_attribute *attribute, struct cor_error *error) {
    static const char remedy[] = "one of \"real\": [low, high], \"integer\": [low, high] (or true: any), "
                                 "\"boolean\": true, \"words\": [..]";
    struct cor_json child;
    int which = 0;
    attribute->name = cor_strdup(name);
    attribute->unit = cor_strdup("");
    if (!attribute->name || !attribute->unit)
        return cor_fail_memory(error);
    if (cor_json_is_string(json)) {
        COR_TRY(cor_json_one_of(json, type_keys, "type", &which, error));
        attribute->type = (enum cor_attribute_type)which;
        if (attribute->type == COR_ATTRIBUTE_WORDS)
            return cor_json_fail(json, error, "{\"words\": [\"one\", \"two\"]}", "does not say which words");
        attribute->low = attribute->type == COR_ATTRIBUTE_BOOLEAN ? 0 : -INFINITY;
        attribute->high = attribute->type == COR_ATTRIBUTE_BOOLEAN ? 1 : INFINITY;
        return COR_OK;
    }
    if (!cor_json_is_object(json))
        return cor_json_fail(json, error, remedy, "says no type of an attribute");
    const int types = count_keys(json, type_keys, &which, &child);
    if (types != 1)
        return cor_json_fail(json, error, remedy, types == 0 ? "says no type" : "says more than one type");
    attribute->type = (enum cor_attribute_type)which;
    COR_TRY(attribute->type == COR_ATTRIBUTE_WORDS ? read_words(&child, attribute, error)
                                                   : read_bounds(&child, attribute, error));
    if (!cor_json_find(json, "unit", &child))
        return COR_OK;
    if (attribute->type != COR_ATTRIBUTE_REAL && attribute->type != COR_ATTRIBUTE_INTEGER)
        return cor_json_fail(&child, error, "leave it out", "has a meaning with numbers alone");
    free(attribute->unit);
    attribute->unit = NULL;
    return interaction__read_name(&child, "a unit", &attribute->unit, error);
}

void cor_attribute_put(struct cor_json_writer *writer, const struct cor_agent_attribute *attribute) {
    const char *key = type_keys[attribute->type];
    if (attribute->type == COR_ATTRIBUTE_WORDS) {
        cor_json_open_array(writer, key);
        for (uint32_t w = 0; w < attribute->word_count; w++)
            cor_json_put_string(writer, NULL, attribute->words[w]);
        cor_json_close(writer);
    } else if (attribute->type == COR_ATTRIBUTE_BOOLEAN || isinf(attribute->low)) {
        cor_json_put_bool(writer, key, true);
    } else {
        cor_json_open_array(writer, key);
        cor_attribute_put_number(writer, attribute, attribute->low);
        cor_attribute_put_number(writer, attribute, attribute->high);
        cor_json_close(writer);
    }
    if (attribute->unit[0])
        cor_json_put_string(writer, "unit", attribute->unit);
}

enum cor_status cor_attribute_read_named(const struct cor_json *json, const struct cor_field *fields,
                                         struct cor_agent_attribute *attribute, struct cor_error *error) {
    struct cor_json name;
    const char *text;
    COR_TRY(cor_json_expect_fields(json, fields, error));
    COR_TRY(cor_json_need(json, "name", &name, error));
    COR_TRY(cor_json_string(&name, &text, error));
    COR_TRY(interaction__check_name(&name, text, "an attribute", error));
    return cor_attribute_read(json, text, attribute, error);
}

enum cor_status cor_attribute_read_number(const struct cor_json *json,
                                          const struct cor_agent_attribute *attribute, double *number,
                                          struct cor_error *error) {
    bool truth = false;
    int64_t integer = 0;
    int which = 0;
    switch (attribute->type) {
    case COR_ATTRIBUTE_REAL:
        return cor_json_real(json, isinf(attribute->low) ? -NUMBER_MAX : attribute->low,
                             isinf(attribute->high) ? NUMBER_MAX : attribute->high, number, error);
    case COR_ATTRIBUTE_INTEGER:
        COR_TRY(cor_json_integer(json, (int64_t)(isinf(attribute->low) ? -NUMBER_MAX : attribute->low),
                                 (int64_t)(isinf(attribute->high) ? NUMBER_MAX : attribute->high), &integer,
                                 error));
        *number = (double)integer;
        return COR_OK;
    case COR_ATTRIBUTE_BOOLEAN:
        COR_TRY(cor_json_bool(json, &truth, error));
        *number = truth;
        return COR_OK;
    case COR_ATTRIBUTE_WORDS:
        COR_TRY(cor_json_one_of(json, (const char *const *)attribute->words, "word", &which, error));
        *number = which;
        return COR_OK;
    }
    COR_ASSERT(false && "a type of attributes");
}

void cor_attribute_put_number(struct cor_json_writer *writer, const struct cor_agent_attribute *attribute,
                              double number) {
    if (isnan(number))
        cor_json_put_string(writer, NULL, NULL);
    else if (attribute->type == COR_ATTRIBUTE_REAL)
        cor_json_put_real(writer, NULL, number);
    else if (attribute->type == COR_ATTRIBUTE_INTEGER)
        cor_json_put_integer(writer, NULL, (int64_t)number);
    else if (attribute->type == COR_ATTRIBUTE_BOOLEAN)
        cor_json_put_bool(writer, NULL, number > 0);
    else
        cor_json_put_string(writer, NULL, attribute->words[(uint32_t)number]);
}

/* plugin.h, which includes nothing of ours, counts the types as sim/core does. */
_Static_assert((int)COR_COLUMN_REAL == COR_ATTRIBUTE_REAL &&
                   (int)COR_COLUMN_INTEGER == COR_ATTRIBUTE_INTEGER &&
                   (int)COR_COLUMN_BOOLEAN == COR_ATTRIBUTE_BOOLEAN &&
                   (int)COR_COLUMN_WORDS == COR_ATTRIBUTE_WORDS,
               "the types of columns");

enum cor_status cor_attribute_columns(const struct cor_agent_attribute *attributes, uint32_t count,
                                      struct cor_value_column **columns, struct cor_error *error) {
    COR_TRY(cor_made(*columns = cor_calloc((size_t)1 + count, sizeof **columns), error));
    (*columns)[0] = (struct cor_value_column){.name = "value", .unit = "", .max = 1};
    for (uint32_t a = 0; a < count; a++) {
        const struct cor_agent_attribute *attribute = &attributes[a];
        (*columns)[1 + a] = (struct cor_value_column){.name = attribute->name,
                                                      .unit = attribute->unit,
                                                      .type = attribute->type,
                                                      .word_count = attribute->word_count,
                                                      .words = (const char *const *)attribute->words,
                                                      .min = attribute->low,
                                                      .max = attribute->high};
    }
    return COR_OK;
}

enum cor_status cor_attribute_check_columns(const struct cor_agent_attribute *attributes, uint32_t count,
                                            const char *what, const char *whose, const char *const *needs,
                                            const char *place, struct cor_error *error) {
    const char *names[COR_ATTRIBUTES_MAX + 1] = {NULL};
    for (uint32_t a = 0; a < count; a++)
        names[a] = attributes[a].name;
    for (uint32_t i = 0; needs && needs[i]; i++) {
        char name[COR_NEED_SIZE], unit[COR_NEED_SIZE], known[1024] = "no agent has an attribute here";
        const bool is_said = cor_algorithm_need(needs[i], name, unit);
        COR_ASSERT(is_said);
        const uint32_t a = cor_attribute_find(attributes, count, name);
        if (a != COR_NOBODY && (!unit[0] || strcmp(unit, attributes[a].unit) == 0))
            continue;
        if (a != COR_NOBODY)
            return cor_fail(error, COR_STATUS_INPUT, place, "declare it in that unit",
                            "%s \"%s\" needs the attribute \"%s\" in %s, and here it is %s%s", what, whose,
                            name, unit, attributes[a].unit[0] ? "in " : "without a unit", attributes[a].unit);
        if (count > 0)
            cor_known_names(name, names, known, sizeof known);
        return cor_fail(error, COR_STATUS_INPUT, place, known,
                        "%s \"%s\" needs the attribute \"%s\", and there is none of that name", what, whose,
                        name);
    }
    return COR_OK;
}

enum cor_status cor_attribute_check_needs(const struct cor_agent_attribute *attributes, uint32_t count,
                                          const struct cor_algorithm *algorithm, const char *place,
                                          struct cor_error *error) {
    return cor_attribute_check_columns(attributes, count, "algorithm", algorithm->name, algorithm->needs,
                                       place, error);
}

/* The attributes that a model declares, into the model (a field of it). Their laws are read with the types.
 */
static enum cor_status read_attributes(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_test_model *model = into;
    struct cor_json child;
    int which;
    model->attributes_json = *json;
    COR_TRY(cor_json_expect_object(json, NULL, error));
    const size_t count = cor_json_size(json);
    if (count > COR_ATTRIBUTES_MAX)
        return cor_json_fail(json, error, NULL, "has %zu attributes, expected at most %d", count,
                             COR_ATTRIBUTES_MAX);
    model->attributes = cor_calloc(count, sizeof *model->attributes);
    model->attribute_json = cor_calloc(count, sizeof *model->attribute_json);
    model->attribute_texts = cor_calloc(count, sizeof *model->attribute_texts);
    COR_TRY(cor_made(model->attributes, error));
    COR_TRY(cor_made(model->attribute_texts, error));
    COR_TRY(cor_made(model->attribute_json, error));
    for (size_t a = 0; a < count; a++) {
        struct cor_json *item = &model->attribute_json[a];
        *item = cor_json_at(&model->attributes_json, a);
        model->attribute_count++;
        /* A name by which expressions and corridors can ask for it. */
        static const char *const taken[] = {"value",    "type",    "state",  "group",
                                            "agents",   "members", "id",     "organizations",
                                            "children", "level",   "parent", NULL};
        static const char *const words[] = {"and", "or",  "not", "implies",  "true",  "false",  "null",
                                            "min", "max", "abs", "ceil_div", "in",    "where",  "all",
                                            "any", "one", "sum", "mean",     "count", "before", NULL};
        const char *name = item->key;
        bool good = isalpha((unsigned char)name[0]) || name[0] == '_';
        for (size_t i = 0; name[i]; i++)
            good = good && (isalnum((unsigned char)name[i]) || name[i] == '_') && i < 40;
        if (!good)
            return cor_json_fail(item, error, "a letter, then letters, digits and _, at most 40",
                                 "no name for an attribute");
        for (size_t i = 0; taken[i]; i++)
            if (strcmp(name, taken[i]) == 0)
                return cor_json_fail(item, error, "choose another name",
                                     "\"%s\" means something else already", name);
        for (size_t i = 0; words[i]; i++)
            if (strcmp(name, words[i]) == 0)
                return cor_json_fail(item, error, "choose another name",
                                     "\"%s\" is a word of the language of expressions", name);
        if (cor_json_is_object(item))
            COR_TRY(cor_json_expect_fields(item, model_attribute_fields, error));
        COR_TRY(cor_attribute_read(item, item->key, &model->attributes[a], error));
        if (count_keys(item, source_keys, &which, &child) > 1)
            return cor_json_fail(item, error, SOURCES, "says more than once where it is from");
        const struct cor_agent_attribute *attribute = &model->attributes[a];
        char *text = cor_strdup(type_keys[attribute->type]);
        for (uint32_t w = 0; w < attribute->word_count; w++)
            text = cor_join_take(text, w > 0 ? ", " : " ", cor_strdup(attribute->words[w]));
        if (attribute->type != COR_ATTRIBUTE_WORDS && attribute->type != COR_ATTRIBUTE_BOOLEAN &&
            isfinite(attribute->low))
            text = cor_join_take(text, " ", cor_format("%.10g .. %.10g", attribute->low, attribute->high));
        if (attribute->unit[0])
            text = cor_join_take(text, " ", cor_format("[%s]", attribute->unit));
        model->attribute_texts[a] = text;
        COR_TRY(cor_made(model->attribute_texts[a], error));
    }
    return COR_OK;
}

/* ---- how the agents of a type come by an attribute */

struct law_reader {
    const struct cor_test_model *model;
    const struct cor_agent_type *type;
    uint32_t index;
    const struct cor_agent_attribute *attribute;
    struct cor_attribute_law *law;
    struct cor_error *error;
};

static enum cor_status read_value(struct law_reader *r, const struct cor_json *json) {
    COR_TRY(cor_attribute_read_number(json, r->attribute, &r->law->low, r->error));
    r->law->high = r->law->low;
    return COR_OK;
}

/* Two numbers of the attribute, the second not below the first. */
static enum cor_status read_draw_range(struct law_reader *r, const struct cor_json *json) {
    COR_TRY(cor_json_expect_array(json, 2, 2, r->error));
    const struct cor_json first = cor_json_at(json, 0), second = cor_json_at(json, 1);
    const struct cor_json *bounds[] = {&first, &second};
    for (size_t i = 0; i < 2; i++)
        if (cor_json_is_string(bounds[i]))
            return cor_json_fail(bounds[i], r->error, "draw it between two numbers",
                                 "a bound of an attribute is a number; it cannot follow from parameters");
    struct cor_agent_attribute upper = *r->attribute;
    COR_TRY(cor_attribute_read_number(&first, r->attribute, &r->law->low, r->error));
    upper.low = r->law->low;
    COR_TRY(cor_attribute_read_number(&second, &upper, &r->law->high, r->error));
    if (r->attribute->type == COR_ATTRIBUTE_INTEGER && r->law->high - r->law->low > SPAN_MAX)
        return cor_json_fail(json, r->error, NULL, "spans more than 4294967294");
    return COR_OK;
}

/* Shares of codes, as weights: {"near": 1, "far": 3}, or a list of words that are equally likely. */
static enum cor_status read_shares(struct law_reader *r, const struct cor_json *json) {
    static char no[] = "false", yes[] = "true";
    char *truths[] = {no, yes, NULL}, **words = r->attribute->words;
    uint32_t count = r->attribute->word_count;
    if (r->attribute->type == COR_ATTRIBUTE_BOOLEAN) {
        words = truths;
        count = 2;
    }
    double total = 0, sum = 0;
    COR_TRY(cor_made(r->law->cumulative = cor_calloc(count, sizeof *r->law->cumulative), r->error));
    if (!cor_json_is_array(json))
        COR_TRY(cor_json_expect_object(json, (const char *const *)words, r->error));
    COR_JSON_CHILDREN(item, json) {
        double weight = 1, code = 0;
        if (cor_json_is_array(json)) {
            COR_TRY(cor_attribute_read_number(&item, r->attribute, &code, r->error));
        } else {
            COR_TRY(cor_json_real(&item, 0, NUMBER_MAX, &weight, r->error));
            while (strcmp(words[(uint32_t)code], item.key) != 0)
                code++;
        }
        r->law->cumulative[(uint32_t)code] += weight;
        total += weight;
    }
    if (!(total > 0))
        return cor_json_fail(json, r->error, "a positive weight of one at least", "draws nothing");
    for (uint32_t w = 0; w < count; w++) {
        sum += r->law->cumulative[w];
        r->law->cumulative[w] = sum / total;
    }
    return COR_OK;
}

/* A number for each state of the type. */
static enum cor_status read_levels(struct law_reader *r, const struct cor_json *json) {
    const struct cor_influence *fixed = r->type->fixed;
    if (!fixed) {
        if (r->attribute->type != COR_ATTRIBUTE_REAL || !cor_json_is_array(json))
            return cor_json_fail(json, r->error,
                                 "\"level\": [low, high] of a real attribute: drawn for each state",
                                 "the type \"%s\" has no states with names to give levels to", r->type->name);
        return read_draw_range(r, json);
    }
    if (!cor_json_is_object(json))
        return cor_json_fail(json, r->error, "{\"state\": what it is in it, ..}",
                             "gives no level to each state of the type \"%s\"", r->type->name);
    COR_TRY(cor_json_expect_object(json, (const char *const *)fixed->state_names, r->error));
    COR_TRY(cor_made(r->law->level = cor_calloc(fixed->state_count, sizeof *r->law->level), r->error));
    for (uint32_t s = 0; s < fixed->state_count; s++) {
        struct cor_json child;
        COR_TRY(cor_json_need(json, fixed->state_names[s], &child, r->error));
        COR_TRY(cor_attribute_read_number(&child, r->attribute, &r->law->level[s], r->error));
    }
    return COR_OK;
}

/* A source in full: an object with one of its keys. */
static enum cor_status read_source(struct law_reader *r, const struct cor_json *json) {
    struct cor_json child, inertia;
    int which = 0;
    if (count_keys(json, source_keys, &which, &child) != 1)
        return cor_json_fail(json, r->error, SOURCES, "does not say, once, where \"%s\" is from",
                             r->attribute->name);
    if (cor_json_find(json, "inertia", &inertia)) {
        if (which != 2)
            return cor_json_fail(&inertia, r->error, "leave it out", "has a meaning with \"level\" alone");
        COR_TRY(cor_json_bool(&inertia, &r->law->has_inertia, r->error));
        if (r->law->has_inertia && r->attribute->type != COR_ATTRIBUTE_REAL)
            return cor_json_fail(&inertia, r->error, "leave it out, or make it a real one",
                                 "only real attributes go to their level bit by bit");
    }
    struct cor_json from;
    const bool adds = which == 4, has_from = cor_json_find(json, "from", &from);
    if (adds && !has_from)
        return cor_json_fail(json, r->error, "\"from\": a number, or [low, high] to draw it of each agent",
                             "does not say what \"%s\" is at first", r->attribute->name);
    if (has_from && !adds)
        return cor_json_fail(&from, r->error, "leave it out", "has a meaning with \"adds\" alone");
    switch (which) {
    case 0:
        return read_value(r, &child);
    case 1:
        if (r->attribute->type == COR_ATTRIBUTE_WORDS || r->attribute->type == COR_ATTRIBUTE_BOOLEAN)
            return read_shares(r, &child);
        if (!cor_json_is_array(&child))
            return cor_json_fail(&child, r->error, "[low, high]", "is no range to draw from");
        return read_draw_range(r, &child);
    case 2:
        r->law->source = COR_ATTRIBUTE_LEVEL;
        return read_levels(r, &child);
    default:
        r->law->source = adds ? COR_ATTRIBUTE_ADDED : COR_ATTRIBUTE_COMPUTED;
        COR_TRY(interaction__read_formula(&child, r->model->attributes, r->model->attribute_count, r->index,
                                          adds, &r->law->formula, r->error));
        return !adds ? COR_OK : cor_json_is_array(&from) ? read_draw_range(r, &from) : read_value(r, &from);
    }
}

/* What the type says of an attribute, or else the model of all types. */
static enum cor_status read_law(struct law_reader *r, const struct cor_json *laws) {
    struct cor_json own, child;
    int which;
    if (laws && cor_json_find(laws, r->attribute->name, &own)) {
        if (!cor_json_is_object(&own))
            return read_value(r, &own);
        COR_TRY(cor_json_expect_fields(&own, source_fields, r->error));
        return read_source(r, &own);
    }
    const struct cor_json *declared = &r->model->attribute_json[r->index];
    if (count_keys(declared, source_keys, &which, &child) > 0)
        return read_source(r, declared);
    return cor_json_fail(&r->type->json, r->error,
                         "\"attributes\": {name: a value, or {\"draw\": ..}, {\"level\": ..}, {\"is\": ..} "
                         "or {\"adds\": ..}}; "
                         "or say it for all types where it is declared",
                         "does not say where the attribute \"%s\" is from", r->attribute->name);
}

/* ---- how many agents are of each type (003, 4.1): "count" or "share" of a type, given or in a range. A
 * range is a parameter of the suite, "count_" and the name of the type, which takes part in its constraints;
 * that all of them fit is one more. The laws are written as a text of their own and read as any others */

#define SHARES 1000000 /* shares of agents are counted in millionths */

enum { NAME_SIZE = 41 };

struct writer {
    const struct cor_test_model *model;
    struct cor_arm *arm;
    char *agents;                        /* owned; the number of agents as an expression */
    struct cor_json_writer *parameters;  /* owned; one stage */
    struct cor_json_writer *constraints; /* owned; texts */
    uint32_t ranges, said;               /* types whose number is drawn; that say something */
    char *sum;                           /* owned; of all that is said so far, "" to begin with */
    struct cor_error *error;
};

/* An integer or an expression as a text that can stand within another. */
static enum cor_status text_of(const struct cor_json *json, char **text, struct cor_error *error) {
    int64_t number;
    const char *string;
    if (cor_json_is_integer(json)) {
        COR_TRY(cor_json_integer(json, 0, COR_AGENTS_MAX, &number, error));
        *text = cor_format("%lld", (long long)number);
    } else if (cor_json_is_string(json)) {
        COR_TRY(cor_json_string(json, &string, error));
        *text = cor_format("(%s)", string);
    } else {
        return cor_json_fail(json, error, "a number, an expression over parameters, or [low, high] of these",
                             "is no number of agents");
    }
    return cor_made(*text, error);
}

/* Bounds of a number of agents as expressions: of a count as they stand, of a share in millionths. */
static enum cor_status read_bounds_counts(const struct writer *w, const struct cor_json *json, bool is_share,
                                          char **low, char **high) {
    const bool is_range = cor_json_is_array(json);
    struct cor_json first = *json, second = *json;
    if (is_range) {
        COR_TRY(cor_json_expect_array(json, 2, 2, w->error));
        first = cor_json_at(json, 0);
        second = cor_json_at(json, 1);
    }
    if (!is_share) {
        COR_TRY(text_of(&first, low, w->error));
        return is_range ? text_of(&second, high, w->error) : COR_OK;
    }
    double least, most;
    COR_TRY(cor_json_real(&first, 0, 1, &least, w->error));
    COR_TRY(cor_json_real(&second, is_range ? least : 0, 1, &most, w->error));
    const long long from = llround(least * SHARES), to = llround(most * SHARES);
    /* A range holds the counts within it, a share by itself those on either side of it. */
    *low = is_range ? cor_format("ceil_div(%lld * %s, %d)", from, w->agents, SHARES)
                    : cor_format("%lld * %s / %d", from, w->agents, SHARES);
    *high = is_range ? cor_format("%lld * %s / %d", to, w->agents, SHARES)
                     : cor_format("ceil_div(%lld * %s, %d)", to, w->agents, SHARES);
    return *low && *high ? COR_OK : cor_fail_memory(w->error);
}

/* What a type says, if it says something: *text is its number as an expression. */
static enum cor_status read_type(struct writer *w, const struct cor_agent_type *type, bool is_last,
                                 char **text) {
    struct cor_json count, share, *json = &count;
    const bool has_count = cor_json_find(&type->json, "count", &count),
               has_share = cor_json_find(&type->json, "share", &share);
    COR_FREED char *low = NULL, *high = NULL;
    char name[NAME_SIZE];
    if (has_count && has_share)
        return cor_json_fail(&type->json, w->error, "leave one of them out", "has both a count and a share");
    if (!has_count && !has_share)
        return COR_OK;
    json = has_count ? &count : &share;
    COR_TRY(read_bounds_counts(w, json, has_share, &low, &high));
    if (!high) {
        *text = cor_taken(&low);
        return COR_OK;
    }
    /* "count_biogas", or a complaint. */
    if (snprintf(name, NAME_SIZE, "count_%s", type->name) >= NAME_SIZE)
        COR_TRY(cor_json_fail(json, w->error, "draw it as a parameter, and name that here",
                              "the type has too long a name for a parameter"));
    for (char *c = name; *c; c++)
        *c = isalnum((unsigned char)*c) ? *c : '_';
    if (interaction__laws_variable(w->arm->laws, name, strlen(name)) >= 0)
        COR_TRY(cor_json_fail(json, w->error, "name that parameter here, or call it otherwise",
                              "the model has a parameter \"%s\" already", name));
    /* A number that is drawn, as a line of the stage; the last one, where all types say how many there are,
     * is what the others leave, within its range. */
    w->ranges++;
    if (!is_last) {
        cor_json_open_array(w->parameters, name);
        cor_json_put_string(w->parameters, NULL, low);
        cor_json_put_string(w->parameters, NULL, high);
        cor_json_close(w->parameters);
    } else {
        char *rest = cor_format("%s%s%s", w->agents, w->sum[0] ? " - " : "", w->sum);
        char *within = cor_format("%s <= %s and %s <= %s", low, name, name, high);
        if (rest && within) {
            cor_json_put_string(w->parameters, name, rest);
            cor_json_put_string(w->constraints, NULL, within);
        }
        const bool made = rest && within;
        COR_FREE(rest, within);
        COR_TRY(made ? COR_OK : cor_fail_memory(w->error));
    }
    *text = cor_strdup(name);
    return cor_made(*text, w->error);
}

static bool says_something(const struct cor_agent_type *type) {
    struct cor_json child;
    return cor_json_find(&type->json, "count", &child) || cor_json_find(&type->json, "share", &child);
}

static bool is_range(const struct cor_agent_type *type) {
    struct cor_json child;
    return cor_json_find(&type->json, "share", &child) ||
           (cor_json_find(&type->json, "count", &child) && cor_json_is_array(&child));
}

/* Reads all types; the last that draws a number comes last, so that the sum of the others is known. */
static enum cor_status read_types(struct writer *w, char **texts) {
    const struct cor_test_model *model = w->model;
    uint32_t said = 0, last = COR_NOBODY;
    for (uint32_t t = 0; t < model->type_count; t++) {
        said += says_something(&model->types[t]);
        last = is_range(&model->types[t]) ? t : last;
    }
    const bool is_whole = said == model->type_count;
    for (uint32_t turn = 0; turn < 2; turn++)
        for (uint32_t t = 0; t < model->type_count; t++) {
            if ((t == last) != (turn == 1))
                continue;
            COR_TRY(read_type(w, &model->types[t], is_whole && t == last, &texts[t]));
            if (!texts[t])
                continue;
            char *sum = w->sum[0] ? cor_format("(%s + %s)", w->sum + 0, texts[t]) : cor_strdup(texts[t]);
            free(w->sum);
            w->sum = sum;
            COR_TRY(cor_made(sum, w->error));
        }
    if (said == 0)
        return COR_OK;
    char *fits = cor_format("%s %s %s", w->sum, is_whole ? "=" : "<=", w->agents);
    COR_TRY(cor_made(fits, w->error));
    cor_json_put_string(w->constraints, NULL, fits);
    free(fits);
    w->said = said;
    return COR_OK;
}

/* One document of both, which the laws keep pointers into. */
static enum cor_status add_laws(struct writer *w, struct cor_type_counts *counts) {
    COR_FREED char *stage = NULL, *texts = NULL, *all = NULL;
    enum cor_status status = COR_OK;
    struct cor_json_writer *parameters = w->parameters, *constraints = w->constraints;
    cor_json_close(parameters);
    cor_json_close(constraints);
    w->parameters = w->constraints = NULL;
    status = cor_json_text_take(parameters, 0, &stage, w->error);
    if (status == COR_OK)
        status = cor_json_text_take(constraints, 0, &texts, w->error);
    else
        cor_json_writer_destroy(constraints);
    COR_TRY(status);
    COR_TRY(cor_made(all = cor_format("{\"stage\": %s, \"constraints\": %s}", stage, texts), w->error));
    char place[600];
    cor_json_place(&w->model->types_json, place, 512);
    strcat(place, " (numbers of agents)");
    COR_TRY(cor_json_parse(all, place, &counts->document, w->error));
    counts->root = cor_json_root(counts->document);
    cor_json_find(&counts->root, "stage", &counts->stage);
    cor_json_find(&counts->root, "constraints", &counts->constraints);
    if (w->ranges > 0)
        COR_TRY(cor_parameter_laws_add(w->arm->laws, &counts->stage, w->error));
    return cor_parameter_laws_constrain(w->arm->laws, &counts->constraints, w->error);
}

enum cor_status interaction__type_counts_read(const struct cor_test_model *model, struct cor_arm *arm,
                                              struct cor_error *error) {
    struct writer w = {.model = model, .arm = arm, .error = error};
    struct cor_json agents;
    bool said = false;
    for (uint32_t t = 0; t < model->type_count; t++)
        said = said || says_something(&model->types[t]);
    if (!said)
        return COR_OK;
    struct cor_type_counts *counts = arm->type_counts = cor_calloc(1, sizeof *counts);
    COR_TRY(cor_made(counts, error));
    counts->type_count = model->type_count;
    COR_TRY(cor_made(counts->texts = cor_calloc(model->type_count, sizeof *counts->texts), error));
    enum cor_status status = COR_OK;
    COR_TRY_OUT(cor_json_need(&model->root, "agents", &agents, error));
    COR_TRY_OUT(text_of(&agents, &w.agents, error));
    COR_TRY_OUT(cor_made(w.sum = cor_strdup(""), error));
    COR_TRY_OUT(cor_json_writer_create(&w.parameters, error));
    COR_TRY_OUT(cor_json_writer_create(&w.constraints, error));
    cor_json_open_object(w.parameters, NULL);
    cor_json_open_array(w.constraints, NULL);
    COR_TRY_OUT(read_types(&w, counts->texts));
    status = add_laws(&w, counts);
out:
    cor_json_writer_destroy(w.parameters);
    cor_json_writer_destroy(w.constraints);
    COR_FREE(w.agents, w.sum);
    return status;
}

enum cor_status interaction__type_counts_finish(struct cor_arm *arm, struct cor_error *error) {
    struct cor_type_counts *counts = arm->type_counts;
    if (!counts)
        return COR_OK;
    COR_TRY(cor_made(counts->numbers = cor_calloc(counts->type_count, sizeof *counts->numbers), error));
    for (uint32_t t = 0; t < counts->type_count; t++)
        if (counts->texts[t])
            COR_TRY(cor_expression_parse(counts->texts[t], cor_parameter_laws_names(arm->laws), false,
                                         "types", &counts->numbers[t].expression, error));
    return COR_OK;
}

void interaction__type_counts_destroy(struct cor_type_counts *counts) {
    if (!counts)
        return;
    for (uint32_t t = 0; t < counts->type_count; t++) {
        if (counts->texts)
            free(counts->texts[t]);
        if (counts->numbers)
            cor_derived_quantity_fini(&counts->numbers[t]);
    }
    COR_FREE(counts->texts, counts->numbers);
    cor_json_destroy(counts->document);
    free(counts);
}

/* ---- test model */

enum cor_status cor_derived_quantity_read(const struct cor_json *json, const char *const *names, int64_t low,
                                          int64_t high, struct cor_derived_quantity *quantity,
                                          struct cor_error *error) {
    *quantity = (struct cor_derived_quantity){0};
    if (!cor_json_is_string(json))
        return cor_json_integer(json, low, high, &quantity->given, error);
    const char *text;
    char place[512];
    COR_TRY(cor_json_string(json, &text, error));
    cor_json_place(json, place, sizeof place);
    return cor_expression_parse(text, names, false, place, &quantity->expression, error);
}

void cor_derived_quantity_fini(struct cor_derived_quantity *quantity) {
    cor_expression_fini(&quantity->expression);
}

/* The profile, in the model or in a file that it names; kept as it was read, too, so that a result file can
 * hold what was used. */
static enum cor_status read_profile(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_environment *environment = into;
    struct cor_json profile = *json;
    if (cor_json_is_string(json)) {
        COR_TRY(interaction__read_named(json, &environment->profile_file, error));
        profile = cor_json_root(environment->profile_file);
        COR_TRY(cor_json_expect_kind(&profile, COR_KIND_PROFILE, error));
    } else if (!cor_json_is_object(json)) {
        return cor_json_fail(json, error, "the name of a file, or the profile itself", "is no profile");
    }
    environment->profile_json = profile;
    return cor_profile_from_json(&profile, environment->name, &environment->profile, error);
}

static const struct cor_field law_fields[] = {
    {"states", COR_OPTIONAL, COR_KNOWN_FIELD}, /* may be a parameter, so it is each arm's */
    {"degree_min", COR_OPTIONAL, COR_REAL_FIELD(struct cor_profile_law, degree_min, 0, 1)},
    {"power", COR_OPTIONAL, COR_INTEGER_FIELD(struct cor_profile_law, power, 0, COR_PROFILE_POWER_MAX)},
    {"ring", COR_OPTIONAL, COR_REAL_FIELD(struct cor_profile_law, ring, 0, 1)},
    {0}};
static const struct cor_profile_law law_default = {.degree_min = 0.5, .power = 7, .ring = 0.15};

static const char *const scopes[] = {
    [COR_SCOPE_PLACE] = "place", [COR_SCOPE_ALL] = "all", [COR_SCOPE_GROUP] = "group", NULL};

static const struct cor_field environment_fields[] = {
    {"profile", COR_OPTIONAL, COR_READ_FIELD(read_profile)},
    {"random", COR_OPTIONAL, COR_OBJECT_FIELD(struct cor_environment, random, law_fields, &law_default)},
    {"scope", COR_OPTIONAL, COR_ONE_OF_FIELD(struct cor_environment, scope, scopes, 0, "scope")},
    {0}};

static enum cor_status read_environment(struct cor_environment *environment, struct cor_error *error) {
    const struct cor_json *json = &environment->json;
    struct cor_json child;
    COR_TRY(interaction__check_name(json, json->key, "an environment", error));
    COR_TRY(cor_json_expect_fields(json, environment_fields, error));
    COR_TRY(cor_made(environment->name = cor_strdup(json->key), error));
    bool given = cor_json_find(json, "profile", &child);
    environment->is_random = cor_json_find(json, "random", &environment->law);
    if (given == environment->is_random)
        return cor_json_fail(json, error, "either \"profile\": a file, or \"random\": a law", "has %s",
                             given ? "both a profile and a random law"
                                   : "neither a profile nor a random law");
    return cor_json_members(json, environment_fields, environment, error);
}

/* The model keeps the JSON of laws and influences; their parents must outlive it, so they are kept too. */
static enum cor_status read_environments(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_test_model *model = into;
    model->environments_json = *json;
    COR_TRY(cor_json_expect_object(json, NULL, error));
    size_t count = cor_json_size(json);
    if (count < 1 || count > COR_ENVIRONMENTS_MAX)
        return cor_json_fail(json, error, NULL, "has %zu environments, expected 1 to %d", count,
                             COR_ENVIRONMENTS_MAX);
    /* With room for those by which agents of a type come and go. */
    model->environments = cor_calloc(COR_ENVIRONMENTS_MAX, sizeof *model->environments);
    COR_TRY(cor_made(model->environments, error));
    for (size_t i = 0; i < count; i++) {
        model->environment_count++;
        model->environments[i].json = cor_json_at(&model->environments_json, i);
        COR_TRY(read_environment(&model->environments[i], error));
    }
    model->perceived_count = model->environment_count;
    return COR_OK;
}

static enum cor_status read_level(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_agent_type *type = into;
    return cor_json_range(json, 0, 1, &type->level_low, &type->level_high, error);
}

/* A type without states of its own: the agent takes over the state of its environment, and levels are drawn
 * within the range for each suite. */
static const struct cor_field level_fields[] = {{"environment", COR_OPTIONAL, COR_KNOWN_FIELD},
                                                {"level", COR_REQUIRED, COR_READ_FIELD(read_level)},
                                                {"attributes", COR_OPTIONAL, COR_KNOWN_FIELD},
                                                {"count", COR_OPTIONAL, COR_KNOWN_FIELD},
                                                {"share", COR_OPTIONAL, COR_KNOWN_FIELD},
                                                {"arrives", COR_OPTIONAL, COR_KNOWN_FIELD},
                                                {"fails", COR_OPTIONAL, COR_KNOWN_FIELD},
                                                {"present", COR_OPTIONAL, COR_KNOWN_FIELD},
                                                {0}};

static const struct cor_field presence_fields[] = {
    {"arrives", COR_OPTIONAL, COR_REAL_FIELD(struct cor_agent_type, arrives, 0, 1)},
    {"fails", COR_OPTIONAL, COR_REAL_FIELD(struct cor_agent_type, fails, 0, 1)},
    {"present", COR_OPTIONAL, COR_REAL_FIELD(struct cor_agent_type, present, 0, 1)},
    {0}};

/* Agents of the type come and go if it says so: by an environment of two states, of which each agent has a
 * chain of its own. So what happens is drawn, recorded, replayed, shrunk and counted as walks are. */
static enum cor_status read_presence(struct cor_test_model *model, struct cor_agent_type *type,
                                     struct cor_error *error) {
    static const char *const states[] = {[COR_HERE] = "here", "away"};
    struct cor_json said;
    type->present = 1;
    type->presence = COR_NOBODY;
    for (size_t i = 0; presence_fields[i].key && type->presence == COR_NOBODY; i++)
        if (cor_json_find(&type->json, presence_fields[i].key, &said))
            type->presence = model->environment_count;
    if (type->presence == COR_NOBODY)
        return COR_OK;
    COR_TRY(cor_json_members(&type->json, presence_fields, type, error));
    if (model->kind != COR_STRUCTURE_PARTITIONING)
        return cor_json_fail(
            &said, error, "a partitioning, or leave it out",
            "agents come and go in partitionings alone, and the kind of the structure is \"%s\"",
            cor_structure_words[model->kind]);
    if (model->environment_count == COR_ENVIRONMENTS_MAX)
        return cor_json_fail(&said, error, "fewer environments, or fewer types whose agents come and go",
                             "is one more environment by itself, and there are %d", COR_ENVIRONMENTS_MAX);
    const double probability[] = {1 - type->fails, type->fails, type->arrives, 1 - type->arrives},
                 start[] = {type->present, 1 - type->present};
    struct cor_environment *environment = &model->environments[model->environment_count++];
    COR_TRY(cor_made(environment->name = cor_format("%s_presence", type->name), error));
    for (uint32_t e = 0; e < model->perceived_count; e++)
        if (strcmp(model->environments[e].name, environment->name) == 0)
            return cor_json_fail(&said, error, "give one of both another name",
                                 "is told under the name \"%s\", which an environment has",
                                 environment->name);
    model->comes_and_goes = true;
    return cor_profile_create(environment->name, 2, states, probability, start, &environment->profile, error);
}

static enum cor_status read_type_model(const struct cor_test_model *model, struct cor_agent_type *type,
                                       struct cor_error *error) {
    struct cor_json child;
    COR_TRY(interaction__check_name(&type->json, type->json.key, "an agent type", error));
    COR_TRY(cor_made(type->name = cor_strdup(type->json.key), error));
    COR_TRY(cor_json_expect_object(&type->json, NULL, error));
    COR_TRY(interaction__read_type_environments(model, type, error));
    if (cor_json_find(&type->json, "level", &child) && type->other_count > 0)
        return cor_json_fail(&child, error, "\"states\", with \"relevant\" and \"influence\"",
                             "follows the state of one environment, and the type names several");
    if (cor_json_find(&type->json, "level", &child))
        return cor_json_fields(&type->json, level_fields, type, error);
    if (type->environment == COR_NOBODY)
        return cor_json_fail(
            &type->json, error,
            "\"environment\": the name of one, or \"level\": [low, high] to follow any environment",
            "names states, but not the environment they depend on");
    const struct cor_environment *environment = &model->environments[type->environment];
    if (environment->is_random)
        return cor_json_fail(&type->json, error, "\"level\": [low, high]",
                             "names states, but the profile of \"%s\" is drawn, so its states have no names",
                             environment->name);
    COR_TRY(interaction__has_conditions(type)
                ? interaction__read_relevant(model, type, error)
                : cor_influence_from_json(&type->json, environment->profile, &type->fixed, error));
    /* Values lie in 0 .. 1, so what they tend to does. */
    struct cor_json states;
    COR_TRY(cor_json_need(&type->json, "states", &states, error));
    for (uint32_t s = 0; s < type->fixed->state_count; s++) {
        struct cor_json level = cor_json_at(&states, s);
        double value;
        COR_TRY(cor_json_real(&level, 0, 1, &value, error));
    }
    return COR_OK;
}

static enum cor_status read_types_model(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_test_model *model = into;
    model->types_json = *json;
    COR_TRY(cor_json_expect_object(json, NULL, error));
    size_t count = cor_json_size(json);
    if (count < 1 || count > COR_TYPES_MAX)
        return cor_json_fail(json, error, NULL, "has %zu agent types, expected 1 to %d", count,
                             COR_TYPES_MAX);
    COR_TRY(cor_made(model->types = cor_calloc(count, sizeof *model->types), error));
    for (size_t i = 0; i < count; i++) {
        model->type_count++;
        model->types[i].json = cor_json_at(&model->types_json, i);
        COR_TRY(read_type_model(model, &model->types[i], error));
        COR_TRY(read_presence(model, &model->types[i], error));
        /* The laws of a type that is read but for them. */
        struct cor_json laws;
        const bool has_laws = cor_json_find(&model->types[i].json, "attributes", &laws);
        if (has_laws && cor_json_is_object(&laws) && cor_json_size(&laws) > 0 && model->attribute_count == 0)
            return cor_json_fail(&laws, error, "declare it: \"attributes\" of the model",
                                 "the model declares no attributes");
        if (has_laws)
            COR_TRY(cor_json_expect_names(
                &laws,
                COR_RECORD_NAMES(model->attributes, model->attribute_count, struct cor_agent_attribute, name),
                error));
        model->types[i].attributes = cor_calloc(model->attribute_count, sizeof *model->types[i].attributes);
        COR_TRY(cor_made(model->types[i].attributes, error));
        for (uint32_t a = 0; a < model->attribute_count; a++) {
            struct law_reader r = {
                model, &model->types[i], a, &model->attributes[a], &model->types[i].attributes[a], error};
            COR_TRY(read_law(&r, has_laws ? &laws : NULL));
        }
    }
    return COR_OK;
}

/* The algorithm that reorganizes in the pilot run: one of the testbed's own. */
static enum cor_status read_pilot(const struct cor_json *json, void *into, struct cor_error *error) {
    static const char *const names[] = {"deal", "random", NULL};
    int index;
    COR_TRY(cor_json_one_of(json, names, "algorithm for the pilot", &index, error));
    ((struct cor_test_model *)into)->pilot = names[index];
    return COR_OK;
}

static const struct cor_field rate_fields[] = {
    {"alarm_rate", COR_REQUIRED, COR_REAL_FIELD(struct cor_test_model, alarm_rate, 0, 1)},
    {"pilot_cases", COR_OPTIONAL, COR_INTEGER_FIELD(struct cor_test_model, pilot_cases, 10, 100000)},
    {"pilot", COR_OPTIONAL, COR_READ_FIELD(read_pilot)},
    {0}};

static enum cor_status read_threshold(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_test_model *model = into;
    model->threshold_given = cor_json_is_number(json);
    if (model->threshold_given)
        return cor_json_real(json, 0, 1, &model->threshold, error);
    if (cor_json_is_object(json))
        return cor_json_fields(json, rate_fields, model, error);
    return cor_json_fail(json, error, "a number from 0 to 1, or {\"alarm_rate\": share}", "is no threshold");
}

static const struct cor_field invariant_fields[] = {
    {"measure", COR_OPTIONAL, COR_TERM_FIELD(struct cor_test_model, measure, COR_FAMILY_MEASURE)},
    {"threshold", COR_REQUIRED, COR_READ_FIELD(read_threshold)},
    {0}};

static enum cor_status read_invariant(const struct cor_json *json, void *into, struct cor_error *error) {
    return cor_json_fields(json, invariant_fields, into, error);
}

static enum cor_status read_inertia(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_test_model *model = into;
    return cor_json_range(json, 1e-9, 1, &model->inertia_low, &model->inertia_high, error);
}

/* Who is together at the start, by a word or as lists. By group: agents in their order, in which those of a
 * group follow each other. */
static enum cor_status read_start(const struct cor_json *structure, struct cor_test_model *model,
                                  struct cor_error *error) {
    static const char *const words[] = {"drawn", "by_group", "inside", NULL}; /* enum cor_start */
    struct cor_json child;
    if (!cor_json_find(structure, "start", &child))
        return COR_OK;
    if (cor_json_is_array(&child)) {
        model->start = COR_START_GIVEN; /* that it is of the kind, and within the limits, each suite says */
        if (!cor_structure_nests(model->kind))
            return interaction__read_lists(&child, COR_AGENTS_MAX, &model->start_lists, error);
        return cor_json_fail(&child, error, "start by \"drawn\" or \"inside\"",
                             "lists of agents do not say which organization stands below which");
    }
    if (!cor_json_is_string(&child))
        return cor_json_fail(&child, error, "\"drawn\", \"inside\", or lists such as [[0, 1], [2]]",
                             "is no start: a word, or lists of agents");
    COR_TRY(cor_json_one_of(&child, words, "start", &model->start, error));
    return model->start != COR_START_BY_GROUP || model->kind == COR_STRUCTURE_PARTITIONING
               ? COR_OK
               : cor_json_fail(&child, error, "leave it out", "only partitionings start by group");
}

/* "structure": its kind and start; what else it says is over the parameters of each arm. */
static enum cor_status read_kind(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_test_model *model = into;
    struct cor_json child;
    int kind = COR_STRUCTURE_PARTITIONING;
    if (!cor_json_is_object(json))
        return COR_OK;
    if (!cor_json_find(json, "kind", &child))
        return read_start(json, model, error);
    const char *word;
    COR_TRY(cor_json_string(&child, &word, error));
    if (strcmp(word, cor_structure_words[COR_STRUCTURE_OBSERVED]) == 0)
        return cor_json_fail(&child, error,
                             "name a kind that is adopted, or write an experiment with \"process\"",
                             "what is observed is no structure that an algorithm makes: it is of the layer "
                             "`process`");
    COR_TRY(cor_json_one_of(&child, cor_structure_adopted_words, "kind of structure", &kind, error));
    model->kind = (enum cor_structure_kind)kind;
    return read_start(json, model, error);
}

/* What is only known here is read with each arm, over its parameters. */
static const struct cor_field model_fields[] = {
    {"corridor_model", COR_REQUIRED, COR_VERSION_FIELD},
    {"name", COR_OPTIONAL, COR_COPY_FIELD(struct cor_test_model, name)},
    {"description", COR_OPTIONAL, COR_SAID_STRING_FIELD},
    {"parameters", COR_OPTIONAL, COR_KNOWN_FIELD},
    {"constraints", COR_OPTIONAL, COR_KNOWN_FIELD},
    {"fallback", COR_OPTIONAL, COR_KNOWN_FIELD},
    {"structure", COR_OPTIONAL, COR_READ_FIELD(read_kind)},
    {"agents", COR_OPTIONAL, COR_KNOWN_FIELD},
    {"groups", COR_OPTIONAL, COR_KNOWN_FIELD},
    {"environments", COR_REQUIRED, COR_READ_FIELD(read_environments)},
    {"locations", COR_OPTIONAL, COR_KNOWN_FIELD},
    {"attributes", COR_OPTIONAL, COR_READ_FIELD(read_attributes)}, /* before the types */
    {"types", COR_REQUIRED, COR_READ_FIELD(read_types_model)},
    {"mixed_groups", COR_OPTIONAL, COR_BOOL_FIELD(struct cor_test_model, mixed_groups)},
    {"inertia", COR_OPTIONAL, COR_READ_FIELD(read_inertia)},
    {"idle_ratio", COR_OPTIONAL, COR_KNOWN_FIELD},
    {"invariant", COR_OPTIONAL,
     COR_READ_FIELD(read_invariant)}, /* without it there is a corridor as a text */
    {0}};

static enum cor_status read_model(const struct cor_json *json, struct cor_test_model *model,
                                  struct cor_error *error) {
    *model = (struct cor_test_model){.root = *json,
                                     .name = cor_strdup("model"),
                                     .inertia_low = 1,
                                     .inertia_high = 1,
                                     .measure = COR_MEASURE_RANGE,
                                     .threshold_given = true,
                                     .threshold = 1,
                                     .pilot_cases = 200,
                                     .pilot = "deal"};
    COR_TRY(cor_made(model->name, error));
    if (cor_json_is_string(json)) {
        COR_TRY(interaction__read_named(json, &model->document, error));
        model->root = cor_json_root(model->document);
        COR_TRY(cor_json_expect_kind(&model->root, COR_KIND_MODEL, error));
    } else if (!cor_json_is_object(json)) {
        return cor_json_fail(json, error, "the name of a file, or the model itself", "is no model");
    }
    struct cor_json corridor; /* looked for in the model by who writes his first one */
    if (cor_json_find(&model->root, "corridor", &corridor))
        return cor_json_fail(&corridor, error, "put it into the experiment, beside \"model\"",
                             "the corridor is no part of the model");
    COR_TRY(cor_json_fields(&model->root, model_fields, model, error));
    struct cor_json structure, start;
    for (uint32_t t = 0; t < model->type_count; t++)
        if (model->start == COR_START_INSIDE && model->types[t].present < 1 &&
            cor_json_find(&model->types[t].json, "present", &start))
            return cor_json_fail(&start, error, "1, or start by \"drawn\"",
                                 "the start is drawn to be inside with all agents, and not all are there");
    if (model->start == COR_START_INSIDE && !model->threshold_given &&
        cor_json_find(&model->root, "structure", &structure) && cor_json_find(&structure, "start", &start))
        return cor_json_fail(&start, error, "give the threshold as a number, or start by \"drawn\"",
                             "a threshold by \"alarm_rate\" comes of a run that sets out from the start");
    /* Agents are dealt into partitionings alone: of all other kinds the pilot is random. */
    struct cor_json invariant, threshold, pilot;
    if (model->kind == COR_STRUCTURE_PARTITIONING || strcmp(model->pilot, "random") == 0)
        return COR_OK;
    model->pilot = "random";
    if (cor_json_find(&model->root, "invariant", &invariant) &&
        cor_json_find(&invariant, "threshold", &threshold) && cor_json_is_object(&threshold) &&
        cor_json_find(&threshold, "pilot", &pilot))
        return cor_json_fail(&pilot, error, "\"random\", or leave \"pilot\" out",
                             "deal makes partitionings alone, but the kind of the structure is \"%s\"",
                             cor_structure_words[model->kind]);
    return COR_OK;
}

enum cor_status cor_model_read(const struct cor_json *json, struct cor_test_model **model,
                               struct cor_error *error) {
    COR_TRY(cor_made(*model = cor_calloc(1, sizeof **model), error));
    enum cor_status status = read_model(json, *model, error);
    if (status != COR_OK) {
        cor_model_destroy(*model);
        *model = NULL;
    }
    return status;
}

void cor_model_destroy(struct cor_test_model *model) {
    if (!model)
        return;
    for (uint32_t i = 0; i < model->environment_count; i++) {
        free(model->environments[i].name);
        cor_json_destroy(model->environments[i].profile_file);
        cor_profile_destroy(model->environments[i].profile);
    }
    for (uint32_t t = 0; t < model->type_count; t++) {
        for (uint32_t a = 0; model->types[t].attributes && a < model->attribute_count; a++) {
            COR_FREE(model->types[t].attributes[a].cumulative, model->types[t].attributes[a].level);
            interaction__formula_fini(&model->types[t].attributes[a].formula);
        }
        free(model->types[t].attributes);
    }
    for (uint32_t a = 0; a < model->attribute_count; a++) {
        cor_attribute_fini_declaration(&model->attributes[a]);
        if (model->attribute_texts)
            free(model->attribute_texts[a]);
    }
    COR_FREE(model->attribute_texts, model->attributes, model->attribute_json);
    for (uint32_t i = 0; i < model->type_count; i++) {
        free(model->types[i].name);
        for (uint32_t s = 0; s < model->types[i].state_count; s++)
            free(model->types[i].state_names[s]);
        free(model->types[i].state_names);
        cor_influence_destroy(model->types[i].fixed);
    }
    cor_lists_fini(&model->start_lists);
    COR_FREE(model->environments, model->types, model->name);
    cor_json_destroy(model->document);
    free(model);
}

/* ---- model diagram */

enum { NAMES_SHOWN = 6, LINE_WIDTH = 70, WRITTEN_SHOWN = 6 * LINE_WIDTH };

struct drawing {
    struct cor_bytes text;
    enum cor_diagram_language language;
};

static bool is_dot(const struct drawing *d) {
    return d->language == COR_DIAGRAM_DOT;
}

/* Letters that either language reads as something else. */
static void put_plain(struct drawing *d, const char *words) {
    for (const char *at = words; *at; at++) {
        const char *instead = !is_dot(d)   ? (*at == '"' ? "'" : NULL)
                              : *at == '&' ? "&amp;"
                              : *at == '<' ? "&lt;"
                              : *at == '>' ? "&gt;"
                              : *at == '"' ? "&quot;"
                                           : NULL;
        if (instead)
            cor_bytes_print(&d->text, "%s", instead);
        else
            cor_bytes_print(&d->text, "%c", (unsigned char)*at < ' ' ? ' ' : *at);
    }
}

/* A box of that name, `id` by itself, opened for its lines. */
static void begin_box(struct drawing *d, const char *id, const char *name, const char *stereotype) {
    if (is_dot(d)) {
        cor_bytes_print(
            &d->text,
            "  %s [label=<<table border=\"0\" cellborder=\"1\" cellspacing=\"0\" cellpadding=\"4\">"
            "<tr><td bgcolor=\"#eef2f6\"><font point-size=\"9\">&#171;%s&#187;</font><br/><b>",
            id, stereotype);
        put_plain(d, name);
        cor_bytes_print(&d->text, "</b></td></tr><tr><td align=\"left\" balign=\"left\">");
    } else {
        cor_bytes_print(&d->text, "class \"");
        put_plain(d, name);
        cor_bytes_print(&d->text, "\" as %s <<%s>> {\n", id, stereotype);
    }
}

/* A line of the box; one that is long goes on in others, broken at blanks. */
static void put_line(struct drawing *d, const char *line) {
    size_t left = strlen(line);
    for (bool first = true; left > 0; first = false) {
        size_t length = left <= LINE_WIDTH ? left : LINE_WIDTH;
        while (length < left && length > LINE_WIDTH / 2 && line[length] != ' ')
            length--;
        char *part = cor_format("%s%.*s", first ? "" : "    ", (int)length, line);
        if (!is_dot(d))
            cor_bytes_print(&d->text, "  {field} ");
        if (part)
            put_plain(d, part);
        else
            d->text.status = COR_STATUS_MEMORY;
        cor_bytes_print(&d->text, "%s", is_dot(d) ? "<br/>" : "\n");
        free(part);
        line += length;
        left -= length;
    }
}

/* The same of a line that was made; without it the drawing fails. */
static void put_line_take(struct drawing *d, char *line) {
    if (line)
        put_line(d, line);
    else
        d->text.status = COR_STATUS_MEMORY;
    free(line);
}

static void end_box(struct drawing *d) {
    cor_bytes_print(&d->text, "%s", is_dot(d) ? "&#160;</td></tr></table>>];\n" : "}\n");
}

static void put_arrow(struct drawing *d, const char *from, const char *to, const char *words, bool holds) {
    if (is_dot(d))
        cor_bytes_print(&d->text, "  %s -> %s [label=\"%s\"%s];\n", from, to, words,
                        holds ? ", arrowhead=none, arrowtail=odiamond, dir=both" : ", arrowhead=vee");
    else
        cor_bytes_print(&d->text, "%s %s %s : %s\n", from, holds ? "o--" : "-->", to, words);
}

/* "states: on, off, .." */
static void put_names(struct drawing *d, const char *lead, char *const *names, uint32_t count) {
    struct cor_bytes line = {0};
    cor_bytes_print(&line, "%s", lead);
    for (uint32_t i = 0; i < count && i < NAMES_SHOWN; i++)
        cor_bytes_print(&line, "%s%s", i > 0 ? ", " : " ", names[i]);
    if (count > NAMES_SHOWN)
        cor_bytes_print(&line, ", and %u more", count - NAMES_SHOWN);
    if (line.status != COR_OK)
        d->text.status = line.status;
    put_line(d, cor_bytes_text(&line));
    cor_bytes_fini(&line);
}

/* What the model's file says under a key, as it is written; the end of what is very long is left out. */
static void put_written(struct drawing *d, const struct cor_json *parent, const char *key) {
    struct cor_json value;
    if (!parent->value || !cor_json_is_object(parent) || !cor_json_find(parent, key, &value))
        return;
    char *text = cor_json_text(&value);
    size_t length = text ? strlen(text) : 0;
    const bool is_cut = length > WRITTEN_SHOWN;
    for (length = is_cut ? WRITTEN_SHOWN : length; is_cut && length > 0 && text[length - 1] != ',';)
        length--;
    put_line_take(d, text ? cor_format("%s: %.*s%s", key, (int)length, text, is_cut ? " .." : "") : NULL);
    free(text);
}

static void put_constraints(struct drawing *d, const struct cor_experiment *experiment) {
    const struct cor_test_model *model = experiment->model;
    const char *says, *name;
    begin_box(d, "c", experiment->name, "corridor");
    for (uint32_t i = 0; (name = cor_experiment_constraint(experiment, i, &says)) != NULL; i++)
        put_line_take(d, cor_format("%s: %s", name, says));
    if (!cor_experiment_constraint(experiment, 0, &says)) {
        put_line_take(d, model->threshold_given
                             ? cor_format("dissimilarity of organizations <= %g", model->threshold)
                             : cor_format("dissimilarity of organizations <= a threshold, calibrated so that "
                                          "%g of the cases alarm",
                                          model->alarm_rate));
        put_written(d, &model->root, "constraints");
    }
    end_box(d);
}

char *cor_model_diagram(const struct cor_experiment *experiment, enum cor_diagram_language language,
                        struct cor_error *error) {
    const struct cor_test_model *model = experiment->model;
    struct drawing d = {.language = language};
    cor_bytes_print(&d.text, "%s",
                    is_dot(&d)
                        ? "digraph model {\n  rankdir=LR;\n  node [shape=plain, fontname=\"Helvetica\", "
                          "fontsize=11];\n  edge [fontname=\"Helvetica\", fontsize=9];\n"
                        : "@startuml\nhide circle\nhide methods\n");
    static const char *const keys[] = {"size_min", "size_max", "count_min", "count_max", "start"};
    static const char *const of_groups[] = {"agents", "groups", "mixed_groups", "locations"};
    static const char *const of_types[] = {"initial", "relevant", "influence", "arrives", "fails", "present"};
    struct cor_json structure;
    begin_box(&d, "o", cor_structure_words[model->kind], "structure of organizations");
    if (model->root.value && cor_json_find(&model->root, "structure", &structure))
        for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
            put_written(&d, &structure, keys[i]);
    end_box(&d);
    begin_box(&d, "g", "groups", "groups of agents");
    for (size_t i = 0; i < sizeof of_groups / sizeof *of_groups; i++)
        put_written(&d, &model->root, of_groups[i]);
    end_box(&d);
    put_constraints(&d, experiment);
    for (uint32_t t = 0; t < model->type_count; t++) {
        const struct cor_agent_type *type = &model->types[t];
        char id[16];
        snprintf(id, sizeof id, "t%u", t);
        begin_box(&d, id, type->name, "agent type");
        put_written(&d, &type->json, "count");
        put_written(&d, &type->json, "share");
        put_line(&d, "value: real 0 .. 1");
        if (type->fixed)
            put_names(&d, "state:", type->fixed->state_names, type->fixed->state_count);
        else
            put_line(&d, "state: that of the environment");
        for (uint32_t a = 0; a < model->attribute_count; a++) {
            const struct cor_attribute_law *law = &type->attributes[a];
            const bool is_computed = law->formula.text != NULL;
            put_line_take(&d, cor_format("%s: %s%s%s", model->attributes[a].name, model->attribute_texts[a],
                                         law->source == COR_ATTRIBUTE_ADDED   ? " += "
                                         : is_computed                        ? " = "
                                         : law->source == COR_ATTRIBUTE_LEVEL ? ", by the state"
                                                                              : "",
                                         is_computed ? law->formula.text : ""));
        }
        for (size_t i = 0; i < sizeof of_types / sizeof *of_types; i++)
            put_written(&d, &type->json, of_types[i]);
        end_box(&d);
    }
    for (uint32_t e = 0; e < model->perceived_count; e++) {
        const struct cor_environment *environment = &model->environments[e];
        char id[16];
        snprintf(id, sizeof id, "e%u", e);
        begin_box(&d, id, environment->name, "environment");
        if (environment->profile)
            put_names(&d, "states:", environment->profile->states, environment->profile->state_count);
        else
            put_line(&d, "profile drawn for each suite");
        put_written(&d, &environment->json, "scope");
        end_box(&d);
    }
    put_arrow(&d, "c", "o", "must hold of", false);
    for (uint32_t t = 0; t < model->type_count; t++) {
        const struct cor_agent_type *type = &model->types[t];
        char from[16], to[16];
        snprintf(from, sizeof from, "t%u", t);
        put_arrow(&d, "o", from, "members", true);
        put_arrow(&d, "g", from, "agents", true);
        for (uint32_t e = 0; e < model->perceived_count; e++) {
            bool perceives = type->environment == COR_NOBODY || type->environment == e;
            for (uint32_t k = 0; k < type->other_count; k++)
                perceives = perceives || type->others[k] == e;
            snprintf(to, sizeof to, "e%u", e);
            if (perceives)
                put_arrow(&d, from, to, "perceives", false);
        }
    }
    cor_bytes_print(&d.text, "%s", is_dot(&d) ? "}\n" : "@enduml\n");
    return cor_bytes_text_take(&d.text, error);
}
