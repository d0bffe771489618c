/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables that a test has made, as the view shows them. */
#ifndef CORRIDOR_ANALYSIS_VIEWS_TESTS_SHOWN_TABLES_H
#define CORRIDOR_ANALYSIS_VIEWS_TESTS_SHOWN_TABLES_H

#include "views.h"

static inline enum cor_status show_tables(const struct cor_tables *tables, const struct cor_style *style,
                                          bool json, const char *csv, FILE *file, struct cor_error *error) {
    enum cor_status status = COR_OK;
    struct cor_sheets *sheets = NULL;
    COR_TRY(cor_sheets_create("corridor-tables", 2, &sheets, error));
    views__put_tables(tables, sheets);
    if (json)
        COR_TRY_OUT(cor_sheets_json(sheets, file, error));
    else if (csv)
        COR_TRY_OUT(cor_sheet_csv(cor_sheets_find(sheets, csv), file, error));
    else
        COR_TRY_OUT(cor_sheets_text(sheets, style, file, error));
out:
    cor_sheets_destroy(sheets);
    return status;
}

static inline enum cor_status cor_tables_text(const struct cor_tables *tables, const struct cor_style *style,
                                              FILE *file, struct cor_error *error) {
    return show_tables(tables, style, false, NULL, file, error);
}

static inline enum cor_status cor_tables_json(const struct cor_tables *tables, FILE *file,
                                              struct cor_error *error) {
    return show_tables(tables, NULL, true, NULL, file, error);
}

static inline enum cor_status cor_tables_csv(const struct cor_tables *tables, FILE *file,
                                             struct cor_error *error) {
    return show_tables(tables, NULL, false, "figures", file, error);
}

#endif
