/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers and words as cells of text files. */
#ifndef CORRIDOR_ANALYSIS_CELLS_H
#define CORRIDOR_ANALYSIS_CELLS_H

#include <corridor/json.h>
#include <corridor/record.h>

#include <stdint.h>
#include <stdio.h>

#define COR__CELL 40 /* bytes that hold any number */

/* Decimal digits of a number; a finite real gets as many as it needs to read back exactly, a float those of a
 * float. Ended by 0. */
void cor__integer_text(uint64_t value, char *text);
void cor__real_text(double value, char *text);
void cor__float_text(float value, char *text);

/* The sentence of a violation (cor_violation_text). */
#define COR__SENTENCE 1024 /* two reals of 309 digits fit */
void cor__violation_sentence(const struct cor_violation_row *row, char text[COR__SENTENCE]);

/* A word as a field of CSV (RFC 4180), quoted only if it must be. */
void cor__csv_word(const char *word, FILE *file);

/* Bytes of the UTF-8 character at `text`, which is not at its end, and its code point; 0 if there is none:
 * stray and missing bytes, overlong forms, surrogates. */
size_t cor__utf8_code(const char *text, uint32_t *code);

/* A word as a string of JSON. Bytes that are no UTF-8 become U+FFFD, as JSON has no way to say them. */
void cor__json_word(const char *word, FILE *file);
#define COR__UNSAYABLE "\xef\xbf\xbd" /* U+FFFD in UTF-8 */

/* COR_STATUS_FILE if writing to `file` has failed. */
enum cor_status cor__stream_status(FILE *file, struct cor_error *error) COR_MUST_USE;

/* A member that counts; beyond what JSON's integers hold here it is the greatest of them. */
void cor__put_count(struct cor_json_writer *writer, const char *key, uint64_t count);

/* Ends a JSON document: writes it, indented by so many spaces a level, with the end of its last line; frees
 * the writer. */
enum cor_status cor__write_json(struct cor_json_writer *writer, int indent, FILE *file,
                                struct cor_error *error) COR_MUST_USE;

#endif
