/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a result file holds as virtual tables of SQLite; private to the room. */
#ifndef CORRIDOR_ANALYSIS_SQL_SOURCES_H
#define CORRIDOR_ANALYSIS_SQL_SOURCES_H

#include <corridor/export.h>
#include <corridor/layer_tables.h>
#include <corridor/result.h>

#include <sqlite3.h>

/* What a database gets its tables from, and where the first failure is told: SQLite's own messages say less.
 * All borrowed. */
struct sql__file {
    struct cor_result *result;
    const struct cor_layer_tables *tables; /* of the result, in memory; NULL: rows are read */
    const struct cor_export_source *only;  /* the one table, as it is stored; NULL: all, as users see them */
    bool is_raw;                           /* of that table */
    struct cor_error *error;
    uint64_t reads; /* of its rows, each of which counts as so many steps */
};
#define SQL__STEPS_OF_A_READ 4096

/* Makes the tables of a file in the database that is attached by that name, by a module of the same name. */
enum cor_status sql__make_tables(sqlite3 *sqlite, const char *name, struct sql__file *file,
                                 struct cor_error *error) COR_MUST_USE;

/* COR_STATUS_INPUT, or MEMORY, in SQLite's words. */
enum cor_status sql__fail(sqlite3 *sqlite, struct cor_error *error) COR_MUST_USE;

#endif
