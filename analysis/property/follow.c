/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A property along sequences that part: cases are taken one after the other, kept as what its conditions were
 * in them, and taken again where a sequence goes on from; and how far the formula is from holding. */
#include "internal.h"

#include <corridor/world.h>

#include <math.h>
#include <string.h>

/* Degrees are counted in so many parts of 1, and a condition that does not hold lacks one at least. */
#define PARTS (UINT64_C(1) << 20)
#define LEAST (1 / (double)PARTS)

static const struct cor_world nothing = {0};

enum cor_status cor_property_begin(struct cor_property *property, struct cor_error *error) {
    return property__begin(property, error);
}

void cor_property_restart(struct cor_property *property) {
    COR_ASSERT(property->temporal && property->watch);
    cor_temporal_restart(property->watch);
    property->taken = 0;
    property->is_cut = false;
}

enum cor_status cor_property_take(struct cor_property *property, const struct cor_case_rows *rows,
                                  struct cor_error *error) {
    return property__take(property, rows, error);
}

struct cor_property_value cor_property_now(const struct cor_property *property) {
    return property__now(property);
}

size_t cor_property_width(const struct cor_property *property) {
    return property->condition_count;
}

const uint8_t *cor_property_taken(const struct cor_property *property) {
    return property->states;
}

enum cor_status cor_property_retake(struct cor_property *property, const uint8_t *states,
                                    struct cor_error *error) {
    property->taken++;
    memcpy(property->states, states, property->condition_count);
    return cor_temporal_step(property->watch, property->states, error);
}

static double from_parts(uint64_t degree) {
    return degree == COR_DEGREE_INFINITE ? INFINITY : (double)degree / (double)PARTS;
}

/* How far a column that is true or false is from being otherwise: 1, but where the invariant and the alarm
 * hang on a measure with a threshold the way to that. */
static double off_of(const struct cor_property *property, uint32_t column,
                     const struct cor_property_measures *measures) {
    const char *name = property->columns.items[column].name;
    const double off = column == PROPERTY__INSIDE   ? fabs(measures->left - measures->threshold)
                       : strcmp(name, "alarm") == 0 ? fabs(measures->found - measures->threshold)
                                                    : 1;
    return isnan(off) ? 1 : off > LEAST ? off : LEAST;
}

static struct cor_temporal_degrees degrees_of(const struct cor_property *property,
                                              const struct property__condition *condition,
                                              const struct cor_property_measures *measures) {
    const struct property__columns *columns = &property->columns;
    if (condition->column == COR_NONE) {
        uint64_t of, of_denial;
        cor_expression_degrees_in(&condition->comparison, columns->values, &nothing, PARTS, &of, &of_denial);
        return (struct cor_temporal_degrees){from_parts(of), from_parts(of_denial)};
    }
    const struct cor_value *value = &columns->values[condition->column];
    if (!columns->items[condition->column].is_read || value->kind == COR_VALUE_NULL)
        return (struct cor_temporal_degrees){INFINITY, INFINITY};
    const double off = off_of(property, condition->column, measures);
    return value->as.integer != 0 ? (struct cor_temporal_degrees){0, off}
                                  : (struct cor_temporal_degrees){off, 0};
}

enum cor_status cor_property_distance(struct cor_property *property,
                                      const struct cor_property_measures *measures, uint32_t left,
                                      struct cor_property_distance *distance, struct cor_error *error) {
    struct cor_temporal_distance found;
    COR_ASSERT(property->temporal);
    for (uint32_t c = 0; c < property->condition_count; c++)
        property->degrees[c] = degrees_of(property, &property->conditions[c], measures);
    COR_TRY(cor_temporal_distance(property->watch, property->degrees, left, &found, error));
    *distance = (struct cor_property_distance){
        found.states == COR_TEMPORAL_NEVER ? COR_PROPERTY_NEVER : found.states, found.degree};
    return COR_OK;
}
