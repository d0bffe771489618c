/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "partial.h"

#include <corridor/array.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MEMBERS, CHILDREN }; /* collections of organizations */
enum { IS_OUT, IS_OPEN, IS_IN };

#define EXACT_MAX 9007199254740992.0 /* integers up to here are doubles */
#define ROUNDING 1e-12               /* more than sums of a million parts lose, of what they add up */

typedef struct corridor__bound bound;

static bound anything(void) {
    return (bound){
        .low = -INFINITY, .high = INFINITY, .may_lack = true, .truths = CORRIDOR__ANY, .element = COR_NONE};
}

static bound point(double value) {
    return (bound){.low = value, .high = value, .truths = CORRIDOR__ANY, .element = COR_NONE};
}

static bound between(double low, double high, bool may_lack) {
    return (bound){
        .low = low, .high = high, .may_lack = may_lack, .truths = CORRIDOR__ANY, .element = COR_NONE};
}

static bound truth(unsigned truths) {
    return (bound){.truths = (uint8_t)truths, .element = COR_NONE};
}

static bound nothing(void) {
    return (bound){.may_lack = true, .must_lack = true, .truths = CORRIDOR__UNKNOWN, .element = COR_NONE};
}

static bool is_point(const bound *b) {
    return b->low == b->high && !b->may_lack;
}

/* ---- what is known */

/* What has an attribute, a parent and the like in the state: nothing where it says that it is unknown. */
static bool lacks(const struct cor_attribute_values *column, uint32_t agent) {
    return column->unknown && column->unknown[agent];
}

static bool is_flat(const struct corridor__partial *p) {
    return !cor_structure_nests(p->corridor->kind);
}

/* Is the agent in the organization? */
static inline int membership(const struct corridor__partial *p, uint32_t agent, uint32_t o) {
    const size_t at = (size_t)agent * p->organizations + o;
    const bool is_one_left = p->corridor->kind != COR_STRUCTURE_OVERLAPPING &&
                             p->out_count[agent] + 1 == p->organizations && !p->is_out[at];
    if (p->is_in[at] || is_one_left)
        return IS_IN;
    return p->is_out[at] || (p->is_exclusive && p->home[agent] != COR_NONE) ? IS_OUT : IS_OPEN;
}

static uint32_t parent_in_state(const struct corridor__partial *p, uint32_t o) {
    return p->state->parents ? p->state->parents[o] : COR_NOBODY;
}

static int childhood(const struct corridor__partial *p, uint32_t child, uint32_t o) {
    if (child == o)
        return IS_OUT;
    if (!p->has_parent[child])
        return IS_OPEN;
    return parent_in_state(p, child) == o ? IS_IN : IS_OUT;
}

/* Keeps the list of those who may be in the organization as the facts say. */
static void refresh_open(struct corridor__partial *p, uint32_t agent, uint32_t o) {
    uint32_t *list = p->open + (size_t)o * p->agents, *places = p->open_at + (size_t)o * p->agents;
    const bool is_open = membership(p, agent, o) != IS_OUT, was_open = places[agent] != COR_NONE;
    if (is_open && !was_open) {
        places[agent] = p->open_count[o];
        list[p->open_count[o]++] = agent;
    } else if (!is_open && was_open) {
        const uint32_t last = list[--p->open_count[o]];
        list[places[agent]] = last;
        places[last] = places[agent];
        places[agent] = COR_NONE;
    }
}

/* Whether the fact, before it is set, may change who may be a member of the organization, or what a member
 * has. Of who is known not to be in it nothing does, but that. */
static bool concerns(const struct corridor__partial *p, const struct cor_fact *fact, uint32_t o) {
    switch (fact->kind) {
    case COR_FACT_MEMBER:
    case COR_FACT_NO_MEMBER: {
        const size_t at = (size_t)fact->agent * p->organizations + o;
        if (fact->organization == o)
            return true;
        if (fact->kind == COR_FACT_MEMBER)
            return p->is_exclusive && (!p->is_out[at] || p->is_in[at]);
        return p->out_count[fact->agent] + 2 >= p->organizations; /* the one that is left may be this one */
    }
    case COR_FACT_ATTRIBUTE:
        return membership(p, fact->agent, o) != IS_OUT;
    default:
        return false;
    }
}

void corridor__partial_set(struct corridor__partial *p, const struct cor_fact *fact, bool is_known) {
    for (uint32_t k = 0; k < p->kept_count; k++)
        p->kept[k].is_valid = p->kept[k].is_valid && !concerns(p, fact, p->kept[k].organization);
    const size_t at = (size_t)fact->agent * p->organizations + fact->organization;
    switch (fact->kind) {
    case COR_FACT_MEMBER:
        p->is_in[at] = is_known;
        if (is_known)
            p->home[fact->agent] = fact->organization;
        else if (p->is_exclusive)
            p->home[fact->agent] = COR_NONE;
        for (uint32_t o = 0; o < p->organizations && p->is_exclusive; o++)
            refresh_open(p, fact->agent, o);
        break;
    case COR_FACT_NO_MEMBER:
        if (p->is_out[at] != is_known)
            p->out_count[fact->agent] += is_known ? 1 : UINT32_MAX;
        p->is_out[at] = is_known;
        refresh_open(p, fact->agent, fact->organization);
        break;
    case COR_FACT_ATTRIBUTE:
        p->has_attribute[(size_t)fact->attribute * p->agents + fact->agent] = is_known;
        break;
    case COR_FACT_ORGANIZATION_ATTRIBUTE:
        p->has_organization_attribute[(size_t)fact->attribute * p->organizations + fact->organization] =
            is_known;
        break;
    case COR_FACT_PARENT:
        p->has_parent[fact->organization] = is_known;
        break;
    }
}

/* No fact is known any more. */
static void partial_forget(struct corridor__partial *p) {
    const size_t n = p->agents, count = p->organizations;
    memset(p->is_in, 0, n * count);
    memset(p->is_out, 0, n * count);
    memset(p->home, 0xFF, n * sizeof *p->home);
    memset(p->out_count, 0, n * sizeof *p->out_count);
    memset(p->has_attribute, 0, n * p->corridor->attribute_count);
    memset(p->has_organization_attribute, 0, count * p->corridor->organization_attribute_count);
    memset(p->has_parent, 0, count);
    for (uint32_t o = 0; o < count; o++) {
        p->open_count[o] = (uint32_t)n;
        for (uint32_t a = 0; a < n; a++)
            p->open[o * n + a] = p->open_at[o * n + a] = a;
    }
    p->kept_count = 0;
}

/* ---- leaves */

static bound value_of(const struct cor_quantity *quantity, struct cor_value value) {
    if (value.kind == COR_VALUE_NULL)
        return nothing();
    if (quantity->domain.type == COR_VALUE_TYPE_BOOLEAN)
        return truth(value.as.integer ? CORRIDOR__TRUE : CORRIDOR__FALSE);
    const double number = value.kind == COR_VALUE_REAL   ? value.as.real
                          : value.kind == COR_VALUE_WORD ? value.as.word
                                                         : (double)value.as.integer;
    return fabs(number) <= EXACT_MAX || value.kind == COR_VALUE_REAL ? point(number) : anything();
}

