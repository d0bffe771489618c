/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Models as PICT writes them: parameters, sub-models, constraints. A constraint is put into the house's
 * language and parsed there; what it names is looked up here, where line and column are known. */
#include "internal.h"

#include <corridor/array.h>

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define NESTING_MAX 100
#define TEXT_MAX 255 /* bytes of a name or a value */

struct pict {
    struct cor_combine_model *model;
    const char *name; /* of the file */
    const char *start, *at;
    char *made; /* owned; the constraint in the house's language */
    size_t made_length, made_capacity;
    uint32_t nesting;
    struct cor_error *error;
};

static void place_of(const struct pict *pict, const char *at, char *place, size_t size) {
    size_t line = 1;
    const char *line_start = pict->start;
    for (const char *c = pict->start; c < at; c++)
        if (*c == '\n') {
            line++;
            line_start = c + 1;
        }
    snprintf(place, size, "%s:%zu:%zu", pict->name, line, (size_t)(at - line_start) + 1);
}

static enum cor_status COR_PRINTF(4, 5)
    fail_at(const struct pict *pict, const char *at, const char *remedy, const char *cause_format, ...) {
    char place[512], cause[1024];
    va_list arguments;
    va_start(arguments, cause_format);
    vsnprintf(cause, sizeof cause, cause_format, arguments);
    va_end(arguments);
    place_of(pict, at, place, sizeof place);
    return cor_fail(pict->error, COR_STATUS_INPUT, place, remedy, "%s", cause);
}

static enum cor_status fail_expected(const struct pict *pict, const char *wanted) {
    char found[64];
    /* What stands at `at`, for a message. */
    const size_t size = sizeof found;
    size_t length = strcspn(pict->at, " \t\r\n");
    if (*pict->at == '\0')
        snprintf(found, size, "the end");
    else if (*pict->at == '\n' || *pict->at == '\r')
        snprintf(found, size, "the end of the line");
    else
        snprintf(found, size, "\"%.*s\"", (int)(length == 0 ? 1 : length > 40 ? 40 : length), pict->at);
    return fail_at(pict, pict->at, NULL, "expected %s, found %s", wanted, found);
}

/* Blanks, ends of lines and comments, which are whole lines. */
static void skip_blanks(struct pict *pict) {
    for (;;) {
        pict->at += strspn(pict->at, " \t\r\n");
        const char *back = pict->at;
        while (back > pict->start && (back[-1] == ' ' || back[-1] == '\t'))
            back--;
        if (*pict->at != '#' || (back > pict->start && back[-1] != '\n'))
            return;
        pict->at += strcspn(pict->at, "\n");
    }
}

static bool is_keyword(const char *at, const char *word) {
    size_t length = strlen(word);
    return strncasecmp(at, word, length) == 0 && !isalnum((unsigned char)at[length]) && at[length] != '_';
}

static bool take_keyword(struct pict *pict, const char *word) {
    skip_blanks(pict);
    if (!is_keyword(pict->at, word))
        return false;
    pict->at += strlen(word);
    return true;
}

static bool take(struct pict *pict, char c) {
    skip_blanks(pict);
    if (*pict->at != c)
        return false;
    pict->at++;
    return true;
}

/* `from` .. `to` without blanks around it, as text. */
static enum cor_status copy_trimmed(const struct pict *pict, const char *from, const char *to, char *text) {
    while (from < to && isspace((unsigned char)*from))
        from++;
    while (to > from && isspace((unsigned char)to[-1]))
        to--;
    if (to - from > TEXT_MAX)
        return fail_at(pict, from, NULL, "is longer than %d bytes", TEXT_MAX);
    memcpy(text, from, (size_t)(to - from));
    text[to - from] = '\0';
    if (!cor_is_printable(text))
        return fail_at(pict, from, "write it in UTF-8, without control characters", "an unprintable text");
    return COR_OK;
}

