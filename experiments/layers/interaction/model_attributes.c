/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Attributes of agents in a model: what is declared, and how the agents of each type come by it. */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/host.h>

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NUMBER_MAX 1e12       /* magnitude of a real that a file gives */
#define SPAN_MAX 4294967294.0 /* of integers that are drawn */
#define WORDS_MAX 1000

static const char *const type_keys[] = {"real", "integer", "boolean", "words", NULL};
static const char *const source_keys[] = {"value", "draw", "level", "is", NULL};

const struct cor_field cor_attribute_fields[] = {
    {"real", COR_OPTIONAL, COR_KNOWN_FIELD},    {"integer", COR_OPTIONAL, COR_KNOWN_FIELD},
    {"boolean", COR_OPTIONAL, COR_KNOWN_FIELD}, {"words", COR_OPTIONAL, COR_KNOWN_FIELD},
    {"unit", COR_OPTIONAL, COR_KNOWN_FIELD},    {0}};

static const struct cor_field source_fields[] = {
    {"value", COR_OPTIONAL, COR_KNOWN_FIELD}, {"draw", COR_OPTIONAL, COR_KNOWN_FIELD},
    {"level", COR_OPTIONAL, COR_KNOWN_FIELD}, {"inertia", COR_OPTIONAL, COR_KNOWN_FIELD},
    {"is", COR_OPTIONAL, COR_KNOWN_FIELD},    {0}};

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
        COR_TRY(
            interaction__read_range(json, -NUMBER_MAX, NUMBER_MAX, &attribute->low, &attribute->high, error));
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
    for (size_t w = 0; w < cor_json_size(json); w++) {
        const struct cor_json item = cor_json_at(json, w);
        COR_TRY(interaction__read_name(&item, "a word", &attribute->words[w], error));
        attribute->word_count++;
        for (size_t before = 0; before < w; before++)
            if (strcmp(attribute->words[before], attribute->words[w]) == 0)
                return cor_json_fail(&item, error, NULL, "\"%s\" is there twice", attribute->words[w]);
    }
    attribute->low = 0;
    attribute->high = attribute->word_count - 1;
    return COR_OK;
}

