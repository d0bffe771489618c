/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * z3's process for proofs: the text is expanded once, in one solver; each question is what it assumes. A
 * limit of work, never of time.
 *
 * A corridor's text over structures of bounded size, as formulas of z3: memberships are truth values, one for
 * each agent and organization; a query becomes what it says of each element. What has no value is followed
 * along, so that a constraint is true, false, or neither. Numbers are exact. */

#include "formula.h"
#include "prover.h"

#include <corridor/array.h>
#include <corridor/bytes.h>

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where something "implies" something else: what is left of it holds somewhere. */
struct solve__premise {
    uint32_t constraint, node;
    Z3_ast ever;
};

struct solve__expansion {
    struct solve__formulas *formulas;
    const struct cor_corridor *corridor;
    const struct cor_snapshot *state; /* NULL: none is given */
    uint32_t agents, organizations;   /* that there is room for */
    Z3_ast yes, no;                   /* true, false */

    /* Owned arrays. An element is there from the first on: there[e] implies there[e - 1]. */
    Z3_ast *agent_there, *organization_there;
    Z3_ast *members;                 /* [agent * organizations + organization] */
    Z3_ast *parents;                 /* [organization * organizations + parent], NULL where there are none */
    Z3_ast *levels;                  /* [organization], NULL where there are none */
    Z3_ast *attributes;              /* [attribute * agents + agent] */
    Z3_ast *organization_attributes; /* [declared attribute * organizations + organization] */
    Z3_ast *parameters;              /* [parameter] */
    Z3_ast *holds, *is_violated;     /* [constraint]; NULL of those about time */
    struct solve__premise *premises; /* owned */
    size_t premise_count, premise_capacity;
    Z3_ast *axioms; /* owned; what must hold in any case */
    size_t axiom_count, axiom_capacity;
    uint64_t steps;  /* that are left */
    bool is_too_big; /* nothing may be asked */
    enum cor_status status;
};

#define STEPS_MAX (UINT64_C(1) << 20) /* nodes that are expanded; more is too big */
#define WORDS_OF_A_RANGE 16           /* at least: fewer are one by one */
#define ELEMENTS_MAX COR_PROOF_AGENTS_MAX
#define STATE_INTEGER_MAX 9e15 /* as judge reads states */

enum { MEMBERS, CHILDREN }; /* collections of organizations, see corridor.h */

/* What a node gives for the elements that are bound at the moment. */
struct term {
    Z3_ast value;     /* of a number or a word */
    Z3_ast known;     /* has a value */
    Z3_ast yes, no;   /* of a condition: true, false */
    Z3_ast *at;       /* of an element: it is this one; in the arena of the expander */
    double low, high; /* of a number: it lies between */
};

struct expander {
    struct solve__expansion *e;
    struct solve__formulas *f;
    const struct cor_expression *expression;
    uint32_t constraint;
    struct term terms[COR_EXPRESSION_NODES_MAX];
    Z3_ast elements[COR_EXPRESSION_NODES_MAX][ELEMENTS_MAX];
    Z3_ast
        context[COR_QUERIES_NESTED_MAX]; /* the elements that are bound are there, and pass their filters */
    uint32_t depth;
};

static bool take_step(struct solve__expansion *e) {
    e->is_too_big = e->is_too_big || e->steps == 0;
    e->steps -= !e->is_too_big;
    return !e->is_too_big;
}

/* ---- truth values; what is known to be true or false stays so */

static Z3_ast negation(struct solve__expansion *e, Z3_ast a) {
    return a == e->yes  ? e->no
           : a == e->no ? e->yes
                        : solve__hold(e->formulas, Z3_mk_not(e->formulas->context, a));
}

static Z3_ast both(struct solve__expansion *e, Z3_ast a, Z3_ast b) {
    if (a == e->no || b == e->no)
        return e->no;
    if (a == e->yes || a == b)
        return b;
    if (b == e->yes)
        return a;
    return solve__hold(e->formulas, Z3_mk_and(e->formulas->context, 2, (Z3_ast[]){a, b}));
}

static Z3_ast either(struct solve__expansion *e, Z3_ast a, Z3_ast b) {
    if (a == e->yes || b == e->yes)
        return e->yes;
    if (a == e->no || a == b)
        return b;
    if (b == e->no)
        return a;
    return solve__hold(e->formulas, Z3_mk_or(e->formulas->context, 2, (Z3_ast[]){a, b}));
}

static Z3_ast all_of(struct solve__expansion *e, const Z3_ast *parts, uint32_t count) {
    Z3_ast kept[ELEMENTS_MAX * 2];
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (parts[i] == e->no)
            return e->no;
        if (parts[i] != e->yes)
            kept[n++] = parts[i];
    }
    return n == 0   ? e->yes
           : n == 1 ? kept[0]
                    : solve__hold(e->formulas, Z3_mk_and(e->formulas->context, n, kept));
}

static Z3_ast some_of(struct solve__expansion *e, const Z3_ast *parts, uint32_t count) {
    Z3_ast kept[ELEMENTS_MAX * 2];
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (parts[i] == e->yes)
            return e->yes;
        if (parts[i] != e->no)
            kept[n++] = parts[i];
    }
    return n == 0   ? e->no
           : n == 1 ? kept[0]
                    : solve__hold(e->formulas, Z3_mk_or(e->formulas->context, n, kept));
}

static Z3_ast implies(struct solve__expansion *e, Z3_ast a, Z3_ast b) {
    return either(e, negation(e, a), b);
}

static Z3_ast same(struct solve__expansion *e, Z3_ast a, Z3_ast b) {
    return a == b ? e->yes : solve__hold(e->formulas, Z3_mk_eq(e->formulas->context, a, b));
}

static Z3_ast choose(struct solve__expansion *e, Z3_ast condition, Z3_ast a, Z3_ast b) {
    if (condition == e->yes || a == b)
        return a;
    if (condition == e->no)
        return b;
    return solve__hold(e->formulas, Z3_mk_ite(e->formulas->context, condition, a, b));
}

static Z3_ast fresh(struct solve__expansion *e, const char *name, Z3_sort sort) {
    return solve__hold(e->formulas, Z3_mk_fresh_const(e->formulas->context, name, sort));
}

static Z3_sort sort_of(struct solve__expansion *e, bool is_real) {
    return is_real ? Z3_mk_real_sort(e->formulas->context) : Z3_mk_int_sort(e->formulas->context);
}

static void demand(struct solve__expansion *e, Z3_ast axiom) {
    if (axiom == e->yes)
        return;
    if (COR_RESERVE(&e->axioms, &e->axiom_capacity, e->axiom_count + 1, e->formulas->error) != COR_OK)
        e->status = COR_STATUS_MEMORY;
    else
        e->axioms[e->axiom_count++] = axiom;
}

/* ---- numbers */

/* A real is the decimal number that was written, as the judge takes it: 0.1 is a tenth. */
static Z3_ast number(struct solve__expansion *e, double value, bool is_real) {
    char text[400];
    int64_t digits;
    int power = 0, used;
    if (is_real) {
        cor_real_digits(value, &digits, &power);
        used = snprintf(text, sizeof text, "%" PRId64 "%s", digits, power < 0 ? "/1" : "");
    } else {
        used = snprintf(text, sizeof text, "%.0f", value);
    }
    memset(text + used, '0', (size_t)abs(power));
    text[used + abs(power)] = '\0';
    return solve__hold(e->formulas, Z3_mk_numeral(e->formulas->context, text, sort_of(e, is_real)));
}

static Z3_ast integer(struct solve__expansion *e, int64_t value) {
    return solve__formula_number(e->formulas, value);
}

static Z3_ast total(struct solve__expansion *e, const Z3_ast *parts, uint32_t count, bool is_real) {
    return count == 0   ? number(e, 0, is_real)
           : count == 1 ? parts[0]
                        : solve__hold(e->formulas, Z3_mk_add(e->formulas->context, count, parts));
}

