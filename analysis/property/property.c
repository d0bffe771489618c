/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A property asked of the cases of a sequence, one after the other. */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/world.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct cor_world nothing = {0};

void cor_property_destroy(struct cor_property *property) {
    if (!property)
        return;
    cor_temporal_watch_destroy(property->watch);
    cor_temporal_destroy(property->temporal);
    for (uint32_t c = 0; c < property->condition_count; c++) {
        cor_expression_fini(&property->conditions[c].comparison);
        free(property->conditions[c].name);
    }
    free(property->conditions);
    free(property->names);
    free(property->states);
    free(property->degrees);
    cor_expression_fini(&property->number);
    property__columns_fini(&property->columns);
    free(property->formula);
    free(property->text);
    free(property);
}

const char *cor_property_text(const struct cor_property *property) {
    return property->text;
}

enum cor_property_kind cor_property_kind(const struct cor_property *property) {
    return property->kind;
}

enum cor_property_relation cor_property_relation(const struct cor_property *property) {
    return property->relation;
}

double cor_property_bound(const struct cor_property *property) {
    return property->bound;
}

double cor_property_quantile(const struct cor_property *property) {
    return property->quantile;
}

const char *cor_property_formula(const struct cor_property *property) {
    return property->formula;
}

enum cor_status property__begin(struct cor_property *property, struct cor_error *error) {
    property->so_far = property->amount == COR_PROPERTY_MAX   ? -INFINITY
                       : property->amount == COR_PROPERTY_MIN ? INFINITY
                       : property->amount == COR_PROPERTY_AT  ? (double)NAN
                                                              : 0;
    property->taken = 0;
    property->is_unknown = false;
    if (!property->temporal)
        return COR_OK;
    cor_temporal_watch_destroy(property->watch);
    property->watch = NULL;
    return cor_temporal_watch_create(property->temporal, &property->watch, error);
}

static uint8_t state_of(const struct cor_property *property, const struct property__condition *condition) {
    const struct property__columns *columns = &property->columns;
    enum cor_truth truth;
    if (condition->column == COR_NONE)
        truth = cor_expression_ask(&condition->comparison, columns->values, &nothing, NULL);
    else if (columns->values[condition->column].kind == COR_VALUE_NULL)
        truth = COR_TRUTH_UNKNOWN;
    else
        truth = columns->values[condition->column].as.integer != 0 ? COR_TRUTH_TRUE : COR_TRUTH_FALSE;
    return truth == COR_TRUTH_TRUE    ? COR_TEMPORAL_HOLDS
           : truth == COR_TRUTH_FALSE ? COR_TEMPORAL_VIOLATED
                                      : COR_TEMPORAL_UNKNOWN;
}

static void take_number(struct cor_property *property) {
    double number;
    if (!cor_expression_reckon(&property->number, property->columns.values, &nothing, &number))
        number = NAN;
    const bool counts = property->amount != COR_PROPERTY_AT || property->taken == property->at;
    if (!counts)
        return;
    property->is_unknown = property->is_unknown || isnan(number);
    switch (property->amount) {
    case COR_PROPERTY_MEAN:
    case COR_PROPERTY_SUM:
        property->so_far += number;
        break;
    case COR_PROPERTY_MAX:
        property->so_far = number > property->so_far ? number : property->so_far;
        break;
    case COR_PROPERTY_MIN:
        property->so_far = number < property->so_far ? number : property->so_far;
        break;
    case COR_PROPERTY_AT:
        property->so_far = number;
    }
}

enum cor_status property__take(struct cor_property *property, const struct cor_case_row *row,
                               const struct cor_reorganization_row *reorganization, struct cor_error *error) {
    property__columns_take(&property->columns, row, reorganization);
    property->taken++;
    if (!property->temporal) {
        take_number(property);
        return COR_OK;
    }
    for (uint32_t c = 0; c < property->condition_count; c++)
        property->states[c] = state_of(property, &property->conditions[c]);
    return cor_temporal_step(property->watch, property->states, error);
}

struct cor_property_value property__now(const struct cor_property *property) {
    struct cor_property_value now = {.value = NAN};
    if (property->temporal) {
        const uint64_t at = cor_temporal_decided_at(property->watch);
        const enum cor_temporal_value verdict = cor_temporal_verdict(property->watch);
        now.decided = at == COR_TEMPORAL_OPEN ? 0 : (uint32_t)at + 1;
        if (verdict != COR_TEMPORAL_UNKNOWN)
            now.value = verdict == COR_TEMPORAL_HOLDS;
        return now;
    }
    const uint32_t least = property->amount == COR_PROPERTY_AT ? property->at : 1;
    if (property->is_unknown || property->taken < least)
        return now;
    now.value = property->amount == COR_PROPERTY_MEAN ? property->so_far / property->taken : property->so_far;
    return now;
}

enum cor_status cor_property_ask(struct cor_property *property, const struct cor_property_rows *rows,
                                 struct cor_property_value *value, struct cor_error *error) {
    size_t next = 0;
    COR_TRY(property__begin(property, error));
    for (size_t c = 0; c < rows->case_count; c++) {
        const struct cor_case_row *row = &rows->cases[c];
        const struct cor_reorganization_row *reorganization = NULL;
        while (next < rows->reorganization_count && rows->reorganizations[next].case_ < row->case_)
            next++;
        if (next < rows->reorganization_count && rows->reorganizations[next].case_ == row->case_)
            reorganization = &rows->reorganizations[next];
        COR_TRY(property__take(property, row, reorganization, error));
        if (property->temporal && cor_temporal_decided_at(property->watch) != COR_TEMPORAL_OPEN)
            break;
    }
    *value = property__now(property);
    return COR_OK;
}