static enum cor_status read_unit(const struct cor_json *json, struct cor_agent_attribute *attribute,
                                 struct cor_error *error) {
    if (attribute->type != COR_ATTRIBUTE_REAL && attribute->type != COR_ATTRIBUTE_INTEGER)
        return cor_json_fail(json, error, "leave it out", "has a meaning with numbers alone");
    free(attribute->unit);
    attribute->unit = NULL;
    return interaction__read_name(json, "a unit", &attribute->unit, error);
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
    return cor_json_find(json, "unit", &child) ? read_unit(&child, attribute, error) : COR_OK;
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

static char *describe(const struct cor_agent_attribute *attribute) {
    char *text = cor_strdup(type_keys[attribute->type]);
    for (uint32_t w = 0; w < attribute->word_count; w++)
        text = cor_join_take(text, w > 0 ? ", " : " ", cor_strdup(attribute->words[w]));
    if (attribute->type != COR_ATTRIBUTE_WORDS && attribute->type != COR_ATTRIBUTE_BOOLEAN &&
        isfinite(attribute->low))
        text = cor_join_take(text, " ", cor_format("%.10g .. %.10g", attribute->low, attribute->high));
    if (attribute->unit[0])
        text = cor_join_take(text, " ", cor_format("[%s]", attribute->unit));
    return text;
}

/* plugin.h, which includes nothing of ours, counts the types as sim/core does. */
_Static_assert((int)COR_COLUMN_REAL == COR_ATTRIBUTE_REAL &&
                   (int)COR_COLUMN_INTEGER == COR_ATTRIBUTE_INTEGER &&
                   (int)COR_COLUMN_BOOLEAN == COR_ATTRIBUTE_BOOLEAN &&
                   (int)COR_COLUMN_WORDS == COR_ATTRIBUTE_WORDS,
               "the types of columns");

enum cor_status cor_attribute_columns(const struct cor_agent_attribute *attributes, uint32_t count,
                                      struct cor_value_column **columns, struct cor_error *error) {
    *columns = cor_calloc((size_t)1 + count, sizeof **columns);
    COR_TRY(cor_made(*columns, error));
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

/* A name by which expressions and corridors can ask for it. */
static enum cor_status check_attribute_name(const struct cor_json *json, struct cor_error *error) {
    static const char *const taken[] = {"value", "type",          "state",    "group", "agents", "members",
                                        "id",    "organizations", "children", "level", "parent", NULL};
    static const char *const words[] = {"and", "or",  "not", "implies",  "true",  "false",  "null",
                                        "min", "max", "abs", "ceil_div", "in",    "where",  "all",
                                        "any", "one", "sum", "mean",     "count", "before", NULL};
    const char *name = json->key;
    bool good = isalpha((unsigned char)name[0]) || name[0] == '_';
    for (size_t i = 0; name[i]; i++)
        good = good && (isalnum((unsigned char)name[i]) || name[i] == '_') && i < 40;
    if (!good)
        return cor_json_fail(json, error, "a letter, then letters, digits and _, at most 40",
                             "no name for an attribute");
    for (size_t i = 0; taken[i]; i++)
        if (strcmp(name, taken[i]) == 0)
            return cor_json_fail(json, error, "choose another name", "\"%s\" means something else already",
                                 name);
    for (size_t i = 0; words[i]; i++)
        if (strcmp(name, words[i]) == 0)
            return cor_json_fail(json, error, "choose another name",
                                 "\"%s\" is a word of the language of expressions", name);
    return COR_OK;
}

enum cor_status interaction__read_attributes(const struct cor_json *json, void *into,
                                             struct cor_error *error) {
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
        COR_TRY(check_attribute_name(item, error));
        if (cor_json_is_object(item))
            COR_TRY(cor_json_expect_fields(item, model_attribute_fields, error));
        COR_TRY(cor_attribute_read(item, item->key, &model->attributes[a], error));
        if (count_keys(item, source_keys, &which, &child) > 1)
            return cor_json_fail(item, error, "one of \"value\", \"draw\", \"level\", \"is\"",
                                 "says more than once where it is from");
        model->attribute_texts[a] = describe(&model->attributes[a]);
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
    r->law->cumulative = cor_calloc(count, sizeof *r->law->cumulative);
    COR_TRY(cor_made(r->law->cumulative, r->error));
    if (!cor_json_is_array(json))
        COR_TRY(cor_json_expect_object(json, (const char *const *)words, r->error));
    for (size_t i = 0; i < cor_json_size(json); i++) {
        const struct cor_json item = cor_json_at(json, i);
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

static enum cor_status read_draw(struct law_reader *r, const struct cor_json *json) {
    if (r->attribute->type == COR_ATTRIBUTE_WORDS || r->attribute->type == COR_ATTRIBUTE_BOOLEAN)
        return read_shares(r, json);
    if (!cor_json_is_array(json))
        return cor_json_fail(json, r->error, "[low, high]", "is no range to draw from");
    return read_draw_range(r, json);
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
    r->law->level = cor_calloc(fixed->state_count, sizeof *r->law->level);
    COR_TRY(cor_made(r->law->level, r->error));
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
        return cor_json_fail(json, r->error, "one of \"value\", \"draw\", \"level\", \"is\"",
                             "does not say, once, where \"%s\" is from", r->attribute->name);
    if (cor_json_find(json, "inertia", &inertia)) {
        if (which != 2)
            return cor_json_fail(&inertia, r->error, "leave it out", "has a meaning with \"level\" alone");
        COR_TRY(cor_json_bool(&inertia, &r->law->has_inertia, r->error));
        if (r->law->has_inertia && r->attribute->type != COR_ATTRIBUTE_REAL)
            return cor_json_fail(&inertia, r->error, "leave it out, or make it a real one",
                                 "only real attributes go to their level bit by bit");
    }
    switch (which) {
    case 0:
        return read_value(r, &child);
    case 1:
        return read_draw(r, &child);
    case 2:
        r->law->source = COR_ATTRIBUTE_LEVEL;
        return read_levels(r, &child);
    default:
        r->law->source = COR_ATTRIBUTE_COMPUTED;
        return interaction__read_formula(&child, r->model->attributes, r->model->attribute_count, r->index,
                                         &r->law->formula, r->error);
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
    return cor_json_fail(
        &r->type->json, r->error,
        "\"attributes\": {name: a value, or {\"draw\": ..}, {\"level\": ..} or {\"is\": ..}}; "
        "or say it for all types where it is declared",
        "does not say where the attribute \"%s\" is from", r->attribute->name);
}

enum cor_status interaction__read_attribute_laws(const struct cor_test_model *model,
                                                 struct cor_agent_type *type, struct cor_error *error) {
    const char *names[COR_ATTRIBUTES_MAX + 1] = {NULL};
    struct cor_json laws;
    for (uint32_t a = 0; a < model->attribute_count; a++)
        names[a] = model->attributes[a].name;
    const bool has_laws = cor_json_find(&type->json, "attributes", &laws);
    if (has_laws && cor_json_is_object(&laws) && cor_json_size(&laws) > 0 && model->attribute_count == 0)
        return cor_json_fail(&laws, error, "declare it: \"attributes\" of the model",
                             "the model declares no attributes");
    if (has_laws)
        COR_TRY(cor_json_expect_object(&laws, names, error));
    type->attributes = cor_calloc(model->attribute_count, sizeof *type->attributes);
    COR_TRY(cor_made(type->attributes, error));
    for (uint32_t a = 0; a < model->attribute_count; a++) {
        struct law_reader r = {model, type, a, &model->attributes[a], &type->attributes[a], error};
        COR_TRY(read_law(&r, has_laws ? &laws : NULL));
    }
    return COR_OK;
}

void interaction__model_attributes_fini(struct cor_test_model *model) {
    for (uint32_t t = 0; t < model->type_count; t++) {
        for (uint32_t a = 0; model->types[t].attributes && a < model->attribute_count; a++) {
            free(model->types[t].attributes[a].cumulative);
            free(model->types[t].attributes[a].level);
            interaction__formula_fini(&model->types[t].attributes[a].formula);
        }
        free(model->types[t].attributes);
    }
    for (uint32_t a = 0; a < model->attribute_count; a++) {
        cor_attribute_fini_declaration(&model->attributes[a]);
        if (model->attribute_texts)
            free(model->attribute_texts[a]);
    }
    free(model->attribute_texts);
    free(model->attributes);
    free(model->attribute_json);
}
