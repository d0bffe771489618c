/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables that a test has made. */
#ifndef CORRIDOR_ANALYSIS_VIEWS_TESTS_SHOWN_H
#define CORRIDOR_ANALYSIS_VIEWS_TESTS_SHOWN_H

#include "shown_tables.h"
#include "two_suites.h"

static inline struct cor_tables *make_tables(struct cor_result *result) {
    struct cor_tables *tables = NULL;
    struct cor_error error = COR_NO_ERROR;
    OK(cor_tables_create(result, 0.95, COR_INTERVAL_LINEARISED, &tables, &error));
    return tables;
}

#endif
