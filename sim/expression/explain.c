/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Why a condition does not hold: it is taken apart along "and", "not", "all" and "any", down to the parts
 * that are otherwise than they should be, for the elements for which they are. And what it rests on, whether
 * it holds or not: the same way down, to the comparison that decides. */
#include "ask.h"

#include "evaluate.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

struct explanation {
    struct expression__ask ask;
    const struct cor_expression *expression;
    struct cor_breaches *breaches;
    struct cor_breach here; /* the bindings that hold at present */
    bool is_full; /* truth values that are read are said, too, and what all elements have in common */
};

/* A value that is compared; constants and what is bound are said already, and nothing is said twice. */
static void add_value(const struct explanation *e, uint32_t index, struct cor_breach *breach) {
    const struct cor_node *node = &e->ask.nodes[index];
    while (node->operator== COR_OPERATOR_TO_REAL)
        node = &e->ask.nodes[index = node->left];
    const struct cor_span span = e->expression->spans[index];
    bool is_said = node->operator== COR_OPERATOR_CONSTANT || node->operator==
                   COR_OPERATOR_BIND || !span.at ||
                   e->ask.unknown[index] ||(node->type == COR_NODE_TRUTH && !e->is_full) ||
                   breach->value_count == COR_BREACH_VALUES;
    if (node->operator== COR_OPERATOR_NEGATE)
        is_said |= e->ask.nodes[node->left].operator== COR_OPERATOR_CONSTANT;
    for (uint32_t i = 0; i < breach->value_count && !is_said; i++)
        is_said = breach->values[i].text.at == span.at && breach->values[i].text.length == span.length;
    if (is_said)
        return;
    const int64_t known = e->ask.known[index];
    struct cor_value value = node->type == COR_NODE_REAL   ? cor_real(expression__real_of(known))
                             : node->type == COR_NODE_WORD ? cor_word((uint32_t)known)
                                                           : cor_integer(known);
    breach->values[breach->value_count++] = (struct cor_breach_value){span, value, node->type, node->element};
}

/* Where a side of a comparison begins in the text. */
static const char *written_at(const struct explanation *e, uint32_t index) {
    while (e->ask.nodes[index].operator== COR_OPERATOR_TO_REAL)
        index = e->ask.nodes[index].left;
    return e->expression->spans[index].at;
}

/* What a side of a comparison is reckoned of. */
static void add_terms(const struct explanation *e, uint32_t index, struct cor_breach *breach) {
    const struct cor_node *node = &e->ask.nodes[index];
    const enum cor_operator kind = node->operator;
    if (kind == COR_OPERATOR_ATTRIBUTE || kind == COR_OPERATOR_BEFORE || kind == COR_OPERATOR_VARIABLE)
        add_value(e, index, breach);
    if (kind < COR_OPERATOR_NEGATE || kind > COR_OPERATOR_TO_REAL)
        return;
    add_terms(e, node->left, breach);
    if (kind != COR_OPERATOR_NEGATE && kind != COR_OPERATOR_ABS && kind != COR_OPERATOR_NOT &&
        kind != COR_OPERATOR_TO_REAL)
        add_terms(e, node->right, breach);
}

/* The values that the part compares, those of queries within it left out: there are many. */
static void add_values(const struct explanation *e, uint32_t index, struct cor_breach *breach) {
    const struct cor_node *node = &e->ask.nodes[index];
    const enum cor_operator kind = node->operator;
    const bool is_query = kind == COR_OPERATOR_ALL || kind == COR_OPERATOR_ANY || kind == COR_OPERATOR_ONE;
    if (expression__is_comparison(node)) {
        const bool is_turned = written_at(e, node->right) < written_at(e, node->left);
        add_value(e, is_turned ? node->right : node->left, breach);
        add_value(e, is_turned ? node->left : node->right, breach);
        if (e->is_full) {
            add_terms(e, node->left, breach);
            add_terms(e, node->right, breach);
        }
    } else if (kind == COR_OPERATOR_AND || kind == COR_OPERATOR_OR || kind == COR_OPERATOR_NOT) {
        add_values(e, node->left, breach);
        if (kind != COR_OPERATOR_NOT)
            add_values(e, node->right, breach);
    } else if (e->is_full && !is_query && e->expression->spans[index].at != breach->part.at) {
        add_value(e, index, breach);
    }
}

