/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "frame.h"

#include <corridor/built.h>
#include <corridor/hash.h>
#include <corridor/schema.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Result files and journals hold columns as they lie in memory. */
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "journals are little-endian, and so must be the machine");
_Static_assert(sizeof(float) == 4 && sizeof(double) == 8, "columns hold IEEE 754 numbers");

COR_TABLES(COR_EACH_COLUMNS, )
static const struct cor_table_schema tables[] = {COR_TABLES(COR_EACH_TABLE, )};
static const struct cor_vector_schema vectors[] = {COR_VECTORS(COR_EACH_VECTOR, )};
static const struct cor_catalog_schema catalogs[] = {COR_CATALOGS(COR_EACH_CATALOG, )};
static const struct cor_offset_column offsets[] = {
    {COR_TABLE_SEQUENCES, offsetof(struct cor_sequence_row, walk_start), COR_VECTOR_WALK},
    {COR_TABLE_FAILURES, offsetof(struct cor_failure_row, block_start), COR_VECTOR_SOLUTION_BLOCK_SIZE},
    {COR_TABLE_FAILURES, offsetof(struct cor_failure_row, member_start), COR_VECTOR_SOLUTION_MEMBER},
    {COR_TABLE_FAILURES, offsetof(struct cor_failure_row, structure_start), COR_VECTOR_STRUCTURE},
    {COR_TABLE_SMOKES, offsetof(struct cor_smoke_row, words_start), COR_VECTOR_WORDS},
    {COR_TABLE_CONSTRAINTS, offsetof(struct cor_constraint_row, sentence_start), COR_VECTOR_SENTENCES},
};
COR_LAYER_FITS(COR_)

static const struct cor_property_source asked = {
    .of = "sequences",
    .one = "sequence",
    .drawn = "configuration and environment",
    .cut_by = "a mechanism or a monitor failed, not the algorithm, and ended",
    .cut_remedy = "; the table of smokes says how",
    .tables = {COR_TABLE_CASES, COR_TABLE_REORGANIZATIONS},
    .own = (const char *const[]){"case", "inside", "alarm", "failed", NULL},
    .limit = "cases",
    .is_kept = true,
};

const struct cor_layer_schema cor_interaction_schema = {
    .name = "interaction",
    .holds = "campaigns of algorithms",
    .view = "tables",
    .suites = "suites",
    .format = COR_FORMAT_NAME,
    .major = COR_FORMAT_MAJOR,
    .minor = COR_LAYER_MINOR(COR_),
    .main_table = "/cases",
    COR_LAYER_LISTS(COR_),
    .asked = &asked,
};

#define COR_LAYER_SCHEMA(word) extern const struct cor_layer_schema cor_##word##_schema;
COR_LAYERS(COR_LAYER_SCHEMA)
#undef COR_LAYER_SCHEMA

const struct cor_layer_schema *const *cor_layer_schemas(void) {
    static const struct cor_layer_schema *const layers[] = {
#define COR_LAYER_SCHEMA(word) &cor_##word##_schema,
        COR_LAYERS(COR_LAYER_SCHEMA) NULL
#undef COR_LAYER_SCHEMA
    };
    return layers;
}

COR_WORDS(record__type_word, enum cor_type, "uint8", "uint16", "uint32", "uint64", "float32", "float64")

static uint64_t hash_text(uint64_t hash, const char *text) {
    return cor_hash_bytes(hash, text, strlen(text));
}

uint64_t record__schema_hash(const struct cor_layer_schema *layer) {
    uint64_t hash = COR_HASH_SEED;
    for (uint32_t t = 0; t < layer->table_count; t++) {
        const struct cor_table_schema *schema = &layer->tables[t];
        hash = hash_text(hash, schema->group);
        for (uint32_t c = 0; c < schema->column_count; c++) {
            hash = hash_text(hash, schema->columns[c].name);
            hash = hash_text(hash, record__type_word(schema->columns[c].type));
        }
    }
    for (uint32_t v = 0; v < layer->vector_count; v++) {
        hash = hash_text(hash, layer->vectors[v].dataset);
        hash = hash_text(hash, record__type_word(layer->vectors[v].type));
    }
    return hash;
}

static void put_member(FILE *out, const char *before, const char *name, const char *text) {
    fputs(before, out);
    putc('"', out);
    fputs(name, out);
    fputs("\": \"", out);
    /* A string of JSON; the schema has no control characters. */
    for (;;) {
        const size_t plain = strcspn(text, "\"\\");
        fwrite(text, 1, plain, out);
        text += plain;
        if (!*text)
            break;
        putc('\\', out);
        putc(*text++, out);
    }
    putc('"', out);
}

