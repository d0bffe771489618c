/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "combine_model.h"

#include <corridor/array.h>
#include <corridor/fields.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VERSION 1

enum kinds { INTEGERS = 1, REALS = 2, TRUTHS = 4, TEXTS = 8, NULLS = 16 };

/* The values of a parameter, as they are read. */
struct values {
    struct cor_combine_level *levels; /* owned, with their texts */
    char **texts;
    size_t count, level_capacity, text_capacity;
    unsigned kinds;
};

static enum cor_status read_value(const struct cor_json *json, struct cor_words *words,
                                  struct cor_value *value, unsigned *kind, struct cor_error *error) {
    bool truth;
    const char *text;
    if (cor_json_is_null(json)) {
        *value = cor_null();
        *kind = NULLS;
    } else if (cor_json_is_integer(json)) {
        COR_TRY(cor_json_integer(json, INT64_MIN, INT64_MAX, &value->as.integer, error));
        value->kind = COR_VALUE_INTEGER;
        *kind = INTEGERS;
    } else if (cor_json_is_number(json)) {
        COR_TRY(cor_json_real(json, -1e300, 1e300, &value->as.real, error));
        value->kind = COR_VALUE_REAL;
        *kind = REALS;
    } else if (cor_json_is_string(json)) {
        COR_TRY(cor_json_string(json, &text, error));
        COR_TRY(cor_words_intern(words, text, &value->as.word, error));
        value->kind = COR_VALUE_WORD;
        *kind = TEXTS;
    } else if (cor_json_is_object(json) || cor_json_is_array(json)) {
        return cor_json_fail(json, error, "write a number, a text, true, false or null", "is no value");
    } else {
        COR_TRY(cor_json_bool(json, &truth, error));
        *value = cor_integer(truth);
        *kind = TRUTHS;
    }
    return COR_OK;
}

/* A value as rows show it: a text without quotes. */
static char *text_of(struct cor_value value, unsigned kind, const struct cor_words *words) {
    char text[64];
    if (kind == TEXTS)
        return cor_strdup(cor_words_text(words, value.as.word));
    if (kind == TRUTHS)
        return cor_strdup(value.as.integer ? "true" : "false");
    cor_value_text(value, NULL, words, text, sizeof text);
    return cor_strdup(text);
}

static enum cor_status add_values(const struct cor_json *json, bool invalid, struct cor_words *words,
                                  struct values *values, struct cor_error *error) {
    COR_TRY(cor_json_expect_array(json, invalid ? 0 : 1, COR_COMBINE_LEVELS_MAX, error));
    for (size_t i = 0; i < cor_json_size(json); i++) {
        struct cor_json item = cor_json_at(json, i);
        struct cor_value value = cor_null();
        unsigned kind = 0;
        COR_TRY(read_value(&item, words, &value, &kind, error));
        COR_TRY(COR_RESERVE(&values->levels, &values->level_capacity, values->count + 1, error));
        COR_TRY(COR_RESERVE(&values->texts, &values->text_capacity, values->count + 1, error));
        char *text = text_of(value, kind, words);
        COR_TRY(cor_made(text, error));
        values->texts[values->count] = text;
        values->levels[values->count++] =
            (struct cor_combine_level){.text = text, .value = value, .invalid = invalid};
        values->kinds |= kind;
    }
    return COR_OK;
}

/* The type that all values have; false: none. */
static bool type_of(unsigned kinds, enum cor_value_type *type) {
    switch (kinds) {
    case INTEGERS:
        *type = COR_VALUE_TYPE_INTEGER;
        return true;
    case REALS:
    case REALS | INTEGERS:
        *type = COR_VALUE_TYPE_REAL;
        return true;
    case TRUTHS:
        *type = COR_VALUE_TYPE_BOOLEAN;
        return true;
    case TEXTS:
        *type = COR_VALUE_TYPE_ENUMERATION;
        return true;
    case NULLS:
    case TEXTS | NULLS:
        *type = COR_VALUE_TYPE_STRING;
        return true;
    default:
        return false;
    }
}

/* A parameter being read. */
struct parameter {
    const char *name;
    struct cor_words *words;
    struct values values;
};

static enum cor_status read_valid(const struct cor_json *json, void *into, struct cor_error *error) {
    struct parameter *parameter = into;
    return add_values(json, false, parameter->words, &parameter->values, error);
}

static enum cor_status read_invalid(const struct cor_json *json, void *into, struct cor_error *error) {
    struct parameter *parameter = into;
    return add_values(json, true, parameter->words, &parameter->values, error);
}

static const struct cor_field keyed_parameter[] = {{"values", COR_REQUIRED, COR_READ_FIELD(read_valid)},
                                                   {"invalid", COR_OPTIONAL, COR_READ_FIELD(read_invalid)},
                                                   {0}};

