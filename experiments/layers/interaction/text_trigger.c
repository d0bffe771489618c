/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Triggers of a corridor as a text become the program of the monitor (trigger.h). What would have to be
 * reckoned from nothing in each case is refused, the part named. */
#include "text_internal.h"

#include <corridor/array.h>

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MEMBERS }; /* a collection of an organization */

/* One trigger, while it is lowered. */
struct lowering {
    const struct interaction__text *text;
    const struct interaction__text_judge *judge; /* NULL: there are no agents */
    const struct cor_constraint *constraint;
    const struct cor_node *nodes;
    struct cor_trigger_program *program;
    uint32_t organization; /* the BIND of the organization; COR_NONE: there is none */
    struct cor_error *error;
};

static enum cor_status lower(struct lowering *l, uint32_t index, uint32_t *made);

static enum cor_status refuse(const struct lowering *l, uint32_t node, const char *what) {
    char part[400];
    const struct cor_span *span = &l->constraint->condition.spans[node];
    cor_span_text(span, part, sizeof part);
    if (l->constraint->kind == COR_CONSTRAINT_OBJECTIVE)
        return interaction__text_complain(l->text, span->at, l->error,
                                          "what is followed: counts, sums, least and greatest values of "
                                          "members, with filters over what does "
                                          "not change",
                                          "the objective \"%s\" cannot be followed by algorithms: \"%s\" %s",
                                          l->constraint->name, part, what);
    return interaction__text_complain(
        l->text, span->at, l->error,
        "what is kept: counts, sums, least and greatest values of members, with filters over what does not "
        "change; make it an invariant, which is not watched",
        "the trigger \"%s\" cannot be kept by the monitor: \"%s\" %s", l->constraint->name, part, what);
}

/* A node of the program; the one that is there already if there is one like it. */
static enum cor_status add(struct lowering *l, struct cor_trigger_node node, uint32_t *made) {
    struct cor_trigger_program *program = l->program;
    for (uint32_t i = 0; i < program->node_count; i++) {
        const struct cor_trigger_node *other = &program->nodes[i];
        if (other->operator== node.operator&& other->by_organization == node.by_organization &&
            other->left == node.left && other->right == node.right && other->column == node.column &&
            other->filter == node.filter && memcmp(&other->constant, &node.constant, sizeof(double)) == 0) {
            *made = i;
            return COR_OK;
        }
    }
    COR_TRY(COR_RESERVE(&program->nodes, &program->node_capacity, program->node_count + 1, l->error));
    *made = program->node_count;
    program->nodes[program->node_count++] = node;
    return COR_OK;
}

static enum cor_status add_constant(struct lowering *l, double constant, uint32_t *made) {
    return add(l,
               (struct cor_trigger_node){
                   .operator= COR_TRIGGER_CONSTANT, .filter = COR_TRIGGER_NO_FILTER, .constant = constant},
               made);
}

static enum cor_status add_step(struct lowering *l, enum cor_trigger_operator kind, uint32_t left,
                                uint32_t right, uint32_t *made) {
    const struct cor_trigger_node *nodes = l->program->nodes;
    const bool by_organization =
        kind < COR_TRIGGER_ALL_OF &&
        (nodes[left].by_organization || (right != COR_NOBODY && nodes[right].by_organization));
    return add(l,
               (struct cor_trigger_node){.operator= kind,
                                         .by_organization = by_organization,
                                         .left = left,
                                         .right = right,
                                         .filter = COR_TRIGGER_NO_FILTER},
               made);
}

/* A comparison, whose sides are lowered. What is reckoned from integers alone the oracle decides by
 * fractions; as reals these are beside what they should be by no more than the slack, and by much more where
 * they differ, unless their denominators are as large as ten million. */
