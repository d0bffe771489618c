/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/search_schema.h>

COR_SEARCH_TABLES(COR_EACH_COLUMNS, )
static const struct cor_table_schema tables[] = {COR_SEARCH_TABLES(COR_EACH_TABLE, )};
static const struct cor_vector_schema vectors[] = {COR_SEARCH_VECTORS(COR_EACH_VECTOR, )};
static const struct cor_catalog_schema catalogs[] = {COR_SEARCH_CATALOGS(COR_EACH_CATALOG, )};
static const struct cor_offset_column offsets[] = {
    {COR_SEARCH_TABLE_CORPUS, offsetof(struct cor_search_corpus_row, feature_start),
     COR_SEARCH_VECTOR_FEATURE},
    {COR_SEARCH_TABLE_CORPUS, offsetof(struct cor_search_corpus_row, text_start), COR_SEARCH_VECTOR_TEXT},
    {COR_SEARCH_TABLE_FINDINGS, offsetof(struct cor_search_finding_row, text_start), COR_SEARCH_VECTOR_TEXT},
    {COR_SEARCH_TABLE_REGIONS, offsetof(struct cor_search_region_row, text_start), COR_SEARCH_VECTOR_TEXT},
};
COR_LAYER_FITS(COR_SEARCH_)

const struct cor_layer_schema cor_search_schema = {
    .name = "search",
    .holds = "searches",
    .view = "searches",
    .suites = "islands",
    .suites_default = 1,
    .format = COR_SEARCH_FORMAT_NAME,
    .major = COR_SEARCH_FORMAT_MAJOR,
    .minor = COR_LAYER_MINOR(COR_SEARCH_),
    .names_once = true,
    .main_table = "/islands",
    COR_LAYER_LISTS(COR_SEARCH_),
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
