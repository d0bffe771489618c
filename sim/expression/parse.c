/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tokens, one at a time. */
#include "parser.h"

#include <corridor/array.h>
#include <corridor/world.h>

#include <float.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Units as people write them: "kW h", "kg / s", "m^2", "1 / s". Words are joined by blanks, "*" or a
 * dot; what stands behind "/" is divided by */

#define EXPRESSION__UNIT_MAX 256 /* bytes of one */

static bool parse_close(struct expression__parser *parser);
static bool parse_level(struct expression__parser *parser, enum expression__power power, uint32_t *node);
static bool complain_expected(struct expression__parser *parser, const char *expected);

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
    {"xor", EXPRESSION__POWER_OR, COR_OPERATOR_NOT_EQUAL}, /* of conditions */
    {"implies", EXPRESSION__POWER_IMPLIES, COR_OPERATOR_OR},
    {"in", EXPRESSION__POWER_COMPARE, COR_OPERATOR_IN}, /* the last: over a shape alone */
};
#define INFIX_COUNT (sizeof infixes / sizeof *infixes)

/* Whether the remedy can be followed here: what is asked of collections, over a shape alone. */
static bool is_followed(const struct expression__parser *parser, const char *remedy) {
    const size_t length = strlen(remedy);
    if (parser->collections)
        return true;
    if (strstr(remedy, "single quotes"))
        return parser->has_values;
    return !strstr(remedy, "COLLECTION") && !strstr(remedy, " in ") &&
           strcmp(remedy + length - 3, " in") != 0;
}

/* What is written here instead of what other languages have; NULL: it is none of their words and signs. */
static const char *remedy_of_word(const struct expression__parser *parser, const char *at, size_t length) {
    static const char *const words[][2] = {
        {"if", "write (CONDITION implies ONE) and (not CONDITION implies OTHER)"},
        {"then", "write CONDITION implies ONE"},
        {"else", "write not CONDITION implies OTHER"},
        {"?", "write (CONDITION implies ONE) and (not CONDITION implies OTHER)"},
        {"let", "write define NAME(x): EXPRESSION in a line of its own above, and NAME(x) here"},
        {"forall", "write all(x in COLLECTION: CONDITION)"},
        {"foreach", "write all(x in COLLECTION: CONDITION)"},
        {"exists", "write any(x in COLLECTION: CONDITION)"},
        {"some", "write any(x in COLLECTION: CONDITION)"},
        {"len", "write count(COLLECTION)"},
        {"size", "write count(COLLECTION)"},
        {"length", "write count(COLLECTION)"},
        {"avg", "write mean(x in COLLECTION: NUMBER)"},
        {"average", "write mean(x in COLLECTION: NUMBER)"},
        {"sqrt", "compare squares: x <= 2 * 2 instead of sqrt(x) <= 2"},
        {"pow", "write the product: x * x"},
        {"^", "write the product x * x, or xor between conditions"},
        {"floor", "compare with both bounds: n <= x and x < n + 1"},
        {"ceil", "compare with both bounds, or divide integers by ceil_div(a, b)"},
        {"round", "compare with both bounds: n - 0.5 <= x and x < n + 0.5"},
        {"exp", "there are + - * / % and abs, min, max alone"},
        {"log", "there are + - * / % and abs, min, max alone"},
        {"mod", "write %"},
        {"div", "write /"},
        {"is", "write =="},
        {"equals", "write =="},
        {"eq", "write =="},
        {"between", "write LOW <= x <= HIGH"},
        {"iff", "write == between the two conditions"},
        {"not", "write !=, or not in"},
        {"nor", "write not (ONE or OTHER)"},
        {"nand", "write not (ONE and OTHER)"},
        {"unless", "write OTHER or CONDITION"},
        {"contains", "write x in COLLECTION"},
        {"matches", "words are compared as a whole: x in ('a', 'b')"},
        {"like", "words are compared as a whole: x in ('a', 'b')"},
        {"~", "words are compared as a whole: x in ('a', 'b')"},
        {"AND", "write and"},
        {"OR", "write or"},
        {"NOT", "write not"},
        {"IN", "write in"},
        {"none", "write not any(x in COLLECTION: CONDITION)"},
        {"no", "write not any(x in COLLECTION: CONDITION)"},
        {"exactly", "write count(x in COLLECTION where CONDITION) == NUMBER"},
        {"atleast", "write count(x in COLLECTION where CONDITION) >= NUMBER"},
        {"atmost", "write count(x in COLLECTION where CONDITION) <= NUMBER"},
        {"at_least", "write count(x in COLLECTION where CONDITION) >= NUMBER"},
        {"at_most", "write count(x in COLLECTION where CONDITION) <= NUMBER"},
        {"unique", "write all(x in COLLECTION: one(y in COLLECTION: y.attribute == x.attribute))"},
        {"distinct", "write all(x in COLLECTION: one(y in COLLECTION: y.attribute == x.attribute))"},
        {"median", "count those on both sides: count(x in COLLECTION where x.attribute < NUMBER)"},
        {"std", "compare the squares: mean(x in COLLECTION: (x.attribute - MEAN) * (x.attribute - MEAN))"},
        {"stddev", "compare the squares: mean(x in COLLECTION: (x.attribute - MEAN) * (x.attribute - MEAN))"},
        {"variance", "write mean(x in COLLECTION: (x.attribute - MEAN) * (x.attribute - MEAN))"},
        {"{", "a set stands in round brackets: x in ('a', 'b')"},
        {"\u2264", "write <="},
        {"\u2265", "write >="},
        {"\u2260", "write !="},
        {"\u2227", "write and"},
        {"\u2228", "write or"},
        {"\u00ac", "write not"},
        {"\u2192", "write implies"},
        {"\u21d2", "write implies"},
        {"\u21d4", "write == between the two conditions"},
        {"\u2194", "write == between the two conditions"},
        {"\u2200", "write all(x in COLLECTION: CONDITION)"},
        {"\u2203", "write any(x in COLLECTION: CONDITION)"},
        {"\u2208", "write in"},
        {"\u2211", "write sum(x in COLLECTION: NUMBER)"},
        {"\u2212", "write -"},
        {"\u00d7", "write *"},
        {"\u00b7", "write *"},
        {"\u00f7", "write /"},
        {"\u2018", "words stand in single quotes: 'word'"},
        {"\u2019", "words stand in single quotes: 'word'"},
        {"\u201c", "words stand in single quotes: 'word'"},
        {"\u201d", "words stand in single quotes: 'word'"},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i][0]) == length && strncmp(at, words[i][0], length) == 0)
            return is_followed(parser, words[i][1]) ? words[i][1] : NULL;
    return NULL;
}

