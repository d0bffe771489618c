/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What can be exported beside the tables of the schema: catalogs, vectors, and what the file holds once. */
#include <corridor/array.h>
#include <corridor/cells.h>
#include <corridor/export.h>

#include <inttypes.h>
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

static enum cor_status write_vector(struct cor_result *result, uint32_t vector, bool json, FILE *file,
                                    struct cor_error *error) {
    const struct cor_vector_schema *schema = &cor_result_head(result)->layer->vectors[vector];
    uint64_t size = cor_result_vector_size(result, vector);
    unsigned char *items = cor_calloc(ITEMS, cor_type_size(schema->type));
    enum cor_status status = items ? COR_OK : cor_fail_memory(error);
    if (items && !json)
        fprintf(file, "%s\n", schema->dataset);
    for (uint64_t first = 0; first < size && status == COR_OK && !ferror(file); first += ITEMS) {
        uint64_t count = size - first < ITEMS ? size - first : ITEMS;
        status = cor_result_read_vector(result, vector, first, count, items, error);
        if (status == COR_OK)
            put_items(schema, items, count, json, file);
    }
    free(items);
    return status;
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
        status = write_vector(result, source->number, json, file, error);
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
