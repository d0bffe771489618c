/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A property from its text: kind, relation and bound, then what stands in brackets: a formula of time, whose
 * comparisons are found here and are conditions there, or an amount. */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/world.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    struct cor_property *property;
    const char *place;
    const char *at; /* in the property's text */
    struct cor_error *error;
};

static const char shape_remedy[] = "P >= 0.99 [ formula ], E <= 40 [ amount ], Q 0.9 <= 40 [ amount ], "
                                   "S <= 0.2 [ number ]; without a relation it is estimated";

static enum cor_status complain(const struct reader *reader, const char *at, const char *remedy,
                                const char *what) {
    return cor_fail(reader->error, COR_STATUS_INPUT, reader->place, remedy, "column %zu of \"%.160s\": %s",
                    (size_t)(at - reader->property->text) + 1, reader->property->text, what);
}

static void skip_blanks(struct reader *reader) {
    reader->at += strspn(reader->at, " \t\r\n");
}

/* A number within low .. high; `what` says which one. */
static enum cor_status read_number(struct reader *reader, double low, double high, const char *what,
                                   double *number) {
    char *end, said[160], share[80];
    skip_blanks(reader);
    *number = strtod(reader->at, &end);
    snprintf(said, sizeof said, "expected %s", what);
    if (end == reader->at)
        return complain(reader, reader->at, shape_remedy, said);
    /* Shares are numbers up to 1 here: 0.9, and not 90 or 90 %. */
    const char *behind = end + strspn(end, " \t\r\n");
    const bool is_percent = *behind == '%', is_share = high <= 1 && *number > 1 && *number <= 100;
    snprintf(share, sizeof share, "write %.15g for %.15g %%", *number / 100, *number);
    snprintf(said, sizeof said, "%s is a number without \"%%\"", what);
    if (is_percent)
        return complain(reader, behind, share, said);
    snprintf(said, sizeof said, "%s lies between %g and %g", what, low, high);
    if (!(*number >= low && *number <= high))
        return complain(reader, reader->at, is_share ? share : NULL, said);
    reader->at = end;
    return COR_OK;
}

/* ">= 0.99", or nothing. */
static enum cor_status read_relation(struct reader *reader) {
    struct cor_property *property = reader->property;
    const bool is_probability = property->kind == COR_PROPERTY_PROBABILITY;
    skip_blanks(reader);
    if (*reader->at != '<' && *reader->at != '>')
        return COR_OK;
    property->relation = *reader->at == '<' ? COR_PROPERTY_AT_MOST : COR_PROPERTY_AT_LEAST;
    reader->at += reader->at[1] == '=' ? 2 : 1;
    return read_number(reader, is_probability ? 0 : -1e300, is_probability ? 1 : 1e300,
                       is_probability ? "the probability" : "the bound", &property->bound);
}

static enum cor_status read_head(struct reader *reader) {
    static const char letters[] = "PEQS";
    struct cor_property *property = reader->property;
    skip_blanks(reader);
    const char *found = *reader->at ? strchr(letters, *reader->at) : NULL;
    if (!found || strchr("abcdefghijklmnopqrstuvwxyz_", reader->at[1] ? reader->at[1] : ' '))
        return complain(reader, reader->at, shape_remedy, "expected P, E, Q or S");
    property->kind = (enum cor_property_kind)(found - letters);
    reader->at++;
    if (property->kind == COR_PROPERTY_QUANTILE) {
        COR_TRY(read_number(reader, 0, 1, "the share of the quantile", &property->quantile));
        if (property->quantile <= 0 || property->quantile >= 1)
            return complain(reader, reader->at, NULL, "a quantile's share lies between 0 and 1 (exclusive)");
    }
    COR_TRY(read_relation(reader));
    skip_blanks(reader);
    if (*reader->at != '[')
        return complain(reader, reader->at, shape_remedy, "expected \"[\"");
    reader->at++;
    return COR_OK;
}

/* What stands between the first bracket and the last. */
static enum cor_status read_inner(struct reader *reader, char **inner) {
    const char *end = reader->at + strlen(reader->at);
    while (end > reader->at && strchr(" \t\r\n", end[-1]))
        end--;
    if (end == reader->at || end[-1] != ']')
        return complain(reader, end, NULL, "expected \"]\" at the end");
    skip_blanks(reader);
    for (end--; end > reader->at && strchr(" \t\r\n", end[-1]);)
        end--;
    if (end <= reader->at)
        return complain(reader, reader->at, NULL, "there is nothing between the brackets");
    *inner = cor_format("%.*s", (int)(end - reader->at), reader->at);
    return cor_made(*inner, reader->error);
}

