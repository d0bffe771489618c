/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Expressions of models that have truth values: parsed with their types, so that what does not go together is
 * refused, then put over integers, in which a truth value is 0 or 1. All else reckons with integers alone. */
#include "reader.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

/* An expression being put over integers. */
struct lowering {
    const struct cor_efsm *model;
    const struct cor_expression *typed;
    struct cor_node *nodes; /* owned; room for COR_EXPRESSION_NODES_MAX */
    uint32_t count;
    bool too_many;
};

static uint32_t put(struct lowering *l, enum cor_operator kind, uint32_t left, uint32_t right) {
    if (l->count == COR_EXPRESSION_NODES_MAX) {
        l->too_many = true;
        return 0;
    }
    l->nodes[l->count] = (struct cor_node){.operator= kind, .left = left, .right = right};
    return l->count++;
}

static uint32_t put_constant(struct lowering *l, int64_t constant) {
    const uint32_t node = put(l, COR_OPERATOR_CONSTANT, 0, 0);
    l->nodes[node].constant = constant;
    return node;
}

static uint32_t put_variable(struct lowering *l, uint32_t variable) {
    const uint32_t node = put(l, COR_OPERATOR_VARIABLE, 0, 0);
    l->nodes[node].variable = variable;
    return node;
}

static const struct cor_node *at(const struct lowering *l, uint32_t node) {
    return &l->typed->nodes[node];
}

static bool is_constant(const struct lowering *l, uint32_t node) {
    return at(l, node)->operator== COR_OPERATOR_CONSTANT;
}

/* true is stored as 0 = 0, false as 0 != 0. */
static bool is_settled(const struct lowering *l, uint32_t node, bool *truth) {
    const struct cor_node *it = at(l, node);
    *truth = it->operator== COR_OPERATOR_EQUAL;
    return (*truth || it->operator== COR_OPERATOR_NOT_EQUAL) && it->left == it->right &&
           is_constant(l, it->left);
}

static bool is_truth_variable(const struct lowering *l, uint32_t node) {
    return at(l, node)
        ->
        operator== COR_OPERATOR_VARIABLE && l->model->variables[at(l, node)->variable]
        .is_truth;
}

static bool is_condition(const struct lowering *l, uint32_t node) {
    const enum cor_operator kind = at(l, node)->operator;
    return (kind >= COR_OPERATOR_LESS && kind <= COR_OPERATOR_NOT) || is_truth_variable(l, node);
}

static bool is_simple(const struct lowering *l, uint32_t node) {
    bool truth;
    return is_truth_variable(l, node) || is_settled(l, node, &truth);
}

typedef uint32_t lower(struct lowering *l, uint32_t node);

/* Both sides, in the order in which they were written: "a > b" is stored as b < a, with b behind a. */
static void lower_sides(struct lowering *l, const struct cor_node *node, lower *how, uint32_t *left,
                        uint32_t *right) {
    const bool turned = node->left > node->right;
    if (turned)
        *right = how(l, node->right);
    *left = how(l, node->left);
    if (!turned)
        *right = how(l, node->right);
}

static uint32_t lower_number(struct lowering *l, uint32_t node) {
    const struct cor_node *it = at(l, node);
    uint32_t left = 0, right = 0;
    if (it->operator== COR_OPERATOR_CONSTANT)
        return put_constant(l, it->constant);
    if (it->operator== COR_OPERATOR_VARIABLE)
        return put_variable(l, it->variable);
    if (it->operator== COR_OPERATOR_NEGATE || it->operator== COR_OPERATOR_ABS) {
        left = lower_number(l, it->left);
        return put(l, it->operator, left, left);
    }
    lower_sides(l, it, lower_number, &left, &right);
    return put(l, it->operator, left, right);
}

/* At least 1 becomes 1, at most 0 becomes 0. */
static uint32_t clamp(struct lowering *l, uint32_t number) {
    const uint32_t above = put(l, COR_OPERATOR_MAX, put_constant(l, 0), number);
    return put(l, COR_OPERATOR_MIN, put_constant(l, 1), above);
}

static uint32_t opposite(struct lowering *l, uint32_t truth) {
    return put(l, COR_OPERATOR_SUBTRACT, put_constant(l, 1), truth);
}

/* A condition as 0 or 1. */
static uint32_t lower_truth(struct lowering *l, uint32_t node) {
    const struct cor_node *it = at(l, node);
    uint32_t left = 0, right = 0;
    bool truth;
    if (is_settled(l, node, &truth))
        return put_constant(l, truth);
    if (it->operator== COR_OPERATOR_VARIABLE)
        return put_variable(l, it->variable);
    if (it->operator== COR_OPERATOR_NOT)
        return opposite(l, lower_truth(l, it->left));
    if (it->operator== COR_OPERATOR_AND || it->operator== COR_OPERATOR_OR) {
        lower_sides(l, it, lower_truth, &left, &right);
        return put(l, it->operator== COR_OPERATOR_AND ? COR_OPERATOR_MIN : COR_OPERATOR_MAX, left, right);
    }
    lower_sides(l, it, is_condition(l, it->left) ? lower_truth : lower_number, &left, &right);
    if (it->operator== COR_OPERATOR_LESS || it->operator== COR_OPERATOR_LESS_EQUAL) {
        uint32_t excess = put(l, COR_OPERATOR_SUBTRACT, right, left);
        if (it->operator== COR_OPERATOR_LESS_EQUAL)
            excess = put(l, COR_OPERATOR_ADD, excess, put_constant(l, 1));
        return clamp(l, excess);
    }
    const uint32_t apart = put(l, COR_OPERATOR_SUBTRACT, left, right);
    const uint32_t differs = clamp(l, put(l, COR_OPERATOR_ABS, apart, apart));
    return it->operator== COR_OPERATOR_NOT_EQUAL ? differs : opposite(l, differs);
}

