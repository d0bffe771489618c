/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Conditions over a world: the same pass over the nodes, with a third value, and again over the nodes of a
 * query for each element. Constants and variables are filled in before, so that the loops pass them over. */
#include "ask.h"
#include "evaluate.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static const struct cor_population *population_of(const struct expression__ask *ask, uint8_t type) {
    return &ask->world->populations[type];
}

/* Whether the element is one that is there. */
static inline bool is_there(const struct cor_population *population, int64_t element) {
    return element < population->count && !(population->absent && population->absent[element]);
}

static void make_unknown(struct expression__ask *ask, uint32_t node, uint32_t element) {
    ask->known[node] = 0;
    ask->unknown[node] = true;
    if (ask->first.node == COR_NONE) {
        ask->first.node = node;
        ask->first.element = element;
    }
}

/* Of a node whose operand is unknown, or which is undefined. A variable that is read is the reason itself. */
static void make_unknown_by(struct expression__ask *ask, uint32_t index, const struct cor_node *node) {
    const uint32_t sides[] = {node->left, node->right};
    for (int i = 0; i < 2; i++)
        if (ask->unknown[sides[i]] && ask->nodes[sides[i]].operator== COR_OPERATOR_VARIABLE &&
                                      ask->first.node == COR_NONE)
            ask->first.node = sides[i];
    make_unknown(ask, index, COR_NONE);
}

void expression__ask_begin(struct expression__ask *ask, const struct cor_expression *expression,
                           const struct cor_value *values, const struct cor_world *world) {
    COR_ASSERT(expression->node_count > 0 && expression->node_count <= COR_EXPRESSION_NODES_MAX);
    ask->nodes = expression->nodes;
    ask->world = world;
    ask->steps = COR_ASK_STEPS;
    ask->extremes.start = COR_NONE;
    ask->is_rough = ask->is_doubtful = false;
    ask->first = (struct cor_unknown){.node = COR_NONE, .element = COR_NONE};
    for (uint32_t i = 0; i < expression->node_count; i++) {
        const struct cor_node *node = &expression->nodes[i];
        ask->unknown[i] = false;
        if (node->operator== COR_OPERATOR_CONSTANT)
            ask->known[i] = node->constant;
        if (node->operator!= COR_OPERATOR_VARIABLE)
            continue;
        const struct cor_value *value = &values[node->variable];
        if (value->kind == COR_VALUE_NULL)
            make_unknown(ask, i, COR_NONE);
        else
            ask->known[i] = expression__load(node, value);
    }
    ask->next[expression->node_count] = (uint16_t)expression->node_count;
    for (uint32_t i = expression->node_count; i-- > 0;)
        ask->next[i] = ask->nodes[i].operator<= COR_OPERATOR_VARIABLE ? ask->next[i + 1] : (uint16_t)i;
    ask->first.node = COR_NONE; /* a parameter that nothing reads is no reason */
}

static void ask_attribute(struct expression__ask *ask, uint32_t index, const struct cor_node *node,
                          const struct cor_population *populations) {
    const int64_t element = ask->known[node->left];
    if (!populations) {
        make_unknown(ask, index, ask->unknown[node->left] ? COR_NONE : (uint32_t)element);
        return;
    }
    const struct cor_population *population = &populations[node->element];
    const struct cor_attribute_values *column = &population->columns[node->variable];
    if (ask->unknown[node->left]) {
        make_unknown(ask, index, COR_NONE);
        return;
    }
    if (!is_there(population, element) || (column->unknown && column->unknown[element])) {
        make_unknown(ask, index, (uint32_t)element);
        return;
    }
    ask->known[index] = node->reals ? expression__bits_of(column->reals[element]) : column->integers[element];
    ask->unknown[index] = false;
}

/* The type of the element whose collection or reference it is. */
static uint8_t owner_of(const struct expression__ask *ask, const struct cor_node *node) {
    return ask->nodes[node->left].element;
}

bool expression__ask_range(const struct expression__ask *ask, const struct cor_node *node,
                           struct expression__range *range) {
    const struct cor_population *of = population_of(ask, node->element);
    *range = (struct expression__range){NULL, of->count, of->absent, of->count};
    if (node->variable == COR_NONE)
        return true;
    const struct cor_population *population = population_of(ask, owner_of(ask, node));
    const int64_t element = ask->known[node->left];
    if (ask->unknown[node->left] || !is_there(population, element))
        return false;
    const struct cor_memberships *collection = &population->collections[node->variable];
    if (collection->unknown && collection->unknown[element])
        return false;
    const uint32_t start = collection->start[element];
    range->items = collection->items + start;
    range->count = collection->start[element + 1] - start;
    return true;
}

static void ask_in(struct expression__ask *ask, uint32_t index, const struct cor_node *node) {
    const int64_t element = ask->known[node->right];
    struct expression__range range;
    if (ask->unknown[node->right] || !expression__ask_range(ask, node, &range)) {
        make_unknown(ask, index, COR_NONE);
        return;
    }
    const bool is_gone = range.absent && element < range.elements && range.absent[element];
    bool found = !range.items && element < range.count;
    ask->steps -= ask->steps < range.count ? ask->steps : range.count;
    for (uint32_t i = 0; range.items && i < range.count && !found; i++)
        found = range.items[i] == element;
    ask->known[index] = found && !is_gone;
    ask->unknown[index] = false;
}

static void ask_size(struct expression__ask *ask, uint32_t index, const struct cor_node *node) {
    struct expression__range range;
    if (!expression__ask_range(ask, node, &range)) {
        make_unknown(ask, index, COR_NONE);
        return;
    }
    uint32_t size = range.count;
    if (range.absent) {
        ask->steps -= ask->steps < range.count ? ask->steps : range.count;
        for (uint32_t i = 0; i < range.count; i++) {
            const uint32_t element = range.items ? range.items[i] : i;
            size -= element < range.elements && range.absent[element];
        }
    }
    ask->known[index] = size;
    ask->unknown[index] = false;
}

static bool is_fraction(const struct cor_node *node) {
    return node->exactness == COR_EXACT || node->exactness == COR_CHOSEN;
}

