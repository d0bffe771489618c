/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A parser by binding powers (Pratt): parse_level(p) reads an operand and then every operator that binds at
 * least as tightly as p. Numbers and conditions are told apart by the operator of a node, so a kind that does
 * not fit is reported at the operator that cannot use it. */
#include <corridor/expression.h>

#include <corridor/array.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NODES_MAX COR_EXPRESSION_NODES_MAX
#define DEPTH_MAX 200
#define QUOTED_MAX 160 /* letters of the user's text in a message */

enum token_kind {
    TOKEN_END,
    TOKEN_NUMBER,
    TOKEN_NAME,
    TOKEN_OPEN,
    TOKEN_CLOSE,
    TOKEN_COMMA,
    TOKEN_NOT,
    TOKEN_INFIX
};

/* Binding powers, loosest first. */
enum power {
    POWER_ANY,
    POWER_IMPLIES, /* to the right: a implies b implies c = a implies (b implies c) */
    POWER_OR,
    POWER_AND,
    POWER_NOT,
    POWER_COMPARE, /* chains */
    POWER_SUM,
    POWER_PRODUCT,
    POWER_NEGATE
};

struct infix {
    const char *word;
    enum power power;
    enum cor_operator kind; /* of "implies": that of the node it ends in */
};

/* Longer words first where one begins another. */
static const struct infix infixes[] = {
    {"<=", POWER_COMPARE, COR_OPERATOR_LESS_EQUAL},
    {"<", POWER_COMPARE, COR_OPERATOR_LESS},
    {"==", POWER_COMPARE, COR_OPERATOR_EQUAL},
    {"=", POWER_COMPARE, COR_OPERATOR_EQUAL},
    {"!=", POWER_COMPARE, COR_OPERATOR_NOT_EQUAL},
    {">=", POWER_COMPARE, COR_OPERATOR_LESS_EQUAL}, /* with its sides exchanged, */
    {">", POWER_COMPARE, COR_OPERATOR_LESS},        /* as here */
    {"+", POWER_SUM, COR_OPERATOR_ADD},
    {"-", POWER_SUM, COR_OPERATOR_SUBTRACT},
    {"*", POWER_PRODUCT, COR_OPERATOR_MULTIPLY},
    {"/", POWER_PRODUCT, COR_OPERATOR_DIVIDE},
    {"%", POWER_PRODUCT, COR_OPERATOR_REMAINDER},
    {"and", POWER_AND, COR_OPERATOR_AND},
    {"or", POWER_OR, COR_OPERATOR_OR},
    {"&&", POWER_AND, COR_OPERATOR_AND},
    {"||", POWER_OR, COR_OPERATOR_OR},
    {"implies", POWER_IMPLIES, COR_OPERATOR_OR},
};
#define INFIX_COUNT (sizeof infixes / sizeof *infixes)

struct function {
    const char *word;
    enum cor_operator kind;
    uint32_t least, most; /* arguments; more than two are taken pairwise from the left */
};

static const struct function functions[] = {
    {"min", COR_OPERATOR_MIN, 2, NODES_MAX},
    {"max", COR_OPERATOR_MAX, 2, NODES_MAX},
    {"abs", COR_OPERATOR_ABS, 1, 1},
    {"ceil_div", COR_OPERATOR_CEIL_DIVIDE, 2, 2},
};
#define FUNCTION_COUNT (sizeof functions / sizeof *functions)

struct token {
    enum token_kind kind;
    const char *at; /* in the text */
    size_t length;
    int64_t number;
    const struct infix *infix;
};

struct parser {
    const char *text, *place;
    const char *const *names;
    struct cor_error *error;
    enum cor_status status; /* why it failed */
    struct token token;     /* the one not yet used */
    uint32_t nesting;
    uint32_t node_count;
    struct cor_node nodes[NODES_MAX];
    uint16_t depths[NODES_MAX];
};

