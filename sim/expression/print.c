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

static char *print(const struct cor_expression *expression, uint32_t index, const char *const *names,
                   enum expression__power around);

static char *print_call(const struct cor_expression *expression, const struct cor_node *node,
                        const char *const *names) {
    const char *name = node->operator== COR_OPERATOR_MIN   ? "min("
                       : node->operator== COR_OPERATOR_MAX ? "max("
                       : node->operator== COR_OPERATOR_ABS ? "abs("
                                                           : "ceil_div(";
    char *text =
        cor_join_take(cor_strdup(name), "", print(expression, node->left, names, EXPRESSION__POWER_ANY));
    if (node->operator!= COR_OPERATOR_ABS)
        text = cor_join_take(text, ", ", print(expression, node->right, names, EXPRESSION__POWER_ANY));
    return cor_join_take(text, "", cor_strdup(")"));
}

static char *print_prefix(const struct cor_expression *expression, const struct cor_node *node,
                          const char *const *names, enum expression__power around) {
    const bool denies = node->operator== COR_OPERATOR_NOT;
    const enum expression__power power = denies ? EXPRESSION__POWER_NOT : EXPRESSION__POWER_NEGATE;
    char *child = print(expression, node->left, names, denies ? EXPRESSION__POWER_ANY : power + 1);
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

/* The right side of an operator of equal power gets brackets: - and / do not associate. Comparisons do not
 * either. */
static char *print(const struct cor_expression *expression, uint32_t index, const char *const *names,
                   enum expression__power around) {
    const struct cor_node *node = &expression->nodes[index];
    const struct sign sign = sign_of(node->operator);
    switch (node->operator) {
    case COR_OPERATOR_CONSTANT:
        return cor_format(node->constant < 0 && around > EXPRESSION__POWER_SUM ? "(%lld)" : "%lld",
                          (long long)node->constant);
    case COR_OPERATOR_VARIABLE:
        return cor_strdup(names[node->variable]);
    case COR_OPERATOR_NEGATE:
    case COR_OPERATOR_NOT:
        return print_prefix(expression, node, names, around);
    case COR_OPERATOR_MIN:
    case COR_OPERATOR_MAX:
    case COR_OPERATOR_ABS:
    case COR_OPERATOR_CEIL_DIVIDE:
        return print_call(expression, node, names);
    default:
        break;
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
    char *first = print(expression, turned ? node->right : node->left, names, sign.power + compares);
    char *text = cor_join_take(first, between,
                               print(expression, turned ? node->left : node->right, names, sign.power + 1));
    return sign.power < around ? bracketed_take(text) : text;
}

char *cor_expression_print(const struct cor_expression *expression, uint32_t node, const char *const *names) {
    COR_ASSERT(expression->integer_only && node < expression->node_count);
    return print(expression, node, names, EXPRESSION__POWER_ANY);
}
