/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Random expressions over values, as trees: printed for the parser, and evaluated here, recursively and by
 * the header's words alone. */
#ifndef CORRIDOR_SIM_EXPRESSION_TESTS_VALUE_TREES_H
#define CORRIDOR_SIM_EXPRESSION_TESTS_VALUE_TREES_H

#include <corridor/expression.h>
#include <corridor/rng.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TREES_MAX = 400, POOL = 6, ENUMERATED = 3 };

/* The words there are; an enumeration has the first ENUMERATED. */
static const char *const pool[POOL] = {"red", "it's", "not & or", "any", "", "null"};

/* A value of this test: word -1 is null. */
struct plain {
    enum cor_value_type type;
    int64_t integer; /* truth values, too */
    double real;
    int word; /* of the pool */
};

/* What a tree may read. */
struct readable {
    const char *spelling;
    enum cor_value_type type;
    uint32_t index; /* among the values it is evaluated with */
};

enum tree_kind { LEAF_CONSTANT, LEAF_NAME, TREE_SIGN, TREE_CALL, TREE_NOT, TREE_MINUS };

struct tree {
    enum tree_kind kind;
    enum cor_value_type type;
    const char *sign; /* of an operator, or a function */
    struct tree *left, *right;
    struct plain constant;
    const struct readable *name;
};

struct forest {
    struct tree trees[TREES_MAX];
    int used;
    const struct readable *names;
    uint32_t name_count;
    struct cor_rng *rng;
};

static inline struct tree *plant(struct forest *forest, enum tree_kind kind, enum cor_value_type type) {
    if (forest->used == TREES_MAX)
        abort();
    struct tree *tree = &forest->trees[forest->used++];
    *tree = (struct tree){.kind = kind, .type = type};
    return tree;
}

static inline struct plain random_plain(struct cor_rng *rng, enum cor_value_type type) {
    static const double reals[] = {0, 0.5, 1.25, 3, -2.5, 1e300, 1e-9, 7};
    struct plain made = {.type = type};
    uint32_t draw = cor_rng_below(rng, 24);
    switch (type) {
    case COR_VALUE_TYPE_INTEGER:
        made.integer = draw == 23 ? INT64_MAX : draw == 22 ? INT64_MIN : (int64_t)draw % 12 - 3;
        break;
    case COR_VALUE_TYPE_REAL:
        made.real = reals[draw % 8];
        break;
    case COR_VALUE_TYPE_BOOLEAN:
        made.integer = draw % 2;
        break;
    case COR_VALUE_TYPE_STRING:
        made.word = (int)(draw % (POOL + 1)) - 1;
        break;
    case COR_VALUE_TYPE_ENUMERATION:
        made.word = (int)(draw % ENUMERATED);
        break;
    }
    return made;
}

/* A name of the type, NULL if there is none. */
static inline struct tree *plant_name(struct forest *forest, enum cor_value_type type) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < forest->name_count; i++)
        count += forest->names[i].type == type;
    if (count == 0)
        return NULL;
    uint32_t chosen = cor_rng_below(forest->rng, count);
    struct tree *tree = plant(forest, LEAF_NAME, type);
    for (uint32_t i = 0; i < forest->name_count; i++)
        if (forest->names[i].type == type && chosen-- == 0)
            tree->name = &forest->names[i];
    return tree;
}

static inline struct tree *plant_constant(struct forest *forest, enum cor_value_type type) {
    struct plain value = random_plain(forest->rng, type);
    struct tree *tree = plant(forest, LEAF_CONSTANT, type);
    tree->constant = value;
    /* Only what can be written: a sign is an operator. */
    if (value.integer < 0)
        tree->constant.integer = value.integer == INT64_MIN ? INT64_MAX : -value.integer;
    tree->constant.real = fabs(value.real);
    return tree;
}

static inline struct tree *plant_leaf(struct forest *forest, enum cor_value_type type) {
    uint32_t which = cor_rng_below(forest->rng, 3);
    struct tree *name = which > 0 ? plant_name(forest, type) : NULL;
    return name ? name : plant_constant(forest, type);
}

static struct tree *random_tree(struct forest *forest, enum cor_value_type type, int depth);

static inline struct tree *plant_pair(struct forest *forest, enum tree_kind kind, enum cor_value_type type,
                                      const char *sign, struct tree *left, struct tree *right) {
    struct tree *tree = plant(forest, kind, type);
    tree->sign = sign;
    tree->left = left;
    tree->right = right;
    return tree;
}

/* Two numbers; of `reals` at least one is real. */
static inline void random_numbers(struct forest *forest, bool reals, int depth, struct tree **left,
                                  struct tree **right) {
    uint32_t mix = reals ? cor_rng_below(forest->rng, 3) : 3;
    *left =
        random_tree(forest, mix == 3 || mix == 0 ? COR_VALUE_TYPE_INTEGER : COR_VALUE_TYPE_REAL, depth - 1);
    *right =
        random_tree(forest, mix == 3 || mix == 1 ? COR_VALUE_TYPE_INTEGER : COR_VALUE_TYPE_REAL, depth - 1);
}

