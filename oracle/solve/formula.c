/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formula.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

enum cor_status solve__formulas_init(struct solve__formulas *formulas, struct cor_error *error) {
    *formulas = (struct solve__formulas){.error = error};
    Z3_config config = Z3_mk_config();
    formulas->context = Z3_mk_context_rc(config);
    Z3_del_config(config);
    COR_TRY(cor_made(formulas->context, error));
    Z3_set_error_handler(formulas->context, NULL);
    return COR_OK;
}

void solve__formulas_fini(struct solve__formulas *formulas) {
    if (formulas->context) {
        solve__release(formulas, 0);
        Z3_del_context(formulas->context);
    }
    free(formulas->held);
    *formulas = (struct solve__formulas){.context = NULL};
}

enum cor_status solve__formulas_status(struct solve__formulas *formulas) {
    if (formulas->status != COR_OK)
        return formulas->status;
    const Z3_error_code code = Z3_get_error_code(formulas->context);
    if (code == Z3_OK)
        return COR_OK;
    formulas->status = code == Z3_MEMOUT_FAIL ? cor_fail_memory(formulas->error)
                                              : cor_fail(formulas->error, COR_STATUS_INTERNAL, NULL, NULL,
                                                         "z3: %s", Z3_get_error_msg(formulas->context, code));
    return formulas->status;
}

Z3_ast solve__hold(struct solve__formulas *formulas, Z3_ast formula) {
    if (!formula) /* z3 has said why */
        return formula;
    Z3_inc_ref(formulas->context, formula);
    const enum cor_status status =
        COR_RESERVE(&formulas->held, &formulas->capacity, formulas->count + 1, formulas->error);
    if (status == COR_OK)
        formulas->held[formulas->count++] = formula;
    else
        formulas->status = status; /* held for ever, but the context goes soon */
    return formula;
}

void solve__release(struct solve__formulas *formulas, size_t count) {
    while (formulas->count > count)
        Z3_dec_ref(formulas->context, formulas->held[--formulas->count]);
}

/* Constraints in the language of z3: node by node, children first. Two things differ between the languages.
 * z3's div leaves a remainder that is never negative, ours rounds down; and z3 gives a division by zero any
 * value, ours none at all. Division by a constant is left to z3, where it is linear. Any other a / b becomes
 * a new integer q, fixed by multiplication: for b > 0, q * b <= a < q * b + b. Such definitions, and that
 * divisors are not 0, are `terms` beside the constraint itself. */
#define TERMS_MAX (4 * COR_EXPRESSION_NODES_MAX + 1)

struct translator {
    struct solve__formulas *made;
    const struct cor_expression *expression;
    Z3_ast nodes[COR_EXPRESSION_NODES_MAX];
    struct cor_value_range intervals[COR_EXPRESSION_NODES_MAX];
    Z3_ast terms[TERMS_MAX]; /* what must hold as well */
    unsigned term_count;
};

Z3_ast solve__formula_number(struct solve__formulas *f, int64_t value) {
    return solve__hold(f, Z3_mk_int64(f->context, value, Z3_mk_int_sort(f->context)));
}

Z3_ast solve__formula_variable(struct solve__formulas *f, uint32_t index) {
    return solve__hold(
        f, Z3_mk_const(f->context, Z3_mk_int_symbol(f->context, (int)index), Z3_mk_int_sort(f->context)));
}

Z3_ast solve__formula_literal(struct solve__formulas *f, const char *name) {
    return solve__hold(f, Z3_mk_fresh_const(f->context, name, Z3_mk_bool_sort(f->context)));
}

static Z3_ast subtract(struct solve__formulas *f, Z3_ast a, Z3_ast b) {
    return solve__hold(f, Z3_mk_sub(f->context, 2, (Z3_ast[]){a, b}));
}

static Z3_ast multiply(struct solve__formulas *f, Z3_ast a, Z3_ast b) {
    return solve__hold(f, Z3_mk_mul(f->context, 2, (Z3_ast[]){a, b}));
}

static Z3_ast negative(struct solve__formulas *f, Z3_ast a) {
    return solve__hold(f, Z3_mk_unary_minus(f->context, a));
}

