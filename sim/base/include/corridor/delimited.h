/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables as text: a line a row, fields apart by one sign, in quotes where they have it in them ("a, b", "say
 * ""so"""). Lines end with LF or CRLF; with CR where the text has no LF. Blanks around a field are left out.
 */
#ifndef CORRIDOR_DELIMITED_H
#define CORRIDOR_DELIMITED_H

#include <corridor/error.h>

#include <stdbool.h>
#include <stddef.h>

/* The text being read, and the field read last. Begun by cor_delimited_begin; `field` is freed by its owner.
 * A copy, with a field of its own, looks ahead. */
struct cor_delimited {
    const char *name; /* of the file, for messages */
    const char *at, *end, *line_start;
    size_t line;         /* from 1 */
    char separator;      /* of fields; a blank stands for any number of blanks and tabs */
    char line_end;       /* '\n', or '\r' */
    const char *comment; /* begins a line that is no row; NULL: nothing does */
    char *field;         /* owned; unquoted, ends with 0 */
    size_t field_capacity, field_length;
    size_t field_line, field_column; /* where it begins, from 1, in bytes */
    bool is_quoted;
    struct cor_error *error;
};

/* At the beginning of `length` bytes of text, which hold no 0. */
struct cor_delimited cor_delimited_begin(const char *text, size_t length, const char *name, char separator,
                                         struct cor_error *error);

/* Complains about the field read last, with its place. */
enum cor_status cor_delimited_fail(const struct cor_delimited *table, const char *remedy,
                                   const char *cause_format, ...) COR_PRINTF(3, 4) COR_MUST_USE;

/* Reads a field and what follows it; `last`: it ends its row. COR_STATUS_INPUT for quotes. */
enum cor_status cor_delimited_next(struct cor_delimited *table, bool *last) COR_MUST_USE;

/* To the line after this one. */
void cor_delimited_skip_line(struct cor_delimited *table);

/* Is it at the end; is the line that follows a comment; are only blanks and line ends left? */
bool cor_delimited_at_end(const struct cor_delimited *table);
bool cor_delimited_is_comment(const struct cor_delimited *table);
bool cor_delimited_is_over(const struct cor_delimited *table);

/* The same place, for looking ahead without complaints; `field` is its own. */
struct cor_delimited cor_delimited_ahead(const struct cor_delimited *table);

/* Would a spreadsheet take the field for a formula: it begins with =, +, -, @, a tab or CR, and is no number?
 * Who writes it puts it in quotes, by which some tell texts. */
bool cor_delimited_is_formula(const char *field);

#endif