static inline struct tree *random_number(struct forest *forest, enum cor_value_type type, int depth) {
    static const char *const signs[] = {"+", "-", "*", "/", "min", "max", "%", "ceil_div"};
    bool reals = type == COR_VALUE_TYPE_REAL;
    uint32_t which = cor_rng_below(forest->rng, reals ? 8 : 10);
    struct tree *left, *right;
    if (which < 2) {
        left = random_tree(forest, type, depth - 1);
        return plant_pair(forest, which ? TREE_CALL : TREE_MINUS, type, which ? "abs" : "-", left, NULL);
    }
    random_numbers(forest, reals, depth, &left, &right);
    bool call = which == 6 || which == 7 || which == 9;
    return plant_pair(forest, call ? TREE_CALL : TREE_SIGN, type, signs[which - 2], left, right);
}

/* Two texts that can be compared: what is null is compared with strings, a constant with an enumeration has
 * one of its words. */
static inline struct tree *random_words(struct forest *forest, const char *sign) {
    bool enumerated = cor_rng_below(forest->rng, 2);
    enum cor_value_type type = enumerated ? COR_VALUE_TYPE_ENUMERATION : COR_VALUE_TYPE_STRING;
    struct tree *left = plant_leaf(forest, type), *right = plant_leaf(forest, type);
    return plant_pair(forest, TREE_SIGN, COR_VALUE_TYPE_BOOLEAN, sign, left, right);
}

static inline struct tree *random_truth(struct forest *forest, int depth) {
    static const char *const orders[] = {"<", "<=", ">", ">=", "=", "==", "!="};
    static const char *const joins[] = {"and", "&&", "or", "||", "implies"};
    uint32_t which = cor_rng_below(forest->rng, 8);
    uint32_t sign = cor_rng_below(forest->rng, 7);
    struct tree *left, *right;
    if (which < 3) {
        random_numbers(forest, which > 0, depth, &left, &right);
        return plant_pair(forest, TREE_SIGN, COR_VALUE_TYPE_BOOLEAN, orders[sign], left, right);
    }
    if (which == 3)
        return random_words(forest, orders[4 + sign % 3]);
    left = random_tree(forest, COR_VALUE_TYPE_BOOLEAN, depth - 1);
    if (which == 4)
        return plant_pair(forest, TREE_NOT, COR_VALUE_TYPE_BOOLEAN, sign % 2 ? "not " : "!", left, NULL);
    right = random_tree(forest, COR_VALUE_TYPE_BOOLEAN, depth - 1);
    return plant_pair(forest, TREE_SIGN, COR_VALUE_TYPE_BOOLEAN,
                      which == 5 ? orders[4 + sign % 3] : joins[sign % 5], left, right);
}

static struct tree *random_tree(struct forest *forest, enum cor_value_type type, int depth) {
    bool is_leaf = cor_rng_below(forest->rng, 5) == 0;
    if (depth == 0 || is_leaf || type == COR_VALUE_TYPE_STRING || type == COR_VALUE_TYPE_ENUMERATION)
        return plant_leaf(forest, type);
    if (type == COR_VALUE_TYPE_BOOLEAN)
        return random_truth(forest, depth);
    return random_number(forest, type, depth);
}

static inline void print_word(const char *word, char *text) {
    strcat(text, "'");
    for (; *word; word++)
        sprintf(text + strlen(text), *word == '\'' ? "''" : "%c", *word);
    strcat(text, "'");
}

static inline void print_constant(const struct plain *value, char *text) {
    char *end = text + strlen(text);
    switch (value->type) {
    case COR_VALUE_TYPE_INTEGER:
        sprintf(end, "%lld", (long long)value->integer);
        break;
    case COR_VALUE_TYPE_REAL:
        sprintf(end, "%.17g", value->real);
        if (!strpbrk(end, ".e"))
            strcat(text, ".0");
        break;
    case COR_VALUE_TYPE_BOOLEAN:
        strcat(text, value->integer ? "true" : "False");
        break;
    case COR_VALUE_TYPE_STRING:
    case COR_VALUE_TYPE_ENUMERATION:
        if (value->word < 0)
            strcat(text, "null");
        else
            print_word(pool[value->word], text);
        break;
    }
}

/* All in brackets: how tightly operators bind is tested elsewhere. */
static inline void print_tree(const struct tree *tree, char *text) {
    switch (tree->kind) {
    case LEAF_CONSTANT:
        print_constant(&tree->constant, text);
        return;
    case LEAF_NAME:
        strcat(text, tree->name->spelling);
        return;
    case TREE_SIGN:
        strcat(text, "(");
        print_tree(tree->left, text);
        sprintf(text + strlen(text), " %s ", tree->sign);
        break;
    case TREE_CALL:
        sprintf(text + strlen(text), "%s(", tree->sign);
        print_tree(tree->left, text);
        strcat(text, tree->right ? ", " : "");
        break;
    case TREE_NOT:
    case TREE_MINUS:
        sprintf(text + strlen(text), "(%s", tree->sign);
        print_tree(tree->left, text);
        break;
    }
    if (tree->right)
        print_tree(tree->right, text);
    strcat(text, ")");
}

