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
 * undefined (cor_expression_value), never a crash.
 *
 * Over names with domains (struct cor_scope) the language has values, too: reals (0.5, 1e3), words ('any
 * text', a quote within doubled), null, and truth values: a name of theirs is a condition by itself, "True"
 * and "False" are other spellings of true and false, and = and != compare conditions. What does not go
 * together is refused when it is parsed.
 *
 * - Integers and reals mix, and an integer beside a real counts as the nearest real; "/" between reals
 *   divides without rounding, "%" and ceil_div work on integers alone; a real that overflows or divides by
 *   zero is undefined.
 * - Words and null have = and != only; a word compared with a name is one that the name's domain has; null is
 *   compared with strings only.
 * - A name that ends in ".Field" may be written "Field" where no name is called so and only one ends so, or
 *   one of these belongs to the scope's home; a name that is no identifier is written in square brackets.
 *
 * Over a shape (world.h) it has collections and three values, too: see there. */
#ifndef CORRIDOR_EXPRESSION_H
#define CORRIDOR_EXPRESSION_H

#include <corridor/error.h>
#include <corridor/value.h>

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
    COR_OPERATOR_NOT,
    COR_OPERATOR_TO_REAL, /* of an integer; only where not integer_only */

    /* Only over a shape. An element is its index. A collection is `variable` of the element `left`, or, where
     * that is COR_NONE, all of the type `element`. */
    COR_OPERATOR_BIND,      /* of the collection one after the other; `constant`: the node of its query */
    COR_OPERATOR_ATTRIBUTE, /* `variable` of the element `left`, whose type is `element` */
    COR_OPERATOR_BEFORE,    /* the same, in the state before */
    COR_OPERATOR_REFERENCE, /* likewise; gives an element */
    COR_OPERATOR_IN,        /* the element `right` is in the collection */
    COR_OPERATOR_SIZE,      /* of the collection */
    COR_OPERATOR_COUNT,     /* queries: `left` is the node of the filter or their BIND, `right` that of the */
    COR_OPERATOR_ALL, /* body or their BIND, `variable` the BIND; what they go over stands between BIND */
    COR_OPERATOR_ANY, /* and query */
    COR_OPERATOR_ONE,
    COR_OPERATOR_SUM,
    COR_OPERATOR_LEAST,
    COR_OPERATOR_GREATEST,
    COR_OPERATOR_MEAN
};

/* An operator with its operands, a constant or a variable; operands have lower indices. */
struct cor_node {
    enum cor_operator operator;
    uint32_t left, right; /* node indices; unary: left */
    uint8_t decimals;     /* of an EFSM: the integer is that many decimal places of what was written */
    bool aligns;          /* of an EFSM: a product that only gives `left` more decimal places */
    union {
        int64_t constant; /* CONSTANT: an integer; a word's number, -1 for null */
        double real;      /* CONSTANT of reals */
    };
    uint32_t variable; /* VARIABLE: index among the names given to the parser */
    bool reals;        /* it works on reals: what it joins or compares, its constant, its variable */
    uint8_t type;      /* over a shape: enum cor_node_type of what it gives */
    uint8_t element;   /* over a shape: a type of elements, by its index */
    uint8_t exactness; /* over a shape, of reals: enum cor_exactness */
};

/* How well it is known what a real is, and, of a comparison of reals, what decides it. */
enum cor_exactness {
    COR_READ,    /* it was only read, or is the least or the greatest of such: as it was said */
    COR_EXACT,   /* reckoned from integers and counts alone: a fraction */
    COR_CHOSEN,  /* the least or the greatest of both */
    COR_ROUNDED, /* reckoned from reals: another way of reckoning may give a real that is a little different */
};

/* What a node gives. */
enum cor_node_type {
    COR_NODE_INTEGER,
    COR_NODE_REAL,
    COR_NODE_TRUTH,
    COR_NODE_WORD,
    COR_NODE_NULL,
    COR_NODE_ELEMENT
};

/* Where a node was written. */
struct cor_span {
    const char *at; /* borrowed: in the text, or in that of a definition */
    uint32_t length;
};

#define COR_EXPRESSION_NODES_MAX 1000

/* An expression as it was parsed; keeps neither names nor scope. Freed by cor_expression_fini. */
struct cor_expression {
    char *text;             /* owned; as the user wrote it, with words for && || and ! */
    struct cor_node *nodes; /* owned */
    struct cor_span *spans; /* owned; of nodes, over a shape; else NULL */
    const char **units;     /* owned array; likewise: of the shape, borrowed; NULL: none, or not known */
    uint32_t node_count;
    bool is_constraint; /* yields true or false rather than a number, a word or null */
    bool integer_only;  /* only integers, compared and reckoned with: what cor_expression_holds, _value,
                           _intervals  and z3 understand; always, when parsed by cor_expression_parse */
    uint8_t result;     /* enum cor_value_kind of the value; a WORD may be null */
};

/* Parses `text` over the variables `names` (NULL-terminated). `want_constraint` says which kind is expected.
 * COR_STATUS_INPUT: the cause names the column (from 1) and what was found and expected, an unknown name gets
 * a did-you-mean; `place` (may be NULL) goes in front. At most 200 nodes deep and COR_EXPRESSION_NODES_MAX
 * nodes. A name that is "" cannot be written: it keeps an index free. */