static enum cor_status find_parameter(const struct pict *pict, const char *at, const char *name,
                                      uint32_t *parameter) {
    const struct cor_combine_model *model = pict->model;
    for (*parameter = 0; *parameter < model->parameter_count; ++*parameter)
        if (combine__combine_compare(model->parameters[*parameter].name, name) == 0)
            return COR_OK;
    const char **names = cor_calloc(model->parameter_count + 1, sizeof *names);
    char known[512];
    COR_TRY(cor_made(names, pict->error));
    for (size_t i = 0; i < model->parameter_count; i++)
        names[i] = model->parameters[i].name;
    cor_known_names(name, names, known, sizeof known);
    free(names);
    return fail_at(pict, at, known, "there is no parameter \"%s\"", name);
}

static enum cor_status find_level(const struct pict *pict, const char *at, uint32_t parameter,
                                  const char *text, uint32_t *level) {
    const struct combine__combine_parameter *p = &pict->model->parameters[parameter];
    *level = cor_combine_find_level(pict->model, parameter, text);
    if (*level != COR_NONE)
        return COR_OK;
    for (*level = 0; *level < p->level_count; ++*level)
        if (combine__combine_compare(combine__combine_bare(&p->levels[*level]), text) == 0)
            return COR_OK;
    for (size_t i = 0; i < p->alias_count; i++)
        if (combine__combine_compare(p->aliases[i].text, text) == 0) {
            *level = p->aliases[i].level;
            return COR_OK;
        }
    const char **names = cor_calloc(p->level_count + 1, sizeof *names);
    char known[512];
    COR_TRY(cor_made(names, pict->error));
    for (uint32_t i = 0; i < p->level_count; i++)
        names[i] = combine__combine_bare(&p->levels[i]);
    cor_known_names(text, names, known, sizeof known);
    free(names);
    return fail_at(pict, at, known, "\"%s\" has no value \"%s\"", p->name, text);
}

struct values {
    struct cor_combine_level *levels; /* owned, with their texts */
    char **texts;
    size_t count, level_capacity, text_capacity;
    struct combine__combine_alias *aliases; /* owned, with their texts */
    size_t alias_count, alias_capacity;
    bool all_integers, all_numbers;
};

static bool read_integer(const char *text, int64_t *integer) {
    char *end;
    errno = 0;
    *integer = strtoll(text, &end, 10);
    return end != text && *end == '\0' && errno == 0 && !isspace((unsigned char)*text);
}

static enum cor_status add_value(struct pict *pict, struct values *values, const char *text, bool invalid) {
    int64_t integer;
    double real;
    COR_TRY(COR_RESERVE(&values->levels, &values->level_capacity, values->count + 1, pict->error));
    COR_TRY(COR_RESERVE(&values->texts, &values->text_capacity, values->count + 1, pict->error));
    char *own = cor_format("%s%s", invalid ? "~" : "", text);
    COR_TRY(cor_made(own, pict->error));
    values->texts[values->count] = own;
    values->levels[values->count++] = (struct cor_combine_level){.text = own, .invalid = invalid};
    values->all_integers = values->all_integers && read_integer(text, &integer);
    values->all_numbers = values->all_numbers && combine__combine_number(text, &real);
    return COR_OK;
}

/* Another name for the value that was added last. */
static enum cor_status add_alias(struct pict *pict, struct values *values, const char *text) {
    COR_TRY(COR_RESERVE(&values->aliases, &values->alias_capacity, values->alias_count + 1, pict->error));
    char *own = cor_strdup(text);
    COR_TRY(cor_made(own, pict->error));
    values->aliases[values->alias_count++] =
        (struct combine__combine_alias){own, (uint32_t)values->count - 1};
    return COR_OK;
}

/* The text without blanks and quotes around it. */
static char *bare(char *text) {
    text += strspn(text, " \t");
    size_t length = strlen(text);
    while (length > 0 && isspace((unsigned char)text[length - 1]))
        text[--length] = '\0';
    if (length >= 2 && *text == '"' && text[length - 1] == '"') {
        text[length - 1] = '\0';
        text++;
    }
    return text;
}

/* All values of a parameter before: "<Name>". */
static enum cor_status add_values_of(struct pict *pict, struct values *values, const char *at,
                                     const char *name) {
    uint32_t other;
    COR_TRY(find_parameter(pict, at, name, &other));
    for (uint32_t i = 0; i < pict->model->parameters[other].level_count; i++) {
        const struct combine__combine_parameter *p = &pict->model->parameters[other];
        COR_TRY(add_value(pict, values, combine__combine_bare(&p->levels[i]), p->levels[i].invalid));
        for (size_t a = 0; a < p->alias_count; a++)
            if (p->aliases[a].level == i)
                COR_TRY(add_alias(pict, values, p->aliases[a].text));
    }
    return COR_OK;
}

