/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/arms.h>
#include <corridor/array.h>
#include <corridor/cells.h>
#include <corridor/row_cells.h>
#include <corridor/schema.h>
#include <corridor/suite_reader.h>

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SMOKE_SENTENCE 512 /* bytes, more than outcomes have */

struct cor_row_cells {
    struct cor_result *result;
    const struct cor_table_schema *schema;
    struct cor_row_column columns[COR_ROW_COLUMNS_MAX];
    uint32_t column_count;
    bool raw_codes;
    char names[COR_COLUMNS_MAX][32]; /* of texts */
    uint32_t text_vector;            /* in which the texts of the table lie; vector_count: it has none */
    char *texts;                     /* all of them, from the first that is asked for on; NULL before */
    uint64_t text_bytes;
    char *text; /* the one that was asked for last */
    size_t text_capacity;
    char sentence[SMOKE_SENTENCE > COR_SENTENCE ? SMOKE_SENTENCE : COR_SENTENCE];
};

static bool is_smoke(const struct cor_table_schema *schema) {
    return schema == cor_schema(COR_TABLE_SMOKES);
}

static uint64_t bit_of(const struct cor_table_schema *schema, const char *name) {
    uint32_t index = 0;
    while (strcmp(schema->columns[index].name, name) != 0)
        index++;
    return UINT64_C(1) << index;
}

/* The one column that no table holds: a violation, or what led to smoke, in words. */
static void add_sentence(struct cor_row_cells *cells) {
    static const char *const behind_violation[] = {"check", "agent", "partition", "expected", "found", NULL};
    static const char *const behind_smoke[] = {"words_start", "words", NULL};
    struct cor_row_column column = {.name = "sentence"};
    if (!is_smoke(cells->schema) && cells->schema != cor_schema(COR_TABLE_VIOLATIONS))
        return;
    column.reads = COR_ROW_KEY_COLUMNS;
    for (const char *const *name = is_smoke(cells->schema) ? behind_smoke : behind_violation; *name; name++)
        column.reads |= bit_of(cells->schema, *name);
    cells->columns[cells->column_count++] = column;
}

static void add_columns(struct cor_row_cells *cells, uint32_t table) {
    const struct cor_layer_schema *layer = cor_result_head(cells->result)->layer;
    const struct cor_table_schema *schema = cells->schema;
    bool is_behind_text = false;
    COR_ASSERT(schema->column_count <= COR_COLUMNS_MAX);
    cells->text_vector = layer->vector_count;
    for (uint32_t i = 0; i < schema->column_count; i++) {
        const struct cor_column *column = &schema->columns[i];
        const uint32_t vector = cells->raw_codes ? layer->vector_count : cor_column_text(layer, table, i);
        struct cor_row_column made = {.name = column->name,
                                      .schema = column,
                                      .catalog = cor_column_catalog(layer, column),
                                      .is_hidden = is_behind_text,
                                      .is_narrow = column->type == COR_TYPE_F32,
                                      .reads = UINT64_C(1) << i};
        is_behind_text = false;
        if (vector < layer->vector_count) {
            struct cor_row_column text = made;
            snprintf(cells->names[i], sizeof cells->names[i], "%.*s",
                     (int)(strlen(column->name) - strlen("_start")), column->name);
            text.name = cells->names[i];
            text.is_text = true;
            text.reads = UINT64_C(3) << i;
            cells->columns[cells->column_count++] = text;
            cells->text_vector = vector;
            made.is_hidden = is_behind_text = true;
        }
        cells->columns[cells->column_count++] = made;
    }
    add_sentence(cells);
}

enum cor_status cor_row_cells_create(struct cor_result *result, uint32_t table, bool raw_codes,
                                     struct cor_row_cells **cells, struct cor_error *error) {
    struct cor_row_cells *made = *cells = cor_calloc(1, sizeof *made);
    COR_TRY(cor_made(made, error));
    made->result = result;
    made->schema = &cor_result_head(result)->layer->tables[table];
    made->raw_codes = raw_codes;
    add_columns(made, table);
    return COR_OK;
}

void cor_row_cells_destroy(struct cor_row_cells *cells) {
    if (!cells)
        return;
    COR_FREE(cells->texts, cells->text, cells);
}

uint32_t cor_row_columns(const struct cor_row_cells *cells, const struct cor_row_column **columns) {
    *columns = cells->columns;
    return cells->column_count;
}

/* The word of a code, NULL if it has none. */
static const char *word_of(const struct cor_row_cells *cells, const struct cor_row_column *column,
                           uint64_t code) {
    const char *word = "?";
    if (cells->raw_codes || code > UINT16_MAX)
        return NULL;
    if (column->schema->family != COR_FAMILY_NONE)
        word = cor_term_word(column->schema->family, (int)code);
    else if (column->catalog < cor_result_head(cells->result)->layer->catalog_count)
        word = cor_result_name(cells->result, column->catalog, (uint16_t)code);
    return strcmp(word, "?") == 0 ? NULL : word;
}

