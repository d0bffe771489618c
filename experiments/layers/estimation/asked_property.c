/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is estimated is that a sequence satisfies the formula of a property: followed case by case, also along
 * trajectories that go on from an entry, which keeps what the property took of each case before it. */
#include "internal.h"

#include <corridor/array.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum cor_status estimation_layer__property_read(const char *text, const char *place,
                                                struct cor_property **property, struct cor_error *error) {
    const char *cause = NULL, *remedy = NULL;
    COR_TRY(cor_property_parse(text, place, property, error));
    if (!cor_property_formula(*property)) {
        cause = "is no property of the form P [ formula ]";
        remedy = "corridor decide estimates E, Q and S";
    } else if (cor_property_relation(*property) != COR_PROPERTY_NO_RELATION) {
        cause = "claims something";
        remedy = "P [ formula ], without a bound; corridor decide decides claims";
    }
    if (!cause)
        return COR_OK;
    cor_property_destroy(*property);
    *property = NULL;
    return cor_fail(error, COR_STATUS_INPUT, place, remedy, "\"%.160s\" %s", text, cause);
}

void estimation_layer__property_restart(struct estimation_layer__executor *x) {
    if (!x->property)
        return;
    cor_property_restart(x->property);
    x->trail.count = 0;
}

enum cor_status estimation_layer__property_restore(struct estimation_layer__executor *x, uint32_t from,
                                                   uint32_t entry, struct cor_error *error) {
    if (!x->property)
        return COR_OK;
    const struct estimation_layer__trail *trail = &x->trails[from][entry];
    const size_t width = cor_property_width(x->property);
    COR_TRY(COR_RESERVE(&x->trail.taken, &x->trail.capacity, trail->count * width, error));
    memcpy(x->trail.taken, trail->taken, trail->count * width);
    x->trail.count = trail->count;
    cor_property_restart(x->property);
    for (uint32_t c = 0; c < trail->count; c++)
        COR_TRY(cor_property_retake(x->property, trail->taken + c * width, error));
    return COR_OK;
}

enum cor_status estimation_layer__property_save(struct estimation_layer__executor *x, uint32_t to,
                                                uint32_t entry, struct cor_error *error) {
    if (!x->property)
        return COR_OK;
    struct estimation_layer__trail *trail = &x->trails[to][entry];
    const size_t size = x->trail.count * cor_property_width(x->property);
    COR_TRY(COR_RESERVE(&trail->taken, &trail->capacity, size, error));
    memcpy(trail->taken, x->trail.taken, size);
    trail->count = x->trail.count;
    return COR_OK;
}

static struct cor_property_measures measures_of(const struct estimation_layer__executor *x,
                                                const struct estimation_layer__side *side,
                                                const struct cor_case_row *row,
                                                const struct cor_reorganization_row *reorganization) {
    struct cor_property_measures measures = {(double)row->dissimilarity, (double)row->dissimilarity,
                                             side->suite->configuration->threshold};
    if (x->estimation->experiment->text_corridor)
        measures.threshold = NAN; /* what it says has none */
    if (reorganization && reorganization->inside_after != COR_INSIDE_NOT_LOOKED)
        measures.left = reorganization->dissimilarity_after;
    return measures;
}

/* Minus the cases that are lacking, and less than one more by the degree (Arcuri 2010: d / (1 + d)). */
static double height_of(const struct cor_property_distance *distance) {
    const double part = isinf(distance->degree) ? 1 : distance->degree / (1 + distance->degree);
    return -((double)distance->cases + part);
}

enum cor_status estimation_layer__property_case(struct estimation_layer__executor *x,
                                                struct estimation_layer__side *side,
                                                struct estimation_layer__outcome *outcome,
                                                struct cor_error *error) {
    const size_t cases = side->base.rows[COR_TABLE_CASES],
                 reorganizations = side->base.rows[COR_TABLE_REORGANIZATIONS];
    const size_t width = cor_property_width(x->property);
    COR_ASSERT(cor_record_size(side->record, COR_TABLE_CASES) == cases + 1);
    const struct cor_case_row *row = cor_record_at(side->record, COR_TABLE_CASES, cases);
    const struct cor_reorganization_row *reorganization =
        cor_record_size(side->record, COR_TABLE_REORGANIZATIONS) > reorganizations
            ? cor_record_at(side->record, COR_TABLE_REORGANIZATIONS, reorganizations)
            : NULL;
    COR_TRY(cor_property_take(x->property, row, reorganization, error));
    COR_TRY(COR_RESERVE(&x->trail.taken, &x->trail.capacity, (x->trail.count + 1) * width, error));
    memcpy(x->trail.taken + x->trail.count++ * width, cor_property_taken(x->property), width);
    const struct cor_property_value now = cor_property_now(x->property);
    outcome->height = -INFINITY;
    outcome->fails = now.decided > 0;
    outcome->matches = outcome->fails && now.value > 0;
    if (outcome->fails)
        return COR_OK;
    const struct cor_property_measures measures = measures_of(x, side, row, reorganization);
    const uint32_t left = cor_sequence_walk(side->runner)->case_count - cor_sequence_executed(side->runner);
    struct cor_property_distance distance;
    COR_TRY(cor_property_distance(x->property, &measures, left, &distance, error));
    outcome->fails = distance.cases == COR_PROPERTY_NEVER;
    outcome->height = height_of(&distance);
    return COR_OK;
}

void estimation_layer__property_end(const struct estimation_layer__executor *x,
                                    struct estimation_layer__outcome *outcome) {
    const struct cor_property_value now = cor_property_now(x->property);
    outcome->fails = true;
    outcome->matches = now.value > 0; /* unknown is not satisfied */
}