/* One value: "~" for an invalid one, other names behind "|", which stand for the same, a weight in brackets,
 * which only PICT heeds. What is empty at the end of a line is a comma too many. */
static enum cor_status read_value(struct pict *pict, struct values *values, const char *from,
                                  const char *to) {
    char text[TEXT_MAX + 1];
    COR_TRY(copy_trimmed(pict, from, to, text));
    size_t length = strlen(text);
    if (length == 0 && *to != ',')
        return fail_at(pict, from, "write a value behind the last comma; \"\" is an empty one",
                       "an empty value");
    char *bracket = strrchr(text, '(');
    if (bracket && bracket > text && length > 0 && text[length - 1] == ')' && bracket[1] != ')' &&
        strspn(bracket + 1, "0123456789") == strlen(bracket + 1) - 1)
        *bracket = '\0';
    char *aliases = strchr(text, '|');
    if (aliases)
        *aliases++ = '\0';
    bool invalid = *text == '~';
    char *value = bare(text + invalid);
    length = strlen(value);
    if (length > 0 && *value == '<' && value[length - 1] == '>' && !invalid) {
        value[length - 1] = '\0';
        return add_values_of(pict, values, from, value + 1);
    }
    COR_TRY(add_value(pict, values, value, invalid));
    while (aliases) {
        char *alias = aliases;
        aliases = strchr(alias, '|');
        if (aliases)
            *aliases++ = '\0';
        COR_TRY(add_alias(pict, values, bare(alias)));
    }
    return COR_OK;
}

/* The values become numbers if all are, else words. */
static enum cor_status set_values(struct pict *pict, struct values *values, enum cor_value_type *type) {
    *type = values->all_integers  ? COR_VALUE_TYPE_INTEGER
            : values->all_numbers ? COR_VALUE_TYPE_REAL
                                  : COR_VALUE_TYPE_ENUMERATION;
    for (size_t i = 0; i < values->count; i++) {
        struct cor_combine_level *level = &values->levels[i];
        int64_t integer = 0;
        double real = 0;
        uint32_t word = 0;
        if (values->all_integers) {
            read_integer(combine__combine_bare(level), &integer);
            level->value = cor_integer(integer);
        } else if (values->all_numbers) {
            combine__combine_number(combine__combine_bare(level), &real);
            level->value = cor_real(real);
        } else {
            COR_TRY(cor_words_intern(pict->model->words, combine__combine_bare(level), &word, pict->error));
            level->value = cor_word(word);
        }
    }
    return COR_OK;
}

static const char *end_of_value(const char *at) {
    bool quoted = false;
    while (*at && *at != '\n' && (quoted || *at != ',')) {
        quoted = quoted != (*at == '"');
        at++;
    }
    return at;
}

static enum cor_status read_parameter(struct pict *pict) {
    const char *start = pict->at, *end = start + strcspn(start, "\n"),
               *colon = memchr(start, ':', (size_t)(end - start));
    char name[TEXT_MAX + 1], place[512];
    struct values values = {.all_integers = true, .all_numbers = true};
    enum cor_value_type type;
    enum cor_status status = COR_OK;
    if (!colon) /* the older form: "Name, value, value" */
        colon = memchr(start, ',', (size_t)(end - start));
    if (!colon)
        return fail_at(pict, start, "write \"Name: value, value\"",
                       "no colon behind the name of a parameter");
    if (pict->model->constraint_count > 0 || pict->model->part_count > 0)
        return fail_at(pict, start, "put all parameters first",
                       "a parameter behind sub-models or constraints");
    COR_TRY(copy_trimmed(pict, start, colon, name));
    if (*name == '\0')
        return fail_at(pict, start, NULL, "no name before the colon");
    if (strspn(colon + 1, " \t\r") == (size_t)(end - colon - 1))
        return fail_at(pict, colon, "write at least one value behind the colon", "\"%s\" has no values",
                       name);
    for (const char *at = colon + 1; at <= end;) {
        const char *to = end_of_value(at);
        COR_TRY_OUT(read_value(pict, &values, at, to));
        at = to + 1;
    }
    COR_TRY_OUT(set_values(pict, &values, &type));
    place_of(pict, start, place, sizeof place);
    COR_TRY_OUT(cor_combine_add_parameter(pict->model, name, type, values.levels, (uint32_t)values.count,
                                          place, pict->error));
    for (size_t i = 0; i < values.alias_count; i++)
        COR_TRY_OUT(combine__combine_add_alias(pict->model, values.aliases[i].level, values.aliases[i].text,
                                               pict->error));
    pict->at = end;
out:
    for (size_t i = 0; i < values.alias_count; i++)
        free(values.aliases[i].text);
    free(values.aliases);
    for (size_t i = 0; i < values.count; i++)
        free(values.texts[i]);
    free(values.levels);
    free(values.texts);
    return status;
}

