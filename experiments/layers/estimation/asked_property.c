/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Properties that are followed case by case: one whose formula is to hold, and one whose distance is the
 * level. Also along trajectories that go on from an entry, which keeps what they took of each case before. */
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

bool estimation_layer__is_property(const char *text) {
    text += strspn(text, " ");
    return text[0] == 'P' && text[1 + strspn(text + 1, " ")] == '[';
}

enum cor_status estimation_layer__properties_create(struct estimation_layer__executor *x,
                                                    struct cor_error *error) {
    const struct cor_estimation *e = x->estimation;
    if (e->property)
        COR_TRY(estimation_layer__property_read(e->property, NULL, &x->property, error));
    if (e->property && e->guide && strcmp(e->property, e->guide) == 0)
        x->guide = x->property;
    else if (e->guide)
        COR_TRY(estimation_layer__property_read(e->guide, NULL, &x->guide, error));
    for (int i = 0; i < 2 && (x->property || x->guide) && e->method == COR_ESTIMATION_SPLITTING; i++)
        COR_TRY(cor_made(x->trails[i] = cor_calloc((size_t)e->effort, sizeof *x->trails[i]), error));
    return COR_OK;
}

void estimation_layer__properties_destroy(struct estimation_layer__executor *x) {
    for (int i = 0; i < 2; i++) {
        for (int64_t t = 0; x->trails[i] && t < x->estimation->effort; t++)
            free(x->trails[i][t].taken);
        free(x->trails[i]);
    }
    free(x->trail.taken);
    if (x->guide != x->property)
        cor_property_destroy(x->guide);
    cor_property_destroy(x->property);
}

/* Those that are followed, each once. */
static size_t followed(const struct estimation_layer__executor *x, struct cor_property *both[2]) {
    size_t count = 0;
    if (x->property)
        both[count++] = x->property;
    if (x->guide && x->guide != x->property)
        both[count++] = x->guide;
    return count;
}

/* Bytes that are taken of a case. */
static size_t width_of(struct cor_property *const *both, size_t count) {
    size_t width = 0;
    for (size_t p = 0; p < count; p++)
        width += cor_property_width(both[p]);
    return width;
}

enum cor_status estimation_layer__properties_begin(struct estimation_layer__executor *x,
                                                   struct cor_error *error) {
    struct cor_property *both[2];
    const size_t count = followed(x, both);
    for (size_t p = 0; p < count; p++)
        COR_TRY(cor_property_begin(both[p], error));
    return COR_OK;
}

void estimation_layer__properties_restart(struct estimation_layer__executor *x) {
    struct cor_property *both[2];
    const size_t count = followed(x, both);
    for (size_t p = 0; p < count; p++)
        cor_property_restart(both[p]);
    x->trail.count = 0;
}

enum cor_status estimation_layer__properties_restore(struct estimation_layer__executor *x, uint32_t from,
                                                     uint32_t entry, struct cor_error *error) {
    struct cor_property *both[2];
    const size_t count = followed(x, both), width = width_of(both, count);
    estimation_layer__properties_restart(x);
    if (count == 0)
        return COR_OK;
    const struct estimation_layer__trail *trail = &x->trails[from][entry];
    COR_TRY(COR_RESERVE(&x->trail.taken, &x->trail.capacity, trail->count * width, error));
    memcpy(x->trail.taken, trail->taken, trail->count * width);
    x->trail.count = trail->count;
    const uint8_t *taken = trail->taken;
    for (uint32_t c = 0; c < trail->count; c++)
        for (size_t p = 0; p < count; taken += cor_property_width(both[p++]))
            COR_TRY(cor_property_retake(both[p], taken, error));
    return COR_OK;
}

enum cor_status estimation_layer__properties_save(struct estimation_layer__executor *x, uint32_t to,
                                                  uint32_t entry, struct cor_error *error) {
    struct cor_property *both[2];
    const size_t count = followed(x, both), size = x->trail.count * width_of(both, count);
    if (count == 0)
        return COR_OK;
    struct estimation_layer__trail *trail = &x->trails[to][entry];
    COR_TRY(COR_RESERVE(&trail->taken, &trail->capacity, size, error));
    memcpy(trail->taken, x->trail.taken, size);
    trail->count = x->trail.count;
    return COR_OK;
}

