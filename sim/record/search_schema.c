/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/search_schema.h>

#define COR_TABLE(TABLE, group, name, columns, ...) COR_TABLE_COLUMNS(name, columns)
COR_SEARCH_TABLES(COR_TABLE)
#undef COR_TABLE

static const struct cor_table_schema tables[] = {
#define COR_TABLE(TABLE, group, name, columns, ...) COR_TABLE_SCHEMA(group, name, __VA_ARGS__)
    COR_SEARCH_TABLES(COR_TABLE)
#undef COR_TABLE
};
static const struct cor_vector_schema vectors[] = {
#define COR_VECTOR(VECTOR, dataset, type, ...) COR_VECTOR_SCHEMA(dataset, type, __VA_ARGS__)
    COR_SEARCH_VECTORS(COR_VECTOR)
#undef COR_VECTOR
};
static const struct cor_catalog_schema catalogs[] = {
#define COR_CATALOG(CATALOG, group, meaning) {group, meaning},
    COR_SEARCH_CATALOGS(COR_CATALOG)
#undef COR_CATALOG
};
static const struct cor_offset_column offsets[] = {
    {COR_SEARCH_TABLE_CORPUS, offsetof(struct cor_search_corpus_row, feature_start),
     COR_SEARCH_VECTOR_FEATURE},
    {COR_SEARCH_TABLE_CORPUS, offsetof(struct cor_search_corpus_row, text_start), COR_SEARCH_VECTOR_TEXT},
    {COR_SEARCH_TABLE_FINDINGS, offsetof(struct cor_search_finding_row, text_start), COR_SEARCH_VECTOR_TEXT},
    {COR_SEARCH_TABLE_REGIONS, offsetof(struct cor_search_region_row, text_start), COR_SEARCH_VECTOR_TEXT},
};
_Static_assert(COR_SEARCH_TABLE_COUNT <= COR_TABLES_MAX && COR_SEARCH_VECTOR_COUNT <= COR_VECTORS_MAX &&
                   COR_SEARCH_CATALOG_COUNT <= COR_CATALOGS_MAX && COR_SEARCH_CATALOG_ARM == 0,
               "the layer fits, and its first catalog is that of the arms");

const struct cor_layer_schema cor_search_schema = {
    .name = "search",
    .holds = "searches",
    .view = "searches",
    .suites = "islands",
    .suites_default = 1,
    .format = COR_SEARCH_FORMAT_NAME,
    .major = COR_SEARCH_FORMAT_MAJOR,
    .minor = COR_SEARCH_FORMAT_MINOR,
    .main_table = "/islands",
    .tables = tables,
    .table_count = COR_SEARCH_TABLE_COUNT,
    .vectors = vectors,
    .vector_count = COR_SEARCH_VECTOR_COUNT,
    .catalogs = catalogs,
    .catalog_count = COR_SEARCH_CATALOG_COUNT,
    .offsets = offsets,
    .offset_count = sizeof offsets / sizeof *offsets,
};

/* Of so many checks and boxes `killers` has bits, smoke in place of the first. */
#define FIRST_CHECKS 12
#define FIRST_BOXES 5

struct cor_failure_class cor_search_class_read(uint64_t killers, uint8_t smoke, uint8_t fault,
                                               const uint64_t checks[COR_BOX_CODES]) {
    struct cor_failure_class class = {.smoke = (enum cor_smoke)smoke, .fault = fault != 0};
    for (int box = 0; box < COR_BOX_CODES; box++)
        class.killers.checks[box] =
            checks[box] |
            (box < FIRST_BOXES ? killers >> box * FIRST_CHECKS & ((1u << FIRST_CHECKS) - 1) : 0);
    return class;
}

uint64_t cor_search_killers(const struct cor_failure_class *class) {
    uint64_t killers = 0;
    for (int box = 0; box < FIRST_BOXES; box++)
        killers |= (class->killers.checks[box] & ((1u << FIRST_CHECKS) - 1)) << box * FIRST_CHECKS;
    return killers;
}
