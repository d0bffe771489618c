/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of the parser share: token.c reads tokens, typing.c appends nodes and knows what goes
 * together, parse.c is the grammar. */
#ifndef COR_EXPRESSION_PARSER_H
#define COR_EXPRESSION_PARSER_H

#include <corridor/expression.h>

#define COR__NODES_MAX COR_EXPRESSION_NODES_MAX
#define COR__DEPTH_MAX 200
#define COR__QUOTED_MAX 160 /* letters of the user's text in a message */

enum cor__token_kind {
    COR__TOKEN_END,
    COR__TOKEN_NUMBER,
    COR__TOKEN_REAL,
    COR__TOKEN_WORD,
    COR__TOKEN_NAME,
    COR__TOKEN_OPEN,
    COR__TOKEN_CLOSE,
    COR__TOKEN_COMMA,
    COR__TOKEN_NOT,
    COR__TOKEN_INFIX
};

/* Binding powers, loosest first. */
enum cor__power {
    COR__POWER_ANY,
    COR__POWER_IMPLIES, /* to the right: a implies b implies c = a implies (b implies c) */
    COR__POWER_OR,
    COR__POWER_AND,
    COR__POWER_NOT,
    COR__POWER_COMPARE, /* chains */
    COR__POWER_SUM,
    COR__POWER_PRODUCT,
    COR__POWER_NEGATE
};

struct cor__infix {
    const char *word;
    enum cor__power power;
    enum cor_operator kind; /* of "implies": that of the node it ends in */
};

struct cor__token {
    enum cor__token_kind kind;
    const char *at; /* in the text */
    size_t length;
    int64_t number;
    double real;
    const struct cor__infix *infix;
    bool bracketed; /* NAME: "[any text]" */
};

/* What a node gives. */
enum cor__type { COR__TYPE_INTEGER, COR__TYPE_REAL, COR__TYPE_TRUTH, COR__TYPE_WORD, COR__TYPE_NULL };

struct cor__parser {
    const char *text, *place;
    const struct cor_scope *scope;
    bool has_values; /* the scope has domains; else all names are integers, and nothing else can be written */
    bool integer_only;
    struct cor_error *error;
    enum cor_status status;  /* why it failed */
    struct cor__token token; /* the one not yet used */
    uint32_t nesting;
    uint32_t node_count;
    struct cor_node nodes[COR__NODES_MAX];
    uint8_t types[COR__NODES_MAX]; /* enum cor__type */
    uint16_t depths[COR__NODES_MAX];
};

/* Makes `length` letters of text fit for a message: one line, not too long. */
void cor__quote(const char *text, size_t length, char quoted[COR__QUOTED_MAX + 4]);

/* Complains about what stands at `at`. Always false, so that a caller can return it. */
bool cor__complain(struct cor__parser *parser, const char *at, const char *remedy, const char *what);

/* Moves on to the next token. */
bool cor__advance(struct cor__parser *parser);

/* Whether the token is exactly this word. */
bool cor__is_word(const struct cor__token *token, const char *word);

/* The number of the word that the token quotes. */
bool cor__intern(struct cor__parser *parser, const struct cor__token *token, uint32_t *word);

/* The symbol that the name means, else COR_NONE: then it could be either of `several`, or these are COR_NONE,
 * too. */
uint32_t cor__scope_resolve(const struct cor_scope *scope, const char *name, uint32_t several[2]);

/* What else could have been meant, in the shortest spelling. */
void cor__scope_offer(const struct cor_scope *scope, const char *word, char *remedy, size_t size);

/* It is nested too deep, at `at`: false. */
bool cor__too_deep(struct cor__parser *parser, const char *at);

/* Leaves: a constant of a type, a variable. */
bool cor__put_integer(struct cor__parser *parser, const char *at, int64_t integer, enum cor__type type,
                      uint32_t *node);
bool cor__put_real(struct cor__parser *parser, const char *at, double real, uint32_t *node);
bool cor__put_variable(struct cor__parser *parser, const char *at, uint32_t variable, uint32_t *node);

/* An operator over nodes of types that it works on; others are complained about. `swap`: it stands for its
 * mirror image. */
bool cor__put_unary(struct cor__parser *parser, const struct cor__token *word, enum cor_operator kind,
                    uint32_t child, uint32_t *node);
bool cor__put_binary(struct cor__parser *parser, const struct cor__token *word, enum cor_operator kind,
                     bool swap, uint32_t left, uint32_t right, uint32_t *node);

/* Checks that the operator can join conditions such as this one. */
bool cor__expect_condition(struct cor__parser *parser, const struct cor__token *word, uint32_t node);

/* Checks that the whole is a value of the domain, made a real where that is meant. Without values: a
 * condition or a number. */
bool cor__expect_result(struct cor__parser *parser, const struct cor_domain *domain, uint32_t *root);

#endif
