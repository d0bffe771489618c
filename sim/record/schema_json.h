/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The schema in words: for files, never for judging a file. */
#ifndef CORRIDOR_RECORD_SCHEMA_JSON_H
#define CORRIDOR_RECORD_SCHEMA_JSON_H

#include <corridor/schema.h>

/* "uint8" ... "float64", as numpy calls it. */
const char *cor__type_word(enum cor_type type);

/* A fingerprint of the tables, columns, vectors and their types: a journal can only be read by a build whose
 * rows are the same. */
uint64_t cor__schema_hash(void);

/* The minor version that brought a table. One that came after 1.0 may be missing in older files, and takes
 * part in the fingerprint of the content only if it has rows: what does without it keeps its fingerprint. */
uint32_t cor__table_since(enum cor_table table);

/* The whole schema as a JSON text of its own memory (the dataset /schema); NULL when memory is out. */
char *cor__schema_json(void);

#endif
