/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Random expressions over integers, as trees: printed for the parser, and evaluated here, recursively and in
 * 128 bits. */
#ifndef CORRIDOR_SIM_EXPRESSION_TESTS_INTEGER_TREES_H
#define CORRIDOR_SIM_EXPRESSION_TESTS_INTEGER_TREES_H

#include <corridor/expression.h>
#include <corridor/rng.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *const names[] = {"agents", "s_min", "s_max", "n_min", "n_max", NULL};
enum { VARIABLES = 5 };

static struct cor_rng stream(uint64_t seed) {
    return cor_rng_named(&(struct cor_stream_name){.seed = seed, .purpose = COR_PURPOSE_TEST});
}

static struct cor_expression parsed(const char *text, bool constraint) {
    struct cor_expression expression;
    struct cor_error error = COR_NO_ERROR;
    if (cor_expression_parse(text, names, constraint, NULL, &expression, &error) != COR_OK)
        fail_msg("%s: %s", text, error.cause);
    return expression;
}

struct tree {
    enum cor_operator op;
    struct tree *left, *right;
    int64_t number;
};

enum { TREE_MAX = 200 };
struct forest {
    struct tree trees[TREE_MAX];
    int used;
};

static struct tree *plant(struct forest *forest, enum cor_operator op, struct tree *left,
                          struct tree *right) {
    assert_true(forest->used < TREE_MAX);
    struct tree *tree = &forest->trees[forest->used++];
    *tree = (struct tree){op, left, right, 0};
    return tree;
}

static struct tree *random_number(struct cor_rng *rng, struct forest *forest, int depth) {
    uint32_t kind = cor_rng_below(rng, 12);
    if (depth == 0 || kind < 2) {
        uint32_t variable = cor_rng_below(rng, 2);
        struct tree *leaf =
            plant(forest, variable ? COR_OPERATOR_VARIABLE : COR_OPERATOR_CONSTANT, NULL, NULL);
        uint32_t number = cor_rng_below(rng, variable ? VARIABLES : 20);
        leaf->number = number;
        if (!variable && number == 19)
            leaf->number = INT64_MAX / 3;
        return leaf;
    }
    enum cor_operator op = (enum cor_operator)(COR_OPERATOR_NEGATE + kind - 2);
    bool unary = kind == 2 || kind == 11;
    if (kind == 11)
        op = COR_OPERATOR_ABS;
    struct tree *left = random_number(rng, forest, depth - 1);
    struct tree *right = unary ? NULL : random_number(rng, forest, depth - 1);
    return plant(forest, op, left, right);
}

static struct tree *random_condition(struct cor_rng *rng, struct forest *forest, int depth) {
    uint32_t kind = cor_rng_below(rng, depth > 0 ? 7 : 4);
    enum cor_operator op = (enum cor_operator)(COR_OPERATOR_LESS + kind);
    if (kind < 4) {
        struct tree *a = random_number(rng, forest, 2);
        struct tree *b = random_number(rng, forest, 2);
        return plant(forest, op, a, b);
    }
    struct tree *left = random_condition(rng, forest, depth - 1);
    struct tree *right = kind == 6 ? NULL : random_condition(rng, forest, depth - 1);
    return plant(forest, op, left, right);
}

/* Binding power and sign of each operator, by the grammar of the header; calls and leaves never need
 * brackets. */
static const struct {
    int power;
    const char *sign;
} written[] = {
    [COR_OPERATOR_CONSTANT] = {9, ""},
    [COR_OPERATOR_VARIABLE] = {9, ""},
    [COR_OPERATOR_NEGATE] = {8, "-"},
    [COR_OPERATOR_ADD] = {5, "+"},
    [COR_OPERATOR_SUBTRACT] = {5, "-"},
    [COR_OPERATOR_MULTIPLY] = {6, "*"},
    [COR_OPERATOR_DIVIDE] = {6, "/"},
    [COR_OPERATOR_REMAINDER] = {6, "%"},
    [COR_OPERATOR_CEIL_DIVIDE] = {9, "ceil_div"},
    [COR_OPERATOR_MIN] = {9, "min"},
    [COR_OPERATOR_MAX] = {9, "max"},
    [COR_OPERATOR_ABS] = {9, "abs"},
    [COR_OPERATOR_LESS] = {4, "<"},
    [COR_OPERATOR_LESS_EQUAL] = {4, "<="},
    [COR_OPERATOR_EQUAL] = {4, "=="},
    [COR_OPERATOR_NOT_EQUAL] = {4, "!="},
    [COR_OPERATOR_AND] = {2, "and"},
    [COR_OPERATOR_OR] = {1, "or"},
    [COR_OPERATOR_NOT] = {3, "not"},
};