static Z3_ast at_most(struct solve__expansion *e, Z3_ast a, Z3_ast b) {
    return solve__hold(e->formulas, Z3_mk_le(e->formulas->context, a, b));
}

static Z3_ast times(struct solve__expansion *e, Z3_ast a, Z3_ast b) {
    return solve__hold(e->formulas, Z3_mk_mul(e->formulas->context, 2, (Z3_ast[]){a, b}));
}

static Z3_ast minus(struct solve__expansion *e, Z3_ast a) {
    return solve__hold(e->formulas, Z3_mk_unary_minus(e->formulas->context, a));
}

/* How many of them hold. */
static Z3_ast how_many(struct solve__expansion *e, const Z3_ast *conditions, uint32_t count) {
    Z3_ast ones[ELEMENTS_MAX + 1];
    int64_t sure = 0;
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; i++)
        if (conditions[i] == e->yes)
            sure++;
        else if (conditions[i] != e->no)
            ones[n++] = choose(e, conditions[i], integer(e, 1), integer(e, 0));
    if (sure > 0 || n == 0)
        ones[n++] = integer(e, sure);
    return total(e, ones, n, false);
}

static struct term condition(struct solve__expansion *e, Z3_ast known, Z3_ast value) {
    return (struct term){
        .known = known, .yes = both(e, known, value), .no = both(e, known, negation(e, value))};
}

/* A number that its type can hold; else it has no value. */
static struct term hold_number(struct solve__expansion *e, struct term term, bool is_real) {
    const double most = is_real ? DBL_MAX / 2 : 9.2e18;
    if (is_real || (term.low > -most && term.high < most))
        return term;
    Z3_ast low = integer(e, INT64_MIN), high = integer(e, INT64_MAX);
    term.known = both(e, term.known, both(e, at_most(e, low, term.value), at_most(e, term.value, high)));
    term.low = fmax(term.low, -most);
    term.high = fmin(term.high, most);
    return term;
}

/* a / b rounded down; z3's leaves a remainder that is never negative. */
static Z3_ast floor_divide(struct solve__expansion *e, Z3_ast a, struct term b) {
    Z3_context c = e->formulas->context;
    Z3_ast above = b.high > 0 ? solve__hold(e->formulas, Z3_mk_div(c, a, b.value)) : NULL;
    Z3_ast below = b.low < 0 ? solve__hold(e->formulas, Z3_mk_div(c, minus(e, a), minus(e, b.value))) : NULL;
    if (!above || !below)
        return above ? above : below ? below : integer(e, 0);
    return choose(e, at_most(e, b.value, integer(e, 0)), below, above);
}

static struct term divide(struct solve__expansion *e, enum cor_operator kind, struct term a, struct term b,
                          bool is_real) {
    Z3_context c = e->formulas->context;
    const double most = fmax(fabs(a.low), fabs(a.high));
    struct term made = {.known = both(e, a.known, b.known), .low = -most, .high = most};
    if (is_real || (b.low <= 0 && b.high >= 0)) /* bounds of reals are rounded */
        made.known = both(e, made.known, negation(e, same(e, b.value, number(e, 0, is_real))));
    if (is_real) {
        made.value = solve__hold(e->formulas, Z3_mk_div(c, a.value, b.value));
        made.low = -DBL_MAX; /* the divisor may be small */
        made.high = DBL_MAX;
        return made;
    }
    if (kind == COR_OPERATOR_CEIL_DIVIDE) {
        made.value = minus(e, floor_divide(e, minus(e, a.value), b));
    } else {
        made.value = floor_divide(e, a.value, b);
        if (kind == COR_OPERATOR_REMAINDER) {
            made.value =
                solve__hold(e->formulas, Z3_mk_sub(c, 2, (Z3_ast[]){a.value, times(e, made.value, b.value)}));
            made.high = fmax(fabs(b.low), fabs(b.high));
            made.low = -made.high;
        }
    }
    return made;
}

static struct term reckon(struct expander *x, const struct cor_node *node) {
    struct solve__expansion *e = x->e;
    Z3_context c = e->formulas->context;
    const struct term a = x->terms[node->left], b = x->terms[node->right];
    const bool is_real = node->reals;
    struct term made = {.known = both(e, a.known, b.known)};
    Z3_ast sides[2] = {a.value, b.value}, zero;
    switch (node->operator) {
    case COR_OPERATOR_NEGATE:
        made = (struct term){.value = minus(e, a.value), .known = a.known, .low = -a.high, .high = -a.low};
        break;
    case COR_OPERATOR_ADD:
        made.value = solve__hold(e->formulas, Z3_mk_add(c, 2, sides));
        made.low = a.low + b.low;
        made.high = a.high + b.high;
        break;
    case COR_OPERATOR_SUBTRACT:
        made.value = solve__hold(e->formulas, Z3_mk_sub(c, 2, sides));
        made.low = a.low - b.high;
        made.high = a.high - b.low;
        break;
    case COR_OPERATOR_MULTIPLY:
        made.value = times(e, a.value, b.value);
        made.high = fmax(fabs(a.low), fabs(a.high)) * fmax(fabs(b.low), fabs(b.high));
        made.low = -made.high;
        break;
    case COR_OPERATOR_MIN:
    case COR_OPERATOR_MAX: {
        const bool is_max = node->operator== COR_OPERATOR_MAX;
        made.value = choose(e, at_most(e, sides[is_max], sides[!is_max]), a.value, b.value);
        made.low = is_max ? fmax(a.low, b.low) : fmin(a.low, b.low);
        made.high = is_max ? fmax(a.high, b.high) : fmin(a.high, b.high);
        break;
    }
    case COR_OPERATOR_ABS:
        zero = number(e, 0, is_real);
        made = (struct term){.value = choose(e, at_most(e, zero, a.value), a.value, minus(e, a.value)),
                             .known = a.known,
                             .high = fmax(fabs(a.low), fabs(a.high))};
        break;
    case COR_OPERATOR_TO_REAL:
        made = a;
        made.value = solve__hold(e->formulas, Z3_mk_int2real(c, a.value));
        break;
    default:
        made = divide(e, node->operator, a, b, is_real);
    }
    return hold_number(e, made, is_real);
}

/* ---- elements and collections */

static uint32_t element_count(const struct solve__expansion *e, uint8_t type) {
    return type == COR_AGENT ? e->agents : e->organizations;
}

/* Of organization o, that p is its parent. */
static Z3_ast parent_of(const struct solve__expansion *e, uint32_t o, uint32_t p) {
    return e->parents[o * e->organizations + p];
}

static Z3_ast member(const struct solve__expansion *e, uint32_t agent, uint32_t o) {
    return e->members[agent * e->organizations + o];
}

/* That `item` is in the collection of `owner`. */
static Z3_ast is_in(const struct solve__expansion *e, uint8_t owner_type, uint32_t collection, uint32_t owner,
                    uint32_t item) {
    if (owner_type == COR_AGENT)
        return member(e, owner, item);
    return collection == MEMBERS ? member(e, item, owner) : parent_of(e, item, owner);
}

/* The collection that the node works on: [element], that it is in it. Gives whether it is known. */
static Z3_ast range_of(struct expander *x, const struct cor_node *node, uint8_t type, Z3_ast *items) {
    struct solve__expansion *e = x->e;
    const uint32_t count = element_count(e, type);
    if (node->variable == COR_NONE) {
        memcpy(items, type == COR_AGENT ? e->agent_there : e->organization_there, count * sizeof *items);
        return e->yes;
    }
    const struct term *owner = &x->terms[node->left];
    const uint8_t owner_type = x->expression->nodes[node->left].element;
    const uint32_t owners = element_count(e, owner_type);
    for (uint32_t i = 0; i < count; i++) {
        Z3_ast ways[ELEMENTS_MAX];
        for (uint32_t o = 0; o < owners; o++)
            ways[o] = owner->at[o] == e->no
                          ? e->no
                          : both(e, owner->at[o], is_in(e, owner_type, node->variable, o, i));
        items[i] = some_of(e, ways, owners);
    }
    return owner->known;
}

