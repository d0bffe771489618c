/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A parser by binding powers (Pratt): parse_level(p) reads an operand and then every operator that binds at
 * least as tightly as p. Every node has a type (typing.c), so a kind that does not fit is reported at the
 * operator that cannot use it. */
#include "parser.h"

#include <corridor/array.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct function {
    const char *word;
    enum cor_operator kind;
    uint32_t least, most; /* arguments; more than two are taken pairwise from the left */
};

static const struct function functions[] = {
    {"min", COR_OPERATOR_MIN, 2, EXPRESSION__NODES_MAX},
    {"max", COR_OPERATOR_MAX, 2, EXPRESSION__NODES_MAX},
    {"abs", COR_OPERATOR_ABS, 1, 1},
    {"ceil_div", COR_OPERATOR_CEIL_DIVIDE, 2, 2},
};
#define FUNCTION_COUNT (sizeof functions / sizeof *functions)

/* What is mostly meant where the token does not fit; NULL: it cannot be told. */
static const char *remedy_of(const struct expression__parser *parser) {
    const char *at = parser->token.at;
    const bool is_first = at == parser->text;
    if (*at == '[')
        return "a number has no unit here: units stand where an attribute or a parameter is declared";
    if (*at == '>' && !is_first && at[-1] == '<')
        return "write !=";
    if (*at == '>' && !is_first && (at[-1] == '=' || at[-1] == '-'))
        return at[-1] == '=' ? "write implies; at least is >=" : "write implies";
    return *at == '<' && !is_first && at[-1] == '=' ? "write <=" : NULL;
}

bool expression__complain_expected(struct expression__parser *parser, const char *expected) {
    char found[EXPRESSION__QUOTED_MAX + 4], what[2 * EXPRESSION__QUOTED_MAX];
    expression__quote(parser->token.at, parser->token.length, found);
    if (parser->token.kind == EXPRESSION__TOKEN_END)
        snprintf(what, sizeof what, "expected %s, found the end", expected);
    else
        snprintf(what, sizeof what, "expected %s, found \"%s\"", expected, found);
    return expression__complain(parser, parser->token.at, remedy_of(parser), what);
}

bool expression__parse_close(struct expression__parser *parser) {
    if (parser->token.kind != EXPRESSION__TOKEN_CLOSE)
        return expression__complain_expected(parser, "an operator or \")\"");
    return expression__advance(parser);
}

/* The arguments of a function and its closing bracket; the present token is the opening one. */
static bool parse_call(struct expression__parser *parser, const struct expression__token *word,
                       const struct function *function, uint32_t *node) {
    uint32_t count = 0, argument;
    do {
        if (!expression__advance(parser) ||
            !expression__parse_level(parser, EXPRESSION__POWER_ANY, &argument))
            return false;
        count++;
        if (count == 1 || count > function->most)
            *node = argument;
        else if (!expression__put_binary(parser, word, function->kind, false, *node, argument, node))
            return false;
    } while (parser->token.kind == EXPRESSION__TOKEN_COMMA);
    if (count < function->least || count > function->most) {
        char what[96];
        snprintf(what, sizeof what, "\"%s\" takes %s%s, and here %s %u", function->word,
                 function->most == 1 ? "one argument" : "two arguments", function->most > 2 ? " or more" : "",
                 count == 1 ? "is" : "are", count);
        return expression__complain(parser, word->at, NULL, what);
    }
    if (!expression__parse_close(parser))
        return false;
    return function->most > 1 || expression__put_unary(parser, word, function->kind, *node, node);
}

static bool complain_unknown(struct expression__parser *parser, const struct expression__token *word,
                             const char *name) {
    static const char *const functions_known[] = {"min", "max", "abs", "ceil_div", NULL};
    bool is_function = parser->token.kind == EXPRESSION__TOKEN_OPEN;
    char quoted[EXPRESSION__QUOTED_MAX + 4], what[2 * EXPRESSION__QUOTED_MAX], remedy[1024] = "";
    expression__quote(name, strlen(name), quoted);
    snprintf(what, sizeof what, "there is no %s\"%s\"",
             is_function          ? "function "
             : parser->has_values ? ""
                                  : "parameter ",
             quoted);
    if (is_function)
        cor_known_names(name, functions_known, remedy, sizeof remedy);
    else
        expression__scope_offer(parser->scope, name, remedy, sizeof remedy);
    return expression__complain(parser, word->at, remedy, what);
}