static enum cor_status add_comparison(struct lowering *l, const struct cor_node *node, uint32_t left,
                                      uint32_t right, uint32_t *made) {
    static const enum cor_trigger_operator kinds[] = {[COR_OPERATOR_LESS] = COR_TRIGGER_LESS,
                                                      [COR_OPERATOR_LESS_EQUAL] = COR_TRIGGER_LESS_EQUAL,
                                                      [COR_OPERATOR_EQUAL] = COR_TRIGGER_EQUAL,
                                                      [COR_OPERATOR_NOT_EQUAL] = COR_TRIGGER_NOT_EQUAL};
    const bool has_fraction = node->exactness != COR_ROUNDED && (l->nodes[node->left].exactness != COR_READ ||
                                                                 l->nodes[node->right].exactness != COR_READ);
    const bool is_ordered = node->operator== COR_OPERATOR_LESS || node->operator== COR_OPERATOR_LESS_EQUAL;
    const bool is_strict = node->operator== COR_OPERATOR_LESS || node->operator== COR_OPERATOR_NOT_EQUAL;
    uint32_t most, other, slack, apart;
    if (!has_fraction)
        return add_step(l, kinds[node->operator], left, right, made);
    COR_TRY(add_step(l, COR_TRIGGER_ABSOLUTE, left, COR_NOBODY, &most));
    COR_TRY(add_step(l, COR_TRIGGER_ABSOLUTE, right, COR_NOBODY, &other));
    COR_TRY(add_step(l, COR_TRIGGER_HIGHER, most, other, &most));
    COR_TRY(add_constant(l, 1, &other));
    COR_TRY(add_step(l, COR_TRIGGER_HIGHER, most, other, &most));
    COR_TRY(add_constant(l, 1e-13, &slack));
    COR_TRY(add_step(l, COR_TRIGGER_MULTIPLY, most, slack, &slack));
    COR_TRY(add_step(l, COR_TRIGGER_SUBTRACT, left, right, &apart));
    if (!is_ordered)
        COR_TRY(add_step(l, COR_TRIGGER_ABSOLUTE, apart, COR_NOBODY, &apart));
    if (!is_strict)
        return add_step(l, COR_TRIGGER_LESS_EQUAL, apart, slack, made);
    if (is_ordered) { /* less by more than that */
        COR_TRY(add_step(l, COR_TRIGGER_NEGATE, slack, COR_NOBODY, &slack));
        return add_step(l, COR_TRIGGER_LESS, apart, slack, made);
    }
    return add_step(l, COR_TRIGGER_LESS, slack, apart, made);
}

/* ---- members */

/* A query over agents: those of the organization, or all. */
struct over_agents {
    const struct cor_node *query;
    uint32_t bind;
    bool by_organization;
};

static bool depends_on(const struct lowering *l, uint32_t index, uint32_t bind) {
    const struct cor_node *node = &l->nodes[index];
    if (index == bind)
        return true;
    if (node->operator== COR_OPERATOR_CONSTANT || node->operator== COR_OPERATOR_VARIABLE || node->operator==
        COR_OPERATOR_BIND)
        return false;
    if (node->operator>= COR_OPERATOR_COUNT)
        return true; /* a query within: not looked into */
    return (node->left != COR_NONE && depends_on(l, node->left, bind)) ||
           (node->right != COR_NONE && node->right != node->left &&
            node->operator!= COR_OPERATOR_SIZE && node->operator!= COR_OPERATOR_ATTRIBUTE &&
            node->
            operator!= COR_OPERATOR_REFERENCE && node->
            operator!= COR_OPERATOR_NEGATE && node->
            operator!= COR_OPERATOR_NOT && node->
            operator!= COR_OPERATOR_ABS && node->
            operator!= COR_OPERATOR_TO_REAL && depends_on(l, node->right, bind));
}

static bool is_attribute_of(const struct lowering *l, uint32_t index, uint32_t bind) {
    const struct cor_node *node = &l->nodes[index];
    return node->operator== COR_OPERATOR_ATTRIBUTE && node->element == COR_AGENT && node->left == bind;
}

/* What part of a condition over an agent may change, or is not looked into; COR_NONE: nothing. */
static uint32_t first_change(const struct lowering *l, uint32_t index, uint32_t bind) {
    const struct cor_node *node = &l->nodes[index];
    switch (node->operator) {
    case COR_OPERATOR_CONSTANT:
    case COR_OPERATOR_VARIABLE:
        return COR_NONE;
    case COR_OPERATOR_ATTRIBUTE:
        return is_attribute_of(l, index, bind) && !l->text->changes[node->variable] ? COR_NONE : index;
    case COR_OPERATOR_NEGATE:
    case COR_OPERATOR_NOT:
    case COR_OPERATOR_ABS:
    case COR_OPERATOR_TO_REAL:
        return first_change(l, node->left, bind);
    case COR_OPERATOR_ADD:
    case COR_OPERATOR_SUBTRACT:
    case COR_OPERATOR_MULTIPLY:
    case COR_OPERATOR_LESS:
    case COR_OPERATOR_LESS_EQUAL:
    case COR_OPERATOR_EQUAL:
    case COR_OPERATOR_NOT_EQUAL:
    case COR_OPERATOR_AND:
    case COR_OPERATOR_OR: {
        const uint32_t left = first_change(l, node->left, bind);
        return left != COR_NONE ? left : first_change(l, node->right, bind);
    }
    default:
        return index;
    }
}

static double number_of(const struct cor_value *value) {
    return value->kind == COR_VALUE_REAL ? value->as.real : (double)value->as.integer;
}

static double finite(double a) {
    return isfinite(a) ? a : NAN;
}

static double negation(double a) {
    return isnan(a) ? a : a == 0;
}

static double conjunction(double a, double b) {
    return a == 0 || b == 0 ? 0 : isnan(a) || isnan(b) ? NAN : 1;
}

