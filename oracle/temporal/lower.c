/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A tree as a formula of few operators, in negation normal form, each node once. Where a node stands as it is
 * and where it is denied it becomes different nodes; operands are lowered before it, so recursion is as deep
 * as the text is nested. */
#include "core.h"

#include <corridor/array.h>

#include <stdlib.h>

struct lowering {
    const struct temporal__tree *tree;
    struct cor_temporal *formula;
    size_t capacity;
    const struct temporal__term *term; /* the one at work */
    uint64_t bounds;                   /* sum of all `high` */
    bool too_many;                     /* conditions */
    enum cor_status status;            /* of memory */
    struct cor_error *error;
};

static bool is_equal(const struct temporal__node *a, const struct temporal__node *b) {
    bool same = a->kind == b->kind && a->left == b->left && a->right == b->right && a->low == b->low &&
                a->high == b->high;
    return same && (a->kind > TEMPORAL__KIND_NO || a->first == b->first);
}

static bool is_past(enum temporal__kind kind) {
    return kind == TEMPORAL__KIND_SINCE || kind == TEMPORAL__KIND_TRIGGER;
}

/* The node, which may be there already. Places of obligations and cells are given out here. */
static uint32_t put(struct lowering *lowering, struct temporal__node node) {
    struct cor_temporal *formula = lowering->formula;
    for (uint32_t i = 0; i < formula->node_count; i++)
        if (is_equal(&formula->nodes[i], &node))
            return i;
    if (lowering->status == COR_OK)
        lowering->status =
            COR_RESERVE(&formula->nodes, &lowering->capacity, formula->node_count + 1, lowering->error);
    if (lowering->status != COR_OK)
        return 0;
    if (node.kind >= TEMPORAL__KIND_UNTIL) {
        const uint32_t places = node.high == TEMPORAL__UNBOUNDED ? 1 : node.high;
        uint32_t *count = is_past(node.kind) ? &formula->cell_count : &formula->obligation_count;
        lowering->bounds += places;
        node.first = *count;
        if (lowering->bounds <= COR_TEMPORAL_BOUNDS_SUM_MAX)
            *count += places;
    }
    node.at = lowering->term->at;
    node.length = lowering->term->length;
    formula->nodes[formula->node_count] = node;
    return formula->node_count++;
}

static uint32_t put_constant(struct lowering *lowering, bool truth) {
    return put(lowering, (struct temporal__node){.kind = truth ? TEMPORAL__KIND_TRUE : TEMPORAL__KIND_FALSE});
}

static uint32_t put_condition(struct lowering *lowering, uint32_t condition, bool denied) {
    struct cor_temporal *formula = lowering->formula;
    uint32_t at = 0;
    while (at < formula->condition_count && formula->conditions[at] != condition)
        at++;
    if (at == COR_TEMPORAL_CONDITIONS_MAX) {
        lowering->too_many = true;
        return 0;
    }
    formula->conditions[at] = condition;
    if (at == formula->condition_count)
        formula->condition_count++;
    return put(lowering,
               (struct temporal__node){.kind = denied ? TEMPORAL__KIND_NO : TEMPORAL__KIND_YES, .first = at});
}

/* A node of two operands, or where `denied` its dual, whose operands are denied already. */
static uint32_t put_pair(struct lowering *lowering, enum temporal__kind kind, bool denied, uint32_t left,
                         uint32_t right, uint32_t low, uint32_t high) {
    static const enum temporal__kind duals[] = {
        [TEMPORAL__KIND_AND] = TEMPORAL__KIND_OR,        [TEMPORAL__KIND_OR] = TEMPORAL__KIND_AND,
        [TEMPORAL__KIND_UNTIL] = TEMPORAL__KIND_RELEASE, [TEMPORAL__KIND_RELEASE] = TEMPORAL__KIND_UNTIL,
        [TEMPORAL__KIND_SINCE] = TEMPORAL__KIND_TRIGGER, [TEMPORAL__KIND_TRIGGER] = TEMPORAL__KIND_SINCE};
    return put(lowering,
               (struct temporal__node){denied ? duals[kind] : kind, left, right, low, high, 0, 0, 0});
}

