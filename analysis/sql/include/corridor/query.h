/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Questions in SQL to result files. Each file is a database that SQLite reads: its tables, catalogs
 * (catalog_arm), vectors (vectors_walk) and head, with the columns and words of the exports (row_cells.h).
 * Nothing is copied but what is asked for, and nothing can be written. */
#ifndef CORRIDOR_QUERY_H
#define CORRIDOR_QUERY_H

#include <corridor/layer_tables.h>
#include <corridor/result.h>

#include <stdbool.h>
#include <stdint.h>

#define COR_QUERY_FILES_MAX 8 /* SQLite attaches ten, and has one of its own */
#define COR_QUERY_STEPS 5000  /* millions of steps of SQLite's machine, if nothing else is said */

enum cor_query_value_kind { COR_QUERY_NULL, COR_QUERY_INTEGER, COR_QUERY_REAL, COR_QUERY_TEXT };

/* A value of an answer; the text until the next row. */
struct cor_query_value {
    enum cor_query_value_kind kind;
    int64_t integer;
    double real;
    const char *text;
};

/* Takes an answer: first, with `values` NULL, the names of its columns, then each row. */
typedef enum cor_status cor_query_hear(void *data, uint32_t count, const char *const *names,
                                       const struct cor_query_value *values, struct cor_error *error);

/* Files that are asked together. */
struct cor_query;

/* Results and their names are borrowed: names[i] is how SQL calls a file; tables of the first one that has a
 * table of that name are meant where no file is named. At most COR_QUERY_FILES_MAX, names all different. */
enum cor_status cor_query_open(struct cor_result *const *results, const char *const *names, uint32_t count,
                               struct cor_query **query, struct cor_error *error) COR_MUST_USE;

/* The same of one file whose tables are in memory, as a view has them; borrowed. */
enum cor_status cor_query_open_tables(const struct cor_layer_tables *tables, struct cor_query **query,
                                      struct cor_error *error) COR_MUST_USE;

/* The same of one source of one file, as it is stored: reals of 32 bits as they are, and if it is `raw` codes
 * as numbers, and where texts lie instead of them. */
struct cor_export_source;
enum cor_status cor_query_open_stored(struct cor_result *result, const struct cor_export_source *source,
                                      bool raw, struct cor_query **query,
                                      struct cor_error *error) COR_MUST_USE;

/* Makes what SQL calls made('what', a, b), of numbers, say of the row that `a` is; a NULL is 0. *value is
 * NULL when it is called; its text is freed by who calls. */
typedef enum cor_status cor_query_make(const void *data, const char *what, uint64_t a, uint64_t b,
                                       struct cor_query_value *value, struct cor_error *error);

/* From here on questions may have what `make` makes, NULL: nothing, `data` is borrowed; and the temporary
 * tables and views that statements of SQL make, a list that ends with NULL; NULL: none. */
enum cor_status cor_query_let(struct cor_query *query, cor_query_make *make, const void *data,
                              const char *const *statements, struct cor_error *error) COR_MUST_USE;

/* NULL is allowed. */
void cor_query_close(struct cor_query *query);

/* What stands for a name of a text: {":arm", {COR_QUERY_TEXT, .text = "A"}}; a list of these ends with a name
 * of NULL. Names that nothing is given for are NULL. */
struct cor_query_given {
    const char *name;
    struct cor_query_value value;
};

/* Tells how far a call is, behind each million steps: so many of at most so many. */
typedef void cor_query_step(void *data, uint64_t used, uint64_t most);
void cor_query_watch(struct cor_query *query, cor_query_step *step, void *data);

/* Executes the statements of a text one after the other: those that answer are heard. COR_STATUS_INPUT: the
 * text is no SQL, wants to write, asks for what is not there, or for more than so many millions of steps, or
 * for more memory than a query may take; or a row of a file is damaged. A step that takes longer than 2 s of
 * CPU time, 52 s of as many as are usual, ends the process by SIGVTALRM: whoever asks what users write is a
 * child. `given` may be NULL. */
enum cor_status cor_query_ask(struct cor_query *query, const char *text, const struct cor_query_given *given,
                              uint64_t steps, cor_query_hear *hear, void *data,
                              struct cor_error *error) COR_MUST_USE;

/* An answer in memory: values of its rows, one after the other; their texts are its own. */
struct cor_query_answer {
    struct cor_query_value *values; /* owned */
    size_t rows, capacity;
    uint32_t columns;
    char **names; /* owned, [columns] */
};

/* Executes a text of one statement as above, with no limit of steps, and keeps its answer, which is to be
 * released whatever comes of it. */
enum cor_status cor_query_collect(struct cor_query *query, const char *text,
                                  const struct cor_query_given *given, struct cor_query_answer *answer,
                                  struct cor_error *error) COR_MUST_USE;

/* Idempotent. */
void cor_query_answer_fini(struct cor_query_answer *answer);

/* Columns of `detections`, a table that files of the interaction layer have beside their own: a row a
 * sequence, of a sample; ended by NULL. */
struct cor_query_column {
    const char *name, *unit, *meaning;
};
extern const struct cor_query_column cor_query_detections[];

/* The name by which SQL calls a source of export.h: "catalog/arm" is catalog_arm. */
void cor_query_table_name(const char *source, char *name, size_t size);

#endif
