/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Nodes are stored children first, so one pass over them evaluates an expression; nothing recurses. */
#include "evaluate.h"

/* The value of the root; false if any part is undefined. */
static bool evaluate(const struct cor_expression *expression, const int64_t *values, int64_t *value) {
    int64_t known[COR_EXPRESSION_NODES_MAX];
    COR_ASSERT(expression->node_count > 0 && expression->node_count <= COR_EXPRESSION_NODES_MAX);
    for (uint32_t i = 0; i < expression->node_count; i++)
        if (!expression__evaluate_node(&expression->nodes[i], values, known, &known[i]))
            return false;
    *value = known[expression->node_count - 1];
    return true;
}

bool cor_expression_holds(const struct cor_expression *expression, const int64_t *values) {
    COR_ASSERT(expression->is_constraint && expression->integer_only);
    int64_t value;
    return evaluate(expression, values, &value) && value != 0;
}

bool cor_expression_value(const struct cor_expression *expression, const int64_t *values, int64_t *value) {
    COR_ASSERT(!expression->is_constraint && expression->integer_only);
    return evaluate(expression, values, value);
}

static bool is_variable(const struct cor_node *node) {
    enum cor_operator kind = node->operator;
    return kind == COR_OPERATOR_VARIABLE;
}

int cor_expression_last_variable(const struct cor_expression *expression) {
    int last = -1;
    for (uint32_t i = 0; i < expression->node_count; i++) {
        const struct cor_node *node = &expression->nodes[i];
        if (is_variable(node) && (int)node->variable > last)
            last = (int)node->variable;
    }
    return last;
}

bool cor_expression_reads(const struct cor_expression *expression, uint32_t variable) {
    for (uint32_t i = 0; i < expression->node_count; i++)
        if (is_variable(&expression->nodes[i]) && expression->nodes[i].variable == variable)
            return true;
    return false;
}

/* Intervals. A defined value fits 64 bits, so a bound that would not is cut off there and is still a bound.
 */

static const struct cor_value_range nothing = {INT64_MAX, INT64_MIN};

static int64_t add_cut(int64_t a, int64_t b) {
    int64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? (a < 0 ? INT64_MIN : INT64_MAX) : sum;
}

static int64_t subtract_cut(int64_t a, int64_t b) {
    int64_t difference;
    return __builtin_sub_overflow(a, b, &difference) ? (a < 0 ? INT64_MIN : INT64_MAX) : difference;
}

static int64_t negate_cut(int64_t a) {
    return a == INT64_MIN ? INT64_MAX : -a;
}

static int64_t multiply_cut(int64_t a, int64_t b) {
    int64_t product;
    return __builtin_mul_overflow(a, b, &product) ? ((a < 0) == (b < 0) ? INT64_MAX : INT64_MIN) : product;
}

static int64_t divide_cut(int64_t a, int64_t b) {
    int64_t quotient;
    return expression__floor_divide(a, b, &quotient) ? quotient : INT64_MAX;
}

static int64_t ceil_divide_cut(int64_t a, int64_t b) {
    int64_t quotient;
    return expression__ceil_divide(a, b, &quotient) ? quotient : INT64_MAX;
}

static struct cor_value_range hull(struct cor_value_range a, struct cor_value_range b) {
    return (struct cor_value_range){a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high};
}

/* The part of an interval within low .. high. */
static struct cor_value_range part(struct cor_value_range a, int64_t low, int64_t high) {
    struct cor_value_range cut = {a.low > low ? a.low : low, a.high < high ? a.high : high};
    return cut.low <= cut.high ? cut : nothing;
}

/* For an operation that is monotone in each operand while the other is fixed: the extremes are at the
 * corners. */
static struct cor_value_range corners(struct cor_value_range a, struct cor_value_range b,
                                      int64_t (*of)(int64_t, int64_t)) {
    if (a.low > a.high || b.low > b.high)
        return nothing;
    int64_t first = of(a.low, b.low);
    struct cor_value_range found = {first, first};
    int64_t others[] = {of(a.low, b.high), of(a.high, b.low), of(a.high, b.high)};
    for (int i = 0; i < 3; i++)
        found = hull(found, (struct cor_value_range){others[i], others[i]});
    return found;
}