/* What a real that is known is: as it was said, or reckoned. */
static struct expression__exact exact_at(const struct expression__ask *ask, uint32_t index) {
    const struct cor_node *node = &ask->nodes[index];
    return node->operator== COR_OPERATOR_TO_REAL ? expression__exact_integer(ask->known[node->left])
           : is_fraction(node)                   ? ask->exact[index]
                               : expression__exact_decimal(expression__real_of(ask->known[index]));
}

#define HALF_ULP 0x1p-53 /* of a real, the most that rounding it loses */

/* How far a real that is known may be from what the decimals give that were written. */
static double lost_at(const struct expression__ask *ask, uint32_t index) {
    const struct cor_node *node = &ask->nodes[index];
    return node->operator== COR_OPERATOR_TO_REAL ? HALF_ULP * fabs((double)ask->known[node->left])
           : node->exactness == COR_ROUNDED      ? ask->lost[index]
                                            : 2 * HALF_ULP * fabs(expression__real_of(ask->known[index]));
}

/* Notes that of a real which was reckoned from others. */
static void note_lost(struct expression__ask *ask, uint32_t index) {
    const struct cor_node *node = &ask->nodes[index];
    const double a = lost_at(ask, node->left),
                 rounded = HALF_ULP * fabs(expression__real_of(ask->known[index]));
    double *lost = &ask->lost[index];
    if (node->operator== COR_OPERATOR_NEGATE || node->operator== COR_OPERATOR_ABS) {
        *lost = a;
        return;
    }
    const double b = lost_at(ask, node->right), left = fabs(expression__real_of(ask->known[node->left])),
                 right = fabs(expression__real_of(ask->known[node->right]));
    *lost = node->operator== COR_OPERATOR_MIN || node->operator== COR_OPERATOR_MAX ? fmax(a, b)
            : node->operator== COR_OPERATOR_MULTIPLY ? left * b + right * a + a * b + rounded
            : node->operator!= COR_OPERATOR_DIVIDE   ? a + b + rounded
            : right> b                               ? (a + b * left / right) / (right - b) + rounded
                                                     : INFINITY;
    if (isnan(*lost)) /* nothing times what may be anything */
        *lost = INFINITY;
}

/* Takes the number of one more element in. */
static void reckon(const struct cor_node *query, int64_t number, struct expression__tally *tally) {
    const enum cor_operator kind = query->operator;
    const bool is_first = tally->counted == 1;
    struct cor_node step = {.operator= kind == COR_OPERATOR_LEAST ? COR_OPERATOR_MIN
                            : kind == COR_OPERATOR_GREATEST       ? COR_OPERATOR_MAX
                                                                  : COR_OPERATOR_ADD,
                            .left = 0,
                            .right = 1,
                            .reals = query->reals};
    const int64_t both[2] = {tally->made, number};
    if (is_first)
        tally->made = number;
    else
        tally->undefined = query->reals ? !expression__evaluate_reals(&step, both, &tally->made)
                                        : !expression__apply(step.operator, both[0], both[1], &tally->made);
}

/* Takes an element in, whose filter and body are known; true when nothing can change the answer. */
static inline bool take(const struct expression__ask *ask, const struct cor_node *query,
                        struct expression__tally *tally) {
    const enum expression__share share = expression__ask_share(ask, query);
    if (share == EXPRESSION__OUT)
        return false;
    if (share == EXPRESSION__UNCERTAIN) {
        tally->uncertain++;
        return !expression__asks_condition(query);
    }
    tally->counted++;
    if (expression__asks_condition(query))
        return tally->counted > (query->operator== COR_OPERATOR_ONE);
    if (query->operator!= COR_OPERATOR_COUNT)
        reckon(query, ask->known[query->right], tally);
    if (query->reals && query->exactness == COR_ROUNDED) {
        const double lost = lost_at(ask, query->right);
        tally->lost = query->operator== COR_OPERATOR_LEAST || query->operator== COR_OPERATOR_GREATEST
                          ? fmax(tally->lost, lost)
                          : tally->lost + lost + HALF_ULP * fabs(expression__real_of(tally->made));
    }
    if (query->reals && is_fraction(query)) {
        const struct expression__exact exact = exact_at(ask, query->right);
        if (tally->counted == 1)
            tally->exact = exact;
        else
            expression__exact_apply(query->operator== COR_OPERATOR_LEAST      ? COR_OPERATOR_MIN
                                    : query->operator== COR_OPERATOR_GREATEST ? COR_OPERATOR_MAX
                                                                              : COR_OPERATOR_ADD,
                                    &tally->exact, &exact, &tally->exact);
    }
    return tally->undefined;
}

bool expression__conclude(const struct cor_node *query, const struct expression__tally *tally,
                          int64_t *answer) {
    const int64_t nothing = 0; /* the bits of 0 and 0.0 */
    switch (query->operator) {
    case COR_OPERATOR_ALL:
        *answer = tally->counted == 0;
        return tally->counted > 0 || tally->uncertain == 0;
    case COR_OPERATOR_ANY:
        *answer = tally->counted > 0;
        return tally->counted > 0 || tally->uncertain == 0;
    case COR_OPERATOR_ONE:
        *answer = tally->counted == 1;
        return tally->counted > 1 || tally->uncertain == 0;
    case COR_OPERATOR_COUNT:
        *answer = tally->counted;
        return tally->uncertain == 0;
    case COR_OPERATOR_SUM:
        *answer = tally->counted > 0 ? tally->made : nothing;
        return tally->uncertain == 0 && !tally->undefined;
    case COR_OPERATOR_MEAN: {
        const double sum = query->reals ? expression__real_of(tally->made) : (double)tally->made;
        *answer = expression__bits_of(tally->counted > 0 ? sum / tally->counted : 0);
        return tally->counted > 0 && tally->uncertain == 0 && !tally->undefined;
    }
    default:
        *answer = tally->made;
        return tally->counted > 0 && tally->uncertain == 0;
    }
}

