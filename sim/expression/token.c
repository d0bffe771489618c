/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tokens, one at a time. */
#include "parser.h"

#include <corridor/array.h>

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Longer words first where one begins another. */
static const struct expression__infix infixes[] = {
    {"<=", EXPRESSION__POWER_COMPARE, COR_OPERATOR_LESS_EQUAL},
    {"<", EXPRESSION__POWER_COMPARE, COR_OPERATOR_LESS},
    {"==", EXPRESSION__POWER_COMPARE, COR_OPERATOR_EQUAL},
    {"=", EXPRESSION__POWER_COMPARE, COR_OPERATOR_EQUAL},
    {"!=", EXPRESSION__POWER_COMPARE, COR_OPERATOR_NOT_EQUAL},
    {">=", EXPRESSION__POWER_COMPARE, COR_OPERATOR_LESS_EQUAL}, /* with its sides exchanged, */
    {">", EXPRESSION__POWER_COMPARE, COR_OPERATOR_LESS},        /* as here */
    {"+", EXPRESSION__POWER_SUM, COR_OPERATOR_ADD},
    {"-", EXPRESSION__POWER_SUM, COR_OPERATOR_SUBTRACT},
    {"*", EXPRESSION__POWER_PRODUCT, COR_OPERATOR_MULTIPLY},
    {"/", EXPRESSION__POWER_PRODUCT, COR_OPERATOR_DIVIDE},
    {"%", EXPRESSION__POWER_PRODUCT, COR_OPERATOR_REMAINDER},
    {"and", EXPRESSION__POWER_AND, COR_OPERATOR_AND},
    {"or", EXPRESSION__POWER_OR, COR_OPERATOR_OR},
    {"&&", EXPRESSION__POWER_AND, COR_OPERATOR_AND},
    {"||", EXPRESSION__POWER_OR, COR_OPERATOR_OR},
    {"implies", EXPRESSION__POWER_IMPLIES, COR_OPERATOR_OR},
    {"in", EXPRESSION__POWER_COMPARE, COR_OPERATOR_IN}, /* the last: over a shape alone */
};
#define INFIX_COUNT (sizeof infixes / sizeof *infixes)

void expression__quote(const char *text, size_t length, char quoted[EXPRESSION__QUOTED_MAX + 4]) {
    size_t shown = length < EXPRESSION__QUOTED_MAX ? length : EXPRESSION__QUOTED_MAX;
    for (size_t i = 0; i < shown; i++)
        quoted[i] = text[i] >= ' ' && text[i] <= '~' ? text[i] : '?';
    snprintf(quoted + shown, 4, "%s", shown < length ? "..." : "");
}

/* The line of a place in the source, and its column in characters; both from 1. */
static void find_place(const char *source, const char *at, size_t *line, size_t *column) {
    *line = *column = 1;
    for (; source < at; source++) {
        const bool ends = *source == '\n' || *source == '\0';
        *line += ends;
        *column = ends ? 1 : *column + ((*source & 0xC0) != 0x80);
    }
}

static bool complain_in_source(struct expression__parser *parser, const char *at, const char *remedy,
                               const char *what) {
    const struct expression__collections *collections = parser->collections;
    char place[600], used[EXPRESSION__QUOTED_MAX] = "";
    size_t line, column;
    if (collections->expanded) {
        find_place(parser->scope->source, collections->expanded_at, &line, &column);
        snprintf(used, sizeof used, "; \"%.60s\" is used in line %zu, column %zu",
                 collections->expanded->name, line, column);
    }
    find_place(parser->scope->source, at, &line, &column);
    snprintf(place, sizeof place, "%s:%zu:%zu", parser->place ? parser->place : "", line, column);
    parser->status = cor_fail(parser->error, COR_STATUS_INPUT, place, remedy, "%s%s", what, used);
    return false;
}

