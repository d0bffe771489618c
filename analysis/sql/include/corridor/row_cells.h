/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The cells of a table's rows as users read them: codes as words, texts instead of where they lie, what was
 * violated in a sentence. Exports and queries show the same. */
#ifndef CORRIDOR_ROW_CELLS_H
#define CORRIDOR_ROW_CELLS_H

#include <corridor/result.h>

#include <stdbool.h>
#include <stdint.h>

enum cor_row_cell_kind {
    COR_ROW_NUMBER,      /* also a code without a word */
    COR_ROW_REAL,        /* any, NaN and infinities, too */
    COR_ROW_FINGERPRINT, /* of 64 bits, more than many readers allow a number */
    COR_ROW_WORD
};

struct cor_row_cell {
    enum cor_row_cell_kind kind;
    uint64_t number; /* of a number or a fingerprint */
    double real;
    const char *word; /* until the next cell is asked for */
};

#define COR_ROW_COLUMNS_MAX (2 * COR_COLUMNS_MAX)

/* A column as users see it. */
struct cor_row_column {
    const char *name; /* of a text that of the column which says where it begins, without "_start" */
    const struct cor_column *schema; /* NULL: the sentence; of a text where it begins */
    uint32_t catalog;                /* of the layer, which names its codes; the number of catalogs: none */
    bool is_text;                    /* lies in a vector */
    bool is_hidden;                  /* where a text lies: there is the text */
    bool is_narrow;                  /* a real of 32 bits */
    uint64_t reads;                  /* columns of the schema, as bits: what has to be read of a row for it */
};

/* Columns and cells of one table of a file that is open, which it borrows. */
struct cor_row_cells;

/* raw_codes: codes as the numbers of the file, and where texts lie instead of them. */
enum cor_status cor_row_cells_create(struct cor_result *result, uint32_t table, bool raw_codes,
                                     struct cor_row_cells **cells, struct cor_error *error) COR_MUST_USE;

/* NULL is allowed. */
void cor_row_cells_destroy(struct cor_row_cells *cells);

/* The columns, in the order of the schema; a text stands in front of those that say where it lies, the
 * sentence last. */
uint32_t cor_row_columns(const struct cor_row_cells *cells, const struct cor_row_column **columns);

/* Whether its numbers are fingerprints; whether they are codes, of which some may have no word. */
bool cor_row_is_fingerprint(const struct cor_row_column *column);
bool cor_row_is_code(const struct cor_row_cells *cells, const struct cor_row_column *column);

/* The number as it is written, with as few digits as a narrow one needs: what conditions compare. */
double cor_row_written(const struct cor_row_column *column, double real);

/* The cell of a row of which at least what the column reads was read. COR_STATUS_INPUT: its text lies where
 * none is. */
enum cor_status cor_row_cell(struct cor_row_cells *cells, uint32_t column, const void *row,
                             struct cor_row_cell *cell, struct cor_error *error) COR_MUST_USE;

#endif