/* ---- what most texts ask of members: a real attribute of each, without a filter */

/* Whether the query that begins at the BIND is so plain; *column gets the attribute's values. */
static bool is_plain(const struct expression__ask *ask, uint32_t start,
                     const struct cor_attribute_values **column) {
    const struct cor_node *bind = &ask->nodes[start], *body = bind + 1;
    const uint32_t end = (uint32_t)bind->constant;
    const struct cor_node *query = &ask->nodes[end];
    if (end != start + 2 || query->left != start || query->right != start + 1 || !query->reals ||
        query->operator<COR_OPERATOR_SUM || body->operator!= COR_OPERATOR_ATTRIBUTE ||
        body->left != start || !body->reals)
        return false;
    const struct cor_population *population = population_of(ask, body->element);
    *column = &population->columns[body->variable];
    return !population->absent && !(*column)->unknown && (*column)->reals;
}

/* Adds a number, and to *lost what it and the sum so far may be off, in halves of an ulp: beside the sum,
 * which waits for the one before it. Roughly: *lost is the greatest magnitude so far. */
static inline void add(double number, double *sum, double *lost, bool is_rough) {
    *sum += number;
    if (is_rough)
        *lost = fabs(number) > *lost ? fabs(number) : *lost;
    else
        *lost += 2 * fabs(number) + fabs(*sum);
}

/* Adds up the values of items in their order, four in a round. False where one is no element: they are looked
 * at on the way, which costs next to nothing, since an addition waits for the one before it anyway. */
static inline __attribute__((always_inline)) bool add_items(const double *reals, uint32_t elements,
                                                            const uint32_t *items, uint32_t count,
                                                            double *sum, double *lost, bool is_rough) {
    const uint32_t *const end = items + count;
    if (items[0] >= elements)
        return false;
    double made = reals[*items++], off = (is_rough ? 1 : 3) * fabs(made);
    for (; end - items >= 4; items += 4) {
        if (items[0] >= elements || items[1] >= elements || items[2] >= elements || items[3] >= elements)
            return false;
        add(reals[items[0]], &made, &off, is_rough);
        add(reals[items[1]], &made, &off, is_rough);
        add(reals[items[2]], &made, &off, is_rough);
        add(reals[items[3]], &made, &off, is_rough);
    }
    for (; items < end; items++) {
        if (*items >= elements)
            return false;
        add(reals[*items], &made, &off, is_rough);
    }
    *sum = made;
    /* None of the sums is above count times the greatest magnitude: with what each number itself may be off
     * that comes to count * (count + 5) / 2 of it, which is taken twice, for this is rounded, too. */
    *lost = is_rough ? off * count * (count + 5.0) : off;
    return true;
}

/* The sum, least, greatest or mean of the values of items, in their order; NULL: of the first elements. False
 * where it takes a closer look: there are no items, one is no element, or the number is not finite. */
static inline bool plain_value(enum cor_operator kind, const double *reals, uint32_t elements,
                               const uint32_t *items, uint32_t count, bool is_rough, double *value,
                               double *lost) {
    double made = 0, off = 0;
    if (count == 0)
        return false;
    if (kind == COR_OPERATOR_LEAST || kind == COR_OPERATOR_GREATEST) {
        for (uint32_t i = 0; i < count; i++) {
            if (items && items[i] >= elements)
                return false;
            const double it = reals[items ? items[i] : i];
            made = i == 0 || (kind == COR_OPERATOR_LEAST ? it < made : it > made) ? it : made;
        }
    } else if (items) {
        if (!(is_rough ? add_items(reals, elements, items, count, &made, &off, true)
                       : add_items(reals, elements, items, count, &made, &off, false)))
            return false;
    } else {
        made = reals[0];
        off = 3 * fabs(made);
        for (uint32_t i = 1; i < count; i++)
            add(reals[i], &made, &off, false);
    }
    *value = kind == COR_OPERATOR_MEAN ? made / count : made;
    *lost = HALF_ULP * (kind == COR_OPERATOR_MEAN ? off / count + fabs(*value) : off);
    return isfinite(made); /* of a sum that overflowed on the way nothing finite is left */
}

/* Answers a plain query; false: it is none, or takes a closer look. */
static bool ask_plain(struct expression__ask *ask, uint32_t start, const struct expression__range *range) {
    const struct cor_attribute_values *column;
    const uint32_t end = (uint32_t)ask->nodes[start].constant;
    double value, lost;
    if (!is_plain(ask, start, &column) || ask->steps / 2 < range->count)
        return false;
    const uint32_t elements = population_of(ask, ask->nodes[start].element)->count;
    if (!plain_value(ask->nodes[end].operator, column->reals, elements, range->items, range->count,
                     ask->is_rough, &value, &lost))
        return false;
    ask->steps -= 2 * (uint64_t)range->count;
    ask->known[end] = expression__bits_of(value);
    ask->lost[end] = lost;
    ask->unknown[end] = false;
    return true;
}

/* Whether two stretches of nodes, which begin with the BIND of an outer query, ask the same but for the last.
 */
static bool asks_the_same(const struct cor_node *nodes, uint32_t a, uint32_t b) {
    for (uint32_t i = 0; i < 4; i++)
        if (nodes[a + i]
                .
                operator!= nodes[b + i]
                .
                operator|| nodes[a + i]
                .variable != nodes[b + i]
                .variable || nodes[a + i]
                .element != nodes[b + i]
                .element)
            return i == 3 && nodes[a + i].operator== nodes[b + i].operator;
    return true;
}

/* Answers the least or greatest, over all elements of a type, of a plain query over a collection of each;
 * false: it is none of these, or takes a closer look. */
