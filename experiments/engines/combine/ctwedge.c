/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Models as CTWedge writes them:
 *
 *   Model Phone
 *   Parameters:
 *     email: Boolean;
 *     lines: [25 .. 30 step 5]
 *     display: {16MC, 8MC, BW}
 *   Constraints:
 *     # email => lines > 28 # */
#include "reader.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

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
static enum cor_status read_values(struct combine__reader *reader, struct combine__values *values,
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

static enum cor_status read_parameter(struct combine__reader *reader) {
    const char *start = reader->at;
    char name[COMBINE__TEXT_MAX + 1];
    struct combine__values values = {0};
    enum cor_value_type type = COR_VALUE_TYPE_INTEGER;
    enum cor_status status = COR_OK;
    COR_TRY(read_word(reader, "the name of a parameter", name));
    if (!take(reader, ":"))
        return combine__fail_expected(reader, "\":\" behind the name of a parameter");
    if (take_keyword(reader, "Boolean")) {
        type = COR_VALUE_TYPE_BOOLEAN;
        COR_TRY_OUT(combine__values_add(reader, &values, "true", false));
        COR_TRY_OUT(combine__values_add(reader, &values, "false", false));
    } else if (take(reader, "{")) {
        COR_TRY_OUT(read_values(reader, &values, &type));
    } else if (take(reader, "[")) {
        COR_TRY_OUT(read_range(reader, &values));
    } else {
        COR_TRY_OUT(combine__fail_expected(reader, "Boolean, {values} or [low .. high]"));
    }
    take(reader, ";");
    COR_TRY_OUT(combine__values_keep(reader, start, name, &values, type));
out:
    combine__values_fini(&values);
    return status;
}

/* Behind a word that begins a part of the model. */
static enum cor_status read_colon(struct combine__reader *reader) {
    return take(reader, ":") ? COR_OK : combine__fail_expected(reader, "\":\"");
}

enum cor_status combine__read_ctwedge(struct combine__reader *reader) {
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
            COR_TRY(read_parameter(reader));
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
