/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A suite that was executed again beside the file: rows by their columns, and of columns that count within a
 * vector the items that they lead to. */
#include "frame.h"

#include <corridor/array.h>
#include <corridor/result.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WHOLE_SUITE UINT32_MAX

struct comparison {
    uint32_t sequence; /* of which alone the record is, or WHOLE_SUITE */
    struct cor_result *result;
    const struct cor_record *record;
    const struct cor_layer_schema *layer;
    struct cor_suite_difference *difference;
    void *rows[COR_TABLES_MAX]; /* owned; the file's, as the record has them */
    uint64_t count[COR_TABLES_MAX];
    const unsigned char *now[COR_TABLES_MAX]; /* the record's */
    uint64_t now_count[COR_TABLES_MAX];
    uint64_t base[COR_VECTORS_MAX];    /* items of earlier suites in the file */
    uint64_t begins[COR_VECTORS_MAX];  /* the first item of the record that is compared */
    uint64_t differs[COR_VECTORS_MAX]; /* the first item that is not the same; UINT64_MAX: none */
};

/* The first row of the table that is not before the key. */
static enum cor_status find_row(struct cor_result *result, uint32_t table, struct cor_row_key key,
                                uint64_t *row, struct cor_error *error) {
    void *room = cor_calloc(1, cor_result_head(result)->layer->tables[table].row_size);
    uint64_t low = 0, high = cor_result_size(result, table);
    enum cor_status status = COR_OK;
    COR_TRY(cor_made(room, error));
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        COR_TRY_OUT(cor_result_read_columns(result, table, COR_ROW_KEY_COLUMNS, middle, 1, room, error));
        if (cor_row_key_before(cor_row_key_of(room), key))
            low = middle + 1;
        else
            high = middle;
    }
    *row = low;
out:
    free(room);
    return status;
}

enum cor_status cor_result_read_suite(struct cor_result *result, uint32_t table, struct cor_row_key key,
                                      void **rows, uint64_t *count, struct cor_error *error) {
    const struct cor_row_key behind = key.suite == UINT32_MAX
                                          ? (struct cor_row_key){(uint16_t)(key.arm + 1), 0}
                                          : (struct cor_row_key){key.arm, key.suite + 1};
    uint64_t first, end;
    COR_TRY(find_row(result, table, key, &first, error));
    COR_TRY(find_row(result, table, behind, &end, error));
    *count = end > first ? end - first : 0;
    *rows = cor_calloc((size_t)*count, cor_result_head(result)->layer->tables[table].row_size);
    COR_TRY(cor_made(*rows, error));
    return *count == 0 ? COR_OK : cor_result_read(result, table, first, *count, *rows, error);
}

static const struct cor_column *find_column(const struct cor_table_schema *schema, const char *name,
                                            enum cor_type type) {
    for (uint32_t i = 0; i < schema->column_count; i++)
        if (strcmp(schema->columns[i].name, name) == 0 && schema->columns[i].type == type)
            return &schema->columns[i];
    return NULL;
}

static const struct cor_column *sequence_column(const struct cor_table_schema *schema) {
    return find_column(schema, "sequence", COR_TYPE_U16);
}

/* Whether a row is of the suite, from before the first case of a sequence. */
static bool is_of_beginning(const struct cor_table_schema *schema, const unsigned char *row) {
    const struct cor_column *column = find_column(schema, "case", COR_TYPE_U32);
    uint32_t number = 1;
    if (column)
        memcpy(&number, row + column->offset, sizeof number);
    return number == 0;
}

/* Of one sequence alone nothing is known that is counted over all of them. */
static bool is_compared(const struct comparison *c, uint32_t table) {
    const struct cor_table_schema *schema = &c->layer->tables[table];
    return !schema->is_aside &&
           (c->sequence == WHOLE_SUITE || sequence_column(schema) || cor_record_size(c->record, table) > 0);
}

static bool is_column_compared(const struct comparison *c, const struct cor_column *column) {
    return c->sequence == WHOLE_SUITE || strcmp(column->name, "sequences") != 0;
}

static uint64_t offset_of(const void *rows, size_t row_size, uint64_t row, size_t offset) {
    uint64_t start;
    memcpy(&start, (const unsigned char *)rows + row * row_size + offset, sizeof start);
    return start;
}