/* The condition or number of an agent, which does not change; NaN: it is not known. */
static double fixed_value(const struct lowering *l, uint32_t index, uint32_t agent) {
    const struct cor_node *node = &l->nodes[index];
    if (node->operator== COR_OPERATOR_CONSTANT)
        return node->reals ? node->real : (double)node->constant;
    if (node->operator== COR_OPERATOR_VARIABLE)
        return number_of(&l->judge->parameters[node->variable]);
    if (node->operator== COR_OPERATOR_ATTRIBUTE) {
        const struct cor_attribute_values *column = &l->judge->columns[node->variable];
        if (column->unknown && column->unknown[agent])
            return NAN;
        return node->reals ? column->reals[agent] : (double)column->integers[agent];
    }
    const double a = fixed_value(l, node->left, agent);
    switch (node->operator) {
    case COR_OPERATOR_NEGATE:
        return -a;
    case COR_OPERATOR_NOT:
        return negation(a);
    case COR_OPERATOR_ABS:
        return fabs(a);
    case COR_OPERATOR_TO_REAL:
        return a;
    default:
        break;
    }
    const double b = fixed_value(l, node->right, agent);
    if (node->operator== COR_OPERATOR_AND)
        return conjunction(a, b);
    if (node->operator== COR_OPERATOR_OR)
        return negation(conjunction(negation(a), negation(b)));
    if (isnan(a) || isnan(b))
        return NAN;
    switch (node->operator) {
    case COR_OPERATOR_ADD:
        return finite(a + b);
    case COR_OPERATOR_SUBTRACT:
        return finite(a - b);
    case COR_OPERATOR_MULTIPLY:
        return finite(a * b);
    case COR_OPERATOR_LESS:
        return a < b;
    case COR_OPERATOR_LESS_EQUAL:
        return a <= b;
    case COR_OPERATOR_EQUAL:
        return a == b;
    case COR_OPERATOR_NOT_EQUAL:
        return a != b;
    default:
        COR_ASSERT(false && "an operator that first_change lets pass");
    }
}

/* Agents for which a filter and a condition, or its contrary, hold, COR_NONE each if there is none; or for
 * which it is not known whether they do. */
struct mask {
    uint32_t filter, condition;
    bool is_contrary, is_unsure;
};

static bool is_masked(const struct lowering *l, const struct mask *mask, uint32_t agent) {
    const double filter = mask->filter == COR_NONE ? 1 : fixed_value(l, mask->filter, agent);
    const double holds = mask->condition == COR_NONE ? 1 : fixed_value(l, mask->condition, agent);
    const double both = conjunction(filter, mask->is_contrary ? negation(holds) : holds);
    return mask->is_unsure ? isnan(both) : both == 1;
}

/* The filter that lets those pass; *is_empty: nobody. */
static enum cor_status add_mask(struct lowering *l, const struct over_agents *over, const struct mask *mask,
                                uint32_t *filter, bool *is_empty) {
    struct cor_trigger_program *program = l->program;
    const uint32_t parts[2] = {mask->filter, mask->condition}, agents = l->judge ? l->judge->agent_count : 0;
    *filter = COR_TRIGGER_NO_FILTER;
    *is_empty = mask->is_unsure;
    if (mask->filter == COR_NONE && mask->condition == COR_NONE)
        return COR_OK;
    for (int i = 0; i < 2; i++) {
        const uint32_t change = parts[i] == COR_NONE ? COR_NONE : first_change(l, parts[i], over->bind);
        if (change != COR_NONE)
            return refuse(l, change, "is no filter that stays as it is");
    }
    uint8_t *passes = cor_calloc(agents, 1);
    COR_TRY(cor_made(passes, l->error));
    for (uint32_t agent = 0; agent < agents; agent++) {
        passes[agent] = is_masked(l, mask, agent);
        *is_empty = *is_empty && !passes[agent];
    }
    bool is_known = mask->is_unsure && *is_empty;
    for (uint32_t f = 0; f < program->filter_count && l->judge && !is_known; f++) {
        is_known = memcmp(program->filters[f], passes, agents) == 0;
        *filter = f;
    }
    const bool has_room = is_known || COR_RESERVE(&program->filters, &program->filter_capacity,
                                                  program->filter_count + 1, l->error) == COR_OK;
    if (is_known || !has_room) {
        free(passes);
        return has_room ? COR_OK : l->error->status;
    }
    *filter = program->filter_count;
    program->filters[program->filter_count++] = passes;
    return COR_OK;
}

/* The column of an attribute, where it stands. */
static enum cor_status add_column(struct lowering *l, uint32_t attribute, uint32_t *column) {
    struct cor_trigger_program *program = l->program;
    const double *numbers = l->judge ? l->judge->numbers[attribute] : NULL;
    for (uint32_t c = 0; c < program->column_count && l->judge; c++)
        if (program->columns[c].numbers == numbers) {
            *column = c;
            return COR_OK;
        }
    COR_TRY(COR_RESERVE(&program->columns, &program->column_capacity, program->column_count + 1, l->error));
    *column = program->column_count;
    program->columns[program->column_count++] =
        (struct cor_trigger_column){numbers, l->text->changes[attribute], attribute, NULL};
    return COR_OK;
}

