/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/agent_schema.h>

COR_AGENT_TABLES(COR_EACH_COLUMNS, )
static const struct cor_table_schema tables[] = {COR_AGENT_TABLES(COR_EACH_TABLE, )};
static const struct cor_vector_schema vectors[] = {COR_AGENT_VECTORS(COR_EACH_VECTOR, )};
static const struct cor_catalog_schema catalogs[] = {COR_AGENT_CATALOGS(COR_EACH_CATALOG, )};
static const struct cor_offset_column offsets[] = {
    {COR_AGENT_TABLE_TRACES, offsetof(struct cor_agent_trace_row, value_start), COR_AGENT_VECTOR_TRACE_VALUE},
};
COR_LAYER_FITS(COR_AGENT_)

const struct cor_layer_schema cor_agent_schema = {
    .name = "agent",
    .holds = "tests of agents",
    .view = "findings",
    .suites = "repeat",
    .suites_catalog = COR_AGENT_CATALOG_UNIT,
    .suites_list = "units",
    .format = COR_agent_FORMAT_NAME,
    .major = COR_AGENT_FORMAT_MAJOR,
    .minor = COR_LAYER_MINOR(COR_AGENT_),
    .main_table = "/findings",
    COR_LAYER_LISTS(COR_AGENT_),
    .unasked = "values of cases are chosen by classes, not drawn: there is no probability of them",
};