static bound cell_value(const struct cor_quantity *quantity, const struct cor_attribute_values *column,
                        uint32_t element) {
    return quantity->domain.type == COR_VALUE_TYPE_REAL
               ? point(column->reals[element])
               : value_of(quantity, cor_integer(column->integers[element]));
}

/* What an attribute is that is there: one value, or all that it may have. */
static bound attribute_value(const struct cor_quantity *quantity, const struct cor_attribute_values *column,
                             uint32_t element, bool is_known) {
    if (is_known)
        return cell_value(quantity, column, element);
    if (quantity->domain.type == COR_VALUE_TYPE_BOOLEAN)
        return truth(CORRIDOR__TRUE | CORRIDOR__FALSE);
    return between(quantity->low, quantity->high, false);
}

static bound agent_attribute(const struct corridor__partial *p, uint32_t attribute, uint32_t agent) {
    const struct cor_attribute_values *column = &p->state->columns[attribute];
    if (agent == COR_NONE || lacks(column, agent))
        return anything();
    return attribute_value(&p->corridor->attributes[attribute], column, agent,
                           p->has_attribute[(size_t)attribute * p->agents + agent]);
}

static bound declared_attribute(const struct corridor__partial *p, uint32_t attribute, uint32_t o) {
    const struct cor_attribute_values *columns = p->state->organization_columns;
    if (!columns || lacks(&columns[attribute], o))
        return anything();
    return attribute_value(&p->corridor->organization_attributes[attribute], &columns[attribute], o,
                           p->has_organization_attribute[(size_t)attribute * p->organizations + o]);
}

/* The state before is as it is, whatever the facts of this one are. */
static bound attribute_before(const struct corridor__partial *p, const struct cor_node *node,
                              uint32_t element) {
    const struct cor_snapshot *before = p->state->before;
    const bool is_of_agent = node->element == COR_AGENT;
    if (!before)
        return nothing();
    if (element == COR_NONE || (!is_of_agent && node->variable < COR_ORGANIZATION_DECLARED))
        return anything();
    const uint32_t attribute = is_of_agent ? node->variable : node->variable - COR_ORGANIZATION_DECLARED;
    const struct cor_attribute_values *columns = is_of_agent ? before->columns : before->organization_columns;
    const uint32_t count = is_of_agent ? before->agent_count : before->organizations->block_count;
    if (!columns || element >= count || lacks(&columns[attribute], element))
        return nothing();
    return cell_value(is_of_agent ? &p->corridor->attributes[attribute]
                                  : &p->corridor->organization_attributes[attribute],
                      &columns[attribute], element);
}

static bound organization_attribute(const struct corridor__partial *p, uint32_t attribute, uint32_t o) {
    int64_t level = 0;
    if (o == COR_NONE)
        return anything();
    if (attribute >= COR_ORGANIZATION_DECLARED)
        return declared_attribute(p, attribute - COR_ORGANIZATION_DECLARED, o);
    if (attribute == COR_IS_ROOT) {
        if (!is_flat(p) && !p->has_parent[o])
            return truth(CORRIDOR__TRUE | CORRIDOR__FALSE);
        return truth(parent_in_state(p, o) == COR_NOBODY ? CORRIDOR__TRUE : CORRIDOR__FALSE);
    }
    while (p->has_parent[o] && parent_in_state(p, o) != COR_NOBODY) {
        o = parent_in_state(p, o);
        level++;
    }
    return p->has_parent[o] ? point((double)level)
                            : between((double)level, (double)p->organizations - 1, false);
}

/* ---- operators */

/* A result of reals may be rounded otherwise, unless it is one value, and the operator's very result. */
static bound rounded(bound made, bool is_real, double magnitude, bool is_exact) {
    if (isnan(made.low) || isnan(made.high))
        return between(-INFINITY, INFINITY, true);
    if (!is_real && (made.low < -EXACT_MAX || made.high > EXACT_MAX))
        return between(-INFINITY, INFINITY, true); /* may be more than 64 bits hold */
    if (is_real && (made.low < -1e307 || made.high > 1e307))
        made.may_lack = true;
    if (is_real && (made.low != made.high || !is_exact) && isfinite(magnitude)) {
        made.low -= ROUNDING * magnitude;
        made.high += ROUNDING * magnitude;
    }
    return made;
}

static double size_of(const bound *b) {
    return fmax(fabs(b->low), fabs(b->high));
}

static bound multiply(const bound *a, const bound *b, bool is_real) {
    const double ways[4] = {a->low * b->low, a->low * b->high, a->high * b->low, a->high * b->high};
    bound made = between(INFINITY, -INFINITY, false);
    for (int i = 0; i < 4; i++) {
        if (isnan(ways[i]))
            return between(-INFINITY, INFINITY, true);
        made.low = fmin(made.low, ways[i]);
        made.high = fmax(made.high, ways[i]);
    }
    return rounded(made, is_real, size_of(&made), fma(a->low, b->low, -made.low) == 0);
}

/* Whether nothing of the sum is rounded off (Knuth). */
static bool is_exact_sum(double a, double b) {
    const double sum = a + b, other = sum - a;
    return (a - (sum - other)) + (b - other) == 0;
}

static bound divide(enum cor_operator kind, const bound *a, const bound *b, bool is_real) {
    if (b->low <= 0 && b->high >= 0)
        return is_point(b) ? nothing() : between(-INFINITY, INFINITY, true);
    if (is_real) {
        const bound inverse = between(1 / b->high, 1 / b->low, false);
        if (is_point(a) && is_point(b))
            return rounded(point(a->low / b->low), true, fabs(a->low / b->low),
                           fma(a->low / b->low, b->low, -a->low) == 0);
        return multiply(a, &inverse, true);
    }
    if (!is_point(b) || b->low < 0)
        return between(-INFINITY, INFINITY, false);
    if (kind == COR_OPERATOR_CEIL_DIVIDE)
        return between(ceil(a->low / b->low), ceil(a->high / b->low), false);
    const double low = floor(a->low / b->low), high = floor(a->high / b->low);
    if (kind == COR_OPERATOR_DIVIDE)
        return between(low, high, false);
    return low == high ? between(a->low - low * b->low, a->high - low * b->low, false)
                       : between(0, b->low - 1, false);
}