static const struct cor_field named_parameter[] = {
    {"name", COR_REQUIRED, COR_STRING_FIELD(struct parameter, name)}, COR_ROWS_OF(keyed_parameter), {0}};

static enum cor_status read_parameter(const struct cor_json *json, struct cor_combine_file *file,
                                      struct cor_error *error) {
    struct parameter parameter = {.name = json->key, .words = &file->words};
    struct values *values = &parameter.values;
    enum cor_value_type type = COR_VALUE_TYPE_INTEGER;
    char place[512];
    enum cor_status status = COR_OK;
    if (json->key && cor_json_is_array(json))
        status = read_valid(json, &parameter, error);
    else
        status = cor_json_fields(json, json->key ? keyed_parameter : named_parameter, &parameter, error);
    COR_TRY_OUT(status);
    if (!type_of(values->kinds, &type))
        COR_TRY_OUT(cor_json_fail(
            json, error, "give it numbers, truth values, or texts and null, but not several of these",
            "the values of \"%s\" are of several kinds", parameter.name));
    cor_json_place(json, place, sizeof place);
    COR_TRY_OUT(cor_combine_add_parameter(file->model, parameter.name, type, values->levels,
                                          (uint32_t)values->count, place, error));
out:
    for (size_t i = 0; i < values->count; i++)
        free(values->texts[i]);
    free(values->texts);
    free(values->levels);
    return status;
}

static enum cor_status read_parameters(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_combine_file *file = into;
    if (!cor_json_is_object(json))
        COR_TRY(cor_json_expect_array(json, 1, COR_COMBINE_PARAMETERS_MAX, error));
    else if (cor_json_size(json) == 0)
        return cor_json_fail(json, error, "name at least one", "there are no parameters");
    for (size_t i = 0; i < cor_json_size(json); i++) {
        struct cor_json item = cor_json_at(json, i);
        COR_TRY(read_parameter(&item, file, error));
    }
    return COR_OK;
}

static enum cor_status find_parameter(const struct cor_json *json, const char *name,
                                      const struct cor_combine_model *model, uint32_t *parameter,
                                      struct cor_error *error) {
    uint32_t count = cor_combine_parameter_count(model);
    *parameter = cor_combine_find_parameter(model, name);
    if (*parameter != COR_NONE)
        return COR_OK;
    const char **names = cor_calloc(count + 1, sizeof *names);
    char known[512];
    COR_TRY(cor_made(names, error));
    for (uint32_t i = 0; i < count; i++)
        names[i] = cor_combine_parameter_name(model, i);
    cor_known_names(name, names, known, sizeof known);
    free(names);
    return cor_json_fail(json, error, known, "there is no parameter \"%s\"", name);
}

struct part {
    const struct cor_combine_model *model;
    uint32_t *members; /* owned */
    uint32_t member_count, strength;
};

static enum cor_status read_members(const struct cor_json *json, void *into, struct cor_error *error) {
    struct part *part = into;
    COR_TRY(cor_json_expect_array(json, 1, COR_COMBINE_PARAMETERS_MAX, error));
    part->member_count = (uint32_t)cor_json_size(json);
    part->members = cor_calloc(part->member_count, sizeof *part->members);
    COR_TRY(cor_made(part->members, error));
    for (uint32_t i = 0; i < part->member_count; i++) {
        struct cor_json item = cor_json_at(json, i);
        const char *name = NULL;
        COR_TRY(cor_json_string(&item, &name, error));
        COR_TRY(find_parameter(&item, name, part->model, &part->members[i], error));
    }
    return COR_OK;
}

static const struct cor_field part_fields[] = {
    {"parameters", COR_REQUIRED, COR_READ_FIELD(read_members)},
    {"strength", COR_REQUIRED, COR_INTEGER_FIELD(struct part, strength, 1, COR_COMBINE_STRENGTH_MAX)},
    {0}};

static enum cor_status read_parts(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_combine_file *file = into;
    COR_TRY(cor_json_expect_array(json, 0, 10000, error));
    for (size_t i = 0; i < cor_json_size(json); i++) {
        struct cor_json item = cor_json_at(json, i);
        struct cor_combine_model *model = file->model;
        struct part part = {.model = model};
        char place[512];
        cor_json_place(&item, place, sizeof place);
        enum cor_status status = cor_json_fields(&item, part_fields, &part, error);
        if (status == COR_OK)
            status =
                cor_combine_add_part(model, part.members, part.member_count, part.strength, place, error);
        free(part.members);
        COR_TRY(status);
    }
    return COR_OK;
}