static uint32_t deny(struct lowering *l, uint32_t condition) {
    return put(l, COR_OPERATOR_NOT, condition, condition);
}

static uint32_t lower_condition(struct lowering *l, uint32_t node) {
    const struct cor_node *it = at(l, node);
    uint32_t left = 0, right = 0;
    bool truth;
    if (is_settled(l, node, &truth)) {
        left = put_constant(l, 0);
        return put(l, it->operator, left, left);
    }
    if (it->operator== COR_OPERATOR_VARIABLE) {
        left = put_variable(l, it->variable);
        return put(l, COR_OPERATOR_EQUAL, left, put_constant(l, 1));
    }
    if (it->operator== COR_OPERATOR_NOT && is_truth_variable(l, it->left)) {
        left = put_variable(l, at(l, it->left)->variable);
        return put(l, COR_OPERATOR_EQUAL, left, put_constant(l, 0));
    }
    if (it->operator== COR_OPERATOR_NOT)
        return deny(l, lower_condition(l, it->left));
    if (it->operator== COR_OPERATOR_AND || it->operator== COR_OPERATOR_OR) {
        lower_sides(l, it, lower_condition, &left, &right);
        return put(l, it->operator, left, right);
    }
    if (!is_condition(l, it->left)) {
        lower_sides(l, it, lower_number, &left, &right);
        return put(l, it->operator, left, right);
    }
    const bool same = it->operator== COR_OPERATOR_EQUAL;
    if (is_simple(l, it->left) && is_simple(l, it->right)) { /* a = b, a = true */
        const bool turned = is_settled(l, it->left, &truth);
        left = lower_truth(l, turned ? it->right : it->left);
        right = lower_truth(l, turned ? it->left : it->right);
        left = put(l, COR_OPERATOR_EQUAL, left, right);
        return same ? left : deny(l, left);
    }
    lower_sides(l, it, lower_condition, &left, &right);
    const uint32_t both = put(l, COR_OPERATOR_AND, left, same ? right : deny(l, right));
    const uint32_t not_left = deny(l, left);
    const uint32_t neither = put(l, COR_OPERATOR_AND, not_left, same ? deny(l, right) : right);
    return put(l, COR_OPERATOR_OR, both, neither);
}

/* Reals and words are of the language, but of no model. */
static enum cor_status check_integers(const struct cor_expression *typed, const struct cor_words *words,
                                      const char *place, struct cor_error *error) {
    bool has_reals = false;
    for (uint32_t i = 0; i < typed->node_count; i++)
        has_reals = has_reals || typed->nodes[i].reals || typed->nodes[i].operator== COR_OPERATOR_TO_REAL;
    if (has_reals || words->count > 0)
        return cor_fail(error, COR_STATUS_INPUT, place, "write whole numbers, true and false",
                        "\"%s\" has %s", typed->text, has_reals ? "a fraction" : "a text");
    return COR_OK;
}

enum cor_status efsm__parse_truths(const char *text, const struct cor_efsm *model, const char *const *names,
                                   enum efsm__wanted wanted, const char *place,
                                   struct cor_expression *expression, struct cor_error *error) {
    static const struct cor_domain integers = {.type = COR_VALUE_TYPE_INTEGER, .name = "integer"},
                                   truths = {.type = COR_VALUE_TYPE_BOOLEAN, .name = "boolean"};
    struct cor_symbol symbols[COR_EFSM_VARIABLES_MAX];
    struct cor_expression typed = {0};
    struct cor_words words;
    struct lowering l = {.model = model, .typed = &typed};
    enum cor_status status = COR_OK;
    *expression = (struct cor_expression){0};
    cor_words_init(&words);
    for (uint32_t v = 0; v < model->variable_count; v++)
        symbols[v] = (struct cor_symbol){names[v], model->variables[v].is_truth ? &truths : &integers};
    const struct cor_scope scope = {
        .symbols = symbols, .symbol_count = model->variable_count, .words = &words};
    COR_TRY_OUT(cor_expression_parse_value(text, &scope, wanted == EFSM__NUMBER ? &integers : &truths, place,
                                           &typed, error));
    COR_TRY_OUT(check_integers(&typed, &words, place, error));
    l.nodes = cor_calloc(COR_EXPRESSION_NODES_MAX, sizeof *l.nodes);
    COR_TRY_OUT(cor_made(l.nodes, error));
    const uint32_t root = typed.node_count - 1;
    if (wanted == EFSM__CONDITION)
        lower_condition(&l, root);
    else if (wanted == EFSM__TRUTH)
        lower_truth(&l, root);
    else
        lower_number(&l, root);
    if (l.too_many)
        COR_TRY_OUT(cor_fail(error, COR_STATUS_INPUT, place, "split it into several transitions",
                             "\"%s\" has more than %d parts", typed.text, COR_EXPRESSION_NODES_MAX));
    *expression = (struct cor_expression){.text = typed.text,
                                          .nodes = l.nodes,
                                          .node_count = l.count,
                                          .is_constraint = wanted == EFSM__CONDITION,
                                          .integer_only = true,
                                          .result = COR_VALUE_INTEGER};
    typed.text = NULL;
    l.nodes = NULL;
out:
    free(l.nodes);
    cor_expression_fini(&typed);
    cor_words_fini(&words);
    return status;
}