/* Which of false and true are possible, of what is compared; unknown where a side has no value. */
static bound compare(const struct corridor__partial *p, const struct cor_node *node) {
    const bound *a = &p->bounds[node->left], *b = &p->bounds[node->right];
    const uint8_t type = p->condition->nodes[node->left].type;
    unsigned made = 0;
    if (type == COR_NODE_TRUTH) {
        for (unsigned one = 1; one <= CORRIDOR__UNKNOWN; one *= 2)
            for (unsigned other = 1; other <= CORRIDOR__UNKNOWN; other *= 2)
                if ((a->truths & one) && (b->truths & other))
                    made |= (one | other) & CORRIDOR__UNKNOWN                         ? CORRIDOR__UNKNOWN
                            : (one == other) == (node->operator== COR_OPERATOR_EQUAL) ? CORRIDOR__TRUE
                                                                                      : CORRIDOR__FALSE;
        return truth(made);
    }
    if (a->must_lack || b->must_lack)
        return truth(CORRIDOR__UNKNOWN);
    made = a->may_lack || b->may_lack ? CORRIDOR__UNKNOWN : 0;
    if (type == COR_NODE_ELEMENT) {
        if (a->element == COR_NONE || b->element == COR_NONE)
            return truth(made | CORRIDOR__FALSE | CORRIDOR__TRUE);
        const bool same = a->element == b->element;
        return truth(made |
                     (same == (node->operator== COR_OPERATOR_EQUAL) ? CORRIDOR__TRUE : CORRIDOR__FALSE));
    }
    /* Of what was rounded either is possible at the edge: nobody is accused there. */
    const bool is_rounded = node->exactness == COR_ROUNDED;
    const double size = fmax(1, fmax(size_of(a), size_of(b))),
                 edge = is_rounded && isfinite(size) ? COR_EDGE / 2 * size : 0;
    if (node->operator== COR_OPERATOR_LESS || node->operator== COR_OPERATOR_LESS_EQUAL) {
        const bool strict = node->operator== COR_OPERATOR_LESS && !is_rounded;
        made |= (strict ? a->low < b->high : a->low - edge <= b->high) ? CORRIDOR__TRUE : 0u;
        made |= (strict || is_rounded ? a->high + edge >= b->low : a->high > b->low) ? CORRIDOR__FALSE : 0u;
        return truth(made);
    }
    const bool may_equal = a->low - edge <= b->high && b->low - edge <= a->high;
    const bool may_differ = is_rounded || a->low != a->high || b->low != b->high || a->low != b->low;
    const bool wants_equal = node->operator== COR_OPERATOR_EQUAL;
    return truth(made | (may_equal ? (wants_equal ? CORRIDOR__TRUE : CORRIDOR__FALSE) : 0u) |
                 (may_differ ? (wants_equal ? CORRIDOR__FALSE : CORRIDOR__TRUE) : 0u));
}

static unsigned negate(unsigned truths) {
    return (truths & CORRIDOR__UNKNOWN) | (truths & CORRIDOR__TRUE ? CORRIDOR__FALSE : 0u) |
           (truths & CORRIDOR__FALSE ? CORRIDOR__TRUE : 0u);
}

static unsigned conjunction(unsigned a, unsigned b) {
    unsigned made = (a | b) & CORRIDOR__FALSE;
    made |= a & b & CORRIDOR__TRUE;
    if (((a & CORRIDOR__UNKNOWN) && (b & ~(unsigned)CORRIDOR__FALSE)) ||
        ((b & CORRIDOR__UNKNOWN) && (a & ~(unsigned)CORRIDOR__FALSE)))
        made |= CORRIDOR__UNKNOWN;
    return made;
}

static unsigned disjunction(unsigned a, unsigned b) {
    return negate(conjunction(negate(a), negate(b)));
}

/* ---- collections */

/* A collection, while it is gone through: first as the state has it, in its order, then what may be there. */
struct range {
    uint8_t type, owner_type;
    uint32_t collection, owner; /* owner COR_NONE: all elements of the type */
    uint32_t count;             /* of those that are gone through */
    const uint32_t *listed;     /* NULL: none */
    uint32_t listed_count;
    const uint32_t *open; /* what is gone through behind them; NULL: all elements of the type */
};

/* The collection of the node; false: it is not known whose it is. */
static bool find_range(const struct corridor__partial *p, const struct cor_node *node, uint8_t type,
                       struct range *range) {
    *range = (struct range){.type = type, .owner = COR_NONE};
    range->count = type == COR_AGENT ? p->agents : p->organizations;
    if (node->variable == COR_NONE)
        return true;
    range->owner = p->bounds[node->left].element;
    range->owner_type = p->condition->nodes[node->left].element;
    range->collection = node->variable;
    if (range->owner == COR_NONE)
        return false;
    if (range->owner_type == COR_ORGANIZATION && range->collection == MEMBERS) {
        range->listed = cor_lists_block(p->state->organizations, range->owner);
        range->listed_count = cor_lists_size(p->state->organizations, range->owner);
        range->open = p->open + (size_t)range->owner * p->agents;
        range->count = p->open_count[range->owner];
    }
    return true;
}

/* Is the element in the collection? */
static int presence(const struct corridor__partial *p, const struct range *range, uint32_t element) {
    if (range->owner == COR_NONE)
        return IS_IN;
    if (range->owner_type == COR_AGENT)
        return membership(p, range->owner, element);
    return range->collection == MEMBERS ? membership(p, element, range->owner)
                                        : childhood(p, element, range->owner);
}

/* Element number i of what is gone through, COR_NONE: it was there before, or cannot be there. */
static inline uint32_t element_at(const struct corridor__partial *p, const struct range *range, uint32_t i,
                                  int *in) {
    const bool is_listed = i < range->listed_count;
    uint32_t element = is_listed ? range->listed[i] : i - range->listed_count;
    if (!is_listed && range->open)
        element = range->open[element];
    if (!is_listed && range->open && p->is_member[(size_t)element * p->organizations + range->owner])
        return COR_NONE;
    *in = presence(p, range, element);
    return *in == IS_OUT ? COR_NONE : element;
}

/* ---- queries */

struct tally {
    uint32_t sure, possible; /* elements that count; that may, and these count, too */
    bool may_lack;           /* a filter or a number may be unknown */
    unsigned all, any;       /* truth values of "all" and "any" so far */
    uint32_t sure_true, may_be_true;
    bool one_may_be_unknown;
    double low, high;           /* of the sum, of those that are sure */
    double more_low, more_high; /* of those that may be there */
    double least_low, least_high, most_low, most_high;
    double magnitude;
    size_t first_value;
    uint32_t extreme; /* the element that is least, or greatest */
    bool is_never_empty;
};

static void ask_nodes(struct corridor__partial *p, uint32_t first, uint32_t end);

static inline double lower(double one, double other) {
    return other < one || isnan(one) ? other : one;
}

static inline double higher(double one, double other) {
    return other > one || isnan(one) ? other : one;
}