static enum cor_status read_part(struct pict *pict) {
    const char *start = pict->at++;
    uint32_t members[COR_COMBINE_PARAMETERS_MAX], count = 0;
    char name[TEXT_MAX + 1], place[512];
    do {
        const char *from = pict->at, *to = from + strcspn(from, ",}\n");
        COR_TRY(copy_trimmed(pict, from, to, name));
        from += strspn(from, " \t");
        if (*to != ',' && *to != '}') {
            pict->at = to;
            return fail_expected(pict, "\",\" or \"}\" in a sub-model");
        }
        if (count == COR_COMBINE_PARAMETERS_MAX)
            return fail_at(pict, from, NULL, "names more than %d parameters", COR_COMBINE_PARAMETERS_MAX);
        COR_TRY(find_parameter(pict, from, name, &members[count++]));
        pict->at = to;
    } while (*pict->at++ == ',');
    place_of(pict, start, place, sizeof place);
    pict->at += strspn(pict->at, " \t");
    if (*pict->at != '@')
        return combine__combine_add_bundle(pict->model, members, count, 0, place, pict->error);
    pict->at++;
    pict->at += strspn(pict->at, " \t");
    if (!isdigit((unsigned char)*pict->at))
        return fail_expected(pict, "a strength behind \"@\"");
    char *end;
    unsigned long strength = strtoul(pict->at, &end, 10);
    if (strength == 0)
        return fail_expected(pict, "a strength from 1 behind \"@\"");
    pict->at = end;
    return combine__combine_add_bundle(pict->model, members, count,
                                       strength > 1000 ? 1000 : (uint32_t)strength, place, pict->error);
}

static enum cor_status put(struct pict *pict, const char *text) {
    size_t length = strlen(text);
    COR_TRY(COR_RESERVE(&pict->made, &pict->made_capacity, pict->made_length + length + 1, pict->error));
    memcpy(pict->made + pict->made_length, text, length + 1);
    pict->made_length += length;
    return COR_OK;
}

static enum cor_status put_parameter(struct pict *pict, uint32_t parameter) {
    COR_TRY(put(pict, "["));
    COR_TRY(put(pict, pict->model->parameters[parameter].name));
    return put(pict, "]");
}

/* "[A] = value" */
static enum cor_status put_comparison(struct pict *pict, uint32_t parameter, const char *relation,
                                      struct cor_value value) {
    char text[2 * TEXT_MAX + 8];
    cor_value_text(value, NULL, pict->model->words, text, sizeof text);
    COR_TRY(put_parameter(pict, parameter));
    COR_TRY(put(pict, relation));
    return put(pict, text);
}

/* The parameter is one of the levels that are chosen. */
static enum cor_status put_choice(struct pict *pict, uint32_t parameter, const bool *chosen) {
    const struct combine__combine_parameter *p = &pict->model->parameters[parameter];
    bool any = false;
    COR_TRY(put(pict, "("));
    for (uint32_t i = 0; i < p->level_count; i++)
        if (chosen[i]) {
            COR_TRY(put(pict, any ? " or " : ""));
            COR_TRY(put_comparison(pict, parameter, " = ", p->levels[i].value));
            any = true;
        }
    return put(pict, any ? ")" : "false)");
}