/* The type of the elements of the collection that the node works on. */
static uint8_t type_of_range(const struct expander *x, const struct cor_node *node) {
    if (node->operator== COR_OPERATOR_IN)
        return x->expression->nodes[node->right].element;
    if (node->variable == COR_NONE)
        return node->element;
    const uint8_t owner = x->expression->nodes[node->left].element;
    return x->e->corridor->scope.shape->types[owner].collections[node->variable].type;
}

/* The range of a number; where it has no bound of its own, that of proofs, or of what a state may say. */
static double quantity_low(const struct solve__expansion *e, const struct cor_quantity *quantity) {
    if (!e->state && isinf(quantity->low))
        return fmin(-COR_PROOF_NUMBER_MAX, quantity->high);
    return quantity->domain.type == COR_VALUE_TYPE_INTEGER ? fmax(quantity->low, -STATE_INTEGER_MAX)
                                                           : quantity->low;
}

static double quantity_high(const struct solve__expansion *e, const struct cor_quantity *quantity) {
    if (!e->state && isinf(quantity->high))
        return fmax(COR_PROOF_NUMBER_MAX, quantity->low);
    return quantity->domain.type == COR_VALUE_TYPE_INTEGER ? fmin(quantity->high, STATE_INTEGER_MAX)
                                                           : quantity->high;
}

/* A quantity, by the formula that stands for it. */
static struct term quantity_term(struct solve__expansion *e, const struct cor_quantity *quantity,
                                 Z3_ast value, Z3_ast known, bool to_real) {
    if (quantity->domain.type == COR_VALUE_TYPE_BOOLEAN)
        return condition(e, known, value);
    if (to_real && quantity->domain.type == COR_VALUE_TYPE_INTEGER)
        value = solve__hold(e->formulas, Z3_mk_int2real(e->formulas->context, value));
    return (struct term){
        .value = value, .known = known, .low = quantity_low(e, quantity), .high = quantity_high(e, quantity)};
}

/* In the state, the attribute of the element is not known. */
static bool lacks(const struct cor_attribute_values *columns, uint32_t attribute, uint32_t element) {
    return !columns || (columns[attribute].unknown && columns[attribute].unknown[element]);
}

/* The attribute of one element, and whether the state says it. */
static Z3_ast attribute_at(struct solve__expansion *e, const struct cor_node *node, uint32_t i,
                           bool *is_there) {
    *is_there = true;
    if (node->element == COR_AGENT) {
        *is_there = !e->state || !lacks(e->state->columns, node->variable, i);
        return e->attributes[node->variable * e->agents + i];
    }
    if (node->variable == COR_IS_ROOT)
        return negation(e, some_of(e, &e->parents[i * e->organizations], e->organizations));
    if (node->variable == COR_LEVEL)
        return e->levels[i];
    const uint32_t declared = node->variable - COR_ORGANIZATION_DECLARED;
    *is_there = !e->state || !lacks(e->state->organization_columns, declared, i);
    return e->organization_attributes[declared * e->organizations + i];
}

static struct term attribute_of(struct expander *x, const struct cor_node *node) {
    struct solve__expansion *e = x->e;
    const struct term *owner = &x->terms[node->left];
    const uint32_t count = element_count(e, node->element);
    const bool is_root = node->element == COR_ORGANIZATION && node->variable == COR_IS_ROOT;
    Z3_ast value = NULL, known = e->no;
    for (uint32_t i = 0; i < count; i++) {
        if (owner->at[i] == e->no)
            continue;
        bool is_there;
        Z3_ast one = attribute_at(e, node, i, &is_there);
        known = either(e, known, is_there ? owner->at[i] : e->no);
        value = value ? choose(e, owner->at[i], one, value) : one;
    }
    known = both(e, owner->known, known);
    if (!value)
        value = is_root || node->type == COR_NODE_TRUTH ? e->no : number(e, 0, node->reals);
    if (node->element == COR_AGENT)
        return quantity_term(e, &e->corridor->attributes[node->variable], value, known, node->reals);
    if (node->variable >= COR_ORGANIZATION_DECLARED)
        return quantity_term(
            e, &e->corridor->organization_attributes[node->variable - COR_ORGANIZATION_DECLARED], value,
            known, node->reals);
    return is_root ? condition(e, known, value)
                   : (struct term){.value = value, .known = known, .high = e->organizations};
}

static struct term is_in_term(struct expander *x, const struct cor_node *node) {
    struct solve__expansion *e = x->e;
    const struct term *element = &x->terms[node->right];
    const uint8_t type = type_of_range(x, node);
    Z3_ast items[ELEMENTS_MAX];
    const Z3_ast known = both(e, range_of(x, node, type, items), element->known);
    for (uint32_t i = 0; i < element_count(e, type); i++)
        items[i] = both(e, items[i], element->at[i]);
    return condition(e, known, some_of(e, items, element_count(e, type)));
}

/* ---- queries */

/* What is known of the elements of a query, one behind the other. */
struct seen {
    uint32_t count;
    Z3_ast in[ELEMENTS_MAX];    /* it is there, and passes the filter */
    Z3_ast out[ELEMENTS_MAX];   /* it is not there, or does not pass */
    Z3_ast known[ELEMENTS_MAX]; /* of a number: out, or in with a value */
    struct term body[ELEMENTS_MAX];
};

static void expand_nodes(struct expander *x, uint32_t first, uint32_t end);

/* Whether expanding has stopped: terms behind that are not made. */
static bool is_over(const struct solve__expansion *e) {
    return e->is_too_big || e->status != COR_OK;
}

/* Where it stops, `seen` is not complete. */
static void see_elements(struct expander *x, uint32_t start, const struct cor_node *query, uint8_t type,
                         const Z3_ast *items, struct seen *seen) {
    struct solve__expansion *e = x->e;
    const uint32_t end = (uint32_t)x->expression->nodes[start].constant;
    const uint32_t count = element_count(e, type);
    const Z3_ast outer = x->depth > 0 ? x->context[x->depth - 1] : e->yes;
    struct term *bound = &x->terms[start];
    seen->count = 0;
    bound->at = x->elements[start];
    bound->known = e->yes;
    x->depth++;
    for (uint32_t i = 0; i < count; i++) {
        if (items[i] == e->no)
            continue;
        for (uint32_t j = 0; j < count; j++)
            bound->at[j] = j == i ? e->yes : e->no;
        x->context[x->depth - 1] = both(e, outer, items[i]);
        const bool has_filter = query->left != start;
        const uint32_t body = has_filter && query->left > start ? query->left + 1 : start + 1;
        expand_nodes(x, start + 1, body);
        if (has_filter && !is_over(e))
            x->context[x->depth - 1] = both(e, x->context[x->depth - 1], x->terms[query->left].yes);
        expand_nodes(x, body, end);
        if (is_over(e))
            break;
        const uint32_t n = seen->count++;
        seen->in[n] = both(e, items[i], has_filter ? x->terms[query->left].yes : e->yes);
        seen->out[n] = either(e, negation(e, items[i]), has_filter ? x->terms[query->left].no : e->no);
        seen->body[n] = query->right != start ? x->terms[query->right] : (struct term){.known = e->yes};
        seen->known[n] = either(e, seen->out[n], both(e, seen->in[n], seen->body[n].known));
    }
    x->depth--;
}