/* The least offset of the rows that leads into the vector; UINT64_MAX: none does. */
static uint64_t least_offset(const struct cor_offset_column *column, size_t row_size, const void *rows,
                             uint64_t count) {
    uint64_t least = UINT64_MAX;
    for (uint64_t row = 0; row < count; row++) {
        const uint64_t start = offset_of(rows, row_size, row, column->offset);
        least = start < least ? start : least;
    }
    return least;
}

/* Offsets of the file are those of a record and the items of earlier suites: told by the least of each.
 * False: no offsets lead there. */
static bool find_base(struct comparison *c, uint32_t vector) {
    uint64_t stored = UINT64_MAX, now = UINT64_MAX;
    bool any = false;
    for (uint32_t o = 0; o < c->layer->offset_count; o++) {
        const struct cor_offset_column *it = &c->layer->offsets[o];
        const size_t row_size = c->layer->tables[it->table].row_size;
        if (it->vector != vector)
            continue;
        any = true;
        const uint64_t there = least_offset(it, row_size, c->rows[it->table], c->count[it->table]);
        const uint64_t here = least_offset(it, row_size, c->now[it->table], c->now_count[it->table]);
        stored = there < stored ? there : stored;
        now = here < now ? here : now;
    }
    c->base[vector] = stored == UINT64_MAX || now == UINT64_MAX || stored < now ? 0 : stored - now;
    c->begins[vector] = c->sequence == WHOLE_SUITE || now == UINT64_MAX ? 0 : now;
    return any;
}

/* The first item that differs; one that the file does not have does. What the file has beyond belongs to the
 * next suite, or is known by the rows that lead to it. */
static enum cor_status compare_vector(struct comparison *c, uint32_t vector, struct cor_error *error) {
    const struct cor_vector_schema *schema = &c->layer->vectors[vector];
    const size_t size = cor_type_size(schema->type);
    size_t count;
    const unsigned char *now = cor_record_items(c->record, vector, &count);
    const uint64_t all = cor_result_vector_size(c->result, vector),
                   there = all > c->base[vector] ? all - c->base[vector] : 0;
    const uint64_t both = there < count ? there : count;
    unsigned char *stored = cor_calloc((size_t)both, size);
    enum cor_status status = COR_OK;
    COR_TRY(cor_made(stored, error));
    c->differs[vector] = both < count ? both : UINT64_MAX;
    if (both > 0)
        COR_TRY_OUT(cor_result_read_vector(c->result, vector, c->base[vector], both, stored, error));
    for (uint64_t i = c->begins[vector]; i < both && c->differs[vector] >= both; i++)
        if (memcmp(now + i * size, stored + i * size, size) != 0)
            c->differs[vector] = i;
out:
    free(stored);
    return status;
}

/* Where the next items in the vector begin, behind those at `start`. */
static uint64_t next_start(const struct comparison *c, uint32_t vector, uint64_t start) {
    uint64_t next = UINT64_MAX;
    for (uint32_t o = 0; o < c->layer->offset_count; o++) {
        const struct cor_offset_column *it = &c->layer->offsets[o];
        const uint64_t rows = it->vector == vector ? c->now_count[it->table] : 0;
        for (uint64_t row = 0; row < rows; row++) {
            const uint64_t other =
                offset_of(c->now[it->table], c->layer->tables[it->table].row_size, row, it->offset);
            if (other > start && other < next)
                next = other;
        }
    }
    return next;
}

static double number_of(enum cor_type type, const unsigned char *value) {
    union {
        uint8_t u8;
        uint16_t u16;
        uint32_t u32;
        uint64_t u64;
        float f32;
        double f64;
    } it = {0};
    memcpy(&it, value, cor_type_size(type));
    return type == COR_TYPE_U8    ? it.u8
           : type == COR_TYPE_U16 ? it.u16
           : type == COR_TYPE_U32 ? it.u32
           : type == COR_TYPE_U64 ? (double)it.u64
           : type == COR_TYPE_F32 ? (double)it.f32
                                  : it.f64;
}

/* Which NaN an operation gives is the compiler's choice. */
static bool both_are_none(enum cor_type type, const unsigned char *a, const unsigned char *b) {
    return (type == COR_TYPE_F32 || type == COR_TYPE_F64) && isnan(number_of(type, a)) &&
           isnan(number_of(type, b));
}