static bool complain_ambiguous(struct expression__parser *parser, const struct expression__token *word,
                               const char *name, const uint32_t several[2]) {
    const struct cor_symbol *symbols = parser->scope->symbols;
    char quoted[3][EXPRESSION__QUOTED_MAX + 4], what[4 * EXPRESSION__QUOTED_MAX],
        remedy[4 * EXPRESSION__QUOTED_MAX];
    expression__quote(name, strlen(name), quoted[0]);
    for (int i = 0; i < 2; i++)
        expression__quote(symbols[several[i]].name, strlen(symbols[several[i]].name), quoted[i + 1]);
    snprintf(what, sizeof what, "\"%s\" could be %s or %s", quoted[0], quoted[1], quoted[2]);
    snprintf(remedy, sizeof remedy, "write %s or %s", quoted[1], quoted[2]);
    return expression__complain(parser, word->at, remedy, what);
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
            return expression__complain(parser, word.at,
                                        "what has no value is unknown, and so is what compares it",
                                        "nothing is compared with null here");
        if (type != COR_NODE_TRUTH)
            return expression__put_integer(parser, word.at, -1, type, node);
        /* true is stored as 0 = 0, false as 0 != 0. */
        uint32_t zero = 0;
        return expression__put_integer(parser, word.at, 0, COR_NODE_INTEGER, &zero) &&
               expression__put_binary(parser, &word, truth ? COR_OPERATOR_EQUAL : COR_OPERATOR_NOT_EQUAL,
                                      false, zero, zero, node);
    }
    bool is_of_shape = false;
    if (parser->collections && (!word.bracketed || parser->scope->shape->named_count > 0)) {
        if (!expression__parse_of_shape(parser, &word, &is_of_shape, node))
            return false;
        if (is_of_shape)
            return true;
    }
    if (parser->token.kind == EXPRESSION__TOKEN_OPEN)
        for (size_t i = 0; i < FUNCTION_COUNT; i++)
            if (expression__is_word(&word, functions[i].word))
                return parse_call(parser, &word, &functions[i], node);
    char *name = cor_calloc(word.length + 1, 1);
    if (!name) {
        parser->status = cor_fail_memory(parser->error);
        return false;
    }
    size_t margin = word.bracketed ? 1 : 0;
    memcpy(name, word.at + margin, word.length - 2 * margin);
    uint32_t several[2];
    uint32_t found = expression__scope_resolve(parser->scope, name, several);
    bool put = found != COR_NONE        ? expression__put_variable(parser, word.at, found, node)
               : several[1] != COR_NONE ? complain_ambiguous(parser, &word, name, several)
                                        : complain_unknown(parser, &word, name);
    free(name);
    return put;
}

static bool parse_word(struct expression__parser *parser, uint32_t *node) {
    struct expression__token word = parser->token;
    uint32_t number;
    return expression__intern(parser, &word, &number) && expression__advance(parser) &&
           expression__put_integer(parser, word.at, number, COR_NODE_WORD, node);
}

static bool parse_operand(struct expression__parser *parser, uint32_t *node) {
    struct expression__token word = parser->token;
    switch (word.kind) {
    case EXPRESSION__TOKEN_NUMBER:
        return expression__advance(parser) &&
               expression__put_integer(parser, word.at, word.number, COR_NODE_INTEGER, node);
    case EXPRESSION__TOKEN_REAL:
        return expression__advance(parser) && expression__put_real(parser, word.at, word.real, node);
    case EXPRESSION__TOKEN_WORD:
        return parse_word(parser, node);
    case EXPRESSION__TOKEN_NAME:
        return parse_name(parser, node);
    case EXPRESSION__TOKEN_OPEN:
        return expression__advance(parser) && expression__parse_level(parser, EXPRESSION__POWER_ANY, node) &&
               expression__parse_close(parser);
    case EXPRESSION__TOKEN_NOT:
        return expression__advance(parser) && expression__parse_level(parser, EXPRESSION__POWER_NOT, node) &&
               expression__put_unary(parser, &word, COR_OPERATOR_NOT, *node, node);
    case EXPRESSION__TOKEN_INFIX:
        if (word.infix->kind != COR_OPERATOR_SUBTRACT)
            break;
        return expression__advance(parser) &&
               expression__parse_level(parser, EXPRESSION__POWER_NEGATE, node) &&
               expression__put_unary(parser, &word, COR_OPERATOR_NEGATE, *node, node);
    case EXPRESSION__TOKEN_END:
    case EXPRESSION__TOKEN_CLOSE:
    case EXPRESSION__TOKEN_COMMA:
    case EXPRESSION__TOKEN_COLON:
        break;
    }
    return expression__complain_expected(parser, parser->has_values ? "a value, a name or \"(\""
                                                                    : "a number, a name or \"(\"");
}