static Z3_ast both(struct solve__formulas *f, Z3_ast a, Z3_ast b) {
    return solve__hold(f, Z3_mk_and(f->context, 2, (Z3_ast[]){a, b}));
}

static Z3_ast not(struct solve__formulas * f, Z3_ast a) {
    return solve__hold(f, Z3_mk_not(f->context, a));
}

static Z3_ast implies(struct solve__formulas *f, Z3_ast a, Z3_ast b) {
    return solve__hold(f, Z3_mk_implies(f->context, a, b));
}

static Z3_ast less(struct solve__formulas *f, Z3_ast a, Z3_ast b) {
    return solve__hold(f, Z3_mk_lt(f->context, a, b));
}

static Z3_ast at_most(struct solve__formulas *f, Z3_ast a, Z3_ast b) {
    return solve__hold(f, Z3_mk_le(f->context, a, b));
}

static Z3_ast equal(struct solve__formulas *f, Z3_ast a, Z3_ast b) {
    return solve__hold(f, Z3_mk_eq(f->context, a, b));
}

static Z3_ast choose(struct solve__formulas *f, Z3_ast condition, Z3_ast a, Z3_ast b) {
    return solve__hold(f, Z3_mk_ite(f->context, condition, a, b));
}

static Z3_ast always(struct solve__formulas *f) {
    return solve__hold(f, Z3_mk_true(f->context));
}

Z3_ast solve__formula_range(struct solve__formulas *f, Z3_ast value, int64_t low, int64_t high) {
    Z3_ast above = low == INT64_MIN
                       ? always(f)
                       : solve__hold(f, Z3_mk_ge(f->context, value, solve__formula_number(f, low)));
    Z3_ast below = high == INT64_MAX ? always(f) : at_most(f, value, solve__formula_number(f, high));
    return both(f, above, below);
}

static void require(struct translator *t, Z3_ast term) {
    COR_ASSERT(t->term_count < TERMS_MAX);
    t->terms[t->term_count++] = term;
}

/* a - q * b for the q that rounds down: 0 <= rest < b, or b < rest <= 0. */
static Z3_ast is_rest(struct translator *t, Z3_ast rest, Z3_ast b, bool positive) {
    struct solve__formulas *f = t->made;
    Z3_ast zero = solve__formula_number(f, 0);
    return positive ? both(f, at_most(f, zero, rest), less(f, rest, b))
                    : both(f, less(f, b, rest), at_most(f, rest, zero));
}

/* a / b rounded down. */
static Z3_ast floor_divide(struct translator *t, Z3_ast a, Z3_ast b, struct cor_value_range divisor,
                           struct cor_value_range known) {
    struct solve__formulas *f = t->made;
    if (divisor.low != divisor.high) {
        /* A new integer that is a / b, rounded down; `known` bounds it. */
        Z3_ast q = solve__hold(f, Z3_mk_fresh_const(f->context, "quotient", Z3_mk_int_sort(f->context)));
        Z3_ast zero = solve__formula_number(f, 0), rest = subtract(f, a, multiply(f, q, b));
        f->nonlinear = true;
        if (divisor.low > 0 || divisor.high < 0) {
            require(t, is_rest(t, rest, b, divisor.low > 0));
        } else {
            require(t, not(f, equal(f, b, zero)));
            require(t, implies(f, less(f, zero, b), is_rest(t, rest, b, true)));
            require(t, implies(f, less(f, b, zero), is_rest(t, rest, b, false)));
        }
        require(t, solve__formula_range(f, q, known.low, known.high));
        return q;
    }
    if (divisor.low > 0)
        return solve__hold(f, Z3_mk_div(f->context, a, solve__formula_number(f, divisor.low)));
    if (divisor.low < 0) { /* a / b = -a / -b */
        Z3_ast above = negative(f, a), below = negative(f, solve__formula_number(f, divisor.low));
        return solve__hold(f, Z3_mk_div(f->context, above, below));
    }
    require(t, solve__hold(f, Z3_mk_false(f->context)));
    return solve__formula_number(f, 0);
}

