/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "pattern.h"

#include <corridor/array.h>
#include <corridor/hash.h>
#include <corridor/interaction.h>
#include <corridor/property.h>
#include <corridor/search_schema.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CELL_MAX 1e15     /* magnitude of the number of a cell */
#define NO_CELL INT64_MIN /* of tests that do not say an amount */

struct cell {
    int64_t at[SEARCH_LAYER__PATTERN_AXES]; /* amount / width, rounded down; 0 on axes that are not there */
    uint32_t tests, sampled, first;         /* that came to it; those of a fixed number; the first */
    uint64_t cases;                         /* executed when that was over */
};

struct search_layer__pattern {
    struct cor_property *measure[SEARCH_LAYER__PATTERN_AXES]; /* owned */
    double width[SEARCH_LAYER__PATTERN_AXES];
    uint32_t axes;
    uint64_t fixed;     /* of tests */
    struct cell *cells; /* owned; in the order in which they were come to */
    size_t count, capacity;
    uint32_t *slots; /* owned; hashed: 1 + cell, 0: none; a power of two, at least twice the cells */
    size_t slot_count;
    uint32_t feature;
    struct cor_feature_origin origin;
};

/* "AMOUNT by WIDTH", which is cut into its parts. */
static enum cor_status add_axis(struct search_layer__pattern *pattern, char *text, const char *place,
                                struct cor_error *error) {
    char *by = NULL, *end = NULL;
    for (char *at = strstr(text, " by "); at; at = strstr(at + 1, " by "))
        by = at;
    const double width = by ? strtod(by + 4, &end) : 0;
    if (by)
        end += strspn(end, " ");
    if (!by || end == by + 4 || *end != '\0' || !(width > 0) || !isfinite(width))
        return cor_fail(error, COR_STATUS_INPUT, place, "write AMOUNT by WIDTH, as in sum moved by 100",
                        "\"%.200s\" is no amount with the width of its cells", text);
    if (pattern->axes == SEARCH_LAYER__PATTERN_AXES)
        return cor_fail(error, COR_STATUS_INPUT, place, "leave some out",
                        "a pattern space has at most %d amounts", SEARCH_LAYER__PATTERN_AXES);
    *by = '\0';
    pattern->width[pattern->axes] = width;
    return cor_measure_parse(text + strspn(text, " "), place, &pattern->measure[pattern->axes++], error);
}

enum cor_status search_layer__pattern_create(const char *text, const char *place, uint64_t fixed,
                                             struct search_layer__pattern **made, struct cor_error *error) {
    struct search_layer__pattern *pattern = *made = cor_calloc(1, sizeof *pattern);
    char *copy = cor_strdup(text), *rest = copy;
    enum cor_status status = cor_made(pattern, error);
    if (status == COR_OK)
        status = cor_made(copy, error);
    if (status == COR_OK)
        pattern->fixed = fixed;
    while (status == COR_OK && rest) {
        char *axis = rest;
        rest = strchr(axis, ';');
        if (rest)
            *rest++ = '\0';
        status = add_axis(pattern, axis, place, error);
    }
    free(copy);
    if (status != COR_OK) {
        search_layer__pattern_destroy(pattern);
        *made = NULL;
    }
    return status;
}

void search_layer__pattern_destroy(struct search_layer__pattern *pattern) {
    if (!pattern)
        return;
    for (uint32_t a = 0; a < pattern->axes; a++)
        cor_property_destroy(pattern->measure[a]);
    free(pattern->cells);
    free(pattern->slots);
    free(pattern);
}

/* The slot of a cell, or the free one where it would be. */
static uint32_t *slot_of(const struct search_layer__pattern *pattern, const int64_t *at) {
    uint64_t hash = COR_HASH_SEED;
    for (uint32_t a = 0; a < SEARCH_LAYER__PATTERN_AXES; a++)
        hash = cor_hash_word(hash, (uint64_t)at[a]);
    size_t slot = hash & (pattern->slot_count - 1);
    while (pattern->slots[slot] > 0 &&
           memcmp(pattern->cells[pattern->slots[slot] - 1].at, at, sizeof pattern->cells->at) != 0)
        slot = (slot + 1) & (pattern->slot_count - 1);
    return &pattern->slots[slot];
}