static void add_breach(struct explanation *e, uint32_t index, bool is_wanted) {
    if (e->breaches->count++ >= COR_BREACHES_KEPT)
        return;
    struct cor_breach *breach = &e->breaches->kept[e->breaches->kept_count++];
    *breach = e->here;
    breach->part = e->expression->spans[index];
    breach->is_wanted = is_wanted;
    add_values(e, index, breach);
}

static bool is_known_as(const struct explanation *e, uint32_t index, bool value) {
    return !e->ask.unknown[index] && (e->ask.known[index] != 0) == value;
}

static void explain(struct explanation *e, uint32_t index, bool is_wanted);

/* Every element that makes the query otherwise than wanted. */
static void explain_query(struct explanation *e, const struct cor_node *query, bool is_wanted) {
    const uint32_t start = query->variable, end = (uint32_t)e->ask.nodes[start].constant;
    struct expression__range range;
    if (!expression__ask_range(&e->ask, &e->ask.nodes[start], &range))
        return;
    const uint32_t depth = e->here.binding_count++;
    for (uint32_t i = 0; i < range.count; i++) {
        if (e->ask.steps < end - start) {
            e->breaches->is_cut = true;
            break;
        }
        e->ask.steps -= end - start;
        if (!expression__ask_bind(&e->ask, start, &range, i))
            continue;
        expression__ask_nodes(&e->ask, start + 1, end);
        if ((query->left != start && !is_known_as(e, query->left, true)) ||
            !is_known_as(e, query->right, !is_wanted))
            continue;
        e->here.bindings[depth] = (struct cor_binding){
            e->expression->spans[start], e->ask.nodes[start].element, (uint32_t)e->ask.known[start]};
        explain(e, query->right, is_wanted);
    }
    e->here.binding_count = depth;
}

/* Of a part that is known, and is not what is wanted. */
static void explain(struct explanation *e, uint32_t index, bool is_wanted) {
    const struct cor_node *node = &e->ask.nodes[index];
    const enum cor_operator kind = node->operator;
    if (kind == COR_OPERATOR_NOT) {
        explain(e, node->left, !is_wanted);
    } else if (kind == (is_wanted ? COR_OPERATOR_AND : COR_OPERATOR_OR) ||
               (e->is_full && (kind == COR_OPERATOR_AND || kind == COR_OPERATOR_OR))) {
        const bool right_too = node->right != node->left && is_known_as(e, node->right, !is_wanted);
        if (is_known_as(e, node->left, !is_wanted))
            explain(e, node->left, is_wanted);
        if (right_too)
            explain(e, node->right, is_wanted);
    } else if (kind == (is_wanted ? COR_OPERATOR_ALL : COR_OPERATOR_ANY)) {
        explain_query(e, node, is_wanted);
    } else if (e->is_full && (kind == COR_OPERATOR_ALL || kind == COR_OPERATOR_ANY)) {
        const uint64_t before = e->breaches->count;
        explain_query(e, node, is_wanted);
        if (e->breaches->count == before) /* there are no elements */
            add_breach(e, index, is_wanted);
    } else {
        add_breach(e, index, is_wanted);
    }
}

/* Of a condition that is known; `is_full`: whether it holds or not, with all values. */
static void explain_root(const struct cor_expression *expression, const struct cor_value *values,
                         const struct cor_world *world, bool is_full, struct cor_breaches *breaches) {
    const uint32_t root = expression->node_count - 1;
    struct explanation e = {.expression = expression, .breaches = breaches, .is_full = is_full};
    breaches->count = breaches->kept_count = 0;
    breaches->is_cut = false;
    expression__ask_begin(&e.ask, expression, values, world);
    expression__ask_nodes(&e.ask, 0, expression->node_count);
    const bool is_wanted = !is_full || is_known_as(&e, root, false);
    COR_ASSERT(is_known_as(&e, root, !is_wanted));
    e.ask.steps = COR_ASK_STEPS;
    explain(&e, root, is_wanted);
    if (breaches->count == 0) /* there was too much to look at */
        add_breach(&e, root, is_wanted);
}

