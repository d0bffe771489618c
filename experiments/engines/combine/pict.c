/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Models as PICT writes them: parameters, sub-models, constraints. A constraint is put into the house's
 * language and parsed there; what it names is looked up here, where line and column are known. */
#include "model_reader.h"

#include <corridor/array.h>

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define NESTING_MAX 100

/* Blanks, ends of lines and comments, which are whole lines. */
static void skip_blanks(struct combine__reader *reader) {
    for (;;) {
        reader->at += strspn(reader->at, " \t\r\n");
        const char *back = reader->at;
        while (back > reader->start && (back[-1] == ' ' || back[-1] == '\t'))
            back--;
        if (*reader->at != '#' || (back > reader->start && back[-1] != '\n'))
            return;
        reader->at += strcspn(reader->at, "\n");
    }
}

static bool take_keyword(struct combine__reader *reader, const char *word) {
    skip_blanks(reader);
    if (!combine__is_keyword(reader->at, word))
        return false;
    reader->at += strlen(word);
    return true;
}

static bool take(struct combine__reader *reader, char c) {
    skip_blanks(reader);
    if (*reader->at != c)
        return false;
    reader->at++;
    return true;
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

/* One value: "~" for an invalid one, other names behind "|", which stand for the same, a weight in brackets,
 * which only PICT heeds. What is empty at the end of a line is a comma too many. */
static enum cor_status read_value(struct combine__reader *reader, struct combine__values *values,
                                  const char *from, const char *to) {
    char text[COMBINE__TEXT_MAX + 1];
    COR_TRY(combine__copy_trimmed(reader, from, to, text));
    size_t length = strlen(text);
    if (length == 0 && *to != ',')
        return combine__fail_at(reader, from, "write a value behind the last comma; \"\" is an empty one",
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
        /* All values of a parameter before: "<Name>". */
        uint32_t other;
        COR_TRY(combine__find_parameter(reader, from, value + 1, &other));
        for (uint32_t i = 0; i < reader->model->parameters[other].level_count; i++) {
            const struct combine__combine_parameter *p = &reader->model->parameters[other];
            COR_TRY(combine__values_add(reader, values, combine__combine_bare(&p->levels[i]),
                                        p->levels[i].invalid));
            for (size_t a = 0; a < p->alias_count; a++)
                if (p->aliases[a].level == i)
                    COR_TRY(combine__values_alias(reader, values, p->aliases[a].text));
        }
        return COR_OK;
    }
    COR_TRY(combine__values_add(reader, values, value, invalid));
    while (aliases) {
        char *alias = aliases;
        aliases = strchr(alias, '|');
        if (aliases)
            *aliases++ = '\0';
        COR_TRY(combine__values_alias(reader, values, bare(alias)));
    }
    return COR_OK;
}

static enum cor_status read_parameter(struct combine__reader *reader) {
    const char *start = reader->at, *end = start + strcspn(start, "\n"),
               *colon = memchr(start, ':', (size_t)(end - start));
    char name[COMBINE__TEXT_MAX + 1];
    COR_FINISHED(combine__values) struct combine__values values = {0};
    if (!colon) /* the older form: "Name, value, value" */
        colon = memchr(start, ',', (size_t)(end - start));
    if (!colon)
        return combine__fail_at(reader, start, "write \"Name: value, value\"",
                                "no colon behind the name of a parameter");
    if (reader->model->constraint_count > 0 || reader->model->part_count > 0)
        return combine__fail_at(reader, start, "put all parameters first",
                                "a parameter behind sub-models or constraints");
    COR_TRY(combine__copy_trimmed(reader, start, colon, name));
    if (*name == '\0')
        return combine__fail_at(reader, start, NULL, "no name before the colon");
    if (strspn(colon + 1, " \t\r") == (size_t)(end - colon - 1))
        return combine__fail_at(reader, colon, "write at least one value behind the colon",
                                "\"%s\" has no values", name);
    for (const char *at = colon + 1; at <= end;) {
        const char *to = at;
        for (bool quoted = false; *to && *to != '\n' && (quoted || *to != ','); to++)
            quoted = quoted != (*to == '"');
        COR_TRY(read_value(reader, &values, at, to));
        at = to + 1;
    }
    COR_TRY(combine__values_keep(reader, start, name, &values, combine__values_type(&values)));
    reader->at = end;
    return COR_OK;
}

static enum cor_status read_part(struct combine__reader *reader) {
    const char *start = reader->at++;
    uint32_t members[COR_COMBINE_PARAMETERS_MAX], count = 0;
    char name[COMBINE__TEXT_MAX + 1], place[512];
    do {
        const char *from = reader->at, *to = from + strcspn(from, ",}\n");
        COR_TRY(combine__copy_trimmed(reader, from, to, name));
        from += strspn(from, " \t");
        if (*to != ',' && *to != '}') {
            reader->at = to;
            return combine__fail_expected(reader, "\",\" or \"}\" in a sub-model");
        }
        if (count == COR_COMBINE_PARAMETERS_MAX)
            return combine__fail_at(reader, from, NULL, "names more than %d parameters",
                                    COR_COMBINE_PARAMETERS_MAX);
        COR_TRY(combine__find_parameter(reader, from, name, &members[count++]));
        reader->at = to;
    } while (*reader->at++ == ',');
    combine__place_of(reader, start, place, sizeof place);
    reader->at += strspn(reader->at, " \t");
    if (*reader->at != '@')
        return combine__combine_add_bundle(reader->model, members, count, 0, place, reader->error);
    reader->at++;
    reader->at += strspn(reader->at, " \t");
    if (!isdigit((unsigned char)*reader->at))
        return combine__fail_expected(reader, "a strength behind \"@\"");
    char *end;
    unsigned long strength = strtoul(reader->at, &end, 10);
    if (strength == 0)
        return combine__fail_expected(reader, "a strength from 1 behind \"@\"");
    reader->at = end;
    return combine__combine_add_bundle(reader->model, members, count,
                                       strength > 1000 ? 1000 : (uint32_t)strength, place, reader->error);
}

/* The parameter is one of the levels that are chosen. */
static enum cor_status put_choice(struct combine__reader *reader, uint32_t parameter, const bool *chosen) {
    const struct combine__combine_parameter *p = &reader->model->parameters[parameter];
    bool any = false;
    COR_TRY(combine__put(reader, "("));
    for (uint32_t i = 0; i < p->level_count; i++)
        if (chosen[i]) {
            COR_TRY(combine__put(reader, any ? " or " : ""));
            COR_TRY(combine__put_comparison(reader, parameter, " = ", p->levels[i].value));
            any = true;
        }
    return combine__put(reader, any ? ")" : "false)");
}

/* "[Name]" */
static enum cor_status read_name(struct combine__reader *reader, uint32_t *parameter) {
    char name[COMBINE__TEXT_MAX + 1];
    const char *start = reader->at;
    if (!take(reader, '['))
        return combine__fail_expected(reader, "a parameter in square brackets");
    const char *from = reader->at, *to = from + strcspn(from, "]\n");
    if (*to != ']')
        return combine__fail_at(reader, start, "close it with \"]\"", "a bracket that is not closed");
    COR_TRY(combine__copy_trimmed(reader, from, to, name));
    reader->at = to + 1;
    return combine__find_parameter(reader, from - 1, name, parameter);
}

/* "text" or a number, as it is written. */
static enum cor_status read_constant(struct combine__reader *reader, char *text, bool *is_quoted) {
    skip_blanks(reader);
    const char *start = reader->at;
    size_t length = 0;
    *is_quoted = *reader->at == '"';
    if (!*is_quoted) {
        length = strspn(reader->at, "+-.0123456789eE");
        if (length == 0)
            return combine__fail_expected(reader, "a value: a number, or a text in quotes");
        COR_TRY(combine__copy_trimmed(reader, reader->at, reader->at + length, text));
        reader->at += length;
        return COR_OK;
    }
    for (reader->at++; *reader->at != '"'; reader->at++) {
        if (*reader->at == '\\' && reader->at[1] && strchr("\\\"]", reader->at[1]))
            reader->at++;
        if (*reader->at == '\0' || *reader->at == '\n' || length == COMBINE__TEXT_MAX)
            return combine__fail_at(reader, start, "close it with \"", "a text that is not closed");
        text[length++] = *reader->at;
    }
    text[length] = '\0';
    reader->at++;
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

static bool is_number(const struct combine__reader *reader, uint32_t parameter) {
    return reader->model->parameters[parameter].domain.type != COR_VALUE_TYPE_ENUMERATION;
}

/* A constant is of the kind of the parameter. */
static enum cor_status check_kind(const struct combine__reader *reader, const char *at, uint32_t parameter,
                                  bool is_quoted, const char *text) {
    const char *name = reader->model->parameters[parameter].name;
    double real;
    if (is_number(reader, parameter) && is_quoted)
        return combine__fail_at(reader, at, "write the number without quotes",
                                "\"%s\" has numbers, \"%s\" is a text", name, text);
    if (!is_number(reader, parameter) && !is_quoted)
        return combine__fail_at(reader, at, "write the text in quotes", "\"%s\" has texts, %s is a number",
                                name, text);
    if (!is_quoted && !combine__combine_number(text, &real))
        return combine__fail_at(reader, at, NULL, "%s is no number", text);
    return COR_OK;
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

/* Texts of two parameters in their order, letter by letter: for each level of the first, which of the second.
 */
static enum cor_status put_order(struct combine__reader *reader, uint32_t parameter, uint32_t other,
                                 const char *relation) {
    const struct combine__combine_parameter *p = &reader->model->parameters[parameter],
                                            *q = &reader->model->parameters[other];
    COR_FREED bool *chosen = cor_calloc(q->level_count, sizeof *chosen);
    enum cor_status status = cor_made(chosen, reader->error);
    if (status == COR_OK)
        status = combine__put(reader, "(false");
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
        COR_TRY(combine__put(reader, " or "));
        COR_TRY(combine__put_comparison(reader, parameter, " = ", p->levels[i].value));
        COR_TRY(combine__put(reader, " and "));
        COR_TRY(put_choice(reader, other, chosen));
    }
    if (status == COR_OK)
        status = combine__put(reader, ")");
    return status;
}

static enum cor_status read_relation(struct combine__reader *reader, uint32_t parameter, bool *chosen) {
    for (size_t i = 0; i < sizeof relations / sizeof *relations; i++) {
        size_t length = strlen(relations[i][0]);
        if (strncmp(reader->at, relations[i][0], length) != 0)
            continue;
        reader->at += length;
        skip_blanks(reader);
        if (*reader->at != '[') {
            /* A parameter compared with a constant. */
            const char *relation = relations[i][1];
            const struct combine__combine_parameter *p = &reader->model->parameters[parameter];
            char text[COMBINE__TEXT_MAX + 1];
            bool is_quoted;
            uint32_t level;
            const char *at = reader->at;
            bool has_order = relation[1] != '=' && relation[1] != '!';
            COR_TRY(read_constant(reader, text, &is_quoted));
            COR_TRY(check_kind(reader, at, parameter, is_quoted, text));
            if (!has_order) {
                COR_TRY(combine__find_level(reader, at, parameter, text, &level));
                return combine__put_comparison(reader, parameter, relation, p->levels[level].value);
            }
            for (uint32_t j = 0; j < p->level_count; j++) {
                double value = 0, bound = 0;
                bool numbers = combine__combine_number(text, &bound) &&
                               combine__combine_number(combine__combine_bare(&p->levels[j]), &value);
                int order = is_number(reader, parameter) && numbers
                                ? (value > bound) - (value < bound)
                                : combine__combine_compare(combine__combine_bare(&p->levels[j]), text);
                chosen[j] = holds(order, relation);
            }
            return put_choice(reader, parameter, chosen);
        }
        /* A parameter compared with another. */
        const char *relation = relations[i][1];
        const char *at = reader->at;
        uint32_t other;
        COR_TRY(read_name(reader, &other));
        if (is_number(reader, parameter) != is_number(reader, other))
            return combine__fail_at(
                reader, at, NULL, "\"%s\" has %s, \"%s\" has %s", reader->model->parameters[parameter].name,
                is_number(reader, parameter) ? "numbers" : "texts", reader->model->parameters[other].name,
                is_number(reader, other) ? "numbers" : "texts");
        if (!is_number(reader, parameter) && relation[1] != '=' && relation[1] != '!')
            return put_order(reader, parameter, other, relation);
        COR_TRY(combine__put_parameter(reader, parameter));
        COR_TRY(combine__put(reader, relation));
        return combine__put_parameter(reader, other);
    }
    return combine__fail_expected(reader, "=, <>, <, <=, >, >=, IN or LIKE");
}

/* [A] relation value, [A] IN {..}, [A] LIKE "..", both also with NOT, [A] relation [B] */
static enum cor_status read_term(struct combine__reader *reader) {
    uint32_t parameter;
    COR_TRY(read_name(reader, &parameter));
    COR_FREED bool *chosen = cor_calloc(reader->model->parameters[parameter].level_count, sizeof *chosen);
    enum cor_status status = cor_made(chosen, reader->error);
    if (status != COR_OK)
        return status;
    bool denied = take_keyword(reader, "NOT"), in = take_keyword(reader, "IN"),
         like = !in && take_keyword(reader, "LIKE");
    if (denied)
        COR_TRY(combine__put(reader, "not "));
    if (in) {
        /* IN { a, b } */
        char text[COMBINE__TEXT_MAX + 1];
        if (!take(reader, '{'))
            COR_TRY(combine__fail_expected(reader, "\"{\" behind IN"));
        do {
            bool is_quoted;
            uint32_t level;
            skip_blanks(reader);
            const char *at = reader->at;
            COR_TRY(read_constant(reader, text, &is_quoted));
            COR_TRY(check_kind(reader, at, parameter, is_quoted, text));
            COR_TRY(combine__find_level(reader, at, parameter, text, &level));
            chosen[level] = true;
        } while (take(reader, ','));
        COR_TRY(take(reader, '}') ? COR_OK : combine__fail_expected(reader, "\",\" or \"}\""));
    } else if (like) {
        /* LIKE "pattern" */
        const struct combine__combine_parameter *p = &reader->model->parameters[parameter];
        char text[COMBINE__TEXT_MAX + 1];
        bool is_quoted;
        skip_blanks(reader);
        const char *at = reader->at;
        COR_TRY(read_constant(reader, text, &is_quoted));
        if (!is_quoted || is_number(reader, parameter))
            COR_TRY(combine__fail_at(reader, at, "compare numbers by <, = and >", "LIKE is for texts"));
        for (uint32_t i = 0; i < p->level_count; i++)
            chosen[i] = fits(combine__combine_bare(&p->levels[i]), text);
    } else if (denied) {
        COR_TRY(combine__fail_expected(reader, "IN or LIKE behind NOT"));
    }
    if (in || like)
        COR_TRY(put_choice(reader, parameter, chosen));
    else
        COR_TRY(read_relation(reader, parameter, chosen));
    return status;
}

/* The parameter has a level that is invalid, or one that is valid. */
static enum cor_status put_sign(struct combine__reader *reader, uint32_t parameter, bool negative) {
    const struct combine__combine_parameter *p = &reader->model->parameters[parameter];
    COR_FREED bool *chosen = cor_calloc(p->level_count, sizeof *chosen);
    COR_TRY(cor_made(chosen, reader->error));
    for (uint32_t i = 0; i < p->level_count; i++)
        chosen[i] = p->levels[i].invalid == negative;
    return put_choice(reader, parameter, chosen);
}

/* IsNegative([A]) and IsPositive([A]); the square brackets may miss. Without a name: some parameter is
 * negative, all are positive. */
static enum cor_status read_sign(struct combine__reader *reader, bool negative) {
    uint32_t parameter;
    char name[COMBINE__TEXT_MAX + 1];
    if (!take(reader, '('))
        return combine__fail_expected(reader, "\"(\"");
    if (take(reader, ')')) {
        COR_TRY(combine__put(reader, negative ? "(false" : "(true"));
        for (uint32_t p = 0; p < reader->model->parameter_count; p++) {
            bool any = false;
            for (uint32_t l = 0; l < reader->model->parameters[p].level_count; l++)
                any = any || reader->model->parameters[p].levels[l].invalid;
            if (!any)
                continue;
            COR_TRY(combine__put(reader, negative ? " or " : " and "));
            COR_TRY(put_sign(reader, p, negative));
        }
        return combine__put(reader, ")");
    }
    if (*reader->at == '[')
        COR_TRY(read_name(reader, &parameter));
    else {
        const char *from = reader->at, *to = from + strcspn(from, ")\n");
        COR_TRY(combine__copy_trimmed(reader, from, to, name));
        COR_TRY(combine__find_parameter(reader, from, name, &parameter));
        reader->at = to;
    }
    if (!take(reader, ')'))
        return combine__fail_expected(reader, "\")\"");
    return put_sign(reader, parameter, negative);
}

static enum cor_status read_predicate(struct combine__reader *reader);

static enum cor_status read_clause(struct combine__reader *reader) {
    if (take_keyword(reader, "NOT")) {
        COR_TRY(combine__put(reader, "not "));
        if (++reader->nesting > NESTING_MAX)
            return combine__fail_at(reader, reader->at, NULL, "is nested deeper than %d", NESTING_MAX);
        COR_TRY(read_clause(reader));
        reader->nesting--;
        return COR_OK;
    }
    if (take_keyword(reader, "IsNegative"))
        return read_sign(reader, true);
    if (take_keyword(reader, "IsPositive"))
        return read_sign(reader, false);
    if (!take(reader, '('))
        return read_term(reader);
    COR_TRY(read_predicate(reader));
    return take(reader, ')') ? COR_OK : combine__fail_expected(reader, "AND, OR or \")\"");
}

static enum cor_status read_predicate(struct combine__reader *reader) {
    if (++reader->nesting > NESTING_MAX)
        return combine__fail_at(reader, reader->at, NULL, "is nested deeper than %d", NESTING_MAX);
    COR_TRY(combine__put(reader, "("));
    for (;;) {
        COR_TRY(read_clause(reader));
        if (take_keyword(reader, "AND"))
            COR_TRY(combine__put(reader, " and "));
        else if (take_keyword(reader, "OR"))
            COR_TRY(combine__put(reader, " or "));
        else
            break;
    }
    reader->nesting--;
    return combine__put(reader, ")");
}

/* IF a THEN b ELSE c: (a implies b) and (not a implies c) */
static enum cor_status read_conditional(struct combine__reader *reader) {
    COR_TRY(combine__put(reader, "("));
    COR_TRY(read_predicate(reader));
    size_t length = reader->made_length;
    if (!take_keyword(reader, "THEN"))
        return combine__fail_expected(reader, "AND, OR or THEN");
    COR_TRY(combine__put(reader, " implies "));
    COR_TRY(read_predicate(reader));
    COR_TRY(combine__put(reader, ")"));
    if (!take_keyword(reader, "ELSE"))
        return COR_OK;
    COR_FREED char *condition = cor_format("%.*s", (int)length - 1, reader->made + 1);
    COR_TRY(cor_made(condition, reader->error));
    COR_TRY(combine__put(reader, " and (not "));
    COR_TRY(combine__put(reader, condition));
    COR_TRY(combine__put(reader, " implies "));
    COR_TRY(read_predicate(reader));
    return combine__put(reader, ")");
}

enum cor_status combine__read_pict(struct combine__reader *reader) {
    for (skip_blanks(reader); *reader->at; skip_blanks(reader)) {
        if (*reader->at == '{') {
            COR_TRY(read_part(reader));
        } else if (*reader->at == '[' || *reader->at == '(' || combine__is_keyword(reader->at, "IF") ||
                   combine__is_keyword(reader->at, "NOT") || combine__is_keyword(reader->at, "IsNegative") ||
                   combine__is_keyword(reader->at, "IsPositive")) {
            const char *start = reader->at;
            reader->made_length = 0;
            reader->nesting = 0;
            if (take_keyword(reader, "IF"))
                COR_TRY(read_conditional(reader));
            else
                COR_TRY(read_predicate(reader));
            const char *end = reader->at;
            if (!take(reader, ';'))
                return combine__fail_expected(reader, "AND, OR or \";\"");
            COR_TRY(combine__keep_constraint(reader, start, end));
        } else {
            COR_TRY(read_parameter(reader));
        }
    }
    if (reader->model->parameter_count == 0)
        return cor_fail(reader->error, COR_STATUS_INPUT, reader->name, "write \"Name: value, value\"",
                        "the model has no parameters");
    return COR_OK;
}
