/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables of a result file as CSV or JSON lines, for spreadsheets and for languages without HDF5. Rows are
 * streamed: memory does not grow with the table. */
#ifndef CORRIDOR_EXPORT_H
#define CORRIDOR_EXPORT_H

#include <corridor/record.h>

#include <stdbool.h>
#include <stdio.h>

enum cor_export_format { COR_EXPORT_CSV, COR_EXPORT_JSON_LINES };

/* What is written, and how. All zero is a good default: CSV, all columns, codes as words. */
struct cor_export {
    enum cor_export_format format;
    const char *const *columns; /* borrowed; names in the order wanted, NULL-terminated; NULL = all. Table
                                   violations has one more, the last: "sentence", the violation in words */
    bool raw_codes;             /* codes as the numbers that the file holds */
};

/* The table called `name`; the message for an unknown one lists the known ones. */
enum cor_status cor_export_find(const char *name, enum cor_table *table,
                                struct cor_error *error) COR_MUST_USE;

/* Writes all rows of a table. Numbers read back exactly: integers in full, reals with as many digits as they
 * need. NaN and infinities are NaN, Inf and -Inf in CSV, and null in JSON, which has none. Codes of terms.h
 * and of the catalogs are words, but for those that have none: these stay numbers. Fingerprints (columns
 * ending in _hash) are "0x..." in JSON. CSV as in RFC 4180, with a header line, but lines end in LF alone. An
 * unknown column is COR_STATUS_INPUT, a failing stream COR_STATUS_FILE. */
enum cor_status cor_export_table(struct cor_result *result, enum cor_table table,
                                 const struct cor_export *how, FILE *file,
                                 struct cor_error *error) COR_MUST_USE;

/* Writes a line for each table: name, rows, meaning; as CSV or JSON lines. */
enum cor_status cor_export_list(const struct cor_result *result, enum cor_export_format format, FILE *file,
                                struct cor_error *error) COR_MUST_USE;

#endif
