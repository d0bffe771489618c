/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Nodes as text. Brackets stand where an operator binds less tightly than the one around it. */
#include "parser.h"

#include <corridor/array.h>

#include <stdlib.h>

struct sign {
    const char *text;
    enum expression__power power;
};

static struct sign sign_of(enum cor_operator kind) {
    switch (kind) {
    case COR_OPERATOR_ADD:
        return (struct sign){" + ", EXPRESSION__POWER_SUM};
    case COR_OPERATOR_SUBTRACT:
        return (struct sign){" - ", EXPRESSION__POWER_SUM};
    case COR_OPERATOR_MULTIPLY:
        return (struct sign){" * ", EXPRESSION__POWER_PRODUCT};
    case COR_OPERATOR_DIVIDE:
        return (struct sign){" / ", EXPRESSION__POWER_PRODUCT};
    case COR_OPERATOR_REMAINDER:
        return (struct sign){" % ", EXPRESSION__POWER_PRODUCT};
    case COR_OPERATOR_LESS:
        return (struct sign){" < ", EXPRESSION__POWER_COMPARE};
    case COR_OPERATOR_LESS_EQUAL:
        return (struct sign){" <= ", EXPRESSION__POWER_COMPARE};
    case COR_OPERATOR_EQUAL:
        return (struct sign){" == ", EXPRESSION__POWER_COMPARE};
    case COR_OPERATOR_NOT_EQUAL:
        return (struct sign){" != ", EXPRESSION__POWER_COMPARE};
    case COR_OPERATOR_AND:
        return (struct sign){" && ", EXPRESSION__POWER_AND};
    case COR_OPERATOR_OR:
        return (struct sign){" || ", EXPRESSION__POWER_OR};
    default:
        return (struct sign){NULL, EXPRESSION__POWER_NEGATE};
    }
}

static char *bracketed_take(char *text) {
    return cor_join_take(cor_join_take(cor_strdup("("), "", text), "", cor_strdup(")"));
}

/* What variables are called, and which of them (may be NULL: none) are truth values kept as 0 and 1. */
struct naming {
    const char *const *names;
    const bool *truths;
};

static char *print(const struct cor_expression *expression, uint32_t index, const struct naming *naming,
                   enum expression__power around);

static char *print_call(const struct cor_expression *expression, const struct cor_node *node,
                        const struct naming *naming) {
    const char *name = node->operator== COR_OPERATOR_MIN   ? "min("
                       : node->operator== COR_OPERATOR_MAX ? "max("
                       : node->operator== COR_OPERATOR_ABS ? "abs("
                                                           : "ceil_div(";
    char *text =
        cor_join_take(cor_strdup(name), "", print(expression, node->left, naming, EXPRESSION__POWER_ANY));
    if (node->operator!= COR_OPERATOR_ABS)
        text = cor_join_take(text, ", ", print(expression, node->right, naming, EXPRESSION__POWER_ANY));
    return cor_join_take(text, "", cor_strdup(")"));
}

static char *print_prefix(const struct cor_expression *expression, const struct cor_node *node,
                          const struct naming *naming, enum expression__power around) {
    const bool denies = node->operator== COR_OPERATOR_NOT;
    const enum expression__power power = denies ? EXPRESSION__POWER_NOT : EXPRESSION__POWER_NEGATE;
    char *child = print(expression, node->left, naming, denies ? EXPRESSION__POWER_ANY : power + 1);
    char *text = cor_join_take(cor_strdup(denies ? "!" : "-"), "", denies ? bracketed_take(child) : child);
    return power < around ? bracketed_take(text) : text;
}

static bool is_zero(const struct cor_node *node) {
    return node->operator== COR_OPERATOR_CONSTANT && node->constant == 0;
}

/* Whether a comparison is how true and false are stored: 0 = 0, 0 != 0. */
static bool is_settled(const struct cor_expression *expression, const struct cor_node *node) {
    return (node->operator== COR_OPERATOR_EQUAL || node->operator== COR_OPERATOR_NOT_EQUAL) &&
           is_zero(&expression->nodes[node->left]) && is_zero(&expression->nodes[node->right]);
}

static bool is_truth(const struct cor_expression *expression, uint32_t node, const struct naming *naming) {
    const struct cor_node *it = &expression->nodes[node];
    return it->operator== COR_OPERATOR_VARIABLE && naming->truths && naming->truths[it->variable];
}

/* The right side of an operator of equal power gets brackets: - and / do not associate. Comparisons do not
 * either. */
static char *print(const struct cor_expression *expression, uint32_t index, const struct naming *naming,
                   enum expression__power around) {
    const struct cor_node *node = &expression->nodes[index];
    const struct sign sign = sign_of(node->operator);
    switch (node->operator) {
    case COR_OPERATOR_CONSTANT:
        return cor_format(node->constant < 0 && around > EXPRESSION__POWER_SUM ? "(%lld)" : "%lld",
                          (long long)node->constant);
    case COR_OPERATOR_VARIABLE:
        return cor_strdup(naming->names[node->variable]);
    case COR_OPERATOR_NEGATE:
    case COR_OPERATOR_NOT:
        return print_prefix(expression, node, naming, around);
    case COR_OPERATOR_MIN:
    case COR_OPERATOR_MAX:
    case COR_OPERATOR_ABS:
    case COR_OPERATOR_CEIL_DIVIDE:
        return print_call(expression, node, naming);
    default:
        break;
    }
    if (node->operator== COR_OPERATOR_EQUAL && is_truth(expression, node->left, naming) &&
        expression->nodes[node->right].operator== COR_OPERATOR_CONSTANT) {
        const char *name = naming->names[expression->nodes[node->left].variable];
        if (expression->nodes[node->right].constant == 1)
            return cor_strdup(name);
        char *text = cor_format("!%s", name);
        return EXPRESSION__POWER_NOT < around ? bracketed_take(text) : text;
    }
    const bool compares = sign.power == EXPRESSION__POWER_COMPARE;
    if (compares && is_settled(expression, node))
        return cor_strdup(node->operator== COR_OPERATOR_EQUAL ? "true" : "false");
    /* "a > b" is stored as "b < a", with b behind a. Of others a made expression may have the left side
     * behind. */
    const bool turned = compares && node->left > node->right;
    const char *between = turned && node->operator== COR_OPERATOR_LESS         ? " > "
                          : turned && node->operator== COR_OPERATOR_LESS_EQUAL ? " >= "
                                                                               : sign.text;
    char *first = print(expression, turned ? node->right : node->left, naming, sign.power + compares);
    char *text = cor_join_take(first, between,
                               print(expression, turned ? node->left : node->right, naming, sign.power + 1));
    return sign.power < around ? bracketed_take(text) : text;
}

char *cor_expression_print(const struct cor_expression *expression, uint32_t node, const char *const *names,
                           const bool *truths) {
    COR_ASSERT(expression->integer_only && node < expression->node_count);
    const struct naming naming = {names, truths};
    return print(expression, node, &naming, EXPRESSION__POWER_ANY);
}