bool cor_row_is_fingerprint(const struct cor_row_column *column) {
    const size_t length = strlen(column->name);
    return length > 5 && strcmp(column->name + length - 5, "_hash") == 0;
}

bool cor_row_is_code(const struct cor_row_cells *cells, const struct cor_row_column *column) {
    return column->schema && (column->schema->family != COR_FAMILY_NONE ||
                              column->catalog < cor_result_head(cells->result)->layer->catalog_count);
}

double cor_row_written(const struct cor_row_column *column, double real) {
    char text[COR_CELL];
    if (!column->is_narrow || !isfinite(real))
        return real;
    cor_float_text((float)real, text);
    return strtod(text, NULL);
}

/* Words of smoke may lie where none are. */
static enum cor_status take_sentence(struct cor_row_cells *cells, const void *row, struct cor_error *error) {
    if (is_smoke(cells->schema)) {
        struct cor_smoke_row smoke;
        memcpy(&smoke, row, sizeof smoke);
        const uint64_t items = cor_result_vector_size(cells->result, COR_VECTOR_WORDS);
        const size_t most = sizeof cells->sentence - 1, count = smoke.words < most ? smoke.words : most;
        if (smoke.words_start > items || count > items - smoke.words_start)
            return cor_fail(error, COR_STATUS_INPUT, NULL, "take another copy",
                            "a row of smokes names words that the file does not have");
        COR_TRY(cor_result_read_vector(cells->result, COR_VECTOR_WORDS, smoke.words_start, count,
                                       cells->sentence, error));
        cells->sentence[count] = '\0';
        return COR_OK;
    }
    struct cor_violation_row violation;
    memcpy(&violation, row, sizeof violation);
    /* Of an arm that the catalog knows. */
    const struct cor_result_header *head = cor_result_head(cells->result);
    const size_t index = cor_arm_of_code(head, violation.arm);
    cor_violation_sentence(index < cor_arm_count(head) ? cor_arm_kind(cor_arm_entry(head, index))
                                                       : COR_STRUCTURE_PARTITIONING,
                           &violation, cor_result_head(cells->result), cells->sentence);
    return COR_OK;
}

static enum cor_status take_text(struct cor_row_cells *cells, const struct cor_column *column,
                                 const unsigned char *row, struct cor_error *error) {
    uint64_t start;
    uint32_t bytes;
    if (!cells->texts) {
        cells->text_bytes = cor_result_vector_size(cells->result, cells->text_vector);
        COR_TRY(cor_made(cells->texts = cor_calloc(cells->text_bytes + 1, 1), error));
        if (cells->text_bytes > 0)
            COR_TRY(cor_result_read_vector(cells->result, cells->text_vector, 0, cells->text_bytes,
                                           cells->texts, error));
    }
    memcpy(&start, row + column[0].offset, sizeof start);
    memcpy(&bytes, row + column[1].offset, sizeof bytes);
    if (start > cells->text_bytes || bytes > cells->text_bytes - start || bytes > INT_MAX)
        return cor_fail(error, COR_STATUS_INPUT, NULL, "take another copy, or run the experiment again",
                        "%s and %s name bytes %" PRIu64 " to %" PRIu64 " of the texts, which have %" PRIu64,
                        column[0].name, column[1].name, start, start + bytes, cells->text_bytes);
    COR_TRY(COR_RESERVE(&cells->text, &cells->text_capacity, (size_t)bytes + 1, error));
    memcpy(cells->text, cells->texts + start, bytes);
    cells->text[bytes] = '\0';
    return COR_OK;
}

enum cor_status cor_row_cell(struct cor_row_cells *cells, uint32_t index, const void *row,
                             struct cor_row_cell *cell, struct cor_error *error) {
    const struct cor_row_column *column = &cells->columns[index];
    const struct cor_column *schema = column->schema;
    *cell = (struct cor_row_cell){.kind = COR_ROW_WORD, .word = cells->sentence};
    if (!schema)
        return take_sentence(cells, row, error);
    if (column->is_text) {
        COR_TRY(take_text(cells, schema, row, error));
        cell->word = cells->text;
        return COR_OK;
    }
    if (schema->type == COR_TYPE_F32 || schema->type == COR_TYPE_F64) {
        cell->kind = COR_ROW_REAL;
        cell->real = cor_column_real(schema, row);
        return COR_OK;
    }
    cell->number = cor_column_integer(schema, row);
    cell->word = word_of(cells, column, cell->number);
    cell->kind = cell->word                       ? COR_ROW_WORD
                 : cor_row_is_fingerprint(column) ? COR_ROW_FINGERPRINT
                                                  : COR_ROW_NUMBER;
    return COR_OK;
}