char *record__schema_json(const struct cor_layer_schema *layer) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    fprintf(out, "{\"format\": \"%s\", \"format_version\": \"%u.%u.0\",\n", layer->format,
            (unsigned)layer->major, (unsigned)layer->minor);
    fputs(" \"tables\": [\n", out);
    for (uint32_t t = 0; t < layer->table_count; t++) {
        fputs(t > 0 ? ",\n" : "", out);
        const struct cor_table_schema *schema = &layer->tables[t];
        put_member(out, "  {", "name", schema->group);
        put_member(out, ", ", "meaning", schema->meaning);
        fputs(", \"columns\": [\n", out);
        for (uint32_t c = 0; c < schema->column_count; c++) {
            fputs(c > 0 ? ",\n" : "", out);
            const struct cor_column *column = &schema->columns[c];
            put_member(out, "    {", "name", column->name);
            put_member(out, ", ", "type", record__type_word(column->type));
            put_member(out, ", ", "unit", column->unit);
            put_member(out, ", ", "meaning", column->meaning);
            if (column->family != COR_FAMILY_NONE) {
                /* The words of a family by their numbers. */
                const char *before = ", \"codes\": {";
                for (const struct cor_term *term = cor_terms(column->family); term->word; term++) {
                    char number[16];
                    snprintf(number, sizeof number, "%d", term->number);
                    put_member(out, before, number, term->word);
                    before = ", ";
                }
                putc('}', out);
            }
            if (column->since > 0)
                fprintf(out, ", \"since\": \"%u.%u.0\"", (unsigned)layer->major, (unsigned)column->since);
            putc('}', out);
        }
        fputs("]}", out);
    }
    fputs("],\n \"vectors\": [\n", out);
    for (uint32_t v = 0; v < layer->vector_count; v++) {
        fputs(v > 0 ? ",\n" : "", out);
        put_member(out, "  {", "name", layer->vectors[v].dataset);
        put_member(out, ", ", "type", record__type_word(layer->vectors[v].type));
        put_member(out, ", ", "meaning", layer->vectors[v].meaning);
        putc('}', out);
    }
    fputs("],\n \"catalogs\": [\n", out);
    for (uint32_t c = 0; c < layer->catalog_count; c++) {
        fputs(c > 0 ? ",\n" : "", out);
        put_member(out, "  {", "name", layer->catalogs[c].group);
        put_member(out, ", ", "meaning", layer->catalogs[c].meaning);
        putc('}', out);
    }
    fputs("]}\n", out);
    int failed = ferror(out);
    if (fclose(out) != 0 || failed) {
        free(text);
        return NULL;
    }
    return text;
}

bool cor_column_explains_zero(const struct cor_column *column) {
    return strstr(column->meaning, "0 = ") != NULL;
}

uint32_t cor_column_text(const struct cor_layer_schema *layer, uint32_t table, uint32_t index) {
    static const char start[] = "_start", bytes[] = "_bytes";
    const struct cor_table_schema *schema = &layer->tables[table];
    if (index + 1 >= schema->column_count)
        return layer->vector_count;
    const struct cor_column *from = &schema->columns[index], *length = from + 1;
    const size_t name = strlen(from->name);
    if (name < sizeof start || strcmp(from->name + name - strlen(start), start) != 0 ||
        strlen(length->name) != name || strncmp(from->name, length->name, name - strlen(start)) != 0 ||
        strcmp(length->name + name - strlen(bytes), bytes) != 0 || length->type != COR_TYPE_U32)
        return layer->vector_count;
    for (uint32_t o = 0; o < layer->offset_count; o++)
        if (layer->offsets[o].table == table && layer->offsets[o].offset == from->offset)
            return layer->vectors[layer->offsets[o].vector].type == COR_TYPE_U8 ? layer->offsets[o].vector
                                                                                : layer->vector_count;
    return layer->vector_count;
}

/* How many numbers the meaning lists from 1 on: "1: .., 2: ..". */
static int numbers_listed(const char *meaning) {
    char next[16];
    int listed = 0;
    for (const char *at = meaning; at; at = strstr(at, next)) {
        listed++;
        snprintf(next, sizeof next, ", %d: ", listed + 1);
    }
    return listed;
}

bool cor_column_holds(const struct cor_column *column, uint8_t value) {
    if (column->type != COR_TYPE_U8)
        return true;
    if (column->family != COR_FAMILY_NONE)
        return cor_term(column->family, value) != NULL || (value == 0 && cor_column_explains_zero(column));
    if (strncmp(column->meaning, "1 if ", 5) == 0)
        return value <= 1;
    return strncmp(column->meaning, "1: ", 3) != 0 || value <= numbers_listed(column->meaning);
}

const struct cor_column *cor_table_column(const struct cor_table_schema *table, const char *name) {
    for (uint32_t c = 0; c < table->column_count; c++)
        if (strcmp(table->columns[c].name, name) == 0)
            return &table->columns[c];
    return NULL;
}

uint32_t cor_column_catalog(const struct cor_layer_schema *layer, const struct cor_column *column) {
    static const char mark[] = "code in catalog/";
    const char *name = strstr(column->meaning, mark);
    uint32_t c = 0;
    if (!name || column->type != COR_TYPE_U16)
        return layer->catalog_count;
    name += sizeof mark - 1;
    const size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz_");
    while (c < layer->catalog_count && (strlen(layer->catalogs[c].group) != length ||
                                        strncmp(layer->catalogs[c].group, name, length) != 0))
        c++;
    return c;
}
