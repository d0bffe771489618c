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
    free(property->numbers);
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

struct cor_real_range cor_property_range(const struct cor_property *property,
                                         const struct cor_property_limits *limits) {
    struct cor_real_range columns[PROPERTY__OWN + 2 * COR_COLUMNS_MAX];
    if (property->temporal)
        return (struct cor_real_range){0, 1};
    for (uint32_t c = 0; c < property->columns.count; c++)
        columns[c] = property__column_range(&property->columns, c, limits);
    struct cor_real_range range = cor_expression_real_range(&property->number, columns);
    if (property->amount == COR_PROPERTY_SUM && property->kind != COR_PROPERTY_STEADY) { /* of 1 .. cases */
        range.low = fmin(range.low, range.low == 0 ? 0 : range.low * limits->cases);
        range.high = fmax(range.high, range.high == 0 ? 0 : range.high * limits->cases);
    }
    return range;
}

enum cor_status property__begin(struct cor_property *property, struct cor_error *error) {
    property->so_far = property->amount == COR_PROPERTY_MAX   ? -INFINITY
                       : property->amount == COR_PROPERTY_MIN ? INFINITY
                       : property->amount == COR_PROPERTY_AT  ? (double)NAN
                                                              : 0;
    property->taken = 0;
    property->is_unknown = property->is_cut = false;
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

static enum cor_status take_number(struct cor_property *property, struct cor_error *error) {
    double number;
    if (!cor_expression_reckon(&property->number, property->columns.values, &nothing, &number))
        number = NAN;
    const bool counts = property->amount != COR_PROPERTY_AT || property->taken == property->at;
    if (!counts)
        return COR_OK;
    if (property->kind == COR_PROPERTY_STEADY) {
        COR_TRY(COR_RESERVE(&property->numbers, &property->capacity, property->taken, error));
        property->numbers[property->taken - 1] = number;
    }
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
    return COR_OK;
}

static void find_states(struct cor_property *property) {
    for (uint32_t c = 0; c < property->condition_count; c++)
        property->states[c] = state_of(property, &property->conditions[c]);
}

enum cor_status property__take(struct cor_property *property, const struct cor_case_rows *rows,
                               struct cor_error *error) {
    property__columns_take(&property->columns, rows);
    property->taken++;
    property->is_stopped = cor_is_detection(rows->row->black);
    if (!property->temporal)
        return take_number(property, error);
    find_states(property);
    return cor_temporal_step(property->watch, property->states, error);
}

struct cor_property_value property__now(const struct cor_property *property) {
    struct cor_property_value now = {.value = NAN, .is_cut = property->is_cut};
    if (property->temporal) {
        const uint64_t at = cor_temporal_decided_at(property->watch);
        const enum cor_temporal_value verdict = cor_temporal_verdict(property->watch);
        now.decided = at == COR_TEMPORAL_OPEN ? 0 : (uint32_t)at + 1;
        if (verdict != COR_TEMPORAL_UNKNOWN && (now.decided > 0 || !property->is_cut))
            now.value = verdict == COR_TEMPORAL_HOLDS;
        return now;
    }
    const uint32_t least = property->amount == COR_PROPERTY_AT ? property->at : 1;
    const bool is_cut = property->is_cut && property->amount != COR_PROPERTY_AT;
    if (property->is_unknown || is_cut || property->taken < least)
        return now;
    if (property->kind == COR_PROPERTY_STEADY) {
        if (property->is_stopped)
            return now;
        now.numbers = property->numbers;
        now.number_count = property->taken;
    }
    now.value = property->amount == COR_PROPERTY_MEAN ? property->so_far / property->taken : property->so_far;
    return now;
}

/* How many of its cases are to be taken. A mechanism works behind its case, which is whole; in that of a
 * monitor that failed nobody says whether there is an alarm. */
static size_t whole_cases(const struct cor_case_tables *rows, bool *is_cut) {
    size_t count = rows->case_count;
    *is_cut = false;
    for (size_t v = 0; v < rows->violation_count; v++) {
        if (!cor_is_foreign_smoke(rows->violations[v].check))
            continue;
        *is_cut = true;
        while (rows->violations[v].check == COR_CHECK_MONITOR_SMOKE && count > 0 &&
               rows->cases[count - 1].case_ >= rows->violations[v].case_)
            count--;
    }
    return count;
}

enum cor_status cor_property_ask(struct cor_property *property, const struct cor_case_tables *rows,
                                 struct cor_property_value *value, struct cor_error *error) {
    struct cor_case_cursor cursor = {0};
    COR_TRY(property__begin(property, error));
    const size_t count = whole_cases(rows, &property->is_cut);
    for (size_t c = 0; c < count; c++) {
        const struct cor_case_rows of_case = cor_case_at(rows, c, &cursor);
        COR_TRY(property__take(property, &of_case, error));
        if (property->temporal && cor_temporal_decided_at(property->watch) != COR_TEMPORAL_OPEN)
            break;
    }
    *value = property__now(property);
    return COR_OK;
}

enum cor_status cor_property_reasons(struct cor_property *property, const struct cor_case_tables *rows,
                                     char **lines, struct cor_error *error) {
    const size_t width = property->condition_count;
    struct cor_property_value value;
    struct cor_temporal_reason *reasons = NULL;
    struct cor_case_cursor cursor = {0};
    size_t reason_count;
    bool is_enough;
    enum cor_status status = COR_OK;
    COR_ASSERT(property->temporal);
    *lines = NULL;
    COR_TRY(cor_property_ask(property, rows, &value, error));
    const size_t count = value.decided > 0 ? value.decided : rows->case_count;
    uint8_t *states = cor_calloc(count * width + 1, 1);
    COR_TRY_OUT(cor_made(states, error));
    for (size_t c = 0; c < count; c++) {
        const struct cor_case_rows of_case = cor_case_at(rows, c, &cursor);
        property__columns_take(&property->columns, &of_case);
        find_states(property);
        memcpy(states + c * width, property->states, width);
    }
    COR_TRY_OUT(cor_temporal_reasons(property->temporal, states, width, count, value.decided > 0, &reasons,
                                     &reason_count, &is_enough, error));
    for (size_t r = 0; r < reason_count; r++) {
        char words[1024];
        cor_temporal_reason_text(&reasons[r], property->formula, property->names, "case", 1, words,
                                 sizeof words);
        *lines = *lines ? cor_join_take(*lines, "\n", cor_strdup(words)) : cor_strdup(words);
        COR_TRY_OUT(cor_made(*lines, error));
    }
out:
    free(states);
    free(reasons);
    return status;
}
