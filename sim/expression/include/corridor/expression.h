/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Constraints between integer parameters as users write them: "n_min * s_min <= agents".
 *
 *   constraint := comparison | true | false | ( constraint ) | not constraint | constraint and constraint
 *               | constraint or constraint | constraint implies constraint
 *   comparison := sum (<|<=|=|==|!=|>=|> sum)+     chains read as in mathematics: 2 <= s_min <= s_max
 *   sum        := integers and names with + - * / % and unary -, min(a, b, ..), max(a, b, ..), abs(a),
 *                 ceil_div(a, b)
 *
 * From tight to loose: unary -, * / %, + -, comparisons, not, and, or, implies. "&&", "||" and "!" are other
 * spellings of and, or and not, and bind as these do: "!a < b" denies the comparison.
 *
 * "/" is integer division rounded down, "%" its remainder; ceil_div rounds up. Values are 64-bit. Overflow or
 * division by zero anywhere, even behind an "or", make a constraint false (cor_expression_holds) and a number
 * undefined (cor_expression_value), never a crash. */
#ifndef CORRIDOR_EXPRESSION_H
#define CORRIDOR_EXPRESSION_H

#include <corridor/error.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Nodes are stored children first; the last is the root. A node may have several parents (b in a < b < c).
 * Read by oracle/solve to hand them to z3. "implies" is stored as (not a) or b, ">" as "<" with its sides
 * exchanged, true as 0 = 0. */
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

#define COR_EXPRESSION_NODES_MAX 1000

struct cor_expression {
    char *text;             /* owned; as the user wrote it, with words for && || and ! */
    struct cor_node *nodes; /* owned */
    uint32_t node_count;
    bool is_constraint; /* yields true or false rather than a number */
};

/* Parses `text` over the variables `names` (NULL-terminated). `want_constraint` says which kind is expected.
 * COR_STATUS_INPUT: the cause names the column (from 1) and what was found and expected, an unknown name gets
 * a did-you-mean; `place` (may be NULL) goes in front. At most 200 nodes deep and COR_EXPRESSION_NODES_MAX
 * nodes. A name that is "" cannot be written: it keeps an index free. */
enum cor_status cor_expression_parse(const char *text, const char *const *names, bool want_constraint,
                                     const char *place, struct cor_expression *expression,
                                     struct cor_error *error) COR_MUST_USE;

/* Frees what it holds. Idempotent. */
void cor_expression_fini(struct cor_expression *expression);

/* Does the constraint hold for these values of the variables? An undefined part makes it false. */
bool cor_expression_holds(const struct cor_expression *expression, const int64_t *values);

/* The number, false when undefined (overflow, division by zero). */
bool cor_expression_value(const struct cor_expression *expression, const int64_t *values, int64_t *value);

/* The highest index of a variable it reads, -1 for none: a constraint can be checked once that variable is
 * known. */
int cor_expression_last_variable(const struct cor_expression *expression);

/* Whether it reads variable `variable`. */
bool cor_expression_reads(const struct cor_expression *expression, uint32_t variable);

/* The values that a node can take; low > high: none, it is undefined whatever the variables are. */
struct cor_value_range {
    int64_t low, high;
};

/* For every node, bounds of its defined values when each variable ranges over low[v] .. high[v] (inclusive):
 * never too narrow, often wider than the truth. Conditions are 0 .. 1. `intervals` has room for node_count.
 */
void cor_expression_intervals(const struct cor_expression *expression, const int64_t *low,
                              const int64_t *high, struct cor_value_range *intervals);

/* The same for the whole expression alone. */
struct cor_value_range cor_expression_interval(const struct cor_expression *expression, const int64_t *low,
                                               const int64_t *high);

#endif
