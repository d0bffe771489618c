/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Models as ACTS (NIST) writes them in its text: sections of lines. */
#include "model_reader.h"

#include <corridor/array.h>

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const struct {
    const char *word;
    enum cor_value_type type;
} type_words[] = {{"int", COR_VALUE_TYPE_INTEGER},
                  {"enum", COR_VALUE_TYPE_ENUMERATION},
                  {"boolean", COR_VALUE_TYPE_BOOLEAN}};

/* A value as ACTS writes it, which must be of the type. */
static enum cor_status acts_value(struct combine__reader *reader, const char *at, const char *name,
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
        COR_TRY(acts_value(reader, at, name, values, value, invalid, type));
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
    for (size_t i = 0; i < sizeof type_words / sizeof *type_words; i++) {
        if (strcasecmp(type_words[i].word, word) != 0)
            continue;
        COR_FINISHED(combine__values) struct combine__values values = {0};
        COR_TRY(read_values(reader, name, colon + 1, end, type_words[i].type, &values));
        return combine__values_keep(reader, start, name, &values, type_words[i].type);
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

static enum cor_status read_acts(struct combine__reader *reader) {
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

/* ---- models as CTWedge writes them:
 *
 *   Model Phone
 *   Parameters:
 *     email: Boolean;
 *     lines: [25 .. 30 step 5]
 *     display: {16MC, 8MC, BW}
 *   Constraints:
 *     # email => lines > 28 # */

static void skip_blanks(struct combine__reader *reader) {
    combine__skip_blanks(reader, COMBINE__CTWEDGE);
}

static bool take(struct combine__reader *reader, const char *text) {
    skip_blanks(reader);
    if (strncmp(reader->at, text, strlen(text)) != 0)
        return false;
    reader->at += strlen(text);
    return true;
}

static bool take_keyword(struct combine__reader *reader, const char *word) {
    skip_blanks(reader);
    if (!combine__is_keyword(reader->at, word))
        return false;
    reader->at += strlen(word);
    return true;
}

/* A word, or a text in quotes. */
static enum cor_status read_word(struct combine__reader *reader, const char *wanted, char *text) {
    skip_blanks(reader);
    const char *from = reader->at, *to = from + strcspn(from, " \t\r\n,;:#{}[]()\"'");
    if (*from == '"' || *from == '\'') {
        to = strchr(from + 1, *from);
        if (!to || memchr(from, '\n', (size_t)(to - from)))
            return combine__fail_at(reader, from, "close it with the same sign", "a text that is not closed");
        reader->at = to + 1;
        return combine__copy_trimmed(reader, from + 1, to, text);
    }
    if (to == from)
        return combine__fail_expected(reader, wanted);
    reader->at = to;
    return combine__copy_trimmed(reader, from, to, text);
}

/* "{a, b}", "{a b}" behind the first bracket. All of true and false are truth values. */
static enum cor_status read_values_ctwedge(struct combine__reader *reader, struct combine__values *values,
                                           enum cor_value_type *type) {
    bool truths = true;
    do {
        char text[COMBINE__TEXT_MAX + 1];
        COR_TRY(read_word(reader, "a value", text));
        truths = truths && (strcasecmp(text, "true") == 0 || strcasecmp(text, "false") == 0);
        COR_TRY(combine__values_add(reader, values, text, false));
        take(reader, ",");
    } while (!take(reader, "}"));
    *type = truths ? COR_VALUE_TYPE_BOOLEAN : combine__values_type(values);
    return COR_OK;
}

static enum cor_status read_bound(struct combine__reader *reader, int64_t *bound) {
    skip_blanks(reader);
    const char *at = reader->at;
    size_t sign = *at == '-' || *at == '+', length = strspn(at + sign, "0123456789");
    char text[24];
    if (length == 0 || length > 18)
        return combine__fail_expected(reader, "an integer");
    snprintf(text, sizeof text, "%.*s", (int)(sign + length), at);
    reader->at += sign + length;
    *bound = strtoll(text, NULL, 10);
    return COR_OK;
}

/* "[1 .. 9 step 2]" behind the first bracket. */
static enum cor_status read_range(struct combine__reader *reader, struct combine__values *values) {
    const char *start = reader->at - 1;
    int64_t low = 0, high = 0, step = 1;
    COR_TRY(read_bound(reader, &low));
    if (!take(reader, ".."))
        return combine__fail_expected(reader, "\"..\"");
    COR_TRY(read_bound(reader, &high));
    if (take_keyword(reader, "step"))
        COR_TRY(read_bound(reader, &step));
    if (!take(reader, "]"))
        return combine__fail_expected(reader, "\"]\" or \"step\"");
    if (low > high || step < 1)
        return combine__fail_at(reader, start, "write the lower bound first, and a step from 1",
                                "a range without values");
    if ((high - low) / step >= COR_COMBINE_LEVELS_MAX)
        return combine__fail_at(reader, start, "make classes of them", "a range of more than %d values",
                                COR_COMBINE_LEVELS_MAX);
    for (int64_t value = low; value <= high; value += step) {
        char text[24];
        snprintf(text, sizeof text, "%" PRId64, value);
        COR_TRY(combine__values_add(reader, values, text, false));
    }
    return COR_OK;
}

static enum cor_status read_parameter_ctwedge(struct combine__reader *reader) {
    const char *start = reader->at;
    char name[COMBINE__TEXT_MAX + 1];
    COR_FINISHED(combine__values) struct combine__values values = {0};
    enum cor_value_type type = COR_VALUE_TYPE_INTEGER;
    COR_TRY(read_word(reader, "the name of a parameter", name));
    if (!take(reader, ":"))
        return combine__fail_expected(reader, "\":\" behind the name of a parameter");
    if (take_keyword(reader, "Boolean")) {
        type = COR_VALUE_TYPE_BOOLEAN;
        COR_TRY(combine__values_add(reader, &values, "true", false));
        COR_TRY(combine__values_add(reader, &values, "false", false));
    } else if (take(reader, "{")) {
        COR_TRY(read_values_ctwedge(reader, &values, &type));
    } else if (take(reader, "[")) {
        COR_TRY(read_range(reader, &values));
    } else {
        COR_TRY(combine__fail_expected(reader, "Boolean, {values} or [low .. high]"));
    }
    take(reader, ";");
    return combine__values_keep(reader, start, name, &values, type);
}

/* Behind a word that begins a part of the model. */
static enum cor_status read_colon(struct combine__reader *reader) {
    return take(reader, ":") ? COR_OK : combine__fail_expected(reader, "\":\"");
}

static enum cor_status read_ctwedge(struct combine__reader *reader) {
    char name[COMBINE__TEXT_MAX + 1];
    if (!take_keyword(reader, "Model"))
        return combine__fail_expected(reader, "Model");
    COR_TRY(read_word(reader, "the name of the model", name));
    if (!take_keyword(reader, "Parameters"))
        return combine__fail_expected(reader, "Parameters");
    COR_TRY(read_colon(reader));
    bool constraints = false;
    for (skip_blanks(reader); *reader->at && !constraints; skip_blanks(reader)) {
        constraints = take_keyword(reader, "Constraints");
        if (!constraints)
            COR_TRY(read_parameter_ctwedge(reader));
    }
    if (reader->model->parameter_count == 0)
        return cor_fail(reader->error, COR_STATUS_INPUT, reader->name, "write \"name: Boolean\"",
                        "the model has no parameters");
    if (constraints)
        COR_TRY(read_colon(reader));
    while (take(reader, "#")) {
        skip_blanks(reader);
        const char *start = reader->at;
        COR_TRY(combine__read_formula(reader, COMBINE__CTWEDGE));
        const char *end = reader->at;
        if (!take(reader, "#"))
            return combine__fail_expected(reader, "an operator or \"#\"");
        COR_TRY(combine__keep_constraint(reader, start, end));
    }
    skip_blanks(reader);
    return *reader->at ? combine__fail_expected(reader, "\"#\" in front of a constraint, or the end")
                       : COR_OK;
}

/* ---- Which of the formats a text is in */

/* A first line in brackets, which is no constraint of PICT: nothing follows. */
static bool is_acts(const char *text) {
    text += strspn(text, " \t\r\n");
    while (strncmp(text, "--", 2) == 0) {
        text += strcspn(text, "\n");
        text += strspn(text, " \t\r\n");
    }
    const char *close = *text == '[' ? text + strcspn(text, "]\n") : text;
    return *close == ']' && (close[1 + strspn(close + 1, " \t\r")] == '\n' || close[1] == '\0');
}

/* "Model Name", which is no parameter of PICT: neither colon nor comma follows. */
static bool is_ctwedge(const char *text, const char *name) {
    struct combine__reader reader = {.start = text, .at = text};
    size_t length = strlen(name);
    if ((length > 4 && strcasecmp(name + length - 4, ".ctw") == 0) ||
        (length > 8 && strcasecmp(name + length - 8, ".ctwedge") == 0))
        return true;
    combine__skip_blanks(&reader, COMBINE__CTWEDGE);
    if (!combine__is_keyword(reader.at, "Model"))
        return false;
    reader.at += strlen("Model");
    combine__skip_blanks(&reader, COMBINE__CTWEDGE);
    length = strcspn(reader.at, " \t\r\n:,");
    reader.at += length;
    combine__skip_blanks(&reader, COMBINE__CTWEDGE);
    return length > 0 && *reader.at != ':' && *reader.at != ',';
}

enum cor_status cor_combine_read_text(const char *text, const char *name, struct cor_combine_model *model,
                                      struct cor_error *error) {
    struct combine__reader reader = {.model = model, .name = name, .start = text, .at = text, .error = error};
    enum cor_status status;
    if (text[strspn(text, " \t\r\n")] == '<') {
        status = combine__fail_at(&reader, text + strspn(text, " \t\r\n"),
                                  "save a model of ACTS as text, which begins with [System]",
                                  "models in XML are not read");
    } else if (is_acts(text)) {
        status = read_acts(&reader);
    } else if (is_ctwedge(text, name)) {
        status = read_ctwedge(&reader);
    } else {
        reader.any_case = true;
        status = combine__read_pict(&reader);
    }
    free(reader.made);
    return status;
}