/* all, any, one. */
static struct term conclude_condition(struct solve__expansion *e, enum cor_operator kind,
                                      const struct seen *seen) {
    Z3_ast sure[ELEMENTS_MAX], never[ELEMENTS_MAX];
    struct term made;
    const bool is_all = kind == COR_OPERATOR_ALL;
    for (uint32_t i = 0; i < seen->count; i++) {
        sure[i] = both(e, seen->in[i], is_all ? seen->body[i].no : seen->body[i].yes);
        never[i] = either(e, seen->out[i], is_all ? seen->body[i].yes : seen->body[i].no);
    }
    const Z3_ast some = some_of(e, sure, seen->count), none = all_of(e, never, seen->count);
    if (kind == COR_OPERATOR_ONE) {
        Z3_ast all_known = e->yes, one = e->no, several = e->no;
        for (uint32_t i = 0; i < seen->count; i++) {
            all_known = both(e, all_known, either(e, sure[i], never[i]));
            several = either(e, several, both(e, one, sure[i]));
            one = either(e, one, sure[i]);
        }
        made = (struct term){.yes = both(e, all_known, both(e, one, negation(e, several))),
                             .no = either(e, several, none)};
    } else {
        made = (struct term){.yes = is_all ? none : some, .no = is_all ? some : none};
    }
    made.known = either(e, made.yes, made.no);
    return made;
}

/* The least or the greatest: a number that is one of them, and none is beyond it. */
static Z3_ast extremum(struct solve__expansion *e, const struct seen *seen, bool is_least, bool is_real,
                       Z3_ast some) {
    Z3_ast made = fresh(e, "extremum", sort_of(e, is_real)), attained[ELEMENTS_MAX];
    for (uint32_t i = 0; i < seen->count; i++) {
        Z3_ast value = seen->body[i].value;
        demand(e, implies(e, seen->in[i], is_least ? at_most(e, made, value) : at_most(e, value, made)));
        attained[i] = both(e, seen->in[i], same(e, made, value));
    }
    demand(e, implies(e, some, some_of(e, attained, seen->count)));
    return made;
}

/* The mean: for each number of elements, so many times it is the sum. */
static Z3_ast mean_of(struct solve__expansion *e, const struct seen *seen, Z3_ast sum) {
    Z3_ast count = how_many(e, seen->in, seen->count), made = fresh(e, "mean", sort_of(e, true));
    for (uint32_t k = 1; k <= seen->count; k++)
        demand(e,
               implies(e, same(e, count, integer(e, k)), same(e, times(e, number(e, k, true), made), sum)));
    return made;
}

static struct term conclude_number(struct solve__expansion *e, const struct cor_node *query, bool is_real,
                                   struct seen *seen) {
    const enum cor_operator kind = query->operator;
    struct term made = {.known = all_of(e, seen->known, seen->count), .low = 0, .high = 0};
    const Z3_ast some = some_of(e, seen->in, seen->count);
    if (kind == COR_OPERATOR_COUNT) {
        made.value = how_many(e, seen->in, seen->count);
        made.high = seen->count;
        return made;
    }
    double least = INFINITY, most = -INFINITY;
    for (uint32_t i = 0; i < seen->count; i++) {
        made.low += fmin(0, seen->body[i].low);
        made.high += fmax(0, seen->body[i].high);
        least = fmin(least, seen->body[i].low);
        most = fmax(most, seen->body[i].high);
    }
    if (kind == COR_OPERATOR_SUM || kind == COR_OPERATOR_MEAN) {
        Z3_ast parts[ELEMENTS_MAX];
        for (uint32_t i = 0; i < seen->count; i++)
            parts[i] = choose(e, seen->in[i], seen->body[i].value, number(e, 0, is_real));
        made.value = total(e, parts, seen->count, is_real);
        made = hold_number(e, made, is_real);
        if (kind == COR_OPERATOR_SUM)
            return made;
        if (!is_real)
            made.value = solve__hold(e->formulas, Z3_mk_int2real(e->formulas->context, made.value));
        made.value = mean_of(e, seen, made.value);
    } else {
        made.value = extremum(e, seen, kind == COR_OPERATOR_LEAST, is_real, some);
    }
    made.known = both(e, made.known, some);
    made.low = seen->count > 0 ? least : 0;
    made.high = seen->count > 0 ? most : 0;
    return made;
}

/* The query that begins at the BIND; returns its last node. */
static uint32_t expand_query(struct expander *x, uint32_t start) {
    struct solve__expansion *e = x->e;
    const struct cor_node *bind = &x->expression->nodes[start];
    const uint32_t end = (uint32_t)bind->constant;
    const struct cor_node *query = &x->expression->nodes[end];
    const uint8_t type = type_of_range(x, bind);
    const bool is_condition =
        query->operator== COR_OPERATOR_ALL || query->operator== COR_OPERATOR_ANY || query->operator==
        COR_OPERATOR_ONE;
    const bool is_real = query->right != start && x->expression->nodes[query->right].type == COR_NODE_REAL;
    struct seen *seen = cor_calloc(1, sizeof *seen);
    Z3_ast items[ELEMENTS_MAX];
    if (!seen) {
        e->status = cor_fail_memory(e->formulas->error);
        return end;
    }
    const Z3_ast known = range_of(x, bind, type, items);
    see_elements(x, start, query, type, items, seen);
    if (is_over(e)) {
        free(seen);
        return end;
    }
    struct term made = is_condition ? conclude_condition(e, query->operator, seen)
                                    : conclude_number(e, query, is_real, seen);
    if (is_condition) {
        made.yes = both(e, known, made.yes);
        made.no = both(e, known, made.no);
    }
    made.known = both(e, known, made.known);
    x->terms[end] = made;
    free(seen);
    return end;
}

/* ---- the nodes of a condition */

/* An "implies" is an "or" whose left side is a "not" that nobody wrote. */
static bool is_implication(const struct cor_expression *expression, const struct cor_node *node) {
    return node->operator== COR_OPERATOR_OR && expression->nodes[node->left]
        .
        operator== COR_OPERATOR_NOT && expression->spans[node->left]
        .at == NULL;
}

static enum cor_status list_premises(struct expander *x) {
    struct solve__expansion *e = x->e;
    for (uint32_t i = 0; i < x->expression->node_count; i++)
        if (is_implication(x->expression, &x->expression->nodes[i])) {
            COR_TRY(
                COR_RESERVE(&e->premises, &e->premise_capacity, e->premise_count + 1, e->formulas->error));
            e->premises[e->premise_count++] = (struct solve__premise){x->constraint, i, e->no};
        }
    return COR_OK;
}

/* That `a` is less than `b` by more than rounding: nobody is accused at the edge. */
static Z3_ast clearly_less(struct solve__expansion *e, Z3_ast a, Z3_ast b) {
    Z3_ast apart = solve__hold(e->formulas, Z3_mk_sub(e->formulas->context, 2, (Z3_ast[]){b, a})),
           made = e->yes;
    Z3_ast edge = number(e, COR_EDGE / 2, true), of_a = times(e, edge, a), of_b = times(e, edge, b);
    Z3_ast least[] = {edge, of_a, minus(e, of_a), of_b, minus(e, of_b)};
    for (size_t i = 0; i < sizeof least / sizeof *least; i++)
        made = both(e, made, negation(e, at_most(e, apart, least[i])));
    return made;
}

/* Of numbers in a state that were rounded. */
static struct term compare_rounded(struct solve__expansion *e, enum cor_operator kind, const struct term *a,
                                   const struct term *b, Z3_ast known) {
    const Z3_ast less = both(e, known, clearly_less(e, a->value, b->value)),
                 more = both(e, known, clearly_less(e, b->value, a->value)), apart = either(e, less, more);
    const bool is_order = kind == COR_OPERATOR_LESS || kind == COR_OPERATOR_LESS_EQUAL;
    return (struct term){.known = apart,
                         .yes = is_order                     ? less
                                : kind == COR_OPERATOR_EQUAL ? e->no
                                                             : apart,
                         .no = is_order                     ? more
                               : kind == COR_OPERATOR_EQUAL ? apart
                                                            : e->no};
}