static struct cor_property_measures measures_of(const struct estimation_layer__executor *x,
                                                const struct estimation_layer__side *side,
                                                const struct cor_case_rows *rows) {
    const struct cor_case_row *row = rows->row;
    const struct cor_reorganization_row *reorganization = rows->reorganization;
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

/* How far it is, if it is not fixed. */
static enum cor_status ask_distance(struct estimation_layer__executor *x, struct estimation_layer__side *side,
                                    const struct cor_property_measures *measures,
                                    struct estimation_layer__outcome *outcome, struct cor_error *error) {
    const uint32_t left = cor_sequence_walk(side->runner)->case_count - cor_sequence_executed(side->runner);
    struct cor_property_distance distance;
    if (x->property) {
        const struct cor_property_value now = cor_property_now(x->property);
        COR_TRY(cor_property_distance(x->property, measures, left, &distance, error));
        outcome->fails = now.decided > 0 || distance.cases == COR_PROPERTY_NEVER;
        outcome->matches = now.decided > 0 && now.value > 0;
    }
    if (!x->guide || outcome->fails)
        return COR_OK;
    if (x->guide != x->property)
        COR_TRY(cor_property_distance(x->guide, measures, left, &distance, error));
    if (distance.cases != COR_PROPERTY_NEVER)
        outcome->height = height_of(&distance);
    return COR_OK;
}

/* The rows of the case that was executed last; NULL: none. */
static const void *rows_from(const struct estimation_layer__side *side, enum cor_table table, size_t *count) {
    const size_t first = side->base.rows[table];
    *count = cor_record_size(side->record, (uint32_t)table) - first;
    return *count > 0 ? cor_record_at(side->record, (uint32_t)table, first) : NULL;
}

enum cor_status estimation_layer__properties_case(struct estimation_layer__executor *x,
                                                  struct estimation_layer__side *side,
                                                  struct estimation_layer__outcome *outcome,
                                                  struct cor_error *error) {
    struct cor_property *both[2];
    const size_t count = followed(x, both), width = width_of(both, count);
    outcome->height = -INFINITY;
    if (count == 0)
        return COR_OK;
    struct cor_case_tables tables = {.has_text = x->estimation->experiment->text_corridor != NULL};
    struct cor_case_cursor cursor = {0};
    tables.cases = rows_from(side, COR_TABLE_CASES, &tables.case_count);
    tables.reorganizations = rows_from(side, COR_TABLE_REORGANIZATIONS, &tables.reorganization_count);
    tables.violations = rows_from(side, COR_TABLE_VIOLATIONS, &tables.violation_count);
    tables.constraints = rows_from(side, COR_TABLE_CONSTRAINTS, &tables.constraint_count);
    COR_ASSERT(tables.case_count == 1);
    const struct cor_case_rows rows = cor_case_at(&tables, 0, &cursor);
    COR_TRY(COR_RESERVE(&x->trail.taken, &x->trail.capacity, (x->trail.count + 1) * width, error));
    uint8_t *taken = x->trail.taken + x->trail.count++ * width;
    for (size_t p = 0; p < count; taken += cor_property_width(both[p++])) {
        COR_TRY(cor_property_take(both[p], &rows, error));
        memcpy(taken, cor_property_taken(both[p]), cor_property_width(both[p]));
    }
    const struct cor_property_measures measures = measures_of(x, side, &rows);
    return ask_distance(x, side, &measures, outcome, error);
}

void estimation_layer__property_end(const struct estimation_layer__executor *x,
                                    struct estimation_layer__outcome *outcome) {
    const struct cor_property_value now = cor_property_now(x->property);
    outcome->fails = true;
    outcome->matches = now.value > 0; /* unknown is not satisfied */
}