static inline bool is_sign(const struct tree *tree, const char *sign) {
    return strcmp(tree->sign, sign) == 0;
}

static inline bool tree_integers(const struct tree *tree, int64_t left, int64_t right, struct plain *value) {
    __extension__ __int128 a = left, b = right, found = 0;
    if (is_sign(tree, "/") || is_sign(tree, "%") || is_sign(tree, "ceil_div")) {
        if (b == 0)
            return false;
        found = a / b;
        if (found * b != a && (a < 0) != (b < 0))
            found--; /* rounded down */
        if (is_sign(tree, "%"))
            found = a - found * b;
        else if (is_sign(tree, "ceil_div") && found * b != a)
            found++;
    } else if (is_sign(tree, "+"))
        found = a + b;
    else if (is_sign(tree, "-"))
        found = tree->right ? a - b : -a;
    else if (is_sign(tree, "*"))
        found = a * b;
    else if (is_sign(tree, "min"))
        found = a < b ? a : b;
    else if (is_sign(tree, "max"))
        found = a > b ? a : b;
    else
        found = a < 0 ? -a : a;
    value->integer = (int64_t)found;
    return found >= INT64_MIN && found <= INT64_MAX;
}

static inline bool tree_reals(const struct tree *tree, double a, double b, struct plain *value) {
    double found = is_sign(tree, "+")                  ? a + b
                   : is_sign(tree, "-") && tree->right ? a - b
                   : is_sign(tree, "-")                ? -a
                   : is_sign(tree, "*")                ? a * b
                   : is_sign(tree, "/")                ? (b == 0 ? HUGE_VAL : a / b)
                   : is_sign(tree, "min")              ? (a < b ? a : b)
                   : is_sign(tree, "max")              ? (a > b ? a : b)
                                                       : fabs(a);
    value->real = found;
    return isfinite(found);
}

/* Of two numbers, words, or truth values: -1, 0 or 1; words that differ are 1. */
static inline int tree_order(const struct plain *a, const struct plain *b) {
    bool words = a->type == COR_VALUE_TYPE_STRING || a->type == COR_VALUE_TYPE_ENUMERATION;
    if (words)
        return a->word != b->word;
    if (a->type != COR_VALUE_TYPE_REAL && b->type != COR_VALUE_TYPE_REAL)
        return (a->integer > b->integer) - (a->integer < b->integer);
    double x = a->type == COR_VALUE_TYPE_REAL ? a->real : (double)a->integer;
    double y = b->type == COR_VALUE_TYPE_REAL ? b->real : (double)b->integer;
    return (x > y) - (x < y);
}

static inline bool tree_truth(const struct tree *tree, const struct plain *a, const struct plain *b) {
    int order = b ? tree_order(a, b) : 0;
    return tree->kind == TREE_NOT                        ? !a->integer
           : is_sign(tree, "<")                          ? order < 0
           : is_sign(tree, "<=")                         ? order <= 0
           : is_sign(tree, ">")                          ? order > 0
           : is_sign(tree, ">=")                         ? order >= 0
           : is_sign(tree, "=") || is_sign(tree, "==")   ? order == 0
           : is_sign(tree, "!=")                         ? order != 0
           : is_sign(tree, "and") || is_sign(tree, "&&") ? a->integer && b->integer
           : is_sign(tree, "or") || is_sign(tree, "||")  ? a->integer || b->integer
                                                         : !a->integer || b->integer;
}

/* False where any part is undefined. */
static inline bool tree_value(const struct tree *tree, const struct plain *values, struct plain *value) {
    struct plain a, b;
    if (tree->kind == LEAF_CONSTANT || tree->kind == LEAF_NAME) {
        *value = tree->kind == LEAF_NAME ? values[tree->name->index] : tree->constant;
        return true;
    }
    bool left = tree_value(tree->left, values, &a),
         right = !tree->right || tree_value(tree->right, values, &b);
    *value = (struct plain){.type = tree->type};
    if (!left || !right)
        return false;
    switch (tree->type) {
    case COR_VALUE_TYPE_INTEGER:
        return tree_integers(tree, a.integer, tree->right ? b.integer : 0, value);
    case COR_VALUE_TYPE_REAL:
        return tree_reals(tree, a.type == COR_VALUE_TYPE_REAL ? a.real : (double)a.integer,
                          !tree->right                    ? 0
                          : b.type == COR_VALUE_TYPE_REAL ? b.real
                                                          : (double)b.integer,
                          value);
    default:
        value->integer = tree_truth(tree, &a, tree->right ? &b : NULL);
        return true;
    }
}

/* The value as the project has it; `words` has the pool, in its order, somewhere. */
static inline struct cor_value real_value(const struct plain *value, const struct cor_words *words) {
    switch (value->type) {
    case COR_VALUE_TYPE_INTEGER:
    case COR_VALUE_TYPE_BOOLEAN:
        return cor_integer(value->integer);
    case COR_VALUE_TYPE_REAL:
        return cor_real(value->real);
    default:
        return value->word < 0 ? cor_null() : cor_word(cor_words_find(words, pool[value->word]));
    }
}

#endif