static bool ask_extremes(struct expression__ask *ask, uint32_t start, const struct expression__range *range) {
    const struct cor_node *bind = &ask->nodes[start], *inner = bind + 1, *query = &ask->nodes[bind->constant];
    const enum cor_operator kind = query->operator;
    struct expression__extremes *extremes = &ask->extremes;
    const struct cor_attribute_values *column;
    if ((kind != COR_OPERATOR_LEAST && kind != COR_OPERATOR_GREATEST) ||
        (uint32_t)bind->constant != start + 4 || range->items || range->absent || range->count == 0 ||
        query->left != start || query->right != start + 3 ||
        inner->operator!= COR_OPERATOR_BIND || inner->left != start ||
        inner->variable == COR_NONE || !is_plain(ask, start + 1, &column))
        return false;
    if (extremes->start == COR_NONE || !asks_the_same(ask->nodes, extremes->start, start)) {
        const struct cor_memberships *members =
            &population_of(ask, bind->element)->collections[inner->variable];
        const uint32_t elements = population_of(ask, inner->element)->count;
        struct expression__extremes made = {.start = start};
        if (members->unknown)
            return false;
        for (uint32_t e = 0; e < range->count; e++) {
            const uint32_t from = members->start[e], count = members->start[e + 1] - from;
            double value, lost;
            if (!plain_value(inner[2].operator, column->reals, elements, members->items + from, count,
                             ask->is_rough, &value, &lost))
                return false;
            made.lost = fmax(made.lost, lost);
            made.least = e == 0 || value < made.least ? value : made.least;
            made.greatest = e == 0 || value > made.greatest ? value : made.greatest;
            made.steps += 4 + 2 * (uint64_t)count;
        }
        *extremes = made;
    }
    if (ask->steps < extremes->steps)
        return false;
    ask->steps -= extremes->steps;
    ask->known[start + 4] =
        expression__bits_of(kind == COR_OPERATOR_LEAST ? extremes->least : extremes->greatest);
    ask->lost[start + 4] = extremes->lost;
    ask->unknown[start + 4] = false;
    return true;
}

/* What the sizes of a collection of each element may be. */
struct size_bounds {
    uint32_t start;      /* the BIND of the element */
    uint32_t collection; /* COR_NONE: none was named yet */
    int64_t low, high;
};

/* Takes in what the node, a condition on the element, demands of the size of its collection; false: it is
 * about something else. */
static bool bound_sizes(const struct expression__ask *ask, uint32_t index, struct size_bounds *bounds) {
    const struct cor_node *node = &ask->nodes[index], *left = &ask->nodes[node->left],
                          *right = &ask->nodes[node->right];
    if (node->operator== COR_OPERATOR_AND)
        return bound_sizes(ask, node->left, bounds) && bound_sizes(ask, node->right, bounds);
    const bool is_strict = node->operator== COR_OPERATOR_LESS;
    if ((!is_strict && node->operator!= COR_OPERATOR_LESS_EQUAL) || node->reals)
        return false;
    const bool is_left = left->operator== COR_OPERATOR_SIZE;
    const struct cor_node *size = is_left ? left : right;
    const uint32_t number = is_left ? node->right : node->left;
    if (size->operator!= COR_OPERATOR_SIZE || size->left != bounds->start || size->variable == COR_NONE ||
        ask->nodes[number]
            .
            operator> COR_OPERATOR_VARIABLE ||
        ask->unknown[number] ||(bounds->collection != COR_NONE && bounds->collection != size->variable))
        return false;
    if (population_of(ask, size->element)->absent)
        return false;
    const int64_t bound = ask->known[number];
    bounds->collection = size->variable;
    if (bound < -1 || bound > UINT32_MAX)
        return false;
    if (is_left)
        bounds->high = bound - is_strict < bounds->high ? bound - is_strict : bounds->high;
    else
        bounds->low = bound + is_strict > bounds->low ? bound + is_strict : bounds->low;
    return true;
}

/* Whether the query says of each element that its collection has so many items, and each has: one pass over
 * the sizes. Who has not is found by a closer look. */
static bool ask_sizes(struct expression__ask *ask, uint32_t start, const struct expression__range *range) {
    const struct cor_node *bind = &ask->nodes[start];
    const uint32_t end = (uint32_t)bind->constant, cost = end - start;
    const struct cor_node *query = &ask->nodes[end];
    struct size_bounds bounds = {start, COR_NONE, 0, UINT32_MAX};
    if (query->operator!= COR_OPERATOR_ALL || query->left != start || range->items || range->absent ||
        range->count == 0 || ask->steps / cost<range->count || !bound_sizes(ask, query->right, &bounds))
        return false;
    const struct cor_memberships *sized = &population_of(ask, bind->element)->collections[bounds.collection];
    const uint32_t *from = sized->start;
    if (sized->unknown)
        return false;
    uint32_t least = UINT32_MAX, greatest = 0;
    for (uint32_t e = 0; e < range->count; e++) {
        const uint32_t size = from[e + 1] - from[e];
        least = size < least ? size : least;
        greatest = size > greatest ? size : greatest;
    }
    if (least < bounds.low || greatest > bounds.high)
        return false;
    ask->steps -= (uint64_t)cost * range->count;
    ask->known[end] = true;
    ask->unknown[end] = false;
    return true;
}

/* The query that begins at the BIND; returns its last node. */
static uint32_t ask_query(struct expression__ask *ask, uint32_t start) {
    const struct cor_node *bind = &ask->nodes[start];
    const uint32_t end = (uint32_t)bind->constant, cost = end - start;
    const struct cor_node *query = &ask->nodes[end];
    struct expression__range range;
    struct expression__tally tally = {0};
    bool decided = false;
    if (!expression__ask_range(ask, bind, &range)) {
        make_unknown(ask, end, COR_NONE);
        return end;
    }
    if (ask_sizes(ask, start, &range))
        return end;
    if (query->reals && (ask_plain(ask, start, &range) || ask_extremes(ask, start, &range)))
        return end;
    for (uint32_t i = 0; i < range.count && !decided; i++) {
        if (ask->steps < cost) {
            ask->steps = 0;
            ask->first.is_exhausted = true;
            make_unknown(ask, end, COR_NONE);
            return end;
        }
        ask->steps -= cost;
        if (!expression__ask_bind(ask, start, &range, i))
            continue;
        expression__ask_nodes(ask, start + 1, end);
        decided = take(ask, query, &tally);
    }
    ask->unknown[end] = false;
    if (!expression__conclude(query, &tally, &ask->known[end]))
        make_unknown(ask, end, COR_NONE);
    else if (is_fraction(query)) {
        /* The fraction that a query has found, which is known. */
        struct expression__exact *made = &ask->exact[end];
        if (!query->reals) { /* a mean of integers */
            *made = expression__exact_fraction(tally.made, tally.counted);
        } else if (tally.counted == 0) {
            *made = expression__exact_integer(0);
        } else {
            const struct expression__exact count = expression__exact_integer(tally.counted);
            *made = tally.exact;
            if (query->operator== COR_OPERATOR_MEAN)
                expression__exact_apply(COR_OPERATOR_DIVIDE, made, &count, made);
        }
        if (query->exactness == COR_EXACT)
            ask->known[end] =
                expression__bits_of(expression__exact_real(made, expression__real_of(ask->known[end])));
    } else if (query->operator== COR_OPERATOR_MEAN)
        ask->lost[end] = tally.lost / tally.counted + HALF_ULP * fabs(expression__real_of(ask->known[end]));
    else
        ask->lost[end] = tally.lost;
    return end;
}

