/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a result file holds as CSV or JSON lines, for spreadsheets and for languages without HDF5: answers to
 * questions in SQL (query.h). Rows are streamed: memory does not grow with the table. */
#ifndef CORRIDOR_EXPORT_H
#define CORRIDOR_EXPORT_H

#include <corridor/query.h>
#include <corridor/result.h>

#include <stdbool.h>
#include <stdio.h>

/* CSV has a header line, JSON lines an object a row. */
enum cor_export_format { COR_EXPORT_CSV, COR_EXPORT_JSON_LINES };

/* What is written, and how. All zero is a good default: CSV, all columns, codes as words. */
struct cor_export {
    enum cor_export_format format;
    const char *const *columns; /* borrowed; names in the order wanted, NULL-terminated; NULL = all. Table
                                   violations has one more, the last: "sentence", the violation in words. A
                                   text that lies in a vector goes by its name: "command", where the file has
                                   command_start and command_bytes */
    const char *where; /* borrowed; a condition over the columns of the table (where.h), texts and the
                          sentence apart: only rows for which it holds; NULL = all. Words of codes are those
                          that there are, fingerprints are words "0x..", as in JSON */
    bool raw_codes;    /* codes as the numbers that the file holds, texts as where they lie */
};

/* What can be written as a table of its own: the tables of the schema; the catalogs ("catalog/arm": code,
 * name, description); the vectors ("vectors/walk": one column, called like the vector); and "head", the texts
 * and numbers that the file holds once (name, text: seed, complete, planned_suites, experiment, provenance).
 */
enum cor_export_kind { COR_EXPORT_OF_TABLE, COR_EXPORT_OF_CATALOG, COR_EXPORT_OF_VECTOR, COR_EXPORT_OF_HEAD };

#define COR_EXPORT_SOURCES_MAX ((size_t)COR_TABLES_MAX + COR_CATALOGS_MAX + COR_VECTORS_MAX + 1)

/* How many there are in files of a layer, at most COR_EXPORT_SOURCES_MAX. */
size_t cor_export_sources(const struct cor_layer_schema *layer);

/* A source: what of the files of a layer is written, and under which name. Owns nothing. */
struct cor_export_source {
    enum cor_export_kind kind;
    uint32_t number;     /* table, catalog or vector of the layer */
    char name[48];       /* as its path in the file */
    const char *meaning; /* static */
};

/* Source number `index`, below cor_export_sources, in the order of the schema. */
struct cor_export_source cor_export_source(const struct cor_layer_schema *layer, size_t index);

/* The source called `name`; the message for an unknown one lists the known ones. */
enum cor_status cor_export_find(const struct cor_layer_schema *layer, const char *name,
                                struct cor_export_source *source, struct cor_error *error) COR_MUST_USE;

#define COR_FACT 32 /* bytes of a number in it */
struct cor_export_fact {
    const char *name, *text;
};

/* A row of "head", below cor_export_rows of it; its text is the header's, or in `number`. */
struct cor_export_fact cor_export_fact(const struct cor_result_header *head, uint32_t index,
                                       char number[COR_FACT]);

/* Rows of a source. */
uint64_t cor_export_rows(const struct cor_result *result, const struct cor_export_source *source);

/* Writes all rows of a source. Columns can be chosen, and codes left as numbers, in tables of the schema
 * alone; else as cor_export_table. Bytes of texts that are no UTF-8 stay as they are in CSV, and become
 * U+FFFD in JSON. */
enum cor_status cor_export_write(struct cor_result *result, const struct cor_export_source *source,
                                 const struct cor_export *how, FILE *file,
                                 struct cor_error *error) COR_MUST_USE;

/* Writes all rows of a table. Numbers read back exactly: integers in full, reals with as many digits as they
 * need. NaN and infinities are NaN, Inf and -Inf in CSV, and null in JSON, which has none. Codes of terms.h
 * and of the catalogs are words, but for those that have none: these stay numbers. Fingerprints (columns
 * ending in _hash) are "0x..." in JSON. CSV as in RFC 4180, with a header line, but lines end in LF alone. An
 * unknown column is COR_STATUS_INPUT, a failing stream COR_STATUS_FILE. */
enum cor_status cor_export_table(struct cor_result *result, uint32_t table, const struct cor_export *how,
                                 FILE *file, struct cor_error *error) COR_MUST_USE;

/* How the values of a column are written. */
enum cor_form {
    COR_FORM_PLAIN,      /* as SQL has them: a real stays one ("5.0"), NULL is nothing */
    COR_FORM_NUMBER,     /* a text is the digits of a count that SQL's integers cannot hold */
    COR_FORM_REAL,       /* as few digits as it needs ("5"), NULL is NaN */
    COR_FORM_NARROW,     /* likewise of 32 bits */
    COR_FORM_FINGERPRINT /* a text "0x..", in CSV its number */
};

/* Answers in SQL as lines of CSV or of JSON, which has its own separator and decimal point. */
struct cor_lines {
    FILE *file;
    bool is_json;
    char separator, decimal;
    const enum cor_form *forms; /* borrowed, of each column; NULL: plain */
};

/* Writes a row of an answer, an object in JSON; with `values` NULL the names as the head of CSV, nothing in
 * JSON. Numbers read back exactly. */
void cor_lines_put(const struct cor_lines *lines, uint32_t count, const char *const *names,
                   const struct cor_query_value *values);

/* Writes a line for each source: name, rows, meaning; as CSV or JSON lines. */
enum cor_status cor_export_list(const struct cor_result *result, enum cor_export_format format, FILE *file,
                                struct cor_error *error) COR_MUST_USE;

#endif