static struct term compare(struct expander *x, const struct cor_node *node) {
    struct solve__expansion *e = x->e;
    const struct term a = x->terms[node->left], b = x->terms[node->right];
    const Z3_ast known = both(e, a.known, b.known);
    const uint8_t type = x->expression->nodes[node->left].type;
    Z3_ast value;
    if (e->state && node->exactness == COR_ROUNDED)
        return compare_rounded(e, node->operator, & a, &b, known);
    if (node->operator== COR_OPERATOR_LESS)
        value = negation(e, at_most(e, b.value, a.value));
    else if (node->operator== COR_OPERATOR_LESS_EQUAL)
        value = at_most(e, a.value, b.value);
    else if (type == COR_NODE_ELEMENT) {
        const uint32_t count = element_count(e, x->expression->nodes[node->left].element);
        Z3_ast ways[ELEMENTS_MAX];
        for (uint32_t i = 0; i < count; i++)
            ways[i] = both(e, a.at[i], b.at[i]);
        value = some_of(e, ways, count);
    } else
        value = same(e, type == COR_NODE_TRUTH ? a.yes : a.value, type == COR_NODE_TRUTH ? b.yes : b.value);
    return condition(e, known, node->operator== COR_OPERATOR_NOT_EQUAL ? negation(e, value) : value);
}

static struct term join(struct expander *x, const struct cor_node *node) {
    struct solve__expansion *e = x->e;
    const struct term a = x->terms[node->left], b = x->terms[node->right];
    const bool is_and = node->operator== COR_OPERATOR_AND;
    struct term made = {.yes = is_and ? both(e, a.yes, b.yes) : either(e, a.yes, b.yes),
                        .no = is_and ? either(e, a.no, b.no) : both(e, a.no, b.no)};
    made.known = a.known == e->yes && b.known == e->yes ? e->yes : either(e, made.yes, made.no);
    return made;
}

static struct term expand_node(struct expander *x, uint32_t index) {
    const struct cor_node *node = &x->expression->nodes[index];
    struct solve__expansion *e = x->e;
    Z3_ast items[ELEMENTS_MAX];
    switch (node->operator) {
    case COR_OPERATOR_CONSTANT:
    case COR_OPERATOR_VARIABLE: {
        if (node->operator== COR_OPERATOR_VARIABLE)
            return quantity_term(
                e, &e->corridor->parameters[node->variable], e->parameters[node->variable],
                e->state && e->state->parameters[node->variable].kind == COR_VALUE_NULL ? e->no : e->yes,
                node->reals);
        if (node->reals)
            return (struct term){
                .value = number(e, node->real, true), .known = e->yes, .low = node->real, .high = node->real};
        return (struct term){.value = integer(e, node->constant),
                             .known = e->yes,
                             .low = (double)node->constant,
                             .high = (double)node->constant};
    }
    case COR_OPERATOR_ATTRIBUTE:
        return attribute_of(x, node);
    case COR_OPERATOR_REFERENCE: {
        const struct term *owner = &x->terms[node->left];
        struct term made = {.at = x->elements[index]};
        for (uint32_t p = 0; p < e->organizations; p++) {
            Z3_ast ways[ELEMENTS_MAX];
            for (uint32_t o = 0; o < e->organizations; o++)
                ways[o] = both(e, owner->at[o], parent_of(e, o, p));
            made.at[p] = some_of(e, ways, e->organizations);
        }
        made.known = some_of(e, made.at, e->organizations);
        return made;
    }
    case COR_OPERATOR_IN:
        return is_in_term(x, node);
    case COR_OPERATOR_SIZE: {
        const uint8_t type = type_of_range(x, node);
        const Z3_ast known = range_of(x, node, type, items);
        return (struct term){.value = how_many(e, items, element_count(e, type)),
                             .known = known,
                             .high = element_count(e, type)};
    }
    case COR_OPERATOR_OR:
        if (is_implication(x->expression, node)) {
            /* Notes that what is left of an "implies" holds here, for the elements that are bound. */
            const Z3_ast here = both(e, x->depth > 0 ? x->context[x->depth - 1] : e->yes,
                                     x->terms[x->expression->nodes[node->left].left].yes);
            size_t p = 0;
            while (e->premises[p].constraint != x->constraint || e->premises[p].node != index)
                p++;
            e->premises[p].ever = either(e, e->premises[p].ever, here);
        }
        return join(x, node);
    case COR_OPERATOR_AND:
        return join(x, node);
    case COR_OPERATOR_NOT: {
        const struct term *of = &x->terms[node->left];
        return (struct term){.known = of->known, .yes = of->no, .no = of->yes};
    }
    case COR_OPERATOR_LESS:
    case COR_OPERATOR_LESS_EQUAL:
    case COR_OPERATOR_EQUAL:
    case COR_OPERATOR_NOT_EQUAL:
        return compare(x, node);
    default:
        return reckon(x, node);
    }
}

static void expand_nodes(struct expander *x, uint32_t first, uint32_t end) {
    for (uint32_t i = first; i < end && !is_over(x->e); i++) {
        if (!take_step(x->e))
            return;
        if (x->expression->nodes[i].operator== COR_OPERATOR_BIND)
            i = expand_query(x, i);
        else
            x->terms[i] = expand_node(x, i);
    }
}

/* ---- the structure */

static Z3_ast make_quantity(struct solve__expansion *e, const struct cor_quantity *quantity) {
    const struct cor_domain *domain = &quantity->domain;
    const bool is_real = domain->type == COR_VALUE_TYPE_REAL;
    if (domain->type == COR_VALUE_TYPE_BOOLEAN)
        return solve__formula_literal(e->formulas, quantity->name);
    Z3_ast made = fresh(e, quantity->name, sort_of(e, is_real));
    if (domain->type == COR_VALUE_TYPE_ENUMERATION) {
        Z3_ast any = e->no;
        for (uint32_t w = 0, end; w < domain->word_count && take_step(e); w = end) {
            end = w + 1; /* words of a long list mostly have the numbers one behind the other */
            while (end < domain->word_count && domain->words[end] == domain->words[end - 1] + 1)
                end++;
            if (end - w < WORDS_OF_A_RANGE)
                end = w + 1;
            any = either(e, any,
                         end == w + 1 ? same(e, made, integer(e, domain->words[w]))
                                      : both(e, at_most(e, integer(e, domain->words[w]), made),
                                             at_most(e, made, integer(e, domain->words[end - 1]))));
        }
        demand(e, any);
        return made;
    }
    double low = quantity_low(e, quantity), high = quantity_high(e, quantity);
    if (domain->type == COR_VALUE_TYPE_STRING) {
        low = 0;
        high = e->corridor->words.count + solve__words_beyond(e->corridor, e->agents) - 1;
    } else if (!is_real) {
        low = ceil(low);
        high = floor(high);
    }
    if (isfinite(low))
        demand(e, at_most(e, number(e, low, is_real), made));
    if (isfinite(high))
        demand(e, at_most(e, made, number(e, high, is_real)));
    return made;
}

/* The quantity has the value. */
static Z3_ast is_value(struct solve__expansion *e, Z3_ast formula, const struct cor_quantity *quantity,
                       struct cor_value value) {
    if (quantity->domain.type == COR_VALUE_TYPE_BOOLEAN)
        return value.as.integer ? formula : negation(e, formula);
    if (value.kind == COR_VALUE_REAL)
        return same(e, formula, number(e, value.as.real, true));
    return same(e, formula, integer(e, value.kind == COR_VALUE_WORD ? value.as.word : value.as.integer));
}

/* Row `a` is no less than row `b`, place by place from the first: neither of two that can be exchanged is
 * looked at twice. */
static void demand_order(struct solve__expansion *e, const Z3_ast *a, const Z3_ast *b, uint32_t count,
                         uint32_t step, Z3_ast unless) {
    Z3_ast order = e->yes;
    for (uint32_t i = count; i-- > 0;) {
        const Z3_ast first = a[i * step], second = b[i * step];
        order = either(e, both(e, first, negation(e, second)),
                       both(e, either(e, first, negation(e, second)), order));
    }
    demand(e, either(e, unless, order));
}

