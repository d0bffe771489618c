/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reader.h"

#include <corridor/array.h>

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

void combine__place_of(const struct combine__reader *reader, const char *at, char *place, size_t size) {
    size_t line = 1, column = 1;
    const char *start = reader->start;
    if (reader->origins) {
        start = reader->file;
        at = reader->file + reader->origins[at - reader->start];
    }
    COR_ASSERT(at >= start && (size_t)(at - start) <= strlen(start)); /* of this text, and no other */
    for (const char *c = start; c < at; c++) {
        line += *c == '\n';
        column = *c == '\n' ? 1 : column + ((*c & 0xC0) != 0x80); /* no byte within a character */
    }
    snprintf(place, size, "%s:%zu:%zu", reader->name, line, column);
}

enum cor_status combine__fail_at(const struct combine__reader *reader, const char *at, const char *remedy,
                                 const char *cause_format, ...) {
    char place[512], cause[1024];
    va_list arguments;
    va_start(arguments, cause_format);
    vsnprintf(cause, sizeof cause, cause_format, arguments);
    va_end(arguments);
    combine__place_of(reader, at, place, sizeof place);
    return cor_fail(reader->error, COR_STATUS_INPUT, place, remedy, "%s", cause);
}

enum cor_status combine__fail_expected(const struct combine__reader *reader, const char *wanted) {
    char found[64];
    /* What stands at `at`, for a message. */
    const size_t size = sizeof found;
    size_t length = strcspn(reader->at, " \t\r\n");
    if (*reader->at == '\0')
        snprintf(found, size, "the end");
    else if (*reader->at == '\n' || *reader->at == '\r')
        snprintf(found, size, "the end of the line");
    else
        snprintf(found, size, "\"%.*s\"", (int)(length == 0 ? 1 : length > 40 ? 40 : length), reader->at);
    return combine__fail_at(reader, reader->at, NULL, "expected %s, found %s", wanted, found);
}

bool combine__is_keyword(const char *at, const char *word) {
    size_t length = strlen(word);
    return strncasecmp(at, word, length) == 0 && !isalnum((unsigned char)at[length]) && at[length] != '_';
}

/* `from` .. `to` without blanks around it, as text. */
enum cor_status combine__copy_trimmed(const struct combine__reader *reader, const char *from, const char *to,
                                      char *text) {
    while (from < to && isspace((unsigned char)*from))
        from++;
    while (to > from && isspace((unsigned char)to[-1]))
        to--;
    if (to - from > COMBINE__TEXT_MAX)
        return combine__fail_at(reader, from, NULL, "is longer than %d bytes", COMBINE__TEXT_MAX);
    memcpy(text, from, (size_t)(to - from));
    text[to - from] = '\0';
    if (!cor_is_printable(text))
        return combine__fail_at(reader, from, "write it in UTF-8, without control characters",
                                "an unprintable text");
    return COR_OK;
}

static bool equals(const struct combine__reader *reader, const char *a, const char *b) {
    return reader->any_case ? combine__combine_compare(a, b) == 0 : strcmp(a, b) == 0;
}

enum cor_status combine__find_parameter(const struct combine__reader *reader, const char *at,
                                        const char *name, uint32_t *parameter) {
    const struct cor_combine_model *model = reader->model;
    for (*parameter = 0; *parameter < model->parameter_count; ++*parameter)
        if (equals(reader, model->parameters[*parameter].name, name))
            return COR_OK;
    const char **names = cor_calloc(model->parameter_count + 1, sizeof *names);
    char known[512];
    COR_TRY(cor_made(names, reader->error));
    for (size_t i = 0; i < model->parameter_count; i++)
        names[i] = model->parameters[i].name;
    cor_known_names(name, names, known, sizeof known);
    free(names);
    return combine__fail_at(reader, at, known, "there is no parameter \"%s\"", name);
}

