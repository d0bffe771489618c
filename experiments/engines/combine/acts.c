/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Models as ACTS (NIST) writes them in its text: sections of lines. */
#include "reader.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const struct {
    const char *word;
    enum cor_value_type type;
} types[] = {{"int", COR_VALUE_TYPE_INTEGER},
             {"enum", COR_VALUE_TYPE_ENUMERATION},
             {"boolean", COR_VALUE_TYPE_BOOLEAN}};

enum cor_status combine__acts_value(struct combine__reader *reader, const char *at, const char *name,
                                    struct combine__values *values, const char *text, bool invalid,
                                    enum cor_value_type type) {
    int64_t integer;
    if (*text == '\0')
        return combine__fail_at(reader, at, NULL, "an empty value");
    if (type == COR_VALUE_TYPE_INTEGER && !combine__read_integer(text, &integer))
        return combine__fail_at(reader, at, "make the parameter an enum",
                                "\"%s\" is int, and \"%s\" is no integer", name, text);
    if (type == COR_VALUE_TYPE_BOOLEAN && strcasecmp(text, "true") != 0 && strcasecmp(text, "false") != 0)
        return combine__fail_at(reader, at, "write true or false, or make the parameter an enum",
                                "\"%s\" is boolean, and \"%s\" is no truth value", name, text);
    return combine__values_add(reader, values, text, invalid);
}

/* "value, [base choice]; invalid value" up to the end of the line. Base choices are for one of ACTS's
 * algorithms alone. */
static enum cor_status read_values(struct combine__reader *reader, const char *name, const char *at,
                                   const char *end, enum cor_value_type type,
                                   struct combine__values *values) {
    bool invalid = false;
    for (bool more = true; more;) {
        char text[COMBINE__TEXT_MAX + 1], *value = text;
        const char *to = at;
        while (to < end && *to != ',' && *to != ';')
            to++;
        COR_TRY(combine__copy_trimmed(reader, at, to, text));
        size_t length = strlen(text);
        if (!invalid && length > 2 && *text == '[' && text[length - 1] == ']') {
            text[length - 1] = '\0';
            value++;
        }
        at += strspn(at, " \t");
        COR_TRY(combine__acts_value(reader, at, name, values, value, invalid, type));
        if (invalid && *to == ';')
            return combine__fail_at(reader, to, "put commas between invalid values", "a second \";\"");
        invalid = invalid || *to == ';';
        more = to < end;
        at = to + 1;
    }
    return COR_OK;
}

/* "name (type) : values" */
static enum cor_status read_parameter(struct combine__reader *reader, const char *end) {
    const char *start = reader->at, *colon = memchr(start, ':', (size_t)(end - start)), *open = NULL;
    char name[COMBINE__TEXT_MAX + 1], word[COMBINE__TEXT_MAX + 1];
    static const char *const remedy = "write \"name (int) : 1, 2\"; types are int, enum and boolean";
    for (const char *c = start; colon && c < colon; c++)
        open = *c == '(' ? c : open;
    const char *close = open ? memchr(open, ')', (size_t)(colon - open)) : NULL;
    if (!close)
        return combine__fail_at(reader, start, remedy, "no type and colon behind the name of a parameter");
    if (reader->model->constraint_count > 0 || reader->model->part_count > 0)
        return combine__fail_at(reader, start, "put all parameters first",
                                "a parameter behind relations or constraints");
    COR_TRY(combine__copy_trimmed(reader, start, open, name));
    COR_TRY(combine__copy_trimmed(reader, open + 1, close, word));
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (strcasecmp(types[i].word, word) != 0)
            continue;
        struct combine__values values = {0};
        enum cor_status status = read_values(reader, name, colon + 1, end, types[i].type, &values);
        if (status == COR_OK)
            status = combine__values_keep(reader, start, name, &values, types[i].type);
        combine__values_fini(&values);
        return status;
    }
    return combine__fail_at(reader, open + 1, remedy, "unknown type \"%s\"", word);
}

