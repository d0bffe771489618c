/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/system_schema.h>
#include <corridor/system_terms.h>

COR_SYSTEM_TABLES(COR_EACH_COLUMNS, )
static const struct cor_table_schema tables[] = {COR_SYSTEM_TABLES(COR_EACH_TABLE, )};
static const struct cor_vector_schema vectors[] = {COR_SYSTEM_VECTORS(COR_EACH_VECTOR, )};
static const struct cor_catalog_schema catalogs[] = {COR_SYSTEM_CATALOGS(COR_EACH_CATALOG, )};
#define COR_TEXT(TABLE, row, text)                                                       \
    {                                                                                    \
        COR_SYSTEM_TABLE_##TABLE, offsetof(struct cor_system_##row##_row, text##_start), \
            COR_SYSTEM_VECTOR_TEXT                                                       \
    }
static const struct cor_offset_column offsets[] = {
    COR_TEXT(TESTS, test, why),           COR_TEXT(AGENTS, agent, why), COR_TEXT(CYCLES, cycle, command),
    COR_TEXT(CYCLES, cycle, picture),     COR_TEXT(GOALS, goal, why),   COR_TEXT(VERDICTS, verdict, why),
    COR_TEXT(ENTITIES, entity, identity),
};
#undef COR_TEXT
COR_LAYER_FITS(COR_SYSTEM_)

static const struct cor_ending_source ending = {
    .number = "cycle",
    .verdict = "verdict",
    .failed = COR_TEST_FAIL,
    .failed_case = "decided",
    .cut = "trouble",
    .open = "unknown",
    .cut_rows = COR_SYSTEM_TURNS_MAX - 15,
    .all =
        (const char *const[]){"verdict", "cycles", "ticks", "judged", "violated", "entities", "cells", NULL},
    .length = "cycles",
    .states = COR_SYSTEM_CATALOG_STATE,
    .lawful = "let it choose at \"random\", \"least_done\", or by a table of learnt values",
};

static const struct cor_property_source asked = {
    .of = "tests",
    .one = "test",
    .drawn = "choices of test agents and of the world",
    .cut_by = "trouble with the world ended",
    .cut_remedy = ": corridor show FILE goals",
    .tables = {COR_SYSTEM_TABLE_CYCLES, COR_SYSTEM_TABLE_TESTS},
    .ending = &ending,
    .own = (const char *const[]){"case", "failed", NULL},
    .of_cases = (const char *const[]){"cycle", "test_agent", "turn", "action", "goal", "tick", "column",
                                      "row", "floor", "shown", "reward", NULL},
    .limit = "cycles",
    .usual = 1000,
    .instead = "name the condition as a state (\"states\" of the experiment); how the test ended is said by "
               "failed and verdict == 'pass'",
};

const struct cor_layer_schema cor_system_schema = {
    .name = "system",
    .holds = "tests of running systems",
    .view = "goals",
    .suites = "runs",
    .suites_default = 1,
    .suites_catalog = COR_SYSTEM_CATALOG_TEST,
    .format = COR_system_FORMAT_NAME,
    .major = COR_SYSTEM_FORMAT_MAJOR,
    .minor = COR_LAYER_MINOR(COR_SYSTEM_),
    .names_once = true,
    .main_table = "/cycles",
    COR_LAYER_LISTS(COR_SYSTEM_),
    .asked = &asked,
};