void cor_expression_explain(const struct cor_expression *expression, const struct cor_value *values,
                            const struct cor_world *world, struct cor_breaches *breaches) {
    struct cor_world clear = *world;
    clear.has_edge = true;
    const bool is_clear = cor_expression_ask(expression, values, &clear, NULL) == COR_TRUTH_FALSE;
    explain_root(expression, values, is_clear ? &clear : world, false, breaches);
}

void cor_expression_explain_fully(const struct cor_expression *expression, const struct cor_value *values,
                                  const struct cor_world *world, struct cor_breaches *breaches) {
    explain_root(expression, values, world, true, breaches);
}

/* ---- what a condition rests on */

/* The value of a node that is known. */
static struct cor_breach_value value_at(const struct explanation *e, uint32_t index) {
    const struct cor_node *node = &e->ask.nodes[index];
    while (node->operator== COR_OPERATOR_TO_REAL)
        node = &e->ask.nodes[index = node->left];
    const int64_t known = e->ask.known[index];
    return (struct cor_breach_value){e->expression->spans[index],
                                     node->type == COR_NODE_REAL   ? cor_real(expression__real_of(known))
                                     : node->type == COR_NODE_WORD ? cor_word((uint32_t)known)
                                                                   : cor_integer(known),
                                     node->type, node->element};
}

static double number_of(const struct cor_breach_value *value) {
    return value->type == COR_NODE_REAL      ? value->value.as.real
           : value->type == COR_NODE_INTEGER ? (double)value->value.as.integer
                                             : (double)NAN;
}

/* By how much the comparison holds, which it does or not; of what are no numbers without end. */
static double slack_of(const struct cor_node *node, const struct cor_breach_value *left,
                       const struct cor_breach_value *right, bool holds) {
    const double a = number_of(left), b = number_of(right);
    if (isnan(a) || isnan(b))
        return holds ? INFINITY : -INFINITY;
    if (node->operator== COR_OPERATOR_EQUAL)
        return -fabs(a - b);
    return node->operator== COR_OPERATOR_NOT_EQUAL ? fabs(a - b) : b - a;
}

/* A part that is not taken apart. */
static void ground_here(const struct explanation *e, uint32_t index, bool is_wanted,
                        struct cor_deciding_part *ground) {
    const struct cor_node *node = &e->ask.nodes[index];
    const bool holds = e->ask.known[index] != 0;
    *ground = (struct cor_deciding_part){.truth = e->ask.unknown[index] ? COR_TRUTH_UNKNOWN
                                                  : holds == is_wanted  ? COR_TRUTH_TRUE
                                                                        : COR_TRUTH_FALSE,
                                         .at = e->here};
    ground->slack = ground->truth == COR_TRUTH_TRUE ? INFINITY : -INFINITY;
    ground->at.part = e->expression->spans[index];
    ground->at.is_wanted = is_wanted;
    if (!expression__is_comparison(node) || e->ask.unknown[node->left] || e->ask.unknown[node->right])
        return;
    const struct cor_breach_value left = value_at(e, node->left), right = value_at(e, node->right);
    const bool is_turned = written_at(e, node->right) < written_at(e, node->left);
    const double slack = slack_of(node, &left, &right, holds);
    ground->slack = is_wanted ? slack : -slack;
    ground->is_close = expression__is_edge(&e->ask, node);
    ground->at.values[0] = is_turned ? right : left;
    ground->at.values[1] = is_turned ? left : right;
    ground->at.value_count = 2;
    ground->unit = e->expression->units[node->left] ? e->expression->units[node->left]
                                                    : e->expression->units[node->right];
}

/* Is the one nearer to being violated? */
static bool is_nearer(const struct cor_deciding_part *one, const struct cor_deciding_part *other) {
    static const int rank[] = {[COR_TRUTH_FALSE] = 0, [COR_TRUTH_UNKNOWN] = 1, [COR_TRUTH_TRUE] = 2};
    if (one->truth != other->truth)
        return rank[one->truth] < rank[other->truth];
    return one->slack < other->slack;
}