/* "[Name]" */
static enum cor_status read_name(struct pict *pict, uint32_t *parameter) {
    char name[TEXT_MAX + 1];
    const char *start = pict->at;
    if (!take(pict, '['))
        return fail_expected(pict, "a parameter in square brackets");
    const char *from = pict->at, *to = from + strcspn(from, "]\n");
    if (*to != ']')
        return fail_at(pict, start, "close it with \"]\"", "a bracket that is not closed");
    COR_TRY(copy_trimmed(pict, from, to, name));
    pict->at = to + 1;
    return find_parameter(pict, from - 1, name, parameter);
}

/* "text" or a number, as it is written. */
static enum cor_status read_constant(struct pict *pict, char *text, bool *is_quoted) {
    skip_blanks(pict);
    const char *start = pict->at;
    size_t length = 0;
    *is_quoted = *pict->at == '"';
    if (!*is_quoted) {
        length = strspn(pict->at, "+-.0123456789eE");
        if (length == 0)
            return fail_expected(pict, "a value: a number, or a text in quotes");
        COR_TRY(copy_trimmed(pict, pict->at, pict->at + length, text));
        pict->at += length;
        return COR_OK;
    }
    for (pict->at++; *pict->at != '"'; pict->at++) {
        if (*pict->at == '\\' && pict->at[1] && strchr("\\\"]", pict->at[1]))
            pict->at++;
        if (*pict->at == '\0' || *pict->at == '\n' || length == TEXT_MAX)
            return fail_at(pict, start, "close it with \"", "a text that is not closed");
        text[length++] = *pict->at;
    }
    text[length] = '\0';
    pict->at++;
    return COR_OK;
}

/* Does a text fit a pattern with * and ?, small and capital letters alike? */
static bool fits(const char *text, const char *pattern) {
    const char *star = NULL, *resume = NULL;
    while (*text) {
        const char *next = text, *behind = pattern;
        uint32_t letter = combine__combine_letter(&next), wanted = combine__combine_letter(&behind);
        if (wanted == '*') {
            star = pattern++;
            resume = text;
        } else if (wanted == '?' || wanted == letter) {
            pattern = behind;
            text = next;
        } else if (star) {
            pattern = star + 1;
            combine__combine_letter(&resume);
            text = resume;
        } else
            return false;
    }
    return pattern[strspn(pattern, "*")] == '\0';
}

static bool is_number(const struct pict *pict, uint32_t parameter) {
    return pict->model->parameters[parameter].domain.type != COR_VALUE_TYPE_ENUMERATION;
}

/* A constant is of the kind of the parameter. */
static enum cor_status check_kind(const struct pict *pict, const char *at, uint32_t parameter, bool is_quoted,
                                  const char *text) {
    const char *name = pict->model->parameters[parameter].name;
    double real;
    if (is_number(pict, parameter) && is_quoted)
        return fail_at(pict, at, "write the number without quotes", "\"%s\" has numbers, \"%s\" is a text",
                       name, text);
    if (!is_number(pict, parameter) && !is_quoted)
        return fail_at(pict, at, "write the text in quotes", "\"%s\" has texts, %s is a number", name, text);
    if (!is_quoted && !combine__combine_number(text, &real))
        return fail_at(pict, at, NULL, "%s is no number", text);
    return COR_OK;
}

/* IN { a, b } */
static enum cor_status read_in(struct pict *pict, uint32_t parameter, bool *chosen) {
    char text[TEXT_MAX + 1];
    if (!take(pict, '{'))
        return fail_expected(pict, "\"{\" behind IN");
    do {
        bool is_quoted;
        uint32_t level;
        skip_blanks(pict);
        const char *at = pict->at;
        COR_TRY(read_constant(pict, text, &is_quoted));
        COR_TRY(check_kind(pict, at, parameter, is_quoted, text));
        COR_TRY(find_level(pict, at, parameter, text, &level));
        chosen[level] = true;
    } while (take(pict, ','));
    return take(pict, '}') ? COR_OK : fail_expected(pict, "\",\" or \"}\"");
}