/* Takes the number of an element in that is there, or may be. */
static inline __attribute__((always_inline)) void take_number(struct corridor__partial *p,
                                                              const struct cor_node *query, uint32_t element,
                                                              const bound *body, bool is_sure,
                                                              struct tally *tally) {
    tally->sure += is_sure;
    tally->possible++;
    tally->magnitude += higher(fabs(body->low), fabs(body->high));
    if (tally->possible == 1 ||
        (query->operator== COR_OPERATOR_LEAST ? body->high < tally->least_high : body->low> tally->most_low))
        tally->extreme = element;
    tally->least_low = lower(tally->least_low, body->low);
    tally->most_high = higher(tally->most_high, body->high);
    if (is_sure) {
        tally->low = tally->sure == 1 ? body->low : tally->low + body->low;
        tally->high = tally->sure == 1 ? body->high : tally->high + body->high;
        tally->least_high = lower(tally->least_high, body->high);
        tally->most_low = higher(tally->most_low, body->low);
    } else {
        tally->more_low += lower(0, body->low);
        tally->more_high += higher(0, body->high);
        if (query->operator== COR_OPERATOR_MEAN && p->mode != CORRIDOR__FIND_WIDEST) {
            if (COR_RESERVE(&p->values, &p->value_capacity, p->value_count + 1, NULL) != COR_OK)
                p->is_short = true;
            else
                p->values[p->value_count++] = *body;
        }
    }
}

/* Takes one element in; true when nothing can change the answer. */
static bool take_element(struct corridor__partial *p, const struct cor_node *query, uint32_t start, int in,
                         struct tally *tally) {
    const unsigned filter = query->left != start ? p->bounds[query->left].truths : CORRIDOR__TRUE;
    const unsigned there = in == IS_IN ? CORRIDOR__TRUE : CORRIDOR__TRUE | CORRIDOR__FALSE;
    const unsigned counts = conjunction(there, filter);
    const bound *body = query->right != start ? &p->bounds[query->right] : NULL;
    if (counts == CORRIDOR__FALSE)
        return false;
    switch (query->operator) {
    case COR_OPERATOR_ALL:
        tally->all = conjunction(tally->all, disjunction(negate(counts), body->truths));
        return tally->all == CORRIDOR__FALSE;
    case COR_OPERATOR_ANY:
        tally->any = disjunction(tally->any, conjunction(counts, body->truths));
        return tally->any == CORRIDOR__TRUE;
    case COR_OPERATOR_ONE: {
        const unsigned both = conjunction(counts, body->truths);
        tally->sure_true += both == CORRIDOR__TRUE;
        tally->may_be_true += (both & CORRIDOR__TRUE) != 0;
        tally->one_may_be_unknown = tally->one_may_be_unknown || (both & CORRIDOR__UNKNOWN);
        return tally->sure_true > 1;
    }
    default:
        break;
    }
    tally->may_lack = tally->may_lack || (counts & CORRIDOR__UNKNOWN) || (body && body->may_lack);
    if (body)
        take_number(p, query, p->bounds[start].element, body, counts == CORRIDOR__TRUE, tally);
    else {
        tally->sure += counts == CORRIDOR__TRUE;
        tally->possible++;
    }
    return false;
}

static int compare_low(const void *a, const void *b) {
    const double one = ((const bound *)a)->low, other = ((const bound *)b)->low;
    return (one > other) - (one < other);
}

static int compare_high(const void *a, const void *b) {
    const double one = ((const bound *)a)->high, other = ((const bound *)b)->high;
    return (one < other) - (one > other);
}

/* Often they are: what is not known may be anything, and that is the same of all. */
static bool are_in_order(const bound *values, size_t count, int (*order)(const void *, const void *)) {
    size_t i = 1;
    while (i < count && order(&values[i - 1], &values[i]) <= 0)
        i++;
    return i >= count;
}

/* The least mean, or the greatest, when those that may be there are taken as long as they bring it down, or
 * up. */
static double extreme_mean(struct corridor__partial *p, const struct tally *tally, bool is_least) {
    bound *more = p->values + tally->first_value;
    const size_t count = p->value_count - tally->first_value;
    double sum = is_least ? tally->low : tally->high;
    uint32_t n = tally->sure;
    if (!are_in_order(more, count, is_least ? compare_low : compare_high))
        qsort(more, count, sizeof *more, is_least ? compare_low : compare_high);
    for (size_t i = 0; i < count; i++) {
        const double value = is_least ? more[i].low : more[i].high;
        if (n > 0 && (is_least ? value * n >= sum : value * n <= sum))
            break;
        sum += value;
        n++;
    }
    return n > 0 ? sum / n : 0;
}

static bound conclude(struct corridor__partial *p, const struct cor_node *query, bool is_real,
                      struct tally *tally) {
    bound made;
    switch (query->operator) {
    case COR_OPERATOR_ALL:
        return truth(tally->all);
    case COR_OPERATOR_ANY:
        return truth(tally->any);
    case COR_OPERATOR_ONE: {
        unsigned truths = tally->one_may_be_unknown ? CORRIDOR__UNKNOWN : 0u;
        if (tally->sure_true > 1)
            return truth(CORRIDOR__FALSE);
        truths |= tally->may_be_true >= 1 ? CORRIDOR__TRUE : 0u;
        truths |= tally->sure_true != 1 || tally->may_be_true > 1 ? CORRIDOR__FALSE : 0u;
        return truth(truths);
    }
    case COR_OPERATOR_COUNT:
        return between(tally->sure, tally->possible, tally->may_lack);
    case COR_OPERATOR_SUM:
        made = between(tally->low + tally->more_low, tally->high + tally->more_high, tally->may_lack);
        return rounded(made, is_real, tally->magnitude, tally->possible <= 1);
    case COR_OPERATOR_MEAN:
        if (tally->possible == 0)
            return nothing();
        if (isinf(tally->magnitude) || p->mode == CORRIDOR__FIND_WIDEST)
            made = between(tally->least_low, tally->most_high, false);
        else
            made = between(extreme_mean(p, tally, true), extreme_mean(p, tally, false), false);
        made =
            rounded(made, true, tally->magnitude,
                    !is_real && fma(made.low, tally->sure, -tally->low) == 0); /* a sum of integers is one */
        break;
    default:
        if (tally->possible == 0)
            return nothing();
        made = query->operator== COR_OPERATOR_LEAST
                   ? between(tally->least_low, tally->sure > 0 ? tally->least_high : tally->most_high, false)
                   : between(tally->sure > 0 ? tally->most_low : tally->least_low, tally->most_high, false);
    }
    made.may_lack = tally->may_lack || (tally->sure == 0 && !tally->is_never_empty);
    return made;
}

/* What decides a query, once it was gone through; it is looked at alone from then on. */
static void note_focus(struct corridor__partial *p, uint32_t start, const struct cor_node *query,
                       const struct tally *tally, uint32_t last) {
    const enum cor_operator kind = query->operator;
    const bool is_decided = (kind == COR_OPERATOR_ALL && tally->all == CORRIDOR__FALSE) ||
                            (kind == COR_OPERATOR_ANY && tally->any == CORRIDOR__TRUE);
    const bool is_extreme =
        (kind == COR_OPERATOR_LEAST || kind == COR_OPERATOR_GREATEST) && tally->possible > 0;
    p->focus[start] = is_decided ? last : is_extreme ? tally->extreme : COR_NONE;
}

/* The least of all from the one that is looked at: no more than that. The greatest likewise. */
static bound conclude_extreme(const struct corridor__partial *p, uint32_t start, const struct cor_node *query,
                              const struct tally *tally) {
    bound made = p->widest[start];
    if (tally->sure == 0)
        return made;
    if (query->operator== COR_OPERATOR_LEAST)
        made.high = fmin(made.high, tally->least_high);
    else
        made.low = fmax(made.low, tally->most_low);
    made.may_lack = made.may_lack || tally->may_lack;
    return made;
}

