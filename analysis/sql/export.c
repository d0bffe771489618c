/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables of the schema as CSV or JSON lines, and what can be exported beside them: catalogs, vectors, and
 * what the file holds once. */
#include <corridor/array.h>
#include <corridor/cells.h>
#include <corridor/export.h>
#include <corridor/names.h>
#include <corridor/row_cells.h>
#include <corridor/where.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ITEMS 65536 /* of a vector, read at a time */

size_t cor_export_sources(const struct cor_layer_schema *layer) {
    return (size_t)layer->table_count + layer->catalog_count + layer->vector_count + 1;
}

struct cor_export_source cor_export_source(const struct cor_layer_schema *layer, size_t index) {
    struct cor_export_source source = {.kind = COR_EXPORT_OF_HEAD,
                                       .name = "head",
                                       .meaning = "seed, plan, experiment and provenance, as name and text"};
    COR_ASSERT(index < cor_export_sources(layer));
    if (index < layer->table_count) {
        const struct cor_table_schema *schema = &layer->tables[index];
        source.kind = COR_EXPORT_OF_TABLE;
        source.number = (uint32_t)index;
        source.meaning = schema->meaning;
        snprintf(source.name, sizeof source.name, "%s", schema->group);
        return source;
    }
    index -= layer->table_count;
    if (index < layer->catalog_count) {
        source.kind = COR_EXPORT_OF_CATALOG;
        source.number = (uint32_t)index;
        source.meaning = layer->catalogs[index].meaning;
        snprintf(source.name, sizeof source.name, "catalog/%s", layer->catalogs[index].group);
        return source;
    }
    index -= layer->catalog_count;
    if (index < layer->vector_count) {
        source.kind = COR_EXPORT_OF_VECTOR;
        source.number = (uint32_t)index;
        source.meaning = layer->vectors[index].meaning;
        snprintf(source.name, sizeof source.name, "vectors/%s", layer->vectors[index].dataset);
    }
    return source;
}

enum cor_status cor_export_find(const struct cor_layer_schema *layer, const char *name,
                                struct cor_export_source *source, struct cor_error *error) {
    struct cor_export_source sources[COR_EXPORT_SOURCES_MAX];
    const char *names[COR_EXPORT_SOURCES_MAX + 1] = {0};
    for (size_t i = 0; i < cor_export_sources(layer); i++) {
        sources[i] = cor_export_source(layer, i);
        names[i] = sources[i].name;
        if (strcmp(names[i], name) == 0) {
            *source = sources[i];
            return COR_OK;
        }
    }
    char known[1024];
    cor_known_names(name, names, known, sizeof known);
    return cor_fail(error, COR_STATUS_INPUT, NULL, known, "no table is called \"%s\"", name);
}

enum { FACTS = 5 };

struct cor_export_fact cor_export_fact(const struct cor_result_header *head, uint32_t index,
                                       char number[COR_FACT]) {
    COR_ASSERT(index < FACTS);
    switch (index) {
    case 0:
        snprintf(number, COR_FACT, "0x%016" PRIx64, head->seed);
        return (struct cor_export_fact){"seed", number};
    case 1:
        snprintf(number, COR_FACT, "%d", head->complete);
        return (struct cor_export_fact){"complete", number};
    case 2:
        snprintf(number, COR_FACT, "%" PRIu64, head->planned_suites);
        return (struct cor_export_fact){"planned_suites", number};
    case 3:
        return (struct cor_export_fact){"experiment", head->experiment};
    default:
        return (struct cor_export_fact){"provenance", head->provenance};
    }
}

void cor_export_real(double real, bool is_narrow, const struct cor_export_number *how, FILE *file) {
    char text[COR_CELL];
    if (!isfinite(real)) { /* JSON has no NaN and no infinity, and readers refuse what overflows */
        fputs(how->is_json ? "null" : isnan(real) ? "NaN" : real < 0 ? "-Inf" : "Inf", file);
        return;
    }
    if (is_narrow)
        cor_float_text((float)real, text);
    else
        cor_real_text(real, text);
    char *point = strchr(text, '.');
    if (point && !how->is_json)
        *point = how->decimal;
    else if (!point && !strchr(text, 'e') && (how->stays_real || (real == 0 && signbit(real))))
        strcat(text, (char[]){how->is_json ? '.' : how->decimal, '0', '\0'}); /* nor is "-0" an integer */
    fputs(text, file);
}

static void put_word(const char *word, bool json, FILE *file) {
    if (json)
        cor_json_quoted(word, file);
    else
        cor_csv_word(word, file);
}