/* Division is monotone on either side of the divisor 0. */
static struct cor_value_range divide(struct cor_value_range a, struct cor_value_range b,
                                     int64_t (*of)(int64_t, int64_t)) {
    return hull(corners(a, part(b, INT64_MIN, -1), of), corners(a, part(b, 1, INT64_MAX), of));
}

static struct cor_value_range remainder_of(struct cor_value_range a, struct cor_value_range b) {
    struct cor_value_range found = nothing, below = part(b, INT64_MIN, -1), above = part(b, 1, INT64_MAX);
    if (below.low <= below.high)
        found = hull(found, (struct cor_value_range){below.low + 1, 0});
    if (above.low <= above.high && a.low >= 0)
        found = hull(found, (struct cor_value_range){a.high < above.low ? a.low : 0,
                                                     a.high < above.high - 1 ? a.high : above.high - 1});
    else if (above.low <= above.high)
        found = hull(found, (struct cor_value_range){0, above.high - 1});
    return found;
}

static struct cor_value_range absolute(struct cor_value_range a) {
    struct cor_value_range mirrored = {negate_cut(a.high), negate_cut(a.low)};
    if (a.low >= 0)
        return a;
    if (a.high <= 0)
        return mirrored;
    return (struct cor_value_range){0, a.high > mirrored.high ? a.high : mirrored.high};
}

static struct cor_value_range node_interval(const struct cor_node *node, struct cor_value_range a,
                                            struct cor_value_range b, const int64_t *low,
                                            const int64_t *high) {
    switch (node->operator) {
    case COR_OPERATOR_CONSTANT:
        return (struct cor_value_range){node->constant, node->constant};
    case COR_OPERATOR_VARIABLE:
        return (struct cor_value_range){low[node->variable], high[node->variable]};
    case COR_OPERATOR_NEGATE:
        return (struct cor_value_range){negate_cut(a.high), negate_cut(a.low)};
    case COR_OPERATOR_ADD:
        return (struct cor_value_range){add_cut(a.low, b.low), add_cut(a.high, b.high)};
    case COR_OPERATOR_SUBTRACT:
        return (struct cor_value_range){subtract_cut(a.low, b.high), subtract_cut(a.high, b.low)};
    case COR_OPERATOR_MULTIPLY:
        return corners(a, b, multiply_cut);
    case COR_OPERATOR_DIVIDE:
        return divide(a, b, divide_cut);
    case COR_OPERATOR_CEIL_DIVIDE:
        return divide(a, b, ceil_divide_cut);
    case COR_OPERATOR_REMAINDER:
        return remainder_of(a, b);
    case COR_OPERATOR_MIN:
        return (struct cor_value_range){a.low < b.low ? a.low : b.low, a.high < b.high ? a.high : b.high};
    case COR_OPERATOR_MAX:
        return (struct cor_value_range){a.low > b.low ? a.low : b.low, a.high > b.high ? a.high : b.high};
    case COR_OPERATOR_ABS:
        return absolute(a);
    case COR_OPERATOR_LESS:
    case COR_OPERATOR_LESS_EQUAL:
    case COR_OPERATOR_EQUAL:
    case COR_OPERATOR_NOT_EQUAL:
    case COR_OPERATOR_AND:
    case COR_OPERATOR_OR:
    case COR_OPERATOR_NOT:
        return (struct cor_value_range){0, 1};
    default: /* of reals and of worlds */
        break;
    }
    return nothing;
}

void cor_expression_intervals(const struct cor_expression *expression, const int64_t *low,
                              const int64_t *high, struct cor_value_range *intervals) {
    COR_ASSERT(expression->integer_only);
    for (uint32_t i = 0; i < expression->node_count; i++) {
        const struct cor_node *node = &expression->nodes[i];
        enum cor_operator kind = node->operator;
        struct cor_value_range a = {0, 0}, b = {0, 0};
        if (kind > COR_OPERATOR_VARIABLE) {
            a = intervals[node->left];
            b = intervals[node->right];
        }
        intervals[i] = a.low > a.high || b.low > b.high ? nothing : node_interval(node, a, b, low, high);
    }
}

struct cor_value_range cor_expression_interval(const struct cor_expression *expression, const int64_t *low,
                                               const int64_t *high) {
    struct cor_value_range intervals[COR_EXPRESSION_NODES_MAX];
    cor_expression_intervals(expression, low, high, intervals);
    return intervals[expression->node_count - 1];
}