/* Notes what the query gives when nothing is known; it has a value if its elements have, and there is one. */
static void widen(struct corridor__partial *p, uint32_t start, const bound *made) {
    bound *widest = &p->widest[start];
    widest->low = fmin(widest->low, made->low);
    widest->high = fmax(widest->high, made->high);
    widest->may_lack = widest->may_lack || made->may_lack;
}

/* Is there an element in the collection in any case? */
static bool is_never_empty(const struct corridor__partial *p, const struct range *range) {
    if (range->owner == COR_NONE)
        return range->count > 0;
    return range->owner_type == COR_AGENT ? p->corridor->kind != COR_STRUCTURE_OVERLAPPING
                                          : range->collection == MEMBERS && is_flat(p);
}

/* ---- plain queries: the sum or the mean of an attribute of an organization's members */

static bool is_plain(const struct corridor__partial *p, uint32_t start, const struct range *range) {
    const struct cor_node *body = &p->condition->nodes[start + 1];
    const uint32_t end = (uint32_t)p->condition->nodes[start].constant;
    const struct cor_node *query = &p->condition->nodes[end];
    return range->open && end == start + 2 && query->left == start && query->right == start + 1 &&
           (query->operator== COR_OPERATOR_SUM || query->operator== COR_OPERATOR_MEAN) &&
           body->operator== COR_OPERATOR_ATTRIBUTE && body->element == COR_AGENT && body->left == start;
}

/* What the query gave for the organization; NULL: it is asked anew, or never kept. */
static struct corridor__kept *find_kept(struct corridor__partial *p, uint32_t start) {
    for (uint32_t k = 0; k < p->kept_count; k++)
        if (p->kept[k].start == start)
            return &p->kept[k];
    if (p->kept_count == CORRIDOR__KEPT_MAX)
        return NULL;
    p->kept[p->kept_count] = (struct corridor__kept){.start = start};
    return &p->kept[p->kept_count++];
}

/* As ask_query, element by element, without its asking every node of each. The tally is a copy meanwhile,
 * which no store can be of, so that it stays in registers. */
static void take_members(struct corridor__partial *p, uint32_t start, const struct range *range,
                         struct tally *tally) {
    const struct cor_node *body = &p->condition->nodes[start + 1];
    const struct cor_node *query = &p->condition->nodes[start + 2];
    struct tally so_far = *tally;
    for (uint32_t i = 0; i < range->listed_count + range->count; i++) {
        const bool is_listed = i < range->listed_count;
        const uint32_t agent = is_listed ? range->listed[i] : range->open[i - range->listed_count];
        if (!is_listed && p->is_member[(size_t)agent * p->organizations + range->owner])
            continue;
        const int in = membership(p, agent, range->owner);
        if (in == IS_OUT)
            continue;
        const bound value = agent_attribute(p, body->variable, agent);
        so_far.may_lack = so_far.may_lack || value.may_lack;
        take_number(p, query, agent, &value, in == IS_IN, &so_far);
    }
    *tally = so_far;
}

/* The query that begins at the BIND; returns its last node. */
static uint32_t ask_query(struct corridor__partial *p, uint32_t start) {
    const struct cor_node *bind = &p->condition->nodes[start];
    const uint32_t end = (uint32_t)bind->constant;
    const struct cor_node *query = &p->condition->nodes[end];
    const bool is_real = query->right != start && p->condition->nodes[query->right].type == COR_NODE_REAL;
    const uint8_t owner_type = bind->variable == COR_NONE ? 0 : p->condition->nodes[bind->left].element;
    const uint8_t type = bind->variable == COR_NONE
                             ? bind->element
                             : p->corridor->scope.shape->types[owner_type].collections[bind->variable].type;
    const uint32_t focus = p->mode == CORRIDOR__USE_FOCUS ? p->focus[start] : COR_NONE;
    struct tally tally = {.all = CORRIDOR__TRUE,
                          .any = CORRIDOR__FALSE,
                          .least_low = INFINITY,
                          .least_high = INFINITY,
                          .most_low = -INFINITY,
                          .most_high = -INFINITY,
                          .first_value = p->value_count};
    struct range range;
    uint32_t last = COR_NONE;
    if (!find_range(p, bind, type, &range)) {
        p->bounds[end] = p->bounds[bind->left].must_lack ? nothing() : anything();
        if (p->mode == CORRIDOR__FIND_WIDEST) /* what is in it is not looked at */
            for (uint32_t i = start; i < end; i++)
                p->widest[i] = anything();
        return end;
    }
    tally.is_never_empty = query->left == start && is_never_empty(p, &range);
    const bool is_taken = focus == COR_NONE && is_plain(p, start, &range);
    struct corridor__kept *kept = is_taken && p->mode == CORRIDOR__USE_FOCUS ? find_kept(p, start) : NULL;
    if (kept && kept->is_valid && kept->organization == range.owner) {
        p->bounds[end] = kept->made;
        return end;
    }
    if (focus != COR_NONE) { /* the others may be anything */
        tally.all = CORRIDOR__ANY;
        tally.any = CORRIDOR__ANY;
    }
    if (is_taken)
        take_members(p, start, &range, &tally);
    for (uint32_t i = 0; !is_taken && i < (focus == COR_NONE ? range.listed_count + range.count : 1); i++) {
        int in = presence(p, &range, focus == COR_NONE ? 0 : focus);
        const uint32_t element = focus == COR_NONE ? element_at(p, &range, i, &in)
                                 : in == IS_OUT    ? COR_NONE
                                                   : focus;
        if (element == COR_NONE)
            continue;
        last = element;
        p->bounds[start] = (bound){.truths = CORRIDOR__ANY, .element = element};
        ask_nodes(p, start + 1, end);
        if (take_element(p, query, start, in, &tally) && p->mode != CORRIDOR__FIND_WIDEST)
            break;
    }
    if (p->mode == CORRIDOR__FIND_FOCUS)
        note_focus(p, start, query, &tally, last);
    const bool is_extreme = query->operator== COR_OPERATOR_LEAST || query->operator== COR_OPERATOR_GREATEST;
    p->bounds[end] = focus != COR_NONE && is_extreme ? conclude_extreme(p, start, query, &tally)
                                                     : conclude(p, query, is_real, &tally);
    if (p->mode == CORRIDOR__FIND_WIDEST)
        widen(p, start, &p->bounds[end]);
    p->value_count = tally.first_value;
    if (query->operator== COR_OPERATOR_COUNT && tally.is_never_empty)
        p->bounds[end].low = fmax(p->bounds[end].low, 1);
    if (kept)
        *kept = (struct corridor__kept){start, range.owner, true, p->bounds[end]};
    return end;
}