/* Room for one more cell. */
static enum cor_status reserve(struct search_layer__pattern *pattern, struct cor_error *error) {
    COR_TRY(COR_RESERVE(&pattern->cells, &pattern->capacity, pattern->count + 1, error));
    if (2 * (pattern->count + 1) <= pattern->slot_count)
        return COR_OK;
    const size_t slot_count = pattern->slot_count > 0 ? 2 * pattern->slot_count : 256;
    uint32_t *slots = cor_calloc(slot_count, sizeof *slots);
    COR_TRY(cor_made(slots, error));
    free(pattern->slots);
    pattern->slots = slots;
    pattern->slot_count = slot_count;
    for (size_t c = 0; c < pattern->count; c++)
        *slot_of(pattern, pattern->cells[c].at) = (uint32_t)c + 1;
    return COR_OK;
}

/* The cell of a test; NO_CELL on all axes: it does not say an amount, or one beyond all cells. */
static enum cor_status find_cell(struct search_layer__pattern *pattern, struct cor_record *record,
                                 int64_t *at, struct cor_error *error) {
    bool is_known = cor_record_size(record, COR_TABLE_CASES) > 0;
    for (uint32_t a = 0; a < pattern->axes && is_known; a++) {
        const struct cor_case_row *row = cor_record_at(record, COR_TABLE_CASES, 0);
        struct cor_property_value value;
        COR_TRY(cor_interaction_layer.ask(pattern->measure[a], record, row->sequence, &value, error));
        const double cell = floor(value.value / pattern->width[a]);
        is_known = fabs(cell) <= CELL_MAX; /* not of NaN */
        at[a] = is_known ? (int64_t)cell : 0;
    }
    for (uint32_t a = 0; a < SEARCH_LAYER__PATTERN_AXES && !is_known; a++)
        at[a] = NO_CELL;
    return COR_OK;
}

enum cor_status search_layer__pattern_see(struct search_layer__pattern *pattern, struct cor_seen *seen,
                                          struct cor_error *error) {
    int64_t at[SEARCH_LAYER__PATTERN_AXES] = {0};
    COR_TRY(find_cell(pattern, seen->record, at, error));
    COR_TRY(reserve(pattern, error));
    uint32_t *slot = slot_of(pattern, at);
    if (*slot == 0) {
        struct cell *cell = &pattern->cells[pattern->count++];
        *cell = (struct cell){.first = seen->number, .cases = seen->cases};
        memcpy(cell->at, at, sizeof at);
        *slot = (uint32_t)pattern->count;
    }
    pattern->cells[*slot - 1].tests++;
    pattern->cells[*slot - 1].sampled += seen->number <= pattern->fixed;
    pattern->feature = (*slot - 1) % COR_FEATURES;
    pattern->origin = (struct cor_feature_origin){.kind = COR_FEATURE_PATTERN};
    seen->features = &pattern->feature;
    seen->origins = &pattern->origin;
    seen->feature_count = at[0] != NO_CELL;
    return COR_OK;
}

enum cor_status search_layer__pattern_put(const struct search_layer__pattern *pattern,
                                          struct cor_record *record, struct cor_error *error) {
    for (size_t c = 0; c < pattern->count; c++) {
        const struct cell *cell = &pattern->cells[c];
        struct cor_search_cell_row *row = cor_record_row(record, COR_SEARCH_TABLE_CELLS, error);
        COR_TRY(cor_made(row, error));
        double low[SEARCH_LAYER__PATTERN_AXES];
        for (uint32_t a = 0; a < SEARCH_LAYER__PATTERN_AXES; a++)
            low[a] = a < pattern->axes && cell->at[a] != NO_CELL ? (double)cell->at[a] * pattern->width[a]
                                                                 : (double)NAN;
        row->cell = (uint32_t)c + 1;
        row->low_1 = low[0];
        row->low_2 = low[1];
        row->low_3 = low[2];
        row->tests = cell->tests;
        row->sampled = cell->sampled;
        row->first = cell->first;
        row->cases = cell->cases;
    }
    return COR_OK;
}
