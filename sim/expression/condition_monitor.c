/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A table for each query over all elements that is a part of the condition: how each element counts, a row.
 * Queries over all elements within it have a table of pairs: how each element counts in each row. */
#include <corridor/condition_monitor.h>

#include "ask.h"

#include <corridor/array.h>

#define TABLES_MAX 16
#define PAIR_ELEMENTS_MAX 1024u /* a table of pairs for more is too large: all is asked anew */

/* What a change of an attribute of an element does to a table: asks again of its row, of its place in all
 * rows, of all. */
enum effect { OF_ROW = 1, OF_PAIRS = 2, OF_ALL = 4 };

struct pairs {
    uint32_t start, end;           /* nodes: BIND and query */
    uint8_t *shares;               /* owned; [row][element] enum expression__share */
    uint32_t *counted, *uncertain; /* owned; [row] */
};

struct table {
    uint32_t start, end, filter_end; /* nodes; the filter is known once those before `filter_end` are */
    bool has_pairs_in_filter;
    struct pairs pairs[TABLES_MAX];
    uint32_t pairs_count;
    uint8_t *effects; /* owned; [key] enum effect, joined */

    uint8_t *shares;    /* owned; [element] */
    uint8_t *is_active; /* owned; [element] its pairs are kept: the filter is not false */
    struct expression__tally tally;

    /* What changed. */
    uint32_t *rows, *places; /* owned; elements, each once */
    uint8_t *is_row_noted, *is_place_noted;
    uint32_t row_count, place_count;
    bool is_all;
};

struct cor_monitor {
    const struct cor_expression *expression;
    const struct cor_value *values;
    uint32_t elements, attributes, keys;
    struct table *tables; /* owned */
    uint32_t table_count;
    bool *is_read; /* owned; [key] */
    bool is_dirty;
    enum cor_truth truth;
    struct expression__ask ask;
};

static uint32_t key_of(const struct cor_monitor *monitor, enum cor_monitored what, uint32_t index) {
    return what == COR_MONITORED_ATTRIBUTE ? index
           : what == COR_MONITORED_BEFORE  ? monitor->attributes + index
                                           : 2 * monitor->attributes + index;
}

/* ---- what is kept of which query */

static bool is_of_all(const struct cor_node *node) {
    return node->variable == COR_NONE &&
           (node->operator== COR_OPERATOR_BIND || node->operator== COR_OPERATOR_SIZE);
}

/* Constants, variables, and how many elements there are. */
static bool never_changes(const struct cor_node *node) {
    return node->operator== COR_OPERATOR_CONSTANT || node->operator==
        COR_OPERATOR_VARIABLE ||(node->operator== COR_OPERATOR_SIZE && is_of_all(node));
}

/* A query over all elements, of which it can be told how each counts. */
static bool is_over_all(const struct cor_node *nodes, uint32_t start) {
    const enum cor_operator kind = nodes[nodes[start].constant].operator;
    return nodes[start].operator== COR_OPERATOR_BIND && nodes[start].variable ==
        COR_NONE &&(kind == COR_OPERATOR_ALL || kind == COR_OPERATOR_ANY || kind == COR_OPERATOR_ONE ||
                    kind == COR_OPERATOR_COUNT);
}

/* Nodes that the node is reckoned from: how many there are, 0 to 2. */
static uint32_t operands_of(const struct cor_node *node, uint32_t operands[2]) {
    if (never_changes(node) || is_of_all(node))
        return 0;
    operands[0] = node->left;
    operands[1] = node->right;
    return 2;
}

/* Whether the nodes from `first` on use those before `start` only if these never change, and, if `row` is
 * one, those behind the row's BIND only if they hang on nothing but the row. */
static bool stands_alone(const struct cor_node *nodes, uint32_t start, uint32_t end, uint32_t row,
                         const bool *hangs_on_more) {
    uint32_t operands[2];
    for (uint32_t i = start; i <= end; i++)
        for (uint32_t o = operands_of(&nodes[i], operands); o-- > 0;) {
            const uint32_t used = operands[o];
            const bool is_of_row = row != COR_NONE && used >= row;
            if (used < start && !never_changes(&nodes[used]) && (!is_of_row || hangs_on_more[used]))
                return false;
        }
    return true;
}