static void make_there(struct solve__expansion *e, Z3_ast *all, uint32_t low, uint32_t high) {
    for (uint32_t i = 0; i < high; i++) {
        all[i] = i < low ? e->yes : solve__formula_literal(e->formulas, "there");
        if (i > 0)
            demand(e, implies(e, all[i], all[i - 1]));
    }
}

/* Of numbered organizations any other can be the parent; levels keep them from going in circles. */
static void make_any_parents(struct solve__expansion *e) {
    const uint32_t count = e->organizations;
    Z3_ast roots[ELEMENTS_MAX];
    for (uint32_t o = 0; o < count; o++)
        e->levels[o] = fresh(e, "level", sort_of(e, false));
    for (uint32_t o = 0; o < count; o++) {
        Z3_ast *row = &e->parents[o * count], above = e->no, two = e->no;
        for (uint32_t p = 0; p < count; p++) {
            row[p] = p != o ? solve__formula_literal(e->formulas, "parent") : e->no;
            two = either(e, two, both(e, above, row[p]));
            above = either(e, above, row[p]);
            const Z3_ast level = total(e, (Z3_ast[]){e->levels[p], integer(e, 1)}, 2, false);
            demand(e, implies(e, row[p], same(e, e->levels[o], level)));
        }
        roots[o] = negation(e, above);
        demand(e, negation(e, two));
        demand(e, implies(e, roots[o], same(e, e->levels[o], integer(e, 0))));
        demand(e, solve__formula_range(e->formulas, e->levels[o], 0, count - 1));
    }
    if (e->corridor->kind == COR_STRUCTURE_TREE)
        demand(e, same(e, how_many(e, roots, count), integer(e, 1)));
}

static void make_members(struct solve__expansion *e) {
    const enum cor_structure_kind kind = e->corridor->kind;
    const uint32_t n = e->agents, count = e->organizations;
    const bool is_free = kind == COR_STRUCTURE_COVERING || kind == COR_STRUCTURE_OVERLAPPING;
    for (uint32_t a = 0; a < n; a++) {
        Z3_ast *row = &e->members[a * count], some = e->no, two = e->no;
        for (uint32_t o = 0; o < count; o++) {
            row[o] = solve__formula_literal(e->formulas, "member");
            demand(e, implies(e, row[o], both(e, e->agent_there[a], e->organization_there[o])));
            two = either(e, two, both(e, some, row[o]));
            some = either(e, some, row[o]);
        }
        if (!is_free)
            demand(e, negation(e, two));
        if (kind != COR_STRUCTURE_OVERLAPPING && kind != COR_STRUCTURE_OBSERVED)
            demand(e, implies(e, e->agent_there[a], some));
        if (a > 0 && !e->state)
            demand_order(e, row - count, row, count, 1, negation(e, e->agent_there[a]));
    }
    for (uint32_t o = 0; o < count; o++) {
        Z3_ast any = e->no;
        for (uint32_t a = 0; a < n; a++)
            any = either(e, any, member(e, a, o));
        for (uint32_t c = 0; c < count; c++)
            any = either(e, any, parent_of(e, c, o));
        demand(e, implies(e, e->organization_there[o], any));
        if (o > 0 && !e->state && !cor_structure_nests(kind))
            demand_order(e, &e->members[o - 1], &e->members[o], n, count,
                         negation(e, e->organization_there[o]));
    }
}

static enum cor_status make_structure(struct solve__expansion *e, const struct cor_proof_bounds *bounds) {
    const struct cor_corridor *corridor = e->corridor;
    const size_t n = e->agents, count = e->organizations;
    e->agent_there = cor_calloc(n, sizeof(Z3_ast));
    e->organization_there = cor_calloc(count, sizeof(Z3_ast));
    e->members = cor_calloc(n * count, sizeof(Z3_ast));
    e->parents = cor_calloc(count * count, sizeof(Z3_ast));
    e->levels = cor_calloc(count, sizeof(Z3_ast));
    e->attributes = cor_calloc(n * corridor->attribute_count, sizeof(Z3_ast));
    e->organization_attributes = cor_calloc(count * corridor->organization_attribute_count, sizeof(Z3_ast));
    e->parameters = cor_calloc(corridor->parameter_count, sizeof(Z3_ast));
    e->holds = cor_calloc(corridor->constraint_count, sizeof(Z3_ast));
    e->is_violated = cor_calloc(corridor->constraint_count, sizeof(Z3_ast));
    if (!e->agent_there || !e->organization_there || !e->members || !e->parents || !e->levels ||
        !e->attributes || !e->organization_attributes || !e->parameters || !e->holds || !e->is_violated)
        return cor_fail_memory(e->formulas->error);
    make_there(e, e->agent_there, bounds->agents_low, e->agents);
    make_there(e, e->organization_there, bounds->organizations_low, e->organizations);
    if (e->state && cor_structure_nests(corridor->kind))
        make_any_parents(e);
    else {
        /* A parent stands before its children: any organizations can be numbered so. */
        const bool nests = cor_structure_nests(e->corridor->kind);
        for (uint32_t o = 0; o < e->organizations; o++) {
            Z3_ast *row = &e->parents[o * e->organizations], above = e->no, two = e->no;
            Z3_ast levels[ELEMENTS_MAX];
            uint32_t level_count = 0;
            for (uint32_t p = 0; p < e->organizations; p++) {
                row[p] = nests && p < o ? solve__formula_literal(e->formulas, "parent") : e->no;
                if (row[p] == e->no)
                    continue;
                demand(e, implies(e, row[p], e->organization_there[o]));
                two = either(e, two, both(e, above, row[p]));
                above = either(e, above, row[p]);
                Z3_ast level = total(e, (Z3_ast[]){e->levels[p], integer(e, 1)}, 2, false);
                levels[level_count++] = choose(e, row[p], level, integer(e, 0));
            }
            demand(e, negation(e, two));
            e->levels[o] = total(e, levels, level_count, false);
            if (e->corridor->kind == COR_STRUCTURE_TREE && o > 0)
                demand(e, implies(e, e->organization_there[o], above));
        }
    }
    make_members(e);
    for (uint32_t q = 0; q < corridor->attribute_count; q++)
        for (size_t a = 0; a < n; a++)
            e->attributes[q * n + a] = make_quantity(e, &corridor->attributes[q]);
    for (uint32_t q = 0; q < corridor->organization_attribute_count; q++)
        for (size_t o = 0; o < count; o++)
            e->organization_attributes[q * count + o] =
                make_quantity(e, &corridor->organization_attributes[q]);
    for (uint32_t p = 0; p < corridor->parameter_count; p++)
        e->parameters[p] = make_quantity(e, &corridor->parameters[p]);
    for (uint32_t p = 0; p < corridor->parameter_count && e->state; p++)
        if (e->state->parameters[p].kind != COR_VALUE_NULL)
            demand(e, is_value(e, e->parameters[p], &corridor->parameters[p], e->state->parameters[p]));
    return e->status;
}

/* That the attribute is what the column says of the element. */
static Z3_ast as_in_column(struct solve__expansion *e, Z3_ast value, const struct cor_quantity *quantity,
                           const struct cor_attribute_values *column, uint32_t element) {
    return is_value(e, value, quantity,
                    quantity->domain.type == COR_VALUE_TYPE_REAL ? cor_real(column->reals[element])
                                                                 : cor_integer(column->integers[element]));
}