static void put_items(const struct cor_vector_schema *schema, const unsigned char *items, uint64_t count,
                      bool json, FILE *file) {
    size_t size = cor_type_size(schema->type);
    for (uint64_t i = 0; i < count; i++) {
        char text[COR_CELL];
        uint64_t wide = 0;
        memcpy(&wide, items + i * size, size); /* little-endian, as the file */
        if (schema->type == COR_TYPE_F64) {
            double real;
            memcpy(&real, &wide, sizeof real);
            cor_real_text(real, text);
        } else {
            cor_integer_text(wide, text);
        }
        if (json)
            fprintf(file, "{\"%s\":%s}\n", schema->dataset, text);
        else {
            fputs(text, file);
            fputc('\n', file);
        }
    }
}

uint64_t cor_export_rows(const struct cor_result *result, const struct cor_export_source *source) {
    switch (source->kind) {
    case COR_EXPORT_OF_TABLE:
        return cor_result_size(result, source->number);
    case COR_EXPORT_OF_CATALOG:
        return cor_result_head(result)->catalog_size[source->number];
    case COR_EXPORT_OF_VECTOR:
        return cor_result_vector_size(result, source->number);
    case COR_EXPORT_OF_HEAD:
        break;
    }
    return FACTS;
}

enum cor_status cor_export_write(struct cor_result *result, const struct cor_export_source *source,
                                 const struct cor_export *how, FILE *file, struct cor_error *error) {
    bool json = how->format == COR_EXPORT_JSON_LINES;
    enum cor_status status = COR_OK;
    if (source->kind == COR_EXPORT_OF_TABLE)
        return cor_export_table(result, source->number, how, file, error);
    if (how->where)
        return cor_fail(error, COR_STATUS_INPUT, NULL, "leave --where away, or name a table of rows",
                        "%s has no columns to ask for", source->name);
    if (how->columns)
        return cor_fail(error, COR_STATUS_INPUT, NULL, "leave the list of columns away",
                        "%s has no columns to choose from", source->name);
    if (source->kind == COR_EXPORT_OF_CATALOG) {
        const struct cor_result_header *head = cor_result_head(result);
        fputs(json ? "" : "code,name,description\n", file);
        for (size_t i = 0; i < head->catalog_size[source->number]; i++) {
            const struct cor_catalog_entry *entry = &head->catalog[source->number][i];
            fprintf(file, json ? "{\"code\":%u,\"name\":" : "%u,", entry->code);
            put_word(entry->name, json, file);
            fputs(json ? ",\"description\":" : ",", file);
            put_word(entry->description, json, file);
            fputs(json ? "}\n" : "\n", file);
        }
    } else if (source->kind == COR_EXPORT_OF_VECTOR) {
        const struct cor_vector_schema *schema = &cor_result_head(result)->layer->vectors[source->number];
        uint64_t size = cor_result_vector_size(result, source->number);
        unsigned char *items = cor_calloc(ITEMS, cor_type_size(schema->type));
        status = items ? COR_OK : cor_fail_memory(error);
        if (items && !json)
            fprintf(file, "%s\n", schema->dataset);
        for (uint64_t first = 0; first < size && status == COR_OK && !ferror(file); first += ITEMS) {
            uint64_t count = size - first < ITEMS ? size - first : ITEMS;
            status = cor_result_read_vector(result, source->number, first, count, items, error);
            if (status == COR_OK)
                put_items(schema, items, count, json, file);
        }
        free(items);
    } else {
        fputs(json ? "" : "name,text\n", file);
        for (uint32_t i = 0; i < FACTS; i++) {
            char number[COR_FACT];
            const struct cor_export_fact fact = cor_export_fact(cor_result_head(result), i, number);
            fputs(json ? "{\"name\":" : "", file);
            put_word(fact.name, json, file);
            fputs(json ? ",\"text\":" : ",", file);
            put_word(fact.text, json, file);
            fputs(json ? "}\n" : "\n", file);
        }
    }
    return status == COR_OK ? cor_stream_status(file, error) : status;
}

enum cor_status cor_export_list(const struct cor_result *result, enum cor_export_format format, FILE *file,
                                struct cor_error *error) {
    bool json = format == COR_EXPORT_JSON_LINES;
    fputs(json ? "" : "table,rows,meaning\n", file);
    const struct cor_layer_schema *layer = cor_result_head(result)->layer;
    for (size_t i = 0; i < cor_export_sources(layer); i++) {
        struct cor_export_source source = cor_export_source(layer, i);
        fprintf(file, json ? "{\"table\":\"%s\",\"rows\":%" PRIu64 ",\"meaning\":" : "%s,%" PRIu64 ",",
                source.name, cor_export_rows(result, &source));
        put_word(source.meaning, json, file);
        fputs(json ? "}\n" : "\n", file);
    }
    return cor_stream_status(file, error);
}