/* What the organization keeps. */
static enum cor_status add_kept(struct lowering *l, uint32_t declared, uint32_t *made) {
    struct cor_trigger_program *program = l->program;
    const double *const *kept = l->judge ? (const double *const *)&l->judge->kept_numbers[declared] : NULL;
    uint32_t column = 0;
    while (column < program->column_count && (!kept || program->columns[column].kept != kept))
        column++;
    if (column == program->column_count) {
        COR_TRY(
            COR_RESERVE(&program->columns, &program->column_capacity, program->column_count + 1, l->error));
        program->columns[program->column_count++] = (struct cor_trigger_column){.kept = kept};
    }
    return add(l,
               (struct cor_trigger_node){.operator= COR_TRIGGER_KEPT,
                                         .by_organization = true,
                                         .column = column,
                                         .filter = COR_TRIGGER_NO_FILTER},
               made);
}

static enum cor_status add_leaf(struct lowering *l, const struct over_agents *over,
                                enum cor_trigger_operator kind, uint32_t attribute, uint32_t filter,
                                uint32_t *made) {
    uint32_t column = 0;
    if (kind != COR_TRIGGER_COUNT)
        COR_TRY(add_column(l, attribute, &column));
    return add(
        l,
        (struct cor_trigger_node){
            .operator= kind, .by_organization = over->by_organization, .column = column, .filter = filter},
        made);
}

/* The attribute of the agent that the node is, COR_NONE: it is none that is a number. */
static uint32_t attribute_of(const struct lowering *l, uint32_t index, uint32_t bind) {
    while (l->nodes[index].operator== COR_OPERATOR_TO_REAL)
        index = l->nodes[index].left;
    const struct cor_node *node = &l->nodes[index];
    const bool is_number = node->type == COR_NODE_REAL || node->type == COR_NODE_INTEGER;
    return is_attribute_of(l, index, bind) && is_number ? node->variable : COR_NONE;
}

/* 0, or not known where there is one of those that were counted. */
static enum cor_status add_doubt(struct lowering *l, uint32_t counted, uint32_t *made) {
    uint32_t zero, is_none;
    COR_TRY(add_constant(l, 0, &zero));
    COR_TRY(add_step(l, COR_TRIGGER_EQUAL, counted, zero, &is_none));
    return add_step(l, COR_TRIGGER_DIVIDE, zero, is_none, made);
}

/* Makes a number unknown where one of those of the mask is a member. */
static enum cor_status doubt_by(struct lowering *l, const struct over_agents *over, const struct mask *mask,
                                uint32_t *made) {
    uint32_t filter, doubt;
    bool is_empty;
    COR_TRY(add_mask(l, over, mask, &filter, &is_empty));
    if (is_empty)
        return COR_OK;
    COR_TRY(add_leaf(l, over, COR_TRIGGER_COUNT, 0, filter, &doubt));
    COR_TRY(add_doubt(l, doubt, &doubt));
    return add_step(l, COR_TRIGGER_ADD, *made, doubt, made);
}

/* Makes a number unknown where the attribute of a member is. */
static enum cor_status doubt_attribute(struct lowering *l, const struct over_agents *over, uint32_t attribute,
                                       uint32_t filter, uint32_t *made) {
    uint32_t doubt;
    if (!l->text->is_partial[attribute])
        return COR_OK;
    COR_TRY(add_leaf(l, over, COR_TRIGGER_UNKNOWNS, attribute, filter, &doubt));
    COR_TRY(add_doubt(l, doubt, &doubt));
    return add_step(l, COR_TRIGGER_ADD, *made, doubt, made);
}

/* Sum, least, greatest or mean of an attribute. */
static enum cor_status lower_numbers(struct lowering *l, const struct over_agents *over, uint32_t filter,
                                     uint32_t *made) {
    const uint32_t body = over->query->right, attribute = attribute_of(l, body, over->bind);
    uint32_t sum, count;
    if (attribute == COR_NONE)
        return refuse(l, body, "is no attribute of the members");
    switch (over->query->operator) {
    case COR_OPERATOR_SUM:
        return add_leaf(l, over, COR_TRIGGER_SUM, attribute, filter, made);
    case COR_OPERATOR_LEAST:
        COR_TRY(add_leaf(l, over, COR_TRIGGER_LEAST, attribute, filter, made));
        return doubt_attribute(l, over, attribute, filter, made);
    case COR_OPERATOR_GREATEST:
        COR_TRY(add_leaf(l, over, COR_TRIGGER_GREATEST, attribute, filter, made));
        return doubt_attribute(l, over, attribute, filter, made);
    default:
        COR_TRY(add_leaf(l, over, COR_TRIGGER_SUM, attribute, filter, &sum));
        COR_TRY(add_leaf(l, over, COR_TRIGGER_COUNT, 0, filter, &count));
        return add_step(l, COR_TRIGGER_DIVIDE, sum, count, made);
    }
}