/* That what is assumed of an attribute or a parent (prover.h) is what it is in the task's state. */
static Z3_ast solve__as_in_state(struct solve__expansion *e, uint32_t what, uint32_t index) {
    if (what == SOLVE__PARENT) {
        const uint32_t parent = e->state->parents[index];
        const Z3_ast *row = &e->parents[index * e->organizations];
        return parent == COR_NOBODY ? negation(e, some_of(e, row, e->organizations)) : row[parent];
    }
    if (what == SOLVE__ORGANIZATION_ATTRIBUTE) {
        const uint32_t attribute = index / e->organizations;
        return as_in_column(e, e->organization_attributes[index],
                            &e->corridor->organization_attributes[attribute],
                            &e->state->organization_columns[attribute], index % e->organizations);
    }
    const uint32_t attribute = index / e->agents;
    return as_in_column(e, e->attributes[index], &e->corridor->attributes[attribute],
                        &e->state->columns[attribute], index % e->agents);
}

/* Expands the constraints of the task; fini frees in any case. */
static enum cor_status solve__expand(struct solve__expansion *e, struct solve__formulas *formulas,
                                     const struct solve__proof_task *task) {
    const struct cor_corridor *corridor = task->corridor;
    *e = (struct solve__expansion){.formulas = formulas,
                                   .corridor = corridor,
                                   .state = task->state,
                                   .agents = task->bounds.agents_high,
                                   .organizations = task->bounds.organizations_high,
                                   .steps = STEPS_MAX};
    e->yes = solve__hold(formulas, Z3_mk_true(formulas->context));
    e->no = solve__hold(formulas, Z3_mk_false(formulas->context));
    COR_TRY(make_structure(e, &task->bounds));
    COR_FREED struct expander *x = cor_calloc(1, sizeof *x);
    COR_TRY(cor_made(x, formulas->error));
    x->e = e;
    x->f = formulas;
    for (uint32_t c = 0; c < corridor->constraint_count && !e->is_too_big; c++) {
        if (!cor_corridor_is_plain(corridor, c) || (task->state && c != task->constraint))
            continue;
        x->constraint = c;
        x->expression = &corridor->constraints[c].condition;
        e->status = list_premises(x);
        expand_nodes(x, 0, x->expression->node_count);
        if (is_over(e))
            break;
        e->holds[c] = x->terms[x->expression->node_count - 1].yes;
        e->is_violated[c] = x->terms[x->expression->node_count - 1].no;
    }
    if (e->status == COR_OK)
        e->status = solve__formulas_status(formulas);
    return e->status;
}

static void solve__expansion_fini(struct solve__expansion *e) {
    void *const all[] = {e->agent_there,
                         e->organization_there,
                         e->members,
                         e->parents,
                         e->levels,
                         e->attributes,
                         e->organization_attributes,
                         e->parameters,
                         e->holds,
                         e->is_violated,
                         e->premises,
                         e->axioms};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    *e = (struct solve__expansion){.status = COR_OK};
}

struct server {
    const struct solve__proof_task *task;
    struct solve__formulas formulas;
    struct solve__expansion expansion;
    Z3_solver solver;
    uint32_t *assumed; /* owned; the question */
    Z3_ast *literals;  /* owned; of what is assumed */
    size_t capacity, literal_capacity;
    struct made {
        uint32_t assumed;
        Z3_ast literal;
    } * made; /* owned; those that have been used */
    size_t made_count, made_capacity;
    struct cor_bytes answer;
    uint64_t worked; /* by z3's count, until the last question ended */
    struct cor_error error;
};

static enum cor_status limit_work(struct server *server, uint32_t work) {
    Z3_context c = server->formulas.context;
    Z3_params params = Z3_mk_params(c);
    if (!params)
        return solve__formulas_status(&server->formulas);
    Z3_params_inc_ref(c, params);
    Z3_params_set_uint(c, params, Z3_mk_string_symbol(c, "rlimit"), work);
    Z3_params_set_bool(c, params, Z3_mk_string_symbol(c, "arith.nl.nra"), !server->task->without_algebra);
    Z3_params_set_uint(c, params, Z3_mk_string_symbol(c, "random_seed"), 0);
    Z3_solver_set_params(c, server->solver, params);
    Z3_params_dec_ref(c, params);
    return solve__formulas_status(&server->formulas);
}

/* Of all questions, by z3's own count. */
static uint64_t work_so_far(struct server *server) {
    Z3_context c = server->formulas.context;
    Z3_stats statistics = Z3_solver_get_statistics(c, server->solver);
    uint64_t work = 0;
    if (!statistics)
        return 0;
    Z3_stats_inc_ref(c, statistics);
    for (unsigned i = 0; i < Z3_stats_size(c, statistics); i++)
        if (strcmp(Z3_stats_get_key(c, statistics, i), "rlimit count") == 0 &&
            Z3_stats_is_uint(c, statistics, i))
            work = Z3_stats_get_uint_value(c, statistics, i);
    Z3_stats_dec_ref(c, statistics);
    return work;
}

static enum cor_status open_server(struct server *server) {
    struct solve__formulas *f = &server->formulas;
    COR_TRY(solve__formulas_init(f, &server->error));
    COR_TRY(solve__expand(&server->expansion, f, server->task));
    server->solver = Z3_mk_simple_solver(f->context);
    if (server->solver)
        Z3_solver_inc_ref(f->context, server->solver);
    COR_TRY(solve__formulas_status(f));
    for (size_t a = 0; a < server->expansion.axiom_count; a++)
        Z3_solver_assert(f->context, server->solver, server->expansion.axioms[a]);
    return solve__formulas_status(f);
}

/* The values among them that are reals are multiples of 1/64, and `all` holds. */
static Z3_ast on_grid(struct server *server, Z3_ast all, const Z3_ast *values, uint32_t count) {
    struct solve__expansion *e = &server->expansion;
    Z3_context c = e->formulas->context;
    for (uint32_t i = 0; i < count; i++) {
        Z3_ast value = values[i];
        if (Z3_get_sort_kind(c, Z3_get_sort(c, value)) != Z3_REAL_SORT)
            continue;
        Z3_ast scale = solve__hold(e->formulas, Z3_mk_numeral(c, "64", Z3_mk_real_sort(c)));
        Z3_ast scaled = solve__hold(e->formulas, Z3_mk_mul(c, 2, (Z3_ast[]){scale, value}));
        Z3_ast whole = solve__hold(e->formulas, Z3_mk_is_int(c, scaled));
        all = solve__hold(e->formulas, Z3_mk_and(c, 2, (Z3_ast[]){all, whole}));
    }
    return all;
}

static Z3_ast formula_of(struct server *server, uint32_t what, uint32_t index) {
    struct solve__expansion *e = &server->expansion;
    switch (what) {
    case SOLVE__HOLDS:
        return e->holds[index];
    case SOLVE__FAILS:
        return solve__hold(e->formulas, Z3_mk_not(e->formulas->context, e->holds[index]));
    case SOLVE__VIOLATED:
        return e->is_violated[index];
    case SOLVE__PREMISE:
        return e->premises[index].ever;
    case SOLVE__AGENTS:
        return solve__hold(e->formulas, Z3_mk_not(e->formulas->context, e->agent_there[index]));
    case SOLVE__ORGANIZATIONS:
        return solve__hold(e->formulas, Z3_mk_not(e->formulas->context, e->organization_there[index]));
    case SOLVE__MEMBER:
        return e->members[index];
    case SOLVE__NO_MEMBER:
        return solve__hold(e->formulas, Z3_mk_not(e->formulas->context, e->members[index]));
    case SOLVE__ATTRIBUTE:
    case SOLVE__ORGANIZATION_ATTRIBUTE:
    case SOLVE__PARENT:
        return solve__as_in_state(e, what, index);
    case SOLVE__NOT_VIOLATED:
        return solve__hold(e->formulas, Z3_mk_not(e->formulas->context, e->is_violated[index]));
    default: {
        /* Reals are multiples of 1/64. */
        const struct cor_corridor *corridor = e->corridor;
        Z3_ast all = on_grid(server, e->yes, e->attributes, corridor->attribute_count * e->agents);
        all = on_grid(server, all, e->organization_attributes,
                      corridor->organization_attribute_count * e->organizations);
        return on_grid(server, all, e->parameters, corridor->parameter_count);
    }
    }
}

