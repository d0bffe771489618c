/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How far a constraint is from holding, and whether ranges alone decide it. Both go over the nodes once, and
 * carry for each condition what it says of itself and of its denial: so a "not" only exchanges the two. */
#include "ask.h"

#include "evaluate.h"

#define FAR COR_DEGREE_INFINITE

/* Of a condition: its degree, and that of its denial. */
struct degrees {
    uint64_t of, of_denial;
};

static uint64_t add(uint64_t a, uint64_t b) {
    return a > FAR - b ? FAR : a + b;
}

static uint64_t least(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

/* By how much a exceeds b, 0 if it does not. Exact: the difference of two int64_t fits uint64_t. */
static uint64_t excess(int64_t a, int64_t b) {
    return a > b ? (uint64_t)a - (uint64_t)b : 0;
}

/* a < b is violated by a - b + 1, a <= b by a - b. */
static uint64_t less(int64_t a, int64_t b) {
    return a >= b ? add(excess(a, b), 1) : 0;
}

static uint64_t equal(int64_t a, int64_t b) {
    return a > b ? excess(a, b) : excess(b, a);
}

static struct degrees compared(enum cor_operator kind, int64_t a, int64_t b) {
    const uint64_t differ = a == b; /* the nearer of a < b and a > b, which are off by 1 */
    switch (kind) {
    case COR_OPERATOR_LESS:
        return (struct degrees){less(a, b), excess(b, a)};
    case COR_OPERATOR_LESS_EQUAL:
        return (struct degrees){excess(a, b), less(b, a)};
    case COR_OPERATOR_EQUAL:
        return (struct degrees){equal(a, b), differ};
    default:
        return (struct degrees){differ, equal(a, b)};
    }
}

static bool is_constant(const struct cor_node *node) {
    enum cor_operator kind = node->operator;
    return kind == COR_OPERATOR_CONSTANT;
}

static struct degrees degrees_of(const struct cor_node *nodes, const struct cor_node *node,
                                 const struct degrees *known, const int64_t *values) {
    const struct degrees a = known[node->left], b = known[node->right];
    switch (node->operator) {
    case COR_OPERATOR_LESS:
    case COR_OPERATOR_LESS_EQUAL:
    case COR_OPERATOR_EQUAL:
    case COR_OPERATOR_NOT_EQUAL: {
        struct degrees d = compared(node->operator, values[node->left], values[node->right]);
        /* No value makes what compares constants hold if it does not: false is infinitely far from it. */
        if (is_constant(&nodes[node->left]) && is_constant(&nodes[node->right]))
            return (struct degrees){d.of ? FAR : 0, d.of_denial ? FAR : 0};
        return d;
    }
    case COR_OPERATOR_AND:
        return (struct degrees){add(a.of, b.of), least(a.of_denial, b.of_denial)};
    case COR_OPERATOR_OR:
        return (struct degrees){least(a.of, b.of), add(a.of_denial, b.of_denial)};
    case COR_OPERATOR_NOT:
        return (struct degrees){a.of_denial, a.of};
    default:
        return (struct degrees){0, 0}; /* of a number: nobody asks */
    }
}

uint64_t cor_expression_degree(const struct cor_expression *expression, const int64_t *values) {
    int64_t known[COR_EXPRESSION_NODES_MAX];
    struct degrees degrees[COR_EXPRESSION_NODES_MAX];
    COR_ASSERT(expression->is_constraint && expression->integer_only);
    COR_ASSERT(expression->node_count > 0 && expression->node_count <= COR_EXPRESSION_NODES_MAX);
    degrees[0] = (struct degrees){0, 0}; /* leaves have no children, but their indices are 0 */
    known[0] = 0;
    for (uint32_t i = 0; i < expression->node_count; i++) {
        const struct cor_node *node = &expression->nodes[i];
        if (!expression__evaluate_node(node, values, known, &known[i]))
            return FAR;
        degrees[i] = degrees_of(expression->nodes, node, degrees, known);
    }
    return degrees[expression->node_count - 1].of;
}

/* ---- in a world, in parts of 1 */

static uint64_t times(uint64_t a, uint64_t parts) {
    return a > FAR / parts ? FAR : a * parts;
}

static uint64_t excess_of_reals(double a, double b, uint64_t parts) {
    const double by = (a - b) * (double)parts;
    return by <= 0 ? 0 : by >= 0x1p64 ? FAR : (uint64_t)ceil(by);
}

static struct degrees compared_reals(enum cor_operator kind, double a, double b, uint64_t parts) {
    const uint64_t over = excess_of_reals(a, b, parts), under = excess_of_reals(b, a, parts), differ = a == b;
    switch (kind) {
    case COR_OPERATOR_LESS:
        return (struct degrees){a >= b ? add(over, 1) : 0, under};
    case COR_OPERATOR_LESS_EQUAL:
        return (struct degrees){over, b >= a ? add(under, 1) : 0};
    case COR_OPERATOR_EQUAL:
        return (struct degrees){over + under, differ};
    default:
        return (struct degrees){differ, over + under};
    }
}

/* A condition of the world that is no query; what it joins is known. */
static struct degrees degrees_in(const struct expression__ask *ask, uint32_t index,
                                 const struct degrees *degrees, uint64_t parts) {
    const struct cor_node *node = &ask->nodes[index];
    const enum cor_operator kind = node->operator;
    const bool compares = kind >= COR_OPERATOR_LESS && kind <= COR_OPERATOR_NOT_EQUAL;
    if (kind == COR_OPERATOR_AND || kind == COR_OPERATOR_OR || kind == COR_OPERATOR_NOT)
        return degrees_of(ask->nodes, node, degrees, ask->known);
    if (ask->unknown[index])
        return (struct degrees){FAR, FAR};
    if (compares && node->reals) {
        struct degrees made = compared_reals(kind, expression__real_of(ask->known[node->left]),
                                             expression__real_of(ask->known[node->right]), parts);
        if ((made.of == 0) != (ask->known[index] != 0)) /* fractions that are next to the same real */
            made = ask->known[index] ? (struct degrees){0, 1} : (struct degrees){1, 0};
        return made;
    }
    if (compares && ask->nodes[node->left].type == COR_NODE_INTEGER) {
        const struct degrees whole = degrees_of(ask->nodes, node, degrees, ask->known);
        return (struct degrees){times(whole.of, parts), times(whole.of_denial, parts)};
    }
    /* What is true or false, and nothing between. */
    const bool is_true = ask->known[index] != 0;
    return (struct degrees){is_true ? 0 : parts, is_true ? parts : 0};
}

static void look(struct expression__ask *ask, uint32_t first, uint32_t end, struct degrees *degrees,
                 uint64_t parts);

/* "all" or "any" that begins at the BIND. */
static struct degrees look_at_each(struct expression__ask *ask, uint32_t start, struct degrees *degrees,
                                   uint64_t parts) {
    const uint32_t end = (uint32_t)ask->nodes[start].constant;
    const struct cor_node *query = &ask->nodes[end];
    const bool is_any = query->operator== COR_OPERATOR_ANY;
    struct expression__range range;
    /* Of "any"; that of "all" is the denial of "any" of the denial. */
    struct degrees all = {FAR, 0};
    if (!expression__ask_range(ask, &ask->nodes[start], &range))
        return (struct degrees){FAR, FAR};
    for (uint32_t i = 0; i < range.count; i++) {
        if (ask->steps < end - start)
            return (struct degrees){FAR, FAR};
        ask->steps -= end - start;
        if (!expression__ask_bind(ask, start, &range, i))
            continue;
        expression__ask_nodes(ask, start + 1, end);
        look(ask, start + 1, end, degrees, parts);
        const struct degrees filter = query->left == start ? (struct degrees){0, FAR} : degrees[query->left];
        const struct degrees body = degrees[query->right];
        all.of = least(all.of, add(filter.of, is_any ? body.of : body.of_denial));
        all.of_denial = add(all.of_denial, least(filter.of_denial, is_any ? body.of_denial : body.of));
    }
    return is_any ? all : (struct degrees){all.of_denial, all.of};
}

/* The degrees of the nodes first .. end - 1, whose values are known. */
static void look(struct expression__ask *ask, uint32_t first, uint32_t end, struct degrees *degrees,
                 uint64_t parts) {
    for (uint32_t i = first; i < end; i++) {
        const uint32_t start = i;
        degrees[i] = (struct degrees){0, 0};
        if (ask->nodes[i].operator== COR_OPERATOR_BIND) {
            i = (uint32_t)ask->nodes[i].constant;
            const enum cor_operator kind = ask->nodes[i].operator;
            if (kind == COR_OPERATOR_ALL || kind == COR_OPERATOR_ANY) {
                degrees[i] = look_at_each(ask, start, degrees, parts);
                continue;
            }
        }
        if (ask->nodes[i].type == COR_NODE_TRUTH)
            degrees[i] = degrees_in(ask, i, degrees, parts);
    }
}

void cor_expression_degrees_in(const struct cor_expression *expression, const struct cor_value *values,
                               const struct cor_world *world, uint64_t parts, uint64_t *of,
                               uint64_t *of_denial) {
    COR_ASSERT(expression->is_constraint && expression->spans && parts > 0);
    struct expression__ask ask;
    struct degrees degrees[COR_EXPRESSION_NODES_MAX];
    expression__ask_begin(&ask, expression, values, world);
    expression__ask_nodes(&ask, 0, expression->node_count);
    look(&ask, 0, expression->node_count, degrees, parts);
    *of = degrees[expression->node_count - 1].of;
    *of_denial = degrees[expression->node_count - 1].of_denial;
}

uint64_t cor_expression_degree_in(const struct cor_expression *expression, const struct cor_value *values,
                                  const struct cor_world *world) {
    uint64_t of, of_denial;
    cor_expression_degrees_in(expression, values, world, 1, &of, &of_denial);
    return of;
}

/* What ranges say of conditions: can it hold, can it fail. */
struct chances {
    bool hold, fail;
};

static struct chances chances_of_comparison(enum cor_operator kind, struct cor_value_range a,
                                            struct cor_value_range b) {
    const bool meet = a.low <= b.high && b.low <= a.high;
    const bool same = a.low == a.high && b.low == b.high && a.low == b.low;
    switch (kind) {
    case COR_OPERATOR_LESS:
        return (struct chances){a.low < b.high, a.high >= b.low};
    case COR_OPERATOR_LESS_EQUAL:
        return (struct chances){a.low <= b.high, a.high > b.low};
    case COR_OPERATOR_EQUAL:
        return (struct chances){meet, !same};
    default:
        return (struct chances){!same, meet};
    }
}

static struct chances chances_of(const struct cor_node *node, const struct chances *known,
                                 const struct cor_value_range *ranges) {
    const struct chances a = known[node->left], b = known[node->right];
    switch (node->operator) {
    case COR_OPERATOR_LESS:
    case COR_OPERATOR_LESS_EQUAL:
    case COR_OPERATOR_EQUAL:
    case COR_OPERATOR_NOT_EQUAL:
        return chances_of_comparison(node->operator, ranges[node->left], ranges[node->right]);
    case COR_OPERATOR_AND:
        return (struct chances){a.hold && b.hold, a.fail || b.fail};
    case COR_OPERATOR_OR:
        return (struct chances){a.hold || b.hold, a.fail && b.fail};
    case COR_OPERATOR_NOT:
        return (struct chances){a.fail, a.hold};
    default:
        return (struct chances){false, false};
    }
}

enum cor_decision cor_expression_decide(const struct cor_expression *expression, const int64_t *low,
                                        const int64_t *high) {
    struct cor_value_range ranges[COR_EXPRESSION_NODES_MAX];
    struct chances chances[COR_EXPRESSION_NODES_MAX];
    COR_ASSERT(expression->is_constraint && expression->integer_only);
    cor_expression_intervals(expression, low, high, ranges);
    chances[0] = (struct chances){false, false};
    for (uint32_t i = 0; i < expression->node_count; i++) {
        if (ranges[i].low > ranges[i].high)
            return COR_DECISION_NEVER; /* undefined whatever the variables are */
        chances[i] = chances_of(&expression->nodes[i], chances, ranges);
    }
    const struct chances root = chances[expression->node_count - 1];
    return !root.hold ? COR_DECISION_NEVER : !root.fail ? COR_DECISION_ALWAYS : COR_DECISION_OPEN;
}
