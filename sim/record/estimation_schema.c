/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/estimation_schema.h>

COR_ESTIMATION_TABLES(COR_EACH_COLUMNS, )
static const struct cor_table_schema tables[] = {COR_ESTIMATION_TABLES(COR_EACH_TABLE, )};
static const struct cor_catalog_schema catalogs[] = {COR_ESTIMATION_CATALOGS(COR_EACH_CATALOG, )};
_Static_assert(COR_ESTIMATION_TABLE_COUNT <= COR_TABLES_MAX &&
                   COR_ESTIMATION_CATALOG_COUNT <= COR_CATALOGS_MAX && COR_ESTIMATION_CATALOG_ARM == 0,
               "the layer fits, and its first catalog is that of the arms");

const struct cor_layer_schema cor_estimation_schema = {
    .name = "estimation",
    .holds = "an estimation",
    .view = "estimate",
    .suites = "suites",
    .format = COR_ESTIMATION_FORMAT_NAME,
    .major = COR_ESTIMATION_FORMAT_MAJOR,
    .minor = COR_LAYER_MINOR(COR_ESTIMATION_),
    .main_table = "/repetitions",
    .tables = tables,
    .table_count = COR_ESTIMATION_TABLE_COUNT,
    .catalogs = catalogs,
    .catalog_count = COR_ESTIMATION_CATALOG_COUNT,
};