/* "and" of a false part and "or" of a true one are known, whatever the other part is. */
static void join(struct expression__ask *ask, uint32_t index, const struct cor_node *node, bool decides) {
    const bool a_known = !ask->unknown[node->left], b_known = !ask->unknown[node->right];
    if (a_known & b_known) {
        const bool first = ask->known[node->left] != 0, second = ask->known[node->right] != 0;
        ask->known[index] = decides ? first | second : first & second;
        ask->unknown[index] = false;
        return;
    }
    const bool decided = (a_known && (ask->known[node->left] != 0) == decides) ||
                         (b_known && (ask->known[node->right] != 0) == decides);
    ask->known[index] = decided ? decides : !decides;
    ask->unknown[index] = !decided;
    if (ask->unknown[index])
        make_unknown_by(ask, index, node);
}

/* Whether a comparison of reals, whose sides are known, is of such that were reckoned and are as good as
 * equal, or no farther apart than what rounding may have come to: it decides. */
static bool is_edge(const struct expression__ask *ask, const struct cor_node *node, bool *is_lost) {
    if (node->exactness != COR_ROUNDED || !expression__is_comparison(node))
        return false;
    const double left = expression__real_of(ask->known[node->left]),
                 right = expression__real_of(ask->known[node->right]);
    *is_lost = fabs(left - right) > COR_EDGE * fmax(1, fmax(fabs(left), fabs(right)));
    return !*is_lost || !(fabs(left - right) > lost_at(ask, node->left) + lost_at(ask, node->right));
}

/* How both sides of a comparison, which are fractions or were read, stand to each other; false: that cannot
 * be told. Each is known as the real next to it, or one beside that, unless its fraction is too large. */
static bool order_fractions(const struct expression__ask *ask, const struct cor_node *node, int *order) {
    const uint32_t sides[] = {node->left, node->right};
    const double left = expression__real_of(ask->known[node->left]),
                 right = expression__real_of(ask->known[node->right]);
    bool is_next = true;
    for (int i = 0; i < 2; i++)
        is_next = is_next && (!is_fraction(&ask->nodes[sides[i]]) || ask->exact[sides[i]].denominator != 0);
    if (is_next && fabs(left - right) > 1e-15 * fmax(fabs(left), fabs(right))) {
        *order = left < right ? -1 : 1;
        return true;
    }
    const struct expression__exact one = exact_at(ask, node->left), other = exact_at(ask, node->right);
    return expression__exact_compare(&one, &other, order);
}

/* A node of fractions, whose sides are known; false where it is undefined, or too large to be told. */
static bool ask_fraction(struct expression__ask *ask, uint32_t index, const struct cor_node *node) {
    int64_t *known = &ask->known[index];
    int order;
    if (expression__is_comparison(node)) {
        if (order_fractions(ask, node, &order))
            return expression__apply(node->operator, order, 0, known);
        ask->first.is_close = true;
        return !ask->world->has_edge && expression__evaluate_reals(node, ask->known, known);
    }
    const struct expression__exact left = exact_at(ask, node->left), right = exact_at(ask, node->right);
    if (!expression__exact_apply(node->operator, & left, &right, &ask->exact[index]))
        return false;
    const bool is_defined = expression__evaluate_reals(node, ask->known, known);
    if (node->exactness == COR_EXACT && ask->exact[index].denominator != 0) {
        *known = expression__bits_of(expression__exact_real(&ask->exact[index], 0));
        return true;
    }
    return is_defined;
}

void expression__ask_nodes(struct expression__ask *ask, uint32_t first, uint32_t end) {
    for (uint32_t i = ask->next[first]; i < end; i = ask->next[i + 1]) {
        const struct cor_node *node = &ask->nodes[i];
        switch (node->operator) {
        case COR_OPERATOR_AND:
        case COR_OPERATOR_OR:
            join(ask, i, node, node->operator== COR_OPERATOR_OR);
            break;
        case COR_OPERATOR_BIND:
            i = ask_query(ask, i);
            break;
        case COR_OPERATOR_ATTRIBUTE:
            ask_attribute(ask, i, node, ask->world->populations);
            break;
        case COR_OPERATOR_BEFORE:
            ask_attribute(ask, i, node, ask->world->before);
            break;
        case COR_OPERATOR_REFERENCE: {
            const struct cor_population *population = population_of(ask, owner_of(ask, node));
            const int64_t element = ask->known[node->left];
            ask->unknown[i] = false;
            if (ask->unknown[node->left] || !is_there(population, element))
                make_unknown(ask, i, ask->unknown[node->left] ? COR_NONE : (uint32_t)element);
            else if ((ask->known[i] = population->references[node->variable][element]) >=
                     population_of(ask, node->element)->count)
                make_unknown(ask, i, (uint32_t)element);
            break;
        }
        case COR_OPERATOR_IN:
            ask_in(ask, i, node);
            break;
        case COR_OPERATOR_SIZE:
            ask_size(ask, i, node);
            break;
        default: {
            const int64_t left = ask->known[node->left], right = ask->known[node->right];
            bool is_known = !(ask->unknown[node->left] | ask->unknown[node->right]), is_lost;
            if (is_known && node->exactness == COR_ROUNDED && is_edge(ask, node, &is_lost)) {
                ask->first.is_close = true;
                ask->first.is_lost = ask->first.node == COR_NONE ? is_lost : ask->first.is_lost;
                ask->is_doubtful = ask->is_doubtful || (ask->is_rough && is_lost);
                is_known = !ask->world->has_edge;
            }
            /* What most conditions ask stands first: the others cost a call. */
            if (is_known && node->operator== COR_OPERATOR_LESS_EQUAL && !node->reals)
                ask->known[i] = left <= right;
            else if (is_known && is_fraction(node))
                is_known = ask_fraction(ask, i, node);
            else if (is_known)
                is_known = node->reals ? expression__evaluate_reals(node, ask->known, &ask->known[i])
                                       : expression__apply(node->operator, left, right, &ask->known[i]);
            ask->unknown[i] = false;
            if (!is_known)
                make_unknown_by(ask, i, node);
            else if (node->reals && node->exactness == COR_ROUNDED && !expression__is_comparison(node))
                note_lost(ask, i);
        }
        }
    }
}