static const char *const relations[][2] = {{"<>", " != "}, {"<=", " <= "}, {">=", " >= "},
                                           {"=", " = "},   {"<", " < "},   {">", " > "}};

static bool holds(int order, const char *relation) {
    switch (relation[1]) {
    case '!':
        return order != 0;
    case '=':
        return order == 0;
    case '<':
        return order < 0 || (order == 0 && relation[2] == '=');
    default:
        return order > 0 || (order == 0 && relation[2] == '=');
    }
}

/* A parameter compared with a constant. */
static enum cor_status read_comparison(struct pict *pict, uint32_t parameter, bool *chosen,
                                       const char *relation) {
    const struct combine__combine_parameter *p = &pict->model->parameters[parameter];
    char text[TEXT_MAX + 1];
    bool is_quoted;
    uint32_t level;
    const char *at = pict->at;
    bool has_order = relation[1] != '=' && relation[1] != '!';
    COR_TRY(read_constant(pict, text, &is_quoted));
    COR_TRY(check_kind(pict, at, parameter, is_quoted, text));
    if (!has_order) {
        COR_TRY(find_level(pict, at, parameter, text, &level));
        return put_comparison(pict, parameter, relation, p->levels[level].value);
    }
    for (uint32_t i = 0; i < p->level_count; i++) {
        double value = 0, bound = 0;
        bool numbers = combine__combine_number(text, &bound) &&
                       combine__combine_number(combine__combine_bare(&p->levels[i]), &value);
        int order = is_number(pict, parameter) && numbers
                        ? (value > bound) - (value < bound)
                        : combine__combine_compare(combine__combine_bare(&p->levels[i]), text);
        chosen[i] = holds(order, relation);
    }
    return put_choice(pict, parameter, chosen);
}

/* Texts of two parameters in their order, letter by letter: for each level of the first, which of the second.
 */
static enum cor_status put_order(struct pict *pict, uint32_t parameter, uint32_t other,
                                 const char *relation) {
    const struct combine__combine_parameter *p = &pict->model->parameters[parameter],
                                            *q = &pict->model->parameters[other];
    bool *chosen = cor_calloc(q->level_count, sizeof *chosen);
    enum cor_status status = cor_made(chosen, pict->error);
    if (status == COR_OK)
        status = put(pict, "(false");
    for (uint32_t i = 0; i < p->level_count && status == COR_OK; i++) {
        bool any = false;
        for (uint32_t j = 0; j < q->level_count; j++) {
            const char *text = combine__combine_bare(&p->levels[i]);
            int order = combine__combine_compare(text, combine__combine_bare(&q->levels[j]));
            chosen[j] = holds(order, relation);
            any = any || chosen[j];
        }
        if (!any)
            continue;
        COR_TRY_OUT(put(pict, " or "));
        COR_TRY_OUT(put_comparison(pict, parameter, " = ", p->levels[i].value));
        COR_TRY_OUT(put(pict, " and "));
        COR_TRY_OUT(put_choice(pict, other, chosen));
    }
    if (status == COR_OK)
        status = put(pict, ")");
out:
    free(chosen);
    return status;
}

static enum cor_status read_relation(struct pict *pict, uint32_t parameter, bool *chosen) {
    for (size_t i = 0; i < sizeof relations / sizeof *relations; i++) {
        size_t length = strlen(relations[i][0]);
        if (strncmp(pict->at, relations[i][0], length) != 0)
            continue;
        pict->at += length;
        skip_blanks(pict);
        if (*pict->at != '[')
            return read_comparison(pict, parameter, chosen, relations[i][1]);
        /* A parameter compared with another. */
        const char *relation = relations[i][1];
        const char *at = pict->at;
        uint32_t other;
        COR_TRY(read_name(pict, &other));
        if (is_number(pict, parameter) != is_number(pict, other))
            return fail_at(pict, at, NULL, "\"%s\" has %s, \"%s\" has %s",
                           pict->model->parameters[parameter].name,
                           is_number(pict, parameter) ? "numbers" : "texts",
                           pict->model->parameters[other].name, is_number(pict, other) ? "numbers" : "texts");
        if (!is_number(pict, parameter) && relation[1] != '=' && relation[1] != '!')
            return put_order(pict, parameter, other, relation);
        COR_TRY(put_parameter(pict, parameter));
        COR_TRY(put(pict, relation));
        return put_parameter(pict, other);
    }
    return fail_expected(pict, "=, <>, <, <=, >, >=, IN or LIKE");
}

