/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What can be exported beside the tables of the schema: catalogs, vectors, and what the file holds once. */
#include "views.h"

#include <corridor/arms.h>
#include <corridor/array.h>
#include <corridor/cells.h>
#include <corridor/export.h>
#include <corridor/suite_reader.h>
#include <corridor/where.h>

#include <inttypes.h>
#include <limits.h>
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

/* A name and a text. */
struct fact {
    const char *name, *text;
};

enum { FACTS = 5 };

struct facts {
    char numbers[3][32];
    struct fact fact[FACTS];
};

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
        const struct cor_result_header *head = cor_result_head(result);
        struct facts facts;
        snprintf(facts.numbers[0], sizeof facts.numbers[0], "0x%016" PRIx64, head->seed);
        snprintf(facts.numbers[1], sizeof facts.numbers[1], "%d", head->complete);
        snprintf(facts.numbers[2], sizeof facts.numbers[2], "%" PRIu64, head->planned_suites);
        facts.fact[0] = (struct fact){"seed", facts.numbers[0]};
        facts.fact[1] = (struct fact){"complete", facts.numbers[1]};
        facts.fact[2] = (struct fact){"planned_suites", facts.numbers[2]};
        facts.fact[3] = (struct fact){"experiment", head->experiment};
        facts.fact[4] = (struct fact){"provenance", head->provenance};
        fputs(json ? "" : "name,text\n", file);
        for (int i = 0; i < FACTS; i++) {
            fputs(json ? "{\"name\":" : "", file);
            put_word(facts.fact[i].name, json, file);
            fputs(json ? ",\"text\":" : ",", file);
            put_word(facts.fact[i].text, json, file);
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
#define COLUMNS_MAX 64
#define NO_CATALOG UINT32_MAX
#define SMOKE_SENTENCE 512 /* bytes, more than outcomes have */

/* One column on its way into a file. */
struct column {
    const struct cor_column *schema;
    uint32_t catalog; /* the catalog that names its codes, NO_CATALOG = none */
    bool is_text;     /* where a text begins; the column behind it in the schema says how many bytes it has */
};

struct job {
    struct cor_result *result;
    FILE *file;
    const struct cor_export *how;
    struct column column[COLUMNS_MAX];
    uint32_t column_count;
    uint64_t mask; /* of the columns in the schema */
    bool is_of_smokes;
    uint32_t text_vector;    /* in which the texts lie that are chosen: those of a table lie in one */
    struct cor_where *where; /* owned; NULL: all rows */
    const struct cor_table_schema *table;
    char *texts; /* owned; NULL: none are chosen */
    uint64_t text_bytes;
    enum cor_status *status; /* of the whole, with what is wrong in `error` */
    struct cor_error *error;
};

/* The one column that no table holds: a violation, or what led to smoke, in words. */
static const struct cor_column sentence = {.name = "sentence"};
static const char *const behind_violation[] = {"check", "agent", "partition", "expected", "found", NULL};
static const char *const behind_smoke[] = {"words_start", "words", NULL};

static uint32_t index_of(const struct cor_table_schema *schema, const char *name) {
    uint32_t index = 0;
    while (index < schema->column_count && strcmp(schema->columns[index].name, name) != 0)
        index++;
    return index;
}

static bool is_smoke(const struct cor_table_schema *schema) {
    return schema == cor_schema(COR_TABLE_SMOKES);
}

static void add_sentence(struct job *job, const struct cor_table_schema *schema) {
    COR_ASSERT(job->column_count < COLUMNS_MAX);
    job->column[job->column_count++] = (struct column){.schema = &sentence, .catalog = NO_CATALOG};
    for (const char *const *column = is_smoke(schema) ? behind_smoke : behind_violation; *column; column++)
        job->mask |= UINT64_C(1) << index_of(schema, *column);
}

static bool has_sentence(const struct cor_table_schema *schema) {
    return schema == cor_schema(COR_TABLE_VIOLATIONS) || is_smoke(schema);
}

static void add_column(struct job *job, const struct cor_table_schema *schema, uint32_t index) {
    COR_ASSERT(job->column_count < COLUMNS_MAX);
    const struct cor_layer_schema *layer = cor_result_head(job->result)->layer;
    const uint32_t catalog = cor_column_catalog(layer, &schema->columns[index]);
    job->column[job->column_count++] = (struct column){
        .schema = &schema->columns[index], .catalog = catalog < layer->catalog_count ? catalog : NO_CATALOG};
    job->mask |= UINT64_C(1) << index;
}

/* The vector of the text that column `index` begins; vector_count: none. */
static uint32_t vector_of(const struct job *job, const struct cor_table_schema *schema, uint32_t index) {
    const struct cor_layer_schema *layer = cor_result_head(job->result)->layer;
    return cor_column_text(layer, (uint32_t)(schema - layer->tables), index);
}

static bool is_text(const struct job *job, const struct cor_table_schema *schema, uint32_t index) {
    return vector_of(job, schema, index) < cor_result_head(job->result)->layer->vector_count;
}

/* A text, in the place of where it begins and how many bytes it has. */
static void add_text(struct job *job, const struct cor_table_schema *schema, uint32_t index) {
    add_column(job, schema, index);
    job->column[job->column_count - 1].is_text = true;
    job->text_vector = vector_of(job, schema, index);
    job->mask |= UINT64_C(1) << (index + 1);
}

/* Letters of the name under which a text goes: those of its first column, without "_start". */
static int text_letters(const struct cor_column *column) {
    return (int)(strlen(column->name) - strlen("_start"));
}

static enum cor_status find_column(struct job *job, const struct cor_table_schema *schema, const char *name,
                                   struct cor_error *error) {
    const char *names[COLUMNS_MAX + 2] = {0};
    uint32_t index = index_of(schema, name);
    if (index < schema->column_count) {
        add_column(job, schema, index);
        return COR_OK;
    }
    /* The text of that name; column_count: none. */
    index = 0;
    while (index < schema->column_count &&
           (!is_text(job, schema, index) || strlen(name) != (size_t)text_letters(&schema->columns[index]) ||
            strncmp(schema->columns[index].name, name, strlen(name)) != 0))
        index++;
    if (index < schema->column_count) {
        add_text(job, schema, index);
        return COR_OK;
    }
    if (has_sentence(schema) && strcmp(name, sentence.name) == 0) {
        add_sentence(job, schema);
        return COR_OK;
    }
    for (uint32_t i = 0; i < schema->column_count; i++)
        names[i] = schema->columns[i].name;
    if (has_sentence(schema))
        names[schema->column_count] = sentence.name;
    char known[1024];
    cor_known_names(name, names, known, sizeof known);
    return cor_fail(error, COR_STATUS_INPUT, NULL, known, "table %s has no column \"%s\"", schema->group,
                    name);
}

/* The words that the codes of a column may have, ended by NULL and freed with free(); *words NULL: none. */
static enum cor_status words_of(const struct job *job, const struct cor_column *column, const char ***words,
                                struct cor_error *error) {
    const struct cor_result_header *head = cor_result_head(job->result);
    const uint32_t catalog = cor_column_catalog(head->layer, column);
    const bool has_catalog = catalog < head->layer->catalog_count;
    const char *const *terms =
        column->family != COR_FAMILY_NONE ? cor_term_words((enum cor_family)column->family) : NULL;
    size_t count = has_catalog ? head->catalog_size[catalog] : 0;
    *words = NULL;
    while (terms && terms[count])
        count++;
    if (!terms && !has_catalog)
        return COR_OK;
    COR_TRY(cor_made(*words = cor_calloc(count + 1, sizeof **words), error));
    for (size_t i = 0; i < count; i++)
        (*words)[i] = terms ? terms[i] : head->catalog[catalog][i].name;
    return COR_OK;
}

static bool is_fingerprint(const struct cor_column *column) {
    size_t length = strlen(column->name);
    return length > 5 && strcmp(column->name + length - 5, "_hash") == 0;
}

/* What a condition over rows may say of a column of the table. */
static enum cor_value_type type_of(const struct cor_column *column, bool has_words) {
    return has_words                                                      ? COR_VALUE_TYPE_ENUMERATION
           : is_fingerprint(column)                                       ? COR_VALUE_TYPE_STRING
           : column->type == COR_TYPE_F32 || column->type == COR_TYPE_F64 ? COR_VALUE_TYPE_REAL
                                                                          : COR_VALUE_TYPE_INTEGER;
}

/* The condition over all columns of the table but texts; those that it reads are read. */
static enum cor_status make_where(struct job *job, struct cor_error *error) {
    enum cor_status status = COR_OK;
    const struct cor_table_schema *schema = job->table;
    struct cor_where_column columns[COLUMNS_MAX];
    const char **words[COLUMNS_MAX] = {0};
    if (!job->how->where)
        return COR_OK;
    COR_ASSERT(schema->column_count <= COLUMNS_MAX);
    for (uint32_t i = 0; i < schema->column_count; i++) {
        const struct cor_column *column = &schema->columns[i];
        if (!job->how->raw_codes)
            COR_TRY_OUT(words_of(job, column, &words[i], error));
        columns[i] = (struct cor_where_column){column->name, type_of(column, words[i] != NULL), words[i]};
    }
    COR_TRY_OUT(cor_where_create(job->how->where, columns, schema->column_count, &job->where, error));
    for (uint32_t i = 0; i < schema->column_count; i++)
        if (cor_where_reads(job->where, i))
            job->mask |= UINT64_C(1) << i;
out:
    for (uint32_t i = 0; i < schema->column_count; i++)
        free(words[i]);
    return status;
}

static enum cor_status choose_columns(struct job *job, const struct cor_table_schema *schema,
                                      struct cor_error *error) {
    enum cor_status status = COR_OK;
    if (!job->how->columns)
        for (uint32_t i = 0; i < schema->column_count; i++) {
            if (job->how->raw_codes || !is_text(job, schema, i))
                add_column(job, schema, i);
            else
                add_text(job, schema, i++);
        }
    if (!job->how->columns && has_sentence(schema))
        add_sentence(job, schema);
    for (const char *const *name = job->how->columns; name && *name && status == COR_OK; name++)
        status = job->column_count == COLUMNS_MAX
                     ? cor_fail(error, COR_STATUS_INPUT, NULL, NULL, "more than %d columns", COLUMNS_MAX)
                     : find_column(job, schema, *name, error);
    if (status == COR_OK && job->column_count == 0)
        return cor_fail(error, COR_STATUS_INPUT, NULL, "leave the list away for all columns",
                        "no column is chosen");
    return status;
}

/* The word of a code, NULL if it has none. */
static const char *word_of(const struct job *job, const struct column *column, uint64_t code) {
    const char *word = "?";
    if (job->how->raw_codes || code > UINT16_MAX)
        return NULL;
    if (column->schema->family != COR_FAMILY_NONE)
        word = cor_term_word(column->schema->family, (int)code);
    else if (column->catalog != NO_CATALOG)
        word = cor_result_name(job->result, column->catalog, (uint16_t)code);
    return strcmp(word, "?") == 0 ? NULL : word;
}

/* JSON has no NaN and no infinity, and readers refuse what overflows. */
static void put_real(const struct job *job, double value, const char *text) {
    if (value == 0 && signbit(value))
        fputs("-0.0", job->file); /* "-0" is an integer to many readers of JSON, and loses its sign */
    else if (isfinite(value))
        fputs(text, job->file);
    else if (job->how->format == COR_EXPORT_JSON_LINES)
        fputs("null", job->file);
    else
        fputs(isnan(value) ? "NaN" : value < 0 ? "-Inf" : "Inf", job->file);
}

static void put_word_export(const struct job *job, const char *word) {
    if (job->how->format == COR_EXPORT_JSON_LINES)
        cor_json_quoted(word, job->file);
    else
        cor_csv_word(word, job->file);
}

/* Of an arm that the catalog knows. */
static enum cor_structure_kind kind_of(const struct job *job, uint16_t arm) {
    const struct cor_result_header *head = cor_result_head(job->result);
    const size_t index = cor_arm_of_code(head, arm);
    return index < cor_arm_count(head) ? cor_arm_kind(cor_arm_entry(head, index))
                                       : COR_STRUCTURE_PARTITIONING;
}

/* A text of a row; one that lies beyond the vector ends the export. */
static void put_text(const struct job *job, const struct column *column, const unsigned char *row) {
    uint64_t start;
    uint32_t bytes;
    memcpy(&start, row + column->schema[0].offset, sizeof start);
    memcpy(&bytes, row + column->schema[1].offset, sizeof bytes);
    char *text = NULL;
    if (start > job->text_bytes || bytes > job->text_bytes - start || bytes > INT_MAX)
        *job->status =
            cor_fail(job->error, COR_STATUS_INPUT, NULL, "take another copy, or run the experiment again",
                     "%s and %s name bytes %" PRIu64 " to %" PRIu64 " of the texts, which have %" PRIu64,
                     column->schema[0].name, column->schema[1].name, start, start + bytes, job->text_bytes);
    else
        *job->status = cor_made(text = cor_format("%.*s", (int)bytes, job->texts + start), job->error);
    if (text)
        put_word_export(job, text);
    free(text);
}

static enum cor_status read_texts(struct job *job, struct cor_error *error) {
    bool is_chosen = false;
    for (uint32_t c = 0; c < job->column_count; c++)
        is_chosen = is_chosen || job->column[c].is_text;
    if (!is_chosen)
        return COR_OK;
    job->text_bytes = cor_result_vector_size(job->result, job->text_vector);
    COR_TRY(cor_made(job->texts = cor_calloc(job->text_bytes, 1), error));
    return job->text_bytes == 0
               ? COR_OK
               : cor_result_read_vector(job->result, job->text_vector, 0, job->text_bytes, job->texts, error);
}

/* Sets a cell that the condition reads. Narrow reals are the numbers that are written. */
static enum cor_status set_cell(const struct job *job, uint32_t index, const unsigned char *row,
                                struct cor_error *error) {
    const struct cor_column *schema = &job->table->columns[index];
    const uint32_t catalog = cor_column_catalog(cor_result_head(job->result)->layer, schema);
    const struct column column = {
        .schema = schema,
        .catalog = catalog < cor_result_head(job->result)->layer->catalog_count ? catalog : NO_CATALOG};
    char text[COR_CELL];
    if (schema->type == COR_TYPE_F32) {
        const float value = (float)cor_column_real(schema, row);
        cor_float_text(value, text);
        cor_where_real(job->where, index, isfinite(value) ? strtod(text, NULL) : NAN);
        return COR_OK;
    }
    if (schema->type == COR_TYPE_F64) {
        cor_where_real(job->where, index, cor_column_real(schema, row));
        return COR_OK;
    }
    const uint64_t number = cor_column_integer(schema, row);
    if (is_fingerprint(schema)) {
        snprintf(text, sizeof text, "0x%016" PRIx64, number);
        return cor_where_word(job->where, index, text, error);
    }
    if (job->how->raw_codes || (schema->family == COR_FAMILY_NONE && column.catalog == NO_CATALOG)) {
        cor_where_count(job->where, index, number);
        return COR_OK;
    }
    const char *word = word_of(job, &column, number);
    if (word)
        return cor_where_word(job->where, index, word, error);
    cor_where_nothing(job->where, index);
    return COR_OK;
}

/* Whether the row is one of those that are asked for. */
static enum cor_status choose_row(const struct job *job, const unsigned char *row, bool *chosen,
                                  struct cor_error *error) {
    *chosen = true;
    if (!job->where)
        return COR_OK;
    for (uint32_t i = 0; i < job->table->column_count; i++)
        if (cor_where_reads(job->where, i))
            COR_TRY(set_cell(job, i, row, error));
    *chosen = cor_where_holds(job->where);
    return COR_OK;
}

static void put_name(const struct job *job, const struct column *column) {
    if (column->is_text)
        fprintf(job->file, "%.*s", text_letters(column->schema), column->schema->name);
    else
        fputs(column->schema->name, job->file);
}

static void put_cell(const struct job *job, const struct column *column, const unsigned char *row) {
    if (column->schema == &sentence) {
        if (job->is_of_smokes) {
            /* Words that cannot be read end the export. */
            struct cor_smoke_row smoke;
            char text[SMOKE_SENTENCE];
            memcpy(&smoke, row, sizeof smoke);
            *job->status = views__smoke_words(job->result, &smoke, text, sizeof text, job->error);
            put_word_export(job, text);
        } else {
            struct cor_violation_row violation;
            char text[COR_SENTENCE];
            memcpy(&violation, row, sizeof violation);
            cor_violation_sentence(kind_of(job, violation.arm), &violation, cor_result_head(job->result),
                                   text);
            put_word_export(job, text);
        }
        return;
    }
    if (column->is_text) {
        put_text(job, column, row);
        return;
    }
    if (column->schema->type == COR_TYPE_F32) {
        const float value = (float)cor_column_real(column->schema, row);
        char text[COR_CELL];
        cor_float_text(value, text);
        put_real(job, (double)value, text);
        return;
    }
    if (column->schema->type == COR_TYPE_F64) {
        const double value = cor_column_real(column->schema, row);
        char text[COR_CELL];
        cor_real_text(value, text);
        put_real(job, value, text);
        return;
    }
    uint64_t number = cor_column_integer(column->schema, row);
    const char *word = word_of(job, column, number);
    if (!word) {
        /* A number, or a code without a word. Fingerprints use all 64 bits, more than most readers of JSON
         * allow a number. */
        char text[COR_CELL];
        if (job->how->format == COR_EXPORT_JSON_LINES && is_fingerprint(column->schema))
            fprintf(job->file, "\"0x%016" PRIx64 "\"", number);
        else {
            cor_integer_text(number, text);
            fputs(text, job->file);
        }
    } else
        put_word_export(job, word);
}

enum cor_status cor_export_table(struct cor_result *result, uint32_t table, const struct cor_export *how,
                                 FILE *file, struct cor_error *error) {
    const struct cor_table_schema *schema = &cor_result_head(result)->layer->tables[table];
    enum cor_status status = COR_OK;
    struct job job = {.result = result,
                      .file = file,
                      .how = how,
                      .table = schema,
                      .is_of_smokes = is_smoke(schema),
                      .status = &status,
                      .error = error};
    unsigned char *rows = NULL;
    COR_TRY(choose_columns(&job, schema, error));
    COR_TRY_OUT(make_where(&job, error));
    rows = cor_calloc(ROWS, schema->row_size);
    COR_TRY_OUT(cor_made(rows, error));
    COR_TRY_OUT(read_texts(&job, error));
    if (how->format == COR_EXPORT_CSV) {
        for (uint32_t c = 0; c < job.column_count; c++) {
            fputs(c > 0 ? "," : "", job.file);
            put_name(&job, &job.column[c]);
        }
        fputc('\n', job.file);
    }
    uint64_t size = cor_result_size(result, table);
    for (uint64_t first = 0; first < size && status == COR_OK && !ferror(file); first += ROWS) {
        uint64_t count = size - first < ROWS ? size - first : ROWS;
        status = cor_result_read_columns(result, table, job.mask, first, count, rows, error);
        for (uint64_t i = 0; i < count && status == COR_OK; i++) {
            const unsigned char *row = rows + i * schema->row_size;
            bool json = job.how->format == COR_EXPORT_JSON_LINES, chosen;
            status = choose_row(&job, row, &chosen, error);
            if (status != COR_OK || !chosen)
                continue;
            for (uint32_t c = 0; c < job.column_count; c++) {
                fputs(c > 0 ? "," : json ? "{" : "", job.file);
                if (json) {
                    fputc('"', job.file);
                    put_name(&job, &job.column[c]);
                    fputs("\":", job.file);
                }
                put_cell(&job, &job.column[c], row);
            }
            fputs(json ? "}\n" : "\n", job.file);
        }
    }
out:
    cor_where_destroy(job.where);
    free(job.texts);
    free(rows);
    return status == COR_OK ? cor_stream_status(file, error) : status;
}