/* all, any and one of a condition that does not change: by counting examples, of "all" those against it. What
 * is not known matters where the examples do not decide. */
static enum cor_status lower_fixed(struct lowering *l, const struct over_agents *over, uint32_t filter_node,
                                   uint32_t *made) {
    const bool is_all = over->query->operator== COR_OPERATOR_ALL,
               is_one = over->query->operator== COR_OPERATOR_ONE;
    struct mask mask = {filter_node, over->query->right, is_all, false};
    uint32_t filter, examples, number, several, exactly;
    bool is_empty;
    COR_TRY(add_mask(l, over, &mask, &filter, &is_empty));
    COR_TRY(add_leaf(l, over, COR_TRIGGER_COUNT, 0, filter, &examples));
    COR_TRY(add_constant(l, is_one, &number));
    COR_TRY(add_step(l, COR_TRIGGER_LESS, number, examples, &several));
    COR_TRY(add_step(l, COR_TRIGGER_EQUAL, number, examples, &exactly));
    mask.is_unsure = true;
    COR_TRY(doubt_by(l, over, &mask, &exactly));
    /* More than that many examples decide; else it is as it seems, unless some are in doubt. */
    COR_TRY(add_step(l, COR_TRIGGER_NOT, several, COR_NOBODY, &several));
    COR_TRY(add_step(l, COR_TRIGGER_AND, several, exactly, made));
    return is_all || is_one ? COR_OK : add_step(l, COR_TRIGGER_NOT, *made, COR_NOBODY, made);
}

/* "attribute <= number", or "number <= attribute", or less. */
struct bound {
    uint32_t attribute, number; /* the latter a node of the program */
    bool is_above, is_strict;   /* the number stands above the attribute */
};

static enum cor_status read_bound(struct lowering *l, const struct over_agents *over, struct bound *bound) {
    const uint32_t body = over->query->right;
    const struct cor_node *node = &l->nodes[body];
    const bool is_not = node->operator== COR_OPERATOR_NOT;
    const uint32_t truth_value = is_not ? node->left : body;
    if (over->query->operator== COR_OPERATOR_ONE)
        return refuse(l, body, "is neither fixed nor a comparison of an attribute with a number");
    /* A truth value that changes is 0 or 1, and compared with these. */
    if (is_attribute_of(l, truth_value, over->bind) && l->nodes[truth_value].type == COR_NODE_TRUTH) {
        *bound = (struct bound){.attribute = l->nodes[truth_value].variable, .is_above = is_not};
        return add_constant(l, is_not ? 0 : 1, &bound->number);
    }
    if (node->operator!= COR_OPERATOR_LESS && node->operator!= COR_OPERATOR_LESS_EQUAL)
        return refuse(l, body, "is neither fixed nor a comparison of an attribute with a number");
    const uint32_t left = attribute_of(l, node->left, over->bind),
                   right = attribute_of(l, node->right, over->bind);
    bound->is_above = left != COR_NONE;
    bound->is_strict = node->operator== COR_OPERATOR_LESS;
    bound->attribute = bound->is_above ? left : right;
    const uint32_t rest = bound->is_above ? node->right : node->left;
    if (bound->attribute == COR_NONE || depends_on(l, rest, over->bind))
        return refuse(l, body, "does not compare an attribute with a number");
    return lower(l, rest, &bound->number);
}

/* Whether all, or any, that the filter lets pass keep to the bound: by the greatest and the least, where
 * there are any of which the attribute is known. */
static enum cor_status lower_bound(struct lowering *l, const struct over_agents *over,
                                   const struct bound *bound, uint32_t filter, uint32_t *made) {
    const bool is_all = over->query->operator== COR_OPERATOR_ALL;
    const bool is_partial = l->text->is_partial[bound->attribute];
    uint32_t extreme, count, unknowns, is_empty, doubt;
    COR_TRY(add_leaf(l, over, bound->is_above == is_all ? COR_TRIGGER_GREATEST : COR_TRIGGER_LEAST,
                     bound->attribute, filter, &extreme));
    COR_TRY(add_step(l, bound->is_strict ? COR_TRIGGER_LESS : COR_TRIGGER_LESS_EQUAL,
                     bound->is_above ? extreme : bound->number, bound->is_above ? bound->number : extreme,
                     made));
    COR_TRY(add_leaf(l, over, COR_TRIGGER_COUNT, 0, filter, &count));
    if (is_partial)
        COR_TRY(add_leaf(l, over, COR_TRIGGER_UNKNOWNS, bound->attribute, filter, &unknowns));
    else
        COR_TRY(add_constant(l, 0, &unknowns));
    COR_TRY(add_step(l, COR_TRIGGER_EQUAL, unknowns, count, &is_empty));
    if (!is_all)
        COR_TRY(add_step(l, COR_TRIGGER_NOT, is_empty, COR_NOBODY, &is_empty));
    COR_TRY(add_step(l, is_all ? COR_TRIGGER_OR : COR_TRIGGER_AND, is_empty, *made, made));
    if (!is_partial)
        return COR_OK;
    COR_TRY(add_doubt(l, unknowns, &doubt));
    if (is_all)
        COR_TRY(add_step(l, COR_TRIGGER_NOT, doubt, COR_NOBODY, &doubt));
    return add_step(l, is_all ? COR_TRIGGER_AND : COR_TRIGGER_OR, *made, doubt, made);
}