bool cor_expression_constant_edge(const struct cor_expression *expression, struct cor_span *span) {
    struct expression__ask ask = {.nodes = expression->nodes};
    bool is_lost;
    COR_ASSERT(expression->spans);
    /* A node is known if it is reckoned of constants alone. */
    for (uint32_t i = 0; i < expression->node_count; i++) {
        const struct cor_node *node = &expression->nodes[i];
        const enum cor_operator kind = node->operator;
        const bool is_unary = kind == COR_OPERATOR_NEGATE || kind == COR_OPERATOR_ABS ||
                              kind == COR_OPERATOR_NOT || kind == COR_OPERATOR_TO_REAL;
        ask.known[i] = node->constant;
        ask.unknown[i] = kind != COR_OPERATOR_CONSTANT;
        if (kind <= COR_OPERATOR_VARIABLE || kind > COR_OPERATOR_TO_REAL || ask.unknown[node->left] ||
            (!is_unary && ask.unknown[node->right]))
            continue;
        if (is_edge(&ask, node, &is_lost)) {
            *span = expression->spans[i];
            return true;
        }
        ask.unknown[i] = !(node->reals ? expression__evaluate_reals(node, ask.known, &ask.known[i])
                                       : expression__apply(kind, ask.known[node->left],
                                                           ask.known[node->right], &ask.known[i]));
        if (!ask.unknown[i] && node->reals && node->exactness == COR_ROUNDED &&
            !expression__is_comparison(node))
            note_lost(&ask, i);
    }
    return false;
}

enum cor_truth cor_expression_ask(const struct cor_expression *expression, const struct cor_value *values,
                                  const struct cor_world *world, struct cor_unknown *unknown) {
    COR_ASSERT(expression->is_constraint && expression->spans);
    const uint32_t root = expression->node_count - 1;
    struct expression__ask ask;
    expression__ask_begin(&ask, expression, values, world);
    ask.is_rough = true;
    expression__ask_nodes(&ask, 0, expression->node_count);
    if (ask.is_doubtful && (unknown || world->has_edge)) {
        expression__ask_begin(&ask, expression, values, world);
        expression__ask_nodes(&ask, 0, expression->node_count);
    }
    if (unknown && ask.unknown[root])
        *unknown = ask.first;
    else if (unknown)
        *unknown =
            (struct cor_unknown){.node = COR_NONE, .element = COR_NONE, .is_close = ask.first.is_close};
    return ask.unknown[root] ? COR_TRUTH_UNKNOWN : ask.known[root] ? COR_TRUTH_TRUE : COR_TRUTH_FALSE;
}

bool cor_expression_is_of_each(const struct cor_expression *expression, uint8_t type) {
    const struct cor_node *root = &expression->nodes[expression->node_count - 1];
    if (root->operator!= COR_OPERATOR_ALL)
        return false;
    const struct cor_node *bind = &expression->nodes[root->variable];
    return bind->variable == COR_NONE && bind->element == type;
}

void cor_expression_ask_each(const struct cor_expression *expression, const struct cor_value *values,
                             const struct cor_world *world, enum cor_truth *truths) {
    const uint32_t end = expression->node_count - 1, start = expression->nodes[end].variable;
    struct expression__ask ask;
    struct expression__range range;
    expression__ask_begin(&ask, expression, values, world);
    expression__ask_nodes(&ask, 0, start);
    const bool is_known = expression__ask_range(&ask, &expression->nodes[start], &range);
    COR_ASSERT(is_known && !range.items); /* all elements of a type */
    for (uint32_t i = 0; i < range.count; i++) {
        truths[i] = COR_TRUTH_TRUE;
        if (!expression__ask_bind(&ask, start, &range, i))
            continue;
        expression__ask_nodes(&ask, start + 1, end);
        const enum expression__share share = expression__ask_share(&ask, &expression->nodes[end]);
        if (share != EXPRESSION__OUT)
            truths[i] = share == EXPRESSION__COUNTED ? COR_TRUTH_FALSE : COR_TRUTH_UNKNOWN;
    }
}

bool cor_expression_reckon(const struct cor_expression *expression, const struct cor_value *values,
                           const struct cor_world *world, double *number) {
    COR_ASSERT(expression->result == COR_VALUE_REAL && expression->spans);
    const uint32_t root = expression->node_count - 1;
    struct expression__ask ask;
    expression__ask_begin(&ask, expression, values, world);
    expression__ask_nodes(&ask, 0, expression->node_count);
    *number = expression__real_of(ask.known[root]);
    return !ask.unknown[root];
}

/* ---- why a condition does not hold: it is taken apart along "and", "not", "all" and "any", down to the
 * parts that are otherwise than they should be, for the elements for which they are. And what it rests on,
 * whether it holds or not: the same way down, to the comparison that decides */