/* The key that the node reads, COR_NONE if it reads none; *whose: the element. */
static uint32_t key_read(const struct cor_monitor *monitor, const struct cor_node *node, uint32_t *whose) {
    *whose = node->left;
    switch (node->operator) {
    case COR_OPERATOR_ATTRIBUTE:
        return key_of(monitor, COR_MONITORED_ATTRIBUTE, node->variable);
    case COR_OPERATOR_BEFORE:
        return key_of(monitor, COR_MONITORED_BEFORE, node->variable);
    case COR_OPERATOR_BIND:
    case COR_OPERATOR_IN:
    case COR_OPERATOR_SIZE:
        return node->variable == COR_NONE ? COR_NONE
                                          : key_of(monitor, COR_MONITORED_COLLECTION, node->variable);
    default:
        return COR_NONE;
    }
}

static enum cor_status make_table(struct cor_monitor *monitor, uint32_t start, struct cor_error *error) {
    const struct cor_node *nodes = monitor->expression->nodes;
    const uint32_t end = (uint32_t)nodes[start].constant, filter = nodes[end].left;
    struct table *table = &monitor->tables[monitor->table_count++];
    bool hangs_on_more[COR_EXPRESSION_NODES_MAX];
    *table = (struct table){
        .start = start, .end = end, .filter_end = (filter > start ? filter : start) + 1, .is_all = true};
    /* Which nodes of a row hang on more than its element: on queries, on what other elements have. */
    uint32_t operands[2];
    hangs_on_more[start] = false;
    for (uint32_t i = start + 1; i <= end; i++) {
        const enum cor_operator kind = nodes[i].operator;
        hangs_on_more[i] =
            kind >= COR_OPERATOR_COUNT || kind == COR_OPERATOR_BIND || kind == COR_OPERATOR_REFERENCE;
        for (uint32_t o = operands_of(&nodes[i], operands); o-- > 0;)
            hangs_on_more[i] =
                hangs_on_more[i] ||
                (operands[o] >= start ? hangs_on_more[operands[o]] : !never_changes(&nodes[operands[o]]));
    }
    for (uint32_t i = start + 1; i < end; i++) {
        if (nodes[i].operator!= COR_OPERATOR_BIND)
            continue;
        const uint32_t last = (uint32_t)nodes[i].constant;
        if (is_over_all(nodes, i) && table->pairs_count < TABLES_MAX &&
            monitor->elements <= PAIR_ELEMENTS_MAX && stands_alone(nodes, i, last, start, hangs_on_more)) {
            struct pairs *pairs = &table->pairs[table->pairs_count++];
            *pairs = (struct pairs){.start = i, .end = last};
            table->has_pairs_in_filter = table->has_pairs_in_filter || i < table->filter_end;
            const size_t elements = monitor->elements;
            pairs->shares = cor_calloc(elements * elements, 1);
            pairs->counted = cor_calloc(elements, sizeof *pairs->counted);
            pairs->uncertain = cor_calloc(elements, sizeof *pairs->uncertain);
            COR_TRY(!pairs->shares || !pairs->counted || !pairs->uncertain ? cor_fail_memory(error) : COR_OK);
        }
        i = last;
    }
    table->effects = cor_calloc(monitor->keys, 1);
    table->shares = cor_calloc(monitor->elements, 1);
    table->is_active = cor_calloc(monitor->elements, 1);
    table->rows = cor_calloc(monitor->elements, sizeof *table->rows);
    table->places = cor_calloc(monitor->elements, sizeof *table->places);
    table->is_row_noted = cor_calloc(monitor->elements, 1);
    table->is_place_noted = cor_calloc(monitor->elements, 1);
    if (!table->effects || !table->shares || !table->is_active || !table->rows || !table->places ||
        !table->is_row_noted || !table->is_place_noted)
        return cor_fail_memory(error);
    for (uint32_t i = start + 1, p = 0; i < end; i++) {
        uint32_t whose;
        const uint32_t key = key_read(monitor, &nodes[i], &whose);
        while (p < table->pairs_count && table->pairs[p].end < i)
            p++;
        const bool is_of_pair = p < table->pairs_count && whose == table->pairs[p].start;
        if (key != COR_NONE)
            table->effects[key] |= whose == start ? OF_ROW : is_of_pair ? OF_PAIRS : OF_ALL;
    }
    return COR_OK;
}