static enum cor_status read_constraints(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_combine_file *file = into;
    const char *text;
    char place[512];
    COR_TRY(cor_json_expect_array(json, 0, 100000, error));
    for (size_t i = 0; i < cor_json_size(json); i++) {
        struct cor_json item = cor_json_at(json, i);
        COR_TRY(cor_json_string(&item, &text, error));
        cor_json_place(&item, place, sizeof place);
        COR_TRY(cor_combine_add_constraint(file->model, text, place, error));
    }
    return COR_OK;
}

static enum cor_status read_cell(const struct cor_json *json, const struct cor_combine_model *model,
                                 uint32_t parameter, uint32_t *level, struct cor_error *error) {
    struct cor_value value = cor_null();
    unsigned kind = 0;
    struct cor_words words;
    char *text = NULL;
    const char **names = NULL;
    char known[512];
    enum cor_status status = COR_OK;
    cor_words_init(&words);
    COR_TRY_OUT(read_value(json, &words, &value, &kind, error));
    text = text_of(value, kind, &words);
    COR_TRY_OUT(cor_made(text, error));
    *level = cor_combine_find_level(model, parameter, text);
    if (*level != COR_NONE)
        goto out;
    uint32_t count = cor_combine_level_count(model, parameter);
    names = cor_calloc(count + 1, sizeof *names);
    COR_TRY_OUT(cor_made(names, error));
    for (uint32_t i = 0; i < count; i++)
        names[i] = cor_combine_level(model, parameter, i)->text;
    cor_known_names(text, names, known, sizeof known);
    status = cor_json_fail(json, error, known, "\"%s\" has no value \"%s\"",
                           cor_combine_parameter_name(model, parameter), text);
out:
    free(names);
    free(text);
    cor_words_fini(&words);
    return status;
}

/* A row as an object, or as a list in the order of the parameters. */
static enum cor_status read_row(const struct cor_json *json, const struct cor_combine_model *model,
                                bool whole, uint32_t *levels, struct cor_error *error) {
    uint32_t width = cor_combine_parameter_count(model);
    for (uint32_t p = 0; p < width; p++)
        levels[p] = COR_COMBINE_ANY;
    if (!cor_json_is_object(json))
        COR_TRY(cor_json_expect_array(json, width, width, error));
    for (size_t i = 0; i < cor_json_size(json); i++) {
        struct cor_json item = cor_json_at(json, i);
        uint32_t p = (uint32_t)i;
        if (item.key)
            COR_TRY(find_parameter(&item, item.key, model, &p, error));
        COR_TRY(read_cell(&item, model, p, &levels[p], error));
    }
    for (uint32_t p = 0; whole && p < width; p++)
        if (levels[p] == COR_COMBINE_ANY)
            return cor_json_fail(json, error, "say a value for each parameter", "no value of \"%s\"",
                                 cor_combine_parameter_name(model, p));
    return COR_OK;
}

static enum cor_status read_rows(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_combine_model *model = ((struct cor_combine_file *)into)->model;
    COR_TRY(cor_json_expect_array(json, 0, COR_COMBINE_ROWS_MAX, error));
    uint32_t *levels = cor_calloc(cor_combine_parameter_count(model), sizeof *levels);
    char place[512];
    enum cor_status status = cor_made(levels, error);
    for (size_t i = 0; i < cor_json_size(json) && status == COR_OK; i++) {
        struct cor_json item = cor_json_at(json, i);
        cor_json_place(&item, place, sizeof place);
        COR_TRY_OUT(read_row(&item, model, false, levels, error));
        COR_TRY_OUT(cor_combine_add_row(model, levels, place, error));
    }
out:
    free(levels);
    return status;
}

static enum cor_status check_version(const struct cor_json *json, void *into, struct cor_error *error) {
    int64_t version;
    (void)into;
    COR_TRY(cor_json_integer(json, INT64_MIN, INT64_MAX, &version, error));
    return version == VERSION
               ? COR_OK
               : cor_json_fail(json, error, "write 1", "version %" PRId64 " is unknown", version);
}

static enum cor_status read_policy(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_combine_file *file = into;
    const char *words[8];
    int index;
    size_t count = 0;
    while (cor_combine_policy_word(count)) {
        words[count] = cor_combine_policy_word(count);
        count++;
    }
    words[count] = NULL;
    COR_TRY(cor_json_one_of(json, words, "policy", &index, error));
    file->request.policy = (enum cor_combine_policy)index;
    return COR_OK;
}

static enum cor_status read_strength(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_combine_file *file = into;
    int64_t strength;
    COR_TRY(cor_json_integer(json, 1, COR_COMBINE_STRENGTH_MAX, &strength, error));
    file->request.strength = (uint32_t)strength;
    return COR_OK;
}

static enum cor_status read_seed(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_combine_file *file = into;
    return cor_json_word(json, &file->request.seed, error);
}