/* ---- formulas */

static const char *const words_of_time[] = {
    "true",       "false",        "not",  "and",      "or",    "implies",    "next",  "weak_next", "always",
    "eventually", "historically", "once", "previous", "until", "weak_until", "since", NULL};

static const char letter[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789.";

static bool is_word_of_time(const char *at, size_t length) {
    for (size_t w = 0; words_of_time[w]; w++)
        if (strlen(words_of_time[w]) == length && memcmp(words_of_time[w], at, length) == 0)
            return true;
    return false;
}

/* The length of what is no word of time, bracket, "!", "&&" or "||" and stands there; the length of what is
 * one, which is passed over, in *other. */
static size_t operand_at(const char *at, size_t *other) {
    const char *end = at, *last = at;
    *other = 0;
    while (*end) {
        const size_t blanks = strspn(end, " \t\r\n"), name = strspn(end, letter);
        size_t length = blanks > 0 ? blanks : name > 0 ? name : 1;
        bool ends = name > 0 && is_word_of_time(end, name);
        if (*end == '(' || *end == ')' || (*end == '!' && end[1] != '='))
            ends = true;
        if (*end == '[') {
            length = strcspn(end, "]") + (strchr(end, ']') != NULL);
            ends = true;
        }
        if (strncmp(end, "&&", 2) == 0 || strncmp(end, "||", 2) == 0) {
            length = 2;
            ends = true;
        }
        if (*end == '\'') {
            const char *quote = strchr(end + 1, '\'');
            length = quote ? (size_t)(quote - end) + 1 : strlen(end);
        }
        if (ends || (last == at && blanks > 0)) {
            *other = last == at ? length : 0;
            break;
        }
        end += length;
        if (blanks == 0)
            last = end;
    }
    return (size_t)(last - at);
}

static enum cor_status add_condition(struct cor_property *property, char *name, uint32_t column,
                                     struct cor_error *error) {
    COR_TRY(cor_made(name, error));
    for (uint32_t c = 0; c < property->condition_count; c++)
        if (strcmp(property->conditions[c].name, name) == 0) {
            free(name);
            return COR_OK;
        }
    property->conditions[property->condition_count] =
        (struct property__condition){.name = name, .column = column};
    property->names[property->condition_count++] = name;
    return COR_OK;
}

static struct cor_scope scope_of(struct cor_property *property) {
    static const struct cor_shape nothing_but_columns = {0};
    return (struct cor_scope){.symbols = property->columns.symbols,
                              .symbol_count = property->columns.count,
                              .words = &property->columns.words,
                              .shape = &nothing_but_columns};
}

/* A comparison becomes a condition that is called as it is written. */
static enum cor_status add_comparison(const struct reader *reader, const char *at, size_t length) {
    struct cor_property *property = reader->property;
    char place[200];
    if (property->condition_count == COR_TEMPORAL_CONDITIONS_MAX + property->columns.count)
        return complain(reader, reader->at, "split the property", "more comparisons than a formula may have");
    const uint32_t before = property->condition_count;
    COR_TRY(add_condition(property, cor_format("%.*s", (int)length, at), COR_NONE, reader->error));
    if (property->condition_count == before)
        return COR_OK;
    struct property__condition *condition = &property->conditions[before];
    const struct cor_scope scope = scope_of(property);
    snprintf(place, sizeof place, "%s%s\"%.100s\"", reader->place ? reader->place : "",
             reader->place ? ": " : "", condition->name);
    return cor_expression_parse_condition(condition->name, &scope, place, &condition->comparison,
                                          reader->error);
}

/* A name that is a number has to be compared; the others are left to the formula's reader. */
static enum cor_status check_name(const struct reader *reader, const char *at, size_t length) {
    const struct property__columns *columns = &reader->property->columns;
    char what[160];
    for (uint32_t c = 0; c < columns->count; c++) {
        if (strlen(columns->items[c].name) != length || memcmp(columns->items[c].name, at, length) != 0 ||
            columns->domains[c].type == COR_VALUE_TYPE_BOOLEAN)
            continue;
        const bool is_code = columns->domains[c].type == COR_VALUE_TYPE_ENUMERATION;
        snprintf(what, sizeof what, "\"%s\" is %s, not a condition", columns->items[c].name,
                 is_code ? "a word" : "a number");
        return complain(reader, reader->at, is_code ? "compare it: gray = 'failed'" : "compare it: moved > 3",
                        what);
    }
    return COR_OK;
}

static enum cor_status find_conditions(struct reader *reader) {
    struct cor_property *property = reader->property;
    struct property__columns *columns = &property->columns;
    const size_t most = columns->count + COR_TEMPORAL_CONDITIONS_MAX + 1;
    property->conditions = cor_calloc(most, sizeof *property->conditions);
    COR_TRY(cor_made(property->conditions, reader->error));
    property->names = cor_calloc(most, sizeof *property->names);
    COR_TRY(cor_made(property->names, reader->error));
    for (uint32_t c = 0; c < columns->count; c++)
        if (columns->domains[c].type == COR_VALUE_TYPE_BOOLEAN)
            COR_TRY(add_condition(property, cor_strdup(columns->items[c].name), c, reader->error));
    for (const char *at = property->formula; *at;) {
        size_t other, length = operand_at(at, &other);
        if (length > 0 && strcspn(at, "<>=") < length)
            COR_TRY(add_comparison(reader, at, length));
        else if (length > 0)
            COR_TRY(check_name(reader, at, length));
        at += length + other;
        reader->at += length + other;
    }
    return COR_OK;
}

static enum cor_status step_unknown(struct cor_property *property, struct cor_error *error) {
    memset(property->states, COR_TEMPORAL_UNKNOWN, property->condition_count);
    return cor_temporal_step(property->watch, property->states, error);
}

/* There is something to decide: with nothing known of the first case the verdict is open. */
static enum cor_status expect_open(struct reader *reader) {
    struct cor_property *property = reader->property;
    COR_TRY(property__begin(property, reader->error));
    COR_TRY(step_unknown(property, reader->error));
    if (cor_temporal_decided_at(property->watch) != COR_TEMPORAL_OPEN &&
        cor_temporal_verdict(property->watch) != COR_TEMPORAL_UNKNOWN)
        return cor_fail(
            reader->error, COR_STATUS_INPUT, reader->place, "say what a case has to show",
            "\"%.160s\" is %s before the first case: there is nothing to decide", property->formula,
            cor_temporal_verdict(property->watch) == COR_TEMPORAL_HOLDS ? "satisfied" : "violated");
    return COR_OK;
}

/* Which columns the property reads. */
static void mark_read(struct cor_property *property) {
    for (uint32_t c = 0; c < property->columns.count; c++) {
        bool reads = property->number.node_count > 0 && cor_expression_reads(&property->number, c);
        for (uint32_t i = 0; i < property->condition_count && !reads; i++)
            reads = property->conditions[i].column == COR_NONE
                        ? cor_expression_reads(&property->conditions[i].comparison, c)
                        : property->conditions[i].column == c &&
                              strstr(property->formula, property->columns.items[c].name);
        property->columns.items[c].is_read = reads;
    }
}

static enum cor_status read_formula(struct reader *reader) {
    struct cor_property *property = reader->property;
    COR_TRY(read_inner(reader, &property->formula));
    COR_TRY(find_conditions(reader));
    COR_TRY(cor_temporal_parse(property->formula, property->names, reader->place, &property->temporal,
                               reader->error));
    property->states = cor_calloc(property->condition_count, 1);
    COR_TRY(cor_made(property->states, reader->error));
    property->degrees = cor_calloc(property->condition_count, sizeof *property->degrees);
    COR_TRY(cor_made(property->degrees, reader->error));
    return expect_open(reader);
}

/* ---- amounts */

static bool takes_word(const char **at, const char *word) {
    const size_t length = strlen(word);
    if (strncmp(*at, word, length) != 0 || !strchr(" \t\r\n", (*at)[length]))
        return false;
    *at += length;
    *at += strspn(*at, " \t\r\n");
    return true;
}

/* "at CASE" at the end, which is cut off. */
static enum cor_status read_case(const struct reader *reader, char *inner) {
    char *at = NULL, *end;
    for (char *next = inner; (next = strstr(next, " at ")); next++)
        at = next;
    if (!at)
        return COR_OK;
    const unsigned long number = strtoul(at + strlen(" at "), &end, 10);
    if (*end || number < 1 || number > UINT32_MAX)
        return complain(reader, reader->at, "write the number of a case, from 1: moved at 10",
                        "expected a case behind \"at\"");
    reader->property->amount = COR_PROPERTY_AT;
    reader->property->at = (uint32_t)number;
    *at = '\0';
    return COR_OK;
}

static enum cor_status read_amount(struct reader *reader) {
    static const struct {
        const char *word;
        enum cor_property_amount amount;
    } amounts[] = {{"mean", COR_PROPERTY_MEAN},
                   {"sum", COR_PROPERTY_SUM},
                   {"max", COR_PROPERTY_MAX},
                   {"min", COR_PROPERTY_MIN}};
    static const struct cor_domain real = {COR_VALUE_TYPE_REAL, "float", NULL, 0};
    struct cor_property *property = reader->property;
    char *inner = NULL;
    bool is_said = false;
    COR_TRY(read_inner(reader, &inner));
    const char *number = inner;
    enum cor_status status = COR_OK;
    for (size_t a = 0; a < sizeof amounts / sizeof *amounts && !is_said; a++)
        if (takes_word(&number, amounts[a].word)) {
            is_said = true;
            property->amount = amounts[a].amount;
        }
    if (property->kind == COR_PROPERTY_STEADY && is_said)
        COR_TRY_OUT(complain(reader, reader->at, "write the number alone: S <= 0.2 [ dissimilarity ]",
                             "what holds in the long run is a mean over cases"));
    if (!is_said && property->kind != COR_PROPERTY_STEADY)
        COR_TRY_OUT(read_case(reader, inner));
    for (uint32_t c = 0; c < property->columns.count; c++) /* "sum alarm" counts alarms */
        if (property->columns.domains[c].type == COR_VALUE_TYPE_BOOLEAN)
            property->columns.domains[c] = (struct cor_domain){COR_VALUE_TYPE_INTEGER, "int", NULL, 0};
    const struct cor_scope scope = scope_of(property);
    COR_TRY_OUT(
        cor_expression_parse_value(number, &scope, &real, reader->place, &property->number, reader->error));
out:
    free(inner);
    return status;
}

/* What stands in the last quotation marks of the cause. */
static bool is_about(const char *cause, const char *name) {
    const size_t length = strlen(cause), size = strlen(name);
    return strstr(cause, "there is no ") && length > size + 2 && cause[length - 1] == '"' &&
           cause[length - size - 2] == '"' && memcmp(cause + length - size - 1, name, size) == 0;
}

void cor_property_name_constraints(const char *const *names, struct cor_error *error) {
    for (size_t i = 0; error && error->status == COR_STATUS_INPUT && names[i]; i++)
        if (is_about(error->cause, names[i])) {
            snprintf(error->remedy, sizeof error->remedy,
                     "\"%.100s\" is a constraint of the corridor, and a property is asked of columns: "
                     "\"inside\" says that all constraints hold, \"alarm\" that the monitor saw a trigger "
                     "violated; which constraints failed: corridor show FILE tables --sheet constraints",
                     names[i]);
            return;
        }
}

enum cor_status cor_property_parse(const char *text, const char *place, struct cor_property **made,
                                   struct cor_error *error) {
    enum cor_status status = COR_OK;
    *made = NULL;
    if (strlen(text) > COR_PROPERTY_BYTES_MAX)
        return cor_fail(error, COR_STATUS_INPUT, place, "split the property",
                        "the property has %zu bytes; at most %d are read", strlen(text),
                        COR_PROPERTY_BYTES_MAX);
    struct cor_property *property = cor_calloc(1, sizeof *property);
    COR_TRY(cor_made(property, error));
    property->text = cor_strdup(text);
    COR_TRY_OUT(cor_made(property->text, error));
    COR_TRY_OUT(property__columns_init(&property->columns, error));
    struct reader reader = {property, place, property->text, error};
    COR_TRY_OUT(read_head(&reader));
    COR_TRY_OUT(property->kind == COR_PROPERTY_PROBABILITY ? read_formula(&reader) : read_amount(&reader));
    mark_read(property);
    *made = property;
out:
    if (status != COR_OK)
        cor_property_destroy(property);
    return status;
}

enum cor_status cor_measure_parse(const char *amount, const char *place, struct cor_property **measure,
                                  struct cor_error *error) {
    char *text = cor_format("E [ %s ]", amount);
    COR_TRY(cor_made(text, error));
    const enum cor_status status = cor_property_parse(text, place, measure, error);
    free(text);
    return status;
}