/* Reals: what has no bound is infinite. */

static const struct cor_real_range anything = {-INFINITY, INFINITY};

static double multiply_reals(double a, double b) {
    return a == 0 || b == 0 ? 0 : a * b;
}

static double divide_reals(double a, double b) {
    return a == 0 ? 0 : a / b;
}

static double floor_divide_reals(double a, double b) {
    return floor(divide_reals(a, b));
}

static double ceil_divide_reals(double a, double b) {
    return ceil(divide_reals(a, b));
}

static struct cor_real_range real_corners(struct cor_real_range a, struct cor_real_range b,
                                          double (*of)(double, double)) {
    const double at[] = {of(a.low, b.low), of(a.low, b.high), of(a.high, b.low), of(a.high, b.high)};
    struct cor_real_range found = {at[0], at[0]};
    for (int i = 1; i < 4; i++)
        found = (struct cor_real_range){fmin(found.low, at[i]), fmax(found.high, at[i])};
    return isnan(at[0] + at[1] + at[2] + at[3]) ? anything : found;
}

static struct cor_real_range real_node(const struct cor_node *node, struct cor_real_range a,
                                       struct cor_real_range b, const struct cor_real_range *variables) {
    const double constant = node->reals ? node->real : (double)node->constant;
    const bool divides = b.low > 0 || b.high < 0; /* else it may be as near to 0 as it likes */
    switch (node->operator) {
    case COR_OPERATOR_CONSTANT:
        return (struct cor_real_range){constant, constant};
    case COR_OPERATOR_VARIABLE:
        return variables[node->variable];
    case COR_OPERATOR_NEGATE:
        return (struct cor_real_range){-a.high, -a.low};
    case COR_OPERATOR_ADD:
        return (struct cor_real_range){a.low + b.low, a.high + b.high};
    case COR_OPERATOR_SUBTRACT:
        return (struct cor_real_range){a.low - b.high, a.high - b.low};
    case COR_OPERATOR_MULTIPLY:
        return real_corners(a, b, multiply_reals);
    case COR_OPERATOR_DIVIDE:
        return divides ? real_corners(a, b, node->reals ? divide_reals : floor_divide_reals) : anything;
    case COR_OPERATOR_CEIL_DIVIDE:
        return divides ? real_corners(a, b, ceil_divide_reals) : anything;
    case COR_OPERATOR_REMAINDER:
        return (struct cor_real_range){fmin(b.low + 1, 0), fmax(b.high - 1, 0)};
    case COR_OPERATOR_MIN:
        return (struct cor_real_range){fmin(a.low, b.low), fmin(a.high, b.high)};
    case COR_OPERATOR_MAX:
        return (struct cor_real_range){fmax(a.low, b.low), fmax(a.high, b.high)};
    case COR_OPERATOR_ABS:
        return (struct cor_real_range){fmax(fmax(a.low, -a.high), 0), fmax(-a.low, a.high)};
    case COR_OPERATOR_TO_REAL:
        return a;
    case COR_OPERATOR_LESS:
    case COR_OPERATOR_LESS_EQUAL:
    case COR_OPERATOR_EQUAL:
    case COR_OPERATOR_NOT_EQUAL:
    case COR_OPERATOR_AND:
    case COR_OPERATOR_OR:
    case COR_OPERATOR_NOT:
        return (struct cor_real_range){0, 1};
    default: /* of worlds */
        return anything;
    }
}

struct cor_real_range cor_expression_real_range(const struct cor_expression *expression,
                                                const struct cor_real_range *variables) {
    struct cor_real_range ranges[COR_EXPRESSION_NODES_MAX];
    for (uint32_t i = 0; i < expression->node_count; i++) {
        const struct cor_node *node = &expression->nodes[i];
        const bool has_left = node->operator> COR_OPERATOR_VARIABLE && node->left<i,
                   has_right = node->operator> COR_OPERATOR_VARIABLE && node->right<i;
        ranges[i] = real_node(node, has_left ? ranges[node->left] : anything,
                              has_right ? ranges[node->right] : anything, variables);
        if (isnan(ranges[i].low) || isnan(ranges[i].high))
            ranges[i] = anything;
    }
    return ranges[expression->node_count - 1];
}