static void put_value(char text[64], enum cor_type type, enum cor_family family, const unsigned char *value) {
    const double number = number_of(type, value);
    uint64_t bits;
    if (type == COR_TYPE_U64) { /* fingerprints do not fit into a double */
        memcpy(&bits, value, sizeof bits);
        snprintf(text, 64, "%" PRIu64, bits);
    } else if (family != COR_FAMILY_NONE && number > 0)
        snprintf(text, 64, "%.0f (%s)", number, cor_term_word(family, (int)number));
    else
        snprintf(text, 64, "%.17g", number);
}

/* The items that differ, both as text; "nothing" where the file ends. */
static enum cor_status tell_items(struct comparison *c, uint32_t vector, struct cor_error *error) {
    const struct cor_vector_schema *schema = &c->layer->vectors[vector];
    const uint64_t at = c->differs[vector], in_file = c->base[vector] + at;
    const unsigned char *now = cor_record_items(c->record, vector, NULL);
    unsigned char stored[8];
    put_value(c->difference->now, schema->type, COR_FAMILY_NONE, now + at * cor_type_size(schema->type));
    snprintf(c->difference->stored, sizeof c->difference->stored, "nothing");
    if (in_file >= cor_result_vector_size(c->result, vector))
        return COR_OK;
    COR_TRY(cor_result_read_vector(c->result, vector, in_file, 1, stored, error));
    put_value(c->difference->stored, schema->type, COR_FAMILY_NONE, stored);
    return COR_OK;
}

/* Do the items at this offset begin where those of a later one do? Then they are none. */
static bool is_empty(const struct comparison *c, const struct cor_offset_column *leads, uint64_t row,
                     uint64_t start) {
    const unsigned char *rows = c->now[leads->table];
    const size_t row_size = c->layer->tables[leads->table].row_size;
    for (uint32_t o = 0; o < c->layer->offset_count; o++) {
        const struct cor_offset_column *it = &c->layer->offsets[o];
        if (it->table != leads->table || it->vector != leads->vector)
            continue;
        if (it->offset > leads->offset && offset_of(rows, row_size, row, it->offset) == start)
            return true;
        if (row + 1 < c->now_count[leads->table] && offset_of(rows, row_size, row + 1, it->offset) == start)
            return true;
    }
    return false;
}

/* One column of one row; the difference is told if there is one. */
static enum cor_status compare_cell(struct comparison *c, uint32_t table, uint64_t row,
                                    const struct cor_column *column, struct cor_error *error) {
    const struct cor_table_schema *schema = &c->layer->tables[table];
    const struct cor_offset_column *leads = NULL;
    for (uint32_t o = 0; o < c->layer->offset_count && !leads; o++)
        if (c->layer->offsets[o].table == table && c->layer->offsets[o].offset == column->offset)
            leads = &c->layer->offsets[o];
    const unsigned char *stored =
        (const unsigned char *)c->rows[table] + row * schema->row_size + column->offset;
    const unsigned char *now = c->now[table] + row * schema->row_size + column->offset;
    if (leads) {
        const uint64_t start = offset_of(now, 0, 0, 0), differs = c->differs[leads->vector];
        const uint64_t before = offset_of(stored, 0, 0, 0) - c->base[leads->vector];
        const bool here = differs != UINT64_MAX && start <= differs &&
                          differs < next_start(c, leads->vector, start) && !is_empty(c, leads, row, start);
        if (before == start && !here)
            return COR_OK;
        c->difference->equal = false;
        if (here) {
            COR_TRY(tell_items(c, leads->vector, error));
        } else {
            snprintf(c->difference->stored, sizeof c->difference->stored, "%" PRIu64, before);
            snprintf(c->difference->now, sizeof c->difference->now, "%" PRIu64, start);
        }
    } else {
        if (memcmp(stored, now, cor_type_size(column->type)) == 0 || both_are_none(column->type, stored, now))
            return COR_OK;
        c->difference->equal = false;
        put_value(c->difference->stored, column->type, column->family, stored);
        put_value(c->difference->now, column->type, column->family, now);
    }
    c->difference->table = schema->group;
    c->difference->column = column->name;
    c->difference->row = row;
    return COR_OK;
}