static bound ask_size(const struct corridor__partial *p, const struct cor_node *node) {
    const uint8_t owner_type = node->variable == COR_NONE ? 0 : p->condition->nodes[node->left].element;
    const uint8_t type = node->variable == COR_NONE
                             ? node->element
                             : p->corridor->scope.shape->types[owner_type].collections[node->variable].type;
    struct range range;
    bound made = {.truths = CORRIDOR__ANY, .element = COR_NONE};
    if (!find_range(p, node, type, &range))
        return p->bounds[node->left].must_lack ? nothing() : anything();
    for (uint32_t i = 0; i < range.count; i++) {
        const int in = presence(p, &range, range.open ? range.open[i] : i);
        made.low += in == IS_IN;
        made.high += in != IS_OUT;
    }
    if (is_never_empty(p, &range))
        made.low = fmax(made.low, 1);
    if (range.owner != COR_NONE && owner_type == COR_AGENT && p->is_exclusive)
        made.high = 1;
    return made;
}

static bound ask_in(const struct corridor__partial *p, const struct cor_node *node) {
    const bound *element = &p->bounds[node->right];
    struct range range;
    if (!find_range(p, node, p->condition->nodes[node->right].element, &range) ||
        element->element == COR_NONE)
        return truth(CORRIDOR__ANY);
    const int in = presence(p, &range, element->element);
    return truth(in == IS_IN    ? CORRIDOR__TRUE
                 : in == IS_OUT ? CORRIDOR__FALSE
                                : CORRIDOR__TRUE | CORRIDOR__FALSE);
}

static bound ask_parent(const struct corridor__partial *p, const struct cor_node *node) {
    const uint32_t o = p->bounds[node->left].element;
    if (p->bounds[node->left].must_lack)
        return nothing();
    if (o == COR_NONE || !p->has_parent[o])
        return anything();
    const uint32_t parent = parent_in_state(p, o);
    return parent == COR_NOBODY ? nothing() : (bound){.truths = CORRIDOR__ANY, .element = parent};
}

static bound ask_node(const struct corridor__partial *p, const struct cor_node *node) {
    const bound *a = &p->bounds[node->left], *b = &p->bounds[node->right];
    switch (node->operator) {
    case COR_OPERATOR_CONSTANT:
        return point(node->reals ? node->real : (double)node->constant);
    case COR_OPERATOR_VARIABLE:
        return value_of(&p->corridor->parameters[node->variable], p->state->parameters[node->variable]);
    case COR_OPERATOR_ATTRIBUTE:
        if (a->must_lack)
            return nothing();
        return node->element == COR_AGENT ? agent_attribute(p, node->variable, a->element)
                                          : organization_attribute(p, node->variable, a->element);
    case COR_OPERATOR_BEFORE:
        return a->must_lack ? nothing() : attribute_before(p, node, a->element);
    case COR_OPERATOR_REFERENCE:
        return ask_parent(p, node);
    case COR_OPERATOR_IN:
        return ask_in(p, node);
    case COR_OPERATOR_SIZE:
        return ask_size(p, node);
    case COR_OPERATOR_AND:
        return truth(conjunction(a->truths, b->truths));
    case COR_OPERATOR_OR:
        return truth(disjunction(a->truths, b->truths));
    case COR_OPERATOR_NOT:
        return truth(negate(a->truths));
    case COR_OPERATOR_LESS:
    case COR_OPERATOR_LESS_EQUAL:
    case COR_OPERATOR_EQUAL:
    case COR_OPERATOR_NOT_EQUAL:
        return compare(p, node);
    default: {
        const bool is_real = node->reals;
        bound made;
        if (a->must_lack || b->must_lack)
            return nothing();
        switch (node->operator) {
        case COR_OPERATOR_NEGATE:
            made = between(-a->high, -a->low, false);
            break;
        case COR_OPERATOR_ADD:
            made = rounded(between(a->low + b->low, a->high + b->high, false), is_real,
                           size_of(a) + size_of(b), is_exact_sum(a->low, b->low));
            break;
        case COR_OPERATOR_SUBTRACT:
            made = rounded(between(a->low - b->high, a->high - b->low, false), is_real,
                           size_of(a) + size_of(b), is_exact_sum(a->low, -b->high));
            break;
        case COR_OPERATOR_MULTIPLY:
            made = multiply(a, b, is_real);
            break;
        case COR_OPERATOR_MIN:
            made = between(fmin(a->low, b->low), fmin(a->high, b->high), false);
            break;
        case COR_OPERATOR_MAX:
            made = between(fmax(a->low, b->low), fmax(a->high, b->high), false);
            break;
        case COR_OPERATOR_ABS:
            made = between(a->low > 0 ? a->low : a->high < 0 ? -a->high : 0, size_of(a), false);
            break;
        case COR_OPERATOR_TO_REAL:
            made = between(a->low, a->high, false);
            break;
        default:
            made = divide(node->operator, a, b, is_real);
        }
        made.may_lack = made.may_lack || a->may_lack || b->may_lack;
        return made;
    }
    }
}

static void ask_nodes(struct corridor__partial *p, uint32_t first, uint32_t end) {
    for (uint32_t i = first; i < end; i++)
        if (p->condition->nodes[i].operator== COR_OPERATOR_BIND)
            i = ask_query(p, i);
        else
            p->bounds[i] = ask_node(p, &p->condition->nodes[i]);
}

uint8_t corridor__partial_ask(struct corridor__partial *p) {
    p->value_count = 0;
    ask_nodes(p, 0, p->condition->node_count);
    return p->is_short ? CORRIDOR__ANY : p->bounds[p->condition->node_count - 1].truths;
}

/* ---- memory */

enum cor_status corridor__partial_init(struct corridor__partial *p, const struct cor_corridor *corridor,
                                       const struct cor_snapshot *state, uint32_t constraint,
                                       struct cor_error *error) {
    const size_t n = state->agent_count, count = state->organizations->block_count;
    *p = (struct corridor__partial){.corridor = corridor,
                                    .state = state,
                                    .condition = &corridor->constraints[constraint].condition,
                                    .agents = state->agent_count,
                                    .organizations = (uint32_t)count,
                                    .is_exclusive = corridor->kind != COR_STRUCTURE_COVERING &&
                                                    corridor->kind != COR_STRUCTURE_OVERLAPPING};
    p->is_member = cor_calloc(n * count, 1);
    p->is_in = cor_calloc(n * count, 1);
    p->is_out = cor_calloc(n * count, 1);
    p->home = cor_calloc(n, sizeof *p->home);
    p->out_count = cor_calloc(n, sizeof *p->out_count);
    p->has_attribute = cor_calloc(n * corridor->attribute_count, 1);
    p->has_organization_attribute = cor_calloc(count * corridor->organization_attribute_count, 1);
    p->has_parent = cor_calloc(count, 1);
    p->open = cor_calloc(n * count, sizeof *p->open);
    p->open_at = cor_calloc(n * count, sizeof *p->open_at);
    p->open_count = cor_calloc(count, sizeof *p->open_count);
    p->widest = cor_calloc(p->condition->node_count, sizeof *p->widest);
    p->focus = cor_calloc(p->condition->node_count, sizeof *p->focus);
    p->bounds = cor_calloc(p->condition->node_count, sizeof *p->bounds);
    if (!p->is_member || !p->is_in || !p->is_out || !p->home || !p->out_count || !p->has_attribute ||
        !p->has_organization_attribute || !p->has_parent || !p->open || !p->open_at || !p->open_count ||
        !p->widest || !p->focus || !p->bounds)
        return cor_fail_memory(error);
    for (uint32_t i = 0; i < p->condition->node_count; i++)
        p->widest[i] = between(INFINITY, -INFINITY, false);
    partial_forget(p);
    memset(p->focus, 0xFF, p->condition->node_count * sizeof *p->focus);
    for (uint32_t o = 0; o < count; o++)
        for (uint32_t i = 0; i < cor_lists_size(state->organizations, o); i++)
            p->is_member[cor_lists_block(state->organizations, o)[i] * count + o] = 1;
    return COR_OK;
}