enum cor_status combine__find_level(const struct combine__reader *reader, const char *at, uint32_t parameter,
                                    const char *text, uint32_t *level) {
    const struct combine__combine_parameter *p = &reader->model->parameters[parameter];
    *level = cor_combine_find_level(reader->model, parameter, text);
    if (*level != COR_NONE)
        return COR_OK;
    for (*level = 0; *level < p->level_count; ++*level)
        if (equals(reader, combine__combine_bare(&p->levels[*level]), text))
            return COR_OK;
    for (size_t i = 0; i < p->alias_count; i++)
        if (equals(reader, p->aliases[i].text, text)) {
            *level = p->aliases[i].level;
            return COR_OK;
        }
    const char **names = cor_calloc(p->level_count + 1, sizeof *names);
    char known[512];
    COR_TRY(cor_made(names, reader->error));
    for (uint32_t i = 0; i < p->level_count; i++)
        names[i] = combine__combine_bare(&p->levels[i]);
    cor_known_names(text, names, known, sizeof known);
    free(names);
    return combine__fail_at(reader, at, known, "\"%s\" has no value \"%s\"", p->name, text);
}

bool combine__read_integer(const char *text, int64_t *integer) {
    char *end;
    errno = 0;
    *integer = strtoll(text, &end, 10);
    return end != text && *end == '\0' && errno == 0 && !isspace((unsigned char)*text);
}

enum cor_status combine__values_add(struct combine__reader *reader, struct combine__values *values,
                                    const char *text, bool invalid) {
    int64_t integer;
    double real;
    COR_TRY(COR_RESERVE(&values->levels, &values->level_capacity, values->count + 1, reader->error));
    COR_TRY(COR_RESERVE(&values->texts, &values->text_capacity, values->count + 1, reader->error));
    char *own = cor_format("%s%s", invalid ? "~" : "", text);
    COR_TRY(cor_made(own, reader->error));
    values->texts[values->count] = own;
    values->levels[values->count++] = (struct cor_combine_level){.text = own, .invalid = invalid};
    values->some_other_than_integer |= !combine__read_integer(text, &integer);
    values->some_other_than_number |= !combine__combine_number(text, &real);
    return COR_OK;
}

/* Another name for the value that was added last. */
enum cor_status combine__values_alias(struct combine__reader *reader, struct combine__values *values,
                                      const char *text) {
    COR_TRY(COR_RESERVE(&values->aliases, &values->alias_capacity, values->alias_count + 1, reader->error));
    char *own = cor_strdup(text);
    COR_TRY(cor_made(own, reader->error));
    values->aliases[values->alias_count++] =
        (struct combine__combine_alias){own, (uint32_t)values->count - 1};
    return COR_OK;
}

enum cor_value_type combine__values_type(const struct combine__values *values) {
    return !values->some_other_than_integer  ? COR_VALUE_TYPE_INTEGER
           : !values->some_other_than_number ? COR_VALUE_TYPE_REAL
                                             : COR_VALUE_TYPE_ENUMERATION;
}

/* The value of a level that is shown by its text. */
static enum cor_status make_value(const struct combine__reader *reader, enum cor_value_type type,
                                  struct cor_combine_level *level) {
    const char *text = combine__combine_bare(level);
    int64_t integer = 0;
    double real = 0;
    uint32_t word = 0;
    switch (type) {
    case COR_VALUE_TYPE_INTEGER:
        combine__read_integer(text, &integer);
        level->value = cor_integer(integer);
        return COR_OK;
    case COR_VALUE_TYPE_REAL:
        combine__combine_number(text, &real);
        level->value = cor_real(real);
        return COR_OK;
    case COR_VALUE_TYPE_BOOLEAN:
        level->value = cor_integer(strcasecmp(text, "true") == 0);
        return COR_OK;
    case COR_VALUE_TYPE_STRING:
    case COR_VALUE_TYPE_ENUMERATION:
        break;
    }
    COR_TRY(cor_words_intern(reader->model->words, text, &word, reader->error));
    level->value = cor_word(word);
    return COR_OK;
}

/* Of a value, and then of what else values are called. */
static const char *value_name(const struct combine__values *values, size_t index) {
    return index < values->count ? combine__combine_bare(&values->levels[index])
                                 : values->aliases[index - values->count].text;
}

static size_t level_called(const struct combine__values *values, size_t index) {
    return index < values->count ? index : values->aliases[index - values->count].level;
}