static void find_ground(struct explanation *e, uint32_t index, bool is_wanted,
                        struct cor_deciding_part *ground);

/* Over all elements that the filter lets through: with it unknown the body decides only where it does so
 * alone. */
static void find_in_query(struct explanation *e, uint32_t index, bool is_wanted,
                          struct cor_deciding_part *ground) {
    const struct cor_node *query = &e->ask.nodes[index];
    const bool needs_all = (query->operator== COR_OPERATOR_ALL) == is_wanted;
    const uint32_t start = query->variable, end = (uint32_t)e->ask.nodes[start].constant;
    struct expression__range range;
    ground_here(e, index, is_wanted, ground);
    if (!expression__ask_range(&e->ask, &e->ask.nodes[start], &range))
        return;
    const uint32_t depth = e->here.binding_count++;
    bool is_first = true;
    for (uint32_t i = 0; i < range.count; i++) {
        struct cor_deciding_part found;
        if (e->ask.steps < end - start) {
            ground->truth = COR_TRUTH_UNKNOWN;
            ground->is_cut = true;
            break;
        }
        e->ask.steps -= end - start;
        expression__ask_bind(&e->ask, start, &range, i);
        expression__ask_nodes(&e->ask, start + 1, end);
        const bool has_filter = query->left != start, is_open = has_filter && e->ask.unknown[query->left];
        if (has_filter && !is_open && !is_known_as(e, query->left, true))
            continue;
        e->here.bindings[depth] = (struct cor_binding){
            e->expression->spans[start], e->ask.nodes[start].element, (uint32_t)e->ask.known[start]};
        find_ground(e, query->right, is_wanted, &found);
        if (is_open && found.truth != (needs_all ? COR_TRUTH_TRUE : COR_TRUTH_FALSE))
            found.truth = COR_TRUTH_UNKNOWN;
        if (is_first || (needs_all ? is_nearer(&found, ground) : is_nearer(ground, &found)))
            *ground = found;
        is_first = false;
    }
    e->here.binding_count = depth;
}

static void find_ground(struct explanation *e, uint32_t index, bool is_wanted,
                        struct cor_deciding_part *ground) {
    const struct cor_node *node = &e->ask.nodes[index];
    const enum cor_operator kind = node->operator;
    if (kind == COR_OPERATOR_NOT) {
        find_ground(e, node->left, !is_wanted, ground);
    } else if (kind == COR_OPERATOR_ALL || kind == COR_OPERATOR_ANY) {
        find_in_query(e, index, is_wanted, ground);
    } else if (kind == COR_OPERATOR_AND || kind == COR_OPERATOR_OR) {
        const bool needs_both = (kind == COR_OPERATOR_AND) == is_wanted;
        struct cor_deciding_part other;
        find_ground(e, node->left, is_wanted, ground);
        find_ground(e, node->right, is_wanted, &other);
        if (needs_both ? is_nearer(&other, ground) : is_nearer(ground, &other))
            *ground = other;
    } else {
        ground_here(e, index, is_wanted, ground);
    }
}

static void find_parts(struct explanation *e, uint32_t index, struct cor_grounds *grounds) {
    const struct cor_node *node = &e->ask.nodes[index];
    if (node->operator== COR_OPERATOR_AND) {
        find_parts(e, node->left, grounds);
        if (node->right != node->left)
            find_parts(e, node->right, grounds);
        return;
    }
    if (grounds->count++ < COR_GROUNDS_KEPT)
        find_ground(e, index, true, &grounds->kept[grounds->count - 1]);
}

void cor_expression_grounds(const struct cor_expression *expression, const struct cor_value *values,
                            const struct cor_world *world, struct cor_grounds *grounds) {
    struct explanation e = {.expression = expression};
    COR_ASSERT(expression->is_constraint && expression->spans);
    grounds->count = 0;
    expression__ask_begin(&e.ask, expression, values, world);
    expression__ask_nodes(&e.ask, 0, expression->node_count);
    e.ask.steps = COR_ASK_STEPS;
    find_parts(&e, expression->node_count - 1, grounds);
}