struct explanation {
    struct expression__ask ask;
    const struct cor_expression *expression;
    struct cor_breaches *breaches;
    struct cor_breach here; /* the bindings that hold at present */
    uint32_t whole;         /* COR_NONE, or the part that is said, where one within it only says of whom */
    bool whole_is_wanted;
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
    const int64_t known = e->ask.known[index];
    for (uint32_t i = 0; i < breach->value_count && !is_said; i++)
        is_said = breach->values[i].text.length == span.length && breach->values[i].type == node->type &&
                  memcmp(breach->values[i].text.at, span.at, span.length) == 0;
    if (is_said)
        return;
    struct cor_value value = node->type == COR_NODE_REAL   ? cor_real(expression__real_of(known))
                             : node->type == COR_NODE_WORD ? cor_word((uint32_t)known)
                                                           : cor_integer(known);
    breach->values[breach->value_count++] = (struct cor_breach_value){span, value, node->type, node->element};
}

/* The one count with a filter that the number hangs on; COR_NONE: there is none, or several. */
static uint32_t find_count(const struct explanation *e, uint32_t index) {
    const struct cor_node *node = &e->ask.nodes[index];
    const enum cor_operator kind = node->operator;
    if (kind == COR_OPERATOR_COUNT && node->left != node->variable)
        return index;
    if (kind < COR_OPERATOR_NEGATE || kind > COR_OPERATOR_TO_REAL)
        return COR_NONE;
    const uint32_t left = find_count(e, node->left);
    const bool is_unary =
        kind == COR_OPERATOR_NEGATE || kind == COR_OPERATOR_ABS || kind == COR_OPERATOR_TO_REAL;
    const uint32_t right = is_unary ? COR_NONE : find_count(e, node->right);
    return left == COR_NONE ? right : right == COR_NONE ? left : COR_NONE;
}

/* Whom the query counts, the first of them; `value` is what the breach says of their number. */
static void add_counted(struct explanation *e, uint32_t index, uint32_t value, struct cor_breach *breach) {
    const struct cor_node *query = &e->ask.nodes[index];
    const uint32_t start = query->variable, first = breach->counted_count;
    struct expression__range range;
    bool is_left_out = false;
    if (!expression__ask_range(&e->ask, &e->ask.nodes[start], &range))
        return;
    for (uint32_t i = 0; i < range.count && !is_left_out; i++) {
        if ((is_left_out = e->ask.steps < index - start))
            break;
        e->ask.steps -= index - start;
        if (!expression__ask_bind(&e->ask, start, &range, i))
            continue;
        expression__ask_nodes(&e->ask, start + 1, index);
        if (expression__ask_share(&e->ask, query) != EXPRESSION__COUNTED)
            continue;
        is_left_out = breach->counted_count == COR_BREACH_COUNTED;
        if (!is_left_out)
            breach->counted[breach->counted_count++] =
                (struct cor_counted){value, e->ask.nodes[start].element, (uint32_t)e->ask.known[start]};
    }
    if (breach->counted_count > first)
        breach->counts_more = is_left_out;
}