void corridor__partial_fini(struct corridor__partial *p) {
    void *const all[] = {p->open,
                         p->open_at,
                         p->open_count,
                         p->widest,
                         p->is_member,
                         p->is_in,
                         p->is_out,
                         p->home,
                         p->out_count,
                         p->has_attribute,
                         p->has_organization_attribute,
                         p->has_parent,
                         p->focus,
                         p->bounds,
                         p->values};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    *p = (struct corridor__partial){.corridor = NULL};
}

/* ---- from all facts that a constraint may have been violated by to some of which none can be spared. Those
 * that say little stand first, since what stands first goes first */

#define FACTS_MAX (1u << 22) /* a state with more has no reason */

/* What a condition reads. */
struct needs {
    bool members, parents, extremes;
    bool attributes[COR_CORRIDOR_ROWS_MAX + 1]; /* of agents; `up` comes on top of what is declared */
    bool declared[COR_CORRIDOR_ROWS_MAX];       /* of organizations */
};

/* Elements that decide by themselves; NULL: there are none, so all are looked at. */
struct scope {
    bool *agents, *organizations; /* owned */
    bool has_any;
};

static void note_needs(const struct cor_corridor *corridor, const struct cor_expression *condition,
                       struct needs *needs) {
    *needs = (struct needs){.members = false};
    for (uint32_t i = 0; i < condition->node_count; i++) {
        const struct cor_node *node = &condition->nodes[i];
        const enum cor_operator kind = node->operator;
        needs->extremes = needs->extremes || kind == COR_OPERATOR_LEAST || kind == COR_OPERATOR_GREATEST;
        if (kind == COR_OPERATOR_ATTRIBUTE && node->element == COR_AGENT)
            needs->attributes[node->variable] = true;
        const bool is_of_organization = kind == COR_OPERATOR_ATTRIBUTE && node->element == COR_ORGANIZATION,
                   is_declared = is_of_organization && node->variable >= COR_ORGANIZATION_DECLARED;
        if (is_declared)
            needs->declared[node->variable - COR_ORGANIZATION_DECLARED] = true;
        needs->parents =
            needs->parents || kind == COR_OPERATOR_REFERENCE || (is_of_organization && !is_declared);
        if (node->variable == COR_NONE ||
            (kind != COR_OPERATOR_BIND && kind != COR_OPERATOR_SIZE && kind != COR_OPERATOR_IN))
            continue;
        const bool is_children =
            condition->nodes[node->left].element == COR_ORGANIZATION && node->variable == 1;
        needs->parents = needs->parents || is_children;
        needs->members = needs->members || !is_children;
    }
    needs->parents = needs->parents && cor_structure_nests(corridor->kind);
}

static enum cor_status add_fact(struct cor_reason *reason, struct cor_fact fact, struct cor_error *error) {
    COR_TRY(COR_RESERVE(&reason->facts, &reason->capacity, reason->count + 1, error));
    reason->facts[reason->count++] = fact;
    return COR_OK;
}

/* Memberships that are so, or that are not. */
static enum cor_status add_members(const struct corridor__partial *p, const struct scope *scope,
                                   bool are_members, struct cor_reason *reason, struct cor_error *error) {
    if (!are_members && !scope && p->is_exclusive)
        return COR_OK; /* where an agent is says where it is not */
    for (uint32_t o = 0; o < p->organizations; o++)
        for (uint32_t a = 0; a < p->agents; a++) {
            const bool is_meant = !scope || scope->organizations[o] || scope->agents[a];
            if (is_meant && (p->is_member[(size_t)a * p->organizations + o] != 0) == are_members)
                COR_TRY(add_fact(
                    reason, (struct cor_fact){are_members ? COR_FACT_MEMBER : COR_FACT_NO_MEMBER, a, o, 0},
                    error));
        }
    return COR_OK;
}

/* Attributes of agents, of those in organizations that decide, or of the others. */
static enum cor_status add_attributes(const struct corridor__partial *p, const struct needs *needs,
                                      const struct scope *scope, bool are_near, struct cor_reason *reason,
                                      struct cor_error *error) {
    for (uint32_t q = 0; q < p->corridor->attribute_count; q++)
        for (uint32_t a = 0; a < p->agents && needs->attributes[q]; a++) {
            const struct cor_attribute_values *column = &p->state->columns[q];
            bool is_near = !scope || scope->agents[a];
            for (uint32_t o = 0; o < p->organizations && !is_near; o++)
                is_near = scope->organizations[o] && p->is_member[(size_t)a * p->organizations + o];
            if (is_near == are_near && !(column->unknown && column->unknown[a]))
                COR_TRY(add_fact(reason, (struct cor_fact){COR_FACT_ATTRIBUTE, a, COR_NOBODY, q}, error));
        }
    return COR_OK;
}

static enum cor_status list_facts(const struct corridor__partial *p, const struct needs *needs,
                                  const struct scope *scope, struct cor_reason *reason,
                                  struct cor_error *error) {
    reason->count = 0;
    for (uint32_t q = 0; q < p->corridor->organization_attribute_count; q++)
        for (uint32_t i = 0; i < p->organizations && needs->declared[q]; i++) {
            const struct cor_attribute_values *columns = p->state->organization_columns;
            if (columns && !(columns[q].unknown && columns[q].unknown[i]))
                COR_TRY(add_fact(reason, (struct cor_fact){COR_FACT_ORGANIZATION_ATTRIBUTE, COR_NOBODY, i, q},
                                 error));
        }
    COR_TRY(add_attributes(p, needs, scope, false, reason, error));
    if (needs->members)
        COR_TRY(add_members(p, scope, false, reason, error));
    COR_TRY(add_attributes(p, needs, scope, true, reason, error));
    if (needs->members)
        COR_TRY(add_members(p, scope, true, reason, error));
    for (uint32_t o = 0; o < p->organizations && needs->parents; o++)
        COR_TRY(add_fact(reason, (struct cor_fact){COR_FACT_PARENT, COR_NOBODY, o, 0}, error));
    return COR_OK;
}