/* What is known of the quotient of a remainder: nothing that helps. */
static const struct cor_value_range anything = {INT64_MIN, INT64_MAX};

static bool is_constant(struct cor_value_range range) {
    return range.low == range.high;
}

static Z3_ast translate_node(struct translator *t, uint32_t index, const Z3_ast *variables) {
    const struct cor_node *node = &t->expression->nodes[index];
    struct solve__formulas *f = t->made;
    Z3_ast a = t->nodes[node->left], b = t->nodes[node->right];
    struct cor_value_range left = t->intervals[node->left], right = t->intervals[node->right];
    struct cor_value_range known = t->intervals[index];
    switch (node->operator) {
    case COR_OPERATOR_CONSTANT:
        return solve__formula_number(f, node->constant);
    case COR_OPERATOR_VARIABLE:
        return variables[node->variable];
    case COR_OPERATOR_NEGATE:
        return negative(f, a);
    case COR_OPERATOR_ADD:
        return solve__hold(f, Z3_mk_add(f->context, 2, (Z3_ast[]){a, b}));
    case COR_OPERATOR_SUBTRACT:
        return subtract(f, a, b);
    case COR_OPERATOR_MULTIPLY:
        f->nonlinear = f->nonlinear || (!is_constant(left) && !is_constant(right));
        return multiply(f, a, b);
    case COR_OPERATOR_DIVIDE:
        return floor_divide(t, a, b, right, known);
    case COR_OPERATOR_REMAINDER:
        if (right.low == right.high && right.low > 0)
            return solve__hold(f, Z3_mk_mod(f->context, a, solve__formula_number(f, right.low)));
        return subtract(f, a, multiply(f, floor_divide(t, a, b, right, anything), b));
    case COR_OPERATOR_CEIL_DIVIDE: {
        /* a / b rounded up: -(-a / b). */
        struct cor_value_range mirrored = anything;
        if (known.low <= known.high && known.low != INT64_MIN && known.high != INT64_MAX)
            mirrored = (struct cor_value_range){-known.high, -known.low};
        return negative(f, floor_divide(t, negative(f, a), b, right, mirrored));
    }
    case COR_OPERATOR_MIN:
        return choose(f, at_most(f, a, b), a, b);
    case COR_OPERATOR_MAX:
        return choose(f, at_most(f, b, a), a, b);
    case COR_OPERATOR_ABS:
        return choose(f, at_most(f, solve__formula_number(f, 0), a), a, negative(f, a));
    case COR_OPERATOR_LESS:
        return less(f, a, b);
    case COR_OPERATOR_LESS_EQUAL:
        return at_most(f, a, b);
    case COR_OPERATOR_EQUAL:
        return equal(f, a, b);
    case COR_OPERATOR_NOT_EQUAL:
        return not(f, equal(f, a, b));
    case COR_OPERATOR_AND:
        return both(f, a, b);
    case COR_OPERATOR_OR:
        return solve__hold(f, Z3_mk_or(f->context, 2, (Z3_ast[]){a, b}));
    case COR_OPERATOR_NOT:
        return not(f, a);
    default: /* of reals and of worlds */
        break;
    }
    base__assertion_failed("operator is one of cor_operator", __FILE__, __LINE__);
}

Z3_ast solve__formula_of(struct solve__formulas *formulas, const Z3_ast *variables, const int64_t *low,
                         const int64_t *high, const struct cor_expression *expression, Z3_ast *defined) {
    struct translator t;
    t.made = formulas;
    t.expression = expression;
    t.term_count = 0;
    t.nodes[0] = NULL; /* leaves have no children, but their indices are 0 */
    cor_expression_intervals(expression, low, high, t.intervals);
    for (uint32_t i = 0; i < expression->node_count; i++)
        t.nodes[i] = translate_node(&t, i, variables);
    Z3_ast root = t.nodes[expression->node_count - 1];
    if (expression->is_constraint)
        require(&t, root);
    Z3_ast terms = solve__hold(formulas, Z3_mk_and(formulas->context, t.term_count, t.terms));
    if (expression->is_constraint)
        return terms;
    *defined = terms;
    return root;
}