/* Makes `length` letters of text fit for a message: one line, not too long. */
static void quote(const char *text, size_t length, char quoted[QUOTED_MAX + 4]) {
    size_t shown = length < QUOTED_MAX ? length : QUOTED_MAX;
    for (size_t i = 0; i < shown; i++)
        quoted[i] = text[i] >= ' ' && text[i] <= '~' ? text[i] : '?';
    snprintf(quoted + shown, 4, "%s", shown < length ? "..." : "");
}

/* Complains about what stands at `at`. Always false, so that a caller can return it. */
static bool complain(struct parser *parser, const char *at, const char *remedy, const char *what) {
    char text[QUOTED_MAX + 4];
    quote(parser->text, strlen(parser->text), text);
    parser->status = cor_fail(parser->error, COR_STATUS_INPUT, parser->place, remedy,
                              "column %zu of \"%s\": %s", (size_t)(at - parser->text) + 1, text, what);
    return false;
}

static bool complain_expected(struct parser *parser, const char *expected) {
    char found[QUOTED_MAX + 4], what[2 * QUOTED_MAX];
    quote(parser->token.at, parser->token.length, found);
    if (parser->token.kind == TOKEN_END)
        snprintf(what, sizeof what, "expected %s, found the end", expected);
    else
        snprintf(what, sizeof what, "expected %s, found \"%s\"", expected, found);
    return complain(parser, parser->token.at, NULL, what);
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* Whether the token is exactly this word. */
static bool is_word(const struct token *token, const char *word) {
    return strlen(word) == token->length && memcmp(token->at, word, token->length) == 0;
}

static bool read_number(struct parser *parser, struct token *token) {
    const char *end = token->at;
    token->kind = TOKEN_NUMBER;
    token->number = 0;
    for (; is_digit(*end); end++) {
        if (__builtin_mul_overflow(token->number, 10, &token->number) ||
            __builtin_add_overflow(token->number, *end - '0', &token->number))
            return complain(parser, token->at, "the largest is 9223372036854775807",
                            "the number is too large");
    }
    if (*end == '.' || *end == 'e' || *end == 'E')
        return complain(parser, token->at, "scale it: 2 * x <= y instead of x <= 0.5 * y",
                        "constraints are over integers, and this is a real number");
    if (is_letter(*end))
        return complain(parser, end, NULL, "a number runs into a name");
    token->length = (size_t)(end - token->at);
    return true;
}

/* A name, or one of the words that are operators. */
static void read_word(struct token *token) {
    while (is_letter(token->at[token->length]) || is_digit(token->at[token->length]))
        token->length++;
    token->kind = TOKEN_NAME;
    if (is_word(token, "not"))
        token->kind = TOKEN_NOT;
    for (size_t i = 0; i < INFIX_COUNT; i++) {
        if (is_word(token, infixes[i].word)) {
            token->kind = TOKEN_INFIX;
            token->infix = &infixes[i];
        }
    }
}

static bool read_sign(struct parser *parser, struct token *token) {
    for (size_t i = 0; i < INFIX_COUNT; i++) {
        size_t length = strlen(infixes[i].word);
        if (strncmp(token->at, infixes[i].word, length) == 0) {
            token->kind = TOKEN_INFIX;
            token->infix = &infixes[i];
            token->length = length;
            return true;
        }
    }
    if (*token->at == '!') {
        token->kind = TOKEN_NOT;
        token->length = 1;
        return true;
    }
    const char *remedy = *token->at == '&' ? "write \"and\"" : *token->at == '|' ? "write \"or\"" : NULL;
    char what[64];
    if (*token->at > ' ' && *token->at <= '~')
        snprintf(what, sizeof what, "\"%c\" means nothing here", *token->at);
    else
        snprintf(what, sizeof what, "the byte 0x%02X means nothing here", (unsigned char)*token->at);
    return complain(parser, token->at, remedy, what);
}

/* Moves on to the next token. */
static bool advance(struct parser *parser) {
    const char *at = parser->token.at + parser->token.length;
    while (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r')
        at++;
    struct token *token = &parser->token;
    *token = (struct token){.kind = TOKEN_END, .at = at};
    if (is_digit(*at))
        return read_number(parser, token);
    if (is_letter(*at)) {
        read_word(token);
        return true;
    }
    const char *brackets = "(),";
    const char *bracket = *at ? strchr(brackets, *at) : NULL;
    if (bracket) {
        token->kind = (enum token_kind)(TOKEN_OPEN + (bracket - brackets));
        token->length = 1;
        return true;
    }
    return !*at || read_sign(parser, token);
}

static bool is_condition(const struct parser *parser, uint32_t node) {
    enum cor_operator kind = parser->nodes[node].operator;
    return kind >= COR_OPERATOR_LESS;
}

static bool too_deep(struct parser *parser, const char *at) {
    return complain(parser, at, "split it into several constraints", "it is nested more than 200 deep");
}

/* Appends a node. `at` is where to complain. */
static bool put(struct parser *parser, const char *at, struct cor_node node, uint32_t *index) {
    if (parser->node_count == NODES_MAX)
        return complain(parser, at, "split it into several constraints", "it has more than 1000 parts");
    enum cor_operator kind = node.operator;
    uint16_t depth = 0;
    if (kind > COR_OPERATOR_VARIABLE) {
        COR_ASSERT(node.left < parser->node_count &&
                   node.right < parser->node_count); /* children come first */
        uint16_t left = parser->depths[node.left], right = parser->depths[node.right];
        depth = left > right ? left : right;
    }
    if (depth == DEPTH_MAX)
        return too_deep(parser, at);
    *index = parser->node_count++;
    parser->nodes[*index] = node;
    parser->depths[*index] = (uint16_t)(depth + 1);
    return true;
}

/* Checks that a side of an operator is of the kind that it works on. */
static bool expect_kind(struct parser *parser, const struct token *operator, uint32_t node, bool condition) {
    if (is_condition(parser, node) == condition)
        return true;
    char word[QUOTED_MAX + 4], what[2 * QUOTED_MAX];
    quote(operator->at, operator->length, word);
    snprintf(what, sizeof what,
             condition ? "\"%s\" joins conditions, and this is a number"
                       : "\"%s\" works on numbers, and this is a condition",
             word);
    return complain(parser, operator->at, condition ? "compare the number with another" : NULL, what);
}

static bool put_unary(struct parser *parser, const struct token *word, enum cor_operator kind, uint32_t child,
                      uint32_t *node) {
    return expect_kind(parser, word, child, kind == COR_OPERATOR_NOT) &&
           put(parser, word->at, (struct cor_node){.operator= kind, .left = child, .right = child}, node);
}

/* `swap`: the operator stands for its mirror image. */
static bool put_binary(struct parser *parser, const struct token *word, enum cor_operator kind, bool swap,
                       uint32_t left, uint32_t right, uint32_t *node) {
    bool condition = kind == COR_OPERATOR_AND || kind == COR_OPERATOR_OR;
    struct cor_node made = {.operator= kind, .left = swap ? right : left, .right = swap ? left : right};
    return expect_kind(parser, word, left, condition) && expect_kind(parser, word, right, condition) &&
           put(parser, word->at, made, node);
}

static bool parse_level(struct parser *parser, enum power power, uint32_t *node);

static bool parse_close(struct parser *parser) {
    if (parser->token.kind != TOKEN_CLOSE)
        return complain_expected(parser, "an operator or \")\"");
    return advance(parser);
}

/* The arguments of a function and its closing bracket; the present token is the opening one. */
static bool parse_call(struct parser *parser, const struct token *word, const struct function *function,
                       uint32_t *node) {
    uint32_t count = 0, argument;
    do {
        if (!advance(parser) || !parse_level(parser, POWER_ANY, &argument))
            return false;
        count++;
        if (count == 1 || count > function->most)
            *node = argument;
        else if (!put_binary(parser, word, function->kind, false, *node, argument, node))
            return false;
    } while (parser->token.kind == TOKEN_COMMA);
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

/* What else could have been meant, among the names that are not "". */
static void offer_names(const char *word, const char *const *names, char *remedy, size_t size) {
    const char *offered[257];
    size_t count = 0;
    for (; *names && count < 256; names++)
        if (**names)
            offered[count++] = *names;
    offered[count] = NULL;
    if (count > 0)
        cor_known_names(word, offered, remedy, size);
}

/* true is stored as 0 = 0, false as 0 != 0. */
static bool put_truth(struct parser *parser, const struct token *word, bool truth, uint32_t *node) {
    uint32_t zero = 0;
    return put(parser, word->at, (struct cor_node){.operator = COR_OPERATOR_CONSTANT}, &zero) &&
           put_binary(parser, word, truth ? COR_OPERATOR_EQUAL : COR_OPERATOR_NOT_EQUAL, false, zero, zero,
                      node);
}

/* A variable, true or false, or a function if a bracket follows. */
static bool parse_name(struct parser *parser, uint32_t *node) {
    struct token word = parser->token;
    if (!advance(parser))
        return false;
    if (is_word(&word, "true") || is_word(&word, "false"))
        return put_truth(parser, &word, is_word(&word, "true"), node);
    if (parser->token.kind == TOKEN_OPEN)
        for (size_t i = 0; i < FUNCTION_COUNT; i++)
            if (is_word(&word, functions[i].word))
                return parse_call(parser, &word, &functions[i], node);
    for (uint32_t i = 0; parser->names[i]; i++)
        if (is_word(&word, parser->names[i]))
            return put(parser, word.at, (struct cor_node){.operator= COR_OPERATOR_VARIABLE, .variable = i},
                       node);
    static const char *const known[] = {"min", "max", "abs", "ceil_div", NULL};
    bool is_function = parser->token.kind == TOKEN_OPEN;
    char name[QUOTED_MAX + 4], what[2 * QUOTED_MAX], remedy[1024] = "";
    quote(word.at, word.length, name);
    snprintf(what, sizeof what, "there is no %s \"%s\"", is_function ? "function" : "parameter", name);
    offer_names(name, is_function ? known : parser->names, remedy, sizeof remedy);
    return complain(parser, word.at, remedy, what);
}

static bool parse_operand(struct parser *parser, uint32_t *node) {
    struct token word = parser->token;
    switch (word.kind) {
    case TOKEN_NUMBER:
        return advance(parser) &&
               put(parser, word.at,
                   (struct cor_node){.operator= COR_OPERATOR_CONSTANT, .constant = word.number}, node);
    case TOKEN_NAME:
        return parse_name(parser, node);
    case TOKEN_OPEN:
        return advance(parser) && parse_level(parser, POWER_ANY, node) && parse_close(parser);
    case TOKEN_NOT:
        return advance(parser) && parse_level(parser, POWER_NOT, node) &&
               put_unary(parser, &word, COR_OPERATOR_NOT, *node, node);
    case TOKEN_INFIX:
        if (word.infix->kind != COR_OPERATOR_SUBTRACT)
            break;
        return advance(parser) && parse_level(parser, POWER_NEGATE, node) &&
               put_unary(parser, &word, COR_OPERATOR_NEGATE, *node, node);
    case TOKEN_END:
    case TOKEN_CLOSE:
    case TOKEN_COMMA:
        break;
    }
    return complain_expected(parser, "a number, a name or \"(\"");
}

/* One or more comparisons in a row: each holds between its neighbours. */
static bool parse_chain(struct parser *parser, uint32_t *node) {
    uint32_t left = *node, right = 0, link = 0;
    bool first = true;
    while (parser->token.kind == TOKEN_INFIX && parser->token.infix->power == POWER_COMPARE) {
        struct token word = parser->token;
        if (!advance(parser) || !parse_level(parser, POWER_SUM, &right) ||
            !put_binary(parser, &word, word.infix->kind, *word.at == '>', left, right, &link))
            return false;
        if (first)
            *node = link;
        else if (!put_binary(parser, &word, COR_OPERATOR_AND, false, *node, link, node))
            return false;
        first = false;
        left = right;
    }
    return true;
}

/* One infix operator behind *node, and its right side. */
static bool parse_infix(struct parser *parser, uint32_t *node) {
    struct token word = parser->token;
    enum power power = word.infix->power;
    uint32_t left = *node, right;
    if (power == POWER_COMPARE)
        return parse_chain(parser, node);
    /* a implies b is stored as (not a) or b */
    if (power == POWER_IMPLIES &&
        !(expect_kind(parser, &word, left, true) && put_unary(parser, &word, COR_OPERATOR_NOT, left, &left)))
        return false;
    return advance(parser) && parse_level(parser, power == POWER_IMPLIES ? power : power + 1, &right) &&
           put_binary(parser, &word, word.infix->kind, false, left, right, node);
}

static bool parse_level(struct parser *parser, enum power power, uint32_t *node) {
    if (++parser->nesting > DEPTH_MAX)
        return too_deep(parser, parser->token.at);
    if (!parse_operand(parser, node))
        return false;
    while (parser->token.kind == TOKEN_INFIX && parser->token.infix->power >= power)
        if (!parse_infix(parser, node))
            return false;
    parser->nesting--;
    return true;
}

static bool parse_all(struct parser *parser, bool want_constraint) {
    uint32_t root;
    if (!advance(parser) || !parse_level(parser, POWER_ANY, &root))
        return false;
    if (parser->token.kind != TOKEN_END)
        return complain_expected(parser, "an operator or the end");
    if (is_condition(parser, root) == want_constraint)
        return true;
    if (want_constraint)
        return complain(parser, parser->text, "compare it with another: a <= b",
                        "it is a number where a condition is expected");
    return complain(parser, parser->text, NULL, "it is a condition where a number is expected");
}

/* A copy of the text with words for && || and !, as it is shown. There are no quotes in which these could
 * mean something else. NULL when memory is out. */
static char *in_words(const char *text) {
    static const char *const words[][2] = {{"&&", "and"}, {"||", "or"}, {"!", "not"}};
    char *copy = cor_calloc(5 * strlen(text) + 1, 1), *end = copy;
    while (copy && *text) {
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
    return copy;
}

enum cor_status cor_expression_parse(const char *text, const char *const *names, bool want_constraint,
                                     const char *place, struct cor_expression *expression,
                                     struct cor_error *error) {
    *expression = (struct cor_expression){0};
    struct parser *parser = cor_calloc(1, sizeof *parser);
    COR_TRY(cor_made(parser, error));
    parser->text = text;
    parser->place = place;
    parser->names = names;
    parser->error = error;
    parser->token.at = text;
    enum cor_status status = COR_OK;
    if (!parse_all(parser, want_constraint)) {
        status = parser->status;
        goto out;
    }
    struct cor_node *nodes = cor_calloc(parser->node_count, sizeof *nodes);
    char *copy = in_words(text);
    if (!nodes || !copy) {
        free(nodes);
        free(copy);
        status = cor_fail_memory(error);
        goto out;
    }
    memcpy(nodes, parser->nodes, parser->node_count * sizeof *nodes);
    *expression = (struct cor_expression){.text = copy,
                                          .nodes = nodes,
                                          .node_count = parser->node_count,
                                          .is_constraint = want_constraint,
                                          .integer_only = true,
                                          .result = COR_VALUE_INTEGER};
out:
    free(parser);
    return status;
}

void cor_expression_fini(struct cor_expression *expression) {
    free(expression->text);
    free(expression->nodes);
    *expression = (struct cor_expression){0};
}