/* ---- export */

#define ROWS 8192 /* read at a time */

struct job {
    struct cor_result *result;
    FILE *file;
    const struct cor_export *how;
    const struct cor_table_schema *table;
    struct cor_row_cells *cells;          /* owned */
    const struct cor_row_column *columns; /* all that there are */
    uint32_t column_count;
    uint32_t chosen[COR_ROW_COLUMNS_MAX]; /* of these */
    uint32_t chosen_count;
    uint64_t mask;           /* of the columns in the schema */
    struct cor_where *where; /* owned; NULL: all rows */
};

static enum cor_status choose_column(struct job *job, uint32_t column, struct cor_error *error) {
    if (job->chosen_count == COR_ROW_COLUMNS_MAX)
        return cor_fail(error, COR_STATUS_INPUT, NULL, NULL, "more than %d columns", COR_ROW_COLUMNS_MAX);
    job->chosen[job->chosen_count++] = column;
    job->mask |= job->columns[column].reads;
    return COR_OK;
}

static enum cor_status find_column(struct job *job, const char *name, struct cor_error *error) {
    uint32_t column;
    COR_TRY(cor_names_find(COR_RECORD_NAMES(job->columns, job->column_count, struct cor_row_column, name),
                           name, NULL, &column, error, "table %s has no column \"%s\"", job->table->group,
                           name));
    return choose_column(job, column, error);
}

static enum cor_status choose_columns(struct job *job, struct cor_error *error) {
    for (uint32_t c = 0; c < job->column_count && !job->how->columns; c++)
        if (!job->columns[c].is_hidden)
            COR_TRY(choose_column(job, c, error));
    for (const char *const *name = job->how->columns; name && *name; name++)
        COR_TRY(find_column(job, *name, error));
    if (job->chosen_count == 0)
        return cor_fail(error, COR_STATUS_INPUT, NULL, "leave the list away for all columns",
                        "no column is chosen");
    return COR_OK;
}

/* The words that the codes of a column may have, ended by NULL and freed with free(); *words NULL: none. */
static enum cor_status words_of(const struct job *job, const struct cor_row_column *column,
                                const char ***words, struct cor_error *error) {
    const struct cor_result_header *head = cor_result_head(job->result);
    const bool has_catalog = column->catalog < head->layer->catalog_count;
    const char *const *terms = column->schema->family != COR_FAMILY_NONE
                                   ? cor_term_words((enum cor_family)column->schema->family)
                                   : NULL;
    size_t count = has_catalog ? head->catalog_size[column->catalog] : 0;
    *words = NULL;
    while (terms && terms[count])
        count++;
    if (job->how->raw_codes || (!terms && !has_catalog))
        return COR_OK;
    COR_TRY(cor_made(*words = cor_calloc(count + 1, sizeof **words), error));
    for (size_t i = 0; i < count; i++)
        (*words)[i] = terms ? terms[i] : head->catalog[column->catalog][i].name;
    return COR_OK;
}

/* What a condition over rows cannot ask of: texts and the sentence. */
static bool is_asked(const struct cor_row_column *column) {
    return column->schema && !column->is_text;
}

/* The condition over all columns of the table but texts; those that it reads are read. */
static enum cor_status make_where(struct job *job, struct cor_error *error) {
    enum cor_status status = COR_OK;
    struct cor_where_column columns[COR_COLUMNS_MAX];
    const char **words[COR_COLUMNS_MAX] = {0};
    uint32_t count = 0;
    if (!job->how->where)
        return COR_OK;
    for (uint32_t c = 0; c < job->column_count; c++) {
        const struct cor_row_column *column = &job->columns[c];
        if (!is_asked(column))
            continue;
        COR_TRY_OUT(words_of(job, column, &words[count], error));
        const enum cor_type type = column->schema->type;
        columns[count] =
            (struct cor_where_column){column->name,
                                      words[count] != NULL             ? COR_VALUE_TYPE_ENUMERATION
                                      : cor_row_is_fingerprint(column) ? COR_VALUE_TYPE_STRING
                                      : type == COR_TYPE_F32 || type == COR_TYPE_F64 ? COR_VALUE_TYPE_REAL
                                                                                     : COR_VALUE_TYPE_INTEGER,
                                      words[count]};
        count++;
    }
    COR_TRY_OUT(cor_where_create(job->how->where, columns, count, &job->where, error));
    for (uint32_t i = 0; i < count; i++)
        if (cor_where_reads(job->where, i))
            job->mask |= UINT64_C(1) << i;
out:
    for (uint32_t i = 0; i < COR_COLUMNS_MAX; i++)
        free(words[i]);
    return status;
}