static enum cor_status read_moves(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_combine_file *file = into;
    int64_t moves;
    COR_TRY(cor_json_integer(json, 0, INT64_MAX, &moves, error));
    file->request.moves = (uint64_t)moves;
    return COR_OK;
}

static const struct cor_field model_fields[] = {
    {"corridor_combine", COR_OPTIONAL, COR_READ_FIELD(check_version)},
    {"name", COR_OPTIONAL, COR_KNOWN_FIELD},
    {"parameters", COR_REQUIRED, COR_READ_FIELD(read_parameters)},
    {"strength", COR_OPTIONAL, COR_READ_FIELD(read_strength)},
    {"policy", COR_OPTIONAL, COR_READ_FIELD(read_policy)},
    {"seed", COR_OPTIONAL, COR_READ_FIELD(read_seed)},
    {"moves", COR_OPTIONAL, COR_READ_FIELD(read_moves)},
    {"parts", COR_OPTIONAL, COR_READ_FIELD(read_parts)},
    {"constraints", COR_OPTIONAL, COR_READ_FIELD(read_constraints)},
    {"rows", COR_OPTIONAL, COR_READ_FIELD(read_rows)},
    {0}};

/* The text of a file that has no zero byte. */
static enum cor_status read_text(const char *path, char **text, struct cor_error *error) {
    size_t length = 0;
    COR_TRY(cor_json_read_text(path, text, &length, error));
    if (strlen(*text) != length)
        return cor_fail(error, COR_STATUS_INPUT, cor_json_path_name(path), NULL,
                        "is no text: it has a zero byte");
    return COR_OK;
}

static bool is_json(const char *text) {
    return text[strspn(text, " \t\r\n")] == '{';
}

enum cor_status cor_combine_file_read(const char *path, struct cor_combine_file *file,
                                      struct cor_error *error) {
    struct cor_json_document *document = NULL;
    char *text = NULL;
    enum cor_status status = COR_OK;
    *file = (struct cor_combine_file){.request = cor_default_combine_request()};
    file->request.strength = 0;
    cor_words_init(&file->words);
    COR_TRY_OUT(cor_combine_model_create(&file->words, &file->model, error));
    COR_TRY_OUT(read_text(path, &text, error));
    if (is_json(text)) {
        COR_TRY_OUT(cor_json_parse(text, cor_json_path_name(path), &document, error));
        struct cor_json root = cor_json_root(document);
        COR_TRY_OUT(cor_json_expect_kind(&root, COR_KIND_COMBINE, error));
        COR_TRY_OUT(cor_json_fields(&root, model_fields, file, error));
    } else
        COR_TRY_OUT(cor_combine_read_text(text, cor_json_path_name(path), file->model, error));
out:
    cor_json_destroy(document);
    free(text);
    return status;
}

void cor_combine_file_fini(struct cor_combine_file *file) {
    cor_combine_model_destroy(file->model);
    file->model = NULL;
    cor_words_fini(&file->words);
}

static enum cor_status read_json_rows(const char *text, const char *name,
                                      const struct cor_combine_model *model, bool whole,
                                      struct cor_combine_rows *rows, struct cor_error *error) {
    struct cor_json_document *document = NULL;
    struct cor_json list;
    size_t width = cor_combine_parameter_count(model);
    enum cor_status status = COR_OK;
    COR_TRY_OUT(cor_json_parse(text, name, &document, error));
    struct cor_json root = cor_json_root(document);
    COR_TRY_OUT(cor_json_need(&root, "rows", &list, error));
    COR_TRY_OUT(cor_json_expect_array(&list, 0, COR_COMBINE_ROWS_MAX, error));
    for (size_t i = 0; i < cor_json_size(&list); i++) {
        struct cor_json item = cor_json_at(&list, i);
        COR_TRY_OUT(COR_RESERVE(&rows->levels, &rows->level_capacity, (i + 1) * width, error));
        COR_TRY_OUT(COR_RESERVE(&rows->lines, &rows->line_capacity, i + 1, error));
        COR_TRY_OUT(read_row(&item, model, whole, rows->levels + i * width, error));
        rows->lines[i] = (uint32_t)i + 1;
        rows->row_count++;
    }
out:
    cor_json_destroy(document);
    return status;
}

enum cor_status cor_combine_rows_read(const char *path, const struct cor_combine_model *model, bool whole,
                                      struct cor_combine_rows *rows, struct cor_error *error) {
    char *text = NULL;
    *rows = (struct cor_combine_rows){0};
    enum cor_status status = read_text(path, &text, error);
    if (status == COR_OK)
        status = is_json(text)
                     ? read_json_rows(text, cor_json_path_name(path), model, whole, rows, error)
                     : cor_combine_read_rows(text, cor_json_path_name(path), model, whole, rows, error);
    free(text);
    return status;
}
