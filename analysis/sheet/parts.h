/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of this room share: what a list of sheets consists of, and how a cell looks to a reader. */
#ifndef CORRIDOR_ANALYSIS_SHEET_PARTS_H
#define CORRIDOR_ANALYSIS_SHEET_PARTS_H

#include <corridor/cells.h>
#include <corridor/sheet.h>

struct cor_sheet {
    struct cor_sheets *list; /* borrowed: keeps the texts, and remembers the first failure */
    const struct cor_sheet_definition *definition;
    const char *title;           /* kept by the list; NULL: that of the definition */
    size_t text_rows;            /* that of the definition, or another */
    struct cor_table_cell *cell; /* owned: row by row */
    size_t cell_count, cell_capacity;
    const char **remark; /* owned array of texts kept by the list */
    size_t remark_count, remark_capacity;
};

/* A sheet (owned) or a drawing. */
struct sheet__part {
    struct cor_sheet *sheet; /* NULL: a drawing */
    cor_drawing *drawing;
    void *context;
    void (*destroy)(void *context);
    bool is_left_out; /* by a condition over rows: none of its rows can be asked */
};

struct cor_sheets {
    const char *schema;
    int version;
    struct sheet__part *part; /* owned */
    size_t part_count, part_capacity;
    struct sheet__block *block; /* owned: memory of texts and estimates */
    enum cor_status status;     /* the first failure */
    struct cor_sheet lost;      /* stands for the sheets that there was no memory for; takes nothing */
};

/* The fields of an estimate where cells are plain: what their names have behind the key of the column. */
enum { SHEET__ESTIMATE_INTERVAL = 4, SHEET__ESTIMATE_SUITES, SHEET__ESTIMATE_FIELDS = 7 };
extern const char *const sheet__estimate_ends[SHEET__ESTIMATE_FIELDS];

/* Frees what a part owns. */
void sheet__part_destroy(struct sheet__part *part);

/* Status of what a sheet was filled with, with the cause; asserts that its last row is complete. */
enum cor_status sheet__sheet_status(const struct cor_sheet *sheet, struct cor_error *error) COR_MUST_USE;

#endif
