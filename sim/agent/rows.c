/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/rows.h>

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

enum cor_status cor_rows_init(struct cor_rows *rows, const struct cor_design *design,
                              struct cor_error *error) {
    *rows = (struct cor_rows){.design = design, .sets = cor_calloc(design->belief_count, sizeof *rows->sets)};
    return cor_made(rows->sets, error);
}

void cor_rows_fini(struct cor_rows *rows) {
    for (uint32_t b = 0; rows->sets && b < rows->design->belief_count; b++)
        free(rows->sets[b].values);
    free(rows->sets);
    rows->sets = NULL;
}

static const struct cor_design_belief *belief_of(const struct cor_rows *rows, uint32_t belief) {
    return &rows->design->beliefs[belief];
}

static const struct cor_design_field *field_of(const struct cor_rows *rows, uint32_t belief,
                                               uint32_t column) {
    return &rows->design->fields[belief_of(rows, belief)->first_field + column];
}

void cor_rows_key(const struct cor_design *design, uint32_t belief, const struct cor_value *row,
                  struct cor_value *keys) {
    const struct cor_design_belief *of = &design->beliefs[belief];
    for (uint32_t c = 0; c < of->row_width; c++)
        if (design->fields[of->first_field + c].is_key)
            *keys++ = row[c];
}

static bool has_key(const struct cor_rows *rows, uint32_t belief, const struct cor_value *row,
                    const struct cor_value *keys) {
    for (uint32_t c = 0; c < belief_of(rows, belief)->row_width; c++)
        if (field_of(rows, belief, c)->is_key && !cor_value_equal(row[c], *keys++))
            return false;
    return true;
}

struct cor_value *cor_rows_find(const struct cor_rows *rows, uint32_t belief, const struct cor_value *keys) {
    const uint32_t width = belief_of(rows, belief)->row_width;
    const struct cor_row_set *set = &rows->sets[belief];
    for (uint32_t r = 0; r < set->count; r++)
        if (has_key(rows, belief, set->values + (size_t)r * width, keys))
            return set->values + (size_t)r * width;
    return NULL;
}

/* Room for another row, behind the last. */
static enum cor_status append(struct cor_rows *rows, uint32_t belief, struct cor_value **row,
                              struct cor_error *error) {
    const uint32_t width = belief_of(rows, belief)->row_width;
    struct cor_row_set *set = &rows->sets[belief];
    COR_TRY(COR_RESERVE(&set->values, &set->capacity, ((size_t)set->count + 1) * width, error));
    *row = set->values + (size_t)set->count++ * width;
    return COR_OK;
}

/* Does the row have the key of the other? */
static struct cor_value *find_like(const struct cor_rows *rows, uint32_t belief,
                                   const struct cor_value *row) {
    const uint32_t width = belief_of(rows, belief)->row_width;
    const struct cor_row_set *set = &rows->sets[belief];
    for (uint32_t r = 0; r < set->count; r++) {
        struct cor_value *it = set->values + (size_t)r * width;
        bool is_like = true;
        for (uint32_t c = 0; c < width && is_like; c++)
            is_like = !field_of(rows, belief, c)->is_key || cor_value_equal(it[c], row[c]);
        if (is_like)
            return it;
    }
    return NULL;
}

enum cor_status cor_rows_insert(struct cor_rows *rows, uint32_t belief, const struct cor_value *row,
                                struct cor_error *error) {
    struct cor_value *into = find_like(rows, belief, row);
    if (!into)
        COR_TRY(append(rows, belief, &into, error));
    memcpy(into, row, belief_of(rows, belief)->row_width * sizeof *row);
    return COR_OK;
}

void cor_rows_remove(struct cor_rows *rows, uint32_t belief, const struct cor_value *keys) {
    const uint32_t width = belief_of(rows, belief)->row_width;
    struct cor_row_set *set = &rows->sets[belief];
    struct cor_value *row = cor_rows_find(rows, belief, keys);
    if (!row)
        return;
    struct cor_value *behind = row + width, *end = set->values + (size_t)set->count * width;
    memmove(row, behind, (size_t)(end - behind) * sizeof *row);
    set->count--;
}