/* [A] relation value, [A] IN {..}, [A] LIKE "..", both also with NOT, [A] relation [B] */
static enum cor_status read_term(struct pict *pict) {
    uint32_t parameter;
    COR_TRY(read_name(pict, &parameter));
    bool *chosen = cor_calloc(pict->model->parameters[parameter].level_count, sizeof *chosen);
    enum cor_status status = cor_made(chosen, pict->error);
    if (status != COR_OK)
        return status;
    bool denied = take_keyword(pict, "NOT"), in = take_keyword(pict, "IN"),
         like = !in && take_keyword(pict, "LIKE");
    if (denied)
        COR_TRY_OUT(put(pict, "not "));
    if (in) {
        COR_TRY_OUT(read_in(pict, parameter, chosen));
    } else if (like) {
        /* LIKE "pattern" */
        const struct combine__combine_parameter *p = &pict->model->parameters[parameter];
        char text[TEXT_MAX + 1];
        bool is_quoted;
        skip_blanks(pict);
        const char *at = pict->at;
        COR_TRY_OUT(read_constant(pict, text, &is_quoted));
        if (!is_quoted || is_number(pict, parameter))
            COR_TRY_OUT(fail_at(pict, at, "compare numbers by <, = and >", "LIKE is for texts"));
        for (uint32_t i = 0; i < p->level_count; i++)
            chosen[i] = fits(combine__combine_bare(&p->levels[i]), text);
    } else if (denied) {
        COR_TRY_OUT(fail_expected(pict, "IN or LIKE behind NOT"));
    }
    if (in || like)
        COR_TRY_OUT(put_choice(pict, parameter, chosen));
    else
        COR_TRY_OUT(read_relation(pict, parameter, chosen));
out:
    free(chosen);
    return status;
}

/* The parameter has a level that is invalid, or one that is valid. */
static enum cor_status put_sign(struct pict *pict, uint32_t parameter, bool negative) {
    const struct combine__combine_parameter *p = &pict->model->parameters[parameter];
    bool *chosen = cor_calloc(p->level_count, sizeof *chosen);
    COR_TRY(cor_made(chosen, pict->error));
    for (uint32_t i = 0; i < p->level_count; i++)
        chosen[i] = p->levels[i].invalid == negative;
    enum cor_status status = put_choice(pict, parameter, chosen);
    free(chosen);
    return status;
}

/* IsNegative([A]) and IsPositive([A]); the square brackets may miss. Without a name: some parameter is
 * negative, all are positive. */
static enum cor_status read_sign(struct pict *pict, bool negative) {
    uint32_t parameter;
    char name[TEXT_MAX + 1];
    if (!take(pict, '('))
        return fail_expected(pict, "\"(\"");
    if (take(pict, ')')) {
        COR_TRY(put(pict, negative ? "(false" : "(true"));
        for (uint32_t p = 0; p < pict->model->parameter_count; p++) {
            bool any = false;
            for (uint32_t l = 0; l < pict->model->parameters[p].level_count; l++)
                any = any || pict->model->parameters[p].levels[l].invalid;
            if (!any)
                continue;
            COR_TRY(put(pict, negative ? " or " : " and "));
            COR_TRY(put_sign(pict, p, negative));
        }
        return put(pict, ")");
    }
    if (*pict->at == '[')
        COR_TRY(read_name(pict, &parameter));
    else {
        const char *from = pict->at, *to = from + strcspn(from, ")\n");
        COR_TRY(copy_trimmed(pict, from, to, name));
        COR_TRY(find_parameter(pict, from, name, &parameter));
        pict->at = to;
    }
    if (!take(pict, ')'))
        return fail_expected(pict, "\")\"");
    return put_sign(pict, parameter, negative);
}

static enum cor_status read_predicate(struct pict *pict);

