/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The columns that a property speaks of: those of two tables, as values. */
#include "internal.h"

#include <corridor/array.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Keys, and what stands in both tables, are passed over. */
static bool is_asked_for(const struct property__columns *columns, const struct cor_column *schema) {
    static const char *const keys[] = {"arm", "suite", "sequence", "case"};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        if (strcmp(keys[k], schema->name) == 0)
            return false;
    for (uint32_t c = 0; c < columns->count; c++)
        if (strcmp(columns->items[c].name, schema->name) == 0)
            return false;
    return true;
}

static enum cor_status list_words(struct property__columns *columns, uint32_t column, enum cor_family family,
                                  struct cor_error *error) {
    const char *const *words = cor_term_words(family);
    uint32_t count = 0;
    while (words[count])
        count++;
    uint32_t *listed = columns->listed[column] = cor_calloc(count, sizeof *listed);
    COR_TRY(cor_made(listed, error));
    for (uint32_t w = 0; w < count; w++)
        COR_TRY(cor_words_intern(&columns->words, words[w], &listed[w], error));
    columns->domains[column] = (struct cor_domain){COR_VALUE_TYPE_ENUMERATION, "word", listed, count};
    return COR_OK;
}

/* What a column can be is what its schema says. */
static enum cor_status add(struct property__columns *columns, const char *name,
                           const struct cor_column *schema, bool of_reorganization, enum cor_value_type type,
                           struct cor_error *error) {
    static const char *const words[] = {
        [COR_VALUE_TYPE_INTEGER] = "int", [COR_VALUE_TYPE_REAL] = "float", [COR_VALUE_TYPE_BOOLEAN] = "bool"};
    const uint32_t column = columns->count++;
    columns->items[column] =
        (struct property__column){.name = name, .schema = schema, .of_reorganization = of_reorganization};
    columns->symbols[column] = (struct cor_symbol){name, &columns->domains[column]};
    if (type == COR_VALUE_TYPE_ENUMERATION)
        return list_words(columns, column, schema->family, error);
    columns->domains[column] = (struct cor_domain){type, words[type], NULL, 0};
    return COR_OK;
}

static enum cor_value_type type_of(const struct cor_column *schema) {
    return schema->family != COR_FAMILY_NONE                              ? COR_VALUE_TYPE_ENUMERATION
           : schema->type == COR_TYPE_F32 || schema->type == COR_TYPE_F64 ? COR_VALUE_TYPE_REAL
           : strncmp(schema->meaning, "1 if ", strlen("1 if ")) == 0      ? COR_VALUE_TYPE_BOOLEAN
                                                                          : COR_VALUE_TYPE_INTEGER;
}

enum cor_status property__columns_init(struct property__columns *columns, struct cor_error *error) {
    static const enum cor_table tables[] = {COR_TABLE_CASES, COR_TABLE_REORGANIZATIONS};
    const size_t most = PROPERTY__OWN + 2 * COR_COLUMNS_MAX;
    *columns = (struct property__columns){0};
    cor_words_init(&columns->words);
    columns->items = cor_calloc(most, sizeof *columns->items);
    COR_TRY(cor_made(columns->items, error));
    columns->symbols = cor_calloc(most, sizeof *columns->symbols);
    COR_TRY(cor_made(columns->symbols, error));
    columns->domains = cor_calloc(most, sizeof *columns->domains);
    COR_TRY(cor_made(columns->domains, error));
    columns->values = cor_calloc(most, sizeof *columns->values);
    COR_TRY(cor_made(columns->values, error));
    columns->listed = cor_calloc(most, sizeof *columns->listed);
    COR_TRY(cor_made(columns->listed, error));
    COR_TRY(cor_words_intern(&columns->words, "", &columns->no_word, error));
    COR_TRY(add(columns, "case", NULL, false, COR_VALUE_TYPE_INTEGER, error));
    COR_TRY(add(columns, "inside", NULL, false, COR_VALUE_TYPE_BOOLEAN, error));
    COR_TRY(add(columns, "alarm", NULL, false, COR_VALUE_TYPE_BOOLEAN, error));
    COR_TRY(add(columns, "failed", NULL, false, COR_VALUE_TYPE_BOOLEAN, error));
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++) {
        const struct cor_table_schema *schema = cor_schema(tables[t]);
        for (uint32_t c = 0; c < schema->column_count; c++)
            if (is_asked_for(columns, &schema->columns[c]))
                COR_TRY(add(columns, schema->columns[c].name, &schema->columns[c], t > 0,
                            type_of(&schema->columns[c]), error));
    }
    return COR_OK;
}

void property__columns_fini(struct property__columns *columns) {
    for (uint32_t c = 0; columns->listed && c < columns->count; c++)
        free(columns->listed[c]);
    free(columns->listed);
    free(columns->items);
    free(columns->symbols);
    free(columns->domains);
    free(columns->values);
    cor_words_fini(&columns->words);
    *columns = (struct property__columns){0};
}

struct cor_real_range property__column_range(const struct property__columns *columns, uint32_t column,
                                             const struct cor_property_limits *limits) {
    const struct cor_column *schema = columns->items[column].schema;
    if (column == PROPERTY__CASE)
        return (struct cor_real_range){1, limits->cases};
    if (!schema || type_of(schema) == COR_VALUE_TYPE_BOOLEAN)
        return (struct cor_real_range){0, 1};
    if (type_of(schema) == COR_VALUE_TYPE_REAL)
        return (struct cor_real_range){-INFINITY, INFINITY};
    return (struct cor_real_range){0, schema->type == COR_TYPE_U8           ? UINT8_MAX
                                      : strcmp(schema->unit, "agents") == 0 ? limits->agents
                                                                            : INFINITY};
}

static struct cor_value value_in(const struct property__columns *columns, uint32_t column, const void *row) {
    const struct cor_column *schema = columns->items[column].schema;
    const struct cor_domain *domain = &columns->domains[column];
    if (!row)
        return domain->type == COR_VALUE_TYPE_REAL          ? cor_null()
               : domain->type == COR_VALUE_TYPE_ENUMERATION ? cor_word(columns->no_word)
                                                            : cor_integer(0);
    if (domain->type == COR_VALUE_TYPE_REAL) {
        const double real = cor_column_real(schema, row);
        return isfinite(real) ? cor_real(real) : cor_null();
    }
    const uint64_t integer = cor_column_integer(schema, row);
    if (domain->type != COR_VALUE_TYPE_ENUMERATION)
        return integer <= INT64_MAX ? cor_integer((int64_t)integer) : cor_null();
    const uint32_t word = cor_words_find(&columns->words, cor_term_word(schema->family, (int)integer));
    return cor_word(word == COR_NONE ? columns->no_word : word);
}

static struct cor_value value_of(enum cor_case_answer answer) {
    return answer == COR_CASE_UNKNOWN ? cor_null() : cor_integer(answer == COR_CASE_YES);
}

void property__columns_take(struct property__columns *columns, const struct cor_case_rows *rows) {
    columns->values[PROPERTY__CASE] = cor_integer(rows->row->case_);
    columns->values[PROPERTY__INSIDE] = value_of(cor_case_inside(rows));
    columns->values[PROPERTY__ALARM] = value_of(cor_case_alarm(rows));
    columns->values[PROPERTY__FAILED] = cor_integer(cor_case_failed(rows));
    for (uint32_t c = PROPERTY__OWN; c < columns->count; c++)
        if (columns->items[c].is_read)
            columns->values[c] =
                value_in(columns, c,
                         columns->items[c].of_reorganization ? (const void *)rows->reorganization
                                                             : (const void *)rows->row);
}