/* A key of another row: the first integer of the key is `by` further. */
static void move_key(const struct cor_rows *rows, uint32_t belief, uint32_t by, struct cor_value *row) {
    for (uint32_t c = 0; c < belief_of(rows, belief)->row_width; c++) {
        const struct cor_design_field *field = field_of(rows, belief, c);
        if (!field->is_key || field->domain != COR_DOMAIN_INTEGER || row[c].kind != COR_VALUE_INTEGER)
            continue;
        row[c].as.integer += row[c].as.integer > INT64_MAX - COR_ROWS_MOST ? -(int64_t)by : (int64_t)by;
        return;
    }
}

static enum cor_status begin_set(struct cor_rows *rows, uint32_t belief, const struct cor_value *slots,
                                 struct cor_error *error) {
    const struct cor_design_belief *of = belief_of(rows, belief);
    const struct cor_value *scope = slots + of->first_field;
    const bool exists = scope[of->row_width].as.integer != 0;
    const uint32_t count = (uint32_t)scope[of->row_width + 1].as.integer;
    rows->sets[belief].count = 0;
    for (uint32_t r = 0; r < count; r++) {
        const uint32_t by = exists ? r : r + 1;
        struct cor_value *row;
        COR_TRY(append(rows, belief, &row, error));
        for (uint32_t c = 0; c < of->row_width; c++) {
            const struct cor_design_field *field = field_of(rows, belief, c);
            row[c] = field->is_key || by == 0 ? scope[c] : field->start;
        }
        move_key(rows, belief, by, row);
    }
    return COR_OK;
}

enum cor_status cor_rows_begin(struct cor_rows *rows, uint32_t event, const struct cor_value *fields,
                               const struct cor_value *arguments, struct cor_error *error) {
    const struct cor_design *design = rows->design;
    enum cor_status status = COR_OK;
    if (design->relation_count == 0)
        return COR_OK;
    struct cor_value *slots = cor_calloc(cor_design_slot_count(design, event), sizeof *slots);
    COR_TRY(cor_made(slots, error));
    cor_design_view(design, event, fields, arguments, slots);
    for (uint32_t b = 0; b < design->belief_count && status == COR_OK; b++)
        if (design->beliefs[b].is_relation)
            status = begin_set(rows, b, slots, error);
    free(slots);
    return status;
}

void cor_rows_view(const struct cor_rows *rows, struct cor_value *slots) {
    const struct cor_design *design = rows->design;
    for (uint32_t b = 0; design->relation_count > 0 && b < design->belief_count; b++) {
        const struct cor_design_belief *of = &design->beliefs[b];
        if (!of->is_relation)
            continue;
        struct cor_value *scope = slots + of->first_field;
        const struct cor_value *row = find_like(rows, b, scope);
        for (uint32_t c = 0; c < of->row_width; c++)
            if (!field_of(rows, b, c)->is_key)
                scope[c] = row ? row[c] : field_of(rows, b, c)->start;
        scope[of->row_width] = cor_integer(row != NULL);
        scope[of->row_width + 1] = cor_integer(rows->sets[b].count);
    }
}

bool cor_rows_equal(const struct cor_rows *a, const struct cor_rows *b, uint32_t belief) {
    const uint32_t width = belief_of(a, belief)->row_width;
    if (a->sets[belief].count != b->sets[belief].count)
        return false;
    for (uint32_t r = 0; r < a->sets[belief].count; r++) {
        const struct cor_value *row = a->sets[belief].values + (size_t)r * width;
        const struct cor_value *other = find_like(b, belief, row);
        for (uint32_t c = 0; c < width; c++)
            if (!other || !cor_value_equal(row[c], other[c]))
                return false;
    }
    return true;
}