static enum cor_status make(struct cor_monitor *monitor, struct cor_error *error) {
    const struct cor_expression *expression = monitor->expression;
    monitor->tables = cor_calloc(TABLES_MAX, sizeof *monitor->tables);
    monitor->is_read = cor_calloc(monitor->keys, sizeof *monitor->is_read);
    if (!monitor->tables || !monitor->is_read)
        return cor_fail_memory(error);
    for (uint32_t i = 0; i < expression->node_count; i++) {
        uint32_t whose;
        const uint32_t key = key_read(monitor, &expression->nodes[i], &whose);
        if (key != COR_NONE)
            monitor->is_read[key] = true;
    }
    for (uint32_t i = 0; i < expression->node_count; i++) {
        if (expression->nodes[i].operator!= COR_OPERATOR_BIND)
            continue;
        const uint32_t last = (uint32_t)expression->nodes[i].constant;
        if (is_over_all(expression->nodes, i) && monitor->table_count < TABLES_MAX &&
            stands_alone(expression->nodes, i, last, COR_NONE, NULL))
            COR_TRY(make_table(monitor, i, error));
        i = last;
    }
    return COR_OK;
}

enum cor_status cor_monitor_create(const struct cor_expression *expression, const struct cor_shape *shape,
                                   const struct cor_value *values, const struct cor_world *world,
                                   struct cor_monitor **monitor, struct cor_error *error) {
    COR_ASSERT(expression->is_constraint && expression->spans && shape->type_count == 1);
    *monitor = NULL;
    struct cor_monitor *made = cor_calloc(1, sizeof *made);
    COR_TRY(cor_made(made, error));
    made->expression = expression;
    made->values = values;
    made->elements = world->populations[0].count;
    made->attributes = shape->types[0].attribute_count;
    made->keys = 2 * made->attributes + shape->types[0].collection_count;
    made->is_dirty = true;
    expression__ask_begin(&made->ask, expression, values, world);
    const enum cor_status status = make(made, error);
    if (status == COR_OK)
        *monitor = made;
    else
        cor_monitor_destroy(made);
    return status;
}

void cor_monitor_destroy(struct cor_monitor *monitor) {
    if (!monitor)
        return;
    for (uint32_t t = 0; t < monitor->table_count; t++) {
        struct table *table = &monitor->tables[t];
        for (uint32_t p = 0; p < table->pairs_count; p++) {
            COR_FREE(table->pairs[p].shares, table->pairs[p].counted, table->pairs[p].uncertain);
        }
        COR_FREE(table->effects, table->shares, table->is_active, table->rows, table->places,
                 table->is_row_noted, table->is_place_noted);
    }
    COR_FREE(monitor->tables, monitor->is_read, monitor);
}

/* ---- what changed */

bool cor_monitor_reads(const struct cor_monitor *monitor, enum cor_monitored what, uint32_t index) {
    return monitor->is_read[key_of(monitor, what, index)];
}

void cor_monitor_change(struct cor_monitor *monitor, enum cor_monitored what, uint32_t index,
                        uint32_t element) {
    const uint32_t key = key_of(monitor, what, index);
    monitor->is_dirty = monitor->is_dirty || monitor->is_read[key];
    for (uint32_t t = 0; t < monitor->table_count; t++) {
        struct table *table = &monitor->tables[t];
        const uint8_t effect = table->effects[key];
        if ((effect & OF_ROW) && !table->is_row_noted[element]) {
            table->is_row_noted[element] = 1;
            table->rows[table->row_count++] = element;
        }
        if ((effect & OF_PAIRS) && !table->is_place_noted[element]) {
            table->is_place_noted[element] = 1;
            table->places[table->place_count++] = element;
        }
        table->is_all = table->is_all || (effect & OF_ALL);
    }
}

void cor_monitor_forget(struct cor_monitor *monitor) {
    monitor->is_dirty = true;
    for (uint32_t t = 0; t < monitor->table_count; t++)
        monitor->tables[t].is_all = true;
}

/* ---- what is asked again */

static void put_answer(struct expression__ask *ask, uint32_t query, const struct expression__tally *tally) {
    ask->unknown[query] = !expression__conclude(&ask->nodes[query], tally, &ask->known[query]);
    ask->known[query] = ask->unknown[query] ? 0 : ask->known[query];
}

static void put_element(struct expression__ask *ask, uint32_t bind, uint32_t element) {
    ask->known[bind] = element;
    ask->unknown[bind] = false;
}