void cor_span_text(const struct cor_span *span, char *text, size_t size) {
    size_t length = 0;
    for (uint32_t i = 0; i < span->length && length + 1 < size; i++) {
        const bool is_blank =
            span->at[i] == ' ' || span->at[i] == '\n' || span->at[i] == '\t' || span->at[i] == '\r';
        if (!is_blank)
            text[length++] = span->at[i];
        else if (length > 0 && text[length - 1] != ' ')
            text[length++] = ' ';
    }
    text[length] = '\0';
    if (length + 1 == size && size > 4) /* whole characters */
        for (snprintf(text + length - 3, 4, "..."), length -= 3; length > 0 && (text[length - 1] & 0x80);)
            snprintf(text + --length, 4, "...");
}

/* An element by its name, where it has one, else by its number. */
static void element_text(const struct cor_scope *scope, uint32_t type, uint32_t element, char *text,
                         size_t size) {
    const char *name = scope->element_name ? scope->element_name(scope->elements, type, element) : NULL;
    if (name)
        snprintf(text, size, "%s %s", scope->shape->types[type].name, name);
    else
        snprintf(text, size, "%s %" PRIu32, scope->shape->types[type].name, element);
}

void cor_breach_value_text(const struct cor_breach_value *value, const struct cor_scope *scope, char *text,
                           size_t size) {
    const double real = value->value.as.real;
    if (value->type == COR_NODE_ELEMENT)
        element_text(scope, value->element, (uint32_t)value->value.as.integer, text, size);
    else if (value->type == COR_NODE_TRUTH)
        snprintf(text, size, "%s", value->value.as.integer ? "true" : "false");
    else if (value->type == COR_NODE_REAL && real == floor(real) && fabs(real) < 1e15)
        snprintf(text, size, "%.0f", real);
    else
        cor_value_text(value->value, NULL, scope->words, text, size);
}

#define ADD(...) length += length < size ? (size_t)snprintf(text + length, size - length, __VA_ARGS__) : 0

/* "For button b1 (b), door d1 (d): "; `begin` is its first word. */
static size_t put_bindings(const struct cor_breach *breach, const struct cor_scope *scope, const char *begin,
                           char *text, size_t size) {
    char name[400], element[400];
    size_t length = 0;
    for (uint32_t i = 0; i < breach->binding_count; i++) {
        const struct cor_binding *binding = &breach->bindings[i];
        cor_span_text(&binding->name, name, sizeof name);
        element_text(scope, binding->type, binding->element, element, sizeof element);
        ADD("%s%s%s (%s)", i == 0 ? begin : ", ", i == 0 ? " " : "", element, name);
    }
    if (breach->binding_count > 0)
        ADD(": ");
    return length;
}

/* "x is 3, y is 4". */
static size_t put_values(const struct cor_breach *breach, const struct cor_scope *scope, char *text,
                         size_t size) {
    char part[400];
    size_t length = 0;
    for (uint32_t i = 0; i < breach->value_count; i++) {
        cor_span_text(&breach->values[i].text, part, sizeof part);
        ADD("%s%s is ", i == 0 ? "" : ", ", part);
        cor_breach_value_text(&breach->values[i], scope, part, sizeof part);
        ADD("%s", part);
    }
    return length;
}

void cor_breach_text(const struct cor_breach *breach, const struct cor_scope *scope, char *text,
                     size_t size) {
    char part[400];
    size_t length = put_bindings(breach, scope, "For", text, size);
    cor_span_text(&breach->part, part, sizeof part);
    ADD("%s %s", part, breach->is_wanted ? "does not hold" : "holds, and should not");
    if (breach->value_count > 0)
        ADD(": ");
    if (length < size)
        length += put_values(breach, scope, text + length, size - length);
    ADD(".");
}

void cor_breach_facts_text(const struct cor_breach *breach, const struct cor_scope *scope, char *text,
                           size_t size) {
    char part[400];
    size_t length = put_bindings(breach, scope, "for", text, size);
    cor_span_text(&breach->part, part, sizeof part);
    if (breach->value_count == 0)
        ADD("%s is %s", part, breach->is_wanted ? "false" : "true");
    else if (length < size)
        put_values(breach, scope, text + length, size - length);
}
#undef ADD