/* The same of members that the filter lets pass, and of those of which it is not known whether it does: these
 * decide nothing, but leave it open where they do not keep to the bound, or, of any, where they do. */
static enum cor_status lower_bounds(struct lowering *l, const struct over_agents *over, uint32_t filter,
                                    uint32_t filter_node, uint32_t *made) {
    const bool is_all = over->query->operator== COR_OPERATOR_ALL;
    const struct mask mask = {filter_node, COR_NONE, false, true};
    struct bound bound = {0};
    uint32_t unsure, open, unknown;
    bool is_empty;
    COR_TRY(read_bound(l, over, &bound));
    COR_TRY(lower_bound(l, over, &bound, filter, made));
    COR_TRY(add_mask(l, over, &mask, &unsure, &is_empty));
    if (is_empty)
        return COR_OK;
    COR_TRY(lower_bound(l, over, &bound, unsure, &open));
    COR_TRY(add_constant(l, NAN, &unknown));
    COR_TRY(add_step(l, is_all ? COR_TRIGGER_OR : COR_TRIGGER_AND, open, unknown, &open));
    return add_step(l, is_all ? COR_TRIGGER_AND : COR_TRIGGER_OR, *made, open, made);
}

static enum cor_status lower_members(struct lowering *l, const struct over_agents *over, uint32_t *made) {
    const uint32_t filter_node = over->query->left == over->bind ? COR_NONE : over->query->left;
    struct mask mask = {filter_node, COR_NONE, false, false};
    uint32_t filter;
    bool is_empty;
    COR_TRY(add_mask(l, over, &mask, &filter, &is_empty));
    switch (over->query->operator) {
    case COR_OPERATOR_ALL:
    case COR_OPERATOR_ANY:
    case COR_OPERATOR_ONE:
        return first_change(l, over->query->right, over->bind) == COR_NONE
                   ? lower_fixed(l, over, filter_node, made)
                   : lower_bounds(l, over, filter, filter_node, made);
    case COR_OPERATOR_COUNT:
        COR_TRY(add_leaf(l, over, COR_TRIGGER_COUNT, 0, filter, made));
        break;
    default:
        COR_TRY(lower_numbers(l, over, filter, made));
    }
    mask.is_unsure = true;
    return doubt_by(l, over, &mask, made);
}

/* ---- organizations, and what is reckoned of them */

static enum cor_status lower_organizations(struct lowering *l, const struct cor_node *query, uint32_t bind,
                                           uint32_t *made) {
    static const enum cor_trigger_operator kinds[] = {
        [COR_OPERATOR_COUNT] = COR_TRIGGER_COUNT_OF,       [COR_OPERATOR_ALL] = COR_TRIGGER_ALL_OF,
        [COR_OPERATOR_ANY] = COR_TRIGGER_ANY_OF,           [COR_OPERATOR_ONE] = COR_TRIGGER_ONE_OF,
        [COR_OPERATOR_SUM] = COR_TRIGGER_SUM_OF,           [COR_OPERATOR_LEAST] = COR_TRIGGER_LEAST_OF,
        [COR_OPERATOR_GREATEST] = COR_TRIGGER_GREATEST_OF, [COR_OPERATOR_MEAN] = COR_TRIGGER_MEAN_OF};
    uint32_t filter = COR_NOBODY, body = COR_NOBODY;
    l->organization = bind;
    if (query->left != bind)
        COR_TRY(lower(l, query->left, &filter));
    if (query->operator!= COR_OPERATOR_COUNT)
        COR_TRY(lower(l, query->right, &body));
    l->organization = COR_NONE;
    return add(l,
               (struct cor_trigger_node){.operator= kinds[query->operator],
                                         .left = filter,
                                         .right = body,
                                         .filter = COR_TRIGGER_NO_FILTER},
               made);
}