static enum cor_status compare_table(struct comparison *c, uint32_t table, struct cor_error *error) {
    const struct cor_table_schema *schema = &c->layer->tables[table];
    const uint64_t now = c->now_count[table], there = c->count[table];
    const uint64_t both = now < there ? now : there;
    for (uint64_t row = 0; row < both; row++)
        for (uint32_t column = 0; column < schema->column_count && c->difference->equal; column++)
            if (is_column_compared(c, &schema->columns[column]))
                COR_TRY(compare_cell(c, table, row, &schema->columns[column], error));
    if (!c->difference->equal || now == there)
        return COR_OK;
    *c->difference = (struct cor_suite_difference){.table = schema->group, .row = both};
    snprintf(c->difference->stored, sizeof c->difference->stored, "%" PRIu64, there);
    snprintf(c->difference->now, sizeof c->difference->now, "%" PRIu64, now);
    return COR_OK;
}

/* The record's rows; of a sequence alone without those of the suite, which come first. */
static void find_now(struct comparison *c, uint32_t table) {
    const struct cor_table_schema *schema = &c->layer->tables[table];
    c->now[table] = c->record->tables[table].items;
    c->now_count[table] = c->record->tables[table].count;
    while (c->sequence != WHOLE_SUITE && sequence_column(schema) && c->now_count[table] > 0 &&
           is_of_beginning(schema, c->now[table])) {
        c->now[table] += schema->row_size;
        c->now_count[table]--;
    }
}

static enum cor_status compare_all(struct comparison *c, uint32_t first, struct cor_error *error) {
    for (uint32_t t = 0; t < c->layer->table_count; t++)
        find_now(c, t);
    for (uint32_t t = 0; t < c->layer->table_count; t++) {
        if (t != first && !is_compared(c, t))
            continue;
        COR_TRY(cor_result_read_suite(c->result, t, (struct cor_row_key){c->record->arm, c->record->suite},
                                      &c->rows[t], &c->count[t], error));
        /* Leaves the rows of the sequence, in their order. */
        const struct cor_table_schema *schema = &c->layer->tables[t];
        const struct cor_column *column = sequence_column(schema);
        unsigned char *rows = c->rows[t];
        uint64_t kept = 0;
        if (c->sequence == WHOLE_SUITE || !column)
            continue;
        for (uint64_t i = 0; i < c->count[t]; i++) {
            uint16_t sequence;
            memcpy(&sequence, rows + i * schema->row_size + column->offset, sizeof sequence);
            if (sequence == c->sequence && !is_of_beginning(schema, rows + i * schema->row_size))
                memmove(rows + kept++ * schema->row_size, rows + i * schema->row_size, schema->row_size);
        }
        c->count[t] = kept;
    }
    for (uint32_t v = 0; v < c->layer->vector_count; v++) {
        c->differs[v] = UINT64_MAX;
        if (find_base(c, v) && !c->layer->vectors[v].is_aside)
            COR_TRY(compare_vector(c, v, error));
    }
    COR_TRY(compare_table(c, first, error));
    for (uint32_t t = 0; t < c->layer->table_count && c->difference->equal; t++)
        if (is_compared(c, t))
            COR_TRY(compare_table(c, t, error));
    return COR_OK;
}

static enum cor_status compare(struct cor_result *result, const struct cor_record *record, uint32_t sequence,
                               uint32_t first, struct cor_suite_difference *difference,
                               struct cor_error *error) {
    const struct cor_layer_schema *layer = cor_result_head(result)->layer;
    struct comparison comparison = {
        .sequence = sequence, .result = result, .record = record, .layer = layer, .difference = difference};
    COR_ASSERT(record->layer == layer && first < layer->table_count);
    *difference = (struct cor_suite_difference){.equal = true};
    enum cor_status status = compare_all(&comparison, first, error);
    for (uint32_t t = 0; t < layer->table_count; t++)
        free(comparison.rows[t]);
    return status;
}

enum cor_status cor_result_compare_suite(struct cor_result *result, const struct cor_record *record,
                                         uint32_t first, struct cor_suite_difference *difference,
                                         struct cor_error *error) {
    return compare(result, record, WHOLE_SUITE, first, difference, error);
}

enum cor_status cor_result_compare_sequence(struct cor_result *result, const struct cor_record *record,
                                            uint32_t sequence, uint32_t first,
                                            struct cor_suite_difference *difference,
                                            struct cor_error *error) {
    COR_ASSERT(sequence <= UINT16_MAX);
    return compare(result, record, sequence, first, difference, error);
}