/* A value that is compared, and whom it counts. */
static void add_side(struct explanation *e, uint32_t index, struct cor_breach *breach) {
    const uint32_t value = breach->value_count, count = e->is_full ? COR_NONE : find_count(e, index);
    add_value(e, index, breach);
    if (breach->value_count > value && count != COR_NONE)
        add_counted(e, count, value, breach);
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
static void add_values(struct explanation *e, uint32_t index, struct cor_breach *breach) {
    const struct cor_node *node = &e->ask.nodes[index];
    const enum cor_operator kind = node->operator;
    const bool is_query = kind == COR_OPERATOR_ALL || kind == COR_OPERATOR_ANY || kind == COR_OPERATOR_ONE;
    const bool is_comparison = expression__is_comparison(node),
               joins = is_comparison && e->ask.nodes[node->left].type == COR_NODE_TRUTH && !e->is_full;
    if (is_comparison && !joins) {
        const bool is_turned = written_at(e, node->right) < written_at(e, node->left);
        add_side(e, is_turned ? node->right : node->left, breach);
        add_side(e, is_turned ? node->left : node->right, breach);
        if (e->is_full) {
            add_terms(e, node->left, breach);
            add_terms(e, node->right, breach);
        }
    } else if (joins || kind == COR_OPERATOR_AND || kind == COR_OPERATOR_OR || kind == COR_OPERATOR_NOT) {
        add_values(e, node->left, breach);
        if (kind != COR_OPERATOR_NOT)
            add_values(e, node->right, breach);
    } else if (kind == COR_OPERATOR_ONE && !e->is_full) {
        add_counted(e, index, COR_NONE, breach);
    } else if (e->is_full && !is_query && e->expression->spans[index].at != breach->part.at) {
        add_value(e, index, breach);
    }
}

static void add_breach(struct explanation *e, uint32_t index, bool is_wanted) {
    if (e->breaches->count++ >= COR_BREACHES_KEPT)
        return;
    struct cor_breach *breach = &e->breaches->kept[e->breaches->kept_count++];
    *breach = e->here;
    breach->part = e->expression->spans[e->whole == COR_NONE ? index : e->whole];
    breach->is_wanted = e->whole == COR_NONE ? is_wanted : e->whole_is_wanted;
    add_values(e, index, breach);
    if (e->whole != COR_NONE)
        add_values(e, e->whole, breach);
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

/* Why the sides first .. last, one or both of the node, are not what they should be, if that names somebody;
 * else it adds nothing. */
static bool explain_naming(struct explanation *e, uint32_t first, uint32_t last, bool is_wanted) {
    struct cor_breaches *breaches = e->breaches;
    const uint64_t count = breaches->count;
    const uint32_t kept_count = breaches->kept_count;
    explain(e, first, is_wanted);
    if (last != first)
        explain(e, last, is_wanted);
    for (uint32_t i = kept_count; i < breaches->kept_count; i++)
        if (breaches->kept[i].binding_count > 0)
            return true;
    breaches->count = count;
    breaches->kept_count = kept_count;
    return false;
}

/* Of conditions that "or", "implies", "xor" or "==" joins, where nothing is bound yet: whom they are about.
 * Two that should not be alike, or of which one would do, are each a reason. Of "implies", and of two that
 * should be alike, it is the one that does not hold; if it names nobody, those who make the other one hold.
 */
static bool explain_sides(struct explanation *e, uint32_t index, bool is_wanted) {
    const struct cor_node *node = &e->ask.nodes[index], *left_side = &e->ask.nodes[node->left];
    const enum cor_operator kind = node->operator;
    const bool is_or = kind == (is_wanted ? COR_OPERATOR_OR : COR_OPERATOR_AND),
               is_compared = (kind == COR_OPERATOR_EQUAL || kind == COR_OPERATOR_NOT_EQUAL) &&
                             left_side->type == COR_NODE_TRUTH,
               is_implied =
                   is_or && left_side->operator== COR_OPERATOR_NOT && !e->expression->spans[node->left].at;
    if (e->here.binding_count > 0 || (!is_or && !is_compared) || e->ask.unknown[node->left] ||
        e->ask.unknown[node->right])
        return false;
    const bool left = e->ask.known[node->left] != 0, right = e->ask.known[node->right] != 0;
    if (left == right && !is_implied)
        return explain_naming(e, node->left, node->right, !left);
    const uint32_t premise = is_implied ? left_side->left
                             : left     ? node->left
                                        : node->right,
                   failing = is_implied || left ? node->right : node->left;
    if (explain_naming(e, failing, failing, true))
        return true;
    const uint32_t outer = e->whole;
    if (outer == COR_NONE) {
        e->whole = index;
        e->whole_is_wanted = is_wanted;
    }
    const bool is_named = explain_naming(e, premise, premise, false);
    e->whole = outer;
    return is_named;
}

/* A condition that joins others without words of their own, as "x in ('a', 'b')" and "not in" do: it is told
 * as one. */
static bool is_told_as_one(const struct explanation *e, const struct cor_node *node) {
    const enum cor_operator kind = node->operator;
    if (kind != COR_OPERATOR_NOT && kind != COR_OPERATOR_AND && kind != COR_OPERATOR_OR)
        return false;
    const struct cor_node *left = &e->ask.nodes[node->left];
    const bool is_implied = left->operator== COR_OPERATOR_NOT && kind != COR_OPERATOR_NOT;
    return !e->expression->spans[node->left].at && !(is_implied && e->expression->spans[left->left].at);
}

/* Of a part that is known, and is not what is wanted. */
static void explain(struct explanation *e, uint32_t index, bool is_wanted) {
    const struct cor_node *node = &e->ask.nodes[index];
    const enum cor_operator kind = node->operator;
    if (!e->is_full && explain_sides(e, index, is_wanted))
        return;
    if (is_told_as_one(e, node)) {
        add_breach(e, index, is_wanted);
    } else if (kind == COR_OPERATOR_NOT) {
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
    struct explanation e = {
        .expression = expression, .breaches = breaches, .whole = COR_NONE, .is_full = is_full};
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
    bool is_lost;
    ground->slack = is_wanted ? slack : -slack;
    ground->is_close = is_edge(&e->ask, node, &is_lost);
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
                        struct cor_deciding_part *ground) {
    const struct cor_node *node = &e->ask.nodes[index];
    const enum cor_operator kind = node->operator;
    if (kind == COR_OPERATOR_NOT) {
        find_ground(e, node->left, !is_wanted, ground);
    } else if (kind == COR_OPERATOR_ALL || kind == COR_OPERATOR_ANY) {
        /* Over all elements that the filter lets through: with it unknown the body decides only where it does
         * so alone. */
        const bool needs_all = (kind == COR_OPERATOR_ALL) == is_wanted;
        const uint32_t start = node->variable, end = (uint32_t)e->ask.nodes[start].constant;
        struct expression__range range;
        ground_here(e, index, is_wanted, ground);
        if (expression__ask_range(&e->ask, &e->ask.nodes[start], &range)) {
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
                const bool has_filter = node->left != start,
                           is_open = has_filter && e->ask.unknown[node->left];
                if (has_filter && !is_open && !is_known_as(e, node->left, true))
                    continue;
                e->here.bindings[depth] = (struct cor_binding){
                    e->expression->spans[start], e->ask.nodes[start].element, (uint32_t)e->ask.known[start]};
                find_ground(e, node->right, is_wanted, &found);
                if (is_open && found.truth != (needs_all ? COR_TRUTH_TRUE : COR_TRUTH_FALSE))
                    found.truth = COR_TRUTH_UNKNOWN;
                if (is_first || (needs_all ? is_nearer(&found, ground) : is_nearer(ground, &found)))
                    *ground = found;
                is_first = false;
            }
            e->here.binding_count = depth;
        }
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
    if (is_told_as_one(e, node)) {
        ground->at.part = e->expression->spans[index];
        ground->at.is_wanted = is_wanted;
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

/* Whom a value counts, or with COR_NONE the part: "agent 1, agent 2", and where there are more ", ..". */
static size_t put_counted(const struct cor_breach *breach, uint32_t value, const struct cor_scope *scope,
                          const char *begin, const char *end, char *text, size_t size) {
    char element[400];
    size_t length = 0;
    for (uint32_t i = 0; i < breach->counted_count; i++) {
        const struct cor_counted *counted = &breach->counted[i];
        if (counted->value != value)
            continue;
        element_text(scope, counted->type, counted->element, element, sizeof element);
        ADD("%s%s", length == 0 ? begin : ", ", element);
    }
    const bool ends = breach->counted_count > 0 && breach->counted[breach->counted_count - 1].value == value;
    if (length > 0)
        ADD("%s%s", ends && breach->counts_more ? ", .." : "", end);
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
        if (length < size)
            length += put_counted(breach, i, scope, " (", ")", text + length, size - length);
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
    if (length < size)
        length += put_counted(breach, COR_NONE, scope, ": it is so of ", "", text + length, size - length);
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