enum cor_status cor_expression_parse(const char *text, const char *const *names, bool want_constraint,
                                     const char *place, struct cor_expression *expression,
                                     struct cor_error *error) COR_MUST_USE;

/* What the names in an expression mean. */
struct cor_symbol {
    const char *name;                /* borrowed; "" keeps an index free */
    const struct cor_domain *domain; /* borrowed */
};

/* The names that an expression may use, and where new words go. */
struct cor_scope {
    const struct cor_symbol *symbols; /* borrowed; variable i of an expression is symbol i */
    uint32_t symbol_count;
    const char *home; /* borrowed, may be NULL: the "set" whose "set.Field" is meant by "Field" first */
    struct cor_words *words;       /* borrowed; gets the words that the expression is the first to use */
    const struct cor_shape *shape; /* borrowed; what collections there are (world.h); NULL: none */
    const char *source; /* borrowed, with a shape: the file that the texts stand in, for lines in messages: a
                           line ends with a line end or 0; NULL: none */
    /* What an element of a type of the shape is called in sentences, or NULL: its number; NULL: numbers. */
    const char *(*element_name)(const void *elements, uint32_t type, uint32_t element);
    const void *elements; /* borrowed */
};

/* The symbol that `name` means in the scope, COR_NONE if it means none or could mean several. */
uint32_t cor_scope_find(const struct cor_scope *scope, const char *name);

/* A word of the language, as "and": it names nothing else. */
bool cor_expression_is_reserved(const char *name);

/* Parses a condition over values. Errors as above; what is compared with what is said where it cannot be. */
enum cor_status cor_expression_parse_condition(const char *text, const struct cor_scope *scope,
                                               const char *place, struct cor_expression *expression,
                                               struct cor_error *error) COR_MUST_USE;

/* Parses what gives a value of `domain`: a condition for truth values, else a number, a word or null. An
 * integer is a real where reals are meant, never the other way round; a word is one of the domain's. */
enum cor_status cor_expression_parse_value(const char *text, const struct cor_scope *scope,
                                           const struct cor_domain *domain, const char *place,
                                           struct cor_expression *expression,
                                           struct cor_error *error) COR_MUST_USE;

/* Frees what it holds. Idempotent. */
void cor_expression_fini(struct cor_expression *expression);

/* Does the condition hold for these values of the symbols, each of its domain? For any constraint, however it
 * was parsed. An undefined part makes it false. */
bool cor_expression_judge(const struct cor_expression *expression, const struct cor_value *values);

/* The value of any expression, a truth value as 0 or 1; false when undefined. */
bool cor_expression_evaluate(const struct cor_expression *expression, const struct cor_value *values,
                             struct cor_value *value);

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

/* Numbers between bounds, which may be infinite. */
struct cor_real_range {
    double low, high;
};

/* cor_expression_interval of any number, over reals; of a query any number can come. What is rounded may lie
 * beyond by its rounding. */
struct cor_real_range cor_expression_real_range(const struct cor_expression *expression,
                                                const struct cor_real_range *variables);

#define COR_DEGREE_INFINITE UINT64_MAX

/* How far the constraint is from holding (paper 004, figure 8): 0 if and only if it holds. a = b is violated
 * by |a - b|, a <= b by the excess of a, a < b by one more, a != b by 1; "and" adds, "or" takes the least,
 * "not" is pushed inside first. Sums saturate. COR_DEGREE_INFINITE where a part is undefined, and where
 * constants alone make it false. */
uint64_t cor_expression_degree(const struct cor_expression *expression, const int64_t *values);

/* What cor_expression_decide can say of a constraint. */
enum cor_decision {
    COR_DECISION_OPEN,  /* the ranges do not tell */
    COR_DECISION_NEVER, /* it holds for no values within the ranges */
    COR_DECISION_ALWAYS /* it holds for all values within the ranges for which it is defined */
};

/* What the ranges low[v] .. high[v] (inclusive) of the variables say about a constraint, by intervals alone.
 */
enum cor_decision cor_expression_decide(const struct cor_expression *expression, const int64_t *low,
                                        const int64_t *high);

/* What variables are called, and what their integers stand for; all borrowed, [variable]. */
struct cor_naming {
    const char *const *names;
    const bool *truths;              /* truth values kept as 0 and 1; NULL: none */
    const char *const *const *words; /* words kept as 0, 1, ..; NULL: none, also of a variable */
};

/* The expression below node `node` as text that is parsed to the same again, with the signs of the language:
 * "x + 1 < y && !(z == 0)". Freed with free(); NULL when memory is out. For integers only; of truth values
 * "x == 1" is "x", "x == 0" "!x"; of words "x == 1" is "x == 'busy'"; a constant of decimals is "10.50". */
char *cor_expression_print(const struct cor_expression *expression, uint32_t node,
                           const struct cor_naming *naming);

#define COR_DECIMALS_MAX 9

/* `units`, of which one is the last of so many decimal places, as text: "-0.50"; freed with free(). */
char *cor_decimal_text(int64_t units, unsigned decimals);

/* The units of a real that has at most so many decimal places, as people write it; false: it has more, or is
 * too large (10^15 units) for that to be told. */
bool cor_decimal_units(double real, unsigned decimals, int64_t *units);

/* 10 to the power of up to 18. */
int64_t cor_power_of_ten(unsigned exponent);

#endif
