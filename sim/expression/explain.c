/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Why a condition does not hold: it is taken apart along "and", "not", "all" and "any", down to the parts
 * that are otherwise than they should be, for the elements for which they are. */
#include "ask.h"

#include "evaluate.h"

#include <stdio.h>

struct explanation {
    struct expression__ask ask;
    const struct cor_expression *expression;
    struct cor_breaches *breaches;
    struct cor_breach here; /* the bindings that hold at present */
};

static bool is_comparison(const struct cor_node *node) {
    return node->operator>= COR_OPERATOR_LESS && node->operator<= COR_OPERATOR_NOT_EQUAL;
}

/* A value that is compared; constants and what is bound are said already, and nothing is said twice. */
static void add_value(const struct explanation *e, uint32_t index, struct cor_breach *breach) {
    const struct cor_node *node = &e->ask.nodes[index];
    while (node->operator== COR_OPERATOR_TO_REAL)
        node = &e->ask.nodes[index = node->left];
    const struct cor_span span = e->expression->spans[index];
    bool is_said = node->operator== COR_OPERATOR_CONSTANT || node->operator==
                   COR_OPERATOR_BIND || !span.at || e->ask.unknown[index] ||
                   node->type == COR_NODE_TRUTH || breach->value_count == COR_BREACH_VALUES;
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

/* The values that the part compares, those of queries within it left out: there are many. */
static void add_values(const struct explanation *e, uint32_t index, struct cor_breach *breach) {
    const struct cor_node *node = &e->ask.nodes[index];
    const enum cor_operator kind = node->operator;
    if (is_comparison(node)) {
        const bool is_turned = written_at(e, node->right) < written_at(e, node->left);
        add_value(e, is_turned ? node->right : node->left, breach);
        add_value(e, is_turned ? node->left : node->right, breach);
    } else if (kind == COR_OPERATOR_AND || kind == COR_OPERATOR_OR || kind == COR_OPERATOR_NOT) {
        add_values(e, node->left, breach);
        if (kind != COR_OPERATOR_NOT)
            add_values(e, node->right, breach);
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
        expression__ask_bind(&e->ask, start, &range, i);
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
    } else if (kind == (is_wanted ? COR_OPERATOR_AND : COR_OPERATOR_OR)) {
        const bool right_too = node->right != node->left && is_known_as(e, node->right, !is_wanted);
        if (is_known_as(e, node->left, !is_wanted))
            explain(e, node->left, is_wanted);
        if (right_too)
            explain(e, node->right, is_wanted);
    } else if (kind == (is_wanted ? COR_OPERATOR_ALL : COR_OPERATOR_ANY)) {
        explain_query(e, node, is_wanted);
    } else {
        add_breach(e, index, is_wanted);
    }
}

void cor_expression_explain(const struct cor_expression *expression, const struct cor_value *values,
                            const struct cor_world *world, struct cor_breaches *breaches) {
    const uint32_t root = expression->node_count - 1;
    struct explanation e = {.expression = expression, .breaches = breaches};
    breaches->count = breaches->kept_count = 0;
    breaches->is_cut = false;
    expression__ask_begin(&e.ask, expression, values, world);
    expression__ask_nodes(&e.ask, 0, expression->node_count);
    COR_ASSERT(is_known_as(&e, root, false));
    e.ask.steps = COR_ASK_STEPS;
    explain(&e, root, true);
    if (breaches->count == 0) /* there was too much to look at */
        add_breach(&e, root, true);
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

void cor_breach_value_text(const struct cor_breach_value *value, const struct cor_scope *scope, char *text,
                           size_t size) {
    const double real = value->value.as.real;
    if (value->type == COR_NODE_ELEMENT)
        snprintf(text, size, "%s %lld", scope->shape->types[value->element].name,
                 (long long)value->value.as.integer);
    else if (value->type == COR_NODE_REAL && real == floor(real) && fabs(real) < 1e15)
        snprintf(text, size, "%.0f", real);
    else
        cor_value_text(value->value, NULL, scope->words, text, size);
}

void cor_breach_text(const struct cor_breach *breach, const struct cor_scope *scope, char *text,
                     size_t size) {
    char part[400];
    size_t length = 0;
#define ADD(...) length += length < size ? (size_t)snprintf(text + length, size - length, __VA_ARGS__) : 0
    for (uint32_t i = 0; i < breach->binding_count; i++) {
        const struct cor_binding *binding = &breach->bindings[i];
        cor_span_text(&binding->name, part, sizeof part);
        ADD("%s%s %u (%s)", i == 0 ? "For " : ", ", scope->shape->types[binding->type].name, binding->element,
            part);
    }
    cor_span_text(&breach->part, part, sizeof part);
    ADD("%s%s %s", breach->binding_count > 0 ? ": " : "", part,
        breach->is_wanted ? "does not hold" : "holds, and should not");
    for (uint32_t i = 0; i < breach->value_count; i++) {
        cor_span_text(&breach->values[i].text, part, sizeof part);
        ADD("%s%s is ", i == 0 ? ": " : ", ", part);
        cor_breach_value_text(&breach->values[i], scope, part, sizeof part);
        ADD("%s", part);
    }
    ADD(".");
#undef ADD
}