/* "R1 : (a, b, c, 3)" */
static enum cor_status read_relation(struct combine__reader *reader, const char *end) {
    const char *start = reader->at, *at = memchr(start, '(', (size_t)(end - start));
    uint32_t members[COR_COMBINE_PARAMETERS_MAX], count = 0;
    char text[COMBINE__TEXT_MAX + 1], place[512];
    int64_t strength = 0;
    static const char *const remedy = "write \"R1 : (a, b, c, 3)\", the strength last";
    combine__place_of(reader, start, place, sizeof place);
    if (!at)
        return combine__fail_at(reader, start, remedy, "no list of parameters");
    for (at++;; at++) {
        const char *to = at + strcspn(at, ",)\n");
        COR_TRY(combine__copy_trimmed(reader, at, to, text));
        at += strspn(at, " \t");
        if (*to == ')' && (!combine__read_integer(text, &strength) || strength < 1 || count == 0))
            return combine__fail_at(reader, at, remedy, "\"%s\" is no strength", text);
        if (*to == ')' && strspn(to + 1, " \t\r") < (size_t)(end - to - 1))
            return combine__fail_at(reader, to + 1, remedy, "something behind a relation");
        if (*to == ')')
            return cor_combine_add_part(reader->model, members, count,
                                        strength > 1000 ? 1000 : (uint32_t)strength, place, reader->error);
        if (to >= end)
            return combine__fail_at(reader, start, remedy, "a list of parameters that is not closed");
        if (count == COR_COMBINE_PARAMETERS_MAX)
            return combine__fail_at(reader, at, NULL, "names more than %d parameters",
                                    COR_COMBINE_PARAMETERS_MAX);
        COR_TRY(combine__find_parameter(reader, at, text, &members[count++]));
        at = to;
    }
}

enum section { NONE, SYSTEM, PARAMETER, RELATION, CONSTRAINT };

/* "[Parameter]" */
static enum cor_status read_section(struct combine__reader *reader, const char *end, enum section *section) {
    static const char *const names[] = {"System",    "Parameter",  "Relation",
                                        "Relations", "Constraint", "Constraints"};
    static const enum section sections[] = {SYSTEM, PARAMETER, RELATION, RELATION, CONSTRAINT, CONSTRAINT};
    char text[COMBINE__TEXT_MAX + 1];
    const char *close = memchr(reader->at, ']', (size_t)(end - reader->at));
    COR_TRY(combine__copy_trimmed(reader, reader->at + 1, close ? close : end, text));
    for (size_t i = 0; close && i < sizeof names / sizeof *names; i++)
        if (strcasecmp(names[i], text) == 0) {
            *section = sections[i];
            return COR_OK;
        }
    return combine__fail_at(reader, reader->at,
                            strcasecmp(text, "Test Set") == 0
                                ? "write the tests as CSV, and hand them in with --rows"
                                : "sections are [System], [Parameter], [Relation] and [Constraint]",
                            "a section [%s] is not read", text);
}

enum cor_status combine__read_acts(struct combine__reader *reader) {
    enum section section = NONE;
    while (*reader->at) {
        reader->at += strspn(reader->at, " \t\r");
        const char *start = reader->at, *end = start + strcspn(start, "\n");
        while (end > start && isspace((unsigned char)end[-1]))
            end--;
        if (start < end && strncmp(start, "--", 2) != 0) {
            if (*start == '[' && end[-1] == ']') {
                COR_TRY(read_section(reader, end, &section));
            } else if (section == PARAMETER) {
                COR_TRY(read_parameter(reader, end));
            } else if (section == RELATION) {
                COR_TRY(read_relation(reader, end));
            } else if (section == CONSTRAINT) {
                COR_TRY(combine__read_formula(reader, COMBINE__ACTS));
                combine__skip_blanks(reader, COMBINE__ACTS);
                if (reader->at < end)
                    return combine__fail_expected(reader, "an operator or the end of the line");
                COR_TRY(combine__keep_constraint(reader, start, end));
            } else if (section == NONE || strncasecmp(start, "Name", 4) != 0) {
                return combine__fail_at(reader, start, "write \"Name: ..\" in a section [System]",
                                        "a line that is no part of a section");
            }
        }
        reader->at = end + strcspn(end, "\n");
        reader->at += *reader->at == '\n';
    }
    if (reader->model->parameter_count == 0)
        return cor_fail(reader->error, COR_STATUS_INPUT, reader->name,
                        "write \"name (int) : 1, 2\" in a section [Parameter]",
                        "the model has no parameters");
    return COR_OK;
}