static void count_share(uint8_t share, uint32_t *counted, uint32_t *uncertain, uint32_t one) {
    *counted += share == EXPRESSION__COUNTED ? one : 0;
    *uncertain += share == EXPRESSION__UNCERTAIN ? one : 0;
}

/* The nodes of a row from .. end - 1; of pairs those of the places that changed, or all. */
static void ask_row_nodes(struct cor_monitor *monitor, struct table *table, uint32_t row, uint32_t from,
                          uint32_t end, bool is_whole) {
    struct expression__ask *ask = &monitor->ask;
    for (uint32_t p = 0; p < table->pairs_count; p++) {
        struct pairs *pairs = &table->pairs[p];
        if (pairs->start < from || pairs->start >= end)
            continue;
        expression__ask_nodes(ask, from, pairs->start);
        const uint32_t count = is_whole ? monitor->elements : table->place_count;
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t element = is_whole ? i : table->places[i];
            uint8_t *share = &pairs->shares[(size_t)row * monitor->elements + element];
            count_share(*share, &pairs->counted[row], &pairs->uncertain[row], UINT32_MAX); /* less one */
            put_element(ask, pairs->start, element);
            expression__ask_nodes(ask, pairs->start + 1, pairs->end);
            *share = (uint8_t)expression__ask_share(ask, &ask->nodes[pairs->end]);
            count_share(*share, &pairs->counted[row], &pairs->uncertain[row], 1);
        }
        put_answer(
            ask, pairs->end,
            &(struct expression__tally){.counted = pairs->counted[row], .uncertain = pairs->uncertain[row]});
        from = pairs->end + 1;
    }
    expression__ask_nodes(ask, from, end);
}

static void ask_row(struct cor_monitor *monitor, struct table *table, uint32_t row, bool is_whole) {
    struct expression__ask *ask = &monitor->ask;
    const struct cor_node *query = &ask->nodes[table->end];
    put_element(ask, table->start, row);
    ask_row_nodes(monitor, table, row, table->start + 1, table->filter_end, is_whole);
    table->is_active[row] = table->has_pairs_in_filter || query->left == table->start ||
                            ask->unknown[query->left] || ask->known[query->left] != 0;
    if (table->is_active[row])
        ask_row_nodes(monitor, table, row, table->filter_end, table->end, is_whole);
    count_share(table->shares[row], &table->tally.counted, &table->tally.uncertain, UINT32_MAX);
    table->shares[row] =
        (uint8_t)(table->is_active[row] ? expression__ask_share(ask, query) : EXPRESSION__OUT);
    count_share(table->shares[row], &table->tally.counted, &table->tally.uncertain, 1);
}

enum cor_truth cor_monitor_ask(struct cor_monitor *monitor) {
    struct expression__ask *ask = &monitor->ask;
    const uint32_t count = monitor->expression->node_count;
    uint32_t from = 0;
    if (!monitor->is_dirty)
        return monitor->truth;
    monitor->is_dirty = false;
    ask->steps = COR_ASK_STEPS;
    ask->extremes.start = COR_NONE;
    for (uint32_t t = 0; t < monitor->table_count; t++) {
        struct table *table = &monitor->tables[t];
        expression__ask_nodes(ask, from, table->start);
        for (uint32_t e = 0; e < monitor->elements && table->is_all; e++)
            ask_row(monitor, table, e, true);
        for (uint32_t i = 0; i < table->row_count && !table->is_all; i++)
            ask_row(monitor, table, table->rows[i], true);
        for (uint32_t e = 0; e < monitor->elements && !table->is_all && table->place_count > 0; e++)
            if (table->is_active[e] && !table->is_row_noted[e])
                ask_row(monitor, table, e, false);
        for (uint32_t i = 0; i < table->row_count; i++)
            table->is_row_noted[table->rows[i]] = 0;
        for (uint32_t i = 0; i < table->place_count; i++)
            table->is_place_noted[table->places[i]] = 0;
        table->row_count = table->place_count = 0;
        table->is_all = false;
        put_answer(&monitor->ask, table->end, &table->tally);
        from = table->end + 1;
    }
    expression__ask_nodes(ask, from, count);
    monitor->truth = ask->unknown[count - 1] ? COR_TRUTH_UNKNOWN
                     : ask->known[count - 1] ? COR_TRUTH_TRUE
                                             : COR_TRUTH_FALSE;
    return monitor->truth;
}