/* The literal that stands for it: made when it is used first. */
static Z3_ast literal_of(struct server *server, uint32_t assumed) {
    struct solve__formulas *f = &server->formulas;
    for (size_t i = 0; i < server->made_count; i++)
        if (server->made[i].assumed == assumed)
            return server->made[i].literal;
    Z3_ast literal = solve__formula_literal(f, "assumed");
    Z3_ast formula = formula_of(server, assumed / SOLVE__ASSUMED, assumed % SOLVE__ASSUMED);
    Z3_solver_assert(f->context, server->solver, solve__hold(f, Z3_mk_implies(f->context, literal, formula)));
    if (COR_RESERVE(&server->made, &server->made_capacity, server->made_count + 1, &server->error) == COR_OK)
        server->made[server->made_count++] = (struct made){assumed, literal};
    else
        f->status = COR_STATUS_MEMORY;
    return literal;
}

static bool is_true(struct server *server, Z3_model model, Z3_ast formula, bool *read) {
    Z3_context c = server->formulas.context;
    Z3_ast value;
    const Z3_lbool truth =
        Z3_model_eval(c, model, formula, true, &value) ? Z3_get_bool_value(c, value) : Z3_L_UNDEF;
    *read = *read && truth != Z3_L_UNDEF;
    return truth == Z3_L_TRUE;
}

static void put_value(struct server *server, Z3_model model, Z3_ast formula, bool *read) {
    Z3_context c = server->formulas.context;
    const Z3_sort_kind sort = Z3_get_sort_kind(c, Z3_get_sort(c, formula));
    Z3_ast value;
    int64_t number = 0;
    if (sort == Z3_BOOL_SORT) {
        number = is_true(server, model, formula, read);
    } else if (!Z3_model_eval(c, model, formula, true, &value) || !Z3_is_numeral_ast(c, value)) {
        *read = false;
    } else if (sort == Z3_REAL_SORT) {
        cor_bytes_put_real(&server->answer, Z3_get_numeral_double(c, value));
        return;
    } else {
        *read = *read && Z3_get_numeral_int64(c, value, &number);
    }
    cor_bytes_put_number(&server->answer, (uint64_t)number, sizeof number);
}

/* The structure that was found; false where it cannot be said in plain numbers. */
static bool put_structure(struct server *server, struct solve__proof_reply *reply) {
    struct solve__expansion *e = &server->expansion;
    Z3_context c = server->formulas.context;
    Z3_model model = Z3_solver_get_model(c, server->solver);
    bool read = model != NULL;
    if (!model)
        return false;
    Z3_model_inc_ref(c, model);
    while (reply->agents < e->agents && is_true(server, model, e->agent_there[reply->agents], &read))
        reply->agents++;
    while (reply->organizations < e->organizations &&
           is_true(server, model, e->organization_there[reply->organizations], &read))
        reply->organizations++;
    for (uint32_t a = 0; a < reply->agents; a++)
        for (uint32_t o = 0; o < reply->organizations; o++)
            put_value(server, model, e->members[a * e->organizations + o], &read);
    for (uint32_t o = 0; o < reply->organizations; o++) {
        uint64_t parent = 0;
        for (uint32_t p = 0; p < o; p++)
            if (is_true(server, model, e->parents[o * e->organizations + p], &read))
                parent = p + 1;
        cor_bytes_put_number(&server->answer, parent, sizeof parent);
    }
    for (uint32_t q = 0; q < e->corridor->attribute_count; q++)
        for (uint32_t a = 0; a < reply->agents; a++)
            put_value(server, model, e->attributes[q * e->agents + a], &read);
    for (uint32_t q = 0; q < e->corridor->organization_attribute_count; q++)
        for (uint32_t o = 0; o < reply->organizations; o++)
            put_value(server, model, e->organization_attributes[q * e->organizations + o], &read);
    for (uint32_t p = 0; p < e->corridor->parameter_count; p++)
        put_value(server, model, e->parameters[p], &read);
    Z3_model_dec_ref(c, model);
    return read;
}

static void answer_question(struct server *server, const struct solve__proof_request *request,
                            struct solve__proof_reply *reply) {
    Z3_context c = server->formulas.context;
    if (server->expansion.is_too_big) /* there are no literals to ask by */
        return;
    reply->head.status = limit_work(server, request->work);
    for (uint32_t i = 0; i < request->count && reply->head.status == COR_OK; i++) {
        server->literals[i] = literal_of(server, server->assumed[i]);
        reply->head.status = solve__formulas_status(&server->formulas);
    }
    if (reply->head.status != COR_OK)
        return;
    const Z3_lbool found = Z3_solver_check_assumptions(c, server->solver, request->count, server->literals);
    const uint64_t worked = work_so_far(server);
    reply->work =
        found == Z3_L_UNDEF || worked <= server->worked ? request->work : (uint32_t)(worked - server->worked);
    server->worked = worked;
    if (found == Z3_L_FALSE) {
        reply->answer = COR_ANSWER_EMPTY;
        Z3_ast_vector core = Z3_solver_get_unsat_core(c, server->solver);
        if (core) {
            Z3_ast_vector_inc_ref(c, core);
            for (uint32_t i = 0; i < request->count; i++)
                for (unsigned k = 0; k < Z3_ast_vector_size(c, core); k++)
                    if (Z3_is_eq_ast(c, Z3_ast_vector_get(c, core, k), server->literals[i])) {
                        cor_bytes_put_number(&server->answer, server->assumed[i], sizeof(uint32_t));
                        reply->core_count++;
                        break;
                    }
            Z3_ast_vector_dec_ref(c, core);
        }
    } else if (found == Z3_L_TRUE && put_structure(server, reply)) {
        reply->answer = COR_ANSWER_SATISFIABLE;
    }
    reply->head.status = solve__formulas_status(&server->formulas);
}

void solve__serve_proofs(const void *task, int socket) {
    struct server server = {.task = task, .error = COR_NO_ERROR};
    const enum cor_status opened = open_server(&server);
    struct solve__proof_request request;
    bool alive = true, is_first = true;
    while (alive && solve__receive_all(socket, &request, sizeof request)) {
        struct solve__proof_reply reply = {.head.status = opened, .answer = COR_ANSWER_UNDECIDED};
        if (COR_RESERVE(&server.assumed, &server.capacity, request.count + 1, NULL) != COR_OK ||
            COR_RESERVE(&server.literals, &server.literal_capacity, request.count + 1, NULL) != COR_OK ||
            !solve__receive_all(socket, server.assumed, request.count * sizeof *server.assumed))
            break;
        cor_bytes_clear(&server.answer);
        if (opened == COR_OK && is_first) {
            const struct solve__expansion *e = &server.expansion;
            reply.premise_count = e->is_too_big ? 0 : (uint32_t)e->premise_count;
            for (uint32_t p = 0; p < reply.premise_count; p++) {
                cor_bytes_put_number(&server.answer, e->premises[p].constraint, sizeof(uint32_t));
                cor_bytes_put_number(&server.answer, e->premises[p].node, sizeof(uint32_t));
            }
        } else if (opened == COR_OK)
            answer_question(&server, &request, &reply);
        is_first = false;
        if (reply.answer == COR_ANSWER_UNDECIDED && reply.premise_count == 0)
            cor_bytes_clear(&server.answer);
        if (server.answer.status != COR_OK)
            reply.head.status = cor_fail_memory(&server.error);
        reply.head.size = sizeof reply + server.answer.size;
        reply.head.error = server.error;
        alive = solve__send_all(socket, &reply, sizeof reply) &&
                solve__send_all(socket, server.answer.bytes, server.answer.size);
    }
    if (server.solver)
        Z3_solver_dec_ref(server.formulas.context, server.solver);
    solve__expansion_fini(&server.expansion);
    solve__formulas_fini(&server.formulas);
    COR_FREE(server.assumed, server.literals, server.made);
    cor_bytes_fini(&server.answer);
}
