/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "combine_command.h"
#include "commands.h"
#include "output.h"
#include "running.h"

#include <corridor/array.h>
#include <corridor/cells.h>
#include <corridor/delimited.h>
#include <corridor/fields.h>
#include <corridor/json_names.h>

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
    COR_JSON_CHILDREN(item, json) {
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
    COR_FREE(values->texts, values->levels);
    return status;
}

static enum cor_status read_parameters(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_combine_file *file = into;
    if (!cor_json_is_object(json))
        COR_TRY(cor_json_expect_array(json, 1, COR_COMBINE_PARAMETERS_MAX, error));
    else if (cor_json_size(json) == 0)
        return cor_json_fail(json, error, "name at least one", "there are no parameters");
    COR_JSON_CHILDREN(item, json)
        COR_TRY(read_parameter(&item, file, error));
    return COR_OK;
}

static const char *parameter_name(const void *model, size_t index) {
    return cor_combine_parameter_name(model, (uint32_t)index);
}

static enum cor_status find_parameter(const struct cor_json *json, const char *name,
                                      const struct cor_combine_model *model, uint32_t *parameter,
                                      struct cor_error *error) {
    return cor_json_find_name(json, COR_SAID_NAMES(parameter_name, model, cor_combine_parameter_count(model)),
                              name, parameter, error, "there is no parameter \"%s\"", name);
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
    COR_TRY(cor_made(part->members = cor_calloc(part->member_count, sizeof *part->members), error));
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

static enum cor_status read_part(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_combine_model *model = ((struct cor_combine_file *)into)->model;
    struct part part = {.model = model};
    char place[512];
    cor_json_place(json, place, sizeof place);
    enum cor_status status = cor_json_fields(json, part_fields, &part, error);
    if (status == COR_OK)
        status = cor_combine_add_part(model, part.members, part.member_count, part.strength, place, error);
    free(part.members);
    return status;
}

static enum cor_status read_constraint(const struct cor_json *json, void *into, struct cor_error *error) {
    const char *text;
    char place[512];
    COR_TRY(cor_json_string(json, &text, error));
    cor_json_place(json, place, sizeof place);
    return cor_combine_add_constraint(((struct cor_combine_file *)into)->model, text, place, error);
}

struct column {
    const struct cor_combine_model *model;
    uint32_t parameter;
};

static const char *level_text(const void *of, size_t index) {
    const struct column *column = of;
    return cor_combine_level(column->model, column->parameter, (uint32_t)index)->text;
}

static enum cor_status read_cell(const struct cor_json *json, const struct cor_combine_model *model,
                                 uint32_t parameter, uint32_t *level, struct cor_error *error) {
    const struct column column = {model, parameter};
    struct cor_value value = cor_null();
    unsigned kind = 0;
    COR_FINISHED(cor_words) struct cor_words words = {0};
    COR_FREED char *text = NULL;
    enum cor_status status = COR_OK;
    cor_words_init(&words);
    COR_TRY(read_value(json, &words, &value, &kind, error));
    COR_TRY(cor_made(text = text_of(value, kind, &words), error));
    *level = cor_combine_find_level(model, parameter, text);
    if (*level == COR_NONE)
        status = cor_json_find_name(
            json, COR_SAID_NAMES(level_text, &column, cor_combine_level_count(model, parameter)), text, level,
            error, "\"%s\" has no value \"%s\"", cor_combine_parameter_name(model, parameter), text);
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
    COR_JSON_CHILDREN(item, json) {
        uint32_t p = (uint32_t)item.index;
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
    COR_FREED uint32_t *levels = cor_calloc(cor_combine_parameter_count(model), sizeof *levels);
    char place[512];
    enum cor_status status = cor_made(levels, error);
    for (size_t i = 0; i < cor_json_size(json) && status == COR_OK; i++) {
        struct cor_json item = cor_json_at(json, i);
        cor_json_place(&item, place, sizeof place);
        COR_TRY(read_row(&item, model, false, levels, error));
        COR_TRY(cor_combine_add_row(model, levels, place, error));
    }
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

static const char *policy_word(const void *none, size_t index) {
    (void)none;
    return cor_combine_policy_word(index);
}

static enum cor_status read_policy(const struct cor_json *json, void *into, struct cor_error *error) {
    uint32_t index;
    COR_TRY(cor_json_one_name(json, COR_SAID_NAMES(policy_word, NULL, SIZE_MAX), "policy", &index, error));
    ((struct cor_combine_file *)into)->request.policy = (enum cor_combine_policy)index;
    return COR_OK;
}

static const struct cor_field model_fields[] = {
    {"corridor_combine", COR_OPTIONAL, COR_READ_FIELD(check_version)},
    {"name", COR_OPTIONAL, COR_KNOWN_FIELD},
    {"parameters", COR_REQUIRED, COR_READ_FIELD(read_parameters)},
    {"strength", COR_OPTIONAL,
     COR_INTEGER_FIELD(struct cor_combine_file, request.strength, 1, COR_COMBINE_STRENGTH_MAX)},
    {"policy", COR_OPTIONAL, COR_READ_FIELD(read_policy)},
    {"seed", COR_OPTIONAL, COR_SEED_FIELD(struct cor_combine_file, request.seed)},
    {"moves", COR_OPTIONAL, COR_INTEGER_FIELD(struct cor_combine_file, request.moves, 0, INT64_MAX)},
    {"parts", COR_OPTIONAL, COR_EACH_FIELD(read_part, 0, 10000)},
    {"constraints", COR_OPTIONAL, COR_EACH_FIELD(read_constraint, 0, 100000)},
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
    COR_DESTROYED(cor_json) struct cor_json_document *document = NULL;
    COR_FREED char *text = NULL;
    *file = (struct cor_combine_file){.request = cor_default_combine_request()};
    file->request.strength = 0;
    cor_words_init(&file->words);
    COR_TRY(cor_combine_model_create(&file->words, &file->model, error));
    COR_TRY(read_text(path, &text, error));
    if (is_json(text)) {
        COR_TRY(cor_json_parse(text, cor_json_path_name(path), &document, error));
        struct cor_json root = cor_json_root(document);
        COR_TRY(cor_json_expect_kind(&root, COR_KIND_COMBINE, error));
        COR_TRY(cor_json_fields(&root, model_fields, file, error));
    } else
        COR_TRY(cor_combine_read_text(text, cor_json_path_name(path), file->model, error));
    return COR_OK;
}

void cor_combine_file_fini(struct cor_combine_file *file) {
    cor_combine_model_destroy(file->model);
    file->model = NULL;
    cor_words_fini(&file->words);
}

static enum cor_status read_json_rows(const char *text, const char *name,
                                      const struct cor_combine_model *model, bool whole,
                                      struct cor_combine_rows *rows, struct cor_error *error) {
    COR_DESTROYED(cor_json) struct cor_json_document *document = NULL;
    struct cor_json list;
    size_t width = cor_combine_parameter_count(model);
    COR_TRY(cor_json_parse(text, name, &document, error));
    struct cor_json root = cor_json_root(document);
    COR_TRY(cor_json_need(&root, "rows", &list, error));
    COR_TRY(cor_json_expect_array(&list, 0, COR_COMBINE_ROWS_MAX, error));
    COR_JSON_CHILDREN(item, &list) {
        COR_TRY(COR_RESERVE(&rows->levels, &rows->level_capacity, (item.index + 1) * width, error));
        COR_TRY(COR_RESERVE(&rows->lines, &rows->line_capacity, item.index + 1, error));
        COR_TRY(read_row(&item, model, whole, rows->levels + item.index * width, error));
        rows->lines[item.index] = (uint32_t)item.index + 1;
        rows->row_count++;
    }
    return COR_OK;
}

enum cor_status cor_combine_rows_read(const char *path, const struct cor_combine_model *model, bool whole,
                                      struct cor_combine_rows *rows, struct cor_error *error) {
    COR_FREED char *text = NULL;
    *rows = (struct cor_combine_rows){0};
    COR_TRY(read_text(path, &text, error));
    return is_json(text) ? read_json_rows(text, cor_json_path_name(path), model, whole, rows, error)
                         : cor_combine_read_rows(text, cor_json_path_name(path), model, whole, rows, error);
}

/* ---- combine: rows for a model of a file */

#define LISTED_MAX 20 /* impossible combinations that are shown beside the rows */

struct request {
    uint32_t strength; /* 0: that of the model, as the others */
    int policy;
    int64_t moves, seed; /* -1 */
    const char *rows, *verify, *output;
    bool force, json;
};

static enum cor_status keep_rows(const char *path, struct cor_combine_model *model, struct cor_error *error) {
    COR_FINISHED(cor_combine_rows) struct cor_combine_rows rows = {0};
    char place[512];
    size_t width = cor_combine_parameter_count(model);
    enum cor_status status = cor_combine_rows_read(path, model, false, &rows, error);
    for (size_t i = 0; i < rows.row_count && status == COR_OK; i++) {
        snprintf(place, sizeof place, "%s:%u", cor_json_path_name(path), rows.lines[i]);
        status = cor_combine_add_row(model, rows.levels + i * width, place, error);
    }
    return status;
}

static const char *plural(uint64_t count) {
    return count == 1 ? "" : "s";
}

static enum cor_status verify(const struct cor_combine_file *file, const char *path, bool *good,
                              struct cor_error *error) {
    COR_FINISHED(cor_combine_rows) struct cor_combine_rows rows = {0};
    struct cor_combine_judgement judgement;
    COR_TRY(cor_combine_rows_read(path, file->model, true, &rows, error));
    COR_TRY(cor_combine_check(file->model, &file->request, rows.levels, rows.row_count, &judgement, error));
    cor_progress_doing(NULL);
    char text[2048];
    cor_print("%s: %zu row%s, %llu of %llu combinations covered", cor_json_path_name(path), rows.row_count,
              plural(rows.row_count), (unsigned long long)judgement.covered,
              (unsigned long long)(judgement.wanted - judgement.excluded));
    if (judgement.excluded > 0)
        cor_print(", %llu are impossible", (unsigned long long)judgement.excluded);
    puts("");
    if (judgement.bad_row_count > 0) {
        cor_print("  %zu row%s do%s not fit, the first in line %u: ", judgement.bad_row_count,
                  plural(judgement.bad_row_count), judgement.bad_row_count == 1 ? "es" : "",
                  rows.lines[judgement.first_bad_row]);
        if (judgement.first_broken)
            cor_print("breaks %s\n", judgement.first_broken);
        else
            puts("has several invalid values");
    }
    if (judgement.missing > 0) {
        cor_combine_tuple_text(file->model, &judgement.first_missing, text, sizeof text);
        cor_print("  %llu combination%s missing, the first: %s\n", (unsigned long long)judgement.missing,
                  judgement.missing == 1 ? " is" : "s are", text);
    }
    *good = judgement.missing == 0 && judgement.bad_row_count == 0;
    return COR_OK;
}

/* A text as a cell: in quotes where it would be read as something else. */
static void print_cell(FILE *file, const char *text) {
    if (*text && !strpbrk(text, ",;\t\"\r\n") && text[0] != ' ' && text[strlen(text) - 1] != ' ' &&
        !cor_delimited_is_formula(text)) {
        fputs(text, file);
        return;
    }
    fputc('"', file);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', file);
        fputc(*text, file);
    }
    fputc('"', file);
}

static void put_level_value(struct cor_json_writer *w, const char *key, const struct cor_combine_file *file,
                            uint32_t parameter, uint32_t level) {
    const struct cor_combine_level *l = cor_combine_level(file->model, parameter, level);
    switch ((enum cor_value_kind)l->value.kind) {
    case COR_VALUE_NULL:
        cor_json_put_string(w, key, NULL);
        break;
    case COR_VALUE_INTEGER:
        if (strcmp(l->text, "true") == 0 || strcmp(l->text, "false") == 0)
            cor_json_put_bool(w, key, l->value.as.integer != 0);
        else
            cor_json_put_integer(w, key, l->value.as.integer);
        break;
    case COR_VALUE_REAL:
        cor_json_put_real(w, key, l->value.as.real);
        break;
    case COR_VALUE_WORD:
        cor_json_put_string(w, key, cor_words_text(&file->words, l->value.as.word));
        break;
    }
}

static enum cor_status print_json(FILE *out, const struct cor_combine_file *file,
                                  const struct cor_combine_array *array,
                                  const struct cor_combine_judgement *judgement, struct cor_error *error) {
    struct cor_json_writer *w;
    uint32_t width = cor_combine_parameter_count(file->model);
    COR_TRY(cor_document_open("corridor-combine", 1, &w, error));
    cor_json_put_string(w, "policy", cor_combine_policy_word(file->request.policy));
    cor_json_put_integer(w, "strength", file->request.strength);
    cor_json_put_word(w, "seed", file->request.seed);
    cor_json_put_integer(w, "moves", (int64_t)array->moves);
    cor_json_put_integer(w, "covered", (int64_t)judgement->covered);
    cor_json_put_integer(w, "valid_rows", (int64_t)array->valid_row_count);
    cor_json_open_array(w, "parameters");
    for (uint32_t p = 0; p < width; p++)
        cor_json_put_string(w, NULL, cor_combine_parameter_name(file->model, p));
    cor_json_close(w);
    cor_json_open_array(w, "rows");
    for (size_t i = 0; i < array->row_count; i++) {
        cor_json_open_array(w, NULL);
        for (uint32_t p = 0; p < width; p++)
            put_level_value(w, NULL, file, p, array->levels[i * width + p]);
        cor_json_close(w);
    }
    cor_json_close(w);
    cor_json_open_array(w, "excluded");
    for (size_t i = 0; i < array->excluded_count; i++) {
        const struct cor_combine_tuple *tuple = &array->excluded[i];
        cor_json_open_object(w, NULL);
        for (uint32_t j = 0; j < tuple->count; j++)
            put_level_value(w, cor_combine_parameter_name(file->model, tuple->parameter[j]), file,
                            tuple->parameter[j], tuple->level[j]);
        cor_json_close(w);
    }
    cor_json_close(w);
    cor_json_close(w);
    return cor_json_print_take(w, 1, out, error);
}

/* The checker has the last word; that it disagrees would be our fault. */
static enum cor_status judge(const struct cor_combine_file *file, const struct cor_combine_array *array,
                             struct cor_combine_judgement *judgement, struct cor_error *error) {
    char text[512];
    COR_TRY(
        cor_combine_check(file->model, &file->request, array->levels, array->row_count, judgement, error));
    if (judgement->bad_row_count > 0)
        return cor_fail(error, COR_STATUS_INTERNAL, NULL, NULL, "the checker refuses row %zu",
                        judgement->first_bad_row + 1);
    if (judgement->missing == 0)
        return COR_OK;
    cor_combine_tuple_text(file->model, &judgement->first_missing, text, sizeof text);
    return cor_fail(error, COR_STATUS_INTERNAL, NULL, NULL, "the checker misses %s", text);
}

static enum cor_status generate(const struct request *request, const struct cor_combine_file *file,
                                struct cor_error *error) {
    COR_FINISHED(cor_combine_array) struct cor_combine_array array = {0};
    struct cor_combine_judgement judgement;
    struct cor_output output;
    const char *path = request->output;
    enum cor_status status = COR_OK;
    if (path && strcmp(path, "-") != 0) /* before the search, not behind it */
        COR_TRY(cor_output_check(path, request->force, error));
    COR_TRY(cor_combine_generate(file->model, &file->request, &array, error));
    COR_TRY(judge(file, &array, &judgement, error));
    cor_progress_doing(NULL);
    COR_TRY(cor_output_open(path, request->force, &output, error));
    if (request->json)
        status = print_json(output.file, file, &array, &judgement, error);
    else {
        const struct cor_combine_model *model = file->model;
        uint32_t width = cor_combine_parameter_count(model);
        for (uint32_t p = 0; p < width; p++) {
            fputs(p > 0 ? "," : "", output.file);
            print_cell(output.file, cor_combine_parameter_name(model, p));
        }
        fputc('\n', output.file);
        for (size_t i = 0; i < array.row_count; i++) {
            for (uint32_t p = 0; p < width; p++) {
                fputs(p > 0 ? "," : "", output.file);
                print_cell(output.file, cor_combine_level(model, p, array.levels[i * width + p])->text);
            }
            fputc('\n', output.file);
        }
    }
    COR_TRY(cor_output_close(&output, status, error));
    /* What was covered, and what cannot be, for those who watch. */
    char text[2048];
    fprintf(stderr, "%zu row%s", array.row_count, plural(array.row_count));
    if (array.valid_row_count < array.row_count)
        fprintf(stderr, ", %zu of them with one invalid value", array.row_count - array.valid_row_count);
    fprintf(stderr, "; %llu combination%s covered", (unsigned long long)judgement.covered,
            plural(judgement.covered));
    if (judgement.excluded > 0)
        fprintf(stderr, ", %llu impossible under the constraints%s", (unsigned long long)judgement.excluded,
                array.excluded_count > 0 ? ":" : "");
    fputc('\n', stderr);
    for (size_t i = 0; i < array.excluded_count && i < LISTED_MAX; i++) {
        cor_combine_tuple_text(file->model, &array.excluded[i], text, sizeof text);
        fprintf(stderr, "  %s\n", text);
    }
    if (array.excluded_count > LISTED_MAX)
        fprintf(stderr, "  and %zu others: --json lists all\n", array.excluded_count - LISTED_MAX);
    return status;
}

static enum cor_exit run_combine(const struct cor_arguments *arguments) {
    struct cor_error error = COR_NO_ERROR;
    COR_FINISHED(cor_combine_file) struct cor_combine_file file = {0};
    const struct request *request = arguments->request;
    enum cor_exit code = COR_EXIT_DONE;
    enum cor_status status = COR_OK;
    bool good = true;
    COR_TRY_OUT(cor_combine_file_read(arguments->words[0], &file, &error));
    /* Options overrule the model. */
    const struct cor_combine_model *model = file.model;
    uint32_t most = cor_combine_parameter_count(model);
    if (request->strength > 0)
        file.request.strength = request->strength;
    else if (file.request.strength == 0) { /* nobody asks for one: the usual, or what fits */
        file.request.strength = cor_default_combine_request().strength;
        if (file.request.strength > most && most > 0)
            file.request.strength = most;
    }
    if (request->policy >= 0)
        file.request.policy = (enum cor_combine_policy)request->policy;
    if (request->moves >= 0)
        file.request.moves = (uint64_t)request->moves;
    if (request->seed >= 0)
        file.request.seed = (uint64_t)request->seed;
    file.request.doing = cor_progress_doing;
    if (request->rows)
        COR_TRY_OUT(keep_rows(request->rows, file.model, &error));
    if (request->verify)
        COR_TRY_OUT(verify(&file, request->verify, &good, &error));
    else
        COR_TRY_OUT(generate(request, &file, &error));
    code = good ? COR_EXIT_DONE : COR_EXIT_EXPECTATION;
out:
    if (status != COR_OK)
        cor_progress_doing(NULL);
    if (status == COR_STATUS_INPUT && error.place[0] == '\0') /* of the model as a whole */
        cor_show_path(cor_json_path_name(arguments->words[0]), &error);
    return status == COR_OK ? code : cor_report(&error);
}

const struct cor_command cor_command_combine = {
    .name = "combine",
    .summary = "make a covering array",
    .operands = "MODEL",
    .takes = {1, 1, "needs one model"},
    .request_size = sizeof(struct request),
    .manual =
        "Makes a covering array for a model in JSON, or as PICT, ACTS or CTWedge write it: parameters with "
        "values, some of "
        "them invalid, constraints, parts of higher strength, rows to keep. Every row satisfies the "
        "constraints; what these make impossible is proved so, and listed. An invalid value stands alone in "
        "its row. A checker that knows nothing of the search judges the rows before they are written.\n\nThe "
        "search is counted in moves, not by the clock: the same model, seed and moves give the same rows on "
        "any machine. With --verify, rows that somebody else made are judged; then the exit code is 1 if one "
        "does not fit or a combination is missing. docs/do/combine.md says how models are written.",
    .options =
        {
            {"strength", 't', "T", "combine every T parameters",
             COR_INTEGER(strength, 1, COR_COMBINE_STRENGTH_MAX, 0), .otherwise = "that of the model, else 2"},
            {"policy", 'p', "NAME", "ask for these rows", COR_WORD(policy, cor_combine_policy_word, 0, -1),
             .otherwise = "that of the model, else valid-t"},
            {"seed", 0, "N", "seed the search with N", COR_INTEGER(seed, 0, INT64_MAX, -1),
             .otherwise = "that of the model, else 1"},
            {"moves", 0, "N", "search so far for fewer rows; 0 is about a second",
             COR_INTEGER(moves, 0, INT64_MAX, -1), .otherwise = "that of the model, else 0"},
            {"rows", 0, "FILE", "keep these rows, and fill in what they leave open", COR_TEXT(rows)},
            {"verify", 0, "FILE", "judge these rows instead of making some", COR_TEXT(verify),
             .excludes = "rows output json"},
            {"output", 'o', "FILE", "write this file; - is standard output", COR_TEXT(output),
             .otherwise = "-"},
            {"force", 'f', NULL, "replace the file if it exists", COR_FLAG(force)},
            {"json", 0, NULL, "print one JSON document, with what is impossible", COR_FLAG(json)},
        },
    .examples = {"corridor combine model.pict > rows.csv", "corridor combine model.json --strength 3 --json",
                 "corridor combine model.ctw > rows.csv   # or a model of ACTS, as text",
                 "corridor combine model.pict --verify rows.csv   # are others' rows good enough?"},
    .run = run_combine,
};
