/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Constraints between integer parameters as users write them: "n_min * s_min <= agents".
 *
 *   constraint := comparison | constraint and|or constraint | not constraint | ( constraint ) | constraint implies constraint
 *   comparison := sum (<|<=|=|==|!=|>=|> sum)+          chains read as in mathematics: 2 <= s_min <= s_max
 *   sum        := integers and names with + - * / % and unary -, min(a, b, ..), max(a, b, ..), abs(a), ceil_div(a, b)
 *
 * "/" is integer division rounded down, "%" its remainder. Values are 64-bit; overflow and division by zero make a
 * constraint false (cor_expression_holds) or undefined (cor_expression_value), never a crash. */
#ifndef CORRIDOR_EXPRESSION_H
#define CORRIDOR_EXPRESSION_H

#include <corridor/error.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Nodes are stored children first; the last is the root. Read by oracle/solve to hand them to z3. */
enum cor_operator {
    COR_OPERATOR_CONSTANT,
    COR_OPERATOR_VARIABLE,
    COR_OPERATOR_NEGATE,
    COR_OPERATOR_ADD,
    COR_OPERATOR_SUBTRACT,
    COR_OPERATOR_MULTIPLY,
    COR_OPERATOR_DIVIDE,
    COR_OPERATOR_REMAINDER,
    COR_OPERATOR_CEIL_DIVIDE,
    COR_OPERATOR_MIN,
    COR_OPERATOR_MAX,
    COR_OPERATOR_ABS,
    COR_OPERATOR_LESS,
    COR_OPERATOR_LESS_EQUAL,
    COR_OPERATOR_EQUAL,
    COR_OPERATOR_NOT_EQUAL,
    COR_OPERATOR_AND,
    COR_OPERATOR_OR,
    COR_OPERATOR_NOT
};

struct cor_node {
    enum cor_operator operator;
    uint32_t left, right; /* node indices; unary: left */
    int64_t constant;     /* CONSTANT */
    uint32_t variable;    /* VARIABLE: index among the names given to the parser */
};

struct cor_expression {
    char *text;             /* owned; as the user wrote it */
    struct cor_node *nodes; /* owned */
    uint32_t node_count;
    bool is_constraint; /* yields true or false rather than a number */
};

/* Parses `text` over the variables `names` (NULL-terminated). `want_constraint` says which kind is expected.
 * COR_STATUS_INPUT: the cause names the column (from 1) and what was found and expected, an unknown name gets a
 * did-you-mean; `place` (may be NULL) goes in front. At most 200 nodes deep and 1,000 nodes. */
enum cor_status cor_expression_parse(const char *text, const char *const *names, bool want_constraint,
                                     const char *place, struct cor_expression *expression,
                                     struct cor_error *error) COR_MUST_USE;

void cor_expression_fini(struct cor_expression *expression);

/* Does the constraint hold for these values of the variables? An undefined part makes it false. */
bool cor_expression_holds(const struct cor_expression *expression, const int64_t *values);

/* The number, false when undefined (overflow, division by zero). */
bool cor_expression_value(const struct cor_expression *expression, const int64_t *values, int64_t *value);

/* The highest index of a variable it reads, -1 for none: a constraint can be checked once that variable is known. */
int cor_expression_last_variable(const struct cor_expression *expression);

/* Whether it reads variable `variable`. */
bool cor_expression_reads(const struct cor_expression *expression, uint32_t variable);

#endif