static enum cor_status read_clause(struct pict *pict) {
    if (take_keyword(pict, "NOT")) {
        COR_TRY(put(pict, "not "));
        if (++pict->nesting > NESTING_MAX)
            return fail_at(pict, pict->at, NULL, "is nested deeper than %d", NESTING_MAX);
        COR_TRY(read_clause(pict));
        pict->nesting--;
        return COR_OK;
    }
    if (take_keyword(pict, "IsNegative"))
        return read_sign(pict, true);
    if (take_keyword(pict, "IsPositive"))
        return read_sign(pict, false);
    if (!take(pict, '('))
        return read_term(pict);
    COR_TRY(read_predicate(pict));
    return take(pict, ')') ? COR_OK : fail_expected(pict, "AND, OR or \")\"");
}

static enum cor_status read_predicate(struct pict *pict) {
    if (++pict->nesting > NESTING_MAX)
        return fail_at(pict, pict->at, NULL, "is nested deeper than %d", NESTING_MAX);
    COR_TRY(put(pict, "("));
    for (;;) {
        COR_TRY(read_clause(pict));
        if (take_keyword(pict, "AND"))
            COR_TRY(put(pict, " and "));
        else if (take_keyword(pict, "OR"))
            COR_TRY(put(pict, " or "));
        else
            break;
    }
    pict->nesting--;
    return put(pict, ")");
}

/* IF a THEN b ELSE c: (a implies b) and (not a implies c) */
static enum cor_status read_conditional(struct pict *pict) {
    COR_TRY(put(pict, "("));
    COR_TRY(read_predicate(pict));
    size_t length = pict->made_length;
    if (!take_keyword(pict, "THEN"))
        return fail_expected(pict, "AND, OR or THEN");
    COR_TRY(put(pict, " implies "));
    COR_TRY(read_predicate(pict));
    COR_TRY(put(pict, ")"));
    if (!take_keyword(pict, "ELSE"))
        return COR_OK;
    char *condition = cor_format("%.*s", (int)length - 1, pict->made + 1);
    COR_TRY(cor_made(condition, pict->error));
    enum cor_status status = COR_OK;
    COR_TRY_OUT(put(pict, " and (not "));
    COR_TRY_OUT(put(pict, condition));
    COR_TRY_OUT(put(pict, " implies "));
    COR_TRY_OUT(read_predicate(pict));
    COR_TRY_OUT(put(pict, ")"));
out:
    free(condition);
    return status;
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

static bool begins_constraint(const char *at) {
    return *at == '[' || *at == '(' || is_keyword(at, "IF") || is_keyword(at, "NOT") ||
           is_keyword(at, "IsNegative") || is_keyword(at, "IsPositive");
}

enum cor_status cor_combine_read_pict(const char *text, const char *name, struct cor_combine_model *model,
                                      struct cor_error *error) {
    struct pict pict = {.model = model, .name = name, .start = text, .at = text, .error = error};
    enum cor_status status = COR_OK;
    for (skip_blanks(&pict); *pict.at; skip_blanks(&pict)) {
        if (*pict.at == '{') {
            COR_TRY_OUT(read_part(&pict));
        } else if (begins_constraint(pict.at)) {
            const char *start = pict.at;
            char place[512];
            pict.made_length = 0;
            pict.nesting = 0;
            if (take_keyword(&pict, "IF"))
                COR_TRY_OUT(read_conditional(&pict));
            else
                COR_TRY_OUT(read_predicate(&pict));
            const char *end = pict.at;
            if (!take(&pict, ';'))
                COR_TRY_OUT(fail_expected(&pict, "AND, OR or \";\""));
            char *written = as_written(start, end);
            COR_TRY_OUT(cor_made(written, pict.error));
            place_of(&pict, start, place, sizeof place);
            status = combine__combine_add_constraint(pict.model, pict.made, written, place, pict.error);
            free(written);
            if (status != COR_OK)
                goto out;
        } else {
            COR_TRY_OUT(read_parameter(&pict));
        }
    }
    if (pict.model->parameter_count == 0)
        COR_TRY_OUT(cor_fail(pict.error, COR_STATUS_INPUT, pict.name, "write \"Name: value, value\"",
                             "the model has no parameters"));
out:
    free(pict.made);
    return status;
}
