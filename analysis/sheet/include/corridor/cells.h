/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers and words as they stand in files of text, CSV, JSON and HTML. */
#ifndef CORRIDOR_CELLS_H
#define CORRIDOR_CELLS_H

#include <corridor/json.h>

#include <stdint.h>
#include <stdio.h>

#define COR_CELL 40 /* bytes that hold any number */

/* Decimal digits of a number; a finite real gets as many as it needs to read back exactly, a float those of a
 * float. Ended by 0. */
void cor_integer_text(uint64_t value, char text[COR_CELL]);
void cor_real_text(double value, char text[COR_CELL]);
void cor_float_text(float value, char text[COR_CELL]);

/* For a reader: four digits that count, two if the number is very large or small, no exponent for what is
 * read as a plain number, no point behind whole numbers; "n/a" for NaN and infinities. */
void cor_brief_text(double value, char text[COR_CELL]);

/* A word as a field of CSV (RFC 4180), quoted only if it must be, or looks like a formula. */
void cor_csv_word(const char *word, FILE *file);

/* Bytes of the UTF-8 character at `text`, which is not at its end, and its code point; 0 if there is none:
 * stray and missing bytes, overlong forms, surrogates. */
size_t cor_utf8_code(const char *text, uint32_t *code);
#define COR_UNSAYABLE "\xef\xbf\xbd" /* U+FFFD in UTF-8, for bytes that are none */

/* Characters of a text as a reader counts them. */
size_t cor_utf8_length(const char *text);

/* Writes the character at `text`, which is not at its end, as a reader may see it: control characters of
 * ASCII and C1 as blanks; those that end lines or turn text, and bytes that are no UTF-8, as U+FFFD. Returns
 * the bytes taken, at least 1. */
size_t cor_put_shown(FILE *file, const char *text);

/* A word as a string of JSON. Bytes that are no UTF-8 become U+FFFD, as JSON has no way to say them. */
void cor_json_quoted(const char *word, FILE *file);

/* Text as content of HTML or as a quoted attribute: markup escaped, the rest as cor_put_shown has it; at most
 * so many characters of it, with an ellipsis if there are more; and lines that stay lines, the last one ended,
 * of so many bytes at most. */
void cor_html_text(FILE *file, const char *text);
void cor_html_short(FILE *file, const char *text, size_t characters);
void cor_html_lines(FILE *file, const char *text, size_t bytes);

/* COR_STATUS_FILE if writing to `file` has failed. */
enum cor_status cor_stream_status(FILE *file, struct cor_error *error) COR_MUST_USE;

/* A member that counts; beyond what JSON's integers hold here it is the greatest of them. */
void cor_put_count(struct cor_json_writer *writer, const char *key, uint64_t count);

/* The finished document and the end of its last line into `file`, and the end of the writer. */
enum cor_status cor_json_print_take(struct cor_json_writer *writer, int indent, FILE *file,
                                    struct cor_error *error) COR_MUST_USE;

#endif
