/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of the parser share: token.c reads tokens, typing.c appends nodes and knows what goes
 * together, parse.c is the grammar. */
#ifndef CORRIDOR_SIM_EXPRESSION_PARSER_H
#define CORRIDOR_SIM_EXPRESSION_PARSER_H

#include <corridor/world.h>

#define EXPRESSION__NODES_MAX COR_EXPRESSION_NODES_MAX
#define EXPRESSION__DEPTH_MAX 200
#define EXPRESSION__QUOTED_MAX 160 /* letters of the user's text in a message */
#define EXPRESSION__BEFORE "@before"

enum expression__token_kind {
    EXPRESSION__TOKEN_END,
    EXPRESSION__TOKEN_NUMBER,
    EXPRESSION__TOKEN_REAL,
    EXPRESSION__TOKEN_WORD,
    EXPRESSION__TOKEN_NAME,
    EXPRESSION__TOKEN_OPEN,
    EXPRESSION__TOKEN_CLOSE,
    EXPRESSION__TOKEN_COMMA,
    EXPRESSION__TOKEN_COLON, /* of queries */
    EXPRESSION__TOKEN_NOT,
    EXPRESSION__TOKEN_INFIX
};

/* Binding powers, loosest first. */
enum expression__power {
    EXPRESSION__POWER_ANY,
    EXPRESSION__POWER_IMPLIES, /* to the right: a implies b implies c = a implies (b implies c) */
    EXPRESSION__POWER_OR,
    EXPRESSION__POWER_AND,
    EXPRESSION__POWER_NOT,
    EXPRESSION__POWER_COMPARE, /* chains */
    EXPRESSION__POWER_SUM,
    EXPRESSION__POWER_PRODUCT,
    EXPRESSION__POWER_NEGATE
};

struct expression__infix {
    const char *word;
    enum expression__power power;
    enum cor_operator kind; /* of "implies": that of the node it ends in */
};

struct expression__token {
    enum expression__token_kind kind;
    const char *at; /* in the text */
    size_t length;
    int64_t number;
    double real;
    const struct expression__infix *infix;
    bool bracketed; /* NAME: "[any text]", and over a shape with names "[any text].attribute" */
};

#define EXPRESSION__BOUND_MAX 64
#define EXPRESSION__EXPANSIONS_MAX 10000

/* What is known beside of expressions over a shape. */
struct expression__collections {
    struct cor_span spans[EXPRESSION__NODES_MAX];
    const char *units[EXPRESSION__NODES_MAX]; /* NULL: none, or not known */
    struct expression__bound {
        const char *name; /* of a query, an argument of a definition */
        size_t length;
        uint32_t node;
    } bound[EXPRESSION__BOUND_MAX];    /* inner ones behind */
    uint32_t bound_count, bound_first; /* those before belong to who uses the definition */
    uint32_t nested;                   /* queries */
    uint32_t expansions;
    uint32_t definition_count;             /* those that may be used here */
    const struct cor_definition *expanded; /* the outermost that is being put in, NULL: none */
    const char *expanded_at;
};

struct expression__parser {
    const char *text, *place;
    const struct cor_scope *scope;
    bool has_values; /* the scope has domains; else all names are integers, and nothing else can be written */
    bool integer_only;
    struct cor_error *error;
    enum cor_status status;                      /* why it failed */
    struct expression__token token;              /* the one not yet used */
    const char *consumed;                        /* the end of the one before */
    struct expression__collections *collections; /* owned; NULL: there are none */
    uint32_t nesting;
    uint32_t node_count;
    struct cor_node nodes[EXPRESSION__NODES_MAX];
    uint16_t depths[EXPRESSION__NODES_MAX];
};

/* Makes `length` letters of text fit for a message: one line, not too long. */
void expression__quote(const char *text, size_t length, char quoted[EXPRESSION__QUOTED_MAX + 4]);

/* Complains about what stands at `at`. Always false, so that a caller can return it. */
bool expression__complain(struct expression__parser *parser, const char *at, const char *remedy,
                          const char *what);

/* Moves on to the next token. */
bool expression__advance(struct expression__parser *parser);

/* Whether the token is exactly this word. */
bool expression__is_word(const struct expression__token *token, const char *word);

/* Complains about the token. */
bool expression__complain_expected(struct expression__parser *parser, const char *expected);

/* Reads an operand, and all operators behind it that bind at least as tightly. */
bool expression__parse_level(struct expression__parser *parser, enum expression__power power, uint32_t *node);
bool expression__parse_close(struct expression__parser *parser);

/* Over a shape: the word just read, as a query, a path, or a definition; *done says whether it is one. */
bool expression__parse_of_shape(struct expression__parser *parser, const struct expression__token *word,
                                bool *done, uint32_t *node);

/* "element in COLLECTION", the present token being the collection. */
bool expression__parse_in(struct expression__parser *parser, const struct expression__token *word,
                          uint32_t element, uint32_t *node);

/* Notes that a node was written from there to the last token used, unless that is known. */
void expression__note_span(const struct expression__parser *parser, uint32_t node, const char *from);

/* The number of the word that the token quotes. */
bool expression__intern(struct expression__parser *parser, const struct expression__token *token,
                        uint32_t *word);

/* The symbol that the name means, else COR_NONE: then it could be either of `several`, or these are COR_NONE,
 * too. */
uint32_t expression__scope_resolve(const struct cor_scope *scope, const char *name, uint32_t several[2]);

/* What else could have been meant, in the shortest spelling. */
void expression__scope_offer(const struct cor_scope *scope, const char *word, char *remedy, size_t size);

/* Appends a node that gives a value of the type. */
bool expression__put(struct expression__parser *parser, const char *at, struct cor_node node,
                     enum cor_node_type type, uint32_t *index);

/* What a node is: "Level (int)", "the number 5", "the word 'a'", "an agent". */
void expression__describe(const struct expression__parser *parser, uint32_t index, char *text, size_t size);

/* It is nested too deep, at `at`: false. */
bool expression__too_deep(struct expression__parser *parser, const char *at);

/* Leaves: a constant of a type, a variable. */
bool expression__put_integer(struct expression__parser *parser, const char *at, int64_t integer,
                             enum cor_node_type type, uint32_t *node);
bool expression__put_real(struct expression__parser *parser, const char *at, double real, uint32_t *node);
bool expression__put_variable(struct expression__parser *parser, const char *at, uint32_t variable,
                              uint32_t *node);

/* An operator over nodes of types that it works on; others are complained about. `swap`: it stands for its
 * mirror image. */
bool expression__put_unary(struct expression__parser *parser, const struct expression__token *word,
                           enum cor_operator kind, uint32_t child, uint32_t *node);
bool expression__put_binary(struct expression__parser *parser, const struct expression__token *word,
                            enum cor_operator kind, bool swap, uint32_t left, uint32_t right, uint32_t *node);

/* Checks that the operator can join conditions such as this one. */
bool expression__expect_condition(struct expression__parser *parser, const struct expression__token *word,
                                  uint32_t node);

/* Checks that the whole is a value of the domain, made a real where that is meant. Without values: a
 * condition or a number. */
bool expression__expect_result(struct expression__parser *parser, const struct cor_domain *domain,
                               uint32_t *root);

#endif