static enum cor_status lower_size(struct lowering *l, uint32_t index, uint32_t *made) {
    const struct cor_node *node = &l->nodes[index];
    struct cor_trigger_node leaf = {.operator= COR_TRIGGER_COUNT, .filter = COR_TRIGGER_NO_FILTER};
    if (node->variable == COR_NONE && node->element == COR_ORGANIZATION)
        leaf.operator= COR_TRIGGER_ORGANIZATIONS;
    else if (node->variable == MEMBERS && node->left == l->organization)
        leaf.by_organization = true;
    else if (node->variable != COR_NONE)
        return refuse(l, index, "counts something else than organizations and members");
    return add(l, leaf, made);
}

static enum cor_trigger_operator step_of(const struct cor_node *node) {
    static const enum cor_trigger_operator steps[] = {[COR_OPERATOR_NEGATE] = COR_TRIGGER_NEGATE,
                                                      [COR_OPERATOR_ADD] = COR_TRIGGER_ADD,
                                                      [COR_OPERATOR_SUBTRACT] = COR_TRIGGER_SUBTRACT,
                                                      [COR_OPERATOR_MULTIPLY] = COR_TRIGGER_MULTIPLY,
                                                      [COR_OPERATOR_DIVIDE] = COR_TRIGGER_DIVIDE,
                                                      [COR_OPERATOR_MIN] = COR_TRIGGER_LOWER,
                                                      [COR_OPERATOR_MAX] = COR_TRIGGER_HIGHER,
                                                      [COR_OPERATOR_ABS] = COR_TRIGGER_ABSOLUTE,
                                                      [COR_OPERATOR_AND] = COR_TRIGGER_AND,
                                                      [COR_OPERATOR_OR] = COR_TRIGGER_OR,
                                                      [COR_OPERATOR_NOT] = COR_TRIGGER_NOT};
    return node->operator== COR_OPERATOR_DIVIDE && !node->reals ? COR_TRIGGER_DIVIDE_DOWN
                                                                : steps[node->operator];
}

static enum cor_status lower(struct lowering *l, uint32_t index, uint32_t *made) {
    const struct cor_node *node = &l->nodes[index];
    const enum cor_operator kind = node->operator;
    uint32_t left, right;
    switch (kind) {
    case COR_OPERATOR_CONSTANT:
        return add_constant(l, node->reals ? node->real : (double)node->constant, made);
    case COR_OPERATOR_VARIABLE:
        return add_constant(l, l->judge ? number_of(&l->judge->parameters[node->variable]) : 0, made);
    case COR_OPERATOR_TO_REAL:
        return lower(l, node->left, made);
    case COR_OPERATOR_NEGATE:
    case COR_OPERATOR_NOT:
    case COR_OPERATOR_ABS:
        COR_TRY(lower(l, node->left, &left));
        return add_step(l, step_of(node), left, COR_NOBODY, made);
    case COR_OPERATOR_SIZE:
        return lower_size(l, index, made);
    case COR_OPERATOR_ATTRIBUTE:
        if (node->element == COR_ORGANIZATION && node->variable >= COR_ORGANIZATION_DECLARED &&
            node->left == l->organization)
            return add_kept(l, node->variable - COR_ORGANIZATION_DECLARED, made);
        return refuse(l, index, "is not followed");
    case COR_OPERATOR_BIND:
    case COR_OPERATOR_REFERENCE:
    case COR_OPERATOR_IN:
        return refuse(l, index, "is not followed");
    default:
        break;
    }
    if (kind >= COR_OPERATOR_COUNT) {
        const struct cor_node *query = &l->nodes[index], *bind = &l->nodes[query->variable];
        const bool is_all = bind->variable == COR_NONE;
        if (bind->element == COR_ORGANIZATION && is_all && l->organization == COR_NONE)
            return lower_organizations(l, query, query->variable, made);
        if (bind->element == COR_AGENT &&
            (is_all || (bind->variable == MEMBERS && bind->left == l->organization))) {
            const struct over_agents over = {query, query->variable, !is_all};
            return lower_members(l, &over, made);
        }
        return refuse(l, index, "goes over something else than organizations and their members");
    }
    if (l->nodes[node->left].type == COR_NODE_ELEMENT)
        return refuse(l, index, "compares elements");
    COR_TRY(lower(l, node->left, &left));
    COR_TRY(lower(l, node->right, &right));
    if (kind == COR_OPERATOR_REMAINDER) {
        /* The rest of a division: a - b * floor(a / b). */
        uint32_t whole;
        COR_TRY(add_step(l, COR_TRIGGER_DIVIDE_DOWN, left, right, &whole));
        COR_TRY(add_step(l, COR_TRIGGER_MULTIPLY, right, whole, &whole));
        return add_step(l, COR_TRIGGER_SUBTRACT, left, whole, made);
    }
    if (kind == COR_OPERATOR_CEIL_DIVIDE) {
        /* Rounded up: -floor(-a / b). */
        uint32_t negated;
        COR_TRY(add_step(l, COR_TRIGGER_NEGATE, left, COR_NOBODY, &negated));
        COR_TRY(add_step(l, COR_TRIGGER_DIVIDE_DOWN, negated, right, &negated));
        return add_step(l, COR_TRIGGER_NEGATE, negated, COR_NOBODY, made);
    }
    if (kind >= COR_OPERATOR_LESS && kind <= COR_OPERATOR_NOT_EQUAL)
        return add_comparison(l, node, left, right, made);
    return add_step(l, step_of(node), left, right, made);
}