/* One or more comparisons in a row, the first written from there: each holds between its neighbours. */
static bool parse_chain(struct expression__parser *parser, const char *from, uint32_t *node) {
    uint32_t left = *node, right = 0, link = 0;
    bool first = true;
    while (parser->token.kind == EXPRESSION__TOKEN_INFIX &&
           parser->token.infix->power == EXPRESSION__POWER_COMPARE) {
        struct expression__token word = parser->token;
        if (word.infix->kind == COR_OPERATOR_IN && first)
            return expression__advance(parser) && expression__parse_in(parser, &word, left, node);
        if (!expression__advance(parser))
            return false;
        const char *const behind = parser->token.at;
        if (!expression__parse_level(parser, EXPRESSION__POWER_SUM, &right) ||
            !expression__put_binary(parser, &word, word.infix->kind, *word.at == '>', left, right, &link))
            return false;
        expression__note_span(parser, link, from);
        from = behind;
        if (first)
            *node = link;
        else if (!expression__put_binary(parser, &word, COR_OPERATOR_AND, false, *node, link, node))
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
        !(expression__expect_condition(parser, &word, left) &&
          expression__put_unary(parser, &word, COR_OPERATOR_NOT, left, &left)))
        return false;
    return expression__advance(parser) &&
           expression__parse_level(parser, power == EXPRESSION__POWER_IMPLIES ? power : power + 1, &right) &&
           expression__put_binary(parser, &word, word.infix->kind, false, left, right, node);
}

bool expression__parse_level(struct expression__parser *parser, enum expression__power power,
                             uint32_t *node) {
    if (++parser->nesting > EXPRESSION__DEPTH_MAX)
        return expression__too_deep(parser, parser->token.at);
    const char *from = parser->token.at;
    if (!parse_operand(parser, node))
        return false;
    expression__note_span(parser, *node, from);
    while (parser->token.kind == EXPRESSION__TOKEN_INFIX && parser->token.infix->power >= power) {
        if (!parse_infix(parser, from, node))
            return false;
        expression__note_span(parser, *node, from);
    }
    parser->nesting--;
    return true;
}

static bool parse_all(struct expression__parser *parser, const struct cor_domain *domain) {
    uint32_t root;
    if (!expression__advance(parser) || !expression__parse_level(parser, EXPRESSION__POWER_ANY, &root))
        return false;
    if (parser->token.kind != EXPRESSION__TOKEN_END)
        return expression__complain_expected(parser, "an operator or the end");
    if (!expression__expect_result(parser, domain, &root))
        return false;
    /* The last is the root, also where it is an argument of a definition that has another one behind it. */
    const bool is_truth = parser->nodes[root].type == COR_NODE_TRUTH;
    const struct expression__token whole = {.at = parser->text, .length = 0};
    if (root + 1 != parser->node_count &&
        !expression__put_binary(parser, &whole, is_truth ? COR_OPERATOR_AND : COR_OPERATOR_MIN, false, root,
                                root, &root))
        return false;
    COR_ASSERT(root + 1 == parser->node_count);
    return true;
}

/* Copies what stands in quotes or square brackets at *text, if anything does: there && means nothing. */
static char *copy_quoted(const char **text, char *end) {
    const char *close = **text == '\'' ? strchr(*text + 1, '\'') : **text == '[' ? strchr(*text, ']') : NULL;
    while (close && *text < close)
        *end++ = *(*text)++;
    return end;
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
        end = copy_quoted(&text, end);
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
        free(nodes);
        free(spans);
        free(units);
        free(copy);
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
    struct expression__parser *parser = cor_calloc(1, sizeof *parser);
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
        parser->collections = cor_calloc(1, sizeof *parser->collections);
        COR_TRY_OUT(cor_made(parser->collections, error));
        parser->collections->definition_count = scope->shape->definition_count;
        parser->integer_only = false;
    }
    if (scope->shape && strlen(text) > COR_EXPRESSION_BYTES_MAX) {
        expression__complain(parser, text, "split it into several constraints",
                             "it is longer than 65536 bytes");
        status = parser->status;
    } else {
        status = parse_all(parser, domain) ? take_expression(parser, expression) : parser->status;
    }
out:
    free(parser->collections);
    free(parser);
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
    struct cor_symbol *symbols = cor_calloc(count, sizeof *symbols);
    COR_TRY(cor_made(symbols, error));
    for (uint32_t i = 0; i < count; i++)
        symbols[i] = (struct cor_symbol){names[i], &integers};
    const struct cor_scope scope = {.symbols = symbols, .symbol_count = count};
    enum cor_status status =
        parse(text, &scope, want_constraint ? &truth : &integers, place, expression, error);
    free(symbols);
    return status;
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
    free(expression->text);
    free(expression->nodes);
    free(expression->spans);
    free(expression->units);
    *expression = (struct cor_expression){0};
}