/* Back again. */
struct reader {
    struct solve__formulas *formulas;
    struct cor_node nodes[COR_EXPRESSION_NODES_MAX];
    uint32_t node_count, variable_count;
};

#define UNREADABLE UINT32_MAX

static uint32_t put(struct reader *r, struct cor_node node) {
    if (r->node_count >= COR_EXPRESSION_NODES_MAX || node.left == UNREADABLE || node.right == UNREADABLE)
        return UNREADABLE;
    r->nodes[r->node_count] = node;
    return r->node_count++;
}

static uint32_t put_two(struct reader *r, enum cor_operator operator, uint32_t left, uint32_t right) {
    return put(r, (struct cor_node){.operator= operator, .left = left, .right = right});
}

static uint32_t put_constant(struct reader *r, int64_t constant) {
    return put(r, (struct cor_node){.operator= COR_OPERATOR_CONSTANT, .constant = constant});
}

static uint32_t put_truth(struct reader *r, bool truth) {
    const uint32_t zero = put_constant(r, 0), other = put_constant(r, truth ? 0 : 1);
    return put_two(r, COR_OPERATOR_EQUAL, zero, other);
}

static uint32_t read_formula(struct reader *r, Z3_ast formula);

/* a op b op c, from left to right. */
static uint32_t read_chain(struct reader *r, Z3_app app, enum cor_operator operator) {
    const unsigned count = Z3_get_app_num_args(r->formulas->context, app);
    uint32_t sum = UNREADABLE;
    for (unsigned i = 0; i < count; i++) {
        const uint32_t next = read_formula(r, Z3_get_app_arg(r->formulas->context, app, i));
        sum = i == 0 ? next : put_two(r, operator, sum, next);
    }
    return sum;
}

/* What has two sides; the divisor of div and mod must be a positive constant, there the languages agree. */
static uint32_t read_two(struct reader *r, Z3_app app, enum cor_operator operator, bool exchanged) {
    Z3_context c = r->formulas->context;
    if (Z3_get_app_num_args(c, app) != 2)
        return UNREADABLE;
    const uint32_t left = read_formula(r, Z3_get_app_arg(c, app, exchanged ? 1 : 0));
    const uint32_t right = read_formula(r, Z3_get_app_arg(c, app, exchanged ? 0 : 1));
    const bool divides = operator== COR_OPERATOR_DIVIDE || operator== COR_OPERATOR_REMAINDER;
    if (divides && (right == UNREADABLE ||
                    r->nodes[right].operator!= COR_OPERATOR_CONSTANT || r->nodes[right].constant <= 0))
        return UNREADABLE;
    return put_two(r, operator, left, right);
}

static uint32_t read_one(struct reader *r, Z3_app app, enum cor_operator operator) {
    const uint32_t side = read_formula(r, Z3_get_app_arg(r->formulas->context, app, 0));
    return put(r, (struct cor_node){.operator= operator, .left = side});
}

static uint32_t read_variable(struct reader *r, Z3_app app) {
    Z3_context c = r->formulas->context;
    Z3_symbol symbol = Z3_get_decl_name(c, Z3_get_app_decl(c, app));
    if (Z3_get_symbol_kind(c, symbol) != Z3_INT_SYMBOL)
        return UNREADABLE;
    const int index = Z3_get_symbol_int(c, symbol);
    if (index < 0 || (uint32_t)index >= r->variable_count)
        return UNREADABLE;
    return put(r, (struct cor_node){.operator= COR_OPERATOR_VARIABLE, .variable = (uint32_t)index});
}

static bool is_about_truth(struct reader *r, Z3_app app) {
    Z3_context c = r->formulas->context;
    return Z3_get_sort_kind(c, Z3_get_sort(c, Z3_get_app_arg(c, app, 0))) == Z3_BOOL_SORT;
}