enum cor_status interaction__text_complain(const struct interaction__text *text, const char *at,
                                           struct cor_error *error, const char *remedy, const char *format,
                                           ...) {
    char what[600], place[512];
    size_t line, column;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    cor_corridor_place(text->corridor, at, &line, &column);
    snprintf(place, sizeof place, "%.400s:%zu:%zu", text->name, line, column);
    return cor_fail(error, COR_STATUS_INPUT, place, remedy, "%s", what);
}

enum cor_status interaction__text_lower(const struct interaction__text *text,
                                        const struct interaction__text_judge *judge,
                                        struct cor_trigger_program *program, struct cor_error *error) {
    struct cor_error ignored = COR_NO_ERROR;
    for (uint32_t c = 0; c < text->corridor->constraint_count; c++) {
        const struct cor_constraint *constraint = &text->corridor->constraints[c];
        if (constraint->kind == COR_CONSTRAINT_TEMPORAL || constraint->cases == 0)
            continue;
        struct lowering l = {text,
                             judge,
                             constraint,
                             constraint->condition.nodes,
                             program,
                             COR_NONE,
                             error ? error : &ignored};
        const uint32_t last = constraint->condition.node_count - 1;
        uint32_t root, filter = COR_NOBODY;
        if (constraint->is_each)
            COR_TRY(
                interaction__text_lower_all(text, judge, constraint, last, program, &root, &filter, error));
        else
            COR_TRY(lower(&l, last, &root));
        COR_TRY(COR_RESERVE(&program->conditions, &program->condition_capacity, program->condition_count + 1,
                            l.error));
        program->conditions[program->condition_count++] =
            (struct cor_trigger_condition){root, constraint->cases, filter, constraint->is_each};
    }
    return COR_OK;
}

enum cor_status interaction__text_lower_all(const struct interaction__text *text,
                                            const struct interaction__text_judge *judge,
                                            const struct cor_constraint *constraint, uint32_t query,
                                            struct cor_trigger_program *program, uint32_t *root,
                                            uint32_t *filter, struct cor_error *error) {
    struct cor_error ignored = COR_NO_ERROR;
    struct lowering l = {
        text, judge, constraint, constraint->condition.nodes, program, COR_NONE, error ? error : &ignored};
    const struct cor_node *node = &l.nodes[query];
    *filter = COR_NOBODY;
    if (l.nodes[node->variable].element == COR_AGENT)
        return lower_members(&l, &(struct over_agents){node, node->variable, true}, root);
    l.organization = node->variable;
    if (node->left != node->variable)
        COR_TRY(lower(&l, node->left, filter));
    return lower(&l, node->right, root);
}

enum cor_status interaction__text_expect_trigger(const struct interaction__text *text,
                                                 struct cor_error *error) {
    const struct cor_corridor *corridor = text->corridor;
    for (uint32_t c = 0; c < corridor->constraint_count; c++)
        if (corridor->constraints[c].cases > 0)
            return COR_OK;
    return interaction__text_complain(
        text, corridor->kind_at ? corridor->kind_at : corridor->scope.source, error,
        "write \"trigger NAME: CONDITION\", or \"trigger NAME for 1\" of an invariant",
        "nothing triggers a reorganization: the algorithm would never be called");
}

enum cor_status interaction__text_lower_objective(const struct interaction__text *text,
                                                  const struct interaction__text_judge *judge,
                                                  struct cor_trigger_program *program, uint32_t *root,
                                                  struct cor_error *error) {
    struct cor_error ignored = COR_NO_ERROR;
    const struct cor_constraint *objective = &text->corridor->objective;
    struct lowering l = {
        text, judge, objective, objective->condition.nodes, program, COR_NONE, error ? error : &ignored};
    uint32_t last = objective->condition.node_count - 1;
    /* An argument of a definition that is the whole is the lower of itself and itself. */
    while (l.nodes[last].operator== COR_OPERATOR_TO_REAL ||(
        l.nodes[last].operator== COR_OPERATOR_MIN && l.nodes[last].left == l.nodes[last].right))
        last = l.nodes[last].left;
    return lower(&l, last, root);
}

enum cor_status interaction__text_trigger(const struct interaction__text_judge *judge,
                                          struct cor_trigger_program *program, struct cor_error *error) {
    return interaction__text_lower(judge->text, judge, program, error);
}
