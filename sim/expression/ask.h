/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One evaluation over a world: ask.c makes it, ask.c looks around in it. */
#ifndef CORRIDOR_SIM_EXPRESSION_ASK_H
#define CORRIDOR_SIM_EXPRESSION_ASK_H

#include <corridor/expression.h>
#include <corridor/world.h>

/* ---- numbers that are reckoned from integers alone, as fractions: a mean of integers is one, and what is
 * added up, taken from each other, multiplied and divided of such. Where a fraction would take more than 128
 * bits it is known to lie between two reals from then on */

__extension__ typedef __int128 expression__wide;

struct expression__exact {
    expression__wide numerator, denominator; /* without a common divisor; denominator > 0, or 0: too large */
    double low, high;                        /* where it is too large: it lies between */
};

/* An integer, and a fraction of integers whose denominator is not 0. */
struct expression__exact expression__exact_integer(int64_t integer);
struct expression__exact expression__exact_fraction(int64_t numerator, int64_t denominator);

/* A real that was read, as the decimal number with the fewest digits that give it back: 0.1 is 1 / 10. */
struct expression__exact expression__exact_decimal(double real);

/* ADD, SUBTRACT, MULTIPLY, DIVIDE, MIN, MAX of both, NEGATE, ABS of `a`; false: it is divided by 0. */
bool expression__exact_apply(enum cor_operator kind, const struct expression__exact *a,
                             const struct expression__exact *b, struct expression__exact *made);

/* Below 0: a < b; 0: they are equal; above 0: a > b. False: that cannot be told. */
bool expression__exact_compare(const struct expression__exact *a, const struct expression__exact *b,
                               int *order);

/* The real next to it, `otherwise` where it is too large. */
double expression__exact_real(const struct expression__exact *exact, double otherwise);

/* The least and the greatest of a plain query over a collection of each element of a type, as they were
 * reckoned last: most texts ask for both. */
struct expression__extremes {
    uint32_t start; /* the outer BIND; COR_NONE: there are none */
    double least, greatest;
    double lost;    /* the most that one of them is off */
    uint64_t steps; /* that it took */
};

/* What is known of a node: its value as in value.c, an element by its index; 0 where it is unknown. */
struct expression__ask {
    const struct cor_node *nodes;
    const struct cor_world *world;
    uint64_t steps;   /* that are left */
    bool is_rough;    /* how far sums of members may be off is bounded in less time, and never lower; */
    bool is_doubtful; /* and a comparison is close by that bound: whoever minds asks again without */
    struct cor_unknown first;
    struct expression__extremes extremes;
    int64_t known[COR_EXPRESSION_NODES_MAX];
    bool unknown[COR_EXPRESSION_NODES_MAX];
    struct expression__exact exact[COR_EXPRESSION_NODES_MAX]; /* of fractions that are known */
    double lost[COR_EXPRESSION_NODES_MAX]; /* of reals that are known, reckoned from reals: no farther from
                                            * what the decimals give that were written */
    uint16_t
        next[COR_EXPRESSION_NODES_MAX + 1]; /* from here on the first that is no constant and no variable */
};

/* A collection, while it is gone through. */
struct expression__range {
    const uint32_t *items; /* NULL: the elements 0 .. count - 1 */
    uint32_t count;
    const uint8_t *absent; /* [element], NULL: all are there; those are passed over that are not, */
    uint32_t elements;     /* of the elements 0 .. elements - 1 */
};

/* What a query has found so far. */
struct expression__tally {
    uint32_t counted;               /* elements with filter and, where it is a condition, body */
    uint32_t uncertain;             /* elements of which that is not known */
    bool undefined;                 /* what is reckoned with has no value */
    int64_t made;                   /* the sum, the least or the greatest */
    struct expression__exact exact; /* the same of fractions */
    double lost;                    /* of what is reckoned from reals: how far it is off at most */
};

/* How an element counts for a query. */
enum expression__share { EXPRESSION__OUT, EXPRESSION__COUNTED, EXPRESSION__UNCERTAIN };

static inline bool expression__is_comparison(const struct cor_node *node) {
    return node->operator>= COR_OPERATOR_LESS && node->operator<= COR_OPERATOR_NOT_EQUAL;
}

static inline bool expression__asks_condition(const struct cor_node *query) {
    return query->operator== COR_OPERATOR_ALL || query->operator== COR_OPERATOR_ANY || query->operator==
        COR_OPERATOR_ONE;
}

/* Of an element, whose filter and body are known: it counts for "all" if it is a counterexample, else if it
 * is an example. */
static inline enum expression__share expression__ask_share(const struct expression__ask *ask,
                                                           const struct cor_node *query) {
    const uint32_t filter = query->left, body = query->right, start = query->variable;
    const bool is_unsure = filter != start && ask->unknown[filter];
    if (filter != start && !ask->unknown[filter] && ask->known[filter] == 0)
        return EXPRESSION__OUT;
    if (expression__asks_condition(query) && !ask->unknown[body] &&
        (ask->known[body] != 0) != (query->operator!= COR_OPERATOR_ALL))
        return EXPRESSION__OUT;
    return is_unsure || (body != start && ask->unknown[body]) ? EXPRESSION__UNCERTAIN : EXPRESSION__COUNTED;
}

/* The answer to a query; false where it is unknown. */
bool expression__conclude(const struct cor_node *query, const struct expression__tally *tally,
                          int64_t *answer);

/* Fills in constants and variables: once. */
void expression__ask_begin(struct expression__ask *ask, const struct cor_expression *expression,
                           const struct cor_value *values, const struct cor_world *world);

/* Evaluates the nodes first .. end - 1, those before being known. */
void expression__ask_nodes(struct expression__ask *ask, uint32_t first, uint32_t end);

/* The collection that the node works on; false where it is unknown. */
bool expression__ask_range(const struct expression__ask *ask, const struct cor_node *node,
                           struct expression__range *range);

/* The BIND is item `i` of the range from now on; false, and it is not, where that is not there. */
static inline bool expression__ask_bind(struct expression__ask *ask, uint32_t node,
                                        const struct expression__range *range, uint32_t i) {
    const uint32_t element = range->items ? range->items[i] : i;
    if (range->absent && element < range->elements && range->absent[element])
        return false;
    ask->known[node] = element;
    ask->unknown[node] = false;
    return true;
}

#endif