static uint32_t read_app(struct reader *r, Z3_app app) {
    Z3_context c = r->formulas->context;
    switch (Z3_get_decl_kind(c, Z3_get_app_decl(c, app))) {
    case Z3_OP_TRUE:
        return put_truth(r, true);
    case Z3_OP_FALSE:
        return put_truth(r, false);
    case Z3_OP_AND:
        return read_chain(r, app, COR_OPERATOR_AND);
    case Z3_OP_OR:
        return read_chain(r, app, COR_OPERATOR_OR);
    case Z3_OP_NOT:
        return read_one(r, app, COR_OPERATOR_NOT);
    case Z3_OP_ITE: {
        /* if c then a else b, over truth values: (c and a) or (not c and b). */
        Z3_ast first = Z3_get_app_arg(c, app, 1);
        if (Z3_get_sort_kind(c, Z3_get_sort(c, first)) != Z3_BOOL_SORT)
            return UNREADABLE;
        const uint32_t condition = read_formula(r, Z3_get_app_arg(c, app, 0));
        const uint32_t yes = read_formula(r, first);
        const uint32_t no = read_formula(r, Z3_get_app_arg(c, app, 2));
        const uint32_t denied = put(r, (struct cor_node){.operator= COR_OPERATOR_NOT, .left = condition});
        const uint32_t one = put_two(r, COR_OPERATOR_AND, condition, yes);
        const uint32_t other = put_two(r, COR_OPERATOR_AND, denied, no);
        return put_two(r, COR_OPERATOR_OR, one, other);
    }
    case Z3_OP_EQ:
        return is_about_truth(r, app) ? UNREADABLE : read_two(r, app, COR_OPERATOR_EQUAL, false);
    case Z3_OP_LE:
        return read_two(r, app, COR_OPERATOR_LESS_EQUAL, false);
    case Z3_OP_GE:
        return read_two(r, app, COR_OPERATOR_LESS_EQUAL, true);
    case Z3_OP_LT:
        return read_two(r, app, COR_OPERATOR_LESS, false);
    case Z3_OP_GT:
        return read_two(r, app, COR_OPERATOR_LESS, true);
    case Z3_OP_ADD:
        return read_chain(r, app, COR_OPERATOR_ADD);
    case Z3_OP_MUL:
        return read_chain(r, app, COR_OPERATOR_MULTIPLY);
    case Z3_OP_SUB:
        return read_chain(r, app, COR_OPERATOR_SUBTRACT);
    case Z3_OP_UMINUS:
        return read_one(r, app, COR_OPERATOR_NEGATE);
    case Z3_OP_IDIV:
        return read_two(r, app, COR_OPERATOR_DIVIDE, false);
    case Z3_OP_MOD:
        return read_two(r, app, COR_OPERATOR_REMAINDER, false);
    case Z3_OP_UNINTERPRETED:
        return Z3_get_app_num_args(c, app) == 0 ? read_variable(r, app) : UNREADABLE;
    default:
        return UNREADABLE;
    }
}

static uint32_t read_formula(struct reader *r, Z3_ast formula) {
    Z3_context c = r->formulas->context;
    int64_t value;
    switch (Z3_get_ast_kind(c, formula)) {
    case Z3_NUMERAL_AST: /* without an error, false says that it is too large */
        return Z3_get_numeral_int64(c, formula, &value) ? put_constant(r, value) : UNREADABLE;
    case Z3_APP_AST:
        return read_app(r, Z3_to_app(c, formula));
    default: /* a quantifier that was left */
        return UNREADABLE;
    }
}

bool solve__formula_read(struct solve__formulas *formulas, Z3_ast formula, uint32_t count,
                         struct cor_expression *expression) {
    struct reader r;
    r.formulas = formulas;
    r.node_count = 0;
    r.variable_count = count;
    *expression = (struct cor_expression){.node_count = 0};
    if (read_formula(&r, formula) == UNREADABLE)
        return false;
    struct cor_node *nodes = cor_calloc(r.node_count, sizeof *nodes);
    if (!nodes) {
        formulas->status = cor_fail_memory(formulas->error);
        return false;
    }
    memcpy(nodes, r.nodes, r.node_count * sizeof *nodes);
    *expression = (struct cor_expression){.nodes = nodes,
                                          .node_count = r.node_count,
                                          .is_constraint = true,
                                          .integer_only = true,
                                          .result = COR_VALUE_INTEGER};
    return true;
}