/* Where names are found whatever their letters' size, those that differ in it alone are one name. */
static enum cor_status check_sizes(const struct combine__reader *reader, const char *at, const char *name,
                                   const struct combine__values *values) {
    for (size_t i = 0; reader->any_case && i < reader->model->parameter_count; i++) {
        const char *other = reader->model->parameters[i].name;
        if (strcmp(other, name) != 0 && equals(reader, other, name))
            return combine__fail_at(
                reader, at, "give each parameter a name of its own",
                "the parameters \"%s\" and \"%s\" differ in the size of letters alone, which "
                "PICT takes for one name",
                other, name);
    }
    const size_t count = values->count + values->alias_count;
    for (size_t i = 0; reader->any_case && i < count; i++)
        for (size_t k = 0; k < i; k++) {
            const char *one = value_name(values, k), *other = value_name(values, i);
            if (level_called(values, k) != level_called(values, i) && strcmp(one, other) != 0 &&
                equals(reader, one, other))
                return combine__fail_at(
                    reader, at, "give each value a name of its own",
                    "the values \"%s\" and \"%s\" of \"%s\" differ in the size of letters "
                    "alone, which PICT takes for one value",
                    one, other, name);
        }
    return COR_OK;
}

enum cor_status combine__values_keep(struct combine__reader *reader, const char *at, const char *name,
                                     struct combine__values *values, enum cor_value_type type) {
    char place[512];
    COR_TRY(check_sizes(reader, at, name, values));
    for (size_t i = 0; i < values->count; i++)
        COR_TRY(make_value(reader, type, &values->levels[i]));
    combine__place_of(reader, at, place, sizeof place);
    COR_TRY(cor_combine_add_parameter(reader->model, name, type, values->levels, (uint32_t)values->count,
                                      place, reader->error));
    for (size_t i = 0; i < values->alias_count; i++)
        COR_TRY(combine__combine_add_alias(reader->model, values->aliases[i].level, values->aliases[i].text,
                                           reader->error));
    return COR_OK;
}

void combine__values_fini(struct combine__values *values) {
    for (size_t i = 0; i < values->alias_count; i++)
        free(values->aliases[i].text);
    free(values->aliases);
    for (size_t i = 0; i < values->count; i++)
        free(values->texts[i]);
    free(values->levels);
    free(values->texts);
    *values = (struct combine__values){0};
}

enum cor_status combine__put(struct combine__reader *reader, const char *text) {
    size_t length = strlen(text);
    COR_TRY(
        COR_RESERVE(&reader->made, &reader->made_capacity, reader->made_length + length + 1, reader->error));
    memcpy(reader->made + reader->made_length, text, length + 1);
    reader->made_length += length;
    return COR_OK;
}

enum cor_status combine__put_parameter(struct combine__reader *reader, uint32_t parameter) {
    COR_TRY(combine__put(reader, "["));
    COR_TRY(combine__put(reader, reader->model->parameters[parameter].name));
    return combine__put(reader, "]");
}

/* "[A] = value" */
enum cor_status combine__put_comparison(struct combine__reader *reader, uint32_t parameter,
                                        const char *relation, struct cor_value value) {
    char text[2 * COMBINE__TEXT_MAX + 8];
    cor_value_text(value, NULL, reader->model->words, text, sizeof text);
    COR_TRY(combine__put_parameter(reader, parameter));
    COR_TRY(combine__put(reader, relation));
    return combine__put(reader, text);
}

/* The text between, with single blanks, as it is shown. */
static char *as_written(const char *from, const char *to) {
    char *text = cor_calloc((size_t)(to - from) + 1, 1), *end = text;
    for (; text && from < to; from++)
        if (!isspace((unsigned char)*from))
            *end++ = *from;
        else if (end > text && end[-1] != ' ')
            *end++ = ' ';
    return text;
}

enum cor_status combine__keep_constraint(struct combine__reader *reader, const char *start, const char *end) {
    char place[512], *written = as_written(start, end);
    COR_TRY(cor_made(written, reader->error));
    combine__place_of(reader, start, place, sizeof place);
    enum cor_status status =
        combine__combine_add_constraint(reader->model, reader->made, written, place, reader->error);
    free(written);
    return status;
}
