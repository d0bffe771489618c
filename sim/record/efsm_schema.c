/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/efsm_schema.h>
#include <corridor/efsm_terms.h>

COR_EFSM_TABLES(COR_EACH_COLUMNS, )
static const struct cor_table_schema tables[] = {COR_EFSM_TABLES(COR_EACH_TABLE, )};
static const struct cor_vector_schema vectors[] = {COR_EFSM_VECTORS(COR_EACH_VECTOR, )};
static const struct cor_catalog_schema catalogs[] = {COR_EFSM_CATALOGS(COR_EACH_CATALOG, )};
static const struct cor_offset_column offsets[] = {
    {COR_EFSM_TABLE_MOVES, offsetof(struct cor_efsm_move_row, state_start), COR_EFSM_VECTOR_VALUE},
    {COR_EFSM_TABLE_MOVES, offsetof(struct cor_efsm_move_row, argument_start), COR_EFSM_VECTOR_VALUE},
    {COR_EFSM_TABLE_MOVES, offsetof(struct cor_efsm_move_row, output_start), COR_EFSM_VECTOR_OUTPUT},
    {COR_EFSM_TABLE_MOVES, offsetof(struct cor_efsm_move_row, value_start), COR_EFSM_VECTOR_VALUE},
    {COR_EFSM_TABLE_ALLOWED, offsetof(struct cor_efsm_allowed_row, output_start), COR_EFSM_VECTOR_OUTPUT},
    {COR_EFSM_TABLE_ALLOWED, offsetof(struct cor_efsm_allowed_row, value_start), COR_EFSM_VECTOR_VALUE},
    {COR_EFSM_TABLE_TROUBLES, offsetof(struct cor_efsm_trouble_row, words_start), COR_EFSM_VECTOR_WORDS},
};
COR_LAYER_FITS(COR_EFSM_)

static const struct cor_ending_source ending = {
    .number = "move",
    .verdict = "verdict",
    .failed = COR_TEST_FAIL,
    .failed_case = "failed",
    .cut = "trouble",
    .all = (const char *const[]){"verdict", "moves", "resets", "covered", "traps", "planned", NULL},
    .length = "moves",
    .lawful = "name an arm whose system is \"uniform\", has \"frequencies\", or is a program",
};

static const struct cor_property_source asked = {
    .of = "tests",
    .one = "test",
    .drawn = "choices of the system and of the planner",
    .cut_by = "trouble with the system ended",
    .cut_remedy = ": corridor show FILE tests",
    .tables = {COR_EFSM_TABLE_MOVES, COR_EFSM_TABLE_TESTS, COR_EFSM_TABLE_TRAPS, COR_EFSM_TABLE_TRAPS},
    .ending = &ending,
    .own = (const char *const[]){"case", "failed", NULL},
    .of_cases = (const char *const[]){"attempt", "location", "possible", "input", "transition", "outputs",
                                      "allowed", "timeout", "gained", "left", NULL},
    .conditions = COR_EFSM_CATALOG_TRAP,
    .limit = "moves",
    .usual = 1000,
    .log = "brief",
    .instead = "name the condition as a trap of the goal; how the test ended is said by failed and "
               "verdict == 'pass'",
};

const struct cor_layer_schema cor_efsm_schema = {
    .name = "efsm",
    .holds = "model-based tests",
    .view = "tests",
    .suites = "runs",
    .format = COR_efsm_FORMAT_NAME,
    .major = COR_EFSM_FORMAT_MAJOR,
    .minor = COR_LAYER_MINOR(COR_EFSM_),
    .main_table = "/tests",
    COR_LAYER_LISTS(COR_EFSM_),
    .asked = &asked,
};
