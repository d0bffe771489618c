/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "schema_json.h"

#include <stdio.h>
#include <stdlib.h>

/* A string of JSON; the schema has no control characters. */
static void put_text(FILE *out, const char *text) {
    putc('"', out);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            putc('\\', out);
        putc(*text, out);
    }
    putc('"', out);
}

static void put_member(FILE *out, const char *before, const char *name, const char *text) {
    fprintf(out, "%s\"%s\": ", before, name);
    put_text(out, text);
}

/* The words of a family by their numbers. */
static void put_codes(FILE *out, enum cor_family family) {
    const char *before = ", \"codes\": {";
    for (const struct cor_term *term = cor_terms(family); term->word; term++) {
        char number[16];
        snprintf(number, sizeof number, "%d", term->number);
        put_member(out, before, number, term->word);
        before = ", ";
    }
    putc('}', out);
}

static void put_column(FILE *out, const struct cor_column *column) {
    put_member(out, "    {", "name", column->name);
    put_member(out, ", ", "type", cor__type_word(column->type));
    put_member(out, ", ", "unit", column->unit);
    put_member(out, ", ", "meaning", column->meaning);
    if (column->family != COR_FAMILY_NONE)
        put_codes(out, column->family);
    putc('}', out);
}

static void put_table(FILE *out, const struct cor_table_schema *schema) {
    put_member(out, "  {", "name", schema->group);
    put_member(out, ", ", "meaning", schema->meaning);
    fputs(", \"columns\": [\n", out);
    for (uint32_t c = 0; c < schema->column_count; c++) {
        fputs(c > 0 ? ",\n" : "", out);
        put_column(out, &schema->columns[c]);
    }
    fputs("]}", out);
}

static void put_schema(FILE *out) {
    fprintf(out, "{\"format\": \"%s\", \"format_version\": \"%d.%d.0\",\n", COR_FORMAT_NAME, COR_FORMAT_MAJOR,
            COR_FORMAT_MINOR);
    fputs(" \"tables\": [\n", out);
    for (enum cor_table t = 0; t < COR_TABLE_COUNT; t++) {
        fputs(t > 0 ? ",\n" : "", out);
        put_table(out, cor_schema(t));
    }
    fputs("],\n \"vectors\": [\n", out);
    for (enum cor_vector v = 0; v < COR_VECTOR_COUNT; v++) {
        fputs(v > 0 ? ",\n" : "", out);
        put_member(out, "  {", "name", cor_vector(v)->dataset);
        put_member(out, ", ", "type", cor__type_word(cor_vector(v)->type));
        put_member(out, ", ", "meaning", cor_vector(v)->meaning);
        putc('}', out);
    }
    fputs("],\n \"catalogs\": [\n", out);
    for (enum cor_catalog c = 0; c < COR_CATALOG_COUNT; c++) {
        fputs(c > 0 ? ",\n" : "", out);
        put_member(out, "  {", "name", cor_catalog_group(c));
        put_member(out, ", ", "meaning", cor_catalog_meaning(c));
        putc('}', out);
    }
    fputs("]}\n", out);
}

char *cor__schema_json(void) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    put_schema(out);
    int failed = ferror(out);
    if (fclose(out) != 0 || failed) {
        free(text);
        return NULL;
    }
    return text;
}