/* Makes `length` letters of text fit for a message: one line, not too long. */
static void quote(const char *text, size_t length, char quoted[EXPRESSION__QUOTED_MAX + 4]) {
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

/* Complains about what stands at `at`. Always false, so that a caller can return it. */
static bool complain(struct expression__parser *parser, const char *at, const char *remedy,
                     const char *what) {
    if (parser->collections && parser->scope->source) {
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
    char text[EXPRESSION__QUOTED_MAX + 4], used[EXPRESSION__QUOTED_MAX] = "";
    const struct cor_definition *expanded = parser->collections ? parser->collections->expanded : NULL;
    if (expanded) { /* its text is none that users know */
        snprintf(used, sizeof used, "in \"%.60s\", ", expanded->name);
        at = parser->collections->expanded_at;
    }
    quote(parser->text, strlen(parser->text), text);
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
            return complain(parser, token->at, "the largest is 1.7976931348623157e308",
                            "the number is too large");
        token->length = (size_t)(behind - token->at);
        return true;
    }
    if (!fits)
        return complain(parser, token->at, "the largest is 9223372036854775807", "the number is too large");
    if (!parser->has_values && (*end == '.' || *end == 'e' || *end == 'E'))
        return complain(parser, token->at, "scale it: 2 * x <= y instead of x <= 0.5 * y",
                        "constraints are over integers, and this is a real number");
    if (is_letter(*behind))
        return complain(parser, behind, NULL, "a number runs into a name");
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

/* The number of the word that the token quotes. */
static bool intern(struct expression__parser *parser, const struct expression__token *token, uint32_t *word) {
    char *text = cor_calloc(token->length, 1), *end = text;
    if (!text) {
        parser->status = cor_fail_memory(parser->error);
        return false;
    }
    for (size_t i = 1; i + 1 < token->length; i += token->at[i] == '\'' ? 2 : 1)
        *end++ = token->at[i];
    if (!cor_is_printable(text)) {
        free(text);
        return complain(parser, token->at, "write words without control characters",
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
    size_t length = 1; /* of the sign, in UTF-8 */
    while (length < 4 && (unsigned char)*token->at >= 0xC2 &&
           ((unsigned char)token->at[length] & 0xC0) == 0x80)
        length++;
    const char *remedy = *token->at == '&'   ? "write \"and\""
                         : *token->at == '|' ? "write \"or\""
                                             : remedy_of_word(parser, token->at, length);
    if (*token->at == '"' && parser->has_values)
        remedy = "words stand in single quotes: 'word'";
    if (*token->at == '@' && parser->collections)
        remedy = "what an attribute was in the state before: name.attribute@before";
    char what[64];
    if ((*token->at > ' ' && *token->at <= '~') || (length > 1 && remedy))
        snprintf(what, sizeof what, "\"%.*s\" means nothing here", (int)length, token->at);
    else
        snprintf(what, sizeof what, "the byte 0x%02X means nothing here", (unsigned char)*token->at);
    return complain(parser, token->at, remedy, what);
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
        /* A name, "set.Field" among values, "name.attribute@before" over a shape, or one of the words that
         * are operators. */
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
        return true;
    }
    if (parser->has_values && *at == '\'') {
        /* 'any text', a quote within doubled. */
        const char *end = token->at + 1;
        token->kind = EXPRESSION__TOKEN_WORD;
        while (*end && !(*end == '\'' && end[1] != '\''))
            end += *end == '\'' ? 2 : 1;
        if (!*end)
            return complain(parser, token->at, NULL, "this word has no closing \"'\"");
        token->length = (size_t)(end + 1 - token->at);
        return true;
    }
    if (parser->has_values && *at == '[') {
        /* [any text] */
        const char *end = strchr(token->at, ']');
        token->kind = EXPRESSION__TOKEN_NAME;
        token->bracketed = true;
        if (!end)
            return complain(parser, token->at, NULL, "this name has no closing \"]\"");
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

/* ---- what a name means: the symbol that is called so, or else the only one that ends in ".name", or that of
 * the home */

/* What stands behind the last point of the name, NULL if there is none. */
static const char *last_part(const char *name) {
    const char *point = strrchr(name, '.');
    return point ? point + 1 : NULL;
}

/* The symbol that the name means, else COR_NONE: then it could be either of `several`, or these are COR_NONE,
 * too. */
static uint32_t scope_resolve(const struct cor_scope *scope, const char *name, uint32_t several[2]) {
    uint32_t count = 0;
    several[0] = several[1] = COR_NONE;
    for (uint32_t i = 0; i < scope->symbol_count && *name; i++)
        if (strcmp(scope->symbols[i].name, name) == 0)
            return i;
    for (uint32_t i = 0; i < scope->symbol_count && scope->words; i++) {
        const char *symbol = scope->symbols[i].name, *part = last_part(symbol);
        if (!part || strcmp(part, name) != 0)
            continue;
        /* Whether the symbol is the home's. */
        size_t length = scope->home ? strlen(scope->home) : 0;
        if (length > 0 && strncmp(symbol, scope->home, length) == 0 && symbol[length] == '.')
            return i;
        several[count < 2 ? count : 1] = i;
        count++;
    }
    return count == 1 ? several[0] : COR_NONE;
}

uint32_t cor_scope_find(const struct cor_scope *scope, const char *name) {
    uint32_t several[2];
    return scope_resolve(scope, name, several);
}

/* What else could have been meant, in the shortest spelling. */
static void scope_offer(const struct cor_scope *scope, const char *word, char *remedy, size_t size) {
    const char *offered[257];
    size_t count = 0;
    for (uint32_t i = 0; i < scope->symbol_count && count < 256; i++) {
        const char *name = scope->symbols[i].name, *part = scope->words ? last_part(name) : NULL;
        if (*name)
            offered[count++] = part && cor_scope_find(scope, part) == i ? part : name;
    }
    offered[count] = NULL;
    if (count > 0)
        cor_known_names(word, offered, remedy, size);
}

/* ---- units */

#define WORDS_MAX 32

/* Words to some power, each once; none is to the power 0. */
struct unit {
    struct word {
        const char *at;
        size_t length;
        long power;
    } words[WORDS_MAX];
    size_t count;
    bool is_too_long;
};

static void add_word(struct unit *unit, const char *at, size_t length, long power) {
    for (size_t i = 0; i < unit->count; i++) {
        struct word *word = &unit->words[i];
        if (word->length != length || memcmp(word->at, at, length) != 0)
            continue;
        word->power += power;
        if (word->power == 0)
            memmove(word, word + 1, (--unit->count - i) * sizeof *word);
        return;
    }
    if (power == 0 || (length == 1 && *at == '1'))
        return;
    unit->is_too_long = unit->is_too_long || unit->count == WORDS_MAX;
    if (!unit->is_too_long)
        unit->words[unit->count++] = (struct word){at, length, power};
}

/* The length of a dot between words, 0: there is none. */
static size_t dot_at(const char *at) {
    static const char *const dots[] = {"\xc2\xb7", "\xe2\x8b\x85", "*", " ", "(", ")"};
    for (size_t i = 0; i < sizeof dots / sizeof *dots; i++)
        if (strncmp(at, dots[i], strlen(dots[i])) == 0)
            return strlen(dots[i]);
    return 0;
}

/* A power behind a word: ^2, ^-1, and the raised figures two and three; where it ends. */
static const char *read_power(const char *at, long *power) {
    *power = 1;
    if (strncmp(at, "\xc2\xb2", 2) == 0 || strncmp(at, "\xc2\xb3", 2) == 0) {
        *power = (unsigned char)at[1] - 0xb0;
        return at + 2;
    }
    const size_t digits = *at == '^' ? strspn(at + 1 + (at[1] == '-'), "0123456789") : 0;
    if (digits == 0 || digits > 2)
        return at;
    char *end;
    *power = strtol(at + 1, &end, 10);
    return end;
}

static bool begins_power(const char *at) {
    long power;
    return read_power(at, &power) != at;
}

static void read_unit(const char *text, long sign, struct unit *unit) {
    const long divided = -sign;
    while (text && *text) {
        const size_t dot = dot_at(text);
        const char *from = text;
        long power;
        if (dot > 0 || *text == '/') {
            sign = dot == 0 ? divided : sign;
            text += dot > 0 ? dot : 1;
            continue;
        }
        while (*text && *text != '/' && dot_at(text) == 0 && (text == from || !begins_power(text)))
            text++;
        const size_t length = (size_t)(text - from);
        text = read_power(text, &power);
        add_word(unit, from, length, sign * power);
    }
}

bool cor_same_unit(const char *a, const char *b) {
    struct unit unit = {.count = 0};
    read_unit(a, 1, &unit);
    read_unit(b, -1, &unit);
    return unit.is_too_long ? a && b && strcmp(a, b) == 0 : unit.count == 0;
}

/* Words of powers of that sign, with blanks between them. */
static size_t put_words(const struct unit *unit, long sign, char *text, size_t size, size_t length) {
    bool is_first = true;
    for (size_t i = 0; i < unit->count; i++) {
        const struct word *word = &unit->words[i];
        if (word->power * sign < 0 || length >= size)
            continue;
        length += (size_t)snprintf(text + length, size - length, "%s%.*s", is_first ? "" : " ",
                                   (int)word->length, word->at);
        if (labs(word->power) != 1 && length < size)
            length += (size_t)snprintf(text + length, size - length, "^%ld", labs(word->power));
        is_first = false;
    }
    return length;
}

/* The unit of the product of numbers in these, or of the quotient; "" where it cancels. False: it is too
 * long. */
static bool join_units(const char *a, const char *b, bool divides, char text[EXPRESSION__UNIT_MAX]) {
    struct unit unit = {.count = 0};
    bool has_above = false, has_below = false;
    read_unit(a, 1, &unit);
    read_unit(b, divides ? -1 : 1, &unit);
    for (size_t i = 0; i < unit.count; i++) {
        has_above = has_above || unit.words[i].power > 0;
        has_below = has_below || unit.words[i].power < 0;
    }
    text[0] = '\0';
    size_t length = put_words(&unit, 1, text, EXPRESSION__UNIT_MAX, 0);
    if (has_below && length < EXPRESSION__UNIT_MAX)
        length += (size_t)snprintf(text + length, EXPRESSION__UNIT_MAX - length, has_above ? " / " : "1 / ");
    if (has_below)
        length = put_words(&unit, -1, text, EXPRESSION__UNIT_MAX, length);
    return !unit.is_too_long && length < EXPRESSION__UNIT_MAX;
}

/* ---- nodes are appended here, each with the type of what it gives; what does not go together is said with
 * the operator that cannot use it */

static const char *const nouns[] = {
    [COR_NODE_INTEGER] = "a number", [COR_NODE_REAL] = "a real number", [COR_NODE_TRUTH] = "a condition",
    [COR_NODE_WORD] = "a word",      [COR_NODE_NULL] = "null",          [COR_NODE_ELEMENT] = "an element"};

static enum cor_node_type type_of(const struct expression__parser *parser, uint32_t node) {
    return (enum cor_node_type)parser->nodes[node].type;
}

static bool is_number(enum cor_node_type type) {
    return type == COR_NODE_INTEGER || type == COR_NODE_REAL;
}

/* It is nested too deep, at `at`: false. */
static bool too_deep(struct expression__parser *parser, const char *at) {
    return complain(parser, at, "split it into several constraints", "it is nested more than 200 deep");
}

/* A node that asks the same and is known where the next one will be: not within a query that is over. */
static uint32_t find_same(const struct expression__parser *parser, const struct cor_node *node) {
    const enum cor_operator kind = node->operator;
    const bool asks = kind == COR_OPERATOR_ATTRIBUTE || kind == COR_OPERATOR_BEFORE ||
                      kind == COR_OPERATOR_REFERENCE || kind == COR_OPERATOR_SIZE;
    for (uint32_t i = parser->node_count; asks && i-- > 0;) {
        const struct cor_node *other = &parser->nodes[i];
        if (other->operator>= COR_OPERATOR_COUNT)
            i = other->variable;
        else if (other->operator== kind && other->left == node->left &&
                 other->variable == node->variable && other->element == node->element)
            return i;
    }
    return COR_NONE;
}

static enum cor_exactness exactness_of(const struct expression__parser *parser, uint32_t node) {
    return parser->nodes[node].operator== COR_OPERATOR_TO_REAL
               ? COR_EXACT
               : (enum cor_exactness)parser->nodes[node].exactness;
}

/* Of what is reckoned from both: a fraction where there are nothing but fractions and integers. */
static enum cor_exactness reckoned_from(const struct expression__parser *parser, uint32_t left,
                                        uint32_t right) {
    const uint32_t sides[] = {left, right};
    for (int i = 0; i < 2; i++)
        if (type_of(parser, sides[i]) == COR_NODE_REAL && exactness_of(parser, sides[i]) != COR_EXACT)
            return COR_ROUNDED;
    return COR_EXACT;
}

/* Of one of both, or of what compares them. */
static enum cor_exactness chosen_among(const struct expression__parser *parser, uint32_t left,
                                       uint32_t right) {
    const enum cor_exactness a = exactness_of(parser, left), b = exactness_of(parser, right);
    const bool is_mixed = a != b && a != COR_ROUNDED && b != COR_ROUNDED;
    return is_mixed ? COR_CHOSEN : a > b ? a : b;
}

static enum cor_exactness exactness_made(const struct expression__parser *parser, const struct cor_node *node,
                                         enum cor_node_type type) {
    switch (node->operator) {
    case COR_OPERATOR_ADD:
    case COR_OPERATOR_SUBTRACT:
    case COR_OPERATOR_MULTIPLY:
    case COR_OPERATOR_DIVIDE:
        return type == COR_NODE_REAL ? reckoned_from(parser, node->left, node->right) : COR_READ;
    case COR_OPERATOR_SUM:
    case COR_OPERATOR_MEAN:
        return type == COR_NODE_REAL ? reckoned_from(parser, node->right, node->right) : COR_READ;
    case COR_OPERATOR_NEGATE:
    case COR_OPERATOR_ABS:
    case COR_OPERATOR_MIN:
    case COR_OPERATOR_MAX:
    case COR_OPERATOR_LESS:
    case COR_OPERATOR_LESS_EQUAL:
    case COR_OPERATOR_EQUAL:
    case COR_OPERATOR_NOT_EQUAL:
        return node->reals ? chosen_among(parser, node->left, node->right) : COR_READ;
    case COR_OPERATOR_LEAST:
    case COR_OPERATOR_GREATEST:
        return exactness_of(parser, node->right);
    default:
        return COR_READ;
    }
}

/* Appends a node that gives a value of the type. */
static bool expression__put(struct expression__parser *parser, const char *at, struct cor_node node,
                            enum cor_node_type type, uint32_t *index) {
    if (parser->collections) {
        const uint32_t same = find_same(parser, &node);
        if (same != COR_NONE) {
            *index = same;
            return true;
        }
        node.exactness = (uint8_t)exactness_made(parser, &node, type);
    }
    if (parser->node_count == EXPRESSION__NODES_MAX)
        return complain(parser, at, "split it into several constraints", "it has more than 1000 parts");
    enum cor_operator kind = node.operator;
    uint16_t depth = 0;
    const bool is_of_all =
        (kind == COR_OPERATOR_BIND || kind == COR_OPERATOR_SIZE) && node.variable == COR_NONE;
    if (kind > COR_OPERATOR_VARIABLE && !is_of_all) {
        COR_ASSERT(node.left < parser->node_count &&
                   node.right < parser->node_count); /* children come first */
        uint16_t left = parser->depths[node.left], right = parser->depths[node.right];
        depth = left > right ? left : right;
    }
    if (depth == EXPRESSION__DEPTH_MAX)
        return too_deep(parser, at);
    *index = parser->node_count++;
    parser->nodes[*index] = node;
    parser->nodes[*index].type = (uint8_t)type;
    parser->depths[*index] = (uint16_t)(depth + 1);
    return true;
}

/* Leaves: a constant of a type, a variable. */
static bool put_integer(struct expression__parser *parser, const char *at, int64_t integer,
                        enum cor_node_type type, uint32_t *node) {
    parser->integer_only = parser->integer_only && type == COR_NODE_INTEGER;
    return expression__put(
        parser, at, (struct cor_node){.operator= COR_OPERATOR_CONSTANT, .constant = integer}, type, node);
}

static bool expression__put_real(struct expression__parser *parser, const char *at, double real,
                                 uint32_t *node) {
    parser->integer_only = false;
    return expression__put(parser, at,
                           (struct cor_node){.operator= COR_OPERATOR_CONSTANT, .real = real, .reals = true},
                           COR_NODE_REAL, node);
}

static const struct cor_domain *domain_of(const struct expression__parser *parser, uint32_t variable) {
    return parser->scope->symbols[variable].domain;
}

static bool put_variable(struct expression__parser *parser, const char *at, uint32_t variable,
                         uint32_t *node) {
    static const enum cor_node_type types[] = {[COR_VALUE_TYPE_INTEGER] = COR_NODE_INTEGER,
                                               [COR_VALUE_TYPE_REAL] = COR_NODE_REAL,
                                               [COR_VALUE_TYPE_BOOLEAN] = COR_NODE_TRUTH,
                                               [COR_VALUE_TYPE_STRING] = COR_NODE_WORD,
                                               [COR_VALUE_TYPE_ENUMERATION] = COR_NODE_WORD};
    enum cor_node_type type = types[domain_of(parser, variable)->type];
    parser->integer_only = parser->integer_only && type == COR_NODE_INTEGER;
    struct cor_node made = {
        .operator= COR_OPERATOR_VARIABLE, .variable = variable, .reals = type == COR_NODE_REAL};
    if (!expression__put(parser, at, made, type, node))
        return false;
    const struct cor_shape *shape = parser->scope->shape;
    if (shape && shape->units)
        parser->collections->units[*node] = shape->units[variable];
    return true;
}

/* An operator works on something else than a node of this type. */
static bool complain_type(struct expression__parser *parser, const struct expression__token *word,
                          const char *works, enum cor_node_type type, const char *remedy) {
    char quoted[EXPRESSION__QUOTED_MAX + 4], what[2 * EXPRESSION__QUOTED_MAX];
    quote(word->at, word->length, quoted);
    snprintf(what, sizeof what, "\"%s\" %s, and this is %s", quoted, works, nouns[type]);
    return complain(parser, word->at, remedy, what);
}

/* Checks that the operator can join conditions such as this one. */
static bool expect_condition(struct expression__parser *parser, const struct expression__token *word,
                             uint32_t node) {
    enum cor_node_type type = type_of(parser, node);
    if (type == COR_NODE_TRUTH)
        return true;
    if (is_number(type))
        return complain_type(parser, word, "joins conditions", COR_NODE_INTEGER,
                             "compare the number with another");
    return complain_type(parser, word, "joins conditions", type,
                         type == COR_NODE_WORD ? "compare the word with another" : NULL);
}

static bool expect_number(struct expression__parser *parser, const struct expression__token *word,
                          uint32_t node) {
    enum cor_node_type type = type_of(parser, node);
    return is_number(type) ||
           complain_type(parser, word, "works on numbers", type,
                         type == COR_NODE_ELEMENT ? "ask for a number that it has: name.attribute" : NULL);
}

static bool expect_integer(struct expression__parser *parser, const struct expression__token *word,
                           uint32_t node) {
    return expect_number(parser, word, node) &&
           (type_of(parser, node) == COR_NODE_INTEGER ||
            complain_type(parser, word, "works on integers", COR_NODE_REAL, NULL));
}

static const struct cor_attribute *attribute_of(const struct expression__parser *parser,
                                                const struct cor_node *node) {
    return &parser->scope->shape->types[node->element].attributes[node->variable];
}

/* Names have domains, words and numbers a spelling: "Level (int)", "the number 5", "the word 'a'". */
static void describe(const struct expression__parser *parser, uint32_t index, char *text, size_t size) {
    const struct cor_node *node = &parser->nodes[index];
    enum cor_operator kind = node->operator;
    enum cor_node_type type = type_of(parser, index);
    char quoted[EXPRESSION__QUOTED_MAX + 4];
    if (kind == COR_OPERATOR_VARIABLE) {
        const char *name = parser->scope->symbols[node->variable].name;
        quote(name, strlen(name), quoted);
        snprintf(text, size, "%s (%s)", quoted, domain_of(parser, node->variable)->name);
    } else if (kind == COR_OPERATOR_CONSTANT && type == COR_NODE_WORD) {
        const char *word = cor_words_text(parser->scope->words, (uint32_t)node->constant);
        quote(word, strlen(word), quoted);
        snprintf(text, size, "the word '%s'", quoted);
    } else if (kind == COR_OPERATOR_CONSTANT && type == COR_NODE_INTEGER) {
        snprintf(text, size, "the number %lld", (long long)node->constant);
    } else if (kind == COR_OPERATOR_ATTRIBUTE || kind == COR_OPERATOR_BEFORE) {
        const struct cor_attribute *attribute = attribute_of(parser, node);
        snprintf(text, size, "\"%.60s\" (%.60s)", attribute->name, attribute->domain->name);
    } else if (type == COR_NODE_ELEMENT) {
        const char *name = parser->scope->shape->types[node->element].name;
        snprintf(text, size, "%s %.60s", strchr("aeiou", *name) ? "an" : "a", name);
    } else {
        snprintf(text, size, "%s", nouns[type]);
    }
}

/* The domain of a node that is a name or an attribute, else NULL. */
static const struct cor_domain *named_domain(const struct expression__parser *parser, uint32_t index) {
    enum cor_operator kind = parser->nodes[index].operator;
    if (kind == COR_OPERATOR_ATTRIBUTE || kind == COR_OPERATOR_BEFORE)
        return attribute_of(parser, &parser->nodes[index])->domain;
    return kind == COR_OPERATOR_VARIABLE ? domain_of(parser, parser->nodes[index].variable) : NULL;
}

static bool lists(const struct cor_domain *domain, uint32_t word) {
    for (uint32_t i = 0; i < domain->word_count; i++)
        if (domain->words[i] == word)
            return true;
    return false;
}

/* What the enumeration has instead of the word. */
static void offer_words(const struct expression__parser *parser, const struct cor_domain *domain,
                        uint32_t word, char *remedy, size_t size) {
    const char *offered[257];
    uint32_t count = domain->word_count < 256 ? domain->word_count : 256;
    for (uint32_t i = 0; i < count; i++)
        offered[i] = cor_words_text(parser->scope->words, domain->words[i]);
    offered[count] = NULL;
    cor_known_names(cor_words_text(parser->scope->words, word), offered, remedy, size);
}

/* Whether a name can have the value of a constant that it is compared with. */
static bool expect_possible(struct expression__parser *parser, const struct expression__token *word,
                            uint32_t name, uint32_t constant) {
    const struct cor_domain *domain = named_domain(parser, name);
    enum cor_operator kind = parser->nodes[constant].operator;
    if (!domain || kind != COR_OPERATOR_CONSTANT)
        return true;
    char described[EXPRESSION__QUOTED_MAX * 2], what[EXPRESSION__QUOTED_MAX * 4], remedy[1024] = "";
    describe(parser, name, described, sizeof described);
    if (type_of(parser, constant) == COR_NODE_NULL && domain->type != COR_VALUE_TYPE_STRING) {
        snprintf(what, sizeof what, "%s is never null", described);
        return complain(parser, word->at, "only what is of type string can be null", what);
    }
    uint32_t text = (uint32_t)parser->nodes[constant].constant;
    if (type_of(parser, constant) != COR_NODE_WORD || domain->type != COR_VALUE_TYPE_ENUMERATION ||
        lists(domain, text))
        return true;
    char quoted[EXPRESSION__QUOTED_MAX + 4];
    const char *shown = cor_words_text(parser->scope->words, text);
    quote(shown, strlen(shown), quoted);
    snprintf(what, sizeof what, "%s is never '%s'", described, quoted);
    offer_words(parser, domain, text, remedy, sizeof remedy);
    return complain(parser, word->at, remedy, what);
}

/* Both sides of = or != among values; numbers, conditions, or words and null. */
static bool expect_comparable(struct expression__parser *parser, const struct expression__token *word,
                              uint32_t left, uint32_t right) {
    static const int groups[] = {[COR_NODE_INTEGER] = 0, [COR_NODE_REAL] = 0, [COR_NODE_TRUTH] = 1,
                                 [COR_NODE_WORD] = 2,    [COR_NODE_NULL] = 2, [COR_NODE_ELEMENT] = 3};
    enum cor_node_type a = type_of(parser, left), b = type_of(parser, right);
    if (!expect_possible(parser, word, left, right) || !expect_possible(parser, word, right, left))
        return false;
    const struct cor_node *nodes = parser->nodes;
    if (groups[a] == groups[b] && (a != COR_NODE_ELEMENT || nodes[left].element == nodes[right].element))
        return true;
    char sign[EXPRESSION__QUOTED_MAX + 4], first[EXPRESSION__QUOTED_MAX * 2],
        second[EXPRESSION__QUOTED_MAX * 2], what[EXPRESSION__QUOTED_MAX * 6];
    quote(word->at, word->length, sign);
    describe(parser, left, first, sizeof first);
    describe(parser, right, second, sizeof second);
    snprintf(what, sizeof what, "\"%s\" compares %s with %s", sign, first, second);
    const char *remedy = NULL;
    if (a == COR_NODE_TRUTH || b == COR_NODE_TRUTH)
        remedy = "a condition stands by itself: x, not x, x = true";
    else if (a == COR_NODE_ELEMENT || b == COR_NODE_ELEMENT)
        remedy = a == b ? NULL : "ask for a value that it has: name.attribute";
    else if (a == COR_NODE_WORD || b == COR_NODE_WORD)
        remedy = "words stand in single quotes: 'word'";
    return complain(parser, word->at, remedy, what);
}

static bool expect_ordered(struct expression__parser *parser, const struct expression__token *word,
                           uint32_t node) {
    enum cor_node_type type = type_of(parser, node);
    if (type == COR_NODE_WORD || type == COR_NODE_NULL)
        return complain_type(parser, word, "orders numbers", type, "words and null have = and != only");
    return expect_number(parser, word, node);
}

static bool expect_sides(struct expression__parser *parser, const struct expression__token *word,
                         enum cor_operator kind, uint32_t left, uint32_t right) {
    switch (kind) {
    case COR_OPERATOR_AND:
    case COR_OPERATOR_OR:
        return expect_condition(parser, word, left) && expect_condition(parser, word, right);
    case COR_OPERATOR_EQUAL:
    case COR_OPERATOR_NOT_EQUAL:
        if (parser->has_values)
            return expect_comparable(parser, word, left, right);
        return expect_number(parser, word, left) && expect_number(parser, word, right);
    case COR_OPERATOR_LESS:
    case COR_OPERATOR_LESS_EQUAL:
        return expect_ordered(parser, word, left) && expect_ordered(parser, word, right);
    case COR_OPERATOR_REMAINDER:
    case COR_OPERATOR_CEIL_DIVIDE:
        return expect_integer(parser, word, left) && expect_integer(parser, word, right);
    default:
        return expect_number(parser, word, left) && expect_number(parser, word, right);
    }
}

static const char *unit_of(const struct expression__parser *parser, uint32_t node) {
    return parser->collections ? parser->collections->units[node] : NULL;
}

/* Numbers that are compared, added or chosen among have one unit, if they have any. */
static bool expect_one_unit(struct expression__parser *parser, const struct expression__token *word,
                            enum cor_operator kind, uint32_t left, uint32_t right) {
    const char *a = unit_of(parser, left), *b = unit_of(parser, right);
    const bool scales =
        kind == COR_OPERATOR_MULTIPLY || kind == COR_OPERATOR_DIVIDE || kind == COR_OPERATOR_CEIL_DIVIDE;
    if (!a || !b || scales || cor_same_unit(a, b))
        return true;
    char quoted[EXPRESSION__QUOTED_MAX + 4], what[3 * EXPRESSION__QUOTED_MAX], by[EXPRESSION__UNIT_MAX],
        remedy[2 * EXPRESSION__UNIT_MAX];
    quote(word->at, word->length, quoted);
    snprintf(what, sizeof what, "\"%s\" has %.60s on its left and %.60s on its right", quoted, a, b);
    if (join_units(a, b, true, by))
        snprintf(
            remedy, sizeof remedy,
            "bring both to one unit: declare both in [%.60s], or multiply the right by a number in [%.60s]",
            a, by);
    else
        snprintf(remedy, sizeof remedy, "bring both to one unit");
    return complain(parser, word->at, remedy, what);
}

/* The unit of what such an operator makes of both. */
static bool put_unit(struct expression__parser *parser, const char *at, enum cor_operator kind, uint32_t left,
                     uint32_t right, uint32_t node) {
    if (parser->collections &&
        (kind == COR_OPERATOR_MULTIPLY || kind == COR_OPERATOR_DIVIDE || kind == COR_OPERATOR_CEIL_DIVIDE)) {
        /* The unit of a product, or of a quotient: one that is new is a word that nothing else means. */
        const char *a = unit_of(parser, left), *b = unit_of(parser, right);
        char text[EXPRESSION__UNIT_MAX];
        uint32_t word;
        if (!a && !b)
            return true;
        if (!b || (!a && kind == COR_OPERATOR_MULTIPLY)) {
            parser->collections->units[node] = a ? a : b;
            return true;
        }
        if (!join_units(a, b, kind != COR_OPERATOR_MULTIPLY, text))
            return complain(parser, at, "give some of it no unit", "its unit is too long");
        if (!text[0])
            return true;
        parser->status = cor_words_intern(parser->scope->words, text, &word, parser->error);
        if (parser->status == COR_OK)
            parser->collections->units[node] = cor_words_text(parser->scope->words, word);
        return parser->status == COR_OK;
    }
    if (parser->collections &&
        (kind == COR_OPERATOR_NEGATE || kind == COR_OPERATOR_ABS || kind == COR_OPERATOR_TO_REAL ||
         kind == COR_OPERATOR_ADD || kind == COR_OPERATOR_SUBTRACT || kind == COR_OPERATOR_MIN ||
         kind == COR_OPERATOR_MAX || kind == COR_OPERATOR_REMAINDER))
        parser->collections->units[node] =
            unit_of(parser, left) ? unit_of(parser, left) : unit_of(parser, right);
    return true;
}

/* The node as a real. */
static bool make_real(struct expression__parser *parser, const char *at, uint32_t *node) {
    if (type_of(parser, *node) == COR_NODE_REAL)
        return true;
    parser->integer_only = false;
    struct cor_node made = {.operator= COR_OPERATOR_TO_REAL, .left = *node, .right = *node, .reals = true};
    const uint32_t integer = *node;
    if (!expression__put(parser, at, made, COR_NODE_REAL, node))
        return false;
    return put_unit(parser, at, COR_OPERATOR_TO_REAL, integer, integer, *node);
}

/* An operator over nodes of types that it works on; others are complained about. `swap`: it stands for its
 * mirror image. */
static bool put_unary(struct expression__parser *parser, const struct expression__token *word,
                      enum cor_operator kind, uint32_t child, uint32_t *node) {
    if (kind == COR_OPERATOR_NOT ? !expect_condition(parser, word, child)
                                 : !expect_number(parser, word, child))
        return false;
    enum cor_node_type type = type_of(parser, child);
    struct cor_node made = {.operator= kind, .left = child, .right = child, .reals = type == COR_NODE_REAL};
    if (!expression__put(parser, word->at, made, type, node))
        return false;
    return put_unit(parser, word->at, kind, child, child, *node);
}

static bool put_binary(struct expression__parser *parser, const struct expression__token *word,
                       enum cor_operator kind, bool swap, uint32_t left, uint32_t right, uint32_t *node) {
    if (!expect_sides(parser, word, kind, left, right) || !expect_one_unit(parser, word, kind, left, right))
        return false;
    bool reals = type_of(parser, left) == COR_NODE_REAL || type_of(parser, right) == COR_NODE_REAL;
    if (reals && (!make_real(parser, word->at, &left) || !make_real(parser, word->at, &right)))
        return false;
    struct cor_node made = {
        .operator= kind, .left = swap ? right : left, .right = swap ? left : right, .reals = reals};
    enum cor_node_type type = kind >= COR_OPERATOR_LESS ? COR_NODE_TRUTH
                              : reals                   ? COR_NODE_REAL
                                                        : COR_NODE_INTEGER;
    /* z3 and the intervals know conditions that are compared as little as words. */
    bool joins = kind == COR_OPERATOR_AND || kind == COR_OPERATOR_OR;
    if (!joins && type_of(parser, left) == COR_NODE_TRUTH)
        parser->integer_only = false;
    if (!expression__put(parser, word->at, made, type, node))
        return false;
    return put_unit(parser, word->at, kind, left, right, *node);
}

/* What the whole gives instead of a value of the domain. */
static bool complain_result(struct expression__parser *parser, const struct cor_domain *domain,
                            uint32_t root) {
    const char *const wanted[] = {[COR_VALUE_TYPE_INTEGER] = parser->has_values ? "an integer" : "a number",
                                  [COR_VALUE_TYPE_REAL] = "a number",
                                  [COR_VALUE_TYPE_BOOLEAN] = "a condition",
                                  [COR_VALUE_TYPE_STRING] = "a word",
                                  [COR_VALUE_TYPE_ENUMERATION] = "one of "};
    enum cor_node_type type = type_of(parser, root);
    bool is_named_word = type == COR_NODE_WORD && named_domain(parser, root);
    bool real_is_meant = type == COR_NODE_REAL && domain->type == COR_VALUE_TYPE_INTEGER;
    char what[EXPRESSION__QUOTED_MAX * 4], found[EXPRESSION__QUOTED_MAX * 2];
    if (is_named_word)
        describe(parser, root, found, sizeof found);
    else
        snprintf(found, sizeof found, "%s",
                 is_number(type) && !real_is_meant ? nouns[COR_NODE_INTEGER] : nouns[type]);
    snprintf(what, sizeof what,
             is_named_word ? "%s is given where %s%s is expected" : "it is %s where %s%s is expected", found,
             wanted[domain->type], domain->type == COR_VALUE_TYPE_ENUMERATION ? domain->name : "");
    bool lacks_comparison = domain->type == COR_VALUE_TYPE_BOOLEAN && is_number(type);
    return complain(parser, parser->text, lacks_comparison ? "compare it with another: a <= b" : NULL, what);
}

/* A word of an enumeration: a constant that it has, or a name of an enumeration that has no others. */
static bool expect_listed(struct expression__parser *parser, const struct cor_domain *domain, uint32_t root) {
    const struct cor_domain *own = named_domain(parser, root);
    bool listed = own && own->type == COR_VALUE_TYPE_ENUMERATION;
    for (uint32_t i = 0; listed && i < own->word_count; i++)
        listed = lists(domain, own->words[i]);
    if (listed)
        return true;
    if (own || type_of(parser, root) != COR_NODE_WORD)
        return complain_result(parser, domain, root);
    uint32_t word = (uint32_t)parser->nodes[root].constant;
    if (lists(domain, word))
        return true;
    char quoted[EXPRESSION__QUOTED_MAX + 4], what[EXPRESSION__QUOTED_MAX * 2], remedy[1024];
    const char *text = cor_words_text(parser->scope->words, word);
    quote(text, strlen(text), quoted);
    snprintf(what, sizeof what, "%s has no '%s'", domain->name, quoted);
    offer_words(parser, domain, word, remedy, sizeof remedy);
    return complain(parser, parser->text, remedy, what);
}

/* Checks that the whole is a value of the domain, made a real where that is meant. Without values: a
 * condition or a number. */
static bool expect_result(struct expression__parser *parser, const struct cor_domain *domain,
                          uint32_t *root) {
    enum cor_node_type type = type_of(parser, *root);
    bool fits = false;
    switch (domain->type) {
    case COR_VALUE_TYPE_INTEGER:
        fits = type == COR_NODE_INTEGER;
        break;
    case COR_VALUE_TYPE_REAL:
        if (is_number(type))
            return make_real(parser, parser->text, root);
        break;
    case COR_VALUE_TYPE_BOOLEAN:
        fits = type == COR_NODE_TRUTH;
        break;
    case COR_VALUE_TYPE_STRING:
        fits = type == COR_NODE_WORD || type == COR_NODE_NULL;
        break;
    case COR_VALUE_TYPE_ENUMERATION:
        return expect_listed(parser, domain, *root);
    }
    return fits || complain_result(parser, domain, *root);
}

/* ---- the part of the grammar that a shape brings: paths, collections, queries and definitions. A query is a
 * node BIND, what it asks of each element, and a node that says what becomes of it */

/* Queries by their words; min and max are functions, too. */
static const struct query {
    const char *word;
    enum cor_operator kind;
    bool is_of_numbers;
} queries[] = {
    {"all", COR_OPERATOR_ALL, false},     {"any", COR_OPERATOR_ANY, false},
    {"one", COR_OPERATOR_ONE, false},     {"count", COR_OPERATOR_COUNT, false},
    {"sum", COR_OPERATOR_SUM, true},      {"min", COR_OPERATOR_LEAST, true},
    {"max", COR_OPERATOR_GREATEST, true}, {"mean", COR_OPERATOR_MEAN, true},
};
#define QUERY_COUNT (sizeof queries / sizeof *queries)

/* Part of a text. */
struct part {
    const char *at;
    size_t length;
};

/* Where a path leads: to a node, or to a collection. */
struct target {
    bool is_collection;
    uint32_t node;     /* the value; of a collection: whose it is */
    uint32_t relation; /* of a collection: which of that element's, COR_NONE: all of the type */
    uint8_t element;   /* of a collection: the type of what is in it */
};

/* Notes that a node was written from there to the last token used, unless that is known. */
static void note_span(const struct expression__parser *parser, uint32_t node, const char *from) {
    if (!parser->collections || parser->collections->spans[node].at)
        return;
    parser->collections->spans[node] = (struct cor_span){from, (uint32_t)(parser->consumed - from)};
}

static const struct cor_element_type *type_of_collections(const struct expression__parser *parser,
                                                          uint32_t node) {
    return &parser->scope->shape->types[parser->nodes[node].element];
}

static bool is_called(struct part part, const char *name) {
    return part.length > 0 && strlen(name) == part.length && memcmp(name, part.at, part.length) == 0;
}

static bool is_reserved(struct part part) {
    static const char *const words[] = {"and",   "or",   "xor",   "not",  "implies", "in",
                                        "where", "true", "false", "True", "False",   "null"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (is_called(part, words[i]))
            return true;
    return false;
}

bool cor_expression_is_reserved(const char *name) {
    return is_reserved((struct part){name, strlen(name)});
}

/* Takes the first part of a path off it. */
static struct part next_part(struct part *path) {
    const char *point = memchr(path->at, '.', path->length);
    struct part first = {path->at, point ? (size_t)(point - path->at) : path->length};
    path->at += first.length + (point ? 1 : 0);
    path->length -= first.length + (point ? 1 : 0);
    return first;
}

/* The word as a path; *first gets its first part, without brackets. */
static struct part path_of(const struct expression__token *word, struct part *first) {
    struct part path = {word->at, word->length};
    if (!word->bracketed) {
        *first = next_part(&path);
        return path;
    }
    const char *end = memchr(path.at, ']', path.length);
    *first = (struct part){path.at + 1, (size_t)(end - path.at) - 1};
    path.length -= first->length + 2;
    path.at = end + 1;
    if (path.length > 0)
        next_part(&path); /* what is before the point: nothing */
    return path;
}

/* Names that could have been meant. */
struct offer {
    const char *names[257];
    uint32_t count;
};

static void add_offer(struct offer *offer, const char *name) {
    if (*name && offer->count < 256)
        offer->names[offer->count++] = name;
}

/* "there is no ..", with the names that there are. */
static bool complain_nothing_called(struct expression__parser *parser, struct part part, const char *of,
                                    struct offer *offer) {
    char quoted[EXPRESSION__QUOTED_MAX + 4], what[3 * EXPRESSION__QUOTED_MAX], remedy[1024] = "";
    quote(part.at, part.length, quoted);
    snprintf(what, sizeof what, "there is no \"%s\"%s", quoted, of);
    const char *foreign = remedy_of_word(parser, part.at, part.length);
    if (part.length < EXPRESSION__QUOTED_MAX &&
        cor_words_find(parser->scope->words, quoted) != COR_NONE) /* 'lift' is one of an attribute */
        foreign = "words stand in single quotes: 'word'";
    if (offer->count > 0 && !foreign)
        cor_known_names(quoted, offer->names, remedy, sizeof remedy);
    return complain(parser, part.at, foreign ? foreign : remedy, what);
}

static bool complain_no_member(struct expression__parser *parser, struct part part, uint32_t node) {
    const struct cor_element_type *type = type_of_collections(parser, node);
    struct offer offer = {{NULL}, 0};
    char of[2 * EXPRESSION__QUOTED_MAX], described[EXPRESSION__QUOTED_MAX];
    for (uint32_t i = 0; i < type->attribute_count; i++)
        add_offer(&offer, type->attributes[i].name);
    for (uint32_t i = 0; i < type->collection_count; i++)
        add_offer(&offer, type->collections[i].name);
    for (uint32_t i = 0; i < type->reference_count; i++)
        add_offer(&offer, type->references[i].name);
    describe(parser, node, described, sizeof described);
    snprintf(of, sizeof of, " of %s", described);
    return complain_nothing_called(parser, part, of, &offer);
}

static bool put_attribute(struct expression__parser *parser, struct part part, uint32_t attribute,
                          enum cor_operator kind, uint32_t *node) {
    static const enum cor_node_type types[] = {[COR_VALUE_TYPE_INTEGER] = COR_NODE_INTEGER,
                                               [COR_VALUE_TYPE_REAL] = COR_NODE_REAL,
                                               [COR_VALUE_TYPE_BOOLEAN] = COR_NODE_TRUTH,
                                               [COR_VALUE_TYPE_STRING] = COR_NODE_WORD,
                                               [COR_VALUE_TYPE_ENUMERATION] = COR_NODE_WORD};
    const struct cor_attribute *meant = &type_of_collections(parser, *node)->attributes[attribute];
    const enum cor_node_type type = types[meant->domain->type];
    struct cor_node made = {.operator= kind,
                            .left = *node,
                            .right = *node,
                            .variable = attribute,
                            .reals = type == COR_NODE_REAL,
                            .element = parser->nodes[*node].element};
    if (!expression__put(parser, part.at, made, type, node))
        return false;
    parser->collections->units[*node] = meant->unit;
    return true;
}

/* A node is written from there to the end of the part. */
static bool note_path(const struct expression__parser *parser, uint32_t node, const char *from,
                      struct part part) {
    parser->collections->spans[node] = (struct cor_span){from, (uint32_t)(part.at + part.length - from)};
    return true;
}

/* One step of a path from an element; *done: it led to a collection, which has nothing behind it. */
static bool follow(struct expression__parser *parser, const char *from, struct part whole,
                   struct target *target) {
    const struct cor_element_type *type = type_of_collections(parser, target->node);
    struct part part = whole;
    /* Takes what is asked for before off the part. */
    const size_t length = strlen(EXPRESSION__BEFORE);
    const bool is_before =
        part.length > length && memcmp(part.at + part.length - length, EXPRESSION__BEFORE, length) == 0;
    part.length -= is_before ? length : 0;
    for (uint32_t i = 0; i < type->attribute_count; i++)
        if (is_called(part, type->attributes[i].name))
            return put_attribute(parser, part, i, is_before ? COR_OPERATOR_BEFORE : COR_OPERATOR_ATTRIBUTE,
                                 &target->node) &&
                   note_path(parser, target->node, from, whole);
    for (uint32_t i = 0; is_before && i < type->collection_count + type->reference_count; i++)
        if (is_called(part, i < type->collection_count ? type->collections[i].name
                                                       : type->references[i - type->collection_count].name))
            return complain(parser, part.at + part.length, "ask for an attribute: name.attribute@before",
                            "only attributes are known of the state before");
    for (uint32_t i = 0; i < type->collection_count; i++)
        if (is_called(part, type->collections[i].name)) {
            target->is_collection = true;
            target->relation = i;
            target->element = type->collections[i].type;
            return true;
        }
    for (uint32_t i = 0; i < type->reference_count; i++)
        if (is_called(part, type->references[i].name))
            return expression__put(parser, part.at,
                                   (struct cor_node){.operator= COR_OPERATOR_REFERENCE,
                                                     .left = target->node,
                                                     .right = target->node,
                                                     .variable = i,
                                                     .element = type->references[i].type},
                                   COR_NODE_ELEMENT, &target->node) &&
                   note_path(parser, target->node, from, part);
    return complain_no_member(parser, part, target->node);
}

/* What is bound to a name here, COR_NONE if nothing is. */
static uint32_t find_bound(const struct expression__parser *parser, struct part part) {
    const struct expression__collections *collections = parser->collections;
    for (uint32_t i = collections->bound_count; i > collections->bound_first; i--) {
        const struct expression__bound *bound = &collections->bound[i - 1];
        if (bound->length == part.length && memcmp(bound->name, part.at, part.length) == 0)
            return bound->node;
    }
    return COR_NONE;
}

/* The element of the shape that is called so, NULL if none is. */
static const struct cor_named_element *find_named(const struct cor_shape *shape, struct part part) {
    uint32_t low = 0, high = shape->named_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const char *name = shape->named[middle].name;
        const int order = strncmp(name, part.at, part.length);
        if (order == 0 && name[part.length] == '\0')
            return &shape->named[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

/* Whether a symbol or a definition is called so: these come before elements of that name. */
static bool is_word_of_scope(const struct expression__parser *parser, struct part part) {
    for (uint32_t i = 0; i < parser->scope->symbol_count; i++)
        if (is_called(part, parser->scope->symbols[i].name))
            return true;
    for (uint32_t i = 0; i < parser->scope->shape->definition_count; i++)
        if (is_called(part, parser->scope->shape->definitions[i].name))
            return true;
    return false;
}

/* The element that a word names, behind which a path may stand; NULL if it names none. */
static const struct cor_named_element *find_element(const struct expression__parser *parser,
                                                    const struct expression__token *word, struct part first,
                                                    bool is_path) {
    const bool is_plain = !word->bracketed && !is_path;
    if (is_plain && (parser->token.kind == EXPRESSION__TOKEN_OPEN || is_word_of_scope(parser, first)))
        return NULL;
    return find_named(parser->scope->shape, first);
}

/* The path that the word is, if it begins with something bound or named or is a collection; *found says so.
 * What is called as a collection is one where that is wanted. */
static bool parse_path(struct expression__parser *parser, const struct expression__token *word,
                       bool wants_collection, bool *found, struct target *target) {
    const struct cor_shape *shape = parser->scope->shape;
    struct part first, path = path_of(word, &first), before = first;
    *target = (struct target){.node = word->bracketed ? COR_NONE : find_bound(parser, first)};
    *found = target->node != COR_NONE;
    const struct cor_named_element *named =
        *found ? NULL : find_element(parser, word, first, path.length > 0);
    for (uint8_t i = 0; i < shape->type_count && !*found && path.length == 0 && !word->bracketed; i++)
        if ((wants_collection || !named) && is_called(first, shape->types[i].plural)) {
            *target = (struct target){.is_collection = true, .relation = COR_NONE, .element = i};
            *found = true;
        }
    if (named && !*found) {
        const struct cor_node element = {
            .operator= COR_OPERATOR_CONSTANT, .constant = named->element, .element = named->type};
        if (!expression__put(parser, word->at, element, COR_NODE_ELEMENT, &target->node))
            return false;
        *found = true;
    }
    while (*found && path.length > 0) {
        const struct part part = next_part(&path);
        char quoted[EXPRESSION__QUOTED_MAX + 4], what[4 * EXPRESSION__QUOTED_MAX],
            described[EXPRESSION__QUOTED_MAX];
        if (target->is_collection || parser->nodes[target->node].type != COR_NODE_ELEMENT) {
            quote(word->at, (size_t)(before.at + before.length - word->at), quoted);
            if (!target->is_collection)
                describe(parser, target->node, described, sizeof described);
            snprintf(what, sizeof what, "\"%s\" is %s, which has no \".%.*s\"", quoted,
                     target->is_collection ? "a collection" : described,
                     (int)(part.length < 60 ? part.length : 60), part.at);
            return complain(
                parser, part.at,
                target->is_collection ? "ask of each in it: all(x in NAME: x.attribute ..)" : NULL, what);
        }
        if (!follow(parser, word->at, part, target))
            return false;
        before = part;
    }
    return true;
}

/* Whether what is bound to the node has an attribute, or a collection, of that name. */
static bool has_member(const struct expression__parser *parser, uint32_t node, struct part part,
                       bool is_collection) {
    if (node == COR_NONE || parser->nodes[node].type != COR_NODE_ELEMENT)
        return false;
    const struct cor_element_type *type = type_of_collections(parser, node);
    for (uint32_t i = 0; i < type->attribute_count && !is_collection; i++)
        if (is_called(part, type->attributes[i].name))
            return true;
    for (uint32_t i = 0; i < type->collection_count; i++)
        if (is_called(part, type->collections[i].name))
            return true;
    return false;
}

/* All that a single name could have meant: "members" alone is, before all else, "o.members". */
static bool complain_unknown(struct expression__parser *parser, struct part part, bool is_collection) {
    const struct expression__collections *collections = parser->collections;
    const struct cor_scope *scope = parser->scope;
    struct offer offer = {{NULL}, 0};
    char names[EXPRESSION__BOUND_MAX][64], members[EXPRESSION__BOUND_MAX][128];
    for (uint32_t i = collections->bound_first; i < collections->bound_count; i++)
        if (has_member(parser, collections->bound[i].node, part, is_collection)) {
            snprintf(members[i], sizeof members[i], "%.*s.%.*s", (int)collections->bound[i].length,
                     collections->bound[i].name, (int)part.length, part.at);
            add_offer(&offer, members[i]);
        }
    for (uint32_t i = collections->bound_first; i < collections->bound_count; i++) {
        snprintf(names[i], sizeof names[i], "%.*s", (int)collections->bound[i].length,
                 collections->bound[i].name);
        if (!is_collection)
            add_offer(&offer, names[i]);
    }
    for (uint32_t i = 0; i < scope->symbol_count && !is_collection; i++)
        add_offer(&offer, scope->symbols[i].name);
    for (uint32_t i = 0; i < collections->definition_count && !is_collection; i++)
        add_offer(&offer, scope->shape->definitions[i].name);
    for (uint32_t i = 0; i < scope->shape->type_count; i++)
        add_offer(&offer, scope->shape->types[i].plural);
    /* The names of elements, or, where they are too many, those that are near. */
    const bool is_room = scope->shape->named_count < 256 - offer.count;
    char quoted[EXPRESSION__QUOTED_MAX + 4];
    quote(part.at, part.length, quoted);
    for (uint32_t i = 0; i < scope->shape->named_count; i++) {
        const char *const name[] = {scope->shape->named[i].name, NULL};
        if (is_room || cor_did_you_mean(quoted, name))
            add_offer(&offer, name[0]);
    }
    return complain_nothing_called(parser, part, is_collection ? " to look through" : "", &offer);
}

/* A collection; the present token is its name. */
static bool parse_collection(struct expression__parser *parser, struct target *target) {
    const struct expression__token word = parser->token;
    bool found;
    if (word.kind != EXPRESSION__TOKEN_NAME || (word.bracketed && parser->scope->shape->named_count == 0))
        return complain_expected(parser, "a collection");
    if (!expression__advance(parser) || !parse_path(parser, &word, true, &found, target))
        return false;
    if (!found) {
        struct part first;
        path_of(&word, &first);
        return complain_unknown(parser, first, true);
    }
    if (target->is_collection)
        return true;
    char quoted[EXPRESSION__QUOTED_MAX + 4], described[EXPRESSION__QUOTED_MAX],
        what[3 * EXPRESSION__QUOTED_MAX], remedy[EXPRESSION__QUOTED_MAX] = "";
    quote(word.at, word.length, quoted);
    describe(parser, target->node, described, sizeof described);
    snprintf(what, sizeof what, "\"%s\" is no collection, but %s", quoted, described);
    if (parser->nodes[target->node].type == COR_NODE_ELEMENT &&
        type_of_collections(parser, target->node)->collection_count > 0)
        snprintf(remedy, sizeof remedy, "write %.60s.%.60s", quoted,
                 type_of_collections(parser, target->node)->collections[0].name);
    return complain(parser, word.at, remedy, what);
}

/* A node that works on a collection. */
static struct cor_node node_of(enum cor_operator kind, const struct target *target) {
    const uint32_t owner = target->relation == COR_NONE ? 0 : target->node;
    return (struct cor_node){.operator= kind,
                             .left = owner,
                             .right = owner,
                             .variable = target->relation,
                             .element = target->element};
}

/* "value in (A, B, ..)": it is one of them; the present token is the bracket. */
static bool parse_one_of(struct expression__parser *parser, const struct expression__token *word,
                         uint32_t value, uint32_t *node) {
    uint32_t other, equal;
    bool is_first = true;
    do {
        if (!expression__advance(parser) || !parse_level(parser, EXPRESSION__POWER_SUM, &other) ||
            !put_binary(parser, word, COR_OPERATOR_EQUAL, false, value, other, &equal))
            return false;
        if (is_first)
            *node = equal;
        else if (!put_binary(parser, word, COR_OPERATOR_OR, false, *node, equal, node))
            return false;
        is_first = false;
    } while (parser->token.kind == EXPRESSION__TOKEN_COMMA);
    return parse_close(parser);
}

/* "element in COLLECTION", the present token being the collection. */
static bool parse_in(struct expression__parser *parser, const struct expression__token *word,
                     uint32_t element, uint32_t *node) {
    struct target target;
    if (parser->token.kind == EXPRESSION__TOKEN_OPEN)
        return parse_one_of(parser, word, element, node);
    if (!parse_collection(parser, &target))
        return false;
    const struct cor_element_type *types = parser->scope->shape->types;
    if (parser->nodes[element].type != COR_NODE_ELEMENT || parser->nodes[element].element != target.element) {
        char described[EXPRESSION__QUOTED_MAX * 2], what[EXPRESSION__QUOTED_MAX * 3];
        describe(parser, element, described, sizeof described);
        snprintf(what, sizeof what, "%s is looked for among %.60s", described, types[target.element].plural);
        return complain(parser, word->at, NULL, what);
    }
    struct cor_node made = node_of(COR_OPERATOR_IN, &target);
    made.right = element;
    if (target.relation == COR_NONE)
        made.left = element;
    return expression__put(parser, word->at, made, COR_NODE_TRUTH, node);
}

/* Binds a name; what is called so already is not hidden. */
static bool bind(struct expression__parser *parser, struct part name, uint32_t node) {
    struct expression__collections *collections = parser->collections;
    char quoted[EXPRESSION__QUOTED_MAX + 4], what[2 * EXPRESSION__QUOTED_MAX];
    quote(name.at, name.length, quoted);
    bool is_taken =
        find_bound(parser, name) != COR_NONE || is_reserved(name) || find_named(parser->scope->shape, name);
    for (uint32_t i = 0; i < parser->scope->symbol_count; i++)
        is_taken |= is_called(name, parser->scope->symbols[i].name);
    for (uint32_t i = 0; i < parser->scope->shape->type_count; i++)
        is_taken |= is_called(name, parser->scope->shape->types[i].plural);
    if (is_taken || memchr(name.at, '.', name.length) || memchr(name.at, '@', name.length)) {
        snprintf(what, sizeof what,
                 is_reserved(name) ? "\"%s\" is a word of the language"
                 : is_taken        ? "\"%s\" is something else already"
                                   : "\"%s\" cannot be a name here",
                 quoted);
        return complain(parser, name.at, is_taken ? "choose another name" : "write one word", what);
    }
    if (collections->bound_count == EXPRESSION__BOUND_MAX)
        return too_deep(parser, name.at);
    collections->bound[collections->bound_count++] = (struct expression__bound){name.at, name.length, node};
    return true;
}

/* The condition behind "where" (no query) or the body is what is asked for. */
static bool expect_body(struct expression__parser *parser, const struct expression__token *word,
                        const struct query *query, uint32_t node) {
    const uint8_t type = parser->nodes[node].type;
    const bool is_number = type == COR_NODE_INTEGER || type == COR_NODE_REAL,
               wants_number = query && query->is_of_numbers;
    if (wants_number ? is_number : type == COR_NODE_TRUTH)
        return true;
    if (parser->token.kind == EXPRESSION__TOKEN_NAME ||
        parser->token.kind == EXPRESSION__TOKEN_NOT) /* "x mod 2", "x not 2": an operator that there is not */
        return complain_expected(parser, "an operator or \")\"");
    char quoted[EXPRESSION__QUOTED_MAX + 4], described[EXPRESSION__QUOTED_MAX],
        what[3 * EXPRESSION__QUOTED_MAX];
    quote(word->at, word->length, quoted);
    if (type == COR_NODE_TRUTH)
        snprintf(described, sizeof described, "a condition");
    else
        describe(parser, node, described, sizeof described);
    snprintf(what, sizeof what, "\"%s\" asks for %s of each, and this is %s", quoted,
             wants_number ? "a number" : "a condition", described);
    const char *remedy = wants_number               ? NULL
                         : is_number                ? "compare the number with another"
                         : type == COR_NODE_ELEMENT ? "ask for something that it has: name.attribute"
                                                    : NULL;
    if (wants_number && type == COR_NODE_TRUTH)
        remedy = "count those of which it holds: count(x in COLLECTION where ..)";
    return complain(parser, parser->collections->spans[node].at, remedy, what);
}

/* What is asked of each element: the condition behind "where", and the body. */
static bool parse_asked(struct expression__parser *parser, const struct expression__token *word,
                        const struct query *query, uint32_t *filter, uint32_t *body) {
    if (parser->token.kind == EXPRESSION__TOKEN_NAME &&
        (expression__is_word(&parser->token, "if") || expression__is_word(&parser->token, "such")))
        return complain(parser, parser->token.at, "write where CONDITION",
                        "which of them are meant stands behind \"where\"");
    if (parser->token.kind == EXPRESSION__TOKEN_NAME && expression__is_word(&parser->token, "where")) {
        const struct expression__token where = parser->token;
        if (!expression__advance(parser) || !parse_level(parser, EXPRESSION__POWER_ANY, filter) ||
            !expect_body(parser, &where, NULL, *filter))
            return false;
    }
    if (query->kind == COR_OPERATOR_COUNT) {
        if (parser->token.kind != EXPRESSION__TOKEN_COLON)
            return true;
        return complain(parser, parser->token.at, "write count(x in COLLECTION where ..)",
                        "\"count\" has no body, only a condition");
    }
    if (parser->token.kind != EXPRESSION__TOKEN_COLON)
        return complain_expected(parser, "\"where\" or \":\"");
    return expression__advance(parser) && parse_level(parser, EXPRESSION__POWER_ANY, body) &&
           expect_body(parser, word, query, *body);
}

/* "NAME in COLLECTION .. )", the present token being the name. */
static bool parse_query(struct expression__parser *parser, const struct expression__token *word,
                        const struct query *query, uint32_t *node) {
    struct expression__collections *collections = parser->collections;
    const struct part name = {parser->token.at, parser->token.length};
    struct target target;
    uint32_t start, filter, body;
    if (collections->nested == COR_QUERIES_NESTED_MAX)
        return complain(parser, word->at, "ask it in two constraints",
                        "queries stand within one another more than 4 deep");
    if (!expression__advance(parser) || !expression__advance(parser) || !parse_collection(parser, &target) ||
        !expression__put(parser, word->at, node_of(COR_OPERATOR_BIND, &target), COR_NODE_ELEMENT, &start) ||
        !bind(parser, name, start))
        return false;
    collections->spans[start] = (struct cor_span){name.at, (uint32_t)name.length};
    filter = body = start;
    collections->nested++;
    if (!parse_asked(parser, word, query, &filter, &body) || !parse_close(parser))
        return false;
    collections->nested--;
    collections->bound_count--;
    const enum cor_node_type body_type = (enum cor_node_type)parser->nodes[body].type;
    const enum cor_node_type type = query->kind == COR_OPERATOR_COUNT  ? COR_NODE_INTEGER
                                    : !query->is_of_numbers            ? COR_NODE_TRUTH
                                    : query->kind == COR_OPERATOR_MEAN ? COR_NODE_REAL
                                                                       : body_type;
    const struct cor_node made = {.operator= query->kind,
                                  .left = filter,
                                  .right = body,
                                  .variable = start,
                                  .reals = query->is_of_numbers && body_type == COR_NODE_REAL};
    if (!expression__put(parser, word->at, made, type, node))
        return false;
    parser->nodes[start].constant = *node;
    if (query->is_of_numbers)
        collections->units[*node] = collections->units[body];
    return true;
}

/* Behind the bracket no name stands with its collection: what others write for a query is told in our words.
 */
static bool expect_query(struct expression__parser *parser, const struct expression__token *word,
                         const char *bracket) {
    char remedy[128];
    int open = 1;
    snprintf(remedy, sizeof remedy, "write %.*s(x in COLLECTION: ..)", (int)word->length, word->at);
    for (const char *at = bracket + 1; *at && open > 0; at++) {
        open += (*at == '(') - (*at == ')');
        if (open == 1 && strncmp(at, " for ", 5) == 0)
            return complain(parser, at + 1, remedy, "\"for\" means nothing here");
    }
    return true;
}

/* A query whose word was read, and the present token is the bracket; min and max are left where they are
 * functions. */
static bool parse_queried(struct expression__parser *parser, const struct expression__token *word, bool *done,
                          uint32_t *node) {
    size_t q = 0;
    while (q < QUERY_COUNT && !expression__is_word(word, queries[q].word))
        q++;
    if (q == QUERY_COUNT)
        return true;
    const bool is_either = queries[q].kind == COR_OPERATOR_LEAST || queries[q].kind == COR_OPERATOR_GREATEST;
    const struct expression__token bracket = parser->token;
    if (!expression__advance(parser))
        return false;
    const struct expression__token name = parser->token;
    if (name.kind == EXPRESSION__TOKEN_NAME && !expression__advance(parser))
        return false;
    const bool is_query = name.kind == EXPRESSION__TOKEN_NAME &&
                          parser->token.kind == EXPRESSION__TOKEN_INFIX &&
                          parser->token.infix->kind == COR_OPERATOR_IN;
    *done = is_query || !is_either;
    if (*done && parser->token.kind == EXPRESSION__TOKEN_COMMA && queries[q].kind != COR_OPERATOR_COUNT)
        return complain_expected(parser, "NAME in COLLECTION");
    parser->token = *done ? name : bracket;
    if (is_query)
        return parse_query(parser, word, &queries[q], node);
    if (queries[q].kind == COR_OPERATOR_COUNT) {
        /* "COLLECTION )" of a count. */
        struct target target;
        return parse_collection(parser, &target) && parse_close(parser) &&
               expression__put(parser, word->at, node_of(COR_OPERATOR_SIZE, &target), COR_NODE_INTEGER, node);
    }
    if (expect_query(parser, word, bracket.at))
        return is_either || complain_expected(parser, "NAME in COLLECTION");
    return false;
}

/* The arguments of a definition, which are bound in its text alone; the present token is the bracket. */
static bool parse_arguments(struct expression__parser *parser, const struct expression__token *word,
                            const struct cor_definition *definition, uint32_t nodes[EXPRESSION__BOUND_MAX]) {
    uint32_t count = 0;
    if (parser->token.kind == EXPRESSION__TOKEN_OPEN && definition->parameter_count > 0) {
        do {
            uint32_t argument;
            if (!expression__advance(parser) || !parse_level(parser, EXPRESSION__POWER_ANY, &argument))
                return false;
            if (count < EXPRESSION__BOUND_MAX)
                nodes[count] = argument;
            count++;
        } while (parser->token.kind == EXPRESSION__TOKEN_COMMA);
        if (count == definition->parameter_count)
            return parse_close(parser);
    }
    if (count == definition->parameter_count)
        return true;
    char what[2 * EXPRESSION__QUOTED_MAX];
    snprintf(what, sizeof what, "\"%.60s\" takes %u argument%s, and here %s %u", definition->name,
             definition->parameter_count, definition->parameter_count == 1 ? "" : "s",
             count == 1 ? "is" : "are", count);
    return complain(parser, word->at, NULL, what);
}

/* Puts a definition in; nothing of where it is used can be seen in it but the arguments. */
static bool expand(struct expression__parser *parser, const struct expression__token *word, uint32_t index,
                   uint32_t *node) {
    struct expression__collections *collections = parser->collections;
    const struct cor_definition *definition = &parser->scope->shape->definitions[index];
    uint32_t nodes[EXPRESSION__BOUND_MAX];
    if (++collections->expansions > EXPRESSION__EXPANSIONS_MAX)
        return complain(parser, word->at, "use definitions less within one another",
                        "definitions are put in more than 10000 times");
    if (!parse_arguments(parser, word, definition, nodes))
        return false;
    const struct expression__token behind = parser->token;
    const char *const consumed = parser->consumed;
    const uint32_t first = collections->bound_first, count = collections->bound_count,
                   definition_count = collections->definition_count, made_before = parser->node_count;
    const bool is_outermost = !collections->expanded;
    if (is_outermost) {
        collections->expanded = definition;
        collections->expanded_at = word->at;
    }
    collections->bound_first = collections->bound_count;
    collections->definition_count = index;
    for (uint32_t p = 0; p < definition->parameter_count; p++) {
        if (collections->bound_count == EXPRESSION__BOUND_MAX)
            return too_deep(parser, word->at);
        collections->bound[collections->bound_count++] = (struct expression__bound){
            definition->parameters[p], strlen(definition->parameters[p]), nodes[p]};
    }
    parser->token = (struct expression__token){.at = definition->text};
    if (!expression__advance(parser) || !parse_level(parser, EXPRESSION__POWER_ANY, node))
        return false;
    if (parser->token.kind != EXPRESSION__TOKEN_END)
        return complain_expected(parser, "an operator or the end");
    collections->bound_first = first;
    collections->bound_count = count;
    collections->definition_count = definition_count;
    if (is_outermost)
        collections->expanded = NULL;
    parser->token = behind;
    parser->consumed = consumed;
    if (*node >= made_before) /* it is known by the words of who uses it */
        collections->spans[*node] = (struct cor_span){word->at, (uint32_t)(consumed - word->at)};
    return true;
}

/* A definition that stands further down, or is being put in, cannot be used. */
static bool expect_above(struct expression__parser *parser, struct part part) {
    const struct cor_shape *shape = parser->scope->shape;
    for (uint32_t i = parser->collections->definition_count; i < shape->definition_count; i++)
        if (is_called(part, shape->definitions[i].name)) {
            char what[EXPRESSION__QUOTED_MAX];
            snprintf(what, sizeof what, "the definition \"%.60s\" is not known here",
                     shape->definitions[i].name);
            return complain(parser, part.at, "a definition uses those above it, and never itself", what);
        }
    return true;
}

static const char *const functions[] = {"abs", "min", "max", "ceil_div"};

static bool is_function(struct part part) {
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (is_called(part, functions[i]))
            return true;
    return false;
}

static bool complain_no_function(struct expression__parser *parser, struct part part) {
    struct offer offer = {{NULL}, 0};
    for (size_t i = 0; i < QUERY_COUNT; i++)
        add_offer(&offer, queries[i].word);
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (i == 0 || i == 3) /* the others are queries, too */
            add_offer(&offer, functions[i]);
    for (uint32_t i = 0; i < parser->collections->definition_count; i++)
        add_offer(&offer, parser->scope->shape->definitions[i].name);
    return complain_nothing_called(parser, part, " to call", &offer);
}

/* Over a shape: the word just read, as a query, a path, or a definition; *done says whether it is one. */
static bool parse_of_shape(struct expression__parser *parser, const struct expression__token *word,
                           bool *done, uint32_t *node) {
    const struct cor_shape *shape = parser->scope->shape;
    const struct part whole = {word->at, word->length};
    struct part first, path = path_of(word, &first);
    struct target target;
    *done = false;
    if (!parse_path(parser, word, false, done, &target))
        return false;
    if (*done && !target.is_collection) {
        *node = target.node;
        return true;
    }
    if (*done) {
        char quoted[EXPRESSION__QUOTED_MAX + 4], what[2 * EXPRESSION__QUOTED_MAX];
        quote(word->at, word->length, quoted);
        snprintf(what, sizeof what, "\"%s\" is a collection, not a value", quoted);
        return complain(parser, word->at, "count it, or ask of each: count(NAME), all(x in NAME: ..)", what);
    }
    if (word->bracketed) { /* a symbol, or nothing */
        for (uint32_t i = 0; i < parser->scope->symbol_count && path.length == 0; i++)
            if (is_called(first, parser->scope->symbols[i].name))
                return true;
        return complain_unknown(parser, first, false);
    }
    for (uint32_t i = 0; i < parser->collections->definition_count; i++)
        if (is_called(whole, shape->definitions[i].name)) {
            *done = true;
            return expand(parser, word, i, node);
        }
    if (parser->token.kind == EXPRESSION__TOKEN_OPEN) {
        if (!parse_queried(parser, word, done, node))
            return false;
        return *done || is_function(whole) ||
               (expect_above(parser, whole) && complain_no_function(parser, whole));
    }
    for (uint32_t i = 0; i < parser->scope->symbol_count; i++)
        if (is_called(whole, parser->scope->symbols[i].name))
            return true;
    return expect_above(parser, whole) && complain_unknown(parser, first, false);
}

/* ---- A parser by binding powers (Pratt): parse_level(p) reads an operand and then every operator that binds
 * at least as tightly as p. Every node has a type (parse.c), so a kind that does not fit is reported at the
 * operator that cannot use it */

struct function {
    const char *word;
    enum cor_operator kind;
    uint32_t least, most; /* arguments; more than two are taken pairwise from the left */
};

static const struct function functions_parse[] = {
    {"min", COR_OPERATOR_MIN, 2, EXPRESSION__NODES_MAX},
    {"max", COR_OPERATOR_MAX, 2, EXPRESSION__NODES_MAX},
    {"abs", COR_OPERATOR_ABS, 1, 1},
    {"ceil_div", COR_OPERATOR_CEIL_DIVIDE, 2, 2},
};
#define FUNCTION_COUNT (sizeof functions_parse / sizeof *functions_parse)

/* Whether what stands before the token is a number: "5 kW". */
static bool is_behind_number(const struct expression__parser *parser) {
    const char *end = parser->token.at, *start;
    while (end > parser->text && end[-1] == ' ')
        end--;
    for (start = end;
         start > parser->text && (is_letter(start[-1]) || is_digit(start[-1]) || start[-1] == '.');)
        start--;
    return start < end && is_digit(*start);
}

/* What is mostly meant where the token does not fit; NULL: it cannot be told. */
static const char *remedy_of(const struct expression__parser *parser) {
    const char *at = parser->token.at;
    const bool is_first = at == parser->text;
    if (*at == '[' && !is_first && (is_letter(at[-1]) || is_digit(at[-1])) && (at[1] == '\'' || at[1] == '"'))
        return "ask for something that it has: name.attribute";
    const char *foreign = remedy_of_word(parser, at, parser->token.length);
    if (foreign)
        return foreign;
    if (!parser->collections && expression__is_word(&parser->token, "in"))
        return "write a comparison each: x == 1 or x == 2";
    if (!parser->collections && expression__is_word(&parser->token, "not"))
        return "write !=; of several x != 1 and x != 2";
    if (*at == '[' || (is_letter(*at) && is_behind_number(parser)))
        return "a number has no unit here: units stand where an attribute or a parameter is declared";
    if (*at == ',' && parser->collections)
        return "each name has a query of its own: all(x in COLLECTION: all(y in COLLECTION: CONDITION))";
    if (*at == '*' && !is_first && at[-1] == '*')
        return "write the product: x * x";
    if (*at == '>' && !is_first && at[-1] == '<')
        return "write !=";
    if (*at == '>' && at >= parser->text + 2 && (at[-1] == '=' || at[-1] == '-') && at[-2] == '<')
        return "write == between the two conditions";
    if (*at == '>' && !is_first && (at[-1] == '=' || at[-1] == '-'))
        return at[-1] == '=' ? "write implies; at least is >=" : "write implies";
    return *at == '<' && !is_first && at[-1] == '=' ? "write <=" : NULL;
}

/* Complains about the token. */
static bool complain_expected(struct expression__parser *parser, const char *expected) {
    char found[EXPRESSION__QUOTED_MAX + 4], what[2 * EXPRESSION__QUOTED_MAX];
    quote(parser->token.at, parser->token.length, found);
    if (parser->token.kind == EXPRESSION__TOKEN_END)
        snprintf(what, sizeof what, "expected %s, found the end", expected);
    else
        snprintf(what, sizeof what, "expected %s, found \"%s\"", expected, found);
    return complain(parser, parser->token.at, remedy_of(parser), what);
}

static bool parse_close(struct expression__parser *parser) {
    if (parser->token.kind != EXPRESSION__TOKEN_CLOSE)
        return complain_expected(parser, "an operator or \")\"");
    return expression__advance(parser);
}

/* The arguments of a function and its closing bracket; the present token is the opening one. */
static bool parse_call(struct expression__parser *parser, const struct expression__token *word,
                       const struct function *function, uint32_t *node) {
    uint32_t count = 0, argument;
    do {
        if (!expression__advance(parser) || !parse_level(parser, EXPRESSION__POWER_ANY, &argument))
            return false;
        count++;
        if (count == 1 || count > function->most)
            *node = argument;
        else if (!put_binary(parser, word, function->kind, false, *node, argument, node))
            return false;
    } while (parser->token.kind == EXPRESSION__TOKEN_COMMA);
    if (count < function->least || count > function->most) {
        char what[96];
        snprintf(what, sizeof what, "\"%s\" takes %s%s, and here %s %u", function->word,
                 function->most == 1 ? "one argument" : "two arguments", function->most > 2 ? " or more" : "",
                 count == 1 ? "is" : "are", count);
        return complain(parser, word->at, NULL, what);
    }
    if (!parse_close(parser))
        return false;
    return function->most > 1 || put_unary(parser, word, function->kind, *node, node);
}

static bool complain_unknown_parse(struct expression__parser *parser, const struct expression__token *word,
                                   const char *name) {
    static const char *const functions_known[] = {"min", "max", "abs", "ceil_div", NULL};
    bool is_function = parser->token.kind == EXPRESSION__TOKEN_OPEN;
    char quoted[EXPRESSION__QUOTED_MAX + 4], what[2 * EXPRESSION__QUOTED_MAX], remedy[1024] = "";
    quote(name, strlen(name), quoted);
    snprintf(what, sizeof what, "there is no %s\"%s\"",
             is_function          ? "function "
             : parser->has_values ? ""
                                  : "parameter ",
             quoted);
    if (is_function)
        cor_known_names(name, functions_known, remedy, sizeof remedy);
    else
        scope_offer(parser->scope, name, remedy, sizeof remedy);
    return complain(parser, word->at, remedy, what);
}

static bool complain_ambiguous(struct expression__parser *parser, const struct expression__token *word,
                               const char *name, const uint32_t several[2]) {
    const struct cor_symbol *symbols = parser->scope->symbols;
    char quoted[3][EXPRESSION__QUOTED_MAX + 4], what[4 * EXPRESSION__QUOTED_MAX],
        remedy[4 * EXPRESSION__QUOTED_MAX];
    quote(name, strlen(name), quoted[0]);
    for (int i = 0; i < 2; i++)
        quote(symbols[several[i]].name, strlen(symbols[several[i]].name), quoted[i + 1]);
    snprintf(what, sizeof what, "\"%s\" could be %s or %s", quoted[0], quoted[1], quoted[2]);
    snprintf(remedy, sizeof remedy, "write %s or %s", quoted[1], quoted[2]);
    return complain(parser, word->at, remedy, what);
}

/* A variable, true, false or null, or a function if a bracket follows. */
static bool parse_name(struct expression__parser *parser, uint32_t *node) {
    struct expression__token word = parser->token;
    enum cor_node_type type;
    bool truth;
    if (!expression__advance(parser))
        return false;
    /* The words for true, false and null; false if it is none of them. */
    bool values = parser->has_values;
    truth = expression__is_word(&word, "true") || (values && expression__is_word(&word, "True"));
    bool is_truth =
        truth || expression__is_word(&word, "false") || (values && expression__is_word(&word, "False"));
    type = is_truth ? COR_NODE_TRUTH : COR_NODE_NULL;
    if (is_truth || (values && expression__is_word(&word, "null"))) {
        if (type != COR_NODE_TRUTH && parser->collections)
            return complain(parser, word.at, "what has no value is unknown, and so is what compares it",
                            "nothing is compared with null here");
        if (type != COR_NODE_TRUTH)
            return put_integer(parser, word.at, -1, type, node);
        /* true is stored as 0 = 0, false as 0 != 0. */
        uint32_t zero = 0;
        return put_integer(parser, word.at, 0, COR_NODE_INTEGER, &zero) &&
               put_binary(parser, &word, truth ? COR_OPERATOR_EQUAL : COR_OPERATOR_NOT_EQUAL, false, zero,
                          zero, node);
    }
    bool is_of_shape = false;
    if (parser->collections && (!word.bracketed || parser->scope->shape->named_count > 0)) {
        if (!parse_of_shape(parser, &word, &is_of_shape, node))
            return false;
        if (is_of_shape)
            return true;
    }
    if (parser->token.kind == EXPRESSION__TOKEN_OPEN)
        for (size_t i = 0; i < FUNCTION_COUNT; i++)
            if (expression__is_word(&word, functions_parse[i].word))
                return parse_call(parser, &word, &functions_parse[i], node);
    char *name = cor_calloc(word.length + 1, 1);
    if (!name) {
        parser->status = cor_fail_memory(parser->error);
        return false;
    }
    size_t margin = word.bracketed ? 1 : 0;
    memcpy(name, word.at + margin, word.length - 2 * margin);
    uint32_t several[2];
    uint32_t found = scope_resolve(parser->scope, name, several);
    bool put = found != COR_NONE        ? put_variable(parser, word.at, found, node)
               : several[1] != COR_NONE ? complain_ambiguous(parser, &word, name, several)
                                        : complain_unknown_parse(parser, &word, name);
    free(name);
    return put;
}

static bool parse_operand(struct expression__parser *parser, uint32_t *node) {
    struct expression__token word = parser->token;
    switch (word.kind) {
    case EXPRESSION__TOKEN_NUMBER:
        return expression__advance(parser) &&
               put_integer(parser, word.at, word.number, COR_NODE_INTEGER, node);
    case EXPRESSION__TOKEN_REAL:
        return expression__advance(parser) && expression__put_real(parser, word.at, word.real, node);
    case EXPRESSION__TOKEN_WORD: {
        uint32_t number;
        return intern(parser, &word, &number) && expression__advance(parser) &&
               put_integer(parser, word.at, number, COR_NODE_WORD, node);
    }
    case EXPRESSION__TOKEN_NAME:
        return parse_name(parser, node);
    case EXPRESSION__TOKEN_OPEN:
        return expression__advance(parser) && parse_level(parser, EXPRESSION__POWER_ANY, node) &&
               parse_close(parser);
    case EXPRESSION__TOKEN_NOT:
        return expression__advance(parser) && parse_level(parser, EXPRESSION__POWER_NOT, node) &&
               put_unary(parser, &word, COR_OPERATOR_NOT, *node, node);
    case EXPRESSION__TOKEN_INFIX:
        if (word.infix->kind != COR_OPERATOR_SUBTRACT)
            break;
        return expression__advance(parser) && parse_level(parser, EXPRESSION__POWER_NEGATE, node) &&
               put_unary(parser, &word, COR_OPERATOR_NEGATE, *node, node);
    case EXPRESSION__TOKEN_END:
    case EXPRESSION__TOKEN_CLOSE:
    case EXPRESSION__TOKEN_COMMA:
    case EXPRESSION__TOKEN_COLON:
        break;
    }
    return complain_expected(parser,
                             parser->has_values ? "a value, a name or \"(\"" : "a number, a name or \"(\"");
}

/* One or more comparisons in a row, the first written from there: each holds between its neighbours. */
static bool parse_chain(struct expression__parser *parser, const char *from, uint32_t *node) {
    uint32_t left = *node, right = 0, link = 0;
    bool first = true;
    while (parser->token.kind == EXPRESSION__TOKEN_INFIX &&
           parser->token.infix->power == EXPRESSION__POWER_COMPARE) {
        struct expression__token word = parser->token;
        if (word.infix->kind == COR_OPERATOR_IN && first)
            return expression__advance(parser) && parse_in(parser, &word, left, node);
        if (!expression__advance(parser))
            return false;
        const char *const behind = parser->token.at;
        if (!parse_level(parser, EXPRESSION__POWER_SUM, &right) ||
            !put_binary(parser, &word, word.infix->kind, *word.at == '>', left, right, &link))
            return false;
        note_span(parser, link, from);
        from = behind;
        if (first)
            *node = link;
        else if (!put_binary(parser, &word, COR_OPERATOR_AND, false, *node, link, node))
            return false;
        first = false;
        left = right;
    }
    return true;
}

/* One infix operator behind *node, which is written from there, and its right side. */
static bool parse_infix(struct expression__parser *parser, const char *from, uint32_t *node) {
    struct expression__token word = parser->token;
    enum expression__power power = word.infix->power;
    uint32_t left = *node, right;
    if (power == EXPRESSION__POWER_COMPARE)
        return parse_chain(parser, from, node);
    /* a implies b is stored as (not a) or b */
    if (power == EXPRESSION__POWER_IMPLIES &&
        !(expect_condition(parser, &word, left) && put_unary(parser, &word, COR_OPERATOR_NOT, left, &left)))
        return false;
    const bool of_conditions = word.infix->kind == COR_OPERATOR_NOT_EQUAL; /* xor */
    return expression__advance(parser) &&
           parse_level(parser, power == EXPRESSION__POWER_IMPLIES ? power : power + 1, &right) &&
           (!of_conditions ||
            (expect_condition(parser, &word, left) && expect_condition(parser, &word, right))) &&
           put_binary(parser, &word, word.infix->kind, false, left, right, node);
}

/* "not in", where it stands behind a value: *found says so. */
static bool parse_not_in(struct expression__parser *parser, bool *found, uint32_t *node) {
    const struct expression__token word = parser->token;
    const char *const consumed = parser->consumed;
    if (!parser->collections || !expression__is_word(&word, "not"))
        return true;
    if (!expression__advance(parser))
        return false;
    *found = parser->token.kind == EXPRESSION__TOKEN_INFIX && parser->token.infix->kind == COR_OPERATOR_IN;
    if (*found) {
        const struct expression__token in = parser->token;
        if (!expression__advance(parser) || !parse_in(parser, &in, *node, node))
            return false;
        return put_unary(parser, &word, COR_OPERATOR_NOT, *node, node);
    }
    parser->token = word;
    parser->consumed = consumed;
    return true;
}

/* Reads an operand, and all operators behind it that bind at least as tightly. */
static bool parse_level(struct expression__parser *parser, enum expression__power power, uint32_t *node) {
    if (++parser->nesting > EXPRESSION__DEPTH_MAX)
        return too_deep(parser, parser->token.at);
    const char *from = parser->token.at;
    if (!parse_operand(parser, node))
        return false;
    note_span(parser, *node, from);
    for (bool goes_on = true; goes_on;) {
        goes_on = parser->token.kind == EXPRESSION__TOKEN_INFIX && parser->token.infix->power >= power;
        if (goes_on ? !parse_infix(parser, from, node)
                    : power <= EXPRESSION__POWER_COMPARE && !parse_not_in(parser, &goes_on, node))
            return false;
        note_span(parser, *node, from);
    }
    parser->nesting--;
    return true;
}

static bool parse_all(struct expression__parser *parser, const struct cor_domain *domain) {
    uint32_t root;
    if (!expression__advance(parser) || !parse_level(parser, EXPRESSION__POWER_ANY, &root))
        return false;
    if (parser->token.kind != EXPRESSION__TOKEN_END)
        return complain_expected(parser, "an operator or the end");
    if (!expect_result(parser, domain, &root))
        return false;
    /* The last is the root, also where it is an argument of a definition that has another one behind it. */
    const bool is_truth = parser->nodes[root].type == COR_NODE_TRUTH;
    const struct expression__token whole = {.at = parser->text, .length = 0};
    if (root + 1 != parser->node_count &&
        !put_binary(parser, &whole, is_truth ? COR_OPERATOR_AND : COR_OPERATOR_MIN, false, root, root, &root))
        return false;
    COR_ASSERT(root + 1 == parser->node_count);
    return true;
}

/* What the parser has made, as an expression of its own. */
static enum cor_status take_expression(const struct expression__parser *parser,
                                       struct cor_expression *expression) {
    static const uint8_t results[] = {[COR_NODE_INTEGER] = COR_VALUE_INTEGER,
                                      [COR_NODE_REAL] = COR_VALUE_REAL,
                                      [COR_NODE_TRUTH] = COR_VALUE_INTEGER,
                                      [COR_NODE_WORD] = COR_VALUE_WORD,
                                      [COR_NODE_NULL] = COR_VALUE_WORD};
    enum cor_node_type type = (enum cor_node_type)parser->nodes[parser->node_count - 1].type;
    struct cor_node *nodes = cor_calloc(parser->node_count, sizeof *nodes);
    struct cor_span *spans = parser->collections ? cor_calloc(parser->node_count, sizeof *spans) : NULL;
    const char **units = parser->collections ? cor_calloc(parser->node_count, sizeof *units) : NULL;
    /* A copy of the text with words for && || and !, as it is shown. NULL when memory is out. */
    const char *text = parser->text;
    static const char *const words[][2] = {{"&&", "and"}, {"||", "or"}, {"!", "not"}};
    char *copy = cor_calloc(5 * strlen(text) + 1, 1), *end = copy;
    while (copy && *text) {
        /* What stands in quotes or square brackets, if anything does, as it is: there && means nothing. */
        const char *close = *text == '\'' ? strchr(text + 1, '\'') : *text == '[' ? strchr(text, ']') : NULL;
        while (close && text < close)
            *end++ = *text++;
        size_t w = 0;
        while (w < 3 && (strncmp(text, words[w][0], strlen(words[w][0])) != 0 || strncmp(text, "!=", 2) == 0))
            w++;
        if (w == 3) {
            *end++ = *text++;
            continue;
        }
        bool joined = end > copy && end[-1] != ' ' && end[-1] != '(';
        text += strlen(words[w][0]);
        end += sprintf(end, "%s%s%s", joined ? " " : "", words[w][1], *text == ' ' ? "" : " ");
    }
    if (!nodes || !copy || (parser->collections && (!spans || !units))) {
        COR_FREE(nodes, spans, units, copy);
        return cor_fail_memory(parser->error);
    }
    memcpy(nodes, parser->nodes, parser->node_count * sizeof *nodes);
    if (spans)
        memcpy(spans, parser->collections->spans, parser->node_count * sizeof *spans);
    if (units)
        memcpy(units, parser->collections->units, parser->node_count * sizeof *units);
    *expression = (struct cor_expression){.text = copy,
                                          .nodes = nodes,
                                          .spans = spans,
                                          .units = units,
                                          .node_count = parser->node_count,
                                          .is_constraint = type == COR_NODE_TRUTH,
                                          .integer_only = parser->integer_only,
                                          .result = results[type]};
    return COR_OK;
}

static enum cor_status parse(const char *text, const struct cor_scope *scope, const struct cor_domain *domain,
                             const char *place, struct cor_expression *expression, struct cor_error *error) {
    *expression = (struct cor_expression){0};
    COR_FREED struct expression__parser *parser = cor_calloc(1, sizeof *parser);
    COR_TRY(cor_made(parser, error));
    parser->text = text;
    parser->place = place;
    parser->scope = scope;
    parser->has_values = scope->words != NULL;
    parser->integer_only = true;
    parser->error = error;
    parser->token.at = text;
    enum cor_status status = COR_OK;
    if (scope->shape) {
        COR_TRY_OUT(cor_made(parser->collections = cor_calloc(1, sizeof *parser->collections), error));
        parser->collections->definition_count = scope->shape->definition_count;
        parser->integer_only = false;
    }
    if (scope->shape && strlen(text) > COR_EXPRESSION_BYTES_MAX) {
        complain(parser, text, "split it into several constraints", "it is longer than 65536 bytes");
        status = parser->status;
    } else {
        status = parse_all(parser, domain) ? take_expression(parser, expression) : parser->status;
    }
out:
    free(parser->collections);
    return status;
}

static const struct cor_domain truth = {.type = COR_VALUE_TYPE_BOOLEAN, .name = "bool"};
static const struct cor_domain integers = {.type = COR_VALUE_TYPE_INTEGER, .name = "int"};

enum cor_status cor_expression_parse(const char *text, const char *const *names, bool want_constraint,
                                     const char *place, struct cor_expression *expression,
                                     struct cor_error *error) {
    *expression = (struct cor_expression){0};
    uint32_t count = 0;
    while (names[count])
        count++;
    COR_FREED struct cor_symbol *symbols = cor_calloc(count, sizeof *symbols);
    COR_TRY(cor_made(symbols, error));
    for (uint32_t i = 0; i < count; i++)
        symbols[i] = (struct cor_symbol){names[i], &integers};
    const struct cor_scope scope = {.symbols = symbols, .symbol_count = count};
    return parse(text, &scope, want_constraint ? &truth : &integers, place, expression, error);
}

enum cor_status cor_expression_parse_condition(const char *text, const struct cor_scope *scope,
                                               const char *place, struct cor_expression *expression,
                                               struct cor_error *error) {
    return cor_expression_parse_value(text, scope, &truth, place, expression, error);
}

enum cor_status cor_expression_parse_value(const char *text, const struct cor_scope *scope,
                                           const struct cor_domain *domain, const char *place,
                                           struct cor_expression *expression, struct cor_error *error) {
    COR_ASSERT(scope->words);
    return parse(text, scope, domain, place, expression, error);
}

void cor_expression_fini(struct cor_expression *expression) {
    COR_FREE(expression->text, expression->nodes, expression->spans, expression->units);
    *expression = (struct cor_expression){0};
}
