/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/agent_schema.h>

#define COR_TABLE(TABLE, group, name, columns, ...) COR_TABLE_COLUMNS(name, columns)
COR_AGENT_TABLES(COR_TABLE)
#undef COR_TABLE

static const struct cor_table_schema tables[] = {
#define COR_TABLE(TABLE, group, name, columns, ...) COR_TABLE_SCHEMA(group, name, __VA_ARGS__)
    COR_AGENT_TABLES(COR_TABLE)
#undef COR_TABLE
};
static const struct cor_vector_schema vectors[] = {
#define COR_VECTOR(VECTOR, dataset, type, ...) COR_VECTOR_SCHEMA(dataset, type, __VA_ARGS__)
    COR_AGENT_VECTORS(COR_VECTOR)
#undef COR_VECTOR
};
static const struct cor_catalog_schema catalogs[] = {
#define COR_CATALOG(CATALOG, group, meaning) {group, meaning},
    COR_AGENT_CATALOGS(COR_CATALOG)
#undef COR_CATALOG
};
static const struct cor_offset_column offsets[] = {
    {COR_AGENT_TABLE_TRACES, offsetof(struct cor_agent_trace_row, value_start), COR_AGENT_VECTOR_TRACE_VALUE},
};
_Static_assert(COR_AGENT_TABLE_COUNT <= COR_TABLES_MAX && COR_AGENT_VECTOR_COUNT <= COR_VECTORS_MAX &&
                   COR_AGENT_CATALOG_COUNT <= COR_CATALOGS_MAX && COR_AGENT_CATALOG_ARM == 0,
               "the layer fits, and its first catalog is that of the arms");

const struct cor_layer_schema cor_agent_schema = {
    .name = "agent",
    .holds = "tests of agents",
    .view = "findings",
    .suites = "repeat",
    .suites_catalog = COR_AGENT_CATALOG_UNIT,
    .suites_list = "units",
    .format = COR_agent_FORMAT_NAME,
    .major = COR_AGENT_FORMAT_MAJOR,
    .minor = COR_AGENT_FORMAT_MINOR,
    .main_table = "/findings",
    .tables = tables,
    .table_count = COR_AGENT_TABLE_COUNT,
    .vectors = vectors,
    .vector_count = COR_AGENT_VECTOR_COUNT,
    .catalogs = catalogs,
    .catalog_count = COR_AGENT_CATALOG_COUNT,
    .offsets = offsets,
    .offset_count = sizeof offsets / sizeof *offsets,
    .unasked = "values of cases are chosen by classes, not drawn: there is no probability of them",
};