static uint32_t lower(struct lowering *lowering, uint32_t index, bool denied) {
    const struct temporal__term *term = &lowering->tree->terms[index];
    const uint32_t low = term->low, high = term->high;
    uint32_t left = 0, right = 0;
    if (term->word >= TEMPORAL__NOT)
        left = lower(lowering, term->left,
                     denied != (term->word == TEMPORAL__NOT || term->word == TEMPORAL__IMPLIES));
    if (term->word >= TEMPORAL__UNTIL)
        right = lower(lowering, term->right, denied);
    lowering->term = term;
    switch (term->word) {
    case TEMPORAL__FALSE:
    case TEMPORAL__TRUE:
        return put_constant(lowering, (term->word == TEMPORAL__TRUE) != denied);
    case TEMPORAL__CONDITION:
        return put_condition(lowering, term->condition, denied);
    case TEMPORAL__NOT:
        return left;
    case TEMPORAL__AND:
        return put_pair(lowering, TEMPORAL__KIND_AND, denied, left, right, 0, 0);
    case TEMPORAL__OR:
    case TEMPORAL__IMPLIES:
        return put_pair(lowering, TEMPORAL__KIND_OR, denied, left, right, 0, 0);
    case TEMPORAL__UNTIL:
        return put_pair(lowering, TEMPORAL__KIND_UNTIL, denied, left, right, low, high);
    case TEMPORAL__SINCE:
        return put_pair(lowering, TEMPORAL__KIND_SINCE, denied, left, right, low, high);
    default:
        break;
    }
    /* What is short for others: "always" is release by false, "eventually" until behind true; where denied
     * all of it is its dual. */
    const uint32_t never = put_constant(lowering, denied), ever = put_constant(lowering, !denied);
    enum temporal__word word = term->word;
    uint32_t always, there;
    if (low == high && word == TEMPORAL__NEXT)
        word = TEMPORAL__EVENTUALLY;
    if (low == high && word == TEMPORAL__PREVIOUS)
        word = TEMPORAL__ONCE;
    switch (word) {
    case TEMPORAL__EVENTUALLY:
        return put_pair(lowering, TEMPORAL__KIND_UNTIL, denied, ever, left, low, high);
    case TEMPORAL__ONCE:
        return put_pair(lowering, TEMPORAL__KIND_SINCE, denied, ever, left, low, high);
    case TEMPORAL__HISTORICALLY:
        return put_pair(lowering, TEMPORAL__KIND_TRIGGER, denied, never, left, low, high);
    case TEMPORAL__WEAK_UNTIL:
        always = put_pair(lowering, TEMPORAL__KIND_RELEASE, denied, never, left, 0, high);
        right = put_pair(lowering, TEMPORAL__KIND_UNTIL, denied, left, right, low, high);
        return put_pair(lowering, TEMPORAL__KIND_OR, denied, right, always, 0, 0);
    case TEMPORAL__PREVIOUS:
        /* The other positions are there if the furthest is. */
        always = put_pair(lowering, TEMPORAL__KIND_TRIGGER, denied, never, left, low, high);
        there = put_pair(lowering, TEMPORAL__KIND_SINCE, denied, ever, ever, high, high);
        return put_pair(lowering, TEMPORAL__KIND_AND, denied, there, always, 0, 0);
    default: /* ALWAYS, WEAK_NEXT, NEXT */
        always = put_pair(lowering, TEMPORAL__KIND_RELEASE, denied, never, left, low, high);
        if (word != TEMPORAL__NEXT)
            return always;
        there = put_pair(lowering, TEMPORAL__KIND_UNTIL, denied, ever, ever, high, high);
        return put_pair(lowering, TEMPORAL__KIND_AND, denied, there, always, 0, 0);
    }
}

/* Whether one thing is asked up to a single position, such as that it is there: next[3, 3] true. */
static bool asks_the_same_throughout(const struct temporal__node *node) {
    return node->left == node->right && node->low == node->high;
}

uint32_t temporal__obligation_at(const struct temporal__node *node, uint32_t low, uint32_t high) {
    if (high == TEMPORAL__UNBOUNDED)
        return node->first;
    /* A chain: of UNTIL the furthest position implies the nearer ones, of RELEASE the nearest. */
    if (asks_the_same_throughout(node))
        return node->first + (node->kind == TEMPORAL__KIND_UNTIL ? node->high - 1 - low : low);
    if (low > 0)
        return node->first + low - 1;
    /* The chain: of UNTIL the narrowest window implies the wider ones, of RELEASE the widest. */
    const uint32_t chain = node->first + (node->low > 0 ? node->low - 1 : 0);
    const uint32_t widest = node->high - (node->low > 0 ? node->low : 1);
    return chain + (node->kind == TEMPORAL__KIND_UNTIL ? high : widest - high);
}

static void put_obligation(struct cor_temporal *formula, uint32_t index, uint32_t low, uint32_t high) {
    const struct temporal__node *node = &formula->nodes[index];
    uint32_t at = temporal__obligation_at(node, low, high), end = at;
    if ((low == 0 || asks_the_same_throughout(node)) && high != TEMPORAL__UNBOUNDED)
        end = node->first + node->high - 1;
    formula->obligations[at] = (struct temporal__obligation){index, low, high, end};
}

/* All that can come to be asked. */
static enum cor_status list_obligations(struct cor_temporal *formula, struct cor_error *error) {
    formula->obligations = cor_calloc(formula->obligation_count, sizeof *formula->obligations);
    COR_TRY(cor_made(formula->obligations, error));
    for (uint32_t i = 0; i < formula->node_count; i++) {
        const struct temporal__node *node = &formula->nodes[i];
        if (node->kind != TEMPORAL__KIND_UNTIL && node->kind != TEMPORAL__KIND_RELEASE)
            continue;
        uint32_t low = node->low, high = node->high;
        if (high == TEMPORAL__UNBOUNDED)
            put_obligation(formula, i, 0, high);
        while (high > 0 && high != TEMPORAL__UNBOUNDED) {
            low -= low > 0;
            put_obligation(formula, i, low, --high);
        }
    }
    return COR_OK;
}

enum cor_status temporal__lower(const struct temporal__tree *tree, const char *place,
                                struct cor_temporal *formula, struct cor_error *error) {
    struct lowering lowering = {.tree = tree, .formula = formula, .error = error};
    uint32_t root = lower(&lowering, tree->count - 1, false);
    COR_TRY(lowering.status);
    if (lowering.too_many)
        return cor_fail(error, COR_STATUS_INPUT, place, "split it into several formulas",
                        "the formula names more than %d different conditions", COR_TEMPORAL_CONDITIONS_MAX);
    if (lowering.bounds > COR_TEMPORAL_BOUNDS_SUM_MAX)
        return cor_fail(error, COR_STATUS_INPUT, place, "take smaller bounds, or split the formula",
                        "the bounds of the formula reach over %llu states in sum; at most %d can be followed",
                        (unsigned long long)lowering.bounds, COR_TEMPORAL_BOUNDS_SUM_MAX);
    COR_ASSERT(root + 1 == formula->node_count);
    return list_obligations(formula, error);
}