static void print(struct cor_rng *rng, const struct tree *tree, char *text);

/* A child, in brackets if it binds less tightly than `power`, and at times without need. */
static void print_child(struct cor_rng *rng, const struct tree *tree, int power, char *text) {
    bool brackets = written[tree->op].power < power;
    if (!brackets)
        brackets = cor_rng_below(rng, 8) == 0;
    strcat(text, brackets ? "(" : "");
    print(rng, tree, text);
    strcat(text, brackets ? ")" : "");
}

static void print(struct cor_rng *rng, const struct tree *tree, char *text) {
    int power = written[tree->op].power;
    const char *sign = written[tree->op].sign;
    if (!tree->left) {
        if (tree->op == COR_OPERATOR_VARIABLE)
            strcat(text, names[tree->number]);
        else
            sprintf(text + strlen(text), "%lld", (long long)tree->number);
    } else if (power == 9) {
        strcat(text, sign);
        strcat(text, "(");
        print_child(rng, tree->left, 0, text);
        if (tree->right) {
            strcat(text, ", ");
            print_child(rng, tree->right, 0, text);
        }
        strcat(text, ")");
    } else if (!tree->right) {
        strcat(text, sign);
        strcat(text, " ");
        print_child(rng, tree->left, power, text);
    } else {
        /* To the left of itself an operator groups by itself; a comparison within a comparison cannot occur.
         */
        print_child(rng, tree->left, power, text);
        sprintf(text + strlen(text), " %s ", sign);
        print_child(rng, tree->right, power + 1, text);
    }
}

/* In 128 bits nothing here overflows unnoticed: operands fit 64. */
static bool evaluate(const struct tree *tree, const int64_t *values, int64_t *value) {
    int64_t left = 0, right = 0;
    bool defined = (!tree->left || evaluate(tree->left, values, &left)) &&
                   (!tree->right || evaluate(tree->right, values, &right));
    if (!defined)
        return false;
    __extension__ __int128 a = left, b = right, found = 0;
    switch (tree->op) {
    case COR_OPERATOR_CONSTANT:
        found = tree->number;
        break;
    case COR_OPERATOR_VARIABLE:
        found = values[tree->number];
        break;
    case COR_OPERATOR_NEGATE:
        found = -a;
        break;
    case COR_OPERATOR_ADD:
        found = a + b;
        break;
    case COR_OPERATOR_SUBTRACT:
        found = a - b;
        break;
    case COR_OPERATOR_MULTIPLY:
        found = a * b;
        break;
    case COR_OPERATOR_DIVIDE:
    case COR_OPERATOR_REMAINDER:
    case COR_OPERATOR_CEIL_DIVIDE:
        if (b == 0)
            return false;
        found = a / b; /* searched from there: the largest q with q * b <= a, for b > 0 */
        while (b > 0 ? found * b > a : found * b < a)
            found--;
        while (b > 0 ? (found + 1) * b <= a : (found + 1) * b >= a)
            found++;
        if (tree->op == COR_OPERATOR_REMAINDER)
            found = a - found * b;
        else if (tree->op == COR_OPERATOR_CEIL_DIVIDE)
            found += found * b != a;
        break;
    case COR_OPERATOR_MIN:
        found = a < b ? a : b;
        break;
    case COR_OPERATOR_MAX:
        found = a > b ? a : b;
        break;
    case COR_OPERATOR_ABS:
        found = a < 0 ? -a : a;
        break;
    case COR_OPERATOR_LESS:
        found = a < b;
        break;
    case COR_OPERATOR_LESS_EQUAL:
        found = a <= b;
        break;
    case COR_OPERATOR_EQUAL:
        found = a == b;
        break;
    case COR_OPERATOR_NOT_EQUAL:
        found = a != b;
        break;
    case COR_OPERATOR_AND:
        found = a && b;
        break;
    case COR_OPERATOR_OR:
        found = a || b;
        break;
    case COR_OPERATOR_NOT:
        found = !a;
        break;
    default: /* of reals and of worlds */
        return false;
    }
    *value = (int64_t)found;
    return found >= INT64_MIN && found <= INT64_MAX;
}

static int64_t random_value(struct cor_rng *rng) {
    static const int64_t edges[] = {0, 1, -1, INT64_MIN, INT64_MAX};
    uint32_t kind = cor_rng_below(rng, 12);
    return kind < 5 ? edges[kind] : cor_rng_between(rng, -30, 30);
}

#endif