static void set_facts(struct corridor__partial *p, const struct cor_reason *reason, size_t first, size_t end,
                      bool are_known) {
    for (size_t i = first; i < end; i++)
        corridor__partial_set(p, &reason->facts[i], are_known);
}

/* Spares what can be spared of the facts first .. end - 1: all of them, else of each half. `is_kept` is left
 * true of the others. */
static void spare(struct corridor__partial *p, const struct cor_reason *reason, bool *is_kept, size_t first,
                  size_t end) {
    if (first == end)
        return;
    set_facts(p, reason, first, end, false);
    if (corridor__partial_ask(p) == CORRIDOR__FALSE) {
        memset(is_kept + first, false, end - first);
        return;
    }
    set_facts(p, reason, first, end, true);
    if (end - first == 1)
        return;
    const size_t middle = first + (end - first) / 2;
    spare(p, reason, is_kept, first, middle);
    spare(p, reason, is_kept, middle, end);
}

static enum cor_status shrink(struct corridor__partial *p, struct cor_reason *reason,
                              struct cor_error *error) {
    COR_FREED bool *is_kept = cor_calloc(reason->count, sizeof *is_kept);
    size_t kept = 0;
    COR_TRY(cor_made(is_kept, error));
    memset(is_kept, true, reason->count);
    spare(p, reason, is_kept, 0, reason->count);
    for (size_t i = 0; i < reason->count; i++)
        if (is_kept[i])
            reason->facts[kept++] = reason->facts[i];
    reason->count = kept;
    return COR_OK;
}

enum cor_status cor_corridor_reason(const struct cor_corridor *corridor, const struct cor_snapshot *state,
                                    uint32_t constraint, struct cor_reason *reason, struct cor_error *error) {
    struct corridor__partial p;
    struct needs needs;
    struct scope scope = {.has_any = false};
    enum cor_status status = COR_OK;
    reason->count = 0;
    reason->is_there = reason->is_minimal = false;
    if (!cor_corridor_is_plain(corridor, constraint))
        return COR_OK;
    if ((uint64_t)state->agent_count * state->organizations->block_count > FACTS_MAX)
        return COR_OK;
    note_needs(corridor, &corridor->constraints[constraint].condition, &needs);
    COR_TRY_OUT(corridor__partial_init(&p, corridor, state, constraint, error));
    p.mode = CORRIDOR__FIND_WIDEST;
    if (needs.extremes)
        corridor__partial_ask(&p);
    COR_TRY_OUT(list_facts(&p, &needs, NULL, reason, error));
    set_facts(&p, reason, 0, reason->count, true);
    p.mode = CORRIDOR__FIND_FOCUS;
    if (corridor__partial_ask(&p) != CORRIDOR__FALSE)
        goto out;
    p.mode = CORRIDOR__USE_FOCUS;
    /* Queries that an element decides do so only where all around them are so, too. */
    for (uint32_t i = 0; i < p.condition->node_count; i++)
        if (p.condition->nodes[i].operator== COR_OPERATOR_BIND && p.focus[i] == COR_NONE)
            for (uint32_t inner = i; inner < (uint32_t)p.condition->nodes[i].constant; inner++)
                p.focus[inner] = COR_NONE;
    scope.agents = cor_calloc(p.agents, sizeof *scope.agents);
    scope.organizations = cor_calloc(p.organizations, sizeof *scope.organizations);
    if (!scope.agents || !scope.organizations)
        COR_TRY_OUT(cor_fail_memory(error));
    for (uint32_t j = 0; j < p.condition->node_count; j++) {
        const struct cor_node *bind = &p.condition->nodes[j];
        if (bind->operator!= COR_OPERATOR_BIND || p.focus[j] == COR_NONE)
            continue;
        uint8_t type = bind->element;
        if (bind->variable != COR_NONE)
            type = p.corridor->scope.shape->types[p.condition->nodes[bind->left].element]
                       .collections[bind->variable]
                       .type;
        (type == COR_AGENT ? scope.agents : scope.organizations)[p.focus[j]] = true;
        scope.has_any = true;
    }
    if (scope.has_any) {
        partial_forget(&p);
        COR_TRY_OUT(list_facts(&p, &needs, &scope, reason, error));
        set_facts(&p, reason, 0, reason->count, true);
        if (corridor__partial_ask(&p) != CORRIDOR__FALSE) {
            memset(p.focus, 0xFF, p.condition->node_count * sizeof *p.focus);
            partial_forget(&p);
            COR_TRY_OUT(list_facts(&p, &needs, NULL, reason, error));
            set_facts(&p, reason, 0, reason->count, true);
        }
    }
    COR_TRY_OUT(shrink(&p, reason, error));
    reason->is_there = true;
out:
    if (status == COR_OK && p.is_short)
        status = cor_fail_memory(error);
    corridor__partial_fini(&p);
    COR_FREE(scope.agents, scope.organizations);
    return status;
}

void cor_reason_fini(struct cor_reason *reason) {
    free(reason->facts);
    *reason = (struct cor_reason){.facts = NULL};
}

/* "capacity of agent 3 is 12". */
static void put_value_text(const struct cor_quantity *quantity, const struct cor_attribute_values *column,
                           const char *whose, uint32_t element, const struct cor_corridor *corridor,
                           char *text, size_t size) {
    const enum cor_value_type type = quantity->domain.type;
    char shown[200];
    if (type == COR_VALUE_TYPE_REAL) {
        snprintf(shown, sizeof shown, "%.12g", column->reals[element]);
    } else {
        struct cor_value value = cor_integer(column->integers[element]);
        if (type == COR_VALUE_TYPE_STRING || type == COR_VALUE_TYPE_ENUMERATION)
            value = cor_word((uint32_t)value.as.integer);
        cor_value_text(value, &quantity->domain, &corridor->words, shown, sizeof shown);
    }
    snprintf(text, size, "%s of %s %u is %s", quantity->name, whose, element, shown);
}

void cor_fact_text(const struct cor_fact *fact, const struct cor_corridor *corridor,
                   const struct cor_snapshot *state, char *text, size_t size) {
    if (fact->kind == COR_FACT_MEMBER || fact->kind == COR_FACT_NO_MEMBER) {
        snprintf(text, size, "agent %u is %sin organization %u", fact->agent,
                 fact->kind == COR_FACT_MEMBER ? "" : "not ", fact->organization);
    } else if (fact->kind == COR_FACT_ATTRIBUTE) {
        put_value_text(&corridor->attributes[fact->attribute], &state->columns[fact->attribute], "agent",
                       fact->agent, corridor, text, size);
    } else if (fact->kind == COR_FACT_ORGANIZATION_ATTRIBUTE) {
        put_value_text(&corridor->organization_attributes[fact->attribute],
                       &state->organization_columns[fact->attribute], "organization", fact->organization,
                       corridor, text, size);
    } else if (state->parents[fact->organization] == COR_NOBODY) {
        snprintf(text, size, "organization %u has no parent", fact->organization);
    } else {
        snprintf(text, size, "the parent of organization %u is organization %u", fact->organization,
                 state->parents[fact->organization]);
    }
}
