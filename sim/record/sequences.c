/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A suite executed with more sequences than before: do those that were there come out the same? And one
 * executed twice: is what a result is compared by the same? */
#include "frame.h"

#include <string.h>

static bool is_same_row(const struct cor_table_schema *table, const unsigned char *a,
                        const unsigned char *b) {
    for (uint32_t c = 0; c < table->column_count; c++) {
        size_t at = table->columns[c].offset;
        if (memcmp(a + at, b + at, cor_type_size(table->columns[c].type)) != 0)
            return false;
    }
    return true;
}

/* The next row from *index on whose sequence is below the number; NULL behind the last. */
static const unsigned char *next_row(struct cor_record *record, uint32_t table,
                                     const struct cor_column *column, uint32_t sequences, size_t *index) {
    for (; *index < cor_record_size(record, table); ++*index) {
        const unsigned char *row = cor_record_at(record, table, *index);
        uint16_t sequence;
        memcpy(&sequence, row + column->offset, sizeof sequence);
        if (sequence < sequences) {
            ++*index;
            return row;
        }
    }
    return NULL;
}

/* All rows. */
static bool is_equal_table(struct cor_record *one, struct cor_record *other, uint32_t table) {
    size_t count = cor_record_size(one, table);
    if (count != cor_record_size(other, table))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!is_same_row(&one->layer->tables[table], cor_record_at(one, table, i),
                         cor_record_at(other, table, i)))
            return false;
    return true;
}

static bool is_same_table(struct cor_record *earlier, struct cor_record *record, uint32_t table,
                          uint32_t sequences) {
    const struct cor_table_schema *schema = &record->layer->tables[table];
    /* The column by which rows of a table name a sequence; NULL if they do not. */
    const struct cor_column *column = NULL;
    for (uint32_t c = 0; c < schema->column_count && !column; c++)
        if (strcmp(schema->columns[c].name, "sequence") == 0 && schema->columns[c].type == COR_TYPE_U16)
            column = &schema->columns[c];
    size_t at = 0, other_at = 0;
    while (column) {
        const unsigned char *row = next_row(earlier, table, column, sequences, &at);
        const unsigned char *other = next_row(record, table, column, sequences, &other_at);
        if (!row || !other)
            return row == other;
        if (!is_same_row(schema, row, other))
            return false;
    }
    return true;
}

static bool is_beginning(const struct cor_record *earlier, const struct cor_record *record, uint32_t vector) {
    size_t count, other_count, size = cor_type_size(record->layer->vectors[vector].type);
    const void *items = cor_record_items(earlier, vector, &count);
    const void *others = cor_record_items(record, vector, &other_count);
    return count <= other_count && (count == 0 || memcmp(items, others, count * size) == 0);
}

enum cor_status cor_journal_compare_sequences(const struct cor_layer_schema *layer, const char *earlier_path,
                                              const struct cor_journal_entry *earlier, const char *path,
                                              const struct cor_journal_entry *entry, uint32_t sequences,
                                              bool *same, struct cor_error *error) {
    struct cor_record *before = NULL, *now = NULL;
    enum cor_status status = COR_OK;
    COR_TRY_OUT(cor_record_create(layer, &before, error));
    COR_TRY_OUT(cor_record_create(layer, &now, error));
    COR_TRY_OUT(cor_journal_read(earlier_path, earlier, before, error));
    COR_TRY_OUT(cor_journal_read(path, entry, now, error));
    *same = true;
    for (uint32_t t = 0; t < layer->table_count && *same; t++)
        *same = layer->tables[t].is_aside || is_same_table(before, now, t, sequences);
    for (uint32_t v = 0; v < layer->vector_count && *same; v++)
        *same = layer->vectors[v].is_aside || is_beginning(before, now, v);
out:
    cor_record_destroy(before);
    cor_record_destroy(now);
    return status;
}

static bool is_equal_content(struct cor_record *one, struct cor_record *other) {
    const struct cor_layer_schema *layer = one->layer;
    for (uint32_t t = 0; t < layer->table_count; t++)
        if (!layer->tables[t].is_aside && !is_equal_table(one, other, t))
            return false;
    for (uint32_t v = 0; v < layer->vector_count; v++)
        if (!layer->vectors[v].is_aside &&
            (one->vectors[v].count != other->vectors[v].count || !is_beginning(one, other, v)))
            return false;
    return true;
}

enum cor_status record__journal_compare_content(const struct cor_layer_schema *layer, const char *path,
                                                const struct cor_journal_entry *entry, const char *other_path,
                                                const struct cor_journal_entry *other, bool *same,
                                                struct cor_error *error) {
    struct cor_record *records[2] = {NULL, NULL};
    enum cor_status status = COR_OK;
    COR_TRY_OUT(cor_record_create(layer, &records[0], error));
    COR_TRY_OUT(cor_record_create(layer, &records[1], error));
    COR_TRY_OUT(cor_journal_read(path, entry, records[0], error));
    COR_TRY_OUT(cor_journal_read(other_path, other, records[1], error));
    *same = is_equal_content(records[0], records[1]);
out:
    cor_record_destroy(records[0]);
    cor_record_destroy(records[1]);
    return status;
}
