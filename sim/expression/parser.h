/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of the parser share: parse.c reads tokens, parse.c appends nodes and knows what goes
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

/* Moves on to the next token. */
bool expression__advance(struct expression__parser *parser);

/* Whether the token is exactly this word. */
bool expression__is_word(const struct expression__token *token, const char *word);

#endif