/* Whether the row is one of those that are asked for: sets the cells that the condition reads. */
static enum cor_status choose_row(struct job *job, const unsigned char *row, bool *chosen,
                                  struct cor_error *error) {
    uint32_t asked = 0;
    *chosen = true;
    if (!job->where)
        return COR_OK;
    for (uint32_t c = 0; c < job->column_count; c++) {
        const struct cor_row_column *column = &job->columns[c];
        struct cor_row_cell cell;
        char text[COR_CELL];
        const uint32_t index = asked;
        asked += is_asked(column);
        if (!is_asked(column) || !cor_where_reads(job->where, index))
            continue;
        COR_TRY(cor_row_cell(job->cells, c, row, &cell, error));
        if (cell.kind == COR_ROW_REAL)
            cor_where_real(job->where, index, cor_row_written(column, cell.real));
        else if (cell.kind == COR_ROW_WORD)
            COR_TRY(cor_where_word(job->where, index, cell.word, error));
        else if (cell.kind == COR_ROW_FINGERPRINT) {
            snprintf(text, sizeof text, "0x%016" PRIx64, cell.number);
            COR_TRY(cor_where_word(job->where, index, text, error));
        } else if (!job->how->raw_codes && cor_row_is_code(job->cells, column))
            cor_where_nothing(job->where, index);
        else
            cor_where_count(job->where, index, cell.number);
    }
    *chosen = cor_where_holds(job->where);
    return COR_OK;
}

static enum cor_status put_cell(struct job *job, uint32_t column, const unsigned char *row,
                                struct cor_error *error) {
    const bool json = job->how->format == COR_EXPORT_JSON_LINES;
    struct cor_row_cell cell;
    char text[COR_CELL];
    COR_TRY(cor_row_cell(job->cells, column, row, &cell, error));
    if (cell.kind == COR_ROW_WORD)
        put_word(cell.word, json, job->file);
    else if (cell.kind == COR_ROW_REAL)
        cor_export_real(cell.real, job->columns[column].is_narrow,
                        &(struct cor_export_number){json, '.', false}, job->file);
    else if (json && cell.kind == COR_ROW_FINGERPRINT)
        fprintf(job->file, "\"0x%016" PRIx64 "\"", cell.number);
    else {
        cor_integer_text(cell.number, text);
        fputs(text, job->file);
    }
    return COR_OK;
}

static enum cor_status put_row(struct job *job, const unsigned char *row, struct cor_error *error) {
    const bool json = job->how->format == COR_EXPORT_JSON_LINES;
    for (uint32_t c = 0; c < job->chosen_count; c++) {
        fputs(c > 0 ? "," : json ? "{" : "", job->file);
        if (json)
            fprintf(job->file, "\"%s\":", job->columns[job->chosen[c]].name);
        COR_TRY(put_cell(job, job->chosen[c], row, error));
    }
    fputs(json ? "}\n" : "\n", job->file);
    return COR_OK;
}

enum cor_status cor_export_table(struct cor_result *result, uint32_t table, const struct cor_export *how,
                                 FILE *file, struct cor_error *error) {
    const struct cor_table_schema *schema = &cor_result_head(result)->layer->tables[table];
    enum cor_status status = COR_OK;
    struct job job = {.result = result, .file = file, .how = how, .table = schema};
    unsigned char *rows = NULL;
    COR_TRY(cor_row_cells_create(result, table, how->raw_codes, &job.cells, error));
    job.column_count = cor_row_columns(job.cells, &job.columns);
    COR_TRY_OUT(choose_columns(&job, error));
    COR_TRY_OUT(make_where(&job, error));
    COR_TRY_OUT(cor_made(rows = cor_calloc(ROWS, schema->row_size), error));
    for (uint32_t c = 0; c < job.chosen_count && how->format == COR_EXPORT_CSV; c++)
        fprintf(file, "%s%s", job.columns[job.chosen[c]].name, c + 1 < job.chosen_count ? "," : "\n");
    const uint64_t size = cor_result_size(result, table);
    for (uint64_t first = 0; first < size && !ferror(file); first += ROWS) {
        const uint64_t count = size - first < ROWS ? size - first : ROWS;
        COR_TRY_OUT(cor_result_read_columns(result, table, job.mask, first, count, rows, error));
        for (uint64_t i = 0; i < count; i++) {
            bool chosen;
            COR_TRY_OUT(choose_row(&job, rows + i * schema->row_size, &chosen, error));
            if (chosen)
                COR_TRY_OUT(put_row(&job, rows + i * schema->row_size, error));
        }
    }
out:
    cor_where_destroy(job.where);
    cor_row_cells_destroy(job.cells);
    free(rows);
    return status == COR_OK ? cor_stream_status(file, error) : status;
}