bool expression__complain(struct expression__parser *parser, const char *at, const char *remedy,
                          const char *what) {
    if (parser->collections && parser->scope->source)
        return complain_in_source(parser, at, remedy, what);
    char text[EXPRESSION__QUOTED_MAX + 4], used[EXPRESSION__QUOTED_MAX] = "";
    const struct cor_definition *expanded = parser->collections ? parser->collections->expanded : NULL;
    if (expanded) { /* its text is none that users know */
        snprintf(used, sizeof used, "in \"%.60s\", ", expanded->name);
        at = parser->collections->expanded_at;
    }
    expression__quote(parser->text, strlen(parser->text), text);
    parser->status =
        cor_fail(parser->error, COR_STATUS_INPUT, parser->place, remedy, "column %zu of \"%s\": %s%s",
                 (size_t)(at - parser->text) + 1, text, used, what);
    return false;
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool expression__is_word(const struct expression__token *token, const char *word) {
    return strlen(word) == token->length && memcmp(token->at, word, token->length) == 0;
}

/* The digits of a fraction and of an exponent, behind `end`. */
static const char *skip_fraction(const char *end) {
    if (end[0] == '.' && is_digit(end[1]))
        for (end++; is_digit(*end);)
            end++;
    const char *exponent = end;
    if (*exponent == 'e' || *exponent == 'E') {
        exponent += exponent[1] == '+' || exponent[1] == '-' ? 2 : 1;
        if (is_digit(*exponent))
            for (end = exponent; is_digit(*end);)
                end++;
    }
    return end;
}

static bool read_number(struct expression__parser *parser, struct expression__token *token) {
    const char *end = token->at;
    token->kind = EXPRESSION__TOKEN_NUMBER;
    bool fits = true;
    for (; is_digit(*end); end++)
        fits = fits && !__builtin_mul_overflow(token->number, 10, &token->number) &&
               !__builtin_add_overflow(token->number, *end - '0', &token->number);
    const char *behind = parser->has_values ? skip_fraction(end) : end;
    if (behind > end && !is_letter(*behind)) {
        /* The program runs in the locale "C", where a point is a point. */
        token->kind = EXPRESSION__TOKEN_REAL;
        token->real = strtod(token->at, NULL);
        if (token->real > DBL_MAX)
            return expression__complain(parser, token->at, "the largest is 1.7976931348623157e308",
                                        "the number is too large");
        token->length = (size_t)(behind - token->at);
        return true;
    }
    if (!fits)
        return expression__complain(parser, token->at, "the largest is 9223372036854775807",
                                    "the number is too large");
    if (!parser->has_values && (*end == '.' || *end == 'e' || *end == 'E'))
        return expression__complain(parser, token->at, "scale it: 2 * x <= y instead of x <= 0.5 * y",
                                    "constraints are over integers, and this is a real number");
    if (is_letter(*behind))
        return expression__complain(parser, behind, NULL, "a number runs into a name");
    token->length = (size_t)(end - token->at);
    return true;
}

/* Where the letters of a name end, and of a path behind it. */
static const char *skip_name(const struct expression__parser *parser, const char *end) {
    while (is_letter(*end) || is_digit(*end) || (parser->has_values && *end == '.' && is_letter(end[1])))
        end++;
    const size_t before = strlen(EXPRESSION__BEFORE);
    if (parser->collections && strncmp(end, EXPRESSION__BEFORE, before) == 0 && !is_letter(end[before]) &&
        !is_digit(end[before]))
        end += before;
    return end;
}

/* A name, "set.Field" among values, "name.attribute@before" over a shape, or one of the words that are
 * operators. */
static void read_word(const struct expression__parser *parser, struct expression__token *token) {
    token->length = (size_t)(skip_name(parser, token->at) - token->at);
    token->kind = EXPRESSION__TOKEN_NAME;
    if (expression__is_word(token, "not"))
        token->kind = EXPRESSION__TOKEN_NOT;
    for (size_t i = 0; i < INFIX_COUNT - !parser->collections; i++) {
        if (expression__is_word(token, infixes[i].word)) {
            token->kind = EXPRESSION__TOKEN_INFIX;
            token->infix = &infixes[i];
        }
    }
}

bool expression__intern(struct expression__parser *parser, const struct expression__token *token,
                        uint32_t *word) {
    char *text = cor_calloc(token->length, 1), *end = text;
    if (!text) {
        parser->status = cor_fail_memory(parser->error);
        return false;
    }
    for (size_t i = 1; i + 1 < token->length; i += token->at[i] == '\'' ? 2 : 1)
        *end++ = token->at[i];
    if (!cor_is_printable(text)) {
        free(text);
        return expression__complain(parser, token->at, "write words without control characters",
                                    "this word has control characters");
    }
    parser->status = cor_words_intern(parser->scope->words, text, word, parser->error);
    free(text);
    return parser->status == COR_OK;
}

static bool read_sign(struct expression__parser *parser, struct expression__token *token) {
    for (size_t i = 0; i < INFIX_COUNT; i++) {
        size_t length = strlen(infixes[i].word);
        if (strncmp(token->at, infixes[i].word, length) == 0) {
            token->kind = EXPRESSION__TOKEN_INFIX;
            token->infix = &infixes[i];
            token->length = length;
            return true;
        }
    }
    if (*token->at == '!') {
        token->kind = EXPRESSION__TOKEN_NOT;
        token->length = 1;
        return true;
    }
    const char *remedy = *token->at == '&' ? "write \"and\"" : *token->at == '|' ? "write \"or\"" : NULL;
    if (*token->at == '"' && parser->has_values)
        remedy = "words stand in single quotes: 'word'";
    if (*token->at == '@' && parser->collections)
        remedy = "what an attribute was in the state before: name.attribute@before";
    char what[64];
    if (*token->at > ' ' && *token->at <= '~')
        snprintf(what, sizeof what, "\"%c\" means nothing here", *token->at);
    else
        snprintf(what, sizeof what, "the byte 0x%02X means nothing here", (unsigned char)*token->at);
    return expression__complain(parser, token->at, remedy, what);
}

bool expression__advance(struct expression__parser *parser) {
    const char *at = parser->token.at + parser->token.length;
    parser->consumed = at;
    while (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r')
        at++;
    struct expression__token *token = &parser->token;
    *token = (struct expression__token){.kind = EXPRESSION__TOKEN_END, .at = at};
    if (is_digit(*at))
        return read_number(parser, token);
    if (is_letter(*at)) {
        read_word(parser, token);
        return true;
    }
    if (parser->has_values && *at == '\'') {
        /* 'any text', a quote within doubled. */
        const char *end = token->at + 1;
        token->kind = EXPRESSION__TOKEN_WORD;
        while (*end && !(*end == '\'' && end[1] != '\''))
            end += *end == '\'' ? 2 : 1;
        if (!*end)
            return expression__complain(parser, token->at, NULL, "this word has no closing \"'\"");
        token->length = (size_t)(end + 1 - token->at);
        return true;
    }
    if (parser->has_values && *at == '[') {
        /* [any text] */
        const char *end = strchr(token->at, ']');
        token->kind = EXPRESSION__TOKEN_NAME;
        token->bracketed = true;
        if (!end)
            return expression__complain(parser, token->at, NULL, "this name has no closing \"]\"");
        end++;
        if (parser->collections && parser->scope->shape->named_count > 0 && *end == '.')
            end = skip_name(parser, end);
        token->length = (size_t)(end - token->at);
        return true;
    }
    const char *brackets = "(),";
    const char *bracket = *at ? strchr(brackets, *at) : NULL;
    if (bracket) {
        token->kind = (enum expression__token_kind)(EXPRESSION__TOKEN_OPEN + (bracket - brackets));
        token->length = 1;
        return true;
    }
    if (*at == ':' && parser->collections) {
        token->kind = EXPRESSION__TOKEN_COLON;
        token->length = 1;
        return true;
    }
    return !*at || read_sign(parser, token);
}
